//! The rules of the IR. What code generation and launcher take for granted is checked here; a violation is a bug of
//! qd. All violations are collected, each with the path of its statement (`body.3.then.0`).
//!
//! A task:
//! - **Handles** lie in their arenas. Arrays, inputs, outputs, reductions and sites are each numbered by first use in the
//!   text (bounds, then body), and all are used. Arrays have 1 to 4 dimensions, and elements of at least one scalar,
//!   each aligned and inside the element.
//! - **Values** are all set, by one statement (or loop, or dimension) each, before their uses, and used only in the rest
//!   of the region that sets them and in regions nested there. Of what the bounds set the body sees what is carried.
//! - **Variables** are read only behind a `set` in the text, and never both in the bounds and in the body. Those of
//!   several scalars are accessed by parts.
//! - **Parts** lie in their element or variable for every value of their steps below the lengths. All scalars that the
//!   steps reach have one type, and in an element one distance for a step.
//! - **Types**: a constant has its value's type and no bits above its width; operations follow the table, `cast` takes
//!   and gives any scalar; an index is one `usize` a dimension; elements, variables, inputs, outputs and reductions have
//!   the types of the values they meet; conditions are `bool`; loop variables and their bounds are integers of one type
//!   of at most 64 bits; reductions have an operation that their type takes; atomics have one that their element takes.
//! - **Sites**: an operation has one exactly if it can fail, naming it and its type; that of an access names its array.
//!   A load and a store of one place may share a site. A message has one of its kind, and words in the kernel.
//! - **Stores** and atomics are to mutable arrays, and not in the bounds. `reduce` stands in the body of a parallel task,
//!   `output` in a serial task, `end` not in the bounds.
//! - **Control**: loop names are unique; `break` and `continue` name a loop they stand in; a diverging statement is the
//!   last of its region. A parallel task has 1 to 4 dimensions; a serial one has no reductions.
//!
//! A kernel, besides: each construct binds exactly what its task has, in type, and the plan runs each once; sources and
//! slots exist; `break` and `continue` stand in loops; every path ends in a `return` of the result's scalars.
mod reduction;

use std::collections::BTreeSet;
use std::fmt;

use crate::arena::{Arena, Id};
use crate::body::{Local, LoopId, Part, Region, Stmt, Value};
use crate::fault::Site;
use crate::op::{AtomicOp, Op};
use crate::plan::{Adapter, Carried, Construct, Counted, Kernel, PlanNode, Slot, Source};
use crate::task::{Array, Dim, Input, Output, Reduction, Task, TaskKind};
use crate::types::{Const, Element, Field, Scalar};

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Violation {
    /// Where: a statement of a task, or a part of a kernel.
    pub path: String,
    /// What.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// Checks a task.
pub fn task(task: &Task) -> Result<(), Vec<Violation>> {
    let mut check = Check::new(task);
    check.task();
    if check.found.is_empty() { Ok(()) } else { Err(check.found) }
}

/// Checks a kernel and its tasks.
pub fn kernel(kernel: &Kernel) -> Result<(), Vec<Violation>> {
    let mut plan = Plan { kernel, words: words(kernel), runs: vec![0; kernel.constructs.len()], found: Vec::new() };
    plan.kernel();
    if plan.found.is_empty() { Ok(()) } else { Err(plan.found) }
}

/// Arenas whose handles are numbered by first use.
#[derive(Default)]
struct Numbering {
    arrays: usize,
    inputs: usize,
    outputs: usize,
    reductions: usize,
    sites: usize,
}

struct Check<'a> {
    task: &'a Task,
    found: Vec<Violation>,
    path: Vec<String>,
    /// For each value: set somewhere.
    set: Vec<bool>,
    /// For each value: may be used here.
    visible: Vec<bool>,
    /// The visible values, to be hidden when their regions end.
    scope: Vec<Id<Value>>,
    /// For each variable: set above, used in the bounds, used in the body.
    locals: Vec<[bool; 3]>,
    loops: BTreeSet<LoopId>,
    open: Vec<LoopId>,
    first: Numbering,
    in_bounds: bool,
}

