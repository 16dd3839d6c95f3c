//! Writes the fingerprint of the files that decide what a task's IR means to `$OUT_DIR/fingerprint`.
#[path = "build/fingerprint.rs"]
mod fingerprint;

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=build.rs");
    // New files count until they are named here: the text form is for people, and no code comes from it.
    let fingerprint = fingerprint::of(Path::new("src"), |name| name != "text.rs")?;
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&out).join("fingerprint"), fingerprint)
}
