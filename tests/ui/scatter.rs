#[derive(Clone, Copy, qd::Data)]
struct Pair {
    a: f32,
    b: f32,
}

#[qd::kernel]
fn k(p: &[usize], x: &[f32], pairs: &mut [Pair]) -> f32 {
    let mut last = 0.0;
    for i in 0..p.len() {
        qd::scatter(&mut last, x[i]);
        qd::scatter(&mut pairs[p[i]].a, x[i]);
    }
    last
}

fn main() {}
