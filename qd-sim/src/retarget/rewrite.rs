//! Rewrites a module instruction by instruction, and gives each kernel an entry for the host.
use inkwell::AddressSpace;
use inkwell::AtomicOrdering;
use inkwell::attributes::AttributeLoc;
use inkwell::builder::{Builder, BuilderError};
use inkwell::context::Context;
use inkwell::intrinsics::Intrinsic;
use inkwell::module::Module;
use inkwell::targets::TargetData;
use inkwell::types::{BasicMetadataTypeEnum, BasicType, BasicTypeEnum, IntType};
use inkwell::values::{
    AsValueRef, BasicValue, BasicValueEnum, CallSiteValue, FunctionValue, InstructionOpcode, InstructionValue,
    IntValue, PointerValue,
};
use qd_runtime::error::{Error, Result};

use super::intrinsics::{Id, Meaning, meaning};
use super::shown;
use crate::finding::defect;
use crate::machine::Machine;
use crate::running::{ATOMIC, READS, SPACE_SHIFT, Space, WRITES};
use crate::shims::Shim;
use crate::warp::Kind;

/// A module being rewritten.
pub(super) struct Rewrite<'c, 'm> {
    context: &'c Context,
    module: &'m Module<'c>,
    builder: Builder<'c>,
    machine: Machine,
    /// The GPU's data layout, where the module says one.
    gpu: Option<&'m TargetData>,
    host: &'m TargetData,
    /// Bytes of private variables so far.
    pub(super) private: u64,
}

fn builder_failed(error: BuilderError) -> Error {
    Error::internal(format_args!("simulated device: LLVM's builder: {error}"))
}

impl<'c, 'm> Rewrite<'c, 'm> {
    pub(super) fn new(
        context: &'c Context,
        module: &'m Module<'c>,
        machine: Machine,
        gpu: Option<&'m TargetData>,
        host: &'m TargetData,
    ) -> Self {
        Rewrite { context, module, builder: context.create_builder(), machine, gpu, host, private: 0 }
    }

    /// The error of code that can't be simulated.
    pub(super) fn refuse(&self, what: impl std::fmt::Display) -> Error {
        defect(self.machine, what)
    }

    /// Bytes of a variable of a type.
    pub(super) fn bytes(&self, ty: BasicTypeEnum<'c>) -> u64 {
        self.host.get_abi_size(&ty)
    }

    /// Refuses a type that lies otherwise in the host's memory than in the GPU's.
    pub(super) fn check_layout(&self, ty: BasicTypeEnum<'c>, what: &str) -> Result<()> {
        let Some(gpu) = self.gpu else { return Ok(()) };
        let mut same = gpu.get_abi_size(&ty) == self.host.get_abi_size(&ty);
        if let BasicTypeEnum::StructType(ty) = ty {
            let offset = |layout: &TargetData, field| layout.offset_of_element(&ty, field);
            same &= (0..ty.count_fields()).all(|field| offset(gpu, field) == offset(self.host, field));
            for field in ty.get_field_types() {
                self.check_layout(field, what)?;
            }
        }
        if let BasicTypeEnum::ArrayType(ty) = ty {
            self.check_layout(ty.get_element_type(), what)?;
        }
        if same {
            return Ok(());
        }
        let what =
            format_args!("the type {ty} of {what} lies otherwise in the host's memory; address by bytes instead");
        Err(self.refuse(what))
    }

