#[qd::kernel]
fn k(x: &mut [f32], y: &[f32]) {
    for pair in x.iter_mut().enumerate() {
        *pair.1 = 1.0;
    }
    for mut v in x.iter_mut() {
        *v = 1.0;
    }
    for (n, v) in y.iter().filter(|v| **v > 0.0).enumerate() {
        x[n] = *v;
    }
    for w in y.windows(2) {
        qd::println!("{}", w[0]);
    }
    for v in y[1..][1..].iter() {
        qd::println!("{v}");
    }
    #[qd::steps]
    for v in y.iter() {
        for i in 0..x.len() {
            x[i] = *v;
        }
    }
}

fn main() {}
