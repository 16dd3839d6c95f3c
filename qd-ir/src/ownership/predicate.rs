//! Launch predicates: what has to hold of the values of a launch for the iterations of a loop to stay apart.
//!
//! A predicate holds the terms of the accesses that the macro couldn't tell apart without these values. It is evaluated
//! once before each launch of the loop, on the calling thread, and what it answers is a proof for these values.
use std::collections::{BTreeMap, BTreeSet};

use crate::source_map::Pos;
use crate::types::Scalar;

use super::access::AccessKind;
use super::affine::{Affine, AtomId};
use super::domain::{Side, World};
use super::system::{Equation, System};
use super::term::{Reach, Span, Terms};

/// Pairs of accesses that the values of a launch have to keep apart. `L` says where the value of a leaf comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Predicate<L> {
    pub(super) terms: Terms,
    /// The invariant scalars.
    pub leaves: Vec<L>,
    /// The parallel loop, a span a dimension.
    pub(super) dims: Vec<Span>,
    /// The loops inside.
    pub(super) loops: Vec<Span>,
    pub(super) reaches: Vec<Reach>,
    /// The accesses that must not meet in two iterations, by their numbers among the reaches.
    pub(super) pairs: Vec<(usize, usize)>,
}

/// Two accesses that may meet in one element in two iterations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meeting {
    /// The array.
    pub array: String,
    /// An access that writes.
    pub first: (AccessKind, Pos),
    /// The access it may meet; the same one if it may meet itself.
    pub second: (AccessKind, Pos),
    /// An integer type in which an index or a bound of the loop may overflow.
    pub narrow: Option<Scalar>,
}

impl std::fmt::Display for Meeting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Meeting { array, first, second, narrow } = self;
        if first == second {
            write!(f, "two iterations may access the same element of `{array}`, which is {}", first.0.verb())?;
            write!(f, " at {}", first.1)?;
        } else {
            let ((did, at), (does, there)) = (first, second);
            write!(f, "an element of `{array}` may be {} by one iteration, at {at}, and ", did.verb())?;
            write!(f, "{} by another, at {there}", does.verb())?;
        }
        match narrow {
            None => Ok(()),
            Some(ty) => write!(f, "; an index may overflow in `{ty}`"),
        }
    }
}

impl<L> Predicate<L> {
    /// The first pair that isn't known to be apart where the leaves have these values. `None` is a value that isn't
    /// known.
    pub fn check(&self, leaves: &[Option<i128>]) -> Result<(), Box<Meeting>> {
        let mut world = World::new(&self.terms, &self.dims, &self.loops, leaves);
        if world.is_lone() {
            return Ok(());
        }
        let mut sides: Vec<Vec<Side>> = self.reaches.iter().map(|reach| world.sides(reach)).collect();
        for side in sides.iter_mut().flatten() {
            side.digits = side.index.iter().map(|form| world.in_digits(form)).collect();
        }
        for &(first, second) in &self.pairs {
            let all = |a: &Side| sides[second].iter().all(|b| apart(&world, a, b));
            if !sides[first].iter().all(all) {
                let of = |reach: &Reach| (reach.kind, reach.pos);
                let (first, second) = (&self.reaches[first], &self.reaches[second]);
                let (array, narrow) = (first.array.clone(), world.narrow);
                return Err(Box::new(Meeting { array, first: of(first), second: of(second), narrow }));
            }
        }
        Ok(())
    }

    /// Whether an index of the pairs, or a condition, rests on the result of a function that isn't known yet.
    pub(super) fn rest_on_calls(&self) -> bool {
        let bounds = |number: u32| match self.loops.get(number as usize) {
            Some(span) => [span.lo, span.hi].into_iter().chain(span.adapters.iter().flatten().copied()).collect(),
            None => Vec::new(),
        };
        let reaches = self.pairs.iter().flat_map(|(first, second)| [&self.reaches[*first], &self.reaches[*second]]);
        let terms = reaches.flat_map(|reach| {
            let guards = reach.guards.iter().flat_map(|guard| [guard.left, guard.right]);
            reach.index.iter().copied().chain(guards)
        });
        terms.into_iter().any(|term| self.terms.rests_on_call(term, &bounds))
    }

