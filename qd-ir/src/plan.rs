//! The launch plan: in what order the tasks of a kernel run, and where the values that cross them live.
//!
//! Nothing of the plan is in a key. The launcher walks it on the calling thread.
use crate::arena::{Arena, Id};
use crate::message::Message;
use crate::ownership::Predicate;
use crate::progression::Progression;
use crate::source_map::{Pos, Spot};
use crate::task::Task;
use crate::types::{ArrayType, Const, Scalar, Type};

/// A scalar of the kernel that outlives a construct.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Its type.
    pub ty: Scalar,
    /// Its first word among those of all slots, which follow one another.
    pub word: u32,
}

/// Where the launcher finds a scalar.
///
/// The arguments of a launch are words of 64 bits: those of each scalar (tuples flattened), and for an array its
/// pointer, then its extents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// The scalar that starts at this word of the arguments.
    Word(u32),
    /// Product of `rank` words from `first`: the length of an array.
    Product {
        /// Word of the first extent.
        first: u32,
        /// Number of extents.
        rank: u8,
    },
    /// A slot.
    Slot(Id<Slot>),
    /// A constant.
    Const(Const),
}

/// An array parameter as a task sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArrayBinding {
    /// Word of the pointer; the extents follow.
    pub word: u32,
    /// Which parameter, for messages.
    pub param: u32,
}

/// A construct: a task with what it is bound to in this kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Construct {
    /// The task.
    pub task: Task,
    /// Where it starts in the source.
    pub pos: Pos,
    /// For each array of the task.
    pub arrays: Vec<ArrayBinding>,
    /// For each input of the task.
    pub inputs: Vec<Source>,
    /// For each output of the task.
    pub outputs: Vec<Id<Slot>>,
    /// For each scalar of each reduction of the task: the prior value and the slot that gets the result.
    pub reductions: Vec<(Source, Id<Slot>)>,
    /// For each site of the task.
    pub sites: Vec<Spot>,
    /// For each site of the task: what a panic or a print says there.
    pub words: Vec<Option<Words>>,
    /// How the loop variable follows from the iteration, where the task counts iterations instead.
    pub counted: Option<Counted>,
    /// The fewest iterations worth a thread of their own, where the kernel says so.
    pub grain: Option<u64>,
    /// The lanes of a block on a GPU, where the kernel says so.
    pub block: Option<u32>,
    /// What has to hold of a launch's values for the iterations to stay apart; evaluated before each run of the task.
    pub apart: Option<Predicate<Invariant>>,
}

/// A scalar that a launch predicate depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invariant {
    /// Where it is found, if it is an integer that the launcher finds.
    pub source: Option<(Source, Scalar)>,
    /// Its text, for messages; none for a constant.
    pub text: Option<String>,
}

impl Invariant {
    /// Its value, by what `value` finds for a source of some type.
    pub fn value(&self, value: impl Fn(&Source, Scalar) -> u128) -> Option<i128> {
        let (source, ty) = self.source.as_ref()?;
        ty.integer(value(source, *ty))
    }
}

/// A loop variable that is `first + number * stride`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// Its type.
    pub ty: Scalar,
    /// Its value in iteration 0.
    pub first: Carried,
    /// From one iteration to the next, modulo the type's width.
    pub stride: Carried,
}

/// A number that a parallel loop has from its bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carried {
    /// A constant, its bits.
    Const(u64),
    /// A carried value of the task, by position.
    Value(usize),
}

/// A message and the types of the values that its task hands over for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words {
    /// Text with holes.
    pub message: Message,
    /// Types of the values.
    pub types: Vec<Type>,
}

/// A node of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanNode {
    /// In order.
    Seq(Vec<PlanNode>),
    /// Sets a slot without running code: a plain binding.
    Init(Id<Slot>, Source),
    /// Runs a task.
    Task(Id<Construct>),
    /// Runs the body until a `Break` or `Return`.
    Loop(Box<PlanNode>),
    /// Runs one of two nodes by a `bool`.
    If {
        /// The condition.
        cond: Source,
        /// If true.
        then: Box<PlanNode>,
        /// If false.
        otherwise: Box<PlanNode>,
    },
    /// Runs the body for each value of a progression, in order, unless a `Break` or `Return` ends it.
    Steps {
        /// Gets the value before each round.
        var: Id<Slot>,
        /// The values; evaluated once.
        steps: Steps,
        /// The body.
        body: Box<PlanNode>,
    },
    /// Leaves a `Loop` or `Steps`: 0 is the innermost.
    Break(u32),
    /// Goes on with the next round of a `Loop` or `Steps`: 0 is the innermost.
    Continue(u32),
    /// Ends the kernel; one source for each scalar of the result.
    Return(Vec<Source>),
}

/// The values of a loop of the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Steps {
    /// Where it stands.
    pub pos: Pos,
    /// First value.
    pub lo: Source,
    /// Last value or end, of the same type.
    pub hi: Source,
    /// Whether `hi` is a value.
    pub inclusive: bool,
    /// What is applied to the range, in order.
    pub adapters: Vec<Adapter>,
}

/// What a range's values go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adapter {
    /// From the last to the first.
    Rev,
    /// Every so many of them: a `usize`.
    StepBy(Source),
}

impl Steps {
    /// The values, by what `value` finds for a source of some type; `None` if a step is zero.
    pub fn values(&self, ty: Scalar, value: impl Fn(&Source, Scalar) -> u64) -> Option<Progression> {
        let mut values = Progression::range(ty, value(&self.lo, ty), value(&self.hi, ty), self.inclusive);
        for adapter in &self.adapters {
            values = match adapter {
                Adapter::Rev => values.rev(),
                Adapter::StepBy(step) => values.step_by(value(step, Scalar::Usize))?,
            };
        }
        Some(values)
    }
}

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Its name in the source, for messages.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Its first word.
    pub word: u32,
}

impl Param {
    /// The array type, if it is an array.
    pub fn array(&self) -> Option<&ArrayType> {
        self.ty.as_array().map(|(array, _)| array)
    }

    /// Number of words it takes.
    pub fn words(&self) -> u32 {
        match self.array() {
            Some(array) => 1 + u32::from(array.rank),
            // What is no array holds only scalars.
            None => self.ty.words().unwrap_or_default() as u32,
        }
    }
}

/// A typed kernel, ready to be keyed, compiled and launched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kernel {
    /// Its name, for messages.
    pub name: String,
    /// The parameters.
    pub params: Vec<Param>,
    /// Type of the result.
    pub result: Type,
    /// The slots.
    pub slots: Arena<Slot>,
    /// The constructs, in the order of the source.
    pub constructs: Arena<Construct>,
    /// What runs when. Ends in a `Return` on every path.
    pub plan: PlanNode,
    /// Slots whose values go back to the arguments when the launch ends, also by a fault, each with its first word there:
    /// assigned scalars of bundles.
    pub written: Vec<(Id<Slot>, u32)>,
}

impl Kernel {
    /// Number of words of all slots.
    pub fn slot_words(&self) -> usize {
        self.slots.values().last().map_or(0, |slot| slot.word as usize + slot.ty.words())
    }
}
