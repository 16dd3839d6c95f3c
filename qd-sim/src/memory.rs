//! The memory of a simulated device: allocations in the memory of this process, an address being an address.
//!
//! Behind each allocation lie bytes that belong to none, so that one byte too far is found.
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use qd_runtime::error::{Error, ErrorKind, Result};

use crate::shadow::Shadow;

/// What an allocation's address is a multiple of.
const ALIGNMENT: usize = 256;
/// Bytes behind an allocation.
const GAP: usize = 256;

/// An allocation of the device.
pub(crate) struct Allocation {
    at: NonNull<u8>,
    /// As asked for.
    pub(crate) bytes: usize,
    layout: Layout,
    /// Made when a lane first accesses it.
    shadow: Option<Shadow>,
}

// SAFETY: the allocation owns its bytes; nothing in it is tied to a thread.
unsafe impl Send for Allocation {}

impl Allocation {
    fn new(bytes: usize) -> Result<Self> {
        let lacking = || {
            let message = format!("simulated device: no room for an allocation of {bytes} bytes");
            Error::new(ErrorKind::Environment, message)
        };
        let size = bytes.checked_add(GAP).ok_or_else(lacking)?;
        let layout = Layout::from_size_align(size, ALIGNMENT).map_err(|_| lacking())?;
        // SAFETY: the layout's size is at least that of the gap.
        let at = NonNull::new(unsafe { alloc_zeroed(layout) }).ok_or_else(lacking)?;
        Ok(Allocation { at, bytes, layout, shadow: None })
    }

    pub(crate) fn shadow(&mut self) -> &mut Shadow {
        self.shadow.get_or_insert_with(|| Shadow::new(self.bytes))
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        // SAFETY: allocated in `new` with this layout.
        unsafe { dealloc(self.at.as_ptr(), self.layout) };
    }
}

/// All allocations of a device, by address.
#[derive(Default)]
pub(crate) struct Memory {
    allocations: BTreeMap<u64, Allocation>,
}

impl Memory {
    /// The address of `bytes` new bytes, which are zero.
    pub(crate) fn allocate(&mut self, bytes: usize) -> Result<u64> {
        let allocation = Allocation::new(bytes)?;
        let at = allocation.at.as_ptr().expose_provenance() as u64;
        self.allocations.insert(at, allocation);
        Ok(at)
    }

    /// Gives an allocation back. What isn't one is left alone.
    pub(crate) fn free(&mut self, at: u64) {
        self.allocations.remove(&at);
    }

    /// The allocation that begins at or before an address, and how far behind its beginning the address is.
    pub(crate) fn before(&mut self, at: u64) -> Option<(&mut Allocation, usize)> {
        let (start, allocation) = self.allocations.range_mut(..=at).next_back()?;
        Some((allocation, (at - start) as usize))
    }

    /// The bytes from `at`, for the host's copies.
    fn bytes(&mut self, at: u64, size: usize) -> Result<NonNull<u8>> {
        let refused = || {
            let message = format!("simulated device: a copy of {size} bytes at {at:#x} lies in no allocation");
            Error::new(ErrorKind::Argument, message)
        };
        let (allocation, offset) = self.before(at).ok_or_else(refused)?;
        if offset.checked_add(size).is_none_or(|end| end > allocation.bytes) {
            return Err(refused());
        }
        // SAFETY: the offset lies in the allocation.
        Ok(unsafe { allocation.at.add(offset) })
    }

    /// Copies to the device.
    pub(crate) fn write(&mut self, at: u64, bytes: &[MaybeUninit<u8>]) -> Result<()> {
        let to = self.bytes(at, bytes.len())?;
        // SAFETY: so many bytes at `to` are ours, and no Rust reference to them exists.
        unsafe { to.as_ptr().copy_from_nonoverlapping(bytes.as_ptr().cast(), bytes.len()) };
        Ok(())
    }

    /// Copies from the device.
    pub(crate) fn read(&mut self, at: u64, bytes: &mut [MaybeUninit<u8>]) -> Result<()> {
        let from = self.bytes(at, bytes.len())?;
        // SAFETY: so many bytes at `from` are ours, and no Rust reference to them exists.
        unsafe { from.as_ptr().copy_to_nonoverlapping(bytes.as_mut_ptr().cast(), bytes.len()) };
        Ok(())
    }
}
