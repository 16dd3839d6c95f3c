//! The textual form of tasks and kernels, for people and tests.
//!
//! `Display` of a [`Task`] prints it, [`parse`] reads it back: `parse(print(task)) == task` for every task that the
//! verifier accepts. A kernel is only printed. The form is in no key and no artifact.
//!
//! ```text
//! task parallel {
//!   array a0: &mut NdArray<f32, 1>
//!   site s0: index a0
//!   bounds {
//!     v0: usize = const 0
//!     v1: usize = extent a0 0
//!   }
//!   dim v2: usize in v0..v1
//!   body {
//!     v3: f32 = load a0[v2] !s0
//!     v4: f32 = const 2.0
//!     v5: f32 = mul v3 v4
//!     store a0[v2] = v5 !s0
//!   }
//! }
//! ```
mod kernel;
mod reduction;

use std::fmt::{self, Display, Formatter};

use crate::arena::{Arena, Id};
use crate::body::{Local, LoopId, Part, Region, Step, Stmt, Unroll, Value};
use crate::fault::Site;
use crate::op::{AtomicOp, Op};
use crate::task::{Array, Dim, Input, Output, Task, TaskKind};
use crate::types::{ArrayType, Const, Element, Field, Scalar};

/// The textual form.
pub fn print(what: &(impl Display + ?Sized)) -> String {
    what.to_string()
}

/// Spaces for a level of nesting.
struct Indent(usize);

impl Display for Indent {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:1$}", "", self.0 * 2)
    }
}

/// A handle with the letter of its arena.
struct Handle(char, usize);

impl Display for Handle {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.0, self.1)
    }
}

fn v(id: Id<Value>) -> Handle {
    Handle('v', id.index())
}

fn a(id: Id<Array>) -> Handle {
    Handle('a', id.index())
}

fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

impl Display for Task {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_task(f, self, 0)
    }
}

fn write_task(f: &mut Formatter<'_>, task: &Task, depth: usize) -> fmt::Result {
    let (outer, inner) = (Indent(depth), Indent(depth + 1));
    let kind = match &task.kind {
        TaskKind::Serial => "serial",
        TaskKind::Parallel { .. } => "parallel",
    };
    writeln!(f, "{outer}task {kind} {{")?;
    for (id, array) in task.arrays.iter() {
        writeln!(f, "{inner}array {}: {}", a(id), array.ty)?;
    }
    for (id, input) in task.inputs.iter() {
        writeln!(f, "{inner}input i{}: {}", id.index(), input.ty)?;
    }
    for (id, output) in task.outputs.iter() {
        writeln!(f, "{inner}output o{}: {}", id.index(), output.ty)?;
    }
    for (i, reduction) in task.reductions().iter().enumerate() {
        writeln!(f, "{inner}reduction r{i}: {reduction}")?;
    }
    for (id, local) in task.locals.iter() {
        write!(f, "{inner}local l{}: {}", id.index(), local.ty)?;
        if local.len != 1 {
            write!(f, " x {}", local.len)?;
        }
        writeln!(f)?;
    }
    for (id, site) in task.sites.iter() {
        write!(f, "{inner}site s{}: ", id.index())?;
        match site {
            Site::Index(array) => writeln!(f, "index {}", a(*array))?,
            Site::Op(op, ty) => writeln!(f, "{op} {ty}")?,
            Site::Panic => writeln!(f, "panic")?,
            Site::Print => writeln!(f, "print")?,
            Site::Step => writeln!(f, "step")?,
        }
    }
    if let TaskKind::Parallel { bounds, carried, dims, reductions: _ } = &task.kind {
        writeln!(f, "{inner}bounds {{")?;
        write_region(f, task, bounds, depth + 2)?;
        writeln!(f, "{inner}}}")?;
        for value in carried {
            writeln!(f, "{inner}carry {}", v(*value))?;
        }
        for Dim { var, lo, hi } in dims {
            writeln!(f, "{inner}dim {}: {} in {}..{}", v(*var), ty(task, *var), v(*lo), v(*hi))?;
        }
    }
    writeln!(f, "{inner}body {{")?;
    write_region(f, task, &task.body, depth + 2)?;
    writeln!(f, "{inner}}}")?;
    writeln!(f, "{outer}}}")
}

