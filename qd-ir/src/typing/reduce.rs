//! Contributions to reductions: which scalars of a variable take part in which reduction of the task.
//!
//! A reduction is made where the first contribution to it stands, so that they are numbered by first use. Each scalar
//! of a variable has one of its own; those between which an index chooses at run time lie in a list; and the scalars that
//! an extreme sets belong together.
use super::hint::Hint;
use super::storage::Storage;
use super::task::{Builder, Lower, Val};
use super::{LocalId, TypeError};
use crate::arena::{Arena, Id};
use crate::body::{Part, Region, Step, Stmt, Value};
use crate::fault::Site;
use crate::op::{Op, ReduceOp};
use crate::plan::{Slot, Source};
use crate::reduce::{is_order_free, takes};
use crate::refusal::Refusal;
use crate::sketch::{Contribution, Expr, Place, Projection};
use crate::source_map::Pos;
use crate::task::{Order, Reduction};
use crate::types::{Scalar, Type};

/// What a parallel loop reduces.
#[derive(Default)]
pub(super) struct Reducing {
    locals: Vec<Variable>,
    /// The reductions so far.
    pub made: Arena<Reduction>,
    /// For each scalar of each of them where the prior value is, and where the result goes.
    pub slots: Vec<(Source, Id<Slot>)>,
}

/// A top-level variable that a parallel loop reduces into.
struct Variable {
    local: LocalId,
    /// One a scalar.
    slots: Vec<(Id<Slot>, Scalar)>,
    /// For each scalar the reduction that it takes part in.
    roles: Vec<Option<Role>>,
}

/// What a scalar is to a reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It is combined by an operation; in a list at that place.
    Each { reduction: Id<Reduction>, at: u32, op: ReduceOp },
    /// That scalar of an extreme's key and what goes with it.
    Extreme { reduction: Id<Reduction>, at: usize },
}

/// An operation and where it is contributed.
#[derive(Clone, Copy)]
struct Each<'a> {
    op: ReduceOp,
    negated: bool,
    place: &'a Place,
    value: Id<Expr>,
    place_first: bool,
}

/// An extreme as the sketch has it.
#[derive(Clone, Copy)]
struct Extreme<'a> {
    order: Order,
    best: &'a Place,
    key: Id<Expr>,
    binds: &'a [crate::sketch::Stmt],
    with: &'a [(Place, Id<Expr>)],
}

