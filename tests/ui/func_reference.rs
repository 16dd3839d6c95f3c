#[qd::func]
fn double(v: &mut f32, x: &[f32]) -> f32 {
    let r = v;
    *v += x[0] * 2.0;
    v + 1.0
}

fn main() {}
