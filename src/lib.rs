//! A kernel language embedded in Rust.
pub use qd_macros::kernel;
pub use qd_runtime::data::{Data, NdArray, ndrange};
pub use qd_runtime::error::{Error, ErrorKind, Result};
pub use qd_runtime::intrinsics::atomic;
pub use qd_runtime::launch::kernel::Kernel;
pub use qd_runtime::launch::registry::{KernelInfo, registered_kernels};
pub use qd_runtime::llvm;

#[doc(hidden)]
pub use qd_runtime::private as __private;

/// What a program that uses kernels wants in scope: `use qd::prelude::*;`.
pub mod prelude {
    pub use qd_runtime::data::{NdArray, ndrange};
    pub use qd_runtime::launch::kernel::Kernel;
    pub use qd_runtime::launch::kernel::calls::*;
}
