//! How an iteration can fail, and the words for it: Rust's own where Rust has them.
use serde::{Deserialize, Serialize};

use crate::arena::Id;
use crate::op::Op;
use crate::task::Array;
use crate::types::{Const, Scalar, ScalarClass};
use crate::words;

/// Rust's words for `step_by(0)`.
pub const ZERO_STEP: &str = "assertion failed: step != 0";

/// The words of `qd::segments` about offsets that fall.
pub fn falling_offsets(
    at: impl std::fmt::Display,
    offset: impl std::fmt::Display,
    next: impl std::fmt::Display,
) -> String {
    format!("segments overlap: offset {at} is {offset}, and the next is {next}")
}

/// The words of `qd::segments` about offsets that start below zero.
pub fn negative_offset(offset: impl std::fmt::Display) -> String {
    format!("segments start below zero: offset 0 is {offset}")
}

/// A place in a task that can fail. Sites are numbered in the order of the text; their source positions live beside
/// the task, never in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Site {
    /// An access to an array.
    Index(Id<Array>),
    /// A step into a fixed array.
    Step,
    /// An operation on operands of that type.
    Op(Op, Scalar),
    /// `panic!`, a failed assertion. The words stand beside the task.
    Panic,
    /// `println!`. It can't fail, but has a place and words.
    Print,
}

/// What an iteration does with a scalar of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Touch {
    /// It reads it.
    Read = 0,
    /// It writes it.
    Write = 1,
    /// It updates it atomically.
    Atomic = 2,
}

impl Touch {
    /// All of them, by discriminant.
    pub const ALL: [Touch; 3] = [Touch::Read, Touch::Write, Touch::Atomic];

    /// True if two iterations that do this and that are a race.
    pub fn conflicts(self, other: Touch) -> bool {
        self != other || self == Touch::Write
    }

    fn present(self) -> &'static str {
        match self {
            Touch::Read => "reads",
            Touch::Write => "writes",
            Touch::Atomic => "updates atomically",
        }
    }

    fn perfect(self) -> &'static str {
        match self {
            Touch::Read => "read",
            Touch::Write => "written",
            Touch::Atomic => "updated atomically",
        }
    }
}

/// Why an iteration failed. The discriminant is what generated code records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u32)]
pub enum Fault {
    /// Values: the dimension, its extent, the index.
    IndexOutOfBounds = 0,
    /// `a / 0`.
    DivideByZero = 1,
    /// `MIN / -1`.
    DivideOverflow = 2,
    /// `a % 0`.
    RemainderByZero = 3,
    /// `MIN % -1`.
    RemainderOverflow = 4,
    /// `clamp` with `lo > hi` or a NaN bound. Values: the words of lo in the first two, those of hi in the others.
    Clamp = 5,
    /// A logarithm of a number that isn't positive.
    Logarithm = 6,
    /// `isqrt` of a negative number.
    Isqrt = 7,
    /// The kernel's own message, with the values that it shows.
    Panic = 8,
    /// `a + b`
    AddOverflow = 9,
    /// `a - b`
    SubOverflow = 10,
    /// `a * b`, powers.
    MulOverflow = 11,
    /// `-a`, `abs`.
    NegOverflow = 12,
    /// `a << b`
    ShlOverflow = 13,
    /// `a >> b`
    ShrOverflow = 14,
    /// Two iterations meet in one scalar. Values: the other one, what this one does, what that one has done.
    Race = 15,
    /// Two iterations claim one element. Values: the earlier one.
    Claimed = 16,
}

impl Fault {
    /// Every fault, by discriminant.
    pub const ALL: [Fault; 17] = [
        Fault::IndexOutOfBounds,
        Fault::DivideByZero,
        Fault::DivideOverflow,
        Fault::RemainderByZero,
        Fault::RemainderOverflow,
        Fault::Clamp,
        Fault::Logarithm,
        Fault::Isqrt,
        Fault::Panic,
        Fault::AddOverflow,
        Fault::SubOverflow,
        Fault::MulOverflow,
        Fault::NegOverflow,
        Fault::ShlOverflow,
        Fault::ShrOverflow,
        Fault::Race,
        Fault::Claimed,
    ];

    /// The fault of that discriminant.
    pub fn from_code(code: u32) -> Option<Fault> {
        Fault::ALL.get(code as usize).copied()
    }

    /// What Rust's panic would say, with the recorded `values` (words of `ty` for operations, plain numbers for
    /// indices). `rank` is the array's.
    pub fn message(self, values: &[u64], ty: Scalar, rank: u8) -> String {
        let number = |i: usize| values.get(i).copied().unwrap_or_default();
        let value = |i: usize| Const { ty, bits: words::get(ty, &[number(i), number(i + 1)]) };
        match self {
            Fault::IndexOutOfBounds if rank <= 1 => {
                format!("index out of bounds: the len is {} but the index is {}", number(1), number(2))
            }
            Fault::IndexOutOfBounds => format!(
                "index out of bounds: the extent of dimension {} is {} but the index is {}",
                number(0),
                number(1),
                number(2)
            ),
            Fault::DivideByZero => "attempt to divide by zero".into(),
            Fault::DivideOverflow => "attempt to divide with overflow".into(),
            Fault::RemainderByZero => "attempt to calculate the remainder with a divisor of zero".into(),
            Fault::RemainderOverflow => "attempt to calculate the remainder with overflow".into(),
            Fault::Clamp => match ty.class() {
                // In the words of crate `half`.
                ScalarClass::Float if ty.is_half() => "assertion failed: min <= max".into(),
                ScalarClass::Float => {
                    format!("min > max, or either was NaN. min = {}, max = {}", value(0), value(2))
                }
                ScalarClass::Signed | ScalarClass::Unsigned => {
                    format!("min > max. min = {}, max = {}", value(0), value(2))
                }
                ScalarClass::Bool => "assertion failed: min <= max".into(),
            },
            Fault::Logarithm => "argument of integer logarithm must be positive".into(),
            Fault::Isqrt => "argument of integer square root cannot be negative".into(),
            // Rust's word where the kernel has none of its own.
            Fault::Panic => "explicit panic".into(),
            Fault::AddOverflow => "attempt to add with overflow".into(),
            Fault::SubOverflow => "attempt to subtract with overflow".into(),
            Fault::MulOverflow => "attempt to multiply with overflow".into(),
            Fault::NegOverflow => "attempt to negate with overflow".into(),
            Fault::ShlOverflow => "attempt to shift left with overflow".into(),
            Fault::ShrOverflow => "attempt to shift right with overflow".into(),
            Fault::Claimed => {
                format!("this iteration scatters to an element that iteration {} has scattered to", number(0))
            }
            Fault::Race => {
                let touch = |i: usize| Touch::ALL.get(number(i) as usize).copied().unwrap_or(Touch::Write);
                format!(
                    "data race: this iteration {} an element that iteration {} has {}",
                    touch(1).present(),
                    number(0),
                    touch(2).perfect()
                )
            }
        }
    }
}
