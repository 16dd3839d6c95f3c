//! Chains of iterators that give a scalar.
use qd_ir::op::Op;
use qd_ir::types::Scalar;

use super::{Access, Array, Generator, Level, Pieces};
use crate::fuzz::form::Form;
use crate::fuzz::program::{Expr, pieces};
use crate::fuzz::ty::Ty;

/// What a closure gets of an item: a pattern, and what it binds.
#[derive(Debug, Clone)]
struct Item {
    pattern: String,
    binds: Vec<Bound>,
}

/// A name in the pattern of an item.
#[derive(Debug, Clone)]
struct Bound {
    name: String,
    ty: Ty,
    /// It refers to an element.
    reference: bool,
}

impl Generator {
    /// A chain that gives a scalar of that type; `None` where none can stand.
    pub(super) fn chain(&mut self, ty: Scalar, depth: usize) -> Option<Expr> {
        if self.chained || self.spoken || ty.is_half() {
            return None;
        }
        let (mut pieces, mut item, form) = self.source()?;
        self.adapt(&mut pieces, &mut item);
        let end = self.end(ty, &item, depth)?;
        Some(Expr::new(ty, form, [pieces, end].concat()))
    }

    /// Where items come from: few of them, in an iteration.
    fn source(&mut self) -> Option<(Pieces, Item, Form)> {
        let reads = |array: &&Array| array.rank == 1 && self.can_run_over(array);
        let arrays: Vec<Array> = self.arrays.iter().filter(reads).cloned().collect();
        let name = format!("e{}", self.number());
        let item = |ty: Ty, reference: bool| Item {
            pattern: name.clone(),
            binds: vec![Bound { name: name.clone(), ty, reference }],
        };
        let form = if self.level == Level::Top { Form::ChainAtTop } else { Form::Chain };
        let Some(array) = self.pick(&arrays).filter(|_| self.chance(75)) else {
            let ty = self.such(|ty| ty.is_int() && ty.size() <= 8);
            let (lo, hi) = self.few(ty);
            let dots = if self.chance(70) { ".." } else { "..=" };
            return Some((pieces!["(", lo, dots, hi, ")"], item(ty.into(), false), form));
        };
        let few = self.rng.u32(1..7);
        let all = matches!(self.level, Level::Top | Level::Serial) && !self.in_loop();
        let (mut pieces, mut form) = (pieces![array.name.clone()], form);
        if array.slice && self.chance(50) {
            form = Form::ChainOfPart;
            pieces.extend(self.part(&array, few));
        }
        pieces.push(".iter()".into());
        if self.chance(15) {
            pieces.push(".rev()".into());
        }
        // In a loop the whole array would be too much.
        if !all {
            pieces.push(format!(".take({few})").into());
        }
        let copied = array.element.scalar().is_some() && self.chance(20);
        if copied {
            pieces.push(".copied()".into());
        }
        Some((pieces, item(array.element, !copied), form))
    }

    /// The bracket of a part of a slice, nearly always in bounds.
    pub(super) fn part(&mut self, array: &Array, few: u32) -> Pieces {
        let name = &array.name;
        match self.rng.u32(..20) {
            0..=8 => pieces![format!("[..{few}.min({name}.len())]")],
            9 => pieces![format!("[1..{}]", few + 1)],
            10..=13 => pieces![format!("[{name}.len() / 2..]")],
            _ => {
                let name = name.clone();
                let value = self.expr(&Scalar::Usize.into(), 1);
                let start = pieces!["(", value, format!(" % ({name}.len() + 1))")];
                pieces!["[", Expr::new(Scalar::Usize, Form::Op(Op::Rem), start), "..]"]
            }
        }
    }

    /// True if a chain or a loop inside of an iteration can run over the array.
    pub(super) fn can_run_over(&self, array: &Array) -> bool {
        let free = matches!(self.level, Level::Top | Level::Serial | Level::Func);
        let access = array.access == Access::Read || array.access == Access::Free && free;
        access && !self.borrowed.contains(&array.name)
    }

