//! Atomics of floats: sums where every order rounds alike, extremes, exchanges, and updates that no other meets; and
//! `compare_exchange`. The others of integers are in `serial.rs` and `structs.rs`.
use qd::prelude::*;
use qd::{Int, Number, Vector, vec3};

use crate::support::{Class, Edges, Engines, Same, hash};

/// Whole numbers from -8 to 8: sums of 20 000 of them are exact in every order.
fn whole(n: u64) -> i16 {
    (hash(n) % 17) as i16 - 8
}

macro_rules! floats {
    ($($t:ident)*) => { $(
        mod $t {
            use super::*;

            #[qd::kernel]
            fn meet(cells: &mut [$t], x: &[$t], weights: &[$t]) {
                for i in 0..x.len() {
                    qd::atomic::add(&mut cells[i % 3], x[i]);
                    qd::atomic::sub(&mut cells[3 + i % 2], x[i] * 0.5);
                    qd::atomic::min(&mut cells[5], weights[i]);
                    qd::atomic::max(&mut cells[6], weights[i]);
                }
                qd::atomic::add(&mut cells[7], 0.1);
                qd::atomic::exchange(&mut cells[8], x.len() as $t);
            }

            #[test]
            fn updates_that_meet() {
                let x: Vec<$t> = (0..20_000).map(|n| <$t>::from(whole(n))).collect();
                let weights: Vec<$t> = <$t>::edges().into_iter().cycle().take(20_000).collect();
                let low = weights.iter().fold(<$t>::NAN, |a, b| a.min(*b));
                let start = [0.5, -1.0, 0.25, 7.0, 0.0, <$t>::NAN, 3.0, 0.2, -1.0];
                let mut want = start;
                meet.native(&mut want, &x, &weights);
                assert_eq!(want[5], low);
                for engine in &Engines::new().all {
                    let mut got = start;
                    engine.runtime.scope(|| meet(&mut got, &x, &weights));
                    assert_eq!(got, want, "{}", engine.name);
                }
            }

            #[qd::kernel]
            fn alone(cells: &mut [[$t; 5]], old: &mut [[$t; 5]], by: &[$t]) {
                for i in 0..by.len() {
                    old[i][0] = qd::atomic::add(&mut cells[i][0], by[i]);
                    old[i][1] = qd::atomic::sub(&mut cells[i][1], by[i]);
                    old[i][2] = qd::atomic::min(&mut cells[i][2], by[i]);
                    old[i][3] = qd::atomic::max(&mut cells[i][3], by[i]);
                    old[i][4] = qd::atomic::exchange(&mut cells[i][4], by[i]);
                }
            }

            /// As the plain operations, for all pairs of edges.
            #[test]
            fn updates_of_ones_own() {
                let edges = <$t>::edges();
                let pairs: Vec<_> = edges.iter().flat_map(|a| edges.iter().map(|b| (*a, *b))).collect();
                let start: Vec<_> = pairs.iter().map(|(a, _)| [*a; 5]).collect();
                let by: Vec<_> = pairs.iter().map(|(_, b)| *b).collect();
                let want: Vec<_> = pairs.iter().map(|&(a, b)| [a + b, a - b, a.min(b), a.max(b), b]).collect();
                let check = |name: &str, got: &[[$t; 5]], want: &[[$t; 5]]| {
                    for (i, (got, want)) in got.iter().zip(want).enumerate() {
                        for (k, class) in [Class::Exact, Class::Exact, Class::ZeroSign, Class::ZeroSign, Class::Exact]
                            .into_iter()
                            .enumerate()
                        {
                            let (a, b) = pairs[i];
                            assert!(got[k].same(want[k], class), "{name}: {k} of {a:?}, {b:?}: {got:?}, {want:?}");
                        }
                    }
                };
                let zeros = || vec![[0.0; 5]; start.len()];
                let (mut cells, mut old) = (start.clone(), zeros());
                alone.native(&mut cells, &mut old, &by);
                check("native", &cells, &want);
                check("native", &old, &start);
                for engine in &Engines::new().all {
                    let (mut cells, mut old) = (start.clone(), zeros());
                    engine.runtime.scope(|| alone(&mut cells, &mut old, &by));
                    check(&engine.name, &cells, &want);
                    check(&engine.name, &old, &start);
                }
            }

            #[qd::kernel]
            fn pass_on(cells: &mut [$t], got: &mut [$t], x: &[$t]) {
                for i in 0..x.len() {
                    got[i] = qd::atomic::exchange(&mut cells[i % 4], x[i]);
                }
            }

            /// What went in comes out once, or is still there.
            #[test]
            fn exchanges_lose_nothing() {
                let x: Vec<$t> = (4..20_004u32).map(|n| n as $t).collect();
                for engine in &Engines::new().all {
                    let mut cells = [0.0, 1.0, 2.0, 3.0];
                    let mut out = vec![-1.0; x.len()];
                    engine.runtime.scope(|| pass_on(&mut cells, &mut out, &x));
                    out.extend(cells);
                    out.sort_by(<$t>::total_cmp);
                    assert!(out.iter().copied().eq((0..20_004u32).map(|n| n as $t)), "{}", engine.name);
                }
            }

            #[qd::kernel]
            fn total(sum: &mut [$t], x: &[$t]) {
                for i in 0..x.len() {
                    qd::atomic::add(&mut sum[0], x[i]);
                }
            }

            /// Within the bound of any order of summing (Higham, Accuracy and Stability, 4.2).
            #[test]
            fn sums_are_near_in_any_order() {
                let x: Vec<$t> = (0..20_000).map(|n| hash(n) as $t / u64::MAX as $t - 0.25).collect();
                let exact: f64 = x.iter().map(|v| f64::from(*v)).sum();
                let size: f64 = x.iter().map(|v| f64::from(*v).abs()).sum();
                let bound = x.len() as f64 * f64::from(<$t>::EPSILON) * size;
                for engine in &Engines::new().all {
                    let mut sum = [0.0];
                    engine.runtime.scope(|| total(&mut sum, &x));
                    assert!((f64::from(sum[0]) - exact).abs() <= bound, "{}: {sum:?}, {exact}", engine.name);
                }
            }
        }
    )* };
}

