//! `qd::Rng`: the same numbers natively and compiled, of every type, from variables, arrays and functions.
use qd::prelude::*;
use qd::{Float, Int, Random, Rng, Uniform};

use crate::support::{Class, Edges, Engines, Same, assert_same, hash};

/// Draws of every width between those of one type, so that it begins at each word of a block.
#[qd::kernel]
fn draws<T: Random>(out: &mut NdArray<T, 2>, mixed: &mut [u64], seed: u64) {
    for i in 0..mixed.len() {
        let mut rng = Rng::new(seed, i as u64);
        let mut sum = 0u64;
        for k in 0..out.shape()[1] {
            out[[i, k]] = rng.next();
            match k % 5 {
                1 => sum ^= rng.next::<u8>() as u64,
                3 => sum = sum.wrapping_add(rng.next::<u64>()),
                4 => sum ^= Rng::next::<u128>(&mut rng) as u64,
                _ => sum = sum.rotate_left(7),
            }
        }
        mixed[i] = sum;
    }
}

/// Rows of the shape and the numbers of all engines against native ones.
macro_rules! agree {
    ($($name:ident: $ty:ty;)*) => { $(
        #[test]
        fn $name() {
            let empty = || (NdArray::<$ty, 2>::zeros([33, 23]), vec![0; 33]);
            let (mut want, mut want_mixed) = empty();
            draws.native(&mut want, &mut want_mixed, hash(7));
            for engine in &Engines::new().all {
                let (mut got, mut mixed) = empty();
                engine.runtime.scope(|| draws(&mut got, &mut mixed, hash(7)));
                let place = |i: usize| format!("stream {}, draw {}", i / 23, i % 23);
                assert_same(stringify!($name), &engine.name, Class::Exact, got.as_slice(), want.as_slice(), place);
                assert_eq!(mixed, want_mixed, "{}", engine.name);
            }
        }
    )* };
}
agree! {
    draws_of_bool: bool;
    draws_of_i8: i8;
    draws_of_i16: i16;
    draws_of_i32: i32;
    draws_of_i64: i64;
    draws_of_isize: isize;
    draws_of_i128: i128;
    draws_of_u8: u8;
    draws_of_u16: u16;
    draws_of_u32: u32;
    draws_of_u64: u64;
    draws_of_usize: usize;
    draws_of_u128: u128;
    draws_of_f32: f32;
    draws_of_f64: f64;
}

/// The ends come from arrays, so that every length is tried.
#[qd::kernel]
fn within<T: Uniform>(open: &mut [T], closed: &mut [T], lo: &[T], hi: &[T]) {
    for i in 0..lo.len() {
        let mut rng = Rng::new(3, i as u64);
        closed[i] = rng.range(lo[i]..=hi[i]);
        open[i] = if lo[i] < hi[i] { rng.range(lo[i]..hi[i]) } else { lo[i] };
        for _ in 0..5 {
            closed[i] = rng.range(lo[i]..=closed[i]);
        }
    }
}

fn ranges_agree<T: Uniform + Edges + Same>(what: &str, fits: impl Fn(T, T) -> bool) {
    let edges = T::edges();
    let pairs = edges.iter().flat_map(|lo| edges.iter().map(|hi| (*lo, *hi)));
    let (lo, hi): (Vec<T>, Vec<T>) = pairs.filter(|(lo, hi)| lo <= hi && fits(*lo, *hi)).unzip();
    let empty = || (vec![T::ZERO; lo.len()], vec![T::ZERO; lo.len()]);
    let (mut open, mut closed) = empty();
    within.native(&mut open, &mut closed, &lo, &hi);
    for i in 0..lo.len() {
        assert!(lo[i] <= closed[i] && closed[i] <= hi[i], "{:?} from {:?}..={:?}", closed[i], lo[i], hi[i]);
        assert!(lo[i] <= open[i] && (open[i] < hi[i] || lo[i] == hi[i]), "{:?} from {:?}..{:?}", open[i], lo[i], hi[i]);
    }
    for engine in &Engines::new().all {
        let (mut found_open, mut found_closed) = empty();
        engine.runtime.scope(|| within(&mut found_open, &mut found_closed, &lo, &hi));
        let place = |i: usize| format!("from {:?} to {:?}", lo[i], hi[i]);
        assert_same(what, &engine.name, Class::Exact, &found_open, &open, place);
        assert_same(what, &engine.name, Class::ZeroSign, &found_closed, &closed, place);
    }
}

