//! The machines that run tasks: a [`Backend`] compiles a task for its target and loads what was compiled.
//!
//! A backend gets tasks and bytes and gives bytes and code. It never sees keys, the cache, or the kernel a task came
//! from. Devices will be further implementations beside [`cpu`].
pub mod cpu;

use std::time::Duration;

use qd_ir::task::Task;

use crate::codegen::CodegenOptions;
use crate::codegen::fault::FaultState;
use crate::error::Result;
use crate::target::Target;

/// Machine code as it is stored, and what it cost.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// The bytes: for a CPU an ELF object.
    pub bytes: Vec<u8>,
    /// Time from the task to LLVM IR.
    pub lower: Duration,
    /// Time in LLVM's passes.
    pub passes: Duration,
    /// Time in LLVM's instruction selection and emission.
    pub emit: Duration,
    /// What compiled it: exact version and build of LLVM.
    pub compiler: String,
}

/// A machine.
pub trait Backend: Send + Sync {
    /// What its code is made for; a part of the key.
    fn target(&self) -> &Target;

    /// Compiles a task. The symbols of the artifact are called after `stem`.
    ///
    /// # Errors
    /// If LLVM can't be loaded; internal ones.
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

    /// Loads what was compiled from `task` under `stem`. The bytes are trusted: loading is as good as running them.
    ///
    /// # Errors
    /// If the bytes can't be loaded.
    fn load(&self, task: &Task, stem: &str, artifact: &[u8]) -> Result<Box<dyn Executable>>;
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
    /// If the domain has more iterations than 64 bits can count.
    fn execute(
        &self,
        context: &mut [u64],
        faults: &FaultState,
        pool: &cpu::pool::Pool,
        grain: Option<u64>,
        reductions: &mut [u64],
    ) -> Result<()>;
}
