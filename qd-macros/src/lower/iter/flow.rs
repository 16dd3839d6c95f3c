//! Stages: how an item gets from the source to the end of its chain.
//!
//! Each is what std's adapter does when it is asked for the next item, as part of the loop that asks: a closure runs for
//! an item when, and only when, std would call it.
use qd_ir::arena::Id;
use qd_ir::op::Op;
use qd_ir::sketch::{Block, Domain, Expr, ExprKind, Label, Local, Pattern, Stmt};

use super::super::{Lower, Own};
use super::Chain;
use super::indexed::Indexed;
use super::item::Item;
use super::source::Source;
use crate::reach::Reach;

/// What an item goes through.
pub(super) enum Stage<'s> {
    Map(&'s mut syn::ExprClosure),
    Filter(&'s mut syn::ExprClosure),
    Inspect(&'s mut syn::ExprClosure),
    TakeWhile(&'s mut syn::ExprClosure),
    SkipWhile {
        function: &'s mut syn::ExprClosure,
        skipping: Id<Local>,
    },
    /// `enumerate`; without a counter by the number of the source's item.
    Number {
        counter: Option<Id<Local>>,
    },
    /// `zip` with numbered items.
    Zip {
        items: Indexed<'s>,
        counter: Id<Local>,
        len: Id<Expr>,
    },
    /// So many are still to be skipped.
    Skip {
        left: Id<Local>,
    },
    /// So many may still come.
    Take {
        left: Id<Local>,
    },
    /// One of `step`; so many are to be skipped before the next.
    StepBy {
        step: Id<Expr>,
        left: Id<Local>,
    },
}

/// What is done with the items that come through, as statements.
pub(super) type Sink<'a, 'd> = &'a mut dyn FnMut(&mut Lower<'d>, &Item, &mut Vec<Stmt>);

/// Where the items of a loop go.
pub(super) struct Flow {
    pub label: Label,
    /// The number of the source's item.
    pub number: Id<Local>,
    pub at: Reach,
}

impl<'d> Lower<'d> {
    /// The body of the loop of a chain.
    pub(super) fn chain_body(&mut self, chain: &mut Chain<'_>, flow: &Flow, sink: Sink<'_, 'd>) -> Vec<Stmt> {
        let Flow { label, number, at } = *flow;
        let mut stmts = Vec::new();
        // std asks nobody for an item once there have been enough.
        for stage in &chain.stages {
            if let Stage::Take { left } = stage {
                let (left, zero) = (self.read(*left, at), self.number_of(0, at));
                let enough = self.of_two(Op::Eq, left, zero, at);
                let leave = self.jump_out(label, at);
                stmts.push(self.branch(enough, vec![leave], Vec::new(), at));
            }
        }
        let item = match &mut chain.source {
            Source::Range { .. } => Item::Value(number),
            Source::Numbered(items) => self.item_at(items, number, at, &mut stmts),
        };
        self.flow(&mut chain.stages, flow, item, &mut stmts, sink);
        stmts
    }

    fn flow(&mut self, stages: &mut [Stage<'_>], flow: &Flow, item: Item, stmts: &mut Vec<Stmt>, sink: Sink<'_, 'd>) {
        let Flow { label, number, at } = *flow;
        let Some((stage, rest)) = stages.split_first_mut() else { return sink(self, &item, stmts) };
        match stage {
            Stage::Map(function) => {
                let (value, tap) = self.apply_typed(function, &[&item], stmts);
                let value = Item::Value(self.keep(value, tap, at, stmts));
                self.flow(rest, flow, value, stmts, sink);
            }
            Stage::Inspect(function) => {
                let value = self.ask(function, &item, stmts);
                stmts.push(Stmt::Expr(value));
                self.flow(rest, flow, item, stmts, sink);
            }
            Stage::Filter(function) => {
                let passes = self.ask(function, &item, stmts);
                let mut then = Vec::new();
                self.flow(rest, flow, item, &mut then, sink);
                stmts.push(self.branch(passes, then, Vec::new(), at));
            }
            Stage::TakeWhile(function) => {
                let passes = self.ask(function, &item, stmts);
                let mut then = Vec::new();
                self.flow(rest, flow, item, &mut then, sink);
                let leave = self.jump_out(label, at);
                stmts.push(self.branch(passes, then, vec![leave], at));
            }
            Stage::SkipWhile { function, skipping } => {
                let skipping = *skipping;
                let mut test = Vec::new();
                let skipped = self.ask(function, &item, &mut test);
                let test = Block { stmts: test, tail: Some(skipped) };
                let test = self.push(ExprKind::Block(test), Own::Closed, at);
                let still = self.read(skipping, at);
                let cond = self.push(ExprKind::LazyAnd(still, test), Own::Closed, at);
                let no = self.push(ExprKind::Bool(false), Own::Closed, at);
                let mut otherwise = vec![self.set(skipping, no, at)];
                self.flow(rest, flow, item, &mut otherwise, sink);
                stmts.push(self.branch(cond, Vec::new(), otherwise, at));
            }
            Stage::Number { counter: None } => {
                self.flow(rest, flow, Item::pair(Item::Value(number), item), stmts, sink);
            }
            Stage::Number { counter: Some(counter) } => {
                let number = self.counted(*counter, at, stmts);
                self.flow(rest, flow, Item::pair(Item::Value(number), item), stmts, sink);
            }
            Stage::Zip { items, counter, len } => {
                let (next, len) = (self.read(*counter, at), *len);
                let over = self.of_two(Op::Ge, next, len, at);
                let leave = self.jump_out(label, at);
                stmts.push(self.branch(over, vec![leave], Vec::new(), at));
                let number = self.counted(*counter, at, stmts);
                let other = self.item_at(items, number, at, stmts);
                self.flow(rest, flow, Item::pair(item, other), stmts, sink);
            }
            Stage::Skip { left } => {
                let (cond, less) = self.some_left(*left, at);
                let mut otherwise = Vec::new();
                self.flow(rest, flow, item, &mut otherwise, sink);
                stmts.push(self.branch(cond, vec![less], otherwise, at));
            }
            Stage::Take { left } => {
                let (_, less) = self.some_left(*left, at);
                stmts.push(less);
                self.flow(rest, flow, item, stmts, sink);
            }
            Stage::StepBy { step, left } => {
                let (left, step) = (*left, *step);
                let (cond, less) = self.some_left(left, at);
                let one = self.number_of(1, at);
                let between = self.of_two(Op::Sub, step, one, at);
                let mut otherwise = vec![self.set(left, between, at)];
                self.flow(rest, flow, item, &mut otherwise, sink);
                stmts.push(self.branch(cond, vec![less], otherwise, at));
            }
        }
    }

    /// The value of a counter, which goes one up.
    fn counted(&mut self, counter: Id<Local>, at: Reach, stmts: &mut Vec<Stmt>) -> Id<Local> {
        let now = self.read(counter, at);
        let number = self.keep_number(now, at, stmts);
        let one = self.number_of(1, at);
        stmts.push(self.update_by(counter, Op::Add, one, at));
        number
    }

    /// Whether a counter is above zero, and the statement by which it goes one down.
    fn some_left(&mut self, left: Id<Local>, at: Reach) -> (Id<Expr>, Stmt) {
        let (now, zero, one) = (self.read(left, at), self.number_of(0, at), self.number_of(1, at));
        let cond = self.of_two(Op::Gt, now, zero, at);
        (cond, self.update_by(left, Op::Sub, one, at))
    }

    /// `break`
    pub(super) fn jump_out(&mut self, label: Label, at: Reach) -> Stmt {
        Stmt::Expr(self.push(ExprKind::Break { label, value: None }, Own::Never, at))
    }

    /// The loop of a chain, with what comes before it.
    pub(super) fn chain_loop(
        &mut self,
        mut chain: Chain<'_>,
        label: Label,
        at: Reach,
        sink: Sink<'_, 'd>,
    ) -> Vec<Stmt> {
        let domain = self.chain_domain(&mut chain, at);
        let number = self.variable_of(&chain, at);
        let body = self.chain_body(&mut chain, &Flow { label, number, at }, sink);
        let mut stmts = chain.before;
        stmts.push(self.for_of(label, number, domain, body, at));
        stmts
    }

    fn for_of(&mut self, label: Label, number: Id<Local>, domain: Domain, body: Vec<Stmt>, at: Reach) -> Stmt {
        let looped = ExprKind::For {
            label,
            pattern: Pattern::Bind(number),
            domain: Box::new(domain),
            unroll: Default::default(),
            body: Block { stmts: body, tail: None },
        };
        Stmt::Expr(self.push(looped, Own::Closed, at))
    }
}
