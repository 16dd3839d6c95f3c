//! Failing iterations: what a launch keeps of them, and the code that reports one.
//!
//! The rule is that the lowest failing iteration wins, whatever the number of threads: an iteration that fails lowers
//! [`FaultState::first`], later chunks above it aren't started, all below it run. Generated code leaves the task right
//! after its report, so within a chunk nothing runs after a failure either.
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use inkwell::basic_block::BasicBlock;
use inkwell::values::{IntValue, PhiValue, PointerValue};
use qd_ir::fault::Fault;

use super::emit::Emit;
use super::hooks::{Hooks, Report};
use super::race::Accesses;
use super::say::Lines;
use crate::error::Result;

/// Name of the helper that records a fault.
pub const FAULT_HELPER: &str = "qd_v2_fault";

/// `first` while nothing failed. No iteration has this number: a domain has at most `u64::MAX` of them.
const NONE: u64 = u64::MAX;

/// What a failing iteration left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultRecord {
    /// Linear number of the iteration, 0 for serial tasks and bounds.
    pub iteration: u64,
    /// Position in the task's sites.
    pub site: u32,
    /// Code of the [`Fault`].
    pub fault: u32,
    /// What the message shows.
    pub values: Vec<u64>,
}

/// The faults of one launch, and what its iterations print. Tasks point to it through their context block.
#[derive(Debug)]
pub struct FaultState {
    first: AtomicU64,
    record: Mutex<Option<FaultRecord>>,
    /// Lines of the task that runs.
    pub lines: Lines,
    /// Accesses of the task that runs, in debug mode.
    pub accesses: Accesses,
}

impl Default for FaultState {
    fn default() -> Self {
        FaultState {
            first: AtomicU64::new(NONE),
            record: Mutex::new(None),
            lines: Lines::default(),
            accesses: Accesses::default(),
        }
    }
}

impl FaultState {
    /// Nothing has failed yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether an iteration failed.
    #[inline]
    pub fn failed(&self) -> bool {
        self.first() != NONE
    }

    /// The lowest iteration known to have failed, `u64::MAX` if none: iterations above it needn't be started.
    #[inline]
    pub fn first(&self) -> u64 {
        self.first.load(Ordering::Relaxed)
    }

    /// Notes a failure; kept if its iteration is the lowest so far.
    #[cold]
    pub fn record(&self, record: FaultRecord) {
        let mut lowest = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        if lowest.as_ref().is_none_or(|so_far| record.iteration < so_far.iteration) {
            self.first.store(record.iteration, Ordering::Relaxed);
            *lowest = Some(record);
        }
    }

    /// The failure with the lowest iteration, once all workers are done. The state is then as new.
    pub fn take(&self) -> Option<FaultRecord> {
        let record = self.record.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.first.store(NONE, Ordering::Relaxed);
        record
    }
}

/// The one place of a function that reports and returns; every failed check jumps here with what it knows.
pub(super) struct FaultExit<'c> {
    block: BasicBlock<'c>,
    iteration: PhiValue<'c>,
    site: PhiValue<'c>,
    fault: PhiValue<'c>,
    values: [PhiValue<'c>; 4],
}

impl<'c> FaultExit<'c> {
    /// Appends the exit to the current function; the builder stays where it is.
    pub(super) fn new(emit: &Emit<'c>, hooks: &dyn Hooks, faults: PointerValue<'c>) -> Result<Self> {
        let here = emit.block()?;
        let block = emit.new_block()?;
        emit.at(block);
        let phi = |bits: u32| -> Result<PhiValue<'c>> { Ok(emit.builder.build_phi(emit.int(bits), "")?) };
        let exit = FaultExit {
            block,
            iteration: phi(64)?,
            site: phi(32)?,
            fault: phi(32)?,
            values: [phi(64)?, phi(64)?, phi(64)?, phi(64)?],
        };
        let int = |phi: PhiValue<'c>| phi.as_basic_value().into_int_value();
        let report = Report {
            iteration: int(exit.iteration),
            site: int(exit.site),
            fault: int(exit.fault),
            values: exit.values.map(int),
        };
        hooks.report(emit, faults, &report)?;
        emit.builder.build_return(None)?;
        emit.at(here);
        Ok(exit)
    }

    /// Leaves through the exit if `fails`; the builder goes on in a new block.
    pub(super) fn guard(
        &self,
        emit: &Emit<'c>,
        fails: IntValue<'c>,
        iteration: IntValue<'c>,
        site: usize,
        fault: Fault,
        values: [Option<IntValue<'c>>; 4],
    ) -> Result<()> {
        let from = emit.block()?;
        let passed = emit.new_block()?;
        emit.branch_if(fails, self.block, passed)?;
        let word = |value: u64| emit.context.i32_type().const_int(value, false);
        self.iteration.add_incoming(&[(&iteration, from)]);
        self.site.add_incoming(&[(&word(site as u64), from)]);
        self.fault.add_incoming(&[(&word(u64::from(fault as u32)), from)]);
        for (phi, value) in self.values.iter().zip(values) {
            phi.add_incoming(&[(&value.unwrap_or_else(|| emit.word(0)), from)]);
        }
        emit.at(passed);
        Ok(())
    }

    /// Drops the exit if nothing leads to it.
    pub(super) fn finish(self) {
        if self.iteration.count_incoming() == 0 {
            // SAFETY: no check jumps to the block and its values are used only in it; the handle is used up. It has a
            // function, so there is no error to look at.
            let _ = unsafe { self.block.delete() };
        }
    }
}
