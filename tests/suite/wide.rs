//! 128-bit integers where they are more than an operand: parameters and results of two words, values that cross tasks,
//! steps of the launch, loops, arrays, constants, reductions beside narrow ones, faults.
use std::panic::catch_unwind;

use qd::prelude::*;

use crate::support::{Engines, hash};

const LARGE: u128 = 1 << 100;

#[qd::kernel]
fn mixed(small: u8, (a, b): (i128, u64), x: &mut [i128], c: u128, flag: bool) -> (u128, i8, i128, (bool, u128)) {
    // Across tasks: two wide slots round a narrow one.
    let mut total = a * 3 + i128::from(b);
    let count = small + 1;
    let scaled = c.wrapping_mul(LARGE + 7) ^ u128::MAX;
    for i in 0..x.len() {
        x[i] = x[i].wrapping_mul(total) + i as i128 + count as i128;
    }
    total -= 1;
    for i in 0..x.len() {
        x[i] ^= total ^ scaled as i128;
    }
    (scaled, count as i8, total, (flag, c))
}

#[test]
fn parameters_slots_and_results_have_two_words() {
    for (a, c) in [(0, 0), (-1, u128::MAX), (i128::MIN, 1 << 64), (i128::MAX, 12345678901234567890123456789)] {
        let start: Vec<i128> = (0..3000).map(|n| (hash(n) as i128) << 60 ^ hash(!n) as i128).collect();
        let mut want = start.clone();
        let result = mixed.native(200, (a, u64::MAX), &mut want, c, true);
        for engine in &Engines::new().all {
            let mut got = start.clone();
            let run = || mixed(200, (a, u64::MAX), &mut got, c, true);
            assert_eq!(engine.runtime.scope(run), result, "{a} {c} {}", engine.name);
            assert_eq!(got, want, "{a} {c} {}", engine.name);
        }
    }
}

/// Steps of the launch that are decided by a wide value, and a wide result that is set in one of them.
#[qd::kernel]
fn collatz(x: &mut [u64], mut n: u128) -> (u64, u128) {
    let mut steps = 0u64;
    let mut highest = n;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        highest = highest.max(n);
        if n > LARGE {
            for i in 0..x.len() {
                x[i] += 1;
            }
        }
        steps += 1;
        if steps > 400 {
            return (steps, n);
        }
    }
    (steps, highest)
}

#[test]
fn a_launch_is_steered_by_wide_values() {
    for n in [1, 27, LARGE - 1, LARGE * 3 + 7, u128::MAX / 4] {
        let mut want = vec![0; 100];
        let result = collatz.native(&mut want, n);
        for engine in &Engines::new().all {
            let mut got = vec![0; 100];
            assert_eq!(engine.runtime.scope(|| collatz(&mut got, n)), result, "{n} {}", engine.name);
            assert_eq!(got, want, "{n} {}", engine.name);
        }
    }
}

#[qd::kernel]
fn loops(x: &mut [i128], from: i128, width: i128) {
    for i in 0..x.len() {
        let mut sum = 0;
        'outer: for j in from..from + width {
            if j % 3 == 0 {
                continue;
            }
            for k in j..j + 4 {
                if k % 5 == i as i128 % 5 {
                    continue 'outer;
                }
                if k == from + 40 {
                    break 'outer;
                }
                sum += k ^ j;
            }
            for _ in width..width + 2 {
                sum += 1;
            }
        }
        x[i] = sum;
    }
}

#[test]
fn loops_inside_loops_count_in_128_bits() {
    for (from, width) in [(0, 9), (-30, 60), (i128::MAX - 50, 44), (i128::MIN, 20), (1 << 64, 30), (7, 0), (7, -3)] {
        let mut want = vec![0; 20];
        loops.native(&mut want, from, width);
        for engine in &Engines::new().all {
            let mut got = vec![-1; 20];
            engine.runtime.scope(|| loops(&mut got, from, width));
            assert_eq!(got, want, "{from} {width} {}", engine.name);
        }
    }
}

#[qd::kernel]
fn statistics(x: &NdArray<u128, 2>, small: &[u8]) -> (u128, u8, u128, bool, i128) {
    let mut sum = 1u128 << 90;
    let mut narrow = 3u8;
    let mut most = 0;
    let mut all = true;
    let mut least = i128::MAX;
    for (i, j) in x.indices() {
        sum += x[[i, j]];
        narrow ^= small[j];
        most = most.max(x[[i, j]]);
        all &= x[[i, j]] != LARGE;
        least = least.min(x[[i, j]] as i128);
    }
    (sum, narrow, most, all, least)
}

