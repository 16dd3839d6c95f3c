//! Operations that no instruction of some targets does, in terms of others: the remainder of floats, powers with integer
//! exponents, the square root of 128-bit integers. Exact where the operation table says so; for targets whose hooks don't
//! have something better. Each is a function of the module.
use inkwell::module::Linkage;
use inkwell::values::{BasicValueEnum, FloatValue, FunctionValue, IntValue, PhiValue};
use inkwell::{FloatPredicate, IntPredicate};
use qd_ir::types::Scalar;

use super::emit::Emit;
use crate::error::{Error, Result};

/// `x % y`, exactly.
pub(crate) fn rem<'c>(e: &Emit<'c>, ty: Scalar, x: FloatValue<'c>, y: FloatValue<'c>) -> Result<FloatValue<'c>> {
    let float = e.float(ty);
    let make = |function: FunctionValue<'c>| build_rem(e, ty, function);
    let params = [float.into(), float.into()];
    let function = function(e, &format!("rem.{ty}"), || float.fn_type(&params, false), make)?;
    Ok(call(e, function, &[x.into(), y.into()])?.into_float_value())
}

/// `x.div_euclid(y)`, as std computes it.
pub(crate) fn div_euclid<'c>(e: &Emit<'c>, ty: Scalar, x: FloatValue<'c>, y: FloatValue<'c>) -> Result<FloatValue<'c>> {
    let b = &e.builder;
    let (zero, one) = (y.get_type().const_zero(), y.get_type().const_float(1.0));
    let quotient = e.float_intrinsic("llvm.trunc", &[b.build_float_div(x, y, "")?])?;
    let negative = b.build_float_compare(FloatPredicate::OLT, rem(e, ty, x, y)?, zero, "")?;
    let down = b.build_float_compare(FloatPredicate::OGT, y, zero, "")?;
    let (less, more) = (b.build_float_sub(quotient, one, "")?, b.build_float_add(quotient, one, "")?);
    let stepped = e.select(down, less, more)?.into_float_value();
    Ok(e.select(negative, stepped, quotient)?.into_float_value())
}

/// `x.rem_euclid(y)`, as std computes it.
pub(crate) fn rem_euclid<'c>(e: &Emit<'c>, ty: Scalar, x: FloatValue<'c>, y: FloatValue<'c>) -> Result<FloatValue<'c>> {
    let b = &e.builder;
    let rest = rem(e, ty, x, y)?;
    let negative = b.build_float_compare(FloatPredicate::OLT, rest, rest.get_type().const_zero(), "")?;
    let raised = b.build_float_add(rest, e.float_intrinsic("llvm.fabs", &[y])?, "")?;
    Ok(e.select(negative, raised, rest)?.into_float_value())
}

/// `x.powi(n)`, in the order of compiler-rt.
pub(crate) fn powi<'c>(e: &Emit<'c>, ty: Scalar, x: FloatValue<'c>, n: IntValue<'c>) -> Result<FloatValue<'c>> {
    let float = e.float(ty);
    let params = [float.into(), e.int(32).into()];
    let make = |function: FunctionValue<'c>| build_powi(e, function);
    let function = function(e, &format!("powi.{ty}"), || float.fn_type(&params, false), make)?;
    Ok(call(e, function, &[x.into(), n.into()])?.into_float_value())
}

