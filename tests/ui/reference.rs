#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        let v = &mut x[i];
        *v = 1.0;
    }
}

fn main() {}
