//! A task to LLVM functions: its entry points and the walk over its domain.
//!
//! `<stem>_run(context, begin, end, partials, scratch)` loads everything from the context block and calls the body
//! function, whose array arguments are `noalias` (and `readonly` where only read): kept apart from the entry, they stay
//! so. The body walks the iterations `begin..end` in rows: the start is decoded once, then each row is one loop over
//! the last dimension, so there is no division per element. `<stem>_bounds(context)` evaluates the bounds and writes
//! them to the context. Both return after the first fault.
use inkwell::IntPredicate;
use inkwell::attributes::AttributeLoc;
use inkwell::module::Linkage;
use inkwell::types::{BasicMetadataTypeEnum, BasicTypeEnum};
use inkwell::values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, IntValue, PointerValue};
use qd_ir::body::{Region, Stmt};
use qd_ir::reduce::{LEAF, Layout};
use qd_ir::task::{Dim, Reduction, Task, TaskKind};

use super::CodegenOptions;
use super::access;
use super::body::Body;
use super::context::{ContextLayout, FAULTS};
use super::emit::Emit;
use super::hooks::Hooks;
use super::leaf::{self, Leaf, Room};
use super::loops::{Counted, LoopKind};
use super::reduce::Contribution;
use crate::error::{Error, Result};

/// Where a body is inlined, its outputs are said to be apart as long as there are no more than these. LLVM makes a scope of
/// each and names all others at each store, and what it then does with them grows faster still: the 1000 elements of a
/// list took it 6 seconds for NVIDIA's devices and 45 for AMD's.
const MOST_APART: usize = 64;

/// Name of the entry that runs iterations.
pub fn run_symbol(stem: &str) -> String {
    format!("{stem}_run")
}

/// Name of the entry that evaluates the bounds; parallel tasks have it.
pub fn bounds_symbol(stem: &str) -> String {
    format!("{stem}_bounds")
}

/// Builds all functions of a task into the module.
pub(super) fn build(
    emit: &Emit<'_>,
    hooks: &dyn Hooks,
    task: &Task,
    stem: &str,
    options: CodegenOptions,
) -> Result<()> {
    let builder = Builder { emit, hooks, task, options, layout: ContextLayout::of(task) };
    if let Some(lanes) = hooks.lanes() {
        return super::grid::build(&builder, lanes, stem);
    }
    let lead = [
        Lead::of(emit.i64().into()),
        Lead::of(emit.i64().into()),
        Lead::alone(emit.ptr().into()),
        Lead::alone(emit.ptr().into()),
    ];
    let body = builder.body(&lead, |body, lead, bounds| builder.range(body, lead, bounds))?;
    builder.run(stem, body)?;
    match &task.kind {
        TaskKind::Serial => Ok(()),
        TaskKind::Parallel { bounds, dims, .. } => builder.bounds(stem, bounds, dims).map(|_| ()),
    }
}

/// What builds the functions of a task.
pub(super) struct Builder<'a, 'c> {
    pub(super) emit: &'a Emit<'c>,
    pub(super) hooks: &'a dyn Hooks,
    pub(super) task: &'a Task,
    pub(super) options: CodegenOptions,
    layout: ContextLayout,
}

/// A parameter of the body function that says what of the task it runs.
pub(super) struct Lead<'c> {
    ty: BasicTypeEnum<'c>,
    /// A pointer to memory that nothing else refers to.
    alone: bool,
}

impl<'c> Lead<'c> {
    /// Any parameter.
    pub(super) fn of(ty: BasicTypeEnum<'c>) -> Self {
        Lead { ty, alone: false }
    }

    /// A pointer to memory that nothing else refers to.
    pub(super) fn alone(ty: BasicTypeEnum<'c>) -> Self {
        Lead { ty, alone: true }
    }
}

/// The bounds of a task's dimensions.
pub(super) type Bounds<'c> = [(IntValue<'c>, IntValue<'c>)];

