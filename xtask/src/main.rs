//! `cargo xtask`: set-up, demo, tests and generated files.
//!
//! One module a subcommand; this file only picks one.
mod llvm_symbols;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask <command>

commands:
  llvm-symbols [--check]   write (or compare) qd-runtime/src/llvm/symbols.rs from the llvm-sys in Cargo.lock";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["llvm-symbols"] => llvm_symbols::write(),
        ["llvm-symbols", "--check"] => llvm_symbols::check(),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
