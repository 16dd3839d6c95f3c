//! Traits of kernels: methods, constants and associated functions through type parameters, provided methods, supertraits,
//! and which of several methods of a name is meant.
use qd::prelude::*;
use qd::{Float, Number};
use qd_library::{Measured, twofold};

use crate::support::{Engines, hash};

#[qd::funcs]
trait Named {
    const CODE: u32;
}

#[qd::funcs]
trait Shape: Named {
    const SIDES: u32;
    type Unit: qd::Data;

    fn area(&self) -> f32;

    fn new(size: f32) -> Self;

    fn grow(&mut self, by: f32) -> bool {
        *self = Self::new(self.area() + by);
        self.area() > 10.0
    }

    /// Calls a method that the type has, a provided one, and names its constants.
    fn twice(&self) -> f32 {
        let mut bigger = *self;
        if bigger.grow(Self::SIDES as f32) { 2.0 * bigger.area() } else { self.area() + Self::CODE as f32 }
    }

    fn moved(self, by: &mut f32) -> Self {
        *by += self.area();
        Self::new(*by)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Square(f32);

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Disc<T> {
    radius: T,
}

#[qd::funcs]
impl Named for Square {
    const CODE: u32 = 7;
}

#[qd::funcs]
impl<T: Float> Named for Disc<T> {
    const CODE: u32 = 9;
}

#[qd::funcs]
impl Shape for Square {
    const SIDES: u32 = 4;
    type Unit = f32;

    fn area(&self) -> f32 {
        self.0 * self.0
    }

    fn new(size: f32) -> Self {
        Square(size)
    }

    fn twice(&self) -> f32 {
        self.area() - 1.0
    }
}

#[qd::funcs]
impl<T: Float> Shape for Disc<T> {
    const SIDES: u32 = 0;
    type Unit = T;

    fn area(&self) -> f32 {
        (self.radius * self.radius * T::PI).cast::<f32>()
    }

    fn new(size: f32) -> Self {
        Disc { radius: T::from(size) }
    }
}

/// Of a number, which is no type of this crate.
#[qd::funcs]
impl Named for f32 {
    const CODE: u32 = 1;
}

#[qd::funcs]
impl Shape for f32 {
    const SIDES: u32 = 1;
    type Unit = f32;

    fn area(&self) -> f32 {
        *self + 0.25
    }

    fn new(size: f32) -> Self {
        size / 2.0
    }
}

#[qd::func]
fn of_both<A: Shape, B: Shape>(a: A, b: &B) -> f32 {
    a.area() + B::area(b) * <A as Named>::CODE as f32 + <B as Shape>::new(2.0).twice()
}

#[qd::func]
fn unit<T>(size: f32) -> T
where
    T: Shape,
{
    let mut made = T::new(size);
    made.grow(0.5);
    made
}

#[qd::kernel]
fn measure<T: Shape>(shapes: &mut [T], others: &[Square], out: &mut [f32]) -> f32 {
    for i in 0..shapes.len() {
        let mut by = i as f32;
        shapes[i] = shapes[i].moved(&mut by);
        out[i] = of_both(shapes[i], &others[i]) + of_both(others[i], &shapes[i]) + by;
        if shapes[i].grow(1.0) {
            out[i] += shapes[i].twice() + T::SIDES as f32;
        }
    }
    unit::<T>(3.0).area() + T::CODE as f32
}

fn check<T: Shape + std::fmt::Debug + PartialEq>(make: impl Fn(f32) -> T) {
    let number = |n: usize| (hash(n as u64) % 97) as f32 / 16.0;
    let others: Vec<Square> = (0..200).map(|i| Square(number(i + 1000))).collect();
    let shapes: Vec<T> = (0..200).map(|i| make(number(i))).collect();
    let (mut want, mut want_out) = (shapes.clone(), vec![0.0; 200]);
    let result = measure.native(&mut want, &others, &mut want_out);
    for engine in &Engines::new().all {
        let (mut got, mut out) = (shapes.clone(), vec![0.0; 200]);
        let found = engine.runtime.scope(|| measure(&mut got, &others, &mut out));
        assert_eq!(found, result, "{}", engine.name);
        for i in 0..200 {
            assert_eq!((got[i], out[i]), (want[i], want_out[i]), "{i}, {}", engine.name);
        }
    }
}

#[test]
fn methods_through_type_parameters_agree() {
    check(Square);
    check(|radius| Disc { radius });
    check(|radius| Disc { radius: radius as f64 });
    check(|v: f32| v);
}

/// A trait with parameters, implemented for all numbers at once, and a method with parameters of its own.
#[qd::funcs]
trait Scaled<By: Number> {
    fn scaled(self, by: By) -> Self;
    fn stepped<const N: usize, U: Number>(&self, by: U) -> f64;
}

#[qd::funcs]
impl<T: Number> Scaled<T> for T {
    fn scaled(self, by: T) -> T {
        self * by
    }
    fn stepped<const N: usize, U: Number>(&self, by: U) -> f64 {
        let mut sum = self.cast::<f64>();
        for _ in 0..N {
            sum += by.cast::<f64>();
        }
        sum
    }
}

#[qd::funcs]
impl Scaled<u8> for Square {
    fn scaled(self, by: u8) -> Self {
        Square(self.0 * by as f32)
    }
    fn stepped<const N: usize, U: Number>(&self, by: U) -> f64 {
        self.0 as f64 - by.cast::<f64>() * N as f64
    }
}

#[qd::func]
fn rescaled<B: Number, T: Scaled<B>>(v: T, by: B) -> T {
    v.scaled(by).scaled(B::ONE + B::ONE)
}

#[qd::kernel]
fn scale(x: &mut [i32], squares: &mut [Square], y: &[f64], out: &mut [f64]) {
    for i in 0..x.len() {
        x[i] = rescaled(x[i], 3);
        squares[i] = rescaled(squares[i], 2u8);
        out[i] = rescaled(y[i], 0.5) + x[i].stepped::<3, u8>(7) + y[i].stepped::<2, _>(i as f32);
        out[i] += squares[i].stepped::<5, i16>(-2);
    }
}

#[test]
fn traits_with_parameters_agree() {
    let y: Vec<f64> = (0..50).map(|i| i as f64 * 1.5 - 9.0).collect();
    let start = (vec![5, -7, 11].repeat(20)[..50].to_vec(), vec![Square(1.5); 50]);
    let (mut want, mut want_out) = (start.clone(), vec![0.0; 50]);
    scale.native(&mut want.0, &mut want.1, &y, &mut want_out);
    for engine in &Engines::new().all {
        let (mut got, mut out) = (start.clone(), vec![0.0; 50]);
        engine.runtime.scope(|| scale(&mut got.0, &mut got.1, &y, &mut out));
        assert_eq!((&got, &out), (&want, &want_out), "{}", engine.name);
    }
}

/// Of another crate, and of a type of this one.
mod extents {
    use qd_library::Extent;

    #[qd::funcs]
    impl Extent for super::Square {
        const SIDES: u32 = 4;

        fn area(&self) -> f32 {
            self.0 * 10.0
        }
    }
}

#[qd::kernel]
fn foreign(out: &mut [f32], squares: &[Square], measured: &[Measured]) {
    for i in 0..out.len() {
        out[i] = twofold(squares[i]) + twofold(measured[i]) + qd_library::Extent::area(&squares[i]);
        use qd_library::Extent;
        out[i] += measured[i].with(Measured { value: 1.0, error: 2.0 }) + Shape::area(&squares[i]);
        out[i] += <Measured as Extent>::area(&measured[i]);
    }
}

#[test]
fn traits_of_another_crate_agree() {
    let squares: Vec<Square> = (0..40).map(|i| Square(i as f32)).collect();
    let measured: Vec<Measured> = (0..40).map(|i| Measured { value: i as f32, error: 0.5 }).collect();
    let mut want = vec![0.0; 40];
    foreign.native(&mut want, &squares, &measured);
    for engine in &Engines::new().all {
        let mut got = vec![0.0; 40];
        engine.runtime.scope(|| foreign(&mut got, &squares, &measured));
        assert_eq!(got, want, "{}", engine.name);
    }
}

/// Two traits with a method of one name, of one type: in each module the one that is in scope is meant.
mod two {
    #[qd::funcs]
    pub trait First {
        fn pick(&self) -> u32;
    }
    #[qd::funcs]
    pub trait Second {
        fn pick(&self) -> u32;
        fn by_value(self) -> u32;
    }
    #[derive(Clone, Copy, qd::Data)]
    pub struct P(pub u32);

    mod first {
        #[qd::funcs]
        impl super::First for super::P {
            fn pick(&self) -> u32 {
                self.0 + 1
            }
        }
    }
    mod second {
        #[qd::funcs]
        impl super::Second for super::P {
            fn pick(&self) -> u32 {
                self.0 + 2
            }
            fn by_value(self) -> u32 {
                self.0 + 3
            }
        }
    }

    /// By `&`, so the trait's that takes by value comes first.
    #[qd::funcs]
    impl P {
        pub fn by_value(&self) -> u32 {
            self.0 + 4
        }
        pub fn as_self(self) -> u32 {
            Self::by_value(&self) + Same::by_value(&self)
        }
    }
    type Same = P;

    pub mod uses_first {
        use super::{First, P};
        #[qd::kernel]
        pub fn kernel(out: &mut [u32], x: &[P]) {
            for i in 0..out.len() {
                out[i] = x[i].pick() + 100 * x[i].by_value() + 10_000 * x[i].as_self();
            }
        }
    }
    pub mod uses_second {
        use super::{P, Second as Other};
        #[qd::kernel]
        pub fn kernel(out: &mut [u32], x: &[P]) {
            for i in 0..out.len() {
                out[i] = x[i].pick() + 100 * Other::by_value(x[i]) + 10_000 * x[i].as_self();
                out[i] += 1_000_000 * super::First::pick(&x[i]) + 10_000_000 * <P as Other>::pick(&x[i]);
            }
        }
    }
    pub mod uses_inside {
        use super::P;
        #[qd::kernel]
        pub fn kernel(out: &mut [u32], x: &[P]) {
            for i in 0..out.len() {
                out[i] = if i % 2 == 0 {
                    use super::First;
                    x[i].pick()
                } else {
                    use super::Second as _;
                    x[i].pick()
                };
            }
        }
    }
}

#[test]
fn the_method_meant_is_the_one_in_scope() {
    for engine in &Engines::new().all {
        let (x, mut out) = ([two::P(0), two::P(0)], [0; 2]);
        engine.runtime.scope(|| two::uses_first::kernel(&mut out, &x));
        assert_eq!(out, [80_401; 2]);
        engine.runtime.scope(|| two::uses_second::kernel(&mut out, &x));
        assert_eq!(out, [21_080_302; 2]);
        two::uses_second::kernel.native(&mut out, &x);
        assert_eq!(out, [21_080_302; 2]);
        engine.runtime.scope(|| two::uses_inside::kernel(&mut out, &x));
        assert_eq!(out, [1, 2]);
    }
}
