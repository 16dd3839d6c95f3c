//! Kernels by hand, of both kinds of machines, give what they should in every schedule.
mod support;

use qd_sim::{Machine, Schedule, Simulation};

use self::support::{devices, get, kernels, put};

#[test]
fn saxpy_over_more_elements_than_lanes() {
    for (device, code) in devices() {
        let n = 1000;
        let x: Vec<f32> = (0..n).map(|i| i as f32 * 0.37).collect();
        let y: Vec<f32> = (0..n).map(|i| i as f32).collect();
        let (at_x, at_y) = (put(&device, &x), put(&device, &y));
        code.launch("saxpy", [2, 1, 1], [96, 1, 1], &[n, 2.5f32.to_bits().into(), at_x, at_y]).unwrap();
        let want: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 2.5f32.mul_add(*x, *y)).collect();
        assert_eq!(get::<f32>(&device, at_y, n as usize), want);
        assert_eq!(device.count().lanes, 192);
        assert_eq!(device.count().accesses, 3 * n + if device.machine() == Machine::Amdgpu { 2 * 192 } else { 0 });
    }
}

#[test]
fn blocks_add_up_in_shared_memory() {
    for (device, code) in devices() {
        // Whole numbers, so that no order of additions rounds.
        let x: Vec<f32> = (0..1024).map(|i| (i % 7) as f32).collect();
        let (at_x, out) = (put(&device, &x), put(&device, &[0f32]));
        code.launch("sum", [4, 1, 1], [256, 1, 1], &[at_x, out]).unwrap();
        assert_eq!(get::<f32>(&device, out, 1), [x.iter().sum::<f32>()]);
    }
}

#[test]
fn atomics_lose_nothing() {
    for (device, code) in devices() {
        let (f, d) = (put(&device, &[0f32]), put(&device, &[0f64]));
        let (n, most, product) = (put(&device, &[0u64]), put(&device, &[7u32]), put(&device, &[1u64]));
        code.launch("atomics", [3, 1, 1], [64, 1, 1], &[f, d, n, most, product]).unwrap();
        assert_eq!(get::<f32>(&device, f, 1), [1.5 * 192.0]);
        assert_eq!(get::<f64>(&device, d, 1), [0.25 * 192.0]);
        assert_eq!(get::<u64>(&device, n, 1), [3 * 192]);
        assert_eq!(get::<u32>(&device, most, 1), [63]);
        assert_eq!(get::<u64>(&device, product, 1), [3u64.wrapping_pow(192)]);
    }
}

#[test]
fn lanes_know_their_places_in_three_dimensions() {
    let table = [3, 1, 4, 1];
    for (device, code) in devices().filter(|(device, _)| device.machine() == Machine::Nvptx) {
        let (grid, block) = ([2u32, 3, 2], [4u32, 2, 3]);
        let count = 12 * 24;
        let out = put(&device, &vec![-1i32; count]);
        code.launch("places", grid, block, &[out]).unwrap();
        let want: Vec<i32> =
            (0..count as i32).map(|n| (n % 4 * 10 + n / 24 / 6) * 10 + table[n as usize % 4]).collect();
        assert_eq!(get::<i32>(&device, out, count), want);
    }
    for (device, code) in devices().filter(|(device, _)| device.machine() == Machine::Amdgpu) {
        let out = put(&device, &[-1i32; 32]);
        code.launch("places", [2, 2, 1], [4, 2, 1], &[out]).unwrap();
        let want: Vec<i32> = (0..32).map(|n| n / 8 * 10 + table[n as usize % 4]).collect();
        assert_eq!(get::<i32>(&device, out, 32), want);
    }
}

#[test]
fn private_memory_is_each_lanes_own() {
    for (device, code) in devices().filter(|(device, _)| device.machine() == Machine::Amdgpu) {
        let out = put(&device, &[0i32; 128]);
        code.launch("private", [1, 1, 1], [16, 1, 1], &[out]).unwrap();
        let want: Vec<i32> = (0..128).map(|n| (7 - n % 8) * (n / 8)).collect();
        assert_eq!(get::<i32>(&device, out, 128), want);
    }
}

