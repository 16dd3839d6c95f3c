//! The rules of reductions: which there are, what may be contributed where, and which slots they end in.
use super::Check;
use crate::arena::{Arena, Id};
use crate::body::{Part, Value};
use crate::reduce;
use crate::task::{Reduction, TaskKind};

impl<'a> Check<'a> {
    /// A reduction of a parallel task.
    pub(super) fn reduction(&mut self, reduction: &Reduction) {
        match reduction {
            Reduction::Each { op, ty, len } => {
                self.require(reduce::takes(*ty, *op), || format!("`{}` of {ty}", op.op()));
                self.require(*len > 0, || "a reduction of no scalar");
                let defined = *len == 1 || reduce::is_order_free(*ty, *op);
                self.require(defined, || format!("`{}` of a list of {ty}, which has no order", op.op()));
            }
            Reduction::Extreme { order: _, key, with: _ } => {
                self.require(!key.is_empty(), || "the extreme of an empty key");
                let ordered = key.len() == 1 || !key.iter().any(|ty| ty.is_float());
                self.require(ordered, || "a key of several scalars, one of them a float");
            }
        }
    }

    /// The reductions of a task, for a contribution to one of them.
    fn contributed(&mut self) -> Option<&'a Arena<Reduction>> {
        self.require(!self.in_bounds, || "a reduction in the bounds");
        let task = self.task;
        match &task.kind {
            TaskKind::Parallel { bounds: _, carried: _, dims: _, reductions } => Some(reductions),
            TaskKind::Serial => {
                self.fail("a reduction in a serial task");
                None
            }
        }
    }

    /// A contribution to a scalar, or with `part` to one of a list.
    pub(super) fn reduce(&mut self, id: Id<Reduction>, part: Option<&Part>, value: Id<Value>) {
        if let Some(part) = part {
            self.steps(part);
        }
        self.used(value);
        let Some(reductions) = self.contributed() else { return };
        if !self.handle("reduction", reductions, id, |n| &mut n.reductions) {
            return;
        }
        match (&reductions[id], part) {
            (Reduction::Each { op: _, ty, len: 1 }, None) => self.same(value, *ty),
            (Reduction::Each { op: _, ty, len }, Some(part)) if *len > 1 => {
                self.same(value, *ty);
                self.reached(part, *len as usize);
            }
            (Reduction::Each { .. } | Reduction::Extreme { .. }, _) => {
                self.fail(format!("reduction {} takes other contributions", id.index()));
            }
        }
    }

    /// An offer of a key and what goes with it.
    pub(super) fn offer(&mut self, id: Id<Reduction>, values: &[Id<Value>]) {
        values.iter().for_each(|value| self.used(*value));
        let Some(reductions) = self.contributed() else { return };
        if !self.handle("reduction", reductions, id, |n| &mut n.reductions) {
            return;
        }
        match &reductions[id] {
            Reduction::Extreme { order: _, key, with } => {
                self.require(values.len() == key.len() + with.len(), || {
                    format!("an offer of {} scalars", values.len())
                });
                for (value, ty) in values.iter().zip(key.iter().chain(with)) {
                    self.same(*value, *ty);
                }
            }
            Reduction::Each { .. } => self.fail(format!("reduction {} takes no offers", id.index())),
        }
    }
}
