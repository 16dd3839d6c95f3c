//! The race rule, in its positional form: which elements an iteration of a parallel loop owns.
//!
//! It reads the untyped sketch, so that the macro can refuse a racy kernel where it is written. Its rules:
//!
//! 1. The variables P of a parallel loop are the names its pattern binds, if they are never assigned. A `_` or a
//!    `mut` name leaves a variable without a hold: then nothing is owned.
//! 2. An index *holds* a variable `v` if it is `v`, `e + c`, `c + e`, `e - c`, `c - e` (also as `wrapping_add` and
//!    `wrapping_sub`) or `e as T`, where `e` holds `v` and `c` is invariant. Integer arithmetic wraps, and adding to or
//!    subtracting from an invariant is a bijection of the type even so. `e * 2` isn't, so it holds nothing.
//! 3. A cast is assumed injective and reported in [`Ownership::injective`]; the macro lets rustc assert for its types
//!    that it loses no value (`u64 as u32` fails there).
//! 4. *Invariant* are literals, constants, lengths, extents, names bound before the loop that it doesn't reduce into,
//!    names of the body that are never assigned and whose value is invariant, and operations and casts of invariants.
//! 5. Names of the body that are never assigned stand for their value (aliases are followed).
//! 6. An array written to in the loop is *owned* if for each `v` in P there is a position of its index that holds `v`
//!    by the same expression in every access. Then two iterations differ in some `v`, so their indices differ in that
//!    position: no element is touched by two iterations. Other positions are free.
//! 7. Each array written to must be owned, or have only atomic accesses in the loop.
//! 8. An array handed to a function by `&` is read anywhere in it; handed by `&mut`, it is written anywhere. `&mut x[i]`
//!    is an access to that place.
//! 9. Accesses that the macro exempts (`unsafe`) take no part. `x.len()`, extents and the bounds of the loop itself
//!    (evaluated before it) are no accesses. Two parameters never overlap if one is written to: `&mut` excludes it.
//!
//! An element is one place: accesses to different fields of it are accesses to it.
//!
//! Equal expressions have equal values because they are compared with their leaves by identity: a literal gets its type
//! from what stands beside it, a name has one value in an iteration, and types named by path are equal only if they are
//! the same tap.
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use crate::arena::Id;
use crate::op::{Op, ReduceOp};
use crate::sketch::{
    Arg, Block, ConstId, Construct, ConstructKind, Domain, Expr, ExprKind, Local, Member, ParamId, Pattern, Place,
    Projection, Sketch, Stmt, TapId, TypeName,
};
use crate::source_map::Pos;
use crate::types::Scalar;

/// What [`check`] found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ownership {
    /// Accesses that may race, at most one pair for an array of a construct.
    pub conflicts: Vec<Conflict>,
    /// Casts (`ExprKind::Cast`) on which the acceptance rests: each must lose no value of its operand's type.
    pub injective: Vec<Id<Expr>>,
}

/// Two accesses that may meet in one element, in two iterations of a parallel loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The loop.
    pub construct: Id<Construct>,
    /// The array.
    pub array: ParamId,
    /// Its name in the source.
    pub name: String,
    /// An access that writes: the load, assignment or atomic expression.
    pub first: Access,
    /// The access it may meet; the same one if it may meet itself.
    pub second: Access,
    /// Why.
    pub kind: ConflictKind,
    /// What to write instead.
    pub help: String,
}

/// An access to an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// `ExprKind::Load`, `Assign`, `AssignOp`, `Atomic`, `CompareExchange` or `Call`.
    pub expr: Id<Expr>,
    /// Where it stands.
    pub pos: Pos,
    /// What it does.
    pub kind: AccessKind,
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessKind {
    /// Handed to a function as a whole, which may write any element.
    Lent,
    /// Writes (and, for `op=` and places that functions are given, reads).
    Store,
    /// Updates atomically.
    Atomic,
    /// Reads.
    Load,
    /// Handed to a function as a whole, which may read any element.
    Handed,
}

