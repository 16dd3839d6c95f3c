//! `f16` and `bf16`: operators, methods and conversions, and every place a value can have, against crate `half`.
use std::panic::{AssertUnwindSafe, catch_unwind};

use qd::prelude::*;
use qd::{Float, Number, Vector, vec2};

use crate::support::{Class, Engines, Same, assert_same, hash, pairs, singles, triples};

macro_rules! every_half {
    ($($name:ident $t:ident $other:ident;)*) => { $(
        mod $name {
            use super::*;

            const HALF: $t = $t::from_f32_const(0.5);
            type Number16 = $t;

            table! { operators, (a: $t, b: $t) = pairs(|_, _| true), Exact {
                add: $t = a + b;
                sub: $t = a - b;
                mul: $t = a * b;
                div: $t = a / b;
                rem: $t = a % b;
                neg: $t = -a;
                eq: bool = a == b;
                ne: bool = a != b;
                lt: bool = a < b;
                le: bool = a <= b;
                gt: bool = a > b;
                ge: bool = a >= b;
                not_less: bool = !(a < b);
                copysign: $t = a.copysign(b);
                min: $t = a.min(b);
                max: $t = a.max(b);
                function: $t = $t::max(a, $t::min(b, $t::ONE));
                div_euclid: $t = a.div_euclid(b);
                rem_euclid: $t = a.rem_euclid(b);
                uncontracted: $t = a * b + a;
                compound: $t = { let mut v = a; v += b; v *= $t::from_f32(3.0); v -= a; v /= b; v %= HALF + b; v };
                tuples: bool = (a, b) < (b, a);
            } }

            table! { rounding, (a: $t) = singles(|_| true), Exact {
                sqrt: $t = a.sqrt();
                floor: $t = a.floor();
                ceil: $t = a.ceil();
                round: $t = a.round();
                round_ties_even: $t = a.round_ties_even();
                trunc: $t = a.trunc();
                fract: $t = a.fract();
                abs: $t = a.abs();
                signum: $t = a.signum();
                recip: $t = a.recip();
                to_degrees: $t = a.to_degrees();
                to_radians: $t = a.to_radians();
            } }

            table! { classification, (a: $t) = singles(|_| true), Exact {
                is_nan: bool = a.is_nan();
                is_finite: bool = a.is_finite();
                is_infinite: bool = a.is_infinite();
                is_normal: bool = a.is_normal();
                is_subnormal: bool = a.is_subnormal();
                is_sign_negative: bool = a.is_sign_negative();
                is_sign_positive: bool = a.is_sign_positive();
                to_bits: u16 = a.to_bits();
                negated: u16 = (-a).to_bits();
                round_trip: $t = $t::from_bits(a.to_bits() ^ 1);
            } }

            table! { to_others, (a: $t) = singles(|_| true), Exact {
                to_f32: f32 = a.to_f32();
                to_f64: f64 = a.to_f64();
                function: f32 = $t::to_f32(a) + $t::to_f32_const(a);
                from: f64 = f64::from(a) - f64::from(f32::from(a));
                into: f32 = { let v: f32 = a.into(); v * 2.0 };
                integer: i32 = a.to_f32() as i32;
                casts: i64 = a.cast::<i64>() + i64::from(a.cast::<u8>());
                wide: f64 = a.cast::<f64>();
                other: $other = a.cast();
                bits_of_nan: u32 = a.to_f32().to_bits();
            } }

            table! { from_f32, (a: f32) = singles(|_| true), Exact {
                from_f32: $t = $t::from_f32(a);
                in_between: $t = $t::from_f32(a * 1.001 + 0.1);
                cast: $t = a.cast::<$t>();
                by_alias: $t = Number16::from_f32(a) + Number16::ONE;
                by_path: $t = qd::$t::from_f32_const(a);
                literal: $t = $t::from_f32(a) * $t::from_f32(0.1);
            } }

            table! { from_f64, (a: f64) = singles(|_| true), Exact {
                from_f64: $t = $t::from_f64(a);
                in_between: $t = $t::from_f64(a * 1.000000001 + 0.1);
                cast: $t = (a * 1.000000001).cast::<$t>();
                twice: $t = $t::from_f32(a as f32);
                literal: $t = $t::from_f32(a as f32) * $t::from_f64(0.1);
            } }

            table! { from_integers, (a: u8, b: i8) = pairs(|_, _| true), Exact {
                unsigned: $t = $t::from(a);
                signed: $t = $t::from(b) * HALF;
                wide: $t = (a as u128 * 0x1_0000_0001).cast::<$t>();
                wide_signed: $t = (b as i64 * 1025).cast::<$t>();
            } }

            // Of a number that it knows to be small LLVM makes one conversion of two.
            table! { from_wide_integers, (a: u128, b: i128) = pairs(|_, _| true), Exact {
                small: $t = $t::from_f32((a & 255) as f32);
                small_signed: $t = $t::from_f32((b % 100) as f32);
                small_double: $t = $t::from_f32((a % 77) as f64 as f32);
                small_double_signed: $t = $t::from_f64((b >> 120) as f64);
                small_cast: $t = (b >> 121).cast::<$t>();
                back: i128 = $t::from_f32((a & 255) as f32).to_f32() as i128 + ($t::from_f32((b % 9) as f32) * HALF).cast::<i128>();
                all: $t = $t::from_f32(a as f32) + $t::from_f64(b as f64);
            } }

            table! { fused, (a: $t, b: $t, c: $t) = triples(4000, |_, _, _| true), Exact {
                mul_add: $t = a.mul_add(b, c);
            } }

            table! { clamp, (a: $t, lo: $t, hi: $t) = triples(4000, |_, lo: $t, hi: $t| lo <= hi), Exact {
                clamp: $t = a.clamp(lo, hi);
            } }

            table! { constants, (a: $t) = singles(|_| true), Exact {
                ends: $t = if a < $t::ZERO { $t::MIN } else if a == $t::INFINITY { $t::NEG_INFINITY } else { $t::MAX };
                small: $t = a * $t::EPSILON + $t::MIN_POSITIVE_SUBNORMAL;
                circle: $t = a * $t::PI + $t::NEG_ONE;
                of_mine: $t = a + HALF;
                of_the_trait: $t = a * <$t as Float>::TAU;
                matched: u8 = match (a < HALF, a.is_nan()) { (true, _) => 1, (false, true) => 2, (false, false) => 3 };
            } }

            table! { platform, (a: $t) = singles(|_| true), Platform(2) {
                exp: $t = a.exp();
                exp2: $t = a.exp2();
                exp_m1: $t = a.exp_m1();
                ln: $t = a.ln();
                log2: $t = a.log2();
                log10: $t = a.log10();
                ln_1p: $t = a.ln_1p();
                sin: $t = a.sin();
                cos: $t = a.cos();
                tan: $t = a.tan();
                asin: $t = a.asin();
                acos: $t = a.acos();
                atan: $t = a.atan();
                sinh: $t = a.sinh();
                cosh: $t = a.cosh();
                tanh: $t = a.tanh();
                asinh: $t = a.asinh();
                acosh: $t = a.acosh();
                atanh: $t = a.atanh();
                cbrt: $t = a.cbrt();
            } }

            // Two of the class, and an operation on both.
            table! { platform_twice, (a: $t, b: $t) = pairs(|_, _| true), Platform(5) {
                sin_cos: $t = { let (s, c) = a.sin_cos(); s * c };
                log: $t = a.log(b);
            } }

            table! { platform_binary, (a: $t, b: $t) = pairs(|_, _| true), Platform(2) {
                powf: $t = a.powf(b);
                atan2: $t = a.atan2(b);
                hypot: $t = a.hypot(b);
            } }

            table! { powi, (a: $t, n: i32) = pairs(|_, _| true), Exact {
                powi: $t = a.powi(n);
            } }

            #[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
            struct Particle {
                id: u8,
                mass: $t,
                pos: [$t; 3],
                vel: Vector<$t, 2>,
                range: ($t, f64),
            }

            #[qd::func]
            fn lerp(a: $t, b: $t, t: &$t) -> $t {
                a + (b - a) * *t
            }

            #[qd::funcs]
            impl Particle {
                fn push(&mut self, by: Vector<$t, 2>) -> $t {
                    self.vel += by * self.mass;
                    self.vel.dot(by)
                }
            }

            #[qd::kernel]
            fn places(
                all: &mut NdArray<Particle>,
                grid: &mut NdArray<$t, 2>,
                x: &[($t, bool)],
                dt: $t,
                (lo, hi): ($t, $t),
                #[specialize] bias: $t,
            ) -> ($t, [$t; 2], Vector<$t, 2>) {
                let mut last = bias;
                last *= dt;
                for i in all.indices() {
                    let (v, flag) = x[i];
                    let mut local = [v, dt, lerp(v, hi, &lo)];
                    local[i % 3] += last;
                    all[i].pos[i % 3] -= local[i % 3];
                    all[i].pos[0] = local[2];
                    let gain = all[i].push(vec2(v, dt));
                    all[i].range.0 = if flag { gain.min(lo) } else { gain.max(hi) };
                    all[i].mass = $t::from(all[i].id) / all[i].mass;
                }
                for (i, j) in grid.indices() {
                    grid[[i, j]] += $t::from_f32((i * 10 + j) as f32) * bias;
                }
                let mut sum = Vector::zero();
                let mut least = $t::INFINITY;
                for i in 0..all.len() {
                    sum += all[i].vel;
                    least = least.min(all[i].pos[0]);
                }
                (last, [least, bias], sum)
            }

            /// In every place; `kernel.native` sums in order, so that the sum is held against the tree.
            #[test]
            fn values_in_every_place() {
                let number = |n: usize| $t::from_f32((hash(n as u64) % 4001) as f32 / 1000.0 - 2.0);
                let particle = |n: usize| Particle {
                    id: n as u8,
                    mass: number(n),
                    pos: [1, 2, 3].map(|k| number(n + k)),
                    vel: vec2(number(n + 4), number(n + 5)),
                    range: (number(n + 6), n as f64),
                };
                let x: Vec<_> = (0..300).map(|n| (number(n + 99), n % 3 == 0)).collect();
                let grid = NdArray::from_fn([7, 9], |[i, j]| number(i * 9 + j));
                let start = NdArray::from_fn(x.len(), |[n]| particle(n));
                let run = |particles: &mut NdArray<Particle>, grid: &mut NdArray<$t, 2>, native: bool| {
                    let (dt, ends, bias) = (number(7), (number(8), number(9)), number(10));
                    match native {
                        true => places.native(particles, grid, &x, dt, ends, bias),
                        false => places(particles, grid, &x, dt, ends, bias),
                    }
                };
                let (mut want, mut want_grid) = (start.clone(), grid.clone());
                let (last, ends, _) = run(&mut want, &mut want_grid, true);
                let component = |k: usize| {
                    let values = want.as_slice().iter().map(|p| p.vel[k]);
                    qd::reduce_reference(qd::ReduceOp::Add, $t::ZERO, values)
                };
                let sum = vec2(component(0), component(1));
                for engine in &Engines::new().all {
                    let (mut got, mut got_grid) = (start.clone(), grid.clone());
                    let result = engine.runtime.scope(|| run(&mut got, &mut got_grid, false));
                    assert_eq!((got, got_grid), (want.clone(), want_grid.clone()), "{}", engine.name);
                    assert_eq!(result, (last, ends, sum), "{}", engine.name);
                }
            }

            #[qd::kernel]
            fn meet(cells: &mut [$t], x: &[$t], weights: &[$t]) {
                for i in 0..x.len() {
                    qd::atomic::add(&mut cells[i % 3], x[i]);
                    qd::atomic::sub(&mut cells[3 + i % 2], x[i] * HALF);
                    qd::atomic::min(&mut cells[5], weights[i]);
                    qd::atomic::max(&mut cells[6], weights[i]);
                }
                qd::atomic::exchange(&mut cells[7], $t::from_f32(x.len() as f32));
            }

            /// Sums that are exact in every order, and extremes of values without a zero.
            #[test]
            fn atomic_updates_that_meet() {
                let x: Vec<$t> = (0..20_000u32).map(|n| $t::from((n % 4001 == 0) as u8)).collect();
                let weights = singles(|v: $t| v != $t::ZERO).into_iter().cycle().take(x.len()).collect::<Vec<_>>();
                let start = [HALF, $t::NEG_ONE, $t::ZERO, $t::PI, $t::ONE, $t::NAN, $t::from_f32(3.0), HALF];
                let mut want = start;
                meet.native(&mut want, &x, &weights);
                for engine in &Engines::new().all {
                    let mut got = start;
                    engine.runtime.scope(|| meet(&mut got, &x, &weights));
                    assert_eq!(got, want, "{}", engine.name);
                }
            }

            #[qd::kernel]
            fn alone(cells: &mut [[$t; 6]], old: &mut [[$t; 6]], by: &[$t], current: &[$t]) {
                for i in 0..by.len() {
                    old[i][0] = qd::atomic::add(&mut cells[i][0], by[i]);
                    old[i][1] = qd::atomic::sub(&mut cells[i][1], by[i]);
                    old[i][2] = qd::atomic::min(&mut cells[i][2], by[i]);
                    old[i][3] = qd::atomic::max(&mut cells[i][3], by[i]);
                    old[i][4] = qd::atomic::exchange(&mut cells[i][4], by[i]);
                    old[i][5] = qd::atomic::compare_exchange(&mut cells[i][5], current[i], by[i]);
                }
            }

            #[test]
            fn atomic_updates_of_ones_own() {
                let (start, by) = pairs::<$t, $t>(|_, _| true);
                let current: Vec<$t> = start.iter().zip(&by).map(|(a, b)| if *b < HALF { *a } else { -*a }).collect();
                let start: Vec<_> = start.into_iter().map(|a| [a; 6]).collect();
                let bits = |x: &[[$t; 6]]| x.iter().map(|v| v.map($t::to_bits)).collect::<Vec<_>>();
                let (mut want, mut want_old) = (start.clone(), start.clone());
                alone.native(&mut want, &mut want_old, &by, &current);
                assert_eq!(bits(&want_old), bits(&start));
                for engine in &Engines::new().all {
                    let (mut got, mut old) = (start.clone(), vec![[HALF; 6]; start.len()]);
                    engine.runtime.scope(|| alone(&mut got, &mut old, &by, &current));
                    assert_eq!(bits(&old), bits(&start), "{}", engine.name);
                    for (i, (got, want)) in got.iter().zip(&want).enumerate() {
                        let same = got.iter().zip(want).all(|(a, b)| a.same(*b, Class::Exact));
                        assert!(same, "{}: {:?} by {}: {got:?}, natively {want:?}", engine.name, start[i], by[i]);
                    }
                }
            }

            #[qd::kernel]
            fn shown(x: &mut [$t]) {
                for i in 0..x.len() {
                    assert!(
                        x[i].is_nan(),
                        "{} {:?} {:8.2}|{:<+9}|{:e} {:.1E} {:x} {:#X} {:b} {:o} {:?}",
                        x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], x[i], (x[i], [x[i]; 2])
                    );
                }
            }

            #[qd::kernel]
            fn clamps(x: &mut [$t], lo: $t, hi: $t) {
                for i in 0..x.len() {
                    x[i] = x[i].clamp(lo, hi);
                }
            }

            /// What a panic says.
            fn said(run: impl FnOnce()) -> String {
                let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("it fails");
                let text = payload.downcast_ref::<String>().cloned();
                text.or_else(|| payload.downcast_ref::<&str>().map(|text| text.to_string())).expect("a text")
            }

            /// As crate `half` shows and words it.
            #[test]
            fn values_are_shown_as_half_shows_them() {
                let engine = &Engines::new().all[3];
                for value in singles(|v: $t| !v.is_nan()) {
                    let words = said(|| shown.native(&mut [$t::NAN, value]));
                    let error = engine.runtime.scope(|| shown.try_call(&mut [$t::NAN, value])).unwrap_err().to_string();
                    assert!(error.ends_with(&format!(": {words} (iteration 1)")), "{error} lacks `{words}`");
                }
                for (lo, hi) in [($t::ONE, $t::ZERO), ($t::NAN, $t::ONE), ($t::ZERO, $t::NAN)] {
                    let words = said(|| clamps.native(&mut [HALF], lo, hi));
                    let error = engine.runtime.scope(|| clamps.try_call(&mut [HALF], lo, hi)).unwrap_err().to_string();
                    assert!(error.ends_with(&format!(": {words} (iteration 0)")), "{error} lacks `{words}`");
                }
            }

            #[qd::kernel]
            fn update_first(x: &mut [$t], at: usize, by: &[$t], from: usize) {
                x[at] += by[from];
            }

            /// Both indices are out of bounds: the place's is checked first, since `+=` is a method.
            #[test]
            fn the_place_of_an_update_comes_first() {
                let words = said(|| update_first.native(&mut [HALF], 5, &[HALF], 7));
                assert!(words.ends_with("the index is 5"), "{words}");
                for engine in &Engines::new().all {
                    let error = engine.runtime.scope(|| update_first.try_call(&mut [HALF], 5, &[HALF], 7)).unwrap_err();
                    assert!(error.to_string().ends_with(&format!(": {words} (array `x`)")), "{error}");
                }
            }

            /// Instances of generic kernels.
            #[test]
            fn instances_agree() {
                let x = singles::<$t>(|_| true);
                let y: Vec<$t> = (0..x.len()).map(|n| $t::from_f32(n as f32 / 3.0)).collect();
                let empty = || (x.clone(), vec![$t::ZERO; x.len()]);
                let (mut want_x, mut want) = empty();
                let native = generic::<$t, 4>.native(&mut want_x, &mut want, &y, HALF);
                for engine in &Engines::new().all {
                    let (mut got_x, mut got) = empty();
                    let most = engine.runtime.scope(|| generic::<$t, 4>(&mut got_x, &mut got, &y, HALF));
                    let at = |i: usize| format!("{:?}", x[i]);
                    assert_same("x", &engine.name, Class::Exact, &got_x, &want_x, at);
                    assert_same("out", &engine.name, Class::Exact, &got, &want, at);
                    assert!(most.same(native, Class::Exact), "{most} {native}");
                }
            }
        }
    )* };
}
every_half! { of_f16 f16 bf16; of_bf16 bf16 f16; }

