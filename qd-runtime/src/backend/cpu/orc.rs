//! The JIT linker: object code in, addresses out. The only file that calls ORC.
//!
//! One LLJIT a process, made on first need and never disposed, so no code is unmapped by a runtime that goes. Each
//! loaded object has a resource tracker; dropping its [`LoadedObject`] unmaps exactly that object.
//!
//! Objects see the helper table ([`super::helpers`]) and their own symbols, nothing of the process: they are linked in
//! bare dylibs, whose search order is only themselves, not in LLJIT's main one, behind which it hides a generator for
//! the symbols of the process. One such dylib is enough while the names of loaded objects differ; an object whose
//! names are taken (two runtimes that load the same artifact) goes to the next one.
//!
//! ORC returns a bare "failed to materialize" and hands the reason to a reporter of the whole session. To match them,
//! a load that fails is done once more with all other loads held up, so that what is reported meanwhile is its own.
//!
//! This file must not know tasks, keys or the cache. Linking an object is trusting it: ORC doesn't survive every
//! corrupt object, so callers check integrity before.
use std::collections::HashSet;
use std::ffi::{CStr, CString, c_void};
use std::fmt;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use llvm_sys::orc2::lljit::{
    LLVMOrcCreateLLJIT, LLVMOrcCreateLLJITBuilder, LLVMOrcLLJITAddObjectFileWithRT, LLVMOrcLLJITGetExecutionSession,
    LLVMOrcLLJITRef,
};
use llvm_sys::orc2::{
    LLVMJITEvaluatedSymbol, LLVMJITSymbolFlags, LLVMJITSymbolGenericFlags, LLVMOrcAbsoluteSymbols,
    LLVMOrcCJITDylibSearchOrderElement, LLVMOrcCLookupSetElement, LLVMOrcCSymbolMapPair, LLVMOrcCSymbolMapPairs,
    LLVMOrcDisposeMaterializationUnit, LLVMOrcExecutionSessionCreateBareJITDylib,
    LLVMOrcExecutionSessionGetSymbolStringPool, LLVMOrcExecutionSessionIntern, LLVMOrcExecutionSessionLookup,
    LLVMOrcExecutionSessionRef, LLVMOrcExecutionSessionSetErrorReporter, LLVMOrcJITDylibCreateResourceTracker,
    LLVMOrcJITDylibDefine, LLVMOrcJITDylibLookupFlags, LLVMOrcJITDylibRef, LLVMOrcLookupKind,
    LLVMOrcReleaseResourceTracker, LLVMOrcReleaseSymbolStringPoolEntry, LLVMOrcResourceTrackerRef,
    LLVMOrcResourceTrackerRemove, LLVMOrcRetainSymbolStringPoolEntry, LLVMOrcSymbolLookupFlags,
    LLVMOrcSymbolStringPoolClearDeadEntries, LLVMOrcSymbolStringPoolEntryRef,
};
use once_cell::sync::OnceCell;

use super::helpers;
use crate::error::{Error, Result};
use crate::forked;
use crate::llvm::Llvm;

/// After so many unloads the names of unloaded symbols are dropped from ORC's string pool, which never does so itself.
const UNLOADS_BETWEEN_SWEEPS: usize = 256;

/// What ORC reported and nobody has read yet. Of the process, as the JIT is.
static REPORTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The JIT linker of this process.
pub struct Jit {
    jit: LLVMOrcLLJITRef,
    session: LLVMOrcExecutionSessionRef,
    /// Held shared by a load, exclusively by the second try of a load that failed.
    loads: RwLock<()>,
    dylibs: Mutex<Vec<Dylib>>,
    unloads: AtomicUsize,
}

/// A bare JITDylib with the helpers in it, and the names that loaded objects define in it.
struct Dylib {
    handle: LLVMOrcJITDylibRef,
    taken: HashSet<CString>,
}

// SAFETY: an ORC session, its dylibs and LLJIT synchronise themselves and aren't tied to a thread; the pointers live as
// long as the process.
unsafe impl Send for Jit {}
// SAFETY: as above.
unsafe impl Sync for Jit {}

impl fmt::Debug for Jit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jit").finish_non_exhaustive()
    }
}

