//! The helper table: every function that a task's object code may call, by name.
//!
//! Objects hold names, never addresses, so that they can be cached and shared; the JIT, and any other loader, resolve
//! a name through this table and through nothing else. The `qd_v*` rows are the own methods of std and `half`, so strict results
//! are those of the process that runs the code: LLVM doesn't know the names and can't fold a call at compile time.
//! The plain names are those that LLVM itself may ask for, all of them exact or without arithmetic.
//!
//! Invariants: functions only, never data (a loader then needs no more than call stubs); none unwinds; the meaning of
//! a name never changes without [`HELPER_ABI`] and the version in the name changing, since cached objects hold them.
//!
//! Nothing of LLVM is used here.
use std::ffi::{c_int, c_void};

use qd_ir::fault::{Fault, Touch};

use crate::codegen::fault::{FaultRecord, FaultState};
use crate::codegen::say::Line;

/// Version of the names and signatures below; a part of every key.
pub const HELPER_ABI: u32 = 4;

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Helper {
    /// The name in objects.
    pub name: &'static str,
    address: *const (),
}

// SAFETY: the address of a function of this program, which any thread may call and nobody writes through.
unsafe impl Sync for Helper {}
// SAFETY: as above.
unsafe impl Send for Helper {}

impl Helper {
    /// Where the function is in this process.
    pub fn address(&self) -> usize {
        self.address.expose_provenance()
    }
}

/// All rows.
pub fn all() -> &'static [Helper] {
    HELPERS
}

/// The address of the helper called `name`.
pub fn lookup(name: &str) -> Option<usize> {
    HELPERS.iter().find(|helper| helper.name == name).map(Helper::address)
}

/// The table from its rows. Of `method` there are two: with `Float` as f32 and as f64. Of `c` there is one, under its
/// own name.
macro_rules! helpers {
    (
        $(method $method:ident($($m_arg:ident: $m_type:ty),*) { $m_body:expr })*
        $(c $c_name:ident($($c_arg:ident: $c_type:ty),*) -> $c_result:ty { $c_body:expr })*
    ) => {
        static HELPERS: &[Helper] = &[
            $(
                Helper {
                    name: concat!("qd_v1_", stringify!($method), "_f32"),
                    address: {
                        type Float = f32;
                        extern "C" fn helper($($m_arg: $m_type),*) -> Float { $m_body }
                        helper as *const ()
                    },
                },
                Helper {
                    name: concat!("qd_v1_", stringify!($method), "_f64"),
                    address: {
                        type Float = f64;
                        extern "C" fn helper($($m_arg: $m_type),*) -> Float { $m_body }
                        helper as *const ()
                    },
                },
            )*
            $(
                Helper {
                    name: stringify!($c_name),
                    address: {
                        unsafe extern "C" fn helper($($c_arg: $c_type),*) -> $c_result { $c_body }
                        helper as *const ()
                    },
                },
            )*
        ];
    };
}

