//! What a kernel says: the text of `panic!`, of a failed `assert!`, of a line of `println!`.
//!
//! A message is text with holes; the values come from the iteration that says it, as words. It lives beside the task,
//! like source positions: its wording is in no key. Numbers are formatted by Rust's own `std::fmt`, so that a compiled
//! kernel says what the native one does, letter for letter.
use std::fmt::{Binary, Debug, Display, LowerExp, LowerHex, Octal, UpperExp, UpperHex};

use serde::{Deserialize, Serialize};

use crate::types::{Scalar, Type};
use crate::words;

/// Text with holes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message(pub Vec<Piece>);

/// A piece of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// As it is.
    Text(String),
    /// A hole.
    Value {
        /// Which of the values.
        value: u32,
        /// How it looks.
        spec: Spec,
    },
}

/// What stands behind the colon of `{:#06x}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// The trait.
    pub style: Style,
    /// What fills up to the width.
    pub fill: char,
    /// Where the value stands in the width; numbers to the right and others to the left where nothing is said.
    pub align: Option<Align>,
    /// `+`
    pub plus: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// The least number of characters.
    pub width: usize,
    /// Digits behind the point.
    pub precision: Option<usize>,
}

/// The formatting trait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // the names are those of `std::fmt`
pub enum Style {
    Display,
    Debug,
    LowerHex,
    UpperHex,
    Octal,
    Binary,
    LowerExp,
    UpperExp,
}

/// Where a value stands in its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // plain words
pub enum Align {
    Left,
    Center,
    Right,
}

impl Spec {
    /// `{}` or `{:?}`.
    pub fn plain(style: Style) -> Spec {
        Spec { style, fill: ' ', align: None, plus: false, alternate: false, zero: false, width: 0, precision: None }
    }
}

impl Message {
    /// A message without holes.
    pub fn text(text: impl Into<String>) -> Message {
        Message(vec![Piece::Text(text.into())])
    }

    /// The text, with the values of `types` taken from `words`: those of each scalar, tuples and arrays one part after the
    /// other.
    pub fn render(&self, types: &[Type], words: &[u64]) -> String {
        let mut starts = Vec::with_capacity(types.len());
        let mut next = 0;
        for ty in types {
            starts.push(next);
            next += ty.words().unwrap_or(0);
        }
        let mut out = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Value { value, spec } => {
                    let at = *value as usize;
                    if let (Some(ty), Some(start)) = (types.get(at), starts.get(at)) {
                        value_of(ty, words.get(*start..).unwrap_or_default(), spec, &mut out);
                    }
                }
            }
        }
        out
    }
}

/// One value; gives the words behind it.
fn value_of<'w>(ty: &Type, words_left: &'w [u64], spec: &Spec, out: &mut String) -> &'w [u64] {
    match ty {
        Type::Scalar(ty) => {
            let Some((own, rest)) = words_left.split_at_checked(ty.words()) else { return words_left };
            out.push_str(&scalar(*ty, words::get(*ty, own), spec));
            rest
        }
        Type::Tuple(parts) => {
            let mut rest = words_left;
            out.push('(');
            for (i, part) in parts.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "" });
                rest = value_of(part, rest, spec, out);
            }
            out.push_str(if parts.len() == 1 { ",)" } else { ")" });
            rest
        }
        Type::Fixed(..) | Type::Vector(..) | Type::Matrix(..) => {
            let mut rest = words_left;
            out.push('[');
            // All of these have elements.
            if let Some((element, len)) = ty.elements() {
                for i in 0..len {
                    out.push_str(if i > 0 { ", " } else { "" });
                    rest = value_of(&element, rest, spec, out);
                }
            }
            out.push(']');
            rest
        }
        // Typing doesn't let them come here.
        Type::Struct(_) | Type::Enum { .. } | Type::Array { .. } | Type::Never => words_left,
    }
}

