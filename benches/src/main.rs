//! The speed of qd as ratios against peers, measured in turns on one machine in one run. Prints Markdown tables.
//!
//! `safety` alone has no peers: it compares kernels with their checks and without.
//!
//! Not a test and never a gate: what it prints is read by people. `cargo xtask bench` runs it.
#![recursion_limit = "1024"] // the kernels of `both`, token by token

mod both;
mod compile;
mod kernels;
mod launch;
#[rustfmt::skip] // written by `program`
mod loops;
mod machine;
mod measure;
mod native;
mod program;
mod safety;
mod steady;
mod threads;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use machine::Usage;
use measure::Effort;
use native::{Compiler, Native};

/// What can go wrong here goes to the person at the terminal as it is.
type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

const USAGE: &str = "usage: qd-benches [steady|launch|compile|safety]... [OPTIONS]

Without a group, all of them.

options:
  --rounds N     rounds in which all systems take turns (default 11)
  --threads N    threads of every system (default 2)
  --processes N  processes of `safety`, one after the other, each with all rounds (default 5)
  --case TEXT    only cases of `steady` and `safety` whose names hold TEXT; may be repeated

QD_PEERS_PYTHON names a Python with `quadrants`, which is then among the peers of `compile`.";

struct Options {
    groups: Vec<String>,
    rounds: usize,
    threads: usize,
    processes: usize,
    cases: Vec<String>,
}

fn options(arguments: impl Iterator<Item = String>) -> Outcome<Options> {
    let mut options = Options { groups: Vec::new(), rounds: 11, threads: 2, processes: 5, cases: Vec::new() };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value\n\n{USAGE}"));
        match argument.as_str() {
            "steady" | "launch" | "compile" | "safety" => options.groups.push(argument),
            "--rounds" => options.rounds = value()?.parse::<usize>()?.max(1),
            "--threads" => options.threads = value()?.parse::<usize>()?.max(1),
            "--processes" => options.processes = value()?.parse::<usize>()?.max(1),
            "--case" => options.cases.push(value()?),
            _ => return Err(format!("{argument} is no option\n\n{USAGE}").into()),
        }
    }
    if options.groups.is_empty() {
        options.groups = ["steady", "launch", "compile", "safety"].map(str::to_owned).to_vec();
    }
    Ok(options)
}

fn run() -> Outcome {
    let mut arguments = std::env::args().skip(1).peekable();
    match arguments.peek().map(String::as_str) {
        Some(compile::CHILD) => return compile::child(arguments.skip(1)),
        Some(safety::CHILD) => return safety::child(arguments.skip(1)),
        Some(_) | None => {}
    }
    let options = options(arguments)?;
    let scratch = tempfile::tempdir()?;
    let compilers = Compiler::all(scratch.path());
    println!("{}", machine::describe(options.threads, &compilers));
    let natives = open(&compilers, scratch.path(), options.threads)?;
    for group in &options.groups {
        let usage = Usage::now();
        match group.as_str() {
            "steady" => {
                println!("\n### Throughput\n");
                let effort = Effort { rounds: options.rounds, turn: Duration::from_millis(60), warm_up: 0.25 };
                steady::run(&natives, &options.cases, effort)?;
            }
            "safety" => {
                println!("\n### Cost of the checks\n");
                safety::run(&options.cases, options.rounds, options.processes, options.threads)?;
            }
            "launch" => {
                let rounds = options.rounds;
                println!("\n### Launches in a stream\n");
                launch::run(&natives, Effort { rounds, turn: Duration::from_millis(80), warm_up: 0.5 })?;
                println!("\n### Launches in bursts of 10 ms after a pause\n");
                launch::run(&natives, Effort { rounds, turn: Duration::from_millis(10), warm_up: 0.0 })?;
            }
            _ => {
                println!("\n### Compiling\n");
                compile::run(&compilers, scratch.path(), options.rounds, options.threads)?;
            }
        }
        if let Some(others) = usage.and_then(Usage::others) {
            println!("\nOther processes used {:.0} % of the CPUs meanwhile.", 100.0 * others);
        }
    }
    Ok(())
}

/// The peers in C, and qd and rayon with as many threads.
fn open(compilers: &[Compiler], scratch: &Path, threads: usize) -> Outcome<Vec<&'static Native>> {
    qd::init(qd::Config::new(qd::Arch::Cpu).offline_cache_file_path(scratch.join("cache")).num_threads(threads))?;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    compilers.iter().map(|compiler| Native::open(compiler.clone(), scratch, threads)).collect()
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
