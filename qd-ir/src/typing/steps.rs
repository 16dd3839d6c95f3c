//! Loops over ranges with adapters: `for i in (a..=b).rev().step_by(k)`.
//!
//! Such a loop runs over the numbers of its iterations, and its variable is `first + number * stride`, computed modulo
//! the width of its type. `first`, `stride` and the number of iterations come out of the same steps as in
//! [`Progression`](crate::progression::Progression), written as statements. What is a constant stays one, so that
//! accesses with such a variable are understood as linear. Ranges of 128-bit integers don't get here: the macro has
//! rustc refuse them.
use super::control::For;
use super::hint::Hint;
use super::task::{Builder, Ends, Lower, Val, point};
use crate::arena::Id;
use crate::body::{Region, Stmt, Value};
use crate::fault::{Site, ZERO_STEP};
use crate::message::Message;
use crate::op::Op;
use crate::plan::{Carried, Counted};
use crate::sketch::{Adapter, Expr, ExprKind, Steps};
use crate::source_map::Pos;
use crate::types::{Const, Scalar, Type};

/// How a loop variable follows from the number of the iteration.
pub(super) struct Values {
    /// Its type.
    pub ty: Scalar,
    first: Number,
    stride: Number,
    /// Whether there may be 2^64 iterations, one more than a loop has: then `runs`, and the number of those behind the
    /// first.
    endless: Option<(Id<Value>, Id<Value>)>,
}

/// A number of the loop variable's type.
#[derive(Clone, Copy)]
enum Number {
    /// Its bits.
    Const(u64),
    Value(Id<Value>),
}

