//! The simulated device: its memory, and launches on it.
use std::cell::{Cell, RefCell};
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use qd_runtime::backend::cpu::float_env::FloatEnv;
use qd_runtime::error::{Error, Result};

use crate::block::Block;
use crate::finding::{Finding, misuse};
use crate::machine::Machine;
use crate::memory::Memory;
use crate::program::{GlobalKind, Kernel, Program};
use crate::running::{Entered, HIDDEN, PACKET, Running};
use crate::schedule::{Schedule, numbers};
use crate::shadow::Shadow;

/// A device that isn't there: what it is given runs on the CPU. A handle, cheap to clone.
#[derive(Clone)]
pub struct Simulation(Arc<Inner>);

struct Inner {
    machine: Machine,
    schedule: Schedule,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    memory: Memory,
    /// Launches and blocks so far: what tells them apart in the shadow.
    stamp: u32,
    count: Count,
}

/// What a device has done so far.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// Kernels launched.
    pub launches: u64,
    /// Lanes run.
    pub lanes: u64,
    /// Accesses to memory looked at.
    pub accesses: u64,
}

impl Simulation {
    /// A device of that kind, which runs launches in that order.
    pub fn new(machine: Machine, schedule: Schedule) -> Self {
        Simulation(Arc::new(Inner { machine, schedule, state: Mutex::default() }))
    }

    /// The kind of GPU whose code it takes.
    pub fn machine(&self) -> Machine {
        self.0.machine
    }

    /// What it has done so far.
    pub fn count(&self) -> Count {
        self.state().count
    }

    /// The address of new memory: so many bytes, all 0, at a multiple of 256.
    ///
    /// # Errors
    /// If there is no such room.
    pub fn alloc(&self, bytes: usize) -> Result<u64> {
        self.state().memory.allocate(bytes)
    }

    /// Gives memory back.
    pub fn free(&self, at: u64) {
        self.state().memory.free(at);
    }

    /// Copies bytes to the device.
    ///
    /// # Errors
    /// If they don't fit into an allocation.
    pub fn write(&self, at: u64, bytes: &[MaybeUninit<u8>]) -> Result<()> {
        self.state().memory.write(at, bytes)
    }

    /// Copies bytes from the device.
    ///
    /// # Errors
    /// If they aren't all in an allocation.
    pub fn read(&self, at: u64, bytes: &mut [MaybeUninit<u8>]) -> Result<()> {
        self.state().memory.read(at, bytes)
    }

    /// How it runs launches.
    pub(crate) fn schedule(&self) -> &Schedule {
        &self.0.schedule
    }

