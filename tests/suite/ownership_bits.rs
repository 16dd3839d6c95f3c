//! The race rule where indices are made of bits, wrapped round, or chosen: sorting networks and transforms by `^`, periodic
//! borders, functions with `if`, `match` and `return`; without `unsafe`, natively and on every engine.
use qd::prelude::*;

use crate::ownership::{numbers, same};
use crate::support::{Engines, hash};

/// Bitonic sort: in each step, the lower of two that differ in one bit puts both in order.
#[qd::kernel]
fn bitonic_sort(x: &mut [f32], bits: u32) {
    let n = x.len();
    #[qd::steps]
    for size in 1..bits + 1 {
        #[qd::steps]
        for step in 0..size {
            let apart = 1 << (size - 1 - step);
            for i in 0..n {
                let partner = i ^ apart;
                if partner > i {
                    let (a, b) = (x[i], x[partner]);
                    let rising = i & (1 << size) == 0;
                    if (a > b) == rising {
                        x[i] = b;
                        x[partner] = a;
                    }
                }
            }
        }
    }
}

/// The same network with all comparisons one way: a size's first step mirrors, which changes a run of bits.
#[qd::kernel]
fn sort_by_mirrors(x: &mut [u32], bits: u32) {
    #[qd::steps]
    for size in 1..bits + 1 {
        #[qd::steps]
        for step in 0..size {
            let mask = if step == 0 { (1 << size) - 1 } else { 1 << (size - 1 - step) };
            for i in 0..x.len() {
                let other = i ^ mask;
                if i < other && x[i] > x[other] {
                    let low = x[other];
                    x[other] = x[i];
                    x[i] = low;
                }
            }
        }
    }
}

#[test]
fn sorting_networks_swap_the_lower_of_two_that_differ_in_bits() {
    let start = numbers(512);
    let mut sorted = start.clone();
    sorted.sort_by(f32::total_cmp);
    assert_eq!(same(start, |x, native| call!(native, bitonic_sort(x, 9))), sorted);
    let start: Vec<u32> = (0..256).map(|k| hash(k) as u32).collect();
    let mut sorted = start.clone();
    sorted.sort();
    assert_eq!(same(start, |x, native| call!(native, sort_by_mirrors(x, 8))), sorted);
}

/// The Walsh-Hadamard transform: butterflies of the places whose bit is clear.
#[qd::kernel]
fn walsh_hadamard(x: &mut [i32], bits: u32) {
    #[qd::steps]
    for s in 0..bits {
        let bit = 1usize << s;
        for i in 0..x.len() {
            if i & bit != 0 {
                continue;
            }
            let (a, b) = (x[i], x[i | bit]);
            x[i] = a + b;
            x[i ^ bit] = a - b;
        }
    }
}

#[test]
fn butterflies_by_bits() {
    let start: Vec<i32> = (0..128).map(|k| hash(k) as i32 % 100).collect();
    let got = same(start.clone(), |x, native| call!(native, walsh_hadamard(x, 7)));
    // The definition.
    for (k, got) in got.iter().enumerate() {
        let sign = |m: usize| if (k & m).count_ones() % 2 == 0 { 1 } else { -1 };
        assert_eq!(*got, start.iter().enumerate().map(|(m, v)| sign(m) * v).sum::<i32>());
    }
}

/// Interleaves two arrays, and moves what is interleaved by a mask.
#[qd::kernel]
fn interleaved(z: &mut [u32], w: &mut [u32], even: &[u32], odd: &[u32], mask: usize) {
    for i in 0..even.len() {
        z[2 * i] = even[i];
        z[i << 1 | 1] = odd[i];
    }
    for i in 0..z.len() {
        w[i ^ mask] = z[i];
    }
    for i in 0..w.len() / 8 {
        for k in 0..8 {
            w[i << 3 | k] += 1;
        }
    }
    for i in 0..z.len() {
        w[i & !7 | 7 - i % 8] ^= z[i];
    }
}

#[test]
fn places_put_together_from_bits() {
    let (even, odd): (Vec<u32>, Vec<u32>) = (0..64).map(|k| (hash(k) as u32 >> 4, hash(k + 99) as u32 >> 4)).unzip();
    for mask in [0, 1, 6, 85, 127] {
        same((vec![0; 128], vec![0; 128]), |(z, w), native| call!(native, interleaved(z, w, &even, &odd, mask)));
    }
}

/// Where `i` lies on a ring, `by` places on.
#[qd::func]
fn around(i: i32, by: i32, n: i32) -> usize {
    (i + by).rem_euclid(n) as usize
}

#[qd::kernel]
fn turned(x: &mut [u32], y: &[u32], by: i32) {
    let n = y.len() as i32;
    for i in 0..n {
        x[around(i, by, n)] = y[i as usize] * 3;
    }
    for i in -n..0 {
        let (block, place) = (i.div_euclid(4), i.rem_euclid(4));
        x[(block * 4 + place + n) as usize] += (i + n) as u32;
    }
}

#[test]
fn rings_and_negative_places() {
    let y: Vec<u32> = (0..60).map(|k| hash(k) as u32 >> 8).collect();
    for by in [-61, -1, 0, 7, 1000] {
        same(vec![0; 60], |x, native| call!(native, turned(x, &y, by)));
    }
}

/// Even places first, then odd ones.
#[qd::func]
fn sorted_by_parity(i: usize, half: usize) -> usize {
    if i % 2 == 0 {
        return i / 2;
    }
    half + i / 2
}

