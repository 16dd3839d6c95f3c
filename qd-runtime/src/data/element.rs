//! The values of the kernel language: scalars, and tuples, fixed arrays and structs of them.
//!
//! [`Data`] says which type of the IR a Rust type is, where its scalars lie in memory, and how it is carried in 64-bit
//! words: zero-extended, the low word first, flattened in order. [`Scalar`] adds what constants need. [`Erase`] is wider:
//! what a local may be. Knows nothing of arrays by reference.
use std::marker::PhantomData;
use std::mem::offset_of;

use bytemuck::Zeroable;
use half::{bf16, f16};
use qd_ir::types::{self, Const, Element, Field, Type};
use qd_ir::words;

use super::tap::{self, Shown};

// `usize` is the IR's 64-bit `usize`, and pointers travel in words.
const _: () = assert!(size_of::<usize>() == 8, "qd needs a 64-bit target");

/// A value that can be an element of an array, a local, a parameter by value or a result.
///
/// Implemented for [scalars](Scalar), for `()`, for tuples of up to twelve `Data`, for arrays `[T; N]` of them, and by
/// `#[derive(qd::Data)]` for structs of them:
///
/// ```
/// # mod qd { pub use qd_macros::Data; pub use qd_runtime::private as __private; }
/// #[derive(Clone, Copy, qd::Data)]
/// # #[qd(crate = qd)]
/// struct Particle {
///     pos: [f32; 3],
///     mass: f32,
///     alive: bool,
/// }
/// ```
///
/// # Safety
/// [`ty`](Data::qd_type) names exactly what the type is: for a scalar, its size, alignment and valid bits are that
/// scalar's. A value is made of the scalars that `layout` gives and of nothing else that is ever read; they lie in memory
/// where it says, in the order of `ty`, and `to_words` gives their [`WORDS`](Data::QD_WORDS) words in that order. Scalars of
/// all zeros are a value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of the kernel language [QD0018]",
    label = "not a value of the kernel language",
    note = "values are `bool`, `i8`..`i128`, `isize`, `u8`..`u128`, `usize`, floats, and tuples and arrays of these",
    note = "a struct of such values is one with `#[derive(Clone, Copy, qd::Data)]`",
    note = "in place of an `Option` or a `Result` write `(bool, T)` or a struct; there are no `char`s, strings, boxes or \
            references in kernels; a constant array is one by value, `[u8; 2] = *b\"ab\"`",
    note = "a type parameter needs a bound that makes it a number, such as `T: qd::Float`"
)]
pub unsafe trait Data: Copy + Send + Sync + Erase<QdErased = Self> + 'static {
    /// The type itself. What is no value has none, so of what depends on it rustc says nothing further.
    #[doc(hidden)]
    type QdKnown: tap::KernelType;

    /// Number of words that carry it.
    const QD_WORDS: usize;

    /// The type as the IR knows it.
    fn qd_type() -> Type;

    /// Gives each scalar, in order, with the number of its first byte in a value that starts at byte `at`.
    fn qd_layout(at: usize, put: &mut dyn FnMut(types::Scalar, usize));

    /// All scalars zero (`false`).
    fn qd_zero() -> Self;

    /// Gives the words of each scalar, in order.
    fn qd_to_words(self, put: &mut impl FnMut(u64));

    /// The value of the first [`WORDS`](Data::QD_WORDS) of `words`.
    ///
    /// # Panics
    /// If there are fewer.
    fn qd_from_words(words: &[u64]) -> Self;
}

/// A type that a binding in a kernel can have; what it is without its lifetimes.
#[diagnostic::on_unimplemented(
    message = "a binding of type `{Self}` can't be used in a kernel [QD0018]",
    label = "not a type of the kernel language",
    note = "bindings hold `bool`, integers, floats, tuples, arrays and `Data` structs of these; in place of an `Option` \
            or a `Result` write `(bool, T)` or a struct",
    note = "a struct of such values is `Data` with `#[derive(Clone, Copy, qd::Data)]`"
)]
pub trait Erase {
    /// The type without lifetimes; for values, the type itself.
    type QdErased: tap::KernelType;
}

mod sealed {
    pub trait Sealed {
        /// The type: what is no scalar has none.
        type Itself;
    }
}

