//! What CPUs add to the code generator: helper calls for everything that isn't an instruction everywhere.
//!
//! In strict mode the platform-class operations are calls of the helper table, never LLVM's intrinsics or libm's
//! names, which LLVM would fold with the compiling machine's libm.
use inkwell::types::BasicMetadataTypeEnum;
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, IntValue, PointerValue};
use qd_ir::op::Op;
use qd_ir::types::Scalar;

use crate::codegen::emit::{Emit, Promise};
use crate::codegen::fault::FAULT_HELPER;
use crate::codegen::hooks::{Hooks, Report, Said, Touched};
use crate::codegen::race::TOUCH_HELPER;
use crate::codegen::say::{FAIL_HELPER, PRINT_HELPER};
use crate::error::Result;
use crate::target::{CpuArch, CpuTarget};

/// Intrinsics that the code generator uses and both CPU families select, as instructions or through the rows of the
/// helper table that carry C's names.
const SELECTED: &[&str] = &[
    "abs",
    "bitreverse",
    "bswap",
    "ceil",
    "copysign",
    "ctlz",
    "ctpop",
    "cttz",
    "fabs",
    "floor",
    "fma",
    "fptosi.sat",
    "fptoui.sat",
    "fshl",
    "fshr",
    "maxnum",
    "minnum",
    "round",
    "roundeven",
    "sadd.sat",
    "smax",
    "smin",
    "smul.with.overflow",
    "sqrt",
    "ssub.sat",
    "trunc",
    "uadd.sat",
    "umax",
    "umin",
    "umul.with.overflow",
    "sadd.with.overflow",
    "uadd.with.overflow",
    "ssub.with.overflow",
    "usub.with.overflow",
    "usub.sat",
];

/// The hooks of a CPU target.
pub(super) struct CpuHooks {
    triple: String,
    cpu: String,
    tune: String,
    features: String,
    fma: bool,
    half: bool,
    words: bool,
}

impl CpuHooks {
    pub(super) fn new(target: &CpuTarget) -> Self {
        CpuHooks {
            triple: target.triple().into(),
            cpu: target.cpu().into(),
            tune: target.tune_cpu().into(),
            features: target.features_string(),
            // AArch64 has both in its base.
            fma: target.arch() == CpuArch::AArch64 || target.has_feature("fma"),
            half: target.arch() == CpuArch::AArch64 || target.has_feature("f16c"),
            words: target.arch() == CpuArch::AArch64 || target.has_feature("avx2"),
        }
    }
}

impl Hooks for CpuHooks {
    fn triple(&self) -> &str {
        &self.triple
    }

    fn cpu(&self) -> &str {
        &self.cpu
    }

    fn tune_cpu(&self) -> Option<&str> {
        Some(&self.tune)
    }

    fn features(&self) -> &str {
        &self.features
    }

    fn math<'c>(&self, emit: &Emit<'c>, op: Op, ty: Scalar, args: &[BasicValueEnum<'c>]) -> Result<BasicValueEnum<'c>> {
        if op == Op::MulAdd && self.fma {
            let args: Vec<_> = args.iter().map(|arg| arg.into_float_value()).collect();
            return Ok(emit.float_intrinsic("llvm.fma", &args)?.into());
        }
        let name = format!("qd_v1_{op}_{ty}");
        let types: Vec<BasicMetadataTypeEnum<'c>> = args.iter().map(|arg| arg.get_type().into()).collect();
        let function = emit.external(&name, &types, Some(emit.ty(ty)), Promise::Pure);
        let args: Vec<BasicMetadataValueEnum<'c>> = args.iter().map(|&arg| arg.into()).collect();
        emit.call(function, &args)
    }

    fn converts_half(&self) -> bool {
        self.half
    }

    fn compares_words(&self) -> bool {
        self.words
    }

    fn report<'c>(&self, emit: &Emit<'c>, faults: PointerValue<'c>, report: &Report<'c>) -> Result<()> {
        let (pointer, word, half) = (emit.ptr().into(), emit.i64().into(), emit.int(32).into());
        let types = [pointer, word, half, half, word, word, word, word];
        let function = emit.external(FAULT_HELPER, &types, None, Promise::Cold);
        let [first, second, third, fourth] = report.values;
        let args = [
            faults.into(),
            report.iteration.into(),
            report.site.into(),
            report.fault.into(),
            first.into(),
            second.into(),
            third.into(),
            fourth.into(),
        ];
        emit.builder.build_call(function, &args, "")?;
        Ok(())
    }

    fn say<'c>(&self, emit: &Emit<'c>, faults: PointerValue<'c>, said: &Said<'c>) -> Result<()> {
        let (pointer, word, half) = (emit.ptr().into(), emit.i64().into(), emit.int(32));
        let (name, promise) = if said.fails { (FAIL_HELPER, Promise::Cold) } else { (PRINT_HELPER, Promise::Plain) };
        let function = emit.external(name, &[pointer, word, half.into(), half.into(), pointer], None, promise);
        // Sites and values are far fewer than 2^32.
        let number = |n: usize| half.const_int(n as u64, false);
        let args = [
            faults.into(),
            said.iteration.into(),
            number(said.site).into(),
            number(said.count).into(),
            said.values.into(),
        ];
        emit.builder.build_call(function, &args, "")?;
        Ok(())
    }

    fn touch<'c>(&self, emit: &Emit<'c>, faults: PointerValue<'c>, touched: &Touched<'c>) -> Result<IntValue<'c>> {
        let (pointer, word, half) = (emit.ptr().into(), emit.i64().into(), emit.int(32));
        let types = [pointer, pointer, word, half.into(), half.into()];
        let function = emit.external(TOUCH_HELPER, &types, Some(half.into()), Promise::Plain);
        let Touched { at, iteration, touch, site } = *touched;
        // Sites are far fewer than 2^32.
        let number = |n: u64| half.const_int(n, false);
        let args =
            [faults.into(), at.into(), iteration.into(), number(touch as u64).into(), number(site as u64).into()];
        Ok(emit.call(function, &args)?.into_int_value())
    }

    fn selects(&self, intrinsic: &str) -> bool {
        SELECTED.iter().any(|known| {
            // What follows the name is the types it is overloaded on.
            intrinsic.strip_prefix(known).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }
}
