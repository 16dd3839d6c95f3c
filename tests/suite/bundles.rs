//! Bundles: structs of arrays and values by reference.
use qd::Config;
use qd::prelude::*;

use crate::support::{Engines, agree};

#[derive(qd::Bundle, Clone)]
struct Fluid {
    u: NdArray<f32, 2>,
    v: NdArray<f32, 2>,
    weights: Vec<f64>,
    time: f32,
    energy: f64,
    worst: f64,
    gravity: Vector<f32, 2>,
    table: [i32; 4],
    inner: Inner,
}

#[derive(qd::Bundle, Clone)]
struct Inner {
    counts: Box<[u32]>,
    total: u64,
    calls: (u32, bool),
}

impl Fluid {
    fn new() -> Fluid {
        let numbers = |shape, k| NdArray::from_fn(shape, move |[i, j]: [usize; 2]| (i * 7 + j * k) as f32 * 0.25 - 3.0);
        Fluid {
            u: numbers([13, 9], 3),
            v: numbers([13, 9], 5),
            weights: (0..117).map(|i| (i as f64 * 0.375).sin()).collect(),
            time: 0.5,
            energy: 2.0,
            worst: -1.0,
            gravity: vec2(0.25, -9.5),
            table: [1, 2, 3, 4],
            inner: Inner { counts: vec![3; 117].into(), total: 5, calls: (7, false) },
        }
    }

    /// All of it, with the bits of floats.
    fn image(&self) -> String {
        let bits = |x: &NdArray<f32, 2>| x.as_slice().iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        let weights: Vec<u64> = self.weights.iter().map(|v| v.to_bits()).collect();
        let Inner { counts, total, calls } = &self.inner;
        format!(
            "{:?} {:?} {weights:?} {} {} {} {:?} {:?} {counts:?} {total} {calls:?}",
            bits(&self.u),
            bits(&self.v),
            self.time.to_bits(),
            self.energy.to_bits(),
            self.worst.to_bits(),
            self.gravity,
            self.table
        )
    }
}

/// Compares a kernel over a fluid and a number with its native run.
macro_rules! agrees {
    ($kernel:ident) => {
        for engine in &Engines::new().all {
            let (mut got, mut want) = (Fluid::new(), Fluid::new());
            $kernel.native(&mut want, 0.125);
            engine.runtime.scope(|| $kernel.try_call(&mut got, 0.125)).unwrap();
            assert_eq!(got.image(), want.image(), "{} ({})", stringify!($kernel), engine.name);
        }
    };
}

#[qd::kernel]
fn step(s: &mut Fluid, dt: f32) {
    for (i, j) in s.u.indices() {
        s.u[[i, j]] += dt * s.v[[i, j]] + s.gravity.y * s.gravity[0];
    }
    s.time += dt;
}

#[qd::kernel]
fn lengths(s: &mut Fluid, dt: f32) {
    let [h, w] = s.u.shape();
    let n = s.weights.len();
    for (i, j) in ndrange([h, w]) {
        s.v[[i, j]] = s.u[[i, j]] + (n + s.u.shape()[1] + s.v.len() + s.table.len()) as f32 * dt;
    }
    if s.inner.counts.is_empty() {
        s.time = 1.0;
    } else {
        s.time = 2.0;
    }
}

#[qd::kernel]
fn reductions(s: &mut Fluid, dt: f32) {
    for i in 0..s.inner.counts.len() {
        s.inner.total += s.inner.counts[i] as u64 * 3;
    }
    for i in 0..s.weights.len() {
        s.worst = s.worst.max(s.weights[i]);
    }
    s.energy = s.worst * dt as f64;
    // Parts of values are combined into by themselves.
    for i in 0..s.inner.counts.len() {
        s.inner.calls.0 += s.inner.counts[i];
        s.gravity.x = s.gravity.x.max(i as f32 * dt);
    }
}

#[qd::kernel]
fn serial(s: &mut Fluid, dt: f32) {
    s.table[2] = 9;
    s.gravity.x += dt;
    s.gravity = s.gravity * 2.0;
    s.inner.calls.0 += 1;
    s.inner.calls.1 = s.time < 3.0;
    #[qd::serial]
    for k in 0..4 {
        s.table[k] += k as i32;
    }
    s.weights[3] = s.table[1] as f64;
    let mut k = 0;
    while k < 5 {
        s.time += dt * s.gravity.x;
        k += 1;
    }
    (s.energy, s.worst) = (s.worst, s.energy);
}

