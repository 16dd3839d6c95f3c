//! [`NdArray`]: a row-major array in host memory, the data kernels work on.
//!
//! Storage is either owned, aligned to 64 bytes so that vectors never straddle cache lines, or an adopted `Vec`, which
//! is freed as the `Vec` it was; compiled code assumes only `align_of::<T>()`. The pointer is stable for the array's
//! life. Knows nothing of kernels.
use std::alloc::{self, Layout};
use std::fmt;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::{Index, IndexMut};
use std::ptr::NonNull;

use bytemuck::Pod;

use super::element::Data;
use super::ndrange::{NdRange, Point};
use crate::error::{Error, ErrorKind, Result};

/// Alignment of owned storage, in bytes: a cache line, and the widest vector.
const ALIGN: usize = 64;

/// How the storage was made, and so how it is freed.
enum Storage {
    /// Allocated here with [`ALIGN`].
    Aligned,
    /// Adopted from a `Vec` of that capacity.
    Vec { capacity: usize },
}

/// A row-major array of `N` dimensions, one to four.
///
/// Made by [`zeros`](NdArray::zeros), [`full`](NdArray::full), [`from_fn`](NdArray::from_fn),
/// [`from_slice`](NdArray::from_slice) and [`from_vec`](NdArray::from_vec) (one dimension),
/// [`from_shape_slice`](NdArray::from_shape_slice) and [`from_shape_vec`](NdArray::from_shape_vec) (any). A shape is an
/// array of extents, `[height, width]`; for one dimension also a plain length.
///
/// ```
/// # use qd_runtime::data::NdArray;
/// let mut image = NdArray::<f32, 2>::zeros([480, 640]);
/// image[[10, 20]] = 1.0;
/// let x = NdArray::from_slice(&[1.0f32, 2.0]);
/// assert_eq!(x[1] + image[[10, 20]], 3.0);
/// ```
pub struct NdArray<T, const N: usize = 1> {
    ptr: NonNull<T>,
    shape: [usize; N],
    /// Product of the shape.
    len: usize,
    storage: Storage,
    _elements: PhantomData<T>,
}

// SAFETY: an array owns its elements, as a `Vec` does, and has no interior mutability.
unsafe impl<T: Send, const N: usize> Send for NdArray<T, N> {}
// SAFETY: as above.
unsafe impl<T: Sync, const N: usize> Sync for NdArray<T, N> {}

/// The shape of an array of `N` dimensions, or an index into one: `[usize; N]`, or `usize` for one dimension.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a shape of {N} dimension(s)",
    label = "expected `[usize; {N}]`",
    note = "write `[height, width]` for `NdArray<T, 2>`; a plain length is the shape of `NdArray<T, 1>`"
)]
pub trait Shape<const N: usize> {
    /// The extents, or one index a dimension.
    fn extents(self) -> [usize; N];
}

impl<const N: usize> Shape<N> for [usize; N] {
    fn extents(self) -> [usize; N] {
        self
    }
}

impl Shape<1> for usize {
    fn extents(self) -> [usize; 1] {
        [self]
    }
}

/// Number of elements of a shape, and the layout of owned storage for them.
fn layout<T, const N: usize>(shape: [usize; N]) -> Result<(usize, Layout)> {
    const { assert!(N >= 1 && N <= 4, "an NdArray has one to four dimensions") };
    // A zero extent empties the array, whatever the others are.
    let count = if shape.contains(&0) { Some(0) } else { shape.iter().try_fold(1usize, |n, &e| n.checked_mul(e)) };
    let layout = |count: usize| {
        let bytes = count.checked_mul(size_of::<T>())?;
        Some((count, Layout::from_size_align(bytes, ALIGN.max(align_of::<T>())).ok()?))
    };
    count.and_then(layout).ok_or_else(|| {
        let ty = std::any::type_name::<T>();
        argument(format!("an array of shape {shape:?} of `{ty}` is larger than the address space: use a smaller shape"))
    })
}

fn argument(message: String) -> Error {
    Error::new(ErrorKind::Argument, message)
}

