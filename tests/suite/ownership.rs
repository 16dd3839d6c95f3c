//! What the race rule is for: kernels of real programs, without `unsafe`, the same natively and on every engine; and
//! launches that it stops.
use std::fmt::Debug;

use qd::prelude::*;

use crate::support::{Engines, hash};

/// Runs a kernel over some data natively and on every engine; and in debug mode, whose race detector agrees.
#[track_caller]
pub(crate) fn same<D: Clone + PartialEq + Debug>(start: D, run: impl Fn(&mut D, bool)) -> D {
    let mut want = start.clone();
    run(&mut want, true);
    for engine in &Engines::new().all {
        let mut got = start.clone();
        engine.runtime.scope(|| run(&mut got, false));
        assert!(got == want, "{}: differs", engine.name);
    }
    let debug = qd::Config::default().ignore_env().offline_cache(false).debug(true);
    let mut got = start;
    qd::Runtime::new(debug).expect("a runtime").scope(|| run(&mut got, false));
    assert!(got == want, "debug: differs");
    want
}

/// Calls a kernel one way or the other.
macro_rules! call {
    ($native:expr, $kernel:ident($($arg:expr),* $(,)?)) => {
        if $native { $kernel.native($($arg),*) } else { $kernel($($arg),*) }
    };
}

pub(crate) fn numbers(n: usize) -> Vec<f32> {
    (0..n as u64).map(|k| (hash(k) % 1000) as f32 / 8.0).collect()
}

#[qd::kernel]
fn rows(x: &mut [f32], h: usize, w: usize) {
    for i in 0..h {
        for j in 1..w {
            x[i * w + j] += x[i * w + j - 1];
        }
    }
}

#[qd::kernel]
fn columns(x: &mut [f32], h: usize, w: usize) {
    for j in 0..w {
        for i in 1..h {
            let above = x[(i - 1) * w + j];
            x[i * w + j] += above;
        }
    }
}

#[qd::kernel]
fn apart_by_halves(x: &mut [f32]) {
    let half = x.len() / 2;
    for i in 0..half {
        x[i] += x[i + half];
    }
}

#[qd::kernel]
fn turned(x: &mut [f32], y: &[f32], w: usize) {
    let h = x.len() / w;
    for i in 0..x.len() {
        x[(i % w) * h + i / w] += y[i];
    }
}

#[qd::kernel]
fn narrow(x: &mut [f32], h: u8, w: u8) {
    for i in 0..h {
        for j in 0..w {
            x[(i * w + j) as usize] += 1.0;
        }
    }
}

#[test]
fn intervals_strides_halves_and_quotients() {
    same(numbers(600), |x, native| call!(native, rows(x, 30, 20)));
    same(numbers(600), |x, native| call!(native, columns(x, 30, 20)));
    same(numbers(601), |x, native| call!(native, apart_by_halves(x)));
    let y = numbers(600);
    same(numbers(600), |x, native| call!(native, turned(x, &y, 20)));
    same(numbers(255), |x, native| call!(native, narrow(x, 15, 17)));
}

#[qd::kernel]
fn overlapping(x: &mut [f32], n: usize, w: usize, m: usize) {
    for i in 0..n {
        for j in 0..m {
            x[i * w + j] += 1.0;
        }
    }
}

#[test]
fn a_launch_that_could_race_is_stopped_before_it_writes() {
    for engine in &Engines::new().all {
        let mut x = numbers(100);
        let before = x.clone();
        engine.runtime.scope(|| {
            let error = overlapping.try_call(&mut x, 5, 8, 9).unwrap_err();
            assert_eq!(error.kind(), qd::ErrorKind::Race);
            let text = error.to_string();
            assert!(text.starts_with("kernel `overlapping` at tests/suite/ownership.rs:"), "{text}");
            assert!(text.contains("two iterations may access the same element of `x`, which is written at"), "{text}");
            assert!(text.contains("with n = 5, m = 9, w = 8 [QD0026]"), "{text}");
            assert_eq!(x, before);
            // Other values are fine, also later.
            for (n, w, m) in [(5, 9, 9), (1, 1, 50), (0, 0, 9), (5, 8, 0), (5, 8, 8)] {
                overlapping.try_call(&mut x, n, w, m).unwrap_or_else(|error| panic!("{n} {w} {m}: {error}"));
            }
            // In bytes 16 * 17 wraps.
            let error = narrow.try_call(&mut [0.0; 300], 16, 17).unwrap_err();
            assert!(error.to_string().contains("an index may overflow in `u8`"), "{error}");
        });
    }
}

