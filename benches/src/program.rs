//! The programs whose compile time is measured: loops of ten statements each, all different, written out from one
//! description in Rust (kernels of qd), C and Python (Quadrants).
//!
//! The Rust text is the file `loops.rs`; a test compares it with what this module writes.
use std::fmt::{self, Write as _};

/// The loop that an edit changes.
pub const EDITED: usize = 17;

/// A language to write a program in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// A kernel of qd; only the test writes it.
    #[cfg_attr(not(test), expect(dead_code))]
    Rust,
    /// A C function.
    C,
    /// A kernel of Quadrants.
    Python,
}

/// Numbers from a seed, each from its own call (the mixer of splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// A constant between 0.1 and 0.9.
    fn constant(&mut self) -> Expr {
        Expr::Constant(100 + self.below(800) as u32)
    }
}

/// An expression of the loops.
#[derive(Debug, Clone)]
enum Expr {
    /// A local.
    Local(&'static str),
    /// The iteration's element of an array.
    Element(&'static str),
    /// In thousandths.
    Constant(u32),
    Binary(Box<Expr>, char, Box<Expr>),
    Call(Function, Vec<Expr>),
    /// `if left > right { then } else { otherwise }`
    IfGreater(Box<[Expr; 4]>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Function {
    Sin,
    Cos,
    Exp,
    Sqrt,
    Abs,
    Min,
    Max,
}

impl Function {
    fn name(self, language: Language) -> &'static str {
        let [rust, c, python] = match self {
            Function::Sin => ["sin", "sinf", "qd.sin"],
            Function::Cos => ["cos", "cosf", "qd.cos"],
            Function::Exp => ["exp", "expf", "qd.exp"],
            Function::Sqrt => ["sqrt", "sqrtf", "qd.sqrt"],
            Function::Abs => ["abs", "fabsf", "abs"],
            Function::Min => ["min", "fminf", "qd.min"],
            Function::Max => ["max", "fmaxf", "qd.max"],
        };
        match language {
            Language::Rust => rust,
            Language::C => c,
            Language::Python => python,
        }
    }
}

fn local(name: &'static str) -> Expr {
    Expr::Local(name)
}

fn binary(left: Expr, operator: char, right: Expr) -> Expr {
    Expr::Binary(Box::new(left), operator, Box::new(right))
}

fn call<const N: usize>(function: Function, arguments: [Expr; N]) -> Expr {
    Expr::Call(function, arguments.into())
}

/// Nine locals and what they are; a tenth statement stores into `y`.
fn statements(number: usize, edit: bool) -> Vec<(&'static str, Expr)> {
    let mut random = Random(number as u64 * 1_000_003);
    let r = &mut random;
    let bounded = [Function::Sin, Function::Cos];
    let first = r.constant();
    let first = if edit { Expr::Constant(951) } else { first };
    let mut all = vec![("a", binary(binary(Expr::Element("x"), '*', first), '+', r.constant()))];
    all.push(("b", binary(Expr::Element("y"), '-', binary(local("a"), '*', r.constant()))));
    let product = binary(local(r.pick(&["a", "b"])), '*', local(r.pick(&["a", "b"])));
    all.push(("c", binary(product, r.pick(&['+', '-']), r.constant())));
    all.push(("d", binary(call(r.pick(&bounded), [local("c")]), r.pick(&['+', '-', '*']), local("a"))));
    all.push(("e", call(r.pick(&[Function::Min, Function::Max]), [local("d"), local(r.pick(&["a", "b", "c"]))])));
    let positive = binary(call(Function::Abs, [local("e")]), '+', r.constant());
    all.push(("g", call(Function::Sqrt, [positive])));
    let parts = [local("g"), r.constant(), binary(local("g"), '-', local("c")), binary(local("b"), '*', r.constant())];
    all.push(("h", Expr::IfGreater(Box::new(parts))));
    let shrunk = binary(r.constant(), '-', call(Function::Abs, [local("h")]));
    all.push(("p", if r.below(2) == 0 { call(Function::Exp, [shrunk]) } else { call(r.pick(&bounded), [shrunk]) }));
    all.push((
        "q",
        binary(binary(local("p"), '*', local(r.pick(&["d", "e", "g"]))), r.pick(&['+', '-']), r.constant()),
    ));
    all
}

/// An expression with a language to show it in.
struct In<'a>(&'a Expr, Language);

impl fmt::Display for In<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let In(expr, language) = *self;
        match expr {
            Expr::Local(name) => f.write_str(name),
            Expr::Element(array) => write!(f, "{array}[i]"),
            Expr::Constant(thousandths) => {
                let suffix = if language == Language::C { "f" } else { "" };
                write!(f, "0.{thousandths:03}{suffix}")
            }
            Expr::Binary(left, operator, right) => {
                write!(f, "{} {operator} {}", Operand(left, language), Operand(right, language))
            }
            Expr::Call(function, arguments) => {
                let name = function.name(language);
                let shown: Vec<String> = arguments.iter().map(|argument| In(argument, language).to_string()).collect();
                match (language, shown.as_slice()) {
                    (Language::Rust, [_, rest @ ..]) => {
                        write!(f, "{}.{name}({})", Operand(&arguments[0], language), rest.join(", "))
                    }
                    (Language::Rust | Language::C | Language::Python, all) => write!(f, "{name}({})", all.join(", ")),
                }
            }
            Expr::IfGreater(parts) => {
                let [left, right, then, otherwise] = parts.each_ref().map(|part| In(part, language));
                match language {
                    Language::Rust => write!(f, "if {left} > {right} {{ {then} }} else {{ {otherwise} }}"),
                    Language::C => write!(f, "{left} > {right} ? {then} : {otherwise}"),
                    Language::Python => write!(f, "{then} if {left} > {right} else {otherwise}"),
                }
            }
        }
    }
}

