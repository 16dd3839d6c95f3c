//! Ends that give an `Option`: `min().unwrap()`, `find(..).unwrap_or(v)`.
//!
//! Kernels have no `Option`s: what one would hold, and whether it does, are two variables of the loop, which the method
//! behind takes apart.
use qd_ir::arena::Id;
use qd_ir::message::Message;
use qd_ir::op::{Op, ReduceOp};
use qd_ir::sketch::{Block, Expr, ExprKind, Local, Saying, Stmt, TapId};
use qd_ir::types::Scalar;

use super::super::expr::name_reach;
use super::super::plan::Top;
use super::super::{Lower, Own, position, unwrap_parens};
use super::combine::combination;
use super::consume::{Hoisting, Term};
use super::flow::Stage;
use super::indexed::Indexed;
use super::item::Item;
use super::source::Source;
use super::{Chain, bare};
use crate::diagnostic::Code;
use crate::reach::Reach;

/// What an `Option` holds, if it holds something.
pub(super) struct Found {
    /// What comes before; nothing, if that is a construct.
    pub stmts: Vec<Stmt>,
    pub some: Id<Expr>,
    pub value: Id<Expr>,
}

/// What is done with an `Option`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tail {
    Unwrap,
    Expect,
    UnwrapOr,
    UnwrapOrElse,
    IsSome,
    IsNone,
}

impl Tail {
    fn of(name: &str, args: usize) -> Option<Tail> {
        match (name, args) {
            ("unwrap", 0) => Some(Tail::Unwrap),
            ("expect", 1) => Some(Tail::Expect),
            ("unwrap_or", 1) => Some(Tail::UnwrapOr),
            ("unwrap_or_else", 1) => Some(Tail::UnwrapOrElse),
            ("is_some", 0) => Some(Tail::IsSome),
            ("is_none", 0) => Some(Tail::IsNone),
            _ => None,
        }
    }
}

impl<'d> Lower<'d> {
    /// An `Option`, and the method that takes it apart.
    pub(super) fn taken(
        &mut self,
        call: &mut syn::ExprMethodCall,
        tap: TapId,
        hoisting: &mut Option<Hoisting>,
        at: Reach,
    ) -> Option<Id<Expr>> {
        let syn::ExprMethodCall { receiver, method, args, .. } = call;
        let named = name_reach(method);
        let Some(tail) = Tail::of(&method.to_string(), args.len()) else {
            self.refuse_option(named);
            return None;
        };
        let inner = found_by(receiver)?;
        let Found { mut stmts, some, value } = self.optional(inner, tail, tap, hoisting, at)?;
        let says = |this: &mut Self, message: Message| {
            let fail = ExprKind::Say { what: Saying::Panic, message, args: Vec::new() };
            this.push(fail, Own::Never, named)
        };
        let otherwise = match (tail, args.first_mut()) {
            (Tail::IsSome, _) => return Some(self.behind_loop(stmts, some, at)),
            (Tail::IsNone, _) => {
                let none = self.push(ExprKind::Op { op: Op::Not, args: vec![some] }, Own::Closed, at);
                return Some(self.behind_loop(stmts, none, at));
            }
            (Tail::Unwrap, _) => says(self, Message::text("called `Option::unwrap()` on a `None` value")),
            (Tail::Expect, Some(message)) => match bare(message) {
                syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => {
                    let text = text.value();
                    says(self, Message::text(text))
                }
                other => {
                    let what = "the text of a message is written out in the call";
                    self.diagnostics.on(Code::Macro, other, what, "write `.expect(\"..\")`");
                    return None;
                }
            },
            (Tail::UnwrapOr, Some(default)) => {
                let of = Reach::of(default);
                self.in_chain += 1;
                let id = self.expr(default);
                self.in_chain -= 1;
                let kept = self.keep(id, tap, of, &mut stmts);
                self.read(kept, of)
            }
            (Tail::UnwrapOrElse, Some(function)) => {
                let closure = self.closure(function, 0)?;
                let mut stmts = Vec::new();
                let value = self.apply(closure, &[], &mut stmts);
                self.behind_loop(stmts, value, at)
            }
            (Tail::Expect | Tail::UnwrapOr | Tail::UnwrapOrElse, None) => return None,
        };
        let then = Block { stmts: Vec::new(), tail: Some(value) };
        let taken = self.push(ExprKind::If { cond: some, then, otherwise: Some(otherwise) }, Own::Closed, at);
        Some(self.behind_loop(stmts, taken, at))
    }

