#[qd::kernel]
fn k(x: &mut [i32]) {
    for i in 0..x.len() {
        let a = [1, 2].map(|v| v * 3);
        x[i] = a[1];
    }
}

fn main() {}
