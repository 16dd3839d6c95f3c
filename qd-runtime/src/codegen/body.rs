//! Statements and regions to LLVM, in the current function.
//!
//! [`Body`] is the state of one function under construction. Values are registers; locals are stack variables that
//! LLVM promotes. A region that ends in a jump leaves a closed block behind, and nothing may follow it.
use std::collections::HashSet;

use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use qd_ir::arena::Id;
use qd_ir::body::{Local, LoopId, Region, Stmt, Value};
use qd_ir::fault::{Site, Touch};
use qd_ir::op::Op;
use qd_ir::task::{Array, Task};
use qd_ir::types::Scalar;

use super::CodegenOptions;
use super::access::Everywhere;
use super::address::ArrayView;
use super::emit::Emit;
use super::fault::FaultExit;
use super::fill::Fill;
use super::hooks::Hooks;
use super::loops::{Counted, LoopKind};
use super::op::{self, Operation};
use super::reduce::Contribution;
use crate::error::{Error, Result};

/// A check that is known to pass: the statement (by address), and for an access the dimension.
pub(super) type Proven = (*const Stmt, u8);

/// A function of a task, half built.
pub(super) struct Body<'a, 'c> {
    pub(super) emit: &'a Emit<'c>,
    pub(super) hooks: &'a dyn Hooks,
    pub(super) task: &'a Task,
    pub(super) options: CodegenOptions,
    /// The registers of the values set so far.
    values: Vec<Option<BasicValueEnum<'c>>>,
    /// For loop variables narrower than 64 bits: the same number in 64 bits.
    wide: Vec<Option<IntValue<'c>>>,
    pub(super) locals: Vec<PointerValue<'c>>,
    pub(super) arrays: Vec<ArrayView<'c>>,
    pub(super) inputs: Vec<BasicValueEnum<'c>>,
    /// Where each output's words are.
    pub(super) outputs: Vec<PointerValue<'c>>,
    pub(super) contributions: Vec<Contribution<'c>>,
    /// The arrays with claims, and where these are.
    pub(super) claims: Vec<(Id<Array>, PointerValue<'c>)>,
    pub(super) faults: FaultExit<'c>,
    /// Where the launch keeps faults and lines.
    pub(super) state: PointerValue<'c>,
    /// The linear number of the current iteration.
    pub(super) iteration: IntValue<'c>,
    /// Where the current iteration ends.
    pub(super) end: BasicBlock<'c>,
    loops: Vec<Frame<'c>>,
    /// Checks that the versions of the loops around have made superfluous.
    pub(super) proven: HashSet<Proven>,
    /// The arrays whose accesses the race detector looks up.
    pub(super) traced: Vec<bool>,
    /// The checks that stand apart from their accesses, so far.
    pub(super) checked: Vec<Checked>,
    /// Checks that pass in all rows of the task, if a condition holds.
    pub(super) everywhere: Option<Everywhere<'c>>,
    /// Iterations are run in rows of lanes (see [`leaf`](super::leaf)).
    pub(super) in_lanes: bool,
    /// In the rarely run version of a loop, with all checks: no further versions are made there.
    pub(super) cold: bool,
}

/// A check that stands apart from the accesses that rely on it.
pub(super) struct Checked {
    pub(super) array: Id<Array>,
    pub(super) index: Vec<Id<Value>>,
    pub(super) site: Id<Site>,
}

/// An enclosing loop.
struct Frame<'c> {
    id: LoopId,
    leave: BasicBlock<'c>,
    next: BasicBlock<'c>,
}

