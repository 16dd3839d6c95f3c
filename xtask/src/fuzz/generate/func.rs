//! Functions and methods that kernels call. A function calls only those made before it, so there is no recursion.
use qd_ir::types::Scalar;

use super::{Access, Array, Bound, Generator, Level};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Item, Piece, pieces};
use crate::fuzz::ty::Ty;

/// How a parameter is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    Value,
    Reference,
    Slice,
    /// `&mut`; these come last, so that what they borrow isn't read after.
    Mutable,
    MutableSlice,
}

/// What a function belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Owner {
    /// Nothing: it is called by its name.
    Module,
    /// A type, without a receiver.
    Type(Ty),
    /// A type, by `&self` or by `self`.
    Value(Ty),
    /// A type, by `&mut self`.
    Place(Ty),
}

/// A function that can be called.
#[derive(Debug, Clone)]
pub(super) struct Func {
    pub name: String,
    pub owner: Owner,
    pub bound: Option<Bound>,
    /// It has a const parameter.
    pub counts: bool,
    pub params: Vec<(Taken, Ty)>,
    pub result: Ty,
}

impl Generator {
    /// A free function.
    pub(super) fn function(&mut self) {
        let name = format!("call{}", self.number());
        let bound = if self.chance(30) { self.pick(&[Bound::Number, Bound::Int, Bound::Float]) } else { None };
        let counts = self.chance(20);
        let generics = match (bound, counts) {
            (Some(bound), true) => format!("<T: {}, const N: usize>", bound.name()),
            (Some(bound), false) => format!("<T: {}>", bound.name()),
            (None, true) => "<const N: usize>".to_owned(),
            (None, false) => String::new(),
        };
        let form = match (bound, counts) {
            (Some(_), _) => Form::GenericFuncItem,
            (None, true) => Form::ConstFuncItem,
            (None, false) => Form::FuncItem,
        };
        let head = format!("#[qd::func]\nfn {name}{generics}(");
        let (func, rest) = self.code(name, Owner::Module, bound, counts);
        self.funcs.push(func);
        self.items.push(Item { form, pieces: [pieces![head], rest].concat(), support: String::new() });
    }

    /// An `impl` block of a struct.
    pub(super) fn methods(&mut self) {
        if self.defs.structs.is_empty() {
            return;
        }
        let number = self.rng.usize(..self.defs.structs.len());
        let generic = self.defs.structs[number].generic;
        let of = Ty::Struct(number, generic.then(|| Box::new(Ty::Param)));
        let bound = generic.then_some(Bound::Number);
        let generics = if generic { "<T: Number>" } else { "" };
        let mut block = pieces![format!("#[qd::funcs]\nimpl{generics} {of} {{\n")];
        for kind in 0..1 + self.rng.usize(..3) {
            let name = format!("m{}", self.number());
            let (owner, receiver) = match kind {
                0 => (Owner::Value(of.clone()), if self.chance(50) { "&self, " } else { "self, " }),
                1 => (Owner::Place(of.clone()), "&mut self, "),
                _ => (Owner::Type(of.clone()), ""),
            };
            let head = format!("fn {name}({receiver}");
            let by_reference = receiver.contains('&');
            let before = self.names.len();
            match &owner {
                Owner::Value(ty) if !by_reference => self.bind("self", ty.clone(), false),
                Owner::Value(ty) => self.bind_reference("self", ty.clone(), false, false),
                Owner::Place(ty) => self.bind_reference("self", ty.clone(), true, false),
                Owner::Module | Owner::Type(_) => {}
            }
            let (func, rest) = self.code(name, owner, bound, false);
            self.names.truncate(before);
            self.funcs.push(func);
            block.extend([pieces![head], rest].concat());
        }
        block.push("}\n".into());
        self.items.push(Item { form: Form::MethodsItem, pieces: block, support: String::new() });
    }

