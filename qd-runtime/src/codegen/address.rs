//! Addresses of elements and of parts of variables, and their bounds checks.
//!
//! A check stands where the program has it, unless a loop around has proven it (see [`hoist`](super::access::hoist)).
//! Elements and variables of several scalars are addressed by bytes or scalars from their start, as the verifier has seen
//! that they lie.
use inkwell::IntPredicate;
use inkwell::values::{AsValueRef, BasicValue, BasicValueEnum, FloatValue, IntValue, PointerValue};
use qd_ir::arena::Id;
use qd_ir::body::{Local, Part, Stmt, Value};
use qd_ir::fault::{Fault, Site};
use qd_ir::op::{AtomicOp, Op};
use qd_ir::task::Array;
use qd_ir::types::Scalar;

use super::body::Body;
use super::op::{self, Operation};
use crate::error::{Error, Result};

/// An array as a function sees it.
#[derive(Clone)]
pub(super) struct ArrayView<'c> {
    pub(super) pointer: PointerValue<'c>,
    /// One 64-bit extent a dimension.
    pub(super) extents: Vec<IntValue<'c>>,
    /// Elements from one index to the next, a dimension; the last is 1.
    strides: Vec<IntValue<'c>>,
}

impl<'a, 'c> Body<'a, 'c> {
    /// Adds an array; its strides are computed here.
    pub(super) fn add_array(&mut self, pointer: PointerValue<'c>, extents: Vec<IntValue<'c>>) -> Result<()> {
        let e = self.emit;
        let mut strides = vec![e.word(1); extents.len()];
        for dim in (1..extents.len()).rev() {
            // May wrap for an array without elements, whose accesses all fail.
            strides[dim - 1] = e.builder.build_int_mul(strides[dim], extents[dim], "")?;
        }
        self.arrays.push(ArrayView { pointer, extents, strides });
        Ok(())
    }

