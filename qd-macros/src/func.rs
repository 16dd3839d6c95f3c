//! `#[qd::func]`: parse, lower, expand; or the function as it was, with messages.
use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostic::{Code, Diagnostics};
use crate::lower::Callable;
use crate::options::{self, Options};
use crate::{expand, lower, twin};

/// The output of `#[qd::func(attribute)]` on an item.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let options = Options::parse(attribute, &options::FUNC, &mut diagnostics);
    let function: syn::ItemFn = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            let errors = match syn::parse2::<syn::Item>(item.clone()) {
                Ok(_) => {
                    diagnostics.on(
                        Code::NotAFunction,
                        &item,
                        "`#[qd::func]` stands on functions",
                        "put it on a `fn` outside of `impl` and `trait` blocks",
                    );
                    diagnostics.to_tokens()
                }
                Err(_) => error.to_compile_error(),
            };
            return quote!(#item #errors);
        }
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
