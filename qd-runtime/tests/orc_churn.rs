//! Loading and unloading leaves nothing behind. A process of its own: it measures the whole process.
mod jit;

use qd_runtime::backend::cpu::orc::Jit;
use qd_runtime::llvm;

const PLACEHOLDER: &[u8] = b"task_00000000";

/// Resident kilobytes and the number of mappings.
fn footprint() -> (usize, usize) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    let kilobytes = resident.trim().trim_end_matches(" kB").parse().unwrap();
    (kilobytes, std::fs::read_to_string("/proc/self/maps").unwrap().lines().count())
}

#[test]
fn ten_thousand_loads_leave_memory_and_mappings_flat() {
    let jit = Jit::get(llvm::get().unwrap()).unwrap();
    let object = jit::compile(
        "declare double @qd_v1_sin_f64(double)
         define double @task_00000000(double %x) { %r = call double @qd_v1_sin_f64(double %x)\n ret double %r }",
    );
    let place = object.windows(PLACEHOLDER.len()).position(|window| window == PLACEHOLDER).unwrap();
    let cycle = |number: u32| {
        // A name of its own each time, as keys give them.
        let name = format!("task_{number:08x}");
        let mut object = object.clone();
        object[place..][..name.len()].copy_from_slice(name.as_bytes());
        let loaded = jit.load(&object, &[&name]).unwrap();
        let address = std::ptr::with_exposed_provenance::<()>(loaded.addresses()[0]);
        // SAFETY: the signature above; the object lives through the call.
        let function: extern "C" fn(f64) -> f64 = unsafe { std::mem::transmute(address) };
        assert_eq!(function(0.0), 0.0);
    };
    (0..1000).for_each(cycle);
    let (kilobytes, mappings) = footprint();
    (1000..11_000).for_each(cycle);
    let (kilobytes_after, mappings_after) = footprint();
    assert!(kilobytes_after < kilobytes + 1024, "{kilobytes} kB grew to {kilobytes_after} kB");
    assert!(mappings_after < mappings + 8, "{mappings} mappings grew to {mappings_after}");
}