/// Why two accesses may race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConflictKind {
    /// The index of a write doesn't hold every loop variable: two iterations may write one element.
    WriteNotOwned,
    /// The index of a read doesn't hold every loop variable: it may read what another iteration writes.
    ReadNotOwned,
    /// Each access is owned by itself, but by different expressions, as `x[i]` and `x[i + 1]`.
    Differ,
    /// An atomic access to a place that isn't owned, beside an access that isn't atomic.
    AtomicBesidePlain,
    /// A function is given the whole array, to write where it likes.
    Lent,
    /// A function is given the whole array to read, beside an access that writes.
    Handed,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.kind {
            ConflictKind::WriteNotOwned => write!(f, "two iterations may write the same element of `{name}`"),
            ConflictKind::ReadNotOwned => write!(f, "an iteration may read an element of `{name}` that another writes"),
            ConflictKind::Differ => {
                write!(f, "accesses with different indices: an element of `{name}` may belong to two iterations")
            }
            ConflictKind::AtomicBesidePlain => {
                write!(f, "`{name}` is accessed atomically at any place and without atomics in one loop")
            }
            ConflictKind::Lent => {
                write!(f, "a function that is given the whole of `{name}` may write the same element in two iterations")
            }
            ConflictKind::Handed => {
                write!(
                    f,
                    "a function that is given the whole of `{name}` may read an element that another iteration writes"
                )
            }
        }
    }
}

/// Checks every parallel loop of a sketch. `exempt` says which accesses are the user's own responsibility.
pub fn check(sketch: &Sketch, exempt: impl Fn(Id<Expr>) -> bool) -> Ownership {
    let mut found = Ownership::default();
    let mut injective = BTreeSet::new();
    for (id, construct) in sketch.constructs.iter() {
        match &construct.kind {
            ConstructKind::Serial(_) => {}
            ConstructKind::Parallel { domain, pattern, label: _, reductions, body } => {
                let mut scan = Scan::new(sketch, reductions);
                scan.variables(domain, pattern);
                scan.block(body);
                scan.judge(id, &exempt, &mut found.conflicts, &mut injective);
            }
        }
    }
    found.injective = injective.into_iter().collect();
    found
}

/// True if the loops directly inside a parallel construct pass the rule, each on its own: then the loop round them can
/// run in order and they in parallel.
pub fn inner_loops_are_free(sketch: &Sketch, construct: Id<Construct>, exempt: impl Fn(Id<Expr>) -> bool) -> bool {
    let ConstructKind::Parallel { body, .. } = &sketch.constructs[construct].kind else { return false };
    let exprs = body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Expr(expr) => Some(*expr),
        Stmt::Let { .. } => None,
    });
    let mut any = false;
    let mut conflicts = Vec::new();
    for expr in exprs.chain(body.tail) {
        let ExprKind::For { label: _, pattern, domain, unroll: _, body } = &sketch.exprs[expr].kind else { continue };
        any = true;
        let mut scan = Scan::new(sketch, &[]);
        scan.variables(domain, pattern);
        scan.block(body);
        scan.judge(construct, &exempt, &mut conflicts, &mut BTreeSet::new());
    }
    any && conflicts.is_empty()
}

/// A variable of the parallel loop: a name, or a part of a name that binds a tuple.
type Variable = (Id<Local>, Option<u32>);

/// What a name stands for in the body of the loop.
#[derive(Clone)]
enum Meaning {
    /// Never assigned and bound to that part of that expression.
    Alias(Id<Expr>, Vec<u32>),
    /// Changes from iteration to iteration in ways not followed.
    Opaque,
}

/// An index expression that holds a variable; equal ones are the same injective function of it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Held {
    Variable(Variable),
    Plus(Box<Held>, Invariant),
    Minus(Box<Held>, Invariant),
    From(Invariant, Box<Held>),
    Cast(TypeName, Box<Held>),
}

