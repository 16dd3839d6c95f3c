#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0usize.. {
        x[i] = 1.0;
    }
}

fn main() {}
