//! A kernel as the generator makes it: a small syntax tree that prints as Rust and that the shrinker can take apart.
//!
//! Types are known everywhere, names are text: a program that has lost a `let` no longer compiles, which the shrinker
//! notices by trying.
use std::fmt::{self, Display, Write};

use qd_ir::op::{Form, Op};
use qd_ir::types::{Scalar, ScalarClass};

/// A kernel with what its driver needs to know.
#[derive(Debug, Clone)]
pub(super) struct Program {
    /// In order.
    pub params: Vec<Param>,
    /// The types of the result; one gives a scalar, more a tuple.
    pub result: Vec<Scalar>,
    /// The body; its tails are the result.
    pub body: Vec<Stmt>,
    /// One expression for each type of the result.
    pub tail: Vec<Expr>,
}

/// A parameter.
#[derive(Debug, Clone)]
pub(super) struct Param {
    pub name: String,
    pub ty: ParamType,
}

/// What a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParamType {
    Scalar(Scalar),
    /// `&[T]`, `&mut [T]`
    Slice {
        element: Scalar,
        mutable: bool,
    },
    /// `&NdArray<T, 2>`, `&mut NdArray<T, 2>`
    Grid {
        element: Scalar,
        mutable: bool,
    },
}

/// An expression.
#[derive(Debug, Clone)]
pub(super) struct Expr {
    pub ty: Scalar,
    pub kind: Kind,
}

/// What an expression is.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// As it is written.
    Literal(String),
    /// A name, or `x.len()` and the like.
    Name(String),
    Op(Op, Vec<Expr>),
    /// `value as ty`
    Cast(Box<Expr>),
    /// `a && b`, `a || b`
    Lazy {
        and: bool,
        a: Box<Expr>,
        b: Box<Expr>,
    },
    If(Box<Expr>, Block, Block),
    /// `match value { pattern => block, .. _ => block }`
    Match(Box<Expr>, Vec<Arm>, Block),
    Block(Block),
    /// `array[index]`, `array[[i, j]]`
    Load {
        array: String,
        index: Vec<Expr>,
    },
    /// `(a, b).0`
    Part(Vec<Expr>, usize),
}

/// An arm of a `match`.
#[derive(Debug, Clone)]
pub(super) struct Arm {
    /// As it is written.
    pub pattern: String,
    pub guard: Option<Expr>,
    pub block: Block,
}

/// Statements and a value.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub stmts: Vec<Stmt>,
    pub tail: Box<Expr>,
}

/// A statement.
#[derive(Debug, Clone)]
pub(super) enum Stmt {
    Let {
        name: String,
        mutable: bool,
        annotated: bool,
        init: Expr,
    },
    /// `let (a, b) = (x, y);`
    LetTuple {
        names: Vec<String>,
        init: Vec<Expr>,
    },
    /// `place = value`, `place op= value`
    Assign {
        place: Place,
        op: Option<Op>,
        value: Expr,
    },
    /// `name = name.op(value)`: a reduction.
    Fold {
        name: String,
        op: Op,
        value: Expr,
    },
    /// `qd::atomic::name(&mut array[index], value);`
    Atomic {
        op: &'static str,
        array: String,
        index: Vec<Expr>,
        value: Expr,
    },
    If {
        cond: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    For {
        label: Option<String>,
        var: String,
        domain: Domain,
        body: Vec<Stmt>,
    },
    /// `while counter < limit && cond { counter += 1; body }`
    While {
        label: Option<String>,
        counter: String,
        limit: u32,
        cond: Expr,
        body: Vec<Stmt>,
    },
    /// `loop { counter += 1; if counter > limit { break; } body }`
    Loop {
        label: Option<String>,
        counter: String,
        limit: u32,
        body: Vec<Stmt>,
    },
    /// `break` and `continue`, with a label or not.
    Jump(String),
    /// `return (..);`
    Return(Vec<Expr>),
}

/// What is assigned to.
#[derive(Debug, Clone)]
pub(super) enum Place {
    Name(String),
    Element { array: String, index: Vec<Expr> },
}

/// What a `for` runs over.
#[derive(Debug, Clone)]
pub(super) enum Domain {
    Range(Expr, Expr),
    /// `(lo..hi).rev()` and the like: the dots, and what follows.
    Shaped(Expr, &'static str, Expr, String),
    /// As it is written: `x.indices()`.
    Text(String),
}

impl Expr {
    /// A literal.
    pub fn literal(ty: Scalar, text: impl Into<String>) -> Self {
        Expr { ty, kind: Kind::Literal(text.into()) }
    }

    /// A name.
    pub fn name(ty: Scalar, text: impl Into<String>) -> Self {
        Expr { ty, kind: Kind::Name(text.into()) }
    }