macro_rules! ranges {
    ($($name:ident: $ty:ty;)*) => { $(
        #[test]
        fn $name() {
            ranges_agree::<$ty>(stringify!($name), |_, _| true);
        }
    )* };
}
ranges! {
    ranges_of_i8: i8;
    ranges_of_i16: i16;
    ranges_of_i32: i32;
    ranges_of_i64: i64;
    ranges_of_isize: isize;
    ranges_of_i128: i128;
    ranges_of_u8: u8;
    ranges_of_u16: u16;
    ranges_of_u32: u32;
    ranges_of_u64: u64;
    ranges_of_usize: usize;
    ranges_of_u128: u128;
}

#[test]
fn ranges_of_floats() {
    ranges_agree::<f32>("f32", |lo, hi| (hi - lo).is_finite());
    ranges_agree::<f64>("f64", |lo, hi| (hi - lo).is_finite());
}

#[qd::func]
fn direction<T: Float + Random>(rng: &mut Rng) -> (T, T) {
    loop {
        let (x, y) = (rng.next::<T>() * T::from(2.0) - T::ONE, rng.next::<T>() * T::from(2.0) - T::ONE);
        let square = x * x + y * y;
        if square > T::ZERO && square <= T::ONE {
            return (x / square.sqrt(), y / square.sqrt());
        }
    }
}

#[qd::func]
fn shuffled<T: Int + Uniform>(rng: &mut Rng, least: T) -> T {
    let step = rng.range(T::ONE..=T::MAX / (T::ONE + T::ONE));
    rng.range(least..step + least)
}

/// Generators that live in an array from launch to launch.
#[qd::kernel]
fn walk<T: Float + Uniform>(rngs: &mut NdArray<Rng>, at: &mut [(T, T)], noise: &mut [T]) -> T {
    for i in rngs.indices() {
        let (x, y) = direction::<T>(&mut rngs[i]);
        at[i].0 += x;
        at[i].1 += y;
        if rngs[i].next() {
            noise[i] = rngs[i].normal();
        }
        noise[i] *= rngs[i].range(T::ONE..=T::from(1.5));
    }
    let mut farthest = T::ZERO;
    for i in 0..at.len() {
        farthest = farthest.max(at[i].0.hypot(at[i].1));
    }
    farthest
}

#[test]
fn generators_in_arrays_agree() {
    fn check<T: Float + Uniform + Same>() {
        let start =
            || (NdArray::from_fn(100, |[i]| Rng::new(5, i as u64)), vec![(T::ZERO, T::ZERO); 100], vec![T::ONE; 100]);
        let (mut rngs, mut at, mut noise) = start();
        let mut farthest = T::ZERO;
        for _ in 0..3 {
            farthest = walk.native(&mut rngs, &mut at, &mut noise);
        }
        for engine in &Engines::new().all {
            let (mut found_rngs, mut found_at, mut found_noise) = start();
            let mut found = T::ZERO;
            for _ in 0..3 {
                found = engine.runtime.scope(|| walk(&mut found_rngs, &mut found_at, &mut found_noise));
            }
            assert_eq!(format!("{found_rngs:?}"), format!("{rngs:?}"), "{}", engine.name);
            assert_eq!(found_at, at, "{}", engine.name);
            // A normal number comes of a logarithm, and some were drawn from ranges of ranges of them.
            let class = Class::Platform(32).on(engine);
            assert_same("noise", &engine.name, class, &found_noise, &noise, |i| i.to_string());
            assert_same("farthest", &engine.name, class, &[found], &[farthest], |_| String::new());
        }
    }
    check::<f32>();
    check::<f64>();
}

