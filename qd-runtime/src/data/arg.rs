//! How a kernel's arguments become the words of a launch.
//!
//! A launch takes 64-bit words: for each scalar its zero-extended bits (two words for 128-bit integers), tuples flattened; for each array the element
//! pointer, then its extents (a slice has one). Writing them costs a store a word, and allocates nothing unless there are
//! very many, as of a table that is passed by value. The words of arrays are valid as long as the borrows they were written
//! from, which outlive the call of the kernel.
use std::mem::MaybeUninit;

use qd_ir::types::{ArrayType, ParamType, Type};

use super::array::NdArray;
use super::element::{Data, element};

/// The words of one launch, on the caller's stack as long as they are few.
pub struct ArgWriter {
    words: [MaybeUninit<u64>; ArgWriter::CAPACITY],
    len: usize,
    /// All words, if they are more than that.
    many: Vec<u64>,
}

impl ArgWriter {
    /// 32 parameters of at most five words: a pointer and four extents.
    const CAPACITY: usize = 160;

    /// No words yet.
    #[inline(always)]
    pub fn new() -> Self {
        ArgWriter { words: [MaybeUninit::uninit(); ArgWriter::CAPACITY], len: 0, many: Vec::new() }
    }

    /// Appends a word.
    #[inline(always)]
    pub fn push(&mut self, word: u64) {
        if self.len == Self::CAPACITY {
            return self.push_many(word);
        }
        self.words[self.len].write(word);
        self.len += 1;
    }

    #[cold]
    fn push_many(&mut self, word: u64) {
        if self.many.is_empty() {
            self.many = self.few().to_vec();
        }
        self.many.push(word);
    }

    #[inline(always)]
    fn few(&self) -> &[u64] {
        // SAFETY: `push` has written the first `len` words.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.len) }
    }

    /// Appends a pointer, whose provenance is exposed for the compiled code.
    #[inline(always)]
    pub fn push_ptr<T>(&mut self, ptr: *const T) {
        self.push(ptr.expose_provenance() as u64);
    }

    /// The words so far, to be written to.
    #[inline(always)]
    pub fn words_mut(&mut self) -> &mut [u64] {
        if !self.many.is_empty() {
            return &mut self.many;
        }
        // SAFETY: `push` has written the first `len` words.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.len) }
    }

    /// The words so far.
    #[inline(always)]
    pub fn words(&self) -> &[u64] {
        if self.many.is_empty() { self.few() } else { &self.many }
    }
}

impl Default for ArgWriter {
    fn default() -> Self {
        Self::new()
    }
}

/// The type of a kernel's parameter.
///
/// # Safety
/// [`write`](Arg::write) appends exactly [`WORDS`](Arg::WORDS) words laid out as [`ty`](Arg::ty) says. The pointer of
/// an array is valid for all elements its extents span, for reads and, if the type is mutable, for writes by nobody
/// else, for as long as `Self` is borrowed by `write`'s caller.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the type of a kernel's parameter [QD0005]",
    label = "not a parameter type of a kernel",
    note = "parameters are `&NdArray<T, N>`, `&mut NdArray<T, N>`, `&[T]`, `&mut [T]`, `&` and `&mut` of bundles (structs \
            of arrays, `#[derive(qd::Bundle)]`), and scalars, tuples, arrays and `Data` structs by value",
    note = "a type parameter needs a bound that makes it a number, such as `T: qd::Number`",
    note = "pass a scalar as `x: f32`, not `&f32`; a `Vec<f32>` as `&[f32]`; return results, or write them to an array"
)]
pub unsafe trait Arg {
    /// Number of words it takes.
    const WORDS: usize;

    /// Borrows an array, or a bundle of them.
    const IS_ARRAY: bool;

    /// The type as the IR knows it.
    fn ty() -> ParamType;

    /// Appends the words of this argument.
    fn write(&mut self, words: &mut ArgWriter);

    /// Takes values of a bundle back from the words of the launch, of which its own come first.
    #[inline(always)]
    fn read_back(&mut self, _words: &[u64]) {}
}

/// The type of a kernel's result: any [`Data`].
#[diagnostic::on_unimplemented(
    message = "a kernel or `#[qd::func]` can't return `{Self}` [QD0007]",
    label = "not a result type of a kernel",
    note = "results are `()`, `bool`, integers, floats, and tuples, arrays and `Data` structs of these",
    note = "there is no `Option` and no `Result`: return `(bool, T)` or a struct; errors are returned by `kernel.try_call(..)`",
    note = "write arrays through a `&mut NdArray<T>` parameter"
)]
pub trait Ret: Data {
    /// The type itself: what is no result has none, and rustc says so in the same words wherever it is asked for.
    type Itself: Ret;
}

// SAFETY: `Data` promises `WORDS` words in the order of `ty`; there is no array by reference in it.
unsafe impl<T: Data> Arg for T {
    const WORDS: usize = <T as Data>::QD_WORDS;
    const IS_ARRAY: bool = false;
    fn ty() -> ParamType {
        <T as Data>::qd_type().into()
    }
    #[inline(always)]
    fn write(&mut self, words: &mut ArgWriter) {
        (*self).qd_to_words(&mut |word| words.push(word));
    }
}

