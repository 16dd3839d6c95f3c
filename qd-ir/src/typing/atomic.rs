//! Atomic updates of elements.
//!
//! The place is an argument: it comes before the operands, and its checks come with it.
use super::expr::scalar_val;
use super::storage::{Address, Storage};
use super::task::{Builder, Lower, Val};
use crate::arena::Id;
use crate::body::{Part, Stmt, Value};
use crate::fault::Site;
use crate::op::AtomicOp;
use crate::refusal::Refusal;
use crate::sketch::{Expr, ParamId, Projection};
use crate::source_map::Pos;
use crate::task::Array;
use crate::types::Scalar;

/// The element that an atomic updates, or a scalar inside of it.
#[derive(Clone, Copy)]
pub(super) struct AtomicPlace<'s> {
    pub(super) array: ParamId,
    pub(super) index: &'s [Id<Expr>],
    pub(super) path: &'s [Projection],
    /// For messages.
    pub(super) pos: Pos,
}

type ElementAddress = (Id<Array>, Vec<Id<Value>>, Part, Option<Id<Site>>);

impl Builder<'_> {
    /// `qd::atomic::op(&mut place, value)`
    pub(super) fn atomic(&mut self, op: AtomicOp, place: AtomicPlace<'_>, value: Id<Expr>) -> Lower<Val> {
        let (stored, ty) = self.atomic_place(place, op, op.name())?;
        let value = self.scalar(value, ty)?;
        let dst = self.task.value(ty);
        let (array, index, part, site) = self.atomic_address(&stored, place.pos)?;
        self.push(Stmt::Atomic { dst, op, array, index, part, value, site });
        Ok(scalar_val(ty, dst))
    }

    /// `qd::atomic::compare_exchange(&mut place, current, new)`
    pub(super) fn compare_exchange(&mut self, place: AtomicPlace<'_>, current: Id<Expr>, new: Id<Expr>) -> Lower<Val> {
        let (stored, ty) = self.atomic_place(place, AtomicOp::Exchange, "compare_exchange")?;
        let (current, new) = (self.scalar(current, ty)?, self.scalar(new, ty)?);
        let dst = self.task.value(ty);
        let (array, index, part, site) = self.atomic_address(&stored, place.pos)?;
        self.push(Stmt::CompareExchange { dst, array, index, part, current, new, site });
        Ok(scalar_val(ty, dst))
    }

    /// The checked place, of a type that `op` takes.
    fn atomic_place(&mut self, place: AtomicPlace<'_>, op: AtomicOp, name: &str) -> Lower<(Storage, Scalar)> {
        let AtomicPlace { array, index, path, pos } = place;
        let stored = self.element(array, index, pos)?;
        self.writable(&stored)?;
        let stored = self.projected(stored, path, pos)?;
        match stored.ty.as_scalar() {
            Some(ty) if op.takes(ty) => Ok((self.checked(stored)?, ty)),
            Some(_) | None => {
                Err(self.facts.unsupported(Refusal::Atomic, pos, format!("an atomic `{name}` on {}", stored.ty)).into())
            }
        }
    }

    fn atomic_address(&mut self, stored: &Storage, pos: Pos) -> Lower<ElementAddress> {
        match self.address(stored, 0, None)? {
            Address::Element { array, index, part, site } => Ok((array, index, part, site)),
            Address::Variable { .. } => Err(self.facts.error(pos, "an atomic operation on a variable").into()),
        }
    }
}
