#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        let wide = WIDE;
        x[i] = wide as u32 as f32;
    }
}

const WIDE: char = 'w';

fn main() {}
