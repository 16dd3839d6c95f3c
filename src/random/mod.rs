//! Random numbers: [`Rng`], a value like any other, with the same numbers in kernels as outside.
//!
//! All of it is written in the kernel language, so there is one text for both. Which function [`Rng::next`] and
//! [`Rng::range`] call depends on a type, and a kernel has to know it as rustc does: their hidden siblings, which
//! `#[qd::funcs]` makes for other methods, stand here by hand and lead to the function of the type ([`draw`]).
mod draw;
mod normal;
mod philox;

use std::marker::PhantomData;

use qd_runtime::private::{ByMutable, Called, Func, FuncDesc, Method, On, Other, item_of, type_id_of};

pub use draw::{Random, RandomRange, Uniform};

use crate::{Data, Float, Number, funcs};

/// A generator of random numbers: Philox4x32-10, of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
/// 1, 2, 3" (SC 2011).
///
/// It is a plain value. In a kernel each iteration makes its own, or keeps one in an array:
///
/// ```
/// use qd::prelude::*;
///
/// #[qd::kernel]
/// fn quarter_circle(seed: u64, darts: u64) -> f64 {
///     let mut inside = 0u64;
///     for i in 0..darts {
///         let mut rng = qd::Rng::new(seed, i);
///         let (x, y) = (rng.next::<f64>(), rng.next::<f64>());
///         inside += (x * x + y * y < 1.0) as u64;
///     }
///     inside as f64 / darts as f64
/// }
///
/// let quarter = quarter_circle(1, 1_000_000);
/// assert!((quarter * 4.0 - std::f64::consts::PI).abs() < 0.01);
/// assert_eq!(quarter, quarter_circle.native(1, 1_000_000));
/// ```
///
/// # What the numbers are
/// The sequence of a `seed` and a `stream` consists of blocks of four 32-bit words. Block `n` is the function of that
/// paper of the counter `n + 2^64 stream` under the key `seed`, low words first. So the sequences of two streams have no
/// block in common, whatever their length, and any block can be had [without those before it](Rng::seek).
///
/// A value of up to 32 bits is made of one word, an `f64` or integer of 64 bits of two, the low one first, of 128 bits of
/// four. The words of a value are of one block: those left of the last one are skipped if they are too few.
///
/// The numbers are for simulations. Whoever sees some of them can find out the seed: they keep no secrets.
#[derive(Clone, Copy, Debug, Data)]
#[qd(crate = crate)]
pub struct Rng {
    seed: u64,
    stream: u64,
    /// The number of the next block.
    block: u64,
    /// The last block.
    words: [u32; 4],
    /// How many of its words are left.
    left: u32,
}

#[funcs(crate = crate)]
impl Rng {
    /// The sequence `stream` of those of `seed`, from its start.
    #[inline]
    pub fn new(seed: u64, stream: u64) -> Self {
        Rng { seed, stream, block: 0, words: [0; 4], left: 0 }
    }

    /// Goes to a block of the sequence: the next number is made of its first words. With the number of a step in time as
    /// `block`, say, a generator needn't be kept from one step to the next.
    #[inline]
    pub fn seek(&mut self, block: u64) {
        *self = Rng { block, ..Rng::new(self.seed, self.stream) };
    }

    /// A number of the normal distribution of mean 0 and deviation 1.
    ///
    /// It is the quantile of one uniform number, of 32 bits for `f32` and of 53 for `f64`, by the approximations of
    /// Wichura, "Algorithm AS 241: The percentage points of the normal distribution" (Applied Statistics 37, 1988), which
    /// are good to 7 and to 16 digits. The greatest are 6.3 and 8.3. For those beyond 1.44, one in seven, std's `ln` is
    /// called, which may differ in the last bit between machines.
    #[inline]
    pub fn normal<T: Float>(&mut self) -> T {
        if T::EPSILON.cast::<f64>() < 1e-10 {
            normal::quantile_f64(self.double()).cast::<T>()
        } else {
            normal::quantile_f32(self.word()).cast::<T>()
        }
    }

    /// Makes the next block.
    #[inline]
    fn refill(&mut self) {
        let counter = [self.block as u32, (self.block >> 32) as u32, self.stream as u32, (self.stream >> 32) as u32];
        self.words = philox::block(counter, [self.seed as u32, (self.seed >> 32) as u32]);
        self.block = self.block.wrapping_add(1);
        self.left = 4;
    }

