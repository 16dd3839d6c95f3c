//! Methods whose `impl` lacks `#[qd::funcs]`, and such that aren't there.
#[derive(Clone, Copy, qd::Data)]
struct Point {
    x: f32,
}

impl Point {
    fn shifted(self, by: f32, scale: (i32, f32)) -> Point {
        Point { x: self.x * scale.1 + by }
    }

    fn shift(&mut self) {
        self.x += 1.0;
    }
}

trait Length {
    fn length(&self) -> f32;
}

impl Length for f32 {
    fn length(&self) -> f32 {
        self.abs()
    }
}

#[qd::kernel]
fn unattributed(points: &mut [Point], lengths: &mut [f32]) {
    for i in 0..points.len() {
        points[i].x = points[i].shifted(1.0, (2, 3.0)).x;
        points[i] = points[i].shifted(2.0, (3, 4.0));
        points[i].shift();
        lengths[i] = lengths[i].length();
    }
}

fn main() {}
