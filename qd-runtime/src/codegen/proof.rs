//! When a check passes: in which stretch of a loop's iterations, and whether in all of them.
//!
//! [`below`](Prover::below) sees through an index down to linear forms (`linear`) and invariants, and says by instructions
//! in front of the loop from where to where it is within bounds. What it must not know: which checks there are, and what
//! is made of the answer (`access`). A [`Proof`] may claim too little, never too much.
use inkwell::IntPredicate;
use inkwell::values::IntValue;
use qd_ir::arena::Id;
use qd_ir::body::{Stmt, Value};
use qd_ir::op::Op;
use qd_ir::types::Scalar;

use super::access::{Prover, Stretch};
use super::linear::{FACTOR, Factor, Linear};
use super::op::{self, Operation};
use crate::error::Result;

/// Largest number of iterations of a loop inside, and of terms, for which sums are known not to overflow 64 bits:
/// `TERMS * FACTOR * ITERATIONS < 2^62`.
const ITERATIONS: u64 = 1 << 44;
const TERMS: usize = 8;
/// First indices are computed with as `i64` within `-HALF..HALF`.
const HALF: u64 = 1 << 62;
const _: () = assert!(TERMS as u64 * FACTOR <= HALF / ITERATIONS);

/// When a check passes: in the iterations from each of `starts` on, before each of `ends`, if all of `conditions`; and in
/// all iterations, if all of `whole`.
#[derive(Default)]
pub(super) struct Proof<'c> {
    starts: Vec<IntValue<'c>>,
    ends: Vec<IntValue<'c>>,
    conditions: Vec<IntValue<'c>>,
    pub(super) whole: Vec<IntValue<'c>>,
}

impl<'c> Proof<'c> {
    pub(super) fn and(&mut self, other: Proof<'c>) {
        self.starts.extend(other.starts);
        self.ends.extend(other.ends);
        self.conditions.extend(other.conditions);
        self.whole.extend(other.whole);
    }

    /// Adds a condition of either; constants that are true add nothing.
    fn needs(&mut self, condition: IntValue<'c>) {
        if condition.get_zero_extended_constant() != Some(1) {
            self.conditions.push(condition);
            self.whole.push(condition);
        }
    }

    fn if_only(condition: IntValue<'c>) -> Self {
        let mut proof = Proof::default();
        proof.needs(condition);
        proof
    }

    pub(super) fn is_certain(&self) -> bool {
        self.starts.is_empty() && self.ends.is_empty() && self.conditions.is_empty()
    }
}

