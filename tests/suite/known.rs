//! Functions that kernels know by name, through imports, and functions of one's own by the same names.
use qd::prelude::*;

use crate::support::{agree, hash};

fn ints() -> Vec<i32> {
    (0..300).map(|n| hash(n) as i32 % 60).collect()
}

mod std_s {
    use std::cmp::{max, min};

    #[qd::func]
    pub fn both(a: i32, b: i32) -> i32 {
        max(a, min(b, 7))
    }

    #[qd::kernel]
    pub fn values(x: &mut [i32], c: [u8; 2]) {
        for i in 0..x.len() {
            x[i] = max(x[i], 3) + min(x[i], 9) + max(1, max(2, 4)) + max((1, x[i]), (1, 5)).1 + both(x[i], 30);
            x[i] += max(c, [1, 5])[1] as i32 + i32::from(max(false, x[i] > 3));
        }
    }

    #[qd::kernel]
    pub fn reduced(x: &mut [i32]) -> (i32, i32) {
        let (mut most, mut least) = (i32::MIN, i32::MAX);
        for i in 0..x.len() {
            most = max(most, x[i]);
            least = min(x[i], least);
        }
        let bound = max(most, 3);
        for i in 0..max(x.len(), 1) {
            x[i] = min(x[i], bound - i as i32);
        }
        (most, least)
    }

    #[qd::kernel]
    pub fn indices(x: &mut [i32], y: &[i32]) {
        for i in 0..x.len() {
            x[min(i, x.len() - 1)] = y[min(i + 1, y.len() - 1)] + y.iter().map(|v| max(*v, 3)).sum::<i32>();
        }
    }

    #[qd::kernel]
    pub fn imported_inside(x: &mut [i32]) {
        use std::cmp::max;
        for i in 0..x.len() {
            use std::cmp::min;
            x[i] = max(x[i], 3) + min(1, x[i]);
        }
    }
}

#[test]
fn max_and_min_of_std_by_an_import() {
    agree(&ints(), |x| std_s::values.native(x, [1, 3]), |x| std_s::values.try_call(x, [1, 3]));
    agree(&ints(), |x| std_s::imported_inside.native(x), |x| std_s::imported_inside.try_call(x));
    let reduced = |x: &mut [i32]| (x[0], x[1]) = std_s::reduced.native(x);
    agree(&ints(), reduced, |x| {
        (x[0], x[1]) = std_s::reduced.try_call(x)?;
        Ok(())
    });
    let y = ints();
    agree(&ints()[..40], |x| std_s::indices.native(x, &y), |x| std_s::indices.try_call(x, &y));
}

mod own {
    #[qd::func]
    pub fn max(a: i32, b: i32) -> i32 {
        a * 100 + b
    }

    #[qd::func]
    pub fn min<T: qd::Number>(a: T, b: T) -> f32 {
        (a + b).cast::<f32>() + 0.5
    }

    pub mod of_arrays {
        #[qd::func]
        pub fn max(x: &[i32], n: usize) -> i32 {
            x[n] + n as i32
        }

        #[qd::func]
        pub fn min(x: &mut i32, n: i32) {
            *x -= n;
        }
    }
}

mod by_own_names {
    use super::own::max as larger;
    use super::own::*;

    #[qd::kernel]
    pub fn numbers(x: &mut [i32]) {
        let n = max(x[0], 2);
        for i in 0..x.len() {
            x[i] = max(x[i], 3) + max(1, max(2, 4)) + min(x[i], 9) as i32 + larger(1, n) + min::<f64>(1.0, 2.0) as i32;
        }
    }

    mod of_arrays {
        use super::super::own::of_arrays::{max, min};

        #[qd::kernel]
        pub fn lent(x: &mut [i32], y: &[i32]) {
            for i in 0..x.len() {
                x[i] += max(y, 3) + max(&y, 1);
                min(&mut x[i], 2);
                let mut q = 3;
                min(&mut q, 5);
                x[i] += q;
            }
        }
    }
    pub use of_arrays::lent;
}

#[test]
fn max_and_min_of_ones_own() {
    let y = ints();
    agree(&ints(), |x| by_own_names::numbers.native(x), |x| by_own_names::numbers.try_call(x));
    agree(&ints(), |x| by_own_names::lent.native(x, &y), |x| by_own_names::lent.try_call(x, &y));
}

#[derive(Debug, Clone, Copy, Default, PartialEq, qd::Data)]
struct Cell {
    weight: f32,
    parts: [i32; 2],
}

mod moved {
    use std::mem::{self, replace, swap, take};

    use super::Cell;

    #[qd::kernel]
    pub fn values(x: &mut [f32], y: &mut [f32], cells: &mut [Cell]) {
        for i in 0..x.len() {
            let (mut p, mut q) = (1.0, 2.0f32);
            swap(&mut p, &mut q);
            swap(&mut x[i], &mut p);
            std::mem::swap(&mut x[i], &mut y[i]);
            x[i] += p * 10.0 + q * 100.0 + replace(&mut y[i], 4.0) + take(&mut q) + q;
            let old = mem::replace(&mut cells[i], Cell { weight: 1.0, parts: [2, 3] });
            let parts = mem::take(&mut cells[i].parts);
            x[i] += old.weight + parts[1] as f32;
            mem::swap(&mut cells[i].weight, &mut x[i]);
        }
    }

