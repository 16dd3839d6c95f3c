//! Prints the answer; with the argument `early`, calls LLVM before it is loaded.
use std::ffi::{CStr, c_char, c_void};

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// Whether the program or one of its global libraries exports `name` (null is `RTLD_DEFAULT` on Linux).
fn is_exported(name: &CStr) -> bool {
    // SAFETY: the name is terminated; the address is only compared.
    unsafe { !dlsym(std::ptr::null_mut(), name.as_ptr()).is_null() }
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("early") {
        let _ = inkwell::context::Context::create();
    }
    println!("{}", own_inkwell::answer());
    // qd's stubs must not stand in for the functions of another libLLVM in the process.
    assert!(is_exported(c"malloc") && !is_exported(c"LLVMContextCreate"));
}
