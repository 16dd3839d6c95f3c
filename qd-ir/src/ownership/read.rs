//! Reading a loop's accesses from the sketch into terms.
//!
//! The macro reads without types ([`Untyped`]): integers are unlimited then, and what comes out only tells what may be
//! accepted. Typing reads again with rustc's types, and that is what launches are judged by.
use std::collections::HashMap;

use crate::arena::Id;
use crate::op::Op;
use crate::sketch::{Adapter, Block, Domain, Expr, ExprKind, Local, Member, ParamId, Sketch, TypeName};
use crate::types::{Scalar, Type};

use super::access::Found;
use super::predicate::Predicate;
use super::scan::{Meaning, Scan, rank};
use super::term::{Guard, Reach, Relation, Span, Term, TermKind, TermOp, Terms};

/// What rustc says of types.
pub trait Typing {
    /// The type of an expression, if its own parts give it.
    fn expr(&self, expr: Id<Expr>) -> Option<Type>;
    /// The type of a name.
    fn local(&self, local: Id<Local>) -> Option<Type>;
    /// A type named in the source.
    fn named(&self, name: TypeName) -> Option<Type>;
    /// The number of dimensions of an array.
    fn rank(&self, array: ParamId) -> Option<usize>;
}

/// What is known before rustc has spoken.
pub(super) struct Untyped<'a>(pub &'a Sketch);

impl Typing for Untyped<'_> {
    fn expr(&self, _: Id<Expr>) -> Option<Type> {
        None
    }

    fn local(&self, _: Id<Local>) -> Option<Type> {
        None
    }

    fn named(&self, name: TypeName) -> Option<Type> {
        match name {
            TypeName::Scalar(scalar) if !scalar.is_int() => Some(Type::Scalar(scalar)),
            TypeName::Scalar(_) | TypeName::Tap(_) => None,
        }
    }

    fn rank(&self, array: ParamId) -> Option<usize> {
        rank(self.0, array)
    }
}

/// A scalar that is the same in all iterations, found without running code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// Where it comes from.
    pub origin: Origin,
    /// Its text, for messages; none for a constant.
    pub text: Option<String>,
}

/// Where a leaf comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A plain expression.
    Expr(Id<Expr>),
    /// An extent of an array.
    Extent(ParamId, u8),
    /// The number of elements of an array.
    Len(ParamId),
}

/// What tells leaves apart.
#[derive(PartialEq, Eq, Hash)]
enum Place {
    Local(Id<Local>, Vec<String>),
    Len(ParamId),
    Extent(ParamId, u8),
    Const(u32),
}

/// The type of a term, where it is an integer of at most 64 bits.
enum Kind {
    Integer(Option<Scalar>),
    Other,
}

impl From<Option<Type>> for Kind {
    fn from(ty: Option<Type>) -> Self {
        match ty.as_ref().map(Type::as_scalar) {
            None => Kind::Integer(None),
            Some(Some(scalar)) if scalar.is_int() && scalar.bits() <= 64 => Kind::Integer(Some(scalar)),
            Some(_) => Kind::Other,
        }
    }
}

/// The walk from expressions to terms.
pub(super) struct Reader<'a, 's> {
    scan: &'a Scan<'s>,
    typing: &'a dyn Typing,
    terms: Terms,
    leaves: Vec<Leaf>,
    places: HashMap<Place, u32>,
    /// Names that are one value each, whatever it is.
    names: HashMap<(Id<Local>, Vec<u32>), Id<Term>>,
}

/// The predicate of a loop with the accesses of these numbers, and no pairs yet.
pub(super) fn predicate(scan: &Scan<'_>, typing: &dyn Typing, accesses: &[usize]) -> Predicate<Leaf> {
    let mut reader = Reader {
        scan,
        typing,
        terms: Terms::default(),
        leaves: Vec::new(),
        places: HashMap::new(),
        names: HashMap::new(),
    };
    let dims = reader.spans(scan.domain, scan.variables.len());
    // Numbered as [`Inner`](TermKind::Inner) has them: the dimensions of all loops, one after the other.
    let mut loops = Vec::new();
    for domain in &scan.loops {
        let spans = reader.spans(domain, 1);
        loops.extend(spans);
    }
    let reaches = accesses.iter().map(|access| reader.reach(&scan.accesses[*access])).collect();
    let Reader { terms, leaves, .. } = reader;
    Predicate { terms, leaves, dims, loops, reaches, pairs: Vec::new() }
}

