//! The abstract domain: a term is an affine form over *atoms*, for known values of the leaves.
//!
//! An atom is an integer between two numbers, and may have a *meaning*: an affine form that is zero whenever the atom's
//! term is evaluated, as `i - w * q - r` for the quotient and the rest of `i / w`. So nothing here is a case of its own:
//! blocks, tiles, mixed radix, strides and residues are all ranges and meanings, and what they imply for two iterations
//! is for [`system`](super::system) to find out.
//!
//! *Wrapping.* Machine arithmetic on `+ - * <<` is that of integers modulo `2^bits`, so [`World::eval`] gives a form that
//! equals the term modulo its type's width. [`World::exact`] gives one that equals it: the form, if its range over the
//! whole domain lies within the type (up to a multiple of `2^bits`), and otherwise an atom of which only the type is
//! known. A widening cast, a division, a comparison and a loop's bound need exact operands; a narrowing cast doesn't.
//!
//! *Ways.* What an `if` gives is a [pick](TermKind::Pick) of cases. An access is taken apart into the ways that lead to
//! it, one case a pick, each with the conditions of its cases; two accesses are apart if they are on all ways.
//!
//! *Never wrong, only vague*: whatever isn't followed, and whatever leaves 128 bits, becomes an atom without meaning.
use std::collections::HashMap;

use crate::arena::Id;
use crate::types::Scalar;

use super::affine::{Affine, AtomId, limits};
use super::bits::Bitwise;
use super::term::{Guard, Reach, Relation, Span, Term, TermKind, TermOp, Terms, Way};

/// Quotients and rests of larger numbers aren't followed, so that differences of atoms fit in 128 bits.
const ROOM: i128 = 1 << 100;

/// An integer that forms are made of.
pub(super) struct Atom {
    pub range: (i128, i128),
    /// Zero wherever the atom's term is evaluated.
    pub meaning: Option<Affine>,
}

/// What an atom stands for: the same thing is the same atom.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Dim(usize),
    /// A loop's variable, by first value, stride and range.
    Inner(u32, Affine, i128, (i128, i128)),
    /// The number of a loop's round, by the most rounds.
    Round(u32, i128),
    Quotient(Affine, i128, Rounding),
    Rest(Affine, i128, Rounding),
    /// A term within the bounds that conditions set.
    Bounded(Affine, (i128, i128)),
    /// A term of which only the range is known.
    Any(Id<Term>, (i128, i128)),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Rounding {
    /// As `/` and `%`.
    ToZero,
    /// As `>>`, `&`, `div_euclid` and `rem_euclid`.
    Down,
}

/// The product of two forms, if one of them is a number.
fn product(a: &Affine, b: &Affine) -> Option<Affine> {
    match (a.as_constant(), b.as_constant()) {
        (_, Some(factor)) => a.times(factor),
        (Some(factor), None) => b.times(factor),
        (None, None) => None,
    }
}

/// The forms of a loop's terms.
pub(super) struct World<'a> {
    terms: &'a Terms,
    loops: &'a [Span],
    leaves: &'a [Option<i128>],
    pub atoms: Vec<Atom>,
    known: HashMap<Key, AtomId>,
    /// Atoms that were cut into digits, as forms of these.
    pub digits: HashMap<AtomId, Affine>,
    /// For each variable of the parallel loop: the atom that tells its values apart.
    pub dims: Vec<AtomId>,
    /// For each variable of the parallel loop: the number of its values, if it is known.
    pub counts: Vec<Option<i128>>,
    variables: Vec<Affine>,
    /// The first type that was found too narrow for a term.
    pub narrow: Option<Scalar>,
}

/// An access with the forms of its index.
#[derive(Default)]
pub(super) struct Side {
    pub index: Vec<Affine>,
    /// Forms that are zero where the access is made.
    pub facts: Vec<Affine>,
    /// Forms that aren't.
    pub unequal: Vec<Affine>,
    /// Forms that are zero because loops inside end where other variables say; seldom needed.
    pub ends: Vec<Affine>,
    /// Its conditions exclude each other, or a loop round it has no round.
    pub unreachable: bool,
    /// The indices in digits.
    pub digits: Vec<Affine>,
    bounded: HashMap<Id<Term>, Affine>,
    forms: HashMap<Id<Term>, Affine>,
    /// The way it has come: for picks, the number of the case.
    way: Way,
}

