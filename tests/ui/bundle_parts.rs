//! A parallel loop can't write to parts of one value of a bundle.
use qd::prelude::*;

#[derive(qd::Bundle)]
struct State {
    x: Vec<f32>,
    centre: Vector<f32, 2>,
    table: [u32; 4],
}

#[qd::kernel]
fn parts(s: &mut State) {
    for i in 0..s.x.len() {
        s.centre.x = s.x[i];
        s.table[i] = 1;
    }
}

#[qd::kernel]
fn atomics(s: &mut State) {
    for i in 0..s.x.len() {
        qd::atomic::add(&mut s.table[i % 4], 1);
    }
}

fn main() {}
