//! The race rule on algorithms of the books, whose iterations are kept apart by what a condition leaves out, by parity, or
//! by the bounds of a triangle or a diagonal: without `unsafe`, natively and on every engine; and what lies beside them.
use qd::prelude::*;

use crate::ownership::{numbers, same};
use crate::support::Engines;

/// Lengths of all shortest paths.
#[qd::kernel]
fn floyd_warshall(d: &mut NdArray<f32, 2>) {
    let n = d.shape()[0];
    #[qd::steps]
    for k in 0..n {
        for (i, j) in ndrange([n, n]) {
            if i != k && j != k {
                d[[i, j]] = d[[i, j]].min(d[[i, k]] + d[[k, j]]);
            }
        }
    }
}

/// The same in rows of a slice, with the row of `k` left out.
#[qd::kernel]
fn floyd_warshall_by_rows(d: &mut [f32], n: usize) {
    #[qd::steps]
    for k in 0..n {
        for i in 0..n {
            if i == k {
                continue;
            }
            let first = d[i * n + k];
            for j in 0..n {
                d[i * n + j] = d[i * n + j].min(first + d[k * n + j]);
            }
        }
    }
}

#[qd::kernel]
fn gauss_jordan(a: &mut NdArray<f32, 2>) {
    let (n, m) = (a.shape()[0], a.shape()[1]);
    #[qd::steps]
    for k in 0..n {
        let pivot = a[[k, k]];
        for j in 0..m {
            a[[k, j]] /= pivot;
        }
        for i in 0..n {
            if i != k {
                let factor = a[[i, k]];
                for j in k..m {
                    a[[i, j]] -= factor * a[[k, j]];
                }
            }
        }
    }
}

/// A rotation of two rows and columns of a symmetric matrix.
#[qd::kernel]
fn rotate(a: &mut NdArray<f32, 2>, p: usize, q: usize) {
    for k in 0..a.shape()[0] {
        if k == p || k == q {
            continue;
        }
        let (x, y) = (a[[k, p]], a[[k, q]]);
        a[[k, p]] = 0.75 * x - 0.5 * y;
        a[[p, k]] = 0.75 * x - 0.5 * y;
        a[[k, q]] = 0.5 * x + 0.75 * y;
        a[[q, k]] = 0.5 * x + 0.75 * y;
    }
}

fn matrix(n: usize, m: usize) -> NdArray<f32, 2> {
    let numbers = numbers(n * m);
    NdArray::from_fn([n, m], |[i, j]| numbers[i * m + j] + if i == j { 999.0 } else { 1.0 })
}

#[test]
fn rows_and_columns_that_a_condition_leaves_out() {
    let paths = same(matrix(40, 40), |d, native| call!(native, floyd_warshall(d)));
    let rows = same(matrix(40, 40).as_slice().to_vec(), |d, native| call!(native, floyd_warshall_by_rows(d, 40)));
    assert_eq!(paths.as_slice(), rows);
    let solved = same(matrix(30, 31), |a, native| call!(native, gauss_jordan(a)));
    assert_eq!((solved[[7, 7]], solved[[7, 8]], solved[[8, 7]]), (1.0, 0.0, 0.0));
    same(matrix(300, 300), |a, native| call!(native, rotate(a, 7, 150)));
}

#[qd::kernel]
fn odd_even_sort(x: &mut [f32]) {
    let n = x.len();
    #[qd::steps]
    for phase in 0..n {
        for k in 0..n / 2 {
            let i = 2 * k + phase % 2;
            if i + 1 < n && x[i] > x[i + 1] {
                (x[i], x[i + 1]) = (x[i + 1], x[i]);
            }
        }
    }
}

#[qd::kernel]
fn odd_even_sort_by_steps(x: &mut [f32]) {
    let n = x.len();
    #[qd::steps]
    for phase in 0..n {
        for i in (phase % 2..n.saturating_sub(1)).step_by(2) {
            if x[i] > x[i + 1] {
                (x[i], x[i + 1]) = (x[i + 1], x[i]);
            }
        }
    }
}

#[test]
fn neighbours_that_swap() {
    for n in [0, 1, 2, 9, 255, 300, 1001] {
        let mut sorted = numbers(n);
        sorted.sort_by(f32::total_cmp);
        assert_eq!(same(numbers(n), |x, native| call!(native, odd_even_sort(x))), sorted);
        assert_eq!(same(numbers(n), |x, native| call!(native, odd_even_sort_by_steps(x))), sorted);
    }
}

