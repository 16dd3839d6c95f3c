//! Specialised parameters: their values are in the code and in its key, and nothing else changes.
mod common;

use common::{compiled, counts, folder, runtime};
use qd::prelude::*;
use qd::{ErrorKind, Float};

#[qd::kernel]
fn stencil(out: &mut [f32], x: &[f32], #[specialize] radius: usize, scale: f32) {
    for i in radius..out.len() - radius {
        let mut sum = 0.0;
        for j in i - radius..i + radius + 1 {
            sum += x[j];
        }
        out[i] = sum * scale;
    }
    for i in 0..out.len() {
        out[i] += 1.0;
    }
}

#[test]
fn each_value_has_its_code() {
    let root = folder();
    let rt = runtime(root.path());
    let x: Vec<f32> = (0..200).map(|i| (i * i % 17) as f32).collect();
    let run = |radius| {
        let (mut got, mut want) = (vec![0.0; 200], vec![0.0; 200]);
        stencil.on(&rt).call(&mut got, &x, radius, 0.5);
        stencil.native(&mut want, &x, radius, 0.5);
        assert_eq!(got, want, "radius {radius}");
        stencil.on(&rt).observations()
    };
    assert_eq!(counts(&stencil.on(&rt).observations()), (0, 0, 0));
    assert_eq!(compiled(&run(1)), [0, 1]);
    // The second task doesn't know the radius.
    assert_eq!(compiled(&run(2)), [0]);
    // Nothing new: the observations are those of the compile that came last.
    assert_eq!(compiled(&run(1)), [0]);
    assert_eq!(compiled(&run(7)), [0]);
    assert!(stencil.ir().unwrap().contains("const 7"));
    // Another runtime, the same values: everything is in the cache.
    let again = runtime(root.path());
    stencil.on(&again).call(&mut [0.0; 9], &x, 2, 1.0);
    assert_eq!(counts(&stencil.on(&again).observations()), (2, 2, 0));
    assert_eq!(compiled(&stencil.on(&rt).observations()), [0]);
}

#[qd::kernel]
fn pick(#[qd::specialize] (flag, bits): (bool, (f64, i8)), #[specialize] mut n: u16) -> (f64, u16, i8) {
    if flag {
        n += 1;
    }
    (bits.0, n, if n > 3 { bits.1 } else { -bits.1 })
}

#[test]
fn any_value_can_be_specialised() {
    for flag in [false, true] {
        for (a, b) in [(0.0, 5), (-0.0, -128), (f64::INFINITY, 0)] {
            for n in [3, 0, u16::MAX - 1] {
                let got = pick((flag, (a, b)), n);
                let want = pick.native((flag, (a, b)), n);
                assert_eq!((got.0.to_bits(), got.1, got.2), (want.0.to_bits(), want.1, want.2));
            }
        }
    }
}

#[qd::kernel]
fn generic<T: Float>(x: &mut [T], #[specialize] a: T) {
    for i in 0..x.len() {
        x[i] = x[i] * a;
    }
}

#[test]
fn instances_have_values_of_their_own() {
    let (mut x, mut y) = ([1.0f32], [1.0f64]);
    for v in [2.0, 3.0, 2.0] {
        generic(&mut x, v);
        generic(&mut y, -f64::from(v));
    }
    assert_eq!((x, y), ([12.0], [-12.0]));
}

#[qd::kernel]
fn never_called(x: &mut [f32], #[specialize] n: usize) {
    for i in 0..n {
        x[i] = 1.0;
    }
}

#[test]
fn without_a_value_there_is_no_code() {
    for error in [never_called.ir().unwrap_err(), never_called.prepare().unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::Kernel);
        assert!(error.to_string().contains("kernel `never_called` at tests/specialize.rs:"), "{error}");
    }
    assert_eq!(never_called.observations().frontend_constructs_total, 1);
    assert_eq!(never_called.name(), "never_called");
    let fault = never_called.try_call(&mut [0.0], 2).unwrap_err();
    assert!(fault.to_string().contains("the len is 1 but the index is 1"), "{fault}");
    assert!(never_called.ir().is_ok());
}