/// The type of a value; of a handle that belongs elsewhere (a task the verifier refuses) a question mark.
fn ty(task: &Task, value: Id<Value>) -> &'static str {
    task.values.get(value).map_or("?", |value| value.ty.name())
}

fn write_region(f: &mut Formatter<'_>, task: &Task, region: &Region, depth: usize) -> fmt::Result {
    region.0.iter().try_for_each(|stmt| write_stmt(f, task, stmt, depth))
}

fn write_stmt(f: &mut Formatter<'_>, task: &Task, stmt: &Stmt, depth: usize) -> fmt::Result {
    let indent = Indent(depth);
    write!(f, "{indent}")?;
    if let Some(dst) = stmt.dst() {
        write!(f, "{}: {} = ", v(dst), ty(task, dst))?;
    }
    let ids = |ids: &[Id<Value>]| list(ids.iter().map(|id| v(*id)));
    let site = |site: &Option<Id<Site>>| site.map_or(String::new(), |site| format!(" !s{}", site.index()));
    let steps = |part: &Part| {
        let step = |Step { index, len, stride }: &Step| format!("[{} of {len} by {stride}]", v(*index));
        format!(".{}{}", part.base, part.steps.iter().map(step).collect::<String>())
    };
    // The only scalar of an element needs no number.
    let part = |part: &Part| if *part == Part::default() { String::new() } else { steps(part) };
    match stmt {
        Stmt::Const { dst: _, value } => writeln!(f, "const {}", Literal(*value)),
        Stmt::Input { dst: _, input } => writeln!(f, "input i{}", input.index()),
        Stmt::Extent { dst: _, array, dim } => writeln!(f, "extent {} {dim}", a(*array)),
        Stmt::Op { dst: _, op, args, site: at } => {
            let args = args.iter().map(|arg| format!(" {}", v(*arg))).collect::<String>();
            writeln!(f, "{op}{args}{}", site(at))
        }
        Stmt::Get { dst: _, local } => writeln!(f, "get l{}", local.index()),
        Stmt::Set { local, value } => writeln!(f, "set l{} = {}", local.index(), v(*value)),
        Stmt::GetPart { dst: _, local, part: at } => writeln!(f, "get l{}{}", local.index(), steps(at)),
        Stmt::SetPart { local, part: at, value } => {
            writeln!(f, "set l{}{} = {}", local.index(), steps(at), v(*value))
        }
        Stmt::Load { dst: _, array, index, part: of, site: at } => {
            writeln!(f, "load {}[{}]{}{}", a(*array), ids(index), part(of), site(at))
        }
        Stmt::Store { array, index, part: of, value, site: at } => {
            writeln!(f, "store {}[{}]{} = {}{}", a(*array), ids(index), part(of), v(*value), site(at))
        }
        Stmt::Atomic { dst: _, op, array, index, part: of, value, site: at } => {
            let place = format!("{}[{}]{}", a(*array), ids(index), part(of));
            writeln!(f, "atomic {} {place} {}{}", op.name(), v(*value), site(at))
        }
        Stmt::CompareExchange { dst: _, array, index, part: of, current, new, site: at } => {
            let place = format!("{}[{}]{}", a(*array), ids(index), part(of));
            writeln!(f, "compare_exchange {place} {} {}{}", v(*current), v(*new), site(at))
        }
        Stmt::Check { array, index, site } => {
            writeln!(f, "check {}[{}] !s{}", a(*array), ids(index), site.index())
        }
        Stmt::Claim { array, index, site } => {
            writeln!(f, "claim {}[{}] !s{}", a(*array), ids(index), site.index())
        }
        Stmt::CheckStep { index, len, site } => writeln!(f, "check {} of {len} !s{}", v(*index), site.index()),
        Stmt::Reduce { reduction, value } => writeln!(f, "reduce r{} {}", reduction.index(), v(*value)),
        Stmt::ReducePart { reduction, part, value } => {
            writeln!(f, "reduce r{}{} {}", reduction.index(), steps(part), v(*value))
        }
        Stmt::Offer { reduction, values } => writeln!(f, "offer r{}({})", reduction.index(), ids(values)),
        Stmt::Output { output, value } => writeln!(f, "output o{} = {}", output.index(), v(*value)),
        Stmt::If { cond, then, otherwise } => {
            writeln!(f, "if {} {{", v(*cond))?;
            write_region(f, task, then, depth + 1)?;
            if !otherwise.0.is_empty() {
                writeln!(f, "{indent}}} else {{")?;
                write_region(f, task, otherwise, depth + 1)?;
            }
            writeln!(f, "{indent}}}")
        }
        Stmt::For { id, var, lo, hi, unroll, body } => {
            write!(f, "for L{} {}: {} in {}..{} ", id.0, v(*var), ty(task, *var), v(*lo), v(*hi))?;
            match unroll {
                Unroll::Auto => {}
                Unroll::Full => write!(f, "unroll ")?,
                Unroll::By(times) => write!(f, "unroll {times} ")?,
            }
            writeln!(f, "{{")?;
            write_region(f, task, body, depth + 1)?;
            writeln!(f, "{indent}}}")
        }
        Stmt::Loop { id, body } => {
            writeln!(f, "loop L{} {{", id.0)?;
            write_region(f, task, body, depth + 1)?;
            writeln!(f, "{indent}}}")
        }
        Stmt::Fail { site, values } => writeln!(f, "fail({}) !s{}", ids(values), site.index()),
        Stmt::Print { site, values } => writeln!(f, "print({}) !s{}", ids(values), site.index()),
        Stmt::Break(id) => writeln!(f, "break L{}", id.0),
        Stmt::Continue(id) => writeln!(f, "continue L{}", id.0),
        Stmt::End => writeln!(f, "end"),
    }
}

