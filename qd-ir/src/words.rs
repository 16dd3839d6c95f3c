//! Scalars in 64-bit words: arguments, slots, context blocks and partial results are made of them.
//!
//! A scalar takes [`Scalar::words`] words, the low one first; its bits are zero-extended to them.
use crate::types::Scalar;

/// The bits of a scalar whose words `words` begins with.
///
/// # Panics
/// If there are fewer words.
#[inline]
pub fn get(ty: Scalar, words: &[u64]) -> u128 {
    match ty.words() {
        1 => u128::from(words[0]),
        _ => u128::from(words[0]) | u128::from(words[1]) << 64,
    }
}

/// Writes the bits of a scalar to its words, with which `words` begins.
///
/// # Panics
/// If there are fewer words.
#[inline]
pub fn put(ty: Scalar, bits: u128, words: &mut [u64]) {
    words[0] = bits as u64;
    if ty.words() > 1 {
        words[1] = (bits >> 64) as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_scalars_take_two_words_low_one_first() {
        let mut words = [7; 3];
        put(Scalar::I128, -2i128 as u128, &mut words);
        assert_eq!(words, [u64::MAX - 1, u64::MAX, 7]);
        assert_eq!(get(Scalar::I128, &words) as i128, -2);
        put(Scalar::F64, u128::from(1.5f64.to_bits()), &mut words[2..]);
        assert_eq!(get(Scalar::F64, &words[2..]), u128::from(1.5f64.to_bits()));
    }
}
