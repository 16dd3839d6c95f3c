#[qd::kernel]
fn k<T>(_x: &mut [f32], _v: T) {}

fn main() {}
