#[qd::kernel(crat = qd)]
fn k(_x: &mut [f32]) {}

fn main() {}
