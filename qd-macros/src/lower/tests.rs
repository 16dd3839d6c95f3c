//! Lowering, through the function that the macro calls.
use std::collections::BTreeSet;

use qd_ir::op::{Op, ReduceOp};
use qd_ir::sketch::{ConstructKind, Contribution, ExprKind, Place, PlanNode};
use quote::{ToTokens, quote};

use super::{Lowered, function};
use crate::diagnostic::{Code, Diagnostics};

fn try_lower(text: &str) -> (Lowered, Vec<(Code, String)>) {
    let mut item: syn::ItemFn = syn::parse_str(text).unwrap();
    let mut diagnostics = Diagnostics::default();
    let lowered = function(&mut item, &quote!(::qd::__private), &BTreeSet::new(), &mut diagnostics);
    let found = diagnostics.list().iter().map(|d| {
        let start = d.reach.start.start();
        (d.code, format!("{}:{}", start.line, start.column + 1))
    });
    let found = found.collect();
    (lowered, found)
}

fn lower(text: &str) -> Lowered {
    let (lowered, found) = try_lower(text);
    assert_eq!(found, [], "{text}");
    lowered
}

/// The plan in a line: `B`ind, `S`erial, `P`arallel, `R`eturn, `L[..]`, `F[..]` steps, `I[..|..]`,
/// `x` break, `c` continue (more of them leave more loops).
fn plan(text: &str) -> String {
    let lowered = lower(text);
    let mut out = String::new();
    print(&lowered, &lowered.sketch.plan, &mut out);
    out
}

fn print(lowered: &Lowered, nodes: &[PlanNode], out: &mut String) {
    for node in nodes {
        match node {
            PlanNode::Bind { .. } => out.push('B'),
            PlanNode::Construct(id) => out.push(match lowered.sketch.constructs[*id].kind {
                ConstructKind::Serial(_) => 'S',
                ConstructKind::Parallel { .. } => 'P',
            }),
            PlanNode::Loop(body) => {
                out.push_str("L[");
                print(lowered, body, out);
                out.push(']');
            }
            PlanNode::If { cond: _, then, otherwise } => {
                out.push_str("I[");
                print(lowered, then, out);
                out.push('|');
                print(lowered, otherwise, out);
                out.push(']');
            }
            PlanNode::Steps { body, .. } => {
                out.push_str("F[");
                print(lowered, body, out);
                out.push(']');
            }
            PlanNode::Break(levels) => out.push_str(&"x".repeat(1 + *levels as usize)),
            PlanNode::Continue(levels) => out.push_str(&"c".repeat(1 + *levels as usize)),
            PlanNode::Return(_) => out.push('R'),
        }
    }
}

const LOOP: &str = "for i in 0..x.len() { x[i] += 1.0; }";

#[test]
fn plain_bindings_and_results_are_no_constructs() {
    let body = |body: &str| plan(&format!("fn k(x: &mut [f32], a: f32, b: f32) -> f32 {{ {body} }}"));
    assert_eq!(body(&format!("{LOOP} {LOOP} a")), "PPR");
    assert_eq!(body("let n = x.len(); for i in 0..n { x[i] = 1.0; } a"), "BPR");
    assert_eq!(body(&format!("let s = a * b + 1.0; {LOOP} s")), "SPR");
    assert_eq!(body("let mut c = 0.0; for i in 0..x.len() { c += x[i]; } c"), "BPR");
    assert_eq!(body("let mut c = 0.0; for i in 0..x.len() { c += x[i]; } c / 2.0"), "BPSR");
    assert_eq!(body(&format!("let mut s = 1.0; {LOOP} s = 2.0; {LOOP} s")), "BPSPR");
    assert_eq!(body("let t = (1, -2.0, x.len()); let u = t.1; u"), "BBR");
    assert_eq!(body("let mut s = 1.0; let t = s; s = 2.0; t + s"), "BSR");
    assert_eq!(body("return a;"), "R");
}

#[test]
fn a_run_of_statements_is_one_construct_wherever_plain_bindings_stand() {
    let text =
        "fn k(x: &mut [f32]) { let mut a = 1.0; a += 1.0; let n = x.len(); x[n - 1] = a; while a < 9.0 { a *= 2.0 } }";
    assert_eq!(plan(text), "BBS");
}

#[test]
fn control_flow_round_parallel_loops_is_in_the_plan() {
    let text = format!(
        "fn k(x: &mut [f32], n: u32) -> f32 {{
            if n == 0 {{ return 0.0; }}
            let mut a = 0;
            while a < n {{ {LOOP} a += 1; if a == 7 {{ break; }} if a == 3 {{ continue; }} {LOOP} }}
            if n > 3 {{ {LOOP} 1.0 }} else {{ 2.0 }}
        }}"
    );
    assert_eq!(plan(&text), "SI[R|]BL[SI[PSI[x|]SI[c|]P|x]]SI[PR|R]");
    assert_eq!(plan("fn k(n: u32) { let mut a = 0; while a < n { a += 1; } loop { break; } }"), "BS");
}

