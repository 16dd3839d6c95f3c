//! Statements: what an iteration does, in order.
//!
//! A body is structured: regions nest, there are no jumps but `break`, `continue` and the end of an iteration. Every
//! statement that gives a value names it; a value is set once, before its uses, and is visible in the rest of its
//! region and in the regions nested there. So evaluation order is the order of the statements. Scalar operations are
//! rows of [`Op`] and pure but for their faults; memory, locals and control are statements of their
//! own. Tuples and structs don't exist here: typing has taken them apart, into scalars or into [`Part`]s of elements.
use serde::{Deserialize, Serialize};

use crate::arena::Id;
use crate::fault::Site;
use crate::op::{AtomicOp, Op};
use crate::task::{Array, Input, Output, Reduction};
use crate::types::{Const, Element, Scalar};

/// A value: set by exactly one statement (or by the parallel loop), never changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    /// Its type.
    pub ty: Scalar,
}

/// A mutable variable of one iteration: a scalar, or a list of scalars that is indexed at run time. Reading it before it
/// is set is refused by the verifier where it can be seen; otherwise a scalar gives zero and a list anything. rustc has
/// already checked the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Local {
    /// Type of its scalars.
    pub ty: Scalar,
    /// Number of its scalars: 1 for one that is read and written whole.
    pub len: u32,
}

/// One scalar of an element, or of a variable of several: `base` plus the strides of the steps, counted in scalars.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Part {
    /// The scalar that is meant where all steps are 0.
    pub base: u32,
    /// Into fixed arrays, outermost first.
    pub steps: Vec<Step>,
}

/// A step into a fixed array by an index known at run time, below the length: a [`Stmt::CheckStep`] has seen to that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// A `usize`.
    pub index: Id<Value>,
    /// Length of the fixed array.
    pub len: u32,
    /// Scalars from one index to the next.
    pub stride: u32,
}

impl Step {
    /// Bytes from one index to the next, where `base` is the part's.
    pub fn bytes(&self, element: &Element, base: u32) -> Option<u64> {
        // The only index there is leads nowhere.
        if self.len == 1 { Some(0) } else { element.distance(base, self.stride) }
    }
}

impl Part {
    /// A scalar at a fixed place.
    pub fn at(base: u32) -> Self {
        Part { base, steps: Vec::new() }
    }
}

/// How often a loop's body is repeated in the machine code. It changes no value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Unroll {
    /// As the optimiser sees fit.
    #[default]
    Auto,
    /// So often that no loop is left, where the number of iterations is known at compile time.
    Full,
    /// That many times.
    By(u32),
}

/// Names a loop for `break` and `continue`; unique in a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub u32);

