//! Enums without fields: as elements, fields, variables, parameters and results, in `match` and comparisons.
use qd::prelude::*;

use crate::support::{Engines, hash};

#[derive(Debug, Clone, Copy, PartialEq, Eq, qd::Data)]
#[repr(u8)]
enum Phase {
    Idle,
    Run = 5,
    Wait,
    Done = 255,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, qd::Data)]
#[repr(i16)]
enum Sign {
    Minus = -1,
    Zero,
    Plus,
}

use Sign::*;

#[derive(Debug, Clone, Copy, PartialEq, qd::Data)]
struct Task {
    phase: Phase,
    left: u32,
    signs: [Sign; 3],
}

fn tasks(n: usize) -> Vec<Task> {
    let phases = [Phase::Idle, Phase::Run, Phase::Wait, Phase::Done];
    let signs = [Minus, Zero, Plus];
    (0..n)
        .map(|n| Task {
            phase: phases[hash(n as u64) as usize % 4],
            left: (n % 5) as u32,
            signs: std::array::from_fn(|k| signs[hash((n * 3 + k) as u64) as usize % 3]),
        })
        .collect()
}

#[qd::func]
fn sign_of(v: i32) -> Sign {
    if v == 0 {
        return Sign::Zero;
    }
    if v < 0 { Minus } else { Plus }
}

#[qd::kernel]
fn advance(all: &mut [Task], codes: &mut NdArray<(i64, Sign)>, last: Phase) -> (Phase, u32) {
    let mut done = 0;
    let mut first = Phase::Idle;
    for i in 0..all.len() {
        let next = match all[i].phase {
            Phase::Idle if all[i].left > 0 => Phase::Run,
            Phase::Run | Phase::Wait => {
                all[i].left = all[i].left.saturating_sub(1);
                if all[i].left == 0 { last } else { Phase::Wait }
            }
            other => other,
        };
        if next == Phase::Done {
            done += 1;
        }
        all[i].phase = next;
        let total = all[i].signs[0] as i32 + all[i].signs[i % 3] as i32;
        all[i].signs[(i + 1) % 3] = sign_of(total);
        let changed = next != last && (next, 1) != (Phase::Wait, 1);
        codes[i] = (next as i64 * 2 + changed as i64, all[i].signs[2]);
    }
    if all[0].phase == last {
        first = Phase::Done;
    }
    (first, done)
}

#[test]
fn enums() {
    let mut want = tasks(4000);
    let mut want_codes = NdArray::zeros(4000);
    let result = advance.native(&mut want, &mut want_codes, Phase::Done);
    assert_eq!(want_codes[3999].1, want[3999].signs[2]);
    for engine in &Engines::new().all {
        let mut got = tasks(4000);
        let mut codes = NdArray::zeros(4000);
        let found = engine.runtime.scope(|| advance(&mut got, &mut codes, Phase::Done));
        assert_eq!(found, result, "{}", engine.name);
        assert!(got == want && codes == want_codes, "{}", engine.name);
    }
}

#[allow(non_upper_case_globals, reason = "named as variants are: a pattern can't tell them apart")]
const Limit: i32 = 7;

#[allow(non_upper_case_globals)]
#[qd::kernel]
fn unqualified(out: &mut [i32], signs: &[Sign]) {
    for i in 0..out.len() {
        out[i] = match (signs[i % signs.len()], i as i32) {
            (_, Limit) => -7,
            (Minus, 3) => 33,
            (Minus, n) => -n,
            (Zero, _) => 0,
            (Plus, n @ 0..=5) => n,
            (sign @ Plus, n) => n * 10 + sign as i32,
        };
    }
}

#[test]
fn variants_are_named_without_their_type() {
    let signs = [Minus, Zero, Plus, Plus];
    let mut want = [0; 40];
    unqualified.native(&mut want, &signs);
    assert_eq!((want[7], want[4], want[2], want[10]), (-7, -4, 2, 100 + Plus as i32));
    for engine in &Engines::new().all {
        let mut out = [0; 40];
        engine.runtime.scope(|| unqualified(&mut out, &signs));
        assert_eq!(out, want, "{}", engine.name);
    }
}
