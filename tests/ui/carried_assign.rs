#[qd::kernel]
fn k(x: &[f32]) -> f32 {
    let mut last = 0.0;
    for i in 0..x.len() {
        last = x[i];
    }
    last
}

fn main() {}
