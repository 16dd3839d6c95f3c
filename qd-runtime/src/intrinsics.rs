//! What kernels can call besides Rust itself, in plain Rust: the meaning that compiled kernels share, and what runs
//! when a kernel runs natively. Knows nothing of launching.
pub use qd_ir::op::ReduceOp;
pub use qd_ir::reduce::reduce_reference;

pub use crate::data::ndrange;

/// Writes an element at an index that any iteration of a parallel loop may compute, such as an entry of a permutation:
/// `qd::scatter(&mut y[p[i]], v)`.
///
/// No two iterations of the loop may scatter to the same element. A compiled kernel checks this: the launch fails at the
/// lowest iteration that comes second at an element, and the element then holds the value of one of them. (If that
/// iteration shares several elements, the message is about one of them.) One iteration may write its element again. Natively,
/// or where the loop runs in order, this is `*place = value`.
///
/// In a loop that scatters to an array, no other access to it may meet what is scattered. A launch takes 8 bytes for each
/// element of the array.
///
/// ```
/// # use qd_runtime::intrinsics::scatter;
/// fn permute(x: &[f32], to: &[usize], y: &mut [f32]) {
///     for i in 0..x.len() {
///         scatter(&mut y[to[i]], x[i]);
///     }
/// }
/// ```
#[inline]
pub fn scatter<T>(place: &mut T, value: T) {
    *place = value;
}

/// Read-modify-write of one element, without a race when a parallel loop's iterations meet there.
///
/// Each function gives the old value. Which iteration sees which old value depends on the schedule; the final value of
/// the order-free operations doesn't. Integer arithmetic wraps. Sums of floats are rounded in the order of the updates.
///
/// ```
/// # use qd_runtime::{data::NdArray, intrinsics::atomic};
/// fn histogram(bins: &mut NdArray<f32>, at: &[u8], weight: &[f32]) {
///     for i in 0..at.len() {
///         atomic::add(&mut bins[at[i] as usize], weight[i]);
///     }
/// }
/// ```
pub mod atomic {
    pub use crate::data::atomic::{Atomic, Integer};

    /// Fails, when it is compiled, for what machines have no atomics for.
    const fn supported<T: Atomic>() {
        assert!(T::SUPPORTED, "atomic operations on `i128` and `u128` are not supported: machines have none [QD0025]");
    }

    macro_rules! operations {
        ($($(#[$doc:meta])* $name:ident<$kind:ident> |$old:ident, $value:ident| $new:expr;)*) => { $(
            $(#[$doc])*
            #[inline]
            pub fn $name<T: $kind>(place: &mut T, $value: T) -> T {
                const { supported::<T>() };
                // Natively the iterations run in order, and `&mut` says that nobody else is here.
                let $old = *place;
                *place = $new;
                $old
            }
        )* };
    }
    operations! {
        /// `*place += value`, of integers wrapping; gives the old value.
        add<Atomic> |old, value| old.atomic_plus(value);
        /// `*place -= value`, of integers wrapping; gives the old value.
        sub<Atomic> |old, value| old.atomic_minus(value);
        /// The smaller of both is stored, of floats as by [`f32::min`]; gives the old value.
        min<Atomic> |old, value| old.atomic_smaller(value);
        /// The larger of both is stored, of floats as by [`f32::max`]; gives the old value.
        max<Atomic> |old, value| old.atomic_larger(value);
        /// `*place &= value`; gives the old value.
        and<Integer> |old, value| old.atomic_and(value);
        /// `*place |= value`; gives the old value.
        or<Integer> |old, value| old.atomic_or(value);
        /// `*place ^= value`; gives the old value.
        xor<Integer> |old, value| old.atomic_xor(value);
        /// `value` is stored; gives the old value.
        exchange<Atomic> |old, value| value;
    }

    /// `new` is stored if the element's bits are those of `current`; gives the old value, by which one tells whether
    /// they were. A NaN is found by its bits, and 0.0 isn't -0.0.
    ///
    /// ```
    /// # use qd_runtime::{data::NdArray, intrinsics::atomic};
    /// fn claim(owner: &mut NdArray<u32>, wanted: &[usize], got: &mut [bool]) {
    ///     for i in 0..got.len() {
    ///         got[i] = atomic::compare_exchange(&mut owner[wanted[i]], u32::MAX, i as u32) == u32::MAX;
    ///     }
    /// }
    /// ```
    #[inline]
    pub fn compare_exchange<T: Atomic>(place: &mut T, current: T, new: T) -> T {
        const { supported::<T>() };
        let old = *place;
        if old.atomic_same_bits(current) {
            *place = new;
        }
        old
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
        let mut z = 1.5f32;
        assert_eq!(atomic::add(&mut z, 0.25), 1.5);
        assert_eq!(atomic::sub(&mut z, 2.0), 1.75);
        assert_eq!(atomic::min(&mut z, f32::NAN), -0.25);
        assert_eq!(atomic::max(&mut z, 3.0), -0.25);
        assert_eq!(atomic::exchange(&mut z, f32::NAN), 3.0);
        assert!(atomic::max(&mut z, 7.0).is_nan());
        assert_eq!(z, 7.0);
        assert_eq!(atomic::compare_exchange(&mut z, 6.0, 1.0), 7.0);
        assert_eq!(atomic::compare_exchange(&mut z, 7.0, 0.0), 7.0);
        assert_eq!(atomic::compare_exchange(&mut z, -0.0, 1.0), 0.0);
        assert_eq!(z.to_bits(), 0);
        assert_eq!(atomic::compare_exchange(&mut x[0], 255, 3), 255);
        assert_eq!(x[0], 3);
    }
}
