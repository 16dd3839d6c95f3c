//! A launch: walks a kernel's plan on the calling thread, from the words of the arguments to those of the result.
//!
//! Nothing here allocates for kernels of ordinary size, takes a lock or asks a clock. A fault of any task ends the
//! launch before the next task or node.
use qd_ir::arena::Id;
use qd_ir::plan::{Construct, PlanNode, Source};

use super::bind::product;
use super::fault;
use super::prepare::Prepared;
use super::registry::KernelStatic;
use super::runtime::{self, Runtime};
use super::slots::Slots;
use super::words::Words;
use crate::codegen::fault::FaultState;
use crate::error::{Error, Result};

/// Runs a kernel over the words of its arguments; writes the words of its result.
pub(super) fn launch(kernel: &'static KernelStatic, arguments: &[u64], result: &mut [u64]) -> Result<()> {
    match runtime::current_of(kernel).as_deref() {
        Some(Some(prepared)) => run(prepared, arguments, result),
        // First launch, another runtime, or none yet.
        Some(None) | None => run(&*Runtime::current()?.prepared(kernel)?, arguments, result),
    }
}

/// One launch in progress.
struct Launch<'a> {
    prepared: &'a Prepared,
    arguments: &'a [u64],
    slots: Slots<'a>,
    faults: FaultState,
}

/// What follows a node.
enum Flow {
    /// The next one.
    On,
    /// What follows the innermost loop.
    Break,
    /// The innermost loop's next round.
    Continue,
    /// Nothing: the result is there.
    Return,
}

fn run(prepared: &Prepared, arguments: &[u64], result: &mut [u64]) -> Result<()> {
    if arguments.len() != prepared.words {
        return Err(Error::internal(format_args!(
            "kernel `{}` takes {} words of arguments and got {}",
            prepared.kernel.name,
            prepared.words,
            arguments.len()
        )));
    }
    let mut slots = Words::<16>::zeroed(prepared.kernel.slots.len());
    let launch = Launch { prepared, arguments, slots: Slots::new(&mut slots), faults: FaultState::new() };
    launch.node(&prepared.kernel.plan, result).map(|_| ())
}

impl Launch<'_> {
    fn node(&self, node: &PlanNode, result: &mut [u64]) -> Result<Flow> {
        match node {
            PlanNode::Seq(nodes) => {
                for node in nodes {
                    match self.node(node, result)? {
                        Flow::On => {}
                        flow @ (Flow::Break | Flow::Continue | Flow::Return) => return Ok(flow),
                    }
                }
                Ok(Flow::On)
            }
            PlanNode::Init(slot, source) => {
                self.slots.set(slot.index(), self.value(source));
                Ok(Flow::On)
            }
            PlanNode::Task(construct) => self.task(*construct).map(|()| Flow::On),
            PlanNode::Loop(body) => loop {
                match self.node(body, result)? {
                    Flow::On | Flow::Continue => {}
                    Flow::Break => return Ok(Flow::On),
                    Flow::Return => return Ok(Flow::Return),
                }
            },
            PlanNode::If { cond, then, otherwise } => {
                self.node(if self.value(cond) != 0 { then } else { otherwise }, result)
            }
            PlanNode::Break => Ok(Flow::Break),
            PlanNode::Continue => Ok(Flow::Continue),
            PlanNode::Return(sources) => {
                for (word, source) in result.iter_mut().zip(sources) {
                    *word = self.value(source);
                }
                Ok(Flow::Return)
            }
        }
    }

    #[inline]
    fn value(&self, source: &Source) -> u64 {
        match *source {
            Source::Word(word) => self.arguments[word as usize],
            Source::Product { first, rank } => product(self.arguments, first, rank.into()),
            Source::Slot(slot) => self.slots.get(slot.index()),
            Source::Const(value) => value.bits,
        }
    }

    fn task(&self, id: Id<Construct>) -> Result<()> {
        let Launch { prepared, arguments, slots, faults } = self;
        let bound = &prepared.tasks[id.index()];
        let construct = &prepared.kernel.constructs[id];
        let mut context = Words::<32>::zeroed(bound.words());
        let mut reductions = Words::<8>::zeroed(construct.reductions.len());
        bound.fill(&mut context, std::ptr::from_ref(faults).expose_provenance() as u64, arguments, slots);
        bound.code.execute(&mut context, faults, &prepared.pool, &mut reductions)?;
        if faults.failed() {
            return Err(fault::error(prepared, construct, &context, faults.take()));
        }
        for ((reduction, (prior, slot)), value) in
            construct.task.reductions().iter().zip(&construct.reductions).zip(reductions.iter())
        {
            let total = qd_ir::reduce::combine_bits(reduction.op, reduction.ty, self.value(prior), *value);
            slots.set(slot.index(), total);
        }
        Ok(())
    }
}
