//! Tasks written as text, compiled and run on arrays of the test.
#![allow(dead_code)] // each test binary uses a part
pub mod interpret;
pub mod native;
pub mod rows;
pub mod tasks;

use std::sync::atomic::{AtomicU32, Ordering};

use qd_ir::reduce::Layout;
use qd_ir::task::{Reduction, Task};
use qd_ir::text::parse;
use qd_ir::types::Scalar;
use qd_ir::words;
use qd_runtime::backend::cpu::{Cpu, Pool};
use qd_runtime::backend::{Backend, Executable};
use qd_runtime::codegen::CodegenOptions;
use qd_runtime::codegen::context::ContextLayout;
use qd_runtime::codegen::fault::{FaultRecord, FaultState};
use qd_runtime::target::CpuTarget;

/// A task, compiled for this machine.
pub struct Code {
    pub task: Task,
    executable: Box<dyn Executable>,
}

/// What a launch left, beside the arrays, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub fault: Option<FaultRecord>,
    pub reductions: Vec<u64>,
    pub outputs: Vec<u64>,
}

/// An array's memory, aligned for every element, and extents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    pub bytes: Vec<u128>,
    pub extents: Vec<u64>,
}

impl Memory {
    /// One dimension of elements given as bits.
    pub fn of(size: usize, elements: &[u128]) -> Self {
        let mut memory = Memory::zeroed(size, &[elements.len() as u64]);
        for (index, &bits) in elements.iter().enumerate() {
            memory.put(size, index, bits);
        }
        memory
    }

    pub fn zeroed(size: usize, extents: &[u64]) -> Self {
        let len = extents.iter().product::<u64>() as usize;
        Memory { bytes: vec![0; (len * size).div_ceil(16)], extents: extents.to_vec() }
    }

    pub fn get(&self, size: usize, index: usize) -> u128 {
        let mask = u128::MAX >> (128 - size * 8);
        self.bytes[index * size / 16] >> (index * size % 16 * 8) & mask
    }

    pub fn put(&mut self, size: usize, index: usize, bits: u128) {
        let (word, shift) = (&mut self.bytes[index * size / 16], index * size % 16 * 8);
        let mask = u128::MAX >> (128 - size * 8);
        *word = *word & !(mask << shift) | (bits & mask) << shift;
    }
}

/// The words of scalars of those types.
pub fn words_of(scalars: impl IntoIterator<Item = (Scalar, u128)>) -> Vec<u64> {
    let mut all = Vec::new();
    for (ty, bits) in scalars {
        let mut own = vec![0; ty.words()];
        words::put(ty, bits, &mut own);
        all.extend(own);
    }
    all
}

pub fn parsed(text: &str) -> Task {
    let task = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(violations) = qd_ir::verify::task(&task) {
        panic!("{violations:?}\n{text}");
    }
    task
}

pub fn options(opt_level: u8) -> CodegenOptions {
    CodegenOptions { opt_level, checks: true, races: false, block: None }
}

impl Code {
    pub fn new(text: &str, opt_level: u8) -> Self {
        Self::of(parsed(text), opt_level)
    }

    pub fn of(task: Task, opt_level: u8) -> Self {
        Self::with(task, opt_level, CpuTarget::host())
    }

    /// For another target, which this machine is too.
    pub fn with(task: Task, opt_level: u8, target: CpuTarget) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let stem = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let backend = Cpu::new(target);
        let artifact =
            backend.compile(&task, &stem, options(opt_level)).unwrap_or_else(|error| panic!("{error}\n{task}"));
        let executable = backend
            .load(&task, &stem, options(opt_level), &artifact.bytes)
            .unwrap_or_else(|error| panic!("{error}\n{task}"));
        Code { task, executable }
    }

    /// Runs it on the calling thread. The inputs are words.
    pub fn run(&self, arrays: &mut [Memory], inputs: &[u64]) -> Outcome {
        self.run_on(&Pool::new(1).unwrap(), arrays, inputs)
    }

    pub fn run_on(&self, pool: &Pool, arrays: &mut [Memory], inputs: &[u64]) -> Outcome {
        let layout = ContextLayout::of(&self.task);
        let faults = FaultState::new();
        let widths = |types: Vec<Scalar>| types.into_iter().map(Scalar::words).sum::<usize>();
        let mut outputs = vec![0u64; widths(self.task.outputs.values().iter().map(|output| output.ty).collect())];
        let mut context = vec![0u64; layout.words()];
        context[0] = (&raw const faults).expose_provenance() as u64;
        for ((id, _), memory) in self.task.arrays.iter().zip(arrays) {
            let first = layout.array(id);
            context[first] = memory.bytes.as_mut_ptr().expose_provenance() as u64;
            context[first + 1..][..memory.extents.len()].copy_from_slice(&memory.extents);
        }
        let mut rest = inputs;
        for (id, input) in self.task.inputs.iter() {
            let (own, others) = rest.split_at(input.ty.words());
            context[layout.input(id)..][..own.len()].copy_from_slice(own);
            rest = others;
        }
        let mut at = outputs.as_mut_ptr();
        for (id, output) in self.task.outputs.iter() {
            context[layout.output(id)] = at.expose_provenance() as u64;
            at = at.wrapping_add(output.ty.words());
        }
        let layout = Layout::of(self.task.reductions());
        let mut result = vec![0; layout.words()];
        self.executable.execute(&mut context, &faults, pool, None, &mut result).unwrap();
        let mut reductions = Vec::new();
        for (number, reduction) in self.task.reductions().iter().enumerate() {
            let words = &result[layout.in_result(number, reduction)..];
            let offered = matches!(reduction, Reduction::Extreme { .. });
            let scalars = reduction.scalars().map(Scalar::words).sum::<usize>() + usize::from(offered);
            // Without an offer the rest has no meaning.
            let some = !offered || words[0] != 0;
            reductions.extend(words[..scalars].iter().map(|word| if some { *word } else { 0 }));
        }
        Outcome { fault: faults.take(), reductions, outputs }
    }
}