#[test]
fn wide_and_narrow_reductions_stand_side_by_side() {
    for shape in [[0, 4], [1, 1], [3, 5], [40, 70], [300, 11]] {
        let x = NdArray::<u128, 2>::from_fn(shape, |[i, j]| u128::from(hash((i * 7919 + j) as u64)) << (j % 65));
        let small: Vec<u8> = (0..shape[1]).map(|n| hash(n as u64) as u8).collect();
        let want = statistics.native(&x, &small);
        for engine in &Engines::new().all {
            assert_eq!(engine.runtime.scope(|| statistics(&x, &small)), want, "{shape:?} {}", engine.name);
        }
    }
}

/// `a * b % m` for a modulus of any size, bit by bit.
#[qd::func]
fn times(mut a: u128, b: u128, m: u128) -> u128 {
    let mut product = 0;
    for k in 0..128u32 {
        if b >> k & 1 == 1 {
            product = if product >= m - a { product - (m - a) } else { product + a };
        }
        a = if a >= m - a { a - (m - a) } else { a + a };
    }
    product
}

/// Fermat's test to base 3.
#[qd::kernel]
fn probable_primes(out: &mut [bool], from: u128) {
    for i in 0..out.len() {
        let n = from + 2 * i as u128;
        let (mut power, mut square, mut rest) = (1, 3 % n, n - 1);
        while rest > 0 {
            if rest & 1 == 1 {
                power = times(power, square, n);
            }
            square = times(square, square, n);
            rest >>= 1;
        }
        out[i] = power == 1;
    }
}

#[test]
fn functions_take_and_give_wide_integers() {
    // 2^127 - 1 is a prime, and the other numbers here fail the test.
    let mut want = vec![false; 9];
    probable_primes.native(&mut want, (1 << 127) - 17);
    assert_eq!(want.iter().position(|prime| *prime), Some(8));
    for engine in &Engines::new().all {
        let mut got = vec![false; 9];
        engine.runtime.scope(|| probable_primes(&mut got, (1 << 127) - 17));
        assert_eq!(got, want, "{}", engine.name);
    }
}

macro_rules! fails {
    ($($name:ident: |$x:ident, $i:ident, $a:ident, $b:ident| $e:expr, $args:expr;)*) => { $(
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel($x: &mut [i128], $a: i128, $b: i128) {
                for $i in 0..$x.len() {
                    $x[$i] = $e;
                }
            }
            let (a, b) = $args;
            let panic = catch_unwind(|| kernel.native(&mut [0; 3], a, b)).unwrap_err();
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).unwrap();
            for engine in &Engines::new().all {
                let error = engine.runtime.scope(|| kernel.try_call(&mut [0; 3], a, b)).unwrap_err().to_string();
                assert!(error.contains(&text), "native: {text}\ncompiled: {error} ({})", engine.name);
            }
        }
    )* };
}
fails! {
    a_division_by_zero_fails: |x, i, a, b| a / b, (5, 0);
    a_division_that_overflows_fails: |x, i, a, b| a / b, (i128::MIN, -1);
    a_remainder_by_zero_fails: |x, i, a, b| a % (b + i as i128), (5, -1);
    a_remainder_that_overflows_fails: |x, i, a, b| a.rem_euclid(b), (i128::MIN, -1);
    a_clamp_between_inverted_bounds_fails: |x, i, a, b| (i as i128).clamp(a, b), (i128::MAX - 5, i128::MIN + 7);
    a_narrow_clamp_says_its_bounds: |x, i, a, b| i128::from((i as i8).clamp(a as i8, b as i8)), (3, -2);
    a_logarithm_of_zero_fails: |x, i, a, b| i128::from((a * b).ilog10()), (0, 7);
    a_root_of_a_negative_number_fails: |x, i, a, b| (a * b).isqrt(), (1 << 64, -1);
}

/// Where LLVM can tell which operand is the larger, at every width.
mod differences_of_constants {
    use qd::prelude::*;

    use crate::support::singles;

    macro_rules! differences {
        ($($t:ident $u:ident)*) => { $(
            table! { $t, (a: $t) = singles::<$t>(|_| true), Exact {
                to_the_largest: $u = a.abs_diff($t::MAX);
                to_the_least: $u = a.abs_diff($t::MIN);
                from_the_largest: $u = $t::MAX.abs_diff(a);
                to_a_larger: $u = (a & 7).abs_diff(a | $t::MAX ^ ($t::MAX >> 1));
                to_one: $u = a.abs_diff(1);
            } }
        )* };
    }
    differences!(i8 u8 u8 u8 i16 u16 u16 u16 i32 u32 u32 u32 i64 u64 u64 u64 isize usize usize usize i128 u128 u128 u128);
}