    /// The address of a scalar of an element, behind the checks that are left to do.
    pub(super) fn element(
        &mut self,
        stmt: &'a Stmt,
        array: Id<Array>,
        index: &[Id<Value>],
        part: &Part,
        site: Option<Id<Site>>,
    ) -> Result<PointerValue<'c>> {
        let e = self.emit;
        let view = self.view(array, index)?;
        if let Some(site) = site {
            self.check(stmt, array, index, site)?;
        }
        let offset = self.number(array, index)?;
        let element = &self.task.arrays[array].ty.element;
        if let Some(scalar) = element.as_scalar() {
            // SAFETY: all indices are below their extents here (checked, proven, or vouched for by the kernel's `unsafe`),
            // so the address is inside the array.
            return Ok(unsafe { e.builder.build_in_bounds_gep(e.memory_ty(scalar), view.pointer, &[offset], "")? });
        }
        let missing = || Error::internal("a part of an element outside of it");
        let first = element.fields.get(part.base as usize).ok_or_else(missing)?;
        let mut inside = e.word(u64::from(first.offset));
        for step in &part.steps {
            let bytes = e.word(step.bytes(element, part.base).ok_or_else(missing)?);
            inside = e.builder.build_int_add(inside, e.builder.build_int_mul(self.int(step.index)?, bytes, "")?, "")?;
        }
        let byte = e.context.i8_type();
        // SAFETY: as above for the element. The verifier has seen that the part lies in it for all indices below the
        // lengths of their fixed arrays, and the indices were checked before.
        Ok(unsafe {
            let at = e.builder.build_in_bounds_gep(byte.array_type(element.size), view.pointer, &[offset], "")?;
            e.builder.build_in_bounds_gep(byte, at, &[inside], "")?
        })
    }

    /// The linear number of an element that exists.
    pub(super) fn number(&self, array: Id<Array>, index: &[Id<Value>]) -> Result<IntValue<'c>> {
        let (e, view) = (self.emit, self.view(array, index)?);
        let mut number = e.word(0);
        for (&value, stride) in index.iter().zip(&view.strides) {
            let step = e.builder.build_int_mul(self.int(value)?, *stride, "")?;
            number = e.builder.build_int_add(number, step, "")?;
        }
        Ok(number)
    }

    fn view(&self, array: Id<Array>, index: &[Id<Value>]) -> Result<ArrayView<'c>> {
        let view = self.arrays[array.index()].clone();
        if index.len() != view.extents.len() {
            return Err(Error::internal(format_args!(
                "{} indices into an array of rank {}",
                index.len(),
                view.extents.len()
            )));
        }
        Ok(view)
    }

    /// The bounds checks of `stmt` that are left to do.
    pub(super) fn check(
        &mut self,
        stmt: &'a Stmt,
        array: Id<Array>,
        index: &[Id<Value>],
        site: Id<Site>,
    ) -> Result<()> {
        let e = self.emit;
        let view = self.view(array, index)?;
        for (dim, (&value, extent)) in (0u8..).zip(index.iter().zip(&view.extents)) {
            if self.options.checks && !self.proven.contains(&(std::ptr::from_ref(stmt), dim)) {
                let at = self.int(value)?;
                let fails = e.compare(IntPredicate::UGE, at, *extent)?;
                let values = [Some(e.word(u64::from(dim))), Some(*extent), Some(at), None];
                self.faults.guard(e, fails, self.iteration, site.index(), Fault::IndexOutOfBounds, values)?;
            }
        }
        Ok(())
    }

    /// Leaves the task unless the index of a step into a fixed array is below its length.
    pub(super) fn check_step(&mut self, stmt: &'a Stmt, index: Id<Value>, len: u32, site: Id<Site>) -> Result<()> {
        let e = self.emit;
        if self.options.checks && !self.proven.contains(&(std::ptr::from_ref(stmt), 0)) {
            let (at, len) = (self.int(index)?, e.word(u64::from(len)));
            let fails = e.compare(IntPredicate::UGE, at, len)?;
            let values = [None, Some(len), Some(at), None];
            self.faults.guard(e, fails, self.iteration, site.index(), Fault::IndexOutOfBounds, values)?;
        }
        Ok(())
    }

    /// The address of a scalar of a variable that has several.
    pub(super) fn variable_part(&self, local: Id<Local>, part: &Part) -> Result<PointerValue<'c>> {
        let e = self.emit;
        let number = self.scalar_number(part)?;
        let ty = e.memory_ty(self.task.locals[local].ty);
        // SAFETY: the verifier has seen that the number is below the variable's length for all indices below the lengths
        // of their fixed arrays, and the indices were checked before.
        Ok(unsafe { e.builder.build_in_bounds_gep(ty, self.locals[local.index()], &[number], "")? })
    }

    /// Which scalar of several a part means.
    pub(super) fn scalar_number(&self, part: &Part) -> Result<IntValue<'c>> {
        let e = self.emit;
        let mut number = e.word(u64::from(part.base));
        for step in &part.steps {
            let steps = e.builder.build_int_mul(self.int(step.index)?, e.word(u64::from(step.stride)), "")?;
            number = e.builder.build_int_add(number, steps, "")?;
        }
        Ok(number)
    }

    /// A read-modify-write; gives the old value.
    pub(super) fn atomic(
        &self,
        op: AtomicOp,
        ty: Scalar,
        at: PointerValue<'c>,
        value: BasicValueEnum<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        use inkwell::AtomicRMWBinOp as Rmw;
        if !op.takes(ty) {
            return Err(Error::internal(format_args!("an atomic `{}` on {ty}", op.name())));
        }
        let updated = match op {
            AtomicOp::Add => Some(Op::Add),
            AtomicOp::Sub => Some(Op::Sub),
            AtomicOp::Min => Some(Op::Min),
            AtomicOp::Max => Some(Op::Max),
            AtomicOp::And | AtomicOp::Or | AtomicOp::Xor | AtomicOp::Exchange => None,
        };
        if ty.is_half()
            && let Some(op) = updated
        {
            return self.update_half(op, ty, at, value);
        }
        // `minnum` and `maxnum`, as for `Op::Min` and `Op::Max`.
        let rmw = match op {
            AtomicOp::Add if ty.is_float() => Rmw::FAdd,
            AtomicOp::Sub if ty.is_float() => Rmw::FSub,
            AtomicOp::Min if ty.is_float() => Rmw::FMin,
            AtomicOp::Max if ty.is_float() => Rmw::FMax,
            AtomicOp::Add => Rmw::Add,
            AtomicOp::Sub => Rmw::Sub,
            AtomicOp::Min if ty.is_signed() => Rmw::Min,
            AtomicOp::Min => Rmw::UMin,
            AtomicOp::Max if ty.is_signed() => Rmw::Max,
            AtomicOp::Max => Rmw::UMax,
            AtomicOp::And => Rmw::And,
            AtomicOp::Or => Rmw::Or,
            AtomicOp::Xor => Rmw::Xor,
            AtomicOp::Exchange => Rmw::Xchg,
        };
        // Relaxed: the end of the task orders everything.
        let order = inkwell::AtomicOrdering::Monotonic;
        let builder = &self.emit.builder;
        let BasicValueEnum::FloatValue(value) = value else {
            let old = builder.build_atomicrmw(rmw, at, value.into_int_value(), order)?;
            self.device_wide(old.into())?;
            return Ok(old.into());
        };
        // SAFETY: the builder stands at the end of a block of the function that both operands belong to; all of these
        // operations take floats, and the result is of the operand's type. inkwell's own wrapper only takes integers.
        let old: BasicValueEnum<'c> = unsafe {
            let (at, value) = (at.as_value_ref(), value.as_value_ref());
            let old = llvm_sys::core::LLVMBuildAtomicRMW(builder.as_mut_ptr(), rmw.into(), at, value, order.into(), 0);
            FloatValue::new(old).into()
        };
        self.device_wide(old)?;
        Ok(old)
    }

    /// Tells the target of an atomic instruction that was built.
    pub(super) fn device_wide(&self, old: BasicValueEnum<'c>) -> Result<()> {
        match old.as_instruction_value() {
            Some(instruction) => self.hooks.atomic(self.emit, instruction),
            None => Err(Error::internal("an atomic instruction that is none")),
        }
    }

    /// A read-modify-write of a 16-bit float, which no machine has: tried until nobody came between. Gives the old value.
    fn update_half(
        &self,
        op: Op,
        ty: Scalar,
        at: PointerValue<'c>,
        value: BasicValueEnum<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        let (e, b) = (self.emit, &self.emit.builder);
        let order = inkwell::AtomicOrdering::Monotonic;
        let (top, done) = (e.new_block()?, e.new_block()?);
        let first = e.load(e.ty(ty), at)?;
        let load = first.as_instruction_value().ok_or_else(|| Error::internal("a load that is no instruction"))?;
        load.set_atomic_ordering(order).map_err(|_| Error::internal("a load that can't be atomic"))?;
        load.set_alignment(ty.size() as u32).map_err(|_| Error::internal("a load without an alignment"))?;
        self.hooks.atomic(e, load)?;
        let from = e.block()?;
        e.branch(top)?;
        e.at(top);
        let old = b.build_phi(e.ty(ty), "")?;
        let args = [old.as_basic_value(), value];
        let new = op::value(&Operation { emit: e, hooks: self.hooks, op, ty, output: ty, args: &args })?;
        let result = b.build_cmpxchg(at, old.as_basic_value(), new, order, order)?;
        self.device_wide(result.into())?;
        let seen = b.build_extract_value(result, 0, "")?;
        let stored = b.build_extract_value(result, 1, "")?.into_int_value();
        e.branch_if(stored, done, top)?;
        old.add_incoming(&[(&first, from), (&seen, e.block()?)]);
        e.at(done);
        Ok(old.as_basic_value())
    }

    /// Stores `new` where the bits of `current` are; gives the old value.
    pub(super) fn compare_exchange(
        &self,
        ty: Scalar,
        at: PointerValue<'c>,
        current: BasicValueEnum<'c>,
        new: BasicValueEnum<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        if !AtomicOp::Exchange.takes(ty) {
            return Err(Error::internal(format_args!("an atomic `compare_exchange` on {ty}")));
        }
        let e = self.emit;
        // LLVM compares integers only.
        let bits = |value| e.builder.build_bit_cast(value, e.int(ty.bits()), "");
        let order = inkwell::AtomicOrdering::Monotonic;
        let result = e.builder.build_cmpxchg(at, bits(current)?, bits(new)?, order, order)?;
        self.device_wide(result.into())?;
        let old = e.builder.build_extract_value(result, 0, "")?;
        Ok(e.builder.build_bit_cast(old, e.ty(ty), "")?)
    }
}