impl Reader<'_, '_> {
    /// What a loop's variables run over, a span a dimension: `rank` of them if nobody knows better.
    fn spans(&mut self, domain: &Domain, rank: usize) -> Vec<Span> {
        let plain = |lo, hi, ty| Span { ty, lo, hi, inclusive: false, adapters: Vec::new() };
        match domain {
            Domain::Range { lo, hi, tap: _ } => {
                let ty = self.shared_type(&[*lo, *hi], None);
                let (lo, hi) = (self.term(*lo, &[], ty), self.term(*hi, &[], ty));
                vec![plain(lo, hi, ty)]
            }
            Domain::Steps(steps) => {
                let ty = self.shared_type(&[steps.lo, steps.hi], None);
                let (lo, hi) = (self.term(steps.lo, &[], ty), self.term(steps.hi, &[], ty));
                let step = |adapter: &Adapter| match adapter {
                    Adapter::Rev => None,
                    Adapter::StepBy(step) => Some(self.term(*step, &[], self.typed(Scalar::Usize))),
                };
                let adapters = steps.adapters.iter().map(step).collect();
                vec![Span { ty, lo, hi, inclusive: steps.inclusive, adapters }]
            }
            Domain::Indices(array) => {
                let ty = self.typed(Scalar::Usize);
                let dims = 0..self.typing.rank(*array).unwrap_or(rank) as u8;
                let lo = self.terms.add(ty, TermKind::Int(0));
                dims.map(|dim| plain(lo, self.extent(*array, dim), ty)).collect()
            }
            Domain::Segments(array) => {
                // There is one offset more.
                let ty = self.typed(Scalar::Usize);
                let text = format!("{}.len()", self.scan.sketch.params[array.0 as usize].name);
                let leaf = self.leaf_at(Place::Len(*array), Origin::Len(*array), Some(text));
                let (lo, hi) = (self.terms.add(ty, TermKind::Int(0)), self.terms.add(ty, TermKind::Leaf(leaf)));
                vec![plain(lo, hi, ty)]
            }
            Domain::Ndrange(dims) => {
                let ty = self.typed(Scalar::Usize);
                let zero = self.terms.add(ty, TermKind::Int(0));
                let span = |(lo, hi): &(Option<Id<Expr>>, Id<Expr>)| {
                    let lo = lo.map_or(zero, |lo| self.term(lo, &[], ty));
                    plain(lo, self.term(*hi, &[], ty), ty)
                };
                dims.iter().map(span).collect()
            }
        }
    }

    /// `ty`, where types are known.
    fn typed(&self, ty: Scalar) -> Option<Scalar> {
        // The one who knows types knows this one.
        self.typing.named(TypeName::Scalar(ty)).and(Some(ty))
    }

    /// The integer type of operands that have one type.
    fn shared_type(&self, operands: &[Id<Expr>], hint: Option<Scalar>) -> Option<Scalar> {
        match Kind::from(operands.iter().find_map(|operand| self.typing.expr(*operand))) {
            Kind::Integer(ty) => ty.or(hint),
            Kind::Other => None,
        }
    }

    fn reach(&mut self, found: &Found) -> Reach {
        let mut guards = Vec::new();
        for (cond, holds) in &found.guards {
            self.guard(*cond, *holds, &mut guards);
        }
        let ty = self.typed(Scalar::Usize);
        let index = found.index.iter().map(|index| self.term(*index, &[], ty)).collect();
        let array = self.scan.sketch.params[found.array.0 as usize].name.clone();
        Reach { index, guards, pos: found.access.pos, kind: found.access.kind, array }
    }

    /// What a condition says of integers.
    fn guard(&mut self, cond: Id<Expr>, holds: bool, into: &mut Vec<Guard>) {
        match &self.scan.sketch.exprs[cond].kind {
            ExprKind::LazyAnd(a, b) if holds => {
                self.guard(*a, holds, into);
                self.guard(*b, holds, into);
            }
            ExprKind::LazyOr(a, b) if !holds => {
                self.guard(*a, holds, into);
                self.guard(*b, holds, into);
            }
            ExprKind::Op { op: Op::Not, args } if args.len() == 1 => self.guard(args[0], !holds, into),
            ExprKind::Op { op, args } if args.len() == 2 => {
                let (relation, swapped) = match (op, holds) {
                    (Op::Eq, true) | (Op::Ne, false) => (Relation::Eq, false),
                    (Op::Ne, true) | (Op::Eq, false) => (Relation::Ne, false),
                    (Op::Lt, true) | (Op::Ge, false) => (Relation::Lt, false),
                    (Op::Gt, true) | (Op::Le, false) => (Relation::Lt, true),
                    (Op::Le, true) | (Op::Gt, false) => (Relation::Le, false),
                    (Op::Ge, true) | (Op::Lt, false) => (Relation::Le, true),
                    _ => return,
                };
                // Floats compare in other ways: with a NaN, neither `<` nor `>=`.
                let known = args.iter().find_map(|arg| self.typing.expr(*arg));
                let Kind::Integer(ty) = Kind::from(known) else { return };
                let (a, b) = (self.term(args[0], &[], ty), self.term(args[1], &[], ty));
                let (left, right) = if swapped { (b, a) } else { (a, b) };
                into.push(Guard { relation, left, right });
            }
            _ => {}
        }
    }

