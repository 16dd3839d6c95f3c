//! A registered kernel to one that can be launched: sketch → typed tasks → keys → code, found or compiled → loaded.
//!
//! Each task goes its own way: by its key, through the code that this runtime has loaded, the cache, and the compiler.
//! What isn't loaded yet is obtained by several threads at once, one task each; of all threads of the process that
//! want the same key in the same runtime, one works and the others wait. New code is stored as soon as it exists.
//! LLVM is opened only by what compiles or loads. All of it nests as deep as the source does, so callers run it on the
//! [`stack`] for that. This file decides nothing about launches; `run` does.
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use qd_ir::plan;
use qd_ir::task::Task;
use qd_ir::types::Scalar;
use qd_ir::typing::Overflow;
use qd_ir::{canonical, typing, verify};

use super::bind::Bound;
use super::dump;
use super::library;
use super::link;
use super::registry::{KernelDesc, KernelStatic};
use super::runtime::{Inner, lock};
use super::stack;
use crate::backend::cpu::Pool;
use crate::backend::{Backend, Executable, Form, Identity, compiler_for};
use crate::cache::entry::{Artifact, ArtifactKind};
use crate::cache::flight::Role;
use crate::codegen::CodegenOptions;
use crate::codegen::context::CONTEXT_ABI;
use crate::config::Options;
use crate::error::{Error, ErrorKind, Result};
use crate::key::{CODEGEN_FINGERPRINT, CodeOptions, KeyParts, PartDigests, TaskKey};
use crate::llvm::LLVM_SERIES;
use crate::observe::{CompileTime, Miss, Observations, Outcome, TaskObservation};
use crate::target::Target;

/// A kernel ready to be launched in one runtime.
pub(super) struct Prepared {
    /// Id of the runtime.
    pub(super) runtime: u64,
    /// Counts up: which of two was prepared later.
    pub(super) number: u64,
    pub(super) kernel: plan::Kernel,
    /// For each construct of the kernel.
    pub(super) tasks: Box<[Bound]>,
    /// Number of words of a launch's arguments.
    pub(super) words: usize,
    /// Number of words of a launch's slots.
    pub(super) slot_words: usize,
    /// The scalars of the result.
    pub(super) result: Box<[Scalar]>,
    pub(super) pool: Pool,
    /// The race detector watches: tasks run in order, on one thread.
    pub(super) races: bool,
    /// File of the source, for messages.
    pub(super) file: &'static str,
    pub(super) observations: Observations,
}

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A task's code in memory, and how it got there.
#[derive(Clone)]
pub(super) struct LoadedTask {
    code: Arc<dyn Executable>,
    record: Record,
}

/// What is told of a task whatever kernel it stands in.
#[derive(Clone)]
struct Record {
    outcome: Outcome,
    miss: Option<Miss>,
    compile: Option<CompileTime>,
    load: Duration,
    bytes: usize,
}

/// A task with its name.
struct Keyed<'a> {
    task: &'a Task,
    options: CodegenOptions,
    parts: PartDigests,
    key: TaskKey,
    /// The file and digest of the library that its code holds functions of, where that is at hand.
    library: Option<(&'static str, [u8; 32])>,
}

/// The typed and verified kernel.
pub(super) fn typed(kernel: &KernelStatic, overflow: Overflow) -> Result<plan::Kernel> {
    let desc = kernel.desc();
    let defect = |what: &dyn std::fmt::Display| {
        Error::internal(format_args!("kernel `{}` at {}:{}: {what}", desc.name, desc.file, desc.line))
    };
    let (sketch, types) = link::kernel(kernel)?;
    let typed = typing::kernel(&sketch, &types, overflow).map_err(|error| {
        let Some(refusal) = error.refusal else { return defect(&error) };
        let message = format!("kernel `{}` at {}:{}: {} [{refusal}]", desc.name, desc.file, error.pos, error.message);
        Error::new(ErrorKind::Unsupported, message)
    })?;
    verify::kernel(&typed).map_err(|faults| {
        let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
        defect(&faults.join("; "))
    })?;
    Ok(typed)
}

