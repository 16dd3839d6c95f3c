#[derive(Clone, Copy, PartialEq, qd::Data)]
#[repr(i8)]
enum Side {
    Left = -1,
    Right = 1,
}

fn main() {}
