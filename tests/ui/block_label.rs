#[qd::kernel]
fn k(x: &mut [usize]) {
    for i in 0..x.len() {
        x[i] = 'a: {
            if i > 3 {
                break 'a 1;
            }
            2
        };
    }
}

fn main() {}
