//! GPU code on a machine without GPUs: what the cache does with it, and what the compiler makes of ten kernels.
//!
//! Nothing is run here: PTX and code objects are compiled, kept and found. The texts in `tests/golden/gpu` show changes of
//! the code generator as diffs; `QD_BLESS=1` writes them.
mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{CHILD, child, compiled, config, counts, entries, folder, job, outcomes, runtime};
use qd::prelude::*;
use qd::{ErrorKind, Outcome, Part, Runtime, Target};

#[qd::kernel]
fn two_loops(x: &mut NdArray<f32>) {
    for i in 0..x.len() {
        x[i] = x[i] * 2.0 + 1.0;
    }
    for i in 0..x.len() {
        x[i] -= 3.0;
    }
}

/// Its first loop is that of [`two_loops`].
#[qd::kernel]
fn cousin(values: &mut NdArray<f32>) {
    for position in 0..values.len() {
        values[position] = values[position] * 2.0 + 1.0;
    }
    for position in 0..values.len() {
        values[position] -= 4.0;
    }
}

macro_rules! four {
    ($name:ident: $($body:expr),*) => {
        #[qd::kernel]
        fn $name(x: &mut NdArray<f64>) {
            $(for i in 0..x.len() { x[i] = $body(x[i]); })*
        }
    };
}

#[qd::func]
fn plus(x: f64) -> f64 {
    x + 1.0
}

#[qd::func]
fn times(x: f64) -> f64 {
    x * 1.5
}

#[qd::func]
fn minus(x: f64) -> f64 {
    x - 2.0
}

#[qd::func]
fn minus_more(x: f64) -> f64 {
    x - 2.5
}

#[qd::func]
fn over(x: f64) -> f64 {
    x / 3.0
}

four!(base: plus, times, minus, over);
four!(edited: plus, times, minus_more, over);

/// A target of each kind, and another chip of it.
fn targets() -> [(Target, Target); 2] {
    [
        (Target::cuda("sm_90").unwrap(), Target::cuda("sm_80").unwrap()),
        (Target::amdgpu("gfx942").unwrap(), Target::amdgpu("gfx1100").unwrap()),
    ]
}

#[test]
fn two_kernels_share_a_loop_across_processes() {
    if let Some((job, root)) = job() {
        let (kernel, target) = job.split_once(' ').unwrap();
        let (runtime, target) = (runtime(&root), target.parse().unwrap());
        let seen = match kernel {
            "two_loops" => two_loops.on(&runtime).prepare_for(&target),
            _ => cousin.on(&runtime).prepare_for(&target),
        };
        println!("counts {:?}", counts(&seen.unwrap()));
        return;
    }
    let root = folder();
    for (target, _) in targets() {
        let run =
            |kernel| child("two_kernels_share_a_loop_across_processes", &format!("{kernel} {target}"), root.path());
        assert!(run("two_loops").contains("counts (2, 0, 2)"), "{target}");
        assert!(run("cousin").contains("counts (2, 1, 1)"), "{target}");
        assert!(run("two_loops").contains("counts (2, 2, 0)"), "{target}");
    }
    // Three different loops for two targets.
    assert_eq!(entries(root.path()).len(), 6);
}

#[test]
fn another_chip_misses_and_says_why() {
    let root = folder();
    let rt = runtime(root.path());
    for (target, other) in targets() {
        assert_eq!(counts(&two_loops.on(&rt).prepare_for(&target).unwrap()), (2, 0, 2));
        assert_eq!(counts(&two_loops.on(&rt).prepare_for(&other).unwrap()), (2, 0, 2));
        assert_eq!(counts(&two_loops.on(&rt).prepare_for(&target).unwrap()), (2, 2, 0));
    }
    // What this process runs is of another target, and so is what it remembers.
    two_loops.on(&rt).prepare().unwrap();
    let seen = cousin.on(&rt).prepare_for(&Target::cuda("sm_75").unwrap()).unwrap();
    assert_eq!(compiled(&seen), [0, 1]);
    assert_eq!(Part::Target.name(), "target");
}

#[test]
fn of_four_loops_the_edited_one_is_compiled() {
    let root = folder();
    let rt = runtime(root.path());
    for (target, _) in targets() {
        assert_eq!(counts(&base.on(&rt).prepare_for(&target).unwrap()), (4, 0, 4));
        let seen = edited.on(&rt).prepare_for(&target).unwrap();
        assert_eq!(counts(&seen), (4, 3, 1));
        assert_eq!(compiled(&seen), [2]);
    }
}

