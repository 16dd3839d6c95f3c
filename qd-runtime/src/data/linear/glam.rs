//! `From` between [`Vector`], [`Matrix`] and the types of the crate glam, with the feature `glam`.
//!
//! A conversion keeps the mathematical object: glam's matrices are columns, ours are rows, so elements change places.
use ::glam;

use super::{Matrix, Vector};

macro_rules! vectors {
    ($($theirs:ident $ty:ident $n:literal;)*) => { $(
        impl From<glam::$theirs> for Vector<$ty, $n> {
            #[inline]
            fn from(vector: glam::$theirs) -> Self {
                Vector(vector.into())
            }
        }
        impl From<Vector<$ty, $n>> for glam::$theirs {
            #[inline]
            fn from(vector: Vector<$ty, $n>) -> Self {
                glam::$theirs::from_array(vector.0)
            }
        }
    )* };
}
vectors! {
    Vec2 f32 2; Vec3 f32 3; Vec3A f32 3; Vec4 f32 4;
    DVec2 f64 2; DVec3 f64 3; DVec4 f64 4;
    I8Vec2 i8 2; I8Vec3 i8 3; I8Vec4 i8 4;
    U8Vec2 u8 2; U8Vec3 u8 3; U8Vec4 u8 4;
    I16Vec2 i16 2; I16Vec3 i16 3; I16Vec4 i16 4;
    U16Vec2 u16 2; U16Vec3 u16 3; U16Vec4 u16 4;
    IVec2 i32 2; IVec3 i32 3; IVec4 i32 4;
    UVec2 u32 2; UVec3 u32 3; UVec4 u32 4;
    I64Vec2 i64 2; I64Vec3 i64 3; I64Vec4 i64 4;
    U64Vec2 u64 2; U64Vec3 u64 3; U64Vec4 u64 4;
    ISizeVec2 isize 2; ISizeVec3 isize 3; ISizeVec4 isize 4;
    USizeVec2 usize 2; USizeVec3 usize 3; USizeVec4 usize 4;
    BVec2 bool 2; BVec3 bool 3; BVec4 bool 4;
}

macro_rules! matrices {
    ($($theirs:ident $ty:ident $n:literal;)*) => { $(
        impl From<glam::$theirs> for Matrix<$ty, $n, $n> {
            #[inline]
            fn from(matrix: glam::$theirs) -> Self {
                Matrix::from(matrix.to_cols_array_2d()).transpose()
            }
        }
        impl From<Matrix<$ty, $n, $n>> for glam::$theirs {
            #[inline]
            fn from(matrix: Matrix<$ty, $n, $n>) -> Self {
                glam::$theirs::from_cols_array_2d(&matrix.transpose().into())
            }
        }
    )* };
}
matrices! {
    Mat2 f32 2; Mat3 f32 3; Mat3A f32 3; Mat4 f32 4;
    DMat2 f64 2; DMat3 f64 3; DMat4 f64 4;
}
