//! Bundles: structs of arrays and values that kernels take by reference, field by field.
//!
//! `#[derive(qd::Bundle)]` says of a struct which fields it has and writes their words one after the other, so nothing is
//! copied and nothing knows of memory but the fields themselves. What a kernel assigns to a value of a `&mut` bundle comes
//! back as words, too: compiled code has no pointer into the struct.
use qd_ir::types::ParamType;

use super::arg::{ArgWriter, array};
use super::array::NdArray;
use super::element::Data;

/// A field of a bundle: an array, a value, or a bundle.
///
/// # Safety
/// [`write`](Field::write) and [`write_mut`](Field::write_mut) append exactly [`WORDS`](Field::WORDS) words, laid out as
/// [`ty`](Field::ty) says. The pointer of an array is valid for all elements its extents span for as long as `self` is
/// borrowed by the caller: for reads, and if the type is mutable and `write_mut` wrote it, for writes by nobody else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a field of a bundle [QD0035]",
    label = "not a field type of a bundle",
    note = "fields are arrays (`NdArray<T, N>`, `Vec<T>`, `Box<[T]>`, and references to `NdArray` and slices), values \
            (`bool`, integers, floats, tuples, arrays and `Data` structs) and other bundles"
)]
pub unsafe trait Field {
    /// Number of words it takes.
    const WORDS: usize;

    /// The type as the IR knows it, behind `&mut` or `&`.
    fn ty(mutable: bool) -> ParamType;

    /// Appends its words; behind `&`.
    fn write(&self, words: &mut ArgWriter);

    /// Appends its words; behind `&mut`.
    fn write_mut(&mut self, words: &mut ArgWriter);

    /// Takes the values among its words back.
    fn read_back(&mut self, words: &[u64]);
}

/// An array, by whatever name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is one value: the iterations of a parallel loop can't write to parts of it [QD0022]",
    label = "no array",
    note = "make it a `Vec` or an `NdArray`, or write to it after the loop; or run the iterations in order, by \
            `#[qd::serial]` before the loop"
)]
pub trait Elements {}

// SAFETY: `Data` promises `WORDS` words in the order of its type; there is no array by reference in it.
unsafe impl<T: Data> Field for T {
    const WORDS: usize = <T as Data>::QD_WORDS;
    fn ty(_: bool) -> ParamType {
        <T as Data>::qd_type().into()
    }
    #[inline(always)]
    fn write(&self, words: &mut ArgWriter) {
        (*self).qd_to_words(&mut |word| words.push(word));
    }
    #[inline(always)]
    fn write_mut(&mut self, words: &mut ArgWriter) {
        Field::write(self, words);
    }
    #[inline(always)]
    fn read_back(&mut self, words: &[u64]) {
        *self = T::qd_from_words(words);
    }
}

macro_rules! array_field {
    (
        [$($generics:tt)*] $ty:ty as $kind:ident, rank $rank:expr, mutable $mutable:expr,
        $this:ident: $shared:expr, $exclusive:expr, $extents:expr
    ) => {
        // SAFETY: the pointer spans the product of the extents; behind `&mut` it comes from the exclusive borrow, or is of
        // a reference that never writes, which the type says.
        unsafe impl<T: Data $($generics)*> Field for $ty {
            const WORDS: usize = 1 + $rank;
            fn ty(mutable: bool) -> ParamType {
                ParamType::$kind(array::<T>($rank, mutable && $mutable))
            }
            #[inline(always)]
            fn write(&self, words: &mut ArgWriter) {
                let $this = self;
                words.push_ptr::<T>($shared);
                $extents.into_iter().for_each(|extent: usize| words.push(extent as u64));
            }
            #[inline(always)]
            fn write_mut(&mut self, words: &mut ArgWriter) {
                let $this = self;
                words.push_ptr::<T>($exclusive);
                $extents.into_iter().for_each(|extent: usize| words.push(extent as u64));
            }
            #[inline(always)]
            fn read_back(&mut self, _: &[u64]) {}
        }
    };
}

array_field!([, const N: usize] NdArray<T, N> as Plain, rank N, mutable true, a: a.as_ptr(), a.as_mut_ptr(), a.shape());
array_field!([, const N: usize] &NdArray<T, N> as Plain, rank N, mutable false, a: a.as_ptr(), a.as_ptr(), a.shape());
array_field!([, const N: usize] &mut NdArray<T, N> as Plain, rank N, mutable true, a: a.as_ptr(), a.as_mut_ptr(), a.shape());
array_field!([] Vec<T> as Plain, rank 1, mutable true, a: a.as_ptr(), a.as_mut_ptr(), [a.len()]);
array_field!([] Box<[T]> as Slice, rank 1, mutable true, a: a.as_ptr(), a.as_mut_ptr(), [a.len()]);
array_field!([] &[T] as Slice, rank 1, mutable false, a: a.as_ptr(), a.as_ptr(), [a.len()]);
array_field!([] &mut [T] as Slice, rank 1, mutable true, a: a.as_ptr(), a.as_mut_ptr(), [a.len()]);

impl<T: Data, const N: usize> Elements for NdArray<T, N> {}
impl<T: Data, const N: usize> Elements for &NdArray<T, N> {}
impl<T: Data, const N: usize> Elements for &mut NdArray<T, N> {}
impl<T: Data> Elements for Vec<T> {}
impl<T: Data> Elements for Box<[T]> {}
impl<T: Data> Elements for &[T] {}
impl<T: Data> Elements for &mut [T] {}

/// Compiles only for arrays.
pub fn elements<T: Elements + ?Sized>(_: &T) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_write_their_words_and_take_values_back() {
        let mut words = ArgWriter::new();
        let mut list = vec![1u8, 2, 3];
        let mut image = NdArray::<f32, 2>::zeros([2, 3]);
        let slice: &[i64] = &[4];
        let mut pair = (7u32, true);
        list.write_mut(&mut words);
        image.write_mut(&mut words);
        Field::write(&slice, &mut words);
        Field::write_mut(&mut pair, &mut words);
        let pointers = [list.as_ptr() as u64, image.as_ptr() as u64, slice.as_ptr() as u64];
        assert_eq!(words.words(), [pointers[0], 3, pointers[1], 2, 3, pointers[2], 1, 7, 1]);
        pair.read_back(&[9, 0]);
        assert_eq!(pair, (9, false));
    }

    #[test]
    fn shared_references_stay_so() {
        let mutable = |ty: ParamType| ty.plain().and_then(|ty| ty.as_array().map(|(array, _)| array.mutable));
        assert_eq!(mutable(<Vec<f32> as Field>::ty(true)), Some(true));
        assert_eq!(mutable(<&mut [f32] as Field>::ty(true)), Some(true));
        assert_eq!(mutable(<&mut [f32] as Field>::ty(false)), Some(false));
        assert_eq!(mutable(<&[f32] as Field>::ty(true)), Some(false));
        assert_eq!(mutable(<&NdArray<f32> as Field>::ty(true)), Some(false));
    }
}
