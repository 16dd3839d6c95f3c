#[qd::kernel]
fn k(x: &mut [f32], at: &[usize]) {
    for i in 0..at.len() {
        qd::atomic::xor(&mut x[at[i]], 1.0);
    }
}

fn main() {}
