#[derive(Clone, Copy, qd::Data)]
struct Point {
    x: f32,
}

#[qd::funcs]
impl Point {
    fn abs(self) -> Self {
        self
    }
    fn len(&self) -> usize {
        1
    }
}

#[qd::funcs]
struct Other;

fn main() {}
