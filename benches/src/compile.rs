//! The time until there is code: cold, warm and after an edit, against C compilers and Quadrants.
//!
//! Every figure of qd and of Quadrants is from a fresh process, this program or a Python started anew; for C the time
//! of the compiler counts, with opening and calling what it made.
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use qd::prelude::*;

use crate::measure::{Spread, Times, cell, ratio_cell, span};
use crate::native::Compiler;
use crate::program::{self, Language};
use crate::steady::hashed;
use crate::{Outcome, loops};

/// The first argument of this program where it is to run one kernel once.
pub const CHILD: &str = "child";

/// Elements of the arrays.
const N: usize = 4096;

/// Python takes seconds to start, so it sits out the later rounds.
const PYTHON_ROUNDS: usize = 5;

/// One line of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Row {
    OneLater,
    One,
    Cold,
    Edited,
    Warm,
    WarmProcess,
}

impl Row {
    const ALL: [Row; 6] = [Row::OneLater, Row::One, Row::Cold, Row::Edited, Row::Warm, Row::WarmProcess];

    fn title(self) -> &'static str {
        match self {
            Row::OneLater => "one loop cold, compiler loaded before: first call",
            Row::One => "one loop cold: first call",
            Row::Cold => "32 loops cold: first call",
            Row::Edited => "32 loops, one edited: first call",
            Row::Warm => "32 loops warm: first call",
            Row::WarmProcess => "32 loops warm: process from start to exit",
        }
    }
}

/// The times of one system, row by row.
struct System {
    name: &'static str,
    rows: BTreeMap<Row, Times>,
}

impl System {
    fn new(name: &'static str) -> Self {
        System { name, rows: BTreeMap::new() }
    }

    fn add(&mut self, row: Row, seconds: f64) {
        let new = || Times { name: self.name, seconds: Vec::new() };
        self.rows.entry(row).or_insert_with(new).seconds.push(seconds);
    }
}

/// Measures and prints the tables.
pub fn run(compilers: &[Compiler], scratch: &Path, rounds: usize, threads: usize) -> Outcome {
    let python = Python::find(scratch)?;
    let mut qd = System::new("qd");
    let mut parts: BTreeMap<Row, Vec<Child>> = BTreeMap::new();
    let mut c: Vec<System> = compilers.iter().map(|compiler| System::new(compiler.name)).collect();
    let mut quadrants = System::new("Quadrants");
    for round in 0..rounds {
        let results = qd_round(&mut qd, &mut parts, threads)?;
        for (compiler, system) in compilers.iter().zip(&mut c) {
            c_round(compiler, system, scratch, &results)?;
        }
        if let Some(python) = python.as_ref().filter(|_| round < PYTHON_ROUNDS) {
            python.round(&mut quadrants, threads, &results)?;
        }
    }
    let mut systems = vec![&qd];
    systems.extend(&c);
    systems.extend(python.as_ref().map(|_| &quadrants));
    print_times(&systems);
    print_parts(&parts);
    Ok(())
}

fn print_times(systems: &[&System]) {
    let (qd, peers) = (systems[0], &systems[1..]);
    let names: String = systems.iter().map(|system| format!(" {} |", system.name)).collect();
    let ratios: String = peers.iter().map(|peer| format!(" qd/{} |", peer.name)).collect();
    println!("| what |{names}{ratios}");
    println!("|---|{}", "--:|".repeat(systems.len() + peers.len()));
    for row in Row::ALL {
        let cells: String =
            systems.iter().map(|system| format!(" {} |", system.rows.get(&row).map_or("–".to_owned(), cell))).collect();
        let ratio = |peer: &&System| {
            let ratio = qd.rows.get(&row).zip(peer.rows.get(&row)).map(|(qd, peer)| ratio_cell(qd, peer));
            format!(" {} |", ratio.unwrap_or("–".to_owned()))
        };
        println!("| {} |{cells}{}", row.title(), peers.iter().map(ratio).collect::<String>());
    }
}

