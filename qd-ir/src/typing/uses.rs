//! Which locals a construct binds, reads and writes: what must live in a slot.
use std::collections::HashSet;

use super::LocalId;
use crate::arena::Id;
use crate::sketch::{
    Arg, Block, Construct, ConstructKind, Contribution, Domain, Expr, ExprKind, Pattern, Place, PlanNode, Projection,
    Sketch, Stmt,
};

/// What a construct does with the locals.
#[derive(Debug, Default)]
pub(super) struct Uses {
    /// Every local mentioned, by first mention in the order of evaluation.
    pub order: Vec<LocalId>,
    /// Bound here.
    pub bound: HashSet<LocalId>,
    /// Given a value here, by a `let` or an assignment.
    pub written: HashSet<LocalId>,
    /// The value on entry may matter: not surely overwritten before the first read.
    pub entry: HashSet<LocalId>,
    seen: HashSet<LocalId>,
    settled: HashSet<LocalId>,
    /// How many branches or loops are open: what happens there may not happen.
    depth: u32,
}

impl Uses {
    /// The uses of `construct`.
    pub fn of(sketch: &Sketch, construct: &Construct) -> Uses {
        let mut uses = Uses::default();
        match &construct.kind {
            ConstructKind::Serial(stmts) => uses.stmts(sketch, stmts),
            ConstructKind::Parallel { domain, pattern, label: _, reductions, body } => {
                uses.domain(sketch, domain);
                uses.pattern(pattern, true);
                reductions.iter().for_each(|local| uses.read(*local));
                uses.depth += 1;
                uses.block(sketch, body);
            }
        }
        uses
    }

    /// True if the local occurs in the construct.
    pub fn mentions(&self, local: LocalId) -> bool {
        self.seen.contains(&local)
    }

    fn mention(&mut self, local: LocalId) {
        if self.seen.insert(local) {
            self.order.push(local);
        }
    }

    fn read(&mut self, local: LocalId) {
        self.mention(local);
        if !self.settled.contains(&local) {
            self.entry.insert(local);
        }
    }

    fn write(&mut self, local: LocalId, whole: bool) {
        self.mention(local);
        self.written.insert(local);
        if whole && self.depth == 0 && !self.entry.contains(&local) {
            self.settled.insert(local);
        } else if !self.settled.contains(&local) {
            self.entry.insert(local);
        }
    }

    fn pattern(&mut self, pattern: &Pattern, init: bool) {
        match pattern {
            Pattern::Wild => {}
            Pattern::Bind(local) => {
                self.mention(*local);
                self.bound.insert(*local);
                if init {
                    self.written.insert(*local);
                }
            }
            Pattern::Tuple(parts) | Pattern::Fixed(parts) => parts.iter().for_each(|p| self.pattern(p, init)),
            Pattern::Struct(fields) => fields.iter().for_each(|(_, p)| self.pattern(p, init)),
        }
    }

