//! Reductions into parts of variables: fields, components, elements; by different operations, and by those that are
//! written without `op=`. The oracle is the native body; for sums of floats, the published tree.
use qd::prelude::*;

use crate::support::{Engines, hash};

#[derive(Clone, Copy, Debug, PartialEq, qd::Data)]
struct Inner {
    least: i32,
    all: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, qd::Data)]
struct Total {
    count: u32,
    bits: u64,
    inner: Inner,
    weight: i64,
}

#[qd::kernel]
fn fields(x: &[i32], start: Total) -> Total {
    let mut total = start;
    for i in 0..x.len() {
        if x[i] % 3 == 0 {
            total.count += total.weight as u32;
        }
        total.bits ^= x[i] as u64;
        total.inner.least = total.inner.least.min(x[i]);
        total.inner.all &= x[i] != 77;
    }
    total
}

#[qd::kernel]
fn forms(
    x: &[i64],
    start: (i64, u8, i64, bool, bool, bool, u64, i64, i64),
) -> (i64, u8, i64, bool, bool, bool, u64, i64, i64) {
    let mut m = start;
    for i in 0..x.len() {
        m.0 = x[i] + m.0;
        m.1 -= x[i] as u8;
        m.2 = m.2.wrapping_mul(x[i] | 1);
        m.3 = x[i] != 5 && m.3;
        if x[i] == 1000 {
            m.4 = true;
        }
        if x[i] < -1_000_000 {
            m.5 = false;
        }
        m.6 = std::cmp::max(m.6, x[i] as u64);
        m.7 = m.7 - x[i];
        m.7 += 3;
        m.8 = m.8.wrapping_sub(x[i]);
    }
    m
}

#[qd::kernel]
fn elements(x: &[i32]) -> ([i32; 4], Vector<i32, 3>) {
    const LAST: usize = 3;
    let mut h = [7; 4];
    let mut v = Vector::from([1, 2, 3]);
    for i in 0..x.len() {
        h[0] += x[i];
        h[1] = h[1].max(x[i]);
        h[LAST] |= x[i];
        v.x += x[i];
        v[2] ^= x[i];
    }
    (h, v)
}

#[qd::kernel]
fn histogram(x: &[i32]) -> ([u32; 16], [(u8, i128); 5]) {
    let mut h = [1; 16];
    let mut s = [(0, 1); 5];
    for i in 0..x.len() {
        let bin = (x[i] & 15) as usize;
        h[bin] += 1;
        h[3] += 2;
        let k = (x[i] % 5).unsigned_abs() as usize;
        s[k].0 |= x[i] as u8;
        s[k].1 = s[k].1.min(x[i] as i128);
    }
    (h, s)
}

#[qd::kernel]
fn grid(x: &NdArray<u8, 2>) -> [[u16; 4]; 4] {
    let mut h = [[0u16; 4]; 4];
    for (i, j) in x.indices() {
        h[(x[[i, j]] & 3) as usize][(x[[i, j]] >> 6) as usize] += 1;
    }
    h
}

#[derive(Clone, Copy, Debug, PartialEq, qd::Data)]
struct Parts {
    n: u32,
    v: [i64; 3],
    h: [[u16; 3]; 2],
    g: [(u8, [u16; 2]); 6],
    m: [Vector<i32, 2>; 3],
}

/// Lists end where no index chooses: rows by operations of their own, an element beside a list, columns of elements.
#[qd::kernel]
fn rows(x: &[u32], start: Parts) -> Parts {
    const LAST: usize = 2;
    let mut s = start;
    for i in 0..x.len() {
        let k = x[i] as usize;
        s.v[1] ^= i as i64;
        s.v[LAST] += 1;
        s.h[0][k % 3] += 1;
        s.h[1][k % 3] ^= x[i] as u16;
        s.h[1][2] ^= 5;
        s.g[k % 6].0 |= x[i] as u8;
        s.g[k % 6].1[0] += 3;
        s.g[(k + i) % 6].1[1] = s.g[(k + i) % 6].1[1].max(x[i] as u16);
        s.m[k % 3] += Vector::from([i as i32, 1]);
        s.n -= x[i];
    }
    s
}