#[test]
fn marked_loops_are_steps_of_the_plan_or_statements() {
    let text = format!(
        "fn k(x: &mut [f32], n: u32) {{
            #[qd::steps] 'a: for s in 0..n {{
                {LOOP}
                #[qd::steps] for t in (0..=s).rev() {{ if t == 3 {{ break 'a; }} if t == 2 {{ continue 'a; }} {LOOP} }}
                if s == 5 {{ return; }}
            }}
        }}"
    );
    assert_eq!(plan(&text), "F[PF[SI[xx|]SI[cc|]P]SI[R|]]");
    let nest = "#[qd::serial] for i in 0..n { for j in 0..i { if j == 3 { break; } x[0] += 1.0; } }";
    assert_eq!(plan(&format!("fn k(x: &mut [f32], n: u32) {{ let mut a = 1; a += 1; {nest} {LOOP} {nest} }}")), "BSPS");
    // Bounds that are plain are no constructs, others one before the loop.
    assert_eq!(
        plan(&format!("fn k(x: &mut [f32], n: u32) {{ #[qd::steps] for s in 1..=x.len() {{ {LOOP} }} }}")),
        "F[P]"
    );
    let computed = format!("fn k(x: &mut [f32], n: u32) {{ #[qd::steps] for s in 1..n * 2 {{ {LOOP} }} }}");
    assert_eq!(plan(&computed), "SF[P]");
}

#[test]
fn matches_are_in_the_plan_where_they_hold_parallel_loops() {
    let text = format!(
        "fn k(x: &mut [f32], n: u32) -> f32 {{
            match n {{ 0 => return 1.0, 1 | 2 => {{ {LOOP} }} m if m > 7 => {{ {LOOP} {LOOP} }} _ => {{}} }}
            let 3.. = n else {{ return 2.0; }};
            let v = match n {{ 4 => 1.0, m @ 5..=9 => m as f32, _ => 2.0 }};
            v
        }}"
    );
    assert_eq!(plan(&text), "BSI[R|SI[P|SI[BPP|]]]BSI[|R]SR");
}

#[test]
fn grains_are_the_construct_s() {
    let lowered = lower(&format!("fn k(x: &mut [f32]) {{ #[qd::grain(64)] #[qd::block(128)] {LOOP} {LOOP} }}"));
    let grains: Vec<_> = lowered.sketch.constructs.values().iter().map(|c| c.grain).collect();
    assert_eq!(grains, [Some(64), None]);
    assert!(!lowered.copy.to_token_stream().to_string().contains("grain"));
}

#[test]
fn reductions_are_found_with_their_operation() {
    let lowered = lower(
        "fn k(x: &[f32]) -> (f32, f32, f32, bool) {
            let (mut s, mut lo, mut hi, mut any) = (0.0, f32::MAX, f32::MIN, false);
            for i in 0..x.len() { s += x[i]; lo = lo.min(x[i]); hi = f32::max(hi, x[i]); any |= x[i] > 1.0; }
            (s, lo, hi, any)
        }",
    );
    let ConstructKind::Parallel { reductions, .. } = &lowered.sketch.constructs.values()[0].kind else { panic!() };
    let names: Vec<_> = reductions.iter().map(|local| lowered.sketch.locals[*local].name.as_str()).collect();
    assert_eq!(names, ["s", "lo", "hi", "any"]);
    let each = lowered.sketch.exprs.values().iter().filter_map(|expr| match &expr.kind {
        ExprKind::Contribute { what, .. } => match what.as_ref() {
            Contribution::Each { op, place: Place::Local(local), .. } => Some((*local, *op)),
            Contribution::Each { .. } | Contribution::Extreme { .. } => None,
        },
        _ => None,
    });
    let found: Vec<_> = each.map(|(local, op)| (lowered.sketch.locals[local].name.as_str(), op)).collect();
    assert_eq!(found, [("s", ReduceOp::Add), ("lo", ReduceOp::Min), ("hi", ReduceOp::Max), ("any", ReduceOp::Or)]);
}

#[test]
fn shadowed_names_are_different_locals_and_have_their_numbers_in_the_copy() {
    let lowered = lower("fn k(a: i32) -> i32 { let a = a + 1; let b = { let a = a * 2; a }; a - b }");
    let copy = lowered.copy.to_token_stream().to_string();
    for part in ["let mut a__1 = a__0 + 1", "let mut a__2 = a__1 * 2", "let mut b__3", "a__1 - b__3"] {
        assert!(copy.contains(part), "{part} is not in {copy}");
    }
}