const HALO: usize = 2;

/// Where a cell of a picture lies.
#[qd::func]
fn at(x: usize, y: usize, width: usize) -> usize {
    let row = y * width;
    row + x
}

/// As [`at`], with a border around.
#[qd::func]
fn inside(x: usize, y: usize, width: usize) -> usize {
    let (x, y) = (x + HALO, y + HALO);
    at(x, y, width + 2 * HALO)
}

#[derive(Clone, Copy, Debug, PartialEq, qd::Data)]
struct Grid {
    shape: [usize; 2],
    extent: (usize, usize),
}

#[qd::funcs]
impl Grid {
    fn at(&self, x: usize, y: usize) -> usize {
        y * self.extent.0 + x
    }

    fn mirrored(self, x: usize, y: usize) -> usize {
        self.at(self.extent.0 - 1 - x, y)
    }
}

/// Of `T`, in two halves.
#[qd::func]
fn half<T: qd::Int>(i: T, second: bool, n: T) -> T {
    if second { i + n } else { i }
}

#[qd::func]
fn cell_of<const W: usize>(x: &[u32], i: usize) -> usize {
    i * W + x.len() % W
}

#[qd::kernel]
fn by_functions(a: &mut [u32], b: &mut [u32], c: &mut [u32], grid: Grid, w: usize, h: usize) {
    for (y, x) in ndrange([0..h, 0..w]) {
        a[at(x, y, w)] += a[at(x, y, w)] + x as u32;
        let k = inside(x, y, w);
        b[k] += k as u32;
    }
    for (y, x) in ndrange([0..grid.extent.1, 0..grid.extent.0]) {
        c[grid.at(x, y)] += 3;
    }
    for (y, x) in ndrange([0..grid.extent.1, 0..grid.extent.0]) {
        c[grid.mirrored(x, y)] += 7 * x as u32;
    }
    for i in 0..w {
        let k = cell_of::<3>(&a, i);
        b[k] += 1;
    }
    for i in 0..h {
        for k in at(0, i, w)..at(w, i, w) {
            c[k] ^= i as u32;
        }
    }
}

#[test]
fn indices_go_through_functions() {
    let (w, h) = (37, 23);
    let grid = Grid { shape: [w, h], extent: (w, h) };
    let data = |n: usize| (0..n).map(|i| hash(i as u64) as u32 >> 8).collect::<Vec<_>>();
    same((data(w * h), data((w + 4) * (h + 4)), data(w * h)), |(a, b, c), native| match native {
        true => by_functions.native(a, b, c, grid, w, h),
        false => by_functions(a, b, c, grid, w, h),
    });
}

#[qd::kernel]
fn colliding(a: &mut [u32], w: usize, step: usize, h: usize) {
    for (y, x) in ndrange([0..h, 0..w]) {
        a[at(x, y, step)] += 1;
    }
}

#[qd::kernel]
fn by_halves(a: &mut [u32], n: usize, by: usize) {
    for i in 0..n {
        a[half(i, i % 2 == 0, by)] += 1;
    }
}

#[test]
fn functions_that_collide_stop_the_launch() {
    for engine in &Engines::new().all {
        engine.runtime.scope(|| {
            let mut a = [0; 100];
            colliding.try_call(&mut a, 5, 5, 5).unwrap_or_else(|error| panic!("{error}"));
            let before = a;
            let error = colliding.try_call(&mut a, 5, 4, 5).unwrap_err();
            assert_eq!(error.kind(), qd::ErrorKind::Race);
            assert!(error.to_string().contains("with h = 5, w = 5, step = 4 [QD0026]"), "{error}");
            // Even places go to odd ones that others have.
            let error = by_halves.try_call(&mut a, 5, 1).unwrap_err();
            assert_eq!(error.kind(), qd::ErrorKind::Race);
            assert_eq!(a, before);
            by_halves.try_call(&mut a, 1, 1).unwrap_or_else(|error| panic!("{error}"));
            by_halves.try_call(&mut a, 5, 6).unwrap_or_else(|error| panic!("{error}"));
        });
    }
}

