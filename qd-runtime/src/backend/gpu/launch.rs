//! A launch on a device: bounds, claims, iterations, the fold of what they leave, and what they report.
//!
//! The same for every device. Arrays and the slots that a task writes are copied to the device and back, unless it uses
//! the host's memory in place.
use std::mem::MaybeUninit;
use std::sync::Arc;

use qd_ir::reduce::LEAF;
use qd_ir::task::{Reduction, Task, TaskKind};
use qd_ir::types::Scalar;

use super::report::{HEAD, Layout};
use super::{Device, Module};
use crate::backend::Executable;
use crate::backend::cpu::pool::Pool;
use crate::backend::cpu::reduce::Reductions;
use crate::backend::domain::{Claims, Domain};
use crate::codegen::CodegenOptions;
use crate::codegen::context::{self, ContextLayout};
use crate::codegen::fault::FaultState;
use crate::codegen::grid::layout::{EXTREME_HEAD, FOLD_BLOCK, FOLDED, GridLayout, Place};
use crate::codegen::grid::{fold_symbol, gather_symbol};
use crate::codegen::task::{bounds_symbol, run_symbol, stored_arrays};
use crate::error::{Error, Result};

/// Bytes that the lanes' copies of lists may take; with longer lists fewer lanes share the work.
const LIST_BYTES: u64 = 64 << 20;

/// A task on a device.
pub(super) struct GpuTask {
    device: Arc<dyn Device>,
    module: Box<dyn Module>,
    stem: String,
    parallel: bool,
    layout: ContextLayout,
    domain: Domain,
    grid: GridLayout,
    report: Layout,
    arrays: Box<[ArrayWords]>,
    /// For each output the word of its address, and how many words it has.
    outputs: Box<[(usize, usize)]>,
    /// Words that the bounds entry writes.
    bounded: Box<[usize]>,
    list: Box<[Reduction]>,
    reductions: Reductions,
}

/// An array of a task.
struct ArrayWords {
    /// The word of its address; extents follow.
    word: usize,
    rank: usize,
    /// Bytes of an element.
    size: usize,
    written: bool,
}

/// Memory of the device for the time of a launch.
struct Memory<'d> {
    device: &'d dyn Device,
    at: u64,
    bytes: usize,
}

impl<'d> Memory<'d> {
    fn new(device: &'d dyn Device, bytes: usize) -> Result<Self> {
        // Something, so that every address is one.
        Ok(Memory { device, at: device.alloc(bytes.max(1))?, bytes })
    }

    fn of_words(device: &'d dyn Device, words: &[u64]) -> Result<Self> {
        let memory = Memory::new(device, size_of_val(words))?;
        memory.put(words)?;
        Ok(memory)
    }

    fn put(&self, words: &[u64]) -> Result<()> {
        self.device.write(self.at, as_bytes(words))
    }

    fn get(&self, words: &mut [u64]) -> Result<()> {
        self.device.read(self.at, as_bytes_mut(words))
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        self.device.free(self.at, self.bytes.max(1));
    }
}

fn as_bytes(words: &[u64]) -> &[MaybeUninit<u8>] {
    // SAFETY: the same memory, in bytes that may be anything.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

fn as_bytes_mut(words: &mut [u64]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: as above; devices write bytes there, of which any are words.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), size_of_val(words)) }
}

/// The bytes of an array of the launch.
///
/// # Safety
/// `at` is the address of so many bytes that live for `'a` and that nobody writes meanwhile.
unsafe fn host<'a>(at: u64, bytes: usize) -> &'a [MaybeUninit<u8>] {
    if bytes == 0 {
        return &[];
    }
    // SAFETY: by the contract above.
    unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(at as usize), bytes) }
}

/// The bytes of an array or slot that the launch writes.
///
/// # Safety
/// `at` is the address of so many bytes that live for `'a` and that nobody accesses otherwise meanwhile.
unsafe fn host_mut<'a>(at: u64, bytes: usize) -> &'a mut [MaybeUninit<u8>] {
    if bytes == 0 {
        return &mut [];
    }
    // SAFETY: by the contract above.
    unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(at as usize), bytes) }
}

