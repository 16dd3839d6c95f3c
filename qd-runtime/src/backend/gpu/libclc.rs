//! The device library: libclc's functions, as LLVM's bitcode, as the system has them. They become part of the code of the
//! tasks that call them, so the digest of the file is a part of those tasks' keys.
//!
//! Only what a task calls is read from the file: functions are loaded lazily, and with a linkage that lets the linker leave
//! out those that nobody refers to.
use std::collections::HashMap;
use std::ffi::{CStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use llvm_sys::LLVMLinkage;
use llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use llvm_sys::core::{
    LLVMCreateMemoryBufferWithMemoryRange, LLVMDisposeModule, LLVMGetDataLayoutStr, LLVMGetFirstFunction,
    LLVMGetLinkage, LLVMGetNextFunction, LLVMGetTarget, LLVMIsDeclaration, LLVMSetDataLayout, LLVMSetLinkage,
    LLVMSetTarget,
};
use llvm_sys::linker::LLVMLinkModules2;
use qd_ir::op::Op;
use qd_ir::task::Task;
use qd_ir::types::Scalar;
use sha2::{Digest, Sha256};

use super::uses;
use crate::codegen::emit::Emit;
use crate::error::{Error, ErrorKind, Result};
use crate::llvm::LLVM_SERIES;

/// The variable that names the directory of the library's files.
pub const VARIABLE: &str = "QD_LIBCLC";

/// How to get it, one line a system.
const INSTALL_HINT: &str = "\
  Debian, Ubuntu:  apt-get install -y --no-install-recommends libclc-22
  Fedora:          dnf install libclc
  Arch Linux:      pacman -S libclc
or set QD_LIBCLC to the directory of its .bc files. It must be of LLVM 22 or older.";

/// Where distributions and LLVM's own builds put it.
const DIRECTORIES: [&str; 7] = [
    "/usr/lib/clc",
    "/usr/share/clc",
    "/usr/lib64/clc",
    "/usr/lib/llvm-22/share/clc",
    "/usr/lib/llvm-22/lib/clc",
    "/usr/lib/llvm-22/lib/clang/22/lib/libclc",
    "/usr/local/share/clc",
];

/// A file of the library.
pub(super) struct Library {
    path: PathBuf,
    bytes: Vec<u8>,
    digest: [u8; 32],
}

/// The library's name for an operation, if it is one of the library's.
pub(super) fn function(op: Op, ty: Scalar) -> Option<String> {
    let (name, operands) = named(op)?;
    let letter = if ty == Scalar::F32 { "f" } else { "d" };
    // As C++ would mangle it.
    Some(format!("_Z{}{name}{}", name.len(), letter.repeat(operands)))
}

/// OpenCL's name and the number of operands.
fn named(op: Op) -> Option<(&'static str, usize)> {
    Some(match op {
        Op::Sin => ("sin", 1),
        Op::Cos => ("cos", 1),
        Op::Tan => ("tan", 1),
        Op::Asin => ("asin", 1),
        Op::Acos => ("acos", 1),
        Op::Atan => ("atan", 1),
        Op::Atan2 => ("atan2", 2),
        Op::Sinh => ("sinh", 1),
        Op::Cosh => ("cosh", 1),
        Op::Tanh => ("tanh", 1),
        Op::Asinh => ("asinh", 1),
        Op::Acosh => ("acosh", 1),
        Op::Atanh => ("atanh", 1),
        Op::Exp => ("exp", 1),
        Op::Exp2 => ("exp2", 1),
        Op::ExpM1 => ("expm1", 1),
        Op::Ln => ("log", 1),
        Op::Log2 => ("log2", 1),
        Op::Log10 => ("log10", 1),
        Op::Ln1p => ("log1p", 1),
        Op::Powf => ("pow", 2),
        Op::Cbrt => ("cbrt", 1),
        Op::Hypot => ("hypot", 2),
        // Everything else is instructions, and an operation that is neither is refused where it is built.
        _ => return None,
    })
}

/// Whether the code of a task holds functions of the library.
pub(super) fn needed(task: &Task) -> bool {
    // `log` of any base is two logarithms.
    uses::any_op(task, |op| op == Op::Log || named(op).is_some())
}

/// The digest of the library's file, for the keys of the tasks that need it.
pub(super) fn digest(file: &str) -> Result<[u8; 32]> {
    Ok(load(file)?.digest)
}

/// The library's file of that name, read once a process.
fn load(file: &str) -> Result<&'static Library> {
    static READ: Mutex<Option<HashMap<PathBuf, &'static Library>>> = Mutex::new(None);
    let path = find(std::env::var_os(VARIABLE), &DIRECTORIES, file)?;
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let read = read.get_or_insert_default();
    if let Some(library) = read.get(&path) {
        return Ok(library);
    }
    let bytes = fs::read(&path).map_err(|error| {
        let message = format!("the device library {} can't be read: {error}", path.display());
        Error::new(ErrorKind::Environment, message)
    })?;
    let digest = Sha256::digest(&bytes).into();
    // Two files at most, and modules that are being linked refer to their bytes.
    let library: &'static Library = Box::leak(Box::new(Library { path: path.clone(), bytes, digest }));
    read.insert(path, library);
    Ok(library)
}

