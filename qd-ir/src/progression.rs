//! The values of `(lo..hi).rev().step_by(k)` and the like: first value, stride, number.
//!
//! What adapters do to these three is said here, for loops of the plan; typing writes the same steps out as statements
//! for loops in tasks. Arithmetic is modulo 2^64, and the number is kept as that of the values behind the first, so
//! that no range of no type is too long.
use crate::types::Scalar;

/// `first`, `first + stride`, .. of an integer type, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progression {
    ty: Scalar,
    first: u64,
    stride: u64,
    /// Number of values behind the first; `None` if there is none at all.
    more: Option<u64>,
}

impl Progression {
    /// `lo..hi` or `lo..=hi`, from the bits of the ends (zero-extended).
    pub fn range(ty: Scalar, lo: u64, hi: u64, inclusive: bool) -> Self {
        let (lo, hi) = (wide(ty, lo), wide(ty, hi));
        let (less, equal) = (if ty.is_signed() { (lo as i64) < hi as i64 } else { lo < hi }, lo == hi);
        let runs = less || inclusive && equal;
        let more = runs.then(|| hi.wrapping_sub(lo).wrapping_sub(u64::from(!inclusive)));
        Progression { ty, first: lo, stride: 1, more }
    }

    /// From the last value to the first.
    #[must_use]
    pub fn rev(self) -> Self {
        let last = self.first.wrapping_add(self.more.unwrap_or(0).wrapping_mul(self.stride));
        Progression { first: last, stride: self.stride.wrapping_neg(), ..self }
    }

    /// Every `step`th value, from the first; `None` for every zeroth.
    #[must_use]
    pub fn step_by(self, step: u64) -> Option<Self> {
        (step > 0).then(|| {
            let more = self.more.map(|more| more / step);
            Progression { stride: self.stride.wrapping_mul(step), more, ..self }
        })
    }
}

impl Iterator for Progression {
    /// The bits of the value, zero above its width.
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let more = self.more?;
        let value = self.first & (u64::MAX >> (64 - self.ty.bits()));
        self.first = self.first.wrapping_add(self.stride);
        self.more = more.checked_sub(1);
        Some(value)
    }
}

/// The number in 64 bits, extended by its type's sign.
fn wide(ty: Scalar, bits: u64) -> u64 {
    if ty.is_signed() {
        let shift = 64 - ty.bits();
        ((bits << shift) as i64 >> shift) as u64
    } else {
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every chain of up to two adapters over small ranges, and over those at the ends of the type.
    #[test]
    fn values_are_those_of_rust() {
        fn same(ours: Progression, rust: impl Iterator<Item = i8>) {
            let rust: Vec<i8> = rust.collect();
            assert_eq!(ours.map(|bits| bits as i8).collect::<Vec<_>>(), rust);
        }
        let ends = [i8::MIN, -3, 0, 1, 5, i8::MAX - 1, i8::MAX];
        for lo in ends {
            for hi in ends {
                let of = |inclusive| Progression::range(Scalar::I8, lo as u8 as u64, hi as u8 as u64, inclusive);
                same(of(false), lo..hi);
                same(of(true), lo..=hi);
                same(of(true).rev(), (lo..=hi).rev());
                for k in [1usize, 2, 3, 7, 200, 256, usize::MAX] {
                    let k64 = k as u64;
                    same(of(false).step_by(k64).unwrap(), (lo..hi).step_by(k));
                    same(of(true).step_by(k64).unwrap(), (lo..=hi).step_by(k));
                    same(of(true).rev().step_by(k64).unwrap(), (lo..=hi).rev().step_by(k));
                    same(of(false).step_by(k64).unwrap().rev(), (lo..hi).step_by(k).rev());
                    same(of(true).step_by(k64).unwrap().step_by(2).unwrap(), (lo..=hi).step_by(k).step_by(2));
                }
                assert_eq!(of(true).step_by(0), None);
            }
        }
    }

    #[test]
    fn the_longest_ranges_have_all_their_values() {
        let all = Progression::range(Scalar::I64, i64::MIN as u64, i64::MAX as u64, true);
        assert_eq!(all.more, Some(u64::MAX));
        assert_eq!(all.rev().next(), Some(i64::MAX as u64));
        assert_eq!(all.step_by(1 << 63).unwrap().collect::<Vec<_>>(), [i64::MIN as u64, 0]);
        assert_eq!(Progression::range(Scalar::U64, 0, u64::MAX, false).more, Some(u64::MAX - 1));
    }
}
