#[qd::kernel]
fn k(x: &mut [f32], n: i32) {
    for i in 0..x.len() {
        x[i] = match n {
            0 => 1.0,
            _ => 2.0,
        };
    }
}

fn main() {}
