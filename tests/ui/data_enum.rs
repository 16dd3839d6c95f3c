#[derive(Clone, Copy, PartialEq, qd::Data)]
#[repr(u8)]
enum Shape {
    Point,
    Circle(f32),
}

fn main() {}
