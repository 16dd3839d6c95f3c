//! What a parallel loop does to variables declared outside it.
//!
//! A variable that the loop only updates by one associative operation, and doesn't read otherwise, is a reduction.
//! Anything else would carry a value from one iteration to another, and iterations run in any order.
use qd_ir::arena::{Arena, Id};
use qd_ir::op::ReduceOp;
use qd_ir::sketch::{Expr, Local};

use crate::diagnostic::{Code, Diagnostics, Reach};

/// Uses of outer variables in one parallel loop.
pub(super) struct Carried {
    /// Locals below this are from outside.
    outside: usize,
    reads: Vec<(Id<Local>, Id<Expr>)>,
    updates: Vec<Update>,
}

struct Update {
    local: Id<Local>,
    op: Option<ReduceOp>,
    at: Reach,
}

impl Carried {
    /// For a loop before which so many locals were declared.
    pub fn new(outside: usize) -> Self {
        Carried { outside, reads: Vec::new(), updates: Vec::new() }
    }

    /// True if the local was declared before the loop.
    pub fn is_outside(&self, local: Id<Local>) -> bool {
        local.index() < self.outside
    }

    /// The loop reads a local.
    pub fn read(&mut self, local: Id<Local>, at: Id<Expr>) {
        if local.index() < self.outside {
            self.reads.push((local, at));
        }
    }

    /// That read is the `m` in `m = m.min(v)`.
    pub fn forget(&mut self, read: Id<Expr>) {
        self.reads.retain(|(_, at)| *at != read);
    }

    /// The loop assigns a local, by an operation that can be reduced or by any other.
    pub fn update(&mut self, local: Id<Local>, op: Option<ReduceOp>, at: Reach) {
        if local.index() < self.outside {
            self.updates.push(Update { local, op, at });
        }
    }

    /// The reductions, by first use; what is none is reported.
    pub fn finish(
        self,
        locals: &Arena<Local>,
        reaches: &[Reach],
        diagnostics: &mut Diagnostics,
    ) -> Vec<(Id<Local>, ReduceOp)> {
        let mut reductions: Vec<(Id<Local>, ReduceOp)> = Vec::new();
        let mut refused: Vec<Id<Local>> = Vec::new();
        for update in &self.updates {
            let local = update.local;
            let name = &locals[local].name;
            if refused.contains(&local) {
                continue;
            }
            let known = reductions.iter().find(|(l, _)| *l == local).map(|(_, op)| *op);
            match (known, update.op) {
                (_, None) => diagnostics.push(
                    Code::Carried,
                    update.at,
                    format!(
                        "`{name}` is declared outside the parallel loop, and its iterations run in any order: \
                         they can't hand a value from one to the next"
                    ),
                    format!(
                        "declare `{name}` inside the loop, or combine by one of `{name} += ..`, `*=`, `&=`, `|=`, \
                         `^=`, `{name} = {name}.min(..)`, `{name} = {name}.max(..)`; for `-=` write `{name} += -(..)`"
                    ),
                ),
                (Some(known), Some(op)) if known != op => diagnostics.push(
                    Code::Carried,
                    update.at,
                    format!("`{name}` is updated by two operations, and iterations run in any order"),
                    "use one variable for each operation",
                ),
                (Some(_), Some(_)) => continue,
                (None, Some(op)) => match self.reads.iter().find(|(read, _)| *read == local) {
                    None => {
                        reductions.push((local, op));
                        continue;
                    }
                    Some((_, read)) => diagnostics.push(
                        Code::Carried,
                        reaches[read.index()],
                        format!("`{name}` is read in the parallel loop that combines values into it: it has none yet"),
                        format!("read `{name}` after the loop, or in a loop of its own"),
                    ),
                },
            }
            refused.push(local);
        }
        reductions
    }
}
