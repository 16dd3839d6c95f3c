//! Functions that kernels call: what they may take and give, from where they may come, and how they return.
use qd::prelude::*;

use crate::support::{Class, Engines, assert_same, hash};

#[qd::func]
fn square(v: f32) -> f32 {
    v * v
}

#[qd::func]
fn hypotenuse(a: f32, b: f32) -> f32 {
    (square(a) + square(b)).sqrt()
}

/// Literals in calls take the type of the parameter.
#[qd::func]
fn mix(n: u8, pair: (i64, bool), (low, high): (u32, u32)) -> (i64, u32) {
    let sum = pair.0 + n as i64;
    (if pair.1 { -sum } else { sum }, high.wrapping_sub(low))
}

/// Leaves early, from loops too.
#[qd::func]
fn collatz(start: u32, limit: u32) -> u32 {
    let mut n = start;
    let mut steps = 0;
    while n != 1 {
        if steps == limit {
            return u32::MAX;
        }
        n = if n % 2 == 0 { n / 2 } else { n.wrapping_mul(3).wrapping_add(1) };
        steps += 1;
    }
    steps
}

#[qd::func]
fn first_factor(n: u32) -> u32 {
    if n < 4 {
        return n;
    }
    for d in 2..n {
        for q in 2..n {
            if d * q == n {
                return d;
            }
            if d * q > n {
                break;
            }
        }
        if d * d > n {
            return n;
        }
    }
    n
}

/// All paths return.
#[qd::func]
fn sign(v: i32) -> i32 {
    if v < 0 {
        return -1;
    } else if v > 0 {
        return 1;
    }
    return 0;
}

/// A result of no value, and a loop that only `return` ends.
#[qd::func]
fn count_down(n: &mut i32, by: i32) {
    loop {
        if *n <= 0 {
            return;
        }
        *n -= by;
    }
}

#[qd::func]
fn swap(a: &mut i32, b: &mut i32) {
    let old = *a;
    *a = *b;
    *b = old;
}

#[qd::func]
fn order(pair: &mut (i32, i32)) {
    if pair.0 > pair.1 {
        *pair = (pair.1, pair.0);
    }
    pair.0 += 1;
    (*pair).1 -= 1;
}

/// Hands its references on.
#[qd::func]
fn rotate(a: &mut i32, b: &mut i32, c: &mut i32) {
    swap(a, b);
    swap(&mut *b, c);
}

#[qd::func]
fn average(a: &i32, b: &(i32, i32)) -> i32 {
    (*a + b.0 + b.1) / 3 + a.abs()
}

#[qd::func]
fn window(x: &[i32], i: usize) -> i32 {
    let n = x.len();
    x[(i + n - 1) % n] + x[i] + x[(i + 1) % n]
}

#[qd::func]
fn dot_row(a: &NdArray<i32, 2>, row: usize, v: &[i32]) -> i32 {
    let mut sum = 0;
    for j in 0..a.shape()[1] {
        sum += a[[row, j]] * window(v, j);
    }
    sum
}

/// Writes wherever it likes: for serial code.
#[qd::func]
fn reverse(x: &mut [i32]) {
    let n = x.len();
    for i in 0..n / 2 {
        let other = x[n - 1 - i];
        x[n - 1 - i] = x[i];
        x[i] = other;
    }
    bump(x, 0);
    bump(&mut *x, 1);
}

#[qd::func]
fn bump(x: &mut [i32], i: usize) {
    x[i] += 1;
}

#[qd::func]
const fn shadows(v: i32) -> i32 {
    let v = v + 1;
    let v = v * 2;
    v
}

/// Of const parameters.
#[qd::func]
fn power<const N: u32>(v: i32) -> i32 {
    let mut out = 1i32;
    for _ in 0..N {
        out = out.wrapping_mul(v);
    }
    out
}

mod elsewhere {
    pub mod deep {
        /// Of the same name as another.
        #[qd::func]
        pub fn square(v: i32) -> i32 {
            v.wrapping_mul(v)
        }
    }

