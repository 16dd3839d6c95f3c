//! Random well-typed kernels, by number: one number, one program.
//!
//! What is made is meant to be accepted: indices of arrays that a parallel loop writes are its own, and reductions are
//! of a form that has one. Values are compared bit by bit, so what Rust leaves open is left out: the sign and payload of
//! NaN, the sign of zero in float `min` and `max`, old values of atomics, float sums (unless all terms are small whole
//! numbers, which every order sums alike). Loops are short, and counted where nothing else ends them.
mod atomic;
mod bundle;
mod call;
mod chain;
mod draw;
mod expr;
mod extreme;
mod fold;
mod func;
mod half;
mod linear;
mod matching;
mod nest;
mod own;
mod place;
mod plan;
mod say;
mod signature;
mod stmt;

use fastrand::Rng;
use qd_ir::op::{BitClass, Form as Written, Op};
use qd_ir::types::Scalar;

use super::form::Form;
use super::program::{Expr, Item, Piece, Program, pieces};
use super::ty::{Defs, Ty};
use extreme::Extreme;
use fold::Fold;
use func::Func;
use own::OwnOperator;

/// The program of that number.
pub(super) fn program(number: u64) -> Program {
    program_of(number, operations())
}

/// The program of that number among those without operations whose results are one's on the CPU and another's on a GPU.
pub(super) fn exact_program(number: u64) -> Program {
    let exact = |operation: &Operation| operation.op.row().class == BitClass::Exact;
    program_of(number, operations().into_iter().filter(exact).collect())
}

fn program_of(number: u64, operations: Vec<Operation>) -> Program {
    let mut generator = Generator {
        rng: Rng::with_seed(number),
        defs: Defs::default(),
        items: Vec::new(),
        funcs: Vec::new(),
        operators: Vec::new(),
        offsets: Vec::new(),
        names: Vec::new(),
        arrays: Vec::new(),
        borrowed: Vec::new(),
        indices: 0,
        folds: Vec::new(),
        extreme: None,
        loops: Vec::new(),
        floor: 0,
        level: Level::Top,
        spoken: false,
        chained: false,
        bound: None,
        made: 0,
        result: Ty::UNIT,
        operations,
    };
    generator.program()
}

/// An operation on a receiver, and what it gives.
#[derive(Debug, Clone, Copy)]
struct Operation {
    op: Op,
    receiver: Scalar,
    output: Scalar,
}

/// True if the results of an operation must agree to the bit.
pub(super) fn is_closed(op: Op, receiver: Scalar) -> bool {
    let of_floats = ["min", "max", "clamp", "to_bits", "copysign", "is_sign_negative", "is_sign_positive"];
    !(receiver.is_float() && of_floats.contains(&op.row().text))
}

/// The types that have literals and `as`.
fn primitives() -> impl Iterator<Item = Scalar> {
    Scalar::ALL.into_iter().filter(|ty| ty.is_primitive())
}

/// The operations that can be generated, receiver by receiver. Casts have a form of their own.
fn operations() -> Vec<Operation> {
    Op::ALL
        .iter()
        .flat_map(|&op| primitives().map(move |receiver| (op, receiver)))
        .filter(|&(op, receiver)| op.row().receiver.accepts(receiver) && is_closed(op, receiver))
        // Of these the source has none.
        .filter(|(op, _)| op.row().form != Written::Debug)
        .filter_map(|(op, receiver)| op.output(receiver).map(|output| Operation { op, receiver, output }))
        .collect()
}

/// True for operations that some program can have.
#[cfg(test)]
pub(super) fn is_possible(op: Op) -> bool {
    operations().iter().any(|operation| operation.op == op)
}

/// A name in scope.
#[derive(Debug, Clone)]
struct Name {
    ident: String,
    /// How its value is written: `(*v)` for a reference.
    text: String,
    ty: Ty,
    mutable: bool,
    /// It can't be read: the loop that is being made reduces it.
    hidden: bool,
    /// It can't be in a macro call, or bound anew: an element of a loop over elements.
    silent: bool,
}

/// What the code that is being made does with an array.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Access {
    /// Read anywhere.
    Read,
    /// Read and written anywhere: serial code.
    Free,
    /// Read and written at the index of the iteration.
    Own(String),
    /// Only atomic updates, of one kind.
    Atomic(&'static str),
    /// Not at all: a loop runs over it.
    Gone,
    /// Not yet: the loop over a segment will own it.
    Segment,
}

