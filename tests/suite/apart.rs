//! Assignments that take a value apart.
use qd::prelude::*;

use crate::support::agree;

#[derive(Clone, Copy, Debug, PartialEq, qd::Data)]
struct Pair {
    a: i32,
    b: [i32; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, qd::Data)]
struct Mixed(i32, f32, Pair);

#[qd::func]
fn counted(i: i32, calls: &mut i32) -> (i32, i32, f32) {
    *calls += 1;
    (i, i * 2, 1.0)
}

#[qd::kernel]
fn parts_left_out(x: &mut [i32], pairs: &mut [Pair]) -> i32 {
    let mut u;
    let w;
    (u, .., w) = (1, 2, 3);
    for i in 0..x.len() {
        let (mut a, mut b, mut c) = (0, 0, [0, 0]);
        [a, .., b] = [1, i as i32, 3, 4];
        (c[0], ..) = (i as i32, 2, 3);
        (.., c[1]) = (1, 2);
        let mut calls = 3;
        (a, ..) = counted(a + 4, &mut calls);
        ((.., b), _, [.., calls]) = ((1, 2), 3.0, [1, 2, calls]);
        (a, b, ..) = (b, a, 7, 8);
        x[i] = a + b * 10 + c[0] * 100 + c[1] * 1000 + calls * 10000 + u + w;
        [.., x[i]] = [4, x[i] + 1];
    }
    let mut sum = 0;
    (sum, ..) = (u, 4);
    [u, ..] = [5, sum];
    u + sum
}

#[qd::kernel]
fn structs(x: &mut [i32], pairs: &mut [Pair]) {
    for i in 0..x.len() {
        let (mut a, mut b, mut c) = (1, 2, 3.0);
        Pair { a, .. } = pairs[i];
        Pair { b: [.., pairs[i].a], a: b } = pairs[i];
        Mixed(.., c, Pair { a: pairs[i].b[0], .. }) = Mixed(1, 2.0, Pair { a: a + b, b: [3, 4] });
        (Mixed(a, _, _), [.., b]) = (Mixed(a, c, pairs[i]), [a, b, 9, b + 1]);
        x[i] = a + 10 * b + c as i32;
    }
}

#[test]
fn assignments_leave_parts_out() {
    let pairs: Vec<Pair> = (0..50).map(|n| Pair { a: n, b: [n + 2, 3 * n] }).collect();
    let start: Vec<i32> = (0..50).collect();
    let run = |x: &mut [i32], launch: &dyn Fn(&mut [i32], &mut [Pair]) -> qd::Result<i32>| {
        let mut pairs = pairs.clone();
        x[0] += launch(x, &mut pairs)?;
        x[1] += pairs.iter().map(|pair| pair.a + 3 * pair.b[0] + 5 * pair.b[1]).sum::<i32>();
        Ok(())
    };
    agree(
        &start,
        |x| run(x, &|x, pairs| Ok(parts_left_out.native(x, pairs))).unwrap(),
        |x| run(x, &|x, pairs| parts_left_out.try_call(x, pairs)),
    );
    agree(
        &start,
        |x| run(x, &|x, pairs| Ok(structs.native(x, pairs)).map(|()| 0)).unwrap(),
        |x| run(x, &|x, pairs| structs.try_call(x, pairs).map(|()| 0)),
    );
}