/// A scalar by its bits.
fn scalar(ty: Scalar, bits: u128, spec: &Spec) -> String {
    match ty {
        Scalar::Bool => {
            let text = if bits != 0 { "true" } else { "false" };
            let cut = spec.precision.unwrap_or(text.len()).min(text.len());
            pad(text[..cut].to_owned(), spec, Align::Left)
        }
        Scalar::F32 => float(f32::from_bits(bits as u32), spec),
        Scalar::F64 => float(f64::from_bits(bits as u64), spec),
        Scalar::F16 => half_float(half::f16::from_bits(bits as u16), bits as u16, spec),
        Scalar::Bf16 => half_float(half::bf16::from_bits(bits as u16), bits as u16, spec),
        Scalar::I8 => int(bits as i8, bits as u8, spec),
        Scalar::I16 => int(bits as i16, bits as u16, spec),
        Scalar::I32 => int(bits as i32, bits as u32, spec),
        Scalar::I64 | Scalar::Isize => int(bits as i64, bits as u64, spec),
        Scalar::I128 => int(bits as i128, bits, spec),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Usize | Scalar::U128 => int(bits, bits, spec),
    }
}

/// Formats `$value` by `std::fmt`, with the flags of a spec. With the flag `0` the width is std's to fill, without
/// it everything is aligned afterwards.
macro_rules! formatted {
    ($value:expr, $spec:expr, $style:literal) => {{
        let (value, spec) = ($value, $spec);
        let width = if spec.zero { spec.width } else { 0 };
        macro_rules! flags {
            ($flags:literal) => {
                match spec.precision {
                    Some(precision) => format!(concat!("{:", $flags, "1$.2$", $style, "}"), value, width, precision),
                    None => format!(concat!("{:", $flags, "1$", $style, "}"), value, width),
                }
            };
        }
        let text = match (spec.plus, spec.alternate, spec.zero) {
            (false, false, false) => flags!(""),
            (false, false, true) => flags!("0"),
            (false, true, false) => flags!("#"),
            (false, true, true) => flags!("#0"),
            (true, false, false) => flags!("+"),
            (true, false, true) => flags!("+0"),
            (true, true, false) => flags!("+#"),
            (true, true, true) => flags!("+#0"),
        };
        if spec.zero { text } else { pad(text, spec, Align::Right) }
    }};
}

/// An integer: decimal by its value, the others by its bits.
fn int<D, B>(value: D, bits: B, spec: &Spec) -> String
where
    D: Display + Debug + LowerExp + UpperExp,
    B: LowerHex + UpperHex + Octal + Binary,
{
    match spec.style {
        Style::Display => formatted!(value, spec, ""),
        Style::Debug => formatted!(value, spec, "?"),
        Style::LowerExp => formatted!(value, spec, "e"),
        Style::UpperExp => formatted!(value, spec, "E"),
        Style::LowerHex => formatted!(bits, spec, "x"),
        Style::UpperHex => formatted!(bits, spec, "X"),
        Style::Octal => formatted!(bits, spec, "o"),
        Style::Binary => formatted!(bits, spec, "b"),
    }
}

/// A float. It has no hexadecimal, octal or binary form: rustc has refused those.
fn float<F: Display + Debug + LowerExp + UpperExp>(value: F, spec: &Spec) -> String {
    match spec.style {
        Style::Display | Style::LowerHex | Style::UpperHex | Style::Octal | Style::Binary => {
            formatted!(value, spec, "")
        }
        Style::Debug => formatted!(value, spec, "?"),
        Style::LowerExp => formatted!(value, spec, "e"),
        Style::UpperExp => formatted!(value, spec, "E"),
    }
}

/// A 16-bit float: `half` shows it as the `f32` it is, by its bits in the forms that other floats lack, and knows no
/// flags but of the plain forms.
fn half_float<F: Copy + Display + Debug + Into<f32>>(value: F, bits: u16, spec: &Spec) -> String {
    match spec.style {
        Style::Display => formatted!(value, spec, ""),
        Style::Debug => formatted!(value, spec, "?"),
        Style::LowerExp => format!("{:e}", value.into()),
        Style::UpperExp => format!("{:E}", value.into()),
        Style::LowerHex => format!("{bits:x}"),
        Style::UpperHex => format!("{bits:X}"),
        Style::Octal => format!("{bits:o}"),
        Style::Binary => format!("{bits:b}"),
    }
}

