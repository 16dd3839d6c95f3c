//! The CPU: x86-64 and AArch64.
//!
//! [`Cpu`] compiles with LLVM and loads through ORC; a loaded task is two addresses, which its
//! [`execute`](Executable::execute) calls over chunks of the domain. How long an iteration takes is learned from
//! launches ([`cost`]), so that the pool knows what is worth sharing.
mod affinity;
mod cost;
pub mod float_env;
pub mod helpers;
mod hooks;
pub mod orc;
pub mod pool;
pub(super) mod reduce;

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use qd_ir::reduce::{LEAF, Layout};
use qd_ir::task::{Task, TaskKind};

use self::cost::Cost;
use self::float_env::FloatEnv;
use self::helpers::HELPER_ABI;
use self::hooks::CpuHooks;
use self::orc::{Jit, LoadedObject};
pub use self::pool::Pool;
use self::pool::Work;
use self::reduce::Reductions;
use super::domain::{Claims, Domain};
use super::{Artifact, Backend, Executable, Form, Identity, compiler_name};
use crate::codegen::CodegenOptions;
use crate::codegen::context::ContextLayout;
use crate::codegen::fault::FaultState;
use crate::codegen::leaf::scratch_bytes;
use crate::codegen::passes::{self, Compiled, Product};
use crate::codegen::task::{bounds_symbol, run_symbol};
use crate::error::{Error, Result};
use crate::llvm;
use crate::target::{CpuTarget, Target};

/// Compiles for a CPU and runs on this one.
pub struct Cpu {
    target: Target,
    hooks: CpuHooks,
}

