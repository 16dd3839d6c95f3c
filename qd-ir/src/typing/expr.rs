//! Expressions to statements that give values.
use super::atomic::AtomicPlace;
use super::control::For;
use super::facts::{function_output, function_receiver};
use super::hint::Hint;
use super::task::{Builder, Lower, Stop, Val};
use crate::arena::Id;
use crate::body::{Region, Stmt, Value};
use crate::fault::Site;
use crate::message::Message;
use crate::op::{Form, Op};
use crate::refusal::Refusal;
use crate::sketch::{Arg, CalleeId, Expr, ExprKind, Member, ParamId, Projection, Saying, TypeName};
use crate::source_map::Pos;
use crate::task::Array;
use crate::types::{Const, Scalar, Type};

impl Builder<'_> {
    /// Evaluates an expression that stands where `hint` says.
    pub fn expr(&mut self, expr: Id<Expr>, hint: &Hint) -> Lower<Val> {
        let facts = self.facts;
        // What the expression's own parts say goes further than what its surroundings do.
        let own = facts.own(expr).map(|ty| Hint::Type(ty.clone()));
        let value = self.expr_kind(expr, own.as_ref().unwrap_or(hint))?;
        if let Some(own) = own
            && !own.accepts(&value.ty)
        {
            return Err(facts.mismatch(facts.pos(expr), &own, &value.ty).into());
        }
        if !hint.accepts(&value.ty) {
            return Err(facts.mismatch(facts.pos(expr), hint, &value.ty).into());
        }
        facts.witness(expr, &value.ty)?;
        Ok(value)
    }

    /// Evaluates an expression of that scalar type.
    pub fn scalar(&mut self, expr: Id<Expr>, ty: Scalar) -> Lower<Id<Value>> {
        let value = self.expr(expr, &Hint::scalar(ty))?;
        self.single(&value, self.facts.pos(expr))
    }

    /// The one scalar of a scalar value.
    pub fn single(&self, value: &Val, pos: Pos) -> Lower<Id<Value>> {
        match (&value.ty, value.parts.as_slice()) {
            (Type::Scalar(_), [one]) => Ok(*one),
            _ => Err(self.facts.error(pos, format!("a scalar is expected, this is {}", value.ty)).into()),
        }
    }

    fn expr_kind(&mut self, expr: Id<Expr>, hint: &Hint) -> Lower<Val> {
        let facts = self.facts;
        let pos = facts.pos(expr);
        if let Some(callee) = facts.operator(expr) {
            return self.overloaded(expr, callee, pos);
        }
        match &facts.sketch.exprs[expr].kind {
            ExprKind::Int { value, suffix } => {
                let c = facts.int(*value, *suffix, hint, pos)?;
                Ok(self.constant_val(c))
            }
            ExprKind::Float { digits, suffix } => {
                let c = facts.float(digits, *suffix, hint, pos)?;
                Ok(self.constant_val(c))
            }
            ExprKind::Bool(value) => Ok(self.constant_val(Const { ty: Scalar::Bool, bits: u128::from(*value) })),
            ExprKind::Local(local) => self.read_local(*local, pos),
            ExprKind::Const(id) => {
                let constant = facts.constant(*id, pos)?;
                Ok(Val { ty: constant.ty.clone(), parts: self.constants(&constant.parts) })
            }
            ExprKind::Tapped { tap, value } => self.expr(*value, &Hint::Type(facts.tap(*tap, pos)?.clone())),
            ExprKind::Op { op, args } if super::linear::operates(*op) && facts.is_linear(args) => {
                self.linear_operation(*op, args, pos)
            }
            ExprKind::Linear { method, args, tap } => {
                let result = tap.map(|tap| facts.tap(tap, pos)).transpose()?;
                self.linear_method(*method, args, result, pos)
            }
            ExprKind::Op { op, args } => {
                if let Some(ty) = facts.tuple_operands(*op, args) {
                    return self.tuple_operation(*op, ty, args, pos);
                }
                let receiver = facts.receiver(*op, args, hint, pos)?;
                // A cast's target reaches a literal through the sign in front of it.
                self.operation(*op, receiver, op.output(receiver), args, pos)
            }
            ExprKind::Function { ty, op, args } => {
                let ty = facts.type_name(*ty, pos)?;
                self.operation(*op, function_receiver(*op, ty), function_output(*op, ty), args, pos)
            }
            ExprKind::LazyAnd(a, b) => self.lazy(*a, *b, true),
            ExprKind::LazyOr(a, b) => self.lazy(*a, *b, false),
            ExprKind::Cast { value, to } => self.cast(*value, *to, pos),
            ExprKind::Load { .. } | ExprKind::Field(..) | ExprKind::Index(..) => {
                let stored = self.storage(expr, hint)?;
                self.read(&stored)
            }
            ExprKind::Len(param) => {
                let len = self.len(*param, pos)?;
                Ok(scalar_val(Scalar::Usize, len))
            }
            ExprKind::Extent(param, dim) => {
                let extent = self.extent(*param, *dim, pos)?;
                Ok(scalar_val(Scalar::Usize, extent))
            }
            ExprKind::Atomic { op, array, index, path, value } => {
                self.atomic(*op, AtomicPlace { array: *array, index, path, pos }, *value)
            }
            ExprKind::CompareExchange { array, index, path, current, new } => {
                self.compare_exchange(AtomicPlace { array: *array, index, path, pos }, *current, *new)
            }
            ExprKind::Scatter { array, index, value } => self.scatter(*array, index, *value, pos),
            ExprKind::Tuple(parts) => {
                let (mut types, mut values) = (Vec::new(), Vec::new());
                for (i, part) in parts.iter().enumerate() {
                    let value = self.expr(*part, &hint.part(i))?;
                    types.push(value.ty);
                    values.extend(value.parts);
                }
                Ok(Val { ty: Type::Tuple(types), parts: values })
            }
            ExprKind::Struct { tap, fields, base } => self.structure(facts.tap(*tap, pos)?, fields, *base, pos),
            ExprKind::Fixed { tap, elements } => {
                let ty = facts.tap(*tap, pos)?;
                let (element, len) = facts.elements(ty, pos)?;
                if elements.len() != len as usize {
                    return Err(facts.mismatch(pos, ty, &format!("an array of {}", elements.len())).into());
                }
                let mut parts = Vec::new();
                for value in elements {
                    parts.extend(self.expr(*value, &Hint::Type(element.clone()))?.parts);
                }
                Ok(Val { ty: ty.clone(), parts })
            }
            ExprKind::Repeat { tap, value } => {
                let ty = facts.tap(*tap, pos)?;
                let (element, len) = facts.elements(ty, pos)?;
                let value = self.expr(*value, &Hint::Type(element.clone()))?;
                Ok(Val { ty: ty.clone(), parts: value.parts.repeat(len as usize) })
            }
            ExprKind::Start { op, sums, tap } => {
                let ty = facts.tap(*tap, pos)?.clone();
                let parts = facts.start(*op, *sums, &ty, pos)?;
                Ok(Val { ty, parts: parts.into_iter().map(|part| self.constant(part)).collect() })
            }
            ExprKind::Count(of) => Ok(self.constant_val(facts.count(*of, pos)?)),
            ExprKind::Block(block) => self.block(block, hint),
            ExprKind::If { cond, then, otherwise } => self.if_else(*cond, then, *otherwise, hint, pos),
            ExprKind::While { label, cond, body } => self.while_loop(*label, *cond, body),
            ExprKind::Loop { label, body, tap: _ } => self.endless_loop(*label, body, hint),
            ExprKind::For { label, pattern, domain, unroll, body } => {
                self.for_loop(&For { label: *label, pattern, unroll: *unroll, body, pos }, domain)
            }
            ExprKind::Break { label, value } => self.break_loop(*label, *value, pos),
            ExprKind::Continue(label) => self.continue_loop(*label, pos),
            ExprKind::Assign { place, value } => self.assign(place, *value, pos),
            ExprKind::Contribute { what, in_order } => self.contribute(expr, what, *in_order, pos),
            ExprKind::AssignOp { op, place, value } => self.assign_op(expr, *op, place, *value, pos),
            ExprKind::Call { callee, args } => self.call(*callee, args, pos),
            ExprKind::Return(value) => self.return_from(*value, pos),
            ExprKind::Say { what, message, args } => self.say(*what, message, args, pos),
        }
    }

    /// An operation or update that is a function of a type of the user. The place comes before the value.
    fn overloaded(&mut self, expr: Id<Expr>, callee: CalleeId, pos: Pos) -> Lower<Val> {
        let facts = self.facts;
        let args: Vec<Arg> = match &facts.sketch.exprs[expr].kind {
            ExprKind::Op { op: _, args }
            | ExprKind::Function { ty: _, op: _, args }
            | ExprKind::Linear { method: _, args, tap: _ } => args.iter().copied().map(Arg::Value).collect(),
            ExprKind::Cast { value, to: _ } => vec![Arg::Value(*value)],
            ExprKind::AssignOp { op: _, place, value } => vec![Arg::Place(place.clone()), Arg::Value(*value)],
            ExprKind::Contribute { .. } => {
                let message = "an operator of a type of yours over a parallel loop: only qd's own are reduced";
                return Err(facts.unsupported(Refusal::OwnOperator, pos, message).into());
            }
            _ => return Err(facts.error(pos, "an operator of what is none").into()),
        };
        // The race rule takes what it sees for arithmetic.
        let arithmetic = match &facts.sketch.exprs[expr].kind {
            ExprKind::Op { op, args: _ } => op.row().form == Form::Operator,
            ExprKind::Function { .. } | ExprKind::Linear { .. } | ExprKind::Cast { .. } => false,
            _ => true,
        };
        if arithmetic && facts.callee(callee, pos)?.result.as_scalar().is_some_and(Scalar::is_int) {
            let message = "an operator of a type of yours that gives an integer: make it a method";
            return Err(facts.unsupported(Refusal::OwnOperator, pos, message).into());
        }
        self.call(callee, &args, pos)
    }

    /// `panic!`, `println!`
    fn say(&mut self, what: Saying, message: &Message, args: &[Id<Expr>], pos: Pos) -> Lower<Val> {
        let (mut types, mut values) = (Vec::new(), Vec::new());
        for arg in args {
            let value = self.expr(*arg, &Hint::Free)?;
            if value.ty.holds_struct() || value.ty.holds_enum() {
                let message =
                    format!("a value of type `{}` can't be shown: only rustc sees how; show its scalars", value.ty);
                return Err(self.facts.unsupported(Refusal::Shown, self.facts.pos(*arg), message).into());
            }
            types.push(value.ty);
            values.extend(value.parts);
        }
        match what {
            Saying::Panic => {
                let site = self.speaking(Site::Panic, message.clone(), types, pos);
                self.push(Stmt::Fail { site, values });
                Err(Stop::Diverges)
            }
            Saying::Print => {
                let site = self.speaking(Site::Print, message.clone(), types, pos);
                self.push(Stmt::Print { site, values });
                Ok(Val::UNIT)
            }
        }
    }

    fn constant_val(&mut self, value: Const) -> Val {
        let dst = self.constant(value);
        scalar_val(value.ty, dst)
    }

    fn operation(
        &mut self,
        op: Op,
        receiver: Scalar,
        output: Option<Scalar>,
        args: &[Id<Expr>],
        pos: Pos,
    ) -> Lower<Val> {
        let facts = self.facts;
        if args.len() != op.arity() {
            return Err(facts.error(pos, format!("`{op}` of {receiver} with {} operands", args.len())).into());
        }
        if !op.row().receiver.accepts(receiver) {
            // rustc has found one elsewhere.
            let message =
                format!("`{op}` of `{receiver}`, for which std has none: give the method that is meant another name");
            return Err(facts.unsupported(Refusal::Scalars, pos, message).into());
        }
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            values.push(match op.operand(receiver, i) {
                Some(ty) => self.scalar(*arg, ty)?,
                None => self.shift_amount(*arg)?,
            });
        }
        let output = output.filter(|output| op.gives(receiver, *output));
        let output = output.ok_or_else(|| facts.error(pos, format!("`{op}` of {receiver} gives no such type")))?;
        // With its sign a literal is one literal, so that the least number of a type can be written.
        let literal = op == Op::Neg && args.iter().all(|arg| facts.is_int_literal(*arg));
        let dst = if literal { self.op(op, values, output, pos) } else { self.arithmetic(op, values, output, pos) };
        Ok(scalar_val(output, dst))
    }

    /// An operand that may be any integer; a literal falls back to `i32`.
    pub fn shift_amount(&mut self, amount: Id<Expr>) -> Lower<Id<Value>> {
        let pos = self.facts.pos(amount);
        let value = self.expr(amount, &Hint::Free)?;
        let value = self.single(&value, pos)?;
        if self.task.ty(value).is_int() {
            Ok(value)
        } else {
            Err(self.facts.error(pos, format!("a shift by {}", self.task.ty(value))).into())
        }
    }

    fn cast(&mut self, value: Id<Expr>, to: TypeName, pos: Pos) -> Lower<Val> {
        let to = match self.facts.target(to, pos)? {
            Type::Scalar(to) => to,
            ty => return self.convert(value, ty, pos),
        };
        let from = self.expr(value, &Hint::Cast(to))?;
        let from = match (&from.ty, from.parts.as_slice()) {
            (Type::Scalar(_) | Type::Enum { .. }, [one]) => *one,
            (ty, _) => {
                let message = format!("a conversion from `{ty}` to `{to}`: write it out");
                return Err(self.facts.unsupported(Refusal::Convert, pos, message).into());
            }
        };
        let dst = self.op(Op::Cast, vec![from], to, pos);
        Ok(scalar_val(to, dst))
    }

    /// `Vector::from(array)`, `array.into()`: the same scalars under another type.
    fn convert(&mut self, value: Id<Expr>, ty: Type, pos: Pos) -> Lower<Val> {
        fn extents(ty: &Type) -> Vec<u32> {
            ty.elements().map_or(Vec::new(), |(element, len)| [vec![len], extents(&element)].concat())
        }
        let Val { ty: from, parts } = self.expr(value, &Hint::Free)?;
        let same = from.flatten() == ty.flatten() && extents(&from) == extents(&ty);
        // What a conversion of a type of the user does is seen by rustc alone.
        let ours = |ty: &Type| !ty.holds_struct() && !ty.holds_enum() && !matches!(ty, Type::Tuple(_));
        if from == ty || (same && ours(&from) && ours(&ty)) {
            return Ok(Val { ty, parts });
        }
        let message = format!("a conversion from `{from}` to `{ty}`: write it out");
        Err(self.facts.unsupported(Refusal::Convert, pos, message).into())
    }

    /// `a && b`, `a || b`: the second operand is evaluated only if the first is `go_on`.
    fn lazy(&mut self, a: Id<Expr>, b: Id<Expr>, go_on: bool) -> Lower<Val> {
        let cond = self.scalar(a, Scalar::Bool)?;
        let result = self.variable(Scalar::Bool);
        self.set(&[result], &[cond]);
        let (second, _) = self.region(|s| {
            let value = s.scalar(b, Scalar::Bool)?;
            s.set(&[result], &[value]);
            Ok(())
        })?;
        let (then, otherwise) = if go_on { (second, Region::default()) } else { (Region::default(), second) };
        self.push(Stmt::If { cond, then, otherwise });
        let parts = self.get(&[result]);
        Ok(Val { ty: Type::Scalar(Scalar::Bool), parts })
    }

    /// `P { a, b, ..base }`: fields are evaluated in the order of the source, then the base.
    fn structure(&mut self, ty: &Type, fields: &[(Member, Id<Expr>)], base: Option<Id<Expr>>, pos: Pos) -> Lower<Val> {
        let facts = self.facts;
        let mut parts = vec![None; facts.width(ty, pos)?];
        for (member, value) in fields {
            let (part, range) = facts.field(ty, member, pos)?;
            let value = self.expr(*value, &Hint::Type(part))?;
            for (to, value) in parts[range].iter_mut().zip(value.parts) {
                *to = Some(value);
            }
        }
        let missing = || facts.error(pos, format!("a value of type {ty} without all its fields"));
        if let Some(base) = base {
            // Only what the literal doesn't give is read of the base.
            let base = self.storage(base, &Hint::Type(ty.clone()))?;
            let Type::Struct(of) = ty else { return Err(missing().into()) };
            for (name, _) in &of.fields {
                let member = Member::Name(name.clone());
                let (_, range) = facts.field(ty, &member, pos)?;
                if parts[range.clone()].iter().all(Option::is_none) {
                    let field = self.projected(base.clone(), &[Projection::Field(member)], pos)?;
                    let value = self.read(&field)?;
                    for (to, value) in parts[range].iter_mut().zip(value.parts) {
                        *to = Some(value);
                    }
                }
            }
        }
        let parts = parts.into_iter().collect::<Option<Vec<_>>>().ok_or_else(missing)?;
        Ok(Val { ty: ty.clone(), parts })
    }

    /// The index of an element, from left to right.
    pub fn index(&mut self, param: ParamId, index: &[Id<Expr>], pos: Pos) -> Lower<Vec<Id<Value>>> {
        let rank = usize::from(self.facts.array(param, pos)?.rank);
        if index.len() != rank {
            let message = format!("{} indices for an array of rank {rank}", index.len());
            return Err(self.facts.error(pos, message).into());
        }
        index.iter().map(|i| self.scalar(*i, Scalar::Usize)).collect()
    }

    /// The array and the site of an access. Called right before its statement: both are numbered by first use.
    pub fn access(&mut self, param: ParamId, pos: Pos) -> Lower<(Id<Array>, Id<Site>)> {
        let array = self.array(param, pos)?;
        Ok((array, self.site(Site::Index(array), pos)))
    }
}

/// A value of one scalar.
pub(super) fn scalar_val(ty: Scalar, value: Id<Value>) -> Val {
    Val { ty: Type::Scalar(ty), parts: vec![value] }
}
