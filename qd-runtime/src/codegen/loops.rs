//! Counted loops, in one version or in two.
//!
//! Where checks can be decided before a loop starts (see [`access`]), the loop is made twice: a fast
//! version without those checks for the stretch of iterations in which they all pass, and a cold one with every check
//! for what lies before and after it. The cold one also finds the exact failure. So a stencil whose first and last
//! column would fail, or are guarded by an `if`, still runs fast in between. Inside the cold version loops come in one
//! version only, so code grows with the depth of a nest, not exponentially.
//!
//! Iterations are counted from 0 to `len` in 64 bits; the variable is `first` plus the count, whatever its type.
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::IntValue;
use qd_ir::arena::Id;
use qd_ir::body::{LoopId, Region, Unroll, Value};
use qd_ir::reduce::LANES;

use super::access::{self, Everywhere, Hoisted, Stretch};
use super::body::{Body, Proven};
use super::emit::LoopHint;
use crate::error::Result;

/// A loop over consecutive values of an integer variable.
pub(super) struct Counted<'a, 'c> {
    pub(super) var: Id<Value>,
    /// First value of the variable, in 64 bits.
    pub(super) first: IntValue<'c>,
    /// Number of iterations.
    pub(super) len: IntValue<'c>,
    pub(super) body: &'a Region,
    pub(super) kind: LoopKind<'c>,
}

/// What the loop is in the task.
#[derive(Clone, Copy)]
pub(super) enum LoopKind<'c> {
    /// Iterations of the task; the linear number of the first.
    Task(IntValue<'c>),
    /// A `for` of the body.
    Nested(LoopId, Unroll),
}

impl<'a, 'c> Body<'a, 'c> {
    /// Builds the loop; the builder goes on behind it.
    pub(super) fn counted(&mut self, l: &Counted<'a, 'c>) -> Result<()> {
        let e = self.emit;
        let (enter, leave) = (e.new_block()?, e.new_block()?);
        let empty = e.compare(IntPredicate::EQ, l.len, e.word(0))?;
        e.branch_if(empty, leave, enter)?;
        e.at(enter);
        let hoisted = match &self.everywhere {
            _ if self.cold => None,
            Some(everywhere) if matches!(l.kind, LoopKind::Task(_)) => self.hoist_row(l, everywhere)?,
            Some(_) | None => access::hoist(self, l)?,
        };
        if self.in_lanes
            && !self.cold
            && let LoopKind::Task(_) = l.kind
        {
            let hoisted = hoisted.unwrap_or(Hoisted { proven: Vec::new(), stretch: None });
            let whole = Stretch { start: e.word(0), end: l.len };
            let stretch = self.whole_rows(&hoisted.stretch.unwrap_or(whole))?;
            self.two_versions(l, leave, &stretch, &hoisted.proven)?;
            e.at(leave);
            return Ok(());
        }
        match hoisted {
            None => {
                self.pass(l, leave, e.word(0), l.len)?;
                e.branch(leave)?;
            }
            Some(hoisted) => {
                // What is proven already by a loop around must stay so behind this one.
                let new: Vec<_> = hoisted.proven.into_iter().filter(|check| !self.proven.contains(check)).collect();
                match hoisted.stretch {
                    None => {
                        self.proven.extend(&new);
                        self.pass(l, leave, e.word(0), l.len)?;
                        e.branch(leave)?;
                        new.iter().for_each(|check| _ = self.proven.remove(check));
                    }
                    Some(stretch) => self.two_versions(l, leave, &stretch, &new)?,
                }
            }
        }
        e.at(leave);
        Ok(())
    }

