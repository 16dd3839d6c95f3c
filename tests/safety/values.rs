//! No poison: bytes that are no `bool` and no variant, indices that wrap, domains at the ends of their types, amounts and
//! divisors of any value, arms that never end. What isn't defined by the native body is bounded by what may happen at all.
use std::fmt::Debug;

use qd::prelude::*;

use crate::support::{Engines, natively};

/// An array whose bytes are `bytes`, which may be no values of `T`.
fn raw<T: qd::Data>(zero: T, bytes: &[u8]) -> NdArray<T> {
    assert_eq!(size_of::<T>(), 1);
    let mut array = NdArray::full(bytes.len(), zero);
    let first = array.as_mut_ptr().cast::<u8>();
    // SAFETY: that many bytes are there. What isn't a `T` is never read here as one.
    bytes.iter().enumerate().for_each(|(k, byte)| unsafe { first.add(k).write(*byte) });
    array
}

/// The bytes of an array, whatever they are.
fn bytes_of<T: qd::Data>(array: &NdArray<T>) -> Vec<u8> {
    let first = array.as_ptr().cast::<u8>();
    // SAFETY: that many bytes are there, and they are initialised.
    (0..size_of_val(array.as_slice())).map(|k| unsafe { first.add(k).read() }).collect()
}

/// What a `bool` can be used for.
#[qd::kernel]
fn of_bools(
    b: &NdArray<bool>,
    number: &mut [[u64; 4]],
    negated: &mut NdArray<bool>,
    copied: &mut NdArray<bool>,
) -> (u32, bool) {
    let mut count = 0;
    let mut all = true;
    for i in 0..b.len() {
        let v = b[i];
        let place = [10, 20][v as usize];
        number[i] = [
            v as u64,
            place,
            if v { 1 } else { 0 },
            match v {
                true => 1,
                false => 0,
            },
        ];
        negated[i] = !v ^ (v & b[i]) | (v != b[i]);
        copied[i] = v;
        if v {
            count += 1;
        }
        all &= v;
    }
    (count, all)
}

#[test]
fn any_byte_is_a_bool() {
    let bytes: Vec<u8> = (0..=255).collect();
    for (_, runtime) in &Engines::with_unoptimised().all {
        let b = raw(false, &bytes);
        let mut number = vec![[0; 4]; 256];
        let (mut negated, mut copied) = (NdArray::full(256, false), NdArray::full(256, false));
        let (count, all) = of_bools.on(runtime).call(&b, &mut number, &mut negated, &mut copied);
        // One value at all uses: that of the low bit.
        for (byte, row) in bytes.iter().zip(&number) {
            let bit = u64::from(byte & 1);
            assert_eq!(*row, [bit, 10 + 10 * bit, bit, bit], "{byte}");
        }
        assert_eq!((count, all), (128, false));
        // What is stored is a `bool` again.
        assert_eq!(bytes_of(&copied), bytes.iter().map(|byte| byte & 1).collect::<Vec<_>>());
        assert!(bytes_of(&negated).iter().all(|byte| *byte <= 1));
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, qd::Data)]
#[repr(u8)]
enum Phase {
    Idle,
    Run,
    Wait = 7,
    Done = 9,
}

/// What an enum can be used for: `match` with and without a rest, comparison, a number, an index.
#[qd::kernel]
fn of_phases(p: &NdArray<Phase>, table: &[u32], out: &mut [[u32; 3]]) {
    for i in 0..p.len() {
        let arm = match p[i] {
            Phase::Idle => 1,
            Phase::Run => 2,
            Phase::Wait => 3,
            Phase::Done => 4,
        };
        let other = match p[i] {
            Phase::Run | Phase::Done => 5,
            _ => 6,
        };
        out[i] = [arm, other, (p[i] == Phase::Done) as u32];
    }
    for i in 0..p.len() {
        out[i][0] += 100 * table[p[i] as usize];
    }
}

