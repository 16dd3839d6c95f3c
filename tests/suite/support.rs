//! What the suite's tables share: edge values, engines, the comparison, and the macro that makes a table a test.
use std::fmt::Debug;

use qd::{Config, Runtime, bf16, f16};
use qd_sim::Schedule;

/// A runtime of one configuration.
pub struct Engine {
    /// For messages.
    pub name: String,
    /// The runtime.
    pub runtime: Runtime,
    /// It runs GPU code, on the CPU.
    pub simulated: bool,
}

/// Every combination of opt levels 0 and 3 with 1, 2 and 5 threads, on one empty cache that goes away with the value. With
/// the variable [`SIMULATED`] simulated GPUs instead, of which the binary that is for them has two.
pub struct Engines {
    /// The runtimes.
    pub all: Vec<Engine>,
    _cache: tempfile::TempDir,
}

/// The variable by which `cargo xtask sim` runs the suite on simulated GPUs.
pub const SIMULATED: &str = "QD_SIM";

impl Engines {
    /// New runtimes on a new cache.
    pub fn new() -> Self {
        let cache = tempfile::tempdir().expect("a temporary directory");
        let config = || Config::default().ignore_env().offline_cache_file_path(cache.path());
        let all = if crate::ON_SIMULATED_GPUS || std::env::var_os(SIMULATED).is_some() {
            let simulated = |(target, opt_level, schedule): (&str, u8, Schedule)| Engine {
                name: format!("simulated {target}, opt {opt_level}, {schedule:?}"),
                runtime: qd_sim::runtime(target, schedule, config().opt_level(opt_level).num_threads(1))
                    .expect("a simulated device"),
                simulated: true,
            };
            let all = [
                ("sm_80", 3, Schedule::random(1)),
                ("gfx1100", 3, Schedule::backward()),
                ("sm_75", 0, Schedule::forward()),
                ("gfx90a", 0, Schedule::random(2)),
            ];
            let some = if crate::ON_SIMULATED_GPUS { &all[..2] } else { &all };
            some.iter().copied().map(simulated).collect()
        } else {
            let compiled = |(opt_level, threads)| Engine {
                name: format!("opt {opt_level}, {threads} threads"),
                runtime: Runtime::new(config().opt_level(opt_level).num_threads(threads)).expect("a runtime"),
                simulated: false,
            };
            [(0, 1), (0, 2), (0, 5), (3, 1), (3, 2), (3, 5)].map(compiled).into()
        };
        Engines { all, _cache: cache }
    }
}

/// What a launch does to an array is what native code does to it, on each engine.
pub fn agree<S: Clone + PartialEq + std::fmt::Debug>(
    start: &[S],
    native: impl Fn(&mut [S]),
    launch: impl Fn(&mut [S]) -> qd::Result<()>,
) {
    let mut want = start.to_vec();
    native(&mut want);
    for engine in &Engines::new().all {
        let mut got = start.to_vec();
        engine.runtime.scope(|| launch(&mut got)).unwrap_or_else(|error| panic!("{}: {error}", engine.name));
        assert!(got == want, "{}: {got:?}, natively {want:?}", engine.name);
    }
}

/// Which bits must agree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// All, but that any NaN equals any NaN.
    Exact,
    /// As `Exact`, and a zero equals a zero of the other sign (`min`, `max`, `clamp` of floats).
    ZeroSign,
    /// As `Exact` on the CPU, as `Ulps` on GPUs.
    Platform(u32),
    /// Within so many units in the last place; a zero equals a zero of the other sign.
    Ulps(u32),
}

impl Class {
    /// What it means on that engine.
    pub fn on(self, engine: &Engine) -> Class {
        match self {
            Class::Platform(ulps) if engine.simulated => Class::Ulps(ulps),
            Class::Platform(_) => Class::Exact,
            Class::Exact | Class::ZeroSign | Class::Ulps(_) => self,
        }
    }

