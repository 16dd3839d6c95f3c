//! Conflicts: two accesses that may meet, in words, with what to write instead.
use std::fmt;

use crate::arena::Id;
use crate::sketch::{Construct, ParamId};

use super::access::Access;

/// Two accesses that may meet in one element, in two iterations of a parallel loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The loop.
    pub construct: Id<Construct>,
    /// The array.
    pub array: ParamId,
    /// Its name in the source.
    pub name: String,
    /// An access that writes: the load, assignment or atomic expression.
    pub first: Access,
    /// The access it may meet; the same one if it may meet itself.
    pub second: Access,
    /// Why.
    pub kind: ConflictKind,
    /// What to write instead.
    pub help: String,
}

/// Why two accesses may race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConflictKind {
    /// Two iterations may write one element.
    WriteNotOwned,
    /// A read, whose index isn't tied to its iteration, of what another iteration may write.
    ReadNotOwned,
    /// Each access keeps to its iteration, but they do so in different ways, as `x[i]` and `x[i + 1]`.
    Differ,
    /// An atomic access to a place that isn't owned, beside an access that isn't atomic.
    AtomicBesidePlain,
    /// A scatter beside an access that is none.
    ScatterBesidePlain,
    /// A function is given the whole array, to write where it likes.
    Lent,
    /// A function is given the whole array to read, beside an access that writes.
    Handed,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.kind {
            ConflictKind::WriteNotOwned => write!(f, "two iterations may write the same element of `{name}`"),
            ConflictKind::ReadNotOwned => write!(f, "an iteration may read an element of `{name}` that another writes"),
            ConflictKind::Differ => {
                write!(f, "accesses with different indices: an element of `{name}` may belong to two iterations")
            }
            ConflictKind::AtomicBesidePlain => {
                write!(f, "`{name}` is accessed atomically at any place and without atomics in one loop")
            }
            ConflictKind::ScatterBesidePlain => {
                write!(f, "`{name}` is scattered to and accessed otherwise in one loop")
            }
            ConflictKind::Lent => {
                write!(f, "a function that is given the whole of `{name}` may write the same element in two iterations")
            }
            ConflictKind::Handed => {
                write!(
                    f,
                    "a function that is given the whole of `{name}` may read an element that another iteration writes"
                )
            }
        }
    }
}

/// What to write instead. `names` are those of the loop's variables, if each has one that isn't assigned.
pub(super) fn help(array: &str, kind: ConflictKind, names: Option<Vec<String>>) -> String {
    match kind {
        ConflictKind::Lent => {
            return format!(
                "give it an element that the iteration owns, `&mut {array}[..]`, or `&{array}` if it only reads; \
                 `unsafe {{ .. }}` lifts the rule"
            );
        }
        ConflictKind::Handed => {
            return format!(
                "write to another array than `{array}`, or give the function the elements that it reads; \
                 `unsafe {{ .. }}` lifts the rule"
            );
        }
        ConflictKind::AtomicBesidePlain => {
            return format!(
                "in a loop that updates `{array}` atomically at any place, make every access to it atomic, or move the \
                 others into a loop of their own; `unsafe {{ .. }}` lifts the rule"
            );
        }
        ConflictKind::ScatterBesidePlain => {
            return format!(
                "in a loop that scatters to `{array}`, make every access to it a scatter, or move the others into a loop of \
                 their own; `unsafe {{ .. }}` lifts the rule"
            );
        }
        ConflictKind::WriteNotOwned | ConflictKind::ReadNotOwned | ConflictKind::Differ => {}
    }
    let Some(names) = names else {
        return format!(
            "give the loop an immutable variable for each dimension and use it in the index of `{array}`, or wrap \
             accesses that you know to be apart in `unsafe {{ .. }}`"
        );
    };
    let names = names.join(" and ");
    format!(
        "index `{array}` with {names}, plus or minus a value that is the same in all iterations, or keep each iteration \
         to a stretch of its own (`{array}[i * w + j]` with `j < w`); read from another array, split the loop, use \
         `qd::atomic` or `qd::scatter`, or wrap accesses that you know to be apart in `unsafe {{ .. }}`"
    )
}