fn pad(text: String, spec: &Spec, natural: Align) -> String {
    let missing = spec.width.saturating_sub(text.chars().count());
    let before = match spec.align.unwrap_or(natural) {
        Align::Left => 0,
        Align::Center => missing / 2,
        Align::Right => missing,
    };
    let fill = |count| std::iter::repeat_n(spec.fill, count);
    fill(before).chain(text.chars()).chain(fill(missing - before)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(pieces: &[(&str, Spec)]) -> Message {
        let holes = pieces.iter().enumerate();
        Message(
            holes
                .flat_map(|(i, (text, spec))| {
                    [Piece::Text((*text).into()), Piece::Value { value: i as u32, spec: *spec }]
                })
                .collect(),
        )
    }

    #[test]
    fn values_look_as_std_formats_them() {
        let debug = Spec::plain(Style::Debug);
        let display = Spec::plain(Style::Display);
        let types = [
            Type::Scalar(Scalar::F32),
            Type::Scalar(Scalar::I8),
            Type::Tuple(vec![Type::Scalar(Scalar::U128), Type::Tuple(vec![Type::Scalar(Scalar::Bool)])]),
            Type::UNIT,
        ];
        let words = [u64::from(1.0f32.to_bits()), 0xff, 7, u64::MAX, 1];
        let said = message(&[("a ", debug), (" b ", display), (" c ", debug), (" d ", debug)]).render(&types, &words);
        assert_eq!(
            said,
            format!("a {:?} b {} c {:?} d {:?}", 1.0f32, -1i8, (u128::from(u64::MAX) << 64 | 7, (true,)), ())
        );
    }

    #[test]
    fn flags_widths_and_precisions_are_those_of_std() {
        let one = |spec, ty, bits| message(&[("", spec)]).render(&[Type::Scalar(ty)], &[bits]);
        let plain = Spec::plain(Style::Display);
        let hex = Spec { zero: true, alternate: true, width: 8, ..Spec::plain(Style::LowerHex) };
        assert_eq!(one(hex, Scalar::I16, 0xfffe), format!("{:#08x}", -2i16));
        for bits in [-1.5f64, 1e300, f64::NAN, f64::INFINITY, -0.0].map(f64::to_bits) {
            let value = f64::from_bits(bits);
            for style in [Style::Display, Style::Debug] {
                let spec = |zero, plus| Spec { zero, plus, width: 9, precision: Some(2), ..Spec::plain(style) };
                let debug = style == Style::Debug;
                let want = if debug { format!("{value:+09.2?}") } else { format!("{value:+09.2}") };
                assert_eq!(one(spec(true, true), Scalar::F64, bits), want);
                let want = if debug { format!("{value:9.2?}") } else { format!("{value:9.2}") };
                assert_eq!(one(spec(false, false), Scalar::F64, bits), want);
            }
            let exp = Spec { precision: Some(3), ..Spec::plain(Style::UpperExp) };
            assert_eq!(one(exp, Scalar::F64, bits), format!("{value:.3E}"));
        }
        let center = Spec { fill: '*', align: Some(Align::Center), width: 6, ..plain };
        assert_eq!(one(center, Scalar::U8, 7), format!("{:*^6}", 7));
        assert_eq!(one(center, Scalar::Bool, 1), format!("{:*^6}", true));
        assert_eq!(one(Spec { width: 6, ..plain }, Scalar::Bool, 0), format!("{:6}|", false).replace('|', ""));
        assert_eq!(one(Spec { zero: true, width: 6, ..plain }, Scalar::Bool, 0), format!("{:06}", false));
        assert_eq!(one(Spec { zero: true, width: 6, ..plain }, Scalar::I32, -5i32 as u32 as u64), format!("{:06}", -5));
    }
}
