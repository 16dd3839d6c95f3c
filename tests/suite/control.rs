//! Control flow, scoping, tuples and constants in loop bodies.
use qd::prelude::*;

use crate::support::{pairs, singles};

const LIMIT: u32 = 1000;
mod constants {
    pub const STEP: i64 = 3;
    pub const TABLE_SIZE: usize = 1 << 4;
}

table! { loops, (a: u32) = singles(|_| true), Exact {
    collatz: u32 = {
        let mut n = a % LIMIT + 1;
        let mut steps = 0;
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        steps
    };
    found: u32 = {
        let mut k = 0u32;
        loop {
            k += 1;
            if k * k > a % 5000 {
                break k;
            }
        }
    };
    labelled: u32 = {
        let mut count = 0;
        'outer: for i in 0..20u32 {
            for j in 0..20u32 {
                if j > i {
                    continue 'outer;
                }
                if i * j > a % 100 {
                    break 'outer;
                }
                count += i ^ j;
            }
        }
        count
    };
    skipped: u32 = {
        let mut sum = 0;
        for k in 0..30 {
            if k % 3 == a % 3 {
                continue;
            }
            sum += k;
        }
        sum
    };
    empty: u32 = {
        let mut sum = a;
        for _ in 5..5 {
            sum += 1;
        }
        for k in 7..3 {
            sum += k;
        }
        sum
    };
    signed_range: u32 = {
        let mut sum = 0i32;
        for k in -5..5i32 {
            sum += k * k;
        }
        sum as u32 + a
    };
    narrow_range: u32 = {
        let mut count = 0;
        for k in 0u8..255 {
            count += (k as u32) & a;
        }
        count
    };
    nested_ndrange: u32 = {
        let mut sum = 0;
        for (i, j) in qd::ndrange([3, 4]) {
            if j == 2 {
                continue;
            }
            sum += (i * 10 + j) as u32;
        }
        sum + a
    };
    while_with_breaks: u32 = {
        let mut v = a;
        let mut n = 0;
        while v > 3 {
            v /= 2;
            n += 1;
            if n == 7 {
                break;
            }
        }
        v * 100 + n
    };
} }

table! { values, (a: i64, b: i64) = pairs(|_, _| true), Exact {
    shadowing: i64 = {
        let v = a;
        let v = v ^ b;
        let w = {
            let v = v + 1;
            v * 2
        };
        v + w
    };
    tuples: i64 = {
        let (mut p, q) = (a, b);
        let t = (q, (p, 7));
        p = t.1.0 + t.1.1;
        let mut pair = (p, q);
        pair.0 += 1;
        pair = (pair.1, pair.0);
        pair.0 - pair.1
    };
    swap: i64 = {
        let (mut x, mut y) = (a, b);
        (x, y) = (y, x);
        (y, _) = (y + x, 3);
        x - y
    };
    else_if: i64 = if a < 0 { -1 } else if a == 0 { 0 } else if a < b { 1 } else { 2 };
    nested_if: i64 = if if a > b { a > 0 } else { b > 0 } { a } else { b };
    conditional_tuple: i64 = {
        let (lo, hi) = if a < b { (a, b) } else { (b, a) };
        hi - lo
    };
    late: i64 = {
        let v;
        if a < 0 {
            v = 1;
        } else {
            v = b;
        }
        v
    };
    constants: i64 = constants::STEP * a + constants::TABLE_SIZE as i64 + i64::MAX + LIMIT as i64;
    local_constant: i64 = {
        const OFFSET: i64 = 5;
        a + OFFSET
    };
    order: i64 = {
        let mut v = a;
        let sum = v + {
            v = b;
            v
        } + v;
        sum ^ v
    };
    assigned_by_block: i64 = {
        let mut v = a;
        v += {
            v = 1;
            b
        };
        v
    };
    lazy_effects: i64 = {
        let mut n = 0;
        let hit = a > 0 && {
            n += 1;
            b > 0
        } || {
            n += 10;
            a == b
        };
        if hit { n } else { -n }
    };
    unit: i64 = {
        let nothing = ();
        let _ = a;
        let (_, kept) = (nothing, b);
        kept
    };
} }

#[qd::kernel]
fn skips_iterations(out: &mut [i32], a: &[i32]) {
    for i in 0..out.len() {
        if a[i] < 0 {
            continue;
        }
        let mut v = a[i];
        while v > 10 {
            v -= 7;
            if v == 13 {
                continue;
            }
        }
        out[i] = v;
    }
}

#[test]
fn continue_ends_an_iteration() {
    let a: Vec<i32> = (0..5000).map(|n| crate::support::hash(n) as i32 % 1000).collect();
    let mut want = vec![-1; a.len()];
    skips_iterations.native(&mut want, &a);
    for engine in &crate::support::Engines::new().all {
        let mut got = vec![-1; a.len()];
        engine.runtime.scope(|| skips_iterations(&mut got, &a));
        assert_eq!(got, want, "{}", engine.name);
    }
}

/// What rustfmt would take away.
#[allow(redundant_semicolons)]
#[rustfmt::skip]
#[qd::kernel]
fn untidy(x: &mut [i32]) -> i32 {
    ;
    for i in 0..x.len() { x[i] += 1; ; }
    return x[0]
}

#[test]
fn empty_statements_and_a_return_at_the_end() {
    let mut want = [4, 5];
    assert_eq!(untidy.native(&mut want), 5);
    for engine in &crate::support::Engines::new().all {
        let mut got = [4, 5];
        assert_eq!(engine.runtime.scope(|| untidy(&mut got)), 5, "{}", engine.name);
        assert_eq!(got, want);
    }
}

#[qd::func]
fn position(v: u32, x: &[u32]) -> usize {
    'found: {
        for i in 0..x.len() {
            if x[i] >= v {
                break 'found i;
            }
        }
        x.len()
    }
}

#[qd::kernel]
fn labelled_blocks(out: &mut [u32], counts: &mut [u32], x: &[u32]) {
    'each: for i in 0..out.len() {
        let v = 'v: {
            if i > 3 && x[i] == 4 {
                break 'v 1;
            }
            if i % 5 == 2 {
                continue 'each;
            }
            let mut t = 5;
            'more: {
                if x[i] > 4 {
                    break 'more;
                }
                t += 1;
                if x[i] == 1 {
                    break 'v t;
                }
                loop {
                    t += 1;
                    if t > 20 {
                        break;
                    }
                    if t == x[i] * 3 {
                        break 'more;
                    }
                }
            }
            t
        };
        out[i] = v + position(v, x) as u32;
        counts[i] += 'seven: { if v == 7 { break 'seven 0 } else { v } };
        'j: for j in 0..3 {
            'skip: {
                if j == 1 && v == 5 {
                    break 'j;
                }
                if v == 6 {
                    break 'skip;
                }
                out[i] += j;
            }
            out[i] += 1;
        }
    }
}

#[test]
fn blocks_with_labels_are_left() {
    let x: Vec<u32> = (0..3000).map(|i| (i * 7) % 11).collect();
    let (mut want, mut want_counts) = (vec![0; x.len()], vec![3; x.len()]);
    labelled_blocks.native(&mut want, &mut want_counts, &x);
    for engine in &crate::support::Engines::new().all {
        let (mut got, mut counts) = (vec![0; x.len()], vec![3; x.len()]);
        engine.runtime.scope(|| labelled_blocks.try_call(&mut got, &mut counts, &x).unwrap());
        assert_eq!((&got, &counts), (&want, &want_counts), "{}", engine.name);
    }
}
