//! The attribute macros of qd.
//!
//! A macro here only hands its tokens on; the work is done by plain functions over `proc_macro2`, which tests reach.
//! Output names nothing of qd but its `__private` module.
mod bundle;
mod data;
mod diagnostic;
mod expand;
mod func;
mod funcs;
mod generics;
mod grouping;
mod kernel;
mod lower;
mod nesting;
mod options;
mod reach;
#[cfg(test)]
mod speed;
mod syntax;
mod taps;
mod tree;
mod twin;

use proc_macro::TokenStream;

/// Makes a function a kernel: its top-level `for` loops become parallel tasks, compiled at the first call and kept in
/// a cache across processes.
///
/// The function stays a function. `#[qd::kernel(crate = path)]` names the `qd` crate where it is renamed or re-exported.
#[proc_macro_attribute]
pub fn kernel(attribute: TokenStream, item: TokenStream) -> TokenStream {
    kernel::expand(attribute.into(), grouping::kept(item.into())).into()
}

/// Makes a function one that kernels can call. It stays an ordinary function beside.
///
/// A kernel names it as it would name any function: by a path, through imports under another name, from another crate. Its
/// code becomes part of the tasks that call it, so editing it recompiles those, and renaming it recompiles nothing.
///
/// Parameters are what kernels have as locals, by value, and `&` or `&mut` of these and of arrays. It may be generic. It
/// can't call itself, not through others either.
///
/// ```ignore
/// #[qd::func]
/// pub fn lerp(a: f32, b: f32, t: f32) -> f32 {
///     a + (b - a) * t
/// }
/// ```
///
/// What kernels need to know of the function stands in a hidden struct of its name, so a module and a function of one
/// name can't both be in scope. Where they have to be, as with `mod dot; pub use dot::dot;`, write
/// `#[qd::func(twin = dot_func)]` in `dot.rs`: the struct gets that name, and kernels find the function by the name it is
/// re-exported under. One function of a module can be so.
///
/// `#[qd::func(crate = path)]` names the `qd` crate where it is renamed or re-exported.
#[proc_macro_attribute]
pub fn func(attribute: TokenStream, item: TokenStream) -> TokenStream {
    func::expand(attribute.into(), grouping::kept(item.into())).into()
}

/// Makes the functions and methods of an `impl` block or a trait ones that kernels can call, as [`macro@func`] does for a
/// function.
///
/// It stands on inherent `impl` blocks, and on traits with all their implementations, of types that derive `qd::Data`.
/// Kernels call them as `p.length()` or `Point::new(..)`, those of a trait through type parameters too; methods take
/// `self`, `&self` or `&mut self`. A method can't have the name of one of numbers, vectors or arrays. A trait with the
/// attribute is one of values: it gets the supertrait `qd::Data`.
///
/// ```ignore
/// #[qd::funcs]
/// impl Point {
///     pub fn length(self) -> f32 {
///         self.x.hypot(self.y)
///     }
/// }
/// ```
#[proc_macro_attribute]
pub fn funcs(attribute: TokenStream, item: TokenStream) -> TokenStream {
    funcs::expand(attribute.into(), grouping::kept(item.into())).into()
}

/// Makes a struct, or an enum without fields, a value of the kernel language: an element of arrays, a variable, a
/// parameter, a result.
///
/// It is `Copy`. The fields of a struct are of such types themselves. An enum has a `#[repr(u8)]` or another integer's, a
/// variant of value 0, and a derived `PartialEq`. `#[qd(crate = path)]` on the struct names the `qd` crate where it is
/// renamed or re-exported.
#[proc_macro_derive(Data, attributes(qd))]
pub fn data(item: TokenStream) -> TokenStream {
    data::derive(grouping::kept(item.into())).into()
}

/// Makes a struct of arrays and values a parameter of kernels, by `&` or `&mut`: each field is as if it were passed alone.
///
/// Fields are arrays (`NdArray<T, N>`, `Vec<T>`, `Box<[T]>`, references to `NdArray` and slices), values (numbers, `bool`,
/// tuples, arrays, `Data` types) and other bundles. `#[qd(crate = path)]` on the struct names the `qd` crate where it is
/// renamed or re-exported.
///
/// ```ignore
/// #[derive(qd::Bundle)]
/// struct Fluid<'a> {
///     u: NdArray<f32, 2>,
///     v: &'a NdArray<f32, 2>,
///     time: f32,
/// }
///
/// #[qd::kernel]
/// fn step(s: &mut Fluid, dt: f32) {
///     for (i, j) in s.u.indices() {
///         s.u[[i, j]] += dt * s.v[[i, j]];
///     }
///     s.time += dt;
/// }
/// ```
#[proc_macro_derive(Bundle, attributes(qd))]
pub fn bundle(item: TokenStream) -> TokenStream {
    bundle::derive(grouping::kept(item.into())).into()
}