    /// The simplest value of a type.
    pub fn simplest(ty: Scalar) -> Self {
        let text = match ty.class() {
            ScalarClass::Bool => "false".to_owned(),
            ScalarClass::Signed | ScalarClass::Unsigned => format!("1{ty}"),
            ScalarClass::Float => format!("1.0{ty}"),
        };
        Expr::literal(ty, text)
    }
}

/// The symbol of an operator with two operands.
fn symbol(op: Op) -> Option<&'static str> {
    Some(match op.row().text {
        "add" => "+",
        "sub" => "-",
        "mul" => "*",
        "div" => "/",
        "rem" => "%",
        "and" => "&",
        "or" => "|",
        "xor" => "^",
        "shl" => "<<",
        "shr" => ">>",
        "eq" => "==",
        "ne" => "!=",
        "lt" => "<",
        "le" => "<=",
        "gt" => ">",
        "ge" => ">=",
        _ => return None,
    })
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Literal(text) | Kind::Name(text) => f.write_str(text),
            Kind::Op(op, args) => match (op.row().form, args.as_slice()) {
                (Form::Operator, [a]) => write!(f, "({}{a})", if op.row().text == "neg" { "-" } else { "!" }),
                (Form::Operator, [a, b]) => write!(f, "({a} {} {b})", symbol(*op).unwrap_or("?")),
                (Form::Operator | Form::Function | Form::Debug, args) => {
                    write!(f, "{}::{op}({})", self.ty, List(args))
                }
                (Form::Method, [receiver, rest @ ..]) => write!(f, "({receiver}).{op}({})", List(rest)),
                (Form::Method, []) => Err(fmt::Error),
            },
            Kind::Cast(value) => write!(f, "({value} as {})", self.ty),
            Kind::Lazy { and, a, b } => write!(f, "({a} {} {b})", if *and { "&&" } else { "||" }),
            Kind::If(cond, then, otherwise) => write!(f, "(if {cond} {then} else {otherwise})"),
            Kind::Match(value, arms, otherwise) => {
                writeln!(f, "(match {value} {{")?;
                for Arm { pattern, guard, block } in arms {
                    let guard = guard.as_ref().map(|guard| format!(" if {guard}")).unwrap_or_default();
                    writeln!(f, "{pattern}{guard} => {block}")?;
                }
                write!(f, "_ => {otherwise} }})")
            }
            Kind::Block(block) => write!(f, "({block})"),
            Kind::Load { array, index } => write!(f, "{array}{}", Index(index)),
            Kind::Part(parts, which) => write!(f, "({}).{which}", List(parts)),
        }
    }
}

impl Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{{")?;
        self.stmts.iter().try_for_each(|stmt| writeln!(f, "{stmt}"))?;
        write!(f, "{} }}", self.tail)
    }
}

/// Expressions with commas between them.
struct List<'a>(&'a [Expr]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(k, part)| write!(f, "{}{part}", if k > 0 { ", " } else { "" }))
    }
}

/// The index of an element with its brackets.
struct Index<'a>(&'a [Expr]);

impl Display for Index<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [one] => write!(f, "[{one}]"),
            several => write!(f, "[[{}]]", List(several)),
        }
    }
}

/// Statements, a line each.
struct Lines<'a>(&'a [Stmt]);

impl Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|stmt| writeln!(f, "{stmt}"))
    }
}

/// A label with its colon, or nothing.
struct Label<'a>(&'a Option<String>);

impl Display for Label<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |label| write!(f, "{label}: "))
    }
}

impl Display for Stmt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stmt::Let { name, mutable, annotated, init } => {
                let mutable = if *mutable { "mut " } else { "" };
                let ty = if *annotated { format!(": {}", init.ty) } else { String::new() };
                write!(f, "let {mutable}{name}{ty} = {init};")
            }
            Stmt::LetTuple { names, init } => write!(f, "let ({}) = ({});", names.join(", "), List(init)),
            Stmt::Assign { place, op, value } => {
                match place {
                    Place::Name(name) => f.write_str(name)?,
                    Place::Element { array, index } => write!(f, "{array}{}", Index(index))?,
                }
                write!(f, " {}= {value};", op.and_then(symbol).unwrap_or(""))
            }
            Stmt::Fold { name, op, value } => match (op.row().form, symbol(*op)) {
                (Form::Operator, Some(symbol)) => write!(f, "{name} {symbol}= {value};"),
                _ => write!(f, "{name} = {name}.{op}({value});"),
            },
            Stmt::Atomic { op, array, index, value } => {
                write!(f, "qd::atomic::{op}(&mut {array}{}, {value});", Index(index))
            }
            Stmt::If { cond, then, otherwise } => {
                write!(f, "if {cond} {{\n{}}}", Lines(then))?;
                if otherwise.is_empty() { Ok(()) } else { write!(f, " else {{\n{}}}", Lines(otherwise)) }
            }
            Stmt::For { label, var, domain, body } => {
                write!(f, "{}for {var} in ", Label(label))?;
                match domain {
                    Domain::Range(lo, hi) => write!(f, "{lo}..{hi}")?,
                    Domain::Shaped(lo, dots, hi, rest) => write!(f, "({lo}{dots}{hi}){rest}")?,
                    Domain::Text(text) => f.write_str(text)?,
                }
                write!(f, " {{\n{}}}", Lines(body))
            }
            Stmt::While { label, counter, limit, cond, body } => write!(
                f,
                "let mut {counter} = 0u32;\n{}while {counter} < {limit} && {cond} {{\n{counter} += 1;\n{}}}",
                Label(label),
                Lines(body)
            ),
            Stmt::Loop { label, counter, limit, body } => write!(
                f,
                "let mut {counter} = 0u32;\n{}loop {{\n{counter} += 1;\nif {counter} > {limit} {{ break; }}\n{}}}",
                Label(label),
                Lines(body)
            ),
            Stmt::Jump(text) => write!(f, "{text};"),
            Stmt::Return(values) => write!(f, "return {};", value(values)),
        }
    }
}

