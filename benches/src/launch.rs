//! The cost of a launch: of next to nothing, and of work that takes from a microsecond to ten milliseconds.
//!
//! Launches follow each other at once, which suits OpenMP best: its threads spin between them. How they begin, when all
//! threads sleep and the system hasn't spread them over the cores, is told apart from how they go on.
use std::time::Instant;

use crate::measure::{Contender, Effort, Spread, cell, in_turns, ratio_cell, span};
use crate::native::Native;
use crate::{Outcome, kernels};

/// How long the work of a row takes on one thread, in seconds.
const SPANS: [f64; 9] = [1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3, 1e-2];

/// Prints the table.
pub fn run(natives: &[&'static Native], effort: Effort) -> Outcome {
    let Some(yardstick) = natives.first() else {
        return Err("launches are compared with OpenMP: install gcc, or clang with its OpenMP runtime".into());
    };
    print!("| launch | qd |");
    natives.iter().for_each(|native| print!(" {} |", native.compiler.name));
    natives.iter().for_each(|native| print!(" qd/{} |", native.compiler.name));
    println!("\n|---|--:|{}", "--:|".repeat(2 * natives.len()));

    row("1 element", 1, natives, effort, |x| kernels::increment(x), |native| native.increment);
    let a_second = elements_a_second(yardstick);
    for seconds in SPANS {
        let n = ((a_second * seconds) as usize).max(1);
        let title = format!("{} of work, {n} elements", span(seconds));
        row(&title, n, natives, effort, |x| kernels::work(x), |native| native.work);
    }
    Ok(())
}

fn row(
    title: &str,
    n: usize,
    natives: &[&'static Native],
    effort: Effort,
    qd: fn(&mut [f32]),
    peer: fn(&Native) -> unsafe extern "C" fn(*mut f32, usize),
) {
    let mut contenders: Vec<Contender<Vec<f32>>> = vec![Contender::new("qd", move |x: &mut Vec<f32>| qd(x))];
    for native in natives {
        let run = peer(native);
        // SAFETY: an array of this length.
        let contender =
            Contender::new(native.compiler.name, move |x: &mut Vec<f32>| unsafe { run(x.as_mut_ptr(), x.len()) });
        contenders.push(contender.settling(native.compiler.settle));
    }
    let times = in_turns(&mut vec![0.5; n], &contenders, effort, |_| {});
    let cells: String = times.iter().map(|times| format!(" {} |", cell(times))).collect();
    let ratios: String = times[1..].iter().map(|peer| format!(" {} |", ratio_cell(&times[0], peer))).collect();
    println!("| {title} |{cells}{ratios}");
}

/// How much of the work one thread of C does.
fn elements_a_second(native: &Native) -> f64 {
    let mut x = vec![0.5f32; 1 << 14];
    let seconds: Vec<f64> = (0..20)
        .map(|_| {
            let start = Instant::now();
            // SAFETY: an array of this length.
            unsafe { (native.work_alone)(x.as_mut_ptr(), x.len()) };
            start.elapsed().as_secs_f64()
        })
        .collect();
    x.len() as f64 / Spread::of(&seconds).median
}
