//! Folding: the lanes of a leaf to its record, records to one along the tree over the leaves, copies of lists to one.
//!
//! Lanes talk through shared memory, a few words for each; one reduction after the other uses the same words. Every barrier
//! stands where all lanes of a block come by.
use inkwell::AddressSpace;
use inkwell::IntPredicate;
use inkwell::module::Linkage;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use qd_ir::reduce::{LANES, Layout};
use qd_ir::task::{Order, Reduction};
use qd_ir::types::Scalar;

use super::layout::{EXTREME_HEAD, FOLD_BLOCK, FOLDED, Place};
use super::{Grid, Own, fold_symbol, gather_symbol};
use crate::codegen::emit::LoopHint;
use crate::codegen::lane::{self, Best, Offer};
use crate::codegen::reduce::Each;
use crate::codegen::task::params;
use crate::error::Result;

/// The address space of memory that the lanes of a block share, on NVIDIA's and AMD's devices.
const SHARED: u16 = 3;

/// Words that lanes share.
struct Shared<'c> {
    at: PointerValue<'c>,
    /// Words of a lane.
    words: usize,
}

impl<'c> Grid<'_, '_, 'c> {
    /// Shared words of an entry whose blocks have that many lanes.
    fn shared(&self, name: &str, lanes: u32, words: usize) -> Shared<'c> {
        let e = self.task.emit;
        let ty = e.i64().array_type(lanes * words as u32);
        let global = e.module.add_global(ty, Some(AddressSpace::from(SHARED)), name);
        global.set_linkage(Linkage::Internal);
        global.set_initializer(&ty.get_undef());
        global.set_alignment(8);
        Shared { at: global.as_pointer_value(), words }
    }

    /// Where the words of a lane are.
    fn slot(&self, shared: &Shared<'c>, lane: IntValue<'c>) -> Result<PointerValue<'c>> {
        let e = self.task.emit;
        e.word_at(shared.at, e.builder.build_int_mul(lane, e.word(shared.words as u64), "")?)
    }

    fn barrier(&self) -> Result<()> {
        self.lanes.barrier(self.task.emit)
    }

    /// Builds what only some lanes do; they meet again behind it.
    fn only_if(&self, condition: IntValue<'c>, then: impl FnOnce() -> Result<()>) -> Result<()> {
        let e = self.task.emit;
        let (work, join) = (e.new_block()?, e.new_block()?);
        e.branch_if(condition, work, join)?;
        e.at(work);
        then()?;
        e.branch(join)?;
        e.at(join);
        Ok(())
    }

    /// What the 32 lanes of a leaf keep becomes its record. `lane` is the number among them; `exists` says whether there
    /// is such a leaf.
    pub(super) fn fold_lanes(
        &self,
        own: &Own<'c>,
        lane: IntValue<'c>,
        exists: IntValue<'c>,
        variables: &[Vec<PointerValue<'c>>],
        record: PointerValue<'c>,
    ) -> Result<()> {
        let (e, b, hooks) = (self.task.emit, &self.task.emit.builder, self.task.hooks);
        let shared = self.shared("lanes", self.layout.block, self.layout.shared);
        let slot = self.slot(&shared, own.lane)?;
        let leads = e.compare(IntPredicate::EQ, lane, e.word(0))?;
        let writes = b.build_and(leads, exists, "")?;
        for ((reduction, place), variables) in self.reductions().iter().zip(&self.layout.places).zip(variables) {
            let Place::Record(offset) = place else { continue };
            let record = e.word_at(record, e.word(*offset as u64))?;
            match reduction {
                Reduction::Each { op, ty, len: _ } => {
                    let each = Each { op: *op, ty: *ty };
                    let [variable] = variables.as_slice() else { continue };
                    e.store_words(*ty, slot, e.load(e.ty(*ty), *variable)?)?;
                    self.barrier()?;
                    self.halves(LANES / 2, lane, |stride| {
                        let other = self.slot(&shared, b.build_int_add(own.lane, e.word(stride), "")?)?;
                        self.combine_words(each, slot, other)
                    })?;
                    self.only_if(writes, || e.store_words(*ty, record, e.load_words(*ty, slot)?))?;
                }
                Reduction::Extreme { order, key, with: _ } => {
                    let best = Best::over(reduction, variables)?;
                    let (some, at) = best.place(e)?;
                    let offer = Offer { some, at, key: best.scalars(e, false)? };
                    self.put_offer(slot, &offer)?;
                    self.barrier()?;
                    self.halves(LANES / 2, lane, |stride| {
                        let other = self.slot(&shared, b.build_int_add(own.lane, e.word(stride), "")?)?;
                        let (mine, theirs) = (self.offer(slot, key)?, self.offer(other, key)?);
                        let wins = lane::takes(e, hooks, *order, &theirs, &mine)?;
                        self.only_if(wins, || self.put_offer(slot, &theirs))
                    })?;
                    // The lane whose offer it is has what goes with it.
                    let first = b.build_int_sub(own.lane, lane, "")?;
                    let winner = self.slot(&shared, first)?;
                    let found = self.offer(winner, &[])?;
                    let is_it = b.build_and(some, e.compare(IntPredicate::EQ, at, found.at)?, "")?;
                    let is_it = b.build_and(is_it, exists, "")?;
                    self.only_if(is_it, || {
                        let all = Offer { some, at, key: best.scalars(e, true)? };
                        self.put_offer(record, &all)
                    })?;
                    let nobody = b.build_and(writes, b.build_not(found.some, "")?, "")?;
                    self.only_if(nobody, || e.store(record, e.word(0).into()))?;
                    // Others have read the words that the next reduction writes.
                    self.barrier()?;
                }
            }
        }
        Ok(())
    }

    /// Steps of halving `lanes`: those below the stride do `step`, then all meet.
    fn halves(&self, first: usize, lane: IntValue<'c>, step: impl Fn(u64) -> Result<()>) -> Result<()> {
        let e = self.task.emit;
        let mut stride = first as u64;
        while stride > 0 {
            let works = e.compare(IntPredicate::ULT, lane, e.word(stride))?;
            self.only_if(works, || step(stride))?;
            self.barrier()?;
            stride /= 2;
        }
        Ok(())
    }

    /// Builds a loop over 1, 2, 4, .. below `end`.
    fn doubling(&self, end: u64, each: impl FnOnce(IntValue<'c>) -> Result<()>) -> Result<()> {
        let (e, b) = (self.task.emit, &self.task.emit.builder);
        let (top, done) = (e.new_block()?, e.new_block()?);
        let from = e.block()?;
        e.branch(top)?;
        e.at(top);
        let counter = b.build_phi(e.i64(), "")?;
        let at = counter.as_basic_value().into_int_value();
        each(at)?;
        let next = b.build_left_shift(at, e.word(1), "")?;
        let again = e.compare(IntPredicate::ULT, next, e.word(end))?;
        counter.add_incoming(&[(&e.word(1), from), (&next, e.block()?)]);
        let back = e.branch_if(again, top, done)?;
        // Copies would each have addresses of their own, in registers that blocks then wait for.
        e.loop_hints(back, &[LoopHint::NoUnroll]);
        e.at(done);
        Ok(())
    }

    /// Combines a scalar's words into others, which come first.
    fn combine_words(&self, each: Each, into: PointerValue<'c>, from: PointerValue<'c>) -> Result<()> {
        let e = self.task.emit;
        let (mine, theirs) = (e.load_words(each.ty, into)?, e.load_words(each.ty, from)?);
        e.store_words(each.ty, into, each.combine(e, self.task.hooks, mine, theirs)?)
    }

    fn put_offer(&self, at: PointerValue<'c>, offer: &Offer<'c>) -> Result<()> {
        let e = self.task.emit;
        e.store(at, e.zext(offer.some, 64)?.into())?;
        e.store(e.word_at(at, e.word(1))?, offer.at.into())?;
        let mut word = EXTREME_HEAD as u64;
        for (ty, value) in &offer.key {
            e.store_words(*ty, e.word_at(at, e.word(word))?, *value)?;
            word += ty.words() as u64;
        }
        Ok(())
    }

    fn offer(&self, at: PointerValue<'c>, scalars: &[Scalar]) -> Result<Offer<'c>> {
        let e = self.task.emit;
        let word = |number: u64| -> Result<IntValue<'c>> {
            Ok(e.load(e.i64().into(), e.word_at(at, e.word(number))?)?.into_int_value())
        };
        let some = e.compare(IntPredicate::NE, word(0)?, e.word(0))?;
        let (iteration, mut next, mut key) = (word(1)?, EXTREME_HEAD as u64, Vec::new());
        for &ty in scalars {
            key.push((ty, e.load_words(ty, e.word_at(at, e.word(next))?)?));
            next += ty.words() as u64;
        }
        Ok(Offer { some, at: iteration, key })
    }

    /// The entry that makes one record of many.
    pub(super) fn fold(&self, stem: &str) -> Result<()> {
        let (e, b) = (self.task.emit, &self.task.emit.builder);
        let function = self.entry(&fold_symbol(stem), &[true, false, false, false], FOLD_BLOCK)?;
        let [partials, leaves, stride, blocks] = params(function)?;
        let partials: PointerValue<'c> = partials.into_pointer_value();
        let [leaves, stride, blocks] = [leaves, stride, blocks].map(BasicValueEnum::into_int_value);
        let own = self.own()?;
        let chunk = b.build_int_mul(stride, e.word(FOLDED), "")?;
        let first = b.build_int_mul(own.block, chunk, "")?;
        let step = b.build_int_mul(blocks, chunk, "")?;
        self.count(first, step, leaves, |base| {
            // The same order of combining for every number of records: from neighbours up.
            self.doubling(FOLDED, |apart| {
                let pair = b.build_int_mul(own.lane, apart, "")?;
                let works = e.compare(IntPredicate::ULT, pair, e.word(FOLDED / 2))?;
                let twice = b.build_int_mul(pair, e.word(2), "")?;
                let left = b.build_int_add(base, b.build_int_mul(twice, stride, "")?, "")?;
                let right = b.build_int_add(left, b.build_int_mul(apart, stride, "")?, "")?;
                let exists = e.compare(IntPredicate::ULT, right, leaves)?;
                self.only_if(b.build_and(works, exists, "")?, || {
                    let record = |leaf| -> Result<PointerValue<'c>> {
                        e.word_at(partials, b.build_int_mul(leaf, e.word(self.layout.record as u64), "")?)
                    };
                    self.combine_records(record(left)?, record(right)?)
                })?;
                self.barrier()
            })
        })?;
        b.build_return(None)?;
        Ok(())
    }

    /// Combines a record into one of lower leaves.
    fn combine_records(&self, into: PointerValue<'c>, from: PointerValue<'c>) -> Result<()> {
        let e = self.task.emit;
        for (reduction, place) in self.reductions().iter().zip(&self.layout.places) {
            let Place::Record(offset) = place else { continue };
            let offset = e.word(*offset as u64);
            let (into, from) = (e.word_at(into, offset)?, e.word_at(from, offset)?);
            match reduction {
                Reduction::Each { op, ty, len: _ } => self.combine_words(Each { op: *op, ty: *ty }, into, from)?,
                Reduction::Extreme { order, key, with: _ } => {
                    self.combine_offers(*order, reduction, key, into, from)?
                }
            }
        }
        Ok(())
    }

    fn combine_offers(
        &self,
        order: Order,
        reduction: &Reduction,
        key: &[Scalar],
        into: PointerValue<'c>,
        from: PointerValue<'c>,
    ) -> Result<()> {
        let (mine, theirs) = (self.offer(into, key)?, self.offer(from, key)?);
        let wins = lane::takes(self.task.emit, self.task.hooks, order, &theirs, &mine)?;
        self.only_if(wins, || {
            let all: Vec<Scalar> = reduction.scalars().collect();
            self.put_offer(into, &self.offer(from, &all)?)
        })
    }

    /// The entry that makes one list of the lanes' copies: a block for each scalar.
    pub(super) fn gather(&self, stem: &str) -> Result<()> {
        let (e, b) = (self.task.emit, &self.task.emit.builder);
        let function = self.entry(&gather_symbol(stem), &[true, false, false, true], FOLD_BLOCK)?;
        let [scratch, lanes, blocks, result] = params(function)?;
        let (scratch, result) = (scratch.into_pointer_value(), result.into_pointer_value());
        let [lanes, blocks] = [lanes, blocks].map(BasicValueEnum::into_int_value);
        let own = self.own()?;
        let layout = Layout::of(self.reductions());
        let widest = self.reductions().iter().flat_map(Reduction::scalars).map(Scalar::words).max().unwrap_or(1);
        let shared = self.shared("copies", FOLD_BLOCK, widest);
        let slot = self.slot(&shared, own.lane)?;
        for (number, (reduction, place)) in self.reductions().iter().zip(&self.layout.places).enumerate() {
            let (Reduction::Each { op, ty, len }, Place::List(before)) = (reduction, place) else { continue };
            let each = Each { op: *op, ty: *ty };
            let words = e.word(ty.words() as u64);
            let list = e.word_at(scratch, b.build_int_mul(lanes, e.word(*before as u64), "")?)?;
            let to = e.word_at(result, e.word(layout.in_result(number, reduction) as u64))?;
            self.count(own.block, blocks, e.word((*len).into()), |k| {
                e.store_words(*ty, slot, each.identity(e)?)?;
                let copies = e.word_at(list, b.build_int_mul(b.build_int_mul(k, lanes, "")?, words, "")?)?;
                self.count(own.lane, e.word(FOLD_BLOCK.into()), lanes, |lane| {
                    self.combine_words(each, slot, e.word_at(copies, b.build_int_mul(lane, words, "")?)?)
                })?;
                self.barrier()?;
                self.halves(FOLD_BLOCK as usize / 2, own.lane, |stride| {
                    let other = self.slot(&shared, b.build_int_add(own.lane, e.word(stride), "")?)?;
                    self.combine_words(each, slot, other)
                })?;
                let leads = e.compare(IntPredicate::EQ, own.lane, e.word(0))?;
                self.only_if(leads, || {
                    let at = e.word_at(to, b.build_int_mul(k, words, "")?)?;
                    e.store_words(*ty, at, e.load_words(*ty, slot)?)
                })
            })?;
        }
        b.build_return(None)?;
        Ok(())
    }
}