impl Jit {
    /// The JIT of this process, made at the first call that succeeds.
    pub fn get(_llvm: &'static Llvm) -> Result<&'static Jit> {
        static JIT: OnceCell<Jit> = OnceCell::new();
        JIT.get_or_try_init(Jit::create)
    }

    fn create() -> Result<Jit> {
        let mut jit = null_mut();
        // SAFETY: LLVM is loaded (the caller of `get` holds an `Llvm`) and the host's target initialised; the builder
        // is consumed.
        let error = unsafe { LLVMOrcCreateLLJIT(&mut jit, LLVMOrcCreateLLJITBuilder()) };
        check(error).map_err(|reason| Error::internal(format_args!("LLVM's JIT can't be made: {reason}")))?;
        // SAFETY: the JIT was made; the session lives as long as it, for ever. The reporter needs no context.
        let session = unsafe {
            let session = LLVMOrcLLJITGetExecutionSession(jit);
            LLVMOrcExecutionSessionSetErrorReporter(session, report, null_mut());
            session
        };
        Ok(Jit { jit, session, loads: RwLock::new(()), dylibs: Mutex::new(Vec::new()), unloads: AtomicUsize::new(0) })
    }

    /// Links `object`, an object file for this machine, and gives the addresses of `symbols` in it. `symbols` names
    /// every global symbol that the object defines.
    ///
    /// Any number of threads may load at once. After an error nothing of the object is left.
    pub fn load(&'static self, object: &[u8], symbols: &[&str]) -> Result<LoadedObject> {
        let names = symbols
            .iter()
            .map(|&symbol| CString::new(symbol))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| Error::internal(format_args!("a symbol's name has a zero byte: {error}")))?;
        if names.is_empty() {
            return Err(Error::internal("an object without a symbol was to be loaded"));
        }
        if !is_for_this_machine(object) {
            let symbols = symbols.join(", ");
            return Err(Error::internal(format_args!(
                "the object code of {symbols} is no ELF object for this machine"
            )));
        }
        {
            let _shared = self.loads.read().unwrap_or_else(PoisonError::into_inner);
            if let Ok(loaded) = self.try_load(object, &names) {
                return Ok(loaded);
            }
        }
        let _exclusive = self.loads.write().unwrap_or_else(PoisonError::into_inner);
        lock(&REPORTS).clear();
        self.try_load(object, &names).map_err(|reason| {
            let mut reasons = std::mem::take(&mut *lock(&REPORTS));
            reasons.push(reason);
            let symbols = symbols.join(", ");
            Error::internal(format_args!("the object code of {symbols} can't be linked: {}", reasons.join("; ")))
        })
    }

    /// As [`load`](Self::load), with ORC's own word on a failure.
    fn try_load(&'static self, object: &[u8], names: &[CString]) -> Result<LoadedObject, String> {
        let (room, dylib) = self.claim(names)?;
        // SAFETY: the dylib is one of the session. The tracker is released by `LoadedObject::drop`.
        let tracker = unsafe { LLVMOrcJITDylibCreateResourceTracker(dylib) };
        let mut loaded = LoadedObject { jit: self, room, names: names.into(), tracker, addresses: Box::default() };
        // SAFETY: the buffer is a copy of `object` and is consumed by the call, also where it fails; the tracker is of
        // a dylib of this JIT's session.
        let error = unsafe {
            let buffer =
                LLVMCreateMemoryBufferWithMemoryRangeCopy(object.as_ptr().cast(), object.len(), c"object".as_ptr());
            LLVMOrcLLJITAddObjectFileWithRT(self.jit, tracker, buffer)
        };
        check(error)?;
        loaded.addresses = self.look_up(dylib, names)?;
        Ok(loaded)
    }

    /// Takes the names in the first dylib where all of them are free. Gives its number and handle.
    fn claim(&self, names: &[CString]) -> Result<(usize, LLVMOrcJITDylibRef), String> {
        let mut dylibs = lock(&self.dylibs);
        let free = dylibs.iter().position(|dylib| names.iter().all(|name| !dylib.taken.contains(name)));
        let room = match free {
            Some(room) => room,
            None => {
                let handle = self.new_dylib(dylibs.len())?;
                dylibs.push(Dylib { handle, taken: HashSet::new() });
                dylibs.len() - 1
            }
        };
        let dylib = &mut dylibs[room];
        dylib.taken.extend(names.iter().cloned());
        Ok((room, dylib.handle))
    }

