//! Chains of iterators: every end over every source, every adapter before every kind of end, in iterations and in serial
//! code, where they run in order.
use qd::prelude::*;

use crate::support::{Class, Edges, Engines, Same, assert_same, hash};

/// Rows over two arrays and the number of the row, run natively and on every engine.
macro_rules! rows {
    ($name:ident, $t:ident, |$x:ident, $y:ident, $i:ident| { $($out:ident: $r:ty = $e:expr;)+ }) => {
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel($($out: &mut [$r],)+ $x: &[$t], $y: &[$t]) {
                $(for $i in 0..$out.len() {
                    $out[$i] = $e;
                })+
            }
            struct Results { $($out: Vec<$r>),+ }
            let x = std::hint::black_box(values::<$t>(0, 37));
            let y = std::hint::black_box(values::<$t>(1, 45));
            let empty = || Results { $($out: vec![<$r>::default(); x.len() + 1]),+ };
            let mut want = empty();
            kernel.native($(&mut want.$out,)+ &x, &y);
            for engine in &Engines::new().all {
                let mut got = empty();
                engine
                    .runtime
                    .scope(|| kernel.try_call($(&mut got.$out,)+ &x, &y))
                    .unwrap_or_else(|error| panic!("{} ({}): {error}", stringify!($name), engine.name));
                $(assert_same(
                    concat!(stringify!($name), ": ", stringify!($out)),
                    &engine.name,
                    Class::Exact,
                    &got.$out,
                    &want.$out,
                    |i| i.to_string(),
                );)+
            }
        }
    };
}

/// Values that repeat, so that there are several least ones; no NaN.
fn values<T: Edges + Same + Default + PartialEq>(salt: u64, len: usize) -> Vec<T> {
    let edges: Vec<T> = T::edges().into_iter().filter(|v| v == v).collect();
    (0..len as u64).map(|n| edges[hash(n * 3 + salt) as usize % edges.len()]).collect()
}

/// Every end of a chain over one source of values, and every adapter before it.
macro_rules! ends {
    ($name:ident, $t:ident, |$x:ident, $y:ident, $i:ident| $source:expr, |$v:ident| $test:expr, $to:ident $last:expr) => {
        mod $name {
        use super::*;
        rows! { ends, $t, |$x, $y, $i| {
            sum: $t = $source.sum::<$t>();
            product: $t = $source.product();
            count: usize = $source.count();
            fold: $t = $source.fold($last, |a, v| v - a);
            fold_add: $t = $source.fold($last, |a, v| a + v);
            fold_tuple: $t = {
                let (a, n) = $source.fold(($last, 0u32), |(a, n), v| if n % 3 == 1 { (a, n + 1) } else { (v, n + 1) });
                if n > 5 { a } else { $last }
            };
            reduce: $t = $source.reduce(|a, v| a - v).unwrap_or($last);
            reduce_mul: $t = $source.reduce(|a, v| a * v).unwrap_or($last);
            any: bool = $source.any(|$v| $test);
            all: bool = $source.all(|$v| $test);
            position: usize = $source.position(|$v| $test).unwrap_or(1000);
            find: $t = $source.find(|&$v| $test).unwrap_or($last);
            find_asked: bool = $source.find(|&$v| $test).is_some();
            position_asked: bool = $source.position(|$v| $test).is_none();
            last_asked: bool = $source.last().is_none();
            last: $t = $source.last().unwrap_or_else(|| $last + $last);
            map: $t = $source.map(|v| v * v).sum();
            map_path: $t = $source.map($t::$to).fold($last, |a, v| v - a);
            filter: $t = $source.filter(|&$v| $test).sum();
            filter_count: usize = $source.filter(|&$v| $test).count();
        } }
        rows! { adapters, $t, |$x, $y, $i| {
            enumerate: usize = $source.enumerate().map(|(n, $v)| if $test { n } else { 1 }).sum();
            filter_enumerate: usize = $source.filter(|&$v| $test).enumerate().map(|(n, $v)| if $test { n } else { 1 }).sum();
            map_enumerate: usize = $source.map(|v| v + v).enumerate().filter(|&(_, $v)| $test).map(|(n, _)| n).sum();
            take: $t = $source.take(5).fold($last, |a, v| v - a);
            skip: $t = $source.skip($i / 2).fold($last, |a, v| v - a);
            step: $t = $source.step_by(3).fold($last, |a, v| v - a);
            take_skip: $t = $source.skip(2).take($i).skip(1).step_by(2).fold($last, |a, v| v - a);
            filter_take: $t = $source.filter(|&$v| $test).take($i / 3).fold($last, |a, v| v - a);
            filter_skip: $t = $source.filter(|&$v| $test).skip($i / 3).fold($last, |a, v| v - a);
            filter_step: $t = $source.filter(|&$v| $test).step_by(2).take(4).fold($last, |a, v| v - a);
            take_while: $t = $source.take_while(|&$v| $test).fold($last, |a, v| v - a);
            skip_while: $t = $source.skip_while(|&$v| $test).fold($last, |a, v| v - a);
            zip: $t = $source.zip($y.iter()).map(|(a, b)| a - b).fold($last, |a, v| v - a);
            zip_numbers: usize = $source.zip(3..).map(|($v, n)| if $test { n } else { 2 * n }).sum();
            zip_mapped: $t = $source.zip($y[3..9].iter().rev().map(|b| b + b)).map(|(a, b)| a - b).sum();
            filter_zip: $t = $source.filter(|&$v| $test).zip(&$y[..7]).fold($last, |a, (v, b)| v - a + b);
            inspect: usize = {
                let mut seen = 0;
                let n = $source.inspect(|_| seen += 1).take_while(|&$v| $test).count();
                seen * 100 + n
            };
            header: $t = {
                let mut a = $last;
                for v in $source.filter(|&$v| $test) {
                    a = v - a;
                }
                a
            };
            header_jumps: $t = {
                let mut a = $last;
                'outer: for (n, v) in $source.enumerate().skip(1) {
                    for k in 0..n {
                        if k == 3 {
                            continue 'outer;
                        }
                        if k == 2 && n > 20 {
                            break 'outer;
                        }
                        a = v - a;
                    }
                }
                a
            };
        } }
        }
    };
}

