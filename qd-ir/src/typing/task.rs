//! The builder of one task: regions being written, what its numbers stand for in the kernel, and the two shapes of a
//! construct.
use std::collections::HashMap;

use super::facts::Facts;
use super::hint::Hint;
use super::plain::Plain;
use super::reduce::Reducing;
use super::storage::Var;
use super::{LocalId, Overflow, TypeError};
use crate::arena::Id;
use crate::body::{self, LoopId, Region, Stmt, Value};
use crate::fault::Site;
use crate::message::Message;
use crate::op::Op;
use crate::plan::{ArrayBinding, Construct, Counted, Slot, Source, Words};
use crate::refusal::Refusal;
use crate::sketch::{Block, Domain, Label, ParamId, Pattern};
use crate::source_map::{Pos, Spot};
use crate::task::{Array, Dim, Input, Output, Task, TaskKind};
use crate::types::{Const, Scalar, Type};

/// Why an expression gives no value.
pub(super) enum Stop {
    /// The kernel can't be typed.
    Error(TypeError),
    /// Control doesn't get past it; what follows is dropped.
    Diverges,
}

impl From<TypeError> for Stop {
    fn from(error: TypeError) -> Self {
        Stop::Error(error)
    }
}

pub(super) type Lower<T> = Result<T, Stop>;

/// A value of any type, taken apart.
#[derive(Debug, Clone)]
pub(super) struct Val {
    pub ty: Type,
    pub parts: Vec<Id<Value>>,
}

impl Val {
    pub const UNIT: Val = Val { ty: Type::UNIT, parts: Vec::new() };
}

/// The bounds of one dimension of a loop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    pub ty: Scalar,
    pub lo: Id<Value>,
    /// Not included.
    pub hi: Id<Value>,
}

/// What a name of the sketch stands for in the task.
#[derive(Debug, Clone)]
pub(super) enum Binding {
    /// Never assigned: the values themselves.
    Values(Vec<Id<Value>>),
    /// Assigned somewhere.
    Variables(Vec<Var>),
}

/// Where `break` and `continue` of a label lead.
pub(super) enum Target {
    /// The parallel loop.
    Iteration,
    /// A loop of the task.
    Loop(LoopTarget),
}

/// A loop of the task; a nested loop over several dimensions is several loops.
pub(super) struct LoopTarget {
    /// What `break` leaves.
    pub outer: LoopId,
    /// What `continue` goes on with.
    pub inner: LoopId,
    /// What is known of the loop's value.
    pub hint: Hint,
    /// The loop's value: known at the first `break`.
    pub value: Option<(Type, Vec<Var>)>,
    /// A `break` has been reached.
    pub left: bool,
}

/// A local of a serial construct that lives in slots.
pub(super) struct SlotLocal {
    pub local: LocalId,
    pub slots: Vec<Id<Slot>>,
    /// Bound by this construct.
    pub bound: bool,
    /// Its value on entry is needed.
    pub entry: bool,
}

/// What the names of the code being lowered stand for: the construct's own, or those of a function that is inlined.
#[derive(Default)]
pub(super) struct Scope {
    pub bound: HashMap<LocalId, Binding>,
    pub targets: HashMap<Label, Target>,
    /// In a function.
    pub func: Option<FuncScope>,
}

/// What a function's body needs of the call that it is inlined for.
pub(super) struct FuncScope {
    /// For each parameter that is an array, the kernel's.
    pub arrays: Vec<Option<ParamId>>,
    /// What `return` leaves, if there is one.
    pub exit: Option<LoopId>,
    /// The variables of the result, once something returns.
    pub result: Option<Vec<Var>>,
}

/// Builds the task of one construct.
pub(super) struct Builder<'a> {
    pub facts: &'a Facts<'a>,
    /// Where the function being lowered is called, if it is `#[track_caller]`.
    pub called_at: Option<Spot>,
    /// Those of the kernel itself: `facts` are a function's while its body is inlined.
    kernel: &'a Facts<'a>,
    globals: &'a [Option<Vec<Plain>>],
    pub overflow: Overflow,
    pub task: Task,
    regions: Vec<Vec<Stmt>>,
    pub scope: Scope,
    loops: u32,
    arrays: HashMap<ParamId, Id<Array>>,
    array_bindings: Vec<ArrayBinding>,
    inputs: Vec<Source>,
    outputs: Vec<Id<Slot>>,
    sites: Vec<Spot>,
    words: Vec<Option<Words>>,
    /// How the loop variable follows from the iteration, where it isn't the dimension itself.
    pub counted: Option<Counted>,
    /// Values of the bounds that the body sees.
    pub carried: Vec<Id<Value>>,
    /// What the loop reduces.
    pub reducing: Reducing,
    /// Variables that the caller sees, whatever comes after a store to them.
    seen: Vec<Seen>,
}

