//! What code is made for. A plain value, computed without LLVM, so that a process whose code is all cached never
//! opens it; the same strings make the key and configure the code generator, so the two can't differ.
//!
//! A CPU target is an architecture, a name to tune for, and the set of features that code may use. The baseline is the
//! architecture's first version, and every feature beyond it is listed. Features that no generated code depends on
//! (`rdrand`, `sgx`…) are left out, so that machines which differ only in those share a cache.
//!
//! In text: `x86_64-unknown-linux-gnu,tune=znver3,+avx,+avx2,…`; features in order of their names. [`Target`] parses
//! what it prints, so a build farm can name a machine it isn't.
//!
//! Operating system and C library are no part of it: objects call nothing but the helper table. The triple names the
//! object format and the calling convention.
use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, Result};

/// A machine to make code for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Target {
    arch: CpuArch,
    tune: &'static str,
    /// Indices into the architecture's features, ascending, with all that each of them implies.
    features: Vec<u8>,
}

/// The CPU architectures that code can be made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CpuArch {
    /// 64-bit x86.
    X86_64,
    /// 64-bit Arm.
    AArch64,
}

impl CpuArch {
    /// All of them.
    pub const ALL: [CpuArch; 2] = [CpuArch::X86_64, CpuArch::AArch64];

    /// LLVM's triple: object format and calling convention.
    pub fn triple(self) -> &'static str {
        match self {
            CpuArch::X86_64 => "x86_64-unknown-linux-gnu",
            CpuArch::AArch64 => "aarch64-unknown-linux-gnu",
        }
    }

    /// LLVM's name of the CPU that has nothing beyond the architecture's first version.
    fn baseline(self) -> &'static str {
        match self {
            CpuArch::X86_64 => "x86-64",
            CpuArch::AArch64 => "generic",
        }
    }

    fn features(self) -> &'static [Feature] {
        match self {
            CpuArch::X86_64 => x86::FEATURES,
            CpuArch::AArch64 => aarch64::FEATURES,
        }
    }

    /// The names that can be tuned for, besides [`GENERIC`].
    fn tunings(self) -> impl Iterator<Item = &'static str> {
        let names: Box<dyn Iterator<Item = _>> = match self {
            CpuArch::X86_64 => Box::new(x86::MODELS.iter().map(|model| model.name)),
            CpuArch::AArch64 => Box::new(aarch64::MODELS.iter().map(|model| model.name)),
        };
        names
    }
}

/// The tuning for a machine that no row names.
const GENERIC: &str = "generic";

/// A feature that changes what code is generated.
struct Feature {
    /// LLVM's name.
    name: &'static str,
    /// LLVM's names of what it implies directly.
    implies: &'static [&'static str],
}

impl Target {
    /// The machine we run on.
    pub fn host() -> Target {
        #[cfg(target_arch = "x86_64")]
        let (arch, tune, detected) = (CpuArch::X86_64, x86::detect_tuning(), x86::detect_features());
        #[cfg(target_arch = "aarch64")]
        let (arch, tune, detected) = (CpuArch::AArch64, aarch64::detect_tuning(), aarch64::detect_features());
        Target { arch, tune, features: without_gaps(arch, &detected) }
    }

    /// A machine by its parts; what the features imply is added.
    fn new(arch: CpuArch, tune: &'static str, features: impl IntoIterator<Item = usize>) -> Target {
        let mut has = vec![false; arch.features().len()];
        let mut pending: Vec<usize> = features.into_iter().collect();
        while let Some(index) = pending.pop() {
            if !std::mem::replace(&mut has[index], true) {
                pending.extend(implied(arch, index));
            }
        }
        Target { arch, tune, features: indices(&has) }
    }

    /// The CPU architecture.
    pub fn arch(&self) -> CpuArch {
        self.arch
    }

