#[qd::kernel]
fn k(y: &[usize]) -> u32 {
    let mut n = 0u32;
    for _i in 0..y.len() {
        qd::atomic::compare_exchange(&mut n, 1, 2);
    }
    n
}

fn main() {}
