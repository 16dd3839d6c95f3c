//! Generic kernels and functions: each instance agrees with its own native body, and has a state of its own.
use std::marker::PhantomData;

use qd::prelude::*;
use qd::{Float, Int, Number, Scalar};

use crate::support::{Class, Edges, Engines, Same, assert_same};

#[qd::func]
fn lerp<T: Float>(a: T, b: T, t: T) -> T {
    a + (b - a) * t
}

#[qd::func]
fn polynomial<T, const N: usize>(x: T, scale: &T) -> T
where
    T: Number,
{
    let mut sum = T::ZERO;
    let mut term = T::ONE;
    for _ in 0..N {
        sum += term * *scale;
        term *= x;
    }
    sum
}

#[qd::func]
fn larger<T: Scalar>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

#[qd::func]
fn store<T: Scalar>(to: &mut T, v: T) {
    *to = v;
}

/// The array's element is the parameter.
#[qd::func]
fn nearest<T: Number>(x: &[T], i: usize) -> T {
    larger(x[i], x[(i + 1) % x.len()])
}

#[qd::kernel]
fn axpy<T: Float>(x: &mut NdArray<T>, a: T, y: &NdArray<T>) {
    for i in x.indices() {
        x[i] += a * y[i];
    }
}

#[qd::kernel]
fn blend<T: Float, const N: usize>(out: &mut [T], x: &[T], t: T) -> T
where
    T: Float,
{
    let half = T::from(0.5);
    for i in 0..out.len() {
        let v = lerp(x[i], half, t) + polynomial::<T, N>(x[i], &half);
        out[i] = larger::<T>(v, T::NEG_INFINITY) + T::MIN_POSITIVE;
        out[i] += nearest(x, i);
    }
    let mut most = T::NEG_INFINITY;
    for i in 0..out.len() {
        most = most.max(out[i]);
    }
    most + half
}

#[qd::kernel]
fn bits<T: Int>(out: &mut [T], counts: &mut [u32], x: &[T], y: T) -> T {
    for i in 0..out.len() {
        let v = x[i];
        let mut mixed = (v ^ y).rotate_left(3) & !v | (v << 2) ^ (v >> 1u32);
        mixed ^= v.wrapping_mul(y).saturating_add(T::ONE).min(T::MAX);
        store(&mut out[i], mixed.max(v).wrapping_sub(polynomial::<_, 3>(v, &y)));
        counts[i] = v.count_ones() + T::BITS;
    }
    let mut all = T::ZERO;
    for i in 0..out.len() {
        all ^= out[i];
    }
    all
}

#[qd::kernel]
fn convert<A: Number, B: Number>(out: &mut [B], back: &mut [f64], x: &[A]) {
    for i in 0..out.len() {
        out[i] = x[i].cast();
        back[i] = x[i].cast::<f64>() + out[i].cast::<B>().cast::<f64>();
        let again: A = (x[i] + A::ONE).cast();
        out[i] = larger(out[i], again.cast::<B>());
    }
}

/// Of any rank.
#[qd::kernel]
fn sizes<T: Scalar, const N: usize>(out: &mut [usize], x: &NdArray<T, N>) {
    for i in 0..out.len() {
        out[i] = x.len() * 10 + N;
    }
}

#[test]
fn instances_of_every_rank() {
    for engine in &Engines::new().all {
        let mut out = [0; 3];
        engine.runtime.scope(|| sizes(&mut out, &NdArray::from_slice(&[true; 7])));
        assert_eq!(out, [71; 3]);
        engine.runtime.scope(|| sizes(&mut out, &NdArray::full([2, 3, 5], 1u8)));
        assert_eq!(out, [303; 3]);
    }
}

