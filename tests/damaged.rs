//! GPU code as qd makes it, damaged in one place: the simulation must notice. What it doesn't notice would pass the suite.
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use qd::prelude::*;
use qd::{Config, Result};
use qd_sim::Schedule;

#[qd::kernel]
fn sum(x: &[f32]) -> f32 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i];
    }
    s
}

#[qd::kernel]
fn scale(x: &mut [f32], by: f32) {
    for i in 0..x.len() {
        x[i] *= by;
    }
}

#[qd::kernel]
fn count(cells: &mut [u32], x: &[u32]) {
    for i in 0..x.len() {
        qd::atomic::add(&mut cells[x[i] as usize % cells.len()], 1);
    }
}

/// The machines, with how their code says "barrier" and "which block".
const MACHINES: [(&str, &str, &str); 2] = [
    ("sm_80", "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)", "@llvm.nvvm.read.ptx.sreg.ctaid.x()"),
    ("gfx1100", "call void @llvm.amdgcn.s.barrier()", "@llvm.amdgcn.workgroup.id.x()"),
];

fn schedules() -> [Schedule; 3] {
    [Schedule::forward(), Schedule::backward(), Schedule::random(7)]
}

/// A runtime whose code is damaged, without a cache.
fn damaged(chip: &str, schedule: Schedule, damage: impl Fn(&str) -> String + Send + Sync + 'static) -> qd::Runtime {
    let config = Config::default().ignore_env().offline_cache(false).num_threads(1);
    qd_sim::damaged_runtime(chip, schedule, config, damage).expect("a simulated device")
}

/// Whether a run was noticed to be wrong: an error that names the simulation.
fn noticed<R>(outcome: Result<R>) -> bool {
    match outcome {
        Ok(_) => false,
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains("simulated NVPTX") || text.contains("simulated AMDGPU"), "{text}");
            true
        }
    }
}

/// The `n`th line that holds `piece` left out.
fn without(text: &str, piece: &str, n: usize) -> String {
    let mut seen = 0;
    let keep = |line: &&str| {
        seen += usize::from(line.contains(piece));
        !(line.contains(piece) && seen == n + 1)
    };
    text.lines().filter(keep).collect::<Vec<_>>().join("\n")
}

/// Each of them is there for something.
#[test]
fn every_barrier_of_a_reduction_is_missed() {
    // As many leaves as one block folds, in so few blocks that each has several of them.
    let x: Vec<f32> = (0..512 * 1024).map(|n| (n % 13) as f32).collect();
    for (chip, barrier, _) in MACHINES {
        let count = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&count);
        let whole = damaged(chip, Schedule::forward(), move |text| {
            let calls = text.lines().filter(|line| line.contains(barrier)).count();
            counter.fetch_max(calls, Ordering::Relaxed);
            text.to_owned()
        });
        assert_eq!(whole.scope(|| sum(&x)), sum.native(&x));
        let count = count.load(Ordering::Relaxed);
        let missed = |n: usize| {
            let schedule = [Schedule::forward(), Schedule::backward()][n % 2];
            let runtime = damaged(chip, Schedule { most_blocks: 2, ..schedule }, move |text| without(text, barrier, n));
            noticed(runtime.scope(|| sum.try_call(&x)))
        };
        let idle: Vec<usize> = (0..count).filter(|n| !missed(*n)).collect();
        assert_eq!(idle, [], "{chip}: of {count} barriers these can be left out");
    }
}

#[test]
fn lanes_that_do_the_same_iterations_meet() {
    for (chip, _, block) in MACHINES {
        for schedule in schedules() {
            // Every block takes itself for the first.
            let runtime = damaged(chip, schedule, move |text| {
                let line = |line: &str| match line.split_once(" = ") {
                    Some((name, rest)) if rest.contains("call") && rest.contains(block) => {
                        format!("{name} = add i32 0, 0")
                    }
                    _ => line.to_owned(),
                };
                text.lines().map(line).collect::<Vec<_>>().join("\n")
            });
            assert!(noticed(runtime.scope(|| scale.try_call(&mut [1.0; 1000], 2.0))), "{chip}, {schedule:?}");
        }
    }
}

/// An index that is one too large leads out of the array for the last iteration.
#[test]
fn an_access_beyond_an_array_is_found() {
    for (chip, _, _) in MACHINES {
        for schedule in schedules() {
            let runtime = damaged(chip, schedule, |text| {
                // Elements are stored through the pointer that they are loaded from.
                let line = |line: &str| match line.split_once("store float ") {
                    Some((before, rest)) => {
                        let (value, rest) = rest.split_once(", ptr addrspace(1) ").expect("a pointer");
                        let (pointer, rest) = rest.split_once(',').expect("an alignment");
                        format!(
                            "{before}%next.one = getelementptr i8, ptr addrspace(1) {pointer}, i64 4\n\
                             store float {value}, ptr addrspace(1) %next.one,{rest}"
                        )
                    }
                    None => line.to_owned(),
                };
                text.lines().map(line).collect::<Vec<_>>().join("\n")
            });
            assert!(noticed(runtime.scope(|| scale.try_call(&mut [1.0; 300], 2.0))), "{chip}, {schedule:?}");
        }
    }
}

/// A plain load, an addition and a store in place of an atomic addition.
#[test]
fn an_update_that_is_not_atomic_is_a_race() {
    let x: Vec<u32> = (0..2000).collect();
    for (chip, _, _) in MACHINES {
        for schedule in schedules() {
            let runtime = damaged(chip, schedule, |text| {
                let line = |line: &str| match line.split_once("atomicrmw add ptr addrspace(1) ") {
                    Some((name, rest)) if rest.contains(", i32 ") => {
                        let (pointer, rest) = rest.split_once(", i32 ").expect("a value");
                        let value = rest.split([' ', ',']).next().expect("a value");
                        let name = name.trim_end_matches("= ").trim();
                        format!(
                            "{name} = load i32, ptr addrspace(1) {pointer}, align 4\n\
                             %sum.new = add i32 {name}, {value}\n\
                             store i32 %sum.new, ptr addrspace(1) {pointer}, align 4"
                        )
                    }
                    _ => line.to_owned(),
                };
                text.lines().map(line).collect::<Vec<_>>().join("\n")
            });
            let outcome = runtime.scope(|| count.try_call(&mut [0; 5], &x));
            assert!(noticed(outcome), "{chip}, {schedule:?}");
        }
    }
}
