//! In place of `late.rs` where the feature `llvm-linked` is on: the program links LLVM itself, only its version is
//! checked. No stubs, no search, no `QD_LLVM`.
use super::{INSTALL_HINT, LLVM_SERIES, Llvm, Version, loaded};
use crate::error::{Error, ErrorKind, Result};

/// Checks the version of the LLVM that the program was linked with.
pub(super) fn open() -> Result<Llvm> {
    // SAFETY: the linker bound llvm-sys's declaration to an LLVM's function, whose signature never changed.
    let version = unsafe { Version::ask(llvm_sys::core::LLVMGetVersion) };
    let file = loaded::file_at(llvm_sys::core::LLVMGetVersion as *const ())
        .ok_or_else(|| Error::internal("no mapped file holds LLVMGetVersion"))?;
    if version.is_supported() {
        return Ok(Llvm { version, path: file.path, build_id: file.build_id });
    }
    let message = format!(
        "this program is linked with LLVM {version} ({}), qd needs {LLVM_SERIES}. Link that one, or build qd without \
         its feature `llvm-linked` and install:\n{INSTALL_HINT}",
        file.path.display()
    );
    Err(Error::new(ErrorKind::Environment, message))
}

/// Initialises a target of GPUs, looked up at run time: the linked LLVM may have been built without. False if it lacks it, or
/// if it is linked statically and doesn't export its functions.
pub(super) fn initialize_target(name: &str) -> bool {
    let program = libloading::os::unix::Library::this();
    ["TargetInfo", "Target", "TargetMC", "AsmPrinter"].iter().all(|part| {
        // SAFETY: all initialisers of LLVM's targets have this signature and may be called repeatedly.
        let initialiser = unsafe { program.get::<unsafe extern "C" fn()>(format!("LLVMInitialize{name}{part}")) };
        // SAFETY: as above.
        initialiser.map(|initialise| unsafe { initialise() }).is_ok()
    })
}

/// Initialises the host's target; a linked LLVM may have been built without the others.
pub(super) fn initialize_targets() {
    use llvm_sys::target::*;
    // SAFETY: `open` has checked the version; initialisers may be called repeatedly.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        LLVMInitializeX86TargetInfo();
        LLVMInitializeX86Target();
        LLVMInitializeX86TargetMC();
        LLVMInitializeX86AsmPrinter();
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        LLVMInitializeAArch64TargetInfo();
        LLVMInitializeAArch64Target();
        LLVMInitializeAArch64TargetMC();
        LLVMInitializeAArch64AsmPrinter();
    }
}