/// `x.powf(y)` of `f64` where that is 0 or infinite since `y * log2(x)` is far beyond the exponents that there are;
/// elsewhere `power`, which doesn't have to know.
pub(crate) fn saturated_power<'c>(
    e: &Emit<'c>,
    power: FloatValue<'c>,
    x: FloatValue<'c>,
    y: FloatValue<'c>,
) -> Result<FloatValue<'c>> {
    let b = &e.builder;
    let double = e.context.f64_type();
    let whole = |v: FloatValue<'c>| -> Result<IntValue<'c>> {
        Ok(b.build_float_compare(FloatPredicate::OEQ, e.float_intrinsic("llvm.trunc", &[v])?, v, "")?)
    };
    let bits = |v| -> Result<IntValue<'c>> { Ok(b.build_bit_cast(v, e.i64(), "")?.into_int_value()) };
    // The bits of a number run about as its logarithm does: this is within a half of it, and of its sign.
    let size = bits(e.float_intrinsic("llvm.fabs", &[x])?)?;
    let run = b.build_int_sub(size, e.word(1.0f64.to_bits()), "")?;
    let run = b.build_signed_int_to_float(run, double, "")?;
    let logarithm = b.build_float_mul(run, double.const_float(1.0 / (1u64 << 52) as f64), "")?;
    let exponent = b.build_float_mul(y, logarithm, "")?;
    let far = e.float_intrinsic("llvm.fabs", &[exponent])?;
    let far = b.build_float_compare(FloatPredicate::OGT, far, double.const_float(2000.0), "")?;
    // Of a negative number only whole powers are numbers, and odd ones are negative.
    let negative = e.compare(IntPredicate::SLT, bits(x)?, e.word(0))?;
    let number = b.build_float_compare(FloatPredicate::OEQ, x, x, "")?;
    let real = b.build_or(b.build_not(negative, "")?, whole(y)?, "")?;
    let half = b.build_float_mul(y, double.const_float(0.5), "")?;
    let odd = b.build_and(whole(y)?, b.build_not(whole(half)?, "")?, "")?;
    let grows = b.build_float_compare(FloatPredicate::OGT, exponent, double.const_zero(), "")?;
    let end = e.select(grows, double.const_float(f64::INFINITY), double.const_zero())?.into_float_value();
    let end = e.select(b.build_and(negative, odd, "")?, b.build_float_neg(end, "")?, end)?.into_float_value();
    let known = b.build_and(b.build_and(far, number, "")?, real, "")?;
    Ok(e.select(known, end, power)?.into_float_value())
}

/// `exp` or `exp2` of `f32` by a function that gives 0 for subnormal numbers: these come from an argument for which it gives
/// more, and a multiplication that rounds.
pub(crate) fn subnormal_exp<'c>(
    e: &Emit<'c>,
    base: Base,
    x: FloatValue<'c>,
    function: impl FnOnce(FloatValue<'c>) -> Result<FloatValue<'c>>,
) -> Result<FloatValue<'c>> {
    let b = &e.builder;
    let constant = |value: f64| x.get_type().const_float(value);
    // The logarithm of the least normal number; of `e` the next number below is beyond it.
    let end = constant(match base {
        Base::E => (-87.336_54f32).into(),
        Base::Two => -126.0,
    });
    let below = b.build_float_compare(FloatPredicate::OLT, x, end, "")?;
    // Both are exact wherever the result isn't 0 in any case.
    let shifted = match base {
        Base::E => b.build_float_mul(x, constant(0.5), "")?,
        Base::Two => b.build_float_add(x, constant(64.0), "")?,
    };
    let value = function(e.select(below, shifted, x)?.into_float_value())?;
    let scale = match base {
        Base::E => value,
        Base::Two => constant((-64.0f64).exp2()),
    };
    let small = b.build_float_mul(value, scale, "")?;
    Ok(e.select(below, small, value)?.into_float_value())
}

/// What is raised to a power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// Euler's number.
    E,
    /// 2.
    Two,
}

/// The square root of a `u128`, rounded down.
pub(crate) fn isqrt<'c>(e: &Emit<'c>, x: IntValue<'c>) -> Result<IntValue<'c>> {
    let wide = e.int(128);
    let make = |function: FunctionValue<'c>| build_isqrt(e, function);
    let function = function(e, "isqrt.u128", || wide.fn_type(&[wide.into()], false), make)?;
    Ok(call(e, function, &[x.into()])?.into_int_value())
}

