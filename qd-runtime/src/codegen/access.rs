//! Which checks a loop can do without.
//!
//! [`hoist`] looks at every check in a loop's body and asks in which stretch of iterations it surely passes, given only
//! what is known before the loop starts. An index that is linear in the loop's variable and in those of the loops inside
//! (with invariant bounds; `linear`) passes in an interval that a few instructions compute; `min`, `max`, `%`, masks,
//! clamps and widened small integers are understood around such an index (`proof`). The result is never wrong, at worst
//! the stretch is too short: indices are computed modulo 2^64 as the program does, and every step that could lose by that
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

use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, IntValue};
use qd_ir::arena::Id;
use qd_ir::body::{Local, Region, Stmt, Value};
use qd_ir::task::Array;

use super::body::{Body, Proven};
use super::loops::{Counted, LoopKind};
use super::proof::Proof;
use crate::error::Result;

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
pub(super) struct Inside<'a> {
    /// Statements with a site.
    checks: Vec<&'a Stmt>,
    /// How values are set.
    pub(super) set_by: HashMap<Id<Value>, &'a Stmt>,
    /// The loops inside by their variables: lower bound and end.
    pub(super) loops: HashMap<Id<Value>, (Id<Value>, Id<Value>)>,
    /// Locals that don't keep their value.
    pub(super) changed: HashSet<Id<Local>>,
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

/// What is known of a loop in front of it. What follows from it for an index is in `linear`, for a check in `proof`.
pub(super) struct Prover<'b, 'a, 'c> {
    pub(super) body: &'b Body<'a, 'c>,
    pub(super) l: &'b Counted<'a, 'c>,
    pub(super) inside: Inside<'a>,
    /// Variables of loops around that range like those of loops inside.
    pub(super) outer: HashMap<Id<Value>, Span<'c>>,
    pub(super) invariants: HashMap<Id<Value>, Option<BasicValueEnum<'c>>>,
    total: Proof<'c>,
}
