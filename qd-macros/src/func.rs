//! `#[qd::func]`: parse, lower, expand; or the function as it was, with messages.
use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostic::Diagnostics;
use crate::lower::Callable;
use crate::options::{self, Options};
use crate::{expand, lower, twin};

/// The output of `#[qd::func(attribute)]` on an item.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let options = Options::parse(attribute, &options::FUNC, &mut diagnostics);
    let item = diagnostics.item(
        &item,
        "`#[qd::func]` stands on functions",
        "put it on a `fn` outside of `impl` and `trait` blocks",
    );
    let function: syn::ItemFn = match item {
        Ok(function) => function,
        Err(tokens) => return tokens,
    };
    let lowered = lower::func(&function, &Callable::Function, &options.private, &mut diagnostics);
    if diagnostics.is_empty() {
        twin::func(&function, &lowered, &options)
    } else {
        let plain = expand::stripped(function);
        let errors = diagnostics.to_tokens();
        quote!(#plain #errors)
    }
}
