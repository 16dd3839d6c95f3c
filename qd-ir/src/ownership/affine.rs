//! Affine forms over atoms: `constant + coefficient * atom + ..`, in 128 bits that are never left unnoticed.
use crate::types::Scalar;

/// Number of an atom.
pub(super) type AtomId = usize;

/// An affine form. The terms are sorted by atom, no coefficient is zero.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Affine {
    pub constant: i128,
    pub terms: Vec<(AtomId, i128)>,
}

impl Affine {
    pub fn constant(constant: i128) -> Self {
        Affine { constant, terms: Vec::new() }
    }

    pub fn atom(atom: AtomId) -> Self {
        Affine { constant: 0, terms: vec![(atom, 1)] }
    }

    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    pub fn coefficient(&self, atom: AtomId) -> i128 {
        self.terms.binary_search_by_key(&atom, |(atom, _)| *atom).map_or(0, |at| self.terms[at].1)
    }

    /// `self + other * factor`; `None` if a number leaves 128 bits.
    pub fn plus(&self, other: &Affine, factor: i128) -> Option<Affine> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (atom, coefficient) = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(&&(x, c)), Some(&&(y, d))) if x == y => {
                    a.next();
                    b.next();
                    (x, c.checked_add(d.checked_mul(factor)?)?)
                }
                (Some(&&(x, c)), other) if other.is_none_or(|(y, _)| x < *y) => {
                    a.next();
                    (x, c)
                }
                (_, Some(&&(y, d))) => {
                    b.next();
                    (y, d.checked_mul(factor)?)
                }
                (Some(_), None) => break, // matched above
            };
            if coefficient != 0 {
                terms.push((atom, coefficient));
            }
        }
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        Some(Affine { constant, terms })
    }

    pub fn times(&self, factor: i128) -> Option<Affine> {
        Affine::default().plus(self, factor)
    }

    /// Splits it into `factor * a + b`.
    pub fn divided(&self, factor: i128) -> (Affine, Affine) {
        let (mut a, mut b) = (Affine::default(), Affine::default());
        (a.constant, b.constant) = (self.constant.div_euclid(factor), self.constant.rem_euclid(factor));
        for &(atom, coefficient) in &self.terms {
            if coefficient % factor == 0 {
                a.terms.push((atom, coefficient / factor));
            } else {
                b.terms.push((atom, coefficient));
            }
        }
        (a, b)
    }

    /// The least and the greatest value, where each atom lies between its own.
    pub fn range(&self, atoms: impl Fn(AtomId) -> (i128, i128)) -> Option<(i128, i128)> {
        let (mut least, mut most) = (self.constant, self.constant);
        for &(atom, coefficient) in &self.terms {
            let (lo, hi) = atoms(atom);
            let (a, b) = (lo.checked_mul(coefficient)?, hi.checked_mul(coefficient)?);
            least = least.checked_add(a.min(b))?;
            most = most.checked_add(a.max(b))?;
        }
        Some((least, most))
    }
}

/// The least and the greatest value of an integer type of at most 64 bits; of an unlimited one, numbers that leave room
/// to calculate with.
pub(super) fn limits(ty: Option<Scalar>) -> (i128, i128) {
    match ty {
        None => (-(1 << 96), 1 << 96),
        Some(ty) if ty.is_signed() => (-(1 << (ty.bits() - 1)), (1 << (ty.bits() - 1)) - 1),
        Some(ty) => (0, (1 << ty.bits()) - 1),
    }
}