#[qd::func]
fn polynomial<T: Number, const N: usize>(x: T, scale: &T) -> T {
    let (mut sum, mut term) = (T::ZERO, T::ONE);
    for _ in 0..N {
        sum += term * *scale;
        term *= x;
    }
    sum
}

#[qd::kernel]
fn generic<T: Float, const N: usize>(x: &mut [T], out: &mut [T], y: &[T], a: T) -> T {
    for i in 0..x.len() {
        x[i] += a * y[i];
        let tenth = T::from(0.1);
        out[i] = polynomial::<T, N>(x[i], &tenth) + T::PI.sqrt() + T::from(i as f32).cast::<T>();
        out[i] = T::from_bits(out[i].to_bits()).max(T::NEG_INFINITY) + T::MIN_POSITIVE;
    }
    let mut most = T::NEG_INFINITY;
    for i in 0..x.len() {
        most = most.max(x[i]);
    }
    most
}

/// Vectors and matrices: each method is its sequence of scalar operations.
#[qd::kernel]
fn linear(out: &mut [Vector<f16, 3>], norms: &mut [f16], a: &[Vector<f16, 3>], m: qd::Matrix<f16, 3, 3>) {
    for i in 0..out.len() {
        let v = a[i];
        out[i] = m.inverse() * v.normalize() + f16::from_f32(0.25) * v.cross(m[1]) - v / f16::from_f32(3.0);
        norms[i] = v.norm() + m.determinant() + v.dot(out[i]);
    }
}

#[test]
fn vectors_of_halves() {
    let number = |n: usize| f16::from_f32((hash(n as u64) % 4001) as f32 / 1000.0 - 2.0);
    let vector = |n: usize| Vector::from([1, 2, 3].map(|k| number(4 * n + k)));
    let a: Vec<_> = (0..400).map(vector).collect();
    let m = qd::Matrix::from([0, 1, 2].map(|r| [0, 1, 2].map(|c| number(9000 + 3 * r + c))));
    let empty = || (vec![Vector::zero(); a.len()], vec![f16::ZERO; a.len()]);
    let (mut want, mut want_norms) = empty();
    linear.native(&mut want, &mut want_norms, &a, m);
    for engine in &Engines::new().all {
        let (mut got, mut norms) = empty();
        engine.runtime.scope(|| linear(&mut got, &mut norms, &a, m));
        assert_eq!((got, norms), (want.clone(), want_norms.clone()), "{}", engine.name);
    }
}
