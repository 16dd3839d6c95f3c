//! Methods of one's own types by the names of std's: the type of what they are called on decides.
use std::ops::Add;

use qd::prelude::*;

use crate::support::*;

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Interval {
    lo: f32,
    hi: f32,
}

#[qd::funcs]
impl Interval {
    fn len(&self) -> f32 {
        self.hi - self.lo
    }

    fn is_empty(&self) -> bool {
        self.len() <= 0.0
    }

    fn abs(self) -> Self {
        if self.lo >= 0.0 { self } else { Interval { lo: 0.0, hi: self.hi.max(-self.lo) } }
    }

    fn min(self, other: Self) -> Self {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.min(other.hi) }
    }

    fn max(&self, other: &Self) -> Self {
        Interval { lo: self.lo.max(other.lo), hi: self.hi.max(other.hi) }
    }

    fn clamp(self, lo: f32, hi: f32) -> Self {
        Interval { lo: self.lo.clamp(lo, hi), hi: self.hi.clamp(lo, hi) }
    }

    fn sqrt(&self) -> Option1 {
        Option1 { some: self.lo >= 0.0, value: Interval { lo: self.lo.sqrt(), hi: self.hi.sqrt() } }
    }

    fn dot(&self, other: &Interval) -> f32 {
        self.lo * other.lo + self.hi * other.hi
    }

    fn sum(&self) -> f32 {
        self.lo + self.hi
    }

    /// Of another number of operands than std's.
    fn powi(self) -> f32 {
        self.lo.powi(2)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Option1 {
    some: bool,
    value: Interval,
}

#[qd::kernel]
fn intervals(x: &mut [Interval], out: &mut [f32]) {
    for i in 0..x.len() {
        let v = x[i];
        let abs = v.abs().min(Interval { lo: 3.5, hi: 2.5 });
        out[i] = v.len() + abs.dot(&v) + v.sum().abs() + v.powi();
        if !x[i].is_empty() {
            x[i] = x[i].max(&v.clamp(-1.0, 1.0)).sqrt().value;
        }
        let root = abs.sqrt();
        if root.some {
            out[i] += root.value.max(&root.value).hi.min(9.0);
        }
    }
}

#[test]
fn inherent_methods_by_the_names_of_std() {
    let x: Vec<Interval> = (0..1000)
        .map(|n| (hash(n) % 17, hash(n + 5) % 19))
        .map(|(a, b)| Interval { lo: a as f32 - 5.0, hi: b as f32 - 6.0 })
        .collect();
    for engine in &Engines::new().all {
        let (mut a, mut b) = (x.clone(), x.clone());
        let (mut of_a, mut of_b) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        intervals.native(&mut a, &mut of_a);
        engine.runtime.scope(|| intervals.try_call(&mut b, &mut of_b)).unwrap();
        assert!(same(&of_a, &of_b) && a.iter().zip(&b).all(|(a, b)| same(&[a.lo, a.hi], &[b.lo, b.hi])));
    }
}

/// Of floats a NaN is any NaN.
fn same(a: &[f32], b: &[f32]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
}

/// A trait of the user with such names, through type parameters.
#[qd::funcs]
trait Ring {
    fn abs(&self) -> Self;
    fn max(self, other: Self) -> Self;
    fn signum(&self) -> Self {
        self.abs().max(*self)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Gauss {
    re: i32,
    im: i32,
}

#[qd::funcs]
impl Ring for Gauss {
    fn abs(&self) -> Self {
        Gauss { re: self.re.abs(), im: self.im.abs() }
    }

    fn max(self, other: Self) -> Self {
        if self.re > other.re { self } else { Gauss { im: other.im + 1, ..self } }
    }
}

#[qd::funcs]
impl Add for Gauss {
    type Output = Gauss;
    fn add(self, other: Gauss) -> Gauss {
        Gauss { re: self.re + other.re, im: self.im + other.im }
    }
}

#[qd::kernel]
fn rings<T: Ring + Add<Output = T>>(x: &mut [T], by: T) {
    for i in 0..x.len() {
        x[i] = x[i].abs().max(by.signum()) + x[i].signum().max(by);
    }
}

#[test]
fn trait_methods_by_the_names_of_std() {
    let start: Vec<Gauss> = (0..500).map(|n| Gauss { re: hash(n) as i32 % 50, im: hash(n + 1) as i32 % 50 }).collect();
    let by = Gauss { re: -7, im: 3 };
    agree(&start, |x| rings.native(x, by), |x| rings.try_call(x, by));
}

/// In chains the items are references.
#[qd::kernel]
fn chained(x: &[Interval]) -> (f32, f32) {
    let widest = x.iter().map(|v| v.abs().sum()).fold(0.0, |a, b| b.max(a));
    let dots: f32 =
        x.iter().filter(|v| v.min(**v).lo < 2.0).map(|v| v.dot(v)).fold(0.0, |a, b| if a > b { a } else { b });
    (widest, dots)
}

#[test]
fn in_chains() {
    let x: Vec<Interval> = (0..100).map(|n| Interval { lo: n as f32 - 50.0, hi: (n % 7) as f32 }).collect();
    for engine in &Engines::new().all {
        assert_eq!(engine.runtime.scope(|| chained.try_call(&x)).unwrap(), chained.native(&x));
    }
}

/// What an `if` or a `match` of literals comes to has methods, unlike a literal.
#[qd::kernel]
fn of_literals(x: &mut [i32], y: &mut [i64]) {
    for i in 0..x.len() {
        let few = match i % 4 {
            0 => 5,
            1 => -6,
            _ => 7,
        }
        .min(5);
        x[i] = few + (if i > 3 { 5 } else { 6 }).max(5) + if i > 0 { 1 } else { 2 }.clamp(1, 3);
        y[i] = (if i > 5 { 1 << 40 } else { 2 }).max(y[i])
            + match i {
                0 => 9,
                _ => 3,
            }
            .min(i as i64);
    }
}

#[test]
fn methods_of_choices_between_literals() {
    let start: Vec<(i32, i64)> = (0..20).map(|n| (0, i64::from(n) << 38)).collect();
    let (x, y): (Vec<i32>, Vec<i64>) = start.into_iter().unzip();
    let (mut want_x, mut want_y) = (x.clone(), y.clone());
    of_literals.native(&mut want_x, &mut want_y);
    for engine in &Engines::new().all {
        let (mut x, mut y) = (x.clone(), y.clone());
        engine.runtime.scope(|| of_literals(&mut x, &mut y));
        assert!(x == want_x && y == want_y, "{}", engine.name);
    }
}
