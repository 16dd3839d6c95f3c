//! Operators of the program's own types, and traits with methods for some of them.
use qd_ir::op::Op;
use qd_ir::types::Scalar;

use super::func::{Func, Owner, Taken};
use super::{Generator, Level, Pieces};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, Item, Stmt, pieces};
use crate::fuzz::ty::Ty;

/// An operator of a struct.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OwnOperator {
    /// `a + b`, `a * b` and so on, of two of them.
    Both(&'static str),
    /// `a * 2`
    Scaled(Scalar),
    /// `-a`
    Neg,
    /// `a += b`
    AddAssign,
}

/// How a method of an `impl` takes what it is called on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    Value,
    Reference,
    Mutable,
}

impl Generator {
    /// Operators of a struct that isn't generic.
    pub(super) fn own_operators(&mut self) {
        let Some(of) = self.some_struct() else { return };
        let ty = Ty::Struct(of, None);
        for kind in [0, 1, 2, 3, 4] {
            if !self.chance(50) {
                continue;
            }
            let scalar = self.number_type();
            let (operator, name, other, method) = match kind {
                0 => (OwnOperator::Both("+"), "Add".to_owned(), Some(ty.clone()), "add"),
                1 => (OwnOperator::Both("*"), "Mul".to_owned(), Some(ty.clone()), "mul"),
                2 => (OwnOperator::Scaled(scalar), format!("Mul<{scalar}>"), Some(scalar.into()), "mul"),
                3 => (OwnOperator::Neg, "Neg".to_owned(), None, "neg"),
                _ => (OwnOperator::AddAssign, "AddAssign".to_owned(), Some(ty.clone()), "add_assign"),
            };
            let assigns = operator == OwnOperator::AddAssign;
            let params: Vec<(String, Ty)> = other.into_iter().map(|ty| ("p0".to_owned(), ty)).collect();
            let (receiver, result) =
                if assigns { (Receiver::Mutable, Ty::UNIT) } else { (Receiver::Value, ty.clone()) };
            let code = self.method_code(method, &ty, receiver, &params, &result);
            let output = if assigns { String::new() } else { format!("type Output = {ty};\n") };
            let head = format!("#[qd::funcs]\nimpl std::ops::{name} for {ty} {{\n{output}");
            let pieces = [pieces![head], code, pieces!["}\n"]].concat();
            self.items.push(Item { form: Form::OperatorItem, pieces, support: String::new() });
            self.operators.push((of, operator));
        }
    }

    /// A trait, types that have it, and a function of any such type.
    pub(super) fn own_trait(&mut self) {
        let Some(of) = self.some_struct() else { return };
        let types = [Ty::Struct(of, None), self.number_type().into()];
        let (constant, number) = (format!("K{}", self.number()), self.number());
        let (asks, gives, changes) = (format!("a{number}"), format!("b{number}"), format!("c{number}"));
        let (param, scalar, other): (Ty, Ty, Ty) = (self.ty(1), self.scalar().into(), self.ty(1));
        let params = [("p0".to_owned(), param.clone())];
        let mut pieces = pieces![format!(
            "#[qd::funcs]\npub trait R0 {{\nconst {constant}: u32;\nfn {asks}(&self, p0: {param}) -> {scalar};\n\
             fn {changes}(&mut self, p0: {param});\n"
        )];
        // A provided method calls one that isn't.
        let provided = self.code_of(&params, &other, |this| {
            let argument = this.expr(&param, 1);
            let name = format!("v{}", this.number());
            this.bind(&name, scalar.clone(), false);
            this.bind(&format!("Self::{constant}"), Scalar::U32, false);
            let call = Expr::new(scalar.clone(), Form::MethodCall, pieces![format!("self.{asks}("), argument, ")"]);
            vec![Stmt::new(Form::Let, pieces![format!("let {name} = "), call, ";"])]
        });
        let head = format!("fn {gives}(&self, p0: {param}) -> {other} {{\n");
        pieces.extend([pieces![head], provided, pieces!["}\n}\n\n"]].concat());
        for ty in &types {
            let head = format!("#[qd::funcs]\nimpl R0 for {ty} {{\nconst {constant}: u32 = {};\n", self.rng.u32(..9));
            pieces.push(head.into());
            pieces.extend(self.method_code(&asks, ty, Receiver::Reference, &params, &scalar));
            pieces.extend(self.method_code(&changes, ty, Receiver::Mutable, &params, &Ty::UNIT));
            pieces.push("}\n\n".into());
        }
        // A function of any type that has the trait.
        let generic = format!("of{number}");
        let both = [("p1".to_owned(), param.clone())];
        let result: Ty = self.scalar().into();
        let code = self.code_of(&both, &result, |this| {
            let mut stmts = Vec::new();
            this.bind(&format!("A::{constant}"), Scalar::U32, false);
            for (method, ty) in [(&asks, &scalar), (&gives, &other)] {
                let argument = this.expr(&param, 1);
                let name = format!("v{}", this.number());
                let call = if this.chance(50) {
                    pieces![format!("p0.{method}("), argument, ")"]
                } else {
                    pieces![format!("A::{method}(&p0, "), argument, ")"]
                };
                this.bind(&name, ty.clone(), false);
                let call = Expr::new(ty.clone(), Form::TraitCall, call);
                let text = format!("let {name}: {ty} = ");
                stmts.push(Stmt::new(Form::Let, pieces![text, call, ";"]));
            }
            stmts
        });
        let head = format!("#[qd::func]\nfn {generic}<A: R0>(p0: A, p1: {param}) -> {result} {{\n");
        pieces.extend([pieces![head], code, pieces!["}\n"]].concat());
        self.items.push(Item { form: Form::TraitItem, pieces, support: String::new() });
        for ty in types {
            let func = |name: &String, owner: Owner, params: Vec<(Taken, Ty)>, result: &Ty| Func {
                name: name.clone(),
                owner,
                bound: None,
                counts: false,
                params,
                result: result.clone(),
            };
            let given = vec![(Taken::Value, param.clone())];
            self.funcs.push(func(&asks, Owner::Value(ty.clone()), given.clone(), &scalar));
            self.funcs.push(func(&gives, Owner::Value(ty.clone()), given.clone(), &other));
            self.funcs.push(func(&changes, Owner::Place(ty.clone()), given, &Ty::UNIT));
            let both = vec![(Taken::Value, ty), (Taken::Value, param.clone())];
            self.funcs.push(func(&generic, Owner::Module, both, &result));
        }
    }