/// An array in scope.
#[derive(Debug, Clone)]
struct Array {
    name: String,
    element: Ty,
    rank: usize,
    slice: bool,
    mutable: bool,
    access: Access,
}

impl Array {
    /// The name of one of its extents; of a slice that is a parameter there is none.
    fn extent(&self, dim: usize) -> String {
        format!("{}_{dim}", self.name.replace('.', "_"))
    }

    /// True if the length is read where it is needed. That of a field is bound: while the field is borrowed for a write,
    /// as its index by a call does, it can't be read.
    fn is_measured(&self) -> bool {
        self.slice && !self.name.contains('.')
    }
}

/// Where the code stands that is being made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    /// At top level, where loops become tasks.
    Top,
    /// In a serial statement.
    Serial,
    /// In an iteration.
    Iteration,
    /// In a function, which can return.
    Func,
}

/// A loop round the code that is being made: its label, and whether `break` may leave it.
#[derive(Debug, Clone)]
struct Loop {
    label: Option<String>,
    breaks: bool,
}

/// What the type parameter `T` can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Number,
    Int,
    Float,
}

impl Bound {
    fn name(self) -> &'static str {
        match self {
            Bound::Number => "Number",
            Bound::Int => "Int",
            Bound::Float => "Float",
        }
    }

    fn accepts(self, ty: Scalar) -> bool {
        match self {
            Bound::Number => ty != Scalar::Bool,
            Bound::Int => ty.is_int(),
            Bound::Float => ty.is_float(),
        }
    }
}

struct Generator {
    rng: Rng,
    defs: Defs,
    items: Vec<Item>,
    funcs: Vec<Func>,
    /// The operators of structs.
    operators: Vec<(usize, OwnOperator)>,
    /// The parameters that are offsets of segments.
    offsets: Vec<String>,
    names: Vec<Name>,
    arrays: Vec<Array>,
    /// Names and arrays that can't be read or written now: a place in them is being borrowed.
    borrowed: Vec<String>,
    /// How many indices of parts stand round what is made now.
    indices: usize,
    /// What the loop reduces.
    folds: Vec<Fold>,
    /// What the loop finds the extreme of.
    extreme: Option<Extreme>,
    loops: Vec<Loop>,
    /// Names before this one can't be assigned to.
    floor: usize,
    level: Level,
    /// The expression stands in a macro call.
    spoken: bool,
    /// The expression stands in a closure, where numbers alone have operators.
    chained: bool,
    /// There is a type parameter, and this is what it can do.
    bound: Option<Bound>,
    made: usize,
    /// Of the kernel, or of the function that is being made.
    result: Ty,
    operations: Vec<Operation>,
}