macro_rules! float_instances {
    ($($t:ident)*) => { $(
        mod $t {
            use super::*;

            #[test]
            fn instances_agree() {
                let x: Vec<$t> = <$t>::edges();
                let n = x.len();
                let (want_x, y) = (NdArray::from_slice(&x), NdArray::from_fn(n, |[i]| i as $t / 3.0));
                for engine in &Engines::new().all {
                    let (mut want, mut got) = (want_x.clone(), want_x.clone());
                    axpy.native(&mut want, 0.1, &y);
                    engine.runtime.scope(|| axpy(&mut got, 0.1, &y));
                    let at = |i: usize| format!("{:?}", x[i]);
                    assert_same("axpy", &engine.name, Class::Exact, got.as_slice(), want.as_slice(), at);
                    let (mut want, mut got) = (vec![0.0; n], vec![0.0; n]);
                    let native = blend::<$t, 4>.native(&mut want, &x, 0.25);
                    let most = engine.runtime.scope(|| blend::<$t, 4>(&mut got, &x, 0.25));
                    assert_same("blend", &engine.name, Class::Exact, &got, &want, at);
                    assert!(most.same(native, Class::Exact), "{most} {native}");
                }
            }
        }
    )* };
}
float_instances!(f32 f64);

macro_rules! int_instances {
    ($($t:ident)*) => { $(
        mod $t {
            use super::*;

            #[test]
            fn instances_agree() {
                let x: Vec<$t> = <$t>::edges();
                let n = x.len();
                for engine in &Engines::new().all {
                    let (mut want, mut got) = (vec![0; n], vec![0; n]);
                    let (mut want_counts, mut counts) = (vec![0; n], vec![0; n]);
                    let native = bits.native(&mut want, &mut want_counts, &x, 77);
                    let all = engine.runtime.scope(|| bits(&mut got, &mut counts, &x, 77));
                    assert_same("bits", &engine.name, Class::Exact, &got, &want, |i| format!("{:?}", x[i]));
                    assert_eq!((counts, all), (want_counts, native), "{}", engine.name);
                }
            }
        }
    )* };
}
int_instances!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128);

#[test]
fn casts_of_every_pair_agree() {
    macro_rules! pairs {
        ([$($from:ident)*] $to:tt) => { $(pairs! { @from $from $to })* };
        (@from $from:ident [$($to:ident)*]) => { $({
            let x = <$from>::edges();
            let n = x.len();
            let (mut want, mut got) = (vec![<$to>::ZERO; n], vec![<$to>::ZERO; n]);
            let (mut want_back, mut back) = (vec![0.0; n], vec![0.0; n]);
            convert.native(&mut want, &mut want_back, &x);
            convert(&mut got, &mut back, &x);
            let at = |i: usize| format!("{:?} to {}", x[i], stringify!($to));
            assert_same("casts", "default", Class::Exact, &got, &want, at);
            assert_same("casts back", "default", Class::Exact, &back, &want_back, at);
        })* };
    }
    let engines = Engines::new();
    engines.all[3].runtime.scope(|| {
        pairs! { [i8 u16 i32 u64 usize i128 f32 f64 f16 bf16] [i8 u8 i16 u32 i64 u64 isize u128 f32 f64 f16 bf16] }
    });
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Metre;

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Foot;

/// A length in a unit that only its type knows.
#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Length<U>(f64, PhantomData<U>);

#[qd::funcs]
impl<U: qd::Data> Length<U> {
    fn new(value: f64) -> Self {
        Length(value, PhantomData)
    }

    fn twice(self) -> Self {
        Self(self.0 * 2.0, self.1)
    }
}

#[qd::funcs]
impl<U: qd::Data> std::ops::Add for Length<U> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Length(self.0 + other.0, std::marker::PhantomData)
    }
}

#[qd::funcs]
impl From<Length<Foot>> for Length<Metre> {
    fn from(of: Length<Foot>) -> Self {
        Length(of.0 * 0.3048, PhantomData)
    }
}

#[qd::kernel]
fn lengths(x: &mut [Length<Metre>], y: &[Length<Foot>]) {
    for (x, y) in x.iter_mut().zip(y) {
        *x = *x + Length::from(*y) + Length::new(1.0).twice();
    }
}

#[test]
fn marker_types_are_nothing() {
    let y: Vec<_> = (0..40).map(|i| Length::new(i as f64 / 3.0)).collect();
    let mut want = vec![Length::new(2.0); y.len()];
    lengths.native(&mut want, &y);
    for engine in &Engines::new().all {
        let mut got = vec![Length::new(2.0); y.len()];
        engine.runtime.scope(|| lengths.try_call(&mut got, &y).unwrap());
        assert_eq!(got, want, "{}", engine.name);
    }
}
