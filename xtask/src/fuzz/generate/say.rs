//! `assert!`, `panic!` and `println!`.
use qd_ir::types::Scalar;

use super::{Generator, Level};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, Stmt, pieces};
use crate::fuzz::ty::Ty;

impl Generator {
    /// Makes what stands in a macro call.
    pub(super) fn speaking<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let before = std::mem::replace(&mut self.spoken, true);
        let made = inside(self);
        self.spoken = before;
        made
    }

    /// A value that a message can show, and how.
    fn shown(&mut self) -> (Expr, &'static str) {
        let ty = match self.rng.u32(..10) {
            0..=6 => self.such(|_| true).into(),
            _ => {
                let ty = self.ty(1);
                if ty.is_plain() { ty } else { self.such(|_| true).into() }
            }
        };
        let format = match &ty {
            Ty::Scalar(Scalar::Bool) => self.pick(&["{}", "{:?}", "{:>7}"]),
            Ty::Scalar(scalar) if scalar.is_float() => self.pick(&["{}", "{:?}", "{:.2}", "{:e}", "{:>12.3}"]),
            Ty::Scalar(_) => self.pick(&["{}", "{:?}", "{:>9}", "{:#x}", "{:08b}", "{:+}"]),
            Ty::Tuple(_)
            | Ty::List(..)
            | Ty::Struct(..)
            | Ty::Enum(_)
            | Ty::Vector(..)
            | Ty::Matrix(..)
            | Ty::Param => Some("{:?}"),
        };
        (self.expr(&ty, 2), format.unwrap_or("{}"))
    }

    /// A message with values.
    fn message(&mut self) -> super::Pieces {
        let (mut text, mut values) = (String::from("\"said"), Vec::new());
        for _ in 0..self.rng.usize(..3) {
            let (value, format) = self.shown();
            text.push_str(&format!(" {format}"));
            values.push(value);
        }
        text.push('"');
        let values = self.arguments(values);
        [pieces![text], values].concat()
    }

    /// A check, a failure or a line of output.
    pub(super) fn say(&mut self) -> Vec<Stmt> {
        self.speaking(|this| match this.rng.u32(..100) {
            // Most hold, so that the program goes on.
            0..=24 => {
                let form = if this.chance(20) { Form::DebugAssert } else { Form::Assert };
                let word = if form == Form::Assert { "assert" } else { "debug_assert" };
                let mut pieces = match this.rng.u32(..4) {
                    0 => {
                        let ty: Ty = this.such(|ty| !ty.is_float()).into();
                        let (value, other) = (this.leaf(&ty), this.leaf(&ty));
                        if this.chance(10) {
                            pieces![format!("{word}_eq!("), value, ", ", other]
                        } else {
                            pieces![format!("{word}_eq!("), value.clone(), ", ", value]
                        }
                    }
                    1 => {
                        let ty: Ty = this.integer().into();
                        let value = this.leaf(&ty);
                        pieces![format!("{word}_ne!("), value, ", 77"]
                    }
                    _ => {
                        let cond = if this.chance(15) {
                            this.leaf(&Scalar::Bool.into())
                        } else {
                            let (value, ty) = (this.rng.u32(..4), this.integer());
                            let of = this.leaf(&ty.into());
                            Expr::new(Scalar::Bool, Form::Compare, pieces!["(", of, format!(" != {}{ty})", 81 + value)])
                        };
                        pieces![format!("{word}!("), cond]
                    }
                };
                if this.chance(50) {
                    let message = this.message();
                    pieces.extend([pieces![", "], message].concat());
                }
                pieces.push(");".into());
                vec![Stmt::new(form, pieces)]
            }
            25..=29 => {
                let ty = this.integer();
                let value = this.leaf(&ty.into());
                let message = this.message();
                let panic = Stmt::new(Form::Panic, [pieces!["panic!("], message, pieces![");"]].concat());
                let cond = Expr::new(Scalar::Bool, Form::Compare, pieces!["(", value, " == 83)"]);
                vec![Stmt::new(Form::IfStmt, pieces!["if ", cond, " {\n", vec![panic], "}"])]
            }
            // Of a loop a few lines are enough.
            30..=79 if this.level != Level::Iteration || this.chance(40) => {
                let message = this.message();
                let word = if this.chance(50) { "println!(" } else { "qd::println!(" };
                vec![Stmt::new(Form::Print, [pieces![word], message, pieces![");"]].concat())]
            }
            _ => Vec::new(),
        })
    }
}
