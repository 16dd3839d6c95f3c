//! The reduction tree against its definition written another way, and against values computed elsewhere.
use qd_ir::op::ReduceOp;
use qd_ir::reduce::{LANES, LEAF, Reduce, Tree, combine_bits, identity_bits, reduce_reference, takes};
use qd_ir::types::Scalar;

/// Numbers without a pattern (splitmix64).
fn noise(seed: u64) -> impl Iterator<Item = u64> {
    (1u64..).map(move |k| {
        let mut z = seed.wrapping_add(k.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

fn floats(seed: u64, n: usize) -> Vec<f32> {
    noise(seed).map(|z| (z as i32 as f32) * f32::powi(2.0, (z >> 32) as i32 % 20)).take(n).collect()
}

/// The definition by recursion, from the root down: no lanes array, no counter of leaves.
fn naive<T: Reduce>(op: ReduceOp, values: &[T]) -> T {
    fn lanes<T: Reduce>(op: ReduceOp, leaf: &[T], lane: usize, stride: usize) -> T {
        if stride == LANES {
            leaf.iter().skip(lane).step_by(LANES).fold(T::identity(op), |a, &b| T::combine(op, a, b))
        } else {
            T::combine(op, lanes(op, leaf, lane, 2 * stride), lanes(op, leaf, lane + stride, 2 * stride))
        }
    }
    let leaves = values.len().div_ceil(LEAF as usize);
    match leaves {
        0 => T::identity(op),
        1 => lanes(op, values, 0, 1),
        _ => {
            let left = leaves.next_power_of_two() / 2 * LEAF as usize;
            T::combine(op, naive(op, &values[..left]), naive(op, &values[left..]))
        }
    }
}

#[test]
fn agrees_with_the_recursive_definition() {
    for n in [0, 1, 2, 31, 32, 33, 1023, 1024, 1025, 2048, 2049, 3072, 4096, 5000, 7168, 12_345, 70_000] {
        let values = floats(n as u64, n);
        for op in [ReduceOp::Add, ReduceOp::Mul, ReduceOp::Min, ReduceOp::Max] {
            let expected = f32::combine(op, 3.5, naive(op, &values));
            let got = reduce_reference(op, 3.5, values.iter().copied());
            assert!(got.to_bits() == expected.to_bits() || got.is_nan() && expected.is_nan(), "{op:?} of {n}");
        }
    }
}

#[test]
fn a_float_sum_has_these_bits() {
    // Computed by another program in another language; changing it changes everybody's results.
    let values = (0..12_345u32).map(|i| (i * 7919 % 1000) as f32 * 0.37);
    let sum = reduce_reference(ReduceOp::Add, 1000.0f32, values.clone());
    assert_eq!(sum.to_bits(), 0x4a0b_5179);
    assert_ne!(sum, values.fold(1000.0, |a, b| a + b), "the test tells the tree from the serial sum");
}

#[test]
fn integers_equal_the_serial_loop() {
    let values: Vec<i32> = noise(7).map(|z| z as i32).take(5000).collect();
    for op in ReduceOp::ALL {
        let serial = values.iter().fold(-17, |a, &b| i32::combine(op, a, b));
        assert_eq!(reduce_reference(op, -17, values.iter().copied()), serial, "{op:?}");
    }
}

#[test]
fn identities_change_nothing() {
    let edges: Vec<u128> = [0u64, 1, 2, 0x7f, 0x80, 0xff, 0x7f80_0000, 0xff80_0000, 0x8000_0000, 0x7fc0_0000, 1]
        .into_iter()
        .chain([f64::INFINITY, f64::NEG_INFINITY, -0.0, f64::NAN, f64::MIN_POSITIVE / 4.0].map(f64::to_bits))
        .chain([u64::MAX, 1 << 63])
        .chain(noise(3).take(50))
        .map(u128::from)
        .chain([u128::MAX, 1 << 127, 3 << 64 | 5])
        .collect();
    for ty in Scalar::ALL {
        for op in ReduceOp::ALL.into_iter().filter(|&op| takes(ty, op)) {
            for bits in &edges {
                let value = if ty == Scalar::Bool { bits & 1 } else { bits & ty.mask() };
                let is_nan = |bits: u128| match ty.is_float() {
                    true if ty == Scalar::F16 => half::f16::from_bits(bits as u16).is_nan(),
                    true if ty == Scalar::Bf16 => half::bf16::from_bits(bits as u16).is_nan(),
                    true if ty == Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
                    true => f64::from_bits(bits as u64).is_nan(),
                    false => false,
                };
                let identity = identity_bits(op, ty);
                for got in [combine_bits(op, ty, identity, value), combine_bits(op, ty, value, identity)] {
                    assert!(got == value || is_nan(got) && is_nan(value), "{op:?} {ty}: {value:#x} became {got:#x}");
                }
            }
        }
    }
}

#[test]
fn a_loop_without_iterations_keeps_the_prior_value() {
    for op in [ReduceOp::Add, ReduceOp::Mul, ReduceOp::Min, ReduceOp::Max] {
        assert_eq!(reduce_reference(op, -0.0f32, []).to_bits(), (-0.0f32).to_bits());
        assert!(reduce_reference(op, f32::NAN, []).is_nan());
    }
    assert!(reduce_reference(ReduceOp::Min, f64::NAN, [f64::NAN; 3]).is_nan());
    assert_eq!(reduce_reference(ReduceOp::Min, f64::NAN, [f64::NAN, 2.0]), 2.0);
    assert!(reduce_reference(ReduceOp::And, true, []));
}

#[test]
fn bits_combine_like_values() {
    assert_eq!(combine_bits(ReduceOp::Add, Scalar::I8, 0x7f, 1), 0x80);
    assert_eq!(combine_bits(ReduceOp::Min, Scalar::I16, 0xffff, 1), 0xffff);
    assert_eq!(combine_bits(ReduceOp::Min, Scalar::U16, 0xffff, 1), 1);
    assert_eq!(combine_bits(ReduceOp::Xor, Scalar::Bool, 1, 1), 0);
    let sum = combine_bits(ReduceOp::Add, Scalar::F32, 1.5f32.to_bits().into(), 2.0f32.to_bits().into());
    assert_eq!(sum, 3.5f32.to_bits().into());
}

#[test]
#[should_panic(expected = "values of `bool` can't be reduced by `add`")]
fn operations_that_a_type_lacks_are_named() {
    identity_bits(ReduceOp::Add, Scalar::Bool);
}

/// Combines leaves into text that shows the tree.
fn join(a: &'static str, b: &'static str) -> &'static str {
    format!("({a}{b})").leak()
}

const NAMES: [&str; 14] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n"];

#[test]
fn the_tree_is_left_balanced() {
    let text = |n: usize| {
        let mut tree = Tree::new();
        for (k, name) in NAMES[..n].iter().enumerate() {
            tree.insert(k as u64, *name, join);
        }
        tree.finish(join)
    };
    assert_eq!(text(0), None);
    assert_eq!(text(1), Some("a"));
    assert_eq!(text(3), Some("((ab)c)"));
    assert_eq!(text(6), Some("(((ab)(cd))(ef))"));
    assert_eq!(text(7), Some("(((ab)(cd))((ef)g))"));
}

#[test]
fn the_order_of_arrival_does_not_matter() {
    let mut in_order = Tree::new();
    for (k, name) in NAMES.iter().enumerate() {
        in_order.insert(k as u64, *name, join);
    }
    let expected = in_order.finish(join);
    for seed in 0..200 {
        // Leaves dealt to three threads in shuffled order; the threads' trees appended in that order too.
        let mut order: Vec<(u64, usize)> = noise(seed).zip(0..NAMES.len()).collect();
        order.sort_unstable();
        let mut threads = [Tree::new(), Tree::new(), Tree::new()];
        for (z, k) in order {
            threads[(z % 3) as usize].insert(k as u64, NAMES[k], join);
        }
        let mut whole = Tree::new();
        for tree in threads {
            whole.append(tree, join);
        }
        assert_eq!(whole.finish(join), expected, "{seed}");
    }
}

#[test]
fn runs_of_leaves_make_the_same_tree() {
    for n in 1..=NAMES.len() {
        let mut one_by_one = Tree::new();
        (0..n).for_each(|k| one_by_one.insert(k as u64, NAMES[k], join));
        let expected = one_by_one.finish(join);
        for (a, b) in (0..=n).flat_map(|a| (a..=n).map(move |b| (a, b))) {
            let mut leaves = NAMES;
            let mut tree = Tree::new();
            // The last run first: runs arrive in any order.
            for run in [b..n, 0..a, a..b] {
                tree.insert_run(run.start as u64, &mut leaves[run], join);
            }
            assert_eq!(tree.finish(join), expected, "{n} leaves, borders {a} and {b}");
        }
    }
}

/// Lists and extremes came later: plain reductions have the bytes that they always had.
#[test]
fn each_kind_has_bytes_of_its_own() {
    let bytes = |body: &str, reduction: &str| {
        let bounds = "v0: usize = const 0 v1: usize = const 9";
        let text =
            format!("task parallel {{ {reduction} bounds {{ {bounds} }} dim v2: usize in v0..v1 body {{ {body} }} }}");
        let task = qd_ir::text::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(qd_ir::text::parse(&task.to_string()), Ok(task.clone()));
        qd_ir::canonical::encode(&task).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let variants = [
        bytes("reduce r0 v2", "reduction r0: add usize"),
        bytes("reduce r0.1 v2", "reduction r0: add usize x 2"),
        bytes("reduce r0.1 v2", "reduction r0: add usize x 3"),
        bytes("reduce r0.1 v2", "reduction r0: mul usize x 3"),
        bytes("reduce r0.0[v2 of 3 by 1] v2", "reduction r0: add usize x 3"),
        bytes("offer r0(v2)", "reduction r0: first least(usize) with()"),
        bytes("offer r0(v2)", "reduction r0: first greatest(usize) with()"),
        bytes("offer r0(v2)", "reduction r0: last least(usize) with()"),
        bytes("offer r0(v2, v2)", "reduction r0: last least(usize, usize) with()"),
        bytes("offer r0(v2, v2)", "reduction r0: last least(usize) with(usize)"),
    ];
    let all: std::collections::BTreeSet<_> = variants.iter().collect();
    assert_eq!(all.len(), variants.len());
    assert!(variants[0].contains("01000a") && variants[0].ends_with("090002"), "{}", variants[0]);
    assert!(variants[1].contains("0107000a02") && variants[1].ends_with("1900010002"), "{}", variants[1]);
    assert!(variants[9].contains("01080001010a010a") && variants[9].ends_with("1a00020202"), "{}", variants[9]);
}
