//! Terms: the integers that indices, bounds and conditions of a loop are made of, taken out of the sketch.
//!
//! A term stands by itself, so that it can be kept beside a task and evaluated before each launch. Equal terms are one
//! ([`Terms::add`]). A term with a type is what machine arithmetic gives, modulo the type's width; one without, which
//! only the macro makes, is an unlimited integer.
use std::collections::{BTreeMap, HashMap, HashSet};

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
    /// One of some cases, by the number of their list.
    Pick(u32),
}

/// A value under conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    /// They hold where the value is this one.
    pub guards: Vec<Guard>,
    pub value: Id<Term>,
}

/// Which case of each pick it is.
pub(super) type Way = BTreeMap<u32, usize>;

/// An index that comes about on more ways is one of which nothing is known where they part.
const MOST_WAYS: usize = 16;

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
    Or,
    Xor,
    DivEuclid,
    RemEuclid,
    DivCeil,
    NextMultipleOf,
    SaturatingAdd,
    SaturatingSub,
    SaturatingMul,
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
    /// The cases of each pick: of any two evaluations of an access, each is in one of them.
    picks: Vec<Vec<Case>>,
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

    /// One of these values.
    pub(super) fn pick(&mut self, ty: Option<Scalar>, cases: Vec<Case>) -> Id<Term> {
        let number = self.picks.len() as u32;
        self.picks.push(cases);
        self.add(ty, TermKind::Pick(number))
    }

    pub(super) fn cases(&self, pick: u32) -> &[Case] {
        &self.picks[pick as usize]
    }

    /// The ways on which the index of an access may come about: together they are all.
    pub(super) fn ways(&self, reach: &Reach, loops: &[Span]) -> Vec<Way> {
        let (mut open, mut done) = (vec![Way::new()], Vec::new());
        while let Some(way) = open.pop() {
            let parting = reach.index.iter().find_map(|index| self.parting(*index, &way, loops));
            match parting {
                None => done.push(way),
                Some(pick) => {
                    let cases = 0..self.cases(pick).len();
                    if open.len() + done.len() + cases.len() > MOST_WAYS {
                        return vec![Way::new()];
                    }
                    open.extend(cases.map(|case| {
                        let mut way = way.clone();
                        way.insert(pick, case);
                        way
                    }));
                }
            }
        }
        done
    }

    /// A pick that a term rests on and that this way doesn't decide.
    fn parting(&self, id: Id<Term>, way: &Way, loops: &[Span]) -> Option<u32> {
        match self.get(id).kind {
            TermKind::Int(_) | TermKind::Leaf(_) | TermKind::Variable(_) | TermKind::Unknown(_) => None,
            TermKind::Inner(number) => {
                let span = loops.get(number as usize)?;
                [span.lo, span.hi].into_iter().find_map(|bound| self.parting(bound, way, loops))
            }
            TermKind::Op(_, a, b) => self.parting(a, way, loops).or_else(|| self.parting(b, way, loops)),
            TermKind::Cast(value) => self.parting(value, way, loops),
            TermKind::Pick(pick) => match way.get(&pick) {
                Some(case) => self.parting(self.cases(pick)[*case].value, way, loops),
                None => Some(pick),
            },
        }
    }

    /// Whether a term is made of the result of such a function. `inner` says of what a variable of a loop inside is made.
    pub fn rests_on_call(&self, id: Id<Term>, inner: &dyn Fn(u32) -> Vec<Id<Term>>) -> bool {
        match self.get(id).kind {
            TermKind::Int(_) | TermKind::Leaf(_) | TermKind::Variable(_) => false,
            TermKind::Inner(number) => inner(number).into_iter().any(|bound| self.rests_on_call(bound, inner)),
            TermKind::Unknown(number) => self.called.contains(&number),
            TermKind::Op(_, a, b) => self.rests_on_call(a, inner) || self.rests_on_call(b, inner),
            TermKind::Cast(value) => self.rests_on_call(value, inner),
            TermKind::Pick(pick) => self.cases(pick).iter().any(|case| {
                let guards = case.guards.iter().flat_map(|guard| [guard.left, guard.right]);
                guards.chain([case.value]).any(|term| self.rests_on_call(term, inner))
            }),
        }
    }

    pub fn get(&self, id: Id<Term>) -> &Term {
        &self.arena[id]
    }
}