impl<'a> Check<'a> {
    fn new(task: &'a Task) -> Self {
        Check {
            task,
            found: Vec::new(),
            path: Vec::new(),
            set: vec![false; task.values.len()],
            visible: vec![false; task.values.len()],
            scope: Vec::new(),
            locals: vec![[false; 3]; task.locals.len()],
            loops: BTreeSet::new(),
            open: Vec::new(),
            first: Numbering::default(),
            in_bounds: false,
        }
    }

    fn fail(&mut self, message: impl Into<String>) {
        self.found.push(Violation { path: self.path.join("."), message: message.into() });
    }

    /// The message is made only where it is needed: every kernel is checked before its first launch.
    fn require<M: Into<String>>(&mut self, holds: bool, message: impl FnOnce() -> M) {
        if !holds {
            self.fail(message());
        }
    }

    fn task(&mut self) {
        let task = self.task;
        self.path.push("arrays".into());
        for array in task.arrays.values() {
            self.require((1..=4).contains(&array.ty.rank), || format!("an array of {} dimensions", array.ty.rank));
            self.memory(&array.ty.element);
        }
        self.path.pop();
        self.path.push("locals".into());
        for (id, local) in task.locals.iter() {
            self.require(local.len > 0, || format!("l{} of no scalar", id.index()));
        }
        self.path.pop();
        match &task.kind {
            TaskKind::Serial => {}
            TaskKind::Parallel { bounds, carried, dims, reductions } => {
                self.in_bounds = true;
                self.path.push("bounds".into());
                // The bounds must be visible to the dimensions only, so the region is closed here.
                self.stmts(bounds);
                self.require((1..=4).contains(&dims.len()), || format!("{} dimensions", dims.len()));
                for Dim { var: _, lo, hi } in dims {
                    self.used(*lo);
                    self.used(*hi);
                }
                carried.iter().for_each(|value| self.used(*value));
                self.hide(0);
                for value in carried.iter().filter(|value| self.task.values.get(**value).is_some()) {
                    self.visible[value.index()] = true;
                    self.scope.push(*value);
                }
                self.path.pop();
                self.in_bounds = false;
                self.path.push("dims".into());
                for Dim { var, lo, hi } in dims {
                    self.range(*var, *lo, *hi);
                }
                self.path.pop();
                self.path.push("reductions".into());
                reductions.values().iter().for_each(|reduction| self.reduction(reduction));
                self.path.pop();
            }
        }
        self.path.push("body".into());
        self.stmts(&task.body);
        self.path.pop();
        self.path.push("task".into());
        for (i, set) in self.set.clone().into_iter().enumerate() {
            self.require(set, || format!("v{i} is never set"));
        }
        let counts = [
            ("array", self.first.arrays, task.arrays.len()),
            ("input", self.first.inputs, task.inputs.len()),
            ("output", self.first.outputs, task.outputs.len()),
            ("reduction", self.first.reductions, task.reductions().len()),
            ("site", self.first.sites, task.sites.len()),
        ];
        for (what, used, declared) in counts {
            self.require(used == declared, || format!("{used} of {declared} {what}s are used"));
        }
        for (i, [_, bounds, body]) in self.locals.clone().into_iter().enumerate() {
            self.require(!(bounds && body), || format!("l{i} is used in the bounds and in the body"));
        }
    }

    fn memory(&mut self, element: &Element) {
        let Element { size, align, fields } = element;
        let aligned = align.is_power_of_two() && size.is_multiple_of(*align);
        self.require(aligned, || format!("an element of {size} bytes aligned to {align}"));
        self.require(!fields.is_empty(), || "an element of no scalar");
        for Field { ty, offset } in fields {
            let bytes = ty.size() as u32;
            let inside = offset.checked_add(bytes).is_some_and(|end| end <= *size);
            self.require(inside, || format!("{ty} at {offset} of an element of {size} bytes"));
            let aligned = bytes <= *align && offset.is_multiple_of(bytes);
            self.require(aligned, || format!("{ty} at {offset} isn't aligned"));
        }
    }

