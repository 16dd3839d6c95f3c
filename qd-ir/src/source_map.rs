//! Where things stand in the source. Never hashed, never in an artifact.
use std::fmt;

use serde::{Deserialize, Serialize};

/// A place in the file of the kernel; lines and columns count from 1, as rustc prints them. 0:0 is "unknown".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pos {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl fmt::Display for Pos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}
