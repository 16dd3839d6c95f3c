//! Typing, against texts written by hand.
mod common;

use common::*;
use qd_ir::canonical;
use qd_ir::op::{AtomicOp, Op, ReduceOp};
use qd_ir::plan::Source;
use qd_ir::sketch::*;
use qd_ir::types::{Const, Scalar, Type};
use qd_ir::typing;

/// `for i in 0..x.len() { x[i] = x[i] * 2.0 + 1.0; }`
fn scale(b: &mut Builder, x: ParamId, name: &str) {
    let i = b.name(name, Scalar::Usize);
    let (load_at, store_at) = (b.get(i), b.get(i));
    let value = b.load(x, &[load_at]);
    let two = b.float("2.0");
    let product = b.op(Op::Mul, &[value, two]);
    let one = b.float("1.0");
    let sum = b.op(Op::Add, &[product, one]);
    let store = b.store(x, &[store_at], sum);
    let len = b.len(x);
    b.loop_to(i, len, vec![store]);
}

#[test]
fn a_loop_is_a_parallel_task() {
    let mut b = Builder::new("scale");
    let x = b.array("x", Scalar::F32, 1, true);
    scale(&mut b, x, "i");
    expect(
        &b.typed().to_string(),
        "
        kernel scale(x: &mut NdArray<f32, 1>) -> () {
          construct 0 at 3:1:
            a0 is `x`, word 0
            task parallel {
              array a0: &mut NdArray<f32, 1>
              site s0: index a0
              site s1: index a0
              bounds {
                v0: usize = const 0
                v1: usize = extent a0 0
              }
              dim v2: usize in v0..v1
              body {
                v3: f32 = load a0[v2] !s0
                v4: f32 = const 2.0
                v5: f32 = mul v3 v4
                v6: f32 = const 1.0
                v7: f32 = add v5 v6
                store a0[v2] = v7 !s1
              }
            }
          run construct 0
          return ()
        }",
    );
}

#[test]
fn names_places_and_plain_bindings_are_in_no_task() {
    let mut first = Builder::new("first");
    let x = first.array("x", Scalar::F32, 1, true);
    scale(&mut first, x, "i");

    // Another name, more parameters, an unrelated value before it, the length bound to a name.
    let mut second = Builder::new("second");
    let k = second.value("k", scalar(Scalar::I32));
    let _ = second.array("unused", Scalar::I64, 3, false);
    let y = second.array("y", Scalar::F32, 1, true);
    let t = second.name("t", Scalar::I32);
    let (k1, k2) = (second.get(k), second.get(k));
    let square = second.op(Op::Mul, &[k1, k2]);
    second.serial(vec![let_(t, square)]);
    let n = second.name("n", Scalar::Usize);
    let len = second.len(y);
    second.bind(n, len);
    let j = second.name("j", Scalar::Usize);
    let (load_at, store_at) = (second.get(j), second.get(j));
    let value = second.load(y, &[load_at]);
    let two = second.float("2.0");
    let product = second.op(Op::Mul, &[value, two]);
    let one = second.float("1.0");
    let sum = second.op(Op::Add, &[product, one]);
    let store = second.store(y, &[store_at], sum);
    let hi = second.get(n);
    second.loop_to(j, hi, vec![store]);

    assert_eq!(first.tasks()[0], second.tasks()[1]);
    assert_eq!(canonical::encode(&first.tasks()[0]), canonical::encode(&second.tasks()[1]));
}

