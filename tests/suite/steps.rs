//! Loops of the launch plan (`#[qd::steps]`), of one thread (`#[qd::serial]`), and hints to loops.
use qd::prelude::*;

use crate::support::{Engines, hash};

/// Runs a kernel over one array natively and on every engine.
fn same<R: PartialEq + std::fmt::Debug>(len: usize, run: impl Fn(&mut [u64], bool) -> R) {
    let start: Vec<u64> = (0..len as u64).map(hash).collect();
    let mut want = start.clone();
    let wanted = run(&mut want, true);
    for engine in &Engines::new().all {
        let mut got = start.clone();
        let found = engine.runtime.scope(|| run(&mut got, false));
        assert_eq!(found, wanted, "{}", engine.name);
        assert!(got == want, "{}: arrays differ", engine.name);
    }
}

/// Calls a kernel as `same` asks for it.
macro_rules! run {
    ($kernel:ident($($arg:expr),*)) => {
        |x: &mut [u64], native: bool| if native { $kernel.native(x, $($arg),*) } else { $kernel(x, $($arg),*) }
    };
}

#[qd::kernel]
fn counted(x: &mut [u64], lo: u64, hi: u64) {
    #[qd::steps]
    for s in lo..hi {
        for i in 0..x.len() {
            x[i] = x[i].wrapping_mul(31) + s;
        }
    }
}

#[test]
fn steps_run_in_order_and_the_loops_in_them_in_parallel() {
    for (lo, hi) in [(0, 5), (3, 3), (9, 2), (u64::MAX - 2, u64::MAX)] {
        same(3000, run!(counted(lo, hi)));
    }
    assert_eq!(counted.observations().frontend_constructs_total, 1);
}

#[qd::kernel]
fn forms(x: &mut [u64], n: i32, k: usize) -> i64 {
    let mut last = 0i64;
    #[qd::steps]
    for s in (-3..=n).rev() {
        last = last * 10 + s as i64;
        for i in 0..x.len() {
            x[i] = x[i].rotate_left(3) ^ s as u64;
        }
    }
    #[qd::steps]
    for s in (0..x.len()).step_by(k) {
        for i in s..x.len() {
            x[i] += s as u64;
        }
    }
    #[qd::steps]
    for s in 250..=u8::MAX {
        for i in 0..x.len() {
            x[i] = x[i].wrapping_mul(s as u64);
        }
    }
    #[qd::steps]
    for mut s in (0..4usize).rev() {
        s += 1;
        for i in 0..x.len() {
            x[i] += s as u64;
        }
        last += s as i64;
    }
    last
}

#[test]
fn steps_run_over_ranges_of_every_form() {
    for (n, k) in [(4, 7), (-3, 1), (-9, 100)] {
        same(50, run!(forms(n, k)));
    }
    let engines = Engines::new();
    let error = engines.all[0].runtime.scope(|| forms.try_call(&mut [1, 2], 1, 0)).unwrap_err();
    assert!(error.to_string().ends_with("assertion failed: step != 0"), "{error}");
}

#[qd::kernel]
fn leaves(x: &mut [u64], n: u32, stop: u64) -> (u32, u64) {
    let mut rounds = 0;
    let mut seen = 0u64;
    #[qd::steps]
    'all: for a in 0..n {
        #[qd::steps]
        for b in (0..=n).rev() {
            if a == b {
                continue;
            }
            if b == 1 {
                continue 'all;
            }
            for i in 0..x.len() {
                x[i] = x[i] * 3 + (a * b) as u64;
            }
            let mut even = 0u64;
            for i in 0..x.len() {
                even += x[i] & 1;
            }
            seen = seen * 7 + even;
            rounds += 1;
            if seen % 1000 < stop {
                break 'all;
            }
            if rounds == 1000 {
                return (rounds, 1);
            }
        }
        for i in 0..x.len() {
            x[i] ^= a as u64;
        }
    }
    (rounds, seen)
}

#[test]
fn jumps_leave_as_many_loops_as_they_name() {
    for (n, stop) in [(0, 0), (1, 0), (4, 0), (9, 30), (40, 0)] {
        same(200, run!(leaves(n, stop)));
    }
    assert_eq!(leaves(&mut [1; 200], 40, 0), (1000, 1), "the case of the early return");
}

#[qd::kernel]
fn mixed(x: &mut [u64], limit: u64) -> u64 {
    let mut total = 0;
    let mut k = 0;
    'outer: while k < 20 {
        k += 1;
        #[qd::steps]
        for s in 0..k {
            loop {
                total += 1;
                for i in 0..x.len() {
                    x[i] = x[i] / 2 + s;
                }
                if total % 3 == 0 {
                    break;
                }
                if total > limit {
                    break 'outer;
                }
                if total % 5 == 0 {
                    continue 'outer;
                }
            }
        }
    }
    total
}

#[test]
fn jumps_go_through_loops_of_every_kind() {
    for limit in [0, 10, 100, 1000] {
        same(100, run!(mixed(limit)));
    }
}

