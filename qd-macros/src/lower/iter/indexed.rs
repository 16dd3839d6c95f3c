//! Items that are found by their number: how many there are, and which is which.
use qd_ir::arena::Id;
use qd_ir::op::Op;
use qd_ir::sketch::{Block, Expr, ExprKind, Local, ParamId, Stmt, TapId, TypeName};
use qd_ir::types::Scalar;

use super::super::{Lower, Own};
use super::item::{Base, Element, Item, Mode};
use crate::reach::Reach;

/// Items that are found by their number.
pub(super) enum Indexed<'s> {
    Elements {
        base: Base,
        mode: Mode,
        start: Option<Id<Expr>>,
        len: Len,
    },
    /// `lo..hi`, `lo..`
    Numbers {
        lo: Id<Expr>,
        hi: Option<Id<Expr>>,
        inclusive: bool,
        tap: TapId,
    },
    Enumerate(Box<Indexed<'s>>),
    Zip(Box<Indexed<'s>>, Box<Indexed<'s>>),
    Skip(Box<Indexed<'s>>, Id<Expr>),
    Take(Box<Indexed<'s>>, Id<Expr>),
    Rev(Box<Indexed<'s>>),
    StepBy(Box<Indexed<'s>>, Id<Expr>),
    Map(Box<Indexed<'s>>, &'s mut syn::ExprClosure),
    /// Only while it is being made into another.
    Nothing,
}

/// How many items there are.
#[derive(Debug, Clone)]
pub(super) enum Len {
    Array(ParamId),
    Value(Id<Expr>),
    Numbers {
        lo: Id<Expr>,
        hi: Id<Expr>,
        inclusive: bool,
    },
    Min(Box<Len>, Box<Len>),
    /// So many less.
    Less(Box<Len>, Id<Expr>),
    /// One of so many.
    Steps(Box<Len>, Id<Expr>),
    /// A range without an end.
    Endless,
}

impl<'s> Indexed<'s> {
    /// Makes it a part of another.
    pub fn wrap(&mut self, outer: impl FnOnce(Box<Indexed<'s>>) -> Indexed<'s>) {
        let inner = std::mem::replace(self, Indexed::Nothing);
        *self = outer(Box::new(inner));
    }

    pub fn len(&self) -> Len {
        match self {
            Indexed::Elements { len, .. } => len.clone(),
            Indexed::Numbers { lo, hi: Some(hi), inclusive, .. } => {
                Len::Numbers { lo: *lo, hi: *hi, inclusive: *inclusive }
            }
            Indexed::Numbers { hi: None, .. } | Indexed::Nothing => Len::Endless,
            Indexed::Enumerate(inner) | Indexed::Rev(inner) | Indexed::Map(inner, _) => inner.len(),
            Indexed::Zip(a, b) => match (a.len(), b.len()) {
                (Len::Endless, len) | (len, Len::Endless) => len,
                (a, b) => Len::Min(Box::new(a), Box::new(b)),
            },
            Indexed::Skip(inner, count) => match inner.len() {
                Len::Endless => Len::Endless,
                len => Len::Less(Box::new(len), *count),
            },
            Indexed::Take(inner, count) => match inner.len() {
                Len::Endless => Len::Value(*count),
                len => Len::Min(Box::new(len), Box::new(Len::Value(*count))),
            },
            Indexed::StepBy(inner, step) => match inner.len() {
                Len::Endless => Len::Endless,
                len => Len::Steps(Box::new(len), *step),
            },
        }
    }
}

impl Lower<'_> {
    /// A number of items.
    pub(super) fn len_value(&mut self, len: &Len, at: Reach) -> Id<Expr> {
        match len {
            Len::Array(param) => self.push(ExprKind::Len(*param), Own::Closed, at),
            Len::Value(value) => *value,
            Len::Min(a, b) => {
                let (a, b) = (self.len_value(a, at), self.len_value(b, at));
                self.of_two(Op::Min, a, b, at)
            }
            Len::Less(len, count) => {
                let len = self.len_value(len, at);
                self.of_two(Op::SaturatingSub, len, *count, at)
            }
            Len::Steps(len, step) => {
                let len = self.len_value(len, at);
                self.of_two(Op::DivCeil, len, *step, at)
            }
            Len::Endless => self.number_of(u128::from(u64::MAX), at),
            Len::Numbers { lo, hi, inclusive } => {
                let some = self.of_two(if *inclusive { Op::Le } else { Op::Lt }, *lo, *hi, at);
                let apart = self.of_two(Op::AbsDiff, *hi, *lo, at);
                let to = TypeName::Scalar(Scalar::Usize);
                let mut count = self.push(ExprKind::Cast { value: apart, to }, Own::Closed, at);
                if *inclusive {
                    let one = self.number_of(1, at);
                    count = self.of_two(Op::Add, count, one, at);
                }
                let none = self.number_of(0, at);
                let then = Block { stmts: Vec::new(), tail: Some(count) };
                self.push(ExprKind::If { cond: some, then, otherwise: Some(none) }, Own::Closed, at)
            }
        }
    }

    /// The item of a number.
    pub(super) fn item_at(
        &mut self,
        items: &mut Indexed<'_>,
        number: Id<Local>,
        at: Reach,
        stmts: &mut Vec<Stmt>,
    ) -> Item {
        match items {
            Indexed::Elements { base, mode, start, len: _ } => {
                let index = match *start {
                    None => number,
                    Some(start) => {
                        let number = self.read(number, at);
                        let index = self.of_two(Op::Add, start, number, at);
                        self.keep_number(index, at, stmts)
                    }
                };
                Item::Element(Element { base: base.clone(), index, path: Vec::new(), mode: *mode })
            }
            Indexed::Numbers { lo, tap, .. } => {
                let (lo, tap) = (*lo, *tap);
                let number = self.read(number, at);
                let number = self.push(ExprKind::Cast { value: number, to: TypeName::Tap(tap) }, Own::Closed, at);
                let value = self.of_two(Op::WrappingAdd, lo, number, at);
                Item::Value(self.keep(value, tap, at, stmts))
            }
            Indexed::Enumerate(inner) => Item::pair(Item::Value(number), self.item_at(inner, number, at, stmts)),
            Indexed::Zip(a, b) => {
                let first = self.item_at(a, number, at, stmts);
                Item::pair(first, self.item_at(b, number, at, stmts))
            }
            Indexed::Skip(inner, count) => {
                let number = self.read(number, at);
                let index = self.of_two(Op::Add, number, *count, at);
                let index = self.keep_number(index, at, stmts);
                self.item_at(inner, index, at, stmts)
            }
            Indexed::Take(inner, _) => self.item_at(inner, number, at, stmts),
            Indexed::Rev(inner) => {
                let len = self.len_value(&inner.len(), at);
                let one = self.number_of(1, at);
                let last = self.of_two(Op::Sub, len, one, at);
                let number = self.read(number, at);
                let index = self.of_two(Op::Sub, last, number, at);
                let index = self.keep_number(index, at, stmts);
                self.item_at(inner, index, at, stmts)
            }
            Indexed::StepBy(inner, step) => {
                let number = self.read(number, at);
                let index = self.of_two(Op::Mul, number, *step, at);
                let index = self.keep_number(index, at, stmts);
                self.item_at(inner, index, at, stmts)
            }
            Indexed::Map(inner, function) => {
                let item = self.item_at(inner, number, at, stmts);
                let (value, tap) = self.apply_typed(function, &[&item], stmts);
                Item::Value(self.keep(value, tap, at, stmts))
            }
            Indexed::Nothing => Item::Value(number),
        }
    }

    pub(super) fn keep_number(&mut self, value: Id<Expr>, at: Reach, stmts: &mut Vec<Stmt>) -> Id<Local> {
        let tap = self.taps.known(Scalar::Usize);
        self.keep(value, tap, at, stmts)
    }
}
