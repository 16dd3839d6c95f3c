//! CPUs: an architecture, a name to tune for, and the set of features that code may use. The baseline is the
//! architecture's first version, and every feature beyond it is listed. Features that no generated code depends on
//! (`rdrand`, `sgx`…) are left out, so that machines which differ only in those share a cache.
//!
//! In text: `x86_64-unknown-linux-gnu,tune=znver3,+avx,+avx2,…`; features in order of their names.
//!
//! Operating system and C library are no part of it: objects call nothing but the helper table. The triple names the
//! object format and the calling convention.
use std::fmt;
use std::str::FromStr;

use super::{Target, refused};
use crate::error::{Error, Result};

/// A CPU to make code for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CpuTarget {
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

impl CpuTarget {
    /// The machine we run on.
    pub fn host() -> CpuTarget {
        #[cfg(target_arch = "x86_64")]
        let (arch, tune, detected) = (CpuArch::X86_64, x86::detect_tuning(), x86::detect_features());
        #[cfg(target_arch = "aarch64")]
        let (arch, tune, detected) = (CpuArch::AArch64, aarch64::detect_tuning(), aarch64::detect_features());
        CpuTarget { arch, tune, features: without_gaps(arch, &detected) }
    }

    /// A machine by its parts; what the features imply is added.
    fn new(arch: CpuArch, tune: &'static str, features: impl IntoIterator<Item = usize>) -> CpuTarget {
        let mut has = vec![false; arch.features().len()];
        let mut pending: Vec<usize> = features.into_iter().collect();
        while let Some(index) = pending.pop() {
            if !std::mem::replace(&mut has[index], true) {
                pending.extend(implied(arch, index));
            }
        }
        CpuTarget { arch, tune, features: indices(&has) }
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

impl fmt::Debug for CpuTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CpuTarget({self})")
    }
}

impl FromStr for CpuTarget {
    type Err = Error;

    fn from_str(text: &str) -> Result<CpuTarget> {
        match text.parse()? {
            Target::Cpu(cpu) => Ok(cpu),
            Target::Cuda(_) | Target::Amdgpu(_) => Err(refused(text, "it is no CPU")),
        }
    }
}

impl fmt::Display for CpuTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},tune={}", self.triple(), self.tune)?;
        self.features().try_for_each(|name| write!(f, ",+{name}"))
    }
}

impl CpuTarget {
    /// The target of an architecture that `parts` describe; `text` is all of it.
    pub(super) fn parse<'t>(text: &str, arch: CpuArch, parts: impl Iterator<Item = &'t str>) -> Result<CpuTarget> {
        let refuse = |what: String| refused(text, &what);
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
        Ok(CpuTarget::new(arch, tune, features))
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

    fn parse(text: &str) -> CpuTarget {
        text.parse().unwrap()
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
            CpuTarget { arch: CpuArch::X86_64, tune: GENERIC, features: without_gaps(CpuArch::X86_64, &detected) };
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
