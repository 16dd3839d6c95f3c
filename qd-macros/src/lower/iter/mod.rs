//! Iterators: `for v in x.iter_mut()`, `x.iter().map(|v| v * v).sum()`.
//!
//! A chain is a source, stages and what is done with the items. Here it becomes a loop in which the closures' bodies
//! stand one after the other, in the order in which std's iterators call them: nothing of the iterators is left. rustc
//! types the chain as it was written, since in the copy only names change; which items there are, and in which order
//! closures run, is decided here alone, so it must be what std documents.
//!
//! References among the items stand for what they refer to ([`item`]): while they are there, nothing can change it.
mod closure;
mod combine;
mod consume;
mod flow;
mod found;
mod header;
mod indexed;
mod item;
mod order;
mod part;
mod source;

use qd_ir::arena::Id;
use qd_ir::op::Op;
use qd_ir::sketch::{Adapter, Block, Expr, ExprKind, Local, Pattern, Place, Stmt, TapId};
use qd_ir::types::Scalar;

use super::domain::is_range;
use super::expr::name_reach;
use super::scope::Binding;
use super::{Lower, Own, unwrap_parens};
use crate::diagnostic::{Code, nearest};
use crate::reach::Reach;
use flow::Stage;
use indexed::Indexed;
use source::Source;

pub(super) use consume::Hoisting;
pub(super) use item::{Element, Mode};

/// What gives another iterator.
const ADAPTERS: [&str; 14] = [
    "map",
    "filter",
    "enumerate",
    "zip",
    "rev",
    "take",
    "skip",
    "step_by",
    "take_while",
    "skip_while",
    "inspect",
    "copied",
    "cloned",
    "into_iter",
];

/// What gives a value.
const VALUES: [&str; 7] = ["sum", "product", "count", "fold", "any", "all", "for_each"];

/// What gives an `Option`.
const OPTIONS: [&str; 10] =
    ["min", "max", "min_by", "max_by", "min_by_key", "max_by_key", "reduce", "find", "position", "last"];

/// Methods of std's iterators that kernels don't have.
const OTHERS: [&str; 8] = ["next", "nth", "collect", "try_fold", "partition", "unzip", "cmp", "partial_cmp"];

/// What an expression is, as far as iterators go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Iterator,
    /// What `min` and the like give.
    Option,
    /// What a chain ends in.
    Value,
    /// None of these.
    Other,
}

/// A chain but for its end.
pub(super) struct Chain<'s> {
    source: Source<'s>,
    /// Of a source of numbered items: `rev` and `step_by` that came last.
    order: Vec<Adapter>,
    stages: Vec<Stage<'s>>,
    /// What runs once, before the loop.
    before: Vec<Stmt>,
    /// Statements of `before` that bind, and don't only check.
    binds: bool,
    /// The items have to be taken in order, one after the other.
    ordered: bool,
    /// Each item of the source is an item here.
    whole: bool,
    /// The expressions before this number were there before it.
    first: usize,
}

/// What an expression is among iterators.
pub(super) fn kind(syntax: &syn::Expr) -> Kind {
    let syn::Expr::MethodCall(call) = bare(syntax) else { return Kind::Other };
    let (name, args) = (call.method.to_string(), call.args.len());
    let of_iterator = || match name.as_str() {
        "min" | "max" if args > 0 => Kind::Iterator,
        name if VALUES.contains(&name) => Kind::Value,
        name if OPTIONS.contains(&name) => Kind::Option,
        _ => Kind::Iterator,
    };
    match kind(&call.receiver) {
        Kind::Iterator => of_iterator(),
        Kind::Option if name == "copied" || name == "cloned" => Kind::Option,
        Kind::Option => Kind::Value,
        Kind::Value | Kind::Other => match bare(&call.receiver) {
            syn::Expr::Range(_) if ADAPTERS.contains(&name.as_str()) => Kind::Iterator,
            syn::Expr::Range(_) if args > 0 || VALUES.contains(&name.as_str()) || OPTIONS.contains(&name.as_str()) => {
                of_iterator()
            }
            _ if args == 0 && matches!(name.as_str(), "iter" | "iter_mut" | "into_iter") => Kind::Iterator,
            _ => Kind::Other,
        },
    }
}

/// The first method of a chain that kernels don't have.
fn first_unknown(syntax: &syn::Expr) -> Option<&proc_macro2::Ident> {
    let syn::Expr::MethodCall(call) = bare(syntax) else { return None };
    let name = call.method.to_string();
    let known = |names: &[&str]| names.contains(&name.as_str());
    let makes = call.args.is_empty() && known(&["iter", "iter_mut", "into_iter"]);
    first_unknown(&call.receiver).or_else(|| {
        let unknown = kind(syntax) == Kind::Iterator && !makes && !known(&ADAPTERS);
        unknown.then_some(&call.method)
    })
}

