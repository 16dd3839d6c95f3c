#[qd::kernel]
fn k<'a>(x: &'a mut [f32]) -> &'a [f32] {
    x
}

fn main() {}