impl Builder<'_> {
    /// The loop reduces into `local`, whose scalars live in these slots.
    pub fn reduces(&mut self, local: LocalId, slots: Vec<(Id<Slot>, Scalar)>) {
        let roles = vec![None; slots.len()];
        self.reducing.locals.push(Variable { local, slots, roles });
    }

    /// Whether the loop, as far as it has been lowered, reduces into one of these scalars of a name. The macro refuses
    /// reads on either side of a contribution; this is a second look.
    pub fn is_reduced(&self, local: LocalId, range: std::ops::Range<usize>) -> bool {
        self.scope.func.is_none()
            && self.reduced_variable(local).is_some_and(|v| v.roles[range].iter().any(Option::is_some))
    }

    fn reduced_variable(&self, local: LocalId) -> Option<&Variable> {
        self.reducing.locals.iter().find(|variable| variable.local == local)
    }

    fn variable_mut(&mut self, local: LocalId, pos: Pos) -> Result<&mut Variable, TypeError> {
        let name = &self.facts.sketch.locals[local].name;
        let missing = self.facts.error(pos, format!("`{name}` isn't reduced into"));
        self.reducing.locals.iter_mut().find(|variable| variable.local == local).ok_or(missing)
    }

    /// What the iteration adds to variables of the top level, the expression `update`; `in_order` is the same as an
    /// ordinary statement.
    pub fn contribute(
        &mut self,
        update: Id<Expr>,
        contribution: &Contribution,
        in_order: Id<Expr>,
        pos: Pos,
    ) -> Lower<Val> {
        let (Contribution::Each { place, .. } | Contribution::Extreme { best: place, .. }) = contribution;
        if rooted(place).is_some_and(|(local, _)| self.reduced_variable(local).is_none()) {
            return self.expr(in_order, &Hint::Type(Type::UNIT));
        }
        match contribution {
            Contribution::Each { op, negated, place, value, place_first } => {
                let (op, negated) = (*op, *negated);
                let place_first = *place_first || self.facts.place_first(update);
                self.each(Each { op, negated, place, value: *value, place_first }, pos)?;
            }
            Contribution::Extreme { greatest, last, best, key, binds, with } => {
                let order = Order { greatest: *greatest, last: *last };
                self.extreme(Extreme { order, best, key: *key, binds, with }, pos)?;
            }
        }
        Ok(Val::UNIT)
    }

    fn each(&mut self, each: Each<'_>, pos: Pos) -> Lower<()> {
        let facts = self.facts;
        let Each { op, negated, place, value, place_first } = each;
        let (local, path) = rooted(place).ok_or_else(|| facts.error(pos, "a contribution to what is no variable"))?;
        let ty = facts.projected(facts.local(local, pos)?, path, pos)?;
        let refused = || {
            let name = op.op();
            facts.unsupported(
                Refusal::Carried,
                pos,
                format!("`{name}` of values of type `{ty}` over a parallel loop: reduce their scalars, or write `#[qd::serial]` before the loop"),
            )
        };
        let by_component = match &ty {
            Type::Scalar(_) => true,
            Type::Vector(..) => facts.own(value) == Some(&ty),
            // The product of matrices isn't taken component by component.
            Type::Matrix(..) => op == ReduceOp::Add,
            // They compare part by part, and the first that differ decide.
            Type::Tuple(_) | Type::Fixed(..) if matches!(op, ReduceOp::Min | ReduceOp::Max) => {
                return self.least(each, local, &ty, pos);
            }
            Type::Tuple(_) | Type::Fixed(..) | Type::Struct(_) | Type::Enum { .. } => return Err(refused().into()),
            Type::Array { .. } | Type::Never => false,
        };
        let scalar = ty.component().or(ty.as_scalar()).filter(|_| by_component).ok_or_else(refused)?;
        if !takes(scalar, op) {
            return Err(facts.error(pos, format!("a reduction of {ty} by `{}`", op.op())).into());
        }
        // Operators of what isn't primitive take the place first.
        let place_first = place_first || !ty.as_scalar().is_some_and(Scalar::is_primitive);
        let before = if place_first { Some(self.reduced_place(local, path, pos)?) } else { None };
        let value = self.expr(value, &Hint::Type(ty.clone()))?;
        facts.same(pos, &ty, &value.ty)?;
        let stored = match before {
            Some(stored) => stored,
            None => self.reduced_place(local, path, pos)?,
        };
        for (part, &value) in value.parts.iter().enumerate() {
            // Subtracting is adding the negative: of floats to the bit, of integers as they wrap.
            let negative = if scalar.is_int() { Op::WrappingNeg } else { Op::Neg };
            let value = if negated { self.op(negative, vec![value], scalar, pos) } else { value };
            self.add(local, op, &stored, part, value)?;
        }
        Ok(())
    }

    /// A place in a reduced variable, its indices evaluated and checked.
    fn reduced_place(&mut self, local: LocalId, path: &[Projection], pos: Pos) -> Lower<Storage> {
        let whole = Storage::reduced(local, self.facts.local(local, pos)?.clone(), pos);
        self.projected(whole, path, pos)
    }

    /// Contributes to one scalar of a place.
    fn add(&mut self, local: LocalId, op: ReduceOp, stored: &Storage, part: usize, value: Id<Value>) -> Lower<()> {
        let facts = self.facts;
        let pos = stored.pos();
        let number = stored.start() + part;
        if self.variable_mut(local, pos)?.roles.get(number).copied().flatten().is_none() {
            self.make(local, op, number, pos)?;
        }
        let variable = self.variable_mut(local, pos)?;
        let len = variable.roles.len();
        let (reduction, at) = match variable.roles[number] {
            Some(Role::Each { reduction, at, op: known }) if known == op => (reduction, at),
            Some(other) => return Err(self.two_ways((local, number), other, Some(op), pos).into()),
            None => return Err(facts.error(pos, "a contribution to no reduction").into()),
        };
        let is_list = matches!(self.reducing.made[reduction], Reduction::Each { len, .. } if len > 1);
        if !is_list {
            // An index that is known only at run time has but one element to lead to.
            self.push(Stmt::Reduce { reduction, value });
            return Ok(());
        }
        let mut steps = Vec::with_capacity(stored.steps().len());
        for dynamic in stored.steps() {
            let next = number + dynamic.width;
            let stride = match self.variable_mut(local, pos)?.roles.get(next).copied().flatten() {
                Some(Role::Each { at: next, .. }) if dynamic.len > 1 && next > at => next - at,
                Some(_) | None if dynamic.len == 1 => 1,
                Some(_) | None => return Err(facts.error(pos, format!("scalar {next} of {len} is in no list")).into()),
            };
            steps.push(Step { index: dynamic.index, len: dynamic.len, stride });
        }
        self.push(Stmt::ReducePart { reduction, part: Part { base: at, steps }, value });
        Ok(())
    }

    /// Makes the reduction that a scalar takes part in: its own, or that of its list.
    fn make(&mut self, local: LocalId, op: ReduceOp, number: usize, pos: Pos) -> Lower<()> {
        let facts = self.facts;
        let mates = facts.list(local, number).map_or_else(|| vec![number], |list| list.scalars());
        let len = mates.len() as u32;
        let variable = self.variable_mut(local, pos)?;
        let missing =
            TypeError { message: "a variable has fewer scalars than its type".into(), ..facts.error(pos, "") };
        let ty = variable.slots.get(number).ok_or(missing)?.1;
        let slots: Vec<_> = mates.iter().map(|mate| variable.slots[*mate].0).collect();
        if let Some(other) = mates.iter().find_map(|mate| variable.roles[*mate]) {
            return Err(self.two_ways((local, number), other, Some(op), pos).into());
        }
        if len > 1 && !is_order_free(ty, op) {
            let name = &facts.sketch.locals[local].name;
            let message = format!(
                "elements of `{name}` that are chosen at run time are combined in any order, and `{}` of {ty} depends on \
                 it: count in integers, pass an array and use `qd::atomic::{}`, or write `#[qd::serial]` before the loop",
                op.op(),
                op.op()
            );
            return Err(facts.unsupported(Refusal::Carried, pos, message).into());
        }
        let reduction = self.reducing.made.push(Reduction::Each { op, ty, len });
        self.reducing.slots.extend(slots.into_iter().map(|slot| (Source::Slot(slot), slot)));
        let variable = self.variable_mut(local, pos)?;
        for (mate, at) in mates.into_iter().zip(0..) {
            variable.roles[mate] = Some(Role::Each { reduction, at, op });
        }
        Ok(())
    }

    /// The error for a scalar that is updated by `op`, or by an extreme, and already is something else.
    fn two_ways(&self, scalar: (LocalId, usize), other: Role, op: Option<ReduceOp>, pos: Pos) -> TypeError {
        let by = |op: Option<ReduceOp>| op.map_or("as part of an extreme".to_owned(), |op| format!("by `{}`", op.op()));
        let known = match other {
            Role::Each { op, .. } => Some(op),
            Role::Extreme { .. } => None,
        };
        let message = format!(
            "`{}` is updated {} here and {} elsewhere in the loop, and iterations run in any order: use one variable for \
             each, or write `#[qd::serial]` before the loop",
            self.facts.spelled(scalar.0, scalar.1),
            by(op),
            if op.is_none() && known.is_none() { "of another one".to_owned() } else { by(known) },
        );
        self.facts.unsupported(Refusal::Carried, pos, message)
    }

    /// `best = best.min((key, i))`: the least of tuples, without ties.
    fn least(&mut self, each: Each<'_>, local: LocalId, ty: &Type, pos: Pos) -> Lower<()> {
        let facts = self.facts;
        let Some((_, path)) = rooted(each.place) else { return Ok(()) };
        let key = facts.key(ty, pos)?;
        let value = self.expr(each.value, &Hint::Type(ty.clone()))?;
        let stored = self.reduced_place(local, path, pos)?;
        self.whole(&stored)?;
        let order = Order { greatest: each.op == ReduceOp::Max, last: false };
        let scalars: Vec<_> = (stored.start()..stored.start() + key.len()).map(|at| (local, at)).collect();
        self.offer(order, &scalars, key.len(), value.parts, pos)
    }

    /// `if key < best { best = key; .. }`
    fn extreme(&mut self, extreme: Extreme<'_>, pos: Pos) -> Lower<()> {
        let facts = self.facts;
        let Extreme { order, best, key, binds, with } = extreme;
        let no_variable = || facts.error(pos, "an extreme of what is no variable");
        let (local, path) = rooted(best).ok_or_else(no_variable)?;
        let stored = self.reduced_place(local, path, pos)?;
        self.whole(&stored)?;
        let key_types = facts.key(stored.ty(), pos)?;
        let value = self.expr(key, &Hint::Type(stored.ty().clone()))?;
        facts.same(pos, stored.ty(), &value.ty)?;
        let mut scalars: Vec<_> = (stored.start()..stored.start() + key_types.len()).map(|at| (local, at)).collect();
        let mut values = value.parts;
        let (region, assigned) = self.region(|s| {
            s.stmts(binds)?;
            let mut assigned = Vec::new();
            for (place, value) in with {
                let (local, path) = rooted(place).ok_or_else(no_variable)?;
                let stored = s.reduced_place(local, path, pos)?;
                s.whole(&stored)?;
                let value = s.expr(*value, &Hint::Type(stored.ty().clone()))?;
                facts.same(pos, stored.ty(), &value.ty)?;
                assigned.extend(
                    value.parts.iter().enumerate().map(|(part, value)| ((local, stored.start() + part), *value)),
                );
            }
            Ok(assigned)
        })?;
        // What the branch computes is computed in each iteration, so nothing of it may show.
        if let Some(site) = effect(&region) {
            let pos = site.and_then(|site| self.spot_of(site)).unwrap_or(pos);
            let message = "what goes with the extreme is computed in every iteration, and this can fail or not end: \
                           compute it before the `if`, or keep the iteration's index and look it up after the loop";
            return Err(facts.unsupported(Refusal::Extreme, pos, message).into());
        }
        region.0.into_iter().for_each(|stmt| self.push(stmt));
        // By scalar, so that the same set of variables is the same reduction in whatever order it is written.
        let mut rest: Vec<_> = assigned.into_iter().flatten().filter(|(scalar, _)| !scalars.contains(scalar)).collect();
        rest.sort_by_key(|((local, at), _)| (local.index(), *at));
        if rest.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(facts
                .unsupported(Refusal::Extreme, pos, "the branch assigns a variable twice: assign it once")
                .into());
        }
        let keys = scalars.len();
        if let ([ty], true) = (key_types.as_slice(), rest.is_empty())
            && is_order_free(*ty, ReduceOp::Min)
        {
            let op = if order.greatest { ReduceOp::Max } else { ReduceOp::Min };
            return self.add(local, op, &stored, 0, values[0]);
        }
        for (scalar, value) in rest {
            scalars.push(scalar);
            values.push(value);
        }
        self.offer(order, &scalars, keys, values, pos)
    }

    /// Offers values for scalars, of which the first `keys` are the key.
    fn offer(
        &mut self,
        order: Order,
        scalars: &[(LocalId, usize)],
        keys: usize,
        values: Vec<Id<Value>>,
        pos: Pos,
    ) -> Lower<()> {
        let mut roles = Vec::with_capacity(scalars.len());
        for &(local, at) in scalars {
            roles.push(self.variable_mut(local, pos)?.roles.get(at).copied().flatten());
        }
        let reduction = if roles.iter().all(Option::is_none) {
            let types: Vec<_> = values.iter().map(|value| self.task.ty(*value)).collect();
            let (key, with) = (types[..keys].to_vec(), types[keys..].to_vec());
            let reduction = self.reducing.made.push(Reduction::Extreme { order, key, with });
            for (number, &(local, at)) in scalars.iter().enumerate() {
                let variable = self.variable_mut(local, pos)?;
                variable.roles[at] = Some(Role::Extreme { reduction, at: number });
                let slot = variable.slots[at].0;
                self.reducing.slots.push((Source::Slot(slot), slot));
            }
            reduction
        } else {
            let known = match roles.first() {
                Some(Some(Role::Extreme { reduction, at: 0 })) => Some(*reduction),
                Some(_) | None => None,
            };
            let fits = known.filter(|known| match &self.reducing.made[*known] {
                Reduction::Extreme { order: made, key, with } => {
                    let same =
                        |(at, role): (usize, &Option<Role>)| *role == Some(Role::Extreme { reduction: *known, at });
                    *made == order
                        && key.len() == keys
                        && with.len() == scalars.len() - keys
                        && roles.iter().enumerate().all(same)
                }
                Reduction::Each { .. } => false,
            });
            match (fits, scalars.iter().zip(&roles).find_map(|(scalar, role)| Some((*scalar, (*role)?)))) {
                (Some(known), _) => known,
                (None, Some((scalar, other))) => return Err(self.two_ways(scalar, other, None, pos).into()),
                (None, None) => return Err(self.facts.error(pos, "an extreme of nothing").into()),
            }
        };
        self.push(Stmt::Offer { reduction, values });
        Ok(())
    }

    /// Refuses a place that is chosen at run time.
    fn whole(&self, stored: &Storage) -> Result<(), TypeError> {
        if stored.steps().is_empty() {
            return Ok(());
        }
        let message = "an extreme of elements that are chosen at run time: name them by literals, or pass an array";
        Err(self.facts.unsupported(Refusal::Extreme, stored.pos(), message))
    }
}

