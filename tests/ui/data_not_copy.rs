#[derive(qd::Data)]
struct P {
    a: f32,
}

fn main() {}
