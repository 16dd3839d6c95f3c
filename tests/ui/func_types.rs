#[qd::func]
fn half(v: f32) -> f32 {
    v / 2.0
}

#[qd::kernel]
fn k(x: &mut [f32], n: i32) {
    for i in 0..x.len() {
        x[i] = half(n);
        x[i] += half(1.0, 2.0);
        let whole: i32 = half(x[i]);
    }
}

fn main() {}
