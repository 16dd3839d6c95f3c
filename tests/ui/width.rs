#[qd::kernel]
fn k(x: &mut [u8], y: &mut [u128]) {
    for i in 0..x.len() {
        x[i] = x[i] as char as u8;
        y[i] = 340282366920938463463374607431768211456;
    }
}

fn main() {}