/// The value, or the panic of the constructors that don't return errors.
#[track_caller]
fn unwrap<T>(result: Result<T>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

impl<T: Data, const N: usize> NdArray<T, N> {
    /// Allocates, and lets `fill` write all elements.
    ///
    /// # Safety
    /// After `fill(ptr, len)` returns, the `len` elements from `ptr` are initialised, unless `zeroed` was asked for and
    /// all-zero bytes are a value of `T`.
    unsafe fn allocate(shape: [usize; N], zeroed: bool, fill: impl FnOnce(*mut T, usize)) -> Result<Self> {
        let (len, layout) = layout::<T, N>(shape)?;
        let ptr = if layout.size() == 0 {
            layout.dangling_ptr().cast()
        } else {
            // SAFETY: the size isn't zero.
            let ptr = unsafe { if zeroed { alloc::alloc_zeroed(layout) } else { alloc::alloc(layout) } };
            NonNull::new(ptr.cast::<T>()).ok_or_else(|| {
                let size = layout.size();
                let message = format!("an array of shape {shape:?} needs {size} bytes, which this machine refused");
                Error::new(ErrorKind::Environment, message)
            })?
        };
        // The array owns the storage from here on, so a panic in `fill` frees it. Elements have no drop glue.
        let array = NdArray { ptr, shape, len, storage: Storage::Aligned, _elements: PhantomData };
        fill(ptr.as_ptr(), len);
        Ok(array)
    }

    /// An array of zeros: of structs, all of their scalars (`false` for `bool`).
    ///
    /// # Panics
    /// If the memory can't be had; [`try_zeros`](Self::try_zeros) returns that.
    #[track_caller]
    pub fn zeros(shape: impl Shape<N>) -> Self {
        unwrap(Self::try_zeros(shape))
    }

    /// An array of zeros, or the error of an allocation that failed.
    pub fn try_zeros(shape: impl Shape<N>) -> Result<Self> {
        // SAFETY: zeroed, and `Data` says that scalars of all zeros are a value.
        unsafe { Self::allocate(shape.extents(), true, |_, _| ()) }
    }

    /// An array whose elements are all `value`.
    ///
    /// # Panics
    /// If the memory can't be had; [`try_full`](Self::try_full) returns that.
    #[track_caller]
    pub fn full(shape: impl Shape<N>, value: T) -> Self {
        unwrap(Self::try_full(shape, value))
    }

    /// An array whose elements are all `value`, or the error of an allocation that failed.
    pub fn try_full(shape: impl Shape<N>, value: T) -> Result<Self> {
        let fill = |ptr: *mut T, len| {
            for k in 0..len {
                // SAFETY: `k` is below the number of elements allocated.
                unsafe { ptr.add(k).write(value) };
            }
        };
        // SAFETY: `fill` writes every element.
        unsafe { Self::allocate(shape.extents(), false, fill) }
    }

    /// An array whose element at `index` is `element(index)`, made in row-major order:
    /// `NdArray::from_fn([h, w], |[i, j]| ..)`.
    ///
    /// # Panics
    /// If the memory can't be had.
    #[track_caller]
    pub fn from_fn(shape: impl Shape<N>, mut element: impl FnMut([usize; N]) -> T) -> Self {
        let shape = shape.extents();
        let fill = |ptr: *mut T, len| {
            let mut index = [0; N];
            for k in 0..len {
                let value = element(index);
                // SAFETY: `k` is below the number of elements allocated.
                unsafe { ptr.add(k).write(value) };
                for d in (0..N).rev() {
                    index[d] += 1;
                    if index[d] < shape[d] {
                        break;
                    }
                    index[d] = 0;
                }
            }
        };
        // SAFETY: `fill` writes every element; if `element` panics the array is dropped without being read.
        unwrap(unsafe { Self::allocate(shape, false, fill) })
    }

    /// A copy of `elements` in row-major order.
    ///
    /// # Errors
    /// If their number isn't that of the shape, or the memory can't be had.
    pub fn from_shape_slice(shape: impl Shape<N>, elements: &[T]) -> Result<Self> {
        let shape = shape.extents();
        check_count(shape, elements)?;
        // SAFETY: both sides hold `len` elements, and fresh storage overlaps nothing.
        let fill = |ptr: *mut T, len| unsafe { ptr.copy_from_nonoverlapping(elements.as_ptr(), len) };
        // SAFETY: `fill` writes every element.
        unsafe { Self::allocate(shape, false, fill) }
    }

    /// Adopts `elements`, in row-major order, without a copy.
    ///
    /// # Errors
    /// If their number isn't that of the shape.
    pub fn from_shape_vec(shape: impl Shape<N>, elements: Vec<T>) -> Result<Self> {
        let shape = shape.extents();
        check_count(shape, &elements)?;
        let mut elements = ManuallyDrop::new(elements);
        let (len, capacity) = (elements.len(), elements.capacity());
        // SAFETY: a Vec's pointer isn't null.
        let ptr = unsafe { NonNull::new_unchecked(elements.as_mut_ptr()) };
        Ok(NdArray { ptr, shape, len, storage: Storage::Vec { capacity }, _elements: PhantomData })
    }

    /// The elements in row-major order. No copy if the array was made from a `Vec`.
    pub fn into_vec(self) -> Vec<T> {
        match self.storage {
            Storage::Aligned => self.to_vec(),
            Storage::Vec { capacity } => {
                let this = ManuallyDrop::new(self);
                // SAFETY: pointer, length and capacity are those of the Vec it was; `this` no longer frees it.
                unsafe { Vec::from_raw_parts(this.ptr.as_ptr(), this.len, capacity) }
            }
        }
    }
}

fn check_count<T, const N: usize>(shape: [usize; N], elements: &[T]) -> Result<()> {
    let (len, needed) = (elements.len(), layout::<T, N>(shape)?.0);
    if len == needed {
        return Ok(());
    }
    Err(argument(format!("an array of shape {shape:?} has {needed} elements, but {len} were given")))
}

impl<T: Data> NdArray<T> {
    /// A copy of `elements`, in one dimension.
    ///
    /// # Panics
    /// If the memory can't be had.
    #[track_caller]
    pub fn from_slice(elements: &[T]) -> Self {
        unwrap(Self::from_shape_slice(elements.len(), elements))
    }

    /// Adopts `elements`, in one dimension, without a copy.
    pub fn from_vec(elements: Vec<T>) -> Self {
        unwrap(Self::from_shape_vec(elements.len(), elements))
    }
}

impl<T, const N: usize> NdArray<T, N> {
    /// The extents, the last one of neighbouring elements.
    #[inline(always)]
    pub fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// Number of elements: the product of the extents.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there is no element.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The elements in row-major order.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        // SAFETY: the storage holds `len` initialised elements.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.len) }
    }

    /// The elements in row-major order.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: the storage holds `len` initialised elements, borrowed exclusively.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.len) }
    }

    /// Pointer to the first element, valid for reads of `len` elements.
    #[inline(always)]
    pub fn as_ptr(&self) -> *const T {
        self.ptr.as_ptr()
    }

    /// Pointer to the first element, valid for reads and writes of `len` elements.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.ptr.as_ptr()
    }

    /// The indices in row-major order: `usize` for one dimension, else tuples, `for (i, j) in x.indices()`.
    pub fn indices(&self) -> NdRange<N>
    where
        [usize; N]: Point,
    {
        NdRange::new(self.shape.map(|extent| 0..extent))
    }

    /// The elements in row-major order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.as_slice().iter()
    }

    /// The elements in row-major order.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.as_mut_slice().iter_mut()
    }

    /// A copy of the elements in row-major order.
    pub fn to_vec(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.as_slice().to_vec()
    }

    /// Overwrites all elements, in row-major order.
    ///
    /// # Panics
    /// If the number of elements differs.
    #[track_caller]
    pub fn copy_from_slice(&mut self, elements: &[T])
    where
        T: Copy,
    {
        if elements.len() != self.len {
            panic!(
                "copy_from_slice: an array of shape {:?} has {} elements, but {} were given",
                self.shape,
                self.len,
                elements.len()
            );
        }
        self.as_mut_slice().copy_from_slice(elements);
    }

    /// The memory of the elements.
    pub fn bytes(&self) -> &[u8]
    where
        T: Pod,
    {
        bytemuck::cast_slice(self.as_slice())
    }

    /// A copy whose elements are the same bits as values of another type of the same size.
    pub fn cast<U: Pod + Data>(&self) -> NdArray<U, N>
    where
        T: Pod + Data,
    {
        const { assert!(size_of::<T>() == size_of::<U>(), "cast keeps the shape, so the sizes must be equal") };
        // SAFETY: the sizes are equal, so `len` elements of `U` are `len` of `T`; both are plain bits.
        let fill = |ptr: *mut U, len| unsafe { ptr.cast::<T>().copy_from_nonoverlapping(self.as_ptr(), len) };
        // SAFETY: `fill` writes every element.
        unwrap(unsafe { NdArray::allocate(self.shape, false, fill) })
    }

    /// The element at `index`, `x.get_unchecked(i)` or `x.get_unchecked([i, j])`, without the check of `x[i]`. In a kernel
    /// as outside, where `*x.get_unchecked(i)` costs no check (but in [debug mode](crate::config::Config::debug), which
    /// still makes it).
    ///
    /// # Safety
    /// Each index is below its extent.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn get_unchecked(&self, index: impl Shape<N>) -> &T {
        let offset = self.offset_unchecked(index.extents());
        // SAFETY: the caller vouches that the index is in bounds, so its offset is below `len`.
        unsafe { &*self.ptr.as_ptr().add(offset) }
    }

    /// The element at `index`, to be changed, without the check of `x[i]`: see [`get_unchecked`](Self::get_unchecked).
    ///
    /// # Safety
    /// Each index is below its extent.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn get_unchecked_mut(&mut self, index: impl Shape<N>) -> &mut T {
        let offset = self.offset_unchecked(index.extents());
        // SAFETY: the caller vouches that the index is in bounds, so its offset is below `len`; the borrow is exclusive.
        unsafe { &mut *self.ptr.as_ptr().add(offset) }
    }

    #[inline(always)]
    #[track_caller]
    fn offset_unchecked(&self, index: [usize; N]) -> usize {
        debug_assert!(self.offset(index).is_some(), "index {index:?} into an array of shape {:?}", self.shape);
        index.into_iter().zip(self.shape).fold(0, |offset, (index, extent)| offset * extent + index)
    }

    #[inline(always)]
    fn offset(&self, index: [usize; N]) -> Option<usize> {
        let mut offset = 0usize;
        for (index, extent) in index.into_iter().zip(self.shape) {
            if index >= extent {
                return None;
            }
            // An offset into the leading dimensions is below their product; with a later extent of zero that product
            // may not fit, but then a later index is out of bounds.
            offset = offset.wrapping_mul(extent).wrapping_add(index);
        }
        Some(offset)
    }
}

