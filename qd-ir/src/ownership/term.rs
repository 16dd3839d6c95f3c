//! Terms: the integers that indices, bounds and conditions of a loop are made of, taken out of the sketch.
//!
//! A term stands by itself, so that it can be kept beside a task and evaluated before each launch. Equal terms are one
//! ([`Terms::add`]). A term with a type is what machine arithmetic gives, modulo the type's width; one without, which
//! only the macro makes, is an unlimited integer.
use std::collections::{HashMap, HashSet};

use crate::arena::{Arena, Id};
use crate::source_map::Pos;
use crate::types::Scalar;

use super::access::AccessKind;

/// An integer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// Of at most 64 bits.
    pub ty: Option<Scalar>,
    pub kind: TermKind,
}

/// What a term is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TermKind {
    Int(i128),
    /// A scalar that is the same in all iterations, by its number among the leaves.
    Leaf(u32),
    /// A variable of the parallel loop, by its dimension.
    Variable(u32),
    /// A variable of a loop inside, by its number among the loops.
    Inner(u32),
    /// Anything of its type. The numbers tell one from another: what has one number has one value at a time.
    Unknown(u32),
    Op(TermOp, Id<Term>, Id<Term>),
    Cast(Id<Term>),
}

/// What is followed of integer arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Min,
    Max,
}

/// What a loop variable runs over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Type of the variable.
    pub ty: Option<Scalar>,
    pub lo: Id<Term>,
    pub hi: Id<Term>,
    /// Whether `hi` is a value.
    pub inclusive: bool,
    /// `rev` is `None`, `step_by` its step; in order.
    pub adapters: Vec<Option<Id<Term>>>,
}

/// A comparison that holds where an access is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Guard {
    pub relation: Relation,
    pub left: Id<Term>,
    pub right: Id<Term>,
}

/// How two terms compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
}

/// An access by its terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// One term a dimension; none for an array as a whole.
    pub index: Vec<Id<Term>>,
    pub guards: Vec<Guard>,
    pub pos: Pos,
    pub kind: AccessKind,
    /// The array's name, for messages.
    pub array: String,
}

/// The terms of a loop, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    arena: Arena<Term>,
    known: HashMap<Term, Id<Term>>,
    unknowns: u32,
    /// The unknown terms that are results of functions which nobody has looked into yet.
    called: HashSet<u32>,
}

impl Terms {
    pub fn add(&mut self, ty: Option<Scalar>, kind: TermKind) -> Id<Term> {
        let term = Term { ty, kind };
        if let Some(id) = self.known.get(&term) {
            return *id;
        }
        let id = self.arena.push(term.clone());
        self.known.insert(term, id);
        id
    }

    /// A term of which nothing is known, unlike any other.
    pub fn unknown(&mut self, ty: Option<Scalar>) -> Id<Term> {
        self.unknowns += 1;
        self.add(ty, TermKind::Unknown(self.unknowns))
    }

    /// The result of a function that isn't known yet.
    pub fn called(&mut self, ty: Option<Scalar>) -> Id<Term> {
        let term = self.unknown(ty);
        self.called.insert(self.unknowns);
        term
    }

    /// Whether a term is made of the result of such a function. `inner` says of what a variable of a loop inside is made.
    pub fn rests_on_call(&self, id: Id<Term>, inner: &dyn Fn(u32) -> Vec<Id<Term>>) -> bool {
        match self.get(id).kind {
            TermKind::Int(_) | TermKind::Leaf(_) | TermKind::Variable(_) => false,
            TermKind::Inner(number) => inner(number).into_iter().any(|bound| self.rests_on_call(bound, inner)),
            TermKind::Unknown(number) => self.called.contains(&number),
            TermKind::Op(_, a, b) => self.rests_on_call(a, inner) || self.rests_on_call(b, inner),
            TermKind::Cast(value) => self.rests_on_call(value, inner),
        }
    }

    pub fn get(&self, id: Id<Term>) -> &Term {
        &self.arena[id]
    }
}
