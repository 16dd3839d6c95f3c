//! Where things stand in the source. Never hashed, never in an artifact.
use std::fmt;
use std::sync::Arc;

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

/// A place in the code of a kernel: in its own text, or in a function that was inlined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// Where in its file.
    pub pos: Pos,
    /// The function; `None` in the kernel itself.
    pub func: Option<Arc<Origin>>,
}

/// A function as messages name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: Arc<str>,
}
