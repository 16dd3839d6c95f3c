//! The walk over one parallel loop: what its names stand for, and the accesses in it with the conditions around them.
//!
//! The same walk is made by the macro and, for pairs that the values of a launch have to keep apart, by typing: accesses
//! are numbered in its order.
use std::collections::{BTreeSet, HashMap};

use crate::arena::Id;
use crate::op::Op;
use crate::sketch::{
    Arg, Block, Construct, ConstructKind, Contribution, Domain, Expr, ExprKind, Local, ParamId, Pattern, Place,
    Projection, Saying, Sketch, Stmt, TypeName,
};
use crate::types::Scalar;

use super::access::{Access, AccessKind, Found, Step};

/// A variable of the parallel loop: a name, or a part of a name that binds a tuple.
pub(super) type Variable = (Id<Local>, Option<u32>);

/// What a name stands for in the body of the loop.
#[derive(Debug, Clone)]
pub(super) enum Meaning {
    /// Never assigned and bound to that part of that expression.
    Alias(Id<Expr>, Vec<u32>),
    /// Never assigned and what that loop binds, which part of it by [`Scan::counted`].
    Loop(usize),
    /// Changes from iteration to iteration in ways not followed.
    Opaque,
}

/// The walk over one parallel loop.
pub(super) struct Scan<'a> {
    pub sketch: &'a Sketch,
    pub reductions: &'a [Id<Local>],
    /// What the parallel loop runs over.
    pub domain: &'a Domain,
    /// Its variables; `None` for one that has no name.
    pub variables: Vec<Option<Variable>>,
    /// The names bound in the loop.
    pub meanings: HashMap<Id<Local>, Meaning>,
    /// The loops inside.
    pub loops: Vec<&'a Domain>,
    /// For each name that a loop inside binds: the dimension, if the name is no tuple of them.
    pub counted: HashMap<Id<Local>, Option<u32>>,
    pub accesses: Vec<Found>,
    guards: Vec<(Id<Expr>, bool)>,
}

impl<'a> Scan<'a> {
    /// Walks over a construct; `None` if it isn't parallel.
    pub fn construct(sketch: &'a Sketch, construct: &'a Construct) -> Option<Self> {
        match &construct.kind {
            ConstructKind::Serial(_) => None,
            ConstructKind::Parallel { domain, pattern, label: _, reductions, body } => {
                Some(Scan::new(sketch, reductions, domain, pattern, body))
            }
        }
    }

    /// Walks over a loop.
    pub fn new(
        sketch: &'a Sketch,
        reductions: &'a [Id<Local>],
        domain: &'a Domain,
        pattern: &'a Pattern,
        body: &'a Block,
    ) -> Self {
        let mut scan = Scan {
            sketch,
            reductions,
            domain,
            variables: Vec::new(),
            meanings: HashMap::new(),
            loops: Vec::new(),
            counted: HashMap::new(),
            accesses: Vec::new(),
            guards: Vec::new(),
        };
        scan.variables(domain, pattern);
        scan.block(body);
        scan.hand_on_fields();
        scan
    }

    /// What is done with a bundle is done with each of its fields.
    fn hand_on_fields(&mut self) {
        let fields: BTreeSet<ParamId> = self.accesses.iter().map(|found| found.array).collect();
        let mut handed = Vec::new();
        for found in &self.accesses {
            if matches!(found.access.kind, AccessKind::Lent | AccessKind::Handed) {
                let inside = fields.iter().filter(|field| self.sketch.is_field_of(**field, found.array));
                handed.extend(inside.map(|field| Found { array: *field, ..found.clone() }));
            }
        }
        self.accesses.extend(handed);
    }

