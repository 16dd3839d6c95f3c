#[qd::kernel]
fn k(x: &mut [f32], #[specialize] y: &[f32], n: usize) {
    #[specialize]
    let m = n;
    for i in 0..m {
        x[i] = y[i];
    }
}

#[qd::func]
fn f(#[specialize] n: usize) -> usize {
    n
}

fn main() {}
