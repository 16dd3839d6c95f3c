//! The top level of a kernel: constructs, and what runs when.
//!
//! Each `for` is a parallel construct; the statements between two of them are one serial construct, but for plain
//! bindings, which fold into their users. `while`, `loop` and `if` become nodes of the plan where they hold a parallel
//! loop, and are part of a serial construct otherwise. `#[qd::steps] for` is a node of the plan, `#[qd::serial] for` a
//! statement.
use std::collections::BTreeSet;

use qd_ir::arena::{Arena, Id};
use qd_ir::op::Op;
use qd_ir::sketch::{Adapter, Construct, ConstructKind, Domain, Expr, ExprKind, Local, Pattern, PlanNode, Steps, Stmt};
use qd_ir::source_map::Pos;
use syn::visit::Visit;

use super::attributes::{Sizes, is_serial};
use super::carried::Carried;
use super::domain::is_range;
use super::iter::Hoisting;
use super::matching::{Arm, Chain};
use super::refutable::{Refutable, Subject};
use super::stmt::{Let, has_else};
use super::{FrameKind, Lower, position_at, position_of, tail};
use crate::diagnostic::Code;
use crate::reach::Reach;
use crate::syntax;
use crate::taps::replace;

/// A statement of the top level, before runs of them are gathered.
pub(super) enum Top {
    Stmt(Stmt, Pos),
    Parallel(Construct),
    Loop(Vec<Top>),
    Steps { var: Id<Local>, steps: Steps, body: Vec<Top> },
    If { cond: Id<Expr>, then: Vec<Top>, otherwise: Vec<Top> },
    Break(u32),
    Continue(u32),
    Return(Option<Id<Expr>>),
}

