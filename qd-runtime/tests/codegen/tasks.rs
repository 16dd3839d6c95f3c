//! Tasks as text: plain loops, and everything that can end in a call.
use qd_ir::types::Scalar;

use super::rows::{casts, grouped, rows, text};

/// `y[i] = a[i] * s + b[i]`.
pub const TRIAD: &str = "task parallel {
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
pub const STENCIL: &str = "task parallel {
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
pub fn calls() -> Vec<String> {
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
