//! How long an iteration of a task takes: guessed from its text, then learned from launches.
//!
//! The pool shares a launch if its estimated work is worth it. A guess may be wrong by much (loops of unknown length),
//! so it errs on the high side, and measured launches replace it. Launches that are long by the estimate are always
//! measured; of the short ones one in [`PERIOD`], because clocks, and sums that several threads add to, would cost
//! as much as a short chunk does.
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

use qd_ir::body::{Region, Stmt};
use qd_ir::task::Task;

/// A short launch is measured every so many times.
const PERIOD: u32 = 16;
/// Estimated time above which every launch is measured, in ns.
const LONG_NS: f64 = 100_000.0;
/// What a launch costs beside its iterations, in ns: shorter measurements of few iterations say nothing.
const NOISE_NS: u64 = 2_000;
/// Iterations from which a measurement of any length counts.
const MANY: u64 = 256;
/// Guessed time of a statement, in ns.
const STATEMENT_NS: f64 = 0.5;
/// Guessed iterations of a loop in the body.
const LOOP: f64 = 16.0;

/// What is known of a task's iterations.
pub(super) struct Cost {
    /// Nanoseconds of one, an `f32`.
    ns: AtomicU32,
    launches: AtomicU32,
}

/// One launch being measured, or not.
pub(super) struct Sample {
    ns_per_iteration: f64,
    measured: bool,
    /// Time of all chunks together, on all threads.
    ns: AtomicU64,
    iterations: AtomicU64,
}

impl Cost {
    /// A guess from the task's text.
    pub(super) fn of(task: &Task) -> Self {
        Cost { ns: AtomicU32::new((weight(&task.body) as f32).to_bits()), launches: AtomicU32::new(0) }
    }

    /// Begins a launch of `len` iterations.
    #[inline]
    pub(super) fn sample(&self, len: u64) -> Sample {
        let ns_per_iteration = f64::from(f32::from_bits(self.ns.load(Ordering::Relaxed)));
        // Lost counts between threads don't matter, and a plain store is cheaper than a read-modify-write.
        let launches = self.launches.load(Ordering::Relaxed);
        self.launches.store(launches.wrapping_add(1), Ordering::Relaxed);
        let measured = launches.is_multiple_of(PERIOD) || len as f64 * ns_per_iteration > LONG_NS;
        Sample { ns_per_iteration, measured, ns: AtomicU64::new(0), iterations: AtomicU64::new(0) }
    }

    /// Ends a launch: what was measured moves the estimate half way.
    #[inline]
    pub(super) fn learn(&self, sample: Sample) {
        if sample.measured {
            self.learn_measured(sample.ns.into_inner(), sample.iterations.into_inner());
        }
    }

    fn learn_measured(&self, ns: u64, iterations: u64) {
        if iterations == 0 || (ns < NOISE_NS && iterations < MANY) {
            return;
        }
        let measured = ns as f32 / iterations as f32;
        let before = f32::from_bits(self.ns.load(Ordering::Relaxed));
        self.ns.store(((before + measured) / 2.0).to_bits(), Ordering::Relaxed);
    }
}

impl Sample {
    /// The estimate the launch starts with.
    pub(super) fn ns_per_iteration(&self) -> f64 {
        self.ns_per_iteration
    }

    /// Runs a chunk of that many iterations.
    #[inline]
    pub(super) fn time(&self, iterations: u64, chunk: impl FnOnce()) {
        if !self.measured {
            return chunk();
        }
        let started = Instant::now();
        chunk();
        let ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.ns.fetch_add(ns, Ordering::Relaxed);
        self.iterations.fetch_add(iterations, Ordering::Relaxed);
    }
}

/// Guessed nanoseconds of a region.
fn weight(region: &Region) -> f64 {
    region
        .0
        .iter()
        .map(|stmt| match stmt {
            Stmt::If { then, otherwise, .. } => STATEMENT_NS + weight(then).max(weight(otherwise)),
            Stmt::For { body, .. } | Stmt::Loop { body, .. } => STATEMENT_NS + LOOP * weight(body),
            Stmt::Const { .. } | Stmt::Input { .. } | Stmt::Extent { .. } => 0.0,
            Stmt::Op { .. }
            | Stmt::Get { .. }
            | Stmt::Set { .. }
            | Stmt::GetPart { .. }
            | Stmt::SetPart { .. }
            | Stmt::Load { .. }
            | Stmt::Store { .. }
            | Stmt::Atomic { .. }
            | Stmt::CompareExchange { .. }
            | Stmt::Claim { .. }
            | Stmt::Check { .. }
            | Stmt::CheckStep { .. }
            | Stmt::Reduce { .. }
            | Stmt::ReducePart { .. }
            | Stmt::Offer { .. }
            | Stmt::Output { .. }
            | Stmt::Fail { .. }
            | Stmt::Print { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::End => STATEMENT_NS,
        })
        .sum()
}
