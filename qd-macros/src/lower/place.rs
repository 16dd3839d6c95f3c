//! Assignments and what can be assigned to.
use qd_ir::arena::Id;
use qd_ir::op::{Op, ReduceOp};
use qd_ir::sketch::{Expr, ExprKind, Local, Place};

use super::expr::{rename, rename_array};
use super::scope::Binding;
use super::{Lower, unwrap_parens};
use crate::diagnostic::{Code, Reach};

/// A part of a tuple variable.
pub(super) struct Root {
    /// The variable.
    pub local: Id<Local>,
    /// `.0.1`, outermost first; never empty.
    pub path: Vec<u32>,
}

impl Lower<'_> {
    /// `t.0.1` of a variable, renamed in the copy; `None`, and nothing changed, for any other expression.
    pub(super) fn tuple_root(&mut self, syntax: &mut syn::Expr) -> Option<Root> {
        let mut path = Vec::new();
        let mut base = unwrap_parens(syntax);
        while let syn::Expr::Field(field) = base {
            let syn::Member::Unnamed(part) = &field.member else { return None };
            path.push(part.index);
            base = unwrap_parens(&mut field.base);
        }
        if path.is_empty() {
            return None;
        }
        let base = match base {
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => &mut unary.expr,
            other => other,
        };
        if let Some(local) = self.referent_of(base) {
            path.reverse();
            return Some(Root { local, path });
        }
        let syn::Expr::Path(name) = base else { return None };
        match self.scope.find(name.path.get_ident()?)? {
            Binding::Local(local) => {
                rename(name, local.index());
                path.reverse();
                Some(Root { local, path })
            }
            Binding::Array(_) | Binding::Item => None,
        }
    }

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
            Place::Wild | Place::Field(..) | Place::Element { .. } | Place::Tuple(_) => self.updates_in(&place, at),
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
            Place::Field(..) | Place::Element { .. } => self.updates_in(&place, at),
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

    fn update(&mut self, local: Id<Local>, op: Option<ReduceOp>, at: Reach) {
        self.locals[local].assigned = true;
        if let Some(carried) = &mut self.carried {
            carried.update(local, op, at);
        }
    }

    pub(super) fn updates_in(&mut self, place: &Place, at: Reach) {
        match place {
            Place::Wild | Place::Element { .. } => {}
            Place::Local(local) | Place::Field(local, _) => self.update(*local, None, at),
            Place::Tuple(parts) => parts.iter().for_each(|part| self.updates_in(part, at)),
        }
    }

    pub(super) fn place(&mut self, syntax: &mut syn::Expr) -> Option<Place> {
        let at = Reach::of(syntax);
        if let Some(Root { local, path }) = self.tuple_root(syntax) {
            return Some(Place::Field(local, path));
        }
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
                let (array, index) = self.element(index)?;
                Some(Place::Element { array, index })
            }
            syn::Expr::Tuple(tuple) => {
                let parts: Vec<_> = tuple.elems.iter_mut().map(|part| self.place(part)).collect();
                parts.into_iter().collect::<Option<Vec<_>>>().map(Place::Tuple)
            }
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => {
                match self.referent_of(&mut unary.expr) {
                    Some(local) => Some(Place::Local(local)),
                    None => {
                        self.expr(syntax);
                        None
                    }
                }
            }
            other => {
                self.diagnostics.on(
                    Code::Place,
                    other,
                    "this can't be assigned to in a kernel",
                    "assign to a variable, a part of a tuple, or an element `x[i]`",
                );
                None
            }
        }
    }
}