#[test]
fn with_the_cache_off_the_counts_are_minus_one() {
    let root = folder();
    let rt = Runtime::new(config(root.path()).offline_cache(false)).unwrap();
    for (target, _) in targets() {
        let seen = two_loops.on(&rt).prepare_for(&target).unwrap();
        assert_eq!(seen.frontend_constructs_total, 2);
        assert_eq!((seen.tasks_total, seen.tasks_cache_hit, seen.tasks_recompiled), (-1, -1, -1));
    }
    assert_eq!(fs::read_dir(root.path()).unwrap().count(), 0);
}

/// What was compiled is found without LLVM, its linker and the library of functions: none of them is there for the child. What
/// wasn't compiled can't be then.
#[test]
fn found_code_needs_no_toolchain() {
    if let Some((job, root)) = job() {
        let (place, target) = job.split_once(' ').unwrap();
        let rt = match place {
            "cache" => runtime(&root),
            _ => Runtime::new(config(&root.join("own")).offline_cache_seed_path(&root)).unwrap(),
        };
        let target = target.parse().unwrap();
        let seen = [two_loops.on(&rt).prepare_for(&target).unwrap(), waves.on(&rt).prepare_for(&target).unwrap()];
        println!("counts {:?}", seen.map(|seen| counts(&seen)));
        assert_eq!(ripples.on(&rt).prepare_for(&target).unwrap_err().kind(), ErrorKind::Environment);
        return;
    }
    let root = folder();
    let jobs = targets().map(|(target, _)| [("cache", target.clone()), ("seed", target)]);
    for (place, target) in jobs.into_iter().flatten() {
        let rt = runtime(root.path());
        two_loops.on(&rt).prepare_for(&target).unwrap();
        waves.on(&rt).prepare_for(&target).unwrap();
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "found_code_needs_no_toolchain", "--nocapture"])
            .env(CHILD, format!("{place} {target}"))
            .env("QDTEST_ROOT", root.path())
            .envs([("QD_LLVM", "/nonexistent"), ("QD_LLD", "/nonexistent"), ("QD_LIBCLC", "/nonexistent")])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{target}: {text}\n{stderr}");
        assert!(text.contains("counts [(2, 2, 0), (1, 1, 0)]"), "{target}: {text}\n{stderr}");
    }
}

#[test]
fn a_damaged_entry_heals() {
    for (target, _) in targets() {
        let root = folder();
        two_loops.on(&runtime(root.path())).prepare_for(&target).unwrap();
        let files = entries(root.path());
        let good = fs::read(&files[0]).unwrap();
        let mut flipped = good.clone();
        flipped[good.len() - 20] ^= 4;
        for damage in [flipped, good[..good.len() / 2].to_vec(), Vec::new()] {
            fs::write(&files[0], damage).unwrap();
            let seen = two_loops.on(&runtime(root.path())).prepare_for(&target).unwrap();
            assert_eq!(counts(&seen), (2, 1, 1), "{target}");
            assert_eq!(fs::read(&files[0]).unwrap(), good, "{target}");
        }
    }
}