/// An expression with one value in all iterations.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Invariant {
    Int(u128, Option<Scalar>),
    Float(String, Option<Scalar>),
    Bool(bool),
    Const(ConstId),
    Local(Id<Local>),
    Len(ParamId),
    Extent(ParamId, u8),
    Tapped(TapId, Box<Invariant>),
    Op(Op, Vec<Invariant>),
    Function(TypeName, Op, Vec<Invariant>),
    Cast(TypeName, Box<Invariant>),
    Field(Box<Invariant>, Member),
    Index(Box<Invariant>, Box<Invariant>),
}

/// One index position: what it holds, and the casts on the way.
type Position = Option<(Variable, Held, Vec<Id<Expr>>)>;

struct Found {
    access: Access,
    positions: Vec<Position>,
}

/// The walk over one parallel loop.
struct Scan<'a> {
    sketch: &'a Sketch,
    reductions: &'a [(Id<Local>, ReduceOp)],
    /// P; `None` for one that has no name.
    variables: Vec<Option<Variable>>,
    /// The names bound in the loop.
    meanings: HashMap<Id<Local>, Meaning>,
    accesses: BTreeMap<ParamId, Vec<Found>>,
}

impl<'a> Scan<'a> {
    fn new(sketch: &'a Sketch, reductions: &'a [(Id<Local>, ReduceOp)]) -> Self {
        Scan { sketch, reductions, variables: Vec::new(), meanings: HashMap::new(), accesses: BTreeMap::new() }
    }

    fn variables(&mut self, domain: &Domain, pattern: &Pattern) {
        self.opaque(pattern);
        let rank = match domain {
            Domain::Range { .. } | Domain::Steps(_) => Some(1),
            Domain::Ndrange(dims) => Some(dims.len()),
            Domain::Indices(array) => match pattern {
                Pattern::Tuple(parts) => Some(parts.len()),
                Pattern::Wild | Pattern::Bind(_) | Pattern::Struct(_) | Pattern::Fixed(_) => rank(self.sketch, *array),
            },
        };
        let usable = |local: Id<Local>| !self.sketch.locals[local].assigned;
        let name = |pattern: &Pattern| match pattern {
            Pattern::Bind(local) if usable(*local) => Some((*local, None)),
            Pattern::Bind(_) | Pattern::Wild | Pattern::Tuple(_) | Pattern::Struct(_) | Pattern::Fixed(_) => None,
        };
        self.variables = match (pattern, rank) {
            // Used as a whole index it is a `usize`, so the loop has one dimension; a tuple is never found in an index.
            (Pattern::Bind(_), None) => vec![name(pattern)],
            (_, None | Some(0)) => vec![None],
            (Pattern::Tuple(parts), Some(rank)) if rank == parts.len() => parts.iter().map(name).collect(),
            (Pattern::Bind(local), Some(rank)) if rank > 1 && usable(*local) => {
                (0..rank as u32).map(|part| Some((*local, Some(part)))).collect()
            }
            (Pattern::Bind(_), Some(1)) => vec![name(pattern)],
            (
                Pattern::Wild | Pattern::Bind(_) | Pattern::Tuple(_) | Pattern::Struct(_) | Pattern::Fixed(_),
                Some(_),
            ) => vec![None],
        };
    }

