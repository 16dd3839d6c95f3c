//! LLVM IR for a GPU to an object for the host.
//!
//! Address spaces stay as they are: to the host's code generator they are all plain pointers, and what looks at an
//! access learns from them which memory is meant. What must change is what belongs to the machine: triple and data
//! layout, calling conventions, attributes that name a CPU, the stack's address space, intrinsics. Types that the two
//! data layouts don't agree on are refused. No pass of LLVM runs afterwards: what is executed is what was given.
mod intrinsics;
mod rewrite;

use inkwell::OptimizationLevel;
use inkwell::attributes::AttributeLoc;
use inkwell::context::Context;
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module};
use inkwell::targets::{CodeModel, FileType, RelocMode, Target, TargetData, TargetMachine, TargetTriple};
use inkwell::types::{AsTypeRef, BasicTypeEnum};
use inkwell::values::{AnyValue, AsValueRef, BasicValue, FunctionValue, InstructionValue, PointerValue};
use qd_runtime::error::{Error, Result};
use qd_runtime::llvm::Llvm;

pub(crate) use self::intrinsics::Id;
use self::rewrite::Rewrite;
use crate::finding::defect;
use crate::machine::{BlockLimit, Machine};
use crate::program::GlobalKind;
use crate::running::Space;

/// A kernel in the object.
pub(crate) struct KernelHead {
    pub(crate) name: String,
    /// Of its entry in the object.
    pub(crate) symbol: String,
    pub(crate) parameters: usize,
    pub(crate) limit: BlockLimit,
}

/// A variable in the object.
pub(crate) struct GlobalHead {
    pub(crate) name: String,
    pub(crate) symbol: String,
    pub(crate) kind: GlobalKind,
    pub(crate) bytes: u64,
}

/// Code for the host.
pub(crate) struct Retargeted {
    pub(crate) object: Vec<u8>,
    pub(crate) machine: Machine,
    pub(crate) warp: u32,
    pub(crate) kernels: Vec<KernelHead>,
    pub(crate) globals: Vec<GlobalHead>,
    /// Bytes of the private variables of all functions.
    pub(crate) private: u64,
    /// Instructions of all functions: no more values are alive at once.
    pub(crate) instructions: usize,
}

/// A module from its text or bitcode.
pub(crate) fn parse<'c>(_llvm: &Llvm, context: &'c Context, artifact: &[u8]) -> Result<Module<'c>> {
    let buffer = MemoryBuffer::create_from_memory_range_copy(artifact, "artifact");
    context
        .create_module_from_ir(buffer)
        .map_err(|error| Error::internal(format_args!("simulated device: this is no LLVM IR: {error}")))
}

/// A module's text, from its bitcode.
pub(crate) fn text(llvm: &Llvm, artifact: &[u8]) -> Result<String> {
    let context = Context::create();
    Ok(parse(llvm, &context, artifact)?.print_to_string().to_string_lossy().into_owned())
}

/// All instructions in order; their places are their numbers.
pub(crate) fn instructions<'c>(module: &Module<'c>) -> impl Iterator<Item = InstructionValue<'c>> {
    module
        .get_functions()
        .flat_map(|function| function.get_basic_blocks())
        .flat_map(|block| block.get_instructions().collect::<Vec<_>>())
}

