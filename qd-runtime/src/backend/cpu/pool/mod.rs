//! Who runs the iterations of a parallel task, and in which chunks.
//!
//! The calling thread always works, and helpers join it. Each thread has a *home*, a block of neighbouring chunks that is
//! the same one in every launch of that length, so that a stencil finds in its caches what it wrote a sweep before; it
//! takes chunks from the front of its home, and then from the back of the others' (chunks are in no order, see the rule
//! of the lowest failing iteration). Work that is not worth a helper runs inline, and so does a launch on a thread of any
//! rayon pool: its neighbours are busy with tasks of the same kind.
//!
//! Helpers are jobs on a rayon pool (the global one, or the pool's own), because a program that uses rayon then has one
//! set of threads instead of two that fight for the cores, and rayon does the parking. Handing every launch to rayon
//! would cost 20–90 µs. So a helper, once there, *lingers*: after a job it watches for the next one for [`LINGER`],
//! first spinning, then yielding, and only then goes back to rayon. Launches in quick succession are shared within
//! about a microsecond. A helper goes back after [`RESIDENCY`] in any case, so that rayon's own work isn't starved.
//!
//! A woken helper may be queued behind the caller on the caller's CPU. So while helpers are on their way, the caller lets
//! others run between chunks, and a helper that arrives on the CPU it was called from moves to another ([`affinity`]).
//!
//! A job lives on its caller's stack. It is offered in a [`Slot`], whose one atomic word says whether it is open and
//! how many helpers are inside; the caller closes the slot and waits for those inside before it returns or unwinds. A
//! helper that never arrived isn't inside, so it delays nobody. In a forked child, which has no helpers, all work is done
//! in place. This file knows nothing of compiled code.
//!
//! What is decided by atomics alone stands in [`slot`] and [`home`], which take them from [`sync`]: so `tests/loom.rs` can
//! run the same lines under every order of steps.
mod home;
mod slot;
mod sync;

use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use self::home::{Home, homes};
use self::slot::{Called, MOST, Seat, Slot};
use super::affinity;
use crate::error::{Error, ErrorKind, Result};
use crate::forked;

/// How long a helper watches for the next job.
const LINGER: Duration = Duration::from_micros(100);
/// How long a helper that lingers watches the number of jobs before it looks at all slots.
const GLANCE: Duration = Duration::from_micros(2);
/// How much of a wait is spent spinning, before yielding between looks.
const SPIN: Duration = Duration::from_micros(20);
/// How long a helper may keep a thread of rayon.
const RESIDENCY: Duration = Duration::from_millis(50);
/// What it costs to share a job with a lingering helper, in ns.
const HANDOFF_NS: f64 = 1_000.0;
/// What it costs to wake a helper, in ns, until it has been measured.
const WAKE_NS: u64 = 30_000;
/// A job is shared if its work is this many times the cost of getting a helper.
const WORTH: f64 = 3.0;
/// Work of the smallest chunk, in ns: well above the cost of taking one.
const MIN_CHUNK_NS: f64 = 500.0;
/// Chunks of at least four times this many iterations are a multiple of it: a chunk's vectorised loop leaves no rest, and
/// neighbours seldom share a cache line.
const EVEN: u64 = 64;
/// Chunks per thread, so that uneven iterations and late helpers even out.
const CHUNKS_PER_THREAD: u64 = 16;
/// Helpers asked for at a time: waking costs the waker, and the helpers are needed one after another anyway.
const RECRUITS: usize = 2;
/// Jobs offered at the same time; a launch that finds no slot runs inline.
const SLOTS: usize = 16;

/// A parallel loop to run.
#[derive(Debug, Clone, Copy)]
pub struct Work {
    /// Number of iterations.
    pub len: u64,
    /// Chunks start at multiples of this (a reduction's leaf); 0 is taken as 1.
    pub align: u64,
    /// Estimated time of one iteration, in nanoseconds.
    pub ns_per_iteration: f64,
    /// The fewest iterations of a chunk; by the estimate if nobody says.
    pub grain: Option<u64>,
}

