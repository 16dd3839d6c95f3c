//! The operation table: every scalar operation, one row each, with its arity, type rule and effect.
//!
//! Names are those of the Rust operators and std methods, and so are the meanings: integer arithmetic wraps, shifts
//! are masked, `min`/`max` of floats ignore a NaN, rounding is to nearest even unless the name says otherwise. Matches
//! over [`Op`] list every row; a new row breaks the build wherever it matters. Rows are appended, never moved: the
//! position is the code in the canonical encoding.
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::types::{Scalar, ScalarClass};

/// The receivers an operation takes: the type of its first operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receiver {
    /// Any scalar.
    Any,
    /// Integers and floats.
    Number,
    /// Integers.
    Int,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Floats.
    Float,
    /// Signed integers and floats.
    SignedOrFloat,
    /// Integers and `bool`.
    IntOrBool,
    /// `u16`, `u32` and `u64` ([`Op::FromBits`]).
    Bits,
    /// `f64` ([`Op::FromF64`]).
    Double,
}

impl Receiver {
    /// True if `ty` can be the first operand.
    pub fn accepts(self, ty: Scalar) -> bool {
        let class = ty.class();
        match self {
            Receiver::Any => true,
            Receiver::Number => class != ScalarClass::Bool,
            Receiver::Int => ty.is_int(),
            Receiver::Signed => class == ScalarClass::Signed,
            Receiver::Unsigned => class == ScalarClass::Unsigned,
            Receiver::Float => class == ScalarClass::Float,
            Receiver::SignedOrFloat => matches!(class, ScalarClass::Signed | ScalarClass::Float),
            Receiver::IntOrBool => class != ScalarClass::Float,
            Receiver::Bits => matches!(ty, Scalar::U16 | Scalar::U32 | Scalar::U64),
            Receiver::Double => ty == Scalar::F64,
        }
    }
}

/// The type of an operand after the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// The receiver's type.
    Same,
    /// `u32`.
    U32,
    /// `i32`.
    I32,
    /// Any integer (shift amounts).
    Int,
}

/// The type of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// The receiver's type.
    Same,
    /// `bool`.
    Bool,
    /// `u32`.
    U32,
    /// The unsigned integer of the receiver's width.
    Unsigned,
    /// The float of the receiver's width; of 16 bits there are two, and the instruction gives it.
    Float,
    /// `f16` or `bf16`, given by the instruction.
    Half,
    /// Given by the instruction ([`Op::Cast`]).
    Given,
}

/// What an operation may do besides giving a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: it can be moved, repeated and dropped.
    Pure,
    /// For integers it fails where Rust panics; for floats it is pure. The instruction carries a fault site.
    FaultsOnInt,
    /// It fails where Rust panics, for every receiver.
    Faults,
}

/// How the operation is written in a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// An operator or `as`.
    Operator,
    /// A method, `a.name(b)`, also `T::name(a, b)`.
    Method,
    /// Only an associated function, `T::name(a)`.
    Function,
    /// Not at all: what another operation is where overflow fails ([`Op::overflow_checked`]).
    Debug,
}

/// Which bits a compiled result promises to share with the native body (in strict mode).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BitClass {
    /// Equal on every target.
    Exact,
    /// std's own method called at run time; equal on the machine that runs both.
    Platform,
}

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident $text:literal $form:ident $receiver:ident ($($operand:ident),*) -> $output:ident
        $effect:ident $class:ident;)*) => {
        /// A scalar operation. See the module for the rules.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// Every operation, in the order of the encoding.
            pub const ALL: &'static [Op] = &[$(Op::$name),*];

            /// The row of the table.
            pub const fn row(self) -> &'static Row {
                match self {
                    $(Op::$name => &Row {
                        text: $text,
                        form: Form::$form,
                        receiver: Receiver::$receiver,
                        operands: &[$(Operand::$operand),*],
                        output: Output::$output,
                        effect: Effect::$effect,
                        class: BitClass::$class,
                    },)*
                }
            }
        }
    };
}

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Name in the text form; for methods also Rust's name.
    pub text: &'static str,
    /// How it is written.
    pub form: Form,
    /// Type of the first operand.
    pub receiver: Receiver,
    /// Types of the further operands.
    pub operands: &'static [Operand],
    /// Type of the result.
    pub output: Output,
    /// What else it does.
    pub effect: Effect,
    /// Which bits agree with the native body.
    pub class: BitClass,
}