/// The ends that only ordered types have.
macro_rules! ordered {
    ($name:ident, $t:ident, |$x:ident, $y:ident, $i:ident| $source:expr, |$v:ident| $test:expr) => {
        rows! { $name, $t, |$x, $y, $i| {
            min: $t = $source.min().unwrap_or(7);
            max: $t = $source.max().unwrap_or(7);
            filter_min: $t = $source.filter(|&$v| $test).min().unwrap_or(7);
            filter_max: $t = $source.filter(|&$v| $test).max().unwrap_or_else(|| 9);
            fold_min: $t = $source.fold($t::MAX, |a, v| a.min(v));
            fold_max: $t = $source.fold($t::MIN, $t::max);
            reduce_max: $t = $source.reduce(|a, v| std::cmp::max(a, v)).unwrap_or(5);
            reduce_xor: $t = $source.reduce(|a, v| a ^ v).unwrap_or(5);
            fold_or: $t = $source.fold(0, |a, v| a | v);
            place: usize = $source.enumerate().map(|(n, v)| (v, n)).min().unwrap_or(($t::MAX, 1000)).1;
            place_of_last: usize = $source.zip(0usize..).max().unwrap_or(($t::MAX, 1000)).1;
        } }
    };
}

macro_rules! sources {
    ($($name:ident |$x:ident, $y:ident, $i:ident| $source:expr;)*) => {
        mod of_i32 { use super::*; $(
            ends! { $name, i32, |$x, $y, $i| $source, |v| v % 2 == 0, wrapping_neg 3 }
        )* }
        mod of_u8 { use super::*; $(
            ordered! { $name, u8, |$x, $y, $i| $source, |v| v % 3 == 1 }
        )* }
        mod of_i64 { use super::*; $(
            ordered! { $name, i64, |$x, $y, $i| $source, |v| v > 1 }
        )* }
    };
}
sources! {
    whole |x, y, i| x.iter().copied();
    behind |x, y, i| x[i..].iter().cloned();
    before |x, y, i| x[..i].iter().copied().rev();
    between |x, y, i| y[i / 2..i].iter().map(|v| *v);
    between_closed |x, y, i| y[i..=i + 3].into_iter().copied();
    indexed |x, y, i| (0..i).map(|k| y[i - k]);
    indexed_steps |x, y, i| (i..=37).rev().step_by(2).map(|k| y[k]);
    pairs |x, y, i| x.iter().zip(y).skip(i).map(|(a, b)| a - b);
    literal |x, y, i| [y[i], x[0], y[i + 1], y[i + 2]].into_iter();
    backwards |x, y, i| x.iter().step_by(i + 1).rev().copied();
    taken |x, y, i| y.iter().skip(3).rev().skip(1).enumerate().take(i).map(|(n, v)| if n % 5 == 4 { x[n] } else { *v });
}

