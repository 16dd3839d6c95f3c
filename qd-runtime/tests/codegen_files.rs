//! What is in objects and assembly: names, inner loops.
mod codegen;

use codegen::rows::{casts, grouped, rows, text};
use codegen::{options, parsed};
use qd_ir::types::Scalar;
use qd_runtime::backend::Backend;
use qd_runtime::backend::cpu::{Cpu, helpers};
use qd_runtime::target::Target;

/// `y[i] = a[i] * s + b[i]`.
const TRIAD: &str = "task parallel {
  array a0: &NdArray<f32, 1>
  array a1: &NdArray<f32, 1>
  array a2: &mut NdArray<f32, 1>
  input i0: f32
  site s0: index a0
  site s1: index a1
  site s2: index a2
  bounds {
    v0: usize = const 0
    v1: usize = extent a0 0
  }
  dim v2: usize in v0..v1
  body {
    v3: f32 = load a0[v2] !s0
    v4: f32 = input i0
    v5: f32 = mul v3 v4
    v6: f32 = load a1[v2] !s1
    v7: f32 = add v5 v6
    store a2[v2] = v7 !s2
  }
}";

/// The mean of four neighbours, over the inner points.
const STENCIL: &str = "task parallel {
  array a0: &NdArray<f64, 2>
  array a1: &mut NdArray<f64, 2>
  site s0: index a0
  site s1: index a0
  site s2: index a0
  site s3: index a0
  site s4: index a1
  bounds {
    v0: usize = const 1
    v1: usize = extent a0 0
    v2: usize = sub v1 v0
    v3: usize = extent a0 1
    v4: usize = sub v3 v0
  }
  dim v5: usize in v0..v2
  dim v6: usize in v0..v4
  body {
    v7: usize = const 1
    v8: usize = sub v5 v7
    v9: f64 = load a0[v8, v6] !s0
    v10: usize = add v5 v7
    v11: f64 = load a0[v10, v6] !s1
    v12: f64 = add v9 v11
    v13: usize = sub v6 v7
    v14: f64 = load a0[v5, v13] !s2
    v15: f64 = add v12 v14
    v16: usize = add v6 v7
    v17: f64 = load a0[v5, v16] !s3
    v18: f64 = add v15 v17
    v19: f64 = const 0.25
    v20: f64 = mul v18 v19
    store a1[v5, v6] = v20 !s4
  }
}";

/// Everything that can end in a call: every operation of every type, in a loop and in reductions, faults, a copy, a fill.
fn calls() -> Vec<String> {
    let mut tasks = vec![TRIAD.to_owned(), STENCIL.to_owned()];
    for ty in Scalar::ALL {
        tasks.extend(grouped(rows(ty)).iter().map(|group| text(group)));
        tasks.push(text(&casts(ty)));
    }
    for (ty, ops) in [("i128", 7), ("u128", 7), ("f16", 4), ("bf16", 4)] {
        let ops = &["add", "mul", "min", "max", "and", "or", "xor"][..ops];
        let declared: String = (0..ops.len()).map(|k| format!("reduction r{k}: {} {ty}\n", ops[k])).collect();
        let reduced: String = (0..ops.len()).map(|k| format!("reduce r{k} v3\n")).collect();
        tasks.push(format!(
            "task parallel {{
               array a0: &mut NdArray<{ty}, 1>
               {declared}
               site s0: index a0
               bounds {{
                 v0: usize = const 0
                 v1: usize = extent a0 0
               }}
               dim v2: usize in v0..v1
               body {{
                 v3: {ty} = load a0[v2] !s0
                 {reduced}
               }}
             }}"
        ));
    }
    for ty in ["f32", "f64"] {
        let unary = [
            "sqrt",
            "floor",
            "ceil",
            "round",
            "round_ties_even",
            "trunc",
            "exp",
            "exp2",
            "exp_m1",
            "ln",
            "log2",
            "log10",
            "ln_1p",
            "sin",
            "cos",
            "tan",
            "asin",
            "acos",
            "atan",
            "sinh",
            "cosh",
            "tanh",
            "asinh",
            "acosh",
            "atanh",
            "cbrt",
            "fract",
            "signum",
            "recip",
        ];
        let binary = ["rem", "div_euclid", "rem_euclid", "powf", "log", "atan2", "hypot", "copysign", "min", "max"];
        let mut body = String::new();
        for (k, op) in unary.iter().enumerate() {
            body += &format!("v{}: {ty} = {op} v3\nreduce r0 v{}\n", 5 + k, 5 + k);
        }
        let first = 5 + unary.len();
        for (k, op) in binary.iter().enumerate() {
            body += &format!("v{}: {ty} = {op} v3 v4\nreduce r0 v{}\n", first + k, first + k);
        }
        let last = first + binary.len();
        tasks.push(format!(
            "task parallel {{
               array a0: &mut NdArray<{ty}, 1>
               reduction r0: add {ty}
               site s0: index a0
               bounds {{
                 v0: usize = const 0
                 v1: usize = extent a0 0
               }}
               dim v2: usize in v0..v1
               body {{
                 v3: {ty} = load a0[v2] !s0
                 v4: {ty} = const 1.5
                 {body}
                 v{last}: {ty} = mul_add v3 v4 v3
                 reduce r0 v{last}
               }}
             }}"
        ));
    }
    for (ty, store) in [("u8", "v3"), ("u64", "v4")] {
        // A copy and a fill: LLVM makes memcpy and memset of them.
        tasks.push(format!(
            "task parallel {{
               array a0: &NdArray<{ty}, 1>
               array a1: &mut NdArray<{ty}, 1>
               site s0: index a0
               site s1: index a1
               bounds {{
                 v0: usize = const 0
                 v1: usize = extent a0 0
               }}
               dim v2: usize in v0..v1
               body {{
                 v3: {ty} = load a0[v2] !s0
                 v4: {ty} = const 0
                 store a1[v2] = {store} !s1
               }}
             }}"
        ));
    }
    tasks
}

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
    let backend = Cpu::new(Target::host());
    let ir = backend.llvm_ir(&parsed(text), "stem", options(3)).unwrap();
    assert!(ir.contains("call float @qd_v1_sin_f32"), "{ir}");
}
