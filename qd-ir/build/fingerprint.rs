//! The fingerprint of a set of source files, as both build scripts compute it.
//!
//! Included by path from `qd-ir/build.rs` and `qd-runtime/build.rs` (and by the test of both), because a build script
//! can't use the library it builds. What is hashed decides what code a task becomes, so it is a part of every task
//! key: relative paths in sorted order and contents with CRLF read as LF, each with its length in front, so that two
//! checkouts of one commit agree whatever their line ends and wherever they lie.
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The digest, in hex, of all `*.rs` files under `source` whose path relative to it (with `/`) `matters`.
pub fn of(source: &Path, matters: impl Fn(&str) -> bool) -> io::Result<String> {
    let mut files = Vec::new();
    collect(source, source, &mut files)?;
    files.retain(|(name, _)| matters(name));
    files.sort();
    let mut hash = Sha256::new();
    for (name, path) in files {
        let mut text = fs::read(path)?;
        drop_carriage_returns(&mut text);
        for field in [name.as_bytes(), &text] {
            hash.update((field.len() as u64).to_le_bytes());
            hash.update(field);
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let relative = path.strip_prefix(root).map_err(io::Error::other)?;
            let name: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            files.push((name.join("/"), path));
        }
    }
    Ok(())
}

/// Removes each CR that stands before an LF.
fn drop_carriage_returns(text: &mut Vec<u8>) {
    let mut kept = 0;
    for read in 0..text.len() {
        if text[read] == b'\r' && text.get(read + 1) == Some(&b'\n') {
            continue;
        }
        text[kept] = text[read];
        kept += 1;
    }
    text.truncate(kept);
}
