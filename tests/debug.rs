//! `Config::debug`: integer arithmetic fails where it overflows, as in Rust's debug builds, and nowhere else. What fails
//! is told by std's `checked_` methods; the words are those of its `strict_` ones.
#![allow(clippy::undocumented_unsafe_blocks)] // whether the claims hold is what is tested
mod common;

use qd::Runtime;
use qd::prelude::*;

/// One runtime a level of optimisation, with the checks or without.
fn runtimes(debug: bool) -> Vec<(tempfile::TempDir, Runtime)> {
    let of = |level| {
        let folder = common::folder();
        let config = common::config(folder.path()).opt_level(level).debug(debug);
        (folder, Runtime::new(config).unwrap())
    };
    vec![of(0), of(3)]
}

/// A launch of one element: what it stored, or the words of its failure.
fn outcome<T>(launched: qd::Result<()>, out: T) -> Result<T, String> {
    launched.map(|()| out).map_err(|error| {
        let text = error.to_string();
        let start = text.find("attempt to").unwrap_or_else(|| panic!("{text}"));
        text[start..].trim_end_matches(" (iteration 0)").to_owned()
    })
}

const ADD: &str = "attempt to add with overflow";
const SUB: &str = "attempt to subtract with overflow";
const MUL: &str = "attempt to multiply with overflow";
const NEG: &str = "attempt to negate with overflow";
const SHL: &str = "attempt to shift left with overflow";
const SHR: &str = "attempt to shift right with overflow";
const REM_ZERO: &str = "attempt to calculate the remainder with a divisor of zero";

/// Of each row an operator's kernel, which debug mode checks, and a strict method's, which is checked in any mode.
macro_rules! rows {
    ($t:ident: $($name:ident($a:ident, $b:ident) $plain:expr, $strict:expr => $checked:expr, $words:expr;)*) => { $(
        mod $name {
            use super::*;

            #[qd::kernel]
            fn plain(out: &mut [$t], x: &[$t], y: &[$t]) {
                for i in 0..out.len() {
                    let ($a, $b) = (x[i], y[i]);
                    out[i] = $plain;
                }
            }

            #[qd::kernel]
            fn strict(out: &mut [$t], x: &[$t], y: &[$t]) {
                for i in 0..out.len() {
                    let ($a, $b) = (x[i], y[i]);
                    out[i] = $strict;
                }
            }

            #[test]
            fn fails_where_it_overflows() {
                let (checking, wrapping) = (runtimes(true), runtimes(false));
                let mut failures = 0;
                for $a in edges() {
                    for $b in edges() {
                        let wanted: Result<$t, &str> = ($checked).ok_or($words);
                        failures += usize::from(wanted.is_err());
                        let wanted = wanted.map_err(str::to_owned);
                        for (_, runtime) in &checking {
                            let mut out = [77];
                            let launched = plain.on(runtime).try_call(&mut out, &[$a], &[$b]);
                            assert_eq!(outcome(launched, out[0]), wanted, "{} {}", $a, $b);
                        }
                        for (_, runtime) in &wrapping {
                            let mut out = [77];
                            let launched = strict.on(runtime).try_call(&mut out, &[$a], &[$b]);
                            assert_eq!(outcome(launched, out[0]), wanted, "{} {}", $a, $b);
                            // Without the checks it wraps.
                            plain.on(runtime).try_call(&mut out, &[$a], &[$b]).unwrap();
                        }
                    }
                }
                assert!(failures > 0);
            }
        }
    )* };
}

macro_rules! every_integer {
    ($($t:ident)*) => { $(
        mod $t {
            use super::*;

            fn edges() -> Vec<$t> {
                let small = [0, 1, 2, 3, 5, 7, 8, 31, 63, 64, 127];
                let large = [$t::MIN, $t::MIN + 1, $t::MAX, $t::MAX - 1, $t::MAX / 2, $t::MAX / 2 + 1, $t::MAX / 3];
                let odd = [(0 as $t).wrapping_sub(1), (0 as $t).wrapping_sub(2), (0 as $t).wrapping_sub(64)];
                [&small[..], &large, &odd].concat()
            }

            /// The amount, if it is one.
            fn amount(n: $t) -> Option<u32> {
                u32::try_from(n).ok().filter(|n| *n < $t::BITS)
            }

            rows! { $t:
                add(a, b) a + b, a.strict_add(b) => a.checked_add(b), ADD;
                sub(a, b) a - b, a.strict_sub(b) => a.checked_sub(b), SUB;
                mul(a, b) a * b, a.strict_mul(b) => a.checked_mul(b), MUL;
                shl(a, b) a << b, a.strict_shl(if b as u128 > 999 { 999 } else { b as u32 }) => amount(b).and_then(|n| a.checked_shl(n)), SHL;
                shr(a, b) a >> b, a.strict_shr(if b as u128 > 999 { 999 } else { b as u32 }) => amount(b).and_then(|n| a.checked_shr(n)), SHR;
                pow(a, b) a.pow(b as u32 % 200), a.strict_pow(b as u32 % 200) => a.checked_pow(b as u32 % 200), MUL;
                cube(a, b) (a ^ b).pow(3), (a ^ b).strict_pow(3) => (a ^ b).checked_pow(3), MUL;
            }
        }
    )* };
}
every_integer!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128);

