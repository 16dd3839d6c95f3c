//! Options: what a caller sets, what the environment sets, and what holds in the end.
//!
//! [`Config`] collects what the caller asks for; [`Config::resolve`] joins it with the environment into [`Options`],
//! the only form the rest of the crate reads. Precedence: a builder call, then `QD_<NAME>`, then the default. The
//! table of variables is in [`environment`]. Nothing here touches a disk or a device.
pub mod environment;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use crate::error::{Error, ErrorKind, Result};
use crate::notice;
use crate::target::Target;
use environment::Env;

/// Which kind of device kernels run on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Arch {
    /// The cores of this machine.
    #[default]
    Cpu,
    /// An NVIDIA device.
    Cuda,
    /// An AMD device.
    Amdgpu,
    /// The first kind of GPU that works.
    Gpu,
}

impl Arch {
    pub(crate) const NAMES: [(&str, Arch); 4] =
        [("cpu", Arch::Cpu), ("cuda", Arch::Cuda), ("amdgpu", Arch::Amdgpu), ("gpu", Arch::Gpu)];
}

/// What is removed from the cache directory, and when. Files that qd didn't write are never touched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum CleaningPolicy {
    /// Nothing: the directory grows until somebody empties it.
    Never,
    /// Entries in formats of other qd versions; for a directory that one program alone uses.
    Version,
    /// Entries that were not used for longest, once all take more than
    /// [`offline_cache_max_size`](Config::offline_cache_max_size), whichever version wrote them.
    #[default]
    Lru,
}

impl CleaningPolicy {
    pub(crate) const NAMES: [(&str, CleaningPolicy); 3] =
        [("never", CleaningPolicy::Never), ("version", CleaningPolicy::Version), ("lru", CleaningPolicy::Lru)];
}

/// Who besides the user may be able to write a cache directory that is used. Loading an entry executes it, so whoever
/// can write the directory can run code as its user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Trust {
    /// Nobody but the user and root.
    #[default]
    Owner,
    /// The groups of the directory and of those above it too.
    Group,
    /// Anybody: nothing is checked.
    Any,
}

impl Trust {
    pub(crate) const NAMES: [(&str, Trust); 3] =
        [("owner", Trust::Owner), ("group", Trust::Group), ("any", Trust::Any)];
}

/// What a caller asks for. Every option also has an environment variable, which a call here overrides.
///
/// ```
/// use qd_runtime::config::{Arch, Config};
/// let config = Config::new(Arch::Cpu).offline_cache_file_path("cache").num_threads(4);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Config {
    set: Layer,
    ignore_env: bool,
}

/// Values that one source (the builder or the environment) gives; `None` where it says nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Layer {
    pub(crate) arch: Option<Arch>,
    pub(crate) offline_cache: Option<bool>,
    pub(crate) offline_cache_file_path: Option<PathBuf>,
    pub(crate) offline_cache_seed_path: Option<PathBuf>,
    pub(crate) offline_cache_max_size: Option<u64>,
    pub(crate) offline_cache_cleaning_policy: Option<CleaningPolicy>,
    pub(crate) offline_cache_trust: Option<Trust>,
    pub(crate) opt_level: Option<u8>,
    pub(crate) fast_math: Option<bool>,
    pub(crate) debug: Option<bool>,
    pub(crate) num_threads: Option<usize>,
    pub(crate) dump_dir: Option<PathBuf>,
    pub(crate) target: Option<String>,
}

impl Config {
    /// A configuration for devices of one kind.
    pub fn new(arch: Arch) -> Self {
        Config::default().arch(arch)
    }

    /// Which kind of device kernels run on. Default: [`Arch::Cpu`].
    pub fn arch(mut self, arch: Arch) -> Self {
        self.set.arch = Some(arch);
        self
    }

    /// Whether compiled tasks are kept on disk and looked for there. Default: true.
    pub fn offline_cache(mut self, on: bool) -> Self {
        self.set.offline_cache = Some(on);
        self
    }

