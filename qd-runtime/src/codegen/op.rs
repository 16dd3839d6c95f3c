//! One exhaustive match over the operation table: what each row is in LLVM, and when it fails.
//!
//! The meaning is that of Rust's release build, bit for bit (see the classes in `qd_ir::op`): arithmetic wraps, shift
//! amounts are masked, casts saturate. [`checks`] says when an operation fails; [`value`] assumes that it doesn't, and
//! may then execute an instruction that is undefined for a failing operand. Nothing else here can give poison.
use inkwell::values::{BasicValueEnum, FloatValue, IntValue};
use inkwell::{FloatPredicate, IntPredicate};
use qd_ir::fault::Fault;
use qd_ir::op::Op;
use qd_ir::types::{Scalar, ScalarClass};

use super::emit::{Emit, Promise};
use super::half;
use super::hooks::Hooks;
use super::power;
use super::soft;
use crate::error::{Error, Result};

/// A way an operation can fail.
pub(super) struct Check<'c> {
    /// True if it fails. Tested in order: a later check may assume that the earlier ones passed.
    pub(super) fails: IntValue<'c>,
    /// How.
    pub(super) fault: Fault,
    /// What the message shows, as words.
    pub(super) values: [Option<IntValue<'c>>; 4],
}

/// An operation with its operands.
pub(super) struct Operation<'a, 'c> {
    pub(super) emit: &'a Emit<'c>,
    pub(super) hooks: &'a dyn Hooks,
    pub(super) op: Op,
    /// The receiver's type.
    pub(super) ty: Scalar,
    /// The result's type.
    pub(super) output: Scalar,
    pub(super) args: &'a [BasicValueEnum<'c>],
}

/// When the operation fails; empty where it can't, or where its operands are constants for which it doesn't.
pub(super) fn checks<'c>(operation: &Operation<'_, 'c>) -> Result<Vec<Check<'c>>> {
    let Operation { emit, op, ty, .. } = *operation;
    if !op.faults(ty) {
        return Ok(Vec::new());
    }
    let o = operation;
    let mut found = Vec::new();
    let mut push = |fails: IntValue<'c>, fault: Fault, values: [Option<IntValue<'c>>; 4]| {
        // The builder folds comparisons of constants.
        if fails.get_zero_extended_constant() != Some(0) {
            found.push(Check { fails, fault, values });
        }
    };
    let none = [None; 4];
    match op {
        Op::Div | Op::DivEuclid | Op::Rem | Op::RemEuclid => {
            let divides = matches!(op, Op::Div | Op::DivEuclid);
            let zero = if divides { Fault::DivideByZero } else { Fault::RemainderByZero };
            push(emit.compare(IntPredicate::EQ, o.int(1), o.zero())?, zero, none);
            if ty.is_signed() {
                let overflow = if divides { Fault::DivideOverflow } else { Fault::RemainderOverflow };
                push(o.is_min_by_minus_one()?, overflow, none);
            }
        }
        Op::WrappingDiv | Op::DivCeil => {
            push(emit.compare(IntPredicate::EQ, o.int(1), o.zero())?, Fault::DivideByZero, none);
        }
        Op::WrappingRem | Op::NextMultipleOf => {
            push(emit.compare(IntPredicate::EQ, o.int(1), o.zero())?, Fault::RemainderByZero, none);
        }
        Op::Clamp => {
            // Unordered: a NaN bound fails too.
            let fails = match ty.class() {
                ScalarClass::Float => {
                    let (lo, hi) = if ty.is_half() {
                        (half::widened(o, 1)?, half::widened(o, 2)?)
                    } else {
                        (o.float(1), o.float(2))
                    };
                    emit.builder.build_float_compare(FloatPredicate::UGT, lo, hi, "")?
                }
                ScalarClass::Signed | ScalarClass::Unsigned | ScalarClass::Bool => {
                    emit.compare(o.predicate(IntPredicate::SGT, IntPredicate::UGT), o.int(1), o.int(2))?
                }
            };
            let (lo, hi) = (emit.to_words(ty, o.args[1])?, emit.to_words(ty, o.args[2])?);
            let values = [Some(lo[0]), Some(lo[1]), Some(hi[0]), Some(hi[1])];
            push(fails, Fault::Clamp, values);
        }
        Op::StrictAdd => push(o.overflow("add")?.1, Fault::AddOverflow, none),
        Op::StrictSub => push(o.overflow("sub")?.1, Fault::SubOverflow, none),
        Op::StrictMul => push(o.overflow("mul")?.1, Fault::MulOverflow, none),
        Op::StrictNeg | Op::StrictAbs => {
            // Of a signed type the least number, of an unsigned one all but 0.
            let fails = if ty.is_signed() {
                emit.compare(IntPredicate::EQ, o.int(0), o.min_value())?
            } else {
                emit.compare(IntPredicate::NE, o.int(0), o.zero())?
            };
            push(fails, Fault::NegOverflow, none);
        }
        Op::StrictPow => push(power::checked(emit, ty, o.int(0), o.int(1))?.1, Fault::MulOverflow, none),
        Op::StrictShl | Op::DebugShl => push(o.shifts_too_far()?, Fault::ShlOverflow, none),
        Op::StrictShr | Op::DebugShr => push(o.shifts_too_far()?, Fault::ShrOverflow, none),
        Op::DebugNextMultipleOf => {
            push(emit.compare(IntPredicate::EQ, o.int(1), o.zero())?, Fault::RemainderByZero, none);
            // If it wraps, it is less.
            let less = emit.compare(IntPredicate::ULT, o.next_multiple_of()?, o.int(0))?;
            push(less, Fault::AddOverflow, none);
        }
        Op::DebugNextPowerOfTwo => {
            let largest = o.number(1 << (ty.bits() - 1));
            push(emit.compare(IntPredicate::UGT, o.int(0), largest)?, Fault::AddOverflow, none);
        }
        Op::Isqrt => {
            if ty.is_signed() {
                push(emit.compare(IntPredicate::SLT, o.int(0), o.zero())?, Fault::Isqrt, none);
            }
        }
        Op::Ilog2 | Op::Ilog10 => {
            let fails = emit.compare(o.predicate(IntPredicate::SLE, IntPredicate::ULE), o.int(0), o.zero())?;
            push(fails, Fault::Logarithm, none);
        }
        pure => return Err(Error::internal(format_args!("the table says that {pure} fails, the generator doesn't"))),
    }
    Ok(found)
}

