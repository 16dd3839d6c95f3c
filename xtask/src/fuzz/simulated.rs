//! The runtimes of the generated programs: simulated GPUs, one of each line. Part of each generated crate.
use std::sync::OnceLock;

use qd::{Config, Runtime};
use qd_sim::Schedule;

pub struct Engine {
    pub name: String,
    pub runtime: Runtime,
}

/// Opt levels 3 and 0, everything by chance and the last lanes first.
pub fn engines() -> &'static [Engine] {
    static ENGINES: OnceLock<Vec<Engine>> = OnceLock::new();
    ENGINES.get_or_init(|| {
        let engine = |(chip, opt_level, schedule): (&str, u8, Schedule)| {
            let config = Config::default().ignore_env().opt_level(opt_level).num_threads(1).offline_cache(false);
            Engine {
                name: format!("simulated {chip}, opt {opt_level}"),
                // Without a runtime there is nothing to try.
                runtime: qd_sim::runtime(chip, schedule, config).expect("a simulated device"),
            }
        };
        [("sm_80", 3, Schedule::random(1)), ("gfx1100", 3, Schedule::backward()), ("gfx90a", 0, Schedule::random(2))]
            .map(engine)
            .into()
    })
}
