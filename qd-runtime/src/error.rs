//! What can go wrong, and whose fault it is.
//!
//! [`Error`] is opaque; [`Error::kind`] says who can act on it. Every message names what failed, where, and what to
//! do. This module knows no other module of the crate.
use std::fmt;

/// `Result` with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Whose fault an [`Error`] is, and so who can act on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// An option of [`Config`](crate::config::Config) or a `QD_*` variable has a value that can't be used.
    Config,
    /// The machine lacks something: LLVM, a driver, memory, a readable file.
    Environment,
    /// A function without `#[qd::kernel]` was used as a kernel.
    NotAKernel,
    /// A kernel's code can't be compiled, and only its first use could show it: a function that calls itself, or a name
    /// that means two things.
    Kernel,
    /// An argument can't be used: two arguments overlap, a shape is wrong.
    Argument,
    /// An iteration failed: an index out of bounds, a division by zero, an assertion.
    Fault,
    /// With these arguments, two iterations of a parallel loop could access the same element.
    Race,
    /// This build can't do it (yet); the message says what it can.
    Unsupported,
    /// A defect of qd. The message asks for a report.
    Internal,
}

/// Any failure of qd. Cheap to move; the message says what, where and what to do.
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    message: String,
}

impl Error {
    /// An error of `kind` with a whole message.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error(Box::new(Inner { kind, message: message.into() }))
    }

    /// A defect of qd: the message is completed with a request to report it.
    pub fn internal(message: impl fmt::Display) -> Self {
        Error::new(ErrorKind::Internal, format!("internal error of qd, please report it: {message}"))
    }

    /// Whose fault it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.0.kind, self.0.message)
    }
}

impl std::error::Error for Error {}
