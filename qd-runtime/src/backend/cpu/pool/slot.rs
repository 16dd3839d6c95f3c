//! A place where a caller offers a job to helpers.
//!
//! The job lies on the caller's stack. One word says whether the slot is open and how many helpers are inside; the caller
//! closes it and waits for those inside before the job goes.
use super::sync::{AtomicPtr, AtomicU64, Ordering, Thread, park};

/// A caller has the slot.
const CLAIMED: u64 = 1 << 63;
/// Helpers may join.
const OPEN: u64 = 1 << 62;
/// The caller is parked, or about to be, until the last helper leaves.
const WAITING: u64 = 1 << 61;
/// Where the most helpers stand.
const LIMIT: u32 = 32;
/// The largest such number.
pub(super) const MOST: u64 = 0xffff;

/// Helpers inside.
const fn inside(state: u64) -> u64 {
    state & 0xffff_ffff
}

/// Helpers that may still join.
const fn room(state: u64) -> u64 {
    if state & OPEN == 0 { 0 } else { ((state >> LIMIT) & MOST).saturating_sub(inside(state)) }
}

/// A job, which knows whose it is.
pub(super) trait Called {
    /// The thread that waits for the helpers.
    fn caller(&self) -> &Thread;
}

/// A place where a job is offered.
pub(super) struct Slot<J> {
    /// [`CLAIMED`], [`OPEN`] and [`WAITING`], the most helpers, the helpers inside.
    state: AtomicU64,
    /// Valid while the slot is open or a helper is inside.
    job: AtomicPtr<J>,
}

impl<J> Default for Slot<J> {
    fn default() -> Self {
        Slot { state: AtomicU64::new(0), job: AtomicPtr::new(std::ptr::null_mut()) }
    }
}

impl<J: Called> Slot<J> {
    /// Takes the slot, if nobody has it.
    pub(super) fn claim(&self) -> bool {
        self.state.compare_exchange(0, CLAIMED, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Lets at most `limit` helpers in.
    ///
    /// # Safety
    /// The caller has claimed the slot, and closes it before it next touches the job other than by shared references, or
    /// the job goes.
    pub(super) unsafe fn open(&self, job: *const J, limit: usize) {
        self.job.store(job.cast_mut(), Ordering::Relaxed);
        self.state.store(CLAIMED | OPEN | (limit as u64) << LIMIT, Ordering::SeqCst);
    }

    /// Lets nobody in any more, waits for those inside and gives the slot back. `watch` is given a question, whether all
    /// have left, and may ask it for a while; it says whether they have. After it the thread parks.
    pub(super) fn close(&self, watch: impl FnOnce(&dyn Fn() -> bool) -> bool) {
        self.state.fetch_and(!OPEN, Ordering::AcqRel);
        let empty = || inside(self.state.load(Ordering::Acquire)) == 0;
        if !empty() && !watch(&empty) {
            self.state.fetch_or(WAITING, Ordering::AcqRel);
            while !empty() {
                park();
            }
        }
        self.state.store(0, Ordering::Release);
    }

    /// Helpers that may still join.
    pub(super) fn room(&self) -> u64 {
        room(self.state.load(Ordering::Relaxed))
    }

    /// Helpers that are there.
    pub(super) fn inside(&self) -> u64 {
        // Acquires: whoever sees that a helper has left also sees what it did before.
        inside(self.state.load(Ordering::Acquire))
    }

    /// Joins as a helper, if there is room.
    pub(super) fn join(&self) -> Option<Seat<'_, J>> {
        let more = |state| (room(state) > 0).then_some(state + 1);
        self.state.fetch_update(Ordering::SeqCst, Ordering::SeqCst, more).ok().map(|_| Seat { slot: self })
    }
}

/// A helper's presence in a job.
pub(super) struct Seat<'a, J: Called> {
    slot: &'a Slot<J>,
}

impl<J: Called> Seat<'_, J> {
    pub(super) fn job(&self) -> &J {
        // SAFETY: the slot was open when this helper was counted, so `open` had stored the job, and by its contract `close`
        // keeps the job in place until the helper is no longer counted, which happens when `self` is dropped.
        unsafe { &*self.slot.job.load(Ordering::Relaxed) }
    }
}

impl<J: Called> Drop for Seat<'_, J> {
    fn drop(&mut self) {
        let mut state = self.slot.state.load(Ordering::Relaxed);
        loop {
            // After the exchange the job may be gone, so the handle is taken before. If the caller starts to wait in
            // between, the exchange fails.
            let wake = state & WAITING != 0 && inside(state) == 1;
            let caller = wake.then(|| self.job().caller().clone());
            match self.slot.state.compare_exchange_weak(state, state - 1, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(_) => {
                    if let Some(caller) = caller {
                        caller.unpark();
                    }
                    return;
                }
                Err(now) => state = now,
            }
        }
    }
}
