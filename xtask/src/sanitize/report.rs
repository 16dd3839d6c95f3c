//! What ThreadSanitizer reports, and which of it is about the pool.
//!
//! std isn't compiled with the sanitizer. So it doesn't know what a lock orders once threads wait for it, nor what parking
//! and joining do, and reports what they protect: in std itself, in rayon, in tests. The pool's own order comes from
//! atomics in files that are instrumented. A report is about the pool if both accesses were made by its lines, whatever of
//! std was inlined into them.

/// Where the pool is.
const POOL: &str = "qd-runtime/src/backend/cpu/pool/";
/// Where std and what it is made of was compiled.
const STD: [&str; 2] = ["/rustc/", "/rust/deps/"];

/// The reports in a log.
pub(super) fn split(log: &str) -> impl Iterator<Item = &str> {
    log.split("==================").map(str::trim).filter(|report| report.contains("WARNING: ThreadSanitizer"))
}

/// Whether both accesses of a report are the pool's.
pub(super) fn is_ours(report: &str) -> bool {
    let mut accesses = report.split("\n\n").filter(|part| part.contains(" of size ") && part.contains("#0 "));
    let whose = |access: &str| {
        let own = access.lines().filter(|line| line.trim_start().starts_with('#'));
        own.map(|frame| frame.to_owned()).find(|frame| !STD.iter().any(|path| frame.contains(path)))
    };
    let of_pool = |access: &str| whose(access).is_some_and(|frame| frame.contains(POOL));
    match (accesses.next(), accesses.next()) {
        (Some(first), Some(second)) => of_pool(first) && of_pool(second),
        // Of anything but two accesses (a deadlock, say) the whole text decides.
        _ => report.contains(POOL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "==================\nWARNING: ThreadSanitizer: data race (pid=7)\n";

    fn report(first: &str, second: &str) -> String {
        let access = |kind: &str, at: &str| {
            format!(
                "  {kind} of size 8 at 0x7b08 by thread T1:\n    #0 write /rustc/1/library/core/src/ptr.rs:1\n    #1 f {at}:3:1 (pool+0x1)\n"
            )
        };
        format!("{HEAD}{}\n{}\n==================\n", access("Write", first), access("Previous read", second))
    }

    #[test]
    fn a_race_of_the_pool_is_told_from_those_of_others() {
        let (pool, rayon) = ("/x/qd-runtime/src/backend/cpu/pool/slot.rs", "/y/rayon-core/src/sleep/mod.rs");
        for (first, second, ours) in [(pool, pool, true), (pool, rayon, false), (rayon, rayon, false)] {
            let log = report(first, second);
            let reports: Vec<_> = split(&log).collect();
            assert_eq!(reports.len(), 1);
            assert_eq!(is_ours(reports[0]), ours, "{log}");
        }
        assert_eq!(split("").count(), 0);
    }
}
