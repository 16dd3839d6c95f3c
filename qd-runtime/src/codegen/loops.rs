//! Counted loops, in one version or in two.
//!
//! Where checks can be decided before a loop starts (see [`access`]), the loop is made twice: a fast
//! version without those checks for the stretch of iterations in which they all pass, and a cold one with every check
//! for what lies before and after it. The cold one also finds the exact failure. So a stencil whose first and last
//! column would fail, or are guarded by an `if`, still runs fast in between. Inside the cold version loops come in one
//! version only, so code grows with the depth of a nest, not exponentially.
//!
//! Iterations of the task are counted from 0 to `len` in 64 bits; the variable is `first` plus the count, whatever its
//! type. Those of a loop of the body are counted by its variable, so the addresses of short rows need no sums.
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{IntValue, PhiValue};
use qd_ir::arena::Id;
use qd_ir::body::{LoopId, Region, Unroll, Value};
use qd_ir::reduce::LANES;

use super::access::{self, Everywhere, Hoisted, Shortcut, Stretch};
use super::body::{Body, Proven};
use super::emit::{Emit, LoopHint};
use super::group::Ahead;
use crate::error::Result;

/// Iterations up to which a loop is all fast or all cold.
const SHORT: u64 = 8;

/// A loop over consecutive values of an integer variable.
pub(super) struct Counted<'a, 'c> {
    pub(super) var: Id<Value>,
    /// First value of the variable, in 64 bits.
    pub(super) first: IntValue<'c>,
    /// Whether there are iterations.
    pub(super) runs: IntValue<'c>,
    /// Number of iterations, if there are any.
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

impl<'c> Counted<'_, 'c> {
    /// Where counting starts, and where it ends.
    fn span(&self, e: &Emit<'c>) -> Result<(IntValue<'c>, IntValue<'c>)> {
        Ok(match self.kind {
            LoopKind::Task(_) => (e.word(0), self.len),
            LoopKind::Nested(..) => (self.first, e.builder.build_int_add(self.first, self.len, "")?),
        })
    }

    /// Whether it has so few iterations, known when it is compiled, that a stretch of them isn't worth a version.
    pub(super) fn is_short(&self) -> bool {
        self.len.get_zero_extended_constant().is_some_and(|len| len <= SHORT)
    }

    /// The variable at a count.
    pub(super) fn variable(&self, e: &Emit<'c>, at: IntValue<'c>) -> Result<IntValue<'c>> {
        match self.kind {
            LoopKind::Task(_) => Ok(e.builder.build_int_add(self.first, at, "")?),
            LoopKind::Nested(..) => Ok(at),
        }
    }
}

/// Numbers at the start of a block that depend on where it is entered from.
struct Phis<'c, const N: usize>([PhiValue<'c>; N]);

impl<'c, const N: usize> Phis<'c, N> {
    fn new(e: &Emit<'c>) -> Result<Self> {
        let phi = e.builder.build_phi(e.i64(), "")?;
        let mut phis = [phi; N];
        for phi in phis.iter_mut().skip(1) {
            *phi = e.builder.build_phi(e.i64(), "")?;
        }
        Ok(Phis(phis))
    }

    fn numbers(&self) -> [IntValue<'c>; N] {
        self.0.map(|phi| phi.as_basic_value().into_int_value())
    }