mod floats {
    use super::*;
    floats!(f32 f64);
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Cell {
    flag: u8,
    mass: f32,
    momentum: Vector<f64, 3>,
    least: [f32; 2],
    range: (f64, f64),
}

#[qd::kernel]
fn deposit(grid: &mut NdArray<Cell, 2>, at: &[[u8; 2]], mass: &[f32]) {
    for i in 0..at.len() {
        let [r, c] = [at[i][0] as usize, at[i][1] as usize];
        qd::atomic::add(&mut grid[[r, c]].mass, mass[i]);
        qd::atomic::sub(&mut grid[[r, c]].momentum.y, f64::from(mass[i]) * 0.25);
        qd::atomic::add(&mut grid[[r, c]].momentum[i % 2 * 2], 1.0);
        qd::atomic::min(&mut grid[[c, r]].least[i % 2], mass[i]);
        qd::atomic::max(&mut grid[[c, r]].range.1, f64::from(mass[i]));
        qd::atomic::add(&mut grid[[c, r]].flag, 1);
    }
}

#[test]
fn parts_of_elements() {
    let at: Vec<[u8; 2]> = (0..20_000).map(|n| [(hash(n) % 3) as u8, (hash(!n) % 3) as u8]).collect();
    let mass: Vec<f32> = (0..20_000).map(|n| f32::from(whole(n))).collect();
    let cell = Cell { flag: 250, mass: 0.5, momentum: vec3(0.0, -1.0, 2.0), least: [9.0; 2], range: (1.0, -9.0) };
    let mut want = NdArray::full([3, 3], cell);
    deposit.native(&mut want, &at, &mass);
    for engine in &Engines::new().all {
        let mut got = NdArray::full([3, 3], cell);
        engine.runtime.scope(|| deposit(&mut got, &at, &mass));
        assert_eq!(got, want, "{}", engine.name);
    }
}

macro_rules! compare_exchange {
    ($($t:ident |$v:ident| $bits:expr;)*) => { $(
        mod $t {
            use super::*;

            #[qd::kernel]
            fn alone(cells: &mut [$t], old: &mut [$t], current: &[$t], new: &[$t]) {
                for i in 0..new.len() {
                    old[i] = qd::atomic::compare_exchange(&mut cells[i], current[i], new[i]);
                }
            }

            /// All pairs of edges: by bits, which tell zeros and NaNs apart.
            #[test]
            fn it_compares_bits() {
                let bits = |$v: $t| $bits;
                let edges = <$t>::edges();
                let pairs: Vec<_> = edges.iter().flat_map(|a| edges.iter().map(|b| (*a, *b))).collect();
                let start: Vec<_> = pairs.iter().map(|(a, _)| *a).collect();
                let current: Vec<_> = pairs.iter().map(|(_, b)| *b).collect();
                let new: Vec<_> = (0..pairs.len()).map(|i| edges[i * 7 % edges.len()]).collect();
                let want: Vec<_> = (0..pairs.len())
                    .map(|i| bits(if bits(start[i]) == bits(current[i]) { new[i] } else { start[i] }))
                    .collect();
                let all = |x: &[$t]| x.iter().map(|v| bits(*v)).collect::<Vec<_>>();
                let (mut cells, mut old) = (start.clone(), start.clone());
                alone.native(&mut cells, &mut old, &current, &new);
                assert_eq!((all(&cells), all(&old)), (want.clone(), all(&start)));
                for engine in &Engines::new().all {
                    let (mut cells, mut old) = (start.clone(), new.clone());
                    engine.runtime.scope(|| alone(&mut cells, &mut old, &current, &new));
                    assert_eq!((all(&cells), all(&old)), (want.clone(), all(&start)), "{}", engine.name);
                }
            }

            #[qd::kernel]
            fn add_up(cells: &mut [$t], x: &[$t]) {
                for i in 0..x.len() {
                    let mut seen = x[i];
                    loop {
                        let old = qd::atomic::compare_exchange(&mut cells[i % 3], seen, seen + x[i]);
                        if old == seen {
                            break;
                        }
                        seen = old;
                    }
                }
            }

            /// A sum made of them, whose terms don't overflow: every update is there once.
            #[test]
            fn loops_of_it_lose_nothing() {
                let x: Vec<$t> = (0..20_000).map(|n| (n % 500 == 0) as u8 as $t).collect();
                let start = [1 as $t, 2 as $t, 3 as $t];
                let mut want = start;
                add_up.native(&mut want, &x);
                for engine in &Engines::new().all {
                    let mut got = start;
                    engine.runtime.scope(|| add_up(&mut got, &x));
                    assert_eq!(got, want, "{}", engine.name);
                }
            }
        }
    )* };
}

mod compare_exchange {
    use super::*;
    compare_exchange! {
        i8 |v| v; i16 |v| v; i32 |v| v; i64 |v| v; isize |v| v;
        u8 |v| v; u16 |v| v; u32 |v| v; u64 |v| v; usize |v| v;
        f32 |v| v.to_bits(); f64 |v| v.to_bits();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Seat {
    row: u16,
    taken: [u32; 2],
    price: Vector<f32, 2>,
}

#[qd::kernel]
fn claim(seats: &mut [Seat], wanted: &[usize], got: &mut [bool]) -> u32 {
    let mut lucky = 0;
    for i in 0..got.len() {
        let mine = i as u32 + 1;
        got[i] = qd::atomic::compare_exchange(&mut seats[wanted[i]].taken[i % 2], 0, mine) == 0;
        if got[i] {
            qd::atomic::compare_exchange(&mut seats[wanted[i]].price.y, 2.5, 5.0);
            lucky += 1;
        }
    }
    lucky
}

#[test]
fn one_of_those_who_claim_gets_it() {
    let wanted: Vec<usize> = (0..8_000).map(|n| (hash(n) % 300) as usize).collect();
    let start = vec![Seat { row: 9, taken: [0, 0], price: Vector::from([1.0, 2.5]) }; 300];
    for engine in &Engines::new().all {
        let (mut seats, mut got) = (start.clone(), vec![false; wanted.len()]);
        let lucky = engine.runtime.scope(|| claim(&mut seats, &wanted, &mut got));
        for (seat, seen) in seats.iter().enumerate() {
            for (k, taken) in seen.taken.into_iter().enumerate() {
                let claims: Vec<usize> = (k..wanted.len()).step_by(2).filter(|i| wanted[*i] == seat).collect();
                let winners: Vec<u32> = claims.iter().filter(|i| got[**i]).map(|i| *i as u32 + 1).collect();
                match taken {
                    0 => assert!(claims.is_empty(), "{}", engine.name),
                    taken => assert_eq!(winners, [taken], "{}", engine.name),
                }
            }
            let price = if seen.taken == [0, 0] { 2.5 } else { 5.0 };
            assert_eq!((seen.row, seen.price), (9, Vector::from([1.0, price])), "{}", engine.name);
        }
        assert_eq!(lucky as usize, got.iter().filter(|got| **got).count(), "{}", engine.name);
    }
}

/// Through type parameters: a number needs no other bound.
#[qd::func]
fn count<T: Number>(cell: &[T], by: T) -> T {
    cell[0] + by
}

#[qd::kernel]
fn numbers<T: Number>(cells: &mut [T], x: &[T]) {
    for i in 0..x.len() {
        qd::atomic::add(&mut cells[i % 2], x[i]);
        qd::atomic::max(&mut cells[2], x[i]);
    }
    for i in 0..1 {
        qd::atomic::sub(&mut cells[3], count(x, T::ONE));
        qd::atomic::exchange(&mut cells[4], x[0]);
    }
}

#[qd::kernel]
fn bits<T: Int>(cells: &mut [T], x: &[T]) {
    for i in 0..x.len() {
        qd::atomic::or(&mut cells[0], x[i]);
        qd::atomic::xor(&mut cells[1], x[i]);
        qd::atomic::compare_exchange(&mut cells[2 + i], T::ZERO, x[i]);
    }
}

#[test]
fn atomics_of_any_number() {
    for engine in &Engines::new().all {
        let x: Vec<f64> = (0..5000).map(|n| f64::from(whole(n))).collect();
        let (mut want, mut got) = ([1.0; 5], [1.0; 5]);
        numbers.native(&mut want, &x);
        engine.runtime.scope(|| numbers(&mut got, &x));
        assert_eq!(got, want, "{}", engine.name);
        let x: Vec<u16> = (0..5000).map(|n| hash(n) as u16).collect();
        let (mut want, mut got) = ([1; 5], [1; 5]);
        numbers.native(&mut want, &x);
        engine.runtime.scope(|| numbers(&mut got, &x));
        assert_eq!(got, want, "{}", engine.name);
        let (mut want, mut got) = (vec![0; 5002], vec![0; 5002]);
        bits.native(&mut want, &x);
        engine.runtime.scope(|| bits(&mut got, &x));
        assert_eq!(got, want, "{}", engine.name);
    }
}
