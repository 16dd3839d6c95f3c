//! Launch predicates: what the macro left to the values of a launch, with rustc's types and with where each value is found.
use super::facts::Facts;
use super::hint::Hint;
use super::plain::{self, Plain};
use super::{LocalId, TypeError};
use crate::arena::Id;
use crate::ownership::{self, Called, Leaf, Origin, Predicate, Typing};
use crate::plan::Invariant;
use crate::sketch::{CalleeId, ConstId, Constant, Construct, Expr, Member, ParamId, TypeName};
use crate::source_map::Pos;
use crate::types::Type;

/// The predicate of a construct, if there is something that only a launch can tell. `globals` is what names stand for
/// before it.
pub(super) fn predicate(
    facts: &Facts<'_>,
    globals: &[Option<Vec<Plain>>],
    construct: Id<Construct>,
) -> Result<Option<Predicate<Invariant>>, TypeError> {
    let source = &facts.sketch.constructs[construct];
    if source.apart.is_empty() {
        return Ok(None);
    }
    let found = ownership::predicate(facts.sketch, construct, facts);
    let lost = || facts.error(source.pos, "the accesses that the macro found aren't there");
    let found = found.ok_or_else(lost)?;
    Ok(Some(found.with_leaves(|leaf| invariant(facts, globals, leaf))))
}

/// Where a leaf is found. What isn't found has no value, and then proves nothing.
fn invariant(facts: &Facts<'_>, globals: &[Option<Vec<Plain>>], leaf: Leaf) -> Invariant {
    let plain = match leaf.origin {
        Origin::Extent(param, dim) => Some(Plain::Extent { param, dim }),
        Origin::Len(param) => Some(Plain::Len { param }),
        Origin::Expr(expr, members) => part(facts, globals, expr, &members),
    };
    let source = plain.filter(|plain| plain.ty().is_int()).and_then(|p| Some((p.source(facts).ok()?, p.ty())));
    Invariant { source, text: leaf.text }
}

/// The scalar that is that part of a plain expression.
fn part(facts: &Facts<'_>, globals: &[Option<Vec<Plain>>], expr: Id<Expr>, members: &[Member]) -> Option<Plain> {
    let (mut ty, values) = plain::eval(facts, globals, expr, &Hint::Free).ok()?;
    let mut values = values.as_slice();
    for member in members {
        let (inner, range) = facts.field(&ty, member, facts.pos(expr)).ok()?;
        (ty, values) = (inner, values.get(range)?);
    }
    match values {
        [value] => Some(*value),
        _ => None,
    }
}

/// rustc's types.
impl Typing for Facts<'_> {
    fn expr(&self, expr: Id<Expr>) -> Option<Type> {
        self.own(expr).cloned()
    }

    fn local(&self, local: LocalId) -> Option<Type> {
        Facts::local(self, local, Pos::default()).ok().cloned()
    }

    fn named(&self, name: TypeName) -> Option<Type> {
        self.target(name, Pos::default()).ok()
    }

    fn rank(&self, array: ParamId) -> Option<usize> {
        self.array(array, Pos::default()).ok().map(|array| array.rank.into())
    }

    fn constant(&self, constant: ConstId) -> Option<i128> {
        let Constant { ty, parts } = Facts::constant(self, constant, Pos::default()).ok()?;
        match parts.as_slice() {
            [value] => ty.as_scalar().filter(|ty| ty.is_int())?.integer(value.bits),
            _ => None,
        }
    }

    fn callee(&self, callee: CalleeId) -> Option<Called<'_>> {
        let facts = Facts::callee(self, callee, Pos::default()).ok()?;
        Some(Called { sketch: facts.sketch, body: facts.func.as_ref()?.body, typing: facts })
    }

    fn is_called(&self, expr: Id<Expr>) -> bool {
        self.operator(expr).is_some()
    }
}
