//! The pool: every iteration once, from any number of callers, with panics, nesting and short lives.
use std::collections::HashSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use qd_runtime::backend::cpu::pool::{Pool, Work};

/// Costly enough to be shared whatever a wake costs.
const COSTLY: f64 = 1e6;

fn work(len: u64, ns_per_iteration: f64) -> Work {
    Work { len, align: 1, ns_per_iteration, grain: None }
}

/// Runs and checks that each iteration ran once.
fn check(pool: &Pool, work: Work) {
    let hits: Vec<AtomicU32> = (0..work.len).map(|_| AtomicU32::new(0)).collect();
    pool.run(work, &|range: Range<u64>| {
        assert!(range.start < range.end && range.end <= work.len, "{range:?}");
        assert_eq!(range.start % work.align.max(1), 0, "{range:?}");
        for i in range {
            hits[i as usize].fetch_add(1, Ordering::Relaxed);
        }
    });
    assert!(hits.iter().all(|hit| hit.load(Ordering::Relaxed) == 1));
}

#[test]
fn every_iteration_runs_once() {
    for threads in [0, 1, 2, 5] {
        let pool = Pool::new(threads).unwrap();
        for len in [0, 1, 2, 3, 31, 1000, 1023, 1024, 1025, 50_000] {
            for align in [0, 1, 7, 1024] {
                for ns_per_iteration in [0.0, 1.0, 300.0, COSTLY, f64::INFINITY, f64::NAN] {
                    check(&pool, Work { len, align, ns_per_iteration, grain: None });
                }
            }
        }
    }
}

#[test]
fn the_largest_domains_are_covered() {
    let pool = Pool::new(3).unwrap();
    for align in [1, 1024] {
        let (sum, end) = (AtomicU64::new(0), AtomicU64::new(0));
        let work = Work { len: u64::MAX, align, ns_per_iteration: 1.0, grain: None };
        pool.run(work, &|range: Range<u64>| {
            sum.fetch_add(range.end - range.start, Ordering::Relaxed);
            end.fetch_max(range.end, Ordering::Relaxed);
        });
        assert_eq!((sum.into_inner(), end.into_inner()), (u64::MAX, u64::MAX));
    }
}

#[test]
fn helpers_share_long_work() {
    for pool in [Pool::new(3).unwrap(), Pool::global().clone()] {
        let threads = Mutex::new(HashSet::new());
        let since = Instant::now();
        // Rayon's global pool has one thread on a machine of one core. On a busy one, helpers come late.
        let shared = |threads: &HashSet<_>| threads.len() > 1 || thread::available_parallelism().unwrap().get() == 1;
        while !shared(&threads.lock().unwrap()) {
            assert!(since.elapsed() < Duration::from_secs(60), "nobody helps");
            pool.run(work(100, COSTLY), &|_| {
                threads.lock().unwrap().insert(thread::current().id());
                thread::sleep(Duration::from_millis(1));
            });
            assert!(threads.lock().unwrap().contains(&thread::current().id()), "the caller works");
        }
    }
}

/// What a sweep over a grid needs: each thread meets again what it wrote in the sweep before.
#[test]
fn threads_keep_their_part_from_launch_to_launch() {
    let pool = Pool::new(2).unwrap();
    let me = thread::current().id();
    let ran_here = Mutex::new(Vec::new());
    let launch = || {
        let arrived = Barrier::new(2);
        ran_here.lock().unwrap().clear();
        let seen = Mutex::new(HashSet::new());
        pool.run(work(10_240, COSTLY), &|range| {
            // Both threads are here before either has run much.
            if seen.lock().unwrap().insert(thread::current().id()) {
                arrived.wait();
            }
            if thread::current().id() == me {
                ran_here.lock().unwrap().push(range);
            }
        });
        ran_here.lock().unwrap().clone()
    };
    for _ in 0..20 {
        let ranges = launch();
        assert_eq!(ranges[0].start, 0, "the caller begins at the front of its half");
        let own = ranges.iter().take_while(|range| range.end <= 5_120).count();
        assert!(ranges[..own].windows(2).all(|pair| pair[0].end == pair[1].start), "{ranges:?}");
        // What it takes over from the other comes from that one's back.
        assert!(ranges[own..].windows(2).all(|pair| pair[1].end == pair[0].start), "{ranges:?}");
        assert!(ranges.get(own).is_none_or(|range| range.end == 10_240), "{ranges:?}");
    }
}

#[test]
fn a_thread_without_work_takes_over_what_another_has_left() {
    let pool = Pool::new(2).unwrap();
    let me = thread::current().id();
    let taken_over = AtomicBool::new(false);
    pool.run(work(32, COSTLY), &|range| {
        // The caller is stuck in its first chunk until the other thread, its own half done, has one of the caller's.
        if thread::current().id() != me && range.end <= 16 {
            taken_over.store(true, Ordering::Relaxed);
        }
        let since = Instant::now();
        while range.start == 0 && !taken_over.load(Ordering::Relaxed) {
            assert!(since.elapsed() < Duration::from_secs(60), "nobody helps");
            thread::yield_now();
        }
    });
}