    /// A dylib that holds the helpers.
    fn new_dylib(&self, number: usize) -> Result<LLVMOrcJITDylibRef, String> {
        let name = format!("qd {number}\0");
        let callable = LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsExported as u8
            | LLVMJITSymbolGenericFlags::LLVMJITSymbolGenericFlagsCallable as u8;
        let mut symbols = Vec::with_capacity(helpers::all().len());
        for helper in helpers::all() {
            let name = CString::new(helper.name).map_err(|error| error.to_string())?;
            symbols.push(LLVMOrcCSymbolMapPair {
                Name: Interned::new(self, &name).another(),
                Sym: LLVMJITEvaluatedSymbol {
                    Address: helper.address() as u64,
                    Flags: LLVMJITSymbolFlags { GenericFlags: callable, TargetFlags: 0 },
                },
            });
        }
        // SAFETY: `name` is terminated and copied. `AbsoluteSymbols` takes over one reference to each name; the unit it
        // makes goes to the dylib, unless that refuses it: then it is still ours.
        unsafe {
            let dylib = LLVMOrcExecutionSessionCreateBareJITDylib(self.session, name.as_ptr().cast());
            let unit = LLVMOrcAbsoluteSymbols(symbols.as_mut_ptr(), symbols.len());
            check(LLVMOrcJITDylibDefine(dylib, unit)).inspect_err(|_| LLVMOrcDisposeMaterializationUnit(unit))?;
            Ok(dylib)
        }
    }

    /// Links what defines `names`, and gives their addresses in that order.
    fn look_up(&self, dylib: LLVMOrcJITDylibRef, names: &[CString]) -> Result<Box<[usize]>, String> {
        let keys: Vec<_> = names.iter().map(|name| Interned::new(self, name)).collect();
        let mut order = LLVMOrcCJITDylibSearchOrderElement {
            JD: dylib,
            JDLookupFlags: LLVMOrcJITDylibLookupFlags::LLVMOrcJITDylibLookupFlagsMatchAllSymbols,
        };
        let mut wanted: Vec<_> = keys
            .iter()
            .map(|key| LLVMOrcCLookupSetElement {
                Name: key.another(),
                LookupFlags: LLVMOrcSymbolLookupFlags::LLVMOrcSymbolLookupFlagsRequiredSymbol,
            })
            .collect();
        // The lookup may end on another thread that loads at the same time and so took over our linking.
        let (sender, receiver) = sync_channel::<Found>(1);
        let context = Box::into_raw(Box::new(sender));
        // SAFETY: order and set are copied before the call returns; the set's references are taken over. ORC calls
        // `found` exactly once, which frees the context.
        unsafe {
            LLVMOrcExecutionSessionLookup(
                self.session,
                LLVMOrcLookupKind::LLVMOrcLookupKindStatic,
                &mut order,
                1,
                wanted.as_mut_ptr(),
                wanted.len(),
                found,
                context.cast(),
            );
        }
        let pairs = receiver.recv().map_err(|_| "ORC gave up a lookup without a word".to_owned())??;
        keys.iter()
            .map(|key| pairs.iter().find(|(name, _)| *name == key.identity()).map(|&(_, address)| address))
            .collect::<Option<_>>()
            .ok_or_else(|| "ORC's answer lacks a symbol that was asked for".to_owned())
    }

    /// Frees names after their object is gone.
    fn release(&self, room: usize, names: &[CString]) {
        let mut dylibs = lock(&self.dylibs);
        for name in names {
            dylibs[room].taken.remove(name);
        }
        drop(dylibs);
        if (self.unloads.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(UNLOADS_BETWEEN_SWEEPS) {
            // SAFETY: the pool is the session's and locks itself; entries with references stay.
            unsafe {
                LLVMOrcSymbolStringPoolClearDeadEntries(LLVMOrcExecutionSessionGetSymbolStringPool(self.session))
            };
        }
    }
}

/// An object in executable memory. Dropping it unmaps the code, so whoever runs it holds it.
pub struct LoadedObject {
    jit: &'static Jit,
    /// Index of its dylib.
    room: usize,
    names: Box<[CString]>,
    tracker: LLVMOrcResourceTrackerRef,
    addresses: Box<[usize]>,
}

// SAFETY: a tracker belongs to the session, which synchronises itself; the rest is plain data.
unsafe impl Send for LoadedObject {}
// SAFETY: as above; nothing changes behind a shared reference.
unsafe impl Sync for LoadedObject {}

impl LoadedObject {
    /// The addresses of the symbols that [`Jit::load`] was given, in its order. They end with this value.
    pub fn addresses(&self) -> &[usize] {
        &self.addresses
    }
}

impl fmt::Debug for LoadedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedObject").field("names", &self.names).field("addresses", &self.addresses).finish()
    }
}

