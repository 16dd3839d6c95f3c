//! Loops whose checks data decide, several iterations at a time.
//!
//! LLVM unrolls no loop that can be left in its middle, so a check whose index is read from memory costs more than its
//! comparison: the loop's own comparison and jump in each iteration, and twice the jumps for the processor to predict.
//! Here the indices of several iterations are looked at first, with one jump for all of them, and then these iterations
//! are run without the checks. Where one would fail, the loop goes on one iteration at a time, with all checks, and finds
//! it: nothing was done ahead but to read elements of arrays that nothing writes, which are in bounds in every iteration.
//!
//! What is looked at is read by vectors. LLVM would take the indices of the iterations out of them again, which takes
//! longer than to read them once more: so it isn't to know that both reads are of one place ([`Emit::opaque`]).
//!
//! [`Emit::opaque`]: super::emit::Emit::opaque
use std::collections::{HashMap, HashSet};

use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{IntValue, PointerValue};
use qd_ir::arena::Id;
use qd_ir::body::{Local, LoopId, Region, Stmt, Value};
use qd_ir::task::Array;

use super::body::{Body, Proven};
use super::loops::Counted;
use super::task;
use crate::error::Result;

/// Iterations of a group, where a vector compares all of their indices at once.
const GROUP: u64 = 8;

/// Where each is compared by itself. With eight short rows of sparse matrices take longer: half a group is left over.
const FEW: u64 = 4;

/// The most statements of a group: so often an iteration is written out.
const LARGEST: u64 = 256;

/// The checks of a loop that a group looks at first.
pub(super) struct Ahead<'a> {
    proven: Vec<Proven>,
    /// Array, dimension and index of each, named once.
    tests: Vec<(Id<Array>, u8, Id<Value>)>,
    /// The statements that compute the indices, in order.
    indices: Vec<&'a Stmt>,
    /// An iteration may end before its end.
    pub(super) jumps: bool,
}

/// An array, its pointer, and the same pointer for another one.
type Opaque<'c> = (Id<Array>, PointerValue<'c>, PointerValue<'c>);

/// The body of a loop without loops inside.
#[derive(Default)]
struct Flat<'a> {
    /// How the values of the statements that always run are set.
    set_by: HashMap<Id<Value>, &'a Stmt>,
    changed: HashSet<Id<Local>>,
    statements: usize,
    loops: bool,
    jumps: bool,
}

impl<'a> Flat<'a> {
    fn collect(&mut self, region: &'a Region, always: bool) {
        for stmt in &region.0 {
            self.statements += 1;
            if always && let Some(dst) = stmt.dst() {
                self.set_by.insert(dst, stmt);
            }
            if let Stmt::Set { local, .. } | Stmt::SetPart { local, .. } = stmt {
                self.changed.insert(*local);
            }
            self.loops |= matches!(stmt, Stmt::For { .. } | Stmt::Loop { .. });
            self.jumps |= matches!(stmt, Stmt::Break(_) | Stmt::Continue(_) | Stmt::End);
            stmt.regions().for_each(|inside| self.collect(inside, false));
        }
    }
}

