use qd::prelude::*;

#[derive(Clone, Copy)]
struct P {
    _a: f32,
}

#[qd::kernel]
fn k(_x: &NdArray<P>) {}

fn main() {}
