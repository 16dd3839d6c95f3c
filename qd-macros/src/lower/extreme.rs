//! The extreme of a key and what goes with it: `if v < best { best = v; at = i; }` in a parallel loop, also as
//! `best = if v < best { v } else { best }`.
//!
//! It reads what other iterations have written, but its outcome depends only on the iterations' numbers, if the branch
//! does nothing else. What the branch computes is then computed in every iteration, so it has to be free of effects and
//! of failures; what may fail by type alone, typing finds. What looks like an extreme and isn't one is refused here,
//! with the reason.
use qd_ir::arena::Id;
use qd_ir::op::{Effect, Op};
use qd_ir::sketch::{Arg, Block, Contribution, Expr, ExprKind, Local, Member, Pattern, Place, Projection, Stmt};

use super::carried::{By, Part, Step};
use super::{Lower, Own, untapped};
use crate::diagnostic::Code;
use crate::reach::Reach;

/// A comparison with a part of an outer variable.
struct Comparison {
    /// What is tried.
    key: Id<Expr>,
    /// What it is compared with, as an expression, and its name there.
    best: Part,
    place: Id<Expr>,
    name: Id<Expr>,
    /// It stands on the left.
    key_first: bool,
    greatest: bool,
    last: bool,
    /// What must hold before.
    guard: Option<Id<Expr>>,
    op: Op,
}

/// Why something is no extreme.
enum Problem {
    Else,
    Effect(Id<Expr>),
    Value,
    Fails(Id<Expr>),
    Chosen,
}