/// `x as i128` or `x as u128`: saturating, a NaN is 0.
pub(crate) fn to_wide<'c>(e: &Emit<'c>, ty: Scalar, x: FloatValue<'c>) -> Result<IntValue<'c>> {
    let double = e.context.f64_type();
    let x = e.builder.build_float_cast(x, double, "")?;
    let make = |function: FunctionValue<'c>| build_to_wide(e, ty, function);
    let params = [double.into()];
    let function = function(e, &format!("to.{ty}"), || e.int(128).fn_type(&params, false), make)?;
    Ok(call(e, function, &[x.into()])?.into_int_value())
}

/// `x as f32` or `x as f64` of an integer of 128 bits: to nearest even.
pub(crate) fn from_wide<'c>(e: &Emit<'c>, from: Scalar, to: Scalar, x: IntValue<'c>) -> Result<FloatValue<'c>> {
    let make = |function: FunctionValue<'c>| build_from_wide(e, from, to, function);
    let params = [e.int(128).into()];
    let function = function(e, &format!("from.{from}.{to}"), || e.float(to).fn_type(&params, false), make)?;
    Ok(call(e, function, &[x.into()])?.into_float_value())
}

/// The function of that name, built at its first use.
fn function<'c>(
    e: &Emit<'c>,
    name: &str,
    ty: impl FnOnce() -> inkwell::types::FunctionType<'c>,
    build: impl FnOnce(FunctionValue<'c>) -> Result<()>,
) -> Result<FunctionValue<'c>> {
    if let Some(function) = e.module.get_function(name) {
        return Ok(function);
    }
    let here = e.block()?;
    let function = e.module.add_function(name, ty(), Some(Linkage::Internal));
    for attribute in ["nounwind", "willreturn", "nosync", "nofree", "norecurse"] {
        e.attribute(function, attribute, 0);
    }
    // memory(none)
    e.attribute(function, "memory", 0);
    e.at(e.context.append_basic_block(function, ""));
    build(function)?;
    e.at(here);
    Ok(function)
}

fn call<'c>(
    e: &Emit<'c>,
    function: FunctionValue<'c>,
    args: &[inkwell::values::BasicMetadataValueEnum<'c>],
) -> Result<BasicValueEnum<'c>> {
    let value = e.builder.build_call(function, args, "")?.try_as_basic_value().basic();
    value.ok_or_else(|| Error::internal("a function of the module gives no value"))
}

fn param<'c>(function: FunctionValue<'c>, number: u32) -> Result<BasicValueEnum<'c>> {
    function.get_nth_param(number).ok_or_else(|| Error::internal("a function of the module lacks a parameter"))
}

fn int<'c>(phi: &PhiValue<'c>) -> IntValue<'c> {
    phi.as_basic_value().into_int_value()
}

