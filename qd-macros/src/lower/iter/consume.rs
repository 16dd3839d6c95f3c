//! Ends of chains: `sum`, `fold`, `min().unwrap()`.
//!
//! In an iteration, and in serial code, a chain is a loop in order, and a sum is a running one that starts where std's
//! does. At the top level of a kernel a chain whose items can come in any order is a construct of its own, a parallel
//! loop that reduces: see [`Hoisting`].
use qd_ir::arena::Id;
use qd_ir::op::ReduceOp;
use qd_ir::sketch::{Block, Contribution, Expr, ExprKind, Label, Local, Pattern, Place, Stmt, TapId};
use qd_ir::types::Scalar;

use super::super::attributes::Sizes;
use super::super::carried::By;
use super::super::expr::name_reach;
use super::super::plan::Top;
use super::super::{Lower, Own, position, unwrap_parens};
use super::combine::combination;
use super::indexed::{Indexed, Len};
use super::item::{Base, Item};
use super::source::Source;
use super::{Chain, Kind, first_unknown, kind};
use crate::diagnostic::Code;
use crate::reach::Reach;

/// A statement of the top level while it is lowered, as far as everything in it is surely evaluated, once. Chains in it
/// become constructs before it.
pub(in super::super) struct Hoisting {
    /// What comes before the statement.
    pub tops: Vec<Top>,
    /// The expressions from here on are evaluated in the statement.
    pub first: usize,
}

/// A running value, and how an item goes into it.
struct Running {
    into: Id<Local>,
    op: ReduceOp,
    /// In order, nothing comes after an item by which the value is settled.
    early: bool,
}

/// The value by which an item changes a running one.
pub(super) type Term<'a, 'd> = &'a mut dyn FnMut(&mut Lower<'d>, &Item, &mut Vec<Stmt>) -> Id<Expr>;

impl<'d> Lower<'d> {
    /// A chain to its end.
    pub(in super::super) fn consume(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        // Chains in closures and operands are in the loop of this one, or before it in the same statement.
        let mut hoisting = self.top.take();
        let tap = self.taps.reserve(syntax);
        let id = self.consumed(syntax, tap.id, &mut hoisting, at);
        if let Some(hoisting) = &mut hoisting {
            hoisting.first = hoisting.first.max(if hoisting.tops.is_empty() { 0 } else { self.exprs.len() });
        }
        self.top = hoisting;
        match id {
            Some(id) => {
                self.taps.erased_by(&tap, syntax);
                id
            }
            None => self.poison(at),
        }
    }

    /// Refuses an iterator or an `Option` that isn't used up.
    pub(in super::super) fn refuse_unfinished(&mut self, syntax: &syn::Expr, kind: Kind, at: Reach) -> Id<Expr> {
        if let Some(method) = first_unknown(syntax) {
            self.refuse_adapter(&method.to_string(), name_reach(method));
            return self.poison(at);
        }
        if kind == Kind::Option {
            self.refuse_option(at);
            return self.poison(at);
        }
        self.diagnostics.push(
            Code::Chain,
            at,
            "an iterator is no value of the kernel language: it is used up where it is made",
            "end with `sum`, `product`, `count`, `fold`, `any`, `all`, or `min` and the like with `unwrap` behind, or loop \
             over it with `for`",
        );
        self.poison(at)
    }

    /// Refuses an `Option` that isn't taken apart, or by what kernels don't have.
    pub(super) fn refuse_option(&mut self, at: Reach) {
        self.diagnostics.push(
            Code::Chain,
            at,
            "an `Option` is no value of the kernel language: it is taken apart where it is made",
            "end with `unwrap`, `expect`, `unwrap_or` or `unwrap_or_else`, or of `find`, `position` and `last` with \
             `is_some` or `is_none`",
        );
    }

    fn consumed(
        &mut self,
        syntax: &mut syn::Expr,
        tap: TapId,
        hoisting: &mut Option<Hoisting>,
        at: Reach,
    ) -> Option<Id<Expr>> {
        let syn::Expr::MethodCall(call) = unwrap_parens(syntax) else { return None };
        match kind(&call.receiver) {
            Kind::Option => self.taken(call, tap, hoisting, at),
            Kind::Iterator | Kind::Value | Kind::Other => self.valued(call, tap, hoisting, at),
        }
    }

    /// `{ stmts; value }`
    pub(super) fn behind_loop(&mut self, stmts: Vec<Stmt>, value: Id<Expr>, at: Reach) -> Id<Expr> {
        if stmts.is_empty() {
            return value;
        }
        self.push(ExprKind::Block(Block { stmts, tail: Some(value) }), Own::Closed, at)
    }

