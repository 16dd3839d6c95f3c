//! `f16` and `bf16`: their codes, and the text form of each of their values.
use qd_ir::body::Stmt;
use qd_ir::canonical::encode;
use qd_ir::task::{Task, TaskKind};
use qd_ir::text::parse;
use qd_ir::types::{Const, Scalar};
use qd_ir::verify;

/// The code of a type is its position.
#[test]
fn the_codes_of_scalars_never_move() {
    let code = |ty: Scalar| {
        let task = parse(&format!("task serial {{ input i0: {ty} body {{ v0: {ty} = input i0 }} }}")).unwrap();
        encode(&task)[3]
    };
    assert_eq!(Scalar::ALL.map(code), std::array::from_fn(|position| position as u8));
    assert_eq!([Scalar::F64, Scalar::U128, Scalar::F16, Scalar::Bf16].map(code), [12, 14, 15, 16]);
}

#[test]
fn every_constant_can_be_read_back() {
    for ty in [Scalar::F16, Scalar::Bf16] {
        let mut task = Task::new(TaskKind::Serial);
        for bits in 0..=0xffff {
            let dst = task.value(ty);
            task.body.0.push(Stmt::Const { dst, value: Const { ty, bits } });
        }
        assert_eq!(verify::task(&task), Ok(()));
        assert_eq!(parse(&task.to_string()), Ok(task));
    }
}

/// The width of the operand doesn't tell which of both it is.
#[test]
fn the_instruction_says_what_bits_become() {
    let text = "task serial { body { v0: u16 = const 15360 v1: f16 = from_bits v0 v2: bf16 = from_bits v0
                v3: f64 = const 0.5 v4: f16 = from_f64 v3 v5: bf16 = from_f64 v3 v6: bf16 = cast v4 } }";
    let task = parse(text).unwrap();
    assert_eq!(verify::task(&task), Ok(()));
    assert_eq!(parse(&task.to_string()), Ok(task));
}