impl GpuTask {
    pub(super) fn new(
        device: Arc<dyn Device>,
        module: Box<dyn Module>,
        task: &Task,
        stem: &str,
        options: CodegenOptions,
    ) -> Self {
        let layout = ContextLayout::of(task);
        let stored = stored_arrays(task);
        let arrays = task.arrays.iter().map(|(id, array)| ArrayWords {
            word: layout.array(id),
            rank: array.ty.rank.into(),
            size: array.ty.element.size as usize,
            written: stored[id.index()],
        });
        let outputs = task.outputs.iter().map(|(id, output)| (layout.output(id), output.ty.words()));
        let mut bounded: Vec<usize> = Vec::new();
        for dim in 0..task.dims().len() {
            bounded.extend([layout.bounds(dim), layout.bounds(dim) + 1]);
        }
        for (number, value) in task.carried().iter().enumerate() {
            let first = layout.carried(number);
            bounded.extend(first..first + task.ty(*value).words());
        }
        GpuTask {
            device,
            module,
            stem: stem.to_owned(),
            parallel: !matches!(task.kind, TaskKind::Serial),
            domain: Domain::of(task, &layout),
            grid: GridLayout::of(task, options),
            report: Layout::of(task),
            arrays: arrays.collect(),
            outputs: outputs.collect(),
            bounded: bounded.into(),
            list: task.reductions().into(),
            reductions: Reductions::new(task.reductions()),
            layout,
        }
    }

    /// How many blocks share out that many leaves or iterations.
    fn blocks(&self, len: u64) -> u32 {
        let each =
            if self.grid.has_records() { u64::from(self.grid.groups()) * LEAF } else { u64::from(self.grid.block) };
        let mut most = u64::from(self.device.most_blocks().max(1));
        let of_block = (self.grid.lists as u64 * 8).saturating_mul(self.grid.block.into());
        if let Some(fitting) = LIST_BYTES.checked_div(of_block) {
            most = most.min(fitting.max(1));
        }
        // At most `most`, which has 32 bits.
        len.div_ceil(each).clamp(1, most) as u32
    }

    /// Runs the iterations and leaves what reductions come to.
    fn iterations(&self, context: &Memory<'_>, len: u64, faults: &Memory<'_>, result: &mut [u64]) -> Result<()> {
        let device = &*self.device;
        let blocks = self.blocks(len);
        let leaves = if self.grid.has_records() { len.div_ceil(LEAF) } else { 0 };
        let too_many = || Error::internal(format_args!("{leaves} leaves don't fit an address space"));
        let records = usize::try_from(leaves).ok().and_then(|leaves| leaves.checked_mul(8 * self.grid.record));
        let partials = Memory::new(device, records.ok_or_else(too_many)?)?;
        let lanes = u64::from(blocks) * u64::from(self.grid.block);
        let copies = usize::try_from(lanes).ok().and_then(|lanes| lanes.checked_mul(8 * self.grid.lists));
        let scratch = Memory::new(device, copies.ok_or_else(too_many)?)?;
        let arguments = [context.at, 0, len, blocks.into(), partials.at, scratch.at];
        self.module.launch(&run_symbol(&self.stem), blocks, self.grid.block, &arguments)?;
        let mut head = [0; HEAD];
        faults.get(&mut head)?;
        if head[0] != u64::MAX || self.list.is_empty() {
            return Ok(());
        }
        if leaves > 0 {
            let mut stride = 1u64;
            while stride < leaves {
                let blocks = leaves.div_ceil(stride.saturating_mul(FOLDED)).min(device.most_blocks().max(1).into());
                let arguments = [partials.at, leaves, stride, blocks];
                self.module.launch(&fold_symbol(&self.stem), blocks as u32, FOLD_BLOCK, &arguments)?;
                stride = stride.saturating_mul(FOLDED);
            }
            let mut record = vec![0; self.grid.record];
            partials.get(&mut record)?;
            self.take_record(&record, result);
        }
        if self.grid.lists > 0 {
            let lists = Memory::of_words(device, result)?;
            let blocks = device.most_blocks().clamp(1, 1024);
            let arguments = [scratch.at, lanes, blocks.into(), lists.at];
            self.module.launch(&gather_symbol(&self.stem), blocks, FOLD_BLOCK, &arguments)?;
            lists.get(result)?;
        }
        Ok(())
    }

