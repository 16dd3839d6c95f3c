//! Another method comes before the one that kernels know, in the order in which rustc looks: an error, never the other
//! function.

#[derive(Clone, Copy, qd::Data)]
struct Point {
    x: f32,
}

#[qd::funcs]
impl Point {
    fn size(&self) -> f32 {
        self.x
    }
    fn shift(&mut self) {
        self.x += 1.0;
    }
}

#[qd::funcs]
trait Shape {
    fn area(&self) -> f32;
}

#[qd::funcs]
impl Shape for Point {
    fn area(&self) -> f32 {
        self.x
    }
}

mod by_value {
    use super::*;

    trait Other {
        fn size(self) -> f32;
        fn area(self) -> f32;
    }

    impl Other for Point {
        fn size(self) -> f32 {
            -1.0
        }
        fn area(self) -> f32 {
            -1.0
        }
    }

    #[qd::kernel]
    fn sizes(out: &mut [f32], x: &[Point]) {
        for i in 0..out.len() {
            out[i] = x[i].size() + x[i].area();
        }
    }
}

mod of_every_type {
    use super::Point;

    trait Other {
        fn shift(&self);
    }

    impl<T> Other for T {
        fn shift(&self) {}
    }

    #[qd::kernel]
    fn shifts(x: &mut [Point]) {
        for i in 0..x.len() {
            x[i].shift();
        }
    }
}

mod of_the_type {
    use super::*;

    impl Point {
        fn area(self) -> f32 {
            -1.0
        }
    }

    #[qd::kernel]
    fn areas(out: &mut [f32], x: &[Point]) {
        for i in 0..out.len() {
            out[i] = x[i].area();
        }
    }
}

mod of_another_type {
    use super::Point;

    #[derive(Clone, Copy, qd::Data)]
    struct Outer {
        inner: Point,
    }

    impl std::ops::Deref for Outer {
        type Target = Point;
        fn deref(&self) -> &Point {
            &self.inner
        }
    }

    #[qd::kernel]
    fn sizes(out: &mut [f32], x: &[Outer]) {
        for i in 0..out.len() {
            out[i] = x[i].size();
        }
    }
}

mod not_in_scope {
    use super::Point;

    trait Other {
        fn area(&self) -> f32;
    }

    impl Other for Point {
        fn area(&self) -> f32 {
            -1.0
        }
    }

    #[qd::kernel]
    fn areas(out: &mut [f32], x: &[Point]) {
        for i in 0..out.len() {
            out[i] = x[i].area();
        }
    }
}

fn main() {}
