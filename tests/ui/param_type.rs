#[qd::kernel]
fn k(_x: String) {}

fn main() {}
