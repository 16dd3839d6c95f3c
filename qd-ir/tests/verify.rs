//! The verifier: each rule, broken once.
mod common;

use qd_ir::arena::Id;
use qd_ir::plan::{PlanNode, Source};
use qd_ir::text::parse;
use qd_ir::types::{Const, Scalar};
use qd_ir::verify;

/// A text that parses, the path of its one violation, and a part of the message.
const BROKEN: &[(&str, &str, &str)] = &[
    ("task serial { body { end v0: i32 = const 1 } }", "body.0", "behind a diverging"),
    ("task serial { body { v0: i32 = neg v1 v1: i32 = const 1 } }", "body.0", "v1 isn't visible"),
    (
        "task serial { body { v0: bool = const true if v0 { v1: i32 = const 1 } v2: i32 = neg v1 } }",
        "body.2",
        "v1 isn't visible",
    ),
    ("task serial { body { v0: i32 = const 1 v1: i64 = neg v0 } }", "body.1", "v1 is i64, i32 is expected"),
    ("task serial { body { v0: u32 = const 1 v1: u32 = neg v0 } }", "body.1", "`neg` of u32"),
    ("task serial { body { v0: f32 = const 1 v1: f32 = shl v0 v0 } }", "body.1", "`shl` of f32"),
    ("task serial { body { v0: u32 = const 1 v1: f32 = const 1 v2: u32 = shl v0 v1 } }", "body.2", "no integer"),
    ("task serial { body { v0: u32 = const 1 v1: u32 = div v0 v0 } }", "body.1", "can fail and has no site"),
    (
        "task serial { site s0: div f32 body { v0: f32 = const 1 v1: f32 = div v0 v0 !s0 } }",
        "body.1",
        "can't fail and has a site",
    ),
    (
        "task serial { site s0: rem u32 body { v0: u32 = const 1 v1: u32 = div v0 v0 !s0 } }",
        "body.1",
        "of another statement",
    ),
    (
        "task serial { body { v0: u16 = const 1 v1: f16 = from_bits v0 v2: bf16 = from_bits v0 v3: f32 = from_bits v0 } }",
        "body.3",
        "`from_bits` of u16 doesn't give",
    ),
    (
        "task serial { body { v0: f64 = const 1 v1: f16 = from_f64 v0 v2: bf16 = from_f64 v0 v3: u16 = from_f64 v0 } }",
        "body.3",
        "`from_f64` of f64 doesn't give",
    ),
    ("task serial { body { v0: f32 = const 1 v1: f16 = from_f64 v0 } }", "body.1", "`from_f64` of f32"),
    ("task serial { local l0: i32 body { v0: i32 = get l0 } }", "body.0", "before it is set"),
    ("task serial { local l0: i32 body { v0: u32 = const 1 set l0 = v0 } }", "body.1", "v0 is u32"),
    ("task serial { body { v0: i32 = get l0 } }", "body.0", "l0 isn't in the arena"),
    (
        "task serial { array a0: &NdArray<f32, 1> body { v0: usize = const 1 v1: f32 = const 1 store a0[v0] = v1 } }",
        "body.2",
        "a write to &NdArray",
    ),
    (
        "task serial { array a0: &NdArray<[8 align 4: f32 at 0, u32 at 4], 1>
         body { v0: usize = const 1 v1: f32 = load a0[v0].1 } }",
        "body.1",
        "v1 is f32, u32",
    ),
    (
        "task serial { array a0: &NdArray<[8 align 4: f32 at 0, f32 at 4], 1>
         body { v0: usize = const 1 v1: f32 = load a0[v0].2 } }",
        "body.1",
        "outside of 2 scalars",
    ),
    (
        "task serial { array a0: &NdArray<[8 align 4: f32 at 0, u32 at 4], 1>
         body { v0: usize = const 1 v1: f32 = load a0[v0].0[v0 of 2 by 1] } }",
        "body.1",
        "several types",
    ),
    (
        "task serial { array a0: &NdArray<[16 align 4: f32 at 0, f32 at 4, f32 at 12], 1>
         body { v0: usize = const 1 v1: f32 = load a0[v0].0[v0 of 3 by 1] } }",
        "body.1",
        "uneven distance",
    ),
    (
        "task serial { array a0: &NdArray<[8 align 4: f32 at 0, f32 at 4], 1>
         body { v0: usize = const 1 v1: f32 = load a0[v0].1[v0 of 2 by 1] } }",
        "body.1",
        "outside of 2 scalars",
    ),
    (
        "task serial { array a0: &NdArray<[8 align 4: f32 at 0, f32 at 6], 1> body { v0: usize = extent a0 0 } }",
        "arrays",
        "f32 at 6 of an element of 8 bytes",
    ),
    (
        "task serial { array a0: &NdArray<[8 align 4: f32 at 2], 1> body { v0: usize = extent a0 0 } }",
        "arrays",
        "f32 at 2 isn't aligned",
    ),
    (
        "task serial { array a0: &NdArray<[6 align 4: f32 at 0], 1> body { v0: usize = extent a0 0 } }",
        "arrays",
        "6 bytes aligned to 4",
    ),
    (
        "task serial { array a0: &NdArray<[8 align 8:], 1> body { v0: usize = extent a0 0 } }",
        "arrays",
        "an element of no scalar",
    ),
    ("task serial { local l0: i32 x 2 body { v0: i32 = const 1 set l0 = v0 } }", "body.1", "l0 is set whole"),
    ("task serial { local l0: i32 x 2 body { v0: i32 = const 1 set l0.2 = v0 } }", "body.1", "outside of 2 scalars"),
    ("task serial { local l0: i32 x 2 body { v0: i32 = get l0.0 } }", "body.0", "before it is set"),
    ("task serial { site s0: step body { v0: u32 = const 1 check v0 of 3 !s0 } }", "body.1", "v0 is u32, usize"),
    (
        "task serial { array a0: &NdArray<f32, 2> body { v0: usize = const 1 v1: f32 = load a0[v0] } }",
        "body.1",
        "1 indices for rank 2",
    ),
    (
        "task serial { array a0: &NdArray<f32, 1> body { v0: u32 = const 1 v1: f32 = load a0[v0] } }",
        "body.1",
        "v0 is u32, usize",
    ),
    (
        "task serial { array a0: &mut NdArray<f32, 1> body { v0: usize = const 1 v1: f32 = const 1
         v2: f32 = atomic xor a0[v0] v1 } }",
        "body.2",
        "an atomic `xor` on f32",
    ),
    (
        "task serial { array a0: &mut NdArray<bool, 1> body { v0: usize = const 1 v1: bool = const true
         v2: bool = atomic exchange a0[v0] v1 } }",
        "body.2",
        "an atomic `exchange` on bool",
    ),
    (
        "task serial { array a0: &NdArray<f32, 1> array a1: &NdArray<f32, 1>
         body { v0: usize = extent a1 0 v1: usize = extent a0 0 } }",
        "body.0",
        "array 1 is used before array 0",
    ),
    ("task serial { array a0: &NdArray<f32, 1> body { } }", "task", "0 of 1 arrays"),
    ("task serial { array a0: &NdArray<f32, 1> body { v0: usize = extent a0 1 } }", "body.0", "extent 1 of rank 1"),
    ("task serial { array a0: &NdArray<f32, 5> body { v0: usize = extent a0 1 } }", "arrays", "5 dimensions"),
    ("task serial { input i0: i32 body { v0: u32 = input i0 } }", "body.0", "v0 is u32"),
    ("task serial { body { v0: i32 = const 1 if v0 { } } }", "body.1", "v0 is i32, bool"),
    ("task serial { body { v0: i32 = const 1 for L0 v1: u8 in v0..v0 { } } }", "body.1", "v0 is i32, u8"),
    ("task serial { body { v0: f32 = const 1 for L0 v1: f32 in v0..v0 { } } }", "body.1", "a loop over f32"),
    ("task serial { body { v0: i128 = const 1 for L0 v1: i128 in v0..v0 { } } }", "body.1", "a loop over i128"),
    ("task parallel { bounds { v0: u128 = const 1 } dim v1: u128 in v0..v0 body { } }", "dims", "a loop over u128"),
    (
        "task serial { array a0: &mut NdArray<u128, 1> body { v0: usize = const 1 v1: u128 = const 1
         v2: u128 = atomic add a0[v0] v1 } }",
        "body.2",
        "an atomic `add` on u128",
    ),
    (
        "task serial { array a0: &mut NdArray<bool, 1> body { v0: usize = const 1 v1: bool = const true
         v2: bool = compare_exchange a0[v0] v1 v1 } }",
        "body.2",
        "an atomic `compare_exchange` on bool",
    ),
    (
        "task serial { array a0: &mut NdArray<f32, 1> body { v0: usize = const 1 v1: f32 = const 1 v2: f64 = const 1
         v3: f32 = compare_exchange a0[v0] v1 v2 } }",
        "body.3",
        "v2 is f64, f32",
    ),
    (
        "task serial { array a0: &NdArray<u8, 1> body { v0: usize = const 1 v1: u8 = const 1
         v2: u8 = compare_exchange a0[v0] v1 v1 } }",
        "body.2",
        "a write to",
    ),
    ("task serial { body { loop L0 { } break L0 } }", "body.1", "L0 isn't open"),
    ("task serial { body { loop L0 { loop L0 { } } } }", "body.0.body.0", "two loops named L0"),
    ("task serial { body { v0: i32 = const 1 reduce r0 v0 } }", "body.1", "in a serial task"),
    (
        "task parallel { bounds { v0: i32 = const 1 } dim v1: i32 in v0..v0 body { v2: i32 = neg v0 } }",
        "body.0",
        "v0 isn't visible",
    ),
    (
        "task parallel { bounds { v0: i32 = const 1 } dim v1: i64 in v0..v0 body { } }",
        "dims",
        "v0 is i32, i64 is expected",
    ),
    (
        "task parallel { output o0: i32 bounds { v0: i32 = const 1 } dim v1: i32 in v0..v0 body { output o0 = v1 } }",
        "body.0",
        "an output of a parallel task",
    ),
    (
        "task parallel { reduction r0: xor f32 bounds { v0: i32 = const 1 } dim v1: i32 in v0..v0
         body { v2: f32 = const 1 reduce r0 v2 } }",
        "reductions",
        "`xor` of f32",
    ),
    (
        "task parallel { reduction r0: add f32 x 4 bounds { v0: i32 = const 1 } dim v1: i32 in v0..v0
         body { v2: f32 = const 1 reduce r0.2 v2 } }",
        "reductions",
        "`add` of a list of f32, which has no order",
    ),
    (
        "task parallel { reduction r0: add i32 x 4 bounds { v0: i32 = const 1 } dim v1: i32 in v0..v0
         body { reduce r0 v1 } }",
        "body.0",
        "reduction 0 takes other contributions",
    ),
    (
        "task parallel { reduction r0: add i32 x 4 bounds { v0: i32 = const 1 } dim v1: i32 in v0..v0
         body { reduce r0.4 v1 } }",
        "body.0",
        "a part outside of 4 scalars",
    ),
    (
        "task parallel { reduction r0: first least(f32, i32) with() bounds { v0: i32 = const 1 } dim v1: i32 in v0..v0
         body { v2: f32 = const 1 offer r0(v2, v1) } }",
        "reductions",
        "a key of several scalars, one of them a float",
    ),
    (
        "task parallel { reduction r0: last greatest(i32) with(f32) bounds { v0: i32 = const 1 } dim v1: i32 in v0..v0
         body { offer r0(v1, v1) } }",
        "body.0",
        "v1 is i32, f32 is expected",
    ),
    (
        "task parallel { reduction r0: first least(i32) with() bounds { v0: i32 = const 1 } dim v1: i32 in v0..v0
         body { reduce r0 v1 } }",
        "body.0",
        "reduction 0 takes other contributions",
    ),
    (
        "task parallel { local l0: i32 bounds { v0: i32 = const 1 set l0 = v0 } dim v1: i32 in v0..v0
         body { v2: i32 = get l0 } }",
        "task",
        "in the bounds and in the body",
    ),
    ("task parallel { bounds { end } body { } }", "bounds.0", "an end in the bounds"),
    ("task serial { site s0: print body { fail() !s0 } }", "body.0", "site 0 is of another statement"),
    ("task serial { site s0: panic body { print() !s0 } }", "body.0", "site 0 is of another statement"),
    ("task serial { site s0: panic body { fail() !s0 end } }", "body.0", "behind a diverging one"),
    ("task serial { site s0: print body { print(v0) !s0 v0: i32 = const 1 } }", "body.0", "v0 isn't visible"),
    (
        "task parallel { bounds { v0: i32 = const 1 } carry v1 dim v1: i32 in v0..v0 body { } }",
        "bounds",
        "v1 isn't visible",
    ),
    ("task parallel { bounds { } body { } }", "bounds", "0 dimensions"),
];

