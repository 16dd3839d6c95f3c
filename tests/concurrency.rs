//! Hosts of many threads: launches at once, while the global runtime comes and goes, in tasks of rayon, in `Drop`, beside a
//! launch that panics, and in a forked child. Each test runs in a process of its own, since the global runtime is one for all.
mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

use common::{child, config, counts, folder, job};
use qd::prelude::*;
use qd::{ErrorKind, Rng, Runtime};
use rayon::prelude::*;

/// Runs `test` in a process of its own, unless this is that process.
fn alone(name: &str, test: impl FnOnce(&std::path::Path)) {
    match job() {
        Some((_, root)) => test(&root),
        None => {
            let root = folder();
            child(name, "alone", root.path());
        }
    }
}

/// Long enough to be shared, with a result that is known.
#[qd::kernel]
fn fill(x: &mut [u64], seed: u64) -> u64 {
    let mut sum = 0;
    for i in 0..x.len() {
        let mut rng = Rng::new(seed, i as u64);
        x[i] = rng.next::<u64>() >> 8;
        sum += x[i];
    }
    sum
}

/// Fails where `by` is zero.
#[qd::kernel]
fn divide(x: &mut [i32], by: &[i32]) -> i32 {
    let mut sum = 0;
    for i in 0..x.len() {
        x[i] = 1000 / by[i];
        sum += x[i];
    }
    sum
}

#[qd::kernel]
fn scale<T: qd::Number>(x: &mut [T], by: T) {
    for i in 0..x.len() {
        x[i] *= by;
    }
}

/// The rows are apart if `m` is at most `w`: a launch predicate.
#[qd::kernel]
fn rows(x: &mut [u32], w: usize, m: usize, #[specialize] step: usize) {
    for i in 0..8 {
        for j in (0..m).step_by(step) {
            x[i * w + j] += 1;
        }
    }
}

/// What `fill` gives.
fn filled(n: usize, seed: u64) -> (Vec<u64>, u64) {
    let mut x = vec![0; n];
    let sum = fill.native(&mut x, seed);
    (x, sum)
}

/// Every kind of launch, with the results checked.
fn launches(round: usize) {
    let (want, sum) = filled(700 + round % 5 * 4000, round as u64);
    let mut x = vec![0; want.len()];
    assert_eq!(fill(&mut x, round as u64), sum);
    assert!(x == want);
    let mut by = vec![7; 2000];
    by[round % 2000] = 0;
    let error = divide.try_call(&mut vec![0; 2000], &by).unwrap_err();
    assert!(error.to_string().ends_with(&format!("(iteration {})", round % 2000)), "{error}");
    let panic = catch_unwind(|| divide(&mut [0; 3], &[1, 0, 1])).unwrap_err();
    assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("(iteration 1)")));
    let mut y = [1.0f32, 2.0];
    scale(&mut y, 3.0);
    let mut z = [1u16, 2];
    scale(&mut z, 3);
    assert_eq!((y, z), ([3.0, 6.0], [3, 6]));
    let mut r = vec![0; 80];
    rows(&mut r, 10, 1 + round % 10, 1 + round % 2);
    assert_eq!(rows.try_call(&mut r, 5, 6, 1).unwrap_err().kind(), ErrorKind::Race);
}

#[test]
fn many_threads_launch_succeed_fail_and_panic_at_once() {
    alone("many_threads_launch_succeed_fail_and_panic_at_once", |root| {
        qd::init(config(root).num_threads(3)).unwrap();
        let start = Barrier::new(16);
        thread::scope(|scope| {
            for t in 0..16 {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    (0..20).for_each(|round| launches(t * 20 + round));
                });
            }
        });
        assert_eq!(counts(&divide.observations()).0, 1);
    });
}

#[test]
fn the_global_runtime_is_set_reset_and_made_anew_under_first_launches() {
    alone("the_global_runtime_is_set_reset_and_made_anew_under_first_launches", |root| {
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for t in 0..2 {
                let done = &done;
                scope.spawn(move || {
                    let mut round = 0;
                    while !done.load(Ordering::Relaxed) {
                        // A third of the time there is none, and a launch makes one from the environment.
                        match (t + round) % 3 {
                            0 => qd::reset(),
                            threads => qd::init(config(root).num_threads(threads)).unwrap(),
                        }
                        round += 1;
                        thread::yield_now();
                    }
                });
            }
            let launchers: Vec<_> =
                (0..4).map(|t| scope.spawn(move || (0..40).for_each(|k| launches(t + 4 * k)))).collect();
            let ended: Vec<_> = launchers.into_iter().map(|launcher| launcher.join()).collect();
            done.store(true, Ordering::Relaxed);
            ended.into_iter().for_each(|ended| ended.unwrap());
        });
    });
}

