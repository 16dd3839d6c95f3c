//! What GPUs add to the code generator, as far as NVIDIA's and AMD's have it in common: memory of a launch in an address
//! space of its own, reports instead of calls of the host, functions of a device library for the mathematics.
//!
//! What differs is a [`Flavour`], one file each.
use inkwell::AddressSpace;
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{
    BasicMetadataValueEnum, BasicValueEnum, FloatValue, FunctionValue, InstructionValue, IntValue, PointerValue,
};
use qd_ir::op::Op;
use qd_ir::task::Task;
use qd_ir::types::Scalar;

use super::libclc;
use super::report::{self, Layout};
use crate::codegen::emit::{Emit, Promise};
use crate::codegen::hooks::{Hooks, Lanes, Report, Said, Touched};
use crate::codegen::soft::Base;
use crate::codegen::{half, soft};
use crate::error::{Error, ErrorKind, Result};

/// Global memory, on NVIDIA's and AMD's devices.
const GLOBAL: u16 = 1;

/// Intrinsics that both select, whatever made them: this code generator, LLVM's passes, the device library.
const SELECTED: &[&str] = &[
    "abs",
    "assume",
    "bitreverse",
    "bswap",
    "ceil",
    "copysign",
    "ctlz",
    "ctpop",
    "cttz",
    "experimental.cttz.elts",
    "experimental.noalias.scope.decl",
    "fabs",
    "floor",
    "fma",
    "fmuladd",
    "fptosi.sat",
    "fptoui.sat",
    "fshl",
    "fshr",
    "is.fpclass",
    "ldexp",
    "lifetime.end",
    "lifetime.start",
    "maximumnum",
    "maxnum",
    "memcpy",
    "memmove",
    "memset",
    "minimumnum",
    "minnum",
    "nearbyint",
    "rint",
    "round",
    "roundeven",
    "sadd.sat",
    "sadd.with.overflow",
    "scmp",
    "smax",
    "smin",
    "smul.with.overflow",
    "sqrt",
    "ssub.sat",
    "ssub.with.overflow",
    "trunc",
    "uadd.sat",
    "uadd.with.overflow",
    "ucmp",
    "umax",
    "umin",
    "umul.with.overflow",
    "usub.sat",
    "usub.with.overflow",
    "vector.reduce",
];

/// What a line of GPUs has of its own.
pub(super) trait Flavour: Send + Sync {
    /// LLVM's triple.
    fn triple(&self) -> &'static str;
    /// LLVM's CPU.
    fn chip(&self) -> &'static str;
    /// LLVM's feature string.
    fn features(&self) -> &str;
    /// LLVM's name of the target, for its initialisers.
    fn llvm_name(&self) -> &'static str;
    /// The file of the device library.
    fn library(&self) -> &'static str;
    /// The address space of variables.
    fn variables(&self) -> AddressSpace;
    /// As [`Lanes::private_bytes`].
    fn private_bytes(&self) -> u64;
    /// Intrinsics that it selects, beside those that all do.
    fn selected(&self) -> &'static [&'static str];
    /// As [`Hooks::atomic`].
    fn atomic<'c>(&self, emit: &Emit<'c>, instruction: InstructionValue<'c>) -> Result<()>;
    /// As [`Lanes::kernel`].
    fn kernel(&self, emit: &Emit<'_>, function: FunctionValue<'_>, block: u32);
    /// The intrinsic that gives a lane's number in its block.
    fn lane(&self) -> &'static str;
    /// The intrinsic that gives a block's number.
    fn block(&self) -> &'static str;
    /// As [`Lanes::barrier`].
    fn barrier(&self, emit: &Emit<'_>) -> Result<()>;
    /// What a module says about itself.
    fn describe(&self, emit: &Emit<'_>);
}

/// The hooks of a task for a GPU.
pub(super) struct GpuHooks<'a> {
    flavour: &'a dyn Flavour,
    report: Layout,
}

impl<'a> GpuHooks<'a> {
    pub(super) fn new(flavour: &'a dyn Flavour, task: &Task) -> Self {
        GpuHooks { flavour, report: Layout::of(task) }
    }

    /// Calls a function of the device library.
    fn library<'c>(
        &self,
        emit: &Emit<'c>,
        op: Op,
        ty: Scalar,
        args: &[BasicValueEnum<'c>],
    ) -> Result<BasicValueEnum<'c>> {
        let Some(name) = libclc::function(op, ty) else {
            return Err(Error::internal(format_args!("no device library has a function for `{op}` of {ty}")));
        };
        let types: Vec<BasicMetadataTypeEnum<'c>> = args.iter().map(|arg| arg.get_type().into()).collect();
        let function = emit.external(&name, &types, Some(emit.ty(ty)), Promise::Pure);
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&arg| arg.into()).collect();
        emit.call(function, &args)
    }
}

