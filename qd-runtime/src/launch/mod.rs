//! From a call to results: the only part that joins keys, cache and backend.
//!
//! The macro's wrapper calls [`entry`]. At the first launch `prepare` turns the registered sketch into typed tasks,
//! keys and loaded code; later launches go straight to `run`, which walks the plan.
pub mod entry;
pub mod kernel;
pub mod registry;
mod run;
mod words;