    /// Whether two numbers that aren't equal and no NaNs agree: by their bits without the sign, and whether they have one.
    fn near(self, [a, b]: [u64; 2], same_sign: bool) -> bool {
        match self {
            Class::Exact | Class::Platform(_) => false,
            Class::ZeroSign => a == 0 && b == 0,
            Class::Ulps(ulps) => a == 0 && b == 0 || same_sign && a.abs_diff(b) <= ulps.into(),
        }
    }
}

/// What isn't compared on simulated GPUs: row, a piece of its input, and why.
const EXCLUDED: &[(&str, &str, &str)] = &[
    ("platform: asinh", "e38", OVERFLOWS),
    ("platform: asinh", "e308", OVERFLOWS),
    ("platform: acosh", "e38", OVERFLOWS),
    ("platform: acosh", "e308", OVERFLOWS),
];
const OVERFLOWS: &str = "std's overflows to infinity where the device library's is right";

/// Whether there is a reason not to compare.
fn excluded(what: &str, class: Class, input: &str) -> bool {
    let fits = |(row, piece, _): &(&str, &str, &str)| *row == what && input.contains(piece);
    matches!(class, Class::Ulps(_)) && EXCLUDED.iter().any(fits)
}

/// Elements that the suite compares.
pub trait Same: Copy + Debug {
    /// Equal as the class says.
    fn same(self, other: Self, class: Class) -> bool;
}

/// Elements with values at the edges of their type.
pub trait Edges: Copy {
    /// The edges, some ordinary values and some hashed bit patterns.
    fn edges() -> Vec<Self>;
}

/// A well-mixed 64-bit number (splitmix64, Steele, Lea and Flood 2014).
pub fn hash(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

macro_rules! integer_elements {
    ($($t:ident)*) => { $(
        impl Same for $t {
            fn same(self, other: Self, _: Class) -> bool {
                self == other
            }
        }
        impl Edges for $t {
            fn edges() -> Vec<Self> {
                let mut all = vec![0, 1, 2, 3, 7, 10, 64, 100];
                all.extend([<$t>::MIN, <$t>::MIN.wrapping_add(1), <$t>::MAX, <$t>::MAX - 1, <$t>::MAX / 2]);
                all.extend([<$t>::MAX / 2 + 1, (0 as $t).wrapping_sub(1), (0 as $t).wrapping_sub(2)]);
                all.extend((0..8).map(|n| (u128::from(hash(!n)) << 64 | u128::from(hash(n))) as $t));
                if <$t>::BITS > 64 {
                    // Round the border of the two words that hold it.
                    let border = (1u128 << 64) as $t;
                    all.extend([border, border - 1, border + 1, border / 2, !border, (0 as $t).wrapping_sub(border)]);
                }
                all
            }
        }
    )* };
}
integer_elements!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128 u128);

impl Same for bool {
    fn same(self, other: Self, _: Class) -> bool {
        self == other
    }
}
impl Edges for bool {
    fn edges() -> Vec<Self> {
        vec![false, true]
    }
}

macro_rules! float_elements {
    ($($t:ident $bits:ident)*) => { $(
        impl Same for $t {
            fn same(self, other: Self, class: Class) -> bool {
                let size = |v: Self| u64::from(v.abs().to_bits());
                let same_sign = self.is_sign_negative() == other.is_sign_negative();
                self.to_bits() == other.to_bits()
                    || self.is_nan() && other.is_nan()
                    || !self.is_nan()
                        && !other.is_nan()
                        && class.near([size(self), size(other)], same_sign)
            }
        }
        impl Edges for $t {
            fn edges() -> Vec<Self> {
                let mut all = vec![0.0, 1.0, 0.5, 1.5, 2.5, 3.75, 0.1, 100.7, 1e10, <$t>::EPSILON];
                all.extend([<$t>::MIN_POSITIVE, <$t>::from_bits(1), <$t>::MIN_POSITIVE / 2.0, <$t>::MAX]);
                all.extend([<$t>::INFINITY, 0.49999997, 127.0, 128.0, 255.5, 65536.0, 16777217.0]);
                all.extend([2147483648.0, 4294967296.0, 9223372036854775808.0, 18446744073709551616.0, 3.5]);
                // Round 2^127, the border of `i128`.
                all.extend([1.7e38, 170141183460469231731687303715884105728.0, 1.8e38, 3.4e38]);
                let negative: Vec<$t> = all.iter().map(|v| -v).collect();
                all.extend(negative);
                all.push(<$t>::NAN);
                all.extend((0..8).map(|n| <$t>::from_bits(hash(n) as $bits)));
                all.extend((0..8).map(|n| (hash(n) as i64 as $t) / (1u64 << 61) as $t));
                all
            }
        }
    )* };
}
float_elements!(f32 u32 f64 u64);

