//! What is in objects and assembly: names, inner loops.
mod codegen;

use codegen::tasks::{STENCIL, TRIAD, calls};
use codegen::{options, parsed};
use qd_runtime::backend::Backend;
use qd_runtime::backend::cpu::{Cpu, helpers};
use qd_runtime::target::CpuTarget;

#[test]
fn objects_ask_only_for_helpers_and_define_only_their_entries() {
    use object::{Object, ObjectSymbol};
    let targets = [
        "x86_64-unknown-linux-gnu",
        "x86_64-unknown-linux-gnu,+avx2,+fma",
        "x86_64-unknown-linux-gnu,+f16c",
        "x86_64-unknown-linux-gnu,+avx512bf16,+avx512fp16,+avx512vl,+avx512dq",
        "aarch64-unknown-linux-gnu,+neon",
    ];
    for target in targets {
        let backend = Cpu::new(target.parse().unwrap());
        for text in calls() {
            for opt_level in [0, 3] {
                let bytes = backend.compile(&parsed(&text), "stem", options(opt_level)).unwrap().bytes;
                let file = object::File::parse(&*bytes).unwrap();
                for symbol in file.symbols() {
                    let name = symbol.name().unwrap();
                    if symbol.is_undefined() && !name.is_empty() {
                        assert!(helpers::lookup(name).is_some(), "{target} at O{opt_level} asks for {name}\n{text}");
                    }
                    if symbol.is_global() && symbol.is_definition() {
                        assert!(["stem_run", "stem_bounds"].contains(&name), "{target} defines {name}");
                    }
                }
            }
        }
    }
}

/// The basic blocks of an assembly text, each with its label; a block ends at a jump.
fn blocks(assembly: &str) -> Vec<(&str, Vec<&str>)> {
    let mut blocks = vec![("", Vec::new())];
    for line in assembly.lines() {
        let instruction = line.split('#').next().unwrap_or_default().trim();
        if let Some(label) = instruction.strip_suffix(':') {
            blocks.push((label, Vec::new()));
        } else if !instruction.is_empty() && !instruction.starts_with('.') {
            blocks.last_mut().unwrap().1.push(instruction);
            if instruction.starts_with('j') {
                blocks.push(("", Vec::new()));
            }
        }
    }
    blocks
}

/// There is a loop over whole vectors in one block: nothing in it checks an index.
#[test]
fn inner_loops_are_vectors_without_checks() {
    let backend = Cpu::new("x86_64-unknown-linux-gnu,+avx2,+fma".parse().unwrap());
    for (text, multiply, store) in [(TRIAD, "vmulps", "vmovups"), (STENCIL, "vmulpd", "vmovupd")] {
        let assembly = backend.assembly(&parsed(text), "stem", options(3)).unwrap();
        let is_loop = |(label, block): &(&str, Vec<&str>)| {
            let stores = block.iter().any(|i| i.starts_with(store) && i.split(", ").next().unwrap().contains("%ymm"));
            let again =
                block.last().is_some_and(|jump| jump.starts_with('j') && jump.split_whitespace().last() == Some(label));
            block.iter().any(|i| i.starts_with(multiply)) && stores && again
        };
        assert!(blocks(&assembly).iter().any(is_loop), "no such loop in\n{assembly}");
    }
}

/// A platform function of a constant stays a call: folded, it would carry this machine's libm into the cache.
#[test]
fn platform_functions_of_constants_are_called() {
    let text = "task serial {
      output o0: f32
      body {
        v0: f32 = const 2.0
        v1: f32 = sin v0
        output o0 = v1
      }
    }";
    let backend = Cpu::new(CpuTarget::host());
    let ir = backend.llvm_ir(&parsed(text), "stem", options(3)).unwrap();
    assert!(ir.contains("call float @qd_v1_sin_f32"), "{ir}");
}
