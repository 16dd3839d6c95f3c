#[qd::kernel]
fn k(x: &mut [f32], c: bool) {
    let s = if c {
        for i in 0..x.len() {
            x[i] = 1.0;
        }
        1.0
    } else {
        2.0
    };
    for i in 0..x.len() {
        x[i] += s;
    }
}

fn main() {}
