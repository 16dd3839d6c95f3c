//! Loops over segments: `for (i, row) in qd::segments(ptr)`.
//!
//! Such a loop is rewritten to one over the numbers of the segments, in which the segment's name stands for the range
//! `ptr[i]..ptr[i + 1]`, before it is lowered. rustc checks the loop as it was written, in the native body.
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse_quote;
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use super::macros::asserted;
use super::{Lower, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;

/// True for a call of a path that ends in `segments`.
pub(super) fn is_segments(call: &mut syn::ExprCall) -> bool {
    match unwrap_parens(&mut call.func) {
        syn::Expr::Path(path) => path.path.segments.last().is_some_and(|s| s.ident == "segments"),
        _ => false,
    }
}

impl Lower<'_> {
    /// Rewrites a loop over segments of an array parameter; others are left as they are. False if it was refused.
    pub(super) fn segments(&mut self, looped: &mut syn::ExprForLoop) -> bool {
        let syn::Expr::Call(call) = unwrap_parens(&mut looped.expr) else { return true };
        if !is_segments(call) || call.args.len() != 1 {
            return true;
        }
        let offsets = match unwrap_parens(&mut call.args[0]) {
            syn::Expr::Reference(reference) => unwrap_parens(&mut reference.expr).clone(),
            other => other.clone(),
        };
        if self.reference_path(&offsets).is_none() {
            self.diagnostics.on(
                Code::Domain,
                &offsets,
                "segments are those between the offsets of an array parameter, or of a bundle's",
                "write `for (i, row) in qd::segments(ptr)`, with `ptr: &[usize]` a parameter",
            );
            return false;
        }
        let (number, row) = match &*looped.pat {
            syn::Pat::Tuple(pair) if pair.elems.len() == 2 => match &pair.elems[1] {
                syn::Pat::Ident(row) if row.by_ref.is_none() && row.mutability.is_none() && row.subpat.is_none() => {
                    (pair.elems[0].clone(), Some(row.ident.clone()))
                }
                syn::Pat::Wild(_) => (pair.elems[0].clone(), None),
                other => return self.refuse_row(Reach::of(other)),
            },
            other => return self.refuse_row(Reach::of(other)),
        };
        let index = Ident::new("__qd_index", Span::mixed_site());
        if let Some(row) = row {
            if let Some(at) = hidden_use(&looped.body, &row) {
                return self.refuse_row(at);
            }
            let mut substitute = Substitute {
                row: &row,
                start: parse_quote!((#offsets[#index] as usize)),
                end: parse_quote!((#offsets[#index + 1] as usize)),
                left: None,
            };
            substitute.visit_block_mut(&mut looped.body);
            if let Some(at) = substitute.left {
                return self.refuse_row(at);
            }
        }
        looped.body.stmts.insert(0, parse_quote!(let #number = #index;));
        *looped.pat = parse_quote!(#index);
        true
    }

    fn refuse_row(&mut self, at: Reach) -> bool {
        self.diagnostics.push(
            Code::Domain,
            at,
            "a segment is no value: a loop runs over it, and it has `start`, `end` and `len()`",
            "write `for (i, row) in qd::segments(ptr) { for k in row { .. } }`; a second loop runs over `row.clone()`",
        );
        false
    }
}

/// Puts a segment in the place of its name.
struct Substitute<'a> {
    row: &'a Ident,
    start: syn::Expr,
    end: syn::Expr,
    /// Where the name stands for something else.
    left: Option<Reach>,
}

impl Substitute<'_> {
    fn is_row(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Path(path) => path.path.is_ident(self.row),
            syn::Expr::Paren(inner) => self.is_row(&inner.expr),
            _ => false,
        }
    }

    /// What runs over the segment: itself, or it with `clone`, `rev`, `step_by` behind.
    fn range(&self, expr: &mut syn::Expr) {
        let (start, end) = (&self.start, &self.end);
        match expr {
            syn::Expr::MethodCall(call) if call.method == "clone" && self.is_row(&call.receiver) => {
                *expr = parse_quote!((#start..#end));
            }
            syn::Expr::MethodCall(call) if call.method == "rev" || call.method == "step_by" => {
                self.range(&mut call.receiver);
            }
            syn::Expr::Paren(inner) => self.range(&mut inner.expr),
            other if self.is_row(other) => *other = parse_quote!((#start..#end)),
            _ => {}
        }
    }
}

impl VisitMut for Substitute<'_> {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        let (start, end) = (&self.start, &self.end);
        match &mut *expr {
            syn::Expr::Field(field) if self.is_row(&field.base) => match &field.member {
                syn::Member::Named(name) if name == "start" => return *expr = start.clone(),
                syn::Member::Named(name) if name == "end" => return *expr = end.clone(),
                syn::Member::Named(_) | syn::Member::Unnamed(_) => {}
            },
            syn::Expr::MethodCall(call) if call.method == "len" && self.is_row(&call.receiver) => {
                // As `Range` has it.
                return *expr = parse_quote!((#end.saturating_sub(#start)));
            }
            syn::Expr::ForLoop(looped) => self.range(&mut looped.expr),
            other if self.is_row(other) => {
                self.left.get_or_insert(Reach::of(other));
            }
            _ => {}
        }
        syn::visit_mut::visit_expr_mut(self, expr);
    }

    /// In what a macro is given, too, as far as that is expressions.
    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if !mentions(&call.tokens, self.row) {
            return;
        }
        let parsed = call.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated);
        let (Ok(mut args), false) = (parsed, captures(&call.tokens, self.row)) else {
            self.left.get_or_insert(Reach::of(call));
            return;
        };
        // A check shows its condition as it was written.
        let words = asserted(call).filter(|_| args.len() == 1);
        args.iter_mut().for_each(|arg| self.visit_expr_mut(arg));
        if let Some(words) = words {
            let words = words.replace('{', "{{").replace('}', "}}");
            args.push(parse_quote!(#words));
        }
        call.tokens = args.to_token_stream();
    }
}

/// Where a body binds the name again.
fn hidden_use(body: &syn::Block, name: &Ident) -> Option<Reach> {
    struct Find<'a> {
        name: &'a Ident,
        found: Option<Reach>,
    }
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
            if pattern.ident == *self.name {
                self.found.get_or_insert(Reach::of(&pattern.ident));
            }
            syn::visit::visit_pat_ident(self, pattern);
        }
        fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
            self.visit_pat(&field.pat);
        }
    }
    let mut find = Find { name, found: None };
    find.visit_block(body);
    find.found
}

/// True if tokens hold the name, also inside the braces of a format string.
fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    captures(tokens, name)
        || tokens.clone().into_iter().any(|token| match token {
            TokenTree::Ident(ident) => ident == *name,
            TokenTree::Group(group) => mentions(&group.stream(), name),
            TokenTree::Literal(_) | TokenTree::Punct(_) => false,
        })
}

/// True if a format string among the tokens has the name in braces.
fn captures(tokens: &TokenStream, name: &Ident) -> bool {
    let captured = format!("{{{name}");
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Group(group) => captures(&group.stream(), name),
        TokenTree::Literal(literal) => literal.to_string().contains(&captured),
        TokenTree::Ident(_) | TokenTree::Punct(_) => false,
    })
}
