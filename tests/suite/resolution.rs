//! Names that several things have, each where rustc finds another one: methods of a type and of its traits, traits of one's
//! own with the methods of std's numbers, functions by the names of qd's and std's.
use qd::prelude::*;

use crate::support::{agree, hash};

fn numbers() -> Vec<f32> {
    (0..300).map(|n| (hash(n) % 101) as f32 / 4.0 - 9.0).collect()
}

/// A trait, and a type with methods of its own by the same names.
#[qd::funcs]
trait Shape {
    fn area(&self) -> f32;

    fn side(self) -> f32;

    fn set(&mut self, to: f32) -> f32;

    fn twice(&self) -> f32 {
        2.0 * self.area() + self.side()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Square(f32);

#[qd::funcs]
impl Shape for Square {
    fn area(&self) -> f32 {
        self.0 * self.0
    }

    fn side(self) -> f32 {
        self.0
    }

    fn set(&mut self, to: f32) -> f32 {
        self.0 = to;
        3.0
    }
}

#[qd::funcs]
impl Square {
    fn area(&self) -> f32 {
        1000.0 + self.side()
    }

    fn side(self) -> f32 {
        -self.0
    }

    fn set(&mut self, to: f32) -> f32 {
        self.0 = to + 1.0;
        4.0 + self.twice()
    }
}

#[qd::func]
fn all_of<S: Shape>(mut s: S, to: f32) -> f32 {
    s.area() + s.side() + s.set(to) * s.twice()
}

#[qd::kernel]
fn through_a_bound<S: Shape>(out: &mut [f32], shapes: &[S]) {
    for i in 0..out.len() {
        let mut s = shapes[i];
        out[i] = s.area() + s.side() + s.set(out[i]) + s.twice() + all_of(s, 2.0);
    }
}

#[qd::kernel]
fn on_the_type(out: &mut [f32], shapes: &[Square]) {
    for i in 0..out.len() {
        let mut s = shapes[i];
        out[i] = s.area() + s.side() + s.set(out[i]) + s.twice() + all_of(s, 2.0);
        out[i] += <Square as Shape>::area(&s) + Square::area(&s) + <Square as Shape>::set(&mut s, 2.5) + s.0;
    }
}

#[test]
fn a_method_of_the_type_and_one_of_a_trait_by_one_name() {
    let shapes: Vec<Square> = (0..300).map(|n| Square((hash(n) % 31) as f32)).collect();
    agree(&numbers(), |out| through_a_bound.native(out, &shapes), |out| through_a_bound.try_call(out, &shapes));
    agree(&numbers(), |out| on_the_type.native(out, &shapes), |out| on_the_type.try_call(out, &shapes));
}

/// Methods that vectors have and numbers haven't.
#[qd::funcs]
trait Linear {
    fn dot(self, other: Self) -> f32;
    fn cross(self, other: Self) -> Self;
    fn norm(&self) -> f32;
    fn normalize(self) -> Self;
    fn transpose(self) -> Self;
    fn both(self) -> f32 {
        self.dot(self) + self.norm()
    }
}

#[qd::funcs]
impl Linear for f32 {
    fn dot(self, other: f32) -> f32 {
        self * other + 1.0
    }

    fn cross(self, other: f32) -> f32 {
        self - other
    }

    fn norm(&self) -> f32 {
        self.abs()
    }

    fn normalize(self) -> f32 {
        self.signum()
    }

    fn transpose(self) -> f32 {
        -self
    }
}

#[qd::funcs]
impl Linear for [f32; 2] {
    fn dot(self, other: Self) -> f32 {
        self[0] * other[1] + 1.0
    }

    fn cross(self, other: Self) -> Self {
        [self[1], other[0]]
    }

    fn norm(&self) -> f32 {
        self[0] + self[1]
    }

    fn normalize(self) -> Self {
        [self[0] / 2.0, 1.0]
    }

    fn transpose(self) -> Self {
        [self[1], self[0]]
    }
}

/// A vector's own come before the trait's, where rustc sees that it is a vector.
#[qd::funcs]
impl Linear for Vector<f32, 2> {
    fn dot(self, other: Self) -> f32 {
        self.x - other.y
    }

    fn cross(self, other: Self) -> Self {
        self + other
    }

    fn norm(&self) -> f32 {
        self.x
    }

    fn normalize(self) -> Self {
        self * 3.0
    }

    fn transpose(self) -> Self {
        vec2(self.y, self.x)
    }
}

#[qd::kernel]
fn linear_numbers(x: &mut [f32], v: Vector<f32, 2>, a: [f32; 2]) {
    for i in 0..x.len() {
        let q = x[i];
        x[i] = q.dot(2.0) + q.cross(3.0).norm() + q.normalize() + q.transpose() + x[i].both();
        x[i] +=
            v.dot(v) + v.norm() + v.normalize().x + v.both() + v.transpose().y + a.dot([q, 2.0]) + a.cross(a).norm();
    }
}

#[qd::kernel]
fn linear_of<T: Linear>(x: &mut [f32], t: T) {
    for i in 0..x.len() {
        x[i] = t.dot(t) + t.norm() + t.cross(t).norm() + t.normalize().dot(t) + t.transpose().norm() + t.both();
    }
}

#[test]
fn methods_of_vectors_on_what_is_none() {
    let (v, a) = (vec2(3.0, 4.0), [5.0, 6.0]);
    agree(&numbers(), |x| linear_numbers.native(x, v, a), |x| linear_numbers.try_call(x, v, a));
    agree(&numbers(), |x| linear_of.native(x, 3.0), |x| linear_of.try_call(x, 3.0));
    agree(&numbers(), |x| linear_of.native(x, a), |x| linear_of.try_call(x, a));
    agree(&numbers(), |x| linear_of.native(x, v), |x| linear_of.try_call(x, v));
}

/// Methods that std's numbers have, too: those come first, but not where only the trait is known.
#[qd::funcs]
trait Ring {
    fn max(self, other: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn clamp(self, lo: Self, hi: Self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn floor(&self) -> Self;
    fn chosen(self) -> Self {
        self.max(self.abs()).min(self)
    }
}

#[qd::funcs]
impl Ring for f32 {
    fn max(self, other: Self) -> Self {
        self + 100.0 * other
    }

    fn min(self, other: Self) -> Self {
        self - other
    }

    fn clamp(self, lo: Self, _: Self) -> Self {
        lo
    }

    fn abs(self) -> Self {
        -5.0
    }

    fn sqrt(self) -> Self {
        self + 0.5
    }

    fn floor(&self) -> Self {
        *self * 2.0
    }
}

#[qd::funcs]
impl Ring for i32 {
    fn max(self, other: Self) -> Self {
        self + other
    }

    fn min(self, other: Self) -> Self {
        self - other / 2
    }

    fn clamp(self, lo: Self, hi: Self) -> Self {
        lo + hi
    }

    fn abs(self) -> Self {
        4
    }

    fn sqrt(self) -> Self {
        self / 2
    }

    fn floor(&self) -> Self {
        *self - 7
    }
}

#[qd::funcs]
impl Ring for [i32; 2] {
    fn max(self, other: Self) -> Self {
        [self[0], other[1]]
    }

    fn min(self, other: Self) -> Self {
        other
    }

    fn clamp(self, lo: Self, hi: Self) -> Self {
        [lo[1], hi[0]]
    }

    fn abs(self) -> Self {
        [self[1], self[0]]
    }

    fn sqrt(self) -> Self {
        self
    }

    fn floor(&self) -> Self {
        *self
    }
}

#[qd::funcs]
impl Ring for (i32, bool) {
    fn max(self, other: Self) -> Self {
        (self.0, other.1)
    }

    fn min(self, other: Self) -> Self {
        other
    }

    fn clamp(self, lo: Self, hi: Self) -> Self {
        (lo.0, hi.1)
    }

    fn abs(self) -> Self {
        (self.0 + 1, !self.1)
    }

    fn sqrt(self) -> Self {
        self
    }

    fn floor(&self) -> Self {
        *self
    }
}

#[qd::func]
fn ringed<T: Ring>(x: T, by: &T) -> T {
    x.max(*by).clamp(by.abs(), x).min(x).sqrt().floor()
}

#[qd::kernel]
fn ring_of<T: Ring>(x: &mut [T], by: T) {
    for i in 0..x.len() {
        x[i] = ringed(x[i].chosen().max(x[i]), &by).max(x[i].abs());
    }
}

/// Floats have methods of their own; of integers and arrays rustc takes those by value first, and `sqrt` is the trait's.
#[qd::kernel]
fn ring_of_numbers(x: &mut [f32], n: i32) {
    for i in 0..x.len() {
        let (q, k) = (x[i], i as i32);
        x[i] = q.max(q.abs()).sqrt().floor() + <f32 as Ring>::abs(q) + ringed(q, &2.0).clamp(0.0, 3.0);
        x[i] += (k.sqrt() + k.floor() + n.sqrt() + <i32 as Ring>::max(n, k) + n.chosen()) as f32;
    }
}

#[test]
fn methods_of_numbers_by_the_names_of_std() {
    agree(&numbers(), |x| ring_of.native(x, 3.0), |x| ring_of.try_call(x, 3.0));
    agree(&numbers(), |x| ring_of_numbers.native(x, 3), |x| ring_of_numbers.try_call(x, 3));
    let ints: Vec<i32> = (0..200).map(|n| hash(n) as i32 % 50).collect();
    agree(&ints, |x| ring_of.native(x, -9), |x| ring_of.try_call(x, -9));
    let arrays: Vec<[i32; 2]> = ints.iter().map(|n| [*n, 7 - n]).collect();
    agree(&arrays, |x| ring_of.native(x, [3, 8]), |x| ring_of.try_call(x, [3, 8]));
    let tuples: Vec<(i32, bool)> = ints.iter().map(|n| (*n, n % 3 == 0)).collect();
    agree(&tuples, |x| ring_of.native(x, (3, true)), |x| ring_of.try_call(x, (3, true)));
}

/// It needn't give what std's gives.
#[qd::funcs]
trait Rounded {
    fn ceil(self, up: bool) -> f32;
}

#[qd::funcs]
impl Rounded for i32 {
    fn ceil(self, up: bool) -> f32 {
        if up { self as f32 + 0.5 } else { self as f32 }
    }
}

#[qd::kernel]
fn rounded(x: &mut [f32], n: i32, m: &[i32]) {
    for i in 0..x.len() {
        let half = n.ceil(true);
        x[i] = half + m[i].ceil(i > 3).max(2.5) + (i as i32).ceil(x[i] > 0.0);
    }
}

#[test]
fn methods_of_std_s_names_with_other_signatures() {
    let m: Vec<i32> = (0..300).map(|n| hash(n) as i32 % 9).collect();
    agree(&numbers(), |x| rounded.native(x, 3, &m), |x| rounded.try_call(x, 3, &m));
}

/// By `&`, so that `Ord`'s by value come first, but those of the numbers that have none.
mod by_reference {
    #[qd::funcs]
    pub trait Order {
        fn max(&self, other: Self) -> Self;
        fn abs(&self) -> Self;
        fn lt(&self, other: &Self) -> bool;
    }

    #[qd::funcs]
    impl Order for [i32; 2] {
        fn max(&self, other: Self) -> Self {
            [70 + other[0], 80]
        }

        fn abs(&self) -> Self {
            [self[1], -self[1]]
        }

        fn lt(&self, other: &Self) -> bool {
            self[0] != other[0]
        }
    }

    #[qd::funcs]
    impl Order for i32 {
        fn max(&self, other: Self) -> Self {
            70 + other
        }

        fn abs(&self) -> Self {
            3
        }

        fn lt(&self, other: &Self) -> bool {
            *self != *other
        }
    }
}

mod in_another_module {
    use super::by_reference::Order;

    #[qd::kernel]
    pub fn of_types(x: &mut [i32], b: [i32; 2]) {
        for i in 0..x.len() {
            x[i] = b.max([5, 1])[0] + x[i].max(50) + b.abs()[1] + x[i].abs();
        }
    }

    #[qd::kernel]
    pub fn of_a_parameter<T: Order>(x: &mut [T], b: T) {
        for i in 0..x.len() {
            if x[i].lt(&b) {
                x[i] = b.max(x[i]).abs();
            }
        }
    }
}

#[test]
fn methods_by_reference_behind_those_of_ord() {
    use in_another_module::{of_a_parameter, of_types};
    let ints: Vec<i32> = (0..200).map(|n| hash(n) as i32 % 50).collect();
    agree(&ints, |x| of_types.native(x, [3, 9]), |x| of_types.try_call(x, [3, 9]));
    agree(&ints, |x| of_a_parameter.native(x, 9), |x| of_a_parameter.try_call(x, 9));
    let arrays: Vec<[i32; 2]> = ints.iter().map(|n| [*n, 7 - n]).collect();
    agree(&arrays, |x| of_a_parameter.native(x, [3, 8]), |x| of_a_parameter.try_call(x, [3, 8]));
}

/// What such a method gives isn't what the race rule would calculate.
#[qd::funcs]
trait Place {
    fn min(self, i: usize) -> usize;
    fn max(self, i: usize) -> usize;
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Half;

#[qd::funcs]
impl Place for Half {
    fn min(self, i: usize) -> usize {
        i / 2
    }

    fn max(self, i: usize) -> usize {
        2 * i
    }
}

#[qd::kernel]
fn at_its_place<T: Place>(x: &mut [i32], t: T) {
    for i in 0..x.len() {
        x[t.min(i)] = 3;
    }
}

#[qd::kernel]
fn reads_its_place<T: Place>(x: &mut [i32], y: &[i32], t: T) {
    for i in 0..x.len() {
        x[i] = y[t.max(i)] + t.min(i).max(3) as i32;
    }
}

#[test]
fn a_method_that_is_an_index() {
    let error = at_its_place.try_call(&mut [0; 4], Half).unwrap_err().to_string();
    assert!(error.contains("[QD0026]"), "{error}");
    let y: Vec<i32> = (0..20).collect();
    agree(&[0; 10], |x| reads_its_place.native(x, &y, Half), |x| reads_its_place.try_call(x, &y, Half));
}
