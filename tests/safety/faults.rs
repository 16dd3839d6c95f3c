//! The rule of the lowest failing iteration, for 1, 2, 3 and 8 threads and grains from 1 to more than the loop has: what
//! is reported, what has completed, what hasn't been touched, and that the next launch finds nothing left behind.
use qd::prelude::*;
use qd::{ErrorKind, Runtime};

use crate::support::{Engines, hash, natively};

/// Stands where nobody may write.
const CANARY: i32 = 0x5afe_5afe;
/// What an element is before the loop.
const BEFORE: i32 = -7;
/// So many elements lie on either side of what a kernel is given.
const FENCE: usize = 64;

type Divide = fn(&Runtime, &mut [i32], &[i32], &mut [i32]) -> qd::Result<i32>;

macro_rules! divides {
    ($($name:ident $grain:literal;)*) => {
        $(#[qd::kernel]
        fn $name(x: &mut [i32], by: &[i32], after: &mut [i32]) -> i32 {
            let mut sum = 0;
            #[qd::grain($grain)]
            for i in 0..x.len() {
                let v = 1000 / by[i];
                sum += v;
                x[i] = v;
            }
            for i in 0..after.len() {
                after[i] = sum;
            }
            sum
        })*

        /// The loop with each grain.
        const DIVIDES: &[(u64, Divide)] =
            &[$(($grain, |runtime, x, by, after| $name.on(runtime).try_call(x, by, after)),)*];
    };
}
divides! {
    by_one 1;
    by_seven 7;
    by_leaves 1024;
    by_many 4099;
    at_once 1000000000;
}

/// Places of zeros among `n` divisors.
fn failing(n: usize) -> Vec<Vec<usize>> {
    let mut sets = vec![vec![0], vec![n - 1], vec![0, n - 1], vec![n / 2, n - 1], (0..n).collect()];
    for round in 0..4 {
        let count = [1, 2, 5, 40][round];
        sets.push((0..count).map(|k| hash((round * 100 + k) as u64) as usize % n).collect());
    }
    // Each in a chunk of its own, and none in the first ones.
    sets.push((n / 3..n).step_by((n / 50).max(1)).collect());
    sets
}

#[test]
fn the_lowest_failing_iteration_is_reported_and_all_below_it_have_completed() {
    for (threads, runtime) in &Engines::with_unoptimised().all {
        for (grain, divide) in DIVIDES {
            for n in [1, 50, 3000, 60_000] {
                for zeros in failing(n) {
                    let what = format!("{threads} threads, grain {grain}, {n} iterations, {:?}", zeros.first());
                    let lowest = *zeros.iter().min().unwrap();
                    let mut by: Vec<i32> = (0..n).map(|i| 1 + (i % 900) as i32).collect();
                    zeros.iter().for_each(|i| by[*i] = 0);
                    let divisors = by.clone();
                    let mut memory = vec![CANARY; n + 2 * FENCE];
                    memory[FENCE..FENCE + n].fill(BEFORE);
                    let mut after = [CANARY; 5];

                    let error = divide(runtime, &mut memory[FENCE..FENCE + n], &by, &mut after).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Fault, "{what}");
                    let text = error.to_string();
                    assert!(
                        text.ends_with(&format!("attempt to divide by zero (iteration {lowest})")),
                        "{text}, {what}"
                    );

                    let x = &memory[FENCE..FENCE + n];
                    for (i, v) in x.iter().enumerate() {
                        let done = by[i] != 0 && *v == 1000 / by[i];
                        assert!(done || i >= lowest && *v == BEFORE, "element {i} is {v}, {what}");
                    }
                    let (front, back) = (&memory[..FENCE], &memory[FENCE + n..]);
                    assert!(front.iter().chain(back).chain(&after).all(|v| *v == CANARY), "{what}");
                    assert_eq!(by, divisors);
                }
                // Nothing is left behind.
                let by = vec![3; n];
                let (mut x, mut after) = (vec![BEFORE; n], [0; 3]);
                let sum = divide(runtime, &mut x, &by, &mut after).unwrap();
                assert_eq!((sum, after), (333 * n as i32, [333 * n as i32; 3]));
                assert!(x.iter().all(|v| *v == 333));
            }
        }
    }
}

/// Kernels that fail at the elements marked in `bad`, each in its way; they run over `out`, in the order that `order` gives
/// its elements.
macro_rules! ways {
    ($($name:ident: |$out:ident, $bad:ident, $i:ident| $domain:expr, $body:block, $order:expr;)*) => { $(
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel($out: &mut [u32], $bad: &[u32]) {
                for $i in $domain {
                    $body
                }
            }

            let n = 9000;
            // The place of each iteration.
            let order: Vec<usize> = $order(n);
            for (threads, runtime) in &Engines::with_unoptimised().all {
                for first in [0, 1, 1023, 1024, n / 2, n - 1].map(|k| k % order.len()) {
                    let mut bad = vec![0; n];
                    order[first..].iter().step_by(17).for_each(|place| bad[*place] = 1);
                    let fail = |native: bool| {
                        let mut out = vec![0; n];
                        let ended = if native {
                            natively(|| kernel.native(&mut out, &bad))
                        } else {
                            kernel.on(runtime).try_call(&mut out, &bad).map_err(|error| error.to_string())
                        };
                        (ended.unwrap_err(), out)
                    };
                    let (panic, native) = fail(true);
                    let (error, out) = fail(false);
                    assert!(error.contains(&panic), "{error}, natively {panic}, {threads} threads");
                    for (k, place) in order.iter().enumerate() {
                        // What the single thread of the native body did is done; above it anything may be, or nothing.
                        if k < first {
                            assert_eq!(out[*place], native[*place], "iteration {k} of {first}, {threads} threads");
                        }
                    }
                    let mut out = vec![0; n];
                    kernel.on(runtime).try_call(&mut out, &vec![0; n]).unwrap();
                }
            }
        }
    )* };
}

