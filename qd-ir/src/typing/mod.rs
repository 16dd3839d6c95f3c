//! Typing: a sketch and the types rustc chose, to a typed kernel.
//!
//! It checks, it never infers: every binding, literal-only subtree and `as` path comes with rustc's type, all else
//! follows bottom-up, and a literal takes the type of what stands beside it ([`hint`]). A disagreement between rustc
//! and this module is a bug of qd and reported as one. What is made here keeps Rust's order of evaluation: the order of
//! the statements of a task is the order in which the source is evaluated.
//!
//! - Tuples, structs and fixed arrays are taken apart: a value is a list of scalar values, a variable a list of
//!   variables. Only what is indexed at run time stays together ([`storage`]).
//! - A binding that is never assigned names its values; an assigned one becomes a variable.
//! - Code after a diverging expression is dropped.
//! - Plain top-level bindings are substituted where they are used, other top-level values live in slots ([`plain`]).
//! - Functions are inlined where they are called ([`call`]).
//! - There are no bundles: they are taken apart before ([`flatten`]).
//! - Nothing is folded; no name, position or place in the kernel gets into a task.
mod apart;
mod atomic;
mod bundle;
mod call;
mod control;
mod expr;
mod facts;
mod hint;
mod linear;
mod literal;
mod place;
mod plain;
mod reduce;
mod segments;
mod start;
mod steps;
mod storage;
mod task;
mod tuple;
mod uses;

use crate::arena::{Arena, Id};
use crate::body::Unroll;
use crate::plan::{Adapter, Construct, Kernel, PlanNode, Slot, Source, Steps};
use crate::refusal::Refusal;
use crate::sketch::{self, ConstructKind, ParamKind, Pattern, Sketch, Types};
use crate::source_map::Pos;
use crate::types::{Const, Scalar, Type};
use crate::words;

pub use bundle::flatten;
pub use storage::MOST_SCALARS;

use control::For;
use facts::Facts;
use hint::Hint;
use plain::Plain;
use task::{Builder, SlotLocal};
use uses::Uses;

/// Why a sketch can't be typed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("kernel `{kernel}` at {pos}: {message}")]
pub struct TypeError {
    /// The kernel.
    pub kernel: String,
    /// Where in its file.
    pub pos: Pos,
    /// What doesn't fit.
    pub message: String,
    /// The rule, if the types, which the macro doesn't know, show that the kernel uses what the language doesn't have.
    /// Otherwise macro, rustc and this module disagree: a bug of qd.
    pub refusal: Option<Refusal>,
}

/// What integer arithmetic does where the result doesn't fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overflow {
    /// It wraps, as in Rust's release builds.
    Wraps,
    /// It fails, as in Rust's debug builds. Whether a sum or product fails depends on the order of its terms, so loops
    /// that reduce integers by those are serial then.
    Fails,
}

/// The typed kernel of a sketch.
pub fn kernel(sketch: &Sketch, types: &Types, overflow: Overflow) -> Result<Kernel, TypeError> {
    let facts = Facts::new(sketch, types)?;
    let uses = sketch.constructs.values().iter().map(|c| Uses::of(sketch, c)).collect();
    let mut walk = Walk {
        facts: &facts,
        overflow,
        uses,
        outside: uses::plan_reads(sketch),
        globals: vec![None; sketch.locals.len()],
        slots: Arena::new(),
        reassigned: Vec::new(),
        constructs: vec![None; sketch.constructs.len()],
        written: Vec::new(),
    };
    let mut plan = walk.params()?;
    plan.extend(walk.nodes(&sketch.plan)?);
    if !returns(&plan) {
        if facts.result != Type::UNIT {
            return Err(facts.error(Pos::default(), format!("the plan ends without a value of type {}", facts.result)));
        }
        plan.push(PlanNode::Return(Vec::new()));
    }
    let Walk { slots, constructs, written, .. } = walk;
    let constructs = constructs
        .into_iter()
        .zip(sketch.constructs.values())
        .map(|(made, source)| made.ok_or_else(|| facts.error(source.pos, "the plan never runs this construct")))
        .collect::<Result<_, _>>()?;
    Ok(Kernel {
        name: sketch.name.clone(),
        params: facts.params,
        result: facts.result,
        slots,
        constructs,
        plan: PlanNode::Seq(plan),
        written,
    })
}

