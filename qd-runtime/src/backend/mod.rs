//! The machines that run tasks.
pub mod cpu;
