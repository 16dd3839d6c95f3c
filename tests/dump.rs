//! What `dump_dir` gets: a kernel's tasks and keys, and the stages of each task that is compiled for it.
mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use common::{config, counts, folder};
use qd::prelude::*;
use qd::{Runtime, Target};

#[qd::kernel]
fn halve_and_shift(x: &mut [f32]) {
    for i in 0..x.len() {
        x[i] *= 0.5;
    }
    for i in 0..x.len() {
        x[i] += 1.0;
    }
}

fn names(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    files.collect()
}

#[test]
fn each_compiled_task_leaves_its_stages_under_its_key() {
    let (root, dump) = (folder(), folder());
    // The directory is made where it doesn't exist.
    let first = dump.path().join("first");
    let rt = Runtime::new(config(root.path()).dump_dir(&first)).unwrap();
    halve_and_shift.on(&rt).call(&mut [1.0, 2.0]);
    let observations = halve_and_shift.on(&rt).observations();
    assert_eq!(counts(&observations), (2, 0, 2));

    let mut wanted = BTreeSet::from(["dump.halve_and_shift.ir".to_owned()]);
    for task in &observations.tasks {
        let key = task.key.to_string();
        let mut read = |extension: &str| {
            let name = format!("dump.halve_and_shift.{key}.{extension}");
            let text = fs::read_to_string(first.join(&name)).unwrap();
            wanted.insert(name);
            text
        };
        let (ir, assembly) = (read("ll"), read("s"));
        assert!(ir.contains("define ") && ir.contains(&format!("@qd_{key}_run")), "{ir}");
        assert!(assembly.contains(&format!("qd_{key}_run:")) && assembly.contains("ret"), "{assembly}");
    }
    assert_eq!(names(&first), wanted);
    let text = fs::read_to_string(first.join("dump.halve_and_shift.ir")).unwrap();
    assert!(observations.tasks.iter().all(|task| text.contains(&task.key.to_string())), "{text}");

    // What the cache has isn't compiled, so there are no stages of it.
    let second = dump.path().join("second");
    let rt = Runtime::new(config(root.path()).dump_dir(&second)).unwrap();
    halve_and_shift.on(&rt).call(&mut [1.0]);
    assert_eq!(counts(&halve_and_shift.on(&rt).observations()), (2, 2, 0));
    assert_eq!(names(&second), BTreeSet::from(["dump.halve_and_shift.ir".to_owned()]));
}

#[test]
fn code_for_another_machine_is_dumped_in_its_own_assembly() {
    let (root, dump) = (folder(), folder());
    let rt = Runtime::new(config(root.path()).dump_dir(dump.path())).unwrap();
    let other: Target = "aarch64-unknown-linux-gnu,+neon,tune=generic".parse().unwrap();
    let key = halve_and_shift.on(&rt).prepare_for(&other).unwrap().tasks[0].key;
    let text = fs::read_to_string(dump.path().join(format!("dump.halve_and_shift.{key}.ll"))).unwrap();
    assert!(text.contains("target triple = \"aarch64-unknown-linux-gnu\""), "{text}");
}

#[qd::kernel]
fn meet(f: &mut [f32], d: &mut [f64], n: &mut [u8], at: &[usize]) {
    for i in 0..at.len() {
        qd::atomic::add(&mut f[at[i]], 0.5);
        qd::atomic::min(&mut f[at[i]], 0.25);
        qd::atomic::exchange(&mut f[at[i]], 2.0);
        qd::atomic::compare_exchange(&mut f[at[i]], 2.0, 0.0);
        qd::atomic::sub(&mut d[at[i]], 0.5);
        qd::atomic::max(&mut d[at[i]], 0.25);
        qd::atomic::xor(&mut n[at[i]], 3);
        qd::atomic::min(&mut n[at[i]], 9);
        qd::atomic::compare_exchange(&mut n[at[i]], 2, 4);
    }
}

/// No function of a runtime library stands behind them, on either family of CPUs.
#[test]
fn atomics_call_nothing() {
    for opt_level in [0, 3] {
        let (root, dump) = (folder(), folder());
        let rt = Runtime::new(config(root.path()).dump_dir(dump.path()).opt_level(opt_level)).unwrap();
        meet.on(&rt).call(&mut [], &mut [], &mut [], &[]);
        let other: Target = "aarch64-unknown-linux-gnu,+neon,tune=generic".parse().unwrap();
        meet.on(&rt).prepare_for(&other).unwrap();
        let mut seen = 0;
        for name in names(dump.path()).iter().filter(|name| name.ends_with(".s")) {
            let text = fs::read_to_string(dump.path().join(name)).unwrap();
            // The runtime's helpers and the task's own functions don't count.
            let foreign = |line: &&str| match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["call" | "callq" | "bl", name, ..] => {
                    !name.starts_with("qd_") && !text.contains(&format!("\n{name}:"))
                }
                _ => false,
            };
            assert_eq!(text.lines().find(foreign), None, "{text}");
            assert!(["cmpxchg", "stxr", "stlxr"].iter().any(|store| text.contains(store)), "{text}");
            seen += 1;
        }
        assert_eq!(seen, 2);
    }
}

#[test]
fn a_directory_that_can_not_be_made_fails_no_launch() {
    let root = folder();
    let file = root.path().join("a file");
    fs::write(&file, "").unwrap();
    let rt = Runtime::new(config(&root.path().join("cache")).dump_dir(file.join("below"))).unwrap();
    let mut x = [4.0];
    halve_and_shift.on(&rt).call(&mut x);
    assert_eq!(x, [3.0]);
}
