//! The extreme of a key over a leaf, with what goes with it: `qd_ir::reduce::extreme` is the definition.
//!
//! Iterations leave their keys and what goes with them in buffers. The extreme is then found by reading the keys alone,
//! as for `min` and `max`, scalar by scalar of the key: of the second one only where the first is the extreme. Where it
//! is, a second look tells, which ends at the first row that has it (the last, for `<=`); only there is what goes with
//! it read.
//!
//! An iteration that offers nothing leaves the key that no comparison prefers: a NaN, or the last integer in the order.
//! With `<=` that integer may win, so a byte beside it says whether it was offered.
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue, VectorValue};
use qd_ir::op::{Op, ReduceOp};
use qd_ir::reduce::{LANES, identity_bits};
use qd_ir::task::Order;
use qd_ir::types::{Const, Scalar};

use super::emit::Emit;
use super::hooks::Hooks;
use super::leaf::{self, Buffer, Leaf, Room};
use super::op::{self, Operation};
use crate::error::{Error, Result};

/// The extreme of a key in a function.
pub(super) struct Extreme<'c> {
    order: Order,
    key: Vec<Kept<'c>>,
    with: Vec<Kept<'c>>,
    /// Whether something was offered, where the key can't tell.
    offered: Option<Kept<'c>>,
}

/// A scalar of what an iteration offers.
struct Kept<'c> {
    /// The best offer of the current iteration.
    iteration: PointerValue<'c>,
    /// That of each iteration.
    buffer: Buffer<'c>,
}

impl<'c> Kept<'c> {
    fn new(emit: &Emit<'c>, room: &mut Room<'c>, ty: Scalar) -> Result<Self> {
        Ok(Kept { iteration: emit.variable(emit.ty(ty))?, buffer: Buffer::new(emit, room, ty)? })
    }

    fn ty(&self) -> Scalar {
        self.buffer.ty
    }

    fn get(&self, emit: &Emit<'c>) -> Result<BasicValueEnum<'c>> {
        emit.load(emit.ty(self.ty()), self.iteration)
    }
}

impl<'c> Extreme<'c> {
    pub(super) fn new(
        emit: &Emit<'c>,
        room: &mut Room<'c>,
        order: Order,
        key: &[Scalar],
        with: &[Scalar],
    ) -> Result<Self> {
        let mut kept =
            |scalars: &[Scalar]| scalars.iter().map(|ty| Kept::new(emit, room, *ty)).collect::<Result<Vec<_>>>();
        let (key_scalars, with) = (kept(key)?, kept(with)?);
        let silent = order.last && !key.iter().any(|ty| ty.is_float());
        let offered = if silent { Some(Kept::new(emit, room, Scalar::Bool)?) } else { None };
        Ok(Extreme { order, key: key_scalars, with, offered })
    }

    fn op(&self) -> ReduceOp {
        if self.order.greatest { ReduceOp::Max } else { ReduceOp::Min }
    }

    /// The key that an iteration leaves which offers nothing.
    fn identity(&self, emit: &Emit<'c>, ty: Scalar) -> Result<BasicValueEnum<'c>> {
        emit.constant(Const { ty, bits: identity_bits(self.op(), ty) })
    }

    /// An iteration begins.
    pub(super) fn begin(&self, emit: &Emit<'c>) -> Result<()> {
        for scalar in &self.key {
            emit.store(scalar.iteration, self.identity(emit, scalar.ty())?)?;
        }
        for scalar in self.with.iter().chain(&self.offered) {
            emit.store(scalar.iteration, emit.zero(scalar.ty()))?;
        }
        Ok(())
    }

    /// The iteration offers a key and what goes with it.
    pub(super) fn offer(&self, emit: &Emit<'c>, hooks: &dyn Hooks, values: &[BasicValueEnum<'c>]) -> Result<()> {
        let b = &emit.builder;
        let keys = self.key.len();
        if values.len() != keys + self.with.len() {
            return Err(Error::internal("an offer of another form than its reduction"));
        }
        // Whether the key is preferred, from its last scalar to the first.
        let mut wins: Option<IntValue<'c>> = None;
        for (scalar, &value) in self.key.iter().zip(values).rev() {
            let so_far = scalar.get(emit)?;
            wins = Some(match wins {
                None => self.prefers(emit, hooks, scalar.ty(), [value, so_far], self.order.last)?,
                Some(later) => {
                    let now = self.prefers(emit, hooks, scalar.ty(), [value, so_far], false)?;
                    let equal = holds(emit, hooks, Op::Eq, scalar.ty(), [value, so_far])?;
                    b.build_or(now, b.build_and(equal, later, "")?, "")?
                }
            });
        }
        let mut wins = wins.ok_or_else(|| Error::internal("an empty key"))?;
        // A NaN stands for no offer yet.
        if let [scalar] = self.key.as_slice()
            && scalar.ty().is_float()
        {
            let so_far = scalar.get(emit)?;
            wins = b.build_or(wins, holds(emit, hooks, Op::Ne, scalar.ty(), [so_far, so_far])?, "")?;
        }
        if let Some(offered) = &self.offered {
            let nothing = b.build_not(offered.get(emit)?.into_int_value(), "")?;
            wins = b.build_or(wins, nothing, "")?;
            emit.store(offered.iteration, emit.bool(true).into())?;
        }
        for (scalar, &value) in self.key.iter().chain(&self.with).zip(values) {
            emit.store(scalar.iteration, emit.select(wins, value, scalar.get(emit)?)?)?;
        }
        Ok(())
    }