impl Lower<'_> {
    /// The statements of a block of the top level. The tail of a `valued` block is the kernel's result.
    pub(super) fn top_block(&mut self, block: &mut syn::Block, valued: bool, into: &mut Vec<Top>) {
        self.top_body(block, valued, into, |_| ());
    }

    /// As [`top_block`](Self::top_block); `bind` brings names into the scope first.
    fn top_body(&mut self, block: &mut syn::Block, valued: bool, into: &mut Vec<Top>, bind: impl FnOnce(&mut Self)) {
        self.enter(block);
        bind(self);
        let valued = valued && tail(block).is_some();
        let count = block.stmts.len() - usize::from(valued);
        for statement in &mut block.stmts[..count] {
            self.taps.statement();
            self.top_statement(statement, into);
        }
        if valued && let Some(tail) = tail(block) {
            self.taps.statement();
            self.top_result(tail, into);
        }
        self.leave(block);
    }

    fn top_statement(&mut self, statement: &mut syn::Stmt, into: &mut Vec<Top>) {
        let pos = position_at(Reach::start_of(statement));
        match statement {
            syn::Stmt::Local(local) if has_else(local) => self.top_let_else(local, pos, into),
            syn::Stmt::Local(local) => {
                if let Some(init) = &local.init {
                    self.refuse_buried_loop(&init.expr);
                }
                if let Some(Let { pattern, init }) = self.hoisting(into, |this| this.binding(local)) {
                    into.push(Top::Stmt(Stmt::Let { pattern, init }, pos));
                }
            }
            syn::Stmt::Expr(expr, _) => self.top_expr(expr, pos, into),
            // Gathered, or made an expression, when the block was entered.
            syn::Stmt::Item(_) | syn::Stmt::Macro(_) => {}
        }
    }

    fn top_expr(&mut self, syntax: &mut syn::Expr, pos: Pos, into: &mut Vec<Top>) {
        match syntax {
            syn::Expr::ForLoop(looped) if !is_serial(looped) => {
                let attributes = self.loop_attributes(looped);
                self.refuse_unroll(&attributes);
                if !self.segments(looped) {
                    return;
                }
                if attributes.steps.is_some() {
                    self.refuse_parallel_attributes(&attributes);
                    self.top_steps(looped, pos, into);
                } else if self.iterates(&mut looped.expr) {
                    self.refuse_buried_loop(&looped.expr);
                    self.parallel_iteration(looped, attributes.sizes(), pos, into);
                } else if let Some(construct) = self.parallel(looped, pos) {
                    let Sizes { grain, block } = attributes.sizes();
                    into.push(Top::Parallel(Construct { grain, block, ..construct }));
                }
                return;
            }
            syn::Expr::Return(result) => {
                match &mut result.expr {
                    Some(value) => self.top_result(value, into),
                    None => into.push(Top::Return(None)),
                }
                return;
            }
            syn::Expr::Break(syn::ExprBreak { label, expr, .. }) if self.targets_plan(label.as_ref()) => {
                if let Some(value) = expr {
                    self.diagnostics.on(
                        Code::Plan,
                        value,
                        "a loop round parallel loops can't give a value",
                        "assign to a variable before the `break`",
                    );
                }
                return into.push(Top::Break(self.loops_out(label.as_ref())));
            }
            syn::Expr::Continue(syn::ExprContinue { label, .. }) if self.targets_plan(label.as_ref()) => {
                return into.push(Top::Continue(self.loops_out(label.as_ref())));
            }
            _ => {}
        }
        if !self.needs_plan(syntax) {
            let before = into.len();
            let id = self.hoisting(into, |this| this.expr(syntax));
            let id = self.close(id, syntax);
            // `for_each` that has become a construct leaves nothing.
            if into.len() > before && self.exprs[id].kind == ExprKind::Tuple(Vec::new()) {
                return;
            }
            return into.push(Top::Stmt(Stmt::Expr(id), pos));
        }
        match syntax {
            syn::Expr::If(_) => self.top_if(syntax, false, into),
            syn::Expr::Match(_) => self.top_match(syntax, false, pos, into),
            syn::Expr::While(looped) => {
                self.open_loop(looped.label.as_ref(), FrameKind::Plan);
                let (mut body, mut then) = (Vec::new(), Vec::new());
                let (cond, looks) = self.scoped(|this| {
                    let (cond, binds) = this.top_condition(&mut looped.cond, &mut body);
                    then.extend(binds.into_iter().map(|bind| Top::Stmt(bind, pos)));
                    this.top_block(&mut looped.body, false, &mut then);
                    cond
                });
                looped.body.stmts.splice(0..0, looks);
                self.frames.pop();
                body.push(Top::If { cond, then, otherwise: vec![Top::Break(0)] });
                into.push(Top::Loop(body));
            }
            syn::Expr::Loop(looped) => {
                self.open_loop(looped.label.as_ref(), FrameKind::Plan);
                let mut body = Vec::new();
                self.top_block(&mut looped.body, false, &mut body);
                self.frames.pop();
                into.push(Top::Loop(body));
            }
            syn::Expr::Block(block) if block.label.is_none() => self.top_block(&mut block.block, false, into),
            syn::Expr::Unsafe(block) => {
                self.unsafe_depth += 1;
                self.top_block(&mut block.block, false, into);
                self.unsafe_depth -= 1;
            }
            other => {
                self.refuse_buried_loop(other);
                self.expr(other);
            }
        }
    }

    /// An `if` that holds parallel loops; the tails of a `valued` one are the kernel's result.
    fn top_if(&mut self, syntax: &mut syn::Expr, valued: bool, into: &mut Vec<Top>) {
        let syn::Expr::If(branches) = syntax else { return };
        let pos = position_of(&branches.cond);
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        let (cond, looks) = self.scoped(|this| {
            let (cond, binds) = this.top_condition(&mut branches.cond, into);
            then.extend(binds.into_iter().map(|bind| Top::Stmt(bind, pos)));
            this.top_block(&mut branches.then_branch, valued, &mut then);
            cond
        });
        branches.then_branch.stmts.splice(0..0, looks);
        if let Some((_, syntax)) = &mut branches.else_branch {
            match &mut **syntax {
                syn::Expr::Block(block) => self.top_block(&mut block.block, valued, &mut otherwise),
                nested => self.top_if(nested, valued, &mut otherwise),
            }
        }
        into.push(Top::If { cond, then, otherwise });
    }

    /// A `match` that holds parallel loops: an `if` for each arm.
    fn top_match(&mut self, syntax: &mut syn::Expr, valued: bool, pos: Pos, into: &mut Vec<Top>) {
        let syn::Expr::Match(matched) = syntax else { return };
        self.refuse_buried_loop(&matched.expr);
        let (local, init) = self.hoisting(into, |this| this.matched(&mut matched.expr));
        into.push(Top::Stmt(Stmt::Let { pattern: Pattern::Bind(local), init: Some(init) }, pos));
        let arms = self.arms(matched, local, |this, body| {
            let (pos, mut tops) = (position_of(body), Vec::new());
            match body {
                syn::Expr::Block(block) if block.label.is_none() => this.top_block(&mut block.block, valued, &mut tops),
                other if valued => this.top_result(other, &mut tops),
                other => this.top_expr(other, pos, &mut tops),
            }
            tops
        });
        let mut otherwise: Option<Vec<Top>> = None;
        for Arm { test, binds, body } in arms.into_iter().rev() {
            let bound = binds.into_iter().map(|bind| Top::Stmt(bind, pos));
            let then: Vec<Top> = bound.chain(body).collect();
            otherwise = Some(match (test, otherwise) {
                (Some(test), Some(otherwise)) => {
                    let mut tops = Vec::new();
                    let cond = self.stored_test(test, pos, &mut tops);
                    tops.push(Top::If { cond, then, otherwise });
                    tops
                }
                (_, None) | (None, Some(_)) => then,
            });
        }
        into.extend(otherwise.into_iter().flatten());
    }

    /// `let .. else { .. }` of the top level.
    fn top_let_else(&mut self, local: &mut syn::Local, pos: Pos, into: &mut Vec<Top>) {
        let Some(syn::LocalInit { expr, diverge: Some((_, otherwise)), .. }) = &mut local.init else { return };
        self.refuse_buried_loop(expr);
        if !self.needs_plan(otherwise) {
            let mut stmts = Vec::new();
            self.let_else(local, &mut stmts);
            return into.extend(stmts.into_iter().map(|stmt| Top::Stmt(stmt, pos)));
        }
        let (subject, value) = self.hoisting(into, |this| this.matched(expr));
        let mut leave = Vec::new();
        if let syn::Expr::Block(block) = &mut **otherwise {
            self.top_block(&mut block.block, false, &mut leave);
        }
        let first = self.checked_names.len();
        let Refutable { test, binds } = self.refutable(&mut local.pat, &Subject::of(subject));
        let checks = self.checked(first);
        replace(otherwise, |inner| syntax::block(checks, inner));
        into.push(Top::Stmt(Stmt::Let { pattern: Pattern::Bind(subject), init: Some(value) }, pos));
        if let Some(test) = test {
            let cond = self.stored_test(test, pos, into);
            into.push(Top::If { cond, then: Vec::new(), otherwise: leave });
        }
        into.extend(binds.into_iter().map(|bind| Top::Stmt(bind, pos)));
    }

    /// A condition of the plan: what isn't there already is computed before, into a variable. Also what it binds.
    fn top_condition(&mut self, syntax: &mut syn::Expr, into: &mut Vec<Top>) -> (Id<Expr>, Vec<Stmt>) {
        let pos = position_of(syntax);
        self.refuse_buried_loop(syntax);
        let mut chain = Chain::default();
        let id = self.hoisting(into, |this| this.chain(syntax, true, &mut chain));
        let plain = chain.before.is_empty();
        into.extend(chain.before.into_iter().map(|stmt| Top::Stmt(stmt, pos)));
        let id = match plain {
            true => self.stored(id, syntax, "__qd_condition", pos, into),
            false => self.stored_test(id, pos, into),
        };
        (id, chain.binds)
    }

    /// A test that isn't in the source: a variable that a serial statement sets.
    fn stored_test(&mut self, id: Id<Expr>, pos: Pos, into: &mut Vec<Top>) -> Id<Expr> {
        let at = self.reaches[id.index()];
        let (local, _) = self.hidden("__qd_test", at);
        self.locals[local].tap = Some(self.taps.boolean());
        into.push(Top::Stmt(Stmt::Let { pattern: Pattern::Bind(local), init: Some(id) }, pos));
        self.push(ExprKind::Local(local), super::Own::Closed, at)
    }

    /// The kernel's result.
    fn top_result(&mut self, syntax: &mut syn::Expr, into: &mut Vec<Top>) {
        let pos = position_of(syntax);
        if self.needs_plan(syntax) {
            match syntax {
                syn::Expr::If(syn::ExprIf { else_branch: Some(_), .. }) => return self.top_if(syntax, true, into),
                syn::Expr::Match(_) => return self.top_match(syntax, true, pos, into),
                syn::Expr::Block(block) if block.label.is_none() => {
                    return self.top_block(&mut block.block, true, into);
                }
                syn::Expr::Unsafe(block) => {
                    self.unsafe_depth += 1;
                    self.top_block(&mut block.block, true, into);
                    self.unsafe_depth -= 1;
                    return;
                }
                // It ends by a `return` in it.
                syn::Expr::Loop(_) => return self.top_expr(syntax, pos, into),
                ref other => self.refuse_buried_loop(other),
            }
        }
        let id = self.hoisting(into, |this| this.expr(syntax));
        let id = self.stored(id, syntax, "__qd_result", pos, into);
        into.push(Top::Return(Some(id)));
    }

    /// Lowers a part of the top level; chains in it become constructs before it.
    fn hoisting<T>(&mut self, into: &mut Vec<Top>, lower: impl FnOnce(&mut Self) -> T) -> T {
        self.top = Some(Hoisting { tops: Vec::new(), first: self.exprs.len() });
        let lowered = lower(self);
        into.extend(self.top.take().into_iter().flat_map(|top| top.tops));
        lowered
    }

    /// An expression that the plan can read: itself, or a variable that a serial statement sets.
    fn stored(&mut self, id: Id<Expr>, syntax: &mut syn::Expr, name: &str, pos: Pos, into: &mut Vec<Top>) -> Id<Expr> {
        if readable(&self.exprs, id, &|_| true) { id } else { self.store(id, syntax, name, pos, into) }
    }

    /// A variable of the plan that a serial statement sets to an expression.
    fn store(&mut self, id: Id<Expr>, syntax: &mut syn::Expr, name: &str, pos: Pos, into: &mut Vec<Top>) -> Id<Expr> {
        let at = Reach::of_expr(syntax);
        let (local, name) = self.hidden(name, at);
        self.locals[local].tap = Some(self.taps.value(syntax, &name));
        into.push(Top::Stmt(Stmt::Let { pattern: Pattern::Bind(local), init: Some(id) }, pos));
        self.push(ExprKind::Local(local), super::Own::Closed, at)
    }

    /// A top-level `for`.
    fn parallel(&mut self, looped: &mut syn::ExprForLoop, pos: Pos) -> Option<Construct> {
        self.refuse_buried_loop(&looped.expr);
        let Some(domain) = self.domain(&mut looped.expr) else {
            self.skip_loop(looped);
            return None;
        };
        let counts = self.counts_like(&domain);
        if let Domain::Range { .. } | Domain::Steps(_) = &domain
            && !self.counts_narrow(counts)
        {
            self.taps.counted(&mut looped.expr);
        }
        self.carried = Some(Carried::new(self.locals.len(), self.exprs.len()));
        let (label, pattern, body) = self.for_body(looped, FrameKind::Parallel, counts);
        let reductions = self.finish_carried(&body);
        Some(Construct {
            pos,
            grain: None,
            block: None,
            apart: Vec::new(),
            kind: ConstructKind::Parallel { domain, pattern, label, reductions, body },
        })
    }

    fn targets_plan(&self, label: Option<&syn::Lifetime>) -> bool {
        self.target_frame(label).is_some_and(|frame| self.frames[frame].kind == FrameKind::Plan)
    }

    /// How many loops of the plan a jump leaves before it is at its own. At the top level all loops are the plan's.
    fn loops_out(&self, label: Option<&syn::Lifetime>) -> u32 {
        self.target_frame(label).map_or(0, |frame| (self.frames.len() - 1 - frame) as u32)
    }

    /// `#[qd::steps] for`: a loop of the plan.
    fn top_steps(&mut self, looped: &mut syn::ExprForLoop, pos: Pos, into: &mut Vec<Top>) {
        self.refuse_buried_loop(&looped.expr);
        let syn::ExprForLoop { label, pat, expr, body, .. } = looped;
        let mut bounds = Vec::new();
        let steps = match is_range(expr) {
            true => self.steps(expr, &mut bounds),
            false => {
                self.diagnostics.on(
                    Code::Domain,
                    expr,
                    "a loop of steps counts: it runs over a range",
                    "loop over `a..b`, `a..=b`, maybe with `.rev()` or `.step_by(k)`",
                );
                None
            }
        };
        let steps = steps.map(|steps| self.stored_steps(steps, bounds, pos, into));
        if steps.is_some() {
            self.taps.counted(expr);
        }
        self.open_loop(label.as_ref(), FrameKind::Plan);
        let (mut nodes, mut pattern) = (Vec::new(), Pattern::Wild);
        self.top_body(body, false, &mut nodes, |this| pattern = this.loop_pattern(pat, None));
        self.frames.pop();
        match (pattern, steps) {
            (Pattern::Bind(var), Some(steps)) => into.push(Top::Steps { var, steps, body: nodes }),
            // A tuple for the numbers of a range: rustc's to report.
            (Pattern::Bind(_) | Pattern::Wild | Pattern::Tuple(_) | Pattern::Struct(_) | Pattern::Fixed(_), _) => {}
        }
    }

    /// The loop with bounds that the plan can read. If one of them runs code, all are stored, in order.
    fn stored_steps(&mut self, steps: Steps, bounds: Vec<&mut syn::Expr>, pos: Pos, into: &mut Vec<Top>) -> Steps {
        let ids: Vec<_> = steps.exprs().collect();
        if ids.iter().all(|id| readable(&self.exprs, *id, &|_| true)) {
            return steps;
        }
        let mut stored = Vec::with_capacity(ids.len());
        for (id, syntax) in ids.into_iter().zip(bounds) {
            stored.push(if is_constant(&self.exprs, id) {
                id
            } else {
                self.store(id, syntax, "__qd_bound", pos, into)
            });
        }
        let mut stored = stored.into_iter();
        let mut next = |before| stored.next().unwrap_or(before);
        let (lo, hi) = (next(steps.lo), next(steps.hi));
        let adapters = steps.adapters.into_iter().map(|adapter| match adapter {
            Adapter::Rev => Adapter::Rev,
            Adapter::StepBy(step) => Adapter::StepBy(next(step)),
        });
        Steps { lo, hi, inclusive: steps.inclusive, adapters: adapters.collect() }
    }

    /// Refuses a parallel loop where only an expression can stand.
    fn refuse_buried_loop(&mut self, syntax: &syn::Expr) {
        if let Some(found) = find(syntax, &[]) {
            self.diagnostics.push(
                Code::Plan,
                found,
                "a parallel loop, `return` or jump can't stand inside an expression",
                "make it a statement of the kernel's top level",
            );
        }
    }

    /// True if the statement holds a parallel loop, or a jump that the plan makes.
    fn needs_plan(&self, syntax: &syn::Expr) -> bool {
        let plan: Vec<Option<String>> =
            self.frames.iter().filter(|f| f.kind == FrameKind::Plan).map(|f| f.name.clone()).collect();
        find(syntax, &plan).is_some()
    }

    /// Gathers the top level into constructs.
    pub(super) fn assemble(&self, tops: Vec<Top>) -> (Vec<PlanNode>, Arena<Construct>) {
        let mut gather = Gather { lower: self, plain: self.value_params(), constructs: Arena::new() };
        let plan = gather.nodes(tops);
        (plan, gather.constructs)
    }
}

