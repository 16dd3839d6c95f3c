//! LLVM's part: a module from a task, the allow-list of intrinsics, the pass pipeline, emission.
//!
//! A [`TargetMachine`] is made once for a thread and configuration and kept: making one costs as much as a small task.
//! An intrinsic that a target can't select aborts the process inside LLVM, so each one in the module must be on the
//! target's list ([`Hooks::selects`]) before any pass runs.
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::module::Module;
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{CodeModel, FileType, RelocMode, Target, TargetMachine, TargetTriple};
use inkwell::values::BasicValue;
use qd_ir::task::Task;

use super::CodegenOptions;
use super::diagnostics::Diagnostics;
use super::emit::Emit;
use super::hooks::Hooks;
use super::task;
use crate::error::{Error, ErrorKind, Result};
use crate::llvm::Llvm;

/// What the compiler makes of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    /// Relocatable object code.
    Object,
    /// The same as text.
    Assembly,
    /// The module after the passes, as LLVM's text.
    Ir,
    /// The same in LLVM's binary form.
    Bitcode,
}

/// A compiled task.
pub(crate) struct Compiled {
    pub(crate) bytes: Vec<u8>,
    /// Task to LLVM IR.
    pub(crate) lower: Duration,
    /// LLVM's passes.
    pub(crate) passes: Duration,
    /// Instruction selection to bytes.
    pub(crate) emit: Duration,
}

/// Compiles a task. The entry points are called after `stem`.
pub(crate) fn compile(
    _llvm: &Llvm,
    hooks: &dyn Hooks,
    task: &Task,
    stem: &str,
    options: CodegenOptions,
    product: Product,
) -> Result<Compiled> {
    let started = Instant::now();
    // Without any optimisation LLVM can't select some divisions of small integers for AMDGPU.
    let selection = if hooks.lanes().is_some() { options.opt_level.max(1) } else { options.opt_level };
    let machine = machine(hooks, selection)?;
    let context = Context::create();
    let diagnostics = hooks.lanes().map(|_| Diagnostics::of(&context));
    let complaints = || diagnostics.as_ref().map_or(Ok(()), Diagnostics::check);
    let emit = Emit::new(&context, stem, hooks.memory());
    emit.module.set_triple(&machine.get_triple());
    emit.module.set_data_layout(&machine.get_target_data().get_data_layout());
    task::build(&emit, hooks, task, stem, options)?;
    hooks.complete(&emit)?;
    complaints()?;
    check_intrinsics(hooks, &emit.module)?;
    if cfg!(debug_assertions) {
        verify(&emit.module)?;
    }
    let lowered = Instant::now();

    let pipeline = PassBuilderOptions::create();
    // Lanes are the vectors where there are lanes.
    pipeline.set_loop_vectorization(options.opt_level >= 2 && hooks.lanes().is_none());
    pipeline.set_loop_slp_vectorization(options.opt_level >= 2 && hooks.lanes().is_none());
    pipeline.set_loop_interleaving(options.opt_level >= 2);
    pipeline.set_loop_unrolling(options.opt_level >= 2);
    // O3 adds to O2 mostly copies of loops for either outcome of an invariant condition, such as "is this the stretch
    // without checks": the stencil of the tests took 75 ms instead of 27. Instruction selection still has the level
    // asked for.
    let level = options.opt_level.min(2);
    emit.module
        .run_passes(&format!("default<O{level}>"), &machine, pipeline)
        .map_err(|error| Error::internal(format_args!("LLVM's passes failed: {error}")))?;
    if let Some(lanes) = hooks.lanes() {
        check_variables(hooks, lanes.private_bytes(), &emit.module, &machine)?;
        // The passes make intrinsics of other code, and the functions of a library have their own.
        check_intrinsics(hooks, &emit.module)?;
    }
    let optimised = Instant::now();

    let written = |kind| {
        machine
            .write_to_memory_buffer(&emit.module, kind)
            .map(|buffer| buffer.as_slice().to_vec())
            .map_err(|error| Error::internal(format_args!("LLVM can't emit code: {error}")))
    };
    let bytes = match product {
        Product::Object => written(FileType::Object)?,
        Product::Assembly => text(written(FileType::Assembly)?),
        Product::Ir => emit.module.print_to_string().to_bytes().to_vec(),
        Product::Bitcode => emit.module.write_bitcode_to_memory().as_slice().to_vec(),
    };
    complaints()?;
    Ok(Compiled { bytes, lower: lowered - started, passes: optimised - lowered, emit: optimised.elapsed() })
}

