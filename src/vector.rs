//! Short ways to write vectors, in kernels as outside.
use crate::{Scalar, Vector, func};

/// `Vector::from([x, y])`
#[func(crate = crate)]
pub fn vec2<T: Scalar>(x: T, y: T) -> Vector<T, 2> {
    Vector::from([x, y])
}

/// `Vector::from([x, y, z])`
#[func(crate = crate)]
pub fn vec3<T: Scalar>(x: T, y: T, z: T) -> Vector<T, 3> {
    Vector::from([x, y, z])
}

/// `Vector::from([x, y, z, w])`
#[func(crate = crate)]
pub fn vec4<T: Scalar>(x: T, y: T, z: T, w: T) -> Vector<T, 4> {
    Vector::from([x, y, z, w])
}