/// The most scalars of a parameter that is a value: each is a word of a launch and a store of an iteration.
const MOST_PASSED: usize = 1024;

/// The scalars of a parameter that is a value.
fn words_of(param: &crate::plan::Param) -> Vec<Plain> {
    let mut word = param.word;
    let scalars = param.ty.flatten().unwrap_or_default().into_iter();
    let plain = scalars.map(|ty| {
        let first = word;
        word += ty.words() as u32;
        Plain::Word { word: first, ty }
    });
    plain.collect()
}

/// True if no path leads past the nodes.
fn returns(nodes: &[PlanNode]) -> bool {
    nodes.iter().any(|node| match node {
        PlanNode::Return(_) => true,
        PlanNode::Seq(inner) => returns(inner),
        PlanNode::If { then, otherwise, .. } => {
            returns(std::slice::from_ref(then)) && returns(std::slice::from_ref(otherwise))
        }
        PlanNode::Loop(body) => !breaks(body, 0),
        PlanNode::Init(..)
        | PlanNode::Task(_)
        | PlanNode::Steps { .. }
        | PlanNode::Break(_)
        | PlanNode::Continue(_) => false,
    })
}

/// True if the node holds a `Break` of the loop that is the `depth`th around it.
fn breaks(node: &PlanNode, depth: u32) -> bool {
    match node {
        PlanNode::Break(out) => *out == depth,
        PlanNode::Seq(inner) => inner.iter().any(|node| breaks(node, depth)),
        PlanNode::If { then, otherwise, .. } => breaks(then, depth) || breaks(otherwise, depth),
        PlanNode::Loop(body) | PlanNode::Steps { body, .. } => breaks(body, depth + 1),
        PlanNode::Init(..) | PlanNode::Task(_) | PlanNode::Continue(_) | PlanNode::Return(_) => false,
    }
}

type LocalId = Id<sketch::Local>;

/// The walk over the plan.
struct Walk<'a> {
    facts: &'a Facts<'a>,
    overflow: Overflow,
    /// What each construct does with the locals.
    uses: Vec<Uses>,
    /// The locals that plan nodes read.
    outside: Vec<LocalId>,
    /// What each local that is visible to constructs stands for, one entry a scalar.
    globals: Vec<Option<Vec<Plain>>>,
    slots: Arena<Slot>,
    /// For each slot: it may change while a binding that was made from it is alive.
    reassigned: Vec<bool>,
    constructs: Vec<Option<Construct>>,
    /// Slots that go back to the arguments.
    written: Vec<(Id<Slot>, u32)>,
}

