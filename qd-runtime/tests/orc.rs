//! Objects in and out of the JIT: what resolves, what is refused and how it is said, threads, equal names.
mod jit;

use jit::{compile, compile_for};
use qd_runtime::backend::cpu::orc::{Jit, LoadedObject};
use qd_runtime::error::ErrorKind;
use qd_runtime::llvm;
use qd_runtime::target::{CpuArch, CpuTarget};

fn jit() -> &'static Jit {
    Jit::get(llvm::get().unwrap()).unwrap()
}

/// An object with a function `name` that adds `number` to its argument.
fn adder(name: &str, number: i64) -> Vec<u8> {
    compile(&format!("define i64 @{name}(i64 %x) {{ %r = add i64 %x, {number}\n ret i64 %r }}"))
}

fn call(object: &LoadedObject, index: usize, x: i64) -> i64 {
    let address = std::ptr::with_exposed_provenance::<()>(object.addresses()[index]);
    // SAFETY: the tests load functions of this signature, and the object lives through the call.
    let function: extern "C" fn(i64) -> i64 = unsafe { std::mem::transmute(address) };
    function(x)
}

#[test]
fn llvm_says_what_it_is() {
    let llvm = llvm::get().unwrap();
    assert!(llvm.version().to_string().starts_with("22.1."), "{llvm}");
    assert!(llvm.path().is_file(), "{llvm}");
    assert!(std::ptr::eq(llvm, llvm::get().unwrap()));
}

#[test]
fn addresses_come_in_the_order_asked_for() {
    let object = compile(
        "define i64 @order_a(i64 %x) { ret i64 1 }
         define i64 @order_b(i64 %x) { ret i64 2 }
         define i64 @order_c(i64 %x) { %r = call i64 @order_b(i64 %x)\n ret i64 %r }",
    );
    let loaded = jit().load(&object, &["order_c", "order_a", "order_b"]).unwrap();
    assert_eq!([0, 1, 2].map(|index| call(&loaded, index, 0)), [2, 1, 2]);
}

#[test]
fn helpers_resolve_to_std() {
    let object = compile(
        "declare double @qd_v1_sin_f64(double)
         declare float @qd_v1_powi_f32(float, i32)
         declare ptr @memset(ptr, i32, i64)
         define double @uses_helpers(double %x, ptr %p) {
           %m = call ptr @memset(ptr %p, i32 7, i64 3)
           %n = call float @qd_v1_powi_f32(float 2.0, i32 3)
           %w = fpext float %n to double
           %s = call double @qd_v1_sin_f64(double %x)
           %r = fmul double %s, %w
           ret double %r
         }",
    );
    let loaded = jit().load(&object, &["uses_helpers"]).unwrap();
    let address = std::ptr::with_exposed_provenance::<()>(loaded.addresses()[0]);
    // SAFETY: the signature above; the object lives through the call.
    let function: extern "C" fn(f64, *mut u8) -> f64 = unsafe { std::mem::transmute(address) };
    let mut bytes = [0u8; 4];
    let x = std::hint::black_box(0.75f64);
    assert_eq!(function(x, bytes.as_mut_ptr()).to_bits(), (x.sin() * 8.0).to_bits());
    assert_eq!(bytes, [7, 7, 7, 0]);
}

#[test]
fn code_for_the_baseline_finds_its_library_calls() {
    let baseline: CpuTarget = CpuTarget::host().triple().parse().unwrap();
    let object = compile_for(
        &baseline,
        "declare double @llvm.fma.f64(double, double, double)
         declare double @llvm.floor.f64(double)
         declare double @llvm.round.f64(double)
         declare double @llvm.roundeven.f64(double)
         define double @baseline(double %x) {
           %a = call double @llvm.fma.f64(double %x, double %x, double 1.0)
           %b = call double @llvm.floor.f64(double %a)
           %c = call double @llvm.round.f64(double %a)
           %d = call double @llvm.roundeven.f64(double %a)
           %e = fadd double %b, %c
           %f = fadd double %e, %d
           %g = frem double %f, 7.0
           ret double %g
         }",
    );
    let loaded = jit().load(&object, &["baseline"]).unwrap();
    let address = std::ptr::with_exposed_provenance::<()>(loaded.addresses()[0]);
    // SAFETY: the signature above; the object lives through the call.
    let function: extern "C" fn(f64) -> f64 = unsafe { std::mem::transmute(address) };
    // 1.5² + 1 = 3.25: down 3, to nearest 3 and 3, sum 9.
    assert_eq!(function(1.5), 2.0);
}

