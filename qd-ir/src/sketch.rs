//! The sketch: an untyped kernel as the macro embeds it.
//!
//! It is Rust's syntax tree of the accepted subset, with names resolved to numbered locals, array parameters to
//! numbers, and top-level statements sorted into constructs. It holds no types: rustc's types arrive at first launch
//! in a [`Types`] table, from which typing makes tasks. Sketches are written and read by the same
//! build, so their encoding (postcard) has no history; [`SCHEMA`] guards against a macro of another version.
mod bytes;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::arena::{Arena, Id};
use crate::body::Unroll;
use crate::linear::Method;
use crate::message::Message;
use crate::op::{AtomicOp, Op, ReduceOp};
use crate::source_map::Pos;
use crate::types::{Const, Scalar, Type};

pub use bytes::DecodeError;

/// Version of the encoding.
pub const SCHEMA: u32 = 11;

/// What rustc chose, in the order in which the macro numbered it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Types {
    /// The parameters, in order.
    pub params: Vec<Type>,
    /// The parameters that rustc indexes itself.
    pub slices: Vec<ParamId>,
    /// The result.
    pub result: Option<Type>,
    /// Tapped bindings, literal-only subtrees and `as` targets, by [`TapId`].
    pub taps: Vec<Type>,
    /// Constants named by path, by [`ConstId`].
    pub consts: Vec<Constant>,
    /// The words of the specialised parameters, in order: not rustc's choice, but that of the launch.
    pub baked: Vec<u64>,
    /// The functions called, by [`CalleeId`]; `None` for an operator that is the language's own. No function reaches
    /// itself.
    pub callees: Vec<Option<Arc<Callee>>>,
    /// For each update that was asked about, by [`OrderId`]: rustc makes it a call of a trait's function, which takes the
    /// place before the value.
    pub place_first: Vec<bool>,
}

/// A function that is called, as rustc resolved the call: of a generic one, the instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callee {
    /// The file its positions are in.
    pub file: Arc<str>,
    /// It is `#[track_caller]`: what fails in it fails where it is called.
    pub tracked: bool,
    /// What it does.
    pub func: Func,
    /// What rustc chose in it.
    pub types: Types,
}

/// The value of a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// Its type.
    pub ty: Type,
    /// Its scalars, in the order of [`Type::flatten`].
    pub parts: Vec<Const>,
}

/// Index into [`Types::taps`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TapId(pub u32);

/// Index into [`Types::consts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ConstId(pub u32);

/// Index into [`Types::callees`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CalleeId(pub u32);

/// Index into [`Types::place_first`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OrderId(pub u32);

/// Index of a parameter that is an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ParamId(pub u32);

/// Names a loop inside a construct; unique in the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Label(pub u32);

/// A kernel without types.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sketch {
    /// [`SCHEMA`] of the macro that wrote it.
    pub schema: u32,
    /// Name of the kernel.
    pub name: String,
    /// The parameters.
    pub params: Vec<Param>,
    /// Every binding of the kernel, shadowing resolved.
    pub locals: Arena<Local>,
    /// Every expression.
    pub exprs: Arena<Expr>,
    /// Operations and updates that may be those of a type of the user: rustc says whether a function is called. Sorted.
    pub operators: Vec<(Id<Expr>, CalleeId)>,
    /// The indices that stand in brackets, and where those do. Sorted.
    pub brackets: Vec<(Id<Expr>, Bracket)>,
    /// Indices that the source vouches for, `get_unchecked` in `unsafe`: they have no checks but in debug mode. Sorted.
    pub vouched: Vec<Id<Expr>>,
    /// Updates in generic code, where the type of an instance doesn't tell in which order rustc evaluates. Sorted.
    pub orders: Vec<(Id<Expr>, OrderId)>,
    /// The constructs, in the order of the source: what `frontend_constructs_total` counts.
    pub constructs: Arena<Construct>,
    /// What runs when. Without a final `Return` the kernel returns `()`.
    pub plan: Vec<PlanNode>,
    /// Expressions whose types are to be compared with rustc's, for tests: the macro's feature `tap-all` fills it.
    pub witnesses: Vec<(Id<Expr>, TapId)>,
}

/// Where an index stands: a panic about it points at one of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bracket {
    /// Where what is indexed starts.
    pub base: Pos,
    /// The bracket.
    pub open: Pos,
}

