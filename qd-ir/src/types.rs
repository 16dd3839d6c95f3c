//! Types: the scalars of the kernel language, and the types that rustc reports for bindings and parameters.
//!
//! Sizes and layouts are those of the 64-bit targets qd compiles for; `usize` and `isize` stay types of their own, so
//! that what rustc says and what is compiled can be compared name by name.
use std::fmt;

use serde::{Deserialize, Serialize};

/// A scalar of the kernel language. The order is part of the canonical encoding: append only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // the names are Rust's own
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    F32,
    F64,
}

/// What kind of number a [`Scalar`] is: one match arm for all widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScalarClass {
    /// `bool`: one byte that is 0 or 1.
    Bool,
    /// Two's complement.
    Signed,
    /// Unsigned.
    Unsigned,
    /// IEEE 754 binary.
    Float,
}

impl Scalar {
    /// Every scalar, in the order of the encoding.
    pub const ALL: [Scalar; 13] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::Isize,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::Usize,
        Scalar::F32,
        Scalar::F64,
    ];

    /// Rust's name of the type.
    pub const fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::Isize => "isize",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::Usize => "usize",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// The scalar of that Rust name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|s| s.name() == name)
    }

    /// Size in memory, in bytes; also the alignment.
    pub const fn size(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize | Scalar::F64 => 8,
        }
    }

    /// Width in bits: 8 for `bool`, whose memory is a byte.
    pub const fn bits(self) -> u32 {
        self.size() as u32 * 8
    }

    /// The kind of number.
    pub const fn class(self) -> ScalarClass {
        match self {
            Scalar::Bool => ScalarClass::Bool,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Isize => ScalarClass::Signed,
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize => ScalarClass::Unsigned,
            Scalar::F32 | Scalar::F64 => ScalarClass::Float,
        }
    }

    /// An integer, signed or unsigned (not `bool`).
    pub const fn is_int(self) -> bool {
        matches!(self.class(), ScalarClass::Signed | ScalarClass::Unsigned)
    }

    /// A signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(self.class(), ScalarClass::Signed)
    }

    /// `f32` or `f64`.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), ScalarClass::Float)
    }

    /// The unsigned integer of the same width (`f32` → `u32`, `isize` → `usize`, `bool` → `u8`).
    pub const fn unsigned(self) -> Scalar {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => Scalar::U8,
            Scalar::I16 | Scalar::U16 => Scalar::U16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => Scalar::U32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => Scalar::U64,
            Scalar::Isize | Scalar::Usize => Scalar::Usize,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The type of a binding or parameter, as rustc reports it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Type {
    /// A scalar; what a reference to a scalar binding erases to.
    Scalar(Scalar),
    /// A tuple; `()` is the empty one.
    Tuple(Vec<Type>),
    /// `&NdArray<T, N>`, `&mut NdArray<T, N>`, `&[T]`, `&mut [T]`.
    Array(ArrayType),
    /// `!`, reported for bindings in code that is never reached.
    Never,
}

impl Type {
    /// `()`.
    pub const UNIT: Type = Type::Tuple(Vec::new());

    /// The scalar, if it is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) => Some(*s),
            Type::Tuple(_) | Type::Array(_) | Type::Never => None,
        }
    }

    /// The scalars of the type in order, tuples flattened; `None` if it holds an array.
    pub fn flatten(&self) -> Option<Vec<Scalar>> {
        match self {
            Type::Scalar(s) => Some(vec![*s]),
            Type::Tuple(parts) => parts.iter().map(Type::flatten).collect::<Option<Vec<_>>>().map(|v| v.concat()),
            Type::Never => Some(Vec::new()),
            Type::Array(_) => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(s) => s.fmt(f),
            Type::Tuple(parts) => {
                f.write_str("(")?;
                for (i, part) in parts.iter().enumerate() {
                    write!(f, "{}{part}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(if parts.len() == 1 { ",)" } else { ")" })
            }
            Type::Array(a) => a.fmt(f),
            Type::Never => f.write_str("!"),
        }
    }
}

/// An array parameter: row-major, `rank` extents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayType {
    /// The element.
    pub element: Scalar,
    /// Number of dimensions, 1 to 4; a slice has one.
    pub rank: u8,
    /// Behind `&mut`.
    pub mutable: bool,
}

impl fmt::Display for ArrayType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "&{}NdArray<{}, {}>", if self.mutable { "mut " } else { "" }, self.element, self.rank)
    }
}

/// A scalar constant: the bits of the value, zero-extended to 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Const {
    /// The type.
    pub ty: Scalar,
    /// The value's bits (two's complement, IEEE, 0 or 1), zero above the width.
    pub bits: u64,
}

impl fmt::Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ty {
            Scalar::Bool => write!(f, "{}", self.bits != 0),
            Scalar::I8 => write!(f, "{}", self.bits as i8),
            Scalar::I16 => write!(f, "{}", self.bits as i16),
            Scalar::I32 => write!(f, "{}", self.bits as i32),
            Scalar::I64 | Scalar::Isize => write!(f, "{}", self.bits as i64),
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize => write!(f, "{}", self.bits),
            Scalar::F32 => write!(f, "{:?}", f32::from_bits(self.bits as u32)),
            Scalar::F64 => write!(f, "{:?}", f64::from_bits(self.bits)),
        }
    }
}
