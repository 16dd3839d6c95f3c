//! Which checks a loop can do without.
//!
//! [`hoist`] looks at every check in a loop's body and asks in which stretch of iterations it surely passes, given only
//! what is known before the loop starts. An index that is linear in the loop's variable and in those of the loops
//! inside (with invariant bounds) passes in an interval that a few instructions compute; `min`, `max`, `%`, masks,
//! clamps and widened small integers are understood around such an index. The result is never wrong, at worst the
//! stretch is too short: indices are computed modulo 2^64 as the program does, and every step that could lose by that
//! is guarded by a condition that empties the stretch. A check that isn't understood stays where it is.
//!
//! Most loops pass all their checks in all iterations, and many are short. So it is asked first whether they do, which
//! takes less than finding the stretch ([`Shortcut`]).
//!
//! A domain of several dimensions is walked in rows, and a row may be short. So [`everywhere`] asks once for all of them,
//! with the variables of the outer dimensions ranging like those of loops inside; only where the answer is no, each row
//! asks for itself.
//!
//! Bounds are known to be harmless in a size: an array that has an element has at most `isize::MAX` bytes, so an extent
//! above that belongs to an array whose other checks all fail.
use std::collections::{HashMap, HashSet};

use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, IntValue};
use qd_ir::arena::Id;
use qd_ir::body::{Local, Region, Stmt, Value};
use qd_ir::op::{BitClass, Op};
use qd_ir::task::Array;
use qd_ir::types::Scalar;

use super::body::{Body, Proven};
use super::loops::{Counted, LoopKind};
use super::op::{self, Operation};
use crate::error::Result;

/// Largest factor of a loop variable, and largest number of iterations of a loop inside, for which sums are known not
/// to overflow 64 bits: `terms * FACTOR * ITERATIONS < 2^62`.
const FACTOR: u64 = 1 << 14;
const ITERATIONS: u64 = 1 << 44;
const TERMS: usize = 8;
/// First indices are computed with as `i64` within `-HALF..HALF`.
const HALF: u64 = 1 << 62;

/// The iterations `start..end` of a loop, as signed numbers; may be empty or inverted.
pub(super) struct Stretch<'c> {
    pub(super) start: IntValue<'c>,
    pub(super) end: IntValue<'c>,
}

/// Checks of a loop that pass in a stretch of it.
pub(super) struct Hoisted<'c> {
    pub(super) proven: Vec<Proven>,
    /// `None`: in all iterations.
    pub(super) stretch: Option<Stretch<'c>>,
    /// The way round the search for the stretch, if there is one.
    pub(super) shortcut: Option<Shortcut<'c>>,
}

/// Where it is known before the stretch that all checks pass in all iterations.
pub(super) struct Shortcut<'c> {
    /// Whether they do not.
    pub(super) fails: IntValue<'c>,
    /// The block in which that is known, still open.
    pub(super) from: BasicBlock<'c>,
    /// Where the search starts.
    pub(super) look: BasicBlock<'c>,
}

/// Checks that pass in all iterations of a domain, unless a condition fails.
pub(super) struct Everywhere<'c> {
    pub(super) proven: HashSet<Proven>,
    /// Whether it doesn't.
    pub(super) fails: IntValue<'c>,
}

/// First value of a variable, and its last one less the first.
pub(super) type Span<'c> = (IntValue<'c>, IntValue<'c>);

/// The checks of the loop `l` that can be decided before it. The builder stands in front of the loop, which has at
/// least one iteration. A loop of the body has a shortcut; one of the task runs once a chunk or has its own.
pub(super) fn hoist<'a, 'c>(body: &Body<'a, 'c>, l: &Counted<'a, 'c>) -> Result<Option<Hoisted<'c>>> {
    let (mut prover, proven) = prove(body, l, HashMap::new())?;
    if proven.is_empty() {
        return Ok(None);
    }
    let total = std::mem::take(&mut prover.total);
    if total.is_certain() {
        return Ok(Some(Hoisted { proven, stretch: None, shortcut: None }));
    }
    let e = body.emit;
    let shortcut = match l.kind {
        LoopKind::Task(_) => None,
        LoopKind::Nested(..) => {
            let fails = e.builder.build_not(prover.all(&total.whole)?, "")?;
            let shortcut = Shortcut { fails, from: e.block()?, look: e.new_block()? };
            e.at(shortcut.look);
            Some(shortcut)
        }
    };
    // Of a short loop nobody asks where.
    let nowhere = Stretch { start: e.word(0), end: e.word(0) };
    let short = l.is_short() && shortcut.is_some();
    let stretch = Some(if short { nowhere } else { prover.stretch(total)? });
    Ok(Some(Hoisted { proven, stretch, shortcut }))
}

