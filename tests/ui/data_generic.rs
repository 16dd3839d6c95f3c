#[derive(Clone, Copy, qd::Data)]
struct Pair<T>(T, T);

#[qd::kernel]
fn k(_x: Pair<char>) {}

fn main() {}
