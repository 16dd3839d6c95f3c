//! A slice of the language suite on simulated GPUs, in every test run: what iterations of different lanes have to do with each
//! other, faults, and the mathematics of the device library. `cargo xtask sim` runs the whole suite so. What passes here is no
//! result of a GPU.
#![allow(dead_code)] // what only other parts of the suite use
#![allow(unused_variables, unused_assignments)] // as in the suite
#![allow(clippy::all)]
#![allow(unused_qualifications)]
const ON_SIMULATED_GPUS: bool = true;

#[macro_use]
#[path = "suite/support.rs"]
mod support;

#[path = "suite/atomics.rs"]
mod atomics;
#[path = "suite/checks.rs"]
mod checks;
#[path = "suite/control.rs"]
mod control;
#[path = "suite/floats.rs"]
mod floats;
#[path = "suite/scatter.rs"]
mod scatter;
