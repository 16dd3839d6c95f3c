//! What a type lacks is said once, where it stands: of bindings beside others, of expressions, of operators.
#[derive(Clone, Copy)]
struct Plain {
    a: f32,
}

#[derive(Clone, Copy, qd::Data)]
struct Point {
    x: f32,
}

impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x }
    }
}

#[qd::kernel]
fn bindings(x: &mut [f32]) {
    for i in 0..x.len() {
        let one = x[i] * 2.0;
        let two = Plain { a: one };
        let three = (i, Plain { a: 1.0 });
        let four = i as f32;
        x[i] = one + two.a + three.1.a + four;
    }
}

#[qd::kernel]
fn operators(x: &mut [Point], y: &mut [f32]) {
    for i in 0..x.len() {
        let (a, b) = (x[i], (x[i], y[i]));
        x[i] = a + b.0;
        let c = x[i] + b.0;
        let d = [a, c];
        x[i] = d[0] + d[1] + d[0];
    }
}

fn main() {}
