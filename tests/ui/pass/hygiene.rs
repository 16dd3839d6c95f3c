// Names around a kernel that must not get in its way, under denied warnings.
#![deny(warnings)]
#![no_implicit_prelude]

mod blur {
    /// Has docs and a deprecated neighbour.
    #[::qd::kernel]
    #[must_use]
    pub(crate) fn blur(x: &mut ::qd::NdArray<f32>, blur: f32) -> f32 {
        for i in x.indices() {
            x[i] *= blur;
        }
        let blur = blur + 1.0;
        blur
    }
}

macro_rules! scale {
    ($name:ident, $ty:ty, $factor:expr) => {
        #[::qd::kernel]
        fn $name(x: &mut ::qd::NdArray<$ty>) {
            let factor = $factor;
            for i in 0..x.len() {
                let v = x[i];
                x[i] = v * factor;
            }
        }
    };
}
scale!(scale_f32, f32, 2.0);
scale!(scale_u8, u8, 2);

#[::qd::kernel]
fn lifetimes<'a, 'b: 'a>(x: &'a mut [f32], y: &'b [f32]) {
    for i in 0..x.len() {
        x[i] = y[i];
    }
}

mod facade {
    pub use ::qd as renamed;
}

fn main() {
    #[::qd::kernel(crate = crate::facade::renamed)]
    fn sum(x: &[f32]) -> f32 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i];
        }
        sum
    }
    let mut x = ::qd::NdArray::from_slice(&[1.0f32, 2.0]);
    let sum: fn(&[f32]) -> f32 = sum;
    let _ = (sum, &mut x, blur::blur, scale_f32, scale_u8, lifetimes);
}
