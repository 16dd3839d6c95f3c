//! `cargo xtask fuzz --guard` and `--races`: random indices and bounds, judged by what can't be argued with.
//!
//! *Guard*: arrays lie against pages that can't be touched, so an access out of bounds ends the process; programs end as
//! natively, or with the same words. *Races*: what the ownership analysis accepts, at compile time or by its launch
//! predicate, a loop that notes its accesses and the race detector find free of conflicts, and these two agree on everything.
mod fence;
mod index;
mod race;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::batch::{Outcome, Workshop};
use crate::process::{Result, workspace};
use crate::setup;

/// Programs of a run that isn't told how many.
const SLICE: u64 = 500;
/// Programs built at a time.
const BATCH: u64 = 64;
/// How accesses that may race are refused: by the macro, and through rustc where a cast loses what keeps them apart.
const MAY_RACE: [&str; 2] = ["[QD0026]", "can map two iterations to one element"];

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Guard,
    Races,
}

impl Kind {
    fn module(self, number: u64) -> String {
        match self {
            Kind::Guard => fence::module(number),
            Kind::Races => race::module(number, true),
        }
    }
}

/// Runs the programs from number `--first` on: `--programs` of them, or for `--seconds`.
pub(super) fn run(kind: Kind, arguments: &[&str]) -> Result {
    let (mut first, mut programs, mut seconds, mut show) = (0, None, None, false);
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
        println!("{}", kind.module(first));
        return Ok(());
    }
    setup::llvm()?;
    let until = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let last = first + programs.unwrap_or(if until.is_some() { u64::MAX / 2 } else { SLICE });
    let name = format!("{kind:?}").to_lowercase();
    let libc = "libc = \"0.2\"\n";
    let workshop = Workshop::with(&workspace().join("target/fuzz").join(&name), "", libc, include_str!("support.rs"))?;
    let (mut at, mut found, mut refused) = (first, 0, 0);
    while at < last && until.is_none_or(|until| Instant::now() < until) {
        let end = last.min(at + BATCH);
        for (number, outcome) in batch(&workshop, kind, at..end, &mut refused)? {
            if outcome != Outcome::Agrees {
                found += 1;
                println!("program {number}: {outcome:?}");
            }
        }
        at = end;
        println!(
            "fuzz: {} programs with {name}, {refused} of them refused as they may race, {found} found",
            at - first
        );
    }
    if found == 0 { Ok(()) } else { Err(format!("fuzz: {found} of {} programs with {name}", at - first).into()) }
}

/// What became of some programs. Of those that the analysis refuses the rest is tried.
fn batch(
    workshop: &Workshop,
    kind: Kind,
    numbers: std::ops::Range<u64>,
    refused: &mut u64,
) -> Result<BTreeMap<u64, Outcome>> {
    let modules: Vec<String> = numbers.clone().map(|number| kind.module(number)).collect();
    let mut outcomes: BTreeMap<u64, Outcome> = numbers.zip(workshop.run_modules(&modules)?).collect();
    if kind == Kind::Races {
        let may_race = |outcome: &Outcome| match outcome {
            Outcome::Refused(message) => MAY_RACE.iter().any(|words| message.contains(words)),
            Outcome::Agrees | Outcome::Differs(_) => false,
        };
        let again: Vec<u64> =
            outcomes.iter().filter(|(_, outcome)| may_race(outcome)).map(|(number, _)| *number).collect();
        *refused += again.len() as u64;
        let modules: Vec<String> = again.iter().map(|number| race::module(*number, false)).collect();
        outcomes.extend(again.into_iter().zip(workshop.run_modules(&modules)?));
    }
    Ok(outcomes)
}
