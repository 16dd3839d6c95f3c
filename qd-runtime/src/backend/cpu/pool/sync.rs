//! The atomics and the parking of [`slot`](super::slot) and [`home`](super::home): std's. `tests/loom.rs` has a module of
//! this name with loom's.
pub(super) use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
pub(super) use std::thread::{Thread, park};
