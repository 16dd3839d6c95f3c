//! Methods that rustc would call in place of those that were found: code that is only typed looks for them.
use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream};
use qd_ir::linear::Method;
use qd_ir::op::{Op, Receiver as Class};
use qd_ir::sketch::CalleeId;
use quote::{format_ident, quote, quote_spanned};

use super::{Taps, named_sibling, respanned, sibling};
use crate::lower::Kind;
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
    /// Those on what has one type.
    receivers: BTreeMap<Receiver, CalleeId>,
}

/// What has one type.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Receiver {
    /// A place, as it is written.
    Place(String),
    /// Whatever is of that type.
    Kind(Kind),
}

impl MethodName {
    fn is_of(&self, call: &syn::ExprMethodCall, items: &[Vec<syn::Item>], named: bool) -> bool {
        self.named == named
            && self.name == call.method
            && self.arguments == call.args.len()
            && self.items.as_slice() == items
    }
}

impl Taps {
    /// Looks for other methods of that name, too: of one type once.
    pub(super) fn note_method(
        &mut self,
        call: &syn::ExprMethodCall,
        id: CalleeId,
        receiver: Option<Receiver>,
        named: bool,
    ) {
        let items = self.open_items();
        let place = (id, call.method.span());
        match self.methods.iter_mut().find(|known| known.is_of(call, &items, named)) {
            Some(known) => {
                known.calls.push(place);
                known.receivers.extend(receiver.map(|receiver| (receiver, id)));
            }
            None => self.methods.push(MethodName {
                name: call.method.clone(),
                arguments: call.args.len(),
                items,
                named,
                calls: vec![place],
                receivers: receiver.map(|receiver| (receiver, id)).into_iter().collect(),
            }),
        }
    }

    /// The call of the same method on what has the same type.
    fn same_call(&self, call: &syn::ExprMethodCall, receiver: &Receiver, named: bool) -> Option<CalleeId> {
        let items = self.open_items();
        let known = self.methods.iter().find(|known| known.is_of(call, &items, named))?;
        known.receivers.get(receiver).copied()
    }

    /// True if other methods of that name have been looked for on what has the same type.
    pub(super) fn looked_for(&self, call: &syn::ExprMethodCall, receiver: &Receiver) -> bool {
        self.same_call(call, receiver, false).is_some()
    }

    /// What a method by the name of one of std's is, if that was asked of the same type.
    pub(super) fn known_named(&self, call: &syn::ExprMethodCall, kind: Kind) -> Option<CalleeId> {
        self.same_call(call, &Receiver::Kind(kind), true)
    }

