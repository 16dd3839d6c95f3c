//! What can be done with a kernel beside calling it: methods on the function item itself.
//!
//! A kernel stays a function, so its methods are those of traits over functions. [`Kernel`] holds what doesn't depend
//! on the number of parameters. `try_call` and `native` take the kernel's own parameters, and stable Rust has no way
//! to say that but a trait for each number of them: [`calls`] brings all of them into scope, as the prelude does.
use super::entry;
use super::registry::{self, KernelStatic};
use crate::error::Result;

/// A kernel: any function with `#[qd::kernel]`.
///
/// The prelude also brings these methods of a kernel `k` into scope, which take the kernel's own parameters:
/// - `k.try_call(..) -> qd::Result<R>`: as `k(..)`, errors as values instead of panics;
/// - `k.native(..) -> R`: the function as rustc compiled it, for stepping through it and for comparing.
///
/// The methods compile for every function of up to 32 parameters. On a function without the attribute they are an
/// error of [`ErrorKind::NotAKernel`](crate::error::ErrorKind::NotAKernel); `name` panics with the same words.
pub trait Kernel<Signature>: Copy + 'static {
    /// The function's name.
    ///
    /// # Panics
    /// If the function is no kernel.
    fn name(&self) -> &'static str {
        find_or_panic::<Self>().desc().name
    }
}

#[track_caller]
fn find_or_panic<F: 'static>() -> &'static KernelStatic {
    registry::find::<F>().unwrap_or_else(|error| panic!("{error}"))
}

macro_rules! arity {
    ($call:ident; $($type:ident $value:ident)*) => {
        impl<F, R, $($type),*> Kernel<fn($($type),*) -> R> for F where F: Fn($($type),*) -> R + Copy + 'static {}

        /// Calls of kernels with this number of parameters.
        #[doc(hidden)]
        pub trait $call<R, $($type),*>: Sized {
            /// Calls the kernel; an error is a value instead of a panic.
            #[allow(clippy::too_many_arguments)]
            fn try_call(self, $($value: $type),*) -> Result<R>;

            /// Calls the function as rustc compiled it.
            #[allow(clippy::too_many_arguments)]
            fn native(self, $($value: $type),*) -> R;
        }

        impl<F, R, $($type),*> $call<R, $($type),*> for F
        where
            F: Fn($($type),*) -> R + Copy + 'static,
        {
            fn try_call(self, $($value: $type),*) -> Result<R> {
                registry::find::<F>()?;
                entry::try_call(|| self($($value),*))
            }

            #[track_caller]
            fn native(self, $($value: $type),*) -> R {
                find_or_panic::<F>();
                entry::native(|| self($($value),*))
            }
        }
    };
}

macro_rules! arities {
    ($($call:ident: $($type:ident $value:ident)*;)*) => {
        $(arity! { $call; $($type $value)* })*

        /// The traits behind `try_call` and `native`, to be imported without their names.
        pub mod calls {
            $(pub use super::$call as _;)*
        }
    };
}

arities! {
    Call0:;
    Call1: A0 a0;
    Call2: A0 a0 A1 a1;
    Call3: A0 a0 A1 a1 A2 a2;
    Call4: A0 a0 A1 a1 A2 a2 A3 a3;
    Call5: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4;
    Call6: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5;
    Call7: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6;
    Call8: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7;
    Call9: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8;
    Call10: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9;
    Call11: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10;
    Call12: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11;
    Call13: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12;
    Call14: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13;
    Call15: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14;
    Call16: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15;
    Call17: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16;
    Call18: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17;
    Call19: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18;
    Call20: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19;
    Call21: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20;
    Call22: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21;
    Call23: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22;
    Call24: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23;
    Call25: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24;
    Call26: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25;
    Call27: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26;
    Call28: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26 A27 a27;
    Call29: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26 A27 a27 A28 a28;
    Call30: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26 A27 a27 A28 a28 A29 a29;
    Call31: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26 A27 a27 A28 a28 A29 a29 A30 a30;
    Call32: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26 A27 a27 A28 a28 A29 a29 A30 a30 A31 a31;
}