/// A function that kernels call, without types. It is inlined where it is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Func {
    /// Its parameters, locals and expressions. It has no constructs, and nothing to plan.
    pub code: Sketch,
    /// What it computes.
    pub body: Block,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Name in the source (the pattern's text if it is no name).
    pub name: String,
    /// Position of the pattern.
    pub pos: Pos,
    /// How the body sees it.
    pub kind: ParamKind,
}

/// How the body sees a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ParamKind {
    /// Of a kernel, a reference: an array, named by its [`ParamId`], or a bundle; never a local.
    Array,
    /// Of a function, a reference: an array, named by its [`ParamId`], or a value, for which the local stands, or a
    /// bundle. rustc says which. Of a kernel whose bundles are taken apart, a field of one: its final value goes back to
    /// the caller if the local is assigned.
    Reference(Id<Local>),
    /// By value: binds locals.
    Value(Pattern),
    /// Of a kernel, by value and part of the code: binds locals to constants.
    Specialized(Pattern),
    /// What fields of a reference lead to, `s.grid.u`; behind the real parameters. It has no type of its own: it goes
    /// when bundles are taken apart ([`crate::typing::flatten`]), and typing never sees it.
    Field {
        /// The real parameter.
        of: ParamId,
        /// From it to what is meant: through bundles to an array or a value, maybe on to a part of the value.
        path: Vec<Member>,
        /// Stands for it where it is a value.
        local: Id<Local>,
    },
}

/// A binding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Local {
    /// Name in the source.
    pub name: String,
    /// Position of the binding.
    pub pos: Pos,
    /// True if it is assigned anywhere after its initialisation (or initialised by a later assignment).
    pub assigned: bool,
    /// Its type; `None` for parameters, whose type comes with [`Types::params`].
    pub tap: Option<TapId>,
}

/// An irrefutable pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pattern {
    /// `_`
    Wild,
    /// A name.
    Bind(Id<Local>),
    /// `(a, b)`
    Tuple(Vec<Pattern>),
    /// `P { a, b: (c, _), .. }`, `P(a, b)`: some fields of a struct. `(a, .., b)`, `[.., b]`: some parts of a tuple or array.
    Struct(Vec<(Member, Pattern)>),
    /// `[a, b]`: all elements of a fixed array.
    Fixed(Vec<Pattern>),
}

/// Names a part of a tuple or struct.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Member {
    /// `.0`
    Index(u32),
    /// `.name`
    Name(String),
    /// Behind a `..` in a pattern: so many from the end, the last is 0.
    Back(u32),
}

impl std::fmt::Display for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Member::Index(index) => index.fmt(f),
            Member::Name(name) => f.write_str(name),
            Member::Back(back) => write!(f, "-{}", back + 1),
        }
    }
}

/// A step from a place to a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Projection {
    /// `.name`, `.0`
    Field(Member),
    /// `[index]`
    Index(Id<Expr>),
}

/// A node of the untyped plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlanNode {
    /// A plain binding: `init` is a parameter, a literal (maybe negated), a constant, a shape, another plain binding,
    /// or a tuple of such. Folded into its users, or a slot if one of its locals is assigned later.
    Bind {
        /// What it binds.
        pattern: Pattern,
        /// The plain expression.
        init: Id<Expr>,
    },
    /// Runs a construct.
    Construct(Id<Construct>),
    /// Runs the nodes until `Break`.
    Loop(Vec<PlanNode>),
    /// Runs one of two lists by a `bool` that an earlier construct or plain binding has set.
    If {
        /// A plain expression.
        cond: Id<Expr>,
        /// If true.
        then: Vec<PlanNode>,
        /// If false.
        otherwise: Vec<PlanNode>,
    },
    /// `#[qd::steps] for`: runs the nodes for each value, in order.
    Steps {
        /// The loop variable.
        var: Id<Local>,
        /// Its values. All parts are plain, and evaluated once, before the loop.
        steps: Steps,
        /// The body.
        body: Vec<PlanNode>,
    },
    /// Leaves a loop of the plan: 0 is the innermost.
    Break(u32),
    /// Goes on with the next round of a loop of the plan: 0 is the innermost.
    Continue(u32),
    /// Ends the kernel with a plain expression (or with locals that constructs have set).
    Return(Option<Id<Expr>>),
}

/// A construct: one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Construct {
    /// Where it starts.
    pub pos: Pos,
    /// `#[qd::grain(n)]`: the fewest iterations that are worth a thread of their own.
    pub grain: Option<u64>,
    /// `#[qd::block(n)]`: the lanes of a block on a GPU.
    pub block: Option<u32>,
    /// Pairs of its accesses that launches have to keep apart (see [`ownership`](crate::ownership)).
    pub apart: Vec<(u32, u32)>,
    /// What it is.
    pub kind: ConstructKind,
}

