//! Functions that kernels know by name and that aren't `#[qd::func]`s: std's `max` and `min`, and qd's own that have a
//! meaning in one form only.
//!
//! By such a name a kernel may call a `#[qd::func]` of the user, and only rustc knows. So the copy imports the name under
//! another one, `use max as __qd_function`, beside a glob import of that other name from here. Where the name has a twin,
//! that comes before what the glob brings; where it has none, it is std's or qd's, or lacks the attribute.
use std::any::TypeId;
use std::marker::PhantomData;

use super::func::{AnySignature, Called, Callee};
use super::operator;

macro_rules! modules {
    ($($(#[$doc:meta])* $name:ident: $twin:ident;)*) => { $(
        $(#[$doc])*
        pub mod $name {
            pub use super::$twin as __qd_function;
        }
    )* };
}
modules! {
    /// `max(a, b)`
    max: Compared;
    /// `min(a, b)`
    min: Compared;
    /// `ndrange(..)`
    ndrange: NoDomain;
    /// `scatter(..)`
    scatter: NoScatter;
    /// `atomic::op(..)`
    atomic: NoAtomic;
}

/// Traits whose methods copies of bodies have in scope: those that are written in the kernel language, so none is here.
pub mod methods {}

/// What stands for `std::cmp::max` and `min` of a `T`.
pub struct Compared<T>(PhantomData<T>);

impl<T: Ord> Compared<T> {
    /// The signature of both.
    pub fn with_qd_func(_: T, _: T) -> Called<Self, fn(T, T) -> T, T> {
        never()
    }
}

impl<T> Callee for Compared<T> {
    /// Another function of that signature would need the attribute: linking looks at its name.
    fn called(_: TypeId, name: &'static str) -> operator::Called {
        operator::Called::Presumed(name)
    }
}

/// A value to which kernels give what only stands in one place.
#[diagnostic::on_unimplemented(
    message = "`ndrange` is what a loop runs over [QD0019]",
    label = "no value of a kernel",
    note = "write `for (i, j) in ndrange([n, m]) {{ .. }}`; a function of yours by that name needs `#[qd::func]`"
)]
pub trait InALoop {}

/// What stands for `ndrange` where no loop runs over it.
pub struct NoDomain;

impl NoDomain {
    /// Of no value at all.
    pub fn with_qd_func<T: InALoop>(_: T) -> Called<Self, AnySignature, ()> {
        never()
    }
}

/// An element to scatter to.
#[diagnostic::on_unimplemented(
    message = "a scatter writes a whole element of an array parameter [QD0041]",
    label = "no element",
    note = "write `scatter(&mut y[j], value)`; a function of yours by that name needs `#[qd::func]`"
)]
pub trait ToAnElement {}

/// What stands for `scatter` to what is no element.
pub struct NoScatter;

impl NoScatter {
    /// Of no value at all.
    pub fn with_qd_func<P: ToAnElement, T>(_: P, _: T) -> Called<Self, AnySignature, ()> {
        never()
    }
}

/// An element to update.
#[diagnostic::on_unimplemented(
    message = "an atomic works on an element of an array parameter [QD0025]",
    label = "no element",
    note = "write `atomic::add(&mut x[i], value)`; a function of yours by that name needs `#[qd::func]`"
)]
pub trait OfAnElement {}

/// What stands for an atomic of what is no element.
pub struct NoAtomic;

impl NoAtomic {
    /// Of no value at all.
    pub fn with_qd_func<P: OfAnElement, T>(_: P, _: T) -> Called<Self, AnySignature, T> {
        never()
    }
}

macro_rules! no_calls {
    ($($twin:ident)*) => { $(
        impl Callee for $twin {
            fn called(_: TypeId, name: &'static str) -> operator::Called {
                operator::Called::Presumed(name)
            }
        }
    )* };
}
no_calls! { NoDomain NoScatter NoAtomic }

fn never() -> ! {
    unreachable!("a never-run copy of a kernel was run")
}
