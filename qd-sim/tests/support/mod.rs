//! Devices of both kinds in several schedules, and arrays on them.
#![allow(dead_code)] // each test file uses a part
use std::mem::MaybeUninit;

use qd_sim::{Code, Machine, Schedule, Simulation};

/// The kernels by hand of a kind of machine.
pub fn kernels(machine: Machine) -> &'static str {
    match machine {
        Machine::Nvptx => include_str!("../ir/nvptx.ll"),
        Machine::Amdgpu => include_str!("../ir/amdgpu.ll"),
    }
}

/// Schedules that differ in everything.
pub fn schedules() -> Vec<Schedule> {
    vec![Schedule::forward(), Schedule::backward(), Schedule::random(1), Schedule::random(2)]
}

/// Each kind of machine with its kernels loaded, in each schedule.
pub fn devices() -> impl Iterator<Item = (Simulation, Code)> {
    [Machine::Nvptx, Machine::Amdgpu].into_iter().flat_map(|machine| {
        schedules().into_iter().map(move |schedule| {
            let device = Simulation::new(machine, schedule);
            let code = device.load(kernels(machine).as_bytes()).unwrap();
            (device, code)
        })
    })
}

/// An array of plain numbers on a device.
pub trait Bytes: Copy {
    /// Its bytes.
    fn bytes(values: &[Self]) -> Vec<u8>;
    /// The values of bytes.
    fn values(bytes: &[u8]) -> Vec<Self>;
}

macro_rules! bytes {
    ($($t:ident)*) => { $(
        impl Bytes for $t {
            fn bytes(values: &[Self]) -> Vec<u8> {
                values.iter().flat_map(|value| value.to_ne_bytes()).collect()
            }
            fn values(bytes: &[u8]) -> Vec<Self> {
                bytes.chunks(size_of::<$t>()).map(|bytes| <$t>::from_ne_bytes(bytes.try_into().unwrap())).collect()
            }
        }
    )* };
}
bytes!(i32 u32 u64 f32 f64);

/// Puts values on the device; gives their address.
pub fn put<T: Bytes>(device: &Simulation, values: &[T]) -> u64 {
    let bytes = T::bytes(values);
    let at = device.alloc(bytes.len()).unwrap();
    let initialised: Vec<_> = bytes.iter().map(|byte| MaybeUninit::new(*byte)).collect();
    device.write(at, &initialised).unwrap();
    at
}

/// Reads so many values from the device.
pub fn get<T: Bytes>(device: &Simulation, at: u64, count: usize) -> Vec<T> {
    let mut bytes = vec![MaybeUninit::new(0); count * size_of::<T>()];
    device.read(at, &mut bytes).unwrap();
    // SAFETY: all were initialised at first, and the device's memory is.
    let bytes: Vec<u8> = bytes.into_iter().map(|byte| unsafe { byte.assume_init() }).collect();
    T::values(&bytes)
}
