//! Coded messages: what is wrong, on the smallest span, and what to write instead.
//!
//! Every refusal of the macros is a row of [`Code`]. Messages are collected, so that one build shows them all; after
//! [`CAP`] of them the rest is noise. Type errors and unknown names are rustc's to report, never ours.
use crate::reach::Reach;
use std::fmt::{self, Display};

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use crate::nesting;

/// So many messages are shown for one kernel.
pub const CAP: usize = 20;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal;)*) => {
        /// The rules whose breach the macros report. Numbers are never reused.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $($(#[$doc])* $name = $number,)* }

        #[cfg(test)]
        impl Code {
            /// Every rule.
            pub const ALL: &'static [Code] = &[$(Code::$name),*];
        }
    };
}

codes! {
    /// The attribute stands on something that is no function.
    NotAFunction = 1;
    /// An option of the attribute that doesn't exist.
    Option = 2;
    /// `unsafe`, `async`, `const`, `extern` and variadic kernels.
    Qualifier = 3;
    /// `self` parameters.
    Receiver = 4;
    /// `impl Trait`, and other types that can't be parameters.
    ParamType = 5;
    /// Type parameters without a bound.
    Generic = 6;
    /// A result that borrows.
    ResultType = 7;
    /// `#[cfg]` inside the body.
    Cfg = 8;
    /// Other attributes inside the body or on parameters.
    Attribute = 9;
    /// Patterns that can fail where nothing says what happens then, bind by reference, or leave parts out.
    Pattern = 10;
    /// Items inside the body that aren't constants, types or imports.
    Item = 11;
    /// Calls of what is no function of kernels, and functions of too many parameters.
    Call = 12;
    /// Methods outside the table.
    Method = 13;
    /// Macro calls.
    Macro = 14;
    /// Closures.
    Closure = 15;
    /// References, dereferences and raw pointers.
    Reference = 16;
    /// `let` conditions where there is no `if` or `while`.
    Match = 17;
    /// Text, ranges and other values that kernels don't have.
    Value = 18;
    /// What a `for` runs over; for parallel loops also in which type it counts.
    Domain = 19;
    /// `break` and `return` out of a parallel loop.
    Exit = 20;
    /// `?`, `async`, `await`, `yield`.
    Flow = 21;
    /// A value carried from one iteration of a parallel loop to another.
    Carried = 22;
    /// An array used as a value.
    ArrayValue = 23;
    /// Parts of arrays, by a range as index.
    IndexBase = 24;
    /// Malformed calls of `qd::atomic`.
    Atomic = 25;
    /// Two iterations may access one element.
    Race = 26;
    /// Control flow round parallel loops that the launch plan has no form for.
    Plan = 27;
    /// What can't be assigned to.
    Place = 28;
    /// Primitive types that kernels don't have, and numbers beyond 128 bits.
    Width = 29;
    /// Types that aren't scalars, after `as` and before `::`.
    TypeName = 30;
    /// A variable without a value.
    Uninit = 31;
    /// Array parameters whose `&` is hidden behind a type alias.
    Alias = 33;
    /// A function that calls itself.
    Recursion = 34;
    /// Types that `derive(Data)` can't make values, or `derive(Bundle)` bundles.
    Derive = 35;
    /// Iterators: what of their methods, and in which place, kernels don't have.
    Chain = 36;
    /// What looks like the extreme of a parallel loop's values and isn't one.
    Extreme = 37;
    /// Traits of std whose methods kernels don't call.
    Operator = 38;
    /// Source that nests too deep for the compiler's stack.
    Depth = 39;
    /// Variables that hold too many numbers.
    Size = 40;
    /// Malformed calls of `qd::scatter`.
    Scatter = 41;
    /// A function with the name of a primitive type, or with a name that begins like a type's.
    Name = 42;
}

impl Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QD{:04}", *self as u16)
    }
}