/// Makes GPU code an object for this machine. `serial` tells its symbols from those of others.
pub(crate) fn retarget(llvm: &Llvm, artifact: &[u8], serial: usize) -> Result<Retargeted> {
    let context = Context::create();
    let module = parse(llvm, &context, artifact)?;
    let triple = module.get_triple();
    let triple = triple.as_str().to_string_lossy();
    let Some(machine) = Machine::of_triple(&triple) else {
        return Err(Error::internal(format_args!("simulated device: code for `{triple}` is no GPU's")));
    };
    if let Err(error) = module.verify() {
        return Err(defect(machine, format_args!("LLVM refuses the module: {error}")));
    }
    let layout = module.get_data_layout().as_str().to_string_lossy().into_owned();
    // Code by hand has none; there is nothing to compare then.
    let layout = (!layout.is_empty()).then(|| TargetData::create(&layout));
    let warp = warp_of(&module, machine);
    let host = host()?;
    let host_layout = host.get_target_data();
    module.set_triple(&host.get_triple());
    module.set_data_layout(&host_layout.get_data_layout());

    let numbered: Vec<_> = instructions(&module).zip(0..).collect();
    let instructions = numbered.len();
    let mut rewrite = Rewrite::new(&context, &module, machine, layout.as_ref(), &host_layout);
    let globals = globals(&module, &rewrite, serial)?;
    for (instruction, number) in numbered {
        rewrite.instruction(instruction, number)?;
    }
    let mut kernels = Vec::new();
    let functions: Vec<_> = module.get_functions().collect();
    for function in functions.iter().filter(|function| function.count_basic_blocks() > 0) {
        let convention = function.get_call_conventions();
        let name = function.get_name().to_string_lossy().into_owned();
        let limit = block_limit(*function);
        strip(*function);
        function.as_global_value().set_section(None);
        function.set_linkage(Linkage::Internal);
        if convention != machine.kernel_convention() {
            continue;
        }
        function.set_call_conventions(0);
        let symbol = format!("qd_sim_{serial}_kernel_{}", kernels.len());
        let parameters = rewrite.entry(*function, &symbol)?;
        kernels.push(KernelHead { name, symbol, parameters, limit });
    }
    if kernels.is_empty() {
        return Err(defect(machine, "the module has no kernel: none of its functions has a kernel's convention"));
    }
    let private = rewrite.private;
    for function in functions.iter().filter(|function| function.count_basic_blocks() == 0) {
        // Intrinsics whose calls are replaced.
        if function.as_global_value().as_pointer_value().get_first_use().is_none() {
            // SAFETY: nothing refers to the declaration, and the list of functions isn't used for it again.
            unsafe { function.delete() };
        }
    }
    if let Err(error) = module.verify() {
        return Err(defect(machine, format_args!("LLVM refuses the retargeted module: {error}")));
    }
    let object = host
        .write_to_memory_buffer(&module, FileType::Object)
        .map_err(|error| defect(machine, format_args!("LLVM emits no code for the host: {error}")))?
        .as_slice()
        .to_vec();
    Ok(Retargeted { object, machine, warp, kernels, globals, private, instructions })
}

/// A target machine for the host.
fn host() -> Result<TargetMachine> {
    let host = qd_runtime::target::CpuTarget::host();
    let triple = TargetTriple::create(host.triple());
    let target = Target::from_triple(&triple)
        .map_err(|error| Error::internal(format_args!("this LLVM doesn't know {}: {error}", host.triple())))?;
    target
        .create_target_machine(
            &triple,
            host.cpu(),
            &host.features_string(),
            OptimizationLevel::Less,
            RelocMode::PIC,
            CodeModel::Small,
        )
        .ok_or_else(|| Error::internal(format_args!("LLVM makes no target machine for {}", host.triple())))
}

/// The text of a function's string attribute.
fn attribute(function: FunctionValue<'_>, key: &str) -> Option<String> {
    let attribute = function.get_string_attribute(AttributeLoc::Function, key)?;
    Some(attribute.get_string_value().to_string_lossy().into_owned())
}

/// Lanes of a wave, as the functions' attributes say.
fn warp_of(module: &Module<'_>, machine: Machine) -> u32 {
    let wide = |function: FunctionValue<'_>| {
        let cpu = attribute(function, "target-cpu").unwrap_or_default();
        let features = attribute(function, "target-features").unwrap_or_default();
        features.contains("+wavefrontsize64") || cpu.starts_with("gfx9") && !features.contains("+wavefrontsize32")
    };
    match machine {
        Machine::Nvptx => 32,
        Machine::Amdgpu if module.get_functions().any(wide) => 64,
        Machine::Amdgpu => 32,
    }
}