impl<'a, 'c> Builder<'a, 'c> {
    /// A function without a result, with an open first block at which the builder stands.
    pub(super) fn function(
        &self,
        name: &str,
        params: &[BasicMetadataTypeEnum<'c>],
        linkage: Option<Linkage>,
    ) -> FunctionValue<'c> {
        let e = self.emit;
        let function = e.module.add_function(name, e.context.void_type().fn_type(params, false), linkage);
        e.attribute(function, "nounwind", 0);
        if let Some(cpu) = self.hooks.tune_cpu() {
            function.add_attribute(AttributeLoc::Function, e.context.create_string_attribute("tune-cpu", cpu));
        }
        e.at(e.context.append_basic_block(function, ""));
        function
    }

    /// A word of the context block.
    fn word(&self, context: PointerValue<'c>, word: usize) -> Result<PointerValue<'c>> {
        self.emit.word_at(context, self.emit.word(word as u64))
    }

    fn load_word(&self, context: PointerValue<'c>, word: usize) -> Result<IntValue<'c>> {
        let at = self.word(context, word)?;
        Ok(self.emit.load(self.emit.i64().into(), at)?.into_int_value())
    }

    pub(super) fn load_pointer(&self, context: PointerValue<'c>, word: usize) -> Result<PointerValue<'c>> {
        let at = self.word(context, word)?;
        Ok(self.emit.load(self.emit.ptr().into(), at)?.into_pointer_value())
    }

    /// The entry that runs iterations: loads the arguments of the body function and calls it.
    fn run(&self, stem: &str, body: FunctionValue<'c>) -> Result<()> {
        let e = self.emit;
        let (word, pointer) = (e.i64().into(), e.ptr().into());
        let function = self.function(&run_symbol(stem), &[pointer, word, word, pointer, pointer], None);
        let [context, begin, end, partials, scratch] = params(function)?;
        let args = self.arguments(context.into_pointer_value(), &[begin, end, partials, scratch])?;
        e.builder.build_call(body, &args, "")?;
        e.builder.build_return(None)?;
        Ok(())
    }

    /// The arguments of the body function: those that are its own, between what the context holds.
    pub(super) fn arguments(
        &self,
        context: PointerValue<'c>,
        lead: &[BasicValueEnum<'c>],
    ) -> Result<Vec<BasicMetadataValueEnum<'c>>> {
        let e = self.emit;
        let mut args: Vec<BasicMetadataValueEnum<'c>> = vec![self.load_pointer(context, FAULTS)?.into()];
        args.extend(lead.iter().map(|&value| BasicMetadataValueEnum::from(value)));
        for dim in 0..self.task.dims().len() {
            let lo = self.layout.bounds(dim);
            args.push(self.load_word(context, lo)?.into());
            args.push(self.load_word(context, lo + 1)?.into());
        }
        for (array, item) in self.task.arrays.iter() {
            let first = self.layout.array(array);
            args.push(self.load_pointer(context, first)?.into());
            for dim in 0..usize::from(item.ty.rank) {
                args.push(self.load_word(context, first + 1 + dim)?.into());
            }
        }
        for (input, item) in self.task.inputs.iter() {
            args.push(e.load_words(item.ty, self.word(context, self.layout.input(input))?)?.into());
        }
        for (number, value) in self.task.carried().iter().enumerate() {
            let at = self.word(context, self.layout.carried(number))?;
            args.push(e.load_words(self.task.ty(*value), at)?.into());
        }
        for (output, _) in self.task.outputs.iter() {
            args.push(self.load_pointer(context, self.layout.output(output))?.into());
        }
        for (_, word) in self.layout.claims() {
            args.push(self.load_pointer(context, *word)?.into());
        }
        Ok(args)
    }

    /// The function that does the work, of the [`arguments`](Self::arguments). `walk` builds what it does of those of
    /// `lead`; it leaves the builder where the function ends.
    pub(super) fn body(
        &self,
        lead: &[Lead<'c>],
        walk: impl FnOnce(&mut Body<'a, 'c>, &[BasicValueEnum<'c>], &Bounds<'c>) -> Result<()>,
    ) -> Result<FunctionValue<'c>> {
        let e = self.emit;
        let (word, pointer): (BasicMetadataTypeEnum, BasicMetadataTypeEnum) = (e.i64().into(), e.ptr().into());
        let mut types = vec![pointer];
        types.extend(lead.iter().map(|lead| BasicMetadataTypeEnum::from(lead.ty)));
        types.extend(std::iter::repeat_n(word, 2 * self.task.dims().len()));
        // Partial results and scratch are nobody else's.
        let alone = (1..).zip(lead).filter(|(_, lead)| lead.alone);
        let mut pointers: Vec<(u32, bool)> = alone.map(|(param, _)| (param, false)).collect();
        let stored = stored_arrays(self.task);
        for (array, item) in self.task.arrays.iter() {
            pointers.push((types.len() as u32, !stored[array.index()]));
            types.push(pointer);
            types.extend(std::iter::repeat_n(word, usize::from(item.ty.rank)));
        }
        types.extend(self.task.inputs.values().iter().map(|input| BasicMetadataTypeEnum::from(e.ty(input.ty))));
        let carried = self.task.carried().iter().map(|value| self.task.ty(*value));
        types.extend(carried.map(|ty| BasicMetadataTypeEnum::from(e.ty(ty))));
        let apart = self.hooks.lanes().is_none() || self.task.outputs.len() <= MOST_APART;
        for _ in 0..self.task.outputs.len() {
            if apart {
                pointers.push((types.len() as u32, false));
            }
            types.push(pointer);
        }
        types.extend(self.layout.claims().iter().map(|_| pointer));
        let function = self.function("body", &types, Some(Linkage::Internal));
        match self.hooks.lanes() {
            // A call a launch is cheap; what inlining would make of `noalias` is not.
            None => e.attribute(function, "noinline", 0),
            // A call a lane is not.
            Some(_) => e.attribute(function, "alwaysinline", 0),
        }
        if !self.task.reductions().iter().all(Reduction::is_order_free) {
            // The loop that fills a leaf's buffer may be a plain copy. As a call, it would go through memory's slow
            // path once a leaf; as a loop, what it stores is still in registers or the first cache when it is folded.
            for name in ["no-builtin-memcpy", "no-builtin-memmove", "no-builtin-memset"] {
                function.add_attribute(AttributeLoc::Function, e.context.create_string_attribute(name, ""));
            }
        }
        for (param, only_read) in pointers {
            e.attribute_at(function, AttributeLoc::Param(param), "noalias", 0);
            if only_read {
                e.attribute_at(function, AttributeLoc::Param(param), "readonly", 0);
            }
        }

        let mut args = function.get_param_iter();
        let mut next = || args.next().ok_or_else(|| Error::internal("a body function lacks a parameter"));
        let faults = next()?.into_pointer_value();
        let lead = lead.iter().map(|_| next()).collect::<Result<Vec<_>>>()?;
        let done = e.new_block()?;
        let mut body = Body::new(e, self.hooks, self.task, self.options, faults, done)?;
        let mut bounds = Vec::new();
        for _ in self.task.dims() {
            bounds.push((next()?.into_int_value(), next()?.into_int_value()));
        }
        for array in self.task.arrays.values() {
            let pointer = next()?.into_pointer_value();
            let extents = (0..array.ty.rank).map(|_| Ok(next()?.into_int_value())).collect::<Result<Vec<_>>>()?;
            body.add_array(pointer, extents)?;
        }
        for _ in 0..self.task.inputs.len() {
            body.inputs.push(next()?);
        }
        for value in self.task.carried() {
            let register = next()?;
            body.set(*value, register);
        }
        for _ in 0..self.task.outputs.len() {
            body.outputs.push(next()?.into_pointer_value());
        }
        for (array, _) in self.layout.claims() {
            body.claims.push((*array, next()?.into_pointer_value()));
        }
        if self.options.races && matches!(self.task.kind, TaskKind::Parallel { .. }) {
            body.traced = stored;
        }
        walk(&mut body, &lead, &bounds)?;
        if !e.is_closed()? {
            e.branch(done)?;
        }
        e.at(done);
        e.builder.build_return(None)?;
        body.faults.finish();
        Ok(function)
    }

    /// The only iteration of a serial task.
    pub(super) fn once(&self, body: &mut Body<'a, 'c>) -> Result<()> {
        body.begin_iteration()?;
        body.region(&self.task.body)
    }

    /// The iterations `begin..end` of what `lead` names.
    fn range(&self, body: &mut Body<'a, 'c>, lead: &[BasicValueEnum<'c>], bounds: &Bounds<'c>) -> Result<()> {
        let &[begin, end, partials, scratch] = lead else {
            return Err(Error::internal("a body function with other parameters than its entry passes"));
        };
        let (begin, end) = (begin.into_int_value(), end.into_int_value());
        match &self.task.kind {
            TaskKind::Serial => self.once(body),
            TaskKind::Parallel { dims, reductions, .. } => {
                let domain = Domain::new(self.emit, dims, bounds)?;
                if reductions.is_empty() {
                    return self.rows(body, &domain, begin, end);
                }
                self.reduced(body, &domain, (begin, end), partials.into_pointer_value(), scratch.into_pointer_value())
            }
        }
    }

    /// The entry that evaluates the bounds.
    pub(super) fn bounds(&self, stem: &str, region: &'a Region, dims: &[Dim]) -> Result<FunctionValue<'c>> {
        let e = self.emit;
        let function = self.function(&bounds_symbol(stem), &[e.ptr().into()], None);
        let [context] = params(function)?;
        let context = context.into_pointer_value();
        let done = e.new_block()?;
        let faults = self.load_pointer(context, FAULTS)?;
        let mut body = Body::new(e, self.hooks, self.task, self.options, faults, done)?;
        // It runs once, and has no loop to speak of.
        body.cold = true;
        for (array, item) in self.task.arrays.iter() {
            let first = self.layout.array(array);
            let pointer = self.load_pointer(context, first)?;
            let extents = (0..usize::from(item.ty.rank))
                .map(|dim| self.load_word(context, first + 1 + dim))
                .collect::<Result<Vec<_>>>()?;
            body.add_array(pointer, extents)?;
        }
        for (input, item) in self.task.inputs.iter() {
            body.inputs.push(e.load_words(item.ty, self.word(context, self.layout.input(input))?)?);
        }
        body.begin_iteration()?;
        body.region(region)?;
        if !e.is_closed()? {
            for (number, dim) in dims.iter().enumerate() {
                let word = self.layout.bounds(number);
                for (word, value) in [(word, dim.lo), (word + 1, dim.hi)] {
                    let at = self.word(context, word)?;
                    e.store(at, body.widened(value)?.into())?;
                }
            }
            for (number, value) in self.task.carried().iter().enumerate() {
                let at = self.word(context, self.layout.carried(number))?;
                e.store_words(self.task.ty(*value), at, body.value(*value)?)?;
            }
            e.branch(done)?;
        }
        e.at(done);
        e.builder.build_return(None)?;
        body.faults.finish();
        Ok(function)
    }

    /// The iterations of a range, with reductions.
    fn reduced(
        &self,
        body: &mut Body<'a, 'c>,
        domain: &Domain<'a, 'c>,
        (begin, end): (IntValue<'c>, IntValue<'c>),
        partials: PointerValue<'c>,
        scratch: PointerValue<'c>,
    ) -> Result<()> {
        let e = self.emit;
        let b = &e.builder;
        let reductions = self.task.reductions();
        let layout = Layout::of(reductions);
        let mut room = Room::new(e, reductions, scratch)?;
        body.in_lanes = !self.options.races && leaf::in_lanes(domain.dims.len(), reductions, &self.task.body);
        for (reduction, offset) in reductions.iter().zip(&layout.offsets) {
            let words = e.word_at(partials, e.word(*offset as u64))?;
            body.contributions.push(Contribution::new(e, reduction, &mut room, words, body.in_lanes)?);
        }
        if layout.record == 0 {
            self.rows(body, domain, begin, end)?;
            return body.contributions.iter().try_for_each(|contribution| contribution.finish(e));
        }
        let (top, done) = (e.new_block()?, e.new_block()?);
        let from = e.block()?;
        let empty = e.compare(IntPredicate::UGE, begin, end)?;
        e.branch_if(empty, done, top)?;
        e.at(top);
        let first = b.build_phi(e.i64(), "")?;
        let at = first.as_basic_value().into_int_value();
        e.store(room.first, at.into())?;
        body.contributions.iter().try_for_each(|contribution| contribution.begin_leaf(e))?;
        let left = b.build_int_sub(end, at, "")?;
        let len = e.int_intrinsic("llvm.umin", &[left, e.word(LEAF)])?;
        let next = b.build_int_add(at, len, "")?;
        self.rows(body, domain, at, next)?;
        let number = b.build_int_unsigned_div(b.build_int_sub(at, begin, "")?, e.word(LEAF), "")?;
        let words = b.build_int_mul(number, e.word(layout.record as u64), "")?;
        let record = b.build_int_add(words, e.word(layout.free as u64), "")?;
        let leaf = Leaf::new(e, len)?;
        for (contribution, offset) in body.contributions.iter().zip(&layout.offsets) {
            // The caller passes room for a record of each leaf.
            let to = e.word_at(partials, b.build_int_add(record, e.word(*offset as u64), "")?)?;
            contribution.fold(e, self.hooks, &leaf, to)?;
        }
        let finished = e.compare(IntPredicate::EQ, next, end)?;
        let last = e.block()?;
        e.branch_if(finished, done, top)?;
        first.add_incoming(&[(&begin, from), (&next, last)]);
        e.at(done);
        body.contributions.iter().try_for_each(|contribution| contribution.finish(e))
    }

    /// The iterations `begin..end`, row by row.
    fn rows(
        &self,
        body: &mut Body<'a, 'c>,
        domain: &Domain<'a, 'c>,
        begin: IntValue<'c>,
        end: IntValue<'c>,
    ) -> Result<()> {
        let e = self.emit;
        let b = &e.builder;
        let Some((inner, outer)) = domain.dims.split_last() else {
            return Err(Error::internal("a parallel task without a dimension"));
        };
        let row = |first: IntValue<'c>, len: IntValue<'c>, number: IntValue<'c>| -> Result<Counted<'a, 'c>> {
            let runs = e.compare(IntPredicate::NE, len, e.word(0))?;
            Ok(Counted { var: inner.dim.var, first, runs, len, body: &self.task.body, kind: LoopKind::Task(number) })
        };
        let (walk, done) = (e.new_block()?, e.new_block()?);
        let empty = e.compare(IntPredicate::UGE, begin, end)?;
        e.branch_if(empty, done, walk)?;
        e.at(walk);
        if outer.is_empty() {
            let first = b.build_int_add(inner.lo, begin, "")?;
            body.counted(&row(first, b.build_int_sub(end, begin, "")?, begin)?)?;
            e.branch(done)?;
            e.at(done);
            return Ok(());
        }

        // Rows of which each is short would take long to look for its own stretch.
        let whole = row(inner.lo, inner.len, e.word(0))?;
        let last = |dim: &Extent<'a, 'c>| b.build_int_sub(dim.len, e.word(1), "");
        let spans = outer.iter().map(|dim| Ok((dim.dim.var, (dim.lo, last(dim)?))));
        body.everywhere = access::everywhere(body, &whole, spans.collect::<Result<_>>()?)?;

        // Where `begin` is. A domain with an iteration has no empty dimension.
        let offset = b.build_int_unsigned_rem(begin, inner.len, "")?;
        let mut rest = b.build_int_unsigned_div(begin, inner.len, "")?;
        let mut start = Vec::new();
        for (number, dim) in outer.iter().enumerate().rev() {
            start.push(if number == 0 { rest } else { b.build_int_unsigned_rem(rest, dim.len, "")? });
            if number > 0 {
                rest = b.build_int_unsigned_div(rest, dim.len, "")?;
            }
        }
        start.reverse();

        let top = e.new_block()?;
        let from = e.block()?;
        e.branch(top)?;
        e.at(top);
        let (number, column) = (b.build_phi(e.i64(), "")?, b.build_phi(e.i64(), "")?);
        let mut indices = Vec::new();
        for _ in outer {
            indices.push(b.build_phi(e.i64(), "")?);
        }
        let int = |phi: &inkwell::values::PhiValue<'c>| phi.as_basic_value().into_int_value();
        for (dim, index) in outer.iter().zip(&indices) {
            body.set_variable(dim.dim.var, b.build_int_add(dim.lo, int(index), "")?)?;
        }
        let in_row = b.build_int_sub(inner.len, int(&column), "")?;
        let left = b.build_int_sub(end, int(&number), "")?;
        let len = e.int_intrinsic("llvm.umin", &[in_row, left])?;
        body.counted(&row(b.build_int_add(inner.lo, int(&column), "")?, len, int(&number))?)?;

        let next = b.build_int_add(int(&number), len, "")?;
        // The next row: count up the last of the outer dimensions, carry into those before.
        let mut carry = e.bool(true);
        let mut counted = Vec::new();
        for (dim, index) in outer.iter().zip(&indices).rev() {
            let up = b.build_int_add(int(index), e.zext(carry, 64)?, "")?;
            let full = e.compare(IntPredicate::EQ, up, dim.len)?;
            counted.push(e.select_int(full, e.word(0), up)?);
            carry = full;
        }
        counted.reverse();
        let last = e.block()?;
        let finished = e.compare(IntPredicate::EQ, next, end)?;
        e.branch_if(finished, done, top)?;
        number.add_incoming(&[(&begin, from), (&next, last)]);
        column.add_incoming(&[(&offset, from), (&e.word(0), last)]);
        for ((phi, first), then) in indices.iter().zip(&start).zip(&counted) {
            phi.add_incoming(&[(first, from), (then, last)]);
        }
        e.at(done);
        Ok(())
    }
}

/// The dimensions with their bounds in registers.
pub(super) struct Domain<'a, 'c> {
    pub(super) dims: Vec<Extent<'a, 'c>>,
}

pub(super) struct Extent<'a, 'c> {
    pub(super) dim: &'a Dim,
    pub(super) lo: IntValue<'c>,
    /// Never 0 where an iteration runs.
    pub(super) len: IntValue<'c>,
}

impl<'a, 'c> Domain<'a, 'c> {
    pub(super) fn new(emit: &Emit<'c>, dims: &'a [Dim], bounds: &[(IntValue<'c>, IntValue<'c>)]) -> Result<Self> {
        let extent = |(dim, &(lo, hi)): (&'a Dim, &(IntValue<'c>, IntValue<'c>))| -> Result<Extent<'a, 'c>> {
            Ok(Extent { dim, lo, len: emit.builder.build_int_sub(hi, lo, "")? })
        };
        Ok(Domain { dims: dims.iter().zip(bounds).map(extent).collect::<Result<_>>()? })
    }
}

/// The parameters of a function of ours.
pub(super) fn params<'c, const N: usize>(function: FunctionValue<'c>) -> Result<[BasicValueEnum<'c>; N]> {
    function.get_params().try_into().map_err(|_| Error::internal("an entry point has other parameters than declared"))
}

/// Which arrays a task stores to.
pub(crate) fn stored_arrays(task: &Task) -> Vec<bool> {
    fn visit(region: &Region, stored: &mut [bool]) {
        for stmt in &region.0 {
            if let Stmt::Store { array, .. } | Stmt::Atomic { array, .. } | Stmt::CompareExchange { array, .. } = stmt {
                stored[array.index()] = true;
            }
            stmt.regions().for_each(|inside| visit(inside, stored));
        }
    }
    let mut stored = vec![false; task.arrays.len()];
    visit(&task.body, &mut stored);
    stored
}