/// Gauss-Seidel for Poisson's equation: the fields of one colour from those of the other.
#[qd::kernel]
fn red_black(u: &mut NdArray<f32, 2>, f: &NdArray<f32, 2>, sweeps: usize) {
    let [h, w] = u.shape();
    #[qd::steps]
    for s in 0..2 * sweeps {
        for (i, j) in ndrange([1..h - 1, 1..w - 1]) {
            if (i + j) % 2 == s % 2 {
                let around = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
                u[[i, j]] = 0.25 * (around - f[[i, j]]);
            }
        }
    }
}

/// The same in rows of one array, leaving early.
#[qd::kernel]
fn red_black_flat(u: &mut [f32], f: &[f32], h: usize, w: usize, sweeps: usize) {
    #[qd::steps]
    for s in 0..2 * sweeps {
        for (i, j) in ndrange([1..h - 1, 1..w - 1]) {
            if (i + j) % 2 != s % 2 {
                continue;
            }
            let at = i * w + j;
            u[at] = 0.25 * (u[at - w] + u[at + w] + u[at - 1] + u[at + 1] - f[at]);
        }
    }
}

/// The same in steps of two.
#[qd::kernel]
fn red_black_steps(u: &mut NdArray<f32, 2>, f: &NdArray<f32, 2>, sweeps: usize) {
    let [h, w] = u.shape();
    #[qd::steps]
    for s in 0..2 * sweeps {
        for i in 1..h - 1 {
            for j in (1 + (i + s + 1) % 2..w - 1).step_by(2) {
                let around = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
                u[[i, j]] = 0.25 * (around - f[[i, j]]);
            }
        }
    }
}

#[test]
fn red_black_gauss_seidel() {
    let (h, w) = (24, 35);
    let field = |seed: u64| NdArray::from_fn([h, w], |[i, j]| (hash((i * w + j) as u64 ^ seed) % 64) as f32);
    let (u, f) = (field(1), field(2));
    let run = |u: &NdArray<f32, 2>, which: usize| {
        let start = (u.clone(), u.to_vec());
        let (array, flat) = same(start, |(u, flat), native| match which {
            0 => call!(native, red_black(u, &f, 7)),
            1 => call!(native, red_black_flat(flat, f.as_slice(), h, w, 7)),
            _ => call!(native, red_black_steps(u, &f, 7)),
        });
        if which == 1 { flat } else { array.to_vec() }
    };
    let wanted = run(&u, 0);
    assert_eq!(run(&u, 1), wanted);
    assert_eq!(run(&u, 2), wanted);
}

/// The stages of a transform of `2^k` points in place, after the points are in bit-reversed order.
#[qd::kernel]
fn fft(re: &mut [f32], im: &mut [f32], cos: &[f32], sin: &[f32], stages: u32) {
    let n = re.len();
    let mut half = 1;
    #[qd::steps]
    for s in 0..stages {
        for i in 0..n / 2 {
            let (block, k) = (i / half, i % half);
            let low = block * 2 * half + k;
            let high = low + half;
            let t = k * (n / 2 / half);
            let (a, b) = (re[high] * cos[t] - im[high] * sin[t], re[high] * sin[t] + im[high] * cos[t]);
            (re[high], im[high]) = (re[low] - a, im[low] - b);
            (re[low], im[low]) = (re[low] + a, im[low] + b);
        }
        half *= 2;
    }
}

#[test]
fn fft_in_place() {
    let (n, stages) = (256usize, 8);
    let reversed = |k: usize| (k as u32).reverse_bits() as usize >> (32 - stages);
    let angle = |k: usize| -std::f32::consts::TAU * k as f32 / n as f32;
    let (cos, sin): (Vec<f32>, Vec<f32>) = (0..n / 2).map(|k| (angle(k).cos(), angle(k).sin())).unzip();
    let signal = numbers(n);
    let start = ((0..n).map(|k| signal[reversed(k)]).collect(), vec![0.0; n]);
    let (re, im): (Vec<f32>, Vec<f32>) = same(start, |(re, im), native| call!(native, fft(re, im, &cos, &sin, stages)));
    // The definition, in double precision.
    for k in [0, 1, 7, 128, 255] {
        let term = |m: usize| (f64::from(signal[m]), -std::f64::consts::TAU * (m * k) as f64 / n as f64);
        let sum = (0..n).map(term).fold((0.0, 0.0), |sum, (v, at)| (sum.0 + v * at.cos(), sum.1 + v * at.sin()));
        let off = (f64::from(re[k]) - sum.0).hypot(f64::from(im[k]) - sum.1);
        assert!(off < 0.05, "{k}: off by {off}");
    }
}

