//! The environment variables of qd: one table, from which reading, checking and the documentation derive.
//!
//! [`Env`] is a snapshot, so that tests inject what the process would otherwise inherit. A known variable with a value
//! it can't have is an error; an unknown `QD_*` is a warning, because it may belong to somebody else.
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::{Arch, CleaningPolicy, Layer, MAX_THREADS, Trust};
use crate::error::{Error, ErrorKind, Result};

/// The variables that matter to qd, as they were at one moment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Env(BTreeMap<OsString, OsString>);

impl Env {
    /// The variables of this process.
    pub fn of_process() -> Self {
        std::env::vars_os().collect()
    }

    /// The value of `name`. An empty variable counts as unset.
    pub fn get(&self, name: &str) -> Option<&OsStr> {
        self.0.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// `$XDG_CACHE_HOME` (which must be absolute to count) or `$HOME/.cache`.
    pub(super) fn user_cache_directory(&self) -> Option<PathBuf> {
        let absolute = |name| self.get(name).map(Path::new).filter(|path| path.is_absolute());
        absolute("XDG_CACHE_HOME").map(Path::to_owned).or_else(|| absolute("HOME").map(|home| home.join(".cache")))
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Env {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(vars: I) -> Self {
        let matters = |name: &OsString| {
            name == "HOME" || name == "XDG_CACHE_HOME" || name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
        };
        Env(vars
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()))
            .filter(|(name, _)| matters(name))
            .collect())
    }
}

const PREFIX: &str = "QD_";

/// One option that a variable can set.
struct Variable {
    name: &'static str,
    default: &'static str,
    allowed: &'static str,
    meaning: &'static str,
    /// Puts the parsed value into the layer; `None` where it can't be parsed.
    set: fn(&mut Layer, &OsStr) -> Option<()>,
}

const OPTIONS: &[Variable] = &[
    Variable {
        name: "QD_ARCH",
        default: "cpu",
        allowed: "cpu, cuda, amdgpu or gpu",
        meaning: "which kind of device kernels run on; gpu is the first GPU that works; this version runs kernels on the CPU only",
        set: |layer, text| one_of(&Arch::NAMES, text).map(|value| layer.arch = Some(value)),
    },
    Variable {
        name: "QD_OFFLINE_CACHE",
        default: "true",
        allowed: BOOLEAN,
        meaning: "whether compiled tasks are kept on disk and looked for there",
        set: |layer, text| boolean(text).map(|value| layer.offline_cache = Some(value)),
    },
    Variable {
        name: "QD_OFFLINE_CACHE_FILE_PATH",
        default: "$XDG_CACHE_HOME/qd, else $HOME/.cache/qd, else no cache",
        allowed: "a directory",
        meaning: "the directory of the cache; created where it doesn't exist",
        set: |layer, text| {
            layer.offline_cache_file_path = Some(text.into());
            Some(())
        },
    },
    Variable {
        name: "QD_OFFLINE_CACHE_SEED_PATH",
        default: "none",
        allowed: "a directory",
        meaning: "a directory of entries that is only read, behind the cache directory",
        set: |layer, text| {
            layer.offline_cache_seed_path = Some(text.into());
            Some(())
        },
    },
    Variable {
        name: "QD_OFFLINE_CACHE_MAX_SIZE",
        default: "1G",
        allowed: "a number of bytes, or of KiB, MiB or GiB with K, M or G behind it",
        meaning: "how many bytes of entries the cache directory may hold under the policy lru",
        set: |layer, text| size(text).map(|value| layer.offline_cache_max_size = Some(value)),
    },
    Variable {
        name: "QD_OFFLINE_CACHE_CLEANING_POLICY",
        default: "lru",
        allowed: "never, version or lru",
        meaning: "what is removed from the cache directory: nothing, entries in formats of other qd versions, or \
                  the entries not used for longest",
        set: |layer, text| {
            one_of(&CleaningPolicy::NAMES, text).map(|value| layer.offline_cache_cleaning_policy = Some(value))
        },
    },
    Variable {
        name: "QD_OFFLINE_CACHE_TRUST",
        default: "owner",
        allowed: "owner, group or any",
        meaning: "who besides the user and root may be able to write the cache directory and the seed; whoever can, \
                  can run code as their user",
        set: |layer, text| one_of(&Trust::NAMES, text).map(|value| layer.offline_cache_trust = Some(value)),
    },
    Variable {
        name: "QD_OPT_LEVEL",
        default: "3",
        allowed: "0, 1, 2 or 3",
        meaning: "LLVM's optimisation level",
        set: |layer, text| number(text).filter(|&level| level <= 3).map(|value| layer.opt_level = Some(value)),
    },
    Variable {
        name: "QD_FAST_MATH",
        default: "false",
        allowed: BOOLEAN,
        meaning: "whether float arithmetic may be reordered and approximated; true is not supported yet",
        set: |layer, text| boolean(text).map(|value| layer.fast_math = Some(value)),
    },
    Variable {
        name: "QD_DEBUG",
        default: "false",
        allowed: BOOLEAN,
        meaning: "whether kernels fail where integer arithmetic overflows and where iterations race",
        set: |layer, text| boolean(text).map(|value| layer.debug = Some(value)),
    },
    Variable {
        name: "QD_NUM_THREADS",
        default: "as many as the machine runs at once",
        allowed: "a number from 1 to 1024",
        meaning: "how many threads a launch may use, the calling one included",
        set: |layer, text| {
            number(text)
                .filter(|threads| (1..=MAX_THREADS).contains(threads))
                .map(|value| layer.num_threads = Some(value))
        },
    },
    Variable {
        name: "QD_DUMP_DIR",
        default: "nothing is written",
        allowed: "a directory",
        meaning: "a directory into which each kernel's IR and keys, and LLVM's IR and assembly of each compiled task \
                  are written",
        set: |layer, text| {
            layer.dump_dir = Some(text.into());
            Some(())
        },
    },
    Variable {
        name: "QD_TARGET",
        default: "this machine",
        allowed: "a target in text form",
        meaning: "the target code is made for; for tests",
        set: |layer, text| text.to_str().map(|value| layer.target = Some(value.to_owned())),
    },
];

/// Variables of qd that are no options: name and meaning.
const OTHERS: &[(&str, &str)] = &[
    ("QD_LLVM", "the libLLVM shared library to load, instead of the one found in the usual places"),
    ("QD_LLD", "the linker of code for AMD GPUs, an `ld.lld`, instead of the one found in the usual places"),
    (
        "QD_LIBCLC",
        "the directory of libclc's files, the mathematics of GPUs, instead of the one found in the usual places",
    ),
    ("QD_BLESS", "1 lets the tests rewrite their expected outputs; for work on qd itself"),
    ("QD_PTXAS", "NVIDIA's assembler, for tests of GPU code; set by `cargo xtask test`"),
    ("QD_TEST_ALL", "1 lets the tests of GPU code take all tasks instead of a sample; for work on qd itself"),
    ("QD_PEERS_PYTHON", "a Python with `quadrants`, for `cargo xtask bench`; for work on qd itself"),
    ("QD_SIM", "1 lets the language suite run on simulated GPUs; set by `cargo xtask sim`"),
    ("QD_TEST_SKIPS", "the file to which tests that can't run here say so; set by `cargo xtask test`"),
];

const BOOLEAN: &str = "true, on, yes or 1; false, off, no or 0";

fn one_of<T: Copy>(names: &[(&str, T)], text: &OsStr) -> Option<T> {
    names.iter().find(|(name, _)| text.eq_ignore_ascii_case(name)).map(|&(_, value)| value)
}

fn boolean(text: &OsStr) -> Option<bool> {
    let words = [
        ("true", true),
        ("on", true),
        ("yes", true),
        ("1", true),
        ("false", false),
        ("off", false),
        ("no", false),
        ("0", false),
    ];
    one_of(&words, text)
}

fn number<T: std::str::FromStr>(text: &OsStr) -> Option<T> {
    text.to_str()?.parse().ok()
}

fn size(text: &OsStr) -> Option<u64> {
    let text = text.to_str()?;
    let units = [('K', 1u64 << 10), ('M', 1 << 20), ('G', 1 << 30)];
    let (digits, unit) = units
        .iter()
        .find_map(|&(letter, unit)| Some((text.strip_suffix([letter, letter.to_ascii_lowercase()])?, unit)))
        .unwrap_or((text, 1));
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

/// What the environment sets, and a warning for each `QD_*` that qd doesn't know.
pub(super) fn read(env: &Env) -> Result<(Layer, Vec<String>)> {
    let mut layer = Layer::default();
    for variable in OPTIONS {
        let Some(text) = env.get(variable.name) else { continue };
        (variable.set)(&mut layer, text).ok_or_else(|| {
            let (name, allowed) = (variable.name, variable.allowed);
            Error::new(ErrorKind::Config, format!("{name}={text:?} can't be used; allowed: {allowed}"))
        })?;
    }
    let unknown = env.0.keys().map(|name| name.to_string_lossy()).filter(|name| name.starts_with(PREFIX));
    let warnings = unknown.filter(|name| !known().any(|known| known == *name)).map(|name| unknown_variable(&name));
    Ok((layer, warnings.collect()))
}

fn known() -> impl Iterator<Item = &'static str> {
    OPTIONS.iter().map(|variable| variable.name).chain(OTHERS.iter().map(|&(name, _)| name))
}

fn unknown_variable(name: &str) -> String {
    let nearest = known().max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
    match nearest {
        Some(nearest) => {
            format!("the environment variable {name} is not one of qd's and is ignored; nearest: {nearest}")
        }
        None => format!("the environment variable {name} is not one of qd's and is ignored"),
    }
}

/// The table of variables in Markdown: the text of `docs/environment.md`.
pub fn markdown() -> String {
    let mut text = String::from(
        "# Environment variables\n\n\
         Each option of `Config` has a variable. A builder call beats the variable, the variable beats the default; \
         `Config::ignore_env()` reads no variable. An empty variable counts as unset, names of values are read in \
         either case. A value that can't be used is an error of `qd::init` or of the first launch; an unknown `QD_*` \
         is one warning. Warnings are said once, through the `tracing` crate, and on standard error in a program that has set \
         up no subscriber.\n\n\
         | variable | meaning | allowed | default |\n|---|---|---|---|\n",
    );
    for Variable { name, default, allowed, meaning, .. } in OPTIONS {
        // Writing to a String can't fail.
        let _ = writeln!(text, "| `{name}` | {meaning} | {allowed} | {default} |");
    }
    text.push_str("\nVariables that are no options:\n\n| variable | meaning |\n|---|---|\n");
    for (name, meaning) in OTHERS {
        let _ = writeln!(text, "| `{name}` | {meaning} |");
    }
    text.push_str("\nThis file is written from the table in `qd-runtime/src/config/environment.rs`.\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn read_one(name: &str, value: &str) -> Result<Layer> {
        read(&[(name, value)].into_iter().collect()).map(|(layer, _)| layer)
    }

    #[test]
    fn every_option_takes_its_values_and_no_others() {
        let rows: &[(&str, &[&str], &[&str])] = &[
            ("QD_ARCH", &["cpu", "CUDA", "amdgpu", "gpu"], &["tpu", " cpu"]),
            ("QD_OFFLINE_CACHE", &["true", "on", "Yes", "1", "false", "off", "no", "0"], &["2", "maybe"]),
            ("QD_OFFLINE_CACHE_FILE_PATH", &["a/b", "/x"], &[]),
            ("QD_OFFLINE_CACHE_SEED_PATH", &["a/b", "/x"], &[]),
            ("QD_OFFLINE_CACHE_MAX_SIZE", &["0", "4096", "16K", "2g"], &["-1", "1T", "G", "99999999999G", "1.5M"]),
            ("QD_OFFLINE_CACHE_CLEANING_POLICY", &["never", "version", "lru"], &["fifo"]),
            ("QD_OFFLINE_CACHE_TRUST", &["owner", "group", "any"], &["all"]),
            ("QD_OPT_LEVEL", &["0", "1", "2", "3"], &["4", "-1", "fast", "256"]),
            ("QD_FAST_MATH", &["false"], &["fast"]),
            ("QD_DEBUG", &["0"], &["debug"]),
            ("QD_NUM_THREADS", &["1", "64", "1024"], &["0", "-2", "1025", "100000", "many"]),
            ("QD_DUMP_DIR", &["out"], &[]),
            ("QD_TARGET", &["x86_64"], &[]),
        ];
        assert_eq!(
            rows.iter().map(|row| row.0).collect::<Vec<_>>(),
            OPTIONS.iter().map(|o| o.name).collect::<Vec<_>>()
        );
        for (name, good, bad) in rows {
            for value in *good {
                assert_ne!(read_one(name, value).unwrap(), Layer::default(), "{name}={value}");
            }
            for value in *bad {
                let error = read_one(name, value).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Config);
                let message = error.to_string();
                assert!(message.contains(name) && message.contains(value) && message.contains("allowed"), "{message}");
            }
        }
    }

