#[qd::kernel]
fn k(x: &mut [f32], n: u32) {
    for i in 0..x.len() {
        x[i] = n.try_into()?;
    }
}

fn main() {}
