//! What a parallel loop does to variables declared outside it.
//!
//! A part of a variable that the loop only updates by one associative operation, and doesn't read otherwise, is a
//! reduction, and so is one that takes the extreme of something (see [`super::extreme`]). Anything else would carry a
//! value from one iteration to another, and iterations run in any order. While the body is walked, updates and reads
//! are only noted; at its end they are judged, and updates that pass become contributions.
use std::collections::{BTreeMap, BTreeSet};

use qd_ir::arena::Id;
use qd_ir::op::{Op, ReduceOp};
use qd_ir::sketch::{Block, ConstId, Contribution, Expr, ExprKind, Local, Member, ParamId, Place, Projection, Stmt};

use super::Lower;
use crate::diagnostic::Code;
use crate::reach::Reach;

/// What to do about a loop whose iterations need one another, if it holds loops.
pub(crate) const IN_STEPS: &str =
    "add `#[qd::steps]` to the outer loop, to run it in order and the loops inside in parallel";

/// Uses of outer variables in one parallel loop.
pub(super) struct Carried {
    /// Locals below this are from outside.
    outside: usize,
    /// Expressions below this are none of the loop's body.
    first: usize,
    /// Fields of references that the loop names first: they are from outside, too.
    fields: BTreeSet<Id<Local>>,
    /// What functions are given of references, and where.
    handed: Vec<(ParamId, Reach)>,
    reads: Vec<(Id<Local>, Id<Expr>)>,
    updates: Vec<Update>,
    /// The shapes of extremes: the same one may be offered to in several places.
    extremes: Vec<(bool, bool, Vec<Part>)>,
    /// What was reported already.
    refused: BTreeSet<Id<Local>>,
}

/// A variable or a part of one.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The local by which it is named.
    pub local: Id<Local>,
    /// What the steps lead away from: the same local, or of fields the reference, by the local of one of them.
    pub root: Id<Local>,
    pub steps: Vec<Step>,
}

/// From a variable to a part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Field(Member),
    /// The element at a place that is a literal.
    At(u128),
    /// The element at a place that a constant gives.
    Constant(ConstId),
    /// An element that is chosen at run time.
    Chosen(Id<Expr>),
}

/// An update of a part of an outer variable.
struct Update {
    part: Part,
    by: By,
    at: Reach,
}

/// How a part is updated.
pub(super) enum By {
    /// The assignment `expr` combines a value with it.
    Each {
        expr: Id<Expr>,
        contribution: Contribution,
    },
    /// It is set with the extreme of that shape.
    Extreme(usize),
    /// `ok = ok && ..`
    Lazy(&'static str),
    Other,
}

impl Step {
    /// Whether two steps from one place lead to one place; `None` if that isn't seen here.
    fn meets(&self, other: &Step) -> Option<bool> {
        match (self, other) {
            (Step::Field(a @ Member::Back(_)), Step::Field(b)) | (Step::Field(b), Step::Field(a @ Member::Back(_))) => {
                (a == b).then_some(true)
            }
            (Step::Field(a), Step::Field(b)) => Some(a == b),
            (Step::At(a), Step::At(b)) => Some(a == b),
            (Step::Constant(a), Step::Constant(b)) if a == b => Some(true),
            // What can be named and indexed is a vector.
            (Step::Field(Member::Name(name)), Step::At(at)) | (Step::At(at), Step::Field(Member::Name(name))) => {
                Some(["x", "y", "z", "w"].iter().zip(0..).any(|(known, index)| known == name && index == *at))
            }
            // One of the indices is any of them.
            (Step::Chosen(_), _) | (_, Step::Chosen(_)) => Some(true),
            (Step::Field(_) | Step::At(_) | Step::Constant(_), _) => None,
        }
    }
}

impl Part {
    /// True if both may have a scalar in common.
    pub fn meets(&self, other: &Part) -> bool {
        self.relation(other) != Some(false)
    }

    /// Whether both have a scalar in common; `None` if only the values of constants tell.
    fn relation(&self, other: &Part) -> Option<bool> {
        if self.root != other.root {
            return Some(false);
        }
        let steps: Vec<_> = self.steps.iter().zip(&other.steps).map(|(a, b)| a.meets(b)).collect();
        if steps.contains(&Some(false)) {
            Some(false)
        } else {
            steps.into_iter().collect::<Option<Vec<_>>>().map(|_| true)
        }
    }

    /// True if an element on the way is chosen at run time.
    pub fn is_chosen(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Chosen(_)))
    }
}

impl Carried {
    /// For a loop before which so many locals and expressions were made.
    pub fn new(outside: usize, first: usize) -> Self {
        Carried {
            outside,
            first,
            fields: BTreeSet::new(),
            handed: Vec::new(),
            reads: Vec::new(),
            updates: Vec::new(),
            extremes: Vec::new(),
            refused: BTreeSet::new(),
        }
    }

