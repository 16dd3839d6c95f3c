//! Launches over a damaged, contested or vanishing cache: the results stay right, and what was bad is made anew.
mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::{CHILD, child, counts, entries, folder, job, runtime};
use qd::prelude::*;

#[qd::kernel]
fn steps(x: &mut [f32], k: f32) -> f32 {
    for i in 0..x.len() {
        x[i] = x[i] * k + 1.0;
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i].sin();
    }
    for i in 0..x.len() {
        x[i] -= sum;
    }
    sum
}

/// Runs the kernel in a new runtime over `root`, checks its results, and gives total, hits and recompiled.
fn launch(root: &Path) -> (i64, i64, i64) {
    let start: Vec<f32> = (0..3000).map(|n| n as f32 / 100.0).collect();
    let rt = runtime(root);
    let mut x = start.clone();
    let sum = steps.on(&rt).call(&mut x, 1.5);
    let first = start.iter().map(|x| x * 1.5 + 1.0);
    let want = qd::reduce_reference(qd::ReduceOp::Add, 0.0, first.clone().map(f32::sin));
    assert_eq!(sum.to_bits(), want.to_bits());
    assert!(x.iter().zip(first).all(|(x, first)| *x == first - want));
    counts(&steps.on(&rt).observations())
}

#[test]
fn a_damaged_entry_is_compiled_again_and_healed() {
    let root = folder();
    assert_eq!(launch(root.path()), (3, 0, 3));
    let files = entries(root.path());
    assert_eq!(files.len(), 3);
    let (victim, other) = (&files[0], fs::read(&files[1]).unwrap());
    let good = fs::read(victim).unwrap();

    let mut damages = vec![Vec::new(), vec![0; good.len()], good[..good.len() / 2].to_vec(), other];
    damages.push([b"not an entry".as_slice(), &good].concat());
    damages.extend([1, 10, good.len() - 1].map(|len| good[..len].to_vec()));
    // A flipped bit in every part of the file.
    for at in (0..good.len()).step_by(good.len() / 40) {
        let mut flipped = good.clone();
        flipped[at] ^= 1 << (at % 8);
        damages.push(flipped);
    }
    for (number, damage) in damages.iter().enumerate() {
        fs::write(victim, damage).unwrap();
        assert_eq!(launch(root.path()), (3, 2, 1), "damage {number}");
        assert_eq!(launch(root.path()), (3, 3, 0), "damage {number} wasn't healed");
    }
    let child = child("a_child_launches", "launch", root.path());
    assert!(child.contains("counts 3 3 0"), "{child}");
}

#[test]
fn a_directory_in_the_place_of_an_entry_costs_a_compile() {
    let root = folder();
    launch(root.path());
    let victim = &entries(root.path())[0];
    fs::remove_file(victim).unwrap();
    fs::create_dir(victim).unwrap();
    fs::write(victim.join("something"), "").unwrap();
    for _ in 0..2 {
        assert_eq!(launch(root.path()), (3, 2, 1));
    }
    let rt = runtime(root.path());
    steps.on(&rt).call(&mut [1.0], 1.0);
    assert!(!steps.on(&rt).observations().cache_troubles.is_empty());
}

/// Not a test of its own: what the children of the others do.
#[test]
fn a_child_launches() {
    if let Some((_, root)) = job() {
        let (total, hits, recompiled) = launch(&root);
        println!("counts {total} {hits} {recompiled}");
    }
}

fn spawn(root: &Path) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_child_launches", "--nocapture"])
        .env(CHILD, "launch")
        .env("QDTEST_ROOT", root)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn eight_processes_at_once_on_an_empty_root_get_right_results() {
    let root = folder();
    let mut children: Vec<_> = (0..8).map(|_| spawn(root.path())).collect();
    for child in &mut children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(launch(root.path()), (3, 3, 0));
}

#[test]
fn killed_processes_leave_no_bad_entry() {
    let root = folder();
    for round in 0..24 {
        let mut child = spawn(root.path());
        std::thread::sleep(Duration::from_millis(2 * round));
        // It may have ended by itself.
        let _ = child.kill();
        child.wait().unwrap();
        // What it left is whole or a miss; every fourth time the next process starts from nothing again.
        let (total, hits, recompiled) = launch(root.path());
        assert_eq!((total, hits + recompiled), (3, 3), "round {round}");
        assert_eq!(launch(root.path()), (3, 3, 0), "round {round}");
        if round % 4 == 3 {
            entries(root.path()).iter().for_each(|entry| fs::remove_file(entry).unwrap());
        }
    }
}

/// Warnings are for whoever runs the program, so they are seen where nobody listens to `tracing`: each once.
#[test]
fn warnings_reach_the_standard_error() {
    let root = folder();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_child_reads_the_environment", "--nocapture", "--test-threads=1"])
        .env(CHILD, "environment")
        .env("QDTEST_ROOT", root.path())
        .env("QD_OPTLEVEL", "3")
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("QD_OPTLEVEL")).collect();
    assert!(matches!(lines.as_slice(), [line] if line.starts_with("qd: ") && line.contains("QD_OPT_LEVEL")), "{text}");
}

/// Not a test of its own: what the child of the other does.
#[test]
fn a_child_reads_the_environment() {
    let Some((_, root)) = job() else { return };
    for _ in 0..2 {
        qd::Runtime::new(qd::Config::new(qd::Arch::Cpu).offline_cache_file_path(&root)).unwrap();
    }
}
