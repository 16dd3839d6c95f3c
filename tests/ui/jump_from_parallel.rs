#[qd::kernel]
fn k(x: &mut [f32], n: usize) {
    #[qd::steps]
    'all: for _ in 0..n {
        for i in 0..n {
            if x[i] > 1.0 {
                break 'all;
            }
        }
    }
}

fn main() {}
