//! `cargo xtask sanitize address|thread|valgrind`: the runtime's own tests under tools that watch memory.
//!
//! *address*: rustc's AddressSanitizer with leak detection. *thread*: rustc's ThreadSanitizer, over the pool, which is what
//! is lock-free; std comes without it, so what std's locks and parking order is unknown to it (see [`report`]). *valgrind*:
//! memcheck over the loader, code from the JIT included. Stable toolchains carry the sanitizers' runtimes; only the flag is
//! unstable. LLVM's library is instrumented by none of the two.
mod report;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{self, Result, cargo, workspace};
use crate::setup::{self, NotReady};

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    Address,
    Thread,
    Valgrind,
}

/// How much of the tests is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All for which the tool is made.
    Whole,
    /// A minute of it.
    Slice,
}

impl Tool {
    pub(crate) const ALL: [Tool; 3] = [Tool::Address, Tool::Thread, Tool::Valgrind];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Tool::Address => "address",
            Tool::Thread => "thread",
            Tool::Valgrind => "valgrind",
        }
    }

    /// Why the tool can't be had here, and what would help.
    pub(crate) fn missing(self) -> Result<Option<String>> {
        Ok(match self {
            Tool::Address | Tool::Thread => {
                let runtime = runtime(self)?;
                (!runtime.exists()).then(|| {
                    format!("this toolchain has no {}; those of rustup for x86-64 and AArch64 have", runtime.display())
                })
            }
            Tool::Valgrind => (!process::succeeds(Command::new("valgrind").arg("--version")))
                .then(|| "valgrind is missing: apt-get install valgrind".into()),
        })
    }
}

/// Runs one tool, by name, or all of them.
pub(crate) fn run(arguments: &[&str]) -> Result {
    let (tools, extent) = match arguments {
        [] => (Tool::ALL.to_vec(), Extent::Whole),
        [name, rest @ ..] => {
            let tool = Tool::ALL.into_iter().find(|tool| tool.name() == *name);
            let tool = tool.ok_or_else(|| format!("{name} is no tool; there are address, thread, valgrind"))?;
            let extent = match rest {
                [] => Extent::Whole,
                ["--slice"] => Extent::Slice,
                _ => return Err(format!("{} is no option; there is --slice", rest.join(" ")).into()),
            };
            (vec![tool], extent)
        }
    };
    setup::llvm()?;
    for tool in tools {
        if let Some(missing) = tool.missing()? {
            return Err(NotReady::new(missing).into());
        }
        check(tool, extent)?;
    }
    Ok(())
}

/// Runs a tool that is there.
pub(crate) fn check(tool: Tool, extent: Extent) -> Result {
    match tool {
        Tool::Address => address(extent),
        Tool::Thread => thread(),
        Tool::Valgrind => valgrind(),
    }
}

fn address(extent: Extent) -> Result {
    let mut command = instrumented(Tool::Address)?;
    match extent {
        Extent::Whole => command.args(["--lib", "--tests", "--no-fail-fast"]),
        Extent::Slice => {
            command.args(["--lib", "--test", "array", "--test", "heal", "--test", "orc", "--test", "pool"])
        }
    };
    // It measures the memory that a process keeps, and the sanitizer keeps what was freed.
    command.args(["--", "--skip", "ten_thousand_loads_leave_memory_and_mappings_flat"]);
    // Tests ask for more memory than there is, and look at the refusal.
    command.env("ASAN_OPTIONS", "allocator_may_return_null=1:detect_stack_use_after_return=1");
    command.env("LSAN_OPTIONS", format!("suppressions={}:print_suppressions=0", file("leaks.supp").display()));
    process::run(&mut command)?;
    println!("sanitize: address found nothing");
    Ok(())
}

fn thread() -> Result {
    let reports = tempfile::tempdir()?;
    let mut command = instrumented(Tool::Thread)?;
    command.args(["--test", "pool"]);
    // What it reports is read here: most of it is about std and rayon.
    let log = reports.path().join("report");
    command.env("TSAN_OPTIONS", format!("exitcode=0:history_size=4:log_path={}", log.display()));
    process::run(&mut command)?;
    let (mut ours, mut others) = (Vec::new(), 0);
    for entry in std::fs::read_dir(reports.path())? {
        let text = std::fs::read_to_string(entry?.path())?;
        for report in report::split(&text) {
            if report::is_ours(report) { ours.push(report.to_owned()) } else { others += 1 }
        }
    }
    ours.iter().for_each(|report| println!("{report}"));
    println!(
        "sanitize: thread found {} races of the pool; {others} reports are about std, rayon and tests",
        ours.len()
    );
    if ours.is_empty() { Ok(()) } else { Err(format!("sanitize: {} races", ours.len()).into()) }
}

fn valgrind() -> Result {
    let mut build =
        cargo(["test", "--quiet", "-p", "qd-runtime", "--test", "orc", "--no-run", "--message-format=json"]);
    let built = build.stderr(Stdio::inherit()).output()?;
    if !built.status.success() {
        return Err(format!("the test of the loader doesn't build: {}", built.status).into());
    }
    let program = String::from_utf8(built.stdout)?
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .ok_or("cargo names no program of the test")?;
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-exitcode=99", "--smc-check=all"]);
    command.arg(format!("--suppressions={}", file("valgrind.supp").display()));
    command.arg(program).arg("--test-threads=1").current_dir(workspace().join("qd-runtime"));
    process::run(&mut command)?;
    println!("sanitize: valgrind found nothing");
    Ok(())
}

/// `cargo test` of the runtime with a sanitizer. Without `--target` macros and build scripts would have it too.
fn instrumented(tool: Tool) -> Result<Command> {
    let mut command = cargo(["test", "--quiet", "-p", "qd-runtime", "--target", &host()?]);
    command.arg("--target-dir").arg(target().join(tool.name()));
    // std has not been compiled with it, which is sound: it then only sees less.
    let flags = format!("-Zsanitizer={} -Cunsafe-allow-abi-mismatch=sanitizer", tool.name());
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", flags).env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
    Ok(command)
}

/// Where instrumented builds go.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), PathBuf::from).join("sanitize")
}

/// The library that rustc links into instrumented programs.
fn runtime(tool: Tool) -> Result<PathBuf> {
    let root = rustc(&["--print", "target-libdir"])?;
    let short = if tool == Tool::Address { "asan" } else { "tsan" };
    Ok(Path::new(root.trim()).join(format!("librustc-stable_rt.{short}.a")))
}

/// rustc's name of this machine.
fn host() -> Result<String> {
    let version = rustc(&["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc -vV names no host")?.to_owned())
}

fn rustc(arguments: &[&str]) -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(arguments).current_dir(workspace()).output()?;
    Ok(String::from_utf8(output.stdout)?)
}

fn file(name: &str) -> PathBuf {
    workspace().join("xtask/src/sanitize").join(name)
}