    /// The directory of the cache; created where it doesn't exist. Default: `qd` in the user's cache directory.
    pub fn offline_cache_file_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.set.offline_cache_file_path = Some(path.into());
        self
    }

    /// A directory of entries that is only read, behind the cache directory: one that an installation brings along or
    /// several users share. What is found there is copied into the cache directory. Who may be able to write it is
    /// checked as for the cache directory. Default: none.
    pub fn offline_cache_seed_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.set.offline_cache_seed_path = Some(path.into());
        self
    }

    /// How many bytes of entries the cache directory may hold under [`CleaningPolicy::Lru`]. Default: 1 GiB.
    pub fn offline_cache_max_size(mut self, bytes: u64) -> Self {
        self.set.offline_cache_max_size = Some(bytes);
        self
    }

    /// What is removed from the cache directory. Default: [`CleaningPolicy::Lru`].
    pub fn offline_cache_cleaning_policy(mut self, policy: CleaningPolicy) -> Self {
        self.set.offline_cache_cleaning_policy = Some(policy);
        self
    }

    /// Who may be able to write the cache directory and the seed. Default: [`Trust::Owner`].
    pub fn offline_cache_trust(mut self, trust: Trust) -> Self {
        self.set.offline_cache_trust = Some(trust);
        self
    }

    /// LLVM's optimisation level, 0 to 3. Default: 3.
    pub fn opt_level(mut self, level: u8) -> Self {
        self.set.opt_level = Some(level);
        self
    }

    /// Whether float arithmetic may be reordered and approximated. Default: false, arithmetic as in Rust. This
    /// version has only that: true is an error of [`ErrorKind::Unsupported`].
    pub fn fast_math(mut self, on: bool) -> Self {
        self.set.fast_math = Some(on);
        self
    }

    /// Whether kernels fail where integer arithmetic overflows, as Rust's debug builds do and in Rust's words, and where
    /// what an `unsafe` block does is a data race after all. Everything then runs in order, on one thread, and accesses to
    /// arrays are slow. Default: false.
    pub fn debug(mut self, on: bool) -> Self {
        self.set.debug = Some(on);
        self
    }

    /// How many threads a launch may use, the calling one included: 1 to 1024. Default: as many as the machine runs at
    /// once.
    pub fn num_threads(mut self, threads: usize) -> Self {
        self.set.num_threads = Some(threads);
        self
    }

    /// A directory into which the stages of compiles are written. Default: nothing is written.
    ///
    /// For each kernel that is prepared `<module>.<kernel>.ir`, its tasks and plan with the keys; for each task that is
    /// compiled (one that the cache has isn't) `<module>.<kernel>.<key>.ll` and `.s`, LLVM's IR after the passes and
    /// the assembly, for which it is compiled again.
    pub fn dump_dir(mut self, path: impl Into<PathBuf>) -> Self {
        self.set.dump_dir = Some(path.into());
        self
    }

    /// The target code is made for, in text form, instead of this machine's; for tests.
    #[doc(hidden)]
    pub fn target(mut self, target: impl Into<String>) -> Self {
        self.set.target = Some(target.into());
        self
    }

    /// Takes no option from the environment; for tests, and for libraries that must not be steered from outside. The
    /// user's cache directory is still found through `XDG_CACHE_HOME` and `HOME`.
    pub fn ignore_env(mut self) -> Self {
        self.ignore_env = true;
        self
    }

    /// The options that hold. A value that can't be used is an error that names the option or variable, the value,
    /// and what is allowed; an unknown `QD_*` variable is a warning (said once a process, and in
    /// [`Options::warnings`]).
    pub fn resolve(&self, env: &Env) -> Result<Options> {
        let (from_env, warnings) =
            if self.ignore_env { (Layer::default(), Vec::new()) } else { environment::read(env)? };
        warnings.iter().for_each(|warning| notice::once(warning));
        self.set.check()?;
        let (set, env_set) = (self.set.clone(), from_env);
        let options = Options {
            arch: set.arch.or(env_set.arch).unwrap_or_default(),
            offline_cache: set.offline_cache.or(env_set.offline_cache).unwrap_or(true),
            offline_cache_file_path: set
                .offline_cache_file_path
                .or(env_set.offline_cache_file_path)
                .or_else(|| env.user_cache_directory().map(|cache| cache.join("qd"))),
            offline_cache_seed_path: set.offline_cache_seed_path.or(env_set.offline_cache_seed_path),
            offline_cache_max_size: set
                .offline_cache_max_size
                .or(env_set.offline_cache_max_size)
                .unwrap_or(DEFAULT_MAX_SIZE),
            offline_cache_cleaning_policy: set
                .offline_cache_cleaning_policy
                .or(env_set.offline_cache_cleaning_policy)
                .unwrap_or_default(),
            offline_cache_trust: set.offline_cache_trust.or(env_set.offline_cache_trust).unwrap_or_default(),
            opt_level: set.opt_level.or(env_set.opt_level).unwrap_or(DEFAULT_OPT_LEVEL),
            fast_math: set.fast_math.or(env_set.fast_math).unwrap_or(false),
            debug: set.debug.or(env_set.debug).unwrap_or(false),
            num_threads: set.num_threads.or(env_set.num_threads).and_then(NonZeroUsize::new),
            dump_dir: set.dump_dir.or(env_set.dump_dir),
            target: set.target.or(env_set.target).map(|text| text.parse()).transpose()?,
            warnings,
        };
        options.check()?;
        Ok(options)
    }
}