macro_rules! every_signed {
    ($($name:ident $t:ident)*) => { $(
        mod $name {
            use super::*;

            fn edges() -> Vec<$t> {
                vec![0, 1, -1, 5, $t::MIN, $t::MIN + 1, $t::MAX, $t::MIN / 2]
            }

            rows! { $t:
                neg(a, b) -(a ^ b), (a ^ b).strict_neg() => (a ^ b).checked_neg(), NEG;
                abs(a, b) (a ^ b).abs(), (a ^ b).strict_abs() => (a ^ b).checked_abs(), NEG;
            }
        }
    )* };
}
every_signed!(signed_i8 i8 signed_i16 i16 signed_i32 i32 signed_i64 i64 signed_isize isize signed_i128 i128);

macro_rules! every_unsigned {
    ($($name:ident $t:ident)*) => { $(
        mod $name {
            use super::*;

            #[qd::kernel]
            fn multiple(x: $t, y: $t) -> $t {
                x.next_multiple_of(y)
            }

            #[qd::kernel]
            fn power(x: $t) -> $t {
                x.next_power_of_two()
            }

            #[test]
            fn fails_where_it_overflows() {
                let edges = [0, 1, 2, 3, 100, $t::MAX, $t::MAX - 1, $t::MAX / 2, $t::MAX / 2 + 1, $t::MAX / 2 + 2];
                for (_, runtime) in &runtimes(true) {
                    for x in edges {
                        let found = power.on(runtime).try_call(x).map_err(|error| error.to_string());
                        match x.checked_next_power_of_two() {
                            Some(wanted) => assert_eq!(found, Ok(wanted)),
                            None => assert!(found.unwrap_err().contains(ADD), "{x}"),
                        }
                        for y in edges {
                            let found = multiple.on(runtime).try_call(x, y).map_err(|error| error.to_string());
                            let words = if y == 0 { REM_ZERO } else { ADD };
                            match x.checked_next_multiple_of(y) {
                                Some(wanted) => assert_eq!(found, Ok(wanted), "{x} {y}"),
                                None => assert!(found.unwrap_err().contains(words), "{x} {y}"),
                            }
                        }
                    }
                }
            }

            #[qd::kernel]
            fn negated(x: $t) -> $t {
                x.strict_neg()
            }

            #[test]
            fn only_zero_has_a_negative() {
                for (_, runtime) in &runtimes(false) {
                    assert_eq!(negated.on(runtime).try_call(0).unwrap(), 0);
                    for x in [1, $t::MAX, $t::MAX / 2 + 1] {
                        assert!(negated.on(runtime).try_call(x).unwrap_err().to_string().contains(NEG));
                    }
                }
            }
        }
    )* };
}
every_unsigned!(unsigned_u8 u8 unsigned_u16 u16 unsigned_u32 u32 unsigned_u64 u64 unsigned_usize usize unsigned_u128 u128);

/// The words above are those of std.
#[test]
fn words_are_those_of_std() {
    let words = |run: &dyn Fn() -> i32| {
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).unwrap_err();
        panic.downcast_ref::<&str>().map(ToString::to_string).or_else(|| panic.downcast_ref::<String>().cloned())
    };
    let (min, max) = std::hint::black_box((i32::MIN, i32::MAX));
    assert_eq!(words(&|| max.strict_add(1)).as_deref(), Some(ADD));
    assert_eq!(words(&|| min.strict_sub(1)).as_deref(), Some(SUB));
    assert_eq!(words(&|| min.strict_mul(2)).as_deref(), Some(MUL));
    assert_eq!(words(&|| max.strict_pow(2)).as_deref(), Some(MUL));
    assert_eq!(words(&|| min.strict_neg()).as_deref(), Some(NEG));
    assert_eq!(words(&|| min.strict_abs()).as_deref(), Some(NEG));
    assert_eq!(words(&|| max.strict_shl(32)).as_deref(), Some(SHL));
    assert_eq!(words(&|| max.strict_shr(32)).as_deref(), Some(SHR));
}

