//! Reductions in LLVM: `qd_ir::reduce` is their definition, this must give the same bits.
//!
//! What is order-free is accumulated as it comes: a scalar in a register, a list in the words that the caller gives.
//! Sums, products and extrema of floats go along the tree, leaf by leaf ([`leaf`]), and so do the extrema of keys
//! ([`super::extreme`]). An iteration that contributes nothing leaves the identity, and so do the places up to the end
//! of the last row, which changes no bit; nor would it change one to leave those out, as lanes do.
//!
//! Where iterations are shared out to lanes, each lane accumulates what its own come to ([`lane`]).
//!
//! A call of the task's entry for iterations `begin..end` gets `partials`, laid out as `qd_ir::reduce::Layout` says.
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use qd_ir::op::ReduceOp;
use qd_ir::reduce::identity_bits;
use qd_ir::task::Reduction;
use qd_ir::types::{Const, Scalar};

use super::emit::Emit;
use super::extreme::Extreme;
use super::hooks::Hooks;
use super::lane::{self, Best};
use super::leaf::{self, Accumulators, Buffer, Leaf, Room};
use super::op::{self, Operation};
use crate::error::{Error, Result};

/// A reduction in a function.
pub(super) enum Contribution<'c> {
    /// One scalar, in any order.
    Total(Each, Total<'c>),
    /// Several scalars, in any order.
    List(Each, List<'c>),
    /// One scalar, along the tree.
    Tree(Each, Tree<'c>),
    /// The extreme of a key.
    Extreme(Extreme<'c>),
    /// The extreme of a key in a lane.
    Best(Best<'c>),
}

/// What is done with scalars of what type.
#[derive(Clone, Copy)]
pub(super) struct Each {
    pub(super) op: ReduceOp,
    pub(super) ty: Scalar,
}

/// Where the caller keeps a list.
pub(super) struct List<'c> {
    pub(super) words: PointerValue<'c>,
    /// Words from one scalar to the next.
    pub(super) step: IntValue<'c>,
}

/// An accumulator in a register.
pub(super) struct Total<'c> {
    variable: PointerValue<'c>,
    /// Its words between calls, if it doesn't outlive them.
    words: Option<PointerValue<'c>>,
}

/// A sum of each leaf.
pub(super) struct Tree<'c> {
    /// What the current iteration has contributed so far.
    iteration: PointerValue<'c>,
    kept: Kept<'c>,
}

/// What a leaf keeps of its iterations.
enum Kept<'c> {
    /// What each has contributed.
    All(Buffer<'c>),
    /// What the lanes have come to.
    Lanes(Accumulators<'c>),
    /// What this lane has come to.
    Lane(PointerValue<'c>),
}

impl Each {
    pub(super) fn identity<'c>(self, emit: &Emit<'c>) -> Result<BasicValueEnum<'c>> {
        emit.constant(Const { ty: self.ty, bits: identity_bits(self.op, self.ty) })
    }

    pub(super) fn combine<'c>(
        self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        so_far: BasicValueEnum<'c>,
        value: BasicValueEnum<'c>,
    ) -> Result<BasicValueEnum<'c>> {
        let (op, ty) = (self.op.op(), self.ty);
        op::value(&Operation { emit, hooks, op, ty, output: ty, args: &[so_far, value] })
    }
}

impl<'c> Contribution<'c> {
    /// Makes room in the current function. `words` are the reduction's, if it is accumulated in place; `in_lanes` says how
    /// the iterations of a leaf are run.
    pub(super) fn new(
        emit: &Emit<'c>,
        reduction: &Reduction,
        room: &mut Room<'c>,
        words: PointerValue<'c>,
        in_lanes: bool,
    ) -> Result<Self> {
        match reduction {
            Reduction::Each { op, ty, len } => {
                let (each, ty) = (Each { op: *op, ty: *ty }, *ty);
                if *len > 1 {
                    return Ok(Contribution::List(each, List { words, step: emit.word(ty.words() as u64) }));
                }
                let variable = emit.variable(emit.ty(ty))?;
                if !reduction.is_order_free() {
                    let kept = match in_lanes {
                        true => Kept::Lanes(Accumulators::new(emit, ty)?),
                        false => Kept::All(Buffer::new(emit, room, ty)?),
                    };
                    return Ok(Contribution::Tree(each, Tree { iteration: variable, kept }));
                }
                emit.store(variable, emit.load_words(ty, words)?)?;
                Ok(Contribution::Total(each, Total { variable, words: Some(words) }))
            }
            Reduction::Extreme { order, key, with } => {
                Ok(Contribution::Extreme(Extreme::new(emit, room, *order, key, with)?))
            }
        }
    }

