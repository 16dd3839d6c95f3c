//! Methods by the names of std's: of numbers and vectors they are the language's own, of a type of the user functions.
//!
//! In the never-run copy the call stays as it is, and what it is called on is shown to a [`Tap`]. Beside it rustc looks
//! for the hidden method that `#[qd::funcs]` makes of a method of such a name. There is another one that all types have,
//! which comes last in rustc's search: if that is found, the method must be the language's own. What would come before a
//! method that was found is looked for as for other methods (see [`Method`](super::func::Method)).
use std::marker::PhantomData;

use qd_ir::types::Type;

use super::element::{Data, Erase, Scalar, for_each_tuple};
use super::func::{ByValue, CallRef, FuncDesc, Taken};
use super::linear::{Matrix, Vector};
use super::number::Float;
use super::operator::Called;
use super::tap::{Report, Reports, Tap};

/// A type whose methods, conversions and functions by the names of std's are the language's own.
#[diagnostic::on_unimplemented(
    message = "kernels know no method or conversion of this name of `{Self}` [QD0013]",
    label = "of `{Self}`, and in no `impl` with `#[qd::funcs]`",
    note = "of a method write `#[qd::funcs]` on its `impl` block; what std derives, such as `Ord::max`, is compared field by field",
    note = "in place of a conversion (`from`, `into`, `cast`, `to_f32`..) write a method or function of another name",
    note = "a type parameter needs a bound that makes it a number, such as `T: qd::Float`"
)]
pub trait Builtin {}

// What is missing is no number, but the attribute.
#[diagnostic::do_not_recommend]
impl<T: Scalar> Builtin for T {}
impl<T: Scalar, const N: usize> Builtin for Vector<T, N> {}
impl<T: Scalar, const R: usize, const C: usize> Builtin for Matrix<T, R, C> {}
impl<T: Builtin, const N: usize> Builtin for [T; N] {}
impl Builtin for () {}

macro_rules! tuple {
    ($($part:ident $_p:ident)*) => {
        impl<$($part: Builtin),*> Builtin for ($($part,)*) {}
    };
}
for_each_tuple!(tuple);

/// A type that has `to_f32` and `to_f64` of its own.
#[diagnostic::on_unimplemented(
    message = "`to_f32` and `to_f64` of `{Self}` are another trait's, and kernels know those of `f16` and `bf16` only [QD0013]",
    label = "of `{Self}`",
    note = "write `as f32` or `T::from(..)`, or give the method another name and `#[qd::funcs]`"
)]
pub trait Half {}

impl Half for ::half::f16 {}
impl Half for ::half::bf16 {}

/// Compiles only for a value of such a type, or a reference to one.
pub fn halves<T: Erase<QdErased: Half>>(value: T) -> T {
    value
}

/// Compiles only for a place of such a type.
pub fn halves_place<T: Erase<QdErased: Half>>(_: &T) {}

/// Compiles only for a value of a type of the language itself, or a reference to one.
pub fn builtin<T: Erase<QdErased: Builtin>>(value: T) -> T {
    value
}

/// Compiles only for a place of such a type.
pub fn builtin_place<T: Erase<QdErased: Builtin>>(_: &T) {}

/// What a method by the name of one of std's is.
pub trait Named {
    /// How it takes what it is called on.
    type Taken: Taken;
    /// What it is.
    fn called() -> Called;
}

/// The language's own method of a `T`, which has to be [`Builtin`].
pub struct Language<T>(PhantomData<T>);

impl<T> Named for Language<T> {
    // Of numbers they are methods of the type itself, by value: nothing comes before them.
    type Taken = ByValue;
    fn called() -> Called {
        Called::Builtin
    }
}

/// A method that may be called: of the language's own, that of a type of the language.
pub trait Meant {}

impl<T: Erase<QdErased: Builtin>> Meant for Language<T> {}

/// What a method of the type `T` by the name of one of std's is, where rustc has found one of `#[qd::funcs]`.
pub fn method<T: Data>(func: FuncDesc) -> Called {
    match T::qd_type() {
        Type::Struct(_) | Type::Enum { .. } => Called::Function(CallRef::of(func)),
        // Such types have no methods of the user's own, and where std's comes first, rustc has found it: see `First`.
        Type::Scalar(_)
        | Type::Tuple(_)
        | Type::Array { .. }
        | Type::Fixed(..)
        | Type::Vector(..)
        | Type::Matrix(..)
        | Type::Never => {
            let item = (func.item)();
            Called::Function(CallRef { func, item, item_name: func.name })
        }
    }
}

