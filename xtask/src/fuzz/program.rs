//! A program as the generator makes it: source text with holes for expressions and statements.
//!
//! The text says how a form is written, the holes say where the shrinker may cut. Types are known at every expression;
//! names are text: a program that has lost a `let` no longer compiles, which the shrinker notices by trying.
use std::fmt::{self, Display, Write};

use qd_ir::types::Scalar;

use super::form::{Coverage, Form};
use super::ty::{Defs, Ty};

/// A part of a node.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    Text(String),
    Expr(Expr),
    Stmts(Vec<Stmt>),
}

/// An expression.
#[derive(Debug, Clone)]
pub(super) struct Expr {
    pub ty: Ty,
    pub form: Form,
    pub pieces: Vec<Piece>,
}

/// A statement.
#[derive(Debug, Clone)]
pub(super) struct Stmt {
    pub form: Form,
    pub pieces: Vec<Piece>,
}

/// What is defined beside the kernel.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub form: Form,
    pub pieces: Vec<Piece>,
    /// What the driver needs for it.
    pub support: String,
}

/// A parameter of the kernel.
#[derive(Debug, Clone)]
pub(super) struct Param {
    pub form: Form,
    pub name: String,
    /// What stands in the signature before the type, if not the name.
    pub pattern: Option<String>,
    pub kind: ParamKind,
}

/// What a parameter is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ParamKind {
    Value(Ty),
    /// `&[T]`, `&NdArray<T, RANK>` and the like.
    Array {
        element: Ty,
        slice: bool,
        rank: usize,
        mutable: bool,
    },
    /// `&[T]` of numbers that don't fall, and are no index behind the end of a slice.
    Offsets(Scalar),
    /// `&B0` and the like.
    Bundle {
        fields: Vec<Field>,
        mutable: bool,
    },
}

/// A field of a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub name: String,
    pub kind: FieldKind,
}

/// What a field of a bundle is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FieldKind {
    Value(Ty),
    /// `Vec<T>`
    Vec(Ty),
    /// `Box<[T]>`
    Boxed(Ty),
    /// `NdArray<T, RANK>`
    Grid(Ty, usize),
}

impl Field {
    /// Its type, as source.
    pub fn ty(&self) -> String {
        match &self.kind {
            FieldKind::Value(ty) => ty.to_string(),
            FieldKind::Vec(ty) => format!("Vec<{ty}>"),
            FieldKind::Boxed(ty) => format!("Box<[{ty}]>"),
            FieldKind::Grid(ty, rank) => format!("NdArray<{ty}, {rank}>"),
        }
    }

    /// How the driver makes it.
    fn input(&self, number: usize) -> String {
        match &self.kind {
            FieldKind::Value(ty) => format!("value::<{ty}>(case, {number})"),
            FieldKind::Vec(ty) => format!("slice::<{ty}>(case, {number})"),
            FieldKind::Boxed(ty) => format!("slice::<{ty}>(case, {number}).into()"),
            FieldKind::Grid(ty, rank) => format!("grid::<{ty}, {rank}>(case, {number})"),
        }
    }
}

/// An instance of a generic kernel.
#[derive(Debug, Clone)]
pub(super) struct Instance {
    /// `type T = i32;`, `const N: usize = 3;`
    pub declares: String,
    /// `::<i32, 3>`
    pub arguments: String,
}

/// A kernel with all it needs.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub defs: Defs,
    pub items: Vec<Item>,
    /// `<T: qd::Int, const N: usize>`
    pub generics: String,
    pub instances: Vec<Instance>,
    pub params: Vec<Param>,
    pub result: Ty,
    pub body: Vec<Stmt>,
    pub tail: Option<Expr>,
}

impl From<&str> for Piece {
    fn from(text: &str) -> Self {
        Piece::Text(text.to_owned())
    }
}

impl From<String> for Piece {
    fn from(text: String) -> Self {
        Piece::Text(text)
    }
}

impl From<Expr> for Piece {
    fn from(expr: Expr) -> Self {
        Piece::Expr(expr)
    }
}

impl From<Vec<Stmt>> for Piece {
    fn from(stmts: Vec<Stmt>) -> Self {
        Piece::Stmts(stmts)
    }
}

/// Pieces, one after the other.
macro_rules! pieces {
    ($($piece:expr),* $(,)?) => { vec![$($crate::fuzz::program::Piece::from($piece)),*] };
}
pub(super) use pieces;

/// Expressions with commas between them.
pub(super) fn list(parts: Vec<Expr>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in parts {
        if !pieces.is_empty() {
            pieces.push(", ".into());
        }
        pieces.push(part.into());
    }
    pieces
}

impl Expr {
    pub fn new(ty: impl Into<Ty>, form: Form, pieces: Vec<Piece>) -> Self {
        Expr { ty: ty.into(), form, pieces }
    }

    /// A literal.
    pub fn literal(ty: impl Into<Ty>, text: impl Into<String>) -> Self {
        Expr::new(ty, Form::Literal, vec![Piece::Text(text.into())])
    }