impl Lower<'_> {
    /// An `if` that takes the extreme; `None` for any other. `mark` tells what its branch has updated.
    pub(super) fn extreme_if(
        &mut self,
        mark: usize,
        cond: (Id<Expr>, &mut syn::Expr),
        then: &Block,
        otherwise: bool,
        at: Reach,
    ) -> Option<Id<Expr>> {
        let (cond, syntax) = cond;
        let updated: Vec<Part> = self.carried.as_ref()?.updated_since(mark).cloned().collect();
        let comparison = self.comparison(cond, &updated)?;
        let mut assigned = Vec::new();
        let mut binds = Vec::new();
        let found = match otherwise {
            true => Err(Problem::Else),
            false => self.assignments(then, &mut binds, &mut assigned),
        };
        let found = found.and_then(|()| self.check(&comparison, &assigned));
        if let Err(problem) = found {
            self.refuse_extreme(&comparison, &updated, problem, at);
            return None;
        }
        self.carried.as_mut()?.take_back(mark);
        self.build(comparison, syntax, binds, assigned, &updated, at)
    }

    /// `place = if v < best { v } else { best }`; `None` for any other assignment.
    pub(super) fn extreme_assign(
        &mut self,
        place: &Place,
        value: Id<Expr>,
        syntax: &mut syn::Expr,
        at: Reach,
    ) -> Option<Id<Expr>> {
        let ExprKind::If { cond, then, otherwise: Some(otherwise) } = &self.exprs[value].kind else { return None };
        let (cond, then, otherwise) = (*cond, then.clone(), *otherwise);
        let carried = self.carried.as_ref()?;
        let mut assigned = Vec::new();
        let mut kept = Vec::new();
        self.pair(place, then.tail.filter(|_| then.stmts.is_empty())?, &mut assigned)?;
        self.pair(place, self.plain_tail(otherwise), &mut kept)?;
        let updated: Vec<Part> = assigned.iter().filter_map(|(place, _)| self.part_of_place(place)).collect();
        if !updated.iter().all(|part| carried.is_outside(part.local)) {
            return None;
        }
        let names = kept.iter().zip(&updated).map(|((_, value), part)| self.names(*value, part));
        let names: Vec<Id<Expr>> = names.collect::<Option<_>>()?;
        let comparison = self.comparison(cond, &updated)?;
        if let Err(problem) = self.check(&comparison, &assigned) {
            self.refuse_extreme(&comparison, &updated, problem, at);
            return None;
        }
        let carried = self.carried.as_mut()?;
        names.into_iter().for_each(|name| carried.forget(name));
        let syn::Expr::If(branches) = untapped(syntax) else { return None };
        self.build(comparison, &mut branches.cond, Vec::new(), assigned, &updated, at)
    }

    /// The value of a block without statements.
    fn plain_tail(&self, expr: Id<Expr>) -> Id<Expr> {
        match &self.exprs[expr].kind {
            ExprKind::Block(Block { stmts, tail: Some(tail) }) if stmts.is_empty() => self.plain_tail(*tail),
            _ => expr,
        }
    }

    /// A comparison with something that is updated.
    fn comparison(&self, cond: Id<Expr>, updated: &[Part]) -> Option<Comparison> {
        let (guard, cond) = match &self.exprs[cond].kind {
            ExprKind::LazyAnd(guard, cond) => (Some(*guard), *cond),
            _ => (None, cond),
        };
        let ExprKind::Op { op, args } = &self.exprs[cond].kind else { return None };
        let &[left, right] = args.as_slice() else { return None };
        let (less, last) = match op {
            Op::Lt => (true, false),
            Op::Le => (true, true),
            Op::Gt => (false, false),
            Op::Ge => (false, true),
            _ => return None,
        };
        let updated =
            |expr: Id<Expr>| self.part_of_expr(expr).filter(|(part, _)| updated.iter().any(|other| other.meets(part)));
        let (key, place, (best, name), key_first) = match (updated(left), updated(right)) {
            (None, Some(best)) => (left, right, best, true),
            (Some(best), None) => (right, left, best, false),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        Some(Comparison { key, best, place, name, key_first, greatest: less != key_first, last, guard, op: *op })
    }

    /// What a branch binds and assigns, if it does nothing else.
    fn assignments(
        &self,
        then: &Block,
        binds: &mut Vec<Stmt>,
        assigned: &mut Vec<(Place, Id<Expr>)>,
    ) -> Result<(), Problem> {
        let tail = then.tail.map(Stmt::Expr);
        for stmt in then.stmts.iter().chain(&tail) {
            match stmt {
                Stmt::Let { init: Some(_), .. } => binds.push(stmt.clone()),
                // Nothing gives it a value here.
                Stmt::Let { init: None, .. } => {}
                Stmt::Expr(expr) => match &self.exprs[*expr].kind {
                    ExprKind::Assign { place, value } => {
                        self.pair(place, *value, assigned).ok_or(Problem::Effect(*expr))?;
                    }
                    _ => return Err(Problem::Effect(*expr)),
                },
            }
        }
        Ok(())
    }

    /// Variables and the values assigned to them; `None` if there is anything else.
    fn pair(&self, place: &Place, value: Id<Expr>, into: &mut Vec<(Place, Id<Expr>)>) -> Option<()> {
        match (place, &self.exprs[value].kind) {
            (Place::Tuple(places), ExprKind::Tuple(values)) if places.len() == values.len() => {
                places.iter().zip(values).try_for_each(|(place, value)| self.pair(place, *value, into))
            }
            (Place::Local(_) | Place::Part(..), _) => {
                into.push((place.clone(), value));
                Some(())
            }
            (Place::Wild | Place::Element { .. } | Place::Tuple(_), _) => None,
        }
    }

    /// Sees to it that what is compared is assigned, and to variables from outside alone.
    fn check(&self, comparison: &Comparison, assigned: &[(Place, Id<Expr>)]) -> Result<(), Problem> {
        let best = &comparison.best;
        let mut takes = false;
        for (place, value) in assigned {
            let part = self.part_of_place(place).ok_or(Problem::Effect(*value))?;
            if !self.carried.as_ref().is_some_and(|carried| carried.is_outside(part.local)) {
                return Err(Problem::Effect(*value));
            }
            if part.is_chosen() || best.is_chosen() {
                return Err(Problem::Chosen);
            }
            let whole = Part {
                local: best.local,
                root: best.root,
                steps: best.steps.iter().take(part.steps.len()).cloned().collect(),
            };
            if self.same_part(&part, &whole) {
                takes |= self.is_part(*value, &best.steps[part.steps.len()..], comparison.key);
            } else if part.meets(best) {
                return Err(Problem::Value);
            }
        }
        if takes { Ok(()) } else { Err(Problem::Value) }
    }

    /// Whether `key` is that part of `value`.
    fn is_part(&self, value: Id<Expr>, steps: &[Step], key: Id<Expr>) -> bool {
        let Some((step, rest)) = steps.split_first() else { return self.same(self.plain_tail(value), key) };
        match (&self.exprs[value].kind, step) {
            (ExprKind::Tuple(parts), Step::Field(Member::Index(at))) => {
                parts.get(*at as usize).is_some_and(|part| self.is_part(*part, rest, key))
            }
            (ExprKind::Struct { fields, .. }, Step::Field(member)) => {
                fields.iter().any(|(field, value)| field == member && self.is_part(*value, rest, key))
            }
            (ExprKind::Fixed { elements, .. }, Step::At(at)) => {
                let element = usize::try_from(*at).ok().and_then(|at| elements.get(at));
                element.is_some_and(|value| self.is_part(*value, rest, key))
            }
            // `best = candidate`, where `candidate.0` was compared.
            _ => {
                let mut whole = key;
                for step in steps.iter().rev() {
                    whole = match (&self.exprs[whole].kind, step) {
                        (ExprKind::Field(inner, member), Step::Field(wanted)) if member == wanted => *inner,
                        (ExprKind::Index(inner, index), Step::At(wanted)) if self.is_literal(*index, *wanted) => *inner,
                        _ => return false,
                    };
                }
                self.same(value, whole)
            }
        }
    }

    fn is_literal(&self, index: Id<Expr>, wanted: u128) -> bool {
        matches!(&self.exprs[index].kind, ExprKind::Int { value, .. } if *value == wanted)
    }

    /// The contribution, behind the key and what must hold before.
    fn build(
        &mut self,
        comparison: Comparison,
        cond: &mut syn::Expr,
        binds: Vec<Stmt>,
        mut assigned: Vec<(Place, Id<Expr>)>,
        updated: &[Part],
        at: Reach,
    ) -> Option<Id<Expr>> {
        let Comparison { key, ref best, place, name, key_first, greatest, last, guard, op } = comparison;
        let key_at = self.reaches[key.index()];
        let (local, renamed) = self.hidden("__qd_key", key_at);
        let operand = compared(cond, guard.is_some(), key_first)?;
        self.locals[local].tap = Some(self.taps.value(operand, &renamed));
        let inits = binds.iter().filter_map(|bind| match bind {
            Stmt::Let { init, .. } => *init,
            Stmt::Expr(_) => None,
        });
        let computed: Vec<Id<Expr>> = inits.chain(assigned.iter().map(|(_, value)| *value)).collect();
        for expr in computed {
            if let Err(fails) = self.harmless(expr, key, local) {
                self.refuse_extreme(&comparison, updated, Problem::Fails(fails), at);
                return None;
            }
        }
        let bind_key = Stmt::Let { pattern: Pattern::Bind(local), init: Some(key) };
        let key = self.push(ExprKind::Local(local), Own::Closed, key_at);
        // The same as it is written.
        let mut branch = binds.clone();
        for (place, value) in &assigned {
            let assign = ExprKind::Assign { place: place.clone(), value: *value };
            branch.push(Stmt::Expr(self.push(assign, Own::Closed, at)));
        }
        let args = if key_first { vec![key, place] } else { vec![place, key] };
        let cond = self.push(ExprKind::Op { op, args }, Own::Closed, at);
        let then = Block { stmts: branch, tail: None };
        let in_order = self.push(ExprKind::If { cond, then, otherwise: None }, Own::Closed, at);
        // The key itself needs no second look.
        assigned.retain(|(place, _)| self.part_of_place(place).is_none_or(|part| !self.same_part(&part, best)));
        let mut parts = vec![best.clone()];
        parts.extend(assigned.iter().filter_map(|(place, _)| self.part_of_place(place)));
        let shape = self.extreme_shape(greatest, last, &parts)?;
        let carried = self.carried.as_mut()?;
        carried.forget(name);
        parts.into_iter().for_each(|part| carried.update(part, By::Extreme(shape), at));
        updated.iter().for_each(|part| self.locals[part.local].assigned = true);
        let best = self.place_of(place)?;
        let what = Box::new(Contribution::Extreme { greatest, last, best, key, binds, with: assigned });
        let offer = self.push(ExprKind::Contribute { what, in_order }, Own::Closed, at);
        let block = Block { stmts: vec![bind_key], tail: Some(offer) };
        Some(match guard {
            Some(cond) => self.push(ExprKind::If { cond, then: block, otherwise: None }, Own::Closed, at),
            None => self.push(ExprKind::Block(block), Own::Closed, at),
        })
    }

    /// The place that an expression names.
    fn place_of(&self, mut expr: Id<Expr>) -> Option<Place> {
        let mut path = Vec::new();
        loop {
            expr = match &self.exprs[expr].kind {
                ExprKind::Field(inner, member) => {
                    path.push(Projection::Field(member.clone()));
                    *inner
                }
                ExprKind::Index(inner, index) => {
                    path.push(Projection::Index(*index));
                    *inner
                }
                ExprKind::Local(local) => {
                    path.reverse();
                    return Some(if path.is_empty() { Place::Local(*local) } else { Place::Part(*local, path) });
                }
                _ => return None,
            };
        }
    }

    /// True if two expressions have one value where nothing is written between them: no effects, the same operations on
    /// the same names.
    pub(super) fn same(&self, a: Id<Expr>, b: Id<Expr>) -> bool {
        if a == b {
            return true;
        }
        let all =
            |a: &[Id<Expr>], b: &[Id<Expr>]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.same(*a, *b));
        match (&self.exprs[a].kind, &self.exprs[b].kind) {
            (ExprKind::Int { .. }, _)
            | (ExprKind::Float { .. }, _)
            | (ExprKind::Bool(_), _)
            | (ExprKind::Local(_), _)
            | (ExprKind::Const(_), _)
            | (ExprKind::Len(_), _)
            | (ExprKind::Extent(..), _) => self.exprs[a].kind == self.exprs[b].kind,
            (ExprKind::Op { op, args }, ExprKind::Op { op: other, args: others }) => op == other && all(args, others),
            (ExprKind::Function { ty, op, args }, ExprKind::Function { ty: t, op: o, args: others }) => {
                (ty, op) == (t, o) && all(args, others)
            }
            (ExprKind::Linear { method, args, tap: None }, ExprKind::Linear { method: m, args: others, tap: None }) => {
                method == m && all(args, others)
            }
            (ExprKind::Cast { value, to }, ExprKind::Cast { value: other, to: t }) => {
                to == t && self.same(*value, *other)
            }
            (ExprKind::Load { array, index }, ExprKind::Load { array: other, index: at }) => {
                array == other && all(index, at)
            }
            (ExprKind::Tuple(parts), ExprKind::Tuple(others)) => all(parts, others),
            (ExprKind::Field(value, member), ExprKind::Field(other, m)) => member == m && self.same(*value, *other),
            (ExprKind::Index(value, index), ExprKind::Index(other, at)) => {
                self.same(*value, *other) && self.same(*index, *at)
            }
            // The others have effects, or types of their own, or are rare here: bound to a name they are the same.
            _ => false,
        }
    }

    /// Sees to it that an expression has no effect and can't fail, as far as that shows without types. Where `key`
    /// stands in it, `local` takes its place. Otherwise what has one.
    fn harmless(&mut self, expr: Id<Expr>, key: Id<Expr>, local: Id<Local>) -> Result<(), Id<Expr>> {
        if self.same(expr, key) {
            self.exprs[expr].kind = ExprKind::Local(local);
            return Ok(());
        }
        let inner: Vec<Id<Expr>> = match &self.exprs[expr].kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::Len(_)
            | ExprKind::Extent(..)
            | ExprKind::Start { .. }
            | ExprKind::Count(_) => Vec::new(),
            ExprKind::Tapped { value, .. }
            | ExprKind::Cast { value, .. }
            | ExprKind::Field(value, _)
            | ExprKind::Repeat { value, .. } => vec![*value],
            ExprKind::Op { op, args } | ExprKind::Function { op, args, .. } => match op.row().effect {
                // Of floats it is pure; typing sees which it is.
                Effect::Pure | Effect::FaultsOnInt => args.clone(),
                Effect::Faults => return Err(expr),
            },
            ExprKind::Linear { args, .. } => args.clone(),
            ExprKind::LazyAnd(a, b) | ExprKind::LazyOr(a, b) => vec![*a, *b],
            ExprKind::Tuple(parts) | ExprKind::Fixed { elements: parts, .. } => parts.clone(),
            ExprKind::Struct { fields, base, .. } => fields.iter().map(|(_, value)| *value).chain(*base).collect(),
            ExprKind::Index(value, index) => match self.index_step(*index) {
                Step::At(_) | Step::Constant(_) => vec![*value],
                Step::Field(_) | Step::Chosen(_) => return Err(expr),
            },
            ExprKind::Block(block) => block_parts(block).ok_or(expr)?,
            ExprKind::If { cond, then, otherwise } => {
                let mut parts = block_parts(then).ok_or(expr)?;
                parts.push(*cond);
                parts.extend(otherwise);
                parts
            }
            // What the function does, typing sees.
            ExprKind::Call { args, .. } => {
                let value = |arg: &Arg| match arg {
                    Arg::Value(value) | Arg::Receiver { value, writes: false } => Some(*value),
                    Arg::Reference { .. } | Arg::Place(_) | Arg::Receiver { value: _, writes: true } => None,
                };
                args.iter().map(value).collect::<Option<_>>().ok_or(expr)?
            }
            ExprKind::Load { .. }
            | ExprKind::Atomic { .. }
            | ExprKind::CompareExchange { .. }
            | ExprKind::Scatter { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::For { .. }
            | ExprKind::Break { .. }
            | ExprKind::Continue(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Contribute { .. }
            | ExprKind::Return(_)
            | ExprKind::Say { .. } => return Err(expr),
        };
        inner.into_iter().try_for_each(|inner| self.harmless(inner, key, local))
    }

    fn refuse_extreme(&mut self, comparison: &Comparison, updated: &[Part], problem: Problem, at: Reach) {
        let best = self.spelled(&comparison.best);
        let extreme = if comparison.greatest { "greatest" } else { "least" };
        let (at, what, help) = match problem {
            Problem::Else => (
                at,
                "which of the branches runs depends on the iterations before".to_owned(),
                "drop the `else`, or write another `if`, with another variable".to_owned(),
            ),
            Problem::Effect(expr) => (
                self.reaches[expr.index()],
                "whether the branch runs depends on the iterations before, so it can only assign variables from outside \
                 the loop"
                    .to_owned(),
                "move this out of the branch; what goes with the value may be computed by `let`".to_owned(),
            ),
            Problem::Value => (
                at,
                format!("the branch doesn't give `{best}` what was compared with it"),
                format!(
                    "bind what is compared, and assign it: `let v = ..; if v {} {best} {{ {best} = v; .. }}`",
                    if comparison.greatest { ">" } else { "<" }
                ),
            ),
            Problem::Fails(expr) => (
                self.reaches[expr.index()],
                "what goes with the value is computed in every iteration, and this may fail or have an effect".to_owned(),
                "compute it before the `if`, or keep the iteration's index and look it up after the loop".to_owned(),
            ),
            Problem::Chosen => (
                at,
                "elements of a variable that are chosen at run time can't take an extreme and what goes with it".to_owned(),
                "name the elements by literals, or make the groups what the parallel loop runs over".to_owned(),
            ),
        };
        let message =
            format!("`{best}` would take the {extreme} value of all iterations, which run in any order: {what}");
        let help = format!("{help}; or run the iterations in order, by `#[qd::serial]` before the loop");
        self.diagnostics.push(Code::Extreme, at, message, help);
        if let Some(carried) = &mut self.carried {
            carried.refuse(comparison.best.local);
            updated.iter().for_each(|part| carried.refuse(part.local));
        }
    }
}

/// What a block without effects computes.
fn block_parts(block: &Block) -> Option<Vec<Id<Expr>>> {
    let init = |stmt: &Stmt| match stmt {
        Stmt::Let { init, .. } => *init,
        Stmt::Expr(_) => None,
    };
    let mut parts = block.stmts.iter().map(init).collect::<Option<Vec<_>>>()?;
    parts.extend(block.tail);
    Some(parts)
}

/// The side of a comparison that is no variable from outside, in the copy.
fn compared(cond: &mut syn::Expr, guarded: bool, key_first: bool) -> Option<&mut syn::Expr> {
    let syn::Expr::Binary(syn::ExprBinary { left, op, right, .. }) = untapped(cond) else { return None };
    if guarded {
        return matches!(op, syn::BinOp::And(_)).then_some(right).and_then(|right| compared(right, false, key_first));
    }
    Some(if key_first { left } else { right })
}