impl Hooks for GpuHooks<'_> {
    fn triple(&self) -> &str {
        self.flavour.triple()
    }

    fn memory(&self) -> AddressSpace {
        AddressSpace::from(GLOBAL)
    }

    fn variables(&self) -> AddressSpace {
        self.flavour.variables()
    }

    fn lanes(&self) -> Option<&dyn Lanes> {
        Some(self)
    }

    fn cpu(&self) -> &str {
        self.flavour.chip()
    }

    fn tune_cpu(&self) -> Option<&str> {
        None
    }

    fn features(&self) -> &str {
        self.flavour.features()
    }

    fn math<'c>(&self, emit: &Emit<'c>, op: Op, ty: Scalar, args: &[BasicValueEnum<'c>]) -> Result<BasicValueEnum<'c>> {
        let float = |index: usize| args[index].into_float_value();
        Ok(match op {
            Op::MulAdd => {
                let args: Vec<FloatValue<'c>> = (0..3).map(float).collect();
                emit.float_intrinsic("llvm.fma", &args)?.into()
            }
            Op::Rem => soft::rem(emit, ty, float(0), float(1))?.into(),
            Op::DivEuclid => soft::div_euclid(emit, ty, float(0), float(1))?.into(),
            Op::RemEuclid => soft::rem_euclid(emit, ty, float(0), float(1))?.into(),
            Op::Powi => soft::powi(emit, ty, float(0), args[1].into_int_value())?.into(),
            Op::Isqrt => soft::isqrt(emit, args[0].into_int_value())?.into(),
            Op::FromF64 => half::from_double(emit, self, ty, float(0))?.into(),
            Op::Log => {
                // As std has it.
                let [x, base] = [0, 1].map(|index| self.library(emit, Op::Ln, ty, &args[index..=index]));
                emit.builder.build_float_div(x?.into_float_value(), base?.into_float_value(), "")?.into()
            }
            Op::Powf if ty == Scalar::F64 => {
                // LLVM 22's goes wrong where `y * ln(x)` is so large that its low part matters after it was cut off.
                let power = self.library(emit, op, ty, args)?.into_float_value();
                soft::saturated_power(emit, power, float(0), float(1))?.into()
            }
            Op::Exp | Op::Exp2 if ty == Scalar::F32 => {
                let base = if op == Op::Exp { Base::E } else { Base::Two };
                let library = |x: FloatValue<'c>| Ok(self.library(emit, op, ty, &[x.into()])?.into_float_value());
                soft::subnormal_exp(emit, base, float(0), library)?.into()
            }
            // An operation that the library lacks is refused there.
            library => self.library(emit, library, ty, args)?,
        })
    }

    fn converts_half(&self) -> bool {
        true
    }

    fn converts_wide(&self) -> bool {
        // NVPTX asks for functions of compiler-rt.
        false
    }

    fn report<'c>(&self, emit: &Emit<'c>, faults: PointerValue<'c>, report: &Report<'c>) -> Result<()> {
        self.report.report(emit, self, faults, report)
    }

    fn say<'c>(&self, emit: &Emit<'c>, faults: PointerValue<'c>, said: &Said<'c>) -> Result<()> {
        self.report.say(emit, self, faults, said)
    }

    fn touch<'c>(&self, _: &Emit<'c>, _: PointerValue<'c>, _: &Touched<'c>) -> Result<IntValue<'c>> {
        Err(Error::new(
            ErrorKind::Unsupported,
            "the race detector of debug mode watches tasks on the CPU, where they then run in order",
        ))
    }

    fn selects(&self, intrinsic: &str) -> bool {
        // What follows the name is the types it is overloaded on.
        let is =
            |known: &str| intrinsic.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        SELECTED.iter().chain(self.flavour.selected()).any(|known| is(known))
    }

    fn atomic<'c>(&self, emit: &Emit<'c>, instruction: InstructionValue<'c>) -> Result<()> {
        self.flavour.atomic(emit, instruction)
    }

    fn complete(&self, emit: &Emit<'_>) -> Result<()> {
        self.flavour.describe(emit);
        libclc::link(emit, self.flavour.library())
    }
}

impl Lanes for GpuHooks<'_> {
    fn private_bytes(&self) -> u64 {
        self.flavour.private_bytes()
    }

    fn kernel(&self, emit: &Emit<'_>, function: FunctionValue<'_>, block: u32) {
        self.flavour.kernel(emit, function, block);
    }

    fn lane<'c>(&self, emit: &Emit<'c>) -> Result<IntValue<'c>> {
        Ok(emit.intrinsic(self.flavour.lane(), &[], &[])?.into_int_value())
    }

    fn block<'c>(&self, emit: &Emit<'c>) -> Result<IntValue<'c>> {
        Ok(emit.intrinsic(self.flavour.block(), &[], &[])?.into_int_value())
    }

    fn barrier(&self, emit: &Emit<'_>) -> Result<()> {
        self.flavour.barrier(emit)
    }

    fn first_failed<'c>(&self, emit: &Emit<'c>, faults: PointerValue<'c>) -> Result<IntValue<'c>> {
        report::first_failed(emit, self, faults)
    }
}

/// Gives an atomic instruction a scope.
pub(super) fn set_scope<'c>(emit: &Emit<'c>, instruction: InstructionValue<'c>, scope: &str) {
    use inkwell::values::AsValueRef;
    // SAFETY: callers pass atomic instructions of this context.
    unsafe { llvm_sys::core::LLVMSetAtomicSyncScopeID(instruction.as_value_ref(), emit.scope(scope)) };
}