#[test]
fn an_unknown_name_is_refused_by_name() {
    let object = compile(
        "declare i64 @no_such_helper(i64)
         define i64 @wants_a_helper(i64 %x) { %r = call i64 @no_such_helper(i64 %x)\n ret i64 %r }",
    );
    for _ in 0..3 {
        let error = jit().load(&object, &["wants_a_helper"]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Internal);
        let text = error.to_string();
        assert!(text.contains("wants_a_helper") && text.contains("Symbols not found: [ no_such_helper ]"), "{text}");
    }
    // The failed ones left nothing: the name is free.
    let loaded = jit().load(&adder("wants_a_helper", 5), &["wants_a_helper"]).unwrap();
    assert_eq!(call(&loaded, 0, 1), 6);
}

#[test]
fn symbols_of_the_process_are_not_visible() {
    let object = compile("declare i32 @getpid()\n define i32 @escape() { %r = call i32 @getpid()\n ret i32 %r }");
    let text = jit().load(&object, &["escape"]).unwrap_err().to_string();
    assert!(text.contains("getpid"), "{text}");
}

#[test]
fn what_is_no_object_is_refused() {
    let good = adder("cut_short", 1);
    for bytes in [&[][..], b"not an object", &good[..100], &good[..good.len() / 2]] {
        jit().load(bytes, &["cut_short"]).unwrap_err();
    }
    let text = jit().load(&good, &["another_name"]).unwrap_err().to_string();
    assert!(text.contains("another_name"), "{text}");
    jit().load(&good, &[]).unwrap_err();
    jit().load(&good, &["zero\0byte"]).unwrap_err();
    jit().load(&good, &["cut_short"]).unwrap();
}

#[test]
fn code_for_another_architecture_is_refused() {
    let other = CpuArch::ALL.into_iter().find(|arch| *arch != CpuTarget::host().arch()).unwrap();
    let target = other.triple().parse().unwrap();
    let object = compile_for(&target, "define i64 @foreign(i64 %x) { ret i64 %x }");
    jit().load(&object, &["foreign"]).unwrap_err();
}

#[test]
fn equal_names_live_side_by_side() {
    let objects: Vec<_> = (0..4).map(|number| adder("twin", number)).collect();
    let loaded: Vec<_> = objects.iter().map(|object| jit().load(object, &["twin"]).unwrap()).collect();
    for (number, object) in loaded.iter().enumerate() {
        assert_eq!(call(object, 0, 10), 10 + number as i64);
    }
    drop(loaded);
    assert_eq!(call(&jit().load(&objects[3], &["twin"]).unwrap(), 0, 0), 3);
}

#[test]
fn threads_load_run_and_fail_at_once() {
    let shared = adder("from_all_threads", 40);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let shared = &shared;
            scope.spawn(move || {
                let own: Vec<_> = (0..4).map(|i| (format!("own_{thread}_{i}"), 100 * thread + i)).collect();
                let broken = compile(&format!(
                    "declare i64 @missing_{thread}(i64)
                     define i64 @broken_{thread}(i64 %x) {{ %r = call i64 @missing_{thread}(i64 %x)\n ret i64 %r }}"
                ));
                let own: Vec<_> = own.iter().map(|(name, number)| (name, *number, adder(name, *number))).collect();
                for _ in 0..25 {
                    let kept: Vec<_> =
                        own.iter().map(|(name, _, object)| jit().load(object, &[name]).unwrap()).collect();
                    let common = jit().load(shared, &["from_all_threads"]).unwrap();
                    assert_eq!(call(&common, 0, 2), 42);
                    let error = jit().load(&broken, &[&format!("broken_{thread}")]).unwrap_err().to_string();
                    assert!(error.contains(&format!("[ missing_{thread} ]")), "{error}");
                    for (object, (_, number, _)) in kept.iter().zip(&own) {
                        assert_eq!(call(object, 0, 1), 1 + number);
                    }
                }
            });
        }
    });
}
