//! `cargo xtask`: set-up, demo, tests and generated files.
fn main() {}
