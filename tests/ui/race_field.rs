use qd::prelude::*;

#[derive(Clone, Copy, qd::Data)]
struct P {
    a: f32,
    b: f32,
}

#[qd::kernel]
fn k(x: &mut NdArray<P>) {
    for i in 1..x.len() {
        x[i].a = x[i - 1].a + x[i - 1].b;
    }
}

fn main() {}