/// The expression inside parentheses and the invisible groups that macros leave.
fn bare(mut syntax: &syn::Expr) -> &syn::Expr {
    loop {
        match syntax {
            syn::Expr::Paren(inner) => syntax = &inner.expr,
            syn::Expr::Group(inner) => syntax = &inner.expr,
            other => return other,
        }
    }
}

impl<'d> Lower<'d> {
    /// The chain of an expression that is an iterator; `None` if it was refused.
    fn chain_of<'s>(&mut self, syntax: &'s mut syn::Expr) -> Option<Chain<'s>> {
        let at = Reach::of_expr(syntax);
        let first = self.exprs.len();
        let mut chain = self.chain_from(syntax, at)?;
        chain.first = first;
        Some(chain)
    }

    fn chain_from<'s>(&mut self, syntax: &'s mut syn::Expr, at: Reach) -> Option<Chain<'s>> {
        if is_range(syntax) || matches!(bare(syntax), syn::Expr::Range(_)) {
            return self.range_source(syntax, at);
        }
        // What isn't made by `iter` is a value, which may be an array.
        if kind(syntax) != Kind::Iterator {
            return self.whole_source(syntax);
        }
        let syn::Expr::MethodCall(call) = unwrap_parens(syntax) else { return None };
        let syn::ExprMethodCall { receiver, method, args, .. } = call;
        let (name, named) = (method.to_string(), name_reach(method));
        let first = matches!(kind(receiver), Kind::Other | Kind::Value);
        if first && !matches!(unwrap_parens(receiver), syn::Expr::Range(_)) {
            return match name.as_str() {
                "into_iter" => self.whole_source(receiver),
                "iter_mut" => self.array_source(receiver, Mode::Exclusive),
                _ => self.array_source(receiver, Mode::Shared),
            };
        }
        let mut chain = self.chain_of(receiver)?;
        let mut args = args.iter_mut();
        match (name.as_str(), args.next(), args.next()) {
            ("copied" | "cloned" | "into_iter", None, None) => {}
            ("rev", None, None) => self.reverse(&mut chain, named)?,
            ("step_by", Some(step), None) => {
                self.settle(&mut chain, at);
                let step = self.operand(step, None, &mut chain);
                if chain.stages.is_empty() {
                    self.step(&mut chain, step, at);
                } else {
                    self.assert_step(step, &mut chain, at);
                    let left = self.counter(0, &mut chain, at);
                    chain.push_ordered(Stage::StepBy { step, left });
                }
            }
            ("enumerate", None, None) => self.number(&mut chain, at),
            ("zip", Some(other), None) => {
                self.settle(&mut chain, at);
                self.zip(&mut chain, other, at)?;
            }
            ("skip", Some(count), None) => {
                self.settle(&mut chain, at);
                let count = self.operand(count, None, &mut chain);
                match self.plain_items(&mut chain, at) {
                    Some(items) => items.wrap(|items| Indexed::Skip(items, count)),
                    None => {
                        let left = self.counter_from(count, &mut chain, at);
                        chain.push_ordered(Stage::Skip { left });
                    }
                }
            }
            ("take", Some(count), None) => {
                self.settle(&mut chain, at);
                let count = self.operand(count, None, &mut chain);
                match self.plain_items(&mut chain, at) {
                    Some(items) => items.wrap(|items| Indexed::Take(items, count)),
                    None => {
                        let left = self.counter_from(count, &mut chain, at);
                        chain.push_ordered(Stage::Take { left });
                    }
                }
            }
            ("map", Some(function), None) => chain.stages.push(Stage::Map(self.closure(function, 1)?)),
            ("inspect", Some(function), None) => chain.stages.push(Stage::Inspect(self.closure(function, 1)?)),
            ("filter", Some(function), None) => {
                chain.stages.push(Stage::Filter(self.closure(function, 1)?));
                chain.whole = false;
            }
            ("take_while", Some(function), None) => {
                let function = self.closure(function, 1)?;
                chain.push_ordered(Stage::TakeWhile(function));
            }
            ("skip_while", Some(function), None) => {
                let function = self.closure(function, 1)?;
                let skipping = self.flag(true, &mut chain, at);
                chain.push_ordered(Stage::SkipWhile { function, skipping });
            }
            // rustc counts the arguments.
            (name, ..) if ADAPTERS.contains(&name) => return None,
            (name, ..) => {
                self.refuse_adapter(name, named);
                return None;
            }
        }
        Some(chain)
    }

    /// Refuses a method of iterators.
    fn refuse_adapter(&mut self, name: &str, at: Reach) {
        let help = match (name, nearest(name, ADAPTERS.into_iter().chain(VALUES).chain(OPTIONS))) {
            ("collect" | "partition" | "unzip", _) => {
                "kernels make no collections: write into an array parameter, `for (out, v) in out.iter_mut().zip(..)`"
                    .to_owned()
            }
            ("flatten" | "flat_map", _) => {
                "take the parts in one by one: `for row in x.iter() { for v in row.iter() { .. } }`, or sum them in a `map`, \
                 `x.iter().map(|row| row.iter().sum::<f32>()).sum()`"
                    .to_owned()
            }
            ("scan", _) => "write a loop with a variable".to_owned(),
            ("filter_map" | "map_while" | "find_map", _) => {
                "kernels have no `Option`s: write a `filter` before a `map`, or a loop".to_owned()
            }
            ("next" | "nth", _) => "an iterator is used up where it is made: index the array".to_owned(),
            ("len", _) => "write `count()`, or `x.len()` of the array itself".to_owned(),
            (_, Some(known)) if known == name => {
                format!(
                    "write it without arguments; a method `{name}` of your own is called by a path, `Type::{name}(..)`"
                )
            }
            (_, Some(known)) if !OTHERS.contains(&name) => format!("did you mean `{known}`?"),
            _ => format!("there are {}; {}; and {}", ADAPTERS.join(", "), VALUES.join(", "), OPTIONS.join(", ")),
        };
        let what = format!("`{name}` of iterators is not part of the kernel language");
        self.diagnostics.push(Code::Chain, at, what, help);
    }

    /// An operand that is evaluated once, before the loop: itself if it may be written down several times, else a
    /// variable. Its type is `usize`, or that of the tap.
    fn operand(&mut self, syntax: &mut syn::Expr, tap: Option<TapId>, chain: &mut Chain<'_>) -> Id<Expr> {
        let at = Reach::of_expr(syntax);
        let id = self.expr(syntax);
        self.kept_operand(id, tap, chain, at)
    }

    fn kept_operand(&mut self, id: Id<Expr>, tap: Option<TapId>, chain: &mut Chain<'_>, at: Reach) -> Id<Expr> {
        match (&self.exprs[id].kind, tap) {
            (ExprKind::Int { value, suffix: _ }, None) => {
                let kind = ExprKind::Int { value: *value, suffix: Some(Scalar::Usize) };
                return self.push(kind, Own::Closed, at);
            }
            (ExprKind::Int { suffix: None, .. }, Some(tap)) => {
                return self.push(ExprKind::Tapped { tap, value: id }, Own::Closed, at);
            }
            _ => {}
        }
        if self.repeatable(id) {
            return id;
        }
        let tap = tap.unwrap_or_else(|| self.taps.known(Scalar::Usize));
        let local = self.keep(id, tap, at, &mut chain.before);
        chain.binds = true;
        self.read(local, at)
    }

    /// Evaluates what a range is made of before what its methods are given, which may change it.
    fn settle(&mut self, chain: &mut Chain<'_>, at: Reach) {
        let Source::Range { steps, tap } = &chain.source else { return };
        let (mut steps, tap) = (steps.clone(), *tap);
        let ends = [(&mut steps.lo, Some(tap)), (&mut steps.hi, Some(tap))].into_iter();
        let by = steps.adapters.iter_mut().filter_map(|adapter| match adapter {
            Adapter::StepBy(step) => Some((step, None)),
            Adapter::Rev => None,
        });
        let parts: Vec<_> = ends.chain(by).collect();
        if parts.iter().all(|(part, _)| self.is_movable(**part)) {
            return;
        }
        for (part, tap) in parts {
            *part = self.kept_operand(*part, tap, chain, at);
        }
        chain.source = Source::Range { steps, tap };
    }

    /// Whether it is no matter where an expression is evaluated.
    fn is_movable(&self, id: Id<Expr>) -> bool {
        matches!(
            self.exprs[id].kind,
            ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Bool(_) | ExprKind::Start { .. }
        ) || self.repeatable(id)
    }

    /// Whether an expression may be evaluated several times, and anywhere in the loop: what it is made of can't change,
    /// and it can't fail.
    fn repeatable(&self, id: Id<Expr>) -> bool {
        match &self.exprs[id].kind {
            ExprKind::Const(_) | ExprKind::Len(_) | ExprKind::Extent(..) | ExprKind::Int { suffix: Some(_), .. } => {
                true
            }
            ExprKind::Local(local) => !self.mutable.contains(local) && !self.deferred.contains_key(local),
            ExprKind::Op { op: Op::Add | Op::Sub | Op::Mul | Op::Min | Op::Max, args } => {
                let literal = |id: &Id<Expr>| matches!(self.exprs[*id].kind, ExprKind::Int { .. });
                args.iter().any(|arg| !literal(arg)) && args.iter().all(|arg| literal(arg) || self.repeatable(*arg))
            }
            // All others are evaluated once.
            _ => false,
        }
    }

    /// A variable of the loop that counts from a number on.
    fn counter(&mut self, from: u128, chain: &mut Chain<'_>, at: Reach) -> Id<Local> {
        let from = self.number_of(from, at);
        self.counter_from(from, chain, at)
    }

    fn counter_from(&mut self, from: Id<Expr>, chain: &mut Chain<'_>, at: Reach) -> Id<Local> {
        chain.binds = true;
        let tap = self.taps.known(Scalar::Usize);
        self.variable(from, tap, at, &mut chain.before)
    }

    /// A `bool` variable of the loop.
    fn flag(&mut self, value: bool, chain: &mut Chain<'_>, at: Reach) -> Id<Local> {
        chain.binds = true;
        let value = self.push(ExprKind::Bool(value), Own::Closed, at);
        let tap = self.taps.known(Scalar::Bool);
        self.variable(value, tap, at, &mut chain.before)
    }

    /// `let hidden = init;`
    fn keep(&mut self, init: Id<Expr>, tap: TapId, at: Reach, stmts: &mut Vec<Stmt>) -> Id<Local> {
        let (local, _) = self.hidden("__qd_kept", at);
        self.locals[local].tap = Some(tap);
        stmts.push(Stmt::Let { pattern: Pattern::Bind(local), init: Some(init) });
        local
    }

    /// `let mut hidden = init;`
    fn variable(&mut self, init: Id<Expr>, tap: TapId, at: Reach, stmts: &mut Vec<Stmt>) -> Id<Local> {
        let local = self.keep(init, tap, at, stmts);
        self.locals[local].assigned = true;
        local
    }

    /// `local = value;`
    fn set(&mut self, local: Id<Local>, value: Id<Expr>, at: Reach) -> Stmt {
        self.locals[local].assigned = true;
        Stmt::Expr(self.push(ExprKind::Assign { place: Place::Local(local), value }, Own::Closed, at))
    }

    /// `local op= value;`
    fn update_by(&mut self, local: Id<Local>, op: Op, value: Id<Expr>, at: Reach) -> Stmt {
        self.locals[local].assigned = true;
        Stmt::Expr(self.push(ExprKind::AssignOp { op, place: Place::Local(local), value }, Own::Closed, at))
    }

    /// A local of the macro's own, read.
    fn read(&mut self, local: Id<Local>, at: Reach) -> Id<Expr> {
        self.push(ExprKind::Local(local), Own::Closed, at)
    }

    fn number_of(&mut self, value: u128, at: Reach) -> Id<Expr> {
        self.push(ExprKind::Int { value, suffix: Some(Scalar::Usize) }, Own::Closed, at)
    }

    fn of_two(&mut self, op: Op, a: Id<Expr>, b: Id<Expr>, at: Reach) -> Id<Expr> {
        self.push(ExprKind::Op { op, args: vec![a, b] }, Own::Closed, at)
    }

    /// `if cond { then } else { otherwise }`
    fn branch(&mut self, cond: Id<Expr>, then: Vec<Stmt>, otherwise: Vec<Stmt>, at: Reach) -> Stmt {
        let otherwise = (!otherwise.is_empty()).then(|| {
            let block = Block { stmts: otherwise, tail: None };
            self.push(ExprKind::Block(block), Own::Closed, at)
        });
        let then = Block { stmts: then, tail: None };
        Stmt::Expr(self.push(ExprKind::If { cond, then, otherwise }, Own::Closed, at))
    }
}

impl<'s> Chain<'s> {
    fn new(source: Source<'s>, first: usize) -> Self {
        Chain {
            source,
            order: Vec::new(),
            stages: Vec::new(),
            before: Vec::new(),
            binds: false,
            ordered: false,
            whole: true,
            first,
        }
    }

    /// Adds a stage that counts items, so that all come in order.
    fn push_ordered(&mut self, stage: Stage<'s>) {
        self.stages.push(stage);
        self.ordered = true;
        self.whole = false;
    }
}
