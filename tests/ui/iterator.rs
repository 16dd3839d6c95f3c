#[qd::kernel]
fn k(x: &mut [f32]) {
    for _v in x.iter_mut() {
    }
}

fn main() {}
