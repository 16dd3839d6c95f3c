//! What is lowered as other source that says the same: ranges that are asked what they contain, loops over ranges without
//! an end.
use proc_macro2::{Ident, Span};
use syn::parse_quote;

use super::{Lower, unwrap_parens};

impl Lower<'_> {
    /// `(a..b).contains(&v)` as the comparisons that std makes of it; none for another call.
    pub(super) fn containing(&mut self, call: &mut syn::ExprMethodCall) -> Option<syn::Expr> {
        if call.method != "contains" || call.args.len() != 1 {
            return None;
        }
        let syn::Expr::Range(syn::ExprRange { start, end, limits, .. }) = unwrap_parens(&mut call.receiver) else {
            return None;
        };
        let value: syn::Expr = match unwrap_parens(&mut call.args[0]) {
            syn::Expr::Reference(reference) => (*reference.expr).clone(),
            other => parse_quote!(*#other),
        };
        let number = self.exprs.len();
        let hidden = |name: &str| Ident::new(&format!("__qd_{name}{number}"), Span::mixed_site());
        let mut binds: Vec<syn::Stmt> = Vec::new();
        // All are evaluated, and first; of names there is nothing to see of that.
        let named = [&*start, &*end].into_iter().flatten().all(|end| is_name(end)) && is_name(&value);
        let mut bound = |name: &str, value: &syn::Expr| -> syn::Expr {
            if named {
                return value.clone();
            }
            let name = hidden(name);
            binds.push(parse_quote!(let #name = #value;));
            parse_quote!(#name)
        };
        let start = start.as_ref().map(|start| bound("start", start));
        let end = end.as_ref().map(|end| bound("end", end));
        let value = bound("value", &value);
        let above: Option<syn::Expr> = start.map(|start| parse_quote!(#start <= #value));
        let below: Option<syn::Expr> = end.map(|end| match limits {
            syn::RangeLimits::HalfOpen(_) => parse_quote!(#value < #end),
            syn::RangeLimits::Closed(_) => parse_quote!(#value <= #end),
        });
        let inside: syn::Expr = match (above, below) {
            (Some(above), Some(below)) => parse_quote!(#above && #below),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => return None,
        };
        Some(if binds.is_empty() { parse_quote!((#inside)) } else { parse_quote!({ #(#binds)* #inside }) })
    }

    /// `for i in a.. { .. }`, in a task, as a `loop` that counts; none for another loop. As std does, it counts on before
    /// the body, so it fails where overflow does when it comes to the last number.
    pub(super) fn counting(&mut self, looped: &mut syn::ExprForLoop) -> Option<syn::Expr> {
        let syn::Expr::Range(syn::ExprRange { start: Some(start), end: None, .. }) = unwrap_parens(&mut looped.expr)
        else {
            return None;
        };
        // In a task all loops run in order; other attributes are about numbers of iterations.
        if looped.attrs.iter().any(|of| of.path().segments.last().is_none_or(|last| last.ident != "serial")) {
            return None;
        }
        let next = Ident::new(&format!("__qd_next{}", self.exprs.len()), Span::mixed_site());
        let syn::ExprForLoop { label, pat, body, .. } = looped;
        let mut body = body.clone();
        let counts: [syn::Stmt; 2] = [parse_quote!(let #pat = #next;), parse_quote!(#next += 1;)];
        body.stmts.splice(0..0, counts);
        if let Some(syn::Stmt::Expr(_, semicolon @ None)) = body.stmts.last_mut() {
            *semicolon = Some(Default::default());
        }
        Some(parse_quote!({
            let mut #next = #start;
            #label loop #body
        }))
    }
}

/// True for a name, a literal, and a field or the length of what a name stands for.
fn is_name(syntax: &syn::Expr) -> bool {
    match syntax {
        syn::Expr::Lit(_) | syn::Expr::Path(_) => true,
        syn::Expr::Paren(inner) => is_name(&inner.expr),
        syn::Expr::Group(inner) => is_name(&inner.expr),
        syn::Expr::Field(field) => is_name(&field.base),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => matches!(**expr, syn::Expr::Lit(_)),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => is_name(expr),
        syn::Expr::MethodCall(call) => call.method == "len" && call.args.is_empty() && is_name(&call.receiver),
        _ => false,
    }
}