/// Gathers runs of serial statements.
struct Gather<'a, 'd> {
    lower: &'a Lower<'d>,
    /// Locals that stand for plain expressions.
    plain: BTreeSet<Id<Local>>,
    constructs: Arena<Construct>,
}

impl Gather<'_, '_> {
    fn nodes(&mut self, tops: Vec<Top>) -> Vec<PlanNode> {
        let mut nodes = Vec::new();
        let mut run: Vec<(Stmt, Pos)> = Vec::new();
        for top in tops {
            let node = match top {
                Top::Stmt(Stmt::Let { pattern, init: Some(init) }, _) if self.is_plain(init) => {
                    self.note(&pattern);
                    // Pure, so it may come before the statements of its run.
                    nodes.push(PlanNode::Bind { pattern, init });
                    continue;
                }
                Top::Stmt(stmt, pos) => {
                    run.push((stmt, pos));
                    continue;
                }
                Top::Parallel(construct) => {
                    self.flush(&mut run, &mut nodes);
                    PlanNode::Construct(self.constructs.push(construct))
                }
                Top::Loop(body) => {
                    self.flush(&mut run, &mut nodes);
                    PlanNode::Loop(self.nodes(body))
                }
                Top::If { cond, then, otherwise } => {
                    self.flush(&mut run, &mut nodes);
                    PlanNode::If { cond, then: self.nodes(then), otherwise: self.nodes(otherwise) }
                }
                Top::Steps { var, steps, body } => {
                    self.flush(&mut run, &mut nodes);
                    PlanNode::Steps { var, steps, body: self.nodes(body) }
                }
                Top::Break(out) => {
                    self.flush(&mut run, &mut nodes);
                    PlanNode::Break(out)
                }
                Top::Continue(out) => {
                    self.flush(&mut run, &mut nodes);
                    PlanNode::Continue(out)
                }
                Top::Return(value) => {
                    self.flush(&mut run, &mut nodes);
                    PlanNode::Return(value)
                }
            };
            nodes.push(node);
        }
        self.flush(&mut run, &mut nodes);
        nodes
    }

