//! A task to machine code: typed IR to LLVM IR (`task`, `grid`, `body`, `loops`, `op`, `half`, `power`, `access`, `proof`, `linear`, `reduce`,
//! `leaf`, `lane`, `extreme`, `fault`, `claim`, `race`), LLVM's passes and emission (`passes`), and the layout of what a
//! launch hands over (`context`).
//!
//! The same for every target; what a target adds stands behind [`Hooks`](hooks::Hooks). Nothing here knows keys, the
//! cache or who launches.
mod access;
mod address;
mod body;
mod claim;
pub mod context;
mod diagnostics;
pub(crate) mod emit;
mod extreme;
pub mod fault;
mod fill;
pub mod grid;
mod group;
pub(crate) mod half;
pub(crate) mod hooks;
mod lane;
pub mod leaf;
mod linear;
mod loops;
mod op;
pub(crate) mod passes;
mod power;
mod proof;
pub mod race;
mod reduce;
pub mod say;
pub(crate) mod soft;
pub mod task;

/// What changes the code of a task besides the task and the target. Each field is a part of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodegenOptions {
    /// 0 to 3: the level of LLVM's instruction selection, and up to `default<O2>` of its passes (see `passes`).
    pub opt_level: u8,
    /// Bounds are checked. Divisions are checked in any case.
    pub checks: bool,
    /// Accesses of parallel tasks are looked up by the race detector (see [`race`]).
    pub races: bool,
    /// Lanes of a block, where the task asks for so many; only for targets whose iterations are shared out to lanes.
    pub block: Option<u32>,
}
