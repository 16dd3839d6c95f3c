//! Arguments of the attributes.
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;

use crate::diagnostic::{Code, Diagnostics, nearest};

/// The options that `#[qd::kernel(..)]` knows.
const KNOWN: [&str; 1] = ["crate"];

/// The arguments of `#[qd::kernel(..)]`.
pub struct Options {
    /// Path of the `__private` module of the `qd` crate.
    pub private: TokenStream,
}

impl Options {
    /// Reads the arguments; what can't be read is reported and left at its default.
    pub fn parse(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Options {
        let mut options = Options { private: quote!(::qd::__private) };
        let parser = syn::meta::parser(|meta| {
            if meta.path.is_ident("crate") {
                let path: syn::Path = meta.value()?.call(syn::Path::parse_mod_style)?;
                options.private = quote!(#path::__private);
                return Ok(());
            }
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            let help = match nearest(&name, KNOWN) {
                Some(known) => format!("did you mean `{known}`?"),
                None => "the only option is `crate = path`, for a renamed `qd`".to_owned(),
            };
            diagnostics.on(Code::Option, &meta.path, format!("`{name}` is no option of a kernel"), help);
            // The rest of an unknown option is skipped, so that the next one is read.
            let _: TokenStream = meta.input.parse()?;
            Ok(())
        });
        if let Err(error) = parser.parse2(tokens) {
            let at = error.span();
            diagnostics.push(
                Code::Option,
                crate::diagnostic::Reach { start: at, end: at },
                error,
                "write `#[qd::kernel]`, or `#[qd::kernel(crate = path)]` for a renamed `qd`",
            );
        }
        options
    }
}