/// Makes the kernel ready for launches in `runtime`.
pub(super) fn prepare(runtime: &Inner, kernel: &'static KernelStatic) -> Result<Prepared> {
    let typed = typed(kernel, overflow(&runtime.options))?;
    let constructs = typed.constructs.values();
    let keyed = keys(constructs, runtime, &*runtime.backend)?;
    let obtained = each_once(&keyed, runtime.options.threads().get(), |keyed| obtain(runtime, kernel.desc(), keyed))?;
    note_library(runtime, &keyed);

    let file = kernel.desc().file;
    let mut observed = Vec::with_capacity(keyed.len());
    let mut tasks = Vec::with_capacity(keyed.len());
    for (index, (construct, (keyed, (first, loaded)))) in constructs.iter().zip(keyed.iter().zip(obtained)).enumerate()
    {
        let source = format!("{file}:{}", construct.pos);
        observed.push(loaded.record.observation(index, first, keyed, source, kernel));
        tasks.push(Bound::new(construct, &typed, loaded.code));
    }
    kernel.remember(keyed.iter().map(|keyed| keyed.parts).collect());
    let troubles = runtime.cache.troubles();
    let constructs = typed.constructs.len();
    if let Some(folder) = &runtime.options.dump_dir {
        dump::kernel(folder, kernel.desc(), &typed, keyed.iter().map(|keyed| keyed.key));
    }
    Ok(Prepared {
        runtime: runtime.id(),
        number: NEXT.fetch_add(1, Ordering::Relaxed),
        words: typed.params.iter().map(|param| param.words() as usize).sum(),
        slot_words: typed.slot_words(),
        // A result holds no array by reference.
        result: typed.result.flatten().unwrap_or_default().into(),
        tasks: tasks.into(),
        pool: runtime.pool.clone(),
        races: runtime.options.debug,
        file,
        observations: Observations::of_compile(constructs, runtime.cache.is_on(), observed, troubles),
        kernel: typed,
    })
}

/// Compiles the tasks that the cache of `runtime` lacks for `target`, without loading anything. With the cache off it
/// compiles all of them, and nothing is kept.
pub(super) fn prepare_for(runtime: &Inner, kernel: &'static KernelStatic, target: &Target) -> Result<Observations> {
    let typed = typed(kernel, overflow(&runtime.options))?;
    let backend = compiler_for(target);
    let constructs = typed.constructs.values();
    let keyed = keys(constructs, runtime, &*backend)?;
    let obtained = each_once(&keyed, runtime.options.threads().get(), |keyed| {
        let miss = match runtime.cache.get(&keyed.key) {
            Ok(found) => match wrong_kind(&*backend, &found.artifact) {
                None => return Ok(Record::found(&found.artifact, found.outcome, Duration::ZERO)),
                Some(what) => {
                    runtime.cache.remove(&keyed.key);
                    Miss::LoadRefused(what)
                }
            },
            Err(miss) => miss,
        };
        let (artifact, time) = compile(&*backend, kernel.desc(), keyed, &runtime.options)?;
        runtime.cache.put(&artifact);
        Ok(Record::compiled(&artifact, miss, time, Duration::ZERO))
    })?;
    note_library(runtime, &keyed);
    let observed = constructs.iter().zip(keyed.iter().zip(obtained)).enumerate();
    let observed = observed.map(|(index, (construct, (keyed, (first, record))))| {
        let source = format!("{}:{}", kernel.desc().file, construct.pos);
        record.observation(index, first, keyed, source, kernel)
    });
    let on = runtime.cache.is_on();
    Ok(Observations::of_compile(typed.constructs.len(), on, observed.collect(), runtime.cache.troubles()))
}

/// Notes with the code of `keyed` which library it holds functions of: all tasks of one backend use one.
fn note_library(runtime: &Inner, keyed: &[Keyed<'_>]) {
    if let Some((file, digest)) = keyed.iter().find_map(|keyed| keyed.library) {
        library::note(&runtime.cache, file, &digest);
    }
}

/// What arithmetic does in that runtime.
fn overflow(options: &Options) -> Overflow {
    if options.debug { Overflow::Fails } else { Overflow::Wraps }
}

fn codegen_options(options: &Options, block: Option<u32>) -> CodegenOptions {
    CodegenOptions { opt_level: options.opt_level, checks: true, races: options.debug, block }
}

/// The options that are in keys.
fn code_options(options: &Options) -> CodeOptions {
    let CodegenOptions { opt_level, checks, races: _, block: _ } = codegen_options(options, None);
    CodeOptions { opt_level, checks, fast_math: options.fast_math, debug: options.debug }
}

fn keys<'a>(constructs: &'a [plan::Construct], runtime: &Inner, backend: &dyn Backend) -> Result<Vec<Keyed<'a>>> {
    let options = &runtime.options;
    let of = |construct: &'a plan::Construct| {
        let task = &construct.task;
        let options_of_task = codegen_options(options, construct.block);
        let Identity { target, library, baked, abi } = backend.identity(task, options_of_task)?;
        let at_hand = library.as_ref().and_then(|library| Some((library.file, *library.digest.as_ref().ok()?)));
        let callees = library
            .map_or(Ok(Vec::new()), |library| library::digest(&runtime.cache, library).map(|digest| digest.to_vec()))?;
        let parts = KeyParts {
            ir: &canonical::encode(task),
            callees: &callees,
            baked: &baked,
            target: &target,
            options: code_options(options),
            codegen: CODEGEN_FINGERPRINT,
            helper_abi: abi,
            context_layout: CONTEXT_ABI,
            llvm_series: LLVM_SERIES,
        }
        .digests();
        Ok(Keyed { task, options: options_of_task, parts, key: parts.key(), library: at_hand })
    };
    constructs.iter().map(of).collect()
}

