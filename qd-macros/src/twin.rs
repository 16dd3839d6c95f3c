//! Tokens of a function that kernels call: the function as it is, and its twin beside it.
//!
//! The twin is a struct with braces, so it takes a name only where types live. It has the function's type and const
//! parameters; its `with_qd_func` has the function's signature, and what it gives names the twin, so that rustc's answer for a
//! call says which instance is meant.
use proc_macro2::{Ident, Literal, Span, TokenStream};
use qd_ir::types::Scalar;
use quote::{format_ident, quote, quote_spanned};
use syn::parse_quote;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

use crate::expand::{allow, chosen, param_types, result_type, stripped};
use crate::generics::Generics;
use crate::lower::{Lowered, reference};
use crate::options::Options;
use crate::taps::{TAP, respanned};

/// The expansion of a function without errors.
pub fn func(function: &syn::ItemFn, lowered: &Lowered, options: &Options) -> TokenStream {
    // Marks of loops are for qd alone.
    let syn::ItemFn { attrs, vis, sig, block, .. } = &stripped(function.clone());
    let Options { private, twin, .. } = options;
    let allow = allow();
    let name = twin.as_ref().unwrap_or(&sig.ident);
    let generics = Generics::of(&sig.generics, &options.private);
    let structure = generics.structure(name, vis);
    let tap = tap(name, sig, &generics.args, private);
    let description = description(name, sig, lowered, is_tracked(attrs), &generics, private);
    let Generics { params, args, .. } = &generics;
    let predicates = generics.clause();
    // A module of the function's name stands for the twin where the function is re-exported beside it.
    let free = twin.as_ref().map(|_| {
        let mut sig = tap.clone();
        sig.generics.params = params.iter().cloned().chain(sig.generics.params).collect();
        sig.generics.params = lifetimes_first(sig.generics.params);
        let clause = sig.generics.make_where_clause();
        clause.predicates.extend(generics.predicates.iter().cloned());
        quote! {
            #[doc(hidden)]
            #[allow(warnings, clippy::all, clippy::pedantic)]
            #vis #sig {
                ::core::unreachable!()
            }
        }
    });
    quote! {
        #(#attrs)*
        #allow
        #vis #sig #block

        #structure

        #free

        const _: () = {
            #[allow(warnings, clippy::all, clippy::pedantic)]
            impl<#params> #name<#args> #predicates {
                #[doc(hidden)]
                pub #tap {
                    ::core::unreachable!()
                }
            }
            #description
        };
    }
}

