//! What lanes leave for the host beside their results: faults, panics and lines of output, in a block of device memory to
//! which the first word of the task's context points. This file has both sides: what writes it and what reads it.
//!
//! In words: the lowest failing iteration, or all ones; how many records were begun; how many words of lines there would
//! be; how many lines were dropped. Then [`RECORDS`] records, then the lines.
//!
//! A failing lane lowers the first word. Only if it was higher has the lane something to tell, so records are rare however
//! many lanes fail, and there is no lock, which lanes that run in step could wait for for ever. A record is the iteration, its
//! site and fault (32 bits each, the site below), the sum of all its other words, and its values. Records are used in turn: of so
//! many lanes that lowered the word at one moment the last ones stay, and a lane that is late by a whole turn may write between
//! another's words, which the sum tells. The lowest iteration is known in any case; if its record was lost, the host says so.
//!
//! A line is the iteration, its site and how many values there are (32 bits each), and these. Lines that don't fit are
//! counted. The host orders lines by iteration.
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::values::{BasicValue, BasicValueEnum, FunctionValue, InstructionValue, IntValue, PointerValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp};
use qd_ir::body::Stmt;
use qd_ir::fault::Fault;
use qd_ir::task::Task;

use super::uses;
use crate::codegen::emit::Emit;
use crate::codegen::fault::{FaultRecord, FaultState};
use crate::codegen::hooks::{Hooks, Report, Said};
use crate::codegen::say::Line;
use crate::error::{Error, Result};

/// Version of this layout and of the entries' parameters; a part of every key.
pub const GPU_ABI: u32 = 2;

/// Word of the lowest failing iteration.
const FIRST: u64 = 0;
/// Word of the number of records that were begun.
const TICKETS: u64 = 1;
/// Word of the number of words of lines.
const LINE_WORDS: u64 = 2;
/// Word of the number of lines that were dropped.
const DROPPED: u64 = 3;
/// Words in front of the records.
pub const HEAD: usize = 4;
/// Records that are kept; a power of two.
pub const RECORDS: usize = 1024;
/// Words of a record in front of its values.
const RECORD_HEAD: usize = 3;
/// Words of a line in front of its values.
const LINE_HEAD: usize = 2;
/// Words of lines, in tasks that print.
const ROOM_FOR_LINES: usize = 1 << 20;
/// Values of a fault that isn't a panic.
const VALUES: usize = 4;
/// The first word while nothing failed.
const NONE: u64 = u64::MAX;

/// Where things are in the block of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Values of a record.
    values: usize,
    /// Words of lines.
    lines: usize,
}

impl Layout {
    /// The layout for `task`.
    pub fn of(task: &Task) -> Self {
        let (mut values, mut lines) = (VALUES, 0);
        uses::statements(task, &mut |stmt| {
            if let Stmt::Fail { values: shown, .. } = stmt {
                values = values.max(shown.iter().map(|value| task.ty(*value).words()).sum());
            }
            if let Stmt::Print { .. } = stmt {
                lines = ROOM_FOR_LINES;
            }
        });
        Layout { values, lines }
    }

    /// Length of the block in words.
    pub fn words(&self) -> usize {
        self.first_line() + self.lines
    }

    /// The first words of a block in which nothing has been reported.
    pub fn head(&self) -> [u64; HEAD] {
        let mut head = [0; HEAD];
        head[FIRST as usize] = NONE;
        head
    }

    fn record(&self) -> usize {
        RECORD_HEAD + self.values
    }

    fn first_line(&self) -> usize {
        HEAD + RECORDS * self.record()
    }

    /// How many words of a block have a meaning, by its first ones.
    pub fn used(&self, head: &[u64; HEAD]) -> usize {
        match head[LINE_WORDS as usize] {
            0 if head[FIRST as usize] == NONE => HEAD,
            0 => self.first_line(),
            lines => self.first_line() + (lines as usize).min(self.lines),
        }
    }

