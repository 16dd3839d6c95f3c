//! What the iterations of a leaf leave behind, and how it is folded.
//!
//! In general iterations first store what they contribute to buffers, one scalar each: a loop without a dependency from
//! one iteration to the next, which vectorises like any other. A second loop then reads the buffers row by row, as vectors
//! of 32 lanes.
//!
//! Where the loop over a leaf is one over rows of lanes ([`in_lanes`]), iterations combine into the lanes themselves, which
//! LLVM keeps in vector registers.
use inkwell::types::{BasicTypeEnum, VectorType};
use inkwell::values::{BasicValue, BasicValueEnum, IntValue, PointerValue, VectorValue};
use inkwell::{FloatPredicate, IntPredicate};
use qd_ir::body::{Region, Stmt};
use qd_ir::op::ReduceOp;
use qd_ir::reduce::{LANES, LEAF};
use qd_ir::task::Reduction;
use qd_ir::types::Scalar;

use super::emit::Emit;
use super::half::{Half, Lanes};
use super::hooks::Hooks;
use crate::error::{Error, Result};

/// Alignment of the buffers: a cache line, and the widest vectors.
const ALIGNMENT: usize = 64;

/// Bytes of buffers that lie on the stack; with more of them all lie in memory that the caller gives.
const ON_STACK: usize = 40 << 10;

/// Bytes that the buffers of a task take in memory that the caller of its code gives, aligned to a cache line; 0 if
/// they lie on the stack.
pub fn scratch_bytes(reductions: &[Reduction]) -> usize {
    let scalars = reductions.iter().filter(|reduction| !reduction.is_order_free()).flat_map(|reduction| {
        // Room for the byte that tells whether there was an offer.
        let offered = matches!(reduction, Reduction::Extreme { .. }).then_some(Scalar::Bool);
        reduction.scalars().chain(offered)
    });
    let bytes = scalars.map(|ty| ty.size() * LEAF as usize).sum();
    if bytes > ON_STACK { bytes } else { 0 }
}

/// Where buffers are made.
pub(super) struct Room<'c> {
    scratch: Option<PointerValue<'c>>,
    used: usize,
    /// The variable that holds the linear number of the leaf's first iteration.
    pub(super) first: PointerValue<'c>,
}

impl<'c> Room<'c> {
    /// For the buffers of these reductions.
    pub(super) fn new(emit: &Emit<'c>, reductions: &[Reduction], scratch: PointerValue<'c>) -> Result<Self> {
        let scratch = (scratch_bytes(reductions) > 0).then_some(scratch);
        Ok(Room { scratch, used: 0, first: emit.variable(emit.i64().into())? })
    }

    fn take(&mut self, emit: &Emit<'c>, ty: Scalar) -> Result<PointerValue<'c>> {
        let Some(scratch) = self.scratch else {
            let array = match emit.memory_ty(ty) {
                BasicTypeEnum::FloatType(float) => float.array_type(LEAF as u32),
                BasicTypeEnum::IntType(int) => int.array_type(LEAF as u32),
                other => return Err(Error::internal(format_args!("a scalar became {other}"))),
            };
            let buffer = emit.variable(array.into())?;
            set_alignment(buffer.as_instruction(), ALIGNMENT)?;
            return Ok(buffer);
        };
        let offset = emit.word(self.used as u64);
        self.used += ty.size() * LEAF as usize;
        // SAFETY: `scratch_bytes` has counted every buffer, and the caller gives as much.
        Ok(unsafe { emit.builder.build_in_bounds_gep(emit.context.i8_type(), scratch, &[offset], "")? })
    }
}

/// One scalar of each iteration of a leaf, in memory's form.
pub(super) struct Buffer<'c> {
    pub(super) ty: Scalar,
    at: PointerValue<'c>,
    first: PointerValue<'c>,
}

impl<'c> Buffer<'c> {
    pub(super) fn new(emit: &Emit<'c>, room: &mut Room<'c>, ty: Scalar) -> Result<Self> {
        Ok(Buffer { ty, at: room.take(emit, ty)?, first: room.first })
    }