#[qd::kernel]
fn elements(s: &mut Fluid, dt: f32) {
    for (i, w) in s.weights.iter_mut().enumerate() {
        *w = *w * dt as f64 + i as f64;
    }
    for c in &mut s.inner.counts {
        *c += 2;
    }
    for (w, c) in s.weights.iter_mut().zip(s.inner.counts.iter()) {
        *w += *c as f64;
    }
    for i in 0..s.weights.len() {
        let mut sum = 0;
        for t in s.table.iter() {
            sum += *t;
        }
        s.weights[i] -= sum as f64;
    }
}

#[qd::kernel]
fn steps_and_conditions(s: &mut Fluid, dt: f32) {
    while s.time < 1.0 {
        for (i, j) in s.u.indices() {
            s.u[[i, j]] += dt;
        }
        s.time += dt;
    }
    #[qd::steps]
    for t in 0..s.table[3] {
        if s.inner.calls.1 {
            break;
        }
        for (i, j) in s.v.indices() {
            s.v[[i, j]] += t as f32 * s.time;
        }
        s.inner.calls.1 = t == 2;
    }
}

#[qd::func]
fn halve(x: &mut f64) {
    *x *= 0.5;
}

#[qd::func]
fn sum_of(x: &[f64], from: usize) -> f64 {
    let mut sum = 0.0;
    for i in from..x.len() {
        sum += x[i];
    }
    sum
}

#[qd::func]
fn cell(s: &Fluid, i: usize, j: usize) -> f32 {
    if i == 0 || j + 1 == s.u.shape()[1] { s.time } else { s.u[[i - 1, j]] * s.gravity.x + s.table[j % 4] as f32 }
}

#[qd::func]
fn advance(s: &mut Fluid, by: f32) -> u64 {
    s.time += by;
    s.gravity[1] = by;
    s.u[[0, 0]] = s.time;
    count(&mut s.inner, 3);
    s.inner.total
}

#[qd::func]
fn count(inner: &mut Inner, n: u32) {
    for i in 0..inner.counts.len() {
        inner.counts[i] += n;
    }
    inner.total += n as u64;
    inner.calls.0 = n;
}

#[qd::kernel]
fn calls(s: &mut Fluid, dt: f32) {
    for i in 0..s.weights.len() {
        halve(&mut s.weights[i]);
    }
    s.energy = sum_of(&s.weights, 3);
    halve(&mut s.energy);
    let total = advance(s, dt);
    advance(&mut *s, total as f32);
    count(&mut s.inner, 4);
}

#[qd::kernel]
fn gather(out: &mut NdArray<f32, 2>, s: &Fluid, other: &mut Fluid) {
    for (i, j) in out.indices() {
        out[[i, j]] = cell(s, i, j) + cell(&other, i, j) * halved(&s.time);
    }
}

#[qd::func]
fn halved(x: &f32) -> f32 {
    *x * 0.5
}

#[test]
fn bundles_are_handed_to_functions_in_parallel_loops() {
    let (s, mut other) = (Fluid::new(), Fluid::new());
    let mut want = NdArray::zeros([13, 9]);
    gather.native(&mut want, &s, &mut other);
    for engine in &Engines::new().all {
        let mut got = NdArray::zeros([13, 9]);
        engine.runtime.scope(|| gather(&mut got, &s, &mut other));
        assert_eq!(got.as_slice(), want.as_slice(), "{}", engine.name);
    }
}

#[test]
fn bundles_are_what_they_are_natively() {
    agrees!(step);
    agrees!(lengths);
    agrees!(reductions);
    agrees!(serial);
    agrees!(elements);
    agrees!(steps_and_conditions);
    agrees!(calls);
}

#[derive(qd::Bundle)]
struct Borrowed<'a, T: qd::Float> {
    out: &'a mut [T],
    x: &'a [T],
    image: &'a NdArray<T, 2>,
    field: &'a mut NdArray<T, 2>,
    scale: T,
}

#[derive(qd::Bundle)]
struct Pair<A, const N: usize>(A, [u32; N]);

#[qd::kernel]
fn borrowed<T: qd::Float>(b: &mut Borrowed<'_, T>) {
    for i in 0..b.out.len() {
        b.out[i] = b.x[i] * b.scale;
    }
    for (i, j) in b.field.indices() {
        b.field[[i, j]] += b.image[[j, i]];
    }
    b.scale = b.scale * b.scale;
}

