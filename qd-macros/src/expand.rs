//! Tokens out: the function that stays, and beside the dispatch in it the native body, the copy that rustc types, and
//! the descriptor in the link section.
//!
//! Everything is nested in the function, so its module and its callers see nothing new; but a generic kernel has a twin
//! beside it, a struct of its name. Nothing is named but `__private` of the `qd` crate, `core` and `std`; names of ours
//! have the macro's own hygiene.
use proc_macro2::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};
use qd_ir::sketch::{ParamId, ParamKind};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use crate::diagnostic::Code;
use crate::funcs::operators;
use crate::generics::Generics;
use crate::lower::attributes::is_for_loops;
use crate::lower::{Lowered, alias_help, alias_message, is_specialize};
use crate::taps::words;

/// The expansion of a kernel without errors. `native` is its [native function](native); the body isn't looked at.
pub fn kernel(function: &syn::ItemFn, native: &TokenStream, lowered: &Lowered, private: &TokenStream) -> TokenStream {
    let syn::ItemFn { attrs, vis, sig, .. } = function;
    let generics = Generics::of(&sig.generics, private);
    let types = types(sig, lowered, private);
    // A `static` would be one for all instances of a generic kernel: those are found through a twin.
    let (inside, beside, kernel) = if generics.is_empty() {
        let descriptor = descriptor(sig, lowered, private);
        (quote!(#types #descriptor), TokenStream::new(), quote!(&__QD_KERNEL))
    } else {
        let name = &sig.ident;
        let turbofish = generics.turbofish();
        let twin = instances(function, lowered, &generics, &types, private);
        (TokenStream::new(), twin, quote!(#private::instance::<#name #turbofish>()))
    };
    let dispatch = dispatch(sig, lowered, &generics, &kernel, private);
    let track = attrs.iter().all(|a| !a.path().is_ident("track_caller")).then(|| quote!(#[track_caller]));
    let mut outer = sig.clone();
    Strip.visit_signature_mut(&mut outer);
    let bounds = operators::bounds(&sig.generics, private);
    if !bounds.is_empty() {
        outer.generics.make_where_clause().predicates.extend(bounds);
    }
    for (input, name) in outer.inputs.iter_mut().zip(arguments(sig)) {
        if let syn::FnArg::Typed(typed) = input {
            *typed.pat = syn::parse_quote!(#name);
        }
    }
    quote! {
        // Arrays are parameters, so kernels have many.
        #(#attrs)* #track #[allow(clippy::too_many_arguments)] #vis #outer {
            #native
            #inside
            #dispatch
        }
        #beside
    }
}

/// The user's function without attributes of ours, for when there are errors: left in, they would cause others.
pub fn stripped(mut function: syn::ItemFn) -> syn::ItemFn {
    Strip.visit_item_fn_mut(&mut function);
    function
}

/// Takes attributes of ours off.
struct Strip;

impl VisitMut for Strip {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
        attributes.retain(|attribute| !is_ours(attribute));
    }
}

fn is_ours(attribute: &syn::Attribute) -> bool {
    let path = attribute.path();
    is_for_loops(attribute) || is_specialize(attribute) || path.segments.len() > 1 && path.segments[0].ident == "qd"
}

fn is_specialized(input: &syn::FnArg) -> bool {
    match input {
        syn::FnArg::Typed(typed) => typed.attrs.iter().any(is_specialize),
        syn::FnArg::Receiver(_) => false,
    }
}

/// Names of the wrapper's parameters: the user's own where it is a name, and not that of the kernel, which the
/// descriptor must be able to name.
fn arguments(sig: &syn::Signature) -> Vec<Ident> {
    let typed = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => Some(&*typed.pat),
        syn::FnArg::Receiver(_) => None,
    });
    typed
        .enumerate()
        .map(|(i, pattern)| match pattern {
            syn::Pat::Ident(name) if name.ident != sig.ident => name.ident.clone(),
            _ => format_ident!("__qd_argument{i}", span = Span::mixed_site()),
        })
        .collect()
}

pub fn param_types(sig: &syn::Signature) -> Vec<syn::Type> {
    sig.inputs
        .iter()
        .filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(anonymous((*typed.ty).clone())),
            syn::FnArg::Receiver(_) => None,
        })
        .collect()
}

/// The type of the result, as one that may be.
fn itself(sig: &syn::Signature, private: &TokenStream) -> TokenStream {
    match &sig.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => {
            let span = ty.span().resolved_at(Span::mixed_site());
            let itself = quote_spanned!(span=> #private::Ret>::Itself);
            quote_spanned!(span=> <#ty as #itself)
        }
    }
}

pub fn result_type(sig: &syn::Signature) -> TokenStream {
    match &sig.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    }
}

/// A type whose named lifetimes, which nested functions don't know, are left to rustc.
fn anonymous(mut ty: syn::Type) -> syn::Type {
    struct Anonymous;
    impl VisitMut for Anonymous {
        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            if lifetime.ident != "static" {
                lifetime.ident = Ident::new("_", lifetime.ident.span());
            }
        }
    }
    Anonymous.visit_type_mut(&mut ty);
    ty
}

