//! Functions that kernels call, where something is wrong: faults in them, names that mean two things, recursion. And
//! functions of another crate.
mod common;

use common::{folder, runtime};
use qd::ErrorKind;
use qd::prelude::*;
use qd_library as library;
use qd_library::vectors::{self, dot as scalar_product};

#[qd::func]
fn ratio(a: i32, b: i32) -> i32 {
    a / b
}

#[qd::func]
fn ratio_of(x: &[i32], i: usize) -> i32 {
    ratio(x[i], x[i + 1])
}

#[qd::kernel]
fn ratios(out: &mut [i32], x: &[i32]) {
    for i in 0..out.len() {
        out[i] = ratio_of(x, i);
    }
}

#[qd::kernel]
fn lends(x: &mut [i32], n: usize) {
    for i in 0..n {
        library::add_to(&mut x[i], 1);
    }
}

#[test]
fn a_fault_in_a_function_names_its_place_there() {
    let root = folder();
    let rt = runtime(root.path());
    let text = |x: &[i32]| ratios.on(&rt).try_call(&mut [0; 3], x).unwrap_err().to_string();
    let divided = text(&[1, 2, 0, 4]);
    let line = line!() - 28;
    assert!(divided.starts_with(&format!("`ratio` at tests/functions.rs:{line}:5, in kernel `ratios`: ")), "{divided}");
    assert!(divided.contains("attempt to divide by zero") && divided.contains("iteration 1"), "{divided}");
    let beyond = text(&[1, 2, 3]);
    assert!(beyond.starts_with(&format!("`ratio_of` at tests/functions.rs:{}:17, in kernel", line + 5)), "{beyond}");
    assert!(beyond.contains("the len is 3 but the index is 3") && beyond.contains("array `x`"), "{beyond}");
    // An element that is lent is checked where it stands.
    let lent = lends.on(&rt).try_call(&mut [1, 2], 3).unwrap_err().to_string();
    assert!(lent.starts_with(&format!("kernel `lends` at tests/functions.rs:{}:30: ", line + 18)), "{lent}");
    let mut x = [1, 2];
    lends.on(&rt).call(&mut x, 2);
    assert_eq!(x, [2, 3]);
}

#[test]
fn a_function_stays_a_function() {
    assert_eq!(ratio(7, 2), 3);
    let pointer: fn(i32, i32) -> i32 = ratio;
    assert_eq!([8, 9].map(|v| pointer(v, 2)), [4, 4]);
    assert_eq!(ratio.ir().unwrap_err().kind(), ErrorKind::NotAKernel);
}

/// Recursion that no macro sees.
mod cycle {
    #[qd::func]
    pub fn even(n: u32) -> bool {
        if n == 0 { true } else { odd(n - 1) }
    }

    #[qd::func]
    fn odd(n: u32) -> bool {
        if n == 0 { false } else { even(n - 1) }
    }
}

#[qd::kernel]
fn parity(out: &mut [bool]) {
    for i in 0..out.len() {
        out[i] = cycle::even(i as u32);
    }
}

#[test]
fn recursion_is_an_error_that_names_the_cycle() {
    let root = folder();
    let error = parity.on(&runtime(root.path())).try_call(&mut [false; 4]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Kernel);
    let text = error.to_string();
    assert!(text.contains("`even` calls `odd` calls `even` again"), "{text}");
    let mut out = [false; 4];
    parity.native(&mut out);
    assert_eq!(out, [true, false, true, false]);
}

/// The type namespace has the imported function's twin, the value namespace a function without one.
mod ambiguous {
    use qd::prelude::*;
    use qd_library::vectors::*;

    fn dot(a: (f32, f32), b: (f32, f32)) -> f32 {
        a.0 + b.0
    }

    #[qd::kernel]
    pub fn kernel(out: &mut [f32]) {
        for i in 0..out.len() {
            out[i] = dot((1.0, 2.0), (3.0, 4.0));
        }
    }

    pub fn error() -> qd::Error {
        kernel.ir().unwrap_err()
    }
}

#[test]
fn a_name_that_means_two_things_is_an_error() {
    let error = ambiguous::error();
    assert_eq!(error.kind(), ErrorKind::Kernel);
    let text = error.to_string();
    assert!(text.contains("the name `dot` means two things in `kernel`"), "{text}");
    assert!(text.contains("qd_library::vectors::dot") && text.contains("functions::ambiguous::dot"), "{text}");
}

mod doubling {
    macro_rules! doubling {
        ($($name:ident $next:ident)*) => { $(
            #[qd::func]
            pub fn $name(n: u32) -> u32 {
                $next($next(n))
            }
        )* };
    }
    doubling! { f0 f1 f1 f2 f2 f3 f3 f4 f4 f5 f5 f6 f6 f7 f7 f8 f8 f9 f9 g0 g0 g1 g1 g2 g2 g3 g3 g4 g4 end }

    #[qd::func]
    pub fn end(n: u32) -> u32 {
        n + 1
    }
}

#[qd::kernel]
fn too_many(out: &mut [u32]) {
    for i in 0..out.len() {
        out[i] = doubling::f0(0);
    }
}

#[test]
fn calls_that_multiply_beyond_measure_are_refused() {
    let error = too_many.ir().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Kernel);
    assert!(error.to_string().contains("calls are inlined"), "{error}");
}

