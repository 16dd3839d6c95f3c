//! `#[qd::func]`: parse, lower, expand; or the function as it was, with messages.
use proc_macro2::TokenStream;
use quote::quote;

use crate::diagnostic::{Code, Diagnostics};
use crate::lower::Callable;
use crate::options::{self, Options};
use crate::{expand, lower, twin};

/// The primitive types. A twin has the name of its function, among the types.
const PRIMITIVES: [&str; 17] = [
    "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "str", "u8", "u16", "u32", "u64", "u128",
    "usize",
];

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
    if options.twin.is_none() && PRIMITIVES.iter().any(|name| function.sig.ident == name) {
        let name = &function.sig.ident;
        diagnostics.on(
            Code::Name,
            name,
            format!("what kernels need to know of the function `{name}` would hide the type `{name}`"),
            format!("choose another name, or write `#[qd::func(twin = {name}_func)]`"),
        );
    }
    if has_a_capital(&function.sig.ident) {
        diagnostics.on(Code::Name, &function.sig.ident, CAPITAL, CAPITAL_HELP);
    }
    let lowered = lower::func(&function, &Callable::Function, &options.private, &mut diagnostics);
    if diagnostics.is_empty() {
        twin::func(&function, &lowered, &options)
    } else {
        let plain = expand::stripped(function);
        let errors = diagnostics.to_tokens();
        quote!(#plain #errors)
    }
}

/// Of a function whose name a kernel takes for a tuple struct.
pub const CAPITAL: &str = "kernels take a name that begins with a capital for that of a type";
/// What to do about it.
pub const CAPITAL_HELP: &str = "begin the function's name with a small letter";

/// Whether kernels take the name of a function for that of a type.
pub fn has_a_capital(name: &proc_macro2::Ident) -> bool {
    use syn::ext::IdentExt;
    name.unraw().to_string().starts_with(char::is_uppercase)
}
