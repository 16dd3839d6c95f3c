//! Methods that rustc would call in place of those that were found: code that is only typed looks for them.
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};
use qd_ir::sketch::CalleeId;
use quote::{format_ident, quote, quote_spanned};

use super::{Taps, named_sibling, respanned};
use crate::tree::Told;

/// A method's name with a number of arguments, where the same traits are in scope.
pub(super) struct MethodName {
    name: Ident,
    arguments: usize,
    items: Vec<Vec<syn::Item>>,
    /// It is one of std's.
    named: bool,
    /// The calls, and where each stands.
    calls: Vec<(CalleeId, Span)>,
    /// The places whose method was looked for.
    places: BTreeSet<String>,
}

impl Taps {
    /// Looks for other methods of that name, too. A place has one type, so of a name it is asked once.
    pub(super) fn note_method(&mut self, call: &syn::ExprMethodCall, id: CalleeId, place: Option<String>, named: bool) {
        let (items, arguments, method) = (self.open_items(), call.args.len(), &call.method);
        let known = |known: &&mut MethodName| {
            known.name == *method && known.arguments == arguments && known.items == items && known.named == named
        };
        match self.methods.iter_mut().find(known) {
            Some(known) => {
                if place.is_none_or(|place| known.places.insert(place)) {
                    known.calls.push((id, method.span()));
                }
            }
            None => {
                let (calls, places) = (vec![(id, method.span())], place.into_iter().collect());
                self.methods.push(MethodName { name: method.clone(), arguments, items, named, calls, places });
            }
        }
    }

    /// Statements that look for methods that would be called in place of those that were found; the variable `all` has
    /// what all taps saw.
    pub fn checks(&self, all: &Ident, told: &Told) -> TokenStream {
        let private = &self.private;
        let places: BTreeMap<CalleeId, &[usize]> = told.places().collect();
        let check = |method: &MethodName| {
            let MethodName { name, arguments, items, named, calls, places: _ } = method;
            let tap_type = if *named { quote!(NamedTap) } else { quote!(MethodTap) };
            let scope = |innermost: TokenStream| {
                let scoped = items.iter().rev().fold(innermost, |inner, items| quote!(#(#items)* { #inner }));
                quote!({ #scoped })
            };
            let seen = |call: &CalleeId, span: Span| {
                let steps = places.get(call).copied().unwrap_or_default().iter();
                let steps = steps.map(|step| syn::Index { index: *step as u32, span });
                let mut all = all.clone();
                all.set_span(span);
                quote_spanned!(span=> &#all #(.#steps)*)
            };
            let types: Vec<Ident> = (0..*arguments).map(|n| format_ident!("A{n}", span = Span::mixed_site())).collect();
            let level = |receiver: TokenStream, of: &str| {
                let calls = calls.iter().map(|(call, span)| {
                    let mut name = name.clone();
                    name.set_span(*span);
                    let span = span.resolved_at(Span::mixed_site());
                    let (path, of) = (respanned(private, span), Ident::new(of, span));
                    let units = types.iter().map(|_| quote_spanned!(span=> ()));
                    // By path: the method looked for may have the name of the tap's.
                    let seen = seen(call, span);
                    quote_spanned!(span=> #path::other(#path::#tap_type::#of(#seen).#name(#(#units),*));)
                });
                // rustc shows the trait's name beside the method that it found as well.
                let innermost = quote! {
                    trait CompiledByTheKernel {
                        fn #name<#(#types),*>(#receiver, #(_: #types),*) -> #private::Other;
                    }
                    impl<AnyType> CompiledByTheKernel for AnyType {
                        fn #name<#(#types),*>(#receiver, #(_: #types),*) -> #private::Other {
                            ::core::unreachable!()
                        }
                    }
                    #(#calls)*
                };
                scope(innermost)
            };
            let levels = [level(quote!(self), "by_value"), level(quote!(&self), "by_reference")];
            // Before the levels, since it says what they look at.
            let search = named.then(|| {
                let hidden = named_sibling(name);
                let calls = calls.iter().map(|(call, span)| {
                    let (mut hidden, span) = (hidden.clone(), span.resolved_at(Span::mixed_site()));
                    hidden.set_span(span);
                    let path = respanned(private, span);
                    let seen = seen(call, span);
                    quote_spanned!(span=> #path::NamedTap::found(#seen, #path::NamedTap::receiver(#seen).#hidden());)
                });
                scope(quote! {
                    trait OfTheLanguage {
                        fn #hidden(&mut self) -> #private::Found<Self, #private::Language<Self>>
                        where
                            Self: Sized + #private::Erase<Out: #private::named::Builtin>;
                    }
                    impl<AnyType> OfTheLanguage for AnyType {
                        fn #hidden(&mut self) -> #private::Found<Self, #private::Language<Self>>
                        where
                            Self: #private::Erase<Out: #private::named::Builtin>,
                        {
                            ::core::unreachable!()
                        }
                    }
                    #(#calls)*
                })
            });
            quote!(#search #(#levels)*)
        };
        self.methods.iter().map(check).collect()
    }
}
