//! What the macro takes for granted, for rustc to check in the copy: which type, function or macro a name means, and of
//! which types values are.
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use qd_ir::types::Scalar;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::{Taps, place, replace, respanned};
use crate::reach::Reach;
use crate::syntax;

impl Taps {
    /// Asserts that the cast of an operand to `to` keeps different values apart.
    pub fn injective(&self, operand: &mut syn::Expr, to: &syn::Type) {
        let name = Ident::new("__qd_operand", Span::mixed_site());
        // All of the call has the place of the cast's type: that is where rustc is to report it.
        let span = to.span().resolved_at(Span::mixed_site());
        let path = respanned(&self.private, span);
        let check = quote_spanned!(span=> #path::injective::<_, #to>(&__qd_operand));
        replace(operand, |inner| {
            syntax::block([syntax::binding(&name, inner), syntax::statement(quote!(#check))], syntax::variable(&name))
        });
    }

    /// Asserts that the name of a primitive type means that type.
    pub fn primitive(&mut self, scalar: Scalar, name: &Ident) {
        self.primitives.entry(scalar).or_insert_with(|| name.clone());
    }

    /// Asserts that a function named by path is qd's of that name: `ndrange`, `atomic::add`.
    pub fn only(&self, function: &mut syn::Expr, ours: &TokenStream) {
        // From the function's first to its last token: what rustc says of the call it says of the native body in the same
        // words and of the same place, and so once.
        let Reach { start, end } = Reach::of(function);
        let path = respanned(&self.private, start);
        let mut ours: Vec<TokenTree> = respanned(ours, start).into_iter().collect();
        if let Some(last) = ours.last_mut() {
            last.set_span(end);
        }
        let ours: TokenStream = ours.into_iter().collect();
        replace(function, |inner| syn::Expr::Verbatim(quote_spanned!(start=> #path::only(#inner, #path::#ours))));
    }

    /// Asserts that what an atomic updates, `&mut place`, isn't of 128 bits; of a type parameter that is seen when its code
    /// is made.
    pub fn atomic(&self, argument: &mut syn::Expr) {
        let syn::Expr::Reference(reference) = &*argument else { return };
        let Some(element) = place(&reference.expr) else { return };
        let span = element.span().resolved_at(Span::mixed_site());
        let path = respanned(&self.private, span);
        let check = quote_spanned! {span=>
            #[allow(unused_imports)]
            use #path::{AnyWidth as _, TooWide as _};
            #path::narrow((&#path::Element::of(&#element)).width());
        };
        replace(argument, |inner| syntax::block([syntax::statement(quote!({ #check }))], inner));
    }

    /// Turns segments into their numbers, over which the rewritten loop runs.
    pub fn numbers(&self, segments: &mut syn::Expr) {
        let path = respanned(&self.private, segments.span().resolved_at(Span::mixed_site()));
        replace(segments, |inner| syntax::call(quote!(#path::segment_numbers), inner));
    }

    /// Asserts that what a method of arrays is called on is an `NdArray`.
    pub fn array(&self, receiver: &mut syn::Expr) {
        let span = receiver.span();
        let path = respanned(&self.private, span);
        replace(receiver, |inner| syn::Expr::Verbatim(quote_spanned!(span=> #path::array(&#inner))));
    }

    /// Lets a shared reference be written: that it can't be, rustc says of the native body.
    pub fn writable(&self, reference: &mut syn::Expr) {
        let span = reference.span();
        let path = respanned(&self.private, span);
        replace(reference, |inner| syn::Expr::Verbatim(quote_spanned!(span=> (*#path::writable(&*#inner)))));
    }

    /// Asserts that fields of a reference, by their names in the copy, are an array.
    pub fn elements(&mut self, fields: &syn::Expr) {
        self.claim("elements", fields);
    }

    fn claim(&mut self, what: &str, fields: &syn::Expr) {
        let span = fields.span().resolved_at(Span::mixed_site());
        let (path, what) = (respanned(&self.private, span), Ident::new(what, span));
        self.claims.push(quote_spanned!(span=> #path::#what(&(#fields))));
    }

    /// Asserts that a constant is at most `most`.
    pub fn check_length(&mut self, constant: &syn::ExprPath, most: usize, message: &str) {
        let span = constant.span().resolved_at(Span::mixed_site());
        let innermost = quote_spanned!(span=> const _: () = ::core::assert!(#constant <= #most, #message););
        let items = self.open_items();
        self.claims.push(items.iter().rev().fold(innermost, |inner, items| quote!({ #(#items)* #inner })));
    }

    /// The assertions about fields: they stand at the start of the copy, where nothing is borrowed.
    pub fn claims(&self) -> Vec<syn::Stmt> {
        self.claims.iter().cloned().map(syntax::statement).collect()
    }

    /// Asserts that a loop that numbers its iterations can count in the type of a range.
    pub fn counted(&self, range: &mut syn::Expr) {
        let path = respanned(&self.private, range.span().resolved_at(Span::mixed_site()));
        replace(range, |inner| syntax::call(quote!(#path::counted), inner));
    }

    /// A statement by which rustc checks that the name of a macro means std's: a glob import may not hide another one that
    /// is in scope, but may bring the same.
    pub fn macro_meant(&self, path: &syn::Path, name: &str) -> Option<TokenStream> {
        let arguments = match name {
            "matches" => quote!(0, _),
            "assert" | "debug_assert" => quote!(true),
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => quote!(0, 0),
            "panic" | "unreachable" | "println" => TokenStream::new(),
            _ => return None,
        };
        let private = &self.private;
        if path.leading_colon.is_none() && path.segments.len() == 1 {
            return Some(quote!({ use #private::macros::std::*; let _ = || #path!(#arguments); }));
        }
        let of_core = path.segments.first().is_some_and(|first| first.ident == "core");
        let (krate, name) = (if of_core { quote!(core) } else { quote!(std) }, Ident::new(name, Span::mixed_site()));
        // With the span of the name, so that rustc reports it there.
        let meant = Ident::new("the_macro_meant", path.segments.last()?.ident.span());
        Some(quote!({
            use #path as #meant;
            { use #private::macros::#krate::one::#name::*; let _ = || #meant!(#arguments); }
        }))
    }

    /// A statement by which rustc checks that a message can show a value.
    pub fn shown(&self, value: &syn::Expr) -> TokenStream {
        let span = value.span().resolved_at(Span::mixed_site());
        let path: TokenStream = self
            .private
            .clone()
            .into_iter()
            .map(|mut token| {
                token.set_span(span);
                token
            })
            .collect();
        quote_spanned!(span=> #path::shown(&(#value));)
    }

    /// Asserts that a value is of a type of the language itself, which has no conversions of the user.
    pub fn builtin(&self, value: &mut syn::Expr, at: Reach) {
        self.asserted("builtin", value, at);
    }

    /// Asserts that a value is of one of the 16-bit types.
    pub fn halves(&self, value: &mut syn::Expr, at: Reach) {
        self.asserted("halves", value, at);
    }

    /// Brings the trait of conversions between numbers into the scope of a call, where another trait with a method of that
    /// name then doesn't go unnoticed.
    pub fn of_number(&self, call: &mut syn::Expr) {
        let private = &self.private;
        let import = syntax::statement(quote!(
            #[allow(unused_imports)]
            use #private::Number as _;
        ));
        replace(call, |inner| syntax::block([import], inner));
    }

    fn asserted(&self, what: &str, value: &mut syn::Expr, at: Reach) {
        // With the place of the source, also where a tap of ours stands round it.
        let span = at.start.resolved_at(Span::mixed_site());
        let path = respanned(&self.private, span);
        match place(value) {
            Some(place) => {
                let function = Ident::new(&format!("{what}_place"), span);
                let check = syntax::statement(quote_spanned!(span=> #path::#function(&#place)));
                replace(value, |inner| syntax::block([check], inner));
            }
            None => {
                let function = Ident::new(what, span);
                let function = quote_spanned!(span=> #path::#function);
                replace(value, |inner| syntax::call(function, inner));
            }
        }
    }
}
