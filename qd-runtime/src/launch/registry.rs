//! Kernels as the macro registers them: what is known of each, and where it is found.
//!
//! A kernel's wrapper knows its own [`KernelStatic`]; methods on the function item find it by the item's `TypeId` in
//! the link section that the macro's entries make, so there is no start-up code. Everything below works on a
//! `&'static KernelStatic` and doesn't ask how it was found. Knows nothing of how kernels are
//! prepared and launched; it only keeps the result at hand.
use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex};

use super::instances;
use super::prepare::Prepared;
use super::runtime::lock;
use crate::data::func::Chosen;
use crate::error::{Error, ErrorKind, Result};
use crate::forked;
use crate::key::{Part, PartDigests};
use arc_swap::ArcSwapOption;

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
    /// It has parameters whose values are part of its code.
    pub specialized: bool,
    /// The encoded sketch.
    pub sketch: &'static [u8],
    /// What rustc chose for the sketch's open types.
    pub types: fn() -> Chosen,
}

/// A kernel of the program. Each is one static, so that two are equal only if they are the same.
pub struct KernelStatic {
    desc: KernelDesc,
    /// The kernel in one of the runtimes: what a launch looks at first.
    pub(super) current: ArcSwapOption<Prepared>,
    /// What the keys of its tasks were made of when it was last prepared, in whichever runtime.
    previous: Mutex<Vec<PartDigests>>,
    /// The words of its specialised parameters, if it is a variant.
    baked: Vec<u64>,
    /// Of a kernel with specialised parameters, which is never launched itself.
    variants: Mutex<Variants>,
}

/// The variants of a kernel with specialised parameters.
struct Variants {
    known: BTreeMap<Vec<u64>, &'static KernelStatic>,
    /// The one called last.
    latest: Option<&'static KernelStatic>,
}

impl KernelStatic {
    /// The kernel described so.
    pub const fn new(desc: KernelDesc) -> Self {
        KernelStatic::with(desc, Vec::new())
    }

    const fn with(desc: KernelDesc, baked: Vec<u64>) -> Self {
        KernelStatic {
            desc,
            current: ArcSwapOption::const_empty(),
            previous: Mutex::new(Vec::new()),
            baked,
            variants: Mutex::new(Variants { known: BTreeMap::new(), latest: None }),
        }
    }

    /// The kernel with those values of its specialised parameters. Each choice of values is kept for as long as the
    /// program runs, like any kernel.
    pub fn variant(&self, baked: &[u64]) -> &'static KernelStatic {
        let new = || -> &'static KernelStatic { Box::leak(Box::new(KernelStatic::with(self.desc, baked.to_vec()))) };
        // One that is new is refused where it would be prepared.
        let Some(mut variants) = forked::lock(&self.variants) else { return new() };
        let variant = match variants.known.get(baked) {
            Some(variant) => variant,
            None => {
                let new = new();
                variants.known.insert(baked.to_vec(), new);
                new
            }
        };
        variants.latest = Some(variant);
        variant
    }

    /// All variants called so far.
    pub(super) fn variants(&self) -> Vec<&'static KernelStatic> {
        forked::lock(&self.variants).map_or_else(Vec::new, |variants| variants.known.values().copied().collect())
    }

    /// The words of its specialised parameters.
    pub(super) fn baked(&self) -> &[u64] {
        &self.baked
    }

    /// What has code: the kernel, or the variant called last.
    fn with_code(&'static self) -> Result<&'static KernelStatic> {
        if !self.desc.specialized {
            return Ok(self);
        }
        forked::lock(&self.variants).and_then(|variants| variants.latest).ok_or_else(|| {
            let KernelDesc { name, file, line, .. } = self.desc;
            Error::new(
                ErrorKind::Kernel,
                format!(
                    "kernel `{name}` at {file}:{line} has `#[specialize]` parameters: there is code of it only for the \
                     values of a call, and nothing has called it yet"
                ),
            )
        })
    }

    /// What the macro wrote down.
    pub fn desc(&self) -> &KernelDesc {
        &self.desc
    }

    /// Keeps what the keys of the tasks are made of, for [`differs`](KernelStatic::differs).
    pub(super) fn remember(&self, parts: Vec<PartDigests>) {
        *lock(&self.previous) = parts;
    }

    /// In what the key of task `index` differs from the one that this process saw last; empty if it saw none.
    pub(super) fn differs(&self, index: usize, parts: &PartDigests) -> Vec<Part> {
        lock(&self.previous).get(index).map_or_else(Vec::new, |previous| parts.diff(previous))
    }
}

impl PartialEq for KernelStatic {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for KernelStatic {}

impl Hash for KernelStatic {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self).hash(state);
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
    match found::<F>() {
        Found::Kernel(kernel) => kernel.with_code(),
        Found::Instance(kernel) => {
            let name = std::any::type_name::<F>();
            Err(Error::new(
                ErrorKind::NotAKernel,
                format!(
                    "nothing is known of `{name}` yet: an instance of the generic kernel `{}` ({}:{}) is registered by its \
                     first call, or by qd::instantiate!({}::<..>)",
                    kernel.name, kernel.file, kernel.line, kernel.name
                ),
            ))
        }
        Found::Nothing => Err(not_a_kernel::<F>()),
    }
}

/// What a function item is.
pub(super) enum Found {
    /// A kernel.
    Kernel(&'static KernelStatic),
    /// By its name an instance of a generic kernel, which nothing has called yet.
    Instance(&'static KernelInfo),
    /// No kernel.
    Nothing,
}

/// What the function item type `F` is.
pub(super) fn found<F: 'static>() -> Found {
    let id = TypeId::of::<F>();
    match BY_TYPE.get(&id).copied().or_else(|| instances::find(id)) {
        Some(kernel) => Found::Kernel(kernel),
        None => instances::template(std::any::type_name::<F>()).map_or(Found::Nothing, Found::Instance),
    }
}

/// The error for a function without the attribute.
pub(super) fn not_a_kernel<F>() -> Error {
    Error::new(
        ErrorKind::NotAKernel,
        format!(
            "`{}` is no kernel: put #[qd::kernel] on the function, and name the function itself, not a pointer to it",
            std::any::type_name::<F>()
        ),
    )
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

impl KernelInfo {
    /// For the macro's output.
    #[doc(hidden)]
    pub const fn new(name: &'static str, module: &'static str, file: &'static str, line: u32, constructs: u32) -> Self {
        KernelInfo { name, module, file, line, constructs }
    }
}

impl KernelDesc {
    fn info(&self) -> KernelInfo {
        let KernelDesc { name, module, file, line, constructs, specialized: _, sketch: _, types: _ } = *self;
        KernelInfo { name, module, file, line, constructs }
    }
}

/// Every kernel that is linked into the program, in no particular order; a generic one once, whatever its instances.
pub fn registered_kernels() -> impl ExactSizeIterator<Item = KernelInfo> {
    let mut all: Vec<KernelInfo> = KERNELS.iter().map(|entry| entry.kernel.desc().info()).collect();
    all.extend(&*instances::GENERIC_KERNELS);
    all.into_iter()
}
