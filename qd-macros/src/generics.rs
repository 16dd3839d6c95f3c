//! Type and const parameters of functions, and the struct that carries them: a function's twin.
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse_quote;

use crate::funcs::operators;

/// The generics of a function without its lifetimes.
pub struct Generics {
    /// With bounds.
    pub params: syn::punctuated::Punctuated<syn::GenericParam, syn::Token![,]>,
    /// Their names.
    pub args: TokenStream,
    /// Those of the types.
    types: Vec<Ident>,
    /// What `where` says of them.
    pub predicates: Vec<syn::WherePredicate>,
}

impl Generics {
    /// Of a function or type, with what kernels have to know of its bounds.
    pub fn of(generics: &syn::Generics, private: &TokenStream) -> Generics {
        let mut params = syn::punctuated::Punctuated::new();
        let mut names = Vec::new();
        let mut types = Vec::new();
        for param in &generics.params {
            match param {
                syn::GenericParam::Lifetime(_) => continue,
                syn::GenericParam::Type(ty) => {
                    names.push(ty.ident.clone());
                    types.push(ty.ident.clone());
                }
                syn::GenericParam::Const(value) => names.push(value.ident.clone()),
            }
            params.push(param.clone());
        }
        let predicates = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let predicates = predicates.filter(|p| !matches!(p, syn::WherePredicate::Lifetime(_))).cloned();
        // As every type of the language is; said here, because else rustc would say so of any type that isn't.
        let predicates = predicates.chain(types.iter().map(|ty| parse_quote!(#ty: 'static)));
        let predicates = predicates.chain(operators::bounds(generics, private)).collect();
        Generics { params, args: quote!(#(#names),*), types, predicates }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.params.is_empty()
    }

    /// `::<T, N>`; nothing if there are none.
    pub fn turbofish(&self) -> TokenStream {
        let args = &self.args;
        if self.is_empty() { TokenStream::new() } else { quote!(::<#args>) }
    }

    /// The `where` clause.
    pub fn clause(&self) -> TokenStream {
        let predicates = &self.predicates;
        if predicates.is_empty() { TokenStream::new() } else { quote!(where #(#predicates),*) }
    }

    /// The struct that stands beside the function: braces keep its name out of the values'.
    pub fn structure(&self, name: &Ident, vis: &syn::Visibility) -> TokenStream {
        let params = self.params.iter().map(|param| match param {
            syn::GenericParam::Type(ty) => {
                let name = &ty.ident;
                quote!(#name)
            }
            syn::GenericParam::Const(value) => {
                let (name, ty) = (&value.ident, &value.ty);
                quote!(const #name: #ty)
            }
            syn::GenericParam::Lifetime(lifetime) => quote!(#lifetime),
        });
        let types = &self.types;
        quote! {
            #[doc(hidden)]
            #[allow(warnings, clippy::all, clippy::pedantic)]
            #vis struct #name<#(#params),*> {
                __qd_types: ::core::marker::PhantomData<fn() -> (#(#types,)*)>,
            }
        }
    }
}
