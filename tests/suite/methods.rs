//! Methods and associated functions of one's own types: every kind of receiver, generic types, traits, places.
use qd::Float;
use qd::prelude::*;

use crate::support::{Engines, hash};

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
pub struct Vec2<T> {
    x: T,
    y: T,
}

#[qd::funcs]
impl<T: Float> Vec2<T> {
    pub const ZERO: Self = Vec2 { x: T::ZERO, y: T::ZERO };

    pub fn new(x: T, y: T) -> Self {
        Vec2 { x, y }
    }

    pub fn inner(self, other: Self) -> T {
        self.x * other.x + self.y * other.y
    }

    pub fn length(&self) -> T {
        self.inner(*self).sqrt()
    }

    pub fn plus(self, other: Vec2<T>) -> Vec2<T> {
        Self::new(self.x + other.x, self.y + other.y)
    }

    pub fn scaled(mut self, by: T) -> Self {
        self.x *= by;
        self.y *= by;
        self
    }

    /// Leaves early where there is no direction.
    pub fn direction(&self) -> Self {
        let length = self.length();
        if length == T::ZERO {
            return Self::ZERO;
        }
        self.scaled(T::ONE / length)
    }

    pub fn turn(&mut self) {
        *self = Vec2 { x: -self.y, y: self.x };
    }

    pub fn turn_often<const N: usize>(&mut self, shift: &T) -> usize {
        for _ in 0..N {
            self.turn();
            self.x += *shift;
        }
        N
    }

