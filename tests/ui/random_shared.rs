//! A generator from outside a parallel loop would be handed from one iteration to the next.
use qd::Rng;

#[qd::kernel]
fn fill(x: &mut [f32]) {
    let mut rng = Rng::new(1, 0);
    for i in 0..x.len() {
        x[i] = rng.next();
    }
}

#[qd::kernel]
fn open(x: &mut [u32]) {
    for i in 0..x.len() {
        let mut rng = Rng::new(1, i as u64);
        x[i] = rng.range(3..);
    }
}

fn main() {}