    /// As [`access::hoist`] for a row, which looks for its stretch only where not all checks of the domain pass.
    fn hoist_row(&self, l: &Counted<'a, 'c>, everywhere: &Everywhere<'c>) -> Result<Option<Hoisted<'c>>> {
        let e = self.emit;
        let (from, look) = (e.block()?, e.new_block()?);
        e.at(look);
        let hoisted = access::hoist(self, l)?;
        let looked = e.block()?;
        e.at(from);
        let Some(Hoisted { proven, stretch: Some(stretch) }) = hoisted else {
            e.branch(look)?;
            e.at(looked);
            return Ok(hoisted);
        };
        if !proven.iter().all(|check| everywhere.proven.contains(check)) {
            e.branch(look)?;
            e.at(looked);
            return Ok(Some(Hoisted { proven, stretch: Some(stretch) }));
        }
        let join = e.new_block()?;
        e.branch_if(everywhere.holds, join, look)?;
        e.at(looked);
        e.branch(join)?;
        e.at(join);
        let either = |whole: IntValue<'c>, own: IntValue<'c>| -> Result<IntValue<'c>> {
            let phi = e.builder.build_phi(e.i64(), "")?;
            phi.add_incoming(&[(&whole, from), (&own, looked)]);
            Ok(phi.as_basic_value().into_int_value())
        };
        let (start, end) = (either(e.word(0), stretch.start)?, either(l.len, stretch.end)?);
        Ok(Some(Hoisted { proven, stretch: Some(Stretch { start, end }) }))
    }

    /// Cold up to the stretch, fast in it, cold behind it. Without a stretch all is cold.
    fn two_versions(
        &mut self,
        l: &Counted<'a, 'c>,
        leave: BasicBlock<'c>,
        stretch: &Stretch<'c>,
        proven: &[Proven],
    ) -> Result<()> {
        let e = self.emit;
        let exists = e.compare(IntPredicate::SLT, stretch.start, stretch.end)?;
        let start = e.select_int(exists, stretch.start, l.len)?;
        let end = e.select_int(exists, stretch.end, l.len)?;
        let (head, more, fast, cold) = (e.new_block()?, e.new_block()?, e.new_block()?, e.new_block()?);
        let from = e.block()?;
        e.branch(head)?;

        e.at(head);
        let position = e.builder.build_phi(e.i64(), "")?;
        let at = position.as_basic_value().into_int_value();
        position.add_incoming(&[(&e.word(0), from)]);
        let done = e.compare(IntPredicate::EQ, at, l.len)?;
        e.branch_if(done, leave, more)?;
        e.at(more);
        let in_stretch = e.compare(IntPredicate::EQ, at, start)?;
        e.branch_if(in_stretch, fast, cold)?;

        e.at(fast);
        self.proven.extend(proven);
        match l.kind {
            LoopKind::Task(base) if self.in_lanes => self.pass_in_lanes(l, base, start, end)?,
            LoopKind::Task(_) | LoopKind::Nested(..) => self.pass(l, leave, start, end)?,
        }
        proven.iter().for_each(|check| _ = self.proven.remove(check));
        position.add_incoming(&[(&end, e.block()?)]);
        e.branch(head)?;

        e.at(cold);
        let before = e.compare(IntPredicate::ULT, at, start)?;
        let stop = e.select_int(before, start, l.len)?;
        self.cold = true;
        self.pass(l, leave, at, stop)?;
        self.cold = false;
        position.add_incoming(&[(&stop, e.block()?)]);
        e.branch(head)?;
        Ok(())
    }

