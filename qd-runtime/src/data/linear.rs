//! [`Vector`] and [`Matrix`]: small, of a length known at compile time, values like any other.
//!
//! What their methods compute, operation by operation, is written in [`qd_ir::linear`]; here it runs on numbers, in
//! kernels it becomes statements, and the bits are the same. Operators work component by component.
#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "nalgebra")]
mod nalgebra;

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Deref, DerefMut, Div, DivAssign, Index, IndexMut, Mul, MulAssign, Neg, Sub, SubAssign};

use bytemuck::{Pod, Zeroable};
use half::{bf16, f16};
use qd_ir::linear::{self, Arithmetic, LARGEST, Roots};
use qd_ir::types::{self, Type};

use super::element::{Data, Erase, Scalar};
use super::number::{Float, Number};
use super::presumed::{self, ByPath};

/// `N` numbers: a point, a velocity, a colour.
///
/// Components are `v[k]`, and up to four of them `v.x`, `v.y`, `v.z`, `v.w`.
///
/// ```
/// # use qd_runtime::data::Vector;
/// let mut v = Vector::from([1.0f32, 2.0, 2.0]);
/// v.x *= 2.0;
/// assert_eq!(v + v, v * 2.0);
/// assert_eq!(v.dot(Vector::splat(1.0)), v.x + v.y + v[2]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Vector<T, const N: usize>([T; N]);

/// `R` rows of `C` numbers.
///
/// Elements are `m[[r, c]]`; `m[r]` is a row, a [`Vector`].
///
/// ```
/// # use qd_runtime::data::{Matrix, Vector};
/// let turn = Matrix::from([[0.0f64, -1.0], [1.0, 0.0]]);
/// assert_eq!(turn * Vector::from([2.0, 3.0]), Vector::from([-3.0, 2.0]));
/// assert_eq!(turn * turn.inverse(), Matrix::identity());
/// assert_eq!(turn[[0, 1]], turn.transpose()[1].x);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Matrix<T, const R: usize, const C: usize>([Vector<T, C>; R]);

// SAFETY: an array of them, and nothing else.
unsafe impl<T: Zeroable, const N: usize> Zeroable for Vector<T, N> {}
// SAFETY: as above; arrays have no padding.
unsafe impl<T: Pod, const N: usize> Pod for Vector<T, N> {}
// SAFETY: as above.
unsafe impl<T: Zeroable, const R: usize, const C: usize> Zeroable for Matrix<T, R, C> {}
// SAFETY: as above.
unsafe impl<T: Pod, const R: usize, const C: usize> Pod for Matrix<T, R, C> {}

/// Computes with numbers of type `T`.
struct On<T>(std::marker::PhantomData<T>);

impl<T> On<T> {
    fn new() -> Self {
        On(std::marker::PhantomData)
    }
}

impl<T: Number> Arithmetic for On<T> {
    type Value = T;
    #[inline(always)]
    fn add(&mut self, a: T, b: T) -> T {
        a + b
    }
    #[inline(always)]
    fn sub(&mut self, a: T, b: T) -> T {
        a - b
    }
    #[inline(always)]
    fn mul(&mut self, a: T, b: T) -> T {
        a * b
    }
}

impl<T: Float> Roots for On<T> {
    #[inline(always)]
    fn one(&mut self) -> T {
        T::ONE
    }
    #[inline(always)]
    fn div(&mut self, a: T, b: T) -> T {
        a / b
    }
    #[inline(always)]
    fn neg(&mut self, a: T) -> T {
        -a
    }
    #[inline(always)]
    fn root(&mut self, a: T) -> T {
        a.sqrt()
    }
}

impl<T: Scalar, const N: usize> Erase for Vector<T, N> {
    type QdErased = Self;
}