    #[test]
    fn the_table_states_the_defaults_that_hold() {
        let stated = |name: &str| OPTIONS.iter().find(|option| option.name == name).unwrap().default;
        let vars = ["ARCH", "OFFLINE_CACHE", "OFFLINE_CACHE_MAX_SIZE", "OFFLINE_CACHE_CLEANING_POLICY", "OPT_LEVEL"]
            .into_iter()
            .chain(["OFFLINE_CACHE_TRUST", "FAST_MATH", "DEBUG"])
            .map(|name| format!("QD_{name}"));
        let env: Env = vars.map(|name| (name.clone(), stated(&name))).collect();
        assert_eq!(Config::default().resolve(&env).unwrap(), Config::default().resolve(&Env::default()).unwrap());
    }

    #[test]
    fn the_table_states_the_most_threads() {
        let message = read_one("QD_NUM_THREADS", "100000").unwrap_err().to_string();
        assert!(message.ends_with(&format!("1 to {MAX_THREADS}")), "{message}");
    }

    #[test]
    fn unknown_variables_are_warned_of_with_the_nearest_name() {
        let env = [("QD_OPTLEVEL", "3"), ("QD_LLVM", "/lib"), ("QDX", "1"), ("PATH", "/bin")].into_iter().collect();
        let options = Config::default().resolve(&env).unwrap();
        let [warning] = options.warnings.as_slice() else { panic!("{:?}", options.warnings) };
        assert!(warning.contains("QD_OPTLEVEL") && warning.contains("nearest: QD_OPT_LEVEL"), "{warning}");
    }

    #[test]
    fn an_empty_variable_is_unset_and_a_name_that_is_no_text_is_harmless() {
        use std::os::unix::ffi::OsStringExt;
        assert_eq!(read_one("QD_OPT_LEVEL", "").unwrap(), Layer::default());
        let odd = OsString::from_vec(b"QD_\xff".to_vec());
        let (_, warnings) = read(&[(odd, "1")].into_iter().collect()).unwrap();
        assert_eq!(warnings.len(), 1);
    }
}
