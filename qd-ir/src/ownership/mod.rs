//! The race rule: which accesses of a parallel loop may meet in one element in two iterations.
//!
//! The macro reads the untyped sketch, so that it can refuse a racy loop where it is written. What depends on values of
//! the launch becomes a *launch predicate* ([`Predicate`]), which typing makes from the same sketch with rustc's types,
//! and which is evaluated before each launch of the loop. So what runs is proved for its values, whatever they are.
//!
//! The rule is one of pairs. Two accesses to an array *agree* if both read, both are atomic or both scatter (whose claims
//! are checked as they are made). Any other two, and a write with itself, must be apart, by one of these:
//!
//! 1. **Parts**: they access different fields of an element, or different literal places of a fixed array in it
//!    ([`access`]).
//! 2. **Positions**: each variable of the loop is held by the same expression at the same position of both indices
//!    ([`positional`]). This needs no values, and holds though arithmetic wraps.
//! 3. **Equations** ([`domain`], [`mod@predicate`], [`system`]): index, bounds and conditions are affine forms over bounded
//!    integers, and the equations that say that both indices are equal have no solution in two iterations. One rule thus
//!    covers what are cases elsewhere:
//!    - *intervals*: `x[i * w + j]` with `j < w`, blocks `for k in lo..min(lo + b, n)` with `lo = i * b`, tiles, strides
//!      `x[k * n + i]`, halves `x[i]` beside `x[i + n]`;
//!    - *division*: `x[(i / w) * w + i % w]`, also as shifts and masks, and as `div_euclid` and `rem_euclid`;
//!    - *bits* ([`bits`]): `x[2 * i | 1]`, `x[i & !7]`, `x[i ^ m]`; `x[i]` beside `x[i ^ m]` for the lower of the two
//!      (`i < i ^ m`), or for those that have the one bit of `m` clear (`i & m == 0`);
//!    - *residues*: `x[2 * i]` beside `x[2 * i + 1]`, conditions `(i + j) % 2 == colour`, `step_by`;
//!    - *what is left out*: `x[[i, j]]` beside `x[[k, j]]` where `i != k`;
//!    - *triangles*: `x[[i, j]]` and `x[[j, i]]` in `for j in 0..i`, or where `i < j`.
//!
//! What the equations are made of:
//!
//! 4. The variables of the loop are the names its pattern binds, if they are never assigned. A `_` or a `mut` name is a
//!    variable that no index holds.
//! 5. Names of the body that are never assigned stand for their value. A name that is assigned, an element, the result of
//!    an operation that isn't followed is any integer of its type. A call is the function's value for what its parameters
//!    are given. Functions are known to typing alone, so the macro leaves what rests on one to launches.
//! 6. What an `if` or a `match` of numbers gives is one of its branches' values, each where its condition holds; a function
//!    that leaves by `return` likewise, if the `return` stands in the place of the value or ends an `if` without `else`
//!    before it. Accesses are compared on all ways that lead to them. What has more than a few branches, or a `return`
//!    elsewhere, is any integer.
//! 7. Conditions count where they hold: in the branches of `if`, behind `&&` and `||`, and after an `if` that leaves by
//!    `continue`, `break` or `panic!`, also by a name that stands for one. Only comparisons of integers say something.
//! 8. Integers wrap in their own type. See [`domain`] for where that matters. Nothing is concluded from a number beyond
//!    128 bits.
//! 9. Elements have indices below 2^63: a negative index, wrapped, misses every array, and the access fails its bounds
//!    check instead of touching anything.
//!
//! And around them:
//!
//! 10. An array handed to a function by `&` is read anywhere in it; handed by `&mut`, it is written anywhere. `&mut x[i]`
//!     is an access to that place. A bundle is handed on with every array in it.
//! 11. Accesses that the macro exempts (`unsafe`) take no part. `x.len()`, extents and the bounds of the loop itself
//!     (evaluated before it) are no accesses. Two parameters never overlap if one is written to: `&mut` excludes it.
//! 12. The macro refuses a pair at once if no sizes that it tries keep it apart ([`trial`]). That is a matter of when, not
//!     of whether.
mod access;
mod affine;
mod bits;
mod choice;
mod conflict;
mod domain;
mod positional;
mod predicate;
mod read;
mod scan;
mod system;
mod term;
mod trial;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::arena::Id;
use crate::sketch::{Construct, ConstructKind, Expr, ExprKind, ParamId, Sketch, Stmt};

pub use access::{Access, AccessKind};
pub use conflict::{Conflict, ConflictKind};
pub use predicate::{Meeting, Predicate};
pub use read::{Called, Leaf, Origin, Typing};

use positional::Position;
use read::Untyped;
use scan::Scan;
use term::{Guard, Term};

/// What [`check`] found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ownership {
    /// Accesses that may race, at most one pair for an array of a construct.
    pub conflicts: Vec<Conflict>,
    /// Casts (`ExprKind::Cast`) on which the acceptance rests: each must lose no value of its operand's type.
    pub injective: Vec<Id<Expr>>,
    /// For each construct with such: pairs of accesses, by their numbers in it, that launches have to keep apart.
    pub apart: BTreeMap<Id<Construct>, Vec<(u32, u32)>>,
}

