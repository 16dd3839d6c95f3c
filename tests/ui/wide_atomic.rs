#[qd::kernel]
fn k(x: &mut [u128], at: &[usize]) {
    for i in 0..at.len() {
        qd::atomic::add(&mut x[at[i]], 1);
    }
}

fn main() {}
