//! What only rustc's types, or the functions called, show not to be part of the language: the first launch says so, with
//! the code of the rule and the place.
mod common;

use std::ops::{Add, Index, Sub};

use common::{folder, runtime};
use qd::prelude::*;
use qd::{Error, ErrorKind};
use qd_ir::refusal::Refusal;

/// A launch must be refused by a rule, in a message with these words.
#[track_caller]
fn refused(refusal: Refusal, words: &[&str], launch: impl FnOnce() -> Result<(), Error>) {
    let root = folder();
    let error = runtime(root.path()).scope(launch).unwrap_err();
    let kind = match refusal {
        Refusal::Recursion | Refusal::Calls | Refusal::Names | Refusal::Compare => ErrorKind::Kernel,
        _ => ErrorKind::Unsupported,
    };
    let text = error.to_string();
    assert_eq!(error.kind(), kind, "{text}");
    assert!(text.contains("tests/refusals.rs:") && text.ends_with(&format!(" [{refusal}]")), "{text}");
    words.iter().for_each(|word| assert!(text.contains(word), "no `{word}` in: {text}"));
}

#[derive(Debug, Clone, Copy, Default, qd::Data)]
#[qd(PartialEq, PartialOrd)]
struct Metres(f32);

#[qd::funcs]
impl Add for Metres {
    type Output = Metres;
    fn add(self, other: Metres) -> Metres {
        Metres(self.0 + other.0)
    }
}

#[qd::funcs]
impl Sub for Metres {
    type Output = i32;
    fn sub(self, other: Metres) -> i32 {
        (self.0 - other.0) as i32
    }
}

impl Index<usize> for Metres {
    type Output = f32;
    fn index(&self, _: usize) -> &f32 {
        &self.0
    }
}

#[qd::kernel]
fn histogram_of_floats(x: &[f32], weight: &[f32]) -> [f32; 4] {
    let mut bins = [0.0; 4];
    for i in 0..x.len() {
        bins[x[i] as usize % 4] += weight[i];
    }
    bins
}

#[test]
fn floats_into_elements_chosen_at_run_time() {
    let words = ["`bins`", "chosen at run time", "qd::atomic::add"];
    refused(Refusal::Carried, &words, || histogram_of_floats.try_call(&[1.0], &[1.0]).map(|_| ()));
}

#[qd::kernel]
fn least_of_float_tuples(x: &[f32]) -> f32 {
    let mut best = (f32::INFINITY, 0.0f32);
    for i in 0..x.len() {
        if (x[i], 1.0) < best {
            best = (x[i], 1.0);
        }
    }
    best.0
}

#[test]
fn extremes_of_keys_that_are_no_keys() {
    refused(Refusal::Extreme, &["`(f32, f32)`"], || least_of_float_tuples.try_call(&[1.0]).map(|_| ()));
}

#[qd::kernel]
fn large(x: &mut [f32]) {
    for i in 0..x.len() {
        let t = [[x[i]; 100]; 50];
        x[i] = t[i][i + 1];
    }
}

#[qd::kernel]
fn long_table(x: &mut [u8], table: [u8; 4000]) {
    for i in 0..x.len() {
        x[i] = table[x[i] as usize];
    }
}

#[test]
fn parameters_of_too_many_numbers() {
    refused(Refusal::Size, &["`table`", "`[u8; 4000]`", "1024", "`table: &[u8]`"], || {
        long_table.try_call(&mut [0], [0; 4000])
    });
}

#[test]
fn variables_of_too_many_numbers() {
    refused(Refusal::Size, &["`[[f32; 100]; 50]`", "4096"], || large.try_call(&mut [0.0]));
}

#[qd::kernel]
fn pairs_of_own(x: &mut [Metres]) {
    for i in 0..x.len() {
        if [x[i], Metres(1.0)] == [Metres(1.0), x[i]] {
            x[i] = Metres(2.0);
        }
    }
}

#[test]
fn comparisons_of_arrays_of_own_values() {
    refused(Refusal::Compare, &["`==`"], || pairs_of_own.try_call(&mut [Metres(1.0)]));
}

#[qd::kernel]
fn indexes(x: &mut [f32], of: Metres) {
    for i in 0..x.len() {
        x[i] = of[i];
    }
}

#[test]
fn indices_into_what_is_no_array() {
    refused(Refusal::NoArray, &["`Metres`", "name a field"], || indexes.try_call(&mut [1.0], Metres(1.0)));
}

#[qd::kernel]
fn sum_of_own(x: &[Metres]) -> Metres {
    let mut sum = Metres(0.0);
    for i in 0..x.len() {
        sum = sum + x[i];
    }
    sum
}

#[qd::kernel]
fn apart(out: &mut [i32], x: &[Metres]) {
    for i in 0..out.len() {
        out[i] = x[i] - x[0];
    }
}

#[test]
fn operators_of_ones_own_types_that_iterations_combine() {
    refused(Refusal::Carried, &["`Metres`", "reduce their scalars"], || {
        sum_of_own.try_call(&[Metres(1.0)]).map(|_| ())
    });
    refused(Refusal::OwnOperator, &["integer"], || apart.try_call(&mut [1], &[Metres(1.0)]));
}