/// Of `m * 2^e` and `n * 2^f` with `e >= f` it is `(m * 2^(e - f) mod n) * 2^f`; the power is multiplied in as many steps as
/// 64 bits need.
fn build_rem<'c>(e: &Emit<'c>, ty: Scalar, function: FunctionValue<'c>) -> Result<()> {
    let b = &e.builder;
    let (x, y) = (param(function, 0)?.into_float_value(), param(function, 1)?.into_float_value());
    let digits: u64 = if ty == Scalar::F32 { 23 } else { 52 };
    let bits = |value: FloatValue<'c>| -> Result<IntValue<'c>> {
        e.zext(b.build_bit_cast(value, e.int(ty.bits()), "")?.into_int_value(), 64)
    };
    let sign_bit = e.word(1 << (ty.bits() - 1));
    let infinity = e.word(if ty == Scalar::F32 { f32::INFINITY.to_bits().into() } else { f64::INFINITY.to_bits() });
    let magnitude = b.build_not(sign_bit, "")?;
    let x_bits = bits(x)?;
    let sign = b.build_and(x_bits, sign_bit, "")?;
    let (x_bits, y_bits) = (b.build_and(x_bits, magnitude, "")?, b.build_and(bits(y)?, magnitude, "")?);
    let (infinite, zero) = (e.compare(IntPredicate::UGE, x_bits, infinity)?, e.word(0));
    let no_number = b.build_or(
        b.build_or(infinite, e.compare(IntPredicate::UGT, y_bits, infinity)?, "")?,
        e.compare(IntPredicate::EQ, y_bits, zero)?,
        "",
    )?;
    let below = e.compare(IntPredicate::ULT, x_bits, y_bits)?;
    let (special, work, top, step, done) =
        (e.new_block()?, e.new_block()?, e.new_block()?, e.new_block()?, e.new_block()?);
    e.branch_if(b.build_or(no_number, below, "")?, special, work)?;
    e.at(special);
    let nan = x.get_type().const_float(f64::NAN);
    b.build_return(Some(&e.select(no_number, nan, x)?))?;

    e.at(work);
    let parts = |value: IntValue<'c>| -> Result<(IntValue<'c>, IntValue<'c>)> {
        let exponent = b.build_right_shift(value, e.word(digits), false, "")?;
        let mantissa = b.build_and(value, e.word((1 << digits) - 1), "")?;
        let subnormal = e.compare(IntPredicate::EQ, exponent, zero)?;
        let hidden = e.select_int(subnormal, zero, e.word(1 << digits))?;
        Ok((e.int_intrinsic("llvm.umax", &[exponent, e.word(1)])?, b.build_or(mantissa, hidden, "")?))
    };
    let ((x_exponent, x_mantissa), (y_exponent, divisor)) = (parts(x_bits)?, parts(y_bits)?);
    // |x| >= |y|, so this isn't negative.
    let distance = b.build_int_sub(x_exponent, y_exponent, "")?;
    let first = b.build_int_unsigned_rem(x_mantissa, divisor, "")?;
    e.branch(top)?;
    e.at(top);
    let (left, so_far) = (b.build_phi(e.i64(), "")?, b.build_phi(e.i64(), "")?);
    let finished = e.compare(IntPredicate::EQ, int(&left), zero)?;
    e.branch_if(finished, done, step)?;
    e.at(step);
    let amount = e.int_intrinsic("llvm.umin", &[int(&left), e.word(63 - digits)])?;
    let next = b.build_int_unsigned_rem(b.build_left_shift(int(&so_far), amount, "")?, divisor, "")?;
    let rest = b.build_int_sub(int(&left), amount, "")?;
    e.branch(top)?;
    left.add_incoming(&[(&distance, work), (&rest, step)]);
    so_far.add_incoming(&[(&first, work), (&next, step)]);

    e.at(done);
    let mantissa = int(&so_far);
    let zeros = e.intrinsic("llvm.ctlz", &[e.i64().into()], &[mantissa.into(), e.bool(false).into()])?;
    let to_top = b.build_int_sub(zeros.into_int_value(), e.word(63 - digits), "")?;
    let exponent = b.build_int_sub(y_exponent, e.word(1), "")?;
    let shift = e.int_intrinsic("llvm.umin", &[to_top, exponent])?;
    let placed = b.build_left_shift(mantissa, shift, "")?;
    // A hidden bit counts the exponent up by one.
    let exponent = b.build_left_shift(b.build_int_sub(exponent, shift, "")?, e.word(digits), "")?;
    let value = b.build_int_add(exponent, placed, "")?;
    let is_zero = e.compare(IntPredicate::EQ, mantissa, zero)?;
    let value = b.build_or(e.select_int(is_zero, zero, value)?, sign, "")?;
    let value = b.build_bit_cast(e.resize(value, ty.bits())?, e.float(ty), "")?;
    b.build_return(Some(&value))?;
    Ok(())
}

