#[qd::kernel]
fn k(x: &mut [f32], w: usize) {
    for i in 0..w {
        for j in 0..w + 1 {
            x[i * w + j] = 1.0;
        }
    }
}

#[qd::kernel]
fn blocks(x: &mut [f32], w: usize, n: usize) {
    for i in 0..n {
        for k in i * w..=i * w + w {
            x[k] = 1.0;
        }
    }
}

#[qd::kernel]
fn colours(x: &mut [f32]) {
    for i in 2..x.len() - 2 {
        if i % 2 == 0 {
            x[i] = x[i - 2] + x[i + 1];
        }
    }
}

fn main() {}
