//! The CPU: x86-64 and AArch64.
//!
//! [`Cpu`] compiles with LLVM and loads through ORC; a loaded task is two addresses, which its
//! [`execute`](Executable::execute) calls over chunks of the domain. How long an iteration takes is learned from
//! launches ([`cost`]), so that the pool knows what is worth sharing.
mod affinity;
mod cost;
mod float_env;
pub mod helpers;
mod hooks;
pub mod orc;
pub mod pool;

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use qd_ir::reduce::{LEAF, Tree, combine_bits, identity_bits};
use qd_ir::task::{Reduction, Task, TaskKind};
use qd_ir::words;

use self::cost::Cost;
use self::float_env::FloatEnv;
use self::hooks::CpuHooks;
use self::orc::{Jit, LoadedObject};
pub use self::pool::Pool;
use self::pool::Work;
use super::{Artifact, Backend, Executable};
use crate::codegen::CodegenOptions;
use crate::codegen::context::ContextLayout;
use crate::codegen::fault::FaultState;
use crate::codegen::passes::{self, Compiled, Product};
use crate::codegen::task::{bounds_symbol, run_symbol};
use crate::error::{Error, ErrorKind, Result};
use crate::llvm;
use crate::target::Target;

/// Compiles for a CPU and runs on this one.
pub struct Cpu {
    target: Target,
    hooks: CpuHooks,
}

impl Cpu {
    /// A backend that makes code for `target`. Only code for this machine can be run.
    pub fn new(target: Target) -> Self {
        Cpu { hooks: CpuHooks::new(&target), target }
    }

    fn produce(&self, task: &Task, stem: &str, options: CodegenOptions, product: Product) -> Result<Compiled> {
        passes::compile(llvm::get()?, &self.hooks, task, stem, options, product)
    }

    fn text(&self, task: &Task, stem: &str, options: CodegenOptions, product: Product) -> Result<String> {
        let bytes = self.produce(task, stem, options, product)?.bytes;
        String::from_utf8(bytes).map_err(|_| Error::internal("LLVM's text isn't UTF-8"))
    }
}

impl Backend for Cpu {
    fn target(&self) -> &Target {
        &self.target
    }

