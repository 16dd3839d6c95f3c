//! From a call to results: the only part that joins keys, cache and backend.
//!
//! The macro's wrapper calls [`entry`]. At the first launch in a runtime `prepare` turns the registered sketch into
//! typed tasks, keys and loaded code; later launches go straight to `run`, which walks the plan.
mod apart;
mod bind;
mod dump;
pub mod entry;
mod fault;
pub mod instances;
pub mod kernel;
mod library;
mod link;
mod prepare;
mod printed;
pub mod registry;
mod run;
pub mod runtime;
mod slots;
mod stack;
mod words;