    #[inline]
    fn word(&mut self) -> u32 {
        if self.left == 0 {
            self.refill();
        }
        // Not by an index, which would keep them in memory; nor moved up, which would write them.
        let [a, b, c, d] = self.words;
        let word = match self.left {
            4 => a,
            3 => b,
            2 => c,
            _ => d,
        };
        self.left -= 1;
        word
    }

    #[inline]
    fn double(&mut self) -> u64 {
        if self.left < 2 {
            self.refill();
        }
        let [a, b, c, d] = self.words;
        let (low, high) = match self.left {
            4 => (a, b),
            3 => (b, c),
            _ => (c, d),
        };
        self.left -= 2;
        low as u64 | (high as u64) << 32
    }

    #[inline]
    fn quad(&mut self) -> u128 {
        if self.left < 4 {
            self.refill();
        }
        let [a, b, c, d] = self.words;
        self.left = 0;
        a as u128 | (b as u128) << 32 | (c as u128) << 64 | (d as u128) << 96
    }
}

impl Rng {
    /// The next number: of an integer type or `bool` any value, of a float type one of `[0, 1)`, all equally likely.
    ///
    /// A float is a whole multiple of 2^-24 (`f32`), 2^-53 (`f64`), 2^-11 (`f16`) or 2^-8 (`bf16`): as many as the interval
    /// has with equal distances.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "there is no end, and the type is chosen at each call")]
    pub fn next<T: Random>(&mut self) -> T {
        T::draw(self)
    }

    /// A number of a range, `a..b` or `a..=b`, all equally likely.
    ///
    /// Integers are exactly so, by Lemire, "Fast random integer generation in an interval" (ACM Transactions on Modeling
    /// and Computer Simulation 29, 2019); those of 128 bits by drawing bits until they are in the range. Floats are `a`
    /// plus the length times a number of `[0, 1)`, drawn anew if rounding leads to `b`, or of `[0, 1]` for `a..=b`.
    ///
    /// # Panics
    /// If the range is empty, or its length not finite.
    #[inline]
    #[track_caller]
    pub fn range<T: Uniform, R: RandomRange<T>>(&mut self, range: R) -> T {
        range.draw(self)
    }

    #[doc(hidden)]
    #[allow(non_snake_case)]
    pub fn next_needs_the_attribute_qd_funcs<'a, T: Random>(&'a mut self) -> Called<Next<T>, fn(&'a mut Self) -> T, T> {
        unreachable!("a never-run copy of a kernel was run")
    }

    #[doc(hidden)]
    #[allow(non_snake_case, clippy::type_complexity)]
    pub fn range_needs_the_attribute_qd_funcs<'a, T: Uniform, R: RandomRange<T>>(
        &'a mut self,
        _: R,
    ) -> Called<Ranged<T, R>, fn(&'a mut Self, R) -> T, T> {
        unreachable!("a never-run copy of a kernel was run")
    }
}

/// The twin of [`Rng::next`].
pub struct Next<T>(PhantomData<T>);

impl<T: Random> Func for Next<T> {
    fn desc() -> FuncDesc {
        FuncDesc { item: || type_id_of(Rng::next::<T>), named: || item_of(Rng::next::<T>), ..T::Next::desc() }
    }
}

impl<T: Random> Method for Next<T> {
    type Taken = ByMutable;
}

impl<T: Random> On<Rng> for Next<T> {}

impl<T: Random> Next<T> {
    #[doc(hidden)]
    #[allow(clippy::should_implement_trait)]
    pub fn next(self) -> Other {
        unreachable!("a never-run copy of a kernel was run")
    }
}

/// The twin of [`Rng::range`]. The function takes the ends of the range as a pair.
pub struct Ranged<T, R>(PhantomData<(T, R)>);

impl<T: Uniform, R: RandomRange<T>> Func for Ranged<T, R> {
    fn desc() -> FuncDesc {
        FuncDesc { item: || type_id_of(Rng::range::<T, R>), named: || item_of(Rng::range::<T, R>), ..R::Draw::desc() }
    }
}

impl<T: Uniform, R: RandomRange<T>> Method for Ranged<T, R> {
    type Taken = ByMutable;
}

impl<T: Uniform, R: RandomRange<T>> On<Rng> for Ranged<T, R> {}

impl<T: Uniform, R: RandomRange<T>> Ranged<T, R> {
    #[doc(hidden)]
    pub fn range(self, _: impl Sized) -> Other {
        unreachable!("a never-run copy of a kernel was run")
    }
}