#[test]
fn values_of_serial_constructs_live_in_slots() {
    // let s = a * b + 1.0;  let mut c = 0.5;  for i in 0..x.len() { x[i] = s + c }  c = s;  return (c, a)
    let mut b = Builder::new("slots");
    let a = b.value("a", scalar(Scalar::F32));
    let f = b.value("b", scalar(Scalar::F32));
    let x = b.array("x", Scalar::F32, 1, true);
    let s = b.name("s", Scalar::F32);
    let (a1, b1) = (b.get(a), b.get(f));
    let product = b.op(Op::Mul, &[a1, b1]);
    let one = b.float("1.0");
    let sum = b.op(Op::Add, &[product, one]);
    b.serial(vec![let_(s, sum)]);
    let c = b.var("c", Scalar::F32);
    let half = b.float("0.5");
    b.bind(c, half);
    let i = b.name("i", Scalar::Usize);
    let (s1, c1, i1) = (b.get(s), b.get(c), b.get(i));
    let value = b.op(Op::Add, &[s1, c1]);
    let store = b.store(x, &[i1], value);
    let len = b.len(x);
    b.loop_to(i, len, vec![store]);
    let s2 = b.get(s);
    let assign = b.set(c, s2);
    b.serial(vec![Stmt::Expr(assign)]);
    let (c2, a2) = (b.get(c), b.get(a));
    let pair = b.e(ExprKind::Tuple(vec![c2, a2]));
    b.returns(pair, Type::Tuple(vec![scalar(Scalar::F32), scalar(Scalar::F32)]));
    expect(
        &b.typed().to_string(),
        "
        kernel slots(a: f32, b: f32, x: &mut NdArray<f32, 1>) -> (f32, f32) {
          slot 0: f32
          slot 1: f32
          construct 0 at 2:1:
            i0 is word 0
            i1 is word 1
            o0 is slot 0
            task serial {
              input i0: f32
              input i1: f32
              output o0: f32
              body {
                v0: f32 = input i0
                v1: f32 = input i1
                v2: f32 = mul v0 v1
                v3: f32 = const 1.0
                v4: f32 = add v2 v3
                output o0 = v4
              }
            }
          construct 1 at 3:1:
            a0 is `x`, word 2
            i0 is slot 0
            i1 is slot 1
            task parallel {
              array a0: &mut NdArray<f32, 1>
              input i0: f32
              input i1: f32
              site s0: index a0
              bounds {
                v0: usize = const 0
                v1: usize = extent a0 0
              }
              dim v2: usize in v0..v1
              body {
                v3: f32 = input i0
                v4: f32 = input i1
                v5: f32 = add v3 v4
                store a0[v2] = v5 !s0
              }
            }
          construct 2 at 2:1:
            i0 is slot 0
            o0 is slot 1
            task serial {
              input i0: f32
              output o0: f32
              local l0: f32
              body {
                v0: f32 = input i0
                set l0 = v0
                v1: f32 = get l0
                output o0 = v1
              }
            }
          run construct 0
          slot 1 = 0.5: f32
          run construct 1
          run construct 2
          return (slot 1, word 0)
        }",
    );
}

#[test]
fn a_reduction_has_a_prior_and_a_slot() {
    // let mut c = 0; for i in 0..x.len() { c += x[i]; } c
    let mut b = Builder::new("sum");
    let x = b.array("x", Scalar::I64, 1, false);
    let c = b.var("c", Scalar::I64);
    let zero = b.int(0);
    b.bind(c, zero);
    let i = b.name("i", Scalar::Usize);
    let i1 = b.get(i);
    let value = b.load(x, &[i1]);
    let update = b.reduce(ReduceOp::Add, c, value);
    let (lo, hi) = (b.int(0), b.len(x));
    let domain = b.range(lo, hi);
    b.parallel(domain, Pattern::Bind(i), &[c], vec![update]);
    let result = b.get(c);
    b.returns(result, scalar(Scalar::I64));
    expect(
        &b.typed().to_string(),
        "
        kernel sum(x: &NdArray<i64, 1>) -> i64 {
          slot 0: i64
          construct 0 at 3:1:
            a0 is `x`, word 0
            r0 is slot 0, from slot 0
            task parallel {
              array a0: &NdArray<i64, 1>
              reduction r0: add i64
              site s0: index a0
              bounds {
                v0: usize = const 0
                v1: usize = extent a0 0
              }
              dim v2: usize in v0..v1
              body {
                v3: i64 = load a0[v2] !s0
                reduce r0 v3
              }
            }
          slot 0 = 0: i64
          run construct 0
          return (slot 0)
        }",
    );
}

#[test]
fn a_scalar_from_outside_is_no_local() {
    // for i in 0..8 { m = m.max(x[i]) }
    let mut b = Builder::new("max");
    let x = b.array("x", Scalar::F32, 1, false);
    let m = b.var("m", Scalar::F32);
    let zero = b.float("0.0");
    b.bind(m, zero);
    let i = b.name("i", Scalar::Usize);
    let i1 = b.get(i);
    let value = b.load(x, &[i1]);
    let assign = b.reduce(ReduceOp::Max, m, value);
    let (lo, hi) = (b.int(0), b.int(8));
    let domain = b.range(lo, hi);
    b.parallel(domain, Pattern::Bind(i), &[m], vec![assign]);
    let task = &b.tasks()[0];
    assert!(task.to_string().contains("reduce r0 v3"), "{task}");
    assert!(task.locals.is_empty());
}

