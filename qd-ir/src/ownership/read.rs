//! Reading a loop's accesses from the sketch into terms.
//!
//! The macro reads without types ([`Untyped`]): integers are unlimited then, and what comes out only tells what may be
//! accepted. Typing reads again with rustc's types, and that is what launches are judged by.
//!
//! A function that is called is known to typing alone. Its value is read with what its parameters are given, in a
//! [`Frame`] of its own; where `if`, `match` or an early `return` choose it, as a [pick](TermKind::Pick) of their values
//! ([`choice`](super::choice)).
use std::collections::HashMap;

use crate::arena::Id;
use crate::op::{Form, Op};
use crate::sketch::{
    Adapter, Block, CalleeId, ConstId, Domain, Expr, ExprKind, Local, Member, ParamId, Pattern, Sketch, TypeName,
};
use crate::types::{Scalar, Type};

use super::access::Found;
use super::choice::Cases;
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
    /// The integer that a constant is.
    fn constant(&self, constant: ConstId) -> Option<i128>;
    /// A function that is called.
    fn callee(&self, callee: CalleeId) -> Option<Called<'_>>;
    /// Whether a function is called, and not what the source shows: an operator or method of a type of the user.
    fn is_called(&self, expr: Id<Expr>) -> bool;
}

/// A function, as rustc resolved a call.
#[derive(Clone, Copy)]
pub struct Called<'a> {
    /// Its parameters, names and expressions.
    pub sketch: &'a Sketch,
    /// What it does.
    pub body: &'a Block,
    /// Its types.
    pub typing: &'a dyn Typing,
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

    fn constant(&self, _: ConstId) -> Option<i128> {
        None
    }

    fn callee(&self, _: CalleeId) -> Option<Called<'_>> {
        None
    }

    /// Methods, functions and conversions may be. Operators are taken for arithmetic: one that gives an integer is refused.
    fn is_called(&self, expr: Id<Expr>) -> bool {
        let may_be = match &self.0.exprs[expr].kind {
            ExprKind::Op { op, args: _ } => op.row().form == Form::Method,
            ExprKind::Function { .. } | ExprKind::Cast { .. } => true,
            _ => false,
        };
        may_be && self.0.operators.iter().any(|(of, _)| *of == expr)
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A part of a plain expression.
    Expr(Id<Expr>, Vec<Member>),
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

/// An expression that is a leaf.
struct Spot {
    place: Place,
    origin: Origin,
    text: Option<String>,
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

/// A function that is being read: the kernel, or one that it calls.
pub(super) struct Frame<'a> {
    pub sketch: &'a Sketch,
    pub typing: &'a dyn Typing,
    /// Of a function that is called: what its names stand for.
    pub names: HashMap<Id<Local>, Bound>,
    /// Of a function that is called: the kernel's arrays that its parameters are.
    pub arrays: Vec<Option<ParamId>>,
}

/// A part of an expression of the frame of that number.
#[derive(Clone)]
pub(super) struct Bound {
    pub frame: usize,
    pub expr: Id<Expr>,
    pub path: Vec<u32>,
}

/// So deep calls are followed; keys of names tell calls apart by the frames, which are made anew for each.
pub(super) const DEPTH: usize = 8;

/// The walk from expressions to terms.
pub(super) struct Reader<'a, 's> {
    scan: &'a Scan<'s>,
    /// The kernel is the first.
    pub frames: Vec<Frame<'a>>,
    /// The frame whose expressions are read.
    pub at: usize,
    /// Calls around what is read.
    pub depth: usize,
    pub terms: Terms,
    leaves: Vec<Leaf>,
    places: HashMap<Place, u32>,
    /// Names that are one value each, whatever it is.
    names: HashMap<(usize, Id<Local>, Vec<u32>), Id<Term>>,
}

/// The predicate of a loop with the accesses of these numbers, and no pairs yet.
pub(super) fn predicate(scan: &Scan<'_>, typing: &dyn Typing, accesses: &[usize]) -> Predicate<Leaf> {
    let mut reader = Reader {
        scan,
        frames: vec![Frame { sketch: scan.sketch, typing, names: HashMap::new(), arrays: Vec::new() }],
        at: 0,
        depth: 0,
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

impl<'a> Reader<'a, '_> {
    pub fn typing(&self) -> &'a dyn Typing {
        self.frames[self.at].typing
    }

    pub fn sketch(&self) -> &'a Sketch {
        self.frames[self.at].sketch
    }

    /// Reads in another frame.
    pub fn within<T>(&mut self, frame: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let here = std::mem::replace(&mut self.at, frame);
        let found = read(self);
        self.at = here;
        found
    }

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
                let dims = 0..self.typing().rank(*array).unwrap_or(rank) as u8;
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
    pub fn typed(&self, ty: Scalar) -> Option<Scalar> {
        // The one who knows types knows this one.
        self.typing().named(TypeName::Scalar(ty)).and(Some(ty))
    }

    /// The integer type of operands that have one type.
    fn shared_type(&self, operands: &[Id<Expr>], hint: Option<Scalar>) -> Option<Scalar> {
        match Kind::from(operands.iter().find_map(|operand| self.typing().expr(*operand))) {
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
    pub fn guard(&mut self, cond: Id<Expr>, holds: bool, into: &mut Vec<Guard>) {
        match &self.sketch().exprs[cond].kind {
            ExprKind::LazyAnd(a, b) if holds => {
                self.guard(*a, holds, into);
                self.guard(*b, holds, into);
            }
            ExprKind::LazyOr(a, b) if !holds => {
                self.guard(*a, holds, into);
                self.guard(*b, holds, into);
            }
            ExprKind::Op { op: Op::Not, args } if args.len() == 1 => self.guard(args[0], !holds, into),
            ExprKind::Block(Block { stmts, tail: Some(tail) }) if stmts.is_empty() => self.guard(*tail, holds, into),
            ExprKind::Local(local) => {
                let bound = match (self.at, self.scan.meanings.get(local)) {
                    (0, Some(Meaning::Alias(init, path))) => Some(Bound { frame: 0, expr: *init, path: path.clone() }),
                    (0, Some(Meaning::Loop(_) | Meaning::Opaque) | None) => None,
                    (_, _) => self.frames[self.at].names.get(local).cloned(),
                };
                if let Some(Bound { frame, expr, path }) = bound
                    && path.is_empty()
                {
                    self.within(frame, |this| this.guard(expr, holds, into));
                }
            }
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
                let known = args.iter().find_map(|arg| self.typing().expr(*arg));
                let Kind::Integer(ty) = Kind::from(known) else { return };
                let (a, b) = (self.term(args[0], &[], ty), self.term(args[1], &[], ty));
                let (left, right) = if swapped { (b, a) } else { (a, b) };
                into.push(Guard { relation, left, right });
            }
            _ => {}
        }
    }

    /// The term of that part of an expression, whose type is `hint` if its own parts don't say.
    pub fn term(&mut self, expr: Id<Expr>, path: &[u32], hint: Option<Scalar>) -> Id<Term> {
        let own = if path.is_empty() { self.typing().expr(expr) } else { None };
        let ty = match Kind::from(own) {
            Kind::Integer(ty) => ty.or(hint),
            Kind::Other => return self.terms.unknown(None),
        };
        if path.is_empty()
            && let Some(leaf) = self.leaf(expr)
        {
            return self.terms.add(ty, TermKind::Leaf(leaf));
        }
        if self.typing().is_called(expr) {
            // What it does is for typing to see.
            let untyped = self.typed(Scalar::Usize).is_none();
            return if untyped { self.terms.called(ty) } else { self.terms.unknown(ty) };
        }
        let kind = match &self.sketch().exprs[expr].kind {
            ExprKind::Local(local) => return self.name(*local, path, ty),
            ExprKind::Call { callee, args } => return self.call(*callee, args, path, ty),
            ExprKind::Const(id) if path.is_empty() => {
                self.typing().constant(*id).map(|value| (TermKind::Int(value), ty))
            }
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
            ExprKind::If { otherwise: Some(_), .. } | ExprKind::Block(_) => {
                let mut cases = Cases::default();
                return match self.cases(expr, &mut cases) {
                    Some(()) if cases.returns == 0 => self.pick(cases, path, ty),
                    Some(()) | None => self.terms.unknown(ty),
                };
            }
            ExprKind::Tapped { tap: _, value } => return self.term(*value, path, ty),
            ExprKind::Int { value, suffix } if path.is_empty() => match (i128::try_from(*value), suffix) {
                (Ok(value), None) => Some((TermKind::Int(value), ty)),
                (Ok(value), Some(suffix)) if suffix.is_int() => Some((TermKind::Int(value), ty)),
                (Ok(_) | Err(_), _) => None,
            },
            ExprKind::Cast { value, to } if path.is_empty() => match Kind::from(self.typing().named(*to)) {
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
            Op::RemEuclid => TermOp::RemEuclid,
            Op::DivEuclid => TermOp::DivEuclid,
            Op::DivCeil => TermOp::DivCeil,
            Op::NextMultipleOf => TermOp::NextMultipleOf,
            Op::SaturatingAdd => TermOp::SaturatingAdd,
            Op::SaturatingSub => TermOp::SaturatingSub,
            Op::SaturatingMul => TermOp::SaturatingMul,
            Op::Shl => TermOp::Shl,
            Op::Shr => TermOp::Shr,
            Op::And => TermOp::And,
            Op::Or => TermOp::Or,
            Op::Xor => TermOp::Xor,
            Op::Min => TermOp::Min,
            Op::Max => TermOp::Max,
            Op::Neg | Op::WrappingNeg | Op::StrictNeg => {
                let [value] = args else { return None };
                let (zero, value) = (self.terms.add(ty, TermKind::Int(0)), self.term(*value, &[], ty));
                return Some(TermKind::Op(TermOp::Sub, zero, value));
            }
            Op::Not => {
                let [value] = args else { return None };
                let (ones, value) = (self.terms.add(ty, TermKind::Int(-1)), self.term(*value, &[], ty));
                return Some(TermKind::Op(TermOp::Sub, ones, value));
            }
            Op::Clamp => {
                let [value, lo, hi] = args else { return None };
                let [value, lo, hi] = [value, lo, hi].map(|arg| self.term(*arg, &[], ty));
                let above = self.terms.add(ty, TermKind::Op(TermOp::Max, value, lo));
                return Some(TermKind::Op(TermOp::Min, above, hi));
            }
            // What isn't followed is unknown, and so in the end refused.
            _ => return None,
        };
        let [a, b] = args else { return None };
        let shifts = matches!(known, TermOp::Shl | TermOp::Shr);
        let (a, b) = (self.term(*a, &[], ty), self.term(*b, &[], if shifts { self.typed(Scalar::I32) } else { ty }));
        Some(TermKind::Op(known, a, b))
    }

    /// The kernel's array that is meant here.
    pub fn array(&self, array: ParamId) -> Option<ParamId> {
        if self.at == 0 { Some(array) } else { self.frames[self.at].arrays.get(array.0 as usize).copied().flatten() }
    }

    fn name(&mut self, local: Id<Local>, path: &[u32], ty: Option<Scalar>) -> Id<Term> {
        if self.at > 0 {
            let bound = self.frames[self.at].names.get(&local).cloned();
            return match (Kind::from(self.part_type(local, path)), bound) {
                (Kind::Integer(own), Some(Bound { frame, expr, path: inner })) => self.once(local, path, |this| {
                    this.within(frame, |this| this.term(expr, &[&inner, path].concat(), own.or(ty)))
                }),
                (Kind::Integer(_), None) => self.terms.unknown(ty),
                (Kind::Other, _) => self.terms.unknown(None),
            };
        }
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
            Domain::Indices(array) => self.typing().rank(*array).unwrap_or(1),
            Domain::Ndrange(dims) => dims.len(),
        }
    }

    fn part_type(&self, local: Id<Local>, path: &[u32]) -> Option<Type> {
        let ty = self.typing().local(local)?;
        path.iter().try_fold(ty, |ty, part| match ty {
            Type::Tuple(parts) => parts.get(*part as usize).cloned(),
            _ => None,
        })
    }

    /// A name's term is made once: the name has one value at a time.
    fn once(&mut self, local: Id<Local>, path: &[u32], make: impl FnOnce(&mut Self) -> Id<Term>) -> Id<Term> {
        let key = (self.at, local, path.to_vec());
        if let Some(known) = self.names.get(&key) {
            return *known;
        }
        let made = make(self);
        self.names.insert(key, made);
        made
    }

    /// The number of the leaf that an expression is.
    fn leaf(&mut self, expr: Id<Expr>) -> Option<u32> {
        let Spot { place, origin, text } = self.place(expr)?;
        Some(self.leaf_at(place, origin, text))
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

    fn place(&mut self, expr: Id<Expr>) -> Option<Spot> {
        let name = |this: &Self, array: ParamId| this.scan.sketch.params[array.0 as usize].name.clone();
        match &self.sketch().exprs[expr].kind {
            ExprKind::Len(array) => {
                let array = self.array(*array)?;
                let text = Some(format!("{}.len()", name(self, array)));
                Some(Spot { place: Place::Len(array), origin: Origin::Len(array), text })
            }
            ExprKind::Extent(array, dim) => {
                let array = self.array(*array)?;
                let text = Some(format!("{}.shape()[{dim}]", name(self, array)));
                Some(Spot { place: Place::Extent(array, *dim), origin: Origin::Extent(array, *dim), text })
            }
            // Those of other functions are known by their values.
            ExprKind::Const(id) if self.at == 0 => {
                Some(Spot { place: Place::Const(id.0), origin: Origin::Expr(expr, Vec::new()), text: None })
            }
            ExprKind::Local(local) if self.at == 0 => {
                let inside = self.scan.meanings.contains_key(local);
                let reduced = self.scan.reductions.contains(local);
                let text = Some(self.scan.sketch.locals[*local].name.clone());
                let place = Place::Local(*local, Vec::new());
                (!inside && !reduced).then(|| Spot { place, origin: Origin::Expr(expr, Vec::new()), text })
            }
            ExprKind::Local(local) => {
                let Bound { frame, expr, path } = self.frames[self.at].names.get(local).cloned()?;
                path.is_empty().then(|| self.within(frame, |this| this.place(expr))).flatten()
            }
            ExprKind::Field(value, member) => {
                let Spot { place, origin, text } = self.place(*value)?;
                match (place, origin) {
                    (Place::Local(local, mut path), Origin::Expr(whole, mut members)) => {
                        path.push(member.to_string());
                        members.push(member.clone());
                        let text = text.map(|text| format!("{text}.{member}"));
                        Some(Spot { place: Place::Local(local, path), origin: Origin::Expr(whole, members), text })
                    }
                    (Place::Local(..) | Place::Len(_) | Place::Extent(..) | Place::Const(_), _) => None,
                }
            }
            _ => None,
        }
    }
}

/// Binds the names of a pattern that are never assigned.
pub(super) fn bind(sketch: &Sketch, pattern: &Pattern, bound: Bound, names: &mut HashMap<Id<Local>, Bound>) {
    match pattern {
        Pattern::Bind(local) if !sketch.locals[*local].assigned => _ = names.insert(*local, bound),
        Pattern::Tuple(parts) => {
            for (part, number) in parts.iter().zip(0..) {
                let path = [&bound.path[..], &[number]].concat();
                bind(sketch, part, Bound { path, ..bound.clone() }, names);
            }
        }
        Pattern::Bind(_) | Pattern::Wild | Pattern::Struct(_) | Pattern::Fixed(_) => {}
    }
}
