//! Programs whose arrays lie between pages that can't be touched: whatever a safe kernel does with its indices, it ends as
//! natively. A parallel loop writes to what is surely its own and updates the rest by atomics, a serial one writes anywhere.
use std::fmt::Write;

use fastrand::Rng;

use super::index::{Names, condition, domain, index, one};

/// A kind of element, and how a part of it is read as `u64` and written.
struct Element {
    ty: &'static str,
    /// Behind the element; `#` is an index.
    part: &'static str,
    /// The type of the part.
    scalar: &'static str,
}

const ELEMENTS: [Element; 10] = [
    Element { ty: "u8", part: "", scalar: "u8" },
    Element { ty: "u16", part: "", scalar: "u16" },
    Element { ty: "u32", part: "", scalar: "u32" },
    Element { ty: "i64", part: "", scalar: "i64" },
    Element { ty: "f32", part: "", scalar: "f32" },
    Element { ty: "f64", part: "", scalar: "f64" },
    Element { ty: "u128", part: "", scalar: "u128" },
    Element { ty: "[u16; 3]", part: "[# % 3]", scalar: "u16" },
    Element { ty: "[u16; 3]", part: "[#]", scalar: "u16" },
    Element { ty: "Pair", part: ".b", scalar: "u32" },
];

/// An array parameter.
struct Array {
    name: &'static str,
    element: &'static Element,
    rank: usize,
    mutable: bool,
}

impl Array {
    fn place(&self, rng: &mut Rng, names: &Names) -> String {
        let at = match self.rank {
            1 => format!("{}[{}]", self.name, index(rng, names, 2)),
            _ => format!("{}[[{}, {}]]", self.name, index(rng, names, 1), index(rng, names, 1)),
        };
        at + &self.element.part.replace('#', &index(rng, names, 0))
    }

    /// A part of the element at a place, without a check. Of what `unsafe` is round, only the element isn't checked.
    fn unchecked(&self, rng: &mut Rng, names: &Names, at: &str) -> String {
        format!("(*{}.get_unchecked({at}))", self.name) + &self.element.part.replace('#', &index(rng, names, 0))
    }
}

struct Writer<'a> {
    rng: &'a mut Rng,
    arrays: &'a [Array],
    text: String,
    /// In a loop that runs in order.
    serial: bool,
    /// What the atomics of a parallel loop do: one thing, so that their order doesn't matter.
    update: &'static str,
    fresh: u32,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        // Writing to a string can't fail.
        let _ = writeln!(self.text, "{}{line}", "    ".repeat(depth));
    }

    /// Accesses without a check, in bounds by what stands before them: a checked one, a comparison, the end of a walk. An
    /// access that ran ahead of that would meet a closed page.
    fn unchecked(&mut self, names: &Names, depth: usize) {
        let lines: Vec<&Array> = self.arrays.iter().filter(|array| array.rank == 1).collect();
        let array = *one(self.rng, &lines);
        let Array { name, element, .. } = array;
        let at = format!("u{}", self.fresh);
        self.fresh += 1;
        let value = index(self.rng, names, 2);
        let load = array.unchecked(self.rng, names, &at);
        let adds = format!("acc = acc.wrapping_mul(31).wrapping_add(unsafe {{ {load} }} as u64);");
        match self.rng.u32(..if self.serial { 6 } else { 5 }) {
            0 => {
                self.line(depth, &format!("let {at} = {value};"));
                let checked = element.part.replace('#', &index(self.rng, names, 0));
                self.line(depth, &format!("acc ^= {name}[{at}]{checked} as u64;"));
                self.line(depth, &adds);
            }
            1 => {
                self.line(depth, &format!("let {at} = {value};"));
                self.line(depth, &format!("if {at} < {name}.len() {{"));
                self.line(depth + 1, &adds);
                self.line(depth, "}");
            }
            // Up to a sentinel, in a window of the array.
            2 => {
                self.line(depth, &format!("let mut {at} = {value};"));
                self.line(depth, &format!("let end{at} = {name}.len().min({at}.saturating_add(9));"));
                self.line(depth, &format!("while {at} < end{at} && (unsafe {{ {load} }} as u64) % 7 != 3 {{"));
                self.line(depth + 1, &format!("{at} += 1;"));
                self.line(depth, "}");
                self.line(depth, &format!("acc ^= {at} as u64;"));
            }
            3 => {
                let (domain, counter) = (domain(self.rng, names, true), format!("s{at}"));
                let mut inner = names.clone();
                inner.loops.extend([counter.clone(), counter.clone()]);
                let value = index(self.rng, &inner, 1);
                self.line(depth, &format!("for {counter} in {domain} {{"));
                self.line(depth + 1, &format!("let {at} = {value};"));
                self.line(depth + 1, &format!("if {at} >= {name}.len() {{ break; }}"));
                self.line(depth + 1, &adds);
                self.line(depth, "}");
            }
            // Behind a check that may fail, of another array.
            4 => {
                let place = one(self.rng, self.arrays).place(self.rng, names);
                self.line(depth, &format!("acc ^= {place} as u64;"));
                self.line(depth, &format!("if {name}.len() > 0 {{"));
                self.line(depth + 1, &format!("let {at} = ({value}) % {name}.len();"));
                self.line(depth + 1, &adds);
                self.line(depth, "}");
            }
            _ => {
                let written: Vec<&&Array> = lines.iter().filter(|array| array.mutable).collect();
                let (name, scalar) = (one(self.rng, &written).name, one(self.rng, &written).element.scalar);
                let part = one(self.rng, &written).element.part.replace('#', &index(self.rng, names, 0));
                self.line(depth, &format!("let {at} = {value};"));
                self.line(depth, &format!("if {at} < {name}.len() {{"));
                let stores = format!("unsafe {{ (*{name}.get_unchecked_mut({at})){part} = acc as {scalar}; }}");
                self.line(depth + 1, &stores);
                self.line(depth, "}");
            }
        }
    }

    /// The statements of an iteration.
    fn statements(&mut self, names: &Names, depth: usize, count: u32) {
        let mut names = names.clone();
        for _ in 0..count {
            match self.rng.u32(..14) {
                12 | 13 => self.unchecked(&names, depth),
                0..4 => {
                    let array = one(self.rng, self.arrays);
                    let place = array.place(self.rng, &names);
                    self.line(depth, &format!("acc = acc.wrapping_mul(31).wrapping_add({place} as u64);"));
                }
                4 | 5 if self.serial => {
                    let written: Vec<&Array> = self.arrays.iter().filter(|array| array.mutable).collect();
                    let array = one(self.rng, &written);
                    let (place, scalar) = (array.place(self.rng, &names), array.element.scalar);
                    self.line(depth, &format!("{place} = acc as {scalar};"));
                }
                4..7 => {
                    let at = index(self.rng, &names, 2);
                    let update = if self.serial { *one(self.rng, &["add", "max", "exchange"]) } else { self.update };
                    self.line(depth, &format!("qd::atomic::{update}(&mut h[{at}], acc as u32);"));
                }
                7 => {
                    let name = format!("v{}", self.fresh);
                    self.fresh += 1;
                    let value = index(self.rng, &names, 2);
                    self.line(depth, &format!("let {name} = {value};"));
                    names.loops.push(name);
                }
                8 | 9 if depth < 5 => {
                    let condition = condition(self.rng, &names, 1);
                    self.line(depth, &format!("if {condition} {{"));
                    self.statements(&names, depth + 1, 2);
                    self.line(depth, "}");
                }
                8..=11 if depth < 4 => {
                    let name = format!("j{}", self.fresh);
                    self.fresh += 1;
                    let domain = domain(self.rng, &names, true);
                    self.line(depth, &format!("for {name} in {domain} {{"));
                    let mut inner = names.clone();
                    // Twice: it is what indices are made of.
                    inner.loops.extend([name.clone(), name]);
                    self.statements(&inner, depth + 1, 2);
                    self.line(depth, "}");
                }
                _ => {
                    let value = index(self.rng, &names, 2);
                    self.line(depth, &format!("acc ^= {value} as u64;"));
                }
            }
        }
    }

    /// A loop at top level.
    fn looped(&mut self, names: &Names) {
        self.serial = self.rng.u32(..3) == 0;
        self.update = *one(self.rng, &["add", "max", "xor"]);
        if self.serial {
            self.line(1, "#[qd::serial]");
        }
        let mut inner = names.clone();
        let (pattern, domain, place) = match self.rng.u32(..4) {
            0 => {
                inner.loops.push("k".to_owned());
                let domain = *one(self.rng, &["ndrange([n, m])", "ndrange([1..m, 0..n])", "grid.indices()"]);
                ("(i, k)", domain.to_owned(), "grid[[i, k]]")
            }
            _ => ("i", domain(self.rng, names, false), *one(self.rng, &["out[i]", "out[i + n]", "out[i - m]"])),
        };
        inner.loops.extend(["i".to_owned(), "i".to_owned()]);
        self.line(1, &format!("for {pattern} in {domain} {{"));
        self.line(2, "let mut acc = i as u64;");
        let count = self.rng.u32(1..5);
        self.statements(&inner, 2, count);
        self.line(2, &format!("{place} = acc;"));
        self.line(1, "}");
    }
}