ops! {
    /// `a as T`: saturating from float to integer, truncating or extending between integers.
    Cast "cast" Operator Any () -> Given Pure Exact;
    /// `-a`; wraps for `MIN`.
    Neg "neg" Operator SignedOrFloat () -> Same Pure Exact;
    /// `!a`
    Not "not" Operator IntOrBool () -> Same Pure Exact;
    /// `a + b`
    Add "add" Operator Number (Same) -> Same Pure Exact;
    /// `a - b`
    Sub "sub" Operator Number (Same) -> Same Pure Exact;
    /// `a * b`
    Mul "mul" Operator Number (Same) -> Same Pure Exact;
    /// `a / b`; integers fail on zero and on `MIN / -1`.
    Div "div" Operator Number (Same) -> Same FaultsOnInt Exact;
    /// `a % b`, the sign is the dividend's; integers fail on zero and on `MIN % -1`.
    Rem "rem" Operator Number (Same) -> Same FaultsOnInt Exact;
    /// `a & b`
    And "and" Operator IntOrBool (Same) -> Same Pure Exact;
    /// `a | b`
    Or "or" Operator IntOrBool (Same) -> Same Pure Exact;
    /// `a ^ b`
    Xor "xor" Operator IntOrBool (Same) -> Same Pure Exact;
    /// `a << b`, the amount taken modulo the width.
    Shl "shl" Operator Int (Int) -> Same Pure Exact;
    /// `a >> b`, arithmetic for signed integers, the amount taken modulo the width.
    Shr "shr" Operator Int (Int) -> Same Pure Exact;
    /// `a == b`
    Eq "eq" Operator Any (Same) -> Bool Pure Exact;
    /// `a != b`
    Ne "ne" Operator Any (Same) -> Bool Pure Exact;
    /// `a < b`
    Lt "lt" Operator Any (Same) -> Bool Pure Exact;
    /// `a <= b`
    Le "le" Operator Any (Same) -> Bool Pure Exact;
    /// `a > b`
    Gt "gt" Operator Any (Same) -> Bool Pure Exact;
    /// `a >= b`
    Ge "ge" Operator Any (Same) -> Bool Pure Exact;

    /// `Ord::min`, `f32::min`
    Min "min" Method Any (Same) -> Same Pure Exact;
    /// `Ord::max`, `f32::max`
    Max "max" Method Any (Same) -> Same Pure Exact;
    /// Fails unless `lo <= hi`.
    Clamp "clamp" Method Any (Same, Same) -> Same Faults Exact;
    /// `abs`; wraps for `MIN`.
    Abs "abs" Method SignedOrFloat () -> Same Pure Exact;
    /// `signum`
    Signum "signum" Method SignedOrFloat () -> Same Pure Exact;

    /// `abs_diff`
    AbsDiff "abs_diff" Method Int (Same) -> Unsigned Pure Exact;
    /// `unsigned_abs`
    UnsignedAbs "unsigned_abs" Method Signed () -> Unsigned Pure Exact;
    /// `is_positive`
    IsPositive "is_positive" Method Signed () -> Bool Pure Exact;
    /// `is_negative`
    IsNegative "is_negative" Method Signed () -> Bool Pure Exact;
    /// `pow`; wraps.
    Pow "pow" Method Int (U32) -> Same Pure Exact;
    /// `isqrt`; fails for negative numbers.
    Isqrt "isqrt" Method Int () -> Same Faults Exact;
    /// `ilog2`; fails unless positive.
    Ilog2 "ilog2" Method Int () -> U32 Faults Exact;
    /// `ilog10`; fails unless positive.
    Ilog10 "ilog10" Method Int () -> U32 Faults Exact;
    /// `div_euclid`; integers fail as [`Op::Div`] does.
    DivEuclid "div_euclid" Method Number (Same) -> Same FaultsOnInt Exact;
    /// `rem_euclid`; integers fail as [`Op::Rem`] does.
    RemEuclid "rem_euclid" Method Number (Same) -> Same FaultsOnInt Exact;
    /// `div_ceil`; fails on zero.
    DivCeil "div_ceil" Method Unsigned (Same) -> Same Faults Exact;
    /// `next_multiple_of`; fails on zero, wraps on overflow.
    NextMultipleOf "next_multiple_of" Method Unsigned (Same) -> Same Faults Exact;
    /// `is_power_of_two`
    IsPowerOfTwo "is_power_of_two" Method Unsigned () -> Bool Pure Exact;
    /// `next_power_of_two`; wraps to 0 on overflow.
    NextPowerOfTwo "next_power_of_two" Method Unsigned () -> Same Pure Exact;
    /// `count_ones`
    CountOnes "count_ones" Method Int () -> U32 Pure Exact;
    /// `count_zeros`
    CountZeros "count_zeros" Method Int () -> U32 Pure Exact;
    /// `leading_zeros`
    LeadingZeros "leading_zeros" Method Int () -> U32 Pure Exact;
    /// `leading_ones`
    LeadingOnes "leading_ones" Method Int () -> U32 Pure Exact;
    /// `trailing_zeros`
    TrailingZeros "trailing_zeros" Method Int () -> U32 Pure Exact;
    /// `trailing_ones`
    TrailingOnes "trailing_ones" Method Int () -> U32 Pure Exact;
    /// `rotate_left`
    RotateLeft "rotate_left" Method Int (U32) -> Same Pure Exact;
    /// `rotate_right`
    RotateRight "rotate_right" Method Int (U32) -> Same Pure Exact;
    /// `swap_bytes`
    SwapBytes "swap_bytes" Method Int () -> Same Pure Exact;
    /// `reverse_bits`
    ReverseBits "reverse_bits" Method Int () -> Same Pure Exact;
    /// `wrapping_add`
    WrappingAdd "wrapping_add" Method Int (Same) -> Same Pure Exact;
    /// `wrapping_sub`
    WrappingSub "wrapping_sub" Method Int (Same) -> Same Pure Exact;
    /// `wrapping_mul`
    WrappingMul "wrapping_mul" Method Int (Same) -> Same Pure Exact;
    /// `wrapping_neg`
    WrappingNeg "wrapping_neg" Method Int () -> Same Pure Exact;
    /// `wrapping_abs`
    WrappingAbs "wrapping_abs" Method Signed () -> Same Pure Exact;
    /// `wrapping_div`; fails on zero.
    WrappingDiv "wrapping_div" Method Int (Same) -> Same Faults Exact;
    /// `wrapping_rem`; fails on zero.
    WrappingRem "wrapping_rem" Method Int (Same) -> Same Faults Exact;
    /// `wrapping_shl`
    WrappingShl "wrapping_shl" Method Int (U32) -> Same Pure Exact;
    /// `wrapping_shr`
    WrappingShr "wrapping_shr" Method Int (U32) -> Same Pure Exact;
    /// `wrapping_pow`
    WrappingPow "wrapping_pow" Method Int (U32) -> Same Pure Exact;
    /// `saturating_add`
    SaturatingAdd "saturating_add" Method Int (Same) -> Same Pure Exact;
    /// `saturating_sub`
    SaturatingSub "saturating_sub" Method Int (Same) -> Same Pure Exact;
    /// `saturating_mul`
    SaturatingMul "saturating_mul" Method Int (Same) -> Same Pure Exact;
    /// `saturating_neg`
    SaturatingNeg "saturating_neg" Method Signed () -> Same Pure Exact;
    /// `saturating_abs`
    SaturatingAbs "saturating_abs" Method Signed () -> Same Pure Exact;

    /// `mul_add`, one rounding.
    MulAdd "mul_add" Method Float (Same, Same) -> Same Pure Exact;
    /// `sqrt`
    Sqrt "sqrt" Method Float () -> Same Pure Exact;
    /// `floor`
    Floor "floor" Method Float () -> Same Pure Exact;
    /// `ceil`
    Ceil "ceil" Method Float () -> Same Pure Exact;
    /// `round`, halves away from zero.
    Round "round" Method Float () -> Same Pure Exact;
    /// `round_ties_even`
    RoundTiesEven "round_ties_even" Method Float () -> Same Pure Exact;
    /// `trunc`
    Trunc "trunc" Method Float () -> Same Pure Exact;
    /// `fract`
    Fract "fract" Method Float () -> Same Pure Exact;
    /// `copysign`
    Copysign "copysign" Method Float (Same) -> Same Pure Exact;
    /// `recip`
    Recip "recip" Method Float () -> Same Pure Exact;
    /// `to_degrees`
    ToDegrees "to_degrees" Method Float () -> Same Pure Exact;
    /// `to_radians`
    ToRadians "to_radians" Method Float () -> Same Pure Exact;
    /// `is_nan`
    IsNan "is_nan" Method Float () -> Bool Pure Exact;
    /// `is_finite`
    IsFinite "is_finite" Method Float () -> Bool Pure Exact;
    /// `is_infinite`
    IsInfinite "is_infinite" Method Float () -> Bool Pure Exact;
    /// `is_normal`
    IsNormal "is_normal" Method Float () -> Bool Pure Exact;
    /// `is_subnormal`
    IsSubnormal "is_subnormal" Method Float () -> Bool Pure Exact;
    /// `is_sign_negative`
    IsSignNegative "is_sign_negative" Method Float () -> Bool Pure Exact;
    /// `is_sign_positive`
    IsSignPositive "is_sign_positive" Method Float () -> Bool Pure Exact;
    /// `to_bits`
    ToBits "to_bits" Method Float () -> Unsigned Pure Exact;
    /// `f32::from_bits` and that of the other floats.
    FromBits "from_bits" Function Bits () -> Float Pure Exact;

    /// `powi`
    Powi "powi" Method Float (I32) -> Same Pure Platform;
    /// `powf`
    Powf "powf" Method Float (Same) -> Same Pure Platform;
    /// `exp`
    Exp "exp" Method Float () -> Same Pure Platform;
    /// `exp2`
    Exp2 "exp2" Method Float () -> Same Pure Platform;
    /// `exp_m1`
    ExpM1 "exp_m1" Method Float () -> Same Pure Platform;
    /// `ln`
    Ln "ln" Method Float () -> Same Pure Platform;
    /// `log`, base given.
    Log "log" Method Float (Same) -> Same Pure Platform;
    /// `log2`
    Log2 "log2" Method Float () -> Same Pure Platform;
    /// `log10`
    Log10 "log10" Method Float () -> Same Pure Platform;
    /// `ln_1p`
    Ln1p "ln_1p" Method Float () -> Same Pure Platform;
    /// `sin`
    Sin "sin" Method Float () -> Same Pure Platform;
    /// `cos`
    Cos "cos" Method Float () -> Same Pure Platform;
    /// `tan`
    Tan "tan" Method Float () -> Same Pure Platform;
    /// `asin`
    Asin "asin" Method Float () -> Same Pure Platform;
    /// `acos`
    Acos "acos" Method Float () -> Same Pure Platform;
    /// `atan`
    Atan "atan" Method Float () -> Same Pure Platform;
    /// `atan2`
    Atan2 "atan2" Method Float (Same) -> Same Pure Platform;
    /// `sinh`
    Sinh "sinh" Method Float () -> Same Pure Platform;
    /// `cosh`
    Cosh "cosh" Method Float () -> Same Pure Platform;
    /// `tanh`
    Tanh "tanh" Method Float () -> Same Pure Platform;
    /// `asinh`
    Asinh "asinh" Method Float () -> Same Pure Platform;
    /// `acosh`
    Acosh "acosh" Method Float () -> Same Pure Platform;
    /// `atanh`
    Atanh "atanh" Method Float () -> Same Pure Platform;
    /// `cbrt`
    Cbrt "cbrt" Method Float () -> Same Pure Platform;
    /// `hypot`
    Hypot "hypot" Method Float (Same) -> Same Pure Platform;
    /// `is_multiple_of`; of 0 only 0 is.
    IsMultipleOf "is_multiple_of" Method Unsigned (Same) -> Bool Pure Exact;

    /// `strict_add`; fails on overflow.
    StrictAdd "strict_add" Method Int (Same) -> Same Faults Exact;
    /// `strict_sub`; fails on overflow.
    StrictSub "strict_sub" Method Int (Same) -> Same Faults Exact;
    /// `strict_mul`; fails on overflow.
    StrictMul "strict_mul" Method Int (Same) -> Same Faults Exact;
    /// `strict_neg`; fails on overflow.
    StrictNeg "strict_neg" Method Int () -> Same Faults Exact;
    /// `strict_abs`; fails on overflow.
    StrictAbs "strict_abs" Method Signed () -> Same Faults Exact;
    /// `strict_pow`; fails on overflow.
    StrictPow "strict_pow" Method Int (U32) -> Same Faults Exact;
    /// `strict_shl`; fails unless the amount is less than the width.
    StrictShl "strict_shl" Method Int (U32) -> Same Faults Exact;
    /// `strict_shr`; fails unless the amount is less than the width.
    StrictShr "strict_shr" Method Int (U32) -> Same Faults Exact;
    /// [`Op::Shl`] where overflow fails.
    DebugShl "debug_shl" Debug Int (Int) -> Same Faults Exact;
    /// [`Op::Shr`] where overflow fails.
    DebugShr "debug_shr" Debug Int (Int) -> Same Faults Exact;
    /// [`Op::NextMultipleOf`] where overflow fails.
    DebugNextMultipleOf "debug_next_multiple_of" Debug Unsigned (Same) -> Same Faults Exact;
    /// [`Op::NextPowerOfTwo`] where overflow fails.
    DebugNextPowerOfTwo "debug_next_power_of_two" Debug Unsigned () -> Same Faults Exact;

    /// `f16::from_f64`, `bf16::from_f64`: crate `half` rounds as the CPU or it itself does, mostly to nearest.
    FromF64 "from_f64" Function Double () -> Half Pure Platform;
}

