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

/// Adds to what it is lent.
#[kernels::func(crate = kernels)]
pub fn add_to(v: &mut i32, by: i32) {
    *v += by;
}