    /// True if the local was declared before the loop.
    pub fn is_outside(&self, local: Id<Local>) -> bool {
        local.index() < self.outside || self.fields.contains(&local)
    }

    /// The local is a field of a reference.
    pub fn comes_from_outside(&mut self, local: Id<Local>) {
        self.fields.insert(local);
    }

    /// A reference is given to a function.
    pub fn hand_on(&mut self, param: ParamId, at: Reach) {
        self.handed.push((param, at));
    }

    /// The loop reads a local.
    pub fn read(&mut self, local: Id<Local>, at: Id<Expr>) {
        if self.is_outside(local) {
            self.reads.push((local, at));
        }
    }

    /// That read is the `m` in `m = m.min(v)`.
    pub fn forget(&mut self, read: Id<Expr>) {
        self.reads.retain(|(_, at)| *at != read);
    }

    /// The loop updates a part of a local.
    pub fn update(&mut self, part: Part, by: By, at: Reach) {
        if self.is_outside(part.local) {
            self.updates.push(Update { part, by, at });
        }
    }

    /// The number of updates so far.
    pub fn mark(&self) -> usize {
        self.updates.len()
    }

    /// The parts updated since.
    pub fn updated_since(&self, mark: usize) -> impl Iterator<Item = &Part> {
        self.updates[mark..].iter().map(|update| &update.part)
    }

    /// The updates since belong to something that is noted as a whole.
    pub fn take_back(&mut self, mark: usize) {
        self.updates.truncate(mark);
    }

    /// What is wrong with a local has been said.
    pub fn refuse(&mut self, local: Id<Local>) {
        self.refused.insert(local);
    }
}

