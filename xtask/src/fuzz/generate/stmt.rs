//! Statements that aren't tasks of their own.
use qd_ir::op::Op;
use qd_ir::types::Scalar;

use super::expr::symbol;
use super::{Access, Array, Generator, Level, Loop};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, Stmt, list, pieces};
use crate::fuzz::ty::Ty;

impl Generator {
    /// A few statements in a scope of their own.
    pub(super) fn stmts(&mut self, depth: usize) -> Vec<Stmt> {
        self.scope(|this| (0..1 + this.rng.usize(..3)).flat_map(|_| this.stmt(depth)).collect())
    }

    /// A statement that isn't a task of its own.
    pub(super) fn stmt(&mut self, depth: usize) -> Vec<Stmt> {
        let nested = depth > 0 && self.level != Level::Top;
        // In serial code it would be a task of its own.
        let loops = nested && matches!(self.level, Level::Iteration | Level::Func);
        match self.rng.u32(..100) {
            0..=24 => {
                let ty = self.ty(2);
                let init = self.expr(&ty, 3);
                let mutable = self.chance(50);
                vec![self.declare(init, mutable)]
            }
            25..=31 => self.destructure(),
            32..=33 => self.later(),
            34..=49 => self.assign().into_iter().collect(),
            50..=60 => self.element().into_iter().collect(),
            61..=65 if nested => vec![self.if_stmt(depth)],
            66..=68 if nested => vec![self.if_let(depth)],
            69..=74 if loops => vec![self.nested_for(depth - 1)],
            75..=77 if loops => self.over_elements(depth - 1).into_iter().collect(),
            78..=83 if nested => vec![self.counted(depth - 1, Form::While, Form::Loop, Self::stmts)],
            84..=85 if self.level != Level::Top => self.jump(false).into_iter().collect(),
            86..=87 => self.let_else().into_iter().collect(),
            88 => self.say(),
            89 if self.level != Level::Top => self.draws(),
            90..=93 => self.call_stmt(),
            94..=96 if self.level == Level::Func => vec![self.early_return()],
            97 if self.extreme.is_some() => self.offer().into_iter().collect(),
            _ => {
                let folds = self.folds.clone();
                match self.pick(&folds) {
                    Some(fold) => vec![self.fold(&fold)],
                    None => self.assign().into_iter().collect(),
                }
            }
        }
    }

    pub(super) fn declare(&mut self, init: Expr, mutable: bool) -> Stmt {
        let name = self.fresh();
        self.bind(&name, init.ty.clone(), mutable);
        let ty = if self.chance(30) { format!(": {}", init.ty) } else { String::new() };
        let mutable = if mutable { "mut " } else { "" };
        Stmt::new(Form::Let, pieces![format!("let {mutable}{name}{ty} = "), init, ";"])
    }

    /// `let (a, b) = (x, y);`, `let S { f, .. } = s;`, `let [a, b] = x;`
    fn destructure(&mut self) -> Vec<Stmt> {
        let ty = match self.rng.u32(..3) {
            0 if !self.defs.structs.is_empty() => {
                let number = self.rng.usize(..self.defs.structs.len());
                let argument = self.defs.structs[number].generic.then(|| Box::new(self.number_type().into()));
                Ty::Struct(number, argument)
            }
            1 => Ty::List(Box::new(self.ty(1)), 1 + self.rng.usize(..3)),
            _ => Ty::Tuple((0..2 + self.rng.usize(..2)).map(|_| self.ty(1)).collect()),
        };
        let init = self.expr(&ty, 3);
        let pattern = self.taking_apart(&ty);
        vec![Stmt::new(Form::LetPattern, pieces![format!("let {pattern} = "), init, ";"])]
    }