/// The variable that a place is a part of.
fn rooted(place: &Place) -> Option<(LocalId, &[Projection])> {
    match place {
        Place::Local(local) => Some((*local, &[])),
        Place::Part(local, path) => Some((*local, path)),
        Place::Wild | Place::Element { .. } | Place::Tuple(_) => None,
    }
}

/// A statement by which it shows whether a region ran: where it fails, if it does.
fn effect(region: &Region) -> Option<Option<Id<Site>>> {
    let constant = |value: Id<Value>| {
        region.0.iter().find_map(|stmt| match stmt {
            Stmt::Const { dst, value: constant } if *dst == value => Some(*constant),
            _ => None,
        })
    };
    region.0.iter().find_map(|stmt| match stmt {
        // By a number that is neither 0 nor -1 everything can be divided.
        Stmt::Op { op: Op::Div | Op::Rem | Op::DivEuclid | Op::RemEuclid, args, site: Some(_), .. }
            if args.get(1).and_then(|by| constant(*by)).is_some_and(|by| by.bits != 0 && by.bits != by.ty.mask()) =>
        {
            None
        }
        Stmt::Op { site: Some(site), .. }
        | Stmt::Load { site: Some(site), .. }
        | Stmt::Check { site, .. }
        | Stmt::CheckStep { site, .. }
        | Stmt::Fail { site, .. }
        | Stmt::Print { site, .. } => Some(Some(*site)),
        Stmt::If { cond: _, then, otherwise } => effect(then).or_else(|| effect(otherwise)),
        Stmt::For { body, .. } => effect(body),
        Stmt::Const { .. }
        | Stmt::Input { .. }
        | Stmt::Extent { .. }
        | Stmt::Op { site: None, .. }
        | Stmt::Load { site: None, .. }
        | Stmt::Get { .. }
        | Stmt::Set { .. }
        | Stmt::GetPart { .. }
        | Stmt::SetPart { .. } => None,
        Stmt::Store { .. }
        | Stmt::Atomic { .. }
        | Stmt::CompareExchange { .. }
        | Stmt::Claim { .. }
        | Stmt::Reduce { .. }
        | Stmt::ReducePart { .. }
        | Stmt::Offer { .. }
        | Stmt::Output { .. }
        | Stmt::Loop { .. }
        | Stmt::Break(_)
        | Stmt::Continue(_)
        | Stmt::End => Some(None),
    })
}
