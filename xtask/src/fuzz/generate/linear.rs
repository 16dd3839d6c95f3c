//! Vectors and matrices.
use qd_ir::types::Scalar;

use super::Generator;
use super::expr::pieces_in;
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, pieces};
use crate::fuzz::ty::Ty;

impl Generator {
    pub(super) fn vector(&mut self, scalar: Scalar, len: usize, depth: usize) -> Expr {
        let ty = Ty::Vector(scalar, len);
        match self.rng.u32(..100) {
            0..=24 => {
                let parts = (0..len).map(|_| self.expr(&scalar.into(), depth)).collect();
                let pieces = match len {
                    2..=4 if self.chance(50) => pieces_in(&format!("vec{len}("), parts, ")"),
                    _ => pieces_in(&format!("Vector::<{scalar}, {len}>::from(["), parts, "])"),
                };
                Expr::new(ty, Form::Vector, pieces)
            }
            25..=34 => {
                let value = self.expr(&scalar.into(), depth);
                Expr::new(ty, Form::Vector, pieces![format!("Vector::<{scalar}, {len}>::splat("), value, ")"])
            }
            35..=44 if len == 3 && depth > 0 => self.method(&ty, &ty, "cross", Some(&ty), depth),
            35..=44 if scalar.is_float() => self.method(&ty, &ty, "normalize", None, depth),
            45..=54 => {
                let columns = 2 + self.rng.usize(..2);
                let (m, v) = (
                    self.expr(&Ty::Matrix(scalar, len, columns), depth),
                    self.expr(&Ty::Vector(scalar, columns), depth),
                );
                Expr::new(ty, Form::LinearOp, pieces!["(", m, " * ", v, ")"])
            }
            _ => self.by_component(&ty, scalar, &["+", "-", "*"], depth),
        }
    }

    pub(super) fn matrix(&mut self, scalar: Scalar, rows: usize, columns: usize, depth: usize) -> Expr {
        let ty = Ty::Matrix(scalar, rows, columns);
        match self.rng.u32(..100) {
            0..=19 => {
                let row = Ty::List(Box::new(scalar.into()), columns);
                let rows = (0..rows).map(|_| self.expr(&row, depth)).collect();
                Expr::new(ty.clone(), Form::Matrix, pieces_in(&format!("{}::from([", path(&ty)), rows, "])"))
            }
            20..=29 => self.method(&Ty::Matrix(scalar, columns, rows), &ty, "transpose", None, depth),
            30..=39 => {
                let (v, w) = (Ty::Vector(scalar, rows), Ty::Vector(scalar, columns));
                self.method(&v, &ty, "outer", Some(&w), depth)
            }
            40..=44 if rows == columns => {
                Expr::new(ty.clone(), Form::Matrix, pieces![format!("{}::identity()", path(&ty))])
            }
            45..=54 if rows == columns && scalar.is_float() => self.method(&ty, &ty, "inverse", None, depth),
            55..=69 => {
                let inner = 2 + self.rng.usize(..2);
                let (a, b) = (
                    self.expr(&Ty::Matrix(scalar, rows, inner), depth),
                    self.expr(&Ty::Matrix(scalar, inner, columns), depth),
                );
                Expr::new(ty, Form::LinearOp, pieces!["(", a, " * ", b, ")"])
            }
            _ => self.by_component(&ty, scalar, &["+", "-"], depth),
        }
    }

    /// An operator on each component.
    fn by_component(&mut self, ty: &Ty, scalar: Scalar, operators: &[&str], depth: usize) -> Expr {
        let pieces = match self.rng.u32(..10) {
            0..=4 => {
                let operator = self.pick(operators).unwrap_or("+");
                let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
                pieces!["(", a, format!(" {operator} "), b, ")"]
            }
            5 if scalar.is_signed() || scalar.is_float() => {
                let a = self.expr(ty, depth);
                pieces!["(-", a, ")"]
            }
            6 => {
                let (a, by) = (self.expr(ty, depth), self.expr(&scalar.into(), depth));
                pieces!["(", by, " * ", a, ")"]
            }
            7 => {
                let a = self.expr(ty, depth);
                let by = if scalar.is_int() { self.divisor(scalar, depth) } else { self.expr(&scalar.into(), depth) };
                pieces!["(", a, " / ", by, ")"]
            }
            _ => {
                let (a, by) = (self.expr(ty, depth), self.expr(&scalar.into(), depth));
                pieces!["(", a, " * ", by, ")"]
            }
        };
        Expr::new(ty.clone(), Form::LinearOp, pieces)
    }

    /// A scalar from vectors and matrices.
    pub(super) fn linear_scalar(&mut self, ty: Scalar, depth: usize) -> Option<Expr> {
        if ty == Scalar::Bool || ty.size() > 8 {
            return None;
        }
        let (n, output) = (2 + self.rng.usize(..3), Ty::Scalar(ty));
        let vector = Ty::Vector(ty, n);
        Some(match self.rng.u32(..5) {
            0 => self.method(&vector, &output, "norm_squared", None, depth),
            1 if ty.is_float() => self.method(&vector, &output, "norm", None, depth),
            2 if ty.is_float() || ty.is_signed() => {
                let n = 2 + self.rng.usize(..2);
                self.method(&Ty::Matrix(ty, n, n), &output, "determinant", None, depth)
            }
            _ => self.method(&vector, &output, "dot", Some(&vector), depth),
        })
    }

    fn method(&mut self, receiver: &Ty, output: &Ty, name: &str, other: Option<&Ty>, depth: usize) -> Expr {
        let receiver = self.expr(receiver, depth);
        let other: Vec<Expr> = other.iter().map(|other| self.expr(other, depth)).collect();
        let mut pieces = pieces!["(", receiver];
        pieces.extend(pieces_in(&format!(").{name}("), other, ")"));
        Expr::new(output.clone(), Form::LinearMethod, pieces)
    }
}

/// How a type is written before `::`.
fn path(ty: &Ty) -> String {
    ty.to_string().replacen('<', "::<", 1)
}