/// A scalar of a bundle, in a serial construct that assigns it: each store goes to its slot at once, since the iteration
/// may fail behind it.
struct Seen {
    variable: Var,
    slot: Id<Slot>,
    output: Option<Id<Output>>,
}

impl<'a> Builder<'a> {
    /// An empty task; `globals` are the names visible from the top level.
    pub fn new(facts: &'a Facts<'a>, globals: &'a [Option<Vec<Plain>>], overflow: Overflow) -> Self {
        Builder {
            facts,
            called_at: None,
            kernel: facts,
            globals,
            overflow,
            task: Task::new(TaskKind::Serial),
            regions: vec![Vec::new()],
            scope: Scope::default(),
            loops: 0,
            arrays: HashMap::new(),
            array_bindings: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            sites: Vec::new(),
            words: Vec::new(),
            counted: None,
            carried: Vec::new(),
            reducing: Reducing::default(),
            seen: Vec::new(),
        }
    }

    /// A serial construct. Locals that live in slots are read on entry where that matters and written at the end.
    pub fn serial(
        mut self,
        pos: Pos,
        shared: &[SlotLocal],
        write: impl FnOnce(&mut Self) -> Lower<()>,
    ) -> Result<Construct, TypeError> {
        for share in shared.iter().filter(|s| !s.bound) {
            let variables = self.variables_for(share.local, pos)?;
            if share.entry {
                for (&slot, &variable) in share.slots.iter().zip(&variables) {
                    let value = self.input(Source::Slot(slot), self.task.locals[variable.local].ty);
                    self.set(&[variable], &[value]);
                }
            }
            if self.facts.is_reference(share.local) {
                let seen = share.slots.iter().zip(&variables);
                self.seen.extend(seen.map(|(&slot, &variable)| Seen { variable, slot, output: None }));
            }
            self.scope.bound.insert(share.local, Binding::Variables(variables));
        }
        let run = write(&mut self).and_then(|()| {
            for share in shared.iter().filter(|share| !self.kernel.is_reference(share.local)) {
                let values = self.read_local(share.local, pos)?;
                for (&slot, &value) in share.slots.iter().zip(&values.parts) {
                    let output = self.task.outputs.push(Output { ty: self.task.ty(value) });
                    self.outputs.push(slot);
                    self.push(Stmt::Output { output, value });
                }
            }
            Ok(())
        });
        match run {
            Ok(()) | Err(Stop::Diverges) => Ok(self.finish(pos, TaskKind::Serial)),
            Err(Stop::Error(error)) => Err(error),
        }
    }

