//! `f16` and `bf16` against crate `half`, exhaustively, for targets with and without instructions that convert.
#![cfg(target_arch = "x86_64")] // other targets always have them, and `codegen_ops` covers that
mod codegen;

use codegen::native::{cast, native};
use codegen::rows::{Row, casts, rows, text};
use codegen::{Code, Memory, parsed};
use qd_ir::op::Op;
use qd_ir::types::Scalar;
use qd_runtime::data::{bf16, f16};
use qd_runtime::target::CpuTarget;

const HALVES: [Scalar; 2] = [Scalar::F16, Scalar::Bf16];

/// Without `f16c`, with it, and this machine.
fn targets() -> Vec<CpuTarget> {
    let host = CpuTarget::host();
    let mut targets: Vec<CpuTarget> = vec!["x86_64-unknown-linux-gnu".parse().unwrap()];
    if host.has_feature("avx2") && host.has_feature("fma") {
        targets.push("x86_64-unknown-linux-gnu,+avx2,+fma".parse().unwrap());
    }
    if host.has_feature("f16c") {
        targets.push("x86_64-unknown-linux-gnu,+f16c".parse().unwrap());
    }
    targets.push(host);
    targets
}

/// Runs a task of the columns `inputs` on every target at both levels, and gives the columns that it wrote.
fn on_all(text: &str, inputs: &[(Scalar, &[u128])], outputs: &[Scalar], mut seen: impl FnMut(&str, Vec<Vec<u128>>)) {
    let task = parsed(text);
    let len = inputs[0].1.len();
    for target in targets() {
        for opt_level in [0, 3] {
            let code = Code::with(task.clone(), opt_level, target.clone());
            let mut arrays: Vec<Memory> = inputs.iter().map(|(ty, bits)| Memory::of(ty.size(), bits)).collect();
            arrays.extend(outputs.iter().map(|ty| Memory::zeroed(ty.size(), &[len as u64])));
            assert_eq!(code.run(&mut arrays, &[]).fault, None);
            let columns = outputs.iter().zip(&arrays[inputs.len()..]);
            let columns = columns.map(|(ty, memory)| (0..len).map(|i| memory.get(ty.size(), i)).collect());
            seen(&format!("{target} at O{opt_level}"), columns.collect());
        }
    }
}

fn is_nan(ty: Scalar, bits: u128) -> bool {
    match ty {
        Scalar::F16 => f16::from_bits(bits as u16).is_nan(),
        Scalar::Bf16 => bf16::from_bits(bits as u16).is_nan(),
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits as u64).is_nan(),
        _ => false,
    }
}

fn assert_columns(what: &str, ty: Scalar, wanted: &[u128], got: &[u128], input: impl Fn(usize) -> String) {
    for (index, (&wanted, &got)) in wanted.iter().zip(got).enumerate() {
        let same = wanted == got || is_nan(ty, wanted) && is_nan(ty, got);
        assert!(same, "{what} of {}: {got:#x}, natively {wanted:#x}", input(index));
    }
}

/// Every bit pattern.
fn patterns() -> Vec<u128> {
    (0..=0xffff).collect()
}

#[test]
fn every_method_of_every_number() {
    let all = patterns();
    for ty in HALVES {
        let rows: Vec<Row> = rows(ty).into_iter().filter(|row| row.operands.len() == 1).collect();
        assert!(rows.len() > 40);
        let wanted =
            rows.iter().map(|row| all.iter().map(|&x| native(row.op, ty, &[x], Scalar::U32).unwrap()).collect());
        let wanted: Vec<Vec<u128>> = wanted.collect();
        let outputs: Vec<Scalar> = rows.iter().map(|row| row.output).collect();
        on_all(&text(&rows), &[(ty, &all)], &outputs, |engine, got| {
            for ((row, wanted), got) in rows.iter().zip(&wanted).zip(&got) {
                let what = format!("{} of {ty}, {engine}", row.op);
                // What only moves bits moves those of a NaN.
                let moves = matches!(row.op, Op::Neg | Op::Abs | Op::ToBits | Op::Signum);
                let ty = if moves { Scalar::U16 } else { row.output };
                assert_columns(&what, ty, wanted, got, |i| format!("{:#x}", all[i]));
            }
        });
    }
}

#[test]
fn every_number_to_every_type() {
    let all = patterns();
    for ty in HALVES {
        let rows = casts(ty);
        let outputs: Vec<Scalar> = rows.iter().map(|row| row.output).collect();
        let wanted = outputs.iter().map(|&to| all.iter().map(|&x| cast(x, ty, to)).collect());
        let wanted: Vec<Vec<u128>> = wanted.collect();
        on_all(&text(&rows), &[(ty, &all)], &outputs, |engine, got| {
            for ((&to, wanted), got) in outputs.iter().zip(&wanted).zip(&got) {
                // What a NaN becomes in a wider float is promised too.
                let exact = if matches!(to, Scalar::F32 | Scalar::F64) { Scalar::U64 } else { to };
                assert_columns(&format!("{ty} to {to}, {engine}"), exact, wanted, got, |i| format!("{:#x}", all[i]));
            }
        });
    }
}

