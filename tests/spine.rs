//! Kernels end to end: results in the order of the source, faults, panics and errors, several runtimes and threads.
#![allow(clippy::let_and_return)] // a value of the last serial stretch that is also the result
mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::thread;

use common::{compiled, config, counts, entries, folder, runtime};
use qd::prelude::*;
use qd::{Arch, Config, ErrorKind, Outcome, Runtime};

/// A value that is reassigned between the loops that use it, a reduction used by the next loop, a result.
#[qd::kernel]
fn flow(x: &mut NdArray<i64>, scale: i64) -> i64 {
    let mut a = 1;
    for i in 0..x.len() {
        x[i] += a;
    }
    a = scale * 2 + 1;
    for i in 0..x.len() {
        x[i] *= a;
    }
    let mut sum = 10;
    for i in 0..x.len() {
        sum += x[i];
    }
    for i in 0..x.len() {
        x[i] = sum - x[i];
    }
    let last = sum + a;
    last
}

/// [`flow`] with a value that nothing else uses.
#[qd::kernel]
fn flow_and_more(x: &mut NdArray<i64>, scale: i64) -> i64 {
    let mut a = 1;
    for i in 0..x.len() {
        x[i] += a;
    }
    let _unrelated = scale / 3 + 7;
    a = scale * 2 + 1;
    for i in 0..x.len() {
        x[i] *= a;
    }
    let mut sum = 10;
    for i in 0..x.len() {
        sum += x[i];
    }
    for i in 0..x.len() {
        x[i] = sum - x[i];
    }
    let last = sum + a;
    last
}

#[test]
fn values_cross_tasks_in_the_order_of_the_source() {
    let root = folder();
    let rt = runtime(root.path());
    for len in [0usize, 1, 7, 5000] {
        let start = NdArray::from_fn(len, |[i]| i as i64 - 3);
        let (mut compiled, mut native) = (start.clone(), start.clone());
        assert_eq!(flow.on(&rt).call(&mut compiled, 4), flow.native(&mut native, 4));
        assert_eq!(compiled, native);
    }
}

#[test]
fn an_unrelated_value_moves_no_other_key() {
    let root = folder();
    let rt = runtime(root.path());
    let base = flow.on(&rt).prepare().unwrap();
    let more = flow_and_more.on(&rt).prepare().unwrap();
    let loops = |seen: &qd::Observations| seen.tasks.iter().map(|task| task.key).collect::<Vec<_>>();
    let base = loops(&base);
    let missing: Vec<_> = base.iter().filter(|key| !loops(&more).contains(key)).collect();
    // The serial stretch that sets `a` now also computes `unrelated`.
    assert!(missing.len() <= 1, "{more}");
    assert!(compiled(&more).len() <= 1, "{more}");
}

#[qd::kernel]
fn divide(x: &mut NdArray<i32>, by: &[i32]) {
    for i in 0..x.len() {
        x[i] = x[i] / by[i];
    }
}

#[qd::kernel]
fn twice(x: &mut NdArray<i32>, by: &[i32]) {
    for i in 0..x.len() {
        x[i] /= by[i];
    }
    for i in 0..x.len() {
        x[i] = 100;
    }
}

#[qd::kernel]
fn first_of(x: &[u8]) -> u8 {
    let first = x[0];
    first
}

#[test]
fn a_fault_is_an_error_with_its_place_and_values() {
    let root = folder();
    let rt = runtime(root.path());
    let mut x = NdArray::from_slice(&[1, i32::MIN, 3, 4]);
    let error = divide.on(&rt).try_call(&mut x, &[1, -1, 0, 1]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Fault);
    let text = error.to_string();
    assert!(text.starts_with("kernel `divide` at tests/spine.rs:"), "{text}");
    assert!(text.contains("attempt to divide with overflow"), "{text}");
    assert!(text.contains("iteration 1"), "{text}");
    let error = divide.on(&rt).try_call(&mut x, &[1, 1, 1]).unwrap_err().to_string();
    assert!(error.contains("index out of bounds: the len is 3 but the index is 3"), "{error}");
    assert!(error.contains("array `by`, iteration 3"), "{error}");
    let error = first_of.on(&rt).try_call(&[]).unwrap_err().to_string();
    assert!(error.contains("index out of bounds: the len is 0 but the index is 0"), "{error}");
    assert_eq!(first_of.on(&rt).call(&[7, 8]), 7);
}

