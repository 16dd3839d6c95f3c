//! An inherent `impl` block: siblings, bodies and twins are beside it, in a block of their own.
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::parse_quote;

use super::{Member, check_attributes, joined, tidy, type_name};
use crate::diagnostic::Diagnostics;
use crate::generics::Generics;
use crate::options::Options;

/// The block, and what stands beside it.
pub(super) fn expand(
    mut block: syn::ItemImpl,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> (TokenStream, TokenStream) {
    let of = type_name(&block.self_ty);
    let mut members = Vec::new();
    for item in &mut block.items {
        let syn::ImplItem::Fn(method) = item else { continue };
        check_attributes(&method.attrs, diagnostics);
        let member = Member::new(&method.vis, &method.sig, Some(&method.block), &of, &options.private, diagnostics);
        members.push(member.with(&method.attrs));
        tidy(&mut method.attrs, &mut method.sig, Some(&mut method.block));
    }
    let beside = members.iter().map(|member| part(&block, member, &options.private));
    let beside = quote!(#(const _: () = { #beside };)*);
    (quote!(#block), beside)
}

/// Sibling, body and twin of one function.
fn part(block: &syn::ItemImpl, member: &Member, private: &TokenStream) -> TokenStream {
    let of = &block.self_ty;
    let name = member.name();
    let twin = Ident::new("MethodForKernels", Span::mixed_site());
    let (outer, own) = (Generics::of(&block.generics, private), &member.own);
    let both = Generics::of(&joined(&block.generics, &member.function.sig.generics), private);
    let structure = both.structure(&twin, &parse_quote!(pub));
    let vis = &member.function.vis;
    let sibling = member.sibling(&twin, &both.args, private);
    let named = member.named_sibling(vis, &twin, &both.args, private);
    let by_path = member.by_path(vis, &twin, &both.args, private);
    let turbofish = own.turbofish();
    let item = quote!(<#of>::#name #turbofish);
    let body = member.body(&item, &quote!(#private::item_of(#item)), private);
    let about = member.twin(&twin, &quote!(#of), &both, private);
    let (outer_params, outer_clause) = (&outer.params, outer.clause());
    quote! {
        #structure
        #[allow(warnings, clippy::all, clippy::pedantic)]
        impl<#outer_params> #of #outer_clause {
            #[doc(hidden)]
            #vis #sibling {
                ::core::unreachable!()
            }
            #body
            #named
            #by_path
        }
        #about
    }
}