impl Work {
    fn ns(&self) -> f64 {
        self.len as f64 * self.ns_per_iteration
    }

    /// Length of a chunk for `threads` threads.
    fn chunk(&self, threads: usize) -> u64 {
        let balanced = self.len / (threads as u64 * CHUNKS_PER_THREAD);
        // Saturates; an iteration without cost makes one chunk.
        let worthwhile = self.grain.unwrap_or((MIN_CHUNK_NS / self.ns_per_iteration) as u64);
        let mut chunk = balanced.max(worthwhile).max(1);
        if chunk >= 4 * EVEN {
            chunk = chunk.checked_next_multiple_of(EVEN).unwrap_or(chunk);
        }
        chunk.checked_next_multiple_of(self.align.max(1)).unwrap_or(self.len).min(self.len)
    }
}

/// A pool of helpers for parallel loops. Cloning gives another handle to the same pool.
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

impl Pool {
    /// The pool whose helpers are threads of rayon's global pool.
    pub fn global() -> &'static Pool {
        static GLOBAL: LazyLock<Pool> = LazyLock::new(|| Pool::with(Workers::Global(OnceLock::new())));
        &GLOBAL
    }

    /// A pool of `threads` threads, the caller of [`run`](Pool::run) being one of them; 0 is taken as 1.
    ///
    /// # Errors
    /// If the threads can't be started.
    pub fn new(threads: usize) -> Result<Pool> {
        if threads <= 1 {
            return Ok(Pool::with(Workers::None));
        }
        let built =
            rayon::ThreadPoolBuilder::new().num_threads(threads - 1).thread_name(|k| format!("qd-helper-{k}")).build();
        match built {
            Ok(pool) => Ok(Pool::with(Workers::Own(pool))),
            Err(error) => Err(Error::new(
                ErrorKind::Environment,
                format!("can't start {} threads: {error}; ask for fewer with `num_threads`", threads - 1),
            )),
        }
    }

    fn with(workers: Workers) -> Pool {
        Pool {
            shared: Arc::new(Shared {
                workers,
                opened: Padded(AtomicU64::new(0)),
                asked: AtomicUsize::new(0),
                here: AtomicUsize::new(0),
                wake_ns: AtomicU64::new(WAKE_NS),
                passed_up: PassedUp { epoch: Instant::now(), last: AtomicU64::new(0), ns: AtomicU64::new(0) },
                slots: Default::default(),
            }),
        }
    }

    /// Runs `body` over `0..work.len`, in ranges that start at multiples of `work.align`, each iteration once.
    ///
    /// Returns when all are done. A panic of `body` goes on in the caller once no other thread is in `body`; ranges not
    /// yet begun are then left out.
    #[inline]
    pub fn run(&self, work: Work, body: &(dyn Fn(Range<u64>) + Sync)) {
        if work.len == 0 {
            return;
        }
        if work.ns() < WORTH * HANDOFF_NS {
            body(0..work.len);
        } else {
            self.run_large(work, body);
        }
    }

    fn run_large(&self, work: Work, body: &(dyn Fn(Range<u64>) + Sync)) {
        let in_place = rayon::current_thread_index().is_some() || forked::is_child();
        let most = if in_place { 0 } else { self.shared.workers.most() };
        let chunk = work.chunk(most + 1);
        let chunks = work.len.div_ceil(chunk);
        let limit = (chunks - 1).min(most as u64).min(MOST) as usize;
        let help = if limit == 0 { Help::None } else { self.shared.worthwhile(work.ns(), limit) };
        let recruit = match help {
            Help::None => return body(0..work.len),
            Help::Here => false,
            Help::Wake => true,
        };
        let job = Job {
            homes: homes(chunks, limit as u64 + 1),
            chunk,
            len: work.len,
            body,
            caller: thread::current(),
            panic: Mutex::new(None),
        };
        let Some(open) = self.shared.offer(&job, limit) else {
            return body(0..work.len);
        };
        job.work(0, || {
            if recruit {
                self.shared.recruit(open.slot, job.left());
                self.shared.make_way();
            }
        });
        drop(open);
        if let Some(payload) = job.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
            resume_unwind(payload);
        }
    }
}

