//! On which CPU a thread runs, and how it gets off one.
//!
//! Linux often queues a woken thread behind the one that woke it although another CPU is idle (with few CPUs to a cache
//! it looks at none of the others), and there it waits for the end of a time slice, some milliseconds. What this file
//! must not know: pools and jobs.

/// The CPU that runs this thread; `None` where it can't be told.
#[cfg(target_os = "linux")]
pub(super) fn current() -> Option<usize> {
    // SAFETY: takes nothing and only reads.
    usize::try_from(unsafe { libc::sched_getcpu() }).ok()
}

/// Moves this thread off `cpu` if it runs there and may run elsewhere. It may come back: what it is allowed stays.
#[cfg(target_os = "linux")]
pub(super) fn leave(cpu: usize) {
    if current() != Some(cpu) {
        return;
    }
    let size = size_of::<libc::cpu_set_t>();
    // SAFETY: the set is plain bits, all zero is the empty one; the call writes to at most `size` bytes of it.
    let (asked, allowed) = unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        (libc::sched_getaffinity(0, size, &mut allowed), allowed)
    };
    // SAFETY: `CPU_ISSET` and `CPU_COUNT` read a set; `cpu` is checked to be in its range.
    let elsewhere = cpu < 8 * size && unsafe { libc::CPU_ISSET(cpu, &allowed) && libc::CPU_COUNT(&allowed) > 1 };
    if asked != 0 || !elsewhere {
        return;
    }
    let mut others = allowed;
    // SAFETY: `cpu` is in the range of the set. The calls change where this thread may run and read `size` bytes each;
    // a refused one changes nothing, and the second gives back what the first took.
    unsafe {
        libc::CPU_CLR(cpu, &mut others);
        libc::sched_setaffinity(0, size, &others);
        libc::sched_setaffinity(0, size, &allowed);
    }
}

/// The CPU that runs this thread; `None` where it can't be told.
#[cfg(not(target_os = "linux"))]
pub(super) fn current() -> Option<usize> {
    None
}

/// Moves this thread off `cpu`; here the system does without.
#[cfg(not(target_os = "linux"))]
pub(super) fn leave(_cpu: usize) {}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    fn allowed() -> Vec<usize> {
        // SAFETY: as in `leave`.
        unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            assert_eq!(libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set), 0);
            (0..8 * size_of::<libc::cpu_set_t>()).filter(|cpu| libc::CPU_ISSET(*cpu, &set)).collect()
        }
    }

    #[test]
    fn leaving_moves_and_changes_nothing_that_is_allowed() {
        let before = allowed();
        for _ in 0..100 {
            leave(current().unwrap());
            assert_eq!(allowed(), before);
        }
        leave(usize::MAX);
        assert_eq!(allowed(), before);
    }
}