#[test]
fn lanes_of_a_warp_exchange_values() {
    for (device, code) in devices() {
        let out = put(&device, &[0u32; 96]);
        match device.machine() {
            Machine::Nvptx => {
                code.launch("warp", [1, 1, 1], [32, 1, 1], &[out]).unwrap();
                let mut want = vec![31 * 16; 32];
                want.extend([0xaaaa_aaaa; 32]);
                want.extend((1..32).chain([99]));
                assert_eq!(get::<u32>(&device, out, 96), want);
            }
            Machine::Amdgpu => {
                code.launch("wave", [1, 1, 1], [32, 1, 1], &[out]).unwrap();
                let want: Vec<u32> = (0..32).map(|n| ((n + 1) % 32) * ((n + 1) % 32) + 5 + n).collect();
                assert_eq!(get::<u32>(&device, out, 32), want);
            }
        }
    }
}

/// One device may have several programs, and one artifact may be loaded more than once.
#[test]
fn programs_stand_side_by_side() {
    let device = Simulation::new(Machine::Nvptx, Schedule::forward());
    let code: Vec<_> = (0..3).map(|_| device.load(kernels(Machine::Nvptx).as_bytes()).unwrap()).collect();
    let (x, out) = (put(&device, &[1f32; 256]), put(&device, &[0f32]));
    for code in &code {
        code.launch("sum", [1, 1, 1], [256, 1, 1], &[x, out]).unwrap();
    }
    assert_eq!(get::<f32>(&device, out, 1), [768.0]);
}

/// What LLVM would make calls of for the host are calls of C's functions.
#[test]
fn numbers_are_scaled_by_powers_of_two() {
    let module = "target triple = \"nvptx64-nvidia-cuda\"\n\
        declare double @llvm.ldexp.f64.i32(double, i32)\n\
        define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {\n\
        %x = load double, ptr addrspace(1) %p, align 8\n\
        %y = call double @llvm.ldexp.f64.i32(double %x, i32 %n)\n\
        store double %y, ptr addrspace(1) %p, align 8\n ret void\n}";
    let device = Simulation::new(Machine::Nvptx, Schedule::forward());
    let p = put(&device, &[1.5f64]);
    device.load(module.as_bytes()).unwrap().launch("k", [1, 1, 1], [1, 1, 1], &[p, -3i64 as u64]).unwrap();
    assert_eq!(get::<f64>(&device, p, 1), [0.1875]);
}

/// A GPU has registers for them, the host a stack.
#[test]
fn thousands_of_values_are_alive_at_once() {
    let count = 4096;
    let place = |k: usize| format!("  %p{k} = getelementptr i128, ptr addrspace(1) %p, i64 {k}\n");
    let load = |k: usize| format!("{}  %v{k} = load i128, ptr addrspace(1) %p{k}, align 16\n", place(k));
    let store = |k: usize| format!("  store i128 %v{}, ptr addrspace(1) %p{k}, align 16\n", count - 1 - k);
    let body: String = (0..count).map(load).chain((0..count).map(store)).collect();
    let text = format!(
        "target triple = \"nvptx64-nvidia-cuda\"\ndefine ptx_kernel void @reverse(ptr addrspace(1) %p) {{\n{body}  ret \
         void\n}}\n"
    );
    let device = Simulation::new(Machine::Nvptx, Schedule::forward());
    let code = device.load(text.as_bytes()).unwrap();
    let halves: Vec<u64> = (0..count as u64).flat_map(|k| [k, 3]).collect();
    let at = put(&device, &halves);
    code.launch("reverse", [1, 1, 1], [1, 1, 1], &[at]).unwrap();
    let want: Vec<u64> = (0..count as u64).rev().flat_map(|k| [k, 3]).collect();
    assert_eq!(get::<u64>(&device, at, 2 * count), want);
}
