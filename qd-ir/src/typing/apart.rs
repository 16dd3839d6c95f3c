//! Launch predicates: what the macro left to the values of a launch, with rustc's types and with where each value is found.
use super::facts::Facts;
use super::hint::Hint;
use super::plain::{self, Plain};
use super::{LocalId, TypeError};
use crate::arena::Id;
use crate::ownership::{self, Leaf, Origin, Predicate, Typing};
use crate::plan::Invariant;
use crate::sketch::{Construct, Expr, ParamId, TypeName};
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
    let found = ownership::predicate(facts.sketch, construct, &Known(facts));
    let lost = || facts.error(source.pos, "the accesses that the macro found aren't there");
    let found = found.ok_or_else(lost)?;
    Ok(Some(found.with_leaves(|leaf| invariant(facts, globals, leaf))))
}

/// Where a leaf is found. What isn't found has no value, and then proves nothing.
fn invariant(facts: &Facts<'_>, globals: &[Option<Vec<Plain>>], leaf: Leaf) -> Invariant {
    let plain = match leaf.origin {
        Origin::Extent(param, dim) => Some(Plain::Extent { param, dim }),
        Origin::Len(param) => Some(Plain::Len { param }),
        Origin::Expr(expr) => match plain::eval(facts, globals, expr, &Hint::Free) {
            Ok((_, values)) => match values.as_slice() {
                [value] => Some(*value),
                _ => None,
            },
            Err(_) => None,
        },
    };
    let source = plain.filter(|plain| plain.ty().is_int()).and_then(|p| Some((p.source(facts).ok()?, p.ty())));
    Invariant { source, text: leaf.text }
}

/// rustc's types.
struct Known<'a>(&'a Facts<'a>);

impl Typing for Known<'_> {
    fn expr(&self, expr: Id<Expr>) -> Option<Type> {
        self.0.own(expr).cloned()
    }

    fn local(&self, local: LocalId) -> Option<Type> {
        self.0.local(local, Pos::default()).ok().cloned()
    }

    fn named(&self, name: TypeName) -> Option<Type> {
        self.0.target(name, Pos::default()).ok()
    }

    fn rank(&self, array: ParamId) -> Option<usize> {
        self.0.array(array, Pos::default()).ok().map(|array| array.rank.into())
    }
}
