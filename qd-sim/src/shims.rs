//! What retargeted code calls in place of a GPU's instructions, and before it touches memory.
//!
//! Each is called by a running lane, from code that [`crate::retarget`] made, so the block of the thread is there.
//! None of them unwinds: a finding suspends the lane for ever.
use crate::retarget::Id;
use crate::running::{Running, Stop, current};
use crate::warp::{Kind, Offer};

/// A shim by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shim {
    /// `(id) -> u64`.
    Id,
    /// `(at, bytes, site, flags)`.
    Touch,
    /// `(site, number)`.
    Barrier,
    /// `(site, kind, mask, masked, value, from, clamp) -> u64`: the value, and above 32 bits of it whether it is valid.
    Warp,
    /// `(site)`.
    Trap,
    /// `(site, divisor)`.
    Divisor,
    /// `(site)`: a loop goes round.
    Round,
    /// `(at, bytes)`: a private variable begins to live.
    Private,
}

/// The bit that says whether the lane that was asked exists; exchanges with such an answer have 32-bit values.
pub(crate) const VALID: u64 = 1 << 32;

impl Shim {
    pub(crate) fn address(self) -> u64 {
        let address = match self {
            Shim::Id => id as *const (),
            Shim::Touch => touch as *const (),
            Shim::Barrier => barrier as *const (),
            Shim::Warp => warp as *const (),
            Shim::Trap => trap as *const (),
            Shim::Divisor => divisor as *const (),
            Shim::Round => round as *const (),
            Shim::Private => private as *const (),
        };
        address.expose_provenance() as u64
    }
}

/// The block that the calling lane is of.
fn running<'a>() -> &'a Running<'a> {
    // SAFETY: shims are called by lanes.
    unsafe { current() }
}

extern "C" fn id(id: u32) -> u64 {
    let running = running();
    let lane = running.lane.get();
    let warp = running.program.warp;
    let unfolded = |number: u32, extents: [u32; 3], at: usize| crate::finding::unfold(number, extents)[at];
    let (block_size, grid, block) = (running.block_size, running.grid, running.block.get());
    // The code generator passes numbers of the table.
    let value = match Id::ALL[id as usize % Id::ALL.len()] {
        Id::LaneX => unfolded(lane, block_size, 0),
        Id::LaneY => unfolded(lane, block_size, 1),
        Id::LaneZ => unfolded(lane, block_size, 2),
        Id::BlockX => unfolded(block, grid, 0),
        Id::BlockY => unfolded(block, grid, 1),
        Id::BlockZ => unfolded(block, grid, 2),
        Id::BlockSizeX => block_size[0],
        Id::BlockSizeY => block_size[1],
        Id::BlockSizeZ => block_size[2],
        Id::GridX => grid[0],
        Id::GridY => grid[1],
        Id::GridZ => grid[2],
        Id::InWarp => lane % warp,
        Id::WarpSize => warp,
        Id::HiddenArguments => return running.hidden.as_ptr().expose_provenance() as u64,
        Id::DispatchPacket => return running.packet.as_ptr().expose_provenance() as u64,
    };
    value.into()
}

extern "C" fn touch(at: u64, bytes: u64, site: u32, flags: u32) {
    running().touch(at, bytes, site, flags);
}

extern "C" fn barrier(site: u32, number: u32) {
    running().suspend(Stop::Barrier { site, number });
}

extern "C" fn warp(site: u32, kind: u32, mask: u32, masked: u32, value: u64, from: u32, clamp: u32) -> u64 {
    let kind = Kind::ALL[kind as usize % Kind::ALL.len()];
    let mask = (masked != 0).then_some(mask);
    running().suspend(Stop::Warp(Offer { site, kind, mask, value, from, clamp }))
}

extern "C" fn trap(site: u32) {
    running().fail("comes to a trap".to_owned(), vec![site], "The trap says what it guards against.");
}

extern "C" fn divisor(site: u32, divisor: u64) {
    if divisor == 0 {
        running().fail("divides by zero".to_owned(), vec![site], "Check the divisor first.");
    }
}

extern "C" fn round(site: u32) {
    let running = running();
    let rounds = running.rounds.get() + 1;
    running.rounds.set(rounds);
    if rounds > running.schedule.rounds {
        let what = format!("went round loops {rounds} times without waiting for anybody: it hangs");
        running.fail(what, vec![site], "If it waits for another lane in a loop, let it wait at a barrier.");
    }
}

/// What a private variable holds before it is written: a NaN, as a number huge and negative.
const POISON: u8 = 0xfb;

extern "C" fn private(at: u64, bytes: u64) {
    let running = running();
    let mut private = running.private.borrow_mut();
    let own = &mut private[running.lane.get() as usize];
    own.retain(|(start, _)| *start != at);
    own.push((at, bytes));
    // SAFETY: so many bytes there are a variable on the lane's stack that nobody has used yet.
    unsafe { std::ptr::with_exposed_provenance_mut::<u8>(at as usize).write_bytes(POISON, bytes as usize) };
}
