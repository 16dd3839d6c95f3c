//! Loops with random index arithmetic, run against an interpreter: hoisted checks must neither miss a fault nor invent
//! one, and the state at a fault must be that of the iterations before it.
mod codegen;

use codegen::interpret::interpret;
use codegen::{Code, Memory, parsed};
use qd_runtime::backend::cpu::Pool;
use qd_runtime::target::CpuTarget;

/// A small generator of numbers; the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % sides
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.roll(from.len() as u64) as usize]
    }
}

/// Writes a task line by line.
struct Writer {
    dice: Dice,
    body: String,
    sites: Vec<String>,
    values: usize,
    loops: usize,
    /// `usize` values in scope.
    scope: Vec<usize>,
    /// Only indices of the kind that real loops have, which are often in bounds: else some access fails always, and
    /// the version of a loop without checks is never run.
    tame: bool,
}

/// Rank-1 `a0`, rank-2 `a1`, and rank-1 `a2`, which is never stored to and gives indices; all of `u32`.
const ARRAYS: [usize; 3] = [1, 2, 1];
const INPUTS: usize = 3;

impl Writer {
    fn value(&mut self, ty: &str, what: &str) -> usize {
        let number = self.values;
        self.values += 1;
        self.body += &format!("v{number}: {ty} = {what}\n");
        number
    }

    fn site(&mut self, what: String) -> usize {
        self.sites.push(what);
        self.sites.len() - 1
    }

    /// An index expression of that depth.
    fn index(&mut self, depth: u64) -> usize {
        if self.dice.roll(8) == 0 {
            // By what lies at an index that is often in bounds.
            let at = self.dice.roll(self.scope.len() as u64) as usize;
            let site = self.site("index a2".into());
            let loaded = self.value("u32", &format!("load a2[v{}] !s{site}", self.scope[at]));
            return self.value("usize", &format!("cast v{loaded}"));
        }
        if self.tame {
            return self.tame_index(depth);
        }
        if depth == 0 || self.dice.roll(4) == 0 {
            return match self.dice.roll(7) {
                0 => {
                    let number = self.dice.pick(&["0", "1", "2", "3", "18446744073709551615", "9223372036854775808"]);
                    self.value("usize", &format!("const {number}"))
                }
                1 => {
                    let input = self.dice.roll(INPUTS as u64);
                    self.value("usize", &format!("input i{input}"))
                }
                2 => {
                    let (array, dim) = *self.dice.pick(&[&(0, 0), &(1, 0), &(1, 1)]);
                    self.value("usize", &format!("extent a{array} {dim}"))
                }
                3 => self.value("usize", "get l0"),
                _ => {
                    let at = self.dice.roll(self.scope.len() as u64) as usize;
                    self.scope[at]
                }
            };
        }
        let (a, b) = (self.index(depth - 1), self.index(depth - 1));
        let op = self.dice.pick(&[
            "add",
            "add",
            "add",
            "sub",
            "sub",
            "mul",
            "min",
            "max",
            "saturating_sub",
            "and",
            "wrapping_add",
            "shl",
            "rem",
            "div",
            "clamp",
            "signed",
        ]);
        match op {
            "shl" => {
                let amount = self.dice.roll(66);
                let amount = self.value("u32", &format!("const {amount}"));
                self.value("usize", &format!("shl v{a} v{amount}"))
            }
            "rem" | "div" => {
                let site = self.site(format!("{op} usize"));
                self.value("usize", &format!("{op} v{a} v{b} !s{site}"))
            }
            "clamp" => {
                let hi = self.index(depth - 1);
                let site = self.site("clamp usize".into());
                self.value("usize", &format!("clamp v{a} v{b} v{hi} !s{site}"))
            }
            "signed" => {
                let (x, y) = (self.value("i64", &format!("cast v{a}")), self.value("i64", &format!("cast v{b}")));
                let op = self.dice.pick(&["add", "sub", "min", "max"]);
                let result = self.value("i64", &format!("{op} v{x} v{y}"));
                self.value("usize", &format!("cast v{result}"))
            }
            op => self.value("usize", &format!("{op} v{a} v{b}")),
        }
    }

    fn tame_index(&mut self, depth: u64) -> usize {
        if depth == 0 || self.dice.roll(3) == 0 {
            if self.dice.roll(6) == 0 {
                let number = self.dice.roll(4);
                return self.value("usize", &format!("const {number}"));
            }
            if self.dice.roll(8) == 0 {
                return self.value("usize", "get l0");
            }
            let at = self.dice.roll(self.scope.len() as u64) as usize;
            return self.scope[at];
        }
        let (a, b) = (self.tame_index(depth - 1), self.tame_index(depth - 1));
        match self.dice.pick(&["add", "add", "add", "sub", "mul", "min", "max", "saturating_sub", "back"]) {
            "back" => {
                // From the other end.
                let extent = self.value("usize", "extent a0 0");
                self.value("usize", &format!("sub v{extent} v{a}"))
            }
            op => self.value("usize", &format!("{op} v{a} v{b}")),
        }
    }

