//! A thread's block of neighbouring chunks.
use super::sync::{AtomicU64, Ordering};

/// The chunks of a block that aren't taken yet, as `front << 32 | back`, on cache lines of its own.
///
/// One word, so that its owner, who takes from the front, and the others, who take from the back, never take the same.
#[repr(align(128))]
pub(super) struct Home(AtomicU64);

/// Splits `chunks` (at least one each, and few enough for 32 bits) into `count` blocks of neighbours. What doesn't go
/// round is for the first, whose thread is there from the start.
pub(super) fn homes(chunks: u64, count: u64) -> Box<[Home]> {
    let border = |k: u64| (chunks * k).div_ceil(count);
    (0..count).map(|k| Home(AtomicU64::new(border(k) << 32 | border(k + 1)))).collect()
}

impl Home {
    /// Takes a chunk.
    pub(super) fn take(&self, owner: bool) -> Option<u64> {
        let fewer = |home: u64| (left(home) > 0).then(|| if owner { home + (1 << 32) } else { home - 1 });
        let before = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer).ok()?;
        Some(if owner { before >> 32 } else { (before & 0xffff_ffff) - 1 })
    }

    /// Number of chunks left.
    pub(super) fn left(&self) -> u64 {
        left(self.0.load(Ordering::Relaxed))
    }

    /// Leaves none.
    pub(super) fn empty(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

fn left(home: u64) -> u64 {
    (home & 0xffff_ffff).saturating_sub(home >> 32)
}
