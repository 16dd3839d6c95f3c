//! What the tests of the cache share.
use std::ffi::CString;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

use qd_runtime::cache::disk::Disk;
use qd_runtime::cache::entry::{Artifact, ArtifactKind};
use qd_runtime::config::{CleaningPolicy, Trust};
use qd_runtime::key::{CodeOptions, KeyParts};
pub use qd_testing::skip;

/// The artifact number `n`, with a payload of `bytes` bytes that follow from `n`.
pub fn artifact(n: u32, bytes: usize) -> Artifact {
    let parts = KeyParts {
        ir: &n.to_le_bytes(),
        callees: b"",
        baked: b"",
        target: "t",
        options: CodeOptions { opt_level: 3, fast_math: false, checks: true, debug: false },
        codegen: &[],
        helper_abi: 1,
        context_layout: 1,
        llvm_series: "22.1",
    };
    let payload: Vec<u8> = (0..bytes).map(|i| (i as u32).wrapping_mul(31).wrapping_add(n) as u8).collect();
    Artifact::new(ArtifactKind::Object, parts.digests(), "test compiler", payload)
}

pub fn open(root: &Path) -> Disk {
    Disk::open(root, Trust::Owner, CleaningPolicy::Lru, 1 << 30).unwrap()
}

/// All files below `root` whose name `wanted`.
pub fn files(root: &Path, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).unwrap() {
            let file = file.unwrap();
            if file.file_type().unwrap().is_dir() {
                folders.push(file.path());
            } else if wanted(&file.file_name().to_string_lossy()) {
                found.push(file.path());
            }
        }
    }
    found
}

pub fn entries(root: &Path) -> Vec<PathBuf> {
    files(root, |name| name.ends_with(".qda"))
}

pub fn temporaries(root: &Path) -> Vec<PathBuf> {
    files(root, |name| name.starts_with(".tmp-"))
}

pub fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Sets when a file was last used: `ago` before now, or after where `later`.
pub fn set_used(path: &Path, ago: Duration, later: bool) {
    let now = SystemTime::now();
    let when = if later { now + ago } else { now - ago };
    File::open(path).unwrap().set_modified(when).unwrap();
}

pub const ROOT: &str = "CACHE_TEST_ROOT";

/// The root a child is to work in; `None` in the parent, where the child's test has nothing to do.
pub fn childs_root() -> Option<PathBuf> {
    std::env::var_os(ROOT).map(PathBuf::from)
}

/// The command that runs the test `name` of this binary as a child on `root`.
pub fn child(name: &str, root: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--nocapture", "--test-threads=1"]).env(ROOT, root);
    command
}

/// What a finished child left, if it succeeded.
pub fn succeeded(output: Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{text}\n{errors}", output.status);
    assert!(text.contains("1 passed"), "the child's test has another name?\n{text}\n{errors}");
    text
}

pub fn is_root() -> bool {
    // SAFETY: geteuid has no preconditions.
    unsafe { libc::geteuid() == 0 }
}

/// A user that is neither root nor an owner of anything.
pub const STRANGER: u32 = 65_533;

pub fn give_to_stranger(path: &Path) {
    std::os::unix::fs::chown(path, Some(STRANGER), Some(STRANGER)).unwrap();
}

/// Runs a child as [`STRANGER`]; `None` where such a user can't run this binary.
pub fn run_as_stranger(mut command: Command) -> Option<Output> {
    command.uid(STRANGER).gid(STRANGER).current_dir("/").output().ok()
}

/// Gives a child mounts of its own, so that what it mounts goes with it.
pub fn with_own_mounts(command: &mut Command) {
    let unshare = || {
        // SAFETY: a plain system call, safe between fork and exec.
        if unsafe { libc::unshare(libc::CLONE_NEWNS) } == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
    };
    // SAFETY: the closure only makes one system call.
    unsafe { command.pre_exec(unshare) };
}

/// Mounts a small file system at `root`, seen by this process alone; needs [`with_own_mounts`].
pub fn mount_small(root: &Path, options: &str) -> std::io::Result<()> {
    mount(Path::new("/"), "none", libc::MS_REC | libc::MS_PRIVATE, "")?;
    mount(root, "tmpfs", 0, options)
}

pub fn make_read_only(root: &Path) -> std::io::Result<()> {
    mount(root, "tmpfs", libc::MS_REMOUNT | libc::MS_RDONLY, "")
}

fn mount(target: &Path, kind: &str, flags: libc::c_ulong, options: &str) -> std::io::Result<()> {
    let text = |text: &str| CString::new(text).unwrap();
    let (target, kind, options) = (text(target.to_str().unwrap()), text(kind), text(options));
    // SAFETY: all pointers are to C strings that live through the call.
    let done = unsafe {
        libc::mount(kind.as_ptr(), target.as_ptr(), kind.as_ptr(), flags, options.as_ptr().cast::<libc::c_void>())
    };
    if done == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}
