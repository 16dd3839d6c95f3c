//! `get_unchecked` in `unsafe`: the same as an index natively and on every engine, without a check; debug mode checks.
#![allow(clippy::undocumented_unsafe_blocks)] // the claims hold for what the tests pass, and where not, that is tested
use qd::prelude::*;

use crate::support::Engines;

#[derive(qd::Data, Debug, Clone, Copy, PartialEq)]
struct Pair {
    at: [f32; 4],
    n: u32,
}

#[qd::kernel]
fn shifted(y: &mut [f32], x: &[f32], by: usize) {
    for i in 0..y.len() {
        unsafe { *y.get_unchecked_mut(i) = *x.get_unchecked(i + by) * 2.0 };
    }
}

#[qd::kernel]
fn turned(y: &mut NdArray<i32, 2>, x: &NdArray<i32, 2>) {
    for (i, j) in x.indices() {
        unsafe { *y.get_unchecked_mut([j, i]) += *x.get_unchecked([i, j]) };
    }
}

#[qd::func]
fn entry(x: &[Pair], i: usize, k: usize) -> f32 {
    unsafe { *(*x.get_unchecked(i)).at.get_unchecked(k) }
}

#[qd::kernel]
fn parts(y: &mut [Pair], x: &[Pair], order: &[u8]) {
    for i in 0..y.len() {
        let weights = [1.0f32, 2.0, 4.0, 8.0];
        unsafe {
            let k = *order.get_unchecked(i) as usize;
            (*y.get_unchecked_mut(i)).at[1] = entry(x, i, k) * *weights.get_unchecked(k);
            *(*y.get_unchecked_mut(i)).at.get_unchecked_mut(k) += 1.0;
            (*y.get_unchecked_mut(i)).n = (*x.get_unchecked(i)).n;
        }
    }
}

#[derive(qd::Bundle)]
struct Grid {
    u: NdArray<u32, 2>,
    keys: NdArray<u32>,
}

#[qd::kernel]
fn counted(grid: &mut Grid) {
    for i in 0..grid.keys.len() {
        unsafe {
            let key = *grid.keys.get_unchecked(i) as usize;
            qd::atomic::add(grid.u.get_unchecked_mut([key / 4, key % 4]), 1);
            qd::atomic::max(&mut *grid.u.get_unchecked_mut([3, 3]), 100);
        }
    }
}

fn grid() -> Grid {
    Grid { u: NdArray::zeros([4, 4]), keys: (0..999u32).map(|k| k * k % 15).collect() }
}

#[test]
fn the_same_as_an_index() {
    let x: Vec<f32> = (0..1000).map(|k| k as f32).collect();
    let wide = NdArray::from_fn([7, 33], |[i, j]| (i * 100 + j) as i32);
    let pairs: Vec<Pair> = (0..100u32).map(|k| Pair { at: [k as f32; 4].map(|v| v + 0.5), n: k }).collect();
    let order: Vec<u8> = (0..100u8).map(|k| k * 7 % 4).collect();
    let zero = Pair { at: [0.0; 4], n: 0 };
    let (mut y, mut tall, mut out, mut counts) = (vec![0.0; 990], NdArray::full([33, 7], 1), vec![zero; 100], grid());
    shifted.native(&mut y, &x, 10);
    turned.native(&mut tall, &wide);
    parts.native(&mut out, &pairs, &order);
    counted.native(&mut counts);
    assert_eq!((y[3], tall[[4, 5]], counts.u[[3, 3]]), (26.0, 505, 100));
    for engine in &Engines::new().all {
        engine.runtime.scope(|| {
            let mut got = vec![0.0; 990];
            shifted(&mut got, &x, 10);
            assert_eq!(got, y, "{}", engine.name);
            let mut got = NdArray::full([33, 7], 1);
            turned(&mut got, &wide);
            assert_eq!(got, tall, "{}", engine.name);
            let mut got = vec![zero; 100];
            parts(&mut got, &pairs, &order);
            assert_eq!(got, out, "{}", engine.name);
            let mut got = grid();
            counted(&mut got);
            assert_eq!(got.u, counts.u, "{}", engine.name);
        });
    }
}

