//! What a target adds to the code generator: the machine's names, the operations LLVM must not see through, the way a
//! fault is reported.
//!
//! Everything else in `codegen` is the same for every target and must not ask which one it builds for.
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
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
}
