//! What code is made for. A plain value, computed without LLVM, so that a process whose code is all cached never
//! opens it; the same strings make the key and configure the code generator, so the two can't differ.
//!
//! A target is a CPU ([`CpuTarget`]), an NVIDIA GPU ([`CudaTarget`]) or an AMD GPU ([`AmdgpuTarget`]). Each has a text form,
//! `x86_64-unknown-linux-gnu,tune=znver3,+avx,…`, `cuda,sm_90,ptx78` or `amdgpu,gfx942,wave64,cov5`, and [`Target`] parses
//! what it prints, so a build farm can name a machine it isn't.
use std::fmt;
use std::str::FromStr;

use crate::error::{Error, ErrorKind, Result};

mod amdgpu;
mod cpu;
mod cuda;

pub use amdgpu::AmdgpuTarget;
pub use cpu::{CpuArch, CpuTarget};
pub use cuda::CudaTarget;

/// A machine to make code for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Target {
    /// A CPU.
    Cpu(CpuTarget),
    /// An NVIDIA GPU.
    Cuda(CudaTarget),
    /// An AMD GPU.
    Amdgpu(AmdgpuTarget),
}

impl Target {
    /// The CPU we run on.
    pub fn host() -> Target {
        Target::Cpu(CpuTarget::host())
    }

    /// The NVIDIA GPUs of a compute capability: `Target::cuda("sm_90")`.
    ///
    /// # Errors
    /// For a name that isn't known; the message has those that are.
    pub fn cuda(chip: &str) -> Result<Target> {
        format!("{},{chip}", cuda::NAME).parse()
    }

    /// The AMD GPUs of a name: `Target::amdgpu("gfx942")`.
    ///
    /// # Errors
    /// As for [`cuda`](Target::cuda).
    pub fn amdgpu(chip: &str) -> Result<Target> {
        format!("{},{chip}", amdgpu::NAME).parse()
    }

    /// The CPU, if it is one.
    pub fn cpu(&self) -> Option<&CpuTarget> {
        match self {
            Target::Cpu(cpu) => Some(cpu),
            Target::Cuda(_) | Target::Amdgpu(_) => None,
        }
    }

    /// LLVM's target triple.
    pub fn triple(&self) -> &'static str {
        match self {
            Target::Cpu(cpu) => cpu.triple(),
            Target::Cuda(_) => CudaTarget::TRIPLE,
            Target::Amdgpu(_) => AmdgpuTarget::TRIPLE,
        }
    }
}

impl From<CpuTarget> for Target {
    fn from(cpu: CpuTarget) -> Target {
        Target::Cpu(cpu)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Cpu(cpu) => cpu.fmt(f),
            Target::Cuda(cuda) => cuda.fmt(f),
            Target::Amdgpu(amdgpu) => amdgpu.fmt(f),
        }
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
        let mut parts = text.split(',');
        match parts.next().unwrap_or_default() {
            cuda::NAME => CudaTarget::parse(text, parts).map(Target::Cuda),
            amdgpu::NAME => AmdgpuTarget::parse(text, parts).map(Target::Amdgpu),
            triple => match CpuArch::ALL.into_iter().find(|arch| arch.triple() == triple) {
                Some(arch) => CpuTarget::parse(text, arch, parts).map(Target::Cpu),
                None if CudaTarget::chips().any(|chip| chip == triple) => Err(needs(text, cuda::NAME)),
                None if AmdgpuTarget::chips().any(|chip| chip == triple) => Err(needs(text, amdgpu::NAME)),
                None => {
                    let known = CpuArch::ALL.map(CpuArch::triple).join(", ");
                    let (cuda, amdgpu) = (cuda::NAME, amdgpu::NAME);
                    Err(refused(text, &format!("unknown triple `{triple}`, known are {known}, {cuda}, {amdgpu}")))
                }
            },
        }
    }
}

/// Notes a part of a target that has one value; another one before it is refused.
fn once<'t>(text: &str, before: &mut Option<&'t str>, part: &'t str) -> Result<()> {
    match before.replace(part) {
        Some(other) if other != part => Err(refused(text, &format!("`{other}` and `{part}` contradict each other"))),
        Some(_) | None => Ok(()),
    }
}

