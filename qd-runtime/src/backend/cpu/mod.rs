//! The CPU: x86-64 and AArch64.
pub mod helpers;
pub mod orc;
pub mod pool;