/// The blocks that the kernel's attributes allow.
fn block_limit(function: FunctionValue<'_>) -> BlockLimit {
    let numbers = |key: &str| -> Option<Vec<u32>> {
        attribute(function, key)?.split(',').map(|number| number.trim().parse().ok()).collect()
    };
    let mut limit = BlockLimit::ANY;
    if let Some(most) = numbers("nvvm.maxntid") {
        limit.most = most.iter().product();
    }
    if let Some(exact) = numbers("nvvm.reqntid") {
        let extent = |at: usize| exact.get(at).copied().unwrap_or(1);
        limit.exact = Some([extent(0), extent(1), extent(2)]);
    }
    if let Some([least, most]) = numbers("amdgpu-flat-work-group-size").as_deref() {
        (limit.least, limit.most) = (*least, *most);
    }
    limit
}

/// Drops what a function's attributes say of a GPU, or promise of code that calls nothing.
fn strip(function: FunctionValue<'_>) {
    for attribute in function.attributes(AttributeLoc::Function) {
        if attribute.is_string() {
            function.remove_string_attribute(AttributeLoc::Function, &attribute.get_string_kind_id().to_string_lossy());
        } else if attribute.is_enum() || attribute.is_type() {
            function.remove_enum_attribute(AttributeLoc::Function, attribute.get_enum_kind_id());
        }
    }
    // Its frames are never unwound.
    let nounwind = inkwell::attributes::Attribute::get_named_enum_kind_id("nounwind");
    let context = function.get_type().get_context();
    function.add_attribute(AttributeLoc::Function, context.create_enum_attribute(nounwind, 0));
}

/// Names the variables so that they can be looked up, and says what they are.
fn globals<'c>(module: &Module<'c>, rewrite: &Rewrite<'c, '_>, serial: usize) -> Result<Vec<GlobalHead>> {
    let mut heads = Vec::new();
    for global in module.get_globals().collect::<Vec<_>>() {
        let name = global.get_name().to_string_lossy().into_owned();
        if name.starts_with("llvm.") {
            // Lists of what must stay, for a linker.
            // SAFETY: such a list has no users, and the handle isn't used again.
            unsafe { global.delete() };
            continue;
        }
        let pointer = global.as_pointer_value();
        let space = Space::of_number(space(pointer));
        let Ok(ty) = BasicTypeEnum::try_from(global.get_value_type()) else {
            return Err(rewrite.refuse(format_args!("the variable `{name}` has no type with a size")));
        };
        if global.get_initializer().is_none() {
            let what =
                format_args!("the variable `{name}` is not in the module (memory whose size the launch says, say)");
            return Err(rewrite.refuse(what));
        }
        rewrite.check_layout(ty, &name)?;
        let kind = match space {
            Some(Space::Shared) => GlobalKind::Shared,
            Some(Space::Constant) => GlobalKind::Constant,
            Some(Space::Global | Space::Generic) if global.is_constant() => GlobalKind::Constant,
            Some(Space::Global | Space::Generic) => GlobalKind::Variable,
            Some(Space::Private) | None => {
                return Err(rewrite.refuse(format_args!("the variable `{name}` is in no memory that has variables")));
            }
        };
        let symbol = format!("qd_sim_{serial}_variable_{}", heads.len());
        global.set_name(&symbol);
        global.set_linkage(Linkage::External);
        global.set_section(None);
        // SAFETY: the value is a global of the module.
        unsafe {
            llvm_sys::core::LLVMSetUnnamedAddress(global.as_value_ref(), llvm_sys::LLVMUnnamedAddr::LLVMNoUnnamedAddr)
        };
        heads.push(GlobalHead { name, symbol, kind, bytes: rewrite.bytes(ty) });
    }
    Ok(heads)
}

/// The number of the address space that a pointer points to.
fn space(pointer: PointerValue<'_>) -> u32 {
    // SAFETY: the type is a pointer's, of a living context.
    unsafe { llvm_sys::core::LLVMGetPointerAddressSpace(pointer.get_type().as_type_ref()) }
}

/// An instruction as text.
fn shown(instruction: InstructionValue<'_>) -> String {
    instruction.print_to_string().to_string_lossy().trim().to_owned()
}
