#[qd::kernel]
fn k(x: &mut [f32]) {
    for i in 0..x.len() {
        let _name = "kernel";
        x[i] = 2.0;
    }
}

fn main() {}