    /// A name.
    pub fn name(ty: impl Into<Ty>, text: impl Into<String>) -> Self {
        Expr::new(ty, Form::Name, vec![Piece::Text(text.into())])
    }

    /// `(self as ty)`
    pub fn cast(self, ty: Scalar) -> Self {
        Expr::new(ty, Form::Cast, pieces!["(", self, format!(" as {ty})")])
    }
}

impl Stmt {
    pub fn new(form: Form, pieces: Vec<Piece>) -> Self {
        Stmt { form, pieces }
    }
}

fn write_pieces(f: &mut dyn Write, pieces: &[Piece]) -> fmt::Result {
    pieces.iter().try_for_each(|piece| match piece {
        Piece::Text(text) => f.write_str(text),
        Piece::Expr(expr) => write_pieces(f, &expr.pieces),
        Piece::Stmts(stmts) => write_stmts(f, stmts),
    })
}

fn write_stmts(f: &mut dyn Write, stmts: &[Stmt]) -> fmt::Result {
    stmts.iter().try_for_each(|stmt| {
        write_pieces(f, &stmt.pieces)?;
        f.write_char('\n')
    })
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_pieces(f, &self.pieces)
    }
}

/// Every list of statements in the pieces, from the outside in.
pub(super) fn lists(pieces: &mut [Piece], visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    for piece in pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Expr(expr) => lists(&mut expr.pieces, visit),
            Piece::Stmts(stmts) => lists_in(stmts, visit),
        }
    }
}

/// A list of statements and those in it.
pub(super) fn lists_in(stmts: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(stmts);
    stmts.iter_mut().for_each(|stmt| lists(&mut stmt.pieces, visit));
}

/// Every expression in the pieces, from the outside in.
pub(super) fn expressions(pieces: &mut [Piece], visit: &mut dyn FnMut(&mut Expr)) {
    for piece in pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Expr(expr) => {
                visit(expr);
                expressions(&mut expr.pieces, visit);
            }
            Piece::Stmts(stmts) => stmts.iter_mut().for_each(|stmt| expressions(&mut stmt.pieces, visit)),
        }
    }
}

/// Counts the forms in the pieces.
fn count(pieces: &[Piece], coverage: &mut Coverage) {
    for piece in pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Expr(expr) => {
                coverage.add(expr.form);
                count(&expr.pieces, coverage);
            }
            Piece::Stmts(stmts) => count_stmts(stmts, coverage),
        }
    }
}

fn count_stmts(stmts: &[Stmt], coverage: &mut Coverage) {
    for stmt in stmts {
        coverage.add(stmt.form);
        count(&stmt.pieces, coverage);
    }
}

impl Program {
    /// Counts its forms.
    pub fn count(&self, coverage: &mut Coverage) {
        for item in &self.items {
            coverage.add(item.form);
            count(&item.pieces, coverage);
        }
        for param in &self.params {
            coverage.add(param.form);
            if let ParamKind::Array { element, .. } = &param.kind
                && element.scalar().is_none()
            {
                coverage.add(Form::DataElements);
            }
        }
        if !self.generics.is_empty() {
            coverage.add(Form::GenericKernel);
        }
        if self.instances.iter().any(|instance| instance.declares.contains("f16")) {
            coverage.add(Form::HalfKernel);
        }
        if self.result != Ty::UNIT {
            coverage.add(if self.result.scalar().is_some() { Form::ScalarResult } else { Form::DataResult });
        }
        count_stmts(&self.body, coverage);
        if let Some(tail) = &self.tail {
            coverage.add(tail.form);
            count(&tail.pieces, coverage);
        }
    }

    /// Every list of statements.
    pub fn lists(&mut self, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
        lists_in(&mut self.body, visit);
        self.tail.iter_mut().for_each(|tail| lists(&mut tail.pieces, visit));
        self.items.iter_mut().for_each(|item| lists(&mut item.pieces, visit));
    }

    /// Every expression.
    pub fn expressions(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        self.body.iter_mut().for_each(|stmt| expressions(&mut stmt.pieces, visit));
        if let Some(tail) = &mut self.tail {
            visit(tail);
            expressions(&mut tail.pieces, visit);
        }
        self.items.iter_mut().for_each(|item| expressions(&mut item.pieces, visit));
    }

    /// The kernel and what it calls, as source.
    pub fn source(&self) -> String {
        let mut text = String::new();
        // Writing to a string can't fail.
        for item in &self.items {
            let _ = write_pieces(&mut text, &item.pieces);
            text.push('\n');
        }
        let params: Vec<String> = self.params.iter().map(Param::source).collect();
        let result = if self.result == Ty::UNIT { String::new() } else { format!(" -> {}", self.result) };
        let _ = writeln!(text, "#[qd::kernel]\nfn kernel{}({}){result} {{", self.generics, params.join(", "));
        let _ = write_stmts(&mut text, &self.body);
        if let Some(tail) = &self.tail {
            let _ = writeln!(text, "{tail}");
        }
        text.push_str("}\n");
        text
    }

