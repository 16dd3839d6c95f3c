//! Functions of one's own types by the names of the language's own, called by a path; conversions; traits that a type has
//! several times.
use qd::Float;
use qd::prelude::*;

use crate::support::Engines;

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Pair {
    a: f32,
    b: f32,
}

#[qd::funcs]
impl Pair {
    fn zero() -> Pair {
        Pair { a: 0.25, b: 0.5 }
    }

    fn splat(value: f32) -> Pair {
        Pair { a: value, b: value + 1.0 }
    }

    fn dot(self, other: Pair) -> f32 {
        self.a * other.a + self.b * other.b
    }

    fn abs(self) -> Pair {
        Pair { a: self.a.abs(), b: 1.0 - self.b.abs() }
    }

    fn max(&self, other: &Pair) -> Pair {
        Pair { a: self.a.max(other.a), b: self.b.max(other.b) - 1.0 }
    }

    /// By the name of a method, and none.
    fn round(value: f32) -> Pair {
        Pair { a: value.round(), b: value.floor() }
    }

    /// Gives another type than its own.
    fn sqrt(value: f32) -> u32 {
        value.abs().sqrt() as u32
    }
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Of<T> {
    a: T,
    b: T,
}

#[qd::funcs]
impl<T: Float> Of<T> {
    fn zero() -> Of<T> {
        Of { a: T::ONE, b: T::ZERO }
    }

    fn splat(value: T) -> Self {
        Self { a: value, b: T::sqrt(T::abs(value)) }
    }

    fn max(self, other: Of<T>) -> T {
        T::max(self.a.max(other.a), self.b + other.b)
    }
}

type Real = f32;

#[qd::kernel]
fn by_path(x: &mut [Pair]) {
    for i in 0..x.len() {
        x[i].a += Pair::dot(x[i], Pair::zero());
        x[i] = Pair::max(&Pair::abs(x[i]), &Pair::splat(Real::max(0.5, Real::sqrt(x[i].b.abs()))));
        x[i].b += Pair::round(x[i].a * 3.3).b + Pair::sqrt(x[i].a) as f32;
    }
    for i in 0..x.len() {
        let of = Of::splat(x[i].a);
        x[i].a += Of::max(of, Of::zero()) + <Of<f64>>::max(Of::splat(2.0), Of::<f64>::zero()) as f32;
        let v = Vector::<f32, 3>::splat(x[i].b) + Vector::zero();
        x[i].b -= Vector::dot(v, Vector::abs(v)) - Vector::norm(Vector::cross(v, Vector::from([1.0, 2.0, 3.0])));
        x[i].a += Matrix::determinant(Matrix::<f32, 2, 2>::identity() + Matrix::zero()) + Vector::outer(v, v)[[0, 1]];
    }
}

#[qd::funcs]
trait Numeric {
    const WORDS: f32;

    fn zero() -> Self;

    fn abs(self) -> Self;

    fn min(a: Self, b: Self) -> Self;
}

#[qd::funcs]
impl Numeric for Pair {
    const WORDS: f32 = 3.0;

    fn zero() -> Pair {
        Pair { a: 7.0, b: 8.5 }
    }

    fn abs(self) -> Pair {
        Pair { a: 1.0, b: 2.0 }
    }

    fn min(a: Pair, b: Pair) -> Pair {
        if a.a < b.a { a } else { b }
    }
}

#[qd::funcs]
impl Numeric for f32 {
    const WORDS: f32 = 4.0;

    fn zero() -> f32 {
        1.25
    }

    fn abs(self) -> f32 {
        77.0
    }

    fn min(a: f32, b: f32) -> f32 {
        a + b
    }
}

/// The parameter's functions are the trait's.
#[qd::func]
fn generic<T: Numeric>(value: T) -> T {
    T::min(T::abs(value), T::zero())
}

/// A number besides.
#[qd::func]
fn numeric<T: qd::Number + Numeric>(value: T) -> T {
    value + T::zero()
}

#[qd::kernel]
fn of_traits(x: &mut [Pair]) {
    for i in 0..x.len() {
        // What the type itself has comes first; f32 has its own `abs` and `min`, and the trait's `zero`.
        x[i] = Pair::min(x[i], generic(Pair::abs(Pair::zero())));
        x[i].a += generic(x[i].b) + f32::abs(-3.0) + f32::min(4.0, 5.0) + f32::zero() + Real::zero();
        x[i].b += numeric(x[i].a) + Pair::WORDS + <f32 as Numeric>::abs(1.0) + Numeric::min(x[i].a, 2.0);
    }
}

#[qd::funcs]
impl From<f32> for Pair {
    fn from(value: f32) -> Pair {
        Pair { a: value * 2.0, b: -value }
    }
}

#[qd::funcs]
impl From<[f32; 2]> for Pair {
    fn from(value: [f32; 2]) -> Self {
        Pair { a: value[1], b: value[0] }
    }
}

#[qd::funcs]
impl From<Pair> for f32 {
    fn from(pair: Pair) -> f32 {
        pair.a + 0.25
    }
}

#[qd::funcs]
impl From<Pair> for usize {
    fn from(pair: Pair) -> usize {
        pair.a.abs() as usize % 3
    }
}

#[qd::funcs]
impl<T: Float> From<T> for Of<T> {
    fn from(value: T) -> Of<T> {
        Of { a: value, b: value + T::ONE }
    }
}

#[qd::func]
fn converted<T: qd::Data + From<f32>>(value: f32) -> T {
    T::from(value)
}

#[qd::func]
fn sum_of<T: qd::Data + Into<f32>, U: qd::Data>(first: T, second: U) -> f32
where
    U: Into<f32>,
{
    let second: f32 = second.into();
    first.into() + second
}

#[qd::kernel]
fn conversions(x: &mut [Pair], y: &mut [f32]) {
    for i in 0..x.len() {
        let pair: Pair = [x[i].a, 1.0].into();
        let of = Of::from(pair.b);
        let wide: Of<f64> = Of::from(2.0);
        x[i] = Pair::from(f32::from(x[i]) + pair.a + of.b);
        let number: f32 = x[i].into();
        let double: f64 = number.into();
        let from_generic: Pair = converted(number);
        y[i] = number + wide.b as f32 + from_generic.a + f32::from(3u8) + double as f32 + f32::from(Pair::from(1.0));
        y[i] += (usize::from(x[i]) + usize::from(pair)) as f32;
        let v = Vector::from([number, 2.0]);
        let array: [f32; 2] = v.into();
        let again: Pair = array.into();
        y[i] += sum_of(again, 3u8) + sum_of(number, x[i]);
        y[i] += again.b + [x[i], again].iter().map(|p| f32::from(*p)).fold(0.0, |sum, v| sum + v);
    }
}

/// What a conversion gives chooses elements.
#[qd::kernel]
fn chosen(x: &[Pair], y: &mut [f32]) {
    for i in 0..x.len() {
        let at = usize::from(x[i]);
        y[i] = x[at.min(x.len() - 1)].b + x[usize::from(x[i]) % x.len()].a;
    }
}

#[qd::funcs]
trait Mix<R> {
    type Out: qd::Number;

