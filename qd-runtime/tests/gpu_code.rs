//! Code for GPUs, made on a machine that has none: everything that a kernel can do compiles for every target, and nothing
//! of it asks for what isn't there.
mod codegen;

use codegen::tasks::{STENCIL, TRIAD, calls};
use codegen::{options, parsed};
use qd_runtime::backend::Backend;
use qd_runtime::backend::gpu::Gpu;

/// One of each kind that differs for LLVM.
const TARGETS: [&str; 9] = [
    "cuda,sm_70",
    "cuda,sm_80",
    "cuda,sm_90",
    "cuda,sm_120",
    "amdgpu,gfx90a",
    "amdgpu,gfx942",
    "amdgpu,gfx1030",
    "amdgpu,gfx1100",
    "amdgpu,gfx1201",
];

fn backend(target: &str) -> Gpu {
    Gpu::compiler(target.parse().unwrap())
}

#[test]
fn a_plain_loop_has_two_entries() {
    for target in TARGETS {
        let backend = backend(target);
        for text in [TRIAD, STENCIL] {
            let ir = backend.llvm_ir(&parsed(text), "stem", options(3)).unwrap();
            let kernel =
                if target.starts_with("cuda") { "define ptx_kernel void" } else { "define amdgpu_kernel void" };
            for entry in ["stem_run", "stem_bounds"] {
                let defined = ir.lines().any(|line| line.starts_with(kernel) && line.contains(entry));
                assert!(defined, "{target}: no {entry} in\n{ir}");
            }
        }
    }
}

/// An intrinsic that LLVM can't select would abort the process.
fn everything_compiles(target: &str, opt_level: u8) {
    let backend = backend(target);
    for text in calls() {
        let made = backend.assembly(&parsed(&text), "stem", options(opt_level));
        let assembly = made.unwrap_or_else(|error| panic!("{target} at O{opt_level}: {error}\n{text}"));
        assert!(!assembly.contains(".extern"), "{target} at O{opt_level} asks for something\n{text}\n{assembly}");
    }
}

/// A test for each target, and without optimisation for one of each vendor.
macro_rules! everything_compiles {
    ($($name:ident $target:literal $opt_level:literal;)*) => {
        mod everything_compiles_for_everything { $(
            #[test]
            fn $name() {
                assert!(super::TARGETS.contains(&$target));
                super::everything_compiles($target, $opt_level);
            }
        )* }
    };
}
everything_compiles! {
    sm_70 "cuda,sm_70" 3;
    sm_70_plain "cuda,sm_70" 0;
    sm_80 "cuda,sm_80" 3;
    sm_90 "cuda,sm_90" 3;
    sm_120 "cuda,sm_120" 3;
    gfx90a "amdgpu,gfx90a" 3;
    gfx90a_plain "amdgpu,gfx90a" 0;
    gfx942 "amdgpu,gfx942" 3;
    gfx1030 "amdgpu,gfx1030" 3;
    gfx1100 "amdgpu,gfx1100" 3;
    gfx1201 "amdgpu,gfx1201" 3;
}
