//! Structs and fixed arrays in sketches: what they are taken apart into, and what of them gets into a key.
mod common;

use common::*;
use qd_ir::canonical::encode;
use qd_ir::op::Op;
use qd_ir::refusal::Refusal;
use qd_ir::sketch::*;
use qd_ir::task::Task;
use qd_ir::types::{ArrayType, Element, Field, Scalar, Type};

/// `struct Name { x: f32, hits: [u32; 4] }` with its scalars at these bytes, its fields so named.
fn element(names: [&str; 2], offsets: [u32; 5], swapped: bool) -> (Type, Element) {
    let mut fields = vec![(names[0], scalar(Scalar::F32)), (names[1], Type::Fixed(Box::new(scalar(Scalar::U32)), 4))];
    let mut scalars: Vec<Field> =
        (0..5).map(|k| Field { ty: if k == 0 { Scalar::F32 } else { Scalar::U32 }, offset: offsets[k] }).collect();
    if swapped {
        fields.reverse();
        scalars.rotate_left(1);
    }
    (Type::structure("Name", fields), Element { size: 20, align: 4, fields: scalars })
}

/// `for i in 0..x.len() { x[i].hits[k] += 1; x[i].x = x[i].x * 2.0; }`
fn update((ty, memory): (Type, Element), names: [&str; 2]) -> Task {
    let mut b = Builder::new("update");
    let array = ArrayType { element: memory, rank: 1, mutable: true };
    b.sketch.params.push(Param { name: "x".into(), pos: Default::default(), kind: ParamKind::Array });
    b.types.params.push(Type::Array { array, element: Box::new(ty) });
    let x = ParamId(0);
    let k = b.value("k", scalar(Scalar::Usize));
    let i = b.name("i", Scalar::Usize);
    let field = |name: &str| Projection::Field(Member::Name(name.into()));
    let index = b.get(i);
    let at = b.get(k);
    let one = b.int(1);
    let path = vec![field(names[1]), Projection::Index(at)];
    let hit = b.e(ExprKind::AssignOp {
        op: Op::Add,
        place: Place::Element { array: x, index: vec![index], path },
        value: one,
    });
    let loaded = b.load(x, &[index]);
    let old = b.e(ExprKind::Field(loaded, Member::Name(names[0].into())));
    let two = b.float("2.0");
    let value = b.op(Op::Mul, &[old, two]);
    let place = Place::Element { array: x, index: vec![index], path: vec![field(names[0])] };
    let set = b.e(ExprKind::Assign { place, value });
    let n = b.len(x);
    b.loop_to(i, n, vec![hit, set]);
    b.tasks().remove(0)
}

const NAMES: [&str; 2] = ["x", "hits"];
const OFFSETS: [u32; 5] = [0, 4, 8, 12, 16];

#[test]
fn only_the_scalars_that_are_named_are_accessed() {
    expect(
        &update(element(NAMES, OFFSETS, false), NAMES).to_string(),
        "
        task parallel {
          array a0: &mut NdArray<[20 align 4: f32 at 0, u32 at 4, u32 at 8, u32 at 12, u32 at 16], 1>
          input i0: usize
          site s0: index a0
          site s1: step
          site s2: index a0
          site s3: index a0
          bounds {
            v0: usize = const 0
            v1: usize = extent a0 0
          }
          dim v2: usize in v0..v1
          body {
            v3: u32 = const 1
            check a0[v2] !s0
            v4: usize = input i0
            check v4 of 4 !s1
            v5: u32 = load a0[v2].1[v4 of 4 by 1]
            v6: u32 = add v5 v3
            store a0[v2].1[v4 of 4 by 1] = v6
            v7: f32 = load a0[v2] !s2
            v8: f32 = const 2.0
            v9: f32 = mul v7 v8
            store a0[v2] = v9 !s3
          }
        }",
    );
}