    fn swap_with(&mut self, other: &mut Self) {
        let old = *self;
        *self = *other;
        *other = old;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Body {
    pos: Vec2<f64>,
    vel: Vec2<f64>,
    hits: [u32; 3],
    alive: bool,
}

#[qd::funcs]
impl Body {
    fn advance(&mut self, dt: f64, bounds: (f64, f64)) -> bool {
        self.pos = self.pos.plus(self.vel.scaled(dt));
        if self.pos.x < bounds.0 || self.pos.x > bounds.1 {
            self.vel.x = -self.vel.x;
            self.hit(1);
            return true;
        }
        self.vel.turn();
        false
    }

    fn hit(&mut self, side: usize) {
        self.hits[side] += 1;
        self.hits[(self.hits[side] % 3) as usize] += 2;
    }

    fn energy(&self) -> f64 {
        0.5 * self.vel.inner(self.vel) + self.total() as f64
    }

    fn total(&self) -> u32 {
        let mut sum = 0;
        for k in 0..3 {
            sum += self.hits[k];
        }
        sum
    }
}

#[qd::funcs]
trait Shape {
    const SIDES: u32;
    fn area(&self) -> f32;
    fn grow(&mut self, by: f32);
    fn unit() -> Self;
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Square(f32);

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Disc {
    radius: f32,
}

#[qd::funcs]
impl Shape for Square {
    const SIDES: u32 = 4;
    fn area(&self) -> f32 {
        self.0 * self.0
    }
    fn grow(&mut self, by: f32) {
        self.0 += by;
    }
    fn unit() -> Self {
        Square(1.0)
    }
}

#[qd::funcs]
impl Shape for Disc {
    const SIDES: u32 = 1;
    fn area(&self) -> f32 {
        self.radius * self.radius * std::f32::consts::PI
    }
    fn grow(&mut self, by: f32) {
        self.radius += by;
    }
    fn unit() -> Self {
        Self { radius: 1.0 }
    }
}

fn bodies() -> NdArray<Body> {
    let real = |n: usize| (hash(n as u64) % 2001) as f64 / 100.0 - 10.0;
    NdArray::from_fn(500, |[i]| Body {
        pos: Vec2 { x: real(7 * i), y: real(7 * i + 1) },
        vel: Vec2 { x: real(7 * i + 2), y: if i % 5 == 0 { 0.0 } else { real(7 * i + 3) } },
        hits: [i as u32, 1, 2],
        alive: i % 3 != 0,
    })
}

#[qd::kernel]
fn simulate(all: &mut NdArray<Body>, out: &mut [f64], dt: f64) {
    for i in all.indices() {
        if all[i].advance(dt, (-9.0, 9.0)) {
            all[i].hit(2);
        }
        all[i].vel.turn();
        let mut body = all[i];
        body.pos.swap_with(&mut body.vel);
        let turned = body.vel.turn_often::<3>(&dt);
        all[i].pos = body.vel.direction().plus(body.pos.scaled(0.125));
        out[i] = body.energy() + Body::energy(&all[i]) + turned as f64 + <Body>::total(&body) as f64;
        out[i] += Vec2::new(dt, 2.0).length() + Vec2::<f64>::ZERO.x;
    }
}

#[test]
fn inherent_methods_agree() {
    let (mut want, mut want_out) = (bodies(), vec![0.0; 500]);
    simulate.native(&mut want, &mut want_out, 0.375);
    for engine in &Engines::new().all {
        let (mut got, mut out) = (bodies(), vec![0.0; 500]);
        engine.runtime.scope(|| simulate(&mut got, &mut out, 0.375));
        for i in 0..500 {
            assert_eq!((got[i], out[i]), (want[i], want_out[i]), "body {i}, {}", engine.name);
        }
    }
}

#[qd::kernel]
fn shapes(squares: &mut [Square], discs: &[Disc], areas: &mut [f32]) -> (f32, u32) {
    for i in 0..squares.len() {
        squares[i].grow(0.5);
        let mut disc = discs[i];
        disc.grow(squares[i].area());
        areas[i] = disc.area() + Square::area(&squares[i]) + <Square as Shape>::unit().area();
        if Square::unit().0 == 1.0 {
            areas[i] += Disc::unit().area();
        }
    }
    let mut last = Square::unit();
    last.grow(2.0);
    let mut sum = 0u32;
    for i in 0..areas.len() {
        sum += (areas[i] > last.area()) as u32 * Square::SIDES;
    }
    (last.area(), sum)
}

#[test]
fn methods_of_traits_agree() {
    let discs: Vec<Disc> = (0..300).map(|i| Disc { radius: (hash(i) % 100) as f32 / 10.0 }).collect();
    let squares: Vec<Square> = (0..300).map(|i| Square((hash(i + 999) % 100) as f32 / 30.0)).collect();
    let (mut want, mut want_areas) = (squares.clone(), vec![0.0; 300]);
    let result = shapes.native(&mut want, &discs, &mut want_areas);
    for engine in &Engines::new().all {
        let (mut got, mut areas) = (squares.clone(), vec![0.0; 300]);
        let found = engine.runtime.scope(|| shapes(&mut got, &discs, &mut areas));
        assert_eq!((got, areas, found), (want.clone(), want_areas.clone(), result), "{}", engine.name);
    }
}

/// A struct's methods in a generic function and kernel.
#[qd::func]
fn halfway<T: Float>(a: &Vec2<T>, b: Vec2<T>) -> Vec2<T> {
    a.plus(b).scaled(T::from(0.5))
}

#[qd::kernel]
fn midpoints<T: Float>(out: &mut [Vec2<T>], x: &[Vec2<T>]) -> T {
    for i in 0..out.len() {
        out[i] = halfway(&x[i], x[x.len() - 1 - i]);
        let longest = out[i].length().max(x[i].length());
        out[i].y = longest;
    }
    let mut sum = T::ZERO;
    for i in 0..out.len() {
        sum = sum.max(out[i].inner(x[i]));
    }
    sum
}

#[test]
fn generic_types_agree() {
    let x: Vec<Vec2<f32>> = (0..77).map(|i| Vec2 { x: i as f32 * 0.5, y: 3.0 - i as f32 }).collect();
    let mut want = vec![Vec2::ZERO; 77];
    let result = midpoints.native(&mut want, &x);
    for engine in &Engines::new().all {
        let mut got = vec![Vec2::ZERO; 77];
        assert_eq!(engine.runtime.scope(|| midpoints(&mut got, &x)), result);
        assert_eq!(got, want, "{}", engine.name);
        let y = [Vec2 { x: 1.0f64, y: 2.0 }];
        let mut out = y;
        engine.runtime.scope(|| midpoints(&mut out, &y));
        assert_eq!(out[0], Vec2 { x: 1.0, y: 5.0f64.sqrt() });
    }
}