/// The untouched body as a function of its own. Only marks of ours, which nobody else knows, are taken off.
///
/// `source` is what the function was parsed from.
pub fn native(function: &syn::ItemFn, source: &TokenStream) -> TokenStream {
    let mut sig = function.sig.clone();
    Strip.visit_signature_mut(&mut sig);
    sig.ident = Ident::new("__qd_native", Span::mixed_site());
    let mut marks = Marks(false);
    marks.visit_block(&function.block);
    let block = match source.clone().into_iter().last() {
        // Where there is nothing to take off, it isn't written anew.
        Some(TokenTree::Group(body)) if !marks.0 && body.delimiter() == Delimiter::Brace => body.into_token_stream(),
        Some(_) | None => {
            let mut block = function.block.clone();
            Strip.visit_block_mut(&mut block);
            block.into_token_stream()
        }
    };
    let allow = allow();
    quote!(#allow #sig #block)
}

/// Whether attributes of ours stand in a body.
struct Marks(bool);

impl<'ast> Visit<'ast> for Marks {
    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        self.0 |= is_ours(attribute);
    }
}

/// Of a body as the user wrote it: `unsafe` lifts the race rule, of which rustc knows nothing; indices are the language's
/// own style.
pub fn allow() -> TokenStream {
    quote! {
        #[allow(
            unused_unsafe,
            clippy::assign_op_pattern,
            clippy::manual_memcpy,
            clippy::needless_borrow,
            clippy::needless_range_loop,
            clippy::ptr_arg,
            clippy::too_many_arguments,
        )]
    }
}

/// The function that tells what rustc chose. Its copy of the body never runs.
fn types(sig: &syn::Signature, lowered: &Lowered, private: &TokenStream) -> TokenStream {
    let generics = Generics::of(&sig.generics, private);
    let of = reported(&param_types(sig), &generics, lowered, private);
    chosen(&quote!(as_qd_compiles_it()), &TokenStream::new(), sig, lowered, of, private)
}

/// The function `head` with the `where` clause; `of` gives the type of each parameter.
pub fn chosen(
    head: &TokenStream,
    clause: &TokenStream,
    sig: &syn::Signature,
    lowered: &Lowered,
    of: Vec<TokenStream>,
    private: &TokenStream,
) -> TokenStream {
    let (quiet, block) = (quiet(), chosen_block(sig, lowered, of, private));
    quote! {
        #quiet
        fn #head -> #private::Chosen #clause #block
    }
}

/// Of the copy: everything there is to say about the body is said about the native one.
pub fn quiet() -> TokenStream {
    quote! {
        #[allow(
            warnings,
            arithmetic_overflow,
            invalid_reference_casting,
            overflowing_literals,
            unconditional_panic,
            clippy::all,
            clippy::nursery,
            clippy::pedantic,
            clippy::restriction,
        )]
    }
}