    /// A trait of all values with a hidden sibling of each method called: rustc finds it where there is no other, and says
    /// what its twin says.
    pub fn unknown(&self) -> TokenStream {
        let private = &self.private;
        let mut names: BTreeMap<String, (Ident, usize)> = BTreeMap::new();
        // `len` is one of arrays, which have its sibling where this one would be.
        let of_arrays = |method: &&MethodName| method.name == "len" && method.arguments == 0;
        for method in self.methods.iter().filter(|method| !method.named && !of_arrays(method)) {
            let name = sibling(&method.name);
            let text = name.to_string();
            if !self.by_path.contains(&text) {
                names.entry(text).or_insert((name, method.arguments));
            }
        }
        if names.is_empty() {
            return TokenStream::new();
        }
        let heads: Vec<TokenStream> = names
            .into_values()
            .map(|(name, arguments)| {
                let types: Vec<Ident> =
                    (0..arguments).map(|n| format_ident!("A{n}", span = Span::mixed_site())).collect();
                quote! {
                    fn #name<R, #(#types),*>(&mut self, #(_: #types),*)
                    -> #private::Called<#private::Unknown<Self>, #private::AnySignature, R>
                    where
                        Self: Sized
                }
            })
            .collect();
        quote! {
            trait MethodsNeedTheAttributeFuncs {
                #(#heads;)*
            }
            impl<AnyValue: #private::Data> MethodsNeedTheAttributeFuncs for AnyValue {
                #(#heads { ::core::unreachable!() })*
            }
        }
    }

    /// Statements that look for methods, and for those that would be called in place of those that were found; the
    /// variable `all` has what all taps saw. Behind them: the value of that with what was found.
    pub fn checks(&self, all: &Ident, told: &mut Told) -> (TokenStream, TokenStream) {
        let private = &self.private;
        let places: BTreeMap<CalleeId, Vec<usize>> = told.places().map(|(call, path)| (call, path.to_vec())).collect();
        let mut found = Vec::new();
        let check = |method: &MethodName| {
            let MethodName { name, arguments, items, named, calls, receivers: _ } = method;
            let tap_type = if *named { quote!(NamedMethod) } else { quote!(MethodTap) };
            let scope = |innermost: TokenStream| {
                let scoped = items.iter().rev().fold(innermost, |inner, items| quote!(#(#items)* { #inner }));
                quote!({ #scoped })
            };
            let variable = |call: &CalleeId, span: Span| {
                Ident::new(&format!("__qd_found{}", call.0), span.resolved_at(Span::mixed_site()))
            };
            let tap = |call: &CalleeId, span: Span| {
                let steps = places.get(call).map(Vec::as_slice).unwrap_or_default().iter();
                let steps = steps.map(|step| syn::Index { index: *step as u32, span });
                let mut all = all.clone();
                all.set_span(span);
                quote_spanned!(span=> &#all #(.#steps)*)
            };
            let seen = |call: &CalleeId, span: Span| match named {
                true => {
                    let variable = variable(call, span);
                    quote_spanned!(span=> &#variable)
                }
                false => tap(call, span),
            };
            let types: Vec<Ident> = (0..*arguments).map(|n| format_ident!("A{n}", span = Span::mixed_site())).collect();
            let level = |receiver: TokenStream, of: &str| {
                let calls = calls.iter().map(|(call, span)| {
                    let mut name = name.clone();
                    name.set_span(*span);
                    let span = span.resolved_at(Span::mixed_site());
                    let (path, of) = (respanned(private, span), Ident::new(of, span));
                    let nevers = types.iter().map(|_| quote_spanned!(span=> loop {}));
                    // By path: the method looked for may have the name of the tap's.
                    let seen = seen(call, span);
                    quote_spanned!(span=> #path::other(#path::#tap_type::#of(#seen).#name(#(#nevers),*));)
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
            let mut declarations = TokenStream::new();
            let search = named.then(|| {
                let hidden = named_sibling(name);
                let calls: Vec<TokenStream> = calls
                    .iter()
                    .map(|(call, span)| {
                        let (mut hidden, span) = (hidden.clone(), span.resolved_at(Span::mixed_site()));
                        hidden.set_span(span);
                        let (path, seen, variable) = (respanned(private, span), tap(call, span), variable(call, span));
                        declarations.extend(quote!(let #variable;));
                        found.push((*call, quote!(#variable)));
                        quote_spanned! {span=>
                            #variable = #path::named::found(#seen, #path::named::receiver(#seen).#hidden());
                        }
                    })
                    .collect();
                // Of a number that rustc sees to be one, std's own method comes before those of traits.
                let first = first(&name.to_string(), private).map(|class| {
                    quote! {
                        trait OfTheTypeItself {
                            fn #hidden(self) -> #private::Found<Self, #private::Language<Self>>
                            where
                                Self: Sized;
                        }
                        impl<AnyType: #private::named::First<#class>> OfTheTypeItself for AnyType {
                            fn #hidden(self) -> #private::Found<Self, #private::Language<Self>> {
                                ::core::unreachable!()
                            }
                        }
                    }
                });
                scope(quote! {
                    #first
                    trait OfTheLanguage {
                        fn #hidden(&mut self) -> #private::Found<Self, #private::Language<Self>>
                        where
                            Self: Sized;
                    }
                    impl<AnyType> OfTheLanguage for AnyType {
                        fn #hidden(&mut self) -> #private::Found<Self, #private::Language<Self>> {
                            ::core::unreachable!()
                        }
                    }
                    #(#calls)*
                })
            });
            quote!(#declarations #search #(#levels)*)
        };
        let checks: TokenStream = self.methods.iter().map(check).collect();
        if found.is_empty() {
            return (checks, quote!(#all));
        }
        let found = told.behind(found);
        (checks, quote!((#all, #found)))
    }
}

/// The types, among those of `named`, that have a method of that name themselves, and not by a trait.
fn first(name: &str, private: &TokenStream) -> Option<TokenStream> {
    let of_vectors = Method::from_name(name, false).map(|method| match method {
        Method::Dot | Method::Cross | Method::Norm | Method::NormSquared | Method::Normalize | Method::Outer => {
            "Vectors"
        }
        Method::Transpose | Method::Determinant | Method::Inverse => "Matrices",
        Method::Splat | Method::Zero | Method::Identity => unreachable!("`{name}` is called on nothing"),
    });
    let class = of_vectors.or_else(|| {
        let op = Op::from_method(name)?;
        // Crate `half` has some of those of floats, and others only by traits.
        let of_halves = matches!(
            op,
            Op::IsNan
                | Op::IsInfinite
                | Op::IsFinite
                | Op::IsNormal
                | Op::IsSignPositive
                | Op::IsSignNegative
                | Op::Copysign
                | Op::ToBits
        );
        match op.row().receiver {
            Class::Any => Some("Compared"),
            Class::Float => Some(if of_halves { "AllFloats" } else { "Floats" }),
            Class::SignedOrFloat => Some(if op == Op::Signum { "SignedAndHalves" } else { "SignedNumbers" }),
            Class::Number => Some("Numbers"),
            Class::Int => Some("Ints"),
            Class::Signed => Some("Signed"),
            Class::Unsigned => Some("Unsigned"),
            Class::IntOrBool | Class::Bits | Class::Double => None,
        }
    })?;
    let class = Ident::new(class, Span::mixed_site());
    let with_vectors = matches!(
        Op::from_method(name),
        Some(
            Op::Abs
                | Op::Signum
                | Op::Floor
                | Op::Ceil
                | Op::Round
                | Op::Trunc
                | Op::Fract
                | Op::Sqrt
                | Op::Recip
                | Op::Min
                | Op::Max
                | Op::Copysign
        )
    );
    Some(match with_vectors {
        true => quote!(#private::named::WithVectors<#private::named::#class>),
        false => quote!(#private::named::#class),
    })
}