/// What both a row and a column reach is one list.
#[qd::kernel]
fn crossing(x: &[u32]) -> [[u64; 3]; 4] {
    let mut h = [[1; 3]; 4];
    for i in 0..x.len() {
        let k = x[i] as usize;
        h[k % 4][1] += 1;
        h[2][k % 3] += 10;
        h[3][2] += 100;
    }
    h
}

#[derive(Clone, Copy, Debug, qd::Data)]
struct Bins {
    rows: [[u32; 4]; 2],
}

#[qd::kernel]
fn two_ways(x: &[u32]) -> Bins {
    const FIRST: usize = 0;
    let mut b = Bins { rows: [[0; 4]; 2] };
    for i in 0..x.len() {
        b.rows[1][x[i] as usize % 4] += 1;
        b.rows[0][0] ^= 1;
        b.rows[FIRST][x[i] as usize % 4] += 1;
    }
    b
}

#[qd::kernel]
fn physics(m: &[f32], v: &[Vector<f32, 2>]) -> (f32, Vector<f32, 2>, f32, u32) {
    let mut total = (0.0, Vector::zero(), 0.0, 0);
    for i in 0..m.len() {
        total.0 += m[i];
        total.1 += v[i] * m[i];
        total.2 = f32::max(total.2, v[i].norm());
        total.3 += 1;
    }
    total
}

/// Lengths round the edges of lanes, leaves and chunks.
const LENGTHS: [usize; 8] = [0, 1, 33, 1023, 1024, 1025, 5000, 100_003];

#[qd::kernel]
fn of_parameters(x: &[i32], mut m: Matrix<i32, 2, 2>, mut v: qd::Vector<u16, 3>) -> (Matrix<i32, 2, 2>, [u16; 3]) {
    for i in 0..x.len() {
        m[[0, 1]] += x[i];
        m[1].y ^= x[i];
        v[2] = v[2].max(x[i] as u16);
    }
    (m, [v.x, v.y, v.z])
}

fn ints(len: usize) -> Vec<i32> {
    (0..len).map(|n| hash(n as u64) as i32 >> (n % 20)).collect()
}

#[test]
fn parts_by_operations_of_their_own() {
    let start = Total { count: 3, bits: 9, inner: Inner { least: 50, all: true }, weight: 2 };
    for engine in &Engines::new().all {
        for len in LENGTHS {
            let x = ints(len);
            assert_eq!(engine.runtime.scope(|| fields(&x, start)), fields.native(&x, start), "{len} {}", engine.name);
            let wide: Vec<i64> = x.iter().map(|v| i64::from(*v) << 9).collect();
            let start = (1, 2, 3, true, false, true, 4, 5, 6);
            assert_eq!(
                engine.runtime.scope(|| forms(&wide, start)),
                forms.native(&wide, start),
                "{len} {}",
                engine.name
            );
            assert_eq!(engine.runtime.scope(|| elements(&x)), elements.native(&x), "{len} {}", engine.name);
        }
    }
}

#[test]
fn parameters_that_are_vectors_and_matrices() {
    let (m, v) = (Matrix::from([[1, 2], [3, 4]]), vec3(5, 6, 7));
    for engine in &Engines::new().all {
        let x = ints(3000);
        assert_eq!(engine.runtime.scope(|| of_parameters(&x, m, v)), of_parameters.native(&x, m, v), "{}", engine.name);
    }
}

#[test]
fn elements_chosen_at_run_time() {
    for engine in &Engines::new().all {
        for len in LENGTHS {
            let x = ints(len);
            assert_eq!(engine.runtime.scope(|| histogram(&x)), histogram.native(&x), "{len} {}", engine.name);
        }
        let x = NdArray::from_fn([61, 77], |[i, j]| hash((i * 77 + j) as u64) as u8);
        assert_eq!(engine.runtime.scope(|| grid(&x)), grid.native(&x), "{}", engine.name);
    }
}