/// The constants of `let v: ty = init;` at top level.
fn constants_of(ty: Scalar, init: impl FnOnce(&mut Builder) -> E) -> Vec<(Scalar, u128)> {
    let mut b = Builder::new("literals");
    let init = init(&mut b);
    let v = b.name("v", ty);
    b.serial(vec![let_(v, init)]);
    constants(&b.tasks()[0]).into_iter().map(|Const { ty, bits }| (ty, bits)).collect()
}

#[test]
fn literals_take_the_type_rustc_gives_them() {
    use Scalar::*;
    assert_eq!(constants_of(U8, |b| b.int(7)), [(U8, 7)]);
    // The target of a cast, if of the literal's class and not behind an operator.
    assert_eq!(
        constants_of(U64, |b| {
            let v = b.int(3);
            b.cast(v, U64)
        }),
        [(U64, 3)]
    );
    assert_eq!(
        constants_of(F32, |b| {
            let v = b.int(3);
            b.cast(v, F32)
        }),
        [(I32, 3)]
    );
    assert_eq!(
        constants_of(F32, |b| {
            let v = b.float("1.5");
            b.cast(v, F32)
        }),
        [(F32, 0x3fc0_0000)]
    );
    assert_eq!(
        constants_of(I8, |b| {
            let v = b.float("1.5");
            b.cast(v, I8)
        }),
        [(F64, u128::from(1.5f64.to_bits()))]
    );
    assert_eq!(
        constants_of(I64, |b| {
            let v = b.int(3);
            let v = b.op(Op::Neg, &[v]);
            b.cast(v, I64)
        }),
        [(I64, 3)]
    );
    assert_eq!(
        constants_of(U64, |b| {
            let (v, w) = (b.int(3), b.int(4));
            let v = b.op(Op::Add, &[v, w]);
            b.cast(v, U64)
        }),
        [(I32, 3), (I32, 4)]
    );
    assert_eq!(
        constants_of(U8, |b| {
            let (c, v, w) = (b.e(ExprKind::Bool(true)), b.int(3), b.int(4));
            let otherwise = Some(b.e(ExprKind::Block(block(vec![], Some(w)))));
            let v = b.e(ExprKind::If { cond: c, then: block(vec![], Some(v)), otherwise });
            b.cast(v, U8)
        }),
        [(Bool, 1), (U8, 3), (U8, 4)]
    );
    // The other operand; amounts of shifts and operands of comparisons fall back.
    assert_eq!(
        constants_of(I16, |b| {
            let (v, w) = (b.int(3), b.int_of(4, I16));
            b.op(Op::Add, &[v, w])
        }),
        [(I16, 3), (I16, 4)]
    );
    assert_eq!(
        constants_of(U8, |b| {
            let (v, w) = (b.int(3), b.int(4));
            b.op(Op::Shl, &[v, w])
        }),
        [(U8, 3), (I32, 4)]
    );
    assert_eq!(
        constants_of(Bool, |b| {
            let (v, w) = (b.int(3), b.int(4));
            b.op(Op::Lt, &[v, w])
        }),
        [(I32, 3), (I32, 4)]
    );
    assert_eq!(
        constants_of(Bool, |b| {
            let (v, w) = (b.float("3."), b.float("4e0"));
            b.op(Op::Lt, &[v, w])
        }),
        [(F64, u128::from(3f64.to_bits())), (F64, u128::from(4f64.to_bits()))]
    );
    // A parameter of a method.
    assert_eq!(
        constants_of(F64, |b| {
            let v = b.e(ExprKind::Float { digits: "2".into(), suffix: Some(F64) });
            let w = b.int(3);
            b.op(Op::Powi, &[v, w])
        }),
        [(F64, u128::from(2f64.to_bits())), (I32, 3)]
    );
    // A tap.
    assert_eq!(
        constants_of(Bool, |b| {
            let (one, three) = (b.int(1), b.int(3));
            let shift = b.op(Op::Shl, &[one, three]);
            let tap = b.tap(scalar(U16));
            let left = b.e(ExprKind::Tapped { tap, value: shift });
            let right = b.int_of(8, U16);
            b.op(Op::Eq, &[left, right])
        }),
        [(U16, 1), (I32, 3), (U16, 8)]
    );
    // MIN is a negated literal that doesn't fit; an integer literal may be a float by its suffix.
    assert_eq!(
        constants_of(I8, |b| {
            let v = b.int(128);
            b.op(Op::Neg, &[v])
        }),
        [(I8, 128)]
    );
    assert_eq!(constants_of(F32, |b| b.int_of(1, F32)), [(F32, 0x3f80_0000)]);
}

