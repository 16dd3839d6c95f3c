#[qd::kernel]
fn k(x: &[f32]) -> (bool, bool) {
    let mut all = true;
    let mut any = false;
    for i in 0..x.len() {
        all = all && x[i] > 0.0;
        any = any || x[i] > 1.0;
    }
    (all, any)
}

fn main() {}