impl<'a, 'c> Body<'a, 'c> {
    /// A body for the current function. `faults` points to the fault state, `end` is where [`Stmt::End`] goes.
    pub(super) fn new(
        emit: &'a Emit<'c>,
        hooks: &'a dyn Hooks,
        task: &'a Task,
        options: CodegenOptions,
        faults: PointerValue<'c>,
        end: BasicBlock<'c>,
    ) -> Result<Self> {
        let variable = |local: &Local| match local.len {
            1 => emit.variable(emit.ty(local.ty)),
            len => emit.variables(emit.memory_ty(local.ty), len),
        };
        let locals = task.locals.values().iter().map(variable).collect::<Result<Vec<_>>>()?;
        Ok(Body {
            emit,
            hooks,
            task,
            options,
            values: vec![None; task.values.len()],
            wide: vec![None; task.values.len()],
            locals,
            arrays: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            contributions: Vec::new(),
            claims: Vec::new(),
            faults: FaultExit::new(emit, hooks, faults)?,
            state: faults,
            iteration: emit.word(0),
            end,
            loops: Vec::new(),
            proven: HashSet::new(),
            traced: Vec::new(),
            checked: Vec::new(),
            everywhere: None,
            in_lanes: false,
            cold: false,
        })
    }

    /// Type of a value.
    pub(super) fn ty(&self, value: Id<Value>) -> Scalar {
        self.task.ty(value)
    }

