#[qd::kernel]
fn k(x: &mut [f32], pair: (f32, f32)) {
    let (ref _a, ..) = pair;
    for i in 0..x.len() {
        x[i] = 1.0;
    }
}

fn main() {}