#[test]
fn each_rule_of_a_task() {
    for (text, path, message) in BROKEN {
        let task = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found = verify::task(&task).expect_err(text);
        let hit = found.iter().any(|v| v.path == *path && v.message.contains(message));
        assert!(hit, "{text}: {found:#?}");
    }
}

#[test]
fn a_constant_has_no_bits_above_its_width() {
    let mut task = parse("task serial { body { v0: u8 = const 1 } }").expect("a task");
    task.body.0[0] = qd_ir::body::Stmt::Const { dst: Id::new(0), value: Const { ty: Scalar::U8, bits: 256 } };
    assert!(verify::task(&task).expect_err("nine bits")[0].to_string().starts_with("body.0: 0x100 has bits"));
}

/// `fn k(x: &NdArray<f32, 2>, n: u8) -> u8 { n }` with a slot.
fn kernel() -> qd_ir::plan::Kernel {
    let mut b = common::Builder::new("k");
    b.array("x", Scalar::F32, 2, false);
    let n = b.value("n", common::scalar(Scalar::U8));
    let v = b.var("v", Scalar::U8);
    let init = b.get(n);
    b.bind(v, init);
    let one = b.int(1);
    let assign = b.set(v, one);
    b.serial(vec![qd_ir::sketch::Stmt::Expr(assign)]);
    let result = b.get(v);
    b.returns(result, common::scalar(Scalar::U8));
    b.typed()
}