#[qd::kernel]
fn bounds_with_code(x: &mut [u64], n: usize) -> (usize, usize) {
    let mut from = n;
    let mut rounds = 0;
    #[qd::steps]
    for s in from..({
        from += 1;
        n * 2 + 1
    }) {
        from = 100;
        rounds += 1;
        for i in 0..x.len() {
            x[i] += (s * 3 + from) as u64;
        }
    }
    (from, rounds)
}

#[test]
fn bounds_are_evaluated_once_and_in_order() {
    for n in [0, 1, 6] {
        same(10, run!(bounds_with_code(n)));
    }
}

/// A Fourier transform modulo 257, in place: the stages in order, the butterflies of each in parallel.
#[qd::kernel]
fn transform(x: &mut NdArray<u64>, y: &mut NdArray<u64>, log: u32, root: u64) {
    #[qd::steps]
    for s in 0..log {
        let half = 1usize << s;
        // The root of this stage: of order 2 * half.
        let mut w = root;
        let mut k = s + 1;
        while k < log {
            w = w * w % 257;
            k += 1;
        }
        for i in 0..x.len() {
            let j = i % (2 * half);
            let mut power = 1;
            for _ in 0..j {
                power = power * w % 257;
            }
            let (even, odd) = if j < half { (x[i], x[i + half]) } else { (x[i - half], x[i]) };
            y[i] = (even + power * odd) % 257;
        }
        for i in 0..x.len() {
            x[i] = y[i];
        }
    }
}

#[test]
fn stages_of_a_fourier_transform() {
    let (n, log, root) = (64usize, 6, 3u64.pow(4) % 257); // 3 generates the numbers modulo 257
    let data: Vec<u64> = (0..n as u64).map(|i| hash(i) % 257).collect();
    let reversed: Vec<u64> = (0..n).map(|i| data[i.reverse_bits() >> (usize::BITS - log)]).collect();
    let power = |e: usize| (0..e % n).fold(1, |p, _| p * root % 257);
    let want: Vec<u64> = (0..n).map(|k| (0..n).map(|i| data[i] * power(i * k)).sum::<u64>() % 257).collect();
    for engine in &Engines::new().all {
        let mut x = NdArray::from_slice(&reversed);
        engine.runtime.scope(|| transform(&mut x, &mut NdArray::zeros(n), log, root));
        assert_eq!(x.as_slice(), want, "{}", engine.name);
    }
}

#[qd::kernel]
fn running(x: &mut [u64], n: usize) -> u64 {
    let mut most = 0;
    #[qd::serial]
    for i in 1..x.len() {
        for k in (1..=n).rev() {
            if k > i {
                continue;
            }
            x[i] = x[i].wrapping_add(x[i - k]);
        }
        most = most.max(x[i]);
        if most > u64::MAX - 1000 {
            break;
        }
    }
    most
}

#[test]
fn a_serial_loop_hands_values_on() {
    for n in [0, 1, 3] {
        same(500, run!(running(n)));
    }
    assert_eq!(running.observations().frontend_constructs_total, 1);
}

#[qd::kernel]
fn serial_in_steps(x: &mut [u64], n: usize) {
    #[qd::steps]
    for s in 0..n {
        #[qd::serial]
        for i in 1..x.len() {
            x[i] ^= x[i - 1] >> s;
        }
        #[qd::grain(10)]
        #[qd::block(128)]
        for i in 0..x.len() {
            x[i] = x[i].rotate_left(1);
        }
    }
}

#[test]
fn serial_and_parallel_loops_alternate() {
    same(300, run!(serial_in_steps(5)));
    assert_eq!(serial_in_steps.observations().frontend_constructs_total, 2);
}

#[qd::kernel]
fn grained(x: &mut [u64], y: &[u64]) -> u64 {
    let mut sum = 0;
    #[qd::grain(1)]
    for i in 0..x.len() {
        x[i] = x[i].wrapping_mul(3);
    }
    #[qd::grain(1000000)]
    for i in 0..y.len() {
        sum += y[i];
    }
    sum
}

#[test]
fn grains_change_no_result() {
    let y: Vec<u64> = (0..5000).map(|i| hash(i) >> 20).collect();
    same(5000, |x, native| if native { grained.native(x, &y) } else { grained(x, &y) });
}

#[qd::func]
fn hinted(x: u64, n: u64) -> u64 {
    let mut y = x;
    #[qd::unroll(2)]
    for k in (0..=n).rev() {
        if y % 7 == 3 {
            return y;
        }
        y = y.rotate_left(7) ^ k;
    }
    y
}

#[qd::kernel]
fn calls_hinted(x: &mut [u64]) {
    for i in 0..x.len() {
        x[i] = hinted(x[i], i as u64 % 9);
    }
}

#[test]
fn functions_have_hinted_loops() {
    same(300, run!(calls_hinted()));
}