/// Checks every parallel loop of a sketch. `exempt` says which accesses are the user's own responsibility.
pub fn check(sketch: &Sketch, exempt: impl Fn(Id<Expr>) -> bool) -> Ownership {
    let mut found = Ownership::default();
    let mut injective = BTreeSet::new();
    for (id, construct) in sketch.constructs.iter() {
        let Some(scan) = Scan::construct(sketch, construct) else { continue };
        let judged = Judge::new(&scan).judge(id, &exempt);
        found.conflicts.extend(judged.conflicts);
        injective.extend(judged.casts);
        if !judged.apart.is_empty() {
            found.apart.insert(id, judged.apart);
        }
    }
    found.injective = injective.into_iter().collect();
    found
}

/// The launch predicate of a construct: what keeps apart the pairs that [`check`] has left to launches.
pub fn predicate(sketch: &Sketch, construct: Id<Construct>, typing: &dyn Typing) -> Option<Predicate<Leaf>> {
    let construct = &sketch.constructs[construct];
    let scan = Scan::construct(sketch, construct)?;
    let numbers: BTreeSet<usize> = construct.apart.iter().flat_map(|(a, b)| [*a as usize, *b as usize]).collect();
    let numbers: Vec<usize> = numbers.into_iter().filter(|number| *number < scan.accesses.len()).collect();
    let mut predicate = read::predicate(&scan, typing, &numbers);
    let place = |number: u32| numbers.binary_search(&(number as usize)).ok();
    predicate.pairs = construct.apart.iter().map(|(a, b)| Some((place(*a)?, place(*b)?))).collect::<Option<_>>()?;
    Some(predicate)
}

/// The pairs of a construct of `old` that launches have to keep apart, by the numbers that its accesses have in `new`: the
/// same code, in which `array` says what an array is. `None` if an access is to what is no array there.
pub fn renumbered(
    old: &Sketch,
    new: &Sketch,
    construct: Id<Construct>,
    array: &dyn Fn(ParamId) -> Option<ParamId>,
) -> Option<Vec<(u32, u32)>> {
    let pairs = &old.constructs[construct].apart;
    if pairs.is_empty() {
        return Some(Vec::new());
    }
    let before = Scan::construct(old, &old.constructs[construct])?.accesses;
    let after = Scan::construct(new, &new.constructs[construct])?.accesses;
    // An expression may access one array at several places, in one order.
    let number = |number: u32| {
        let found = before.get(number as usize)?;
        let alike = |other: &&access::Found| other.access.expr == found.access.expr && other.array == found.array;
        let earlier = before[..number as usize].iter().filter(alike).count();
        let now = array(found.array)?;
        let mut same = after.iter().enumerate();
        let mut same = same.by_ref().filter(|(_, other)| other.access.expr == found.access.expr && other.array == now);
        same.nth(earlier).map(|(number, _)| number as u32)
    };
    pairs.iter().map(|(a, b)| Some((number(*a)?, number(*b)?))).collect()
}

/// True if the loops directly inside a parallel construct pass the rule, each on its own: then the loop round them can
/// run in order and they in parallel.
pub fn inner_loops_are_free(sketch: &Sketch, construct: Id<Construct>, exempt: impl Fn(Id<Expr>) -> bool) -> bool {
    let ConstructKind::Parallel { body, .. } = &sketch.constructs[construct].kind else { return false };
    let exprs = body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::Expr(expr) => Some(*expr),
        Stmt::Let { .. } => None,
    });
    let mut any = false;
    for expr in exprs.chain(body.tail) {
        let ExprKind::For { label: _, pattern, domain, unroll: _, body } = &sketch.exprs[expr].kind else { continue };
        any = true;
        let scan = Scan::new(sketch, &[], domain, pattern, body);
        if !Judge::new(&scan).judge(construct, &exempt).conflicts.is_empty() {
            return false;
        }
    }
    any
}

/// What is found about one loop.
#[derive(Default)]
struct Judged {
    conflicts: Vec<Conflict>,
    casts: BTreeSet<Id<Expr>>,
    apart: Vec<(u32, u32)>,
}

/// On what it rests that two accesses are apart.
#[derive(Debug, Clone)]
enum Proof {
    /// On nothing but these casts.
    Casts(Vec<Id<Expr>>),
    /// On the values of the launch.
    Launch,
}

/// What the equations of an access depend on: equal ones are judged once.
type Shape = (Vec<Id<Term>>, Vec<Guard>);

/// Judges the accesses of one loop.
struct Judge<'a, 's> {
    scan: &'a Scan<'s>,
    positions: Vec<Vec<Position>>,
    /// All accesses as terms, without types; made when first needed.
    terms: Option<Predicate<Leaf>>,
    tried: HashMap<(Shape, Shape), bool>,
}

impl<'a, 's> Judge<'a, 's> {
    fn new(scan: &'a Scan<'s>) -> Self {
        let positions = scan.accesses.iter().map(|found| scan.positions(found)).collect();
        Judge { scan, positions, terms: None, tried: HashMap::new() }
    }

