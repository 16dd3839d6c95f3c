//! A launch: walks a kernel's plan on the calling thread, from the words of the arguments to those of the result.
//!
//! Nothing here allocates for kernels of ordinary size, takes a lock or asks a clock, but for launch predicates, which only
//! some loops have ([`apart`](super::apart)), and for debug mode. A fault of any task ends the launch before the next task
//! or node.
use qd_ir::arena::Id;
use qd_ir::plan::{Construct, PlanNode, Slot, Source};
use qd_ir::reduce;
use qd_ir::task::Reduction;
use qd_ir::types::Scalar;
use qd_ir::words;

use super::bind::product;
use super::fault;
use super::prepare::Prepared;
use super::printed::Printed;
use super::registry::KernelStatic;
use super::runtime::{self, Runtime};
use super::slots::Slots;
use super::words::Words;
use crate::backend::cpu::float_env::FloatEnv;
use crate::codegen::fault::FaultState;
use crate::error::{Error, Result};

/// Runs a kernel over the words of its arguments; writes the words of its result, and what goes back to the arguments.
pub(super) fn launch(kernel: &'static KernelStatic, arguments: &mut [u64], result: &mut [u64]) -> Result<()> {
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
    slots: &'a Slots<'a>,
    faults: FaultState,
    printed: Printed,
}

/// What follows a node.
enum Flow {
    /// The next one.
    On,
    /// What follows a loop: 0 is the innermost.
    Break(u32),
    /// A loop's next round: 0 is the innermost.
    Continue(u32),
    /// Nothing: the result is there.
    Return,
}

fn run(prepared: &Prepared, arguments: &mut [u64], result: &mut [u64]) -> Result<()> {
    if arguments.len() != prepared.words {
        return Err(Error::internal(format_args!(
            "kernel `{}` takes {} words of arguments and got {}",
            prepared.kernel.name,
            prepared.words,
            arguments.len()
        )));
    }
    // Values of reductions are combined with those from before here.
    let _env = FloatEnv::enter();
    let mut slots = Words::<16>::zeroed(prepared.slot_words);
    let slots = Slots::new(&mut slots);
    let launch = Launch { prepared, arguments, slots: &slots, faults: FaultState::new(), printed: Printed::default() };
    let ended = launch.node(&prepared.kernel.plan, result);
    launch.printed.flush();
    // What was stored before a fault, too: as by the function itself.
    for &(slot, word) in &prepared.kernel.written {
        let Slot { ty, word: from } = prepared.kernel.slots[slot];
        for at in 0..ty.words() {
            arguments[word as usize + at] = slots.get(from as usize + at);
        }
    }
    ended.map(|_| ())
}

impl Flow {
    /// What the end of a round of a loop means for the loop: `None` is the next round.
    fn out_of_round(self) -> Option<Flow> {
        match self {
            Flow::On | Flow::Continue(0) => None,
            Flow::Break(0) => Some(Flow::On),
            Flow::Break(out) => Some(Flow::Break(out - 1)),
            Flow::Continue(out) => Some(Flow::Continue(out - 1)),
            Flow::Return => Some(Flow::Return),
        }
    }
}

