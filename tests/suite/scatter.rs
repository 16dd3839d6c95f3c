//! `qd::scatter`: the same as natively where no two iterations meet in an element, and otherwise a failure of the lowest
//! iteration that comes second anywhere.
use std::fmt::Debug;

use qd::prelude::*;
use qd::{ErrorKind, scatter};

use crate::support::{Engines, hash};

#[derive(Clone, Copy, Debug, PartialEq, qd::Data)]
struct Atom {
    place: Vector<f32, 3>,
    kind: u8,
    next: [u16; 2],
}

#[qd::kernel]
fn permute<T: qd::Number>(to: &[u32], x: &[T], y: &mut [T]) {
    for i in 0..x.len() {
        qd::scatter(&mut y[to[i] as usize], x[i]);
    }
}

qd::instantiate!(permute<i8>, permute<u16>, permute<f32>, permute<f64>, permute<i128>, permute<qd::f16>);

#[qd::kernel]
fn atoms(to: &[u32], x: &[Atom], y: &mut [Atom]) -> u32 {
    let mut count = 0;
    for i in 0..x.len() {
        let atom = x[i];
        if atom.kind != 3 {
            scatter(&mut y[to[i] as usize], Atom { next: [atom.next[1], i as u16], ..atom });
            count += 1;
        }
    }
    count
}

#[qd::kernel]
fn turned(x: &NdArray<f64, 2>, y: &mut NdArray<f64, 2>, shift: &[usize]) {
    let rows = y.shape()[0];
    for (i, j) in x.indices() {
        // A value that is computed after the place, and a literal.
        scatter(&mut y[[(j + shift[i]) % rows, i]], x[[i, j]] + 1.0);
    }
}

/// Several elements an iteration, one of them twice, from two places in the source.
#[qd::kernel]
fn several(to: &[u32], y: &mut [u64]) {
    for i in 0..to.len() / 3 {
        for k in 0..3 {
            ::qd::scatter(&mut y[to[3 * i + k] as usize], i as u64);
        }
        if i % 2 == 0 {
            scatter(&mut y[to[3 * i] as usize], (i + 1000) as u64);
        }
    }
}

/// Where a loop runs in order, elements may be written again.
#[qd::kernel]
fn in_order(to: &[u32], y: &mut [u64]) {
    #[qd::serial]
    for i in 0..to.len() {
        scatter(&mut y[to[i] as usize], i as u64);
    }
}

#[qd::func]
fn put(y: &mut [u64], at: usize, value: u64) {
    scatter(&mut y[at], value);
}

#[qd::kernel]
fn once(y: &mut [u64], at: usize) {
    put(y, at, 7);
    scatter(&mut y[at + 1], 8);
}

/// A permutation of `0..n`.
fn permutation(n: usize) -> Vec<u32> {
    let mut to: Vec<u32> = (0..n as u32).collect();
    for i in (1..n).rev() {
        to.swap(i, hash(i as u64) as usize % (i + 1));
    }
    to
}

#[track_caller]
fn same<D: Clone + PartialEq + Debug>(start: &D, native: impl Fn(&mut D), compiled: impl Fn(&mut D)) -> D {
    let mut want = start.clone();
    native(&mut want);
    for engine in &Engines::new().all {
        let mut got = start.clone();
        engine.runtime.scope(|| compiled(&mut got));
        assert!(got == want, "{}: differs", engine.name);
    }
    want
}

fn permuted<T: qd::Number + Default + PartialEq + Debug>(of: impl Fn(u64) -> T) {
    for n in [0, 1, 2, 1000, 70_000] {
        let (to, x) = (permutation(n), (0..n as u64).map(&of).collect::<Vec<T>>());
        let y = same(&vec![T::default(); n], |y| permute.native(&to, &x, y), |y| permute(&to, &x, y));
        assert!((0..n).all(|i| y[to[i] as usize] == x[i]));
    }
}

#[test]
fn permutations_of_every_width() {
    permuted(|n| hash(n) as i8);
    permuted(|n| hash(n) as u16);
    permuted(|n| hash(n) as f32);
    permuted(|n| hash(n) as f64);
    permuted(|n| i128::from(hash(n)) << 40);
    permuted(|n| qd::f16::from_f64(hash(n) as f64 / 1e16));
}

