//! A kernel language embedded in Rust, with a persistent per-task code cache.
//!
//! A kernel is an ordinary Rust function with `#[qd::kernel]`. Called like the function it is, it runs as compiled
//! parallel code: each top-level `for` loop is one parallel **task**. Its meaning stays that of the Rust function:
//! rustc checks types and borrows, accesses are bounds-checked, and loops whose iterations could race don't compile.
//!
//! ```
//! use qd::prelude::*;
//!
//! #[qd::kernel]
//! fn two_loops(x: &mut NdArray<f32>) {
//!     for i in 0..x.len() {
//!         x[i] = x[i] * 2.0 + 1.0;
//!     }
//!     for i in 0..x.len() {
//!         x[i] -= 3.0;
//!     }
//! }
//!
//! # fn main() -> qd::Result<()> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let cache = folder.path().join("cache");
//! // Optional: the first launch makes a runtime from the environment and the defaults.
//! qd::init(qd::Config::new(qd::Arch::Cpu).offline_cache_file_path(cache))?;
//!
//! let mut x = NdArray::from_slice(&[1.0f32; 1024]);
//! two_loops(&mut x); // an ordinary call; panics like an ordinary function would
//! two_loops.try_call(&mut x)?; // the same, errors as values
//! assert_eq!(x[0], -2.0);
//!
//! let seen = two_loops.observations();
//! assert_eq!(seen.frontend_constructs_total, 2);
//! assert_eq!(seen.tasks_cache_hit + seen.tasks_recompiled, seen.tasks_total);
//! println!("{seen}"); // a row per task: found or compiled, where, why, how long
//! # Ok(())
//! # }
//! ```
//!
//! **Nothing is compiled twice.** At a kernel's first launch each of its tasks is named by a hash of its typed,
//! name-free code, the target and the options. Its machine code comes out of the cache if any earlier launch, process or
//! kernel compiled the same task; after an edit only what changed is compiled. [`Observations`] tell what happened.
//!
//! | to | use |
//! |---|---|
//! | say how and where kernels run | [`Config`], [`init`], [`reset`], or a [`Runtime`] of one's own |
//! | hold data | [`NdArray`], or plain slices |
//! | call without panics, look inside | the methods of [`Kernel`] |
//! | compare with plain Rust | `kernel.native(..)` |
//!
//! LLVM 22.1 is opened when something must be compiled or loaded, not before, and not needed to build
//! ([`llvm`]).
mod function;
mod random;
mod vector;

pub use random::{Random, RandomRange, Rng, Uniform};
pub use vector::{vec2, vec3, vec4};

pub use qd_macros::{Bundle, Data, func, funcs, kernel};
pub use qd_runtime::config::{Arch, CleaningPolicy, Config, Options, Trust};
pub use qd_runtime::data::{Data, Float, Int, Matrix, NdArray, Number, Scalar, Vector, bf16, f16, ndrange, segments};
pub use qd_runtime::error::{Error, ErrorKind, Result};
pub use qd_runtime::intrinsics::{ReduceOp, atomic, reduce_reference, scatter};
pub use qd_runtime::key::{Part, TaskKey};
pub use qd_runtime::launch::kernel::{Kernel, On};
pub use qd_runtime::launch::registry::{KernelInfo, registered_kernels};
pub use qd_runtime::launch::runtime::{Runtime, init, reset};
pub use qd_runtime::llvm;
pub use qd_runtime::observe::{CompileTime, Miss, Observations, Outcome, TaskObservation};
pub use qd_runtime::target::Target;

#[doc(hidden)]
pub mod __private {
    pub use qd_runtime::private::*;
    /// Functions that kernels know by name.
    pub mod function {
        pub use crate::function::{methods, replace, swap, take};
        pub use qd_runtime::private::function::*;
    }
}
#[doc(inline)]
pub use qd_runtime::rules;

/// Prints a line, in a kernel or anywhere: std's `println!` under a name that says where it is used.
///
/// Lines of a kernel are ordered by iteration, and written when the launch ends.
#[doc(no_inline)]
pub use std::println;

/// Registers instances of generic kernels before their first call, so that they can be prepared and looked into:
/// `qd::instantiate!(scale::<f32>, scale::<f64>);` among the items of a module.
///
/// ```
/// use qd::prelude::*;
///
/// #[qd::kernel]
/// fn scale<T: qd::Float>(x: &mut [T], by: T) {
///     for i in 0..x.len() {
///         x[i] *= by;
///     }
/// }
/// qd::instantiate!(scale::<f32>);
///
/// # fn main() -> qd::Result<()> {
/// scale::<f32>.ir()?;
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! instantiate {
    ($($kernel:ty),+ $(,)?) => { $(
        const _: () = {
            #[$crate::__private::linkme::distributed_slice($crate::__private::INSTANCES)]
            #[linkme(crate = $crate::__private::linkme)]
            static INSTANCE: fn() -> $crate::__private::Registered = $crate::__private::registered::<$kernel>;
        };
    )+ };
}

/// What a program that uses kernels wants in scope: `use qd::prelude::*;`.
pub mod prelude {
    pub use crate::vector::{vec2, vec3, vec4};
    pub use qd_runtime::data::{Matrix, NdArray, Vector, bf16, f16, ndrange};
    pub use qd_runtime::launch::kernel::Kernel;
    pub use qd_runtime::launch::kernel::calls::*;
}

/// The programs in the pages are compiled and run with the tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/language.md")]
    mod language {}
    #[doc = include_str!("../docs/safety.md")]
    mod safety {}
}
