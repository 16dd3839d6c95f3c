//! Calls of functions and methods.
use qd_ir::types::Scalar;

use super::func::{Func, Owner, Taken};
use super::half::convert;
use super::{Access, Array, Bound, Generator, Level, mentions};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, Stmt, pieces};
use crate::fuzz::ty::Ty;

impl Generator {
    /// A value of that type out of what some function gives.
    pub(super) fn call_for(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let mut fitting = Vec::new();
        for func in self.funcs.clone() {
            let of = self.instance(func.bound, ty)?;
            let result = func.result.instance(&of);
            for way in self.defs.ways(&result, ty) {
                fitting.push((func.clone(), of.clone(), Some(way)));
            }
            let casts = |ty: &Ty| ty.scalar().is_some_and(|scalar| scalar != Scalar::Bool);
            if result != *ty && casts(ty) && casts(&result) {
                fitting.push((func.clone(), of, None));
            }
        }
        let (func, of, way) = self.pick(&fitting)?;
        let call = self.call(&func, &of, depth)?;
        match (way, ty.scalar()) {
            (Some(way), _) if way.is_empty() => Some(call),
            (Some(way), _) => {
                // An index in a part can't be known at run time only: what is called isn't called twice.
                let (pieces, _) = self.along(pieces![call], &way, Form::Part);
                Some(Expr::new(ty.clone(), Form::Part, pieces))
            }
            (None, Some(scalar)) => Some(convert(call, scalar)),
            (None, None) => None,
        }
    }

    /// What stands for `T` in a call that is to give `ty`.
    fn instance(&mut self, bound: Option<Bound>, ty: &Ty) -> Option<Ty> {
        let Some(bound) = bound else { return Some(Ty::Param) };
        let own = self.bound.filter(|own| *own == bound || bound == Bound::Number);
        match ty {
            Ty::Scalar(scalar) if bound.accepts(*scalar) && self.chance(60) => Some(ty.clone()),
            _ if own.is_some() && self.chance(60) => Some(Ty::Param),
            _ => Some(self.such(|scalar| bound.accepts(scalar)).into()),
        }
    }

    /// A call; `None` if there is nothing here that it could be given.
    fn call(&mut self, func: &Func, of: &Ty, depth: usize) -> Option<Expr> {
        let before = self.borrowed.len();
        let call = self.call_with(func, of, depth);
        self.borrowed.truncate(before);
        call
    }

    fn call_with(&mut self, func: &Func, of: &Ty, depth: usize) -> Option<Expr> {
        let mut pieces = Vec::new();
        let form = match &func.owner {
            Owner::Module => {
                let arguments = match (func.bound, func.counts) {
                    (Some(_), true) => format!("::<{of}, {}>", self.rng.usize(..4)),
                    // rustc finds out by itself; the first parameter is of that type.
                    (Some(_), false) if self.chance(50) && *of == Ty::Param => String::new(),
                    (Some(_), false) => format!("::<{of}>"),
                    (None, true) => format!("::<{}>", self.rng.usize(..4)),
                    (None, false) => String::new(),
                };
                pieces.push(format!("{}{arguments}(", func.name).into());
                if func.bound.is_some() { Form::GenericCall } else { Form::Call }
            }
            Owner::Type(ty) => {
                let path = ty.instance(of).to_string().replacen('<', "::<", 1);
                pieces.push(format!("{path}::{}(", func.name).into());
                Form::AssociatedCall
            }
            Owner::Value(ty) => {
                let ty = ty.instance(of);
                let place = if self.chance(50) { self.place_of(&ty) } else { None };
                match place {
                    Some(place) => {
                        self.borrowed.push(place.root);
                        pieces.extend(place.pieces);
                    }
                    // A value: what is called isn't known to leave a place as it is.
                    None => {
                        let value = self.expr(&ty, depth);
                        pieces.extend(pieces!["({", value, "})"]);
                    }
                }
                pieces.push(format!(".{}(", func.name).into());
                Form::MethodCall
            }
            Owner::Place(ty) => {
                let place = self.place_of(&ty.instance(of))?;
                self.borrowed.push(place.root);
                pieces.extend(place.pieces);
                pieces.push(format!(".{}(", func.name).into());
                Form::MethodCall
            }
        };
        let mut shared = String::new();
        for (taken, ty) in &func.params {
            let ty = ty.instance(of);
            let argument = match taken {
                Taken::Value => {
                    let value = self.expr(&ty, depth);
                    pieces![value]
                }
                Taken::Reference => {
                    let value = self.expr(&ty, depth);
                    shared.push_str(&format!(" {value} "));
                    pieces!["&", value]
                }
                Taken::Slice => {
                    let array = self.handed(&ty, false, "")?;
                    shared.push_str(&format!(" {array} "));
                    pieces![format!("&{array}")]
                }
                Taken::Mutable => {
                    let place = self.place_of(&ty).filter(|place| !mentions(&shared, &place.root))?;
                    self.borrowed.push(place.root);
                    [pieces!["&mut "], place.pieces].concat()
                }
                Taken::MutableSlice => {
                    let array = self.handed(&ty, true, &shared)?;
                    self.borrowed.push(array.clone());
                    // A field isn't a reference.
                    pieces![match self.chance(50) {
                        _ if array.contains('.') => format!("&mut {array}"),
                        true => array,
                        false => format!("&mut *{array}"),
                    }]
                }
            };
            pieces.push(Expr::new(ty, Self::taken_form(*taken), argument).into());
            pieces.push(", ".into());
        }
        pieces.push(")".into());
        Some(Expr::new(func.result.instance(of), form, pieces))
    }

    /// A slice to hand over.
    fn handed(&mut self, element: &Ty, mutable: bool, shared: &str) -> Option<String> {
        let level = self.level;
        let fits = |array: &&Array| {
            let access = match array.access {
                Access::Read => !mutable,
                Access::Free => !mutable || array.mutable && matches!(level, Level::Serial | Level::Func),
                Access::Own(_) | Access::Atomic(_) | Access::Gone | Access::Segment => false,
            };
            access && array.slice && array.element == *element && !mentions(shared, &array.name)
        };
        let arrays = self.arrays.iter().filter(fits).filter(|array| !self.borrowed.contains(&array.name));
        let names: Vec<String> = arrays.map(|array| array.name.clone()).collect();
        self.pick(&names)
    }

    /// A call for what it does; what it changes is declared before, if need be.
    pub(super) fn call_stmt(&mut self) -> Vec<Stmt> {
        let funcs = self.funcs.clone();
        let Some(func) = self.pick(&funcs) else { return Vec::new() };
        let Some(of) = self.instance(func.bound, &Ty::UNIT) else { return Vec::new() };
        let mut stmts = Vec::new();
        let receiver = match &func.owner {
            Owner::Place(ty) => Some(ty.instance(&of)),
            Owner::Module | Owner::Type(_) | Owner::Value(_) => None,
        };
        let changed = func.params.iter().filter(|(taken, _)| *taken == Taken::Mutable);
        for ty in receiver.into_iter().chain(changed.map(|(_, ty)| ty.instance(&of))) {
            if self.chance(70) {
                let init = self.expr(&ty, 2);
                stmts.push(self.declare(init, true));
            }
        }
        if let Some(call) = self.call(&func, &of, 2) {
            if func.result != Ty::UNIT && self.chance(60) {
                let mutable = self.chance(50);
                stmts.push(self.declare(call, mutable));
            } else {
                stmts.push(Stmt::new(Form::CallStmt, pieces![call, ";"]));
            }
        }
        stmts
    }
}
