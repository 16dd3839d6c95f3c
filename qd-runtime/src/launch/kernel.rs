//! What can be done with a kernel beside calling it: methods on the function item itself.
//!
//! A kernel stays a function, so its methods are those of traits over functions. [`Kernel`] holds what doesn't depend
//! on the number of parameters. `try_call` and `native` take the kernel's own parameters, and stable Rust has no way
//! to say that but a trait for each number of them: [`calls`] brings all of them into scope, as the prelude does.
use qd_ir::text;
use qd_ir::typing::Overflow;

use super::entry;
use super::prepare;
use super::registry::{self, Found};
use super::runtime::Runtime;
use super::stack;
use crate::backend::Artifact;
use crate::error::Result;
use crate::key::TaskKey;
use crate::observe::Observations;
use crate::target::Target;

/// A kernel: any function with `#[qd::kernel]`.
///
/// The prelude also brings these methods of a kernel `k` into scope, which take the kernel's own parameters:
/// - `k.try_call(..) -> qd::Result<R>`: as `k(..)`, errors as values instead of panics;
/// - `k.native(..) -> R`: the function as rustc compiled it, for stepping through it and for comparing.
///
/// Without [`on`](Kernel::on) all methods mean the runtime in which a call on this thread would run
/// ([`Runtime::current`]). They compile for every function of up to 32 parameters; on a function without the attribute
/// they are an error of [`ErrorKind::NotAKernel`](crate::error::ErrorKind::NotAKernel), and where there is no `Result`
/// a panic that names the function.
pub trait Kernel<Signature>: Copy + 'static {
    /// The function's name.
    fn name(&self) -> &'static str {
        match registry::found::<Self>() {
            Found::Kernel(kernel) => kernel.desc().name,
            Found::Instance(kernel) => kernel.name,
            Found::Nothing => panic!("{}", registry::not_a_kernel::<Self>()),
        }
    }

    /// What the most recent compile of the kernel did; before the first launch, what is known of it.
    ///
    /// # Panics
    /// Also if there is no runtime and none can be made ([`init`](super::runtime::init) gives that as an error).
    fn observations(&self) -> Observations {
        observations::<Self>(&current_or_panic())
    }

    /// Does all that the first launch would do before it runs: finds or compiles the code, and loads it.
    fn prepare(&self) -> Result<Observations> {
        self.on(&Runtime::current()?).prepare()
    }

    /// Compiles what the cache lacks for `target`, without loading it: for machines other than this one, GPUs too. What is
    /// returned belongs to this call; [`observations`](Kernel::observations) stays as it is.
    fn prepare_for(&self, target: &Target) -> Result<Observations> {
        self.on(&Runtime::current()?).prepare_for(target)
    }

    /// The kernel's tasks and launch plan as text, as they are without [`debug`](crate::config::Config::debug).
    fn ir(&self) -> Result<String> {
        let kernel = registry::find::<Self>()?;
        stack::large(|| Ok(text::print(&prepare::typed(kernel, Overflow::Wraps)?)))
    }

    /// The machine code of the kernel's tasks as assembly text, compiled anew with the options of the runtime.
    fn asm(&self) -> Result<String> {
        self.on(&Runtime::current()?).asm()
    }

    /// As [`asm`](Kernel::asm) for another target: PTX for NVIDIA's GPUs, AMD's own assembly for theirs.
    fn asm_for(&self, target: &Target) -> Result<String> {
        self.on(&Runtime::current()?).asm_for(target)
    }

    /// The kernel in a runtime: `k.on(&runtime).call(..)`, `.try_call(..)`, `.observations()`.
    fn on<'a>(&self, runtime: &'a Runtime) -> On<'a, Self> {
        On { runtime, kernel: *self }
    }
}

/// A kernel in a runtime; see [`Kernel::on`].
///
/// `call` and `try_call` take the kernel's own parameters.
#[derive(Debug, Clone, Copy)]
pub struct On<'a, F> {
    runtime: &'a Runtime,
    kernel: F,
}

impl<F: Copy + 'static> On<'_, F> {
    /// As [`Kernel::observations`].
    ///
    /// # Panics
    /// If the function is no kernel.
    pub fn observations(&self) -> Observations {
        observations::<F>(self.runtime)
    }

    /// As [`Kernel::prepare`].
    pub fn prepare(&self) -> Result<Observations> {
        let kernel = registry::find::<F>()?;
        self.runtime.prepared(kernel)?;
        Ok(self.runtime.observations(kernel))
    }

    /// As [`Kernel::prepare_for`].
    pub fn prepare_for(&self, target: &Target) -> Result<Observations> {
        let kernel = registry::find::<F>()?;
        stack::large(|| prepare::prepare_for(self.runtime.inner(), kernel, target))
    }

    /// As [`Kernel::asm`].
    pub fn asm(&self) -> Result<String> {
        let kernel = registry::find::<F>()?;
        stack::large(|| prepare::assembly(self.runtime.inner(), kernel, None))
    }

    /// As [`Kernel::asm_for`].
    pub fn asm_for(&self, target: &Target) -> Result<String> {
        let kernel = registry::find::<F>()?;
        stack::large(|| prepare::assembly(self.runtime.inner(), kernel, Some(target)))
    }
}