    /// Whether a scalar comes before another in the order.
    fn prefers(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        ty: Scalar,
        args: [BasicValueEnum<'c>; 2],
        or_equal: bool,
    ) -> Result<IntValue<'c>> {
        let op = match (self.order.greatest, or_equal) {
            (false, false) => Op::Lt,
            (false, true) => Op::Le,
            (true, false) => Op::Gt,
            (true, true) => Op::Ge,
        };
        holds(emit, hooks, op, ty, args)
    }

    /// The iteration of that linear number ends.
    pub(super) fn end(&self, emit: &Emit<'c>, iteration: IntValue<'c>) -> Result<()> {
        self.key
            .iter()
            .chain(&self.with)
            .chain(&self.offered)
            .try_for_each(|scalar| scalar.buffer.put(emit, iteration, scalar.get(emit)?))
    }

    /// Leaves the words of a leaf at `record`.
    pub(super) fn fold(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        leaf: &Leaf<'c>,
        record: PointerValue<'c>,
    ) -> Result<()> {
        let mut padding = Vec::new();
        for scalar in &self.key {
            padding.push((&scalar.buffer, self.identity(emit, scalar.ty())?));
        }
        if let Some(offered) = &self.offered {
            padding.push((&offered.buffer, emit.bool(false).into()));
        }
        leaf.pad(emit, &padding)?;
        let extremes = self.extremes(emit, hooks, leaf)?;
        let (found, done) = (emit.new_block()?, emit.new_block()?);
        let is_float = self.key.iter().any(|scalar| scalar.ty().is_float());
        // Only offers have another key than the identity, or those that say so.
        emit.store(record, emit.word(0).into())?;
        if self.offered.is_none() && !is_float {
            let search = emit.new_block()?;
            let some = self.differs(emit, &extremes)?;
            emit.branch_if(some, search, done)?;
            emit.at(search);
        }
        if self.with.is_empty() && self.offered.is_none() && !is_float {
            emit.branch(found)?;
            emit.at(found);
            self.leave(emit, record, &extremes)?;
        } else {
            let at = self.search(emit, hooks, leaf, &extremes, [found, done])?;
            emit.at(found);
            let scalars = self.key.iter().chain(&self.with);
            let values = scalars.map(|scalar| scalar.buffer.get(emit, at)).collect::<Result<Vec<_>>>()?;
            self.leave(emit, record, &values)?;
        }
        emit.branch(done)?;
        emit.at(done);
        Ok(())
    }

    /// Stores the scalars of a record that has some.
    fn leave(&self, emit: &Emit<'c>, record: PointerValue<'c>, values: &[BasicValueEnum<'c>]) -> Result<()> {
        emit.store(record, emit.word(1).into())?;
        let mut word = 1;
        for (scalar, value) in self.key.iter().chain(&self.with).zip(values) {
            emit.store_words(scalar.ty(), emit.word_at(record, emit.word(word))?, *value)?;
            word += scalar.ty().words() as u64;
        }
        Ok(())
    }

    /// The extreme of each scalar of the key, where those before it are the extreme.
    fn extremes(&self, emit: &Emit<'c>, hooks: &dyn Hooks, leaf: &Leaf<'c>) -> Result<Vec<BasicValueEnum<'c>>> {
        let mut extremes: Vec<BasicValueEnum<'c>> = Vec::with_capacity(self.key.len());
        for scalar in &self.key {
            let ty = scalar.ty();
            let identity = leaf::splat(emit, ty, self.identity(emit, ty)?)?;
            let known = self.rows_of(emit, &extremes)?;
            let combine = |a, b| leaf::combine(emit, hooks, (self.op(), ty), a, b);
            let row = leaf.fold(emit, identity, |so_far, row| {
                let mut values = scalar.buffer.row(emit, row)?;
                if let Some(equal) = self.equal(emit, hooks, &known, row)? {
                    values = emit.builder.build_select(equal, values, identity, "")?.into_vector_value();
                }
                combine(so_far, values)
            })?;
            extremes.push(leaf::lanes(emit, ty, row, combine)?);
        }
        Ok(extremes)
    }

