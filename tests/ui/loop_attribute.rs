#[qd::kernel]
fn k(x: &mut [f32], n: usize) {
    #[qd::steps]
    #[qd::serial]
    for i in 0..n {
        x[i] = 1.0;
    }
    #[qd::steps(3)]
    for _ in 0..n {
        for i in 0..n {
            x[i] = 1.0;
        }
    }
    #[qd::grain(0)]
    for i in 0..n {
        #[qd::steps]
        for _ in 0..3 {
            x[i] += 1.0;
        }
        #[qd::grain(8)]
        for _ in 0..3 {
            x[i] += 1.0;
        }
        #[qd::unroll(n)]
        for _ in 0..3 {
            x[i] += 1.0;
        }
    }
    #[qd::unroll]
    for i in 0..n {
        x[i] = 1.0;
    }
    #[qd::serial]
    while x[0] > 1.0 {
        x[0] *= 0.5;
    }
    #[qd::block(64)]
    #[qd::block(96)]
    for i in 0..n {
        x[i] = 1.0;
    }
    #[inline]
    for i in 0..n {
        x[i] = 1.0;
    }
}

fn main() {}