impl Launch<'_> {
    fn node(&self, node: &PlanNode, result: &mut [u64]) -> Result<Flow> {
        match node {
            PlanNode::Seq(nodes) => {
                for node in nodes {
                    match self.node(node, result)? {
                        Flow::On => {}
                        flow @ (Flow::Break(_) | Flow::Continue(_) | Flow::Return) => return Ok(flow),
                    }
                }
                Ok(Flow::On)
            }
            PlanNode::Init(slot, source) => {
                let slot = &self.prepared.kernel.slots[*slot];
                self.set(slot, self.value(source, slot.ty));
                Ok(Flow::On)
            }
            PlanNode::Task(construct) => self.task(*construct).map(|()| Flow::On),
            PlanNode::Loop(body) => loop {
                if let Some(flow) = self.node(body, result)?.out_of_round() {
                    return Ok(flow);
                }
            },
            PlanNode::Steps { var, steps, body } => {
                let slot = &self.prepared.kernel.slots[*var];
                // Loops of the plan count in 64 bits, as the verifier has it.
                let Some(values) = steps.values(slot.ty, |source, ty| self.value(source, ty) as u64) else {
                    return Err(fault::zero_step(self.prepared, steps.pos));
                };
                for value in values {
                    self.set(slot, value.into());
                    if let Some(flow) = self.node(body, result)?.out_of_round() {
                        return Ok(flow);
                    }
                }
                Ok(Flow::On)
            }
            PlanNode::If { cond, then, otherwise } => {
                self.node(if self.value(cond, Scalar::Bool) != 0 { then } else { otherwise }, result)
            }
            PlanNode::Break(out) => Ok(Flow::Break(*out)),
            PlanNode::Continue(out) => Ok(Flow::Continue(*out)),
            PlanNode::Return(sources) => {
                let mut rest = result;
                for (source, &ty) in sources.iter().zip(&self.prepared.result) {
                    let (words, after) = rest.split_at_mut(ty.words());
                    words::put(ty, self.value(source, ty), words);
                    rest = after;
                }
                Ok(Flow::Return)
            }
        }
    }

    /// The bits of a scalar of type `ty`.
    #[inline]
    fn value(&self, source: &Source, ty: Scalar) -> u128 {
        match *source {
            Source::Word(word) => words::get(ty, &self.arguments[word as usize..]),
            Source::Product { first, rank } => product(self.arguments, first, rank.into()).into(),
            Source::Slot(slot) => {
                let word = self.prepared.kernel.slots[slot].word as usize;
                let low = u128::from(self.slots.get(word));
                if ty.words() > 1 { low | u128::from(self.slots.get(word + 1)) << 64 } else { low }
            }
            Source::Const(value) => value.bits,
        }
    }

    #[inline]
    fn set(&self, slot: &Slot, bits: u128) {
        let word = slot.word as usize;
        self.slots.set(word, bits as u64);
        if slot.ty.words() > 1 {
            self.slots.set(word + 1, (bits >> 64) as u64);
        }
    }

    fn task(&self, id: Id<Construct>) -> Result<()> {
        let Launch { prepared, arguments, slots, faults, printed } = self;
        let bound = &prepared.tasks[id.index()];
        let construct = &prepared.kernel.constructs[id];
        if let Some(predicate) = &construct.apart {
            let value = |source: &Source, ty| self.value(source, ty);
            let checked = bound.apart.check(predicate, value);
            checked.map_err(|meeting| fault::race(prepared, construct, &meeting, value))?;
        }
        let mut context = Words::<32>::zeroed(bound.words());
        let mut reductions = Words::<8>::zeroed(bound.reduced.words());
        bound.fill(&mut context, std::ptr::from_ref(faults).expose_provenance() as u64, arguments, slots);
        let mut grain = construct.grain;
        if prepared.races {
            faults.accesses.clear();
            // All iterations are one chunk, for which no other thread is worth it.
            grain = Some(u64::MAX);
        }
        let executed = bound.code.execute(&mut context, faults, &prepared.pool, grain, &mut reductions);
        executed.map_err(|error| fault::refused(prepared, construct, &error))?;
        if bound.prints {
            printed.task(construct, faults.lines.take(faults.first()));
        }
        if faults.failed() {
            return Err(fault::error(prepared, construct, &context, faults.take()));
        }
        let mut slots = construct.reductions.as_slice();
        for (number, reduction) in construct.task.reductions().iter().enumerate() {
            let words = &reductions[bound.reduced.in_result(number, reduction)..];
            slots = self.reduced(reduction, words, slots);
        }
        Ok(())
    }

    /// Combines what a loop came to with the values that its variables had before, which come first. Gives the slots of
    /// the reductions behind this one.
    fn reduced<'s>(
        &self,
        reduction: &Reduction,
        words: &[u64],
        slots: &'s [(Source, Id<Slot>)],
    ) -> &'s [(Source, Id<Slot>)] {
        let (own, rest) = slots.split_at(reduction.scalars().count());
        let set = |slot: &Id<Slot>, bits| self.set(&self.prepared.kernel.slots[*slot], bits);
        match reduction {
            Reduction::Each { op, ty, len: _ } => {
                for ((prior, slot), value) in own.iter().zip(words.chunks(ty.words())) {
                    set(slot, reduce::combine_bits(*op, *ty, self.value(prior, *ty), words::get(*ty, value)));
                }
            }
            Reduction::Extreme { order, key, with: _ } => {
                let mut prior = Words::<8>::zeroed(key.iter().map(|ty| ty.words()).sum());
                let mut at = 0;
                for (ty, (source, _)) in key.iter().zip(own) {
                    words::put(*ty, self.value(source, *ty), &mut prior[at..]);
                    at += ty.words();
                }
                let (offered, mut values) = (words[0] != 0, &words[1..]);
                // As one more iteration would try it.
                if offered && order.takes(reduce::compare(key, values, &prior)) {
                    for (ty, (_, slot)) in reduction.scalars().zip(own) {
                        set(slot, words::get(ty, values));
                        values = &values[ty.words()..];
                    }
                }
            }
        }
        rest
    }
}
