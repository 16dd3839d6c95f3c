//! Methods that kernels don't know, where loops and chains take arrays: never left out.
trait Tail {
    fn tail(&self) -> &[f32];
}

impl Tail for [f32] {
    fn tail(&self) -> &[f32] {
        &self[1..]
    }
}

#[qd::kernel]
fn zips(out: &mut [f32], x: &[f32]) {
    for (o, v) in out.iter_mut().zip(x.first()) {
        *o = *v;
    }
    for (o, v) in out.iter_mut().zip(x.get(2)) {
        *o = *v;
    }
    for (o, v) in out.iter_mut().zip(x.tail()) {
        *o = *v;
    }
    for (o, _) in out.iter_mut().zip(x.windows(2)) {
        *o = 1.0;
    }
    for (o, v) in out.iter_mut().zip(x.chunks(2)) {
        *o += v[0];
    }
    for (o, v) in std::iter::zip(out, x) {
        *o = *v;
    }
}

#[qd::kernel]
fn heads(out: &mut [f32], x: &[f32], width: usize) {
    for (i, row) in out.chunks_exact_mut(width).enumerate() {
        for v in row {
            *v = i as f32;
        }
    }
    for v in x.tail() {
        out[0] = *v;
    }
    for i in 0..out.len() {
        for (j, w) in x.windows(2).enumerate() {
            out[i] += w[0] * j as f32;
        }
    }
}

#[qd::kernel]
fn chains(out: &mut [f32], x: &[f32]) {
    for i in 0..out.len() {
        out[i] = x.iter().zip(x.windows(2)).map(|(a, _)| *a).sum();
        out[i] += x.windows(2).map(|w| w[0] * w[1]).sum::<f32>() + x.chunks(2).count() as f32;
        out[i] += x.tail().iter().sum::<f32>();
    }
    out.chunks_mut(4).zip(x.chunks(4)).for_each(|(c, d)| c[0] = d[0]);
}

fn main() {}
