//! Assignments and what can be assigned to.
use qd_ir::arena::Id;
use qd_ir::op::Op;
use qd_ir::sketch::{Contribution, Expr, ExprKind, Member, Place, Projection};

use super::carried::{By, reducing};
use super::expr::{behind_star, rename, rename_array};
use super::kinds::Operand;
use super::operator::update_name;
use super::scope::Binding;
use super::{Lower, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;
use crate::taps::replace;

impl Lower<'_> {
    /// `place = value`
    pub(super) fn assign(&mut self, assign: &mut syn::ExprAssign, at: Reach) -> Id<Expr> {
        let value = self.expr(&mut assign.right);
        let Some(place) = self.place(&mut assign.left) else { return self.poison(at) };
        if let Some(extreme) = self.extreme_assign(&place, value, &mut assign.right, at) {
            return extreme;
        }
        if let Place::Local(local) = &place
            && self.deferred.remove(local).is_some()
        {
            let (_, name) = self.hidden("__qd_first", at);
            let tap = self.taps.value(&mut assign.right, &name);
            self.locals[*local].tap = Some(tap);
        }
        let expr = self.push_access(ExprKind::Assign { place: place.clone(), value }, at);
        let by = match (self.lazy(&place, value), self.combination(&place, value)) {
            (Some(op), _) => By::Lazy(op),
            (None, Some(contribution)) => By::Each { expr, contribution },
            (None, None) => By::Other,
        };
        self.update(&place, by, at);
        expr
    }

    /// `place op= value`
    pub(super) fn assign_op(&mut self, syntax: &mut syn::Expr, op: Op, at: Reach) -> Id<Expr> {
        let syn::Expr::Binary(binary) = syntax else { return self.poison(at) };
        let refers = self.may_refer(&mut binary.right);
        let value = if matches!(op, Op::Shl | Op::Shr) {
            self.shift_amount(&mut binary.right)
        } else {
            self.expr(&mut binary.right)
        };
        let Some(place) = self.place(&mut binary.left) else { return self.poison(at) };
        if let Place::Wild | Place::Tuple(_) = &place {
            self.diagnostics.on(
                Code::Place,
                &binary.left,
                "only variables and elements have a value to update",
                "write one assignment for each",
            );
            return self.poison(at);
        }
        let expr = self.push_access(ExprKind::AssignOp { op, place: place.clone(), value }, at);
        let by = match reducing(op) {
            Some((op, negated)) => {
                let contribution = Contribution::Each { op, negated, place: place.clone(), value, place_first: false };
                By::Each { expr, contribution }
            }
            None => By::Other,
        };
        self.update(&place, by, at);
        let order =
            if self.generic && self.order_shows(&place, value) { self.taps.order(&binary.left, at) } else { None };
        let plain = self.plain[value.index()] && self.is_plain_place(&place);
        if !(plain || refers)
            && let Some(name) = update_name(op)
        {
            let place = self.kind_of_place(&place).map(Operand::Of);
            let known = place.zip(self.operand_of(value)).map(|(place, value)| vec![place, value]);
            let mut copy = None;
            let callee = self.operator_of(name, known, |this| {
                let (update, callee) = this.taps.update(name, binary, at);
                copy = Some(update);
                callee
            });
            self.operators.push((expr, callee));
            if let Some(copy) = copy {
                *syntax = copy;
            }
        }
        if let Some((look, id)) = order {
            self.orders.insert(expr, id);
            replace(syntax, |inner| syn::parse_quote!({ #look #inner; }));
        }
        expr
    }

    /// False if nobody can tell whether a place is evaluated before the value that updates it: one of them only names
    /// what the other one leaves as it is.
    fn order_shows(&self, place: &Place, value: Id<Expr>) -> bool {
        let indices: Vec<_> = match place {
            Place::Wild | Place::Local(_) | Place::Tuple(_) => Vec::new(),
            Place::Part(_, path) => path.iter().filter_map(index).collect(),
            Place::Element { array: _, index: of, path } => {
                of.iter().copied().chain(path.iter().filter_map(index)).collect()
            }
        };
        match &self.exprs[value].kind {
            ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Bool(_) | ExprKind::Const(_) => false,
            ExprKind::Local(_) => !indices.iter().all(|index| self.leaves_all(*index)),
            _ => !indices.is_empty(),
        }
    }

    /// True for what surely assigns nothing.
    fn leaves_all(&self, expr: Id<Expr>) -> bool {
        match &self.exprs[expr].kind {
            ExprKind::Int { .. }
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::Len(_)
            | ExprKind::Extent(..) => true,
            ExprKind::Op { op: _, args } | ExprKind::Load { array: _, index: args } => {
                args.iter().all(|arg| self.leaves_all(*arg))
            }
            ExprKind::Cast { value, to: _ } | ExprKind::Tapped { tap: _, value } => self.leaves_all(*value),
            ExprKind::Field(value, _) => self.leaves_all(*value),
            ExprKind::Index(value, index) => self.leaves_all(*value) && self.leaves_all(*index),
            // Whatever else it is, it may.
            _ => false,
        }
    }

    /// Notes an update of a variable or of a part of one.
    pub(super) fn update(&mut self, place: &Place, by: By, at: Reach) {
        match self.part_of_place(place) {
            Some(part) => {
                self.locals[part.local].assigned = true;
                if let Some(carried) = &mut self.carried {
                    carried.update(part, by, at);
                }
            }
            None => self.updates_in(place, at),
        }
    }

    pub(super) fn updates_in(&mut self, place: &Place, at: Reach) {
        match place {
            Place::Wild | Place::Element { .. } => {}
            Place::Local(_) | Place::Part(..) => self.update(place, By::Other, at),
            Place::Tuple(parts) => parts.iter().for_each(|part| self.updates_in(part, at)),
        }
    }

    /// What an expression names; nothing if it was refused.
    pub(super) fn place(&mut self, syntax: &mut syn::Expr) -> Option<Place> {
        let at = Reach::of_expr(syntax);
        if let Some((param, local)) = self.field_of(syntax) {
            self.unlock(syntax, param);
            return Some(Place::Local(local));
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
                    self.writes_elements(array, &index.expr);
                    self.unlock(&mut index.expr, array);
                    let index = self.element_index(index, at)?;
                    return Some(Place::Element { array, index, path: Vec::new() });
                }
                // The variables that a parallel loop stores to are its own.
                if self.carried.is_some() && self.hidden_array(&mut index.expr) {
                    return None;
                }
                let base = self.place(&mut index.expr)?;
                let steps = self.element_index(index, at)?.into_iter().map(Projection::Index);
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
                // To rustc each is an assignment of its own, without parentheses round it.
                let parts: Vec<_> = tuple.elems.iter_mut().map(|part| self.place(unwrap_parens(part))).collect();
                parts.into_iter().collect::<Option<Vec<_>>>().map(Place::Tuple)
            }
            syn::Expr::Array(array) => {
                let parts: Vec<_> = array.elems.iter_mut().map(|part| self.place(part)).collect();
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

/// The index that leads from a place to a part of it.
fn index(step: &Projection) -> Option<Id<Expr>> {
    match step {
        Projection::Field(_) => None,
        Projection::Index(index) => Some(*index),
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
