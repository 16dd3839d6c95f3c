#[qd::kernel]
fn k(x: &mut [f32], n: i32) {
    for i in 0..x.len() {
        if let 3 = n {
            x[i] = 1.0;
        }
    }
}

fn main() {}
