//! What a machine needs beside Rust and a C compiler: LLVM's shared library; and for tests of GPU code a linker, libclc, and
//! the tools that look at what was compiled.
//!
//! The question whether they are there goes to qd's own loaders, so this can't disagree with what a kernel will find.
//! Where one is missing, a system of Debian's kind is served as root; everything else gets the command to type. This
//! never calls `sudo`.
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use qd_runtime::backend::gpu::{LIBCLC_VARIABLE, LLD_VARIABLE, check_tools};

use crate::process::{self, Result};

/// Debian's and Ubuntu's package of the library.
const PACKAGE: &str = "libllvm22";
/// Those of what compiling for GPUs needs, and of what reads the notes of code objects.
const GPU_PACKAGES: &[&str] = &["lld-22", "libclc-22", "llvm-22"];
/// The wheel that NVIDIA's assembler is in.
const WHEEL: &str = "nvidia-cuda-nvcc-cu12==12.9.86";

/// The machine needs a change that its owner has to make; the message says which. Exit code 2.
#[derive(Debug)]
pub(crate) struct NotReady(String);

impl NotReady {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        NotReady(message.into())
    }
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotReady {}

/// Makes sure that the loader finds LLVM.
pub(crate) fn llvm() -> Result {
    let missing = match qd_runtime::llvm::get() {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    // A path that the user gave is theirs to correct: the loader's message names it.
    if std::env::var_os("QD_LLVM").is_some() {
        return Err(NotReady(missing.to_string()).into());
    }
    let system = System::read();
    if !system.is_debian() {
        return Err(NotReady(missing.to_string()).into());
    }
    let series = qd_runtime::llvm::LLVM_SERIES;
    install(&system, &[PACKAGE], &format!("kernels are compiled by LLVM {series}, which this machine lacks"))?;
    match qd_runtime::llvm::get() {
        Ok(llvm) => {
            println!("setup: {llvm}");
            Ok(())
        }
        Err(error) => Err(NotReady(format!("{PACKAGE} is installed, and still: {error}")).into()),
    }
}

/// Makes sure that code for GPUs can be compiled; gives NVIDIA's assembler, where it can be had.
pub(crate) fn gpu() -> Result<Option<PathBuf>> {
    let targets = ["cuda,sm_90", "amdgpu,gfx942"];
    let missing = |name: &str| name.parse().and_then(|target| check_tools(&target)).err();
    if let Some(error) = targets.iter().find_map(|name| missing(name)) {
        let system = System::read();
        let chosen = [LLD_VARIABLE, LIBCLC_VARIABLE].iter().any(|name| std::env::var_os(name).is_some());
        if chosen || !system.is_debian() {
            return Err(NotReady(error.to_string()).into());
        }
        install(&system, GPU_PACKAGES, "the tests compile for GPUs, and this machine lacks a part of what that needs")?;
        if let Some(error) = targets.iter().find_map(|name| missing(name)) {
            let packages = GPU_PACKAGES.join(", ");
            return Err(NotReady(format!("{packages} are installed, and still: {error}")).into());
        }
    }
    Ok(ptxas())
}

/// NVIDIA's assembler, of a wheel in an environment of its own. It is proprietary and not needed for anything but a second
/// opinion, so that there is none is no error: its tests say that they were skipped.
fn ptxas() -> Option<PathBuf> {
    let folder = process::target().join("ptxas");
    let find = || -> Option<PathBuf> {
        let versions = fs::read_dir(folder.join("lib")).ok()?.flatten();
        let mut places = versions.map(|python| python.path().join("site-packages/nvidia/cuda_nvcc/bin/ptxas"));
        places.find(|path| path.is_file())
    };
    if let Some(found) = find() {
        return Some(found);
    }
    println!("setup: installing {WHEEL} for the tests of GPU code");
    let made = process::succeeds(Command::new("python3").args(["-m", "venv"]).arg(&folder));
    let installed = made && process::succeeds(Command::new(folder.join("bin/pip")).args(["install", "--quiet", WHEEL]));
    if !installed {
        println!("setup: {WHEEL} can't be had here; what needs it is skipped");
    }
    find()
}

/// Installs packages as root, or says how; `why` they are needed.
fn install(system: &System, packages: &[&str], why: &str) -> Result {
    let install: Vec<&str> =
        ["apt-get", "install", "-y", "--no-install-recommends"].iter().chain(packages).copied().collect();
    let all = || packages.iter().all(|package| candidate(package));
    // SAFETY: geteuid reads a property of the process and can't fail.
    let root = unsafe { libc::geteuid() } == 0;
    if !root {
        let update = if all() { "" } else { "sudo apt-get update && " };
        return Err(NotReady(format!(
            "{why}. Run\n\n  {update}sudo {command}\n\nand try again. If there is no such package:\n{repository}",
            command = install.join(" "),
            repository = system.llvm_repository(),
        ))
        .into());
    }
    // A fresh container has no package lists, and lists of another day name versions that the mirror no longer has. An
    // update may fail for a source that has nothing to do with us, so what counts is the next step.
    let mut outcome = if all() { apt(why, &install) } else { Err("there is no such package".into()) };
    if outcome.is_err() {
        let updated = apt(why, &["apt-get", "update"]);
        outcome = if all() {
            apt(why, &install)
        } else {
            updated.and_then(|()| Err(format!("this system's packages lack one of {}", packages.join(", ")).into()))
        };
    }
    outcome.map_err(|error| NotReady(format!("{error}.\n{}", system.llvm_repository())).into())
}

/// Runs an apt command, said before.
fn apt(why: &str, words: &[&str]) -> Result {
    println!("setup: {why}; running {}", words.join(" "));
    let mut command = Command::new(words[0]);
    process::run(command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()))
}