#[test]
fn the_value_comes_before_the_place() {
    // for i in 0..8 { x[y[i]] /= y[0]; }
    let mut b = Builder::new("order");
    let x = b.array("x", Scalar::U32, 1, true);
    let y = b.array("y", Scalar::Usize, 1, false);
    let z = b.array("z", Scalar::U32, 1, false);
    let i = b.name("i", Scalar::Usize);
    let (i1, zero) = (b.get(i), b.int(0));
    let value = b.load(z, &[zero]);
    let at = b.load(y, &[i1]);
    let update = b.update(Op::Div, x, &[at], value);
    let hi = b.int(8);
    b.loop_to(i, hi, vec![update]);
    expect(
        &b.tasks()[0].to_string(),
        "
        task parallel {
          array a0: &NdArray<u32, 1>
          array a1: &NdArray<usize, 1>
          array a2: &mut NdArray<u32, 1>
          site s0: index a0
          site s1: index a1
          site s2: index a2
          site s3: div u32
          bounds {
            v0: usize = const 0
            v1: usize = const 8
          }
          dim v2: usize in v0..v1
          body {
            v3: usize = const 0
            v4: u32 = load a0[v3] !s0
            v5: usize = load a1[v2] !s1
            v6: u32 = load a2[v5] !s2
            v7: u32 = div v6 v4 !s3
            store a2[v5] = v7 !s2
          }
        }",
    );
}

#[test]
fn control_flow_keeps_its_order() {
    // for i in 0..n {
    //     if i == 3 && x[i] > 0 { continue; }
    //     let v = 'a: loop { if x[i] < 5 { break 7 } x[i] += 1; };
    //     while x[i] > v { x[i] -= 1; }
    // }
    let mut b = Builder::new("control");
    let n = b.value("n", scalar(Scalar::Usize));
    let x = b.array("x", Scalar::I32, 1, true);
    let i = b.name("i", Scalar::Usize);
    let lab = Label(1);
    let at = |b: &mut Builder| b.get(i);
    let (i1, three) = (at(&mut b), b.int(3));
    let first = b.op(Op::Eq, &[i1, three]);
    let i2 = at(&mut b);
    let (load, zero) = (b.load(x, &[i2]), b.int(0));
    let second = b.op(Op::Gt, &[load, zero]);
    let cond = b.e(ExprKind::LazyAnd(first, second));
    let next = b.e(ExprKind::Continue(lab));
    let skip = b.e(ExprKind::If { cond, then: block(vec![next], None), otherwise: None });
    let a = Label(7);
    let i3 = at(&mut b);
    let (load, five) = (b.load(x, &[i3]), b.int(5));
    let below = b.op(Op::Lt, &[load, five]);
    let seven = b.int(7);
    let leave = b.e(ExprKind::Break { label: a, value: Some(seven) });
    let leave = b.e(ExprKind::If { cond: below, then: block(vec![leave], None), otherwise: None });
    let (i4, one) = (at(&mut b), b.int(1));
    let grow = b.update(Op::Add, x, &[i4], one);
    let looped = b.e(ExprKind::Loop { label: a, body: block(vec![leave, grow], None), tap: None });
    let v = b.name("v", Scalar::I32);
    let w = Label(8);
    let i5 = at(&mut b);
    let (load, v1) = (b.load(x, &[i5]), b.get(v));
    let above = b.op(Op::Gt, &[load, v1]);
    let (i6, one) = (at(&mut b), b.int(1));
    let shrink = b.update(Op::Sub, x, &[i6], one);
    let whiled = b.e(ExprKind::While { label: w, cond: above, body: block(vec![shrink], None) });
    let (lo, hi) = (b.int(0), b.get(n));
    let domain = b.range(lo, hi);
    let body = Block { stmts: vec![Stmt::Expr(skip), let_(v, looped)], tail: Some(whiled) };
    let kind = ConstructKind::Parallel { domain, pattern: Pattern::Bind(i), label: lab, reductions: vec![], body };
    let id = b.sketch.constructs.push(Construct {
        pos: Default::default(),
        grain: None,
        block: None,
        apart: Vec::new(),
        kind,
    });
    b.sketch.plan.push(PlanNode::Construct(id));
    expect(
        &b.tasks()[0].to_string(),
        "
        task parallel {
          array a0: &mut NdArray<i32, 1>
          input i0: usize
          local l0: bool
          local l1: i32
          site s0: index a0
          site s1: index a0
          site s2: index a0
          site s3: index a0
          site s4: index a0
          bounds {
            v0: usize = const 0
            v1: usize = input i0
          }
          dim v2: usize in v0..v1
          body {
            v3: usize = const 3
            v4: bool = eq v2 v3
            set l0 = v4
            if v4 {
              v5: i32 = load a0[v2] !s0
              v6: i32 = const 0
              v7: bool = gt v5 v6
              set l0 = v7
            }
            v8: bool = get l0
            if v8 {
              end
            }
            loop L0 {
              v9: i32 = load a0[v2] !s1
              v10: i32 = const 5
              v11: bool = lt v9 v10
              if v11 {
                v12: i32 = const 7
                set l1 = v12
                break L0
              }
              v13: i32 = const 1
              v14: i32 = load a0[v2] !s2
              v15: i32 = add v14 v13
              store a0[v2] = v15 !s2
            }
            v16: i32 = get l1
            loop L1 {
              v17: i32 = load a0[v2] !s3
              v18: bool = gt v17 v16
              if v18 {
              } else {
                break L1
              }
              v19: i32 = const 1
              v20: i32 = load a0[v2] !s4
              v21: i32 = sub v20 v19
              store a0[v2] = v21 !s4
            }
          }
        }",
    );
}

