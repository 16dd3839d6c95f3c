//! NVIDIA GPUs: a compute capability and the level of PTX, NVIDIA's portable assembly, that code is written in.
//!
//! In text: `cuda,sm_90,ptx78`. Without a level it is the first one that knows the chip, so that old drivers take it.
//! Drivers compile PTX for their own chip, any one of at least the capability; the architecture-specific variants
//! (`sm_90a`), which run on one chip only, have nothing that kernels can use and are left out.
use std::fmt;

use super::{once, refused};
use crate::error::Result;

/// The first part of the text form.
pub(super) const NAME: &str = "cuda";

/// An NVIDIA GPU to make code for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct CudaTarget {
    chip: &'static str,
    ptx: u32,
}

/// Compute capabilities and the first PTX level that knows each.
const CHIPS: &[(&str, u32)] = &[
    ("sm_70", 60),
    ("sm_72", 61),
    ("sm_75", 63),
    ("sm_80", 70),
    ("sm_86", 71),
    ("sm_87", 74),
    ("sm_88", 90),
    ("sm_89", 78),
    ("sm_90", 78),
    ("sm_100", 86),
    ("sm_103", 88),
    ("sm_110", 90),
    ("sm_120", 87),
    ("sm_121", 88),
];

/// The PTX levels that LLVM knows.
const LEVELS: &[u32] =
    &[60, 61, 62, 63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90];

impl CudaTarget {
    /// LLVM's target triple.
    pub const TRIPLE: &'static str = "nvptx64-nvidia-cuda";

    /// The compute capabilities that code can be made for.
    pub fn chips() -> impl Iterator<Item = &'static str> {
        CHIPS.iter().map(|(name, _)| *name)
    }

    pub(super) fn parse<'t>(text: &str, mut parts: impl Iterator<Item = &'t str>) -> Result<CudaTarget> {
        let refuse = |what: String| refused(text, &what);
        let name = parts.next().unwrap_or_default();
        let &(chip, least) = CHIPS.iter().find(|(known, _)| *known == name).ok_or_else(|| {
            refuse(format!("unknown chip `{name}`, known are {}", Self::chips().collect::<Vec<_>>().join(", ")))
        })?;
        let (mut ptx, mut level_before) = (least, None);
        for part in parts {
            let level = part.strip_prefix("ptx").ok_or_else(|| refuse(format!("`{part}` is no PTX level (ptx78)")))?;
            ptx = *LEVELS.iter().find(|known| known.to_string() == level).ok_or_else(|| {
                let known: Vec<_> = LEVELS.iter().map(|level| format!("ptx{level}")).collect();
                refuse(format!("unknown PTX level `{part}`, known are {}", known.join(", ")))
            })?;
            if ptx < least {
                return Err(refuse(format!("{chip} needs ptx{least} at least")));
            }
            once(text, &mut level_before, part)?;
        }
        Ok(CudaTarget { chip, ptx })
    }

    /// The compute capability, as LLVM and `ptxas` call it.
    pub fn chip(&self) -> &'static str {
        self.chip
    }

    /// The number behind `sm_`.
    pub fn capability(&self) -> u32 {
        self.chip.strip_prefix("sm_").and_then(|number| number.parse().ok()).unwrap_or(0)
    }

    /// The features for LLVM's TargetMachine.
    pub fn features_string(&self) -> String {
        format!("+ptx{}", self.ptx)
    }
}

impl fmt::Debug for CudaTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CudaTarget({self})")
    }
}

impl fmt::Display for CudaTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{NAME},{},ptx{}", self.chip, self.ptx)
    }
}
