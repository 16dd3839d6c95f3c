#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..=3usize {
        x[i] = 1.0;
    }
}

fn main() {}
