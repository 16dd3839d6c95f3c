#[qd::kernel]
fn k(x: &mut [u32], y: &[usize]) {
    for i in 0..y.len() {
        qd::atomic::ad(&mut x[y[i]], 1);
    }
}

fn main() {}
