//! Calls are inlined, and nothing of a function but what it does is in the tasks that call it.
mod common;

use std::sync::Arc;

use common::*;
use qd_ir::op::Op;
use qd_ir::sketch::*;
use qd_ir::source_map::{Origin, Pos, Spot};
use qd_ir::task::Task;
use qd_ir::types::{Scalar, Type};
use qd_ir::{canonical, typing};

const FILE: &str = "src/functions.rs";

fn callee(func: Builder, body: Block, result: Type) -> Arc<Callee> {
    let func_types = Types { result: Some(result), ..func.types };
    let func = Func { code: func.sketch, body };
    assert_eq!(Func::decode(&func.encode()).as_ref(), Ok(&func));
    Arc::new(Callee { file: FILE.into(), tracked: false, func, types: func_types })
}

/// `fn name(v: f32) -> f32 { if v < 0.0 { return 1.0; } v * factor }`, perhaps without the `if`.
fn scaled(name: &str, factor: &str, early: bool) -> Arc<Callee> {
    let mut f = Builder::new(name);
    let v = f.value("v", scalar(Scalar::F32));
    let mut stmts = Vec::new();
    if early {
        let (left, zero, one) = (f.get(v), f.float("0.0"), f.float("1.0"));
        let cond = f.op(Op::Lt, &[left, zero]);
        let leave = f.e(ExprKind::Return(Some(one)));
        stmts.push(f.e(ExprKind::If { cond, then: block(vec![leave], None), otherwise: None }));
    }
    let (left, right) = (f.get(v), f.float(factor));
    let product = f.op(Op::Mul, &[left, right]);
    callee(f, block(stmts, Some(product)), scalar(Scalar::F32))
}

/// `for i in 0..x.len() { x[i] = f(x[i]); }`
fn over(f: Arc<Callee>) -> Builder {
    let mut b = Builder::new("k");
    b.types.callees.push(Some(f));
    let x = b.array("x", Scalar::F32, 1, true);
    let i = b.name("i", Scalar::Usize);
    let (load_at, store_at) = (b.get(i), b.get(i));
    let value = b.load(x, &[load_at]);
    let value = b.e(ExprKind::Call { callee: CalleeId(0), args: vec![Arg::Value(value)] });
    let store = b.store(x, &[store_at], value);
    let len = b.len(x);
    b.loop_to(i, len, vec![store]);
    b
}

fn task(f: Arc<Callee>) -> Task {
    over(f).tasks().remove(0)
}

#[test]
fn a_call_is_what_the_function_does() {
    let mut direct = Builder::new("k");
    let x = direct.array("x", Scalar::F32, 1, true);
    let i = direct.name("i", Scalar::Usize);
    let (load_at, store_at) = (direct.get(i), direct.get(i));
    let value = direct.load(x, &[load_at]);
    let factor = direct.float("2.0");
    let product = direct.op(Op::Mul, &[value, factor]);
    let store = direct.store(x, &[store_at], product);
    let len = direct.len(x);
    direct.loop_to(i, len, vec![store]);
    assert_eq!(task(scaled("double", "2.0", false)), direct.tasks()[0]);
}

#[test]
fn names_of_functions_are_in_no_task_and_their_code_is() {
    let key = |f| canonical::encode(&task(f));
    let base = key(scaled("f", "2.0", true));
    assert_eq!(key(scaled("g", "2.0", true)), base);
    assert_ne!(key(scaled("f", "3.0", true)), base);
    assert_ne!(key(scaled("f", "2.0", false)), base);
}

#[test]
fn a_return_leaves_a_loop_that_runs_once() {
    let text = task(scaled("f", "2.0", true)).to_string();
    assert_eq!(text.matches("loop L0").count(), 1, "{text}");
    assert_eq!(text.matches("break L0").count(), 2, "{text}");
}

/// `fn inner(x: &[i32], i: usize) -> i32 { x[i] }`, `fn outer(a: &mut i32, x: &[i32]) { *a = *a / inner(x, 3); }`
#[test]
fn faults_keep_the_place_of_the_function_they_are_in() {
    let slice = Type::array(Scalar::I32, 1, false);
    let reference = |f: &mut Builder, name: &str, ty: Type, assigned: bool| {
        let local = f.sketch.locals.push(Local { name: name.into(), pos: Pos::default(), assigned, tap: None });
        f.sketch.params.push(Param { name: name.into(), pos: Pos::default(), kind: ParamKind::Reference(local) });
        f.types.params.push(ty);
        local
    };
    let mut f = Builder::new("inner");
    reference(&mut f, "x", slice.clone(), false);
    let i = f.value("i", scalar(Scalar::Usize));
    let at = f.get(i);
    let load = f.load(ParamId(0), &[at]);
    let load_pos = f.sketch.exprs[load].pos;
    let inner = callee(f, block(vec![], Some(load)), scalar(Scalar::I32));

    let mut f = Builder::new("outer");
    let a = reference(&mut f, "a", scalar(Scalar::I32), true);
    reference(&mut f, "x", slice, false);
    f.types.callees.push(Some(inner));
    let (old, three) = (f.get(a), f.int(3));
    let args = vec![Arg::Reference { param: ParamId(1), shared: true }, Arg::Value(three)];
    let divisor = f.e(ExprKind::Call { callee: CalleeId(0), args });
    let quotient = f.op(Op::Div, &[old, divisor]);
    let div_pos = f.sketch.exprs[quotient].pos;
    let set = f.set(a, quotient);
    let outer = callee(f, block(vec![set], None), Type::UNIT);

    let mut b = Builder::new("k");
    b.types.callees.push(Some(outer));
    let x = b.array("x", Scalar::I32, 1, true);
    let y = b.array("y", Scalar::I32, 1, false);
    let i = b.name("i", Scalar::Usize);
    let at = b.get(i);
    let place = Place::Element { array: x, index: vec![at], path: vec![] };
    let args = vec![Arg::Place(place), Arg::Reference { param: y, shared: true }];
    let call = b.e(ExprKind::Call { callee: CalleeId(0), args });
    let call_pos = b.sketch.exprs[call].pos;
    let len = b.len(x);
    b.loop_to(i, len, vec![call]);

    let kernel = b.typed();
    let spot = |pos, name: Option<&str>| Spot {
        pos,
        func: name.map(|name| Arc::new(Origin { name: name.into(), file: FILE.into() })),
    };
    let sites = &kernel.constructs.values()[0].sites;
    assert_eq!(sites, &[spot(call_pos, None), spot(load_pos, Some("inner")), spot(div_pos, Some("outer"))]);
}

#[test]
fn a_call_that_fits_no_signature_is_a_defect() {
    let mut b = over(scaled("f", "2.0", false));
    b.types.callees.clear();
    assert!(
        typing::kernel(&b.sketch, &b.types, typing::Overflow::Wraps)
            .unwrap_err()
            .to_string()
            .contains("no function for call 0")
    );
    let mut b = over(scaled("f", "2.0", false));
    b.sketch.exprs = b.sketch.exprs.values().iter().cloned().map(without_arguments).collect();
    assert!(
        typing::kernel(&b.sketch, &b.types, typing::Overflow::Wraps)
            .unwrap_err()
            .to_string()
            .contains("with 0 arguments")
    );
}

fn without_arguments(expr: Expr) -> Expr {
    match expr.kind {
        ExprKind::Call { callee, .. } => Expr { kind: ExprKind::Call { callee, args: vec![] }, ..expr },
        _ => expr,
    }
}
