//! What a kernel's wrapper calls: how it is meant to run this time, and the launch.
//!
//! A wrapper has the signature of the user's function, so what `try_call` and `native` want of it travels in a
//! thread-local that the wrapper takes first thing, and an error travels back the same way.
use std::cell::Cell;

use super::registry::{self, KernelStatic};
use super::run;
use super::words::Words;
use crate::data::{ArgWriter, Ret};
use crate::error::{Error, Result};

/// How a wrapper is to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Compiled; an error panics: a plain call.
    Call,
    /// Compiled; an error is left for [`try_call`].
    Try,
    /// The untouched body.
    Native,
}

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Call) };
    static FAILED: Cell<Option<Error>> = const { Cell::new(None) };
}

/// Takes the mode of this call; the next call on this thread is a plain one again.
#[inline]
pub fn enter() -> Mode {
    MODE.replace(Mode::Call)
}

/// Runs the kernel over arguments that the macro's wrapper has written for exactly this kernel's parameters.
///
/// # Panics
/// With the error's message unless `mode` is [`Mode::Try`].
#[track_caller]
pub fn launch<R: Ret>(kernel: &'static KernelStatic, mode: Mode, arguments: &mut ArgWriter) -> R {
    launch_lent(kernel, mode, arguments, |_| ())
}

/// As [`launch`], for a kernel that assigns values of bundles: `back` takes them from the words of the arguments when the
/// launch has ended, before an error panics.
///
/// # Panics
/// As [`launch`].
#[track_caller]
pub fn launch_lent<R: Ret>(
    kernel: &'static KernelStatic,
    mode: Mode,
    arguments: &mut ArgWriter,
    back: impl FnOnce(&[u64]),
) -> R {
    let mut result = Words::<8>::zeroed(R::QD_WORDS);
    let ended = run::launch(kernel, arguments.words_mut(), &mut result);
    back(arguments.words());
    match ended {
        Ok(()) => R::qd_from_words(&result),
        Err(error) => {
            fail(mode, error);
            R::qd_zero()
        }
    }
}

#[cold]
#[track_caller]
fn fail(mode: Mode, error: Error) {
    match mode {
        Mode::Try => FAILED.set(Some(error)),
        Mode::Call | Mode::Native => panic!("{error}"),
    }
}

/// Calls a kernel's wrapper so that an error comes back as a value. `call` must call the function item `F` and nothing
/// else.
pub(super) fn try_call<F, R>(call: impl FnOnce() -> R) -> Result<R> {
    MODE.set(Mode::Try);
    let result = call();
    // A wrapper has taken it. What only has the name of a generic kernel's instance is found out here.
    if enter() == Mode::Try {
        return Err(registry::not_a_kernel::<F>());
    }
    match FAILED.take() {
        None => Ok(result),
        Some(error) => Err(error),
    }
}

/// Calls the native body behind a kernel's wrapper. `call` must call the function item `F` and nothing else.
///
/// # Panics
/// If that is no wrapper.
#[track_caller]
pub(super) fn native<F, R>(call: impl FnOnce() -> R) -> R {
    MODE.set(Mode::Native);
    let result = call();
    if enter() == Mode::Native {
        panic!("{}", registry::not_a_kernel::<F>());
    }
    result
}