impl Cpu {
    /// A backend that makes code for `target`. Only code for this machine can be run.
    pub fn new(target: CpuTarget) -> Self {
        Cpu { hooks: CpuHooks::new(&target), target: target.into() }
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

    fn form(&self) -> Form {
        Form::Object
    }

    fn identity(&self, _task: &Task, _options: CodegenOptions) -> Result<Identity> {
        let target = self.target.to_string();
        Ok(Identity { target, library: None, baked: Vec::new(), abi: HELPER_ABI })
    }

    fn compile(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<Artifact> {
        let Compiled { bytes, lower, passes, emit } = self.produce(task, stem, options, Product::Object)?;
        Ok(Artifact { bytes, lower, passes, emit, compiler: compiler_name(llvm::get()?) })
    }

    fn assembly(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<String> {
        self.text(task, stem, options, Product::Assembly)
    }

    fn llvm_ir(&self, task: &Task, stem: &str, options: CodegenOptions) -> Result<String> {
        self.text(task, stem, options, Product::Ir)
    }

    fn load(&self, task: &Task, stem: &str, _options: CodegenOptions, artifact: &[u8]) -> Result<Box<dyn Executable>> {
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
        Ok(Box::new(CpuTask {
            run,
            bounds,
            domain: Domain::of(task, &layout),
            reductions: Reductions::new(task.reductions()),
            scratch: scratch_bytes(task.reductions()),
            words: layout.words(),
            cost: Cost::of(task),
            _object: object,
        }))
    }
}

/// `<stem>_run(context, begin, end, partials, scratch)`.
type RunFn = unsafe extern "C" fn(*const u64, u64, u64, *mut u64, *mut u8);
/// `<stem>_bounds(context)`.
type BoundsFn = unsafe extern "C" fn(*mut u64);

struct CpuTask {
    run: RunFn,
    bounds: Option<BoundsFn>,
    domain: Domain,
    reductions: Reductions,
    /// Bytes that the code needs for what its reductions leave.
    scratch: usize,
    words: usize,
    cost: Cost,
    /// Keeps the code in memory.
    _object: LoadedObject,
}

/// Words for the partial results of one call.
const PARTIALS: usize = 256;

/// A cache line, for alignment.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl Executable for CpuTask {
    fn execute(
        &self,
        context: &mut [u64],
        faults: &FaultState,
        pool: &Pool,
        grain: Option<u64>,
        reductions: &mut [u64],
    ) -> Result<()> {
        if context.len() != self.words || reductions.len() != self.reductions.layout.words() {
            return Err(Error::internal("a task got a context block of another task"));
        }
        let Some(bounds) = self.bounds else {
            // SAFETY: the context has this task's layout and is filled in by the launcher, whose arguments live and
            // aren't accessed otherwise for the time of the launch; a serial task has no partial results.
            unsafe { (self.run)(context.as_ptr(), 0, 1, std::ptr::null_mut(), std::ptr::null_mut()) };
            return Ok(());
        };
        // SAFETY: as above; it writes only the words of the bounds.
        unsafe { bounds(context.as_mut_ptr()) };
        if faults.failed() {
            return Ok(());
        }
        let len = self.domain.iterations(context)?;
        let mut claims = self.domain.claims().iter().map(|own| claims(own, context)).collect::<Result<Vec<_>>>()?;
        for (own, claims) in self.domain.claims().iter().zip(&mut claims) {
            context[own.word] = claims.as_mut_ptr().expose_provenance() as u64;
        }
        self.reductions.clear(reductions);
        let context = Shared(context.as_ptr());
        if self.reductions.is_empty() {
            let sample = self.cost.sample(len);
            pool.run(Work { len, align: 1, ns_per_iteration: sample.ns_per_iteration(), grain }, &|range: Range<
                u64,
            >| {
                let _env = FloatEnv::enter();
                sample.time(range.end - range.start, || {
                    self.call(&context, range.clone(), faults, std::ptr::null_mut(), &mut []);
                });
            });
            self.cost.learn(sample);
        } else if len <= LEAF {
            self.call(&context, 0..len, faults, reductions.as_mut_ptr(), &mut self.scratch());
        } else {
            self.reduce(&context, Wanted { len, grain }, faults, pool, reductions);
        }
        Ok(())
    }
}

/// The words of an array's claims. An element that nobody has claimed has 0.
fn claims(own: &Claims, context: &[u64]) -> Result<Box<[u64]>> {
    let elements = own.elements(context);
    bytemuck::allocation::try_zeroed_slice_box(elements).map_err(|()| Claims::no_room(elements))
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
    /// Runs iterations on this thread, which is in the default environment, unless a lower one has failed.
    #[inline]
    fn call(&self, context: &Shared, range: Range<u64>, faults: &FaultState, partials: *mut u64, scratch: &mut [Line]) {
        if range.start > faults.first() {
            return;
        }
        // SAFETY: the block is filled in, its arguments live and aren't accessed otherwise for the time of the launch,
        // the range lies in the domain, `partials` has the words accumulated in place and a record for each leaf of the
        // range, and `scratch` is as long as the task's code expects.
        unsafe { (self.run)(context.0, range.start, range.end, partials, scratch.as_mut_ptr().cast()) };
    }

    /// Room for the buffers of the reductions, where they don't fit on the stack.
    fn scratch(&self) -> Vec<Line> {
        vec![Line([0; 64]); self.scratch.div_ceil(size_of::<Line>())]
    }

    /// Runs all iterations and combines what they come to.
    fn reduce(&self, context: &Shared, wanted: Wanted, faults: &FaultState, pool: &Pool, result: &mut [u64]) {
        let Wanted { len, grain } = wanted;
        let Layout { free, record, .. } = self.reductions.layout;
        let (free_words, _) = result.split_at_mut(free);
        let whole = Mutex::new((self.reductions.nothing(), free_words));
        let sample = self.cost.sample(len);
        // Without records nothing depends on where a range begins.
        let align = if record == 0 { 1 } else { LEAF };
        let work = Work { len, align, ns_per_iteration: sample.ns_per_iteration(), grain };
        pool.run(work, &|range: Range<u64>| {
            let _env = FloatEnv::enter();
            sample.time(range.end - range.start, || {
                let mut own = self.reductions.nothing();
                let mut scratch = self.scratch();
                let mut inline = [0u64; PARTIALS];
                let mut large;
                let partials = if free + record <= PARTIALS {
                    &mut inline[..]
                } else {
                    large = vec![0; free + record];
                    &mut large[..]
                };
                self.reductions.clear(partials);
                let leaves = (partials.len() - free).checked_div(record).map_or(u64::MAX, |leaves| leaves as u64);
                let mut begin = range.start;
                while begin < range.end {
                    let end = range.end.min(begin.saturating_add(leaves.saturating_mul(LEAF)));
                    self.call(context, begin..end, faults, partials.as_mut_ptr(), &mut scratch);
                    // If one failed, the result has no meaning any more; iterations below it still run.
                    if !faults.failed() && record > 0 {
                        let count = (end - begin).div_ceil(LEAF) as usize;
                        self.reductions.absorb(&mut own, begin / LEAF, &partials[free..free + count * record]);
                    }
                    begin = end;
                }
                let mut whole = whole.lock().unwrap_or_else(PoisonError::into_inner);
                let (parts, free_words) = &mut *whole;
                self.reductions.merge(parts, own);
                self.reductions.merge_free(free_words, &partials[..free]);
            });
        });
        self.cost.learn(sample);
        let (parts, _) = whole.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !faults.failed() {
            self.reductions.finish(parts, result);
        }
    }
}