    fn slot(&self, emit: &Emit<'c>, index: IntValue<'c>) -> Result<PointerValue<'c>> {
        // SAFETY: a leaf has at most as many iterations as the buffer has places, and rows end within it.
        Ok(unsafe { emit.builder.build_in_bounds_gep(emit.memory_ty(self.ty), self.at, &[index], "")? })
    }

    /// Stores what the iteration of that linear number leaves.
    pub(super) fn put(&self, emit: &Emit<'c>, iteration: IntValue<'c>, value: BasicValueEnum<'c>) -> Result<()> {
        let leaf = emit.load(emit.i64().into(), self.first)?.into_int_value();
        let at = self.slot(emit, emit.builder.build_int_sub(iteration, leaf, "")?)?;
        emit.store(at, emit.to_memory(self.ty, value)?)
    }

    /// What an iteration of the leaf has left.
    pub(super) fn get(&self, emit: &Emit<'c>, index: IntValue<'c>) -> Result<BasicValueEnum<'c>> {
        emit.loaded(self.ty, emit.load(emit.memory_ty(self.ty), self.slot(emit, index)?)?)
    }

    /// 32 of them.
    pub(super) fn row(&self, emit: &Emit<'c>, row: IntValue<'c>) -> Result<VectorValue<'c>> {
        let at = emit.builder.build_int_mul(row, emit.word(LANES as u64), "")?;
        let vector = emit.load(vector_ty(emit, self.ty)?.into(), self.slot(emit, at)?)?;
        set_alignment(vector.as_instruction_value(), ALIGNMENT.min(LANES * self.ty.size()))?;
        Ok(vector.into_vector_value())
    }
}

/// Whether the iterations of a task are run in rows of lanes: in one dimension, with nothing but sums and the like of
/// floats to fold, and without loops inside, which would be slow in what is left beside whole rows.
pub(super) fn in_lanes(dims: usize, reductions: &[Reduction], body: &Region) -> bool {
    let fits = |reduction: &Reduction| match reduction {
        Reduction::Each { ty, .. } => reduction.is_order_free() || matches!(ty, Scalar::F32 | Scalar::F64),
        Reduction::Extreme { .. } => false,
    };
    dims == 1
        && reductions.iter().all(fits)
        && !reductions.iter().all(Reduction::is_order_free)
        && !body.0.iter().any(has_loop)
}

fn has_loop(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::For { .. } | Stmt::Loop { .. } => true,
        Stmt::If { then, otherwise, .. } => then.0.iter().chain(&otherwise.0).any(has_loop),
        Stmt::Const { .. }
        | Stmt::Input { .. }
        | Stmt::Extent { .. }
        | Stmt::Op { .. }
        | Stmt::Get { .. }
        | Stmt::Set { .. }
        | Stmt::GetPart { .. }
        | Stmt::SetPart { .. }
        | Stmt::Load { .. }
        | Stmt::Store { .. }
        | Stmt::Atomic { .. }
        | Stmt::CompareExchange { .. }
        | Stmt::Check { .. }
        | Stmt::Claim { .. }
        | Stmt::CheckStep { .. }
        | Stmt::Reduce { .. }
        | Stmt::ReducePart { .. }
        | Stmt::Offer { .. }
        | Stmt::Output { .. }
        | Stmt::Fail { .. }
        | Stmt::Print { .. }
        | Stmt::Break(_)
        | Stmt::Continue(_)
        | Stmt::End => false,
    }
}

/// The lanes of a leaf, `f32` or `f64`.
pub(super) struct Accumulators<'c> {
    ty: Scalar,
    /// In memory, where an iteration finds its lane by number.
    at: PointerValue<'c>,
    /// While whole rows are run. In the end no lane is found by number there, so LLVM turns them into registers.
    in_rows: PointerValue<'c>,
}

impl<'c> Accumulators<'c> {
    pub(super) fn new(emit: &Emit<'c>, ty: Scalar) -> Result<Self> {
        let variables = || {
            let at = emit.variables(emit.memory_ty(ty), LANES as u32)?;
            set_alignment(at.as_instruction(), ALIGNMENT)?;
            Ok::<_, Error>(at)
        };
        Ok(Accumulators { ty, at: variables()?, in_rows: variables()? })
    }

    /// A leaf begins.
    pub(super) fn clear(&self, emit: &Emit<'c>, identity: BasicValueEnum<'c>) -> Result<()> {
        self.put(emit, self.at, splat(emit, self.ty, identity)?)
    }

    /// Whole rows begin.
    pub(super) fn enter_rows(&self, emit: &Emit<'c>) -> Result<()> {
        self.put(emit, self.in_rows, self.get(emit, self.at)?)
    }

    /// Whole rows end.
    pub(super) fn leave_rows(&self, emit: &Emit<'c>) -> Result<()> {
        self.put(emit, self.at, self.get(emit, self.in_rows)?)
    }