impl<T, const N: usize> Drop for NdArray<T, N> {
    fn drop(&mut self) {
        match self.storage {
            Storage::Aligned => {
                let size = self.len * size_of::<T>();
                if size > 0 {
                    // SAFETY: size and alignment are those `allocate` used, which made a valid layout.
                    unsafe {
                        let layout = Layout::from_size_align_unchecked(size, ALIGN.max(align_of::<T>()));
                        alloc::dealloc(self.ptr.as_ptr().cast(), layout);
                    }
                }
            }
            Storage::Vec { capacity } => {
                // SAFETY: pointer, length and capacity are those of the Vec it was.
                drop(unsafe { Vec::from_raw_parts(self.ptr.as_ptr(), self.len, capacity) });
            }
        }
    }
}

impl<T: Data, const N: usize> Clone for NdArray<T, N> {
    fn clone(&self) -> Self {
        unwrap(Self::from_shape_slice(self.shape, self.as_slice()))
    }
}

impl<T: PartialEq, const N: usize> PartialEq for NdArray<T, N> {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape && self.as_slice() == other.as_slice()
    }
}

impl<T: Eq, const N: usize> Eq for NdArray<T, N> {}

impl<T: Data> From<Vec<T>> for NdArray<T> {
    fn from(elements: Vec<T>) -> Self {
        NdArray::from_vec(elements)
    }
}

