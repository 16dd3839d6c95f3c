use qd::prelude::*;

#[qd::kernel]
fn literals(x: &mut [f16]) {
    for i in 0..x.len() {
        x[i] = 1.5f16;
    }
}

#[qd::kernel]
fn casts(x: &mut [f32], h: &[f16]) {
    for i in 0..x.len() {
        x[i] = h[i] as f32;
    }
}

#[qd::kernel]
fn bits(x: &mut [f16], v: f16) {
    for i in 0..x.len() {
        qd::atomic::or(&mut x[0], v);
    }
}

fn main() {}
