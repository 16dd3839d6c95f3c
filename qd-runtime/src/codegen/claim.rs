//! Claims: of a scatter into an array at any index, one iteration may write an element.
//!
//! A word an element holds the complement of the lowest iteration that has claimed it, and 0 before, so a claim is an
//! atomic maximum. Who finds another iteration there fails the later of the two, be it the other one: so the launch
//! reports the lowest iteration that comes second anywhere, whichever came first in time. The other one has then written
//! already; what the element holds after the failure is one of both values.
use inkwell::values::{IntValue, PointerValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp, IntPredicate};
use qd_ir::arena::Id;
use qd_ir::body::{Stmt, Value};
use qd_ir::fault::{Fault, Site};
use qd_ir::task::Array;

use super::body::{Body, Checked};
use super::hooks::Report;
use crate::error::{Error, Result};

impl<'a, 'c> Body<'a, 'c> {
    /// Leaves the task unless `array[index]` exists and no lower iteration has claimed it.
    pub(super) fn claim(
        &mut self,
        stmt: &'a Stmt,
        array: Id<Array>,
        index: &[Id<Value>],
        site: Id<Site>,
    ) -> Result<()> {
        self.check(stmt, array, index, site)?;
        self.checked.push(Checked { array, index: index.to_vec(), site });
        // A serial task has one iteration.
        let Some((_, claims)) = self.claims.iter().find(|(claimed, _)| *claimed == array) else { return Ok(()) };
        let (claims, element) = (*claims, self.number(array, index)?);
        self.claim_word(claims, element, site)
    }

    fn claim_word(&mut self, claims: PointerValue<'c>, element: IntValue<'c>, site: Id<Site>) -> Result<()> {
        let (e, b) = (self.emit, &self.emit.builder);
        let at = e.word_at(claims, element)?;
        let own = b.build_not(self.iteration, "")?;
        // Relaxed: the words say who, and order nothing else.
        let found = b.build_atomicrmw(AtomicRMWBinOp::UMax, at, own, AtomicOrdering::Monotonic)?;
        self.device_wide(found.into())?;
        let (met, next) = (e.new_block()?, e.new_block()?);
        let taken = e.compare(IntPredicate::NE, found, e.word(0))?;
        let by_other = e.compare(IntPredicate::NE, found, own)?;
        e.branch_if(b.build_and(taken, by_other, "")?, met, next)?;
        e.at(met);
        let other = b.build_not(found, "")?;
        let later = e.compare(IntPredicate::ULT, other, self.iteration)?;
        let values = [Some(other), None, None, None];
        self.faults.guard(e, later, self.iteration, site.index(), Fault::Claimed, values)?;
        // The other one is later and has gone on; this one is as good as any below it.
        let half = e.int(32);
        let site = u32::try_from(site.index()).map_err(|_| Error::internal("more than 2^32 sites"))?;
        let report = Report {
            iteration: other,
            site: half.const_int(site.into(), false),
            fault: half.const_int((Fault::Claimed as u32).into(), false),
            values: [self.iteration, e.word(0), e.word(0), e.word(0)],
        };
        self.hooks.report(e, self.state, &report)?;
        e.branch(next)?;
        e.at(next);
        Ok(())
    }
}