#[test]
fn bindings_are_tapped_in_groups() {
    let bindings: String = (0..600).map(|i| format!("let b{i} = f(x[i], {i}.0); x[i] += b{i};")).collect();
    let lowered = lower(&format!("fn k(x: &mut [f32]) {{ for i in 0..x.len() {{ {bindings} }} }}"));
    // One tap is that of `i`.
    assert_eq!(lowered.taps.len() - 1, 600usize.div_ceil(12));
}

#[test]
fn what_is_of_one_type_has_one_tap() {
    let taps = |of: &str| {
        let bindings: String = (0..600).map(|i| format!("let b{i} = {of};")).collect();
        let body = format!("for i in 0..x.len() {{ {bindings} }} let (a, b) = (f(s), f(s));");
        // Those of `i`, and of `a` and `b`.
        lower(&format!("fn k(x: &mut [P], y: &[f32], s: S) {{ {body} }}")).taps.len() - 2
    };
    for of in ["x[i]", "x[i].at[2]", "y[i] * 1.5 + 2.0", "{ let p = x[i]; (p, s.a).1 }", "y.len()", "s.b.0", "3u8"] {
        assert!(taps(of) <= 2, "{of} has {} taps", taps(of));
    }
    for of in ["f(s)", "x[i].energy()", "P { a: 1.0 }", "x[i] + x[i]", "1.5"] {
        assert!(taps(of) >= 50, "{of} has {} taps", taps(of));
    }
}

#[test]
fn literals_have_a_tap_only_where_nothing_else_types_them() {
    let taps = |value: &str| {
        let text = format!("fn k(x: &mut [f32], n: i32) {{ for i in 0..x.len() {{ x[i] = {value}; }} }}");
        // One tap is that of `i`.
        lower(&text).taps.len() - 1
    };
    for value in
        ["1.0", "-(1.0 + 2.0)", "3 as f32", "-1 as f32", "{ 1.0 }", "x[1 << 3]", "if n > 3 { 1.0 } else { 2.0 }"]
    {
        assert_eq!(taps(value), 0, "{value}");
    }
    for value in ["(1 + 2) as f32", "if 2 < 3 { 1.0 } else { 2.0 }", "f32::from(3)", "n as Real as f32"] {
        assert_eq!(taps(value), 1, "{value}");
    }
}

#[test]
fn a_function_with_errors_reports_all_of_them_where_they_stand() {
    let (_, found) = try_lower(
        "unsafe fn k(x: &mut [f32], y: &[f32]) {\n    for i in 3.. {\n        x[i] = x[i].total_cmp(y);\n    }\n    let f = || 1;\n}",
    );
    let text: Vec<String> = found.iter().map(|(code, at)| format!("{code} {at}")).collect();
    assert_eq!(text, ["QD0003 1:1", "QD0019 2:14", "QD0013 3:21", "QD0015 5:13"]);
}

#[test]
fn unsafe_exempts_the_accesses_in_it() {
    let lowered = lower("fn k(x: &mut [f32]) { for i in 0..9usize { x[i] = 1.0; unsafe { x[i + 1] += 1.0 }; } }");
    let exempt: Vec<_> = lowered.exempt.iter().map(|id| &lowered.sketch.exprs[*id].kind).collect();
    assert!(matches!(exempt.as_slice(), [ExprKind::AssignOp { op: Op::Add, .. }]), "{exempt:?}");
}

#[test]
fn positions_count_lines_and_columns_from_one() {
    let lowered = lower("fn k(x: &mut [f32]) {\n    for i in 0..x.len() { x[i] = 1.0; }\n}");
    assert_eq!(lowered.sketch.constructs.values()[0].pos.to_string(), "2:5");
}

#[test]
fn constants_see_the_items_of_their_block() {
    let lowered = lower(
        "fn k(x: &mut [i32]) { const N: i32 = 1; for i in 0..x.len() { const N: i32 = 2; x[i] = N; } x[0] = N; }",
    );
    let constants: Vec<String> = lowered.taps.constants().iter().map(ToString::to_string).collect();
    assert_eq!(constants.len(), 2);
    assert!(constants[0].contains("N : i32 = 1") && constants[0].contains("N : i32 = 2"), "{constants:?}");
    assert!(!constants[1].contains("N : i32 = 2"), "{constants:?}");
}

/// What begins with a block is a statement where it begins one.
#[test]
fn expressions_that_begin_with_a_block_stay_expressions() {
    for body in [
        "found[i] = match a[i] { 7 => 1, n => matches!(n, 1..=5) as u32 + 3 };",
        "found[i] = (0..i).map(|v| matches!(v, 1..=5) as u32).sum();",
        "found[i] = (0..i).map(|v| { v } as u32 + 1).fold(0, |a, b| { a } + b);",
    ] {
        lower(&format!("fn k(a: &[i8], found: &mut [u32]) {{ for i in 0..a.len() {{ {body} }} }}"));
    }
}
