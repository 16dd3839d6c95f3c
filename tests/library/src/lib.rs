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

/// Adds to what it is lent.
#[kernels::func(crate = kernels)]
pub fn add_to(v: &mut i32, by: i32) {
    *v += by;
}