    /// The program and its driver `check`, as a module of the crate that runs it.
    pub fn module(&self) -> String {
        let mut text = String::from("use qd::prelude::*;\nuse qd::{Float, Int, Number};\n\nuse crate::support::*;\n\n");
        text.push_str(&self.source());
        self.items.iter().for_each(|item| text.push_str(&item.support));
        text.push_str("pub fn check() -> Result<(), String> {\n");
        match self.instances.as_slice() {
            [] => text.push_str(&self.comparison("", "")),
            instances => {
                for Instance { declares, arguments } in instances {
                    text.push_str(&self.comparison(declares, arguments));
                }
            }
        }
        text.push_str("Ok(())\n}\n");
        text
    }

    /// The comparison of one instance with its native body.
    fn comparison(&self, declares: &str, arguments: &str) -> String {
        let (mut inputs, mut native, mut compiled, mut compare, mut fresh) =
            (String::new(), String::new(), String::new(), String::new(), String::new());
        for (k, Param { name, kind, .. }) in self.params.iter().enumerate() {
            // Writing to a string can't fail.
            match kind {
                ParamKind::Value(ty) => {
                    let _ = writeln!(inputs, "let {name} = value::<{ty}>(case, {k});");
                    let _ = write!(native, "{name}, ");
                    let _ = write!(compiled, "{name}, ");
                }
                ParamKind::Array { element, slice, rank, mutable } => {
                    let make = if *slice { "slice" } else { "grid" };
                    let extents = if *slice { String::new() } else { format!(", {rank}") };
                    let _ = writeln!(inputs, "let {name} = {make}::<{element}{extents}>(case, {k});");
                    if *mutable {
                        let _ = writeln!(inputs, "let mut native_{name} = {name}.clone();");
                        let _ = write!(native, "&mut native_{name}, ");
                        let _ = write!(compiled, "&mut {name}, ");
                        let _ = writeln!(compare, "same(\"{name}\", &native_{name}, &{name})?;");
                        let _ = writeln!(fresh, "let mut {name} = {name}.clone();");
                    } else {
                        let _ = write!(native, "&{name}, ");
                        let _ = write!(compiled, "&{name}, ");
                    }
                }
                ParamKind::Offsets(ty) => {
                    let _ = writeln!(inputs, "let {name} = offsets::<{ty}>(case, {k});");
                    let _ = write!(native, "&{name}, ");
                    let _ = write!(compiled, "&{name}, ");
                }
                ParamKind::Bundle { fields, mutable } => {
                    let numbered = fields.iter().zip((k + 1) * 16..);
                    let made: Vec<String> =
                        numbered.map(|(field, number)| format!("{}: {}", field.name, field.input(number))).collect();
                    let _ = writeln!(inputs, "let {name} = B0 {{ {} }};", made.join(", "));
                    let _ = writeln!(inputs, "let mut native_{name} = {name}.clone();");
                    let reference = if *mutable { "&mut " } else { "&" };
                    let _ = write!(native, "{reference}native_{name}, ");
                    let _ = write!(compiled, "{reference}{name}, ");
                    let _ = writeln!(fresh, "let mut {name} = {name}.clone();");
                    for field in fields {
                        let path = format!("{name}.{}", field.name);
                        let _ = match field.kind {
                            FieldKind::Value(_) => {
                                writeln!(compare, "same(\"{path}\", &vec![native_{path}], &vec![{path}])?;")
                            }
                            FieldKind::Vec(_) | FieldKind::Boxed(_) | FieldKind::Grid(..) => {
                                writeln!(compare, "same(\"{path}\", &native_{path}, &{path})?;")
                            }
                        };
                    }
                }
            }
        }
        format!(
            "{{\n{declares}\nfor case in 0..CASES {{
{inputs}let native = natively(|| kernel{arguments}.native({native}));
for engine in engines() {{
{fresh}let compiled = engine.runtime.scope(|| compiled(|| kernel{arguments}.try_call({compiled})));
let checked = agree(&native, compiled).and_then(|whole| {{
if whole {{
{compare}}}
Ok(())
}});
checked.map_err(|what| format!(\"case {{case}}, {{}}: {{what}}\", engine.name))?;
}}
}}
}}
"
        )
    }
}

impl Param {
    fn source(&self) -> String {
        let name = self.pattern.as_ref().unwrap_or(&self.name);
        match &self.kind {
            ParamKind::Value(ty) => {
                let specialize = if self.form == Form::SpecializedParam { "#[specialize] " } else { "" };
                format!("{specialize}{name}: {ty}")
            }
            ParamKind::Array { element, slice, rank, mutable } => {
                let mutable = if *mutable { "mut " } else { "" };
                if *slice {
                    format!("{name}: &{mutable}[{element}]")
                } else {
                    format!("{name}: &{mutable}NdArray<{element}, {rank}>")
                }
            }
            ParamKind::Offsets(ty) => format!("{name}: &[{ty}]"),
            ParamKind::Bundle { mutable, .. } => format!("{name}: &{}B0", if *mutable { "mut " } else { "" }),
        }
    }
}
