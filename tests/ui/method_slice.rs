//! Slices have a length and elements, and no shape; methods of arrays that are loops in a kernel.
use qd::prelude::*;

#[qd::kernel]
fn slices(x: &mut [f32], y: &[f32], z: &mut NdArray<f32, 2>) {
    for i in x.indices() {
        x[i] = 0.0;
    }
    for (i, j) in ndrange(y.shape()) {
        z[[i, j]] = 0.0;
    }
    let [n] = y.shape();
    let m = y.shape()[0];
    x.swap(0, 1);
    x.copy_from_slice(y);
    x.sort();
    x.lenn();
    x.resize(3);
}

fn main() {}
