use qd::prelude::*;

#[qd::kernel]
fn k(x: &mut NdArray<f32, 2>, d: usize) {
    let n = x.shape()[d];
    for i in 0..n {
        x[[i, 0]] = 1.0;
    }
}

fn main() {}
