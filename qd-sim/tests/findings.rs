//! Each kind of mistake is found, in every schedule in which it can be, with an error that says what, where and what
//! to do; and nothing crashes.
mod support;

use qd_runtime::error::ErrorKind;
use qd_sim::{Machine, Schedule, Simulation};

use self::support::{get, kernels, put, schedules};

/// A module of one NVPTX kernel `k(ptr addrspace(1) %p, i64 %n)` with that body, and other text before it.
fn nvptx(globals: &str, body: &str) -> String {
    format!(
        "target triple = \"nvptx64-nvidia-cuda\"\n\
         declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n\
         {globals}\n\
         define ptx_kernel void @k(ptr addrspace(1) %p, i64 %n) {{\n{body}\n}}\n"
    )
}

/// The message of loading that module for that machine.
fn refused(machine: Machine, module: &str) -> String {
    let device = Simulation::new(machine, Schedule::forward());
    let error = device.load(module.as_bytes()).map(drop).unwrap_err();
    error.to_string()
}

/// The message of `k` over one allocation of 64 words, in 2 blocks of 8 lanes, in each schedule.
fn found(module: &str) -> Vec<String> {
    let run = |schedule| {
        let device = Simulation::new(Machine::Nvptx, schedule);
        let code = device.load(module.as_bytes()).unwrap();
        let p = put(&device, &[0u32; 64]);
        let error = code.launch("k", [2, 1, 1], [8, 1, 1], &[p, 64]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Internal);
        // The device can be used further.
        let fine = device.load(kernels(Machine::Nvptx).as_bytes()).unwrap();
        let out = put(&device, &[0u32; 1000]);
        fine.launch("places", [1, 1, 1], [32, 1, 1], &[out]).unwrap();
        error.to_string()
    };
    schedules().into_iter().map(run).collect()
}

fn each_has(messages: &[String], words: &[&str]) {
    for message in messages {
        for word in words.iter().chain(&["simulated NVPTX", "kernel `k`"]) {
            assert!(message.contains(word), "`{word}` isn't in: {message}");
        }
    }
}

/// The kernel `sum` with a piece of its text replaced.
fn sum_with(machine: Machine, from: &str, to: &str) -> String {
    let text = kernels(machine);
    assert!(text.contains(from));
    text.replacen(from, to, 1)
}

#[test]
fn a_missing_barrier() {
    let pieces = [
        (Machine::Nvptx, "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"),
        (Machine::Amdgpu, "  call void @llvm.amdgcn.s.barrier()\n"),
    ];
    for (machine, barrier) in pieces {
        let module = sum_with(machine, barrier, "");
        for schedule in schedules() {
            let device = Simulation::new(machine, schedule);
            let code = device.load(module.as_bytes()).unwrap();
            let (x, out) = (put(&device, &[1f32; 1024]), put(&device, &[0f32]));
            let error = code.launch("sum", [4, 1, 1], [256, 1, 1], &[x, out]).unwrap_err().to_string();
            // A lane may come to an element before its owner does, or to one that its owner goes on to change.
            assert!(error.contains("unordered") || error.contains("no lane of its block has written"), "{error}");
            assert!(error.contains("shared memory, `shared`") && error.contains("barrier between"), "{error}");
            assert!(error.contains("kernel `sum`, block (") && error.contains("addrspace(3)"), "{error}");
        }
    }
}