#[test]
fn a_missing_tool_says_what_to_install() {
    if let Some((job, root)) = job() {
        let rt = runtime(&root);
        let seen = match &*job {
            "lld" => two_loops.on(&rt).prepare_for(&Target::amdgpu("gfx942").unwrap()),
            _ => waves.on(&rt).prepare_for(&Target::cuda("sm_90").unwrap()),
        };
        let error = seen.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Environment, "{error}");
        println!("{error}");
        // What doesn't need it is not in the way.
        two_loops.on(&rt).prepare_for(&Target::cuda("sm_90").unwrap()).unwrap();
        return;
    }
    let root = folder();
    let places = folder();
    fs::create_dir(places.path().join("empty")).unwrap();
    fs::create_dir(places.path().join("text")).unwrap();
    fs::write(places.path().join("text/nvptx64--.bc"), "no bitcode").unwrap();
    // Not there, and there but something else.
    let wrong = [
        ("lld", "QD_LLD", "none"),
        ("lld", "QD_LLD", "/bin/false"),
        ("lld", "QD_LLD", "/bin/true"),
        ("lld", "QD_LLD", "text/nvptx64--.bc"),
        ("libclc", "QD_LIBCLC", "empty"),
        ("libclc", "QD_LIBCLC", "text"),
    ];
    for (job, variable, named) in wrong {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_missing_tool_says_what_to_install", "--nocapture"])
            .env(CHILD, job)
            .env("QDTEST_ROOT", root.path())
            .env(variable, places.path().join(named))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            output.status.success() && text.contains(variable),
            "{job}: {text}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}

/// A task of the CPU, of NVIDIA's devices and of AMD's are three.
#[test]
fn targets_do_not_get_in_each_others_way() {
    let root = folder();
    let rt = runtime(root.path());
    for (target, _) in targets() {
        two_loops.on(&rt).prepare_for(&target).unwrap();
    }
    let mut x = NdArray::from_slice(&[1.0f32; 100]);
    two_loops.on(&rt).call(&mut x);
    assert!(x.iter().all(|x| *x == 0.0));
    assert_eq!(outcomes(&two_loops.on(&rt).observations()), [Outcome::Compiled; 2]);
    assert_eq!(entries(root.path()).len(), 6);
}

// Ten kernels, one for each thing that code for GPUs has to do.

#[qd::kernel]
fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
    for i in 0..y.len() {
        y[i] += a * x[i];
    }
}

#[qd::kernel]
fn stencil(from: &NdArray<f64, 2>, to: &mut NdArray<f64, 2>) {
    #[qd::block(128)]
    for (i, j) in to.indices() {
        let [n, m] = from.shape();
        if i > 0 && j > 0 && i + 1 < n && j + 1 < m {
            to[[i, j]] = 0.25 * (from[[i - 1, j]] + from[[i + 1, j]] + from[[i, j - 1]] + from[[i, j + 1]]);
        }
    }
}

#[qd::kernel]
fn sum(x: &[f32]) -> f32 {
    let mut total = 0.0;
    for i in 0..x.len() {
        total += x[i] * x[i];
    }
    total
}

#[qd::kernel]
fn nearest(x: &[f64], to: f64) -> (f64, usize) {
    let mut best = f64::INFINITY;
    let mut at = 0;
    for i in 0..x.len() {
        let distance = (x[i] - to).abs();
        if distance < best {
            best = distance;
            at = i;
        }
    }
    (best, at)
}

#[qd::kernel]
fn histogram(x: &[u8], bins: &mut [u32]) {
    for i in 0..x.len() {
        qd::atomic::add(&mut bins[x[i] as usize], 1);
    }
}

#[qd::kernel]
fn permute(x: &[i64], to: &[usize], y: &mut [i64]) {
    for i in 0..x.len() {
        qd::scatter(&mut y[to[i]], x[i]);
    }
}

#[qd::kernel]
fn checked(x: &[i32], y: &mut [i32]) {
    for i in 0..y.len() {
        assert!(x[i] != 7, "seven at {i}");
        if x[i] < 0 {
            println!("{} is negative", x[i]);
        }
        y[i] = 100 / x[i];
    }
}

#[qd::kernel]
fn halves(x: &[f16], y: &mut [f16]) {
    for i in 0..y.len() {
        y[i] = x[i] * x[i] + y[i];
    }
}

#[qd::kernel]
fn wide(x: &[u128], y: &mut [u128]) {
    for i in 0..y.len() {
        y[i] = x[i] * y[i] % 1_000_000_007;
    }
}

#[qd::kernel]
fn serial(x: &mut [f32]) -> f32 {
    let mut last = x[0];
    #[qd::serial]
    for i in 1..x.len() {
        last = last * 0.5 + x[i] % 3.0;
        x[i] = last;
    }
    last
}

/// Calls libclc.
#[qd::kernel]
fn waves(x: &mut [f32]) {
    for i in 0..x.len() {
        x[i] = x[i].sin() + x[i].exp();
    }
}

/// Calls libclc, too.
#[qd::kernel]
fn ripples(x: &mut [f32]) {
    for i in 0..x.len() {
        x[i] = x[i].cos();
    }
}

/// Text without what changes with each change of qd's sources: keys.
fn without_keys(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some(at) = rest.find("qd_") {
        let (before, after) = rest.split_at(at + 3);
        let digits = after.bytes().take_while(u8::is_ascii_hexdigit).count();
        out += before;
        rest = if digits == 64 { &after[64..] } else { after };
    }
    out + rest
}

