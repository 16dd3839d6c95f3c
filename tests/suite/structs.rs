//! Structs, tuples and fixed arrays: as elements, variables, parameters and results, whole and by their parts.
use std::fmt::Debug;

use qd::prelude::*;

use crate::support::{Engines, hash};

/// Padding before and behind `wide`, a `bool`, a nested struct, an array.
#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Particle {
    alive: bool,
    pos: Point,
    wide: f64,
    vel: [f32; 3],
    id: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, qd::Data)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Pair<T, U = u8>(T, U);

/// Bytes side by side: a store must leave its neighbours alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, qd::Data)]
#[repr(C)]
struct Bytes {
    a: u8,
    flags: [bool; 3],
    r#type: i8,
    counts: [u32; 4],
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
#[repr(C, align(64))]
struct Line<T, const N: usize> {
    first: T,
    rest: [T; N],
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Nothing;

fn real(n: u64) -> f32 {
    (hash(n) % 2001) as f32 / 100.0 - 10.0
}

fn particle(n: u64) -> Particle {
    let part = |k: u64| real(n * 8 + k);
    Particle {
        alive: hash(n) % 3 != 0,
        pos: Point { x: part(1), y: part(2) },
        wide: part(3) as f64,
        vel: [part(4), part(5), part(6)],
        id: hash(n) as u16,
    }
}

fn particles(n: u64) -> Vec<Particle> {
    (0..n).map(particle).collect()
}

fn points(n: u64) -> Vec<Point> {
    (0..n).map(|n| Point { x: real(n), y: real(n + 1000) }).collect()
}

/// Runs a kernel natively and on every engine, each on a copy of `start`: states and results must be equal.
fn agree<S: Clone + PartialEq + Debug, R: PartialEq + Debug>(
    start: &S,
    native: impl Fn(&mut S) -> R,
    launch: impl Fn(&mut S) -> qd::Result<R>,
) {
    let mut want = start.clone();
    let result = native(&mut want);
    for engine in &Engines::new().all {
        let mut got = start.clone();
        let found =
            engine.runtime.scope(|| launch(&mut got)).unwrap_or_else(|error| panic!("{}: {error}", engine.name));
        assert_eq!(found, result, "{}", engine.name);
        assert!(got == want, "{}: {got:?}, natively {want:?}", engine.name);
    }
}

#[qd::kernel]
fn push(x: &mut [Particle], dt: f32, gravity: [f32; 3]) {
    for i in 0..x.len() {
        if x[i].alive {
            x[i].pos.x += x[i].vel[0] * dt;
            x[i].pos.y += x[i].vel[1] * dt;
            x[i].vel[2] += gravity[2] * dt;
            x[i].wide -= 0.5;
            x[i].alive = x[i].pos.x > -5.0;
        } else {
            x[i].id ^= 0xff;
        }
    }
}

#[test]
fn fields_of_elements() {
    let gravity = [0.0, 1.0, -9.5];
    agree(&particles(3000), |x| push.native(x, 0.25, gravity), |x| push.try_call(x, 0.25, gravity));
}

#[qd::kernel]
fn swap(x: &mut NdArray<Particle>, y: &mut NdArray<Particle>) {
    for i in x.indices() {
        let kept = x[i];
        x[i] = y[i];
        y[i] = kept;
        y[i].id += 1;
    }
}

#[qd::kernel]
fn reverse(x: &mut NdArray<Particle>, y: &NdArray<Particle>) {
    let n = y.len();
    for i in 0..n {
        x[i] = y[n - 1 - i];
    }
}

#[test]
fn whole_elements() {
    let all = particles(5000);
    let start = (NdArray::from_slice(&all[..2500]), NdArray::from_slice(&all[2500..]));
    agree(&start, |(x, y)| swap.native(x, y), |(x, y)| swap.try_call(x, y));
    agree(&start, |(x, y)| reverse.native(x, y), |(x, y)| reverse.try_call(x, y));
}

#[qd::kernel]
fn literals(x: &mut [Particle], p: &mut [Pair<f32>], shift: Point) {
    for i in 0..x.len() {
        let Point { x: right, y } = shift;
        let id = i as u16;
        let moved = Particle { pos: Point { y: x[i].pos.y + y, x: x[i].pos.x + right }, id, ..x[i] };
        x[i] = Particle { alive: !moved.alive, vel: [moved.vel[2], 0.0, moved.vel[0]], ..moved };
        p[i] = Pair(moved.pos.x, moved.id as u8);
        p[i] = Pair { 1: p[i].1 ^ 1, ..p[i] };
    }
}

#[test]
fn struct_literals() {
    let shift = Point { x: 1.5, y: -0.25 };
    let start = (particles(2000), vec![Pair(0.0, 0); 2000]);
    agree(&start, |(x, p)| literals.native(x, p, shift), |(x, p)| literals.try_call(x, p, shift));
}

#[qd::kernel]
fn patterns(x: &[Particle], out: &mut [f32], p: &mut [Pair<(f32, bool), [u8; 2]>]) {
    for i in 0..x.len() {
        let Particle { pos: Point { x: a, .. }, vel: [b, _, c], alive, .. } = x[i];
        let Pair((d, e), [f, mut g]) = p[i];
        g += f;
        out[i] = if alive != e { a + b * c } else { d };
        p[i] = Pair((out[i], alive), [g, f]);
    }
}

#[test]
fn destructuring() {
    let x = particles(1500);
    let pairs: Vec<_> = (0..1500).map(|n| Pair((real(n), n % 2 == 0), [n as u8, 7])).collect();
    let start = (vec![0.0; 1500], pairs);
    agree(&start, |(o, p)| patterns.native(&x, o, p), |(o, p)| patterns.try_call(&x, o, p));
}

#[qd::kernel]
fn centre(x: &[Point], mut start: Point, scale: (f32, [f32; 2])) -> (Point, Pair<Particle, i64>, [f32; 2]) {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i].x;
    }
    start.x += 1.0;
    let centre = Point { x: sum * scale.0, y: start.y };
    let id = x.len() as u16;
    let vel = [scale.1[0], scale.1[1], 3.0];
    let whole = Particle { alive: true, pos: start, wide: 0.125, vel, id };
    (centre, Pair(whole, -5), [vel[1], vel[0]])
}

