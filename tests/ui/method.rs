#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        x[i] = x[i].sqr();
    }
    x.fill(0.0);
}

fn main() {}