    /// Ends a run. Declarations without a value run no code: alone, they wait for the statement that gives one.
    fn flush(&mut self, run: &mut Vec<(Stmt, Pos)>, nodes: &mut Vec<PlanNode>) {
        if run.iter().all(|(stmt, _)| matches!(stmt, Stmt::Let { init: None, .. })) {
            return;
        }
        let pos = run[0].1;
        let stmts = std::mem::take(run).into_iter().map(|(stmt, _)| stmt).collect();
        let construct =
            Construct { pos, grain: None, block: None, apart: Vec::new(), kind: ConstructKind::Serial(stmts) };
        nodes.push(PlanNode::Construct(self.constructs.push(construct)));
    }

    fn is_plain(&self, init: Id<Expr>) -> bool {
        readable(&self.lower.exprs, init, &|local| self.plain.contains(&local) || self.lower.sums.contains(&local))
    }

    fn note(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Wild => {}
            Pattern::Bind(local) => {
                if !self.lower.locals[*local].assigned {
                    self.plain.insert(*local);
                }
            }
            Pattern::Tuple(parts) | Pattern::Fixed(parts) => parts.iter().for_each(|part| self.note(part)),
            Pattern::Struct(fields) => fields.iter().for_each(|(_, part)| self.note(part)),
        }
    }
}