    #[qd::kernel]
    pub fn fibonacci(x: &mut [i32]) {
        let (mut a, mut b) = (1i32, 1i32);
        #[qd::serial]
        for i in 0..x.len() {
            let sum = a.wrapping_add(b);
            a = replace(&mut b, sum);
            x[i] = a;
        }
    }
}

#[test]
fn places_that_std_moves() {
    let start: Vec<f32> = ints().iter().map(|n| *n as f32).collect();
    let cells: Vec<Cell> = ints().iter().map(|n| Cell { weight: *n as f32 / 2.0, parts: [*n, 1 - n] }).collect();
    agree(&ints(), |x| moved::fibonacci.native(x), |x| moved::fibonacci.try_call(x));
    let run = |x: &mut [f32], native: bool| {
        let (mut y, mut cells) = (start.clone(), cells.clone());
        match native {
            true => moved::values.native(x, &mut y, &mut cells),
            false => moved::values.try_call(x, &mut y, &mut cells)?,
        }
        let sums = y.iter().chain(cells.iter().map(|cell| &cell.weight)).sum::<f32>();
        x[0] += sums + cells.iter().map(|cell| cell.parts[0]).sum::<i32>() as f32;
        qd::Result::Ok(())
    };
    agree(&start, |x| run(x, true).unwrap(), |x| run(x, false));
}

/// What the language knows by the last name of a path.
mod taken_names {
    #[qd::func]
    pub fn scatter(a: i32, b: i32) -> i32 {
        a - b
    }

    #[qd::func]
    pub fn segments(a: i32) -> i32 {
        a + 1
    }

    #[qd::func]
    pub fn ndrange(n: [i32; 2]) -> i32 {
        n[0] * 10 + n[1]
    }

    #[qd::func]
    pub fn swap(a: i32, b: i32) -> i32 {
        a - 2 * b
    }

    #[qd::func]
    pub fn take<T: qd::Int>(a: T) -> T {
        a + T::ONE
    }

    #[qd::func]
    pub fn zip(a: i32) -> i32 {
        a + 7
    }

    pub mod atomic {
        #[qd::func]
        pub fn add(a: i32, b: i32) -> i32 {
            a * b
        }

        #[qd::func]
        pub fn plus(a: i32, b: i32) -> i32 {
            a + b
        }

        #[qd::func]
        pub fn min(a: &mut i32, b: i32) {
            *a -= b;
        }
    }

    pub mod to_places {
        #[qd::func]
        pub fn scatter(place: &mut i32, value: i32) {
            *place += value;
        }

        #[qd::func]
        pub fn replace(place: &mut i32, value: i32) -> i32 {
            *place -= value;
            *place
        }
    }
}

mod calls {
    use super::taken_names::{atomic, ndrange, scatter, segments, swap, take, to_places, to_places::replace, zip};

    #[qd::kernel]
    pub fn all(x: &mut [i32]) {
        for i in 0..x.len() {
            let mut q = scatter(x[i], 3) + segments(4) + ndrange([1, 2]) + swap(3, i as i32) + take(x[i]) + zip(1);
            atomic::min(&mut q, 3);
            to_places::scatter(&mut q, 2);
            to_places::scatter(&mut x[i], 2);
            x[i] += q + atomic::add(q, 3) + atomic::plus(1, q) + replace(&mut q, 5) + take::<i32>(q);
        }
    }
}

#[test]
fn functions_of_ones_own_by_names_of_the_language() {
    agree(&ints(), |x| calls::all.native(x), |x| calls::all.try_call(x));
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Weights {
    all: [f32; 3],
}

#[qd::funcs]
impl Weights {
    fn len(&self) -> usize {
        self.all.len() + 1
    }

    fn sum(&self) -> f32 {
        let mut sum = 0.0;
        for k in 0..self.all.len() {
            sum += self.all[k];
        }
        sum
    }
}

#[qd::func]
fn lengths<const N: usize>(a: [f32; N], b: &[f32; 3], m: [[i32; 4]; 2]) -> usize {
    a.len() * 10 + b.len() + m[0].len() * 100 + m.len() * 1000
}

#[qd::kernel]
fn of_arrays(x: &mut [f32], w: [f32; 3], all: &[Weights]) {
    let n = w.len();
    for i in 0..x.len() {
        let (local, of) = ([1, 2], all[i % all.len()]);
        let mut sum = 0.0;
        for k in 0..w.len() {
            sum += w[k];
        }
        x[i] = sum + local.len() as f32 + of.len() as f32 + of.sum() + all[0].all.len() as f32 + n as f32;
        x[i] += lengths([1.0; 5], &w, [[1; 4]; 2]) as f32 + (i % w.len()) as f32;
    }
    for i in 0..w.len() {
        x[i] += 1.0;
    }
}

#[test]
fn lengths_of_arrays_by_value() {
    let all = [Weights { all: [1.0, 2.0, 3.0] }, Weights { all: [0.5; 3] }];
    agree(&[0.0; 50], |x| of_arrays.native(x, [1.0, 2.0, 4.0], &all), |x| of_arrays.try_call(x, [1.0, 2.0, 4.0], &all));
}
