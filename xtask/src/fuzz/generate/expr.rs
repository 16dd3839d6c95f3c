//! Expressions: of every type by its surroundings and control flow, of scalars by operations.
use qd_ir::op::{Form as Written, Op};
use qd_ir::types::{Scalar, ScalarClass};

use super::{Access, Bound, Generator, Operation, text_expr};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, list, pieces};
use crate::fuzz::ty::{Step, Ty};

/// The symbol of an operator with two operands.
pub(super) fn symbol(op: Op) -> Option<&'static str> {
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

impl Generator {
    /// An expression of that type.
    pub(super) fn expr(&mut self, ty: &Ty, depth: usize) -> Expr {
        if depth == 0 || self.chance(15) {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        match self.rng.u32(..100) {
            // In closures only what is plain.
            0..=7 | 21..=27 if self.chained => self.leaf(ty),
            8..=20 | 28..=34 if self.chained => self.if_else(ty, 0),
            0..=7 => self.if_else(ty, depth),
            8..=12 => self.matching(ty, depth),
            13..=15 => self.block(ty, depth, Form::Block, "(", ")"),
            16 => self.loop_value(ty, depth),
            17..=20 => self.part_of_new(ty, depth),
            21..=27 => self.load(ty, depth).unwrap_or_else(|| self.leaf(ty)),
            28..=34 => self.call_for(ty, depth).unwrap_or_else(|| self.leaf(ty)),
            _ => match ty {
                Ty::Scalar(scalar) => self.of_scalar(*scalar, depth),
                Ty::Param => self.of_param(depth),
                Ty::Tuple(_) | Ty::List(..) | Ty::Struct(..) | Ty::Enum(_) | Ty::Vector(..) | Ty::Matrix(..) => {
                    self.compound(ty, depth)
                }
            },
        }
    }

    fn of_scalar(&mut self, ty: Scalar, depth: usize) -> Expr {
        if ty.is_half() {
            return self.half(ty, depth);
        }
        match self.rng.u32(..100) {
            0..=1 if !self.chained => self.of_half(ty, depth),
            2..=6 => self.chain(ty, depth).unwrap_or_else(|| self.operation(ty, depth)),
            0..=57 => self.operation(ty, depth),
            58..=68 => self.cast(ty, depth),
            69..=80 if ty == Scalar::Bool && !self.chained => match self.rng.u32(..10) {
                0..=4 => {
                    let (a, b) = (self.expr(&ty.into(), depth), self.expr(&ty.into(), depth));
                    let symbol = if self.chance(50) { " && " } else { " || " };
                    Expr::new(ty, Form::Lazy, pieces!["(", a, symbol, b, ")"])
                }
                5..=6 => self.matches(depth),
                7..=8 => self.compare(depth),
                _ => self.compare_params(depth),
            },
            69..=78 if !self.chained => self.linear_scalar(ty, depth).unwrap_or_else(|| self.operation(ty, depth)),
            _ => self.operation(ty, depth),
        }
    }

    /// A value that is made of its parts.
    fn compound(&mut self, ty: &Ty, depth: usize) -> Expr {
        match ty {
            Ty::Scalar(_) | Ty::Param => self.leaf(ty),
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.expr(part, depth)).collect();
                Expr::new(ty.clone(), Form::Tuple, pieces_in("(", parts, ",)"))
            }
            Ty::List(element, len) => {
                if self.chance(20) {
                    let value = self.expr(element, depth);
                    return Expr::new(ty.clone(), Form::Repeat, pieces!["[", value, format!("; {len}]")]);
                }
                let elements = (0..*len).map(|_| self.expr(element, depth)).collect();
                Expr::new(ty.clone(), Form::List, pieces_in("[", elements, "]"))
            }
            Ty::Struct(number, argument) => self.structure(ty, *number, argument.as_deref(), depth),
            Ty::Enum(number) => {
                let variant = self.rng.usize(..self.defs.enums[*number].values.len());
                text_expr(ty.clone(), Form::Variant, format!("E{number}::V{variant}"))
            }
            Ty::Vector(scalar, len) => self.vector(*scalar, *len, depth),
            Ty::Matrix(scalar, rows, columns) => self.matrix(*scalar, *rows, *columns, depth),
        }
    }

    fn structure(&mut self, ty: &Ty, number: usize, argument: Option<&Ty>, depth: usize) -> Expr {
        if argument.is_none()
            && self.chance(30)
            && let Some(value) = self.by_own_operator(number, depth)
        {
            return value;
        }
        let mut fields = self.defs.fields(number, argument);
        let def = &self.defs.structs[number];
        if def.tuple && self.chance(60) {
            let parts = fields.iter().map(|(_, ty)| self.expr(ty, depth)).collect();
            return Expr::new(ty.clone(), Form::Struct, pieces_in(&format!("S{number}("), parts, ")"));
        }
        // In any order, and some of them from another value.
        self.rng.shuffle(&mut fields);
        let base = self.chance(25);
        if base {
            let kept = self.rng.usize(..fields.len() + 1);
            fields.truncate(kept);
        }
        let mut pieces = pieces![format!("(S{number} {{ ")];
        for (name, field) in fields {
            let value = self.expr(&field, depth);
            pieces.extend(pieces![format!("{name}: "), value, ", "]);
        }
        if base {
            let base = self.expr(ty, depth);
            pieces.extend(pieces!["..", base]);
        }
        pieces.push("})".into());
        Expr::new(ty.clone(), if base { Form::Update } else { Form::Struct }, pieces)
    }

    fn if_else(&mut self, ty: &Ty, depth: usize) -> Expr {
        let cond = self.expr(&Scalar::Bool.into(), depth);
        let then = self.block(ty, depth, Form::Block, "", "");
        let otherwise = self.block(ty, depth, Form::Block, "", "");
        Expr::new(ty.clone(), Form::If, pieces!["(if ", cond, " ", then, " else ", otherwise, ")"])
    }

    /// Statements and a value in braces.
    pub(super) fn block(&mut self, ty: &Ty, depth: usize, form: Form, before: &str, after: &str) -> Expr {
        self.scope(|this| {
            let mut stmts = Vec::new();
            if depth > 0 && this.chance(30) {
                let inner = this.ty(2);
                let init = this.expr(&inner, depth - 1);
                stmts.push(this.declare(init, false));
            }
            let tail = this.expr(ty, depth);
            Expr::new(ty.clone(), form, pieces![format!("{before}{{\n"), stmts, tail, format!(" }}{after}")])
        })
    }

    /// A loop that ends with a value.
    fn loop_value(&mut self, ty: &Ty, depth: usize) -> Expr {
        let (counter, limit) = (format!("k{}", self.number()), self.rng.u32(1..4));
        let (value, other, cond) = self.scope(|this| {
            this.bind(&counter, Scalar::U32, false);
            (this.expr(ty, depth), this.expr(ty, depth), this.expr(&Scalar::Bool.into(), depth))
        });
        Expr::new(
            ty.clone(),
            Form::LoopValue,
            pieces![
                format!("{{ let mut {counter} = 0u32;\nloop {{\n{counter} += 1;\nif {counter} > {limit} {{ break "),
                value,
                "; }\nif ",
                cond,
                " { break ",
                other,
                "; }\n} }"
            ],
        )
    }

    /// `(a, b).0`, `[a, b][0]`
    fn part_of_new(&mut self, ty: &Ty, depth: usize) -> Expr {
        let other: Ty = self.scalar().into();
        let (part, other) = (self.expr(ty, depth), self.expr(&other, depth));
        let (parts, which) = if self.chance(50) { (vec![part, other], 0) } else { (vec![other, part], 1) };
        Expr::new(ty.clone(), Form::Part, pieces_in("(", parts, &format!(").{which}")))
    }

    fn operation(&mut self, ty: Scalar, depth: usize) -> Expr {
        let fitting: Vec<Operation> =
            self.operations.iter().filter(|operation| operation.output == ty).copied().collect();
        // Each operation alike, though some have more receivers.
        let mut ops: Vec<Op> = fitting.iter().map(|operation| operation.op).collect();
        ops.dedup();
        let Some(op) = self.pick(&ops) else { return self.leaf(&ty.into()) };
        let fitting: Vec<Operation> = fitting.into_iter().filter(|operation| operation.op == op).collect();
        let Some(Operation { op, receiver, .. }) = self.pick(&fitting) else { return self.leaf(&ty.into()) };
        let division = matches!(op.row().text, "div" | "rem" | "div_euclid" | "rem_euclid" | "div_ceil")
            || matches!(op.row().text, "next_multiple_of" | "wrapping_div" | "wrapping_rem");
        let positive = matches!(op.row().text, "isqrt" | "ilog2" | "ilog10");
        if op.faults(receiver) && !division && !positive && !self.chance(10) {
            return self.leaf(&ty.into());
        }
        let mut first = self.expr(&receiver.into(), depth);
        if positive && self.chance(95) {
            first = Expr::new(receiver, Form::Op(Op::And), pieces!["((", first, format!(" & {receiver}::MAX) | 1)")]);
        }
        let mut args = vec![first];
        for k in 1..op.arity() {
            let arg = match op.operand(receiver, k) {
                Some(ty) if division && ty.is_int() => self.divisor(ty, depth),
                Some(ty) => self.expr(&ty.into(), depth),
                None => {
                    let amount = self.integer();
                    self.expr(&amount.into(), depth)
                }
            };
            args.push(self.bare(arg));
        }
        let by_path = self.chance(10);
        let mut args = args.into_iter();
        let pieces = match (op.row().form, args.next(), args.len()) {
            (Written::Operator, Some(a), 0) => {
                pieces![if op.row().text == "neg" { "(-" } else { "(!" }, a, ")"]
            }
            (Written::Operator, Some(a), _) => {
                let mut pieces = pieces!["(", a, format!(" {} ", symbol(op).unwrap_or("?"))];
                pieces.extend(list(args.collect()));
                pieces.push(")".into());
                pieces
            }
            (Written::Method, Some(receiver), _) if !by_path => {
                let mut pieces = pieces!["(", receiver, format!(").{op}(")];
                pieces.extend(list(args.collect()));
                pieces.push(")".into());
                pieces
            }
            (form, first, _) => {
                let of = if form == Written::Function { ty } else { receiver };
                let path = pieces_in(&format!("{of}::{op}("), first.into_iter().chain(args).collect(), ")");
                if form == Written::Function {
                    path
                } else {
                    // Counted under both forms.
                    return Expr::new(ty, Form::Path, pieces![Expr::new(ty, Form::Op(op), path)]);
                }
            }
        };
        Expr::new(ty, Form::Op(op), pieces)
    }

    /// An integer that is seldom zero.
    pub(super) fn divisor(&mut self, ty: Scalar, depth: usize) -> Expr {
        let value = self.expr(&ty.into(), depth);
        if self.chance(5) {
            return value;
        }
        Expr::new(ty, Form::Op(Op::Or), pieces!["(", value, " | 1)"])
    }

    /// Now and then a literal without its suffix, where its surroundings give the type.
    pub(super) fn bare(&mut self, arg: Expr) -> Expr {
        let text = arg.to_string();
        match arg.ty.scalar() {
            Some(ty) if arg.form == Form::Literal && text.ends_with(ty.name()) && self.chance(50) => {
                Expr::literal(ty, text.trim_end_matches(ty.name()))
            }
            _ => arg,
        }
    }

    fn cast(&mut self, ty: Scalar, depth: usize) -> Expr {
        if ty == Scalar::Bool {
            return self.operation(ty, depth);
        }
        if self.bound.is_some() && self.chance(20) {
            let value = self.expr(&Ty::Param, depth);
            return Expr::new(ty, Form::GenericCast, pieces!["(", value, format!(").cast::<{ty}>()")]);
        }
        if !self.defs.enums.is_empty() && ty.is_int() && self.chance(20) {
            let from = Ty::Enum(self.rng.usize(..self.defs.enums.len()));
            let value = self.expr(&from, depth);
            return Expr::new(ty, Form::EnumCast, pieces!["(", value, format!(" as {ty})")]);
        }
        let from = self.such(|from| from != Scalar::Bool || !ty.is_float());
        let value = self.expr(&from.into(), depth);
        self.bare(value).cast(ty)
    }

    /// Tuples, arrays or enums compared.
    fn compare(&mut self, depth: usize) -> Expr {
        if !self.defs.enums.is_empty() && self.chance(40) {
            let ty = Ty::Enum(self.rng.usize(..self.defs.enums.len()));
            let symbol = if self.chance(50) { "==" } else { "!=" };
            let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
            return Expr::new(Scalar::Bool, Form::CompareEnum, pieces!["(", a, format!(" {symbol} "), b, ")"]);
        }
        let symbol = self.pick(&["==", "!=", "<", "<=", ">", ">="]).unwrap_or("==");
        let compared = |number: &usize| self.defs.structs[*number].compared;
        let structs: Vec<usize> = (0..self.defs.structs.len()).filter(compared).collect();
        if let Some(number) = self.pick(&structs).filter(|_| self.chance(60)) {
            let ty = Ty::Struct(number, None);
            let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
            return Expr::new(Scalar::Bool, Form::CompareStruct, pieces!["(", a, format!(" {symbol} "), b, ")"]);
        }
        let parts: Vec<Ty> = (0..2).map(|_| self.scalar().into()).collect();
        let ty = if self.chance(60) { Ty::Tuple(parts) } else { Ty::List(Box::new(parts[0].clone()), 2) };
        let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
        Expr::new(Scalar::Bool, Form::Compare, pieces!["(", a, format!(" {symbol} "), b, ")"])
    }

    fn compare_params(&mut self, depth: usize) -> Expr {
        if self.bound.is_none() {
            return self.operation(Scalar::Bool, depth);
        }
        let symbol = self.pick(&["==", "!=", "<", "<=", ">", ">="]).unwrap_or("==");
        let (a, b) = (self.expr(&Ty::Param, depth), self.expr(&Ty::Param, depth));
        Expr::new(Scalar::Bool, Form::Generic, pieces!["(", a, format!(" {symbol} "), b, ")"])
    }

    /// A value of the type parameter.
    fn of_param(&mut self, depth: usize) -> Expr {
        let Some(bound) = self.bound else { return self.leaf(&Ty::Param) };
        if self.chance(15) {
            let from = self.number_type();
            let value = self.expr(&from.into(), depth);
            return Expr::new(Ty::Param, Form::GenericCast, pieces!["(", value, ").cast::<T>()"]);
        }
        let operators: &[&str] = match bound {
            Bound::Number | Bound::Float => &["+", "-", "*"],
            Bound::Int => &["+", "-", "*", "&", "|", "^"],
        };
        let methods: &[&str] = match bound {
            Bound::Number => &[],
            Bound::Int => &["min", "max", "wrapping_add", "wrapping_mul", "saturating_sub"],
            Bound::Float => &["abs", "floor", "sqrt", "trunc", "recip"],
        };
        let a = self.expr(&Ty::Param, depth);
        let pieces = match (self.pick(methods), bound) {
            (Some(method), Bound::Float) if self.chance(40) => pieces!["(", a, format!(").{method}()")],
            (Some(method), Bound::Number | Bound::Int) if self.chance(40) => {
                let b = self.expr(&Ty::Param, depth);
                pieces!["(", a, format!(").{method}("), b, ")"]
            }
            _ => {
                let operator = self.pick(operators).unwrap_or("+");
                let b = self.expr(&Ty::Param, depth);
                pieces!["(", a, format!(" {operator} "), b, ")"]
            }
        };
        Expr::new(Ty::Param, Form::Generic, pieces)
    }

    /// A name, a part of one, an element or a literal.
    pub(super) fn leaf(&mut self, ty: &Ty) -> Expr {
        match self.rng.u32(..100) {
            0..=64 => self.named(ty).unwrap_or_else(|| self.literal(ty)),
            65..=79 => self.load(ty, 0).unwrap_or_else(|| self.literal(ty)),
            80..=84 if *ty == Ty::Scalar(Scalar::Usize) => self.some_len().unwrap_or_else(|| self.literal(ty)),
            _ => self.literal(ty),
        }
    }

    /// A name of that type, or a part of one.
    pub(super) fn named(&mut self, ty: &Ty) -> Option<Expr> {
        let mut found: Vec<(String, Vec<Step>)> = Vec::new();
        for name in self.readable() {
            found.extend(self.defs.ways(&name.ty, ty).into_iter().map(|way| (name.text.clone(), way)));
        }
        let (text, way) = self.pick(&found)?;
        if way.is_empty() {
            return Some(Expr::name(ty.clone(), text));
        }
        let (pieces, form) = self.along(pieces![text], &way, Form::Part);
        Some(Expr::new(ty.clone(), form, pieces))
    }

    /// The length of an array that isn't borrowed.
    fn some_len(&mut self) -> Option<Expr> {
        // Of an array that an atomic borrows, the length can't be read.
        let free: Vec<String> = self
            .arrays
            .iter()
            .filter(|array| {
                array.rank == 1 && !matches!(array.access, Access::Atomic(_) | Access::Gone | Access::Segment)
            })
            .filter(|array| !self.borrowed.contains(&array.name))
            .map(|array| array.name.clone())
            .collect();
        Some(text_expr(Scalar::Usize, Form::Len, format!("{}.len()", self.pick(&free)?)))
    }

    /// A value that is made of literals.
    pub(super) fn constant(&mut self, ty: &Ty) -> Expr {
        let (names, arrays) = (std::mem::take(&mut self.names), std::mem::take(&mut self.arrays));
        let value = self.literal(ty);
        (self.names, self.arrays) = (names, arrays);
        value
    }

    pub(super) fn literal(&mut self, ty: &Ty) -> Expr {
        let scalar = match ty {
            Ty::Scalar(scalar) => *scalar,
            Ty::Param => {
                let text = self.pick(&["T::ONE", "T::ZERO", "T::MAX", "T::MIN"]).unwrap_or("T::ONE");
                return Expr::literal(Ty::Param, text);
            }
            Ty::Vector(..) | Ty::Matrix(..) => return Expr::literal(ty.clone(), self.defs.simplest(ty)),
            Ty::Tuple(_) | Ty::List(..) | Ty::Struct(..) | Ty::Enum(_) => return self.compound(ty, 0),
        };
        let text = match scalar.class() {
            ScalarClass::Bool => self.chance(50).to_string(),
            ScalarClass::Signed | ScalarClass::Unsigned => match self.rng.u32(..10) {
                0 => format!("{ty}::MAX"),
                1 => format!("{ty}::MIN"),
                2 if scalar.is_signed() => format!("(-{}{ty})", self.rng.u32(1..100)),
                _ => format!("{}{ty}", self.rng.u32(..20)),
            },
            ScalarClass::Float if scalar.is_half() => self.half_literal(scalar),
            ScalarClass::Float => match self.rng.u32(..12) {
                0 => format!("{ty}::NAN"),
                1 => format!("{ty}::INFINITY"),
                2 => format!("(-0.0{ty})"),
                3 => format!("1e-40{ty}"),
                4 => format!("(-{}.25{ty})", self.rng.u32(..50)),
                _ => format!("{}.{}{ty}", self.rng.u32(..50), self.rng.u32(..1000)),
            },
        };
        Expr::literal(scalar, text)
    }
}

/// Expressions with commas between them, and what is around.
pub(super) fn pieces_in(before: &str, parts: Vec<Expr>, after: &str) -> super::Pieces {
    let mut pieces = pieces![before];
    pieces.extend(list(parts));
    pieces.push(after.into());
    pieces
}
