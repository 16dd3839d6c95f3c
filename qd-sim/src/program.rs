//! GPU code in memory, retargeted to the host: its kernels and its variables.
use std::sync::atomic::{AtomicUsize, Ordering};

use inkwell::context::Context;
use qd_runtime::backend::cpu::orc::{Jit, LoadedObject};
use qd_runtime::error::Result;
use qd_runtime::llvm::{self, Llvm};

use crate::finding::misuse;
use crate::machine::{BlockLimit, Machine};
use crate::retarget::{self, Retargeted};

/// What a variable of the program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GlobalKind {
    /// Each block has it for itself; it begins without a value.
    Shared,
    /// Only read.
    Constant,
    /// Of the device.
    Variable,
}

/// A variable of the program.
#[derive(Debug)]
pub(crate) struct Global {
    /// In the GPU code.
    pub(crate) name: String,
    pub(crate) kind: GlobalKind,
    pub(crate) at: u64,
    pub(crate) bytes: u64,
}

/// Runs one lane over the words of a kernel's arguments.
pub(crate) type Entry = unsafe extern "C" fn(*const u64);

/// A kernel.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    pub(crate) entry: Entry,
    pub(crate) parameters: usize,
    pub(crate) limit: BlockLimit,
}

/// GPU code that can be launched.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) machine: Machine,
    /// Lanes of a warp or wave.
    pub(crate) warp: u32,
    pub(crate) kernels: Vec<Kernel>,
    pub(crate) globals: Vec<Global>,
    /// Bytes of a lane's stack.
    pub(crate) stack: usize,
    artifact: Box<[u8]>,
    /// Keeps the code in memory.
    _object: LoadedObject,
}

/// Programs so far: names of what the JIT loads have to differ.
static SERIAL: AtomicUsize = AtomicUsize::new(0);

/// A stack's bytes without what lanes keep on it, those of an instruction's value, and the most that lanes may keep.
const STACK: usize = 64 << 10;
const VALUE: usize = 16;
const MOST_PRIVATE: u64 = 512 << 10;

impl Program {
    /// Makes LLVM IR for a GPU, as text or bitcode, runnable.
    pub(crate) fn load(artifact: &[u8]) -> Result<Program> {
        let llvm = llvm::get()?;
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let Retargeted { object, machine, warp, kernels, globals, private, instructions } =
            retarget::retarget(llvm, artifact, serial)?;
        if private > MOST_PRIVATE {
            let what = format!("lanes with {private} bytes of private memory; at most {MOST_PRIVATE} are simulated");
            return Err(misuse(machine, what));
        }
        let symbols: Vec<&str> = kernels
            .iter()
            .map(|kernel| kernel.symbol.as_str())
            .chain(globals.iter().map(|global| global.symbol.as_str()))
            .collect();
        let object = Jit::get(llvm)?.load(&object, &symbols)?;
        let (entries, places) = object.addresses().split_at(kernels.len());
        let kernels = kernels.into_iter().zip(entries).map(|(kernel, entry)| {
            let entry = std::ptr::with_exposed_provenance::<()>(*entry);
            // SAFETY: the retargeted kernel's entry has this signature.
            let entry = unsafe { std::mem::transmute::<*const (), Entry>(entry) };
            Kernel { name: kernel.name, entry, parameters: kernel.parameters, limit: kernel.limit }
        });
        let kernels = kernels.collect();
        let globals = globals.into_iter().zip(places);
        let globals = globals
            .map(|(head, at)| Global { name: head.name, kind: head.kind, at: *at as u64, bytes: head.bytes })
            .collect();
        // Host code keeps values on the stack that a GPU has in registers; a stack's size is one of few.
        let stack = (STACK + 4 * private as usize + VALUE * instructions).next_power_of_two();
        Ok(Program { machine, warp, kernels, globals, stack, artifact: artifact.into(), _object: object })
    }

    /// The text of the instruction of that number, for messages.
    pub(crate) fn instruction(&self, number: u32) -> String {
        let text = |llvm: &Llvm| {
            let context = Context::create();
            let module = retarget::parse(llvm, &context, &self.artifact).ok()?;
            let found = retarget::instructions(&module).nth(number as usize)?;
            Some(found.to_string().trim_matches(['"', ' ']).to_owned())
        };
        llvm::get().ok().and_then(text).unwrap_or_else(|| format!("instruction {number}"))
    }
}