/// The checks of the rows of a domain that can be decided before all of them. `row` is a whole row, `outer` are the
/// variables of the other dimensions; the domain has at least one iteration, in front of which the builder stands.
pub(super) fn everywhere<'a, 'c>(
    body: &Body<'a, 'c>,
    row: &Counted<'a, 'c>,
    outer: HashMap<Id<Value>, Span<'c>>,
) -> Result<Option<Everywhere<'c>>> {
    let (prover, proven) = prove(body, row, outer)?;
    if proven.is_empty() {
        return Ok(None);
    }
    let fails = body.emit.builder.build_not(prover.all(&prover.total.whole)?, "")?;
    Ok(Some(Everywhere { proven: proven.into_iter().collect(), fails }))
}

/// The checks in a loop of which something is known, and when they all pass.
fn prove<'b, 'a, 'c>(
    body: &'b Body<'a, 'c>,
    l: &'b Counted<'a, 'c>,
    outer: HashMap<Id<Value>, Span<'c>>,
) -> Result<(Prover<'b, 'a, 'c>, Vec<Proven>)> {
    let mut inside = Inside::default();
    inside.collect(l.body);
    let checks = std::mem::take(&mut inside.checks);
    let mut prover = Prover { body, l, inside, outer, invariants: HashMap::new(), total: Proof::default() };
    let mut proven = Vec::new();
    // One proof serves all accesses of one array by one value.
    let mut known: HashSet<(Id<Array>, u8, Id<Value>)> = HashSet::new();
    for stmt in checks {
        match stmt {
            Stmt::Load { array, index, .. }
            | Stmt::Store { array, index, .. }
            | Stmt::Atomic { array, index, .. }
            | Stmt::CompareExchange { array, index, .. }
            | Stmt::Check { array, index, .. } => {
                if !body.options.checks {
                    continue;
                }
                for (dim, &value) in (0u8..).zip(index) {
                    let check = (std::ptr::from_ref(stmt), dim);
                    if body.proven.contains(&check) {
                        continue;
                    }
                    if !known.contains(&(*array, dim, value)) {
                        let extent = body.arrays[array.index()].extents[usize::from(dim)];
                        let Some(proof) = prover.below(value, extent)? else { continue };
                        prover.total.and(proof);
                        known.insert((*array, dim, value));
                    }
                    proven.push(check);
                }
            }
            Stmt::Op { op, args, .. } => {
                let check = (std::ptr::from_ref(stmt), 0);
                if !body.proven.contains(&check)
                    && let Some(proof) = prover.passes(*op, args)?
                {
                    prover.total.and(proof);
                    proven.push(check);
                }
            }
            Stmt::CheckStep { index, len, site: _ } => {
                let check = (std::ptr::from_ref(stmt), 0);
                let len = body.emit.word(u64::from(*len));
                if body.options.checks
                    && !body.proven.contains(&check)
                    && let Some(proof) = prover.below(*index, len)?
                {
                    prover.total.and(proof);
                    proven.push(check);
                }
            }
            // Only the statements above are collected.
            Stmt::GetPart { .. }
            | Stmt::SetPart { .. }
            | Stmt::Claim { .. }
            | Stmt::Const { .. }
            | Stmt::Input { .. }
            | Stmt::Extent { .. }
            | Stmt::Get { .. }
            | Stmt::Set { .. }
            | Stmt::Reduce { .. }
            | Stmt::ReducePart { .. }
            | Stmt::Offer { .. }
            | Stmt::Output { .. }
            | Stmt::If { .. }
            | Stmt::For { .. }
            | Stmt::Loop { .. }
            | Stmt::Fail { .. }
            | Stmt::Print { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::End => {}
        }
    }
    Ok((prover, proven))
}

/// What is in the body of a loop.
#[derive(Default)]
struct Inside<'a> {
    /// Statements with a site.
    checks: Vec<&'a Stmt>,
    /// How values are set.
    set_by: HashMap<Id<Value>, &'a Stmt>,
    /// The loops inside by their variables: lower bound and end.
    loops: HashMap<Id<Value>, (Id<Value>, Id<Value>)>,
    /// Locals that don't keep their value.
    changed: HashSet<Id<Local>>,
}

