//! `&`, `|` and `^` with a known mask, as affine forms.
//!
//! Where the mask's bits change, the operand is cut into digits, as `/` and `%` by powers of two cut it:
//! `x = 2^h * q + 2^l * b + r`. A digit under ones becomes zero, stays, or is turned round (`2^w - 1 - b`), one under zeros
//! likewise, so what comes out is a form in mixed radix, from which [`system`](super::system) can tell the digits again.
//!
//! A mask stands for infinitely many bits, as a negative one has ones without end: whatever lies above the type's width
//! is gone modulo `2^bits`, for the operand's form as for the mask. So the operand needn't be exact.
use super::affine::{Affine, AtomId};
use super::domain::{Rounding, World};

/// Masks of more runs of equal bits aren't followed.
const MOST_CUTS: usize = 8;

/// What is done bit by bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bitwise {
    And,
    Or,
    Xor,
}

impl Bitwise {
    /// The digit under bits of one kind, of which `ones` is the greatest digit.
    fn digit(self, set: bool, digit: &Affine, ones: i128) -> Option<Affine> {
        match (self, set) {
            (Bitwise::And, false) => Some(Affine::constant(0)),
            (Bitwise::And, true) | (Bitwise::Or | Bitwise::Xor, false) => Some(digit.clone()),
            (Bitwise::Or, true) => Some(Affine::constant(ones)),
            (Bitwise::Xor, true) => Affine::constant(ones).plus(digit, -1),
        }
    }
}

impl World<'_> {
    /// A form that equals `form op mask` modulo the type's width, if `form` and `mask` do their terms.
    pub fn bitwise(&mut self, op: Bitwise, form: &Affine, mask: i128) -> Option<Affine> {
        let set = |bit: u32| (mask >> bit) & 1 == 1;
        // From the top: below each cut other bits begin.
        let cuts: Vec<u32> = (1..=64).rev().filter(|at| set(*at) != set(at - 1)).collect();
        // All bits from 64 on are one.
        if cuts.len() > MOST_CUTS || mask >> 64 != -i128::from(set(64)) {
            return None;
        }
        let (mut rest, mut result, mut ones, mut above) = (form.clone(), Affine::constant(0), -1i128, None);
        for &cut in &cuts {
            if let Some(above) = above {
                ones = (1i128 << (above - cut)) - 1;
            }
            let (digit, low) = self.divided(&rest, 1 << cut, Rounding::Down)?;
            self.define(&rest, &digit, 1 << cut, &low);
            result = result.plus(&op.digit(set(cut), &digit, ones)?, 1 << cut)?;
            (rest, above) = (low, Some(cut));
        }
        if let Some(above) = above {
            ones = (1i128 << above) - 1;
        }
        result.plus(&op.digit(set(0), &rest, ones)?, 1)
    }

    /// `a | b` and `a ^ b` where no bit is set in both: `a` is a multiple of a power of two that `b`, whose form is exact,
    /// stays below.
    pub fn disjoint(&self, a: &Affine, b: &Affine) -> Option<Affine> {
        let (least, most) = self.range(b)?;
        if least < 0 || most >= 1 << 64 {
            return None;
        }
        let unit = 1 << (i128::BITS - most.leading_zeros());
        let whole = a.constant % unit == 0 && a.terms.iter().all(|(_, coefficient)| coefficient % unit == 0);
        whole.then(|| a.plus(b, 1)).flatten()
    }

    /// Notes that a form is `by * digit + low`: its atom in digits, if it is one.
    fn define(&mut self, form: &Affine, digit: &Affine, by: i128, low: &Affine) {
        let [(atom, 1)] = *form.terms.as_slice() else { return };
        let Some(value) = digit.times(by).and_then(|high| high.plus(low, 1)) else { return };
        let Some(value) = value.plus(&Affine::constant(form.constant), -1) else { return };
        // Digits are made after what they are digits of, unless there is but one: so this ends.
        if value.terms.iter().all(|(digit, _)| *digit > atom) {
            self.digits.entry(atom).or_insert(value);
        }
    }

    /// The form in digits, where its atoms have been cut into some: equal to it.
    pub fn in_digits(&self, form: &Affine) -> Affine {
        let mut form = form.clone();
        let cut = |form: &Affine| -> Option<(AtomId, i128)> {
            form.terms.iter().copied().find(|(atom, _)| self.digits.contains_key(atom))
        };
        while let Some((atom, coefficient)) = cut(&form) {
            let digits = self.digits[&atom].plus(&Affine::atom(atom), -1);
            match digits.and_then(|digits| form.plus(&digits, coefficient)) {
                Some(next) => form = next,
                None => break,
            }
        }
        form
    }
}
