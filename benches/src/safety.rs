//! What checks cost: each kernel of [`both`] with them, and without, in turns on the same data.
//!
//! Where its arrays and its code come to lie makes more of a small kernel's ratio than most checks do, and it stays the
//! same for as long as a process lives. So all is measured in several fresh processes, and a ratio's spread is the one
//! over them.
use std::process::{Command, Stdio};
use std::time::Duration;

use qd::NdArray;

use crate::Outcome;
use crate::both;
use crate::measure::{Contender, Effort, Spread, in_turns, ratio, span};
use crate::steady::{Digest, f32_bits, hashed, series, square};

/// A kernel and its twin.
struct Case<S> {
    name: &'static str,
    work: &'static str,
    /// What the checks may cost, where that was decided.
    goal: Option<f64>,
    state: S,
    digest: fn(&S) -> Digest,
    checked: fn(&mut S),
    unchecked: fn(&mut S),
}

/// Where every index is known before its loop starts.
const DIRECT: Option<f64> = Some(1.02);
/// Where indices come from data.
const INDIRECT: Option<f64> = Some(1.15);

/// The first argument of this program where it is to measure in a process of its own.
pub const CHILD: &str = "safety-child";

/// What a process found of a case: seconds and their ratio, each the median of its rounds.
#[derive(Debug, Clone, Copy)]
struct Found {
    checked: f64,
    unchecked: f64,
    ratio: f64,
}

/// A line of the table.
struct Row {
    name: String,
    work: String,
    goal: String,
    found: Vec<Found>,
}

/// Measures the cases whose names hold one of `filters` (all, if there is none) in `processes` and prints the table.
pub fn run(filters: &[String], rounds: usize, processes: usize, threads: usize) -> Outcome {
    let mut rows: Vec<Row> = Vec::new();
    for _ in 0..processes {
        for (place, line) in spawn(filters, rounds, threads)?.lines().enumerate() {
            let [name, work, goal, checked, unchecked, ratio] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("a process of the kernels with checks and without said {line:?}").into());
            };
            if place == rows.len() {
                let [name, work, goal] = [name, work, goal].map(str::to_owned);
                rows.push(Row { name, work, goal, found: Vec::new() });
            }
            let [checked, unchecked, ratio] = [checked.parse()?, unchecked.parse()?, ratio.parse()?];
            rows[place].found.push(Found { checked, unchecked, ratio });
        }
    }
    println!(
        "Medians over {processes} processes of {rounds} rounds; in brackets the least and the greatest of a process.\n"
    );
    println!("| case | work | with checks | without | ratio | goal |");
    println!("|---|---|--:|--:|--:|--:|");
    for Row { name, work, goal, found } in rows {
        let over = |part: fn(&Found) -> f64| Spread::of(&found.iter().map(part).collect::<Vec<_>>());
        let time = |part| span(over(part).median);
        let (with, without) = (time(|found| found.checked), time(|found| found.unchecked));
        let ratio = over(|found| found.ratio);
        let ratio = format!("{:.3} [{:.3}–{:.3}]", ratio.median, ratio.least, ratio.greatest);
        println!("| {name} | {work} | {with} | {without} | {ratio} | {goal} |");
    }
    Ok(())
}

/// What a fresh process prints.
fn spawn(filters: &[String], rounds: usize, threads: usize) -> Outcome<String> {
    let cache = tempfile::tempdir()?;
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(CHILD).arg(rounds.to_string()).args(filters);
    command.env("QD_OFFLINE_CACHE_FILE_PATH", cache.path()).env("QD_NUM_THREADS", threads.to_string());
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("a process of the kernels with checks and without ended with {}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// What such a process does: measures the cases and prints a line of what it found for each.
pub fn child(mut arguments: impl Iterator<Item = String>) -> Outcome {
    let rounds = arguments.next().ok_or("no number of rounds")?.parse()?;
    let filters: Vec<String> = arguments.collect();
    let effort = Effort { rounds, turn: Duration::from_millis(40), warm_up: 0.25 };
    let chosen = |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()));
    macro_rules! cases {
        ($($name:ident),*) => { $(if chosen(stringify!($name)) { measure($name(), effort)?; })* };
    }
    cases!(
        triad,
        stencil,
        matmul,
        gray_scott_256,
        gray_scott_512,
        gray_scott_1024,
        nbody,
        mandelbrot,
        histogram,
        csr,
        gather,
        mpm,
        scatter,
        predicate_known,
        predicate_new
    );
    Ok(())
}

