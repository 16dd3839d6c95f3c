//! Typed handles and the arenas they index. A handle of one arena can't be used on an arena of another type.
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// Index of a `T` in its [`Arena`].
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Id<T>(u32, #[serde(skip)] PhantomData<fn() -> T>);

impl<T> Id<T> {
    /// The handle of position `index`.
    ///
    /// # Panics
    /// If `index` doesn't fit in 32 bits.
    pub fn new(index: usize) -> Self {
        assert!(index <= u32::MAX as usize, "an arena holds at most 2^32 entries");
        Id(index as u32, PhantomData)
    }

    /// Position in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

// Derives would ask for `T: Clone` and so on.
impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Id<T> {}
impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Id<T> {}
impl<T> PartialOrd for Id<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Id<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}
impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// A growing list of `T`, indexed by [`Id<T>`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Arena<T>(Vec<T>);

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena(Vec::new())
    }
}

impl<T> Arena<T> {
    /// An empty arena.
    pub fn new() -> Self {
        Arena(Vec::new())
    }

    /// Appends and returns the handle.
    pub fn push(&mut self, value: T) -> Id<T> {
        let id = Id::new(self.0.len());
        self.0.push(value);
        id
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if it has no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entry, or `None` if the handle is of a longer arena.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        self.0.get(id.index())
    }

    /// Handles and entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Id<T>, &T)> {
        self.0.iter().enumerate().map(|(i, v)| (Id::new(i), v))
    }

    /// The entries in order.
    pub fn values(&self) -> &[T] {
        &self.0
    }
}

impl<T> Index<Id<T>> for Arena<T> {
    type Output = T;
    fn index(&self, id: Id<T>) -> &T {
        &self.0[id.index()]
    }
}

impl<T> IndexMut<Id<T>> for Arena<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.0[id.index()]
    }
}

impl<T> FromIterator<T> for Arena<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        Arena(iter.into_iter().collect())
    }
}