// SAFETY: the components in order, as those of an array.
unsafe impl<T: Scalar, const N: usize> Data for Vector<T, N> {
    type QdKnown = Self;
    const QD_WORDS: usize = <[T; N] as Data>::QD_WORDS;
    fn qd_type() -> Type {
        const { assert!(N > 0 && N <= u32::MAX as usize, "a vector of a kernel has at least one component") };
        Type::Vector(T::SCALAR, N as u32)
    }
    fn qd_layout(at: usize, put: &mut dyn FnMut(types::Scalar, usize)) {
        <[T; N] as Data>::qd_layout(at, put);
    }
    fn qd_zero() -> Self {
        Vector(Data::qd_zero())
    }
    #[inline(always)]
    fn qd_to_words(self, put: &mut impl FnMut(u64)) {
        self.0.qd_to_words(put);
    }
    #[inline(always)]
    fn qd_from_words(words: &[u64]) -> Self {
        Vector(Data::qd_from_words(words))
    }
}

impl<T: Scalar, const R: usize, const C: usize> Erase for Matrix<T, R, C> {
    type QdErased = Self;
}

// SAFETY: the elements row by row, as those of an array of arrays.
unsafe impl<T: Scalar, const R: usize, const C: usize> Data for Matrix<T, R, C> {
    type QdKnown = Self;
    const QD_WORDS: usize = <[[T; C]; R] as Data>::QD_WORDS;
    fn qd_type() -> Type {
        const { assert!(R > 0 && C > 0 && R * C <= u32::MAX as usize, "a matrix of a kernel has at least one element") };
        Type::Matrix(T::SCALAR, R as u32, C as u32)
    }
    fn qd_layout(at: usize, put: &mut dyn FnMut(types::Scalar, usize)) {
        <[[T; C]; R] as Data>::qd_layout(at, put);
    }
    fn qd_zero() -> Self {
        Matrix(Data::qd_zero())
    }
    #[inline(always)]
    fn qd_to_words(self, put: &mut impl FnMut(u64)) {
        self.0.qd_to_words(put);
    }
    #[inline(always)]
    fn qd_from_words(words: &[u64]) -> Self {
        Matrix(Data::qd_from_words(words))
    }
}

/// The hidden functions that tell of functions named by a path, `Vector::zero`, that they are the language's own.
macro_rules! by_path {
    ($($name:ident: $signature:ty;)*) => { $(
        #[doc(hidden)]
        pub fn $name() -> ByPath<$signature> {
            presumed::by_path()
        }
    )* };
}

impl<T: Number, const N: usize> Vector<T, N> {
    /// All components the same.
    #[inline]
    pub fn splat(value: T) -> Self {
        Vector([value; N])
    }

    /// All components 0.
    #[inline]
    pub fn zero() -> Self {
        Self::splat(T::ZERO)
    }

    /// The sum of the products of the components, from the first on.
    #[inline]
    pub fn dot(self, other: Self) -> T {
        const { assert!(N > 0, "a vector without components has no dot product") };
        linear::dot(&mut On::new(), self.0.into_iter().zip(other.0))
    }

    by_path! {
        splat_as_qd_function: fn(T) -> Self;
        zero_as_qd_function: fn() -> Self;
        dot_as_qd_function: fn(Self, Self) -> T;
        norm_squared_as_qd_function: fn(Self) -> T;
    }

    /// Of [`outer`](Vector::outer).
    #[doc(hidden)]
    #[allow(clippy::type_complexity)]
    pub fn outer_as_qd_function<const C: usize>() -> ByPath<fn(Self, Vector<T, C>) -> Matrix<T, N, C>> {
        presumed::by_path()
    }

    /// [`dot`](Vector::dot) with itself.
    #[inline]
    pub fn norm_squared(self) -> T {
        self.dot(self)
    }

    /// The matrix of all products: `self[r] * other[c]`.
    #[inline]
    pub fn outer<const C: usize>(self, other: Vector<T, C>) -> Matrix<T, N, C> {
        Matrix(self.0.map(|a| Vector(other.0.map(|b| a * b))))
    }
}

