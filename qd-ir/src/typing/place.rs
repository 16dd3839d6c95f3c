//! Assignments. Rust evaluates the value first, then the place; the check of an index comes with the place.
use super::hint::Hint;
use super::storage::Storage;
use super::task::{Builder, Lower, Val};
use crate::arena::Id;
use crate::op::{Op, ReduceOp};
use crate::sketch::{self, Expr, ExprKind, Member, Place};
use crate::source_map::Pos;
use crate::types::Type;

impl Builder<'_> {
    /// `place = value`
    pub fn assign(&mut self, place: &Place, value: Id<Expr>, pos: Pos) -> Lower<Val> {
        if let Place::Local(local) = place
            && self.reduction(*local).is_some()
        {
            let term = self.reduction_term(*local, value, pos)?;
            return self.contribute(*local, term);
        }
        let hint = self.facts.place_hint(place, pos)?;
        let value = self.expr(value, &hint)?;
        self.store(place, &value, pos)?;
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

    /// `place op= value`
    pub fn assign_op(&mut self, op: Op, place: &Place, value: Id<Expr>, pos: Pos) -> Lower<Val> {
        let facts = self.facts;
        if let Place::Local(local) = place
            && let Some(reduce) = self.reduction(*local)
        {
            if reduce.op() != op {
                return Err(facts.error(pos, format!("a reduction by `{}` is updated by `{op}`", reduce.op())).into());
            }
            return self.contribute(*local, value);
        }
        let ty = match facts.place_hint(place, pos)? {
            Hint::Type(ty) if let Some(component) = ty.component() => {
                return self.linear_update(op, place, component, value, pos);
            }
            Hint::Type(ty) => ty.as_scalar(),
            Hint::Free | Hint::Cast(_) | Hint::Tuple(_) => None,
        };
        let ty = ty.ok_or_else(|| {
            facts.unsupported(pos, format!("`{op}` updates what is no scalar: update its scalars, one by one"))
        })?;
        if op.arity() != 2 || !op.row().receiver.accepts(ty) || op.output(ty) != Some(ty) {
            return Err(facts.error(pos, format!("`{op}` can't update {ty}")).into());
        }
        let (stored, value) = if ty.is_primitive() {
            let value = match op.operand(ty, 1) {
                Some(operand) => self.scalar(value, operand)?,
                None => self.shift_amount(value)?,
            };
            (self.target(place, pos)?, value)
        } else {
            // A method of the type takes the place first.
            let stored = self.target(place, pos)?;
            (self.checked(stored)?, self.scalar(value, ty)?)
        };
        self.update(&stored, |s, old| {
            let old = s.single(old, pos)?;
            Ok(vec![s.arithmetic(op, vec![old, value], ty, pos)])
        })?;
        Ok(Val::UNIT)
    }

    /// `v` of `s = s.min(v)`, `s = v + s`.
    fn reduction_term(&self, local: Id<sketch::Local>, value: Id<Expr>, pos: Pos) -> Lower<Id<Expr>> {
        let facts = self.facts;
        let is_local = |e: Id<Expr>| facts.sketch.exprs[e].kind == ExprKind::Local(local);
        let wanted = self.reduction(local).map(ReduceOp::op);
        if let ExprKind::Op { op, args } | ExprKind::Function { ty: _, op, args } = &facts.sketch.exprs[value].kind
            && Some(*op) == wanted
            && let [a, b] = args.as_slice()
        {
            if is_local(*a) {
                return Ok(*b);
            }
            if is_local(*b) {
                return Ok(*a);
            }
        }
        let name = &facts.sketch.locals[local].name;
        Err(facts.error(pos, format!("this assignment to `{name}` isn't its reduction")).into())
    }

    fn contribute(&mut self, local: Id<sketch::Local>, value: Id<Expr>) -> Lower<Val> {
        let facts = self.facts;
        let pos = facts.pos(value);
        let Some(op) = self.reduction(local) else { return Ok(Val::UNIT) };
        let ty = facts.local(local, pos)?;
        // The product of matrices isn't taken component by component.
        let by_component = match ty {
            Type::Scalar(_) => true,
            Type::Vector(..) => facts.own(value) == Some(ty),
            Type::Matrix(..) => op == ReduceOp::Add,
            Type::Tuple(_)
            | Type::Struct(_)
            | Type::Enum { .. }
            | Type::Fixed(..)
            | Type::Array { .. }
            | Type::Never => false,
        };
        if !by_component {
            let message = format!("`{}` of values of type `{ty}` over a parallel loop: reduce their scalars", op.op());
            return Err(facts.unsupported(pos, message).into());
        }
        if !ty.component().or(ty.as_scalar()).is_some_and(|scalar| op.op().row().receiver.accepts(scalar)) {
            return Err(facts.error(pos, format!("a reduction of {ty} by `{}`", op.op())).into());
        }
        let value = self.expr(value, &Hint::Type(ty.clone()))?;
        self.reduce(local, &value.parts);
        Ok(Val::UNIT)
    }
}