    /// LLVM's target triple.
    pub fn triple(&self) -> &'static str {
        self.arch.triple()
    }

    /// The CPU for LLVM's TargetMachine and `target-cpu`: always the baseline.
    pub fn cpu(&self) -> &'static str {
        self.arch.baseline()
    }

    /// The CPU for LLVM's `tune-cpu`.
    pub fn tune_cpu(&self) -> &'static str {
        self.tune
    }

    /// The features for LLVM's TargetMachine and `target-features`: `+avx,+avx2,…`, complete and sorted by name. Behind
    /// them stand preferences, which LLVM calls features too; they follow from the features, so no text of a target has
    /// them.
    pub fn features_string(&self) -> String {
        let preferences = match self.arch {
            CpuArch::X86_64 => x86::PREFERENCES,
            CpuArch::AArch64 => aarch64::PREFERENCES,
        };
        let preferences =
            preferences.iter().filter(|(with, _)| self.has_feature(with)).map(|(_, preference)| *preference);
        self.features().chain(preferences).map(|name| format!("+{name}")).collect::<Vec<_>>().join(",")
    }

    /// LLVM's names of the features beyond the baseline, sorted.
    pub fn features(&self) -> impl Iterator<Item = &'static str> {
        self.features.iter().map(|&index| self.arch.features()[usize::from(index)].name)
    }

    /// Whether code may use this feature, by LLVM's name. Features of the baseline aren't listed.
    pub fn has_feature(&self, name: &str) -> bool {
        self.features().any(|feature| feature == name)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},tune={}", self.triple(), self.tune)?;
        self.features().try_for_each(|name| write!(f, ",+{name}"))
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({self})")
    }
}

impl FromStr for Target {
    type Err = Error;

    fn from_str(text: &str) -> Result<Target> {
        let refuse = |what: String| Error::new(ErrorKind::Config, format!("target `{text}`: {what}"));
        let mut parts = text.split(',');
        let triple = parts.next().unwrap_or_default();
        let Some(arch) = CpuArch::ALL.into_iter().find(|arch| arch.triple() == triple) else {
            let known = CpuArch::ALL.map(CpuArch::triple).join(", ");
            return Err(refuse(format!("unknown triple `{triple}`, known are {known}")));
        };
        let (mut tune, mut features) = (GENERIC, Vec::new());
        for part in parts {
            if let Some(name) = part.strip_prefix("tune=") {
                tune =
                    std::iter::once(GENERIC).chain(arch.tunings()).find(|known| *known == name).ok_or_else(|| {
                        refuse(format!("unknown tuning `{name}`, known are generic, {}", join(arch.tunings())))
                    })?;
            } else if let Some(name) = part.strip_prefix('+') {
                features.push(arch.features().iter().position(|feature| feature.name == name).ok_or_else(|| {
                    let known = join(arch.features().iter().map(|feature| feature.name));
                    refuse(format!("unknown feature `{name}`, known are {known}"))
                })?);
            } else {
                return Err(refuse(format!("`{part}` is neither `tune=<cpu>` nor `+<feature>`")));
            }
        }
        Ok(Target::new(arch, tune, features))
    }
}

fn join(names: impl Iterator<Item = &'static str>) -> String {
    let mut names: Vec<_> = names.collect();
    names.dedup();
    names.join(", ")
}

/// The features that `index` implies directly.
fn implied(arch: CpuArch, index: usize) -> impl Iterator<Item = usize> {
    let features = arch.features();
    features[index].implies.iter().filter_map(|name| features.iter().position(|feature| feature.name == *name))
}

fn indices(has: &[bool]) -> Vec<u8> {
    (0u8..).zip(has).filter(|&(_, &has)| has).map(|(index, _)| index).collect()
}

/// The detected features without those that lack something they imply: a hypervisor may mask AVX and leave AVX2, and
/// LLVM would turn AVX on again.
fn without_gaps(arch: CpuArch, detected: &[bool]) -> Vec<u8> {
    fn whole(arch: CpuArch, detected: &[bool], index: usize) -> bool {
        detected[index] && implied(arch, index).all(|index| whole(arch, detected, index))
    }
    indices(&(0..detected.len()).map(|index| whole(arch, detected, index)).collect::<Vec<_>>())
}

/// A table of features: LLVM's name, std's name where it differs, what LLVM says it implies. Sorted by LLVM's names.
macro_rules! features {
    ($arch:literal, $detected:ident; $($name:tt $(= $std:tt)? => [$($implied:literal),*];)*) => {
        pub(super) const FEATURES: &[Feature] = &[$(Feature { name: $name, implies: &[$($implied),*] }),*];

        /// Whether this machine has each of [`FEATURES`].
        #[cfg(target_arch = $arch)]
        pub(super) fn detect_features() -> [bool; FEATURES.len()] {
            [$(features!(@detect $detected $name $(= $std)?)),*]
        }
    };
    (@detect $detected:ident $name:tt) => { std::arch::$detected!($name) };
    (@detect $detected:ident $name:tt = $std:tt) => { std::arch::$detected!($std) };
}

