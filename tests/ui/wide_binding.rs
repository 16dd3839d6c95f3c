#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        let wide = WIDE;
        x[i] = wide as f32;
    }
}

const WIDE: u128 = 3;

fn main() {}
