//! Operators whose `impl` kernels haven't seen, and comparisons that std derived: an error, never another result.
use std::ops::{Add, Neg};

#[derive(Clone, Copy, Default, PartialEq, PartialOrd, qd::Data)]
struct Point {
    x: f32,
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x }
    }
}

impl Add<Point> for f32 {
    type Output = f32;
    fn add(self, other: Point) -> f32 {
        self + other.x
    }
}

impl std::ops::AddAssign<f32> for Point {
    fn add_assign(&mut self, other: f32) {
        self.x += other;
    }
}

impl Neg for Point {
    type Output = Point;
    fn neg(self) -> Point {
        Point { x: -self.x }
    }
}

#[qd::kernel]
fn unseen(x: &mut [Point], y: &mut [f32], z: Point) {
    for i in 0..x.len() {
        x[i] = x[i] + z;
        y[i] = y[i] + x[i];
        x[i] += y[i];
        x[i] = -x[i];
        y[i] = (x[i] == z) as u8 as f32;
        y[i] += ((x[i], 1) < (z, 1)) as u8 as f32;
    }
}

#[qd::func]
fn sum<T: qd::Data>(a: T, b: T) -> T
where
    T: std::ops::Sub<Output = T>,
{
    a - b
}

#[qd::kernel]
fn through_a_parameter(x: &mut [Point]) {
    for i in 0..x.len() {
        x[i] = Default::default();
    }
}

#[qd::funcs]
impl std::ops::Index<usize> for Point {
    type Output = f32;
    fn index(&self, _: usize) -> &f32 {
        &self.x
    }
}

mod own {
    pub trait Sub {
        fn sub(self, other: Self) -> Self;
    }
}

/// Not std's.
#[qd::funcs]
impl own::Sub for Point {
    fn sub(self, other: Point) -> Point {
        other
    }
}

#[derive(Clone, Copy, PartialEq, qd::Data)]
#[qd(PartialEq)]
#[repr(u8)]
enum Kind {
    A,
}

fn main() {}
