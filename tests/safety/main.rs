//! What `docs/safety.md` promises, through the façade: which iteration fails and what has run then, the same bits whatever
//! the threads, and values that no arithmetic makes undefined. The page links to these tests by name.
#![allow(clippy::undocumented_unsafe_blocks)] // whether the claims of kernels hold is what is tested
mod faults;
#[cfg(target_arch = "x86_64")]
mod float_env;
mod same_bits;
mod support;
mod values;