#[test]
fn parameters_and_results() {
    // Exact in any order of the sum.
    let x: Vec<_> = (0..3000).map(|n| Point { x: (n % 7) as f32, y: 0.0 }).collect();
    let (start, scale) = (Point { x: 0.5, y: 2.5 }, (0.25, [7.0, -8.0]));
    agree(&(), |()| centre.native(&x, start, scale), |()| centre.try_call(&x, start, scale));
}

#[qd::kernel]
fn tables(x: &mut [f32], n: usize) {
    for i in 0..x.len() {
        // Constant indices only, then indices known at run time.
        let corner = [x[i], 2.0, x[i] * 0.5];
        let mut sums = [0.0; 4];
        let weights = [1.0, 0.5, 0.25, 0.125];
        for k in 0..n {
            sums[k % 4] += corner[0] * weights[(i + k) % 4];
            sums[(k + 1) % 4] -= corner[2];
        }
        let mut grid = [[0.0f32; 3]; 2];
        for r in 0..2 {
            for c in 0..3 {
                grid[r][c] = sums[r + c] + corner[c];
            }
        }
        grid[1][2] = -1.5;
        grid[i % 2] = [9.0, grid[0][i % 3], grid[i % 2][1]];
        let row = grid[(i + 1) % 2];
        x[i] = grid[0][0] + grid[1][i % 3] * 2.0 + row[1] - row[n % 3];
    }
}

#[test]
fn local_arrays() {
    let start: Vec<f32> = (0..4000).map(real).collect();
    for n in [0, 1, 5, 16] {
        agree(&start, |x| tables.native(x, n), |x| tables.try_call(x, n));
    }
}