/// The value of an operation that doesn't fail.
pub(super) fn value<'c>(operation: &Operation<'_, 'c>) -> Result<BasicValueEnum<'c>> {
    let o = operation;
    if o.ty.is_half() || o.output.is_half() {
        return half::value(o);
    }
    let (e, b) = (o.emit, &o.emit.builder);
    let float = o.ty.is_float();
    Ok(match o.op {
        Op::Cast => o.cast()?,
        Op::Neg if float => b.build_float_neg(o.float(0), "")?.into(),
        Op::Neg | Op::WrappingNeg | Op::StrictNeg => b.build_int_neg(o.int(0), "")?.into(),
        Op::Not => b.build_not(o.int(0), "")?.into(),
        Op::Add if float => b.build_float_add(o.float(0), o.float(1), "")?.into(),
        Op::Add | Op::WrappingAdd | Op::StrictAdd => b.build_int_add(o.int(0), o.int(1), "")?.into(),
        Op::Sub if float => b.build_float_sub(o.float(0), o.float(1), "")?.into(),
        Op::Sub | Op::WrappingSub | Op::StrictSub => b.build_int_sub(o.int(0), o.int(1), "")?.into(),
        Op::Mul if float => b.build_float_mul(o.float(0), o.float(1), "")?.into(),
        Op::Mul | Op::WrappingMul | Op::StrictMul => b.build_int_mul(o.int(0), o.int(1), "")?.into(),
        Op::Div if float => b.build_float_div(o.float(0), o.float(1), "")?.into(),
        Op::Div => o.quotient()?.into(),
        Op::Rem | Op::DivEuclid | Op::RemEuclid if float => o.hooks.math(e, o.op, o.ty, o.args)?,
        Op::Rem => o.remainder()?.into(),
        Op::DivEuclid => o.div_euclid()?.into(),
        Op::RemEuclid => o.rem_euclid()?.into(),
        Op::WrappingDiv => o.with_safe_divisor()?.0.into(),
        Op::WrappingRem => o.with_safe_divisor()?.1.into(),
        Op::And => b.build_and(o.int(0), o.int(1), "")?.into(),
        Op::Or => b.build_or(o.int(0), o.int(1), "")?.into(),
        Op::Xor => b.build_xor(o.int(0), o.int(1), "")?.into(),
        Op::Shl | Op::WrappingShl | Op::StrictShl | Op::DebugShl => {
            b.build_left_shift(o.int(0), o.shift_amount()?, "")?.into()
        }
        Op::Shr | Op::WrappingShr | Op::StrictShr | Op::DebugShr => {
            b.build_right_shift(o.int(0), o.shift_amount()?, o.ty.is_signed(), "")?.into()
        }
        Op::Eq => o.compare(FloatPredicate::OEQ, IntPredicate::EQ, IntPredicate::EQ)?.into(),
        Op::Ne => o.compare(FloatPredicate::UNE, IntPredicate::NE, IntPredicate::NE)?.into(),
        Op::Lt => o.compare(FloatPredicate::OLT, IntPredicate::SLT, IntPredicate::ULT)?.into(),
        Op::Le => o.compare(FloatPredicate::OLE, IntPredicate::SLE, IntPredicate::ULE)?.into(),
        Op::Gt => o.compare(FloatPredicate::OGT, IntPredicate::SGT, IntPredicate::UGT)?.into(),
        Op::Ge => o.compare(FloatPredicate::OGE, IntPredicate::SGE, IntPredicate::UGE)?.into(),

        Op::Min => o.extreme("llvm.minnum", "llvm.smin", "llvm.umin")?,
        Op::Max => o.extreme("llvm.maxnum", "llvm.smax", "llvm.umax")?,
        Op::Clamp if float => {
            // As std does it: a NaN stays.
            let (x, lo, hi) = (o.float(0), o.float(1), o.float(2));
            let below = b.build_float_compare(FloatPredicate::OLT, x, lo, "")?;
            let x = e.select(below, lo, x)?.into_float_value();
            let above = b.build_float_compare(FloatPredicate::OGT, x, hi, "")?;
            e.select(above, hi, x)?
        }
        Op::Clamp => {
            let (min, max) = if o.ty.is_signed() { ("llvm.smin", "llvm.smax") } else { ("llvm.umin", "llvm.umax") };
            let raised = e.int_intrinsic(max, &[o.int(0), o.int(1)])?;
            e.int_intrinsic(min, &[raised, o.int(2)])?.into()
        }
        Op::Abs if float => e.float_intrinsic("llvm.fabs", &[o.float(0)])?.into(),
        Op::Abs | Op::WrappingAbs | Op::UnsignedAbs | Op::StrictAbs => o.abs(o.int(0))?.into(),
        Op::Signum if float => {
            let x = o.float(0);
            let one = e.float_intrinsic("llvm.copysign", &[x.get_type().const_float(1.0), x])?;
            let nan = b.build_float_compare(FloatPredicate::UNO, x, x, "")?;
            e.select(nan, x, one)?
        }
        Op::Signum => {
            let positive = e.compare(IntPredicate::SGT, o.int(0), o.zero())?;
            let negative = e.compare(IntPredicate::SLT, o.int(0), o.zero())?;
            let bits = o.ty.bits();
            b.build_int_sub(e.zext(positive, bits)?, e.zext(negative, bits)?, "")?.into()
        }

        Op::AbsDiff => {
            // Not as `max - min`: LLVM 22 knows that as an operation of its own, and where a target lacks it expands it
            // wrongly if it can tell which operand is the larger (`x.abs_diff(u128::MAX)` on x86-64).
            let less = if o.ty.is_signed() { IntPredicate::SLT } else { IntPredicate::ULT };
            let (left, right) = (o.int(0), o.int(1));
            let less = b.build_int_s_extend(e.compare(less, left, right)?, left.get_type(), "")?;
            let difference = b.build_int_sub(left, right, "")?;
            b.build_int_sub(b.build_xor(difference, less, "")?, less, "")?.into()
        }
        Op::IsPositive => e.compare(IntPredicate::SGT, o.int(0), o.zero())?.into(),
        Op::IsNegative => e.compare(IntPredicate::SLT, o.int(0), o.zero())?.into(),
        Op::Pow | Op::WrappingPow => power::wrapping(e, o.int(0), o.int(1))?.into(),
        Op::StrictPow => power::checked(e, o.ty, o.int(0), o.int(1))?.0.into(),
        Op::Isqrt => o.isqrt()?.into(),
        Op::Ilog2 => {
            let zeros = o.zeros("llvm.ctlz", o.int(0))?;
            let log = b.build_int_sub(o.number(u128::from(o.ty.bits() - 1)), zeros, "")?;
            e.resize(log, 32)?.into()
        }
        Op::Ilog10 => o.ilog10()?.into(),
        Op::DivCeil => {
            let rest = e.compare(IntPredicate::NE, o.remainder()?, o.zero())?;
            b.build_int_add(o.quotient()?, e.zext(rest, o.ty.bits())?, "")?.into()
        }
        Op::NextMultipleOf | Op::DebugNextMultipleOf => o.next_multiple_of()?.into(),
        Op::IsMultipleOf => {
            // The remainder by 1 instead of 0 is 0, so the number itself stands for it there.
            let (x, divisor) = (o.int(0), o.int(1));
            let zero = e.compare(IntPredicate::EQ, divisor, o.zero())?;
            let rest = b.build_int_unsigned_rem(x, e.select_int(zero, o.number(1), divisor)?, "")?;
            e.compare(IntPredicate::EQ, e.select_int(zero, x, rest)?, o.zero())?.into()
        }
        Op::IsPowerOfTwo => {
            let ones = e.int_intrinsic("llvm.ctpop", &[o.int(0)])?;
            e.compare(IntPredicate::EQ, ones, o.number(1))?.into()
        }
        Op::NextPowerOfTwo | Op::DebugNextPowerOfTwo => {
            // std: all ones shifted down by the zeros in front of x - 1, plus 1; 1 for x <= 1.
            let x = o.int(0);
            let less = b.build_int_sub(x, o.number(1), "")?;
            let zeros = o.zeros("llvm.ctlz", less)?;
            let small = e.compare(IntPredicate::ULE, x, o.number(1))?;
            let amount = e.select_int(small, o.zero(), zeros)?;
            let ones = b.build_right_shift(o.int_ty().const_all_ones(), amount, false, "")?;
            e.select(small, o.number(1), b.build_int_add(ones, o.number(1), "")?)?
        }
        Op::CountOnes => e.resize(e.int_intrinsic("llvm.ctpop", &[o.int(0)])?, 32)?.into(),
        Op::CountZeros => {
            let flipped = b.build_not(o.int(0), "")?;
            e.resize(e.int_intrinsic("llvm.ctpop", &[flipped])?, 32)?.into()
        }
        Op::LeadingZeros => e.resize(o.zeros("llvm.ctlz", o.int(0))?, 32)?.into(),
        Op::LeadingOnes => e.resize(o.zeros("llvm.ctlz", b.build_not(o.int(0), "")?)?, 32)?.into(),
        Op::TrailingZeros => e.resize(o.zeros("llvm.cttz", o.int(0))?, 32)?.into(),
        Op::TrailingOnes => e.resize(o.zeros("llvm.cttz", b.build_not(o.int(0), "")?)?, 32)?.into(),
        Op::RotateLeft => o.rotate("llvm.fshl")?.into(),
        Op::RotateRight => o.rotate("llvm.fshr")?.into(),
        Op::SwapBytes if o.ty.bits() == 8 => o.args[0],
        Op::SwapBytes => e.int_intrinsic("llvm.bswap", &[o.int(0)])?.into(),
        Op::ReverseBits => e.int_intrinsic("llvm.bitreverse", &[o.int(0)])?.into(),
        Op::SaturatingAdd => o.extreme("", "llvm.sadd.sat", "llvm.uadd.sat")?,
        Op::SaturatingSub => o.extreme("", "llvm.ssub.sat", "llvm.usub.sat")?,
        Op::SaturatingMul => o.saturating_mul()?.into(),
        Op::SaturatingNeg => e.int_intrinsic("llvm.ssub.sat", &[o.zero(), o.int(0)])?.into(),
        Op::SaturatingAbs => {
            let (x, negated) = (o.int(0), e.int_intrinsic("llvm.ssub.sat", &[o.zero(), o.int(0)])?);
            e.select(e.compare(IntPredicate::SLT, x, o.zero())?, negated, x)?
        }

        Op::Sqrt => e.float_intrinsic("llvm.sqrt", &[o.float(0)])?.into(),
        Op::Floor => e.float_intrinsic("llvm.floor", &[o.float(0)])?.into(),
        Op::Ceil => e.float_intrinsic("llvm.ceil", &[o.float(0)])?.into(),
        Op::Round => e.float_intrinsic("llvm.round", &[o.float(0)])?.into(),
        Op::RoundTiesEven => e.float_intrinsic("llvm.roundeven", &[o.float(0)])?.into(),
        Op::Trunc => e.float_intrinsic("llvm.trunc", &[o.float(0)])?.into(),
        Op::Fract => {
            let whole = e.float_intrinsic("llvm.trunc", &[o.float(0)])?;
            b.build_float_sub(o.float(0), whole, "")?.into()
        }
        Op::Copysign => e.float_intrinsic("llvm.copysign", &[o.float(0), o.float(1)])?.into(),
        Op::Recip => b.build_float_div(o.float(0).get_type().const_float(1.0), o.float(0), "")?.into(),
        // The factors are std's: for f32 not the f64 factor rounded.
        Op::ToDegrees => o.scale(57.29578, 180.0 / std::f64::consts::PI)?.into(),
        Op::ToRadians => o.scale(std::f32::consts::PI / 180.0, std::f64::consts::PI / 180.0)?.into(),
        Op::IsNan => b.build_float_compare(FloatPredicate::UNO, o.float(0), o.float(0), "")?.into(),
        Op::IsFinite => o.magnitude(IntPredicate::ULT, f32::INFINITY.to_bits(), f64::INFINITY.to_bits())?.into(),
        Op::IsInfinite => o.magnitude(IntPredicate::EQ, f32::INFINITY.to_bits(), f64::INFINITY.to_bits())?.into(),
        Op::IsNormal => {
            let (single, double) = (f32::MIN_POSITIVE.to_bits(), f64::MIN_POSITIVE.to_bits());
            let least = o.magnitude(IntPredicate::UGE, single, double)?;
            let finite = o.magnitude(IntPredicate::ULT, f32::INFINITY.to_bits(), f64::INFINITY.to_bits())?;
            b.build_and(least, finite, "")?.into()
        }
        Op::IsSubnormal => {
            let (single, double) = (f32::MIN_POSITIVE.to_bits(), f64::MIN_POSITIVE.to_bits());
            let below = o.magnitude(IntPredicate::ULT, single, double)?;
            b.build_and(below, o.magnitude(IntPredicate::NE, 0, 0)?, "")?.into()
        }
        Op::IsSignNegative => e.compare(IntPredicate::SLT, o.bits()?, o.bits_ty().const_zero())?.into(),
        Op::IsSignPositive => e.compare(IntPredicate::SGE, o.bits()?, o.bits_ty().const_zero())?.into(),
        Op::ToBits => o.bits()?.into(),
        Op::FromBits => b.build_bit_cast(o.int(0), e.float(o.output), "")?,

        Op::MulAdd
        | Op::Powi
        | Op::Powf
        | Op::Exp
        | Op::Exp2
        | Op::ExpM1
        | Op::Ln
        | Op::Log
        | Op::Log2
        | Op::Log10
        | Op::Ln1p
        | Op::Sin
        | Op::Cos
        | Op::Tan
        | Op::Asin
        | Op::Acos
        | Op::Atan
        | Op::Atan2
        | Op::Sinh
        | Op::Cosh
        | Op::Tanh
        | Op::Asinh
        | Op::Acosh
        | Op::Atanh
        | Op::Cbrt
        | Op::Hypot
        | Op::FromF64 => o.hooks.math(e, o.op, o.ty, o.args)?,
    })
}