    fn judge(&mut self, construct: Id<Construct>, exempt: &impl Fn(Id<Expr>) -> bool) -> Judged {
        let mut arrays: BTreeMap<ParamId, Vec<usize>> = BTreeMap::new();
        for (number, found) in self.scan.accesses.iter().enumerate() {
            if !exempt(found.access.expr) {
                arrays.entry(found.array).or_default().push(number);
            }
        }
        let mut judged = Judged::default();
        for (array, mut numbers) in arrays {
            // Stores first, then atomics: a message starts with the access that writes.
            numbers.sort_by_key(|number| self.scan.accesses[*number].access.kind);
            self.array(construct, array, &numbers, &mut judged);
        }
        judged
    }

    /// Judges the accesses to one array: each by itself first, so that the simplest conflict is told.
    fn array(&mut self, construct: Id<Construct>, array: ParamId, numbers: &[usize], judged: &mut Judged) {
        let alone = numbers.iter().map(|number| (*number, *number));
        let beside = numbers.iter().enumerate().flat_map(|(n, a)| numbers[n + 1..].iter().map(|b| (*a, *b)));
        let mut launch = HashSet::new();
        for (a, b) in alone.chain(beside).collect::<Vec<_>>() {
            let (first, second) = (&self.scan.accesses[a].access, &self.scan.accesses[b].access);
            if first.kind.agrees(second.kind) {
                continue;
            }
            match self.proof(a, b) {
                Some(Proof::Casts(casts)) => judged.casts.extend(casts),
                Some(Proof::Launch) => {
                    // Once for accesses alike.
                    if launch.insert(self.shapes(a, b)) {
                        judged.apart.push((a as u32, b as u32));
                    }
                }
                None => {
                    let kind = self.kind(a, b);
                    let (first, second) = (*first, *second);
                    let name = self.scan.sketch.params[array.0 as usize].name.clone();
                    let help = conflict::help(&name, kind, self.names());
                    judged.conflicts.push(Conflict { construct, array, name, first, second, kind, help });
                    return;
                }
            }
        }
    }

    /// Why two accesses are apart; `None` if they may meet.
    fn proof(&mut self, a: usize, b: usize) -> Option<Proof> {
        let (first, second) = (&self.scan.accesses[a], &self.scan.accesses[b]);
        if access::apart(&first.path, &second.path) {
            return Some(Proof::Casts(Vec::new()));
        }
        if let Some(casts) = positional::apart(&self.scan.variables, &self.positions[a], &self.positions[b]) {
            return Some(Proof::Casts(casts));
        }
        if first.index.is_empty() || second.index.is_empty() {
            return None;
        }
        let shapes = self.shapes(a, b);
        if let Some(known) = self.tried.get(&shapes) {
            return known.then_some(Proof::Launch);
        }
        let terms = self.terms.as_mut()?;
        terms.pairs = vec![(a, b)];
        let may = terms.rest_on_calls() || terms.may_hold();
        self.tried.insert(shapes, may);
        may.then_some(Proof::Launch)
    }

    fn shapes(&mut self, a: usize, b: usize) -> (Shape, Shape) {
        let scan = self.scan;
        let terms = self.terms.get_or_insert_with(|| {
            let all: Vec<usize> = (0..scan.accesses.len()).collect();
            read::predicate(scan, &Untyped(scan.sketch), &all)
        });
        let shape = |number: usize| (terms.reaches[number].index.clone(), terms.reaches[number].guards.clone());
        (shape(a), shape(b))
    }

    fn kind(&mut self, a: usize, b: usize) -> ConflictKind {
        let kinds = [a, b].map(|number| self.scan.accesses[number].access.kind);
        match kinds {
            [AccessKind::Lent, _] => ConflictKind::Lent,
            [_, AccessKind::Handed] => ConflictKind::Handed,
            _ if a == b => ConflictKind::WriteNotOwned,
            _ => {
                // An atomic access that isn't tied to its iteration, or a read.
                let loose = |this: &mut Self, number: usize| this.proof(number, number).is_none();
                if kinds.contains(&AccessKind::Scatter) {
                    ConflictKind::ScatterBesidePlain
                } else if kinds.contains(&AccessKind::Atomic) && (loose(self, a) || loose(self, b)) {
                    ConflictKind::AtomicBesidePlain
                } else if kinds[1] == AccessKind::Load && loose(self, b) {
                    ConflictKind::ReadNotOwned
                } else {
                    ConflictKind::Differ
                }
            }
        }
    }

    /// The loop's variables in words, if each has a name that isn't assigned.
    fn names(&self) -> Option<Vec<String>> {
        let name = |variable: &Option<scan::Variable>| {
            let (local, part) = (*variable)?;
            // `_` as the macro names it.
            let name = Some(&self.scan.sketch.locals[local].name).filter(|name| *name != "_")?;
            if name.starts_with("__qd_") {
                return Some("the number of the iteration".to_owned());
            }
            Some(part.map_or_else(|| format!("`{name}`"), |part| format!("`{name}.{part}`")))
        };
        self.scan.variables.iter().map(name).collect()
    }
}