helpers! {
    method sin(x: Float) { x.sin() }
    method cos(x: Float) { x.cos() }
    method tan(x: Float) { x.tan() }
    method asin(x: Float) { x.asin() }
    method acos(x: Float) { x.acos() }
    method atan(x: Float) { x.atan() }
    method atan2(y: Float, x: Float) { y.atan2(x) }
    method sinh(x: Float) { x.sinh() }
    method cosh(x: Float) { x.cosh() }
    method tanh(x: Float) { x.tanh() }
    method asinh(x: Float) { x.asinh() }
    method acosh(x: Float) { x.acosh() }
    method atanh(x: Float) { x.atanh() }
    method exp(x: Float) { x.exp() }
    method exp2(x: Float) { x.exp2() }
    method exp_m1(x: Float) { x.exp_m1() }
    method ln(x: Float) { x.ln() }
    method log(x: Float, base: Float) { x.log(base) }
    method log2(x: Float) { x.log2() }
    method log10(x: Float) { x.log10() }
    method ln_1p(x: Float) { x.ln_1p() }
    method powf(x: Float, n: Float) { x.powf(n) }
    method powi(x: Float, n: i32) { x.powi(n) }
    method cbrt(x: Float) { x.cbrt() }
    method hypot(x: Float, y: Float) { x.hypot(y) }
    method rem(x: Float, y: Float) { x % y }
    method div_euclid(x: Float, y: Float) { x.div_euclid(y) }
    method rem_euclid(x: Float, y: Float) { x.rem_euclid(y) }
    // Exact ones, for targets without an instruction.
    method mul_add(x: Float, y: Float, z: Float) { x.mul_add(y, z) }

    c qd_v2_fault(
        state: *const FaultState,
        iteration: u64,
        site: u32,
        fault: u32,
        first: u64,
        second: u64,
        third: u64,
        fourth: u64
    ) -> () {
        // SAFETY: the launcher's state lives as long as the launch, and only generated code of that launch calls this.
        unsafe { &*state }.record(FaultRecord { iteration, site, fault, values: vec![first, second, third, fourth] })
    }
    c qd_v1_fail(state: *const FaultState, iteration: u64, site: u32, count: u32, values: *const u64) -> () {{
        // SAFETY: as above; generated code passes that many words of its own stack.
        let (state, values) = unsafe { (&*state, std::slice::from_raw_parts(values, count as usize)) };
        state.record(FaultRecord { iteration, site, fault: Fault::Panic as u32, values: values.to_vec() });
    }}
    c qd_v1_print(state: *const FaultState, iteration: u64, site: u32, count: u32, values: *const u64) -> () {{
        // SAFETY: as above.
        let (state, values) = unsafe { (&*state, std::slice::from_raw_parts(values, count as usize)) };
        state.lines.add(Line { iteration, site, values: values.into() });
    }}
    c qd_v1_touch(state: *const FaultState, at: *const c_void, iteration: u64, touch: u32, site: u32) -> u32 {{
        // SAFETY: as above. The place is only a number here.
        let state = unsafe { &*state };
        let touch = Touch::ALL.get(touch as usize).copied().unwrap_or(Touch::Write);
        match state.accesses.touch(at.addr(), iteration, touch) {
            None => 0,
            Some((other, did)) => {
                let values = vec![other, touch as u64, did as u64];
                state.record(FaultRecord { iteration, site, fault: Fault::Race as u32, values });
                1
            }
        }
    }}
    c qd_v1_isqrt_u128(x: u128) -> u128 { x.isqrt() }
    c qd_v1_from_f64_f16(x: f64) -> u16 { half::f16::from_f64(x).to_bits() }
    c qd_v1_from_f64_bf16(x: f64) -> u16 { half::bf16::from_f64(x).to_bits() }
    // What LLVM asks for on its own: for loops that copy or fill, for large values, for `llvm.fma` and the rounding
    // intrinsics on targets without FMA or SSE4.1, for `frem`, and for integers of 128 bits. Others need nothing on
    // 64-bit targets.
    c memcpy(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void {
        // SAFETY: the caller keeps C's contract, as LLVM does.
        unsafe { libc::memcpy(to, from, size) }
    }
    c memmove(to: *mut c_void, from: *const c_void, size: usize) -> *mut c_void {
        // SAFETY: as for memcpy.
        unsafe { libc::memmove(to, from, size) }
    }
    c memset(to: *mut c_void, byte: c_int, size: usize) -> *mut c_void {
        // SAFETY: as for memcpy.
        unsafe { libc::memset(to, byte, size) }
    }
    c memcmp(a: *const c_void, b: *const c_void, size: usize) -> c_int {
        // SAFETY: as for memcpy.
        unsafe { libc::memcmp(a, b, size) }
    }
    c bcmp(a: *const c_void, b: *const c_void, size: usize) -> c_int {
        // SAFETY: as for memcpy. A memcmp is a bcmp.
        unsafe { libc::memcmp(a, b, size) }
    }
    c fmaf(x: f32, y: f32, z: f32) -> f32 { x.mul_add(y, z) }
    c fma(x: f64, y: f64, z: f64) -> f64 { x.mul_add(y, z) }
    c fmodf(x: f32, y: f32) -> f32 { x % y }
    c fmod(x: f64, y: f64) -> f64 { x % y }
    c floorf(x: f32) -> f32 { x.floor() }
    c floor(x: f64) -> f64 { x.floor() }
    c ceilf(x: f32) -> f32 { x.ceil() }
    c ceil(x: f64) -> f64 { x.ceil() }
    c truncf(x: f32) -> f32 { x.trunc() }
    c trunc(x: f64) -> f64 { x.trunc() }
    c roundf(x: f32) -> f32 { x.round() }
    c round(x: f64) -> f64 { x.round() }
    c roundevenf(x: f32) -> f32 { x.round_ties_even() }
    c roundeven(x: f64) -> f64 { x.round_ties_even() }
    // Generated code checks the divisor first; 0 is only there because these must not unwind.
    c __divti3(a: i128, b: i128) -> i128 { if b == 0 { 0 } else { a.wrapping_div(b) } }
    c __modti3(a: i128, b: i128) -> i128 { if b == 0 { 0 } else { a.wrapping_rem(b) } }
    c __udivti3(a: u128, b: u128) -> u128 { a.checked_div(b).unwrap_or(0) }
    c __umodti3(a: u128, b: u128) -> u128 { a.checked_rem(b).unwrap_or(0) }
    c __multi3(a: i128, b: i128) -> i128 { a.wrapping_mul(b) }
    c __floattisf(a: i128) -> f32 { a as f32 }
    c __floattidf(a: i128) -> f64 { a as f64 }
    c __floatuntisf(a: u128) -> f32 { a as f32 }
    c __floatuntidf(a: u128) -> f64 { a as f64 }
    c __fixsfti(x: f32) -> i128 { x as i128 }
    c __fixdfti(x: f64) -> i128 { x as i128 }
    c __fixunssfti(x: f32) -> u128 { x as u128 }
    c __fixunsdfti(x: f64) -> u128 { x as u128 }
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;

    use super::*;

    fn function(name: &str) -> *const () {
        std::ptr::with_exposed_provenance(lookup(name).unwrap())
    }

    fn unary_f32(name: &str) -> extern "C" fn(f32) -> f32 {
        // SAFETY: the row's signature.
        unsafe { std::mem::transmute(function(name)) }
    }

    fn binary_f64(name: &str) -> extern "C" fn(f64, f64) -> f64 {
        // SAFETY: the row's signature.
        unsafe { std::mem::transmute(function(name)) }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = all().iter().map(|helper| helper.name).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn rows_call_the_method_they_name() {
        for x in [0.3f32, -0.0, 1.0, -7.5, f32::INFINITY, f32::MIN_POSITIVE] {
            let x = black_box(x);
            let bits = |name| unary_f32(name)(x).to_bits();
            assert_eq!(bits("qd_v1_sin_f32"), x.sin().to_bits());
            assert_eq!(bits("qd_v1_atan_f32"), x.atan().to_bits());
            assert_eq!(bits("qd_v1_cbrt_f32"), x.cbrt().to_bits());
            assert_eq!(bits("qd_v1_exp_m1_f32"), x.exp_m1().to_bits());
            assert_eq!(bits("roundevenf"), x.round_ties_even().to_bits());
        }
        let (x, y) = (black_box(-7.25f64), black_box(3.0));
        assert_eq!(binary_f64("qd_v1_atan2_f64")(x, y), x.atan2(y));
        assert_eq!(binary_f64("qd_v1_powf_f64")(-x, y), (-x).powf(y));
        assert_eq!(binary_f64("qd_v1_log_f64")(-x, y), (-x).log(y));
        assert_eq!(binary_f64("qd_v1_rem_f64")(x, y), -1.25);
        assert_eq!(binary_f64("qd_v1_rem_euclid_f64")(x, y), 1.75);
        assert_eq!(binary_f64("qd_v1_div_euclid_f64")(x, y), -3.0);
    }

    #[test]
    fn integer_arguments_are_passed_as_integers() {
        // SAFETY: the row's signature.
        let powi: extern "C" fn(f64, i32) -> f64 = unsafe { std::mem::transmute(function("qd_v1_powi_f64")) };
        assert_eq!(powi(3.0, -2), 3.0f64.powi(-2));
    }

    #[test]
    fn wide_integers_are_passed_and_returned_whole() {
        type Binary = extern "C" fn(i128, i128) -> i128;
        // SAFETY: the rows' signatures.
        let [divide, rest, multiply]: [Binary; 3] = ["__divti3", "__modti3", "__multi3"]
            .map(|name| unsafe { std::mem::transmute::<*const (), Binary>(function(name)) });
        // SAFETY: the rows' signatures.
        let (root, narrow, wide): (
            extern "C" fn(u128) -> u128,
            extern "C" fn(u128) -> f32,
            extern "C" fn(f64) -> u128,
        ) = unsafe {
            (
                std::mem::transmute::<*const (), extern "C" fn(u128) -> u128>(function("qd_v1_isqrt_u128")),
                std::mem::transmute::<*const (), extern "C" fn(u128) -> f32>(function("__floatuntisf")),
                std::mem::transmute::<*const (), extern "C" fn(f64) -> u128>(function("__fixunsdfti")),
            )
        };
        let (a, b) = (black_box(-(5i128 << 70) - 3), black_box(7i128 << 65));
        assert_eq!((divide(a, b), rest(a, b), multiply(a, b)), (a / b, a % b, a.wrapping_mul(b)));
        assert_eq!(root(u128::MAX), u128::from(u64::MAX));
        assert_eq!(narrow(u128::MAX), u128::MAX as f32);
        assert_eq!(wide(1e30), 1e30 as u128);
    }

    #[test]
    fn unknown_names_have_no_address() {
        assert_eq!(lookup("qd_v1_sin_f16"), None);
        assert_eq!(lookup("getpid"), None);
    }
}
