//! Taps: how rustc's inferred types reach the run time.
//!
//! Beside each kernel the macro emits a copy of its body that never runs. In it, zero-size [`Tap`]s stand where the
//! types matter: `id(&tap, 1 << 3)` round subtrees of only literals, `look((a, b))` of bindings at the end of their block. What
//! they saw becomes, block by block, one value of nested tuples, whose type says it all: [`Report`]. That it can be
//! reported is asked where the expression stands, and gives an associated type, without lifetimes, which goes into that
//! value. What can't be reported has none, so rustc says it there and nothing further.
use std::marker::PhantomData;

use qd_ir::sketch::Constant;
use qd_ir::types::{self, Const, Type};
use qd_ir::words;

use super::arg::array;
use super::array::NdArray;
use super::element::{Data, Erase, Scalar, for_each_tuple};
use super::operator::Called;

/// The erased `&NdArray<T, N>` or `&[T]`.
#[doc(hidden)]
pub struct Shared<T, const N: usize>(PhantomData<T>);

/// The erased `&mut NdArray<T, N>` or `&mut [T]`.
#[doc(hidden)]
pub struct Exclusive<T, const N: usize>(PhantomData<T>);

/// An erased type that the IR knows.
#[doc(hidden)]
pub trait KernelType {
    /// The type as the IR knows it.
    fn ty() -> Type;
}

/// What the taps of a copy saw.
#[derive(Default)]
pub struct Reports {
    types: Vec<Type>,
    calls: Vec<Called>,
}

impl Reports {
    /// Adds a call.
    pub(crate) fn call(&mut self, call: Called) {
        self.calls.push(call);
    }
}

/// What tells the types and calls it stands for.
#[diagnostic::on_unimplemented(
    message = "internal error of qd: `{Self}` tells nothing",
    note = "please report it with the kernel"
)]
pub trait Report {
    /// Tells them, in order.
    fn report(into: &mut Reports);
}

impl Report for () {
    fn report(_: &mut Reports) {}
}

/// A group of bindings.
#[diagnostic::on_unimplemented(
    message = "internal error of qd: a tap was given `{Self}`",
    note = "please report it with the kernel"
)]
pub trait Group {
    /// The group without lifetimes.
    type Out;
}

/// A group that was looked at, without lifetimes.
pub struct Looked<G>(PhantomData<fn(G)>);

/// Looks at a group of one to twelve bindings: `look((a, b))`. In a copy that never runs it may take them all.
pub fn look<G: Group<Out = T>, T>(_: G) -> Looked<T> {
    Looked(PhantomData)
}

impl<T: Data> KernelType for T {
    fn ty() -> Type {
        <T as Data>::qd_type()
    }
}
/// Tuples and fixed arrays, by the types of their parts.
#[doc(hidden)]
pub struct Parts<P>(PhantomData<P>);

impl<T: KernelType, const N: usize> KernelType for Parts<[T; N]> {
    fn ty() -> Type {
        // That they are so few is asserted where the array itself is told.
        Type::Fixed(Box::new(T::ty()), N as u32)
    }
}

macro_rules! tuple {
    ($($part:ident $_p:ident)*) => {
        impl<$($part: KernelType),*> KernelType for Parts<($($part,)*)> {
            fn ty() -> Type {
                Type::Tuple(vec![$($part::ty()),*])
            }
        }
        impl<$($part: Shown),*> Shown for ($($part,)*) {}
        impl<$($part: Erase),*> Group for ($($part,)*) {
            type Out = ($($part::QdErased,)*);
        }
        impl<$($part: KernelType),*> Report for Looked<($($part,)*)> {
            fn report(into: &mut Reports) {
                into.types.extend([$($part::ty()),*]);
            }
        }
        impl<$($part: Report),*> Report for ($($part,)*) {
            fn report(into: &mut Reports) {
                $($part::report(into);)*
            }
        }
    };
}
for_each_tuple!(tuple);

impl<T: Data, const N: usize> Erase for &NdArray<T, N> {
    type QdErased = Shared<T, N>;
}
impl<T: Data, const N: usize> Erase for &mut NdArray<T, N> {
    type QdErased = Exclusive<T, N>;
}
impl<T: Data> Erase for &[T] {
    type QdErased = Shared<T, 1>;
}
impl<T: Data> Erase for &mut [T] {
    type QdErased = Exclusive<T, 1>;
}
impl<T: Data, const N: usize> KernelType for Shared<T, N> {
    fn ty() -> Type {
        array::<T>(N, false)
    }
}
impl<T: Data, const N: usize> KernelType for Exclusive<T, N> {
    fn ty() -> Type {
        array::<T>(N, true)
    }
}

/// A place in the never-run copy of a kernel whose type rustc infers.
pub struct Tap<T>(PhantomData<fn(T) -> T>);

impl<T> Tap<T> {
    /// A tap of a type to be inferred.
    #[expect(clippy::new_without_default, reason = "only generated code makes taps")]
    pub const fn new() -> Self {
        Tap(PhantomData)
    }