    /// `sum`, `fold` and what else always has a value.
    fn valued(
        &mut self,
        call: &mut syn::ExprMethodCall,
        tap: TapId,
        hoisting: &mut Option<Hoisting>,
        at: Reach,
    ) -> Option<Id<Expr>> {
        let syn::ExprMethodCall { receiver, method, args, .. } = call;
        let named = name_reach(method);
        let mut chain = self.chain_of(receiver)?;
        let (name, mut args) = (method.to_string(), args.iter_mut());
        match (name.as_str(), args.next(), args.next()) {
            (name @ ("sum" | "product"), None, None) => {
                let op = if name == "sum" { ReduceOp::Add } else { ReduceOp::Mul };
                let into = self.start(op, true, tap, named);
                let running = Running { into: into.0, op, early: false };
                self.run(chain, into.1, running, hoisting, named, &mut |this, item, _| this.item_value(item, named))
            }
            ("count", None, None) if chain.stages.is_empty() => {
                self.numbered(&mut chain, at);
                let Source::Numbered(items) = &chain.source else { return None };
                let len = items.len();
                let len = self.len_value(&len, at);
                Some(self.behind_loop(chain.before, len, at))
            }
            ("count", None, None) => {
                let zero = self.number_of(0, named);
                let known = self.taps.known(Scalar::Usize);
                let into = self.running(zero, known, named);
                let running = Running { into: into.0, op: ReduceOp::Add, early: false };
                self.run(chain, into.1, running, hoisting, named, &mut |this, _, _| this.number_of(1, named))
            }
            (name @ ("any" | "all"), Some(function), None) => {
                let op = if name == "any" { ReduceOp::Or } else { ReduceOp::And };
                let function = self.closure(function, 1)?;
                let value = self.push(ExprKind::Bool(name == "all"), Own::Closed, named);
                let known = self.taps.known(Scalar::Bool);
                let into = self.running(value, known, named);
                let running = Running { into: into.0, op, early: true };
                self.run(chain, into.1, running, hoisting, named, &mut |this, item, stmts| {
                    this.apply(function, &[item], stmts)
                })
            }
            ("fold", Some(init), Some(function)) => {
                self.in_chain += 1;
                let init = self.expr(init);
                self.in_chain -= 1;
                if !self.is_movable(init) {
                    self.settle(&mut chain, named);
                }
                let function = self.closure(function, 2)?;
                let into = self.running(init, tap, named);
                match combination(function) {
                    Some(op) => {
                        let running = Running { into: into.0, op, early: false };
                        self.run(chain, into.1, running, hoisting, named, &mut |this, item, stmts| {
                            this.combined(function, item, stmts)
                        })
                    }
                    None => {
                        let (local, bind) = into;
                        chain.before.push(bind);
                        let label = self.next_label();
                        let stmts = self.chain_loop(chain, label, named, &mut |this, item, stmts| {
                            let value = this.apply(function, &[&Item::Value(local), item], stmts);
                            let set = this.set(local, value, named);
                            stmts.push(set);
                        });
                        let value = self.read(local, at);
                        Some(self.behind_loop(stmts, value, at))
                    }
                }
            }
            ("for_each", Some(function), None) => {
                let function = self.closure(function, 1)?;
                let label = self.next_label();
                let unit = self.push(ExprKind::Tuple(Vec::new()), Own::Closed, at);
                let hoists = self.hoists(&chain, hoisting);
                let mut sink = |this: &mut Lower<'d>, item: &Item, stmts: &mut Vec<Stmt>| {
                    let value = this.apply(function, &[item], stmts);
                    stmts.push(Stmt::Expr(value));
                };
                match hoisting {
                    Some(hoisting) if hoists => {
                        self.parallel_chain(
                            chain,
                            label,
                            at,
                            position(at),
                            Sizes::default(),
                            &mut hoisting.tops,
                            &mut sink,
                        );
                        Some(unit)
                    }
                    Some(_) | None => {
                        let stmts = self.chain_loop(chain, label, named, &mut sink);
                        Some(self.behind_loop(stmts, unit, at))
                    }
                }
            }
            // rustc counts the arguments.
            _ => None,
        }
    }

    /// A running value over the items of a chain.
    fn run(
        &mut self,
        chain: Chain<'_>,
        bind: Stmt,
        running: Running,
        hoisting: &mut Option<Hoisting>,
        at: Reach,
        term: Term<'_, 'd>,
    ) -> Option<Id<Expr>> {
        let Running { into, op, early } = running;
        let label = self.next_label();
        let hoists = self.hoists(&chain, hoisting);
        let mut sink = |this: &mut Lower<'d>, item: &Item, stmts: &mut Vec<Stmt>| {
            let value = term(this, item, stmts);
            if early && !hoists {
                let settled = this.push(ExprKind::Bool(op == ReduceOp::Or), Own::Closed, at);
                let leave = vec![this.set(into, settled, at), this.jump_out(label, at)];
                let (then, otherwise) = if op == ReduceOp::Or { (leave, Vec::new()) } else { (Vec::new(), leave) };
                stmts.push(this.branch(value, then, otherwise, at));
            } else {
                stmts.push(this.combine_into(into, op, value, at));
            }
        };
        let stmts = self.loop_of(chain, bind, into, label, hoists, hoisting, at, &mut sink);
        let value = self.read(into, at);
        Some(self.behind_loop(stmts, value, at))
    }

    /// The loop of a chain that ends in the variable `into`: a construct, if it `hoists`, else the statements that are
    /// given back.
    #[expect(clippy::too_many_arguments, reason = "what a loop is made of")]
    pub(super) fn loop_of(
        &mut self,
        mut chain: Chain<'_>,
        bind: Stmt,
        into: Id<Local>,
        label: Label,
        hoists: bool,
        hoisting: &mut Option<Hoisting>,
        at: Reach,
        sink: super::flow::Sink<'_, 'd>,
    ) -> Vec<Stmt> {
        match hoisting {
            Some(hoisting) if hoists => {
                let pos = position(at);
                // The operands of the chain come before what it starts from.
                if chain.binds {
                    let before = std::mem::take(&mut chain.before);
                    hoisting.tops.extend(before.into_iter().map(|stmt| Top::Stmt(stmt, pos)));
                    chain.binds = false;
                }
                hoisting.tops.push(Top::Stmt(bind, pos));
                self.sums.insert(into);
                self.parallel_chain(chain, label, at, pos, Sizes::default(), &mut hoisting.tops, sink);
                Vec::new()
            }
            Some(_) | None => {
                chain.before.push(bind);
                self.chain_loop(chain, label, at, sink)
            }
        }
    }

    /// Whether a chain becomes a construct before the statement that it stands in: its items can come in any order, and
    /// nothing that runs before it in the statement has an effect.
    pub(super) fn hoists(&self, chain: &Chain<'_>, hoisting: &Option<Hoisting>) -> bool {
        let Some(Hoisting { first, .. }) = hoisting else { return false };
        let before = chain.first.min(self.exprs.len());
        !chain.ordered
            && !local_items(&chain.source)
            && (*first..before).all(|id| !has_effect(&self.exprs[Id::new(id)].kind))
    }

    /// `into op= value`, or `into = into.op(value)`
    pub(super) fn combine_into(&mut self, into: Id<Local>, op: ReduceOp, value: Id<Expr>, at: Reach) -> Stmt {
        let place = Place::Local(into);
        let (kind, place_first) = match op {
            ReduceOp::Min | ReduceOp::Max => {
                let old = self.read(into, at);
                (ExprKind::Assign { place: place.clone(), value: self.of_two(op.op(), old, value, at) }, true)
            }
            ReduceOp::Add | ReduceOp::Mul | ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => {
                (ExprKind::AssignOp { op: op.op(), place: place.clone(), value }, false)
            }
        };
        let expr = self.push(kind, Own::Closed, at);
        let contribution = Contribution::Each { op, negated: false, place: place.clone(), value, place_first };
        self.update(&place, By::Each { expr, contribution }, at);
        Stmt::Expr(expr)
    }

    /// A variable that starts from what changes nothing.
    pub(super) fn start(&mut self, op: ReduceOp, sums: bool, tap: TapId, at: Reach) -> (Id<Local>, Stmt) {
        let start = self.push(ExprKind::Start { op: Some(op), sums, tap }, Own::Closed, at);
        self.running(start, tap, at)
    }

    /// A variable, and the statement that binds it.
    pub(super) fn running(&mut self, init: Id<Expr>, tap: TapId, at: Reach) -> (Id<Local>, Stmt) {
        let (local, _) = self.hidden("__qd_running", at);
        self.locals[local].tap = Some(tap);
        self.locals[local].assigned = true;
        (local, Stmt::Let { pattern: Pattern::Bind(local), init: Some(init) })
    }
}

/// Whether the items are elements of what isn't an array parameter.
fn local_items(source: &Source<'_>) -> bool {
    fn of(items: &Indexed<'_>) -> bool {
        match items {
            Indexed::Elements { base: Base::Array(_), .. } | Indexed::Numbers { .. } | Indexed::Nothing => false,
            Indexed::Elements { base: Base::Place(_), .. } => true,
            Indexed::Enumerate(inner)
            | Indexed::Skip(inner, _)
            | Indexed::Take(inner, _)
            | Indexed::Rev(inner)
            | Indexed::StepBy(inner, _)
            | Indexed::Map(inner, _) => of(inner),
            Indexed::Zip(a, b) => of(a) || of(b),
        }
    }
    match source {
        Source::Range { .. } => false,
        Source::Numbered(items) => of(items) || matches!(items.len(), Len::Endless),
    }
}

/// Whether what is evaluated after it can tell that an expression has been.
fn has_effect(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Call { .. }
            | ExprKind::Atomic { .. }
            | ExprKind::CompareExchange { .. }
            | ExprKind::Scatter { .. }
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Say { .. }
            | ExprKind::Break { .. }
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
    )
}
