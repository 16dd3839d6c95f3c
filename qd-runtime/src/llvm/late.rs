//! A stub for every LLVM function that llvm-sys declares, and the search for the library that fills their slots.
//!
//! A stub leaves its number in a scratch register and jumps through its slot. Until [`open`] has filled it, and for
//! ever where the library lacks the function, a slot leads to [`not_callable`], which names the function and aborts.
//! No slot is filled before the library has said that its version is right.
//!
//! The stubs are defined here and not in the crate that calls them, so the linker must see this file's code before
//! it meets inkwell's: it does, because [`SLOTS`] refers to the stubs' common exit and [`open`] to the slots.
use std::arch::global_asm;
use std::ffi::{OsString, c_int};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicPtr, Ordering};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use super::symbols::llvm_symbols;
use super::{INSTALL_HINT, LLVM, LLVM_SERIES, Llvm, Version, loaded};
use crate::error::{Error, ErrorKind, Result};

/// The library's name where the dynamic linker can find it.
const SONAME: &str = "libLLVM.so.22.1";

/// Directories to look in after the dynamic linker's own: distributions keep several LLVMs side by side in them.
const DIRECTORIES: [&str; 7] = [
    // Debian, Ubuntu, and LLVM's own packages for them.
    "/usr/lib/llvm-22/lib",
    // Fedora, openSUSE.
    "/usr/lib64/llvm22/lib64",
    "/usr/lib64/llvm22/lib",
    // Arch Linux, Alpine.
    "/usr/lib/llvm22/lib",
    // Gentoo.
    "/usr/lib/llvm/22/lib64",
    // Homebrew.
    "/home/linuxbrew/.linuxbrew/opt/llvm@22/lib",
    "/home/linuxbrew/.linuxbrew/opt/llvm/lib",
];

macro_rules! names {
    ([$($name:ident)*]) => { &[$(stringify!($name)),*] };
}
/// The functions in the order of their slots.
const NAMES: &[&str] = llvm_symbols!(names);

/// Where each stub jumps to.
static SLOTS: [AtomicPtr<()>; NAMES.len()] =
    [const { AtomicPtr::new(qd_runtime_llvm_not_callable as *const () as *mut ()) }; NAMES.len()];

unsafe extern "C" {
    /// Passes the number that a stub left in its scratch register to [`not_callable`]. Not to be called from Rust.
    fn qd_runtime_llvm_not_callable();
}

