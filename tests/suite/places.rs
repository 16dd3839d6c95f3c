//! Where a failing index is: at the line and column that rustc's panic names. To rustc the index of a slice or a fixed
//! array is part of the language, and its panic points where the expression starts; that of any other type is a call,
//! which starts at the bracket.
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use qd::prelude::*;
use qd::{Matrix, Vector};

use crate::support::Engines;

thread_local! {
    /// Line and column of the last panic.
    static PLACE: Cell<(u32, u32)> = const { Cell::new((0, 0)) };
}

/// Where a panic is, and what it says.
fn panicking(run: impl FnOnce()) -> (u32, u32, String) {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            PLACE.set(info.location().map_or((0, 0), |place| (place.line(), place.column())));
            before(info);
        }));
    });
    let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("it fails");
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned())).expect("words");
    let (line, column) = PLACE.get();
    (line, column, text)
}

#[derive(Clone, Copy, Debug, PartialEq, qd::Data)]
struct Body {
    at: Vector<f32, 3>,
    axes: Matrix<i16, 2, 3>,
    marks: [[u8; 4]; 2],
}

fn body() -> Body {
    Body { at: Vector::splat(1.0), axes: Matrix::from([[2; 3]; 2]), marks: [[3; 4]; 2] }
}

#[qd::funcs]
impl Body {
    #[track_caller]
    fn mark(&self, k: usize) -> f32 {
        self.marks[0][k] as f32
    }
}

#[derive(qd::Bundle)]
struct Fields<'a> {
    own: Vec<Body>,
    slice: &'a mut [Body],
    boxed: Box<[i32]>,
    grid: NdArray<Body, 2>,
    value: Vector<f32, 3>,
}

/// Kernels over arrays of all kinds, from the loop body on. `i` and `n` are 1, and `big` is no index of anything.
macro_rules! failing {
    (($i:ident, $n:ident, $big:ident, $x:ident, $line:ident, $grid:ident, $b:ident, $out:ident)
        $($name:ident { $($body:tt)* })+) => { $(
        #[test]
        fn $name() {
            #[qd::kernel]
            fn kernel(
                $n: usize,
                $big: usize,
                $x: &mut [Body],
                $line: &mut NdArray<Body>,
                $grid: &mut NdArray<u32, 2>,
                $b: &mut Fields<'_>,
                $out: &mut [f32],
            ) {
                for $i in 1..2 {
                    $($body)*
                }
            }
            let run = |compiled: bool| {
                let (mut x, mut slice) = (vec![body(); 3], vec![body(); 3]);
                let (mut line, mut grid) = (NdArray::full([3], body()), NdArray::full([3, 4], 5));
                let mut fields = Fields {
                    own: vec![body(); 3],
                    slice: &mut slice,
                    boxed: vec![1; 3].into(),
                    grid: NdArray::full([3, 4], body()),
                    value: Vector::splat(1.0),
                };
                let mut out = [0.0; 3];
                if compiled {
                    let done = kernel.try_call(1, 9, &mut x, &mut line, &mut grid, &mut fields, &mut out);
                    done.expect_err("it fails").to_string()
                } else {
                    kernel.native(1, 9, &mut x, &mut line, &mut grid, &mut fields, &mut out);
                    String::new()
                }
            };
            let (line, column, words) = panicking(|| drop(run(false)));
            for engine in &Engines::new().all {
                let text = engine.runtime.scope(|| run(true));
                let place = format!("tests/suite/places.rs:{line}:{column}");
                // Behind it stands the kernel, if it is in a function.
                let there = text.contains(&format!("{place}: ")) || text.contains(&format!("{place}, "));
                assert!(there && text.contains(&words), "{}: `{text}`, not {place}: {words}", engine.name);
            }
        }
    )+ };
}

#[rustfmt::skip]
mod funcs {
    use super::*;

    #[qd::func]
    pub fn third(v: &Vector<f32, 3>, marks: &[u8; 4], k: usize, list: bool) -> f32 {
        if list {
            marks
                [k] as f32
        } else {
            v
                [k]
        }
    }

    #[qd::func]
    #[track_caller]
    pub fn tracked(k: usize) -> f32 {
        assert!(k < 5, "{k} is too many");
        1.0
    }

    #[qd::func]
    #[track_caller]
    pub fn twice_tracked(k: usize) -> f32 {
        tracked(k)
    }

    #[qd::func]
    pub fn calls_tracked(k: usize) -> f32 {
        1.0
            + twice_tracked(k)
    }

    #[qd::func]
    pub fn of_slice(x: &[Body], i: usize, k: usize) -> f32 {
        (x
            [i])
            .at
                [k]
    }

    #[qd::func]
    pub fn of_line(x: &mut NdArray<Body>, i: usize, k: usize) {
        x
            [i]
            .marks[1]
                [k] += 1;
    }
}
use funcs::{calls_tracked, of_line, of_slice, third, tracked, twice_tracked};

