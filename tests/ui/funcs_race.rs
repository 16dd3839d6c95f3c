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

#[qd::kernel]
fn race(x: &mut [Point]) {
    for i in 0..x.len() {
        x[i / 2].shift();
    }
}

fn main() {}
