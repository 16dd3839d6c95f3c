//! Runtimes: options, a cache, a machine and what is loaded for it, behind one cheap handle.
//!
//! A launch runs in the runtime of the innermost [`Runtime::scope`] on its thread, else in the global one, which
//! [`init`] sets, [`reset`] drops and the first launch makes where there is none. A runtime that goes takes nothing
//! from under a running launch: launches hold what they run. Loaded code belongs to a runtime: a second runtime over
//! the same directory loads from the directory, one over another directory compiles for itself, and the observations
//! of each tell the truth about its own cache.
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwapOption;
use once_cell::sync::OnceCell;

use super::prepare::{LoadedTask, Prepared, prepare};
use super::registry::KernelStatic;
use super::stack;
use crate::backend::Backend;
use crate::backend::cpu::{Cpu, Pool};
use crate::cache::Cache;
use crate::cache::flight::Flight;
use crate::config::environment::Env;
use crate::config::{Arch, Config, Options};
use crate::error::{Error, ErrorKind, Result};
use crate::forked;
use crate::key::TaskKey;
use crate::observe::Observations;
use crate::target::{CpuTarget, Target};

/// Where kernels run and what was compiled for them: a handle, cheap to clone.
#[derive(Clone)]
pub struct Runtime(Arc<Inner>);

/// What a [`Runtime`] is a handle to.
pub(super) struct Inner {
    /// Unlike an address, never used again; 0 is nobody.
    id: u64,
    pub(super) options: Options,
    pub(super) cache: Cache,
    pub(super) backend: Arc<dyn Backend>,
    pub(super) pool: Pool,
    /// The tasks whose code this runtime has loaded, for all its kernels; empty where the cache is off.
    pub(super) loaded: Mutex<HashMap<TaskKey, LoadedTask>>,
    /// The tasks that are being loaded or compiled.
    pub(super) under_way: Flight<TaskKey, LoadedTask>,
    instances: Mutex<HashMap<&'static KernelStatic, Arc<Instance>>>,
}

/// A kernel in a runtime: unset until it is first prepared.
type Instance = OnceCell<Arc<Prepared>>;

static GLOBAL: ArcSwapOption<Inner> = ArcSwapOption::const_empty();
/// The id of the global runtime, or 0: what a launch compares without touching a count.
static GLOBAL_ID: AtomicU64 = AtomicU64::new(0);
/// Held by whoever replaces the global runtime.
static REPLACING: Mutex<()> = Mutex::new(());
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

thread_local! {
    static SCOPED: RefCell<Option<Runtime>> = const { RefCell::new(None) };
    static SCOPED_ID: Cell<u64> = const { Cell::new(0) };
}

impl Runtime {
    /// A runtime of its own, beside the global one. Use it by [`scope`](Runtime::scope) or a kernel's `on(&runtime)`.
    ///
    /// A cache that can't be used is no error: launches work, and their observations say why it couldn't.
    pub fn new(config: Config) -> Result<Self> {
        forked::refuse("make a runtime")?;
        forked::watch();
        let options = config.resolve(&Env::of_process())?;
        match options.arch {
            Arch::Cpu => {}
            Arch::Cuda | Arch::Amdgpu | Arch::Gpu => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    format!(
                        "arch {:?}: this build of qd compiles kernels for GPUs (`prepare_for`, `asm_for`) and runs them on \
                         the CPU only, not there yet; use Arch::Cpu, or QD_ARCH=cpu",
                        options.arch
                    ),
                ));
            }
        }
        let host = CpuTarget::host();
        let runs = |cpu: &CpuTarget| cpu.arch() == host.arch() && cpu.features().all(|name| host.has_feature(name));
        let target = match &options.target {
            None => host.clone(),
            Some(Target::Cpu(cpu)) if runs(cpu) => cpu.clone(),
            Some(target) => {
                return Err(Error::new(
                    ErrorKind::Config,
                    format!(
                        "code for target `{target}` can't run on this machine, `{host}`; use `prepare_for` for others"
                    ),
                ));
            }
        };
        Self::over(options, Arc::new(Cpu::new(target)))
    }

    /// A runtime that compiles and launches through `backend`, such as a simulation of a device; `config` has no say in
    /// what kernels run on. For tests of backends.
    ///
    /// # Errors
    /// As [`new`](Runtime::new).
    #[doc(hidden)]
    pub fn with_backend(config: Config, backend: Arc<dyn Backend>) -> Result<Self> {
        forked::refuse("make a runtime")?;
        forked::watch();
        Self::over(config.resolve(&Env::of_process())?, backend)
    }

    fn over(options: Options, backend: Arc<dyn Backend>) -> Result<Self> {
        let pool = match options.num_threads {
            Some(threads) => Pool::new(threads.get())?,
            None => Pool::global().clone(),
        };
        Ok(Runtime(Arc::new(Inner {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            cache: Cache::open(&options),
            backend,
            pool,
            loaded: Mutex::default(),
            under_way: Flight::new(),
            instances: Mutex::default(),
            options,
        })))
    }

    /// The runtime in which a launch on this thread would run now; makes the global one if there is none.
    pub fn current() -> Result<Self> {
        if let Some(runtime) = SCOPED.with_borrow(Clone::clone) {
            return Ok(runtime);
        }
        if let Some(global) = GLOBAL.load_full() {
            return Ok(Runtime(global));
        }
        forked::refuse("make a runtime")?;
        let _replacing = lock(&REPLACING);
        if let Some(global) = GLOBAL.load_full() {
            return Ok(Runtime(global));
        }
        // The first launch makes it, on whatever stack that has.
        let runtime = stack::large(|| Runtime::new(Config::default()))?;
        set_global(Some(runtime.clone()));
        Ok(runtime)
    }

    /// Runs `f` with this as the runtime of the launches it makes on this thread. Threads that `f` starts or hands
    /// work to are not in the scope.
    pub fn scope<R>(&self, f: impl FnOnce() -> R) -> R {
        let _leave = Leave(set_scoped(Some(self.clone())));
        f()
    }

    /// The options that hold in this runtime.
    pub fn options(&self) -> &Options {
        &self.0.options
    }

    pub(super) fn inner(&self) -> &Inner {
        &self.0
    }

    /// `None` in a forked child where another thread was looking.
    fn instance(&self, kernel: &'static KernelStatic) -> Option<Arc<Instance>> {
        forked::lock(&self.0.instances).map(|mut instances| Arc::clone(instances.entry(kernel).or_default()))
    }

    /// The kernel, ready to run. Of several threads that ask first one prepares it; a failure isn't remembered.
    pub(super) fn prepared(&self, kernel: &'static KernelStatic) -> Result<Arc<Prepared>> {
        let instance = self.instance(kernel).ok_or_else(|| forked::refusal(forked::PREPARE))?;
        if forked::is_child() {
            // Not waiting for a thread that may have been about to prepare it.
            return instance.get().cloned().ok_or_else(|| forked::refusal(forked::PREPARE));
        }
        let prepared = instance.get_or_try_init(|| stack::large(|| prepare(&self.0, kernel).map(Arc::new)))?;
        // The kernel's own slot serves the global runtime first: with two in use at once, they'd fight over it.
        if self.0.id == GLOBAL_ID.load(Ordering::Relaxed) || kernel.current.load().is_none() {
            kernel.current.store(Some(Arc::clone(prepared)));
        }
        Ok(Arc::clone(prepared))
    }

    /// What the compile of the kernel in this runtime did; the most recent one, if it has specialised parameters.
    pub(super) fn observations(&self, kernel: &'static KernelStatic) -> Observations {
        let variants = if kernel.desc().specialized { kernel.variants() } else { vec![kernel] };
        let instances = forked::lock(&self.0.instances);
        let instances = instances.as_deref();
        let prepared = variants.into_iter().filter_map(|kernel| instances?.get(kernel)?.get());
        match prepared.max_by_key(|prepared| prepared.number) {
            Some(prepared) => prepared.observations.clone(),
            None => self.no_observations(kernel.desc().constructs),
        }
    }

    /// What is known of a kernel of so many constructs before its first launch.
    pub(super) fn no_observations(&self, constructs: u32) -> Observations {
        Observations::before_first_launch(constructs as usize, self.0.cache.is_on())
    }
}