/// Lists of many elements of one value, of several scalars each, as a part of another variable, set anew in a loop and in a
/// branch, and shorter than LLVM sees them.
#[qd::kernel]
fn filled(x: &mut [f32], pick: &[u32], n: usize) -> [u64; 300] {
    let mut counts = [7u64; 300];
    for i in 0..x.len() {
        let k = pick[i] as usize;
        let mut wide = [u128::MAX - 5; 256];
        let mut all = ([x[i]; 255], [true; 257], [(1i8, 2.5f64); 300]);
        let mut grid = [[pick[i] as i16; 20]; 20];
        for step in 0..n {
            if step == 2 {
                all.1 = [false; 257];
                all.2[(k + 1) % 300] = (3, 0.5);
            }
            grid[(k + step) % 20] = [step as i16; 20];
            wide[(k + step) % 256] += 7;
            all.0[k % 255] += 1.0;
        }
        let (small, large) = all.2[(k + n) % 300];
        let sum = wide[k % 256] as f32 + grid[k % 20][n] as f32 + grid[(k + 7) % 20][19] as f32;
        x[i] = sum + all.0[(k + 1) % 255] + all.0[k % 255] + small as f32 + large as f32 + all.1[256 - n] as u8 as f32;
        counts[k % 300] += k as u64;
    }
    counts
}

#[test]
fn arrays_of_one_value() {
    let start: Vec<f32> = (0..600).map(real).collect();
    let pick: Vec<u32> = (0..600).map(|n| (hash(n) % 1000) as u32).collect();
    for n in [0, 1, 5] {
        agree(&start, |x| filled.native(x, &pick, n), |x| filled.try_call(x, &pick, n));
    }
}

#[qd::kernel]
fn lists(x: &mut [Particle], pick: &[u32]) {
    for i in 0..x.len() {
        let mut all = [x[i]; 3];
        all[1] = Particle { id: 1, ..all[0] };
        let k = pick[i] as usize;
        all[k].pos.x += 1.0;
        all[(k + 1) % 3].vel[k] = all[k].pos.x;
        all[(k + 2) % 3].alive = !all[k].alive;
        let mut flags = [false; 5];
        flags[k + 1] = all[2].alive;
        flags[4 - k] ^= true;
        let copy = all;
        x[i] = copy[(k * 2) % 3];
        x[i].vel[k] += all[1].vel[2 - k];
        x[i].alive = flags[k] | flags[2];
        let single = [x[i].wide];
        x[i].wide += single[k - k];
    }
}

#[test]
fn arrays_of_structs() {
    let pick: Vec<u32> = (0..2000).map(|n| (hash(n) % 3) as u32).collect();
    agree(&particles(2000), |x| lists.native(x, &pick), |x| lists.try_call(x, &pick));
}

#[qd::kernel]
fn plane(x: &mut NdArray<Point, 2>, y: &NdArray<(u8, f64, bool), 2>) {
    for (i, j) in x.indices() {
        x[[i, j]].x = y[[j, i]].1 as f32;
        if y[[j, i]].2 && i > 0 {
            x[[i, j]].y += y[[j, i - 1]].0 as f32;
        }
    }
}

#[test]
fn arrays_of_more_dimensions_and_tuples() {
    let y = NdArray::from_fn([61, 47], |[i, j]| (i as u8, j as f64 * 0.5, (i * j) % 3 == 0));
    let start = NdArray::full([47, 61], Point { x: 1.0, y: 2.0 });
    agree(&start, |x| plane.native(x, &y), |x| plane.try_call(x, &y));
}

const UP: Point = Point { x: 0.0, y: 1.0 };
const STEPS: [Point; 3] = [UP, Point { x: 1.0, ..UP }, Point { x: -2.0, y: 0.5 }];

mod limits {
    pub static LEVELS: [i32; 4] = [-3, 0, 5, 1000];
}

#[qd::kernel]
fn constants(x: &mut [Point], level: &mut [i32]) {
    const LEN: usize = STEPS.len();
    for i in 0..x.len() {
        let _unit = Nothing;
        let corners = [UP; LEN + 1];
        x[i].x += STEPS[i % LEN].x + STEPS[LEN - 1].y * corners[LEN].y;
        x[i].y = UP.y - STEPS[1].x;
        level[i] = limits::LEVELS[i % 4];
    }
}

#[test]
fn constants_of_any_type() {
    let start = (points(999), vec![0; 999]);
    agree(&start, |(x, l)| constants.native(x, l), |(x, l)| constants.try_call(x, l));
}

