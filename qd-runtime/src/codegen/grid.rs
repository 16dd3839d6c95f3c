//! A task to the entry points of a GPU: the same functions of the same tasks, run by lanes instead of over ranges.
//!
//! - `<stem>_bounds(context)`, one lane, of parallel tasks: the bounds and the carried values into the context.
//! - `<stem>_run(context, begin, end, blocks, partials, scratch)`: the iterations `begin..end`, by as many blocks as
//!   `blocks` says of [`GridLayout::block`] lanes. Lane `n` of all runs iterations `n`, `n + lanes`, ..; of a serial task
//!   there is one lane. Where reductions leave records, 32 lanes have a leaf: lane `l` of them runs the iterations
//!   `i ≡ l mod 32`, and they are folded in shared memory as `qd_ir::reduce` says, whatever the width of a warp or wave.
//! - `<stem>_fold(partials, leaves, stride, blocks)`: of the records of every `stride`-th leaf, each [`layout::FOLDED`] become one,
//!   in the first one's place. `stride` 1, [`layout::FOLDED`], .. until one is left is the tree over the leaves.
//! - `<stem>_gather(scratch, lanes, blocks, result)`: the lanes' copies of lists become one, in the form of a result.
//!
//! Arguments are 64-bit words and pointers to the memory of the device. A failing lane is done; it still comes to the
//! barriers of its block, since what it ran is a function of its own.
mod fold;
pub mod layout;

use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PointerValue};
use qd_ir::reduce::{LANES, LEAF};
use qd_ir::task::{Reduction, TaskKind};

use super::body::Body;
use super::context::FAULTS;
use super::hooks::Lanes;
use super::lane::{self, Best, Kept};
use super::reduce::{Contribution, List};
use super::task::{Bounds, Builder, Domain, Lead, bounds_symbol, params, run_symbol};
use crate::error::{Error, ErrorKind, Result};
use layout::{GridLayout, Place};

/// Name of the entry that combines records.
pub fn fold_symbol(stem: &str) -> String {
    format!("{stem}_fold")
}

/// Name of the entry that combines the copies of lists.
pub fn gather_symbol(stem: &str) -> String {
    format!("{stem}_gather")
}

/// Builds all functions of a task into the module.
pub(super) fn build<'a>(task: &Builder<'a, '_>, lanes: &'a dyn Lanes, stem: &str) -> Result<()> {
    let grid = Grid { task, lanes, layout: GridLayout::of(task.task, task.options) };
    let e = task.emit;
    if !grid.layout.fits() {
        let message = "the key of an extreme has more scalars than the lanes of a GPU can share";
        return Err(Error::new(ErrorKind::Unsupported, message));
    }
    match &task.task.kind {
        TaskKind::Serial => {
            let body = task.body(&[], |body, _, _| task.once(body))?;
            let function = grid.run_entry(stem)?;
            let [context, ..]: [BasicValueEnum<'_>; 6] = params(function)?;
            e.builder.build_call(body, &task.arguments(context.into_pointer_value(), &[])?, "")?;
            e.builder.build_return(None)?;
            Ok(())
        }
        TaskKind::Parallel { bounds, dims, .. } => {
            let body = grid.body()?;
            grid.run(stem, body)?;
            let function = task.bounds(stem, bounds, dims)?;
            debug_assert_eq!(function.get_name().to_bytes(), bounds_symbol(stem).as_bytes());
            lanes.kernel(e, function, 1);
            grid.aligned(function, &[0]);
            if grid.layout.has_records() {
                grid.fold(stem)?;
            }
            if grid.layout.lists > 0 {
                grid.gather(stem)?;
            }
            Ok(())
        }
    }
}

/// What builds the entries.
struct Grid<'b, 'a, 'c> {
    task: &'b Builder<'a, 'c>,
    lanes: &'a dyn Lanes,
    layout: GridLayout,
}

/// Who a lane is.
struct Own<'c> {
    /// Its number in its block, 64 bits.
    lane: IntValue<'c>,
    /// Its block's number, 64 bits.
    block: IntValue<'c>,
}

