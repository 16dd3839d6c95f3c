//! `cargo xtask lint`: what a change must satisfy beside its tests.
use std::process::Command;

use crate::process::{self, Result, cargo};
use crate::setup::NotReady;

/// Formatting, clippy and documentation, warnings denied.
pub(crate) fn run() -> Result {
    for component in ["fmt", "clippy"] {
        provide(component)?;
    }
    process::run(&mut cargo(["fmt", "--all", "--check"]))?;
    process::run(&mut cargo(["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"]))?;
    // The pages are for those who work on qd, so they show what is private, and links may lead there.
    process::run(
        cargo(["doc", "--quiet", "--workspace", "--no-deps", "--document-private-items"])
            .env("RUSTDOCFLAGS", "--deny warnings --allow rustdoc::private_intra_doc_links"),
    )?;
    println!("lint: formatting, clippy and documentation are clean");
    Ok(())
}

/// Adds a cargo subcommand through rustup where the toolchain was installed without it.
fn provide(component: &str) -> Result {
    if process::succeeds(&mut cargo([component, "--version"])) {
        return Ok(());
    }
    let name = if component == "fmt" { "rustfmt" } else { component };
    println!("lint: this toolchain has no {name}; running rustup component add {name}");
    process::run(Command::new("rustup").args(["component", "add", name])).map_err(|error| {
        NotReady::new(format!("{error}\nInstall {name} for this toolchain, then run `cargo xtask lint` again.")).into()
    })
}
