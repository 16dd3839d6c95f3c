//! Domains: their shapes, chunks on several threads, which failure is reported, and the tree of reductions.
mod codegen;

use codegen::interpret::interpret;
use codegen::{Code, Memory};
use qd_runtime::backend::cpu::Pool;

/// `a1[i, j, k] = a1[i, j, k] * 3 + 1` over `b0..e0, b1..e1, b2..e2`, given as inputs, with reductions of every kind.
fn three_dims(reductions: bool) -> String {
    let mut text = String::from(
        "task parallel {
           array a0: &mut NdArray<u32, 3>
           input i0: i64
           input i1: i64
           input i2: u8
           input i3: u8
           input i4: usize
           input i5: usize\n",
    );
    let kinds =
        ["add u32", "xor u32", "min u32", "max u32", "mul u32", "and u32", "or u32", "add f32", "mul f64", "max f32"];
    if reductions {
        kinds.iter().enumerate().for_each(|(k, kind)| text += &format!("reduction r{k}: {kind}\n"));
    }
    text += "site s0: index a0
           site s1: index a0
           bounds {
             v0: i64 = input i0
             v1: i64 = input i1
             v2: u8 = input i2
             v3: u8 = input i3
             v4: usize = input i4
             v5: usize = input i5
             v6: usize = extent a0 0
           }
           dim v7: i64 in v0..v1
           dim v8: u8 in v2..v3
           dim v9: usize in v4..v5
           body {
             v10: usize = cast v7
             v11: usize = cast v8
             v12: u32 = load a0[v10, v11, v9] !s0
             v13: u32 = const 3
             v14: u32 = mul v12 v13
             v15: u32 = const 1
             v16: u32 = add v14 v15
             store a0[v10, v11, v9] = v16 !s1\n";
    if reductions {
        text += "v17: f32 = cast v16
             v18: f64 = cast v16
             v19: f64 = const 1000000000.0
             v20: f64 = div v18 v19
             reduce r0 v16
             reduce r1 v16
             reduce r2 v16
             reduce r3 v16
             v21: u32 = or v16 v15
             reduce r4 v21
             reduce r5 v16
             reduce r6 v16
             reduce r7 v17
             v22: f64 = add v20 v20
             v23: bool = gt v16 v13
             if v23 {
               reduce r8 v22
               reduce r9 v17
             }\n";
    }
    text + "}\n}"
}

fn filled(extents: &[u64]) -> Memory {
    let mut memory = Memory::zeroed(4, extents);
    let len = extents.iter().product::<u64>() as usize;
    (0..len).for_each(|index| memory.put(4, index, u128::from((index as u64).wrapping_mul(2_654_435_761) >> 7)));
    memory
}

#[test]
fn shapes_and_threads_agree_with_the_interpreter() {
    for reductions in [false, true] {
        let codes = [0, 3].map(|level| Code::new(&three_dims(reductions), level));
        let shapes: [([u64; 3], [u64; 6]); 8] = [
            ([5, 7, 9], [0, 5, 0, 7, 0, 9]),
            ([5, 7, 9], [1, 4, 2, 5, 3, 8]),
            ([1, 1, 5000], [0, 1, 0, 1, 0, 5000]),
            ([40, 200, 3], [0, 40, 0, 200, 0, 3]),
            ([2, 3, 4], [0, 2, 0, 0, 0, 4]),
            ([2, 3, 4], [2, 0, 0, 3, 0, 4]),
            ([0, 3, 4], [0, 0, 0, 3, 0, 4]),
            ([3, 255, 40], [0, 3, 0, 255, 0, 40]),
        ];
        for (extents, inputs) in shapes {
            let mut expected = [filled(&extents)];
            let outcome = interpret(&codes[0].task, &mut expected, &inputs);
            for threads in [1, 2, 5] {
                let pool = Pool::new(threads).unwrap();
                for code in &codes {
                    // Again, since how a launch is shared depends on the ones before.
                    for _ in 0..3 {
                        let mut arrays = [filled(&extents)];
                        assert_eq!(code.run_on(&pool, &mut arrays, &inputs), outcome, "{inputs:?} on {threads}");
                        assert_eq!(arrays, expected, "{inputs:?} on {threads}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_loop_over_all_of_i8_runs_255_times() {
    let text = "task parallel {
      array a0: &mut NdArray<i8, 1>
      site s0: index a0
      bounds {
        v0: i8 = const -128
        v1: i8 = const 127
      }
      dim v2: i8 in v0..v1
      body {
        v3: i64 = cast v2
        v4: i64 = const 128
        v5: i64 = add v3 v4
        v6: usize = cast v5
        store a0[v6] = v2 !s0
      }
    }";
    for level in [0, 3] {
        let mut arrays = [Memory::zeroed(1, &[256])];
        assert_eq!(Code::new(text, level).run(&mut arrays, &[]).fault, None);
        let expected: Vec<u128> = (0..255u128).map(|k| (k + 128) & 0xff).chain([0]).collect();
        assert_eq!((0..256).map(|k| arrays[0].get(1, k)).collect::<Vec<_>>(), expected);
    }
}

/// Fails where the array holds a zero, and counts what it did before.
const DIVIDES: &str = "task parallel {
  array a0: &NdArray<u32, 1>
  array a1: &mut NdArray<u32, 1>
  site s0: index a0
  site s1: div u32
  site s2: index a1
  bounds {
    v0: usize = const 0
    v1: usize = extent a0 0
    v2: usize = extent a1 0
  }
  dim v3: usize in v0..v1
  body {
    v4: u32 = const 1000
    v5: u32 = load a0[v3] !s0
    v6: u32 = div v4 v5 !s1
    store a1[v3] = v6 !s2
  }
}";

#[test]
fn the_lowest_failing_iteration_is_reported_and_those_below_are_done() {
    const LEN: usize = 200_000;
    for level in [0, 3] {
        let code = Code::new(DIVIDES, level);
        for threads in [1, 2, 5] {
            let pool = Pool::new(threads).unwrap();
            for (run, lowest) in [199_999, 150_001, 1025, 77, 0].into_iter().enumerate() {
                let mut values = vec![5u128; LEN];
                (lowest..LEN).step_by(1 + 997 * run).for_each(|index| values[index] = 0);
                let mut arrays = [Memory::of(4, &values), Memory::zeroed(4, &[LEN as u64])];
                let fault = code.run_on(&pool, &mut arrays, &[]).fault.unwrap();
                assert_eq!((fault.iteration, fault.site, fault.fault), (lowest as u64, 1, 1), "on {threads}");
                assert!((0..lowest).all(|index| arrays[1].get(4, index) == 200), "on {threads}, below {lowest}");
            }
        }
    }
}

#[test]
fn bounds_can_fail() {
    let text = "task parallel {
      array a0: &mut NdArray<u64, 1>
      input i0: usize
      site s0: div usize
      site s1: index a0
      bounds {
        v0: usize = extent a0 0
        v1: usize = input i0
        v2: usize = div v0 v1 !s0
        v3: usize = const 0
      }
      dim v4: usize in v3..v2
      body {
        v5: u64 = const 9
        store a0[v4] = v5 !s1
      }
    }";
    let code = Code::new(text, 3);
    let mut arrays = [Memory::zeroed(8, &[6])];
    let fault = code.run(&mut arrays, &[0]).fault.unwrap();
    assert_eq!((fault.iteration, fault.site, fault.fault), (0, 0, 1));
    assert_eq!(arrays[0], Memory::zeroed(8, &[6]));
    assert_eq!(code.run(&mut arrays, &[2]).fault, None);
    assert_eq!(arrays[0], Memory::of(8, &[9, 9, 9, 0, 0, 0]));
}

#[test]
fn atomics_add_up_on_all_threads() {
    let text = "task parallel {
      array a0: &NdArray<u8, 1>
      array a1: &mut NdArray<u32, 1>
      site s0: index a0
      site s1: index a1
      bounds {
        v0: usize = const 0
        v1: usize = extent a0 0
        v2: usize = extent a1 0
      }
      dim v3: usize in v0..v1
      body {
        v4: u8 = load a0[v3] !s0
        v5: usize = cast v4
        v6: u32 = const 1
        v7: u32 = atomic add a1[v5] v6 !s1
      }
    }";
    let values: Vec<u128> = (0..300_000u128).map(|k| k * 7 % 251).collect();
    let mut expected = vec![0u128; 256];
    values.iter().for_each(|&value| expected[value as usize] += 1);
    let code = Code::new(text, 3);
    for threads in [1, 2, 5] {
        let mut arrays = [Memory::of(1, &values), Memory::zeroed(4, &[256])];
        assert_eq!(code.run_on(&Pool::new(threads).unwrap(), &mut arrays, &[]).fault, None);
        assert_eq!((0..256).map(|k| arrays[1].get(4, k)).collect::<Vec<_>>(), expected);
        // Too few places: the first value without one.
        let mut arrays = [Memory::of(1, &values), Memory::zeroed(4, &[250])];
        let fault = code.run_on(&Pool::new(threads).unwrap(), &mut arrays, &[]).fault.unwrap();
        let first = values.iter().position(|&value| value >= 250).unwrap() as u64;
        assert_eq!((fault.iteration, fault.values), (first, vec![0, 250, 250, 0]));
    }
}