/// Compares with the file, which `QD_BLESS=1` writes. Only what this LLVM has written can be compared.
fn golden(name: &str, text: &str) {
    let version = format!("LLVM {}", qd::llvm::get().unwrap().version());
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/gpu").join(name);
    let text = format!("// {version}\n{}", without_keys(text));
    if std::env::var_os("QD_BLESS").is_some_and(|bless| bless == "1") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        return;
    }
    let kept = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    if !kept.is_empty() && !kept.starts_with(&format!("// {version}\n")) {
        return qd_testing::skip(&format!("golden {name}"), &format!("this is {version}, the file is another one's"));
    }
    if kept != text {
        let line = kept.lines().zip(text.lines()).position(|(kept, now)| kept != now);
        panic!(
            "tests/golden/gpu/{name} differs from line {line:?} on; see the change with QD_BLESS=1 and git diff\n{text}"
        );
    }
}

#[test]
fn code_of_ten_kernels() {
    let root = folder();
    let rt = runtime(root.path());
    let [(cuda, _), (amdgpu, _)] = targets();
    macro_rules! goldens {
        ($($kernel:ident)*) => { $(
            golden(concat!(stringify!($kernel), ".ptx"), &$kernel.on(&rt).asm_for(&cuda).unwrap());
            golden(concat!(stringify!($kernel), ".s"), &$kernel.on(&rt).asm_for(&amdgpu).unwrap());
        )* };
    }
    goldens!(saxpy stencil sum nearest histogram permute checked halves wide serial);
}

macro_rules! counts_of {
    ($name:ident: $most:literal) => {
        #[qd::kernel]
        fn $name(x: &[u32]) -> [u32; $most] {
            let mut counts = [0; $most];
            for i in 0..x.len() {
                counts[x[i] as usize % $most] += 1;
            }
            counts
        }
    };
}

counts_of!(short_list: 200);
counts_of!(long_list: 800);

/// What LLVM is told of the elements of a list doesn't grow with the square of their number, as its time would.
#[test]
fn code_grows_with_lists_and_no_faster() {
    for (target, _) in targets() {
        let size = |prepare: &dyn Fn(&Runtime, &Target)| {
            let (root, dump) = (folder(), folder());
            prepare(&Runtime::new(config(root.path()).dump_dir(dump.path())).unwrap(), &target);
            let files = fs::read_dir(dump.path()).unwrap().map(|file| file.unwrap().path());
            let ir = files.filter(|path| path.extension().is_some_and(|extension| extension == "ll"));
            ir.map(|path| fs::metadata(path).unwrap().len()).sum::<u64>()
        };
        let short = size(&|rt, target| drop(short_list.on(rt).prepare_for(target).unwrap()));
        let long = size(&|rt, target| drop(long_list.on(rt).prepare_for(target).unwrap()));
        assert!(short > 0 && long < 6 * short, "{target}: {short} and {long} bytes");
    }
}

/// Each of its iterations keeps 192 KiB.
#[qd::kernel]
fn large(x: &mut [u128]) {
    for i in 0..x.len() {
        let (mut a, mut b, mut c) = ([0u128; 4096], [1u128; 4096], [2u128; 4096]);
        for k in 0..4096 {
            a[(7 * k + i) % 4096] += x[i];
            b[(5 * k + i) % 4096] += a[k];
            c[(3 * k + i) % 4096] += b[k];
        }
        x[i] = a[i % 4096] + b[i % 4096] + c[i % 4096];
    }
}

#[test]
fn a_lane_has_room_for_so_much_and_no_more() {
    let root = folder();
    let rt = runtime(root.path());
    let error = large.on(&rt).prepare_for(&Target::amdgpu("gfx942").unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Kernel);
    let text = error.to_string();
    assert!(text.starts_with("kernel `large` at tests/gpu.rs:") && text.contains("196608 bytes"), "{text}");
    assert!(text.contains("gfx942 has room for 131056"), "{text}");
    // More elsewhere.
    large.on(&rt).prepare_for(&Target::cuda("sm_90").unwrap()).unwrap();
}

/// A payload of an entry begins where its digests end.
fn payload<'a>(entry: &'a [u8], magic: &[u8]) -> &'a [u8] {
    let at = entry.windows(magic.len()).position(|window| window == magic).unwrap();
    &entry[at..]
}

