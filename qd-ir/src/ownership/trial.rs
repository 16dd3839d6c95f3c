//! Trying a predicate on made-up sizes, so that the macro can refuse what no sizes make right.
//!
//! This decides only *when* a loop is refused. A pair that passes here is judged again, by the true values, before each
//! launch; so a pair that needs sizes nobody has tried is refused too early, and none is accepted wrongly.
use super::predicate::Predicate;

/// Made-up sizes: each is a multiple of those before, and from the third on as large as their product.
const SIZES: [i128; 6] = [4, 16, 64, 1 << 12, 1 << 24, 1 << 40];

/// The size where all have one.
const ALIKE: i128 = 16;

/// So many orders of the sizes are tried.
const TRIALS: usize = 24;

/// Loops of fewer iterations prove little.
const FEW: i128 = 3;

impl<L> Predicate<L> {
    /// True if some made-up sizes keep all pairs apart.
    pub(super) fn may_hold(&self) -> bool {
        let bare: Vec<Option<i128>> = vec![None; self.leaves.len()];
        let fixed = self.counts(&bare);
        let mut tried = false;
        for sizes in sizes(self.leaves.len()) {
            let few =
                |(count, fixed): (&Option<i128>, &Option<i128>)| fixed.is_none() && count.is_some_and(|c| c < FEW);
            if self.counts(&sizes).iter().zip(&fixed).any(few) {
                continue;
            }
            tried = true;
            if self.check(&sizes).is_ok() {
                return true;
            }
        }
        !tried
    }
}

/// Values for so many leaves: all alike, and in all orders, or many.
fn sizes(leaves: usize) -> Vec<Vec<Option<i128>>> {
    let mut all = vec![vec![Some(ALIKE); leaves]];
    let mut order: Vec<usize> = (0..leaves).collect();
    let mut seed = 1usize;
    if leaves == 0 {
        return all;
    }
    for trial in 0..TRIALS {
        all.push(order.iter().map(|rank| Some(SIZES[(*rank).min(SIZES.len() - 1)])).collect());
        if leaves == 2 || trial % 2 == 0 {
            order.reverse();
        } else {
            seed = seed.wrapping_mul(1103515245).wrapping_add(12345);
            for at in (1..leaves).rev() {
                seed = seed.wrapping_mul(1103515245).wrapping_add(12345);
                order.swap(at, (seed >> 16) % (at + 1));
            }
        }
    }
    all.dedup();
    all
}
