//! The positional rule: an index that holds a loop variable by itself, whatever the arithmetic does.
//!
//! An index *holds* a variable `v` if it is `v`, `e + c`, `c + e`, `e - c`, `c - e` (also as `wrapping_add` and
//! `wrapping_sub`), `e ^ c`, `c ^ e` or `e as T`, where `e` holds `v` and `c` is invariant; in a loop over segments also
//! what a loop over the iteration's segment binds, since segments don't overlap. Integer arithmetic wraps, and adding to
//! or subtracting from an invariant is a bijection of the type even so, as is turning some of its bits; `e * 2` isn't. A
//! cast is taken to lose no value, and reported, so that the macro lets rustc assert it for its types.
//!
//! *Invariant* are literals, constants, lengths, extents, names bound before the loop that it doesn't reduce into, names
//! of the body that are never assigned and whose value is invariant, and operations and casts of invariants.
//!
//! Equal expressions have equal values because they are compared with their leaves by identity: a literal gets its type
//! from what stands beside it, a name has one value in an iteration, and types named by path are equal only if they are
//! the same tap.
use crate::arena::Id;
use crate::op::Op;
use crate::sketch::{Block, ConstId, Expr, ExprKind, Local, Member, ParamId, TapId, TypeName};
use crate::types::Scalar;

use super::access::Found;
use super::scan::{Meaning, Scan, Variable};

/// An index expression that holds a variable; equal ones are the same injective function of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    Variable(Variable),
    /// A number in the segment that is the variable's: segments don't overlap.
    Segment(Variable),
    Plus(Box<Held>, Invariant),
    Minus(Box<Held>, Invariant),
    From(Invariant, Box<Held>),
    Xor(Box<Held>, Invariant),
    Cast(TypeName, Box<Held>),
}

/// An expression with one value in all iterations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Invariant {
    Int(u128, Option<Scalar>),
    Float(String, Option<Scalar>),
    Bool(bool),
    Const(ConstId),
    Local(Id<Local>),
    Len(ParamId),
    Extent(ParamId, u8),
    /// Of the same expression.
    Count(Id<Expr>),
    Tapped(TapId, Box<Invariant>),
    Op(Op, Vec<Invariant>),
    Function(TypeName, Op, Vec<Invariant>),
    Cast(TypeName, Box<Invariant>),
    Field(Box<Invariant>, Member),
    Index(Box<Invariant>, Box<Invariant>),
}

/// One index position: what it holds, and the casts on the way.
pub(super) type Position = Option<(Variable, Held, Vec<Id<Expr>>)>;

/// The casts on which it rests that two accesses never meet in two iterations: for each variable some position holds it
/// by the same expression in both, so where iterations differ, that position does. `None` if they don't do so.
pub(super) fn apart(variables: &[Option<Variable>], first: &[Position], second: &[Position]) -> Option<Vec<Id<Expr>>> {
    let mut casts = Vec::new();
    for variable in variables {
        let wanted = (*variable)?;
        let positions = first.iter().zip(second).filter_map(|pair| match pair {
            (Some((a, held, casts)), Some((b, other, more))) if *a == wanted && *b == wanted && held == other => {
                Some([casts.as_slice(), more.as_slice()].concat())
            }
            (None | Some(_), None | Some(_)) => None,
        });
        casts.extend(positions.min_by_key(Vec::len)?);
    }
    Some(casts)
}