impl<'a, 'c> Body<'a, 'c> {
    /// What groups of a loop of the body look at first; `None` if it has no such checks, or isn't worth it.
    pub(super) fn ahead(&self, l: &Counted<'a, 'c>) -> Option<Ahead<'a>> {
        let plain = !self.cold && self.options.checks && !self.options.races && self.hooks.lanes().is_none();
        if !plain || self.options.opt_level < 2 || l.len.is_const() {
            return None;
        }
        let mut flat = Flat::default();
        flat.collect(l.body, true);
        if flat.loops || flat.statements as u64 * self.group_size() > LARGEST {
            return None;
        }
        let stored = task::stored_arrays(self.task);
        let mut ahead = Ahead { proven: Vec::new(), tests: Vec::new(), indices: Vec::new(), jumps: flat.jumps };
        for stmt in &l.body.0 {
            let Some((array, index)) = checked(stmt) else { continue };
            for (dim, &value) in (0u8..).zip(index) {
                let (check, known) = ((std::ptr::from_ref(stmt), dim), ahead.indices.len());
                if self.proven.contains(&check) {
                    continue;
                }
                if !self.computes(&flat, &stored, value, &mut ahead.indices) {
                    ahead.indices.truncate(known);
                    continue;
                }
                ahead.proven.push(check);
                if !ahead.tests.contains(&(array, dim, value)) {
                    ahead.tests.push((array, dim, value));
                }
            }
        }
        (!ahead.proven.is_empty()).then_some(ahead)
    }

    fn group_size(&self) -> u64 {
        if self.hooks.compares_words() { GROUP } else { FEW }
    }

    /// Whether a value can be computed before its turn; adds the statements for it that aren't there yet.
    fn computes(&self, flat: &Flat<'a>, stored: &[bool], value: Id<Value>, statements: &mut Vec<&'a Stmt>) -> bool {
        let Some(&stmt) = flat.set_by.get(&value) else { return true };
        if statements.iter().any(|known| std::ptr::eq(*known, stmt)) {
            return true;
        }
        let needs: &[Id<Value>] = match stmt {
            Stmt::Const { .. } | Stmt::Input { .. } | Stmt::Extent { .. } => &[],
            Stmt::Get { local, .. } if !flat.changed.contains(local) => &[],
            Stmt::Op { args, site: None, .. } => args,
            // One without a check is in bounds where the program comes to it, and so not ahead.
            Stmt::Load { array, index, part, site: Some(_), .. }
                if !stored[array.index()]
                    && part.steps.is_empty()
                    && (0u8..).zip(index).all(|(dim, _)| self.proven.contains(&(std::ptr::from_ref(stmt), dim))) =>
            {
                index
            }
            // What may fail, or reads what an iteration before may have changed.
            _ => return false,
        };
        let computed = needs.iter().all(|&value| self.computes(flat, stored, value, statements));
        if computed {
            statements.push(stmt);
        }
        computed
    }

    /// The iterations `start..stop` of a loop of the body in groups, until fewer are left than a group has, or one fails;
    /// gives the first that is left. The builder goes on behind them.
    pub(super) fn groups(
        &mut self,
        l: &Counted<'a, 'c>,
        id: LoopId,
        ahead: &Ahead<'a>,
        leave: BasicBlock<'c>,
        (start, stop): (IntValue<'c>, IntValue<'c>),
    ) -> Result<IntValue<'c>> {
        let e = self.emit;
        let vectors = self.hooks.compares_words();
        let size = self.group_size();
        let (top, look, group, rest) = (e.new_block()?, e.new_block()?, e.new_block()?, e.new_block()?);
        let opaque = if vectors { self.opaque_arrays(ahead)? } else { Vec::new() };
        let from = e.block()?;
        e.branch(top)?;
        e.at(top);
        let count = e.builder.build_phi(e.i64(), "")?;
        let first = count.as_basic_value().into_int_value();
        let left = e.builder.build_int_sub(stop, first, "")?;
        let whole = e.compare(IntPredicate::UGE, left, e.word(size))?;
        e.branch_if(whole, look, rest)?;

        e.at(look);
        self.swap_pointers(&opaque, |(_, _, other)| *other);
        let mut indices = vec![Vec::new(); ahead.tests.len()];
        for number in 0..size {
            self.set_iteration(l, first, number)?;
            ahead.indices.iter().try_for_each(|stmt| self.stmt(stmt))?;
            for (&(_, _, index), indices) in ahead.tests.iter().zip(&mut indices) {
                indices.push(self.int(index)?);
            }
        }
        self.swap_pointers(&opaque, |(_, own, _)| *own);
        let mut fails = e.bool(false);
        for (&(array, dim, _), indices) in ahead.tests.iter().zip(&indices) {
            let extent = self.arrays[array.index()].extents[usize::from(dim)];
            // One by one where a comparison is one of numbers.
            for together in indices.chunks(if vectors { indices.len() } else { 1 }) {
                let beyond = match together {
                    [index] => e.compare(IntPredicate::UGE, *index, extent)?,
                    _ => e.any_beyond(together, extent)?,
                };
                fails = e.builder.build_or(fails, beyond, "")?;
            }
        }
        e.branch_seldom_if(fails, rest, group)?;

        e.at(group);
        self.proven.extend(&ahead.proven);
        for number in 0..size {
            let next = e.new_block()?;
            self.set_iteration(l, first, number)?;
            self.inside(id, leave, next, |this| this.region(l.body))?;
            if !e.is_closed()? {
                e.branch(next)?;
            }
            e.at(next);
        }
        ahead.proven.iter().for_each(|check| _ = self.proven.remove(check));
        let next = e.builder.build_int_add(first, e.word(size), "")?;
        let last = e.block()?;
        e.branch(top)?;
        count.add_incoming(&[(&start, from), (&next, last)]);
        e.at(rest);
        Ok(first)
    }

    /// The arrays that a look reads, each with its pointer and with one that LLVM takes for another.
    fn opaque_arrays(&self, ahead: &Ahead<'a>) -> Result<Vec<Opaque<'c>>> {
        let mut arrays: Vec<Opaque<'c>> = Vec::new();
        for stmt in &ahead.indices {
            if let Stmt::Load { array, .. } = stmt
                && !arrays.iter().any(|(known, ..)| known == array)
            {
                let pointer = self.arrays[array.index()].pointer;
                arrays.push((*array, pointer, self.emit.opaque(pointer)?));
            }
        }
        Ok(arrays)
    }

    fn swap_pointers(&mut self, arrays: &[Opaque<'c>], which: impl Fn(&Opaque<'c>) -> PointerValue<'c>) {
        for array in arrays {
            self.arrays[array.0.index()].pointer = which(array);
        }
    }

    /// Sets the variable of a loop to an iteration of a group.
    fn set_iteration(&mut self, l: &Counted<'a, 'c>, first: IntValue<'c>, number: u64) -> Result<()> {
        let b = &self.emit.builder;
        let at = b.build_int_add(first, self.emit.word(number), "")?;
        self.set_variable(l.var, l.variable(self.emit, at)?)
    }
}

/// The array and the index of a bounds check.
fn checked(stmt: &Stmt) -> Option<(Id<Array>, &[Id<Value>])> {
    match stmt {
        Stmt::Load { array, index, site: Some(_), .. }
        | Stmt::Store { array, index, site: Some(_), .. }
        | Stmt::Atomic { array, index, site: Some(_), .. }
        | Stmt::CompareExchange { array, index, site: Some(_), .. }
        | Stmt::Check { array, index, .. } => Some((*array, index)),
        // What isn't named keeps its check.
        _ => None,
    }
}
