//! Whether this process is a forked child of one that had used qd.
//!
//! A child has one thread, and whatever the others held stays locked: LLVM's locks, those of a compile under way, those of
//! rayon's sleeping threads. So in a child nothing is waited for that another thread might have held: what is ready runs on
//! the calling thread, what isn't is refused with an error that says why, and nothing is unloaded.
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError, TryLockError};

use crate::error::{Error, ErrorKind, Result};

static CHILD: AtomicBool = AtomicBool::new(false);

/// From now on children are told apart. To be called before anything of qd's is locked or started.
pub(crate) fn watch() {
    extern "C" fn in_child() {
        CHILD.store(true, Ordering::Relaxed);
    }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the handler only stores to an atomic, which it may at any time. Without memory for it nothing is
        // registered, and children are as they would be without this file.
        let _ = unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
}

/// Whether this is such a child.
#[inline]
pub(crate) fn is_child() -> bool {
    CHILD.load(Ordering::Relaxed)
}

/// What a child can't do, besides making runtimes.
pub(crate) const PREPARE: &str = "prepare or show a kernel";

/// An error if this is such a child, which can't do `what`.
pub(crate) fn refuse(what: &str) -> Result<()> {
    if is_child() { Err(refusal(what)) } else { Ok(()) }
}

/// The error of a child that can't do `what`.
pub(crate) fn refusal(what: &str) -> Error {
    Error::new(
        ErrorKind::Environment,
        format!(
            "this process was forked from one that had used qd, and can't {what}: only kernels that were launched before the \
             fork run in it, each on the calling thread; fork before qd is first used, or launch them once before"
        ),
    )
}

/// Locks; `None` in such a child if another thread held it when the process was forked. Poison says nothing here: what
/// the locks guard is whole after each statement.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    if !is_child() {
        return Some(mutex.lock().unwrap_or_else(PoisonError::into_inner));
    }
    match mutex.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