    /// Takes all that the taps of a copy saw.
    pub fn tell(&self, _: T) {}

    /// The types that rustc chose and what is called, each in the place of its number: `types` and `calls` are the numbers,
    /// in 32 bits each, of what is told first, second and so on. Where there are none, each is its own place.
    pub fn told(&self, types: &[u8], calls: &[u8]) -> (Vec<Type>, Vec<Called>)
    where
        T: Report,
    {
        let mut reports = Reports::default();
        T::report(&mut reports);
        (placed(reports.types, types), placed(reports.calls, calls))
    }
}

/// Gives the value back, so that its type is the tap's.
pub fn id<T>(_: &Tap<T>, value: T) -> T {
    value
}

/// Gives the value back, which may be a reference: its type without lifetimes is the tap's.
pub fn erased<T, V: Erase<QdErased = T>>(_: &Tap<T>, value: V) -> V {
    value
}

/// Gives a fixed array back.
pub fn fixed<'a, T, E, const N: usize>(_: &Tap<T>, array: &'a [E; N]) -> &'a [E; N]
where
    [E; N]: Erase<QdErased = T>,
{
    array
}

/// Gives a fixed array back, to be written to.
pub fn fixed_mut<'a, T, E, const N: usize>(_: &Tap<T>, array: &'a mut [E; N]) -> &'a mut [E; N]
where
    [E; N]: Erase<QdErased = T>,
{
    array
}

/// Looks at the place that a method by the name of one of std's is called on.
pub fn at<T>(_: &Tap<T>, _: &T) {}

/// What a tap tells of its expression.
pub fn reported<T: Data>(_: &Tap<T>) -> Expression<T::QdKnown> {
    Expression(PhantomData)
}

/// The type of an expression.
pub struct Expression<T>(PhantomData<fn(T)>);

impl<T: KernelType> Report for Expression<T> {
    fn report(into: &mut Reports) {
        into.types.push(T::ty());
    }
}

/// What was told, by its numbers.
fn placed<T>(told: Vec<T>, numbers: &[u8]) -> Vec<T> {
    if numbers.is_empty() {
        return told;
    }
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte));
    let mut numbered: Vec<(u32, T)> = numbers.chunks(4).map(number).zip(told).collect();
    numbered.sort_by_key(|(number, _)| *number);
    numbered.into_iter().map(|(_, told)| told).collect()
}

/// A constant's value for the IR.
pub fn constant<T: Data>(value: T) -> Constant {
    let mut carried = Vec::with_capacity(T::QD_WORDS);
    value.qd_to_words(&mut |word| carried.push(word));
    let mut parts = Vec::with_capacity(T::QD_WORDS);
    let mut next = 0;
    T::qd_layout(0, &mut |ty, _| {
        parts.push(Const { ty, bits: words::get(ty, &carried[next..]) });
        next += ty.words();
    });
    Constant { ty: T::ty(), parts }
}

/// What a message of a kernel can show: numbers, `bool`, and tuples and arrays of them, which `std::fmt` formats alike
/// everywhere. A struct formats itself by code that kernels don't know.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` can't be shown by a kernel [QD0014]",
    note = "the messages of a kernel show numbers, `bool`, and tuples and arrays of these"
)]
pub trait Shown {}

impl Shown for () {}
impl<T: Shown> Shown for &T {}
impl<T: Shown> Shown for &mut T {}
impl<T: Shown, const N: usize> Shown for [T; N] {}

/// Accepts what a message can show.
pub fn shown<T: Shown>(_: &T) {}

/// The scalar that a type in the source (an alias, a type parameter) stands for.
pub fn scalar_of<T: Scalar>() -> types::Scalar {
    T::SCALAR
}

/// An integer cast `Self as To` that gives different results for different values.
#[diagnostic::on_unimplemented(
    message = "the cast from `{Self}` to `{To}` can map two iterations to one element [QD0026]",
    label = "a cast of the loop variable that drops bits",
    note = "an index that separates the iterations must keep every bit of the loop variable: use `as usize`; or run the \
            iterations in order, by `#[qd::serial]` before the loop"
)]
pub trait Injective<To> {}

macro_rules! injective {
    ($([$($from:ident)*] -> $to:tt;)*) => { $($(injective! { @from $from $to })*)* };
    (@from $from:ident [$($to:ident)*]) => { $(impl Injective<$to> for $from {})* };
}
injective! {
    [i8 u8] -> [i8 u8 i16 u16 i32 u32 i64 u64 isize usize];
    [i16 u16] -> [i16 u16 i32 u32 i64 u64 isize usize];
    [i32 u32] -> [i32 u32 i64 u64 isize usize];
    [i64 u64 isize usize] -> [i64 u64 isize usize];
}

