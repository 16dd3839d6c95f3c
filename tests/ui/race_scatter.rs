#[qd::kernel]
fn k(x: &mut [f32], j: &[usize]) {
    for i in 0..j.len() {
        x[j[i]] = 1.0;
    }
}

fn main() {}
