//! Calls: a function's body is lowered into the task that calls it.
//!
//! So a task's text holds all it computes: editing a function changes exactly the tasks that call it, and its name is in
//! none of them. While the body is lowered, the builder's facts and scope are the function's. A value lent by `&mut` is
//! the caller's own variables, or for an element a copy that is stored back when the function returns: nobody else can
//! see the element meanwhile.
use super::facts::Facts;
use super::hint::Hint;
use super::storage::{Storage, Var};
use super::task::{Binding, Builder, FuncScope, Lower, Scope, Stop, Val};
use crate::arena::Id;
use crate::body::{self, Stmt};
use crate::fault::Site;
use crate::sketch::{self, Arg, CalleeId, Expr, ExprKind, ParamId, ParamKind, Place};
use crate::source_map::Pos;
use crate::types::Type;

/// What a parameter is given.
enum Given {
    Value(Val),
    /// The caller's variables: what the function does to them stays.
    Variables(Type, Vec<Var>),
    /// The kernel's array.
    Array(ParamId),
}

/// A value that is stored back after the call.
struct Lent {
    to: Storage,
    site: Option<Id<Site>>,
    variables: Vec<Var>,
}

impl<'a> Builder<'a> {
    /// `f(..)`
    pub fn call(&mut self, callee: CalleeId, args: &[Arg], pos: Pos) -> Lower<Val> {
        let caller: &'a Facts<'a> = self.facts;
        let func = caller.callee(callee, pos)?;
        let (Some(code), true) = (&func.func, args.len() == func.params.len()) else {
            let message = format!("a call of `{}` with {} arguments", func.sketch.name, args.len());
            return Err(caller.error(pos, message).into());
        };
        let mut lent = Vec::new();
        let mut given = Vec::with_capacity(args.len());
        for (n, (arg, param)) in args.iter().zip(&func.params).enumerate() {
            let (indexed, exclusive) = match &func.sketch.params[n].kind {
                ParamKind::Reference(local) => (func.is_indexed(*local), func.sketch.locals[*local].assigned),
                ParamKind::Array | ParamKind::Value(_) | ParamKind::Specialized(_) | ParamKind::Field { .. } => {
                    (false, false)
                }
            };
            given.push(match arg {
                Arg::Receiver { value, writes: _ } if exclusive => {
                    self.receiver(*value, &param.ty, indexed, &mut lent, pos)?
                }
                Arg::Value(_) | Arg::Reference { .. } | Arg::Place(_) | Arg::Receiver { .. } => {
                    self.argument(arg, &param.ty, indexed, &mut lent, pos)?
                }
            });
        }
        let arrays = given.iter().map(|given| match given {
            Given::Array(param) => Some(*param),
            Given::Value(_) | Given::Variables(..) => None,
        });
        let returns = func.sketch.exprs.values().iter().any(|e| matches!(e.kind, ExprKind::Return(_)));
        let exit = returns.then(|| self.loop_id());
        let inner = FuncScope { arrays: arrays.collect(), exit, result: None };
        let outer = std::mem::replace(&mut self.scope, Scope { func: Some(inner), ..Scope::default() });
        let at = code.tracked.then(|| self.spot(pos));
        let called_at = std::mem::replace(&mut self.called_at, at);
        self.facts = func;
        let value = self.func_params(given, pos).and_then(|()| match exit {
            None => self.block(code.body, &Hint::Type(func.result.clone())),
            Some(_) => self.returning(code.body, pos),
        });
        self.facts = caller;
        self.called_at = called_at;
        self.scope = outer;
        let value = value?;
        for Lent { to, site, variables } in lent {
            let values = self.get(&variables);
            self.store_at(&to, &values, site)?;
        }
        Ok(value)
    }

    /// What an argument gives. A function that finds parts of it by an index at run time needs them in lists.
    fn argument(&mut self, arg: &Arg, ty: &Type, indexed: bool, lent: &mut Vec<Lent>, pos: Pos) -> Lower<Given> {
        let facts = self.facts;
        match (arg, ty) {
            (Arg::Value(value) | Arg::Receiver { value, writes: _ }, _) => {
                Ok(Given::Value(self.expr(*value, &Hint::Type(ty.clone()))?))
            }
            (Arg::Reference { param, shared: _ }, Type::Array { array: wanted, element: _ }) => {
                let found = facts.array(*param, pos)?;
                let fits =
                    found.element == wanted.element && found.rank == wanted.rank && (found.mutable || !wanted.mutable);
                if !fits {
                    return Err(facts.mismatch(pos, wanted, found).into());
                }
                Ok(Given::Array(self.kernel_array(*param, pos)?))
            }
            (
                Arg::Reference { param, shared: _ },
                Type::Scalar(_)
                | Type::Tuple(_)
                | Type::Struct(_)
                | Type::Enum { .. }
                | Type::Fixed(..)
                | Type::Vector(..)
                | Type::Matrix(..)
                | Type::Never,
            ) => {
                let local = facts.reference(*param, pos)?;
                facts.same(pos, ty, facts.local(local, pos)?)?;
                if facts.sketch.locals[local].assigned {
                    self.lend(&Place::Local(local), indexed, lent, pos)
                } else {
                    Ok(Given::Value(self.read_local(local, pos)?))
                }
            }
            (Arg::Place(place), _) => {
                let found = facts.place_hint(place, pos)?;
                if !found.accepts(ty) {
                    return Err(facts.mismatch(pos, ty, &found).into());
                }
                self.lend(place, indexed, lent, pos)
            }
        }
    }

    /// `&mut place`: the caller's variables, or a copy that is stored back.
    fn lend(&mut self, place: &Place, indexed: bool, lent: &mut Vec<Lent>, pos: Pos) -> Lower<Given> {
        let to = self.target(place, pos)?;
        self.lend_at(to, indexed, lent, pos)
    }

