//! The peers written in C: `native.c`, compiled by each C compiler of the machine, opened, its functions by name.
//!
//! What it must not know: cases and what their arguments mean.
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::Outcome;

/// Strict IEEE as Rust has it: nothing contracted or reordered; neither `errno` nor floating-point traps to keep.
const FLAGS: [&str; 8] = [
    "-O3",
    "-march=native",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fopenmp",
    "-fPIC",
    "-shared",
];

/// A C compiler.
#[derive(Debug, Clone)]
pub struct Compiler {
    /// Its name in tables.
    pub name: &'static str,
    /// The first line of what it says of itself.
    pub version: String,
    /// How long the threads of its OpenMP runtime go on spinning after a loop, and a bit more.
    pub settle: Duration,
    program: &'static str,
}

impl Compiler {
    /// Every compiler that makes OpenMP programs here; on standard error, what was looked for and isn't usable.
    pub fn all(scratch: &Path) -> Vec<Compiler> {
        let known = [
            ("gcc", &["gcc", "cc"][..], Duration::from_millis(15)),
            ("clang", &["clang-22", "clang"][..], Duration::from_millis(250)),
        ];
        known
            .into_iter()
            .filter_map(|(name, programs, settle)| {
                let found = programs.iter().find_map(|program| {
                    let output = Command::new(program).arg("--version").output().ok()?;
                    let version = String::from_utf8_lossy(&output.stdout).lines().next()?.to_owned();
                    let compiler = Compiler { name, version, settle, program };
                    compiler
                        .shared_object("#include <omp.h>\nint probe(void) { return omp_get_max_threads(); }", scratch)
                        .inspect_err(|error| eprintln!("{program}: left out: {error}"))
                        .ok()?;
                    Some(compiler)
                });
                if found.is_none() {
                    eprintln!("{name}: not among the peers: no {} here that compiles OpenMP", programs.join(" or "));
                }
                found
            })
            .collect()
    }

    /// Compiles C to a shared object in `folder`.
    pub fn shared_object(&self, source: &str, folder: &Path) -> Outcome<PathBuf> {
        let file = folder.join(format!("{}.c", self.name));
        let object =
            tempfile::Builder::new().prefix(self.name).suffix(".so").tempfile_in(folder)?.into_temp_path().keep()?;
        std::fs::write(&file, source)?;
        let arguments: [&OsStr; 4] = [OsStr::new("-o"), object.as_os_str(), file.as_os_str(), OsStr::new("-lm")];
        let output = Command::new(self.program).args(FLAGS).args(arguments).output()?;
        if output.status.success() {
            Ok(object)
        } else {
            Err(format!("{}: {}", self.program, String::from_utf8_lossy(&output.stderr).trim()).into())
        }
    }

    /// The flags, for the description of a run.
    pub fn flags() -> String {
        FLAGS.join(" ")
    }
}

macro_rules! functions {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// `native.c` as one compiler made it.
        #[derive(Debug)]
        pub struct Native {
            /// By whom.
            pub compiler: Compiler,
            $(
                /// The C function of this name.
                pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,
            )*
        }

        impl Native {
            /// Compiles and opens; the functions live as long as the process.
            pub fn open(compiler: Compiler, scratch: &Path, threads: usize) -> Outcome<&'static Native> {
                let object: OsString = compiler.shared_object(include_str!("../native.c"), scratch)?.into();
                // SAFETY: the object is `native.c`, just compiled, which has no initialisers; those of the OpenMP
                // runtime it needs are made to be run by dlopen.
                let library = unsafe { libloading::Library::new(object) }?;
                // Never closed: threads of the OpenMP runtime may be running its code.
                let library: &'static libloading::Library = Box::leak(Box::new(library));
                // SAFETY: each name is a function of native.c with these parameters and this result.
                let native = unsafe { Native { compiler, $($name: *library.get(stringify!($name))?),* } };
                // SAFETY: `set_threads` takes any count.
                unsafe { (native.set_threads)(threads) };
                Ok(Box::leak(Box::new(native)))
            }
        }
    };
}

functions! {
    set_threads: fn(usize);
    triad_f32: fn(*mut f32, *const f32, *const f32, f32, usize);
    triad_f64: fn(*mut f64, *const f64, *const f64, f64, usize);
    sum_f32: fn(*const f32, usize) -> f32;
    jacobi: fn(*mut f32, *mut f32, usize, usize, usize);
    gray_scott: fn(*mut f32, *mut f32, *mut f32, *mut f32, usize, usize, usize);
    matmul: fn(*mut f32, *const f32, *const f32, usize);
    nbody: fn(*mut f32, *mut f32, *mut f32, *const f32, *const f32, *const f32, *const f32, usize);
    histogram: fn(*mut u32, *const u32, usize);
    julia: fn(*mut u32, usize, u32);
    increment: fn(*mut f32, usize);
    work: fn(*mut f32, usize);
    work_alone: fn(*mut f32, usize);
}