    /// A parallel loop.
    pub fn parallel(
        mut self,
        pos: Pos,
        domain: &Domain,
        pattern: &Pattern,
        label: Label,
        reductions: &[LocalId],
        body: &Block,
    ) -> Result<Construct, TypeError> {
        for local in reductions {
            let name = &self.facts.sketch.locals[*local].name;
            let slot = |plain: &Plain| match plain {
                Plain::Slot(slot, ty) => Some((*slot, *ty)),
                Plain::Const(_) | Plain::Word { .. } | Plain::Extent { .. } | Plain::Len { .. } => None,
            };
            let slots = self.globals[local.index()].as_ref().and_then(|plains| plains.iter().map(slot).collect());
            let Some(slots) = slots else {
                return Err(self.facts.error(pos, format!("`{name}` can't be reduced into")));
            };
            self.reduces(*local, slots);
        }
        let (ends, values) = match self.ends(domain, pattern, pos) {
            Ok(ends) => ends,
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Diverges) => return Err(self.facts.error(pos, "the bounds of the loop never end")),
        };
        let bounds = Region(std::mem::take(&mut self.regions[0]));
        let dims: Vec<Dim> =
            ends.iter().map(|end| Dim { var: self.task.value(end.ty), lo: end.lo, hi: end.hi }).collect();
        self.scope.targets.insert(label, Target::Iteration);
        let mut vars: Vec<_> = dims.iter().map(|d| (self.task.ty(d.var), d.var)).collect();
        if let (Some(values), [(_, number)]) = (values, vars.as_slice()) {
            let number = *number;
            self.carry(&values);
            vars = vec![(values.ty, self.value_at(&values, number))];
        }
        self.bind(pattern, &point(&vars), pos)?;
        match self.block(body, &Hint::Type(Type::UNIT)) {
            Ok(_) | Err(Stop::Diverges) => {}
            Err(Stop::Error(error)) => return Err(error),
        }
        let reductions = std::mem::take(&mut self.reducing.made);
        let carried = std::mem::take(&mut self.carried);
        Ok(self.finish(pos, TaskKind::Parallel { bounds, carried, dims, reductions }))
    }

    fn finish(mut self, pos: Pos, kind: TaskKind) -> Construct {
        self.task.kind = kind;
        self.task.body = Region(self.regions.pop().unwrap_or_default());
        Construct {
            task: self.task,
            pos,
            arrays: self.array_bindings,
            inputs: self.inputs,
            outputs: self.outputs,
            reductions: self.reducing.slots,
            sites: self.sites,
            words: self.words,
            counted: self.counted,
            grain: None,
            block: None,
            apart: None,
        }
    }

    /// Appends a statement to the region being written.
    pub fn push(&mut self, stmt: Stmt) {
        // The outermost region is taken out only by `finish`.
        if let Some(region) = self.regions.last_mut() {
            region.push(stmt);
        }
    }

    /// Writes a nested region; `None` if control doesn't reach its end.
    pub fn region<T>(&mut self, write: impl FnOnce(&mut Self) -> Lower<T>) -> Result<(Region, Option<T>), TypeError> {
        self.regions.push(Vec::new());
        let result = write(self);
        let region = Region(self.regions.pop().unwrap_or_default());
        match result {
            Ok(value) => Ok((region, Some(value))),
            Err(Stop::Diverges) => Ok((region, None)),
            Err(Stop::Error(error)) => Err(error),
        }
    }

    /// A new loop name.
    pub fn loop_id(&mut self) -> LoopId {
        self.loops += 1;
        LoopId(self.loops - 1)
    }

    /// A new variable.
    pub fn variable(&mut self, ty: Scalar) -> Var {
        Var { local: self.task.locals.push(body::Local { ty, len: 1 }), at: 0 }
    }

    /// New variables for a name.
    fn variables_for(&mut self, local: LocalId, pos: Pos) -> Result<Vec<Var>, TypeError> {
        let facts = self.facts;
        self.variables_of(facts.local(local, pos)?, facts.is_indexed(local), pos)
    }

    /// A constant.
    pub fn constant(&mut self, value: Const) -> Id<Value> {
        let dst = self.task.value(value.ty);
        self.push(Stmt::Const { dst, value });
        dst
    }

    /// An operation that stands in the program, as this typing takes overflow.
    pub fn arithmetic(&mut self, op: Op, args: Vec<Id<Value>>, output: Scalar, pos: Pos) -> Id<Value> {
        let op = match self.overflow {
            Overflow::Wraps => op,
            Overflow::Fails => op.overflow_checked(self.task.ty(args[0])),
        };
        self.op(op, args, output, pos)
    }

    /// An operation; it gets a site if it can fail.
    pub fn op(&mut self, op: Op, args: Vec<Id<Value>>, output: Scalar, pos: Pos) -> Id<Value> {
        let receiver = self.task.ty(args[0]);
        let site = op.faults(receiver).then(|| self.site(Site::Op(op, receiver), pos));
        let dst = self.task.value(output);
        self.push(Stmt::Op { dst, op, args, site });
        dst
    }

    /// Where a position of the code being lowered is, to messages.
    pub fn spot(&self, pos: Pos) -> Spot {
        self.called_at.clone().unwrap_or_else(|| self.facts.spot(pos))
    }

    /// A new site.
    pub fn site(&mut self, site: Site, pos: Pos) -> Id<Site> {
        self.sites.push(self.spot(pos));
        self.words.push(None);
        self.task.sites.push(site)
    }

    /// A new site that says something: a [`Site::Panic`] or a [`Site::Print`].
    pub fn speaking(&mut self, site: Site, message: Message, types: Vec<Type>, pos: Pos) -> Id<Site> {
        self.sites.push(self.spot(pos));
        self.words.push(Some(Words { message, types }));
        self.task.sites.push(site)
    }

    /// The parameter of the kernel that an array parameter of the code being lowered is.
    pub fn kernel_array(&self, param: ParamId, pos: Pos) -> Result<ParamId, TypeError> {
        match &self.scope.func {
            None => Ok(param),
            Some(func) => {
                let missing = || self.facts.error(pos, format!("parameter {} is no array", param.0));
                func.arrays.get(param.0 as usize).copied().flatten().ok_or_else(missing)
            }
        }
    }

    /// The task's number of an array parameter.
    pub fn array(&mut self, param: ParamId, pos: Pos) -> Result<Id<Array>, TypeError> {
        let param = self.kernel_array(param, pos)?;
        if let Some(&known) = self.arrays.get(&param) {
            return Ok(known);
        }
        let id = self.task.arrays.push(Array { ty: self.kernel.array(param, pos)?.clone() });
        let word = self.kernel.params[param.0 as usize].word;
        self.array_bindings.push(ArrayBinding { word, param: param.0 });
        self.arrays.insert(param, id);
        Ok(id)
    }

    fn input(&mut self, source: Source, ty: Scalar) -> Id<Value> {
        let input = match self.inputs.iter().position(|known| *known == source) {
            Some(known) => Id::new(known),
            None => {
                self.inputs.push(source);
                self.task.inputs.push(Input { ty })
            }
        };
        let dst = self.task.value(ty);
        self.push(Stmt::Input { dst, input });
        dst
    }

    /// An extent of an array.
    pub fn extent(&mut self, param: ParamId, dim: u8, pos: Pos) -> Lower<Id<Value>> {
        let array = self.array(param, pos)?;
        let rank = self.task.arrays[array].ty.rank;
        if dim >= rank {
            return Err(self.facts.error(pos, format!("extent {dim} of an array of rank {rank}")).into());
        }
        let dst = self.task.value(Scalar::Usize);
        self.push(Stmt::Extent { dst, array, dim });
        Ok(dst)
    }

    /// The number of elements of an array: the product of its extents, which can't overflow.
    pub fn len(&mut self, param: ParamId, pos: Pos) -> Lower<Id<Value>> {
        // In a function a reference may stand for a fixed array.
        if self.facts.array(param, pos).is_err() {
            let local = self.facts.reference(param, pos)?;
            let ty = self.facts.local(local, pos)?;
            let Some((_, len)) = ty.elements() else {
                let message = format!(
                    "`len` or `is_empty` of what a reference to a `{ty}` refers to, taken for that of an array: call it by \
                     its path, `{ty}::len(..)`"
                );
                return Err(self.facts.unsupported(Refusal::NoArray, pos, message).into());
            };
            return Ok(self.constant(Const { ty: Scalar::Usize, bits: u128::from(len) }));
        }
        let rank = self.facts.array(param, pos)?.rank;
        let mut len = self.extent(param, 0, pos)?;
        for dim in 1..rank {
            let extent = self.extent(param, dim, pos)?;
            len = self.op(Op::Mul, vec![len, extent], Scalar::Usize, pos);
        }
        Ok(len)
    }

    fn plain(&mut self, plain: Plain, pos: Pos) -> Lower<Id<Value>> {
        match plain {
            Plain::Const(value) => Ok(self.constant(value)),
            Plain::Word { word, ty } => Ok(self.input(Source::Word(word), ty)),
            Plain::Slot(slot, ty) => Ok(self.input(Source::Slot(slot), ty)),
            Plain::Extent { param, dim } => self.extent(param, dim, pos),
            Plain::Len { param } => self.len(param, pos),
        }
    }

    /// The value of a name.
    pub fn read_local(&mut self, local: LocalId, pos: Pos) -> Lower<Val> {
        let ty = self.facts.local(local, pos)?.clone();
        let width = self.facts.width(&ty, pos)?;
        Ok(Val { ty, parts: self.read_parts(local, 0..width, pos)? })
    }

    /// Some scalars of a name.
    pub fn read_parts(&mut self, local: LocalId, range: std::ops::Range<usize>, pos: Pos) -> Lower<Vec<Id<Value>>> {
        let name = || &self.facts.sketch.locals[local].name;
        if self.is_reduced(local, range.clone()) {
            return Err(self.reduced(local, pos).into());
        }
        match self.scope.bound.get(&local).cloned() {
            Some(Binding::Values(values)) => Ok(values[range].to_vec()),
            Some(Binding::Variables(variables)) => Ok(self.get(&variables[range])),
            // A function sees nothing of the kernel's names.
            None => match self.globals.get(local.index()).filter(|_| self.scope.func.is_none()) {
                Some(Some(plains)) => plains[range].iter().map(|plain| self.plain(*plain, pos)).collect(),
                Some(None) | None => {
                    Err(self.facts.error(pos, format!("`{}` is used before it is bound", name())).into())
                }
            },
        }
    }

    /// What a name of the task stands for.
    pub fn binding(&self, local: LocalId) -> Option<&Binding> {
        self.scope.bound.get(&local)
    }

    /// The variables of an assigned name.
    pub fn variables(&self, local: LocalId, pos: Pos) -> Lower<Vec<Var>> {
        match self.scope.bound.get(&local) {
            Some(Binding::Variables(variables)) => Ok(variables.clone()),
            Some(Binding::Values(_)) | None => {
                let name = &self.facts.sketch.locals[local].name;
                Err(self.facts.error(pos, format!("`{name}` can't be assigned here")).into())
            }
        }
    }

    /// Binds the names of a pattern to a value.
    pub fn bind(&mut self, pattern: &Pattern, value: &Val, pos: Pos) -> Result<(), TypeError> {
        for (local, ty, range) in self.facts.bindings(pattern, &value.ty, pos)? {
            self.facts.same(pos, self.facts.local(local, pos)?, &ty)?;
            let values = &value.parts[range];
            let binding = if self.facts.sketch.locals[local].assigned || self.facts.is_indexed(local) {
                let variables = self.variables_for(local, pos)?;
                self.set(&variables, values);
                Binding::Variables(variables)
            } else {
                Binding::Values(values.to_vec())
            };
            self.scope.bound.insert(local, binding);
        }
        Ok(())
    }

    /// Declares the names of a pattern; they are assigned later.
    pub fn declare(&mut self, pattern: &Pattern, pos: Pos) -> Result<(), TypeError> {
        match pattern {
            Pattern::Wild => Ok(()),
            Pattern::Bind(local) => {
                // A name that is never assigned is never read, and rustc may have no type for it.
                if self.facts.sketch.locals[*local].assigned {
                    let variables = self.variables_for(*local, pos)?;
                    self.scope.bound.insert(*local, Binding::Variables(variables));
                }
                Ok(())
            }
            Pattern::Tuple(parts) | Pattern::Fixed(parts) => parts.iter().try_for_each(|p| self.declare(p, pos)),
            Pattern::Struct(fields) => fields.iter().try_for_each(|(_, p)| self.declare(p, pos)),
        }
    }

    /// Where a site of the code being lowered is.
    pub fn spot_of(&self, site: Id<Site>) -> Option<Pos> {
        self.sites.get(site.index()).filter(|spot| spot.func.is_none()).map(|spot| spot.pos)
    }

    /// Lets the caller see what was stored to a variable, if it ever does.
    pub fn show(&mut self, variable: Var, value: Id<Value>) {
        let Some(seen) = self.seen.iter_mut().find(|seen| seen.variable == variable) else { return };
        let output = *seen.output.get_or_insert_with(|| {
            self.outputs.push(seen.slot);
            self.task.outputs.push(Output { ty: self.task.ty(value) })
        });
        self.push(Stmt::Output { output, value });
    }

    /// Lets the caller see what was stored somewhere in a list.
    pub fn show_list(&mut self, list: Id<body::Local>) {
        let of_list = self.seen.iter().map(|seen| seen.variable).filter(|variable| variable.local == list);
        for variable in of_list.collect::<Vec<_>>() {
            let value = self.get(&[variable])[0];
            self.show(variable, value);
        }
    }
}

/// The value that a loop binds: its variable, or a tuple of them.
pub(super) fn point(vars: &[(Scalar, Id<Value>)]) -> Val {
    let parts = vars.iter().map(|(_, v)| *v).collect();
    match vars {
        [(ty, _)] => Val { ty: Type::Scalar(*ty), parts },
        _ => Val { ty: Type::Tuple(vars.iter().map(|(ty, _)| Type::Scalar(*ty)).collect()), parts },
    }
}