    fn mix(self, with: R) -> f32;

    fn made(of: R) -> Self;

    fn given(self) -> R;

    fn area(&self) -> Self::Out;
}

#[qd::funcs]
impl Mix<f32> for Pair {
    type Out = f32;

    fn mix(self, with: f32) -> f32 {
        self.a * with
    }

    fn made(of: f32) -> Pair {
        Pair { a: of, b: of }
    }

    fn given(self) -> f32 {
        self.a
    }

    fn area(&self) -> f32 {
        self.a
    }
}

#[qd::funcs]
impl Mix<i32> for Pair {
    type Out = u64;

    fn mix(self, with: i32) -> f32 {
        self.b * with as f32
    }

    fn made(of: i32) -> Pair {
        Pair { a: 1.0, b: of as f32 + 2.0 }
    }

    fn given(self) -> i32 {
        self.b as i32
    }

    fn area(&self) -> u64 {
        17
    }
}

#[qd::funcs]
impl<T: Float> Mix<T> for Of<T> {
    type Out = T;

    fn mix(self, with: T) -> f32 {
        if self.a < with { 1.0 } else { 2.0 }
    }

    fn made(of: T) -> Of<T> {
        Of { a: of, b: T::ZERO }
    }

    fn given(self) -> T {
        self.b
    }

    fn area(&self) -> T {
        self.a + self.b
    }
}

#[qd::func]
fn area<R: qd::Data, T: Mix<R, Out = f32>>(of: T) -> f32 {
    of.area()
}

#[qd::func]
fn own_area<R: qd::Data, T: Mix<R>>(of: T) -> T::Out {
    of.area()
}

#[qd::kernel]
fn several_times(x: &mut [Pair]) {
    for i in 0..x.len() {
        x[i].a = x[i].mix(2) + x[i].mix(2.0f32);
        x[i].b = Pair::made(3).b + Pair::made(4.5f32).a + Of::made(x[i].a).mix(2.0);
        let whole: i32 = x[i].given();
        let part: f32 = x[i].given();
        x[i].a += whole as f32 - part / 3.0;
        x[i].b += area::<f32, _>(x[i]) + own_area::<i32, _>(x[i]) as f32 + own_area(Of::<f32>::made(x[i].b));
        x[i].a += <Pair as Mix<f32>>::area(&x[i]) * 0.5;
    }
}

fn pairs(n: usize) -> Vec<Pair> {
    (0..n).map(|i| Pair { a: i as f32 * 0.75 - 4.0, b: 2.0 - 0.1 * i as f32 }).collect()
}

macro_rules! as_natively {
    ($($test:ident: $kernel:ident;)*) => { $(
        #[test]
        fn $test() {
            for n in [0, 1, 33] {
                let (start, mut native) = (pairs(n), pairs(n));
                $kernel.native(&mut native);
                for engine in &Engines::new().all {
                    let mut got = start.clone();
                    engine.runtime.scope(|| $kernel(&mut got));
                    assert_eq!(got, native, "{}", engine.name);
                }
            }
        }
    )* };
}
as_natively! {
    a_path_means_the_function_of_the_type: by_path;
    a_path_means_the_function_of_the_trait: of_traits;
    a_type_has_a_trait_several_times: several_times;
}

#[test]
fn conversions_are_those_of_the_type() {
    let (mut native, mut numbers) = (pairs(33), [0.0; 33]);
    conversions.native(&mut native, &mut numbers);
    let mut chosen_numbers = [0.0; 33];
    chosen.native(&native, &mut chosen_numbers);
    for engine in &Engines::new().all {
        let (mut got, mut y) = (pairs(33), [0.0; 33]);
        engine.runtime.scope(|| conversions(&mut got, &mut y));
        assert_eq!((&got, y), (&native, numbers), "{}", engine.name);
        engine.runtime.scope(|| chosen(&got, &mut y));
        assert_eq!(y, chosen_numbers, "{}", engine.name);
    }
}
