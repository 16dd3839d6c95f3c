//! Accesses without checks: `*x.get_unchecked(i)` and `*x.get_unchecked_mut(i)`, which rustc wants in `unsafe`.
//!
//! In the macro they take the form of `x[i]` before anything else looks at them, so they are elements and places like the
//! others, with a mark at the brackets that lowering takes off again. Their types are the same, and the copy never runs.
//! That the method exists, and that `unsafe` is around it, rustc sees in the untouched body.
use syn::parse_quote;

use super::unwrap_parens;

/// The attribute at an index that is vouched for. Users can't write it: other attributes are refused before.
const MARK: &str = "qd_vouched";

/// Turns `*x.get_unchecked(i)` into `x[i]`, marked. Without the star it is a reference, which isn't in the language.
pub(super) fn indexed(expr: &mut syn::Expr) {
    let syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr: inner, .. }) = expr else { return };
    if let Some(element) = element(unwrap_parens(inner)) {
        *expr = element;
    }
}

/// What an unchecked access refers to, marked.
pub(super) fn element(access: &syn::Expr) -> Option<syn::Expr> {
    let syn::Expr::MethodCall(call) = access else { return None };
    let (Some(index), 1) = (call.args.first(), call.args.len()) else { return None };
    if call.turbofish.is_some() || !(call.method == "get_unchecked" || call.method == "get_unchecked_mut") {
        return None;
    }
    let mark = quote::format_ident!("{MARK}");
    Some(syn::Expr::Index(syn::ExprIndex {
        attrs: vec![parse_quote!(#[#mark])],
        expr: call.receiver.clone(),
        bracket_token: syn::token::Bracket(call.paren_token.span),
        index: Box::new(index.clone()),
    }))
}

/// Whether the index is vouched for; it loses its mark.
pub(super) fn take_mark(index: &mut syn::ExprIndex) -> bool {
    let before = index.attrs.len();
    index.attrs.retain(|attribute| !attribute.path().is_ident(MARK));
    index.attrs.len() < before
}