#[test]
fn loops_over_several_dimensions_nest() {
    // for (i, j) in x.indices() { for (k, _) in ndrange([2, 1..3]) { if x[[i, j]] == 0.0 { break } x[[k, j]]; continue } }
    let mut b = Builder::new("nest");
    let x = b.array("x", Scalar::F64, 2, true);
    let (i, j) = (b.name("i", Scalar::Usize), b.name("j", Scalar::Usize));
    let k = b.name("k", Scalar::Usize);
    let inner = Label(9);
    let (i1, j1, zero) = (b.get(i), b.get(j), b.float("0.0"));
    let load = b.load(x, &[i1, j1]);
    let cond = b.op(Op::Eq, &[load, zero]);
    let leave = b.e(ExprKind::Break { label: inner, value: None });
    let check = b.e(ExprKind::If { cond, then: block(vec![leave], None), otherwise: None });
    let (k1, j2) = (b.get(k), b.get(j));
    let read = b.load(x, &[k1, j2]);
    let next = b.e(ExprKind::Continue(inner));
    let dead = b.load(x, &[k1, j2]);
    let (two, one, three) = (b.int(2), b.int(1), b.int(3));
    let nested = b.e(ExprKind::For {
        label: inner,
        pattern: Pattern::Tuple(vec![Pattern::Bind(k), Pattern::Wild]),
        domain: Box::new(Domain::Ndrange(vec![(None, two), (Some(one), three)])),
        unroll: Default::default(),
        body: block(vec![check, read, next, dead], None),
    });
    let pattern = Pattern::Tuple(vec![Pattern::Bind(i), Pattern::Bind(j)]);
    b.parallel(Domain::Indices(x), pattern, &[], vec![nested]);
    expect(
        &b.tasks()[0].to_string(),
        "
        task parallel {
          array a0: &mut NdArray<f64, 2>
          site s0: index a0
          site s1: index a0
          bounds {
            v0: usize = const 0
            v1: usize = extent a0 0
            v2: usize = const 0
            v3: usize = extent a0 1
          }
          dim v4: usize in v0..v1
          dim v5: usize in v2..v3
          body {
            v6: usize = const 0
            v7: usize = const 2
            v8: usize = const 1
            v9: usize = const 3
            for L0 v10: usize in v6..v7 {
              for L1 v11: usize in v8..v9 {
                v12: f64 = load a0[v4, v5] !s0
                v13: f64 = const 0.0
                v14: bool = eq v12 v13
                if v14 {
                  break L0
                }
                v15: f64 = load a0[v10, v5] !s1
                continue L1
              }
            }
          }
        }",
    );
}