    /// The same predicate with leaves from elsewhere.
    pub fn with_leaves<M>(self, leaf: impl FnMut(L) -> M) -> Predicate<M> {
        let Predicate { terms, leaves, dims, loops, reaches, pairs } = self;
        Predicate { terms, leaves: leaves.into_iter().map(leaf).collect(), dims, loops, reaches, pairs }
    }

    /// For each variable of the parallel loop, the number of its values; `None` if it isn't known.
    pub(super) fn counts(&self, leaves: &[Option<i128>]) -> Vec<Option<i128>> {
        World::new(&self.terms, &self.dims, &self.loops, leaves).counts
    }
}

/// True if it is proved that the accesses never meet in an element in two iterations.
fn apart<'a>(world: &'a World<'a>, first: &'a Side, second: &'a Side) -> bool {
    if first.unreachable || second.unreachable {
        return true;
    }
    let proved = |all: bool| {
        let mut pair = Pair::new(world, first, second, all);
        pair.positions(first, second);
        pair.relations();
        pair.system.has_none()
    };
    // The rest seldom matters, and may bring in much.
    let more = [first, second].iter().any(|side| !side.unequal.is_empty() || !side.ends.is_empty());
    proved(false) || more && proved(true)
}

/// Which iteration an atom is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Of {
    First,
    Second,
    /// That of the first less that of the second: all that matters where an atom counts alike in both.
    Difference,
}

/// The equations of two accesses in one element.
struct Pair<'a> {
    world: &'a World<'a>,
    system: System,
    variables: BTreeMap<(AtomId, Of), usize>,
    /// Atoms that are needed by themselves, not only as differences.
    single: BTreeSet<AtomId>,
    /// What holds in the first access and in the second.
    facts: [Vec<Affine>; 2],
    /// What isn't zero in them.
    unequal: [&'a [Affine]; 2],
    /// The atoms of each.
    atoms: [BTreeSet<AtomId>; 2],
}

impl<'a> Pair<'a> {
    fn new(world: &'a World<'a>, first: &'a Side, second: &'a Side, all: bool) -> Self {
        let unequal = [first, second].map(|side| if all { side.unequal.as_slice() } else { &[] });
        let known = [first, second].map(|side| known(world, side, all));
        let [(a, a_facts), (b, b_facts)] = known;
        let mut pair = Pair {
            world,
            system: System::default(),
            variables: BTreeMap::new(),
            single: BTreeSet::new(),
            facts: [a_facts, b_facts],
            unequal,
            atoms: [a, b],
        };
        for &dim in &world.dims {
            let difference = pair.variable(dim, Of::Difference);
            pair.system.differences.push(difference);
        }
        pair
    }

    fn variable(&mut self, atom: AtomId, of: Of) -> usize {
        let (lo, hi) = self.world.atoms[atom].range;
        let range = match of {
            Of::First | Of::Second => (lo, hi),
            // Saturates only without types, where nothing rests on it.
            Of::Difference => (lo.saturating_sub(hi), hi.saturating_sub(lo)),
        };
        let system = &mut self.system;
        *self.variables.entry((atom, of)).or_insert_with(|| system.variable(range))
    }

    /// The indices are equal, position by position: as they are and, so that what one says in digits and the other at
    /// once can be compared, in digits.
    fn positions(&mut self, first: &Side, second: &Side) {
        let plain = first.index.iter().zip(&second.index);
        let digits = first.digits.iter().zip(&second.digits);
        let changed = plain.clone().zip(digits).filter(|(plain, digits)| plain != digits).map(|(_, digits)| digits);
        for (a, b) in plain.chain(changed) {
            let atoms: BTreeSet<AtomId> = a.terms.iter().chain(&b.terms).map(|(atom, _)| *atom).collect();
            let mut terms = Vec::new();
            for atom in atoms {
                let (p, q) = (a.coefficient(atom), b.coefficient(atom));
                if p == q {
                    terms.push((self.variable(atom, Of::Difference), p));
                    continue;
                }
                self.single.insert(atom);
                for (coefficient, of) in [(p, Of::First), (q.wrapping_neg(), Of::Second)] {
                    if coefficient != 0 {
                        terms.push((self.variable(atom, of), coefficient));
                    }
                }
            }
            // Beyond 128 bits a position says nothing.
            if let Some(value) = b.constant.checked_sub(a.constant) {
                self.system.equations.push(Equation { terms, value });
            }
        }
    }

