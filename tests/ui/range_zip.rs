#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in x.indices().rev() {
        x[i] = 1.0;
    }
    for (i, j) in qd::ndrange([0..=3, 0..4]) {
        x[i] = j as f32;
    }
}

fn main() {}
