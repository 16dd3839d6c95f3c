#[derive(Clone, Copy, PartialEq, qd::Data)]
enum Phase {
    Idle,
    Run,
}

fn main() {}
