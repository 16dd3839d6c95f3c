//! `#[derive(qd::Data)]`: a struct as a value of the kernel language.
//!
//! The macro sees names only. What is said of a field is said by its type's own implementation, and where it lies by
//! rustc's `offset_of!`, so a derived implementation can't be wrong about memory.
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote_spanned;
use syn::ext::IdentExt;
use syn::parse_quote_spanned;
use syn::spanned::Spanned;

use crate::diagnostic::{Code, Diagnostics};
use crate::options::{DATA, Options};

/// The implementation for an item, or messages.
pub fn derive(item: TokenStream) -> TokenStream {
    let input: syn::DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut diagnostics = Diagnostics::default();
    let private = options(&input.attrs, &mut diagnostics);
    let fields = match &input.data {
        syn::Data::Struct(data) => Some(&data.fields),
        syn::Data::Enum(data) => {
            diagnostics.on(
                Code::Derive,
                &data.enum_token,
                "enums are not values of the kernel language yet",
                "use an integer, and constants for its values",
            );
            None
        }
        syn::Data::Union(data) => {
            diagnostics.on(
                Code::Derive,
                &data.union_token,
                "a union can't be a value of the kernel language: its type doesn't say what it holds",
                "use a struct, and `from_bits` and `to_bits` of floats",
            );
            None
        }
    };
    check(&input, &mut diagnostics);
    match fields {
        Some(fields) if diagnostics.is_empty() => structure(&input, fields, &private),
        Some(_) | None => diagnostics.to_tokens(),
    }
}

/// The `#[qd(crate = path)]` of the item: where `__private` is.
fn options(attributes: &[syn::Attribute], diagnostics: &mut Diagnostics) -> TokenStream {
    let mut private = Options::parse(TokenStream::new(), &DATA, diagnostics).private;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("qd")) {
        match &attribute.meta {
            syn::Meta::List(list) => private = Options::parse(list.tokens.clone(), &DATA, diagnostics).private,
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => {
                diagnostics.on(Code::Option, attribute, "this is no option of `Data`", "write `#[qd(crate = path)]`");
            }
        }
    }
    private
}

/// Refuses what no value can be.
fn check(input: &syn::DeriveInput, diagnostics: &mut Diagnostics) {
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        // rustc reports what it can't read.
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("packed") {
                diagnostics.on(
                    Code::Derive,
                    &meta.path,
                    "a packed struct can't be a value of the kernel language: its fields aren't aligned",
                    "remove `packed`; order the fields by size to save space",
                );
            }
            if meta.input.peek(syn::token::Paren) {
                let _: TokenStream = meta.input.parse::<proc_macro2::Group>()?.stream();
            }
            Ok(())
        });
    }
    for lifetime in input.generics.lifetimes() {
        diagnostics.on(
            Code::Derive,
            lifetime,
            "a struct that borrows can't be a value of the kernel language",
            "hold numbers, and pass arrays to kernels as parameters of their own",
        );
    }
}

fn structure(input: &syn::DeriveInput, fields: &syn::Fields, private: &TokenStream) -> TokenStream {
    // Names of ours that a constant of the user can't shadow.
    let mixed = Span::mixed_site();
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for param in generics.type_params_mut() {
        param.bounds.push(parse_quote_spanned!(mixed=> #private::Data));
    }
    let (with, of, bounds) = generics.split_for_impl();
    let members: Vec<syn::Member> = fields.members().collect();
    let names = members.iter().map(|member| match member {
        syn::Member::Named(name) => Literal::string(&name.unraw().to_string()),
        syn::Member::Unnamed(index) => Literal::string(&index.index.to_string()),
    });
    // With the span of its type: one that is no value of the language is reported at the field.
    let types: Vec<TokenStream> = fields
        .iter()
        .map(|field| {
            let (ty, span) = (&field.ty, field.ty.span());
            let data = quote_spanned!(span=> #private::Data);
            quote_spanned!(span=> <#ty as #data>)
        })
        .collect();
    let text = name.unraw().to_string();
    let docs = quote_spanned!(mixed=> #[automatically_derived]);
    let unused = members.is_empty().then(|| quote_spanned!(mixed=> let _ = (&at, &put);));
    let layout = members
        .iter()
        .zip(&types)
        .map(|(member, ty)| quote_spanned!(mixed=> #ty::layout(at + ::core::mem::offset_of!(Self, #member), put);));
    let put = members.iter().zip(&types).map(|(member, ty)| quote_spanned!(mixed=> #ty::to_words(self.#member, put);));
    let get = members.iter().zip(&types).map(|(member, ty)| {
        quote_spanned!(mixed=> #member: { let (value, rest) = words.split_at(#ty::WORDS); words = rest; #ty::from_words(value) },)
    });
    let zero = members.iter().zip(&types).map(|(member, ty)| quote_spanned!(mixed=> #member: #ty::zero(),));
    let reading = (!members.is_empty()).then(|| quote_spanned!(mixed=> let mut words = words;));
    quote_spanned! {mixed=>
        #docs
        // SAFETY: every field says what it is, and rustc where it lies. There is nothing in the struct but its fields,
        // which are given in the order of their declaration.
        unsafe impl #with #private::Data for #name #of #bounds {
            const WORDS: usize = 0 #(+ #types::WORDS)*;
            fn ty() -> #private::Type {
                #private::Type::structure(#text, ::std::vec![#((#names, #types::ty())),*])
            }
            fn layout(at: usize, put: &mut dyn ::core::ops::FnMut(#private::ScalarType, usize)) {
                #unused
                #(#layout)*
            }
            fn zero() -> Self {
                Self { #(#zero)* }
            }
            #[inline(always)]
            fn to_words(self, put: &mut impl ::core::ops::FnMut(u64)) {
                let _ = &put;
                #(#put)*
            }
            #[inline(always)]
            #[allow(unused_assignments)]
            fn from_words(words: &[u64]) -> Self {
                let _ = words;
                #reading
                Self { #(#get)* }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(item: &str) -> String {
        derive(item.parse().unwrap()).to_string()
    }

    #[test]
    fn what_has_no_layout_of_its_own_is_refused() {
        for (item, code) in [
            ("union U { a: u32, b: f32 }", "QD0035"),
            ("#[repr(C, packed(2))] struct P { a: u32 }", "QD0035"),
            ("struct P<'a> { a: &'a u32 }", "QD0035"),
            ("#[qd(krate = x)] struct P { a: u32 }", "QD0002"),
        ] {
            assert!(messages(item).contains(code), "{item}: {}", messages(item));
        }
    }

    #[test]
    fn raw_names_are_known_by_their_plain_form() {
        let text = messages("struct P { r#type: u32 }");
        assert!(text.contains("\"type\"") && !text.contains("compile_error"), "{text}");
    }
}
