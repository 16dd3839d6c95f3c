//! Random programs: mostly such as people write, and what lies beside them.
use qd_ir::op::Op;
use qd_ir::types::Scalar;

use crate::program::Tree::{Int, Name};
use crate::program::*;

/// A seed, and the type that the program calculates in.
pub struct Random(pub u64, pub Scalar);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    pub fn tree(&mut self, names: &[&'static str], depth: usize) -> Tree {
        if depth == 0 || self.below(5) == 0 {
            return if self.below(3) == 0 { Int(self.pick(&[0, 1, 2, 3, 4, 7, 16])) } else { Name(self.pick(names)) };
        }
        match self.below(26) {
            24 => op(
                self.pick(&[Op::SaturatingAdd, Op::SaturatingSub, Op::SaturatingSub, Op::SaturatingMul]),
                self.tree(names, depth - 1),
                self.tree(names, 0),
            ),
            25 if self.1 != Scalar::I8 => {
                op(self.pick(&[Op::DivCeil, Op::NextMultipleOf]), self.tree(names, depth - 1), self.tree(names, 0))
            }
            0 => Tree::Cast(self.pick(&[Scalar::I8, Scalar::U8, Scalar::I16]), Box::new(self.tree(names, depth - 1))),
            1 => Tree::Loaded(Box::new(self.tree(names, depth - 1))),
            2..=7 => add(self.tree(names, depth - 1), self.tree(names, depth - 1)),
            8..=9 => sub(self.tree(names, depth - 1), self.tree(names, depth - 1)),
            10..=13 => mul(self.tree(names, depth - 1), self.tree(names, 0)),
            14 => op(Op::Div, self.tree(names, depth - 1), self.tree(names, 0)),
            15 => op(Op::Rem, self.tree(names, depth - 1), self.tree(names, 0)),
            16 => op(Op::Shl, self.tree(names, depth - 1), Int(self.pick(&[1, 2, 3]))),
            17 => op(self.pick(&[Op::Shr, Op::And]), self.tree(names, depth - 1), Int(self.pick(&[1, 3, 7]))),
            18 | 19 => {
                let mask = if self.below(3) == 0 { Name("m") } else { Int(self.pick(&[1, 2, 4, 6, 7, 64, 128, 248])) };
                op(self.pick(&[Op::And, Op::Or, Op::Xor]), self.tree(names, depth - 1), mask)
            }
            20 => op(self.pick(&[Op::DivEuclid, Op::RemEuclid]), self.tree(names, depth - 1), self.tree(names, 0)),
            21 => {
                let compare = self.pick(&[Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge]);
                let (left, right) = (self.tree(names, 1), self.tree(names, 0));
                choose(compare, left, right, self.tree(names, depth - 1), self.tree(names, depth - 1))
            }
            22 => op(Op::Or, self.tree(names, depth - 1), self.tree(names, depth - 1)),
            _ => op(self.pick(&[Op::Min, Op::Max, Op::Xor]), self.tree(names, depth - 1), self.tree(names, depth - 1)),
        }
    }

    fn range(&mut self, name: &'static str, names: &[&'static str]) -> Loop {
        let lo = if self.below(2) == 0 { Int(0) } else { self.tree(names, 2) };
        let hi = match self.below(3) {
            0 => add(lo.clone(), self.tree(names, 1)),
            1 => op(Op::Min, add(lo.clone(), Int(self.pick(&[2, 4]))), Name("n")),
            _ => self.tree(names, 1),
        };
        let adapters = match self.below(6) {
            0 => vec![None],
            1 => vec![Some(Int(2))],
            2 => vec![None, Some(Int(self.pick(&[2, 3])))],
            3 => vec![Some(Name("m"))],
            _ => vec![],
        };
        Loop { name, lo, hi, inclusive: self.below(6) == 0, adapters }
    }

    fn comparison(&mut self, names: &[&'static str]) -> (Op, Tree, Tree) {
        let compare = self.pick(&[Op::Eq, Op::Ne, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge]);
        let left = match self.below(4) {
            0 => op(Op::Rem, self.tree(names, 1), Int(2)),
            1 => self.tree(names, 0),
            _ => self.tree(names, 2),
        };
        let right = if self.below(3) == 0 { self.tree(names, 2) } else { self.tree(&INVARIANTS, 0) };
        (compare, left, right)
    }

    fn access(&mut self, store: bool, names: &[&'static str], rank: usize, like: Option<&Access>) -> Access {
        let index = match like {
            // Neighbours, and things written alike.
            Some(like) if self.below(2) == 0 => {
                let shift = self.pick(&[0, 1, 2]);
                like.index.iter().map(|tree| add(tree.clone(), Int(shift))).collect()
            }
            // What all iterations read.
            Some(_) if self.below(4) == 0 => {
                let names = if self.below(3) == 0 { names } else { &INVARIANTS };
                (0..rank).map(|_| self.tree(names, 0)).collect()
            }
            Some(_) | None => (0..rank).map(|_| self.tree(names, 3)).collect(),
        };
        let guard = match (like.and_then(|like| like.guard.clone()), self.below(3)) {
            (Some(guard), 0 | 1) => Some(guard),
            (_, 0) => {
                let (op, left, right) = self.comparison(names);
                let and = (self.below(3) == 0).then(|| self.comparison(names));
                Some(Guard { shape: self.pick(&[Shape::If, Shape::Else, Shape::Continue]), op, left, right, and })
            }
            _ => None,
        };
        Access { store, index, guard }
    }

    pub fn program(&mut self) -> Program {
        let two = self.below(4) == 0;
        let ty = self.pick(if two { &[Scalar::U8, Scalar::Usize] } else { &[Scalar::U8, Scalar::U8, Scalar::I8] });
        let small = |name| over(name, Int(0), Int(7));
        self.1 = ty;
        let outer = if two {
            vec![small("i"), over("j", Int(1), Int(6))]
        } else if ty != Scalar::U8 || self.below(3) > 0 {
            vec![self.range("i", &INVARIANTS)]
        } else {
            vec![Loop { inclusive: true, ..over("i", Int(0), Int(255)) }]
        };
        let mut names = vec!["n", "m", "i", "i", "i"];
        names.extend(two.then_some("j"));
        let mut lets = Vec::new();
        if self.below(2) == 0 {
            lets.push(("a", self.tree(&names, 2)));
            names.push("a");
        }
        let rank = if two && self.below(2) == 0 { 2 } else { 1 };
        let inner = (self.below(2) == 0).then(|| self.range("k", &names));
        let first = self.access(true, &names, rank, None);
        let mut before = vec![first];
        if self.below(2) == 0 {
            let stores = self.below(2) == 0;
            let like = before[0].clone();
            before.push(self.access(stores, &names, rank, Some(&like)));
        }
        let mut inside = Vec::new();
        if inner.is_some() {
            names.extend(["k", "k"]);
            inside.push(self.access(true, &names, rank, None));
            if self.below(2) == 0 {
                before.clear();
            }
            let like = inside[0].clone();
            inside.push(self.access(false, &names, rank, Some(&like)));
        }
        Program { ty, outer, lets, before, inner, inside }
    }
}
