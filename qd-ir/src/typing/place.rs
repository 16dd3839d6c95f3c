//! Assignments. Rust evaluates the value first, then the place, unless an `op=` is a call of a trait's function, which it
//! is for what isn't primitive and in generic code; the check of an index comes with the place.
use super::hint::Hint;
use super::storage::Storage;
use super::task::{Builder, Lower, Val};
use crate::arena::Id;
use crate::op::Op;
use crate::refusal::Refusal;
use crate::sketch::{Expr, Member, ParamId, Place};
use crate::source_map::Pos;

impl Builder<'_> {
    /// `place = value`
    pub fn assign(&mut self, place: &Place, value: Id<Expr>, pos: Pos) -> Lower<Val> {
        let hint = self.facts.place_hint(place, pos)?;
        let value = self.expr(value, &hint)?;
        self.store(place, &value, pos)?;
        Ok(Val::UNIT)
    }

    /// `qd::scatter(&mut array[index], value)`. The place is an argument: it comes before the value, and so does its check.
    pub fn scatter(&mut self, array: ParamId, index: &[Id<Expr>], value: Id<Expr>, pos: Pos) -> Lower<Val> {
        let stored = self.element(array, index, pos)?;
        self.writable(&stored)?;
        let stored = self.claimed(stored)?;
        let value = self.expr(value, &Hint::Type(stored.ty.clone()))?;
        self.write(&stored, &value.parts)?;
        Ok(Val::UNIT)
    }

    /// Writes a value to a place.
    fn store(&mut self, place: &Place, value: &Val, pos: Pos) -> Lower<()> {
        match place {
            Place::Wild => Ok(()),
            Place::Local(local) => {
                let variables = self.variables(*local, pos)?;
                self.set(&variables, &value.parts);
                Ok(())
            }
            Place::Part(..) | Place::Element { .. } => {
                let stored = self.target(place, pos)?;
                self.write(&stored, &value.parts)
            }
            Place::Tuple(places) => {
                for (i, place) in places.iter().enumerate() {
                    let (ty, range) = self.facts.field(&value.ty, &Member::Index(i as u32), pos)?;
                    self.store(place, &Val { ty, parts: value.parts[range].to_vec() }, pos)?;
                }
                Ok(())
            }
        }
    }

    /// The place with its indices evaluated.
    pub fn target(&mut self, place: &Place, pos: Pos) -> Lower<Storage> {
        match place {
            Place::Local(local) => self.local_storage(*local, pos),
            Place::Part(local, path) => {
                let stored = self.local_storage(*local, pos)?;
                self.projected(stored, path, pos)
            }
            Place::Element { array, index, path } => {
                let stored = self.element(*array, index, pos)?;
                self.writable(&stored)?;
                self.projected(stored, path, pos)
            }
            Place::Wild | Place::Tuple(_) => Err(self.facts.error(pos, "an update of what is no scalar").into()),
        }
    }

    /// `place op= value`, the expression `update`.
    pub fn assign_op(&mut self, update: Id<Expr>, op: Op, place: &Place, value: Id<Expr>, pos: Pos) -> Lower<Val> {
        let facts = self.facts;
        let ty = match facts.place_hint(place, pos)? {
            Hint::Type(ty) if let Some(component) = ty.component() => {
                return self.linear_update(op, place, component, value, pos);
            }
            Hint::Type(ty) => ty.as_scalar(),
            Hint::Free | Hint::Cast(_) | Hint::Tuple(_) => None,
        };
        let ty = ty.ok_or_else(|| {
            facts.unsupported(
                Refusal::Scalars,
                pos,
                format!("`{op}` updates what is no scalar: update its scalars, one by one"),
            )
        })?;
        if op.arity() != 2 || !op.row().receiver.accepts(ty) || op.output(ty) != Some(ty) {
            return Err(facts.error(pos, format!("`{op}` can't update {ty}")).into());
        }
        let place_first = !ty.is_primitive() || facts.place_first(update);
        let before = if place_first {
            let stored = self.target(place, pos)?;
            Some(self.checked(stored)?)
        } else {
            None
        };
        let value = match op.operand(ty, 1) {
            Some(operand) => self.scalar(value, operand)?,
            None => self.shift_amount(value)?,
        };
        let stored = match before {
            Some(stored) => stored,
            None => self.target(place, pos)?,
        };
        self.update(&stored, |s, old| {
            let old = s.single(old, pos)?;
            Ok(vec![s.arithmetic(op, vec![old, value], ty, pos)])
        })?;
        Ok(Val::UNIT)
    }
}