/// Where the file is: in the directory that `QD_LIBCLC` (`chosen`) names and only there, else in one of `directories`.
fn find(chosen: Option<OsString>, directories: &[&str], file: &str) -> Result<PathBuf> {
    if let Some(chosen) = chosen.filter(|value| !value.is_empty()) {
        let path = Path::new(&chosen).join(file);
        if path.is_file() {
            return Ok(path);
        }
        let message = format!(
            "{VARIABLE} names {}, and there is no {file} in it.\nSet it to the directory of libclc's files, or unset it \
             to use the system's.",
            Path::new(&chosen).display()
        );
        return Err(Error::new(ErrorKind::Environment, message));
    }
    let found = directories.iter().map(|directory| Path::new(directory).join(file)).find(|path| path.is_file());
    found.ok_or_else(|| {
        let message = format!(
            "this kernel's mathematics needs libclc to be compiled for GPUs, and {file} wasn't found in {}.\nInstall \
             it:\n{INSTALL_HINT}",
            directories.join(", ")
        );
        Error::new(ErrorKind::Environment, message)
    })
}

/// Links what the module calls of the library into it.
pub(super) fn link(emit: &Emit<'_>, file: &str) -> Result<()> {
    let needs = emit.module.get_functions().any(|function| is_call(&function.get_name().to_string_lossy()));
    if needs { link_of(emit, load(file)?) } else { Ok(()) }
}

/// Whether a function is one of the library.
fn is_call(name: &str) -> bool {
    name.starts_with("_Z")
}