    /// `min`, `find` and what else may find nothing.
    fn optional(
        &mut self,
        call: &mut syn::ExprMethodCall,
        tail: Tail,
        tap: TapId,
        hoisting: &mut Option<Hoisting>,
        at: Reach,
    ) -> Option<Found> {
        let syn::ExprMethodCall { receiver, method, args, .. } = call;
        let named = name_reach(method);
        let mut chain = self.chain_of(receiver)?;
        let (name, mut args) = (method.to_string(), args.iter_mut());
        let asks = matches!(tail, Tail::IsSome | Tail::IsNone);
        if asks && !matches!(name.as_str(), "find" | "position" | "last") {
            self.diagnostics.push(
                Code::Chain,
                named,
                format!("whether `{name}` finds something is whether there is an item"),
                "write `.any(|_| true)`, or compare `count()`",
            );
            return None;
        }
        match (name.as_str(), args.next()) {
            (name @ ("min" | "max"), None) => {
                let op = if name == "min" { ReduceOp::Min } else { ReduceOp::Max };
                self.extremum(chain, op, tap, hoisting, named, &mut |this, item, _| this.item_value(item, named))
            }
            ("reduce", Some(function)) => {
                let function = self.closure(function, 2)?;
                match combination(function) {
                    Some(op) => self.extremum(chain, op, tap, hoisting, named, &mut |this, item, stmts| {
                        this.combined(function, item, stmts)
                    }),
                    None => {
                        let (local, declare) = self.empty(tap, named);
                        let some = self.flag(false, &mut chain, named);
                        chain.before.push(declare);
                        let label = self.next_label();
                        let stmts = self.chain_loop(chain, label, named, &mut |this, item, stmts| {
                            let mut then = Vec::new();
                            let value = this.apply(function, &[&Item::Value(local), item], &mut then);
                            then.push(this.set(local, value, named));
                            let first = this.item_value(item, named);
                            let yes = this.push(ExprKind::Bool(true), Own::Closed, named);
                            let otherwise = vec![this.set(local, first, named), this.set(some, yes, named)];
                            let cond = this.read(some, named);
                            stmts.push(this.branch(cond, then, otherwise, named));
                        });
                        let (some, value) = (self.read(some, at), self.read(local, at));
                        Some(Found { stmts, some, value })
                    }
                }
            }
            (name @ ("min_by" | "max_by"), Some(function)) => {
                let function = self.closure(function, 2)?;
                self.extremum_by(chain, function, name == "max_by", tap, named)
            }
            (name @ ("min_by_key" | "max_by_key"), Some(function)) => {
                let function = self.closure(function, 1)?;
                self.extremum_by_key(chain, function, name == "max_by_key", tap, named)
            }
            ("position", Some(function)) => {
                let function = self.closure(function, 1)?;
                self.number(&mut chain, named);
                if !matches!(chain.stages.last(), Some(Stage::Number { .. })) {
                    // The number is that of the item, which stands beside it.
                    chain.whole = false;
                }
                self.position_of_first(chain, function, hoisting, named)
            }
            ("find", Some(function)) => {
                let function = self.closure(function, 1)?;
                let place = (!asks).then(|| self.empty(tap, named));
                self.searched(chain, place, named, Some(function))
            }
            ("last", None) => {
                let place = (!asks).then(|| self.empty(tap, named));
                self.searched(chain, place, named, None)
            }
            // rustc counts the arguments.
            _ => None,
        }
    }

    /// An item, the first for which a test holds or the last of all, kept in `place`.
    fn searched(
        &mut self,
        mut chain: Chain<'_>,
        place: Option<(Id<Local>, Stmt)>,
        at: Reach,
        mut test: Option<&mut syn::ExprClosure>,
    ) -> Option<Found> {
        let some = self.flag(false, &mut chain, at);
        let local = place.map(|(local, declare)| {
            chain.before.push(declare);
            local
        });
        let label = self.next_label();
        let stmts = self.chain_loop(chain, label, at, &mut |this, item, stmts| {
            let found = test.as_mut().map(|test| this.ask(test, item, stmts));
            let mut then = Vec::new();
            if let Some(local) = local {
                let value = this.item_value(item, at);
                then.push(this.set(local, value, at));
            }
            let yes = this.push(ExprKind::Bool(true), Own::Closed, at);
            then.push(this.set(some, yes, at));
            match found {
                Some(found) => {
                    then.push(this.jump_out(label, at));
                    stmts.push(this.branch(found, then, Vec::new(), at));
                }
                None => stmts.append(&mut then),
            }
        });
        let some = self.read(some, at);
        let value = local.map_or(some, |local| self.read(local, at));
        Some(Found { stmts, some, value })
    }

