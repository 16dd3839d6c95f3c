//! What rustc makes of every operation: the oracle.
use std::hint::black_box;

use qd_ir::fault::Fault;
use qd_ir::op::Op;
use qd_ir::reduce::Reduce;
use qd_ir::types::Scalar;
use qd_runtime::data::{Float, Number, bf16, f16};

/// The bits of the result, or how Rust panics. `amount` is the type of a shift's second operand.
pub fn native(op: Op, ty: Scalar, args: &[u128], amount: Scalar) -> Result<u128, Fault> {
    match ty {
        Scalar::Bool => of_bool(op, args),
        Scalar::I8 => i8::apply(op, args, amount),
        Scalar::I16 => i16::apply(op, args, amount),
        Scalar::I32 => i32::apply(op, args, amount),
        Scalar::I64 => i64::apply(op, args, amount),
        Scalar::Isize => isize::apply(op, args, amount),
        Scalar::U8 => u8::apply(op, args, amount),
        Scalar::U16 => u16::apply(op, args, amount),
        Scalar::U32 => u32::apply(op, args, amount),
        Scalar::U64 => u64::apply(op, args, amount),
        Scalar::Usize => usize::apply(op, args, amount),
        Scalar::F32 => f32::apply(op, args, amount),
        Scalar::F64 => f64::apply(op, args, amount),
        Scalar::I128 => i128::apply(op, args, amount),
        Scalar::U128 => u128::apply(op, args, amount),
        Scalar::F16 => f16::apply(op, args, amount),
        Scalar::Bf16 => bf16::apply(op, args, amount),
    }
}

trait Apply {
    fn apply(op: Op, args: &[u128], amount: Scalar) -> Result<u128, Fault>;
}

fn bits<T: Reduce>(value: T) -> u128 {
    Reduce::to_bits(value)
}

fn of_bool(op: Op, args: &[u128]) -> Result<u128, Fault> {
    let (a, b) = (args[0] != 0, args.get(1).is_some_and(|b| *b != 0));
    Ok(u128::from(match op.row().text {
        "not" => !a,
        "and" => a & b,
        "or" => a | b,
        "xor" => a ^ b,
        "eq" => a == b,
        "ne" => a != b,
        "lt" => !a & b,
        "le" => a <= b,
        "gt" => a & !b,
        "ge" => a >= b,
        "min" => a.min(b),
        "max" => a.max(b),
        "clamp" if b & (args[2] == 0) => return Err(Fault::Clamp),
        "clamp" => a.clamp(b, args[2] != 0),
        other => panic!("no oracle for {other} of bool"),
    }))
}

/// A shift amount as Rust masks it.
fn masked(amount: u128, ty: Scalar, bits: u32) -> u32 {
    let value = match ty {
        Scalar::I8 => amount as i8 as u32,
        Scalar::I64 => amount as i64 as u32,
        _ => amount as u32,
    };
    value & (bits - 1)
}

