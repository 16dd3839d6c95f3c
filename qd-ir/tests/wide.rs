//! 128-bit integers: words of parameters and slots, loops that count in a variable, sources of two words.
mod common;

use common::*;
use qd_ir::arena::Id;
use qd_ir::canonical::encode;
use qd_ir::op::Op;
use qd_ir::plan::{PlanNode, Source};
use qd_ir::sketch::{ExprKind, Pattern, Stmt};
use qd_ir::text::parse;
use qd_ir::types::Scalar;
use qd_ir::verify;

#[test]
fn wide_integers_take_two_words_and_their_loops_count_in_a_variable() {
    // fn wide(n: u128, k: u8, x: &mut [u128]) { let mut s = n; s += 1; for i in 0..k { for j in n..s { x[i] = j } } }
    let mut b = Builder::new("wide");
    let n = b.value("n", scalar(Scalar::U128));
    let k = b.value("k", scalar(Scalar::U8));
    let x = b.array("x", Scalar::U128, 1, true);
    let s = b.var("s", Scalar::U128);
    let (n1, one) = (b.get(n), b.int(1));
    let add = b.set_op(Op::Add, s, one);
    b.serial(vec![let_(s, n1), Stmt::Expr(add)]);
    let (i, j) = (b.name("i", Scalar::U8), b.name("j", Scalar::U128));
    let (i1, j1, lo, hi) = (b.get(i), b.get(j), b.get(n), b.get(s));
    let at = b.cast(i1, Scalar::Usize);
    let store = b.store(x, &[at], j1);
    let domain = Box::new(b.range(lo, hi));
    let (label, body) = (b.label(), block(vec![store], None));
    let inner = b.e(ExprKind::For { label, pattern: Pattern::Bind(j), domain, unroll: Default::default(), body });
    let hi = b.get(k);
    b.loop_to(i, hi, vec![inner]);
    let kernel = b.typed();
    assert_eq!(kernel.params.iter().map(|param| param.word).collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!(kernel.slot_words(), 2);
    assert_eq!(kernel.constructs[Id::new(0)].inputs, [Source::Word(0)]);
    assert_eq!(kernel.constructs[Id::new(1)].inputs, [Source::Word(2), Source::Word(0), Source::Slot(Id::new(0))]);
    let text = kernel.constructs[Id::new(1)].task.to_string();
    let inside = text.split("body {").nth(1).unwrap();
    expect(
        inside,
        "
            v3: u128 = input i1
            v4: u128 = input i2
            set l0 = v3
            loop L0 {
              v5: u128 = get l0
              v7: bool = lt v5 v4
              if v7 {
              } else {
                break L0
              }
              v8: u128 = const 1
              v9: u128 = add v5 v8
              set l0 = v9
              v6: usize = cast v2
              store a0[v6] = v5 !s0
            }
          }
        }",
    );
}

/// The second word of a wide scalar is no scalar of its own.
#[test]
fn a_source_begins_with_the_first_word() {
    let mut b = Builder::new("k");
    let n = b.value("n", scalar(Scalar::U128));
    let result = b.get(n);
    b.returns(result, scalar(Scalar::U128));
    let mut kernel = b.typed();
    kernel.plan = PlanNode::Return(vec![Source::Word(0)]);
    assert_eq!(verify::kernel(&kernel), Ok(()));
    kernel.plan = PlanNode::Return(vec![Source::Word(1)]);
    assert!(verify::kernel(&kernel).expect_err("the high word")[0].message.contains("word 1 isn't u128"));
}

/// Of wide constants every byte, of others eight: the bytes that keys are made of stay as they are.
#[test]
fn wide_constants_take_sixteen_bytes() {
    let text = "task serial { output o0: u128 output o1: i128 body {
        v0: u128 = const 18446744073709551618 output o0 = v0 v1: i128 = const -2 output o1 = v1 } }";
    let task = parse(text).unwrap();
    let hex: String = encode(&task).iter().map(|byte| format!("{byte:02x}")).collect();
    let minus_two = format!("fe{}", "ff".repeat(15));
    let golden = format!(
        "02 00 00 02 0e 0d 02 0e 0d 00 00 00 04 00 00 0e 0200000000000000 0100000000000000 0a 00 00 00 01 0d {minus_two} \
         0a 01 01"
    );
    assert_eq!(hex, golden.replace(' ', ""));
}