impl Lower<'_> {
    /// The part of a variable that a place is.
    pub(super) fn part_of_place(&self, place: &Place) -> Option<Part> {
        let step = |projection: &Projection| match projection {
            Projection::Field(member) => Step::Field(member.clone()),
            Projection::Index(index) => self.index_step(*index),
        };
        match place {
            Place::Local(local) => Some(self.part_of(*local, Vec::new())),
            Place::Part(local, path) => Some(self.part_of(*local, path.iter().map(step).collect())),
            Place::Wild | Place::Element { .. } | Place::Tuple(_) => None,
        }
    }

    /// The part of a variable that an expression names, and the name.
    pub(super) fn part_of_expr(&self, mut expr: Id<Expr>) -> Option<(Part, Id<Expr>)> {
        let mut steps = Vec::new();
        loop {
            match &self.exprs[expr].kind {
                ExprKind::Field(inner, member) => {
                    steps.push(Step::Field(member.clone()));
                    expr = *inner;
                }
                ExprKind::Index(inner, index) => {
                    steps.push(self.index_step(*index));
                    expr = *inner;
                }
                ExprKind::Local(local) => {
                    steps.reverse();
                    return Some((self.part_of(*local, steps), expr));
                }
                _ => return None,
            }
        }
    }

    pub(super) fn index_step(&self, index: Id<Expr>) -> Step {
        match &self.exprs[index].kind {
            ExprKind::Int { value, suffix: _ } => Step::At(*value),
            ExprKind::Const(id) => Step::Constant(*id),
            _ => Step::Chosen(index),
        }
    }

    /// True if both are the same part of the same variable, whenever they are evaluated.
    pub(super) fn same_part(&self, a: &Part, b: &Part) -> bool {
        let same = |(a, b): (&Step, &Step)| match (a, b) {
            (Step::Chosen(a), Step::Chosen(b)) => self.same(*a, *b),
            (Step::Field(_) | Step::At(_) | Step::Constant(_) | Step::Chosen(_), _) => a == b,
        };
        a.root == b.root && a.steps.len() == b.steps.len() && a.steps.iter().zip(&b.steps).all(same)
    }

    /// True if an expression names the place; then the name.
    pub(super) fn names(&self, expr: Id<Expr>, place: &Part) -> Option<Id<Expr>> {
        let (part, name) = self.part_of_expr(expr)?;
        self.same_part(&part, place).then_some(name)
    }

    /// The number of an extreme of that shape.
    pub(super) fn extreme_shape(&mut self, greatest: bool, last: bool, parts: &[Part]) -> Option<usize> {
        let extremes = &self.carried.as_ref()?.extremes;
        let holds = |list: &[Part], part: &Part| list.iter().any(|other| self.same_part(other, part));
        let known = extremes.iter().position(|(g, l, known)| {
            // The first part is what is compared.
            (*g, *l) == (greatest, last)
                && known.first().zip(parts.first()).is_some_and(|(a, b)| self.same_part(a, b))
                && known.iter().all(|part| holds(parts, part))
                && parts.iter().all(|part| holds(known, part))
        });
        if known.is_some() {
            return known;
        }
        let extremes = &mut self.carried.as_mut()?.extremes;
        extremes.push((greatest, last, parts.to_vec()));
        Some(extremes.len() - 1)
    }

    /// The name of a part for messages.
    pub(super) fn spelled(&self, part: &Part) -> String {
        let mut name = self.root_name(part.local);
        for step in &part.steps {
            name += &match step {
                Step::Field(member) => format!(".{member}"),
                Step::At(index) => format!("[{index}]"),
                Step::Constant(_) | Step::Chosen(_) => "[..]".to_owned(),
            };
        }
        name
    }

    /// Ends the loop of that body: the variables that it reduces into, by first use. What is no reduction is reported.
    pub(super) fn finish_carried(&mut self, body: &Block) -> Vec<Id<Local>> {
        let Some(Carried { first, reads, handed, updates, mut refused, .. }) = self.carried.take() else {
            return Vec::new();
        };
        let mut reads: Vec<(Part, Reach)> = self.read_parts(first, &reads);
        reads.extend(handed.into_iter().filter_map(|(param, at)| Some((self.part_of_reference(param)?, at))));
        let stmts = body.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Expr(expr) => Some(*expr),
            Stmt::Let { .. } => None,
        });
        let holds_loops = stmts.chain(body.tail).any(|expr| matches!(self.exprs[expr].kind, ExprKind::For { .. }));
        let in_steps = |help: String| if holds_loops { format!("{IN_STEPS}; or {help}") } else { help };
        let mut accepted: Vec<(Part, Kind)> = Vec::new();
        let mut reduced: Vec<Id<Local>> = Vec::new();
        for Update { part, by, at } in updates {
            let local = part.local;
            if refused.contains(&local) {
                continue;
            }
            let name = self.spelled(&part);
            let kind = match by {
                By::Each { expr, contribution } => {
                    let op = match &contribution {
                        Contribution::Each { op, .. } => *op,
                        Contribution::Extreme { .. } => continue,
                    };
                    let statement = self.exprs[expr].kind.clone();
                    let in_order = self.push(statement, self.own(expr), self.reaches[expr.index()]);
                    self.exprs[in_order].pos = self.exprs[expr].pos;
                    if let Some(order) = self.orders.get(&expr) {
                        self.orders.insert(in_order, *order);
                    }
                    self.exprs[expr].kind = ExprKind::Contribute { what: Box::new(contribution), in_order };
                    Kind::Each(op)
                }
                By::Extreme(shape) => Kind::Extreme(shape),
                By::Lazy(op) => {
                    let message = format!(
                        "whether the right side runs depends on what `{name}` is by then, and iterations run in any order"
                    );
                    let help = format!(
                        "write `{name} {op} ..`, whose right side runs in every iteration; or run the iterations in order, by \
                         `#[qd::serial]` before the loop"
                    );
                    self.diagnostics.push(Code::Carried, at, message, in_steps(help));
                    refused.insert(local);
                    continue;
                }
                By::Other => {
                    let message = format!(
                        "`{name}` is declared outside the parallel loop, and its iterations run in any order: they can't \
                         hand a value from one to the next"
                    );
                    let variable = &self.locals[local].name;
                    let help = if self.named.contains_key(&local) && name.ends_with("[..]") {
                        format!(
                            "`{variable}` is passed by value: if it is a bundle, take it by reference, `{variable}: &mut ..`"
                        )
                    } else {
                        format!(
                            "declare `{variable}` inside the loop, or combine by one of `{name} += ..`, `-=`, `*=`, `&=`, `|=`, \
                         `^=`, `{name} = {name}.min(..)`, `{name} = {name}.max(..)`, each the whole right side; the least value \
                         and where it is: `if v < best {{ best = v; at = i; }}`; or run the iterations in order, by \
                         `#[qd::serial]` before the loop"
                        )
                    };
                    self.diagnostics.push(Code::Carried, at, message, in_steps(help));
                    refused.insert(local);
                    continue;
                }
            };
            // What only the values of constants tell, typing sees.
            let clash = accepted.iter().find(|(other, known)| *known != kind && other.relation(&part) == Some(true));
            if let Some((_, known)) = clash {
                let help = match (known, kind) {
                    (Kind::Each(_), Kind::Each(_)) => "use one variable for each operation",
                    (Kind::Each(_) | Kind::Extreme(_), _) => {
                        "use one variable for each; branches that take one extreme compare alike and assign the same variables"
                    }
                };
                let message = format!("`{name}` is updated by two operations, and iterations run in any order");
                let help = format!("{help}; or run the iterations in order, by `#[qd::serial]` before the loop");
                self.diagnostics.push(Code::Carried, at, message, in_steps(help));
                refused.insert(local);
                continue;
            }
            if let Some((_, read)) = reads.iter().find(|(read, _)| read.meets(&part)) {
                self.diagnostics.push(
                    Code::Carried,
                    *read,
                    format!("`{name}` is read in the parallel loop that combines values into it: it has none yet"),
                    in_steps(format!(
                        "read `{name}` after the loop, or in a loop of its own; where each iteration needs the ones before it, as in \
                         a running sum, write `#[qd::serial]` before the loop"
                    )),
                );
                refused.insert(local);
                continue;
            }
            accepted.push((part, kind));
            if !reduced.contains(&local) {
                reduced.push(local);
            }
        }
        reduced
    }

    /// The parts of variables that are read where their names stand.
    fn read_parts(&self, first: usize, reads: &[(Id<Local>, Id<Expr>)]) -> Vec<(Part, Reach)> {
        let mut around = BTreeMap::new();
        for id in (first..self.exprs.len()).map(Id::new) {
            if let ExprKind::Field(inner, _) | ExprKind::Index(inner, _) = &self.exprs[id].kind {
                around.insert(*inner, id);
            }
        }
        let part = |(local, name): &(Id<Local>, Id<Expr>)| {
            let mut whole = *name;
            while let Some(outer) = around.get(&whole) {
                whole = *outer;
            }
            let part = self.part_of_expr(whole).map_or_else(|| self.part_of(*local, Vec::new()), |(part, _)| part);
            (part, self.reaches[name.index()])
        };
        reads.iter().map(part).collect()
    }

    /// `m = m.min(v)`, `s = v + s`, `s = s.wrapping_add(v)`, `found = true`: what means the same as `place op= v`.
    pub(super) fn combination(&mut self, place: &Place, value: Id<Expr>) -> Option<Contribution> {
        let part = self.part_of_place(place)?;
        if !self.carried.as_ref()?.is_outside(part.local) {
            return None;
        }
        let (op, a, b) = match &self.exprs[value].kind {
            ExprKind::Op { op, args } | ExprKind::Function { op, args, ty: _ } => match args.as_slice() {
                [a, b] => (*op, *a, *b),
                _ => return None,
            },
            ExprKind::LazyAnd(a, b) => (Op::And, *a, *b),
            ExprKind::LazyOr(a, b) => (Op::Or, *a, *b),
            // All iterations that assign it assign the same.
            ExprKind::Bool(value_of) => {
                let op = if *value_of { ReduceOp::Or } else { ReduceOp::And };
                return Some(Contribution::Each {
                    op,
                    negated: false,
                    place: place.clone(),
                    value,
                    place_first: false,
                });
            }
            _ => return None,
        };
        let lazy = matches!(self.exprs[value].kind, ExprKind::LazyAnd(..) | ExprKind::LazyOr(..));
        let (op, negated) = reducing(op)?;
        let (itself, value, place_first) = match (self.names(a, &part), self.names(b, &part)) {
            (Some(itself), None) if !lazy => (itself, b, true),
            (None, Some(itself)) if !negated => (itself, a, false),
            (Some(_) | None, Some(_) | None) => return None,
        };
        if let Some(carried) = &mut self.carried {
            carried.forget(itself);
        }
        Some(Contribution::Each { op, negated, place: place.clone(), value, place_first })
    }

    /// True for `ok = ok && ..`: the operator to write instead.
    pub(super) fn lazy(&self, place: &Place, value: Id<Expr>) -> Option<&'static str> {
        let part = self.part_of_place(place)?;
        let (first, op) = match &self.exprs[value].kind {
            ExprKind::LazyAnd(first, _) => (*first, "&="),
            ExprKind::LazyOr(first, _) => (*first, "|="),
            _ => return None,
        };
        self.names(first, &part).map(|_| op)
    }
}

/// What a part is to the loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Each(ReduceOp),
    Extreme(usize),
}

/// The reduction by an operation; whether its operand is subtracted.
pub(super) fn reducing(op: Op) -> Option<(ReduceOp, bool)> {
    match op {
        Op::Add | Op::WrappingAdd => Some((ReduceOp::Add, false)),
        Op::Sub | Op::WrappingSub => Some((ReduceOp::Add, true)),
        Op::Mul | Op::WrappingMul => Some((ReduceOp::Mul, false)),
        _ => ReduceOp::ALL.into_iter().find(|reduce| reduce.op() == op).map(|op| (op, false)),
    }
}