macro_rules! common {
    ($t:ident, $u:ident, $op:expr, $args:expr, $amount:expr, $specific:expr) => {{
        let at = |k: usize| <$t as Reduce>::from_bits($args.get(k).copied().unwrap_or(0));
        let (a, b, c) = (at(0), at(1), at(2));
        let n = $args.get(1).copied().unwrap_or(0) as u32;
        Ok(match $op.row().text {
            "not" => bits(!a),
            "add" | "wrapping_add" => bits(a.wrapping_add(b)),
            "sub" | "wrapping_sub" => bits(a.wrapping_sub(b)),
            "mul" | "wrapping_mul" => bits(a.wrapping_mul(b)),
            "div" => {
                if b == 0 {
                    return Err(Fault::DivideByZero);
                }
                bits(a.checked_div(b).ok_or(Fault::DivideOverflow)?)
            }
            "rem" => {
                if b == 0 {
                    return Err(Fault::RemainderByZero);
                }
                bits(a.checked_rem(b).ok_or(Fault::RemainderOverflow)?)
            }
            "div_euclid" => {
                if b == 0 {
                    return Err(Fault::DivideByZero);
                }
                bits(a.checked_div_euclid(b).ok_or(Fault::DivideOverflow)?)
            }
            "rem_euclid" => {
                if b == 0 {
                    return Err(Fault::RemainderByZero);
                }
                bits(a.checked_rem_euclid(b).ok_or(Fault::RemainderOverflow)?)
            }
            "wrapping_div" => {
                if b == 0 {
                    return Err(Fault::DivideByZero);
                }
                bits(a.wrapping_div(b))
            }
            "wrapping_rem" => {
                if b == 0 {
                    return Err(Fault::RemainderByZero);
                }
                bits(a.wrapping_rem(b))
            }
            "and" => bits(a & b),
            "or" => bits(a | b),
            "xor" => bits(a ^ b),
            "shl" => bits(a.wrapping_shl(masked($args[1], $amount, $t::BITS))),
            "shr" => bits(a.wrapping_shr(masked($args[1], $amount, $t::BITS))),
            "wrapping_shl" => bits(a.wrapping_shl(n)),
            "wrapping_shr" => bits(a.wrapping_shr(n)),
            "wrapping_neg" => bits(a.wrapping_neg()),
            "eq" => u128::from(a == b),
            "ne" => u128::from(a != b),
            "lt" => u128::from(a < b),
            "le" => u128::from(a <= b),
            "gt" => u128::from(a > b),
            "ge" => u128::from(a >= b),
            "min" => bits(a.min(b)),
            "max" => bits(a.max(b)),
            "clamp" => {
                if b > c {
                    return Err(Fault::Clamp);
                }
                bits(a.clamp(b, c))
            }
            "abs_diff" => bits(a.abs_diff(b)),
            "pow" | "wrapping_pow" => bits(a.wrapping_pow(n)),
            "isqrt" => {
                #[allow(unused_comparisons)]
                if a < 0 {
                    return Err(Fault::Isqrt);
                }
                bits(a.isqrt())
            }
            "ilog2" => bits(a.checked_ilog2().ok_or(Fault::Logarithm)?),
            "ilog10" => bits(a.checked_ilog10().ok_or(Fault::Logarithm)?),
            "count_ones" => bits(a.count_ones()),
            "count_zeros" => bits(a.count_zeros()),
            "leading_zeros" => bits(a.leading_zeros()),
            "leading_ones" => bits(a.leading_ones()),
            "trailing_zeros" => bits(a.trailing_zeros()),
            "trailing_ones" => bits(a.trailing_ones()),
            "rotate_left" => bits(a.rotate_left(n)),
            "rotate_right" => bits(a.rotate_right(n)),
            "swap_bytes" => bits(a.swap_bytes()),
            "reverse_bits" => bits(a.reverse_bits()),
            "saturating_add" => bits(a.saturating_add(b)),
            "saturating_sub" => bits(a.saturating_sub(b)),
            "saturating_mul" => bits(a.saturating_mul(b)),
            "strict_add" => bits(a.checked_add(b).ok_or(Fault::AddOverflow)?),
            "strict_sub" => bits(a.checked_sub(b).ok_or(Fault::SubOverflow)?),
            "strict_mul" => bits(a.checked_mul(b).ok_or(Fault::MulOverflow)?),
            "strict_neg" => bits(a.checked_neg().ok_or(Fault::NegOverflow)?),
            "strict_pow" => bits(a.checked_pow(n).ok_or(Fault::MulOverflow)?),
            // Negative amounts are large ones here: the word holds the bits of the amount's type.
            "strict_shl" | "debug_shl" if $args[1] >= $t::BITS.into() => return Err(Fault::ShlOverflow),
            "strict_shr" | "debug_shr" if $args[1] >= $t::BITS.into() => return Err(Fault::ShrOverflow),
            "strict_shl" | "debug_shl" => bits(a << $args[1]),
            "strict_shr" | "debug_shr" => bits(a >> $args[1]),
            other => $specific(other, a, b)?,
        })
    }};
}