    /// Takes what `block` says, as far as [`used`](Layout::used) has it, into `faults`. Gives the number of lines that were
    /// dropped.
    ///
    /// # Errors
    /// If an iteration failed and its record is lost.
    pub fn read(&self, block: &[u64], faults: &FaultState) -> Result<u64> {
        let missing = || Error::internal("a device's report is shorter than it says");
        let head = block.get(..HEAD).ok_or_else(missing)?;
        let first = head[FIRST as usize];
        if first != NONE {
            let records = block.get(HEAD..self.first_line()).ok_or_else(missing)?;
            let mut records = records.chunks_exact(self.record());
            let found = records.position(|record| record[0] == first && record[1] != 0 && is_whole(record));
            let Some(found) = found else {
                return Err(Error::internal(format_args!(
                    "iteration {first} failed on the device, and what it reported was lost among {} others",
                    head[TICKETS as usize]
                )));
            };
            let record = &block[HEAD + found * self.record()..][..self.record()];
            faults.record(FaultRecord {
                iteration: first,
                site: record[1] as u32,
                // One more, so that a record is never zero.
                fault: (record[1] >> 32) as u32 - 1,
                values: record[RECORD_HEAD..].to_vec(),
            });
        }
        let mut rest = block.get(self.first_line()..).unwrap_or_default();
        while let [iteration, what, after @ ..] = rest {
            let count = (what >> 32) as usize;
            // The room behind the last line that fitted may begin with parts of one that didn't.
            let Some(values) = after.get(..count).filter(|_| *what != 0) else { break };
            // Sites are counted from 1 here, for the same reason.
            let site = (*what as u32) - 1;
            faults.lines.add(Line { iteration: *iteration, site, values: values.into() });
            rest = &after[count..];
        }
        Ok(head[DROPPED as usize])
    }

