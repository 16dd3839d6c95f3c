#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 1..x.len() {
        x[i] = x[i - 1];
    }
}

fn main() {}
