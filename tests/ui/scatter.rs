#[derive(Clone, Copy, qd::Data)]
struct Pair {
    a: f32,
    b: f32,
}

#[qd::kernel]
fn k(p: &[usize], x: &[f32], y: &mut [f32], pairs: &mut [Pair]) -> f32 {
    let mut last = 0.0;
    for i in 0..p.len() {
        qd::scatter(&mut last, x[i]);
        qd::scatter(&mut pairs[p[i]].a, x[i]);
    }
    for i in 0..p.len() {
        qd::scatter(&mut y[p[i]], x[i]);
        y[i] = 1.0;
    }
    for i in 0..p.len() {
        pairs[i].b = 1.0;
        qd::scatter(&mut pairs[p[i]], Pair { a: 1.0, b: x[i] });
    }
    last
}

fn main() {}
