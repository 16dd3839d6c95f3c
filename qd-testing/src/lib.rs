//! What the tests of several crates share: saying that one could not run here.
//!
//! A test that lacks something (memory, a filesystem, another user) must neither fail nor pass in silence: it calls
//! [`skip`] and returns. `cargo xtask test` prints and counts the skips; under plain `cargo test` they are lines of the
//! test's output. This crate knows no other crate of qd.
use std::fs::OpenOptions;
use std::io::Write;

/// The variable that names the file to which skips are appended, a line each.
pub const SKIPS: &str = "QD_TEST_SKIPS";

/// Says that the test `name` could not run, and why. The caller then returns.
///
/// ```no_run
/// # fn memory() -> u64 { 1 }
/// if memory() < 8 << 30 {
///     return qd_testing::skip("arrays_beyond_2_gib", "needs 8 GiB of memory");
/// }
/// ```
///
/// # Panics
/// If [`SKIPS`] names a file that can't be written: a skip must not get lost.
pub fn skip(name: &str, why: &str) {
    eprintln!("skipped: {name}: {why}");
    if let Some(path) = std::env::var_os(SKIPS) {
        // One write of one line in append mode: lines of tests that run at once don't mix.
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let written = file.and_then(|mut file| file.write_all(format!("{name}: {why}\n").as_bytes()));
        if let Err(error) = written {
            panic!("can't record a skip in {}: {error}", path.display());
        }
    }
}