macro_rules! half_elements {
    ($($t:ident)*) => { $(
        impl Same for $t {
            fn same(self, other: Self, class: Class) -> bool {
                let size = |v: Self| u64::from(v.to_bits() & 0x7fff);
                let same_sign = self.is_sign_negative() == other.is_sign_negative();
                self.to_bits() == other.to_bits()
                    || self.is_nan() && other.is_nan()
                    || !self.is_nan()
                        && !other.is_nan()
                        && class.near([size(self), size(other)], same_sign)
            }
        }
        impl Edges for $t {
            fn edges() -> Vec<Self> {
                let mut all: Vec<$t> = [0.0, 1.0, 0.5, 1.5, 2.5, 3.75, 0.1, 100.7, 1e10, 127.0, 255.5, 2049.0, 65504.0, 1.7e38]
                    .map($t::from_f32)
                    .to_vec();
                all.extend([$t::EPSILON, $t::MIN_POSITIVE, $t::MIN_POSITIVE_SUBNORMAL, $t::MAX_SUBNORMAL, $t::MAX]);
                let negative: Vec<$t> = all.iter().map(|v| -*v).collect();
                all.extend(negative);
                all.extend([$t::INFINITY, $t::NEG_INFINITY, $t::NAN, $t::from_bits($t::INFINITY.to_bits() | 1)]);
                all.extend((0..8).map(|n| $t::from_bits(hash(n) as u16)));
                all
            }
        }
    )* };
}
half_elements!(f16 bf16);

/// The values for which `keep` holds, hidden from the optimiser.
pub fn singles<A: Edges>(keep: impl Fn(A) -> bool) -> Vec<A> {
    std::hint::black_box(A::edges().into_iter().filter(|a| keep(*a)).collect())
}

/// All pairs for which `keep` holds, as two columns, hidden from the optimiser.
pub fn pairs<A: Edges, B: Edges>(keep: impl Fn(A, B) -> bool) -> (Vec<A>, Vec<B>) {
    let mut columns = (Vec::new(), Vec::new());
    for a in A::edges() {
        for b in B::edges() {
            if keep(a, b) {
                columns.0.push(a);
                columns.1.push(b);
            }
        }
    }
    std::hint::black_box(columns)
}

/// Triples of edge values, thinned to about `limit`, as three columns.
pub fn triples<A: Edges>(limit: usize, keep: impl Fn(A, A, A) -> bool) -> (Vec<A>, Vec<A>, Vec<A>) {
    let edges = A::edges();
    let step = (edges.len().pow(3) / limit).max(1);
    let mut columns = (Vec::new(), Vec::new(), Vec::new());
    let all = edges.iter().flat_map(|a| edges.iter().flat_map(|b| edges.iter().map(|c| (*a, *b, *c))));
    for (a, b, c) in all.enumerate().filter(|(n, _)| hash(*n as u64) % step as u64 == 0).map(|(_, t)| t) {
        if keep(a, b, c) {
            columns.0.push(a);
            columns.1.push(b);
            columns.2.push(c);
        }
    }
    std::hint::black_box(columns)
}