pub(crate) const DEFAULT_MAX_SIZE: u64 = 1 << 30;
pub(crate) const DEFAULT_OPT_LEVEL: u8 = 3;
/// The most threads that can be asked for. They are all started with the runtime, and far more than any machine has
/// are a slip of the pen.
pub(crate) const MAX_THREADS: usize = 1024;

impl Layer {
    /// Checks what neither a type rules out nor, in the environment, the parser.
    fn check(&self) -> Result<()> {
        if let Some(level) = self.opt_level.filter(|&level| level > 3) {
            let message = format!("opt_level({level}) can't be used: optimisation levels are 0, 1, 2 and 3");
            return Err(Error::new(ErrorKind::Config, message));
        }
        if self.num_threads == Some(0) {
            let message = "num_threads(0) can't be used: a launch needs the calling thread, so 1 is the least";
            return Err(Error::new(ErrorKind::Config, message));
        }
        if let Some(threads) = self.num_threads.filter(|&threads| threads > MAX_THREADS) {
            let message = format!("num_threads({threads}) can't be used: at most {MAX_THREADS} threads are started");
            return Err(Error::new(ErrorKind::Config, message));
        }
        Ok(())
    }
}

/// The options that hold for one runtime.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Which kind of device kernels run on.
    pub arch: Arch,
    /// Whether compiled tasks are kept on disk and looked for there.
    pub offline_cache: bool,
    /// The directory of the cache; `None` where none was named and the user has no home.
    pub offline_cache_file_path: Option<PathBuf>,
    /// The directory of entries that are only read.
    pub offline_cache_seed_path: Option<PathBuf>,
    /// How many bytes the cache directory may hold.
    pub offline_cache_max_size: u64,
    /// What is removed from the cache directory.
    pub offline_cache_cleaning_policy: CleaningPolicy,
    /// Who may be able to write the cache directory.
    pub offline_cache_trust: Trust,
    /// LLVM's optimisation level, 0 to 3.
    pub opt_level: u8,
    /// Whether float arithmetic may be reordered and approximated.
    pub fast_math: bool,
    /// Whether kernels fail where integer arithmetic overflows and where iterations race.
    pub debug: bool,
    /// The number of threads where one was named; see [`Options::threads`].
    pub num_threads: Option<NonZeroUsize>,
    /// Where every stage of each compile is written.
    pub dump_dir: Option<PathBuf>,
    /// The target, where it isn't this machine.
    pub target: Option<Target>,
    /// What in the environment looks like a mistake but stops nothing.
    pub warnings: Vec<String>,
}

