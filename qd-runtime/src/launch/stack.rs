//! A stack for the compiler: typing and LLVM go down as deep as a kernel's expressions nest.
//!
//! How deep that is the source decides, how much stack is left the caller: a thread of a server may have 64 KiB. An
//! overflow can't be caught, so what compiles runs on a thread whose stack doesn't depend on who launches first.
//! The caller waits, so what it has locked or borrowed stays so; its thread-local state isn't seen. The thread has the
//! default floating-point environment, since literals are read and constants folded there.
use std::panic::resume_unwind;
use std::thread;

use crate::backend::cpu::float_env::FloatEnv;
use crate::error::{Error, ErrorKind, Result};
use crate::forked;

/// Address space, of which memory is taken as far as the stack is used.
const BYTES: usize = 256 << 20;

/// A thread that compiles, not started yet.
pub(super) fn builder() -> thread::Builder {
    thread::Builder::new().name("qd-compile".into()).stack_size(BYTES)
}

/// Runs `work` on a thread with a large stack. A panic goes on in the caller.
///
/// # Errors
/// Those of `work`; [`ErrorKind::Environment`] if the thread can't be started, and in a forked child.
pub(super) fn large<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    forked::refuse(forked::PREPARE)?;
    let work = || {
        let _env = FloatEnv::enter();
        work()
    };
    thread::scope(|scope| {
        let thread = builder().spawn_scoped(scope, work).map_err(|error| {
            let message = format!(
                "can't start the thread that compiles, with {} MiB of address space for its stack: {error}; raise the \
                 limit on threads or address space",
                BYTES >> 20
            );
            Error::new(ErrorKind::Environment, message)
        })?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses a KiB of stack a level.
    fn deep(levels: usize) -> usize {
        let room = std::hint::black_box([levels; 128]);
        if levels == 0 { 0 } else { deep(levels - 1) + room[levels % 128] / levels }
    }

    #[test]
    fn a_small_stack_is_enough_to_go_deep() {
        let small = thread::Builder::new().stack_size(64 << 10);
        let depth = small.spawn(|| large(|| Ok(deep(50_000)))).unwrap().join().unwrap();
        assert_eq!(depth.unwrap(), 50_000);
    }

    #[test]
    fn a_panic_arrives_with_what_it_carries() {
        let caught = std::panic::catch_unwind(|| large(|| -> Result<()> { std::panic::panic_any(7_u8) }));
        assert_eq!(caught.unwrap_err().downcast_ref::<u8>(), Some(&7));
    }
}