    /// True inside of a loop, of the plan too.
    fn in_loop(&self) -> bool {
        !self.loops.is_empty()
    }

    /// Adapters, in an order that the language has.
    fn adapt(&mut self, pieces: &mut Pieces, item: &mut Item) {
        if self.chance(15) {
            pieces.push(format!(".skip({})", self.rng.u32(..3)).into());
        }
        match self.rng.u32(..10) {
            0..=1 => {
                let number = format!("n{}", self.number());
                pieces.push(".enumerate()".into());
                item.pattern = format!("({number}, {})", item.pattern);
                item.binds.push(Bound { name: number, ty: Scalar::Usize.into(), reference: false });
            }
            2..=3 => {
                let other = format!("n{}", self.number());
                pieces.push(format!(".zip(0..{}u32)", self.rng.u32(1..9)).into());
                item.pattern = format!("({}, {other})", item.pattern);
                item.binds.push(Bound { name: other, ty: Scalar::U32.into(), reference: false });
            }
            _ => {}
        }
        if self.chance(35) {
            let test = self.closure(&format!("&{}", item.pattern), &item.binds, &Scalar::Bool.into(), 2);
            pieces.push(".filter(".into());
            pieces.extend(test);
            pieces.push(")".into());
        }
    }

    /// A closure over names.
    fn closure(&mut self, pattern: &str, binds: &[Bound], ty: &Ty, depth: usize) -> Pieces {
        let body = self.scope(|this| {
            for Bound { name, ty, reference } in binds {
                if *reference {
                    this.bind_reference(name, ty.clone(), false, true);
                } else {
                    this.bind(name, ty.clone(), false);
                }
            }
            this.chained = true;
            let body = this.expr(ty, depth);
            this.chained = false;
            body
        });
        pieces![format!("|{pattern}| "), body]
    }

    /// What ends a chain.
    fn end(&mut self, ty: Scalar, item: &Item, depth: usize) -> Option<Pieces> {
        let Item { pattern, binds } = item;
        let test = |this: &mut Self, word: &str, after: &str| {
            let test = this.closure(pattern, binds, &Scalar::Bool.into(), 2);
            [pieces![format!(".{word}(")], test, pieces![after]].concat()
        };
        // At top level all items are looked at, so a fault behind the one that settles it would be one.
        let settles = self.level != Level::Top;
        if ty == Scalar::Bool {
            if !settles {
                return None;
            }
            let word = if self.chance(50) { "any" } else { "all" };
            return Some(test(self, word, ")"));
        }
        if ty == Scalar::Usize && self.chance(40) {
            if !settles || self.chance(50) {
                return Some(pieces![".count()"]);
            }
            return Some(test(self, "position", ").unwrap_or(77)"));
        }
        // At top level sums of floats are those of the tree.
        if ty.is_float() && self.level == Level::Top {
            return None;
        }
        let mapped = self.closure(pattern, binds, &ty.into(), depth.min(2));
        let mapped = [pieces![".map("], mapped, pieces![")"]].concat();
        let end = match self.rng.u32(..10) {
            0..=2 => pieces![format!(".sum::<{ty}>()")],
            3 => pieces![format!(".product::<{ty}>()")],
            4..=5 if ty.is_int() => {
                let otherwise = self.leaf(&ty.into());
                let word = if self.chance(50) { "min" } else { "max" };
                pieces![format!(".{word}().unwrap_or("), otherwise, ")"]
            }
            6 => {
                let otherwise = self.leaf(&ty.into());
                pieces![".last().unwrap_or(", otherwise, ")"]
            }
            _ => {
                let start = self.expr(&ty.into(), 1);
                let (total, item) = (format!("n{}", self.number()), format!("n{}", self.number()));
                let bound = |name: &String| Bound { name: name.clone(), ty: ty.into(), reference: false };
                let step = self.closure(&format!("{total}, {item}"), &[bound(&total), bound(&item)], &ty.into(), 2);
                [pieces![".fold(", start, ", "], step, pieces![")"]].concat()
            }
        };
        Some([mapped, end].concat())
    }
}
