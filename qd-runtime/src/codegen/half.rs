//! `f16` and `bf16`: bits in registers and in memory, computed with in `f32`.
//!
//! An operation is that of `f32` on the widened operands, its result rounded to nearest even; what only moves or looks at
//! bits does so. Crate `half` says the same. Conversions are instructions where the target has them, else integer
//! arithmetic: LLVM would call functions of compiler-rt, which objects may not. LLVM's `bfloat` is not used at all: the
//! instruction that rounds to it takes subnormal numbers for zeros.
//!
//! LLVM may compute `half` in `half` where it sees only `+ - * /` between conversions. The result has the same bits, since
//! `f32` has more than twice the digits and two.
use half::{bf16, f16};
use inkwell::types::{FloatMathType, FloatType, IntMathType, IntType, VectorType};
use inkwell::values::{BasicValueEnum, FloatMathValue, FloatValue, IntMathValue, IntValue, VectorValue};
use inkwell::{FloatPredicate, IntPredicate};
use qd_ir::op::Op;
use qd_ir::types::Scalar;

use super::emit::Emit;
use super::hooks::Hooks;
use super::op::{self, Operation};
use crate::error::{Error, Result};

/// Registers of one shape: what is written for numbers is written for vectors too.
pub(super) trait Shape<'c>: Copy {
    type Int: IntMathValue<'c, BaseType = Self::IntTy> + Copy;
    type IntTy: IntMathType<'c, ValueType = Self::Int>;
    type Float: FloatMathValue<'c, BaseType = Self::FloatTy> + Copy;
    type FloatTy: FloatMathType<'c, ValueType = Self::Float, MathConvType = Self::IntTy>;

    fn ints(self, ty: IntType<'c>) -> Self::IntTy;
    fn floats(self, ty: FloatType<'c>) -> Self::FloatTy;
    /// The number in all lanes.
    fn number(self, value: IntValue<'c>) -> Self::Int;
    fn int(value: BasicValueEnum<'c>) -> Self::Int;
    fn float(value: BasicValueEnum<'c>) -> Self::Float;
}

/// One number.
#[derive(Clone, Copy)]
pub(super) struct One;

impl<'c> Shape<'c> for One {
    type Int = IntValue<'c>;
    type IntTy = IntType<'c>;
    type Float = FloatValue<'c>;
    type FloatTy = FloatType<'c>;

    fn ints(self, ty: IntType<'c>) -> IntType<'c> {
        ty
    }
    fn floats(self, ty: FloatType<'c>) -> FloatType<'c> {
        ty
    }
    fn number(self, value: IntValue<'c>) -> IntValue<'c> {
        value
    }
    fn int(value: BasicValueEnum<'c>) -> IntValue<'c> {
        value.into_int_value()
    }
    fn float(value: BasicValueEnum<'c>) -> FloatValue<'c> {
        value.into_float_value()
    }
}

/// A vector of that many.
#[derive(Clone, Copy)]
pub(super) struct Lanes(pub(super) u32);

impl<'c> Shape<'c> for Lanes {
    type Int = VectorValue<'c>;
    type IntTy = VectorType<'c>;
    type Float = VectorValue<'c>;
    type FloatTy = VectorType<'c>;

    fn ints(self, ty: IntType<'c>) -> VectorType<'c> {
        ty.vec_type(self.0)
    }
    fn floats(self, ty: FloatType<'c>) -> VectorType<'c> {
        ty.vec_type(self.0)
    }
    fn number(self, value: IntValue<'c>) -> VectorValue<'c> {
        VectorType::const_vector(&vec![value; self.0 as usize])
    }
    fn int(value: BasicValueEnum<'c>) -> VectorValue<'c> {
        value.into_vector_value()
    }
    fn float(value: BasicValueEnum<'c>) -> VectorValue<'c> {
        value.into_vector_value()
    }
}

/// What is needed to convert.
#[derive(Clone, Copy)]
pub(super) struct Half<'a, 'c, S> {
    pub(super) emit: &'a Emit<'c>,
    pub(super) hooks: &'a dyn Hooks,
    /// `f16` or `bf16`.
    pub(super) ty: Scalar,
    pub(super) shape: S,
}

impl<'c, S: Shape<'c>> Half<'_, 'c, S> {
    fn number(self, bits: u32, value: u64) -> S::Int {
        self.shape.number(self.emit.int(bits).const_int(value, false))
    }

    fn to_bits(self, value: S::Float, bits: u32) -> Result<S::Int> {
        Ok(S::int(self.emit.builder.build_bit_cast(value, self.shape.ints(self.emit.int(bits)), "")?))
    }

    fn single(self, bits: S::Int) -> Result<S::Float> {
        Ok(S::float(self.emit.builder.build_bit_cast(bits, self.shape.floats(self.emit.context.f32_type()), "")?))
    }

    fn select(self, condition: S::Int, then: S::Int, otherwise: S::Int) -> Result<S::Int> {
        Ok(S::int(self.emit.builder.build_select(condition, then, otherwise, "")?))
    }

    /// To `f32` as crate `half` does it: a NaN becomes a quiet one, which `pow` tells from others.
    fn widen_quiet(self, bits: S::Int) -> Result<S::Float> {
        let b = &self.emit.builder;
        let value = self.widen(bits)?;
        if self.ty == Scalar::F16 && self.hooks.converts_half() {
            // The instruction has done it.
            return Ok(value);
        }
        let bits = self.to_bits(value, 32)?;
        let quiet = b.build_or(bits, self.number(32, 0x40_0000), "")?;
        let nan = b.build_float_compare(FloatPredicate::UNO, value, value, "")?;
        self.single(self.select(nan, quiet, bits)?)
    }

    /// To `f32`, exactly. A NaN may stay one that signals, which arithmetic and comparisons take as any.
    pub(super) fn widen(self, bits: S::Int) -> Result<S::Float> {
        let (e, b) = (self.emit, &self.emit.builder);
        let single = self.shape.floats(e.context.f32_type());
        if self.ty == Scalar::F16 && self.hooks.converts_half() {
            let half = b.build_bit_cast(bits, self.shape.floats(e.context.f16_type()), "")?;
            return Ok(b.build_float_ext(S::float(half), single, "")?);
        }
        let wide = b.build_int_z_extend(bits, self.shape.ints(e.int(32)), "")?;
        let shifted = b.build_left_shift(wide, self.number(32, 16), "")?;
        if self.ty == Scalar::Bf16 {
            // The upper half of an `f32`.
            return self.single(shifted);
        }
        // The exponent, where `f32` has its own, is too small by a constant: a product puts that right, of subnormal numbers
        // too. For infinity and NaN all bits of the exponent are set.
        let sign = b.build_and(shifted, self.number(32, 0x8000_0000), "")?;
        let magnitude = b.build_and(wide, self.number(32, 0x7fff), "")?;
        let placed = b.build_left_shift(magnitude, self.number(32, 13), "")?;
        let scale = self.single(self.number(32, u64::from(2f32.powi(112).to_bits())))?;
        let scaled = b.build_float_mul(self.single(placed)?, scale, "")?;
        let scaled = self.to_bits(scaled, 32)?;
        let infinity = self.number(32, u64::from(f32::INFINITY.to_bits()));
        let special = b.build_int_compare(IntPredicate::UGE, magnitude, self.number(32, 0x7c00), "")?;
        let magnitude = self.select(special, b.build_or(scaled, infinity, "")?, scaled)?;
        self.single(b.build_or(magnitude, sign, "")?)
    }

    /// From `f32`, to nearest even.
    pub(super) fn narrow(self, value: S::Float) -> Result<S::Int> {
        let (e, b) = (self.emit, &self.emit.builder);
        if self.ty == Scalar::F16 && self.hooks.converts_half() {
            let half = b.build_float_trunc(value, self.shape.floats(e.context.f16_type()), "")?;
            return self.to_bits(half, 16);
        }
        let short = self.shape.ints(e.int(16));
        let bits = self.to_bits(value, 32)?;
        let nan = b.build_float_compare(FloatPredicate::UNO, value, value, "")?;
        // The last bit that stays, and just less than half of it, carry into it where it is to be rounded up.
        let round = |bits: S::Int, dropped: u64| -> Result<S::Int> {
            let amount = self.number(32, dropped);
            let last = b.build_and(b.build_right_shift(bits, amount, false, "")?, self.number(32, 1), "")?;
            let below_half = b.build_int_add(bits, self.number(32, (1 << (dropped - 1)) - 1), "")?;
            Ok(b.build_right_shift(b.build_int_add(below_half, last, "")?, amount, false, "")?)
        };
        if self.ty == Scalar::Bf16 {
            let quiet =
                b.build_or(b.build_right_shift(bits, self.number(32, 16), false, "")?, self.number(32, 0x40), "")?;
            return Ok(b.build_int_truncate(self.select(nan, quiet, round(bits, 16)?)?, short, "")?);
        }
        let magnitude = b.build_and(bits, self.number(32, 0x7fff_ffff), "")?;
        // Normal: the exponent's bias changes, and a carry out of the digits counts it up, at last to infinity.
        let bias = self.number(32, (127 - 15) << 23);
        let normal = round(b.build_int_sub(magnitude, bias, "")?, 13)?;
        // Subnormal: a sum with a number whose last bit is worth as much as that of the result rounds in hardware.
        let magic = self.number(32, u64::from(0.5f32.to_bits()));
        let sum = b.build_float_add(self.single(magnitude)?, self.single(magic)?, "")?;
        let subnormal = b.build_int_sub(self.to_bits(sum, 32)?, magic, "")?;
        let least_normal = self.number(32, u64::from(2f32.powi(-14).to_bits()));
        let is_subnormal = b.build_int_compare(IntPredicate::ULT, magnitude, least_normal, "")?;
        let finite = self.select(is_subnormal, subnormal, normal)?;
        let special = self.select(nan, self.number(32, 0x7e00), self.number(32, 0x7c00))?;
        let most = self.number(32, u64::from(2f32.powi(16).to_bits()));
        let is_special = b.build_int_compare(IntPredicate::UGE, magnitude, most, "")?;
        let result = self.select(is_special, special, finite)?;
        let sign = b.build_right_shift(bits, self.number(32, 16), false, "")?;
        let sign = b.build_and(sign, self.number(32, 0x8000), "")?;
        Ok(b.build_int_truncate(b.build_or(result, sign, "")?, short, "")?)
    }

    /// `min` or `max` as `half` has them: the second if the first is NaN or the second lies further out.
    pub(super) fn extreme(self, max: bool, first: S::Int, second: S::Int) -> Result<S::Int> {
        let b = &self.emit.builder;
        let (x, y) = (self.widen(first)?, self.widen(second)?);
        let nan = b.build_float_compare(FloatPredicate::UNO, x, x, "")?;
        let further = b.build_float_compare(if max { FloatPredicate::OGT } else { FloatPredicate::OLT }, y, x, "")?;
        self.select(b.build_or(nan, further, "")?, second, first)
    }
}

impl<'c> Half<'_, 'c, One> {
    /// From `f64`, rounded once: the neighbour in `f32` that is odd where it isn't exact is rounded as the number itself.
    fn narrow_double(self, value: FloatValue<'c>) -> Result<IntValue<'c>> {
        let (e, b) = (self.emit, &self.emit.builder);
        let nearest = b.build_float_trunc(value, e.context.f32_type(), "")?;
        let back = b.build_float_ext(nearest, e.context.f64_type(), "")?;
        // NaN stays.
        let exact = b.build_float_compare(FloatPredicate::UEQ, back, value, "")?;
        let magnitude = |x| e.float_intrinsic("llvm.fabs", &[x]);
        let over = b.build_float_compare(FloatPredicate::OGT, magnitude(back)?, magnitude(value)?, "")?;
        let bits = self.to_bits(nearest, 32)?;
        let toward_zero = b.build_int_sub(bits, e.zext(over, 32)?, "")?;
        let odd = b.build_or(toward_zero, self.number(32, 1), "")?;
        self.narrow(self.single(self.select(exact, bits, odd)?)?)
    }

    /// Whether the bits without the sign lie in `least..most`.
    fn magnitude_in(self, bits: IntValue<'c>, least: u64, most: u64) -> Result<IntValue<'c>> {
        let (e, b) = (self.emit, &self.emit.builder);
        let magnitude = b.build_and(bits, self.number(16, 0x7fff), "")?;
        let above = b.build_int_sub(magnitude, self.number(16, least), "")?;
        e.compare(IntPredicate::ULT, above, self.number(16, most - least))
    }
}

/// The value of an operation that takes or gives a 16-bit float, and doesn't fail.
pub(super) fn value<'c>(o: &Operation<'_, 'c>) -> Result<BasicValueEnum<'c>> {
    let (e, b) = (o.emit, &o.emit.builder);
    let half = Half { emit: e, hooks: o.hooks, ty: if o.ty.is_half() { o.ty } else { o.output }, shape: One };
    let bits = |index: usize| o.args[index].into_int_value();
    let (sign, rest) = (half.number(16, 0x8000), half.number(16, 0x7fff));
    let [least_normal, one, infinity] = if half.ty == Scalar::F16 {
        [f16::MIN_POSITIVE, f16::ONE, f16::INFINITY].map(f16::to_bits)
    } else {
        [bf16::MIN_POSITIVE, bf16::ONE, bf16::INFINITY].map(bf16::to_bits)
    }
    .map(u64::from);
    Ok(match o.op {
        Op::Cast => cast(o, half)?,
        Op::FromF64 => o.hooks.math(e, o.op, o.output, o.args)?,
        Op::ToBits | Op::FromBits => o.args[0],
        Op::Neg => b.build_xor(bits(0), sign, "")?.into(),
        Op::Abs => b.build_and(bits(0), rest, "")?.into(),
        Op::Copysign => {
            let (magnitude, sign) = (b.build_and(bits(0), rest, "")?, b.build_and(bits(1), sign, "")?);
            b.build_or(magnitude, sign, "")?.into()
        }
        Op::Signum => {
            let signed = b.build_or(b.build_and(bits(0), sign, "")?, half.number(16, one), "")?;
            let number = half.magnitude_in(bits(0), 0, infinity + 1)?;
            e.select(number, signed, bits(0))?
        }
        Op::Min | Op::Max => half.extreme(o.op == Op::Max, bits(0), bits(1))?.into(),
        Op::Clamp => {
            let [x, lo, hi] = [0, 1, 2].map(bits);
            let less = |x, y| -> Result<IntValue<'c>> {
                let (x, y) = (half.widen(x)?, half.widen(y)?);
                Ok(b.build_float_compare(FloatPredicate::OLT, x, y, "")?)
            };
            let raised = e.select_int(less(x, lo)?, lo, x)?;
            e.select(less(hi, raised)?, hi, raised)?
        }
        Op::IsNan => b.build_not(half.magnitude_in(bits(0), 0, infinity + 1)?, "")?.into(),
        Op::IsFinite => half.magnitude_in(bits(0), 0, infinity)?.into(),
        Op::IsInfinite => half.magnitude_in(bits(0), infinity, infinity + 1)?.into(),
        Op::IsNormal => half.magnitude_in(bits(0), least_normal, infinity)?.into(),
        Op::IsSubnormal => half.magnitude_in(bits(0), 1, least_normal)?.into(),
        Op::IsSignNegative => e.compare(IntPredicate::SLT, bits(0), half.number(16, 0))?.into(),
        Op::IsSignPositive => e.compare(IntPredicate::SGE, bits(0), half.number(16, 0))?.into(),
        // Every other one is defined as that of `f32`.
        op if o.ty.is_half() && op.row().receiver.accepts(Scalar::F32) => {
            let arithmetic = matches!(
                op,
                Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Sqrt
            );
            let mut args = Vec::with_capacity(o.args.len());
            for (index, &arg) in o.args.iter().enumerate() {
                args.push(match op.operand(o.ty, index) {
                    Some(ty) if ty == o.ty && arithmetic => half.widen(arg.into_int_value())?.into(),
                    Some(ty) if ty == o.ty => half.widen_quiet(arg.into_int_value())?.into(),
                    Some(_) | None => arg,
                });
            }
            let output = if o.output == o.ty { Scalar::F32 } else { o.output };
            let result = op::value(&Operation { ty: Scalar::F32, output, args: &args, ..*o })?;
            if o.output == o.ty { half.narrow(result.into_float_value())?.into() } else { result }
        }
        op => return Err(Error::internal(format_args!("`{op}` of {} gives {}", o.ty, o.output))),
    })
}

/// `f16::from_f64` or `bf16::from_f64`, rounded once to nearest.
pub(crate) fn from_double<'c>(
    emit: &Emit<'c>,
    hooks: &dyn Hooks,
    ty: Scalar,
    value: FloatValue<'c>,
) -> Result<IntValue<'c>> {
    Half { emit, hooks, ty, shape: One }.narrow_double(value)
}

/// Operand `index` in `f32`.
pub(super) fn widened<'c>(o: &Operation<'_, 'c>, index: usize) -> Result<FloatValue<'c>> {
    Half { emit: o.emit, hooks: o.hooks, ty: o.ty, shape: One }.widen(o.args[index].into_int_value())
}

fn cast<'c>(o: &Operation<'_, 'c>, half: Half<'_, 'c, One>) -> Result<BasicValueEnum<'c>> {
    if o.ty == o.output {
        return Ok(o.args[0]);
    }
    let (from, arg) = match o.ty {
        Scalar::F64 => return Ok(half.narrow_double(o.args[0].into_float_value())?.into()),
        from if from.is_half() => (Scalar::F32, half.widen_quiet(o.args[0].into_int_value())?.into()),
        from => (from, o.args[0]),
    };
    let to = if o.output.is_half() { Scalar::F32 } else { o.output };
    let value = op::value(&Operation { ty: from, output: to, args: &[arg], ..*o })?;
    if !o.output.is_half() {
        return Ok(value);
    }
    Ok(Half { ty: o.output, ..half }.narrow(value.into_float_value())?.into())
}
