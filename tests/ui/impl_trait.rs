#[qd::kernel]
fn k(_x: impl Copy) {}

fn main() {}
