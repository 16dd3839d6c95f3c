//! Plain expressions: what the launcher can find without running code.
use super::TypeError;
use super::facts::Facts;
use super::hint::Hint;
use crate::arena::Id;
use crate::op::Op;
use crate::plan::{Slot, Source};
use crate::refusal::Refusal;
use crate::sketch::{Expr, ExprKind, ParamId};
use crate::types::{Const, Scalar, ScalarClass, Type};

/// A scalar that a task gets or makes anew wherever it is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Plain {
    /// A constant: part of the tasks that use it.
    Const(Const),
    /// A word of the arguments.
    Word { word: u32, ty: Scalar },
    /// An extent of an array.
    Extent { param: ParamId, dim: u8 },
    /// The number of elements of an array.
    Len { param: ParamId },
    /// A slot.
    Slot(Id<Slot>, Scalar),
}

impl Plain {
    /// Its type.
    pub fn ty(&self) -> Scalar {
        match self {
            Plain::Const(c) => c.ty,
            Plain::Word { ty, .. } | Plain::Slot(_, ty) => *ty,
            Plain::Extent { .. } | Plain::Len { .. } => Scalar::Usize,
        }
    }

    /// Where the launcher finds it.
    pub fn source(&self, facts: &Facts<'_>) -> Result<Source, TypeError> {
        let pos = |param: ParamId| facts.sketch.params[param.0 as usize].pos;
        Ok(match *self {
            Plain::Const(c) => Source::Const(c),
            Plain::Word { word, .. } => Source::Word(word),
            Plain::Slot(slot, _) => Source::Slot(slot),
            Plain::Extent { param, dim } => {
                facts.array(param, pos(param))?;
                Source::Word(facts.params[param.0 as usize].word + 1 + u32::from(dim))
            }
            Plain::Len { param } => {
                let rank = facts.array(param, pos(param))?.rank;
                let first = facts.params[param.0 as usize].word + 1;
                if rank == 1 { Source::Word(first) } else { Source::Product { first, rank } }
            }
        })
    }
}

/// The scalars of a plain expression, and its type.
pub(super) fn eval(
    facts: &Facts<'_>,
    globals: &[Option<Vec<Plain>>],
    expr: Id<Expr>,
    hint: &Hint,
) -> Result<(Type, Vec<Plain>), TypeError> {
    let (ty, values) = eval_kind(facts, globals, expr, hint)?;
    facts.witness(expr, &ty)?;
    Ok((ty, values))
}

fn eval_kind(
    facts: &Facts<'_>,
    globals: &[Option<Vec<Plain>>],
    expr: Id<Expr>,
    hint: &Hint,
) -> Result<(Type, Vec<Plain>), TypeError> {
    let pos = facts.pos(expr);
    if facts.operator(expr).is_some() {
        return Err(facts.unsupported(
            Refusal::OwnOperator,
            pos,
            "an operator of a type of yours in the plan: call it inside of a loop",
        ));
    }
    let one = |plain: Plain| Ok((Type::Scalar(plain.ty()), vec![plain]));
    match &facts.sketch.exprs[expr].kind {
        ExprKind::Int { value, suffix } => one(Plain::Const(facts.int(*value, *suffix, hint, pos)?)),
        ExprKind::Float { digits, suffix } => one(Plain::Const(facts.float(digits, *suffix, hint, pos)?)),
        ExprKind::Bool(value) => one(Plain::Const(Const { ty: Scalar::Bool, bits: u128::from(*value) })),
        ExprKind::Const(id) => {
            let constant = facts.constant(*id, pos)?;
            Ok((constant.ty.clone(), constant.parts.iter().copied().map(Plain::Const).collect()))
        }
        ExprKind::Start { op, sums, tap } => {
            let ty = facts.tap(*tap, pos)?;
            let parts = facts.start(*op, *sums, ty, pos)?;
            Ok((ty.clone(), parts.into_iter().map(Plain::Const).collect()))
        }
        ExprKind::Count(of) => one(Plain::Const(facts.count(*of, pos)?)),
        ExprKind::Len(param) => one(Plain::Len { param: *param }),
        ExprKind::Extent(param, dim) => one(Plain::Extent { param: *param, dim: *dim }),
        ExprKind::Local(local) => match &globals[local.index()] {
            Some(values) => Ok((facts.local(*local, pos)?.clone(), values.clone())),
            None => Err(facts.error(pos, format!("`{}` is used before it is set", facts.sketch.locals[*local].name))),
        },
        ExprKind::Tapped { tap, value } => {
            let ty = facts.tap(*tap, pos)?;
            let (found, values) = eval(facts, globals, *value, &Hint::Type(ty.clone()))?;
            facts.same(pos, ty, &found)?;
            Ok((found, values))
        }
        ExprKind::Op { op: op @ (Op::Neg | Op::Not), args } if args.len() == 1 => {
            match eval(facts, globals, args[0], hint)?.1.as_slice() {
                [Plain::Const(c)] => one(Plain::Const(unary(*op, *c))),
                _ => Err(facts.error(pos, "an operation on what is no constant isn't plain")),
            }
        }
        ExprKind::Tuple(parts) => {
            let (mut types, mut values) = (Vec::new(), Vec::new());
            for (i, part) in parts.iter().enumerate() {
                let (ty, scalars) = eval(facts, globals, *part, &hint.part(i))?;
                types.push(ty);
                values.extend(scalars);
            }
            Ok((Type::Tuple(types), values))
        }
        ExprKind::Field(value, member) => {
            let (ty, values) = eval(facts, globals, *value, &Hint::Free)?;
            let (part, range) = facts.field(&ty, member, pos)?;
            Ok((part, values[range].to_vec()))
        }
        ExprKind::Op { .. }
        | ExprKind::Function { .. }
        | ExprKind::LazyAnd(..)
        | ExprKind::LazyOr(..)
        | ExprKind::Cast { .. }
        | ExprKind::Load { .. }
        | ExprKind::Atomic { .. }
        | ExprKind::CompareExchange { .. }
        | ExprKind::Scatter { .. }
        | ExprKind::Index(..)
        | ExprKind::Struct { .. }
        | ExprKind::Fixed { .. }
        | ExprKind::Repeat { .. }
        | ExprKind::Linear { .. }
        | ExprKind::Block(_)
        | ExprKind::If { .. }
        | ExprKind::While { .. }
        | ExprKind::Loop { .. }
        | ExprKind::For { .. }
        | ExprKind::Break { .. }
        | ExprKind::Continue(_)
        | ExprKind::Assign { .. }
        | ExprKind::AssignOp { .. }
        | ExprKind::Contribute { .. }
        | ExprKind::Call { .. }
        | ExprKind::Return(_)
        | ExprKind::Say { .. } => Err(facts.error(pos, "the plan uses an expression that isn't plain")),
    }
}

/// `-c` or `!c`.
fn unary(op: Op, c: Const) -> Const {
    let bits = match (op == Op::Neg, c.ty.class()) {
        (true, ScalarClass::Float) => c.bits ^ (1 << (c.ty.bits() - 1)),
        (true, ScalarClass::Signed | ScalarClass::Unsigned | ScalarClass::Bool) => c.bits.wrapping_neg() & c.ty.mask(),
        (false, ScalarClass::Bool) => c.bits ^ 1,
        (false, ScalarClass::Signed | ScalarClass::Unsigned | ScalarClass::Float) => !c.bits & c.ty.mask(),
    };
    Const { ty: c.ty, bits }
}