fn forward(n: usize) -> Vec<usize> {
    (0..n).collect()
}

/// Fails for 1 with the words of an assertion.
#[qd::func]
fn checked(v: u32, at: usize) -> u32 {
    assert!(v == 0, "element {at} is bad");
    at as u32 + 1
}

ways! {
    indices_out_of_bounds: |out, bad, i| 0..out.len(), { out[i] = bad[i + bad[i] as usize * 100_000] + i as u32; }, forward;
    divisions: |out, bad, i| 0..out.len(), { out[i] = i as u32 % (1 - bad[i]); }, forward;
    the_least_by_minus_one: |out, bad, i| 0..out.len(),
        { let v = if bad[i] > 0 { i32::MIN } else { i as i32 }; out[i] = (v / -1) as u32; }, forward;
    assertions_in_functions: |out, bad, i| 0..out.len(), { out[i] = checked(bad[i], i); }, forward;
    panics_in_branches: |out, bad, i| 0..out.len(),
        { if bad[i] > 0 { panic!("iteration {i} gives up"); } out[i] = 5; }, forward;
    backwards: |out, bad, i| (0..out.len()).rev(), { out[i] = checked(bad[i], i); }, |n: usize| forward(n).into_iter().rev().collect();
    in_steps: |out, bad, i| (3..out.len()).step_by(5), { out[i] = checked(bad[i], i); }, |n: usize| (3..n).step_by(5).collect();
    with_its_end: |out, bad, i| 0..=out.len() - 1, { out[i] = checked(bad[i], i); }, forward;
    loops_inside: |out, bad, i| 0..out.len(), { let n = 3; for k in 0..n { out[i] += checked(bad[i] * k, i); } }, forward;
    bounds_crossed: |out, bad, i| 0..out.len(), { out[i] = (i as u32).clamp(bad[i] * 2, 1 + i as u32 * (1 - bad[i])); }, forward;
}

/// Rows of a matrix, and what an iteration has written before it fails.
#[qd::kernel]
fn grid(a: &mut NdArray<i32, 2>, b: &NdArray<i32, 2>) {
    for (i, j) in a.indices() {
        a[[i, j]] = 1;
        a[[i, j]] += b[[i, j + b[[i, j]] as usize]];
    }
}

#[test]
fn of_boxes_the_last_index_runs_fastest() {
    let (h, w) = (70, 130);
    for (threads, runtime) in &Engines::with_unoptimised().all {
        for (row, column) in [(0, 0), (0, 129), (1, 0), (35, 64), (69, 129)] {
            let b = NdArray::from_fn([h, w], |[i, j]| if i * w + j >= row * w + column { 1000 } else { 0 });
            let mut a = NdArray::zeros([h, w]);
            let error = grid.on(runtime).try_call(&mut a, &b).unwrap_err().to_string();
            assert!(
                error.ends_with(&format!("(array `b`, iteration ({row}, {column}))")),
                "{error}, {threads} threads"
            );
            let below = row * w + column;
            assert!(a.as_slice()[..below].iter().all(|v| *v == 1), "{threads} threads");
            // The failing iteration has done what comes before its failure, as the native body has.
            assert_eq!(a[[row, column]], 1);
            grid.on(runtime).try_call(&mut a, &NdArray::zeros([h, w])).unwrap();
        }
    }
}

/// Lines are printed up to the failing iteration, and atomics have counted what ran.
#[qd::kernel]
fn counts(done: &mut [u32], bad: usize) {
    for i in 0..100_000 {
        assert!(i != bad && i != bad + 9000, "at {i}");
        qd::atomic::add(&mut done[i % 8], 1);
    }
}

#[test]
fn atomics_have_counted_at_least_what_lies_below_the_failure() {
    for (threads, runtime) in &Engines::with_unoptimised().all {
        for bad in [0, 5, 40_000, 99_999] {
            let mut done = [0; 8];
            let error = counts.on(runtime).try_call(&mut done, bad).unwrap_err().to_string();
            assert!(error.ends_with(&format!("at {bad} (iteration {bad})")), "{error}, {threads} threads");
            let total: u32 = done.iter().sum();
            assert!((bad as u32..100_000).contains(&total), "{total} of {bad}, {threads} threads");
        }
    }
}
