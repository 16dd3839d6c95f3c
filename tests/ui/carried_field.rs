#[derive(Clone, Copy, qd::Data)]
struct P {
    a: f32,
}

#[qd::kernel]
fn k(x: &[f32], mut p: P) -> f32 {
    for i in 0..x.len() {
        p.a += x[i];
    }
    p.a
}

fn main() {}
