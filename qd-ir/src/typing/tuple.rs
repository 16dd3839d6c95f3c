//! Operations on tuples and fixed arrays: comparisons, and what `Ord` makes of them.
//!
//! Rust compares them part by part, and the first two that differ decide. The operands are values by then, so all
//! parts may be compared: nothing of it fails or shows. Parts that have no order (a NaN) decide, too: neither `<`, `<=`,
//! `>` nor `>=` holds. Nested tuples compare as their scalars in order.
use super::hint::Hint;
use super::task::{Builder, Lower, Val};
use crate::arena::Id;
use crate::body::{Region, Stmt, Value};
use crate::op::Op;
use crate::refusal::Refusal;
use crate::sketch::Expr;
use crate::source_map::Pos;
use crate::types::{Const, Scalar, Type};

/// A comparison of tuples by what is done with their parts.
#[derive(Clone, Copy)]
enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// An order: `before` decides where two parts differ, `last` between the last ones.
    Order { before: Op, last: Op },
}

const LESS: Comparison = Comparison::Order { before: Op::Lt, last: Op::Lt };
const GREATER: Comparison = Comparison::Order { before: Op::Gt, last: Op::Gt };

impl Builder<'_> {
    /// An operation whose receiver is a tuple or fixed array of type `ty`.
    pub fn tuple_operation(&mut self, op: Op, ty: &Type, args: &[Id<Expr>], pos: Pos) -> Lower<Val> {
        // Of enums `derive(Data)` has seen that rustc's `==` compares the variants; their order is another matter.
        if ty.holds_struct() || (ty.holds_enum() && !matches!(op, Op::Eq | Op::Ne)) {
            let message = format!(
                "`{op}` of values of type `{ty}`: how they compare is seen by rustc alone; compare their scalars"
            );
            return Err(self.facts.unsupported(Refusal::Compare, pos, message).into());
        }
        let mut operands = Vec::with_capacity(args.len());
        for arg in args {
            operands.push(self.expr(*arg, &Hint::Type(ty.clone()))?.parts);
        }
        let comparison = match op {
            Op::Eq => Some(Comparison::Equal),
            Op::Ne => Some(Comparison::Unequal),
            Op::Lt => Some(LESS),
            Op::Le => Some(Comparison::Order { before: Op::Lt, last: Op::Le }),
            Op::Gt => Some(GREATER),
            Op::Ge => Some(Comparison::Order { before: Op::Gt, last: Op::Ge }),
            // What is no comparison is `min`, `max` or `clamp`, or an error below.
            _ => None,
        };
        match (op, comparison, operands.as_slice()) {
            (_, Some(comparison), [a, b]) => {
                let result = self.compare(comparison, a, b, pos);
                Ok(Val { ty: Type::Scalar(Scalar::Bool), parts: vec![result] })
            }
            // `Ord` makes equal parts the same: which of two equal tuples is taken doesn't show.
            (Op::Min, None, [a, b]) => Ok(Val { ty: ty.clone(), parts: self.choose(LESS, b, a, pos)? }),
            (Op::Max, None, [a, b]) => Ok(Val { ty: ty.clone(), parts: self.choose(GREATER, b, a, pos)? }),
            (Op::Clamp, None, [x, lo, hi]) => {
                // As a `clamp` of scalars it fails unless `lo <= hi`, in the same words.
                let inverted = self.compare(GREATER, lo, hi, pos);
                let no = self.constant(Const { ty: Scalar::Bool, bits: 0 });
                self.op(Op::Clamp, vec![no, inverted, no], Scalar::Bool, pos);
                let raised = self.choose(GREATER, lo, x, pos)?;
                Ok(Val { ty: ty.clone(), parts: self.choose(LESS, hi, &raised, pos)? })
            }
            _ => Err(self.facts.error(pos, format!("`{op}` of {} values of type {ty}", operands.len())).into()),
        }
    }

    /// Whether two tuples compare so.
    fn compare(&mut self, comparison: Comparison, a: &[Id<Value>], b: &[Id<Value>], pos: Pos) -> Id<Value> {
        let pairs: Vec<_> = a.iter().copied().zip(b.iter().copied()).collect();
        let mut one = |op, a, b| self.op(op, vec![a, b], Scalar::Bool, pos);
        let mut result = None;
        for &(a, b) in pairs.iter().rev() {
            result = Some(match (comparison, result) {
                (Comparison::Equal, None) => one(Op::Eq, a, b),
                (Comparison::Equal, Some(later)) => {
                    let part = one(Op::Eq, a, b);
                    one(Op::And, part, later)
                }
                (Comparison::Unequal, None) => one(Op::Ne, a, b),
                (Comparison::Unequal, Some(later)) => {
                    let part = one(Op::Ne, a, b);
                    one(Op::Or, part, later)
                }
                (Comparison::Order { before: _, last }, None) => one(last, a, b),
                (Comparison::Order { before, last: _ }, Some(later)) => {
                    let (part, equal) = (one(before, a, b), one(Op::Eq, a, b));
                    let rest = one(Op::And, equal, later);
                    one(Op::Or, part, rest)
                }
            });
        }
        result.unwrap_or_else(|| {
            let equal = match comparison {
                Comparison::Equal => true,
                Comparison::Unequal => false,
                Comparison::Order { before, last } => before != last,
            };
            self.constant(Const { ty: Scalar::Bool, bits: u128::from(equal) })
        })
    }

    /// `if a comparison b { a } else { b }`
    fn choose(&mut self, comparison: Comparison, a: &[Id<Value>], b: &[Id<Value>], pos: Pos) -> Lower<Vec<Id<Value>>> {
        let cond = self.compare(comparison, a, b, pos);
        let results: Vec<_> = b.iter().map(|&value| self.variable(self.task.ty(value))).collect();
        self.set(&results, b);
        let (then, _) = self.region(|s| {
            s.set(&results, a);
            Ok(())
        })?;
        self.push(Stmt::If { cond, then, otherwise: Region::default() });
        Ok(self.get(&results))
    }
}