impl<T: Float, const N: usize> Vector<T, N> {
    /// The length: the square root of [`norm_squared`](Vector::norm_squared).
    #[inline]
    pub fn norm(self) -> T {
        const { assert!(N > 0, "a vector without components has no length") };
        linear::norm(&mut On::new(), &self.0)
    }

    /// Each component divided by the length.
    #[inline]
    pub fn normalize(mut self) -> Self {
        const { assert!(N > 0, "a vector without components has no length") };
        linear::normalize(&mut On::new(), &mut self.0);
        self
    }

    by_path! {
        norm_as_qd_function: fn(Self) -> T;
        normalize_as_qd_function: fn(Self) -> Self;
    }
}

macro_rules! componentwise {
    ($($name:ident $by_path:ident($($other:ident)*);)*) => {
        impl<T: Float, const N: usize> Vector<T, N> { $(
            by_path! { $by_path: fn(Self $(, componentwise!(@vector $other))*) -> Self; }

            #[doc = concat!("`", stringify!($name), "` of each component.")]
            #[inline]
            pub fn $name(self, $($other: Self)*) -> Self {
                Vector(std::array::from_fn(|k| Float::$name(self.0[k], $($other.0[k])*)))
            }
        )* }
    };
    (@vector $other:ident) => { Self };
}
componentwise! {
    abs abs_as_qd_function();
    signum signum_as_qd_function();
    floor floor_as_qd_function();
    ceil ceil_as_qd_function();
    round round_as_qd_function();
    trunc trunc_as_qd_function();
    fract fract_as_qd_function();
    sqrt sqrt_as_qd_function();
    recip recip_as_qd_function();
    min min_as_qd_function(other);
    max max_as_qd_function(other);
    copysign copysign_as_qd_function(sign);
}

impl<T: Number> Vector<T, 3> {
    /// The vector at right angles to both.
    #[inline]
    pub fn cross(self, other: Self) -> Self {
        Vector(linear::cross(&mut On::new(), self.0, other.0))
    }

    by_path! {
        cross_as_qd_function: fn(Self, Self) -> Self;
    }
}

impl<T: Number, const R: usize, const C: usize> Matrix<T, R, C> {
    /// All elements 0.
    #[inline]
    pub fn zero() -> Self {
        Matrix([Vector::zero(); R])
    }

    /// Rows and columns exchanged.
    #[inline]
    pub fn transpose(self) -> Matrix<T, C, R> {
        let mut turned = Matrix::zero();
        for r in 0..R {
            for c in 0..C {
                turned[[c, r]] = self[[r, c]];
            }
        }
        turned
    }

    by_path! {
        zero_as_qd_function: fn() -> Self;
        transpose_as_qd_function: fn(Self) -> Matrix<T, C, R>;
    }

    /// The elements row by row.
    #[inline]
    fn flat(&self) -> &[T] {
        // SAFETY: `R` rows of `C` elements lie one after the other, without padding.
        unsafe { std::slice::from_raw_parts(self.0.as_ptr().cast(), R * C) }
    }
}

impl<T: Number, const N: usize> Matrix<T, N, N> {
    /// 1 in the diagonal, 0 elsewhere.
    #[inline]
    pub fn identity() -> Self {
        let mut identity = Self::zero();
        for k in 0..N {
            identity[[k, k]] = T::ONE;
        }
        identity
    }

    /// The determinant, up to 4×4.
    #[inline]
    pub fn determinant(self) -> T {
        const { assert!(N > 0 && N <= LARGEST, "determinants are of matrices up to 4×4") };
        linear::determinant(&mut On::new(), self.flat(), N)
    }

    by_path! {
        identity_as_qd_function: fn() -> Self;
        determinant_as_qd_function: fn(Self) -> T;
    }
}

