//! What is known of each byte of memory that lanes share: who wrote and who read it last, and between which barriers.
//!
//! Two accesses conflict where one of them writes, different lanes make them, not both are atomic, and no barrier
//! stands between them: they are of different blocks, or of one block within one *epoch*, the time between two of its
//! barriers. This file knows numbers only.
//!
//! Most memory is accessed in pieces of one size, so one cell is kept for each such piece, until a smaller one comes.

/// A piece that nobody has read or written since `stamp` changed is as new.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    /// Of the launch, or of the block for shared memory; 0 is never one.
    stamp: u32,
    /// 0: written by no lane.
    written: u32,
    /// One more than the number of the lane.
    writer: u32,
    write_site: u32,
    read: u32,
    reader: u32,
    read_site: u32,
    flags: u8,
}

/// The last write was atomic.
const ATOMIC_WRITE: u8 = 1;
/// One of the reads of the last epoch wasn't.
const PLAIN_READ: u8 = 2;
/// Several lanes of the reader's block read it.
const READ_BY_LANES: u8 = 4;
/// Several blocks read it.
const READ_BY_BLOCKS: u8 = 8;
/// Something has been written to it.
const INITIALISED: u8 = 16;

/// Who accesses, and when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Who {
    /// What tells this launch, or this block for shared memory, from others.
    pub(crate) stamp: u32,
    /// Lanes of a block.
    pub(crate) block_size: u32,
    /// Number of the lane in the launch.
    pub(crate) lane: u32,
    /// How many barriers the block has passed.
    pub(crate) epoch: u32,
    /// Number of the instruction.
    pub(crate) site: u32,
}

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) reads: bool,
    pub(crate) writes: bool,
    pub(crate) atomic: bool,
}

/// What an access finds wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// A read of a byte that was never written.
    Uninitialised { byte: usize },
    /// A conflict with an earlier access.
    Race { byte: usize, lane: u32, site: u32, wrote: bool },
}

/// The largest piece that has one cell, as a power of two.
const LARGEST: u32 = 4;

/// Some memory.
#[derive(Debug, Default)]
pub(crate) struct Shadow {
    bytes: usize,
    /// Of the bytes that a cell is for, as a power of two.
    piece: u32,
    /// None before the first access.
    cells: Vec<Cell>,
}

impl Shadow {
    /// Of `bytes` bytes that nobody has touched.
    pub(crate) fn new(bytes: usize) -> Self {
        Shadow { bytes, piece: LARGEST, cells: Vec::new() }
    }

    /// Notes an access to the bytes from `first`. With `races` unset only what is read before it is written is found.
    /// Bytes beyond the end are the caller's to refuse.
    pub(crate) fn touch(
        &mut self,
        first: usize,
        size: usize,
        who: Who,
        access: Access,
        initialised: bool,
        races: bool,
    ) -> Option<Wrong> {
        // At the end of the memory the last piece may be a part of one.
        let whole = if first + size == self.bytes { first } else { first | size };
        self.split(whole.trailing_zeros());
        let pieces = first >> self.piece..first.saturating_add(size).min(self.bytes).div_ceil(1 << self.piece);
        for at in pieces {
            let cell = &mut self.cells[at];
            let byte = at << self.piece;
            if cell.stamp != who.stamp {
                *cell = Cell { stamp: who.stamp, flags: if initialised { INITIALISED } else { 0 }, ..Cell::default() };
            }
            if access.reads && cell.flags & INITIALISED == 0 {
                return Some(Wrong::Uninitialised { byte });
            }
            if races && let Some(wrong) = cell.conflict(byte, who, access) {
                return Some(wrong);
            }
            cell.note(who, access);
        }
        None
    }

    /// Sees to it that pieces are no larger than that power of two.
    fn split(&mut self, piece: u32) {
        if self.cells.is_empty() {
            self.piece = piece.min(LARGEST);
            self.cells = vec![Cell::default(); self.bytes.div_ceil(1 << self.piece)];
        } else if piece < self.piece {
            let parts = 1 << (self.piece - piece);
            self.cells = self.cells.iter().flat_map(|cell| std::iter::repeat_n(*cell, parts)).collect();
            self.piece = piece;
        }
    }
}

impl Cell {
    fn conflict(&self, byte: usize, who: Who, access: Access) -> Option<Wrong> {
        // Block and epoch of another lane against ours; lanes are kept with one added.
        let meets = |lane: u32, epoch: u32| {
            lane != 0
                && lane - 1 != who.lane
                && ((lane - 1) / who.block_size != who.lane / who.block_size || epoch == who.epoch)
        };
        let both_atomic = access.atomic && self.flags & ATOMIC_WRITE != 0;
        if meets(self.writer, self.written) && !both_atomic {
            return Some(Wrong::Race { byte, lane: self.writer - 1, site: self.write_site, wrote: true });
        }
        let many = self.flags & READ_BY_BLOCKS != 0 || self.flags & READ_BY_LANES != 0 && self.read == who.epoch;
        let both_atomic = access.atomic && self.flags & PLAIN_READ == 0;
        if access.writes && self.reader != 0 && (many || meets(self.reader, self.read)) && !both_atomic {
            return Some(Wrong::Race { byte, lane: self.reader - 1, site: self.read_site, wrote: false });
        }
        None
    }