impl Drop for LoadedObject {
    fn drop(&mut self) {
        // Another thread may have held ORC's locks.
        if forked::is_child() {
            return;
        }
        // SAFETY: the tracker is ours and used for the last time; whoever could still run the code would hold `self`.
        let removed = unsafe {
            let removed = check(LLVMOrcResourceTrackerRemove(self.tracker));
            LLVMOrcReleaseResourceTracker(self.tracker);
            removed
        };
        match removed {
            Ok(()) => self.jit.release(self.room, &self.names),
            // The names stay taken, as ORC may still know them; a later load of them goes to another dylib.
            Err(reason) => tracing::warn!(%reason, "an object's code could not be unmapped"),
        }
    }
}

/// A reference to the session's only copy of a name.
struct Interned(LLVMOrcSymbolStringPoolEntryRef);

impl Interned {
    fn new(jit: &Jit, name: &CStr) -> Self {
        // SAFETY: the name is terminated, and copied.
        Interned(unsafe { LLVMOrcExecutionSessionIntern(jit.session, name.as_ptr()) })
    }

    /// One more reference, to be handed over.
    fn another(&self) -> LLVMOrcSymbolStringPoolEntryRef {
        // SAFETY: the entry lives while we hold a reference.
        unsafe { LLVMOrcRetainSymbolStringPoolEntry(self.0) };
        self.0
    }

    /// Equal for equal names of a session.
    fn identity(&self) -> usize {
        self.0.addr()
    }
}

impl Drop for Interned {
    fn drop(&mut self) {
        // SAFETY: gives back the reference that `new` got.
        unsafe { LLVMOrcReleaseSymbolStringPoolEntry(self.0) };
    }
}

/// Whether the ELF header names this architecture. ORC would link another's code all the same.
fn is_for_this_machine(object: &[u8]) -> bool {
    let machine: u8 = if cfg!(target_arch = "x86_64") { 62 } else { 183 };
    // 64 bits, little-endian; at 16 the type, a relocatable object; at 18 the machine.
    object.starts_with(b"\x7fELF\x02\x01") && object.get(16..20) == Some(&[1, 0, machine, 0])
}

/// A lookup's end: identities of names with their addresses, or why there are none.
type Found = Result<Vec<(usize, usize)>, String>;

/// Called by ORC at the end of a lookup, on any thread.
extern "C" fn found(error: LLVMErrorRef, pairs: LLVMOrcCSymbolMapPairs, count: usize, context: *mut c_void) {
    // SAFETY: the context that `look_up` made, which ORC passes exactly once.
    let sender = unsafe { Box::from_raw(context.cast::<SyncSender<Found>>()) };
    let result = check(error).map(|()| {
        let pairs = match count {
            0 => &[],
            // SAFETY: without an error, ORC passes `count` pairs that live through this call.
            _ => unsafe { std::slice::from_raw_parts(pairs, count) },
        };
        pairs.iter().map(|pair| (pair.Name.addr(), pair.Sym.Address as usize)).collect()
    });
    // The receiver waits for this; it can't be gone, and if it were, nobody would want the answer.
    let _ = sender.send(result);
}

/// Called by ORC, on any thread, with an error that no caller gets.
extern "C" fn report(_context: *mut c_void, error: LLVMErrorRef) {
    if let Err(reason) = check(error) {
        lock(&REPORTS).push(reason);
    }
}

/// LLVM's error as text; consumes it.
fn check(error: LLVMErrorRef) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: an error that isn't null is ours to consume; its message is a terminated string that we free.
    unsafe {
        let message = LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().trim_end().to_owned();
        LLVMDisposeErrorMessage(message);
        Err(text)
    }
}

/// Locks; what these mutexes guard is whole after every statement, so a panic elsewhere doesn't spoil it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