/// Panics with the first few places where two results differ.
pub fn assert_same<R: Same>(
    what: &str,
    engine: &str,
    class: Class,
    got: &[R],
    want: &[R],
    input: impl Fn(usize) -> String,
) {
    assert_eq!(got.len(), want.len());
    let wrong: Vec<String> = (0..got.len())
        .filter(|i| !got[*i].same(want[*i], class) && !excluded(what, class, &input(*i)))
        .map(|i| format!("  {}: compiled {:?}, native {:?}", input(i), got[i], want[i]))
        .collect();
    assert!(
        wrong.is_empty(),
        "{what} ({engine}): {} of {} differ:\n{}",
        wrong.len(),
        got.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
}

/// A table of expressions over one, two or three columns of inputs: a kernel with a loop for each row, run natively
/// and on every engine.
///
/// `table! { name, (a: i32, b: i32) = pairs(|_, b| b != 0), Exact { div: i32 = a / b; } }`
macro_rules! table {
    ($name:ident, ($a:ident: $ta:ty) = $inputs:expr, $class:ident $(($ulps:literal))? { $($out:ident: $r:ty = $e:expr;)+ }) => {
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel($($out: &mut [$r],)+ $a: &[$ta]) {
                $(for i in 0..$out.len() {
                    let $a = $a[i];
                    $out[i] = $e;
                })+
            }
            table!(@run $name, ($a) = $inputs, $class $(($ulps))? { $($out: $r)+ });
        }
    };
    (
        $name:ident, ($a:ident: $ta:ty, $b:ident: $tb:ty) = $inputs:expr,
        $class:ident $(($ulps:literal))? { $($out:ident: $r:ty = $e:expr;)+ }
    ) => {
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel($($out: &mut [$r],)+ $a: &[$ta], $b: &[$tb]) {
                $(for i in 0..$out.len() {
                    let $a = $a[i];
                    let $b = $b[i];
                    $out[i] = $e;
                })+
            }
            table!(@run $name, ($a, $b) = $inputs, $class $(($ulps))? { $($out: $r)+ });
        }
    };
    (
        $name:ident, ($a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty) = $inputs:expr,
        $class:ident $(($ulps:literal))? { $($out:ident: $r:ty = $e:expr;)+ }
    ) => {
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel($($out: &mut [$r],)+ $a: &[$ta], $b: &[$tb], $c: &[$tc]) {
                $(for i in 0..$out.len() {
                    let $a = $a[i];
                    let $b = $b[i];
                    let $c = $c[i];
                    $out[i] = $e;
                })+
            }
            table!(@run $name, ($a, $b, $c) = $inputs, $class $(($ulps))? { $($out: $r)+ });
        }
    };
    (@run $name:ident, ($($in:ident),+) = $inputs:expr, $class:ident $(($ulps:literal))? { $($out:ident: $r:ty)+ }) => {
        struct Results { $($out: Vec<$r>),+ }
        #[allow(unused_parens)]
        let ($($in),+) = $inputs;
        let len = [$($in.len()),+][0];
        let empty = || Results { $($out: vec![<$r>::default(); len]),+ };
        let mut want = empty();
        kernel.native($(&mut want.$out,)+ $(&$in),+);
        let engines = $crate::support::Engines::new();
        for engine in &engines.all {
            let class = $crate::support::Class::$class $(($ulps))? .on(engine);
            let mut got = empty();
            engine
                .runtime
                .scope(|| kernel.try_call($(&mut got.$out,)+ $(&$in),+))
                .unwrap_or_else(|error| panic!("{} ({}): {error}", stringify!($name), engine.name));
            let input = |i: usize| format!("{:?}", ($($in[i],)+));
            $($crate::support::assert_same(
                concat!(stringify!($name), ": ", stringify!($out)),
                &engine.name,
                class,
                &got.$out,
                &want.$out,
                input,
            );)+
        }
    };
}