/// One of the scalars of the kernel language.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scalar of the kernel language",
    label = "expected a scalar",
    note = "scalars are `bool`, `i8`..`i128`, `isize`, `u8`..`u128`, `usize`, `f32`, `f64`, `qd::f16` and `qd::bf16`"
)]
pub trait Scalar: Data + Shown + Zeroable + PartialEq + PartialOrd + std::fmt::Debug + sealed::Sealed {
    /// Which one.
    const SCALAR: types::Scalar;

    /// The value's bits, zero above its width.
    fn to_raw(self) -> u128;

    /// The value of the low bits; what is above the width is ignored.
    fn from_raw(bits: u128) -> Self;

    /// The value as a constant of the IR.
    fn to_const(self) -> Const {
        Const { ty: Self::SCALAR, bits: self.to_raw() }
    }
}

macro_rules! scalars {
    ($($ty:ident $name:ident |$value:ident| $to:expr, |$bits:ident| $from:expr;)*) => { $(
        impl sealed::Sealed for $ty {
            type Itself = $ty;
        }

        impl Erase for $ty {
            type QdErased = Self;
        }
        impl Shown for $ty {}

        // SAFETY: `SCALAR` is this very type, and says how many words it takes.
        unsafe impl Data for $ty {
            type QdKnown = Self;
            const QD_WORDS: usize = <Self as Scalar>::SCALAR.words();
            fn qd_type() -> Type {
                Type::Scalar(Self::SCALAR)
            }
            fn qd_layout(at: usize, put: &mut dyn FnMut(types::Scalar, usize)) {
                put(Self::SCALAR, at);
            }
            fn qd_zero() -> Self {
                Zeroable::zeroed()
            }
            #[inline(always)]
            fn qd_to_words(self, put: &mut impl FnMut(u64)) {
                let bits = self.to_raw();
                put(bits as u64);
                if Self::QD_WORDS > 1 {
                    put((bits >> 64) as u64);
                }
            }
            #[inline(always)]
            fn qd_from_words(words: &[u64]) -> Self {
                Self::from_raw(words::get(<Self as Scalar>::SCALAR, words))
            }
        }

        impl Scalar for $ty {
            const SCALAR: types::Scalar = types::Scalar::$name;
            #[inline(always)]
            fn to_raw(self) -> u128 {
                let $value = self;
                $to
            }
            #[inline(always)]
            fn from_raw($bits: u128) -> Self {
                $from
            }
        }
    )* };
}

scalars! {
    bool Bool |v| u128::from(v), |b| b as u8 != 0;
    i8 I8 |v| u128::from(v as u8), |b| b as i8;
    i16 I16 |v| u128::from(v as u16), |b| b as i16;
    i32 I32 |v| u128::from(v as u32), |b| b as i32;
    i64 I64 |v| u128::from(v as u64), |b| b as i64;
    isize Isize |v| u128::from(v as u64), |b| b as isize;
    u8 U8 |v| u128::from(v), |b| b as u8;
    u16 U16 |v| u128::from(v), |b| b as u16;
    u32 U32 |v| u128::from(v), |b| b as u32;
    u64 U64 |v| u128::from(v), |b| b as u64;
    usize Usize |v| v as u128, |b| b as usize;
    f32 F32 |v| u128::from(f32::to_bits(v)), |b| f32::from_bits(b as u32);
    f64 F64 |v| u128::from(f64::to_bits(v)), |b| f64::from_bits(b as u64);
    i128 I128 |v| v as u128, |b| b as i128;
    u128 U128 |v| v, |b| b;
    f16 F16 |v| u128::from(f16::to_bits(v)), |b| f16::from_bits(b as u16);
    bf16 Bf16 |v| u128::from(bf16::to_bits(v)), |b| bf16::from_bits(b as u16);
}

/// Calls `$callback! { A a B b .. }` for each arity from 1 to 12.
macro_rules! for_each_tuple {
    ($callback:ident) => {
        for_each_tuple! { @step $callback [] A a B b C c D d E e F f G g H h I i J j K k L l }
    };
    (@step $callback:ident [$($done:ident $d:ident)*]) => {};
    (@step $callback:ident [$($done:ident $d:ident)*] $next:ident $n:ident $($rest:ident)*) => {
        $callback! { $($done $d)* $next $n }
        for_each_tuple! { @step $callback [$($done $d)* $next $n] $($rest)* }
    };
}
pub(crate) use for_each_tuple;