fn build_powi<'c>(e: &Emit<'c>, function: FunctionValue<'c>) -> Result<()> {
    let b = &e.builder;
    let (x, n) = (param(function, 0)?.into_float_value(), param(function, 1)?.into_int_value());
    let (float, small) = (x.get_type(), e.int(32));
    let negative = e.compare(IntPredicate::SLT, n, small.const_zero())?;
    let exponent = e.intrinsic("llvm.abs", &[small.into()], &[n.into(), e.bool(false).into()])?.into_int_value();
    let (entry, top, square, done) = (e.block()?, e.new_block()?, e.new_block()?, e.new_block()?);
    e.branch(top)?;
    e.at(top);
    let (left, power, product) = (b.build_phi(small, "")?, b.build_phi(float, "")?, b.build_phi(float, "")?);
    let value = |phi: &PhiValue<'c>| phi.as_basic_value().into_float_value();
    let odd = b.build_int_truncate(int(&left), e.int(1), "")?;
    let multiplied = b.build_float_mul(value(&product), value(&power), "")?;
    let result = e.select(odd, multiplied, value(&product))?.into_float_value();
    let rest = b.build_right_shift(int(&left), small.const_int(1, false), false, "")?;
    let last = e.compare(IntPredicate::EQ, rest, small.const_zero())?;
    e.branch_if(last, done, square)?;
    e.at(square);
    let squared = b.build_float_mul(value(&power), value(&power), "")?;
    e.branch(top)?;
    left.add_incoming(&[(&exponent, entry), (&rest, square)]);
    power.add_incoming(&[(&x, entry), (&squared, square)]);
    product.add_incoming(&[(&float.const_float(1.0), entry), (&result, square)]);
    e.at(done);
    let inverse = b.build_float_div(float.const_float(1.0), result, "")?;
    b.build_return(Some(&e.select(negative, inverse, result)?))?;
    Ok(())
}

fn build_to_wide<'c>(e: &Emit<'c>, ty: Scalar, function: FunctionValue<'c>) -> Result<()> {
    let b = &e.builder;
    let x = param(function, 0)?;
    let bits = b.build_bit_cast(x, e.i64(), "")?.into_int_value();
    let wide = e.int(128);
    let number = |value: u128| e.number(wide, value);
    let exponent = b.build_and(b.build_right_shift(bits, e.word(52), false, "")?, e.word(0x7ff), "")?;
    let mantissa = b.build_or(b.build_and(bits, e.word((1 << 52) - 1), "")?, e.word(1 << 52), "")?;
    let mantissa = e.zext(mantissa, 128)?;
    // The mantissa's last digit is worth 2 to this.
    let unit = e.word(1023 + 52);
    let amount = |a, b_: IntValue<'c>| -> Result<IntValue<'c>> {
        let more = e.int_intrinsic("llvm.usub.sat", &[a, b_])?;
        e.zext(e.int_intrinsic("llvm.umin", &[more, e.word(127)])?, 128)
    };
    // One of the two amounts is 0. Beyond the width the number saturates, or is less than 1.
    let shifted = b.build_left_shift(mantissa, amount(exponent, unit)?, "")?;
    let magnitude = b.build_right_shift(shifted, amount(unit, exponent)?, false, "")?;
    let negative = e.compare(IntPredicate::SLT, bits, e.word(0))?;
    let digits = if ty.is_signed() { 127 } else { 128 };
    let large = e.compare(IntPredicate::UGE, exponent, e.word(1023 + digits))?;
    let (least, most) = if ty.is_signed() { (1 << 127, !(1 << 127)) } else { (0, !0) };
    let limit = e.select_int(negative, number(least), number(most))?;
    let below = if ty.is_signed() { b.build_int_neg(magnitude, "")? } else { number(0) };
    let value = e.select_int(large, limit, e.select_int(negative, below, magnitude)?)?;
    let x = x.into_float_value();
    let nan = b.build_float_compare(FloatPredicate::UNO, x, x, "")?;
    b.build_return(Some(&e.select_int(nan, number(0), value)?))?;
    Ok(())
}

