#[qd::kernel]
fn k(x: &mut [f32], n: u32) {
    let mut a = 0;
    'outer: while a < n {
        a += 1;
        while a < n {
            for i in 0..x.len() {
                x[i] = 1.0;
            }
            break 'outer;
        }
    }
}

fn main() {}
