//! A shared library with qd and inkwell inside, for hosts that know neither.

/// [`own_inkwell::answer`] for C.
#[unsafe(no_mangle)]
pub extern "C" fn qd_plugin_answer() -> i32 {
    own_inkwell::answer()
}