/// A message.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    /// The rule.
    pub code: Code,
    /// The place.
    pub reach: Reach,
    /// What is wrong and why.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl Diagnostic {
    /// The tokens that make rustc report it.
    fn to_tokens(&self) -> TokenStream {
        let text = format!("{} [{}]\nhelp: {}", self.message, self.code, self.help);
        let ends = [self.reach.start, self.reach.end].map(|span| proc_macro2::Ident::new("_", span));
        let [start, end] = ends;
        syn::Error::new_spanned(quote::quote!(#start #end), text).to_compile_error()
    }
}

/// The messages about one item.
#[derive(Debug, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// The item an attribute stands on; or the item as it was, with messages: broken syntax as the parser saw it, another
    /// kind of item with `what` and `help`.
    pub fn item<T: syn::parse::Parse>(&mut self, item: &TokenStream, what: &str, help: &str) -> Result<T, TokenStream> {
        if let Some(at) = nesting::too_deep(item) {
            self.push(
                Code::Depth,
                Reach { start: at, end: at },
                "this nests too deep for the compiler's stack: blocks in blocks, or one long chain of operators or `else`",
                "name parts of it, `let sum = a + b;`, move inner blocks into `#[qd::func]` functions, or write a `match`",
            );
            let errors = self.to_tokens();
            return Err(quote!(#item #errors));
        }
        syn::parse2(item.clone()).map_err(|error| {
            let errors = match syn::parse2::<syn::Item>(item.clone()) {
                Ok(_) => {
                    self.on(Code::NotAFunction, item, what, help);
                    self.to_tokens()
                }
                Err(_) => error.to_compile_error(),
            };
            quote!(#item #errors)
        })
    }

    /// Adds a message.
    pub fn push(&mut self, code: Code, at: Reach, message: impl Display, help: impl Display) {
        if self.0.len() < CAP {
            self.0.push(Diagnostic { code, reach: at, message: message.to_string(), help: help.to_string() });
        }
    }

    /// Adds a message about a piece of syntax.
    pub fn on(&mut self, code: Code, at: &impl ToTokens, message: impl Display, help: impl Display) {
        self.push(code, Reach::of(at), message, help);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there is nothing to report.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The messages in order.
    #[cfg(test)]
    pub fn list(&self) -> &[Diagnostic] {
        &self.0
    }

    /// The tokens that make rustc report them.
    pub fn to_tokens(&self) -> TokenStream {
        self.0.iter().map(Diagnostic::to_tokens).collect()
    }
}

/// The known name nearest to a misspelt one.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, best) = known.into_iter().map(|k| (strsim::damerau_levenshtein(name, k), k)).min()?;
    (distance <= 1 + name.len() / 4).then_some(best)
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    #[test]
    fn codes_are_distinct_and_print_with_four_digits() {
        let texts: std::collections::BTreeSet<String> = Code::ALL.iter().map(Code::to_string).collect();
        assert_eq!(texts.len(), Code::ALL.len());
        assert_eq!(Code::NotAFunction.to_string(), "QD0001");
    }

    #[test]
    fn what_the_types_show_has_the_same_codes() {
        for refusal in qd_ir::refusal::Refusal::ALL.iter().filter(|refusal| (**refusal as u16) < 100) {
            let same = |code: &&Code| **code as u16 == *refusal as u16 && format!("{code:?}") == format!("{refusal:?}");
            assert!(Code::ALL.iter().any(|code| same(&code)), "{refusal:?}");
        }
        assert!(Code::ALL.iter().all(|code| (*code as u16) < 100));
    }

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        assert_eq!(nearest("sqr", ["sin", "sqrt", "powi"]), Some("sqrt"));
        assert_eq!(nearest("collect", ["sin", "sqrt", "powi"]), None);
    }

    #[test]
    fn no_more_than_the_cap() {
        let mut all = Diagnostics::default();
        for _ in 0..2 * CAP {
            all.push(Code::Call, Reach { start: Span::call_site(), end: Span::call_site() }, "m", "h");
        }
        assert_eq!(all.list().len(), CAP);
    }
}