impl Options {
    /// Refuses what this version can't do, whoever asked for it.
    fn check(&self) -> Result<()> {
        if self.fast_math {
            let message = "fast_math(true) or QD_FAST_MATH: this version of qd has no such mode; leave it false";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        Ok(())
    }

    /// How many threads a launch may use: the number named, else as many as the machine runs at once.
    pub fn threads(&self) -> NonZeroUsize {
        // The count is unknown only where the system won't tell; one thread is then always right.
        self.num_threads.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(config: Config, vars: &[(&str, &str)]) -> Result<Options> {
        config.resolve(&vars.iter().copied().collect())
    }

    #[test]
    fn a_builder_call_beats_the_environment_and_that_beats_the_default() {
        let vars = [("QD_OPT_LEVEL", "1"), ("QD_OFFLINE_CACHE", "off"), ("QD_NUM_THREADS", "7")];
        let options = resolve(Config::default().opt_level(2), &vars).unwrap();
        assert_eq!((options.opt_level, options.offline_cache, options.threads().get()), (2, false, 7));
        let ignoring = resolve(Config::default().ignore_env(), &vars).unwrap();
        assert_eq!((ignoring.opt_level, ignoring.offline_cache, ignoring.num_threads), (3, true, None));
    }

    #[test]
    fn the_cache_lies_in_the_users_cache_directory_or_nowhere() {
        let path = |vars: &[(&str, &str)]| resolve(Config::default(), vars).unwrap().offline_cache_file_path;
        assert_eq!(path(&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")]), Some("/x/qd".into()));
        assert_eq!(path(&[("HOME", "/h")]), Some("/h/.cache/qd".into()));
        assert_eq!(path(&[("XDG_CACHE_HOME", "relative"), ("HOME", "/h")]), Some("/h/.cache/qd".into()));
        assert_eq!(path(&[("XDG_CACHE_HOME", ""), ("HOME", "")]), None);
        assert_eq!(path(&[("QD_OFFLINE_CACHE_FILE_PATH", "here"), ("HOME", "/h")]), Some("here".into()));
    }

    #[test]
    fn a_seed_is_named_by_the_builder_or_the_environment() {
        let seed = |config: Config, vars: &[(&str, &str)]| resolve(config, vars).unwrap().offline_cache_seed_path;
        let vars = [("QD_OFFLINE_CACHE_SEED_PATH", "/usr/share/qd")];
        assert_eq!(seed(Config::default(), &[]), None);
        assert_eq!(seed(Config::default(), &vars), Some("/usr/share/qd".into()));
        assert_eq!(seed(Config::default().offline_cache_seed_path("mine"), &vars), Some("mine".into()));
    }

    #[test]
    fn a_target_is_read_from_text_or_refused() {
        let baseline = "aarch64-unknown-linux-gnu,tune=generic";
        let options = resolve(Config::default().target(baseline), &[("QD_TARGET", "never read")]).unwrap();
        assert_eq!(options.target.unwrap().to_string(), baseline);
        assert_eq!(resolve(Config::default(), &[("QD_TARGET", "pdp11")]).unwrap_err().kind(), ErrorKind::Config);
    }

    #[test]
    fn values_that_no_type_rules_out_are_refused() {
        for (config, kind, names) in [
            (Config::default().opt_level(4), ErrorKind::Config, "opt_level(4)"),
            (Config::default().num_threads(0), ErrorKind::Config, "num_threads(0)"),
            (Config::default().num_threads(1025), ErrorKind::Config, "num_threads(1025) can't be used: at most 1024"),
            (Config::default().fast_math(true), ErrorKind::Unsupported, "fast_math"),
        ] {
            let error = resolve(config, &[]).unwrap_err();
            assert_eq!(error.kind(), kind);
            assert!(error.to_string().contains(names), "{error}");
        }
        assert_eq!(resolve(Config::default(), &[("QD_FAST_MATH", "1")]).unwrap_err().kind(), ErrorKind::Unsupported);
        assert!(resolve(Config::default().fast_math(false), &[("QD_FAST_MATH", "1")]).is_ok());
    }
}
