//! What the generated programs share: inputs, the comparison. Part of each generated crate, beside the runtimes in
//! `support/engines.rs`.
use std::cell::Cell;
use std::fmt::Debug;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use qd::{Matrix, NdArray, Vector, bf16, f16};

/// Sets of inputs.
pub const CASES: u64 = 3;

/// Length of the slices in each case.
const LENGTHS: [usize; CASES as usize] = [1, 37, 2500];

mod engines;

pub use engines::{Engine, engines};

/// A well-mixed 64-bit number (splitmix64, Steele, Lea and Flood 2014).
fn hash(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The number of part `part` of a value.
pub fn mixed(number: u64, part: u64) -> u64 {
    hash(number.wrapping_mul(64).wrapping_add(part))
}

/// Types of inputs and results.
pub trait Value: Copy + Debug {
    /// The value of that number: small ones, edges and any bits.
    fn make(number: u64) -> Self;
    /// Equal bits, or both NaN.
    fn same(self, other: Self) -> bool;
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn make(number: u64) -> Self {
        std::array::from_fn(|k| T::make(mixed(number, k as u64)))
    }
    fn same(self, other: Self) -> bool {
        self.into_iter().zip(other).all(|(a, b)| a.same(b))
    }
}

impl<T: Value + qd::Number, const N: usize> Value for Vector<T, N> {
    fn make(number: u64) -> Self {
        Vector::from(<[T; N]>::make(number))
    }
    fn same(self, other: Self) -> bool {
        (0..N).all(|k| self[k].same(other[k]))
    }
}

impl<T: Value + qd::Number, const R: usize, const C: usize> Value for Matrix<T, R, C> {
    fn make(number: u64) -> Self {
        Matrix::from(<[[T; C]; R]>::make(number))
    }
    fn same(self, other: Self) -> bool {
        (0..R).all(|r| (0..C).all(|c| self[[r, c]].same(other[[r, c]])))
    }
}

macro_rules! tuples {
    ($(($($t:ident $k:tt)*))*) => { $(
        impl<$($t: Value),*> Value for ($($t,)*) {
            #[allow(unused_variables)]
            fn make(number: u64) -> Self {
                ($($t::make(mixed(number, $k)),)*)
            }
            #[allow(unused_variables)]
            fn same(self, other: Self) -> bool {
                true $(&& self.$k.same(other.$k))*
            }
        }
    )* };
}
tuples!(() (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3));

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

macro_rules! halves {
    ($($t:ident)*) => { $(
        impl Value for $t {
            fn make(number: u64) -> Self {
                let random = hash(number);
                match random >> 61 {
                    0 => <$t>::from_bits(hash(random) as u16),
                    1 => [<$t>::ZERO, <$t>::NEG_ZERO, <$t>::MAX, <$t>::INFINITY, <$t>::NAN, <$t>::MIN_POSITIVE]
                        [(random % 6) as usize],
                    _ => <$t>::from_f32((random % 1000) as f32 / 64.0 - 4.0),
                }
            }
            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
            }
        }
    )* };
}
halves!(f16 bf16);

/// An argument by value.
pub fn value<T: Value>(case: u64, param: u64) -> T {
    T::make(hash(case * 64 + param))
}

/// A slice argument.
pub fn slice<T: Value>(case: u64, param: u64) -> Vec<T> {
    let seed = hash(case * 64 + param);
    (0..LENGTHS[case as usize] as u64).map(|i| T::make(seed.wrapping_add(i))).collect()
}

/// Where segments of a slice begin and end.
pub fn offsets<T: TryFrom<usize>>(case: u64, param: u64) -> Vec<T> {
    let (seed, len) = (hash(case * 64 + param), LENGTHS[case as usize]);
    let mut all: Vec<usize> = (0..hash(seed) % 60).map(|k| hash(seed ^ k) as usize % (len + 1)).collect();
    all.sort_unstable();
    // All of them are at most 2500.
    all.into_iter().filter_map(|offset| T::try_from(offset).ok()).collect()
}

