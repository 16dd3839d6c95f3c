//! Loops of time round loops that could be parallel, and a running sum: what to write before each.
#[qd::kernel]
fn settle(x: &mut [f32], y: &mut [f32], rounds: usize) -> f32 {
    let mut delta = 0.0;
    for _ in 0..rounds {
        delta = 0.0;
        for i in 0..x.len() {
            y[i] = x[i] * 0.5;
            delta += y[i];
        }
    }
    delta
}

#[qd::kernel]
fn starts(start: &mut [u32]) {
    for c in 1..start.len() {
        start[c] += start[c - 1];
    }
}

fn main() {}