/// The block that gives what rustc chose, around the copy.
pub fn chosen_block(
    sig: &syn::Signature,
    lowered: &Lowered,
    of: Vec<TokenStream>,
    private: &TokenStream,
) -> TokenStream {
    let Lowered { taps, copy, params, .. } = lowered;
    let (types, result) = (param_types(sig), result_type(sig));
    let [tap, all, value, told_types, told_calls] =
        ["__qd_tap", "__qd_all", "__qd_value", "__qd_types", "__qd_calls"].map(|n| Ident::new(n, Span::mixed_site()));
    let (declarations, saw, mut told) = taps.all();
    let ((checks, tells), constants) = (taps.checks(&all, &mut told), taps.constants());
    let (of_types, of_calls) = told.order();
    let (updates, orders) = (taps.updates(), taps.orders());
    let (words, unknown, itself) = (words(private), taps.unknown(), itself(sig, private));
    quote! {
        {
            let #tap = #private::Tap::new();
            #updates
            let _ = |#(#params: #types),*| -> #result {
                // Behind what doesn't end, rustc infers types, but makes no code and checks no borrows.
                loop {}
                #words
                #unknown
                #declarations
                let #value: #result = #copy;
                let #all = #saw;
                #checks
                #tap.tell(#tells);
                #value
            };
            let (#told_types, #told_calls) = #tap.told(#of_types, #of_calls);
            #private::Chosen {
                params: ::std::vec![#(#of),*],
                result: <#itself as #private::Data>::qd_type(),
                taps: #told_types,
                consts: ::std::vec![#(#constants),*],
                calls: #told_calls,
                place_first: ::std::vec![#(#orders),*],
            }
        }
    }
}

/// The types of the parameters. Where the macro took for a value what borrows an array, it doesn't compile: only rustc
/// sees through names.
fn reported(types: &[syn::Type], generics: &Generics, lowered: &Lowered, private: &TokenStream) -> Vec<TokenStream> {
    let params = lowered.sketch.params.iter().zip(types);
    let report = params.map(|(param, ty)| match (&param.kind, ty) {
        // A constant can't name the parameters of a generic kernel.
        (ParamKind::Value(_) | ParamKind::Specialized(_), syn::Type::Path(_)) if generics.is_empty() => {
            let name = &param.name;
            let text = format!("{} [{}]\nhelp: {}", alias_message(name), Code::Alias, alias_help(name));
            let span = ty.span().resolved_at(Span::mixed_site());
            quote_spanned! {span=> {
                const REPORT: fn() -> #private::ParamType = {
                    if <#ty as #private::Arg>::IS_ARRAY {
                        ::core::panic!(#text);
                    }
                    <#ty as #private::Arg>::ty
                };
                REPORT()
            }}
        }
        (
            ParamKind::Value(_)
            | ParamKind::Specialized(_)
            | ParamKind::Array
            | ParamKind::Reference(_)
            | ParamKind::Field { .. },
            _,
        ) => {
            let span = ty.span().resolved_at(Span::mixed_site());
            let arg = quote_spanned!(span=> #private::Arg);
            quote_spanned!(span=> <#ty as #arg>::ty())
        }
    });
    report.collect()
}

/// What the program knows of the kernel, and its entry in the link section.
fn descriptor(sig: &syn::Signature, lowered: &Lowered, private: &TokenStream) -> TokenStream {
    let name = &sig.ident;
    let desc = desc(name, lowered, &quote!(as_qd_compiles_it), private);
    quote! {
        static __QD_KERNEL: #private::KernelStatic = #private::KernelStatic::new(#desc);
        const _: () = {
            #[#private::linkme::distributed_slice(#private::KERNELS)]
            #[linkme(crate = #private::linkme)]
            static __QD_ENTRY: #private::KernelEntry =
                #private::KernelEntry { type_id: || #private::type_id_of(#name), kernel: &__QD_KERNEL };
        };
    }
}

fn desc(name: &Ident, lowered: &Lowered, types: &TokenStream, private: &TokenStream) -> TokenStream {
    let text = name.to_string();
    let line = name.span().start().line as u32;
    let constructs = lowered.sketch.constructs.len() as u32;
    let specialized = lowered.sketch.params.iter().any(|param| matches!(param.kind, ParamKind::Specialized(_)));
    let sketch = Literal::byte_string(&lowered.sketch.encode());
    quote! {
        #private::KernelDesc {
            name: #text,
            module: ::core::module_path!(),
            file: ::core::file!(),
            line: #line,
            constructs: #constructs,
            specialized: #specialized,
            sketch: #sketch,
            types: #types,
        }
    }
}

/// What the program knows of a generic kernel, and its twin, which knows each instance.
fn instances(
    function: &syn::ItemFn,
    lowered: &Lowered,
    generics: &Generics,
    types: &TokenStream,
    private: &TokenStream,
) -> TokenStream {
    let name = &function.sig.ident;
    let structure = generics.structure(name, &function.vis);
    let desc = desc(name, lowered, &quote!(Self::as_qd_compiles_it), private);
    let Generics { params, args, .. } = generics;
    let (clause, turbofish) = (generics.clause(), generics.turbofish());
    let text = name.to_string();
    let line = name.span().start().line as u32;
    let constructs = lowered.sketch.constructs.len() as u32;
    quote! {
        #structure
        const _: () = {
            impl<#params> #name<#args> #clause {
                #types
            }
            impl<#params> #private::Instance for #name<#args> #clause {
                const DESC: #private::KernelDesc = #desc;
                #[inline(always)]
                fn item() -> ::core::any::TypeId {
                    #private::type_id_of(#name #turbofish)
                }
            }
            #[#private::linkme::distributed_slice(#private::GENERIC_KERNELS)]
            #[linkme(crate = #private::linkme)]
            static __QD_ENTRY: #private::KernelInfo =
                #private::KernelInfo::new(#text, ::core::module_path!(), ::core::file!(), #line, #constructs);
        };
    }
}

