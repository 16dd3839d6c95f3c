//! A task in its kernel: its code, and the copy program that fills its context block at each launch.
use std::sync::Arc;

use qd_ir::fault::Site;
use qd_ir::plan::{Construct, Kernel, Source};
use qd_ir::reduce::Layout;
use qd_ir::words;

use super::apart::Apart;
use super::slots::Slots;
use crate::backend::Executable;
use crate::codegen::context::{self, ContextLayout};

/// A construct with its code.
pub(super) struct Bound {
    pub(super) code: Arc<dyn Executable>,
    /// The context block with its constants, zero elsewhere.
    template: Box<[u64]>,
    fills: Box<[Fill]>,
    /// Whether its iterations print.
    pub(super) prints: bool,
    /// Where its code leaves what its reductions come to.
    pub(super) reduced: Layout,
    /// What is known of its launch predicate.
    pub(super) apart: Apart,
}

/// A step of the copy program. Numbers are of words.
#[derive(Debug, Clone, Copy)]
enum Fill {
    /// Consecutive words of the arguments.
    Words { from: u32, to: u32, count: u32 },
    /// A product of consecutive words of the arguments.
    Product { from: u32, to: u32, count: u32 },
    /// A word of the slots.
    Slot { from: u32, to: u32 },
    /// The address of a word of the slots.
    SlotAddress { from: u32, to: u32 },
}

impl Bound {
    /// Binds the code of `construct`.
    pub(super) fn new(construct: &Construct, kernel: &Kernel, code: Arc<dyn Executable>) -> Self {
        let task = &construct.task;
        let layout = ContextLayout::of(task);
        // Blocks are far shorter than 2^32 words.
        let at = |word: usize| word as u32;
        let mut template = vec![0; layout.words()];
        let mut fills = Vec::new();
        for ((id, array), binding) in task.arrays.iter().zip(&construct.arrays) {
            let count = 1 + u32::from(array.ty.rank);
            fills.push(Fill::Words { from: binding.word, to: at(layout.array(id)), count });
        }
        for ((id, input), source) in task.inputs.iter().zip(&construct.inputs) {
            let (to, count) = (at(layout.input(id)), input.ty.words() as u32);
            match *source {
                Source::Word(from) => fills.push(Fill::Words { from, to, count }),
                Source::Product { first, rank } => fills.push(Fill::Product { from: first, to, count: rank.into() }),
                Source::Slot(slot) => {
                    let from = kernel.slots[slot].word;
                    fills.extend((0..count).map(|word| Fill::Slot { from: from + word, to: to + word }));
                }
                Source::Const(value) => words::put(value.ty, value.bits, &mut template[to as usize..]),
            }
        }
        for ((id, _), &slot) in task.outputs.iter().zip(&construct.outputs) {
            fills.push(Fill::SlotAddress { from: kernel.slots[slot].word, to: at(layout.output(id)) });
        }
        let prints = task.sites.values().contains(&Site::Print);
        let reduced = Layout::of(task.reductions());
        Bound { code, template: template.into(), fills: fills.into(), prints, reduced, apart: Apart::default() }
    }

    /// Length of the context block.
    pub(super) fn words(&self) -> usize {
        self.template.len()
    }

    /// Writes the context block of one run: `context` has [`words`](Bound::words) words.
    #[inline]
    pub(super) fn fill(&self, context: &mut [u64], faults: u64, arguments: &[u64], slots: &Slots<'_>) {
        context.copy_from_slice(&self.template);
        context[context::FAULTS] = faults;
        for fill in &self.fills {
            match *fill {
                Fill::Words { from, to, count } => {
                    let (from, to, count) = (from as usize, to as usize, count as usize);
                    context[to..to + count].copy_from_slice(&arguments[from..from + count]);
                }
                Fill::Product { from, to, count } => context[to as usize] = product(arguments, from, count),
                Fill::Slot { from, to } => context[to as usize] = slots.get(from as usize),
                Fill::SlotAddress { from, to } => context[to as usize] = slots.address(from as usize),
            }
        }
    }
}

/// The length of an array from its extents. Arrays of more than 2^64 elements don't exist, so it can't overflow.
pub(super) fn product(arguments: &[u64], first: u32, count: u32) -> u64 {
    arguments[first as usize..][..count as usize].iter().fold(1, |product, extent| product.wrapping_mul(*extent))
}