#[qd::func]
fn even(n: u32) -> bool {
    if n == 0 { true } else { odd(n - 1) }
}

#[qd::func]
fn odd(n: u32) -> bool {
    if n == 0 { false } else { even(n - 1) }
}

#[qd::kernel]
fn parities(x: &mut [u32]) {
    for i in 0..x.len() {
        x[i] = even(x[i]) as u32;
    }
}

#[test]
fn functions_that_reach_themselves() {
    refused(Refusal::Recursion, &["`even`", "`odd`", "loop"], || parities.try_call(&mut [3]));
}

#[qd::func]
fn two(x: f32) -> f32 {
    x + 1.0 - x
}

macro_rules! thrice {
    ($name:ident, $inner:ident) => {
        #[qd::func]
        fn $name(x: f32) -> f32 {
            $inner($inner(x)) * $inner($inner(x))
        }
    };
}
thrice!(of_2, two);
thrice!(of_3, of_2);
thrice!(of_4, of_3);
thrice!(of_5, of_4);
thrice!(of_6, of_5);
thrice!(of_7, of_6);
thrice!(of_8, of_7);

#[qd::kernel]
fn long(x: &mut [f32]) {
    for i in 0..x.len() {
        x[i] = of_8(x[i]);
    }
}

#[test]
fn calls_that_multiply() {
    refused(Refusal::Calls, &["times", "in a loop"], || long.try_call(&mut [3.0]));
}

trait Root {
    fn sqrt(self) -> Self;
}

impl Root for i32 {
    fn sqrt(self) -> i32 {
        self.isqrt()
    }
}

#[qd::kernel]
fn roots(x: &mut [i32]) {
    for i in 0..x.len() {
        x[i] = x[i].sqrt();
    }
}

#[test]
fn methods_of_numbers_that_std_does_not_have() {
    refused(Refusal::Scalars, &["`sqrt`", "`i32`"], || roots.try_call(&mut [9]));
}

#[qd::funcs]
trait Magnitude {
    fn abs(self) -> Self;
}

#[qd::funcs]
impl Magnitude for f32 {
    fn abs(self) -> f32 {
        if self < 0.0 { 1.0 - self } else { self }
    }
}

#[qd::kernel]
fn by_path(x: &mut [f32]) {
    for i in 0..x.len() {
        x[i] = <f32 as Magnitude>::abs(x[i]) + x[i].abs();
    }
}

/// A path that names the trait means it.
#[test]
fn functions_of_ones_own_traits_by_their_path() {
    let root = folder();
    let (mut x, mut want) = ([-2.0, 3.0], [-2.0, 3.0]);
    by_path.native(&mut want);
    runtime(root.path()).scope(|| by_path.try_call(&mut x)).unwrap();
    assert_eq!((x, want), ([5.0, 6.0], [5.0, 6.0]));
}

mod cmp {
    #[qd::func]
    pub fn max(a: f32, b: f32) -> f32 {
        a * 100.0 + b
    }
}

#[qd::funcs]
impl Metres {
    fn abs(self) -> f32 {
        -self.0
    }
}

#[qd::kernel]
fn of_a_trait(x: &mut [f32]) {
    for v in x.iter_mut() {
        *v = Magnitude::abs(*v);
    }
}

#[qd::kernel]
fn greatest_of_own(x: &mut [f32]) {
    for v in x.iter_mut() {
        *v = cmp::max(*v, 1.0);
    }
}

#[qd::kernel]
fn of_a_parameter<T: qd::Data + Magnitude>(x: &mut [T]) {
    for v in x.iter_mut() {
        *v = T::abs(*v);
    }
}

#[qd::kernel]
fn of_a_struct(x: &mut [f32]) {
    for v in x.iter_mut() {
        *v = Metres::abs(Metres(*v));
    }
}

mod plain {
    pub mod cmp {
        pub fn max(a: i32, b: i32) -> i32 {
            a * 100 + b
        }
    }
}

#[qd::kernel]
fn greatest_of_a_plain_one(x: &mut [i32]) {
    use plain::cmp;
    for v in x.iter_mut() {
        *v = cmp::max(*v, 1);
    }
}

#[test]
fn functions_without_the_attribute_that_read_like_those_of_std() {
    let mut x = [2];
    refused(Refusal::Names, &["refusals::plain::cmp::max`"], || greatest_of_a_plain_one.try_call(&mut x));
    assert_eq!(x, [2]);
}

/// What a path means is rustc's to say, though it reads like one of std's.
#[test]
fn functions_by_paths_that_read_like_those_of_std() {
    type Launch = fn(&mut [f32]);

    let root = folder();
    let kernels: [(Launch, f32); 4] = [
        (|x| greatest_of_own.try_call(x).unwrap(), -199.0),
        (|x| of_a_trait.try_call(x).unwrap(), 3.0),
        (|x| of_a_parameter.try_call(x).unwrap(), 3.0),
        (|x| of_a_struct.try_call(x).unwrap(), 2.0),
    ];
    for (kernel, want) in kernels {
        let mut x = [-2.0f32];
        runtime(root.path()).scope(|| kernel(&mut x));
        assert_eq!(x, [want]);
    }
}
