//! Programs that use qd link and run: with both linkers, with flags that want every LLVM symbol at once, as binary,
//! example, test and shared library, beside a user's own inkwell. Nothing of LLVM is needed to build them; where it is
//! missing or wrong when they run, they say what to do.
//!
//! The programs are in `tests/link/`, a workspace of its own, built with the locked versions of this one.
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The fixtures and what is built of them are shared by the tests of this file, be they threads or processes, so they take
/// turns.
fn turn() -> File {
    let turn = File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("link.lock")).unwrap();
    turn.lock().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::copy(root.join("Cargo.lock"), fixtures().join("Cargo.lock")).unwrap();
    turn
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/link")
}

/// Runs cargo on the fixtures as a user without a network would. `target` is a folder that stays between runs, so that
/// only the first is slow.
fn cargo(target: &str, rustflags: &str, arguments: &str) -> (PathBuf, String) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join(target);
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments.split(' ')).current_dir(fixtures()).env_remove("CARGO_ENCODED_RUSTFLAGS");
    command.env("CARGO_NET_OFFLINE", "true").env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", rustflags);
    (target, succeeded(command))
}

/// What the command printed.
fn succeeded(mut command: Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?} failed:\n{}", text(&output.stderr));
    text(&output.stdout)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Builds both programs with `flags` for their own compilation and link, and runs them.
fn programs_run_with(flags: &str) {
    let _turn = turn();
    for package in ["plain", "own-inkwell"] {
        let (target, _) = cargo("link", "", &format!("rustc --package {package} --bin {package} -- {flags}"));
        let printed = succeeded(Command::new(target.join("debug").join(package)));
        match package {
            "plain" => assert!(printed.starts_with("LLVM 22.1."), "{printed}"),
            _ => assert_eq!(printed, "42\n"),
        }
    }
}

#[test]
fn with_the_default_linker() {
    programs_run_with("-C debuginfo=0");
}

#[test]
fn with_gnu_ld() {
    programs_run_with("-C link-arg=-fuse-ld=bfd");
}

#[test]
fn with_all_symbols_exported() {
    // The program checks that LLVM's names are not among them.
    programs_run_with("-C link-args=-rdynamic");
}

#[test]
fn with_dead_code_linked() {
    let _turn = turn();
    // For the dependencies too: this keeps each call of LLVM in inkwell.
    let (target, _) = cargo("link-dead-code", "-C link-dead-code", "build --package own-inkwell");
    assert_eq!(succeeded(Command::new(target.join("debug/own-inkwell"))), "42\n");
}

#[test]
fn with_dead_code_linked_by_gnu_ld() {
    let _turn = turn();
    let flags = "rustc --package own-inkwell --bin own-inkwell -- -C link-arg=-fuse-ld=bfd";
    let (target, _) = cargo("link-dead-code", "-C link-dead-code", flags);
    assert_eq!(succeeded(Command::new(target.join("debug/own-inkwell"))), "42\n");
}

#[test]
fn with_link_time_optimisation_and_abort_on_panic() {
    let _turn = turn();
    let (target, _) = cargo("link", "", "build --release --package own-inkwell");
    assert_eq!(succeeded(Command::new(target.join("release/own-inkwell"))), "42\n");
}

#[test]
fn with_llvm_linked_by_the_program() {
    let _turn = turn();
    // The library by its own name, so that no development package is needed.
    let flags = "rustc --package plain --bin plain --features qd/llvm-linked -- -C link-arg=-l:libLLVM.so.22.1";
    let (target, _) = cargo("link-linked", "", flags);
    let mut plain = Command::new(target.join("debug/plain"));
    // Not looked at: there is nothing to load.
    plain.env("QD_LLVM", "/nonexistent");
    assert!(succeeded(plain).starts_with("LLVM 22.1."));
}

#[test]
fn as_example_and_as_test() {
    let _turn = turn();
    assert_eq!(cargo("link", "", "run --package own-inkwell --example example").1, "42\n");
    assert!(cargo("link", "", "test --package own-inkwell --lib").1.contains("1 passed"));
}

#[test]
fn as_shared_library() {
    let _turn = turn();
    let (target, _) = cargo("link", "", "build --package plugin");
    // SAFETY: the library is ours; its initialisers are those of any Rust library.
    let library = unsafe { libloading::Library::new(target.join("debug/libplugin.so")) }.unwrap();
    // SAFETY: the signature is the one it is defined with.
    let answer = unsafe { library.get::<extern "C" fn() -> i32>("qd_plugin_answer") }.unwrap();
    assert_eq!(answer(), 42);
    // SAFETY: only whether it exists is asked.
    let exported = unsafe { library.get::<*const ()>("LLVMContextCreate") };
    assert!(exported.is_err(), "the library exports qd's stubs");
}

/// Runs `plain` with `QD_LLVM`; it must fail as an ordinary error.
fn refusal(target: &Path, llvm: &Path) -> String {
    let output = Command::new(target.join("debug/plain")).env("QD_LLVM", llvm).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    text(&output.stderr)
}

#[test]
fn a_wrong_llvm_is_an_error_that_says_what_to_do() {
    let _turn = turn();
    let (target, _) = cargo("link", "", "build --package plain");
    let missing = refusal(&target, Path::new("/nonexistent/libLLVM.so"));
    assert!(missing.contains("QD_LLVM") && missing.contains("/nonexistent/libLLVM.so"), "{missing}");
    // A shared library, but no LLVM.
    let (_, _) = cargo("link", "", "build --package plugin");
    let other = refusal(&target, &target.join("debug/libplugin.so"));
    assert!(other.contains("no LLVMGetVersion"), "{other}");
}

#[test]
fn a_call_before_loading_names_the_function() {
    let _turn = turn();
    let (target, _) = cargo("link", "", "build --package own-inkwell");
    let Output { status, stderr, .. } = Command::new(target.join("debug/own-inkwell")).arg("early").output().unwrap();
    assert_eq!(status.signal(), Some(6), "must abort");
    let stderr = text(&stderr);
    assert!(stderr.contains("LLVMContextCreate") && stderr.contains("qd::llvm::load()"), "{stderr}");
}