#[qd::kernel]
fn pairs(p: &mut Pair<Vec<u32>, 3>, q: &Pair<&[u32], 2>) -> u32 {
    for i in 0..p.0.len() {
        p.0[i] += p.1[i % 3] * q.0[i] + q.1[1];
    }
    p.1[2] = q.0[0];
    q.1[0] + p.1[0]
}

#[test]
fn borrowed_and_generic_bundles() {
    let run = |native: bool| {
        let (mut out, x) = (vec![0.0f64; 50], (0..50).map(|i| i as f64 / 3.0).collect::<Vec<_>>());
        let image = NdArray::from_fn([4, 4], |[i, j]| (i * 4 + j) as f64);
        let mut field = NdArray::full([4, 4], 0.5);
        let mut b = Borrowed { out: &mut out, x: &x, image: &image, field: &mut field, scale: 1.5 };
        if native {
            borrowed::<f64>.native(&mut b);
        } else {
            borrowed(&mut b);
        }
        let scale = b.scale;
        let mut p = Pair((0..20).collect::<Vec<u32>>(), [3, 4, 5]);
        let numbers: Vec<u32> = (7..27).collect();
        let q = Pair(&numbers[..], [8, 9]);
        let got = if native { pairs.native(&mut p, &q) } else { pairs(&mut p, &q) };
        (out, field.to_vec(), scale, p.0, p.1, got)
    };
    let want = run(true);
    for engine in &Engines::new().all {
        assert_eq!(engine.runtime.scope(|| run(false)), want, "{}", engine.name);
    }
}

#[qd::kernel]
fn counted(tally: &mut qd_library::Tally) {
    qd_library::count_all(tally);
    qd_library::count_all(&mut *tally);
}

#[test]
fn another_crate_hides_its_fields_and_renames_ours() {
    let mut counts = [1, 2, 3];
    let mut tally = qd_library::Tally::new(&mut counts);
    counted(&mut tally);
    qd_library::count_each(&mut tally);
    assert_eq!(tally.total(), 9);
    assert_eq!(counts, [4, 5, 6]);
}

#[qd::kernel]
fn fails(s: &mut Fluid, dt: f32) {
    s.time += dt;
    s.table[s.inner.calls.0 as usize % 4] = 77;
    for i in 0..s.weights.len() {
        s.inner.total += 1;
        assert!(i < 100, "enough");
    }
    s.time = 99.0;
}

#[qd::kernel]
fn fails_in_serial_code(s: &mut Fluid, dt: f32) {
    #[qd::serial]
    for k in 0..4 {
        s.time += dt;
        s.table[k] = 5;
        assert!(k < 2, "enough");
        s.energy += 1.0;
    }
}

#[test]
fn a_failed_launch_keeps_what_serial_code_stored_before() {
    for engine in &Engines::new().all {
        let mut s = Fluid::new();
        let error = engine.runtime.scope(|| fails.try_call(&mut s, 0.25)).unwrap_err();
        assert!(error.to_string().contains("enough"), "{error}");
        assert_eq!((s.time, s.inner.total, s.table), (0.75, 5, [1, 2, 3, 77]), "{}", engine.name);

        let (mut got, mut want) = (Fluid::new(), Fluid::new());
        let native = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            fails_in_serial_code.native(&mut want, 0.25);
        }));
        assert!(native.is_err());
        let compiled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            engine.runtime.scope(|| fails_in_serial_code(&mut got, 0.25));
        }));
        assert!(compiled.is_err());
        assert_eq!(got.image(), want.image(), "{}", engine.name);
    }
}

#[qd::kernel]
fn apart(u: &mut NdArray<f32, 2>, v: &NdArray<f32, 2>, scale: f32) {
    for (i, j) in u.indices() {
        u[[i, j]] += scale * v[[i, j]];
    }
}

#[derive(qd::Bundle)]
struct Together<'a> {
    scale: f32,
    v: &'a NdArray<f32, 2>,
    unused: Vec<u8>,
    u: NdArray<f32, 2>,
}

#[qd::kernel]
fn together(s: &mut Together) {
    for (i, j) in s.u.indices() {
        s.u[[i, j]] += s.scale * s.v[[i, j]];
    }
}