fn measure<S: 'static>(mut case: Case<S>, effort: Effort) -> Outcome {
    let contenders = [Contender::new("with checks", case.checked), Contender::new("without", case.unchecked)];
    let digests = contenders.each_ref().map(|contender| {
        (contender.run)(&mut case.state);
        (case.digest)(&case.state)
    });
    if !digests[0].agrees(digests[1]) {
        return Err(format!("{}: {:?} with checks, {:?} without", case.name, digests[0], digests[1]).into());
    }
    let times = in_turns(&mut case.state, &contenders, effort, |_| {});
    let median = |values: &[f64]| Spread::of(values).median;
    let (checked, unchecked) = (median(&times[0].seconds), median(&times[1].seconds));
    let ratio = ratio(&times[0], &times[1]).median;
    let goal = case.goal.map_or("–".to_owned(), |goal| format!("{goal:.2}"));
    println!("{}\t{}\t{goal}\t{checked}\t{unchecked}\t{ratio}", case.name, case.work);
    Ok(())
}

fn triad() -> Case<[Vec<f32>; 3]> {
    const N: usize = 1 << 16;
    Case {
        name: "triad",
        work: "2^16 f32",
        goal: DIRECT,
        state: [vec![0.0; N], series(N, 1), series(N, 2)],
        digest: |[a, ..]| Digest::of(a, f32_bits),
        checked: |[a, b, c]| both::triad::checked(a, b, c, 3.0),
        unchecked: |[a, b, c]| both::triad::unchecked(a, b, c, 3.0),
    }
}

fn stencil() -> Case<[NdArray<f32, 2>; 2]> {
    Case {
        name: "5-point stencil",
        work: "320² f32",
        goal: DIRECT,
        state: [square(320, 3), square(320, 4)],
        digest: |[b, _]| Digest::of(b.as_slice(), f32_bits),
        checked: |[b, a]| both::stencil::checked(b, a),
        unchecked: |[b, a]| both::stencil::unchecked(b, a),
    }
}

fn matmul() -> Case<[NdArray<f32, 2>; 3]> {
    Case {
        name: "matmul",
        work: "192³ f32",
        goal: DIRECT,
        state: [0, 1, 2].map(|number| square(192, number)),
        digest: |[c, ..]| Digest::of(c.as_slice(), f32_bits),
        checked: |[c, a, b]| both::matmul::checked(c, a, b),
        unchecked: |[c, a, b]| both::matmul::unchecked(c, a, b),
    }
}

/// Of `N` squared; rows are set up once each, so what that costs shows in small ones.
fn gray_scott<const N: usize>(work: &'static str) -> Case<[NdArray<f32, 2>; 4]> {
    Case {
        name: "Gray-Scott",
        work,
        goal: DIRECT,
        state: [5, 6, 7, 8].map(|number| square(N, number)),
        digest: |[un, vn, ..]| Digest::of(&[un.as_slice(), vn.as_slice()].concat(), f32_bits),
        checked: |[un, vn, u, v]| both::gray_scott::checked(un, vn, u, v),
        unchecked: |[un, vn, u, v]| both::gray_scott::unchecked(un, vn, u, v),
    }
}

fn gray_scott_256() -> Case<[NdArray<f32, 2>; 4]> {
    gray_scott::<256>("256² f32")
}

fn gray_scott_512() -> Case<[NdArray<f32, 2>; 4]> {
    gray_scott::<512>("512² f32")
}

fn gray_scott_1024() -> Case<[NdArray<f32, 2>; 4]> {
    gray_scott::<1024>("1024² f32")
}

fn nbody() -> Case<[Vec<f32>; 5]> {
    Case {
        name: "n-body",
        work: "1024 bodies, all pairs, f32",
        goal: DIRECT,
        state: std::array::from_fn(|number| series(1024, number as u64)),
        digest: |[fx, fy, ..]| Digest::of(&[fx.as_slice(), fy].concat(), f32_bits),
        checked: |[fx, fy, x, y, m]| both::nbody::checked(fx, fy, x, y, m),
        unchecked: |[fx, fy, x, y, m]| both::nbody::unchecked(fx, fy, x, y, m),
    }
}

fn mandelbrot() -> Case<NdArray<u32, 2>> {
    Case {
        name: "Mandelbrot",
        work: "256², at most 200 steps, f32",
        goal: DIRECT,
        state: NdArray::zeros([256, 256]),
        digest: |out| Digest::of(out.as_slice(), u64::from),
        checked: |out| both::mandelbrot::checked(out, 200),
        unchecked: |out| both::mandelbrot::unchecked(out, 200),
    }
}

fn histogram() -> Case<(Vec<u32>, Vec<u32>)> {
    Case {
        name: "histogram",
        work: "2^18 keys, 4096 bins, atomic adds",
        goal: INDIRECT,
        state: (vec![0; 4096], (0..1 << 18).map(|k| (hashed(k, 6) * 4096.0) as u32).collect()),
        digest: |(bins, _)| Digest::of(bins, u64::from),
        checked: |(bins, keys)| both::histogram::checked(bins, keys),
        unchecked: |(bins, keys)| both::histogram::unchecked(bins, keys),
    }
}

