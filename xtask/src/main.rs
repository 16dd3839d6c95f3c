//! `cargo xtask`: set-up, demo, tests and generated files.
//!
//! One module a subcommand; this file only picks one and turns its outcome into an exit code: 0 done, 1 failed, 2 the
//! machine or the command line needs a change first.
mod bench;
mod check;
mod demo;
mod docs;
mod fuzz;
mod lint;
mod llvm_symbols;
mod process;
mod sanitize;
mod setup;
mod sim;
mod test;

use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask <command>

commands:
  demo [--edit] [--out DIR]   develop a photograph with qd kernels and say what was compiled
  test [ARGS]                 run all tests; ARGS go to cargo nextest run (or cargo test)
  sim [ARGS]                  the language suite on simulated GPUs, lane by lane; ARGS go to cargo nextest run
  bench [ARGS]                speed against C, rayon and Quadrants as tables; ARGS go to the program (--help lists them)
  fuzz [--seconds N]          random kernels, compiled against native; --programs N, --first N, --types,
                              --sim (on simulated GPUs), --coverage, --show; with --guard first, arrays between
                              closed pages; with --races first, the race rule against the race detector and a loop
                              that notes what it touches
  sanitize [TOOL] [--slice]   the runtime's own tests under the tools address, thread, valgrind, or all of them
  lint                        formatting, clippy and documentation, warnings denied
  docs [--check]              write (or compare) the pages of docs/ that come from code
  setup                       find LLVM and what compiles for GPUs and, where that is possible, install it
  llvm-symbols [--check]      write (or compare) qd-runtime/src/llvm/symbols.rs from the llvm-sys in Cargo.lock

demo, test, sim, bench, fuzz and sanitize begin with setup.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match arguments.as_slice() {
        ["demo", "--", arguments @ ..] | ["demo", arguments @ ..] => demo::run(arguments),
        ["test", "--", arguments @ ..] | ["test", arguments @ ..] => test::run(arguments),
        ["sim", "--", arguments @ ..] | ["sim", arguments @ ..] => sim::run(arguments),
        ["bench", "--", arguments @ ..] | ["bench", arguments @ ..] => bench::run(arguments),
        ["fuzz", "--", arguments @ ..] | ["fuzz", arguments @ ..] => fuzz::run(arguments),
        ["sanitize", arguments @ ..] => sanitize::run(arguments),
        ["lint"] => lint::run(),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["setup"] => setup::llvm().and_then(|()| setup::gpu().map(|_| ())),
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
            if error.is::<setup::NotReady>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}
