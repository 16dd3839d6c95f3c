#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        let table = [0.0; 3];
        x[i] = table[1..][i];
    }
}

fn main() {}
