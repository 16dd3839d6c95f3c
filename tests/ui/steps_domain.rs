#[qd::kernel]
fn k(x: &mut [f32], n: usize) {
    #[qd::steps]
    for s in x.indices() {
        for i in 0..n {
            x[i] += s as f32;
        }
    }
}

fn main() {}
