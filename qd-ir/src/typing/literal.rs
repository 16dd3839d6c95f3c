//! Literals: their types, by suffix or by what the surroundings want, and their values.
use super::TypeError;
use super::facts::Facts;
use super::hint::Hint;
use crate::source_map::Pos;
use crate::types::{Const, Scalar};

impl Facts<'_> {
    /// The constant of an integer literal.
    pub fn int(&self, value: u128, suffix: Option<Scalar>, hint: &Hint, pos: Pos) -> Result<Const, TypeError> {
        let ty = match suffix {
            Some(ty) => ty,
            None => hint.literal(false).ok_or_else(|| self.mismatch(pos, hint, &"an integer literal"))?,
        };
        let bits = match ty {
            Scalar::F32 => u128::from((value as f32).to_bits()),
            Scalar::F64 => u128::from((value as f64).to_bits()),
            Scalar::Bool
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::Isize
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64
            | Scalar::Usize
            | Scalar::I128
            | Scalar::U128 => value & ty.mask(),
            // They have no literals.
            Scalar::F16 | Scalar::Bf16 => return Err(self.mismatch(pos, &ty, &"an integer literal")),
        };
        Ok(Const { ty, bits })
    }

    /// The constant of a float literal.
    pub fn float(&self, digits: &str, suffix: Option<Scalar>, hint: &Hint, pos: Pos) -> Result<Const, TypeError> {
        let ty = match suffix {
            Some(ty) => ty,
            None => hint.literal(true).ok_or_else(|| self.mismatch(pos, hint, &"a float literal"))?,
        };
        let bits = match ty {
            Scalar::F32 => digits.parse::<f32>().ok().map(|v| u128::from(v.to_bits())),
            Scalar::F64 => digits.parse::<f64>().ok().map(|v| u128::from(v.to_bits())),
            Scalar::Bool
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::Isize
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64
            | Scalar::Usize
            | Scalar::I128
            | Scalar::U128
            | Scalar::F16
            | Scalar::Bf16 => None,
        };
        let bits = bits.ok_or_else(|| self.error(pos, format!("`{digits}` is no literal of type {ty}")))?;
        Ok(Const { ty, bits })
    }
}
