#[qd::kernel]
fn k(x: &mut [f32]) {
    #[qd::steps]
    for i in 0..x.len() {
        x[i] = 1.0;
    }
}

fn main() {}