#[test]
fn disjoint_parts_have_operations_of_their_own() {
    let start = Parts { n: 7, v: [1, 2, 3], h: [[4; 3]; 2], g: [(1, [9, 8]); 6], m: [Vector::from([5, 6]); 3] };
    for engine in &Engines::new().all {
        for len in LENGTHS {
            let x: Vec<u32> = (0..len).map(|n| hash(n as u64) as u32).collect();
            assert_eq!(engine.runtime.scope(|| rows(&x, start)), rows.native(&x, start), "{len} {}", engine.name);
            assert_eq!(engine.runtime.scope(|| crossing(&x)), crossing.native(&x), "{len} {}", engine.name);
        }
    }
}

#[test]
fn a_part_that_two_operations_update_is_named() {
    let error = two_ways.try_call(&[1, 2]).unwrap_err().to_string();
    let named = "`b.rows[0][..]` is updated by `add` here and by `xor` elsewhere in the loop";
    assert!(error.contains("`b.rows[0][..]`") && error.contains("elsewhere in the loop"), "{error} {named}");
}

#[test]
fn floats_go_along_the_tree() {
    for engine in &Engines::new().all {
        for len in LENGTHS {
            let value = |n: usize| (hash(n as u64) % 20_001) as f32 / 10_000.0 - 1.0;
            let m: Vec<f32> = (0..len).map(value).collect();
            let v: Vec<_> = (0..len).map(|n| Vector::from([value(n + 7), value(3 * n)])).collect();
            let got = engine.runtime.scope(|| physics(&m, &v));
            let sum = |values: &mut dyn Iterator<Item = f32>| qd::reduce_reference(qd::ReduceOp::Add, 0.0, values);
            assert_eq!(got.0, sum(&mut m.iter().copied()), "{len} {}", engine.name);
            assert_eq!(got.1.x, sum(&mut v.iter().zip(&m).map(|(v, m)| v.x * m)), "{len} {}", engine.name);
            assert_eq!(got.1.y, sum(&mut v.iter().zip(&m).map(|(v, m)| v.y * m)), "{len} {}", engine.name);
            assert_eq!(got.2, v.iter().fold(0.0, |most: f32, v| most.max(v.norm())), "{len} {}", engine.name);
            assert_eq!(got.3, len as u32);
        }
    }
}

#[qd::kernel]
fn bins(x: &[usize]) -> [u32; 8] {
    let mut h = [0; 8];
    for i in 0..x.len() {
        h[x[i]] += 1;
    }
    h
}

#[test]
fn an_index_out_of_bounds_is_the_first_failure() {
    let mut x = vec![7; 9000];
    x[5000] = 8;
    x[8000] = 9;
    for engine in &Engines::new().all {
        let error = engine.runtime.scope(|| bins.try_call(&x)).unwrap_err().to_string();
        let want = "index out of bounds: the len is 8 but the index is 8 (iteration 5000)";
        assert!(error.ends_with(want), "{error} ({})", engine.name);
    }
}

#[qd::kernel]
fn matrices(x: &[f64]) -> Matrix<f64, 4, 4> {
    let mut m = Matrix::<f64, 4, 4>::zero();
    for i in 0..x.len() {
        let v = Vector::from([1.0, x[i], x[i] * x[i], -x[i]]);
        m += v.outer(v);
    }
    m
}

/// Sixteen sums of doubles are more than lies on the stack.
#[test]
fn many_sums_fit_in_a_small_stack() {
    let x: Vec<f64> = (0..10_000).map(|n| hash(n) as i32 as f64 / 1e9).collect();
    for engine in &Engines::new().all {
        let got = std::thread::scope(|scope| {
            let run = || engine.runtime.scope(|| matrices(&x));
            std::thread::Builder::new().stack_size(128 << 10).spawn_scoped(scope, run).unwrap().join().unwrap()
        });
        for (r, row) in [|_: f64| 1.0, |x: f64| x, |x: f64| x * x, |x: f64| -x].into_iter().enumerate() {
            for (c, column) in [|_: f64| 1.0, |x: f64| x, |x: f64| x * x, |x: f64| -x].into_iter().enumerate() {
                let want = qd::reduce_reference(qd::ReduceOp::Add, 0.0, x.iter().map(|x| row(*x) * column(*x)));
                assert_eq!(got[[r, c]], want, "{r} {c} {}", engine.name);
            }
        }
    }
}