/// What a construct is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConstructKind {
    /// A run of top-level statements. Its bindings may be used by later constructs.
    Serial(Vec<Stmt>),
    /// A top-level loop.
    Parallel {
        /// What it runs over.
        domain: Domain,
        /// What it binds in each iteration.
        pattern: Pattern,
        /// `continue` with this label ends the iteration.
        label: Label,
        /// Top-level variables that it reduces into: its body contributes to parts of them.
        reductions: Vec<Id<Local>>,
        /// The body.
        body: Block,
    },
}

/// A range with adapters: `(lo..hi).rev().step_by(k)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steps {
    /// First value.
    pub lo: Id<Expr>,
    /// Last value or end.
    pub hi: Id<Expr>,
    /// `..=`: `hi` is the last value.
    pub inclusive: bool,
    /// What is applied to it, in order.
    pub adapters: Vec<Adapter>,
}

/// What a range's values go through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Adapter {
    /// `.rev()`
    Rev,
    /// `.step_by(k)`, `k` a `usize`.
    StepBy(Id<Expr>),
}

impl Steps {
    /// The expressions, in the order of evaluation.
    pub fn exprs(&self) -> impl Iterator<Item = Id<Expr>> + '_ {
        let steps = self.adapters.iter().filter_map(|adapter| match adapter {
            Adapter::Rev => None,
            Adapter::StepBy(step) => Some(*step),
        });
        [self.lo, self.hi].into_iter().chain(steps)
    }
}

/// What a `for` loop runs over, in order when nested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Domain {
    /// `lo..hi`, any integer type: that of the pattern's binding.
    Range {
        /// First value.
        lo: Id<Expr>,
        /// End, not included.
        hi: Id<Expr>,
        /// The type of the loop variable, if the pattern is `_` (it has no binding to take it from).
        tap: Option<TapId>,
    },
    /// A range that isn't `lo..hi` alone. The type is that of the pattern's binding.
    Steps(Steps),
    /// `array.indices()`: `usize`, or a tuple of them for two and more dimensions.
    Indices(ParamId),
    /// `qd::segments(array)`: the numbers of the segments between the array's offsets, which don't fall; a `usize`.
    Segments(ParamId),
    /// `qd::ndrange([..])` with `lo..hi` for each dimension (`n` is `0..n`): tuples of `usize` (a `usize` for one).
    Ndrange(Vec<(Option<Id<Expr>>, Id<Expr>)>),
}

/// Statements and an optional value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// The value; `()` without.
    pub tail: Option<Id<Expr>>,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stmt {
    /// `let pattern = init;`; without `init` the locals are assigned later.
    Let {
        /// What it binds.
        pattern: Pattern,
        /// The value.
        init: Option<Id<Expr>>,
    },
    /// An expression whose value is dropped.
    Expr(Id<Expr>),
}

/// An expression and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where a message about it points.
    pub pos: Pos,
}

/// A type named after `as` or before `::`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TypeName {
    /// A primitive by its own name.
    Scalar(Scalar),
    /// Any other path: rustc says what it is.
    Tap(TapId),
}

/// What can be assigned to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// `_`
    Wild,
    /// A variable.
    Local(Id<Local>),
    /// A part of a variable, `t.0.1`, `p.vel[k]`.
    Part(Id<Local>, Vec<Projection>),
    /// An element of an array parameter, or a part of one: `x[i]`, `x[i].pos.x`.
    Element {
        /// The array.
        array: ParamId,
        /// One expression a dimension.
        index: Vec<Id<Expr>>,
        /// From the element to the part that is meant.
        path: Vec<Projection>,
    },
    /// `(a, b) = ..`, `[a, b] = ..`
    Tuple(Vec<Place>),
}

/// What a function is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Arg {
    /// `value`, `&value`
    Value(Id<Expr>),
    /// A parameter that is a reference, handed on.
    Reference {
        /// The parameter.
        param: ParamId,
        /// By `&`: the function can only read.
        shared: bool,
    },
    /// `&mut place`
    Place(Place),
    /// What a method is called on: a place, if it names one, which the method takes by value, `&` or `&mut`.
    Receiver {
        /// The place or value.
        value: Id<Expr>,
        /// It may be taken by `&mut`: the macro doesn't know.
        writes: bool,
    },
}