/// `make` of each task, of equal keys only of the first, on up to `threads` threads. Beside each result: whether the
/// task is the first of its key.
fn each_once<T: Clone + Send>(
    keyed: &[Keyed<'_>],
    threads: usize,
    make: impl Fn(&Keyed<'_>) -> Result<T> + Sync,
) -> Result<Vec<(bool, T)>> {
    let mut job_of_key = HashMap::new();
    let mut jobs = Vec::new();
    let job_of: Vec<usize> = keyed
        .iter()
        .map(|keyed| {
            *job_of_key.entry(keyed.key).or_insert_with(|| {
                jobs.push(keyed);
                jobs.len() - 1
            })
        })
        .collect();
    let made: Vec<Mutex<Option<Result<T>>>> = jobs.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = make(job);
            // The position of a job is that of its key.
            *lock(&made[job_of_key[&job.key]]) = Some(result);
        }
    };
    // Threads of our own: a thread of a pool that waits for another's compile would pick up work of the same pool,
    // perhaps the very task it waits for.
    thread::scope(|scope| {
        for _ in 1..threads.min(jobs.len()) {
            // Without the thread this one does the work.
            if stack::builder().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    let made = made
        .into_iter()
        .map(|made| {
            made.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).unwrap_or_else(|| {
                // A worker that panicked has ended this function in `scope`.
                Err(Error::internal("a task was left out"))
            })
        })
        .collect::<Result<Vec<T>>>()?;
    let mut seen = vec![false; made.len()];
    Ok(job_of.into_iter().map(|job| (!std::mem::replace(&mut seen[job], true), made[job].clone())).collect())
}

/// The code of each of the kernel's `wanted` tasks for `target`, compiled anew.
pub(super) fn artifacts(
    runtime: &Inner,
    kernel: &KernelStatic,
    target: &Target,
    wanted: &mut (dyn FnMut(&TaskKey) -> bool + Send),
) -> Result<Vec<(TaskKey, crate::backend::Artifact)>> {
    let typed = typed(kernel, overflow(&runtime.options))?;
    let backend = compiler_for(target);
    let keyed = keys(typed.constructs.values(), runtime, &*backend)?;
    let wanted = keyed.iter().filter(|keyed| wanted(&keyed.key));
    wanted.map(|keyed| Ok((keyed.key, backend.compile(keyed.task, &keyed.key.symbol(), keyed.options)?))).collect()
}

/// The assembly text of all tasks, for `target` or else what the runtime runs on.
pub(super) fn assembly(runtime: &Inner, kernel: &KernelStatic, target: Option<&Target>) -> Result<String> {
    let compiler = target.map(compiler_for);
    let backend = compiler.as_deref().unwrap_or(&*runtime.backend);
    let typed = typed(kernel, overflow(&runtime.options))?;
    let mut text = String::new();
    for keyed in keys(typed.constructs.values(), runtime, backend)? {
        text.push_str(&backend.assembly(keyed.task, &keyed.key.symbol(), keyed.options)?);
    }
    Ok(text)
}

/// The code of a task, from wherever it is nearest.
fn obtain(runtime: &Inner, desc: &KernelDesc, keyed: &Keyed<'_>) -> Result<LoadedTask> {
    let (mut loaded, role) = runtime.under_way.run(keyed.key, || {
        if let Some(loaded) = lock(&runtime.loaded).get(&keyed.key) {
            let record = Record {
                outcome: Outcome::Memory,
                miss: None,
                compile: None,
                load: Duration::ZERO,
                ..loaded.record.clone()
            };
            return Ok(LoadedTask { record, ..loaded.clone() });
        }
        let loaded = find_or_compile(runtime, desc, keyed)?;
        if runtime.cache.is_on() {
            lock(&runtime.loaded).insert(keyed.key, loaded.clone());
        }
        Ok::<_, Error>(loaded)
    })?;
    match role {
        Role::Led => {}
        // With the cache off every kernel compiles for itself, except beside another that does so at this moment.
        Role::Joined => loaded.record = Record { outcome: Outcome::Joined, miss: None, compile: None, ..loaded.record },
    }
    Ok(loaded)
}

fn find_or_compile(runtime: &Inner, desc: &KernelDesc, keyed: &Keyed<'_>) -> Result<LoadedTask> {
    let miss = match runtime.cache.get(&keyed.key) {
        Ok(found) => match load(&*runtime.backend, keyed, &found.artifact) {
            Ok((code, time)) => {
                return Ok(LoadedTask { code, record: Record::found(&found.artifact, found.outcome, time) });
            }
            // What the machine lacks (LLVM, memory) says nothing about the entry.
            Err(error) if error.kind() == ErrorKind::Environment => return Err(error),
            Err(error) => {
                runtime.cache.remove(&keyed.key);
                Miss::LoadRefused(error.to_string())
            }
        },
        Err(miss) => miss,
    };
    let (artifact, compile) = compile(&*runtime.backend, desc, keyed, &runtime.options)?;
    // Before it is loaded: whatever happens to this process now, the next one has it.
    runtime.cache.put(&artifact);
    let (code, time) = load(&*runtime.backend, keyed, &artifact).inspect_err(|_| runtime.cache.remove(&keyed.key))?;
    Ok(LoadedTask { code, record: Record::compiled(&artifact, miss, compile, time) })
}

fn load(backend: &dyn Backend, keyed: &Keyed<'_>, artifact: &Artifact) -> Result<(Arc<dyn Executable>, Duration)> {
    let started = Instant::now();
    if let Some(what) = wrong_kind(backend, artifact) {
        return Err(Error::internal(what));
    }
    let code = backend.load(keyed.task, &keyed.key.symbol(), keyed.options, artifact.payload())?;
    Ok((code.into(), started.elapsed()))
}

/// Compiles a task, for the kernel described by `desc`.
fn compile(
    backend: &dyn Backend,
    desc: &KernelDesc,
    keyed: &Keyed<'_>,
    options: &Options,
) -> Result<(Artifact, CompileTime)> {
    let compiled = backend.compile(keyed.task, &keyed.key.symbol(), keyed.options);
    let compiled = compiled.map_err(|error| {
        let is_kernels = error.kind() == ErrorKind::Kernel;
        let named = || format!("kernel `{}` at {}:{}: {error}", desc.name, desc.file, desc.line);
        if is_kernels { Error::new(ErrorKind::Kernel, named()) } else { error }
    })?;
    if let Some(folder) = &options.dump_dir {
        dump::task(folder, desc, &keyed.key, keyed.task, backend, keyed.options);
    }
    let time = CompileTime::new(compiled.lower, compiled.passes, compiled.emit);
    Ok((Artifact::new(kind(backend.form()), keyed.parts, compiled.compiler, compiled.bytes), time))
}

/// How the store calls what a backend makes.
fn kind(form: Form) -> ArtifactKind {
    match form {
        Form::Object => ArtifactKind::Object,
        Form::Ptx => ArtifactKind::Ptx,
        Form::Hsaco => ArtifactKind::Hsaco,
        Form::Bitcode => ArtifactKind::Bitcode,
    }
}

/// What is wrong with an entry that isn't code of the backend's kind, if it isn't.
fn wrong_kind(backend: &dyn Backend, artifact: &Artifact) -> Option<String> {
    let (kind, wanted) = (artifact.kind(), kind(backend.form()));
    (kind != wanted).then(|| format!("the entry holds {kind:?} and not {wanted:?}"))
}

impl Record {
    fn found(artifact: &Artifact, outcome: Outcome, load: Duration) -> Self {
        Record { outcome, miss: None, compile: None, load, bytes: artifact.payload().len() }
    }

    fn compiled(artifact: &Artifact, miss: Miss, compile: CompileTime, load: Duration) -> Self {
        let bytes = artifact.payload().len();
        Record { outcome: Outcome::Compiled, miss: Some(miss), compile: Some(compile), load, bytes }
    }

    /// What is told of the task as part of a kernel. `first`: no earlier task of the kernel has its key.
    fn observation(
        self,
        index: usize,
        first: bool,
        keyed: &Keyed<'_>,
        source: String,
        kernel: &KernelStatic,
    ) -> TaskObservation {
        if !first {
            let mut shared = TaskObservation::new(index, keyed.key, Outcome::Shared, source);
            shared.bytes = self.bytes;
            return shared;
        }
        let mut observation = TaskObservation::new(index, keyed.key, self.outcome, source);
        observation.miss = self.miss.map(|miss| match miss {
            Miss::Absent { .. } => Miss::Absent { differs: kernel.differs(index, &keyed.parts) },
            Miss::CacheOff | Miss::Damaged(_) | Miss::Unreadable(_) | Miss::LoadRefused(_) => miss,
        });
        observation.compile = self.compile;
        observation.load = self.load;
        observation.bytes = self.bytes;
        observation
    }
}
