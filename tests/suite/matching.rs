//! `match` and its kin: literals, ranges, cases, tuples, names, guards, constants.
use qd::prelude::*;

use crate::support::{Engines, hash, pairs, singles};

const LIMIT: i32 = 64;
mod codes {
    pub const LOW: u8 = 3;
    pub const HIGH: u8 = 250;
}

/// Rows over one integer type.
macro_rules! integers {
    ($($name:ident $t:ident)*) => { $( table! { $name, (a: $t, b: $t) = pairs(|_, _| true), Exact {
        literals: u32 = match a {
            0 => 10,
            1 | 2 => 20,
            7 => 30,
            _ => 40,
        };
        ranges: u32 = match a {
            ..3 => 1,
            3..=9 => 2,
            10..100 => 3,
            100 => 4,
            101.. => 5,
        };
        ends: u32 = match a {
            $t::MIN => 1,
            $t::MAX => 2,
            3 => 3,
            _ => 4,
        };
        bound: $t = match a {
            n @ 1..=9 => n * 2,
            n @ (64 | 100) => n / 2,
            n => n ^ 5,
        };
        guarded: $t = match a {
            n if n > b => n,
            0 if b == 0 => 9,
            n @ 1..=9 if n != b => n + 1,
            _ if a == b => 3,
            _ => 4,
        };
        tuples: $t = match (a, b) {
            (0, 0) => 1,
            (0, n) => n,
            (n, 0) if n < 50 => n ^ 1,
            (1..=9, ..) => 2,
            (n, m) if n == m => 3,
            (n @ 10..=99, m @ (7 | 10 | 64)) => n - m,
            _ => 4,
        };
        conditions: $t = {
            let mut n = if let 1..=9 = a { 1 } else { 2 };
            if let (0, m) = (a, b) {
                n += m;
            } else if let m @ 64..=100 = b {
                n ^= m;
            }
            n
        };
        otherwise: $t = {
            let mut n = 0;
            for k in 0..3 {
                let m @ 0..=10 = (if k == 1 { a } else { b }) else {
                    n += 1;
                    continue;
                };
                n += m;
            }
            n
        };
        tests: bool = matches!(a, 1..=9 | 64) ^ matches!((a, b), (n, m) if n < m) ^ !matches!(b, 0);
    } } )* };
}
integers! { of_i8 i8  of_i16 i16  of_i32 i32  of_i64 i64  of_u8 u8  of_u16 u16  of_u32 u32  of_u64 u64  of_usize usize }

table! { signed, (a: i32, b: i64) = pairs(|_, _| true), Exact {
    negative: i32 = match a {
        i32::MIN..=-2 => -1,
        -1 => 7,
        0..=LIMIT => 1,
        _ => 2,
    };
    suffixed: i32 = match b { -5i64..=5i64 => 1, 9_223_372_036_854_775_807 => 2, -9223372036854775808 => 3, _ => 4 };
    constants: i32 = match (a, b) {
        (LIMIT, _) => 1,
        (_, i64::MIN) => 2,
        (n, 0) => n,
        _ => 3,
    };
    nested: i32 = match a % 3 {
        0 => match b % 2 { 0 => 1, 1 => 2, _ => 3 },
        1 => { let n = b as i32; n ^ 1 }
        _ => if let 1 | -1 = b % 5 { 4 } else { 5 },
    };
    shadowed: i32 = {
        let n = a;
        let m = match b { n @ 0..=100 => n as i32, _ => n };
        n ^ m
    };
    evaluated_once: i32 = {
        let mut count = 0;
        let v = match { count += 1; a ^ 1 } {
            0..=9 => 5,
            n if n > { count += 10; 50 } => n ^ 3,
            64 => { count += 100; 1 }
            _ => 2,
        };
        v ^ count
    };
    no_value: i32 = {
        let mut n = 1;
        match a { 0 => n = 2, 1..=9 => { n += 3; } _ => {} }
        match b { 0 => return_less(), _ => n *= 2 }
        n
    };
} }

