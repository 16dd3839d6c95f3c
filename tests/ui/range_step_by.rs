#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in (0..x.len()).step_by(2) {
        x[i] = 1.0;
    }
}

fn main() {}
