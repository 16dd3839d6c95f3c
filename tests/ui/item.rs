#[qd::kernel]
fn k(x: &mut [f32]) {
    fn helper() {}
    for i in 0..x.len() {
        x[i] = 1.0;
    }
}

fn main() {}
