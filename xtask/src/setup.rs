//! What a machine needs beside Rust and a C compiler: LLVM's shared library.
//!
//! The question whether it is there goes to qd's own loader, so this can't disagree with what a kernel will find.
//! Where it is missing, a system of Debian's kind is served as root; everything else gets the command to type. This
//! never calls `sudo`.
use std::fmt;
use std::fs;
use std::process::{Command, Stdio};

use crate::process::{self, Result};

/// Debian's and Ubuntu's package of the library.
const PACKAGE: &str = "libllvm22";

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
    install(&system)?;
    match qd_runtime::llvm::get() {
        Ok(llvm) => {
            println!("setup: {llvm}");
            Ok(())
        }
        Err(error) => Err(NotReady(format!("{PACKAGE} is installed, and still: {error}")).into()),
    }
}

/// Installs the package as root, or says how.
fn install(system: &System) -> Result {
    // SAFETY: geteuid reads a property of the process and can't fail.
    let root = unsafe { libc::geteuid() } == 0;
    if !root {
        let update = if candidate() { "" } else { "sudo apt-get update && " };
        return Err(NotReady(format!(
            "kernels are compiled by LLVM {series}, which this machine lacks. Run\n\n  {update}sudo {command}\n\n\
             and try again. If there is no such package:\n{repository}",
            series = qd_runtime::llvm::LLVM_SERIES,
            command = apt_install().join(" "),
            repository = system.llvm_repository(),
        ))
        .into());
    }
    // A fresh container has no package lists, and lists of another day name versions that the mirror no longer has. An
    // update may fail for a source that has nothing to do with us, so what counts is the next step.
    let mut outcome = if candidate() { apt(&apt_install()) } else { Err("there is no such package".into()) };
    if outcome.is_err() {
        let updated = apt(&["apt-get", "update"]);
        outcome = if candidate() {
            apt(&apt_install())
        } else {
            updated.and_then(|()| Err(format!("this system's packages have no {PACKAGE}").into()))
        };
    }
    outcome.map_err(|error| NotReady(format!("{error}.\n{}", system.llvm_repository())).into())
}

fn apt_install() -> [&'static str; 5] {
    ["apt-get", "install", "-y", "--no-install-recommends", PACKAGE]
}

/// Runs an apt command, said before.
fn apt(words: &[&str]) -> Result {
    println!("setup: LLVM {} is missing; running {}", qd_runtime::llvm::LLVM_SERIES, words.join(" "));
    let mut command = Command::new(words[0]);
    process::run(command.args(&words[1..]).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()))
}

/// Whether the package lists have the package.
fn candidate() -> bool {
    let policy = Command::new("apt-cache").args(["policy", PACKAGE]).env("LC_ALL", "C").output();
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