#[test]
fn tuples_are_taken_apart() {
    // let mut p = (1u8, 2.0f32); p = (p.0 + 1, p.1); p.0 += 2; let (a, b) = p; return (a, b)
    let mut b = Builder::new("tuples");
    let pair = Type::Tuple(vec![scalar(Scalar::U8), scalar(Scalar::F32)]);
    let p = b.local_of("p", pair.clone(), true);
    let (one, two) = (b.int(1), b.float("2.0"));
    let init = b.e(ExprKind::Tuple(vec![one, two]));
    let (p0, p1) = (b.get(p), b.get(p));
    let (f0, f1) = (b.e(ExprKind::Field(p0, Member::Index(0))), b.e(ExprKind::Field(p1, Member::Index(1))));
    let one = b.int(1);
    let sum = b.op(Op::Add, &[f0, one]);
    let both = b.e(ExprKind::Tuple(vec![sum, f1]));
    let assign = b.set(p, both);
    let two = b.int(2);
    let update = b.e(ExprKind::AssignOp {
        op: Op::Add,
        place: Place::Part(p, vec![Projection::Field(Member::Index(0))]),
        value: two,
    });
    let (x, y) = (b.name("x", Scalar::U8), b.name("y", Scalar::F32));
    let p2 = b.get(p);
    let apart = Stmt::Let { pattern: Pattern::Tuple(vec![Pattern::Bind(x), Pattern::Bind(y)]), init: Some(p2) };
    b.serial(vec![let_(p, init), Stmt::Expr(assign), Stmt::Expr(update), apart]);
    let (x1, y1) = (b.get(x), b.get(y));
    let result = b.e(ExprKind::Tuple(vec![x1, y1]));
    b.returns(result, pair);
    expect(
        &b.tasks()[0].to_string(),
        "
        task serial {
          output o0: u8
          output o1: f32
          local l0: u8
          local l1: f32
          body {
            v0: u8 = const 1
            v1: f32 = const 2.0
            set l0 = v0
            set l1 = v1
            v2: u8 = get l0
            v3: u8 = const 1
            v4: u8 = add v2 v3
            v5: f32 = get l1
            set l0 = v4
            set l1 = v5
            v6: u8 = const 2
            v7: u8 = get l0
            v8: u8 = add v7 v6
            set l0 = v8
            v9: u8 = get l0
            v10: f32 = get l1
            output o0 = v9
            output o1 = v10
          }
        }",
    );
}