impl Generator {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(..100) < percent
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.rng.usize(..of.len())].clone())
    }

    fn number(&mut self) -> usize {
        self.made += 1;
        self.made
    }

    fn scalar(&mut self) -> Scalar {
        if self.chance(6) { self.half_type() } else { self.such(|_| true) }
    }

    fn such(&mut self, fits: impl Fn(Scalar) -> bool) -> Scalar {
        let fitting: Vec<Scalar> = primitives().filter(|ty| fits(*ty)).collect();
        self.pick(&fitting).unwrap_or(Scalar::I32)
    }

    fn integer(&mut self) -> Scalar {
        self.such(Scalar::is_int)
    }

    /// The component of a vector; of those the 128-bit integers have no `scalar * vector`.
    fn component(&mut self) -> Scalar {
        self.such(|ty| ty != Scalar::Bool && ty.size() <= 8)
    }

    /// A type, composed of others at most `depth` deep.
    fn ty(&mut self, depth: usize) -> Ty {
        if depth == 0 {
            return self.scalar().into();
        }
        match self.rng.u32(..100) {
            0..=54 => self.scalar().into(),
            55..=64 => Ty::Tuple((0..2 + self.rng.usize(..2)).map(|_| self.ty(depth - 1)).collect()),
            65..=74 => Ty::List(Box::new(self.ty(depth - 1)), 1 + self.rng.usize(..4)),
            75..=82 if !self.defs.structs.is_empty() => {
                let number = self.rng.usize(..self.defs.structs.len());
                let argument = self.defs.structs[number].generic.then(|| Box::new(self.number_type().into()));
                Ty::Struct(number, argument)
            }
            83..=87 if !self.defs.enums.is_empty() => Ty::Enum(self.rng.usize(..self.defs.enums.len())),
            88..=93 => Ty::Vector(self.component(), 2 + self.rng.usize(..3)),
            94..=97 => Ty::Matrix(self.component(), 2 + self.rng.usize(..2), 2 + self.rng.usize(..2)),
            _ => self.scalar().into(),
        }
    }

    /// The type of an integer or a float.
    fn number_type(&mut self) -> Scalar {
        self.such(|ty| ty != Scalar::Bool)
    }

    /// A new name, now and then one that hides another.
    fn fresh(&mut self) -> String {
        if self.chance(8) {
            // Loop variables stay visible, for indices, and so do reduced names, for their updates.
            let folds = |ident: &String| self.folds.iter().any(|fold| fold.root == *ident);
            let idents: Vec<String> = self
                .names
                .iter()
                .filter(|name| !name.silent && name.ident.starts_with(['v', 'p']) && !folds(&name.ident))
                .map(|name| name.ident.clone())
                .collect();
            if let Some(ident) = self.pick(&idents) {
                return ident;
            }
        }
        format!("v{}", self.number())
    }

    fn bind(&mut self, ident: &str, ty: impl Into<Ty>, mutable: bool) {
        let (ident, text) = (ident.to_owned(), ident.to_owned());
        self.names.push(Name { ident, text, ty: ty.into(), mutable, hidden: false, silent: false });
    }

    /// Binds a name that is a reference.
    fn bind_reference(&mut self, ident: &str, ty: Ty, mutable: bool, silent: bool) {
        let text = format!("(*{ident})");
        self.names.push(Name { ident: ident.to_owned(), text, ty, mutable, hidden: false, silent });
    }

    /// What the name means here, if it is not hidden behind another of its name.
    fn is_visible(&self, k: usize) -> bool {
        self.names.iter().rposition(|other| other.ident == self.names[k].ident) == Some(k)
    }

    /// The names that can be read.
    fn readable(&self) -> Vec<Name> {
        let names = self.names.iter().enumerate();
        names
            .filter(|(k, name)| {
                let unreadable = name.hidden || self.spoken && name.silent || self.borrowed.contains(&name.ident);
                !unreadable && self.is_visible(*k)
            })
            .map(|(_, name)| name.clone())
            .collect()
    }

    /// The names that can be assigned to.
    fn assignable(&self) -> Vec<Name> {
        let names = self.names.iter().enumerate().skip(self.floor);
        names
            .filter(|(k, name)| {
                name.mutable && !name.hidden && self.is_visible(*k) && !self.borrowed.contains(&name.ident)
            })
            .map(|(_, name)| name.clone())
            .collect()
    }

    /// Makes what `inside` makes, and forgets the names bound there.
    fn scope<R>(&mut self, inside: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.names.len();
        let made = inside(self);
        self.names.truncate(before);
        made
    }

    fn program(&mut self) -> Program {
        self.define();
        for _ in 0..self.rng.usize(..4) {
            self.function();
        }
        if self.chance(50) {
            self.methods();
        }
        if self.chance(35) {
            self.own_operators();
        }
        if self.chance(30) {
            self.own_trait();
        }
        let (generics, instances) = self.generics();
        let (params, mut body) = self.params();
        self.result = match self.rng.u32(..10) {
            0..=2 => Ty::UNIT,
            3..=5 => self.scalar().into(),
            6..=7 => Ty::Tuple((0..2 + self.rng.usize(..2)).map(|_| self.scalar().into()).collect()),
            _ => self.ty(2),
        };
        for _ in 0..1 + self.rng.usize(..3) {
            let ty = self.ty(2);
            let init = self.expr(&ty, 1);
            body.push(self.declare(init, true));
        }
        for _ in 0..2 + self.rng.usize(..3) {
            body.extend(self.top(2));
        }
        let result = self.result.clone();
        let tail = (result != Ty::UNIT).then(|| self.expr(&result, 2));
        let items = std::mem::take(&mut self.items);
        let mut program = Program { defs: self.defs.clone(), items, generics, instances, params, result, body, tail };
        self.drop_unused(&mut program);
        program
    }
}

/// True if the text has that word.
fn mentions(text: &str, word: &str) -> bool {
    if word.contains('.') {
        return text.contains(word);
    }
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

/// `label: ` or nothing.
fn label_text(label: &Option<String>) -> String {
    label.as_ref().map(|label| format!("{label}: ")).unwrap_or_default()
}

/// Kept for the modules of the generator.
type Pieces = Vec<Piece>;

/// A value that nothing else is known about.
fn text_expr(ty: impl Into<Ty>, form: Form, text: String) -> Expr {
    Expr::new(ty, form, pieces![text])
}