impl Scan<'_> {
    /// What the positions of an access hold.
    pub(super) fn positions(&self, found: &Found) -> Vec<Position> {
        let position = |index: &Id<Expr>| {
            let mut casts = Vec::new();
            self.held(*index, &[], &mut casts).map(|(variable, held)| (variable, held, casts))
        };
        found.index.iter().map(position).collect()
    }

    /// The variable that the part `path` of an expression holds.
    fn held(&self, expr: Id<Expr>, path: &[u32], casts: &mut Vec<Id<Expr>>) -> Option<(Variable, Held)> {
        let whole = path.is_empty();
        match &self.sketch.exprs[expr].kind {
            ExprKind::Local(local) => {
                let variable = match path {
                    [] => Some((*local, None)),
                    [part] => Some((*local, Some(*part))),
                    _ => None,
                };
                if let Some(variable) = variable.filter(|v| self.variables.contains(&Some(*v))) {
                    return Some((variable, Held::Variable(variable)));
                }
                match self.meanings.get(local)? {
                    Meaning::Alias(init, inner) => self.held(*init, &[inner, path].concat(), casts),
                    Meaning::Loop(number) if whole => {
                        self.segment(*number).map(|variable| (variable, Held::Segment(variable)))
                    }
                    Meaning::Loop(_) | Meaning::Opaque => None,
                }
            }
            ExprKind::Field(value, Member::Index(part)) => self.held(*value, &[&[*part], path].concat(), casts),
            ExprKind::Tuple(parts) => {
                let (first, rest) = path.split_first()?;
                self.held(*parts.get(*first as usize)?, rest, casts)
            }
            ExprKind::Block(Block { stmts, tail: Some(tail) }) if stmts.is_empty() => self.held(*tail, path, casts),
            ExprKind::Cast { value, to } if whole => {
                let (variable, held) = self.held(*value, &[], casts)?;
                casts.push(expr);
                Some((variable, Held::Cast(*to, Box::new(held))))
            }
            ExprKind::Op { op: op @ (Op::Add | Op::WrappingAdd | Op::Xor), args } if whole => {
                let [a, b] = args.as_slice() else { return None };
                let ((variable, held), other) = match self.invariant(*b) {
                    Some(other) => (self.held(*a, &[], casts)?, other),
                    None => (self.held(*b, &[], casts)?, self.invariant(*a)?),
                };
                let with = if *op == Op::Xor { Held::Xor } else { Held::Plus };
                Some((variable, with(Box::new(held), other)))
            }
            ExprKind::Op { op: Op::Sub | Op::WrappingSub, args } if whole => {
                let [a, b] = args.as_slice() else { return None };
                match self.invariant(*b) {
                    Some(offset) => {
                        let (variable, held) = self.held(*a, &[], casts)?;
                        Some((variable, Held::Minus(Box::new(held), offset)))
                    }
                    None => {
                        let offset = self.invariant(*a)?;
                        let (variable, held) = self.held(*b, &[], casts)?;
                        Some((variable, Held::From(offset, Box::new(held))))
                    }
                }
            }
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Const(_)
            | ExprKind::Tapped { .. }
            | ExprKind::Op { .. }
            | ExprKind::Function { .. }
            | ExprKind::LazyAnd(..)
            | ExprKind::LazyOr(..)
            | ExprKind::Cast { .. }
            | ExprKind::Load { .. }
            | ExprKind::Len(_)
            | ExprKind::Extent(..)
            | ExprKind::Atomic { .. }
            | ExprKind::CompareExchange { .. }
            | ExprKind::Scatter { .. }
            | ExprKind::Field(_, Member::Name(_) | Member::Back(_))
            | ExprKind::Index(..)
            | ExprKind::Struct { .. }
            | ExprKind::Fixed { .. }
            | ExprKind::Repeat { .. }
            | ExprKind::Start { .. }
            | ExprKind::Count(_)
            | ExprKind::Linear { .. }
            | ExprKind::Block(_)
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::For { .. }
            | ExprKind::Break { .. }
            | ExprKind::Continue(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Contribute { .. }
            | ExprKind::Call { .. }
            | ExprKind::Return(_)
            | ExprKind::Say { .. } => None,
        }
    }

    /// The expression, if it has one value in all iterations.
    fn invariant(&self, expr: Id<Expr>) -> Option<Invariant> {
        let all = |args: &[Id<Expr>]| args.iter().map(|a| self.invariant(*a)).collect::<Option<Vec<_>>>();
        match &self.sketch.exprs[expr].kind {
            ExprKind::Int { value, suffix } => Some(Invariant::Int(*value, *suffix)),
            ExprKind::Float { digits, suffix } => Some(Invariant::Float(digits.clone(), *suffix)),
            ExprKind::Bool(value) => Some(Invariant::Bool(*value)),
            ExprKind::Const(id) => Some(Invariant::Const(*id)),
            ExprKind::Len(array) => Some(Invariant::Len(*array)),
            ExprKind::Extent(array, dim) => Some(Invariant::Extent(*array, *dim)),
            ExprKind::Count(of) => Some(Invariant::Count(*of)),
            ExprKind::Local(local) => match self.meanings.get(local) {
                None if self.reductions.contains(local) => None,
                None => Some(Invariant::Local(*local)),
                // The name itself, not what it stands for: its value has a type, a literal in its place might not
                // have the same one.
                Some(Meaning::Alias(init, _)) => self.invariant(*init).map(|_| Invariant::Local(*local)),
                Some(Meaning::Loop(_) | Meaning::Opaque) => None,
            },
            ExprKind::Tapped { tap, value } => Some(Invariant::Tapped(*tap, Box::new(self.invariant(*value)?))),
            ExprKind::Op { op, args } => Some(Invariant::Op(*op, all(args)?)),
            ExprKind::Function { ty, op, args } => Some(Invariant::Function(*ty, *op, all(args)?)),
            ExprKind::Cast { value, to } => Some(Invariant::Cast(*to, Box::new(self.invariant(*value)?))),
            ExprKind::Field(value, part) => Some(Invariant::Field(Box::new(self.invariant(*value)?), part.clone())),
            ExprKind::Index(value, index) => {
                Some(Invariant::Index(Box::new(self.invariant(*value)?), Box::new(self.invariant(*index)?)))
            }
            ExprKind::Block(Block { stmts, tail: Some(tail) }) if stmts.is_empty() => self.invariant(*tail),
            ExprKind::LazyAnd(..)
            | ExprKind::LazyOr(..)
            | ExprKind::Load { .. }
            | ExprKind::Atomic { .. }
            | ExprKind::CompareExchange { .. }
            | ExprKind::Scatter { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Struct { .. }
            | ExprKind::Fixed { .. }
            | ExprKind::Repeat { .. }
            | ExprKind::Start { .. }
            | ExprKind::Linear { .. }
            | ExprKind::Block(_)
            | ExprKind::If { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::For { .. }
            | ExprKind::Break { .. }
            | ExprKind::Continue(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Contribute { .. }
            | ExprKind::Call { .. }
            | ExprKind::Return(_)
            | ExprKind::Say { .. } => None,
        }
    }
}