impl<'a> Inside<'a> {
    fn collect(&mut self, region: &'a Region) {
        for stmt in &region.0 {
            if let Some(dst) = stmt.dst() {
                self.set_by.insert(dst, stmt);
            }
            match stmt {
                Stmt::Op { site: Some(_), .. }
                | Stmt::Load { site: Some(_), .. }
                | Stmt::Store { site: Some(_), .. }
                | Stmt::Atomic { site: Some(_), .. }
                | Stmt::CompareExchange { site: Some(_), .. }
                | Stmt::Check { .. }
                | Stmt::CheckStep { .. } => self.checks.push(stmt),
                Stmt::Set { local, .. } => _ = self.changed.insert(*local),
                Stmt::If { then, otherwise, .. } => {
                    self.collect(then);
                    self.collect(otherwise);
                }
                Stmt::For { var, lo, hi, body, .. } => {
                    self.loops.insert(*var, (*lo, *hi));
                    self.collect(body);
                }
                Stmt::Loop { body, .. } => self.collect(body),
                Stmt::Op { site: None, .. }
                | Stmt::Load { site: None, .. }
                | Stmt::Store { site: None, .. }
                | Stmt::Atomic { site: None, .. }
                | Stmt::CompareExchange { site: None, .. }
                | Stmt::Claim { .. }
                | Stmt::Const { .. }
                | Stmt::Input { .. }
                | Stmt::Extent { .. }
                | Stmt::Get { .. }
                | Stmt::GetPart { .. }
                | Stmt::SetPart { .. }
                | Stmt::Reduce { .. }
                | Stmt::ReducePart { .. }
                | Stmt::Offer { .. }
                | Stmt::Output { .. }
                | Stmt::Fail { .. }
                | Stmt::Print { .. }
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::End => {}
            }
        }
    }
}

/// When a check passes: in the iterations from each of `starts` on, before each of `ends`, if all of `conditions`; and in
/// all iterations, if all of `whole`.
#[derive(Default)]
struct Proof<'c> {
    starts: Vec<IntValue<'c>>,
    ends: Vec<IntValue<'c>>,
    conditions: Vec<IntValue<'c>>,
    whole: Vec<IntValue<'c>>,
}

impl<'c> Proof<'c> {
    fn and(&mut self, other: Proof<'c>) {
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

    fn is_certain(&self) -> bool {
        self.starts.is_empty() && self.ends.is_empty() && self.conditions.is_empty()
    }
}

/// A factor of a loop variable.
#[derive(Clone, Copy)]
enum Factor<'c> {
    /// Of at most [`FACTOR`] either way.
    Const(i64),
    /// Any invariant, taken as unsigned.
    Value(IntValue<'c>),
}

/// An index modulo 2^64: `base` plus factors times loop variables.
#[derive(Clone)]
struct Linear<'c> {
    base: IntValue<'c>,
    terms: Vec<(Id<Value>, Factor<'c>)>,
}

struct Prover<'b, 'a, 'c> {
    body: &'b Body<'a, 'c>,
    l: &'b Counted<'a, 'c>,
    inside: Inside<'a>,
    /// Variables of loops around that range like those of loops inside.
    outer: HashMap<Id<Value>, Span<'c>>,
    invariants: HashMap<Id<Value>, Option<BasicValueEnum<'c>>>,
    total: Proof<'c>,
}

