#[qd::kernel]
async fn k(_x: &mut [f32]) {}

fn main() {}
