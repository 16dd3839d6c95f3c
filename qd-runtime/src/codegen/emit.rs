//! LLVM instructions in the terms of the IR: types of scalars, constants, intrinsics, calls.
//!
//! A thin layer over inkwell that every file of the code generator builds with. In registers a `bool` is an `i1`, in
//! memory a byte; `f16` and `bf16` are their bits in both (see `half`). It knows no tasks. Nothing here sets `nsw`, `nuw`, `exact` or a fast-math flag, so no instruction
//! can give poison; what can (division, out-of-range shifts) is the caller's to guard.
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::basic_block::BasicBlock;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum, FloatType, IntType, PointerType};
use inkwell::values::{
    AsValueRef, BasicMetadataValueEnum, BasicValue, BasicValueEnum, FloatValue, FunctionValue, InstructionValue,
    IntValue, PointerValue,
};
use inkwell::{AddressSpace, IntPredicate};
use qd_ir::types::{Const, Scalar, ScalarClass};

use crate::error::{Error, Result};

impl From<BuilderError> for Error {
    fn from(error: BuilderError) -> Self {
        Error::internal(format_args!("an LLVM instruction can't be built: {error}"))
    }
}

/// A module under construction.
pub(crate) struct Emit<'c> {
    pub(crate) context: &'c Context,
    pub(crate) module: Module<'c>,
    pub(crate) builder: Builder<'c>,
    /// Where the memory of a launch is.
    memory: AddressSpace,
}

/// What a called function promises.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Promise {
    /// A value of its arguments, nothing else.
    Pure,
    /// It may do anything but unwind.
    Plain,
    /// As `Plain`, and it is rarely called.
    Cold,
}

impl<'c> Emit<'c> {
    pub(crate) fn new(context: &'c Context, name: &str, memory: AddressSpace) -> Self {
        Emit { context, module: context.create_module(name), builder: context.create_builder(), memory }
    }

