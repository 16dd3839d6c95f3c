//! The extreme that a loop finds, and what goes with it.
use qd_ir::op::Op;

use super::Generator;
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, Stmt, pieces};
use crate::fuzz::ty::Ty;

/// What a loop finds the extreme of.
#[derive(Debug, Clone)]
pub(super) struct Extreme {
    best: String,
    ty: Ty,
    /// How keys are compared with it.
    op: Op,
    /// The names that get what goes with the key.
    with: Vec<(String, Ty)>,
    /// They are the parts of one tuple.
    tuple: bool,
    /// Where all of these names stand.
    places: Vec<usize>,
}

impl Generator {
    /// Which of the names before `limit` the loop finds the extreme of, and what goes with it.
    pub(super) fn choose_extreme(&mut self, limit: usize) {
        let op = self.pick(&[Op::Lt, Op::Le, Op::Gt, Op::Ge]).unwrap_or(Op::Lt);
        for k in self.floor..limit {
            let name = self.names[k].clone();
            if let Ty::Tuple(parts) = &name.ty
                && name.mutable
                && !name.hidden
                && matches!(parts.first(), Some(Ty::Scalar(_)))
                && self.is_visible(k)
                && self.chance(20)
            {
                self.names[k].hidden = true;
                let ty = parts[0].clone();
                let with = parts[1..].iter().map(|ty| (String::new(), ty.clone())).collect();
                self.extreme = Some(Extreme { best: name.text, ty, op, with, tuple: true, places: vec![k] });
                return;
            }
        }
        let (mut chosen, mut places) = (Vec::new(), Vec::new());
        for k in self.floor..limit {
            let name = self.names[k].clone();
            let usable = name.mutable && !name.hidden && matches!(name.ty, Ty::Scalar(_)) && self.is_visible(k);
            if usable && chosen.len() < 3 && self.chance(30) {
                self.names[k].hidden = true;
                chosen.push((name.ident, name.ty));
                places.push(k);
            }
        }
        let mut chosen = chosen.into_iter();
        let Some((best, ty)) = chosen.next() else { return };
        self.extreme = Some(Extreme { best, ty, op, with: chosen.collect(), tuple: false, places });
    }

    /// Offers something to the extreme of the loop.
    pub(super) fn offer(&mut self) -> Option<Stmt> {
        let Extreme { best, ty, op, with, tuple, places } = self.extreme.clone()?;
        // A name of the body may hide one of them.
        if !places.iter().all(|place| self.is_visible(*place)) {
            return None;
        }
        let key = self.expr(&ty, 2);
        let symbol = match op {
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            _ => ">=",
        };
        let mut pieces = pieces![format!("let key: {ty} = "), key];
        pieces.push(if tuple {
            format!("; if key {symbol} {best}.0 {{ {best} = (key,").into()
        } else {
            format!("; if key {symbol} {best} {{ {best} = key;").into()
        });
        for (name, ty) in with {
            // Nothing that can fail goes with it.
            let names = self
                .names
                .iter()
                .enumerate()
                .filter(|(k, other)| other.ty == ty && !other.hidden && !other.silent && self.is_visible(*k));
            let names: Vec<String> = names.map(|(_, other)| other.text.clone()).collect();
            let value = match self.pick(&names) {
                Some(text) => Expr::name(ty, text),
                None if ty.scalar().is_some() => self.literal(&ty),
                None => Expr::literal(ty.clone(), self.defs.simplest(&ty)),
            };
            pieces.extend(if tuple { pieces![" ", value, ","] } else { pieces![format!(" {name} = "), value, ";"] });
        }
        pieces.push(if tuple { "); }" } else { " }" }.into());
        Some(Stmt::new(if tuple { Form::ExtremeTuple } else { Form::Extreme }, pieces))
    }
}