/// Without the detector, the results say it: they depend on the order of lanes.
#[test]
fn a_missing_barrier_changes_results() {
    let module = sum_with(Machine::Nvptx, "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n", "");
    // All is written beforehand, so that nothing uninitialised is read.
    let module = module.replace("define ptx_kernel void @sum", "define ptx_kernel void @unused_sum");
    let module = format!(
        "{module}\n@room = internal addrspace(3) global i32 undef, align 4\n\
         define ptx_kernel void @last(ptr addrspace(1) %out) {{\n\
         %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         store i32 %tid, ptr addrspace(3) @room, align 4\n\
         %v = load i32, ptr addrspace(3) @room, align 4\n\
         call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n\
         %w = load i32, ptr addrspace(3) @room, align 4\n\
         store i32 %w, ptr addrspace(1) %out, align 4\n\
         ret void\n}}\n"
    );
    let last = |schedule: Schedule| {
        let device = Simulation::new(Machine::Nvptx, Schedule { races: false, ..schedule });
        let out = put(&device, &[0u32]);
        device.load(module.as_bytes()).unwrap().launch("last", [1, 1, 1], [64, 1, 1], &[out]).unwrap();
        get::<u32>(&device, out, 1)[0]
    };
    assert_eq!((last(Schedule::forward()), last(Schedule::backward())), (63, 0));
}

#[test]
fn a_divergent_barrier() {
    let ends = nvptx(
        "",
        "%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         %low = icmp ult i32 %tid, 3\n br i1 %low, label %wait, label %exit\n\
         wait:\n call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n br label %exit\n\
         exit:\n ret void",
    );
    let words = ["the barrier is divergent", "lanes 0..=2 are waiting at barrier 0", "lanes 3..=7 are at their end"];
    each_has(&found(&ends), &words);
    each_has(&found(&ends), &["call void @llvm.nvvm.barrier.cta.sync.aligned.all", "in block ["]);

    let another = nvptx(
        "",
        "%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         %low = icmp ult i32 %tid, 3\n br i1 %low, label %a, label %b\n\
         a:\n call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n ret void\n\
         b:\n call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n ret void",
    );
    each_has(&found(&another), &["the barrier is divergent", "lanes 0..=2", "lanes 3..=7 are waiting at barrier 0"]);
}

#[test]
fn shared_memory_that_nobody_has_written() {
    let module = nvptx(
        "@room = internal addrspace(3) global [8 x i32] undef, align 4",
        "%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
         %at = getelementptr [8 x i32], ptr addrspace(3) @room, i32 0, i32 %tid\n\
         %low = icmp ult i32 %tid, 7\n br i1 %low, label %write, label %read\n\
         write:\n store i32 1, ptr addrspace(3) %at, align 4\n br label %read\n\
         read:\n call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n\
         %v = load i32, ptr addrspace(3) %at, align 4\n ret void",
    );
    each_has(
        &found(&module),
        &["lane (7, 0, 0)", "byte 28 of shared memory, `room`", "no lane of its block has written"],
    );
}

#[test]
fn an_access_beyond_the_end() {
    let index = "%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n %i = zext i32 %tid to i64\n";
    let global = format!("{index} %j = add i64 %i, 57\n %at = getelementptr i32, ptr addrspace(1) %p, i64 %j\n");
    // Lane 7 of either block is one too many; reads, so that blocks don't race.
    let module = nvptx("", &format!("{global} %v = load i32, ptr addrspace(1) %at, align 4\n ret void"));
    each_has(&found(&module), &["lane (7, 0, 0)", "reads 4 bytes of global memory", "256 bytes behind the beginning"]);

    let shared = format!(
        "{index} %j = add i64 %i, 1\n %at = getelementptr [8 x i32], ptr addrspace(3) @room, i64 0, i64 %j\n\
         store i32 1, ptr addrspace(3) %at, align 4\n ret void"
    );
    let module = nvptx("@room = internal addrspace(3) global [8 x i32] undef, align 4", &shared);
    each_has(
        &found(&module),
        &["lane (7, 0, 0)", "writes 4 bytes of shared memory", "32 bytes into `room`, which has 32"],
    );

    let private = format!(
        "%room = alloca [7 x i32], align 4\n {index} %at = getelementptr [7 x i32], ptr %room, i64 0, i64 %i\n\
         store i32 1, ptr %at, align 4\n ret void"
    );
    each_has(&found(&nvptx("", &private)), &["lane (7, 0, 0)", "writes 4 bytes of memory", "a private variable of 28"]);

    let whole = "call void @llvm.memset.p1.i64(ptr addrspace(1) %p, i8 0, i64 257, i1 false)\n ret void";
    let module = nvptx("declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)", whole);
    each_has(&found(&module), &["writes 257 bytes of global memory", "an allocation of 256"]);

    let constant = "store i32 1, ptr addrspace(1) @table, align 4\n ret void";
    let module = nvptx("@table = internal addrspace(1) constant i32 7, align 4", constant);
    each_has(&found(&module), &["writes 4 bytes of global memory"]);
}