impl<'a, 'c> Prover<'_, 'a, 'c> {
    /// When the `usize` `value` is below `extent`; `None` if nothing is known.
    fn below(&mut self, value: Id<Value>, extent: IntValue<'c>) -> Result<Option<Proof<'c>>> {
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
    fn passes(&mut self, op: Op, args: &[Id<Value>]) -> Result<Option<Proof<'c>>> {
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
    fn all(&self, conditions: &[IntValue<'c>]) -> Result<IntValue<'c>> {
        let e = self.body.emit;
        let and = |so_far, &condition: &IntValue<'c>| Ok(e.builder.build_and(so_far, condition, "")?);
        match conditions.split_first() {
            None => Ok(e.bool(true)),
            Some((first, others)) => others.iter().try_fold(*first, and),
        }
    }

    /// The stretch of a proof within the loop: from 0 or later, to its length or sooner.
    fn stretch(&self, proof: Proof<'c>) -> Result<Stretch<'c>> {
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

    /// First value of the variable of a loop inside, and its last one less the first (0 if it doesn't run).
    fn inner_range(&mut self, variable: Id<Value>) -> Result<Option<Span<'c>>> {
        let e = self.body.emit;
        if let Some(span) = self.outer.get(&variable) {
            return Ok(Some(*span));
        }
        let Some(&(lo, hi)) = self.inside.loops.get(&variable) else { return Ok(None) };
        let (Some(first), Some(end)) = (self.invariant_int(lo)?, self.invariant_int(hi)?) else { return Ok(None) };
        let ty = self.body.ty(variable);
        let less = if ty.is_signed() { IntPredicate::SLT } else { IntPredicate::ULT };
        let runs = e.compare(less, first, end)?;
        let (first, end) = (e.widen(ty, first)?, e.widen(ty, end)?);
        let last = e.builder.build_int_sub(e.builder.build_int_sub(end, first, "")?, e.word(1), "")?;
        Ok(Some((first, e.select_int(runs, last, e.word(0))?)))
    }

    /// A 64-bit integer as a linear form of the loop's variable and those of the loops inside.
    fn linear(&mut self, value: Id<Value>) -> Result<Option<Linear<'c>>> {
        let e = self.body.emit;
        let ty = self.body.ty(value);
        if !ty.is_int() || ty.bits() != 64 {
            return Ok(None);
        }
        if self.is_variable(value) {
            return Ok(Some(Linear { base: e.word(0), terms: vec![(value, Factor::Const(1))] }));
        }
        if let Some(base) = self.invariant_int(value)? {
            return Ok(Some(Linear { base, terms: Vec::new() }));
        }
        let Some(Stmt::Op { op, args, .. }) = self.inside.set_by.get(&value).copied() else { return Ok(None) };
        match op {
            Op::Add | Op::WrappingAdd => {
                let (Some(a), Some(b)) = (self.linear(args[0])?, self.linear(args[1])?) else { return Ok(None) };
                self.sum(a, b)
            }
            Op::Sub | Op::WrappingSub => {
                let (Some(a), Some(b)) = (self.linear(args[0])?, self.linear(args[1])?) else { return Ok(None) };
                let Some(b) = self.scaled(b, e.word(u64::MAX))? else { return Ok(None) };
                self.sum(a, b)
            }
            Op::Mul | Op::WrappingMul => {
                let (Some(a), Some(b)) = (self.linear(args[0])?, self.linear(args[1])?) else { return Ok(None) };
                match (a.terms.is_empty(), b.terms.is_empty()) {
                    (_, true) => self.scaled(a, b.base),
                    (true, false) => self.scaled(b, a.base),
                    (false, false) => Ok(None),
                }
            }
            Op::Shl | Op::WrappingShl => {
                let amount = self.invariant_int(args[1])?.and_then(IntValue::get_zero_extended_constant);
                let (Some(a), Some(amount)) = (self.linear(args[0])?, amount) else { return Ok(None) };
                self.scaled(a, e.word(1 << (amount & 63)))
            }
            Op::Cast => {
                let from = self.body.ty(args[0]);
                let is_variable = self.is_variable(args[0]);
                if from.is_int() && from.bits() == 64 {
                    self.linear(args[0])
                } else if from.is_int() && is_variable {
                    // Widening keeps the number, and so its 64-bit form.
                    Ok(Some(Linear { base: e.word(0), terms: vec![(args[0], Factor::Const(1))] }))
                } else {
                    Ok(None)
                }
            }
            // Not linear as far as is known here: `below` may still say something about it.
            _ => Ok(None),
        }
    }

    fn sum(&self, mut a: Linear<'c>, b: Linear<'c>) -> Result<Option<Linear<'c>>> {
        a.base = self.body.emit.builder.build_int_add(a.base, b.base, "")?;
        for (variable, factor) in b.terms {
            match (a.terms.iter_mut().find(|(other, _)| *other == variable), factor) {
                (None, factor) => a.terms.push((variable, factor)),
                (Some((_, Factor::Const(so_far))), Factor::Const(factor)) => {
                    *so_far += factor;
                    if so_far.unsigned_abs() > FACTOR {
                        return Ok(None);
                    }
                }
                (Some(_), _) => return Ok(None),
            }
        }
        Ok(Some(a))
    }

    fn scaled(&self, a: Linear<'c>, by: IntValue<'c>) -> Result<Option<Linear<'c>>> {
        let b = &self.body.emit.builder;
        let constant = by.get_sign_extended_constant();
        let mut terms = Vec::with_capacity(a.terms.len());
        for (variable, factor) in a.terms {
            let factor = match (factor, constant) {
                (_, Some(0)) => continue,
                (Factor::Const(factor), Some(by)) => match factor.checked_mul(by) {
                    Some(product) if product.unsigned_abs() <= FACTOR => Factor::Const(product),
                    _ => return Ok(None),
                },
                (Factor::Const(1), None) => Factor::Value(by),
                (Factor::Const(_), None) | (Factor::Value(_), _) => return Ok(None),
            };
            terms.push((variable, factor));
        }
        Ok(Some(Linear { base: b.build_int_mul(a.base, by, "")?, terms }))
    }

    /// A variable of the loop, of one inside, or of one around that ranges.
    fn is_variable(&self, value: Id<Value>) -> bool {
        value == self.l.var || self.inside.loops.contains_key(&value) || self.outer.contains_key(&value)
    }

    fn invariant_int(&mut self, value: Id<Value>) -> Result<Option<IntValue<'c>>> {
        let ty = self.body.ty(value);
        if !ty.is_int() {
            return Ok(None);
        }
        Ok(self.invariant(value)?.map(BasicValueEnum::into_int_value))
    }

    /// The register of a value that is the same in all iterations, computed in front of the loop if need be.
    fn invariant(&mut self, value: Id<Value>) -> Result<Option<BasicValueEnum<'c>>> {
        if self.is_variable(value) {
            return Ok(None);
        }
        let Some(stmt) = self.inside.set_by.get(&value).copied() else {
            // Set before the loop.
            return self.body.value(value).map(Some);
        };
        if let Some(&known) = self.invariants.get(&value) {
            return Ok(known);
        }
        let found = self.compute(stmt)?;
        self.invariants.insert(value, found);
        Ok(found)
    }

    fn compute(&mut self, stmt: &'a Stmt) -> Result<Option<BasicValueEnum<'c>>> {
        let (body, e) = (self.body, self.body.emit);
        Ok(match stmt {
            Stmt::Const { value, .. } => Some(e.constant(*value)?),
            Stmt::Input { input, .. } => Some(body.inputs[input.index()]),
            Stmt::Extent { array, dim, .. } => Some(body.arrays[array.index()].extents[usize::from(*dim)].into()),
            Stmt::Get { dst, local } if !self.inside.changed.contains(local) && !self.is_task_loop() => {
                Some(e.load(e.ty(body.ty(*dst)), body.locals[local.index()])?)
            }
            Stmt::Op { dst, op, args, .. } => {
                if op.row().class != BitClass::Exact {
                    return Ok(None);
                }
                let mut registers = Vec::with_capacity(args.len());
                for &arg in args {
                    let Some(register) = self.invariant(arg)? else { return Ok(None) };
                    registers.push(register);
                }
                let (emit, hooks, ty, output) = (e, body.hooks, body.ty(args[0]), body.ty(*dst));
                let operation = Operation { emit, hooks, op: *op, ty, output, args: &registers };
                // What may fail must not run before its turn.
                if !op::checks(&operation)?.is_empty() {
                    return Ok(None);
                }
                Some(op::value(&operation)?)
            }
            Stmt::Get { .. }
            | Stmt::GetPart { .. }
            | Stmt::Load { .. }
            | Stmt::Atomic { .. }
            | Stmt::CompareExchange { .. }
            | Stmt::Check { .. }
            | Stmt::Claim { .. }
            | Stmt::CheckStep { .. }
            | Stmt::Set { .. }
            | Stmt::SetPart { .. }
            | Stmt::Store { .. }
            | Stmt::Reduce { .. }
            | Stmt::ReducePart { .. }
            | Stmt::Offer { .. }
            | Stmt::Output { .. }
            | Stmt::If { .. }
            | Stmt::For { .. }
            | Stmt::Loop { .. }
            | Stmt::Fail { .. }
            | Stmt::Print { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::End => None,
        })
    }

    /// Locals are those of one iteration of the task: in front of its loop they have no value yet.
    fn is_task_loop(&self) -> bool {
        matches!(self.l.kind, LoopKind::Task(_))
    }
}
