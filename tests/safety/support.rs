//! Runtimes over one cache that differ in how many threads work, and what a native body comes to.
use std::panic::{AssertUnwindSafe, catch_unwind};

use qd::{Config, Runtime};
use tempfile::TempDir;

/// So many threads, the calling one among them.
pub const THREADS: [usize; 4] = [1, 2, 3, 8];

/// A runtime for each of [`THREADS`], over one cache: the code is the same.
pub struct Engines {
    pub all: Vec<(usize, Runtime)>,
    cache: TempDir,
}

impl Engines {
    pub fn new() -> Self {
        let cache = tempfile::tempdir().unwrap();
        let of = |threads| (threads, Runtime::new(config(&cache).num_threads(threads)).unwrap());
        Engines { all: THREADS.map(of).into(), cache }
    }

    /// The same, and one that doesn't optimise.
    pub fn with_unoptimised() -> Self {
        let mut engines = Engines::new();
        let plain = config(&engines.cache).num_threads(3).opt_level(0);
        engines.all.push((3, Runtime::new(plain).unwrap()));
        engines
    }
}

/// A configuration that nothing outside the test steers.
pub fn config(cache: &TempDir) -> Config {
    Config::default().ignore_env().offline_cache_file_path(cache.path())
}

/// A well-mixed 64-bit number (splitmix64).
pub fn hash(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What a native body gives, or the words of its panic.
pub fn natively<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap()
    })
}