impl<'a> World<'a> {
    pub fn new(terms: &'a Terms, dims: &[Span], loops: &'a [Span], leaves: &'a [Option<i128>]) -> Self {
        let mut world = World {
            terms,
            loops,
            leaves,
            atoms: Vec::new(),
            known: HashMap::new(),
            digits: HashMap::new(),
            dims: Vec::new(),
            counts: Vec::new(),
            variables: Vec::new(),
            narrow: None,
        };
        for (n, span) in dims.iter().enumerate() {
            let values = world.progression(span);
            let (range, value) = match values {
                // What runs through every number is its own atom.
                Some((first, 1, count)) => ((first, first + count - 1), None),
                Some((first, -1, count)) => ((first - (count - 1), first), None),
                Some((first, stride, count)) => ((0, count - 1), Some((first, stride))),
                None => (limits(span.ty), None),
            };
            let atom = world.atom(Key::Dim(n), range, None);
            let value = match value {
                None => Affine::atom(atom),
                // A first value and a stride of 64 bits each.
                Some((first, stride)) => Affine { constant: first, terms: vec![(atom, stride)] },
            };
            world.dims.push(atom);
            world.counts.push(values.map(|(_, _, count)| count));
            world.variables.push(value);
        }
        world
    }

    /// True if no two iterations exist.
    pub fn is_lone(&self) -> bool {
        self.counts.contains(&Some(0)) || self.counts.iter().all(|count| *count == Some(1))
    }

    /// First value, stride and number of the values of a loop whose bounds are known.
    fn progression(&mut self, span: &Span) -> Option<(i128, i128, i128)> {
        let mut side = Side::default();
        let lo = self.exact(&mut side, span.lo).as_constant()?;
        let hi = self.exact(&mut side, span.hi).as_constant()?;
        let count = hi.checked_sub(lo)?.checked_add(i128::from(span.inclusive))?;
        let (mut first, mut stride, mut count) = (lo, 1i128, count.max(0));
        for adapter in &span.adapters {
            match adapter {
                None => {
                    first = first.checked_add(stride.checked_mul((count - 1).max(0))?)?;
                    stride = -stride;
                }
                Some(step) => {
                    let step = self.exact(&mut side, *step).as_constant().filter(|step| *step > 0)?;
                    count = count.checked_add(step - 1)? / step;
                    // One value has no stride, whatever the step.
                    stride = if count > 1 { stride.checked_mul(step)? } else { stride };
                }
            }
        }
        Some((first, stride, count))
    }

    fn atom(&mut self, key: Key, range: (i128, i128), meaning: Option<Affine>) -> AtomId {
        *self.known.entry(key).or_insert_with(|| {
            self.atoms.push(Atom { range, meaning });
            self.atoms.len() - 1
        })
    }

    pub fn range(&self, form: &Affine) -> Option<(i128, i128)> {
        form.range(|atom| self.atoms[atom].range)
    }

    /// The forms of an access, for each way on which its index may come about.
    pub fn sides(&mut self, reach: &Reach) -> Vec<Side> {
        self.terms.ways(reach, self.loops).into_iter().map(|way| self.side(reach, way)).collect()
    }

    fn side(&mut self, reach: &Reach, way: Way) -> Side {
        let terms = self.terms;
        let mut side = Side { way, ..Side::default() };
        for guard in &reach.guards {
            self.assume(&mut side, guard);
        }
        for (pick, case) in side.way.clone() {
            for guard in &terms.cases(pick)[case].guards {
                self.assume(&mut side, guard);
            }
        }
        side.index = reach.index.iter().map(|term| self.index(&mut side, *term)).collect();
        side
    }

    /// An index: below 2^63 if it is that of an element, so a form that goes below zero misses the array by wrapping.
    fn index(&mut self, side: &mut Side, id: Id<Term>) -> Affine {
        let form = self.eval(side, id);
        let ty = self.terms.get(id).ty;
        if ty.is_none() {
            return form;
        }
        let within = (-(1 << 63), (1 << 63) - 1);
        self.shifted(&form, within, 64).unwrap_or_else(|| self.vague(id, (0, within.1)))
    }