    /// Over what a lane keeps: of a list the words, of others the variables.
    pub(super) fn of_lane(emit: &Emit<'c>, reduction: &Reduction, kept: lane::Kept<'c>) -> Result<Self> {
        match (reduction, kept) {
            (Reduction::Each { op, ty, .. }, lane::Kept::List(list)) => {
                Ok(Contribution::List(Each { op: *op, ty: *ty }, list))
            }
            (Reduction::Each { op, ty, .. }, lane::Kept::One(variable)) => {
                let each = Each { op: *op, ty: *ty };
                if reduction.is_order_free() {
                    return Ok(Contribution::Total(each, Total { variable, words: None }));
                }
                let iteration = emit.variable(emit.ty(*ty))?;
                Ok(Contribution::Tree(each, Tree { iteration, kept: Kept::Lane(variable) }))
            }
            (Reduction::Extreme { .. }, lane::Kept::Best(best)) => Ok(Contribution::Best(best)),
            (Reduction::Each { .. } | Reduction::Extreme { .. }, _) => {
                Err(Error::internal("a lane keeps a reduction in another form"))
            }
        }
    }

    /// A leaf begins.
    pub(super) fn begin_leaf(&self, emit: &Emit<'c>) -> Result<()> {
        match self {
            Contribution::Tree(each, Tree { iteration: _, kept: Kept::Lanes(lanes) }) => {
                lanes.clear(emit, each.identity(emit)?)
            }
            Contribution::Tree(_, Tree { iteration: _, kept: Kept::All(_) | Kept::Lane(_) })
            | Contribution::Extreme(_)
            | Contribution::Best(_)
            | Contribution::Total(..)
            | Contribution::List(..) => Ok(()),
        }
    }

    /// Whole rows of lanes begin, or end.
    pub(super) fn rows(&self, emit: &Emit<'c>, begin: bool) -> Result<()> {
        match self {
            Contribution::Tree(_, Tree { iteration: _, kept: Kept::Lanes(lanes) }) => match begin {
                true => lanes.enter_rows(emit),
                false => lanes.leave_rows(emit),
            },
            Contribution::Tree(_, Tree { iteration: _, kept: Kept::All(_) | Kept::Lane(_) })
            | Contribution::Extreme(_)
            | Contribution::Best(_)
            | Contribution::Total(..)
            | Contribution::List(..) => Ok(()),
        }
    }

    /// An iteration begins.
    pub(super) fn begin(&self, emit: &Emit<'c>) -> Result<()> {
        match self {
            Contribution::Tree(each, tree) => emit.store(tree.iteration, each.identity(emit)?),
            Contribution::Extreme(extreme) => extreme.begin(emit),
            Contribution::Best(_) | Contribution::Total(..) | Contribution::List(..) => Ok(()),
        }
    }

    /// The iteration contributes a value; `number` says which scalar of a list.
    pub(super) fn add(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        number: Option<IntValue<'c>>,
        value: BasicValueEnum<'c>,
    ) -> Result<()> {
        let (each, variable) = match (self, number) {
            (Contribution::Total(each, total), None) => (each, total.variable),
            (Contribution::Tree(each, tree), None) => (each, tree.iteration),
            (Contribution::List(each, list), Some(number)) => {
                let at = emit.word_at(list.words, emit.builder.build_int_mul(number, list.step, "")?)?;
                let so_far = emit.load_words(each.ty, at)?;
                return emit.store_words(each.ty, at, each.combine(emit, hooks, so_far, value)?);
            }
            (
                Contribution::Total(..)
                | Contribution::Tree(..)
                | Contribution::List(..)
                | Contribution::Extreme(_)
                | Contribution::Best(_),
                _,
            ) => {
                return Err(Error::internal("a reduction gets a contribution of another form"));
            }
        };
        let so_far = emit.load(emit.ty(each.ty), variable)?;
        emit.store(variable, each.combine(emit, hooks, so_far, value)?)
    }