fn build_from_wide<'c>(e: &Emit<'c>, from: Scalar, to: Scalar, function: FunctionValue<'c>) -> Result<()> {
    let b = &e.builder;
    let x = param(function, 0)?.into_int_value();
    let wide = x.get_type();
    let number = |value: u128| e.number(wide, value);
    let (digits, bias): (u32, u64) = if to == Scalar::F32 { (23, 127) } else { (52, 1023) };
    let magnitude = if from.is_signed() {
        e.intrinsic("llvm.abs", &[wide.into()], &[x.into(), e.bool(false).into()])?.into_int_value()
    } else {
        x
    };
    let zeros = e.intrinsic("llvm.ctlz", &[wide.into()], &[magnitude.into(), e.bool(false).into()])?.into_int_value();
    let zero = e.compare(IntPredicate::EQ, magnitude, number(0))?;
    // The first digit in front. Of 0 nothing matters.
    let placed = b.build_left_shift(magnitude, e.select_int(zero, number(0), zeros)?, "")?;
    let dropped = 127 - digits;
    let kept = e.resize(b.build_right_shift(placed, number(dropped.into()), false, "")?, 64)?;
    let rest = b.build_and(placed, number((1 << dropped) - 1), "")?;
    let half = number(1 << (dropped - 1));
    let above = e.compare(IntPredicate::UGT, rest, half)?;
    let tie = e.compare(IntPredicate::EQ, rest, half)?;
    let odd = b.build_int_truncate(kept, e.int(1), "")?;
    let up = e.zext(b.build_or(above, b.build_and(tie, odd, "")?, "")?, 64)?;
    // The first digit, which isn't stored, counts the exponent up by one, and so does a carry out of the last one.
    let exponent = b.build_int_sub(e.word(bias + 127 - 1), e.resize(zeros, 64)?, "")?;
    let exponent = b.build_left_shift(exponent, e.word(digits.into()), "")?;
    let value = b.build_int_add(b.build_int_add(exponent, kept, "")?, up, "")?;
    let value = e.select_int(zero, e.word(0), value)?;
    let value = b.build_bit_cast(e.resize(value, to.bits())?, e.float(to), "")?.into_float_value();
    let signed = if from.is_signed() {
        let negative = e.compare(IntPredicate::SLT, x, number(0))?;
        e.select(negative, b.build_float_neg(value, "")?, value)?.into_float_value()
    } else {
        value
    };
    b.build_return(Some(&signed))?;
    Ok(())
}

/// Two binary digits of the number give one of the root.
fn build_isqrt<'c>(e: &Emit<'c>, function: FunctionValue<'c>) -> Result<()> {
    let b = &e.builder;
    let x = param(function, 0)?.into_int_value();
    let ty = x.get_type();
    let number = |value: u128| e.number(ty, value);
    let (entry, top, done) = (e.block()?, e.new_block()?, e.new_block()?);
    e.branch(top)?;
    e.at(top);
    let (left, root, digit) = (b.build_phi(ty, "")?, b.build_phi(ty, "")?, b.build_phi(ty, "")?);
    let tried = b.build_int_add(int(&root), int(&digit), "")?;
    let fits = e.compare(IntPredicate::UGE, int(&left), tried)?;
    let rest = e.select_int(fits, b.build_int_sub(int(&left), tried, "")?, int(&left))?;
    let half = b.build_right_shift(int(&root), number(1), false, "")?;
    let next = e.select_int(fits, b.build_int_add(half, int(&digit), "")?, half)?;
    let smaller = b.build_right_shift(int(&digit), number(2), false, "")?;
    let last = e.compare(IntPredicate::EQ, smaller, number(0))?;
    e.branch_if(last, done, top)?;
    left.add_incoming(&[(&x, entry), (&rest, top)]);
    root.add_incoming(&[(&number(0), entry), (&next, top)]);
    digit.add_incoming(&[(&number(1 << 126), entry), (&smaller, top)]);
    e.at(done);
    b.build_return(Some(&next))?;
    Ok(())
}