    fn i32(&self) -> IntType<'c> {
        self.context.i32_type()
    }

    fn i64(&self) -> IntType<'c> {
        self.context.i64_type()
    }

    fn number(&self, value: u32) -> IntValue<'c> {
        self.i32().const_int(value.into(), false)
    }

    /// A call of a shim, at the builder's place.
    fn call(&self, shim: Shim, arguments: &[IntValue<'c>], result: bool) -> Result<CallSiteValue<'c>> {
        let types: Vec<BasicMetadataTypeEnum<'c>> =
            arguments.iter().map(|argument| argument.get_type().into()).collect();
        let ty =
            if result { self.i64().fn_type(&types, false) } else { self.context.void_type().fn_type(&types, false) };
        let pointer = self.context.ptr_type(AddressSpace::default());
        let address = self.i64().const_int(shim.address(), false).const_to_pointer(pointer);
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).into()).collect();
        self.builder.build_indirect_call(ty, address, &arguments, "").map_err(builder_failed)
    }

    /// As [`call`](Self::call), with its 64-bit result.
    fn asked(&self, shim: Shim, arguments: &[IntValue<'c>]) -> Result<IntValue<'c>> {
        match self.call(shim, arguments, true)?.try_as_basic_value().basic() {
            Some(BasicValueEnum::IntValue(value)) => Ok(value),
            _ => Err(self.refuse("a shim gives no number")),
        }
    }

    /// Rewrites the instruction of that number.
    pub(super) fn instruction(&mut self, instruction: InstructionValue<'c>, site: u32) -> Result<()> {
        use InstructionOpcode as Op;
        self.builder.position_before(&instruction);
        match instruction.get_opcode() {
            Op::Load => {
                let ty = self.type_of(instruction)?;
                self.touch(instruction, 0, self.host.get_store_size(&ty), site, READS)
            }
            Op::Store => {
                let size = self.host.get_store_size(&self.operand(instruction, 0)?.get_type());
                self.touch(instruction, 1, size, site, WRITES)
            }
            Op::AtomicRMW | Op::AtomicCmpXchg => {
                let size = self.host.get_store_size(&self.operand(instruction, 1)?.get_type());
                self.touch(instruction, 0, size, site, READS | WRITES | ATOMIC)
            }
            Op::Alloca => self.alloca(instruction),
            Op::GetElementPtr => match instruction.get_gep_source_element_type() {
                Ok(ty) => self.check_layout(ty, "an address"),
                Err(_) => Err(self.refuse(format_args!("an address of no type: {}", shown(instruction)))),
            },
            Op::UDiv | Op::SDiv | Op::URem | Op::SRem => self.divide(instruction, site),
            Op::PtrToInt | Op::IntToPtr => self.check_pointer_width(instruction),
            Op::FPToSI => self.saturate(instruction, "llvm.fptosi.sat"),
            Op::FPToUI => self.saturate(instruction, "llvm.fptoui.sat"),
            Op::Br | Op::Switch => self.round(instruction, site),
            Op::Call => self.called(instruction, site),
            Op::Invoke | Op::CallBr | Op::IndirectBr | Op::Resume | Op::LandingPad | Op::VAArg => {
                Err(self.refuse(format_args!("GPU code has no such instruction: {}", shown(instruction))))
            }
            // Arithmetic, comparisons, conversions, vectors, aggregates, phis, fences, returns: the host does them.
            _ => Ok(()),
        }
    }

    fn operand(&self, instruction: InstructionValue<'c>, at: u32) -> Result<BasicValueEnum<'c>> {
        instruction
            .get_operand(at)
            .and_then(|operand| operand.value())
            .ok_or_else(|| self.refuse(format_args!("an operand is missing: {}", shown(instruction))))
    }

    fn type_of(&self, instruction: InstructionValue<'c>) -> Result<BasicTypeEnum<'c>> {
        BasicTypeEnum::try_from(instruction.get_type())
            .map_err(|()| self.refuse(format_args!("a value without a size: {}", shown(instruction))))
    }

    /// The space a pointer points to, and its address as a number.
    fn address(&self, pointer: PointerValue<'c>) -> Result<(Space, IntValue<'c>)> {
        let space = super::space(pointer);
        let space = Space::of_number(space)
            .ok_or_else(|| self.refuse(format_args!("a pointer to address space {space}, which isn't simulated")))?;
        let at = self.builder.build_ptr_to_int(pointer, self.i64(), "").map_err(builder_failed)?;
        Ok((space, at))
    }

    /// Lets the access of an instruction be looked at. Its pointer is the operand `at`.
    fn touch(&self, instruction: InstructionValue<'c>, at: u32, size: u64, site: u32, flags: u32) -> Result<()> {
        let BasicValueEnum::PointerValue(pointer) = self.operand(instruction, at)? else {
            return Err(self.refuse(format_args!("an access through no pointer: {}", shown(instruction))));
        };
        let ordered = matches!(instruction.get_opcode(), InstructionOpcode::Load | InstructionOpcode::Store)
            && instruction.get_atomic_ordering().is_ok_and(|ordering| ordering != AtomicOrdering::NotAtomic);
        let volatile = instruction.get_volatile().is_ok_and(|volatile| volatile);
        let flags = if ordered || volatile { flags | ATOMIC } else { flags };
        let size = self.i64().const_int(size, false);
        self.look(pointer, size, site, flags)
    }

    fn look(&self, pointer: PointerValue<'c>, size: IntValue<'c>, site: u32, flags: u32) -> Result<()> {
        let (space, at) = self.address(pointer)?;
        let flags = flags | (space as u32) << SPACE_SHIFT;
        self.call(Shim::Touch, &[at, size, self.number(site), self.number(flags)], false)?;
        Ok(())
    }

    /// A private variable: on the host's stack, whatever space the GPU has its stack in.
    fn alloca(&mut self, instruction: InstructionValue<'c>) -> Result<()> {
        let Ok(ty) = instruction.get_allocated_type() else {
            return Err(self.refuse(format_args!("a variable of no type: {}", shown(instruction))));
        };
        self.check_layout(ty, "a private variable")?;
        let count = match self.operand(instruction, 0)? {
            BasicValueEnum::IntValue(count) => count.get_zero_extended_constant(),
            _ => None,
        };
        let Some(count) = count.and_then(|count| u32::try_from(count).ok()) else {
            return Err(
                self.refuse(format_args!("a private variable of a size that isn't constant: {}", shown(instruction)))
            );
        };
        let bytes = self.bytes(ty) * u64::from(count);
        self.private += bytes;
        let variable = self.builder.build_alloca(ty.array_type(count), "").map_err(builder_failed)?;
        if let (Some(new), Ok(alignment)) = (variable.as_instruction(), instruction.get_alignment()) {
            new.set_alignment(alignment).map_err(|error| self.refuse(error))?;
        }
        let wanted = self.type_of(instruction)?.into_pointer_type();
        let pointer = if wanted == variable.get_type() {
            variable
        } else {
            self.builder.build_address_space_cast(variable, wanted, "").map_err(builder_failed)?
        };
        let (_, at) = self.address(variable)?;
        self.call(Shim::Private, &[at, self.i64().const_int(bytes, false)], false)?;
        self.replace(instruction, Some(pointer.into()));
        Ok(())
    }

    /// The divisor of whole numbers mustn't be 0, which the host answers with the end of the process.
    fn divide(&self, instruction: InstructionValue<'c>, site: u32) -> Result<()> {
        let BasicValueEnum::IntValue(divisor) = self.operand(instruction, 1)? else { return Ok(()) };
        // Those of 128 bits are calls of functions that check.
        if divisor.get_type().get_bit_width() > 64 || divisor.is_constant_int() {
            return Ok(());
        }
        let divisor = self.builder.build_int_z_extend_or_bit_cast(divisor, self.i64(), "").map_err(builder_failed)?;
        self.call(Shim::Divisor, &[self.number(site), divisor], false)?;
        Ok(())
    }

    /// A conversion to an integer that can't hold the number is anything to LLVM. The device library relies on what it is to
    /// both kinds of GPUs, the nearest integer, and 0 for a NaN.
    fn saturate(&self, instruction: InstructionValue<'c>, name: &str) -> Result<()> {
        let from = self.operand(instruction, 0)?;
        let to = self.type_of(instruction)?;
        let function = Intrinsic::find(name)
            .and_then(|intrinsic| intrinsic.get_declaration(self.module, &[to, from.get_type()]))
            .ok_or_else(|| self.refuse(format_args!("LLVM has no {name} of {to}")))?;
        let value = self.builder.build_call(function, &[from.into()], "").map_err(builder_failed)?;
        self.replace(instruction, value.try_as_basic_value().basic());
        Ok(())
    }

    /// Pointers of 32 bits have 64 here.
    fn check_pointer_width(&self, instruction: InstructionValue<'c>) -> Result<()> {
        let from = self.operand(instruction, 0)?.get_type();
        let to = self.type_of(instruction)?;
        let narrow = |ty: BasicTypeEnum<'c>| matches!(ty, BasicTypeEnum::IntType(ty) if ty.get_bit_width() < 64);
        if narrow(from) || narrow(to) {
            return Err(
                self.refuse(format_args!("a pointer as a number of fewer than 64 bits: {}", shown(instruction)))
            );
        }
        Ok(())
    }

    /// A jump back is a round of a loop.
    fn round(&self, instruction: InstructionValue<'c>, site: u32) -> Result<()> {
        let Some(block) = instruction.get_parent() else { return Ok(()) };
        let Some(function) = block.get_parent() else { return Ok(()) };
        let targets: Vec<_> = instruction.get_operands().filter_map(|operand| operand?.block()).collect();
        let up_to_here = function.get_basic_block_iter().take_while(|other| *other != block).chain([block]);
        if up_to_here.into_iter().any(|earlier| targets.contains(&earlier)) {
            self.call(Shim::Round, &[self.number(site)], false)?;
        }
        Ok(())
    }

    fn called(&mut self, instruction: InstructionValue<'c>, site: u32) -> Result<()> {
        let Ok(call) = CallSiteValue::try_from(instruction) else { return Ok(()) };
        let Some(callee) = call.get_called_fn_value() else {
            let what = format_args!("a call through a pointer, or inline assembly: {}", shown(instruction));
            return Err(self.refuse(what));
        };
        let name = callee.get_name().to_string_lossy().into_owned();
        if callee.count_basic_blocks() > 0 {
            // Attributes at the call say what those of the function said.
            for attribute in call.attributes(AttributeLoc::Function) {
                if attribute.is_enum() {
                    call.remove_enum_attribute(AttributeLoc::Function, attribute.get_enum_kind_id());
                }
            }
            return Ok(());
        }
        let known = if name == "__nvvm_reflect" { Some(Meaning::Zero) } else { meaning(&name, self.machine) };
        match known {
            Some(meaning) => self.intrinsic(instruction, call, meaning, site),
            None if name.starts_with("llvm.") => {
                Err(self.refuse(format_args!("the intrinsic `{name}` isn't simulated; add it to qd-sim's tables")))
            }
            None => Err(self.refuse(format_args!("`{name}` is called and not in the module; link what defines it"))),
        }
    }

    fn intrinsic(
        &self,
        instruction: InstructionValue<'c>,
        call: CallSiteValue<'c>,
        meaning: Meaning,
        site: u32,
    ) -> Result<()> {
        let site_number = self.number(site);
        match meaning {
            Meaning::Itself => Ok(()),
            Meaning::Nothing => {
                self.replace(instruction, None);
                Ok(())
            }
            Meaning::Zero => {
                let zero = self.type_of(instruction)?.const_zero();
                self.replace(instruction, Some(zero));
                Ok(())
            }
            Meaning::Copy | Meaning::Fill => {
                let BasicValueEnum::IntValue(size) = self.operand(instruction, 2)? else {
                    return Err(self.refuse(format_args!("a size that is no number: {}", shown(instruction))));
                };
                let size = self.builder.build_int_z_extend_or_bit_cast(size, self.i64(), "").map_err(builder_failed)?;
                let pointers = if meaning == Meaning::Copy { &[(1, READS), (0, WRITES)][..] } else { &[(0, WRITES)] };
                for (at, flags) in pointers {
                    let BasicValueEnum::PointerValue(pointer) = self.operand(instruction, *at)? else {
                        return Err(self.refuse(format_args!("an access through no pointer: {}", shown(instruction))));
                    };
                    self.look(pointer, size, site, *flags)?;
                }
                Ok(())
            }
            Meaning::Function(address) => {
                let pointer = self.context.ptr_type(AddressSpace::default());
                let address = self.i64().const_int(address as u64, false).const_to_pointer(pointer);
                let operands = (0..call.count_arguments()).map(|at| Ok(self.operand(instruction, at)?.into()));
                let operands = operands.collect::<Result<Vec<_>>>()?;
                let ty = call.get_called_fn_type();
                let value = self.builder.build_indirect_call(ty, address, &operands, "").map_err(builder_failed)?;
                self.replace(instruction, value.try_as_basic_value().basic());
                Ok(())
            }
            Meaning::Id(id) => {
                let value = self.asked(Shim::Id, &[self.number(id as u32)])?;
                let value = self.fit(value, self.type_of(instruction)?)?;
                self.replace(instruction, Some(value));
                Ok(())
            }
            Meaning::Barrier => {
                let number = match instruction.get_operand(0).and_then(|operand| operand.value()) {
                    Some(BasicValueEnum::IntValue(number)) if call.count_arguments() > 0 => number,
                    _ => self.number(0),
                };
                self.call(Shim::Barrier, &[site_number, number], false)?;
                self.replace(instruction, None);
                Ok(())
            }
            Meaning::Trap => {
                self.call(Shim::Trap, &[site_number], false)?;
                self.replace(instruction, None);
                Ok(())
            }
            Meaning::CountBelow { second } => self.count_below(instruction, second),
            Meaning::Warp(kind) => self.exchange(instruction, kind, site),
        }
    }

    /// `mbcnt`: the bits of a mask that stand for lower lanes, counted, plus a number.
    fn count_below(&self, instruction: InstructionValue<'c>, second: bool) -> Result<()> {
        let (BasicValueEnum::IntValue(mask), BasicValueEnum::IntValue(add)) =
            (self.operand(instruction, 0)?, self.operand(instruction, 1)?)
        else {
            return Err(self.refuse(format_args!("operands that are no numbers: {}", shown(instruction))));
        };
        let b = &self.builder;
        let built = |value: std::result::Result<IntValue<'c>, BuilderError>| value.map_err(builder_failed);
        let lane = self.asked(Shim::Id, &[self.number(Id::InWarp as u32)])?;
        let lane = if second {
            // Lanes below 32 have none of the second half before them.
            let below =
                built(b.build_int_compare(inkwell::IntPredicate::ULT, lane, self.i64().const_int(32, false), ""))?;
            let rest = built(b.build_int_sub(lane, self.i64().const_int(32, false), ""))?;
            match b.build_select(below, self.i64().const_zero(), rest, "").map_err(builder_failed)? {
                BasicValueEnum::IntValue(lane) => lane,
                _ => return Err(self.refuse("a choice of numbers is none")),
            }
        } else {
            lane
        };
        // In 64 bits, where a shift by 32 is one.
        let all = built(b.build_left_shift(self.i64().const_int(1, false), lane, ""))?;
        let lower = built(b.build_int_sub(all, self.i64().const_int(1, false), ""))?;
        let mask = built(b.build_int_z_extend(mask, self.i64(), ""))?;
        let mask = built(b.build_and(mask, lower, ""))?;
        let count = Intrinsic::find("llvm.ctpop")
            .and_then(|intrinsic| intrinsic.get_declaration(self.module, &[self.i64().into()]))
            .ok_or_else(|| self.refuse("LLVM has no ctpop"))?;
        let count = b.build_call(count, &[mask.into()], "").map_err(builder_failed)?;
        let Some(BasicValueEnum::IntValue(count)) = count.try_as_basic_value().basic() else {
            return Err(self.refuse("a count is no number"));
        };
        let count = built(b.build_int_truncate(count, self.i32(), ""))?;
        let sum = built(b.build_int_add(count, add, ""))?;
        self.replace(instruction, Some(sum.into()));
        Ok(())
    }

    /// An exchange among the lanes of a warp.
    fn exchange(&self, instruction: InstructionValue<'c>, kind: Kind, site: u32) -> Result<()> {
        let operand = |at: Option<u32>| match at {
            Some(at) => self.bits(self.operand(instruction, at)?),
            None => Ok(self.i64().const_zero()),
        };
        // Which operands are the mask, the value, the other lane and the segments.
        let (mask, value, from, clamp) = match (self.machine, kind) {
            (Machine::Nvptx, Kind::Meet) => (Some(0), None, None, None),
            (Machine::Nvptx, Kind::Any | Kind::All | Kind::Uniform | Kind::Ballot) => (Some(0), Some(1), None, None),
            (Machine::Nvptx, Kind::Index | Kind::Up | Kind::Down | Kind::Butterfly) => {
                (Some(0), Some(1), Some(2), Some(3))
            }
            (Machine::Amdgpu, Kind::Meet) => (None, None, None, None),
            (Machine::Amdgpu, Kind::Permute) => (None, Some(1), Some(0), None),
            (Machine::Amdgpu, Kind::First | Kind::Ballot) => (None, Some(0), None, None),
            (Machine::Nvptx, Kind::First | Kind::Permute)
            | (
                Machine::Amdgpu,
                Kind::Any | Kind::All | Kind::Uniform | Kind::Index | Kind::Up | Kind::Down | Kind::Butterfly,
            ) => return Err(self.refuse(format_args!("no such exchange: {}", shown(instruction)))),
        };
        let narrow =
            |value: IntValue<'c>| self.builder.build_int_truncate(value, self.i32(), "").map_err(builder_failed);
        let masked = self.number(u32::from(mask.is_some()));
        let (mask, value) = (narrow(operand(mask)?)?, operand(value)?);
        let (from, clamp) = (narrow(operand(from)?)?, narrow(operand(clamp)?)?);
        let (site, kind) = (self.number(site), self.number(kind as u32));
        let got = self.asked(Shim::Warp, &[site, kind, mask, masked, value, from, clamp])?;
        if kind == self.number(Kind::Meet as u32) {
            self.replace(instruction, None);
            return Ok(());
        }
        let value = self.fit(got, self.type_of(instruction)?)?;
        self.replace(instruction, Some(value));
        Ok(())
    }

    /// A value's bits as 64.
    fn bits(&self, value: BasicValueEnum<'c>) -> Result<IntValue<'c>> {
        let value = match value {
            BasicValueEnum::IntValue(value) => value,
            BasicValueEnum::FloatValue(value) => {
                let width = self.host.get_bit_size(&value.get_type()) as u32;
                let ty =
                    std::num::NonZeroU32::new(width).and_then(|width| self.context.custom_width_int_type(width).ok());
                let Some(ty) = ty else { return Err(self.refuse("a number without bits")) };
                self.builder.build_bit_cast(value, ty, "").map_err(builder_failed)?.into_int_value()
            }
            other => return Err(self.refuse(format_args!("an exchange of values of type {}", other.get_type()))),
        };
        if value.get_type().get_bit_width() > 64 {
            return Err(self.refuse("an exchange of more than 64 bits"));
        }
        self.builder.build_int_z_extend_or_bit_cast(value, self.i64(), "").map_err(builder_failed)
    }

    /// 64 bits as a value of a type.
    fn fit(&self, bits: IntValue<'c>, ty: BasicTypeEnum<'c>) -> Result<BasicValueEnum<'c>> {
        let b = &self.builder;
        match ty {
            BasicTypeEnum::IntType(ty) if ty.get_bit_width() == 64 => Ok(bits.into()),
            BasicTypeEnum::IntType(ty) if ty.get_bit_width() < 64 => {
                Ok(b.build_int_truncate(bits, ty, "").map_err(builder_failed)?.into())
            }
            BasicTypeEnum::FloatType(ty) => {
                let width = self.host.get_bit_size(&ty) as u32;
                let whole = std::num::NonZeroU32::new(width)
                    .filter(|width| width.get() <= 64)
                    .and_then(|width| self.context.custom_width_int_type(width).ok());
                let Some(whole) = whole else { return Err(self.refuse(format_args!("a word as a {ty}"))) };
                let bits = b.build_int_truncate_or_bit_cast(bits, whole, "").map_err(builder_failed)?;
                b.build_bit_cast(bits, ty, "").map_err(builder_failed)
            }
            BasicTypeEnum::PointerType(ty) => Ok(b.build_int_to_ptr(bits, ty, "").map_err(builder_failed)?.into()),
            // A value, and whether the lane asked for exists.
            BasicTypeEnum::StructType(ty) => {
                let (Some(value), Some(BasicTypeEnum::IntType(flag))) =
                    (ty.get_field_type_at_index(0), ty.get_field_type_at_index(1))
                else {
                    return Err(self.refuse(format_args!("a word as a {ty}")));
                };
                let value = self.fit(bits, value)?;
                let valid = b.build_right_shift(bits, self.i64().const_int(32, false), false, "");
                let valid = b.build_int_truncate(valid.map_err(builder_failed)?, flag, "").map_err(builder_failed)?;
                let pair = b.build_insert_value(ty.get_undef(), value, 0, "").map_err(builder_failed)?;
                let pair = b.build_insert_value(pair, valid, 1, "").map_err(builder_failed)?;
                Ok(pair.as_basic_value_enum())
            }
            other => Err(self.refuse(format_args!("a word as a {other}"))),
        }
    }

    /// Puts a value in an instruction's place and drops it.
    fn replace(&self, instruction: InstructionValue<'c>, value: Option<BasicValueEnum<'c>>) {
        if let Some(value) = value {
            // SAFETY: both are values of the module, of one type, and the new one stands before the old one's users.
            unsafe { llvm_sys::core::LLVMReplaceAllUsesWith(instruction.as_value_ref(), value.as_value_ref()) };
        }
        instruction.erase_from_basic_block();
    }

    /// A function of one pointer, to the words of the arguments, that runs the kernel. Gives the number of words.
    pub(super) fn entry(&self, kernel: FunctionValue<'c>, symbol: &str) -> Result<usize> {
        let name = kernel.get_name().to_string_lossy();
        if kernel.get_type().get_return_type().is_some() {
            return Err(self.refuse(format_args!("the kernel `{name}` returns something")));
        }
        let pointer = self.context.ptr_type(AddressSpace::default());
        let ty = self.context.void_type().fn_type(&[pointer.into()], false);
        let entry = self.module.add_function(symbol, ty, None);
        let nounwind = inkwell::attributes::Attribute::get_named_enum_kind_id("nounwind");
        entry.add_attribute(AttributeLoc::Function, self.context.create_enum_attribute(nounwind, 0));
        self.builder.position_at_end(self.context.append_basic_block(entry, ""));
        let Some(BasicValueEnum::PointerValue(words)) = entry.get_nth_param(0) else {
            return Err(self.refuse("an entry without its parameter"));
        };
        let mut arguments = Vec::new();
        for (number, parameter) in kernel.get_params().into_iter().enumerate() {
            let at = self.i64().const_int(number as u64, false);
            // SAFETY: the launch passes as many words as the kernel has parameters.
            let at = unsafe { self.builder.build_gep(self.i64(), words, &[at], "") }.map_err(builder_failed)?;
            let word = self.builder.build_load(self.i64(), at, "").map_err(builder_failed)?.into_int_value();
            let value = match parameter.get_type() {
                BasicTypeEnum::StructType(ty) => {
                    return Err(self.refuse(format_args!("the kernel `{name}` has a parameter of type {ty}, no word")));
                }
                ty => self.fit(word, ty)?,
            };
            arguments.push(value.into());
        }
        let count = arguments.len();
        self.builder.build_call(kernel, &arguments, "").map_err(builder_failed)?;
        self.builder.build_return(None).map_err(builder_failed)?;
        Ok(count)
    }
}