fn print_parts(parts: &BTreeMap<Row, Vec<Child>>) {
    println!("\nWhere qd's time goes (medians of sums over tasks; tasks are compiled in parallel):\n");
    println!("| what | tasks compiled | lowering | passes | emission | loading |\n|---|--:|--:|--:|--:|--:|");
    for (row, children) in parts {
        let median = |part: fn(&Child) -> f64| Spread::of(&children.iter().map(part).collect::<Vec<_>>()).median;
        let [lower, passes, emit, load] =
            [median(|c| c.lower), median(|c| c.passes), median(|c| c.emit), median(|c| c.load)].map(span);
        let compiled = median(|c| c.compiled as f64);
        println!("| {} | {compiled} | {lower} | {passes} | {emit} | {load} |", row.title());
    }
}

/// What a process of qd says of its first call.
#[derive(Debug, Clone, Copy)]
struct Child {
    first: f64,
    lower: f64,
    passes: f64,
    emit: f64,
    load: f64,
    compiled: i64,
    digest: u64,
    sum: f64,
    /// From start to exit, seen from outside.
    process: f64,
}

/// What the programs compute, as qd has it.
#[derive(Debug, Clone, Copy)]
struct Results {
    one: Child,
    many: Child,
    edited: Child,
}

/// Every row of qd once.
fn qd_round(qd: &mut System, parts: &mut BTreeMap<Row, Vec<Child>>, threads: usize) -> Outcome<Results> {
    let mut measure = |row: Row, kernel: &str, cache: &Path, compiled: i64| -> Outcome<Child> {
        let child = spawn(kernel, cache, threads)?;
        if child.compiled != compiled {
            return Err(format!("{}: {} tasks were compiled, not {compiled}", row.title(), child.compiled).into());
        }
        qd.add(row, child.first);
        parts.entry(row).or_default().push(child);
        if row == Row::Warm {
            qd.add(Row::WarmProcess, child.process);
        }
        Ok(child)
    };
    let [first, second, third] = [tempfile::tempdir()?, tempfile::tempdir()?, tempfile::tempdir()?];
    measure(Row::OneLater, "one-later", first.path(), 1)?;
    let one = measure(Row::One, "one", second.path(), 1)?;
    let many = measure(Row::Cold, "many", third.path(), 32)?;
    let warm = measure(Row::Warm, "many", third.path(), 0)?;
    let edited = measure(Row::Edited, "edited", third.path(), 1)?;
    if warm.digest != many.digest || edited.digest == many.digest {
        let [cold, warm, edited] = [many, warm, edited].map(|child| child.digest);
        return Err(format!("digests: cold {cold:x}, warm {warm:x}, edited {edited:x}").into());
    }
    Ok(Results { one, many, edited })
}

/// Runs a kernel in a fresh process.
fn spawn(kernel: &str, cache: &Path, threads: usize) -> Outcome<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args([CHILD, kernel]).env("QD_OFFLINE_CACHE_FILE_PATH", cache).env("QD_NUM_THREADS", threads.to_string());
    let start = Instant::now();
    let output = command.stderr(Stdio::inherit()).output()?;
    let process = start.elapsed().as_secs_f64();
    let text = String::from_utf8(output.stdout)?;
    let words: Vec<&str> = text.split_whitespace().collect();
    let [first, lower, passes, emit, load, compiled, digest, sum] = words[..] else {
        return Err(format!("the process of kernel {kernel} ended with {} and said {text:?}", output.status).into());
    };
    Ok(Child {
        first: first.parse()?,
        lower: lower.parse()?,
        passes: passes.parse()?,
        emit: emit.parse()?,
        load: load.parse()?,
        compiled: compiled.parse()?,
        digest: digest.parse()?,
        sum: sum.parse()?,
        process,
    })
}