#[test]
fn memory_of_another_kind_than_the_pointer_says() {
    let body = "%a = ptrtoint ptr addrspace(1) %p to i64\n %q = inttoptr i64 %a to ptr addrspace(3)\n\
                %v = load i32, ptr addrspace(3) %q, align 4\n ret void";
    each_has(&found(&nvptx("", body)), &["reads 4 bytes of shared memory", "not its own"]);
}

#[test]
fn lanes_that_write_the_same_element() {
    let store = nvptx("", "store i32 1, ptr addrspace(1) %p, align 4\n ret void");
    each_has(&found(&store), &["writes byte 0 of an allocation of 256 bytes", "wrote, unordered", "make both atomic"]);
    // Blocks too, where lanes of one don't.
    let by_lane = nvptx(
        "",
        "%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n %at = getelementptr i32, ptr addrspace(1) %p, i32 %tid\n\
         store i32 1, ptr addrspace(1) %at, align 4\n ret void",
    );
    each_has(&found(&by_lane), &["wrote, unordered"]);
    let mixed = nvptx(
        "",
        "%old = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope(\"device\") monotonic\n\
         %now = load i32, ptr addrspace(1) %p, align 4\n ret void",
    );
    each_has(&found(&mixed), &["unordered"]);
}

#[test]
fn code_that_never_ends_traps_or_divides_by_zero() {
    let module = nvptx("", "br label %loop\nloop:\n br label %loop");
    let device = Simulation::new(Machine::Nvptx, Schedule { rounds: 1000, ..Schedule::forward() });
    let p = put(&device, &[0u32]);
    let error = device.load(module.as_bytes()).unwrap().launch("k", [1, 1, 1], [1, 1, 1], &[p, 1]).unwrap_err();
    assert!(error.to_string().contains("1001 times") && error.to_string().contains("it hangs"), "{error}");

    let module = nvptx("declare void @llvm.trap()", "call void @llvm.trap()\n unreachable");
    each_has(&found(&module), &["comes to a trap", "call void @llvm.trap()"]);
    let module = nvptx("", "%d = sub i64 %n, 64\n %q = udiv i64 %n, %d\n store i64 %q, ptr addrspace(1) %p\n ret void");
    each_has(&found(&module), &["divides by zero", "%q = udiv i64 %n, %d"]);
}

#[test]
fn lanes_that_miss_an_exchange() {
    let shuffle = "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)";
    let body = |mask: i64, from: u32| {
        format!(
            "%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n\
             %low = icmp ult i32 %tid, 4\n br i1 %low, label %swap, label %exit\n\
             swap:\n %v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 {mask}, i32 %tid, i32 {from}, i32 31)\n\
             br label %exit\nexit:\n ret void"
        )
    };
    each_has(&found(&nvptx(shuffle, &body(255, 0))), &["lane [4, 0, 0] of its warp", "it has ended"]);
    each_has(&found(&nvptx(shuffle, &body(15, 6))), &["lane [6, 0, 0] of its warp", "it has ended"]);
}

