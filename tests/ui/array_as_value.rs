#[qd::kernel]
fn k(x: &mut [f32]) {
    let y = x;
    for i in 0..3usize {
        y[i] = 1.0;
    }
}

fn main() {}
