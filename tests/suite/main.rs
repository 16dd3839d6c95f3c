//! The language suite: every operator, cast and method of every type, and every form of control flow, run natively by
//! rustc and compiled at two opt levels with one, two and five threads, agreeing as their class says.
#![allow(unused_variables, unused_assignments)] // rows of a table don't all use all of its columns
#![allow(clippy::all)] // rows write what the language has, not what reads best
#![allow(unused_qualifications)] // names are written as a user of the crate may write them
/// Not unless a variable says so.
const ON_SIMULATED_GPUS: bool = false;

#[macro_use]
mod support;

mod apart;
mod arguments;
mod atomics;
mod bundles;
mod by_path;
mod casts;
mod chains;
mod checks;
mod control;
mod domains;
mod elements;
mod enums;
mod extremes;
mod floats;
mod fragments;
mod functions;
mod generics;
mod gpu;
mod halves;
mod integers;
mod items;
mod iterators;
mod known;
mod linear;
mod matching;
mod methods;
mod named;
mod operators;
mod order;
mod ordered;
#[macro_use]
mod ownership;
mod ownership_bits;
mod ownership_classics;
mod parts;
mod places;
mod random;
mod ranges;
mod reductions;
mod resolution;
mod scatter;
mod serial;
mod steps;
mod structs;
mod traits;
mod tuples;
mod unchecked;
mod wide;