/// What such a process does: calls the kernel once and prints its times in seconds, and a digest of the result.
pub fn child(mut arguments: impl Iterator<Item = String>) -> Outcome {
    let kernel = arguments.next().ok_or("no kernel named")?;
    let (x, mut y) = inputs();
    let mut first_call = |kernel: &dyn Fn(&[f32], &mut [f32]), observed: &dyn Fn() -> qd::Observations| {
        let start = Instant::now();
        kernel(&x, &mut y);
        (start.elapsed(), observed())
    };
    let (first, observations) = match kernel.as_str() {
        "one-later" => {
            loops::another(&x, &mut vec![0.0; N]);
            first_call(&|x, y| loops::one(x, y), &|| loops::one.observations())
        }
        "one" => first_call(&|x, y| loops::one(x, y), &|| loops::one.observations()),
        "many" => first_call(&|x, y| loops::many(x, y), &|| loops::many.observations()),
        "edited" => first_call(&|x, y| loops::edited(x, y), &|| loops::edited.observations()),
        other => return Err(format!("no kernel {other}").into()),
    };
    let compiles = || observations.tasks.iter().filter_map(|task| task.compile);
    let sum = |part: fn(qd::CompileTime) -> Duration| compiles().map(part).sum::<Duration>().as_secs_f64();
    let load: Duration = observations.tasks.iter().map(|task| task.load).sum();
    let (first, load) = (first.as_secs_f64(), load.as_secs_f64());
    let (lower, passes, emit) = (sum(|time| time.lower), sum(|time| time.passes), sum(|time| time.emit));
    let sum: f64 = y.iter().copied().map(f64::from).sum();
    println!("{first} {lower} {passes} {emit} {load} {} {} {sum}", observations.tasks_recompiled, digest(&y));
    Ok(())
}

/// `x` and `y` before the first call.
fn inputs() -> (Vec<f32>, Vec<f32>) {
    let [x, y] = [1, 2].map(|series| (0..N).map(|i| hashed(i, series)).collect());
    (x, y)
}

