//! `#[qd::funcs]` on an `impl` block or a trait: its functions and methods become ones that kernels can call.
//!
//! What it stands on stays as it is. Beside each function stand its *sibling*, of the same type or trait and with the same
//! signature, and a twin, which says what the function is. A kernel's never-run copy calls the sibling: so rustc finds the
//! type of `p` in `p.length()`, which the macro of the kernel can't name.
//!
//! A trait's siblings are methods of the trait, so they are found exactly where its methods are, through type parameters
//! too. What is known of a method (its *body*) is another hidden function: of the type, or of the trait for each type.
mod declared;
mod implemented;
mod inherent;
pub(crate) mod operators;

use proc_macro2::{Ident, TokenStream};
use qd_ir::linear::Method;
use qd_ir::op::Op;
use quote::{format_ident, quote};
use syn::parse_quote;
use syn::visit_mut::VisitMut;

use crate::diagnostic::{Code, Diagnostics};
use crate::expand::{allow, chosen_block, quiet, stripped};
use crate::func::{CAPITAL, CAPITAL_HELP, has_a_capital};
use crate::generics::Generics;
use crate::lower::{self, Callable, Lowered, reference};
use crate::options::{self, Options};
use crate::twin;

/// The output of `#[qd::funcs(attribute)]` on an item.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    const WHAT: &str = "`#[qd::funcs]` stands on `impl` blocks and on traits";
    const HELP: &str = "put `#[qd::func]` on functions of their own";
    let mut diagnostics = Diagnostics::default();
    let options = Options::parse(attribute, &options::FUNCS, &mut diagnostics);
    let (plain, beside) = match diagnostics.item(&item, WHAT, HELP) {
        Ok(syn::Item::Impl(block)) if block.trait_.is_none() => inherent::expand(block, &options, &mut diagnostics),
        Ok(syn::Item::Impl(block)) if operators::is_one(&block) => {
            operators::expand(block, &options.private, &mut diagnostics)
        }
        Ok(syn::Item::Impl(block)) => implemented::expand(block, &options, &mut diagnostics),
        Ok(syn::Item::Trait(of)) => declared::expand(of, &options, &mut diagnostics),
        Ok(other) => {
            diagnostics.on(Code::NotAFunction, &other, WHAT, HELP);
            (quote!(#other), TokenStream::new())
        }
        Err(tokens) => return tokens,
    };
    if diagnostics.is_empty() {
        quote!(#plain #beside)
    } else {
        let errors = diagnostics.to_tokens();
        quote!(#plain #errors)
    }
}

/// A function of a block or trait, as the macro sees it.
struct Member {
    /// Its receiver is a parameter like the others, by the name `self`.
    function: syn::ItemFn,
    receiver: Receiver,
    /// Type and const parameters of its own.
    own: Generics,
    /// `None` where a trait has no block for it.
    lowered: Option<Lowered>,
    /// It is `#[track_caller]`.
    tracked: bool,
}

/// How a method takes what it is called on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    /// It is no method.
    None,
    Value,
    Shared,
    Exclusive,
}

impl Member {
    /// A function of the type or trait `of`.
    fn new(
        vis: &syn::Visibility,
        sig: &syn::Signature,
        block: Option<&syn::Block>,
        of: &str,
        private: &TokenStream,
        diagnostics: &mut Diagnostics,
    ) -> Member {
        let member = Member::unchecked(vis, sig, block, of, private, diagnostics);
        member.check_name(diagnostics);
        member
    }

    /// A method by whose name it isn't called.
    fn operator(
        vis: &syn::Visibility,
        sig: &syn::Signature,
        block: &syn::Block,
        of: &str,
        private: &TokenStream,
        diagnostics: &mut Diagnostics,
    ) -> Member {
        Member::unchecked(vis, sig, Some(block), of, private, diagnostics)
    }

    fn unchecked(
        vis: &syn::Visibility,
        sig: &syn::Signature,
        block: Option<&syn::Block>,
        of: &str,
        private: &TokenStream,
        diagnostics: &mut Diagnostics,
    ) -> Member {
        let function = as_function(vis, sig, block);
        let callable = Callable::Method { of: of.to_owned() };
        let lowered = match block {
            Some(_) => Some(lower::func(&function, &callable, private, diagnostics)),
            None => {
                lower::signature(&function.sig, diagnostics);
                None
            }
        };
        let own = Generics::of(&function.sig.generics, private);
        Member { receiver: Receiver::of(&function.sig), own, function, lowered, tracked: false }
    }

    /// It, with what its attributes say.
    fn with(self, attributes: &[syn::Attribute]) -> Member {
        Member { tracked: twin::is_tracked(attributes), ..self }
    }

    fn name(&self) -> &Ident {
        &self.function.sig.ident
    }

    /// The hidden function that tells what is known of it: `item` is the function, `named` gives what its name means on
    /// its type.
    fn body(&self, item: &TokenStream, named: &TokenStream, private: &TokenStream) -> TokenStream {
        let own = &self.own;
        let (name, params, clause) = (body(self.name()), &own.params, own.clause());
        let quiet = quiet();
        let head = quote!(#[doc(hidden)] #quiet fn #name<#params>() -> #private::FuncDesc #clause);
        match self.description(item, named, private) {
            Some(description) => quote!(#head { #description }),
            None => quote!(#head;),
        }
    }

    /// What is known of it, if there is a block for it.
    fn description(&self, item: &TokenStream, named: &TokenStream, private: &TokenStream) -> Option<TokenStream> {
        let (lowered, sig) = (self.lowered.as_ref()?, &self.function.sig);
        let (text, tracked) = (&lowered.sketch.name, self.tracked);
        let line = sig.ident.span().start().line as u32;
        let sketch = twin::sketch(lowered);
        let types = chosen_block(sig, lowered, twin::parameters(sig, private), private);
        Some(quote! {
            #private::FuncDesc {
                name: #text,
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: #line,
                tracked: #tracked,
                sketch: #sketch,
                types: || #types,
                item: || #private::type_id_of(#item),
                named: || #named,
            }
        })
    }

    /// The hidden sibling, which gives the twin with these arguments.
    fn sibling(&self, twin: &Ident, args: &TokenStream, private: &TokenStream) -> syn::Signature {
        let own = &self.own;
        let mut tap = twin::tap(twin, &self.function.sig, args, private);
        // It never runs, so what it changes it only looks at: by `&mut` rustc finds the one that says that there is none.
        if self.receiver == Receiver::Exclusive
            && let Some(syn::FnArg::Typed(first)) = tap.inputs.first_mut()
            && let syn::Type::Reference(reference) = &mut *first.ty
        {
            reference.mutability = None;
        }
        tap.ident = crate::taps::sibling(self.name());
        tap.generics.params.extend(own.params.iter().cloned());
        tap.generics.make_where_clause().predicates.extend(own.predicates.iter().cloned());
        tap
    }

    /// What the twin says of the method, whose type is `of`: `generics` are those of the twin.
    fn twin(&self, twin: &Ident, of: &TokenStream, generics: &Generics, private: &TokenStream) -> TokenStream {
        let Generics { params, args, .. } = generics;
        let clause = generics.clause();
        let (body, turbofish) = (body(self.name()), self.own.turbofish());
        let taken = match self.receiver {
            Receiver::None => None,
            Receiver::Value => Some(quote!(ByValue)),
            Receiver::Shared => Some(quote!(ByReference)),
            Receiver::Exclusive => Some(quote!(ByMutable)),
        };
        let named = taken.as_ref().filter(|_| self.is_named()).map(|taken| {
            quote! {
                impl<#params> #private::Named for #twin<#args> #clause {
                    type Taken = #private::#taken;
                    fn called() -> #private::operator::Called {
                        #private::named::method::<#of>(<Self as #private::Func>::desc())
                    }
                }
                impl<#params> #private::named::Meant for #twin<#args> #clause {}
            }
        });
        let method = taken.map(|taken| {
            quote! {
                impl<#params> #private::On<#of> for #twin<#args> #clause {}
                impl<#params> #private::Method for #twin<#args> #clause {
                    type Taken = #private::#taken;
                }
            }
        });
        // What the method's name is called on where kernels know it.
        let asked = method.as_ref().filter(|_| !self.is_named()).map(|_| {
            let name = self.name();
            let arguments = self.function.sig.inputs.iter().skip(1).map(|_| quote!(_: impl Sized));
            quote! {
                #[allow(warnings, clippy::all, clippy::pedantic)]
                impl<#params> #twin<#args> #clause {
                    #[doc(hidden)]
                    pub fn #name(self, #(#arguments),*) -> #private::Other {
                        ::core::unreachable!()
                    }
                }
            }
        });
        let shares = (self.receiver != Receiver::Exclusive)
            .then(|| quote!(impl<#params> #private::Shares for #twin<#args> #clause {}));
        quote! {
            impl<#params> #private::Func for #twin<#args> #clause {
                fn desc() -> #private::FuncDesc {
                    <#of>::#body #turbofish()
                }
            }
            #method
            #asked
            #named
            #shares
        }
    }

    /// True for a method by the name of one of std's: what such a call is, the type of what it is called on decides.
    fn is_named(&self) -> bool {
        self.receiver != Receiver::None && is_named_like_std(&self.name().to_string())
    }

    /// The hidden method beside one by the name of one of std's, which gives the twin with these arguments.
    fn named_sibling(
        &self,
        vis: &syn::Visibility,
        twin: &Ident,
        args: &TokenStream,
        private: &TokenStream,
    ) -> Option<TokenStream> {
        let name = crate::taps::named_sibling(self.name());
        let quiet = quiet();
        self.is_named().then(|| {
            quote! {
                #[doc(hidden)]
                #quiet
                #vis fn #name(&self) -> #private::Found<Self, #twin<#args>> where Self: Sized {
                    ::core::unreachable!()
                }
            }
        })
    }

    /// The hidden function beside one by the name of one of the language's own, by which it is found where it is called by a
    /// path: it gives the twin with these arguments.
    fn by_path(
        &self,
        vis: &syn::Visibility,
        twin: &Ident,
        args: &TokenStream,
        private: &TokenStream,
    ) -> Option<TokenStream> {
        if !is_named_like_a_function(&self.name().to_string()) {
            return None;
        }
        let mut sig = self.sibling(twin, args, private);
        sig.ident = crate::taps::by_path(self.name());
        sig.inputs.clear();
        sig.generics.make_where_clause().predicates.push(parse_quote!(Self: Sized));
        let quiet = quiet();
        Some(quote!(#[doc(hidden)] #quiet #vis #sig { ::core::unreachable!() }))
    }

    /// Refuses names that kernels take for something else, whatever it is called on.
    fn check_name(&self, diagnostics: &mut Diagnostics) {
        let name = self.name();
        let text = name.to_string();
        if self.receiver == Receiver::None && has_a_capital(name) {
            return diagnostics.on(Code::Name, name, CAPITAL, CAPITAL_HELP);
        }
        let named = is_named_like_std(&text);
        let taken = match self.receiver {
            Receiver::None => false,
            Receiver::Value | Receiver::Shared | Receiver::Exclusive => {
                matches!(text.as_str(), "shape" | "indices")
            }
        };
        let (what, help) = if taken || lower::is_std(&text) || lower::is_conversion(&text) || text == "sin_cos" {
            (
                format!("kernels know `{text}` of numbers, vectors or arrays, and would take this one for it"),
                "give it another name, or move it into an `impl` block without `#[qd::funcs]`",
            )
        } else if named && self.receiver == Receiver::Exclusive {
            (
                format!("kernels know `{text}` as a method that leaves what it is called on as it is"),
                "let it give the new value, `fn name(self) -> Self`, or give it another name",
            )
        } else if named && self.receiver != Receiver::None && !self.own.is_empty() {
            (
                format!("a method `{text}`, by the name of one of std's, can't have parameters of its own in kernels"),
                "give it another name, or move the parameters to the type",
            )
        } else {
            return;
        };
        diagnostics.on(Code::Method, name, what, help);
    }
}

/// Whether std's numbers, or vectors, have a method of the name that kernels know.
fn is_named_like_std(name: &str) -> bool {
    Op::from_method(name).is_some() || Method::from_name(name, false).is_some()
}

/// Whether the language has a function, or method, of that name.
fn is_named_like_a_function(name: &str) -> bool {
    is_named_like_std(name) || Op::from_function(name).is_some() || Method::from_name(name, true).is_some()
}

impl Receiver {
    fn of(sig: &syn::Signature) -> Receiver {
        match sig.inputs.first() {
            Some(syn::FnArg::Typed(first)) if is_receiver(&first.pat) => match reference(&first.ty) {
                None => Receiver::Value,
                Some(true) => Receiver::Shared,
                Some(false) => Receiver::Exclusive,
            },
            Some(syn::FnArg::Typed(_) | syn::FnArg::Receiver(_)) | None => Receiver::None,
        }
    }
}

/// The name of the hidden function that tells what is known of a method.
fn body(method: &Ident) -> Ident {
    {
        use syn::ext::IdentExt;
        format_ident!("{}_needs_qd_funcs", method.unraw(), span = method.span())
    }
}

/// The last name in a type, for messages.
fn type_name(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
        other => quote!(#other).to_string(),
    }
}

/// The method as a function: its receiver is a parameter like the others.
fn as_function(vis: &syn::Visibility, sig: &syn::Signature, block: Option<&syn::Block>) -> syn::ItemFn {
    let mut sig = sig.clone();
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
    let block = Box::new(block.cloned().unwrap_or_else(|| parse_quote!({})));
    syn::ItemFn { attrs: Vec::new(), vis: vis.clone(), modifiers, sig, block }
}

/// Takes attributes of ours off a function that stays.
fn tidy(attrs: &mut Vec<syn::Attribute>, sig: &mut syn::Signature, block: Option<&mut syn::Block>) {
    let body = block.as_deref().cloned().unwrap_or_else(|| parse_quote!({}));
    // Marks of loops are for qd alone.
    let plain = stripped(syn::ItemFn {
        attrs: Vec::new(),
        vis: syn::Visibility::Inherited,
        modifiers: Default::default(),
        sig: sig.clone(),
        block: Box::new(body),
    });
    *sig = plain.sig;
    if let Some(block) = block {
        *block = *plain.block;
        let allow = allow();
        attrs.push(parse_quote!(#allow));
    }
}

/// Refuses a kernel among the functions of a type or trait.
fn check_attributes(attributes: &[syn::Attribute], diagnostics: &mut Diagnostics) {
    let kernels = attributes.iter().filter(|of| of.path().segments.last().is_some_and(|last| last.ident == "kernel"));
    for attribute in kernels {
        diagnostics.on(
            Code::NotAFunction,
            attribute,
            "a kernel can't be a function of a type",
            "write it outside of the block, and call it from a function of the type",
        );
    }
}

/// `self`
fn is_receiver(pattern: &syn::Pat) -> bool {
    matches!(pattern, syn::Pat::Ident(name) if name.ident == "self")
}

/// The parameters of a block or trait, then those of one of its functions.
fn joined(outer: &syn::Generics, own: &syn::Generics) -> syn::Generics {
    let mut both = outer.clone();
    both.params.extend(own.params.iter().cloned());
    if let Some(clause) = &own.where_clause {
        both.make_where_clause().predicates.extend(clause.predicates.iter().cloned());
    }
    both
}

/// Writes a type parameter where `Self` stood.
struct Renamed<'a>(&'a Ident);

impl VisitMut for Renamed<'_> {
    fn visit_ident_mut(&mut self, name: &mut Ident) {
        if name == "Self" {
            *name = Ident::new(&self.0.to_string(), name.span());
        }
    }
}