    /// Notes a fault.
    pub(crate) fn report<'c>(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        faults: PointerValue<'c>,
        report: &Report<'c>,
    ) -> Result<()> {
        // A function, so that it is one instruction where the exit of a task is built.
        let function = match emit.module.get_function("report") {
            Some(function) => function,
            None => self.reporting(emit, hooks)?,
        };
        let [first, second, third, fourth] = report.values;
        let args = [
            faults.into(),
            report.iteration.into(),
            report.site.into(),
            report.fault.into(),
            first.into(),
            second.into(),
            third.into(),
            fourth.into(),
        ];
        emit.builder.build_call(function, &args, "")?;
        Ok(())
    }

    fn reporting<'c>(&self, emit: &Emit<'c>, hooks: &dyn Hooks) -> Result<FunctionValue<'c>> {
        let here = emit.block()?;
        let (word, half) = (emit.i64().into(), emit.int(32).into());
        let types = [emit.ptr().into(), word, half, half, word, word, word, word];
        let ty = emit.context.void_type().fn_type(&types, false);
        let function = emit.module.add_function("report", ty, Some(inkwell::module::Linkage::Internal));
        for name in ["nounwind", "alwaysinline", "cold"] {
            emit.attribute_at(function, AttributeLoc::Function, name, 0);
        }
        emit.at(emit.context.append_basic_block(function, ""));
        let params = function.get_params();
        let [faults, iteration, site, fault, values @ ..] = params.as_slice() else {
            return Err(Error::internal("the function that reports lacks parameters"));
        };
        let values: Vec<IntValue<'c>> = values.iter().map(|value| value.into_int_value()).collect();
        let what = [site.into_int_value(), fault.into_int_value()];
        self.record_fault(emit, hooks, faults.into_pointer_value(), iteration.into_int_value(), what, &values)?;
        emit.builder.build_return(None)?;
        emit.at(here);
        Ok(function)
    }

    /// Notes a fault with any number of values; the builder goes on behind it.
    fn record_fault<'c>(
        &self,
        e: &Emit<'c>,
        hooks: &dyn Hooks,
        faults: PointerValue<'c>,
        iteration: IntValue<'c>,
        [site, fault]: [IntValue<'c>; 2],
        values: &[IntValue<'c>],
    ) -> Result<()> {
        let b = &e.builder;
        let (lowers, done) = (e.new_block()?, e.new_block()?);
        let before = update(e, hooks, AtomicRMWBinOp::UMin, faults, FIRST, iteration)?;
        let higher = e.compare(IntPredicate::UGT, before, iteration)?;
        e.branch_if(higher, lowers, done)?;
        e.at(lowers);
        let ticket = update(e, hooks, AtomicRMWBinOp::Add, faults, TICKETS, e.word(1))?;
        let number = b.build_and(ticket, e.word(RECORDS as u64 - 1), "")?;
        let offset = b.build_int_mul(number, e.word(self.record() as u64), "")?;
        let record = e.word_at(faults, b.build_int_add(offset, e.word(HEAD as u64), "")?)?;
        let fault = b.build_int_add(e.zext(fault, 64)?, e.word(1), "")?;
        let what = b.build_or(e.zext(site, 64)?, b.build_left_shift(fault, e.word(32), "")?, "")?;
        let mut sum = b.build_int_add(iteration, what, "")?;
        for value in values {
            sum = b.build_int_add(sum, *value, "")?;
        }
        // All words, since what another lane left in one would count.
        let rest = vec![e.word(0); self.values - values.len()];
        let stores = put(e, record, [iteration, what, sum].iter().chain(values).chain(&rest))?;
        for store in stores {
            let refused = |_| Error::internal("a store that can't be atomic");
            store.set_atomic_ordering(AtomicOrdering::Monotonic).map_err(refused)?;
            store.set_alignment(8).map_err(|_| Error::internal("a store without an alignment"))?;
            hooks.atomic(e, store)?;
        }
        e.branch(done)?;
        e.at(done);
        Ok(())
    }

    /// Notes a panic or a line.
    pub(crate) fn say<'c>(
        &self,
        e: &Emit<'c>,
        hooks: &dyn Hooks,
        faults: PointerValue<'c>,
        said: &Said<'c>,
    ) -> Result<()> {
        let b = &e.builder;
        let word = |number: usize| -> Result<IntValue<'c>> {
            Ok(e.load(e.i64().into(), e.word_at(said.values, e.word(number as u64))?)?.into_int_value())
        };
        let values = (0..said.count).map(word).collect::<Result<Vec<_>>>()?;
        let site = said.site as u64;
        if said.fails {
            let half = e.int(32);
            let what = [half.const_int(site, false), half.const_int((Fault::Panic as u32).into(), false)];
            return self.record_fault(e, hooks, faults, said.iteration, what, &values);
        }
        let len = e.word((LINE_HEAD + said.count) as u64);
        let first = update(e, hooks, AtomicRMWBinOp::Add, faults, LINE_WORDS, len)?;
        let (fits, full, done) = (e.new_block()?, e.new_block()?, e.new_block()?);
        let end = b.build_int_add(first, len, "")?;
        let inside = e.compare(IntPredicate::ULE, end, e.word(self.lines as u64))?;
        e.branch_if(inside, fits, full)?;
        e.at(fits);
        let line = e.word_at(faults, b.build_int_add(first, e.word(self.first_line() as u64), "")?)?;
        let what = e.word((site + 1) | ((said.count as u64) << 32));
        put(e, line, [said.iteration, what].iter().chain(&values))?;
        e.branch(done)?;
        e.at(full);
        update(e, hooks, AtomicRMWBinOp::Add, faults, DROPPED, e.word(1))?;
        e.branch(done)?;
        e.at(done);
        Ok(())
    }
}

/// The lowest iteration that is known to have failed; all ones if none is.
pub(super) fn first_failed<'c>(e: &Emit<'c>, hooks: &dyn Hooks, faults: PointerValue<'c>) -> Result<IntValue<'c>> {
    let first = e.load(e.i64().into(), e.word_at(faults, e.word(FIRST))?)?;
    let load = first.as_instruction_value().ok_or_else(|| Error::internal("a load that is no instruction"))?;
    load.set_atomic_ordering(AtomicOrdering::Monotonic).map_err(|_| Error::internal("a load that can't be atomic"))?;
    load.set_alignment(8).map_err(|_| Error::internal("a load without an alignment"))?;
    hooks.atomic(e, load)?;
    Ok(first.into_int_value())
}

