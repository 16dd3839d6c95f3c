//! Every operation on every type it takes, over the edge values of the type, against rustc.
mod codegen;

use codegen::native::{cast, native};
use codegen::rows::{Row, casts, grouped, rows, text};
use codegen::{Code, Memory};
use qd_ir::op::Op;
use qd_ir::types::{Scalar, ScalarClass};
use qd_runtime::data::{bf16, f16};

/// The edges of a type, and a few numbers between them.
fn edges(ty: Scalar) -> Vec<u128> {
    let mask = ty.mask();
    let min = 1u128 << (ty.bits() - 1);
    match ty.class() {
        ScalarClass::Bool => vec![0, 1],
        ScalarClass::Signed | ScalarClass::Unsigned => {
            let mut all = [0, 1, 2, 3, 7, 10, 63, 100, min - 1, min, min + 1, mask - 1, mask].to_vec();
            all.push(0x5a5a_5a5a_5a5a_5a5a_5a5a_5a5a_5a5a_5a5a & mask);
            if ty.words() > 1 {
                // Round the border of the words; a square, and what is just below it; a power of ten.
                all.extend([1 << 64, (1 << 64) - 1, 1 << 63, (1 << 64) + 1, 3 << 70, 10u128.pow(38)]);
                all.extend([0xffff_ffff_ffff_fffe_u128.pow(2), 0xffff_ffff_ffff_fffe_u128.pow(2) - 1, !(1 << 64)]);
            }
            all
        }
        ScalarClass::Float => {
            let values = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                -0.5,
                1.5,
                2.5,
                -2.5,
                3.7,
                1e-3,
                100.25,
                1e10,
                2147483648.0,
                -2147483649.0,
                9.3e18,
                -1.9e19,
                // Beyond the integers of 128 bits; the largest float below.
                1.8e38,
                -1.8e38,
                3.4e38,
                1.7014117e38,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
            ];
            let mut all: Vec<u128> = values.map(|x| cast(x.to_bits().into(), Scalar::F64, ty)).to_vec();
            // Subnormal, least normal, largest.
            if ty == Scalar::F32 {
                all.extend(
                    [3, f32::MIN_POSITIVE.to_bits(), f32::MAX.to_bits(), 8_388_609.5f32.to_bits()].map(u128::from),
                );
            } else if ty == Scalar::F64 {
                all.extend(
                    [3, f64::MIN_POSITIVE.to_bits(), f64::MAX.to_bits(), 4_503_599_627_370_497.5f64.to_bits()]
                        .map(u128::from),
                );
            } else if ty == Scalar::F16 {
                all.extend([f16::from_bits(3), f16::MIN_POSITIVE, f16::MAX].map(|x| u128::from(x.to_bits())));
            } else {
                all.extend([bf16::from_bits(3), bf16::MIN_POSITIVE, bf16::MAX].map(|x| u128::from(x.to_bits())));
            }
            all
        }
    }
}

fn is_nan(ty: Scalar, bits: u128) -> bool {
    match ty {
        Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(bits as u64).is_nan(),
        Scalar::F16 => f16::from_bits(bits as u16).is_nan(),
        Scalar::Bf16 => bf16::from_bits(bits as u16).is_nan(),
        _ => false,
    }
}

/// Whether the bits agree as far as they are promised to.
fn same(op: Op, ty: Scalar, expected: u128, got: u128) -> bool {
    if expected == got {
        return true;
    }
    let moves_bits = matches!(op, Op::Neg | Op::Abs | Op::Copysign | Op::ToBits | Op::FromBits);
    let zeros = |sign: u128| expected & !sign == 0 && got & !sign == 0;
    (!moves_bits && is_nan(ty, expected) && is_nan(ty, got))
        || (matches!(op, Op::Min | Op::Max) && ty.is_float() && zeros(1 << (ty.bits() - 1)))
}

fn combinations(types: &[Scalar]) -> Vec<Vec<u128>> {
    types.iter().fold(vec![Vec::new()], |so_far, &ty| {
        let edges = edges(ty);
        so_far.iter().flat_map(|head| edges.iter().map(|&last| [head.as_slice(), &[last]].concat())).collect()
    })
}

