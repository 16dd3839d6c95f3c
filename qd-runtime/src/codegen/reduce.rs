//! The reduction tree in LLVM: `qd_ir::reduce` is its definition, this must give the same bits.
//!
//! A leaf's iterations first store what they contribute, one value each, to a buffer on the stack: a loop without a
//! dependency from one iteration to the next, which vectorises like any other. A second loop then combines the buffer
//! row by row into one vector of 32 lanes, as the tree wants it, and folds the lanes in halves. An iteration that
//! contributes nothing stores the identity, and so do the places up to the end of the last row, which changes no bit.
//!
//! A call of the task's entry for iterations `begin..end` writes for each of its leaves, in order, the words of the value
//! of each reduction, in order, to `partials`.
use inkwell::IntPredicate;
use inkwell::types::BasicTypeEnum;
use inkwell::values::{BasicValue, BasicValueEnum, IntValue, PointerValue, VectorValue};
use qd_ir::op::ReduceOp;
use qd_ir::reduce::{LANES, LEAF, identity_bits};
use qd_ir::task::Reduction;
use qd_ir::types::{Const, Scalar};

use super::emit::Emit;
use super::half::{Half, Lanes};
use super::hooks::Hooks;
use super::op::{self, Operation};
use crate::error::{Error, Result};

/// Alignment of the buffers: a cache line, and the widest vectors.
const ALIGNMENT: u32 = 64;

/// A reduction in a function.
pub(super) struct Contribution<'c> {
    op: ReduceOp,
    ty: Scalar,
    /// What the current iteration has contributed so far.
    iteration: PointerValue<'c>,
    /// What each iteration of the leaf contributed, in memory's form.
    buffer: PointerValue<'c>,
    /// The linear number of the leaf's first iteration.
    leaf: PointerValue<'c>,
}

impl<'c> Contribution<'c> {
    /// Makes room in the current function. `leaf` is the variable that holds the leaf's first iteration.
    pub(super) fn new(emit: &Emit<'c>, reduction: Reduction, leaf: PointerValue<'c>) -> Result<Self> {
        let Reduction { op, ty } = reduction;
        let array = match emit.memory_ty(ty) {
            BasicTypeEnum::FloatType(float) => float.array_type(LEAF as u32),
            BasicTypeEnum::IntType(int) => int.array_type(LEAF as u32),
            other => return Err(Error::internal(format_args!("a scalar became {other}"))),
        };
        let buffer = emit.variable(array.into())?;
        set_alignment(buffer.as_instruction(), ALIGNMENT)?;
        Ok(Contribution { op, ty, iteration: emit.variable(emit.ty(ty))?, buffer, leaf })
    }

    fn identity(&self, emit: &Emit<'c>) -> Result<BasicValueEnum<'c>> {
        emit.constant(Const { ty: self.ty, bits: identity_bits(self.op, self.ty) })
    }

    /// An iteration begins.
    pub(super) fn begin(&self, emit: &Emit<'c>) -> Result<()> {
        emit.store(self.iteration, self.identity(emit)?)
    }

    /// The iteration contributes a value.
    pub(super) fn add(&self, emit: &Emit<'c>, hooks: &dyn Hooks, value: BasicValueEnum<'c>) -> Result<()> {
        let so_far = emit.load(emit.ty(self.ty), self.iteration)?;
        let args = [so_far, value];
        let (op, ty) = (self.op.op(), self.ty);
        emit.store(self.iteration, op::value(&Operation { emit, hooks, op, ty, output: ty, args: &args })?)
    }

    /// The iteration of that linear number ends.
    pub(super) fn end(&self, emit: &Emit<'c>, iteration: IntValue<'c>) -> Result<()> {
        let leaf = emit.load(emit.i64().into(), self.leaf)?.into_int_value();
        let value = emit.load(emit.ty(self.ty), self.iteration)?;
        let at = self.slot(emit, emit.builder.build_int_sub(iteration, leaf, "")?)?;
        emit.store(at, emit.to_memory(self.ty, value)?)
    }

    fn slot(&self, emit: &Emit<'c>, index: IntValue<'c>) -> Result<PointerValue<'c>> {
        // SAFETY: a leaf has at most as many iterations as the buffer has places, and rows end within it.
        Ok(unsafe { emit.builder.build_in_bounds_gep(emit.memory_ty(self.ty), self.buffer, &[index], "")? })
    }

    /// The value of a leaf of `count` iterations (at least one).
    pub(super) fn fold(&self, emit: &Emit<'c>, hooks: &dyn Hooks, count: IntValue<'c>) -> Result<BasicValueEnum<'c>> {
        let b = &emit.builder;
        let lanes = emit.word(LANES as u64);
        let whole = b.build_int_add(count, emit.word(LANES as u64 - 1), "")?;
        let rows = b.build_int_unsigned_div(whole, lanes, "")?;
        let padded = b.build_int_mul(rows, lanes, "")?;
        let identity = emit.to_memory(self.ty, self.identity(emit)?)?;