/// Whether no other lane has written between the words of a record.
fn is_whole(record: &[u64]) -> bool {
    let [iteration, what, sum, values @ ..] = record else { return false };
    values.iter().fold(iteration.wrapping_add(*what), |sum, value| sum.wrapping_add(*value)) == *sum
}

/// Stores consecutive words.
fn put<'v, 'c: 'v>(
    e: &Emit<'c>,
    at: PointerValue<'c>,
    words: impl Iterator<Item = &'v IntValue<'c>>,
) -> Result<Vec<InstructionValue<'c>>> {
    let mut stores = Vec::new();
    for (number, word) in words.enumerate() {
        stores.push(e.builder.build_store(e.word_at(at, e.word(number as u64))?, *word)?);
    }
    Ok(stores)
}

/// An update of a word of the head; gives what it was.
fn update<'c>(
    e: &Emit<'c>,
    hooks: &dyn Hooks,
    op: AtomicRMWBinOp,
    faults: PointerValue<'c>,
    word: u64,
    value: IntValue<'c>,
) -> Result<IntValue<'c>> {
    let at = e.word_at(faults, e.word(word))?;
    // Relaxed: the host reads when the launch is over.
    let old = e.builder.build_atomicrmw(op, at, value, AtomicOrdering::Monotonic)?;
    let instruction = BasicValueEnum::from(old).as_instruction_value();
    let instruction = instruction.ok_or_else(|| Error::internal("an atomic instruction that is none"))?;
    hooks.atomic(e, instruction)?;
    Ok(old)
}

#[cfg(test)]
mod tests {
    use qd_ir::task::TaskKind;

    use super::*;

    #[test]
    fn the_record_of_the_lowest_iteration_is_found() {
        let layout = Layout::of(&Task::new(TaskKind::Serial));
        let mut block = vec![0; layout.words()];
        block[..HEAD].copy_from_slice(&layout.head());
        let faults = FaultState::new();
        assert_eq!(layout.used(&layout.head()), HEAD);
        layout.read(&block[..HEAD], &faults).unwrap();
        assert!(!faults.failed());

        block[FIRST as usize] = 3;
        let record = |iteration: u64, site: u64, fault: u64| {
            let what = site | ((fault + 1) << 32);
            [iteration, what, iteration + what + 10, 1, 2, 3, 4]
        };
        block[HEAD..][..7].copy_from_slice(&record(9, 1, 2));
        block[HEAD + 7..][..7].copy_from_slice(&record(3, 0, 0));
        layout.read(&block, &faults).unwrap();
        let expected = FaultRecord { iteration: 3, site: 0, fault: 0, values: vec![1, 2, 3, 4] };
        assert_eq!(faults.take(), Some(expected));

        // A value of another record among its own.
        block[HEAD + 10] = 7;
        assert!(layout.read(&block, &faults).unwrap_err().to_string().contains("iteration 3"));
        block[FIRST as usize] = 2;
        assert!(layout.read(&block, &faults).unwrap_err().to_string().contains("iteration 2"));
    }

    #[test]
    fn lines_are_read_up_to_what_did_not_fit() {
        let layout = Layout { values: 4, lines: 10 };
        let mut block = vec![0; layout.words()];
        block[..HEAD].copy_from_slice(&layout.head());
        block[LINE_WORDS as usize] = 14;
        block[DROPPED as usize] = 2;
        let lines = [7, 1 | (1 << 32), 42, 5, 2 | (2 << 32), 43, 44];
        block[layout.first_line()..][..7].copy_from_slice(&lines);
        let faults = FaultState::new();
        assert_eq!(layout.read(&block, &faults).unwrap(), 2);
        let order: Vec<_> =
            faults.lines.take(NONE).into_iter().map(|line| (line.iteration, line.site, line.values)).collect();
        assert_eq!(order, [(5, 1, vec![43, 44].into()), (7, 0, vec![42].into())]);
    }
}
