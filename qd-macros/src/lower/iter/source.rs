//! Sources: arrays, parts of arrays, ranges; and what keeps their items numbered.
//!
//! A range alone is walked over as it is, maybe backwards and in steps. All else has numbered items: `enumerate`, `zip`,
//! `skip`, `take` and `rev` of numbered items only say which number leads to which item. No closure runs to find one
//! (but for a `map` in the argument of `zip`, which is asked for each item once, in order).
use qd_ir::arena::Id;
use qd_ir::message::Message;
use qd_ir::op::Op;
use qd_ir::sketch::{Adapter, Domain, Expr, ExprKind, Local, Place, Projection, Saying, Steps, Stmt, TapId, TypeName};
use qd_ir::types::Scalar;

use super::super::bracket::bracket_reach;
use super::super::scope::Binding;
use super::super::{Lower, Own, unwrap_parens};
use super::flow::Stage;
use super::indexed::{Indexed, Len};
use super::item::{Base, Mode};
use super::{Chain, Kind, kind};
use crate::diagnostic::Code;
use crate::reach::Reach;
use crate::taps::replace;

/// Where items come from.
pub(super) enum Source<'s> {
    /// A range with its adapters; its items are of the tap's type.
    Range {
        steps: Steps,
        tap: TapId,
    },
    Numbered(Indexed<'s>),
}

impl<'d> Lower<'d> {
    /// `a..b`, `(a..=b).rev()`, `a..`
    pub(super) fn range_source<'s>(&mut self, syntax: &mut syn::Expr, at: Reach) -> Option<Chain<'s>> {
        if let syn::Expr::Range(syn::ExprRange { start: Some(lo), end: None, .. }) = unwrap_parens(syntax) {
            let first = self.expr(lo);
            let tap = self.taps.id(lo);
            let mut chain = Chain::new(Source::Numbered(Indexed::Nothing), self.exprs.len());
            self.taps.counted(syntax);
            let lo = self.kept_operand(first, Some(tap), &mut chain, at);
            chain.source = Source::Numbered(Indexed::Numbers { lo, hi: None, inclusive: false, tap });
            return Some(chain);
        }
        let mut bounds = Vec::new();
        let steps = self.steps(syntax, &mut bounds)?;
        let tap = self.taps.id(bounds.first_mut()?);
        self.taps.counted(syntax);
        Some(Chain::new(Source::Range { steps, tap }, self.exprs.len()))
    }

    /// `x.iter()`, `x.iter_mut()`
    pub(super) fn array_source<'s>(&mut self, receiver: &mut syn::Expr, mode: Mode) -> Option<Chain<'s>> {
        let mut chain = Chain::new(Source::Numbered(Indexed::Nothing), self.exprs.len());
        let elements = self.elements(receiver, mode, &mut chain)?;
        chain.source = Source::Numbered(elements);
        Some(chain)
    }

    /// What a loop runs over by its own: `&x`, `&mut x`, `x` that is a reference or a fixed array.
    pub(super) fn whole_source<'s>(&mut self, syntax: &mut syn::Expr) -> Option<Chain<'s>> {
        let of = |exclusive| if exclusive { Mode::Exclusive } else { Mode::Shared };
        let mode = match unwrap_parens(syntax) {
            syn::Expr::Reference(reference) => {
                let mode = of(reference.mutability.is_some());
                return self.array_source(&mut reference.expr, mode);
            }
            syn::Expr::Path(path) => match path.path.get_ident().and_then(|name| self.scope.find(name)) {
                Some(Binding::Array(param)) => {
                    let mode = of(self.references.get(&param).is_some_and(|found| !found.shared));
                    return self.referred_source(syntax, mode);
                }
                Some(Binding::Element(name)) => {
                    let mode = self.elements.get(&name).map_or(Mode::Shared, |element| element.mode);
                    return self.referred_source(syntax, mode);
                }
                Some(Binding::Local(_) | Binding::Item) | None => Mode::Value,
            },
            _ => Mode::Value,
        };
        self.array_source(syntax, mode)
    }

