//! Where the words of a task's reductions lie in what its code leaves.
//!
//! What is [order-free](super::is_order_free) is accumulated in place: its words come first, and a call of the code
//! adds to what is there. Then come records of one length, one for each leaf that the call ran, in order, with the
//! words of all others. An extreme has a word before its scalars that is 0 where nothing was offered; the rest has then
//! no meaning.
use super::is_order_free;
use crate::task::Reduction;

/// The layout for a list of reductions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// For each reduction its first word: of an order-free one from the start, of another from that of the record.
    pub offsets: Vec<usize>,
    /// Number of words accumulated in place.
    pub free: usize,
    /// Number of words of a leaf's record.
    pub record: usize,
}

impl Layout {
    /// The layout of those reductions.
    pub fn of(reductions: &[Reduction]) -> Self {
        let mut layout = Layout::default();
        for reduction in reductions {
            let words: usize = reduction.scalars().map(|ty| ty.words()).sum();
            let (before, words) = match reduction {
                Reduction::Each { .. } if reduction.is_order_free() => (&mut layout.free, words),
                Reduction::Each { .. } => (&mut layout.record, words),
                Reduction::Extreme { .. } => (&mut layout.record, words + 1),
            };
            layout.offsets.push(*before);
            *before += words;
        }
        layout
    }

    /// Words of all reductions with one record: the form of a result.
    pub fn words(&self) -> usize {
        self.free + self.record
    }

    /// First word of a reduction in a result.
    pub fn in_result(&self, number: usize, reduction: &Reduction) -> usize {
        self.offsets[number] + if reduction.is_order_free() { 0 } else { self.free }
    }
}

impl Reduction {
    /// Whether it is accumulated without regard to the order of iterations.
    pub fn is_order_free(&self) -> bool {
        match self {
            Reduction::Each { op, ty, len: _ } => is_order_free(*ty, *op),
            Reduction::Extreme { .. } => false,
        }
    }
}