#[test]
fn operators_of_every_number_with_edges() {
    let edge = |ty: Scalar| -> Vec<u128> {
        let of = |x: f64| cast(x.to_bits().into(), Scalar::F64, ty);
        let [inf, max] = if ty == Scalar::F16 { [0x7c00, 0x7bff] } else { [0x7f80, 0x7f7f] };
        let mut all = [0.0, 1.0, 1.5, 3.0, 0.1, 1e-3, 1e-6, 300.7, 2e4].map(of).to_vec();
        all.extend([inf, max, inf | 1, 1, 3, 0x3ff]);
        all.extend(all.clone().iter().map(|bits| bits | 0x8000));
        all
    };
    for ty in HALVES {
        let edges = edge(ty);
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (index, x) in patterns().into_iter().enumerate() {
            // Each number meets a third of the edges; its neighbours meet the others.
            for y in edges.iter().skip(index % 3).step_by(3) {
                first.push(x);
                second.push(*y);
            }
        }
        let rows: Vec<Row> = rows(ty).into_iter().filter(|row| row.operands == [ty; 2]).collect();
        let native = |row: &Row| -> Vec<u128> {
            first.iter().zip(&second).map(|(&x, &y)| native(row.op, ty, &[x, y], Scalar::U32).unwrap()).collect()
        };
        let wanted: Vec<Vec<u128>> = rows.iter().map(native).collect();
        let outputs: Vec<Scalar> = rows.iter().map(|row| row.output).collect();
        on_all(&text(&rows), &[(ty, &first), (ty, &second)], &outputs, |engine, got| {
            for ((row, wanted), got) in rows.iter().zip(&wanted).zip(&got) {
                let what = format!("{} of {ty}, {engine}", row.op);
                assert_columns(&what, row.output, wanted, got, |i| format!("{:#x}, {:#x}", first[i], second[i]));
            }
        });
    }
}

/// The numbers of `f64` round which a conversion to the 16-bit type decides: each value of the type, the middles between
/// them, and what lies next to these in `f64` and in `f32`.
fn decisive(ty: Scalar) -> Vec<f64> {
    let exact =
        |bits: u16| if ty == Scalar::F16 { f16::from_bits(bits).to_f64() } else { bf16::from_bits(bits).to_f64() };
    let infinity = if ty == Scalar::F16 { 0x7c00 } else { 0x7f80 };
    let mut all = vec![f64::NAN, f64::INFINITY, f64::MAX, f64::MIN_POSITIVE, 5e-324, 1e300, f64::from(f32::MAX)];
    for bits in 0..infinity {
        let x = exact(bits);
        let next = exact(bits + 1);
        let above = if next.is_finite() { next } else { x + (x - exact(bits - 1)) };
        let middle = x + (above - x) / 2.0;
        for y in [x, middle] {
            let single = y as f32;
            all.extend([y, y.next_up(), y.next_down(), single.next_up().into(), single.next_down().into()]);
            all.extend([y * (1.0 + 1e-9), y * (1.0 - 1e-9), y * (1.0 + 1e-7), y * (1.0 - 1e-4)]);
        }
    }
    all.extend(all.clone().iter().map(|x| -x));
    all
}

/// `first` casts what is loaded, `then` what that gives.
fn converting(from: Scalar, first: &str, by: Scalar, then: &str, to: Scalar) -> String {
    format!(
        "task parallel {{
           array a0: &NdArray<{from}, 1>
           array a1: &mut NdArray<{to}, 1>
           site s0: index a0
           site s1: index a1
           bounds {{
             v0: usize = const 0
             v1: usize = extent a0 0
           }}
           dim v2: usize in v0..v1
           body {{
             v3: {from} = load a0[v2] !s0
             v4: {by} = {first} v3
             v5: {to} = {then} v4
             store a1[v2] = v5 !s1
           }}
         }}"
    )
}

fn from_single(ty: Scalar, x: f32) -> u128 {
    u128::from(if ty == Scalar::F16 { f16::from_f32(x).to_bits() } else { bf16::from_f32(x).to_bits() })
}

#[test]
fn singles_are_rounded_to_nearest_even() {
    for ty in HALVES {
        let mut singles: Vec<f32> = decisive(ty).iter().map(|x| *x as f32).collect();
        // Every exponent with a few digits, and a walk through all bit patterns.
        let digits = [0, 1, 0x0fff, 0x1000, 0x1001, 0x7fff, 0x8000, 0x8001, 0x40_0000, 0x7f_e000, 0x7f_ffff];
        singles.extend((0..512u32).flat_map(|head| digits.map(|digits| f32::from_bits(head << 23 | digits))));
        singles.extend((0..u32::MAX).step_by(8191).map(f32::from_bits));
        let bits: Vec<u128> = singles.iter().map(|x| x.to_bits().into()).collect();
        let wanted: Vec<u128> = singles.iter().map(|x| from_single(ty, *x)).collect();
        let text = converting(Scalar::F32, "cast", ty, "cast", ty);
        on_all(&text, &[(Scalar::F32, &bits)], &[ty], |engine, got| {
            assert_columns(&format!("f32 to {ty}, {engine}"), ty, &wanted, &got[0], |i| format!("{:e}", singles[i]));
        });
    }
}