#[derive(Clone, Copy, qd::Data)]
struct Faces {
    w: usize,
    h: usize,
}

#[qd::funcs]
impl Faces {
    /// The four borders of a grid, one after the other.
    fn border(self, side: usize, k: usize) -> usize {
        match side {
            0 => k,
            1 => self.w + k,
            2 => 2 * self.w + k,
            _ => 2 * self.w + self.h + k,
        }
    }

    /// In rows that go to and fro.
    fn serpentine(&self, y: usize, x: usize) -> usize {
        let at = if y % 2 == 0 { x } else { self.w - 1 - x };
        y * self.w + at
    }
}

#[qd::kernel]
fn chosen(x: &mut [u32], border: &mut [u32], grid: &mut [u32], faces: Faces) {
    let half = x.len() / 2;
    for i in 0..2 * half {
        x[sorted_by_parity(i, half)] += i as u32;
    }
    for k in 0..faces.w {
        border[faces.border(0, k)] += 1;
        border[faces.border(1, k)] += 2;
    }
    for k in 0..faces.h {
        for side in 2..4 {
            border[faces.border(side, k)] += k as u32;
        }
    }
    for (y, x) in ndrange([0..faces.h, 0..faces.w]) {
        grid[faces.serpentine(y, x)] += (100 * y + x) as u32;
    }
}

#[test]
fn functions_that_choose_a_place() {
    let faces = Faces { w: 17, h: 9 };
    let start = (vec![1; 100], vec![0; 52], vec![5; 17 * 9]);
    same(start, |(x, border, grid), native| call!(native, chosen(x, border, grid, faces)));
}

/// Without the condition both of a pair would swap.
#[qd::kernel]
fn any_swap(x: &mut [u32], mask: usize, lowest: usize) {
    for i in 0..x.len() {
        if i & lowest == 0 {
            let kept = x[i];
            x[i] = x[i ^ mask];
            x[i ^ mask] = kept;
        }
    }
}

#[qd::kernel]
fn clamped(x: &mut [u32], n: usize, shift: usize, most: usize) {
    for i in 0..n {
        let at = if i + shift < most { i + shift } else { most };
        x[at] += 1;
    }
}

#[test]
fn what_is_not_apart_stops_the_launch() {
    for engine in &Engines::new().all {
        engine.runtime.scope(|| {
            let mut x = [0; 64];
            let race = |error: qd::Error| assert_eq!(error.kind(), qd::ErrorKind::Race, "{error}");
            any_swap.try_call(&mut x, 4, 4).unwrap_or_else(|error| panic!("{error}"));
            race(any_swap.try_call(&mut x, 4, 2).unwrap_err());
            race(any_swap.try_call(&mut x, 4, 0).unwrap_err());
            clamped.try_call(&mut x, 60, 3, 62).unwrap_or_else(|error| panic!("{error}"));
            race(clamped.try_call(&mut x, 61, 3, 62).unwrap_err());
        });
    }
}

#[qd::func]
fn clear(place: &mut usize) {
    *place = 0;
}

#[derive(Clone, Copy, qd::Data)]
struct Cursor {
    at: usize,
}

#[qd::funcs]
impl Cursor {
    fn rewind(&mut self) {
        self.at = 0;
    }
}

/// Functions that give `i` by their `let`s alone, and 0 for all that they do.
macro_rules! changing {
    ($($name:ident: |$i:ident| $body:block)*) => {
        $(
            #[qd::func]
            fn $name($i: usize) -> usize $body
        )*

        #[test]
        fn functions_that_change_what_they_give_stop_the_launch() {
            $({
                #[qd::kernel]
                fn kernel(x: &mut [u32]) {
                    for i in 0..x.len() {
                        x[$name(i)] += 1;
                    }
                }
                for engine in &Engines::new().all {
                    let error = engine.runtime.scope(|| kernel.try_call(&mut [0; 40])).unwrap_err();
                    assert_eq!(error.kind(), qd::ErrorKind::Race, "{}: {error}", stringify!($name));
                }
            })*
        }
    };
}
changing! {
    by_assignment: |i| { let mut v = i; if i > 2 { v = 0; } if v > 0 { v - v } else { v } }
    by_reference: |i| { let mut v = i; clear(&mut v); v }
    by_its_parameter: |i| { let mut v = i; let w = v; clear(&mut v); if w > 99 { w } else { v } }
    by_a_method: |i| { let mut c = Cursor { at: i }; c.rewind(); c.at }
    by_a_part: |i| { let mut v = (i, 1); v.0 = 0; if v.1 == 1 { v.0 } else { i } }
    by_a_swap: |i| { let (mut a, mut b) = (i, 0usize); std::mem::swap(&mut a, &mut b); a }
    by_a_loop: |i| { let mut v = i; for _ in 0..9 { v /= 2; } v }
    by_an_iterator: |i| { let mut a = [i, i]; for v in a.iter_mut() { *v = 0; } a[1] }
    by_two_branches: |i| { let v; if i > 99 { v = i; } else { v = 0; } v }
    by_a_return_in_a_loop: |i| { for k in 0..9 { if i < 99 { return k; } } i }
    by_a_return_in_a_value: |i| { let v = if i < 99 { return 0; } else { i }; v }
    by_a_break: |i| { loop { if i > 99 { break i; } break 0; } }
}
