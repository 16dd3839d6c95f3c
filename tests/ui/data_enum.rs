#[derive(Clone, Copy, qd::Data)]
enum Shape {
    Point,
    Circle(f32),
}

fn main() {}
