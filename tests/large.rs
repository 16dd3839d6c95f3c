//! Sizes at which 32-bit counters, and sums kept in one place, break: and sizes of nothing.
use qd::prelude::*;

fn runtime(threads: usize) -> qd::Runtime {
    qd::Runtime::new(qd::Config::default().ignore_env().offline_cache(false).num_threads(threads)).expect("a runtime")
}

#[qd::kernel]
fn sum_of_residues(n: u64) -> (u64, f64) {
    let mut sum = 0;
    let mut ones = 0.0;
    for i in 0..n {
        sum += i & 3;
        ones += 1.0;
    }
    (sum, ones)
}

#[test]
fn a_reduction_over_three_thousand_million_iterations() {
    let n = 3_000_000_001u64;
    let (sum, ones) = runtime(2).scope(|| sum_of_residues(n));
    // Whole quadruples add 0 + 1 + 2 + 3; the remainder is the single iteration with residue 0.
    assert_eq!(sum, n / 4 * 6);
    // Every partial sum is an integer below 2^53, so the tree is exact.
    assert_eq!(ones, n as f64);
}

#[qd::kernel]
fn write_residues(x: &mut [u8]) -> u64 {
    for i in 0..x.len() {
        x[i] = (i % 251) as u8;
    }
    let mut sum = 0;
    for i in 0..x.len() {
        sum += x[i] as u64;
    }
    sum
}

#[test]
fn an_array_beyond_2_gib() {
    let len = (1usize << 31) + 8;
    let available = available_memory();
    if available < 3 * len as u64 / 2 {
        return qd_testing::skip("an_array_beyond_2_gib", "needs 3 GiB of free memory");
    }
    let mut x = vec![0u8; len];
    let sum = runtime(2).scope(|| write_residues(&mut x));
    let (whole, rest) = ((len / 251) as u64, (len % 251) as u64);
    assert_eq!(sum, whole * (250 * 251 / 2) + rest * (rest - 1) / 2);
    for i in [0, 1, 250, 251, (1 << 31) - 1, 1 << 31, len - 1] {
        assert_eq!(x[i], (i % 251) as u8, "{i}");
    }
}

/// `MemAvailable` in bytes; 0 where it can't be known.
fn available_memory() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = info.lines().find(|line| line.starts_with("MemAvailable:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or(0) * 1024
}

#[qd::kernel]
fn every_kind_of_loop(x: &mut NdArray<f32, 2>, y: &mut [i32]) -> (f32, i32) {
    let mut sum = 0.5;
    for (i, j) in x.indices() {
        sum += x[[i, j]];
    }
    let mut largest = -7;
    for i in 0..y.len() {
        largest = largest.max(y[i]);
    }
    for i in 0..y.len() {
        y[i] += 1;
    }
    (sum, largest)
}

#[test]
fn arrays_of_no_element() {
    for shape in [[0, 0], [0, 1 << 40], [3, 0]] {
        let mut x = NdArray::<f32, 2>::zeros(shape);
        let got = runtime(2).scope(|| every_kind_of_loop(&mut x, &mut []));
        assert_eq!(got, (0.5, -7), "{shape:?}");
    }
}

#[qd::kernel]
fn count_grid(n: usize, m: usize) -> u64 {
    let mut count = 0;
    for (_i, _j) in ndrange([n, m]) {
        count += 1;
    }
    count
}

#[test]
fn loops_that_no_counter_holds_are_refused_with_their_place() {
    let rt = runtime(1);
    let ones = sum_of_residues.on(&rt).try_call(u64::MAX).unwrap_err();
    let grid = count_grid.on(&rt).try_call(1 << 40, 1 << 40).unwrap_err();
    for (error, kernel, place, iterations, advice) in [
        (ones, "sum_of_residues", "large.rs:12:5", u128::from(u64::MAX), "a bound that wrapped below zero"),
        (grid, "count_grid", "large.rs:92:5", 1 << 80, "split the loop"),
    ] {
        assert_eq!(error.kind(), qd::ErrorKind::Argument);
        let text = error.to_string();
        let wanted = [&format!("kernel `{kernel}` at "), place, &format!("{iterations} iterations"), advice];
        assert!(wanted.iter().all(|wanted| text.contains(wanted)), "{text}");
    }
    assert_eq!(count_grid.on(&rt).call(0, 1 << 40), 0);
}