#[test]
fn short_work_stays_with_the_caller() {
    let pool = Pool::new(4).unwrap();
    let me = thread::current().id();
    for _ in 0..1000 {
        pool.run(work(100, 1.0), &|range| {
            assert_eq!(range, 0..100);
            assert_eq!(thread::current().id(), me);
        });
    }
}

#[test]
fn many_tiny_launches_from_several_threads() {
    let pool = Pool::new(3).unwrap();
    thread::scope(|scope| {
        for host in 0..6u64 {
            let pool = &pool;
            scope.spawn(move || {
                for round in 0..2_000 {
                    // Between inline, lingering and waking.
                    let ns_per_iteration = [10.0, 200.0, 2_000.0][((host + round) % 3) as usize];
                    check(pool, work(1 + (round * 7 + host) % 60, ns_per_iteration));
                }
            });
        }
    });
}

#[test]
fn more_callers_than_slots() {
    let pool = Pool::new(2).unwrap();
    thread::scope(|scope| {
        for _ in 0..40 {
            scope.spawn(|| {
                for _ in 0..20 {
                    check(&pool, work(64, COSTLY));
                }
            });
        }
    });
}

#[test]
fn launches_inside_launches_and_rayon_tasks() {
    let pool = Pool::new(3).unwrap();
    let count = AtomicU64::new(0);
    pool.run(work(50, COSTLY), &|outer| {
        for _ in outer {
            pool.run(work(50, COSTLY), &|inner| {
                count.fetch_add(inner.end - inner.start, Ordering::Relaxed);
            });
        }
    });
    assert_eq!(count.load(Ordering::Relaxed), 2500);
    rayon::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|_| {
                let me = thread::current().id();
                for pool in [&pool, Pool::global()] {
                    pool.run(work(50, COSTLY), &|inner| {
                        assert_eq!(thread::current().id(), me, "a launch on a rayon thread works in place");
                        count.fetch_add(inner.end - inner.start, Ordering::Relaxed);
                    });
                }
            });
        }
    });
    assert_eq!(count.load(Ordering::Relaxed), 4500);
}

#[test]
fn a_panic_reaches_the_caller_after_all_have_left() {
    let pool = Pool::new(4).unwrap();
    for bad in (0..400).step_by(7) {
        let inside = AtomicU32::new(0);
        let text = catch_unwind(AssertUnwindSafe(|| {
            pool.run(work(400, COSTLY), &|range| {
                inside.fetch_add(1, Ordering::SeqCst);
                let fails = range.contains(&bad);
                thread::yield_now();
                inside.fetch_sub(1, Ordering::SeqCst);
                assert!(!fails, "iteration {bad}");
            });
        }))
        .unwrap_err();
        assert_eq!(inside.load(Ordering::SeqCst), 0);
        assert_eq!(*text.downcast::<String>().unwrap(), format!("iteration {bad}"));
        check(&pool, work(400, COSTLY));
    }
}

#[test]
fn every_thread_may_panic_at_once() {
    let pool = Pool::new(4).unwrap();
    for _ in 0..100 {
        let result = catch_unwind(AssertUnwindSafe(|| pool.run(work(400, COSTLY), &|_| panic!("all"))));
        assert_eq!(*result.unwrap_err().downcast::<&str>().unwrap(), "all");
    }
    check(&pool, work(400, COSTLY));
}

#[test]
fn pools_may_go_while_their_helpers_linger() {
    for round in 0..200 {
        let pool = Pool::new(2 + round % 4).unwrap();
        check(&pool, work(64, COSTLY));
        let other = pool.clone();
        let user = thread::spawn(move || check(&other, work(64, COSTLY)));
        drop(pool);
        user.join().unwrap();
    }
}

#[test]
fn a_busy_rayon_pool_delays_nobody() {
    // All of rayon's threads are held until the launch is over, so no helper can arrive.
    let (release, held) = std::sync::mpsc::channel::<()>();
    let held = Mutex::new(held);
    rayon::scope(|scope| {
        for _ in 0..rayon::current_num_threads() {
            scope.spawn(|_| {
                let _ = held.lock().unwrap().recv();
            });
        }
        thread::scope(|host| {
            host.spawn(|| {
                for _ in 0..50 {
                    check(Pool::global(), work(64, COSTLY));
                }
                for _ in 0..rayon::current_num_threads() {
                    let _ = release.send(());
                }
            });
        });
    });
}

#[test]
fn work_after_a_pause_is_shared_again() {
    // Pauses round the time a helper lingers, so that jobs meet helpers about to go.
    let pool = Pool::new(2).unwrap();
    for round in 0..300u64 {
        thread::sleep(Duration::from_micros(80 + round % 60));
        let threads = Mutex::new(HashSet::new());
        // Ends only when a second thread has come.
        pool.run(work(1000, COSTLY), &|_| {
            threads.lock().unwrap().insert(thread::current().id());
            for _ in 0..10_000 {
                if threads.lock().unwrap().len() == 2 {
                    return;
                }
                thread::sleep(Duration::from_micros(50));
            }
            panic!("no helper came in half a second");
        });
    }
}