mod aarch64;
mod x86;

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Target {
        text.parse().unwrap()
    }

    #[test]
    fn text_round_trips() {
        let rows = [
            // As written, as printed: sorted, once each, with what is implied.
            ("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-gnu,tune=generic"),
            (
                "x86_64-unknown-linux-gnu,+popcnt,+avx,tune=znver3,+popcnt",
                "x86_64-unknown-linux-gnu,tune=znver3,+avx,+popcnt,+sse3,+sse4.1,+sse4.2,+ssse3",
            ),
            (
                "aarch64-unknown-linux-gnu,+neon,+sve2",
                "aarch64-unknown-linux-gnu,tune=generic,+fullfp16,+neon,+sve,+sve2",
            ),
        ];
        for (text, printed) in rows {
            assert_eq!(parse(text).to_string(), printed);
            assert_eq!(parse(printed), parse(text));
        }
        let host = Target::host();
        assert_eq!(parse(&host.to_string()), host);
    }

    #[test]
    fn every_part_tells_targets_apart() {
        let texts = [
            "x86_64-unknown-linux-gnu",
            "aarch64-unknown-linux-gnu",
            "x86_64-unknown-linux-gnu,tune=haswell",
            "x86_64-unknown-linux-gnu,+fma",
            "x86_64-unknown-linux-gnu,+bmi",
        ];
        let targets = texts.map(parse);
        for (index, target) in targets.iter().enumerate() {
            assert_eq!(targets.iter().position(|other| other == target), Some(index));
        }
    }

    #[test]
    fn unknown_text_is_refused_with_what_is_known() {
        let rows = [
            ("", "unknown triple ``"),
            ("riscv64", "known are x86_64-unknown-linux-gnu, aarch64"),
            ("x86_64-unknown-linux-gnu,tune=z80", "known are generic, sandybridge"),
            ("x86_64-unknown-linux-gnu,+neon", "known are avx, avx2"),
            ("aarch64-unknown-linux-gnu,+avx", "unknown feature `avx`"),
            ("x86_64-unknown-linux-gnu,-avx", "`-avx` is neither"),
            ("x86_64-unknown-linux-gnu,", "`` is neither"),
        ];
        for (text, expected) in rows {
            let error = text.parse::<Target>().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Config);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }

    #[test]
    fn getters_give_what_the_code_generator_needs() {
        let target = parse("x86_64-unknown-linux-gnu,tune=znver4,+avx2");
        assert_eq!((target.arch(), target.cpu(), target.tune_cpu()), (CpuArch::X86_64, "x86-64", "znver4"));
        assert_eq!(target.features_string(), "+avx,+avx2,+sse3,+sse4.1,+sse4.2,+ssse3");
        let features = parse("x86_64-unknown-linux-gnu,+avx512f").features_string();
        assert!(features.contains("+avx512f,") && features.ends_with(",+prefer-no-scatter"), "{features}");
        assert!(target.has_feature("sse4.1") && !target.has_feature("fma"));
    }

    #[test]
    fn a_masked_feature_takes_those_that_need_it_along() {
        let named = |name| CpuArch::X86_64.features().iter().position(|feature| feature.name == name).unwrap();
        let mut detected = [true; x86::FEATURES.len()];
        detected[named("avx")] = false;
        let target =
            Target { arch: CpuArch::X86_64, tune: GENERIC, features: without_gaps(CpuArch::X86_64, &detected) };
        assert!(target.has_feature("sse4.2") && target.has_feature("popcnt"));
        assert!(!target.features().any(|name| name.starts_with("avx") || name == "fma"));
        assert_eq!(parse(&target.to_string()), target);
    }

    #[test]
    fn tables_are_sorted_and_closed() {
        for arch in CpuArch::ALL {
            let names: Vec<_> = arch.features().iter().map(|feature| feature.name).collect();
            assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
            for feature in arch.features() {
                assert!(feature.implies.iter().all(|name| names.contains(name)), "{}", feature.name);
            }
        }
    }
}
