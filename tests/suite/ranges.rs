//! Ranges that are asked what they contain, and ranges without an end.
use qd::prelude::*;

use crate::support::{agree, hash};

#[derive(Clone, Copy, Debug, PartialEq, qd::Data)]
struct Window {
    from: i32,
    to: [i32; 2],
}

#[qd::func]
fn near(v: &f32, lo: f32) -> bool {
    (lo..=lo + 2.0).contains(v)
}

#[qd::kernel]
fn containing(x: &mut [i32], f: &[f32], h: i32, w: Window) -> bool {
    let open = (0..h).contains(&3);
    for i in 0..x.len() {
        let (y, mut n) = (x[i], 0);
        if (0..h).contains(&y) {
            n += 1;
        }
        if (1.0..=2.5).contains(&f[i]) {
            n += 10;
        }
        if (..h).contains(&(y - 3)) && open {
            n += 100;
        }
        if !(w.from..w.to[1] + 1).contains(&y) && (i..).contains(&3) {
            n += 1000;
        }
        if near(&f[i], 1.0) || (..=w.to[0]).contains(&(y / 7)) {
            n += 5;
        }
        n += f.iter().filter(|v| (0.0..2.0).contains(*v)).count() as i32;
        n += (0..5).filter(|k| (2..=3).contains(k)).count() as i32;
        if (b'a'..=b'z').contains(&(y as u8)) && !(true..true).contains(&open) {
            n += 20000;
        }
        let mut calls = 0;
        if (next(&mut calls)..next(&mut calls) + 3).contains(&next(&mut calls)) {
            n += calls;
        }
        x[i] = n;
    }
    open
}

#[qd::func]
fn next(calls: &mut i32) -> i32 {
    *calls += 1;
    *calls
}

#[test]
fn ranges_contain() {
    let f: Vec<f32> = (0..300).map(|n| if n % 50 == 7 { f32::NAN } else { (hash(n) % 9) as f32 / 2.0 - 0.5 }).collect();
    let start: Vec<i32> = (0..300).map(|n| hash(n) as i32 % 130 - 4).collect();
    let w = Window { from: 1, to: [2, 60] };
    for h in [3, 4, 50] {
        let native = |x: &mut [i32]| x[0] += containing.native(x, &f, h, w) as i32;
        agree(&start, native, |x| {
            x[0] += containing.try_call(x, &f, h, w)? as i32;
            Ok(())
        });
    }
}

/// The race rule sees through it.
#[qd::kernel]
fn but_the_first(x: &mut [i32], n: usize) {
    for i in 0..x.len() {
        if (1..n).contains(&i) {
            x[i] += x[0];
        }
    }
}

#[test]
fn what_a_range_contains_keeps_iterations_apart() {
    agree(&[2, 3, 4, 5, 6], |x| but_the_first.native(x, 3), |x| but_the_first.try_call(x, 3));
}

#[qd::kernel]
fn counting(x: &mut [i32]) -> i32 {
    for i in 0..x.len() {
        let mut sum = 0;
        'all: for q in 0.. {
            if q == 2 {
                continue;
            }
            for r in 3i64.. {
                if r > 4 {
                    break;
                }
                if q > 7 {
                    break 'all;
                }
                sum += q + r as i32;
            }
        }
        for k in i.. {
            if k * k > 20 {
                x[i] += k as i32;
                break;
            }
        }
        x[i] += sum;
    }
    let mut sum = 0;
    #[qd::serial]
    for q in 1u8.. {
        sum += q as i32;
        if sum > 100 {
            break;
        }
    }
    sum
}

#[qd::func]
fn first_square_above(n: u32) -> u32 {
    for (k, square) in (0..).map(|k| (k, k * k)) {
        if square > n {
            return k;
        }
    }
    0
}

#[qd::kernel]
fn searching(x: &mut [u32]) {
    for i in 0..x.len() {
        x[i] = first_square_above(x[i]);
        for k in 250u8.. {
            x[i] += k as u32;
            if k == 254 {
                break;
            }
        }
    }
}

#[test]
fn ranges_without_an_end() {
    agree(
        &[2; 20],
        |x| x[0] += counting.native(x),
        |x| {
            x[0] += counting.try_call(x)?;
            Ok(())
        },
    );
    let start: Vec<u32> = (0..100).map(|n| (hash(n) % 1000) as u32).collect();
    agree(&start, |x| searching.native(x), |x| searching.try_call(x));
}
