//! Indices as linear forms: an invariant plus factors times the variables of loops, modulo 2^64 as the program computes.
//!
//! And what is invariant: values set before the loop, and those computed from such, in front of it. Nothing that may fail
//! is computed before its turn. What it must not know: extents and bounds (`proof`).
use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue};
use qd_ir::arena::Id;
use qd_ir::body::{Stmt, Value};
use qd_ir::op::{BitClass, Op};

use super::access::{Prover, Span};
use super::loops::LoopKind;
use super::op::{self, Operation};
use crate::error::Result;

/// Largest constant factor of a loop variable.
pub(super) const FACTOR: u64 = 1 << 14;

/// A factor of a loop variable.
#[derive(Clone, Copy)]
pub(super) enum Factor<'c> {
    /// Of at most [`FACTOR`] either way.
    Const(i64),
    /// Any invariant, taken as unsigned.
    Value(IntValue<'c>),
}

/// An index modulo 2^64: `base` plus factors times loop variables.
#[derive(Clone)]
pub(super) struct Linear<'c> {
    pub(super) base: IntValue<'c>,
    pub(super) terms: Vec<(Id<Value>, Factor<'c>)>,
}

impl<'a, 'c> Prover<'_, 'a, 'c> {
    /// First value of the variable of a loop inside, and its last one less the first (0 if it doesn't run).
    pub(super) fn inner_range(&mut self, variable: Id<Value>) -> Result<Option<Span<'c>>> {
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
    pub(super) fn linear(&mut self, value: Id<Value>) -> Result<Option<Linear<'c>>> {
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

    pub(super) fn invariant_int(&mut self, value: Id<Value>) -> Result<Option<IntValue<'c>>> {
        let ty = self.body.ty(value);
        if !ty.is_int() {
            return Ok(None);
        }
        Ok(self.invariant(value)?.map(BasicValueEnum::into_int_value))
    }

    /// The register of a value that is the same in all iterations, computed in front of the loop if need be.
    pub(super) fn invariant(&mut self, value: Id<Value>) -> Result<Option<BasicValueEnum<'c>>> {
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
