//! `match`, `if let`, `while let`, `let .. else`, `matches!`: chains of `if`s over a variable that holds the value.
//!
//! Whether the arms cover everything is for rustc to say, in the native body: the last arm is taken without a test.
use proc_macro2::Ident;
use qd_ir::arena::Id;
use qd_ir::op::Op;
use qd_ir::sketch::{Block, Expr, ExprKind, Local, Pattern, Place, Stmt};

use super::refutable::{Refutable, Subject};
use super::{Lower, Own};
use crate::reach::Reach;
use crate::syntax;
use crate::taps::replace;

/// A chain of conditions, some of them `let`s.
#[derive(Default)]
pub(super) struct Chain {
    /// What comes before it.
    pub before: Vec<Stmt>,
    /// What it binds, where it holds.
    pub binds: Vec<Stmt>,
}

/// An arm, lowered.
pub(super) struct Arm<T> {
    /// Whether it is taken; always, if there is none.
    pub test: Option<Id<Expr>>,
    /// What it binds.
    pub binds: Vec<Stmt>,
    /// What it does.
    pub body: T,
}

impl Lower<'_> {
    /// `match value { .. }`
    pub(super) fn match_expr(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Match(matched) = syntax else { return self.poison(at) };
        let (local, init) = self.matched(&mut matched.expr);
        let arms = self.arms(matched, local, |this, body| this.expr(body));
        let mut chain: Option<(Id<Expr>, Own)> = None;
        for Arm { test, binds, body } in arms.into_iter().rev() {
            let own = self.own(body);
            let block = Block { stmts: binds, tail: Some(body) };
            chain = Some(match (test, chain) {
                (Some(cond), Some((otherwise, other))) => {
                    let own = own.either(other);
                    let kind = ExprKind::If { cond, then: block, otherwise: Some(otherwise) };
                    (self.push(kind, own, at), own)
                }
                (_, None) | (None, Some(_)) => (self.push(ExprKind::Block(block), own, at), own),
            });
        }
        // No arms: rustc's to report.
        let Some((tail, own)) = chain else { return self.poison(at) };
        let stmts = vec![Stmt::Let { pattern: Pattern::Bind(local), init: Some(init) }];
        self.push(ExprKind::Block(Block { stmts, tail: Some(tail) }), own, at)
    }

    /// The variable that holds the value of a `match`, and its initialisation.
    pub(super) fn matched(&mut self, value: &mut syn::Expr) -> (Id<Local>, Id<Expr>) {
        let at = Reach::of_expr(value);
        let init = self.expr(value);
        let (local, name) = self.hidden("__qd_matched", at);
        self.bind_kinds(&Pattern::Bind(local), init);
        let known = self.known_tap_of(init);
        self.locals[local].tap = Some(known.unwrap_or_else(|| self.taps.value(value, &name)));
        (local, init)
    }

    /// The arms, up to the first that is always taken.
    pub(super) fn arms<T>(
        &mut self,
        matched: &mut syn::ExprMatch,
        local: Id<Local>,
        mut body: impl FnMut(&mut Self, &mut syn::Expr) -> T,
    ) -> Vec<Arm<T>> {
        let mut arms = Vec::new();
        let mut covered = false;
        for arm in &mut matched.arms {
            let (pattern, guard) = match &mut arm.pat {
                syn::Pat::Guard(guarded) => (&mut *guarded.pat, Some(&mut *guarded.guard)),
                pattern => (pattern, None),
            };
            let (lowered, looks) = self.scoped(|this| {
                let Refutable { test, binds } = this.refutable(pattern, &Subject::of(local));
                let guard = guard.map(|guard| this.without(&binds, |this| this.condition(guard)));
                let test = match (test, guard) {
                    (Some(test), Some(guard)) => {
                        let at = this.reaches[guard.index()];
                        Some(this.push(ExprKind::LazyAnd(test, guard), Own::Closed, at))
                    }
                    (test, guard) => test.or(guard),
                };
                Arm { test, binds, body: body(this, &mut arm.body) }
            });
            replace(&mut arm.body, |inner| syntax::block(looks, inner));
            if !covered {
                covered = lowered.test.is_none();
                arms.push(lowered);
            }
        }
        // What isn't covered rustc reports once, in the native body.
        matched.arms.push(syntax::endless_arm());
        arms
    }

    /// Lowers what comes before the names of `binds` are bound, though it may use them: they stand for their values.
    /// So a test of the plan, which is a task of its own, binds nothing that others use.
    fn without(&mut self, binds: &[Stmt], lower: impl FnOnce(&mut Self) -> Id<Expr>) -> Id<Expr> {
        let first = self.exprs.len();
        let lowered = lower(self);
        for bind in binds {
            let Stmt::Let { pattern: Pattern::Bind(local), init: Some(init) } = bind else { continue };
            let value = self.exprs[*init].kind.clone();
            for id in (first..self.exprs.len()).map(Id::new) {
                if self.exprs[id].kind == ExprKind::Local(*local) {
                    self.exprs[id].kind = value.clone();
                }
            }
        }
        lowered
    }

    /// Runs `lower` in a scope of its own. Gives, for the copy, statements that look at the names it brought: they
    /// belong where those are in scope.
    pub(super) fn scoped<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> (T, Vec<syn::Stmt>) {
        let first = self.checked_names.len();
        self.scope.enter();
        self.groups.push(Vec::new());
        let lowered = lower(self);
        let mut looks = self.look();
        self.scope.leave();
        looks.extend(self.checked(first));
        (lowered, looks)
    }

    /// Statements that rustc refuses where a name that binds is really a constant.
    pub(super) fn checked(&mut self, first: usize) -> Vec<syn::Stmt> {
        let names: Vec<Ident> = self.checked_names.drain(first..).collect();
        if names.is_empty() {
            return Vec::new();
        }
        let values = names.iter().map(|_| quote::quote!(()));
        vec![syntax::statement(quote::quote!(let (#(#names @ _,)*) = (#(#values,)*)))]
    }

    /// What follows `if` or `while`; names that it binds come into scope. It is evaluated once if `once`.
    pub(super) fn chain(&mut self, syntax: &mut syn::Expr, once: bool, chain: &mut Chain) -> Id<Expr> {
        let at = Reach::of_expr(syntax);
        match syntax {
            syn::Expr::Group(inner) => self.chain(&mut inner.expr, once, chain),
            syn::Expr::Let(condition) => {
                let (local, value) = self.matched(&mut condition.expr);
                let Refutable { test, binds } = self.refutable(&mut condition.pat, &Subject::of(local));
                chain.binds.extend(binds);
                let test = test.unwrap_or_else(|| self.push(ExprKind::Bool(true), Own::Closed, at));
                let pattern = Pattern::Bind(local);
                if once {
                    chain.before.push(Stmt::Let { pattern, init: Some(value) });
                    return test;
                }
                // It gets its value when its turn comes.
                self.locals[local].assigned = true;
                chain.before.push(Stmt::Let { pattern, init: None });
                let set = self.push(ExprKind::Assign { place: Place::Local(local), value }, Own::Closed, at);
                self.push(ExprKind::Block(Block { stmts: vec![Stmt::Expr(set)], tail: Some(test) }), Own::Closed, at)
            }
            syn::Expr::Binary(syn::ExprBinary { left, op: syn::BinOp::And(_), right, .. }) => {
                let left = self.chain(left, false, chain);
                let bound = chain.binds.clone();
                let right = self.without(&bound, |this| this.chain(right, false, chain));
                self.push(ExprKind::LazyAnd(left, right), Own::Closed, at)
            }
            other => self.expr(other),
        }
    }

    /// `let pattern = value else { .. };`
    pub(super) fn let_else(&mut self, local: &mut syn::Local, into: &mut Vec<Stmt>) {
        let at = Reach::of(local);
        let Some(syn::LocalInit { expr, diverge: Some((_, otherwise)), .. }) = &mut local.init else { return };
        let (subject, value) = self.matched(expr);
        let leave = self.expr(otherwise);
        let first = self.checked_names.len();
        let Refutable { test, binds } = self.refutable(&mut local.pat, &Subject::of(subject));
        let checks = self.checked(first);
        replace(otherwise, |inner| syntax::block(checks, inner));
        into.push(Stmt::Let { pattern: Pattern::Bind(subject), init: Some(value) });
        if let Some(test) = test {
            let cond = self.push(ExprKind::Op { op: Op::Not, args: vec![test] }, Own::Closed, at);
            let then = Block { stmts: vec![Stmt::Expr(leave)], tail: None };
            into.push(Stmt::Expr(self.push(ExprKind::If { cond, then, otherwise: None }, Own::Closed, at)));
        }
        into.extend(binds);
    }
}

/// `matches!(value, pattern if guard)` as the `match` it stands for.
pub(super) fn matches(call: &syn::Macro) -> syn::Result<syn::Expr> {
    use syn::parse::ParseStream;
    call.parse_body_with(|input: ParseStream<'_>| {
        let value: syn::Expr = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
        let guard: Option<syn::Expr> = match input.parse::<Option<syn::Token![if]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        input.parse::<Option<syn::Token![,]>>()?;
        let guard = guard.map(|guard| quote::quote!(if #guard));
        Ok(syn::parse_quote!(match #value { #pattern #guard => true, _ => false }))
    })
}
