#[qd::kernel]
extern "C" fn k(_x: &mut [f32]) {}

fn main() {}
