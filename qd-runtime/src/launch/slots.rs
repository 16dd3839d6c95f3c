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

    fn place(&self, word: usize) -> *mut u64 {
        assert!(word < self.len, "a plan names only its own slots");
        // SAFETY: within the slice that `self` borrows.
        unsafe { self.words.add(word) }
    }

    /// The value of a word.
    #[inline]
    pub(super) fn get(&self, word: usize) -> u64 {
        // SAFETY: a word of the borrowed slice. Compiled code that could write it has returned.
        unsafe { self.place(word).read() }
    }

    /// Sets a word.
    #[inline]
    pub(super) fn set(&self, word: usize, value: u64) {
        // SAFETY: as for `get`; nobody holds a reference into the slice.
        unsafe { self.place(word).write(value) };
    }

    /// Where compiled code finds the slot that begins with this word.
    #[inline]
    pub(super) fn address(&self, word: usize) -> u64 {
        self.place(word).expose_provenance() as u64
    }
}
