//! Closures: their bodies stand where they are called.
use qd_ir::arena::Id;
use qd_ir::sketch::{Arg, Expr, ExprKind, Local, Place, Stmt, TapId};
use syn::parse_quote;
use syn::visit::Visit;

use super::super::{Lower, unwrap_parens};
use super::Binding;
use super::item::Item;
use crate::diagnostic::Code;
use crate::reach::Reach;
use crate::syntax;
use crate::taps::replace;

impl Lower<'_> {
    /// What a stage is given, made a closure of so many parameters: a path `f32::sqrt` becomes `|v| f32::sqrt(v)`.
    pub(super) fn closure<'s>(&mut self, syntax: &'s mut syn::Expr, params: usize) -> Option<&'s mut syn::ExprClosure> {
        if let syn::Expr::Path(path) = unwrap_parens(syntax) {
            let found = path.path.get_ident().and_then(|name| self.scope.find(name));
            if !matches!(found, Some(Binding::Local(_) | Binding::Array(_) | Binding::Element(_))) {
                let path = path.clone();
                let span = syn::spanned::Spanned::span(&path).resolved_at(proc_macro2::Span::mixed_site());
                let names: Vec<_> =
                    (0..params).map(|i| proc_macro2::Ident::new(&format!("__qd_item{i}"), span)).collect();
                *syntax = parse_quote!(|#(#names),*| #path(#(#names),*));
            }
        }
        let at = Reach::of(syntax);
        match unwrap_parens(syntax) {
            syn::Expr::Closure(closure) if closure.inputs.len() == params => {
                if let Some(at) = leaves(&closure.body) {
                    self.diagnostics.push(
                        Code::Closure,
                        at,
                        "`return` can't stand in a closure of a chain: its body becomes part of a loop",
                        "write `if .. { .. } else { .. }`",
                    );
                    return None;
                }
                Some(closure)
            }
            // rustc counts the parameters.
            syn::Expr::Closure(_) => None,
            _ => {
                self.diagnostics.push(
                    Code::Chain,
                    at,
                    "what a chain calls is written out in it",
                    "write a closure, `|v| ..`, or name a function, `f32::sqrt`",
                );
                None
            }
        }
    }

    /// The value of a closure for some items. What comes before it is added to `stmts`.
    pub(super) fn apply(&mut self, closure: &mut syn::ExprClosure, items: &[&Item], stmts: &mut Vec<Stmt>) -> Id<Expr> {
        self.called_with(closure, items, 0, stmts)
    }

    /// The value of a closure that is given a reference to the item, as that of `filter`.
    pub(super) fn ask(&mut self, closure: &mut syn::ExprClosure, item: &Item, stmts: &mut Vec<Stmt>) -> Id<Expr> {
        self.called_with(closure, &[item], 1, stmts)
    }

    fn called_with(
        &mut self,
        closure: &mut syn::ExprClosure,
        items: &[&Item],
        layers: u8,
        stmts: &mut Vec<Stmt>,
    ) -> Id<Expr> {
        let (outside, first) = (self.locals.len(), self.exprs.len());
        let syn::ExprClosure { inputs, body, capture, .. } = closure;
        // Of the copy it would move the taps.
        let moves = capture.take().is_some();
        let (id, looks) = self.scoped(|this| {
            for (pattern, item) in inputs.iter_mut().zip(items) {
                this.bind_item(pattern, item, layers, stmts);
            }
            this.in_chain += 1;
            let id = this.expr(body);
            this.in_chain -= 1;
            id
        });
        if moves && let Some(at) = self.changes(outside, first) {
            self.diagnostics.push(
                Code::Closure,
                at,
                "a `move` closure changes a copy of its own of the variable, and in a chain its body is part of the loop",
                "leave out `move` to change the variable, or write a `for` loop",
            );
        }
        // As all of the copy, it isn't to be made code of.
        let never = syntax::statement(quote::quote!(loop {}));
        replace(body, |inner| syntax::block([never].into_iter().chain(looks), inner));
        id
    }

    /// Where one of the expressions since `first` may change one of the locals before `outside`.
    fn changes(&self, outside: usize, first: usize) -> Option<Reach> {
        let is_outside = |local: &Id<Local>| local.index() < outside;
        let change = |id: &Id<Expr>| match &self.exprs[*id].kind {
            ExprKind::Assign { place, .. } | ExprKind::AssignOp { place, .. } => names_any(place, &is_outside),
            ExprKind::Call { callee: _, args } => args.iter().any(|arg| match arg {
                Arg::Place(place) => names_any(place, &is_outside),
                Arg::Receiver { value, writes: true } => {
                    self.part_of_expr(*value).is_some_and(|(part, _)| is_outside(&part.local))
                }
                Arg::Receiver { writes: false, .. } | Arg::Value(_) | Arg::Reference { .. } => false,
            }),
            _ => false,
        };
        (first..self.exprs.len()).map(Id::new).find(change).map(|id| self.reaches[id.index()])
    }

    /// As [`apply`](Self::apply), and the tap of the value's type.
    pub(super) fn apply_typed(
        &mut self,
        closure: &mut syn::ExprClosure,
        items: &[&Item],
        stmts: &mut Vec<Stmt>,
    ) -> (Id<Expr>, TapId) {
        let id = self.apply(closure, items, stmts);
        let tap = self.taps.erased(&mut closure.body);
        (id, tap)
    }
}

/// True if a place is of such a local, or one of its places is.
fn names_any(place: &Place, such: &dyn Fn(&Id<Local>) -> bool) -> bool {
    match place {
        Place::Local(local) | Place::Part(local, _) => such(local),
        Place::Tuple(places) => places.iter().any(|place| names_any(place, such)),
        Place::Wild | Place::Element { .. } => false,
    }
}

/// The first `return` of a closure's body.
fn leaves(body: &syn::Expr) -> Option<Reach> {
    struct Find(Option<Reach>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr_return(&mut self, node: &'ast syn::ExprReturn) {
            self.0.get_or_insert(Reach::of(node));
        }
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut find = Find(None);
    find.visit_expr(body);
    find.0
}
