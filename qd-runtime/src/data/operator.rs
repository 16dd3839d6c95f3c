//! Operators: whether one is the language's own or a function of a type of the user, as rustc resolved it.
//!
//! In the never-run copy the operands of an operator that may be a user's go through an [`OperatorTap`]; the operator
//! stays as it is, so rustc infers as for the operator itself. What its operands' types mean to kernels is said by
//! [`Operate`]: for numbers, vectors and the like here, for a user's types by the macro on the `impl` of the operator. A
//! type whose `impl` no macro has seen is a compile error.
use std::marker::PhantomData;

use super::element::{Scalar, for_each_tuple};
use super::func::{CallRef, FuncDesc, Returned};
use super::linear::{Matrix, Vector};
use super::number::Number;
use super::tap::{Report, Reports};

/// What a call or an operator is.
#[derive(Debug, Clone, Copy)]
pub enum Called {
    /// A function.
    Function(CallRef),
    /// The language's own operator.
    Builtin,
    /// An operator that works part by part, and on some parts is a function.
    Parts(&'static str),
    /// A function that by its path seems to be the language's own; its name, as rustc tells types.
    Presumed(&'static str),
}

/// What an operator of two types is in kernels; of one operand, the other is `()`.
#[diagnostic::on_unimplemented(
    message = "kernels don't know this operator of `{Self}` (with `{R}`) [QD0038]",
    label = "an operator whose `impl` has no `#[qd::funcs]`",
    note = "write `#[qd::funcs]` on the `impl` of the operator, and in it the function of each operator used, `le` for `<=`",
    note = "for comparisons write `#[qd(PartialEq)]` or `#[qd(PartialEq, PartialOrd)]` beside `#[derive(qd::Data)]`, in place of std's derives",
    note = "a type parameter needs the operator's trait as a bound, by its own name, such as `T: Add<Output = T>`"
)]
pub trait Operate<O, R> {
    /// What it is, as a type: where an operator is none of kernels there is none, and rustc says nothing further.
    type Known: Known;
}

/// What a conversion `T::from(value)` of an `R`, or `into()`, is in kernels.
#[diagnostic::on_unimplemented(
    message = "kernels don't know this conversion of `{R}` to `{Self}` [QD0013]",
    label = "a conversion whose `impl From<{R}> for {Self}` has no `#[qd::funcs]`",
    note = "write `#[qd::funcs]` on that `impl`",
    note = "a type parameter needs the bound that makes it a number, such as `T: qd::Float`, or `T: From<..>` or `Into<..>`"
)]
pub trait Convert<R> {
    /// What it is, as a type.
    type Known: Known;
}

// Which there are rustc says of the conversion itself.
#[diagnostic::do_not_recommend]
impl<T: super::named::Builtin, R: super::named::Builtin> Convert<R> for T {
    type Known = Builtin<()>;
}

/// What is known of an operator.
pub trait Known {
    /// What it is.
    fn operator() -> Called;
}

/// One of numbers and the like, of these types.
pub struct Builtin<T>(PhantomData<T>);

impl<T> Known for Builtin<T> {
    fn operator() -> Called {
        Called::Builtin
    }
}

/// A user's, of these operands.
pub struct Seen<O, L, R>(PhantomData<(O, L, R)>);

impl<O, L: Described<O, R>, R> Known for Seen<O, L, R> {
    fn operator() -> Called {
        L::operator()
    }
}

/// What a macro has seen of the `impl` of an operator.
pub trait Described<O, R> {
    /// What it is.
    fn operator() -> Called;
}

/// One that works part by part, as these types say.
pub struct Parts<O, P>(PhantomData<(O, P)>);

/// An operator.
pub trait Operator {
    /// As it is written.
    const TEXT: &'static str;
}

macro_rules! operators {
    ($($name:ident $text:literal;)*) => { $(
        #[doc = concat!("`", $text, "`")]
        pub struct $name;
        impl Operator for $name {
            const TEXT: &'static str = $text;
        }
    )* };
}
operators! {
    Add "+"; Sub "-"; Mul "*"; Div "/"; Rem "%"; BitAnd "&"; BitOr "|"; BitXor "^"; Shl "<<"; Shr ">>";
    AddAssign "+="; SubAssign "-="; MulAssign "*="; DivAssign "/="; RemAssign "%=";
    BitAndAssign "&="; BitOrAssign "|="; BitXorAssign "^="; ShlAssign "<<="; ShrAssign ">>=";
    Conversion "from"; Neg "-"; Not "!"; Eq "=="; Ne "!="; Lt "<"; Le "<="; Gt ">"; Ge ">=";
}

// Whether there is such an operator of numbers rustc says of the operator itself. What is missing is no number.
#[diagnostic::do_not_recommend]
impl<O, T: Scalar, R: Scalar> Operate<O, R> for T {
    type Known = Builtin<(T::Itself, R::Itself)>;
}