    /// A form that equals the term modulo its type's width.
    fn eval(&mut self, side: &mut Side, id: Id<Term>) -> Affine {
        if let Some(form) = side.bounded.get(&id).or_else(|| side.forms.get(&id)) {
            return form.clone();
        }
        let form = match self.form(side, id) {
            Some(form) => form,
            None => {
                let range = limits(self.terms.get(id).ty);
                Affine::atom(self.atom(Key::Any(id, range), range, None))
            }
        };
        side.forms.insert(id, form.clone());
        form
    }

    /// A form that equals the term.
    fn exact(&mut self, side: &mut Side, id: Id<Term>) -> Affine {
        if let Some(form) = side.bounded.get(&id) {
            return form.clone();
        }
        let form = self.eval(side, id);
        match self.terms.get(id).ty {
            None => form,
            Some(ty) => {
                let within = limits(Some(ty));
                self.shifted(&form, within, ty.bits()).unwrap_or_else(|| self.vague(id, within))
            }
        }
    }

    /// The form plus the multiple of `2^bits` that puts its range within `within`, which is `2^bits` wide.
    fn shifted(&self, form: &Affine, within: (i128, i128), bits: u32) -> Option<Affine> {
        let (lo, hi) = self.range(form)?;
        let turns = |at: i128| Some(at.checked_sub(within.0)?.div_euclid(1 << bits));
        let turn = turns(lo).filter(|turn| Some(*turn) == turns(hi))?;
        let constant = form.constant.checked_sub(turn.checked_mul(1 << bits)?)?;
        Some(Affine { constant, terms: form.terms.clone() })
    }

    fn vague(&mut self, id: Id<Term>, range: (i128, i128)) -> Affine {
        if let (Some(ty), false) = (self.terms.get(id).ty, matches!(self.terms.get(id).kind, TermKind::Unknown(_))) {
            self.narrow.get_or_insert(ty);
        }
        Affine::atom(self.atom(Key::Any(id, range), range, None))
    }

    fn form(&mut self, side: &mut Side, id: Id<Term>) -> Option<Affine> {
        let Term { ty, kind } = self.terms.get(id);
        match *kind {
            TermKind::Int(value) => Some(Affine::constant(value)),
            TermKind::Leaf(leaf) => self.leaves[leaf as usize].map(Affine::constant),
            TermKind::Variable(dim) => self.variables.get(dim as usize).cloned(),
            TermKind::Inner(number) => self.inner(side, number),
            TermKind::Unknown(_) => None,
            TermKind::Cast(value) => Some(match (self.terms.get(value).ty, ty) {
                (Some(from), Some(to)) if to.bits() > from.bits() => self.exact(side, value),
                (Some(_) | None, Some(_) | None) => self.eval(side, value),
            }),
            TermKind::Op(op, a, b) => self.operation(side, id, op, a, b),
            TermKind::Pick(number) => {
                let case = &self.terms.cases(number)[*side.way.get(&number)?];
                let same = self.terms.get(case.value).ty == *ty;
                same.then(|| self.eval(side, case.value))
            }
        }
    }

