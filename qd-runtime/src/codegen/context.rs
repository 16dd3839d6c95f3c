//! The context block: the words through which a launch hands a task its arguments.
//!
//! A block belongs to a task, not to a kernel, so that cached code works wherever the task stands. In words of 8
//! bytes: a pointer to the [`FaultState`](super::fault::FaultState); `lo` and `hi` of each dimension (written by the
//! task's own bounds code, sign- or zero-extended by the dimension's type); for each array its pointer, then its
//! extents; the inputs (bits, zero-extended, two words for 128-bit integers); for each output a pointer to its words; the
//! values that the body has from the bounds (as the inputs, written by the bounds code); for each array whose elements
//! iterations claim a pointer to its claims, one word an element: 0, or the complement of the lowest iteration that has
//! claimed it.
//!
//! A change of this layout, of the entry points' signatures or of the layout of partial results raises
//! [`CONTEXT_ABI`], which is a part of every key.
use qd_ir::arena::Id;
use qd_ir::task::{Array, Input, Output, Task};

/// Version of the layout; a part of every key.
pub const CONTEXT_ABI: u32 = 2;

/// Word of the pointer to the fault state.
pub const FAULTS: usize = 0;

/// Where each argument of a task is in its context block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextLayout {
    dims: usize,
    /// First word of each array.
    arrays: Box<[usize]>,
    /// First word of each input.
    inputs: Box<[usize]>,
    outputs: usize,
    /// First word of each carried value.
    carried: Box<[usize]>,
    /// The arrays with claims, and the word of the pointer to them.
    claims: Box<[(Id<Array>, usize)]>,
    words: usize,
}

impl ContextLayout {
    /// The layout for `task`.
    pub fn of(task: &Task) -> Self {
        let dims = task.dims().len();
        let mut word = 1 + 2 * dims;
        let arrays = task.arrays.values().iter().map(|array| {
            let first = word;
            word += 1 + usize::from(array.ty.rank);
            first
        });
        let arrays = arrays.collect();
        let inputs = task.inputs.values().iter().map(|input| {
            let first = word;
            word += input.ty.words();
            first
        });
        let inputs = inputs.collect();
        let outputs = word;
        word += task.outputs.len();
        let carried = task.carried().iter().map(|value| {
            let first = word;
            word += task.ty(*value).words();
            first
        });
        let carried = carried.collect();
        let claims = task.claimed().into_iter().map(|array| {
            word += 1;
            (array, word - 1)
        });
        let claims = claims.collect();
        ContextLayout { dims, arrays, inputs, outputs, carried, claims, words: word }
    }

    /// Length of the block in words.
    pub fn words(&self) -> usize {
        self.words
    }

    /// Word of the lower bound of dimension `dim`; the end follows.
    pub fn bounds(&self, dim: usize) -> usize {
        debug_assert!(dim < self.dims);
        1 + 2 * dim
    }

    /// Word of an array's pointer; the extents follow.
    pub fn array(&self, array: Id<Array>) -> usize {
        self.arrays[array.index()]
    }

    /// First word of an input.
    pub fn input(&self, input: Id<Input>) -> usize {
        self.inputs[input.index()]
    }

    /// First word of a carried value, by position.
    pub fn carried(&self, number: usize) -> usize {
        self.carried[number]
    }

    /// The arrays with claims, and the word of the pointer to them.
    pub fn claims(&self) -> &[(Id<Array>, usize)] {
        &self.claims
    }

    /// Word of the pointer to an output's words.
    pub fn output(&self, output: Id<Output>) -> usize {
        self.outputs + output.index()
    }
}
