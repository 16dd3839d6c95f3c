//! An `impl` block of a trait: the bodies of its methods are in it. Siblings and twins are the trait's.
use proc_macro2::{Span, TokenStream};
use qd_ir::types::Scalar;
use quote::{format_ident, quote};
use syn::parse_quote;

use super::declared::marker;
use super::{Member, Receiver, check_attributes, is_named_like_std, operators, tidy, type_name};
use crate::diagnostic::Diagnostics;
use crate::options::Options;
use crate::taps::sibling;

/// The block, and what stands beside it: nothing.
pub(super) fn expand(
    mut block: syn::ItemImpl,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> (TokenStream, TokenStream) {
    let Some((path, _)) = &block.trait_ else { return (quote!(#block), TokenStream::new()) };
    let (of, private) = (type_name(&block.self_ty), &options.private);
    let mut hidden = Vec::new();
    for item in &mut block.items {
        let syn::ImplItem::Fn(method) = item else { continue };
        check_attributes(&method.attrs, diagnostics);
        let member =
            Member::new(&method.vis, &method.sig, Some(&method.block), &of, private, diagnostics).with(&method.attrs);
        tidy(&mut method.attrs, &mut method.sig, Some(&mut method.block));
        hidden.push(body(&block.self_ty, path, &member, private));
    }
    if diagnostics.is_empty() {
        let marker = marker(path.segments.last().map_or_else(Span::call_site, |last| last.ident.span()));
        hidden.push(quote!(#[doc(hidden)] #marker {}));
        let bounds = operators::bounds(&block.generics, private);
        if !bounds.is_empty() {
            block.generics.make_where_clause().predicates.extend(bounds);
        }
        block.items.extend(hidden.into_iter().map(syn::ImplItem::Verbatim));
    }
    (quote!(#block), TokenStream::new())
}

/// The body of one method.
fn body(of: &syn::Type, path: &syn::Path, member: &Member, private: &TokenStream) -> TokenStream {
    let (name, turbofish) = (member.name(), member.own.turbofish());
    let mut plain = path.clone();
    if let Some(last) = plain.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    let import: syn::Stmt = parse_quote!(use #plain as _;);
    let item = quote!(<Self as #path>::#name #turbofish);
    // The type may have a method of its own by that name. What is called by a path names its item there.
    let named = if member.receiver == Receiver::None || is_known_to_have_none(of, &name.to_string()) {
        quote!(#private::item_of(#item))
    } else {
        // If that has the attribute, rustc finds its sibling where it finds it.
        let sibling = sibling(name);
        let named = quote!(<#of>::#sibling #turbofish);
        match plain == *path {
            true => quote!({
                #import
                match #private::is_same(#named, <Self as #path>::#sibling #turbofish) {
                    true => #private::item_of(<#of>::#name #turbofish),
                    false => #private::item_of(#item),
                }
            }),
            // Of a trait that a type may implement several times, by its parameters: what the sibling takes and gives says
            // which is meant.
            false => {
                let of_trait = quote!(<Self as #path>::#sibling #turbofish);
                let siblings = alike(member, &named, &of_trait);
                let own = format!("{}::{name}", type_name(of));
                quote!({
                    #import
                    match #private::is_same(#siblings, #of_trait) {
                        true => #private::item_of(#item),
                        false => (::core::any::TypeId::of::<#private::Other>(), #own),
                    }
                })
            }
        }
    };
    member.body(&item, &named, private)
}

/// The function that is `named`, with the parameters and the result of that `of_trait`.
fn alike(member: &Member, named: &TokenStream, of_trait: &TokenStream) -> TokenStream {
    let types = member.function.sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => Some(&typed.ty),
        syn::FnArg::Receiver(_) => None,
    });
    let types: Vec<_> = types.collect();
    let names: Vec<_> = (0..types.len()).map(|n| format_ident!("a{n}", span = Span::mixed_site())).collect();
    quote!({
        let function = #named;
        let _ = |#(#names: #types),*| {
            loop {}
            let mut given = #of_trait(#(#names),*);
            given = function(#(#names),*);
        };
        function
    })
}

/// True for a type that can have no methods of the user's own, if what std has of the name is known, too: kernels know
/// where rustc calls it, or it is another trait's, and then the path would be ambiguous.
fn is_known_to_have_none(of: &syn::Type, name: &str) -> bool {
    const OF_TRAITS: [&str; 8] = ["eq", "ne", "lt", "le", "gt", "ge", "as_ref", "as_mut"];
    let foreign = match of {
        syn::Type::Paren(inner) => return is_known_to_have_none(&inner.elem, name),
        syn::Type::Group(inner) => return is_known_to_have_none(&inner.elem, name),
        syn::Type::Array(_) | syn::Type::Tuple(_) => true,
        syn::Type::Path(path) => path.path.get_ident().is_some_and(|of| Scalar::from_name(&of.to_string()).is_some()),
        _ => false,
    };
    foreign && (is_named_like_std(name) || OF_TRAITS.contains(&name))
}
