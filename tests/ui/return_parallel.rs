#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        if i == 3 {
            return;
        }
        x[i] = 1.0;
    }
}

fn main() {}
