#[qd::kernel]
unsafe fn k(_x: &mut [f32]) {}

fn main() {}
