#[qd::kernel]
fn k(x: &mut [usize]) {
    for i in 0..x.len() {
        let _never: f32;
        x[i] = 1;
    }
}

fn main() {}