#[test]
fn bytes_that_are_no_variant_take_some_arm_and_their_number_is_checked() {
    for (_, runtime) in &Engines::with_unoptimised().all {
        let table: Vec<u32> = (0..10).collect();
        for byte in 0..=255u8 {
            let p = raw(Phase::Idle, &[0, 1, 7, 9, byte]);
            let mut out = vec![[0; 3]; 5];
            let ended = of_phases.on(runtime).try_call(&p, &table, &mut out).map_err(|error| error.to_string());
            let known = [[1, 6, 0], [2 + 100, 5, 0], [3 + 700, 6, 0], [4 + 900, 5, 1]];
            assert_eq!(out[..4], known, "{byte}");
            if byte < 10 {
                assert_eq!(ended, Ok(()), "{byte}");
            } else {
                let place = format!("index out of bounds: the len is 10 but the index is {byte}");
                assert!(ended.clone().unwrap_err().contains(&place), "{ended:?}, {byte}");
            }
            assert!((1..=4).contains(&(out[4][0] % 100)) && [5, 6].contains(&out[4][1]), "{byte}: {:?}", out[4]);
        }
    }
}

/// Values round the borders of addresses.
const BORDERS: [usize; 17] = [
    0,
    1,
    2,
    3,
    7,
    8,
    1 << 31,
    1 << 32,
    (1 << 60) + 1,
    1 << 61,
    1 << 62,
    isize::MAX as usize - 1,
    isize::MAX as usize,
    isize::MAX as usize + 1,
    usize::MAX - 7,
    usize::MAX - 1,
    usize::MAX,
];

/// Reads at places that wrap, of elements of 1, 8 and 12 bytes, and of two dimensions.
#[qd::kernel]
fn places(out: &mut [u64], a: &[u8], b: &[u64], c: &NdArray<[u32; 3], 2>, stride: usize, offset: usize) {
    for i in 0..out.len() {
        out[i] += a[i * stride + offset] as u64;
    }
    for i in 0..out.len() {
        out[i] += b[offset - i * stride];
    }
    for i in 0..out.len() {
        for k in 0..2 {
            out[i] += c[[(i + k) * stride, offset + k]][2] as u64;
        }
    }
}

/// Writes at such places.
#[qd::kernel]
fn stores(a: &mut [u16], n: usize, stride: usize, offset: usize) {
    for i in 0..n {
        a[i * stride + offset] = i as u16 + 1;
    }
}

/// The native body's outcome and the compiled one's are the same.
fn agree<D: Clone + PartialEq + Debug>(
    start: &D,
    what: &str,
    native: impl Fn(&mut D),
    compiled: impl Fn(&mut D) -> qd::Result<()>,
) {
    let (mut want, mut got) = (start.clone(), start.clone());
    let panic = natively(|| native(&mut want));
    let error = compiled(&mut got).map_err(|error| error.to_string());
    match (&panic, &error) {
        (Ok(()), Ok(())) => assert_eq!(got, want, "{what}"),
        (Err(panic), Err(error)) if error.contains(panic) => {}
        _ => panic!("{error:?}, natively {panic:?}: {what}"),
    }
}

#[test]
fn indices_wrap_as_natively_and_never_leave_the_array() {
    let (a, b) = ([1, 2, 3, 4, 5, 6, 7, 8], [10, 20, 30]);
    let c = NdArray::from_fn([3, 4], |[i, j]| [0, 1, (100 * i + j) as u32]);
    for (threads, runtime) in Engines::with_unoptimised().all.iter().filter(|(threads, _)| *threads != 2) {
        for stride in BORDERS {
            for offset in BORDERS {
                for n in [1, 2, 4] {
                    let what = format!("{threads} threads, {n} * {stride} + {offset}");
                    agree(
                        &vec![0u64; n],
                        &what,
                        |out| places.native(out, &a, &b, &c, stride, offset),
                        |out| places.on(runtime).try_call(out, &a, &b, &c, stride, offset),
                    );
                    // Iterations may meet: what the predicate refuses, the native body isn't asked.
                    let mut out = vec![0u16; 6];
                    let stored = stores.on(runtime).try_call(&mut out, n, stride, offset);
                    if !stored.is_err_and(|error| error.kind() == qd::ErrorKind::Race) {
                        agree(
                            &vec![0u16; 6],
                            &what,
                            |out| stores.native(out, n, stride, offset),
                            |out| stores.on(runtime).try_call(out, n, stride, offset),
                        );
                    }
                }
            }
        }
    }
}

