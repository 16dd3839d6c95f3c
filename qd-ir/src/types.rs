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
    I128,
    U128,
    /// `half::f16`
    F16,
    /// `half::bf16`
    Bf16,
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
    /// IEEE 754 binary, and `bf16`.
    Float,
}

impl Scalar {
    /// Every scalar, in the order of the encoding.
    pub const ALL: [Scalar; 17] = [
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
        Scalar::I128,
        Scalar::U128,
        Scalar::F16,
        Scalar::Bf16,
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
            Scalar::I128 => "i128",
            Scalar::U128 => "u128",
            Scalar::F16 => "f16",
            Scalar::Bf16 => "bf16",
        }
    }

    /// The scalar of that name.
    pub fn from_name(name: &str) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|s| s.name() == name)
    }

    /// The scalar that Rust itself has under that name.
    pub fn from_primitive(name: &str) -> Option<Scalar> {
        Scalar::from_name(name).filter(|s| s.is_primitive())
    }

    /// False for the types of crate `half`: they have no literals and no `as`, and a name says where it is imported that it
    /// means one of them.
    pub const fn is_primitive(self) -> bool {
        !self.is_half()
    }

    /// `f16` or `bf16`: stored in 16 bits, computed with in `f32`.
    pub const fn is_half(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16)
    }

    /// Size in memory, in bytes; also the alignment.
    pub const fn size(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::Isize | Scalar::U64 | Scalar::Usize | Scalar::F64 => 8,
            Scalar::I128 | Scalar::U128 => 16,
        }
    }

    /// Number of 64-bit words that carry a value: the low word first.
    pub const fn words(self) -> usize {
        if self.size() > 8 { 2 } else { 1 }
    }

    /// All ones in the width.
    pub const fn mask(self) -> u128 {
        u128::MAX >> (128 - self.bits())
    }

    /// Width in bits: 8 for `bool`, whose memory is a byte.
    pub const fn bits(self) -> u32 {
        self.size() as u32 * 8
    }

    /// The kind of number.
    pub const fn class(self) -> ScalarClass {
        match self {
            Scalar::Bool => ScalarClass::Bool,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Isize | Scalar::I128 => ScalarClass::Signed,
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize | Scalar::U128 => {
                ScalarClass::Unsigned
            }
            Scalar::F32 | Scalar::F64 | Scalar::F16 | Scalar::Bf16 => ScalarClass::Float,
        }
    }

    /// An integer, signed or unsigned (not `bool`).
    pub const fn is_int(self) -> bool {
        matches!(self.class(), ScalarClass::Signed | ScalarClass::Unsigned)
    }

    /// The integer that these bits of an integer type are, if 127 bits and a sign can hold it.
    pub fn integer(self, bits: u128) -> Option<i128> {
        let shift = 128 - self.bits();
        if self.is_signed() { Some((bits << shift) as i128 >> shift) } else { i128::try_from(bits).ok() }
    }

    /// A signed integer.
    pub const fn is_signed(self) -> bool {
        matches!(self.class(), ScalarClass::Signed)
    }

    /// `f32`, `f64`, `f16` or `bf16`.
    pub const fn is_float(self) -> bool {
        matches!(self.class(), ScalarClass::Float)
    }

    /// The unsigned integer of the same width (`f32` → `u32`, `isize` → `usize`, `bool` → `u8`).
    pub const fn unsigned(self) -> Scalar {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => Scalar::U8,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => Scalar::U16,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => Scalar::U32,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => Scalar::U64,
            Scalar::Isize | Scalar::Usize => Scalar::Usize,
            Scalar::I128 | Scalar::U128 => Scalar::U128,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The type of a binding or parameter, as rustc reports it.
///
/// A value of a type without arrays by reference is a list of scalars: those of its parts, in order ([`Type::flatten`]).
/// Names are for finding fields and for messages; they never get into a task.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Type {
    /// A scalar; what a reference to a scalar binding erases to.
    Scalar(Scalar),
    /// A tuple; `()` is the empty one.
    Tuple(Vec<Type>),
    /// A struct.
    Struct(StructType),
    /// An enum without fields: its tag.
    Enum {
        /// Its name, for messages.
        name: String,
        /// The type of its tag.
        tag: Scalar,
    },
    /// `[T; N]`
    Fixed(Box<Type>, u32),
    /// `qd::Vector<T, N>`
    Vector(Scalar, u32),
    /// `qd::Matrix<T, R, C>`, row by row.
    Matrix(Scalar, u32, u32),
    /// `&NdArray<T, N>`, `&mut NdArray<T, N>`, `&[T]`, `&mut [T]`.
    Array {
        /// What tasks see of it.
        array: ArrayType,
        /// `T`
        element: Box<Type>,
    },
    /// `!`, reported for bindings in code that is never reached.
    Never,
}