fn digest(y: &[f32]) -> u64 {
    y.iter().fold(0, |sum: u64, v| sum.rotate_left(7) ^ u64::from(v.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Every program in C once: compile, open, call.
fn c_round(compiler: &Compiler, system: &mut System, scratch: &Path, results: &Results) -> Outcome {
    let programs: [(&[Row], Range<usize>, bool, u64); 3] = [
        (&[Row::OneLater, Row::One], 40..41, false, results.one.digest),
        (&[Row::Cold], 0..32, false, results.many.digest),
        (&[Row::Edited], 0..32, true, results.edited.digest),
    ];
    for (rows, numbers, edit, expected) in programs {
        let text = program::kernel(Language::C, "loops", numbers, edit);
        let text = format!("#include <math.h>\n#include <stddef.h>\n{text}");
        let (x, mut y) = inputs();
        let start = Instant::now();
        let object = compiler.shared_object(&text, scratch)?;
        // SAFETY: the object is the text above, which has no initialisers, and the runtimes it needs are made for this.
        let library = unsafe { libloading::Library::new(object) }?;
        // SAFETY: `loops` has these parameters, and both arrays have N elements.
        unsafe {
            let call: libloading::Symbol<unsafe extern "C" fn(*const f32, *mut f32, usize)> = library.get("loops")?;
            call(x.as_ptr(), y.as_mut_ptr(), N);
        }
        let seconds = start.elapsed().as_secs_f64();
        std::mem::forget(library); // threads of its OpenMP runtime may be running its code
        std::thread::sleep(compiler.settle);
        rows.iter().for_each(|row| system.add(*row, seconds));
        if digest(&y) != expected {
            return Err(format!("{}: {rows:?} gives other bits than qd", compiler.name).into());
        }
    }
    Ok(())
}

/// A Python that has Quadrants, with the programs written for it.
struct Python {
    program: OsString,
    scripts: tempfile::TempDir,
}

impl Python {
    fn find(scratch: &Path) -> Outcome<Option<Python>> {
        let Some(program) = std::env::var_os("QD_PEERS_PYTHON") else {
            eprintln!("Quadrants: not among the peers: QD_PEERS_PYTHON names no Python that has it");
            return Ok(None);
        };
        let version = ["-c", "import quadrants; print(*quadrants.__version__, sep='.')"];
        let output = Command::new(&program).args(version).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: no Quadrants: {}", program.display(), said.trim()).into());
        }
        // Quadrants greets on standard output before the script gets a word in.
        let version = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
        println!("Quadrants {version}, kernels with `fastcache=True`, ndarrays, its default fast-math.\n");
        let scripts = tempfile::tempdir_in(scratch)?;
        for (name, numbers, edit) in [("one", 40..41, false), ("many", 0..32, false), ("edited", 0..32, true)] {
            let kernel = program::kernel(Language::Python, "loops", numbers, edit);
            let text = format!("import quadrants as qd\n\n\n@qd.kernel(fastcache=True)\n{kernel}");
            std::fs::write(scripts.path().join(format!("{name}.py")), text)?;
        }
        let (x, y) = inputs();
        for (name, values) in [("x", x), ("y", y)] {
            let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
            std::fs::write(scripts.path().join(name), bytes)?;
        }
        std::fs::write(scripts.path().join("child.py"), CHILD_PY)?;
        Ok(Some(Python { program, scripts }))
    }

    fn round(&self, system: &mut System, threads: usize, results: &Results) -> Outcome {
        let [first, second] = [tempfile::tempdir()?, tempfile::tempdir()?];
        let (one, _) = self.call("one", first.path(), threads, results.one)?;
        system.add(Row::One, one);
        let (cold, _) = self.call("many", second.path(), threads, results.many)?;
        system.add(Row::Cold, cold);
        let (warm, process) = self.call("many", second.path(), threads, results.many)?;
        system.add(Row::Warm, warm);
        system.add(Row::WarmProcess, process);
        let (edited, _) = self.call("edited", second.path(), threads, results.edited)?;
        system.add(Row::Edited, edited);
        Ok(())
    }

    /// Seconds of the first call, and of the process. Fast-math gives other bits, so sums are compared.
    fn call(&self, name: &str, cache: &Path, threads: usize, qd: Child) -> Outcome<(f64, f64)> {
        let mut command = Command::new(&self.program);
        command.arg(self.scripts.path().join("child.py")).arg(name).arg(cache).arg(threads.to_string());
        let start = Instant::now();
        let output = command.stderr(Stdio::inherit()).output()?;
        let process = start.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let words: Vec<&str> = text.lines().last().unwrap_or_default().split(' ').collect();
        let [first, sum] = words[..] else {
            return Err(format!("Quadrants, {name}: ended with {} and said {text:?}", output.status).into());
        };
        let sum: f64 = sum.parse()?;
        if (sum - qd.sum).abs() > 1e-3 * qd.sum.abs() {
            return Err(format!("Quadrants, {name}: the elements add up to {sum}, in qd to {}", qd.sum).into());
        }
        Ok((first.parse()?, process))
    }
}

/// Calls one of the kernels once and prints how long that took.
const CHILD_PY: &str = "\
import importlib, os, sys, time
import numpy as np
import quadrants as qd

name, cache, threads = sys.argv[1:]
qd.init(arch=qd.cpu, cpu_max_num_threads=int(threads), offline_cache=True, offline_cache_file_path=cache,
        log_level=qd.ERROR)
kernel = importlib.import_module(name).loops
data = [np.fromfile(os.path.join(os.path.dirname(__file__), name), dtype='<f4') for name in 'xy']
x, y = [qd.ndarray(qd.f32, values.size) for values in data]
x.from_numpy(data[0])
y.from_numpy(data[1])
qd.sync()
start = time.perf_counter()
kernel(x, y)
qd.sync()
elapsed = time.perf_counter() - start
print(elapsed, y.to_numpy().astype(np.float64).sum())
";
