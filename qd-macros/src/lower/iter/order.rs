//! Ends that compare items as they are told: `min_by(|a, b| a.total_cmp(b))`, `max_by_key(|v| v.rank)`.
//!
//! Kernels have no `Ordering`: what such a closure gives is seen from how it is written. Items are taken in order, as std
//! does: of equal ones `min_by` gives the first, `max_by` the last.
use qd_ir::arena::Id;
use qd_ir::message::Message;
use qd_ir::op::Op;
use qd_ir::sketch::{Block, Expr, ExprKind, Local, Saying, Stmt, TapId};
use quote::ToTokens;

use super::super::expr::name_reach;
use super::super::{Lower, Own, unwrap_parens};
use super::found::Found;
use super::item::Item;
use super::{Chain, bare};
use crate::diagnostic::Code;
use crate::reach::Reach;
use crate::syntax;
use crate::taps::replace;

/// How two values are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    /// `cmp`
    Ordered,
    /// `total_cmp`
    Total,
}

impl<'d> Lower<'d> {
    /// `min_by`, `max_by`
    pub(super) fn extremum_by(
        &mut self,
        mut chain: Chain<'_>,
        function: &mut syn::ExprClosure,
        greatest: bool,
        tap: TapId,
        at: Reach,
    ) -> Option<Found> {
        let (best, declare) = self.empty(tap, at);
        let some = self.flag(false, &mut chain, at);
        chain.before.push(declare);
        let label = self.next_label();
        let stmts = self.chain_loop(chain, label, at, &mut |this, item, stmts| {
            let first = this.read(some, at);
            let mut then = Vec::new();
            let greater = this.item_greater(function, [&Item::Value(best), item], &mut then);
            let replace = this.replaces(greater, greatest, at);
            let value = this.item_value(item, at);
            let better = vec![this.set(best, value, at)];
            then.push(this.branch(replace, better, Vec::new(), at));
            let otherwise = this.first_item(best, some, item, at);
            stmts.push(this.branch(first, then, otherwise, at));
        });
        let (some, value) = (self.read(some, at), self.read(best, at));
        Some(Found { stmts, some, value })
    }

    /// `min_by_key`, `max_by_key`: the key of each item is computed once.
    pub(super) fn extremum_by_key(
        &mut self,
        mut chain: Chain<'_>,
        function: &mut syn::ExprClosure,
        greatest: bool,
        tap: TapId,
        at: Reach,
    ) -> Option<Found> {
        let (best, declare) = self.empty(tap, at);
        let some = self.flag(false, &mut chain, at);
        chain.before.push(declare);
        let label = self.next_label();
        let mut before = None;
        let mut stmts = self.chain_loop(chain, label, at, &mut |this, item, stmts| {
            let key = this.ask(function, item, stmts);
            let key_tap = this.taps.erased(&mut function.body);
            let key = this.keep(key, key_tap, at, stmts);
            let (best_key, declare) = this.empty(key_tap, at);
            before = Some(declare);
            let (old, new) = (this.read(best_key, at), this.read(key, at));
            let greater = this.of_two(Op::Gt, old, new, at);
            let replace = this.replaces(greater, greatest, at);
            let take = |this: &mut Self| {
                let (key, value) = (this.read(key, at), this.item_value(item, at));
                vec![this.set(best_key, key, at), this.set(best, value, at)]
            };
            let better = take(this);
            let then = vec![this.branch(replace, better, Vec::new(), at)];
            let mut otherwise = take(this);
            let yes = this.push(ExprKind::Bool(true), Own::Closed, at);
            otherwise.push(this.set(some, yes, at));
            let first = this.read(some, at);
            stmts.push(this.branch(first, then, otherwise, at));
        });
        stmts.splice(0..0, before);
        let (some, value) = (self.read(some, at), self.read(best, at));
        Some(Found { stmts, some, value })
    }

    /// Whether the next item takes the place of the best one, if that is `greater` or not.
    fn replaces(&mut self, greater: Id<Expr>, greatest: bool, at: Reach) -> Id<Expr> {
        match greatest {
            true => self.push(ExprKind::Op { op: Op::Not, args: vec![greater] }, Own::Closed, at),
            false => greater,
        }
    }

    fn first_item(&mut self, best: Id<Local>, some: Id<Local>, item: &Item, at: Reach) -> Vec<Stmt> {
        let value = self.item_value(item, at);
        let yes = self.push(ExprKind::Bool(true), Own::Closed, at);
        vec![self.set(best, value, at), self.set(some, yes, at)]
    }

    /// Whether a closure that compares gives `Greater` for two items, each behind a reference.
    fn item_greater(&mut self, closure: &mut syn::ExprClosure, items: [&Item; 2], stmts: &mut Vec<Stmt>) -> Id<Expr> {
        let syn::ExprClosure { inputs, body, .. } = closure;
        let (id, looks) = self.scoped(|this| {
            for (pattern, item) in inputs.iter_mut().zip(items) {
                this.bind_item(pattern, item, 1, stmts);
            }
            this.in_chain += 1;
            let id = this.greater(body, stmts);
            this.in_chain -= 1;
            id
        });
        // As all of the copy, it isn't to be made code of.
        let never = syntax::statement(quote::quote!(loop {}));
        replace(body, |inner| syntax::block([never].into_iter().chain(looks), inner));
        id
    }