#[test]
fn entries_hold_ptx_and_code_objects() {
    let root = folder();
    let rt = runtime(root.path());
    let [(cuda, _), (amdgpu, _)] = targets();
    // Beside the code there is a note which library it holds functions of.
    let only = |root: &Path| {
        let files: Vec<_> = entries(root).iter().map(|path| fs::read(path).unwrap()).collect();
        assert_eq!(files.len(), 2);
        files.into_iter().max_by_key(Vec::len).unwrap()
    };
    waves.on(&rt).prepare_for(&cuda).unwrap();
    let entry = only(root.path());
    let text = String::from_utf8_lossy(payload(&entry, b"//\n// Generated by LLVM NVPTX"));
    assert!(text.contains(".target sm_90") && !text.contains(".extern"), "{text}");
    let root = folder();
    let rt = runtime(root.path());
    waves.on(&rt).prepare_for(&amdgpu).unwrap();
    let entry = only(root.path());
    let object = payload(&entry, b"\x7fELF");
    // A shared object (3) for AMD's devices (224), of the interface of code objects in version 5 (3).
    assert_eq!((object[16], object[18], object[8]), (3, 224, 3));
}

/// The table of docs/benchmarks.md: `cargo test --release --test gpu figures -- --ignored --nocapture`. Registers of
/// NVIDIA's devices are `ptxas`'s, where QD_PTXAS names it.
#[test]
#[ignore = "figures for docs/benchmarks.md"]
fn figures() {
    let ours = |name: &str| {
        ["saxpy", "stencil", "sum", "nearest", "histogram", "permute", "checked", "halves", "wide", "serial", "waves"]
            .contains(&name)
    };
    let folder = folder();
    let rt = runtime(folder.path());
    println!(
        "| kernel | target | IR, ms | passes, ms | emission, ms | bytes | registers |\n|---|---|--:|--:|--:|--:|--:|"
    );
    for target in ["cuda,sm_90", "amdgpu,gfx942", "amdgpu,gfx1100"] {
        let target: Target = target.parse().unwrap();
        let mut rows = Vec::new();
        for _ in 0..5 {
            let mut row = 0;
            qd::__private::each_artifact(
                &rt,
                &target,
                |_| true,
                |kernel, made| {
                    for (_, artifact) in made.unwrap().into_iter().filter(|_| ours(kernel.name)) {
                        let times =
                            [artifact.lower, artifact.passes, artifact.emit].map(|time| time.as_secs_f64() * 1e3);
                        if row == rows.len() {
                            rows.push((kernel.name, times, artifact.bytes));
                        } else {
                            rows[row].1.iter_mut().zip(times).for_each(|(least, time)| *least = least.min(time));
                        }
                        row += 1;
                    }
                },
            );
        }
        for (name, [lower, passes, emit], bytes) in rows {
            let file = folder.path().join("task");
            fs::write(&file, &bytes).unwrap();
            let registers = registers(&target, &file).map_or("-".to_owned(), |count| count.to_string());
            println!("| {name} | {target} | {lower:.2} | {passes:.1} | {emit:.1} | {} | {registers} |", bytes.len());
        }
    }
}

/// The most registers that an entry of a task takes: of a lane, on AMD's devices those of vectors.
fn registers(target: &Target, file: &Path) -> Option<u32> {
    let number_before = |text: &str, word: &str| -> Option<u32> {
        let counts = text.split(word).filter_map(|before| before.trim().rsplit(' ').next()?.parse().ok());
        counts.max()
    };
    match target {
        Target::Cuda(cuda) => {
            let mut ptxas = std::process::Command::new(std::env::var_os("QD_PTXAS")?);
            let output =
                ptxas.args(["-v", "-o", "/dev/null", &format!("-arch={}", cuda.chip())]).arg(file).output().ok()?;
            number_before(&String::from_utf8_lossy(&output.stderr), " registers")
        }
        Target::Amdgpu(_) => {
            let output = std::process::Command::new("llvm-readelf-22").arg("--notes").arg(file).output().ok()?;
            let notes = String::from_utf8_lossy(&output.stdout).into_owned();
            let counts = notes.lines().filter_map(|line| line.trim().strip_prefix(".vgpr_count:")?.trim().parse().ok());
            counts.max()
        }
        Target::Cpu(_) => None,
    }
}