#[qd::kernel]
fn foreign(out: &mut [f32], x: &[f32]) {
    for i in 0..out.len() {
        let v = (x[i], 2.0);
        out[i] = scalar_product(v, (0.5, vectors::norm(v))) + library::again(x, i);
        let mut n = i as i32;
        library::add_to(&mut n, 7);
        out[i] += n as f32;
        out[i] += library::power::<3>(i as u32) as f32;
    }
}

#[test]
fn functions_of_another_crate() {
    let root = folder();
    let rt = runtime(root.path());
    let x: Vec<f32> = (0..100).map(|i| i as f32 / 8.0 - 3.0).collect();
    let (mut got, mut want) = (vec![0.0; 100], vec![0.0; 100]);
    foreign.native(&mut want, &x);
    foreign.on(&rt).call(&mut got, &x);
    assert_eq!(got, want);
    let text = foreign.on(&rt).try_call(&mut vec![0.0; 101], &x).unwrap_err().to_string();
    assert!(text.starts_with("kernel `foreign` at tests/functions.rs"), "{text}");
    let text = beyond.on(&rt).try_call(&mut [0.0], &x).unwrap_err().to_string();
    assert!(text.starts_with("`again` at tests/library/src/lib.rs:"), "{text}");
}

#[qd::kernel]
fn beyond(out: &mut [f32], x: &[f32]) {
    for i in 0..out.len() {
        out[i] = library::again(x, i + x.len());
    }
}

mod shapes {
    #[qd::funcs]
    pub trait Shape {
        fn area(&self) -> f32;
    }

    #[derive(Clone, Copy, qd::Data)]
    pub struct Square(pub f32);

    #[qd::funcs]
    impl Shape for Square {
        fn area(&self) -> f32 {
            self.0 * self.0
        }
    }

    #[qd::funcs]
    impl Square {
        pub fn depth(self, n: u32) -> u32 {
            if n == 0 { 0 } else { self.again(n) }
        }
        fn again(&self, n: u32) -> u32 {
            Self::depth(*self, n - 1) + 1
        }
    }

    /// Of the type itself, so a call by this name means it, and not the trait's.
    impl Square {
        pub fn area(&self) -> f32 {
            -1.0
        }
    }
}

#[allow(unused_imports)]
use shapes::Shape as _;

#[qd::kernel]
fn hidden(out: &mut [f32], x: &[shapes::Square]) {
    for i in 0..out.len() {
        out[i] = x[i].area();
    }
}

#[test]
fn a_method_that_another_hides_is_an_error() {
    let error = hidden.ir().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Kernel);
    let text = error.to_string();
    assert!(text.contains("the name `Square::area` means two things in `hidden`"), "{text}");
}

#[qd::kernel]
fn depths(out: &mut [u32], x: &[shapes::Square]) {
    for i in 0..out.len() {
        out[i] = x[i].depth(i as u32);
    }
}

#[test]
fn methods_cannot_recurse() {
    let text = depths.ir().unwrap_err().to_string();
    assert!(text.contains("`Square::depth` calls `Square::again` calls `Square::depth` again"), "{text}");
}

#[qd::kernel]
fn measured(out: &mut [library::Measured], parts: &[f32]) -> f32 {
    let start = library::Measured::exact(2.0);
    for i in 0..out.len() {
        out[i] = out[i].plus(start).plus(library::Measured { value: 1.0, error: 4.0 });
        out[i].value = out[i].nth(parts, i);
    }
    start.value
}

#[test]
fn methods_of_another_crate() {
    let mut x = [library::Measured { value: 1.0, error: 3.0 }; 2];
    assert_eq!(measured(&mut x, &[1.0, 2.0]), 2.0);
    assert_eq!(x, [4.0, 8.0].map(|value| library::Measured { value, error: 5.0 }));
    let fault = measured.try_call(&mut x, &[1.0]).unwrap_err().to_string();
    assert!(fault.starts_with("`Measured::nth` at tests/library/src/lib.rs:"), "{fault}");
}

mod operators {
    use std::ops::{Add, AddAssign};

    #[derive(Clone, Copy, Default, qd::Data)]
    #[qd(PartialEq)]
    pub struct P(pub usize);

    #[qd::funcs]
    impl AddAssign for P {
        fn add_assign(&mut self, other: P) {
            self.0 += other.0;
        }
    }

    #[qd::funcs]
    impl Add<P> for usize {
        type Output = usize;
        fn add(self, other: P) -> usize {
            self + 2 * other.0
        }
    }

    #[qd::kernel]
    pub fn index(x: &mut [f32], p: P) {
        for i in 0..x.len() {
            x[i + p] += 1.0;
        }
    }

    #[qd::kernel]
    pub fn sum(p: &[P]) -> usize {
        let mut sum = P(0);
        for i in 0..p.len() {
            sum += p[i];
        }
        sum.0
    }

    #[qd::kernel]
    pub fn parts(out: &mut [bool], p: &[P]) {
        for i in 0..out.len() {
            out[i] = (p[i], 1) == (p[0], 1);
        }
    }
}

/// What the macro took for arithmetic of numbers, the types show not to be.
#[test]
fn operators_that_only_the_types_show() {
    let irs = [operators::index.ir(), operators::sum.ir(), operators::parts.ir()];
    let texts = irs.map(|ir| ir.unwrap_err().to_string());
    assert!(texts[0].contains("gives an integer"), "{}", texts[0]);
    assert!(texts[1].contains("over a parallel loop"), "{}", texts[1]);
    assert!(texts[2].contains("compare them one by one"), "{}", texts[2]);
}