    /// Each of the first scalars of the key with a row of its extreme.
    fn rows_of(&self, emit: &Emit<'c>, extremes: &[BasicValueEnum<'c>]) -> Result<Vec<(&Buffer<'c>, VectorValue<'c>)>> {
        let pairs = self.key.iter().zip(extremes);
        pairs.map(|(scalar, value)| Ok((&scalar.buffer, leaf::splat(emit, scalar.ty(), *value)?))).collect()
    }

    /// For each lane of a row whether those scalars are the extreme; `None` for no scalars.
    fn equal(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        known: &[(&Buffer<'c>, VectorValue<'c>)],
        row: IntValue<'c>,
    ) -> Result<Option<VectorValue<'c>>> {
        let b = &emit.builder;
        let mut all: Option<VectorValue<'c>> = None;
        for (buffer, extreme) in known {
            let equal = leaf::equal(emit, hooks, buffer.ty, buffer.row(emit, row)?, *extreme)?;
            all = Some(match all {
                None => equal,
                Some(before) => b.build_and(before, equal, "")?,
            });
        }
        Ok(all)
    }

    /// Whether a key of integers is another one than the identity.
    fn differs(&self, emit: &Emit<'c>, extremes: &[BasicValueEnum<'c>]) -> Result<IntValue<'c>> {
        let mut some = emit.bool(false);
        for (scalar, value) in self.key.iter().zip(extremes) {
            let identity = self.identity(emit, scalar.ty())?.into_int_value();
            let other = emit.compare(IntPredicate::NE, value.into_int_value(), identity)?;
            some = emit.builder.build_or(some, other, "")?;
        }
        Ok(some)
    }

    /// Looks for the iteration that has the extreme, and jumps to `found` with its place in the leaf, or to `none`.
    fn search(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        leaf: &Leaf<'c>,
        extremes: &[BasicValueEnum<'c>],
        [found, none]: [BasicBlock<'c>; 2],
    ) -> Result<IntValue<'c>> {
        let b = &emit.builder;
        let known = self.rows_of(emit, extremes)?;
        let (top, hit, next_row) = (emit.new_block()?, emit.new_block()?, emit.new_block()?);
        let from = emit.block()?;
        emit.branch(top)?;
        emit.at(top);
        let looked = b.build_phi(emit.i64(), "")?;
        let number = looked.as_basic_value().into_int_value();
        let up = b.build_int_nuw_add(number, emit.word(1), "")?;
        let row = if self.order.last { b.build_int_sub(leaf.rows, up, "")? } else { number };
        let mut lanes =
            self.equal(emit, hooks, &known, row)?.ok_or_else(|| Error::internal("a search for an empty key"))?;
        if let Some(offered) = &self.offered {
            let offers = offered.buffer.row(emit, row)?;
            let some = b.build_int_compare(IntPredicate::NE, offers, offers.get_type().const_zero(), "")?;
            lanes = b.build_and(lanes, some, "")?;
        }
        let bits = b.build_bit_cast(lanes, emit.int(LANES as u32), "")?.into_int_value();
        let missed = emit.compare(IntPredicate::EQ, bits, bits.get_type().const_zero())?;
        emit.branch_if(missed, next_row, hit)?;
        emit.at(next_row);
        let finished = emit.compare(IntPredicate::EQ, up, leaf.rows)?;
        emit.branch_if(finished, none, top)?;
        looked.add_incoming(&[(&emit.word(0), from), (&up, next_row)]);
        emit.at(hit);
        let count = |name: &str| -> Result<IntValue<'c>> {
            let args = [bits.into(), emit.bool(false).into()];
            let zeros = emit.intrinsic(name, &[bits.get_type().into()], &args)?.into_int_value();
            emit.zext(zeros, 64)
        };
        let lane = match self.order.last {
            false => count("llvm.cttz")?,
            true => b.build_int_sub(emit.word(LANES as u64 - 1), count("llvm.ctlz")?, "")?,
        };
        let at = b.build_int_add(b.build_int_mul(row, emit.word(LANES as u64), "")?, lane, "")?;
        emit.branch(found)?;
        Ok(at)
    }
}

/// A comparison.
pub(super) fn holds<'c>(
    emit: &Emit<'c>,
    hooks: &dyn Hooks,
    op: Op,
    ty: Scalar,
    args: [BasicValueEnum<'c>; 2],
) -> Result<IntValue<'c>> {
    Ok(op::value(&Operation { emit, hooks, op, ty, output: Scalar::Bool, args: &args })?.into_int_value())
}