impl Builder<'_> {
    /// The numbers that the loop runs over, and how its variable follows from them.
    pub fn steps(&mut self, steps: &Steps, ty: Scalar, pos: Pos) -> Lower<(Vec<Ends>, Option<Values>)> {
        if ty.bits() > 64 {
            return Err(self.facts.error(pos, format!("a range of {ty} with its end or with adapters")).into());
        }
        let Steps { lo, hi, inclusive, adapters } = steps;
        let (lo_bits, hi_bits) = (self.literal(*lo, ty), self.literal(*hi, ty));
        let (least, greatest) = ends_of(ty);
        if let (true, [], Some(last)) = (*inclusive, adapters.as_slice(), hi_bits.filter(|bits| *bits != greatest)) {
            // `lo..=9` is `lo..10`.
            let lo = self.scalar(*lo, ty)?;
            let hi = self.constant(Const { ty, bits: u128::from(last.wrapping_add(1)) & ty.mask() });
            return Ok((vec![Ends { ty, lo, hi }], None));
        }
        let (lo, hi) = (self.scalar(*lo, ty)?, self.scalar(*hi, ty)?);
        let runs = self.op(if *inclusive { Op::Le } else { Op::Lt }, vec![lo, hi], Scalar::Bool, pos);
        let (from, to) = (self.cast_number(lo, Scalar::Usize, pos), self.cast_number(hi, Scalar::Usize, pos));
        let mut more = self.op(Op::WrappingSub, vec![to, from], Scalar::Usize, pos);
        let one = self.constant(Const { ty: Scalar::Usize, bits: 1 });
        if !inclusive {
            more = self.op(Op::WrappingSub, vec![more, one], Scalar::Usize, pos);
        }
        let whole = lo_bits.is_none_or(|bits| bits == least) && hi_bits.is_none_or(|bits| bits == greatest);
        let mut endless = *inclusive && ty.bits() == 64 && whole;
        let mut first = lo_bits.map_or(Number::Value(lo), Number::Const);
        let mut stride = Number::Const(1);
        for adapter in adapters {
            match adapter {
                Adapter::Rev => {
                    let behind = self.cast_number(more, ty, pos);
                    let behind = self.times(behind, stride, ty, pos);
                    let start = self.number(first, ty);
                    first = Number::Value(self.op(Op::WrappingAdd, vec![start, behind], ty, pos));
                    stride = match stride {
                        Number::Const(bits) => Number::Const(bits.wrapping_neg()),
                        Number::Value(value) => Number::Value(self.op(Op::WrappingNeg, vec![value], ty, pos)),
                    };
                }
                Adapter::StepBy(step) => {
                    let known = self.literal(*step, Scalar::Usize).filter(|step| *step > 0);
                    let step_pos = self.facts.pos(*step);
                    let step = self.scalar(*step, Scalar::Usize)?;
                    if known.is_none() {
                        self.refuse_zero(step, step_pos);
                    }
                    more = self.op(Op::Div, vec![more, step], Scalar::Usize, step_pos);
                    stride = match (stride, known) {
                        (Number::Const(bits), Some(step)) => Number::Const(bits.wrapping_mul(step)),
                        (stride, _) => {
                            let step = self.cast_number(step, ty, pos);
                            Number::Value(self.times(step, stride, ty, pos))
                        }
                    };
                    endless &= known.is_none_or(|step| step == 1);
                }
            }
        }
        // Without a branch, so that it stays an invariant of the loops around.
        let up = if endless { Op::SaturatingAdd } else { Op::WrappingAdd };
        let count = self.op(up, vec![more, one], Scalar::Usize, pos);
        let factor = self.op(Op::Cast, vec![runs], Scalar::Usize, pos);
        let hi = self.op(Op::WrappingMul, vec![count, factor], Scalar::Usize, pos);
        let lo = self.constant(Const { ty: Scalar::Usize, bits: 0 });
        let values = Values { ty, first, stride, endless: endless.then_some((runs, more)) };
        Ok((vec![Ends { ty: Scalar::Usize, lo, hi }], Some(values)))
    }

    /// The loop, in a task.
    pub fn steps_loop(&mut self, looped: &For<'_>, ends: &[Ends], values: &Values) -> Lower<Val> {
        let For { label, pattern, unroll, body, pos } = *looped;
        let [Ends { lo, hi, .. }] = *ends else {
            return Err(self.facts.error(pos, "a range of several dimensions").into());
        };
        let outer = values.endless.map(|_| self.loop_id());
        let inner = self.loop_id();
        self.enter(label, outer.unwrap_or(inner), inner, Hint::Type(Type::UNIT));
        let var = self.task.value(Scalar::Usize);
        let write = |s: &mut Self, number: Id<Value>| {
            let value = s.value_at(values, number);
            s.bind(pattern, &point(&[(values.ty, value)]), pos)?;
            s.block(body, &Hint::Type(Type::UNIT))
        };
        let (Some(outer), Some((runs, more))) = (outer, values.endless) else {
            let (body, _) = self.region(|s| write(s, var))?;
            self.push(Stmt::For { id: inner, var, lo, hi, unroll, body });
            return Ok(Val::UNIT);
        };
        // All iterations but the last of 2^64, then that one.
        let most = self.constant(Const { ty: Scalar::Usize, bits: u64::MAX.into() });
        let (start, count, left) =
            (self.variable(Scalar::Usize), self.variable(Scalar::Usize), self.variable(Scalar::Bool));
        let full = self.op(Op::Eq, vec![more, most], Scalar::Bool, pos);
        let full = self.op(Op::And, vec![full, runs], Scalar::Bool, pos);
        self.set(&[start, count, left], &[lo, hi, full]);
        let (round, _) = self.region(|s| {
            let [base, end] = [start, count].map(|local| s.get(&[local])[0]);
            let (body, _) = s.region(|s| {
                let number = s.op(Op::WrappingAdd, vec![base, var], Scalar::Usize, pos);
                write(s, number)
            })?;
            s.push(Stmt::For { id: inner, var, lo, hi: end, unroll, body });
            let again = s.get(&[left])[0];
            let (then, _) = s.region(|s| {
                let no = s.constant(Const { ty: Scalar::Bool, bits: 0 });
                let one = s.constant(Const { ty: Scalar::Usize, bits: 1 });
                s.set(&[start, count, left], &[most, one, no]);
                Ok(())
            })?;
            s.push(Stmt::If { cond: again, then, otherwise: Region(vec![Stmt::Break(outer)]) });
            Ok(())
        })?;
        self.push(Stmt::Loop { id: outer, body: round });
        Ok(Val::UNIT)
    }

    /// Has the body of a parallel loop see what its variable is made of.
    pub fn carry(&mut self, values: &Values) {
        let mut carried = |number| match number {
            Number::Const(bits) => Carried::Const(bits),
            Number::Value(value) => {
                let known = self.carried.iter().position(|other| *other == value);
                Carried::Value(known.unwrap_or_else(|| {
                    self.carried.push(value);
                    self.carried.len() - 1
                }))
            }
        };
        let (first, stride) = (carried(values.first), carried(values.stride));
        self.counted = Some(Counted { ty: values.ty, first, stride });
    }

    /// The loop variable in the iteration of that number.
    pub fn value_at(&mut self, values: &Values, number: Id<Value>) -> Id<Value> {
        // Nothing here can fail, so there is no place to name.
        let (ty, pos) = (values.ty, Pos::default());
        let first = self.number(values.first, ty);
        let number = self.cast_number(number, ty, pos);
        if matches!(values.stride, Number::Const(stride) if stride == u64::MAX) {
            return self.op(Op::WrappingSub, vec![first, number], ty, pos);
        }
        let way = self.times(number, values.stride, ty, pos);
        self.op(Op::WrappingAdd, vec![first, way], ty, pos)
    }

    fn times(&mut self, value: Id<Value>, stride: Number, ty: Scalar, pos: Pos) -> Id<Value> {
        if matches!(stride, Number::Const(1)) {
            return value;
        }
        let stride = self.number(stride, ty);
        self.op(Op::WrappingMul, vec![value, stride], ty, pos)
    }

    fn number(&mut self, number: Number, ty: Scalar) -> Id<Value> {
        match number {
            Number::Const(bits) => self.constant(Const { ty, bits: u128::from(bits) & ty.mask() }),
            Number::Value(value) => value,
        }
    }

    fn cast_number(&mut self, value: Id<Value>, to: Scalar, pos: Pos) -> Id<Value> {
        if self.task.ty(value) == to { value } else { self.op(Op::Cast, vec![value], to, pos) }
    }

    /// The bits of an integer literal, which may have a sign.
    fn literal(&self, expr: Id<Expr>, ty: Scalar) -> Option<u64> {
        let mask = u64::MAX >> (64 - ty.bits());
        let exprs = &self.facts.sketch.exprs;
        let mut found = &exprs[expr].kind;
        if let ExprKind::Tapped { value, .. } = found {
            found = &exprs[*value].kind;
        }
        let negative = matches!(found, ExprKind::Op { op: Op::Neg, .. });
        if let ExprKind::Op { op: Op::Neg, args } = found {
            found = &exprs[*args.first()?].kind;
        }
        let ExprKind::Int { value, .. } = found else { return None };
        Some(if negative { value.wrapping_neg() } else { *value } as u64 & mask)
    }

    /// Fails where a step is zero, as Rust does when it makes the iterator.
    fn refuse_zero(&mut self, step: Id<Value>, pos: Pos) {
        let zero = self.constant(Const { ty: Scalar::Usize, bits: 0 });
        let cond = self.op(Op::Eq, vec![step, zero], Scalar::Bool, pos);
        let site = self.speaking(Site::Panic, Message::text(ZERO_STEP), Vec::new(), pos);
        let then = Region(vec![Stmt::Fail { site, values: Vec::new() }]);
        self.push(Stmt::If { cond, then, otherwise: Region::default() });
    }
}

/// The bits of the least and the greatest value of an integer type.
fn ends_of(ty: Scalar) -> (u64, u64) {
    let mask = u64::MAX >> (64 - ty.bits());
    if ty.is_signed() { (1 << (ty.bits() - 1), mask >> 1) } else { (0, mask) }
}