/// Serial code, `seek`, literals whose types rustc finds, a generator that is handed on, and one made of zeros.
#[qd::kernel]
fn forms(out: &mut [i64], zero: &[Rng], wide: &mut [f64]) -> (u8, f32) {
    let mut rng = Rng::new(1, 2);
    let dice: u8 = rng.range(1..=6);
    for i in 0..out.len() {
        let mut own = Rng::new(dice as u64, 1 << 63);
        own.seek(i as u64);
        out[i] = own.range(-3..4) + (shuffled(&mut own, 7i16) as i64) * own.range(0..10) as i64;
        let mut copy = zero[i];
        out[i] ^= copy.next::<i64>() << (out[i] & 1);
        let v = own.normal::<f64>() + own.normal::<f32>() as f64;
        wide[i] = v * own.range(0.0..dice as f64);
    }
    let mut rest = rng;
    rest.seek(u64::MAX);
    (dice, rest.next::<f32>() + rest.normal::<f32>())
}

#[test]
fn every_form_agrees() {
    let zero = NdArray::<Rng>::zeros(500);
    assert_eq!(format!("{:?}", zero[0]), format!("{:?}", Rng::new(0, 0)));
    let empty = || (vec![0; 500], vec![0.0; 500]);
    let (mut want, mut want_wide) = empty();
    let result = forms.native(&mut want, zero.as_slice(), &mut want_wide);
    for engine in &Engines::new().all {
        let (mut got, mut wide) = empty();
        let found = engine.runtime.scope(|| forms(&mut got, zero.as_slice(), &mut wide));
        assert_eq!((got, found.0), (want.clone(), result.0), "{}", engine.name);
        // Normal numbers are of the platform class, and in sums of two the places that agree may cancel.
        let near = |a: f64, b: f64| a == b || engine.simulated && (a - b).abs() <= 1e-5;
        assert!(wide.iter().zip(&want_wide).all(|(a, b)| near(*a, *b)), "{}", engine.name);
        assert!(near(found.1.into(), result.1.into()), "{}", engine.name);
    }
}

#[test]
fn an_empty_range_is_a_fault() {
    #[qd::kernel]
    fn whole(out: &mut [u32], ends: &[u32]) {
        for i in 0..out.len() {
            out[i] = Rng::new(0, i as u64).range(5..ends[i]);
        }
    }
    #[qd::kernel]
    fn real(out: &mut [f64], ends: &[f64]) {
        for i in 0..out.len() {
            out[i] = Rng::new(0, i as u64).range(0.0..=ends[i]);
        }
    }
    for engine in &Engines::new().all {
        engine.runtime.scope(|| {
            let error = whole.try_call(&mut [0; 3], &[6, 5, 4]).unwrap_err();
            assert!(error.to_string().ends_with(": no number is in an empty range (iteration 1)"), "{error}");
            let error = real.try_call(&mut [0.0; 3], &[0.0, f64::INFINITY, -1.0]).unwrap_err();
            assert!(error.to_string().ends_with(": the length of the range isn't finite (iteration 1)"), "{error}");
            let error = real.try_call(&mut [0.0; 2], &[1.0, f64::NAN]).unwrap_err();
            assert!(error.to_string().ends_with(": no number is in an empty range (iteration 1)"), "{error}");
        });
    }
}

#[qd::kernel]
fn halves<T: qd::Random + Float>(x: &mut [T], wide: &mut [f32]) {
    for i in 0..x.len() {
        let mut rng = Rng::new(7, i as u64);
        x[i] = rng.next::<T>();
        wide[i] = rng.next::<f32>();
    }
}

#[test]
fn floats_of_16_bits() {
    fn check<T: Float + qd::Random>(distance: f32) {
        let start = vec![T::ZERO; 4000];
        let (mut want, mut want_wide) = (start.clone(), vec![0.0; 4000]);
        halves.native(&mut want, &mut want_wide);
        for engine in &Engines::new().all {
            let (mut x, mut wide) = (start.clone(), vec![0.0; 4000]);
            engine.runtime.scope(|| halves(&mut x, &mut wide));
            assert!(x == want && wide == want_wide, "{}", engine.name);
        }
        let parts = want.iter().map(|v| v.cast::<f32>() / distance);
        assert!(parts.clone().all(|part| part.fract() == 0.0 && (0.0..1.0 / distance).contains(&part)));
        assert!((0.4..0.6).contains(&(parts.sum::<f32>() * distance / 4000.0)));
    }
    check::<f16>(1.0 / 2048.0);
    check::<bf16>(1.0 / 256.0);
}
