//! Reading what is chosen: the value of a function, of an `if`, of a block, as the values that it may be, each under its
//! conditions.
//!
//! Statements in the way count by what they return alone: a name that stands for a value is never assigned, so they don't
//! change it. A `return` in any other place than that of the value, or at the end of an `if` without `else`, isn't followed.
use std::collections::HashMap;

use crate::arena::Id;
use crate::sketch::{Arg, Block, CalleeId, Expr, ExprKind, ParamKind, Pattern, Saying, Stmt};
use crate::types::Scalar;

use super::read::{Bound, Called, DEPTH, Frame, Reader, bind};
use super::term::{Case, Guard, Term};

/// The values that an expression may have: in every evaluation that ends, one whose conditions hold.
#[derive(Default)]
pub(super) struct Cases {
    found: Vec<(Vec<Guard>, Id<Expr>)>,
    /// What holds where the walk is.
    guards: Vec<Guard>,
    /// The `return`s that it has passed.
    pub returns: usize,
}

/// Values of more cases aren't followed.
const MOST_CASES: usize = 8;

impl Cases {
    fn add(&mut self, expr: Id<Expr>) -> Option<()> {
        self.found.push((self.guards.clone(), expr));
        (self.found.len() <= MOST_CASES).then_some(())
    }
}

impl<'a> Reader<'a, '_> {
    /// The value of a function.
    pub fn call(&mut self, callee: CalleeId, args: &[Arg], path: &[u32], ty: Option<Scalar>) -> Id<Term> {
        if self.typed(Scalar::Usize).is_none() {
            // What it does is for typing to see.
            return self.terms.called(ty);
        }
        let Some((frame, cases)) = self.enter(callee, args) else { return self.terms.unknown(ty) };
        self.depth += 1;
        let found = self.within(frame, |this| this.pick(cases, path, ty));
        self.depth -= 1;
        found
    }

    /// A frame for a call, and what may be its value there; `None` if that isn't followed.
    fn enter(&mut self, callee: CalleeId, args: &[Arg]) -> Option<(usize, Cases)> {
        let Called { sketch, body, typing } = self.typing().callee(callee)?;
        if self.depth == DEPTH || args.len() != sketch.params.len() {
            return None;
        }
        let frame = self.frames.len();
        let (mut names, mut arrays) = (HashMap::new(), Vec::new());
        let mut bind = |pattern: &Pattern, bound: Bound| bind(sketch, pattern, bound, &mut names);
        for (arg, param) in args.iter().zip(&sketch.params) {
            let mut array = None;
            match (arg, &param.kind) {
                (Arg::Value(expr) | Arg::Receiver { value: expr, writes: false }, ParamKind::Value(pattern)) => {
                    bind(pattern, Bound { frame: self.at, expr: *expr, path: Vec::new() });
                }
                (Arg::Value(expr) | Arg::Receiver { value: expr, writes: false }, ParamKind::Reference(local)) => {
                    bind(&Pattern::Bind(*local), Bound { frame: self.at, expr: *expr, path: Vec::new() });
                }
                (Arg::Reference { param, shared: _ }, ParamKind::Reference(_) | ParamKind::Array) => {
                    array = self.array(*param);
                }
                // Of what it may change nothing is known; its other parameters are what they are.
                (Arg::Value(_) | Arg::Receiver { .. } | Arg::Place(_) | Arg::Reference { .. }, _) => {}
            }
            arrays.push(array);
        }
        self.frames.push(Frame { sketch, typing, names, arrays });
        let mut cases = Cases::default();
        self.depth += 1;
        let found = self.within(frame, |this| this.block(body, &mut cases));
        self.depth -= 1;
        found?;
        // One elsewhere, as in `let n = if x { return 0 } else { 1 };`, isn't among the cases.
        let returns = sketch.exprs.values().iter().filter(|expr| matches!(expr.kind, ExprKind::Return(_))).count();
        (returns == cases.returns).then_some((frame, cases))
    }

    /// The values that an expression may have, under the conditions so far; `None` if there are too many.
    pub fn cases(&mut self, expr: Id<Expr>, into: &mut Cases) -> Option<()> {
        match &self.sketch().exprs[expr].kind {
            ExprKind::If { cond, then, otherwise: Some(otherwise) } => {
                self.under(*cond, true, into, |this, into| this.block(then, into))?;
                self.under(*cond, false, into, |this, into| this.cases(*otherwise, into))
            }
            ExprKind::Block(block) => self.block(block, into),
            ExprKind::Return(value) => {
                into.returns += 1;
                self.cases((*value)?, into)
            }
            // Control goes elsewhere, and nobody gets the value.
            ExprKind::Continue(_) | ExprKind::Break { .. } | ExprKind::Say { what: Saying::Panic, .. } => Some(()),
            _ => into.add(expr),
        }
    }

    /// The same of a block, whose `let`s are bound, and of which statements count by what they return alone: they change no
    /// name that stands for a value.
    fn block(&mut self, block: &'a Block, into: &mut Cases) -> Option<()> {
        let outside = into.guards.len();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pattern, init } => {
                    // The kernel's own are known to the scan.
                    if let (Some(init), true) = (init, self.at > 0) {
                        let bound = Bound { frame: self.at, expr: *init, path: Vec::new() };
                        let Frame { sketch, names, .. } = &mut self.frames[self.at];
                        bind(sketch, pattern, bound, names);
                    }
                }
                Stmt::Expr(expr) => match &self.sketch().exprs[*expr].kind {
                    ExprKind::Return(_) => {
                        self.cases(*expr, into)?;
                        into.guards.truncate(outside);
                        return Some(());
                    }
                    ExprKind::If { cond, then, otherwise: None } if self.returns(then) => {
                        self.under(*cond, true, into, |this, into| this.block(then, into))?;
                        self.guard(*cond, false, &mut into.guards);
                    }
                    _ => {}
                },
            }
        }
        let found = match block.tail {
            Some(tail) => self.cases(tail, into),
            // It has ended by a `return`, or by a panic.
            None => Some(()),
        };
        into.guards.truncate(outside);
        found
    }

    /// Whether a block ends by a `return`.
    fn returns(&self, block: &Block) -> bool {
        let last = match (block.tail, block.stmts.last()) {
            (Some(tail), _) => tail,
            (None, Some(Stmt::Expr(expr))) => *expr,
            (None, Some(Stmt::Let { .. }) | None) => return false,
        };
        matches!(self.sketch().exprs[last].kind, ExprKind::Return(_))
    }

    fn under(
        &mut self,
        cond: Id<Expr>,
        holds: bool,
        into: &mut Cases,
        read: impl FnOnce(&mut Self, &mut Cases) -> Option<()>,
    ) -> Option<()> {
        let outside = into.guards.len();
        self.guard(cond, holds, &mut into.guards);
        let found = read(self, into);
        into.guards.truncate(outside);
        found
    }

    /// The term of that part of one of the cases.
    pub fn pick(&mut self, cases: Cases, path: &[u32], ty: Option<Scalar>) -> Id<Term> {
        let alone = cases.found.len() == 1;
        let mut made = Vec::new();
        for (guards, expr) in cases.found {
            let value = self.term(expr, path, ty);
            if alone {
                return value;
            }
            made.push(Case { guards, value });
        }
        // A literal in one of them takes the type of the others.
        let ty = made.iter().find_map(|case| self.terms.get(case.value).ty);
        self.terms.pick(ty, made)
    }
}
