//! AMD GPUs: a chip, how many lanes its waves have, and the version of code objects, AMD's form of programs.
//!
//! In text: `amdgpu,gfx942,wave64,cov5`. Without them: waves of 32 lanes where the chip has those, and version 5, which
//! older ROCm reads too. Code objects run on their own chip only.
use std::fmt;

use super::{once, refused};
use crate::error::Result;

/// The first part of the text form.
pub(super) const NAME: &str = "amdgpu";

/// An AMD GPU to make code for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct AmdgpuTarget {
    chip: &'static str,
    wave: u32,
    code_object: u32,
}

/// The chips, and whether each has waves of 32 lanes beside those of 64.
const CHIPS: &[(&str, bool)] = &[
    ("gfx900", false),
    ("gfx906", false),
    ("gfx908", false),
    ("gfx90a", false),
    ("gfx942", false),
    ("gfx950", false),
    ("gfx1010", true),
    ("gfx1011", true),
    ("gfx1012", true),
    ("gfx1013", true),
    ("gfx1030", true),
    ("gfx1031", true),
    ("gfx1032", true),
    ("gfx1033", true),
    ("gfx1034", true),
    ("gfx1035", true),
    ("gfx1036", true),
    ("gfx1100", true),
    ("gfx1101", true),
    ("gfx1102", true),
    ("gfx1103", true),
    ("gfx1150", true),
    ("gfx1151", true),
    ("gfx1152", true),
    ("gfx1153", true),
    ("gfx1200", true),
    ("gfx1201", true),
];

impl AmdgpuTarget {
    /// LLVM's target triple.
    pub const TRIPLE: &'static str = "amdgcn-amd-amdhsa";

    /// The chips that code can be made for.
    pub fn chips() -> impl Iterator<Item = &'static str> {
        CHIPS.iter().map(|(name, _)| *name)
    }

    pub(super) fn parse<'t>(text: &str, mut parts: impl Iterator<Item = &'t str>) -> Result<AmdgpuTarget> {
        let refuse = |what: String| refused(text, &what);
        let name = parts.next().unwrap_or_default();
        let &(chip, short_waves) = CHIPS.iter().find(|(known, _)| *known == name).ok_or_else(|| {
            refuse(format!("unknown chip `{name}`, known are {}", Self::chips().collect::<Vec<_>>().join(", ")))
        })?;
        let (mut wave, mut code_object) = (if short_waves { 32 } else { 64 }, 5);
        let (mut wave_before, mut code_object_before) = (None, None);
        for part in parts {
            match part {
                "wave32" if !short_waves => return Err(refuse(format!("{chip} has waves of 64 lanes only"))),
                "wave32" => wave = 32,
                "wave64" => wave = 64,
                "cov5" => code_object = 5,
                "cov6" => code_object = 6,
                other => return Err(refuse(format!("`{other}` is none of wave32, wave64, cov5, cov6"))),
            }
            let before = if part.starts_with("wave") { &mut wave_before } else { &mut code_object_before };
            once(text, before, part)?;
        }
        Ok(AmdgpuTarget { chip, wave, code_object })
    }

    /// The chip, as LLVM calls it.
    pub fn chip(&self) -> &'static str {
        self.chip
    }

    /// Lanes of a wave.
    pub fn wave(&self) -> u32 {
        self.wave
    }

    /// Version of code objects.
    pub fn code_object(&self) -> u32 {
        self.code_object
    }

    /// Bytes of variables that a lane has room for: what the hardware's field for a wave can say, shared out.
    pub(crate) fn private_bytes(&self) -> u64 {
        let (bits, unit) = match self.chip.as_bytes() {
            [b'g', b'f', b'x', b'1', b'2', ..] => (18, 256),
            [b'g', b'f', b'x', b'1', b'1', ..] => (15, 256),
            // gfx9 and gfx10.
            _ => (13, 1024),
        };
        ((1 << bits) - 1) * unit / u64::from(self.wave)
    }

    /// The features for LLVM's TargetMachine.
    pub fn features_string(&self) -> String {
        format!("+wavefrontsize{}", self.wave)
    }
}

impl fmt::Debug for AmdgpuTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AmdgpuTarget({self})")
    }
}

impl fmt::Display for AmdgpuTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{NAME},{},wave{},cov{}", self.chip, self.wave, self.code_object)
    }
}
