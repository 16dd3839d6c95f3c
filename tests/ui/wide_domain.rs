#[qd::kernel]
fn parallel(x: &mut [u64], n: u128) {
    let mut sum = 0;
    for i in 0..n {
        sum += i;
    }
    for i in 0..x.len() {
        x[i] = sum as u64;
    }
}

#[qd::kernel]
fn with_its_end(x: &mut [i128], n: i128) {
    for i in 0..x.len() {
        for j in 0..=n {
            x[i] += j;
        }
    }
}

fn main() {}
