//! What a parallel loop reduces: variables and parts of them.
use qd_ir::op::{Op, ReduceOp};
use qd_ir::types::Scalar;

use super::expr::symbol;
use super::{Generator, Pieces};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, Stmt, pieces};
use crate::fuzz::ty::{Step, Ty};

/// A variable that a loop reduces, or a part of one.
#[derive(Debug, Clone)]
pub(super) struct Fold {
    /// The variable.
    pub root: String,
    /// How the place is written up to an index that only iterations know.
    before: String,
    /// As many elements are to choose from, and so the place goes on.
    chosen: Option<(usize, String)>,
    ty: Ty,
    op: Op,
    whole: bool,
}

impl Generator {
    /// Which of the names before `limit` the loop reduces.
    pub(super) fn choose_folds(&mut self, limit: usize) {
        for k in self.floor..limit {
            let name = self.names[k].clone();
            if !name.mutable || !self.is_visible(k) {
                continue;
            }
            let made_for_it = name.ident.starts_with('r');
            let ops: Vec<Op> = match &name.ty {
                // Declared for it.
                Ty::Scalar(ty) if ty.is_float() && made_for_it => vec![Op::Add],
                Ty::Vector(..) if made_for_it => vec![Op::Add, Op::Mul],
                Ty::Scalar(ty) if !ty.is_float() => reducing(*ty),
                _ => Vec::new(),
            };
            if !self.chance(if made_for_it { 80 } else { 35 }) {
                continue;
            }
            if let Some(op) = self.pick(&ops) {
                self.names[k].hidden = true;
                let (root, before, ty) = (name.ident, name.text, name.ty);
                self.folds.push(Fold { root, before, chosen: None, ty, op, whole: true });
            } else if !made_for_it {
                self.choose_part(k);
            }
        }
    }

    /// A part of a variable, or two that lie apart.
    fn choose_part(&mut self, k: usize) {
        let name = self.names[k].clone();
        let mut found: Vec<Fold> = Vec::new();
        for _ in 0..1 + self.rng.usize(..2) {
            let Some(fold) = self.part_of_name(&name.ident, &name.text, &name.ty) else { return };
            // Of places that may be one the operations have to be, too: `v.z` is `v[2]`.
            let fields = matches!(name.ty, Ty::Tuple(_) | Ty::Struct(..));
            let apart = |other: &Fold| {
                let known = other.chosen.is_none() && fold.chosen.is_none();
                fields && field_of(other) != field_of(&fold) || known && other.op == fold.op
            };
            if found.iter().all(apart) {
                found.push(fold);
            }
        }
        self.names[k].hidden = !found.is_empty();
        self.folds.extend(found);
    }

    fn part_of_name(&mut self, root: &str, text: &str, ty: &Ty) -> Option<Fold> {
        let (mut before, mut chosen, mut at) = (text.to_owned(), None, ty.clone());
        loop {
            let mut parts = self.defs.parts(&at);
            if parts.is_empty() {
                break;
            }
            // With an index a field of a bundle looks like an array.
            if root.contains('.') {
                parts.retain(|(step, _)| matches!(step, Step::Field(_)));
            }
            let (step, part) = self.pick(&parts)?;
            let text = match step {
                Step::Field(name) => format!(".{name}"),
                Step::Index(len) if chosen.is_none() && matches!(at, Ty::List(..)) && self.chance(50) => {
                    chosen = Some((len, String::new()));
                    at = part;
                    continue;
                }
                Step::Index(len) => format!("[{}]", self.rng.usize(..len)),
                Step::Cell(rows, columns) => format!("[[{}, {}]]", self.rng.usize(..rows), self.rng.usize(..columns)),
            };
            match &mut chosen {
                Some((_, after)) => after.push_str(&text),
                None => before.push_str(&text),
            }
            at = part;
        }
        let ops = at.scalar().filter(|ty| !ty.is_float()).map(reducing)?;
        let op = self.pick(&ops)?;
        Some(Fold { root: root.to_owned(), before, chosen, ty: at, op, whole: false })
    }