/// LLVM ends text with a zero byte.
fn text(mut bytes: Vec<u8>) -> Vec<u8> {
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}

fn verify(module: &Module<'_>) -> Result<()> {
    module
        .verify()
        .map_err(|error| Error::internal(format_args!("LLVM refuses the module: {error}\n{}", module.to_string())))
}

/// Every intrinsic of the module must be one that the target's code generator can select.
pub(crate) fn check_intrinsics(hooks: &dyn Hooks, module: &Module<'_>) -> Result<()> {
    for function in module.get_functions() {
        let name = function.get_name().to_string_lossy();
        let Some(intrinsic) = name.strip_prefix("llvm.") else { continue };
        let unused = || function.as_global_value().as_pointer_value().get_first_use().is_none();
        if !hooks.selects(intrinsic) && !unused() {
            return Err(Error::internal(format_args!(
                "{name} isn't on the list of intrinsics that {} can select",
                hooks.triple()
            )));
        }
    }
    Ok(())
}

/// What the passes left in memory of an iteration's variables must fit into what a lane has.
fn check_variables(hooks: &dyn Hooks, most: u64, module: &Module<'_>, machine: &TargetMachine) -> Result<()> {
    let layout = machine.get_target_data();
    for function in module.get_functions() {
        let instructions = function.get_basic_block_iter().flat_map(|block| block.get_instructions());
        let variables = instructions.filter_map(|instruction| instruction.get_allocated_type().ok());
        let bytes = variables.map(|ty| layout.get_abi_size(&ty)).sum::<u64>();
        if bytes > most {
            let message = format!(
                "an iteration keeps {bytes} bytes in arrays of its own; a lane of {} has room for {most}: use smaller \
                 ones, narrower elements, or array parameters",
                hooks.cpu()
            );
            return Err(Error::new(ErrorKind::Kernel, message));
        }
    }
    Ok(())
}

/// The thread's target machine for that configuration.
fn machine(hooks: &dyn Hooks, opt_level: u8) -> Result<Rc<TargetMachine>> {
    struct Kept {
        configuration: (String, String, String, u8),
        machine: Rc<TargetMachine>,
    }
    thread_local! {
        static KEPT: RefCell<Option<Kept>> = const { RefCell::new(None) };
    }
    let configuration = (hooks.triple().into(), hooks.cpu().into(), hooks.features().into(), opt_level);
    KEPT.with_borrow_mut(|kept| {
        if let Some(kept) = kept.as_ref().filter(|kept| kept.configuration == configuration) {
            return Ok(Rc::clone(&kept.machine));
        }
        let triple = TargetTriple::create(hooks.triple());
        let target = Target::from_triple(&triple)
            .map_err(|error| Error::internal(format_args!("this LLVM doesn't know {}: {error}", hooks.triple())))?;
        let level = match opt_level {
            0 => OptimizationLevel::None,
            1 => OptimizationLevel::Less,
            2 => OptimizationLevel::Default,
            _ => OptimizationLevel::Aggressive,
        };
        let machine = target
            .create_target_machine(&triple, hooks.cpu(), hooks.features(), level, RelocMode::PIC, CodeModel::Small)
            .ok_or_else(|| Error::internal(format_args!("LLVM makes no target machine for {}", hooks.triple())))?;
        let machine = Rc::new(machine);
        *kept = Some(Kept { configuration, machine: Rc::clone(&machine) });
        Ok(machine)
    })
}