    /// Of a name that is a reference, which it stays in the copy.
    fn referred_source<'s>(&mut self, syntax: &mut syn::Expr, mode: Mode) -> Option<Chain<'s>> {
        let chain = self.array_source(syntax, mode);
        replace(syntax, |inner| match mode {
            Mode::Exclusive => syn::parse_quote!(&mut #inner),
            Mode::Shared | Mode::Value => syn::parse_quote!(& #inner),
        });
        chain
    }

    fn elements<'s>(&mut self, syntax: &mut syn::Expr, mode: Mode, chain: &mut Chain<'_>) -> Option<Indexed<'s>> {
        let field = self.names_field(syntax);
        if let Some(param) = self.array_of(syntax) {
            let place = field || matches!(unwrap_parens(syntax), syn::Expr::Unary(_));
            if mode == Mode::Exclusive {
                self.writes_elements(param, syntax);
            }
            self.taps.line(syntax, mode == Mode::Exclusive, !place);
            let base = Base::Array(param);
            return Some(Indexed::Elements { base, mode, start: None, len: Len::Array(param) });
        }
        let of = Reach::of(syntax);
        if let syn::Expr::Index(index) = unwrap_parens(syntax)
            && matches!(unwrap_parens(&mut index.index), syn::Expr::Range(_))
        {
            let bracket = bracket_reach(index);
            let whole = self.elements(&mut index.expr, mode, chain)?;
            let Indexed::Elements { base, mode, start: None, len } = whole else {
                self.diagnostics.push(
                    Code::IndexBase,
                    of,
                    "a part of a part of an array can't be taken in a kernel",
                    "write one range: `x[a + c..a + d]`",
                );
                return None;
            };
            let syn::Expr::Range(range) = unwrap_parens(&mut index.index) else { return None };
            let (start, len) = self.sub_slice(range, len, chain, bracket);
            return Some(Indexed::Elements { base, mode, start, len });
        }
        if self.hidden_array(syntax) {
            return None;
        }
        let (place, tap) = self.fixed_array(syntax, mode, chain, of)?;
        let whole = match &place {
            Place::Part(local, path) => {
                let whole = self.read(*local, of);
                self.projection_of(whole, path, of)
            }
            Place::Element { array, index, path } => {
                let load = self.push_access(ExprKind::Load { array: *array, index: index.clone() }, of);
                self.refers(load);
                self.projection_of(load, path, of)
            }
            Place::Local(local) => self.read(*local, of),
            Place::Wild | Place::Tuple(_) => return None,
        };
        // An element of an array: its index is checked here, once.
        if let Place::Element { .. } = &place {
            self.keep(whole, tap, of, &mut chain.before);
            chain.binds = true;
        }
        let len = Len::Value(self.push(ExprKind::Count(whole), Own::Closed, of));
        Some(Indexed::Elements { base: Base::Place(place), mode, start: None, len })
    }

    fn projection_of(&mut self, from: Id<Expr>, path: &[Projection], at: Reach) -> Id<Expr> {
        path.iter().fold(from, |value, step| {
            let kind = match step {
                Projection::Field(member) => ExprKind::Field(value, member.clone()),
                Projection::Index(index) => ExprKind::Index(value, *index),
            };
            self.push(kind, Own::Closed, at)
        })
    }

    /// A fixed array as a place, and its type: a variable, a part of one or of an element, or a value that is put into a
    /// variable.
    fn fixed_array(
        &mut self,
        syntax: &mut syn::Expr,
        mode: Mode,
        chain: &mut Chain<'_>,
        at: Reach,
    ) -> Option<(Place, TapId)> {
        let exclusive = mode == Mode::Exclusive;
        let element = self.element_of(syntax);
        let referred = element.is_some();
        let place = match element {
            Some(element) => Some(self.element_place(&element, at)),
            None if mode != Mode::Value && self.names_place(syntax) => {
                let place = self.place(syntax)?;
                if exclusive {
                    self.updates_in(&place, at);
                }
                Some(self.settled(place, chain, at))
            }
            None => None,
        };
        let told = self.diagnostics.len();
        let (place, value) = match place {
            Some(place) => (Some(place), None),
            None => (None, Some(self.expr(syntax))),
        };
        if self.diagnostics.len() > told {
            return None;
        }
        let tap = self.taps.fixed(syntax, exclusive, referred);
        let place = match (place, value) {
            (Some(place), _) => place,
            (None, Some(value)) => {
                chain.binds = true;
                let local = self.keep(value, tap, at, &mut chain.before);
                if exclusive {
                    self.locals[local].assigned = true;
                }
                Place::Local(local)
            }
            (None, None) => return None,
        };
        Some((place, tap))
    }

    /// Whether an expression names a variable, or a part of one or of an array.
    fn names_place(&self, syntax: &mut syn::Expr) -> bool {
        match unwrap_parens(syntax) {
            syn::Expr::Path(path) => match path.path.get_ident().and_then(|name| self.scope.find(name)) {
                Some(Binding::Local(_) | Binding::Array(_) | Binding::Element(_)) => true,
                Some(Binding::Item) | None => false,
            },
            syn::Expr::Index(index) => self.names_place(&mut index.expr),
            syn::Expr::Field(field) => self.names_place(&mut field.base),
            _ => false,
        }
    }

