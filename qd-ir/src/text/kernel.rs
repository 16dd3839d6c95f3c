//! A kernel in the text form: its slots, its constructs with what they are bound to, and its plan.
use std::fmt::{self, Display, Formatter};

use super::{Indent, Literal, list, write_task};
use crate::plan::{Adapter, Kernel, PlanNode, Source, Steps};
use crate::source_map::Pos;

impl Display for Source {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Source::Word(word) => write!(f, "word {word}"),
            Source::Product { first, rank } => write!(f, "product of words {first}..{}", first + u32::from(*rank)),
            Source::Slot(slot) => write!(f, "slot {}", slot.index()),
            Source::Const(c) => write!(f, "{}: {}", Literal(*c), c.ty),
        }
    }
}

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let params = list(self.params.iter().map(|p| format!("{}: {}", p.name, p.ty)));
        writeln!(f, "kernel {}({params}) -> {} {{", self.name, self.result)?;
        for (id, slot) in self.slots.iter() {
            writeln!(f, "  slot {}: {}", id.index(), slot.ty)?;
        }
        for (slot, word) in &self.written {
            writeln!(f, "  slot {} goes back to word {word}", slot.index())?;
        }
        for (id, construct) in self.constructs.iter() {
            write!(f, "  construct {}", id.index())?;
            if construct.pos != Pos::default() {
                write!(f, " at {}", construct.pos)?;
            }
            writeln!(f, ":")?;
            for (i, array) in construct.arrays.iter().enumerate() {
                let name = self.params.get(array.param as usize).map_or("?", |p| p.name.as_str());
                writeln!(f, "    a{i} is `{name}`, word {}", array.word)?;
            }
            for (i, source) in construct.inputs.iter().enumerate() {
                writeln!(f, "    i{i} is {source}")?;
            }
            for (i, slot) in construct.outputs.iter().enumerate() {
                writeln!(f, "    o{i} is slot {}", slot.index())?;
            }
            let mut bound = construct.reductions.iter();
            for (i, reduction) in construct.task.reductions().iter().enumerate() {
                for (prior, slot) in bound.by_ref().take(reduction.scalars().count()) {
                    writeln!(f, "    r{i} is slot {}, from {prior}", slot.index())?;
                }
            }
            write_task(f, &construct.task, 2)?;
        }
        write_plan(f, &self.plan, 1)?;
        writeln!(f, "}}")
    }
}

fn write_plan(f: &mut Formatter<'_>, node: &PlanNode, depth: usize) -> fmt::Result {
    let indent = Indent(depth);
    match node {
        PlanNode::Seq(nodes) => nodes.iter().try_for_each(|node| write_plan(f, node, depth)),
        PlanNode::Init(slot, source) => writeln!(f, "{indent}slot {} = {source}", slot.index()),
        PlanNode::Task(construct) => writeln!(f, "{indent}run construct {}", construct.index()),
        PlanNode::Loop(body) => {
            writeln!(f, "{indent}loop {{")?;
            write_plan(f, body, depth + 1)?;
            writeln!(f, "{indent}}}")
        }
        PlanNode::If { cond, then, otherwise } => {
            writeln!(f, "{indent}if {cond} {{")?;
            write_plan(f, then, depth + 1)?;
            writeln!(f, "{indent}}} else {{")?;
            write_plan(f, otherwise, depth + 1)?;
            writeln!(f, "{indent}}}")
        }
        PlanNode::Steps { var, steps, body } => {
            let Steps { pos: _, lo, hi, inclusive, adapters } = steps;
            let range = format!("({lo}){}({hi})", if *inclusive { "..=" } else { ".." });
            let adapters = adapters.iter().map(|adapter| match adapter {
                Adapter::Rev => ".rev()".to_owned(),
                Adapter::StepBy(step) => format!(".step_by({step})"),
            });
            writeln!(f, "{indent}for slot {} in {range}{} {{", var.index(), adapters.collect::<String>())?;
            write_plan(f, body, depth + 1)?;
            writeln!(f, "{indent}}}")
        }
        PlanNode::Break(out) => writeln!(f, "{indent}break {out}"),
        PlanNode::Continue(out) => writeln!(f, "{indent}continue {out}"),
        PlanNode::Return(sources) => writeln!(f, "{indent}return ({})", list(sources)),
    }
}
