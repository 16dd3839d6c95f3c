//! Assignments and what can be assigned to.
use qd_ir::arena::Id;
use qd_ir::op::{Op, ReduceOp};
use qd_ir::sketch::{Expr, ExprKind, Local, Member, Place, Projection};

use super::expr::{behind_star, rename, rename_array};
use super::scope::Binding;
use super::{Lower, unwrap_parens};
use crate::diagnostic::{Code, Reach};

impl Lower<'_> {
    /// `place = value`
    pub(super) fn assign(&mut self, assign: &mut syn::ExprAssign, at: Reach) -> Id<Expr> {
        let value = self.expr(&mut assign.right);
        let Some(place) = self.place(&mut assign.left) else { return self.poison(at) };
        match &place {
            Place::Local(local) => {
                let op = self.reduction_of(*local, value);
                self.update(*local, op, at);
                if self.deferred.remove(local).is_some() {
                    let (_, name) = self.hidden("__qd_first", at);
                    let tap = self.taps.value(&mut assign.right, &name);
                    self.locals[*local].tap = Some(tap);
                }
            }
            Place::Wild | Place::Part(..) | Place::Element { .. } | Place::Tuple(_) => self.updates_in(&place, at),
        }
        self.push_access(ExprKind::Assign { place, value }, at)
    }

    /// `place op= value`
    pub(super) fn assign_op(&mut self, binary: &mut syn::ExprBinary, op: Op, at: Reach) -> Id<Expr> {
        let value = self.expr(&mut binary.right);
        let Some(place) = self.place(&mut binary.left) else { return self.poison(at) };
        match &place {
            Place::Local(local) => {
                let op = ReduceOp::ALL
                    .into_iter()
                    .find(|reduce| reduce.op() == op && !matches!(reduce, ReduceOp::Min | ReduceOp::Max));
                self.update(*local, op, at);
            }
            Place::Wild | Place::Tuple(_) => {
                self.diagnostics.on(
                    Code::Place,
                    &binary.left,
                    "only variables and elements have a value to update",
                    "write one assignment for each",
                );
                return self.poison(at);
            }
            Place::Part(..) | Place::Element { .. } => self.updates_in(&place, at),
        }
        self.push_access(ExprKind::AssignOp { op, place, value }, at)
    }

    /// The operation of `m = m.min(v)`, `m = f32::max(m, v)`.
    fn reduction_of(&mut self, local: Id<Local>, value: Id<Expr>) -> Option<ReduceOp> {
        let (ExprKind::Op { op, args } | ExprKind::Function { op, args, .. }) = &self.exprs[value].kind else {
            return None;
        };
        let op = [ReduceOp::Min, ReduceOp::Max].into_iter().find(|reduce| reduce.op() == *op)?;
        let itself = args[0];
        if self.exprs[itself].kind != ExprKind::Local(local) {
            return None;
        }
        if let Some(carried) = &mut self.carried {
            carried.forget(itself);
        }
        Some(op)
    }

    pub(super) fn update(&mut self, local: Id<Local>, op: Option<ReduceOp>, at: Reach) {
        self.locals[local].assigned = true;
        if let Some(carried) = &mut self.carried {
            carried.update(local, op, at);
        }
    }

    pub(super) fn updates_in(&mut self, place: &Place, at: Reach) {
        match place {
            Place::Wild | Place::Element { .. } => {}
            Place::Local(local) | Place::Part(local, _) => self.update(*local, None, at),
            Place::Tuple(parts) => parts.iter().for_each(|part| self.updates_in(part, at)),
        }
    }

    /// What an expression names; nothing if it was refused.
    pub(super) fn place(&mut self, syntax: &mut syn::Expr) -> Option<Place> {
        let at = Reach::of(syntax);
        match unwrap_parens(syntax) {
            syn::Expr::Infer(_) => Some(Place::Wild),
            syn::Expr::Path(path) => match path.path.get_ident().and_then(|name| self.scope.find(name)) {
                Some(Binding::Local(local)) => {
                    rename(path, local.index());
                    Some(Place::Local(local))
                }
                Some(Binding::Array(param)) => {
                    rename_array(path, param);
                    self.array_value(at);
                    None
                }
                Some(Binding::Element(_)) => {
                    let element = self.element_of(syntax)?;
                    Some(self.element_place(&element, at))
                }
                Some(Binding::Item) | None => {
                    self.diagnostics.push(
                        Code::Place,
                        at,
                        "a kernel can only assign to its own variables and to elements of its parameters",
                        "return the value, or pass an array to write it to",
                    );
                    None
                }
            },
            syn::Expr::Index(index) => {
                if let Some(array) = self.array_of(&mut index.expr) {
                    let index = self.element_index(&mut index.index)?;
                    return Some(Place::Element { array, index, path: Vec::new() });
                }
                // The variables that a parallel loop stores to are its own.
                if self.carried.is_some() && self.hidden_array(&mut index.expr) {
                    return None;
                }
                let base = self.place(&mut index.expr)?;
                let steps = self.element_index(&mut index.index)?.into_iter().map(Projection::Index);
                steps.into_iter().try_fold(base, |place, step| self.part(place, step, at))
            }
            syn::Expr::Field(field) => {
                // A reference needs no star here.
                let base = match self.referent_of(behind_star(&mut field.base)) {
                    Some(local) => Place::Local(local),
                    None => self.place(&mut field.base)?,
                };
                self.part(base, Projection::Field(member(&field.member)), at)
            }
            syn::Expr::Tuple(tuple) => {
                let parts: Vec<_> = tuple.elems.iter_mut().map(|part| self.place(part)).collect();
                parts.into_iter().collect::<Option<Vec<_>>>().map(Place::Tuple)
            }
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                if let Some(local) = self.referent_of(&mut unary.expr) {
                    return Some(Place::Local(local));
                }
                if let Some(element) = self.element_of(&mut unary.expr) {
                    return Some(self.element_place(&element, at));
                }
                self.diagnostics.push(
                    Code::Reference,
                    at,
                    "references that can be written through are not part of the kernel language",
                    "assign to the variable or the element `x[i]` itself",
                );
                None
            }
            other => {
                self.diagnostics.on(
                    Code::Place,
                    other,
                    "this can't be assigned to in a kernel",
                    "assign to a variable, an element `x[i]`, or a part of these",
                );
                None
            }
        }
    }

    /// A part of a place.
    fn part(&mut self, place: Place, step: Projection, at: Reach) -> Option<Place> {
        match place {
            Place::Local(local) => Some(Place::Part(local, vec![step])),
            Place::Part(local, mut path) => {
                path.push(step);
                Some(Place::Part(local, path))
            }
            Place::Element { array, index, mut path } => {
                path.push(step);
                Some(Place::Element { array, index, path })
            }
            Place::Wild | Place::Tuple(_) => {
                self.diagnostics.push(
                    Code::Place,
                    at,
                    "a part of a value that is nowhere stored can't be assigned to",
                    "assign to a variable, an element `x[i]`, or a part of these",
                );
                None
            }
        }
    }
}

/// The name of a field.
pub(super) fn member(syntax: &syn::Member) -> Member {
    use syn::ext::IdentExt;
    match syntax {
        syn::Member::Named(name) => Member::Name(name.unraw().to_string()),
        syn::Member::Unnamed(index) => Member::Index(index.index),
    }
}
