//! Words of 64 bits on the stack: arguments of compiled code without an allocation where there are few.
use std::ops::{Deref, DerefMut};

/// `len` words, up to `N` of them in place.
pub(super) struct Words<const N: usize> {
    few: [u64; N],
    many: Vec<u64>,
    len: usize,
}

impl<const N: usize> Words<N> {
    /// That many zeros.
    #[inline]
    pub(super) fn zeroed(len: usize) -> Self {
        // An empty `Vec` allocates nothing.
        Words { few: [0; N], many: if len > N { vec![0; len] } else { Vec::new() }, len }
    }
}

impl<const N: usize> Deref for Words<N> {
    type Target = [u64];
    #[inline]
    fn deref(&self) -> &[u64] {
        if self.len > N { &self.many } else { &self.few[..self.len] }
    }
}

impl<const N: usize> DerefMut for Words<N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        if self.len > N { &mut self.many } else { &mut self.few[..self.len] }
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn few_and_many_words_are_zeros_that_can_be_set() {
        for len in [0, 1, 3, 4, 5, 100] {
            let mut words = Words::<4>::zeroed(len);
            assert_eq!(*words, vec![0; len]);
            for (i, word) in words.iter_mut().enumerate() {
                *word = i as u64;
            }
            assert_eq!(*words, (0..len as u64).collect::<Vec<_>>());
        }
    }
}