    /// A struct that isn't generic.
    fn some_struct(&mut self) -> Option<usize> {
        let structs: Vec<usize> =
            (0..self.defs.structs.len()).filter(|number| !self.defs.structs[*number].generic).collect();
        self.pick(&structs)
    }

    /// A method of an `impl`, whole.
    fn method_code(&mut self, name: &str, of: &Ty, receiver: Receiver, params: &[(String, Ty)], result: &Ty) -> Pieces {
        let (text, arrow) = (
            match receiver {
                Receiver::Value => "self",
                Receiver::Reference => "&self",
                Receiver::Mutable => "&mut self",
            },
            if *result == Ty::UNIT { String::new() } else { format!(" -> {result}") },
        );
        let taken: String = params.iter().map(|(name, ty)| format!(", {name}: {ty}")).collect();
        let code = self.code_of(params, result, |this| {
            match receiver {
                Receiver::Value => this.bind("self", of.clone(), false),
                Receiver::Reference | Receiver::Mutable => {
                    this.bind_reference("self", of.clone(), receiver == Receiver::Mutable, false);
                }
            }
            if receiver == Receiver::Mutable { this.assign().into_iter().collect() } else { Vec::new() }
        });
        [pieces![format!("fn {name}({text}{taken}){arrow} {{\n")], code, pieces!["}\n"]].concat()
    }

    /// What a function does, between its braces, after `first`, which may bind more names.
    fn code_of(&mut self, params: &[(String, Ty)], result: &Ty, first: impl FnOnce(&mut Self) -> Vec<Stmt>) -> Pieces {
        let before = self.names.len();
        let floor = std::mem::replace(&mut self.floor, 0);
        self.level = Level::Func;
        self.result = result.clone();
        params.iter().for_each(|(name, ty)| self.bind(name, ty.clone(), false));
        let mut stmts = first(self);
        for _ in 0..self.rng.usize(..3) {
            stmts.extend(self.stmt(1));
        }
        let mut pieces = pieces![stmts];
        if *result != Ty::UNIT {
            let tail = self.expr(result, 2);
            pieces.push(tail.into());
        }
        pieces.push("\n".into());
        self.names.truncate(before);
        self.floor = floor;
        self.level = Level::Top;
        self.result = Ty::UNIT;
        pieces
    }

    /// A value by an operator of its own type.
    pub(super) fn by_own_operator(&mut self, number: usize, depth: usize) -> Option<Expr> {
        if self.chained {
            return None;
        }
        let operators: Vec<OwnOperator> =
            self.operators.iter().filter(|(of, _)| *of == number).map(|(_, operator)| *operator).collect();
        let ty = Ty::Struct(number, None);
        let pieces = match self.pick(&operators)? {
            OwnOperator::Both(symbol) => {
                let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
                pieces!["(", a, format!(" {symbol} "), b, ")"]
            }
            OwnOperator::Scaled(scalar) => {
                let (a, b) = (self.expr(&ty, depth), self.expr(&scalar.into(), depth));
                pieces!["(", a, " * ", b, ")"]
            }
            OwnOperator::Neg => {
                let a = self.expr(&ty, depth);
                pieces!["(-", a, ")"]
            }
            OwnOperator::AddAssign => return None,
        };
        Some(Expr::new(ty, Form::Operator, pieces))
    }

    /// The operators with which a struct updates itself.
    pub(super) fn own_updates(&self, number: usize) -> Vec<Op> {
        let updates = self.operators.contains(&(number, OwnOperator::AddAssign));
        if updates && !self.chained { vec![Op::Add] } else { Vec::new() }
    }
}