    /// The integer type of that many bits.
    pub(crate) fn int(&self, bits: u32) -> IntType<'c> {
        match bits {
            1 => self.context.bool_type(),
            8 => self.context.i8_type(),
            16 => self.context.i16_type(),
            32 => self.context.i32_type(),
            128 => self.context.i128_type(),
            _ => self.context.i64_type(),
        }
    }

    pub(crate) fn i64(&self) -> IntType<'c> {
        self.context.i64_type()
    }

    /// Pointer into the memory of a launch.
    pub(crate) fn ptr(&self) -> PointerType<'c> {
        self.context.ptr_type(self.memory)
    }

    /// Type of a scalar in a register.
    pub(crate) fn ty(&self, scalar: Scalar) -> BasicTypeEnum<'c> {
        match scalar {
            Scalar::Bool => self.context.bool_type().into(),
            Scalar::F32 => self.context.f32_type().into(),
            Scalar::F64 => self.context.f64_type().into(),
            Scalar::I8 | Scalar::U8 => self.context.i8_type().into(),
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => self.context.i16_type().into(),
            Scalar::I32 | Scalar::U32 => self.context.i32_type().into(),
            Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize => self.context.i64_type().into(),
            Scalar::I128 | Scalar::U128 => self.context.i128_type().into(),
        }
    }

    /// Type of a scalar in memory.
    pub(crate) fn memory_ty(&self, scalar: Scalar) -> BasicTypeEnum<'c> {
        if scalar == Scalar::Bool { self.context.i8_type().into() } else { self.ty(scalar) }
    }

    /// The float type of a scalar that is one in registers: `f32` or `f64`.
    pub(crate) fn float(&self, scalar: Scalar) -> FloatType<'c> {
        if scalar == Scalar::F32 { self.context.f32_type() } else { self.context.f64_type() }
    }

    pub(crate) fn word(&self, value: u64) -> IntValue<'c> {
        self.i64().const_int(value, false)
    }

    pub(crate) fn bool(&self, value: bool) -> IntValue<'c> {
        self.context.bool_type().const_int(u64::from(value), false)
    }

    /// A constant in a register.
    pub(crate) fn constant(&self, value: Const) -> Result<BasicValueEnum<'c>> {
        let number = || self.number(self.int(value.ty.bits()), value.bits);
        Ok(match value.ty.class() {
            ScalarClass::Bool => self.bool(value.bits != 0).into(),
            ScalarClass::Signed | ScalarClass::Unsigned => number().into(),
            // By bits, so that NaN payloads survive.
            ScalarClass::Float => self.builder.build_bit_cast(number(), self.ty(value.ty), "")?,
        })
    }

    /// A constant of an integer type: the low bits of `value`.
    pub(crate) fn number(&self, ty: IntType<'c>, value: u128) -> IntValue<'c> {
        ty.const_int_arbitrary_precision(&[value as u64, (value >> 64) as u64])
    }

    /// Zero of a scalar's register type.
    pub(crate) fn zero(&self, scalar: Scalar) -> BasicValueEnum<'c> {
        self.ty(scalar).const_zero()
    }

    /// From a register to memory's form.
    pub(crate) fn to_memory(&self, scalar: Scalar, value: BasicValueEnum<'c>) -> Result<BasicValueEnum<'c>> {
        if scalar != Scalar::Bool {
            return Ok(value);
        }
        Ok(self.builder.build_int_z_extend(value.into_int_value(), self.context.i8_type(), "")?.into())
    }

    /// From memory's form to a register.
    pub(crate) fn loaded(&self, scalar: Scalar, value: BasicValueEnum<'c>) -> Result<BasicValueEnum<'c>> {
        if scalar != Scalar::Bool {
            return Ok(value);
        }
        Ok(self.builder.build_int_truncate(value.into_int_value(), self.context.bool_type(), "")?.into())
    }

    /// The bits of a register in words, the low one first; the second of a narrow scalar is 0.
    pub(crate) fn to_words(&self, scalar: Scalar, value: BasicValueEnum<'c>) -> Result<[IntValue<'c>; 2]> {
        let bits = if scalar.is_float() {
            self.builder.build_bit_cast(value, self.int(scalar.bits()), "")?.into_int_value()
        } else {
            value.into_int_value()
        };
        if scalar.words() == 1 {
            return Ok([self.zext(bits, 64)?, self.word(0)]);
        }
        let high = self.builder.build_right_shift(bits, self.number(bits.get_type(), 64), false, "")?;
        Ok([self.resize(bits, 64)?, self.resize(high, 64)?])
    }

    /// Stores a register as the words that begin at `at`, which has the alignment of a word.
    pub(crate) fn store_words(&self, scalar: Scalar, at: PointerValue<'c>, value: BasicValueEnum<'c>) -> Result<()> {
        let [low, high] = self.to_words(scalar, value)?;
        self.store(at, low.into())?;
        if scalar.words() == 1 {
            return Ok(());
        }
        self.store(self.word_at(at, self.word(1))?, high.into())
    }

    /// A register from the words that begin at `at`; of a narrow scalar the low bits count.
    pub(crate) fn load_words(&self, scalar: Scalar, at: PointerValue<'c>) -> Result<BasicValueEnum<'c>> {
        let low = self.load(self.i64().into(), at)?.into_int_value();
        if scalar.words() == 1 {
            let bits = self.resize(low, if scalar == Scalar::Bool { 1 } else { scalar.bits() })?;
            if scalar.is_float() {
                return Ok(self.builder.build_bit_cast(bits, self.ty(scalar), "")?);
            }
            return Ok(bits.into());
        }
        let high = self.load(self.i64().into(), self.word_at(at, self.word(1))?)?.into_int_value();
        let (low, high) = (self.zext(low, 128)?, self.zext(high, 128)?);
        let high = self.builder.build_left_shift(high, self.number(high.get_type(), 64), "")?;
        Ok(self.builder.build_or(low, high, "")?.into())
    }

    /// The address of the word that many words behind `at`, in the same block of words.
    pub(crate) fn word_at(&self, at: PointerValue<'c>, words: IntValue<'c>) -> Result<PointerValue<'c>> {
        // SAFETY: what callers count stays within the block of words that a launch passes.
        Ok(unsafe { self.builder.build_in_bounds_gep(self.i64(), at, &[words], "")? })
    }

    /// Zero-extends to `bits`, or leaves it.
    pub(crate) fn zext(&self, value: IntValue<'c>, bits: u32) -> Result<IntValue<'c>> {
        if value.get_type().get_bit_width() == bits {
            return Ok(value);
        }
        Ok(self.builder.build_int_z_extend(value, self.int(bits), "")?)
    }

    /// To 64 bits, by the sign of the scalar's type, which is no wider.
    pub(crate) fn widen(&self, scalar: Scalar, value: IntValue<'c>) -> Result<IntValue<'c>> {
        if value.get_type().get_bit_width() == 64 {
            return Ok(value);
        }
        if scalar.is_signed() {
            return Ok(self.builder.build_int_s_extend(value, self.i64(), "")?);
        }
        self.zext(value, 64)
    }

    /// Truncates or zero-extends to `bits`.
    pub(crate) fn resize(&self, value: IntValue<'c>, bits: u32) -> Result<IntValue<'c>> {
        if value.get_type().get_bit_width() > bits {
            return Ok(self.builder.build_int_truncate(value, self.int(bits), "")?);
        }
        self.zext(value, bits)
    }

    pub(crate) fn compare(&self, op: IntPredicate, a: IntValue<'c>, b: IntValue<'c>) -> Result<IntValue<'c>> {
        Ok(self.builder.build_int_compare(op, a, b, "")?)
    }

    /// Whether one of the words is at least `bound`, compared all at once.
    pub(crate) fn any_beyond(&self, words: &[IntValue<'c>], bound: IntValue<'c>) -> Result<IntValue<'c>> {
        let ty = self.i64().vec_type(words.len() as u32);
        let (mut all, mut bounds) = (ty.get_poison(), ty.get_poison());
        for (at, &word) in (0..).zip(words) {
            all = self.builder.build_insert_element(all, word, self.word(at), "")?;
            bounds = self.builder.build_insert_element(bounds, bound, self.word(at), "")?;
        }
        let beyond = self.builder.build_int_compare(IntPredicate::UGE, all, bounds, "")?;
        let bits = self.builder.build_bit_cast(beyond, self.int(words.len() as u32), "")?.into_int_value();
        self.compare(IntPredicate::NE, bits, bits.get_type().const_zero())
    }

    pub(crate) fn select<V: BasicValue<'c>>(
        &self,
        condition: IntValue<'c>,
        then: V,
        otherwise: V,
    ) -> Result<BasicValueEnum<'c>> {
        Ok(self.builder.build_select(condition, then, otherwise, "")?)
    }

    pub(crate) fn select_int(
        &self,
        condition: IntValue<'c>,
        then: IntValue<'c>,
        otherwise: IntValue<'c>,
    ) -> Result<IntValue<'c>> {
        Ok(self.select(condition, then, otherwise)?.into_int_value())
    }

    /// Calls an intrinsic overloaded on `types`.
    pub(crate) fn intrinsic(
        &self,
        name: &str,
        types: &[BasicTypeEnum<'c>],
        args: &[BasicMetadataValueEnum<'c>],
    ) -> Result<BasicValueEnum<'c>> {
        let function = Intrinsic::find(name)
            .and_then(|intrinsic| intrinsic.get_declaration(&self.module, types))
            .ok_or_else(|| Error::internal(format_args!("LLVM has no intrinsic {name}")))?;
        self.call(function, args)
    }

    /// Calls a function that gives a value.
    pub(crate) fn call(
        &self,
        function: FunctionValue<'c>,
        args: &[BasicMetadataValueEnum<'c>],
    ) -> Result<BasicValueEnum<'c>> {
        let result = self.builder.build_call(function, args, "")?.try_as_basic_value().basic();
        result.ok_or_else(|| Error::internal(format_args!("{:?} gives no value", function.get_name())))
    }

    /// Calls an intrinsic that gives no value.
    pub(crate) fn effect(&self, name: &str, args: &[BasicMetadataValueEnum<'c>]) -> Result<()> {
        let function = Intrinsic::find(name)
            .and_then(|intrinsic| intrinsic.get_declaration(&self.module, &[]))
            .ok_or_else(|| Error::internal(format_args!("LLVM has no intrinsic {name}")))?;
        self.builder.build_call(function, args, "")?;
        Ok(())
    }

    /// LLVM's number of a scope of atomic instructions.
    pub(crate) fn scope(&self, name: &str) -> u32 {
        // SAFETY: the name is passed with its length; the context lives.
        unsafe { llvm_sys::core::LLVMGetSyncScopeID(self.context.raw(), name.as_ptr().cast(), name.len()) }
    }

    /// An integer intrinsic of arguments of one type.
    pub(crate) fn int_intrinsic(&self, name: &str, args: &[IntValue<'c>]) -> Result<IntValue<'c>> {
        let ty = args[0].get_type();
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&arg| arg.into()).collect();
        Ok(self.intrinsic(name, &[ty.into()], &args)?.into_int_value())
    }

    /// The wrapped result of `llvm.*.with.overflow`, and whether it overflows.
    pub(crate) fn with_overflow(
        &self,
        name: &str,
        a: IntValue<'c>,
        b: IntValue<'c>,
    ) -> Result<(IntValue<'c>, IntValue<'c>)> {
        let pair = self.intrinsic(name, &[a.get_type().into()], &[a.into(), b.into()])?.into_struct_value();
        let part = |index| Ok::<_, Error>(self.builder.build_extract_value(pair, index, "")?.into_int_value());
        Ok((part(0)?, part(1)?))
    }

    /// A float intrinsic of arguments of one type.
    pub(crate) fn float_intrinsic(&self, name: &str, args: &[FloatValue<'c>]) -> Result<FloatValue<'c>> {
        let ty = args[0].get_type();
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&arg| arg.into()).collect();
        Ok(self.intrinsic(name, &[ty.into()], &args)?.into_float_value())
    }

    /// A function of another object, declared at its first use.
    pub(crate) fn external(
        &self,
        name: &str,
        params: &[BasicMetadataTypeEnum<'c>],
        result: Option<BasicTypeEnum<'c>>,
        promise: Promise,
    ) -> FunctionValue<'c> {
        use inkwell::types::BasicType;
        if let Some(function) = self.module.get_function(name) {
            return function;
        }
        let ty = match result {
            Some(result) => result.fn_type(params, false),
            None => self.context.void_type().fn_type(params, false),
        };
        let function = self.module.add_function(name, ty, None);
        self.attribute(function, "nounwind", 0);
        match promise {
            Promise::Pure => {
                for name in ["willreturn", "nosync", "nofree", "nocallback"] {
                    self.attribute(function, name, 0);
                }
                // memory(none)
                self.attribute(function, "memory", 0);
            }
            Promise::Plain => {}
            Promise::Cold => self.attribute(function, "cold", 0),
        }
        function
    }

    /// Gives a function an attribute that has a number or nothing behind its name.
    pub(crate) fn attribute(&self, function: FunctionValue<'c>, name: &str, value: u64) {
        self.attribute_at(function, AttributeLoc::Function, name, value);
    }

    pub(crate) fn attribute_at(&self, function: FunctionValue<'c>, at: AttributeLoc, name: &str, value: u64) {
        let kind = Attribute::get_named_enum_kind_id(name);
        debug_assert_ne!(kind, 0, "LLVM has no attribute {name}");
        function.add_attribute(at, self.context.create_enum_attribute(kind, value));
    }

    /// The same pointer, of which LLVM doesn't know that it is.
    pub(crate) fn opaque(&self, pointer: PointerValue<'c>) -> Result<PointerValue<'c>> {
        let ty = pointer.get_type().fn_type(&[pointer.get_type().into()], false);
        // No instruction: what comes out is in the register of what goes in.
        let nothing = self.context.create_inline_asm(ty, String::new(), "=r,0".into(), false, false, None, false);
        let call = self.builder.build_indirect_call(ty, nothing, &[pointer.into()], "")?;
        // The last is memory(none).
        for (name, value) in [("nounwind", 0), ("willreturn", 0), ("memory", 0)] {
            let kind = Attribute::get_named_enum_kind_id(name);
            call.add_attribute(AttributeLoc::Function, self.context.create_enum_attribute(kind, value));
        }
        let same = call.try_as_basic_value().basic().map(BasicValueEnum::into_pointer_value);
        same.ok_or_else(|| Error::internal("an inline assembly gives no value"))
    }

    pub(crate) fn load(&self, ty: BasicTypeEnum<'c>, at: PointerValue<'c>) -> Result<BasicValueEnum<'c>> {
        Ok(self.builder.build_load(ty, at, "")?)
    }

    pub(crate) fn store(&self, at: PointerValue<'c>, value: BasicValueEnum<'c>) -> Result<()> {
        self.builder.build_store(at, value)?;
        Ok(())
    }

    /// The block that instructions are appended to.
    pub(crate) fn block(&self) -> Result<BasicBlock<'c>> {
        self.builder.get_insert_block().ok_or_else(|| Error::internal("the builder stands nowhere"))
    }

    /// A new block at the end of the current function.
    pub(crate) fn new_block(&self) -> Result<BasicBlock<'c>> {
        let function = self
            .block()?
            .get_parent()
            .ok_or_else(|| Error::internal("the builder stands in a block without a function"))?;
        Ok(self.context.append_basic_block(function, ""))
    }

    pub(crate) fn at(&self, block: BasicBlock<'c>) {
        self.builder.position_at_end(block);
    }

    pub(crate) fn branch(&self, to: BasicBlock<'c>) -> Result<InstructionValue<'c>> {
        Ok(self.builder.build_unconditional_branch(to)?)
    }

    pub(crate) fn branch_if(
        &self,
        condition: IntValue<'c>,
        then: BasicBlock<'c>,
        otherwise: BasicBlock<'c>,
    ) -> Result<InstructionValue<'c>> {
        Ok(self.builder.build_conditional_branch(condition, then, otherwise)?)
    }

    /// As [`branch_if`](Self::branch_if), where the condition seldom holds. LLVM then keeps registers for the other way.
    pub(crate) fn branch_seldom_if(
        &self,
        condition: IntValue<'c>,
        seldom: BasicBlock<'c>,
        mostly: BasicBlock<'c>,
    ) -> Result<()> {
        use llvm_sys::core::{
            LLVMMDNodeInContext2, LLVMMDStringInContext2, LLVMMetadataAsValue, LLVMSetMetadata, LLVMValueAsMetadata,
        };
        let branch = self.branch_if(condition, seldom, mostly)?;
        let context = self.context.raw();
        let name = c"branch_weights";
        // SAFETY: the nodes are made in the module's own context from pointers of the lengths given. inkwell's own wrapper
        // takes a string for a value.
        unsafe {
            let weight = |weight| LLVMValueAsMetadata(self.context.i32_type().const_int(weight, false).as_value_ref());
            let name = LLVMMDStringInContext2(context, name.as_ptr(), name.count_bytes());
            let mut operands = [name, weight(1), weight(2000)];
            let node = LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len());
            let kind = self.context.get_kind_id("prof");
            LLVMSetMetadata(branch.as_value_ref(), kind, LLVMMetadataAsValue(context, node));
        }
        Ok(())
    }

    /// Whether the current block already ends in a jump.
    pub(crate) fn is_closed(&self) -> Result<bool> {
        Ok(self.block()?.get_terminator().is_some())
    }

    /// A variable of the current function, in its first block: promoted to a register by LLVM.
    pub(crate) fn variable(&self, ty: BasicTypeEnum<'c>) -> Result<PointerValue<'c>> {
        let here = self.block()?;
        let entry = here
            .get_parent()
            .and_then(FunctionValue::get_first_basic_block)
            .ok_or_else(|| Error::internal("a function without a block"))?;
        match entry.get_first_instruction() {
            Some(first) => self.builder.position_before(&first),
            None => self.at(entry),
        }
        let variable = self.builder.build_alloca(ty, "")?;
        self.at(here);
        Ok(variable)
    }

    /// Several variables of one type, one after the other.
    pub(crate) fn variables(&self, ty: BasicTypeEnum<'c>, len: u32) -> Result<PointerValue<'c>> {
        use inkwell::types::BasicType;
        self.variable(ty.array_type(len).into())
    }

    /// Marks the loop that `latch` closes with hints such as `llvm.loop.unroll.disable`.
    pub(crate) fn loop_hints(&self, latch: InstructionValue<'c>, hints: &[LoopHint]) {
        use llvm_sys::core::{
            LLVMConstInt, LLVMGetMDKindIDInContext, LLVMInt1TypeInContext, LLVMInt32TypeInContext,
            LLVMMDNodeInContext2, LLVMMDStringInContext2, LLVMMetadataAsValue, LLVMSetMetadata, LLVMValueAsMetadata,
        };
        use llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
        let context = self.context.raw();
        // SAFETY: all nodes are made in the module's own context from pointers of the lengths given. A loop's node
        // must name itself first: the temporary node stands in for it and is replaced, which also frees it.
        unsafe {
            let own = LLVMTemporaryMDNode(context, std::ptr::null_mut(), 0);
            let mut operands = vec![own];
            let named = |name: &str, rest: &[_]| {
                let mut parts = vec![LLVMMDStringInContext2(context, name.as_ptr().cast(), name.len())];
                parts.extend(rest);
                LLVMMDNodeInContext2(context, parts.as_mut_ptr(), parts.len())
            };
            let number = |bits: u32, value: u64| {
                let ty = if bits == 1 { LLVMInt1TypeInContext(context) } else { LLVMInt32TypeInContext(context) };
                LLVMValueAsMetadata(LLVMConstInt(ty, value, 0))
            };
            for hint in hints {
                operands.push(match hint {
                    LoopHint::NoVectorize => named("llvm.loop.vectorize.enable", &[number(1, 0)]),
                    LoopHint::NoUnroll => named("llvm.loop.unroll.disable", &[]),
                    LoopHint::UnrollFull => named("llvm.loop.unroll.full", &[]),
                    LoopHint::UnrollBy(times) => named("llvm.loop.unroll.count", &[number(32, (*times).into())]),
                    LoopHint::UnrollVectorized => named(
                        "llvm.loop.vectorize.followup_vectorized",
                        &[
                            named("llvm.loop.unroll.full", &[]),
                            // What replaces the loop's hints also replaces the vectoriser's own.
                            named("llvm.loop.isvectorized", &[number(32, 1)]),
                        ],
                    ),
                });
            }
            let node = LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len());
            LLVMMetadataReplaceAllUsesWith(own, node);
            let kind = LLVMGetMDKindIDInContext(context, c"llvm.loop".as_ptr(), 9);
            LLVMSetMetadata(latch.as_value_ref(), kind, LLVMMetadataAsValue(context, node));
        }
    }
}

/// What the optimiser shall do or leave undone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoopHint {
    NoVectorize,
    NoUnroll,
    /// Whatever the loop's other hints say, once it is a loop of vectors.
    UnrollVectorized,
    UnrollFull,
    UnrollBy(u32),
}