#[test]
fn tasks_after_a_fault_do_not_run() {
    let root = folder();
    let rt = runtime(root.path());
    let mut x = NdArray::from_slice(&[8, 8, 8]);
    assert!(twice.on(&rt).try_call(&mut x, &[2, 4, 0]).is_err());
    assert_eq!(x.as_slice(), [4, 2, 8]);
    twice.on(&rt).call(&mut x, &[1, 1, 1]);
    assert_eq!(x.as_slice(), [100; 3]);
}

#[test]
fn the_lowest_failing_iteration_is_reported_whatever_the_threads() {
    let root = folder();
    let n = 100_000;
    let by: Vec<i32> = (0..n).map(|i| if i >= 61_234 { 0 } else { 1 }).collect();
    for threads in [1, 2, 5] {
        let rt = Runtime::new(config(root.path()).num_threads(threads)).unwrap();
        let mut x = NdArray::from_fn(n, |[i]| i as i32);
        let error = divide.on(&rt).try_call(&mut x, &by).unwrap_err().to_string();
        assert!(error.contains("iteration 61234)"), "{error}");
    }
}

#[test]
fn a_plain_call_panics_with_the_message_of_the_error() {
    let root = folder();
    let rt = runtime(root.path());
    let mut x = NdArray::from_slice(&[1, 2]);
    let text = divide.on(&rt).try_call(&mut x, &[1, 0]).unwrap_err().to_string();
    let payload = rt.scope(|| catch_unwind(AssertUnwindSafe(|| divide(&mut x, &[1, 0])))).unwrap_err();
    assert_eq!(payload.downcast_ref::<String>(), Some(&text));
    // The panic has left nothing behind.
    rt.scope(|| divide(&mut x, &[1, 1]));
    assert!(divide.on(&rt).try_call(&mut x, &[1, 1]).is_ok());
}

#[qd::kernel]
fn increment(x: &mut NdArray<u32>) {
    for i in 0..x.len() {
        x[i] += 1;
    }
}

#[test]
fn a_kernel_is_a_function_with_methods() {
    fn apply(f: impl Fn(&mut NdArray<u32>), x: &mut NdArray<u32>) {
        f(x);
    }
    let root = folder();
    let rt = runtime(root.path());
    let mut x = NdArray::from_slice(&[1u32, 2]);
    rt.scope(|| apply(increment, &mut x));
    let increment_by_pointer: fn(&mut NdArray<u32>) = increment;
    rt.scope(|| increment_by_pointer(&mut x));
    assert_eq!(x.as_slice(), [3, 4]);
    increment.native(&mut x);
    assert_eq!(x.as_slice(), [4, 5]);
    assert_eq!(increment.name(), "increment");
    assert!(increment.ir().unwrap().contains("increment"));
    assert!(increment.on(&rt).asm().unwrap().contains("ret"));
    let all: Vec<_> = qd::registered_kernels().collect();
    let found = all.iter().find(|kernel| kernel.name == "increment").unwrap();
    assert_eq!((found.module, found.file, found.constructs), ("spine", "tests/spine.rs", 1));
}

#[test]
fn a_function_without_the_attribute_is_no_kernel() {
    fn plain(_x: &mut NdArray<u32>) {}
    let error = plain.try_call(&mut NdArray::from_slice(&[1])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotAKernel);
    assert!(error.to_string().contains("plain"), "{error}");
    assert_eq!(plain.ir().unwrap_err().kind(), ErrorKind::NotAKernel);
    let panic = catch_unwind(|| plain.observations()).unwrap_err();
    assert!(panic.downcast_ref::<String>().unwrap().contains("plain"));
}

#[test]
fn scopes_nest_and_end_also_by_a_panic() {
    let (a, b) = (folder(), folder());
    let (outer, inner) = (runtime(a.path()), runtime(b.path()));
    let path = |rt: &Runtime| rt.options().offline_cache_file_path.clone();
    outer.scope(|| {
        inner.scope(|| assert_eq!(path(&Runtime::current().unwrap()), path(&inner)));
        let panic = catch_unwind(AssertUnwindSafe(|| inner.scope(|| panic!("on purpose"))));
        assert!(panic.is_err());
        assert_eq!(path(&Runtime::current().unwrap()), path(&outer));
    });
}

