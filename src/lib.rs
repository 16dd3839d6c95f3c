//! A kernel language embedded in Rust.