    /// The variable of the iteration of that linear number, or in whole rows of that lane.
    pub(super) fn lane(
        &self,
        emit: &Emit<'c>,
        iteration: IntValue<'c>,
        lane: Option<IntValue<'c>>,
    ) -> Result<PointerValue<'c>> {
        let (at, lane) = match lane {
            Some(lane) => (self.in_rows, lane),
            None => (self.at, emit.builder.build_and(iteration, emit.word(LANES as u64 - 1), "")?),
        };
        // SAFETY: there are as many variables as lanes, and the lane is below their number.
        Ok(unsafe { emit.builder.build_in_bounds_gep(emit.memory_ty(self.ty), at, &[lane], "")? })
    }

    /// All lanes.
    pub(super) fn row(&self, emit: &Emit<'c>) -> Result<VectorValue<'c>> {
        self.get(emit, self.at)
    }

    fn get(&self, emit: &Emit<'c>, at: PointerValue<'c>) -> Result<VectorValue<'c>> {
        let vector = emit.load(vector_ty(emit, self.ty)?.into(), at)?;
        set_alignment(vector.as_instruction_value(), ALIGNMENT)?;
        Ok(vector.into_vector_value())
    }

    fn put(&self, emit: &Emit<'c>, at: PointerValue<'c>, row: VectorValue<'c>) -> Result<()> {
        let stored = emit.builder.build_store(at, row)?;
        set_alignment(Some(stored), ALIGNMENT)
    }
}

/// The number of iterations that have left something.
#[derive(Clone, Copy)]
pub(super) struct Leaf<'c> {
    /// At least one.
    count: IntValue<'c>,
    /// Rows with at least one of them.
    pub(super) rows: IntValue<'c>,
}

impl<'c> Leaf<'c> {
    pub(super) fn new(emit: &Emit<'c>, count: IntValue<'c>) -> Result<Self> {
        let lanes = emit.word(LANES as u64);
        let whole = emit.builder.build_int_add(count, emit.word(LANES as u64 - 1), "")?;
        Ok(Leaf { count, rows: emit.builder.build_int_unsigned_div(whole, lanes, "")? })
    }

    /// Fills the places behind the last iteration, up to the end of its row.
    pub(super) fn pad(&self, emit: &Emit<'c>, padding: &[(&Buffer<'c>, BasicValueEnum<'c>)]) -> Result<()> {
        let b = &emit.builder;
        let padded = b.build_int_mul(self.rows, emit.word(LANES as u64), "")?;
        let (fill, done) = (emit.new_block()?, emit.new_block()?);
        let from = emit.block()?;
        let whole = emit.compare(IntPredicate::EQ, self.count, padded)?;
        emit.branch_if(whole, done, fill)?;
        emit.at(fill);
        let place = b.build_phi(emit.i64(), "")?;
        let at = place.as_basic_value().into_int_value();
        for (buffer, value) in padding {
            emit.store(buffer.slot(emit, at)?, emit.to_memory(buffer.ty, *value)?)?;
        }
        let next = b.build_int_nuw_add(at, emit.word(1), "")?;
        let filled = emit.compare(IntPredicate::EQ, next, padded)?;
        emit.branch_if(filled, done, fill)?;
        place.add_incoming(&[(&self.count, from), (&next, fill)]);
        emit.at(done);
        Ok(())
    }

    /// Combines something with each row, from the first to the last.
    pub(super) fn fold(
        &self,
        emit: &Emit<'c>,
        start: VectorValue<'c>,
        combine: impl Fn(VectorValue<'c>, IntValue<'c>) -> Result<VectorValue<'c>>,
    ) -> Result<VectorValue<'c>> {
        let b = &emit.builder;
        let (top, done) = (emit.new_block()?, emit.new_block()?);
        let from = emit.block()?;
        emit.branch(top)?;
        emit.at(top);
        let (row, so_far) = (b.build_phi(emit.i64(), "")?, b.build_phi(start.get_type(), "")?);
        let at = row.as_basic_value().into_int_value();
        let combined = combine(so_far.as_basic_value().into_vector_value(), at)?;
        let next = b.build_int_nuw_add(at, emit.word(1), "")?;
        let finished = emit.compare(IntPredicate::EQ, next, self.rows)?;
        emit.branch_if(finished, done, top)?;
        row.add_incoming(&[(&emit.word(0), from), (&next, top)]);
        so_far.add_incoming(&[(&start, from), (&combined, top)]);
        emit.at(done);
        Ok(combined)
    }
}

/// Lane by lane whether two rows are equal, as `==` has it.
pub(super) fn equal<'c>(
    emit: &Emit<'c>,
    hooks: &dyn Hooks,
    ty: Scalar,
    a: VectorValue<'c>,
    b: VectorValue<'c>,
) -> Result<VectorValue<'c>> {
    let half = Half { emit, hooks, ty, shape: Lanes(a.get_type().get_size()) };
    let (a, b) = if ty.is_half() { (half.widen(a)?, half.widen(b)?) } else { (a, b) };
    Ok(match ty.is_float() {
        true => emit.builder.build_float_compare(FloatPredicate::OEQ, a, b, "")?,
        false => emit.builder.build_int_compare(IntPredicate::EQ, a, b, "")?,
    })
}

