//! What a lane keeps of its own iterations, where these are shared out to lanes: `qd_ir::reduce` defines what the lanes of
//! a leaf come to, and how they are folded.
//!
//! A lane's iterations come in order, so the extreme of a key is the best offer so far, with the number of its iteration:
//! that tells which of two lanes with equal keys comes first.
use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use qd_ir::op::Op;
use qd_ir::task::{Order, Reduction};
use qd_ir::types::Scalar;

use super::emit::Emit;
use super::extreme::holds;
use super::hooks::Hooks;
use super::reduce::{Each, List};
use crate::error::{Error, Result};

/// What a lane keeps for a reduction.
pub(super) enum Kept<'c> {
    /// A scalar.
    One(PointerValue<'c>),
    /// Scalars that are found by number.
    List(List<'c>),
    /// The best offer.
    Best(Best<'c>),
}

/// The best offer so far.
pub(super) struct Best<'c> {
    order: Order,
    /// Types of the key's scalars, then of those that go with it.
    types: Vec<Scalar>,
    keys: usize,
    /// Whether there was one.
    some: PointerValue<'c>,
    /// The number of its iteration.
    at: PointerValue<'c>,
    /// Its scalars.
    scalars: Vec<PointerValue<'c>>,
}

/// The types of the variables that a lane has for a reduction; none for a list, which is in memory.
pub(super) fn variables<'c>(emit: &Emit<'c>, reduction: &Reduction) -> Vec<BasicTypeEnum<'c>> {
    match reduction {
        Reduction::Each { len: 2.., .. } => Vec::new(),
        Reduction::Each { ty, .. } => vec![emit.ty(*ty)],
        Reduction::Extreme { .. } => {
            let scalars = reduction.scalars().map(|ty| emit.ty(ty));
            [emit.int(1).into(), emit.i64().into()].into_iter().chain(scalars).collect()
        }
    }
}

/// Sets the variables of a reduction to what no iterations come to.
pub(super) fn clear<'c>(emit: &Emit<'c>, reduction: &Reduction, variables: &[PointerValue<'c>]) -> Result<()> {
    match reduction {
        Reduction::Each { op, ty, .. } => {
            let identity = Each { op: *op, ty: *ty }.identity(emit)?;
            variables.iter().try_for_each(|at| emit.store(*at, identity))
        }
        Reduction::Extreme { .. } => {
            for (at, ty) in variables.iter().zip(self::variables(emit, reduction)) {
                emit.store(*at, ty.const_zero())?;
            }
            Ok(())
        }
    }
}

impl<'c> Best<'c> {
    /// Over the variables of a reduction.
    pub(super) fn over(reduction: &Reduction, variables: &[PointerValue<'c>]) -> Result<Self> {
        let (Reduction::Extreme { order, key, .. }, [some, at, scalars @ ..]) = (reduction, variables) else {
            return Err(Error::internal("an extreme without its variables"));
        };
        let types = reduction.scalars().collect();
        Ok(Best { order: *order, types, keys: key.len(), some: *some, at: *at, scalars: scalars.to_vec() })
    }

    fn load(&self, emit: &Emit<'c>, number: usize) -> Result<BasicValueEnum<'c>> {
        emit.load(emit.ty(self.types[number]), self.scalars[number])
    }

    /// Whether there is an offer, and of which iteration.
    pub(super) fn place(&self, emit: &Emit<'c>) -> Result<(IntValue<'c>, IntValue<'c>)> {
        let some = emit.load(emit.int(1).into(), self.some)?.into_int_value();
        Ok((some, emit.load(emit.i64().into(), self.at)?.into_int_value()))
    }

    /// The scalars of the best offer: of the key only, or all.
    pub(super) fn scalars(&self, emit: &Emit<'c>, all: bool) -> Result<Vec<(Scalar, BasicValueEnum<'c>)>> {
        let count = if all { self.types.len() } else { self.keys };
        (0..count).map(|number| Ok((self.types[number], self.load(emit, number)?))).collect()
    }

    /// The iteration of that number, which comes after those before, offers a key and what goes with it.
    pub(super) fn offer(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        iteration: IntValue<'c>,
        values: &[BasicValueEnum<'c>],
    ) -> Result<()> {
        let b = &emit.builder;
        if values.len() != self.types.len() {
            return Err(Error::internal("an offer of another form than its reduction"));
        }
        let (some, _) = self.place(emit)?;
        let so_far = self.scalars(emit, false)?;
        let pairs: Vec<_> = so_far.iter().zip(values).map(|((ty, best), value)| (*ty, [*value, *best])).collect();
        let Compared { better, equal } = compared(emit, hooks, self.order, &pairs)?;
        let preferred = if self.order.last { b.build_or(better, equal, "")? } else { better };
        let mut wins = b.build_or(preferred, b.build_not(some, "")?, "")?;
        // A NaN is no offer.
        if let [(ty, [value, _])] = pairs.as_slice()
            && ty.is_float()
        {
            wins = b.build_and(wins, holds(emit, hooks, Op::Eq, *ty, [*value, *value])?, "")?;
        }
        emit.store(self.some, b.build_or(some, wins, "")?.into())?;
        let number = emit.load(emit.i64().into(), self.at)?;
        emit.store(self.at, emit.select(wins, iteration.into(), number)?)?;
        for (number, &value) in values.iter().enumerate() {
            emit.store(self.scalars[number], emit.select(wins, value, self.load(emit, number)?)?)?;
        }
        Ok(())
    }
}

/// How one key compares with another.
struct Compared<'c> {
    better: IntValue<'c>,
    equal: IntValue<'c>,
}

/// The first of each pair compared with the second, as tuples.
fn compared<'c>(
    emit: &Emit<'c>,
    hooks: &dyn Hooks,
    order: Order,
    pairs: &[(Scalar, [BasicValueEnum<'c>; 2])],
) -> Result<Compared<'c>> {
    let b = &emit.builder;
    let (mut better, mut equal) = (emit.bool(false), emit.bool(true));
    for &(ty, pair) in pairs {
        let op = if order.greatest { Op::Gt } else { Op::Lt };
        let now = holds(emit, hooks, op, ty, pair)?;
        better = b.build_or(better, b.build_and(equal, now, "")?, "")?;
        equal = b.build_and(equal, holds(emit, hooks, Op::Eq, ty, pair)?, "")?;
    }
    Ok(Compared { better, equal })
}

/// An offer as others see it.
pub(super) struct Offer<'c> {
    pub(super) some: IntValue<'c>,
    pub(super) at: IntValue<'c>,
    pub(super) key: Vec<(Scalar, BasicValueEnum<'c>)>,
}

/// Whether an offer takes the place of another, whichever of their iterations comes first.
pub(super) fn takes<'c>(
    emit: &Emit<'c>,
    hooks: &dyn Hooks,
    order: Order,
    offer: &Offer<'c>,
    best: &Offer<'c>,
) -> Result<IntValue<'c>> {
    let b = &emit.builder;
    let pairs: Vec<_> = offer.key.iter().zip(&best.key).map(|((ty, own), (_, other))| (*ty, [*own, *other])).collect();
    let Compared { better, equal } = compared(emit, hooks, order, &pairs)?;
    let nearer = if order.last { IntPredicate::UGT } else { IntPredicate::ULT };
    let tie = b.build_and(equal, emit.compare(nearer, offer.at, best.at)?, "")?;
    let wins = b.build_or(b.build_or(better, tie, "")?, b.build_not(best.some, "")?, "")?;
    Ok(b.build_and(offer.some, wins, "")?)
}
