#[derive(Clone, Copy, qd::Data)]
struct Point {
    x: f32,
}

#[qd::funcs]
impl Point {
    fn shift(&mut self) {
        self.x += 1.0;
    }
}

impl Point {
    fn unknown(&self) -> f32 {
        self.x
    }
}

#[qd::kernel]
fn carried(x: &[Point]) -> f32 {
    let mut last = Point { x: 0.0 };
    for _i in 0..x.len() {
        last.shift();
    }
    last.x
}

#[qd::kernel]
fn plain(x: &mut [Point]) {
    for i in 0..x.len() {
        x[i].x = x[i].unknown();
    }
}

fn main() {}
