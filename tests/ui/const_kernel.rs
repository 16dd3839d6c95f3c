#[qd::kernel]
const fn k(_x: &mut [f32]) {}

fn main() {}
