//! Bundles: a struct of arrays and values that the kernel takes by reference. Their fields are arrays and names like any
//! other, written with a dot.
use super::{Access, Array, Generator};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Field, FieldKind, Item, Param, ParamKind, Stmt, pieces};

impl Generator {
    /// A bundle and its parameter; shapes of its arrays are bound in `body`.
    pub(super) fn bundle(&mut self, body: &mut Vec<Stmt>) -> Param {
        let (name, mutable) = ("b0".to_owned(), self.chance(80));
        let mut fields = Vec::new();
        for _ in 0..1 + self.rng.usize(..3) {
            let field = format!("u{}", self.number());
            let (element, path) = (self.ty(2), format!("{name}.{field}"));
            let (kind, rank) = match self.rng.u32(..10) {
                0..=3 => (FieldKind::Vec(element.clone()), 1),
                4 => (FieldKind::Boxed(element.clone()), 1),
                roll => {
                    let rank = if roll < 7 { 1 } else { 2 };
                    (FieldKind::Grid(element.clone(), rank), rank)
                }
            };
            let slice = !matches!(kind, FieldKind::Grid(..));
            let array = Array { name: path, element, rank, slice, mutable, access: Access::Free };
            for dim in 0..rank {
                let extent = if slice { "len()".to_owned() } else { format!("shape()[{dim}]") };
                let text = format!("let {} = {}.{extent};", array.extent(dim), array.name);
                body.push(Stmt::new(Form::Let, pieces![text]));
            }
            self.arrays.push(array);
            fields.push(Field { name: field, kind });
        }
        for _ in 0..self.rng.usize(..3) {
            let (field, ty) = (format!("u{}", self.number()), self.ty(2));
            self.bind(&format!("{name}.{field}"), ty.clone(), mutable);
            fields.push(Field { name: field, kind: FieldKind::Value(ty) });
        }
        let source: String = fields.iter().map(|field| format!("{}: {},\n", field.name, field.ty())).collect();
        let text = format!("#[derive(Clone, qd::Bundle)]\npub struct B0 {{\n{source}}}\n");
        self.items.push(Item { form: Form::BundleItem, pieces: pieces![text], support: String::new() });
        Param { form: Form::BundleParam, name, pattern: None, kind: ParamKind::Bundle { fields, mutable } }
    }
}