impl<'a, 'c> Prover<'_, 'a, 'c> {
    /// When the `usize` `value` is below `extent`; `None` if nothing is known.
    pub(super) fn below(&mut self, value: Id<Value>, extent: IntValue<'c>) -> Result<Option<Proof<'c>>> {
        let e = self.body.emit;
        if let Some(linear) = self.linear(value)? {
            return self.linear_below(&linear, extent);
        }
        let Some(Stmt::Op { op, args, .. }) = self.inside.set_by.get(&value).copied() else { return Ok(None) };
        let ty = self.body.ty(args[0]);
        let unsigned = !ty.is_signed();
        match op {
            // The result is one of the operands: of the smaller it is enough to know one.
            Op::Min if unsigned => {
                let (a, b) = (self.below(args[0], extent)?, self.below(args[1], extent)?);
                self.either(a, b)
            }
            Op::And => {
                let (a, b) = (self.below(args[0], extent)?, self.below(args[1], extent)?);
                self.either(a, b)
            }
            Op::Max | Op::Min => {
                let (Some(mut a), Some(b)) = (self.below(args[0], extent)?, self.below(args[1], extent)?) else {
                    return Ok(None);
                };
                a.and(b);
                Ok(Some(a))
            }
            // At most the operand, as far as unsigned numbers go.
            Op::SaturatingSub | Op::Div | Op::Shr if unsigned => self.below(args[0], extent),
            Op::Rem | Op::RemEuclid if unsigned => {
                let Some(divisor) = self.invariant_int(args[1])? else { return Ok(None) };
                // Zero, for which the operation fails, becomes the largest number.
                let largest = e.builder.build_int_sub(divisor, divisor.get_type().const_int(1, false), "")?;
                Ok(Some(Proof::if_only(e.compare(IntPredicate::ULT, largest, extent)?)))
            }
            Op::Clamp => {
                let (Some(lo), Some(hi)) = (self.invariant_int(args[1])?, self.invariant_int(args[2])?) else {
                    return Ok(None);
                };
                let mut proof = Proof::if_only(e.compare(IntPredicate::ULT, hi, extent)?);
                if !unsigned {
                    proof.needs(e.compare(IntPredicate::SGE, lo, lo.get_type().const_zero())?);
                }
                Ok(Some(proof))
            }
            Op::Cast if ty.is_int() && ty.bits() == 64 => self.below(args[0], extent),
            // A small number, whatever it is. Tables for bytes are as long as it takes; of wider numbers few arrays are, and
            // a condition that never holds would send the loop to its cold version, checks that pass and all.
            Op::Cast if ty == Scalar::Bool || (unsigned && ty.is_int() && ty.bits() < 64) => {
                let bits = if ty == Scalar::Bool { 1 } else { ty.bits() };
                let largest = e.word(u64::MAX >> (64 - bits));
                let fits = e.compare(IntPredicate::ULT, largest, extent)?;
                let plausible = fits.get_zero_extended_constant().map_or(bits <= 8, |fits| fits == 1);
                Ok(plausible.then(|| Proof::if_only(fits)))
            }
            // What isn't understood keeps its check; a new operation loses nothing by that.
            _ => Ok(None),
        }
    }

    /// When the checks of an operation pass, of what its invariant operands say.
    pub(super) fn passes(&mut self, op: Op, args: &[Id<Value>]) -> Result<Option<Proof<'c>>> {
        let e = self.body.emit;
        let ty = self.body.ty(args[0]);
        let mut proof = Proof::default();
        match op {
            Op::Div
            | Op::Rem
            | Op::DivEuclid
            | Op::RemEuclid
            | Op::WrappingDiv
            | Op::WrappingRem
            | Op::DivCeil
            | Op::NextMultipleOf => {
                let Some(divisor) = self.invariant_int(args[1])? else { return Ok(None) };
                proof.needs(e.compare(IntPredicate::NE, divisor, divisor.get_type().const_zero())?);
                if ty.is_signed() && !matches!(op, Op::WrappingDiv | Op::WrappingRem) {
                    proof.needs(e.compare(IntPredicate::NE, divisor, divisor.get_type().const_all_ones())?);
                }
            }
            Op::Clamp => {
                let (Some(lo), Some(hi)) = (self.invariant(args[1])?, self.invariant(args[2])?) else {
                    return Ok(None);
                };
                // The first operand has no part in the check.
                let args = [lo, lo, hi];
                let (emit, hooks) = (e, self.body.hooks);
                for check in op::checks(&Operation { emit, hooks, op, ty, output: ty, args: &args })? {
                    proof.needs(e.builder.build_not(check.fails, "")?);
                }
            }
            // Their only operand decides, and it is seldom invariant.
            _ => return Ok(None),
        }
        Ok(Some(proof))
    }

    /// A proof from either of two; where both are there, from the one with the longer stretch.
    fn either(&self, a: Option<Proof<'c>>, b: Option<Proof<'c>>) -> Result<Option<Proof<'c>>> {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (one, other) => return Ok(one.or(other)),
        };
        if a.is_certain() || b.is_certain() {
            return Ok(Some(Proof::default()));
        }
        let e = self.body.emit;
        let whole = e.builder.build_or(self.all(&a.whole)?, self.all(&b.whole)?, "")?;
        let (a, b) = (self.stretch(a)?, self.stretch(b)?);
        let length = |s: &Stretch<'c>| -> Result<IntValue<'c>> {
            let difference = e.builder.build_int_sub(s.end, s.start, "")?;
            e.int_intrinsic("llvm.smax", &[difference, e.word(0)])
        };
        let longer = e.compare(IntPredicate::UGE, length(&a)?, length(&b)?)?;
        Ok(Some(Proof {
            starts: vec![e.select_int(longer, a.start, b.start)?],
            ends: vec![e.select_int(longer, a.end, b.end)?],
            conditions: Vec::new(),
            whole: vec![whole],
        }))
    }

    /// Whether all conditions hold.
    pub(super) fn all(&self, conditions: &[IntValue<'c>]) -> Result<IntValue<'c>> {
        let e = self.body.emit;
        let and = |so_far, &condition: &IntValue<'c>| Ok(e.builder.build_and(so_far, condition, "")?);
        match conditions.split_first() {
            None => Ok(e.bool(true)),
            Some((first, others)) => others.iter().try_fold(*first, and),
        }
    }

    /// The stretch of a proof within the loop: from 0 or later, to its length or sooner.
    pub(super) fn stretch(&self, proof: Proof<'c>) -> Result<Stretch<'c>> {
        let e = self.body.emit;
        let mut start = e.word(0);
        for other in proof.starts {
            start = e.int_intrinsic("llvm.smax", &[start, other])?;
        }
        // A length above i64::MAX is negative here: then there is no stretch.
        let mut end = self.l.len;
        for other in proof.ends {
            end = e.int_intrinsic("llvm.smin", &[end, other])?;
        }
        if !proof.conditions.is_empty() {
            end = e.select_int(self.all(&proof.conditions)?, end, e.word(0))?;
        }
        Ok(Stretch { start, end })
    }

    /// When `0 <= linear < extent`.
    fn linear_below(&mut self, linear: &Linear<'c>, extent: IntValue<'c>) -> Result<Option<Proof<'c>>> {
        let e = self.body.emit;
        let b = &e.builder;
        if linear.terms.len() > TERMS {
            return Ok(None);
        }
        let mut proof = Proof::default();
        // The least index of iteration 0, and by how much the loops inside can raise it.
        let (mut least, mut span) = (linear.base, e.word(0));
        let mut own = 0;
        for &(variable, factor) in &linear.terms {
            let (first, last) = if variable == self.l.var {
                if let Factor::Const(factor) = factor {
                    own = factor;
                    least = b.build_int_add(least, b.build_int_mul(self.l.first, e.word(factor as u64), "")?, "")?;
                    continue;
                }
                (self.l.first, b.build_int_sub(self.l.len, e.word(1), "")?)
            } else {
                let Some(range) = self.inner_range(variable)? else { return Ok(None) };
                range
            };
            // Here the whole range of the variable counts: `first..=first + last`.
            proof.needs(e.compare(IntPredicate::ULT, last, e.word(ITERATIONS))?);
            let times = match factor {
                Factor::Const(factor) => {
                    least = b.build_int_add(least, b.build_int_mul(first, e.word(factor as u64), "")?, "")?;
                    let reach = b.build_int_mul(last, e.word(factor.unsigned_abs()), "")?;
                    if factor < 0 {
                        least = b.build_int_sub(least, reach, "")?;
                    }
                    reach
                }
                Factor::Value(factor) => {
                    least = b.build_int_add(least, b.build_int_mul(first, factor, "")?, "")?;
                    let args = [last.into(), factor.into()];
                    let pair = e.intrinsic("llvm.umul.with.overflow", &[e.i64().into()], &args)?.into_struct_value();
                    let reach = b.build_extract_value(pair, 0, "")?.into_int_value();
                    let overflow = b.build_extract_value(pair, 1, "")?.into_int_value();
                    proof.needs(b.build_not(overflow, "")?);
                    proof.needs(e.compare(IntPredicate::ULT, reach, e.word(HALF / TERMS as u64))?);
                    reach
                }
            };
            span = b.build_int_add(span, times, "")?;
        }
        if own == 0 {
            // No iteration differs: all or none.
            let room = b.build_int_sub(extent, least, "")?;
            proof.needs(e.compare(IntPredicate::ULT, least, extent)?);
            if span.get_zero_extended_constant() != Some(0) {
                proof.needs(e.compare(IntPredicate::ULT, span, room)?);
            }
            return Ok(Some(proof));
        }
        let steps = own.unsigned_abs();
        if steps > 1 {
            proof.needs(e.compare(IntPredicate::ULT, self.l.len, e.word(ITERATIONS))?);
        }
        let whole = self.whole(least, own, span, extent)?;
        proof.whole.extend(whole);
        // As signed numbers from here on: with `least`, `span` and steps within 2^62 nothing overflows, and a room
        // that wraps (an extent above i64::MAX less a negative index) only turns negative.
        proof.conditions.push(e.compare(
            IntPredicate::ULT,
            b.build_int_add(least, e.word(HALF), "")?,
            e.word(2 * HALF),
        )?);
        let room = b.build_int_sub(b.build_int_sub(extent, span, "")?, least, "")?;
        let (start, end) = if own > 0 {
            // least + steps * t >= 0 and < extent - span.
            (b.build_int_neg(least, "")?, room)
        } else {
            // least - steps * t >= 0 and < extent - span.
            (b.build_int_sub(e.word(1), room, "")?, b.build_int_add(least, e.word(1), "")?)
        };
        proof.starts.push(self.steps(start, steps)?);
        proof.ends.push(self.steps(end, steps)?);
        Ok(Some(proof))
    }

    /// When `least + own * t + s` is below `extent` for all iterations `t` and all `s` up to `span`. Nothing is signed here:
    /// a `least` below zero is a large number. With `own` other than 1 or -1, `own` times the iterations doesn't overflow.
    fn whole(
        &self,
        least: IntValue<'c>,
        own: i64,
        span: IntValue<'c>,
        extent: IntValue<'c>,
    ) -> Result<[IntValue<'c>; 3]> {
        let e = self.body.emit;
        let b = &e.builder;
        let spans = |room| match span.get_zero_extended_constant() {
            Some(0) => Ok(e.bool(true)),
            _ => e.compare(IntPredicate::ULT, span, room),
        };
        if own == 1 {
            // `stop` is the end of the loop where the index is its variable: one comparison with the extent.
            let stop = b.build_int_add(least, self.l.len, "")?;
            let wraps_not = e.compare(IntPredicate::ULE, least, stop)?;
            let ends = e.compare(IntPredicate::ULE, stop, extent)?;
            let room = b.build_int_add(b.build_int_sub(extent, stop, "")?, e.word(1), "")?;
            return Ok([wraps_not, ends, spans(room)?]);
        }
        let last = b.build_int_sub(self.l.len, e.word(1), "")?;
        let reach = b.build_int_mul(last, e.word(own.unsigned_abs()), "")?;
        let first = e.compare(IntPredicate::ULT, least, extent)?;
        let room = b.build_int_sub(extent, least, "")?;
        if own > 0 {
            let reaches = e.compare(IntPredicate::ULT, reach, room)?;
            return Ok([first, reaches, spans(b.build_int_sub(room, reach, "")?)?]);
        }
        Ok([first, e.compare(IntPredicate::ULE, reach, least)?, spans(room)?])
    }

    /// The least `t >= 0` with `steps * t >= distance`; a negative distance may stay as it is where `steps` is 1.
    fn steps(&self, distance: IntValue<'c>, steps: u64) -> Result<IntValue<'c>> {
        let e = self.body.emit;
        if steps == 1 {
            return Ok(distance);
        }
        let distance = e.int_intrinsic("llvm.smax", &[distance, e.word(0)])?;
        let raised = e.builder.build_int_add(distance, e.word(steps - 1), "")?;
        Ok(e.builder.build_int_unsigned_div(raised, e.word(steps), "")?)
    }
}