/// Running sums in blocks: each block by itself, the blocks' totals, and what lies before each block.
#[qd::kernel]
fn prefix_sum(x: &mut [u32], totals: &mut [u32], size: usize) {
    let n = x.len();
    for b in 0..totals.len() {
        let lo = b * size;
        let mut sum = 0;
        for k in lo..(lo + size).min(n) {
            sum += x[k];
            x[k] = sum;
        }
        totals[b] = sum;
    }
    let mut before = 0;
    #[qd::serial]
    for b in 0..totals.len() {
        let total = totals[b];
        totals[b] = before;
        before += total;
    }
    for lo in (0..n).step_by(size) {
        for k in lo..(lo + size).min(n) {
            x[k] += totals[lo / size];
        }
    }
}

#[test]
fn blocked_prefix_sum() {
    let (n, size) = (1003usize, 64);
    let x: Vec<u32> = (0..n as u64).map(|k| hash(k) as u32 % 100).collect();
    let start = (x.clone(), vec![0; n.div_ceil(size)]);
    let (sums, _) = same(start, |(x, totals), native| call!(native, prefix_sum(x, totals, size)));
    let wanted: Vec<u32> = x
        .iter()
        .scan(0, |sum, v| {
            *sum += v;
            Some(*sum)
        })
        .collect();
    assert_eq!(sums, wanted);
}

/// A product of matrices in tiles, each tile's place computed from one number.
#[qd::kernel]
fn matmul(c: &mut [f32], a: &[f32], b: &[f32], n: usize, tile: usize) {
    let across = n / tile;
    for t in 0..across * across {
        let (row, column) = (t / across * tile, t % across * tile);
        for k in (0..n).step_by(tile) {
            for i in row..row + tile {
                for j in column..column + tile {
                    let mut sum = c[i * n + j];
                    for l in k..k + tile {
                        sum += a[i * n + l] * b[l * n + j];
                    }
                    c[i * n + j] = sum;
                }
            }
        }
    }
}

#[test]
fn tiled_matmul() {
    let n = 24;
    let (a, b) = (numbers(n * n), numbers(n * n));
    let c = same(vec![0.0; n * n], |c, native| call!(native, matmul(c, &a, &b, n, 8)));
    for (i, j) in [(0, 0), (7, 8), (23, 5)] {
        let wanted: f32 = (0..n).map(|l| a[i * n + l] * b[l * n + j]).sum();
        assert_eq!(c[i * n + j], wanted);
    }
}

#[derive(Clone, Copy, PartialEq, Debug, qd::Data)]
struct Particle {
    pos: [f32; 2],
    vel: [f32; 2],
    mass: f32,
}

/// Reads places of neighbours while it writes velocities.
#[qd::kernel]
fn pulled(p: &mut [Particle], strength: f32) {
    let n = p.len();
    for i in 0..n {
        for k in 0..n {
            let away = p[k].pos[0] - p[i].pos[0];
            p[i].vel[0] += strength * p[k].mass * away;
        }
        p[i].vel[1] = p[(i + 1) % n].pos[1];
    }
    for i in 0..n {
        p[i].pos[0] += p[i].vel[0];
        p[i].pos[1] += p[i].vel[1];
    }
}

#[test]
fn fields_of_an_element_are_places_of_their_own() {
    let of = |k: usize| Particle { pos: [k as f32, (k * k % 7) as f32], vel: [0.0, 0.5], mass: 1.0 + k as f32 };
    let p = same((0..50).map(of).collect::<Vec<_>>(), |p, native| call!(native, pulled(p, 0.125)));
    assert_eq!(p[1].vel[1], 4.0);
}