impl<T: Float, const N: usize> Matrix<T, N, N> {
    /// The inverse, up to 4×4: the adjugate divided by the determinant. Without an inverse its elements aren't finite.
    #[inline]
    pub fn inverse(self) -> Self {
        const { assert!(N > 0 && N <= LARGEST, "inverses are of matrices up to 4×4") };
        let mut inverse = Self::zero();
        linear::inverse(&mut On::new(), self.flat(), N, |at, value| inverse[[at / N, at % N]] = value);
        inverse
    }

    by_path! {
        inverse_as_qd_function: fn(Self) -> Self;
    }
}

macro_rules! operators {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => { $(
        impl<T: Number, const N: usize> $op for Vector<T, N> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Vector(std::array::from_fn(|k| self.0[k].$method(other.0[k])))
            }
        }
        impl<T: Number, const N: usize> $assign for Vector<T, N> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    )* };
}
operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
}

macro_rules! matrix_operators {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => { $(
        impl<T: Number, const R: usize, const C: usize> $op for Matrix<T, R, C> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Matrix(std::array::from_fn(|r| self.0[r].$method(other.0[r])))
            }
        }
        impl<T: Number, const R: usize, const C: usize> $assign for Matrix<T, R, C> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    )* };
}
matrix_operators! {
    Add add AddAssign add_assign;
    Sub sub SubAssign sub_assign;
}

macro_rules! by_scalar {
    ($($op:ident $method:ident $assign:ident $assign_method:ident;)*) => { $(
        impl<T: Number, const N: usize> $op<T> for Vector<T, N> {
            type Output = Self;
            #[inline]
            fn $method(self, scalar: T) -> Self {
                Vector(self.0.map(|a| a.$method(scalar)))
            }
        }
        impl<T: Number, const N: usize> $assign<T> for Vector<T, N> {
            #[inline]
            fn $assign_method(&mut self, scalar: T) {
                *self = self.$method(scalar);
            }
        }
        impl<T: Number, const R: usize, const C: usize> $op<T> for Matrix<T, R, C> {
            type Output = Self;
            #[inline]
            fn $method(self, scalar: T) -> Self {
                Matrix(self.0.map(|row| row.$method(scalar)))
            }
        }
        impl<T: Number, const R: usize, const C: usize> $assign<T> for Matrix<T, R, C> {
            #[inline]
            fn $assign_method(&mut self, scalar: T) {
                *self = self.$method(scalar);
            }
        }
    )* };
}
by_scalar! {
    Mul mul MulAssign mul_assign;
    Div div DivAssign div_assign;
}

macro_rules! scalar_first {
    ($($ty:ident)*) => { $(
        impl<const N: usize> Mul<Vector<$ty, N>> for $ty {
            type Output = Vector<$ty, N>;
            #[inline]
            fn mul(self, vector: Vector<$ty, N>) -> Vector<$ty, N> {
                Vector(vector.0.map(|a| self * a))
            }
        }
        impl<const R: usize, const C: usize> Mul<Matrix<$ty, R, C>> for $ty {
            type Output = Matrix<$ty, R, C>;
            #[inline]
            fn mul(self, matrix: Matrix<$ty, R, C>) -> Matrix<$ty, R, C> {
                Matrix(matrix.0.map(|row| self * row))
            }
        }
    )* };
}
scalar_first!(f32 f64 f16 bf16 i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

impl<T: Number + Neg<Output = T>, const N: usize> Neg for Vector<T, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Vector(self.0.map(|a| -a))
    }
}

impl<T: Number + Neg<Output = T>, const R: usize, const C: usize> Neg for Matrix<T, R, C> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Matrix(self.0.map(|row| -row))
    }
}

