//! Throughput: compiled kernels on data of some size, against C with OpenMP and rayon.
use qd::NdArray;

use crate::measure::{Contender, Effort, Spread, Times, cell, in_turns, ratio_cell};
use crate::native::Native;
use crate::{Outcome, kernels, threads};

/// What a case left behind, for comparing contenders.
#[derive(Debug, Clone, Copy)]
pub enum Digest {
    /// A hash of every bit: the same from all.
    Bits(u64),
    /// A sum whose order isn't the same in all: equal but for rounding.
    Near(f64),
}

impl Digest {
    /// Of the bits of all elements.
    pub fn of<T: Copy>(elements: &[T], bits: impl Fn(T) -> u64) -> Self {
        Digest::Bits(
            elements.iter().fold(0, |sum, v| (sum ^ bits(*v)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)),
        )
    }

    /// Whether both are the same result.
    pub fn agrees(self, other: Digest) -> bool {
        match (self, other) {
            (Digest::Bits(a), Digest::Bits(b)) => a == b,
            (Digest::Near(a), Digest::Near(b)) => (a - b).abs() <= 2e-5 * b.abs(),
            (Digest::Bits(_), Digest::Near(_)) | (Digest::Near(_), Digest::Bits(_)) => false,
        }
    }
}

/// The same work in every system.
struct Case<S> {
    name: &'static str,
    work: &'static str,
    state: S,
    /// Brings changed data back to the start.
    reset: fn(&mut S),
    digest: fn(&S) -> Digest,
    qd: fn(&mut S),
    native: fn(&Native, &mut S),
    rayon: fn(&mut S),
}

/// Measures the cases whose names hold one of `filters` (all, if there is none) and prints the table.
pub fn run(natives: &[&'static Native], filters: &[String], effort: Effort) -> Outcome {
    let names: Vec<&str> = natives.iter().map(|native| native.compiler.name).collect();
    let titles = |text: &dyn Fn(&str) -> String| names.iter().map(|name| text(name)).collect::<String>();
    println!(
        "| case | work | qd |{} rayon |{} qd/rayon | results |",
        titles(&|name| format!(" {name} |")),
        titles(&|name| format!(" qd/{name} |"))
    );
    println!("|---|---|--:|{}--:|{}--:|---|", titles(&|_| "--:|".into()), titles(&|_| "--:|".into()));
    let chosen = |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()));
    // Made one after the other, so that the data of one is gone before the next.
    macro_rules! cases {
        ($($name:ident),*) => { $(if chosen(stringify!($name)) { measure($name(), natives, effort)?; })* };
    }
    cases!(triad_f32, triad_f64, sum_f32, jacobi, gray_scott, matmul, nbody, histogram, julia);
    Ok(())
}

fn measure<S: 'static>(mut case: Case<S>, natives: &[&'static Native], effort: Effort) -> Outcome {
    let mut contenders = vec![Contender::new("qd", case.qd)];
    for native in natives {
        let (native, run) = (*native, case.native);
        let contender = Contender::new(native.compiler.name, move |state| run(native, state));
        contenders.push(contender.settling(native.compiler.settle));
    }
    contenders.push(Contender::new("rayon", case.rayon));

    let digests: Vec<Digest> = contenders
        .iter()
        .map(|contender| {
            (case.reset)(&mut case.state);
            (contender.run)(&mut case.state);
            std::thread::sleep(contender.settle);
            (case.digest)(&case.state)
        })
        .collect();
    for (contender, digest) in contenders.iter().zip(&digests) {
        if !digest.agrees(digests[0]) {
            return Err(format!("{}: {} gives {digest:?}, qd {:?}", case.name, contender.name, digests[0]).into());
        }
    }

    let times = in_turns(&mut case.state, &contenders, effort, case.reset);
    let (qd, peers) = (&times[0], &times[1..]);
    let cells: String = times.iter().map(|times| format!(" {} |", cell(times))).collect();
    let ratios: String = peers.iter().map(|peer| format!(" {} |", ratio_cell(qd, peer))).collect();
    let agreement = match digests[0] {
        Digest::Bits(_) => "equal bits",
        Digest::Near(_) => "equal to 2e-5",
    };
    println!("| {} | {} |{cells}{ratios} {agreement} |", case.name, case.work);
    let fastest = |times: &&Times| Spread::of(&times.seconds).median;
    if let Some(best) = peers.iter().min_by(|a, b| fastest(a).total_cmp(&fastest(b))) {
        eprintln!("{}: {} of the fastest peer, {}", case.name, ratio_cell(qd, best), best.name);
    }
    Ok(())
}