    /// What a method takes by `&mut self`.
    fn receiver(&mut self, value: Id<Expr>, ty: &Type, indexed: bool, lent: &mut Vec<Lent>, pos: Pos) -> Lower<Given> {
        let to = self.storage(value, &Hint::Type(ty.clone()))?;
        self.facts.same(pos, ty, &to.ty)?;
        if self.is_value(&to) {
            return Ok(Given::Value(self.read(&to)?));
        }
        self.lend_at(to, indexed, lent, pos)
    }

    fn lend_at(&mut self, to: Storage, indexed: bool, lent: &mut Vec<Lent>, pos: Pos) -> Lower<Given> {
        if let Some(variables) = self.variables_at(&to, pos)?
            && !indexed
        {
            return Ok(Given::Variables(to.ty, variables));
        }
        let site = self.site_of(&to)?;
        let value = self.load_at(&to, site)?;
        let variables = self.variables_of(&to.ty, indexed, pos)?;
        self.set(&variables, &value.parts);
        lent.push(Lent { to, site, variables: variables.clone() });
        Ok(Given::Variables(value.ty, variables))
    }

    /// Binds the parameters of the function whose scope this is.
    fn func_params(&mut self, given: Vec<Given>, pos: Pos) -> Lower<()> {
        let facts = self.facts;
        for (given, param) in given.into_iter().zip(&facts.sketch.params) {
            match (given, &param.kind) {
                (Given::Value(value), ParamKind::Value(pattern)) => self.bind(pattern, &value, param.pos)?,
                (Given::Value(value), ParamKind::Reference(local)) => {
                    self.bind(&sketch::Pattern::Bind(*local), &value, param.pos)?;
                }
                (Given::Variables(ty, variables), ParamKind::Reference(local)) => {
                    if facts.sketch.locals[*local].assigned {
                        self.scope.bound.insert(*local, Binding::Variables(variables));
                    } else {
                        // Lent by `&mut`, taken as `&`: what it is now.
                        let value = Val { ty, parts: self.get(&variables) };
                        self.bind(&sketch::Pattern::Bind(*local), &value, param.pos)?;
                    }
                }
                (Given::Array(_), ParamKind::Reference(_)) => {}
                (Given::Variables(..) | Given::Array(_), ParamKind::Value(_))
                | (
                    Given::Value(_) | Given::Variables(..) | Given::Array(_),
                    ParamKind::Array | ParamKind::Specialized(_) | ParamKind::Field { .. },
                ) => {
                    let message = format!("`{}` can't be given what the call gives it", param.name);
                    return Err(facts.error(pos, message).into());
                }
            }
        }
        Ok(())
    }

    /// A body that returns from inside: a loop that is left at its end, and by each `return`.
    fn returning(&mut self, body: &sketch::Block, pos: Pos) -> Lower<Val> {
        let ty = self.facts.result.clone();
        let Some(exit) = self.scope.func.as_ref().and_then(|func| func.exit) else {
            return Err(self.facts.error(pos, "a `return` that leads nowhere").into());
        };
        let result = self.variables_of(&ty, false, pos)?;
        if let Some(func) = &mut self.scope.func {
            func.result = Some(result.clone());
        }
        let (region, _) = self.region(|s| {
            let value = s.block(body, &Hint::Type(ty.clone()))?;
            s.set(&result, &value.parts);
            s.push(Stmt::Break(exit));
            Ok(())
        })?;
        let left = breaks(&region, exit);
        self.push(Stmt::Loop { id: exit, body: region });
        if left { Ok(Val { ty, parts: self.get(&result) }) } else { Err(Stop::Diverges) }
    }

    /// `return value` of a function.
    pub fn return_from(&mut self, value: Option<Id<Expr>>, pos: Pos) -> Lower<Val> {
        let ty = self.facts.result.clone();
        let value = match value {
            Some(value) => self.expr(value, &Hint::Type(ty))?,
            None => Val::UNIT,
        };
        let target = self.scope.func.as_ref().and_then(|func| Some((func.exit?, func.result.clone()?)));
        let Some((exit, result)) = target else {
            return Err(self.facts.error(pos, "a `return` inside a construct").into());
        };
        self.set(&result, &value.parts);
        self.push(Stmt::Break(exit));
        Err(Stop::Diverges)
    }
}

/// True if some path leaves the loop.
fn breaks(region: &body::Region, id: body::LoopId) -> bool {
    region.0.iter().any(|stmt| match stmt {
        Stmt::Break(target) => *target == id,
        Stmt::If { cond: _, then, otherwise } => breaks(then, id) || breaks(otherwise, id),
        Stmt::For { body, .. } | Stmt::Loop { id: _, body } => breaks(body, id),
        Stmt::Const { .. }
        | Stmt::Input { .. }
        | Stmt::Extent { .. }
        | Stmt::Op { .. }
        | Stmt::Get { .. }
        | Stmt::Set { .. }
        | Stmt::GetPart { .. }
        | Stmt::SetPart { .. }
        | Stmt::Load { .. }
        | Stmt::Store { .. }
        | Stmt::Atomic { .. }
        | Stmt::CompareExchange { .. }
        | Stmt::Claim { .. }
        | Stmt::Check { .. }
        | Stmt::CheckStep { .. }
        | Stmt::Reduce { .. }
        | Stmt::ReducePart { .. }
        | Stmt::Offer { .. }
        | Stmt::Output { .. }
        | Stmt::Fail { .. }
        | Stmt::Print { .. }
        | Stmt::Continue(_)
        | Stmt::End => false,
    })
}
