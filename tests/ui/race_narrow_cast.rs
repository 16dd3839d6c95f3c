#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        x[i as u8 as usize] = 1.0;
    }
}

fn main() {}
