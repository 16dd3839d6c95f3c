#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        let _w = [1.0, 2.0];
        x[i] = 2.0;
    }
}

fn main() {}
