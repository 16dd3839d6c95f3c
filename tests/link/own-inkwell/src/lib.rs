//! A user's crate that calls LLVM through its own inkwell, in a program that also holds qd.
use inkwell::OptimizationLevel;
use inkwell::context::Context;
use inkwell::targets::{InitializationConfig, Target};

/// 42, from code made and run by inkwell alone.
pub fn answer() -> i32 {
    qd::llvm::load().unwrap();
    Target::initialize_native(&InitializationConfig::default()).unwrap();
    Target::initialize_all(&InitializationConfig::default());
    let context = Context::create();
    let module = context.create_module("user");
    let function = module.add_function("answer", context.i32_type().fn_type(&[], false), None);
    let builder = context.create_builder();
    builder.position_at_end(context.append_basic_block(function, "entry"));
    builder.build_return(Some(&context.i32_type().const_int(42, false))).unwrap();
    let engine = module.create_jit_execution_engine(OptimizationLevel::None).unwrap();
    // SAFETY: the signature above; the engine lives through the call.
    unsafe { engine.get_function::<unsafe extern "C" fn() -> i32>("answer").unwrap().call() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_test_program_links_and_runs_too() {
        assert_eq!(super::answer(), 42);
    }
}