impl Inner {
    pub(super) fn id(&self) -> u64 {
        self.id
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime").field("id", &self.0.id).field("options", &self.0.options).finish_non_exhaustive()
    }
}

impl Drop for Inner {
    #[expect(clippy::mutable_key_type, reason = "kernels are compared and hashed by address")]
    fn drop(&mut self) {
        if forked::is_child() {
            // Its threads aren't there to be ended. What kernels remember of it stays, and is what they may still launch
            // with another handle.
            std::mem::forget(self.pool.clone());
            return;
        }
        let instances = self.instances.get_mut().unwrap_or_else(PoisonError::into_inner);
        for kernel in instances.keys() {
            // Another runtime may take the slot in between and lose it: its next launch takes it again.
            if kernel.current.load().as_ref().is_some_and(|prepared| prepared.runtime == self.id) {
                kernel.current.store(None);
            }
        }
    }
}

/// The kernel as the runtime of this thread has it, if the kernel's own slot holds that: no lock, no count.
#[inline]
pub(super) fn current_of(kernel: &KernelStatic) -> Option<arc_swap::Guard<Option<Arc<Prepared>>>> {
    let scoped = SCOPED_ID.get();
    let id = if scoped != 0 { scoped } else { GLOBAL_ID.load(Ordering::Relaxed) };
    let slot = kernel.current.load();
    match &*slot {
        Some(prepared) if prepared.runtime == id => Some(slot),
        Some(_) | None => None,
    }
}

/// Makes a runtime of `config` the global one. Launches under way end in the one they began in.
///
/// Not needed: the first launch makes a runtime from the environment and the defaults.
pub fn init(config: Config) -> Result<()> {
    let runtime = Runtime::new(config)?;
    let _replacing = lock(&REPLACING);
    set_global(Some(runtime));
    Ok(())
}

/// Drops the global runtime; the next launch makes one anew. What is cached on disk stays.
pub fn reset() {
    let _replacing = forked::lock(&REPLACING);
    set_global(None);
}

/// The caller holds [`REPLACING`], or is in a forked child.
fn set_global(runtime: Option<Runtime>) {
    GLOBAL_ID.store(runtime.as_ref().map_or(0, |runtime| runtime.0.id), Ordering::Relaxed);
    GLOBAL.store(runtime.map(|runtime| runtime.0));
}

/// Sets the runtime of this thread; gives the one before.
fn set_scoped(runtime: Option<Runtime>) -> Option<Runtime> {
    SCOPED_ID.set(runtime.as_ref().map_or(0, |runtime| runtime.0.id));
    SCOPED.replace(runtime)
}

/// Restores the scope that was before, also when its closure panics.
struct Leave(Option<Runtime>);

impl Drop for Leave {
    fn drop(&mut self) {
        drop(set_scoped(self.0.take()));
    }
}

/// Poison says nothing here: what the locks guard is whole after each statement.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
