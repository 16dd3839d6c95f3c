//! Arguments of the attributes.
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::Parser;

use crate::diagnostic::{Code, Diagnostics, nearest};
use crate::reach::Reach;

/// What an attribute knows.
pub struct Known {
    /// What it stands on.
    item: &'static str,
    names: &'static [&'static str],
    /// All there is, for messages.
    help: &'static str,
}

/// `#[qd::kernel(..)]`
pub const KERNEL: Known =
    Known { item: "kernel", names: &["crate"], help: "the only option is `crate = path`, for a renamed `qd`" };

/// `#[qd::func(..)]`
pub const FUNC: Known = Known {
    item: "function of kernels",
    names: &["crate", "twin"],
    help: "the options are `crate = path`, for a renamed `qd`, and `twin = name`, for a module of the function's name",
};

/// `#[qd(..)]` beside `#[derive(qd::Data)]`
pub const DATA: Known = Known {
    item: "`Data` type",
    names: &["crate", "PartialEq", "PartialOrd"],
    help: "the options are `crate = path`, for a renamed `qd`, and `PartialEq` and `PartialOrd`, which are derived, too",
};

/// `#[qd(..)]` beside `#[derive(qd::Bundle)]`
pub const BUNDLE: Known =
    Known { item: "bundle", names: &["crate"], help: "the only option is `crate = path`, for a renamed `qd`" };

/// `#[qd::funcs(..)]`
pub const FUNCS: Known = Known {
    item: "block of functions of kernels",
    names: &["crate"],
    help: "the only option is `crate = path`, for a renamed `qd`",
};

/// The arguments of an attribute.
pub struct Options {
    /// Path of the `__private` module of the `qd` crate.
    pub private: TokenStream,
    /// Another name for the twin of a function.
    pub twin: Option<Ident>,
    /// `==` is derived.
    pub equality: bool,
    /// `<` and the like are derived.
    pub order: bool,
}

impl Options {
    /// Reads the arguments; what can't be read is reported and left at its default.
    pub fn parse(tokens: TokenStream, known: &Known, diagnostics: &mut Diagnostics) -> Options {
        let mut options = Options { private: quote!(::qd::__private), twin: None, equality: false, order: false };
        let parser = syn::meta::parser(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            match name.as_str() {
                "crate" => {
                    let path: syn::Path = meta.value()?.call(syn::Path::parse_mod_style)?;
                    options.private = quote!(#path::__private);
                }
                "twin" if known.names.contains(&"twin") => options.twin = Some(meta.value()?.parse()?),
                "PartialEq" if known.names.contains(&"PartialEq") => options.equality = true,
                "PartialOrd" if known.names.contains(&"PartialOrd") => options.order = true,
                _ => {
                    let help = match nearest(&name, known.names.iter().copied()) {
                        Some(known) => format!("did you mean `{known}`?"),
                        None => known.help.to_owned(),
                    };
                    diagnostics.on(
                        Code::Option,
                        &meta.path,
                        format!("`{name}` is no option of a {}", known.item),
                        help,
                    );
                    // The rest of an unknown option is skipped, so that the next one is read.
                    let _: TokenStream = meta.input.parse()?;
                }
            }
            Ok(())
        });
        if let Err(error) = parser.parse2(tokens) {
            let at = error.span();
            diagnostics.push(Code::Option, Reach { start: at, end: at }, error, known.help);
        }
        options
    }
}

/// The `#[qd(..)]` beside a derive.
pub fn of_derive(attributes: &[syn::Attribute], known: &Known, diagnostics: &mut Diagnostics) -> Options {
    let mut options = Options::parse(TokenStream::new(), known, diagnostics);
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("qd")) {
        match &attribute.meta {
            syn::Meta::List(list) => options = Options::parse(list.tokens.clone(), known, diagnostics),
            syn::Meta::Path(_) | syn::Meta::NameValue(_) => {
                let message = format!("this is no option of a {}", known.item);
                diagnostics.on(Code::Option, attribute, message, "write `#[qd(crate = path)]`");
            }
        }
    }
    options
}