    fn operation(&mut self, side: &mut Side, id: Id<Term>, op: TermOp, a: Id<Term>, b: Id<Term>) -> Option<Affine> {
        let ty = self.terms.get(id).ty;
        match op {
            TermOp::Add => self.eval(side, a).plus(&self.eval(side, b), 1),
            TermOp::Sub => self.eval(side, a).plus(&self.eval(side, b), -1),
            TermOp::Mul => {
                let (a, b) = (self.eval(side, a), self.eval(side, b));
                product(&a, &b)
            }
            TermOp::Shl => {
                let by = self.shift(side, ty, b)?;
                self.eval(side, a).times(1 << by)
            }
            TermOp::Shr => {
                let by = self.shift(side, ty, b)?;
                let form = self.exact(side, a);
                Some(self.divided(&form, 1 << by, Rounding::Down)?.0)
            }
            TermOp::Div | TermOp::Rem => {
                let by = self.exact(side, b).as_constant().filter(|by| *by > 0)?;
                let form = self.exact(side, a);
                let (quotient, rest) = self.divided(&form, by, Rounding::ToZero)?;
                Some(if op == TermOp::Div { quotient } else { rest })
            }
            TermOp::DivEuclid | TermOp::RemEuclid => {
                let by = self.exact(side, b).as_constant().filter(|by| *by > 0)?;
                let form = self.exact(side, a);
                let (quotient, rest) = self.divided(&form, by, Rounding::Down)?;
                Some(if op == TermOp::DivEuclid { quotient } else { rest })
            }
            TermOp::DivCeil | TermOp::NextMultipleOf => {
                let by = self.exact(side, b).as_constant().filter(|by| *by > 0)?;
                let above = self.exact(side, a).plus(&Affine::constant(by - 1), 1)?;
                let (quotient, _) = self.divided(&above, by, Rounding::Down)?;
                if op == TermOp::DivCeil { Some(quotient) } else { quotient.times(by) }
            }
            TermOp::SaturatingAdd => {
                let (a, b) = (self.exact(side, a), self.exact(side, b));
                self.saturated(id, a.plus(&b, 1)?)
            }
            TermOp::SaturatingSub => {
                let (a, b) = (self.exact(side, a), self.exact(side, b));
                self.saturated(id, a.plus(&b, -1)?)
            }
            TermOp::SaturatingMul => {
                let (a, b) = (self.exact(side, a), self.exact(side, b));
                self.saturated(id, product(&a, &b)?)
            }
            TermOp::And => self.bits(side, Bitwise::And, a, b),
            TermOp::Or => self.bits(side, Bitwise::Or, a, b),
            TermOp::Xor => self.bits(side, Bitwise::Xor, a, b),
            TermOp::Min | TermOp::Max => {
                let (a, b) = (self.exact(side, a), self.exact(side, b));
                let (a_range, b_range) = (self.range(&a)?, self.range(&b)?);
                let (a_below, b_below) = (a_range.1 <= b_range.0, b_range.1 <= a_range.0);
                match op {
                    TermOp::Min if a_below => return Some(a),
                    TermOp::Min if b_below => return Some(b),
                    _ if a_below => return Some(b),
                    _ if b_below => return Some(a),
                    _ => {}
                }
                let pick = if op == TermOp::Min { i128::min } else { i128::max };
                let range = (pick(a_range.0, b_range.0), pick(a_range.1, b_range.1));
                Some(Affine::atom(self.atom(Key::Any(id, range), range, None)))
            }
        }
    }

    /// The term that is a form as far as its type reaches, and the type's end beyond.
    fn saturated(&mut self, id: Id<Term>, form: Affine) -> Option<Affine> {
        let (lo, hi) = match self.terms.get(id).ty {
            // Taken for a `usize`.
            None => (0, limits(None).1),
            ty => limits(ty),
        };
        let (least, most) = self.range(&form)?;
        if least >= lo && most <= hi {
            return Some(form);
        }
        let range = (least.clamp(lo, hi), most.clamp(lo, hi));
        if range.0 == range.1 {
            return Some(Affine::constant(range.0));
        }
        Some(Affine::atom(self.atom(Key::Any(id, range), range, None)))
    }

    fn bits(&mut self, side: &mut Side, op: Bitwise, a: Id<Term>, b: Id<Term>) -> Option<Affine> {
        let (left, right) = (self.exact(side, a), self.exact(side, b));
        let (form, mask) = match (left.as_constant(), right.as_constant()) {
            (_, Some(mask)) => (a, mask),
            (Some(mask), None) => (b, mask),
            (None, None) if op == Bitwise::And => return None,
            (None, None) => return self.disjoint(&left, &right).or_else(|| self.disjoint(&right, &left)),
        };
        // The low bits of a term are those of its form, wrapped or not.
        let form = self.eval(side, form);
        self.bitwise(op, &form, mask)
    }

    /// What a shift shifts by: masked, as the machine does.
    fn shift(&mut self, side: &mut Side, ty: Option<Scalar>, by: Id<Term>) -> Option<u32> {
        let by = self.eval(side, by).as_constant()?;
        let bits = ty.map_or(64, Scalar::bits);
        Some((by & i128::from(bits - 1)) as u32)
    }