failing! {
    (i, n, big, x, line, grid, b, out)
    read_of_a_slice { out[i] =
        x
            [big].at.x; }
    read_of_an_array { out[i] =
        line
            [big].at.x; }
    read_of_a_grid { out[i] =
        grid
            [[n, big]] as f32; }
    read_in_parentheses { out[i] = (
        (x)
            [big]
        ).at.x; }
    read_of_an_array_in_parentheses { out[i] = (
        (line)
            [big]
        ).at.x; }
    component_of_an_element { out[i] = x
        [i]
        .at
        [big]; }
    component_of_an_element_in_parentheses { out[i] = (x
        [i]
        .at)
        [big]; }
    row_of_an_element { out[i] = x[i]
        .axes
        [big]
        [n] as f32; }
    cell_in_a_row_of_an_element { out[i] = x[i]
        .axes
        [n]
        [big] as f32; }
    cell_of_an_element { out[i] = x[i]
        .axes
            [[n, big]] as f32; }
    list_of_an_element { out[i] = line
        [i]
        .marks
        [n]
        [big] as f32; }
    outer_list_of_an_element { out[i] = line[i].marks
        [big]
        [n] as f32; }
    variable {
        let v = x[i].at;
        out[i] = v
            [big];
    }
    value { out[i] = (x[i].at
        + x[i].at)
            [big]; }
    value_of_a_list { out[i] =
        [n, n + 1]
            [big] as f32; }
    list {
        let a = [[n; 4]; 2];
        out[i] = (a
            [n])
            [big] as f32;
    }
    assigned {
        x
            [i].at
            [big] = 1.0;
    }
    assigned_list {
        line
            [i].marks
            [n]
            [big] = 1;
    }
    assigned_variable {
        let mut m = x[i].axes;
        m
            [n]
            [big] = 1;
        out[i] = m[[0, 0]] as f32;
    }
    assigned_cell {
        let mut m = x[i].axes;
        m
            [[big, n]] = 1;
        out[i] = m[[0, 0]] as f32;
    }
    updated {
        line
            [i]
            .at
            [big] += 1.0;
    }
    updated_list {
        let mut a = [1u32; 3];
        a
            [big] <<= 1;
        out[i] = a[0] as f32;
    }
    several_places {
        let mut a = [1.0; 3];
        (a[0],
            x[i].at
                [big]) = (1.0, 2.0);
    }
    several_lists {
        let mut a = [1.0; 3];
        (x[i].at.x,
            (a
                [big])) = (1.0, 2.0);
        out[i] = a[0];
    }
    atomic_of_a_slice { qd::atomic::add(
        &mut x
            [big].marks[0][0], 1); }
    atomic_of_a_grid { qd::atomic::add(
        &mut grid
            [[big, n]], 1); }
    atomic_of_a_component { qd::atomic::max(
        &mut x
            [i]
            .at
            [big], 1.0); }
    atomic_of_a_cell { qd::atomic::and(
        &mut line
            [i].axes
            [n]
            [big], 1); }
    exchanged { qd::atomic::compare_exchange(
        &mut x
            [i].axes
            [[n, big]], 1, 2); }
    bundled_vec { out[i] = b
        .own
        [big].at.x; }
    bundled_slice { out[i] = b
        .slice
        [big].at.x; }
    bundled_box { out[i] = b
        .boxed
        [big] as f32; }
    bundled_grid { b
        .grid
        [[big, n]].at.x = 1.0; }
    bundled_value { out[i] = b
        .value
        [big]; }
    part_of_a_bundled_element { b
        .slice
        [i]
        .at
        [big] *= 2.0; }
    reference_to_a_vector { out[i] = third(&x[i].at, &x[i].marks[0], big, false); }
    reference_to_a_list { out[i] = third(&x[i].at, &x[i].marks[0], big, true); }
    handed_on { out[i] = of_slice(&x, big, n); }
    part_handed_on { out[i] = of_slice(&x, n, big); }
    lent { out[i] = third(
        &x
            [big].at, &[1; 4], n, false); }
    called_by_its_path { out[i] =
        u32::strict_sub(
            n as u32, 9) as f32; }
    called_by_its_path_in_parentheses { out[i] = (
        (
            usize::strict_add(big, usize::MAX))
        ).count_ones() as f32; }
    method_in_parentheses { out[i] = (
        (n
            .strict_sub(big))
        ).count_ones() as f32; }
    quotient_in_parentheses { out[i] = (
        (
            n / (big - 9))
        ).count_ones() as f32; }
    part_of_a_slice { out[i] = x
        [n..big].iter().map(|of| of.at.x).sum(); }
    part_of_a_list {
        let a = [1.0f32; 4];
        out[i] = a
            [big..].iter().sum();
    }
    element_of_an_element { for of in &x[0..2] {
        out[i] += of
            .at
            [big];
    } }
    both_indices_come_before_their_check { out[i] = x[i].axes[[
        big,
        n / (n - i)
    ]] as f32; }
    a_tracked_function_fails_where_it_is_called { out[i] = 1.0
        + tracked(big); }
    tracked_twice { out[i] = 1.0
        + twice_tracked(big); }
    tracked_in_a_function { out[i] = 1.0
        + calls_tracked(big); }
    a_tracked_method_fails_at_its_name { out[i] = x
        [i]
        .mark(big); }
    an_empty_range_of_random_numbers { out[i] = qd::Rng::new(0, 1)
        .range(big..n) as f32; }
    a_random_float_of_no_range { out[i] = qd::Rng::new(0, 1)
        .range(2.0..=1.0); }
    a_row_is_checked_before_the_next_index { out[i] = x[i].axes
        [big]
        [n / (n - i)] as f32; }
}

#[qd::kernel]
fn serially(x: &mut NdArray<Body>, k: usize) {
    #[qd::serial]
    for i in 0..x.len() {
        of_line(x, i, k);
    }
}

#[test]
fn an_array_handed_on_by_a_serial_loop() {
    let x = NdArray::full([3], body());
    let (line, column, words) = panicking(|| serially.native(&mut x.clone(), 7));
    for engine in &Engines::new().all {
        let text = engine.runtime.scope(|| serially.try_call(&mut x.clone(), 7)).expect_err("it fails").to_string();
        let place = format!("tests/suite/places.rs:{line}:{column}, ");
        assert!(text.contains(&place) && text.contains(&words), "{}: `{text}`, not {place}{words}", engine.name);
    }
}
