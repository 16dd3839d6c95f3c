//! The attribute macros of qd.
//!
//! A macro here only hands its tokens on; the work is done by plain functions over `proc_macro2`, which tests reach.
//! Output names nothing of qd but its `__private` module.
mod diagnostic;
mod expand;
mod kernel;
mod lower;
mod options;
mod taps;

use proc_macro::TokenStream;

/// Makes a function a kernel: its top-level `for` loops become parallel tasks, compiled at the first call and kept in
/// a cache across processes.
///
/// The function stays a function. `#[qd::kernel(crate = path)]` names the `qd` crate where it is renamed or re-exported.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    kernel::expand(attribute.into(), item.into()).into()
}
