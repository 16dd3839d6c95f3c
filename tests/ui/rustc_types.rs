// Type errors and unknown names are rustc's own, once, on the user's spans.
#[qd::kernel]
fn k(x: &mut [f32], y: &[f32], n: i32) {
    for i in 0..x.len() {
        x[i] = 1;
        x[i] = y[n];
        x[i] = missing;
        let v: f64 = x[i] + y[i];
    }
}

fn main() {}
