#[qd::kernel]
fn k(x: &mut [f32], steps: usize) {
    for _ in 0..steps {
        for i in 0..x.len() {
            x[i] *= 0.5;
        }
    }
}

fn main() {}
