//! Tasks written as text, compiled and run on arrays of the test.
#![allow(dead_code)] // each test binary uses a part
pub mod interpret;
pub mod native;

use std::sync::atomic::{AtomicU32, Ordering};

use qd_ir::task::Task;
use qd_ir::text::parse;
use qd_runtime::backend::cpu::{Cpu, Pool};
use qd_runtime::backend::{Backend, Executable};
use qd_runtime::codegen::CodegenOptions;
use qd_runtime::codegen::context::ContextLayout;
use qd_runtime::codegen::fault::{FaultRecord, FaultState};
use qd_runtime::target::Target;

/// A task, compiled for this machine.
pub struct Code {
    pub task: Task,
    executable: Box<dyn Executable>,
}

/// What a launch left, beside the arrays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub fault: Option<FaultRecord>,
    pub reductions: Vec<u64>,
    pub outputs: Vec<u64>,
}

/// An array's memory and extents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    pub bytes: Vec<u64>,
    pub extents: Vec<u64>,
}

impl Memory {
    /// One dimension of elements given as bits.
    pub fn of(size: usize, elements: &[u64]) -> Self {
        let mut memory =
            Memory { bytes: vec![0; (elements.len() * size).div_ceil(8)], extents: vec![elements.len() as u64] };
        for (index, &bits) in elements.iter().enumerate() {
            memory.put(size, index, bits);
        }
        memory
    }

    pub fn zeroed(size: usize, extents: &[u64]) -> Self {
        let len = extents.iter().product::<u64>() as usize;
        Memory { bytes: vec![0; (len * size).div_ceil(8)], extents: extents.to_vec() }
    }

    pub fn get(&self, size: usize, index: usize) -> u64 {
        let bits = self.bytes[index * size / 8] >> (index * size % 8 * 8);
        if size == 8 { bits } else { bits & ((1 << (size * 8)) - 1) }
    }

    pub fn put(&mut self, size: usize, index: usize, bits: u64) {
        let (word, shift) = (&mut self.bytes[index * size / 8], index * size % 8 * 8);
        let mask = u64::MAX >> (64 - size * 8);
        *word = *word & !(mask << shift) | (bits & mask) << shift;
    }
}

pub fn parsed(text: &str) -> Task {
    let task = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(violations) = qd_ir::verify::task(&task) {
        panic!("{violations:?}\n{text}");
    }
    task
}

pub fn options(opt_level: u8) -> CodegenOptions {
    CodegenOptions { opt_level, checks: true }
}

impl Code {
    pub fn new(text: &str, opt_level: u8) -> Self {
        Self::of(parsed(text), opt_level)
    }

    pub fn of(task: Task, opt_level: u8) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let stem = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let backend = Cpu::new(Target::host());
        let artifact =
            backend.compile(&task, &stem, options(opt_level)).unwrap_or_else(|error| panic!("{error}\n{task}"));
        let executable = backend.load(&task, &stem, &artifact.bytes).unwrap_or_else(|error| panic!("{error}\n{task}"));
        Code { task, executable }
    }

    /// Runs it on the calling thread.
    pub fn run(&self, arrays: &mut [Memory], inputs: &[u64]) -> Outcome {
        self.run_on(&Pool::new(1).unwrap(), arrays, inputs)
    }

    pub fn run_on(&self, pool: &Pool, arrays: &mut [Memory], inputs: &[u64]) -> Outcome {
        let layout = ContextLayout::of(&self.task);
        let faults = FaultState::new();
        let mut outputs = vec![0u64; self.task.outputs.len()];
        let mut context = vec![0u64; layout.words()];
        context[0] = (&raw const faults).expose_provenance() as u64;
        for ((id, _), memory) in self.task.arrays.iter().zip(arrays) {
            let first = layout.array(id);
            context[first] = memory.bytes.as_mut_ptr().expose_provenance() as u64;
            context[first + 1..][..memory.extents.len()].copy_from_slice(&memory.extents);
        }
        for ((id, _), &input) in self.task.inputs.iter().zip(inputs) {
            context[layout.input(id)] = input;
        }
        for ((id, _), output) in self.task.outputs.iter().zip(&mut outputs) {
            context[layout.output(id)] = (&raw mut *output).expose_provenance() as u64;
        }
        let mut reductions = vec![0; self.task.reductions().len()];
        self.executable.execute(&mut context, &faults, pool, None, &mut reductions).unwrap();
        Outcome { fault: faults.take(), reductions, outputs }
    }
}