mod of_f32 {
    use super::*;
    ends! { whole, f32, |x, y, i| x[..i].iter().copied(), |v| v > 0.5, sqrt 0.25 }
    ends! { pairs, f32, |x, y, i| x.iter().rev().zip(y).map(|(a, b)| a * b), |v| v > 0.5, sqrt 0.25 }
}

// Ranges of every type, numbered.
macro_rules! ranges {
    ($($t:ident)*) => { $(
        rows! { $t, $t, |x, y, i| {
            sum: $t = (x[i % 37]..y[i]).take(40).fold(1, |a, v| a * 3 + v);
            closed: $t = (x[i % 37]..=y[i].min($t::MAX - 1)).skip(2).take(40).fold(1, |a, v| a * 3 + v);
            last: $t = (x[i % 37]..=y[i].min($t::MAX - 1)).rev().take(9).last().unwrap_or(3);
            pairs: $t = (x[i % 37]..y[i]).rev().zip(y[i]..).take(9).fold(1, |a, (v, w)| a * 3 + v - w);
            numbered: usize = (x[i % 37]..y[i]).enumerate().step_by(3).take(20).map(|(n, v)| n ^ v as usize).sum();
            count: usize = (x[i % 37]..y[i]).count();
            steps: usize = (x[i % 37]..=y[i].min($t::MAX - 1)).step_by(7).take(30).count();
            least: $t = (x[i % 37]..y[i]).step_by(100).skip(1).take(5).min().unwrap_or(1);
            most: $t = (y[i] / 2..y[i]).take(1000).max().unwrap_or(1);
            some: bool = (x[i % 37]..=y[i].min($t::MAX - 1)).take(500).any(|v| v % 13 == 5);
            open: $t = (y[i]..).skip(2).step_by(2).take(3).sum();
        } }
    )* };
}
mod of_ranges {
    use super::*;
    ranges! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
}

rows! { local_arrays, f64, |x, y, i| {
    literal: f64 = [1.5, y[i], 2.5].iter().map(|v| v * 2.0).sum();
    integers: i64 = [1, 3, 5].iter().map(|v| v * i as i64).sum();
    consts: u64 = WEIGHTS.iter().zip(0..).map(|(w, n)| w << n).sum();
    const_rows: u64 = TABLE[i % 2].iter().sum();
    variable: f64 = {
        let weights = [0.25, 0.5, 0.25];
        let at = i % 30;
        weights.iter().zip(x[at..].iter()).map(|(w, v)| w * v).sum()
    };
    changed: f64 = {
        let mut v = [x[0], y[i], 3.0, 4.0];
        for e in v.iter_mut().skip(1) {
            *e *= 2.0;
        }
        for (n, e) in v.iter_mut().enumerate().rev() {
            *e += n as f64;
        }
        for e in &mut v {
            *e -= 1.0;
        }
        for e in v[1..3].iter_mut() {
            *e /= 4.0;
        }
        v.iter_mut().for_each(|e| *e = -*e);
        v.into_iter().fold(0.5, |a, v| a / 2.0 + v)
    };
    copied_first: f64 = {
        let mut v = [x[1], y[i], 3.0, 4.0];
        let mut sum = 0.0;
        for e in v {
            v[2] = 100.0;
            sum = sum / 2.0 + e;
        }
        for (n, mut e) in v.into_iter().enumerate() {
            v[3] = 7.0;
            e += n as f64;
            sum = sum / 2.0 + e;
        }
        for row in [[sum, 1.0], [2.0, y[i]]] {
            sum += row.iter().sum::<f64>() + row[0];
        }
        sum
    };
    by_value: f64 = {
        let v = [x[1], y[i], 3.0];
        let mut sum = 0.0;
        for e in v {
            sum = sum / 2.0 + e;
        }
        for k in [1, 3, 5] {
            sum += y[i + k];
        }
        for e in &v {
            sum = sum / 2.0 - e;
        }
        for (n, w) in WEIGHTS.into_iter().enumerate() {
            sum += n as f64 * w as f64;
        }
        sum
    };
    rows: f64 = {
        let mut m = [[x[2], x[3]], [y[i], 1.0], [2.0, 3.0]];
        for (n, row) in m.iter_mut().enumerate() {
            for e in row.iter_mut() {
                *e += n as f64;
            }
            row[0] *= 3.0;
            row[1] -= m_of(row, n);
        }
        m.iter().map(|row| row.iter().sum::<f64>()).fold(0.0, |a, v| a * 2.0 + v)
    };
} }

const WEIGHTS: [u64; 4] = [1, 2, 3, 4];
const TABLE: [[u64; 3]; 2] = [[1, 2, 3], [40, 50, 60]];