    /// A pattern that always fits, whose names are bound from here on.
    fn taking_apart(&mut self, ty: &Ty) -> String {
        let part = |this: &mut Self, ty: &Ty| match (this.rng.u32(..10), ty) {
            (0, _) => "_".to_owned(),
            (1..=3, Ty::Tuple(_) | Ty::List(..) | Ty::Struct(..)) => this.taking_apart(ty),
            (roll, _) => {
                let name = format!("t{}", this.number());
                this.bind(&name, ty.clone(), roll == 4);
                format!("{}{name}", if roll == 4 { "mut " } else { "" })
            }
        };
        match ty {
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|ty| part(self, ty)).collect();
                format!("({},)", parts.join(", "))
            }
            Ty::List(element, len) => {
                let parts: Vec<String> = (0..*len).map(|_| part(self, element)).collect();
                format!("[{}]", parts.join(", "))
            }
            Ty::Struct(number, argument) => {
                let mut fields = self.defs.fields(*number, argument.as_deref());
                let all = fields.len();
                let kept = 1 + self.rng.usize(..all);
                fields.truncate(kept);
                let rest = if kept < all { ", .." } else { "" };
                let fields: Vec<String> =
                    fields.iter().map(|(name, ty)| format!("{name}: {}", part(self, ty))).collect();
                format!("S{number} {{ {}{rest} }}", fields.join(", "))
            }
            Ty::Scalar(_) | Ty::Enum(_) | Ty::Vector(..) | Ty::Matrix(..) | Ty::Param => "_".to_owned(),
        }
    }

    /// `let v; if cond { v = a; } else { v = b; }`
    fn later(&mut self) -> Vec<Stmt> {
        let ty = self.ty(1);
        let (cond, a, b) = (self.expr(&Scalar::Bool.into(), 1), self.expr(&ty, 2), self.expr(&ty, 2));
        let name = format!("v{}", self.number());
        self.bind(&name, ty.clone(), false);
        let set = |value: Expr| vec![Stmt::new(Form::Assign, pieces![format!("{name} = "), value, ";"])];
        vec![
            Stmt::new(Form::LetLater, pieces![format!("let {name}: {ty};")]),
            Stmt::new(Form::IfStmt, pieces!["if ", cond, " {\n", set(a), "} else {\n", set(b), "}"]),
        ]
    }

    /// An assignment to a variable, an element or a part of one.
    pub(super) fn assign(&mut self) -> Option<Stmt> {
        let place = self.place()?;
        Some(self.set(place))
    }

    fn set(&mut self, place: super::place::Place) -> Stmt {
        let op = self.compound_operator(&place.ty);
        // Operators of other types than primitives borrow the place first.
        let borrows = op.is_some() && place.ty.scalar().is_none_or(Scalar::is_half);
        if borrows {
            self.borrowed.push(place.root.clone());
        }
        let value = match (op, place.ty.scalar()) {
            (Some(Op::Shl | Op::Shr), _) => {
                let amount = self.integer();
                self.expr(&amount.into(), 2)
            }
            (Some(Op::Div | Op::Rem), Some(ty)) if ty.is_int() => self.divisor(ty, 2),
            (None | Some(_), _) => self.expr(&place.ty, 3),
        };
        if borrows {
            self.borrowed.pop();
        }
        let form = match (place.element, op) {
            (true, _) => Form::Store,
            (false, Some(_)) => Form::Compound,
            (false, None) => Form::Assign,
        };
        let operator = op.and_then(symbol).unwrap_or("");
        Stmt::new(form, [place.pieces, pieces![format!(" {operator}= "), value, ";"]].concat())
    }

    /// The operator of a compound assignment, or none.
    fn compound_operator(&mut self, ty: &Ty) -> Option<Op> {
        let ops: Vec<Op> = match ty {
            Ty::Scalar(scalar) if scalar.is_half() => vec![Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem],
            Ty::Scalar(scalar) => {
                [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor, Op::Shl, Op::Shr, Op::Div, Op::Rem]
                    .into_iter()
                    .filter(|op| op.row().receiver.accepts(*scalar))
                    .collect()
            }
            Ty::Param => vec![Op::Add, Op::Sub, Op::Mul],
            Ty::Vector(..) => vec![Op::Add, Op::Sub, Op::Mul],
            Ty::Matrix(..) => vec![Op::Add, Op::Sub],
            Ty::Struct(number, None) => self.own_updates(*number),
            Ty::Tuple(_) | Ty::List(..) | Ty::Struct(..) | Ty::Enum(_) => Vec::new(),
        };
        if self.chance(60) { self.pick(&ops) } else { None }
    }

    /// A store or an atomic update.
    fn element(&mut self) -> Option<Stmt> {
        let atomics: Vec<Array> =
            self.arrays.iter().filter(|array| matches!(array.access, Access::Atomic(_))).cloned().collect();
        if let Some(array) = self.pick(&atomics)
            && self.chance(50)
        {
            return self.atomic(&array);
        }
        if self.level == Level::Iteration
            && self.chance(25)
            && let Some(update) = self.own_atomic()
        {
            return Some(update);
        }
        for _ in 0..4 {
            match self.place() {
                Some(place) if place.element => return Some(self.set(place)),
                Some(_) => {}
                None => return None,
            }
        }
        None
    }

    fn if_stmt(&mut self, depth: usize) -> Stmt {
        let cond = self.expr(&Scalar::Bool.into(), 2);
        let then = self.stmts(depth - 1);
        let mut pieces = pieces!["if ", cond, " {\n", then, "}"];
        if self.chance(50) {
            let otherwise = self.stmts(depth - 1);
            pieces.extend(pieces![" else {\n", otherwise, "}"]);
        }
        Stmt::new(Form::IfStmt, pieces)
    }

    /// `if let pattern = value && cond { .. } else { .. }`
    fn if_let(&mut self, depth: usize) -> Stmt {
        let of = self.matched();
        let value = self.expr(&of, 2);
        let (head, then) = self.scope(|this| {
            let mut head = pieces![format!("if let {} = ", this.pattern(&of)), value];
            if this.chance(30) {
                let cond = this.expr(&Scalar::Bool.into(), 1);
                head.extend(pieces![" && ", cond]);
            }
            (head, this.stmts(depth - 1))
        });
        let otherwise = self.stmts(depth - 1);
        Stmt::new(Form::IfLet, [head, pieces![" {\n", then, "} else {\n", otherwise, "}"]].concat())
    }

    /// `let pattern = value else { continue };`
    fn let_else(&mut self) -> Option<Stmt> {
        let leave = match self.level {
            Level::Func => self.return_text(),
            Level::Iteration | Level::Serial if !self.loops.is_empty() => pieces!["continue"],
            Level::Top | Level::Iteration | Level::Serial => return None,
        };
        let of = self.matched();
        let value = self.expr(&of, 2);
        let pattern = self.pattern(&of);
        // In a `while` the counter goes up first, so that it ends.
        Some(Stmt::new(
            Form::LetElse,
            // In brackets, because it may end in a brace.
            [pieces![format!("let {pattern} = ("), value, ") else {\n"], leave, pieces!["; };"]].concat(),
        ))
    }

    /// `return value`, of a function.
    fn return_text(&mut self) -> super::Pieces {
        let result = self.result.clone();
        if result == Ty::UNIT {
            return pieces!["return"];
        }
        let value = self.expr(&result, 2);
        pieces!["return ", value]
    }

    fn early_return(&mut self) -> Stmt {
        let cond = self.expr(&Scalar::Bool.into(), 2);
        let leave = self.return_text();
        let leave = Stmt::new(Form::Return, [leave, pieces![";"]].concat());
        Stmt::new(Form::IfStmt, pieces!["if ", cond, " {\n", vec![leave], "}"])
    }

    /// `if cond { break }` and the like.
    pub(super) fn jump(&mut self, plan: bool) -> Option<Stmt> {
        let innermost = self.loops.len().checked_sub(1)?;
        let target = self.rng.usize(..self.loops.len());
        let Loop { label, breaks } = self.loops[target].clone();
        let word = if breaks && self.chance(60) { "break" } else { "continue" };
        let form = match (plan, &label) {
            (true, _) => Form::PlanJump,
            (false, Some(_)) => Form::LabelledJump,
            (false, None) => Form::Jump,
        };
        let text = match label {
            Some(label) => format!("{word} {label};"),
            None if target == innermost => format!("{word};"),
            None => return None,
        };
        let cond = self.expr(&Scalar::Bool.into(), 1);
        let jump = vec![Stmt::new(form, pieces![text])];
        Some(Stmt::new(Form::IfStmt, pieces!["if ", cond, " {\n", jump, "}"]))
    }

    /// Expressions as the arguments of a macro.
    pub(super) fn arguments(&mut self, parts: Vec<Expr>) -> super::Pieces {
        if parts.is_empty() { Vec::new() } else { [pieces![", "], list(parts)].concat() }
    }
}
