//! The slots of one launch: scalars that outlive a task, on the caller's stack.
//!
//! Serial tasks write them through addresses in their context blocks, so everything here goes through one pointer,
//! which the compiled code shares.
use std::marker::PhantomData;

/// The words of the slots.
pub(super) struct Slots<'a> {
    words: *mut u64,
    len: usize,
    owner: PhantomData<&'a mut [u64]>,
}

impl<'a> Slots<'a> {
    #[inline]
    pub(super) fn new(words: &'a mut [u64]) -> Self {
        Slots { words: words.as_mut_ptr(), len: words.len(), owner: PhantomData }
    }

    fn place(&self, slot: usize) -> *mut u64 {
        assert!(slot < self.len, "a plan names only its own slots");
        // SAFETY: within the slice that `self` borrows.
        unsafe { self.words.add(slot) }
    }

    /// The value of a slot.
    #[inline]
    pub(super) fn get(&self, slot: usize) -> u64 {
        // SAFETY: a word of the borrowed slice. Compiled code that could write it has returned.
        unsafe { self.place(slot).read() }
    }

    /// Sets a slot.
    #[inline]
    pub(super) fn set(&self, slot: usize, value: u64) {
        // SAFETY: as for `get`; nobody holds a reference into the slice.
        unsafe { self.place(slot).write(value) };
    }

    /// Where compiled code finds the slot.
    #[inline]
    pub(super) fn address(&self, slot: usize) -> u64 {
        self.place(slot).expose_provenance() as u64
    }
}
