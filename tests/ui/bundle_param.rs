//! Bundles go by reference, and have the fields they have.
use qd::prelude::*;

#[derive(qd::Bundle)]
struct State {
    x: Vec<f32>,
    time: f32,
}

#[qd::kernel]
fn by_value(s: State) {}

#[qd::kernel]
fn no_such_field(s: &mut State) {
    for i in 0..s.y.len() {
        s.x[i] = 0.0;
    }
}

#[qd::kernel]
fn shared(s: &State) {
    s.time = 0.0;
    for i in 0..s.x.len() {
        s.x[i] = 1.0;
    }
}

mod elsewhere {
    #[derive(qd::Bundle)]
    pub struct Private {
        x: Vec<f32>,
    }
}

#[qd::kernel]
fn private(s: &mut elsewhere::Private) {
    for i in 0..s.x.len() {
        s.x[i] = 0.0;
    }
}

fn main() {}