    fn access(&mut self) -> String {
        let array = self.dice.roll(2) as usize;
        let index: Vec<String> = (0..ARRAYS[array]).map(|_| format!("v{}", self.index(2))).collect();
        format!("a{array}[{}]", index.join(", "))
    }

    fn statement(&mut self, depth: u64) {
        match self.dice.roll(if depth == 0 { 4 } else { 7 }) {
            0 => {
                let index = self.index(2);
                self.body += &format!("set l0 = v{index}\n");
            }
            1..=3 => {
                let (from, to) = (self.access(), self.access());
                let array = |access: &str| format!("index {}", &access[..2]);
                let site = self.site(array(&from));
                let loaded = self.value("u32", &format!("load {from} !s{site}"));
                let one = self.value("u32", "const 7");
                let sum = self.value("u32", &format!("add v{loaded} v{one}"));
                let site = self.site(array(&to));
                self.body += &format!("store {to} = v{sum} !s{site}\n");
            }
            4 => {
                let (a, b) = (self.index(1), self.index(1));
                let op = self.dice.pick(&["lt", "ge", "ne"]);
                let condition = self.value("bool", &format!("{op} v{a} v{b}"));
                self.body += &format!("if v{condition} {{\n");
                self.block(depth - 1);
                if self.dice.roll(2) == 0 {
                    self.body += "} else {\n";
                    self.block(depth - 1);
                }
                self.body += "}\n";
            }
            _ => {
                let ty = self.dice.pick(&["usize", "usize", "u8", "i32", "i64"]);
                // Small bounds: constants, or an input or variable modulo a constant.
                let lo = self.dice.roll(4).wrapping_sub(if ty.starts_with('i') { 2 } else { 0 }) as i64;
                let lo = self.value(ty, &format!("const {lo}"));
                let hi = if self.dice.roll(2) == 0 {
                    let hi = self.dice.roll(12);
                    self.value(ty, &format!("const {hi}"))
                } else {
                    let (from, some) = (self.index(1), self.value("usize", "const 12"));
                    let site = self.site("rem usize".into());
                    let hi = self.value("usize", &format!("rem v{from} v{some} !s{site}"));
                    self.value(ty, &format!("cast v{hi}"))
                };
                let (var, name) = (self.values, self.loops);
                self.values += 1;
                self.loops += 1;
                self.body += &format!("for L{name} v{var}: {ty} in v{lo}..v{hi} {{\n");
                let outside = self.scope.len();
                let index = if ty == "usize" { var } else { self.value("usize", &format!("cast v{var}")) };
                // Often, so that inner loops matter.
                self.scope.extend([index, index]);
                for _ in 0..=self.dice.roll(2) {
                    self.statement(depth - 1);
                }
                if self.dice.roll(4) == 0 {
                    let (a, b) = (self.index(1), self.index(1));
                    let condition = self.value("bool", &format!("eq v{a} v{b}"));
                    let jump = self.dice.pick(&["break", "continue"]);
                    self.body += &format!("if v{condition} {{\n{jump} L{name}\n}}\n");
                    self.statement(0);
                }
                self.scope.truncate(outside);
                self.body += "}\n";
            }
        }
    }

    /// Statements whose values end with them.
    fn block(&mut self, depth: u64) {
        let outside = self.scope.len();
        self.statement(depth);
        self.scope.truncate(outside);
    }
}