/// A number in [0, 1) with 24 bits, from an index and the number of a series (the mixer of splitmix64).
pub fn hashed(index: usize, series: u64) -> f32 {
    let mut z = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (series << 56);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 40) as f32 / (1 << 24) as f32
}

/// The first `n` numbers of a series.
pub fn series(n: usize, series: u64) -> Vec<f32> {
    (0..n).map(|i| hashed(i, series)).collect()
}

/// The first numbers of a series as a square of that side.
pub fn square(n: usize, series: u64) -> NdArray<f32, 2> {
    NdArray::from_fn([n, n], |[i, j]| hashed(i * n + j, series))
}

/// What [`Digest::of`] takes of an `f32`.
pub fn f32_bits(v: f32) -> u64 {
    v.to_bits().into()
}

const N: usize = 1 << 24;

fn triad_f32() -> Case<[Vec<f32>; 3]> {
    Case {
        name: "triad f32",
        work: "a = b + 3c, 2^24",
        state: [vec![0.0; N], series(N, 1), series(N, 2)],
        reset: |_| {},
        digest: |[a, ..]| Digest::of(a, f32_bits),
        qd: |[a, b, c]| kernels::triad_f32(a, b, c, 3.0),
        // SAFETY: three arrays of N elements.
        native: |native, [a, b, c]| unsafe { (native.triad_f32)(a.as_mut_ptr(), b.as_ptr(), c.as_ptr(), 3.0, N) },
        rayon: |[a, b, c]| threads::triad_f32(a, b, c, 3.0),
    }
}

fn triad_f64() -> Case<[Vec<f64>; 3]> {
    let wide = |n| (0..N).map(|i| hashed(i, n).into()).collect();
    Case {
        name: "triad f64",
        work: "a = b + 3c, 2^24",
        state: [vec![0.0; N], wide(1), wide(2)],
        reset: |_| {},
        digest: |[a, ..]| Digest::of(a, f64::to_bits),
        qd: |[a, b, c]| kernels::triad_f64(a, b, c, 3.0),
        // SAFETY: three arrays of N elements.
        native: |native, [a, b, c]| unsafe { (native.triad_f64)(a.as_mut_ptr(), b.as_ptr(), c.as_ptr(), 3.0, N) },
        rayon: |[a, b, c]| threads::triad_f64(a, b, c, 3.0),
    }
}

fn sum_f32() -> Case<(Vec<f32>, f32)> {
    Case {
        name: "sum f32",
        work: "2^24",
        state: (series(N, 1), 0.0),
        reset: |_| {},
        digest: |(_, sum)| Digest::Near((*sum).into()),
        qd: |(x, sum)| *sum = kernels::sum_f32(x),
        // SAFETY: an array of N elements.
        native: |native, (x, sum)| *sum = unsafe { (native.sum_f32)(x.as_ptr(), N) },
        rayon: |(x, sum)| *sum = threads::sum_f32(x),
    }
}

const GRID: usize = 2048;

fn jacobi() -> Case<[NdArray<f32, 2>; 2]> {
    Case {
        name: "Jacobi",
        work: "20 sweeps, 2048² f32",
        state: [square(GRID, 3), square(GRID, 3)],
        // Without resets every contender would go on from where the one before it ended, at the same speed.
        reset: |state| *state = [square(GRID, 3), square(GRID, 3)],
        digest: |[a, _]| Digest::of(a.as_slice(), f32_bits),
        qd: |[a, b]| (0..10).for_each(|_| kernels::jacobi(a, b)),
        // SAFETY: two grids of these extents, both above two.
        native: |native, [a, b]| unsafe { (native.jacobi)(a.as_mut_ptr(), b.as_mut_ptr(), GRID, GRID, 10) },
        rayon: |[a, b]| {
            let (a, b) = (a.as_mut_slice(), b.as_mut_slice());
            for _ in 0..10 {
                threads::jacobi_sweep(b, a, GRID);
                threads::jacobi_sweep(a, b, GRID);
            }
        },
    }
}

const DISH: usize = 1024;

/// `[u, v, next u, next v]` at the start: noise with a spot in the middle.
fn dish() -> [NdArray<f32, 2>; 4] {
    let grid = |series, base: f32, spot: f32| {
        NdArray::from_fn([DISH, DISH], |[i, j]| {
            let inside = i.abs_diff(DISH / 2) < 32 && j.abs_diff(DISH / 2) < 32;
            base + 0.02 * hashed(i * DISH + j, series) + if inside { spot } else { 0.0 }
        })
    };
    let (u, v) = (grid(7, 0.9, -0.4), grid(8, 0.01, 0.25));
    [u.clone(), v.clone(), u, v]
}