/// Where helpers come from.
enum Workers {
    None,
    /// Rayon's global pool; the number of helpers is asked for when first needed, since asking starts it.
    Global(OnceLock<usize>),
    Own(rayon::ThreadPool),
}

impl Workers {
    /// The most helpers. Not to be called on a thread of a rayon pool, which would give that pool's number.
    fn most(&self) -> usize {
        match self {
            Workers::None => 0,
            Workers::Global(most) => *most.get_or_init(|| rayon::current_num_threads() - 1),
            Workers::Own(pool) => pool.current_num_threads(),
        }
    }

    fn spawn(&self, helper: impl FnOnce() + Send + 'static) {
        match self {
            Workers::None => {}
            Workers::Global(_) => rayon::spawn(helper),
            Workers::Own(pool) => pool.spawn(helper),
        }
    }
}

/// A value on cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
struct Padded<T>(T);

/// The help a job is worth.
enum Help {
    None,
    /// That of helpers who are there, and not busy if all is well.
    Here,
    /// Waking helpers.
    Wake,
}

/// Launches in quick succession that were too short to wake a helper for: together they may be long enough.
struct PassedUp {
    epoch: Instant,
    /// When the last one will have ended, in ns since `epoch`.
    last: AtomicU64,
    /// Their work.
    ns: AtomicU64,
}

impl PassedUp {
    /// Adds a launch; true if a helper would have been worth its wake by now. Races only blur the estimate.
    fn add(&self, ns: f64, enough: f64) -> bool {
        let now = self.epoch.elapsed().as_nanos() as u64;
        // A launch that gets no help takes about `ns`; the gap to the next begins after that.
        let gap = now.saturating_sub(self.last.swap(now.saturating_add(ns as u64), Ordering::Relaxed));
        let before = if gap > LINGER.as_nanos() as u64 { 0 } else { self.ns.load(Ordering::Relaxed) };
        let total = before.saturating_add(ns as u64);
        let due = total as f64 >= enough;
        self.ns.store(if due { 0 } else { total }, Ordering::Relaxed);
        due
    }
}

/// What callers and helpers share.
struct Shared {
    workers: Workers,
    /// Counts the jobs offered: what lingering helpers watch.
    opened: Padded<AtomicU64>,
    /// Helpers asked for and not gone yet.
    asked: AtomicUsize,
    /// Those of them that have arrived. Like all here that callers read, it changes only as helpers come and go: what
    /// changed with each job would have to travel from one core to another each time.
    here: AtomicUsize,
    /// Time from asking for a helper to its arrival, a running mean.
    wake_ns: AtomicU64,
    passed_up: PassedUp,
    slots: [Padded<Slot<Job<'static>>>; SLOTS],
}

impl Shared {
    /// The help that a job of `ns` with room for `limit` helpers is worth.
    fn worthwhile(&self, ns: f64, limit: usize) -> Help {
        let enough = WORTH * self.wake_ns.load(Ordering::Relaxed) as f64;
        let here = self.here.load(Ordering::Relaxed);
        if ns >= enough || (here < limit && self.passed_up.add(ns, enough)) {
            Help::Wake
        } else if here > 0 {
            Help::Here
        } else {
            Help::None
        }
    }

