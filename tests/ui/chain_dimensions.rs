use qd::prelude::*;

#[qd::kernel]
fn k(x: &mut NdArray<f32, 2>, y: &NdArray<f32, 2>) -> f32 {
    for v in x.iter_mut() {
        *v = 1.0;
    }
    y.iter().sum()
}

fn main() {}
