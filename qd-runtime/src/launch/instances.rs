//! Instances of generic kernels: each has a [`KernelStatic`] of its own, made at its first call or before.
//!
//! A `static` in a generic function is one for all its instances, so an instance is found by the `TypeId` of its function
//! item. Beside a generic kernel stands its *twin*, a struct of its name with its parameters, through which its wrapper and
//! `qd::instantiate!` reach what the macro wrote down. From a function item alone nothing leads there: of an instance that
//! has not been called yet only its [`KernelInfo`] can be found, by the name that rustc gives its type.
use std::any::TypeId;
use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, PoisonError, RwLock, TryLockError};

use super::registry::{KernelDesc, KernelInfo, KernelStatic};
use crate::forked;

/// The twin of a generic kernel.
pub trait Instance: 'static {
    /// What the macro writes down about the instance.
    const DESC: KernelDesc;

    /// `TypeId` of the function item.
    fn item() -> TypeId;
}

/// An instance by its function item.
pub type Registered = (TypeId, &'static KernelStatic);

/// Every generic kernel that is linked into the program.
#[linkme::distributed_slice]
pub static GENERIC_KERNELS: [KernelInfo];

/// The instances named by `qd::instantiate!`.
#[linkme::distributed_slice]
pub static INSTANCES: [fn() -> Registered];

static KNOWN: LazyLock<RwLock<HashMap<TypeId, &'static KernelStatic>>> =
    LazyLock::new(|| RwLock::new(INSTANCES.iter().map(|make| make()).collect()));

/// A new entry for an instance. It stays for as long as the program runs, as the state of other kernels does.
pub fn registered<D: Instance>() -> Registered {
    (D::item(), Box::leak(Box::new(KernelStatic::new(D::DESC))))
}

/// The instance of a twin.
#[inline]
pub fn instance<D: Instance>() -> &'static KernelStatic {
    let id = D::item();
    RECENT.with(|recent| {
        let slot = &recent[slot(id)];
        match slot.get() {
            Some((known, kernel)) if known == id => kernel,
            Some(_) | None => {
                let kernel = known_or_new::<D>(id);
                slot.set(Some((id, kernel)));
                kernel
            }
        }
    })
}

#[cold]
fn known_or_new<D: Instance>(id: TypeId) -> &'static KernelStatic {
    if let Some(known) = find(id) {
        return known;
    }
    let new = || registered::<D>().1;
    if forked::is_child() {
        // Found again only by this thread, and refused where it would be prepared.
        return new();
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.entry(id).or_insert_with(new)
}

/// The instance of that function item, if it is known already.
pub(super) fn find(id: TypeId) -> Option<&'static KernelStatic> {
    let known = match forked::is_child() {
        false => KNOWN.read().unwrap_or_else(PoisonError::into_inner),
        true => match KNOWN.try_read() {
            Ok(known) => known,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        },
    };
    known.get(&id).copied()
}

/// The generic kernel that a function item of that name seems to be an instance of.
pub(super) fn template(type_name: &str) -> Option<&'static KernelInfo> {
    let (path, name) = generic_path(type_name)?.rsplit_once("::")?;
    // Functions inside others have those in their path, which `module_path!` leaves out.
    let within = |module: &str| path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    GENERIC_KERNELS.iter().find(|kernel| kernel.name == name && within(kernel.module))
}

/// `a::b` of `a::b<..>`.
fn generic_path(type_name: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in type_name.char_indices().rev() {
        match c {
            '>' => depth += 1,
            '<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (c == '<').then(|| &type_name[..at]);
        }
    }
    None
}

/// So many instances a thread finds without a lock, unless they fall together.
const SLOTS: usize = 16;

thread_local! {
    static RECENT: [Cell<Option<Registered>>; SLOTS] = const { [const { Cell::new(None) }; SLOTS] };
}

/// A `TypeId` is a hash already: some bits of it.
#[inline]
fn slot(id: TypeId) -> usize {
    struct Bits(u64);
    impl Hasher for Bits {
        fn finish(&self) -> u64 {
            self.0
        }
        fn write(&mut self, bytes: &[u8]) {
            bytes.iter().for_each(|byte| self.write_u64((*byte).into()));
        }
        fn write_u64(&mut self, word: u64) {
            self.0 = self.0.rotate_left(8) ^ word;
        }
    }
    let mut bits = Bits(0);
    id.hash(&mut bits);
    // Less than `SLOTS`.
    (bits.finish() % SLOTS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_generic_items_end_at_their_arguments() {
        assert_eq!(generic_path("a::b<f32>"), Some("a::b"));
        assert_eq!(generic_path("a::<impl a::C<f32>>::b<a::D<u8>, 3>"), Some("a::<impl a::C<f32>>::b"));
        assert_eq!(generic_path("a::b"), None);
        assert_eq!(generic_path(""), None);
    }
}