#[qd::func]
fn m_of(row: &[f64; 2], n: usize) -> f64 {
    row.iter().product::<f64>() * n as f64
}

#[qd::func]
fn clamp_in_place(v: &mut f64, most: f64) {
    *v = v.min(most);
}

#[qd::func]
fn mean(x: &[f64], from: usize, to: usize) -> f64 {
    x[from..to].iter().sum::<f64>() / (to - from).max(1) as f64
}

#[qd::func]
fn half(v: f64) -> f64 {
    v / 2.0
}

#[qd::func]
fn half_of(v: &f64) -> f64 {
    *v / 2.0
}

rows! { references, f64, |x, y, i| {
    operators: f64 = x.iter().zip(y.iter()).map(|(a, b)| a * b + a - b / 2.0 + -a).sum();
    compared: usize = x.iter().zip(y).filter(|(a, b)| a < b && **a != 1.0 && a > &&y[i]).count();
    patterns: f64 = x.iter().zip(y).enumerate().filter(|&(n, (a, &b))| n > 1 && *a < b).map(|(_, (&a, b))| a - b).sum();
    methods: f64 = x.iter().map(|v| v.abs().max(*v).min(y[i])).sum();
    sums: f64 = x.iter().sum();
    kept: f64 = *x.iter().reduce(|a, b| if a > b { a } else { b }).unwrap();
    kept_in_variable: f64 = {
        let most = x.iter().skip(i % 30).reduce(|a, b| if a < b { a } else { b }).unwrap();
        *most + 1.0
    };
    found: f64 = x.iter().find(|v| **v > 1.0).copied().unwrap_or(y[i]);
    found_reference: f64 = *x.iter().find(|v| v.is_sign_negative() && *v < &y[i]).unwrap_or(&0.5);
    named: f64 = x.iter().copied().map(half).map(f64::sqrt).fold(f64::NEG_INFINITY, f64::max);
    named_by_reference: f64 = x.iter().map(half_of).sum();
    called: f64 = x.iter().enumerate().map(|(n, v)| half_of(v) + half(*v) + mean(y, n / 2, n)).sum();
    captured: f64 = {
        let (mut sum, scale) = (0.0, y[i]);
        x.iter().for_each(|v| sum = sum / 2.0 + v * scale);
        sum
    };
    nested: f64 = (0..5).map(|k| (0..k).map(|j| x[j] * y[k]).sum::<f64>()).sum();
    blocks: f64 = x.iter().map(|v| {
        let mut w = *v;
        for _ in 0..3 {
            w = w / 2.0 + 1.0;
        }
        let v = w * 2.0;
        if v > 3.0 { v } else { w }
    }).sum();
    shadowed: f64 = {
        let mut sum = 0.0;
        for v in x.iter() {
            let v = *v + 1.0;
            debug_assert!(v == v, "{v}");
            sum += v;
        }
        for v in x {
            if *v > 1.0 {
                let v = sum;
                sum = v / 2.0;
            }
            assert!(!v.is_nan(), "{v}");
        }
        sum
    };
    wild: f64 = {
        let mut n = 0.0;
        for _ in x.iter() {
            n += 1.0;
        }
        for (_, b) in x.iter().zip(y[i..].iter()) {
            n += b.signum();
        }
        n
    };
    clamped: f64 = {
        let mut v = [x[0], x[1], y[i]];
        for e in v.iter_mut() {
            clamp_in_place(e, 2.0);
            clamp_in_place(&mut *e, 1.5);
        }
        v.iter().sum()
    };
    typed: f64 = x.iter().map(|v: &f64| -> f64 { v * 2.0 }).fold(0.0, |a: f64, v| { let b = a / 2.0; b + v });
    literals: u64 = x.iter().map(|_| 1).sum::<u64>() + (0..3).map(|k| k * 2).sum::<u64>();
    fallback: i32 = x.iter().map(|_| 1 << 3).sum::<i32>() + (0..4).map(|k| k).max().unwrap();
    counted_literals: usize = x.iter().map(|_| 300).filter(|v| *v > 299).count();
    casts: u8 = x.iter().map(|v| *v as i32 as u8).fold(0, |a, v| a + v);
} }

#[derive(Debug, Clone, Copy, PartialEq, Default, qd::Data)]
struct Ball {
    mass: f32,
    at: [f32; 3],
    seen: u32,
}

#[qd::funcs]
impl Ball {
    fn heavy(&self) -> bool {
        self.mass > 0.5
    }

    fn push(&mut self, by: f32) {
        self.at[0] += by;
        self.seen += 1;
    }
}

