#[qd::kernel]
fn k(x: &mut [f32], n: i32) {
    for i in 0..x.len() {
        let 3 = n else { continue };
        x[i] = 1.0;
    }
}

fn main() {}
