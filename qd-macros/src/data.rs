//! `#[derive(qd::Data)]`: a struct or a fieldless enum as a value of the kernel language.
//!
//! The macro sees names only. What is said of a field is said by its type's own implementation, and where it lies by
//! rustc's `offset_of!`, so a derived implementation can't be wrong about memory.
use proc_macro2::{Literal, Span, TokenStream};
use qd_ir::types::Scalar;
use quote::quote_spanned;
use syn::ext::IdentExt;
use syn::parse_quote_spanned;
use syn::spanned::Spanned;
use syn::visit::Visit;

use crate::diagnostic::{Code, Diagnostics};
use crate::options::{self, DATA, Options};

/// The implementation for an item, or messages.
pub fn derive(item: TokenStream) -> TokenStream {
    let input: syn::DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut diagnostics = Diagnostics::default();
    let options = options::of_derive(&input.attrs, &DATA, &mut diagnostics);
    let private = &options.private;
    check(&input, &mut diagnostics);
    let output = match &input.data {
        syn::Data::Struct(data) => {
            let compared = comparisons(&input, &Compared::of(&data.fields), &options, &mut diagnostics);
            let structure = structure(&input, &data.fields, private);
            Some(quote::quote!(#structure #compared))
        }
        syn::Data::Enum(data) => enumeration(&input, data, &options, &mut diagnostics),
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
    match output {
        Some(output) if diagnostics.is_empty() => output,
        Some(_) | None => diagnostics.to_tokens(),
    }
}

/// What is compared, from the first on.
struct Compared {
    /// Each in `self` and in `other`.
    parts: Vec<[TokenStream; 2]>,
}

impl Compared {
    /// The fields.
    fn of(fields: &syn::Fields) -> Compared {
        let pair = |member: syn::Member| {
            ["self", "other"].map(|of| {
                let of = proc_macro2::Ident::new(of, Span::mixed_site());
                quote_spanned!(Span::mixed_site()=> #of.#member)
            })
        };
        Compared { parts: fields.members().map(pair).collect() }
    }

    fn equal(&self) -> TokenStream {
        let mixed = Span::mixed_site();
        let parts = self.parts.iter().map(|[a, b]| quote_spanned!(mixed=> #a == #b));
        parts.reduce(|all, part| quote_spanned!(mixed=> #all && #part)).unwrap_or_else(|| quote_spanned!(mixed=> true))
    }

    /// `before` decides where two parts differ, `last` between the last ones; `none` is said of nothing.
    fn ordered(&self, before: &TokenStream, last: &TokenStream, none: bool) -> TokenStream {
        let mixed = Span::mixed_site();
        let mut all = None;
        for [a, b] in self.parts.iter().rev() {
            all = Some(match all {
                None => quote_spanned!(mixed=> #a #last #b),
                Some(rest) => quote_spanned!(mixed=> #a #before #b || (#a == #b && (#rest))),
            });
        }
        all.unwrap_or_else(|| quote_spanned!(mixed=> #none))
    }
}

/// `PartialEq` and `PartialOrd`, as std derives them, with what kernels have to know of them.
fn comparisons(
    input: &syn::DeriveInput,
    compared: &Compared,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> TokenStream {
    let mixed = Span::mixed_site();
    let (name, private) = (&input.ident, &options.private);
    let mut both = TokenStream::new();
    let mut expand = |generics: &syn::Generics, of_trait: TokenStream, methods: TokenStream| {
        let (with, of, bounds) = generics.split_for_impl();
        let block: syn::ItemImpl = parse_quote_spanned! {mixed=>
            #[automatically_derived]
            #[allow(clippy::all)]
            impl #with #of_trait for #name #of #bounds {
                #methods
            }
        };
        let (block, beside) = crate::funcs::operators::expand(block, private, diagnostics);
        both.extend(quote::quote!(#block #beside));
    };
    let bounded = |traits: &[TokenStream]| {
        let mut generics = input.generics.clone();
        for param in generics.type_params_mut() {
            param.bounds.push(parse_quote_spanned!(mixed=> #private::Data));
            param.bounds.extend(traits.iter().map(|of| -> syn::TypeParamBound { parse_quote_spanned!(mixed=> #of) }));
        }
        generics
    };
    let [equality, order] = ["PartialEq", "PartialOrd"].map(|name| {
        let name = proc_macro2::Ident::new(name, mixed);
        quote_spanned!(mixed=> ::core::cmp::#name)
    });
    if options.equality {
        let equal = compared.equal();
        let methods = quote_spanned! {mixed=>
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                #equal
            }
        };
        expand(&bounded(std::slice::from_ref(&equality)), equality.clone(), methods);
    }
    if options.order {
        let [lt, le, gt, ge] = [
            quote_spanned!(mixed=> <),
            quote_spanned!(mixed=> <=),
            quote_spanned!(mixed=> >),
            quote_spanned!(mixed=> >=),
        ];
        let lists = [("lt", &lt, &lt, false), ("le", &lt, &le, true), ("gt", &gt, &gt, false), ("ge", &gt, &ge, true)];
        let methods = lists.map(|(name, before, last, none)| {
            let (name, ordered) = (proc_macro2::Ident::new(name, mixed), compared.ordered(before, last, none));
            quote_spanned! {mixed=>
                #[inline]
                fn #name(&self, other: &Self) -> bool {
                    #ordered
                }
            }
        });
        let parts = compared.parts.iter().map(|[a, b]| {
            quote_spanned! {mixed=>
                match ::core::cmp::PartialOrd::partial_cmp(&(#a), &(#b)) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => {}
                    decided => return decided,
                }
            }
        });
        let methods = quote_spanned! {mixed=>
            #[inline]
            fn partial_cmp(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                #(#parts)*
                ::core::option::Option::Some(::core::cmp::Ordering::Equal)
            }
            #(#methods)*
        };
        expand(&bounded(&[equality, order.clone()]), order, methods);
    }
    both
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
            "hold numbers; a struct of arrays is passed to kernels by reference, with `#[derive(qd::Bundle)]`",
        );
    }
}

/// Whether a type has a type parameter of the struct among its arguments.
fn depends(ty: &syn::Type, input: &syn::DeriveInput) -> bool {
    struct Named<'a>(&'a syn::DeriveInput, bool);
    impl<'ast> Visit<'ast> for Named<'_> {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            self.1 |=
                path.get_ident().is_some_and(|name| self.0.generics.type_params().any(|param| param.ident == *name));
            syn::visit::visit_path(self, path);
        }
    }
    let mut named = Named(input, false);
    if let syn::Type::Path(path) = ty
        && path.path.get_ident().is_none()
    {
        named.visit_type(ty);
    }
    named.1
}

fn structure(input: &syn::DeriveInput, fields: &syn::Fields, private: &TokenStream) -> TokenStream {
    // Names of ours that a constant of the user can't shadow.
    let mixed = Span::mixed_site();
    let name = &input.ident;
    let mut generics = input.generics.clone();
    for param in generics.type_params_mut() {
        param.bounds.push(parse_quote_spanned!(mixed=> #private::Data));
    }
    // What a field of another generic type needs of the parameters, only that type knows.
    let depending: Vec<syn::Type> =
        fields.iter().map(|field| &field.ty).filter(|ty| depends(ty, input)).cloned().collect();
    if !depending.is_empty() {
        let predicates = &mut generics.make_where_clause().predicates;
        predicates.extend(
            depending.iter().map(|ty| -> syn::WherePredicate { parse_quote_spanned!(mixed=> #ty: #private::Data) }),
        );
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
        .map(|(member, ty)| quote_spanned!(mixed=> #ty::qd_layout(at + ::core::mem::offset_of!(Self, #member), put);));
    let put =
        members.iter().zip(&types).map(|(member, ty)| quote_spanned!(mixed=> #ty::qd_to_words(self.#member, put);));
    let get = members.iter().zip(&types).map(|(member, ty)| {
        quote_spanned!(mixed=> #member: { let (value, rest) = words.split_at(#ty::QD_WORDS); words = rest; #ty::qd_from_words(value) },)
    });
    let zero = members.iter().zip(&types).map(|(member, ty)| quote_spanned!(mixed=> #member: #ty::qd_zero(),));
    let reading = (!members.is_empty()).then(|| quote_spanned!(mixed=> let mut words = words;));
    quote_spanned! {mixed=>
        #docs
        impl #with #private::Erase for #name #of #bounds {
            type QdErased = Self;
        }
        #docs
        // SAFETY: every field says what it is, and rustc where it lies. There is nothing in the struct but its fields,
        // which are given in the order of their declaration.
        unsafe impl #with #private::Data for #name #of #bounds {
            type QdKnown = Self;
            const QD_WORDS: usize = 0 #(+ #types::QD_WORDS)*;
            fn qd_type() -> #private::Type {
                #private::Type::structure(#text, ::std::vec![#((#names, #types::qd_type())),*])
            }
            fn qd_layout(at: usize, put: &mut dyn ::core::ops::FnMut(#private::ScalarType, usize)) {
                #unused
                #(#layout)*
            }
            fn qd_zero() -> Self {
                Self { #(#zero)* }
            }
            #[inline(always)]
            fn qd_to_words(self, put: &mut impl ::core::ops::FnMut(u64)) {
                let _ = &put;
                #(#put)*
            }
            #[inline(always)]
            #[allow(unused_assignments)]
            fn qd_from_words(words: &[u64]) -> Self {
                let _ = words;
                #reading
                Self { #(#get)* }
            }
        }
    }
}

/// An enum without fields: its tag.
fn enumeration(
    input: &syn::DeriveInput,
    data: &syn::DataEnum,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<TokenStream> {
    let mixed = Span::mixed_site();
    let (name, private) = (&input.ident, &options.private);
    for variant in data.variants.iter().filter(|variant| !matches!(variant.fields, syn::Fields::Unit)) {
        diagnostics.on(
            Code::Derive,
            &variant.fields,
            "an enum with fields can't be a value of the kernel language",
            "use a struct with a fieldless enum beside the fields of all variants",
        );
    }
    let Some(tag) = tag(&input.attrs) else {
        diagnostics.on(
            Code::Derive,
            &data.enum_token,
            "an enum of the kernel language says which integer its variants are",
            "write `#[repr(u8)]`, or another integer type, on it",
        );
        return None;
    };
    let Some(first) = data.variants.first().map(|variant| &variant.ident) else {
        diagnostics.on(Code::Derive, &data.enum_token, "an enum without variants has no value", "add a variant");
        return None;
    };
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let scalar = Scalar::from_name(&tag.to_string())?;
    let unsigned = proc_macro2::Ident::new(scalar.unsigned().name(), tag.span());
    if options.equality {
        diagnostics.on(
            Code::Option,
            name,
            "kernels compare the numbers of an enum's variants, which std's `PartialEq` does, too",
            "write `#[derive(PartialEq)]`",
        );
    }
    // By the numbers, as std's derive does.
    let numbers = ["self", "other"].map(|of| {
        let of = proc_macro2::Ident::new(of, mixed);
        quote_spanned!(mixed=> (*#of as #tag))
    });
    let compared = comparisons(input, &Compared { parts: vec![numbers] }, options, diagnostics);
    let text = name.unraw().to_string();
    let lacking =
        format!("an array of zeros of `{text}` holds variants of value 0, and there is none: give one that value");
    Some(quote_spanned! {mixed=>
        #[automatically_derived]
        impl #private::Erase for #name {
            type QdErased = Self;
        }
        #[automatically_derived]
        // SAFETY: an enum without fields of this `repr` is its tag. Words come from values of it.
        unsafe impl #private::Data for #name {
            type QdKnown = Self;
            const QD_WORDS: usize = 1;
            fn qd_type() -> #private::Type {
                #private::Type::enumeration(#text, <#tag as #private::Scalar>::SCALAR)
            }
            fn qd_layout(at: usize, put: &mut dyn ::core::ops::FnMut(#private::ScalarType, usize)) {
                put(<#tag as #private::Scalar>::SCALAR, at);
            }
            fn qd_zero() -> Self {
                const ZERO: #name = {
                    #(if #name::#variants as #tag == 0 {
                        #name::#variants
                    } else)* {
                        ::core::panic!(#lacking)
                    }
                };
                ZERO
            }
            #[inline(always)]
            fn qd_to_words(self, put: &mut impl ::core::ops::FnMut(u64)) {
                put(self as #tag as #unsigned as u64);
            }
            #[inline]
            fn qd_from_words(words: &[u64]) -> Self {
                #(if words[0] == #name::#variants as #tag as #unsigned as u64 {
                    return #name::#variants;
                })*
                ::core::unreachable!("a kernel made a `{}` of no variant", #text)
            }
        }
        #compared
        impl #private::Operate<#private::operator::Eq, #name> for #name {
            type Known = #private::operator::Builtin<()>;
        }
        impl #private::Operate<#private::operator::Ne, #name> for #name {
            type Known = #private::operator::Builtin<()>;
        }
        // Kernels compare tags: that is what `==` must mean. rustc takes a constant in a pattern only then.
        const _: () = {
            const FIRST: #name = #name::#first;
            #[allow(dead_code)]
            fn compares_variants(value: #name) -> bool {
                ::core::matches!(value, FIRST)
            }
        };
    })
}

/// The integer of `#[repr(..)]`.
fn tag(attributes: &[syn::Attribute]) -> Option<syn::Ident> {
    let mut found = None;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("repr")) {
        // rustc reports what it can't read.
        let _ = attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident();
            let integer = |name: &&syn::Ident| {
                Scalar::from_name(&name.to_string()).is_some_and(|scalar| scalar.is_int() && scalar.bits() <= 64)
            };
            found = name.filter(integer).cloned().or(found.take());
            if meta.input.peek(syn::token::Paren) {
                let _ = meta.input.parse::<proc_macro2::Group>()?;
            }
            Ok(())
        });
    }
    found
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
            ("enum E { A }", "QD0035"),
            ("#[repr(u8)] enum E {}", "QD0035"),
            ("#[repr(u8)] enum E { A, B(u8) }", "QD0035"),
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