    /// A place whose indices have been evaluated.
    fn settled(&mut self, place: Place, chain: &mut Chain<'_>, at: Reach) -> Place {
        let mut settle = |this: &mut Self, index: Id<Expr>| {
            if this.repeatable(index) || matches!(this.exprs[index].kind, ExprKind::Int { .. }) {
                return index;
            }
            chain.binds = true;
            let tap = this.taps.known(Scalar::Usize);
            let local = this.keep(index, tap, at, &mut chain.before);
            this.read(local, at)
        };
        let mut steps = |this: &mut Self, path: Vec<Projection>| -> Vec<Projection> {
            path.into_iter()
                .map(|step| match step {
                    Projection::Field(member) => Projection::Field(member),
                    Projection::Index(index) => Projection::Index(settle(this, index)),
                })
                .collect()
        };
        match place {
            Place::Part(local, path) => Place::Part(local, steps(self, path)),
            Place::Element { array, index, path } => {
                let indices = index.into_iter().map(Projection::Index).collect();
                let index = steps(self, indices).into_iter().filter_map(|step| match step {
                    Projection::Index(index) => Some(index),
                    Projection::Field(_) => None,
                });
                let index = index.collect();
                Place::Element { array, index, path: steps(self, path) }
            }
            other @ (Place::Wild | Place::Local(_) | Place::Tuple(_)) => other,
        }
    }

    /// `assert!(step != 0)`, as std's `step_by` does.
    pub(super) fn assert_step(&mut self, step: Id<Expr>, chain: &mut Chain<'_>, at: Reach) {
        let zero = self.number_of(0, at);
        let bad = self.of_two(Op::Eq, step, zero, at);
        let message = Message::text("assertion failed: step != 0");
        let fail = self.push(ExprKind::Say { what: Saying::Panic, message, args: Vec::new() }, Own::Never, at);
        let check = self.branch(bad, vec![Stmt::Expr(fail)], Vec::new(), at);
        chain.before.push(check);
    }

    /// Fails for the one range whose length is no `usize`.
    fn assert_numbered(&mut self, lo: Id<Expr>, hi: Id<Expr>, chain: &mut Chain<'_>, at: Reach) {
        let some = self.of_two(Op::Le, lo, hi, at);
        let apart = self.of_two(Op::AbsDiff, hi, lo, at);
        let apart = self.push(ExprKind::Cast { value: apart, to: TypeName::Scalar(Scalar::Usize) }, Own::Closed, at);
        let most = self.number_of(u128::from(u64::MAX), at);
        let whole = self.of_two(Op::Eq, apart, most, at);
        let bad = self.push(ExprKind::LazyAnd(some, whole), Own::Closed, at);
        let message = Message::text("a range of 2^64 numbers has a length that is no `usize`");
        let fail = self.push(ExprKind::Say { what: Saying::Panic, message, args: Vec::new() }, Own::Never, at);
        let check = self.branch(bad, vec![Stmt::Expr(fail)], Vec::new(), at);
        chain.before.push(check);
    }

    /// `.rev()`; the stages so far don't care from which end items come.
    pub(super) fn reverse(&mut self, chain: &mut Chain<'_>, at: Reach) -> Option<()> {
        if chain.ordered || chain.stages.iter().any(|stage| matches!(stage, Stage::Number { .. })) {
            self.diagnostics.push(
                Code::Chain,
                at,
                "`rev` can't stand behind stages that count items from the front",
                "write `rev` directly behind the array or range, or behind `enumerate`, `zip`, `skip`, `take` of it",
            );
            return None;
        }
        match &mut chain.source {
            Source::Range { steps, .. } => steps.adapters.push(Adapter::Rev),
            Source::Numbered(_) => chain.order.push(Adapter::Rev),
        }
        Some(())
    }

    /// `.step_by(step)` of a source.
    pub(super) fn step(&mut self, chain: &mut Chain<'_>, step: Id<Expr>, at: Reach) {
        match &mut chain.source {
            Source::Range { steps, .. } => steps.adapters.push(Adapter::StepBy(step)),
            Source::Numbered(items) if matches!(items.len(), Len::Endless) => {
                items.wrap(|items| Indexed::StepBy(items, step));
                self.assert_step(step, chain, at);
            }
            Source::Numbered(_) => chain.order.push(Adapter::StepBy(step)),
        }
    }

    /// The numbered items of a chain that has only a source.
    pub(super) fn plain_items<'a, 's>(&mut self, chain: &'a mut Chain<'s>, at: Reach) -> Option<&'a mut Indexed<'s>> {
        if !chain.stages.is_empty() {
            return None;
        }
        self.numbered(chain, at);
        match &mut chain.source {
            Source::Numbered(items) => Some(items),
            Source::Range { .. } => None,
        }
    }