#[test]
fn launches_that_a_device_refuses() {
    let device = Simulation::new(Machine::Nvptx, Schedule::forward());
    let code = device.load(kernels(Machine::Nvptx).as_bytes()).unwrap();
    let refusal = |kernel: &str, grid, block, arguments: &[u64]| {
        let error = code.launch(kernel, grid, block, arguments).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Argument);
        error.to_string()
    };
    let (one, x) = ([1, 1, 1], put(&device, &[0f32; 512]));
    assert!(refusal("sum", one, [128, 1, 1], &[x, x]).contains("for blocks of [256, 1, 1] lanes and got [128, 1, 1]"));
    assert!(refusal("saxpy", one, [257, 1, 1], &[0, 0, x, x]).contains("blocks of 1 to 256 lanes and got 257"));
    assert!(refusal("atomics", one, [64, 64, 1], &[x; 5]).contains("1 to 1024 lanes and got 4096"));
    assert!(refusal("saxpy", [1, 70000, 1], [32, 1, 1], &[0, 0, x, x]).contains("at most [2147483647, 65535, 65535]"));
    assert!(refusal("saxpy", [0, 1, 1], [32, 1, 1], &[0, 0, x, x]).contains("is empty"));
    assert!(refusal("sum", one, [256, 1, 1], &[x]).contains("takes 2 arguments and got 1"));
    assert!(refusal("dot", one, [256, 1, 1], &[x]).contains("no kernel `dot`; it has saxpy, sum, atomics"));
    let other = Simulation::new(Machine::Amdgpu, Schedule::forward());
    let error = other.load(kernels(Machine::Nvptx).as_bytes()).map(drop).unwrap_err();
    assert!(error.to_string().contains("simulated AMDGPU: code for NVPTX can't run on it"), "{error}");
}

#[test]
fn code_that_is_not_simulated_is_refused_by_name() {
    let rows = [
        ("declare float @llvm.sin.f32(float)", "%v = call float @llvm.sin.f32(float 1.0)\n ret void", "`llvm.sin.f32`"),
        (
            "declare i32 @llvm.nvvm.read.ptx.sreg.clock()",
            "%v = call i32 @llvm.nvvm.read.ptx.sreg.clock()\n ret void",
            "sreg.clock`",
        ),
        (
            "declare float @__nv_sinf(float)",
            "%v = call float @__nv_sinf(float 1.0)\n ret void",
            "`__nv_sinf` is called and not in the module",
        ),
        ("", "call void asm sideeffect \"nanosleep.u32 1;\", \"\"()\n ret void", "inline assembly"),
        ("@room = external addrspace(3) global [0 x i32]", "ret void", "the variable `room` is not in the module"),
        ("", "%room = alloca i32, i64 %n\n ret void", "a size that isn't constant"),
        ("", "%a = load i32, ptr addrspace(2) null\n ret void", "address space 2"),
    ];
    for (globals, body, words) in rows {
        let message = refused(Machine::Nvptx, &nvptx(globals, body));
        assert!(message.contains("simulated NVPTX") && message.contains(words), "`{words}` isn't in: {message}");
    }
    assert!(refused(Machine::Nvptx, "this is no module").contains("no LLVM IR"));
    assert!(refused(Machine::Nvptx, "target triple = \"x86_64-unknown-linux-gnu\"").contains("is no GPU's"));
    let none = "target triple = \"nvptx64-nvidia-cuda\"\ndefine void @k() {\n ret void\n}";
    assert!(refused(Machine::Nvptx, none).contains("no kernel"));
    // On AMD, 128-bit numbers lie at multiples of 8.
    let layout = kernels(Machine::Amdgpu).lines().find(|line| line.starts_with("target datalayout")).unwrap();
    let module = format!(
        "{layout}\ntarget triple = \"amdgcn-amd-amdhsa\"\n\
         define amdgpu_kernel void @k(ptr addrspace(1) %p) {{\n\
         %q = getelementptr {{ i64, i128 }}, ptr addrspace(1) %p, i64 0, i32 1\n\
         store i128 0, ptr addrspace(1) %q, align 8\n ret void\n}}"
    );
    assert!(refused(Machine::Amdgpu, &module).contains("lies otherwise in the host's memory"));
}
