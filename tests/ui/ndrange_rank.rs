use qd::prelude::*;

#[qd::kernel]
fn k(x: &mut [f32], n: [usize; 2]) {
    for (i, _) in ndrange(n) {
        x[i] = 1.0;
    }
}

fn main() {}
