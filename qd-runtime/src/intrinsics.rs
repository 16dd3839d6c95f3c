//! What kernels can call besides Rust itself, in plain Rust: the meaning that compiled kernels share, and what runs
//! when a kernel runs natively. Knows nothing of launching.
pub use qd_ir::op::ReduceOp;
pub use qd_ir::reduce::reduce_reference;

pub use crate::data::ndrange;

/// Read-modify-write of one element, without a race when a parallel loop's iterations meet there.
///
/// Each function gives the old value. Which iteration sees which old value depends on the schedule; the final value of
/// the order-free operations doesn't. Arithmetic wraps.
///
/// ```
/// # use qd_runtime::{data::NdArray, intrinsics::atomic};
/// fn histogram(bins: &mut NdArray<u32>, x: &[u8]) {
///     for i in 0..x.len() {
///         atomic::add(&mut bins[x[i] as usize], 1);
///     }
/// }
/// ```
pub mod atomic {
    mod sealed {
        pub trait Sealed {}
    }

    /// An integer of at most 64 bits.
    #[diagnostic::on_unimplemented(
        message = "atomic operations on `{Self}` are not supported",
        label = "not an integer of at most 64 bits",
        note = "use `i8`..`i64`, `isize`, `u8`..`u64` or `usize` elements: machines have no wider atomics"
    )]
    pub trait Integer: Copy + Ord + sealed::Sealed {
        #[doc(hidden)]
        fn wrapping_add(self, other: Self) -> Self;
        #[doc(hidden)]
        fn wrapping_sub(self, other: Self) -> Self;
        #[doc(hidden)]
        fn and(self, other: Self) -> Self;
        #[doc(hidden)]
        fn or(self, other: Self) -> Self;
        #[doc(hidden)]
        fn xor(self, other: Self) -> Self;
    }

    macro_rules! integers {
        ($($ty:ident)*) => { $(
            impl sealed::Sealed for $ty {}
            impl Integer for $ty {
                fn wrapping_add(self, other: Self) -> Self {
                    $ty::wrapping_add(self, other)
                }
                fn wrapping_sub(self, other: Self) -> Self {
                    $ty::wrapping_sub(self, other)
                }
                fn and(self, other: Self) -> Self {
                    self & other
                }
                fn or(self, other: Self) -> Self {
                    self | other
                }
                fn xor(self, other: Self) -> Self {
                    self ^ other
                }
            }
        )* };
    }
    integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

    macro_rules! operations {
        ($($(#[$doc:meta])* $name:ident |$old:ident, $value:ident| $new:expr;)*) => { $(
            $(#[$doc])*
            #[inline]
            pub fn $name<T: Integer>(place: &mut T, $value: T) -> T {
                // Natively the iterations run in order, and `&mut` says that nobody else is here.
                let $old = *place;
                *place = $new;
                $old
            }
        )* };
    }
    operations! {
        /// `*place += value`, wrapping; gives the old value.
        add |old, value| old.wrapping_add(value);
        /// `*place -= value`, wrapping; gives the old value.
        sub |old, value| old.wrapping_sub(value);
        /// The smaller of both is stored; gives the old value.
        min |old, value| old.min(value);
        /// The larger of both is stored; gives the old value.
        max |old, value| old.max(value);
        /// `*place &= value`; gives the old value.
        and |old, value| old.and(value);
        /// `*place |= value`; gives the old value.
        or |old, value| old.or(value);
        /// `*place ^= value`; gives the old value.
        xor |old, value| old.xor(value);
        /// `value` is stored; gives the old value.
        exchange |old, value| value;
    }
}

#[cfg(test)]
mod tests {
    use super::atomic;

    #[test]
    fn atomics_store_the_new_and_give_the_old_value() {
        let mut x = [250u8, 7];
        assert_eq!(atomic::add(&mut x[0], 10), 250);
        assert_eq!(x, [4, 7]);
        assert_eq!(atomic::sub(&mut x[0], 5), 4);
        assert_eq!(atomic::exchange(&mut x[1], 9), 7);
        assert_eq!(x, [255, 9]);
        let mut y = -3i64;
        assert_eq!(atomic::min(&mut y, 5), -3);
        assert_eq!(atomic::max(&mut y, 5), -3);
        assert_eq!(atomic::and(&mut y, 6), 5);
        assert_eq!(atomic::or(&mut y, 3), 4);
        assert_eq!(atomic::xor(&mut y, 2), 7);
        assert_eq!(y, 5);
    }
}
