//! What ThreadSanitizer reports, and which of it is about the pool.
//!
//! std isn't compiled with the sanitizer. So it doesn't know what a lock orders once threads wait for it, nor what parking
//! and joining do, and reports what they protect: in std itself, in rayon, in tests. The pool's own order comes from
//! atomics in files that are instrumented. A report is about the pool if its own lines made both accesses: what std does for
//! them, such as freeing an `Arc` or writing a panic's message, std orders.

/// Where the pool is.
const POOL: &str = "qd-runtime/src/backend/cpu/pool/";

/// The reports in a log.
pub(super) fn split(log: &str) -> impl Iterator<Item = &str> {
    log.split("==================").map(str::trim).filter(|report| report.contains("WARNING: ThreadSanitizer"))
}

/// Whether both accesses of a report are the pool's.
pub(super) fn is_ours(report: &str) -> bool {
    let mut accesses = report.split("\n\n").filter(|part| part.contains(" of size ") && part.contains("#0 "));
    let of_pool = |access: &str| {
        let first = access.lines().find(|line| line.trim_start().starts_with("#0 "));
        first.is_some_and(|frame| frame.contains(POOL))
    };
    match (accesses.next(), accesses.next()) {
        (Some(first), Some(second)) => of_pool(first) && of_pool(second),
        // Of a race whose other side is lost nothing is known; of anything else (a deadlock, say) the whole text decides.
        _ => !report.contains("data race") && report.contains(POOL),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "==================\nWARNING: ThreadSanitizer: data race (pid=7)\n";

    fn report(first: &str, second: &str) -> String {
        let access = |kind: &str, at: &str| {
            format!(
                "  {kind} of size 8 at 0x7b08 by thread T1:\n    #0 f {at}:3:1 (pool+0x1)\n    #1 g /x/qd-runtime/src/backend/cpu/pool/mod.rs:1\n"
            )
        };
        format!("{HEAD}{}\n{}\n==================\n", access("Write", first), access("Previous read", second))
    }

    #[test]
    fn a_race_of_the_pool_is_told_from_those_of_others() {
        let (pool, std) = ("/x/qd-runtime/src/backend/cpu/pool/slot.rs", "/rustc/1/library/alloc/src/alloc.rs");
        for (first, second, ours) in [(pool, pool, true), (pool, std, false), (std, std, false)] {
            let log = report(first, second);
            let reports: Vec<_> = split(&log).collect();
            assert_eq!(reports.len(), 1);
            assert_eq!(is_ours(reports[0]), ours, "{log}");
        }
        assert_eq!(split("").count(), 0);
    }
}
