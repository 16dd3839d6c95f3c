//! The arrays of a bundle are arrays, its values are variables from outside the loop.
use qd::prelude::*;

#[derive(qd::Bundle)]
struct State {
    x: Vec<f32>,
    y: Vec<f32>,
    inner: Inner,
    time: f32,
}

#[derive(qd::Bundle)]
struct Inner {
    sum: f32,
    bins: Vec<u32>,
}

#[qd::func]
fn total(s: &State) -> f32 {
    s.inner.sum + s.x[0]
}

#[qd::func]
fn reset(inner: &mut Inner) {
    inner.sum = 0.0;
}

#[qd::kernel]
fn race(s: &mut State, n: usize) {
    for i in 0..n {
        s.x[0] = i as f32;
        s.y[i] = s.y[i + 1];
        s.inner.bins[i] = 1;
    }
    for i in 0..n {
        s.time = s.x[i];
    }
    for i in 0..n {
        s.inner.sum += s.x[i];
        s.y[i] = s.inner.sum;
    }
    for i in 0..n {
        s.inner.sum += s.x[i] + total(&s);
    }
    for i in 0..n {
        s.x[i] = total(s);
    }
    for i in 0..n {
        reset(&mut s.inner);
    }
    let a = s;
    s.advance(3);
}

fn main() {}
