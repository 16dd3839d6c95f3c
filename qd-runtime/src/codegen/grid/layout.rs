//! How the code of a task is launched on lanes, and where what they leave lies. Read by the generator and by who launches.
//!
//! A *record* is what a leaf comes to: of each reduction but lists its words; of an extreme whether there is one, the
//! iteration that it is of, then its scalars. A *list* has a copy for each lane in scratch memory: the copies of its first
//! scalar, lane by lane, then those of the second, so that lanes side by side find theirs side by side.
use qd_ir::task::{Reduction, Task, TaskKind};

use crate::codegen::CodegenOptions;

/// Lanes of a block where the kernel doesn't say.
const BLOCK: u32 = 256;
/// Blocks have a multiple of this many lanes: those of a leaf.
const WARP: u32 = qd_ir::reduce::LANES as u32;
/// No device has larger blocks.
const MAX_BLOCK: u32 = 1024;
/// Words that the lanes of a block may share: 48 KiB, which every device has.
const SHARED_WORDS: usize = 6 << 10;

/// Lanes of a block of the entries that combine what others left.
pub const FOLD_BLOCK: u32 = 256;
/// Records that a block of the `fold` entry makes one of.
pub const FOLDED: u64 = 2 * FOLD_BLOCK as u64;

/// The layout of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GridLayout {
    /// Lanes of a block of the `run` entry.
    pub block: u32,
    /// For each reduction of the task.
    pub places: Vec<Place>,
    /// Words of a record.
    pub record: usize,
    /// Words of a lane's lists.
    pub lists: usize,
    /// Words that a lane shares with those of its leaf.
    pub shared: usize,
}

/// Where a reduction is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Its first word in a record.
    Record(usize),
    /// The words of a lane's lists in front of it.
    List(usize),
}

/// Words in front of the scalars of an extreme in a record: whether there is one, and of which iteration.
pub const EXTREME_HEAD: usize = 2;

impl GridLayout {
    /// The layout for `task`.
    pub fn of(task: &Task, options: CodegenOptions) -> Self {
        let reductions = match &task.kind {
            TaskKind::Serial => {
                return GridLayout { block: 1, places: Vec::new(), record: 0, lists: 0, shared: 0 };
            }
            TaskKind::Parallel { reductions, .. } => reductions.values(),
        };
        let (mut record, mut lists, mut shared) = (0, 0, 0);
        let places = reductions.iter().map(|reduction| {
            let words: usize = reduction.scalars().map(|ty| ty.words()).sum();
            let (place, total, words) = match reduction {
                Reduction::Each { len: 2.., .. } => (Place::List(lists), &mut lists, words),
                Reduction::Each { .. } => {
                    shared = shared.max(words);
                    (Place::Record(record), &mut record, words)
                }
                Reduction::Extreme { key, .. } => {
                    shared = shared.max(EXTREME_HEAD + key.iter().map(|ty| ty.words()).sum::<usize>());
                    (Place::Record(record), &mut record, EXTREME_HEAD + words)
                }
            };
            *total += words;
            place
        });
        let places = places.collect();
        let wanted = options.block.unwrap_or(BLOCK).clamp(1, MAX_BLOCK).next_multiple_of(WARP);
        let most = (SHARED_WORDS.checked_div(shared).unwrap_or(usize::MAX) as u32).max(WARP) / WARP * WARP;
        GridLayout { block: wanted.min(most), places, record, lists, shared }
    }

    /// Whether the lanes of a leaf have room for what they share.
    pub fn fits(&self) -> bool {
        self.shared * WARP as usize <= SHARED_WORDS
    }

    /// Leaves that a block works on at once.
    pub fn groups(&self) -> u32 {
        self.block / WARP
    }

    /// Whether leaves leave records.
    pub fn has_records(&self) -> bool {
        self.record > 0
    }
}

#[cfg(test)]
mod tests {
    use qd_ir::arena::Arena;
    use qd_ir::body::Region;
    use qd_ir::op::ReduceOp;
    use qd_ir::task::Order;
    use qd_ir::types::Scalar;

    use super::*;

    fn layout(reductions: Vec<Reduction>, block: Option<u32>) -> GridLayout {
        let mut all = Arena::new();
        for reduction in reductions {
            all.push(reduction);
        }
        let kind =
            TaskKind::Parallel { bounds: Region::default(), carried: Vec::new(), dims: Vec::new(), reductions: all };
        GridLayout::of(&Task::new(kind), CodegenOptions { opt_level: 3, checks: true, races: false, block })
    }

    fn each(ty: Scalar, len: u32) -> Reduction {
        Reduction::Each { op: ReduceOp::Add, ty, len }
    }

    #[test]
    fn blocks_are_whole_warps_that_fit() {
        for (asked, given) in [(None, 256), (Some(1), 32), (Some(33), 64), (Some(128), 128), (Some(5000), 1024)] {
            assert_eq!(layout(Vec::new(), asked).block, given);
        }
        // 15 words a lane: 409 of them fit.
        let order = Order { greatest: true, last: false };
        let wide = Reduction::Extreme { order, key: vec![Scalar::U64; 13], with: Vec::new() };
        let wide = layout(vec![wide], Some(1024));
        assert_eq!((wide.block, wide.fits()), (384, true));
        let wider = Reduction::Extreme { order, key: vec![Scalar::U64; 200], with: Vec::new() };
        assert!(!layout(vec![wider], None).fits());
    }

    #[test]
    fn lists_are_apart_from_records() {
        let order = Order { greatest: false, last: false };
        let extreme = Reduction::Extreme { order, key: vec![Scalar::F32], with: vec![Scalar::U128] };
        let layout = layout(vec![each(Scalar::F64, 1), each(Scalar::I128, 3), extreme, each(Scalar::U8, 5)], None);
        assert_eq!(layout.places, [Place::Record(0), Place::List(0), Place::Record(1), Place::List(6)]);
        assert_eq!((layout.record, layout.lists, layout.shared), (6, 11, 3));
    }
}