/// An argument of any number of dimensions.
pub fn grid<T: Value + qd::Data, const N: usize>(case: u64, param: u64) -> NdArray<T, N> {
    let extents: [&[usize]; CASES as usize] = match N {
        1 => [&[1], &[37], &[2500]],
        2 => [&[1, 1], &[5, 9], &[33, 40]],
        _ => [&[1, 1, 1], &[3, 4, 5], &[9, 10, 11]],
    };
    let shape: [usize; N] = std::array::from_fn(|dim| extents[case as usize][dim]);
    let seed = hash(case * 64 + param);
    NdArray::from_fn(shape, |index| {
        let linear = index.iter().zip(shape).fold(0, |linear, (i, extent)| linear * extent + i);
        T::make(seed.wrapping_add(linear as u64))
    })
}

/// What the native body gives: a result, or the message, line and column of its panic; and what it printed.
pub type Native<R> = (Result<R, (String, u32, u32)>, String);

/// What is printed meanwhile. The file that the process writes to is its second argument.
fn printing<R>(run: impl FnOnce() -> R) -> (R, String) {
    let path = std::env::args().nth(2).unwrap_or_default();
    let len = || {
        // What can't be written or read is no difference.
        let _ = std::io::stdout().flush();
        std::fs::metadata(&path).map_or(0, |file| file.len())
    };
    let before = len();
    let result = run();
    let text = if len() == before { Vec::new() } else { std::fs::read(&path).unwrap_or_default() };
    let printed = text.get(before as usize..).unwrap_or_default();
    (result, String::from_utf8_lossy(printed).into_owned())
}

/// Runs the compiled kernel.
pub fn compiled<R>(launch: impl FnOnce() -> qd::Result<R>) -> (qd::Result<R>, String) {
    printing(launch)
}

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
    printing(|| {
        catch_unwind(AssertUnwindSafe(body)).map_err(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default();
            let (line, column) = PLACE.get();
            (text, line, column)
        })
    })
}

/// Compares results; true if the arrays are to be compared too.
pub fn agree<R: Value>(native: &Native<R>, compiled: (qd::Result<R>, String)) -> Result<bool, String> {
    let ((native, said), (compiled, says)) = (native, compiled);
    if *said != says {
        let (line, (want, got)) = said.lines().zip(says.lines()).enumerate().find(|(_, (a, b))| a != b).unwrap_or((
            said.lines().count().min(says.lines().count()),
            (said.lines().last().unwrap_or(""), says.lines().last().unwrap_or("")),
        ));
        return Err(format!("prints `{got}` in line {line}, natively `{want}`; {compiled:?}, natively {native:?}"));
    }
    match (native, compiled) {
        (Ok(native), Ok(compiled)) if native.same(compiled) => Ok(true),
        (Ok(native), Ok(compiled)) => Err(format!("gives {compiled:?}, natively {native:?}")),
        (Ok(native), Err(error)) => Err(format!("fails: {error}; natively {native:?}")),
        (Err((text, line, column)), Ok(compiled)) => {
            Err(format!("gives {compiled:?}; natively a panic at {line}:{column}: {text}"))
        }
        (Err((text, line, column)), Err(error)) => {
            let error = error.to_string();
            let place = format!(":{line}:{column}");
            let named = error
                .match_indices(&place)
                .any(|(at, _)| !error[at + place.len()..].starts_with(|next: char| next.is_ascii_digit()));
            if error.contains(text) && (*line == 0 || named) {
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
    /// All of them, in order.
    fn elements(&self) -> &[T];
}

impl<T> AsElements<T> for Vec<T> {
    fn elements(&self) -> &[T] {
        self
    }
}

impl<T> AsElements<T> for Box<[T]> {
    fn elements(&self) -> &[T] {
        self
    }
}

impl<T: qd::Data, const N: usize> AsElements<T> for NdArray<T, N> {
    fn elements(&self) -> &[T] {
        self.as_slice()
    }
}
