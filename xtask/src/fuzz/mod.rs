//! `cargo xtask fuzz`: random kernels, compiled and native, until they disagree.
//!
//! Programs have numbers; the same number gives the same program. They are built in batches as a crate of their own in
//! `target/fuzz`. What disagrees, and what is refused though it is meant to be accepted, is made as small as cutting
//! gets it; what is found is left in `target/fuzz/found`, to become a test.
//! With `--sim` they run on simulated GPUs. `--guard` and `--races` are other programs: see [`guard`].
mod batch;
mod form;
mod generate;
mod guard;
mod program;
mod shrink;
mod ty;

use std::fs;
use std::time::{Duration, Instant};

use batch::{Outcome, Workshop};
use form::Coverage;
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

/// What to run, and how.
struct Options {
    first: u64,
    programs: Option<u64>,
    seconds: Option<u64>,
    /// Compare the type of every expression with rustc's, too.
    types: bool,
    /// Run on simulated GPUs, programs of exact operations only.
    simulated: bool,
    /// Make what is found smaller.
    shrink: bool,
    /// Print how often each form was made.
    coverage: bool,
    /// Print a program, and do nothing else.
    show: bool,
}

impl Options {
    fn parse(arguments: &[&str]) -> Result<Self> {
        let mut options = Options {
            first: 0,
            programs: None,
            seconds: None,
            types: false,
            simulated: false,
            shrink: true,
            coverage: false,
            show: false,
        };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut number = || -> Result<u64> {
                let text = arguments.next().ok_or_else(|| format!("{argument} needs a number"))?;
                Ok(text.parse().map_err(|error| format!("{argument} {text}: {error}"))?)
            };
            match *argument {
                "--first" => options.first = number()?,
                "--programs" => options.programs = Some(number()?),
                "--seconds" => options.seconds = Some(number()?),
                "--types" => options.types = true,
                "--sim" => options.simulated = true,
                "--no-shrink" => options.shrink = false,
                "--coverage" => options.coverage = true,
                "--show" => options.show = true,
                _ => {
                    let known = "--first N, --programs N, --seconds N, --types, --sim, --no-shrink, --coverage, --show";
                    return Err(format!("{argument} is no option; there are {known}").into());
                }
            }
        }
        Ok(options)
    }
}

/// Runs the programs from number `first` on: `programs` of them, or for a time.
pub(crate) fn run(arguments: &[&str]) -> Result {
    match arguments {
        ["--guard", arguments @ ..] => return guard::run(guard::Kind::Guard, arguments),
        ["--races", arguments @ ..] => return guard::run(guard::Kind::Races, arguments),
        _ => {}
    }
    let Options { first, programs, seconds, types, simulated, shrink, coverage, show } = Options::parse(arguments)?;
    let program = if simulated { generate::exact_program } else { generate::program };
    if show {
        println!("{}", program(first).module());
        return Ok(());
    }
    setup::llvm()?;
    let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let last = first + programs.unwrap_or(if until.is_some() { u64::MAX / 2 } else { SLICE });
    let root = workspace().join("target/fuzz");
    let workshop = match (types, simulated) {
        (true, true) => {
            return Err("--types looks at what rustc infers, --sim at what GPU code computes: one at a time".into());
        }
        (false, true) => {
            setup::gpu()?;
            Workshop::simulated(&root.join("sim"))?
        }
        (_, false) => Workshop::new(&root.join(if types { "types" } else { "crate" }), types)?,
    };
    let (mut at, mut found, mut made) = (first, 0, Coverage::default());
    while at < last && until.is_none_or(|until| Instant::now() < until) && (found < ENOUGH || !shrink) {
        let end = last.min(at + BATCH);
        let batch: Vec<Program> = (at..end).map(program).collect();
        batch.iter().for_each(|program| program.count(&mut made));
        for ((number, program), outcome) in (at..end).zip(&batch).zip(workshop.run(&batch)?) {
            if outcome == Outcome::Agrees {
                continue;
            }
            found += 1;
            println!("program {number}: {outcome:?}");
            fs::create_dir_all(root.join("found"))?;
            let file = root.join(format!("found/{number}.rs"));
            let keep = |program: &Program, outcome: &Outcome| {
                fs::write(&file, format!("// {outcome:?}\n{}", program.module()))
            };
            keep(program, &outcome)?;
            if !shrink {
                continue;
            }
            let (small, outcome) = smaller(&workshop, program.clone(), outcome)?;
            keep(&small, &outcome)?;
            println!("{outcome:?}\n{}\nkept as {}", small.source(), file.display());
            if found == ENOUGH {
                break;
            }
        }
        at = end;
        println!("fuzz: {} programs, {found} found", at - first);
    }
    if coverage {
        print!("{made}");
    }
    println!("fuzz: {} forms and operations", made.len());
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
            if let Some((smallest, found)) = still.min_by_key(|(candidate, _)| candidate.source().len()) {
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

#[cfg(test)]
mod tests {
    use super::{Coverage, SLICE, generate};

    #[test]
    fn each_form_is_in_the_first_programs() {
        let mut made = Coverage::default();
        (0..SLICE).for_each(|number| generate::program(number).count(&mut made));
        let missing: Vec<String> = made.missing(generate::is_possible).iter().map(ToString::to_string).collect();
        assert!(missing.is_empty(), "never made: {missing:?}");
    }
}
