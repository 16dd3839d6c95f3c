//! A task: the unit that is keyed, compiled, stored and launched.
//!
//! A task knows no names and no place in a kernel. What it reads and writes is numbered by first use in a pre-order
//! walk of its own text, so that two loops of the same text are the same task wherever they stand.
use std::collections::BTreeSet;

use crate::arena::{Arena, Id};
use crate::body::{Local, Region, Stmt, Value};
use crate::fault::Site;
use crate::op::ReduceOp;
use crate::types::{ArrayType, Scalar};

/// An array the task accesses or measures.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Array {
    /// Element, rank, mutability of the parameter.
    pub ty: ArrayType,
}

/// A scalar given to the task by value: a parameter, or a slot it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Input {
    /// Its type.
    pub ty: Scalar,
}

/// A slot that a serial task writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Output {
    /// Its type.
    pub ty: Scalar,
}

/// A reduction over the iterations of a parallel loop. The launcher combines the prior value last.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// Scalars, each by one operation.
    Each {
        /// The operation.
        op: ReduceOp,
        /// The type of the scalars.
        ty: Scalar,
        /// Their number: 1, or for a list that is indexed at run time any. Lists take only what is
        /// [order-free](crate::reduce::is_order_free).
        len: u32,
    },
    /// The extreme of a key, and what goes with it: `if key < best { best = key; at = i; }`.
    Extreme {
        /// Which one.
        order: Order,
        /// Types of the key's scalars, which compare as those of a tuple. A float is the only one.
        key: Vec<Scalar>,
        /// Types of what goes with it.
        with: Vec<Scalar>,
    },
}

/// Which of many keys is the extreme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Order {
    /// The greatest (`>`, `>=`), not the least (`<`, `<=`).
    pub greatest: bool,
    /// Of equal ones the last (`<=`, `>=`), not the first (`<`, `>`).
    pub last: bool,
}

impl Reduction {
    /// The types of its scalars, in order.
    pub fn scalars(&self) -> impl Iterator<Item = Scalar> + '_ {
        let (each, len, key, with): (_, _, &[Scalar], &[Scalar]) = match self {
            Reduction::Each { op: _, ty, len } => (Some(*ty), *len as usize, &[], &[]),
            Reduction::Extreme { order: _, key, with } => (None, 0, key, with),
        };
        each.into_iter().flat_map(move |ty| std::iter::repeat_n(ty, len)).chain(key.iter().chain(with).copied())
    }
}

/// One dimension of a parallel domain; the last one runs fastest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dim {
    /// The loop variable, an integer: visible in the body.
    pub var: Id<Value>,
    /// First value: set in the bounds region.
    pub lo: Id<Value>,
    /// End, not included: set in the bounds region. The dimension is empty if `hi <= lo`.
    pub hi: Id<Value>,
}

/// How the body is run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TaskKind {
    /// Once.
    Serial,
    /// Once for each point of a domain, in any order.
    Parallel {
        /// Evaluated once before the loop; sets the bounds of `dims`. Its other values aren't visible in the body, but
        /// for those that are `carried`.
        bounds: Region,
        /// Values of the bounds that the body sees.
        carried: Vec<Id<Value>>,
        /// One to four dimensions.
        dims: Vec<Dim>,
        /// The reductions, by first use.
        reductions: Arena<Reduction>,
    },
}

/// A task. The arenas are shared by the bounds and the body.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Task {
    /// Serial or parallel.
    pub kind: TaskKind,
    /// The arrays, by first use.
    pub arrays: Arena<Array>,
    /// The scalars read, by first use.
    pub inputs: Arena<Input>,
    /// The slots written (serial tasks only), by first use.
    pub outputs: Arena<Output>,
    /// The values.
    pub values: Arena<Value>,
    /// The variables.
    pub locals: Arena<Local>,
    /// The places that can fail, by position in the text.
    pub sites: Arena<Site>,
    /// What an iteration does.
    pub body: Region,
}

impl Task {
    /// The arrays of a parallel task whose elements iterations claim, ascending.
    pub fn claimed(&self) -> Vec<Id<Array>> {
        fn visit(region: &Region, claimed: &mut BTreeSet<Id<Array>>) {
            for stmt in &region.0 {
                if let Stmt::Claim { array, .. } = stmt {
                    claimed.insert(*array);
                }
                stmt.regions().for_each(|inside| visit(inside, claimed));
            }
        }
        let mut claimed = BTreeSet::new();
        match self.kind {
            TaskKind::Serial => {}
            TaskKind::Parallel { .. } => visit(&self.body, &mut claimed),
        }
        claimed.into_iter().collect()
    }

    /// An empty task of that kind.
    pub fn new(kind: TaskKind) -> Self {
        Task {
            kind,
            arrays: Arena::new(),
            inputs: Arena::new(),
            outputs: Arena::new(),
            values: Arena::new(),
            locals: Arena::new(),
            sites: Arena::new(),
            body: Region::default(),
        }
    }

    /// The dimensions of the domain; none for a serial task.
    pub fn dims(&self) -> &[Dim] {
        match &self.kind {
            TaskKind::Serial => &[],
            TaskKind::Parallel { dims, .. } => dims,
        }
    }

    /// The values of the bounds that the body sees; none in a serial task.
    pub fn carried(&self) -> &[Id<Value>] {
        match &self.kind {
            TaskKind::Serial => &[],
            TaskKind::Parallel { carried, .. } => carried,
        }
    }

    /// The reductions; none for a serial task.
    pub fn reductions(&self) -> &[Reduction] {
        match &self.kind {
            TaskKind::Serial => &[],
            TaskKind::Parallel { reductions, .. } => reductions.values(),
        }
    }

    /// A new value of that type.
    pub fn value(&mut self, ty: Scalar) -> Id<Value> {
        self.values.push(Value { ty })
    }

    /// Type of a value.
    pub fn ty(&self, value: Id<Value>) -> Scalar {
        self.values[value].ty
    }
}