#[test]
fn order_and_place_of_fields_change_the_bytes_and_names_do_not() {
    let base = encode(&update(element(NAMES, OFFSETS, false), NAMES));
    let renamed = ["y", "counts"];
    assert_eq!(encode(&update(element(renamed, OFFSETS, false), renamed)), base);
    let moved = [16, 0, 4, 8, 12];
    assert_ne!(encode(&update(element(NAMES, moved, false), NAMES)), base);
    assert_ne!(encode(&update(element(NAMES, OFFSETS, true), NAMES)), base);
    let (ty, mut memory) = element(NAMES, OFFSETS, false);
    memory.size = 24;
    assert_ne!(encode(&update((ty, memory), NAMES)), base);
}

#[test]
fn a_variable_that_is_indexed_at_run_time_is_a_list_for_each_scalar() {
    // `let mut t = [(0.5, [1, 2]), ..]; t[k].1[k] = 7; out = t[0].0;`
    let mut b = Builder::new("list");
    let x = b.array("x", Scalar::F32, 1, true);
    let k = b.value("k", scalar(Scalar::Usize));
    let pair = Type::Tuple(vec![scalar(Scalar::F32), Type::Fixed(Box::new(scalar(Scalar::I32)), 2)]);
    let all = Type::Fixed(Box::new(pair), 3);
    let t = b.local_of("t", all.clone(), true);
    let tap = b.tap(all);
    let inner = b.tap(Type::Fixed(Box::new(scalar(Scalar::I32)), 2));
    let (half, one, two) = (b.float("0.5"), b.int(1), b.int(2));
    let list = b.e(ExprKind::Fixed { tap: inner, elements: vec![one, two] });
    let value = b.e(ExprKind::Tuple(vec![half, list]));
    let init = b.e(ExprKind::Repeat { tap, value });
    let (k0, k1, seven) = (b.get(k), b.get(k), b.int(7));
    let path = vec![Projection::Index(k0), Projection::Field(Member::Index(1)), Projection::Index(k1)];
    let set = b.e(ExprKind::Assign { place: Place::Part(t, path), value: seven });
    let zero = b.int(0);
    let whole = b.get(t);
    let first = b.e(ExprKind::Index(whole, zero));
    let part = b.e(ExprKind::Field(first, Member::Index(0)));
    let zero = b.int(0);
    let store = b.store(x, &[zero], part);
    b.serial(vec![let_(t, init), Stmt::Expr(set), Stmt::Expr(store)]);
    expect(
        &b.tasks()[0].to_string(),
        "
        task serial {
          array a0: &mut NdArray<f32, 1>
          input i0: usize
          local l0: f32 x 3
          local l1: i32 x 6
          site s0: step
          site s1: step
          site s2: index a0
          body {
            v0: f32 = const 0.5
            v1: i32 = const 1
            v2: i32 = const 2
            set l0.0 = v0
            set l1.0 = v1
            set l1.1 = v2
            set l0.1 = v0
            set l1.2 = v1
            set l1.3 = v2
            set l0.2 = v0
            set l1.4 = v1
            set l1.5 = v2
            v3: i32 = const 7
            v4: usize = input i0
            check v4 of 3 !s0
            v5: usize = input i0
            check v5 of 2 !s1
            set l1.0[v4 of 3 by 2][v5 of 2 by 1] = v3
            v6: f32 = get l0.0
            v7: usize = const 0
            store a0[v7] = v6 !s2
          }
        }",
    );
}

#[test]
fn what_only_the_types_show_to_be_no_kernel_is_no_defect() {
    let mut b = Builder::new("sum");
    let point = || Type::structure("Point", vec![("x", scalar(Scalar::F32))]);
    let (p, q) = (b.value("p", point()), b.value("q", point()));
    let x = b.array("x", Scalar::F32, 1, true);
    let (left, right) = (b.get(p), b.get(q));
    let sum = b.op(Op::Add, &[left, right]);
    let part = b.e(ExprKind::Field(sum, Member::Name("x".into())));
    let zero = b.int(0);
    let store = b.store(x, &[zero], part);
    b.serial(vec![Stmt::Expr(store)]);
    let error = qd_ir::typing::kernel(&b.sketch, &b.types, qd_ir::typing::Overflow::Wraps).unwrap_err();
    assert!(
        error.refusal == Some(Refusal::Scalars) && error.message.contains("`add` of values of type `Point`"),
        "{error}"
    );
}
