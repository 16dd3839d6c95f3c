#[qd::kernel]
fn k(x: &mut [u64]) {
    for i in 0..x.len() {
        x[i] = (1u128 + i as u128) as u64 + 18446744073709551616;
    }
}

fn main() {}
