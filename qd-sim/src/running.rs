//! A block while it runs: where its lanes are, what memory they may touch, and what one of them found.
//!
//! All of it is on one thread. Lanes reach it through the thread's [`current`] block, since they run in code that has
//! no parameter for it.
use std::cell::{Cell, RefCell};

use corosensei::Yielder;

use crate::finding::{Finding, Place};
use crate::memory::Memory;
use crate::program::{GlobalKind, Program};
use crate::schedule::{Chance, Preemption, Schedule};
use crate::shadow::{Access, Shadow, Who, Wrong};
use crate::warp::Offer;

/// Why a lane stops for now.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stop {
    /// To let others go on.
    Preempted,
    /// At a barrier: the instruction, and the barrier's number.
    Barrier { site: u32, number: u32 },
    /// At an exchange among the lanes of its warp.
    Warp(Offer),
    /// It found something wrong, and won't go on.
    Failed,
}

/// What a lane gets when it goes on: the result of its exchange.
pub(crate) type Resume = u64;

/// What a lane suspends itself with.
pub(crate) type LaneYielder = Yielder<Resume, Stop>;

/// Bytes of AMD's hidden arguments, and of its dispatch packet.
pub(crate) const HIDDEN: usize = 256;
pub(crate) const PACKET: usize = 64;

/// What all blocks of a launch share.
pub(crate) struct Running<'a> {
    pub(crate) program: &'a Program,
    pub(crate) memory: RefCell<&'a mut Memory>,
    pub(crate) schedule: Schedule,
    pub(crate) grid: [u32; 3],
    pub(crate) block_size: [u32; 3],
    /// Lanes of a block.
    pub(crate) lanes: u32,
    pub(crate) hidden: [u8; HIDDEN],
    pub(crate) packet: [u8; PACKET],
    /// Tells this launch from others.
    pub(crate) stamp: u32,
    /// Number of the block.
    pub(crate) block: Cell<u32>,
    /// Tells this block from others, of all launches.
    pub(crate) block_stamp: Cell<u32>,
    /// The lane that runs, in the block.
    pub(crate) lane: Cell<u32>,
    /// How many barriers the block has passed.
    pub(crate) epoch: Cell<u32>,
    /// Rounds of loops since a lane last waited.
    pub(crate) rounds: Cell<u64>,
    pub(crate) yielders: RefCell<Vec<*const LaneYielder>>,
    /// Of each lane: the private variables it has, by address and size.
    pub(crate) private: RefCell<Vec<Vec<(u64, u64)>>>,
    /// Of each of the program's variables in shared memory.
    pub(crate) shared: RefCell<Vec<Shadow>>,
    pub(crate) chance: RefCell<Chance>,
    /// What ended the launch.
    pub(crate) finding: RefCell<Option<Finding>>,
    /// The first race in memory of the device. The launch goes on, since whoever made it may know that nobody looks at
    /// what lanes raced for.
    pub(crate) race: RefCell<Option<Finding>>,
    pub(crate) accesses: Cell<u64>,
}

thread_local! {
    static CURRENT: Cell<*const ()> = const { Cell::new(std::ptr::null()) };
}

/// Makes a block the thread's own while it lives.
pub(crate) struct Entered;

impl Entered {
    pub(crate) fn new(running: &Running<'_>) -> Self {
        CURRENT.set(std::ptr::from_ref(running).cast());
        Entered
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(std::ptr::null());
    }
}

/// The block of this thread.
///
/// # Safety
/// A lane of the block must be running on this thread.
pub(crate) unsafe fn current<'a>() -> &'a Running<'a> {
    // SAFETY: while a lane runs, the launch that resumed it waits, with its `Entered` and what that points to.
    unsafe { &*CURRENT.get().cast::<Running<'a>>() }
}

/// In which memory an instruction's pointer says it points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Space {
    /// Anywhere.
    Generic = 0,
    Global = 1,
    Shared = 3,
    Constant = 4,
    Private = 5,
}

impl Space {
    pub(crate) fn of_number(number: u32) -> Option<Space> {
        [Space::Generic, Space::Global, Space::Shared, Space::Constant, Space::Private]
            .into_iter()
            .find(|space| *space as u32 == number)
    }

