//! `#[qd::funcs]` on an `impl` block: its functions and methods become ones that kernels can call.
//!
//! The block stays as it is. Beside each function stands a hidden sibling, an associated function of the same type with
//! the same signature, and a twin, which says what the function is. A kernel's never-run copy calls the sibling: so rustc
//! finds the type of `p` in `p.length()`, which the macro of the kernel can't name. Siblings of a trait's methods are
//! the type's own, since the trait needn't know of them; their twins can tell whether the type hides the method.
use proc_macro2::{Ident, Literal, Span, TokenStream};
use qd_ir::linear::Method;
use qd_ir::op::Op;
use quote::{format_ident, quote};
use syn::parse_quote;

use crate::diagnostic::{Code, Diagnostics};
use crate::expand::{allow, chosen, param_types, stripped};
use crate::generics::Generics;
use crate::lower::{self, Callable, Lowered, reference};
use crate::options::{self, Options};
use crate::taps::sibling;
use crate::twin;

/// The output of `#[qd::funcs(attribute)]` on an item.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let options = Options::parse(attribute, &options::FUNCS, &mut diagnostics);
    let item = diagnostics.item(
        &item,
        "`#[qd::funcs]` stands on `impl` blocks",
        "put `#[qd::func]` on functions of their own",
    );
    let mut block: syn::ItemImpl = match item {
        Ok(block) => block,
        Err(tokens) => return tokens,
    };
    let of = type_name(&block.self_ty);
    let mut beside = Vec::new();
    for item in &mut block.items {
        let syn::ImplItem::Fn(method) = item else { continue };
        check_name(&method.sig, &mut diagnostics);
        let function = as_function(method);
        let callable = Callable::Method { of: of.clone() };
        let lowered = lower::func(&function, &callable, &options.private, &mut diagnostics);
        beside.push((function, lowered));
        // Marks of loops are for qd alone.
        let plain = stripped(syn::ItemFn {
            attrs: method.attrs.clone(),
            vis: method.vis.clone(),
            modifiers: Default::default(),
            sig: method.sig.clone(),
            block: Box::new(method.block.clone()),
        });
        method.sig = plain.sig;
        method.block = *plain.block;
        let allow = allow();
        method.attrs.push(parse_quote!(#allow));
    }
    if !diagnostics.is_empty() {
        let errors = diagnostics.to_tokens();
        return quote!(#block #errors);
    }
    let parts = beside.iter().map(|(function, lowered)| part(&block, function, lowered, &options.private));
    let parts: Vec<TokenStream> = parts.collect();
    quote! {
        #block
        #(const _: () = { #parts };)*
    }
}

/// The last name in a type, for messages.
fn type_name(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
        other => quote!(#other).to_string(),
    }
}

/// Kernels take a method with the name of a number's or a vector's for that, whatever it is called on.
fn check_name(sig: &syn::Signature, diagnostics: &mut Diagnostics) {
    let name = &sig.ident;
    let text = name.to_string();
    let associated = !matches!(sig.inputs.first(), Some(syn::FnArg::Receiver(_)));
    let taken = Op::from_method(&text).is_some()
        || Op::from_function(&text).is_some()
        || Method::from_name(&text, associated).is_some()
        || lower::is_std(&text)
        || matches!(text.as_str(), "sin_cos" | "cast" | "from" | "into" | "len" | "is_empty" | "shape" | "indices");
    if taken {
        diagnostics.on(
            Code::Method,
            name,
            format!("kernels know `{text}` as a method of numbers, vectors or arrays, and would take this one for it"),
            "give it another name, or move it into an `impl` block without `#[qd::funcs]`",
        );
    }
}

/// The method as a function: its receiver is a parameter like the others.
fn as_function(method: &syn::ImplItemFn) -> syn::ItemFn {
    let mut sig = method.sig.clone();
    if let Some(first) = sig.inputs.first_mut()
        && let syn::FnArg::Receiver(receiver) = first
    {
        let name = Ident::new("self", receiver.self_token.span);
        let ty: syn::Type = match &receiver.kind {
            syn::ReceiverKind::Value => parse_quote!(Self),
            syn::ReceiverKind::Reference(and, lifetime, mutability) => parse_quote!(#and #lifetime #mutability Self),
            syn::ReceiverKind::Typed(_, ty) => (**ty).clone(),
            // syn's enum is open: a receiver that Rust doesn't have today, which rustc's types will refuse.
            _ => parse_quote!(Self),
        };
        let pattern = syn::Pat::Ident(syn::PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: receiver.mutability,
            ident: name,
            subpat: None,
        });
        *first = syn::FnArg::Typed(syn::PatType {
            attrs: receiver.attrs.clone(),
            pat: Box::new(pattern),
            colon_token: Default::default(),
            ty: Box::new(ty),
        });
    }
    let modifiers = Default::default();
    syn::ItemFn { attrs: Vec::new(), vis: method.vis.clone(), modifiers, sig, block: Box::new(method.block.clone()) }
}

/// `self`
fn is_receiver(pattern: &syn::Pat) -> bool {
    matches!(pattern, syn::Pat::Ident(name) if name.ident == "self")
}

/// Sibling and twin of one method.
fn part(block: &syn::ItemImpl, function: &syn::ItemFn, lowered: &Lowered, private: &TokenStream) -> TokenStream {
    let of = &block.self_ty;
    let name = &function.sig.ident;
    let twin = Ident::new("__QdTwin", Span::mixed_site());
    let (outer, own) = (Generics::of(&block.generics), Generics::of(&function.sig.generics));
    let mut both = block.generics.clone();
    both.params.extend(function.sig.generics.params.iter().cloned());
    if let Some(clause) = &function.sig.generics.where_clause {
        both.make_where_clause().predicates.extend(clause.predicates.iter().cloned());
    }
    let both = Generics::of(&both);
    let structure = both.structure(&twin, &parse_quote!(pub));
    // A trait's methods are as visible as the trait; what calls them is checked on the native body.
    let vis = if block.trait_.is_some() { parse_quote!(pub) } else { function.vis.clone() };
    let mut tap = twin::tap(&twin, &function.sig, &both, private);
    tap.ident = sibling(name);
    tap.generics.params.extend(own.params.iter().cloned());
    tap.generics.make_where_clause().predicates.extend(own.predicates.iter().cloned());
    let of_params = param_types(&function.sig).into_iter().map(|ty| match reference(&ty) {
        Some(_) => quote!(#private::reference_type::<#ty>()),
        None => quote!(#private::value_type::<#ty>()),
    });
    let types_name = format_ident!("__qd_types_{}", name);
    let own_params = &own.params;
    let own_clause = own.clause();
    let head = quote!(#types_name<#own_params>());
    let types = chosen(&head, &own_clause, &function.sig, lowered, of_params.collect(), private);
    let Generics { params, args, .. } = &both;
    let (outer_params, outer_clause, clause) = (&outer.params, outer.clause(), both.clause());
    let turbofish = own.turbofish();
    let exclusive = function.sig.inputs.first().is_some_and(|first| match first {
        syn::FnArg::Typed(first) => is_receiver(&first.pat) && reference(&first.ty) == Some(false),
        syn::FnArg::Receiver(_) => false,
    });
    let shares = (!exclusive).then(|| quote!(impl<#params> #private::Shares for #twin<#args> #clause {}));
    let text = &lowered.sketch.name;
    let line = name.span().start().line as u32;
    let func = qd_ir::sketch::Func { code: lowered.sketch.clone(), body: lowered.body.clone() };
    let sketch = Literal::byte_string(&func.encode());
    let (item, import) = match &block.trait_ {
        None => (quote!(<#of>::#name #turbofish), None),
        Some((path, _)) => {
            let mut plain = path.clone();
            if let Some(last) = plain.segments.last_mut() {
                last.arguments = syn::PathArguments::None;
            }
            (quote!(<#of as #path>::#name #turbofish), Some(quote!(use #plain as _;)))
        }
    };
    quote! {
        #structure
        #[allow(warnings, clippy::all, clippy::pedantic)]
        impl<#outer_params> #of #outer_clause {
            #[doc(hidden)]
            #vis #tap {
                ::core::unreachable!()
            }
            #[doc(hidden)]
            #types
        }
        impl<#params> #private::Func for #twin<#args> #clause {
            const DESC: #private::FuncDesc = #private::FuncDesc {
                name: #text,
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: #line,
                sketch: #sketch,
                types: <#of>::#types_name #turbofish,
                item: || #private::type_id_of(#item),
            };
        }
        #shares
        impl<#params> #private::Method for #twin<#args> #clause {
            fn named() -> (::core::any::TypeId, &'static str) {
                #[allow(unused_imports)]
                #import
                #private::item_of(<#of>::#name #turbofish)
            }
        }
    }
}