/// An expression as the operand of another: in parentheses where it is an operation.
struct Operand<'a>(&'a Expr, Language);

impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Operand(expr, language) = *self;
        match expr {
            Expr::Binary(..) | Expr::IfGreater(..) => write!(f, "({})", In(expr, language)),
            Expr::Local(_) | Expr::Element(_) | Expr::Constant(_) | Expr::Call(..) => {
                write!(f, "{}", In(expr, language))
            }
        }
    }
}

/// A kernel `name` of the loops with these numbers; with `edit`, a constant of loop [`EDITED`] differs.
pub fn kernel(language: Language, name: &str, numbers: std::ops::Range<usize>, edit: bool) -> String {
    let mut text = match language {
        Language::Rust => format!("#[qd::kernel]\npub fn {name}(x: &[f32], y: &mut [f32]) {{\n"),
        Language::C => format!("void {name}(const float *restrict x, float *restrict y, size_t n) {{\n"),
        Language::Python => {
            format!("def {name}(x: qd.types.ndarray(qd.f32, 1), y: qd.types.ndarray(qd.f32, 1)):\n")
        }
    };
    let (head, indent, end, local, closing) = match language {
        Language::Rust => ("    for i in 0..y.len() {", "        ", ";", "let ", "    }\n"),
        Language::C => {
            let head = "#pragma omp parallel for\n    for (size_t i = 0; i < n; i++) {";
            (head, "        ", ";", "const float ", "    }\n")
        }
        Language::Python => ("    for i in range(x.shape[0]):", "        ", "", "", ""),
    };
    for number in numbers {
        text.push_str(head);
        text.push('\n');
        for (name, value) in statements(number, edit && number == EDITED) {
            let value = In(&value, language);
            // Writing to a string can't fail.
            let _ = writeln!(text, "{indent}{local}{name} = {value}{end}");
        }
        let half = if language == Language::C { "0.5f" } else { "0.5" };
        let _ = writeln!(text, "{indent}y[i] = y[i] * {half} + q{end}");
        text.push_str(closing);
    }
    if language != Language::Python {
        text.push_str("}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_are_those_of_the_description() {
        let mut text = String::from(
            "//! The kernels whose compile time is measured. Written by `program.rs`; `QD_BLESS=1` writes it anew.\n//! Longer than 800 lines because it is written by a program.\n",
        );
        for (name, numbers, edit) in
            [("one", 40..41, false), ("another", 41..42, false), ("many", 0..32, false), ("edited", 0..32, true)]
        {
            text += "\n";
            text += &kernel(Language::Rust, name, numbers, edit);
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/loops.rs");
        if std::env::var_os("QD_BLESS").is_some_and(|value| value == "1") {
            std::fs::write(path, &text).unwrap();
        }
        assert!(std::fs::read_to_string(path).unwrap_or_default() == text, "src/loops.rs differs: run with QD_BLESS=1");
    }

    #[test]
    fn an_edit_changes_one_constant() {
        let [before, after] = [false, true].map(|edit| kernel(Language::C, "f", 0..32, edit));
        let changed: Vec<_> = before.lines().zip(after.lines()).filter(|(a, b)| a != b).collect();
        assert_eq!(changed.len(), 1, "{changed:?}");
    }
}
