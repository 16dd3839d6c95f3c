//! What loops run over: ranges with and without their ends, backwards, in steps, of every integer type up to its ends.
use qd::prelude::*;

use crate::support::{Engines, hash, pairs};

/// Rows that fold the values of a loop so that their order shows; of long loops the first 300.
macro_rules! folds {
    ($name:ident, ($a:ident: $t:ty, $b:ident: $u:ty), { $($row:ident = $range:expr;)+ }) => {
        table! { $name, ($a: $t, $b: $u) = pairs(|_, _| true), Exact { $(
            $row: u64 = {
                let mut sum = 7u64;
                let mut count = 0u64;
                for v in $range {
                    sum = sum.wrapping_mul(31).wrapping_add(v as u64);
                    count += 1;
                    if count == 300 {
                        break;
                    }
                }
                sum ^ (count << 40)
            };
        )+ } }
    };
}

/// The same for every integer type, with the edges of the type as ends.
macro_rules! domains {
    ($($name:ident $t:ident)*) => { $(
        folds! { $name, (a: $t, b: $t), {
            up = a..b;
            closed = a..=b;
            down = (a..b).rev();
            closed_down = (a..=b).rev();
            stepped = (a..b).step_by(3);
            closed_stepped = (a..=b).step_by(7);
            stepped_down = (a..=b).rev().step_by(5);
            by_value = (a..=b).step_by((b as usize & 15) + 1);
            by_much = (a..b).step_by(usize::MAX);
            twice = (a..=b).step_by(2).step_by(3);
            twice_back = (a..b).rev().rev();
            from_least = $t::MIN..=a;
            to_most = a..=$t::MAX;
            to_most_down = (a..=$t::MAX).rev();
            all = $t::MIN..=$t::MAX;
            literal = 0..=9;
            to_literal = a..=100;
            backwards_literal = (3..=9).rev();
        } }
    )* };
}
domains! {
    of_i8 i8  of_i16 i16  of_i32 i32  of_i64 i64  of_isize isize
    of_u8 u8  of_u16 u16  of_u32 u32  of_u64 u64  of_usize usize
}

table! { jumps, (a: u32, b: u32) = pairs(|_, _| true), Exact {
    // Jumps go past all that a loop over a whole 64-bit type is made of.
    whole: u64 = {
        let mut n = 0u64;
        'outer: for i in 0..=3u32 {
            for v in 0..=u64::MAX {
                n += v ^ i as u64;
                if v % 3 == 2 {
                    continue 'outer;
                }
                if v > (a % 50) as u64 {
                    break 'outer;
                }
                if v == 1 {
                    continue;
                }
                n += 1;
            }
        }
        n
    };
    last: u64 = {
        let mut n = 0u64;
        for v in u64::MAX - (b % 7) as u64..=u64::MAX {
            n = n * 10 + (u64::MAX - v);
        }
        n
    };
    mutable: u64 = {
        let mut n = 0u64;
        for mut v in (0..=a % 9).rev() {
            v *= 2;
            n = n * 31 + v as u64;
        }
        n
    };
    unrolled: u64 = {
        let mut n = 0u64;
        #[qd::unroll]
        for v in 0..=7u64 {
            n = n.rotate_left(5) ^ (v * a as u64);
        }
        #[qd::unroll(3)]
        for v in (0..a % 23).step_by(2) {
            n = n.rotate_left(3) + v as u64;
            if n % 64 == 1 {
                break;
            }
        }
        n
    };
} }

#[qd::kernel]
fn neighbours(out: &mut [u64], x: &[u64], width: usize) {
    for i in 0..out.len() {
        for k in 0..=width {
            out[i] = out[i] * 3 + x[i + k];
        }
        for k in (0..=width).rev().step_by(2) {
            out[i] = out[i] * 5 + x[i + k];
        }
    }
}

#[test]
fn accesses_in_loops_with_ends_are_checked() {
    let x: Vec<u64> = (0..1000).map(hash).collect();
    for engine in &Engines::new().all {
        for width in [0, 1, 4, 9] {
            let (mut got, mut want) = (vec![1; x.len() - width], vec![1; x.len() - width]);
            neighbours.native(&mut want, &x, width);
            engine.runtime.scope(|| neighbours(&mut got, &x, width));
            assert_eq!(got, want, "{} {width}", engine.name);
        }
        let error = engine.runtime.scope(|| neighbours.try_call(&mut vec![0; 997], &x, 4)).unwrap_err().to_string();
        assert!(error.contains("the len is 1000 but the index is 1000 (array `x`, iteration 996)"), "{error}");
    }
}