impl Walk<'_> {
    /// Binds the parameters that are values.
    fn params(&mut self) -> Result<Vec<PlanNode>, TypeError> {
        let facts = self.facts;
        let mut plan = Vec::new();
        let mut baked = facts.baked();
        for (source, param) in facts.sketch.params.iter().zip(&facts.params) {
            match &source.kind {
                ParamKind::Array => {}
                ParamKind::Reference(_) if param.array().is_some() => {}
                ParamKind::Reference(local) => {
                    let words = words_of(param);
                    self.bind(&Pattern::Bind(*local), &param.ty, words.clone(), source.pos, &mut plan)?;
                    let bound = self.globals[local.index()].iter().flatten();
                    let written = words.iter().zip(bound).filter_map(|(word, bound)| match (word, bound) {
                        (Plain::Word { word, ty: _ }, Plain::Slot(slot, _)) => Some((*slot, *word)),
                        (
                            Plain::Const(_)
                            | Plain::Word { .. }
                            | Plain::Extent { .. }
                            | Plain::Len { .. }
                            | Plain::Slot(..),
                            _,
                        ) => None,
                    });
                    self.written.extend(written);
                }
                ParamKind::Value(pattern) => {
                    let words = words_of(param);
                    if words.len() > MOST_PASSED {
                        return Err(self.too_long(&source.name, &param.ty, words.len(), source.pos));
                    }
                    self.bind(pattern, &param.ty, words, source.pos, &mut plan)?;
                }
                ParamKind::Specialized(pattern) => {
                    let scalars = param.ty.flatten().unwrap_or_default();
                    let constants: Vec<Plain> = scalars
                        .into_iter()
                        .map_while(|ty| {
                            let (own, rest) = baked.split_at_checked(ty.words())?;
                            baked = rest;
                            Some(Plain::Const(Const { ty, bits: words::get(ty, own) }))
                        })
                        .collect();
                    if constants.len() != facts.width(&param.ty, source.pos)? {
                        return Err(facts.error(source.pos, format!("`{}` has no value to bake in", source.name)));
                    }
                    self.bind(pattern, &param.ty, constants, source.pos, &mut plan)?;
                }
                ParamKind::Field { .. } => {
                    return Err(facts.error(source.pos, format!("`{}` has no type", source.name)));
                }
            }
        }
        Ok(plan)
    }

    fn too_long(&self, name: &str, ty: &Type, scalars: usize, pos: Pos) -> TypeError {
        let instead = if let Type::Fixed(element, _) = ty {
            format!("as a slice, `{name}: &[{element}]`")
        } else {
            "with slices in place of the arrays in it".to_owned()
        };
        let message = format!(
            "the parameter `{name}` of type `{ty}` holds {scalars} scalars, and by value go at most {MOST_PASSED}: pass it {instead}"
        );
        self.facts.unsupported(Refusal::Size, pos, message)
    }

    fn nodes(&mut self, nodes: &[sketch::PlanNode]) -> Result<Vec<PlanNode>, TypeError> {
        let facts = self.facts;
        let mut plan = Vec::new();
        for node in nodes {
            match node {
                sketch::PlanNode::Bind { pattern, init } => {
                    let hint = facts.pattern_hint(pattern)?;
                    let (ty, values) = plain::eval(facts, &self.globals, *init, &hint)?;
                    self.bind(pattern, &ty, values, facts.pos(*init), &mut plan)?;
                }
                sketch::PlanNode::Construct(id) => {
                    self.construct(*id)?;
                    plan.push(PlanNode::Task(Id::new(id.index())));
                }
                sketch::PlanNode::Loop(body) => {
                    plan.push(PlanNode::Loop(Box::new(PlanNode::Seq(self.nodes(body)?))));
                }
                sketch::PlanNode::If { cond, then, otherwise } => {
                    let cond = match self.sources(*cond, &Type::Scalar(Scalar::Bool))?.as_slice() {
                        [source] => *source,
                        _ => return Err(facts.error(facts.pos(*cond), "a condition of the plan is no scalar")),
                    };
                    let then = Box::new(PlanNode::Seq(self.nodes(then)?));
                    let otherwise = Box::new(PlanNode::Seq(self.nodes(otherwise)?));
                    plan.push(PlanNode::If { cond, then, otherwise });
                }
                sketch::PlanNode::Steps { var, steps, body } => {
                    let pos = facts.pos(steps.lo);
                    let ty = facts.integer(*var, pos)?;
                    let steps = self.steps(steps, ty, pos)?;
                    let slot = self.slot(ty, true);
                    self.globals[var.index()] = Some(vec![Plain::Slot(slot, ty)]);
                    let body = Box::new(PlanNode::Seq(self.nodes(body)?));
                    plan.push(PlanNode::Steps { var: slot, steps, body });
                }
                sketch::PlanNode::Break(out) => plan.push(PlanNode::Break(*out)),
                sketch::PlanNode::Continue(out) => plan.push(PlanNode::Continue(*out)),
                sketch::PlanNode::Return(value) => {
                    let sources = match value {
                        Some(value) => self.sources(*value, &facts.result)?,
                        None if facts.result == Type::UNIT => Vec::new(),
                        None => {
                            let message = format!("a return without a value of type {}", facts.result);
                            return Err(facts.error(Pos::default(), message));
                        }
                    };
                    plan.push(PlanNode::Return(sources));
                }
            }
        }
        Ok(plan)
    }

    /// Where the launcher finds the scalars of a plain expression of type `ty`.
    fn sources(&self, expr: Id<sketch::Expr>, ty: &Type) -> Result<Vec<Source>, TypeError> {
        let (found, values) = plain::eval(self.facts, &self.globals, expr, &Hint::Type(ty.clone()))?;
        if found != *ty {
            return Err(self.facts.mismatch(self.facts.pos(expr), ty, &found));
        }
        values.into_iter().map(|v| v.source(self.facts)).collect()
    }

    /// Where the launcher finds the parts of a loop of the plan.
    fn steps(&self, steps: &sketch::Steps, ty: Scalar, pos: Pos) -> Result<Steps, TypeError> {
        let one = |expr: Id<sketch::Expr>, ty: Scalar| match self.sources(expr, &Type::Scalar(ty))?.as_slice() {
            [source] => Ok(*source),
            _ => Err(self.facts.error(self.facts.pos(expr), "a bound of the plan is no scalar")),
        };
        let adapter = |adapter: &sketch::Adapter| match adapter {
            sketch::Adapter::Rev => Ok(Adapter::Rev),
            sketch::Adapter::StepBy(step) => one(*step, Scalar::Usize).map(Adapter::StepBy),
        };
        Ok(Steps {
            pos,
            lo: one(steps.lo, ty)?,
            hi: one(steps.hi, ty)?,
            inclusive: steps.inclusive,
            adapters: steps.adapters.iter().map(adapter).collect::<Result<_, _>>()?,
        })
    }

    fn bind(
        &mut self,
        pattern: &Pattern,
        ty: &Type,
        values: Vec<Plain>,
        pos: Pos,
        plan: &mut Vec<PlanNode>,
    ) -> Result<(), TypeError> {
        for (local, ty, range) in self.facts.bindings(pattern, ty, pos)? {
            let assigned = self.facts.sketch.locals[local].assigned;
            self.facts.same(pos, self.facts.local(local, pos)?, &ty)?;
            let mut bound = Vec::new();
            for value in &values[range] {
                let changes = match value {
                    Plain::Slot(slot, _) => self.reassigned[slot.index()],
                    Plain::Const(_) | Plain::Word { .. } | Plain::Extent { .. } | Plain::Len { .. } => false,
                };
                // A slot that changes later is copied: the binding keeps the value it saw.
                if assigned || changes {
                    let slot = self.slot(value.ty(), assigned);
                    plan.push(PlanNode::Init(slot, value.source(self.facts)?));
                    bound.push(Plain::Slot(slot, value.ty()));
                } else {
                    bound.push(*value);
                }
            }
            self.globals[local.index()] = Some(bound);
        }
        Ok(())
    }

    fn slot(&mut self, ty: Scalar, reassigned: bool) -> Id<Slot> {
        self.reassigned.push(reassigned);
        let word = self.slots.values().last().map_or(0, |last| last.word + last.ty.words() as u32);
        self.slots.push(Slot { ty, word })
    }

    fn construct(&mut self, id: Id<sketch::Construct>) -> Result<(), TypeError> {
        let facts = self.facts;
        let source = &facts.sketch.constructs[id];
        if self.constructs[id.index()].is_some() {
            return Err(facts.error(source.pos, "the plan runs this construct in two places"));
        }
        let made = match &source.kind {
            ConstructKind::Serial(stmts) => {
                let shared = self.shared(id)?;
                self.builder().serial(source.pos, &shared, |s| s.stmts(stmts))?
            }
            ConstructKind::Parallel { domain, pattern, label, reductions, body } => {
                let pos = source.pos;
                match self.in_order(reductions, pos)? {
                    None => self.builder().parallel(pos, domain, pattern, *label, reductions, body)?,
                    Some(shared) => {
                        let looped = For { label: *label, pattern, unroll: Unroll::Auto, body, pos };
                        self.builder().serial(pos, &shared, |s| s.for_loop(&looped, domain).map(|_| ()))?
                    }
                }
            }
        };
        let apart = apart::predicate(facts, &self.globals, id)?;
        self.constructs[id.index()] = Some(Construct { grain: source.grain, block: source.block, apart, ..made });
        Ok(())
    }

    fn builder(&self) -> Builder<'_> {
        Builder::new(self.facts, &self.globals, self.overflow)
    }

    /// The variables of a loop that reduces, if it has to run in order: where overflow fails, and a reduction can.
    fn in_order(&self, reductions: &[LocalId], pos: Pos) -> Result<Option<Vec<SlotLocal>>, TypeError> {
        let facts = self.facts;
        if self.overflow == Overflow::Wraps || !reductions.iter().any(|local| facts.may_overflow(*local)) {
            return Ok(None);
        }
        let share = |local: &LocalId| {
            Ok(SlotLocal { local: *local, slots: self.slots_of(*local, pos)?, bound: false, entry: true })
        };
        reductions.iter().map(share).collect::<Result<_, _>>().map(Some)
    }

    /// The slots of a variable.
    fn slots_of(&self, local: LocalId, pos: Pos) -> Result<Vec<Id<Slot>>, TypeError> {
        let slots = self.globals[local.index()].iter().flatten().map(|plain| match plain {
            Plain::Slot(slot, _) => Ok(*slot),
            Plain::Const(_) | Plain::Word { .. } | Plain::Extent { .. } | Plain::Len { .. } => {
                let name = &self.facts.sketch.locals[local].name;
                Err(self.facts.error(pos, format!("`{name}` is assigned but has no slot")))
            }
        });
        slots.collect()
    }

    /// The locals in slots that a serial construct sets, in the order of their first mention there. Makes the slots of
    /// those that it binds for others.
    fn shared(&mut self, id: Id<sketch::Construct>) -> Result<Vec<SlotLocal>, TypeError> {
        let facts = self.facts;
        let pos = facts.sketch.constructs[id].pos;
        let mut shared = Vec::new();
        for local in self.uses[id.index()].order.clone() {
            let uses = &self.uses[id.index()];
            let (bound, written) = (uses.bound.contains(&local), uses.written.contains(&local));
            let entry = !bound && uses.entry.contains(&local);
            if bound {
                let elsewhere = self.uses.iter().enumerate().any(|(i, u)| i != id.index() && u.mentions(local));
                if !elsewhere && !self.outside.contains(&local) {
                    continue;
                }
            }
            // A name may be declared without a value somewhere and get it here: whoever meets it first makes the slots.
            if self.globals[local.index()].is_none() && (bound || written) {
                let ty = facts.local(local, pos)?;
                let scalars = ty.flatten().ok_or_else(|| facts.error(pos, format!("a binding of type {ty}")))?;
                let assigned = facts.sketch.locals[local].assigned;
                let slots = scalars.into_iter().map(|ty| Plain::Slot(self.slot(ty, assigned), ty)).collect();
                self.globals[local.index()] = Some(slots);
            }
            if !written {
                continue;
            }
            shared.push(SlotLocal { local, slots: self.slots_of(local, pos)?, bound, entry });
        }
        Ok(shared)
    }
}