    /// The whole rows of lanes in a stretch of a leaf, which begins with one.
    fn whole_rows(&self, stretch: &Stretch<'c>) -> Result<Stretch<'c>> {
        let b = &self.emit.builder;
        let (row, rows) = (self.emit.word(LANES as u64 - 1), self.emit.word(!(LANES as u64 - 1)));
        let start = b.build_and(b.build_int_add(stretch.start, row, "")?, rows, "")?;
        Ok(Stretch { start, end: b.build_and(stretch.end, rows, "")? })
    }

    /// As [`pass`](Self::pass), of whole rows of lanes. The loop over the lanes of a row has no dependency from one
    /// iteration to the next, so LLVM makes vectors of it; unrolled, all it does with a lane has the same address in each
    /// row, and the lanes stay in registers. Unrolled before, it would be scalars that have to be put together again.
    fn pass_in_lanes(
        &mut self,
        l: &Counted<'a, 'c>,
        base: IntValue<'c>,
        start: IntValue<'c>,
        stop: IntValue<'c>,
    ) -> Result<()> {
        let e = self.emit;
        let (row, top, latch, next_row, done) =
            (e.new_block()?, e.new_block()?, e.new_block()?, e.new_block()?, e.new_block()?);
        self.contributions.iter().try_for_each(|contribution| contribution.rows(e, true))?;
        let from = e.block()?;
        e.branch(row)?;
        e.at(row);
        let first = e.builder.build_phi(e.i64(), "")?;
        e.branch(top)?;
        e.at(top);
        let lanes = e.builder.build_phi(e.i64(), "")?;
        let (first_of_row, lane) = (first.as_basic_value().into_int_value(), lanes.as_basic_value().into_int_value());
        let at = e.builder.build_int_add(first_of_row, lane, "")?;
        self.set_variable(l.var, e.builder.build_int_add(l.first, at, "")?)?;
        self.iteration = e.builder.build_int_add(base, at, "")?;
        self.end = latch;
        self.begin_iteration()?;
        self.region(l.body)?;
        if !e.is_closed()? {
            e.branch(latch)?;
        }
        e.at(latch);
        for contribution in &self.contributions {
            contribution.end(e, self.hooks, self.iteration, Some(lane))?;
        }
        let next_lane = e.builder.build_int_nuw_add(lane, e.word(1), "")?;
        let row_is_done = e.compare(IntPredicate::EQ, next_lane, e.word(LANES as u64))?;
        let back = e.branch_if(row_is_done, next_row, top)?;
        e.loop_hints(back, &[LoopHint::NoUnroll, LoopHint::UnrollVectorized]);
        lanes.add_incoming(&[(&e.word(0), row), (&next_lane, latch)]);
        e.at(next_row);
        let next = e.builder.build_int_nuw_add(first_of_row, e.word(LANES as u64), "")?;
        let finished = e.compare(IntPredicate::EQ, next, stop)?;
        e.branch_if(finished, done, row)?;
        first.add_incoming(&[(&start, from), (&next, next_row)]);
        e.at(done);
        self.contributions.iter().try_for_each(|contribution| contribution.rows(e, false))?;
        Ok(())
    }

    /// The iterations `start..stop`, at least one. The builder goes on behind them.
    fn pass(
        &mut self,
        l: &Counted<'a, 'c>,
        leave: BasicBlock<'c>,
        start: IntValue<'c>,
        stop: IntValue<'c>,
    ) -> Result<()> {
        let e = self.emit;
        let (top, latch, done) = (e.new_block()?, e.new_block()?, e.new_block()?);
        let from = e.block()?;
        e.branch(top)?;
        e.at(top);
        let count = e.builder.build_phi(e.i64(), "")?;
        let at = count.as_basic_value().into_int_value();
        self.set_variable(l.var, e.builder.build_int_add(l.first, at, "")?)?;
        match l.kind {
            LoopKind::Task(base) => {
                self.iteration = e.builder.build_int_add(base, at, "")?;
                self.end = latch;
                self.begin_iteration()?;
                self.region(l.body)?;
            }
            LoopKind::Nested(id, _) => self.inside(id, leave, latch, |this| this.region(l.body))?,
        }
        if !e.is_closed()? {
            e.branch(latch)?;
        }
        e.at(latch);
        if let LoopKind::Task(_) = l.kind {
            for contribution in &self.contributions {
                contribution.end(e, self.hooks, self.iteration, None)?;
            }
        }
        // Below `stop`, so it can't wrap.
        let next = e.builder.build_int_nuw_add(at, e.word(1), "")?;
        let finished = e.compare(IntPredicate::EQ, next, stop)?;
        let back = e.branch_if(finished, done, top)?;
        count.add_incoming(&[(&start, from), (&next, latch)]);
        match l.kind {
            _ if self.cold => e.loop_hints(back, &[LoopHint::NoVectorize, LoopHint::NoUnroll]),
            LoopKind::Task(_) | LoopKind::Nested(_, Unroll::Auto) => {}
            LoopKind::Nested(_, Unroll::Full) => e.loop_hints(back, &[LoopHint::UnrollFull]),
            LoopKind::Nested(_, Unroll::By(times)) => e.loop_hints(back, &[LoopHint::UnrollBy(times)]),
        }
        e.at(done);
        Ok(())
    }
}
