fn helper(v: f32) -> f32 {
    v
}

#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        x[i] = helper(x[i]);
    }
}

fn main() {}
