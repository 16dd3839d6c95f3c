//! Accesses: what a loop does with arrays, where it stands, and under which conditions.
use crate::arena::Id;
use crate::sketch::{Expr, ExprKind, ParamId, Projection, Sketch};
use crate::source_map::Pos;

/// An access to an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// `ExprKind::Load`, `Assign`, `AssignOp`, `Atomic`, `CompareExchange`, `Scatter` or `Call`.
    pub expr: Id<Expr>,
    /// Where it stands.
    pub pos: Pos,
    /// What it does.
    pub kind: AccessKind,
}

/// What an access does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AccessKind {
    /// Handed to a function as a whole, which may write any element.
    Lent,
    /// Writes (and, for `op=` and places that functions are given, reads).
    Store,
    /// Claims and writes: of two iterations that do so at one element, one fails.
    Scatter,
    /// Updates atomically.
    Atomic,
    /// Reads.
    Load,
    /// Handed to a function as a whole, which may read any element.
    Handed,
}

impl AccessKind {
    /// Whether two accesses of these kinds may meet in one element without harm.
    pub(super) fn agrees(self, other: AccessKind) -> bool {
        use AccessKind::{Atomic, Handed, Lent, Load, Scatter, Store};
        match (self, other) {
            (Load | Handed, Load | Handed) | (Atomic, Atomic) | (Scatter, Scatter) => true,
            (Lent | Store, _)
            | (_, Lent | Store)
            | (Atomic, Load | Handed | Scatter)
            | (Load | Handed | Scatter, Atomic)
            | (Scatter, Load | Handed)
            | (Load | Handed, Scatter) => false,
        }
    }

    /// What it does, in words.
    pub(super) fn verb(self) -> &'static str {
        match self {
            AccessKind::Lent | AccessKind::Store | AccessKind::Scatter => "written",
            AccessKind::Atomic => "updated atomically",
            AccessKind::Load | AccessKind::Handed => "read",
        }
    }
}

/// An access in its loop.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub access: Access,
    pub array: ParamId,
    /// One expression a dimension; none if the array is handed on as a whole.
    pub index: Vec<Id<Expr>>,
    /// From the element to the part that is meant.
    pub path: Vec<Step>,
    /// Conditions that hold where the access is made (`true`) or don't (`false`), outermost first.
    pub guards: Vec<(Id<Expr>, bool)>,
}

/// A step from an element to a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Field(String),
    /// The number, where it is a literal.
    Index(Option<u128>),
}

impl Step {
    pub fn of(sketch: &Sketch, projection: &Projection) -> Step {
        match projection {
            Projection::Field(member) => Step::Field(member.to_string()),
            Projection::Index(index) => Step::index(sketch, *index),
        }
    }

    pub fn index(sketch: &Sketch, index: Id<Expr>) -> Step {
        Step::Index(match sketch.exprs[index].kind {
            ExprKind::Int { value, .. } => Some(value),
            _ => None,
        })
    }
}

/// True if the paths lead to different parts of an element: they part at two fields, or at two literal indices. (`v.x`
/// and `v[0]` may be one.)
pub(super) fn apart(a: &[Step], b: &[Step]) -> bool {
    for pair in a.iter().zip(b) {
        match pair {
            (Step::Field(a), Step::Field(b)) if a == b => {}
            (Step::Field(_), Step::Field(_)) => return true,
            (Step::Index(Some(a)), Step::Index(Some(b))) if a != b => return true,
            (Step::Index(_), Step::Index(_)) => {}
            (Step::Field(_), Step::Index(_)) | (Step::Index(_), Step::Field(_)) => return false,
        }
    }
    false
}