// The assembler counts the stubs, so that a stub's number and its slot can't differ. r11 (x17) may be changed by a
// call according to the ABI and holds no argument.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
macro_rules! stubs {
    ([$($name:ident)*]) => {
        global_asm!(
            ".set .Lqd_llvm_stub, 0",
            ".macro qd_llvm_stub name",
            ".pushsection .text.qd.\\name,\"ax\",@progbits",
            ".globl \\name",
            ".hidden \\name",
            ".type \\name,@function",
            "\\name:",
            "movl $.Lqd_llvm_stub, %r11d",
            "jmpq *{slots}+8*.Lqd_llvm_stub(%rip)",
            ".size \\name, .-\\name",
            ".popsection",
            ".set .Lqd_llvm_stub, .Lqd_llvm_stub+1",
            ".endm",
            $(concat!("qd_llvm_stub ", stringify!($name)),)*
            ".purgem qd_llvm_stub",
            ".pushsection .text.qd.not_callable,\"ax\",@progbits",
            ".globl qd_runtime_llvm_not_callable",
            ".hidden qd_runtime_llvm_not_callable",
            ".type qd_runtime_llvm_not_callable,@function",
            "qd_runtime_llvm_not_callable:",
            "movl %r11d, %edi",
            "andq $-16, %rsp",
            "callq {not_callable}",
            "ud2",
            ".size qd_runtime_llvm_not_callable, .-qd_runtime_llvm_not_callable",
            ".popsection",
            slots = sym SLOTS,
            not_callable = sym not_callable,
            options(att_syntax)
        );
    };
}
#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
macro_rules! stubs {
    ([$($name:ident)*]) => {
        global_asm!(
            ".set .Lqd_llvm_stub, 0",
            ".macro qd_llvm_stub name",
            ".pushsection .text.qd.\\name,\"ax\",@progbits",
            ".p2align 2",
            ".globl \\name",
            ".hidden \\name",
            ".type \\name,@function",
            "\\name:",
            "bti c",
            "adrp x16, {slots}+8*.Lqd_llvm_stub",
            "ldr x16, [x16, :lo12:{slots}+8*.Lqd_llvm_stub]",
            "mov w17, #.Lqd_llvm_stub",
            "br x16",
            ".size \\name, .-\\name",
            ".popsection",
            ".set .Lqd_llvm_stub, .Lqd_llvm_stub+1",
            ".endm",
            $(concat!("qd_llvm_stub ", stringify!($name)),)*
            ".purgem qd_llvm_stub",
            ".pushsection .text.qd.not_callable,\"ax\",@progbits",
            ".p2align 2",
            ".globl qd_runtime_llvm_not_callable",
            ".hidden qd_runtime_llvm_not_callable",
            ".type qd_runtime_llvm_not_callable,@function",
            "qd_runtime_llvm_not_callable:",
            "bti c",
            "mov w0, w17",
            "bl {not_callable}",
            "brk #1",
            ".size qd_runtime_llvm_not_callable, .-qd_runtime_llvm_not_callable",
            ".popsection",
            slots = sym SLOTS,
            not_callable = sym not_callable,
        );
    };
}
#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux")))]
compile_error!(
    "qd loads LLVM late on Linux, x86-64 and AArch64; elsewhere enable the feature `llvm-linked` and link LLVM 22.1"
);
llvm_symbols!(stubs);

/// The end of a call of an LLVM function that isn't there.
extern "C" fn not_callable(index: u32) -> ! {
    let name = NAMES.get(index as usize).copied().unwrap_or("an unknown function");
    match LLVM.get() {
        None => eprintln!("qd: {name} of LLVM was called before LLVM was loaded; call qd::llvm::load() first"),
        Some(llvm) => eprintln!("qd: {name} was called, but {llvm} has no such function"),
    }
    std::process::abort()
}

/// Finds libLLVM, checks its version and fills the slots.
pub(super) fn open() -> Result<Llvm> {
    let (library, version) = find(std::env::var_os("QD_LLVM"), SONAME, &DIRECTORIES)?;
    for (slot, name) in SLOTS.iter().zip(NAMES) {
        // A name that is absent from the library keeps the slot that aborts.
        if let Some(address) = address_of(&library, name).or_else(|| substitute(name)) {
            slot.store(address.cast_mut(), Ordering::Release);
        }
    }
    let file = address_of(&library, "LLVMGetVersion").and_then(loaded::file_at);
    // The slots point into it from now on.
    std::mem::forget(library);
    let file = file.ok_or_else(|| Error::internal("libLLVM is loaded, but no mapped file holds LLVMGetVersion"))?;
    Ok(Llvm { version, path: file.path, build_id: file.build_id })
}

/// The library that `QD_LLVM` (`chosen`) names, and only that; without it the first called `soname` that works, where
/// the dynamic linker looks or in `directories`.
fn find(chosen: Option<OsString>, soname: &str, directories: &[&str]) -> Result<(Library, Version)> {
    if let Some(chosen) = chosen.filter(|value| !value.is_empty()) {
        let mut path = PathBuf::from(chosen);
        if path.is_dir() {
            path.push(soname);
        }
        return try_open(&path).map_err(|reason| {
            let message = format!(
                "QD_LLVM names {}, which can't be used: {reason}.\nSet it to a libLLVM.so.{LLVM_SERIES}, or unset it \
                 to use the system's.",
                path.display()
            );
            Error::new(ErrorKind::Environment, message)
        });
    }
    let mut tried = String::new();
    for path in
        std::iter::once(soname.into()).chain(directories.iter().map(|directory| Path::new(directory).join(soname)))
    {
        match try_open(&path) {
            Ok(found) => return Ok(found),
            // Not a word on each directory that other distributions have.
            Err(_) if path.is_absolute() && !path.exists() => {}
            Err(reason) => tried += &format!("  {}: {reason}\n", path.display()),
        }
    }
    let message = format!(
        "LLVM {LLVM_SERIES} is needed to compile kernels and wasn't found. Tried:\n{tried}and the directories {}.\n\
         Install its shared library:\n{INSTALL_HINT}",
        directories.join(", ")
    );
    Err(Error::new(ErrorKind::Environment, message))
}