/// Normalises the rows of a sparse matrix in place, then multiplies by it.
#[qd::kernel]
fn rows_of_a_matrix(y: &mut [f32], value: &mut [f32], ptr: &[usize], column: &[u32], x: &[f32]) {
    for (i, row) in qd::segments(ptr) {
        let mut norm = 0.0;
        for k in row.clone() {
            norm += value[k] * value[k];
        }
        let scale = 1.0 / norm.sqrt().max(1.0);
        for k in row.rev() {
            value[k] *= scale;
        }
    }
    for (i, row) in qd::segments(&ptr) {
        let mut sum = row.len() as f32;
        for k in row.start..row.end {
            sum += value[k] * x[column[k] as usize];
        }
        y[i] = sum;
    }
}

/// Offsets of other types; segments that lie apart by a constant; a loop inside a loop.
#[qd::kernel]
fn shifted(x: &mut [u32], ptr: &NdArray<i32>, by: usize) -> u32 {
    for (_, row) in qd::segments(ptr) {
        for k in row {
            x[k + by] += 1;
        }
    }
    let mut sum = 0;
    #[qd::serial]
    for (i, row) in qd::segments(ptr) {
        for k in row.step_by(2) {
            sum += x[k + by] * (i as u32 + 1);
        }
    }
    sum
}

#[test]
fn segments_are_owned_by_their_iterations() {
    let n = 200usize;
    let mut ptr = vec![0usize];
    for i in 0..n {
        ptr.push(ptr[i] + hash(i as u64) as usize % 5);
    }
    let column: Vec<u32> = (0..ptr[n] as u64).map(|k| (hash(k) % n as u64) as u32).collect();
    let x = numbers(n);
    same((vec![0.0; n], numbers(ptr[n])), |(y, value), native| {
        call!(native, rows_of_a_matrix(y, value, &ptr, &column, &x))
    });
    let offsets = NdArray::from_vec(ptr.iter().map(|p| *p as i32).collect());
    same((vec![7u32; ptr[n] + 3], 0), |(x, sum), native| *sum = call!(native, shifted(x, &offsets, 3)));
    for short in [vec![], vec![4]] {
        let offsets = NdArray::from_vec(short);
        same((vec![7u32; 9], 0), |(x, sum), native| *sum = call!(native, shifted(x, &offsets, 3)));
    }
}

#[test]
fn segments_that_overlap_stop_the_launch() {
    let ptr = [0usize, 5, 9, 2, 7, 1];
    let (column, x) = ([0u32; 9], [1.0]);
    for engine in &Engines::new().all {
        let (mut y, mut value) = ([0.0; 5], [2.0; 9]);
        let run = || rows_of_a_matrix.try_call(&mut y, &mut value, &ptr, &column, &x);
        let error = engine.runtime.scope(run).unwrap_err().to_string();
        assert!(error.ends_with("segments overlap: offset 2 is 9, and the next is 2"), "{error}");
        assert_eq!(value, [2.0; 9]);
    }
    let native = std::panic::catch_unwind(|| drop(qd::segments(&ptr[..])));
    let words = native.unwrap_err().downcast::<String>().expect("a text");
    assert_eq!(*words, "segments overlap: offset 2 is 9, and the next is 2");
}

/// The ends of a segment in messages.
#[qd::kernel]
fn spoken(x: &mut [u32], ptr: &[usize], least: usize) {
    for (i, row) in qd::segments(ptr) {
        debug_assert!(row.start <= row.end, "{} {}", row.start, row.end);
        assert!(row.len() >= least, "segment {i} has {}", row.len());
        assert!(row.end - row.start < 5);
        for k in row {
            x[k] += 1;
        }
    }
}

#[test]
fn segments_can_be_named_in_messages() {
    let ptr = [0, 3, 4, 9];
    for (n, least, words) in
        [(3, 1, None), (3, 2, Some("segment 1 has 1")), (4, 0, Some("assertion failed: row.end - row.start < 5"))]
    {
        let native = std::panic::catch_unwind(|| spoken.native(&mut [0; 9], &ptr[..n], least));
        let native = native.err().map(|panic| match panic.downcast::<String>() {
            Ok(text) => *text,
            Err(panic) => panic.downcast_ref::<&str>().expect("a text").to_string(),
        });
        assert_eq!(native.as_deref(), words);
        for engine in &Engines::new().all {
            let run = || spoken.try_call(&mut [0; 9], &ptr[..n], least);
            let error = engine.runtime.scope(run).err().map(|error| error.to_string());
            match words {
                None => assert_eq!(error, None),
                Some(words) => assert!(error.as_ref().is_some_and(|text| text.contains(words)), "{error:?}"),
            }
        }
    }
}