    /// The register of a value.
    pub(super) fn value(&self, value: Id<Value>) -> Result<BasicValueEnum<'c>> {
        self.values[value.index()]
            .ok_or_else(|| Error::internal(format_args!("value {} of a task is used before it is set", value.index())))
    }

    pub(super) fn int(&self, value: Id<Value>) -> Result<IntValue<'c>> {
        Ok(self.value(value)?.into_int_value())
    }

    pub(super) fn set(&mut self, value: Id<Value>, register: BasicValueEnum<'c>) {
        self.values[value.index()] = Some(register);
    }

    /// Sets a loop variable to a 64-bit number that its type can hold.
    pub(super) fn set_variable(&mut self, variable: Id<Value>, number: IntValue<'c>) -> Result<()> {
        let register = self.emit.resize(number, self.ty(variable).bits())?;
        self.wide[variable.index()] = Some(number);
        self.set(variable, register.into());
        Ok(())
    }

    /// A loop variable in 64 bits.
    pub(super) fn wide(&self, variable: Id<Value>) -> Option<IntValue<'c>> {
        self.wide[variable.index()]
    }

    /// An integer in 64 bits, extended by its type's sign.
    pub(super) fn widened(&self, value: Id<Value>) -> Result<IntValue<'c>> {
        self.emit.widen(self.ty(value), self.int(value)?)
    }

    /// What every iteration starts with: scalar locals are zero, reductions have contributed nothing.
    pub(super) fn begin_iteration(&mut self) -> Result<()> {
        for (pointer, local) in self.locals.iter().zip(self.task.locals.values()) {
            // Lists are written before they are read, as rustc has checked, and LLVM can't always drop what's in between.
            if local.len == 1 {
                self.emit.store(*pointer, self.emit.zero(local.ty))?;
            }
        }
        for contribution in &self.contributions {
            contribution.begin(self.emit)?;
        }
        Ok(())
    }

    /// The statements of a region, up to the first that jumps.
    pub(super) fn region(&mut self, region: &'a Region) -> Result<()> {
        let mut rest = region.0.as_slice();
        while let Some((stmt, behind)) = rest.split_first() {
            if let Some(fill) = Fill::start_of(rest) {
                self.fill(&fill)?;
                rest = &rest[fill.count..];
                continue;
            }
            self.stmt(stmt)?;
            if stmt.diverges() {
                break;
            }
            rest = behind;
        }
        Ok(())
    }

    pub(super) fn stmt(&mut self, stmt: &'a Stmt) -> Result<()> {
        let e = self.emit;
        match stmt {
            Stmt::Const { dst, value } => self.set(*dst, e.constant(*value)?),
            Stmt::Input { dst, input } => self.set(*dst, self.inputs[input.index()]),
            Stmt::Extent { dst, array, dim } => {
                self.set(*dst, self.arrays[array.index()].extents[usize::from(*dim)].into());
            }
            Stmt::Op { dst, op, args, site } => {
                let value = self.operation(stmt, *op, self.ty(*dst), args, *site)?;
                self.set(*dst, value);
            }
            Stmt::Get { dst, local } => {
                let value = e.load(e.ty(self.ty(*dst)), self.locals[local.index()])?;
                self.set(*dst, value);
            }
            Stmt::Set { local, value } => e.store(self.locals[local.index()], self.value(*value)?)?,
            Stmt::GetPart { dst, local, part } => {
                let at = self.variable_part(*local, part)?;
                let ty = self.ty(*dst);
                let value = if self.task.locals[*local].len == 1 {
                    e.load(e.ty(ty), at)?
                } else {
                    e.loaded(ty, e.load(e.memory_ty(ty), at)?)?
                };
                self.set(*dst, value);
            }
            Stmt::SetPart { local, part, value } => {
                let at = self.variable_part(*local, part)?;
                let (ty, value) = (self.ty(*value), self.value(*value)?);
                e.store(at, if self.task.locals[*local].len == 1 { value } else { e.to_memory(ty, value)? })?;
            }
            Stmt::Load { dst, array, index, part, site } => {
                let at = self.element(stmt, *array, index, part, *site)?;
                let ty = self.ty(*dst);
                let value = e.loaded(ty, e.load(e.memory_ty(ty), at)?)?;
                self.set(*dst, value);
                self.touched(at, Touch::Read, *array, index, *site)?;
            }
            Stmt::Store { array, index, part, value, site } => {
                let at = self.element(stmt, *array, index, part, *site)?;
                e.store(at, e.to_memory(self.ty(*value), self.value(*value)?)?)?;
                self.touched(at, Touch::Write, *array, index, *site)?;
            }
            Stmt::Atomic { dst, op, array, index, part, value, site } => {
                let at = self.element(stmt, *array, index, part, *site)?;
                let old = self.atomic(*op, self.ty(*dst), at, self.value(*value)?)?;
                self.set(*dst, old);
                self.touched(at, Touch::Atomic, *array, index, *site)?;
            }
            Stmt::CompareExchange { dst, array, index, part, current, new, site } => {
                let at = self.element(stmt, *array, index, part, *site)?;
                let old = self.compare_exchange(self.ty(*dst), at, self.value(*current)?, self.value(*new)?)?;
                self.set(*dst, old);
                self.touched(at, Touch::Atomic, *array, index, *site)?;
            }
            Stmt::Check { array, index, site } => {
                self.check(stmt, *array, index, *site)?;
                self.checked.push(Checked { array: *array, index: index.clone(), site: *site });
            }
            Stmt::Claim { array, index, site } => self.claim(stmt, *array, index, *site)?,
            Stmt::CheckStep { index, len, site } => self.check_step(stmt, *index, *len, *site)?,
            Stmt::Reduce { reduction, value } => {
                let value = self.value(*value)?;
                self.contributions[reduction.index()].add(e, self.hooks, None, value)?;
            }
            Stmt::ReducePart { reduction, part, value } => {
                let (number, value) = (self.scalar_number(part)?, self.value(*value)?);
                self.contributions[reduction.index()].add(e, self.hooks, Some(number), value)?;
            }
            Stmt::Offer { reduction, values } => {
                let values = values.iter().map(|value| self.value(*value)).collect::<Result<Vec<_>>>()?;
                self.contributions[reduction.index()].offer(e, self.hooks, self.iteration, &values)?;
            }
            Stmt::Output { output, value } => {
                e.store_words(self.ty(*value), self.outputs[output.index()], self.value(*value)?)?;
            }
            Stmt::If { cond, then, otherwise } => self.branch(*cond, then, otherwise)?,
            Stmt::For { id, var, lo, hi, unroll, body } => {
                let less = if self.ty(*var).is_signed() { IntPredicate::SLT } else { IntPredicate::ULT };
                let runs = e.compare(less, self.int(*lo)?, self.int(*hi)?)?;
                let (first, end) = (self.widened(*lo)?, self.widened(*hi)?);
                let len = e.builder.build_int_sub(end, first, "")?;
                let kind = LoopKind::Nested(*id, *unroll);
                self.counted(&Counted { var: *var, first, runs, len, body, kind })?;
            }
            Stmt::Loop { id, body } => self.endless(*id, body)?,
            Stmt::Fail { site, values } => self.say(true, *site, values)?,
            Stmt::Print { site, values } => self.say(false, *site, values)?,
            Stmt::Break(id) => {
                e.branch(self.frame(*id)?.leave)?;
            }
            Stmt::Continue(id) => {
                e.branch(self.frame(*id)?.next)?;
            }
            Stmt::End => {
                e.branch(self.end)?;
            }
        }
        Ok(())
    }

    /// An operation behind its checks.
    fn operation(
        &mut self,
        stmt: &'a Stmt,
        op: Op,
        output: Scalar,
        args: &[Id<Value>],
        site: Option<Id<Site>>,
    ) -> Result<BasicValueEnum<'c>> {
        let receiver = *args.first().ok_or_else(|| Error::internal(format_args!("{op} without an operand")))?;
        // A narrow loop variable widened: the counter itself, so that LLVM sees a plain induction.
        if op == Op::Cast
            && output.is_int()
            && output.bits() == 64
            && let Some(wide) = self.wide(receiver)
        {
            return Ok(wide.into());
        }
        let args = args.iter().map(|&arg| self.value(arg)).collect::<Result<Vec<_>>>()?;
        let operation =
            Operation { emit: self.emit, hooks: self.hooks, op, ty: self.ty(receiver), output, args: &args };
        // Division checks stay without `checks` too: what would follow is undefined behaviour, not a wrong number.
        if let Some(site) = site
            && !self.proven.contains(&(std::ptr::from_ref(stmt), 0))
        {
            for check in op::checks(&operation)? {
                let site = site.index();
                self.faults.guard(self.emit, check.fails, self.iteration, site, check.fault, check.values)?;
            }
        }
        op::value(&operation)
    }

    fn branch(&mut self, cond: Id<Value>, then: &'a Region, otherwise: &'a Region) -> Result<()> {
        let e = self.emit;
        let (yes, join) = (e.new_block()?, e.new_block()?);
        let no = if otherwise.0.is_empty() { join } else { e.new_block()? };
        e.branch_if(self.int(cond)?, yes, no)?;
        for (block, region) in [(yes, then), (no, otherwise)] {
            if block == join {
                continue;
            }
            e.at(block);
            self.region(region)?;
            if !e.is_closed()? {
                e.branch(join)?;
            }
        }
        // Where both sides jump, what follows is unreachable, and LLVM drops it.
        e.at(join);
        Ok(())
    }

    fn endless(&mut self, id: LoopId, body: &'a Region) -> Result<()> {
        let e = self.emit;
        let (start, leave) = (e.new_block()?, e.new_block()?);
        e.branch(start)?;
        e.at(start);
        self.inside(id, leave, start, |this| this.region(body))?;
        if !e.is_closed()? {
            e.branch(start)?;
        }
        e.at(leave);
        Ok(())
    }

    /// Runs `build` inside a loop of that name.
    pub(super) fn inside(
        &mut self,
        id: LoopId,
        leave: BasicBlock<'c>,
        next: BasicBlock<'c>,
        build: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.loops.push(Frame { id, leave, next });
        let result = build(self);
        self.loops.pop();
        result
    }

    fn frame(&self, id: LoopId) -> Result<&Frame<'c>> {
        self.loops
            .iter()
            .rev()
            .find(|frame| frame.id == id)
            .ok_or_else(|| Error::internal(format_args!("a jump to loop {}, which isn't around it", id.0)))
    }
}
