//! Closures: their bodies stand where they are called.
use qd_ir::arena::Id;
use qd_ir::sketch::{Expr, Stmt, TapId};
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
                // A copy that the closure changes would be the original here.
                if let Some(own) = &closure.capture {
                    self.diagnostics.on(
                        Code::Closure,
                        own,
                        "`move` gives a closure copies of its own, and its body becomes part of a loop, which has none",
                        "leave `move` out; copy before the chain what the closure may change: `let mut mine = rng;`",
                    );
                    return None;
                }
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
        let syn::ExprClosure { inputs, body, .. } = closure;
        let (id, looks) = self.scoped(|this| {
            for (pattern, item) in inputs.iter_mut().zip(items) {
                this.bind_item(pattern, item, layers, stmts);
            }
            this.in_chain += 1;
            let id = this.expr(body);
            this.in_chain -= 1;
            id
        });
        // As all of the copy, it isn't to be made code of.
        let never = syntax::statement(quote::quote!(loop {}));
        replace(body, |inner| syntax::block([never].into_iter().chain(looks), inner));
        id
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
