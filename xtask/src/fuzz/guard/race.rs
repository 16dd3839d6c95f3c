//! Loops over one array with random indices, thrice: as a safe kernel, which the ownership analysis accepts or not; with
//! its accesses claimed in `unsafe`, for the race detector; and natively with every access noted, which knows neither.
use std::fmt::Write;

use fastrand::Rng;

use super::index::{Names, condition, domain, functions, index, one};

/// What an access does.
#[derive(Debug, Clone, Copy)]
enum Does {
    Load,
    Store,
    Atomic,
}

/// Who the text is for.
#[derive(Debug, Clone, Copy, PartialEq)]
enum For {
    Analysis,
    Detector,
    Oracle,
}

/// A statement of an iteration.
enum Stmt {
    Access(Does, String),
    Let(String, String),
    If(String, Vec<Stmt>, Vec<Stmt>),
    Skip(String),
    Loop(String, String, Vec<Stmt>),
}

fn statements(rng: &mut Rng, names: &Names, depth: u32, fresh: &mut u32) -> Vec<Stmt> {
    let mut names = names.clone();
    let mut made = Vec::new();
    for _ in 0..rng.u32(1..4) {
        let mut next = |what: &str| {
            *fresh += 1;
            format!("{what}{fresh}")
        };
        made.push(match rng.u32(..12) {
            7 => {
                let name = next("v");
                let value = index(rng, &names, 1);
                names.loops.push(name.clone());
                Stmt::Let(name, value)
            }
            8 if depth < 2 => {
                let condition = condition(rng, &names, 1);
                let then = statements(rng, &names, depth + 1, fresh);
                let otherwise = if rng.bool() { statements(rng, &names, depth + 1, fresh) } else { Vec::new() };
                Stmt::If(condition, then, otherwise)
            }
            9 if depth == 0 => Stmt::Skip(condition(rng, &names, 1)),
            10 | 11 if depth < 2 => {
                let (name, domain) = (next("j"), domain(rng, &names, true));
                let mut inner = names.clone();
                inner.loops.extend([name.clone(), name.clone()]);
                Stmt::Loop(name, domain, statements(rng, &inner, depth + 1, fresh))
            }
            kind => {
                let does = [Does::Load, Does::Store, Does::Store, Does::Load, Does::Store, Does::Atomic];
                // Most often by what a person would write, so that there is something to accept.
                let depth = u32::from(rng.u32(..3) == 0);
                Stmt::Access(does[kind as usize % does.len()], index(rng, &names, depth))
            }
        });
    }
    made
}

fn write(text: &mut String, stmts: &[Stmt], reader: For, depth: usize, inside: bool) {
    let pad = "    ".repeat(depth);
    for stmt in stmts {
        // Writing to a string can't fail.
        let _ = match stmt {
            Stmt::Access(does, at) => {
                let access = match (does, reader) {
                    (Does::Load, For::Analysis) => format!("acc ^= x[{at}];"),
                    (Does::Load, For::Detector) => format!("acc ^= unsafe {{ x[{at}] }};"),
                    (Does::Store, For::Analysis) => format!("x[{at}] = acc;"),
                    (Does::Store, For::Detector) => format!("unsafe {{ x[{at}] = acc; }}"),
                    (Does::Atomic, For::Analysis) => format!("qd::atomic::add(&mut x[{at}], 1);"),
                    (Does::Atomic, For::Detector) => format!("unsafe {{ qd::atomic::add(&mut x[{at}], 1); }}"),
                    (Does::Load, For::Oracle) => format!("seen.access(Does::Load, {at});"),
                    (Does::Store, For::Oracle) => format!("seen.access(Does::Store, {at});"),
                    (Does::Atomic, For::Oracle) => format!("seen.access(Does::Atomic, {at});"),
                };
                writeln!(text, "{pad}{access}")
            }
            Stmt::Let(name, value) => writeln!(text, "{pad}let {name} = {value};"),
            Stmt::If(condition, then, otherwise) => {
                let _ = writeln!(text, "{pad}if {condition} {{");
                write(text, then, reader, depth + 1, inside);
                let _ = writeln!(text, "{pad}}} else {{");
                write(text, otherwise, reader, depth + 1, inside);
                writeln!(text, "{pad}}}")
            }
            Stmt::Skip(condition) => {
                let leave = if reader == For::Oracle && !inside { "return" } else { "continue" };
                writeln!(text, "{pad}if {condition} {{ {leave}; }}")
            }
            Stmt::Loop(name, domain, body) => {
                let _ = writeln!(text, "{pad}for {name} in {domain} {{");
                write(text, body, reader, depth + 1, true);
                writeln!(text, "{pad}}}")
            }
        };
    }
}

/// The module of program `number`; with the safe kernel in it or without.
pub(super) fn module(number: u64, with_safe: bool) -> String {
    let rng = &mut Rng::with_seed(number ^ 0x7261_6365_7321);
    let (functions, calls) = if rng.bool() { functions(rng) } else { (String::new(), Vec::new()) };
    let place =
        if calls.iter().any(|call| call.starts_with("place")) { "    let place = Place { n, m };\n" } else { "" };
    let names = Names {
        calls: Vec::new(),
        loops: vec!["i".to_owned()],
        counts: vec!["n", "m"],
        any: vec!["far", "off"],
        lengths: vec!["x.len()".to_owned(), "x.len()".to_owned(), "t.len()".to_owned()],
        table: "t",
    };
    let two = rng.u32(..4) == 0;
    let (pattern, domain) = if two {
        ("(i, k)", (*one(rng, &["ndrange([n, m])", "ndrange([1..n, 0..m])"])).to_owned())
    } else {
        let outside = Names { loops: vec!["m".to_owned()], ..names.clone() };
        ("i", domain(rng, &outside, false))
    };
    let mut inside = Names { calls, ..names.clone() };
    if two {
        inside.loops.extend(["k".to_owned(), "(i * m + k)".to_owned()]);
    }
    let body = statements(rng, &inside, 0, &mut 0);
    let text = |reader: For, depth| {
        let mut text = String::new();
        write(&mut text, &body, reader, depth, false);
        text
    };
    let kernel = |name: &str, reader: For| {
        format!(
            "#[qd::kernel]
pub fn {name}(x: &mut [u32], t: &[u16], n: usize, m: usize, far: usize, off: usize) {{
{place}    for {pattern} in {domain} {{
        let mut acc = i as u32;
{}    }}
}}

",
            text(reader, 2)
        )
    };
    let (safe, launch) = if with_safe {
        (kernel("safe", For::Analysis), "Some(|x: Racing<'_>| safe.try_call(x.x, x.t, x.n, x.m, x.far, x.off))")
    } else {
        (String::new(), "None::<fn(Racing<'_>) -> qd::Result<()>>")
    };
    format!(
        "//! Racing program {number}.
use crate::support::*;

{functions}{safe}{}fn oracle(seen: &mut Seen, x: &[u32], t: &[u16], n: usize, m: usize, far: usize, off: usize) {{
{place}    for {pattern} in {domain} {{
        seen.iteration(|seen| {{
{}        }});
    }}
}}

pub fn check() -> Result<(), String> {{
    racing(
        {number},
        |seen, x| oracle(seen, x.x, x.t, x.n, x.m, x.far, x.off),
        {launch},
        |x| claimed.try_call(x.x, x.t, x.n, x.m, x.far, x.off),
    )
}}
",
        kernel("claimed", For::Detector),
        text(For::Oracle, 3)
    )
}
