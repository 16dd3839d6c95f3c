//! The machines that run tasks: a [`Backend`] compiles a task for its target and loads what was compiled.
//!
//! A backend gets tasks and bytes and gives bytes and code. It never sees keys, the cache, or the kernel a task came
//! from. [`cpu`] runs what it compiles; [`gpu`] compiles for NVIDIA's and AMD's devices on any machine, and runs on what
//! implements [`gpu::Device`].
pub mod cpu;
mod domain;
pub mod gpu;

use std::time::Duration;

use qd_ir::task::Task;

use crate::codegen::CodegenOptions;
use crate::codegen::fault::FaultState;
use crate::error::Result;
use crate::llvm::Llvm;
use crate::target::Target;

/// Machine code as it is stored, and what it cost.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// The bytes, of the backend's [`Form`].
    pub bytes: Vec<u8>,
    /// Time from the task to LLVM IR.
    pub lower: Duration,
    /// Time in LLVM's passes.
    pub passes: Duration,
    /// Time in LLVM's instruction selection and emission, and in the linker where there is one.
    pub emit: Duration,
    /// What compiled it: exact version and build of LLVM.
    pub compiler: String,
}

/// What a backend's bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// A relocatable ELF object for a CPU.
    Object,
    /// PTX, NVIDIA's portable assembly, as text.
    Ptx,
    /// A linked ELF object for an AMD device.
    Hsaco,
    /// LLVM's bitcode for a GPU, after the passes, for what simulates one.
    Bitcode,
}

/// What code depends on besides its task and the options that are the same for all targets: parts of the key.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The machine, in text.
    pub target: String,
    /// The library whose functions become part of the code.
    pub library: Option<Library>,
    /// Numbers that are compiled in and aren't in the task.
    pub baked: Vec<u8>,
    /// The version of what code may call, or of what it reports through.
    pub abi: u32,
}

/// A library as it is at hand.
#[derive(Debug, Clone)]
pub struct Library {
    /// The name of its file, the same on all machines.
    pub file: &'static str,
    /// The file's digest, or why there is none.
    pub digest: Result<[u8; 32]>,
}

/// A machine.
pub trait Backend: Send + Sync {
    /// What its code is made for.
    fn target(&self) -> &Target;

    /// What its artifacts are.
    fn form(&self) -> Form;

    /// What the code of a task depends on. Needs neither LLVM nor the library.
    ///
    /// # Errors
    /// Internal ones.
    fn identity(&self, task: &Task, options: CodegenOptions) -> Result<Identity>;

    /// Compiles a task. The symbols of the artifact are called after `stem`.
    ///
    /// # Errors
    /// If LLVM or another part of the toolchain can't be found; internal ones.
    fn compile(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<Artifact>;

    /// The assembly text that [`compile`](Backend::compile) would assemble.
    ///
    /// # Errors
    /// As `compile`.
    fn assembly(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<String>;

    /// The LLVM IR after the passes.
    ///
    /// # Errors
    /// As `compile`.
    fn llvm_ir(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<String>;

    /// Loads what was compiled from `task` under `stem` with `options`. The bytes are trusted: loading is as good as
    /// running them.
    ///
    /// # Errors
    /// If the bytes can't be loaded.
    fn load(&self, task: &Task, stem: &str, options: CodegenOptions, artifact: &[u8]) -> Result<Box<dyn Executable>>;
}

/// The backend that compiles for `target`, whether or not this machine could run the code.
pub fn compiler_for(target: &Target) -> Box<dyn Backend> {
    match target {
        Target::Cpu(cpu) => Box::new(cpu::Cpu::new(cpu.clone())),
        Target::Cuda(_) | Target::Amdgpu(_) => Box::new(gpu::Gpu::compiler(target.clone())),
    }
}

/// The exact compiler, for the headers of entries.
fn compiler_name(llvm: &Llvm) -> String {
    match llvm.build_id() {
        Some(build) => format!("LLVM {} {build}", llvm.version()),
        None => format!("LLVM {}", llvm.version()),
    }
}

/// Code in memory; it goes away with the last handle.
pub trait Executable: Send + Sync {
    /// Runs the task once over the words of its context block, as
    /// [`ContextLayout`](crate::codegen::context::ContextLayout) lays them out; the bounds are filled in here. Writes
    /// the words of the tree of each reduction, without its prior value, to `reductions`. Faults are left in `faults`, and the
    /// reductions are then without meaning. The calling thread is in the default floating-point environment
    /// ([`FloatEnv`](cpu::float_env::FloatEnv)); other threads are brought into it here.
    ///
    /// # Errors
    /// If the domain has more iterations than 64 bits can count; what a device reports.
    fn execute(
        &self,
        context: &mut [u64],
        faults: &FaultState,
        pool: &cpu::pool::Pool,
        grain: Option<u64>,
        reductions: &mut [u64],
    ) -> Result<()>;
}
