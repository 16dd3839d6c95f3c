//! What a launch did: one record a task, and their sums.
//!
//! Plain values that the launcher fills in and users read; nothing here looks at a cache or a clock.
use std::fmt;
use std::time::Duration;

use crate::key::{Part, TaskKey};

/// What the most recent compile of a kernel instance in a runtime did.
///
/// The three `tasks_*` counts are -1 when [`offline_cache`](crate::config::Config::offline_cache) is off: the tier did
/// not run. Otherwise `tasks_cache_hit + tasks_recompiled == tasks_total`, also where the cache is on but could not be
/// used ([`cache_troubles`](Self::cache_troubles) then says why). Before the first launch they are 0 (or -1). A
/// relaunch that compiles nothing leaves everything as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Observations {
    /// How many constructs (parallel loops and serial stretches) the kernel's source has.
    pub frontend_constructs_total: i64,
    /// How many tasks the kernel became, or -1.
    pub tasks_total: i64,
    /// How many of them needed no compilation, or -1.
    pub tasks_cache_hit: i64,
    /// How many of them were compiled, or -1.
    pub tasks_recompiled: i64,
    /// One record a task, in source order; empty before the first launch, filled also when the cache is off.
    pub tasks: Vec<TaskObservation>,
    /// What of the cache could not be used, and why; empty when all is well.
    pub cache_troubles: Vec<String>,
}

impl Observations {
    /// What is known before the first launch.
    pub fn before_first_launch(constructs: usize, cache_on: bool) -> Self {
        Observations::of_compile(constructs, cache_on, Vec::new(), Vec::new())
    }

    /// What a compile did. `cache_on` is the option, not whether the cache could be used.
    pub fn of_compile(
        constructs: usize,
        cache_on: bool,
        tasks: Vec<TaskObservation>,
        cache_troubles: Vec<String>,
    ) -> Self {
        let hits = tasks.iter().filter(|task| task.outcome.is_hit()).count();
        // A kernel has far fewer than 2^63 tasks.
        let count = |n: usize| if cache_on { n as i64 } else { -1 };
        Observations {
            frontend_constructs_total: constructs as i64,
            tasks_total: count(tasks.len()),
            tasks_cache_hit: count(hits),
            tasks_recompiled: count(tasks.len() - hits),
            tasks,
            cache_troubles,
        }
    }
}

/// What became of one task.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskObservation {
    /// The task's place in its kernel.
    pub index: usize,
    /// The name of its code.
    pub key: TaskKey,
    /// Where its code came from.
    pub outcome: Outcome,
    /// Why it had to be compiled; `None` for a hit.
    pub miss: Option<Miss>,
    /// How long compiling took; `None` for a hit.
    pub compile: Option<CompileTime>,
    /// How long it took to make the code callable.
    pub load: Duration,
    /// The size of the code, as stored.
    pub bytes: usize,
    /// `file:line:column` of the construct.
    pub source: String,
}

impl TaskObservation {
    /// A record for a task whose code came from `outcome`; the other fields are filled in as they become known.
    pub fn new(index: usize, key: TaskKey, outcome: Outcome, source: impl Into<String>) -> Self {
        TaskObservation {
            index,
            key,
            outcome,
            miss: None,
            compile: None,
            load: Duration::ZERO,
            bytes: 0,
            source: source.into(),
        }
    }
}

/// How the time of one compile divides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CompileTime {
    /// From task IR to LLVM IR.
    pub lower: Duration,
    /// LLVM's passes.
    pub passes: Duration,
    /// From LLVM IR to machine code.
    pub emit: Duration,
}

impl CompileTime {
    /// The three durations of one compile.
    pub fn new(lower: Duration, passes: Duration, emit: Duration) -> Self {
        CompileTime { lower, passes, emit }
    }

    /// All of it.
    pub fn total(&self) -> Duration {
        self.lower + self.passes + self.emit
    }
}

/// Where a task's code came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Outcome {
    /// This runtime had it.
    Memory,
    /// The cache directory had it.
    Disk,
    /// A read-only seed directory had it.
    Seed,
    /// A remote cache had it.
    Remote,
    /// An earlier task of the same kernel has the same key.
    Shared,
    /// Another thread was compiling it; this launch waited for it.
    Joined,
    /// It was compiled.
    Compiled,
}