impl<T: Number, const R: usize, const C: usize> Mul<Vector<T, C>> for Matrix<T, R, C> {
    type Output = Vector<T, R>;
    #[inline]
    fn mul(self, vector: Vector<T, C>) -> Vector<T, R> {
        const { assert!(C > 0, "a matrix without columns has no products") };
        let mut product = Vector::zero();
        linear::product(&mut On::new(), self.flat(), &vector.0, [R, C, 1], |at, value| product[at] = value);
        product
    }
}

impl<T: Number, const R: usize, const K: usize, const C: usize> Mul<Matrix<T, K, C>> for Matrix<T, R, K> {
    type Output = Matrix<T, R, C>;
    #[inline]
    fn mul(self, other: Matrix<T, K, C>) -> Matrix<T, R, C> {
        const { assert!(K > 0, "a matrix without columns has no products") };
        let mut product = Matrix::zero();
        let put = |at: usize, value| product[[at / C, at % C]] = value;
        linear::product(&mut On::new(), self.flat(), other.flat(), [R, K, C], put);
        product
    }
}

impl<T: Number, const N: usize> Sum for Vector<T, N> {
    fn sum<I: Iterator<Item = Self>>(vectors: I) -> Self {
        vectors.fold(Self::zero(), Add::add)
    }
}

impl<T, const N: usize> Index<usize> for Vector<T, N> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, component: usize) -> &T {
        &self.0[component]
    }
}

impl<T, const N: usize> IndexMut<usize> for Vector<T, N> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, component: usize) -> &mut T {
        &mut self.0[component]
    }
}

impl<T, const R: usize, const C: usize> Index<usize> for Matrix<T, R, C> {
    type Output = Vector<T, C>;
    #[inline(always)]
    #[track_caller]
    fn index(&self, row: usize) -> &Vector<T, C> {
        &self.0[row]
    }
}

impl<T, const R: usize, const C: usize> IndexMut<usize> for Matrix<T, R, C> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, row: usize) -> &mut Vector<T, C> {
        &mut self.0[row]
    }
}

impl<T, const R: usize, const C: usize> Index<[usize; 2]> for Matrix<T, R, C> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, [row, column]: [usize; 2]) -> &T {
        &self.0[row].0[column]
    }
}

impl<T, const R: usize, const C: usize> IndexMut<[usize; 2]> for Matrix<T, R, C> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, [row, column]: [usize; 2]) -> &mut T {
        &mut self.0[row].0[column]
    }
}