/// An expression. Operands are evaluated from left to right, as Rust does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExprKind {
    /// An integer literal; without suffix its type comes from its surroundings.
    Int {
        /// The magnitude.
        value: u128,
        /// `1u8`; also a float suffix, `1f32`.
        suffix: Option<Scalar>,
    },
    /// A float literal.
    Float {
        /// The digits as written, underscores and suffix removed: parsed when the type is known.
        digits: String,
        /// `1.0f32`
        suffix: Option<Scalar>,
    },
    /// `true`, `false`
    Bool(bool),
    /// A variable.
    Local(Id<Local>),
    /// A constant named by path.
    Const(ConstId),
    /// A literal-only subtree whose type rustc reports.
    Tapped {
        /// The type.
        tap: TapId,
        /// The subtree.
        value: Id<Expr>,
    },
    /// An operator or a method of the table (`Op::Cast` has a form of its own).
    Op {
        /// The operation.
        op: Op,
        /// Receiver first.
        args: Vec<Id<Expr>>,
    },
    /// `T::method(receiver, ..)`, `f32::from_bits(b)`: the type is named.
    Function {
        /// `T`: the receiver's type, for `from_bits` the result's.
        ty: TypeName,
        /// The operation.
        op: Op,
        /// Receiver first.
        args: Vec<Id<Expr>>,
    },
    /// `a && b`
    LazyAnd(Id<Expr>, Id<Expr>),
    /// `a || b`
    LazyOr(Id<Expr>, Id<Expr>),
    /// `value as to`, `T::from(value)`
    Cast {
        /// The operand.
        value: Id<Expr>,
        /// The target.
        to: TypeName,
    },
    /// `array[index]`, read.
    Load {
        /// The array.
        array: ParamId,
        /// One expression a dimension.
        index: Vec<Id<Expr>>,
    },
    /// `array.len()`, a `usize`.
    Len(ParamId),
    /// `array.shape()[dim]`, a `usize`.
    Extent(ParamId, u8),
    /// `qd::atomic::op(&mut array[index].path, value)`: the old value.
    Atomic {
        /// The operation.
        op: AtomicOp,
        /// The array.
        array: ParamId,
        /// One expression a dimension.
        index: Vec<Id<Expr>>,
        /// From the element to the scalar that is meant.
        path: Vec<Projection>,
        /// The operand.
        value: Id<Expr>,
    },
    /// `qd::atomic::compare_exchange(&mut array[index].path, current, new)`: the old value.
    CompareExchange {
        /// The array.
        array: ParamId,
        /// One expression a dimension.
        index: Vec<Id<Expr>>,
        /// From the element to the scalar that is meant.
        path: Vec<Projection>,
        /// What has to be there.
        current: Id<Expr>,
        /// What is then stored.
        new: Id<Expr>,
    },
    /// `qd::scatter(&mut array[index], value)`: the element becomes the value.
    Scatter {
        /// The array.
        array: ParamId,
        /// One expression a dimension.
        index: Vec<Id<Expr>>,
        /// The value.
        value: Id<Expr>,
    },
    /// `(a, b)`, `()`
    Tuple(Vec<Id<Expr>>),
    /// `t.0`, `p.name`
    Field(Id<Expr>, Member),
    /// `v[index]` of a fixed array.
    Index(Id<Expr>, Id<Expr>),
    /// `P { a, b, ..base }`, `P(a, b)`
    Struct {
        /// Its type.
        tap: TapId,
        /// In the order of the source.
        fields: Vec<(Member, Id<Expr>)>,
        /// What gives the other fields.
        base: Option<Id<Expr>>,
    },
    /// `[a, b]`
    Fixed {
        /// Its type.
        tap: TapId,
        /// The elements.
        elements: Vec<Id<Expr>>,
    },
    /// A method or associated function of vectors and matrices.
    Linear {
        /// Which.
        method: Method,
        /// The operands, the receiver first.
        args: Vec<Id<Expr>>,
        /// The type of an associated function's result.
        tap: Option<TapId>,
    },
    /// `[value; N]`
    Repeat {
        /// Its type.
        tap: TapId,
        /// The value of every element, evaluated once.
        value: Id<Expr>,
    },
    /// What `sum`, `product` and the like start from: the value that changes nothing.
    Start {
        /// By what values are combined; nothing for a variable that gets another value before it is read.
        op: Option<ReduceOp>,
        /// It is `sum` or `product`, which types implement as they like.
        sums: bool,
        /// Their type.
        tap: TapId,
    },
    /// The number of elements of a fixed array, a `usize`. What names it isn't evaluated.
    Count(Id<Expr>),
    /// `{ .. }`
    Block(Block),
    /// `if`; the branches' value, or `()`.
    If {
        /// A `bool`.
        cond: Id<Expr>,
        /// If true.
        then: Block,
        /// If false: a block or another `if`.
        otherwise: Option<Id<Expr>>,
    },
    /// `while cond { body }`
    While {
        /// Its name.
        label: Label,
        /// A `bool`.
        cond: Id<Expr>,
        /// The body.
        body: Block,
    },
    /// `loop { body }`; its value is that of its `break`s.
    Loop {
        /// Its name.
        label: Label,
        /// The body.
        body: Block,
        /// The value's type where a `break` carries one that has no tapped binding.
        tap: Option<TapId>,
    },
    /// A nested `for`.
    For {
        /// Its name.
        label: Label,
        /// What it binds.
        pattern: Pattern,
        /// What it runs over.
        domain: Box<Domain>,
        /// `#[qd::unroll]`
        unroll: Unroll,
        /// The body.
        body: Block,
    },
    /// `break`, `break value`
    Break {
        /// The loop.
        label: Label,
        /// The loop's value.
        value: Option<Id<Expr>>,
    },
    /// `continue`
    Continue(Label),
    /// `place = value`
    Assign {
        /// The place.
        place: Place,
        /// The value.
        value: Id<Expr>,
    },
    /// `place op= value`. For primitive types Rust evaluates the value first, then the place; see [`Sketch::orders`].
    AssignOp {
        /// The operator.
        op: Op,
        /// The place.
        place: Place,
        /// The value.
        value: Id<Expr>,
    },
    /// What the iteration adds to a variable of the top level.
    Contribute {
        /// What it adds.
        what: Box<Contribution>,
        /// The same as an ordinary statement, for loops that have to run in order.
        in_order: Id<Expr>,
    },
    /// `f(..)`
    Call {
        /// Which function.
        callee: CalleeId,
        /// One a parameter.
        args: Vec<Arg>,
    },
    /// `return`, `return value` of a function. Kernels return in their plan.
    Return(Option<Id<Expr>>),
    /// `panic!`, `println!`: says something.
    Say {
        /// And then?
        what: Saying,
        /// Text with holes.
        message: Message,
        /// What goes into the holes.
        args: Vec<Id<Expr>>,
    },
}

