//! Control flow inside a construct: `if`, loops, blocks with labels, `break`, `continue`.
use qd_ir::arena::Id;
use qd_ir::sketch::{Block, Domain, Expr, ExprKind, Label, Stmt};

use super::carried::Carried;
use super::matching::Chain;
use super::{Frame, FrameKind, Lower, Own, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;

impl Lower<'_> {
    /// `if cond { } else { }`
    pub(super) fn if_else(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::If(branches) = syntax else { return self.poison(at) };
        let mark = self.carried.as_ref().map(Carried::mark);
        let ((cond, chain, mut then, then_own), looks) = self.scoped(|this| {
            let mut chain = Chain::default();
            let cond = this.chain(&mut branches.cond, true, &mut chain);
            let (then, own) = this.block(&mut branches.then_branch, |_| ());
            (cond, chain, then, own)
        });
        branches.then_branch.stmts.splice(0..0, looks);
        then.stmts.splice(0..0, chain.binds);
        let otherwise = branches.else_branch.as_mut().map(|(_, otherwise)| self.expr(otherwise));
        if let Some(mark) = mark
            && chain.before.is_empty()
            && let Some(extreme) = self.extreme_if(mark, (cond, &mut branches.cond), &then, otherwise.is_some(), at)
        {
            return extreme;
        }
        let own = match otherwise {
            Some(otherwise) => then_own.either(self.own(otherwise)),
            None => Own::Closed,
        };
        let branch = self.push(ExprKind::If { cond, then, otherwise }, own, at);
        self.behind(chain.before, branch, own, at)
    }

    /// `{ before; value }`
    fn behind(&mut self, before: Vec<Stmt>, value: Id<Expr>, own: Own, at: Reach) -> Id<Expr> {
        if before.is_empty() {
            return value;
        }
        self.push(ExprKind::Block(Block { stmts: before, tail: Some(value) }), own, at)
    }

    /// A condition where nothing can be bound.
    pub(super) fn condition(&mut self, syntax: &mut syn::Expr) -> Id<Expr> {
        if contains_let(syntax) {
            self.diagnostics.on(
                Code::Match,
                syntax,
                "`let` in the guard of an arm is not part of the kernel language yet",
                "write an `if let` in the arm",
            );
            return self.poison(Reach::of(syntax));
        }
        self.expr(syntax)
    }

    /// A loop's name; a new number.
    pub(super) fn open_loop(&mut self, label: Option<&syn::Label>, kind: FrameKind) -> Label {
        let name = label.map(|label| label.name.ident.to_string());
        let label = self.next_label();
        self.frames.push(Frame { name, label, kind });
        label
    }

    /// `while cond { }`
    pub(super) fn while_loop(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::While(looped) = syntax else { return self.poison(at) };
        let label = self.open_loop(looped.label.as_ref(), FrameKind::Plain);
        let ((cond, chain, mut body), looks) = self.scoped(|this| {
            let mut chain = Chain::default();
            let cond = this.chain(&mut looped.cond, false, &mut chain);
            let (body, _) = this.block(&mut looped.body, |_| ());
            (cond, chain, body)
        });
        looped.body.stmts.splice(0..0, looks);
        body.stmts.splice(0..0, chain.binds);
        self.frames.pop();
        let looped = self.push(ExprKind::While { label, cond, body }, Own::Closed, at);
        self.behind(chain.before, looped, Own::Closed, at)
    }

    /// `loop { }`
    pub(super) fn endless_loop(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Loop(looped) = syntax else { return self.poison(at) };
        let kind = FrameKind::Loop { left: false, valued: false };
        let label = self.open_loop(looped.label.as_ref(), kind);
        let (body, _) = self.block(&mut looped.body, |_| ());
        let kind = self.frames.pop().map_or(kind, |frame| frame.kind);
        let (own, tap) = match kind {
            FrameKind::Loop { left: _, valued: true } => {
                let (_, name) = self.hidden("__qd_loop", at);
                (Own::Closed, Some(self.taps.value(syntax, &name)))
            }
            FrameKind::Loop { left: false, valued: false } => (Own::Never, None),
            FrameKind::Loop { left: true, valued: false }
            | FrameKind::Block { .. }
            | FrameKind::Parallel
            | FrameKind::Plain
            | FrameKind::Plan => (Own::Closed, None),
        };
        self.push(ExprKind::Loop { label, body, tap }, own, at)
    }

    /// `'a: { .. break 'a value; .. }`: as a `loop` that ends in a `break`.
    pub(super) fn labelled_block(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Block(labelled) = syntax else { return self.poison(at) };
        let label = self.open_loop(labelled.label.as_ref(), FrameKind::Block { left: false, valued: false });
        let (mut body, own) = self.block(&mut labelled.block, |_| ());
        let (left, valued) = match self.frames.pop().map(|frame| frame.kind) {
            Some(FrameKind::Block { left, valued }) => (left, valued),
            _ => (false, false),
        };
        if !left {
            return self.push(ExprKind::Block(body), own, at);
        }
        let tail = body.tail.take();
        let value = if valued {
            tail
        } else {
            body.stmts.extend(tail.map(Stmt::Expr));
            None
        };
        if own != Own::Never {
            let end = self.push(ExprKind::Break { label, value }, Own::Never, at);
            body.stmts.push(Stmt::Expr(end));
        }
        let tap = valued.then(|| {
            let (_, name) = self.hidden("__qd_block", at);
            self.taps.value(syntax, &name)
        });
        self.push(ExprKind::Loop { label, body, tap }, Own::Closed, at)
    }

    /// A `for` that isn't a construct.
    pub(super) fn nested_for(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::ForLoop(looped) = syntax else { return self.poison(at) };
        if let Some(counting) = self.counting(looped) {
            *syntax = counting;
            return self.expr(syntax);
        }
        let attributes = self.loop_attributes(looped);
        self.refuse_parallel_attributes(&attributes);
        if let Some(at) = attributes.steps {
            self.diagnostics.push(
                Code::Attribute,
                at,
                "`steps` is about loops round parallel loops, and this one stands in a task: it runs in order anyway",
                "remove the attribute",
            );
        }
        if !self.segments(looped) {
            return self.poison(at);
        }
        if self.iterates(&mut looped.expr) {
            let unroll = attributes.unroll.map(|(unroll, _)| unroll).unwrap_or_default();
            return self.nested_iteration(looped, unroll, at);
        }
        let Some(domain) = self.domain(&mut looped.expr) else {
            self.skip_loop(looped);
            return self.poison(at);
        };
        let counts = self.counts_like(&domain);
        if let Domain::Steps(_) = &domain
            && !self.counts_narrow(counts)
        {
            self.taps.counted(&mut looped.expr);
        }
        let (label, pattern, body) = self.for_body(looped, FrameKind::Plain, counts);
        let unroll = attributes.unroll.map(|(unroll, _)| unroll).unwrap_or_default();
        self.push(ExprKind::For { label, pattern, domain: Box::new(domain), unroll, body }, Own::Closed, at)
    }

    /// Pattern and body of a `for`, maybe over a range with a number `counts`.
    pub(super) fn for_body(
        &mut self,
        looped: &mut syn::ExprForLoop,
        kind: FrameKind,
        counts: Option<Id<Expr>>,
    ) -> (Label, qd_ir::sketch::Pattern, Block) {
        let label = self.open_loop(looped.label.as_ref(), kind);
        let syn::ExprForLoop { pat, body, .. } = looped;
        let mut pattern = qd_ir::sketch::Pattern::Wild;
        let (body, _) = self.block(body, |this| pattern = this.loop_pattern(pat, counts));
        self.frames.pop();
        (label, pattern, body)
    }

    /// Walks over the body of a loop whose domain is refused, for the messages in it.
    pub(super) fn skip_loop(&mut self, looped: &mut syn::ExprForLoop) {
        let at = Reach::of(&looped.expr);
        let syn::ExprForLoop { label, pat, body, .. } = looped;
        self.skip_iteration(label.as_ref(), pat, body, at);
    }

    /// `break`
    pub(super) fn break_out(&mut self, jump: &mut syn::ExprBreak, at: Reach) -> Id<Expr> {
        let value = jump.expr.as_mut().map(|value| self.expr(value));
        let Some(target) = self.target_frame(jump.label.as_ref()) else { return self.poison(at) };
        // Whatever it goes to, a jump that leaves the parallel loop can't be made.
        let leaves = self.frames[target..].iter().any(|frame| frame.kind == FrameKind::Parallel);
        match &mut self.frames[target].kind {
            FrameKind::Plan | FrameKind::Parallel if leaves => {
                self.diagnostics.push(
                    Code::Exit,
                    at,
                    "a parallel loop can't be left by `break`: its iterations run in any order",
                    "skip work with `continue` or `if`; to search, reduce the lowest index with `min`; or run the iterations in \
                     order, by `#[qd::serial]` before the loop",
                );
                return self.poison(at);
            }
            FrameKind::Plan | FrameKind::Parallel => return self.refuse_far_jump(at),
            FrameKind::Plain => {}
            FrameKind::Loop { left, valued } | FrameKind::Block { left, valued } => {
                *left = true;
                *valued |= value.is_some();
            }
        }
        let label = self.frames[target].label;
        self.push(ExprKind::Break { label, value }, Own::Never, at)
    }

    /// `continue`
    pub(super) fn continue_with(&mut self, jump: &syn::ExprContinue, at: Reach) -> Id<Expr> {
        let Some(target) = self.target_frame(jump.label.as_ref()) else { return self.poison(at) };
        match self.frames[target].kind {
            FrameKind::Plan => return self.refuse_far_jump(at),
            // A block can't be gone on with, which rustc reports.
            FrameKind::Block { .. } => return self.poison(at),
            FrameKind::Parallel | FrameKind::Plain | FrameKind::Loop { .. } => {}
        }
        let label = self.frames[target].label;
        self.push(ExprKind::Continue(label), Own::Never, at)
    }

    fn refuse_far_jump(&mut self, at: Reach) -> Id<Expr> {
        self.diagnostics.push(
            Code::Plan,
            at,
            "a loop round parallel loops can only be left by a statement of its own body",
            "set a variable here, and write `if done { break; }` directly in that loop",
        );
        self.poison(at)
    }

    /// The loop, or the block by its label, that a jump goes to; names that don't exist are rustc's to report.
    pub(super) fn target_frame(&self, label: Option<&syn::Lifetime>) -> Option<usize> {
        match label {
            None => self.frames.iter().rposition(|frame| !matches!(frame.kind, FrameKind::Block { .. })),
            Some(label) => {
                let name = label.ident.to_string();
                self.frames.iter().rposition(|frame| frame.name.as_deref() == Some(&name))
            }
        }
    }
}

/// True for `let` anywhere in a chain of `&&`.
fn contains_let(syntax: &mut syn::Expr) -> bool {
    match unwrap_parens(syntax) {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => contains_let(&mut binary.left) || contains_let(&mut binary.right),
        _ => false,
    }
}