/// The type of a row.
pub(super) fn vector_ty<'c>(emit: &Emit<'c>, ty: Scalar) -> Result<VectorType<'c>> {
    match emit.memory_ty(ty) {
        BasicTypeEnum::FloatType(float) => Ok(float.vec_type(LANES as u32)),
        BasicTypeEnum::IntType(int) => Ok(int.vec_type(LANES as u32)),
        other => Err(Error::internal(format_args!("a scalar became {other}"))),
    }
}

/// A row of one value, which needn't be a constant.
pub(super) fn splat<'c>(emit: &Emit<'c>, ty: Scalar, value: BasicValueEnum<'c>) -> Result<VectorValue<'c>> {
    let vector = vector_ty(emit, ty)?;
    let value = emit.to_memory(ty, value)?;
    let one = emit.builder.build_insert_element(vector.const_zero(), value, emit.int(32).const_zero(), "")?;
    let lanes = emit.int(32).vec_type(LANES as u32).const_zero();
    Ok(emit.builder.build_shuffle_vector(one, one, lanes, "")?)
}

/// The lanes of a row, folded in halves; a register.
pub(super) fn lanes<'c>(
    emit: &Emit<'c>,
    ty: Scalar,
    row: VectorValue<'c>,
    combine: impl Fn(VectorValue<'c>, VectorValue<'c>) -> Result<VectorValue<'c>>,
) -> Result<BasicValueEnum<'c>> {
    let b = &emit.builder;
    let mut folded = row;
    let mut stride = LANES / 2;
    while stride > 0 {
        let half = |first: usize| -> Result<VectorValue<'c>> {
            let mask: Vec<IntValue<'c>> =
                (first..first + stride).map(|lane| emit.int(32).const_int(lane as u64, false)).collect();
            let mask = VectorType::const_vector(&mask);
            Ok(b.build_shuffle_vector(folded, folded, mask, "")?)
        };
        let (lower, upper) = (half(0)?, half(stride)?);
        folded = combine(lower, upper)?;
        stride /= 2;
    }
    let value = b.build_extract_element(folded, emit.int(32).const_zero(), "")?;
    emit.loaded(ty, value)
}

/// `a op b`, lane by lane, in memory's form: a byte that is 0 or 1 takes the same operations as a `bool`.
pub(super) fn combine<'c>(
    emit: &Emit<'c>,
    hooks: &dyn Hooks,
    (op, ty): (ReduceOp, Scalar),
    a: VectorValue<'c>,
    b: VectorValue<'c>,
) -> Result<VectorValue<'c>> {
    if ty.is_half() {
        let half = Half { emit, hooks, ty, shape: Lanes(a.get_type().get_size()) };
        let single = |value| half.widen(value);
        return match op {
            ReduceOp::Add => half.narrow(emit.builder.build_float_add(single(a)?, single(b)?, "")?),
            ReduceOp::Mul => half.narrow(emit.builder.build_float_mul(single(a)?, single(b)?, "")?),
            ReduceOp::Min => half.extreme(false, a, b),
            ReduceOp::Max => half.extreme(true, a, b),
            ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => {
                Err(Error::internal(format_args!("a reduction by `{}` of {ty}", op.op())))
            }
        };
    }
    let builder = &emit.builder;
    let intrinsic = |float: &str, signed: &str, unsigned: &str| -> Result<VectorValue<'c>> {
        let name = match (ty.is_float(), ty.is_signed()) {
            (true, _) => float,
            (false, true) => signed,
            (false, false) => unsigned,
        };
        Ok(emit.intrinsic(name, &[a.get_type().into()], &[a.into(), b.into()])?.into_vector_value())
    };
    Ok(match op {
        ReduceOp::Add if ty.is_float() => builder.build_float_add(a, b, "")?,
        ReduceOp::Add => builder.build_int_add(a, b, "")?,
        ReduceOp::Mul if ty.is_float() => builder.build_float_mul(a, b, "")?,
        ReduceOp::Mul => builder.build_int_mul(a, b, "")?,
        ReduceOp::Min => intrinsic("llvm.minnum", "llvm.smin", "llvm.umin")?,
        ReduceOp::Max => intrinsic("llvm.maxnum", "llvm.smax", "llvm.umax")?,
        ReduceOp::And => builder.build_and(a, b, "")?,
        ReduceOp::Or => builder.build_or(a, b, "")?,
        ReduceOp::Xor => builder.build_xor(a, b, "")?,
    })
}

fn set_alignment(instruction: Option<inkwell::values::InstructionValue<'_>>, bytes: usize) -> Result<()> {
    instruction
        .and_then(|instruction| instruction.set_alignment(bytes as u32).ok())
        .ok_or_else(|| Error::internal("a variable or load without an alignment"))
}