/// The wrapper's own code; `kernel` finds what it knows.
fn dispatch(
    sig: &syn::Signature,
    lowered: &Lowered,
    generics: &Generics,
    kernel: &TokenStream,
    private: &TokenStream,
) -> TokenStream {
    let turbofish = generics.turbofish();
    let (names, result) = (arguments(sig), itself(sig, private));
    let mode = Ident::new("__qd_mode", Span::mixed_site());
    let words = Ident::new("__qd_words", Span::mixed_site());
    let baked = Ident::new("__qd_baked", Span::mixed_site());
    let bakes: Vec<bool> = sig.inputs.iter().map(is_specialized).collect();
    let mut back = TokenStream::new();
    let writes: Vec<TokenStream> = (0..names.len())
        .zip(param_types(sig))
        .map(|(n, ty)| {
            // A type that can't be a parameter is reported where it stands, in the words of the other function: so once.
            let span = ty.span().resolved_at(Span::mixed_site());
            let (name, argument) = (&names[n], format_ident!("__qd_given{n}", span = Span::mixed_site()));
            let write = quote_spanned!(span=> <#ty as #private::Arg>::write);
            let place = Ident::new(&argument.to_string(), span);
            let place = quote_spanned!(span=> &mut #place);
            if lowered.lent.contains(&ParamId(n as u32)) {
                let first = format_ident!("__qd_first{n}", span = Span::mixed_site());
                back.extend(quote!(#private::Arg::read_back(&mut #argument, &#words[#first..]);));
                return quote! {
                    let mut #argument = #name;
                    let #first = #words.words().len();
                    #write(#place, &mut #words);
                };
            }
            let bake = bakes[n].then(|| quote!(#private::Arg::write(&mut #argument, &mut #baked);));
            quote! {{
                let mut #argument = #name;
                #write(#place, &mut #words);
                #bake
            }}
        })
        .collect();
    let (declare, kernel) = if bakes.contains(&true) {
        let declare = quote!(let mut #baked = #private::ArgWriter::new(););
        (declare, quote!(#private::KernelStatic::variant(#kernel, #baked.words())))
    } else {
        (TokenStream::new(), kernel.clone())
    };
    let launch = if back.is_empty() {
        quote!(#private::launch::<#result>(#kernel, #mode, &mut #words))
    } else {
        quote!(#private::launch_lent::<#result>(#kernel, #mode, &mut #words, |#words: &[u64]| { #back }))
    };
    quote! {
        match #private::enter() {
            #private::Mode::Native => __qd_native #turbofish(#(#names),*),
            #mode => {
                let mut #words = #private::ArgWriter::new();
                #declare
                #(#writes)*
                #launch
            }
        }
    }
}
