//! What a target adds to the code generator: the machine's names, the operations LLVM must not see through, the way a
//! fault is reported.
//!
//! Everything else in `codegen` is the same for every target and must not ask which one it builds for. Only how the
//! iterations of a task are shared out differs in kind: a CPU's entry runs a range of them (`task`), a GPU's is run by many
//! lanes at once (`grid`), and those targets have [`Lanes`] beside their hooks.
use inkwell::AddressSpace;
use inkwell::values::{BasicValueEnum, FunctionValue, InstructionValue, IntValue, PointerValue};
use qd_ir::fault::Touch;
use qd_ir::op::Op;
use qd_ir::types::Scalar;

use super::emit::Emit;
use crate::error::Result;

/// A failed check, in registers: what [`Hooks::report`] records.
#[derive(Clone, Copy)]
pub(crate) struct Report<'c> {
    /// Linear number of the failing iteration, 64 bits.
    pub(crate) iteration: IntValue<'c>,
    /// Position in the task's sites, 32 bits.
    pub(crate) site: IntValue<'c>,
    /// Code of the [`Fault`](qd_ir::fault::Fault), 32 bits.
    pub(crate) fault: IntValue<'c>,
    /// What the message shows, 64 bits each.
    pub(crate) values: [IntValue<'c>; 4],
}

/// Words of an iteration, in registers: what [`Hooks::say`] records.
#[derive(Clone, Copy)]
pub(crate) struct Said<'c> {
    /// Whether the iteration fails with them, or prints them.
    pub(crate) fails: bool,
    /// Linear number of the iteration, 64 bits.
    pub(crate) iteration: IntValue<'c>,
    /// Position in the task's sites.
    pub(crate) site: usize,
    /// The values that the words show, 64 bits each.
    pub(crate) values: PointerValue<'c>,
    /// How many there are.
    pub(crate) count: usize,
}

/// An access, in registers: what [`Hooks::touch`] looks up.
#[derive(Clone, Copy)]
pub(crate) struct Touched<'c> {
    /// The scalar.
    pub(crate) at: PointerValue<'c>,
    /// Linear number of the iteration, 64 bits.
    pub(crate) iteration: IntValue<'c>,
    /// What it does with it.
    pub(crate) touch: Touch,
    /// Position in the task's sites.
    pub(crate) site: usize,
}

/// A target. Strings are those of the target's key part, so that key and code can't differ.
pub(crate) trait Hooks {
    /// LLVM's triple.
    fn triple(&self) -> &str;

    /// The address space of the memory that a launch passes.
    fn memory(&self) -> AddressSpace {
        AddressSpace::default()
    }

    /// The address space of variables.
    fn variables(&self) -> AddressSpace {
        AddressSpace::default()
    }

    /// How lanes find out who they are, if iterations are shared out to lanes.
    fn lanes(&self) -> Option<&dyn Lanes> {
        None
    }

    /// LLVM's CPU.
    fn cpu(&self) -> &str;

    /// The CPU that schedules are tuned for, if the target knows one.
    fn tune_cpu(&self) -> Option<&str>;

    /// LLVM's feature string.
    fn features(&self) -> &str;

    /// An operation that isn't instructions of every target: those of the platform class, `mul_add`, `%`,
    /// `div_euclid`, `rem_euclid` of floats, `isqrt` of `u128`, and `from_f64` with its result's type for `ty`. LLVM must not be able to fold one of the platform class.
    fn math<'c>(&self, emit: &Emit<'c>, op: Op, ty: Scalar, args: &[BasicValueEnum<'c>]) -> Result<BasicValueEnum<'c>>;

    /// Whether the target has instructions that convert between `f32` and `f16`.
    fn converts_half(&self) -> bool;

    /// Whether the target compares vectors of 64-bit numbers by instructions that do just that.
    fn compares_words(&self) -> bool {
        false
    }

    /// Whether the target converts between floats and integers of 128 bits, by instructions or functions that are there.
    fn converts_wide(&self) -> bool {
        true
    }

    /// Records a fault in the state that the context's first word points to. The entry returns right after it,
    /// unless the iteration is another one.
    fn report<'c>(&self, emit: &Emit<'c>, faults: PointerValue<'c>, report: &Report<'c>) -> Result<()>;

    /// Records a panic or a line of output there. After a panic the entry returns.
    fn say<'c>(&self, emit: &Emit<'c>, faults: PointerValue<'c>, said: &Said<'c>) -> Result<()>;

    /// Looks an access up for the race detector. Not zero if it conflicts, which is recorded: the entry then returns.
    fn touch<'c>(&self, emit: &Emit<'c>, faults: PointerValue<'c>, touched: &Touched<'c>) -> Result<IntValue<'c>>;

    /// Whether the target's code generator can select this intrinsic (name without `llvm.` and type suffixes)
    /// without asking for a function that isn't there. LLVM aborts the process where it can't.
    fn selects(&self, intrinsic: &str) -> bool;

    /// What an atomic instruction of this target says beside its order.
    fn atomic<'c>(&self, _emit: &Emit<'c>, _instruction: InstructionValue<'c>) -> Result<()> {
        Ok(())
    }

    /// Completes a module whose functions are all there: flags, functions of libraries that it calls.
    fn complete(&self, _emit: &Emit<'_>) -> Result<()> {
        Ok(())
    }
}

/// A target whose iterations are shared out to lanes, which run the same code at once in blocks.
pub(crate) trait Lanes {
    /// Bytes of an iteration's variables in memory that a lane has room for.
    fn private_bytes(&self) -> u64;

    /// Makes a function an entry point that is launched in blocks of that many lanes.
    fn kernel(&self, emit: &Emit<'_>, function: FunctionValue<'_>, block: u32);

    /// The lane's number in its block, 32 bits.
    fn lane<'c>(&self, emit: &Emit<'c>) -> Result<IntValue<'c>>;

    /// The block's number, 32 bits.
    fn block<'c>(&self, emit: &Emit<'c>) -> Result<IntValue<'c>>;

    /// Waits for all lanes of the block. What each has stored before, all read after it.
    fn barrier(&self, emit: &Emit<'_>) -> Result<()>;

    /// The lowest iteration that is known to have failed, in the state that the context's first word points to.
    fn first_failed<'c>(&self, emit: &Emit<'c>, faults: PointerValue<'c>) -> Result<IntValue<'c>>;
}