impl Outcome {
    /// Whether this launch was spared a compile.
    pub fn is_hit(self) -> bool {
        match self {
            Outcome::Memory | Outcome::Disk | Outcome::Seed | Outcome::Remote | Outcome::Shared | Outcome::Joined => {
                true
            }
            Outcome::Compiled => false,
        }
    }

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Memory => "memory",
            Outcome::Disk => "disk",
            Outcome::Seed => "seed",
            Outcome::Remote => "remote",
            Outcome::Shared => "shared",
            Outcome::Joined => "joined",
            Outcome::Compiled => "compiled",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a task had to be compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Miss {
    /// The cache is switched off.
    CacheOff,
    /// No level has this key.
    Absent {
        /// The parts of the key that differ from the code this task had before, where that is known.
        differs: Vec<Part>,
    },
    /// An entry was found and can't be right; the text names the check that failed.
    Damaged(String),
    /// An entry may exist and can't be read.
    Unreadable(String),
    /// An entry was found and the loader would not have it.
    LoadRefused(String),
}

impl fmt::Display for Miss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Miss::CacheOff => f.write_str("cache off"),
            Miss::Absent { differs } if differs.is_empty() => f.write_str("no entry"),
            Miss::Absent { differs } => {
                let names: Vec<_> = differs.iter().map(|part| part.name()).collect();
                write!(f, "no entry; changed: {}", names.join(", "))
            }
            Miss::Damaged(check) => write!(f, "damaged entry: {check}"),
            Miss::Unreadable(reason) => write!(f, "unreadable entry: {reason}"),
            Miss::LoadRefused(reason) => write!(f, "loader refused the entry: {reason}"),
        }
    }
}

impl fmt::Display for Observations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count: i64| if count == 1 { "" } else { "s" };
        write!(f, "{0} construct{1}", self.frontend_constructs_total, s(self.frontend_constructs_total))?;
        if self.tasks_total < 0 {
            writeln!(f, ", cache off")?;
        } else {
            let (total, hit, recompiled) = (self.tasks_total, self.tasks_cache_hit, self.tasks_recompiled);
            writeln!(f, ", {total} task{}: {hit} from the cache, {recompiled} compiled", s(total))?;
        }
        if !self.tasks.is_empty() {
            write_table(f, &self.tasks)?;
        }
        self.cache_troubles.iter().try_for_each(|trouble| writeln!(f, "cache: {trouble}"))
    }
}

const COLUMNS: usize = 7;

fn write_table(f: &mut fmt::Formatter<'_>, tasks: &[TaskObservation]) -> fmt::Result {
    let titles = ["task", "outcome", "compile ms", "load ms", "bytes", "source", "why"].map(str::to_owned);
    let rows: Vec<[String; COLUMNS]> = std::iter::once(titles).chain(tasks.iter().map(cells)).collect();
    let widths: [usize; COLUMNS] =
        std::array::from_fn(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            // Numbers to the right, words to the left.
            let padded = match column {
                0 | 2 | 3 | 4 => format!("{cell:>width$}"),
                _ => format!("{cell:<width$}"),
            };
            line.push_str("  ");
            line.push_str(&padded);
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

fn cells(task: &TaskObservation) -> [String; COLUMNS] {
    let ms = |time: Duration| format!("{:.2}", time.as_secs_f64() * 1e3);
    [
        task.index.to_string(),
        task.outcome.to_string(),
        task.compile.map_or_else(|| "-".to_owned(), |time| ms(time.total())),
        ms(task.load),
        task.bytes.to_string(),
        task.source.clone(),
        task.miss.as_ref().map_or_else(String::new, Miss::to_string),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytemuck::Zeroable;

    fn tasks() -> Vec<TaskObservation> {
        let hit =
            TaskObservation { bytes: 1312, ..TaskObservation::new(0, TaskKey::zeroed(), Outcome::Disk, "a.rs:3:5") };
        let compiled = TaskObservation {
            miss: Some(Miss::Absent { differs: vec![Part::Ir, Part::Target] }),
            compile: Some(CompileTime::new(
                Duration::from_millis(1),
                Duration::from_millis(5),
                Duration::from_micros(4500),
            )),
            ..TaskObservation::new(1, TaskKey::zeroed(), Outcome::Compiled, "a.rs:10:5")
        };
        vec![hit, compiled]
    }

    #[test]
    fn the_counts_follow_the_tasks_or_are_minus_one() {
        let counts = |observations: Observations| {
            let Observations { frontend_constructs_total, tasks_total, tasks_cache_hit, tasks_recompiled, .. } =
                observations;
            [frontend_constructs_total, tasks_total, tasks_cache_hit, tasks_recompiled]
        };
        assert_eq!(counts(Observations::of_compile(2, true, tasks(), vec![])), [2, 2, 1, 1]);
        assert_eq!(counts(Observations::of_compile(2, false, tasks(), vec![])), [2, -1, -1, -1]);
        assert_eq!(counts(Observations::before_first_launch(2, true)), [2, 0, 0, 0]);
        assert_eq!(counts(Observations::before_first_launch(2, false)), [2, -1, -1, -1]);
    }

    #[test]
    fn the_table_is_aligned() {
        let shown = Observations::of_compile(2, true, tasks(), vec!["writing x: no space".to_owned()]).to_string();
        let wanted = "\
2 constructs, 2 tasks: 1 from the cache, 1 compiled
  task  outcome   compile ms  load ms  bytes  source     why
     0  disk               -     0.00   1312  a.rs:3:5
     1  compiled       10.50     0.00      0  a.rs:10:5  no entry; changed: ir, target
cache: writing x: no space
";
        assert_eq!(shown, wanted);
    }
}