fn gray_scott() -> Case<[NdArray<f32, 2>; 4]> {
    Case {
        name: "Gray-Scott",
        work: "20 steps, 1024² f32",
        state: dish(),
        reset: |state| *state = dish(),
        digest: |[u, ..]| Digest::of(u.as_slice(), f32_bits),
        qd: |[u, v, un, vn]| {
            for _ in 0..10 {
                kernels::gray_scott(un, vn, u, v);
                kernels::gray_scott(u, v, un, vn);
            }
        },
        native: |native, [u, v, un, vn]| {
            let [u, v, un, vn] = [u, v, un, vn].map(|grid| grid.as_mut_ptr());
            // SAFETY: four grids of these extents, all above two.
            unsafe { (native.gray_scott)(u, v, un, vn, DISH, DISH, 10) }
        },
        rayon: |[u, v, un, vn]| {
            let [u, v, un, vn] = [u, v, un, vn].map(|grid| grid.as_mut_slice());
            for _ in 0..10 {
                threads::gray_scott_step(un, vn, u, v, DISH);
                threads::gray_scott_step(u, v, un, vn, DISH);
            }
        },
    }
}

const SIDE: usize = 512;

fn matmul() -> Case<[NdArray<f32, 2>; 3]> {
    Case {
        name: "matmul",
        work: "512³ f32, a dot product an element",
        state: [square(SIDE, 0), square(SIDE, 1), square(SIDE, 2)],
        reset: |_| {},
        digest: |[c, ..]| Digest::of(c.as_slice(), f32_bits),
        qd: |[c, a, b]| kernels::matmul(c, a, b),
        // SAFETY: three squares of this side.
        native: |native, [c, a, b]| unsafe { (native.matmul)(c.as_mut_ptr(), a.as_ptr(), b.as_ptr(), SIDE) },
        rayon: |[c, a, b]| threads::matmul(c.as_mut_slice(), a.as_slice(), b.as_slice(), SIDE),
    }
}

const BODIES: usize = 4096;

/// Forces, and `x`, `y`, `z`, `m`.
type Bodies = ([Vec<f32>; 3], [Vec<f32>; 4]);

fn nbody() -> Case<Bodies> {
    Case {
        name: "n-body",
        work: "4096 bodies, all pairs, f32",
        state: (std::array::from_fn(|_| vec![0.0; BODIES]), std::array::from_fn(|k| series(BODIES, k as u64))),
        reset: |_| {},
        digest: |(f, _)| Digest::of(&f.concat(), f32_bits),
        qd: |([fx, fy, fz], [x, y, z, m])| kernels::nbody(fx, fy, fz, x, y, z, m),
        native: |native, (f, bodies)| {
            let [fx, fy, fz] = f.each_mut().map(|f| f.as_mut_ptr());
            let [x, y, z, m] = bodies.each_ref().map(|v| v.as_ptr());
            // SAFETY: seven arrays of this length.
            unsafe { (native.nbody)(fx, fy, fz, x, y, z, m, BODIES) }
        },
        rayon: |(f, bodies)| {
            threads::nbody(f.each_mut().map(|f| f.as_mut_slice()), bodies.each_ref().map(|v| v.as_slice()));
        },
    }
}

fn histogram() -> Case<(Vec<u32>, Vec<u32>)> {
    Case {
        name: "histogram",
        work: "2^24 keys, 256 bins, atomic adds",
        state: (vec![0; 256], (0..N).map(|i| (hashed(i, 6) * 65536.0) as u32).collect()),
        reset: |_| {},
        digest: |(bins, _)| Digest::of(bins, u64::from),
        qd: |(bins, keys)| kernels::histogram(bins, keys),
        // SAFETY: 256 bins and N keys.
        native: |native, (bins, keys)| unsafe { (native.histogram)(bins.as_mut_ptr(), keys.as_ptr(), N) },
        rayon: |(bins, keys)| threads::histogram(bins, keys),
    }
}

const PICTURE: usize = 1024;
const LIMIT: u32 = 200;

fn julia() -> Case<NdArray<u32, 2>> {
    Case {
        name: "Julia",
        work: "1024², at most 200 steps, f32",
        state: NdArray::zeros([PICTURE, PICTURE]),
        reset: |_| {},
        digest: |out| Digest::of(out.as_slice(), u64::from),
        qd: |out| kernels::julia(out, LIMIT),
        // SAFETY: a square of this side.
        native: |native, out| unsafe { (native.julia)(out.as_mut_ptr(), PICTURE, LIMIT) },
        rayon: |out| threads::julia(out.as_mut_slice(), PICTURE, LIMIT),
    }
}