#[test]
fn arrays_apart_and_in_a_bundle_share_tasks() {
    let cache = tempfile::tempdir().unwrap();
    let runtime = qd::Runtime::new(Config::default().ignore_env().offline_cache_file_path(cache.path())).unwrap();
    let alone = apart.on(&runtime).prepare().unwrap();
    let bundled = together.on(&runtime).prepare().unwrap();
    assert_eq!((bundled.frontend_constructs_total, bundled.tasks_total), (1, 1));
    assert_eq!((bundled.tasks_cache_hit, bundled.tasks_recompiled), (1, 0));
    assert_eq!(alone.tasks[0].key, bundled.tasks[0].key);

    let v = NdArray::full([3, 4], 2.0);
    let mut s = Together { scale: 0.5, v: &v, unused: vec![1], u: NdArray::full([3, 4], 1.0) };
    let before = s.u.as_slice().as_ptr();
    together.on(&runtime).call(&mut s);
    assert_eq!(s.u.to_vec(), [2.0; 12]);
    assert_eq!((s.u.as_slice().as_ptr(), s.unused.as_slice()), (before, &[1][..]));
}

#[test]
fn constructs_are_counted_as_without_bundles() {
    let count = |seen: qd::Observations| seen.frontend_constructs_total;
    assert_eq!(count(step.observations()), 2);
    assert_eq!(count(lengths.observations()), 2);
    assert_eq!(count(reductions.observations()), 4);
    assert_eq!(count(serial.observations()), 1);
    assert_eq!(count(elements.observations()), 4);
}

#[derive(qd::Bundle)]
struct Halves {
    half: usize,
    table: [u32; 2],
    x: Vec<u32>,
    y: Vec<u32>,
}

/// What keeps the accesses apart is known at the launch: that also counts accesses, of which one is to no array.
#[qd::kernel]
fn halves(s: &mut Halves, n: usize) {
    for i in 0..s.half {
        s.y[i] = s.table[1];
        s.x[i] = s.x[i + n] + s.y[i];
    }
}

#[test]
fn launch_predicates_find_the_accesses_of_a_bundle() {
    let new = || Halves { half: 4, table: [4, 7], x: (0..9).collect(), y: vec![0; 4] };
    let (mut got, mut want) = (new(), new());
    halves.native(&mut want, 4);
    halves(&mut got, 4);
    assert_eq!((&got.x, &got.y), (&want.x, &want.y));
    let error = halves.try_call(&mut new(), 3).unwrap_err();
    assert!(error.to_string().contains("s.x"), "{error}");
}

#[derive(qd::Bundle)]
struct Rows<'a> {
    ptr: &'a [u32],
    own: Vec<usize>,
    values: Vec<f32>,
    inner: Offsets,
}

#[derive(qd::Bundle)]
struct Offsets {
    grid: NdArray<i64>,
    boxed: Box<[i32]>,
}

/// Segments between the offsets of a bundle's arrays.
#[qd::kernel]
fn rows(s: &mut Rows) {
    for (i, row) in qd::segments(s.ptr) {
        for k in row.clone() {
            s.values[k] += i as f32;
        }
        for k in row.rev() {
            s.values[k] *= 2.0;
        }
    }
    for (i, row) in qd::segments(&s.own) {
        for k in row {
            s.values[k] += i as f32;
        }
    }
    for (_, row) in qd::segments(&s.inner.grid) {
        let len = row.len() as f32;
        for k in row {
            s.values[k] -= len;
        }
    }
}

#[qd::kernel]
fn rows_of_another(x: &mut [f32], s: &Rows) {
    for (i, row) in qd::segments(s.ptr) {
        for k in row {
            x[k] += i as f32 + s.values[k];
        }
    }
    for _ in 0..1 {
        for (i, row) in qd::segments(&s.inner.boxed) {
            for k in row {
                x[k] += i as f32;
            }
        }
    }
}

#[test]
fn segments_of_a_bundle() {
    let ptr = [0, 1, 3, 4];
    let new = || Rows {
        ptr: &ptr,
        own: vec![1, 2, 4],
        values: vec![1.0, 2.0, 3.0, 4.0],
        inner: Offsets { grid: NdArray::from_slice(&[0, 2, 3]), boxed: Box::new([0, 3, 4]) },
    };
    for engine in &Engines::new().all {
        let (mut got, mut want) = (new(), new());
        rows.native(&mut want);
        engine.runtime.scope(|| rows(&mut got));
        assert_eq!(got.values, want.values, "{}", engine.name);
        let mut falling = new();
        falling.own = vec![3, 2];
        let error = engine.runtime.scope(|| rows.try_call(&mut falling)).unwrap_err().to_string();
        assert!(error.contains("offset 0 is 3, and the next is 2"), "{error}");
    }
    agree(&[2.0; 4], |x| rows_of_another.native(x, &new()), |x| rows_of_another.try_call(x, &new()));
}