#[test]
fn two_runtimes_over_two_roots_serve_two_threads_at_once() {
    let (a, b) = (folder(), folder());
    let runtimes = [runtime(a.path()), Runtime::new(config(b.path()).opt_level(0)).unwrap()];
    let start = Barrier::new(2);
    thread::scope(|scope| {
        for rt in &runtimes {
            scope.spawn(|| {
                start.wait();
                for round in 0..200u32 {
                    let mut x = NdArray::from_fn(50, |[i]| i as u32 + round);
                    increment.on(rt).call(&mut x);
                    assert!((0..50).all(|i| x[i] == i as u32 + round + 1));
                    let mut y = NdArray::from_fn(50, |[i]| i as i64);
                    let mut z = y.clone();
                    assert_eq!(rt.scope(|| flow(&mut y, 3)), flow.native(&mut z, 3));
                    assert_eq!(y, z);
                }
            });
        }
    });
    for (rt, root) in runtimes.iter().zip([&a, &b]) {
        let seen = increment.on(rt).observations();
        assert_eq!(counts(&seen), (1, 0, 1));
        assert!(entries(root.path()).len() > 1);
    }
    let keys = runtimes.each_ref().map(|rt| increment.on(rt).observations().tasks[0].key);
    assert_ne!(keys[0], keys[1], "the runtimes have other options");
}

#[test]
fn many_threads_that_launch_a_new_kernel_compile_it_once() {
    let root = folder();
    let rt = runtime(root.path());
    let start = Barrier::new(8);
    thread::scope(|scope| {
        for t in 0..8u32 {
            let (rt, start) = (&rt, &start);
            scope.spawn(move || {
                let mut x = NdArray::from_slice(&[t]);
                start.wait();
                increment.on(rt).call(&mut x);
                assert_eq!(x[0], t + 1);
                assert_eq!(counts(&increment.on(rt).observations()), (1, 0, 1));
            });
        }
    });
    assert_eq!(entries(root.path()).len(), 1);
}

/// Two kernels of one task, the same.
mod twins {
    use qd::prelude::*;

    #[qd::kernel]
    pub fn left(x: &mut NdArray<u16>) {
        for i in 0..x.len() {
            x[i] = x[i] * 3 + 1;
        }
    }

    #[qd::kernel]
    pub fn right(y: &mut NdArray<u16>) {
        for j in 0..y.len() {
            y[j] = y[j] * 3 + 1;
        }
    }
}

#[test]
fn two_kernels_that_want_one_task_at_once_compile_it_once() {
    let root = folder();
    let rt = runtime(root.path());
    let start = Barrier::new(2);
    let (left, right) = thread::scope(|scope| {
        let left = scope.spawn(|| {
            start.wait();
            twins::left.on(&rt).prepare().unwrap()
        });
        start.wait();
        let right = twins::right.on(&rt).prepare().unwrap();
        (left.join().unwrap(), right)
    });
    let outcomes = [left.tasks[0].outcome, right.tasks[0].outcome];
    let compiled = outcomes.iter().filter(|outcome| **outcome == Outcome::Compiled).count();
    assert_eq!(compiled, 1, "{outcomes:?}");
    assert!(outcomes.iter().any(|outcome| matches!(outcome, Outcome::Joined | Outcome::Memory)), "{outcomes:?}");
}

/// The only test of this binary that touches the global runtime.
#[test]
fn the_global_runtime_comes_goes_and_is_replaced_under_launches() {
    let (a, b) = (folder(), folder());
    qd::init(config(a.path())).unwrap();
    let mut x = NdArray::from_slice(&[1u32]);
    increment(&mut x);
    assert_eq!(counts(&increment.observations()), (1, 0, 1));
    qd::init(config(a.path())).unwrap();
    assert_eq!(counts(&increment.observations()), (0, 0, 0));
    increment.try_call(&mut x).unwrap();
    assert_eq!(counts(&increment.observations()), (1, 1, 0));
    assert_eq!(x[0], 3);

    let bad = Config::new(Arch::Cpu).ignore_env().opt_level(9);
    assert_eq!(qd::init(bad).unwrap_err().kind(), ErrorKind::Config);
    increment(&mut x);
    assert_eq!(counts(&increment.observations()), (1, 1, 0), "a failed init leaves the runtime that was");

    thread::scope(|scope| {
        let launchers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| {
                    // Long enough that runtimes go while their code runs.
                    let mut x = NdArray::zeros(20_000);
                    for _ in 0..300 {
                        increment(&mut x);
                    }
                    assert!(x.iter().all(|x: &u32| *x == 300));
                })
            })
            .collect();
        let mut round = 0;
        while launchers.iter().any(|launcher| !launcher.is_finished()) {
            let root = if round % 2 == 0 { &a } else { &b };
            qd::init(config(root.path())).unwrap();
            round += 1;
            thread::yield_now();
        }
    });
    qd::reset();
    qd::init(config(b.path())).unwrap();
    increment(&mut x);
    qd::reset();
}
