//! 16-bit floats: they have no literals and no `as`.
use qd_ir::types::Scalar;

use super::Generator;
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, pieces};

/// Methods that give one result, wherever they run.
const METHODS: [&str; 7] = ["abs", "sqrt", "floor", "ceil", "trunc", "round", "recip"];

impl Generator {
    /// A value of a 16-bit float.
    pub(super) fn half(&mut self, ty: Scalar, depth: usize) -> Expr {
        match self.rng.u32(..100) {
            0..=44 => {
                let operator = self.pick(&["+", "-", "*", "/", "%"]).unwrap_or("+");
                let (a, b) = (self.expr(&ty.into(), depth), self.expr(&ty.into(), depth));
                Expr::new(ty, Form::Half, pieces!["(", a, format!(" {operator} "), b, ")"])
            }
            45..=52 => {
                let a = self.expr(&ty.into(), depth);
                Expr::new(ty, Form::Half, pieces!["(-", a, ")"])
            }
            53..=69 => {
                let (a, method) = (self.expr(&ty.into(), depth), self.pick(&METHODS).unwrap_or("abs"));
                Expr::new(ty, Form::Half, pieces!["(", a, format!(").{method}()")])
            }
            70..=74 => {
                let bits = self.expr(&Scalar::U16.into(), depth);
                Expr::new(ty, Form::Half, pieces![format!("{ty}::from_bits("), bits, ")"])
            }
            roll => {
                let from = self.number_type();
                let value = self.expr(&from.into(), depth);
                if roll % 2 == 0 {
                    convert(value, ty)
                } else {
                    Expr::new(ty, Form::HalfCast, pieces!["(", value, format!(").cast::<{ty}>()")])
                }
            }
        }
    }

    /// A primitive that comes from a 16-bit float.
    pub(super) fn of_half(&mut self, ty: Scalar, depth: usize) -> Expr {
        let half = self.half_type();
        let value = self.expr(&half.into(), depth);
        if ty == Scalar::Bool {
            if self.chance(30) {
                return Expr::new(ty, Form::HalfCast, pieces!["(", value, ").is_nan()"]);
            }
            let symbol = self.pick(&["==", "!=", "<", "<=", ">", ">="]).unwrap_or("==");
            let other = self.expr(&half.into(), depth);
            return Expr::new(ty, Form::Half, pieces!["(", value, format!(" {symbol} "), other, ")"]);
        }
        if self.chance(50) {
            convert(value, ty)
        } else {
            Expr::new(ty, Form::HalfCast, pieces!["(", value, format!(").cast::<{ty}>()")])
        }
    }

    /// One of the two types.
    pub(super) fn half_type(&mut self) -> Scalar {
        if self.chance(50) { Scalar::F16 } else { Scalar::Bf16 }
    }

    /// A number of the type as its constant or out of an `f32`.
    pub(super) fn half_literal(&mut self, ty: Scalar) -> String {
        match self.rng.u32(..12) {
            0 => format!("{ty}::NAN"),
            1 => format!("{ty}::INFINITY"),
            2 => format!("{ty}::NEG_ZERO"),
            3 => format!("{ty}::MAX"),
            4 => format!("{ty}::ONE"),
            _ => format!("{ty}::from_f32({}.{}f32)", self.rng.u32(..50), self.rng.u32(..1000)),
        }
    }
}

/// A number as one of another type.
pub(super) fn convert(value: Expr, to: Scalar) -> Expr {
    let from_half = value.ty.scalar().is_some_and(Scalar::is_half);
    let pieces = match (from_half, to.is_half()) {
        (false, false) => return value.cast(to),
        (true, true) => pieces![format!("{to}::from_f32(("), value, ").to_f32())"],
        (false, true) => pieces![format!("{to}::from_f32(("), value, " as f32))"],
        (true, false) if to == Scalar::F32 => pieces!["(", value, ").to_f32()"],
        (true, false) => pieces!["((", value, format!(").to_f32() as {to})")],
    };
    Expr::new(to, Form::HalfCast, pieces)
}