/// The type of a parameter, as rustc reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParamType {
    /// A value or an array.
    Plain(Type),
    /// An array that rustc indexes itself, `[T]`: a panic points where the expression starts. The index of any other
    /// array is a call to rustc, and its panic points at the bracket.
    Slice(Type),
    /// A bundle behind a reference: its fields with their names, in the order of its words.
    Bundle(Vec<(String, ParamType)>),
}

impl ParamType {
    /// The type, if it is no bundle's.
    pub fn plain(&self) -> Option<&Type> {
        match self {
            ParamType::Plain(ty) | ParamType::Slice(ty) => Some(ty),
            ParamType::Bundle(_) => None,
        }
    }
}

impl From<Type> for ParamType {
    fn from(ty: Type) -> Self {
        ParamType::Plain(ty)
    }
}

/// A struct with the names of its fields.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StructType {
    /// Its name, for messages.
    pub name: String,
    /// In the order of the source; `0`, `1`.. for those of a tuple struct.
    pub fields: Vec<(String, Type)>,
}

impl Type {
    /// `()`.
    pub const UNIT: Type = Type::Tuple(Vec::new());

    /// A struct.
    pub fn structure(name: &str, fields: Vec<(&str, Type)>) -> Type {
        let fields = fields.into_iter().map(|(name, ty)| (name.to_owned(), ty)).collect();
        Type::Struct(StructType { name: name.to_owned(), fields })
    }

    /// An enum.
    pub fn enumeration(name: &str, tag: Scalar) -> Type {
        Type::Enum { name: name.to_owned(), tag }
    }

    /// A reference to an array of scalars.
    pub fn array(element: Scalar, rank: u8, mutable: bool) -> Type {
        let array = ArrayType { element: element.into(), rank, mutable };
        Type::Array { array, element: Box::new(Type::Scalar(element)) }
    }

    /// The scalar, if it is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) => Some(*s),
            Type::Tuple(_)
            | Type::Struct(_)
            | Type::Enum { .. }
            | Type::Fixed(..)
            | Type::Vector(..)
            | Type::Matrix(..)
            | Type::Array { .. }
            | Type::Never => None,
        }
    }

    /// The array and the type of its elements, if it is an array parameter's.
    pub fn as_array(&self) -> Option<(&ArrayType, &Type)> {
        match self {
            Type::Array { array, element } => Some((array, element)),
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Struct(_)
            | Type::Enum { .. }
            | Type::Fixed(..)
            | Type::Vector(..)
            | Type::Matrix(..)
            | Type::Never => None,
        }
    }

    /// The scalar of a vector's or matrix's components.
    pub fn component(&self) -> Option<Scalar> {
        match self {
            Type::Vector(scalar, _) | Type::Matrix(scalar, ..) => Some(*scalar),
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Struct(_)
            | Type::Enum { .. }
            | Type::Fixed(..)
            | Type::Array { .. }
            | Type::Never => None,
        }
    }

    /// The type of what an index leads to, and the number of indices there are; `None` if the type has no elements.
    pub fn elements(&self) -> Option<(Type, u32)> {
        match self {
            Type::Fixed(element, len) => Some((Type::clone(element), *len)),
            Type::Vector(scalar, len) => Some((Type::Scalar(*scalar), *len)),
            Type::Matrix(scalar, rows, columns) => Some((Type::Vector(*scalar, *columns), *rows)),
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Struct(_)
            | Type::Enum { .. }
            | Type::Array { .. }
            | Type::Never => None,
        }
    }

    /// True if a part of it is such a type, or itself.
    pub fn holds(&self, such: &dyn Fn(&Type) -> bool) -> bool {
        such(self)
            || match self {
                Type::Tuple(parts) => parts.iter().any(|part| part.holds(such)),
                Type::Struct(of) => of.fields.iter().any(|(_, part)| part.holds(such)),
                Type::Fixed(element, _) | Type::Array { array: _, element } => element.holds(such),
                Type::Scalar(_) | Type::Enum { .. } | Type::Vector(..) | Type::Matrix(..) | Type::Never => false,
            }
    }

    /// True if there is a struct in it.
    pub fn holds_struct(&self) -> bool {
        self.holds(&|ty| matches!(ty, Type::Struct(_)))
    }

    /// True if there is an enum in it.
    pub fn holds_enum(&self) -> bool {
        self.holds(&|ty| matches!(ty, Type::Enum { .. }))
    }

    /// Number of 64-bit words that carry a value of the type; `None` if it holds an array by reference.
    pub fn words(&self) -> Option<usize> {
        self.flatten().map(|scalars| scalars.into_iter().map(Scalar::words).sum())
    }

    /// The scalars of the type in order; `None` if it holds an array by reference.
    pub fn flatten(&self) -> Option<Vec<Scalar>> {
        let all = |parts: &mut dyn Iterator<Item = &Type>| {
            parts.map(Type::flatten).collect::<Option<Vec<_>>>().map(|scalars| scalars.concat())
        };
        match self {
            Type::Scalar(s) | Type::Enum { name: _, tag: s } => Some(vec![*s]),
            Type::Tuple(parts) => all(&mut parts.iter()),
            Type::Struct(of) => all(&mut of.fields.iter().map(|(_, ty)| ty)),
            Type::Fixed(element, len) => Some(element.flatten()?.repeat(*len as usize)),
            Type::Vector(scalar, len) => Some(vec![*scalar; *len as usize]),
            Type::Matrix(scalar, rows, columns) => Some(vec![*scalar; *rows as usize * *columns as usize]),
            Type::Never => Some(Vec::new()),
            Type::Array { .. } => None,
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
            Type::Struct(of) => f.write_str(&of.name),
            Type::Enum { name, tag: _ } => f.write_str(name),
            Type::Fixed(element, len) => write!(f, "[{element}; {len}]"),
            Type::Vector(scalar, len) => write!(f, "Vector<{scalar}, {len}>"),
            Type::Matrix(scalar, rows, columns) => write!(f, "Matrix<{scalar}, {rows}, {columns}>"),
            Type::Array { array, element } => array.write(f, element),
            Type::Never => f.write_str("!"),
        }
    }
}