/// The code of each `wanted` task of every kernel in the program but those that are only known by a call, compiled for
/// `target` one by one: for tests that try what a toolchain makes of it. `see` gets the kernel and its tasks' keys and code.
pub fn each_artifact(
    runtime: &Runtime,
    target: &Target,
    mut wanted: impl FnMut(&TaskKey) -> bool + Send,
    mut see: impl FnMut(&registry::KernelDesc, Result<Vec<(TaskKey, Artifact)>>),
) {
    for entry in registry::KERNELS.iter().filter(|entry| !entry.kernel.desc().specialized) {
        see(
            entry.kernel.desc(),
            stack::large(|| prepare::artifacts(runtime.inner(), entry.kernel, target, &mut wanted)),
        );
    }
}

#[track_caller]
fn observations<F: 'static>(runtime: &Runtime) -> Observations {
    match registry::found::<F>() {
        Found::Kernel(kernel) => runtime.observations(kernel),
        Found::Instance(kernel) => runtime.no_observations(kernel.constructs),
        Found::Nothing => panic!("{}", registry::not_a_kernel::<F>()),
    }
}

/// Whether `F` can be called as a kernel; the entry finds out whether an instance by name is one.
fn callable<F: 'static>() -> Result<()> {
    match registry::found::<F>() {
        Found::Kernel(_) | Found::Instance(_) => Ok(()),
        Found::Nothing => Err(registry::not_a_kernel::<F>()),
    }
}

#[track_caller]
fn callable_or_panic<F: 'static>() {
    callable::<F>().unwrap_or_else(|error| panic!("{error}"));
}

#[track_caller]
fn current_or_panic() -> Runtime {
    Runtime::current().unwrap_or_else(|error| panic!("{error}"))
}

macro_rules! arity {
    ($call:ident $call_on:ident; $($type:ident $value:ident)*) => {
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
                callable::<F>()?;
                entry::try_call::<F, _>(|| self($($value),*))
            }

            #[track_caller]
            fn native(self, $($value: $type),*) -> R {
                callable_or_panic::<F>();
                entry::native::<F, _>(|| self($($value),*))
            }
        }

        /// Calls of kernels with this number of parameters in a given runtime.
        #[doc(hidden)]
        pub trait $call_on<R, $($type),*>: Sized {
            /// Calls the kernel.
            #[allow(clippy::too_many_arguments)]
            fn call(self, $($value: $type),*) -> R;

            /// Calls the kernel; an error is a value instead of a panic.
            #[allow(clippy::too_many_arguments)]
            fn try_call(self, $($value: $type),*) -> Result<R>;
        }

        impl<F, R, $($type),*> $call_on<R, $($type),*> for On<'_, F>
        where
            F: Fn($($type),*) -> R + Copy + 'static,
        {
            #[track_caller]
            fn call(self, $($value: $type),*) -> R {
                callable_or_panic::<F>();
                self.runtime.scope(|| (self.kernel)($($value),*))
            }

            fn try_call(self, $($value: $type),*) -> Result<R> {
                callable::<F>()?;
                self.runtime.scope(|| entry::try_call::<F, _>(|| (self.kernel)($($value),*)))
            }
        }
    };
}

macro_rules! arities {
    ($($call:ident $call_on:ident: $($type:ident $value:ident)*;)*) => {
        $(arity! { $call $call_on; $($type $value)* })*

        /// The traits behind `try_call`, `native` and `call`, to be imported without their names.
        pub mod calls {
            $(pub use super::{$call as _, $call_on as _};)*
        }
    };
}

arities! {
    Call0 CallOn0:;
    Call1 CallOn1: A0 a0;
    Call2 CallOn2: A0 a0 A1 a1;
    Call3 CallOn3: A0 a0 A1 a1 A2 a2;
    Call4 CallOn4: A0 a0 A1 a1 A2 a2 A3 a3;
    Call5 CallOn5: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4;
    Call6 CallOn6: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5;
    Call7 CallOn7: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6;
    Call8 CallOn8: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7;
    Call9 CallOn9: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8;
    Call10 CallOn10: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9;
    Call11 CallOn11: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10;
    Call12 CallOn12: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11;
    Call13 CallOn13: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12;
    Call14 CallOn14: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13;
    Call15 CallOn15: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14;
    Call16 CallOn16: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15;
    Call17 CallOn17: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16;
    Call18 CallOn18: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17;
    Call19 CallOn19: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18;
    Call20 CallOn20: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19;
    Call21 CallOn21: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20;
    Call22 CallOn22: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21;
    Call23 CallOn23: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22;
    Call24 CallOn24: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23;
    Call25 CallOn25: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24;
    Call26 CallOn26: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25;
    Call27 CallOn27: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26;
    Call28 CallOn28: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26 A27 a27;
    Call29 CallOn29: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26 A27 a27 A28 a28;
    Call30 CallOn30: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26 A27 a27 A28 a28 A29 a29;
    Call31 CallOn31: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26 A27 a27 A28 a28 A29 a29 A30 a30;
    Call32 CallOn32: A0 a0 A1 a1 A2 a2 A3 a3 A4 a4 A5 a5 A6 a6 A7 a7 A8 a8 A9 a9 A10 a10 A11 a11 A12 a12 A13 a13 A14 a14 A15 a15 A16 a16 A17 a17 A18 a18 A19 a19 A20 a20 A21 a21 A22 a22 A23 a23 A24 a24 A25 a25 A26 a26 A27 a27 A28 a28 A29 a29 A30 a30 A31 a31;
}
