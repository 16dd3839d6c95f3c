//! Random indices, bounds and conditions over the names in scope, as text: mostly such as people write, now and then any
//! arithmetic at all. Knows no arrays but the table that indices may come from.
use fastrand::Rng;

/// The names that an index may be made of; all are `usize`.
#[derive(Debug, Clone)]
pub(super) struct Names {
    /// Variables of loops and what is computed from them.
    pub loops: Vec<String>,
    /// Small numbers that don't change.
    pub counts: Vec<&'static str>,
    /// Numbers of any size that don't change.
    pub any: Vec<&'static str>,
    /// Lengths.
    pub lengths: Vec<String>,
    /// An array of `u16`.
    pub table: &'static str,
    /// Calls of functions that give an index; `#` stands for one.
    pub calls: Vec<String>,
}

/// One of them.
pub(super) fn one<'a, T>(rng: &mut Rng, from: &'a [T]) -> &'a T {
    &from[rng.usize(..from.len())]
}

const SMALL: [&str; 8] = ["1", "2", "3", "4", "5", "8", "10", "16"];
const LARGE: [&str; 7] = [
    "255_usize",
    "256_usize",
    "65536_usize",
    "(1_usize << 32)",
    "(isize::MAX as usize)",
    "(usize::MAX - 1)",
    "usize::MAX",
];

/// An index.
pub(super) fn index(rng: &mut Rng, names: &Names, depth: u32) -> String {
    let i = one(rng, &names.loops).clone();
    let small = *one(rng, &SMALL);
    let count = *one(rng, &names.counts);
    if rng.u32(..5) == 0
        && let [_, ..] = names.calls.as_slice()
    {
        let call = one(rng, &names.calls).clone();
        return call.replace('#', &if depth == 0 { i } else { index(rng, names, depth - 1) });
    }
    if rng.u32(..5) == 0 {
        return bits(rng, names);
    }
    match rng.u32(..if depth == 0 { 14 } else { 22 }) {
        0..4 => i,
        4 => format!("({i} + {small})"),
        5 => format!("({i} - {small})"),
        6 => format!("({i} * {small} + {})", rng.u32(..6)),
        7 => format!("({i} * {count} + {})", one(rng, &names.loops)),
        8 => format!("({count} * {i} + {count} - 1 - {})", one(rng, &names.loops)),
        9 => format!("({i} / {small} * {small} + {i} % {small})"),
        10 => format!("({i} + {count})"),
        11 => format!("({} - 1 - {i})", one(rng, &names.lengths)),
        12 => format!("({i} % {})", one(rng, &names.lengths)),
        13 => match rng.u32(..4) {
            0 => (*one(rng, &LARGE)).to_owned(),
            1 => (*one(rng, &names.any)).to_owned(),
            2 => count.to_owned(),
            _ => format!("{small}_usize"),
        },
        14..18 => {
            let (a, b) = (index(rng, names, depth - 1), index(rng, names, depth - 1));
            match rng.u32(..19) {
                0..3 => format!("({a} + {b})"),
                3..5 => format!("({a} - {b})"),
                5..7 => format!("({a} * {b})"),
                7 => format!("({a} / {b})"),
                8 => format!("({a} % {b})"),
                9 => format!("({a} & {b})"),
                10 => format!("({a} ^ {b})"),
                11 => format!("({a} << ({b} & 63))"),
                12 => format!("({a} >> ({b} & 63))"),
                13 => format!("{a}.min({b})"),
                14 => format!("{a}.max({b})"),
                15 => format!("{a}.saturating_{}({b})", one(rng, &["add", "sub", "sub", "mul"])),
                16 => format!("{a}.{}({small})", one(rng, &["div_ceil", "next_multiple_of"])),
                17 => format!("{a}.clamp({}, {small} + {count})", rng.u32(..2)),
                _ => format!("{a}.wrapping_sub({b})"),
            }
        }
        18 => {
            let narrow = *one(rng, &["u8", "u16", "u32", "i8", "i32", "isize", "u128"]);
            format!("({} as {narrow} as usize)", index(rng, names, depth - 1))
        }
        19 => format!("({} % {})", index(rng, names, depth - 1), one(rng, &names.lengths)),
        20 => format!("({t}[{} % {t}.len()] as usize)", index(rng, names, depth - 1), t = names.table),
        _ => match rng.bool() {
            true => format!("({}[{}] as usize)", names.table, index(rng, names, depth - 1)),
            false => format!("(if {} {{ {i} }} else {{ {} }})", condition(rng, names, 0), index(rng, names, 0)),
        },
    }
}

/// An index by bits, or by the division that rounds down, as people write them.
fn bits(rng: &mut Rng, names: &Names) -> String {
    let i = one(rng, &names.loops).clone();
    let (small, count) = (*one(rng, &SMALL), *one(rng, &names.counts));
    match rng.u32(..9) {
        0 => format!("({i} ^ {count})"),
        1 => format!("({i} ^ {small})"),
        2 => format!("(2 * {i} | 1)"),
        3 => format!("({i} << {} | {} % 4)", rng.u32(1..4), one(rng, &names.loops)),
        4 => format!("({i} | {small})"),
        5 => format!("({i} & !{small})"),
        6 => format!("(({i} as i32 - {small}).rem_euclid({}) as usize)", rng.u32(1..50)),
        7 => format!("((({i} as i64 - {small}).div_euclid({small}) + {small}) as usize)"),
        _ => format!("({i} ^ (1 << ({count} & 7)))"),
    }
}

