//! The attribute stands on a trait and on each of its implementations, or on none of them.

#[derive(Clone, Copy, qd::Data)]
struct Point {
    x: f32,
}

trait Plain {
    fn size(&self) -> f32;
}

#[qd::funcs]
impl Plain for Point {
    fn size(&self) -> f32 {
        self.x
    }
}

#[qd::funcs]
trait Shape {
    fn area(&self) -> f32;
    fn sides(&self) -> u32 {
        4
    }
}

impl Shape for Point {
    fn area(&self) -> f32 {
        self.x
    }
}

#[derive(Clone, Copy)]
struct NoValue;

#[qd::funcs]
impl Shape for NoValue {
    fn area(&self) -> f32 {
        0.0
    }
}

#[qd::func]
fn half<T: Plain>(v: T) -> f32 {
    v.size() / 2.0
}

fn main() {}