/// The module of program `number`.
pub(super) fn module(number: u64) -> String {
    let rng = &mut Rng::with_seed(number ^ 0x6665_6e63_6573);
    let mut array = |name, rank, mutable| Array { name, element: one(rng, &ELEMENTS), rank, mutable };
    let arrays = [array("a", 1, true), array("b", 1, false), array("c", 2, true), array("d", 2, false)];
    let lengths = ["a.len()", "b.len()", "out.len()", "d.shape()[0]", "d.shape()[1]"].map(str::to_owned).into();
    // Without a variable of a loop `m` stands for one.
    let loops = vec!["m".to_owned()];
    let outside =
        Names { loops, counts: vec!["n", "m"], any: vec!["far", "off"], lengths, table: "t", calls: Vec::new() };
    let count = rng.u32(1..4);
    let mut writer = Writer { rng, arrays: &arrays, text: String::new(), serial: false, update: "add", fresh: 0 };
    for _ in 0..count {
        writer.looped(&outside);
    }
    let body = writer.text;

    let declared = arrays.iter().map(|Array { name, element: Element { ty, .. }, rank, mutable }| {
        let by = if *mutable { "&mut " } else { "&" };
        let array = if *rank == 1 { format!("[{ty}]") } else { format!("NdArray<{ty}, 2>") };
        format!("{name}: {by}{array}, ")
    });
    let declared: String = declared.collect();
    let [a, b, c, d] = arrays.map(|array| array.element.ty);
    format!(
        "//! Fenced program {number}.
use crate::support::*;

#[qd::kernel]
pub fn kernel({declared}t: &[u16], h: &mut [u32], out: &mut [u64], grid: &mut NdArray<u64, 2>, n: usize, m: usize, far: usize, off: usize) {{
{body}}}

pub fn check() -> Result<(), String> {{
    fenced::<{a}, {b}, {c}, {d}>(
        {number},
        |x| kernel.native(x.a, x.b, x.c, x.d, x.t, x.h, x.out, x.grid, x.n, x.m, x.far, x.off),
        |x| kernel.try_call(x.a, x.b, x.c, x.d, x.t, x.h, x.out, x.grid, x.n, x.m, x.far, x.off),
    )
}}
"
    )
}