fn link_of(emit: &Emit<'_>, library: &'static Library) -> Result<()> {
    let file = library.path.display();
    // SAFETY: the bytes are the process's for ever. The module is read lazily, in our context, so it belongs to it;
    // linking or disposing uses it up. Both modules' triples are text that lives as long as they do. All functions that are
    // looked at are its own.
    let failed = unsafe {
        let buffer = LLVMCreateMemoryBufferWithMemoryRange(
            library.bytes.as_ptr().cast(),
            library.bytes.len(),
            c"libclc".as_ptr(),
            0,
        );
        let mut module = std::ptr::null_mut();
        if LLVMGetBitcodeModuleInContext2(emit.context.raw(), buffer, &mut module) != 0 {
            let message =
                format!("the device library {file} isn't bitcode that LLVM {LLVM_SERIES} reads.\n{INSTALL_HINT}");
            return Err(Error::new(ErrorKind::Environment, message));
        }
        let own = emit.module.as_mut_ptr();
        let [theirs, ours] = [module, own].map(|of| CStr::from_ptr(LLVMGetTarget(of)).to_string_lossy().into_owned());
        if theirs.split('-').next() != ours.split('-').next() {
            LLVMDisposeModule(module);
            let message = format!("the device library {file} is one for {theirs}, not for {ours}.\n{INSTALL_HINT}");
            return Err(Error::new(ErrorKind::Environment, message));
        }
        LLVMSetTarget(module, LLVMGetTarget(own));
        LLVMSetDataLayout(module, LLVMGetDataLayoutStr(own));
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            if LLVMIsDeclaration(function) == 0 && LLVMGetLinkage(function) == LLVMLinkage::LLVMExternalLinkage {
                LLVMSetLinkage(function, LLVMLinkage::LLVMLinkOnceODRLinkage);
            }
            function = LLVMGetNextFunction(function);
        }
        LLVMLinkModules2(own, module) != 0
    };
    if failed {
        return Err(Error::internal(format_args!("the device library {file} can't be linked")));
    }
    for function in emit.module.get_functions() {
        let is_declaration = function.count_basic_blocks() == 0;
        let name = function.get_name().to_string_lossy();
        if is_declaration && is_call(&name) {
            let message =
                format!("the device library {file} has no {name}: it is too old, or another one.\n{INSTALL_HINT}");
            return Err(Error::new(ErrorKind::Environment, message));
        }
        if !is_declaration && function.get_linkage() == Linkage::LinkOnceODR {
            function.set_linkage(Linkage::Internal);
            // It was compiled for an older chip, which would keep it from being inlined.
            for attribute in ["target-cpu", "target-features"] {
                function.remove_string_attribute(AttributeLoc::Function, attribute);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use inkwell::context::Context;
    use inkwell::targets::TargetTriple;
    use qd_ir::task::TaskKind;

    use super::super::hooks::GpuHooks;
    use super::*;
    use crate::codegen::hooks::Hooks;
    use crate::target::Target;

    #[test]
    fn functions_have_the_names_of_opencl() {
        assert_eq!(function(Op::Sin, Scalar::F32).unwrap(), "_Z3sinf");
        assert_eq!(function(Op::Atan2, Scalar::F64).unwrap(), "_Z5atan2dd");
        assert_eq!(function(Op::Sqrt, Scalar::F32), None);
    }

    #[test]
    fn a_library_for_another_target_is_refused() {
        crate::llvm::get().unwrap();
        let targets = ["cuda,sm_90", "amdgpu,gfx942"].map(|target| target.parse::<Target>().unwrap());
        let files = ["nvptx64--.bc", "amdgcn-amd-amdhsa.bc"];
        for (target, (own, other)) in targets.into_iter().zip([(files[0], files[1]), (files[1], files[0])]) {
            let flavour = super::super::Gpu::compiler(target).flavour().unwrap();
            let hooks = GpuHooks::new(&*flavour, &Task::new(TaskKind::Serial));
            let context = Context::create();
            let link = |file| {
                let emit = Emit::new(&context, "test", hooks.memory());
                emit.module.set_triple(&TargetTriple::create(hooks.triple()));
                let float = context.f32_type();
                let function = emit.module.add_function("_Z3sinf", float.fn_type(&[float.into()], false), None);
                let user = emit.module.add_function("f", float.fn_type(&[float.into()], false), None);
                emit.at(context.append_basic_block(user, ""));
                let value = emit.builder.build_call(function, &[user.get_nth_param(0).unwrap().into()], "").unwrap();
                emit.builder.build_return(Some(&value.try_as_basic_value().basic().unwrap())).unwrap();
                link_of(&emit, load(file).unwrap())
            };
            link(own).unwrap();
            let error = link(other).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Environment);
            assert!(error.to_string().contains(other) && error.to_string().contains("not for"), "{error}");
        }
    }

    #[test]
    fn a_missing_library_says_what_to_install() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().to_str().unwrap();
        let error = find(None, &[place], "nvptx64--.bc").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Environment);
        assert!(error.to_string().contains("apt-get install -y --no-install-recommends libclc-22"), "{error}");
        let chosen = find(Some(place.into()), &DIRECTORIES, "nvptx64--.bc").unwrap_err();
        assert!(chosen.to_string().contains("QD_LIBCLC"), "{chosen}");
        fs::write(directory.path().join("nvptx64--.bc"), "not bitcode").unwrap();
        find(Some(place.into()), &[], "nvptx64--.bc").unwrap();
    }
}
