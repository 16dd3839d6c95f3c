struct P {
    a: f32,
}

#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        x[i] = P { a: 1.0 }.a;
    }
}

fn main() {}