    /// Hides what was made visible after the scope had `depth` values.
    fn hide(&mut self, depth: usize) {
        for value in self.scope.drain(depth..) {
            self.visible[value.index()] = false;
        }
    }

    fn region(&mut self, name: &str, region: &Region) {
        self.path.push(name.into());
        let depth = self.scope.len();
        self.stmts(region);
        self.hide(depth);
        self.path.pop();
    }

    fn stmts(&mut self, region: &Region) {
        for (i, stmt) in region.0.iter().enumerate() {
            self.path.push(i.to_string());
            self.require(!stmt.diverges() || i + 1 == region.0.len(), || "statements behind a diverging one");
            self.stmt(stmt);
            self.path.pop();
        }
    }

    fn ty(&self, value: Id<Value>) -> Option<Scalar> {
        self.task.values.get(value).map(|v| v.ty)
    }

    fn define(&mut self, value: Id<Value>) {
        match self.set.get(value.index()) {
            None => self.fail(format!("v{} isn't in the arena", value.index())),
            Some(true) => self.fail(format!("v{} is set twice", value.index())),
            Some(false) => {
                self.set[value.index()] = true;
                self.visible[value.index()] = true;
                self.scope.push(value);
            }
        }
    }

    fn used(&mut self, value: Id<Value>) {
        let visible = self.visible.get(value.index()).copied().unwrap_or(false);
        self.require(visible, || format!("v{} isn't visible here", value.index()));
    }

    /// A use of a value that must be of type `ty`.
    fn typed(&mut self, value: Id<Value>, ty: Scalar) {
        self.used(value);
        self.same(value, ty);
    }

    fn same(&mut self, value: Id<Value>, ty: Scalar) {
        if let Some(found) = self.ty(value) {
            self.require(found == ty, || format!("v{} is {found}, {ty} is expected", value.index()));
        }
    }

    /// A variable of a loop and its bounds.
    fn range(&mut self, var: Id<Value>, lo: Id<Value>, hi: Id<Value>) {
        self.define(var);
        if let Some(ty) = self.ty(var) {
            self.require(ty.is_int() && ty.bits() <= 64, || format!("a loop over {ty}"));
            self.same(lo, ty);
            self.same(hi, ty);
        }
    }

    /// A use of a handle of an arena that is numbered by first use.
    fn handle<T>(&mut self, what: &str, arena: &Arena<T>, id: Id<T>, first: fn(&mut Numbering) -> &mut usize) -> bool {
        let exists = arena.get(id).is_some();
        self.require(exists, || format!("{what} {} isn't in its arena", id.index()));
        let next = first(&mut self.first);
        let known = *next;
        if id.index() == known {
            *next += 1;
        }
        self.require(id.index() <= known, || format!("{what} {} is used before {what} {known}", id.index()));
        exists
    }

