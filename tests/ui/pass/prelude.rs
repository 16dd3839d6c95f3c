// A kernel as a user writes it: it is an ordinary function, and a value of its own name is no trouble.
#![deny(warnings)]
#![forbid(unsafe_code)]
use qd::prelude::*;

#[qd::kernel]
fn sum(x: &NdArray<f32>) -> f32 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i];
    }
    sum
}

#[qd::kernel]
fn empty(_x: &mut [f32], (_a, _b): (f32, u8)) {}

fn main() {
    let x = NdArray::from_slice(&[1.0, 2.0]);
    let sum = sum.native(&x);
    assert_eq!(sum, 3.0);
    empty.native(&mut [1.0], (1.0, 2));
}
