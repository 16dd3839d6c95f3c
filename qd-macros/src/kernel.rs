//! `#[qd::kernel]`: parse, lower, expand; or the function as it was, with messages.
use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use qd_ir::ownership::{self, Conflict};
use quote::quote;

use crate::diagnostic::{Code, Diagnostics};
use crate::lower::{IN_STEPS, Lowered};
use crate::options::{self, Options};
use crate::{expand, lower};

/// The output of `#[qd::kernel(attribute)]` on an item.
pub fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    expanded(attribute, &item).unwrap_or_else(|refused| refused)
}

/// The expansion, or what stands instead of what is no function.
fn expanded(attribute: TokenStream, item: &TokenStream) -> Result<TokenStream, TokenStream> {
    let mut diagnostics = Diagnostics::default();
    let options = Options::parse(attribute, &options::KERNEL, &mut diagnostics);
    let mut function = parsed(item, &mut diagnostics)?;
    let native = expand::native(&function, item);
    let lowered = lower(&mut function, item, &options, &mut diagnostics)?;
    if diagnostics.is_empty() {
        return Ok(expand::kernel(&function, &native, &lowered, &options.private));
    }
    let plain = expand::stripped(parsed(item, &mut diagnostics)?);
    let errors = diagnostics.to_tokens();
    Ok(quote!(#plain #errors))
}

/// The function that the attribute stands on.
fn parsed(item: &TokenStream, diagnostics: &mut Diagnostics) -> Result<syn::ItemFn, TokenStream> {
    diagnostics.item(
        item,
        "`#[qd::kernel]` stands on functions",
        "put it on a `fn` outside of `impl` and `trait` blocks",
    )
}

/// Lowers a function, whose body it takes, and checks it for races.
fn lower(
    function: &mut syn::ItemFn,
    item: &TokenStream,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Lowered, TokenStream> {
    let lowered = lower::function(function, &options.private, &BTreeSet::new(), diagnostics);
    if !diagnostics.is_empty() {
        return Ok(lowered);
    }
    let found = ownership::check(&lowered.sketch, |access| lowered.exempt.contains(&access));
    for conflict in &found.conflicts {
        report(conflict, &lowered, diagnostics);
    }
    let mut lowered = if found.injective.is_empty() {
        lowered
    } else {
        // What the race rule assumes of casts is for rustc to check, in a copy that asserts it.
        let injective = found.injective.into_iter().collect();
        lower::function(&mut parsed(item, diagnostics)?, &options.private, &injective, diagnostics)
    };
    for (construct, pairs) in found.apart {
        lowered.sketch.constructs[construct].apart = pairs;
    }
    Ok(lowered)
}

fn report(conflict: &Conflict, lowered: &Lowered, diagnostics: &mut Diagnostics) {
    let mut message = conflict.to_string();
    if conflict.first.expr != conflict.second.expr {
        message += &format!("; the other access is at {}", conflict.second.pos);
    }
    let mut help = conflict.help.clone();
    if ownership::inner_loops_are_free(&lowered.sketch, conflict.construct, |access| lowered.exempt.contains(&access)) {
        help = format!("{IN_STEPS}; or {help}");
    } else {
        help += "; where iterations need those before them, write `#[qd::serial]` before the loop, which runs them in order";
    }
    diagnostics.push(Code::Race, lowered.reaches[conflict.first.expr.index()], message, &help);
}