    /// An update of what the loop reduces.
    pub(super) fn fold(&mut self, fold: &Fold) -> Stmt {
        let Fold { ty, op, whole, .. } = fold;
        let (mut form, value) = match ty {
            Ty::Scalar(scalar) if scalar.is_float() => {
                let value = self.expr(&Scalar::I8.into(), 2);
                (Form::ReduceFloat, value.cast(*scalar))
            }
            Ty::Vector(..) => (Form::ReduceVector, self.expr(ty, 2)),
            _ => (Form::Reduce, self.expr(ty, 2)),
        };
        if !whole {
            form = if fold.chosen.is_some() { Form::ReduceElement } else { Form::ReducePart };
        }
        let place = self.fold_place(fold);
        // One place, read and written, is written once.
        let plain = fold.chosen.is_none() && self.chance(30);
        let integer = ty.scalar().is_some_and(Scalar::is_int);
        let pieces = match (symbol(*op), *op) {
            (Some(_), Op::Add) if plain && integer && self.chance(50) => {
                form = Form::ReduceSpelled;
                [place.clone(), pieces![" = ", value, " + "], place, pieces![";"]].concat()
            }
            (Some(_), Op::Add | Op::Mul) if plain && integer => {
                form = Form::ReduceSpelled;
                [place.clone(), pieces![" = "], place, pieces![format!(".wrapping_{op}("), value, ");"]].concat()
            }
            (Some(_), Op::And | Op::Or) if plain && *ty == Ty::Scalar(Scalar::Bool) => {
                form = Form::ReduceSpelled;
                [pieces!["if ", value, " { "], place, pieces![format!(" = {}; }}", *op == Op::Or)]].concat()
            }
            (Some(symbol), _) => [place, pieces![format!(" {symbol}= "), value, ";"]].concat(),
            (None, _) if fold.chosen.is_some() => {
                // `min` and `max` name the place twice, so the index is bound first.
                return self.chosen_extreme(fold, value);
            }
            (None, _) if plain => {
                form = Form::ReduceSpelled;
                let path = pieces![format!(" = std::cmp::{op}(")];
                [place.clone(), path, place, pieces![", ", value, ");"]].concat()
            }
            (None, _) => [place.clone(), pieces![" = "], place, pieces![format!(".{op}("), value, ");"]].concat(),
        };
        Stmt::new(form, pieces)
    }

    /// The place, with an index that is worked out.
    fn fold_place(&mut self, fold: &Fold) -> Pieces {
        let Some((len, after)) = &fold.chosen else { return pieces![fold.before.clone()] };
        let index = self.expr(&Scalar::Usize.into(), 1);
        let index = Expr::new(Scalar::Usize, Form::Op(Op::Rem), pieces!["(", index, format!(" % {len})")]);
        pieces![format!("{}[", fold.before), index, format!("]{after}")]
    }

    fn chosen_extreme(&mut self, fold: &Fold, value: Expr) -> Stmt {
        let Some((len, after)) = &fold.chosen else { return Stmt::new(Form::Reduce, Vec::new()) };
        let index = self.expr(&Scalar::Usize.into(), 1);
        let (name, Fold { before, op, .. }) = (format!("n{}", self.number()), fold);
        let place = format!("{before}[{name}]{after}");
        let bound = pieces![format!("{{ let {name} = ("), index, format!(" % {len});\n{place} = {place}.{op}(")];
        Stmt::new(Form::ReduceElement, [bound, pieces![value, "); }"]].concat())
    }
}

/// The field of the variable in which a part lies.
fn field_of(fold: &Fold) -> &str {
    let path = fold.before[fold.root.len()..].trim_start_matches('.');
    path.split(['.', '[']).next().unwrap_or(path)
}

/// The operations that reduce integers or `bool`.
fn reducing(ty: Scalar) -> Vec<Op> {
    ReduceOp::ALL.iter().map(|op| op.op()).filter(|op| op.row().receiver.accepts(ty)).collect()
}