impl Op {
    /// The operation of that name in the text form.
    pub fn from_text(text: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.row().text == text)
    }

    /// The method `receiver.name(..)` or `T::name(receiver, ..)`, if the table has it.
    pub fn from_method(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.row().form == Form::Method && op.row().text == name)
    }

    /// The associated function `T::name(..)` that isn't a method, if the table has it.
    pub fn from_function(name: &str) -> Option<Op> {
        Op::ALL.iter().copied().find(|op| op.row().form == Form::Function && op.row().text == name)
    }

    /// The operation with Rust's overflow checks, for a receiver of that type: the same where it can't overflow.
    pub fn overflow_checked(self, receiver: Scalar) -> Op {
        match self {
            _ if !receiver.is_int() => self,
            Op::Add => Op::StrictAdd,
            Op::Sub => Op::StrictSub,
            Op::Mul => Op::StrictMul,
            Op::Neg => Op::StrictNeg,
            Op::Abs => Op::StrictAbs,
            Op::Pow => Op::StrictPow,
            Op::Shl => Op::DebugShl,
            Op::Shr => Op::DebugShr,
            Op::NextMultipleOf => Op::DebugNextMultipleOf,
            Op::NextPowerOfTwo => Op::DebugNextPowerOfTwo,
            // A test goes through the other rows beside rustc's debug build.
            _ => self,
        }
    }

    /// Code in the canonical encoding.
    pub fn code(self) -> u16 {
        self as u16
    }

    /// Number of operands, the receiver included.
    pub fn arity(self) -> usize {
        1 + self.row().operands.len()
    }

    /// Type of operand `index` (0 is the receiver) for a receiver of type `receiver`; `None` for "any integer".
    pub fn operand(self, receiver: Scalar, index: usize) -> Option<Scalar> {
        match index.checked_sub(1).map(|i| self.row().operands[i]) {
            None | Some(Operand::Same) => Some(receiver),
            Some(Operand::U32) => Some(Scalar::U32),
            Some(Operand::I32) => Some(Scalar::I32),
            Some(Operand::Int) => None,
        }
    }

    /// Type of the result for a receiver of type `receiver`; `None` where the instruction gives it, one that
    /// [`gives`](Op::gives) accepts.
    pub fn output(self, receiver: Scalar) -> Option<Scalar> {
        match self.row().output {
            Output::Same => Some(receiver),
            Output::Bool => Some(Scalar::Bool),
            Output::U32 => Some(Scalar::U32),
            Output::Unsigned => Some(receiver.unsigned()),
            Output::Float => match receiver.size() {
                4 => Some(Scalar::F32),
                8 => Some(Scalar::F64),
                _ => None,
            },
            Output::Half | Output::Given => None,
        }
    }

    /// True if the result for a receiver of type `receiver` may be of type `output`.
    pub fn gives(self, receiver: Scalar, output: Scalar) -> bool {
        match (self.output(receiver), self.row().output) {
            (Some(ty), _) => ty == output,
            (None, Output::Given) => true,
            (None, Output::Float) => output.is_float() && output.size() == receiver.size(),
            (None, Output::Half) => output.is_half(),
            (None, Output::Same | Output::Bool | Output::U32 | Output::Unsigned) => false,
        }
    }

    /// True if an instruction of this operation on `receiver` can fail and so carries a fault site.
    pub fn faults(self, receiver: Scalar) -> bool {
        match self.row().effect {
            Effect::Pure => false,
            Effect::FaultsOnInt => receiver.is_int(),
            Effect::Faults => true,
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().text)
    }
}

