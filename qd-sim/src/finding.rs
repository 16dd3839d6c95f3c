//! What an execution found wrong: where, which lane, at which instructions, and what to do.
use std::fmt::Write;

use qd_runtime::error::{Error, ErrorKind};

use crate::machine::Machine;
use crate::program::Program;

/// A lane by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) block: [u32; 3],
    pub(crate) lane: [u32; 3],
}

impl Place {
    /// Of the lane of that number in the launch.
    pub(crate) fn new(lane: u32, grid: [u32; 3], block: [u32; 3]) -> Place {
        let size = block.iter().product::<u32>();
        Place { block: unfold(lane / size, grid), lane: unfold(lane % size, block) }
    }
}

/// A linear number as three; the first runs fastest.
pub(crate) fn unfold(number: u32, extents: [u32; 3]) -> [u32; 3] {
    [number % extents[0], number / extents[0] % extents[1], number / extents[0] / extents[1]]
}

/// Something wrong.
#[derive(Debug)]
pub(crate) struct Finding {
    /// The lane that met it.
    pub(crate) place: Option<Place>,
    pub(crate) what: String,
    /// The instructions, by number.
    pub(crate) sites: Vec<u32>,
    /// What to do.
    pub(crate) advice: &'static str,
}

impl Finding {
    /// The error for the kernel of a program.
    pub(crate) fn error(self, program: &Program, kernel: &str) -> Error {
        let mut text = format!("kernel `{kernel}`");
        if let Some(Place { block, lane }) = self.place {
            let [bx, by, bz] = block;
            let [x, y, z] = lane;
            // Writing to a String can't fail.
            let _ = write!(text, ", block ({bx}, {by}, {bz}), lane ({x}, {y}, {z})");
        }
        let _ = write!(text, ": {}", self.what);
        for site in &self.sites {
            let _ = write!(text, "\n    {}", program.instruction(*site));
        }
        let _ = write!(text, "\n{}", self.advice);
        defect(program.machine, text)
    }
}

/// An error in the code that was to be simulated.
pub(crate) fn defect(machine: Machine, what: impl std::fmt::Display) -> Error {
    Error::internal(format_args!("simulated {machine}: {what}"))
}

/// An error of who asked for a launch.
pub(crate) fn misuse(machine: Machine, what: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Argument, format!("simulated {machine}: {what}"))
}
