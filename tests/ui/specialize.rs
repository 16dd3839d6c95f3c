#[qd::kernel]
fn k(x: &mut [f32], #[specialize] n: usize) {
    for i in 0..n {
        x[i] = 1.0;
    }
}

fn main() {}
