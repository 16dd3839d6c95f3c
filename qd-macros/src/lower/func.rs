//! Calls of `#[qd::func]` functions: which function, rustc says; here, what it is given.
use qd_ir::arena::Id;
use qd_ir::op::Op;
use qd_ir::sketch::{Arg, Expr, ExprKind, ParamId, Place};

use super::expr::name_reach;
use super::iter::Mode;
use super::scope::Binding;
use super::{Lower, Own, position, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;
use crate::taps::replace;

/// The most parameters of a function: `qd::__private::Item` is implemented for so many.
pub(super) const MAX_PARAMS: usize = 16;

impl Lower<'_> {
    /// `path(..)` of a function from outside the body.
    pub(super) fn func_call(&mut self, syntax: &mut syn::Expr, path: &syn::ExprPath, at: Reach) -> Id<Expr> {
        let syn::Expr::Call(call) = syntax else { return self.poison(at) };
        match path.path.get_ident().map(|name| (name, self.scope.find(name))) {
            Some((name, None)) if self.func.as_ref() == Some(name) => {
                self.diagnostics.push(
                    Code::Recursion,
                    at,
                    format!("`{name}` calls itself: calls are inlined where they stand, so functions can't recurse"),
                    "write a loop",
                );
                return self.poison(at);
            }
            // No function, which rustc reports.
            Some((_, Some(Binding::Local(_) | Binding::Array(_) | Binding::Element(_)))) => return self.poison(at),
            Some((_, None | Some(Binding::Item))) | None => {}
        }
        if let Some(last) = path.path.segments.last()
            && (self.refuse_closure(&last.ident, &call.args.iter().collect::<Vec<_>>()) || self.refuse_std(&path.path))
        {
            return self.poison(at);
        }
        let args: Vec<Option<Arg>> = call.args.iter_mut().map(|arg| self.argument(arg)).collect();
        let (copy, callee) = self.taps.call(call, path, at);
        *syntax = copy;
        match args.into_iter().collect() {
            Some(args) => self.push_access(ExprKind::Call { callee, args }, at),
            None => self.poison(at),
        }
    }

    /// As [`func_call`](Self::func_call), of a function whose name may also be one of qd's: then it is misused.
    pub(super) fn call_of_known(
        &mut self,
        syntax: &mut syn::Expr,
        path: &syn::ExprPath,
        known: &str,
        at: Reach,
    ) -> Id<Expr> {
        let syn::Expr::Call(call) = syntax else { return self.poison(at) };
        if self.names_a_local(path) || self.func.as_ref().is_some_and(|own| path.path.is_ident(own)) {
            return self.func_call(syntax, path, at);
        }
        let args: Vec<Option<Arg>> = call.args.iter_mut().map(|arg| self.argument(arg)).collect();
        let (copy, callee) = self.taps.call_of_known(call, path, known, at);
        *syntax = copy;
        match args.into_iter().collect() {
            Some(args) => self.push_access(ExprKind::Call { callee, args }, at),
            None => self.poison(at),
        }
    }

    /// `max(a, b)`, `min(a, b)` of values: std's, if an import has brought that, or a function of the user.
    pub(super) fn extreme_call(&mut self, syntax: &mut syn::Expr, path: &syn::ExprPath, op: Op, at: Reach) -> Id<Expr> {
        let syn::Expr::Call(call) = syntax else { return self.poison(at) };
        let mut args: Vec<Id<Expr>> = call.args.iter_mut().map(|arg| self.expr(arg)).collect();
        if args.iter().all(|arg| self.own(*arg) == Own::Open) {
            args[0] = self.close(args[0], &mut call.args[0]);
        }
        let (copy, callee) = self.taps.call_of_known(call, path, op.row().text, at);
        *syntax = copy;
        let id = self.push(ExprKind::Op { op, args }, Own::Closed, at);
        self.renew(id);
        self.note_plain(id, false);
        self.operators.push((id, callee));
        id
    }

    /// True if a function is called with two values, and by a name that no variable has.
    pub(super) fn is_of_two_values(&mut self, call: &mut syn::ExprCall, path: &syn::ExprPath) -> bool {
        let own = self.func.as_ref().is_some_and(|own| path.path.is_ident(own));
        let value = |this: &mut Self, arg: &mut syn::Expr| match unwrap_parens(arg) {
            syn::Expr::Reference(_) | syn::Expr::Range(_) => false,
            other => this.layers_of(other) == 0 && !this.names_a_reference(other),
        };
        !own && !self.names_a_local(path) && call.args.len() == 2 && call.args.iter_mut().all(|arg| value(self, arg))
    }

    fn names_a_local(&self, path: &syn::ExprPath) -> bool {
        let found = path.path.get_ident().and_then(|name| self.scope.find(name));
        matches!(found, Some(Binding::Local(_) | Binding::Array(_) | Binding::Element(_)))
    }

    fn names_a_reference(&self, syntax: &syn::Expr) -> bool {
        let syn::Expr::Path(path) = syntax else { return false };
        let found = path.path.get_ident().and_then(|name| self.scope.find(name));
        matches!(found, Some(Binding::Array(_) | Binding::Element(_)))
    }

    /// `T::name(..)` of a type's own function.
    pub(super) fn associated_call(&mut self, syntax: &mut syn::Expr, path: &syn::ExprPath, at: Reach) -> Id<Expr> {
        let syn::Expr::Call(call) = syntax else { return self.poison(at) };
        let args: Vec<Option<Arg>> = call.args.iter_mut().map(|arg| self.argument(arg)).collect();
        let (copy, callee) = self.taps.associated(call, path, at);
        *syntax = copy;
        match args.into_iter().collect() {
            Some(args) => self.push_access(ExprKind::Call { callee, args }, at),
            None => self.poison(at),
        }
    }

    /// `receiver.name(..)` of a type's own method.
    pub(super) fn method_call(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::MethodCall(call) = syntax else { return self.poison(at) };
        let receiver = Reach::of_expr(&call.receiver);
        let layers = self.layers_of(&mut call.receiver);
        let told = self.diagnostics.len();
        let value = self.expr(&mut call.receiver);
        if self.diagnostics.len() > told || self.refuse_closure(&call.method, &call.args.iter().collect::<Vec<_>>()) {
            return self.poison(at);
        }
        // Which method is called is asked of the value.
        for _ in 0..layers {
            replace(&mut call.receiver, |inner| syn::parse_quote!((*#inner)));
        }
        let shared = self.is_outside(value);
        let writes = !shared && self.may_write(value, receiver);
        let mut args = vec![Some(Arg::Receiver { value, writes })];
        args.extend(call.args.iter_mut().map(|arg| self.argument(arg)).collect::<Vec<_>>());
        let kind = self.kind(value);
        let name = name_reach(&call.method);
        let (copy, callee) = self.taps.method(call, shared, kind, at);
        *syntax = copy;
        match args.into_iter().collect() {
            Some(args) => {
                let expr = self.push_access(ExprKind::Call { callee, args }, at);
                // To what is `#[track_caller]` a call of a method is where its name is.
                self.exprs[expr].pos = position(name);
                expr
            }
            None => self.poison(at),
        }
    }

    /// Whether an expression names a part of a variable from outside the parallel loop.
    fn is_outside(&self, expr: Id<Expr>) -> bool {
        match (&self.exprs[self.root(expr)].kind, &self.carried) {
            (ExprKind::Local(local), Some(carried)) => carried.is_outside(*local),
            _ => false,
        }
    }

    /// What an expression names a part of.
    fn root(&self, mut expr: Id<Expr>) -> Id<Expr> {
        while let ExprKind::Field(inner, _) | ExprKind::Index(inner, _) = &self.exprs[expr].kind {
            expr = *inner;
        }
        expr
    }

    /// Whether a method could change what it is called on. Only rustc knows whether it does.
    fn may_write(&mut self, receiver: Id<Expr>, at: Reach) -> bool {
        match &self.exprs[self.root(receiver)].kind {
            ExprKind::Local(local) => {
                let local = *local;
                if self.mutable.contains(&local) {
                    self.updates_in(&Place::Local(local), at);
                }
                self.locals[local].assigned
            }
            ExprKind::Load { array, .. } => self.references.get(array).is_some_and(|reference| !reference.shared),
            // A value, of which nothing is left after the call.
            _ => false,
        }
    }

    /// What stands in a call's parentheses.
    fn argument(&mut self, syntax: &mut syn::Expr) -> Option<Arg> {
        let at = Reach::of_expr(syntax);
        if let syn::Expr::Reference(reference) = unwrap_parens(syntax) {
            let shared = reference.mutability.is_none();
            if let Some(param) = self.array_of(&mut reference.expr) {
                self.hands_on(param, shared, at);
                if !shared {
                    self.unlock(&mut reference.expr, param);
                }
                return Some(Arg::Reference { param, shared });
            }
            if shared {
                return Some(Arg::Value(self.expr(&mut reference.expr)));
            }
            let place = self.place(&mut reference.expr)?;
            self.updates_in(&place, at);
            return Some(Arg::Place(place));
        }
        if let syn::Expr::Range(range) = unwrap_parens(syntax)
            && let (Some(start), Some(end)) = (&mut range.start, &mut range.end)
        {
            // Of ranges functions know the ends; which kind it is has chosen the function.
            let ends = vec![self.expr(start), self.expr(end)];
            return Some(Arg::Value(self.push(ExprKind::Tuple(ends), Own::Closed, at)));
        }
        // What `iter_mut` gives is a place to write to.
        if let Some(element) = self.element_of(syntax) {
            return Some(match element.mode {
                Mode::Exclusive => Arg::Place(self.element_place(&element, at)),
                Mode::Shared | Mode::Value => Arg::Value(self.element_value(&element, at)),
            });
        }
        match self.handed_on(syntax) {
            Some(param) => {
                let shared = self.references.get(&param).is_some_and(|reference| reference.shared);
                self.hands_on(param, shared, at);
                Some(Arg::Reference { param, shared })
            }
            None => Some(Arg::Value(self.expr(syntax))),
        }
    }

    /// A parameter that is a reference, by its bare name.
    fn handed_on(&mut self, syntax: &mut syn::Expr) -> Option<ParamId> {
        match unwrap_parens(syntax) {
            path @ syn::Expr::Path(_) => self.array_of(path),
            _ => None,
        }
    }
}
