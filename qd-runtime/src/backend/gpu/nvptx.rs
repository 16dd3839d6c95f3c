//! NVIDIA's devices: LLVM's NVPTX, which writes PTX. The driver makes machine code of that.
use inkwell::AddressSpace;
use inkwell::attributes::AttributeLoc;
use inkwell::values::{FunctionValue, InstructionValue};

use super::hooks::{Flavour, set_scope};
use crate::codegen::emit::Emit;
use crate::error::Result;
use crate::target::CudaTarget;

/// LLVM's calling convention of kernels.
const KERNEL: u32 = 71;

/// The hooks of NVIDIA's devices.
pub(super) struct Nvptx {
    chip: &'static str,
    features: String,
}

impl Nvptx {
    pub(super) fn new(target: &CudaTarget) -> Self {
        Nvptx { chip: target.chip(), features: target.features_string() }
    }
}

impl Flavour for Nvptx {
    fn triple(&self) -> &'static str {
        CudaTarget::TRIPLE
    }

    fn chip(&self) -> &'static str {
        self.chip
    }

    fn features(&self) -> &str {
        &self.features
    }

    fn llvm_name(&self) -> &'static str {
        "NVPTX"
    }

    fn library(&self) -> &'static str {
        "nvptx64--.bc"
    }

    fn variables(&self) -> AddressSpace {
        AddressSpace::default()
    }

    fn private_bytes(&self) -> u64 {
        // Of all chips, by the tables of CUDA's guide.
        512 << 10
    }

    fn selected(&self) -> &'static [&'static str] {
        &["nvvm.barrier.cta.sync.aligned.all", "nvvm.read.ptx.sreg.tid.x", "nvvm.read.ptx.sreg.ctaid.x"]
    }

    fn atomic<'c>(&self, emit: &Emit<'c>, instruction: InstructionValue<'c>) -> Result<()> {
        set_scope(emit, instruction, "device");
        Ok(())
    }

    fn kernel(&self, emit: &Emit<'_>, function: FunctionValue<'_>, block: u32) {
        function.set_call_conventions(KERNEL);
        let lanes = emit.context.create_string_attribute("nvvm.reqntid", &block.to_string());
        function.add_attribute(AttributeLoc::Function, lanes);
    }

    fn lane(&self) -> &'static str {
        "llvm.nvvm.read.ptx.sreg.tid.x"
    }

    fn block(&self) -> &'static str {
        "llvm.nvvm.read.ptx.sreg.ctaid.x"
    }

    fn barrier(&self, emit: &Emit<'_>) -> Result<()> {
        // It orders the memory of the block, too.
        emit.effect("llvm.nvvm.barrier.cta.sync.aligned.all", &[emit.int(32).const_zero().into()])
    }

    fn describe(&self, _emit: &Emit<'_>) {}
}