/// The shift's amount counts in its own type.
#[qd::kernel]
fn shifts(out: &mut [u32], n: i64, wide: u128) {
    for i in 0..out.len() {
        out[i] = (out[i] << n) >> wide;
    }
}

#[test]
fn amounts_of_any_type_are_checked() {
    for (_, runtime) in &runtimes(true) {
        let run = |n, wide| {
            let mut out = [3];
            outcome(shifts.on(runtime).try_call(&mut out, n, wide), out[0])
        };
        assert_eq!(run(31, 31), Ok(1));
        for n in [32, 1 << 32, -1, i64::MIN] {
            assert_eq!(run(n, 0), Err(SHL.to_owned()), "{n}");
        }
        for wide in [32, 1 << 64, u128::MAX] {
            assert_eq!(run(0, wide), Err(SHR.to_owned()), "{wide}");
        }
    }
}

#[qd::func]
fn step(x: i32) -> i32 {
    x + 1
}

/// Compound forms, functions, vectors, and a sum in the order of the iterations.
#[qd::kernel]
fn sum(x: &mut [i32], start: i32) -> (i32, i32) {
    let mut total = start;
    let mut most = i32::MIN;
    for i in 0..x.len() {
        total += x[i];
        most = most.max(x[i]);
    }
    for i in 0..x.len() {
        x[i] -= 1;
        x[i] = step(step(x[i]));
        let v = Vector::from([x[i], 0]) + Vector::from([0, x[i]]);
        x[i] = v.dot(Vector::from([1, 0]));
    }
    (total, most)
}

#[test]
fn sums_overflow_in_the_order_of_the_iterations() {
    let order = |x: &[i32], start: i32| x.iter().try_fold(start, |sum, v| sum.checked_add(*v));
    for threads in [1, 2, 5] {
        let folder = common::folder();
        let runtime = Runtime::new(common::config(folder.path()).debug(true).num_threads(threads)).unwrap();
        for (x, start) in [
            (vec![i32::MAX, -1, 1], 0),
            (vec![i32::MAX - 1, 1, -1], 1),
            (vec![1; 5000], i32::MAX - 5000),
            (vec![1; 5000], i32::MAX - 4999),
            ((0..4000).map(|i| if i % 2 == 0 { i32::MAX } else { i32::MIN }).collect(), -5),
        ] {
            let mut y: Vec<i32> = x.iter().map(|v| v.wrapping_sub(7).max(-100)).collect();
            let found = sum.on(&runtime).try_call(&mut y, start);
            match order(&x.iter().map(|v| v.wrapping_sub(7).max(-100)).collect::<Vec<_>>(), start) {
                Some(total) => assert_eq!(found.unwrap().0, total),
                None => assert!(found.unwrap_err().to_string().contains(ADD)),
            }
        }
    }
    // The second loop: the place is that of the operator, in the function.
    let folder = common::folder();
    let runtime = Runtime::new(common::config(folder.path()).debug(true)).unwrap();
    let line = || include_str!("debug.rs").lines().position(|line| line == "    x + 1").unwrap() + 1;
    let error = sum.on(&runtime).try_call(&mut [0, i32::MIN + 1, i32::MAX, 5], 0).unwrap_err().to_string();
    assert!(error.contains(&format!("debug.rs:{}", line())) && error.contains("iteration 2"), "{error}");
    let error = sum.on(&runtime).try_call(&mut [0, 1, i32::MIN], 0).unwrap_err().to_string();
    assert!(error.contains(SUB) && error.contains("iteration 2"), "{error}");
}

/// What wraps on purpose, and what can't overflow, goes through.
#[qd::kernel]
fn meant(x: &mut [u32], f: &mut [f32]) -> u64 {
    let mut count = 0u64;
    for i in 0..x.len() {
        x[i] = x[i].wrapping_mul(2_654_435_761).wrapping_add(u32::MAX);
        f[i] = f[i] * f32::MAX + -1.0;
        for k in (0..=u8::MAX).rev().step_by(2) {
            x[i] ^= (k as i8 as u32).rotate_left(3) | !0 >> 1;
        }
        count += 1;
    }
    count
}