macro_rules! ends {
    ($($name:ident $t:ident;)*) => { $(
        #[test]
        fn $name() {
            #[qd::kernel]
            fn counted(out: &mut [$t], lo: $t, hi: $t, last: $t) -> (u64, $t) {
                let mut count = 0;
                let mut folded = 0;
                for i in lo..hi {
                    count += 1;
                    folded ^= i;
                    out[(i as usize).wrapping_sub(lo as usize)] = i;
                }
                for i in lo..=last {
                    count += 1000;
                    folded ^= i.wrapping_mul(3);
                }
                for i in (lo..=last).rev().step_by(3) {
                    count += 1000000;
                    folded ^= i.wrapping_mul(5);
                }
                (count, folded)
            }

            let ends = [$t::MIN, $t::MIN + 1, $t::MIN + 5, 0, 1, 100, $t::MAX / 2, $t::MAX - 5, $t::MAX - 1, $t::MAX];
            for (threads, runtime) in &Engines::with_unoptimised().all {
                for lo in ends {
                    for hi in ends {
                        // Not loops that nobody would wait for.
                        if hi > lo && (hi as i128 - lo as i128) > 300 {
                            continue;
                        }
                        let (mut want, mut got) = (vec![0; 300], vec![0; 300]);
                        let native = counted.native(&mut want, lo, hi, hi);
                        let compiled = counted.on(runtime).try_call(&mut got, lo, hi, hi).unwrap();
                        assert_eq!((compiled, got), (native, want), "{lo}..{hi}, {threads} threads");
                    }
                }
            }
        }
    )* };
}
ends! {
    ends_of_i8 i8;
    ends_of_u8 u8;
    ends_of_i32 i32;
    ends_of_u32 u32;
    ends_of_i64 i64;
    ends_of_u64 u64;
    ends_of_isize isize;
    ends_of_usize usize;
}

/// Arms that diverge, values that only some paths set, and code behind what doesn't return.
#[qd::kernel]
fn diverging(out: &mut [i32], x: &[i32]) {
    for i in 0..x.len() {
        let v;
        let w: i32;
        if x[i] > 0 {
            v = x[i];
            w = match v {
                1 => 10,
                2 => continue,
                3 => loop {
                    out[i] += 1;
                    if out[i] > 5 {
                        break 30;
                    }
                },
                4 => panic!("four"),
                n if n > 100 => unreachable!("no {n}"),
                n => n,
            };
        } else if x[i] < 0 {
            panic!("{} is negative", x[i]);
        } else {
            continue;
        }
        out[i] += v + w;
    }
}

#[test]
fn paths_that_never_end_leave_no_value() {
    for (_, runtime) in &Engines::with_unoptimised().all {
        for last in [-1, 0, 1, 2, 3, 4, 5, 100, 101, i32::MIN] {
            let x = [0, 1, 2, 3, 50, last];
            let what = last.to_string();
            agree(&vec![0; 6], &what, |out| diverging.native(out, &x), |out| diverging.on(runtime).try_call(out, &x));
        }
    }
}

/// Arrays of no element whose other extents are as large as can be: strides that no address has.
#[qd::kernel]
fn empty(a: &mut NdArray<u64, 2>, n: usize, row: usize, column: usize) -> usize {
    let mut count = 0;
    for (i, j) in a.indices() {
        a[[i, j]] = 1;
        count += 1;
    }
    for i in 0..n {
        a[[i + row, column]] = 2;
    }
    count
}

#[test]
fn arrays_of_no_element_have_bounds_whatever_their_strides() {
    for (_, runtime) in &Engines::with_unoptimised().all {
        for shape in [[0, 0], [0, isize::MAX as usize], [isize::MAX as usize, 0], [0, usize::MAX], [usize::MAX, 0]] {
            let Ok(mut a) = NdArray::try_zeros(shape) else {
                // As a slice of slices it couldn't be either.
                assert!(shape.contains(&usize::MAX));
                continue;
            };
            assert_eq!(empty.on(runtime).try_call(&mut a, 0, 0, 0).unwrap(), 0);
            for row in BORDERS {
                for column in BORDERS {
                    let error = empty.on(runtime).try_call(&mut a, 3, row, column).unwrap_err().to_string();
                    assert!(error.contains("index out of bounds"), "{error}: {shape:?}, {row}, {column}");
                }
            }
        }
    }
}
