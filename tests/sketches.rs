//! What the macro embeds, with the types rustc reports for it, becomes a typed kernel: for kernels over the whole
//! language. Also the counts of constructs, and that native bodies are untouched.
#![deny(warnings)]
#![allow(clippy::needless_late_init, clippy::unnecessary_cast, reason = "forms of the language that are tested")]
use qd::__private::Chosen;
use qd::prelude::*;
use qd_ir::sketch::{Sketch, Types};
use qd_ir::{text, typing, verify};

const SCALE: f32 = 2.5;
type Real = f64;

#[qd::kernel]
fn two_loops(x: &mut NdArray<f32>) {
    for i in 0..x.len() {
        x[i] = x[i] * 2.0 + 1.0;
    }
    for i in 0..x.len() {
        x[i] -= 3.0;
    }
}

#[qd::kernel]
fn length_first(x: &mut NdArray<f32>) {
    let n = x.len();
    for i in 0..n {
        x[i] = SCALE;
    }
    for i in 0..n {
        x[i] *= SCALE;
    }
}

#[qd::kernel]
fn scalar_first(x: &mut [f32], a: f32, b: f32) {
    let s = a * b + 1.0;
    for i in 0..x.len() {
        x[i] = s;
    }
    for i in 0..x.len() {
        x[i] += s;
    }
}

#[qd::kernel]
fn count(x: &[i32]) -> u32 {
    let mut c = 0;
    for i in 0..x.len() {
        if x[i] > 0 {
            c += 1;
        }
    }
    c
}

#[qd::kernel]
fn literals(x: &mut NdArray<f32>, y: &mut [u64], seed: u32) -> (f64, i32) {
    for i in 0..x.len() {
        let a = if i > 3 { 1.0 } else { 2.0 };
        let (b, c) = (3, -1.5);
        x[i] = a + c * 0.5 * b as f32;
        y[i] = (1 << 3) as u64 + 2147483648 as u64 + (seed >> 16) as u64 + u64::from(7u8);
        if 2 < 3 {
            y[i] <<= 1;
        }
        let _ = 3;
        let z: Real = (i as Real).sqrt() + Real::max(1.0, 2.0) + f64::from(3);
        x[i] += z as f32 + f32::from_bits(0x3f80_0000) + std::f32::consts::PI + f32::MAX;
    }
    let r = Real::from_bits(5) + 1.0;
    (r, i32::MIN)
}

#[qd::kernel]
fn control(x: &mut NdArray<i32, 2>, (a, mut b): (i32, i32), n: usize) -> i32 {
    const N: usize = 4;
    b += 1;
    let [h, w] = x.shape();
    for (i, j) in ndrange([h, w]) {
        let mut s = 0;
        for _ in 0..N {
            s += a;
        }
        'outer: while s < 10 {
            let mut k = 0;
            loop {
                k += 1;
                if k > 5 {
                    continue 'outer;
                }
                if k * s > 7 {
                    break 'outer;
                }
                s += 1;
            }
        }
        let t = loop {
            s -= 1;
            if s < 0 {
                break s * 2;
            }
        };
        let u;
        if t > 3 {
            u = 1;
        } else {
            u = 2;
        }
        let mut p = (t, (s, 2.5f32));
        p.1.1 += 1.0;
        (p.0, s) = (s, p.0);
        _ = p;
        let s = {
            let s = s + u + b;
            s * 2
        };
        let v = if s > 1 { s } else { continue };
        x[[i, j]] = v + p.1.0 + {
            const N: i32 = 9;
            N
        };
    }
    for i in x.indices() {
        let (i, j) = i;
        // SAFETY: lifts only the race rule, and each iteration writes its own element.
        unsafe { x[[i, j]] = 1 };
    }
    let mut m = i32::MAX;
    let mut found = false;
    for i in 0..n {
        m = m.min(i as i32);
        found |= i == 3;
    }
    if found && m < 3 { m } else { -1 }
}

#[qd::kernel]
fn plan(x: &mut NdArray<f32>, steps: usize) -> f32 {
    if steps == 0 {
        return 0.0;
    }
    let mut step = 0;
    let mut err = 1.0f32;
    while step < steps {
        err = 0.0;
        for i in 0..x.len() {
            let d = x[i] * 0.5;
            err += d;
            x[i] = d;
        }
        if err < 1e-3 {
            break;
        }
        step += 1;
    }
    err
}

