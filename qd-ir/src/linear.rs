//! Vectors and matrices: their methods, and the sequence of scalar operations that each of them is.
//!
//! The sequences are part of the language. They are written once, over an [`Arithmetic`]: run on numbers they are what
//! `qd::Vector` and `qd::Matrix` do natively, run on the values of a task they are its statements. So both give the same
//! bits. Matrices are row-major.
use serde::{Deserialize, Serialize};

/// A method or associated function of vectors or matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Method {
    /// `v.dot(w)`
    Dot,
    /// `v.cross(w)` of three components.
    Cross,
    /// `v.norm()`
    Norm,
    /// `v.norm_squared()`
    NormSquared,
    /// `v.normalize()`
    Normalize,
    /// `v.outer(w)`, a matrix.
    Outer,
    /// `m.transpose()`
    Transpose,
    /// `m.determinant()` up to 4×4.
    Determinant,
    /// `m.inverse()` up to 4×4.
    Inverse,
    /// `Vector::splat(x)`
    Splat,
    /// `Vector::zero()`, `Matrix::zero()`
    Zero,
    /// `Matrix::identity()`
    Identity,
}

impl Method {
    /// All methods.
    pub const ALL: [Method; 12] = [
        Method::Dot,
        Method::Cross,
        Method::Norm,
        Method::NormSquared,
        Method::Normalize,
        Method::Outer,
        Method::Transpose,
        Method::Determinant,
        Method::Inverse,
        Method::Splat,
        Method::Zero,
        Method::Identity,
    ];

    /// Its name in the source.
    pub fn name(self) -> &'static str {
        match self {
            Method::Dot => "dot",
            Method::Cross => "cross",
            Method::Norm => "norm",
            Method::NormSquared => "norm_squared",
            Method::Normalize => "normalize",
            Method::Outer => "outer",
            Method::Transpose => "transpose",
            Method::Determinant => "determinant",
            Method::Inverse => "inverse",
            Method::Splat => "splat",
            Method::Zero => "zero",
            Method::Identity => "identity",
        }
    }

    /// Number of operands, the receiver included.
    pub fn arity(self) -> usize {
        match self {
            Method::Dot | Method::Cross | Method::Outer => 2,
            Method::Norm
            | Method::NormSquared
            | Method::Normalize
            | Method::Transpose
            | Method::Determinant
            | Method::Inverse
            | Method::Splat => 1,
            Method::Zero | Method::Identity => 0,
        }
    }

    /// True for `T::name(..)`, false for `receiver.name(..)`.
    pub fn is_associated(self) -> bool {
        matches!(self, Method::Splat | Method::Zero | Method::Identity)
    }

    /// The method, or the associated function, of that name.
    pub fn from_name(name: &str, associated: bool) -> Option<Method> {
        Method::ALL.into_iter().find(|method| method.name() == name && method.is_associated() == associated)
    }
}

