//! What kernels work on: elements, arrays, and how arguments and types cross from Rust into a launch.
//!
//! Knows the IR's types and the crate's error; nothing of keys, code generation or launching.
pub mod arg;
pub mod array;
pub mod atomic;
pub mod bundle;
pub mod element;
pub mod func;
pub mod function;
mod half;
pub mod linear;
pub mod named;
// Not public: a kernel's `ndrange` is a function, and nothing else may have its name.
pub(crate) mod ndrange;
pub mod number;
pub mod operator;
pub mod presumed;
pub(crate) mod segments;
pub mod tap;

pub use ::half::{bf16, f16};

pub use arg::{Arg, ArgWriter, Ret};
pub use array::NdArray;
pub use element::{Data, Erase, Scalar};
pub use linear::{Matrix, Vector};
pub use ndrange::{NdRange, ndrange};
pub use number::{Float, Int, Number};
pub use segments::{Segments, segments};