#[qd::kernel]
fn methods(x: &mut [f32], h: &mut [u32]) {
    for i in 0..x.len() {
        let v = x[i];
        let (s, c) = v.sin_cos();
        x[i] = s.mul_add(c, v.powi(3)).clamp(-1.0, 1.0) + f32::hypot(s, 2.0) + f32::sin_cos(v).0;
        let bucket = (v.abs() * 16.0) as usize;
        qd::atomic::add(&mut h[bucket], 1);
        let _ = i32::abs(-3) + std::cmp::max(1, 2) + (i as i32).wrapping_add(1).pow(2);
    }
}

#[qd::kernel]
fn more(x: &mut NdArray<f64, 2>, y: &mut [u8], n: i32, mut total: u64) -> (u64, (f64, bool), u8) {
    use std::f64::consts::TAU;
    type Index = usize;
    let scale;
    if n > 3 {
        scale = 1.5;
    } else {
        scale = TAU;
    }
    for i in -3..n {
        y[(i + 3) as usize] = b'a' | !0xf0 ^ (i & 7) as u8;
    }
    for i in 0..y.len() as u32 {
        y[i as Index] = (y[i as Index] as i8 >> 1).rotate_left(3) as u8;
        total += u64::from(i);
    }
    for (i, j) in ndrange(x.shape()) {
        let (lo, hi) = if i < j { (i, j) } else { (j, i) };
        let mut acc = 0.0;
        for k in lo..hi {
            for (p, q) in ndrange([0..k, 1..hi]) {
                acc += (p * q) as f64 * scale;
            }
        }
        let (s, c): (f64, f64) = acc.sin_cos();
        x[[i, j]] = s * c + f64::from(1u8 << 3) + (if i > 3 { 1 } else { 2 }) as f64;
    }
    let mut worst = f64::NEG_INFINITY;
    let mut all = true;
    for (i, j) in x.indices() {
        worst = f64::max(worst, x[[i, j]]);
        all &= x[[i, j]] < 1e300 && !(x[[i, j]] == 0.0 || i > j);
    }
    // SAFETY: lifts only the race rule; `^ 1` is a bijection, so iterations write apart.
    unsafe {
        for i in 0..y.len() {
            y[i ^ 1] = 1;
        }
    }
    y[0] += 1;
    let last = y[y.len() - 1];
    let pair = (worst.abs(), all);
    (total, pair, last)
}

fn kernel(name: &str) -> (usize, String) {
    let entry = qd::__private::KERNELS.iter().find(|e| e.kernel.desc().name == name).unwrap();
    let desc = entry.kernel.desc();
    let mut sketch = Sketch::decode(desc.sketch).unwrap();
    let Chosen { params, result, taps, consts, calls, place_first } = (desc.types)();
    // Operators are resolved as calls, too; of these kernels none is a function.
    let callees = vec![None; calls.len()];
    let (params, slices) = typing::flatten(&mut sketch, params).unwrap();
    let types = Types { params, slices, result: Some(result), taps, consts, baked: Vec::new(), callees, place_first };
    let kernel =
        typing::kernel(&sketch, &types, typing::Overflow::Wraps).unwrap_or_else(|e| panic!("{e}\n{sketch:#?}"));
    if let Err(errors) = verify::kernel(&kernel) {
        panic!("{errors:?}\n{}", text::print(&kernel));
    }
    assert_eq!(desc.constructs as usize, kernel.constructs.len());
    (kernel.constructs.len(), text::print(&kernel))
}

#[test]
fn constructs_are_counted_as_the_design_says() {
    assert_eq!(kernel("two_loops").0, 2);
    assert_eq!(kernel("length_first").0, 2);
    assert_eq!(kernel("scalar_first").0, 3);
    assert_eq!(kernel("count").0, 1);
}

#[test]
fn the_whole_language_becomes_typed_kernels() {
    assert_eq!(kernel("literals").0, 2);
    assert_eq!(kernel("control").0, 5);
    assert_eq!(kernel("plan").0, 6);
    assert_eq!(kernel("methods").0, 1);
    assert_eq!(kernel("more").0, 7);
}