impl<'a, 'c> Grid<'_, 'a, 'c> {
    fn reductions(&self) -> &'a [Reduction] {
        self.task.task.reductions()
    }

    /// An entry point for blocks of that many lanes: its function, at whose start the builder stands.
    fn entry(&self, name: &str, pointers: &[bool], block: u32) -> Result<FunctionValue<'c>> {
        let e = self.task.emit;
        let types: Vec<_> =
            pointers.iter().map(|pointer| if *pointer { e.ptr().into() } else { e.i64().into() }).collect();
        let function = self.task.function(name, &types, None);
        self.lanes.kernel(e, function, block);
        let pointers: Vec<u32> = (0..).zip(pointers).filter(|(_, pointer)| **pointer).map(|(at, _)| at).collect();
        self.aligned(function, &pointers);
        Ok(function)
    }

    /// What is true of all pointers to entries: they lead to memory of their own, in words.
    fn aligned(&self, function: FunctionValue<'c>, pointers: &[u32]) {
        for &at in pointers {
            self.task.emit.attribute_at(function, AttributeLoc::Param(at), "noalias", 0);
            self.task.emit.attribute_at(function, AttributeLoc::Param(at), "align", 8);
        }
    }

    fn run_entry(&self, stem: &str) -> Result<FunctionValue<'c>> {
        let pointers = [true, false, false, false, true, true];
        let function = self.entry(&run_symbol(stem), &pointers, self.layout.block)?;
        self.task.emit.attribute_at(function, AttributeLoc::Param(0), "readonly", 0);
        Ok(function)
    }

    fn own(&self) -> Result<Own<'c>> {
        let e = self.task.emit;
        Ok(Own { lane: e.zext(self.lanes.lane(e)?, 64)?, block: e.zext(self.lanes.block(e)?, 64)? })
    }

    /// The function that runs some iterations in one lane: those from `first` on, `step` apart, below `end`. There is at
    /// least one. What the lane keeps is handed in.
    fn body(&self) -> Result<FunctionValue<'c>> {
        let e = self.task.emit;
        let word = || Lead::of(e.i64().into());
        let mut lead = vec![word(), word(), word()];
        // The variables of the entry, from which this function is inlined.
        let probe = e.context.ptr_type(self.task.hooks.variables());
        for (reduction, place) in self.reductions().iter().zip(&self.layout.places) {
            match place {
                Place::List(_) => lead.extend([Lead::of(e.ptr().into()), word()]),
                Place::Record(_) => {
                    lead.extend(lane::variables(e, reduction).iter().map(|_| Lead::alone(probe.into())));
                }
            }
        }
        self.task.body(&lead, |body, lead, bounds| self.walk(body, lead, bounds))
    }

    fn walk(&self, body: &mut Body<'a, 'c>, lead: &[BasicValueEnum<'c>], bounds: &Bounds<'c>) -> Result<()> {
        let e = self.task.emit;
        let missing = || Error::internal("a lane's function lacks a parameter");
        let mut lead = lead.iter().copied();
        let mut next = || lead.next().ok_or_else(missing);
        let (first, step, end) = (next()?.into_int_value(), next()?.into_int_value(), next()?.into_int_value());
        for (reduction, place) in self.reductions().iter().zip(&self.layout.places) {
            let kept = match place {
                Place::List(_) => {
                    Kept::List(List { words: next()?.into_pointer_value(), step: next()?.into_int_value() })
                }
                Place::Record(_) => {
                    let mut variables = Vec::new();
                    for _ in lane::variables(e, reduction) {
                        variables.push(next()?.into_pointer_value());
                    }
                    match (reduction, variables.as_slice()) {
                        (Reduction::Each { .. }, [variable]) => Kept::One(*variable),
                        (Reduction::Each { .. } | Reduction::Extreme { .. }, variables) => {
                            Kept::Best(Best::over(reduction, variables)?)
                        }
                    }
                }
            };
            body.contributions.push(Contribution::of_lane(e, reduction, kept)?);
        }
        let domain = Domain::new(e, self.task.task.dims(), bounds)?;
        self.strided(body, &domain, [first, step, end])
    }

    /// The iterations from `first` on, `step` apart, below `end`.
    fn strided(&self, body: &mut Body<'a, 'c>, domain: &Domain<'a, 'c>, range: [IntValue<'c>; 3]) -> Result<()> {
        let (e, b) = (self.task.emit, &self.task.emit.builder);
        let [first, step, end] = range;
        let (top, latch, more, done) = (e.new_block()?, e.new_block()?, e.new_block()?, e.new_block()?);
        let from = e.block()?;
        e.branch(top)?;
        e.at(top);
        let number = b.build_phi(e.i64(), "")?;
        let at = number.as_basic_value().into_int_value();
        self.variables(body, domain, at)?;
        body.iteration = at;
        body.end = latch;
        self.task.once(body)?;
        if !e.is_closed()? {
            e.branch(latch)?;
        }
        e.at(latch);
        for contribution in &body.contributions {
            contribution.end(e, self.task.hooks, at, None)?;
        }
        // No sum that could wrap.
        let last = e.compare(IntPredicate::ULE, b.build_int_sub(end, at, "")?, step)?;
        e.branch_if(last, done, more)?;
        e.at(more);
        let next = b.build_int_add(at, step, "")?;
        if self.layout.has_records() || !self.can_fail() {
            e.branch(top)?;
        } else {
            // What comes behind a failure needn't run. Of a leaf all iterations are close to each other.
            let failed = self.lanes.first_failed(e, body.state)?;
            let behind = e.compare(IntPredicate::UGT, next, failed)?;
            e.branch_if(behind, done, top)?;
        }
        number.add_incoming(&[(&first, from), (&next, e.block()?)]);
        e.at(done);
        Ok(())
    }

    fn can_fail(&self) -> bool {
        !self.task.task.sites.values().is_empty()
    }

    /// Sets the loop variables of the iteration of that linear number.
    fn variables(&self, body: &mut Body<'a, 'c>, domain: &Domain<'a, 'c>, number: IntValue<'c>) -> Result<()> {
        let b = &self.task.emit.builder;
        let mut rest = number;
        for (position, dim) in domain.dims.iter().enumerate().rev() {
            let index = if position == 0 { rest } else { b.build_int_unsigned_rem(rest, dim.len, "")? };
            if position > 0 {
                rest = b.build_int_unsigned_div(rest, dim.len, "")?;
            }
            body.set_variable(dim.dim.var, b.build_int_add(dim.lo, index, "")?)?;
        }
        Ok(())
    }

    /// The entry that runs iterations.
    fn run(&self, stem: &str, body: FunctionValue<'c>) -> Result<()> {
        let (e, b) = (self.task.emit, &self.task.emit.builder);
        let function = self.run_entry(stem)?;
        let [context, begin, end, blocks, partials, scratch] = params(function)?;
        let (context, partials) = (context.into_pointer_value(), partials.into_pointer_value());
        let (begin, end) = (begin.into_int_value(), end.into_int_value());
        let own = self.own()?;
        let block = e.word(self.layout.block.into());
        let lanes = b.build_int_mul(blocks.into_int_value(), block, "")?;
        let number = b.build_int_add(b.build_int_mul(own.block, block, "")?, own.lane, "")?;
        let lists = self.lists(scratch.into_pointer_value(), number, lanes)?;
        let len = b.build_int_sub(end, begin, "")?;
        let done = e.new_block()?;
        if !self.layout.has_records() {
            let some = e.new_block()?;
            let runs = e.compare(IntPredicate::ULT, number, len)?;
            e.branch_if(runs, some, done)?;
            e.at(some);
            let first = b.build_int_add(begin, number, "")?;
            let mut lead: Vec<BasicValueEnum<'c>> = vec![first.into(), lanes.into(), end.into()];
            lead.extend(lists.iter().flat_map(|list| [BasicValueEnum::from(list.words), list.step.into()]));
            b.build_call(body, &self.task.arguments(context, &lead)?, "")?;
            e.branch(done)?;
        } else {
            let leaves = Leaves { begin, len, step: blocks.into_int_value(), partials };
            self.leaves(&leaves, &own, context, body, &lists)?;
            e.branch(done)?;
        }
        e.at(done);
        b.build_return(None)?;
        Ok(())
    }

    /// The lane's copies of the lists, set to what no iterations come to.
    fn lists(&self, scratch: PointerValue<'c>, number: IntValue<'c>, lanes: IntValue<'c>) -> Result<Vec<List<'c>>> {
        let (e, b) = (self.task.emit, &self.task.emit.builder);
        let mut lists = Vec::new();
        for (reduction, place) in self.reductions().iter().zip(&self.layout.places) {
            let (Reduction::Each { op, ty, len }, Place::List(before)) = (reduction, place) else { continue };
            let words = e.word(ty.words() as u64);
            let first = b.build_int_mul(lanes, e.word(*before as u64), "")?;
            let own = b.build_int_add(first, b.build_int_mul(number, words, "")?, "")?;
            let list = List { words: e.word_at(scratch, own)?, step: b.build_int_mul(lanes, words, "")? };
            let identity = super::reduce::Each { op: *op, ty: *ty }.identity(e)?;
            self.count(e.word(0), e.word(1), e.word((*len).into()), |k| {
                let at = e.word_at(list.words, b.build_int_mul(k, list.step, "")?)?;
                e.store_words(*ty, at, identity)
            })?;
            lists.push(list);
        }
        Ok(lists)
    }

    /// Builds a loop over `first`, `first + step`, .. below `end`.
    fn count(
        &self,
        first: IntValue<'c>,
        step: IntValue<'c>,
        end: IntValue<'c>,
        each: impl FnOnce(IntValue<'c>) -> Result<()>,
    ) -> Result<()> {
        let (e, b) = (self.task.emit, &self.task.emit.builder);
        let (top, body, done) = (e.new_block()?, e.new_block()?, e.new_block()?);
        let from = e.block()?;
        e.branch(top)?;
        e.at(top);
        let counter = b.build_phi(e.i64(), "")?;
        let at = counter.as_basic_value().into_int_value();
        let some = e.compare(IntPredicate::ULT, at, end)?;
        e.branch_if(some, body, done)?;
        e.at(body);
        each(at)?;
        let next = b.build_int_add(at, step, "")?;
        counter.add_incoming(&[(&first, from), (&next, e.block()?)]);
        e.branch(top)?;
        e.at(done);
        Ok(())
    }

    /// Leaf by leaf: what its lanes keep becomes its record.
    fn leaves(
        &self,
        leaves: &Leaves<'c>,
        own: &Own<'c>,
        context: PointerValue<'c>,
        body: FunctionValue<'c>,
        lists: &[List<'c>],
    ) -> Result<()> {
        let (e, b) = (self.task.emit, &self.task.emit.builder);
        let lanes = e.word(LANES as u64);
        let group = b.build_int_unsigned_div(own.lane, lanes, "")?;
        let lane = b.build_int_unsigned_rem(own.lane, lanes, "")?;
        let groups = e.word(self.layout.groups().into());
        let whole = b.build_int_unsigned_div(leaves.len, e.word(LEAF), "")?;
        let rest = b.build_int_unsigned_rem(leaves.len, e.word(LEAF), "")?;
        let short = e.compare(IntPredicate::NE, rest, e.word(0))?;
        let count = b.build_int_add(whole, e.zext(short, 64)?, "")?;
        let variables: Vec<Vec<PointerValue<'c>>> = self
            .reductions()
            .iter()
            .map(|reduction| lane::variables(e, reduction).into_iter().map(|ty| e.variable(ty)).collect())
            .collect::<Result<_>>()?;
        let mut lead: Vec<BasicValueEnum<'c>> = Vec::new();
        let mut list = lists.iter();
        for (place, own) in self.layout.places.iter().zip(&variables) {
            match place {
                Place::Record(_) => lead.extend(own.iter().map(|at| BasicValueEnum::from(*at))),
                Place::List(_) => {
                    lead.extend(
                        list.next().into_iter().flat_map(|list| [BasicValueEnum::from(list.words), list.step.into()]),
                    );
                }
            }
        }
        let faults = self.task.load_pointer(context, FAULTS)?;
        let first = b.build_int_mul(own.block, groups, "")?;
        let stride = b.build_int_mul(leaves.step, groups, "")?;
        // The same number of rounds for all lanes of a block, which meet at barriers.
        self.count(first, stride, count, |base| {
            let leaf = b.build_int_add(base, group, "")?;
            for (reduction, variables) in self.reductions().iter().zip(&variables) {
                lane::clear(e, reduction, variables)?;
            }
            let offset = b.build_int_mul(leaf, e.word(LEAF), "")?;
            let own_first = b.build_int_add(offset, lane, "")?;
            let (run, fold) = (e.new_block()?, e.new_block()?);
            let exists = e.compare(IntPredicate::ULT, leaf, count)?;
            // A short leaf may have nothing for this lane.
            let mut runs = b.build_and(exists, e.compare(IntPredicate::ULT, own_first, leaves.len)?, "")?;
            let start = b.build_int_add(leaves.begin, own_first, "")?;
            if self.can_fail() {
                let failed = self.lanes.first_failed(e, faults)?;
                runs = b.build_and(runs, e.compare(IntPredicate::ULE, start, failed)?, "")?;
            }
            e.branch_if(runs, run, fold)?;
            e.at(run);
            let left = b.build_int_sub(leaves.len, offset, "")?;
            let own_len = e.int_intrinsic("llvm.umin", &[left, e.word(LEAF)])?;
            let end = b.build_int_add(b.build_int_add(leaves.begin, offset, "")?, own_len, "")?;
            let mut args = vec![BasicValueEnum::from(start), lanes.into(), end.into()];
            args.extend(&lead);
            b.build_call(body, &self.task.arguments(context, &args)?, "")?;
            e.branch(fold)?;
            e.at(fold);
            let record = b.build_int_mul(leaf, e.word(self.layout.record as u64), "")?;
            let record = e.word_at(leaves.partials, record)?;
            self.fold_lanes(own, lane, exists, &variables, record)
        })
    }
}

/// The leaves of a launch.
struct Leaves<'c> {
    begin: IntValue<'c>,
    /// Number of iterations.
    len: IntValue<'c>,
    /// Number of blocks.
    step: IntValue<'c>,
    partials: PointerValue<'c>,
}
