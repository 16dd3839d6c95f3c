//! Canonical bytes of a task: what a key hashes.
//!
//! Two tasks have equal bytes exactly if they are equal, on every machine and in every build of this format. The
//! encoding is written out here and not derived, so that no reordering of a type changes it by accident; goldens guard
//! it. A task holds no name and no position, so neither do its bytes.
//!
//! Format: [`FORMAT`], then the task's fields in the order below. Counts, handles and codes are LEB128; a list is its
//! count and its entries; an enum is a tag byte and its fields; an optional handle is 0 or the handle plus one; a
//! constant's bits are eight bytes, little-endian, sixteen for the types of 128 bits. Tags are never reused: a change of meaning is a new [`FORMAT`].
use crate::arena::{Arena, Id};
use crate::body::{Local, LoopId, Part, Region, Step, Stmt, Unroll, Value};
use crate::fault::Site;
use crate::op::{AtomicOp, Op, ReduceOp};
use crate::task::{Array, Dim, Input, Order, Output, Reduction, Task, TaskKind};
use crate::types::{ArrayType, Const, Element, Field, Scalar};

/// Version of the encoding, its first byte.
pub const FORMAT: u8 = 2;

/// The canonical bytes of a task.
pub fn encode(task: &Task) -> Vec<u8> {
    let mut out = Writer { bytes: vec![FORMAT] };
    let Task { kind, arrays, inputs, outputs, values, locals, sites, body } = task;
    out.list(arrays, |out, Array { ty }| out.array(ty));
    out.list(inputs, |out, Input { ty }| out.scalar(*ty));
    out.list(outputs, |out, Output { ty }| out.scalar(*ty));
    out.list(values, |out, Value { ty }| out.scalar(*ty));
    out.list(locals, |out, Local { ty, len }| {
        out.scalar(*ty);
        out.number(u64::from(*len));
    });
    out.list(sites, |out, site| match site {
        Site::Index(array) => {
            out.tag(0);
            out.id(*array);
        }
        Site::Op(op, ty) => {
            out.tag(1);
            out.op(*op);
            out.scalar(*ty);
        }
        Site::Panic => out.tag(2),
        Site::Print => out.tag(3),
        Site::Step => out.tag(4),
    });
    match kind {
        TaskKind::Serial => out.tag(0),
        TaskKind::Parallel { bounds, carried, dims, reductions } => {
            out.tag(if carried.is_empty() { 1 } else { 2 });
            out.region(bounds);
            if !carried.is_empty() {
                out.ids(carried);
            }
            out.count(dims.len());
            for Dim { var, lo, hi } in dims {
                out.id(*var);
                out.id(*lo);
                out.id(*hi);
            }
            out.list(reductions, |out, reduction| match reduction {
                Reduction::Each { op, ty, len: 1 } => {
                    out.tag(reduce_code(*op));
                    out.scalar(*ty);
                }
                Reduction::Each { op, ty, len } => {
                    out.tag(7);
                    out.tag(reduce_code(*op));
                    out.scalar(*ty);
                    out.number(u64::from(*len));
                }
                Reduction::Extreme { order: Order { greatest, last }, key, with } => {
                    out.tag(8);
                    out.tag(u8::from(*greatest));
                    out.tag(u8::from(*last));
                    for scalars in [key, with] {
                        out.count(scalars.len());
                        scalars.iter().for_each(|ty| out.scalar(*ty));
                    }
                }
            });
        }
    }
    out.region(body);
    out.bytes
}

/// Code of a scalar.
pub(crate) fn scalar_code(ty: Scalar) -> u8 {
    match ty {
        Scalar::Bool => 0,
        Scalar::I8 => 1,
        Scalar::I16 => 2,
        Scalar::I32 => 3,
        Scalar::I64 => 4,
        Scalar::Isize => 5,
        Scalar::U8 => 6,
        Scalar::U16 => 7,
        Scalar::U32 => 8,
        Scalar::U64 => 9,
        Scalar::Usize => 10,
        Scalar::F32 => 11,
        Scalar::F64 => 12,
        Scalar::I128 => 13,
        Scalar::U128 => 14,
        Scalar::F16 => 15,
        Scalar::Bf16 => 16,
    }
}

fn reduce_code(op: ReduceOp) -> u8 {
    match op {
        ReduceOp::Add => 0,
        ReduceOp::Mul => 1,
        ReduceOp::Min => 2,
        ReduceOp::Max => 3,
        ReduceOp::And => 4,
        ReduceOp::Or => 5,
        ReduceOp::Xor => 6,
    }
}

fn atomic_code(op: AtomicOp) -> u8 {
    match op {
        AtomicOp::Add => 0,
        AtomicOp::Sub => 1,
        AtomicOp::Min => 2,
        AtomicOp::Max => 3,
        AtomicOp::And => 4,
        AtomicOp::Or => 5,
        AtomicOp::Xor => 6,
        AtomicOp::Exchange => 7,
    }
}

struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn tag(&mut self, tag: u8) {
        self.bytes.push(tag);
    }

    fn number(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.bytes.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.bytes.push(n as u8);
    }

    fn count(&mut self, n: usize) {
        self.number(n as u64);
    }

    fn id<T>(&mut self, id: Id<T>) {
        self.count(id.index());
    }

    fn loop_id(&mut self, id: LoopId) {
        self.number(u64::from(id.0));
    }

    fn site(&mut self, site: Option<Id<Site>>) {
        self.count(site.map_or(0, |site| site.index() + 1));
    }

    fn scalar(&mut self, ty: Scalar) {
        self.tag(scalar_code(ty));
    }

    fn array(&mut self, ty: &ArrayType) {
        let ArrayType { element: Element { size, align, fields }, rank, mutable } = ty;
        self.number(u64::from(*size));
        self.number(u64::from(*align));
        self.count(fields.len());
        for Field { ty, offset } in fields {
            self.scalar(*ty);
            self.number(u64::from(*offset));
        }
        self.tag(*rank);
        self.tag(u8::from(*mutable));
    }

    fn part(&mut self, part: &Part) {
        let Part { base, steps } = part;
        self.number(u64::from(*base));
        self.count(steps.len());
        for Step { index, len, stride } in steps {
            self.id(*index);
            self.number(u64::from(*len));
            self.number(u64::from(*stride));
        }
    }

    fn op(&mut self, op: Op) {
        self.number(u64::from(op.code()));
    }

    fn constant(&mut self, value: Const) {
        let Const { ty, bits } = value;
        self.scalar(ty);
        self.bytes.extend(&bits.to_le_bytes()[..8 * ty.words()]);
    }

    fn ids<T>(&mut self, ids: &[Id<T>]) {
        self.count(ids.len());
        ids.iter().for_each(|id| self.id(*id));
    }

    fn list<T>(&mut self, arena: &Arena<T>, entry: impl Fn(&mut Self, &T)) {
        self.count(arena.len());
        arena.values().iter().for_each(|value| entry(self, value));
    }

    fn region(&mut self, region: &Region) {
        self.count(region.0.len());
        region.0.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Const { dst, value } => {
                self.tag(0);
                self.id(*dst);
                self.constant(*value);
            }
            Stmt::Input { dst, input } => {
                self.tag(1);
                self.id(*dst);
                self.id(*input);
            }
            Stmt::Extent { dst, array, dim } => {
                self.tag(2);
                self.id(*dst);
                self.id(*array);
                self.tag(*dim);
            }
            Stmt::Op { dst, op, args, site } => {
                self.tag(3);
                self.id(*dst);
                self.op(*op);
                self.ids(args);
                self.site(*site);
            }
            Stmt::Get { dst, local } => {
                self.tag(4);
                self.id(*dst);
                self.id(*local);
            }
            Stmt::Set { local, value } => {
                self.tag(5);
                self.id(*local);
                self.id(*value);
            }
            Stmt::Load { dst, array, index, part, site } => {
                self.tag(6);
                self.id(*dst);
                self.id(*array);
                self.ids(index);
                self.part(part);
                self.site(*site);
            }
            Stmt::Store { array, index, part, value, site } => {
                self.tag(7);
                self.id(*array);
                self.ids(index);
                self.part(part);
                self.id(*value);
                self.site(*site);
            }
            Stmt::Atomic { dst, op, array, index, part, value, site } => {
                self.tag(8);
                self.id(*dst);
                self.tag(atomic_code(*op));
                self.id(*array);
                self.ids(index);
                self.part(part);
                self.id(*value);
                self.site(*site);
            }
            Stmt::CompareExchange { dst, array, index, part, current, new, site } => {
                self.tag(24);
                self.id(*dst);
                self.id(*array);
                self.ids(index);
                self.part(part);
                self.id(*current);
                self.id(*new);
                self.site(*site);
            }
            Stmt::Reduce { reduction, value } => {
                self.tag(9);
                self.id(*reduction);
                self.id(*value);
            }
            Stmt::ReducePart { reduction, part, value } => {
                self.tag(25);
                self.id(*reduction);
                self.part(part);
                self.id(*value);
            }
            Stmt::Offer { reduction, values } => {
                self.tag(26);
                self.id(*reduction);
                self.ids(values);
            }
            Stmt::Output { output, value } => {
                self.tag(10);
                self.id(*output);
                self.id(*value);
            }
            Stmt::If { cond, then, otherwise } => {
                self.tag(11);
                self.id(*cond);
                self.region(then);
                self.region(otherwise);
            }
            Stmt::For { id, var, lo, hi, unroll, body } => {
                match unroll {
                    Unroll::Auto => self.tag(12),
                    Unroll::Full => {
                        self.tag(20);
                        self.number(0);
                    }
                    Unroll::By(times) => {
                        self.tag(20);
                        self.number(u64::from(*times));
                    }
                }
                self.loop_id(*id);
                self.id(*var);
                self.id(*lo);
                self.id(*hi);
                self.region(body);
            }
            Stmt::Loop { id, body } => {
                self.tag(13);
                self.loop_id(*id);
                self.region(body);
            }
            Stmt::Break(id) => {
                self.tag(14);
                self.loop_id(*id);
            }
            Stmt::Continue(id) => {
                self.tag(15);
                self.loop_id(*id);
            }
            Stmt::End => self.tag(16),
            Stmt::Check { array, index, site } => {
                self.tag(17);
                self.id(*array);
                self.ids(index);
                self.id(*site);
            }
            Stmt::Claim { array, index, site } => {
                self.tag(27);
                self.id(*array);
                self.ids(index);
                self.id(*site);
            }
            Stmt::Fail { site, values } => {
                self.tag(18);
                self.id(*site);
                self.ids(values);
            }
            Stmt::Print { site, values } => {
                self.tag(19);
                self.id(*site);
                self.ids(values);
            }
            Stmt::GetPart { dst, local, part } => {
                self.tag(21);
                self.id(*dst);
                self.id(*local);
                self.part(part);
            }
            Stmt::CheckStep { index, len, site } => {
                self.tag(23);
                self.id(*index);
                self.number(u64::from(*len));
                self.id(*site);
            }
            Stmt::SetPart { local, part, value } => {
                self.tag(22);
                self.id(*local);
                self.part(part);
                self.id(*value);
            }
        }
    }
}
