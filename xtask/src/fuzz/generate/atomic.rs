//! Atomics: updates of places that iterations share, and, of those of one's own, the old values.
use qd_ir::op::{AtomicOp, Op};
use qd_ir::types::Scalar;

use super::expr::pieces_in;
use super::half::convert;
use super::{Access, Array, Generator};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, Stmt, pieces};
use crate::fuzz::ty::Step;

impl Generator {
    /// An update that other iterations may do to the same place.
    pub(super) fn atomic(&mut self, array: &Array) -> Option<Stmt> {
        let Access::Atomic(op) = array.access else { return None };
        // A scalar in the element that takes the operation.
        let (ty, way) = self.atomic_way(array, |ty| ty.is_int() || matches!(op, "min" | "max"))?;
        self.borrowed.push(array.name.clone());
        let mut index = Vec::new();
        for dim in 0..array.rank {
            // Its length can't be read while it is borrowed.
            let len = if array.is_measured() { "1".to_owned() } else { array.extent(dim) };
            let value = self.expr(&Scalar::Usize.into(), 1);
            index.push(Expr::new(Scalar::Usize, Form::Op(Op::Rem), pieces!["(", value, format!(" % {len})")]));
        }
        let place = if array.rank == 1 { pieces_in("[", index, "]") } else { pieces_in("[[", index, "]]") };
        let (place, _) = self.along([pieces![array.name.clone()], place].concat(), &way, Form::Part);
        self.borrowed.pop();
        let value = self.expr(&ty.into(), 2);
        // No zero meets a zero of the other sign.
        let (form, value) = if ty.is_float() {
            let one = convert(Expr::literal(Scalar::F32, "1.0f32"), ty);
            (Form::FloatAtomic, pieces!["((", value, ").abs() + ", one, ")"])
        } else {
            (Form::Atomic, pieces![value])
        };
        let pieces = [pieces![format!("qd::atomic::{op}(&mut ")], place, pieces![", "], value, pieces![");"]];
        Some(Stmt::new(form, pieces.concat()))
    }

    /// An update of the iteration's own element, whose old value is bound.
    pub(super) fn own_atomic(&mut self) -> Option<Stmt> {
        let owned = |array: &&Array| matches!(array.access, Access::Own(_)) && !self.borrowed.contains(&array.name);
        let arrays: Vec<Array> = self.arrays.iter().filter(owned).cloned().collect();
        let array = self.pick(&arrays)?;
        let Access::Own(index) = &array.access else { return None };
        let (ty, way) = self.atomic_way(&array, |_| true)?;
        self.borrowed.push(array.name.clone());
        let (place, _) = self.along(pieces![array.name.clone(), index.clone()], &way, Form::Part);
        let value = self.expr(&ty.into(), 2);
        let name = format!("v{}", self.number());
        // What the bits of a NaN are is open.
        let (form, call) = if ty.is_int() && self.chance(40) {
            let current = self.expr(&ty.into(), 1);
            let head = format!("let {name} = qd::atomic::compare_exchange(&mut ");
            (Form::CompareExchange, [pieces![head], place, pieces![", ", current, ", ", value, ");"]].concat())
        } else {
            // Of zeros of both signs `min` and `max` may give either.
            let open = |op: &&AtomicOp| !(ty.is_float() && matches!(**op, AtomicOp::Min | AtomicOp::Max));
            let ops: Vec<AtomicOp> = AtomicOp::ALL.iter().filter(|op| op.takes(ty)).filter(open).copied().collect();
            let op = self.pick(&ops).unwrap_or(AtomicOp::Exchange);
            let head = format!("let {name} = qd::atomic::{}(&mut ", op.name());
            (Form::OldValue, [pieces![head], place, pieces![", ", value, ");"]].concat())
        };
        self.borrowed.pop();
        self.bind(&name, ty, false);
        Some(Stmt::new(form, call))
    }

    /// A way to a scalar in an element that atomics take.
    fn atomic_way(&mut self, array: &Array, fits: impl Fn(Scalar) -> bool) -> Option<(Scalar, Vec<Step>)> {
        let mut ways = Vec::new();
        for ty in Scalar::ALL.into_iter().filter(|ty| *ty != Scalar::Bool && ty.size() <= 8 && fits(*ty)) {
            ways.extend(self.defs.ways(&array.element, &ty.into()).into_iter().map(|way| (ty, way)));
        }
        self.pick(&ways)
    }
}