    /// Quotient and rest of a form by a positive number.
    pub fn divided(&mut self, form: &Affine, by: i128, rounding: Rounding) -> Option<(Affine, Affine)> {
        let (least, most) = self.range(form).filter(|(least, most)| *least > -ROOM && *most < ROOM)?;
        let down = rounding == Rounding::Down || least >= 0;
        let (quotient, rest) = form.divided(by);
        let (lo, hi) = self.range(&rest)?;
        if down && lo >= 0 && hi < by || lo == 0 && hi == 0 {
            return Some((quotient, rest));
        }
        let (quotients, rests) = if down {
            let low = if least >= 0 { most.min(by - 1) } else { by - 1 };
            ((least.div_euclid(by), most.div_euclid(by)), (0, low))
        } else {
            ((least / by, most / by), (if least < 0 { 1 - by } else { 0 }, if most > 0 { by - 1 } else { 0 }))
        };
        let rounding = if down { Rounding::Down } else { Rounding::ToZero };
        // The atoms know each other by number, so the meaning comes after them.
        let q = self.atom(Key::Quotient(form.clone(), by, rounding), quotients, None);
        let r = self.atom(Key::Rest(form.clone(), by, rounding), rests, None);
        let meaning = form.plus(&Affine::atom(q), -by)?.plus(&Affine::atom(r), -1)?;
        for atom in [q, r] {
            self.atoms[atom].meaning = Some(meaning.clone());
        }
        Some((Affine::atom(q), Affine::atom(r)))
    }

    /// The variable of a loop inside.
    fn inner(&mut self, side: &mut Side, number: u32) -> Option<Affine> {
        let loops = self.loops;
        let span = loops.get(number as usize)?;
        let more = i128::from(span.inclusive);
        let lo = self.exact(side, span.lo);
        let (least, _) = self.range(&lo)?;
        let mut ends = Vec::new();
        self.ends(side, span.hi, span.inclusive, &mut ends);
        let (mut most, mut rounds) = (limits(span.ty).1, limits(span.ty).1 - limits(span.ty).0 + 1);
        for end in &ends {
            most = most.min(self.range(end)?.1.checked_add(more - 1)?);
            rounds = rounds.min(self.range(&end.plus(&lo, -1)?)?.1.checked_add(more)?);
        }
        let start = lo.clone();
        let (mut base, mut stride, mut stepped, mut turned) = (lo, 1, false, false);
        for adapter in &span.adapters {
            match adapter {
                None => turned = !turned,
                Some(step) => {
                    // Steps from the end are steps from the last value; after steps, it isn't known which that is.
                    if turned && stepped {
                        return None;
                    }
                    if turned && !stepped {
                        base = self.exact(side, span.hi).plus(&Affine::constant(more - 1), 1)?;
                        stride = -1;
                        turned = false;
                    }
                    let step = self.exact(side, *step).as_constant().filter(|step| *step > 0)?;
                    stride = step.checked_mul(stride)?;
                    rounds = rounds.checked_add(step - 1)?.div_euclid(step);
                    stepped = true;
                }
            }
        }
        if rounds <= 0 || most < least {
            side.unreachable = true;
            return Some(base);
        }
        let range = (least, most);
        let known = stride == 1 && base.as_constant().is_some();
        let key = Key::Inner(number, base.clone(), stride, range);
        let atom = self.atom(key, range, None);
        if !known {
            let round = self.atom(Key::Round(number, rounds), (0, rounds - 1), None);
            let meaning = Affine::atom(atom).plus(&base, -1)?.plus(&Affine::atom(round), -stride)?;
            self.atoms[atom].meaning = Some(meaning);
        }
        let value = Affine::atom(atom);
        if stride > 0 {
            for end in ends.iter().filter(|end| end.as_constant().is_none()) {
                let fact = self.beyond(side, &value, end, 1 - more);
                side.ends.extend(fact);
            }
        } else if start.as_constant().is_none() {
            let fact = self.beyond(side, &start, &value, 0);
            side.ends.extend(fact);
        }
        Some(value)
    }

    /// What a loop ends at or before: of a `min`, both operands. No number comes before the end of its type, so where the
    /// end is none of the loop's, what saturates is what it would be.
    fn ends(&mut self, side: &mut Side, hi: Id<Term>, inclusive: bool, into: &mut Vec<Affine>) {
        match self.terms.get(hi).kind {
            TermKind::Op(TermOp::Min, a, b) => {
                self.ends(side, a, inclusive, into);
                self.ends(side, b, inclusive, into);
            }
            TermKind::Op(op @ (TermOp::SaturatingAdd | TermOp::SaturatingSub), a, b) if !inclusive => {
                let sign = if op == TermOp::SaturatingAdd { 1 } else { -1 };
                let (a, b) = (self.exact(side, a), self.exact(side, b));
                into.extend(a.plus(&b, sign));
                into.push(self.exact(side, hi));
            }
            _ => into.push(self.exact(side, hi)),
        }
    }

