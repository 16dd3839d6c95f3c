//! The runtimes of the generated programs: the CPU. Part of each generated crate.
use std::sync::OnceLock;

use qd::{Config, Runtime};

pub struct Engine {
    pub name: String,
    pub runtime: Runtime,
}

/// Opt levels 0 and 3, one, two and five threads.
pub fn engines() -> &'static [Engine] {
    static ENGINES: OnceLock<Vec<Engine>> = OnceLock::new();
    ENGINES.get_or_init(|| {
        let cache = std::env::args().nth(3).unwrap_or_default();
        let engine = |(opt_level, threads): (u8, usize)| {
            let config = Config::default().ignore_env().opt_level(opt_level).num_threads(threads);
            // One of the two at level 3 runs what the other has compiled.
            let config = config.offline_cache(opt_level == 3).offline_cache_file_path(&cache);
            Engine {
                name: format!("opt {opt_level}, {threads} threads"),
                // Without a runtime there is nothing to try.
                runtime: Runtime::new(config).expect("a runtime"),
            }
        };
        [(0, 2), (3, 1), (3, 5)].map(engine).into()
    })
}
