//! A launch: from the words of the arguments to those of the result.
use super::registry::KernelStatic;
use crate::error::{Error, ErrorKind, Result};

/// Runs a kernel over the words of its arguments; writes the words of its result.
pub(super) fn launch(kernel: &'static KernelStatic, _arguments: &[u64], _result: &mut [u64]) -> Result<()> {
    let name = kernel.desc().name;
    Err(Error::new(ErrorKind::Unsupported, format!("kernel `{name}`: this build has no code generator; use `native`")))
}