/// What numbers do, or whatever stands for them.
pub trait Arithmetic {
    /// A number.
    type Value: Copy;
    /// `a + b`
    fn add(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a - b`
    fn sub(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `a * b`
    fn mul(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
}

/// What floats do besides.
pub trait Roots: Arithmetic {
    /// 1
    fn one(&mut self) -> Self::Value;
    /// `a / b`
    fn div(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// `-a`
    fn neg(&mut self, a: Self::Value) -> Self::Value;
    /// `a.sqrt()`; of another name, which rustc would suggest for numbers.
    fn root(&mut self, a: Self::Value) -> Self::Value;
}

/// The sum of the products of two lists, from the first on.
///
/// # Panics
/// If they are empty.
pub fn dot<A: Arithmetic>(on: &mut A, a: impl IntoIterator<Item = (A::Value, A::Value)>) -> A::Value {
    let mut pairs = a.into_iter();
    let Some((x, y)) = pairs.next() else { panic!("a vector has at least one component") };
    let first = on.mul(x, y);
    pairs.fold(first, |sum, (x, y)| {
        let product = on.mul(x, y);
        on.add(sum, product)
    })
}

/// The length of a vector.
pub fn norm<A: Roots>(on: &mut A, v: &[A::Value]) -> A::Value {
    let squared = dot(on, v.iter().map(|x| (*x, *x)));
    on.root(squared)
}

/// Each component divided by the length.
pub fn normalize<A: Roots>(on: &mut A, v: &mut [A::Value]) {
    let norm = norm(on, v);
    v.iter_mut().for_each(|x| *x = on.div(*x, norm));
}

/// The cross product.
pub fn cross<A: Arithmetic>(on: &mut A, a: [A::Value; 3], b: [A::Value; 3]) -> [A::Value; 3] {
    let mut part = |i: usize, j: usize| minor(on, a[i], b[j], a[j], b[i]);
    [part(1, 2), part(2, 0), part(0, 1)]
}

/// `a * d - b * c`
fn minor<A: Arithmetic>(on: &mut A, a: A::Value, d: A::Value, b: A::Value, c: A::Value) -> A::Value {
    let (left, right) = (on.mul(a, d), on.mul(b, c));
    on.sub(left, right)
}

/// The product of an `n`×`k` and a `k`×`m` matrix, row by row: each element is [`dot`] of a row and a column. A vector is
/// a matrix of one column.
pub fn product<A: Arithmetic>(
    on: &mut A,
    a: &[A::Value],
    b: &[A::Value],
    [n, k, m]: [usize; 3],
    mut put: impl FnMut(usize, A::Value),
) {
    for r in 0..n {
        for c in 0..m {
            put(r * m + c, dot(on, (0..k).map(|i| (a[r * k + i], b[i * m + c]))));
        }
    }
}

/// The largest matrices that have a determinant and an inverse.
pub const LARGEST: usize = 4;

/// The 2×2 determinants of the upper and of the lower two rows of a 4×4 matrix, for the columns 01, 02, 03, 12, 13, 23.
fn halves<A: Arithmetic>(on: &mut A, m: &[A::Value]) -> [[A::Value; 6]; 2] {
    const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    [0, 8].map(|row| PAIRS.map(|(i, j)| minor(on, m[row + i], m[row + 4 + j], m[row + j], m[row + 4 + i])))
}

fn of_halves<A: Arithmetic>(on: &mut A, [s, c]: &[[A::Value; 6]; 2]) -> A::Value {
    let mut sum = on.mul(s[0], c[5]);
    for (i, j, plus) in [(1, 4, false), (2, 3, true), (3, 2, true), (4, 1, false), (5, 0, true)] {
        let product = on.mul(s[i], c[j]);
        sum = if plus { on.add(sum, product) } else { on.sub(sum, product) };
    }
    sum
}

/// `a * x - b * y + c * z`
fn alternating<A: Arithmetic>(on: &mut A, [(a, x), (b, y), (c, z)]: [(A::Value, A::Value); 3]) -> A::Value {
    let first = minor(on, a, x, b, y);
    let last = on.mul(c, z);
    on.add(first, last)
}

/// The determinant of an `n`×`n` matrix, `n` from 1 to [`LARGEST`].
///
/// # Panics
/// For other sizes.
pub fn determinant<A: Arithmetic>(on: &mut A, m: &[A::Value], n: usize) -> A::Value {
    match n {
        1 => m[0],
        2 => minor(on, m[0], m[3], m[1], m[2]),
        3 => {
            let minors = [
                minor(on, m[4], m[8], m[5], m[7]),
                minor(on, m[3], m[8], m[5], m[6]),
                minor(on, m[3], m[7], m[4], m[6]),
            ];
            alternating(on, [(m[0], minors[0]), (m[1], minors[1]), (m[2], minors[2])])
        }
        4 => {
            let halves = halves(on, m);
            of_halves(on, &halves)
        }
        _ => panic!("determinants are of matrices up to 4×4"),
    }
}

/// The inverse of an `n`×`n` matrix, `n` from 1 to [`LARGEST`]: the adjugate, each element divided by the determinant.
///
/// # Panics
/// For other sizes.
pub fn inverse<A: Roots>(on: &mut A, m: &[A::Value], n: usize, mut put: impl FnMut(usize, A::Value)) {
    // Element by element of the result, row by row.
    match n {
        1 => {
            let one = on.one();
            put(0, on.div(one, m[0]));
        }
        2 => {
            let determinant = determinant(on, m, 2);
            let adjugate = [m[3], on.neg(m[1]), on.neg(m[2]), m[0]];
            adjugate.into_iter().enumerate().for_each(|(at, x)| put(at, on.div(x, determinant)));
        }
        3 => {
            let determinant = determinant(on, m, 3);
            // The minor without row `c` and column `r`, its sign by the order of its terms.
            for r in 0..3 {
                for c in 0..3 {
                    let (r1, r2, c1, c2) = ((c + 1) % 3, (c + 2) % 3, (r + 1) % 3, (r + 2) % 3);
                    let cofactor = minor(on, m[r1 * 3 + c1], m[r2 * 3 + c2], m[r1 * 3 + c2], m[r2 * 3 + c1]);
                    put(r * 3 + c, on.div(cofactor, determinant));
                }
            }
        }
        4 => {
            let halves = halves(on, m);
            let determinant = of_halves(on, &halves);
            // Of each column of the result: the rows it comes from, in which order, and whose 2×2 determinants.
            const COLUMNS: [(usize, usize, bool); 4] = [(1, 1, false), (0, 1, true), (3, 0, false), (2, 0, true)];
            // Of each row of the result: three columns, and the determinants of the other two.
            const ROWS: [[(usize, usize); 3]; 4] = [
                [(1, 5), (2, 4), (3, 3)],
                [(0, 5), (2, 2), (3, 1)],
                [(0, 4), (1, 2), (3, 0)],
                [(0, 3), (1, 1), (2, 0)],
            ];
            for (r, terms) in ROWS.iter().enumerate() {
                for (c, (row, half, odd)) in COLUMNS.into_iter().enumerate() {
                    let terms = terms.map(|(column, pair)| (m[row * 4 + column], halves[half][pair]));
                    let cofactor = alternating(on, terms);
                    let signed = if odd != (r % 2 == 1) { on.neg(cofactor) } else { cofactor };
                    put(r * 4 + c, on.div(signed, determinant));
                }
            }
        }
        _ => panic!("inverses are of matrices up to 4×4"),
    }
}
