//! The cache on a real disk: damage, odd files, refusing systems, budgets; and with real processes, killed and racing.
//!
//! Children are this test binary again, told by `CACHE_TEST_ROOT` where to work. What needs root (another user, a
//! small file system) is skipped elsewhere, and says so.
mod cache {
    mod disk;
    mod evict;
    mod levels;
    mod processes;
    pub(crate) mod support;
    mod trust;
}
