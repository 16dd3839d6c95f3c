//! Powers of integers: squaring and multiplying, wrapped or with a word on overflow.
//!
//! Products modulo 2^width don't depend on the order of the factors, so the wrapped power is that of Rust however it
//! is computed. Each factor of a power that fits, fits too, and no square is taken that isn't needed: so the power
//! overflows exactly if one of the products does.
use inkwell::IntPredicate;
use inkwell::module::Linkage;
use inkwell::values::{BasicValueEnum, FunctionValue, IntValue, PhiValue};
use qd_ir::types::Scalar;

use super::emit::{Emit, LoopHint};
use crate::error::{Error, Result};

/// Up to this exponent, if it is a constant, the products are written out.
const UNROLLED_EXPONENT: u64 = 64;

/// `base` to the `exponent`, a `u32`, wrapped.
pub(super) fn wrapping<'c>(e: &Emit<'c>, base: IntValue<'c>, exponent: IntValue<'c>) -> Result<IntValue<'c>> {
    if let Some(exponent) = exponent.get_zero_extended_constant().filter(|&n| n <= UNROLLED_EXPONENT) {
        let (mut result, mut square, mut rest) = (None, base, exponent);
        while rest > 0 {
            if rest & 1 == 1 {
                result = Some(match result {
                    None => square,
                    Some(so_far) => e.builder.build_int_mul(so_far, square, "")?,
                });
            }
            rest >>= 1;
            if rest > 0 {
                square = e.builder.build_int_mul(square, square, "")?;
            }
        }
        return Ok(result.unwrap_or_else(|| base.get_type().const_int(1, false)));
    }
    Ok(call(e, Products::Wrap, base, exponent)?.into_int_value())
}

/// `base` to the `exponent`, a `u32`, wrapped, and whether it overflows `ty`.
pub(super) fn checked<'c>(
    e: &Emit<'c>,
    ty: Scalar,
    base: IntValue<'c>,
    exponent: IntValue<'c>,
) -> Result<(IntValue<'c>, IntValue<'c>)> {
    let products = if ty.is_signed() { Products::Signed } else { Products::Unsigned };
    let pair = call(e, products, base, exponent)?.into_struct_value();
    let part = |index| Ok::<_, Error>(e.builder.build_extract_value(pair, index, "")?.into_int_value());
    Ok((part(0)?, part(1)?))
}

/// What is said of the products.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Products {
    /// Nothing.
    Wrap,
    /// Whether one overflows as a signed number.
    Signed,
    /// Whether one overflows as an unsigned number.
    Unsigned,
}

impl Products {
    /// The product, and whether it overflows.
    fn product<'c>(self, e: &Emit<'c>, a: IntValue<'c>, b: IntValue<'c>) -> Result<(IntValue<'c>, IntValue<'c>)> {
        match self {
            Products::Wrap => Ok((e.builder.build_int_mul(a, b, "")?, e.bool(false))),
            Products::Signed => e.with_overflow("llvm.smul.with.overflow", a, b),
            Products::Unsigned => e.with_overflow("llvm.umul.with.overflow", a, b),
        }
    }
}

fn call<'c>(
    e: &Emit<'c>,
    products: Products,
    base: IntValue<'c>,
    exponent: IntValue<'c>,
) -> Result<BasicValueEnum<'c>> {
    let function = function(e, products, base)?;
    e.call(function, &[base.into(), exponent.into()])
}

/// A function of this module that squares and multiplies numbers of the type of `base`.
fn function<'c>(e: &Emit<'c>, products: Products, base: IntValue<'c>) -> Result<FunctionValue<'c>> {
    let (ty, exponent_ty, flag_ty) = (base.get_type(), e.int(32), e.int(1));
    let kind = match products {
        Products::Wrap => "wrapping",
        Products::Signed => "signed",
        Products::Unsigned => "unsigned",
    };
    let name = format!("pow.{kind}.{}", ty.get_bit_width());
    if let Some(function) = e.module.get_function(&name) {
        return Ok(function);
    }
    let here = e.block()?;
    let params = [ty.into(), exponent_ty.into()];
    let signature = match products {
        Products::Wrap => ty.fn_type(&params, false),
        Products::Signed | Products::Unsigned => {
            e.context.struct_type(&[ty.into(), flag_ty.into()], false).fn_type(&params, false)
        }
    };
    let function = e.module.add_function(&name, signature, Some(Linkage::Internal));
    for attribute in ["nounwind", "willreturn", "nosync", "nofree", "norecurse"] {
        e.attribute(function, attribute, 0);
    }
    // memory(none)
    e.attribute(function, "memory", 0);
    let block = || e.context.append_basic_block(function, "");
    let (entry, head, square, end) = (block(), block(), block(), block());
    let param = |index: u32| {
        function
            .get_nth_param(index)
            .map(BasicValueEnum::into_int_value)
            .ok_or_else(|| Error::internal("the power function lacks a parameter"))
    };
    let (base, exponent) = (param(0)?, param(1)?);
    let int = |phi: PhiValue<'c>| phi.as_basic_value().into_int_value();

    e.at(entry);
    let none = e.compare(IntPredicate::EQ, exponent, exponent_ty.const_zero())?;
    e.branch_if(none, end, head)?;
    // The result so far, the square and the exponent that are left, whether a product has overflowed.
    e.at(head);
    let phi = |ty| e.builder.build_phi(ty, "");
    let (result, power, rest, over) = (phi(ty)?, phi(ty)?, phi(exponent_ty)?, phi(flag_ty)?);
    let odd = e.builder.build_int_truncate(int(rest), flag_ty, "")?;
    let (product, overflows) = products.product(e, int(result), int(power))?;
    let next = e.select_int(odd, product, int(result))?;
    let overflows = e.builder.build_and(odd, overflows, "")?;
    let so_far = e.builder.build_or(int(over), overflows, "")?;
    let left = e.builder.build_right_shift(int(rest), exponent_ty.const_int(1, false), false, "")?;
    let last = e.compare(IntPredicate::EQ, left, exponent_ty.const_zero())?;
    e.branch_if(last, end, square)?;
    e.at(square);
    let (squared, overflows) = products.product(e, int(power), int(power))?;
    let still = e.builder.build_or(so_far, overflows, "")?;
    let back = e.branch(head)?;
    // Of an exponent that turns out to be a constant LLVM would write out all squares. Behind thirty of them its analysis of
    // loops, which takes the power for a product of so many factors, finds no end.
    e.loop_hints(back, &[LoopHint::NoUnroll]);
    let one = ty.const_int(1, false);
    result.add_incoming(&[(&one, entry), (&next, square)]);
    power.add_incoming(&[(&base, entry), (&squared, square)]);
    rest.add_incoming(&[(&exponent, entry), (&left, square)]);
    over.add_incoming(&[(&e.bool(false), entry), (&still, square)]);

    e.at(end);
    let (value, flag) = (phi(ty)?, phi(flag_ty)?);
    value.add_incoming(&[(&one, entry), (&next, head)]);
    flag.add_incoming(&[(&e.bool(false), entry), (&so_far, head)]);
    match products {
        Products::Wrap => e.builder.build_return(Some(&int(value)))?,
        Products::Signed | Products::Unsigned => {
            e.builder.build_aggregate_return(&[int(value).into(), int(flag).into()])?
        }
    };
    e.at(here);
    Ok(function)
}
