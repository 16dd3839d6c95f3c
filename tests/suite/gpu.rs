//! Kernels of the suite as code for GPUs: they compile on this machine, and the vendors' tools take the code.
//!
//! A sample of the tasks by their keys, another one for each target and each version of the code generator;
//! `QD_TEST_ALL=1` takes all, for many minutes. Nothing is run here: what the tools can't tell, such as wrong results and
//! races, is for the simulation.
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use qd::{Config, Runtime, Target, TaskKey};

/// One task in so many.
const SAMPLE: u8 = 16;

/// Kernels that may have so many bytes of registers spilled by `ptxas`: nests of loops and branches in which lanes part and
/// meet again, such as chains of a dozen adapters with a state of their own (what is spilled says where they meet), powers
/// of 128-bit integers, and a list of hundreds of outputs, each of which has an address.
const SPILLING: &[(&str, u32)] = &[
    ("suite::iterators::", 32),
    ("suite::chains::", 32),
    ("suite::elements::", 16),
    ("suite::integers::i128::", 8),
    ("suite::integers::u128::", 8),
    ("suite::ownership::red_black_steps", 8),
    ("suite::reductions::statistics", 8),
    ("suite::structs::filled", 2816),
];

/// The kernel of which vector registers may be spilled on AMD's chips: the list of hundreds of outputs.
const SPILLING_VECTORS: &str = "suite::structs::filled";

/// The bytes that a kernel may spill.
fn allowed(name: &str) -> u32 {
    SPILLING.iter().find(|(module, _)| name.starts_with(module)).map_or(0, |(_, bytes)| *bytes)
}

/// A task's code and a kernel that has the task.
type Tasks = Vec<(TaskKey, String, Vec<u8>)>;

/// The code of the sample's tasks; which ones they are also depends on `salt`.
fn tasks(target: &str, salt: u8) -> Tasks {
    let root = tempfile::tempdir().unwrap();
    let config = Config::default().ignore_env().offline_cache_file_path(root.path());
    let runtime = Runtime::new(config).unwrap();
    let target: Target = target.parse().unwrap();
    let all = std::env::var_os("QD_TEST_ALL").is_some_and(|value| value == "1");
    let mut seen = BTreeMap::new();
    let mut tasks = Vec::new();
    let wanted = |key: &TaskKey| {
        let fresh = seen.insert(*key, ()).is_none();
        fresh && (all || key.as_bytes()[0] % SAMPLE == salt % SAMPLE)
    };
    qd::__private::each_artifact(&runtime, &target, wanted, |kernel, made| {
        let name = format!("{}::{}", kernel.module, kernel.name);
        match made {
            Ok(made) => tasks.extend(made.into_iter().map(|(key, artifact)| (key, name.clone(), artifact.bytes))),
            // Refused for every target.
            Err(error) if error.kind() == qd::ErrorKind::Unsupported && error.to_string().contains("[QD") => {}
            Err(error) => panic!("{name} for {target}: {error}"),
        }
    });
    assert!(!tasks.is_empty());
    tasks
}

/// `check` of each task, on all threads of the machine; its complaints.
fn each(tasks: &Tasks, check: impl Fn(&(TaskKey, String, Vec<u8>)) -> Vec<String> + Sync) -> Vec<String> {
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    complaints.lock().unwrap().extend(check(task));
                }
            });
        }
    });
    complaints.into_inner().unwrap()
}

/// A program that is given, or one of those names that can be run.
fn tool(given: Option<std::ffi::OsString>, names: &[&str]) -> Option<PathBuf> {
    let named = given.filter(|value| !value.is_empty()).map(PathBuf::from);
    let works = |name: &Path| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success());
    named.into_iter().chain(names.iter().map(PathBuf::from)).find(|name| works(name))
}

/// NVIDIA's assembler takes the code without a warning, and nothing of it is spilled.
fn assembles(chip: &str) {
    let Some(ptxas) = tool(std::env::var_os("QD_PTXAS"), &["ptxas"]) else {
        return qd_testing::skip(&format!("ptxas for {chip}"), "needs NVIDIA's ptxas, which `cargo xtask setup` gets");
    };
    let folder = tempfile::tempdir().unwrap();
    let tasks = tasks(&format!("cuda,{chip}"), chip.bytes().map(|b| b % 16).sum());
    let complaints = each(&tasks, |(key, name, code)| {
        let file = folder.path().join(format!("{key}.ptx"));
        fs::write(&file, code).unwrap();
        let output =
            Command::new(&ptxas).args(["-v", &format!("-arch={chip}"), "-o", "/dev/null"]).arg(&file).output().unwrap();
        fs::remove_file(&file).unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let bad = |line: &&str| {
            line.contains("warning")
                || line.contains("error")
                || spills(line).is_some_and(|bytes| bytes > allowed(name))
        };
        said.lines().filter(bad).map(|line| format!("{name} {key}: {line}")).collect()
    });
    assert!(complaints.is_empty(), "{chip}: {} of {}\n{}", complaints.len(), tasks.len(), complaints.join("\n"));
}