#[qd::func]
fn return_less() {}

table! { booleans, (a: bool, b: bool) = pairs(|_, _| true), Exact {
    both: u8 = match (a, b) { (true, true) => 3, (true, false) => 2, (false, true) => 1, (false, false) => 0 };
    one: u8 = match a { true => 5, false => 6 };
    named: u8 = match (a, !b) { (x, true) if x => 1, (false, y) => y as u8 * 2, _ => 9 };
} }

table! { bytes, (a: u8) = singles(|_| true), Exact {
    letters: u32 = match a { b'a'..=b'z' => 1, b'A'..=b'Z' => 2, b'0'..=b'9' => 3, b' ' | b'\n' => 4, _ => 5 };
    codes: u32 = match a { codes::LOW => 1, codes::LOW..=codes::HIGH => 2, _ => 3 };
} }

table! { floats, (a: f32) = singles(|_| true), Exact {
    kinds: u32 = match a { 0.0 => 1, 0.5..=1.5 => 2, -1e10 => 3, f32::INFINITY => 4, _ => 5 };
} }

table! { loops, (a: u32, b: u32) = pairs(|_, _| true), Exact {
    while_let: u32 = {
        let mut n = a;
        let mut count = 0;
        while let m @ 3.. = n {
            count += m & 1;
            n = m / 3;
            if count == 9 {
                break;
            }
            if m % 5 == 0 {
                continue;
            }
            count += 1;
        }
        count
    };
    jumps: u32 = {
        let mut sum = 0;
        'all: for k in 0..20 {
            let v = match (k + a) % 7 {
                0 => continue,
                1 if b % 3 == 0 => break,
                2 if b % 5 == 0 => break 'all,
                n => n,
            };
            sum = sum * 3 + v;
        }
        sum
    };
    chains: u32 = {
        let mut n = 0;
        if a > 3 && let m @ 1..=100 = b && m != 7 && let k @ 0..=5 = m % 10 {
            n = m * 10 + k;
        }
        let mut v = b;
        while v > 2 && let 0..=1 | 4..=9 = v % 10 {
            v /= 2;
            n += 1;
        }
        n
    };
} }

#[qd::kernel]
fn owned(x: &mut [u32], y: &[u32]) {
    for i in 0..x.len() {
        match i {
            0 => x[i] = 1,
            n if n % 2 == 0 => x[n] = y[n] / 2,
            n => x[n] += 3,
        }
    }
}

#[test]
fn names_of_arms_hold_the_loop_variable() {
    let y: Vec<u32> = (0..3000).map(|n| hash(n) as u32).collect();
    for engine in &Engines::new().all {
        let (mut got, mut want) = (vec![5; 3000], vec![5; 3000]);
        owned.native(&mut want, &y);
        engine.runtime.scope(|| owned(&mut got, &y));
        assert_eq!(got, want, "{}", engine.name);
    }
}

#[qd::kernel]
fn plan(x: &mut [i32], mode: u32, n: i32) -> i32 {
    match mode {
        0 => return -1,
        1 | 2 => {
            for i in 0..x.len() {
                x[i] += mode as i32;
            }
        }
        m @ 3..=5 if n > 0 =>
        {
            #[qd::steps]
            for s in 0..n {
                for i in 0..x.len() {
                    x[i] = x[i] * 2 + s + m as i32;
                }
            }
        }
        _ => {}
    }
    let k @ 0..=50 = n * 2 else {
        for i in 0..x.len() {
            x[i] = 0;
        }
        return 7;
    };
    let mut left = n;
    while let 1.. = left {
        left -= 2;
        for i in 0..x.len() {
            x[i] ^= left;
        }
    }
    if let 3 = mode
        && n > 4
    {
        for i in 0..x.len() {
            x[i] -= k;
        }
    }
    match (mode, n) {
        (0..=2, m) => {
            for i in 0..x.len() {
                x[i] += m;
            }
            k
        }
        (_, 0) => 11,
        (m, _) => m as i32 + left,
    }
}