impl<T: Data> FromIterator<T> for NdArray<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        NdArray::from_vec(iter.into_iter().collect())
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a NdArray<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a mut NdArray<T, N> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn out_of_bounds(shape: &[usize], index: &[usize]) -> ! {
    if let ([len], [index]) = (shape, index) {
        panic!("index out of bounds: the len is {len} but the index is {index}");
    }
    // The words of a compiled kernel, which names the first dimension that doesn't fit.
    match shape.iter().zip(index).enumerate().find(|(_, (extent, index))| index >= extent) {
        Some((dim, (extent, index))) => {
            panic!("index out of bounds: the extent of dimension {dim} is {extent} but the index is {index}")
        }
        None => panic!("index out of bounds: the shape is {shape:?} but the index is {index:?}"),
    }
}

impl<T> Index<usize> for NdArray<T> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        &self[[index]]
    }
}

impl<T> IndexMut<usize> for NdArray<T> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self[[index]]
    }
}

impl<T, const N: usize> Index<[usize; N]> for NdArray<T, N> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: [usize; N]) -> &T {
        match self.offset(index) {
            // SAFETY: the offset of an index in bounds is below `len`.
            Some(offset) => unsafe { &*self.ptr.as_ptr().add(offset) },
            None => out_of_bounds(&self.shape, &index),
        }
    }
}

impl<T, const N: usize> IndexMut<[usize; N]> for NdArray<T, N> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        match self.offset(index) {
            // SAFETY: the offset of an index in bounds is below `len`, and the borrow is exclusive.
            Some(offset) => unsafe { &mut *self.ptr.as_ptr().add(offset) },
            None => out_of_bounds(&self.shape, &index),
        }
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for NdArray<T, N> {
    /// Nested lists; of an array of more than a thousand elements, the ends of each dimension.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Nested { shape: &self.shape, elements: self.as_slice(), elide: self.len > 1000 }.fmt(f)
    }
}

/// A sub-array for `Debug`.
struct Nested<'a, T> {
    shape: &'a [usize],
    elements: &'a [T],
    elide: bool,
}

impl<T: fmt::Debug> fmt::Debug for Nested<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const ENDS: usize = 3;
        let Some((&extent, inner)) = self.shape.split_first() else {
            return self.elements[0].fmt(f);
        };
        let stride = self.elements.len().checked_div(extent).unwrap_or(0);
        let part =
            |k: usize| Nested { shape: inner, elements: &self.elements[k * stride..][..stride], elide: self.elide };
        let mut list = f.debug_list();
        if self.elide && extent > 2 * ENDS {
            list.entries((0..ENDS).map(part)).entry(&format_args!(".."));
            list.entries((extent - ENDS..extent).map(part));
        } else {
            list.entries((0..extent).map(part));
        }
        list.finish()
    }
}