    /// Offers `job` to at most `limit` helpers; `None` if all slots are taken.
    fn offer<'a>(&'a self, job: &'a Job<'a>, limit: usize) -> Option<Open<'a>> {
        let slot = self.slots.iter().map(|slot| &slot.0).find(|slot| slot.claim())?;
        // SAFETY: the `Open` made here closes the slot before `job` goes.
        unsafe { slot.open(ptr::from_ref(job).cast::<Job<'static>>(), limit) };
        self.opened.0.fetch_add(1, Ordering::SeqCst);
        Some(Open { slot, job })
    }

    /// A seat in any open job.
    fn join(&self) -> Option<Seat<'_, Job<'static>>> {
        self.slots.iter().find_map(|slot| slot.0.join())
    }

    /// Asks for helpers if the job in `slot`, of which `left` chunks aren't taken, has room for more than are idle.
    ///
    /// No wake-up is lost: the slot was opened before `asked` is read here, and a helper about to go takes itself off
    /// `asked` before it looks at the slots for the last time, so one of the two sees the other. An idle helper that
    /// another job takes instead is made up for before the next chunk.
    fn recruit(self: &Arc<Self>, slot: &Slot<Job<'static>>, left: u64) {
        let wanted = slot.room().min(left) as usize;
        if wanted == 0 {
            return;
        }
        let busy: u64 = self.slots.iter().map(|slot| slot.0.inside()).sum();
        let idle = self.asked.load(Ordering::SeqCst).saturating_sub(busy as usize);
        for _ in idle..wanted.min(idle + RECRUITS) {
            let most = self.workers.most();
            let more = |asked| (asked < most).then_some(asked + 1);
            if self.asked.fetch_update(Ordering::SeqCst, Ordering::Relaxed, more).is_err() {
                return;
            }
            let (shared, asked, cpu) = (Arc::clone(self), Instant::now(), affinity::current());
            self.workers.spawn(move || shared.help(asked, cpu));
        }
    }

    /// Lets a helper run that is on its way, should it wait for this CPU.
    fn make_way(&self) {
        if self.asked.load(Ordering::Relaxed) > self.here.load(Ordering::Relaxed) {
            thread::yield_now();
        }
    }

    /// The life of a helper, from its arrival on a thread of rayon until it gives the thread back. It was asked for at
    /// that time on that CPU, where the caller is busy.
    fn help(&self, asked: Instant, caller: Option<usize>) {
        if let Some(cpu) = caller {
            affinity::leave(cpu);
        }
        let arrived = Instant::now();
        // A pool whose threads are all busy answers late; that must not make every job look too short to share.
        let took = (arrived - asked).as_nanos().clamp(2_000, 200_000) as u64;
        let mean = self.wake_ns.load(Ordering::Relaxed);
        self.wake_ns.store((7 * mean + took) / 8, Ordering::Relaxed);
        self.here.fetch_add(1, Ordering::Relaxed);
        // The count before the first look, so that a job offered in between is seen as a change.
        let mut seen = self.opened.0.load(Ordering::SeqCst);
        let mut seat = self.join();
        loop {
            if let Some(seat) = &seat {
                let job = seat.job();
                if let Err(payload) = catch_unwind(AssertUnwindSafe(|| job.work(job.home(), || ()))) {
                    job.fail(payload);
                }
                if arrived.elapsed() > RESIDENCY {
                    // Before the seat is given up, so that nobody takes this helper for an idle one.
                    self.leave();
                    return;
                }
            }
            drop(seat.take());
            seat = self.linger(&mut seen);
            if seat.is_none() {
                self.leave();
                // The last look comes after this helper is no longer counted on: see `recruit`.
                seat = self.join();
                if seat.is_none() {
                    return;
                }
                self.asked.fetch_add(1, Ordering::SeqCst);
                self.here.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// A helper is no longer to be counted on.
    fn leave(&self) {
        self.here.fetch_sub(1, Ordering::Relaxed);
        self.asked.fetch_sub(1, Ordering::SeqCst);
    }

    /// Watches for a job for [`LINGER`]. `seen` is how many had been offered when this helper last looked at the slots.
    ///
    /// As long as that number stays, the slots are left alone for a while: a caller that launches one loop after another
    /// is about to write to them. Then they are all looked at once, for a job that was offered before the helper's last
    /// one and still has room.
    fn linger(&self, seen: &mut u64) -> Option<Seat<'_, Job<'static>>> {
        let mut all = false;
        watch(|waited| {
            let opened = self.opened.0.load(Ordering::SeqCst);
            let changed = opened != std::mem::replace(seen, opened);
            let late = !all && waited > GLANCE;
            all |= late;
            (changed || late).then(|| self.join()).flatten()
        })
    }
}

/// Looks until `look`, which is told the time since the first look, finds something or [`LINGER`] has passed.
fn watch<T>(mut look: impl FnMut(Duration) -> Option<T>) -> Option<T> {
    let since = Instant::now();
    let mut waited = Duration::ZERO;
    loop {
        for _ in 0..32 {
            if let Some(found) = look(waited) {
                return Some(found);
            }
            std::hint::spin_loop();
        }
        waited = since.elapsed();
        if waited > LINGER {
            return None;
        }
        if waited > SPIN {
            thread::yield_now();
        }
    }
}

/// A loop in progress, on its caller's stack.
struct Job<'a> {
    /// The chunks to hand out; the first home is the caller's.
    homes: Box<[Home]>,
    chunk: u64,
    len: u64,
    body: &'a (dyn Fn(Range<u64>) + Sync),
    caller: Thread,
    /// The first panic of a helper.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

impl Called for Job<'_> {
    fn caller(&self) -> &Thread {
        &self.caller
    }
}

impl Job<'_> {
    /// The home of a helper: by its number in its pool. Two with the same home share it.
    fn home(&self) -> usize {
        1 + rayon::current_thread_index().unwrap_or(0) % (self.homes.len() - 1)
    }

    /// Runs chunks until none is left. Calls `taken` after each is taken, before it is run.
    fn work(&self, home: usize, taken: impl Fn()) {
        let (before, rest) = self.homes.split_at(home);
        for (k, home) in rest.iter().chain(before).enumerate() {
            while let Some(chunk) = home.take(k == 0) {
                taken();
                // Not past `len`, and the last chunk ends there.
                let begin = chunk * self.chunk;
                (self.body)(begin..begin.saturating_add(self.chunk).min(self.len));
            }
        }
    }

    /// Chunks that aren't taken.
    fn left(&self) -> u64 {
        self.homes.iter().map(Home::left).sum()
    }

    /// Hands out no more chunks.
    fn stop(&self) {
        self.homes.iter().for_each(Home::empty);
    }

    fn fail(&self, payload: Box<dyn Any + Send>) {
        self.stop();
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(payload);
    }
}

/// A caller's hold on its open slot; dropping it closes the slot and waits for the helpers inside.
struct Open<'a> {
    slot: &'a Slot<Job<'static>>,
    job: &'a Job<'a>,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        // All chunks are taken, unless the caller's part panicked.
        self.job.stop();
        self.slot.close(|empty| watch(|_| empty().then_some(())).is_some());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    /// Eight callers: a job is open at every time. The only thread of the pool must go back to rayon all the same.
    #[test]
    fn a_helper_gives_its_thread_back() {
        let pool = Pool::new(2).unwrap();
        let (done, ran) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let work = Work { len: 64, align: 1, grain: None, ns_per_iteration: 1e6 };
        let step = |_: Range<u64>| thread::sleep(Duration::from_micros(50));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    while !done.load(Ordering::Relaxed) {
                        pool.run(work, &step);
                    }
                });
            }
            // Until the helper is at work.
            let since = Instant::now();
            while pool.shared.here.load(Ordering::Relaxed) == 0 {
                assert!(since.elapsed() < Duration::from_secs(60), "nobody comes");
                thread::yield_now();
            }
            let flag = Arc::clone(&ran);
            pool.shared.workers.spawn(move || flag.store(true, Ordering::Relaxed));
            let since = Instant::now();
            while !ran.load(Ordering::Relaxed) && since.elapsed() < Duration::from_secs(20) {
                thread::sleep(Duration::from_millis(1));
            }
            done.store(true, Ordering::Relaxed);
        });
        assert!(ran.load(Ordering::Relaxed), "rayon's own work never got the thread");
    }
}