    /// The words of the last record in the form of a result.
    fn take_record(&self, record: &[u64], result: &mut [u64]) {
        for (number, (reduction, place)) in self.list.iter().zip(&self.grid.places).enumerate() {
            let Place::Record(from) = *place else { continue };
            let to = self.reductions.layout.in_result(number, reduction);
            let words: usize = reduction.scalars().map(Scalar::words).sum();
            match reduction {
                Reduction::Each { .. } => result[to..][..words].copy_from_slice(&record[from..][..words]),
                Reduction::Extreme { .. } => {
                    result[to] = record[from];
                    result[to + 1..][..words].copy_from_slice(&record[from + EXTREME_HEAD..][..words]);
                }
            }
        }
    }

    /// What the launch reported.
    fn report(&self, memory: &Memory<'_>, faults: &FaultState) -> Result<()> {
        let mut head = [0; HEAD];
        memory.get(&mut head)?;
        let mut block = vec![0; self.report.used(&head)];
        memory.get(&mut block)?;
        let dropped = self.report.read(&block, faults)?;
        if dropped > 0 {
            tracing::warn!(dropped, "a task printed more lines than the device has room for");
            eprintln!("qd: {dropped} lines that a kernel printed were dropped: the device has no room for more");
        }
        Ok(())
    }

    fn run(&self, words: &mut [u64], context: &mut [u64], faults: &FaultState, result: &mut [u64]) -> Result<()> {
        let device = &*self.device;
        let report = Memory::new(device, 8 * self.report.words())?;
        report.put(&self.report.head())?;
        words[context::FAULTS] = report.at;
        let memory = Memory::of_words(device, words)?;
        if !self.parallel {
            let arguments = [memory.at, 0, 1, 1, report.at, report.at];
            self.module.launch(&run_symbol(&self.stem), 1, self.grid.block, &arguments)?;
            return self.report(&report, faults);
        }
        self.module.launch(&bounds_symbol(&self.stem), 1, 1, &[memory.at])?;
        memory.get(words)?;
        for &word in &self.bounded {
            context[word] = words[word];
        }
        self.report(&report, faults)?;
        if faults.failed() {
            return Ok(());
        }
        let len = self.domain.iterations(context)?;
        self.reductions.clear(result);
        if len == 0 {
            return Ok(());
        }
        let mut claims = Vec::new();
        for own in self.domain.claims() {
            let elements = own.elements(context);
            let bytes = elements.checked_mul(8).ok_or_else(|| Claims::no_room(elements))?;
            let claim = Memory::new(device, bytes)?;
            words[own.word] = claim.at;
            claims.push(claim);
        }
        // Lines of the bounds were read, so they must not be there a second time.
        report.put(&self.report.head())?;
        memory.put(words)?;
        self.iterations(&memory, len, &report, result)?;
        self.report(&report, faults)
    }
}

impl Executable for GpuTask {
    fn execute(
        &self,
        context: &mut [u64],
        faults: &FaultState,
        _pool: &Pool,
        _grain: Option<u64>,
        reductions: &mut [u64],
    ) -> Result<()> {
        if context.len() != self.layout.words() || reductions.len() != self.reductions.layout.words() {
            return Err(Error::internal("a task got a context block of another task"));
        }
        let device = &*self.device;
        let mut words = context.to_vec();
        if device.shares_memory() {
            return self.run(&mut words, context, faults, reductions);
        }
        let mut copies = Vec::new();
        for array in &self.arrays {
            let extents = &context[array.word + 1..][..array.rank];
            let len = extents.iter().fold(array.size as u64, |len, extent| len.wrapping_mul(*extent)) as usize;
            // SAFETY: the launcher passes arrays that exist for the time of the launch, in which the caller lends them: what
            // is only read is read by others at most, what is written is the launch's alone.
            let own = unsafe { host(context[array.word], len) };
            let copy = Memory::new(device, len)?;
            device.write(copy.at, own)?;
            words[array.word] = copy.at;
            copies.push(copy);
        }
        for &(word, len) in &self.outputs {
            let copy = Memory::new(device, 8 * len)?;
            words[word] = copy.at;
            copies.push(copy);
        }
        self.run(&mut words, context, faults, reductions)?;
        let written = self.arrays.iter().map(|array| (array.word, array.written));
        let outputs = self.outputs.iter().map(|(word, _)| (*word, true));
        for ((word, written), copy) in written.chain(outputs).zip(&copies) {
            if written {
                // SAFETY: as above; a task that writes an array has it to itself.
                device.read(copy.at, unsafe { host_mut(context[word], copy.bytes) })?;
            }
        }
        Ok(())
    }
}