#[test]
fn a_runtime_outlives_a_reset_and_what_follows_a_reset_is_new() {
    alone("a_runtime_outlives_a_reset_and_what_follows_a_reset_is_new", |root| {
        qd::reset(); // There is none yet.
        qd::init(config(root)).unwrap();
        launches(1);
        let kept = Runtime::current().unwrap();
        qd::reset();
        qd::reset();
        // The handle keeps it; it isn't the global one any more.
        kept.scope(|| launches(2));
        assert_eq!(counts(&divide.on(&kept).observations()), (1, 0, 1));
        launches(3);
        let new = Runtime::current().unwrap();
        assert_ne!(format!("{new:?}"), format!("{kept:?}"));
        drop(new);
        qd::init(config(root)).unwrap();
        launches(4);
        assert_eq!(counts(&divide.observations()), (1, 1, 0), "the cache directory isn't touched by a reset");
        assert_eq!(divide.on(&kept).try_call(&mut [0], &[10]).unwrap(), 100);
        drop(kept);
        launches(5);
    });
}

#[test]
fn kernels_run_inside_tasks_of_rayon() {
    alone("kernels_run_inside_tasks_of_rayon", |root| {
        qd::init(config(root).num_threads(3)).unwrap();
        let nested = || {
            (0..64usize).into_par_iter().for_each(launches);
            rayon::join(|| launches(1), || rayon::join(|| launches(2), || launches(3)));
            rayon::scope(|scope| (0..8).for_each(|k| scope.spawn(move |_| launches(k))));
        };
        nested();
        let own = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        own.install(nested);
        // The helpers of the default runtime are threads of the same pool.
        qd::init(qd::Config::default().ignore_env().offline_cache_file_path(root)).unwrap();
        nested();
        rayon::join(nested, || own.install(nested));
    });
}

/// Launches a kernel when it goes.
struct Finisher<'a> {
    x: Vec<u64>,
    launched: &'a AtomicU32,
}

impl Drop for Finisher<'_> {
    fn drop(&mut self) {
        let (want, sum) = filled(self.x.len(), 4);
        assert_eq!(fill(&mut self.x, 4), sum);
        assert!(self.x == want);
        assert!(divide.try_call(&mut [0, 0], &[1, 0]).is_err());
        self.launched.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn kernels_run_in_drop_while_another_launch_s_panic_unwinds() {
    alone("kernels_run_in_drop_while_another_launch_s_panic_unwinds", |root| {
        qd::init(config(root).num_threads(3)).unwrap();
        let launched = AtomicU32::new(0);
        let finisher = || Finisher { x: vec![0; 30_000], launched: &launched };
        drop(finisher());
        for round in 0..20 {
            let panicked = catch_unwind(AssertUnwindSafe(|| {
                let _first = finisher();
                let _second = finisher();
                divide(&mut [0; 2], &[1, 0])
            }));
            assert!(panicked.is_err(), "round {round}");
        }
        // On a thread that ends by the panic, and in one whose scope it leaves.
        let own = Runtime::new(config(root)).unwrap();
        thread::scope(|scope| {
            let ended = scope.spawn(|| {
                own.scope(|| {
                    let _finisher = finisher();
                    divide(&mut [0; 2], &[0, 1])
                })
            });
            assert!(ended.join().is_err());
        });
        assert_eq!(launched.into_inner(), 42);
        launches(1);
    });
}

#[test]
fn a_launch_that_panics_leaves_the_others_alone() {
    alone("a_launch_that_panics_leaves_the_others_alone", |root| {
        let runtime = Runtime::new(config(root).num_threads(3)).unwrap();
        let (n, done) = (40_000, AtomicBool::new(false));
        let (want, sum) = filled(n, 11);
        let mut by = vec![1; n];
        by[n / 2] = 0;
        thread::scope(|scope| {
            let failing: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(|| {
                        let mut panics = 0;
                        while !done.load(Ordering::Relaxed) {
                            let launch = || runtime.scope(|| divide(&mut vec![0; n], &by));
                            panics += u32::from(catch_unwind(AssertUnwindSafe(launch)).is_err());
                        }
                        panics
                    })
                })
                .collect();
            for _ in 0..200 {
                let mut x = vec![0; n];
                assert_eq!(fill.on(&runtime).call(&mut x, 11), sum);
                assert!(x == want);
            }
            done.store(true, Ordering::Relaxed);
            failing.into_iter().for_each(|thread| assert!(thread.join().unwrap() > 0));
        });
    });
}

