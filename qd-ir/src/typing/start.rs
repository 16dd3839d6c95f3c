//! What the ends of chains start from, and how many elements a fixed array has: constants that the types decide.
use super::TypeError;
use super::facts::Facts;
use crate::arena::Id;
use crate::op::ReduceOp;
use crate::reduce;
use crate::refusal::Refusal;
use crate::sketch::Expr;
use crate::source_map::Pos;
use crate::types::{Const, Scalar, Type};

impl Facts<'_> {
    /// The number of elements of what an expression names, which is of a fixed array, a vector or a matrix.
    pub fn count(&self, expr: Id<Expr>, pos: Pos) -> Result<Const, TypeError> {
        let ty = self.own(expr).ok_or_else(|| self.error(pos, "the elements of a value without a type"))?;
        let (_, len) = ty.elements().ok_or_else(|| {
            self.unsupported(
                Refusal::NoArray,
                pos,
                format!("a value of type `{ty}`, which is no array, has no elements to run over"),
            )
        })?;
        Ok(Const { ty: Scalar::Usize, bits: u128::from(len) })
    }

    /// What values of a type start from that are combined by `op`, scalar by scalar.
    pub fn start(&self, op: Option<ReduceOp>, sums: bool, ty: &Type, pos: Pos) -> Result<Vec<Const>, TypeError> {
        let Some(op) = op else {
            let scalars = ty.flatten().ok_or_else(|| self.error(pos, format!("a variable of type {ty}")))?;
            return Ok(scalars.into_iter().map(|ty| Const { ty, bits: 0 }).collect());
        };
        let refused = || {
            let message = format!("values of type `{ty}` aren't combined by `{}`: combine their scalars", op.op());
            self.unsupported(Refusal::Chain, pos, message)
        };
        let one = |ty: Scalar| match reduce::takes(ty, op) {
            // `Sum` of floats starts at -0.0, that of vectors at zero.
            true => Ok(Const { ty, bits: reduce::identity_bits(op, ty) }),
            false => Err(refused()),
        };
        if sums && matches!(ty, Type::Scalar(Scalar::F16 | Scalar::Bf16)) {
            let message = format!(
                "the sum or product of an iterator over `{ty}`, which is computed in `f32` and rounded once: map to `f32`, \
                 and convert the sum; or `fold`"
            );
            return Err(self.unsupported(Refusal::Chain, pos, message));
        }
        match (ty, op) {
            (Type::Scalar(scalar), _) => Ok(vec![one(*scalar)?]),
            (Type::Vector(scalar, len), ReduceOp::Add) => Ok(vec![Const { ty: *scalar, bits: 0 }; *len as usize]),
            // Compared part by part.
            (Type::Tuple(_) | Type::Fixed(..), ReduceOp::Min | ReduceOp::Max) if !ty.holds_struct() => {
                ty.flatten().ok_or_else(refused)?.into_iter().map(one).collect()
            }
            (
                Type::Tuple(_)
                | Type::Struct(_)
                | Type::Enum { .. }
                | Type::Fixed(..)
                | Type::Vector(..)
                | Type::Matrix(..)
                | Type::Array { .. }
                | Type::Never,
                _,
            ) => Err(refused()),
        }
    }
}