    fn assume(&mut self, side: &mut Side, guard: &Guard) {
        let Guard { relation, left, right } = *guard;
        let (a, b) = (self.exact(side, left), self.exact(side, right));
        let (low, high) = limits(None);
        match (a.as_constant(), b.as_constant()) {
            (None, None) => match relation {
                Relation::Eq => side.facts.extend(a.plus(&b, -1)),
                Relation::Ne => self.differ(side, &a, &b),
                Relation::Lt => {
                    let fact = self.beyond(side, &a, &b, 1);
                    side.facts.extend(fact);
                }
                Relation::Le => {
                    let fact = self.beyond(side, &a, &b, 0);
                    side.facts.extend(fact);
                }
            },
            (Some(a), Some(b)) => {
                side.unreachable |= !match relation {
                    Relation::Eq => a == b,
                    Relation::Ne => a != b,
                    Relation::Lt => a < b,
                    Relation::Le => a <= b,
                }
            }
            (None, Some(c)) => match relation {
                Relation::Eq => self.bound(side, left, &a, (c, c)),
                Relation::Lt => self.bound(side, left, &a, (low, c.saturating_sub(1))),
                Relation::Le => self.bound(side, left, &a, (low, c)),
                Relation::Ne => self.exclude(side, left, &a, c),
            },
            (Some(c), None) => match relation {
                Relation::Eq => self.bound(side, right, &b, (c, c)),
                Relation::Lt => self.bound(side, right, &b, (c.saturating_add(1), high)),
                Relation::Le => self.bound(side, right, &b, (c, high)),
                Relation::Ne => self.exclude(side, right, &b, c),
            },
        }
    }

    /// `b - a`, of two exact forms, is `least` or more: as a form that is zero, if that isn't known.
    fn beyond(&mut self, side: &mut Side, a: &Affine, b: &Affine, least: i128) -> Option<Affine> {
        let difference = b.plus(a, -1).map(|difference| self.in_digits(&difference))?;
        let (lo, hi) = self.range(&difference)?;
        side.unreachable |= hi < least;
        if lo >= least || hi < least {
            return None;
        }
        let range = (least, hi);
        let atom = self.atom(Key::Bounded(difference.clone(), range), range, None);
        let meaning = Affine::atom(atom).plus(&difference, -1)?;
        self.atoms[atom].meaning = Some(meaning.clone());
        Some(meaning)
    }

    /// Two exact forms have different values.
    fn differ(&self, side: &mut Side, a: &Affine, b: &Affine) {
        let Some(difference) = a.plus(b, -1) else { return };
        match difference.as_constant() {
            Some(difference) => side.unreachable |= difference == 0,
            None => side.unequal.push(difference),
        }
    }

    fn exclude(&mut self, side: &mut Side, id: Id<Term>, form: &Affine, value: i128) {
        let Some((lo, hi)) = self.range(form) else { return };
        self.differ(side, form, &Affine::constant(value));
        if value == lo {
            self.bound(side, id, form, (lo + 1, hi));
        } else if value == hi {
            self.bound(side, id, form, (lo, hi - 1));
        }
    }

    /// The term, whose exact form is `form`, lies between two numbers.
    fn bound(&mut self, side: &mut Side, id: Id<Term>, form: &Affine, (lo, hi): (i128, i128)) {
        let Some((least, most)) = self.range(form) else { return };
        let range = (least.max(lo), most.min(hi));
        if range == (least, most) {
            return;
        }
        let within = if range.0 > range.1 {
            side.unreachable = true;
            return;
        } else if range.0 == range.1 {
            let value = Affine::constant(range.0);
            side.facts.extend(form.plus(&value, -1));
            value
        } else {
            let atom = self.atom(Key::Bounded(form.clone(), range), range, None);
            let meaning = Affine::atom(atom).plus(form, -1);
            // It holds of the form's atoms, whether the access mentions the term or not.
            side.facts.extend(meaning.clone());
            self.atoms[atom].meaning = meaning;
            Affine::atom(atom)
        };
        side.bounded.insert(id, within);
        // What was made of the term can be made better.
        side.forms.clear();
    }
}