/// Not launched before the fork.
#[qd::kernel]
fn fresh(x: &mut [u8]) {
    for i in 0..x.len() {
        x[i] += 1;
    }
}

/// Runs `work` in a forked child; gives the status that it ended with, 0 if `work` gave true. One that hangs is ended.
fn forked(work: impl FnOnce() -> bool) -> i32 {
    // SAFETY: the child calls qd, which says that it may, allocates, which glibc allows, and leaves by `_exit`.
    unsafe {
        match libc::fork() {
            0 => {
                libc::alarm(60);
                let ended = catch_unwind(AssertUnwindSafe(work));
                libc::_exit(ended.map_or(3, |good| if good { 0 } else { 1 }))
            }
            pid => {
                assert!(pid > 0);
                let mut status = 0;
                assert_eq!(libc::waitpid(pid, &raw mut status, 0), pid);
                status
            }
        }
    }
}

/// What a child may do: launch what was ready before the fork, and get errors for the rest.
fn of_a_child(kept: &Runtime) -> bool {
    let (want, sum) = filled(100_000, 5);
    let mut x = vec![0; want.len()];
    let ready = fill.try_call(&mut x, 5).is_ok_and(|found| found == sum) && x == want;
    let fails = divide.try_call(&mut [0; 2], &[1, 0]).is_err_and(|error| error.kind() == ErrorKind::Fault);
    let mut y = [1.0f32, 2.0];
    let generic = scale.try_call(&mut y, 3.0).is_ok() && y == [3.0, 6.0];
    let mut r = vec![0; 80];
    let checked = rows.try_call(&mut r, 10, 10, 1).is_ok()
        && rows.try_call(&mut r, 5, 6, 1).is_err_and(|error| error.kind() == ErrorKind::Race);
    let names_it = |error: qd::Error| error.kind() == ErrorKind::Environment && error.to_string().contains("fork");
    let refused = fresh.try_call(&mut [0; 4]).is_err_and(names_it)
        && fresh.on(kept).try_call(&mut [0; 4]).is_err_and(names_it)
        && fill.asm().is_err_and(names_it)
        && Runtime::new(qd::Config::default()).is_err_and(names_it)
        && qd::init(qd::Config::default()).is_err_and(names_it);
    // With the runtimes go no threads or code that another thread might have been at.
    qd::reset();
    let gone = fill.try_call(&mut x, 5).is_err_and(names_it);
    ready && fails && generic && checked && refused && gone
}

#[test]
fn a_forked_child_runs_what_is_ready_and_gets_errors_for_the_rest() {
    alone("a_forked_child_runs_what_is_ready_and_gets_errors_for_the_rest", |root| {
        // A child of a process that has not used qd isn't affected.
        let status = forked(|| {
            qd::init(config(root)).unwrap();
            launches(1);
            true
        });
        assert_eq!(status, 0);
        for threads in [1, 3] {
            qd::init(config(root).num_threads(threads)).unwrap();
            launches(1);
            let kept = Runtime::current().unwrap();
            for _ in 0..10 {
                assert_eq!(forked(|| of_a_child(&kept)), 0, "{threads} threads");
            }
            launches(2);
        }
    });
}

#[test]
fn a_fork_amid_launches_of_other_threads_hangs_nobody() {
    alone("a_fork_amid_launches_of_other_threads_hangs_nobody", |root| {
        qd::init(config(root).num_threads(3)).unwrap();
        launches(0);
        launches(1);
        let kept = Runtime::current().unwrap();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            for t in 0..3 {
                let done = &done;
                scope.spawn(move || {
                    let mut round = t;
                    while !done.load(Ordering::Relaxed) {
                        launches(round);
                        // Compiles, too.
                        let folder = folder();
                        let own = Runtime::new(config(folder.path()).offline_cache(t == 0)).unwrap();
                        own.scope(|| launches(round));
                        round += 1;
                    }
                });
            }
            let bad: Vec<i32> = (0..40)
                .map(|_| {
                    forked(|| {
                        // Others may have taken a kernel's slot for a runtime of their own: then it's an error, too.
                        let mut x = vec![0; 20_000];
                        let ended = fill.try_call(&mut x, 5);
                        drop(kept.clone());
                        qd::reset();
                        ended.is_ok_and(|sum| sum == x.iter().sum()) || x.iter().all(|v| *v == 0)
                    })
                })
                .filter(|status| *status != 0)
                .collect();
            done.store(true, Ordering::Relaxed);
            assert!(bad.is_empty(), "{bad:?}");
        });
    });
}
