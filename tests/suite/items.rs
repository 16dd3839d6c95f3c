//! Items that loops take apart: tuples, structs and arrays by `&mut`, and arrays in arrays by their names.
use qd::prelude::*;

use crate::support::Engines;

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Body {
    pos: f32,
    counts: [u32; 3],
    pair: (f32, u8),
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Row(f32, f32, u32, u32);

fn agree<T: PartialEq + std::fmt::Debug>(start: T, native: impl Fn(&mut T), compiled: impl Fn(&mut T))
where
    T: Clone,
{
    let mut want = start.clone();
    native(&mut want);
    for engine in &Engines::new().all {
        let mut x = start.clone();
        engine.runtime.scope(|| compiled(&mut x));
        assert_eq!(x, want, "{}", engine.name);
    }
}

#[qd::kernel]
fn tuples(x: &mut [(f32, (f32, u32))]) {
    for (a, (b, c)) in x.iter_mut() {
        *a += *b;
        *b = 3.0;
        *c += 1;
    }
    for (a, b) in &mut *x {
        *a += b.0;
        b.1 += 2;
        *b = (b.0 + 1.0, b.1);
    }
    for i in 0..1 {
        let (a, _) = x[i];
        x[i].0 = a * 2.0;
    }
}

#[test]
fn tuples_by_mutable_reference() {
    let start: Vec<_> = (0..40).map(|i| (i as f32, (0.5 * i as f32, i))).collect();
    agree(start, |x| tuples.native(x), |x| tuples.try_call(x).unwrap());
}

#[qd::kernel]
fn structs(x: &mut [Body], rows: &mut [Row]) {
    for (i, (Body { pos, counts: [first, _, last], pair }, Row(by, .., add))) in x.iter_mut().zip(&*rows).enumerate() {
        *pos = *by;
        *first += *last + *add;
        pair.0 += i as f32;
        pair.1 += 1;
    }
    rows.iter_mut().for_each(|Row(a, .., d)| {
        *a += 1.0;
        *d += 1;
    });
    for Row(_, b, ..) in rows {
        *b -= 1.0;
    }
}

#[test]
fn structs_by_mutable_reference() {
    let bodies: Vec<_> = (0..30).map(|i| Body { pos: 0.0, counts: [i, 2 * i, 3], pair: (1.5, i as u8) }).collect();
    let rows: Vec<_> = (0..33).map(|i| Row(i as f32, 1.0, i, i + 7)).collect();
    agree((bodies, rows), |(x, y)| structs.native(x, y), |(x, y)| structs.try_call(x, y).unwrap());
}

#[qd::kernel]
fn rows(x: &mut [[(u32, u32); 4]]) {
    for row in x {
        for (a, b) in row.iter_mut() {
            std::mem::swap(a, b);
            *a += 1;
        }
        for (a, b) in row {
            *b += *a;
        }
    }
}

#[qd::kernel]
fn arrays(x: &mut [[[u8; 2]; 2]], y: &[[[u8; 2]; 2]], sums: &mut [u32]) {
    for i in 0..sums.len() {
        for b in y {
            for c in b {
                for v in c {
                    sums[i] += *v as u32;
                }
            }
        }
        sums[i] += y
            .iter()
            .map(|b| {
                let mut sum = 0;
                for c in b {
                    for v in c {
                        sum += *v as u32;
                    }
                }
                sum
            })
            .sum::<u32>();
    }
    for (b, t) in x.iter_mut().zip(y) {
        for (c, t) in b.iter_mut().zip(t) {
            for (k, v) in c.iter_mut().enumerate() {
                *v += t[k];
                for u in t {
                    *v += *u;
                }
            }
        }
        for c in b {
            for v in c {
                *v += 3;
            }
        }
    }
}

#[test]
fn arrays_in_arrays_by_their_names() {
    let start: Vec<_> = (0..9).map(|i| [(i, 2), (3, i + 4), (5, 6), (7 * i, 8)]).collect();
    agree(start, |x| rows.native(x), |x| rows.try_call(x).unwrap());
    let cells: Vec<_> = (0..5).map(|i| [[i, 2], [3, i + 4]]).collect();
    let start = (cells.clone(), vec![0; 3]);
    agree(start, |(x, sums)| arrays.native(x, &cells, sums), |(x, sums)| arrays.try_call(x, &cells, sums).unwrap());
}

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Point {
    a: f32,
    b: f32,
}

#[qd::funcs]
impl Point {
    fn corners(self) -> [f32; 4] {
        [self.a, self.b, self.a + self.b, self.a - self.b]
    }

    fn both(&self) -> [Point; 2] {
        [*self, Point { a: self.b, b: self.a }]
    }
}

#[qd::func]
fn sum_and_difference(a: f32, b: f32) -> [f32; 2] {
    [a + b, a - b]
}

#[qd::kernel]
fn given(out: &mut [f32], x: &[Point]) {
    for i in 0..out.len() {
        for v in x[i].corners() {
            out[i] += v;
        }
        for p in x[i].both() {
            for (k, v) in p.corners().iter().enumerate() {
                out[i] += *v * k as f32;
            }
        }
        for (v, w) in x[i].corners().into_iter().zip(x[0].corners()) {
            out[i] += v * w;
        }
        out[i] += x[i].both().iter().zip(x[i].corners()).map(|(p, v)| p.a * v).sum::<f32>();
        for v in sum_and_difference(x[i].a, 2.0) {
            out[i] += v;
        }
        out[i] += x.iter().zip(sum_and_difference(1.0, x[i].b)).map(|(p, v)| p.a * v).sum::<f32>();
    }
}

#[qd::kernel]
fn given_at_the_top(out: &mut [f32], p: Point) {
    for (o, v) in out.iter_mut().zip(p.corners()) {
        *o += v;
    }
    for (v, o) in sum_and_difference(p.a, 2.0).into_iter().zip(out) {
        *o *= v;
    }
}

#[test]
fn arrays_that_methods_and_functions_give() {
    let x: Vec<_> = (0..40).map(|i| Point { a: i as f32, b: 2.0 }).collect();
    agree(vec![0.5; 40], |out| given.native(out, &x), |out| given.try_call(out, &x).unwrap());
    agree(vec![0.5; 7], |out| given_at_the_top.native(out, x[3]), |out| given_at_the_top.try_call(out, x[3]).unwrap());
}