#[qd::kernel]
fn balls(all: &mut [Ball], others: &[Ball], points: &mut [Vector<f32, 2>], sums: &mut [f32]) {
    for ball in all.iter_mut() {
        ball.push(0.5);
        ball.at[1] = ball.mass;
        for c in ball.at.iter_mut() {
            *c *= 2.0;
        }
        ball.mass += others.iter().filter(|o| o.heavy()).map(|o| o.mass * o.at.iter().sum::<f32>()).sum::<f32>();
        ball.seen += others.iter().map(|o| *o).filter(|o| o.heavy()).find(|&o| o.heavy()).is_some() as u32;
        ball.seen +=
            others.iter().enumerate().filter(|(n, o)| *n > 3 && o.heavy()).filter(|&(n, o)| n < 9 || o.heavy()).count()
                as u32;
        ball.seen +=
            others.iter().filter(|&o| o.heavy()).filter(|&&o| o.heavy()).map(|&o| o.heavy() as u32).sum::<u32>();
        let Ball { mass, .. } = *ball;
        ball.seen += others.iter().map(|Ball { mass: m, .. }| (*m > mass) as u32).sum::<u32>();
    }
    for (i, (ball, sum)) in all.iter_mut().zip(sums.iter_mut()).enumerate() {
        *sum = ball.at[2] + i as f32;
        *ball = Ball { seen: i as u32, ..*ball };
    }
    for p in points.iter_mut() {
        p.x += p.y;
        *p = *p * 2.0;
        p[1] = others.iter().map(|o| vec2(o.at[0], o.mass)).sum::<Vector<f32, 2>>().y;
    }
    points.iter_mut().zip(others).for_each(|(p, o)| p.x -= o.mass);
}

#[test]
fn elements_are_places() {
    let ball = |n: u64| Ball { mass: (hash(n) % 1000) as f32 / 1000.0, at: [n as f32, 0.5, -0.25], seen: 0 };
    let start: Vec<Ball> = (0..300).map(ball).collect();
    let others: Vec<Ball> = (500..530).map(ball).collect();
    let run = |call: &dyn Fn(&mut [Ball], &mut [Vector<f32, 2>], &mut [f32])| {
        let (mut all, mut points, mut sums) = (start.clone(), vec![vec2(0.5f32, 0.25); 25], vec![0.0; 270]);
        call(&mut all, &mut points, &mut sums);
        (all, points, sums)
    };
    let want = run(&|all, points, sums| balls.native(all, &others, points, sums));
    for engine in &Engines::new().all {
        let got = engine.runtime.scope(|| run(&|all, points, sums| balls(all, &others, points, sums)));
        assert!(got == want, "{}", engine.name);
    }
}

/// Loops of the top level over parts, in steps, backwards.
#[qd::kernel]
fn parts(x: &mut [i64], y: &[i64], n: usize) {
    for v in x[1..].iter_mut() {
        *v += 1;
    }
    for (i, v) in x[n..2 * n].iter_mut().enumerate() {
        *v = *v * 3 + i as i64;
    }
    for (v, w) in x.iter_mut().rev().zip(y[n..=n + 5].iter()) {
        *v -= w;
    }
    for v in x.iter_mut().step_by(3) {
        *v += 100;
    }
    for (i, v) in x.iter_mut().enumerate().skip(2).rev() {
        *v ^= i as i64;
    }
    for (v, k) in x.iter_mut().zip((0..n as i64).rev()) {
        *v += k * y[k as usize];
    }
    for (v, w) in x.iter_mut().take(n).zip(y.iter().map(|w| w * 7)) {
        if *v % 2 == 0 {
            continue;
        }
        *v += w;
    }
    for v in x.iter_mut().filter(|v| **v % 3 == 0) {
        *v /= 3;
    }
    x[..n].iter_mut().for_each(|v| *v += 5);
    #[qd::serial]
    for (i, v) in x.iter_mut().filter(|v| **v % 2 == 0).enumerate() {
        *v += i as i64;
    }
}

#[test]
fn parallel_loops_own_what_they_are_given() {
    for engine in &Engines::new().all {
        for len in [10usize, 64, 5000] {
            let y: Vec<i64> = (0..len as u64).map(|n| hash(n) as i64 % 1000).collect();
            let (mut got, mut want) = (y.clone(), y.clone());
            parts.native(&mut want, &y, len / 3);
            engine.runtime.scope(|| parts(&mut got, &y, len / 3));
            assert_eq!(got, want, "{} {len}", engine.name);
        }
    }
    // The range is computed by a construct of its own where it isn't plain.
    assert_eq!(parts.observations().frontend_constructs_total, 11);
}
