//! The floating-point environment that compiled code assumes: round to nearest, subnormals kept, no traps.
//!
//! Another library may have set flush-to-zero or another rounding in the calling thread or in a thread of a pool. Rust
//! assumes it hasn't; a kernel's results must not depend on which thread ran an iteration, so whatever computes floats for
//! one runs in the default environment, and the thread gets its own back: its code, the combining of what its threads came
//! to, and the reading of its literals (new threads inherit the environment of the one that starts them).

/// While it lives the thread has the default environment.
#[must_use = "the environment is restored when this is dropped"]
pub struct FloatEnv {
    /// The control register to restore; `None` if it was the default.
    before: Option<Control>,
}

#[cfg(target_arch = "x86_64")]
mod control {
    use std::arch::asm;

    /// MXCSR.
    pub(super) type Control = u32;

    /// All exceptions masked, round to nearest, no flush to zero, subnormals kept.
    const DEFAULT: Control = 0x1f80;
    /// Exceptions seen so far; they control nothing.
    const STICKY: Control = 0x3f;

    #[inline]
    pub(super) fn get() -> Control {
        let mut value: Control = 0;
        // SAFETY: stores MXCSR to the four bytes of `value`.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
        value
    }

    pub(super) fn set(value: Control) {
        // SAFETY: `value` is the default, which is what Rust assumes and all code until the next call of `set` needs, or
        // it is what this thread had before, which isn't ours to change. No reserved bit is set.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags, readonly)) };
    }

    pub(super) fn with_default(value: Control) -> Option<Control> {
        (value & !STICKY != DEFAULT).then_some(DEFAULT)
    }
}

#[cfg(target_arch = "aarch64")]
mod control {
    use std::arch::asm;

    /// FPCR.
    pub(super) type Control = u64;

    /// Rounding mode, flush to zero, default NaN, trap enables, and the alternative half-precision bits.
    const FIELDS: Control = 0x07f7_9f07;

    #[inline]
    pub(super) fn get() -> Control {
        let value: Control;
        // SAFETY: reads FPCR.
        unsafe { asm!("mrs {}, fpcr", out(reg) value, options(nomem, nostack, preserves_flags)) };
        value
    }

    pub(super) fn set(value: Control) {
        // SAFETY: `value` was read from FPCR, perhaps with its fields zeroed, which is the environment Rust assumes.
        unsafe { asm!("msr fpcr, {}", in(reg) value, options(nomem, nostack, preserves_flags)) };
    }

    pub(super) fn with_default(value: Control) -> Option<Control> {
        (value & FIELDS != 0).then_some(value & !FIELDS)
    }
}

use control::Control;

impl FloatEnv {
    /// Sets the default environment if the thread has another.
    #[inline]
    pub fn enter() -> Self {
        let before = control::get();
        match control::with_default(before) {
            None => FloatEnv { before: None },
            Some(default) => {
                control::set(default);
                FloatEnv { before: Some(before) }
            }
        }
    }
}

impl Drop for FloatEnv {
    #[inline]
    fn drop(&mut self) {
        if let Some(before) = self.before {
            control::set(before);
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use std::hint::black_box;

    use super::*;

    #[test]
    fn flush_to_zero_is_lifted_and_comes_back() {
        let flush = control::get() | 0x8040;
        control::set(flush);
        let half = |x: f32| black_box(x) * black_box(0.5);
        let flushed = half(f32::MIN_POSITIVE);
        let kept = {
            let _env = FloatEnv::enter();
            half(f32::MIN_POSITIVE)
        };
        let after = control::get();
        control::set(0x1f80);
        assert_eq!(flushed, 0.0);
        assert_eq!(kept, f32::from_bits(0x0040_0000));
        assert_eq!(after & 0x8040, 0x8040);
    }
}