    fn array(&mut self, id: Id<Array>) -> Option<&'a Array> {
        let task = self.task;
        self.handle("array", &task.arrays, id, |n| &mut n.arrays).then(|| &task.arrays[id])
    }

    fn site(&mut self, id: Id<Site>, wanted: Site) {
        let task = self.task;
        if self.handle("site", &task.sites, id, |n| &mut n.sites) {
            self.require(task.sites[id] == wanted, || format!("site {} is of another statement", id.index()));
        }
    }

    fn local(&mut self, id: Id<Local>) -> Option<Local> {
        let local = self.task.locals.get(id).copied();
        match local {
            Some(_) => self.locals[id.index()][if self.in_bounds { 1 } else { 2 }] = true,
            None => self.fail(format!("l{} isn't in the arena", id.index())),
        }
        local
    }

    /// An access to a scalar of an element; its type.
    fn element(
        &mut self,
        array: Id<Array>,
        index: &[Id<Value>],
        part: &Part,
        site: Option<Id<Site>>,
        write: bool,
    ) -> Option<Scalar> {
        let element = self.access(array, index, site, write);
        self.steps(part);
        self.field(element?, part)
    }

    /// An access to an array; its element.
    fn access(
        &mut self,
        array: Id<Array>,
        index: &[Id<Value>],
        site: Option<Id<Site>>,
        write: bool,
    ) -> Option<&'a Element> {
        let found = self.array(array);
        index.iter().for_each(|&i| self.typed(i, Scalar::Usize));
        if let Some(site) = site {
            self.site(site, Site::Index(array));
        }
        let ty = &found?.ty;
        self.require(index.len() == usize::from(ty.rank), || format!("{} indices for rank {}", index.len(), ty.rank));
        if write {
            self.require(ty.mutable, || format!("a write to {ty}"));
            self.require(!self.in_bounds, || "a write in the bounds");
        }
        Some(&ty.element)
    }

    fn steps(&mut self, part: &Part) {
        for step in &part.steps {
            self.typed(step.index, Scalar::Usize);
            self.require(step.len > 0, || "a step into an array of length 0");
        }
    }

    /// The type of all scalars of an element that a part can mean.
    fn field(&mut self, element: &Element, part: &Part) -> Option<Scalar> {
        let reached = self.reached(part, element.fields.len())?;
        let first = element.fields[part.base as usize];
        let same = reached.iter().all(|&at| element.fields[at].ty == first.ty);
        self.require(same, || "steps reach scalars of several types");
        // One multiplication a step gives the address, so each step has to be one distance.
        let places: Option<Vec<u64>> = part.steps.iter().map(|step| step.bytes(element, part.base)).collect();
        let even = places.is_some_and(|bytes| {
            let offset = |mut number: usize| {
                let strides = part.steps.iter().zip(&bytes).rev();
                strides.fold(u64::from(first.offset), |offset, (step, bytes)| {
                    let index = number % step.len as usize;
                    number /= step.len as usize;
                    offset + index as u64 * bytes
                })
            };
            reached.iter().enumerate().all(|(number, &at)| u64::from(element.fields[at].offset) == offset(number))
        });
        self.require(even, || "steps of uneven distance");
        Some(first.ty)
    }

    /// The scalars, of `count`, that a part can mean: the last step fastest.
    fn reached(&mut self, part: &Part, count: usize) -> Option<Vec<usize>> {
        let mut reached = vec![part.base as usize];
        for step in &part.steps {
            let next = |at: usize| (0..step.len as usize).map(move |index| at + index * step.stride as usize);
            // Nothing can be reached twice, so a longer list has left the scalars somewhere.
            if reached.len().saturating_mul(step.len as usize) > count {
                self.fail(format!("steps of {} and more scalars in {count}", reached.len()));
                return None;
            }
            reached = reached.into_iter().flat_map(next).collect();
        }
        let inside = reached.iter().all(|&at| at < count);
        self.require(inside, || format!("a part outside of {count} scalars"));
        inside.then_some(reached)
    }

    /// An access to a part of a variable; the type of its scalars.
    fn variable(&mut self, id: Id<Local>, part: &Part) -> Option<Scalar> {
        let local = self.local(id);
        self.steps(part);
        let local = local?;
        self.reached(part, local.len as usize);
        Some(local.ty)
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let task = self.task;
        match stmt {
            Stmt::Const { dst, value: Const { ty, bits } } => {
                self.define(*dst);
                self.same(*dst, *ty);
                let fits = if *ty == Scalar::Bool { *bits <= 1 } else { *bits <= ty.mask() };
                self.require(fits, || format!("{bits:#x} has bits that {ty} hasn't"));
            }
            Stmt::Input { dst, input } => {
                self.define(*dst);
                if self.handle::<Input>("input", &task.inputs, *input, |n| &mut n.inputs) {
                    self.same(*dst, task.inputs[*input].ty);
                }
            }
            Stmt::Extent { dst, array, dim } => {
                self.define(*dst);
                self.same(*dst, Scalar::Usize);
                if let Some(array) = self.array(*array) {
                    self.require(*dim < array.ty.rank, || format!("extent {dim} of rank {}", array.ty.rank));
                }
            }
            Stmt::Op { dst, op, args, site } => self.op(*dst, *op, args, *site),
            Stmt::Get { dst, local } => {
                self.define(*dst);
                if let Some(Local { ty, len }) = self.local(*local) {
                    self.same(*dst, ty);
                    self.require(len == 1, || format!("l{} is read whole", local.index()));
                    self.read(*local);
                }
            }
            Stmt::Set { local, value } => {
                self.used(*value);
                if let Some(Local { ty, len }) = self.local(*local) {
                    self.same(*value, ty);
                    self.require(len == 1, || format!("l{} is set whole", local.index()));
                    self.locals[local.index()][0] = true;
                }
            }
            Stmt::GetPart { dst, local, part } => {
                let ty = self.variable(*local, part);
                self.define(*dst);
                if let Some(ty) = ty {
                    self.same(*dst, ty);
                    self.read(*local);
                }
            }
            Stmt::SetPart { local, part, value } => {
                let ty = self.variable(*local, part);
                self.used(*value);
                if let Some(ty) = ty {
                    self.same(*value, ty);
                    self.locals[local.index()][0] = true;
                }
            }
            Stmt::Load { dst, array, index, part, site } => {
                let element = self.element(*array, index, part, *site, false);
                self.define(*dst);
                element.into_iter().for_each(|ty| self.same(*dst, ty));
            }
            Stmt::Store { array, index, part, value, site } => {
                let element = self.element(*array, index, part, *site, true);
                self.used(*value);
                element.into_iter().for_each(|ty| self.same(*value, ty));
            }
            Stmt::Atomic { dst, op, array, index, part, value, site } => {
                let element = self.element(*array, index, part, *site, true);
                self.used(*value);
                self.define(*dst);
                if let Some(ty) = element {
                    self.require(op.takes(ty), || format!("an atomic `{}` on {ty}", op.name()));
                    self.same(*value, ty);
                    self.same(*dst, ty);
                }
            }
            Stmt::CompareExchange { dst, array, index, part, current, new, site } => {
                let element = self.element(*array, index, part, *site, true);
                self.used(*current);
                self.used(*new);
                self.define(*dst);
                if let Some(ty) = element {
                    self.require(AtomicOp::Exchange.takes(ty), || format!("an atomic `compare_exchange` on {ty}"));
                    self.same(*current, ty);
                    self.same(*new, ty);
                    self.same(*dst, ty);
                }
            }
            Stmt::Check { array, index, site } => _ = self.access(*array, index, Some(*site), false),
            Stmt::Claim { array, index, site } => _ = self.access(*array, index, Some(*site), true),
            Stmt::CheckStep { index, len: _, site } => {
                self.typed(*index, Scalar::Usize);
                self.site(*site, Site::Step);
            }
            Stmt::Reduce { reduction, value } => self.reduce(*reduction, None, *value),
            Stmt::ReducePart { reduction, part, value } => self.reduce(*reduction, Some(part), *value),
            Stmt::Offer { reduction, values } => self.offer(*reduction, values),
            Stmt::Output { output, value } => {
                self.used(*value);
                self.require(task.kind == TaskKind::Serial, || "an output of a parallel task");
                if self.handle::<Output>("output", &task.outputs, *output, |n| &mut n.outputs) {
                    self.same(*value, task.outputs[*output].ty);
                }
            }
            Stmt::If { cond, then, otherwise } => {
                self.typed(*cond, Scalar::Bool);
                self.region("then", then);
                self.region("else", otherwise);
            }
            Stmt::For { id, var, lo, hi, unroll: _, body } => {
                self.used(*lo);
                self.used(*hi);
                let depth = self.scope.len();
                self.range(*var, *lo, *hi);
                self.enter(*id, body);
                self.hide(depth);
            }
            Stmt::Loop { id, body } => self.enter(*id, body),
            Stmt::Fail { site, values } => {
                values.iter().for_each(|value| self.used(*value));
                self.site(*site, Site::Panic);
            }
            Stmt::Print { site, values } => {
                values.iter().for_each(|value| self.used(*value));
                self.site(*site, Site::Print);
            }
            Stmt::Break(id) | Stmt::Continue(id) => {
                self.require(self.open.contains(id), || format!("L{} isn't open here", id.0));
            }
            Stmt::End => self.require(!self.in_bounds, || "an end in the bounds"),
        }
    }

    fn read(&mut self, local: Id<Local>) {
        self.require(self.locals[local.index()][0], || format!("l{} is read before it is set", local.index()));
    }

    fn enter(&mut self, id: LoopId, body: &Region) {
        let fresh = self.loops.insert(id);
        self.require(fresh, || format!("two loops named L{}", id.0));
        self.open.push(id);
        self.region("body", body);
        self.open.pop();
    }

    fn op(&mut self, dst: Id<Value>, op: Op, args: &[Id<Value>], site: Option<Id<Site>>) {
        args.iter().for_each(|&arg| self.used(arg));
        self.define(dst);
        self.require(args.len() == op.arity(), || format!("`{op}` of {} operands", args.len()));
        let Some(receiver) = args.first().and_then(|&arg| self.ty(arg)) else { return };
        self.require(op.row().receiver.accepts(receiver), || format!("`{op}` of {receiver}"));
        for (i, &arg) in args.iter().enumerate().take(op.arity()) {
            match op.operand(receiver, i) {
                Some(ty) => self.same(arg, ty),
                None => {
                    let int = self.ty(arg).is_none_or(Scalar::is_int);
                    self.require(int, || format!("v{} is no integer", arg.index()));
                }
            }
        }
        match op.output(receiver) {
            Some(ty) => self.same(dst, ty),
            None => {
                let given = self.ty(dst).is_none_or(|ty| op.gives(receiver, ty));
                self.require(given, || format!("`{op}` of {receiver} doesn't give the type of v{}", dst.index()));
            }
        }
        match site {
            Some(site) if op.faults(receiver) => self.site(site, Site::Op(op, receiver)),
            Some(_) => self.fail(format!("`{op}` of {receiver} can't fail and has a site")),
            None => self.require(!op.faults(receiver), || format!("`{op}` of {receiver} can fail and has no site")),
        }
    }
}

