//! Statements, blocks, branches and loops.
use super::TypeError;
use super::hint::Hint;
use super::steps::Values;
use super::task::{Builder, Ends, LoopTarget, Lower, Stop, Target, Val, point};
use crate::arena::Id;
use crate::body::{LoopId, Region, Stmt, Unroll, Value};
use crate::op::Op;
use crate::sketch::{self, Block, Domain, Expr, Label, Pattern};
use crate::source_map::Pos;
use crate::types::{Const, Scalar, Type};

/// A nested loop but for what it runs over.
#[derive(Clone, Copy)]
pub(super) struct For<'s> {
    pub label: Label,
    pub pattern: &'s Pattern,
    pub unroll: Unroll,
    pub body: &'s Block,
    pub pos: Pos,
}

impl Builder<'_> {
    /// Statements in order.
    pub fn stmts(&mut self, stmts: &[sketch::Stmt]) -> Lower<()> {
        for stmt in stmts {
            match stmt {
                sketch::Stmt::Let { pattern, init: Some(init) } => {
                    let hint = self.facts.pattern_hint(pattern)?;
                    let hint = if hint == Hint::Type(Type::Never) { Hint::Free } else { hint };
                    let value = self.expr(*init, &hint)?;
                    self.bind(pattern, &value, self.facts.pos(*init))?;
                }
                sketch::Stmt::Let { pattern, init: None } => self.declare(pattern, Pos::default())?,
                sketch::Stmt::Expr(expr) => {
                    self.expr(*expr, &Hint::Free)?;
                }
            }
        }
        Ok(())
    }

    /// A block, written into the current region.
    pub fn block(&mut self, block: &Block, hint: &Hint) -> Lower<Val> {
        self.stmts(&block.stmts)?;
        match block.tail {
            Some(tail) => self.expr(tail, hint),
            None => Ok(Val::UNIT),
        }
    }

    /// `if`, with or without `else`.
    pub fn if_else(
        &mut self,
        cond: Id<Expr>,
        then: &Block,
        otherwise: Option<Id<Expr>>,
        hint: &Hint,
        pos: Pos,
    ) -> Lower<Val> {
        let cond = self.scalar(cond, Scalar::Bool)?;
        let Some(otherwise) = otherwise else {
            let (then, _) = self.region(|s| s.block(then, &Hint::Type(Type::UNIT)))?;
            self.push(Stmt::If { cond, then, otherwise: Region::default() });
            return Ok(Val::UNIT);
        };
        let (mut then, first) = self.region(|s| s.block(then, hint))?;
        let hint = first.as_ref().map_or(hint.clone(), |value| Hint::Type(value.ty.clone()));
        let (mut otherwise, second) = self.region(|s| s.expr(otherwise, &hint))?;
        let Some(ty) = first.as_ref().or(second.as_ref()).map(|value| value.ty.clone()) else {
            self.push(Stmt::If { cond, then, otherwise });
            return Err(Stop::Diverges);
        };
        let results = self.variables_of(&ty, false, pos)?;
        for (region, value) in [(&mut then, &first), (&mut otherwise, &second)] {
            for (variable, &value) in results.iter().zip(value.iter().flat_map(|v| &v.parts)) {
                region.0.push(Stmt::Set { local: variable.local, value });
            }
        }
        self.push(Stmt::If { cond, then, otherwise });
        Ok(Val { ty, parts: self.get(&results) })
    }

    /// `while`: a loop that leaves where the condition fails.
    pub fn while_loop(&mut self, label: Label, cond: Id<Expr>, body: &Block) -> Lower<Val> {
        let id = self.loop_id();
        self.enter(label, id, id, Hint::Type(Type::UNIT));
        let (body, _) = self.region(|s| {
            let cond = s.scalar(cond, Scalar::Bool)?;
            s.push(Stmt::If { cond, then: Region::default(), otherwise: Region(vec![Stmt::Break(id)]) });
            s.block(body, &Hint::Type(Type::UNIT))
        })?;
        self.push(Stmt::Loop { id, body });
        Ok(Val::UNIT)
    }

    /// `loop`; its value is that of the `break` that leaves it.
    pub fn endless_loop(&mut self, label: Label, body: &Block, hint: &Hint) -> Lower<Val> {
        let id = self.loop_id();
        self.enter(label, id, id, hint.without_cast());
        let (body, _) = self.region(|s| s.block(body, &Hint::Type(Type::UNIT)))?;
        self.push(Stmt::Loop { id, body });
        match self.scope.targets.remove(&label) {
            Some(Target::Loop(LoopTarget { left: true, value, .. })) => match value {
                Some((ty, variables)) => Ok(Val { ty, parts: self.get(&variables) }),
                None => Ok(Val::UNIT),
            },
            Some(Target::Loop(_) | Target::Iteration) | None => Err(Stop::Diverges),
        }
    }

    /// A nested `for`; over several dimensions it is several loops.
    pub fn for_loop(&mut self, looped: &For<'_>, domain: &Domain) -> Lower<Val> {
        let For { label, pattern, unroll, body, pos } = *looped;
        let (ends, values) = self.ends(domain, pattern, pos)?;
        if let Some(values) = values {
            return self.steps_loop(looped, &ends, &values);
        }
        let loops: Vec<_> = ends.iter().map(|end| (self.loop_id(), end.ty, self.task.value(end.ty))).collect();
        let (Some((outer, ..)), Some((inner, ..))) = (loops.first(), loops.last()) else {
            return Err(self.facts.error(pos, "a loop over no dimension").into());
        };
        self.enter(label, *outer, *inner, Hint::Type(Type::UNIT));
        let point = point(&loops.iter().map(|&(_, ty, var)| (ty, var)).collect::<Vec<_>>());
        let (mut region, _) = self.region(|s| {
            s.bind(pattern, &point, pos)?;
            s.block(body, &Hint::Type(Type::UNIT))
        })?;
        for (&(id, _, var), &ends) in loops.iter().zip(&ends).rev() {
            region = match ends.ty.bits() {
                0..=64 => Region(vec![Stmt::For { id, var, lo: ends.lo, hi: ends.hi, unroll, body: region }]),
                _ => self.wide_loop(id, var, ends, region)?,
            };
        }
        region.0.into_iter().for_each(|stmt| self.push(stmt));
        Ok(Val::UNIT)
    }

    /// A `for` over 128-bit integers, which [`Stmt::For`] doesn't count: a loop that leaves where the variable meets its
    /// end. The next value is set before the body, so that `continue` goes on with it.
    fn wide_loop(&mut self, id: LoopId, var: Id<Value>, ends: Ends, body: Region) -> Result<Region, TypeError> {
        let next = self.variable(ends.ty);
        let (whole, _) = self.region(|s| {
            s.set(&[next], &[ends.lo]);
            let (mut counted, _) = s.region(|s| {
                s.push(Stmt::Get { dst: var, local: next.local });
                let [cond, one, up] = [Scalar::Bool, ends.ty, ends.ty].map(|ty| s.task.value(ty));
                s.push(Stmt::Op { dst: cond, op: Op::Lt, args: vec![var, ends.hi], site: None });
                s.push(Stmt::If { cond, then: Region::default(), otherwise: Region(vec![Stmt::Break(id)]) });
                s.push(Stmt::Const { dst: one, value: Const { ty: ends.ty, bits: 1 } });
                s.push(Stmt::Op { dst: up, op: Op::Add, args: vec![var, one], site: None });
                s.set(&[next], &[up]);
                Ok(())
            })?;
            counted.0.extend(body.0);
            s.push(Stmt::Loop { id, body: counted });
            Ok(())
        })?;
        Ok(whole)
    }

    /// The bounds of a domain, one pair a dimension, evaluated in the current region. Where the loop variable isn't
    /// what runs between them, but follows from it, also how.
    pub fn ends(&mut self, domain: &Domain, pattern: &Pattern, pos: Pos) -> Lower<(Vec<Ends>, Option<Values>)> {
        let zero = Const { ty: Scalar::Usize, bits: 0 };
        match domain {
            Domain::Range { lo, hi, tap: _ } => {
                let ty = self.facts.range_type(domain, pattern, pos)?;
                let lo = self.scalar(*lo, ty)?;
                let hi = self.scalar(*hi, ty)?;
                Ok((vec![Ends { ty, lo, hi }], None))
            }
            Domain::Steps(steps) => {
                let ty = self.facts.range_type(domain, pattern, pos)?;
                self.steps(steps, ty, pos)
            }
            Domain::Indices(array) => {
                let rank = self.facts.array(*array, pos)?.rank;
                let end = |dim| {
                    let lo = self.constant(zero);
                    Ok(Ends { ty: Scalar::Usize, lo, hi: self.extent(*array, dim, pos)? })
                };
                (0..rank).map(end).collect::<Lower<_>>().map(|ends| (ends, None))
            }
            Domain::Segments(array) => Ok((vec![self.segments(*array, pos)?], None)),
            Domain::Ndrange(dims) => {
                let end = |(lo, hi): &(Option<Id<Expr>>, Id<Expr>)| {
                    let lo = match lo {
                        Some(lo) => self.scalar(*lo, Scalar::Usize)?,
                        None => self.constant(zero),
                    };
                    Ok(Ends { ty: Scalar::Usize, lo, hi: self.scalar(*hi, Scalar::Usize)? })
                };
                dims.iter().map(end).collect::<Lower<_>>().map(|ends| (ends, None))
            }
        }
    }

    pub fn enter(&mut self, label: Label, outer: LoopId, inner: LoopId, hint: Hint) {
        self.scope.targets.insert(label, Target::Loop(LoopTarget { outer, inner, hint, value: None, left: false }));
    }

    /// `break`
    pub fn break_loop(&mut self, label: Label, value: Option<Id<Expr>>, pos: Pos) -> Lower<Val> {
        let hint = match self.scope.targets.get(&label) {
            Some(Target::Loop(target)) => match &target.value {
                Some((ty, _)) => Hint::Type(ty.clone()),
                None => target.hint.clone(),
            },
            Some(Target::Iteration) => return Err(self.facts.error(pos, "`break` out of a parallel loop").into()),
            None => return Err(self.facts.error(pos, "`break` out of a loop that isn't open").into()),
        };
        let value = match value {
            Some(value) => self.expr(value, &hint)?,
            None => Val::UNIT,
        };
        let known = match self.scope.targets.get(&label) {
            Some(Target::Loop(LoopTarget { value, .. })) => value.clone(),
            Some(Target::Iteration) | None => None,
        };
        let variables = match known {
            Some((_, variables)) => variables,
            None => value.parts.iter().map(|&v| self.variable(self.task.ty(v))).collect(),
        };
        self.set(&variables, &value.parts);
        if let Some(Target::Loop(target)) = self.scope.targets.get_mut(&label) {
            target.left = true;
            target.value = Some((value.ty, variables));
            let outer = target.outer;
            self.push(Stmt::Break(outer));
        }
        Err(Stop::Diverges)
    }

    /// `continue`
    pub fn continue_loop(&mut self, label: Label, pos: Pos) -> Lower<Val> {
        match self.scope.targets.get(&label) {
            Some(Target::Loop(target)) => {
                let inner = target.inner;
                self.push(Stmt::Continue(inner));
            }
            Some(Target::Iteration) => self.push(Stmt::End),
            None => return Err(self.facts.error(pos, "`continue` of a loop that isn't open").into()),
        }
        Err(Stop::Diverges)
    }
}