    fn compile(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<Artifact> {
        let Compiled { bytes, lower, passes, emit } = self.produce(task, stem, options, Product::Object)?;
        let llvm = llvm::get()?;
        let compiler = match llvm.build_id() {
            Some(build) => format!("LLVM {} {build}", llvm.version()),
            None => format!("LLVM {}", llvm.version()),
        };
        Ok(Artifact { bytes, lower, passes, emit, compiler })
    }

    fn assembly(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<String> {
        self.text(task, stem, options, Product::Assembly)
    }

    fn llvm_ir(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<String> {
        self.text(task, stem, options, Product::Ir)
    }

    fn load(&self, task: &Task, stem: &str, artifact: &[u8]) -> Result<Box<dyn Executable>> {
        let jit = Jit::get(llvm::get()?)?;
        let run = run_symbol(stem);
        let (object, bounds) = match &task.kind {
            TaskKind::Serial => (jit.load(artifact, &[&run])?, None),
            TaskKind::Parallel { .. } => {
                let object = jit.load(artifact, &[&run, &bounds_symbol(stem)])?;
                let bounds = std::ptr::with_exposed_provenance::<()>(object.addresses()[1]);
                // SAFETY: the object was compiled from a parallel task under this stem, so this is its bounds entry.
                (object, Some(unsafe { std::mem::transmute::<*const (), BoundsFn>(bounds) }))
            }
        };
        let run_entry = std::ptr::with_exposed_provenance::<()>(object.addresses()[0]);
        // SAFETY: as above, of the run entry, which every task has.
        let run = unsafe { std::mem::transmute::<*const (), RunFn>(run_entry) };
        let layout = ContextLayout::of(task);
        let dims = task.dims().iter().enumerate();
        Ok(Box::new(CpuTask {
            run,
            bounds,
            dims: dims
                .map(|(n, dim)| DimWords { word: layout.bounds(n), signed: task.ty(dim.var).is_signed() })
                .collect(),
            reductions: task.reductions().into(),
            reduced_words: task.reductions().iter().map(|reduction| reduction.ty.words()).sum(),
            words: layout.words(),
            cost: Cost::of(task),
            _object: object,
        }))
    }
}

/// `<stem>_run(context, begin, end, partials)`.
type RunFn = unsafe extern "C" fn(*const u64, u64, u64, *mut u64);
/// `<stem>_bounds(context)`.
type BoundsFn = unsafe extern "C" fn(*mut u64);

/// Where a dimension's bounds are in the context.
struct DimWords {
    word: usize,
    signed: bool,
}

struct CpuTask {
    run: RunFn,
    bounds: Option<BoundsFn>,
    dims: Box<[DimWords]>,
    reductions: Box<[Reduction]>,
    /// Words of the values of all reductions.
    reduced_words: usize,
    words: usize,
    cost: Cost,
    /// Keeps the code in memory.
    _object: LoadedObject,
}

/// Words for the leaves of one call.
const PARTIALS: usize = 256;

impl Executable for CpuTask {
    fn execute(
        &self,
        context: &mut [u64],
        faults: &FaultState,
        pool: &Pool,
        grain: Option<u64>,
        reductions: &mut [u64],
    ) -> Result<()> {
        if context.len() != self.words || reductions.len() != self.reduced_words {
            return Err(Error::internal("a task got a context block of another task"));
        }
        let Some(bounds) = self.bounds else {
            let _env = FloatEnv::enter();
            // SAFETY: the context has this task's layout and is filled in by the launcher, whose arguments live and
            // aren't accessed otherwise for the time of the launch; a serial task has no partial results.
            unsafe { (self.run)(context.as_ptr(), 0, 1, std::ptr::null_mut()) };
            return Ok(());
        };
        {
            let _env = FloatEnv::enter();
            // SAFETY: as above; it writes only the words of the bounds.
            unsafe { bounds(context.as_mut_ptr()) };
        }
        if faults.failed() {
            return Ok(());
        }
        let len = self.iterations(context)?;
        self.write(reductions, self.reductions.iter().map(|r| identity_bits(r.op, r.ty)));
        let context = Shared(context.as_ptr());
        if self.reductions.is_empty() {
            let sample = self.cost.sample(len);
            pool.run(Work { len, align: 1, ns_per_iteration: sample.ns_per_iteration(), grain }, &|range: Range<
                u64,
            >| {
                sample
                    .time(range.end - range.start, || self.call(&context, range.clone(), faults, std::ptr::null_mut()));
            });
            self.cost.learn(sample);
        } else if len <= LEAF {
            self.call(&context, 0..len, faults, reductions.as_mut_ptr());
        } else {
            self.reduce(&context, Wanted { len, grain }, faults, pool, reductions);
        }
        Ok(())
    }
}

/// The context block while workers read it.
struct Shared(*const u64);

// SAFETY: nobody writes the block while workers run; what its pointers lead to is shared as the race rule allows.
unsafe impl Sync for Shared {}

/// A loop that the pool shall run.
#[derive(Clone, Copy)]
struct Wanted {
    len: u64,
    grain: Option<u64>,
}

impl CpuTask {
    /// Number of iterations by the bounds in the context.
    fn iterations(&self, context: &[u64]) -> Result<u64> {
        let mut total = 1u128;
        for dim in &self.dims {
            let (lo, hi) = (context[dim.word], context[dim.word + 1]);
            let runs = if dim.signed { (lo as i64) < (hi as i64) } else { lo < hi };
            // At most 2^64 - 1 a dimension; four of them overflow, but then the product of fewer is too large already.
            total = if runs { total.saturating_mul(u128::from(hi.wrapping_sub(lo))) } else { 0 };
            if total == 0 {
                return Ok(0);
            }
        }
        // The largest number stands for "no fault".
        match u64::try_from(total) {
            Ok(len) if len < u64::MAX => Ok(len),
            Ok(_) | Err(_) => Err(Error::new(
                ErrorKind::Argument,
                format!("a parallel loop of {total} iterations: at most 2^64 - 2 can be counted; split the loop"),
            )),
        }
    }

    /// Runs iterations on this thread, unless a lower one has failed.
    #[inline]
    fn call(&self, context: &Shared, range: Range<u64>, faults: &FaultState, partials: *mut u64) {
        if range.start > faults.first() {
            return;
        }
        let _env = FloatEnv::enter();
        // SAFETY: the block is filled in, its arguments live and aren't accessed otherwise for the time of the launch,
        // the range lies in the domain, and `partials` has the words of each reduction of each leaf of the range.
        unsafe { (self.run)(context.0, range.start, range.end, partials) };
    }

    /// Runs all iterations and combines the leaves.
    fn reduce(&self, context: &Shared, wanted: Wanted, faults: &FaultState, pool: &Pool, results: &mut [u64]) {
        let Wanted { len, grain } = wanted;
        let width = self.reduced_words;
        let forest = || self.reductions.iter().map(|_| Tree::<u128>::new()).collect::<Vec<_>>();
        let combine = |r: usize| {
            let Reduction { op, ty } = self.reductions[r];
            move |a, b| combine_bits(op, ty, a, b)
        };
        let whole = Mutex::new(forest());
        let sample = self.cost.sample(len);
        let work = Work { len, align: LEAF, ns_per_iteration: sample.ns_per_iteration(), grain };
        pool.run(work, &|range: Range<u64>| {
            sample.time(range.end - range.start, || {
                let mut own = forest();
                let mut inline = [0u64; PARTIALS];
                let mut large;
                let partials = if width <= PARTIALS {
                    &mut inline[..]
                } else {
                    large = vec![0; width];
                    &mut large[..]
                };
                let leaves = (partials.len() / width) as u64;
                let mut run = Vec::new();
                let mut begin = range.start;
                while begin < range.end {
                    let end = range.end.min(begin.saturating_add(leaves * LEAF));
                    self.call(context, begin..end, faults, partials.as_mut_ptr());
                    if faults.failed() {
                        // The result has no meaning any more; iterations below the failing one still run.
                        begin = end;
                        continue;
                    }
                    let first = begin / LEAF;
                    let count = (end - begin).div_ceil(LEAF) as usize;
                    let mut offset = 0;
                    for (r, tree) in own.iter_mut().enumerate() {
                        let ty = self.reductions[r].ty;
                        let leaves = partials.chunks_exact(width).take(count);
                        run.clear();
                        run.extend(leaves.map(|leaf| words::get(ty, &leaf[offset..])));
                        tree.insert_run(first, &mut run, combine(r));
                        offset += ty.words();
                    }
                    begin = end;
                }
                let mut whole = whole.lock().unwrap_or_else(PoisonError::into_inner);
                for (r, (tree, part)) in whole.iter_mut().zip(own).enumerate() {
                    tree.append(part, combine(r));
                }
            });
        });
        self.cost.learn(sample);
        if faults.failed() {
            return;
        }
        let whole = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
        // A domain that has iterations has leaves.
        let values = whole.into_iter().enumerate().filter_map(|(r, tree)| tree.finish(combine(r)));
        self.write(results, values);
    }

    /// Writes the values of all reductions.
    fn write(&self, mut results: &mut [u64], values: impl Iterator<Item = u128>) {
        for (reduction, value) in self.reductions.iter().zip(values) {
            let (words, rest) = results.split_at_mut(reduction.ty.words());
            words::put(reduction.ty, value, words);
            results = rest;
        }
    }
}
