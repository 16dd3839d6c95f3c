//! `cargo xtask fuzz`: random kernels, compiled and native, until they disagree.
//!
//! Programs have numbers; the same number gives the same program. They are built in batches as a crate of their own in
//! `target/fuzz`. What disagrees, and what is refused though it is meant to be accepted, is made as small as cutting
//! gets it and left in `target/fuzz/found`, to become a test.
mod batch;
mod generate;
mod program;
mod shrink;

use std::fs;
use std::time::{Duration, Instant};

use batch::{Outcome, Workshop};
use program::Program;

use crate::process::{Result, workspace};
use crate::setup;

/// Programs of a run that isn't told how many.
const SLICE: u64 = 500;
/// Programs built at a time.
const BATCH: u64 = 64;
/// How long a find is made smaller.
const SHRINKING: Duration = Duration::from_secs(180);
/// Finds after which to stop.
const ENOUGH: usize = 5;

/// Runs the programs from number `first` on: `programs` of them, or for a time.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let (mut first, mut programs, mut seconds, mut show) = (0u64, None, None, false);
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut number = || -> Result<u64> {
            let text = arguments.next().ok_or_else(|| format!("{argument} needs a number"))?;
            Ok(text.parse().map_err(|error| format!("{argument} {text}: {error}"))?)
        };
        match *argument {
            "--first" => first = number()?,
            "--programs" => programs = Some(number()?),
            "--seconds" => seconds = Some(number()?),
            "--show" => show = true,
            _ => {
                return Err(
                    format!("{argument} is no option; there are --first N, --programs N, --seconds N, --show").into()
                );
            }
        }
    }
    if show {
        println!("{}", generate::program(first).module());
        return Ok(());
    }
    setup::llvm()?;
    let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let last = first + programs.unwrap_or(if until.is_some() { u64::MAX / 2 } else { SLICE });
    let root = workspace().join("target/fuzz");
    let workshop = Workshop::new(&root.join("crate"))?;
    let (mut at, mut found) = (first, 0);
    while at < last && until.is_none_or(|until| Instant::now() < until) && found < ENOUGH {
        let end = last.min(at + BATCH);
        let batch: Vec<Program> = (at..end).map(generate::program).collect();
        for ((number, program), outcome) in (at..end).zip(&batch).zip(workshop.run(&batch)?) {
            if outcome == Outcome::Agrees {
                continue;
            }
            found += 1;
            println!("program {number}: {outcome:?}");
            let (small, outcome) = smaller(&workshop, program.clone(), outcome)?;
            fs::create_dir_all(root.join("found"))?;
            let file = root.join(format!("found/{number}.rs"));
            fs::write(&file, format!("// {outcome:?}\n{}", small.module()))?;
            println!("{outcome:?}\n{}\nkept as {}", small.kernel(), file.display());
            if found == ENOUGH {
                break;
            }
        }
        at = end;
        println!("fuzz: {} programs, {found} found", at - first);
    }
    if found == 0 { Ok(()) } else { Err(format!("fuzz: {found} of {} programs", at - first).into()) }
}

/// The smallest program that cutting leads to and that still has an outcome of that kind.
fn smaller(workshop: &Workshop, program: Program, outcome: Outcome) -> Result<(Program, Outcome)> {
    let (mut program, mut outcome) = (program, outcome);
    let until = Instant::now() + SHRINKING;
    'smaller: loop {
        let candidates = shrink::candidates(&program);
        for some in candidates.chunks(BATCH as usize) {
            if Instant::now() > until {
                break 'smaller;
            }
            let outcomes = workshop.run(some)?;
            let still = some.iter().zip(outcomes).filter(|(_, found)| same_kind(found, &outcome));
            if let Some((smallest, found)) = still.min_by_key(|(candidate, _)| candidate.kernel().len()) {
                (program, outcome) = (smallest.clone(), found);
                continue 'smaller;
            }
        }
        break;
    }
    Ok((program, outcome))
}

/// True if a cut has kept what was found, and not made another mistake.
fn same_kind(found: &Outcome, wanted: &Outcome) -> bool {
    match (found, wanted) {
        (Outcome::Differs(_), Outcome::Differs(_)) => true,
        // A code of ours: rustc's own refusals come from the cut.
        (Outcome::Refused(found), Outcome::Refused(wanted)) => code(found) == code(wanted),
        (Outcome::Agrees | Outcome::Refused(_) | Outcome::Differs(_), _) => false,
    }
}

/// The code in a message, ours or rustc's.
fn code(message: &str) -> Option<&str> {
    let start = message.find("QD").or_else(|| message.find("E0"))?;
    message.get(start..start + 6)
}
