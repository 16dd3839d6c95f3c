//! What LLVM complains of while it compiles a module, as an error instead of the end of the process: code generators for
//! GPUs report what they can't do to a handler, and without one LLVM prints it and calls `exit`.
use std::cell::RefCell;
use std::ffi::{CStr, c_void};

use inkwell::context::Context;
use llvm_sys::LLVMDiagnosticSeverity;
use llvm_sys::core::{
    LLVMContextSetDiagnosticHandler, LLVMDisposeMessage, LLVMGetDiagInfoDescription, LLVMGetDiagInfoSeverity,
};
use llvm_sys::prelude::LLVMDiagnosticInfoRef;

use crate::error::{Error, Result};

/// The complaints of one context so far.
pub(super) struct Diagnostics<'c> {
    context: &'c Context,
    errors: Box<RefCell<Vec<String>>>,
}

impl<'c> Diagnostics<'c> {
    /// Listens to `context` as long as this lives.
    pub(super) fn of(context: &'c Context) -> Self {
        let errors = Box::new(RefCell::new(Vec::new()));
        let data: *const RefCell<Vec<String>> = &*errors;
        // SAFETY: the handler gets a pointer to what `errors` owns, and is taken off before that goes.
        unsafe { LLVMContextSetDiagnosticHandler(context.raw(), Some(note), data.cast_mut().cast()) };
        Diagnostics { context, errors }
    }

    /// The first complaint as an error.
    pub(super) fn check(&self) -> Result<()> {
        match self.errors.borrow().first() {
            None => Ok(()),
            Some(error) => Err(Error::internal(format_args!("LLVM can't compile a task: {error}"))),
        }
    }
}

impl Drop for Diagnostics<'_> {
    fn drop(&mut self) {
        // SAFETY: the context lives; it has no handler from here on.
        unsafe { LLVMContextSetDiagnosticHandler(self.context.raw(), None, std::ptr::null_mut()) };
    }
}

extern "C" fn note(info: LLVMDiagnosticInfoRef, data: *mut c_void) {
    // SAFETY: LLVM calls this with a diagnostic that lives through the call, and with the pointer that was set.
    unsafe {
        if matches!(LLVMGetDiagInfoSeverity(info), LLVMDiagnosticSeverity::LLVMDSError) {
            let description = LLVMGetDiagInfoDescription(info);
            let text = CStr::from_ptr(description).to_string_lossy().into_owned();
            LLVMDisposeMessage(description);
            (*data.cast::<RefCell<Vec<String>>>()).borrow_mut().push(text);
        }
    }
}