// SAFETY: no scalar, no word.
unsafe impl Data for () {
    type QdKnown = Self;
    const QD_WORDS: usize = 0;
    fn qd_type() -> Type {
        Type::UNIT
    }
    fn qd_layout(_: usize, _: &mut dyn FnMut(types::Scalar, usize)) {}
    fn qd_zero() -> Self {}
    fn qd_to_words(self, _: &mut impl FnMut(u64)) {}
    fn qd_from_words(_: &[u64]) -> Self {}
}

impl Erase for () {
    type QdErased = ();
}

/// A reference stands for what it refers to: nothing can change that while it is there.
impl<T: Erase> Erase for &T {
    type QdErased = T::QdErased;
}

/// The most scalars that an element of an array has: each is an entry in the description of a task.
const MAX_SCALARS: usize = 4096;

/// The memory of an element.
pub(crate) fn element<T: Data>() -> Element {
    const {
        assert!(T::QD_WORDS > 0, "the elements of a kernel's array hold at least one scalar");
        assert!(T::QD_WORDS <= MAX_SCALARS, "the elements of a kernel's array hold at most 4096 scalars");
        assert!(size_of::<T>() <= u32::MAX as usize, "the elements of a kernel's array have less than 4 GiB");
    }
    let mut fields = Vec::with_capacity(T::QD_WORDS);
    // Within the size of the element, which fits.
    T::qd_layout(0, &mut |ty, at| fields.push(Field { ty, offset: at as u32 }));
    Element { size: size_of::<T>() as u32, align: align_of::<T>() as u32, fields }
}

impl<T: ?Sized + Send + Sync + 'static> Erase for PhantomData<T> {
    type QdErased = Self;
}

// SAFETY: there is nothing in it, as in an empty tuple.
unsafe impl<T: ?Sized + Send + Sync + 'static> Data for PhantomData<T> {
    type QdKnown = Self;
    const QD_WORDS: usize = 0;
    fn qd_type() -> Type {
        Type::UNIT
    }
    fn qd_layout(_: usize, _: &mut dyn FnMut(types::Scalar, usize)) {}
    fn qd_zero() -> Self {
        PhantomData
    }
    fn qd_to_words(self, _: &mut impl FnMut(u64)) {}
    fn qd_from_words(_: &[u64]) -> Self {
        PhantomData
    }
}

impl<T: Data, const N: usize> Erase for [T; N] {
    type QdErased = Self;
}

// SAFETY: an array is its elements in order, each `size_of` apart.
unsafe impl<T: Data, const N: usize> Data for [T; N] {
    type QdKnown = tap::Parts<[T::QdKnown; N]>;
    const QD_WORDS: usize = N * T::QD_WORDS;
    fn qd_type() -> Type {
        const { assert!(N <= u32::MAX as usize, "a fixed array of a kernel has less than 2^32 elements") };
        Type::Fixed(Box::new(T::qd_type()), N as u32)
    }
    fn qd_layout(at: usize, put: &mut dyn FnMut(types::Scalar, usize)) {
        (0..N).for_each(|k| T::qd_layout(at + k * size_of::<T>(), put));
    }
    fn qd_zero() -> Self {
        [T::qd_zero(); N]
    }
    #[inline(always)]
    fn qd_to_words(self, put: &mut impl FnMut(u64)) {
        self.into_iter().for_each(|element| element.qd_to_words(put));
    }
    #[inline(always)]
    fn qd_from_words(words: &[u64]) -> Self {
        std::array::from_fn(|k| T::qd_from_words(&words[k * T::QD_WORDS..]))
    }
}