#[test]
fn segments_that_start_below_zero_stop_the_launch() {
    for (ptr, words) in [
        (vec![-3, 2], "segments start below zero: offset 0 is -3"),
        (vec![-3, -5, 2], "segments start below zero: offset 0 is -3"),
        (vec![2, -1, 4], "segments overlap: offset 0 is 2, and the next is -1"),
    ] {
        let ptr = NdArray::from_vec(ptr);
        for engine in &Engines::new().all {
            let mut x = [5u32; 9];
            let error = engine.runtime.scope(|| shifted.try_call(&mut x, &ptr, 3)).unwrap_err().to_string();
            assert!(error.ends_with(words), "{error}");
            assert_eq!(x, [5; 9]);
        }
        let native = std::panic::catch_unwind(|| shifted.native(&mut [5; 9], &ptr, 3));
        assert_eq!(*native.unwrap_err().downcast::<String>().expect("a text"), words);
    }
    // No segment starts there.
    let one = NdArray::from_vec(vec![-3]);
    same((vec![7u32; 9], 0), |(x, sum), native| *sum = call!(native, shifted(x, &one, 3)));
}

/// Neighbours by a counting sort: particles by cells, then forces from the cells around.
#[qd::kernel]
fn forces(
    force: &mut [f32],
    at: &[f32],
    start: &mut [u32],
    cursor: &mut [u32],
    order: &mut [u32],
    sorted: &mut [u32],
    radius: f32,
) {
    for c in 0..start.len() {
        start[c] = 0;
    }
    for i in 0..at.len() {
        qd::atomic::add(&mut start[(at[i] / radius) as usize + 1], 1);
    }
    #[qd::serial]
    for c in 1..start.len() {
        start[c] += start[c - 1];
    }
    for c in 0..cursor.len() {
        cursor[c] = start[c];
    }
    for i in 0..at.len() {
        let slot = qd::atomic::add(&mut cursor[(at[i] / radius) as usize], 1);
        qd::atomic::exchange(&mut order[slot as usize], i as u32);
    }
    // Each cell puts its particles in the order of their numbers, whoever came first.
    for (_, row) in qd::segments(start) {
        let mut last = -1i64;
        for k in row.clone() {
            let mut best = i64::MAX;
            for l in row.clone() {
                let other = order[l] as i64;
                if other > last && other < best {
                    best = other;
                }
            }
            sorted[k] = best as u32;
            last = best;
        }
    }
    let cells = start.len() - 1;
    for i in 0..at.len() {
        let cell = (at[i] / radius) as usize;
        let mut sum = 0.0;
        for k in start[cell.max(1) - 1]..start[(cell + 2).min(cells)] {
            let away = at[sorted[k as usize] as usize] - at[i];
            if away.abs() < radius {
                sum += away * (radius - away.abs());
            }
        }
        force[i] = sum;
    }
}

#[test]
fn counting_sort_of_particles() {
    let (n, cells, radius) = (300usize, 40usize, 0.5f32);
    let at: Vec<f32> = (0..n as u64).map(|k| (hash(k) % 20_000) as f32 / 1000.0).collect();
    let start = (vec![0.0f32; n], vec![0u32; cells + 1], vec![0u32; cells], vec![0u32; n], vec![0u32; n]);
    let found = same(start, |(force, start, cursor, order, sorted), native| {
        call!(native, forces(force, &at, start, cursor, order, sorted, radius));
        // Whoever came first isn't told.
        order.fill(0);
    });
    assert!(
        found.4.windows(2).all(|pair| (at[pair[0] as usize] / radius) as u32 <= (at[pair[1] as usize] / radius) as u32)
    );
    let near = |i: usize, j: usize| (at[j] - at[i]).abs() < radius;
    let wanted: f64 = (0..n)
        .filter(|j| near(7, *j))
        .map(|j| f64::from(at[j] - at[7]) * f64::from(radius - (at[j] - at[7]).abs()))
        .sum();
    assert!((f64::from(found.0[7]) - wanted).abs() < 1e-3);
}