macro_rules! signed {
    ($($t:ident $u:ident)*) => { $(
        impl Apply for $t {
            fn apply(op: Op, args: &[u128], amount: Scalar) -> Result<u128, Fault> {
                common!($t, $u, op, args, amount, |name: &str, a: $t, _: $t| Ok(match name {
                    "neg" => bits(a.wrapping_neg()),
                    "abs" | "wrapping_abs" => bits(a.wrapping_abs()),
                    "signum" => bits(a.signum()),
                    "unsigned_abs" => bits(a.unsigned_abs()),
                    "is_positive" => u128::from(a.is_positive()),
                    "is_negative" => u128::from(a.is_negative()),
                    "saturating_neg" => bits(a.saturating_neg()),
                    "saturating_abs" => bits(a.saturating_abs()),
                    "strict_abs" => bits(a.checked_abs().ok_or(Fault::NegOverflow)?),
                    other => panic!("no oracle for {other} of signed integers"),
                }))
            }
        }
    )* };
}
signed! { i8 u8 i16 u16 i32 u32 i64 u64 isize usize i128 u128 }

macro_rules! unsigned {
    ($($t:ident)*) => { $(
        impl Apply for $t {
            fn apply(op: Op, args: &[u128], amount: Scalar) -> Result<u128, Fault> {
                common!($t, $t, op, args, amount, |name: &str, a: $t, b: $t| Ok(match name {
                    "div_ceil" if b == 0 => return Err(Fault::DivideByZero),
                    "div_ceil" => bits(a.div_ceil(b)),
                    "next_multiple_of" | "debug_next_multiple_of" if b == 0 => return Err(Fault::RemainderByZero),
                    "next_multiple_of" => match a % b {
                        0 => bits(a),
                        rest => bits(a.wrapping_add(b - rest)),
                    },
                    "debug_next_multiple_of" => bits(a.checked_next_multiple_of(b).ok_or(Fault::AddOverflow)?),
                    "debug_next_power_of_two" => bits(a.checked_next_power_of_two().ok_or(Fault::AddOverflow)?),
                    "is_multiple_of" => u128::from(a.is_multiple_of(b)),
                    "is_power_of_two" => u128::from(a.is_power_of_two()),
                    "next_power_of_two" => bits(a.checked_next_power_of_two().unwrap_or(0)),
                    "from_bits" => bits(a),
                    other => panic!("no oracle for {other} of unsigned integers"),
                }))
            }
        }
    )* };
}
unsigned! { u8 u16 u32 u64 usize u128 }