/// A random task of one or two dimensions, or the same as loops of a serial task.
fn random_task(seed: u64) -> String {
    let dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut w = Writer {
        dice,
        body: String::new(),
        sites: Vec::new(),
        values: 0,
        loops: 0,
        scope: Vec::new(),
        tame: !seed.is_multiple_of(3),
    };
    let serial = w.dice.roll(5) == 0;
    // Arrays and inputs are numbered by first use.
    for k in 0..INPUTS {
        w.value("usize", &format!("input i{k}"));
    }
    for k in 0..ARRAYS.len() {
        w.value("usize", &format!("extent a{k} 0"));
    }
    let mut dims = String::new();
    let mut variables = Vec::new();
    for _ in 0..=w.dice.roll(2) {
        let ty = w.dice.pick(&["usize", "usize", "u64", "i32", "i8", "i64"]);
        let lo = w.dice.roll(4) as i64 - if ty.starts_with('i') { 2 } else { 0 };
        let lo = w.value(ty, &format!("const {lo}"));
        let input = w.dice.roll(INPUTS as u64);
        let hi = w.value("usize", &format!("input i{input}"));
        let hi = w.value(ty, &format!("cast v{hi}"));
        variables.push((ty, lo, hi));
    }
    let bounds = std::mem::take(&mut w.body);
    let mut indices = Vec::new();
    for (ty, lo, hi) in variables {
        let var = w.values;
        w.values += 1;
        if serial {
            dims += &format!("for L{} v{var}: {ty} in v{lo}..v{hi} {{\n", w.loops);
            w.loops += 1;
        } else {
            dims += &format!("dim v{var}: {ty} in v{lo}..v{hi}\n");
        }
        indices.push((ty, var));
    }
    for (ty, var) in indices {
        let index = if ty == "usize" { var } else { w.value("usize", &format!("cast v{var}")) };
        w.scope.extend([index, index]);
    }
    // A local is set before it is read.
    let first = w.scope[0];
    w.body += &format!("set l0 = v{first}\n");
    for _ in 0..=w.dice.roll(if w.tame { 2 } else { 3 }) {
        w.statement(2);
    }
    let mut text = format!("task {} {{\n", if serial { "serial" } else { "parallel" });
    for (k, rank) in ARRAYS.iter().enumerate() {
        let mutable = if k == 2 { "" } else { "mut " };
        text += &format!("array a{k}: &{mutable}NdArray<u32, {rank}>\n");
    }
    for k in 0..INPUTS {
        text += &format!("input i{k}: usize\n");
    }
    text += "local l0: usize\n";
    for (k, site) in w.sites.iter().enumerate() {
        text += &format!("site s{k}: {site}\n");
    }
    if serial {
        let ends = "}\n".repeat(dims.lines().count());
        return text + "body {\n" + &bounds + &dims + &w.body + &ends + "}\n}\n";
    }
    text + "bounds {\n" + &bounds + "}\n" + &dims + "body {\n" + &w.body + "}\n}\n"
}

/// Room around each array, to see stray stores.
const GUARD: u128 = 0xdead_beef_0bad_cafe_dead_beef_0bad_cafe;

fn memory(dice: &mut Dice) -> Vec<Memory> {
    let extents = [vec![dice.roll(30)], vec![dice.roll(16), dice.roll(16)], vec![8 + dice.roll(16)]];
    extents
        .into_iter()
        .zip([1000, 1000, 12])
        .map(|(extents, values)| {
            let mut memory = Memory::zeroed(4, &extents);
            let len = extents.iter().product::<u64>() as usize;
            memory.bytes = vec![GUARD; len / 4 + 32];
            (0..len).for_each(|index| memory.put(4, index, dice.roll(values).into()));
            memory
        })
        .collect()
}

fn agree(seeds: std::ops::Range<u64>) {
    let pool = Pool::new(1).unwrap();
    let mut clean = 0;
    for seed in seeds {
        let text = random_task(seed);
        let task = parsed(&text);
        // A CPU without vectors of 64-bit numbers looks at the indices of fewer iterations ahead, one by one.
        let plain = CpuTarget::host().triple().parse().unwrap();
        let targets = [(0, CpuTarget::host()), (3, CpuTarget::host()), (3, plain)];
        let codes = targets.map(|(opt_level, target)| (Code::with(task.clone(), opt_level, target), opt_level));
        let mut dice = Dice(seed + 1);
        for _ in 0..12 {
            let before = memory(&mut dice);
            let inputs: Vec<u64> = (0..INPUTS).map(|_| dice.roll(14)).collect();
            let mut expected = before.clone();
            let outcome = interpret(&task, &mut expected, &inputs);
            clean += u32::from(outcome.fault.is_none());
            for (code, level) in &codes {
                let mut arrays = before.clone();
                let got = code.run_on(&pool, &mut arrays, &inputs);
                assert_eq!(got, outcome, "seed {seed} at O{level}, inputs {inputs:?}\n{text}");
                assert_eq!(arrays, expected, "seed {seed} at O{level}, inputs {inputs:?}\n{text}");
            }
        }
    }
    assert!(clean > 100, "too few launches without a fault: {clean}");
}

macro_rules! seeds {
    ($($name:ident $range:expr;)*) => { $(
        #[test]
        fn $name() {
            agree($range);
        }
    )* };
}
seeds! {
    random_loops_agree_with_the_interpreter_1 0..60;
    random_loops_agree_with_the_interpreter_2 60..120;
    random_loops_agree_with_the_interpreter_3 120..180;
}