#[test]
fn a_slot_that_changes_is_copied_by_a_binding() {
    // let mut a = 1; let before = a; a = 2; return (before, a)
    let mut b = Builder::new("copy");
    let a = b.var("a", Scalar::I32);
    let one = b.int(1);
    b.bind(a, one);
    let before = b.name("before", Scalar::I32);
    let a1 = b.get(a);
    b.bind(before, a1);
    let two = b.int(2);
    let assign = b.set(a, two);
    b.serial(vec![Stmt::Expr(assign)]);
    let (b1, a2) = (b.get(before), b.get(a));
    let result = b.e(ExprKind::Tuple(vec![b1, a2]));
    b.returns(result, Type::Tuple(vec![scalar(Scalar::I32), scalar(Scalar::I32)]));
    let text = b.typed().to_string();
    for line in ["slot 0 = 1: i32", "slot 1 = slot 0", "return (slot 1, slot 0)"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn a_value_that_may_survive_is_read_on_entry() {
    // a is a slot; `if c { a = 2 }` needs its old value, `a = 2; a += 1` doesn't.
    let build = |conditional: bool| {
        let mut b = Builder::new("entry");
        let c = b.value("c", scalar(Scalar::Bool));
        let a = b.var("a", Scalar::I32);
        let one = b.int(1);
        b.bind(a, one);
        let two = b.int(2);
        let assign = b.set(a, two);
        let stmt = if conditional {
            let cond = b.get(c);
            b.e(ExprKind::If { cond, then: block(vec![assign], None), otherwise: None })
        } else {
            assign
        };
        b.serial(vec![Stmt::Expr(stmt)]);
        let result = b.get(a);
        b.returns(result, scalar(Scalar::I32));
        b.typed().constructs.values()[0].inputs.len()
    };
    assert_eq!(build(true), 2);
    assert_eq!(build(false), 0);
}

#[test]
fn atomics_and_casts_and_functions() {
    // for i in 0..8 { atomic::add(&mut h[x[i] as usize], 1); f32::from_bits(7) }
    let mut b = Builder::new("histogram");
    let h = b.array("h", Scalar::U32, 1, true);
    let x = b.array("x", Scalar::U8, 1, false);
    let i = b.name("i", Scalar::Usize);
    let i1 = b.get(i);
    let value = b.load(x, &[i1]);
    let bin = b.cast(value, Scalar::Usize);
    let one = b.int(1);
    let add = b.e(ExprKind::Atomic { op: AtomicOp::Add, array: h, index: vec![bin], path: vec![], value: one });
    let seven = b.int(7);
    let bits = b.e(ExprKind::Function { ty: TypeName::Scalar(Scalar::F32), op: Op::FromBits, args: vec![seven] });
    let hi = b.int(8);
    b.loop_to(i, hi, vec![add, bits]);
    let text = b.tasks()[0].to_string();
    for line in [
        "v4: usize = cast v3",
        "check a1[v4] !s1",
        "v5: u32 = const 1",
        "v6: u32 = atomic add a1[v4] v5\n",
        "v7: u32 = const 7",
        "v8: f32 = from_bits v7",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn a_disagreement_with_rustc_is_reported() {
    let mut b = Builder::new("wrong");
    let x = b.array("x", Scalar::F32, 1, false);
    let i = b.name("i", Scalar::Usize);
    let v = b.name("v", Scalar::F64);
    let i1 = b.get(i);
    let load = b.load(x, &[i1]);
    let pos = b.sketch.exprs[load].pos;
    let bound = b.e(ExprKind::Block(Block { stmts: vec![let_(v, load)], tail: None }));
    let hi = b.int(8);
    b.loop_to(i, hi, vec![bound]);
    let error = typing::kernel(&b.sketch, &b.types, typing::Overflow::Wraps).expect_err("the types differ");
    assert_eq!((error.kernel.as_str(), error.pos), ("wrong", pos));
    assert_eq!(error.message, "rustc's type is f64, qd's is f32");
}

#[test]
fn a_store_to_a_shared_array_is_reported() {
    let mut b = Builder::new("shared");
    let x = b.array("x", Scalar::F32, 1, false);
    scale(&mut b, x, "i");
    let error = typing::kernel(&b.sketch, &b.types, typing::Overflow::Wraps).expect_err("the array isn't mutable");
    assert!(error.to_string().contains("a store to &NdArray<f32, 1>"), "{error}");
}

#[test]
fn a_value_may_come_later_than_its_name() {
    // let v; if c { v = 1; for .. } else { v = 2; for .. }   and the declaration never gets into a construct
    let mut b = Builder::new("later");
    let c = b.value("c", scalar(Scalar::Bool));
    let x = b.array("x", Scalar::I32, 1, true);
    let v = b.var("v", Scalar::I32);
    let branch = |value: u128, b: &mut Builder| {
        let from = b.sketch.plan.len();
        let value = b.int(value);
        let assign = b.set(v, value);
        b.serial(vec![Stmt::Expr(assign)]);
        let i = b.name("i", Scalar::Usize);
        let (i1, v1, hi) = (b.get(i), b.get(v), b.int(8));
        let store = b.store(x, &[i1], v1);
        b.loop_to(i, hi, vec![store]);
        b.sketch.plan.split_off(from)
    };
    let (then, otherwise) = (branch(1, &mut b), branch(2, &mut b));
    let cond = b.get(c);
    b.sketch.plan.push(PlanNode::If { cond, then, otherwise });
    let result = b.get(v);
    b.returns(result, scalar(Scalar::I32));
    let kernel = b.typed();
    let constructs = kernel.constructs.values();
    assert_eq!(kernel.slots.len(), 1);
    assert_eq!(constructs[0].outputs, constructs[2].outputs);
    assert_eq!(constructs[0].inputs, []);
    assert_eq!(constructs[1].inputs, [Source::Slot(constructs[0].outputs[0])]);
    assert_eq!(constructs[1].task, constructs[3].task);
    let text = kernel.to_string();
    assert!(text.ends_with("  return (slot 0)\n}\n"), "{text}");
}
