use qd::prelude::*;

#[qd::kernel]
fn kept(x: &mut [f32], ptr: &[usize]) {
    for (i, row) in qd::segments(ptr) {
        let kept = row;
        x[i] = 1.0;
    }
}

#[qd::kernel]
fn whole(x: &mut [f32], ptr: &[usize]) {
    for pair in qd::segments(ptr) {
        x[0] = 1.0;
    }
}

#[qd::kernel]
fn neighbours(x: &mut [f32], ptr: &[usize]) {
    for (_, row) in qd::segments(ptr) {
        for k in row {
            x[k] = x[k + 1];
        }
    }
}

#[qd::kernel]
fn changed(x: &mut [f32], ptr: &mut [usize]) {
    for (i, row) in qd::segments(ptr) {
        for k in row {
            x[k] = 1.0;
        }
        ptr[i] = 0;
    }
}

fn main() {}