/// Whether the package lists have the package.
fn candidate(package: &str) -> bool {
    let policy = Command::new("apt-cache").args(["policy", package]).env("LC_ALL", "C").output();
    policy.is_ok_and(|policy| has_candidate(&String::from_utf8_lossy(&policy.stdout)))
}

fn has_candidate(policy: &str) -> bool {
    policy.lines().filter_map(|line| line.trim().strip_prefix("Candidate:")).any(|version| version.trim() != "(none)")
}

/// What `/etc/os-release` says.
#[derive(Debug, Default)]
struct System {
    id: String,
    like: String,
    codename: String,
}

impl System {
    fn read() -> System {
        // Without the file this is no system we know how to serve; the caller then prints commands only.
        System::parse(&fs::read_to_string("/etc/os-release").unwrap_or_default())
    }

    fn parse(release: &str) -> System {
        let mut system = System::default();
        for (name, value) in release.lines().filter_map(|line| line.split_once('=')) {
            let value = value.trim().trim_matches(['"', '\'']).to_owned();
            match name.trim() {
                "ID" => system.id = value,
                "ID_LIKE" => system.like = value,
                "VERSION_CODENAME" => system.codename = value,
                _ => {}
            }
        }
        system
    }

    fn is_debian(&self) -> bool {
        std::iter::once(self.id.as_str()).chain(self.like.split(' ')).any(|id| matches!(id, "debian" | "ubuntu"))
    }

    /// Where else the package is.
    fn llvm_repository(&self) -> String {
        let codename = if self.codename.is_empty() { "CODENAME" } else { &self.codename };
        format!(
            "LLVM's own packages: https://apt.llvm.org, with the line\n\n  \
             deb https://apt.llvm.org/{codename}/ llvm-toolchain-{codename}-22 main\n\n\
             Or set QD_LLVM to the path of a libLLVM.so.22.1 from elsewhere."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_of_debians_kind_are_told_by_their_release_file() {
        let debian =
            System::parse("PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_CODENAME=bookworm\nID=debian\n");
        assert!(debian.is_debian());
        assert!(debian.llvm_repository().contains("apt.llvm.org/bookworm/ llvm-toolchain-bookworm-22 main"));
        assert!(System::parse("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n").is_debian());
        assert!(!System::parse("ID=fedora\nID_LIKE='rhel centos'\n").is_debian());
        assert!(!System::parse("").is_debian());
    }

    #[test]
    fn a_package_counts_only_with_a_version_to_install() {
        assert!(has_candidate("libllvm22:\n  Installed: (none)\n  Candidate: 1:22.1.8-1~deb12u1\n"));
        assert!(!has_candidate("libllvm22:\n  Installed: (none)\n  Candidate: (none)\n"));
        assert!(!has_candidate(""));
    }
}
