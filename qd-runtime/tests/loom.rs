//! What the pool decides by atomics alone, under every order of steps that the memory model allows, up to the number of
//! forced switches that loom is told. The files are the pool's own, over loom's atomics.
#![allow(dead_code)] // The pool uses more of them.

#[path = "../src/backend/cpu/pool/home.rs"]
mod home;
#[path = "../src/backend/cpu/pool/slot.rs"]
mod slot;

/// In place of `backend/cpu/pool/sync.rs`.
mod sync {
    pub(super) use loom::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
    pub(super) use loom::thread::{Thread, park};
}

use loom::cell::UnsafeCell;
use loom::model::Builder;
use loom::sync::Arc;
use loom::thread;

use home::homes;
use slot::{Called, Slot};

/// A job whose parts loom watches: a helper that looked at it while its caller changes it would be told.
struct Job {
    caller: sync::Thread,
    given: UnsafeCell<u32>,
    done: [UnsafeCell<u32>; 2],
}

impl Job {
    fn new(given: u32) -> Self {
        Job { caller: thread::current(), given: UnsafeCell::new(given), done: [UnsafeCell::new(0), UnsafeCell::new(0)] }
    }
}

// SAFETY: loom checks each access to the cells, which is what this test is about.
unsafe impl Sync for Job {}

impl Called for Job {
    fn caller(&self) -> &sync::Thread {
        // SAFETY: loom checks that the job is still there for helpers.
        self.given.with(|given| unsafe { *given });
        &self.caller
    }
}

fn model(preemptions: usize, check: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(check);
}

/// One or two helpers, and a caller who offers a job, takes it apart after it has closed the slot, and offers another in
/// the same place. `limit`: how many helpers may be inside.
fn offers(helpers: usize, limit: usize, watch: fn(&dyn Fn() -> bool) -> bool) {
    let slot = Arc::new(Slot::<Job>::default());
    let helpers: Vec<_> = (0..helpers)
        .map(|number| {
            let slot = Arc::clone(&slot);
            thread::spawn(move || {
                let seat = slot.join()?;
                assert!(slot.inside() <= limit as u64);
                let job = seat.job();
                // SAFETY: loom checks that nobody writes `given` and that each helper has its part of `done` for itself.
                let given = job.given.with(|given| unsafe { *given });
                // SAFETY: as above.
                job.done[number].with_mut(|done| unsafe { *done = given });
                Some(given)
            })
        })
        .collect();
    let mut got = [0; 2];
    for given in [7, 9] {
        assert!(slot.claim());
        let mut job = Job::new(given);
        // SAFETY: closed below, before `job` changes.
        unsafe { slot.open(&job, limit) };
        assert!(!slot.claim());
        slot.close(watch);
        for (number, done) in job.done.iter_mut().enumerate() {
            // SAFETY: loom checks it.
            let done = done.with(|done| unsafe { *done });
            assert!(done == 0 || done == given);
            got[number] = got[number].max(done);
        }
        // SAFETY: loom checks it.
        job.given.with_mut(|given| unsafe { *given = 0 });
    }
    assert!(slot.claim());
    for (helper, got) in helpers.into_iter().zip(got) {
        assert_eq!(helper.join().unwrap().unwrap_or(0), got);
    }
}

#[test]
fn a_job_is_its_callers_again_once_the_slot_is_closed() {
    model(5, || offers(1, 1, |_| false));
    model(2, || offers(2, 2, |_| false));
}

#[test]
fn a_caller_that_sees_the_last_helper_leave_need_not_park() {
    model(5, || offers(1, 1, |empty| empty()));
    model(2, || offers(2, 2, |empty| empty()));
}

#[test]
fn no_more_helpers_are_inside_than_may_be() {
    model(2, || offers(2, 1, |_| false));
}

#[test]
fn two_callers_never_have_one_slot() {
    model(4, || {
        let slot = Arc::new(Slot::<Job>::default());
        let held = Arc::new(UnsafeCell::new(0));
        let threads: Vec<_> = (0..2)
            .map(|_| {
                let (slot, held) = (Arc::clone(&slot), Arc::clone(&held));
                thread::spawn(move || {
                    if slot.claim() {
                        // SAFETY: loom checks that the other doesn't hold the slot.
                        held.with_mut(|held| unsafe { *held += 1 });
                        slot.close(|_| unreachable!("no helper was let in"));
                    }
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
}

#[test]
fn each_chunk_is_taken_once() {
    model(4, || {
        let homes = Arc::new(homes(5, 2));
        let other = Arc::clone(&homes);
        let all = |homes: &[home::Home], own: usize| {
            let mut taken = Vec::new();
            for (number, home) in [(own, &homes[own]), (1 - own, &homes[1 - own])] {
                while let Some(chunk) = home.take(number == own) {
                    taken.push(chunk);
                }
            }
            taken
        };
        let thread = thread::spawn(move || all(&other, 1));
        let mut taken = all(&homes, 0);
        taken.extend(thread.join().unwrap());
        taken.sort_unstable();
        assert_eq!(taken, [0, 1, 2, 3, 4]);
        assert!(homes.iter().all(|home| home.left() == 0));
    });
}