/// The error of a chip alone.
fn needs(text: &str, name: &str) -> Error {
    refused(text, &format!("a chip stands behind the name of its line: write `{name},{text}`"))
}

/// The error of a text that is no target.
fn refused(text: &str, what: &str) -> Error {
    Error::new(ErrorKind::Config, format!("target `{text}`: {what}"))
}

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
            ("cuda,sm_90", "cuda,sm_90,ptx78"),
            ("cuda,sm_70", "cuda,sm_70,ptx60"),
            ("cuda,sm_80,ptx86", "cuda,sm_80,ptx86"),
            ("amdgpu,gfx942", "amdgpu,gfx942,wave64,cov5"),
            ("amdgpu,gfx1100", "amdgpu,gfx1100,wave32,cov5"),
            ("amdgpu,gfx1100,cov6,wave64", "amdgpu,gfx1100,wave64,cov6"),
        ];
        for (text, printed) in rows {
            assert_eq!(parse(text).to_string(), printed);
            assert_eq!(parse(printed), parse(text));
        }
        let host = Target::host();
        assert_eq!(parse(&host.to_string()), host);
        assert_eq!(Target::cuda("sm_90").unwrap(), parse("cuda,sm_90"));
        assert_eq!(Target::amdgpu("gfx1030").unwrap(), parse("amdgpu,gfx1030"));
    }

    #[test]
    fn every_part_tells_targets_apart() {
        let texts = [
            "x86_64-unknown-linux-gnu",
            "aarch64-unknown-linux-gnu",
            "x86_64-unknown-linux-gnu,tune=haswell",
            "x86_64-unknown-linux-gnu,+fma",
            "x86_64-unknown-linux-gnu,+bmi",
            "cuda,sm_80",
            "cuda,sm_90",
            "cuda,sm_80,ptx78",
            "amdgpu,gfx1030",
            "amdgpu,gfx1100",
            "amdgpu,gfx1100,wave64",
            "amdgpu,gfx1100,cov6",
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
            ("riscv64", "known are x86_64-unknown-linux-gnu, aarch64-unknown-linux-gnu, cuda, amdgpu"),
            ("x86_64-unknown-linux-gnu,tune=z80", "known are generic, sandybridge"),
            ("x86_64-unknown-linux-gnu,+neon", "known are avx, avx2"),
            ("aarch64-unknown-linux-gnu,+avx", "unknown feature `avx`"),
            ("x86_64-unknown-linux-gnu,-avx", "`-avx` is neither"),
            ("x86_64-unknown-linux-gnu,", "`` is neither"),
            ("cuda", "unknown chip ``, known are sm_70, sm_72"),
            ("cuda,sm_61", "unknown chip `sm_61`, known are sm_70, sm_72"),
            ("cuda,gfx942", "unknown chip `gfx942`"),
            ("sm_90", "write `cuda,sm_90`"),
            ("gfx942,wave64", "write `amdgpu,gfx942,wave64`"),
            ("cuda,sm_90,ptx78,ptx80", "`ptx78` and `ptx80` contradict each other"),
            ("amdgpu,gfx1100,wave64,wave32", "`wave64` and `wave32` contradict each other"),
            ("amdgpu,gfx942,cov5,cov6", "`cov5` and `cov6` contradict each other"),
            ("cuda,sm_90,ptx70", "sm_90 needs ptx78 at least"),
            ("cuda,sm_90,ptx79", "unknown PTX level `ptx79`"),
            ("cuda,sm_90,+fma", "`+fma` is no PTX level"),
            ("amdgpu,gfx803", "unknown chip `gfx803`, known are gfx900"),
            ("amdgpu,gfx942,wave32", "gfx942 has waves of 64 lanes only"),
            ("amdgpu,gfx942,cov4", "`cov4` is none of wave32, wave64, cov5, cov6"),
        ];
        for (text, expected) in rows {
            let error = text.parse::<Target>().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Config);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
