//! The simulation as a device of qd's GPU backend, and runtimes over it.
use std::mem::MaybeUninit;
use std::sync::Arc;

use qd_runtime::backend::gpu::{Device, Gpu, Module};
use qd_runtime::config::Config;
use qd_runtime::error::Result;
use qd_runtime::launch::runtime::Runtime;
use qd_runtime::llvm;
use qd_runtime::target::Target;

use crate::machine::Machine;
use crate::retarget;
use crate::schedule::Schedule;
use crate::simulation::{Code, Simulation};

impl Device for Simulation {
    fn alloc(&self, bytes: usize) -> Result<u64> {
        Simulation::alloc(self, bytes)
    }

    fn free(&self, at: u64, _bytes: usize) {
        Simulation::free(self, at);
    }

    fn write(&self, at: u64, bytes: &[MaybeUninit<u8>]) -> Result<()> {
        Simulation::write(self, at, bytes)
    }

    fn read(&self, at: u64, bytes: &mut [MaybeUninit<u8>]) -> Result<()> {
        Simulation::read(self, at, bytes)
    }

    fn load(&self, artifact: &[u8]) -> Result<Box<dyn Module>> {
        Ok(Box::new(Simulation::load(self, artifact)?))
    }

    fn most_blocks(&self) -> u32 {
        self.schedule().most_blocks
    }
}

impl Module for Code {
    fn launch(&self, entry: &str, blocks: u32, lanes: u32, arguments: &[u64]) -> Result<()> {
        match self.run(entry, [blocks, 1, 1], [lanes, 1, 1], arguments)? {
            // Two iterations may have claimed one element, and both written it before one of them found out. The task
            // has failed then, and nobody relies on what is there.
            Some(race) if !failed(self.device(), entry, arguments)? => Err(race),
            Some(_) | None => Ok(()),
        }
    }
}

/// Whether an iteration of a task's entry has failed, as the report says to which the first word of the context points.
fn failed(device: &Simulation, entry: &str, arguments: &[u64]) -> Result<bool> {
    let [context, ..] = arguments else { return Ok(false) };
    if !entry.ends_with("_run") {
        return Ok(false);
    }
    Ok(word(device, word(device, *context)?)? != u64::MAX)
}

/// A word of the device's memory.
fn word(device: &Simulation, at: u64) -> Result<u64> {
    let mut bytes = [MaybeUninit::new(0u8); 8];
    Simulation::read(device, at, &mut bytes)?;
    // SAFETY: they were 0, and are what the device's memory held there, which is initialised.
    Ok(u64::from_ne_bytes(bytes.map(|byte| unsafe { byte.assume_init() })))
}

/// A device that gets other code than was compiled for it.
struct Damaged {
    device: Simulation,
    damage: Box<dyn Fn(&str) -> String + Send + Sync>,
}

impl Device for Damaged {
    fn alloc(&self, bytes: usize) -> Result<u64> {
        self.device.alloc(bytes)
    }

    fn free(&self, at: u64, _bytes: usize) {
        self.device.free(at);
    }

    fn write(&self, at: u64, bytes: &[MaybeUninit<u8>]) -> Result<()> {
        self.device.write(at, bytes)
    }

    fn read(&self, at: u64, bytes: &mut [MaybeUninit<u8>]) -> Result<()> {
        self.device.read(at, bytes)
    }

    fn load(&self, artifact: &[u8]) -> Result<Box<dyn Module>> {
        let damaged = (self.damage)(&retarget::text(llvm::get()?, artifact)?);
        Ok(Box::new(self.device.load(damaged.as_bytes())?))
    }

    fn most_blocks(&self) -> u32 {
        self.device.schedule().most_blocks
    }
}

/// A runtime whose kernels are compiled for a GPU, by its name (`sm_80`, `gfx1100`), and run on a simulation of one.
/// Everything from the macro to the cache is as for any other machine; the cache keeps bitcode.
///
/// # Errors
/// As of [`Runtime::new`]; if LLVM knows no such GPU.
pub fn runtime(chip: &str, schedule: Schedule, config: Config) -> Result<Runtime> {
    let (target, device) = simulated(chip, schedule)?;
    Runtime::with_backend(config, Arc::new(Gpu::simulated(target, Arc::new(device))))
}

/// As [`runtime`], and each task's code goes through `damage` as text before it is loaded, so that a test can see what of
/// it is noticed.
///
/// # Errors
/// As of [`runtime`].
pub fn damaged_runtime(
    chip: &str,
    schedule: Schedule,
    config: Config,
    damage: impl Fn(&str) -> String + Send + Sync + 'static,
) -> Result<Runtime> {
    let (target, device) = simulated(chip, schedule)?;
    let device = Damaged { device, damage: Box::new(damage) };
    Runtime::with_backend(config, Arc::new(Gpu::simulated(target, Arc::new(device))))
}

/// The target of that name, and a device for it.
fn simulated(chip: &str, schedule: Schedule) -> Result<(Target, Simulation)> {
    let (machine, target) = match chip.starts_with("sm_") {
        true => (Machine::Nvptx, Target::cuda(chip)?),
        false => (Machine::Amdgpu, Target::amdgpu(chip)?),
    };
    Ok((target, Simulation::new(machine, schedule)))
}