impl<'c> Operation<'_, 'c> {
    fn int(&self, index: usize) -> IntValue<'c> {
        self.args[index].into_int_value()
    }

    fn float(&self, index: usize) -> FloatValue<'c> {
        self.args[index].into_float_value()
    }

    fn int_ty(&self) -> inkwell::types::IntType<'c> {
        self.args[0].into_int_value().get_type()
    }

    fn zero(&self) -> IntValue<'c> {
        self.int_ty().const_zero()
    }

    /// A constant of the receiver's type.
    fn number(&self, value: u128) -> IntValue<'c> {
        self.emit.number(self.int_ty(), value)
    }

    fn min_value(&self) -> IntValue<'c> {
        self.number(1 << (self.ty.bits() - 1))
    }

    fn predicate(&self, signed: IntPredicate, unsigned: IntPredicate) -> IntPredicate {
        if self.ty.is_signed() { signed } else { unsigned }
    }

    fn compare(&self, float: FloatPredicate, signed: IntPredicate, unsigned: IntPredicate) -> Result<IntValue<'c>> {
        if self.ty.is_float() {
            return Ok(self.emit.builder.build_float_compare(float, self.float(0), self.float(1), "")?);
        }
        self.emit.compare(self.predicate(signed, unsigned), self.int(0), self.int(1))
    }

    /// A binary intrinsic, its name by the kind of number.
    fn extreme(&self, float: &str, signed: &str, unsigned: &str) -> Result<BasicValueEnum<'c>> {
        Ok(match self.ty.class() {
            ScalarClass::Float => self.emit.float_intrinsic(float, &[self.float(0), self.float(1)])?.into(),
            ScalarClass::Signed => self.emit.int_intrinsic(signed, &[self.int(0), self.int(1)])?.into(),
            ScalarClass::Unsigned | ScalarClass::Bool => {
                self.emit.int_intrinsic(unsigned, &[self.int(0), self.int(1)])?.into()
            }
        })
    }

    fn cast(&self) -> Result<BasicValueEnum<'c>> {
        let (e, b) = (self.emit, &self.emit.builder);
        let (from, to) = (self.ty, self.output);
        if from == to {
            return Ok(self.args[0]);
        }
        if !self.hooks.converts_wide() {
            if from.is_float() && to.words() > 1 {
                return Ok(soft::to_wide(e, to, self.float(0))?.into());
            }
            if from.words() > 1 && to.is_float() {
                return Ok(soft::from_wide(e, from, to, self.int(0))?.into());
            }
        }
        if from.words() > 1 && to.is_float() {
            // A function in any case. By its name, for of a number that LLVM knows to be small it makes, with the cast to
            // 16 bits behind it, a conversion that no target has.
            let name = match (from.is_signed(), to == Scalar::F64) {
                (true, true) => "__floattidf",
                (true, false) => "__floattisf",
                (false, true) => "__floatuntidf",
                (false, false) => "__floatuntisf",
            };
            let function = e.external(name, &[e.int(from.bits()).into()], Some(e.ty(to)), Promise::Pure);
            return e.call(function, &[self.args[0].into()]);
        }
        Ok(match (from.class(), to.class()) {
            (ScalarClass::Float, ScalarClass::Float) => b.build_float_cast(self.float(0), e.float(to), "")?.into(),
            (ScalarClass::Float, ScalarClass::Signed | ScalarClass::Unsigned) => {
                let name = if to.is_signed() { "llvm.fptosi.sat" } else { "llvm.fptoui.sat" };
                e.intrinsic(name, &[e.ty(to), e.ty(from)], &[self.args[0].into()])?
            }
            (ScalarClass::Signed, ScalarClass::Float) => {
                b.build_signed_int_to_float(self.int(0), e.float(to), "")?.into()
            }
            (ScalarClass::Unsigned, ScalarClass::Float) => {
                b.build_unsigned_int_to_float(self.int(0), e.float(to), "")?.into()
            }
            (ScalarClass::Signed, ScalarClass::Signed | ScalarClass::Unsigned) if to.bits() > from.bits() => {
                b.build_int_s_extend(self.int(0), e.int(to.bits()), "")?.into()
            }
            (
                ScalarClass::Signed | ScalarClass::Unsigned | ScalarClass::Bool,
                ScalarClass::Signed | ScalarClass::Unsigned,
            ) => e.resize(self.int(0), to.bits())?.into(),
            (ScalarClass::Bool, ScalarClass::Float | ScalarClass::Bool)
            | (ScalarClass::Signed | ScalarClass::Unsigned | ScalarClass::Float, ScalarClass::Bool) => {
                return Err(Error::internal(format_args!("Rust has no cast from {from} to {to}")));
            }
        })
    }

    fn quotient(&self) -> Result<IntValue<'c>> {
        let (a, d, b) = (self.int(0), self.int(1), &self.emit.builder);
        Ok(if self.ty.is_signed() { b.build_int_signed_div(a, d, "")? } else { b.build_int_unsigned_div(a, d, "")? })
    }

    fn remainder(&self) -> Result<IntValue<'c>> {
        let (a, d, b) = (self.int(0), self.int(1), &self.emit.builder);
        Ok(if self.ty.is_signed() { b.build_int_signed_rem(a, d, "")? } else { b.build_int_unsigned_rem(a, d, "")? })
    }

    fn is_min_by_minus_one(&self) -> Result<IntValue<'c>> {
        let minus_one = self.emit.compare(IntPredicate::EQ, self.int(1), self.int_ty().const_all_ones())?;
        if minus_one.get_zero_extended_constant() == Some(0) {
            return Ok(minus_one);
        }
        let min = self.emit.compare(IntPredicate::EQ, self.int(0), self.min_value())?;
        Ok(self.emit.builder.build_and(minus_one, min, "")?)
    }

    /// Quotient and remainder, with 1 for the divisor where `MIN / -1` would overflow: both then wrap.
    fn with_safe_divisor(&self) -> Result<(IntValue<'c>, IntValue<'c>)> {
        let divisor = if self.ty.is_signed() {
            self.emit.select_int(self.is_min_by_minus_one()?, self.number(1), self.int(1))?
        } else {
            self.int(1)
        };
        let args = [self.args[0], divisor.into()];
        let safe = Operation { args: &args, ..*self };
        Ok((safe.quotient()?, safe.remainder()?))
    }

    fn div_euclid(&self) -> Result<IntValue<'c>> {
        let (e, b) = (self.emit, &self.emit.builder);
        let quotient = self.quotient()?;
        if !self.ty.is_signed() {
            return Ok(quotient);
        }
        let negative_rest = e.compare(IntPredicate::SLT, self.remainder()?, self.zero())?;
        let positive = e.compare(IntPredicate::SGT, self.int(1), self.zero())?;
        let step = e.select_int(positive, self.int_ty().const_all_ones(), self.number(1))?;
        let correction = e.select_int(negative_rest, step, self.zero())?;
        Ok(b.build_int_add(quotient, correction, "")?)
    }

    fn rem_euclid(&self) -> Result<IntValue<'c>> {
        let e = self.emit;
        let rest = self.remainder()?;
        if !self.ty.is_signed() {
            return Ok(rest);
        }
        let negative = e.compare(IntPredicate::SLT, rest, self.zero())?;
        let raised = e.builder.build_int_add(rest, self.abs(self.int(1))?, "")?;
        e.select_int(negative, raised, rest)
    }

    /// `|x|`, `MIN` for `MIN`.
    fn abs(&self, x: IntValue<'c>) -> Result<IntValue<'c>> {
        let e = self.emit;
        Ok(e.intrinsic("llvm.abs", &[x.get_type().into()], &[x.into(), e.bool(false).into()])?.into_int_value())
    }

    /// Zeros at an end; the width for zero.
    fn zeros(&self, name: &str, x: IntValue<'c>) -> Result<IntValue<'c>> {
        let e = self.emit;
        Ok(e.intrinsic(name, &[x.get_type().into()], &[x.into(), e.bool(false).into()])?.into_int_value())
    }

    /// The second operand in the receiver's type, modulo its width. Widths are powers of two of at most 128, so the
    /// low 8 bits that every integer type has are enough, whatever the sign.
    fn shift_amount(&self) -> Result<IntValue<'c>> {
        let amount = self.emit.resize(self.int(1), self.ty.bits())?;
        Ok(self.emit.builder.build_and(amount, self.number(u128::from(self.ty.bits() - 1)), "")?)
    }

    fn rotate(&self, name: &str) -> Result<IntValue<'c>> {
        let amount = self.emit.resize(self.int(1), self.ty.bits())?;
        self.emit.int_intrinsic(name, &[self.int(0), self.int(0), amount])
    }

    fn scale(&self, single: f32, double: f64) -> Result<FloatValue<'c>> {
        let factor = if self.ty == Scalar::F32 { f64::from(single) } else { double };
        let x = self.float(0);
        Ok(self.emit.builder.build_float_mul(x, x.get_type().const_float(factor), "")?)
    }

    fn bits_ty(&self) -> inkwell::types::IntType<'c> {
        self.emit.int(self.ty.bits())
    }

    /// The bits of a float.
    fn bits(&self) -> Result<IntValue<'c>> {
        Ok(self.emit.builder.build_bit_cast(self.float(0), self.bits_ty(), "")?.into_int_value())
    }

    /// Compares the bits without the sign.
    fn magnitude(&self, predicate: IntPredicate, single: u32, double: u64) -> Result<IntValue<'c>> {
        let (ty, limit) = (self.bits_ty(), if self.ty == Scalar::F32 { u64::from(single) } else { double });
        let mask = ty.const_int(u64::MAX >> (65 - self.ty.bits()), false);
        let magnitude = self.emit.builder.build_and(self.bits()?, mask, "")?;
        self.emit.compare(predicate, magnitude, ty.const_int(limit, false))
    }

    fn saturating_mul(&self) -> Result<IntValue<'c>> {
        let (e, b) = (self.emit, &self.emit.builder);
        let (x, y) = (self.int(0), self.int(1));
        let (product, overflow) = self.overflow("mul")?;
        let limit = if self.ty.is_signed() {
            // MIN if the signs differ, else MAX, which is !MIN.
            let signs = b.build_xor(x, y, "")?;
            let differ = e.compare(IntPredicate::SLT, signs, self.zero())?;
            e.select_int(differ, self.min_value(), self.number(!(1 << (self.ty.bits() - 1))))?
        } else {
            self.int_ty().const_all_ones()
        };
        e.select_int(overflow, limit, product)
    }

    /// The wrapped result of an operation of integers, and whether it overflows.
    fn overflow(&self, operation: &str) -> Result<(IntValue<'c>, IntValue<'c>)> {
        let sign = if self.ty.is_signed() { 's' } else { 'u' };
        self.emit.with_overflow(&format!("llvm.{sign}{operation}.with.overflow"), self.int(0), self.int(1))
    }

    /// True if a shift's amount isn't less than the width; a negative one isn't either.
    fn shifts_too_far(&self) -> Result<IntValue<'c>> {
        let amount = self.int(1);
        self.emit.compare(IntPredicate::UGE, amount, amount.get_type().const_int(self.ty.bits().into(), false))
    }

    /// The least multiple that isn't less, wrapped; any number where the divisor is 0.
    fn next_multiple_of(&self) -> Result<IntValue<'c>> {
        let (e, b) = (self.emit, &self.emit.builder);
        let (x, divisor) = (self.int(0), self.int(1));
        let zero = e.compare(IntPredicate::EQ, divisor, self.zero())?;
        let rest = b.build_int_unsigned_rem(x, e.select_int(zero, self.number(1), divisor)?, "")?;
        let up = b.build_int_add(x, b.build_int_sub(divisor, rest, "")?, "")?;
        e.select_int(e.compare(IntPredicate::EQ, rest, self.zero())?, x, up)
    }

    /// The square root in f64, which is exact below 2^52 and off by at most one below 2^64, put right; above it is std's.
    fn isqrt(&self) -> Result<IntValue<'c>> {
        let (e, b) = (self.emit, &self.emit.builder);
        if self.ty.bits() > 64 {
            // Of no negative number, so the unsigned root is that of both types.
            return Ok(self.hooks.math(e, Op::Isqrt, Scalar::U128, self.args)?.into_int_value());
        }
        let double = e.context.f64_type();
        let x = self.int(0);
        let root = e.float_intrinsic("llvm.sqrt", &[b.build_unsigned_int_to_float(x, double, "")?])?;
        if self.ty.bits() < 64 {
            // Below 2^16, so the conversion is in range.
            let root = b.build_float_to_unsigned_int(root, e.int(32), "")?;
            return e.resize(root, self.ty.bits());
        }
        // At most 2^32, so the conversion is in range; one less than that fits 32 bits and its square 64.
        let root = b.build_float_to_unsigned_int(root, e.i64(), "")?;
        let root = e.int_intrinsic("llvm.umin", &[root, e.word(u64::from(u32::MAX))])?;
        let over = e.compare(IntPredicate::UGT, b.build_int_mul(root, root, "")?, x)?;
        let root = b.build_int_sub(root, e.zext(over, 64)?, "")?;
        let next = b.build_int_add(root, e.word(1), "")?;
        let fits = e.compare(IntPredicate::ULE, b.build_int_mul(next, next, "")?, x)?;
        let small = e.compare(IntPredicate::ULE, next, e.word(u64::from(u32::MAX)))?;
        let up = b.build_and(fits, small, "")?;
        Ok(b.build_int_add(root, e.zext(up, 64)?, "")?)
    }

    /// How many of 10, 100, .. are not above it.
    fn ilog10(&self) -> Result<IntValue<'c>> {
        let (e, b) = (self.emit, &self.emit.builder);
        let max = self.ty.mask() >> u32::from(self.ty.is_signed());
        let mut log = e.int(32).const_zero();
        let mut power = 10u128;
        while power <= max {
            let reached = e.compare(IntPredicate::UGE, self.int(0), self.number(power))?;
            log = b.build_int_add(log, e.zext(reached, 32)?, "")?;
            match power.checked_mul(10) {
                Some(next) => power = next,
                None => break,
            }
        }
        Ok(log)
    }
}