    /// Parameters and body of a function, from behind the bracket on.
    fn code(&mut self, name: String, owner: Owner, bound: Option<Bound>, counts: bool) -> (Func, super::Pieces) {
        let before = self.names.len();
        // What is bound so far is `self` and constants.
        let floor = std::mem::replace(&mut self.floor, 0);
        self.level = Level::Func;
        self.bound = bound;
        if counts {
            self.bind("N", Scalar::Usize, false);
        }
        let mut taken = Vec::new();
        for _ in 0..1 + self.rng.usize(..3) {
            taken
                .push(self.pick(&[Taken::Value, Taken::Value, Taken::Reference, Taken::Slice]).unwrap_or(Taken::Value));
        }
        for _ in 0..self.rng.usize(..3) {
            taken.push(if self.chance(80) { Taken::Mutable } else { Taken::MutableSlice });
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let mut params = Vec::new();
        for (k, taken) in taken.into_iter().enumerate() {
            let ty = match (bound, taken) {
                (Some(_), _) if k == 0 || self.chance(40) => Ty::Param,
                (_, Taken::Slice | Taken::MutableSlice) => self.ty(1),
                (_, Taken::Value | Taken::Reference | Taken::Mutable) => self.ty(2),
            };
            pieces.extend(self.parameter(k, taken, &ty));
            params.push((taken, ty));
        }
        self.result = match self.rng.u32(..10) {
            0 => Ty::UNIT,
            1..=3 if bound.is_some() => Ty::Param,
            1..=2 if matches!(owner, Owner::Type(_)) => match &owner {
                Owner::Type(ty) => ty.clone(),
                Owner::Module | Owner::Value(_) | Owner::Place(_) => Ty::UNIT,
            },
            1..=6 => self.scalar().into(),
            _ => self.ty(2),
        };
        let mut stmts = Vec::new();
        for _ in 0..self.rng.usize(..5) {
            stmts.extend(self.stmt(2));
        }
        let result = self.result.clone();
        let arrow = if result == Ty::UNIT { String::new() } else { format!(" -> {result}") };
        pieces.extend(pieces![format!("){arrow} {{\n"), stmts]);
        if result != Ty::UNIT {
            let tail = self.expr(&result, 3);
            pieces.push(tail.into());
        }
        pieces.push("\n}\n".into());
        self.names.truncate(before);
        self.arrays.clear();
        self.floor = floor;
        self.level = Level::Top;
        self.bound = None;
        self.result = Ty::UNIT;
        (Func { name, owner, bound, counts, params, result }, pieces)
    }

    /// Binds a parameter.
    fn parameter(&mut self, k: usize, taken: Taken, ty: &Ty) -> super::Pieces {
        let name = format!("p{k}");
        match taken {
            Taken::Value => {
                let mutable = self.chance(40);
                self.bind(&name, ty.clone(), mutable);
                pieces![format!("{}{name}: {ty}, ", if mutable { "mut " } else { "" })]
            }
            Taken::Reference | Taken::Mutable => {
                let mutable = taken == Taken::Mutable;
                self.bind_reference(&name, ty.clone(), mutable, false);
                pieces![format!("{name}: &{}{ty}, ", if mutable { "mut " } else { "" })]
            }
            Taken::Slice | Taken::MutableSlice => {
                let mutable = taken == Taken::MutableSlice;
                let access = if mutable { Access::Free } else { Access::Read };
                let name = format!("s{k}");
                let text = format!("{name}: &{}[{ty}], ", if mutable { "mut " } else { "" });
                self.arrays.push(Array { name, element: ty.clone(), rank: 1, slice: true, mutable, access });
                pieces![text]
            }
        }
    }

    /// What a parameter counts as.
    pub(super) fn taken_form(taken: Taken) -> Form {
        match taken {
            Taken::Value => Form::ValueParam,
            Taken::Reference => Form::ReferenceParam,
            Taken::Slice => Form::SliceParam,
            Taken::Mutable => Form::MutableParam,
            Taken::MutableSlice => Form::MutableSliceParam,
        }
    }
}
