//! AMD's devices: LLVM's AMDGPU, which writes objects. A linker makes code objects (HSACO) of them.
use inkwell::AddressSpace;
use inkwell::attributes::AttributeLoc;
use inkwell::module::FlagBehavior;
use inkwell::values::{FunctionValue, InstructionOpcode, InstructionValue};
use llvm_sys::LLVMAtomicOrdering;

use super::hooks::{Flavour, set_scope};
use crate::codegen::emit::Emit;
use crate::error::{Error, Result};
use crate::target::AmdgpuTarget;

/// LLVM's calling convention of kernels.
const KERNEL: u32 = 91;
/// The address space of variables.
const PRIVATE: u16 = 5;

/// What is true of the memory that atomic instructions go to: it is the device's own. Without it some chips would try an
/// update until nobody came between, for a host that takes part over PCIe.
const OWN_MEMORY: [&str; 2] = ["amdgpu.no.fine.grained.memory", "amdgpu.no.remote.memory"];
/// Subnormal numbers may be zeros in sums of `f32` by atomic instructions: some chips have no other.
const IGNORES_SUBNORMALS: &str = "amdgpu.ignore.denormal.mode";

/// The hooks of AMD's devices.
pub(super) struct Amdgpu {
    chip: &'static str,
    features: String,
    code_object: u32,
    private_bytes: u64,
}

impl Amdgpu {
    pub(super) fn new(target: &AmdgpuTarget) -> Self {
        Amdgpu {
            chip: target.chip(),
            features: target.features_string(),
            code_object: target.code_object(),
            private_bytes: target.private_bytes(),
        }
    }
}

impl Flavour for Amdgpu {
    fn triple(&self) -> &'static str {
        AmdgpuTarget::TRIPLE
    }

    fn chip(&self) -> &'static str {
        self.chip
    }

    fn features(&self) -> &str {
        &self.features
    }

    fn llvm_name(&self) -> &'static str {
        "AMDGPU"
    }

    fn library(&self) -> &'static str {
        "amdgcn-amd-amdhsa.bc"
    }

    fn variables(&self) -> AddressSpace {
        AddressSpace::from(PRIVATE)
    }

    fn private_bytes(&self) -> u64 {
        self.private_bytes
    }

    fn selected(&self) -> &'static [&'static str] {
        &["amdgcn.rsq", "amdgcn.s.barrier", "amdgcn.workgroup.id.x", "amdgcn.workitem.id.x"]
    }

    fn atomic<'c>(&self, emit: &Emit<'c>, instruction: InstructionValue<'c>) -> Result<()> {
        set_scope(emit, instruction, "agent");
        if instruction.get_opcode() == InstructionOpcode::AtomicRMW {
            let adds_floats = instruction.get_type().is_float_type();
            let names = OWN_MEMORY.iter().chain(adds_floats.then_some(&IGNORES_SUBNORMALS));
            for name in names {
                let nothing = emit.context.metadata_node(&[]);
                let kind = emit.context.get_kind_id(name);
                let set = instruction.set_metadata(nothing, kind);
                set.map_err(|_| Error::internal(format_args!("an instruction doesn't take {name}")))?;
            }
        }
        Ok(())
    }

    fn kernel(&self, emit: &Emit<'_>, function: FunctionValue<'_>, block: u32) {
        function.set_call_conventions(KERNEL);
        let lanes = format!("{block},{block}");
        for (name, value) in [("amdgpu-flat-work-group-size", lanes.as_str()), ("uniform-work-group-size", "true")] {
            function.add_attribute(AttributeLoc::Function, emit.context.create_string_attribute(name, value));
        }
    }

    fn lane(&self) -> &'static str {
        "llvm.amdgcn.workitem.id.x"
    }

    fn block(&self) -> &'static str {
        "llvm.amdgcn.workgroup.id.x"
    }

    fn barrier(&self, emit: &Emit<'_>) -> Result<()> {
        let fence = |order: LLVMAtomicOrdering| {
            // SAFETY: the builder stands in a block of a function; the name is empty and terminated.
            unsafe {
                llvm_sys::core::LLVMBuildFenceSyncScope(
                    emit.builder.as_mut_ptr(),
                    order,
                    emit.scope("workgroup"),
                    c"".as_ptr(),
                )
            };
        };
        fence(LLVMAtomicOrdering::LLVMAtomicOrderingRelease);
        emit.effect("llvm.amdgcn.s.barrier", &[])?;
        fence(LLVMAtomicOrdering::LLVMAtomicOrderingAcquire);
        Ok(())
    }

    fn describe(&self, emit: &Emit<'_>) {
        let version = emit.int(32).const_int(u64::from(self.code_object) * 100, false);
        emit.module.add_basic_value_flag("amdhsa_code_object_version", FlagBehavior::Error, version);
    }
}