    fn note(&mut self, who: Who, access: Access) {
        if access.reads {
            let mut flags = self.flags & (READ_BY_LANES | READ_BY_BLOCKS | PLAIN_READ);
            let known = self.reader != 0;
            let same_block = known && (self.reader - 1) / who.block_size == who.lane / who.block_size;
            if known && same_block && self.read != who.epoch {
                // A barrier stands between the reads so far and whatever comes: they matter no more, to this block.
                flags &= READ_BY_BLOCKS;
            } else if known && !same_block {
                flags |= READ_BY_BLOCKS;
            } else if known && self.reader - 1 != who.lane {
                flags |= READ_BY_LANES;
            }
            if !access.atomic {
                flags |= PLAIN_READ;
            }
            self.flags = self.flags & !(READ_BY_LANES | READ_BY_BLOCKS | PLAIN_READ) | flags;
            (self.reader, self.read, self.read_site) = (who.lane + 1, who.epoch, who.site);
        }
        if access.writes {
            (self.writer, self.written, self.write_site) = (who.lane + 1, who.epoch, who.site);
            self.flags = self.flags & !ATOMIC_WRITE | INITIALISED | if access.atomic { ATOMIC_WRITE } else { 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: Access = Access { reads: true, writes: false, atomic: false };
    const WRITE: Access = Access { reads: false, writes: true, atomic: false };
    const UPDATE: Access = Access { reads: true, writes: true, atomic: true };
    const LOOK: Access = Access { reads: true, writes: false, atomic: true };

    /// Whether the last of these accesses (lane, epoch, kind) of blocks of 4 lanes to one byte races.
    fn races(accesses: &[(u32, u32, Access)]) -> bool {
        let mut shadow = Shadow::new(1);
        let (last, before) = accesses.split_last().unwrap();
        let mut touch = |&(lane, epoch, access): &(u32, u32, Access)| {
            let who = Who { stamp: 1, block_size: 4, lane, epoch, site: 0 };
            shadow.touch(0, 1, who, access, true, true)
        };
        for access in before {
            assert_eq!(touch(access), None, "{access:?}");
        }
        touch(last).is_some()
    }

    #[test]
    fn lanes_of_a_block_need_a_barrier_between_a_write_and_anything() {
        assert!(races(&[(0, 0, WRITE), (1, 0, READ)]));
        assert!(races(&[(0, 0, WRITE), (1, 0, WRITE)]));
        assert!(races(&[(0, 0, READ), (1, 0, WRITE)]));
        assert!(!races(&[(0, 0, WRITE), (1, 1, READ)]));
        assert!(!races(&[(0, 0, READ), (1, 0, READ)]));
        assert!(!races(&[(0, 0, WRITE), (0, 0, READ), (0, 0, WRITE)]));
        assert!(races(&[(0, 0, READ), (1, 0, READ), (1, 0, WRITE)]));
        assert!(!races(&[(0, 0, READ), (1, 0, READ), (1, 1, WRITE)]));
        assert!(!races(&[(0, 0, READ), (1, 0, READ), (1, 1, READ), (1, 1, WRITE)]));
    }

    #[test]
    fn blocks_are_never_ordered() {
        assert!(races(&[(0, 0, WRITE), (4, 1, READ)]));
        assert!(races(&[(4, 0, READ), (0, 0, READ), (0, 3, WRITE)]));
        assert!(!races(&[(4, 0, READ), (0, 0, READ), (4, 1, READ)]));
    }

    #[test]
    fn atomics_may_meet_atomics_only() {
        assert!(!races(&[(0, 0, UPDATE), (1, 0, UPDATE), (5, 0, UPDATE), (6, 0, LOOK), (0, 0, UPDATE)]));
        assert!(races(&[(0, 0, UPDATE), (1, 0, READ)]));
        assert!(races(&[(0, 0, READ), (1, 0, UPDATE)]));
        assert!(races(&[(0, 0, WRITE), (1, 0, LOOK)]));
    }

    /// Bytes of a word are told apart as soon as one is accessed by itself.
    #[test]
    fn pieces_are_split_where_they_must_be() {
        let mut shadow = Shadow::new(20);
        let who = |lane| Who { stamp: 1, block_size: 4, lane, epoch: 0, site: 0 };
        assert_eq!(shadow.touch(0, 8, who(0), WRITE, true, true), None);
        assert_eq!(shadow.cells.len(), 3);
        assert_eq!(shadow.touch(8, 8, who(1), WRITE, true, true), None);
        assert_eq!(shadow.touch(16, 4, who(2), WRITE, true, true), None);
        assert_eq!(shadow.touch(16, 1, who(2), WRITE, true, true), None);
        assert!(matches!(shadow.touch(15, 1, who(2), READ, true, true), Some(Wrong::Race { byte: 15, lane: 1, .. })));
        assert_eq!(shadow.touch(9, 1, who(1), READ, true, true), None);
        assert!(matches!(shadow.touch(6, 2, who(3), READ, true, true), Some(Wrong::Race { byte: 6, lane: 0, .. })));
    }

    #[test]
    fn what_was_never_written_must_not_be_read() {
        let mut shadow = Shadow::new(8);
        let who = |stamp| Who { stamp, block_size: 1, lane: 0, epoch: 0, site: 0 };
        assert_eq!(shadow.touch(0, 4, who(1), WRITE, false, true), None);
        assert_eq!(shadow.touch(0, 4, who(1), READ, false, true), None);
        assert_eq!(shadow.touch(2, 4, who(1), READ, false, true), Some(Wrong::Uninitialised { byte: 4 }));
        // The next block's is new.
        assert_eq!(shadow.touch(0, 4, who(2), READ, false, true), Some(Wrong::Uninitialised { byte: 0 }));
    }
}
