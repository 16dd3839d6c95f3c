//! Philox4x32-10: the function from a counter and a key to four random words.
use crate::func;

const MULTIPLIERS: (u64, u64) = (0xd251_1f53, 0xcd9e_8d57);
/// The fractions of the golden ratio and of the root of 3.
const STEPS: (u32, u32) = (0x9e37_79b9, 0xbb67_ae85);

/// Ten rounds of multiplying and mixing, with a key that grows by a constant from one to the next.
#[func(crate = crate)]
#[inline]
pub fn block(counter: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let [mut a, mut b, mut c, mut d] = counter;
    let [mut low, mut high] = key;
    #[qd::unroll]
    for _ in 0..10 {
        let first = a as u64 * MULTIPLIERS.0;
        let second = c as u64 * MULTIPLIERS.1;
        (a, c) = ((second >> 32) as u32 ^ b ^ low, (first >> 32) as u32 ^ d ^ high);
        (b, d) = (second as u32, first as u32);
        low = low.wrapping_add(STEPS.0);
        high = high.wrapping_add(STEPS.1);
    }
    [a, b, c, d]
}