/// The signature of `with_qd_func`: that of the function, but that it gives the twin with its `args`, and the signature itself.
pub fn tap(name: &Ident, sig: &syn::Signature, args: &TokenStream, private: &TokenStream) -> syn::Signature {
    let mut sig = sig.clone();
    sig.constness = None;
    // Elided lifetimes of parameters would mean others in the result.
    let mut named = NameLifetimes(Vec::new());
    let mut types = Vec::new();
    for (index, input) in sig.inputs.iter_mut().enumerate() {
        if let syn::FnArg::Typed(typed) = input {
            typed.attrs.clear();
            named.visit_type_mut(&mut typed.ty);
            let span = typed.pat.span().resolved_at(Span::mixed_site());
            // A receiver stays one.
            if !matches!(&*typed.pat, syn::Pat::Ident(name) if name.ident == "self") {
                let argument = format_ident!("__qd_argument{index}", span = span);
                *typed.pat = parse_quote!(#argument);
            }
            types.push(typed.ty.clone());
        }
    }
    let result = result_type(&sig);
    // From the signature rustc infers what a generic function is called with, so those write their lifetimes.
    let signature = match args.is_empty() && types.iter().any(|ty| hides_lifetimes(ty)) {
        false => quote!(fn(#(#types),*) -> #result),
        true => quote!(#private::AnySignature),
    };
    sig.output = parse_quote!(-> #private::Called<#name<#args>, #signature, #result>);
    sig.ident = Ident::new(TAP, sig.ident.span());
    let lifetimes = sig.generics.params.iter().filter(|p| matches!(p, syn::GenericParam::Lifetime(_))).cloned();
    let lifetimes: Vec<syn::GenericParam> = lifetimes.chain(named.0.iter().map(|l| parse_quote!(#l))).collect();
    let clause = sig.generics.where_clause.take();
    let outlives = clause.into_iter().flat_map(|clause| clause.predicates);
    let outlives = outlives.filter(|p| matches!(p, syn::WherePredicate::Lifetime(_)));
    sig.generics = parse_quote!(<#(#lifetimes),*>);
    sig.generics.where_clause = Some(parse_quote!(where #(#outlives),*));
    sig
}

/// True for a reference to a struct, which may have lifetimes that aren't written: nothing can name those.
fn hides_lifetimes(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(reference) => match &*reference.elem {
            syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| {
                let name = last.ident.to_string();
                !matches!(name.as_str(), "NdArray" | "Vector" | "Matrix" | "Self") && Scalar::from_name(&name).is_none()
            }),
            inner => hides_lifetimes(inner),
        },
        syn::Type::Paren(inner) => hides_lifetimes(&inner.elem),
        syn::Type::Group(inner) => hides_lifetimes(&inner.elem),
        _ => false,
    }
}

/// `Self`
fn is_self(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("Self"))
}

/// Gives each elided lifetime a name.
struct NameLifetimes(Vec<syn::Lifetime>);

impl NameLifetimes {
    fn fresh(&mut self) -> syn::Lifetime {
        let lifetime = syn::Lifetime::new(&format!("'__qd{}", self.0.len()), Span::mixed_site());
        self.0.push(lifetime.clone());
        lifetime
    }
}

impl VisitMut for NameLifetimes {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident == "_") {
            reference.lifetime = Some(self.fresh());
        }
        self.visit_type_mut(&mut reference.elem);
    }
    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.fresh();
        }
    }
}

fn lifetimes_first(
    params: syn::punctuated::Punctuated<syn::GenericParam, syn::Token![,]>,
) -> syn::punctuated::Punctuated<syn::GenericParam, syn::Token![,]> {
    let (lifetimes, rest): (Vec<_>, Vec<_>) =
        params.into_iter().partition(|param| matches!(param, syn::GenericParam::Lifetime(_)));
    lifetimes.into_iter().chain(rest).collect()
}

/// What kernels find out about the function.
fn description(
    name: &Ident,
    sig: &syn::Signature,
    lowered: &Lowered,
    tracked: bool,
    generics: &Generics,
    private: &TokenStream,
) -> TokenStream {
    let function = &sig.ident;
    let text = function.to_string();
    let line = function.span().start().line as u32;
    let sketch = sketch(lowered);
    let of = parameters(sig, private);
    let types = chosen(&quote!(as_qd_compiles_it()), &TokenStream::new(), sig, lowered, of, private);
    let Generics { params, args, .. } = generics;
    let (predicates, turbofish) = (generics.clause(), generics.turbofish());
    quote! {
        impl<#params> #name<#args> #predicates {
            #types
        }
        impl<#params> #private::Func for #name<#args> #predicates {
            fn desc() -> #private::FuncDesc {
                #private::FuncDesc {
                    name: #text,
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    line: #line,
                    tracked: #tracked,
                    sketch: #sketch,
                    types: Self::as_qd_compiles_it,
                    item: || #private::type_id_of(#function #turbofish),
                    named: || #private::item_of(#function #turbofish),
                }
            }
        }
    }
}

/// Whether what fails in a function fails where it is called.
pub fn is_tracked(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("track_caller"))
}

/// What is embedded of a function.
pub fn sketch(lowered: &Lowered) -> Literal {
    let func = qd_ir::sketch::Func { code: lowered.sketch.clone(), body: lowered.body.clone() };
    Literal::byte_string(&func.encode())
}

/// The types of a function's parameters, as calls that give them.
pub fn parameters(sig: &syn::Signature, private: &TokenStream) -> Vec<TokenStream> {
    let of = param_types(sig).into_iter().map(|ty| {
        // A type that can't be a parameter is reported where it stands; that of `self`, as the type of the block.
        let own = match &ty {
            syn::Type::Reference(reference) => is_self(&reference.elem),
            other => is_self(other),
        };
        let span = if own { Span::call_site() } else { ty.span() };
        let path = respanned(private, span);
        match reference(&ty) {
            Some(_) => quote_spanned!(span=> #path::reference_type::<#ty>()),
            None => quote_spanned!(span=> #path::value_type::<#ty>()),
        }
    });
    of.collect()
}
