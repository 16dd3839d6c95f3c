//! What the surroundings of an expression say about its type.
//!
//! rustc types a literal from its surroundings. The macro taps every binding and wraps what those don't reach, so five
//! rules are enough: the type beside it (other operand, parameter of a method, element, binding), `usize` for an index,
//! the target of a cast directly round it if of its class, and where nothing can constrain it Rust's own fallback.
use crate::types::{Scalar, Type};

/// What is known about a type from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hint {
    /// Nothing constrains it: a literal falls back to `i32` or `f64`.
    Free,
    /// Operand of `as`: a literal directly under it takes the target's type if it is of its class.
    Cast(Scalar),
    /// The type.
    Type(Type),
    /// A tuple, or in an assignment an array, of which parts are known.
    Tuple(Vec<Hint>),
}

impl Hint {
    /// The hint for a scalar type.
    pub fn scalar(ty: Scalar) -> Hint {
        Hint::Type(Type::Scalar(ty))
    }

    /// The hint for part `index` of a tuple.
    pub fn part(&self, index: usize) -> Hint {
        match self {
            Hint::Free | Hint::Cast(_) => Hint::Free,
            Hint::Type(Type::Tuple(parts)) => parts.get(index).cloned().map_or(Hint::Free, Hint::Type),
            Hint::Type(
                Type::Scalar(_)
                | Type::Struct(_)
                | Type::Enum { .. }
                | Type::Fixed(..)
                | Type::Vector(..)
                | Type::Matrix(..)
                | Type::Array { .. }
                | Type::Never,
            ) => Hint::Free,
            Hint::Tuple(parts) => parts.get(index).cloned().unwrap_or(Hint::Free),
        }
    }

    /// The hint for an operand that a cast's target doesn't reach.
    pub fn without_cast(&self) -> Hint {
        match self {
            Hint::Cast(_) => Hint::Free,
            Hint::Free | Hint::Type(_) | Hint::Tuple(_) => self.clone(),
        }
    }

    /// The type of a literal that stands here; `None` if a literal can't have the type asked for.
    pub fn literal(&self, float: bool) -> Option<Scalar> {
        let fits = |s: &Scalar| if float { s.is_float() } else { s.is_int() };
        let fallback = if float { Scalar::F64 } else { Scalar::I32 };
        match self {
            Hint::Free => Some(fallback),
            Hint::Cast(target) => Some(if fits(target) { *target } else { fallback }),
            Hint::Type(Type::Scalar(s)) => fits(s).then_some(*s),
            Hint::Type(
                Type::Tuple(_)
                | Type::Struct(_)
                | Type::Enum { .. }
                | Type::Fixed(..)
                | Type::Vector(..)
                | Type::Matrix(..)
                | Type::Array { .. }
                | Type::Never,
            )
            | Hint::Tuple(_) => None,
        }
    }

    /// True if a value of type `ty` may stand here.
    pub fn accepts(&self, ty: &Type) -> bool {
        match self {
            Hint::Free | Hint::Cast(_) => true,
            Hint::Type(wanted) => wanted == ty,
            Hint::Tuple(hints) => match ty {
                Type::Tuple(parts) => hints.len() == parts.len() && hints.iter().zip(parts).all(|(h, t)| h.accepts(t)),
                // `[a, b] = ..`
                Type::Fixed(element, len) => hints.len() == *len as usize && hints.iter().all(|h| h.accepts(element)),
                Type::Scalar(_)
                | Type::Struct(_)
                | Type::Enum { .. }
                | Type::Vector(..)
                | Type::Matrix(..)
                | Type::Array { .. }
                | Type::Never => false,
            },
        }
    }
}

impl std::fmt::Display for Hint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Hint::Free | Hint::Cast(_) => f.write_str("_"),
            Hint::Type(ty) => ty.fmt(f),
            Hint::Tuple(parts) => {
                f.write_str("(")?;
                parts.iter().try_for_each(|p| write!(f, "{p}, "))?;
                f.write_str(")")
            }
        }
    }
}
