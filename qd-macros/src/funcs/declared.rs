//! A trait: siblings, the bodies of provided methods, and what each implementation has to say are in it; the twins are
//! beside it.
//!
//! An implementation without `#[qd::funcs]` lacks items of the trait, and one with it of a trait without has too many: so
//! rustc reports both. All types of the trait are values of kernels.
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse_quote;
use syn::visit_mut::VisitMut;

use super::{Member, Renamed, check_attributes, joined, operators, tidy};
use crate::diagnostic::{Code, Diagnostics};
use crate::expand::quiet;
use crate::generics::Generics;
use crate::options::Options;

/// The item that every implementation has, and no other trait: its name is what rustc says where one lacks the attribute.
pub(super) fn marker(span: Span) -> TokenStream {
    let name = Ident::new("needs_the_attribute_qd_funcs", span);
    quote!(fn #name())
}

/// The trait, and what stands beside it.
pub(super) fn expand(
    mut of: syn::ItemTrait,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> (TokenStream, TokenStream) {
    let private = &options.private;
    let plain = of.clone();
    for lifetime in of.generics.lifetimes() {
        diagnostics.on(
            Code::Generic,
            lifetime,
            "a trait of kernels has no lifetimes: its types are values",
            "remove it; methods may have lifetimes of their own",
        );
    }
    let mut hidden = Vec::new();
    let mut beside = TokenStream::new();
    for item in &mut of.items {
        let syn::TraitItem::Fn(method) = item else { continue };
        check_attributes(&method.attrs, diagnostics);
        let (none, name) = (syn::Visibility::Inherited, plain.ident.to_string());
        let member =
            Member::new(&none, &method.sig, method.default.as_ref(), &name, private, diagnostics).with(&method.attrs);
        tidy(&mut method.attrs, &mut method.sig, method.default.as_mut());
        let (inside, outside) = part(&plain, &member, private);
        hidden.extend(inside.into_iter().filter(|item| !item.is_empty()));
        beside.extend(outside);
    }
    let bounds = operators::bounds(&of.generics, private);
    if !bounds.is_empty() {
        of.generics.make_where_clause().predicates.extend(bounds);
    }
    if !diagnostics.is_empty() {
        return (quote!(#of), TokenStream::new());
    }
    let marker = marker(of.ident.span());
    hidden.push(quote!(#[doc(hidden)] #marker;));
    of.colon_token.get_or_insert_with(Default::default);
    of.supertraits.push(parse_quote!(#private::Data));
    of.supertraits.extend(operators::supertraits(&plain, private));
    of.items.extend(hidden.into_iter().map(syn::TraitItem::Verbatim));
    (quote!(#of), beside)
}

/// The items that one method adds to the trait, and its twin.
fn part(of: &syn::ItemTrait, member: &Member, private: &TokenStream) -> ([TokenStream; 4], TokenStream) {
    let (name, own) = (member.name(), &member.own);
    let twin = format_ident!("{}_{}_with_qd_funcs", of.ident, name, span = name.span());
    let trait_generics = Generics::of(&of.generics, private);
    let (trait_args, turbofish) = (&trait_generics.args, own.turbofish());
    let mut args = quote!(Self);
    for more in [trait_args, &own.args].into_iter().filter(|more| !more.is_empty()) {
        args.extend(quote!(, #more));
    }
    let path = {
        let name = &of.ident;
        quote!(#name<#trait_args>)
    };
    let sibling = member.sibling(&twin, &args, private);
    let item = quote!(<Self as #path>::#name #turbofish);
    let body = member.body(&item, &quote!(#private::item_of(#item)), private);
    // Outside of the trait `Self` is a parameter.
    let type_of = Ident::new("TypeOfTheTrait", Span::mixed_site());
    let mut generics = joined(&of.generics, &member.function.sig.generics);
    generics.params.insert(0, parse_quote!(#type_of));
    Renamed(&type_of).visit_generics_mut(&mut generics);
    let mut generics = Generics::of(&generics, private);
    generics.predicates.push(parse_quote!(#type_of: #path));
    let structure = generics.structure(&twin, &of.vis);
    let about = member.twin(&twin, &quote!(#type_of), &generics, private);
    let quiet = quiet();
    let inherited = syn::Visibility::Inherited;
    let named = member.named_sibling(&inherited, &twin, &args, private).unwrap_or_default();
    let by_path = member.by_path(&inherited, &twin, &args, private).unwrap_or_default();
    let inside = [quote!(#[doc(hidden)] #quiet #sibling { ::core::unreachable!() }), body, named, by_path];
    (inside, quote!(#structure const _: () = { #about };))
}