macro_rules! floats {
    ($($t:ident $u:ident)*) => { $(
        impl Apply for $t {
            fn apply(op: Op, args: &[u128], _: Scalar) -> Result<u128, Fault> {
                let at = |k: usize| black_box($t::from_bits(args.get(k).copied().unwrap_or(0) as $u));
                let (a, b, c) = (at(0), at(1), at(2));
                let n = args.get(1).copied().unwrap_or(0) as i32;
                let float = |x: $t| u128::from(x.to_bits());
                Ok(match op.row().text {
                    "neg" => float(-a),
                    "add" => float(a + b),
                    "sub" => float(a - b),
                    "mul" => float(a * b),
                    "div" => float(a / b),
                    "rem" => float(a % b),
                    "eq" => u128::from(a == b),
                    "ne" => u128::from(a != b),
                    "lt" => u128::from(a < b),
                    "le" => u128::from(a <= b),
                    "gt" => u128::from(a > b),
                    "ge" => u128::from(a >= b),
                    "min" => float(a.min(b)),
                    "max" => float(a.max(b)),
                    "clamp" if b > c || b.is_nan() || c.is_nan() => return Err(Fault::Clamp),
                    "clamp" => float(a.clamp(b, c)),
                    "abs" => float(a.abs()),
                    "signum" => float(a.signum()),
                    "div_euclid" => float(a.div_euclid(b)),
                    "rem_euclid" => float(a.rem_euclid(b)),
                    "mul_add" => float(a.mul_add(b, c)),
                    "sqrt" => float(a.sqrt()),
                    "floor" => float(a.floor()),
                    "ceil" => float(a.ceil()),
                    "round" => float(a.round()),
                    "round_ties_even" => float(a.round_ties_even()),
                    "trunc" => float(a.trunc()),
                    "fract" => float(a.fract()),
                    "copysign" => float(a.copysign(b)),
                    "recip" => float(a.recip()),
                    "to_degrees" => float(a.to_degrees()),
                    "to_radians" => float(a.to_radians()),
                    "is_nan" => u128::from(a.is_nan()),
                    "is_finite" => u128::from(a.is_finite()),
                    "is_infinite" => u128::from(a.is_infinite()),
                    "is_normal" => u128::from(a.is_normal()),
                    "is_subnormal" => u128::from(a.is_subnormal()),
                    "is_sign_negative" => u128::from(a.is_sign_negative()),
                    "is_sign_positive" => u128::from(a.is_sign_positive()),
                    "to_bits" => float(a),
                    "powi" => float(a.powi(n)),
                    "powf" => float(a.powf(b)),
                    "exp" => float(a.exp()),
                    "exp2" => float(a.exp2()),
                    "exp_m1" => float(a.exp_m1()),
                    "ln" => float(a.ln()),
                    "log" => float(a.log(b)),
                    "log2" => float(a.log2()),
                    "log10" => float(a.log10()),
                    "ln_1p" => float(a.ln_1p()),
                    "sin" => float(a.sin()),
                    "cos" => float(a.cos()),
                    "tan" => float(a.tan()),
                    "asin" => float(a.asin()),
                    "acos" => float(a.acos()),
                    "atan" => float(a.atan()),
                    "atan2" => float(a.atan2(b)),
                    "sinh" => float(a.sinh()),
                    "cosh" => float(a.cosh()),
                    "tanh" => float(a.tanh()),
                    "asinh" => float(a.asinh()),
                    "acosh" => float(a.acosh()),
                    "atanh" => float(a.atanh()),
                    "cbrt" => float(a.cbrt()),
                    "hypot" => float(a.hypot(b)),
                    other => panic!("no oracle for {other} of floats"),
                })
            }
        }
    )* };
}
// The methods that crate `half` lacks are those of `Float`.
floats! { f32 u32 f64 u64 f16 u16 bf16 u16 }

/// `value as to`, where Rust has the cast.
pub fn cast(value: u128, from: Scalar, to: Scalar) -> u128 {
    macro_rules! to {
        ($value:expr) => {
            match to {
                Scalar::Bool => panic!("no cast to bool"),
                Scalar::I8 => bits($value as i8),
                Scalar::I16 => bits($value as i16),
                Scalar::I32 => bits($value as i32),
                Scalar::I64 => bits($value as i64),
                Scalar::Isize => bits($value as isize),
                Scalar::U8 => bits($value as u8),
                Scalar::U16 => bits($value as u16),
                Scalar::U32 => bits($value as u32),
                Scalar::U64 => bits($value as u64),
                Scalar::Usize => bits($value as usize),
                Scalar::F32 => bits($value as f32),
                Scalar::F64 => bits($value as f64),
                Scalar::I128 => bits($value as i128),
                Scalar::U128 => bits($value as u128),
                Scalar::F16 => bits(Number::cast::<f16>($value)),
                Scalar::Bf16 => bits(Number::cast::<bf16>($value)),
            }
        };
    }
    match from {
        // Rust has no cast to floats from bool; the test leaves it out.
        Scalar::Bool => to!(value as u8),
        Scalar::I8 => to!(value as i8),
        Scalar::I16 => to!(value as i16),
        Scalar::I32 => to!(value as i32),
        Scalar::I64 => to!(value as i64),
        Scalar::Isize => to!(value as isize),
        Scalar::U8 => to!(value as u8),
        Scalar::U16 => to!(value as u16),
        Scalar::U32 => to!(value as u32),
        Scalar::U64 => to!(value as u64),
        Scalar::Usize => to!(value as usize),
        Scalar::F32 => to!(black_box(f32::from_bits(value as u32))),
        Scalar::F64 => to!(black_box(f64::from_bits(value as u64))),
        Scalar::I128 => to!(black_box(value as i128)),
        Scalar::U128 => to!(black_box(value)),
        Scalar::F16 => to!(black_box(f16::from_bits(value as u16)).to_f32()),
        Scalar::Bf16 => to!(black_box(bf16::from_bits(value as u16)).to_f32()),
    }
}