/// What a parallel loop of every form runs over, told by sums.
macro_rules! parallel {
    ($($t:ident)*) => { $(
        #[test]
        fn $t() {
            #[qd::kernel]
            fn kernel(a: $t, b: $t, k: usize) -> (u64, u64, u64, u64, u64, u64) {
                let (mut closed, mut down, mut stepped, mut back, mut least, mut first) = (0u64, 0, 0, 0, 0, 0);
                for v in a..=b {
                    closed += (v as u64).wrapping_mul(2) ^ 5;
                }
                for v in (a..b).rev() {
                    down += (v as u64).wrapping_mul(2) ^ 5;
                }
                for v in (a..=b).step_by(k) {
                    stepped += (v as u64).wrapping_mul(2) ^ 5;
                }
                for v in (a..b).rev().step_by(k) {
                    back += (v as u64).wrapping_mul(2) ^ 5;
                }
                for v in a..=100 {
                    least += (v as u64).wrapping_mul(2) ^ 5;
                }
                for v in (0..=9).step_by(2) {
                    first += v as $t as u64;
                }
                (closed, down, stepped, back, least, first)
            }
            let near = |at: $t, to: $t| at.abs_diff(to) as u64 <= 5000;
            let (a, b) = pairs::<$t, $t>(|a, b| (a > b || near(a, b)) && (a > 100 || near(a, 100)));
            for engine in &Engines::new().all {
                for (n, (a, b)) in a.iter().zip(&b).enumerate() {
                    for k in [1, 2, 7, 1 << 40] {
                        let (a, b) = (*a, *b);
                        let want = kernel.native(a, b, k);
                        let got = engine.runtime.scope(|| kernel(a, b, k));
                        assert_eq!(got, want, "{a}..{b} by {k} ({})", engine.name);
                    }
                    if n > 150 {
                        break;
                    }
                }
            }
        }
    )* };
}
mod sums {
    use super::*;
    parallel! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
}

#[qd::kernel]
fn every_other(x: &mut [i32], y: &mut [i32], lo: usize) {
    for i in (lo..x.len()).step_by(2) {
        x[i] = i as i32;
    }
    for i in (0..=y.len() - 1).rev() {
        y[i] += i as i32 * 3;
    }
    for i in (0..x.len() as i32).rev().step_by(3) {
        x[i as usize] -= 1;
    }
}

#[test]
fn parallel_loops_own_the_elements_they_step_on() {
    for engine in &Engines::new().all {
        for len in [1usize, 2, 63, 5000] {
            let (mut x, mut y) = (vec![-1; len], vec![1; len]);
            let (mut want_x, mut want_y) = (x.clone(), y.clone());
            every_other.native(&mut want_x, &mut want_y, len / 7);
            engine.runtime.scope(|| every_other(&mut x, &mut y, len / 7));
            assert_eq!((x, y), (want_x, want_y), "{} {len}", engine.name);
        }
    }
}

#[qd::kernel]
fn fails_at(x: &[u32], lo: i64, hi: i64, k: usize, bad: i64) -> u32 {
    let mut sum = 0;
    for v in (lo..=hi).rev().step_by(k) {
        if v <= bad {
            sum += x[x.len()];
        }
    }
    sum
}

#[test]
fn faults_name_the_value_of_the_loop_variable_and_zero_steps() {
    for engine in &Engines::new().all {
        let say = |k, bad| {
            engine.runtime.scope(|| fails_at.try_call(&[1, 2], -100, 50, k, bad)).map_err(|error| error.to_string())
        };
        assert_eq!(say(3, -1000), Ok(0));
        assert!(say(3, -20).unwrap_err().contains("iteration -22)"), "{:?}", say(3, -20));
        assert!(say(0, 0).unwrap_err().ends_with("assertion failed: step != 0"), "{:?}", say(0, 0));
    }
}