/// The value of several expressions: nothing, a scalar or a tuple.
fn value(parts: &[Expr]) -> String {
    match parts {
        [one] => one.to_string(),
        parts => format!("({})", List(parts)),
    }
}

impl ParamType {
    /// The element or the scalar.
    pub fn scalar(self) -> Scalar {
        match self {
            ParamType::Scalar(ty) => ty,
            ParamType::Slice { element, .. } | ParamType::Grid { element, .. } => element,
        }
    }
}

impl Program {
    /// The kernel and its driver `check`, as a module of the crate that runs it.
    pub fn module(&self) -> String {
        let mut text = String::from("use qd::prelude::*;\n\nuse crate::support::*;\n\n");
        // Writing to a string can't fail.
        let _ = writeln!(text, "{}", self.kernel());
        let (mut inputs, mut native, mut compiled, mut compare) =
            (String::new(), String::new(), String::new(), String::new());
        for (k, Param { name, ty }) in self.params.iter().enumerate() {
            let element = ty.scalar();
            let make = match ty {
                ParamType::Scalar(_) => "value",
                ParamType::Slice { .. } => "slice",
                ParamType::Grid { .. } => "grid",
            };
            let _ = writeln!(inputs, "let {name} = {make}::<{element}>(case, {k});");
            let mutable = match ty {
                ParamType::Scalar(_) => {
                    let _ = write!(native, "{name}, ");
                    let _ = write!(compiled, "{name}, ");
                    continue;
                }
                ParamType::Slice { mutable, .. } | ParamType::Grid { mutable, .. } => *mutable,
            };
            if mutable {
                let _ = writeln!(inputs, "let mut native_{name} = {name}.clone();");
                let _ = write!(native, "&mut native_{name}, ");
                let _ = write!(compiled, "&mut {name}, ");
                let _ = writeln!(compare, "same(\"{name}\", &native_{name}, &{name})?;");
            } else {
                let _ = write!(native, "&{name}, ");
                let _ = write!(compiled, "&{name}, ");
            }
        }
        let fresh: String = self
            .params
            .iter()
            .filter(|param| compare.contains(&format!("\"{}\"", param.name)))
            .map(|param| format!("let mut {0} = {0}.clone();\n", param.name))
            .collect();
        let _ = write!(
            text,
            "pub fn check() -> Result<(), String> {{
for case in 0..CASES {{
{inputs}let native = natively(|| kernel.native({native}));
for engine in engines() {{
{fresh}let compiled = engine.runtime.scope(|| kernel.try_call({compiled}));
let checked = agree(&native, compiled).and_then(|whole| {{
if whole {{
{compare}}}
Ok(())
}});
checked.map_err(|what| format!(\"case {{case}}, {{}}: {{what}}\", engine.name))?;
}}
}}
Ok(())
}}
"
        );
        text
    }

    /// The kernel alone.
    pub fn kernel(&self) -> String {
        let params: Vec<String> = self
            .params
            .iter()
            .map(|Param { name, ty }| {
                let reference = |mutable: bool| if mutable { "&mut " } else { "&" };
                match *ty {
                    ParamType::Scalar(ty) => format!("{name}: {ty}"),
                    ParamType::Slice { element, mutable } => format!("{name}: {}[{element}]", reference(mutable)),
                    ParamType::Grid { element, mutable } => {
                        format!("{name}: {}NdArray<{element}, 2>", reference(mutable))
                    }
                }
            })
            .collect();
        let result = match self.result.as_slice() {
            [] => String::new(),
            [one] => format!(" -> {one}"),
            several => format!(" -> ({})", several.iter().map(Scalar::to_string).collect::<Vec<_>>().join(", ")),
        };
        let tail = if self.tail.is_empty() { String::new() } else { value(&self.tail) };
        format!("#[qd::kernel]\nfn kernel({}){result} {{\n{}{tail}\n}}\n", params.join(", "), Lines(&self.body))
    }
}
