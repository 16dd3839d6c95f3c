#[derive(Clone, Copy, qd::Data)]
struct Point {
    x: f32,
}

#[qd::funcs]
impl Point {
    fn shift(&mut self) {
        self.x += 1.0;
    }
    fn boxed(self: Box<Self>) -> f32 {
        self.x
    }
}

struct Plain(f32);

#[qd::funcs]
impl Plain {
    fn value(&self) -> f32 {
        self.0
    }
}

fn main() {}