    fn stmts(&mut self, sketch: &Sketch, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Let { pattern, init } => {
                    if let Some(init) = init {
                        self.expr(sketch, *init);
                    }
                    self.pattern(pattern, init.is_some());
                }
                Stmt::Expr(expr) => self.expr(sketch, *expr),
            }
        }
    }

    fn block(&mut self, sketch: &Sketch, block: &Block) {
        self.stmts(sketch, &block.stmts);
        self.exprs(sketch, block.tail.as_slice());
    }

    /// A block that may not run.
    fn branch(&mut self, sketch: &Sketch, block: &Block) {
        self.depth += 1;
        self.block(sketch, block);
        self.depth -= 1;
    }

    fn domain(&mut self, sketch: &Sketch, domain: &Domain) {
        match domain {
            Domain::Range { lo, hi, tap: _ } => self.exprs(sketch, &[*lo, *hi]),
            Domain::Steps(steps) => steps.exprs().for_each(|e| self.expr(sketch, e)),
            Domain::Indices(_) | Domain::Segments(_) => {}
            Domain::Ndrange(dims) => {
                for (lo, hi) in dims {
                    self.exprs(sketch, lo.as_slice());
                    self.expr(sketch, *hi);
                }
            }
        }
    }

    fn place(&mut self, sketch: &Sketch, place: &Place) {
        match place {
            Place::Wild => {}
            Place::Local(local) => self.write(*local, true),
            Place::Part(local, path) => {
                self.path(sketch, path);
                self.write(*local, false);
            }
            Place::Element { array: _, index, path } => {
                self.exprs(sketch, index);
                self.path(sketch, path);
            }
            Place::Tuple(places) => places.iter().for_each(|p| self.place(sketch, p)),
        }
    }

    /// The place is handed to a function that may read and may write it.
    fn lend(&mut self, sketch: &Sketch, place: &Place) {
        match place {
            Place::Local(local) | Place::Part(local, _) => {
                self.read(*local);
                if let Place::Part(_, path) = place {
                    self.path(sketch, path);
                }
                self.write(*local, false);
            }
            Place::Wild | Place::Element { .. } | Place::Tuple(_) => self.place(sketch, place),
        }
    }

    fn path(&mut self, sketch: &Sketch, path: &[Projection]) {
        for step in path {
            match step {
                Projection::Field(_) => {}
                Projection::Index(index) => self.expr(sketch, *index),
            }
        }
    }

    fn exprs(&mut self, sketch: &Sketch, exprs: &[Id<Expr>]) {
        exprs.iter().for_each(|e| self.expr(sketch, *e));
    }

    fn expr(&mut self, sketch: &Sketch, expr: Id<Expr>) {
        match &sketch.exprs[expr].kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Const(_)
            | ExprKind::Len(_)
            | ExprKind::Extent(..)
            | ExprKind::Start { .. }
            | ExprKind::Count(_)
            | ExprKind::Continue(_) => {}
            ExprKind::Local(local) => self.read(*local),
            ExprKind::Tapped { tap: _, value } | ExprKind::Cast { value, to: _ } | ExprKind::Field(value, _) => {
                self.expr(sketch, *value);
            }
            ExprKind::Op { op: _, args }
            | ExprKind::Function { ty: _, op: _, args }
            | ExprKind::Linear { method: _, args, tap: _ } => self.exprs(sketch, args),
            ExprKind::LazyAnd(a, b) | ExprKind::LazyOr(a, b) => {
                self.expr(sketch, *a);
                self.depth += 1;
                self.expr(sketch, *b);
                self.depth -= 1;
            }
            ExprKind::Load { array: _, index } => self.exprs(sketch, index),
            ExprKind::Atomic { op: _, array: _, index, path, value } => {
                self.exprs(sketch, index);
                self.path(sketch, path);
                self.expr(sketch, *value);
            }
            ExprKind::CompareExchange { array: _, index, path, current, new } => {
                self.exprs(sketch, index);
                self.path(sketch, path);
                self.exprs(sketch, &[*current, *new]);
            }
            ExprKind::Scatter { array: _, index, value } => {
                self.exprs(sketch, index);
                self.expr(sketch, *value);
            }
            ExprKind::Tuple(parts) | ExprKind::Fixed { tap: _, elements: parts } => self.exprs(sketch, parts),
            ExprKind::Index(value, index) => self.exprs(sketch, &[*value, *index]),
            ExprKind::Struct { tap: _, fields, base } => {
                fields.iter().for_each(|(_, value)| self.expr(sketch, *value));
                self.exprs(sketch, base.as_slice());
            }
            ExprKind::Repeat { tap: _, value } => self.expr(sketch, *value),
            ExprKind::Block(block) => self.block(sketch, block),
            ExprKind::If { cond, then, otherwise } => {
                self.expr(sketch, *cond);
                self.branch(sketch, then);
                self.depth += 1;
                self.exprs(sketch, otherwise.as_slice());
                self.depth -= 1;
            }
            ExprKind::While { label: _, cond, body } => {
                self.depth += 1;
                self.expr(sketch, *cond);
                self.block(sketch, body);
                self.depth -= 1;
            }
            ExprKind::Loop { label: _, body, tap: _ } => self.branch(sketch, body),
            ExprKind::For { label: _, pattern, domain, unroll: _, body } => {
                self.domain(sketch, domain);
                self.pattern(pattern, true);
                self.branch(sketch, body);
            }
            ExprKind::Break { label: _, value } => self.exprs(sketch, value.as_slice()),
            ExprKind::Call { callee: _, args } => {
                for arg in args {
                    match arg {
                        Arg::Value(value) => self.expr(sketch, *value),
                        Arg::Reference { .. } => {}
                        Arg::Place(place) => self.lend(sketch, place),
                        Arg::Receiver { value, writes } => {
                            self.expr(sketch, *value);
                            if *writes && let Some(local) = root(sketch, *value) {
                                self.write(local, false);
                            }
                        }
                    }
                }
            }
            ExprKind::Return(value) => self.exprs(sketch, value.as_slice()),
            ExprKind::Assign { place, value } => {
                self.expr(sketch, *value);
                self.place(sketch, place);
            }
            ExprKind::AssignOp { op: _, place, value } => {
                self.expr(sketch, *value);
                match place {
                    Place::Local(local) | Place::Part(local, _) => self.read(*local),
                    Place::Wild | Place::Element { .. } | Place::Tuple(_) => {}
                }
                self.place(sketch, place);
            }
            ExprKind::Contribute { what, in_order: _ } => match what.as_ref() {
                Contribution::Each { op: _, negated: _, place, value, place_first: _ } => {
                    self.expr(sketch, *value);
                    self.lend(sketch, place);
                }
                Contribution::Extreme { greatest: _, last: _, best: _, key, binds, with } => {
                    self.expr(sketch, *key);
                    self.stmts(sketch, binds);
                    for (place, value) in with {
                        self.expr(sketch, *value);
                        self.lend(sketch, place);
                    }
                }
            },
            ExprKind::Say { what: _, message: _, args } => self.exprs(sketch, args),
        }
    }
}

/// The variable that an expression names a part of.
fn root(sketch: &Sketch, mut expr: Id<Expr>) -> Option<LocalId> {
    while let ExprKind::Field(inner, _) | ExprKind::Index(inner, _) = &sketch.exprs[expr].kind {
        expr = *inner;
    }
    match &sketch.exprs[expr].kind {
        ExprKind::Local(local) => Some(*local),
        _ => None,
    }
}

/// The locals that the nodes of the plan read.
pub(super) fn plan_reads(sketch: &Sketch) -> Vec<LocalId> {
    fn nodes(sketch: &Sketch, list: &[PlanNode], uses: &mut Uses) {
        for node in list {
            match node {
                PlanNode::Bind { pattern: _, init } => uses.expr(sketch, *init),
                PlanNode::Construct(_) | PlanNode::Break(_) | PlanNode::Continue(_) => {}
                PlanNode::Steps { var: _, steps, body } => {
                    steps.exprs().for_each(|e| uses.expr(sketch, e));
                    nodes(sketch, body, uses);
                }
                PlanNode::Loop(body) => nodes(sketch, body, uses),
                PlanNode::If { cond, then, otherwise } => {
                    uses.expr(sketch, *cond);
                    nodes(sketch, then, uses);
                    nodes(sketch, otherwise, uses);
                }
                PlanNode::Return(value) => uses.exprs(sketch, value.as_slice()),
            }
        }
    }
    let mut uses = Uses::default();
    nodes(sketch, &sketch.plan, &mut uses);
    uses.order
}