#[derive(Clone, Copy, PartialEq, Debug, qd::Data)]
struct Node {
    mass: i64,
    momentum: [i64; 2],
    vel: Vector<f32, 2>,
}

#[derive(Clone, Copy, PartialEq, Debug, qd::Data)]
struct Drop {
    pos: Vector<f32, 2>,
    vel: Vector<f32, 2>,
}

/// Steps of a material point method: particles to the grid, in fixed point so that the order of the sums doesn't show; the
/// grid; and the grid to particles.
#[qd::kernel]
fn material_points(drops: &mut [Drop], grid: &mut NdArray<Node, 2>, steps: usize, dt: f32) {
    let [h, w] = grid.shape();
    let unit = 1048576.0f32;
    #[qd::steps]
    for s in 0..steps {
        for (i, j) in grid.indices() {
            grid[[i, j]] = Node { mass: 0, momentum: [0, 0], vel: vec2(0.0, 0.0) };
        }
        for p in 0..drops.len() {
            let Drop { pos, vel } = drops[p];
            let (i, j) = (pos.x as usize, pos.y as usize);
            let (a, b) = (pos.x - i as f32, pos.y - j as f32);
            for k in 0..2 {
                for l in 0..2 {
                    let weight = (if k == 0 { 1.0 - a } else { a }) * (if l == 0 { 1.0 - b } else { b });
                    qd::atomic::add(&mut grid[[i + k, j + l]].mass, (weight * unit) as i64);
                    qd::atomic::add(&mut grid[[i + k, j + l]].momentum[0], (weight * vel.x * unit) as i64);
                    qd::atomic::add(&mut grid[[i + k, j + l]].momentum[1], (weight * vel.y * unit) as i64);
                }
            }
        }
        for (i, j) in ndrange([0..h, 0..w]) {
            let mass = grid[[i, j]].mass as f32;
            if mass > 0.0 {
                let [x, y] = grid[[i, j]].momentum;
                let mut vel = vec2(x as f32 / mass, y as f32 / mass - 9.8 * dt);
                if i < 2 && vel.x < 0.0 || i + 3 > h && vel.x > 0.0 {
                    vel.x = 0.0;
                }
                if j < 2 && vel.y < 0.0 || j + 3 > w && vel.y > 0.0 {
                    vel.y = 0.0;
                }
                grid[[i, j]].vel = vel;
            }
        }
        for p in 0..drops.len() {
            let pos = drops[p].pos;
            let (i, j) = (pos.x as usize, pos.y as usize);
            let (a, b) = (pos.x - i as f32, pos.y - j as f32);
            let low = grid[[i, j]].vel * (1.0 - b) + grid[[i, j + 1]].vel * b;
            let high = grid[[i + 1, j]].vel * (1.0 - b) + grid[[i + 1, j + 1]].vel * b;
            drops[p].vel = low * (1.0 - a) + high * a;
            drops[p].pos = pos + drops[p].vel * dt;
        }
    }
}

#[test]
fn material_point_method() {
    let start = |k: u64| Drop {
        pos: vec2(4.0 + (hash(k) % 800) as f32 / 100.0, 4.0 + (hash(k + 1000) % 800) as f32 / 100.0),
        vel: vec2(1.0, 0.0),
    };
    let drops: Vec<Drop> = (0..400).map(start).collect();
    let none = Node { mass: 0, momentum: [0, 0], vel: vec2(0.0, 0.0) };
    let (after, grid) = same((drops, NdArray::full([16, 16], none)), |(drops, grid), native| {
        call!(native, material_points(drops, grid, 20, 0.01))
    });
    // Mass is conserved, but for what fixed point cuts off.
    let mass: i64 = grid.as_slice().iter().map(|node| node.mass).sum();
    assert!((mass as f64 / 1048576.0 - 400.0).abs() < 0.01);
    assert!(after.iter().all(|drop| drop.pos.x > 0.5 && drop.pos.y > 0.5 && drop.vel.y < 0.0));
}
