//! The linker that makes a code object of an AMD object: LLVM's `ld.lld`, found at run time and run as a process.
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, ErrorKind, Result};

/// The variable that names the linker.
pub const VARIABLE: &str = "QD_LLD";

/// How to get it, one line a system.
const INSTALL_HINT: &str = "\
  Debian, Ubuntu:  apt-get install -y --no-install-recommends lld-22
  Fedora:          dnf install lld
  Arch Linux:      pacman -S lld
  Homebrew:        brew install lld@22
or set QD_LLD to the path of an ld.lld.";

/// Names to look for, the most fitting first. Any recent one will do: what it links has no part that changes.
const NAMES: [&str; 2] = ["ld.lld-22", "ld.lld"];

/// Directories behind those of `PATH`: where LLVM's and ROCm's packages have their own.
const DIRECTORIES: [&str; 5] = [
    "/usr/lib/llvm-22/bin",
    "/usr/lib64/llvm22/bin",
    "/usr/lib/llvm22/bin",
    "/opt/rocm/llvm/bin",
    "/opt/rocm/lib/llvm/bin",
];

/// Whether there is a linker.
pub(super) fn check() -> Result<()> {
    linker().map(|_| ())
}

fn linker() -> Result<PathBuf> {
    find(std::env::var_os(VARIABLE), std::env::var_os("PATH"), &DIRECTORIES)
}

/// The code object of an object.
pub(super) fn link(object: &[u8]) -> Result<Vec<u8>> {
    link_by(&linker()?, object)
}

fn link_by(linker: &Path, object: &[u8]) -> Result<Vec<u8>> {
    let trouble = |what: &str, why: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Environment, format!("{what} for {} failed: {why}", linker.display()))
    };
    let folder = tempfile::tempdir().map_err(|error| trouble("making a temporary directory", &error))?;
    let (from, to) = (folder.path().join("task.o"), folder.path().join("task.hsaco"));
    fs::write(&from, object).map_err(|error| trouble("writing an object", &error))?;
    let mut command = Command::new(linker);
    command.args(["-shared", "--no-undefined", "-o"]).arg(&to).arg(&from);
    let output = command.output().map_err(|error| {
        let message = format!("{} can't be run: {error}.\nInstall a linker:\n{INSTALL_HINT}", linker.display());
        Error::new(ErrorKind::Environment, message)
    })?;
    let made = fs::read(&to).unwrap_or_default();
    if !output.status.success() || !made.starts_with(b"\x7fELF") {
        // Another linker, or another program: what comes here lld links.
        let said = String::from_utf8_lossy(&output.stderr);
        let message = format!(
            "{} makes no code object of an object for AMD GPUs ({}): {}\nIt has to be LLVM's ld.lld.\nInstall \
             one:\n{INSTALL_HINT}",
            linker.display(),
            output.status,
            said.trim()
        );
        return Err(Error::new(ErrorKind::Environment, message));
    }
    Ok(made)
}

/// The linker that `QD_LLD` (`chosen`) names, and only that; without it the first that is in `path` or `directories`.
fn find(chosen: Option<OsString>, path: Option<OsString>, directories: &[&str]) -> Result<PathBuf> {
    if let Some(chosen) = chosen.filter(|value| !value.is_empty()) {
        let chosen = PathBuf::from(chosen);
        if chosen.is_file() {
            return Ok(chosen);
        }
        let message = format!(
            "{VARIABLE} names {}, which isn't a file.\nSet it to an ld.lld, or unset it to use the system's.",
            chosen.display()
        );
        return Err(Error::new(ErrorKind::Environment, message));
    }
    let path = path.unwrap_or_default();
    let places: Vec<PathBuf> = std::env::split_paths(&path).chain(directories.iter().map(Into::into)).collect();
    // The fitting name anywhere comes before the other one.
    let mut candidates = NAMES.iter().flat_map(|name| places.iter().map(move |place| Path::new(place).join(name)));
    candidates.find(|candidate| candidate.is_file()).ok_or_else(|| {
        let message = format!(
            "code for AMD GPUs has to be linked, and no {} was found, neither by PATH nor in {}.\nInstall \
             one:\n{INSTALL_HINT}",
            NAMES.join(" or "),
            directories.join(", ")
        );
        Error::new(ErrorKind::Environment, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fitting_version_comes_first_and_the_variable_before_all() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(first.path().join("ld.lld"), "").unwrap();
        fs::write(second.path().join("ld.lld-22"), "").unwrap();
        let path = std::env::join_paths([first.path(), second.path()]).unwrap();
        assert_eq!(find(None, Some(path.clone()), &[]).unwrap(), second.path().join("ld.lld-22"));
        let own = first.path().join("ld.lld");
        assert_eq!(find(Some(own.clone().into()), Some(path.clone()), &[]).unwrap(), own);
        let error = find(Some(first.path().join("none").into()), Some(path), &[]).unwrap_err();
        assert!(error.to_string().contains("QD_LLD"), "{error}");
    }

    #[test]
    fn what_is_no_lld_is_the_machines_fault() {
        // Programs that fail, that do nothing, and that can't be run.
        for program in ["/bin/false", "/bin/true", "/dev/null"] {
            let error = link_by(Path::new(program), b"no object").unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Environment, "{program}");
            assert!(error.to_string().starts_with(program) && error.to_string().contains("QD_LLD"), "{error}");
        }
    }

    #[test]
    fn a_missing_linker_says_what_to_install() {
        let error = find(None, None, &["/nonexistent"]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Environment);
        assert!(error.to_string().contains("apt-get install -y --no-install-recommends lld-22"), "{error}");
    }
}
