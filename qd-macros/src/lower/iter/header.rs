//! Loops over iterators: `for (i, v) in x.iter_mut().enumerate()`.
//!
//! Plain ranges, `indices()` and `ndrange` stay as they are.
use qd_ir::arena::Id;
use qd_ir::body::Unroll;
use qd_ir::sketch::{Block, Construct, ConstructKind, Domain, Expr, ExprKind, Pattern, Place, Stmt};
use qd_ir::source_map::Pos;

use super::super::attributes::Sizes;
use super::super::carried::Carried;
use super::super::domain::is_range;
use super::super::plan::Top;
use super::super::scope::Binding;
use super::super::{FrameKind, Lower, Own};
use super::flow::Flow;
use super::item::{Base, Element, Item, Mode};
use super::{Chain, Kind, bare, kind};
use crate::diagnostic::Code;
use crate::reach::Reach;

impl<'d> Lower<'d> {
    /// Whether a loop over this is one over an iterator.
    pub(in super::super) fn iterates(&self, syntax: &mut syn::Expr) -> bool {
        if is_range(syntax) {
            return false;
        }
        match bare(syntax) {
            syn::Expr::Path(path) => match path.path.get_ident().and_then(|name| self.scope.find(name)) {
                Some(Binding::Local(local)) => !self.named.contains_key(&local),
                Some(Binding::Array(_) | Binding::Element(_) | Binding::Item) | None => true,
            },
            syn::Expr::Reference(_)
            | syn::Expr::Array(_)
            | syn::Expr::Repeat(_)
            | syn::Expr::Field(_)
            | syn::Expr::Index(_) => true,
            // What else a method gives may be an array.
            syn::Expr::MethodCall(call) => {
                kind(syntax) == Kind::Iterator || !["indices", "rev", "step_by"].iter().any(|name| call.method == name)
            }
            syn::Expr::Call(call) => {
                let domain = |path: &syn::ExprPath| {
                    path.path.segments.last().is_some_and(|last| last.ident == "ndrange" || last.ident == "segments")
                };
                !matches!(bare(&call.func), syn::Expr::Path(path) if domain(path))
            }
            // Ranges have messages of their own, and nothing else is an iterator.
            _ => false,
        }
    }

    /// A loop over an iterator inside a construct.
    pub(in super::super) fn nested_iteration(
        &mut self,
        looped: &mut syn::ExprForLoop,
        unroll: Unroll,
        at: Reach,
    ) -> Id<Expr> {
        let syn::ExprForLoop { label, pat, expr, body, .. } = looped;
        let Some(mut chain) = self.chain_of(expr) else { return self.skip_iteration(label.as_ref(), pat, body, at) };
        let domain = self.chain_domain(&mut chain, at);
        let number = self.variable_of(&chain, at);
        let label = self.open_loop(label.as_ref(), FrameKind::Plain);
        let flow = Flow { label, number, at };
        let stmts = self.chain_body(&mut chain, &flow, &mut |this, item, stmts| {
            let block = this.loop_body(pat, body, item);
            stmts.push(Stmt::Expr(this.push(ExprKind::Block(block), Own::Closed, at)));
        });
        self.frames.pop();
        let mut before = chain.before;
        let kind = ExprKind::For {
            label,
            pattern: Pattern::Bind(number),
            domain: Box::new(domain),
            unroll,
            body: Block { stmts, tail: None },
        };
        let looped = self.push(kind, Own::Closed, at);
        if before.is_empty() {
            return looped;
        }
        before.push(Stmt::Expr(looped));
        self.push(ExprKind::Block(Block { stmts: before, tail: None }), Own::Closed, at)
    }

    /// A loop over an iterator at the top level: a construct, and before it what its operands are.
    pub(in super::super) fn parallel_iteration(
        &mut self,
        looped: &mut syn::ExprForLoop,
        sizes: Sizes,
        pos: Pos,
        into: &mut Vec<Top>,
    ) {
        let at = Reach::of(&looped.expr);
        let syn::ExprForLoop { label, pat, expr, body, .. } = looped;
        let Some(chain) = self.chain_of(expr) else {
            self.skip_iteration(label.as_ref(), pat, body, at);
            return;
        };
        if chain.ordered {
            self.diagnostics.push(
                Code::Chain,
                at,
                "this chain counts its items, so they come one after the other, and iterations run in any order",
                "put `take`, `skip`, `step_by`, `zip` and `enumerate` before `filter`; or run the loop in order, by \
                 `#[qd::serial]`",
            );
        }
        let label = self.open_loop(label.as_ref(), FrameKind::Parallel);
        self.parallel_chain(chain, label, at, pos, sizes, into, &mut |this, item, stmts| {
            let block = this.loop_body(pat, body, item);
            stmts.push(Stmt::Expr(this.push(ExprKind::Block(block), Own::Closed, at)));
        });
        self.frames.pop();
    }

    /// A chain as a parallel loop.
    #[expect(clippy::too_many_arguments, reason = "what a construct is made of")]
    pub(super) fn parallel_chain(
        &mut self,
        mut chain: Chain<'_>,
        label: qd_ir::sketch::Label,
        at: Reach,
        pos: Pos,
        sizes: Sizes,
        into: &mut Vec<Top>,
        sink: super::flow::Sink<'_, 'd>,
    ) {
        let mut domain = self.chain_domain(&mut chain, at);
        let before = std::mem::take(&mut chain.before);
        if chain.binds {
            into.extend(before.into_iter().map(|stmt| Top::Stmt(stmt, pos)));
        } else if !before.is_empty() {
            // Checks belong to the bounds.
            match &mut domain {
                Domain::Range { hi, .. } | Domain::Steps(qd_ir::sketch::Steps { hi, .. }) => {
                    let block = Block { stmts: before, tail: Some(*hi) };
                    *hi = self.push(ExprKind::Block(block), Own::Closed, at);
                }
                // No chain runs over these.
                Domain::Indices(_) | Domain::Segments(_) | Domain::Ndrange(_) => {}
            }
        }
        self.carried = Some(Carried::new(self.locals.len(), self.exprs.len()));
        let number = self.variable_of(&chain, at);
        let stmts = self.chain_body(&mut chain, &Flow { label, number, at }, sink);
        let body = Block { stmts, tail: None };
        let reductions = self.finish_carried(&body);
        let pattern = Pattern::Bind(number);
        let kind = ConstructKind::Parallel { domain, pattern, label, reductions, body };
        into.push(Top::Parallel(Construct { pos, grain: sizes.grain, block: sizes.block, apart: Vec::new(), kind }));
    }

    /// The body of a loop for an item.
    fn loop_body(&mut self, pattern: &mut syn::Pat, body: &mut syn::Block, item: &Item) -> Block {
        let mut binds = Vec::new();
        let (mut block, _) = self.block(body, |this| this.bind_item(pattern, item, 0, &mut binds));
        block.stmts.splice(0..0, binds);
        block
    }

    /// Walks over the body of a loop whose iterator is refused, for the messages in it.
    pub(in super::super) fn skip_iteration(
        &mut self,
        label: Option<&syn::Label>,
        pattern: &mut syn::Pat,
        body: &mut syn::Block,
        at: Reach,
    ) -> Id<Expr> {
        self.open_loop(label, FrameKind::Plain);
        let (local, _) = self.hidden("__qd_number", at);
        // Whatever is done with an item is no further error.
        let nowhere =
            Element { base: Base::Place(Place::Local(local)), index: local, path: Vec::new(), mode: Mode::Exclusive };
        self.loop_body(pattern, body, &Item::Element(nowhere));
        self.frames.pop();
        self.poison(at)
    }
}