macro_rules! linear {
    ($([$($generics:tt)*] $left:ty, $right:ty;)*) => { $(
        impl<O, $($generics)*> Operate<O, $right> for $left {
            type Known = Builtin<()>;
        }
    )* };
}
linear! {
    [T: Scalar] T, ();
    [T: Number, const N: usize] Vector<T, N>, ();
    [T: Number, const N: usize] Vector<T, N>, Vector<T, N>;
    [T: Number, const N: usize] Vector<T, N>, T;
    [T: Number, const N: usize] T, Vector<T, N>;
    [T: Number, const R: usize, const C: usize] Matrix<T, R, C>, ();
    [T: Number, const R: usize, const C: usize] Matrix<T, R, C>, T;
    [T: Number, const R: usize, const C: usize] T, Matrix<T, R, C>;
    [T: Number, const R: usize, const C: usize] Matrix<T, R, C>, Vector<T, C>;
    [T: Number, const R: usize, const K: usize, const L: usize, const C: usize] Matrix<T, R, K>, Matrix<T, L, C>;
}

impl<O> Operate<O, ()> for () {
    type Known = Builtin<()>;
}

/// Of what works part by part.
fn parts<O: Operator>(all: &[Called]) -> Called {
    let builtin = all.iter().all(|part| matches!(part, Called::Builtin));
    if builtin { Called::Builtin } else { Called::Parts(O::TEXT) }
}

impl<O: Operator, T: Operate<O, T>, const N: usize> Operate<O, [T; N]> for [T; N] {
    type Known = Parts<O, (T::Known,)>;
}

macro_rules! tuple {
    ($($part:ident $_p:ident)*) => {
        impl<O: Operator, $($part: Operate<O, $part>),*> Operate<O, ($($part,)*)> for ($($part,)*) {
            type Known = Parts<O, ($($part::Known,)*)>;
        }
        impl<O: Operator, $($part: Known),*> Known for Parts<O, ($($part,)*)> {
            fn operator() -> Called {
                parts::<O>(&[$($part::operator()),*])
            }
        }
    };
}
for_each_tuple!(tuple);

/// A function that is an operator.
pub fn function(func: FuncDesc) -> Called {
    Called::Function(CallRef::of(func))
}

/// The operands of an operator in the never-run copy of a body; of one operand, the other is `()`.
pub struct OperatorTap<L, R>(PhantomData<(L, R)>);

/// Gives the only operand back.
pub fn alone<L>(_: &OperatorTap<L, ()>, operand: L) -> Returned<L> {
    Returned { result: operand }
}

/// Gives the left operand back.
pub fn left<L, R>(_: &OperatorTap<L, R>, operand: L) -> L {
    operand
}

/// Gives the right operand back.
pub fn right<L, R>(_: &OperatorTap<L, R>, operand: R) -> R {
    operand
}

/// Looks at the place that is updated.
pub fn updated<L, R>(_: &OperatorTap<L, R>, _: &L) {}

/// What is told of an operator of two operands.
pub fn known<O, L: Operate<O, R>, R>(_: &OperatorTap<L, R>) -> Told<L::Known> {
    Told(PhantomData)
}

/// What is told of a conversion.
pub fn converted<L: Convert<R>, R>(_: &OperatorTap<L, R>) -> Told<L::Known> {
    Told(PhantomData)
}

/// What is told of an operator of one operand.
pub fn known_alone<O, L: Operate<O, ()>>(_: &OperatorTap<L, ()>) -> Told<L::Known> {
    Told(PhantomData)
}

/// What is told of an operator.
pub struct Told<K>(PhantomData<K>);

impl<K: Known> Report for Told<K> {
    fn report(into: &mut Reports) {
        into.call(K::operator());
    }
}

/// A type whose `op=` rustc compiles itself, so that the value comes before the place. In generic code a type parameter
/// is none, whatever it stands for: there `op=` calls the function of its trait, which takes the place first.
pub trait Primitive {}

macro_rules! primitives {
    ($($ty:ident)*) => { $(impl Primitive for $ty {})* };
}
primitives! { bool i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 }

/// An update in the never-run copy of a body.
pub struct UpdateTap<L>(PhantomData<fn() -> L>);

impl<L> UpdateTap<L> {
    /// The tap of an update of a type to be inferred.
    #[expect(clippy::new_without_default, reason = "only generated code makes taps")]
    pub const fn new() -> Self {
        UpdateTap(PhantomData)
    }

    /// Looks at the place that is updated.
    pub fn at(&self, _: &L) {}
}

/// Says of an update of a [`Primitive`] which comes first, before [`PlaceFirst`] is looked at.
pub trait ValueFirst {
    /// Whether the place does.
    fn place_first(&self) -> bool {
        false
    }
}

/// Says of any update which comes first.
pub trait PlaceFirst {
    /// Whether the place does.
    fn place_first(&self) -> bool {
        true
    }
}

impl<L: Primitive> ValueFirst for UpdateTap<L> {}
impl<L> PlaceFirst for &UpdateTap<L> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::needless_borrow)] // which of the traits is found depends on it
    fn the_code_decides_what_comes_first_and_not_its_instance() {
        fn generic<T: Number>(value: T) -> bool {
            let tap = UpdateTap::new();
            tap.at(&value);
            (&tap).place_first()
        }
        fn concrete(value: u32) -> bool {
            let (tap, literal) = (UpdateTap::new(), UpdateTap::new());
            tap.at(&value);
            literal.at(&1);
            (&tap).place_first() || (&literal).place_first()
        }
        assert!(generic(1u32) && !concrete(1));
    }
}
