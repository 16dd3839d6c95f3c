//! Filling a variable of many scalars with one value, as `[0; 4096]` does: one loop instead of as many stores, over which LLVM's
//! time grows with their square.
use inkwell::IntPredicate;
use qd_ir::arena::Id;
use qd_ir::body::{Local, Part, Stmt, Value};

use super::body::Body;
use crate::error::Result;

/// Fewer stay stores: LLVM may then keep the variable in registers, where all of it is named by constants.
const FEWEST: usize = 256;

/// Statements in a row that set consecutive scalars of a variable to one value.
pub(super) struct Fill<'a> {
    local: Id<Local>,
    /// The first of the scalars.
    first: &'a Part,
    value: Id<Value>,
    /// How many statements, and scalars.
    pub(super) count: usize,
}

impl<'a> Fill<'a> {
    /// What `stmts` begin with, if that is one.
    pub(super) fn start_of(stmts: &'a [Stmt]) -> Option<Self> {
        let set = |stmt: &'a Stmt| match stmt {
            Stmt::SetPart { local, part, value } if part.steps.is_empty() => Some((*local, part, *value)),
            _ => None,
        };
        let (local, first, value) = set(stmts.first()?)?;
        let goes_on = |(number, stmt): &(u32, &'a Stmt)| {
            set(stmt).is_some_and(|(other, part, of)| (other, part.base, of) == (local, first.base + number, value))
        };
        let count = (0..).zip(stmts).take_while(goes_on).count();
        (count >= FEWEST).then_some(Fill { local, first, value, count })
    }
}

impl Body<'_, '_> {
    /// Does what those statements do.
    pub(super) fn fill(&self, fill: &Fill<'_>) -> Result<()> {
        let e = self.emit;
        let scalar = self.task.locals[fill.local].ty;
        let first = self.variable_part(fill.local, fill.first)?;
        let value = e.to_memory(scalar, self.value(fill.value)?)?;
        let (before, top, leave) = (e.block()?, e.new_block()?, e.new_block()?);
        e.branch(top)?;
        e.at(top);
        let number = e.builder.build_phi(e.i64(), "")?;
        let at = number.as_basic_value().into_int_value();
        // SAFETY: the statements set as many scalars of the variable, and the verifier has seen that it has them.
        let place = unsafe { e.builder.build_in_bounds_gep(e.memory_ty(scalar), first, &[at], "")? };
        e.store(place, value)?;
        let next = e.builder.build_int_nuw_add(at, e.word(1), "")?;
        number.add_incoming(&[(&e.word(0), before), (&next, top)]);
        e.branch_if(e.compare(IntPredicate::ULT, next, e.word(fill.count as u64))?, top, leave)?;
        e.at(leave);
        Ok(())
    }
}