    /// `position`: the items are pairs of number and item.
    fn position_of_first(
        &mut self,
        chain: Chain<'_>,
        function: &mut syn::ExprClosure,
        hoisting: &mut Option<Hoisting>,
        at: Reach,
    ) -> Option<Found> {
        // No item has this number.
        let none = self.number_of(u128::from(u64::MAX), at);
        let known = self.taps.known(Scalar::Usize);
        let (local, bind) = self.running(none, known, at);
        let label = self.next_label();
        let hoists = self.hoists(&chain, hoisting);
        let mut sink = |this: &mut Lower<'d>, item: &Item, stmts: &mut Vec<Stmt>| {
            let Item::Pair(number, item) = item else { return };
            let found = this.apply(function, &[item], stmts);
            let number = this.item_value(number, at);
            let then = if hoists {
                vec![this.combine_into(local, ReduceOp::Min, number, at)]
            } else {
                vec![this.set(local, number, at), this.jump_out(label, at)]
            };
            stmts.push(this.branch(found, then, Vec::new(), at));
        };
        let stmts = self.loop_of(chain, bind, local, label, hoists, hoisting, at, &mut sink);
        let (value, none) = (self.read(local, at), self.number_of(u128::from(u64::MAX), at));
        let some = self.of_two(Op::Ne, value, none, at);
        Some(Found { stmts, some, value })
    }

    /// `min`, `max`, and `reduce` by an operation that has a value to start from.
    fn extremum(
        &mut self,
        mut chain: Chain<'_>,
        op: ReduceOp,
        tap: TapId,
        hoisting: &mut Option<Hoisting>,
        at: Reach,
        term: Term<'_, 'd>,
    ) -> Option<Found> {
        let (local, bind) = self.start(op, false, tap, at);
        let some = if chain.whole { self.is_occupied(&mut chain, at) } else { None };
        let hoists = self.hoists(&chain, hoisting) && !gives_tuples(&chain);
        let flag = match some {
            Some(_) => None,
            None => {
                let no = self.push(ExprKind::Bool(false), Own::Closed, at);
                let known = self.taps.known(Scalar::Bool);
                Some(self.running(no, known, at))
            }
        };
        let flagged = flag.as_ref().map(|(flag, _)| *flag);
        if let Some((flag, bind)) = flag {
            match hoisting {
                Some(hoisting) if hoists => {
                    hoisting.tops.push(Top::Stmt(bind, position(at)));
                    self.sums.insert(flag);
                }
                Some(_) | None => chain.before.push(bind),
            }
        }
        let label = self.next_label();
        let mut sink = |this: &mut Lower<'d>, item: &Item, stmts: &mut Vec<Stmt>| {
            let value = term(this, item, stmts);
            stmts.push(this.combine_into(local, op, value, at));
            if let Some(flag) = flagged {
                let yes = this.push(ExprKind::Bool(true), Own::Closed, at);
                stmts.push(this.combine_into(flag, ReduceOp::Or, yes, at));
            }
        };
        let stmts = self.loop_of(chain, bind, local, label, hoists, hoisting, at, &mut sink);
        let value = self.read(local, at);
        let some = match (some, flagged) {
            (Some(some), _) => some,
            (None, Some(flag)) => self.read(flag, at),
            (None, None) => return None,
        };
        Some(Found { stmts, some, value })
    }

    /// Whether a chain has an item, if that is seen before the loop.
    fn is_occupied(&mut self, chain: &mut Chain<'_>, at: Reach) -> Option<Id<Expr>> {
        match &chain.source {
            Source::Range { steps, tap } => {
                let (lo, hi, inclusive, tap) = (steps.lo, steps.hi, steps.inclusive, *tap);
                let lo = self.kept_operand(lo, Some(tap), chain, at);
                let hi = self.kept_operand(hi, Some(tap), chain, at);
                if let Source::Range { steps, .. } = &mut chain.source {
                    (steps.lo, steps.hi) = (lo, hi);
                }
                Some(self.of_two(if inclusive { Op::Le } else { Op::Lt }, lo, hi, at))
            }
            Source::Numbered(items) => {
                let len = items.len();
                let (len, zero) = (self.len_value(&len, at), self.number_of(0, at));
                Some(self.of_two(Op::Ne, len, zero, at))
            }
        }
    }

    /// A variable that isn't read before it has another value.
    pub(super) fn empty(&mut self, tap: TapId, at: Reach) -> (Id<Local>, Stmt) {
        let start = self.push(ExprKind::Start { op: None, sums: false, tap }, Own::Closed, at);
        self.running(start, tap, at)
    }
}

/// The call that gives an `Option`, behind `copied` and `cloned`.
fn found_by(syntax: &mut syn::Expr) -> Option<&mut syn::ExprMethodCall> {
    let syn::Expr::MethodCall(call) = unwrap_parens(syntax) else { return None };
    if call.method == "copied" || call.method == "cloned" {
        return found_by(&mut call.receiver);
    }
    Some(call)
}

/// Whether the items of a chain are seen to be tuples, which no loop reduces as a whole.
fn gives_tuples(chain: &Chain<'_>) -> bool {
    let last = chain.stages.iter().rev().find(|stage| !matches!(stage, Stage::Filter(_) | Stage::Inspect(_)));
    match last {
        Some(Stage::Map(function)) => matches!(bare(&function.body), syn::Expr::Tuple(_)),
        Some(Stage::Number { .. } | Stage::Zip { .. }) => true,
        Some(
            Stage::Filter(_)
            | Stage::Inspect(_)
            | Stage::TakeWhile(_)
            | Stage::SkipWhile { .. }
            | Stage::Skip { .. }
            | Stage::Take { .. }
            | Stage::StepBy { .. },
        ) => false,
        None => match &chain.source {
            Source::Range { .. } => false,
            Source::Numbered(items) => matches!(items, Indexed::Enumerate(_) | Indexed::Zip(..)),
        },
    }
}