    /// What is known of the atoms, of both iterations and of their difference.
    fn relations(&mut self) {
        let [first, second] = std::mem::take(&mut self.facts);
        // An atom by itself needs what ties it to others.
        loop {
            let before = self.single.len();
            for fact in first.iter().chain(&second).chain(self.unequal.into_iter().flatten()) {
                if fact.terms.iter().any(|(atom, _)| self.single.contains(atom)) {
                    self.single.extend(fact.terms.iter().map(|(atom, _)| *atom));
                }
            }
            if self.single.len() == before {
                break;
            }
        }
        for fact in &first {
            if let Some(other) = second.iter().find(|other| other.terms == fact.terms)
                && let Some(value) = other.constant.checked_sub(fact.constant)
            {
                self.equation(fact, Of::Difference, value);
            }
        }
        for (facts, of) in [(&first, Of::First), (&second, Of::Second)] {
            for fact in facts {
                let tied = fact.terms.first().is_some_and(|(atom, _)| self.single.contains(atom));
                if let (true, Some(value)) = (tied, fact.constant.checked_neg()) {
                    self.equation(fact, of, value);
                }
            }
        }
        for (unequal, of) in self.unequal.into_iter().zip([Of::First, Of::Second]) {
            for form in unequal {
                let tied = form.terms.first().is_some_and(|(atom, _)| self.single.contains(atom));
                if let (true, Some(value)) = (tied, form.constant.checked_neg()) {
                    let terms = self.terms(form, of);
                    self.system.unequal.push(Equation { terms, value });
                }
            }
        }
        for atom in std::mem::take(&mut self.single) {
            // Where only one access has the atom, there is no difference to tie it to.
            let both = self.atoms.iter().all(|atoms| atoms.contains(&atom)) || self.world.dims.contains(&atom);
            if both {
                let [a, b, d] = [Of::First, Of::Second, Of::Difference].map(|of| self.variable(atom, of));
                self.system.equations.push(Equation { terms: vec![(a, 1), (b, -1), (d, -1)], value: 0 });
            }
        }
    }

    fn equation(&mut self, fact: &Affine, of: Of, value: i128) {
        let terms = self.terms(fact, of);
        self.system.equations.push(Equation { terms, value });
    }

    fn terms(&mut self, form: &Affine, of: Of) -> Vec<(usize, i128)> {
        form.terms.iter().map(|&(atom, coefficient)| (self.variable(atom, of), coefficient)).collect()
    }
}

/// The atoms that an access is made of, with those that tell what they mean, and what is known of them: all of it, or what
/// mostly suffices.
fn known(world: &World<'_>, side: &Side, all: bool) -> (BTreeSet<AtomId>, Vec<Affine>) {
    let (mut atoms, mut facts) = (BTreeSet::new(), Vec::new());
    let mut open: Vec<&Affine> = side.index.iter().chain(&side.digits).chain(&side.facts).collect();
    facts.extend(side.facts.iter().cloned());
    if all {
        open.extend(side.unequal.iter().chain(&side.ends));
        facts.extend(side.ends.iter().cloned());
    }
    while let Some(form) = open.pop() {
        for &(atom, _) in &form.terms {
            if atoms.insert(atom)
                && let Some(meaning) = &world.atoms[atom].meaning
            {
                open.push(meaning);
                if !facts.contains(meaning) {
                    facts.push(meaning.clone());
                }
            }
        }
    }
    (atoms, facts)
}
