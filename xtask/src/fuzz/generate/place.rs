//! Elements and parts: what is read of arrays, and what can be assigned to.
use qd_ir::op::Op;
use qd_ir::types::Scalar;

use super::{Access, Array, Generator, Level, Pieces};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, pieces};
use crate::fuzz::ty::{Step, Ty};

/// How many indices of parts stand in each other at most.
const DEEPEST_INDEX: usize = 4;

/// What can be assigned to, or borrowed.
pub(super) struct Place {
    pub pieces: Pieces,
    pub ty: Ty,
    /// The name or array it is in.
    pub root: String,
    /// It is in an array parameter.
    pub element: bool,
}

impl Generator {
    /// Goes a way; the form says whether an index is known at run time only.
    pub(super) fn along(&mut self, mut pieces: Pieces, way: &[Step], form: Form) -> (Pieces, Form) {
        let mut form = form;
        for step in way {
            match step {
                Step::Field(name) => pieces.push(format!(".{name}").into()),
                Step::Index(len) => {
                    let (index, found) = self.inner_index(*len);
                    form = found.unwrap_or(form);
                    pieces.extend(pieces!["[", index, "]"]);
                }
                Step::Cell(rows, columns) => {
                    let (row, first) = self.inner_index(*rows);
                    let (column, second) = self.inner_index(*columns);
                    form = first.or(second).unwrap_or(form);
                    pieces.extend(pieces!["[[", row, ", ", column, "]]"]);
                }
            }
        }
        (pieces, form)
    }

    /// An index into a value of `len` elements. In what it takes from values with many dimensions stand others, so there is
    /// an end to that.
    fn inner_index(&mut self, len: usize) -> (Expr, Option<Form>) {
        if self.chance(50) || self.indices == DEEPEST_INDEX {
            return (Expr::literal(Scalar::Usize, self.rng.usize(..len).to_string()), None);
        }
        let most = if self.chance(2) { len + 1 } else { len };
        self.indices += 1;
        let value = self.leaf(&Scalar::Usize.into());
        self.indices -= 1;
        (
            Expr::new(Scalar::Usize, Form::Op(Op::Rem), pieces!["(", value, format!(" % {most})")]),
            Some(Form::RunTimeIndex),
        )
    }

    /// The index of an element that isn't the iteration's own, nearly always in bounds.
    fn index(&mut self, array: &Array, depth: usize) -> Pieces {
        let mut parts = Vec::new();
        for dim in 0..array.rank {
            let len = if array.is_measured() { format!("{}.len()", array.name) } else { array.extent(dim) };
            let len = if self.chance(2) { format!("({len} + 1)") } else { len };
            let value = self.expr(&Scalar::Usize.into(), depth);
            parts.push(Expr::new(Scalar::Usize, Form::Op(Op::Rem), pieces!["(", value, format!(" % {len})")]));
        }
        let (before, after) = if array.rank == 1 { ("[", "]") } else { ("[[", "]]") };
        super::expr::pieces_in(before, parts, after)
    }

    /// An element, or a part of one.
    pub(super) fn load(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let mut fitting = Vec::new();
        for array in &self.arrays {
            if matches!(array.access, Access::Atomic(_) | Access::Gone | Access::Segment)
                || self.borrowed.contains(&array.name)
            {
                continue;
            }
            fitting.extend(self.defs.ways(&array.element, ty).into_iter().map(|way| (array.clone(), way)));
        }
        let (array, way) = self.pick(&fitting)?;
        let mut pieces = pieces![array.name.clone()];
        match &array.access {
            Access::Own(index) => pieces.push(index.clone().into()),
            Access::Read | Access::Free | Access::Atomic(_) | Access::Gone | Access::Segment => {
                // The inner index could name the array, which is fine for reading.
                let index = self.index(&array, depth);
                pieces.extend(index);
            }
        }
        let (pieces, _) = self.along(pieces, &way, Form::Load);
        Some(Expr::new(ty.clone(), Form::Load, pieces))
    }

    /// A place of any type.
    pub(super) fn place(&mut self) -> Option<Place> {
        let mut roots: Vec<(Option<Array>, String, Ty)> = Vec::new();
        for name in self.assignable() {
            roots.push((None, name.text.clone(), name.ty.clone()));
        }
        for array in self.writable() {
            roots.push((Some(array.clone()), array.name.clone(), array.element.clone()));
        }
        let (array, text, ty) = self.pick(&roots)?;
        let mut way = Vec::new();
        let mut at = ty;
        loop {
            let parts = self.defs.parts(&at);
            if parts.is_empty() || self.chance(30) {
                break;
            }
            let (step, part) = self.pick(&parts)?;
            way.push(step);
            at = part;
        }
        Some(self.place_at(array, &text, &way, at))
    }

    /// A place of that type.
    pub(super) fn place_of(&mut self, ty: &Ty) -> Option<Place> {
        let mut found = Vec::new();
        for name in self.assignable() {
            found.extend(self.defs.ways(&name.ty, ty).into_iter().map(|way| (None, name.text.clone(), way)));
        }
        for array in self.writable() {
            let ways = self.defs.ways(&array.element, ty);
            found.extend(ways.into_iter().map(|way| (Some(array.clone()), array.name.clone(), way)));
        }
        let (array, text, way) = self.pick(&found)?;
        Some(self.place_at(array, &text, &way, ty.clone()))
    }

    /// The arrays of which an element can be assigned to.
    fn writable(&self) -> Vec<Array> {
        let writes = |array: &&Array| match array.access {
            Access::Own(_) => true,
            Access::Free => array.mutable && self.level != Level::Top,
            Access::Read | Access::Atomic(_) | Access::Gone | Access::Segment => false,
        };
        let arrays = self.arrays.iter().filter(writes);
        arrays.filter(|array| !self.borrowed.contains(&array.name)).cloned().collect()
    }

    fn place_at(&mut self, array: Option<Array>, text: &str, way: &[Step], ty: Ty) -> Place {
        let root = text.trim_start_matches("(*").trim_end_matches(')').to_owned();
        // While a place is found, what it is in can't be read.
        self.borrowed.push(root.clone());
        let mut pieces = pieces![text];
        if let Some(array) = &array {
            match &array.access {
                Access::Own(index) => pieces.push(index.clone().into()),
                Access::Read | Access::Free | Access::Atomic(_) | Access::Gone | Access::Segment => {
                    let index = self.index(array, 1);
                    pieces.extend(index);
                }
            }
        }
        let (pieces, _) = self.along(pieces, way, Form::Part);
        self.borrowed.pop();
        Place { pieces, ty, root, element: array.is_some() }
    }
}
