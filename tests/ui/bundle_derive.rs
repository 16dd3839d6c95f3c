//! What can't be in a bundle, and what can't be one.
#[derive(qd::Bundle)]
struct Named {
    name: String,
    x: Vec<f32>,
}

#[derive(qd::Bundle)]
enum Either {
    A(Vec<f32>),
}

#[derive(qd::Bundle)]
#[qd(krate = qd)]
struct Renamed {
    x: Vec<f32>,
}

fn main() {}