    /// The names of the pattern are bound to something that isn't followed.
    fn opaque(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Wild => {}
            Pattern::Bind(local) => {
                self.meanings.insert(*local, Meaning::Opaque);
            }
            Pattern::Tuple(parts) | Pattern::Fixed(parts) => parts.iter().for_each(|p| self.opaque(p)),
            Pattern::Struct(fields) => fields.iter().for_each(|(_, p)| self.opaque(p)),
        }
    }

    fn alias(&mut self, pattern: &Pattern, init: Id<Expr>, path: &[u32]) {
        match pattern {
            Pattern::Wild => {}
            Pattern::Bind(local) => {
                let meaning = if self.sketch.locals[*local].assigned {
                    Meaning::Opaque
                } else {
                    Meaning::Alias(init, path.to_vec())
                };
                self.meanings.insert(*local, meaning);
            }
            Pattern::Tuple(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    self.alias(part, init, &[path, &[i as u32]].concat());
                }
            }
            Pattern::Struct(_) | Pattern::Fixed(_) => self.opaque(pattern),
        }
    }

    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pattern, init: Some(init) } => {
                    self.expr(*init);
                    self.alias(pattern, *init, &[]);
                }
                Stmt::Let { pattern, init: None } => self.opaque(pattern),
                Stmt::Expr(expr) => self.expr(*expr),
            }
        }
        self.exprs(block.tail.as_slice());
    }

    fn exprs(&mut self, exprs: &[Id<Expr>]) {
        exprs.iter().for_each(|e| self.expr(*e));
    }

    fn expr(&mut self, expr: Id<Expr>) {
        let sketch = self.sketch;
        match &sketch.exprs[expr].kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::Len(_)
            | ExprKind::Extent(..)
            | ExprKind::Continue(_) => {}
            ExprKind::Tapped { tap: _, value }
            | ExprKind::Cast { value, to: _ }
            | ExprKind::Field(value, _)
            | ExprKind::Repeat { tap: _, value } => self.expr(*value),
            ExprKind::Index(value, index) => self.exprs(&[*value, *index]),
            ExprKind::Struct { tap: _, fields, base } => {
                fields.iter().for_each(|(_, value)| self.expr(*value));
                self.exprs(base.as_slice());
            }
            ExprKind::Op { op: _, args }
            | ExprKind::Function { ty: _, op: _, args }
            | ExprKind::Linear { method: _, args, tap: _ } => self.exprs(args),
            ExprKind::LazyAnd(a, b) | ExprKind::LazyOr(a, b) => self.exprs(&[*a, *b]),
            ExprKind::Load { array, index } => {
                self.exprs(index);
                self.access(expr, *array, index, AccessKind::Load);
            }
            ExprKind::Atomic { op: _, array, index, path, value } => {
                self.exprs(index);
                self.path(path);
                self.expr(*value);
                self.access(expr, *array, index, AccessKind::Atomic);
            }
            ExprKind::CompareExchange { array, index, path, current, new } => {
                self.exprs(index);
                self.path(path);
                self.exprs(&[*current, *new]);
                self.access(expr, *array, index, AccessKind::Atomic);
            }
            ExprKind::Tuple(parts) | ExprKind::Fixed { tap: _, elements: parts } => self.exprs(parts),
            ExprKind::Block(block) => self.block(block),
            ExprKind::If { cond, then, otherwise } => {
                self.expr(*cond);
                self.block(then);
                self.exprs(otherwise.as_slice());
            }
            ExprKind::While { label: _, cond, body } => {
                self.expr(*cond);
                self.block(body);
            }
            ExprKind::Loop { label: _, body, tap: _ } => self.block(body),
            ExprKind::For { label: _, pattern, domain, unroll: _, body } => {
                match domain.as_ref() {
                    Domain::Range { lo, hi, tap: _ } => self.exprs(&[*lo, *hi]),
                    Domain::Steps(steps) => steps.exprs().for_each(|e| self.expr(e)),
                    Domain::Indices(_) => {}
                    Domain::Ndrange(dims) => dims.iter().for_each(|(lo, hi)| {
                        self.exprs(lo.as_slice());
                        self.expr(*hi);
                    }),
                }
                self.opaque(pattern);
                self.block(body);
            }
            ExprKind::Break { label: _, value } | ExprKind::Return(value) => self.exprs(value.as_slice()),
            ExprKind::Call { callee: _, args } => {
                for arg in args {
                    match arg {
                        Arg::Value(value) => self.expr(*value),
                        Arg::Reference { param, shared } => {
                            let kind = if *shared { AccessKind::Handed } else { AccessKind::Lent };
                            self.access(expr, *param, &[], kind);
                        }
                        Arg::Place(place) => self.place(expr, place),
                        Arg::Receiver { value, writes: false } => self.expr(*value),
                        Arg::Receiver { value, writes: true } => self.receiver(expr, *value),
                    }
                }
            }
            ExprKind::Assign { place, value } | ExprKind::AssignOp { op: _, place, value } => {
                self.expr(*value);
                self.place(expr, place);
            }
            ExprKind::Say { what: _, message: _, args } => self.exprs(args),
        }
    }

    fn place(&mut self, expr: Id<Expr>, place: &Place) {
        match place {
            Place::Wild | Place::Local(_) => {}
            Place::Part(_, path) => self.path(path),
            Place::Element { array, index, path } => {
                self.exprs(index);
                self.path(path);
                self.access(expr, *array, index, AccessKind::Store);
            }
            Place::Tuple(places) => places.iter().for_each(|p| self.place(expr, p)),
        }
    }

    fn path(&mut self, path: &[Projection]) {
        for step in path {
            match step {
                Projection::Field(_) => {}
                Projection::Index(index) => self.expr(*index),
            }
        }
    }

    /// What a method is called on that may write it.
    fn receiver(&mut self, call: Id<Expr>, value: Id<Expr>) {
        match &self.sketch.exprs[value].kind {
            ExprKind::Field(base, _) => self.receiver(call, *base),
            ExprKind::Index(base, index) => {
                self.receiver(call, *base);
                self.expr(*index);
            }
            ExprKind::Load { array, index } => {
                self.exprs(index);
                self.access(call, *array, index, AccessKind::Store);
            }
            // A name or a value.
            _ => self.expr(value),
        }
    }

    fn access(&mut self, expr: Id<Expr>, array: ParamId, index: &[Id<Expr>], kind: AccessKind) {
        let positions = index
            .iter()
            .map(|index| {
                let mut casts = Vec::new();
                self.held(*index, &[], &mut casts).map(|(variable, held)| (variable, held, casts))
            })
            .collect();
        let access = Access { expr, pos: self.sketch.exprs[expr].pos, kind };
        self.accesses.entry(array).or_default().push(Found { access, positions });
    }

    /// The variable that the part `path` of an expression holds.
    fn held(&self, expr: Id<Expr>, path: &[u32], casts: &mut Vec<Id<Expr>>) -> Option<(Variable, Held)> {
        let whole = path.is_empty();
        match &self.sketch.exprs[expr].kind {
            ExprKind::Local(local) => {
                let variable = match path {
                    [] => Some((*local, None)),
                    [part] => Some((*local, Some(*part))),
                    _ => None,
                };
                if let Some(variable) = variable.filter(|v| self.variables.contains(&Some(*v))) {
                    return Some((variable, Held::Variable(variable)));
                }
                match self.meanings.get(local)? {
                    Meaning::Alias(init, inner) => self.held(*init, &[inner, path].concat(), casts),
                    Meaning::Opaque => None,
                }
            }
            ExprKind::Field(value, Member::Index(part)) => self.held(*value, &[&[*part], path].concat(), casts),
            ExprKind::Tuple(parts) => {
                let (first, rest) = path.split_first()?;
                self.held(*parts.get(*first as usize)?, rest, casts)
            }
            ExprKind::Block(Block { stmts, tail: Some(tail) }) if stmts.is_empty() => self.held(*tail, path, casts),
            ExprKind::Cast { value, to } if whole => {
                let (variable, held) = self.held(*value, &[], casts)?;
                casts.push(expr);
                Some((variable, Held::Cast(*to, Box::new(held))))
            }
            ExprKind::Op { op: Op::Add | Op::WrappingAdd, args } if whole => {
                let [a, b] = args.as_slice() else { return None };
                let (held, offset) = match self.invariant(*b) {
                    Some(offset) => (self.held(*a, &[], casts)?, offset),
                    None => (self.held(*b, &[], casts)?, self.invariant(*a)?),
                };
                Some((held.0, Held::Plus(Box::new(held.1), offset)))
            }
            ExprKind::Op { op: Op::Sub | Op::WrappingSub, args } if whole => {
                let [a, b] = args.as_slice() else { return None };
                match self.invariant(*b) {
                    Some(offset) => {
                        let (variable, held) = self.held(*a, &[], casts)?;
                        Some((variable, Held::Minus(Box::new(held), offset)))
                    }
                    None => {
                        let offset = self.invariant(*a)?;
                        let (variable, held) = self.held(*b, &[], casts)?;
                        Some((variable, Held::From(offset, Box::new(held))))
                    }
                }
            }
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Const(_)
            | ExprKind::Tapped { .. }
            | ExprKind::Op { .. }
            | ExprKind::Function { .. }
            | ExprKind::LazyAnd(..)
            | ExprKind::LazyOr(..)
            | ExprKind::Cast { .. }
            | ExprKind::Load { .. }
            | ExprKind::Len(_)
            | ExprKind::Extent(..)
            | ExprKind::Atomic { .. }
            | ExprKind::CompareExchange { .. }
            | ExprKind::Field(_, Member::Name(_))
            | ExprKind::Index(..)
            | ExprKind::Struct { .. }
            | ExprKind::Fixed { .. }
            | ExprKind::Repeat { .. }
            | ExprKind::Linear { .. }
            | ExprKind::Block(_)
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::For { .. }
            | ExprKind::Break { .. }
            | ExprKind::Continue(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Call { .. }
            | ExprKind::Return(_)
            | ExprKind::Say { .. } => None,
        }
    }

    /// The expression, if it has one value in all iterations.
    fn invariant(&self, expr: Id<Expr>) -> Option<Invariant> {
        let all = |args: &[Id<Expr>]| args.iter().map(|a| self.invariant(*a)).collect::<Option<Vec<_>>>();
        match &self.sketch.exprs[expr].kind {
            ExprKind::Int { value, suffix } => Some(Invariant::Int(*value, *suffix)),
            ExprKind::Float { digits, suffix } => Some(Invariant::Float(digits.clone(), *suffix)),
            ExprKind::Bool(value) => Some(Invariant::Bool(*value)),
            ExprKind::Const(id) => Some(Invariant::Const(*id)),
            ExprKind::Len(array) => Some(Invariant::Len(*array)),
            ExprKind::Extent(array, dim) => Some(Invariant::Extent(*array, *dim)),
            ExprKind::Local(local) => match self.meanings.get(local) {
                None if self.reductions.iter().any(|(r, _)| r == local) => None,
                None => Some(Invariant::Local(*local)),
                // The name itself, not what it stands for: its value has a type, a literal in its place might not
                // have the same one.
                Some(Meaning::Alias(init, _)) => self.invariant(*init).map(|_| Invariant::Local(*local)),
                Some(Meaning::Opaque) => None,
            },
            ExprKind::Tapped { tap, value } => Some(Invariant::Tapped(*tap, Box::new(self.invariant(*value)?))),
            ExprKind::Op { op, args } => Some(Invariant::Op(*op, all(args)?)),
            ExprKind::Function { ty, op, args } => Some(Invariant::Function(*ty, *op, all(args)?)),
            ExprKind::Cast { value, to } => Some(Invariant::Cast(*to, Box::new(self.invariant(*value)?))),
            ExprKind::Field(value, part) => Some(Invariant::Field(Box::new(self.invariant(*value)?), part.clone())),
            ExprKind::Index(value, index) => {
                Some(Invariant::Index(Box::new(self.invariant(*value)?), Box::new(self.invariant(*index)?)))
            }
            ExprKind::Block(Block { stmts, tail: Some(tail) }) if stmts.is_empty() => self.invariant(*tail),
            ExprKind::LazyAnd(..)
            | ExprKind::LazyOr(..)
            | ExprKind::Load { .. }
            | ExprKind::Atomic { .. }
            | ExprKind::CompareExchange { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Struct { .. }
            | ExprKind::Fixed { .. }
            | ExprKind::Repeat { .. }
            | ExprKind::Linear { .. }
            | ExprKind::Block(_)
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::For { .. }
            | ExprKind::Break { .. }
            | ExprKind::Continue(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Call { .. }
            | ExprKind::Return(_)
            | ExprKind::Say { .. } => None,
        }
    }

    fn judge(
        &self,
        construct: Id<Construct>,
        exempt: &impl Fn(Id<Expr>) -> bool,
        conflicts: &mut Vec<Conflict>,
        injective: &mut BTreeSet<Id<Expr>>,
    ) {
        for (array, found) in &self.accesses {
            // Stores first, then atomics: a message starts with the access that writes.
            let mut found: Vec<&Found> = found.iter().filter(|f| !exempt(f.access.expr)).collect();
            found.sort_by_key(|f| f.access.kind);
            let only = |kind| found.iter().all(|f| f.access.kind == kind);
            let reads = |f: &&Found| matches!(f.access.kind, AccessKind::Load | AccessKind::Handed);
            if found.iter().all(reads) || only(AccessKind::Atomic) {
                continue;
            }
            match self.owned(&found) {
                Ok(casts) => injective.extend(casts),
                Err((first, second, kind)) => {
                    let name = self.sketch.params[array.0 as usize].name.clone();
                    let help = self.help(&name, kind);
                    conflicts.push(Conflict { construct, array: *array, name, first, second, kind, help });
                }
            }
        }
    }

    /// The casts on which ownership of an array rests, or two accesses that spoil it.
    fn owned(&self, found: &[&Found]) -> Result<Vec<Id<Expr>>, (Access, Access, ConflictKind)> {
        let Some(first) = found.first() else { return Ok(Vec::new()) };
        let plain = |f: &&&Found| f.access.kind != AccessKind::Atomic;
        for access in found {
            let holds = |v: &Option<Variable>| {
                v.is_some_and(|v| access.positions.iter().flatten().any(|(variable, ..)| *variable == v))
            };
            if !self.variables.iter().all(holds) {
                let (writer, other) = (first.access, access.access);
                return Err(match other.kind {
                    AccessKind::Lent => (other, other, ConflictKind::Lent),
                    AccessKind::Handed => (writer, other, ConflictKind::Handed),
                    AccessKind::Store => (other, other, ConflictKind::WriteNotOwned),
                    AccessKind::Load if writer.kind == AccessKind::Atomic => {
                        (writer, other, ConflictKind::AtomicBesidePlain)
                    }
                    AccessKind::Load => (writer, other, ConflictKind::ReadNotOwned),
                    AccessKind::Atomic => {
                        let beside = found.iter().find(plain).map_or(other, |f| f.access);
                        let (a, b) = if beside.kind == AccessKind::Store { (beside, other) } else { (other, beside) };
                        (a, b, ConflictKind::AtomicBesidePlain)
                    }
                });
            }
        }
        let mut casts = Vec::new();
        for variable in self.variables.iter().flatten() {
            let mut candidates: Vec<usize> = (0..first.positions.len()).collect();
            candidates.retain(|&p| matches!(&first.positions[p], Some((v, ..)) if v == variable));
            for access in &found[1..] {
                candidates.retain(|&p| match (&first.positions[p], access.positions.get(p)) {
                    (Some((_, wanted, _)), Some(Some((_, held, _)))) => wanted == held,
                    (None | Some(_), None | Some(_)) => false,
                });
                if candidates.is_empty() {
                    return Err((first.access, access.access, ConflictKind::Differ));
                }
            }
            let of = |p: usize| found.iter().flat_map(move |f| f.positions[p].iter().flat_map(|(_, _, c)| c.iter()));
            if let Some(position) = candidates.into_iter().min_by_key(|&p| of(p).count()) {
                casts.extend(of(position).copied());
            }
        }
        Ok(casts)
    }

    fn help(&self, array: &str, kind: ConflictKind) -> String {
        let names: Option<Vec<String>> = self
            .variables
            .iter()
            .map(|v| {
                let (local, part) = (*v)?;
                // `_` as the macro names it.
                let name = Some(&self.sketch.locals[local].name).filter(|name| *name != "_")?;
                Some(part.map_or_else(|| format!("`{name}`"), |part| format!("`{name}.{part}`")))
            })
            .collect();
        match kind {
            ConflictKind::Lent => {
                return format!(
                    "give it an element that the iteration owns, `&mut {array}[..]`, or `&{array}` if it only reads; \
                     `unsafe {{ .. }}` lifts the rule"
                );
            }
            ConflictKind::Handed => {
                return format!(
                    "write to another array than `{array}`, or give the function the elements that it reads; \
                     `unsafe {{ .. }}` lifts the rule"
                );
            }
            ConflictKind::WriteNotOwned
            | ConflictKind::ReadNotOwned
            | ConflictKind::Differ
            | ConflictKind::AtomicBesidePlain => {}
        }
        let Some(names) = names else {
            return format!(
                "give the loop an immutable variable for each dimension and use it in the index of `{array}`, or wrap \
                 accesses that you know to be apart in `unsafe {{ .. }}`"
            );
        };
        let names = names.join(" and ");
        match kind {
            ConflictKind::WriteNotOwned | ConflictKind::ReadNotOwned | ConflictKind::Differ => format!(
                "index `{array}` with {names} (alone, or plus or minus a value that is the same in all iterations) at \
                 the same position in every access of this loop; read from another array, split the loop, use \
                 `qd::atomic`, or wrap accesses that you know to be apart in `unsafe {{ .. }}`"
            ),
            ConflictKind::AtomicBesidePlain => format!(
                "in a loop that updates `{array}` atomically at any place, make every access to it atomic, or move the \
                 others into a loop of their own; `unsafe {{ .. }}` lifts the rule"
            ),
            // Said above, whatever the names.
            ConflictKind::Lent | ConflictKind::Handed => String::new(),
        }
    }
}

/// The rank of an array parameter, if the sketch accesses it anywhere.
fn rank(sketch: &Sketch, param: ParamId) -> Option<usize> {
    fn of_place(place: &Place, param: ParamId) -> Option<usize> {
        match place {
            Place::Element { array, index, path: _ } if *array == param => Some(index.len()),
            Place::Element { .. } | Place::Wild | Place::Local(_) | Place::Part(..) => None,
            Place::Tuple(places) => places.iter().find_map(|p| of_place(p, param)),
        }
    }
    sketch.exprs.values().iter().find_map(|expr| match &expr.kind {
        ExprKind::Load { array, index }
        | ExprKind::Atomic { op: _, array, index, path: _, value: _ }
        | ExprKind::CompareExchange { array, index, path: _, current: _, new: _ }
            if *array == param =>
        {
            Some(index.len())
        }
        ExprKind::Assign { place, value: _ } | ExprKind::AssignOp { op: _, place, value: _ } => of_place(place, param),
        ExprKind::Int { .. }
        | ExprKind::Float { .. }
        | ExprKind::Bool(_)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::Tapped { .. }
        | ExprKind::Op { .. }
        | ExprKind::Function { .. }
        | ExprKind::LazyAnd(..)
        | ExprKind::LazyOr(..)
        | ExprKind::Cast { .. }
        | ExprKind::Load { .. }
        | ExprKind::Len(_)
        | ExprKind::Extent(..)
        | ExprKind::Atomic { .. }
        | ExprKind::CompareExchange { .. }
        | ExprKind::Tuple(_)
        | ExprKind::Field(..)
        | ExprKind::Index(..)
        | ExprKind::Struct { .. }
        | ExprKind::Fixed { .. }
        | ExprKind::Repeat { .. }
        | ExprKind::Linear { .. }
        | ExprKind::Block(_)
        | ExprKind::If { .. }
        | ExprKind::While { .. }
        | ExprKind::Loop { .. }
        | ExprKind::For { .. }
        | ExprKind::Break { .. }
        | ExprKind::Continue(_)
        | ExprKind::Return(_)
        | ExprKind::Say { .. } => None,
        ExprKind::Call { callee: _, args } => args.iter().find_map(|arg| match arg {
            Arg::Place(place) => of_place(place, param),
            Arg::Value(_) | Arg::Reference { .. } | Arg::Receiver { .. } => None,
        }),
    })
}