#[test]
fn what_is_meant_to_wrap_does() {
    let x: Vec<u32> = (0..3000).map(|i| i * 77_777).collect();
    let f: Vec<f32> = (0..3000).map(|i| i as f32).collect();
    let (mut x1, mut f1) = (x.clone(), f.clone());
    let count = meant.native(&mut x1, &mut f1);
    for (_, runtime) in &runtimes(true) {
        let (mut x2, mut f2) = (x.clone(), f.clone());
        assert_eq!(meant.on(runtime).try_call(&mut x2, &mut f2).unwrap(), count);
        assert_eq!((&x1, &f1), (&x2, &f2));
    }
}

/// Code with the checks has keys of its own.
#[test]
fn the_modes_share_no_code() {
    let folder = common::folder();
    let config = || common::config(folder.path());
    let plain = Runtime::new(config()).unwrap();
    let debug = Runtime::new(config().debug(true)).unwrap();
    sum.on(&plain).try_call(&mut [1], 0).unwrap();
    sum.on(&debug).try_call(&mut [1], 0).unwrap();
    assert_eq!(common::counts(&sum.on(&debug).observations()).1, 0);
}

/// Two loops whose `unsafe` blocks claim that no element is met twice.
#[qd::kernel]
fn claims(to: &[usize], from: &[usize], y: &mut [i64]) {
    for i in 0..to.len() {
        let v = unsafe { y[from[i]] } + 1;
        unsafe {
            y[to[i]] = v;
        }
    }
    for i in 0..to.len() {
        unsafe {
            y[to[i]] ^= 3;
        }
    }
}

/// The first iteration of the first loop that conflicts, in order: its number, and the words about the other one.
fn conflict(to: &[usize], from: &[usize], len: usize) -> Option<(usize, Vec<String>)> {
    let (mut readers, mut writers) = (vec![Vec::new(); len], vec![Vec::new(); len]);
    for i in 0..to.len() {
        let words = |does: &str, others: &[usize], did: &str| -> Vec<String> {
            let others = others.iter().filter(|other| **other != i);
            others.map(|other| format!("this iteration {does} an element that iteration {other} has {did}")).collect()
        };
        readers[from[i]].push(i);
        let found = words("reads", &writers[from[i]], "written");
        if !found.is_empty() {
            return Some((i, found));
        }
        let found = [words("writes", &writers[to[i]], "written"), words("writes", &readers[to[i]], "read")].concat();
        writers[to[i]].push(i);
        if !found.is_empty() {
            return Some((i, found));
        }
    }
    None
}

#[test]
fn races_in_unsafe_blocks_are_found_and_told_with_both_iterations() {
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut found = [0, 0];
    for (threads, level) in [(1, 0), (2, 3), (5, 3)] {
        let folder = common::folder();
        let config = common::config(folder.path()).debug(true).opt_level(level).num_threads(threads);
        let runtime = Runtime::new(config).unwrap();
        for round in 0..400 {
            let (n, len) = (1 + random(12), 12 + random(200));
            let mut to: Vec<usize> = (0..n).map(|_| random(len)).collect();
            let mut from: Vec<usize> = (0..n).map(|_| random(len)).collect();
            if round % 3 == 0 {
                // A permutation, each iteration on its own.
                to = (0..n).map(|i| (i * 7 + 3) % len).collect();
                to.sort_unstable();
                to.dedup();
                to.reverse();
                from.clone_from(&to);
            }
            let mut y = vec![0; len];
            let ended = claims.on(&runtime).try_call(&to, &from, &mut y).map_err(|error| error.to_string());
            match (conflict(&to, &from, len), ended) {
                (None, Ok(())) => {
                    found[0] += 1;
                    let mut wanted = vec![0; len];
                    claims.native(&to, &from, &mut wanted);
                    assert_eq!(y, wanted);
                }
                (Some((i, words)), Err(error)) => {
                    found[1] += 1;
                    assert!(words.iter().any(|words| error.contains(words.as_str())), "{error}\n{words:?}");
                    assert!(error.ends_with(&format!("(array `y`, iteration {i})")), "{error}, not {i}");
                }
                (wanted, got) => panic!("{to:?} {from:?}: {wanted:?}, {got:?}"),
            }
        }
    }
    assert!(found.iter().all(|n| *n > 100), "{found:?}");
}

/// An element beside an atomic update of it.
#[qd::kernel]
fn mixes(j: &[usize], y: &mut [u32], seen: &mut [u32]) {
    for i in 0..j.len() {
        if i % 2 == 0 {
            unsafe {
                qd::atomic::add(&mut y[j[i]], 1);
            }
        } else {
            seen[i] = unsafe { y[j[i]] };
        }
    }
}

