//! Instances of generic kernels: each has its own code, observations and errors, whoever called which first.
mod common;

use common::{compiled, counts, folder, outcomes, runtime};
use qd::prelude::*;
use qd::{ErrorKind, Float, Number, Outcome};
use qd_library::{between, ramp};

#[qd::kernel]
fn scale<T: Number>(x: &mut [T], by: T) -> T {
    for i in 0..x.len() {
        x[i] *= by;
    }
    by
}

#[qd::kernel]
fn steps<const N: usize>(x: &mut [u64]) {
    for i in 0..x.len() {
        x[i] = (i * N) as u64;
    }
}

#[test]
fn instances_take_turns() {
    let root = folder();
    let rt = runtime(root.path());
    for round in 1..4 {
        let (mut a, mut b, mut c) = ([1.5f32; 3], [1.5f64; 4], [3u8; 5]);
        assert_eq!(scale.on(&rt).call(&mut a, 2.0), 2.0);
        assert_eq!(scale.on(&rt).call(&mut b, -1.0), -1.0);
        assert_eq!(scale.on(&rt).call(&mut c, 100), 100);
        assert_eq!((a, b, c), ([3.0; 3], [-1.5; 4], [44; 5]));
        let (mut one, mut two) = ([0; 4], [0; 4]);
        steps::<1>.on(&rt).call(&mut one);
        steps::<20>.on(&rt).call(&mut two);
        assert_eq!((one, two), ([0, 1, 2, 3], [0, 20, 40, 60]));
        let seen = scale::<f32>.on(&rt).observations();
        assert_eq!(outcomes(&seen), [Outcome::Compiled], "round {round}");
    }
}

#[test]
fn each_instance_has_its_observations() {
    let root = folder();
    let rt = runtime(root.path());
    for seen in [scale::<i32>.on(&rt).observations(), scale::<i64>.on(&rt).observations()] {
        assert_eq!((seen.frontend_constructs_total, counts(&seen)), (1, (0, 0, 0)));
    }
    scale::<i32>.on(&rt).call(&mut [1, 2], 3);
    assert_eq!(counts(&scale::<i32>.on(&rt).observations()), (1, 0, 1));
    assert_eq!(counts(&scale::<i64>.on(&rt).observations()), (0, 0, 0));
    // Other code, so another key; and the same code again in another process's eyes.
    scale::<i64>.on(&rt).call(&mut [1, 2], 3);
    assert_eq!(counts(&scale::<i64>.on(&rt).observations()), (1, 0, 1));
    let again = runtime(root.path());
    scale::<i64>.on(&again).call(&mut [1, 2], 3);
    assert_eq!(counts(&scale::<i64>.on(&again).observations()), (1, 1, 0));
}

#[test]
fn methods_before_the_first_call() {
    let mut x = [2i16, 3];
    assert_eq!(scale::<i16>.name(), "scale");
    assert_eq!(scale.try_call(&mut x, 5i16).unwrap(), 5);
    assert_eq!(x, [10, 15]);
    let mut y = [2i8, 3];
    assert_eq!(scale.native(&mut y, 5), 5);
    assert_eq!(y, [10, 15]);
    // Nothing leads from a function item to an instance that was never called as a kernel.
    let error = scale::<u16>.ir().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotAKernel);
    assert!(error.to_string().contains("qd::instantiate!(scale::<..>)"), "{error}");
}

mod registered {
    use super::*;

    #[qd::kernel]
    pub fn power<T: Float, const N: i32>(x: &mut NdArray<T>) {
        for i in x.indices() {
            x[i] = x[i].powi(N);
        }
    }

    qd::instantiate!(power::<f32, 2>, power::<f64, 3>);
    qd::instantiate!(scale::<usize>, ramp<f64>);
}

#[test]
fn instances_can_be_registered() {
    let root = folder();
    let rt = runtime(root.path());
    assert!(registered::power::<f32, 2>.ir().unwrap().contains("powi"));
    assert_eq!(compiled(&registered::power::<f64, 3>.on(&rt).prepare().unwrap()), [0]);
    assert_eq!(compiled(&scale::<usize>.on(&rt).prepare().unwrap()), [0]);
    let mut x = NdArray::from_slice(&[2.0f64]);
    registered::power::<f64, 3>.on(&rt).call(&mut x);
    assert_eq!((x[0], counts(&registered::power::<f64, 3>.on(&rt).observations())), (8.0, (1, 0, 1)));
    assert_eq!(registered::power::<f32, 3>.ir().unwrap_err().kind(), ErrorKind::NotAKernel);
    assert!(qd::registered_kernels().any(|kernel| kernel.name == "power" && kernel.constructs == 1));
}

/// Kernels inside functions, and functions with a kernel's name that are none.
#[test]
fn names_prove_nothing() {
    fn inner() -> u32 {
        #[qd::kernel]
        fn nested<T: Number>(x: T) -> T {
            x
        }
        nested.try_call(7u32).unwrap()
    }
    assert_eq!(inner(), 7);
    mod other {
        pub fn nested<T>(x: T) -> T {
            x
        }
    }
    assert_eq!(other::nested::<u32>.try_call(7).unwrap_err().kind(), ErrorKind::NotAKernel);
    fn scale<T>(x: T) -> T {
        x
    }
    let error = scale.try_call(1u64).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotAKernel, "{error}");
    // The mode of the failed call doesn't stay.
    instances_after_an_error();
}

fn instances_after_an_error() {
    let mut x = [1u32];
    assert_eq!(scale(&mut x, 3), 3);
    assert_eq!(x, [3]);
}

#[test]
fn errors_name_the_kernel() {
    #[qd::kernel]
    fn divide<T: Number>(x: &mut [T], by: &[T]) {
        for i in 0..x.len() {
            x[i] /= by[i];
        }
    }
    let error = divide.try_call(&mut [1i32, 2], &[1, 0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Fault);
    assert!(error.to_string().starts_with("kernel `divide` at tests/generics.rs:"), "{error}");
    assert!(divide.try_call(&mut [1.0f32, 2.0], &[1.0, 0.0]).is_ok());
}

#[test]
fn generic_code_of_another_crate() {
    #[qd::kernel]
    fn local<T: Float>(out: &mut [T], from: T) {
        for i in 0..out.len() {
            out[i] = between::<_, 8>(from, T::ONE, i as u32);
        }
    }
    let (mut a, mut b) = ([0.0f32; 5], [0.0f64; 9]);
    ramp(&mut a, 2.0);
    assert_eq!(a, [0.0, 0.5, 1.0, 1.5, 2.0]);
    local(&mut b, 0.0);
    assert_eq!(b, [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0]);
}
