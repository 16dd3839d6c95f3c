//! Runs the GPU code of kernels on the CPU, lane by lane, to find what is wrong with it. For tests; the product never
//! depends on this crate, and what it does is *simulated*: never a result of a GPU.
//!
//! A [`Simulation`] is a device of one [`Machine`] kind. It takes the LLVM IR that qd makes for that kind, after LLVM's
//! passes for it and before instruction selection; [`retarget`] turns it into code for the host: calls stand for
//! intrinsics, and before each access to memory stands one that looks at it. A launch runs each lane as a coroutine
//! ([`block`]), blocks one after the other, in the order and with the interruptions of a [`Schedule`].
//!
//! # What it finds
//! Accesses outside of what a kernel was given, or of another kind of memory than the pointer says; shared memory that
//! is read before it is written; accesses of two lanes to one byte that nothing orders ([`shadow`]), and so missing
//! barriers; barriers and exchanges that not all lanes come to; launches and blocks that a device refuses; divisions
//! by zero, traps, loops without end; results that depend on the order of lanes, by running one launch in several.
//!
//! # What it can't find
//! Everything behind the IR: instruction selection, registers, the assembler, and the driver. Memory is one and always
//! consistent, so a fence or an ordering that is missing makes no difference; blocks don't interleave. Math units are the
//! host's. Two lanes that are ordered by atomics alone count as unordered. A warp has no lock step.
//!
//! # Invariants
//! - Nothing in an artifact crashes the process: what isn't known is refused by name before it is compiled, and every
//!   address is looked at before it is used. A lane's own frames are the exception, which the code generator lays out;
//!   a stack that they overflow ends in a page that can't be touched.
//! - One schedule, one execution: nothing depends on time, threads or addresses.
mod block;
mod device;
mod finding;
mod machine;
mod memory;
mod program;
mod retarget;
mod running;
mod schedule;
mod shadow;
mod shims;
mod simulation;
mod warp;

pub use device::{damaged_runtime, runtime};
pub use machine::Machine;
pub use schedule::{Order, Preemption, Schedule};
pub use simulation::{Code, Count, Simulation};
