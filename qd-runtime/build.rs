//! Writes the fingerprint of the files that decide what machine code a task becomes to `$OUT_DIR/fingerprint`.
#[path = "../qd-ir/build/fingerprint.rs"]
mod fingerprint;

use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=../qd-ir/build");
    println!("cargo::rerun-if-changed=build.rs");
    let fingerprint = fingerprint::of(Path::new("src"), decides_code)?;
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(Path::new(&out).join("fingerprint"), fingerprint)
}

/// Everything that lowers, less the files that only load or run what was lowered. A new file counts until named here.
fn decides_code(name: &str) -> bool {
    let lowers = ["target", "codegen", "backend"]
        .iter()
        .any(|&room| name.strip_prefix(room).is_some_and(|rest| rest == ".rs" || rest.starts_with('/')));
    lowers && !matches!(name, "backend/cpu/orc.rs" | "backend/cpu/pool.rs")
}