/// True for what the launcher can read without running code, where `local` says which variables it can.
fn readable(exprs: &Arena<Expr>, expr: Id<Expr>, local: &dyn Fn(Id<Local>) -> bool) -> bool {
    match &exprs[expr].kind {
        ExprKind::Int { .. }
        | ExprKind::Float { .. }
        | ExprKind::Bool(_)
        | ExprKind::Const(_)
        | ExprKind::Len(_)
        | ExprKind::Extent(..)
        | ExprKind::Start { .. }
        | ExprKind::Count(_) => true,
        ExprKind::Local(id) => local(*id),
        ExprKind::Op { op: Op::Neg | Op::Not, args } => args.iter().all(|arg| is_constant(exprs, *arg)),
        ExprKind::Tapped { value, .. } => is_constant(exprs, *value),
        ExprKind::Tuple(parts) => parts.iter().all(|part| readable(exprs, *part, local)),
        ExprKind::Field(value, _) => readable(exprs, *value, local),
        ExprKind::Op { .. }
        | ExprKind::Function { .. }
        | ExprKind::LazyAnd(..)
        | ExprKind::LazyOr(..)
        | ExprKind::Cast { .. }
        | ExprKind::Load { .. }
        | ExprKind::Atomic { .. }
        | ExprKind::CompareExchange { .. }
        | ExprKind::Scatter { .. }
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
        | ExprKind::Contribute { .. }
        | ExprKind::Call { .. }
        | ExprKind::Return(_)
        | ExprKind::Say { .. } => false,
    }
}