/// Scores of alignments, by diagonals.
#[qd::kernel]
fn needleman_wunsch(h: &mut NdArray<i32, 2>, a: &[u8], b: &[u8]) {
    let (n, m) = (a.len(), b.len());
    for i in 0..n + 1 {
        h[[i, 0]] = -(i as i32);
    }
    for j in 0..m + 1 {
        h[[0, j]] = -(j as i32);
    }
    #[qd::steps]
    for d in 2..n + m + 1 {
        for i in 1.max(d.saturating_sub(m))..=n.min(d - 1) {
            let j = d - i;
            let matched = h[[i - 1, j - 1]] + if a[i - 1] == b[j - 1] { 1 } else { -1 };
            h[[i, j]] = matched.max(h[[i - 1, j]] - 1).max(h[[i, j - 1]] - 1);
        }
    }
}

#[test]
fn diagonals_with_bounded_ends() {
    let letters = |n: usize, by: usize| -> Vec<u8> { (0..n).map(|k| b"ACGT"[k * k / by % 4]).collect() };
    for (n, m) in [(1, 1), (30, 20), (20, 300)] {
        let (a, b) = (letters(n, 3), letters(m, 5));
        same(NdArray::zeros([n + 1, m + 1]), |h, native| call!(native, needleman_wunsch(h, &a, &b)));
    }
}

#[qd::kernel]
fn transpose(a: &mut NdArray<f32, 2>, below: &mut NdArray<f32, 2>, above: &mut [f32]) {
    let n = a.shape()[0];
    for (i, j) in ndrange([n, n]) {
        if j < i {
            (a[[i, j]], a[[j, i]]) = (a[[j, i]], a[[i, j]]);
        }
    }
    for i in 0..n {
        for j in 0..i {
            (below[[i, j]], below[[j, i]]) = (below[[j, i]], below[[i, j]]);
        }
    }
    for i in 0..n {
        for j in (i + 1..n).rev() {
            (above[i * n + j], above[j * n + i]) = (above[j * n + i], above[i * n + j]);
        }
    }
}

/// The lower triangle becomes what the upper is, and is factored.
#[qd::kernel]
fn cholesky(a: &mut NdArray<f32, 2>) {
    let n = a.shape()[0];
    for i in 0..n {
        for j in i..n {
            a[[j, i]] = a[[i, j]];
        }
    }
    #[qd::steps]
    for k in 0..n {
        let root = a[[k, k]].sqrt();
        for i in k..n {
            a[[i, k]] /= root;
        }
        for i in k + 1..n {
            for j in k + 1..=i {
                a[[i, j]] -= a[[i, k]] * a[[j, k]];
            }
        }
    }
}

#[test]
fn triangles() {
    let start = matrix(270, 270);
    let [a, below, above] = {
        let start = (start.clone(), start.clone(), start.as_slice().to_vec());
        let (a, below, above) = same(start, |(a, b, c), native| call!(native, transpose(a, b, c)));
        [a.as_slice().to_vec(), below.as_slice().to_vec(), above]
    };
    assert!(a == below && a == above && (a[1], a[270]) == (start[[1, 0]], start[[0, 1]]));
    same(matrix(60, 60), |a, native| call!(native, cholesky(a)));
}

/// Blocks and rows of lengths that are rounded.
#[qd::kernel]
fn rounded(x: &mut [f32], rows: &mut [f32], b: usize) {
    let n = x.len();
    for t in 0..n.div_ceil(b) {
        for i in t * b..(t * b + b).min(n) {
            x[i] += t as f32;
        }
    }
    for r in 0..3 {
        for i in 0..b.clamp(1, 9) {
            rows[r * b.next_multiple_of(4) + i] += 1.0;
        }
    }
}

#[test]
fn lengths_that_are_rounded() {
    for b in [1, 2, 7, 9] {
        same((numbers(1000), numbers(50)), |(x, rows), native| call!(native, rounded(x, rows, b)));
    }
}

#[qd::kernel]
fn all_but(x: &mut [f32], left_out: usize, read: usize) {
    for i in 0..x.len() {
        if i != left_out {
            x[i] += x[read];
        }
    }
}

#[qd::kernel]
fn all_rows_but(x: &mut [f32], w: usize, left_out: usize, read: usize, wide: usize) {
    for i in 0..8 {
        if i == left_out {
            continue;
        }
        for j in 0..w {
            x[i * w + j] += x[read * w + j + wide];
        }
    }
}

