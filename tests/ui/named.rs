//! Methods and conversions by the names of std's, of one's own types and without the attribute: what they do kernels
//! don't know.
#[derive(Clone, Copy, PartialEq, PartialOrd, qd::Data)]
struct Metres(f32);

impl Metres {
    fn abs(self) -> Metres {
        Metres(self.0.abs() + 1.0)
    }

    fn to_f32(&self) -> f32 {
        self.0 * 2.0
    }

    fn from_f32(value: f32) -> Metres {
        Metres(value * 2.0)
    }
}

impl From<f32> for Metres {
    fn from(value: f32) -> Metres {
        Metres(value * 2.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, qd::Data)]
#[repr(u8)]
enum Level {
    Low,
    High,
}

impl From<Level> for u8 {
    fn from(level: Level) -> u8 {
        9 - level as u8
    }
}

#[qd::kernel]
fn methods(x: &mut [Metres], level: &mut [Level]) {
    for i in 0..x.len() {
        x[i] = x[i].abs();
        level[i] = level[i].max(Level::High);
    }
}

#[qd::kernel]
fn conversions(x: &mut [Metres], y: &mut [f32], level: &[Level]) {
    for i in 0..x.len() {
        y[i] = x[i].to_f32();
        x[i] = y[i].into();
        x[i] = Metres::from(y[i]);
        x[i] = Metres::from_f32(y[i]);
        y[i] = u8::from(level[i]) as f32;
    }
}

/// What comes before the method with the attribute in rustc's search.
mod before {
    trait Other {
        fn dot(self, other: Self) -> f32;
    }

    #[derive(Clone, Copy, qd::Data)]
    struct Point(f32);

    #[qd::funcs]
    impl Point {
        fn dot(&self, other: Point) -> f32 {
            self.0 * other.0
        }
    }

    impl Other for Point {
        fn dot(self, _: Self) -> f32 {
            0.0
        }
    }

    #[qd::kernel]
    fn dots(x: &mut [Point]) {
        for i in 0..x.len() {
            x[i] = Point(x[i].dot(x[i]));
        }
    }
}

fn main() {}