/// What begins with each word of the arguments; `None` is a pointer, or the rest of what began before.
fn words(kernel: &Kernel) -> Vec<Option<Scalar>> {
    let of_param = |param: &crate::plan::Param| match param.array() {
        Some(array) => [None].into_iter().chain((0..array.rank).map(|_| Some(Scalar::Usize))).collect::<Vec<_>>(),
        None => {
            let words = |ty: Scalar| [Some(ty)].into_iter().chain((1..ty.words()).map(|_| None));
            param.ty.flatten().unwrap_or_default().into_iter().flat_map(words).collect()
        }
    };
    kernel.params.iter().flat_map(of_param).collect()
}

struct Plan<'a> {
    kernel: &'a Kernel,
    words: Vec<Option<Scalar>>,
    /// How often the plan names each construct.
    runs: Vec<u32>,
    found: Vec<Violation>,
}

impl Plan<'_> {
    fn fail(&mut self, path: &str, message: impl Into<String>) {
        self.found.push(Violation { path: path.into(), message: message.into() });
    }

    fn require<M: Into<String>>(&mut self, path: &str, holds: bool, message: impl FnOnce() -> M) {
        if !holds {
            self.fail(path, message());
        }
    }

    fn kernel(&mut self) {
        let kernel = self.kernel;
        let mut word = 0;
        for param in &kernel.params {
            self.require("params", param.word == word, || format!("`{}` starts at word {}", param.name, param.word));
            word += param.words();
        }
        let mut word = 0;
        for (id, slot) in kernel.slots.iter() {
            self.require("slots", slot.word == word, || format!("slot {} starts at word {}", id.index(), slot.word));
            word += slot.ty.words() as u32;
        }
        for (id, construct) in kernel.constructs.iter() {
            let path = format!("construct {}", id.index());
            if let Err(violations) = task(&construct.task) {
                let inside = |v: Violation| Violation { path: format!("{path}.{}", v.path), message: v.message };
                self.found.extend(violations.into_iter().map(inside));
            }
            self.construct(&path, construct);
        }
        for (slot, word) in &kernel.written {
            match self.words.get(*word as usize).copied().flatten() {
                Some(ty) => self.slot("written", *slot, ty),
                None => self.fail("written", format!("word {word} holds no scalar")),
            }
        }
        let ends = self.node(&kernel.plan, 0);
        self.require("plan", ends, || "a path without a return");
        for (i, runs) in self.runs.clone().into_iter().enumerate() {
            self.require("plan", runs == 1, || format!("construct {i} stands in {runs} places"));
        }
    }

    fn construct(&mut self, path: &str, construct: &Construct) {
        let task = &construct.task;
        let counts = [
            ("arrays", task.arrays.len(), construct.arrays.len()),
            ("inputs", task.inputs.len(), construct.inputs.len()),
            ("outputs", task.outputs.len(), construct.outputs.len()),
            ("reductions", task.reductions().iter().flat_map(Reduction::scalars).count(), construct.reductions.len()),
            ("sites", task.sites.len(), construct.sites.len()),
            ("words", task.sites.len(), construct.words.len()),
        ];
        for (what, wanted, bound) in counts {
            self.require(path, wanted == bound, || format!("{bound} bindings for {wanted} {what}"));
        }
        for (i, (site, words)) in task.sites.values().iter().zip(&construct.words).enumerate() {
            let speaks = matches!(site, Site::Panic | Site::Print);
            self.require(path, speaks == words.is_some(), || format!("site {i} and its words don't fit"));
        }
        if let Some(Counted { ty, first, stride }) = construct.counted {
            for part in [first, stride] {
                let fits = match part {
                    Carried::Const(_) => true,
                    Carried::Value(at) => task.carried().get(at).is_some_and(|value| task.ty(*value) == ty),
                };
                self.require(path, fits && task.dims().len() == 1, || "the loop variable isn't carried");
            }
        }
        for (array, binding) in task.arrays.values().iter().zip(&construct.arrays) {
            let param = self.kernel.params.get(binding.param as usize);
            let fits = param.is_some_and(|p| p.array() == Some(&array.ty) && p.word == binding.word);
            self.require(path, fits, || {
                format!("parameter {} isn't {} at word {}", binding.param, array.ty, binding.word)
            });
        }
        for (input, source) in task.inputs.values().iter().zip(&construct.inputs) {
            self.source(path, *source, input.ty);
        }
        for (output, slot) in task.outputs.values().iter().zip(&construct.outputs) {
            self.slot(path, *slot, output.ty);
        }
        for (ty, (prior, slot)) in task.reductions().iter().flat_map(Reduction::scalars).zip(&construct.reductions) {
            self.source(path, *prior, ty);
            self.slot(path, *slot, ty);
        }
    }

    fn slot(&mut self, path: &str, slot: Id<Slot>, ty: Scalar) {
        let found = self.kernel.slots.get(slot).map(|s| s.ty);
        self.require(path, found == Some(ty), || format!("slot {} isn't {ty}", slot.index()));
    }

    fn source(&mut self, path: &str, source: Source, ty: Scalar) {
        let found = match source {
            Source::Word(word) => self.words.get(word as usize).copied().flatten(),
            Source::Product { first, rank } => {
                let words = self.words.get(first as usize..first as usize + usize::from(rank)).unwrap_or_default();
                (!words.is_empty() && words.iter().all(|w| *w == Some(Scalar::Usize))).then_some(Scalar::Usize)
            }
            Source::Slot(slot) => self.kernel.slots.get(slot).map(|s| s.ty),
            Source::Const(c) => Some(c.ty),
        };
        self.require(path, found == Some(ty), || format!("{source} isn't {ty}"));
    }

    /// Checks a node; true if nothing behind it is reached.
    fn node(&mut self, node: &PlanNode, loops: u32) -> bool {
        match node {
            PlanNode::Seq(nodes) => {
                let mut ends = false;
                for node in nodes {
                    ends |= self.node(node, loops);
                }
                ends
            }
            PlanNode::Init(slot, source) => {
                match self.kernel.slots.get(*slot) {
                    Some(Slot { ty, word: _ }) => self.source("plan", *source, *ty),
                    None => self.fail("plan", format!("slot {} doesn't exist", slot.index())),
                }
                false
            }
            PlanNode::Task(construct) => {
                match self.runs.get_mut(construct.index()) {
                    Some(runs) => *runs += 1,
                    None => self.fail("plan", format!("construct {} doesn't exist", construct.index())),
                }
                false
            }
            PlanNode::Loop(body) => {
                self.node(body, loops + 1);
                !leaves(body, 0)
            }
            PlanNode::Steps { var, steps, body } => {
                match self.kernel.slots.get(*var) {
                    Some(Slot { ty, word: _ }) if ty.is_int() && ty.bits() <= 64 => {
                        self.source("plan", steps.lo, *ty);
                        self.source("plan", steps.hi, *ty);
                    }
                    Some(_) | None => self.fail("plan", format!("slot {} can't count", var.index())),
                }
                for adapter in &steps.adapters {
                    match adapter {
                        Adapter::Rev => {}
                        Adapter::StepBy(step) => self.source("plan", *step, Scalar::Usize),
                    }
                }
                self.node(body, loops + 1);
                false
            }
            PlanNode::If { cond, then, otherwise } => {
                self.source("plan", *cond, Scalar::Bool);
                let then = self.node(then, loops);
                self.node(otherwise, loops) && then
            }
            PlanNode::Break(out) | PlanNode::Continue(out) => {
                self.require("plan", *out < loops, || "a break or continue outside of loops");
                true
            }
            PlanNode::Return(sources) => {
                let result = self.kernel.result.flatten().unwrap_or_default();
                let (wanted, found) = (result.len(), sources.len());
                self.require("plan", wanted == found, || format!("a return of {found} of {wanted} scalars"));
                for (source, ty) in sources.iter().zip(result) {
                    self.source("plan", *source, ty);
                }
                true
            }
        }
    }
}

/// True if the body of a loop holds a `Break` of that loop, which is the `depth`th around the node.
fn leaves(node: &PlanNode, depth: u32) -> bool {
    match node {
        PlanNode::Break(out) => *out == depth,
        PlanNode::Seq(nodes) => nodes.iter().any(|node| leaves(node, depth)),
        PlanNode::If { cond: _, then, otherwise } => leaves(then, depth) || leaves(otherwise, depth),
        PlanNode::Loop(body) | PlanNode::Steps { var: _, steps: _, body } => leaves(body, depth + 1),
        PlanNode::Init(..) | PlanNode::Task(_) | PlanNode::Continue(_) | PlanNode::Return(_) => false,
    }
}