#[test]
fn each_rule_of_a_kernel() {
    type Change = fn(&mut qd_ir::plan::Kernel);
    let changes: Vec<(&str, Change)> = vec![
        ("starts at word", |k| k.params[1].word = 9),
        ("slot 0 starts at word 1", |k| k.slots[Id::new(0)].word = 1),
        ("a path without a return", |k| k.plan = PlanNode::Task(Id::new(0))),
        ("stands in 0 places", |k| k.plan = PlanNode::Return(vec![Source::Slot(Id::new(0))])),
        ("a return of 0 of 1", |k| {
            k.plan = PlanNode::Seq(vec![PlanNode::Task(Id::new(0)), PlanNode::Return(vec![])]);
        }),
        ("word 0 isn't u8", |k| {
            k.plan = PlanNode::Seq(vec![PlanNode::Task(Id::new(0)), PlanNode::Return(vec![Source::Word(0)])]);
        }),
        ("word 1 isn't u8", |k| {
            k.plan = PlanNode::Seq(vec![PlanNode::Task(Id::new(0)), PlanNode::Return(vec![Source::Word(1)])]);
        }),
        ("product of words 1..3 isn't u8", |k| {
            let product = Source::Product { first: 1, rank: 2 };
            k.plan = PlanNode::Seq(vec![PlanNode::Task(Id::new(0)), PlanNode::Return(vec![product])]);
        }),
        ("slot 7 doesn't exist", |k| {
            let init = PlanNode::Init(Id::new(7), Source::Word(3));
            k.plan = PlanNode::Seq(vec![init, std::mem::replace(&mut k.plan, PlanNode::Break(0))]);
        }),
        ("outside of loops", |k| {
            k.plan = PlanNode::Seq(vec![PlanNode::Break(0), std::mem::replace(&mut k.plan, PlanNode::Break(0))]);
        }),
        ("0 bindings for 1 outputs", |k| k.constructs[Id::new(0)].outputs.clear()),
        ("slot 3 isn't u8", |k| k.constructs[Id::new(0)].outputs[0] = Id::new(3)),
        ("v0 is never set", |k| k.constructs[Id::new(0)].task.body.0.clear()),
    ];
    for (message, change) in changes {
        let mut kernel = kernel();
        change(&mut kernel);
        let found = verify::kernel(&kernel).expect_err(message);
        assert!(found.iter().any(|v| v.message.contains(message)), "{message}: {found:#?}");
    }
}

#[test]
fn a_loop_that_is_only_left_by_returns_ends_every_path() {
    let mut kernel = kernel();
    let body = PlanNode::Seq(vec![PlanNode::Task(Id::new(0)), PlanNode::Return(vec![Source::Word(3)])]);
    kernel.plan = PlanNode::Loop(Box::new(body));
    assert_eq!(verify::kernel(&kernel), Ok(()));
    let leave = PlanNode::If {
        cond: Source::Const(Const { ty: Scalar::Bool, bits: 1 }),
        then: Box::new(PlanNode::Break(0)),
        otherwise: Box::new(PlanNode::Task(Id::new(0))),
    };
    kernel.plan = PlanNode::Loop(Box::new(leave));
    assert!(verify::kernel(&kernel).is_err());
}
