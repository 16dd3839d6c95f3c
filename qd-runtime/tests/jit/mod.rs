//! For tests of the JIT: textual LLVM IR to object code for this machine, as code generation configures it.
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::targets::{CodeModel, FileType, RelocMode, Target as LlvmTarget, TargetTriple};
use qd_runtime::llvm;
use qd_runtime::target::CpuTarget;

/// Object code of the functions in `ir`.
pub fn compile(ir: &str) -> Vec<u8> {
    compile_for(&CpuTarget::host(), ir)
}

/// Object code of the functions in `ir` for `target`.
pub fn compile_for(target: &CpuTarget, ir: &str) -> Vec<u8> {
    llvm::get().unwrap();
    let triple = TargetTriple::create(target.triple());
    let machine = LlvmTarget::from_triple(&triple)
        .unwrap()
        .create_target_machine(
            &triple,
            target.cpu(),
            &target.features_string(),
            OptimizationLevel::Default,
            RelocMode::PIC,
            CodeModel::Small,
        )
        .unwrap();
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(ir.as_bytes(), "test");
    let module = context.create_module_from_ir(buffer).unwrap();
    module.set_triple(&triple);
    module.set_data_layout(&machine.get_target_data().get_data_layout());
    machine.write_to_memory_buffer(&module, FileType::Object).unwrap().as_slice().to_vec()
}