/// Runs rows of equal operands on all combinations for which none fails; the failing ones one by one.
fn check(rows: &[Row], opt_level: u8) {
    let ty = rows[0].operands[0];
    let amount = rows[0].operands.get(1).copied().unwrap_or(Scalar::U32);
    let code = Code::new(&text(rows), opt_level);
    let memory = |cases: &[Vec<u128>]| -> Vec<Memory> {
        let operands = rows[0].operands.iter().enumerate();
        let mut arrays: Vec<Memory> = operands
            .map(|(k, ty)| Memory::of(ty.size(), &cases.iter().map(|case| case[k]).collect::<Vec<_>>()))
            .collect();
        arrays.extend(rows.iter().map(|row| Memory::zeroed(row.output.size(), &[cases.len() as u64])));
        arrays
    };
    let fails = |case: &Vec<u128>| rows.iter().find_map(|row| native(row.op, ty, case, amount).err());
    let (failing, passing): (Vec<_>, Vec<_>) =
        combinations(&rows[0].operands).into_iter().partition(|case| fails(case).is_some());
    let mut arrays = memory(&passing);
    assert_eq!(code.run(&mut arrays, &[]).fault, None);
    for (k, row) in rows.iter().enumerate() {
        for (index, case) in passing.iter().enumerate() {
            let expected = native(row.op, ty, case, amount).unwrap();
            let got = arrays[row.operands.len() + k].get(row.output.size(), index);
            assert!(
                same(row.op, row.output, expected, got),
                "{} of {ty} {case:x?} at O{opt_level}: {got:x}, rustc says {expected:x}",
                row.op
            );
        }
    }
    for case in failing {
        let fault = code.run(&mut memory(std::slice::from_ref(&case)), &[]).fault;
        assert_eq!(
            fault.map(|fault| fault.fault),
            fails(&case).map(|fault| fault as u32),
            "{} of {ty} {case:x?}",
            rows[0].op
        );
    }
}

/// All operations of a type: those that can't fail together, the others each by itself.
fn check_type(ty: Scalar) {
    for opt_level in [0, 3] {
        let (alone, together): (Vec<_>, Vec<_>) = rows(ty).into_iter().partition(|row| row.op.faults(ty));
        alone.into_iter().for_each(|row| check(&[row], opt_level));
        grouped(together).iter().for_each(|group| check(group, opt_level));
    }
}

macro_rules! types {
    ($($name:ident $scalar:ident)*) => { $(
        #[test]
        fn $name() {
            check_type(Scalar::$scalar);
        }
    )* };
}
types! {
    operations_of_bool Bool operations_of_i8 I8 operations_of_i16 I16 operations_of_i32 I32 operations_of_i64 I64
    operations_of_isize Isize operations_of_u8 U8 operations_of_u16 U16 operations_of_u32 U32 operations_of_u64 U64
    operations_of_usize Usize operations_of_i128 I128 operations_of_u128 U128 operations_of_f32 F32
    operations_of_f64 F64 operations_of_f16 F16 operations_of_bf16 Bf16
}

#[test]
fn casts_of_every_type() {
    for from in Scalar::ALL {
        let rows = casts(from);
        for opt_level in [0, 3] {
            let code = Code::new(&text(&rows), opt_level);
            let values = edges(from);
            let mut arrays = vec![Memory::of(from.size(), &values)];
            arrays.extend(rows.iter().map(|row| Memory::zeroed(row.output.size(), &[values.len() as u64])));
            assert_eq!(code.run(&mut arrays, &[]).fault, None);
            for (k, to) in rows.iter().map(|row| row.output).enumerate() {
                for (index, &value) in values.iter().enumerate() {
                    let (expected, got) = (cast(value, from, to), arrays[1 + k].get(to.size(), index));
                    assert!(
                        same(Op::Cast, to, expected, got),
                        "{value:x} of {from} as {to} at O{opt_level}: {got:x}, rustc says {expected:x}"
                    );
                }
            }
        }
    }
}
