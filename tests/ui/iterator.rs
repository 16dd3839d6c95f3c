#[qd::kernel]
fn k(x: &mut [f32], y: &[f32]) {
    for v in x.iter_mut() {
        let v = *v + 1.0;
        let _ = v;
    }
    for v in y.iter() {
        assert!(*v > 0.0, "{v}");
    }
    for (a, b) in x.iter_mut().enumerate().rev() {
        *b = a as f32;
    }
    for mut v in y.iter() {
        v = &1.0;
    }
}

fn main() {}