    /// The iteration, of that linear number, offers a key and what goes with it.
    pub(super) fn offer(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        iteration: IntValue<'c>,
        values: &[BasicValueEnum<'c>],
    ) -> Result<()> {
        match self {
            Contribution::Extreme(extreme) => extreme.offer(emit, hooks, values),
            Contribution::Best(best) => best.offer(emit, hooks, iteration, values),
            Contribution::Total(..) | Contribution::Tree(..) | Contribution::List(..) => {
                Err(Error::internal("an offer to a reduction that takes none"))
            }
        }
    }

    /// The iteration of that linear number ends, in that lane if iterations are run in rows of lanes.
    pub(super) fn end(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        iteration: IntValue<'c>,
        lane: Option<IntValue<'c>>,
    ) -> Result<()> {
        match self {
            Contribution::Tree(each, tree) => {
                let value = emit.load(emit.ty(each.ty), tree.iteration)?;
                match &tree.kept {
                    Kept::All(buffer) => buffer.put(emit, iteration, value),
                    Kept::Lanes(lanes) => {
                        let at = lanes.lane(emit, iteration, lane)?;
                        let so_far = emit.load(emit.ty(each.ty), at)?;
                        let combined = match each.op {
                            // The other way round a vector waits for what tells whether the lane is a NaN, row by row;
                            // it shows at most in the sign of a zero, which `min` and `max` leave open.
                            ReduceOp::Min | ReduceOp::Max => each.combine(emit, hooks, value, so_far)?,
                            ReduceOp::Add | ReduceOp::Mul | ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => {
                                each.combine(emit, hooks, so_far, value)?
                            }
                        };
                        emit.store(at, combined)
                    }
                    Kept::Lane(at) => {
                        let so_far = emit.load(emit.ty(each.ty), *at)?;
                        emit.store(*at, each.combine(emit, hooks, so_far, value)?)
                    }
                }
            }
            Contribution::Extreme(extreme) => extreme.end(emit, iteration),
            Contribution::Best(_) | Contribution::Total(..) | Contribution::List(..) => Ok(()),
        }
    }

    /// Leaves the words of a leaf, at `record`, if it has any.
    pub(super) fn fold(
        &self,
        emit: &Emit<'c>,
        hooks: &dyn Hooks,
        leaf: &Leaf<'c>,
        record: PointerValue<'c>,
    ) -> Result<()> {
        match self {
            Contribution::Tree(each, Tree { iteration: _, kept }) => {
                let Each { op, ty } = *each;
                let combine = |a, b| leaf::combine(emit, hooks, (op, ty), a, b);
                let row = match kept {
                    Kept::All(buffer) => {
                        let identity = each.identity(emit)?;
                        leaf.pad(emit, &[(buffer, identity)])?;
                        let start = leaf::splat(emit, ty, identity)?;
                        leaf.fold(emit, start, |so_far, row| combine(so_far, buffer.row(emit, row)?))?
                    }
                    Kept::Lanes(lanes) => lanes.row(emit)?,
                    Kept::Lane(_) => return Err(Error::internal("a lane has no leaf of its own")),
                };
                let value = leaf::lanes(emit, ty, row, combine)?;
                emit.store_words(ty, record, value)
            }
            Contribution::Extreme(extreme) => extreme.fold(emit, hooks, leaf, record),
            Contribution::Best(_) | Contribution::Total(..) | Contribution::List(..) => Ok(()),
        }
    }

    /// The call ends: what it accumulated in registers goes to its words.
    pub(super) fn finish(&self, emit: &Emit<'c>) -> Result<()> {
        match self {
            Contribution::Total(each, Total { variable, words: Some(words) }) => {
                emit.store_words(each.ty, *words, emit.load(emit.ty(each.ty), *variable)?)
            }
            Contribution::Total(_, Total { words: None, .. })
            | Contribution::List(..)
            | Contribution::Tree(..)
            | Contribution::Extreme(_)
            | Contribution::Best(_) => Ok(()),
        }
    }
}
