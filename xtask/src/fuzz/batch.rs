//! Programs built and run together, as a crate with a module for each.
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::program::Program;
use crate::process::{Result, workspace};

/// How long the programs of a batch may run after the last one began, on a machine that may be busy.
const PATIENCE: Duration = Duration::from_secs(600);

/// What became of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Compiled and native agree.
    Agrees,
    /// It doesn't build: the first message.
    Refused(String),
    /// Compiled and native disagree, or the process died.
    Differs(String),
}

/// A folder in which batches are built.
pub(super) struct Workshop {
    root: PathBuf,
    /// The crate's name. Workshops share what they depend on, and to cargo crates of one name there would be the same one.
    name: String,
}

impl Workshop {
    /// Makes the folder: a crate that depends on `qd`. With `types` each launch compares the type of every expression with
    /// rustc's.
    pub fn new(root: &Path, types: bool) -> Result<Self> {
        let features = if types { ", features = [\"tap-all\"]" } else { "" };
        Workshop::on(root, features, "", include_str!("engines.rs"))
    }

    /// Makes the folder: a crate whose kernels run on simulated GPUs.
    pub fn simulated(root: &Path) -> Result<Self> {
        let simulation = format!("qd-sim = {{ path = {:?} }}\n", workspace().join("qd-sim"));
        // A lane calls it at each access to memory.
        let optimised = "[profile.dev.package.qd-sim]\nopt-level = 3\n";
        Workshop::on(root, "", &format!("{simulation}\n{optimised}"), include_str!("simulated.rs"))
    }

    fn on(root: &Path, features: &str, dependencies: &str, engines: &str) -> Result<Self> {
        let workshop = Workshop::with(root, features, dependencies, include_str!("support.rs"))?;
        fs::create_dir_all(root.join("src/support"))?;
        fs::write(root.join("src/support/engines.rs"), engines)?;
        Ok(workshop)
    }

