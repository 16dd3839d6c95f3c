#[qd::kernel]
fn k(x: &mut [f32], y: &[f32]) -> f32 {
    let mut last = 0.0;
    let mut n = 0;
    let sum: f32 = y.iter().map(|v| { last = *v; v * 2.0 }).sum();
    let next: f32 = y.iter().map(|v| { n += 1; x[n] = *v; v * 2.0 }).sum();
    x.iter_mut().zip(y).for_each(|(v, w)| { *v = *w; x[0] = 1.0 });
    sum + next
}

fn main() {}