/// A condition.
pub(super) fn condition(rng: &mut Rng, names: &Names, depth: u32) -> String {
    let i = one(rng, &names.loops).clone();
    let mask = if rng.bool() { (*one(rng, &names.counts)).to_owned() } else { one(rng, &SMALL).to_string() };
    match rng.u32(..if depth == 0 { 8 } else { 11 }) {
        // The lower of two that differ in bits.
        5 => format!("{i} < {i} ^ {mask}"),
        6 => format!("{i} & {mask} {} 0", one(rng, &["==", "!="])),
        0 | 1 => {
            let modulus = rng.u32(2..5);
            format!("{i} % {modulus} == {}", rng.u32(..modulus))
        }
        2 => format!("({i} + {}) % 2 == {} % 2", one(rng, &names.loops), one(rng, &names.counts)),
        3 | 4 => {
            let comparison = *one(rng, &["<", "<=", ">", ">=", "==", "!="]);
            format!("{} {comparison} {}", index(rng, names, depth), index(rng, names, depth))
        }
        // All but one, which the others may look at.
        7 => format!("{i} {} {}", one(rng, &["!=", "!=", "=="]), one(rng, &names.counts)),
        8 | 9 => format!("({}) && ({})", condition(rng, names, depth - 1), condition(rng, names, depth - 1)),
        _ => format!("({}) || ({})", condition(rng, names, depth - 1), condition(rng, names, depth - 1)),
    }
}

/// What a loop runs over: never more than a few hundred values, wherever they begin.
pub(super) fn domain(rng: &mut Rng, names: &Names, inner: bool) -> String {
    let count = *one(rng, &names.counts);
    let far = *one(rng, &names.any);
    let few = if inner { format!("{count}.min({})", one(rng, &["3", "7", "20"])) } else { count.to_owned() };
    let low = if inner && rng.bool() { index(rng, names, 1) } else { far.to_owned() };
    let i = one(rng, &names.loops).clone();
    let range = match rng.u32(..if inner { 11 } else { 8 }) {
        // Up to where the loop around is, or from there.
        8 => format!("0..{i}.min({few})"),
        9 => format!("{i}{}..{few}", one(rng, &["", " + 1"])),
        10 => format!("0..{i}.saturating_sub({}).min({few})", rng.u32(..3)),
        0..4 => format!("0..{few}"),
        4 => format!("{}..{few}", rng.u32(..4)),
        5 => format!("{low}..{low}.saturating_add({few})"),
        6 => format!("{low}..={low}.saturating_add({few})"),
        _ => format!("0..{}.min(40)", one(rng, &names.lengths)),
    };
    match rng.u32(..8) {
        0 => format!("({range}).rev()"),
        1 => format!("({range}).step_by({})", one(rng, &["1", "2", "3", "7"])),
        2 => format!("({range}).rev().step_by({count}.max(1))"),
        _ => range,
    }
}

/// Functions of the module that give an index of an index `i`, from `n`, `m` and the table, and methods of a `Place` of `n`
/// and `m`; with what calls them where these names, and `place`, are in scope.
pub(super) fn functions(rng: &mut Rng) -> (String, Vec<String>) {
    let mut text =
        "#[derive(Clone, Copy, qd::Data)]\npub struct Place {\n    n: usize,\n    m: usize,\n}\n\n".to_owned();
    let mut calls = Vec::new();
    for number in 0..rng.u32(1..4) {
        let name = format!("f{number}");
        let method = rng.u32(..3) == 0;
        let mut names = Names {
            loops: vec!["i".to_owned()],
            counts: if method { vec!["self.n", "self.m"] } else { vec!["n", "m"] },
            any: vec![if method { "self.n" } else { "n" }],
            lengths: vec![if method { "self.m".to_owned() } else { "t.len()".to_owned() }],
            table: "t",
            calls: if method { Vec::new() } else { calls.clone() },
        };
        names.calls.retain(|call| !call.starts_with("place"));
        let body = function(rng, &names);
        if method {
            text += &format!(
                "#[qd::funcs]\nimpl Place {{\n    pub fn {name}(self, t: &[u16], i: usize) -> usize {{\n{body}    }}\n}}\n\n"
            );
            calls.push(format!("place.{name}(t, #)"));
        } else {
            text += &format!(
                "#[qd::func]\npub fn {name}(t: &[u16], i: usize, n: usize, m: usize) -> usize {{\n{body}}}\n\n"
            );
            calls.push(format!("{name}(t, #, n, m)"));
        }
    }
    (text, calls)
}

/// The body of a function that gives an index.
fn function(rng: &mut Rng, names: &Names) -> String {
    let mut names = names.clone();
    let mut text = String::new();
    if rng.bool() {
        text += &format!("let v = {};\n", index(rng, &names, 1));
        names.loops.push("v".to_owned());
    }
    let mut value = |depth| index(rng, &names, depth);
    let [a, b, c] = [value(0), value(0), value(1)];
    let (condition, other) = (condition(rng, &names, 1), condition(rng, &names, 0));
    text += &match rng.u32(..6) {
        0 => c,
        1 => format!("if {condition} {{ {a} }} else {{ {b} }}"),
        2 => format!("if {condition} {{\nreturn {a};\n}}\nif {other} {{ return {b}; }}\n{c}"),
        3 => format!("if {condition} {{ let w = {a}; w }} else if {other} {{ {b} }} else {{ {c} }}"),
        4 => format!("match i % 3 {{ 0 => {a}, 1 => {b}, _ => {c} }}"),
        _ => format!("let up = {condition};\nlet to = if up {{ {a} }} else {{ {b} }};\nto"),
    };
    text.push('\n');
    text
}