    fn variables(&mut self, domain: &Domain, pattern: &Pattern) {
        self.opaque(pattern);
        let rank = match domain {
            Domain::Range { .. } | Domain::Steps(_) | Domain::Segments(_) => Some(1),
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

    /// The names of the pattern are variables of a loop inside.
    fn counted(&mut self, pattern: &Pattern, domain: &'a Domain) {
        self.opaque(pattern);
        let number = self.loops.len();
        self.loops.push(domain);
        let mut bind = |pattern: &Pattern, dim: Option<u32>| {
            if let Pattern::Bind(local) = pattern
                && !self.sketch.locals[*local].assigned
            {
                self.meanings.insert(*local, Meaning::Loop(number));
                self.counted.insert(*local, dim);
            }
        };
        match (pattern, domain) {
            (Pattern::Tuple(parts), _) => parts.iter().zip(0..).for_each(|(part, dim)| bind(part, Some(dim))),
            (_, Domain::Range { .. } | Domain::Steps(_) | Domain::Segments(_)) => bind(pattern, Some(0)),
            (_, Domain::Ndrange(dims)) => bind(pattern, (dims.len() == 1).then_some(0)),
            // A `usize` or a tuple: where it is used as a number it is the only dimension.
            (_, Domain::Indices(_)) => bind(pattern, None),
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

    fn block(&mut self, block: &'a Block) {
        let guards = self.guards.len();
        self.stmts(&block.stmts);
        self.exprs(block.tail.as_slice());
        self.guards.truncate(guards);
    }

    fn stmts(&mut self, stmts: &'a [Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Let { pattern, init: Some(init) } => {
                    self.expr(*init);
                    self.alias(pattern, *init, &[]);
                }
                Stmt::Let { pattern, init: None } => self.opaque(pattern),
                Stmt::Expr(expr) => {
                    self.expr(*expr);
                    self.guards.extend(self.left_behind(*expr));
                }
            }
        }
    }

    /// What is known after an `if` of which one branch doesn't come back.
    fn left_behind(&self, stmt: Id<Expr>) -> Option<(Id<Expr>, bool)> {
        let ExprKind::If { cond, then, otherwise } = &self.sketch.exprs[stmt].kind else { return None };
        if self.leaves(then) {
            return Some((*cond, false));
        }
        otherwise.filter(|otherwise| self.leaves_by(*otherwise)).map(|_| (*cond, true))
    }

    fn leaves(&self, block: &Block) -> bool {
        let stmt = |stmt: &Stmt| match stmt {
            Stmt::Expr(expr) => self.leaves_by(*expr),
            Stmt::Let { .. } => false,
        };
        block.stmts.iter().any(stmt) || block.tail.is_some_and(|tail| self.leaves_by(tail))
    }

    /// True if control surely goes elsewhere: said of the plain cases.
    fn leaves_by(&self, expr: Id<Expr>) -> bool {
        match &self.sketch.exprs[expr].kind {
            ExprKind::Break { .. } | ExprKind::Continue(_) | ExprKind::Return(_) => true,
            ExprKind::Say { what, .. } => *what == Saying::Panic,
            ExprKind::Block(block) => self.leaves(block),
            _ => false,
        }
    }

    /// Walks over what runs only if a condition is or isn't true.
    fn under(&mut self, cond: Id<Expr>, holds: bool, walk: impl FnOnce(&mut Self)) {
        self.guards.push((cond, holds));
        walk(self);
        self.guards.pop();
    }

    fn exprs(&mut self, exprs: &[Id<Expr>]) {
        exprs.iter().for_each(|e| self.expr(*e));
    }

    fn expr(&mut self, expr: Id<Expr>) {
        let sketch: &'a Sketch = self.sketch;
        match &sketch.exprs[expr].kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::Len(_)
            | ExprKind::Extent(..)
            | ExprKind::Start { .. }
            | ExprKind::Count(_)
            | ExprKind::Continue(_) => {}
            ExprKind::Tapped { tap: _, value }
            | ExprKind::Cast { value, to: _ }
            | ExprKind::Repeat { tap: _, value } => self.expr(*value),
            ExprKind::Field(..) | ExprKind::Index(..) => self.part(expr, expr, AccessKind::Load),
            ExprKind::Struct { tap: _, fields, base } => {
                fields.iter().for_each(|(_, value)| self.expr(*value));
                self.exprs(base.as_slice());
            }
            ExprKind::Op { op: _, args }
            | ExprKind::Function { ty: _, op: _, args }
            | ExprKind::Linear { method: _, args, tap: _ } => self.exprs(args),
            ExprKind::LazyAnd(a, b) | ExprKind::LazyOr(a, b) => {
                self.expr(*a);
                let and = matches!(sketch.exprs[expr].kind, ExprKind::LazyAnd(..));
                self.under(*a, and, |scan| scan.expr(*b));
            }
            ExprKind::Load { array, index } => {
                self.exprs(index);
                self.access(expr, *array, index, Vec::new(), AccessKind::Load);
            }
            ExprKind::Atomic { op: _, array, index, path, value } => {
                self.exprs(index);
                self.path(path);
                self.expr(*value);
                self.access(expr, *array, index, self.steps(path), AccessKind::Atomic);
            }
            ExprKind::CompareExchange { array, index, path, current, new } => {
                self.exprs(index);
                self.path(path);
                self.exprs(&[*current, *new]);
                self.access(expr, *array, index, self.steps(path), AccessKind::Atomic);
            }
            ExprKind::Scatter { array, index, value } => {
                self.exprs(index);
                self.expr(*value);
                self.access(expr, *array, index, Vec::new(), AccessKind::Scatter);
            }
            ExprKind::Tuple(parts) | ExprKind::Fixed { tap: _, elements: parts } => self.exprs(parts),
            ExprKind::Block(block) => self.block(block),
            ExprKind::If { cond, then, otherwise } => {
                self.expr(*cond);
                self.under(*cond, true, |scan| scan.block(then));
                self.under(*cond, false, |scan| scan.exprs(otherwise.as_slice()));
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
                    // Its offsets are looked through before it.
                    Domain::Segments(array) => self.access(expr, *array, &[], Vec::new(), AccessKind::Handed),
                    Domain::Ndrange(dims) => dims.iter().for_each(|(lo, hi)| {
                        self.exprs(lo.as_slice());
                        self.expr(*hi);
                    }),
                }
                self.counted(pattern, domain);
                self.block(body);
            }
            ExprKind::Break { label: _, value } | ExprKind::Return(value) => self.exprs(value.as_slice()),
            ExprKind::Call { callee: _, args } => {
                for arg in args {
                    match arg {
                        Arg::Value(value) => self.expr(*value),
                        Arg::Reference { param, shared } => {
                            let kind = if *shared { AccessKind::Handed } else { AccessKind::Lent };
                            self.access(expr, *param, &[], Vec::new(), kind);
                        }
                        Arg::Place(place) => self.place(expr, place),
                        Arg::Receiver { value, writes: false } => self.expr(*value),
                        Arg::Receiver { value, writes: true } => self.part(expr, *value, AccessKind::Store),
                    }
                }
            }
            ExprKind::Assign { place, value } | ExprKind::AssignOp { op: _, place, value } => {
                self.expr(*value);
                self.place(expr, place);
            }
            ExprKind::Contribute { what, in_order: _ } => match what.as_ref() {
                Contribution::Each { op: _, negated: _, place, value, place_first: _ } => {
                    self.expr(*value);
                    self.place(expr, place);
                }
                Contribution::Extreme { greatest: _, last: _, best: _, key, binds, with } => {
                    self.expr(*key);
                    self.stmts(binds);
                    with.iter().for_each(|(_, value)| self.expr(*value));
                }
            },
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
                self.access(expr, *array, index, self.steps(path), AccessKind::Store);
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

    /// A part of a value: of an element, of which nothing else is accessed then, or of anything else. `by` is the
    /// expression that accesses it.
    fn part(&mut self, by: Id<Expr>, value: Id<Expr>, kind: AccessKind) {
        let (mut base, mut path) = (value, Vec::new());
        loop {
            match &self.sketch.exprs[base].kind {
                ExprKind::Field(inner, member) => {
                    path.push(Step::Field(member.to_string()));
                    base = *inner;
                }
                ExprKind::Index(inner, index) => {
                    self.expr(*index);
                    path.push(Step::index(self.sketch, *index));
                    base = *inner;
                }
                ExprKind::Load { array, index } => {
                    self.exprs(index);
                    path.reverse();
                    // A load is known by itself, so that `unsafe` round it is.
                    let by = if kind == AccessKind::Load { base } else { by };
                    return self.access(by, *array, index, path, kind);
                }
                // A name or a value.
                _ => return self.expr(base),
            }
        }
    }

    /// The parallel loop's variable, if a loop inside runs over the segment of its number.
    pub fn segment(&self, number: usize) -> Option<Variable> {
        let Domain::Segments(offsets) = self.domain else { return None };
        let (lo, hi) = match self.loops.get(number)? {
            Domain::Range { lo, hi, tap: _ } => (*lo, *hi),
            Domain::Steps(steps) if !steps.inclusive => (steps.lo, steps.hi),
            Domain::Steps(_) | Domain::Indices(_) | Domain::Segments(_) | Domain::Ndrange(_) => return None,
        };
        let variable = (*self.variables.first()?)?;
        let is_variable = |expr: Id<Expr>| matches!(self.sketch.exprs[expr].kind, ExprKind::Local(local) if variable == (local, None));
        let starts = self.offset(lo, *offsets).is_some_and(is_variable);
        let ends = self.offset(hi, *offsets).is_some_and(|index| match &self.sketch.exprs[index].kind {
            ExprKind::Op { op: Op::Add, args } => match args.as_slice() {
                [a, b] => {
                    let one = matches!(self.sketch.exprs[*b].kind, ExprKind::Int { value: 1, .. });
                    is_variable(*a) && one
                }
                _ => false,
            },
            _ => false,
        });
        (starts && ends).then_some(variable)
    }

    /// The index at which an expression reads the offsets: what is cast to `usize`, and no other type.
    fn offset(&self, expr: Id<Expr>, offsets: ParamId) -> Option<Id<Expr>> {
        match &self.sketch.exprs[expr].kind {
            ExprKind::Cast { value, to: TypeName::Scalar(Scalar::Usize) } => self.offset(*value, offsets),
            ExprKind::Load { array, index } if *array == offsets => index.first().copied(),
            _ => None,
        }
    }

    fn steps(&self, path: &[Projection]) -> Vec<Step> {
        path.iter().map(|step| Step::of(self.sketch, step)).collect()
    }

    fn access(&mut self, expr: Id<Expr>, array: ParamId, index: &[Id<Expr>], path: Vec<Step>, kind: AccessKind) {
        let access = Access { expr, pos: self.sketch.exprs[expr].pos, kind };
        let guards = self.guards.clone();
        self.accesses.push(Found { access, array, index: index.to_vec(), path, guards });
    }
}

/// The rank of an array parameter, if the sketch accesses it anywhere.
pub(super) fn rank(sketch: &Sketch, param: ParamId) -> Option<usize> {
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
        | ExprKind::Scatter { array, index, value: _ }
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
        | ExprKind::Scatter { .. }
        | ExprKind::Tuple(_)
        | ExprKind::Field(..)
        | ExprKind::Index(..)
        | ExprKind::Struct { .. }
        | ExprKind::Fixed { .. }
        | ExprKind::Repeat { .. }
        | ExprKind::Start { .. }
        | ExprKind::Count(_)
        | ExprKind::Linear { .. }
        | ExprKind::Block(_)
        | ExprKind::If { .. }
        | ExprKind::While { .. }
        | ExprKind::Loop { .. }
        | ExprKind::For { .. }
        | ExprKind::Break { .. }
        | ExprKind::Continue(_)
        | ExprKind::Contribute { .. }
        | ExprKind::Return(_)
        | ExprKind::Say { .. } => None,
        ExprKind::Call { callee: _, args } => args.iter().find_map(|arg| match arg {
            Arg::Place(place) => of_place(place, param),
            Arg::Value(_) | Arg::Reference { .. } | Arg::Receiver { .. } => None,
        }),
    })
}
