//! Which variables are indexed at run time, and what parallel loops contribute to them.
use super::super::LocalId;
use super::Facts;
use crate::arena::Id;
use crate::op::Op;
use crate::sketch::{Arg, Contribution, Expr, ExprKind, ParamId, Place, Projection};
use crate::source_map::Pos;
use crate::types::{Const, Scalar};

impl Facts<'_> {
    /// The value of an index that is a literal or a constant.
    pub fn constant_index(&self, index: Id<Expr>) -> Option<u64> {
        if let ExprKind::Int { value, suffix: _ } = &self.sketch.exprs[index].kind {
            return u64::try_from(*value).ok();
        }
        let ExprKind::Const(id) = &self.sketch.exprs[index].kind else { return None };
        match self.constant(*id, Pos::default()).ok()?.parts.as_slice() {
            [Const { ty: Scalar::Usize, bits }] => u64::try_from(*bits).ok(),
            _ => None,
        }
    }

    /// True if a parallel loop combines values into the local that may overflow.
    pub fn may_overflow(&self, local: LocalId) -> bool {
        self.overflows[local.index()]
    }

    fn note_contribution(&mut self, place: &Place, in_order: Id<Expr>) {
        let (local, path): (_, &[Projection]) = match place {
            Place::Local(local) => (*local, &[]),
            Place::Part(local, path) => (*local, path),
            Place::Wild | Place::Element { .. } | Place::Tuple(_) => return,
        };
        self.note_lists(local, path);
        let op = match &self.sketch.exprs[in_order].kind {
            ExprKind::AssignOp { op, .. } => Some(*op),
            ExprKind::Assign { value, .. } => match &self.sketch.exprs[*value].kind {
                ExprKind::Op { op, .. } | ExprKind::Function { op, .. } => Some(*op),
                _ => None,
            },
            _ => None,
        };
        let scalars = self.locals[local.index()].as_ref().and_then(|ty| self.projected(ty, path, Pos::default()).ok());
        let scalars = scalars.and_then(|ty| ty.flatten()).unwrap_or_default();
        let overflows = |op: Op| scalars.iter().any(|ty| op.overflow_checked(*ty) != op);
        self.overflows[local.index()] |= op.is_some_and(overflows);
    }

    pub(super) fn note_indices(&mut self, expr: Id<Expr>) {
        let sketch = self.sketch;
        if let ExprKind::Assign { place, .. } | ExprKind::AssignOp { place, .. } = &sketch.exprs[expr].kind {
            self.note_place(place);
        }
        if let ExprKind::Contribute { what, in_order } = &sketch.exprs[expr].kind
            && let Contribution::Each { place, .. } = what.as_ref()
        {
            self.note_contribution(place, *in_order);
        }
        if let ExprKind::Call { callee: _, args } = &sketch.exprs[expr].kind {
            for arg in args {
                if let Arg::Place(place) = arg {
                    self.note_place(place);
                }
            }
        }
        if let ExprKind::Load { array, index } = &sketch.exprs[expr].kind {
            self.note_reference(*array, index);
        }
        let ExprKind::Index(base, index) = &sketch.exprs[expr].kind else { return };
        if self.constant_index(*index).is_none() {
            let mut base = *base;
            while let ExprKind::Field(inner, _) | ExprKind::Index(inner, _) = &sketch.exprs[base].kind {
                base = *inner;
            }
            match &sketch.exprs[base].kind {
                ExprKind::Local(local) => self.indexed[local.index()] = true,
                ExprKind::Load { array, .. } => self.note_reference(*array, &[*index]),
                // A value, which is put where it can be indexed.
                _ => {}
            }
        }
    }

    /// An index into what a reference of a function stands for.
    fn note_reference(&mut self, param: ParamId, index: &[Id<Expr>]) {
        if let Ok(local) = self.reference(param, Pos::default())
            && index.iter().any(|index| self.constant_index(*index).is_none())
        {
            self.indexed[local.index()] = true;
        }
    }

    /// True if a path has an index that is known only at run time.
    pub(super) fn chosen(&self, path: &[Projection]) -> bool {
        path.iter().any(|step| match step {
            Projection::Field(_) => false,
            Projection::Index(index) => self.constant_index(*index).is_none(),
        })
    }

    fn note_place(&mut self, place: &Place) {
        let indices = |path: &[Projection]| {
            let index = |step: &Projection| match step {
                Projection::Field(_) => None,
                Projection::Index(index) => Some(*index),
            };
            path.iter().filter_map(index).collect::<Vec<_>>()
        };
        match place {
            Place::Wild | Place::Local(_) => {}
            Place::Element { array, index, path } => {
                self.note_reference(*array, &[index.clone(), indices(path)].concat())
            }
            Place::Part(local, path) => {
                if self.chosen(path) {
                    self.indexed[local.index()] = true;
                }
            }
            Place::Tuple(places) => places.iter().for_each(|place| self.note_place(place)),
        }
    }
}
