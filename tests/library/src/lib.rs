//! A library of functions for kernels: the other crate of `tests/functions.rs`. It knows `qd` by another name.

/// Functions over pairs.
pub mod vectors {
    /// The scalar product.
    #[kernels::func(crate = kernels)]
    pub fn dot(a: (f32, f32), b: (f32, f32)) -> f32 {
        a.0 * b.0 + a.1 * b.1
    }

    /// The length.
    #[kernels::func(crate = kernels)]
    pub fn norm(v: (f32, f32)) -> f32 {
        dot(v, v).sqrt()
    }
}

/// An element.
#[kernels::func(crate = kernels)]
pub fn again(x: &[f32], i: usize) -> f32 {
    x[i]
}

mod hidden {
    /// The `N`th power.
    #[kernels::func(crate = kernels)]
    pub fn power<const N: u32>(v: u32) -> u32 {
        let mut out = 1u32;
        for _ in 0..N {
            out = out.wrapping_mul(v);
        }
        out
    }
}
pub use hidden::power;

/// Between two values.
#[kernels::func(crate = kernels)]
pub fn between<T: kernels::Float, const STEPS: u32>(a: T, b: T, step: u32) -> T {
    a + (b - a) * T::from(step as f32) / T::from(STEPS as f32)
}

/// A generic kernel of a library.
#[kernels::kernel(crate = kernels)]
pub fn ramp<T: kernels::Float>(out: &mut [T], end: T) {
    for i in 0..out.len() {
        out[i] = between::<T, 4>(T::ZERO, end, i as u32);
    }
}

/// A number with an error.
#[derive(Debug, Clone, Copy, PartialEq, kernels::Data)]
#[qd(crate = kernels)]
pub struct Measured {
    /// The value.
    pub value: f32,
    /// The error.
    pub error: f32,
}

#[kernels::funcs(crate = kernels)]
impl Measured {
    /// Without an error.
    pub fn exact(value: f32) -> Self {
        Measured { value, error: 0.0 }
    }

    /// Both.
    pub fn plus(self, other: Measured) -> Measured {
        Measured { value: self.value + other.value, error: self.error.hypot(other.error) }
    }

    /// The part of that number.
    pub fn nth(&self, parts: &[f32], n: usize) -> f32 {
        self.value * parts[n]
    }
}

#[kernels::funcs(crate = kernels)]
impl std::ops::Add for Measured {
    type Output = Measured;

    fn add(self, other: Measured) -> Self::Output {
        self.plus(other)
    }
}

/// A sum of anything that has one.
#[kernels::func(crate = kernels)]
pub fn sum_of<T: kernels::Data + std::ops::Add<Output = T>>(a: T, b: T) -> T {
    a + b + b
}

/// Adds to what it is lent.
#[kernels::func(crate = kernels)]
pub fn add_to(v: &mut i32, by: i32) {
    *v += by;
}

/// What has a size.
#[kernels::funcs(crate = kernels)]
pub trait Extent {
    /// How many sides.
    const SIDES: u32;

    /// The area.
    fn area(&self) -> f32;

    /// Of both together.
    fn with(self, other: Self) -> f32 {
        self.area() + other.area() * Self::SIDES as f32
    }
}

#[kernels::funcs(crate = kernels)]
impl Extent for Measured {
    const SIDES: u32 = 3;

    fn area(&self) -> f32 {
        self.value * self.error
    }
}

/// Through the trait.
#[kernels::func(crate = kernels)]
pub fn twofold<T: Extent>(v: T) -> f32 {
    v.with(v)
}

/// A bundle whose fields only this crate sees.
#[derive(kernels::Bundle)]
#[qd(crate = kernels)]
pub struct Tally<'a> {
    counts: &'a mut [u32],
    total: u64,
}

impl<'a> Tally<'a> {
    /// Nothing counted yet.
    pub fn new(counts: &'a mut [u32]) -> Self {
        Tally { counts, total: 0 }
    }

    /// What was counted.
    pub fn total(&self) -> u64 {
        self.total
    }
}

/// Counts one more of each.
#[kernels::func(crate = kernels)]
pub fn count_all(tally: &mut Tally) {
    for i in 0..tally.counts.len() {
        tally.counts[i] += 1;
        tally.total += 1;
    }
}

/// The same, as a kernel.
#[kernels::kernel(crate = kernels)]
pub fn count_each(tally: &mut Tally) {
    for i in 0..tally.counts.len() {
        tally.counts[i] += 1;
        tally.total += 1;
    }
}