    /// The term of that part of an expression, whose type is `hint` if its own parts don't say.
    fn term(&mut self, expr: Id<Expr>, path: &[u32], hint: Option<Scalar>) -> Id<Term> {
        let own = if path.is_empty() { self.typing.expr(expr) } else { None };
        let ty = match Kind::from(own) {
            Kind::Integer(ty) => ty.or(hint),
            Kind::Other => return self.terms.unknown(None),
        };
        if path.is_empty()
            && let Some(leaf) = self.leaf(expr)
        {
            return self.terms.add(ty, TermKind::Leaf(leaf));
        }
        let kind = match &self.scan.sketch.exprs[expr].kind {
            ExprKind::Local(local) => return self.name(*local, path, ty),
            ExprKind::Field(value, Member::Index(part)) => {
                return self.term(*value, &[&[*part], path].concat(), ty);
            }
            ExprKind::Tuple(parts) => {
                let part = path.split_first().and_then(|(first, rest)| Some((*parts.get(*first as usize)?, rest)));
                let Some((part, rest)) = part else { return self.terms.unknown(ty) };
                return self.term(part, rest, ty);
            }
            ExprKind::Block(Block { stmts, tail: Some(tail) }) if stmts.is_empty() => {
                return self.term(*tail, path, ty);
            }
            ExprKind::Tapped { tap: _, value } => return self.term(*value, path, ty),
            ExprKind::Int { value, suffix } if path.is_empty() => match (i128::try_from(*value), suffix) {
                (Ok(value), None) => Some((TermKind::Int(value), ty)),
                (Ok(value), Some(suffix)) if suffix.is_int() => Some((TermKind::Int(value), ty)),
                (Ok(_) | Err(_), _) => None,
            },
            ExprKind::Cast { value, to } if path.is_empty() => match Kind::from(self.typing.named(*to)) {
                Kind::Integer(to) => {
                    // A literal takes the type of the cast.
                    let inner = self.term(*value, &[], to);
                    Some((TermKind::Cast(inner), to))
                }
                Kind::Other => None,
            },
            ExprKind::Op { op, args } | ExprKind::Function { ty: _, op, args } if path.is_empty() => {
                self.operation(*op, args, ty).map(|kind| (kind, ty))
            }
            _ => None,
        };
        match kind {
            // Where types are known, what has none is no number to calculate with.
            Some((TermKind::Op(..), None)) if self.typed(Scalar::Usize).is_some() => self.terms.unknown(None),
            Some((kind, ty)) => self.terms.add(ty, kind),
            None => self.terms.unknown(ty),
        }
    }

    fn operation(&mut self, op: Op, args: &[Id<Expr>], ty: Option<Scalar>) -> Option<TermKind> {
        let known = match op {
            Op::Add | Op::WrappingAdd | Op::StrictAdd => TermOp::Add,
            Op::Sub | Op::WrappingSub | Op::StrictSub => TermOp::Sub,
            Op::Mul | Op::WrappingMul | Op::StrictMul => TermOp::Mul,
            Op::Div => TermOp::Div,
            Op::Rem => TermOp::Rem,
            Op::Shl => TermOp::Shl,
            Op::Shr => TermOp::Shr,
            Op::And => TermOp::And,
            Op::Min => TermOp::Min,
            Op::Max => TermOp::Max,
            Op::Neg | Op::WrappingNeg | Op::StrictNeg => {
                let [value] = args else { return None };
                let (zero, value) = (self.terms.add(ty, TermKind::Int(0)), self.term(*value, &[], ty));
                return Some(TermKind::Op(TermOp::Sub, zero, value));
            }
            // What isn't followed is unknown, and so in the end refused.
            _ => return None,
        };
        let [a, b] = args else { return None };
        let shifts = matches!(known, TermOp::Shl | TermOp::Shr);
        let (a, b) = (self.term(*a, &[], ty), self.term(*b, &[], if shifts { self.typed(Scalar::I32) } else { ty }));
        Some(TermKind::Op(known, a, b))
    }

