#[derive(Clone, Copy, qd::Data)]
struct P {
    a: f32,
    b: Option<f32>,
}

fn main() {}