/// Result, starts of rows, columns, values, vector.
type Sparse = (Vec<f32>, Vec<usize>, Vec<u32>, Vec<f32>, Vec<f32>);

fn csr() -> Case<Sparse> {
    const ROWS: usize = 1 << 13;
    let mut starts = vec![0];
    for row in 0..ROWS {
        starts.push(starts[row] + (hashed(row, 1) * 32.0) as usize);
    }
    let entries = starts[ROWS];
    let columns = (0..entries).map(|k| (hashed(k, 2) * ROWS as f32) as u32).collect();
    Case {
        name: "sparse rows (CSR)",
        work: "2^13 rows, 16 entries each on average, f32",
        goal: INDIRECT,
        state: (vec![0.0; ROWS], starts, columns, series(entries, 3), series(ROWS, 4)),
        digest: |(y, ..)| Digest::of(y, f32_bits),
        checked: |(y, starts, columns, values, x)| both::csr::checked(y, starts, columns, values, x),
        unchecked: |(y, starts, columns, values, x)| both::csr::unchecked(y, starts, columns, values, x),
    }
}

fn gather() -> Case<(Vec<f32>, Vec<f32>, Vec<u32>)> {
    const N: usize = 1 << 16;
    let places = (0..N).map(|k| (hashed(k, 2) * 16384.0) as u32).collect();
    Case {
        name: "gather",
        work: "2^16 of a table of 2^14 f32",
        goal: INDIRECT,
        state: (vec![0.0; N], series(16384, 3), places),
        digest: |(y, ..)| Digest::of(y, f32_bits),
        checked: |(y, table, places)| both::gather::checked(y, table, places),
        unchecked: |(y, table, places)| both::gather::unchecked(y, table, places),
    }
}

fn mpm() -> Case<(NdArray<u32, 2>, Vec<f32>, Vec<f32>)> {
    const N: usize = 1 << 14;
    let coordinate = |number| series(N, number).into_iter().map(|v| 1.0 + v * 125.0).collect();
    Case {
        name: "particles to grid (MPM)",
        work: "2^14 particles, 128² nodes, atomic adds",
        goal: INDIRECT,
        state: (NdArray::zeros([128, 128]), coordinate(1), coordinate(2)),
        digest: |(grid, ..)| Digest::of(grid.as_slice(), u64::from),
        checked: |(grid, x, y)| both::mpm::checked(grid, x, y),
        unchecked: |(grid, x, y)| both::mpm::unchecked(grid, x, y),
    }
}

fn scatter() -> Case<(Vec<f32>, Vec<f32>, Vec<u32>)> {
    const N: usize = 1 << 16;
    // An odd factor permutes the numbers below a power of two.
    let places = (0..N).map(|k| (k * 40503 % N) as u32).collect();
    Case {
        name: "scatter",
        work: "2^16 f32 to places that are all different",
        goal: None,
        state: (vec![0.0; N], series(N, 3), places),
        digest: |(y, ..)| Digest::of(y, f32_bits),
        checked: |(y, x, places)| both::scatter::checked(y, x, places),
        unchecked: |(y, x, places)| both::scatter::unchecked(y, x, places),
    }
}

/// Array, distance of blocks.
type Blocks = (Vec<f32>, usize);

/// A launch of little work, whose predicate was proved for the same values before.
fn predicate_known() -> Case<Blocks> {
    Case {
        name: "launch predicate, known",
        work: "a launch of 2 blocks of 4",
        goal: None,
        state: (vec![0.0; 8], 4),
        digest: |(x, _)| Digest::of(x, f32_bits),
        checked: |(x, w)| both::blocks::checked(x, 2, *w, 4),
        unchecked: |(x, w)| both::blocks::unchecked(x, 2, *w, 4),
    }
}

/// The same with more choices of values in turn than are remembered.
fn predicate_new() -> Case<Blocks> {
    const CHOICES: usize = 1000;
    fn next(w: &mut usize) -> usize {
        *w = 4 + (*w - 3) % CHOICES;
        *w
    }
    Case {
        name: "launch predicate, new",
        work: "a launch of 2 blocks of 4, other values each time",
        goal: None,
        state: (vec![0.0; 8 + CHOICES], 4),
        // What no choice leaves out.
        digest: |(x, _)| Digest::of(&x[..4], f32_bits),
        checked: |(x, w)| both::blocks::checked(x, 2, next(w), 4),
        unchecked: |(x, w)| both::blocks::unchecked(x, 2, next(w), 4),
    }
}