    /// Makes the items of a source numbered, in the order in which they come.
    pub(super) fn numbered(&mut self, chain: &mut Chain<'_>, at: Reach) {
        let order = match &mut chain.source {
            Source::Numbered(_) => std::mem::take(&mut chain.order),
            Source::Range { steps, tap } => {
                let (Steps { lo, hi, inclusive, adapters }, tap) = (steps.clone(), *tap);
                let lo = self.kept_operand(lo, Some(tap), chain, at);
                let hi = self.kept_operand(hi, Some(tap), chain, at);
                if inclusive {
                    self.assert_numbered(lo, hi, chain, at);
                }
                chain.source = Source::Numbered(Indexed::Numbers { lo, hi: Some(hi), inclusive, tap });
                adapters
            }
        };
        for adapter in order {
            if let Adapter::StepBy(step) = adapter {
                self.assert_step(step, chain, at);
            }
            let Source::Numbered(items) = &mut chain.source else { continue };
            items.wrap(|items| match adapter {
                Adapter::Rev => Indexed::Rev(items),
                Adapter::StepBy(step) => Indexed::StepBy(items, step),
            });
        }
    }

    /// `.enumerate()`
    pub(super) fn number(&mut self, chain: &mut Chain<'_>, at: Reach) {
        if let Some(items) = self.plain_items(chain, at) {
            return items.wrap(Indexed::Enumerate);
        }
        if chain.whole && !chain.ordered {
            self.numbered(chain, at);
            chain.stages.push(Stage::Number { counter: None });
        } else {
            let counter = self.counter(0, chain, at);
            chain.push_ordered(Stage::Number { counter: Some(counter) });
        }
    }

    /// `.zip(other)`
    pub(super) fn zip<'s>(&mut self, chain: &mut Chain<'s>, other: &'s mut syn::Expr, at: Reach) -> Option<()> {
        let of = Reach::of(other);
        let mut second = match kind(other) {
            Kind::Iterator | Kind::Other => self.chain_of(other)?,
            Kind::Option | Kind::Value => {
                self.diagnostics.push(
                    Code::Chain,
                    of,
                    "`zip` takes an iterator",
                    "write `x.iter()`, a range, or a chain of these",
                );
                return None;
            }
        };
        self.numbered(&mut second, at);
        chain.binds |= second.binds;
        chain.before.append(&mut second.before);
        let Source::Numbered(mut items) = second.source else { return None };
        for stage in second.stages {
            match stage {
                Stage::Map(function) => items.wrap(|items| Indexed::Map(items, function)),
                Stage::Filter(_)
                | Stage::Inspect(_)
                | Stage::TakeWhile(_)
                | Stage::SkipWhile { .. }
                | Stage::Number { .. }
                | Stage::Zip { .. }
                | Stage::Skip { .. }
                | Stage::Take { .. }
                | Stage::StepBy { .. } => {
                    self.diagnostics.push(
                        Code::Chain,
                        of,
                        "what `zip` is given has numbered items in a kernel: only `map` may run code in it",
                        "put the rest behind the `zip`",
                    );
                    return None;
                }
            }
        }
        match self.plain_items(chain, at) {
            Some(first) => first.wrap(|first| Indexed::Zip(first, Box::new(items))),
            None => {
                let counter = self.counter(0, chain, at);
                let len = self.len_value(&items.len(), at);
                let len = self.kept_operand(len, None, chain, at);
                chain.push_ordered(Stage::Zip { items, counter, len });
            }
        }
        Some(())
    }

    /// What the loop of a chain runs over; its variable gets a type by [`variable_of`](Self::variable_of).
    pub(super) fn chain_domain(&mut self, chain: &mut Chain<'_>, at: Reach) -> Domain {
        match &mut chain.source {
            Source::Range { steps, .. } => {
                let steps = steps.clone();
                match !steps.inclusive && steps.adapters.is_empty() {
                    true => Domain::Range { lo: steps.lo, hi: steps.hi, tap: None },
                    false => Domain::Steps(steps),
                }
            }
            Source::Numbered(items) => {
                let len = items.len();
                let adapters = std::mem::take(&mut chain.order);
                let lo = self.number_of(0, at);
                let hi = self.len_value(&len, at);
                match adapters.is_empty() {
                    true => Domain::Range { lo, hi, tap: None },
                    false => Domain::Steps(Steps { lo, hi, inclusive: false, adapters }),
                }
            }
        }
    }

    /// The variable of the loop of a chain.
    pub(super) fn variable_of(&mut self, chain: &Chain<'_>, at: Reach) -> Id<Local> {
        let tap = match &chain.source {
            Source::Range { tap, .. } => *tap,
            Source::Numbered(_) => self.taps.known(Scalar::Usize),
        };
        let (local, _) = self.hidden("__qd_number", at);
        self.locals[local].tap = Some(tap);
        local
    }
}