    fn add(&self, numbers: [IntValue<'c>; N], from: BasicBlock<'c>) {
        for (phi, number) in self.0.iter().zip(numbers) {
            phi.add_incoming(&[(&number, from)]);
        }
    }
}

impl<'a, 'c> Body<'a, 'c> {
    /// Builds the loop; the builder goes on behind it.
    pub(super) fn counted(&mut self, l: &Counted<'a, 'c>) -> Result<()> {
        let e = self.emit;
        let (enter, leave) = (e.new_block()?, e.new_block()?);
        e.branch_if(l.runs, enter, leave)?;
        e.at(enter);
        let (begin, end) = l.span(e)?;
        let hoisted = match &self.everywhere {
            _ if self.cold => None,
            Some(everywhere) if matches!(l.kind, LoopKind::Task(_)) => self.hoist_row(l, everywhere)?,
            Some(_) | None => access::hoist(self, l)?,
        };
        if self.in_lanes
            && !self.cold
            && let LoopKind::Task(_) = l.kind
        {
            let hoisted = hoisted.unwrap_or(Hoisted { proven: Vec::new(), stretch: None, shortcut: None });
            let whole = Stretch { start: e.word(0), end: l.len };
            let stretch = self.whole_rows(&hoisted.stretch.unwrap_or(whole))?;
            self.two_versions(l, leave, (begin, end), &stretch, &hoisted.proven, None)?;
            e.at(leave);
            return Ok(());
        }
        match hoisted {
            None => {
                self.pass(l, leave, begin, end)?;
                e.branch(leave)?;
            }
            Some(hoisted) => {
                // What is proven already by a loop around must stay so behind this one.
                let new: Vec<_> = hoisted.proven.into_iter().filter(|check| !self.proven.contains(check)).collect();
                match hoisted.stretch {
                    None => {
                        self.proven.extend(&new);
                        self.pass(l, leave, begin, end)?;
                        e.branch(leave)?;
                        new.iter().for_each(|check| _ = self.proven.remove(check));
                    }
                    Some(_)
                        if let Some(shortcut) = &hoisted.shortcut
                            && (l.is_short() || self.goes_in_groups(l, &new)) =>
                    {
                        self.all_or_nothing(l, leave, (begin, end), &new, shortcut)?
                    }
                    Some(stretch) => self.two_versions(l, leave, (begin, end), &stretch, &new, hoisted.shortcut)?,
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
        let shortcut = match &hoisted {
            Some(Hoisted { proven, stretch: Some(_), .. })
                if proven.iter().all(|check| everywhere.proven.contains(check)) =>
            {
                Some(Shortcut { fails: everywhere.fails, from, look })
            }
            Some(_) | None => {
                e.branch(look)?;
                None
            }
        };
        e.at(looked);
        Ok(hoisted.map(|hoisted| Hoisted { shortcut, ..hoisted }))
    }

    /// Cold up to the stretch, fast in it, cold behind it. Without a stretch all is cold, with the shortcut all is fast.
    fn two_versions(
        &mut self,
        l: &Counted<'a, 'c>,
        leave: BasicBlock<'c>,
        (begin, end): (IntValue<'c>, IntValue<'c>),
        stretch: &Stretch<'c>,
        proven: &[Proven],
        shortcut: Option<Shortcut<'c>>,
    ) -> Result<()> {
        let e = self.emit;
        // Where the search ends. The fast version comes first, with no iterations if the stretch starts later.
        let exists = e.compare(IntPredicate::SLT, stretch.start, stretch.end)?;
        let at_once = e.compare(IntPredicate::SLE, stretch.start, e.word(0))?;
        let at_once = e.builder.build_and(exists, at_once, "")?;
        let from_begin = |number| e.builder.build_int_add(begin, number, "");
        let found = e.select_int(exists, from_begin(stretch.start)?, end)?;
        let found_end = e.select_int(exists, from_begin(stretch.end)?, end)?;
        let first_end = e.select_int(at_once, found_end, begin)?;
        let cold_end = e.select_int(at_once, end, found)?;
        let second_end = e.select_int(at_once, end, found_end)?;
        let (top, fast, cold, again) = (e.new_block()?, e.new_block()?, e.new_block()?, e.new_block()?);
        let from = e.block()?;
        e.branch(top)?;

        e.at(top);
        let turn = Phis::new(e)?;
        let [first, stop, until, last] = turn.numbers();
        turn.add([begin, first_end, cold_end, second_end], from);
        let later = e.compare(IntPredicate::EQ, first, stop)?;
        e.branch_seldom_if(later, cold, fast)?;

        e.at(fast);
        self.proven.extend(proven);
        match l.kind {
            LoopKind::Task(base) if self.in_lanes => self.pass_in_lanes(l, base, first, stop)?,
            LoopKind::Task(_) | LoopKind::Nested(..) => self.pass(l, leave, first, stop)?,
        }
        proven.iter().for_each(|check| _ = self.proven.remove(check));
        let behind = e.block()?;
        let more = e.compare(IntPredicate::NE, stop, end)?;
        e.branch_seldom_if(more, cold, leave)?;

        e.at(cold);
        let rest = Phis::new(e)?;
        rest.add([first, until, last], top);
        rest.add([stop, end, end], behind);
        let [from, until, last] = rest.numbers();
        self.cold = true;
        self.pass(l, leave, from, until)?;
        self.cold = false;
        let done = e.compare(IntPredicate::EQ, until, end)?;
        e.branch_if(done, leave, again)?;
        e.at(again);
        turn.add([until, last, end, end], again);
        e.branch(top)?;

        if let Some(Shortcut { fails, from, look }) = shortcut {
            e.at(from);
            e.branch_seldom_if(fails, look, top)?;
            turn.add([begin, end, end, end], from);
        }
        Ok(())
    }

    /// Whether a loop still has checks that data decide where those of `proven` are gone, and each iteration comes to all
    /// of those: then it fails, if one of them does.
    fn goes_in_groups(&mut self, l: &Counted<'a, 'c>, proven: &[Proven]) -> bool {
        let always = |(stmt, _): &Proven| l.body.0.iter().any(|known| std::ptr::eq(known, *stmt));
        if !proven.iter().all(always) {
            return false;
        }
        self.proven.extend(proven);
        let ahead = self.groups_of(l);
        proven.iter().for_each(|check| _ = self.proven.remove(check));
        ahead.is_some_and(|(_, ahead)| !ahead.jumps)
    }

    /// What a loop of the body looks at before each group of iterations, if it goes in groups.
    fn groups_of(&self, l: &Counted<'a, 'c>) -> Option<(LoopId, Ahead<'a>)> {
        match l.kind {
            LoopKind::Nested(id, Unroll::Auto) => self.ahead(l).map(|ahead| (id, ahead)),
            LoopKind::Nested(..) | LoopKind::Task(_) => None,
        }
    }

    /// All fast with the shortcut, all cold without. So a short loop has constant bounds in its fast version, and LLVM
    /// unrolls it; and one that goes in groups, whose iterations no vectors take, needn't ask in each run of it where its
    /// stretch starts and ends: it is run often, for the few entries of a row.
    fn all_or_nothing(
        &mut self,
        l: &Counted<'a, 'c>,
        leave: BasicBlock<'c>,
        (begin, end): (IntValue<'c>, IntValue<'c>),
        proven: &[Proven],
        shortcut: &Shortcut<'c>,
    ) -> Result<()> {
        let e = self.emit;
        let fast = e.new_block()?;
        e.at(shortcut.from);
        e.branch_seldom_if(shortcut.fails, shortcut.look, fast)?;
        e.at(fast);
        self.proven.extend(proven);
        self.pass(l, leave, begin, end)?;
        proven.iter().for_each(|check| _ = self.proven.remove(check));
        e.branch(leave)?;
        e.at(shortcut.look);
        self.cold = true;
        self.pass(l, leave, begin, end)?;
        self.cold = false;
        e.branch(leave)?;
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
        self.set_variable(l.var, l.variable(e, at)?)?;
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
        let start = match self.groups_of(l) {
            None => {
                e.branch(top)?;
                start
            }
            Some((id, ahead)) => {
                let rest = self.groups(l, id, &ahead, leave, (start, stop))?;
                let finished = e.compare(IntPredicate::EQ, rest, stop)?;
                e.branch_if(finished, done, top)?;
                rest
            }
        };
        let from = e.block()?;
        e.at(top);
        let count = e.builder.build_phi(e.i64(), "")?;
        let at = count.as_basic_value().into_int_value();
        self.set_variable(l.var, l.variable(e, at)?)?;
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
        // Below `stop`, so it can't wrap, in the order of the numbers that it counts.
        let one = e.word(1);
        let next = match l.kind {
            LoopKind::Nested(..) if self.ty(l.var).is_signed() => e.builder.build_int_nsw_add(at, one, "")?,
            LoopKind::Nested(..) | LoopKind::Task(_) => e.builder.build_int_nuw_add(at, one, "")?,
        };
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
