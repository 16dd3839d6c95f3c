//! Assignments. Rust evaluates the value first, then the place; the check of an index comes with the place.
use super::hint::Hint;
use super::task::{Builder, Lower, Val};
use crate::arena::Id;
use crate::body::{self, Stmt};
use crate::op::Op;
use crate::sketch::{self, Expr, ExprKind, ParamId, Place};
use crate::source_map::Pos;

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
            Place::Field(local, path) => {
                let variables = self.field_variables(*local, path, pos)?;
                self.set(&variables, &value.parts);
                Ok(())
            }
            Place::Element { array, index } => {
                self.mutable(*array, pos)?;
                let value = self.single(value, pos)?;
                let index = self.index(*array, index, pos)?;
                let (array, site) = self.access(*array, pos)?;
                self.push(Stmt::Store { array, index, value, site: Some(site) });
                Ok(())
            }
            Place::Tuple(places) => {
                for (i, place) in places.iter().enumerate() {
                    let (ty, range) = self.facts.field(&value.ty, i as u32, pos)?;
                    self.store(place, &Val { ty, parts: value.parts[range].to_vec() }, pos)?;
                }
                Ok(())
            }
        }
    }

    pub fn field_variables(&mut self, local: Id<sketch::Local>, path: &[u32], pos: Pos) -> Lower<Vec<Id<body::Local>>> {
        let facts = self.facts;
        let mut variables = self.variables(local, pos)?;
        let mut ty = facts.local(local, pos)?.clone();
        for index in path {
            let (part, range) = facts.field(&ty, *index, pos)?;
            variables = variables[range].to_vec();
            ty = part;
        }
        Ok(variables)
    }

    pub fn mutable(&self, array: ParamId, pos: Pos) -> Lower<()> {
        let ty = self.facts.array(array, pos)?;
        if ty.mutable { Ok(()) } else { Err(self.facts.error(pos, format!("a store to {ty}")).into()) }
    }

    /// `place op= value`
    pub fn assign_op(&mut self, op: Op, place: &Place, value: Id<Expr>, pos: Pos) -> Lower<Val> {
        let facts = self.facts;
        if let Place::Local(local) = place
            && let Some((reduce, _)) = self.reduction(*local)
        {
            if reduce.op() != op {
                return Err(facts.error(pos, format!("a reduction by `{}` is updated by `{op}`", reduce.op())).into());
            }
            return self.contribute(*local, value);
        }
        let ty = match facts.place_hint(place, pos)? {
            Hint::Type(ty) => ty.as_scalar(),
            Hint::Free | Hint::Cast(_) | Hint::Tuple(_) => None,
        };
        let ty = ty.ok_or_else(|| facts.error(pos, format!("`{op}` is assigned to what is no scalar")))?;
        if op.arity() != 2 || !op.row().receiver.accepts(ty) || op.output(ty) != Some(ty) {
            return Err(facts.error(pos, format!("`{op}` can't update {ty}")).into());
        }
        let value = match op.operand(ty, 1) {
            Some(operand) => self.scalar(value, operand)?,
            None => self.shift_amount(value)?,
        };
        match place {
            Place::Local(_) | Place::Field(..) => {
                let variables = match place {
                    Place::Field(local, path) => self.field_variables(*local, path, pos)?,
                    Place::Local(local) => self.variables(*local, pos)?,
                    Place::Wild | Place::Element { .. } | Place::Tuple(_) => Vec::new(),
                };
                let old = self.get(&variables);
                let old = self.single(&Val { ty: crate::types::Type::Scalar(ty), parts: old }, pos)?;
                let new = self.op(op, vec![old, value], ty, pos);
                self.set(&variables, &[new]);
            }
            Place::Element { array, index } => {
                self.mutable(*array, pos)?;
                // One place, one check: load and store share the site.
                let index = self.index(*array, index, pos)?;
                let (array, site) = self.access(*array, pos)?;
                let old = self.task.value(ty);
                self.push(Stmt::Load { dst: old, array, index: index.clone(), site: Some(site) });
                let value = self.op(op, vec![old, value], ty, pos);
                self.push(Stmt::Store { array, index, value, site: Some(site) });
            }
            Place::Wild | Place::Tuple(_) => {
                return Err(facts.error(pos, "an update of what is no scalar").into());
            }
        }
        Ok(Val::UNIT)
    }

    /// `v` of `s = s.min(v)`, `s = v + s`.
    fn reduction_term(&self, local: Id<sketch::Local>, value: Id<Expr>, pos: Pos) -> Lower<Id<Expr>> {
        let facts = self.facts;
        let is_local = |e: Id<Expr>| facts.sketch.exprs[e].kind == ExprKind::Local(local);
        let wanted = self.reduction(local).map(|(op, _)| op.op());
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
        if let Some((op, ty)) = self.reduction(local) {
            if !op.op().row().receiver.accepts(ty) {
                let pos = self.facts.pos(value);
                return Err(self.facts.error(pos, format!("a reduction of {ty} by `{}`", op.op())).into());
            }
            let value = self.scalar(value, ty)?;
            self.reduce(local, value);
        }
        Ok(Val::UNIT)
    }
}