macro_rules! tuple {
    (@layout $at:ident, $put:ident, [$($number:tt)*]) => {};
    (@layout $at:ident, $put:ident, [$number:tt $($numbers:tt)*] $part:ident $($parts:ident)*) => {
        $part::qd_layout($at + offset_of!(Self, $number), $put);
        tuple!(@layout $at, $put, [$($numbers)*] $($parts)*);
    };
    ($($part:ident $p:ident)*) => {
        impl<$($part: Erase<QdErased: Data>),*> Erase for ($($part,)*) {
            type QdErased = ($($part::QdErased,)*);
        }

        // SAFETY: the scalars are those of the parts, in the order of the tuple's type.
        unsafe impl<$($part: Data),*> Data for ($($part,)*) {
            type QdKnown = tap::Parts<($($part::QdKnown,)*)>;
            const QD_WORDS: usize = 0 $(+ $part::QD_WORDS)*;
            fn qd_type() -> Type {
                Type::Tuple(vec![$($part::qd_type()),*])
            }
            fn qd_layout(at: usize, put: &mut dyn FnMut(types::Scalar, usize)) {
                tuple!(@layout at, put, [0 1 2 3 4 5 6 7 8 9 10 11] $($part)*);
            }
            fn qd_zero() -> Self {
                ($($part::qd_zero(),)*)
            }
            #[inline(always)]
            fn qd_to_words(self, put: &mut impl FnMut(u64)) {
                let ($($p,)*) = self;
                $($p.qd_to_words(put);)*
            }
            #[inline(always)]
            fn qd_from_words(words: &[u64]) -> Self {
                let rest = words;
                $(
                    let ($p, rest) = ($part::qd_from_words(rest), &rest[$part::QD_WORDS..]);
                )*
                let _ = rest;
                ($($p,)*)
            }
        }
    };
}
for_each_tuple!(tuple);

#[cfg(test)]
mod tests {
    use super::*;

    fn words<T: Data>(value: T) -> Vec<u64> {
        let mut words = Vec::new();
        value.qd_to_words(&mut |w| words.push(w));
        assert_eq!(words.len(), T::QD_WORDS);
        words
    }

    #[test]
    fn words_are_zero_extended_and_come_back() {
        assert_eq!(words(-1i8), [0xff]);
        assert_eq!(words(-2i32), [0xffff_fffe]);
        assert_eq!(words(i64::MIN), [1 << 63]);
        assert_eq!(words(true), [1]);
        assert_eq!(words(-0.0f32), [0x8000_0000]);
        assert_eq!(words(-2i128), [u64::MAX - 1, u64::MAX]);
        assert_eq!(u128::qd_from_words(&[5, 7, 9]), 7 << 64 | 5);
        assert_eq!(i16::qd_from_words(&[0xffff]), -1);
        assert_eq!(<f64 as Data>::qd_from_words(&words(0.1f64)), 0.1);
        // What a register holds above the width doesn't matter.
        assert_eq!(i8::from_raw(0xdead_be80), -128);
        assert!(!bool::from_raw(0x100));
    }

    #[test]
    fn tuples_flatten_in_order() {
        type Nested = (u8, (f32, bool), (), (i64,), u128);
        assert_eq!(Nested::QD_WORDS, 6);
        let value: Nested = (7, (1.5, true), (), (-3,), 3 << 64 | 2);
        let flat = words(value);
        assert_eq!(flat, [7, u64::from(1.5f32.to_bits()), 1, -3i64 as u64, 2, 3]);
        assert_eq!(Nested::qd_from_words(&flat), value);
        assert_eq!(Nested::qd_type().to_string(), "(u8, (f32, bool), (), (i64,), u128)");
        assert_eq!(Nested::qd_zero(), (0, (0.0, false), (), (0,), 0));
    }

    #[test]
    fn the_layout_is_what_rustc_made_of_it() {
        type Nested = [(u8, [f64; 2], bool); 3];
        let Element { size, align, fields } = element::<Nested>();
        assert_eq!((size as usize, align as usize), (size_of::<Nested>(), align_of::<Nested>()));
        let value: Nested = [(1, [2.0, 3.0], true), (4, [5.0, 6.0], false), (7, [8.0, 9.0], true)];
        let start = std::ptr::from_ref(&value);
        let offset = |part: *const u8| part.addr() - start.addr();
        for (k, (a, b, c)) in value.iter().enumerate() {
            let at = |n: usize| fields[k * 4 + n].offset as usize;
            assert_eq!(at(0), offset(a));
            assert_eq!([at(1), at(2)], [offset(b[0..].as_ptr().cast()), offset(b[1..].as_ptr().cast())]);
            assert_eq!(at(3), offset(std::ptr::from_ref(c).cast()));
        }
        assert_eq!(Nested::qd_from_words(&words(value)), value);
        assert_eq!(Nested::qd_type().to_string(), "[(u8, [f64; 2], bool); 3]");
        assert_eq!(element::<i16>().as_scalar(), Some(types::Scalar::I16));
    }

    #[test]
    fn constants_print_as_rust_writes_them() {
        assert_eq!((-5i8).to_const().to_string(), "-5");
        assert_eq!(f32::NAN.to_const().ty, types::Scalar::F32);
        assert_eq!(true.to_const().to_string(), "true");
    }
}