/// An integer that every loop can count in.
#[diagnostic::on_unimplemented(
    message = "this loop can't count in `{Self}` [QD0019]",
    label = "a loop over `{Self}` that numbers its iterations",
    note = "parallel loops, loops round them, `..=`, `rev` and `step_by` number iterations in 64 bits: loop over `u64`, \
            `i64` or `usize`, and widen the variable inside",
    note = "`a..b` inside loops and in serial code counts in every integer type"
)]
pub trait Counter {}

macro_rules! counters {
    ($($ty:ident)*) => { $(impl Counter for $ty {})* };
}
counters! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

/// Compiles only for what a loop that numbers its iterations can run over.
pub fn counted<I: IntoIterator<Item: Counter>>(range: I) -> I {
    range
}

/// An array whose elements stand in a line.
#[diagnostic::on_unimplemented(
    message = "an iterator of a kernel runs over an array of one dimension, this is `{Self}` [QD0036]",
    label = "an array of several dimensions",
    note = "loop over the indices, `for (i, j) in x.indices()`, or over ranges, `(0..x.shape()[1]).map(|j| x[[i, j]])`"
)]
pub trait Line {}

impl<T> Line for NdArray<T, 1> {}
impl<T> Line for [T] {}
impl<T, const N: usize> Line for [T; N] {}
impl<T> Line for Vec<T> {}
impl<A: Line + ?Sized> Line for Box<A> {}
impl<A: Line + ?Sized> Line for &A {}
impl<A: Line + ?Sized> Line for &mut A {}

/// Compiles only for an array of one dimension.
pub fn line<A: Line + ?Sized>(array: &A) -> &A {
    array
}

/// Compiles only for an array of one dimension.
pub fn line_mut<A: Line + ?Sized>(array: &mut A) -> &mut A {
    array
}

/// Compiles only for a reference, which `*` leads away from: of a type of one's own it could lead anywhere.
pub fn referred<T>(reference: &T) -> &T {
    reference
}

/// Compiles only if `from as To` keeps different values apart.
pub fn injective<From: Injective<To>, To>(_from: &From) {}

#[cfg(test)]
#[allow(clippy::empty_loop)] // as in the copies of the macro
mod tests {
    use super::*;

    fn text(types: Vec<Type>) -> String {
        types.iter().map(Type::to_string).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn groups_tell_what_rustc_inferred() {
        let (all, numbers) = (Tap::new(), [2u32, 3, 4, 5, 6, 7, 8, 9, 0, 1].map(u32::to_le_bytes).concat());
        #[allow(unused_variables)]
        let _never = |x: &mut NdArray<f32>, y: &NdArray<i64, 2>, z: &[u8], w: &mut [bool]| {
            loop {}
            #[allow(unreachable_code, unused_assignments)]
            {
                let literal;
                let n = x.len();
                let k = 3;
                let big = y[[0, 0]] + k;
                let mut s = 0.0;
                let inner;
                for i in 0..n {
                    s += x[i] * 2.0;
                    let pair = (i, (s, big > 0));
                    inner = look((i, k, s, pair));
                }
                let defaulted = id(&literal, 1 << 3);
                x[0] = if defaulted == 8 { s } else { 0.0 };
                w[0] = z[0] == 1;
                all.tell((inner, look((x, y, z, w)), (reported(&literal), look((big,)))));
            }
        };
        let (types, calls) = all.told(&numbers, &[]);
        assert_eq!(
            text(types),
            "i32; i64; usize; i64; f32; (usize, (f32, bool)); &mut NdArray<f32, 1>; &NdArray<i64, 2>; &NdArray<u8, 1>; \
             &mut NdArray<bool, 1>"
        );
        assert!(calls.is_empty());
    }

    #[test]
    fn generic_bodies_tell_each_instance() {
        fn types<T: Scalar>() -> Vec<Type> {
            let tap = Tap::new();
            #[allow(unused_variables)]
            let _never = |x: &NdArray<T>, v: T| {
                loop {}
                #[allow(unreachable_code)]
                tap.tell(look((x, v)));
            };
            tap.told(&[], &[]).0
        }
        assert_eq!(text(types::<f64>()), "&NdArray<f64, 1>; f64");
        assert_eq!(text(types::<u8>()), "&NdArray<u8, 1>; u8");
    }

    #[test]
    fn aliases_and_constants() {
        type Real = f64;
        const LIMIT: u8 = 200;
        assert_eq!(scalar_of::<Real>(), types::Scalar::F64);
        assert_eq!(constant(LIMIT).parts, [Const { ty: types::Scalar::U8, bits: 200 }]);
        let pair = constant((1.5f32, [true, false]));
        assert_eq!(pair.ty.to_string(), "(f32, [bool; 2])");
        assert_eq!(pair.parts, [1.5f32.to_const(), true.to_const(), false.to_const()]);
    }

    #[test]
    fn injective_casts_compile() {
        injective::<_, usize>(&0i32);
        injective::<_, u8>(&0i8);
        injective::<u64, isize>(&0);
    }
}
