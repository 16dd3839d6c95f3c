//! What stands for functions of std that kernels call by name: written in the kernel language, since std's aren't.
use std::any::TypeId;
use std::marker::PhantomData;

use qd_runtime::private::{
    AnySignature, ByMutable, Called, Callee, Func, FuncDesc, Method, On, Other, Shares, operator, presumed,
};

use crate::{Data, func};

#[func(crate = crate)]
fn swapped<T: Data>(a: &mut T, b: &mut T) {
    (*a, *b) = (*b, *a);
}

#[func(crate = crate)]
fn replaced<T: Data>(place: &mut T, by: T) -> T {
    let held = *place;
    *place = by;
    held
}

#[func(crate = crate)]
fn taken<T: Data + Default>(place: &mut T) -> T {
    let held = *place;
    *place = T::default();
    held
}

#[func(crate = crate)]
fn length<T: Data, const N: usize>(_array: &[T; N]) -> usize {
    N
}

/// Methods of `[T; N]` that kernels call, by the names of hidden siblings.
pub trait OfArrays {
    /// The twin of `len`.
    type Len: Func;

    /// The sibling of `len`, which rustc finds behind all others on the array itself.
    fn len_needs_the_attribute_qd_funcs(&mut self) -> Called<Self::Len, AnySignature, usize> {
        unreachable!("a never-run copy of a kernel was run")
    }
}

impl<T: Data, const N: usize> OfArrays for [T; N] {
    type Len = Len<T, N>;
}

/// What copies of bodies bring into scope: no names, only methods.
pub mod methods {
    pub use super::OfArrays as _;
}

/// The twin of `len` of `[T; N]`. To rustc that is the slice's, so whatever the array has comes before it.
pub struct Len<T, const N: usize>(PhantomData<T>);

impl<T: Data, const N: usize> Func for Len<T, N> {
    fn desc() -> FuncDesc {
        <length<T, N> as Func>::desc()
    }
}

impl<T: Data, const N: usize> Method for Len<T, N> {
    type Taken = ByMutable;
}

impl<T: Data, const N: usize> On<[T; N]> for Len<T, N> {}

impl<T: Data, const N: usize> Len<T, N> {
    /// What asks for the method calls this.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(self) -> Other {
        unreachable!("a never-run copy of a kernel was run")
    }
}

#[diagnostic::do_not_recommend]
impl<T: Data, const N: usize> Shares for Len<T, N> {}

/// `std::mem::swap` of two `T`.
pub struct Swap<T>(PhantomData<T>);

/// `std::mem::replace` of a `T`.
pub struct Replace<T>(PhantomData<T>);

/// `std::mem::take` of a `T`.
pub struct Take<T>(PhantomData<T>);

impl<T: Data> Swap<T> {
    /// Its signature.
    pub fn with_qd_func<'a, 'b>(_: &'a mut T, _: &'b mut T) -> Called<Self, fn(&'a mut T, &'b mut T), ()> {
        unreachable!("a never-run copy of a kernel was run")
    }
}

impl<T: Data> Replace<T> {
    /// Its signature.
    pub fn with_qd_func(_: &mut T, _: T) -> Called<Self, fn(&mut T, T) -> T, T> {
        unreachable!("a never-run copy of a kernel was run")
    }
}

impl<T: Data + Default> Take<T> {
    /// Its signature.
    pub fn with_qd_func(_: &mut T) -> Called<Self, fn(&mut T) -> T, T> {
        unreachable!("a never-run copy of a kernel was run")
    }
}

macro_rules! callees {
    ($($of:ident by $twin:ident: $($bound:ident)+;)*) => { $(
        impl<T: $($bound +)+> Callee for $of<T> {
            fn called(_: TypeId, name: &'static str) -> operator::Called {
                presumed::stands_for::<$twin<T>>(name)
            }
        }
    )* };
}
callees! {
    Swap by swapped: Data;
    Replace by replaced: Data;
    Take by taken: Data Default;
}

/// `swap(a, b)`
pub mod swap {
    pub use super::Swap as __qd_function;
}

/// `replace(place, by)`
pub mod replace {
    pub use super::Replace as __qd_function;
}

/// `take(place)`
pub mod take {
    pub use super::Take as __qd_function;
}
