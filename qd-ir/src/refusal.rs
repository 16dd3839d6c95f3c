//! Codes of what only rustc's types, or the functions called, show not to be part of the language: such a refusal comes
//! with the first launch.
//!
//! Numbers below 100 are those of the macro, which says the same of what it sees in the source. Numbers are never reused.
use std::fmt;

macro_rules! refusals {
    ($($(#[doc = $about:literal])* $name:ident = $number:literal;)*) => {
        /// A rule of the language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Refusal { $($(#[doc = $about])* $name = $number,)* }

        impl Refusal {
            /// Every rule.
            pub const ALL: &'static [Refusal] = &[$(Refusal::$name),*];

            /// What the rule is about.
            pub fn about(self) -> &'static str {
                match self {
                    $(Refusal::$name => concat!($($about),*).trim_ascii(),)*
                }
            }
        }
    };
}

refusals! {
    /// Values that iterations of a parallel loop combine: of types that aren't combined, or in two ways.
    Carried = 22;
    /// Atomics on what has none.
    Atomic = 25;
    /// Functions that reach themselves.
    Recursion = 34;
    /// Iterators over values that their methods don't combine.
    Chain = 36;
    /// Extremes of keys that have no order, or with values that can't be computed in every iteration.
    Extreme = 37;
    /// Variables that hold too many numbers.
    Size = 40;
    /// Comparisons, `min` and `max` of values that only rustc sees how to compare.
    Compare = 101;
    /// Operators and methods of numbers, on values that aren't numbers.
    Scalars = 102;
    /// Methods of vectors and matrices, on other values.
    Linear = 103;
    /// Indices into values that are no arrays, or arrays of length 0.
    NoArray = 104;
    /// Conversions between types that kernels don't convert.
    Convert = 105;
    /// Values that messages can't show.
    Shown = 106;
    /// Operators of one's own types, where only those of the language can stand.
    OwnOperator = 107;
    /// A name that means a function of kernels and another function.
    Names = 108;
    /// Calls that make a kernel too long when they are inlined.
    Calls = 109;
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QD{:04}", *self as u16)
    }
}