    /// Makes the folder: a crate with those features of `qd`, further dependencies, and that support.
    pub fn with(root: &Path, features: &str, dependencies: &str, support: &str) -> Result<Self> {
        fs::create_dir_all(root.join("src"))?;
        let name = format!("qd-fuzz-{}", root.file_name().unwrap_or_default().to_string_lossy());
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\nqd = {{ path = {:?}{features} }}\n{dependencies}\n\
             # Rust's arithmetic as in release builds, which is qd's.\n\
             [profile.dev]\ndebug = false\noverflow-checks = false\nincremental = false\n\n[workspace]\n",
            workspace(),
        );
        fs::write(root.join("Cargo.toml"), manifest)?;
        fs::copy(workspace().join("Cargo.lock"), root.join("Cargo.lock"))?;
        fs::write(root.join("src/support.rs"), support)?;
        Ok(Workshop { root: root.to_owned(), name })
    }

    /// Builds and runs the programs.
    pub fn run(&self, programs: &[Program]) -> Result<Vec<Outcome>> {
        self.run_modules(&programs.iter().map(Program::module).collect::<Vec<_>>())
    }

    /// Builds and runs modules, each with its `check`.
    pub fn run_modules(&self, programs: &[String]) -> Result<Vec<Outcome>> {
        let mut outcomes: BTreeMap<usize, Outcome> = BTreeMap::new();
        for (k, program) in programs.iter().enumerate() {
            fs::write(self.root.join(format!("src/p{k}.rs")), program)?;
        }
        // Without those that rustc refuses, until the rest builds.
        loop {
            let left: Vec<usize> = (0..programs.len()).filter(|k| !outcomes.contains_key(k)).collect();
            if left.is_empty() {
                break;
            }
            fs::write(self.root.join("src/main.rs"), main(&left))?;
            let refused = self.build()?;
            if refused.is_empty() {
                self.execute(&left, &mut outcomes)?;
                break;
            }
            outcomes.extend(refused.into_iter().map(|(k, message)| (k, Outcome::Refused(message))));
        }
        Ok(outcomes.into_values().collect())
    }

    /// The programs that rustc refuses, with its first message about each.
    fn build(&self) -> Result<BTreeMap<usize, String>> {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        let target = workspace().join("target/fuzz");
        cargo.args(["build", "--quiet", "--message-format=short", "--target-dir"]).arg(&target);
        let output = cargo.current_dir(&self.root).output()?;
        if output.status.success() {
            return Ok(BTreeMap::new());
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let mut refused = BTreeMap::new();
        for line in text.lines() {
            let number = line.strip_prefix("src/p").and_then(|rest| rest.split_once(".rs:"));
            if let Some((Ok(number), message)) = number.map(|(number, message)| (number.parse(), message)) {
                refused.entry(number).or_insert_with(|| message.to_owned());
            }
        }
        if refused.is_empty() { Err(format!("the programs can't be built:\n{text}").into()) } else { Ok(refused) }
    }

    /// Runs what was built, half of it beside the other half.
    fn execute(&self, left: &[usize], outcomes: &mut BTreeMap<usize, Outcome>) -> Result {
        let cache = self.root.join("cache");
        if cache.exists() {
            fs::remove_dir_all(&cache)?;
        }
        let (first, second) = left.split_at(left.len() / 2);
        let found = std::thread::scope(|scope| {
            let second = scope.spawn(|| self.execute_some(second, "log.1").map_err(|error| error.to_string()));
            let first = self.execute_some(first, "log.0");
            // A panic there is one here.
            (first, second.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        });
        outcomes.extend(found.0?);
        outcomes.extend(found.1?);
        Ok(())
    }

    /// Runs those programs. One that ends the process is found by what was printed before.
    fn execute_some(&self, left: &[usize], log: &str) -> Result<BTreeMap<usize, Outcome>> {
        let (log, mut outcomes) = (self.root.join(log), BTreeMap::new());
        while let Some(&first) = left.iter().find(|k| !outcomes.contains_key(*k)) {
            let last = left.last().unwrap_or(&first);
            let mut child = Command::new(workspace().join("target/fuzz/debug").join(&self.name))
                .arg(format!("{first}..={last}"))
                .arg(&log)
                .arg(self.root.join("cache"))
                .stdout(fs::File::create(&log)?)
                .stderr(Stdio::null())
                .spawn()?;
            let ended = wait(&mut child, &log)?;
            let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
            let mut begun = None;
            for line in text.lines() {
                let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
                match (word, rest.split_once(' ').unwrap_or((rest, ""))) {
                    ("begin", (number, _)) => begun = Some(number.parse()?),
                    ("agrees", (number, _)) => drop(outcomes.insert(number.parse()?, Outcome::Agrees)),
                    ("differs", (number, what)) => {
                        drop(outcomes.insert(number.parse()?, Outcome::Differs(what.to_owned())));
                    }
                    // What the programs print.
                    _ => {}
                }
            }
            match begun {
                Some(number) => drop(outcomes.entry(number).or_insert(Outcome::Differs(ended))),
                None => return Err(format!("the programs don't start: {ended}").into()),
            }
        }
        Ok(outcomes)
    }
}

/// Waits for the programs as long as they write; says how they ended.
fn wait(child: &mut Child, log: &Path) -> Result<String> {
    let (mut printed, mut since) = (0, Instant::now());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.to_string());
        }
        let len = fs::metadata(log)?.len();
        if len != printed {
            (printed, since) = (len, Instant::now());
        }
        if since.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok(format!("no end after {} s", PATIENCE.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The main file over those programs.
fn main(programs: &[usize]) -> String {
    let mut text = String::from(
        "#![allow(warnings, arithmetic_overflow, overflowing_literals, unconditional_panic, unconditional_recursion)]\n\
         #![recursion_limit = \"512\"]\nmod support;\n",
    );
    let (mut modules, mut rows) = (String::new(), String::new());
    for k in programs {
        // Writing to a string can't fail.
        let _ = writeln!(modules, "mod p{k};");
        let _ = writeln!(rows, "({k}, p{k}::check),");
    }
    let _ = write!(
        text,
        "{modules}
const PROGRAMS: &[(usize, fn() -> Result<(), String>)] = &[\n{rows}];

fn main() {{
    let range = std::env::args().nth(1).unwrap_or_default();
    let range = range.split_once(\"..=\").and_then(|(first, last)| Some(first.parse().ok()?..=last.parse().ok()?));
    let range = range.unwrap_or(0..=usize::MAX);
    for (number, check) in PROGRAMS.iter().filter(|(number, _)| range.contains(number)) {{
        println!(\"begin {{number}}\");
        match check() {{
            Ok(()) => println!(\"agrees {{number}}\"),
            Err(what) => println!(\"differs {{number}} {{}}\", what.replace('\\n', \" \")),
        }}
    }}
}}
"
    );
    text
}
