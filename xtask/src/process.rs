//! Running other programs: in the workspace, with the terminal passed through, failing with the command's own words.
use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// The root of the workspace.
pub(crate) fn workspace() -> &'static Path {
    let member = Path::new(env!("CARGO_MANIFEST_DIR"));
    member.parent().unwrap_or(member)
}

/// The folder of what is built.
pub(crate) fn target() -> PathBuf {
    let chosen = std::env::var_os("CARGO_TARGET_DIR").map(|folder| workspace().join(folder));
    chosen.unwrap_or_else(|| workspace().join("target"))
}

/// A command of the cargo that runs this program.
pub(crate) fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(workspace());
    command
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Result {
    let status = command.status().map_err(|error| format!("can't run {}: {error}", text(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", text(command)).into()) }
}

/// True if a command can be started and succeeds; its output is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// A command as one would type it, without its path.
fn text(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    std::iter::once(name).chain(command.get_args()).map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
