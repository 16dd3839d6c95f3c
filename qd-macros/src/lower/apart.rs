//! Assignments that take a value apart by more than tuples and arrays, `(a, ..) = value` and `Pair { x, .. } = value`: what
//! rustc makes of them, `{ let (v, ..) = value; a = v; }`.
use proc_macro2::{Ident, Span};
use quote::quote;
use syn::parse_quote;
use syn::punctuated::Punctuated;

use super::Lower;
use crate::syntax;

impl Lower<'_> {
    /// The block that such an assignment is; none for another one, or if rustc has something to say of it.
    pub(super) fn taken_apart(&mut self, assign: &syn::ExprAssign) -> Option<syn::Expr> {
        if !needs_a_pattern(&assign.left) {
            return None;
        }
        let mut apart = Apart { names: self.locals.len(), assignments: Vec::new() };
        let pattern = apart.pattern(&assign.left)?;
        let (value, equals) = (&assign.right, assign.eq_token);
        let assignments = apart.assignments.iter().map(|(place, name)| -> syn::Stmt {
            let assignment = syn::ExprAssign {
                attrs: Vec::new(),
                left: Box::new(place.clone()),
                eq_token: equals,
                right: Box::new(syntax::variable(name)),
            };
            syn::Stmt::Expr(syn::Expr::Assign(assignment), Some(Default::default()))
        });
        Some(syntax::unit(std::iter::once(parse_quote!(let #pattern = #value;)).chain(assignments)))
    }
}

/// True if more than tuples and arrays of places stand on the left.
fn needs_a_pattern(place: &syn::Expr) -> bool {
    match place {
        syn::Expr::Paren(inner) => needs_a_pattern(&inner.expr),
        syn::Expr::Group(inner) => needs_a_pattern(&inner.expr),
        syn::Expr::Tuple(tuple) => tuple.elems.iter().any(needs_a_pattern),
        syn::Expr::Array(array) => array.elems.iter().any(needs_a_pattern),
        syn::Expr::Range(range) => range.start.is_none() && range.end.is_none(),
        syn::Expr::Struct(_) | syn::Expr::Call(_) => true,
        _ => false,
    }
}

/// A pattern that is being made, and what goes where.
struct Apart {
    names: usize,
    assignments: Vec<(syn::Expr, Ident)>,
}

impl Apart {
    fn pattern(&mut self, place: &syn::Expr) -> Option<syn::Pat> {
        Some(match place {
            syn::Expr::Paren(inner) => self.pattern(&inner.expr)?,
            syn::Expr::Group(inner) => self.pattern(&inner.expr)?,
            syn::Expr::Infer(_) => parse_quote!(_),
            syn::Expr::Range(range) if range.start.is_none() && range.end.is_none() => parse_quote!(..),
            syn::Expr::Tuple(tuple) => {
                let parts = self.all(&tuple.elems)?;
                parse_quote!((#parts))
            }
            syn::Expr::Array(array) => {
                let parts = self.all(&array.elems)?;
                parse_quote!([#parts])
            }
            syn::Expr::Call(call) => {
                let (path, parts) = (&call.func, self.all(&call.args)?);
                parse_quote!(#path(#parts))
            }
            syn::Expr::Struct(of) if of.rest.is_none() => {
                let mut fields = Vec::with_capacity(of.fields.len());
                for field in &of.fields {
                    let (member, part) = (&field.member, self.pattern(&field.expr)?);
                    fields.push(quote!(#member: #part));
                }
                let (path, rest) = (&of.path, of.dot2_token);
                parse_quote!(#path { #(#fields,)* #rest })
            }
            place => {
                let name =
                    Ident::new(&format!("__qd_part{}_{}", self.names, self.assignments.len()), Span::mixed_site());
                self.assignments.push((place.clone(), name.clone()));
                parse_quote!(#name)
            }
        })
    }

    /// The patterns of several places, each with a comma behind it.
    fn all(&mut self, places: &Punctuated<syn::Expr, syn::Token![,]>) -> Option<Punctuated<syn::Pat, syn::Token![,]>> {
        let mut patterns = Punctuated::new();
        for place in places {
            patterns.push_value(self.pattern(place)?);
            patterns.push_punct(Default::default());
        }
        Some(patterns)
    }
}