    fn name(&mut self, local: Id<Local>, path: &[u32], ty: Option<Scalar>) -> Id<Term> {
        let variable = match path {
            [] => Some((local, None)),
            [part] => Some((local, Some(*part))),
            _ => None,
        };
        let dim = self.scan.variables.iter().position(|v| v.is_some() && *v == variable);
        if let Some(dim) = dim {
            return self.terms.add(ty.or(self.typed(Scalar::Usize)), TermKind::Variable(dim as u32));
        }
        match self.scan.meanings.get(&local) {
            Some(Meaning::Alias(init, inner)) => {
                let (init, inner) = (*init, [inner, path].concat());
                // A literal that the name stands for has the name's type.
                let own = self.part_type(local, path);
                match Kind::from(own) {
                    Kind::Integer(own) => self.once(local, path, |this| this.term(init, &inner, own.or(ty))),
                    Kind::Other => self.once(local, path, |this| this.terms.unknown(None)),
                }
            }
            Some(Meaning::Loop(number)) => {
                let dim = match (self.scan.counted.get(&local), path) {
                    (Some(Some(dim)), []) => Some(*dim),
                    (Some(None), []) => Some(0),
                    (Some(None), [part]) => Some(*part),
                    (Some(_) | None, _) => None,
                };
                let before: usize = self.scan.loops[..*number].iter().map(|domain| self.dims(domain)).sum();
                match dim.filter(|dim| (*dim as usize) < self.dims(self.scan.loops[*number])) {
                    Some(dim) => self.terms.add(ty, TermKind::Inner(before as u32 + dim)),
                    None => self.once(local, path, |this| this.terms.unknown(ty)),
                }
            }
            // What is assigned may change between two mentions.
            Some(Meaning::Opaque) if self.scan.sketch.locals[local].assigned => self.terms.unknown(ty),
            Some(Meaning::Opaque) | None => self.once(local, path, |this| this.terms.unknown(ty)),
        }
    }

    /// The number of dimensions of a loop.
    fn dims(&self, domain: &Domain) -> usize {
        match domain {
            Domain::Range { .. } | Domain::Steps(_) | Domain::Segments(_) => 1,
            Domain::Indices(array) => self.typing.rank(*array).unwrap_or(1),
            Domain::Ndrange(dims) => dims.len(),
        }
    }

    fn part_type(&self, local: Id<Local>, path: &[u32]) -> Option<Type> {
        let ty = self.typing.local(local)?;
        path.iter().try_fold(ty, |ty, part| match ty {
            Type::Tuple(parts) => parts.get(*part as usize).cloned(),
            _ => None,
        })
    }

    /// A name's term is made once: the name has one value at a time.
    fn once(&mut self, local: Id<Local>, path: &[u32], make: impl FnOnce(&mut Self) -> Id<Term>) -> Id<Term> {
        let key = (local, path.to_vec());
        if let Some(known) = self.names.get(&key) {
            return *known;
        }
        let made = make(self);
        self.names.insert(key, made);
        made
    }

    /// The number of the leaf that an expression is.
    fn leaf(&mut self, expr: Id<Expr>) -> Option<u32> {
        let (place, text) = self.place(expr)?;
        Some(self.leaf_at(place, Origin::Expr(expr), text))
    }

    fn extent(&mut self, array: ParamId, dim: u8) -> Id<Term> {
        let text = format!("{}.shape()[{dim}]", self.scan.sketch.params[array.0 as usize].name);
        let leaf = self.leaf_at(Place::Extent(array, dim), Origin::Extent(array, dim), Some(text));
        self.terms.add(self.typed(Scalar::Usize), TermKind::Leaf(leaf))
    }

    fn leaf_at(&mut self, place: Place, origin: Origin, text: Option<String>) -> u32 {
        let number = self.leaves.len() as u32;
        let known = *self.places.entry(place).or_insert(number);
        if known == number {
            self.leaves.push(Leaf { origin, text });
        }
        known
    }

    fn place(&self, expr: Id<Expr>) -> Option<(Place, Option<String>)> {
        let sketch = self.scan.sketch;
        let name = |array: ParamId| &sketch.params[array.0 as usize].name;
        match &sketch.exprs[expr].kind {
            ExprKind::Len(array) => Some((Place::Len(*array), Some(format!("{}.len()", name(*array))))),
            ExprKind::Extent(array, dim) => {
                Some((Place::Extent(*array, *dim), Some(format!("{}.shape()[{dim}]", name(*array)))))
            }
            ExprKind::Const(id) => Some((Place::Const(id.0), None)),
            ExprKind::Local(local) => {
                let inside = self.scan.meanings.contains_key(local);
                let reduced = self.scan.reductions.contains(local);
                let text = || sketch.locals[*local].name.clone();
                (!inside && !reduced).then(|| (Place::Local(*local, Vec::new()), Some(text())))
            }
            ExprKind::Field(value, member) => match self.place(*value)? {
                (Place::Local(local, mut path), text) => {
                    path.push(member.to_string());
                    Some((Place::Local(local, path), text.map(|text| format!("{text}.{member}"))))
                }
                (Place::Len(_) | Place::Extent(..) | Place::Const(_), _) => None,
            },
            _ => None,
        }
    }
}
