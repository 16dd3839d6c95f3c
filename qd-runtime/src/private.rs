//! What the output of qd's macros may name, and nothing else may: it changes without notice.
//!
//! `launch` trusts that its words were written for its kernel, which only macro output can know.
pub use linkme;
pub use qd_ir::types::{ParamType, Scalar as ScalarType, Type};

pub use crate::data::atomic::{AnyWidth, Element, TooWide, narrow};
pub use crate::data::bundle::{Field, elements};
pub use crate::data::element::Erase;
pub use crate::data::func::{
    AnySignature, ByMutable, ByReference, ByValue, Called, Callee, Chosen, Func, FuncDesc, FuncReference, Method,
    MethodTap, On, Other, Shares, Unknown,
};
pub use crate::data::function;
pub use crate::data::named::{self, Found, Language, Named, NamedMethod, builtin, builtin_place, halves, halves_place};
pub use crate::data::number::Number;
pub use crate::data::operator::{self, Operate, PlaceFirst, UpdateTap, ValueFirst};
pub use crate::data::presumed;
pub use crate::data::tap::{Report, Tap, constant, counted, injective, line, line_mut, referred, scalar_of, shown};
pub use crate::data::{Arg, ArgWriter, Data, NdArray, Ret, Scalar, ndrange, segments};
pub use crate::intrinsics::{atomic, scatter};
pub use crate::launch::entry::{Mode, enter, launch, launch_lent};
pub use crate::launch::instances::{GENERIC_KERNELS, INSTANCES, Instance, Registered, instance, registered};
pub use crate::launch::kernel::each_artifact;
pub use crate::launch::registry::{KERNELS, KernelDesc, KernelEntry, KernelInfo, KernelStatic};

use std::any::TypeId;
use std::marker::PhantomData;

use crate::data::func::NoOther;
use crate::data::segments::{Offsets, Segments};

/// The macros that kernels know, as one finds them by name, and each under one name for all.
pub mod macros {
    macro_rules! known {
        ($($krate:ident: $($name:ident)*;)*) => { $(
            /// Of this crate.
            pub mod $krate {
                pub use ::$krate::{$($name),*};
                /// Each alone.
                pub mod one {
                    $(
                        /// This macro.
                        pub mod $name {
                            pub use ::$krate::$name as the_macro_meant;
                        }
                    )*
                }
            }
        )* };
    }
    known! {
        std: matches assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne panic unreachable println;
        core: matches assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne panic unreachable;
    }
}

/// What the copies of bodies are written with, by short names.
pub mod copy {
    pub use crate::data::func::{
        asked, called, method, method_of, method_of_shared, method_shared, on, seen, seen_shared,
    };
    pub use crate::data::operator::{self, alone, converted, known, known_alone, left, right, updated};
    pub use crate::data::presumed::{named_by_path, presumed};
    pub use crate::data::tap::{at, erased, fixed, fixed_mut, id, look, reported};
}

/// The `TypeId` of a function item.
pub fn type_id_of<F: 'static>(_: F) -> TypeId {
    TypeId::of::<F>()
}

/// The `TypeId` and the name of a function item.
pub fn item_of<F: 'static>(_: F) -> (TypeId, &'static str) {
    (TypeId::of::<F>(), std::any::type_name::<F>())
}

/// Whether two function items are one.
pub fn is_same<F: 'static, G: 'static>(_: F, _: G) -> bool {
    TypeId::of::<F>() == TypeId::of::<G>()
}

/// Asserts that a call in search of another method found none.
pub fn other<T: NoOther>(_: T) {}

/// A type that the name of the primitive `P` means.
#[diagnostic::on_unimplemented(
    message = "the name of the primitive type `{P}` means `{Self}` here, and a kernel would take it for the primitive [QD0030]",
    label = "means `{Self}`",
    note = "give the other type or module another name"
)]
pub trait Primitive<P> {}

impl<P> Primitive<P> for P {}

/// Asserts that a name means the primitive `P`.
pub fn primitive<T: Primitive<P>, P>() {}

/// The function `F` that a path names is the one of qd's that it reads like.
#[diagnostic::on_unimplemented(
    message = "this call reads like one of qd's function of that name, and names `{Self}` [QD0108]",
    label = "another function than qd's",
    note = "give it another name, or import it under one: `use path::to::name as other;`"
)]
pub trait Ours<F> {}

impl<F> Ours<F> for F {}
// So that rustc doesn't take the one for the other before it knows both.
impl<F> Ours<Another<F>> for F {}

/// No function.
pub struct Another<F>(PhantomData<F>);

/// A function named by path, which must be ours.
pub fn only<F: Ours<G>, G>(named: F, _ours: G) -> F {
    named
}

/// What a shared reference refers to, as if it could be written: rustc says that it can't of the native body, once.
pub fn writable<T: ?Sized>(_: &T) -> &mut T {
    unreachable!("a never-run copy of a kernel was run")
}

/// What a method of arrays is called on.
pub fn array<T: Data, const N: usize>(array: &NdArray<T, N>) -> &NdArray<T, N> {
    array
}

/// The numbers of segments.
pub fn segment_numbers<A: Offsets + ?Sized>(segments: Segments<'_, A>) -> std::ops::Range<usize> {
    segments.numbers()
}

/// The type of a function's parameter by value.
pub fn value_type<T: Data>() -> ParamType {
    T::qd_type().into()
}

/// The type of a function's parameter that is a reference.
pub fn reference_type<T: FuncReference>() -> ParamType {
    T::ty()
}
