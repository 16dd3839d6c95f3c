#[derive(Clone, Copy, qd::Data)]
struct Point {
    x: f32,
}

#[qd::funcs]
impl Point {
    fn abs(&mut self) {
        self.x = self.x.abs();
    }
    fn max<T: qd::Float>(self, _: T) -> Self {
        self
    }
    fn indices(&self) -> usize {
        1
    }
    fn to_f32(&self) -> f32 {
        self.x
    }
}

#[qd::funcs]
struct Other;

fn main() {}
