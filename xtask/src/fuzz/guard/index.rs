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
            match rng.u32(..16) {
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

/// A condition.
pub(super) fn condition(rng: &mut Rng, names: &Names, depth: u32) -> String {
    let i = one(rng, &names.loops).clone();
    match rng.u32(..if depth == 0 { 5 } else { 7 }) {
        0 | 1 => {
            let modulus = rng.u32(2..5);
            format!("{i} % {modulus} == {}", rng.u32(..modulus))
        }
        2 => format!("({i} + {}) % 2 == {} % 2", one(rng, &names.loops), one(rng, &names.counts)),
        3 | 4 => {
            let comparison = *one(rng, &["<", "<=", ">", ">=", "==", "!="]);
            format!("{} {comparison} {}", index(rng, names, depth), index(rng, names, depth))
        }
        5 => format!("({}) && ({})", condition(rng, names, depth - 1), condition(rng, names, depth - 1)),
        _ => format!("({}) || ({})", condition(rng, names, depth - 1), condition(rng, names, depth - 1)),
    }
}

/// What a loop runs over: never more than a few hundred values, wherever they begin.
pub(super) fn domain(rng: &mut Rng, names: &Names, inner: bool) -> String {
    let count = *one(rng, &names.counts);
    let far = *one(rng, &names.any);
    let few = if inner { format!("{count}.min({})", one(rng, &["3", "7", "20"])) } else { count.to_owned() };
    let low = if inner && rng.bool() { index(rng, names, 1) } else { far.to_owned() };
    let range = match rng.u32(..8) {
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