/// What an iteration of a parallel loop adds to a variable from outside the loop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Contribution {
    /// `place op= value`, and what means the same.
    Each {
        /// The operation.
        op: ReduceOp,
        /// `-=`: the value is negated first.
        negated: bool,
        /// A variable or a part of one.
        place: Place,
        /// The value.
        value: Id<Expr>,
        /// The place is evaluated before the value: `place = place.min(value)`. Of an `op=` the type says.
        place_first: bool,
    },
    /// `if key < best { best = key; .. }`: pure but for what it leaves in variables from outside the loop.
    Extreme {
        /// `>`, `>=`
        greatest: bool,
        /// `<=`, `>=`
        last: bool,
        /// What the key is compared with.
        best: Place,
        /// The key.
        key: Id<Expr>,
        /// What the branch binds before.
        binds: Vec<Stmt>,
        /// What it assigns. Scalars that are part of `best` get the key's.
        with: Vec<(Place, Id<Expr>)>,
    },
}

/// What follows on words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Saying {
    /// The iteration fails; control doesn't go on.
    Panic,
    /// The words are a line of output.
    Print,
}

impl Sketch {
    /// The parameter that the reference of `param` comes from, and the fields that lead to it.
    fn path(&self, param: ParamId) -> (ParamId, &[Member]) {
        match self.params.get(param.0 as usize).map(|param| &param.kind) {
            Some(ParamKind::Field { of, path, local: _ }) => (*of, path),
            Some(ParamKind::Array | ParamKind::Reference(_) | ParamKind::Value(_) | ParamKind::Specialized(_))
            | None => (param, &[]),
        }
    }

    /// True if `field` is a field, or a field of a field, of `whole`.
    pub fn is_field_of(&self, field: ParamId, whole: ParamId) -> bool {
        let ((root, path), (of, front)) = (self.path(field), self.path(whole));
        field != whole && root == of && path.starts_with(front)
    }
}