#[test]
fn doubles_are_rounded_once_or_as_often_as_is_written() {
    for ty in HALVES {
        let doubles = decisive(ty);
        let bits: Vec<u128> = doubles.iter().map(|x| x.to_bits().into()).collect();
        let input = |i: usize| format!("{:e}", doubles[i]);
        let once: Vec<u128> = bits.iter().map(|x| cast(*x, Scalar::F64, ty)).collect();
        on_all(&converting(Scalar::F64, "cast", ty, "cast", ty), &[(Scalar::F64, &bits)], &[ty], |engine, got| {
            assert_columns(&format!("f64 to {ty}, {engine}"), ty, &once, &got[0], input);
        });
        let twice: Vec<u128> = doubles.iter().map(|x| from_single(ty, *x as f32)).collect();
        assert_ne!(once, twice);
        on_all(
            &converting(Scalar::F64, "cast", Scalar::F32, "cast", ty),
            &[(Scalar::F64, &bits)],
            &[ty],
            |engine, got| {
                assert_columns(&format!("f64 to f32 to {ty}, {engine}"), ty, &twice, &got[0], input);
            },
        );
        // Crate `half` has its own rounding.
        let own = |x: &f64| {
            u128::from(if ty == Scalar::F16 { f16::from_f64(*x).to_bits() } else { bf16::from_f64(*x).to_bits() })
        };
        let own: Vec<u128> = doubles.iter().map(own).collect();
        on_all(&converting(Scalar::F64, "from_f64", ty, "cast", ty), &[(Scalar::F64, &bits)], &[ty], |engine, got| {
            assert_columns(&format!("{ty}::from_f64, {engine}"), ty, &own, &got[0], input);
        });
    }
}

#[test]
fn bits_become_numbers_as_they_are() {
    let all = patterns();
    for ty in HALVES {
        let text = converting(Scalar::U16, "from_bits", ty, "to_bits", Scalar::U16);
        on_all(&text, &[(Scalar::U16, &all)], &[Scalar::U16], |engine, got| assert_eq!(got[0], all, "{engine}"));
    }
}

/// `x * y + z` rounds twice, `mul_add` in `f32` and then once more.
#[test]
fn chains_round_after_each_operation() {
    for ty in HALVES {
        let numbers = (0..4000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40);
        // Of a magnitude about 1, so that sums depend on the digits of products.
        let (head, digits) = if ty == Scalar::F16 { (0x3800, 0x7ff) } else { (0x3f00, 0xff) };
        let number = |n: u64| u128::from((head + (n & digits)) | (((n >> 12) & 1) << 15));
        let columns: [Vec<u128>; 3] =
            [3, 7, 11].map(|k| numbers.clone().map(|n| number(n.wrapping_mul(k) >> 3)).collect());
        let [x, y, z] = &columns;
        let text = format!(
            "task parallel {{
               array a0: &NdArray<{ty}, 1>
               array a1: &NdArray<{ty}, 1>
               array a2: &NdArray<{ty}, 1>
               array a3: &mut NdArray<{ty}, 1>
               array a4: &mut NdArray<{ty}, 1>
               site s0: index a0
               site s1: index a1
               site s2: index a2
               site s3: index a3
               site s4: index a4
               bounds {{
                 v0: usize = const 0
                 v1: usize = extent a0 0
               }}
               dim v2: usize in v0..v1
               body {{
                 v3: {ty} = load a0[v2] !s0
                 v4: {ty} = load a1[v2] !s1
                 v5: {ty} = load a2[v2] !s2
                 v6: {ty} = mul v3 v4
                 v7: {ty} = add v6 v5
                 store a3[v2] = v7 !s3
                 v8: {ty} = mul_add v3 v4 v5
                 store a4[v2] = v8 !s4
               }}
             }}"
        );
        let op = |op: Op, args: &[u128]| native(op, ty, args, Scalar::U32).unwrap();
        let twice: Vec<u128> = (0..x.len()).map(|i| op(Op::Add, &[op(Op::Mul, &[x[i], y[i]]), z[i]])).collect();
        let fused: Vec<u128> = (0..x.len()).map(|i| op(Op::MulAdd, &[x[i], y[i], z[i]])).collect();
        assert_ne!(twice, fused);
        let input = |i: usize| format!("{:#x}, {:#x}, {:#x}", x[i], y[i], z[i]);
        on_all(&text, &[(ty, x), (ty, y), (ty, z)], &[ty; 2], |engine, got| {
            assert_columns(&format!("x * y + z of {ty}, {engine}"), ty, &twice, &got[0], input);
            assert_columns(&format!("mul_add of {ty}, {engine}"), ty, &fused, &got[1], input);
        });
    }
}
