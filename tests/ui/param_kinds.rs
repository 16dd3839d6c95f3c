//! Types of parameters that none of kernels are.
use std::ops::Add;

#[qd::kernel]
fn fixed(x: &mut [f32], table: &[f32; 4], out: &mut [f32; 4]) {
    for i in 0..x.len() {
        x[i] = table[i % 4];
    }
    out[0] = 1.0;
}

#[qd::kernel]
fn generic<T: Copy + Add<Output = T>>(x: &mut [T]) {
    for i in 0..x.len() {
        x[i] = x[i] + x[i];
    }
}

#[qd::kernel]
fn function(x: &mut [f32], f: fn(f32) -> f32) {
    for i in 0..x.len() {
        x[i] = f(x[i]);
    }
}

#[qd::func]
fn applied(x: f32, f: fn(f32) -> f32) -> f32 {
    f(x)
}

#[qd::kernel]
fn text(x: &mut [u8], s: &str) {
    for i in 0..x.len() {
        x[i] = i as u8;
    }
}

#[derive(qd::Bundle)]
struct Cells<'a> {
    mass: &'a mut [f32],
}

#[qd::kernel]
fn bundle(cells: Cells) {
    for i in 0..cells.mass.len() {
        cells.mass[i] = 1.0;
    }
}

const DIGITS: &[u8; 4] = b"0123";

#[qd::kernel]
fn constant(x: &mut [u8]) {
    for i in 0..x.len() {
        x[i] = DIGITS[i % 4];
    }
}

fn main() {}