#[derive(Clone, Copy, qd::Data)]
struct Pair {
    a: f32,
    b: [f32; 2],
}

/// Fields are places of their own.
#[qd::kernel]
fn fields(p: &mut [Pair], to: usize, from: usize) {
    for i in 0..p.len() - 1 {
        unsafe {
            p[i].a = 1.0;
            p[i + 1].b[to] = p[i].b[from];
        }
    }
}

#[test]
fn atomics_and_fields_are_told_apart() {
    for (_, runtime) in &runtimes(true) {
        let run = |j: &[usize]| {
            let (mut y, mut seen) = (vec![0; 4], vec![0; j.len()]);
            mixes.on(runtime).try_call(j, &mut y, &mut seen).map_err(|error| error.to_string())
        };
        assert_eq!(run(&[0, 1, 0, 2, 0, 1]), Ok(()));
        let error = run(&[0, 1, 2, 0]).unwrap_err();
        assert!(error.contains("reads an element that iteration 0 has updated atomically"), "{error}");
        let error = run(&[0, 1, 1]).unwrap_err();
        assert!(error.contains("updates atomically an element that iteration 1 has read"), "{error}");

        let mut p = vec![Pair { a: 0.0, b: [2.0, 3.0] }; 5];
        for (to, from) in [(0, 1), (1, 0)] {
            fields.on(runtime).try_call(&mut p, to, from).unwrap();
        }
        let error = fields.on(runtime).try_call(&mut p, 1, 1).unwrap_err().to_string();
        assert!(error.contains("reads an element that iteration 0 has written"), "{error}");
        assert!(error.ends_with("(array `p`, iteration 1)"), "{error}");
    }
}

type Total = (i32, i64, bool);

/// All forms of contributions, in a loop that has to run in order because of one of them.
#[qd::kernel]
fn summary(x: &[i32]) -> ([u32; 4], Total, (i32, usize), u8) {
    let mut bins = [0u32; 4];
    let mut total = (0, 1i64, false);
    let mut best = (i32::MIN, 0);
    let mut turns = 0u8;
    for i in 0..x.len() {
        bins[(x[i] & 3) as usize] += 1;
        total.0 -= x[i];
        total.1 = total.1.wrapping_mul(i64::from(x[i]) | 1);
        if x[i] == 5 {
            total.2 = true;
        }
        if i % 2 == 0 && x[i] >= best.0 {
            best = (x[i], i);
        }
        turns = turns.wrapping_add(x[i] as u8);
    }
    (bins, total, best, turns)
}

#[test]
fn contributions_in_order_are_what_is_written() {
    let x: Vec<i32> = (0..3000).map(|n| n * 7919 % 1009 - 500).collect();
    let want = summary.native(&x);
    for (_folder, runtime) in runtimes(true).into_iter().chain(runtimes(false)) {
        assert_eq!(summary.on(&runtime).try_call(&x).unwrap(), want);
    }
    for (_folder, runtime) in runtimes(true) {
        let error = summary.on(&runtime).try_call(&[i32::MIN, 4]).unwrap_err().to_string();
        assert!(error.contains(SUB), "{error}");
    }
}

/// The least number of a type has no positive, so a literal and its sign are one.
#[qd::kernel]
fn least(a: &mut [i8], b: &mut [i64], found: &mut [u32], c: &mut [i128]) {
    for i in 0..a.len() {
        let least: i64 = -9223372036854775808;
        b[i] = least;
        found[i] = match a[i] {
            -128 => 1,
            -127..=-100 => 2,
            _ => matches!(a[i], -128i8..=5) as u32 + 3,
        };
        for j in -2147483648i32..-2147483646 {
            b[i] -= j as i64;
        }
        c[i] = c[i].max(-170141183460469231731687303715884105728).min(step(-2147483648) as i128);
        a[i] = -(128);
    }
}

#[test]
fn the_least_number_can_be_written() {
    type Call<'a> = &'a dyn Fn(&mut [i8], &mut [i64], &mut [u32], &mut [i128]);
    let run = |call: Call<'_>| {
        let (mut a, mut b, mut found, mut c) = ([-128, -127, -100, 5, 6], [0; 5], [0; 5], [i128::MIN, 0, 1, 2, 3]);
        call(&mut a, &mut b, &mut found, &mut c);
        (a, b, found, c)
    };
    let native = run(&|a, b, found, c| least.native(a, b, found, c));
    for (_, runtime) in &runtimes(true) {
        let compiled = run(&|a, b, found, c| least.on(runtime).try_call(a, b, found, c).unwrap());
        assert_eq!(compiled, native);
    }
}