/// The operation of a reduction: associative, with an identity for every type it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ReduceOp {
    /// `s += v`, wrapping; identity 0, for floats -0.0.
    Add,
    /// `s *= v`, wrapping; identity 1.
    Mul,
    /// `s = s.min(v)`; identity `MAX`, for floats NaN, which `min` ignores.
    Min,
    /// `s = s.max(v)`; identity `MIN`, for floats NaN, which `max` ignores.
    Max,
    /// `s &= v`; identity all ones (`true`).
    And,
    /// `s |= v`; identity 0 (`false`).
    Or,
    /// `s ^= v`; identity 0 (`false`).
    Xor,
}

impl ReduceOp {
    /// Every operation, in the order of the encoding.
    pub const ALL: [ReduceOp; 7] =
        [ReduceOp::Add, ReduceOp::Mul, ReduceOp::Min, ReduceOp::Max, ReduceOp::And, ReduceOp::Or, ReduceOp::Xor];

    /// The scalar operation that combines two values.
    pub fn op(self) -> Op {
        match self {
            ReduceOp::Add => Op::Add,
            ReduceOp::Mul => Op::Mul,
            ReduceOp::Min => Op::Min,
            ReduceOp::Max => Op::Max,
            ReduceOp::And => Op::And,
            ReduceOp::Or => Op::Or,
            ReduceOp::Xor => Op::Xor,
        }
    }
}

