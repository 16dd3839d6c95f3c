//! What stands before the kernel's body: its types and constants, type parameters, instances and parameters.
use qd_ir::types::Scalar;

use super::func::Taken;
use super::{Access, Array, Bound, Generator, mentions};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Instance, Item, Param, ParamKind, Piece, Program, Stmt, pieces};
use crate::fuzz::ty::{Enum, Struct, Ty};

impl Generator {
    /// Structs, enums and constants.
    pub(super) fn define(&mut self) {
        for number in 0..self.rng.usize(..3) {
            let repr = self.such(|ty| ty.is_int() && ty.size() <= 8);
            let mut values = vec![0];
            for _ in 0..1 + self.rng.usize(..4) {
                let last = values.last().copied().unwrap_or(0);
                values.push(last + if self.chance(70) { 1 } else { self.rng.i128(2..20) });
            }
            if repr.is_signed() && self.chance(40) {
                values[1..].iter_mut().for_each(|value| *value = -*value);
            }
            self.defs.enums.push(Enum { repr, values });
            self.items.push(Item {
                form: Form::EnumItem,
                pieces: pieces![self.defs.enum_source(number)],
                support: self.defs.enum_support(number),
            });
        }
        for number in 0..self.rng.usize(..4) {
            let (tuple, generic) = (self.chance(30), self.chance(30));
            let mut fields: Vec<Ty> = (0..1 + self.rng.usize(..3)).map(|_| self.ty(2)).collect();
            if generic {
                fields.push(Ty::Param);
                if self.chance(50) {
                    fields.push(Ty::List(Box::new(Ty::Param), 2));
                }
                self.rng.shuffle(&mut fields);
            }
            // Those of parts that aren't numbers compare by functions.
            let compared = !generic && fields.iter().all(Ty::is_plain) && self.chance(60);
            self.defs.structs.push(Struct { tuple, generic, compared, fields });
            self.items.push(Item {
                form: match (tuple, generic) {
                    _ if compared => Form::DerivedItem,
                    (_, true) => Form::GenericStructItem,
                    (true, false) => Form::TupleStructItem,
                    (false, false) => Form::StructItem,
                },
                pieces: pieces![self.defs.struct_source(number)],
                support: self.defs.struct_support(number),
            });
        }
        for number in 0..self.rng.usize(..3) {
            let scalar = Ty::from(self.such(|_| true));
            let ty = if self.chance(70) { scalar } else { Ty::List(Box::new(scalar), 3) };
            let name = format!("C{number}");
            // A constant is made of literals.
            let value = self.constant(&ty);
            self.items.push(Item {
                form: Form::ConstItem,
                pieces: pieces![format!("const {name}: {ty} = "), value, ";\n"],
                support: String::new(),
            });
            self.bind(&name, ty, false);
        }
    }

    /// The parameters of the kernel's types, and its instances.
    pub(super) fn generics(&mut self) -> (String, Vec<Instance>) {
        if !self.chance(18) {
            return (String::new(), Vec::new());
        }
        let bound = self.pick(&[Bound::Number, Bound::Int, Bound::Float]).unwrap_or(Bound::Number);
        let count = self.chance(50);
        if count {
            self.bind("N", Scalar::Usize, false);
        }
        self.bound = Some(bound);
        let instances = (0..2)
            .map(|_| {
                let half = bound != Bound::Int && self.chance(20);
                let ty = if half { self.half_type() } else { self.such(|ty| bound.accepts(ty)) };
                let n = self.rng.usize(..6);
                let (constant, argument) =
                    if count { (format!("const N: usize = {n};\n"), format!(", {n}")) } else { Default::default() };
                Instance {
                    declares: format!("#[allow(unused)]\ntype T = {ty};\n{constant}"),
                    arguments: format!("::<{ty}{argument}>"),
                }
            })
            .collect();
        (format!("<T: {}{}>", bound.name(), if count { ", const N: usize" } else { "" }), instances)
    }

