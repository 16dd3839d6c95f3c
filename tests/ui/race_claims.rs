#[derive(Clone, Copy, qd::Data)]
struct Pair {
    a: f32,
    b: f32,
}

#[qd::kernel]
fn k(p: &[usize], x: &[f32], y: &mut [f32], z: &mut [u32], pairs: &mut [Pair]) {
    for i in 0..p.len() {
        qd::scatter(&mut y[p[i]], x[i]);
        y[i] = 1.0;
    }
    for i in 0..p.len() {
        qd::scatter(&mut z[p[i]], i as u32);
        qd::atomic::add(&mut z[i], 1);
    }
    for i in 0..p.len() {
        let b = pairs[i].b;
        qd::scatter(&mut pairs[p[i]], Pair { a: 1.0, b });
    }
}

fn main() {}
