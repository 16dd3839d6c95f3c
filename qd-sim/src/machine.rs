//! The kinds of GPUs whose code is simulated, and their limits.
use std::fmt;

use qd_runtime::error::Result;

use crate::finding::misuse;

/// A kind of GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Machine {
    /// NVIDIA's.
    Nvptx,
    /// AMD's.
    Amdgpu,
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Machine::Nvptx => "NVPTX",
            Machine::Amdgpu => "AMDGPU",
        })
    }
}

impl Machine {
    /// The kind that LLVM's triple names.
    pub(crate) fn of_triple(triple: &str) -> Option<Machine> {
        match triple.split('-').next() {
            Some("nvptx64") => Some(Machine::Nvptx),
            Some("amdgcn") => Some(Machine::Amdgpu),
            Some(_) | None => None,
        }
    }

    /// LLVM's calling convention of its kernels.
    pub(crate) fn kernel_convention(self) -> u32 {
        match self {
            Machine::Nvptx => 71,
            Machine::Amdgpu => 91,
        }
    }
}

/// The blocks that a kernel may be launched with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockLimit {
    /// Lanes, at least.
    pub(crate) least: u32,
    /// Lanes, at most.
    pub(crate) most: u32,
    /// Exactly these extents.
    pub(crate) exact: Option<[u32; 3]>,
}

impl BlockLimit {
    /// What the device allows.
    pub(crate) const ANY: BlockLimit = BlockLimit { least: 1, most: 1024, exact: None };

    /// Refuses a launch that a device would refuse.
    pub(crate) fn check(&self, machine: Machine, kernel: &str, grid: [u32; 3], block: [u32; 3]) -> Result<()> {
        let lanes = block.iter().map(|extent| u64::from(*extent)).product::<u64>();
        let blocks = grid.iter().map(|extent| u64::from(*extent)).product::<u64>();
        let refuse = |what: String| Err(misuse(machine, format_args!("kernel `{kernel}` can't be launched: {what}")));
        if lanes == 0 || blocks == 0 {
            return refuse(format!("a grid of {grid:?} blocks of {block:?} lanes is empty"));
        }
        if let Some(exact) = self.exact.filter(|exact| *exact != block) {
            return refuse(format!("it was compiled for blocks of {exact:?} lanes and got {block:?}"));
        }
        if lanes < u64::from(self.least) || lanes > u64::from(self.most) {
            let BlockLimit { least, most, .. } = self;
            return refuse(format!("it was compiled for blocks of {least} to {most} lanes and got {lanes}"));
        }
        let most = match machine {
            Machine::Nvptx => [i32::MAX as u32, 65535, 65535],
            Machine::Amdgpu => [u32::MAX, 65535, 65535],
        };
        if grid.iter().zip(most).any(|(extent, most)| *extent > most) {
            return refuse(format!("a grid of {grid:?} blocks: at most {most:?} are possible"));
        }
        if lanes * blocks >= u64::from(u32::MAX) {
            return refuse(format!("{blocks} blocks of {lanes} lanes are more than 32 bits can number"));
        }
        Ok(())
    }
}
