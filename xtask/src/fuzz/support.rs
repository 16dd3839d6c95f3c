//! What the generated programs share: inputs, the runtimes, the comparison. Part of each generated crate.
use std::cell::Cell;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use qd::{Config, NdArray, Runtime};

/// Sets of inputs.
pub const CASES: u64 = 3;

/// Length of the slices in each case.
const LENGTHS: [usize; CASES as usize] = [1, 37, 2500];

pub struct Engine {
    pub name: String,
    pub runtime: Runtime,
}

/// Opt levels 0 and 3, one, two and five threads.
pub fn engines() -> &'static [Engine] {
    static ENGINES: OnceLock<Vec<Engine>> = OnceLock::new();
    ENGINES.get_or_init(|| {
        let engine = |(opt_level, threads): (u8, usize)| {
            let config = Config::default().ignore_env().offline_cache(false).opt_level(opt_level).num_threads(threads);
            Engine {
                name: format!("opt {opt_level}, {threads} threads"),
                // Without a runtime there is nothing to try.
                runtime: Runtime::new(config).expect("a runtime"),
            }
        };
        [(0, 2), (3, 1), (3, 5)].map(engine).into()
    })
}

/// A well-mixed 64-bit number (splitmix64, Steele, Lea and Flood 2014).
fn hash(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Types of inputs and results.
pub trait Value: Copy + Debug {
    /// The value of that number: small ones, edges and any bits.
    fn make(number: u64) -> Self;
    /// Equal bits, or both NaN.
    fn same(self, other: Self) -> bool;
}

macro_rules! integers {
    ($($t:ident)*) => { $(
        impl Value for $t {
            fn make(number: u64) -> Self {
                let random = hash(number);
                match random >> 61 {
                    0 => (u128::from(hash(random)) << 64 | u128::from(hash(!random))) as $t,
                    1 => [0, 1, <$t>::MAX, <$t>::MIN, <$t>::MAX / 2][(random % 5) as usize],
                    _ => ((random % 16) as $t).wrapping_sub(if random & 64 == 0 { 0 } else { 4 }),
                }
            }
            fn same(self, other: Self) -> bool {
                self == other
            }
        }
    )* };
}
integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);

impl Value for bool {
    fn make(number: u64) -> Self {
        hash(number) & 1 == 0
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

macro_rules! floats {
    ($($t:ident $bits:ident)*) => { $(
        impl Value for $t {
            fn make(number: u64) -> Self {
                let random = hash(number);
                match random >> 61 {
                    0 => <$t>::from_bits(hash(random) as $bits),
                    1 => [0.0, -0.0, <$t>::MAX, <$t>::INFINITY, <$t>::NAN, <$t>::MIN_POSITIVE / 4.0, 0.1]
                        [(random % 7) as usize],
                    _ => (random % 1000) as $t / 64.0 - 4.0,
                }
            }
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        }
    )* };
}
floats!(f32 u32 f64 u64);

/// Results of kernels.
pub trait Outcome: Debug {
    fn same(&self, other: &Self) -> bool;
}

impl Outcome for () {
    fn same(&self, _: &Self) -> bool {
        true
    }
}

impl<A: Value> Outcome for A {
    fn same(&self, other: &Self) -> bool {
        Value::same(*self, *other)
    }
}

impl<A: Value, B: Value> Outcome for (A, B) {
    fn same(&self, other: &Self) -> bool {
        Value::same(self.0, other.0) && Value::same(self.1, other.1)
    }
}

impl<A: Value, B: Value, C: Value> Outcome for (A, B, C) {
    fn same(&self, other: &Self) -> bool {
        Value::same(self.0, other.0) && Value::same(self.1, other.1) && Value::same(self.2, other.2)
    }
}

/// A scalar argument.
pub fn value<T: Value>(case: u64, param: u64) -> T {
    T::make(hash(case * 64 + param))
}

/// A slice argument.
pub fn slice<T: Value>(case: u64, param: u64) -> Vec<T> {
    let seed = hash(case * 64 + param);
    (0..LENGTHS[case as usize] as u64).map(|i| T::make(seed.wrapping_add(i))).collect()
}

/// A two-dimensional argument.
pub fn grid<T: Value + qd::Data>(case: u64, param: u64) -> NdArray<T, 2> {
    let shape = [[1, 1], [5, 9], [33, 40]][case as usize];
    let seed = hash(case * 64 + param);
    NdArray::from_fn(shape, |[i, j]| T::make(seed.wrapping_add((i * shape[1] + j) as u64)))
}

/// What the native body gives: a result, or the message, line and column of its panic.
pub type Native<R> = Result<R, (String, u32, u32)>;

thread_local! {
    /// Line and column of the last panic; zeros if it was in std, whose methods don't all name their caller.
    static PLACE: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// Runs the native body.
pub fn natively<R>(body: impl FnOnce() -> R) -> Native<R> {
    static HOOK: OnceLock<()> = OnceLock::new();
    HOOK.get_or_init(|| {
        std::panic::set_hook(Box::new(|info| {
            let ours = info.location().filter(|place| place.file().starts_with("src/"));
            PLACE.set(ours.map_or((0, 0), |place| (place.line(), place.column())));
        }));
    });
    catch_unwind(AssertUnwindSafe(body)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
        let (line, column) = PLACE.get();
        (text, line, column)
    })
}

/// Compares results; true if the arrays are to be compared too.
pub fn agree<R: Outcome>(native: &Native<R>, compiled: qd::Result<R>) -> Result<bool, String> {
    match (native, compiled) {
        (Ok(native), Ok(compiled)) if native.same(&compiled) => Ok(true),
        (Ok(native), Ok(compiled)) => Err(format!("gives {compiled:?}, natively {native:?}")),
        (Ok(native), Err(error)) => Err(format!("fails: {error}; natively {native:?}")),
        (Err((text, line, column)), Ok(compiled)) => {
            Err(format!("gives {compiled:?}; natively a panic at {line}:{column}: {text}"))
        }
        (Err((text, line, column)), Err(error)) => {
            let error = error.to_string();
            // To rustc the index of an `NdArray` is a call that begins at the bracket.
            let place = if text.contains("the extent of") { format!(":{line}:") } else { format!(":{line}:{column}:") };
            if error.contains(text) && (*line == 0 || error.contains(&place)) {
                Ok(false)
            } else {
                Err(format!("fails: {error}; natively at {line}:{column}: {text}"))
            }
        }
    }
}

/// Compares an array after the launch.
pub fn same<'a, T: Value + 'a, A: AsElements<T>>(name: &str, native: &A, compiled: &A) -> Result<(), String> {
    let (native, compiled) = (native.elements(), compiled.elements());
    match (0..native.len()).find(|i| !native[*i].same(compiled[*i])) {
        Some(i) => Err(format!("`{name}` at {i} is {:?}, natively {:?}", compiled[i], native[i])),
        None => Ok(()),
    }
}

/// Arrays as slices.
pub trait AsElements<T> {
    fn elements(&self) -> &[T];
}

impl<T> AsElements<T> for Vec<T> {
    fn elements(&self) -> &[T] {
        self
    }
}

impl<T: qd::Data> AsElements<T> for NdArray<T, 2> {
    fn elements(&self) -> &[T] {
        self.as_slice()
    }
}
