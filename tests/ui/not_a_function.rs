#[qd::kernel]
struct S;

fn main() {}