    #[qd::func]
    pub fn cube(v: i32) -> i32 {
        super::elsewhere::deep::square(v).wrapping_mul(v)
    }

    #[qd::func]
    pub fn globbed(v: i32) -> i32 {
        v ^ 0x55
    }
}

use elsewhere::deep::square as int_square;
use elsewhere::*;

/// A module and a function of one name.
mod twice {
    #[qd::func(twin = twice_func)]
    pub fn twice(v: i32) -> i32 {
        v.wrapping_add(v)
    }
}
use twice::twice;

#[qd::kernel]
fn floats(out: &mut [f32], x: &[f32], y: &[f32]) {
    for i in 0..out.len() {
        out[i] = hypotenuse(x[i], 3.0) + square(square(y[i])) + self::square(2.0);
    }
}

#[test]
fn floats_agree() {
    let x: Vec<f32> = (0..1000).map(|i| hash(i) as i32 as f32 / 1e7).collect();
    let y: Vec<f32> = (0..1000).map(|i| hash(i + 5000) as i32 as f32 / 1e9).collect();
    let mut want = vec![0.0; 1000];
    floats.native(&mut want, &x, &y);
    for engine in &Engines::new().all {
        let mut got = vec![0.0; 1000];
        engine.runtime.scope(|| floats(&mut got, &x, &y));
        assert_same("floats", &engine.name, Class::Exact, &got, &want, |i| format!("{} {}", x[i], y[i]));
    }
}

#[qd::kernel]
fn integers(out: &mut NdArray<i32, 2>, x: &[i32], a: &NdArray<i32, 2>) {
    for i in 0..x.len() {
        let v = x[i];
        out[[i, 0]] = {
            let (sum, width) = mix(200, (v as i64, i % 2 == 0), (3, i as u32));
            sum as i32 ^ width as i32
        };
        out[[i, 1]] = collatz(i as u32, 60) as i32;
        out[[i, 2]] = first_factor(i as u32) as i32 * sign(v);
        let mut n = v % 1000;
        count_down(&mut n, 7);
        out[[i, 3]] = n;
        let (mut p, mut q, mut r) = (v, v / 2, 1);
        rotate(&mut p, &mut q, &mut r);
        let mut pair = (p % 100, (q, r));
        swap(&mut pair.0, &mut pair.1.0);
        order(&mut pair.1);
        out[[i, 4]] = pair.0 + 3 * pair.1.0 + 5 * pair.1.1;
        out[[i, 5]] = average(&v, &(1, p)) + average(&x[i], &pair.1);
        out[[i, 6]] = window(x, i) - window(&x, 0);
        out[[i, 7]] = dot_row(a, i % a.shape()[0], &x);
        out[[i, 8]] = shadows(v) + cube(v) + int_square(v) + globbed(v) + twice(v);
        out[[i, 9]] = power::<3>(v) + power::<0>(v) + elsewhere::deep::square(sign(v));
        swap(&mut out[[i, 10]], &mut n);
        count_down(&mut out[[i, 10]], i as i32 + 1);
    }
}

#[test]
fn integers_agree() {
    let x: Vec<i32> = (0..300).map(|i| hash(i) as i32).collect();
    let a = NdArray::from_fn([7, 30], |[i, j]| hash((i * 31 + j) as u64) as i32 % 1000);
    let empty = || NdArray::full([300, 11], 5);
    let mut want = empty();
    integers.native(&mut want, &x, &a);
    for engine in &Engines::new().all {
        let mut got = empty();
        engine.runtime.scope(|| integers(&mut got, &x, &a));
        let at = |i: usize| format!("row {}, column {}", i / 11, i % 11);
        assert_same("integers", &engine.name, Class::Exact, got.as_slice(), want.as_slice(), at);
    }
}