    /// Makes LLVM IR for a GPU, as text or bitcode, ready to be launched.
    ///
    /// # Errors
    /// Names what of the code can't be simulated.
    pub fn load(&self, artifact: &[u8]) -> Result<Code> {
        let program = Program::load(artifact)?;
        if program.machine != self.machine() {
            let what = format_args!("code for {} can't run on it", program.machine);
            return Err(misuse(self.machine(), what));
        }
        Ok(Code { device: self.clone(), program: Arc::new(program) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves it whole.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Code that was loaded for a device.
#[derive(Clone)]
pub struct Code {
    device: Simulation,
    program: Arc<Program>,
}

impl Code {
    /// Runs a kernel: `grid` blocks of `block` lanes each, over arguments of 64 bits. Returns when it is done.
    ///
    /// # Errors
    /// If the launch is one that a device would refuse; names what the execution found wrong.
    pub fn launch(&self, kernel: &str, grid: [u32; 3], block: [u32; 3], arguments: &[u64]) -> Result<()> {
        self.run(kernel, grid, block, arguments)?.map_or(Ok(()), Err)
    }

    /// As [`launch`](Self::launch), but a race in memory of the device is no failure: its error is what is returned.
    pub(crate) fn run(
        &self,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        arguments: &[u64],
    ) -> Result<Option<Error>> {
        let (machine, program) = (self.device.machine(), &*self.program);
        let Some(found) = program.kernels.iter().find(|known| known.name == kernel) else {
            let known: Vec<&str> = program.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
            let what = format_args!("the code has no kernel `{kernel}`; it has {}", known.join(", "));
            return Err(misuse(machine, what));
        };
        found.limit.check(machine, kernel, grid, block)?;
        if arguments.len() != found.parameters {
            let (takes, got) = (found.parameters, arguments.len());
            return Err(misuse(machine, format_args!("kernel `{kernel}` takes {takes} arguments and got {got}")));
        }
        let mut state = self.device.state();
        let _env = FloatEnv::enter();
        self.execute(found, grid, block, arguments, &mut state)
    }

    /// What it was loaded for.
    pub(crate) fn device(&self) -> &Simulation {
        &self.device
    }

    fn execute(
        &self,
        kernel: &Kernel,
        grid: [u32; 3],
        block_size: [u32; 3],
        arguments: &[u64],
        state: &mut State,
    ) -> Result<Option<Error>> {
        let program = &*self.program;
        let schedule = self.device.0.schedule;
        let lanes = block_size.iter().product();
        let blocks = grid.iter().product();
        let (first_stamp, mut stamp) = (state.stamp.wrapping_add(1), state.stamp.wrapping_add(1));
        let shared = |(_, kind, bytes): (usize, GlobalKind, u64)| match kind {
            GlobalKind::Shared => Shadow::new(bytes as usize),
            GlobalKind::Constant | GlobalKind::Variable => Shadow::default(),
        };
        let globals = program.globals.iter().enumerate().map(|(n, global)| (n, global.kind, global.bytes));
        let running = Running {
            program,
            memory: RefCell::new(&mut state.memory),
            schedule,
            grid,
            block_size,
            lanes,
            hidden: hidden_arguments(grid, block_size),
            packet: dispatch_packet(grid, block_size),
            stamp: first_stamp,
            block: Cell::new(0),
            block_stamp: Cell::new(0),
            lane: Cell::new(0),
            epoch: Cell::new(0),
            rounds: Cell::new(0),
            yielders: RefCell::default(),
            private: RefCell::default(),
            shared: RefCell::new(globals.map(shared).collect()),
            chance: RefCell::new(schedule.lanes.chance()),
            finding: RefCell::default(),
            race: RefCell::default(),
            accesses: Cell::new(0),
        };
        let _entered = Entered::new(&running);
        let mut outcome = Ok(());
        let mut done = 0;
        for block in numbers(blocks, schedule.blocks, &mut schedule.blocks.chance()) {
            stamp = stamp.wrapping_add(1);
            running.block.set(block);
            running.block_stamp.set(stamp);
            outcome = Block::new(&running, kernel.entry, arguments.as_ptr()).run();
            done += u64::from(lanes);
            if outcome.is_err() {
                break;
            }
        }
        let accesses = running.accesses.get();
        let race = running.race.take();
        state.stamp = stamp;
        state.count.launches += 1;
        state.count.lanes += done;
        state.count.accesses += accesses;
        let error = |finding: Finding| finding.error(program, &kernel.name);
        outcome.map_err(error)?;
        Ok(race.map(error))
    }
}

/// AMD's hidden arguments, as code-object version 5 has them; what a simulated kernel can't need stays 0.
fn hidden_arguments(grid: [u32; 3], block: [u32; 3]) -> [u8; HIDDEN] {
    let mut bytes = [0; HIDDEN];
    for at in 0..3 {
        bytes[4 * at..][..4].copy_from_slice(&grid[at].to_le_bytes());
        bytes[12 + 2 * at..][..2].copy_from_slice(&(block[at] as u16).to_le_bytes());
    }
    bytes[64..66].copy_from_slice(&3u16.to_le_bytes());
    bytes
}

/// AMD's dispatch packet.
fn dispatch_packet(grid: [u32; 3], block: [u32; 3]) -> [u8; PACKET] {
    let mut bytes = [0; PACKET];
    for at in 0..3 {
        bytes[4 + 2 * at..][..2].copy_from_slice(&(block[at] as u16).to_le_bytes());
        bytes[12 + 4 * at..][..4].copy_from_slice(&(grid[at] * block[at]).to_le_bytes());
    }
    bytes
}