impl<T: Data> Ret for T {
    type Itself = T;
}

pub(super) fn array<T: Data>(rank: usize, mutable: bool) -> Type {
    // Arrays have at most four dimensions, so the cast keeps the value.
    let array = ArrayType { element: element::<T>(), rank: rank as u8, mutable };
    Type::Array { array, element: Box::new(T::qd_type()) }
}

// SAFETY: the pointer spans the product of the extents; the shared borrow forbids writes.
unsafe impl<T: Data, const N: usize> Arg for &NdArray<T, N> {
    const WORDS: usize = 1 + N;
    const IS_ARRAY: bool = true;
    fn ty() -> ParamType {
        array::<T>(N, false).into()
    }
    #[inline(always)]
    fn write(&mut self, words: &mut ArgWriter) {
        words.push_ptr(self.as_ptr());
        for extent in self.shape() {
            words.push(extent as u64);
        }
    }
}

// SAFETY: the pointer spans the product of the extents and comes from the exclusive borrow.
unsafe impl<T: Data, const N: usize> Arg for &mut NdArray<T, N> {
    const WORDS: usize = 1 + N;
    const IS_ARRAY: bool = true;
    fn ty() -> ParamType {
        array::<T>(N, true).into()
    }
    #[inline(always)]
    fn write(&mut self, words: &mut ArgWriter) {
        words.push_ptr(self.as_mut_ptr());
        for extent in self.shape() {
            words.push(extent as u64);
        }
    }
}

// SAFETY: pointer and length of the slice; the shared borrow forbids writes.
unsafe impl<T: Data> Arg for &[T] {
    const WORDS: usize = 2;
    const IS_ARRAY: bool = true;
    fn ty() -> ParamType {
        ParamType::Slice(array::<T>(1, false))
    }
    #[inline(always)]
    fn write(&mut self, words: &mut ArgWriter) {
        words.push_ptr(self.as_ptr());
        words.push(self.len() as u64);
    }
}

// SAFETY: pointer and length of the slice, from the exclusive borrow.
unsafe impl<T: Data> Arg for &mut [T] {
    const WORDS: usize = 2;
    const IS_ARRAY: bool = true;
    fn ty() -> ParamType {
        ParamType::Slice(array::<T>(1, true))
    }
    #[inline(always)]
    fn write(&mut self, words: &mut ArgWriter) {
        words.push_ptr(self.as_mut_ptr());
        words.push(self.len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_words_in_order() {
        let mut image = NdArray::<f32, 2>::zeros([2, 3]);
        let mut words = ArgWriter::new();
        let slice: &[u8] = &[1, 2, 3];
        Arg::write(&mut &mut image, &mut words);
        Arg::write(&mut -1i16, &mut words);
        Arg::write(&mut (true, 2u8), &mut words);
        Arg::write(&mut &slice[1..], &mut words);
        let ptr = image.as_ptr() as u64;
        assert_eq!(words.words(), [ptr, 2, 3, 0xffff, 1, 2, slice[1..].as_ptr() as u64, 2]);
    }

    #[test]
    fn types_name_element_rank_and_mutability() {
        let text = |ty: ParamType| ty.plain().map(Type::to_string).unwrap_or_default();
        assert_eq!(text(<&mut NdArray<f32> as Arg>::ty()), "&mut NdArray<f32, 1>");
        assert_eq!(text(<&NdArray<bool, 3> as Arg>::ty()), "&NdArray<bool, 3>");
        assert_eq!(<&[i64] as Arg>::ty().plain(), <&NdArray<i64> as Arg>::ty().plain());
        assert_ne!(<&[i64] as Arg>::ty(), <&NdArray<i64> as Arg>::ty());
        assert_eq!(<&mut [i64] as Arg>::WORDS, 2);
        assert_eq!(<&NdArray<u8, 4> as Arg>::WORDS, 5);
        assert_eq!(text(<(f32, u8) as Arg>::ty()), "(f32, u8)");
    }

    #[test]
    fn many_words_are_kept_in_order() {
        for more in [0, 1, 500] {
            let mut words = ArgWriter::new();
            let all: Vec<u64> = (0..(ArgWriter::CAPACITY + more) as u64).collect();
            all.iter().for_each(|word| Arg::write(&mut { *word }, &mut words));
            assert_eq!(words.words(), all);
            assert_eq!(words.words_mut(), all);
        }
    }

    #[test]
    fn writes_through_the_pointer_reach_the_array() {
        let mut x = NdArray::from_slice(&[1u32, 2, 3]);
        let mut words = ArgWriter::new();
        Arg::write(&mut &mut x, &mut words);
        let ptr = std::ptr::with_exposed_provenance_mut::<u32>(words.words()[0] as usize);
        // SAFETY: index 2 of three elements, and nothing else uses the array now.
        unsafe { *ptr.add(2) = 9 };
        assert_eq!(x.as_slice(), [1, 2, 9]);
    }
}