/// An atomic read-modify-write; gives the old value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AtomicOp {
    /// Addition; of integers wrapping.
    Add,
    /// Subtraction; of integers wrapping.
    Sub,
    /// Minimum, as [`Op::Min`].
    Min,
    /// Maximum, as [`Op::Max`].
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Stores the value.
    Exchange,
}

impl AtomicOp {
    /// Every operation, in the order of the encoding.
    pub const ALL: [AtomicOp; 8] = [
        AtomicOp::Add,
        AtomicOp::Sub,
        AtomicOp::Min,
        AtomicOp::Max,
        AtomicOp::And,
        AtomicOp::Or,
        AtomicOp::Xor,
        AtomicOp::Exchange,
    ];

    /// Name of the function in `qd::atomic`.
    pub fn name(self) -> &'static str {
        match self {
            AtomicOp::Add => "add",
            AtomicOp::Sub => "sub",
            AtomicOp::Min => "min",
            AtomicOp::Max => "max",
            AtomicOp::And => "and",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
            AtomicOp::Exchange => "exchange",
        }
    }

    /// Whether it updates elements of that type: integers of at most 64 bits, and floats except bit by bit.
    pub fn takes(self, ty: Scalar) -> bool {
        match self {
            AtomicOp::Add | AtomicOp::Sub | AtomicOp::Min | AtomicOp::Max | AtomicOp::Exchange => {
                ty.is_float() || ty.is_int() && ty.bits() <= 64
            }
            AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => ty.is_int() && ty.bits() <= 64,
        }
    }
}