#[qd::kernel]
fn control(x: &[Particle], out: &mut [Point]) {
    for i in 0..out.len() {
        let start = if x[i].alive { x[i].pos } else { Point { x: 1.0, y: 2.0 } };
        let first;
        if start.x > 0.0 {
            first = Pair(start, [i as u8, 1]);
        } else {
            first = Pair(Point { x: -1.0, y: start.x }, [0, 3]);
        }
        let mut steps = 0;
        let found = loop {
            steps += 1;
            if steps > 5 || x[i].vel[steps % 3] > 4.0 {
                break (Point { x: steps as f32, ..first.0 }, first.1[steps % 2]);
            }
        };
        out[i] = { found }.0;
        out[i].y += (found.1 as f32, 2).0;
    }
}

#[test]
fn values_of_branches_and_loops() {
    let x = particles(2500);
    let start = points(2500);
    agree(&start, |o| control.native(&x, o), |o| control.try_call(&x, o));
}

#[qd::kernel]
fn across(x: &mut [Point], scales: [f32; 4], k: usize) -> (Point, [f32; 2]) {
    let mut low = Point { x: scales[k], y: 0.0 };
    let mut history = [0.0; 2];
    let scale = scales[3];
    for i in 0..x.len() {
        x[i].x = x[i].x * scale + low.x;
    }
    low.y = x[0].x;
    history[k % 2] = low.y;
    low = Point { x: low.y, ..low };
    for i in 0..x.len() {
        x[i].y -= low.x + scales[i % 4] + history[(i + k) % 2];
    }
    history[1] = x[1].y;
    (low, history)
}

#[test]
fn values_across_tasks() {
    let scales = [1.0, -2.0, 0.5, 3.0];
    for k in 0..4 {
        agree(&points(3000), |x| across.native(x, scales, k), |x| across.try_call(x, scales, k));
    }
}

#[qd::kernel]
fn count(x: &[u32], bins: &mut [Bytes], total: &mut NdArray<Pair<i64, [u16; 5]>>) {
    for i in 0..x.len() {
        let k = x[i] as usize;
        qd::atomic::add(&mut bins[k % 7].counts[k % 4], 1);
        qd::atomic::max(&mut total[0].0, x[i] as i64);
        qd::atomic::xor(&mut total[k % 2].1[4], 1);
    }
}

