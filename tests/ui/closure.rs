#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        let _f = |v: f32| v + 1.0;
        x[i] = 2.0;
    }
}

fn main() {}