/// Statements in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Region(pub Vec<Stmt>);

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Stmt {
    /// `dst = constant`
    Const {
        /// The value set.
        dst: Id<Value>,
        /// The constant, of the value's type.
        value: Const,
    },
    /// `dst =` a scalar given to the task at launch.
    Input {
        /// The value set.
        dst: Id<Value>,
        /// Which.
        input: Id<Input>,
    },
    /// `dst =` extent of an array along `dim`, a `usize`.
    Extent {
        /// The value set.
        dst: Id<Value>,
        /// The array.
        array: Id<Array>,
        /// The dimension, from 0.
        dim: u8,
    },
    /// `dst = op(args)`
    Op {
        /// The value set.
        dst: Id<Value>,
        /// The operation.
        op: Op,
        /// The operands, receiver first.
        args: Vec<Id<Value>>,
        /// Present exactly if `op.faults(type of the receiver)`.
        site: Option<Id<Site>>,
    },
    /// `dst = local`
    Get {
        /// The value set.
        dst: Id<Value>,
        /// The variable.
        local: Id<Local>,
    },
    /// `local = value`
    Set {
        /// The variable.
        local: Id<Local>,
        /// The new value.
        value: Id<Value>,
    },
    /// `dst = local[part]`, of a variable of several scalars.
    GetPart {
        /// The value set.
        dst: Id<Value>,
        /// The variable.
        local: Id<Local>,
        /// Which scalar.
        part: Part,
    },
    /// `local[part] = value`
    SetPart {
        /// The variable.
        local: Id<Local>,
        /// Which scalar.
        part: Part,
        /// The new value.
        value: Id<Value>,
    },
    /// `dst = array[index].part`
    Load {
        /// The value set.
        dst: Id<Value>,
        /// The array.
        array: Id<Array>,
        /// One `usize` a dimension.
        index: Vec<Id<Value>>,
        /// Which scalar of the element.
        part: Part,
        /// Where a failed bounds check is reported; `None`: the caller vouches for the index.
        site: Option<Id<Site>>,
    },
    /// `array[index].part = value`
    Store {
        /// The array, mutable.
        array: Id<Array>,
        /// One `usize` a dimension.
        index: Vec<Id<Value>>,
        /// Which scalar of the element.
        part: Part,
        /// The value stored.
        value: Id<Value>,
        /// As in [`Stmt::Load`].
        site: Option<Id<Site>>,
    },
    /// `dst =` old value of `array[index].part`, updated atomically (relaxed) in parallel tasks.
    Atomic {
        /// The value set.
        dst: Id<Value>,
        /// The operation.
        op: AtomicOp,
        /// The array, mutable.
        array: Id<Array>,
        /// One `usize` a dimension.
        index: Vec<Id<Value>>,
        /// Which scalar of the element, one that the operation takes.
        part: Part,
        /// The operand.
        value: Id<Value>,
        /// As in [`Stmt::Load`].
        site: Option<Id<Site>>,
    },
    /// `dst =` old value of `array[index].part`, which becomes `new` if its bits are those of `current`; atomically
    /// (relaxed).
    CompareExchange {
        /// The value set.
        dst: Id<Value>,
        /// The array, mutable.
        array: Id<Array>,
        /// One `usize` a dimension.
        index: Vec<Id<Value>>,
        /// Which scalar of the element, one that [`AtomicOp::Exchange`] takes.
        part: Part,
        /// What has to be there.
        current: Id<Value>,
        /// What is then stored.
        new: Id<Value>,
        /// As in [`Stmt::Load`].
        site: Option<Id<Site>>,
    },
    /// Fails unless `array[index]` exists: where a place is evaluated before what is then done with it.
    Check {
        /// The array.
        array: Id<Array>,
        /// One `usize` a dimension.
        index: Vec<Id<Value>>,
        /// Where the failure is reported.
        site: Id<Site>,
    },
    /// As [`Stmt::Check`]; in a parallel task the iteration then claims the element: of two iterations that claim one, the
    /// later fails. An iteration may claim an element again.
    Claim {
        /// The array, mutable.
        array: Id<Array>,
        /// One `usize` a dimension.
        index: Vec<Id<Value>>,
        /// Where the failure is reported.
        site: Id<Site>,
    },
    /// Fails unless `index` is below the length of a fixed array.
    CheckStep {
        /// A `usize`.
        index: Id<Value>,
        /// The length.
        len: u32,
        /// Where the failure is reported.
        site: Id<Site>,
    },
    /// The iteration contributes `value` to a reduction. Several contributions of one iteration are combined in order.
    Reduce {
        /// Which.
        reduction: Id<Reduction>,
        /// The contribution.
        value: Id<Value>,
    },
    /// The iteration contributes `value` to one scalar of a reduction that is a list.
    ReducePart {
        /// Which.
        reduction: Id<Reduction>,
        /// Which scalar.
        part: Part,
        /// The contribution.
        value: Id<Value>,
    },
    /// The iteration offers a key, and what goes with it, to a reduction that wants the extreme. Of several offers of
    /// one iteration the extreme is taken, as of those of several.
    Offer {
        /// Which.
        reduction: Id<Reduction>,
        /// The scalars of the key, then of what goes with it.
        values: Vec<Id<Value>>,
    },
    /// A serial task writes a slot.
    Output {
        /// Which.
        output: Id<Output>,
        /// The value.
        value: Id<Value>,
    },
    /// `if cond { then } else { otherwise }`
    If {
        /// A `bool`.
        cond: Id<Value>,
        /// Taken if true.
        then: Region,
        /// Taken if false.
        otherwise: Region,
    },
    /// `for var in lo..hi { body }`, the bounds evaluated before.
    For {
        /// Its name.
        id: LoopId,
        /// The loop variable, visible in the body.
        var: Id<Value>,
        /// First value.
        lo: Id<Value>,
        /// End, not included; no iteration if `hi <= lo`.
        hi: Id<Value>,
        /// How many copies of the body a round of the machine's loop shall have.
        unroll: Unroll,
        /// The body; `continue` goes on with the next value.
        body: Region,
    },
    /// `loop { body }`
    Loop {
        /// Its name.
        id: LoopId,
        /// The body.
        body: Region,
    },
    /// The iteration fails with the message that stands beside the site. Last in its region.
    Fail {
        /// A [`Site::Panic`].
        site: Id<Site>,
        /// What the message shows.
        values: Vec<Id<Value>>,
    },
    /// The iteration prints the message that stands beside the site, as a line of the launch's output.
    Print {
        /// A [`Site::Print`].
        site: Id<Site>,
        /// What the message shows.
        values: Vec<Id<Value>>,
    },
    /// Leaves an enclosing loop. Last in its region.
    Break(LoopId),
    /// Goes on with the next iteration of an enclosing loop. Last in its region.
    Continue(LoopId),
    /// Ends this iteration of the task (`continue` of the parallel loop; end of a serial task). Last in its region.
    End,
}

