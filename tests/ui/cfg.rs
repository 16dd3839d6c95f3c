#[qd::kernel]
fn k(x: &mut [f32]) {
    #[cfg(unix)]
    for i in 0..x.len() {
        x[i] = 1.0;
    }
}

fn main() {}