/// The library at `path` if it is an LLVM of our series, else why not.
fn try_open(path: &Path) -> std::result::Result<(Library, Version), String> {
    // SAFETY: opening runs the library's initialisers; that of libLLVM registers its options in its own globals. It
    // is the system's library or the one that the user named.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map_err(|error| error.to_string())?;
    let Some(get_version) = address_of(&library, "LLVMGetVersion") else {
        return Err("it is no libLLVM, or older than 16: it has no LLVMGetVersion".to_owned());
    };
    // SAFETY: every libLLVM since 16 defines this name with this signature.
    let get_version =
        unsafe { std::mem::transmute::<*const (), unsafe extern "C" fn(*mut u32, *mut u32, *mut u32)>(get_version) };
    // SAFETY: as above; the library is open.
    let version = unsafe { Version::ask(get_version) };
    if version.is_supported() {
        Ok((library, version))
    } else {
        Err(format!("it is LLVM {version}, this build needs {LLVM_SERIES}"))
    }
}

fn address_of(library: &Library, name: &str) -> Option<*const ()> {
    // SAFETY: the symbol is only read as an address here.
    unsafe { library.get::<*const ()>(name) }.ok().map(|symbol| symbol.into_raw().cast_const().cast())
}

/// What code generation needs of a target.
const PARTS: [&str; 4] = ["TargetInfo", "Target", "TargetMC", "AsmPrinter"];

/// Initialises a target; false if the library lacks it.
pub(super) fn initialize_target(name: &str) -> bool {
    PARTS.iter().all(|part| initialize(part, |target| target == name))
}

/// Initialises the CPU targets that the library has.
pub(super) fn initialize_targets() {
    for part in PARTS {
        initialize(part, |target| matches!(target, "X86" | "AArch64"));
    }
}

/// Calls `LLVMInitialize<target><part>` of each wanted target that the library has. True if there was one.
fn initialize(part: &str, wanted: impl Fn(&str) -> bool) -> bool {
    let mut any = false;
    for (slot, name) in SLOTS.iter().zip(NAMES) {
        let target = name.strip_prefix("LLVMInitialize").and_then(|rest| rest.strip_suffix(part));
        let address = slot.load(Ordering::Acquire).cast_const();
        if target.is_some_and(&wanted) && address != qd_runtime_llvm_not_callable as *const () {
            // SAFETY: the slot holds libLLVM's function of this name; all initialisers of targets have this signature
            // and may be called repeatedly.
            unsafe { std::mem::transmute::<*const (), unsafe extern "C" fn()>(address)() };
            any = true;
        }
    }
    any
}

/// LLVM's name of the target we run on.
const HOST: &str = if cfg!(target_arch = "x86_64") { "X86" } else { "AArch64" };

/// As LLVM's inline functions of the same purpose: 0, or 1 where a part is missing.
fn initialize_all(parts: &[&str]) -> c_int {
    c_int::from(!parts.iter().all(|part| initialize(part, |_| true)))
}

fn initialize_native(parts: &[&str]) -> c_int {
    c_int::from(!parts.iter().all(|part| initialize(part, |target| target == HOST)))
}