#[test]
fn matches_round_parallel_loops() {
    for engine in &Engines::new().all {
        for mode in [0, 1, 2, 3, 5, 9] {
            for n in [-3, 0, 1, 5, 30] {
                let (mut got, mut want) = (vec![1; 500], vec![1; 500]);
                let wanted = plan.native(&mut want, mode, n);
                let result = engine.runtime.scope(|| plan(&mut got, mode, n));
                assert_eq!((result, got), (wanted, want), "{} {mode} {n}", engine.name);
            }
        }
    }
}

#[qd::func]
fn sign(a: i64) -> i64 {
    let 1.. = a else { return if a == 0 { 0 } else { -1 } };
    match a {
        n @ 1..=9 => return n,
        _ => {}
    }
    1
}

table! { functions, (a: i64) = singles(|_| true), Exact {
    called: i64 = sign(a);
} }

#[derive(Clone, Copy, qd::Data)]
struct Point {
    x: i64,
    y: i64,
    kind: (u8, bool),
}

#[derive(Clone, Copy, qd::Data)]
struct Wrapped(i64, Point);

table! { structs, (a: i64, b: i64) = pairs(|_, _| true), Exact {
    fields: i64 = match (Point { x: a, y: b, kind: (a as u8 % 3, b > 0) }) {
        Point { x: 0, y, .. } => y,
        Point { kind: (1, true), x: n @ 1..=99, .. } => n * 2,
        Point { kind: (k, _), x, y } if x > y => k as i64,
        Point { y: 0..=10, .. } => 7,
        p => p.x ^ p.y,
    };
    nested: i64 = match Wrapped(a, Point { x: b, y: 1, kind: (2, false) }) {
        Wrapped(0..=9, Point { x, .. }) => x,
        Wrapped(n, Point { x: 0, y, .. }) => n - y,
        _ => 3,
    };
} }

#[derive(Clone, Copy, qd::Data)]
struct Four(i32, u8, (i32, i32), [i32; 3]);

/// `..` in front, between and behind, of tuples, structs and arrays; literals in what it leaves out.
#[qd::kernel]
fn rests(x: &mut [i32], t: &[(i32, u8, i32)], four: Four) {
    let Four(first, .., [.., last]) = four;
    let (.., unused, kept) = (1.5, 300, 7);
    for i in 0..x.len() {
        let (a, ..) = t[i];
        let (.., c) = t[i];
        let [front, ..] = [a, c, 5];
        let [h, .., g] = four.3;
        x[i] += a * 3 + c + front + h - g + first + last + kept;
        x[i] += match t[i] {
            (.., 1) => 100,
            (5, ..) => 200,
            (_, .., 3) => 300,
            (n, ..) => n,
        };
        x[i] += match four {
            Four(.., (_, 9), [1, ..]) => 1000,
            Four(0, ..) => 2000,
            Four(.., [.., n]) => n,
        };
        if let (.., 2) | (7, ..) = t[i] {
            x[i] += 4000;
        }
        let (mut p, mut q) = (0, 0);
        [p, q] = [a, c];
        let mut r = [p, q, 1];
        [r[2], _, r[0]] = [r[0], 8, r[2]];
        x[i] += r[0] * 7 + r[2] * 11;
    }
}

#[test]
fn parts_may_be_left_out_anywhere() {
    let t: Vec<(i32, u8, i32)> = (0..64).map(|n| (n % 8, n as u8, n / 8)).collect();
    for four in [Four(0, 1, (2, 9), [1, 2, 3]), Four(0, 1, (2, 8), [1, 2, 3]), Four(4, 1, (2, 9), [2, 5, 6])] {
        let mut want = vec![1; 64];
        rests.native(&mut want, &t, four);
        for engine in &Engines::new().all {
            let mut got = vec![1; 64];
            engine.runtime.scope(|| rests(&mut got, &t, four));
            assert_eq!(got, want, "{}", engine.name);
        }
    }
}