#[test]
fn whole_structs() {
    let n = 5000;
    let atom = |n: u64| Atom {
        place: vec3(n as f32, hash(n) as f32, -1.0),
        kind: (hash(n) % 5) as u8,
        next: [n as u16, hash(n) as u16],
    };
    let (to, x): (_, Vec<Atom>) = (permutation(n), (0..n as u64).map(atom).collect());
    let start = vec![atom(7); n];
    let count = std::cell::Cell::new(0);
    same(&start, |y| count.set(atoms.native(&to, &x, y)), |y| assert_eq!(atoms(&to, &x, y), count.get()));
}

#[test]
fn two_dimensions_and_several_elements() {
    let x = NdArray::from_fn([40, 60], |[i, j]| (100 * i + j) as f64);
    let shift: Vec<usize> = (0..40).map(|i| hash(i) as usize % 60).collect();
    same(&NdArray::zeros([60, 40]), |y| turned.native(&x, y, &shift), |y| turned(&x, y, &shift));
    let to = permutation(30_000);
    same(&vec![0; 30_000], |y| several.native(&to, y), |y| several(&to, y));
}

#[test]
fn in_order_an_element_may_be_written_again() {
    let to = [3, 1, 3, 3, 0, 1];
    let y = same(&vec![9; 4], |y| in_order.native(&to, y), |y| in_order(&to, y));
    assert_eq!(y, [4, 5, 9, 3]);
    assert_eq!(same(&vec![0; 4], |y| once.native(y, 2), |y| once(y, 2)), [0, 0, 7, 8]);
}

#[test]
fn the_lowest_iteration_that_comes_second_fails() {
    let n = 50_000;
    let x: Vec<f32> = (0..n).map(|i| i as f32).collect();
    for engine in &Engines::new().all {
        engine.runtime.scope(|| {
            // Iterations 20,000 and 49,999 collide, 45,000 and 300 do, and 7 with 1 and 46,000.
            for (twins, first, second) in [
                (&[(20_000, 49_999)][..], 20_000, 49_999),
                (&[(20_000, 49_999), (300, 45_000)], 300, 45_000),
                (&[(300, 45_000), (1, 7), (1, 46_000)], 1, 7),
            ] {
                let mut to = permutation(n);
                for (a, b) in twins {
                    to[*b] = to[*a];
                }
                let mut y = vec![-1.0; n];
                let error = permute.try_call(&to, &x, &mut y).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Fault);
                let text = error.to_string();
                let words = format!(
                    "this iteration scatters to an element that iteration {first} has scattered to (array `y`, iteration \
                     {second})"
                );
                assert!(text.contains(&words), "{}: {text}", engine.name);
                assert!(text.starts_with("kernel `permute` at tests/suite/scatter.rs:"), "{text}");
                // All below have written, and nothing that nobody was to write was.
                let shared = |i: usize| twins.iter().any(|(a, b)| i == *a || i == *b);
                assert!((0..second).all(|i| shared(i) || y[to[i] as usize] == x[i]), "{}", engine.name);
                let mut wanted = vec![false; n];
                to.iter().for_each(|to| wanted[*to as usize] = true);
                assert!((0..n).all(|at| wanted[at] || y[at] == -1.0), "{}", engine.name);
                // The next launch knows nothing of it.
                permute.try_call(&permutation(n), &x, &mut y).unwrap();
            }
        });
    }
}

#[test]
fn an_index_out_of_bounds_fails_as_ever() {
    for engine in &Engines::new().all {
        engine.runtime.scope(|| {
            let (mut to, x) = (permutation(1000), vec![1i8; 1000]);
            to[400] = 1000;
            to[900] = to[10];
            let error = permute.try_call(&to, &x, &mut vec![0; 1000]).unwrap_err().to_string();
            assert!(error.contains("index out of bounds: the len is 1000 but the index is 1000"), "{error}");
            assert!(error.contains("(array `y`, iteration 400)"), "{error}");
        });
    }
}

/// Extents whose product wraps, of an array without elements.
#[qd::kernel]
fn nowhere(to: &[usize], y: &mut NdArray<u8, 3>) {
    for i in 0..to.len() {
        scatter(&mut y[[to[i], 0, 0]], 1);
    }
}

#[test]
fn arrays_without_elements_have_no_claims() {
    for engine in &Engines::new().all {
        engine.runtime.scope(|| {
            let mut y = NdArray::zeros([1 << 40, 1 << 40, 0]);
            nowhere.try_call(&[], &mut y).unwrap();
            let error = nowhere.try_call(&[5], &mut y).unwrap_err().to_string();
            assert!(error.contains("the extent of dimension 2 is 0 but the index is 0"), "{error}");
        });
    }
}
