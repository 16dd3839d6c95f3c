//! `From` between [`Vector`], [`Matrix`] and the types of the crate nalgebra, with the feature `nalgebra`.
//!
//! A conversion keeps the mathematical object: nalgebra's matrices lie column by column, ours row by row, so elements
//! change places.
use ::nalgebra::{self, Point, SMatrix, SVector};

use super::{Matrix, Vector};

impl<T: nalgebra::Scalar + Copy, const N: usize> From<SVector<T, N>> for Vector<T, N> {
    #[inline]
    fn from(vector: SVector<T, N>) -> Self {
        Vector(vector.into())
    }
}

impl<T: nalgebra::Scalar + Copy, const N: usize> From<Vector<T, N>> for SVector<T, N> {
    #[inline]
    fn from(vector: Vector<T, N>) -> Self {
        vector.0.into()
    }
}

impl<T: nalgebra::Scalar + Copy, const N: usize> From<Point<T, N>> for Vector<T, N> {
    #[inline]
    fn from(point: Point<T, N>) -> Self {
        point.coords.into()
    }
}

impl<T: nalgebra::Scalar + Copy, const N: usize> From<Vector<T, N>> for Point<T, N> {
    #[inline]
    fn from(vector: Vector<T, N>) -> Self {
        SVector::from(vector).into()
    }
}

impl<T: nalgebra::Scalar + Copy, const R: usize, const C: usize> From<SMatrix<T, R, C>> for Matrix<T, R, C> {
    #[inline]
    fn from(matrix: SMatrix<T, R, C>) -> Self {
        Matrix(std::array::from_fn(|r| Vector(std::array::from_fn(|c| matrix[(r, c)]))))
    }
}

impl<T: nalgebra::Scalar + Copy, const R: usize, const C: usize> From<Matrix<T, R, C>> for SMatrix<T, R, C> {
    #[inline]
    fn from(matrix: Matrix<T, R, C>) -> Self {
        SMatrix::from_fn(|r, c| matrix[[r, c]])
    }
}
