//! Kernels as the macro registers them: what is known of each, and where it is found.
//!
//! A kernel's wrapper knows its own [`KernelStatic`]; methods on the function item find it by the item's `TypeId` in
//! the link section that the macro's entries make, so there is no start-up code. Everything below works on a
//! `&'static KernelStatic` and doesn't ask how it was found. Knows nothing of launching.
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::LazyLock;

use qd_ir::sketch::Types;

use crate::error::{Error, ErrorKind, Result};

/// What the macro writes down about a kernel.
#[derive(Debug, Clone, Copy)]
pub struct KernelDesc {
    /// The function's name.
    pub name: &'static str,
    /// The module it stands in.
    pub module: &'static str,
    /// The file, as `file!()` gives it.
    pub file: &'static str,
    /// The line of its attribute.
    pub line: u32,
    /// Number of constructs in its source.
    pub constructs: u32,
    /// The encoded sketch.
    pub sketch: &'static [u8],
    /// What rustc chose for the sketch's open types.
    pub types: fn() -> Types,
}

/// A kernel of the program.
pub struct KernelStatic {
    desc: KernelDesc,
}

impl KernelStatic {
    /// The kernel described so.
    pub const fn new(desc: KernelDesc) -> Self {
        KernelStatic { desc }
    }

    /// What the macro wrote down.
    pub fn desc(&self) -> &KernelDesc {
        &self.desc
    }
}

/// A kernel in the link section: its function item's type, and what is known of it.
pub struct KernelEntry {
    /// `TypeId` of the function item.
    pub type_id: fn() -> TypeId,
    /// The kernel.
    pub kernel: &'static KernelStatic,
}

/// Every kernel that is linked into the program.
#[linkme::distributed_slice]
pub static KERNELS: [KernelEntry];

static BY_TYPE: LazyLock<HashMap<TypeId, &'static KernelStatic>> =
    LazyLock::new(|| KERNELS.iter().map(|entry| ((entry.type_id)(), entry.kernel)).collect());

/// The kernel that the function item type `F` is.
pub(crate) fn find<F: 'static>() -> Result<&'static KernelStatic> {
    BY_TYPE.get(&TypeId::of::<F>()).copied().ok_or_else(|| {
        Error::new(
            ErrorKind::NotAKernel,
            format!(
                "`{}` is no kernel: put #[qd::kernel] on the function, and name the function itself, not a pointer to it",
                std::any::type_name::<F>()
            ),
        )
    })
}

/// What a program can know about its kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct KernelInfo {
    /// The function's name.
    pub name: &'static str,
    /// The module it stands in.
    pub module: &'static str,
    /// The file.
    pub file: &'static str,
    /// The line of its attribute.
    pub line: u32,
    /// Number of constructs in its source.
    pub constructs: u32,
}

/// Every kernel that is linked into the program, in no particular order.
pub fn registered_kernels() -> impl ExactSizeIterator<Item = KernelInfo> {
    KERNELS.iter().map(|entry| {
        let KernelDesc { name, module, file, line, constructs, sketch: _, types: _ } = *entry.kernel.desc();
        KernelInfo { name, module, file, line, constructs }
    })
}
