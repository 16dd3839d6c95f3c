//! Ends of chains that compare as they are told: `min_by`, `max_by`, `min_by_key`, `max_by_key`.
use qd::prelude::*;

use crate::support::*;

/// Floats with ties, NaNs of both signs and zeros of both signs.
fn floats(len: u64) -> Vec<f32> {
    let special = [f32::NAN, -f32::NAN, 0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, 1e-45, -1e-45, 3.5, -3.5];
    (0..len).map(|n| special[hash(n) as usize % special.len()]).collect()
}

/// At top level, in serial code and in iterations; by index, so that ties show.
#[qd::kernel]
fn by_total_order(x: &[f32], out: &mut [usize], n: usize) -> (u32, u32, usize) {
    let least = x.iter().min_by(|a, b| a.total_cmp(b)).unwrap_or(&7.0).to_bits();
    let most = x.iter().copied().max_by(f32::total_cmp).unwrap_or(7.0).to_bits();
    let (place, _) = x.iter().enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b).reverse()).unwrap_or((n, &0.0));
    for i in 0..out.len() {
        let (least, _) = x[..i].iter().enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b)).unwrap_or((n, &0.0));
        let most = (0..i).max_by(|a, b| x[*a].total_cmp(&x[*b])).unwrap_or(n);
        out[i] = least * 1000 + most;
    }
    (least, most, place)
}

#[test]
fn by_the_total_order_of_floats() {
    for engine in &Engines::new().all {
        for len in [0, 1, 2, 90] {
            let x = floats(len);
            let (mut want, mut got) = (vec![0; x.len()], vec![0; x.len()]);
            let result = by_total_order.native(&x, &mut want, x.len());
            assert_eq!(engine.runtime.scope(|| by_total_order.try_call(&x, &mut got, x.len())).unwrap(), result);
            assert_eq!(got, want, "{}", engine.name);
        }
    }
}

#[derive(Clone, Copy, qd::Data)]
struct Item {
    rank: (i16, bool),
    weight: f64,
}

#[qd::kernel]
fn by_parts(x: &[Item], out: &mut [f64], n: usize) {
    for i in 1..out.len() {
        let lightest = x[..i].iter().min_by(|a, b| a.weight.partial_cmp(&b.weight).unwrap()).unwrap();
        let heaviest = x.iter().take(i).max_by(|a, b| a.weight.partial_cmp(&b.weight).expect("a weight")).unwrap();
        let first = x[..i].iter().min_by_key(|v| v.rank).unwrap();
        let last = x[..i].iter().max_by_key(|v| v.rank).unwrap();
        let low = (0..i).filter(|k| k % 3 != 1).min_by_key(|k| (k * 7919) % 13).unwrap_or(n);
        let high = (0..i).rev().max_by(|a, b| x[*a].rank.cmp(&x[*b].rank)).unwrap_or(n);
        out[i] = lightest.weight + heaviest.weight * 2.0 + first.weight / 8.0 + last.weight * 32.0;
        out[i] += (low + 100 * high) as f64;
    }
}

#[test]
fn by_parts_and_keys() {
    let item = |n: u64| Item { rank: ((hash(n) % 5) as i16 - 2, n % 3 == 0), weight: n as f64 / 4.0 };
    let x: Vec<Item> = (0..80).map(|n| item(hash(n) % 97)).collect();
    for engine in &Engines::new().all {
        let (mut want, mut got) = (vec![0.0; 80], vec![0.0; 80]);
        by_parts.native(&x, &mut want, 80);
        engine.runtime.scope(|| by_parts.try_call(&x, &mut got, 80)).unwrap();
        assert_eq!(got, want, "{}", engine.name);
    }
}

#[test]
fn what_has_no_order_fails_as_in_rust() {
    let x = [1.0, f64::NAN].map(|weight| Item { rank: (0, false), weight });
    for engine in &Engines::new().all {
        let error = engine.runtime.scope(|| by_parts.try_call(&x, &mut [0.0; 3], 3)).unwrap_err();
        assert_eq!(error.kind(), qd::ErrorKind::Fault);
        let text = error.to_string();
        assert!(
            text.contains("called `Option::unwrap()` on a `None` value") && text.contains("(iteration 2)"),
            "{text}"
        );
    }
}

#[qd::kernel]
fn of_halves(x: &[f16]) -> (f16, f16) {
    let least = *x.iter().min_by(|a, b| a.total_cmp(b)).unwrap();
    (least, *x.iter().max_by(|a, b| a.total_cmp(b)).unwrap())
}

#[test]
fn by_the_total_order_of_halves() {
    let x: Vec<f16> = floats(60).into_iter().map(f16::from_f32).collect();
    for engine in &Engines::new().all {
        let (least, most) = engine.runtime.scope(|| of_halves.try_call(&x)).unwrap();
        let want = of_halves.native(&x);
        assert_eq!((least.to_bits(), most.to_bits()), (want.0.to_bits(), want.1.to_bits()), "{}", engine.name);
    }
}
