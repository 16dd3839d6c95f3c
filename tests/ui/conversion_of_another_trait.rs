//! Conversions by the names of qd's, of traits that kernels don't know.
mod scaled {
    pub trait Cast {
        fn cast(self) -> f32;
    }

    impl Cast for i32 {
        fn cast(self) -> f32 {
            0.5
        }
    }

    pub trait Wide {
        fn to_f32(self) -> f32;
    }

    impl Wide for u8 {
        fn to_f32(self) -> f32 {
            f32::from(self) / 255.0
        }
    }
}
use scaled::{Cast, Wide};

#[qd::kernel]
fn converted(out: &mut [f32], x: &[i32], bytes: &[u8]) {
    for i in 0..out.len() {
        out[i] = x[i].cast() + bytes[i].to_f32();
    }
}

fn main() {}