macro_rules! named {
    ($($(#[$doc:meta])* $name:ident $n:literal: $($component:ident)*;)*) => { $(
        $(#[$doc])*
        #[repr(C)]
        #[allow(missing_docs)] // the names say all
        pub struct $name<T> {
            $(pub $component: T,)*
        }

        impl<T> Deref for Vector<T, $n> {
            type Target = $name<T>;
            #[inline(always)]
            fn deref(&self) -> &$name<T> {
                // SAFETY: a C struct of so many `T` lies in memory as an array of them.
                unsafe { &*std::ptr::from_ref(self).cast() }
            }
        }

        impl<T> DerefMut for Vector<T, $n> {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut $name<T> {
                // SAFETY: a C struct of so many `T` lies in memory as an array of them; the borrow is exclusive.
                unsafe { &mut *std::ptr::from_mut(self).cast() }
            }
        }
    )* };
}
named! {
    /// The component of a [`Vector`] of one.
    X 1: x;
    /// The components of a [`Vector`] of two.
    Xy 2: x y;
    /// The components of a [`Vector`] of three.
    Xyz 3: x y z;
    /// The components of a [`Vector`] of four.
    Xyzw 4: x y z w;
}

impl<T, const N: usize> From<[T; N]> for Vector<T, N> {
    #[inline]
    fn from(components: [T; N]) -> Self {
        Vector(components)
    }
}

impl<T, const N: usize> From<Vector<T, N>> for [T; N] {
    #[inline]
    fn from(vector: Vector<T, N>) -> Self {
        vector.0
    }
}

impl<T, const R: usize, const C: usize> From<[[T; C]; R]> for Matrix<T, R, C> {
    #[inline]
    fn from(rows: [[T; C]; R]) -> Self {
        Matrix(rows.map(Vector))
    }
}

impl<T, const R: usize, const C: usize> From<Matrix<T, R, C>> for [[T; C]; R] {
    #[inline]
    fn from(matrix: Matrix<T, R, C>) -> Self {
        matrix.0.map(|row| row.0)
    }
}

impl<T: Number, const N: usize> Default for Vector<T, N> {
    fn default() -> Self {
        Self::zero()
    }
}

impl<T: Number, const R: usize, const C: usize> Default for Matrix<T, R, C> {
    fn default() -> Self {
        Self::zero()
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for Vector<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: fmt::Debug, const R: usize, const C: usize> fmt::Debug for Matrix<T, R, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix of small whole numbers, so that sums and products are exact.
    fn matrix<const N: usize>(seed: u64) -> Matrix<f64, N, N> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 60) as f64 - 8.0
        };
        Matrix::from(std::array::from_fn(|_| std::array::from_fn(|_| next())))
    }

    /// The determinant by Leibniz' sum over permutations.
    fn leibniz<const N: usize>(m: Matrix<f64, N, N>, row: usize, free: &mut Vec<usize>) -> f64 {
        if row == N {
            return 1.0;
        }
        let mut sum = 0.0;
        for k in 0..free.len() {
            let column = free.remove(k);
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            sum += sign * m[[row, column]] * leibniz(m, row + 1, free);
            free.insert(k, column);
        }
        sum
    }

    fn check<const N: usize>() {
        for seed in 0..200 {
            let m = matrix::<N>(seed * 77 + 1);
            let determinant = m.determinant();
            assert_eq!(determinant, leibniz(m, 0, &mut (0..N).collect()), "{m:?}");
            assert_eq!(m.transpose().determinant(), determinant);
            if determinant != 0.0 {
                let unit = m * m.inverse();
                for r in 0..N {
                    for c in 0..N {
                        let wanted = if r == c { 1.0 } else { 0.0 };
                        assert!((unit[[r, c]] - wanted).abs() < 1e-9, "{m:?} {unit:?}");
                    }
                }
            }
            let (a, b) = (matrix::<N>(seed + 1000), matrix::<N>(seed + 2000));
            assert_eq!((a * b) * a[0], a * (b * a[0]), "exact on whole numbers");
        }
    }

    #[test]
    fn determinants_and_inverses_are_what_they_are_called() {
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
    }

    #[test]
    fn products_of_vectors() {
        let (a, b) = (Vector::from([1, 2, 3]), Vector::from([4, -5, 6]));
        assert_eq!(a.dot(b), 12);
        assert_eq!(a.cross(b), Vector::from([27, 6, -13]));
        assert_eq!(a.cross(b).dot(a), 0);
        assert_eq!(a.outer(b) * a, a * b.dot(a));
        assert_eq!(Vector::from([3.0, 4.0]).norm(), 5.0);
        assert_eq!(Vector::from([3.0f32, 4.0]).normalize(), Vector::from([0.6, 0.8]));
        assert_eq!((-a * 2 / Vector::splat(2)) + 3 * a, a * 2);
    }

    #[test]
    fn components_have_names_and_numbers() {
        let mut v = Vector::from([1u8, 2, 3, 4]);
        v.w += v.x;
        v[1] = v.z;
        assert_eq!((v, v.y), (Vector::from([1, 3, 3, 5]), 3));
        let mut m = Matrix::<u8, 2, 3>::zero();
        m[[1, 2]] = 7;
        m[0].y = 5;
        assert_eq!(<[[u8; 3]; 2]>::from(m), [[0, 5, 0], [0, 0, 7]]);
        assert_eq!(format!("{v:?} {m:?}"), "[1, 3, 3, 5] [[0, 5, 0], [0, 0, 7]]");
    }
}