/// Sums up to a zero, which the caller vouches for.
#[qd::kernel]
fn terminated(y: &mut [f32], x: &[f32], column: &[u32], most: usize) {
    for i in 0..y.len() {
        let mut sum = 0.0;
        for k in 0..most {
            let c = unsafe { *column.get_unchecked(k) } as usize;
            if c == 0 {
                break;
            }
            sum += x[c];
        }
        y[i] = sum;
    }
}

/// Numbers right behind which nothing can be read.
struct AtTheEnd {
    page: usize,
    at: *mut libc::c_void,
}

impl AtTheEnd {
    fn new() -> Self {
        // SAFETY: new pages, of which the second can't be touched.
        unsafe {
            let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
            let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            let at = libc::mmap(std::ptr::null_mut(), 2 * page, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0);
            assert_ne!(at, libc::MAP_FAILED);
            assert_eq!(libc::mprotect(at.byte_add(page), page, libc::PROT_NONE), 0);
            AtTheEnd { page, at }
        }
    }

    fn numbers(&mut self, numbers: &[u32]) -> &[u32] {
        let first = self.page - size_of_val(numbers);
        // SAFETY: the numbers are the last of the first page, which is this one's alone.
        unsafe {
            let to = self.at.byte_add(first).cast::<u32>();
            to.copy_from_nonoverlapping(numbers.as_ptr(), numbers.len());
            std::slice::from_raw_parts(to, numbers.len())
        }
    }
}

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        // SAFETY: the pages of `new`.
        unsafe { libc::munmap(self.at, 2 * self.page) };
    }
}

/// What comes before its turn must not be read: that the index is in bounds is known where the program reads it.
#[test]
fn nothing_is_read_ahead() {
    let x: Vec<f32> = (0..100).map(|k| k as f32 * 0.5).collect();
    let mut memory = AtTheEnd::new();
    for len in 1..10 {
        let mut column: Vec<u32> = (1..len).map(|k| k * 7 % 99 + 1).collect();
        column.push(0);
        let column = memory.numbers(&column);
        let mut want = [0.0; 5];
        terminated.native(&mut want, &x, column, 1 << 40);
        for engine in &Engines::new().all {
            let mut got = [0.0; 5];
            engine.runtime.scope(|| terminated(&mut got, &x, column, 1 << 40));
            assert_eq!(got, want, "{}, {len}", engine.name);
        }
    }
}

/// Nothing is left that could fail: neither an array's check nor that of an array in a struct.
#[test]
fn there_is_no_check() {
    let runtime = qd::Runtime::new(qd::Config::default().ignore_env().offline_cache(false)).unwrap();
    runtime.scope(|| {
        for ir in [shifted.ir(), turned.ir(), parts.ir(), counted.ir()] {
            let ir = ir.unwrap();
            let checks = ir.lines().filter(|line| line.contains(": index ") || line.ends_with(": step"));
            assert_eq!(checks.count(), 0, "{ir}");
        }
    });
}

#[test]
fn debug_mode_checks() {
    let debug = qd::Config::default().ignore_env().offline_cache(false).debug(true);
    qd::Runtime::new(debug).unwrap().scope(|| {
        let error = shifted.try_call(&mut [0.0; 8], &[0.0; 8], 3).unwrap_err().to_string();
        assert!(error.contains("index out of bounds: the len is 8 but the index is 8"), "{error}");
        let zero = Pair { at: [0.0; 4], n: 0 };
        let error = parts.try_call(&mut [zero; 3], &[zero; 3], &[0, 4, 0]).unwrap_err().to_string();
        assert!(error.contains("index out of bounds: the len is 4 but the index is 4"), "{error}");
    });
}