    /// Whether an expression of type `Ordering` is `Greater`.
    fn greater(&mut self, syntax: &mut syn::Expr, stmts: &mut Vec<Stmt>) -> Id<Expr> {
        let at = Reach::of(syntax);
        let reversed =
            matches!(bare(syntax), syn::Expr::MethodCall(call) if call.method == "reverse" && call.args.is_empty());
        let ordering = match unwrap_parens(syntax) {
            syn::Expr::MethodCall(call) if reversed => unwrap_parens(&mut call.receiver),
            other => other,
        };
        // `partial_cmp(..).unwrap()`
        let fails = match ordering {
            syn::Expr::MethodCall(call) => match (call.method.to_string().as_str(), call.args.first()) {
                ("unwrap", None) => Some("called `Option::unwrap()` on a `None` value".to_owned()),
                ("expect", Some(message)) => match bare(message) {
                    syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
                    _ => return self.refuse_order(at),
                },
                _ => None,
            }
            .map(|text| (text, name_reach(&call.method))),
            _ => None,
        };
        let compared = match ordering {
            syn::Expr::MethodCall(call) if fails.is_some() => unwrap_parens(&mut call.receiver),
            other => other,
        };
        let Some((name, [a, b])) = operands(compared) else { return self.refuse_order(at) };
        let comparison = match (name.as_str(), &fails) {
            ("cmp", None) | ("partial_cmp", Some(_)) => Comparison::Ordered,
            ("total_cmp", None) => Comparison::Total,
            _ => return self.refuse_order(at),
        };
        let [a, b] = [a, b].map(|syntax| {
            let id = self.expr(syntax);
            let id = self.close(id, syntax);
            let tap = self.taps.reserve(syntax);
            self.taps.erased_by(&tap, syntax);
            self.keep(id, tap.id, at, stmts)
        });
        if let Some((text, at)) = fails {
            let read = [a, b, a, b].map(|local| self.read(local, at));
            let below = self.of_two(Op::Le, read[0], read[1], at);
            let above = self.of_two(Op::Ge, read[2], read[3], at);
            let ordered = self.push(ExprKind::LazyOr(below, above), Own::Closed, at);
            let message = Message::text(text);
            let fail = self.push(ExprKind::Say { what: Saying::Panic, message, args: Vec::new() }, Own::Never, at);
            stmts.push(self.branch(ordered, Vec::new(), vec![Stmt::Expr(fail)], at));
        }
        let (a, b) = if reversed { (b, a) } else { (a, b) };
        match comparison {
            Comparison::Ordered => {
                let (a, b) = (self.read(a, at), self.read(b, at));
                self.of_two(Op::Gt, a, b, at)
            }
            Comparison::Total => self.total_greater(a, b, at),
        }
    }

    /// `a.total_cmp(b) == Greater`: by sign, then by bits, which of negative numbers count backwards.
    fn total_greater(&mut self, a: Id<Local>, b: Id<Local>, at: Reach) -> Id<Expr> {
        let of = |this: &mut Self, op: Op, local: Id<Local>| {
            let value = this.read(local, at);
            this.push(ExprKind::Op { op, args: vec![value] }, Own::Closed, at)
        };
        let signs = [a, b].map(|local| of(self, Op::IsSignNegative, local));
        let apart = self.of_two(Op::Ne, signs[0], signs[1], at);
        let bits = [a, b, a, b].map(|local| of(self, Op::ToBits, local));
        let (less, greater) = (self.of_two(Op::Lt, bits[0], bits[1], at), self.of_two(Op::Gt, bits[2], bits[3], at));
        let [negative, other] = [a, b].map(|local| of(self, Op::IsSignNegative, local));
        let alike = self.choice(negative, less, greater, at);
        self.choice(apart, other, alike, at)
    }

    /// `if cond { then } else { otherwise }`
    fn choice(&mut self, cond: Id<Expr>, then: Id<Expr>, otherwise: Id<Expr>, at: Reach) -> Id<Expr> {
        let then = Block { stmts: Vec::new(), tail: Some(then) };
        self.push(ExprKind::If { cond, then, otherwise: Some(otherwise) }, Own::Closed, at)
    }

    fn refuse_order(&mut self, at: Reach) -> Id<Expr> {
        self.diagnostics.push(
            Code::Chain,
            at,
            "kernels have no `Ordering`: how items compare is seen from how the closure is written",
            "write `|a, b| a.total_cmp(b)`, `a.cmp(b)`, or `a.partial_cmp(b)` with `unwrap` behind, maybe of parts, \
             `a.x.cmp(&b.x)`, and with `reverse` behind",
        );
        self.poison(at)
    }
}

/// The name and the operands of `a.cmp(b)`, `f32::total_cmp(a, b)`.
fn operands(syntax: &mut syn::Expr) -> Option<(String, [&mut syn::Expr; 2])> {
    match syntax {
        syn::Expr::MethodCall(call) if call.args.len() == 1 => {
            let name = call.method.to_string();
            Some((name, [&mut *call.receiver, call.args.first_mut()?]))
        }
        syn::Expr::Call(call) if call.args.len() == 2 => {
            let syn::Expr::Path(path) = bare(&call.func) else { return None };
            let name = path.path.segments.last()?.ident.to_token_stream().to_string();
            let mut args = call.args.iter_mut();
            Some((name, [args.next()?, args.next()?]))
        }
        _ => None,
    }
}