/// In serial tasks, in bounds of loops, in conditions and results of the plan.
#[qd::kernel]
fn around(x: &mut [i32], n: i32) -> (i32, u32) {
    reverse(x);
    bump(x, sign(n) as usize);
    let mut rounds = 0;
    let mut left = n;
    while sign(left) > 0 {
        for i in 0..first_factor(6) as usize + x.len() - 2 {
            x[i] += shadows(i as i32);
        }
        count_down(&mut left, 40);
        rounds += 1;
    }
    let mut most = i32::MIN;
    for i in 0..x.len() {
        most = most.max(shadows(x[i]));
    }
    (most.wrapping_add(square(2.5) as i32), collatz(rounds + 6, 100))
}

#[test]
fn calls_around_loops_agree() {
    for engine in &Engines::new().all {
        for n in [0, 1, 100] {
            let mut want: Vec<i32> = (0..50).map(|i| hash(i) as i32 / 4).collect();
            let mut got = want.clone();
            let result = around.native(&mut want, n);
            assert_eq!(engine.runtime.scope(|| around(&mut got, n)), result, "{}", engine.name);
            assert_eq!(got, want, "{}", engine.name);
        }
    }
}

/// The user's word lifts the race rule, for whole arrays too.
#[qd::kernel]
fn vouched(x: &mut [i32]) {
    for i in 0..x.len() {
        // SAFETY: `i` is in one iteration only.
        unsafe { bump(x, i) };
    }
}

#[test]
fn whole_arrays_in_unsafe_blocks() {
    for engine in &Engines::new().all {
        let mut x = vec![1; 5000];
        engine.runtime.scope(|| vouched(&mut x));
        assert!(x.iter().all(|x| *x == 2), "{}", engine.name);
    }
}

/// Names handed to a macro and names of the macro, spelled alike: two variables each.
macro_rules! sums {
    ($name:ident, $x:ident, $v:ident, $plus:expr) => {
        #[qd::kernel]
        fn $name(out: &mut [f32], $x: &[f32]) {
            for i in 0..out.len() {
                let v = $x[i] * 2.0;
                let $v = v + 1.0;
                let w = v * 10.0 + $plus;
                {
                    let v = w + v;
                    out[i] = v + $v * 100.0;
                }
                out[i] += v;
            }
        }
    };
}
sums!(hygienic, x, v, v - 0.5);

#[test]
fn names_of_macros_are_their_own() {
    let x: Vec<f32> = (0..60).map(|i| i as f32 / 4.0).collect();
    let mut want = vec![0.0; 60];
    hygienic.native(&mut want, &x);
    for engine in &Engines::new().all {
        let mut got = vec![0.0; 60];
        engine.runtime.scope(|| hygienic(&mut got, &x));
        assert_eq!(got, want, "{}", engine.name);
    }
}

/// An expression handed to a macro holds together, in functions that are called plainly too.
macro_rules! grouped {
    ($func:ident, $kernel:ident, $e:expr, $domain:expr, $t:ty, $some:pat) => {
        #[qd::func]
        fn $func(x: i32) -> i32 {
            assert!($e * 5 < 100);
            let list: [i32; $e as usize * 2] = [1; $e as usize * 2];
            x * $e + list[0] - list[5] * 6
        }

        #[qd::kernel]
        fn $kernel(out: &mut [$t]) {
            for i in $domain {
                let picked = match i {
                    $some => -$e * 2,
                    _ => 0,
                };
                out[i] = $func(i as i32) * $e + picked;
            }
        }
    };
}
grouped!(grouped_func, grouped_kernel, 1 + 2, 0..5usize, i32, 0 | 3);

#[test]
fn expressions_handed_to_macros_hold_together() {
    assert_eq!(grouped_func(10), 10 * 3 + 1 - 6);
    let want = [0, 1, 2, 3, 4].map(|i| (i * 3 - 5) * 3 + if i % 3 == 0 { -6 } else { 0 });
    let mut native = [0; 5];
    grouped_kernel.native(&mut native);
    assert_eq!(native, want);
    for engine in &Engines::new().all {
        let mut out = [0; 5];
        engine.runtime.scope(|| grouped_kernel(&mut out));
        assert_eq!(out, want, "{}", engine.name);
    }
}