/// A literal, also negated.
fn is_constant(exprs: &Arena<Expr>, expr: Id<Expr>) -> bool {
    if let ExprKind::Op { op: Op::Neg | Op::Not, args } = &exprs[expr].kind {
        return args.iter().all(|arg| is_constant(exprs, *arg));
    }
    matches!(exprs[expr].kind, ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Bool(_))
}

/// The first `for`, `return`, or jump to one of the `plan`'s loops (named or not, innermost last).
fn find(syntax: &syn::Expr, plan: &[Option<String>]) -> Option<Reach> {
    struct Find<'a> {
        plan: &'a [Option<String>],
        depth: usize,
        /// Loops that run in one task.
        serial: usize,
        found: Option<Reach>,
    }
    impl Find<'_> {
        fn jump(&mut self, label: Option<&syn::Lifetime>, at: Reach) {
            let leaves = match label {
                None => self.depth == 0 && !self.plan.is_empty(),
                Some(label) => {
                    let name = label.ident.to_string();
                    self.plan.iter().any(|known| known.as_deref() == Some(&name))
                }
            };
            if leaves {
                self.found.get_or_insert(at);
            }
        }
    }
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_expr_for_loop(&mut self, node: &'ast syn::ExprForLoop) {
            if self.serial > 0 || is_serial(node) {
                self.serial += 1;
                self.depth += 1;
                syn::visit::visit_expr_for_loop(self, node);
                self.depth -= 1;
                self.serial -= 1;
                return;
            }
            self.found.get_or_insert(Reach::of(&node.for_token));
        }
        fn visit_expr_return(&mut self, node: &'ast syn::ExprReturn) {
            self.found.get_or_insert(Reach::of(node));
        }
        fn visit_expr_while(&mut self, node: &'ast syn::ExprWhile) {
            self.depth += 1;
            syn::visit::visit_expr_while(self, node);
            self.depth -= 1;
        }
        fn visit_expr_loop(&mut self, node: &'ast syn::ExprLoop) {
            self.depth += 1;
            syn::visit::visit_expr_loop(self, node);
            self.depth -= 1;
        }
        fn visit_expr_break(&mut self, node: &'ast syn::ExprBreak) {
            self.jump(node.label.as_ref(), Reach::of(node));
            syn::visit::visit_expr_break(self, node);
        }
        fn visit_expr_continue(&mut self, node: &'ast syn::ExprContinue) {
            self.jump(node.label.as_ref(), Reach::of(node));
        }
        // Refused anyway; what they hold isn't at the top level.
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut find = Find { plan, depth: 0, serial: 0, found: None };
    find.visit_expr(syntax);
    find.found
}