/// A constant whose bits can be read back: a NaN is `nan:` and its bits.
struct Literal(Const);

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Const { ty, bits } = self.0;
        let nan = match ty {
            Scalar::F32 => f32::from_bits(bits as u32).is_nan(),
            Scalar::F64 => f64::from_bits(bits as u64).is_nan(),
            Scalar::F16 => half::f16::from_bits(bits as u16).is_nan(),
            Scalar::Bf16 => half::bf16::from_bits(bits as u16).is_nan(),
            Scalar::Bool
            | Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::Isize
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64
            | Scalar::Usize
            | Scalar::I128
            | Scalar::U128 => false,
        };
        if nan { write!(f, "nan:{bits}") } else { self.0.fmt(f) }
    }
}

/// Why a text is no task.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// Reads the textual form of a task. `//` starts a comment.
pub fn parse(text: &str) -> Result<Task, ParseError> {
    let mut parser = Parser { tokens: tokens(text), at: 0, values: Vec::new() };
    let task = parser.task()?;
    match parser.peek() {
        None => Ok(task),
        Some(more) => Err(parser.error(format!("`{more}` after the task"))),
    }
}

/// Tokens with their lines: words (letters, digits, `_`, `.` inside numbers, `-`, `:` of `nan:`), and punctuation.
fn tokens(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split("//").next().unwrap_or_default();
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+');
            let len = if let Some(range) = rest.strip_prefix("..") {
                rest.len() - range.len()
            } else if word(first) {
                let mut len = 0;
                for (at, c) in rest.char_indices() {
                    // A point belongs to a number, two of them are a range; a colon belongs to `nan:`.
                    let point = c == '.' && !rest[at + 1..].starts_with('.') && !first.is_alphabetic();
                    let nan = c == ':' && &rest[..at] == "nan";
                    if !(word(c) || point || nan) {
                        break;
                    }
                    len = at + c.len_utf8();
                }
                len
            } else {
                first.len_utf8()
            };
            found.push((number + 1, &rest[..len]));
            rest = rest[len..].trim_start();
        }
    }
    found
}