/// An array parameter as a task sees it: row-major, `rank` extents.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayType {
    /// The memory of an element.
    pub element: Element,
    /// Number of dimensions, 1 to 4; a slice has one.
    pub rank: u8,
    /// Behind `&mut`.
    pub mutable: bool,
}

impl ArrayType {
    fn write(&self, f: &mut fmt::Formatter<'_>, element: &dyn fmt::Display) -> fmt::Result {
        write!(f, "&{}NdArray<{element}, {}>", if self.mutable { "mut " } else { "" }, self.rank)
    }
}

impl fmt::Display for ArrayType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, &self.element)
    }
}

/// The memory of an array's element: where rustc has put its scalars.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Element {
    /// Bytes from one element to the next.
    pub size: u32,
    /// Alignment in bytes.
    pub align: u32,
    /// The scalars, in the order of [`Type::flatten`].
    pub fields: Vec<Field>,
}

/// A scalar in an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Field {
    /// Its type.
    pub ty: Scalar,
    /// Bytes from the start of the element.
    pub offset: u32,
}

impl Element {
    /// The scalar, if the element is one.
    pub fn as_scalar(&self) -> Option<Scalar> {
        match self.fields.as_slice() {
            [Field { ty, offset: 0 }] if self.size as usize == ty.size() => Some(*ty),
            _ => None,
        }
    }

    /// Bytes from the scalar `base` to the one `stride` scalars on; `None` if that leaves the element or leads back.
    pub fn distance(&self, base: u32, stride: u32) -> Option<u64> {
        let first = self.fields.get(base as usize)?;
        let next = self.fields.get(base.checked_add(stride)? as usize)?;
        next.offset.checked_sub(first.offset).map(u64::from)
    }
}

impl From<Scalar> for Element {
    fn from(ty: Scalar) -> Self {
        let size = ty.size() as u32;
        Element { size, align: size, fields: vec![Field { ty, offset: 0 }] }
    }
}

impl fmt::Display for Element {
    /// A scalar's name, or `[16 align 4: f32 at 0, u8 at 12]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scalar) = self.as_scalar() {
            return scalar.fmt(f);
        }
        write!(f, "[{} align {}:", self.size, self.align)?;
        for (i, Field { ty, offset }) in self.fields.iter().enumerate() {
            write!(f, "{} {ty} at {offset}", if i > 0 { "," } else { "" })?;
        }
        f.write_str("]")
    }
}

/// A scalar constant: the bits of the value, zero-extended to 128.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Const {
    /// The type.
    pub ty: Scalar,
    /// The value's bits (two's complement, IEEE, 0 or 1), zero above the width.
    pub bits: u128,
}

impl fmt::Display for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ty {
            Scalar::Bool => write!(f, "{}", self.bits != 0),
            Scalar::I8 => write!(f, "{}", self.bits as i8),
            Scalar::I16 => write!(f, "{}", self.bits as i16),
            Scalar::I32 => write!(f, "{}", self.bits as i32),
            Scalar::I64 | Scalar::Isize => write!(f, "{}", self.bits as i64),
            Scalar::I128 => write!(f, "{}", self.bits as i128),
            Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize | Scalar::U128 => {
                write!(f, "{}", self.bits)
            }
            Scalar::F32 => write!(f, "{:?}", f32::from_bits(self.bits as u32)),
            Scalar::F64 => write!(f, "{:?}", f64::from_bits(self.bits as u64)),
            Scalar::F16 => write!(f, "{:?}", half::f16::from_bits(self.bits as u16)),
            Scalar::Bf16 => write!(f, "{:?}", half::bf16::from_bits(self.bits as u16)),
        }
    }
}