    /// The kernel's parameters, and bindings of shapes.
    pub(super) fn params(&mut self) -> (Vec<Param>, Vec<Stmt>) {
        let (mut params, mut body) = (Vec::new(), Vec::new());
        for k in 0..1 + self.rng.usize(..3) {
            let name = format!("p{k}");
            let ty = if self.bound.is_some() && self.chance(40) { Ty::Param } else { self.ty(2) };
            let (form, pattern) = match (&ty, self.rng.u32(..10)) {
                (Ty::Tuple(parts), 0..=4) => {
                    let idents: Vec<String> = (0..parts.len()).map(|part| format!("{name}_{part}")).collect();
                    idents.iter().zip(parts).for_each(|(ident, ty)| self.bind(ident, ty.clone(), false));
                    (Form::PatternParam, Some(format!("({})", idents.join(", "))))
                }
                (_, 5..=6) => {
                    self.bind(&name, ty.clone(), true);
                    (Form::ValueParam, Some(format!("mut {name}")))
                }
                (_, 7) => {
                    self.bind(&name, ty.clone(), false);
                    (Form::SpecializedParam, None)
                }
                _ => {
                    self.bind(&name, ty.clone(), false);
                    (Form::ValueParam, None)
                }
            };
            params.push(Param { form, name, pattern, kind: ParamKind::Value(ty) });
        }
        for k in 0..2 + self.rng.usize(..4) {
            // The first two can be written, so that every program has a visible effect.
            let (name, mutable) = (format!("a{k}"), k < 2 || self.chance(40));
            let element = self.element_type();
            let (form, rank) = match self.rng.u32(..100) {
                0..=49 => (Form::SliceArray, 1),
                50..=69 => (Form::LineArray, 1),
                70..=91 => (Form::PlaneArray, 2),
                _ => (Form::SpaceArray, 3),
            };
            let slice = form == Form::SliceArray;
            if !slice {
                // Of an array that is written at the same time, the shape can't be read.
                for dim in 0..rank {
                    let text = format!("let {name}_{dim} = {name}.shape()[{dim}];");
                    body.push(Stmt::new(Form::Let, pieces![text]));
                }
            }
            let kind = ParamKind::Array { element: element.clone(), slice, rank, mutable };
            params.push(Param { form, name: name.clone(), pattern: None, kind });
            self.arrays.push(Array { name, element, rank, slice, mutable, access: Access::Free });
        }
        if self.chance(30) {
            params.push(self.bundle(&mut body));
        }
        if self.chance(25) {
            let offsets = [Scalar::U32, Scalar::U64, Scalar::Usize, Scalar::I32, Scalar::I64];
            let (name, ty) = ("o0".to_owned(), self.pick(&offsets).unwrap_or(Scalar::Usize));
            self.offsets.push(name.clone());
            params.push(Param { form: Form::OffsetsParam, name, pattern: None, kind: ParamKind::Offsets(ty) });
        }
        (params, body)
    }

    /// The element of an array: often one that some function takes slices of.
    fn element_type(&mut self) -> Ty {
        if self.bound.is_some() && self.chance(40) {
            return Ty::Param;
        }
        let params = self.funcs.iter().flat_map(|func| &func.params);
        let slices = params.filter(|(taken, _)| matches!(taken, Taken::Slice | Taken::MutableSlice));
        let slices: Vec<Ty> = slices.map(|(_, ty)| ty.clone()).filter(|ty| *ty != Ty::Param).collect();
        if self.chance(30)
            && let Some(ty) = self.pick(&slices)
        {
            return ty;
        }
        self.ty(2)
    }

    /// Takes away what is defined and not used, so that programs stay readable.
    pub(super) fn drop_unused(&mut self, program: &mut Program) {
        loop {
            let used = |k: usize| match &program.items[k].form {
                // What isn't called by its name.
                Form::StructItem
                | Form::TupleStructItem
                | Form::GenericStructItem
                | Form::DerivedItem
                | Form::EnumItem
                | Form::OperatorItem
                | Form::TraitItem
                | Form::BundleItem => true,
                _ => {
                    let Some(Piece::Text(text)) = program.items[k].pieces.first() else { return true };
                    let word = |text: &str| {
                        let name = text.split_once("fn ").or_else(|| text.split_once("const "));
                        name.map(|(_, rest)| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("").to_owned())
                    };
                    let Some(name) = word(text) else { return true };
                    let mut others = program.clone();
                    others.items.remove(k);
                    mentions(&others.source(), &name)
                }
            };
            match (0..program.items.len()).find(|k| !used(*k)) {
                Some(unused) => drop(program.items.remove(unused)),
                None => return,
            }
        }
    }
}
