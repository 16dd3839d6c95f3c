//! `#[derive(qd::Bundle)]`: a struct of arrays and values that kernels take by reference.
//!
//! The macro sees names only. What a field is, its type's own implementation says; here is the order of the fields, which
//! is that of the declaration wherever words, types and values are listed.
use proc_macro2::{Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse_quote_spanned;
use syn::spanned::Spanned;
use syn::visit::Visit;

use crate::diagnostic::{Code, Diagnostics};
use crate::options::{self, BUNDLE};

/// The implementations for an item, or messages.
pub fn derive(item: TokenStream) -> TokenStream {
    let input: syn::DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut diagnostics = Diagnostics::default();
    let private = options::of_derive(&input.attrs, &BUNDLE, &mut diagnostics).private;
    let output = match &input.data {
        syn::Data::Struct(data) => Some(structure(&input, &data.fields, &private)),
        syn::Data::Enum(syn::DataEnum { enum_token, .. }) => {
            refuse(enum_token, "an enum", &mut diagnostics);
            None
        }
        syn::Data::Union(syn::DataUnion { union_token, .. }) => {
            refuse(union_token, "a union", &mut diagnostics);
            None
        }
    };
    match output {
        Some(output) if diagnostics.is_empty() => output,
        Some(_) | None => diagnostics.to_tokens(),
    }
}

fn refuse(token: &impl quote::ToTokens, what: &str, diagnostics: &mut Diagnostics) {
    diagnostics.on(
        Code::Derive,
        token,
        format!("{what} can't be a bundle: it doesn't say which arrays it holds"),
        "write a struct with a field for each array",
    );
}

fn structure(input: &syn::DeriveInput, fields: &syn::Fields, private: &TokenStream) -> TokenStream {
    // Names of ours that a constant of the user can't shadow.
    let mixed = Span::mixed_site();
    let name = &input.ident;
    // What a field of a generic type is, is known where the bundle is used.
    let mut generics = input.generics.clone();
    let parameters: Vec<&syn::Ident> = input.generics.type_params().map(|param| &param.ident).collect();
    let open: Vec<&syn::Type> = fields.iter().map(|f| &f.ty).filter(|ty| mentions(ty, &parameters)).collect();
    if !open.is_empty() {
        let clause = generics.make_where_clause();
        clause.predicates.extend(
            open.iter().map(|ty| -> syn::WherePredicate { parse_quote_spanned!(ty.span()=> #ty: #private::Field) }),
        );
    }
    let (_, of, bounds) = generics.split_for_impl();
    let with = input.generics.params.iter().map(|param| {
        let mut param = param.clone();
        match &mut param {
            syn::GenericParam::Type(ty) => ty.default = None,
            syn::GenericParam::Const(value) => value.default = None,
            syn::GenericParam::Lifetime(_) => {}
        }
        param
    });
    let with: Vec<syn::GenericParam> = with.collect();
    let members: Vec<syn::Member> = fields.members().collect();
    let names = members.iter().map(|member| match member {
        syn::Member::Named(name) => Literal::string(&name.unraw().to_string()),
        syn::Member::Unnamed(index) => Literal::string(&index.index.to_string()),
    });
    // With the span of its type: one that can't be in a bundle is reported at the field.
    let types: Vec<TokenStream> = fields
        .iter()
        .map(|field| {
            let (ty, span) = (&field.ty, field.ty.span());
            let trait_ = quote_spanned!(span=> #private::Field);
            quote_spanned!(span=> <#ty as #trait_>)
        })
        .collect();
    let write =
        members.iter().zip(&types).map(|(member, ty)| quote_spanned!(mixed=> #ty::write(&self.#member, words);));
    let write_mut = members
        .iter()
        .zip(&types)
        .map(|(member, ty)| quote_spanned!(mixed=> #ty::write_mut(&mut self.#member, words);));
    let read_back = members.iter().zip(&types).map(|(member, ty)| {
        quote_spanned!(mixed=> let (own, words) = words.split_at(#ty::WORDS); #ty::read_back(&mut self.#member, own);)
    });
    let whole = quote!(#name #of);
    let itself = quote_spanned! {mixed=>
        #[automatically_derived]
        // SAFETY: every field says which words it has; they are written in the order of the declaration.
        unsafe impl<#(#with),*> #private::Field for #whole #bounds {
            const WORDS: usize = 0 #(+ #types::WORDS)*;
            fn ty(mutable: bool) -> #private::ParamType {
                let _ = mutable;
                #private::ParamType::Bundle(::std::vec![#((::std::string::String::from(#names), #types::ty(mutable))),*])
            }
            #[inline(always)]
            fn write(&self, words: &mut #private::ArgWriter) {
                let _ = &words;
                #(#write)*
            }
            #[inline(always)]
            fn write_mut(&mut self, words: &mut #private::ArgWriter) {
                let _ = &words;
                #(#write_mut)*
            }
            #[inline(always)]
            fn read_back(&mut self, words: &[u64]) {
                let _ = words;
                #(#read_back)*
            }
        }
    };
    let references = [false, true].map(|exclusive| {
        let mutable = exclusive.then(|| quote_spanned!(mixed=> mut));
        let by_reference = quote_spanned!(mixed=> &#mutable #whole);
        let (write, back) = if exclusive {
            let back = quote_spanned!(mixed=> #private::Field::read_back(&mut **self, words););
            (quote_spanned!(mixed=> #private::Field::write_mut(&mut **self, words);), Some(back))
        } else {
            (quote_spanned!(mixed=> #private::Field::write(&**self, words);), None)
        };
        quote_spanned! {mixed=>
            #[automatically_derived]
            // SAFETY: as of what it refers to; behind `&` nothing is written.
            unsafe impl<#(#with),*> #private::Arg for #by_reference #bounds {
                const WORDS: usize = <#whole as #private::Field>::WORDS;
                const IS_ARRAY: bool = true;
                fn ty() -> #private::ParamType {
                    <#whole as #private::Field>::ty(#exclusive)
                }
                #[inline(always)]
                fn write(&mut self, words: &mut #private::ArgWriter) {
                    #write
                }
                #[inline(always)]
                fn read_back(&mut self, words: &[u64]) {
                    let _ = words;
                    #back
                }
            }
            #[automatically_derived]
            impl<#(#with),*> #private::FuncReference for #by_reference #bounds {
                fn ty() -> #private::ParamType {
                    <#whole as #private::Field>::ty(#exclusive)
                }
            }
        }
    });
    quote!(#itself #(#references)*)
}

/// Whether a type names one of the parameters.
fn mentions(ty: &syn::Type, parameters: &[&syn::Ident]) -> bool {
    struct Find<'a> {
        parameters: &'a [&'a syn::Ident],
        found: bool,
    }
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_ident(&mut self, ident: &'ast syn::Ident) {
            self.found |= self.parameters.contains(&ident);
        }
    }
    let mut find = Find { parameters, found: false };
    find.visit_type(ty);
    find.found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn output(item: &str) -> String {
        derive(item.parse().unwrap()).to_string()
    }

    #[test]
    fn what_has_no_fields_of_its_own_is_refused() {
        for (item, code) in [
            ("enum E { A(Vec<f32>) }", "QD0035"),
            ("union U { a: u32, b: f32 }", "QD0035"),
            ("#[qd(krate = x)] struct P { a: Vec<u32> }", "QD0002"),
        ] {
            assert!(output(item).contains(code), "{item}: {}", output(item));
        }
    }

    #[test]
    fn only_fields_of_open_types_are_bounds() {
        let text = output("struct P<'a, T, const N: usize> { a: &'a mut [T], r#type: u32, b: Vec<u8> }");
        assert!(text.contains("\"type\"") && !text.contains("compile_error"), "{text}");
        assert!(text.contains("& 'a mut [T] :") && !text.contains("Vec < u8 > :"), "{text}");
    }
}