/// The bytes of `.. 8 bytes spill stores, ..`.
fn spills(line: &str) -> Option<u32> {
    let before = line.split(" bytes spill stores").next().filter(|before| before.len() < line.len())?;
    before.rsplit(' ').next()?.parse().ok()
}

#[test]
fn ptxas_takes_kernels_for_sm_75() {
    assembles("sm_75");
}

#[test]
fn ptxas_takes_kernels_for_sm_80() {
    assembles("sm_80");
}

#[test]
fn ptxas_takes_kernels_for_sm_90() {
    assembles("sm_90");
}

/// What the notes of a code object say of its entries: the parameters lie as they are passed, nothing is spilled, and the
/// shared memory is what every device has.
fn describes_itself(chip: &str) {
    let Some(readelf) = tool(None, &["llvm-readelf-22", "/usr/lib/llvm-22/bin/llvm-readelf", "llvm-readelf"]) else {
        return qd_testing::skip(
            &format!("notes of code objects for {chip}"),
            "needs llvm-readelf, of the package llvm-22",
        );
    };
    let folder = tempfile::tempdir().unwrap();
    let tasks = tasks(&format!("amdgpu,{chip}"), chip.bytes().map(|b| b % 16).sum());
    let complaints = each(&tasks, |(key, name, code)| {
        let file = folder.path().join(format!("{key}.hsaco"));
        fs::write(&file, code).unwrap();
        let output = Command::new(&readelf).arg("--notes").arg(&file).output().unwrap();
        fs::remove_file(&file).unwrap();
        let notes = String::from_utf8_lossy(&output.stdout).into_owned();
        let complain = |what: &str| format!("{name} {key}: {what}");
        let mut found = Vec::new();
        if !notes.contains(&format!("amdgcn-amd-amdhsa--{chip}")) || !notes.contains(&format!("qd_{key}_run")) {
            found.push(complain(&format!("no such notes\n{notes}")));
        }
        let wave = if chip.starts_with("gfx9") { 64 } else { 32 };
        if !notes.contains(&format!(".wavefront_size: {wave}")) {
            found.push(complain("waves of another length"));
        }
        for entry in notes.split("  - .agpr_count").flat_map(|part| part.split("  - .args:")).skip(1) {
            found.extend(entry_notes(entry, name == SPILLING_VECTORS).into_iter().map(|what| complain(&what)));
        }
        found
    });
    assert!(complaints.is_empty(), "{chip}: {} of {}\n{}", complaints.len(), tasks.len(), complaints.join("\n"));
}

/// What is odd in the notes of an entry. Scalar registers may be spilled: they go to lanes of vector registers.
fn entry_notes(entry: &str, may_spill: bool) -> Vec<String> {
    let numbers = |name: &str| -> Vec<u64> {
        let value = |line: &str| line.trim().trim_start_matches("- ").strip_prefix(name)?.trim().parse().ok();
        entry.lines().filter_map(value).collect()
    };
    let mut odd = Vec::new();
    let (offsets, sizes) = (numbers(".offset:"), numbers(".size:"));
    let words = offsets.iter().enumerate().all(|(number, offset)| *offset == 8 * number as u64);
    if !words || sizes.iter().any(|size| *size != 8) {
        odd.push(format!("parameters at {offsets:?} of {sizes:?} bytes"));
    }
    if numbers(".kernarg_segment_size:").iter().any(|size| *size != 8 * offsets.len() as u64) {
        odd.push("hidden parameters".to_owned());
    }
    let spilled = numbers(".vgpr_spill_count:");
    if !may_spill && spilled.iter().any(|count| *count > 0) {
        odd.push(format!("vector registers are spilled: {spilled:?}"));
    }
    if numbers(".group_segment_fixed_size:").iter().any(|bytes| *bytes > 48 << 10) {
        odd.push("more shared memory than every device has".to_owned());
    }
    odd
}

#[test]
fn code_objects_describe_themselves_for_gfx90a() {
    describes_itself("gfx90a");
}

#[test]
fn code_objects_describe_themselves_for_gfx942() {
    describes_itself("gfx942");
}

#[test]
fn code_objects_describe_themselves_for_gfx1030() {
    describes_itself("gfx1030");
}

#[test]
fn code_objects_describe_themselves_for_gfx1100() {
    describes_itself("gfx1100");
}
