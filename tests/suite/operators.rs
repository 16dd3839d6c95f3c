//! Operators of one's own types: arithmetic, updates, comparisons, on either side, through type parameters and in parts.
use std::ops::{Add, AddAssign, BitAnd, Mul, MulAssign, Neg, Not, Shl, Sub};

use qd::Float;
use qd::prelude::*;
use qd_library::{Measured, sum_of};

use crate::support::{Engines, hash};

#[derive(Debug, Clone, Copy, Default, qd::Data)]
#[qd(PartialEq, PartialOrd)]
struct Complex<T> {
    re: T,
    im: T,
}

#[qd::funcs]
impl<T: Float> Add for Complex<T> {
    type Output = Self;
    fn add(self, other: Self) -> Self::Output {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

#[qd::funcs]
impl<T: Float> Sub for Complex<T> {
    type Output = Complex<T>;
    fn sub(self, other: Self) -> Complex<T> {
        self + -other
    }
}

#[qd::funcs]
impl<T: Float> Neg for Complex<T> {
    type Output = Complex<T>;
    fn neg(self) -> Complex<T> {
        Complex { re: -self.re, im: -self.im }
    }
}

#[qd::funcs]
impl<T: Float> Mul for Complex<T> {
    type Output = Complex<T>;
    fn mul(self, other: Self) -> Complex<T> {
        Complex { re: self.re * other.re - self.im * other.im, im: self.re * other.im + self.im * other.re }
    }
}

#[qd::funcs]
impl<T: Float> Mul<T> for Complex<T> {
    type Output = Complex<T>;
    fn mul(self, by: T) -> Complex<T> {
        Complex { re: self.re * by, im: self.im * by }
    }
}

#[qd::funcs]
impl Mul<Complex<f32>> for f32 {
    type Output = Complex<f32>;
    fn mul(self, other: Complex<f32>) -> Complex<f32> {
        other * self
    }
}

#[qd::funcs]
impl<T: Float> AddAssign for Complex<T> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[qd::funcs]
impl<T: Float> MulAssign<T> for Complex<T> {
    fn mul_assign(&mut self, by: T) {
        self.re *= by;
        self.im *= by;
    }
}

#[qd::func]
fn polynomial<T: Copy + qd::Data + Add<Output = T> + Mul<Output = T>>(x: T, a: T, b: T) -> T {
    a * x * x + b
}

#[qd::kernel]
fn iterate(z: &mut [Complex<f32>], wide: &mut [Complex<f64>], c: Complex<f32>, flags: &mut [u32]) -> Complex<f32> {
    for i in 0..z.len() {
        let mut w = z[i];
        for _ in 0..3 {
            w = w * w + c;
            w *= 0.5;
            w += -c * 2.0 - 0.25 * c;
        }
        z[i] = w;
        z[i] += polynomial(w, c, w);
        wide[i] = wide[i] * 0.5 + polynomial(wide[i], wide[i], wide[i]);
        wide[i].re += polynomial(wide[i].im, 2.0, 1.0);
        let smaller = z[i] < c || z[i] >= w;
        flags[i] = (z[i] == w) as u32 + 2 * (z[i] != c) as u32 + 4 * smaller as u32 + 8 * (w <= w) as u32;
        flags[i] += 16 * ((z[i].re, 3) == (w.re, 3)) as u32 + 32 * ([w.im, c.re] < [w.im, c.im]) as u32;
    }
    let start = Complex::<f32>::default();
    start + c * 3.0
}

#[test]
fn arithmetic_of_structs_agrees() {
    let number = |n: usize| (hash(n as u64) % 64) as f32 / 32.0 - 1.0;
    let z: Vec<_> = (0..300).map(|i| Complex { re: number(i), im: number(i + 500) }).collect();
    let wide: Vec<_> = z.iter().map(|z| Complex { re: f64::from(z.im), im: f64::from(z.re) }).collect();
    let c = Complex { re: 0.25, im: -0.5 };
    let (mut want, mut want_wide, mut want_flags) = (z.clone(), wide.clone(), vec![0; 300]);
    let result = iterate.native(&mut want, &mut want_wide, c, &mut want_flags);
    for engine in &Engines::new().all {
        let (mut got, mut got_wide, mut flags) = (z.clone(), wide.clone(), vec![0; 300]);
        let found = engine.runtime.scope(|| iterate(&mut got, &mut got_wide, c, &mut flags));
        assert_eq!((found, &got, &got_wide), (result, &want, &want_wide), "{}", engine.name);
        assert_eq!(flags, want_flags, "{}", engine.name);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
#[qd(PartialOrd)]
#[repr(i8)]
enum Level {
    Low = -1,
    Middle = 0,
    High = 5,
}

/// Compares by a part, so `==` is no comparison of all scalars.
#[derive(Debug, Clone, Copy, qd::Data)]
struct Tagged {
    tag: u8,
    value: f32,
}

#[qd::funcs]
impl PartialEq for Tagged {
    fn eq(&self, other: &Self) -> bool {
        self.tag == other.tag
    }
}

#[qd::funcs]
impl PartialEq<u8> for Tagged {
    fn eq(&self, other: &u8) -> bool {
        self.tag == *other
    }
}

#[qd::funcs]
impl PartialOrd for Tagged {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        other.value.partial_cmp(&self.value)
    }
    fn lt(&self, other: &Self) -> bool {
        other.value < self.value
    }
}

/// Of bits, and with a number on the left.
#[derive(Debug, Clone, Copy, qd::Data)]
#[qd(PartialEq)]
struct Set(u32);

#[qd::funcs]
impl BitAnd for Set {
    type Output = Set;
    fn bitand(self, other: Set) -> Set {
        Set(self.0 & other.0)
    }
}

#[qd::funcs]
impl Not for Set {
    type Output = Set;
    fn not(self) -> Set {
        Set(!self.0)
    }
}

#[qd::funcs]
impl Shl<Set> for u32 {
    type Output = Set;
    fn shl(self, other: Set) -> Set {
        Set(self << (other.0 & 31))
    }
}

#[qd::kernel]
fn compare(out: &mut [u32], x: &[Tagged], levels: &[Level], sets: &mut [Set], measured: &mut [Measured]) {
    for i in 0..out.len() {
        let other = x[(i * 7 + 3) % x.len()];
        out[i] = (x[i] == other) as u32 + 2 * (x[i] != other) as u32 + 4 * (x[i] < other) as u32;
        out[i] += 8 * (x[i] == 2) as u32 + 16 * (levels[i] == Level::High) as u32;
        out[i] += 32 * (levels[i] < levels[(i + 1) % levels.len()]) as u32 + 64 * (levels[i] >= Level::Middle) as u32;
        sets[i] = !sets[i] & 3 << sets[i];
        if sets[i] != Set(0) {
            out[i] += 128;
        }
        measured[i] = sum_of(measured[i], measured[i] + measured[i]);
    }
}

#[test]
fn comparisons_of_structs_agree() {
    let number = |n: usize| hash(n as u64) as u32;
    let x: Vec<_> =
        (0..200).map(|i| Tagged { tag: number(i) as u8 % 4, value: (number(i + 900) % 9) as f32 }).collect();
    let levels: Vec<_> = (0..200).map(|i| [Level::Low, Level::Middle, Level::High][number(i) as usize % 3]).collect();
    let sets: Vec<_> = (0..200).map(|i| Set(number(i))).collect();
    let measured: Vec<_> = (0..200).map(|i| Measured { value: i as f32, error: 1.0 }).collect();
    let (mut want, mut want_sets, mut want_measured) = (vec![0; 200], sets.clone(), measured.clone());
    compare.native(&mut want, &x, &levels, &mut want_sets, &mut want_measured);
    for engine in &Engines::new().all {
        let (mut got, mut got_sets, mut got_measured) = (vec![0; 200], sets.clone(), measured.clone());
        engine.runtime.scope(|| compare(&mut got, &x, &levels, &mut got_sets, &mut got_measured));
        assert_eq!((got, &got_sets), (want.clone(), &want_sets), "{}", engine.name);
        assert_eq!(got_measured, want_measured, "{}", engine.name);
    }
}

/// What is derived by qd is what std derives.
#[test]
fn derived_comparisons_are_those_of_std() {
    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    struct Std(f32, [i8; 2], (bool, f64));
    #[derive(Clone, Copy, qd::Data)]
    #[qd(PartialEq, PartialOrd)]
    struct Ours(f32, [i8; 2], (bool, f64));
    let floats = [-0.0f32, 0.0, 1.0, f32::NAN];
    let mut all = Vec::new();
    for a in floats {
        for b in [[0, 1], [1, 0]] {
            for c in [(false, 2.0), (true, f64::NAN)] {
                all.push((Std(a, b, c), Ours(a, b, c)));
            }
        }
    }
    for a in &all {
        for b in &all {
            assert_eq!((a.0 == b.0, a.0 != b.0), (a.1 == b.1, a.1 != b.1));
            assert_eq!([a.0 < b.0, a.0 <= b.0, a.0 > b.0, a.0 >= b.0], [a.1 < b.1, a.1 <= b.1, a.1 > b.1, a.1 >= b.1]);
            assert_eq!(a.0.partial_cmp(&b.0), a.1.partial_cmp(&b.1));
        }
    }
}

/// Operators of one operand that give another type than it.
#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Word(i32);

#[qd::funcs]
impl std::ops::Not for Word {
    type Output = bool;
    fn not(self) -> bool {
        self.0 == 0
    }
}

#[qd::funcs]
impl std::ops::Neg for Word {
    type Output = (i32, bool);
    fn neg(self) -> (i32, bool) {
        (self.0.wrapping_neg(), self.0 < 0)
    }
}

#[qd::kernel]
fn turned(words: &[Word], not: &mut [bool], negative: &mut [(i32, bool)]) {
    for i in 0..words.len() {
        not[i] = !words[i];
        negative[i] = -words[i];
    }
}

#[test]
fn one_operand_gives_another_type() {
    let words = [Word(0), Word(-5), Word(i32::MIN), Word(i32::MAX)];
    let mut native = ([false; 4], [(0, false); 4]);
    turned.native(&words, &mut native.0, &mut native.1);
    for engine in &crate::support::Engines::new().all {
        let mut got = ([false; 4], [(0, false); 4]);
        engine.runtime.scope(|| turned(&words, &mut got.0, &mut got.1));
        assert_eq!(got, native, "{}", engine.name);
    }
}

#[derive(Debug, Clone, Copy, qd::Data)]
struct Scaled {
    by: u64,
}

#[qd::funcs]
impl std::ops::Mul<u32> for Scaled {
    type Output = Scaled;
    fn mul(self, times: u32) -> Scaled {
        Scaled { by: self.by * u64::from(times) }
    }
}

#[qd::funcs]
impl std::ops::Mul for Scaled {
    type Output = Scaled;
    fn mul(self, other: Scaled) -> Scaled {
        Scaled { by: self.by + other.by }
    }
}

#[qd::kernel]
fn in_chains(x: &mut [u64]) {
    for i in 0..x.len() {
        let start = Scaled { by: i as u64 };
        let folded = (1u64..6).fold((Scaled { ..start } * 16u32).by, |n, m| n + m);
        let mapped = (1..x[i] % 5).map(|k| (Scaled { by: k } * 3u32).by).sum::<u64>();
        let none = (0..x[i] % 2).map(|k| k + 7).max().unwrap_or((Scaled { by: 2 } * Scaled { by: 3 }).by);
        x[i] = folded + 100 * mapped + 10_000 * none;
    }
}

/// What surely is a value has its own operators in chains too; a name may be a reference there.
#[test]
fn values_in_chains_have_operators() {
    let start: Vec<u64> = (0..40).map(|k| k * k).collect();
    let mut native = start.clone();
    in_chains.native(&mut native);
    for engine in &Engines::new().all {
        let mut got = start.clone();
        engine.runtime.scope(|| in_chains(&mut got));
        assert_eq!(got, native, "{}", engine.name);
    }
}