impl Stmt {
    /// The value the statement sets, if any (a `For` sets its variable only in its body).
    pub fn dst(&self) -> Option<Id<Value>> {
        match self {
            Stmt::Const { dst, .. }
            | Stmt::Input { dst, .. }
            | Stmt::Extent { dst, .. }
            | Stmt::Op { dst, .. }
            | Stmt::Get { dst, .. }
            | Stmt::GetPart { dst, .. }
            | Stmt::Load { dst, .. }
            | Stmt::Atomic { dst, .. }
            | Stmt::CompareExchange { dst, .. } => Some(*dst),
            Stmt::Set { .. }
            | Stmt::SetPart { .. }
            | Stmt::Store { .. }
            | Stmt::Check { .. }
            | Stmt::Claim { .. }
            | Stmt::CheckStep { .. }
            | Stmt::Reduce { .. }
            | Stmt::ReducePart { .. }
            | Stmt::Offer { .. }
            | Stmt::Output { .. }
            | Stmt::If { .. }
            | Stmt::For { .. }
            | Stmt::Loop { .. }
            | Stmt::Fail { .. }
            | Stmt::Print { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::End => None,
        }
    }

    /// The regions inside, in the order in which they stand.
    pub fn regions(&self) -> impl Iterator<Item = &Region> {
        let inside = match self {
            Stmt::If { then, otherwise, .. } => [Some(then), Some(otherwise)],
            Stmt::For { body, .. } | Stmt::Loop { body, .. } => [Some(body), None],
            Stmt::Const { .. }
            | Stmt::Input { .. }
            | Stmt::Extent { .. }
            | Stmt::Op { .. }
            | Stmt::Get { .. }
            | Stmt::Set { .. }
            | Stmt::GetPart { .. }
            | Stmt::SetPart { .. }
            | Stmt::Load { .. }
            | Stmt::Store { .. }
            | Stmt::Atomic { .. }
            | Stmt::CompareExchange { .. }
            | Stmt::Check { .. }
            | Stmt::Claim { .. }
            | Stmt::CheckStep { .. }
            | Stmt::Reduce { .. }
            | Stmt::ReducePart { .. }
            | Stmt::Offer { .. }
            | Stmt::Output { .. }
            | Stmt::Fail { .. }
            | Stmt::Print { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::End => [None, None],
        };
        inside.into_iter().flatten()
    }

    /// True if control never reaches the statement after it.
    pub fn diverges(&self) -> bool {
        matches!(self, Stmt::Fail { .. } | Stmt::Break(_) | Stmt::Continue(_) | Stmt::End)
    }
}