    fn name(self) -> &'static str {
        match self {
            Space::Generic => "memory",
            Space::Global => "global memory",
            Space::Shared => "shared memory",
            Space::Constant => "constant memory",
            Space::Private => "private memory",
        }
    }
}

/// Where an address is.
enum Found {
    /// Nothing there needs a look.
    Own,
    /// In the variable of this number of the program, so far behind its beginning.
    Shared(usize, usize),
    /// In an allocation of the device.
    Device,
    Nowhere,
}

/// Bits by which the code generator tells a shim what an access does; the space stands above them.
pub(crate) const READS: u32 = 1;
pub(crate) const WRITES: u32 = 2;
pub(crate) const ATOMIC: u32 = 4;
pub(crate) const SPACE_SHIFT: u32 = 8;

impl Running<'_> {
    /// Number of the running lane in the launch.
    pub(crate) fn global_lane(&self) -> u32 {
        self.block.get() * self.lanes + self.lane.get()
    }

    pub(crate) fn place(&self, lane: u32) -> Place {
        Place::new(lane, self.grid, self.block_size)
    }

    /// Stops the running lane.
    pub(crate) fn suspend(&self, stop: Stop) -> Resume {
        let yielder = self.yielders.borrow()[self.lane.get() as usize];
        self.rounds.set(0);
        // SAFETY: the running lane put its own yielder there, which lives as long as the lane does.
        unsafe { (*yielder).suspend(stop) }
    }

    /// Something wrong that the running lane met.
    fn met(&self, what: String, sites: Vec<u32>, advice: &'static str) -> Finding {
        Finding { place: Some(self.place(self.global_lane())), what, sites, advice }
    }

    /// Ends the launch with a finding of the running lane.
    pub(crate) fn fail(&self, what: String, sites: Vec<u32>, advice: &'static str) {
        let finding = self.met(what, sites, advice);
        *self.finding.borrow_mut() = Some(finding);
        self.suspend(Stop::Failed);
    }

    /// A lane is about to access `size` bytes at `at`.
    pub(crate) fn touch(&self, at: u64, size: u64, site: u32, flags: u32) {
        let access = Access { reads: flags & READS != 0, writes: flags & WRITES != 0, atomic: flags & ATOMIC != 0 };
        let space = Space::of_number(flags >> SPACE_SHIFT).unwrap_or(Space::Generic);
        if size == 0 {
            return;
        }
        self.accesses.set(self.accesses.get() + 1);
        if space != Space::Private && self.gives_way(access) {
            self.suspend(Stop::Preempted);
        }
        let verb = match (access.reads, access.writes) {
            (true, true) => "updates",
            (_, true) => "writes",
            _ => "reads",
        };
        match self.find(space, at, size, access) {
            Found::Own => {}
            Found::Nowhere => {
                let near = self.near(at);
                let what = format!("{verb} {size} bytes of {} at {at:#x}, which are not its own: {near}", space.name());
                self.fail(what, vec![site], "Check the index and the number of lanes that get here.");
            }
            Found::Shared(number, offset) => {
                let who = self.who(self.block_stamp.get(), site);
                let races = self.schedule.races;
                let wrong = self.shared.borrow_mut()[number].touch(offset, size as usize, who, access, false, races);
                if let Some(wrong) = wrong {
                    let name = &self.program.globals[number].name;
                    self.wrong(wrong, &format!("shared memory, `{name}`"), verb, site, true);
                }
            }
            Found::Device if self.schedule.races => {
                let who = self.who(self.stamp, site);
                let mut memory = self.memory.borrow_mut();
                let Some((allocation, offset)) = memory.before(at) else { return };
                let size = size as usize;
                let wrong = allocation.shadow().touch(offset, size, who, access, true, true);
                let bytes = allocation.bytes;
                drop(memory);
                if let Some(wrong) = wrong {
                    self.wrong(wrong, &format!("an allocation of {bytes} bytes"), verb, site, false);
                }
            }
            Found::Device => {}
        }
    }

    fn who(&self, stamp: u32, site: u32) -> Who {
        let (lane, epoch) = (self.global_lane(), self.epoch.get());
        Who { stamp, block_size: self.lanes, lane, epoch, site }
    }

    fn gives_way(&self, access: Access) -> bool {
        match self.schedule.preemption {
            Preemption::Never => false,
            Preemption::Atomics => access.atomic,
            Preemption::Accesses(one_in) => {
                access.atomic || self.chance.borrow_mut().below(u64::from(one_in.max(1))) == 0
            }
        }
    }

    fn find(&self, space: Space, at: u64, size: u64, access: Access) -> Found {
        let end = at.saturating_add(size);
        let within = |start: u64, bytes: u64| at >= start && end <= start + bytes;
        if matches!(space, Space::Private | Space::Generic) {
            let private = self.private.borrow();
            if private[self.lane.get() as usize].iter().any(|(start, bytes)| within(*start, *bytes)) {
                return Found::Own;
            }
        }
        if space == Space::Private {
            return Found::Nowhere;
        }
        for (number, global) in self.program.globals.iter().enumerate() {
            if !within(global.at, global.bytes) {
                continue;
            }
            let fits = match global.kind {
                GlobalKind::Shared if matches!(space, Space::Shared | Space::Generic) => {
                    return Found::Shared(number, (at - global.at) as usize);
                }
                GlobalKind::Shared => false,
                GlobalKind::Constant => !access.writes && space != Space::Shared,
                GlobalKind::Variable => matches!(space, Space::Global | Space::Generic),
            };
            return if fits { Found::Own } else { Found::Nowhere };
        }
        if space == Space::Shared {
            return Found::Nowhere;
        }
        let hidden = self.hidden.as_ptr().addr() as u64;
        let packet = self.packet.as_ptr().addr() as u64;
        if !access.writes && (within(hidden, HIDDEN as u64) || within(packet, PACKET as u64)) {
            return Found::Own;
        }
        match self.memory.borrow_mut().before(at) {
            Some((allocation, offset)) if offset as u64 + size <= allocation.bytes as u64 => Found::Device,
            Some(_) | None => Found::Nowhere,
        }
    }

    /// What is near an address that is nobody's.
    fn near(&self, at: u64) -> String {
        let behind = |start: u64, bytes: u64| (start..start.saturating_add(bytes + (1 << 16))).contains(&at);
        if let Some(global) = self.program.globals.iter().find(|global| behind(global.at, global.bytes)) {
            return format!("it is {} bytes into `{}`, which has {}", at - global.at, global.name, global.bytes);
        }
        for (start, bytes) in self.private.borrow()[self.lane.get() as usize].iter() {
            if behind(*start, *bytes) {
                return format!("it is {} bytes into a private variable of {bytes}", at - start);
            }
        }
        match self.memory.borrow_mut().before(at) {
            Some((allocation, offset)) => {
                format!("it is {offset} bytes behind the beginning of an allocation of {}", allocation.bytes)
            }
            None => "no allocation begins before it".to_owned(),
        }
    }

    /// What is wrong with an access to shared memory ends the launch; a race in the device's is kept.
    fn wrong(&self, wrong: Wrong, what: &str, verb: &str, site: u32, shared: bool) {
        match wrong {
            Wrong::Uninitialised { byte } => self.fail(
                format!("{verb} byte {byte} of {what}, which no lane of its block has written"),
                vec![site],
                "Write it first, and put a barrier between, if another lane does.",
            ),
            Wrong::Race { byte, lane, site: other, wrote } => {
                let did = if wrote { "wrote" } else { "read" };
                let Place { block, lane } = self.place(lane);
                let what =
                    format!("{verb} byte {byte} of {what}, which lane {lane:?} of block {block:?} {did}, unordered");
                let advice = "Put a barrier between the two, if they are of one block, or make both atomic.";
                if shared {
                    return self.fail(what, vec![site, other], advice);
                }
                let mut race = self.race.borrow_mut();
                if race.is_none() {
                    *race = Some(self.met(what, vec![site, other], advice));
                }
            }
        }
    }
}