        // The places behind the last iteration, up to the end of its row.
        let (fill, folding) = (emit.new_block()?, emit.new_block()?);
        let from = emit.block()?;
        let whole = emit.compare(IntPredicate::EQ, count, padded)?;
        emit.branch_if(whole, folding, fill)?;
        emit.at(fill);
        let place = b.build_phi(emit.i64(), "")?;
        let at = place.as_basic_value().into_int_value();
        emit.store(self.slot(emit, at)?, identity)?;
        let next = b.build_int_nuw_add(at, emit.word(1), "")?;
        let filled = emit.compare(IntPredicate::EQ, next, padded)?;
        emit.branch_if(filled, folding, fill)?;
        place.add_incoming(&[(&count, from), (&next, fill)]);

        // All rows, into one vector.
        emit.at(folding);
        let vector = match emit.memory_ty(self.ty) {
            BasicTypeEnum::FloatType(float) => float.vec_type(LANES as u32),
            BasicTypeEnum::IntType(int) => int.vec_type(LANES as u32),
            other => return Err(Error::internal(format_args!("a scalar became {other}"))),
        };
        let start = inkwell::types::VectorType::const_vector(&[identity; LANES]);
        let (top, done) = (emit.new_block()?, emit.new_block()?);
        emit.branch(top)?;
        emit.at(top);
        let (row, sum) = (b.build_phi(emit.i64(), "")?, b.build_phi(vector, "")?);
        let at = row.as_basic_value().into_int_value();
        let from_buffer = emit.load(vector.into(), self.slot(emit, b.build_int_mul(at, lanes, "")?)?)?;
        set_alignment(from_buffer.as_instruction_value(), ALIGNMENT.min(LANES as u32 * self.ty.size() as u32))?;
        let so_far = sum.as_basic_value().into_vector_value();
        let combined = self.combine(emit, hooks, so_far, from_buffer.into_vector_value())?;
        let next = b.build_int_nuw_add(at, emit.word(1), "")?;
        let finished = emit.compare(IntPredicate::EQ, next, rows)?;
        emit.branch_if(finished, done, top)?;
        row.add_incoming(&[(&emit.word(0), folding), (&next, top)]);
        sum.add_incoming(&[(&start, folding), (&combined, top)]);

        // The lanes, in halves.
        emit.at(done);
        let mut folded = combined;
        let mut stride = LANES / 2;
        while stride > 0 {
            let half = |first: usize| -> Result<VectorValue<'c>> {
                let mask: Vec<IntValue<'c>> =
                    (first..first + stride).map(|lane| emit.int(32).const_int(lane as u64, false)).collect();
                let mask = inkwell::types::VectorType::const_vector(&mask);
                Ok(b.build_shuffle_vector(folded, folded, mask, "")?)
            };
            let (lower, upper) = (half(0)?, half(stride)?);
            folded = self.combine(emit, hooks, lower, upper)?;
            stride /= 2;
        }
        let value = b.build_extract_element(folded, emit.int(32).const_zero(), "")?;
        emit.loaded(self.ty, value)
    }

    /// `a op b`, lane by lane, in memory's form: a byte that is 0 or 1 takes the same operations as a `bool`.
    fn combine(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        a: VectorValue<'c>,
        b: VectorValue<'c>,
    ) -> Result<VectorValue<'c>> {
        let builder = &emit.builder;
        if self.ty.is_half() {
            let half = Half { emit, hooks, ty: self.ty, shape: Lanes(a.get_type().get_size()) };
            let single = |value| half.widen(value);
            return match self.op {
                ReduceOp::Add => half.narrow(builder.build_float_add(single(a)?, single(b)?, "")?),
                ReduceOp::Mul => half.narrow(builder.build_float_mul(single(a)?, single(b)?, "")?),
                ReduceOp::Min => half.extreme(false, a, b),
                ReduceOp::Max => half.extreme(true, a, b),
                ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => {
                    Err(Error::internal(format_args!("a reduction by `{}` of {}", self.op.op(), self.ty)))
                }
            };
        }
        let intrinsic = |float: &str, signed: &str, unsigned: &str| -> Result<VectorValue<'c>> {
            let name = match (self.ty.is_float(), self.ty.is_signed()) {
                (true, _) => float,
                (false, true) => signed,
                (false, false) => unsigned,
            };
            Ok(emit.intrinsic(name, &[a.get_type().into()], &[a.into(), b.into()])?.into_vector_value())
        };
        Ok(match self.op {
            ReduceOp::Add if self.ty.is_float() => builder.build_float_add(a, b, "")?,
            ReduceOp::Add => builder.build_int_add(a, b, "")?,
            ReduceOp::Mul if self.ty.is_float() => builder.build_float_mul(a, b, "")?,
            ReduceOp::Mul => builder.build_int_mul(a, b, "")?,
            ReduceOp::Min => intrinsic("llvm.minnum", "llvm.smin", "llvm.umin")?,
            ReduceOp::Max => intrinsic("llvm.maxnum", "llvm.smax", "llvm.umax")?,
            ReduceOp::And => builder.build_and(a, b, "")?,
            ReduceOp::Or => builder.build_or(a, b, "")?,
            ReduceOp::Xor => builder.build_xor(a, b, "")?,
        })
    }
}

fn set_alignment(instruction: Option<inkwell::values::InstructionValue<'_>>, bytes: u32) -> Result<()> {
    instruction
        .and_then(|instruction| instruction.set_alignment(bytes).ok())
        .ok_or_else(|| Error::internal("a variable or load without an alignment"))
}
