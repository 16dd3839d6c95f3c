#[qd::kernel]
fn other_value(x: &[f32]) -> f32 {
    let mut best = f32::MAX;
    for i in 0..x.len() {
        if x[i] < best {
            best = x[i] + 1.0;
        }
    }
    best
}

#[qd::kernel]
fn with_else(x: &[f32]) -> (f32, u32) {
    let mut best = f32::MAX;
    let mut misses = 0;
    for i in 0..x.len() {
        if x[i] < best {
            best = x[i];
        } else {
            misses += 1;
        }
    }
    (best, misses)
}

#[qd::kernel]
fn counted(x: &[f32]) -> (f32, u32) {
    let mut best = f32::MIN;
    let mut records = 0;
    for i in 0..x.len() {
        if best < x[i] {
            best = x[i];
            records += 1;
        }
    }
    (best, records)
}

#[qd::kernel]
fn stored(x: &[f32], y: &mut [f32]) -> f32 {
    let mut best = f32::MAX;
    for i in 0..x.len() {
        if x[i] < best {
            best = x[i];
            y[i] = best;
        }
    }
    best
}

#[qd::kernel]
fn loaded(x: &[f32], label: &[u32]) -> u32 {
    let mut best = (f32::MAX, 0);
    for i in 0..x.len() {
        if x[i] < best.0 {
            best = (x[i], label[i]);
        }
    }
    best.1
}

#[qd::kernel]
fn groups(x: &[f32], group: &[usize]) -> [f32; 4] {
    let mut best = [f32::MAX; 4];
    for i in 0..x.len() {
        if x[i] < best[group[i]] {
            best[group[i]] = x[i];
        }
    }
    best
}

#[qd::kernel]
fn second(x: &[f32]) -> (f32, f32) {
    let mut best = f32::MAX;
    let mut next = f32::MAX;
    for i in 0..x.len() {
        if x[i] < best {
            next = best;
            best = x[i];
        }
    }
    (best, next)
}

#[qd::kernel]
fn two_shapes(x: &[f32]) -> (f32, usize) {
    let mut best = f32::MAX;
    let mut at = 0;
    for i in 0..x.len() {
        if x[i] < best {
            best = x[i];
            at = i;
        }
        if -x[i] < best {
            best = -x[i];
        }
    }
    (best, at)
}

#[qd::kernel]
fn almost(x: &[f32]) -> f32 {
    let mut best = f32::MAX;
    for i in 0..x.len() {
        if x[i] < best - 0.5 {
            best = x[i];
        }
    }
    best
}

fn main() {}
