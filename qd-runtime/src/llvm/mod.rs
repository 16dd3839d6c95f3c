//! LLVM, loaded late: nothing of it is needed to build, and it is opened only when something must be compiled.
//!
//! A value of [`Llvm`] is the proof that LLVM's C functions may be called; [`get`] is the only way to one. Every
//! constructor of code generation and of the JIT takes `&Llvm`, so the type checker keeps the order.
//!
//! inkwell and llvm-sys are built without a library behind them. `late.rs` defines each function they declare as a
//! stub that jumps through a slot, and fills the slots from `libLLVM.so.22.1`. The stubs are invisible outside the
//! linked program, so other users of libLLVM in the process (graphics drivers) are not touched.
//!
//! Limits. A program that links the C API of *another* LLVM itself defines the same names; it uses the feature
//! `llvm-linked`, which leaves the stubs out: the program must then link libLLVM 22.1 (say, with
//! `cargo::rustc-link-lib=dylib=LLVM-22` in its build script), and [`get`] only checks the version. A program that
//! uses inkwell 22.1 beside qd calls [`load`] before its first LLVM call.
mod loaded;
#[cfg(not(feature = "llvm-linked"))]
mod symbols;

#[cfg(not(feature = "llvm-linked"))]
mod late;
#[cfg(feature = "llvm-linked")]
#[path = "linked.rs"]
mod late;

use std::ffi::{CStr, c_char};
use std::fmt;
use std::path::{Path, PathBuf};

use once_cell::sync::OnceCell;

use crate::error::{Error, ErrorKind, Result};

/// The only LLVM series this build works with, as `major.minor`; a part of every key.
pub const LLVM_SERIES: &str = "22.1";

/// How to get the library, one line a system.
pub const INSTALL_HINT: &str = "\
  Debian, Ubuntu:  apt-get install -y --no-install-recommends libllvm22
  Fedora:          dnf install llvm-libs
  Arch Linux:      pacman -S llvm-libs
  Homebrew:        brew install llvm@22
or set QD_LLVM to the path of a libLLVM.so.22.1. Where the system's packages are older, the LLVM project has its own \
for Debian and Ubuntu.";

/// LLVM's C functions can be called while a value of this exists; there is one, and it stays for ever.
#[derive(Debug)]
pub struct Llvm {
    version: Version,
    path: PathBuf,
    build_id: Option<String>,
}

impl Llvm {
    /// The exact version, for instance `22.1.8`.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The library's file; the program's own where LLVM is linked into it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The build id that the library's linker gave it, in hexadecimal, where it gave one.
    pub fn build_id(&self) -> Option<&str> {
        self.build_id.as_deref()
    }
}

impl fmt::Display for Llvm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LLVM {} ({})", self.version, self.path.display())
    }
}

/// An exact LLVM version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second number.
    pub minor: u32,
    /// The third number; code of one series may differ between patches.
    pub patch: u32,
}

impl Version {
    /// The version that `LLVMGetVersion` at this address reports.
    ///
    /// # Safety
    /// `get_version` must be libLLVM's `LLVMGetVersion`.
    unsafe fn ask(get_version: unsafe extern "C" fn(*mut u32, *mut u32, *mut u32)) -> Version {
        let mut version = Version { major: 0, minor: 0, patch: 0 };
        // SAFETY: the function writes one u32 through each of the three pointers and keeps none.
        unsafe { get_version(&mut version.major, &mut version.minor, &mut version.patch) };
        version
    }

    fn is_supported(self) -> bool {
        format!("{}.{}", self.major, self.minor) == LLVM_SERIES
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

static LLVM: OnceCell<Llvm> = OnceCell::new();

/// LLVM, opened at the first call that succeeds. A failure isn't remembered: install the library and call again.
pub fn get() -> Result<&'static Llvm> {
    LLVM.get_or_try_init(|| {
        let llvm = late::open()?;
        late::initialize_targets();
        // SAFETY: `open` made the function callable; the handler is a plain function without state.
        unsafe { llvm_sys::error_handling::LLVMInstallFatalErrorHandler(Some(fatal_error)) };
        tracing::debug!(version = %llvm.version, path = %llvm.path.display(), "LLVM opened");
        Ok(llvm)
    })
}

/// Initialises a further target of LLVM's, by its name there. What runs on CPUs alone never asks for one.
pub(crate) fn initialize(target: &str) -> Result<()> {
    get()?;
    late::initialize_target(target).then_some(()).ok_or_else(|| {
        let message =
            format!("this LLVM was built without its target {target}; install one that has it:\n{INSTALL_HINT}");
        Error::new(ErrorKind::Environment, message)
    })
}

/// Opens LLVM for a program's own use of inkwell or llvm-sys 22.1, before its first call.
pub fn load() -> Result<()> {
    get().map(|_| ())
}

/// LLVM calls this where it can't go on (an instruction it can't select, say); it would call `exit(1)` after it.
extern "C" fn fatal_error(reason: *const c_char) {
    // SAFETY: LLVM passes a terminated string that lives through the call.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
    eprintln!("qd: LLVM can't go on: {reason}\nThis is a defect of qd, please report it.");
    std::process::abort()
}