#[test]
fn atomics_on_fields() {
    let x: Vec<u32> = (0..20_000).map(|n| hash(n) as u32).collect();
    let byte = Bytes { a: 1, flags: [true, false, true], r#type: -1, counts: [0, 1, 2, 3] };
    let start = (vec![byte; 7], NdArray::full(2, Pair(-1, [1, 2, 3, 4, 5])));
    agree(&start, |(b, t)| count.native(&x, b, t), |(b, t)| count.try_call(&x, b, t));
}

#[qd::kernel]
fn neighbours(x: &mut [Bytes]) {
    for i in 0..x.len() {
        x[i].flags[1] = i % 3 == 0;
        x[i].r#type += 1;
        x[i].flags[i % 3] ^= true;
        if i % 2 == 0 {
            x[i].a = 255;
        }
    }
}

#[test]
fn bytes_side_by_side() {
    let start: Vec<_> = (0..10_000)
        .map(|n| Bytes { a: n as u8, flags: [n % 2 == 0, true, n % 5 == 0], r#type: n as i8, counts: [n; 4] })
        .collect();
    agree(&start, |x| neighbours.native(x), |x| neighbours.try_call(x));
}

#[qd::kernel]
fn aligned(x: &mut NdArray<Line<f64, 5>>, y: &mut [[u8; 3]]) {
    for i in x.indices() {
        x[i].first = x[i].rest[0] + x[i].rest[4];
        x[i].rest[i % 5] = x[i].first;
        y[i] = [y[i][2], y[i][i % 3], 9];
    }
}

#[test]
fn alignment_and_arrays_as_elements() {
    let lines =
        NdArray::from_fn(700, |[n]| Line { first: 0.0, rest: [n as f64, 1.0, 2.0, 3.0, real(n as u64) as f64] });
    let start = (lines, (0..700).map(|n| [n as u8, 1, 2]).collect::<Vec<_>>());
    agree(&start, |(x, y)| aligned.native(x, y), |(x, y)| aligned.try_call(x, y));
}

#[qd::kernel]
fn out_of_bounds(x: &mut [Particle], pick: &[usize]) {
    for i in 0..x.len() {
        x[i].vel[pick[i]] = 1.0;
    }
}

#[qd::kernel]
fn past_the_end(x: &mut [f32], k: usize) {
    for i in 0..x.len() {
        let mut local = [[1.0, 2.0], [3.0, 4.0]];
        local[i % 2][k + i / 500] = x[i];
        x[i] = local[0][1];
    }
}

#[qd::func]
fn drift(p: &mut Particle, by: &[f32; 3], k: usize) -> Point {
    p.pos.x += by[k];
    p.vel[k] -= by[0];
    if p.alive && by.len() > 2 {
        return Point { y: p.pos.y, ..p.pos };
    }
    p.vel = [p.vel[2], p.vel[1], p.vel[0]];
    Point { x: by[2], y: p.vel[k] }
}

#[qd::func]
fn bump(list: &mut [u16; 4], k: usize) -> u16 {
    list[k % 4] += 1;
    list[0] *= 2;
    list[k % 4]
}

#[qd::func]
fn length(p: Point) -> f32 {
    (p.x * p.x + p.y * p.y).sqrt()
}

#[qd::kernel]
fn calls(x: &mut [Particle], lists: &mut NdArray<Pair<bool, [u16; 4]>>, out: &mut [f32]) {
    for i in 0..x.len() {
        let by = [0.5, -0.25, x[i].pos.y];
        let end = drift(&mut x[i], &by, i % 3);
        let mut own = [Particle { pos: end, ..x[i] }; 2];
        let second = drift(&mut own[i % 2], &[1.0, 2.0, 3.0], 1);
        let mut few = [1, 2, 3, i as u16];
        let last = bump(&mut few, i) + bump(&mut lists[i].1, i);
        out[i] = length(own[0].pos) + length(second) + own[1].vel[1] + (few[i % 4] + last) as f32;
    }
}

#[test]
fn functions_of_structs_and_arrays() {
    let lists = NdArray::from_fn(1500, |[n]| Pair(n % 2 == 0, [n as u16, 1, 2, 3]));
    let start = (particles(1500), lists, vec![0.0; 1500]);
    agree(&start, |(x, l, o)| calls.native(x, l, o), |(x, l, o)| calls.try_call(x, l, o));
}

#[qd::kernel]
fn compare(x: &[Particle], out: &mut [(bool, [f32; 3])]) {
    for i in 1..x.len() {
        let (a, b) = (x[i].vel, x[i - 1].vel);
        out[i] = (a < b || [a[0], b[0]] == [b[0], a[0]], if (a, 1) >= (b, 2) { a } else { b });
    }
}

#[test]
fn arrays_compare() {
    let x = particles(1000);
    agree(&vec![(false, [0.0; 3]); 1000], |o| compare.native(&x, o), |o| compare.try_call(&x, o));
}

#[qd::kernel]
fn wide(x: &mut [Pair<i128>], by: Pair<[i128; 2], bool>, k: usize) -> Pair<[i128; 2], u128> {
    let mut last = Pair([by.0[1], 7], 9);
    for i in 0..x.len() {
        x[i].0 = x[i].0 * by.0[i % 2] + i as i128;
        x[i].1 += by.1 as u8;
    }
    last.0[k % 2] += x[k].0;
    last
}

#[test]
fn wide_numbers_in_structs() {
    let start: Vec<Pair<i128>> = (0..1000).map(|n| Pair((hash(n) as i128) << 60, n as u8)).collect();
    let by = Pair([-3, 1 << 90], true);
    agree(&start, |x| wide.native(x, by, 11), |x| wide.try_call(x, by, 11));
}

#[qd::kernel]
fn too_large(x: &mut [f32]) {
    for i in 0..x.len() {
        let mut t = [[0.0; 100]; 50];
        t[i][i] = x[i];
        x[i] = t[i / 2][i];
    }
}

#[test]
fn variables_have_a_limit() {
    let engines = Engines::new();
    let error = engines.all[0].runtime.scope(|| too_large.try_call(&mut [0.0; 3])).unwrap_err();
    assert_eq!(error.kind(), qd::ErrorKind::Unsupported);
    let text = error.to_string();
    assert!(
        text.contains("`too_large`") && text.contains("`[[f32; 100]; 50]`") && text.contains("more than the 4096"),
        "{text}"
    );
}

#[test]
fn indices_into_fixed_arrays_are_checked() {
    for engine in &Engines::new().all {
        let mut pick = vec![0usize; 1000];
        (pick[700], pick[900]) = (5, 3);
        let mut x = particles(1000);
        let error = engine.runtime.scope(|| out_of_bounds.try_call(&mut x, &pick)).unwrap_err();
        assert_eq!(error.kind(), qd::ErrorKind::Fault);
        let text = error.to_string();
        assert!(text.contains("index out of bounds: the len is 3 but the index is 5"), "{text}");
        assert!(text.contains("iteration 700"), "{text}");
        let error = engine.runtime.scope(|| past_the_end.try_call(&mut vec![0.0; 600], 1)).unwrap_err().to_string();
        assert!(error.contains("the len is 2 but the index is 2") && error.contains("iteration 500"), "{error}");
    }
}

/// Parts without a scalar, beside one that has some.
#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Hollow {
    none: [f32; 0],
    unit: (),
    count: u8,
    nothing: Nothing,
    units: [(); 3],
}

/// Stores and loads of what has no scalars; the element is checked all the same.
#[qd::kernel]
fn hollow(x: &mut [Hollow], k: usize, by: usize) {
    for i in 0..x.len() {
        x[i].count += 1;
        x[i].unit = ();
        x[i].nothing = Nothing;
        x[i].units[1] = ();
        x[i].units[k] = x[i].unit;
        x[i].none = [];
        let mut local = (x[i].nothing, [(); 2]);
        local.0 = x[i].nothing;
        local.1[k] = ();
        x[i].nothing = local.0;
    }
    for i in 0..x.len() {
        x[i + by].unit = ();
    }
}

#[test]
fn what_has_no_scalars_is_stored_and_checked() {
    let x = [Hollow { none: [], unit: (), count: 7, nothing: Nothing, units: [(); 3] }; 40];
    for engine in &Engines::new().all {
        let (mut got, mut want) = (x, x);
        engine.runtime.scope(|| hollow(&mut got, 1, 0));
        hollow.native(&mut want, 1, 0);
        assert_eq!(got, want, "{}", engine.name);
        let error = engine.runtime.scope(|| hollow.try_call(&mut got, 1, 1)).unwrap_err().to_string();
        assert!(error.contains("the len is 40 but the index is 40") && error.contains("iteration 39"), "{error}");
        let error = engine.runtime.scope(|| hollow.try_call(&mut got, 2, 0)).unwrap_err().to_string();
        assert!(error.contains("the len is 2 but the index is 2"), "{error}");
    }
}

/// Of what a field's own type needs, that type knows: a vector a number.
#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Sphere<T> {
    centre: qd::Vector<T, 3>,
    radius: T,
    inner: Pair<Pair<T>, [T; 2]>,
}

#[qd::kernel]
fn grown<T: qd::Float>(spheres: &mut [Sphere<T>], by: T) {
    for i in 0..spheres.len() {
        let s = spheres[i];
        spheres[i] =
            Sphere { centre: s.centre * by, radius: s.radius + by, inner: Pair(Pair(by, s.inner.0.1), [by, s.radius]) };
    }
}

#[test]
fn fields_of_generic_types() {
    fn check<T: qd::Float + Debug>(of: impl Fn(f32) -> T) {
        let sphere = |n: usize| Sphere {
            centre: qd::Vector::splat(of(n as f32)),
            radius: of(n as f32 / 3.0),
            inner: Pair(Pair(of(1.0), n as u8), [of(2.0); 2]),
        };
        let start: Vec<_> = (0..100).map(sphere).collect();
        let mut native = start.clone();
        grown.native(&mut native, of(1.5));
        for engine in &Engines::new().all {
            let mut got = start.clone();
            engine.runtime.scope(|| grown(&mut got, of(1.5)));
            assert_eq!(got, native, "{}", engine.name);
        }
    }
    check(|v| v);
    check(|v| v as f64);
}