struct Parser<'a> {
    tokens: Vec<(usize, &'a str)>,
    at: usize,
    /// Types of the values set so far, by handle.
    values: Vec<Option<Scalar>>,
}

type Parse<T> = Result<T, ParseError>;

impl<'a> Parser<'a> {
    fn error(&self, message: impl Into<String>) -> ParseError {
        let at = self.tokens.get(self.at).or(self.tokens.last());
        ParseError { line: at.map_or(1, |(line, _)| *line), message: message.into() }
    }

    fn peek(&self) -> Option<&'a str> {
        self.tokens.get(self.at).map(|(_, token)| *token)
    }

    fn next(&mut self) -> Parse<&'a str> {
        let token = self.peek().ok_or_else(|| self.error("the text ends too early"))?;
        self.at += 1;
        Ok(token)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Parse<()> {
        if self.eat(token) {
            return Ok(());
        }
        Err(self.error(format!("`{token}` is expected, not `{}`", self.peek().unwrap_or("the end"))))
    }

    fn read<T>(&mut self, what: &str, read: impl FnOnce(&str) -> Option<T>) -> Parse<T> {
        let token = self.peek().unwrap_or("the end");
        let found = read(token).ok_or_else(|| self.error(format!("{what} is expected, not `{token}`")))?;
        self.at += 1;
        Ok(found)
    }

    fn number<T: std::str::FromStr>(&mut self) -> Parse<T> {
        self.read("a number", |token| token.parse().ok())
    }

    fn scalar(&mut self) -> Parse<Scalar> {
        self.read("a scalar type", Scalar::from_name)
    }

    fn id<T>(&mut self, letter: char) -> Parse<Id<T>> {
        let index =
            self.read(&format!("a name in `{letter}`"), |token| token.strip_prefix(letter)?.parse::<u32>().ok())?;
        Ok(Id::new(index as usize))
    }

    fn value(&mut self) -> Parse<Id<Value>> {
        self.id('v')
    }

    fn loop_id(&mut self) -> Parse<LoopId> {
        self.id::<LoopId>('L').map(|id| LoopId(id.index() as u32))
    }

    /// `v0: f32`
    fn definition(&mut self) -> Parse<(Id<Value>, Scalar)> {
        let id = self.value()?;
        self.expect(":")?;
        let ty = self.scalar()?;
        // A dense list: a text can't make it longer than itself, so the handle is bounded first.
        if id.index() > self.tokens.len() {
            return Err(self.error("values are numbered without gaps"));
        }
        if self.values.len() <= id.index() {
            self.values.resize(id.index() + 1, None);
        }
        if self.values[id.index()].replace(ty).is_some() {
            return Err(self.error(format!("v{} is set twice", id.index())));
        }
        Ok((id, ty))
    }

    /// Declarations `keyword x0: ..`, numbered in order.
    fn declarations<T>(
        &mut self,
        keyword: &str,
        letter: char,
        mut entry: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Arena<T>> {
        let mut arena = Arena::new();
        while self.eat(keyword) {
            let id = self.id::<T>(letter)?;
            if id.index() != arena.len() {
                return Err(self.error(format!("{letter}{} is expected", arena.len())));
            }
            self.expect(":")?;
            arena.push(entry(self)?);
        }
        Ok(arena)
    }

    fn array_type(&mut self) -> Parse<ArrayType> {
        self.expect("&")?;
        let mutable = self.eat("mut");
        self.expect("NdArray")?;
        self.expect("<")?;
        let element = self.element_type()?;
        self.expect(",")?;
        let rank = self.number()?;
        self.expect(">")?;
        Ok(ArrayType { element, rank, mutable })
    }

    /// `f32`, `[16 align 4: f32 at 0, u8 at 12]`
    fn element_type(&mut self) -> Parse<Element> {
        if !self.eat("[") {
            return self.scalar().map(Element::from);
        }
        let size = self.number()?;
        self.expect("align")?;
        let align = self.number()?;
        self.expect(":")?;
        let mut fields = Vec::new();
        while !self.eat("]") {
            if !fields.is_empty() {
                self.expect(",")?;
            }
            let ty = self.scalar()?;
            self.expect("at")?;
            fields.push(Field { ty, offset: self.number()? });
        }
        Ok(Element { size, align, fields })
    }

    fn task(&mut self) -> Parse<Task> {
        self.expect("task")?;
        let parallel = match self.next()? {
            "parallel" => true,
            "serial" => false,
            other => return Err(self.error(format!("`serial` or `parallel` is expected, not `{other}`"))),
        };
        self.expect("{")?;
        let arrays = self.declarations("array", 'a', |p| p.array_type().map(|ty| Array { ty }))?;
        let inputs = self.declarations("input", 'i', |p| p.scalar().map(|ty| Input { ty }))?;
        let outputs = self.declarations("output", 'o', |p| p.scalar().map(|ty| Output { ty }))?;
        let reductions = self.declarations("reduction", 'r', Self::reduction)?;
        let locals = self.declarations("local", 'l', |p| {
            let ty = p.scalar()?;
            Ok(Local { ty, len: if p.eat("x") { p.number()? } else { 1 } })
        })?;
        let sites = self.declarations("site", 's', |p| {
            if p.eat("index") {
                return p.id('a').map(Site::Index);
            }
            if p.eat("panic") {
                return Ok(Site::Panic);
            }
            if p.eat("print") {
                return Ok(Site::Print);
            }
            if p.eat("step") {
                return Ok(Site::Step);
            }
            let op = p.read("an operation", Op::from_text)?;
            p.scalar().map(|ty| Site::Op(op, ty))
        })?;
        let kind = if parallel {
            self.expect("bounds")?;
            let bounds = self.region()?;
            let mut carried = Vec::new();
            while self.eat("carry") {
                carried.push(self.value()?);
            }
            let mut dims = Vec::new();
            while self.eat("dim") {
                let (var, _) = self.definition()?;
                let (lo, hi) = self.ends()?;
                dims.push(Dim { var, lo, hi });
            }
            TaskKind::Parallel { bounds, carried, dims, reductions }
        } else {
            TaskKind::Serial
        };
        self.expect("body")?;
        let body = self.region()?;
        self.expect("}")?;
        let missing = |i: usize| ParseError { line: 1, message: format!("v{i} is never set") };
        let values = std::mem::take(&mut self.values).into_iter().enumerate();
        let values = values.map(|(i, ty)| ty.map(|ty| Value { ty }).ok_or_else(|| missing(i))).collect::<Parse<_>>()?;
        Ok(Task { kind, arrays, inputs, outputs, values, locals, sites, body })
    }

    /// `in v0..v1`
    fn ends(&mut self) -> Parse<(Id<Value>, Id<Value>)> {
        self.expect("in")?;
        let lo = self.value()?;
        self.expect("..")?;
        Ok((lo, self.value()?))
    }

    fn region(&mut self) -> Parse<Region> {
        self.expect("{")?;
        let mut stmts = Vec::new();
        while !self.eat("}") {
            stmts.push(self.stmt()?);
        }
        Ok(Region(stmts))
    }

    fn site(&mut self) -> Parse<Option<Id<Site>>> {
        if self.eat("!") { self.id('s').map(Some) } else { Ok(None) }
    }

    /// `.3[v4 of 8 by 1]`, or nothing.
    fn part(&mut self) -> Parse<Option<Part>> {
        if !self.eat(".") {
            return Ok(None);
        }
        let mut part = Part::at(self.number()?);
        while self.eat("[") {
            let index = self.value()?;
            self.expect("of")?;
            let len = self.number()?;
            self.expect("by")?;
            part.steps.push(Step { index, len, stride: self.number()? });
            self.expect("]")?;
        }
        Ok(Some(part))
    }

    /// `a0[v1, v2]`, `a0[v1].2`
    fn element(&mut self) -> Parse<(Id<Array>, Vec<Id<Value>>, Part)> {
        let (array, index) = self.place()?;
        Ok((array, index, self.part()?.unwrap_or_default()))
    }

    /// `a0[v1, v2]`
    fn place(&mut self) -> Parse<(Id<Array>, Vec<Id<Value>>)> {
        let array = self.id('a')?;
        self.expect("[")?;
        let mut index = Vec::new();
        while !self.eat("]") {
            if !index.is_empty() {
                self.expect(",")?;
            }
            index.push(self.value()?);
        }
        Ok((array, index))
    }

    /// `(v1, v2)`
    fn listed<T>(&mut self, item: fn(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        self.expect("(")?;
        let mut items = Vec::new();
        while !self.eat(")") {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// `(v1, v2) !s0`
    fn said(&mut self) -> Parse<(Vec<Id<Value>>, Id<Site>)> {
        let values = self.listed(Self::value)?;
        self.expect("!")?;
        Ok((values, self.id('s')?))
    }

    fn stmt(&mut self) -> Parse<Stmt> {
        let start = self.at;
        match self.next()? {
            "set" => {
                let local = self.id('l')?;
                let part = self.part()?;
                self.expect("=")?;
                let value = self.value()?;
                Ok(match part {
                    Some(part) => Stmt::SetPart { local, part, value },
                    None => Stmt::Set { local, value },
                })
            }
            "store" => {
                let (array, index, part) = self.element()?;
                self.expect("=")?;
                let value = self.value()?;
                Ok(Stmt::Store { array, index, part, value, site: self.site()? })
            }
            "check" if self.peek().is_some_and(|token| token.starts_with('v')) => {
                let index = self.value()?;
                self.expect("of")?;
                let len = self.number()?;
                self.expect("!")?;
                Ok(Stmt::CheckStep { index, len, site: self.id('s')? })
            }
            "check" => {
                let (array, index) = self.place()?;
                self.expect("!")?;
                Ok(Stmt::Check { array, index, site: self.id('s')? })
            }
            "claim" => {
                let (array, index) = self.place()?;
                self.expect("!")?;
                Ok(Stmt::Claim { array, index, site: self.id('s')? })
            }
            "reduce" => {
                let reduction = self.id('r')?;
                let part = self.part()?;
                let value = self.value()?;
                Ok(match part {
                    Some(part) => Stmt::ReducePart { reduction, part, value },
                    None => Stmt::Reduce { reduction, value },
                })
            }
            "offer" => Ok(Stmt::Offer { reduction: self.id('r')?, values: self.listed(Self::value)? }),
            "output" => {
                let output = self.id('o')?;
                self.expect("=")?;
                Ok(Stmt::Output { output, value: self.value()? })
            }
            "if" => {
                let cond = self.value()?;
                let then = self.region()?;
                let otherwise = if self.eat("else") { self.region()? } else { Region::default() };
                Ok(Stmt::If { cond, then, otherwise })
            }
            "for" => {
                let id = self.loop_id()?;
                let (var, _) = self.definition()?;
                let (lo, hi) = self.ends()?;
                let unroll = match self.eat("unroll") {
                    false => Unroll::Auto,
                    true if self.peek() == Some("{") => Unroll::Full,
                    true => Unroll::By(self.number()?),
                };
                Ok(Stmt::For { id, var, lo, hi, unroll, body: self.region()? })
            }
            "loop" => Ok(Stmt::Loop { id: self.loop_id()?, body: self.region()? }),
            "fail" => {
                let (values, site) = self.said()?;
                Ok(Stmt::Fail { site, values })
            }
            "print" => {
                let (values, site) = self.said()?;
                Ok(Stmt::Print { site, values })
            }
            "break" => Ok(Stmt::Break(self.loop_id()?)),
            "continue" => Ok(Stmt::Continue(self.loop_id()?)),
            "end" => Ok(Stmt::End),
            _ => {
                self.at = start;
                let (dst, ty) = self.definition()?;
                self.expect("=")?;
                self.assigned(dst, ty)
            }
        }
    }

    /// What stands behind `v0: f32 =`.
    fn assigned(&mut self, dst: Id<Value>, ty: Scalar) -> Parse<Stmt> {
        let start = self.at;
        match self.next()? {
            "const" => Ok(Stmt::Const { dst, value: self.read("a constant", |token| constant(token, ty))? }),
            "input" => Ok(Stmt::Input { dst, input: self.id('i')? }),
            "extent" => Ok(Stmt::Extent { dst, array: self.id('a')?, dim: self.number()? }),
            "get" => {
                let local = self.id('l')?;
                Ok(match self.part()? {
                    Some(part) => Stmt::GetPart { dst, local, part },
                    None => Stmt::Get { dst, local },
                })
            }
            "load" => {
                let (array, index, part) = self.element()?;
                Ok(Stmt::Load { dst, array, index, part, site: self.site()? })
            }
            "atomic" => {
                let op = self.read("an atomic operation", |t| AtomicOp::ALL.into_iter().find(|op| op.name() == t))?;
                let (array, index, part) = self.element()?;
                let value = self.value()?;
                Ok(Stmt::Atomic { dst, op, array, index, part, value, site: self.site()? })
            }
            "compare_exchange" => {
                let (array, index, part) = self.element()?;
                let (current, new) = (self.value()?, self.value()?);
                Ok(Stmt::CompareExchange { dst, array, index, part, current, new, site: self.site()? })
            }
            _ => {
                self.at = start;
                let op = self.read("an operation", Op::from_text)?;
                let args = (0..op.arity()).map(|_| self.value()).collect::<Parse<_>>()?;
                Ok(Stmt::Op { dst, op, args, site: self.site()? })
            }
        }
    }
}

/// The constant of type `ty` that [`Literal`] prints as `token`.
fn constant(token: &str, ty: Scalar) -> Option<Const> {
    if let Some(bits) = token.strip_prefix("nan:") {
        return bits.parse().ok().map(|bits| Const { ty, bits });
    }
    // Out of range is an error; then two's complement of the width.
    let bits = match ty {
        Scalar::Bool => u128::from(token.parse::<bool>().ok()?),
        Scalar::I8 => i128::from(token.parse::<i8>().ok()?) as u128,
        Scalar::I16 => i128::from(token.parse::<i16>().ok()?) as u128,
        Scalar::I32 => i128::from(token.parse::<i32>().ok()?) as u128,
        Scalar::I64 | Scalar::Isize => i128::from(token.parse::<i64>().ok()?) as u128,
        Scalar::I128 => token.parse::<i128>().ok()? as u128,
        Scalar::U8 => u128::from(token.parse::<u8>().ok()?),
        Scalar::U16 => u128::from(token.parse::<u16>().ok()?),
        Scalar::U32 => u128::from(token.parse::<u32>().ok()?),
        Scalar::U64 | Scalar::Usize => u128::from(token.parse::<u64>().ok()?),
        Scalar::U128 => token.parse().ok()?,
        Scalar::F32 => u128::from(token.parse::<f32>().ok()?.to_bits()),
        Scalar::F64 => u128::from(token.parse::<f64>().ok()?.to_bits()),
        Scalar::F16 => u128::from(token.parse::<half::f16>().ok()?.to_bits()),
        Scalar::Bf16 => u128::from(token.parse::<half::bf16>().ok()?.to_bits()),
    };
    Some(Const { ty, bits: bits & ty.mask() })
}