macro_rules! substitutes {
    ($($name:literal => $initialize:ident [$($part:literal),+];)*) => {
        /// Our own body of a function that LLVM's headers define inline, so that no library has it. A user's own
        /// inkwell calls them. (Those that return nothing in C return a number here, which callers don't look at.)
        fn substitute(name: &str) -> Option<*const ()> {
            $(
                if name == $name {
                    extern "C" fn body() -> c_int {
                        $initialize(&[$($part),+])
                    }
                    return Some(body as *const ());
                }
            )*
            None
        }
    };
}
substitutes! {
    "LLVM_InitializeAllTargetInfos" => initialize_all ["TargetInfo"];
    "LLVM_InitializeAllTargets" => initialize_all ["Target"];
    "LLVM_InitializeAllTargetMCs" => initialize_all ["TargetMC"];
    "LLVM_InitializeAllAsmPrinters" => initialize_all ["AsmPrinter"];
    "LLVM_InitializeAllAsmParsers" => initialize_all ["AsmParser"];
    "LLVM_InitializeAllDisassemblers" => initialize_all ["Disassembler"];
    "LLVM_InitializeNativeTarget" => initialize_native ["TargetInfo", "Target", "TargetMC"];
    "LLVM_InitializeNativeAsmPrinter" => initialize_native ["AsmPrinter"];
    "LLVM_InitializeNativeAsmParser" => initialize_native ["AsmParser"];
    "LLVM_InitializeNativeDisassembler" => initialize_native ["Disassembler"];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The message of a refused `QD_LLVM`.
    fn refusal(chosen: &Path) -> String {
        let error = find(Some(chosen.as_os_str().to_owned()), SONAME, &DIRECTORIES).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Environment);
        error.to_string()
    }

    #[test]
    fn a_chosen_path_that_fails_is_an_error_even_where_another_llvm_is_installed() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("libLLVM.so.22.1");
        assert!(refusal(&missing).contains(missing.to_str().unwrap()));
        // A directory stands for the library in it.
        assert!(refusal(directory.path()).contains(missing.to_str().unwrap()));
        std::fs::write(&missing, "not a library").unwrap();
        assert!(refusal(&missing).contains("QD_LLVM"));
    }

    #[test]
    fn another_library_is_refused_before_it_is_called() {
        let libc = loaded::file_at(libc::getpid as *const ()).unwrap().path;
        assert!(refusal(&libc).contains("no libLLVM"), "{}", refusal(&libc));
    }

    #[test]
    fn where_there_is_none_it_says_what_to_install() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().to_str().unwrap();
        std::fs::write(directory.path().join("libLLVM-none.so"), "not a library").unwrap();
        let error = find(None, "libLLVM-none.so", &["/nonexistent", place]).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Environment);
        let text = error.to_string();
        assert!(text.contains("apt-get install -y --no-install-recommends libllvm22"), "{text}");
        // The one that is there and unusable, with the reason; the others only as places.
        assert!(text.contains(&format!("  {place}/libLLVM-none.so: ")), "{text}");
        assert!(!text.contains("/nonexistent/"), "{text}");
    }

    #[test]
    fn an_empty_choice_is_none() {
        let (_, version) = find(Some(OsString::new()), SONAME, &DIRECTORIES).unwrap();
        assert!(version.is_supported());
    }

    #[test]
    fn what_the_library_lacks_aborts_and_the_rest_is_callable() {
        super::super::get().unwrap();
        let empty = qd_runtime_llvm_not_callable as *const () as *mut ();
        let missing: Vec<_> = SLOTS
            .iter()
            .zip(NAMES)
            .filter(|(slot, _)| slot.load(Ordering::Relaxed) == empty)
            .map(|(_, name)| *name)
            .collect();
        // llvm-sys declares them, LLVM 22.1 has dropped them.
        assert_eq!(missing, ["LLVMConstMul", "LLVMConstNSWMul", "LLVMConstNUWMul", "LLVMRemarkVersion"]);
        // SAFETY: LLVM is loaded; initialisers may be called repeatedly.
        let failed = unsafe { llvm_sys::target::LLVM_InitializeNativeTarget() };
        assert_eq!(failed, 0);
    }
}