/// Either suffices, so neither is known.
#[qd::kernel]
fn all_but_a_corner(x: &mut NdArray<f32, 2>, k: usize) {
    let n = x.shape()[0];
    for (i, j) in ndrange([n, n]) {
        if i != k || j != k {
            x[[i, j]] += x[[i, k]] + x[[k, j]];
        }
    }
}

#[qd::kernel]
fn neighbours(x: &mut [f32], phase: usize, apart: usize) {
    let n = x.len();
    for k in 0..n / 2 {
        let i = 2 * k + phase % 2;
        if i + apart < n {
            (x[i], x[i + apart]) = (x[i + apart], x[i]);
        }
    }
}

#[qd::kernel]
fn neighbours_by_steps(x: &mut [f32], less: usize, apart: usize) {
    let n = x.len();
    for i in (0..n.saturating_sub(less)).step_by(2) {
        (x[i], x[i + apart]) = (x[i + apart], x[i]);
    }
}

#[qd::kernel]
fn diagonal(h: &mut NdArray<i32, 2>, d: usize, up: usize, left: usize) {
    for i in 1.max(d.saturating_sub(20))..=30.min(d - 1) {
        let j = d - i;
        h[[i, j]] += h[[i - up, j + 1 - left]];
    }
}

#[qd::kernel]
fn triangle(a: &mut NdArray<f32, 2>, more: usize) {
    let n = a.shape()[0];
    for i in 0..n - 8 {
        for j in 0..(i + more).saturating_sub(8) {
            (a[[i, j]], a[[j, i]]) = (a[[j, i]], a[[i, j]]);
        }
    }
}

#[qd::kernel]
fn triangle_of_rows(a: &mut [f32], n: usize, w: usize) {
    for i in 0..n {
        for j in 0..i {
            (a[i * w + j], a[j * w + i]) = (a[j * w + i], a[i * w + j]);
        }
    }
}

#[qd::kernel]
fn saturated(x: &mut [f32], n: usize, first: usize, by: usize) {
    for i in first..n {
        x[i.saturating_sub(by)] += 1.0;
    }
}

#[test]
fn what_lies_beside_them_stops_the_launch() {
    macro_rules! rows {
        ($($kernel:ident($($arg:expr),*): $fine:expr;)*) => {
            $({
                let told = $kernel.try_call($($arg),*).map_err(|error| (error.kind(), error.to_string()));
                let fine = told.as_ref().is_ok_and(|()| $fine)
                    || told.as_ref().is_err_and(|(kind, _)| *kind == qd::ErrorKind::Race && !$fine);
                assert!(fine, "{}: {told:?}", stringify!($kernel($($arg),*)));
            })*
        };
    }
    let zeros = NdArray::<f32, 2>::zeros;
    for engine in &Engines::new().all {
        engine.runtime.scope(|| {
            let mut x = vec![0.0; 300];
            rows! {
                all_but(&mut x, 150, 150): true;
                all_but(&mut x, 150, 151): false;
                all_but(&mut x, 150, 149): false;
                all_but(&mut x, 300, 299): false;
                all_rows_but(&mut x, 20, 5, 5, 0): true;
                all_rows_but(&mut x, 20, 5, 4, 0): false;
                all_rows_but(&mut x, 20, 5, 5, 1): false;
                all_but_a_corner(&mut zeros([9, 9]), 4): false;
                neighbours(&mut x, 1, 1): true;
                neighbours(&mut x, 1, 3): true;
                neighbours(&mut x, 0, 2): false;
                neighbours(&mut x, 1, 4): false;
                neighbours_by_steps(&mut x, 1, 1): true;
                neighbours_by_steps(&mut x, 2, 2): false;
                diagonal(&mut NdArray::zeros([40, 60]), 25, 1, 1): true;
                diagonal(&mut NdArray::zeros([40, 60]), 25, 0, 2): true;
                diagonal(&mut NdArray::zeros([40, 60]), 25, 1, 0): false;
                diagonal(&mut NdArray::zeros([40, 60]), 25, 0, 1): true;
                triangle(&mut zeros([300, 300]), 8): true;
                triangle(&mut zeros([300, 300]), 9): true;
                triangle(&mut zeros([300, 300]), 10): false;
                triangle_of_rows(&mut x, 17, 17): true;
                triangle_of_rows(&mut x, 17, 16): false;
                triangle_of_rows(&mut x, 16, 17): true;
                saturated(&mut x, 300, 1, 1): true;
                saturated(&mut x, 300, 0, 1): false;
                saturated(&mut x, 300, 5, 7): false;
            }
        });
    }
}