/// The types that have a method of their own by a name of std's: where rustc sees such a type, and no type parameter that
/// stands for it, that method comes before those of traits. `S` says of which name.
pub trait First<S> {}

macro_rules! first {
    ($($(#[$doc:meta])* $name:ident: $($ty:ty),*;)*) => { $(
        $(#[$doc])*
        pub struct $name;
        $(
            impl First<$name> for $ty {}
            impl First<WithVectors<$name>> for $ty {}
        )*
    )* };
}
first! {
    /// What compares: by methods of the type, and else by those of `Ord`, which is in every scope and takes values.
    Compared: bool, i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64, ::half::f16, ::half::bf16;
    /// Of floats of 32 and 64 bits.
    Floats: f32, f64;
    /// Of all floats.
    AllFloats: f32, f64, ::half::f16, ::half::bf16;
    /// Of integers.
    Ints: i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize;
    /// Of signed integers.
    Signed: i8, i16, i32, i64, i128, isize;
    /// Of unsigned integers.
    Unsigned: u8, u16, u32, u64, u128, usize;
    /// Of integers and floats of 32 and 64 bits.
    Numbers: i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize, f32, f64;
    /// Of signed integers and floats of 32 and 64 bits.
    SignedNumbers: i8, i16, i32, i64, i128, isize, f32, f64;
    /// Of signed integers and all floats.
    SignedAndHalves: i8, i16, i32, i64, i128, isize, f32, f64, ::half::f16, ::half::bf16;
}

/// Of those and of vectors.
pub struct WithVectors<S>(PhantomData<S>);

impl<S, T: Float, const N: usize> First<WithVectors<S>> for Vector<T, N> {}
impl<T: Ord, const N: usize> First<WithVectors<Compared>> for [T; N] {}
impl<T: Ord, const N: usize> First<Compared> for [T; N] {}

macro_rules! first_tuple {
    ($($part:ident $_p:ident)*) => {
        impl<$($part: Ord),*> First<Compared> for ($($part,)*) {}
        impl<$($part: Ord),*> First<WithVectors<Compared>> for ($($part,)*) {}
    };
}
for_each_tuple!(first_tuple);

/// Of vectors.
pub struct Vectors;

/// Of matrices.
pub struct Matrices;

impl<T, const N: usize> First<Vectors> for Vector<T, N> {}
impl<T, const R: usize, const C: usize> First<Matrices> for Matrix<T, R, C> {}

/// What the hidden method of a type `S` gives: the method `D` has the name.
pub struct Found<S, D>(PhantomData<(S, D)>);

/// A value that is an `S`, or a reference to one.
#[diagnostic::on_unimplemented(
    message = "this method is not one of `{Self}` [QD0013]",
    label = "found behind a `Deref`, which kernels don't follow",
    note = "call it on the value that has it"
)]
pub trait Refers<S> {}

impl<S> Refers<S> for S {}
impl<S> Refers<S> for &S {}
impl<S> Refers<S> for &mut S {}

/// What a method by the name of one of std's is called on, in a call that never runs.
pub fn receiver<T>(_: &Tap<T>) -> T {
    unreachable!("a never-run copy of a kernel was run")
}

/// What was found by the name.
pub fn found<T: Refers<S>, S, D: Meant>(_: &Tap<T>, _: Found<S, D>) -> NamedMethod<T, D> {
    NamedMethod(PhantomData)
}

/// What it is, the search says.
impl<T> Report for Tap<T> {
    fn report(_: &mut Reports) {}
}

/// The method of that name, of what is called on a `T`.
pub struct NamedMethod<T, D>(PhantomData<fn() -> (T, D)>);

impl<T, D> NamedMethod<T, D> {
    /// A receiver by value, in a call that never runs.
    pub fn by_value(&self) -> <D::Taken as Taken>::NotByValue<T>
    where
        D: Named,
    {
        unreachable!("a never-run copy of a kernel was run")
    }

    /// A receiver by `&`, in a call that never runs.
    pub fn by_reference(&self) -> <D::Taken as Taken>::NotByReference<T>
    where
        D: Named,
    {
        unreachable!("a never-run copy of a kernel was run")
    }
}

impl<T, D: Named> Report for NamedMethod<T, D> {
    fn report(into: &mut Reports) {
        into.call(D::called());
    }
}
