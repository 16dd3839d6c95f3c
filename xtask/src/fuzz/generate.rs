//! Random well-typed kernels, by number: one number, one program.
//!
//! What is made is meant to be accepted: indices of arrays that a parallel loop writes are its own, and reductions are
//! of a form that has one. Values are compared bit by bit, so what Rust leaves open is left out: the sign and payload of
//! NaN, the sign of zero in float `min` and `max`, float sums (their tree isn't the native loop's order), old values of
//! atomics. Loops are short, and counted where nothing else ends them.
use fastrand::Rng;
use qd_ir::op::{AtomicOp, Op, ReduceOp};
use qd_ir::types::{Scalar, ScalarClass};

use super::program::{Arm, Block, Domain, Expr, Kind, Param, ParamType, Place, Program, Stmt};

/// The program of that number.
pub(super) fn program(number: u64) -> Program {
    let mut generator = Generator {
        rng: Rng::with_seed(number),
        names: Vec::new(),
        arrays: Vec::new(),
        atomics: Vec::new(),
        borrowed: None,
        folds: Vec::new(),
        loops: Vec::new(),
        floor: 0,
        level: Level::Top,
        made: 0,
        result: Vec::new(),
        operations: operations(),
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

/// The operations whose results must agree to the bit.
fn operations() -> Vec<Operation> {
    let open = |op: Op, receiver: Scalar| {
        let of_floats = ["min", "max", "clamp", "to_bits", "copysign", "is_sign_negative", "is_sign_positive"];
        receiver.is_float() && of_floats.contains(&op.row().text)
    };
    Op::ALL
        .iter()
        .flat_map(|&op| Scalar::ALL.into_iter().map(move |receiver| (op, receiver)))
        .filter(|&(op, receiver)| op.row().receiver.accepts(receiver) && !open(op, receiver))
        .filter_map(|(op, receiver)| op.output(receiver).map(|output| Operation { op, receiver, output }))
        .collect()
}

/// A name in scope.
#[derive(Debug, Clone)]
struct Name {
    text: String,
    ty: Scalar,
    mutable: bool,
    /// Reduced by the loop that is being made, so that it can't be read.
    hidden: bool,
}

/// What the loop that is being made does with an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// Read anywhere.
    Read,
    /// Read and written anywhere: serial code.
    Free,
    /// Read and written at the index of the iteration.
    Own,
    /// Only atomic updates, of one kind.
    Atomic,
}

/// An array parameter.
#[derive(Debug, Clone)]
struct Array {
    name: String,
    element: Scalar,
    rank: usize,
    mutable: bool,
    access: Access,
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
}

/// A loop round the code that is being made: its label, and whether `break` may leave it.
#[derive(Debug, Clone)]
struct Loop {
    label: Option<String>,
    breaks: bool,
}

struct Generator {
    rng: Rng,
    names: Vec<Name>,
    arrays: Vec<Array>,
    /// The update of each array of the loop that is being made, if it is atomic.
    atomics: Vec<&'static str>,
    /// The array whose element is being borrowed: it can't be read meanwhile.
    borrowed: Option<String>,
    /// What the loop reduces: name, type, operation.
    folds: Vec<(String, Scalar, Op)>,
    loops: Vec<Loop>,
    /// Names before this one can't be assigned to.
    floor: usize,
    level: Level,
    made: usize,
    result: Vec<Scalar>,
    operations: Vec<Operation>,
}

impl Generator {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(..100) < percent
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        (!of.is_empty()).then(|| of[self.rng.usize(..of.len())].clone())
    }

    fn scalar(&mut self) -> Scalar {
        Scalar::ALL[self.rng.usize(..Scalar::ALL.len())]
    }

    fn integer(&mut self) -> Scalar {
        loop {
            let ty = self.scalar();
            if ty.is_int() {
                return ty;
            }
        }
    }

    /// A new name, now and then one that hides another.
    fn fresh(&mut self) -> String {
        if self.chance(8) {
            // Loop variables stay visible, for indices, and so do reduced names, for their updates.
            let names: Vec<String> = self.names.iter().map(|name| name.text.clone()).collect();
            let folds = |text: &String| self.folds.iter().any(|(fold, ..)| fold == text);
            let names: Vec<String> =
                names.into_iter().filter(|text| text.starts_with(['v', 'p']) && !folds(text)).collect();
            if let Some(name) = self.pick(&names) {
                return name;
            }
        }
        self.made += 1;
        format!("v{}", self.made)
    }

    fn bind(&mut self, text: &str, ty: Scalar, mutable: bool) {
        self.names.push(Name { text: text.to_owned(), ty, mutable, hidden: false });
    }

    fn program(&mut self) -> Program {
        let (mut params, mut body) = (Vec::new(), Vec::new());
        for k in 0..1 + self.rng.usize(..3) {
            let (name, ty) = (format!("p{k}"), self.scalar());
            self.bind(&name, ty, false);
            params.push(Param { name, ty: ParamType::Scalar(ty) });
        }
        for k in 0..2 + self.rng.usize(..4) {
            // The first two can be written, so that every program has a visible effect.
            let (name, element, mutable) = (format!("a{k}"), self.scalar(), k < 2 || self.chance(40));
            let rank = if self.chance(30) { 2 } else { 1 };
            let ty =
                if rank == 1 { ParamType::Slice { element, mutable } } else { ParamType::Grid { element, mutable } };
            self.arrays.push(Array { name: name.clone(), element, rank, mutable, access: Access::Free });
            if rank == 2 {
                // Of a grid that is written at the same time, the shape can't be read.
                for dim in 0..2 {
                    let init = Expr::name(Scalar::Usize, format!("{name}.shape()[{dim}]"));
                    let name = format!("{name}_{dim}");
                    body.push(Stmt::Let { name, mutable: false, annotated: false, init });
                }
            }
            params.push(Param { name, ty });
        }
        self.result = (0..self.rng.usize(..4)).map(|_| self.scalar()).collect();
        for _ in 0..1 + self.rng.usize(..3) {
            let ty = self.scalar();
            let init = self.expr(ty, 1);
            body.push(self.declare(init, true));
        }
        for _ in 0..2 + self.rng.usize(..3) {
            body.extend(self.top(2));
        }
        let tail = self.values();
        Program { params, result: self.result.clone(), body, tail }
    }

    /// A value for each part of the result.
    fn values(&mut self) -> Vec<Expr> {
        self.result.clone().into_iter().map(|ty| self.expr(ty, 1)).collect()
    }

    /// A top-level statement; `depth` bounds how deep loops lie in steps of the plan.
    fn top(&mut self, depth: usize) -> Vec<Stmt> {
        match self.rng.u32(..100) {
            0..=54 => vec![self.parallel()],
            55..=62 if depth > 0 => {
                let cond = self.expr(Scalar::Bool, 1);
                let then = self.tops(depth - 1);
                let otherwise = if self.chance(50) { self.tops(depth - 1) } else { Vec::new() };
                vec![Stmt::If { cond, then, otherwise }]
            }
            63..=70 if depth > 0 => vec![self.counted(depth - 1, Self::tops)],
            71..=73 if depth > 0 => {
                let cond = self.expr(Scalar::Bool, 2);
                vec![Stmt::If { cond, then: vec![Stmt::Return(self.values())], otherwise: Vec::new() }]
            }
            _ => {
                self.level = Level::Serial;
                let stmts = self.stmt(2);
                self.level = Level::Top;
                stmts
            }
        }
    }

    /// Top-level statements in a step of the plan.
    fn tops(&mut self, depth: usize) -> Vec<Stmt> {
        let before = self.names.len();
        let mut stmts: Vec<Stmt> = (0..1 + self.rng.usize(..2)).flat_map(|_| self.top(depth)).collect();
        if !self.loops.is_empty() && self.chance(20) {
            stmts.extend(self.jump());
        }
        self.names.truncate(before);
        stmts
    }

    /// A `while` or `loop` that ends after a few rounds.
    fn counted(&mut self, depth: usize, inside: impl FnOnce(&mut Self, usize) -> Vec<Stmt>) -> Stmt {
        self.made += 1;
        let (counter, limit) = (format!("k{}", self.made), self.rng.u32(1..4));
        let label = self.chance(40).then(|| format!("'l{}", self.made));
        let cond = self.expr(Scalar::Bool, 1);
        let before = self.names.len();
        self.bind(&counter, Scalar::U32, false);
        self.loops.push(Loop { label: label.clone(), breaks: true });
        let body = inside(self, depth);
        self.loops.pop();
        self.names.truncate(before);
        if self.chance(60) {
            Stmt::While { label, counter, limit, cond, body }
        } else {
            Stmt::Loop { label, counter, limit, body }
        }
    }

    /// `if cond { break }` and the like.
    fn jump(&mut self) -> Option<Stmt> {
        let innermost = self.loops.len().checked_sub(1)?;
        let target = self.rng.usize(..self.loops.len());
        let Loop { label, breaks } = self.loops[target].clone();
        let word = if breaks && self.chance(60) { "break" } else { "continue" };
        let text = match label {
            Some(label) => format!("{word} {label}"),
            None if target == innermost => word.to_owned(),
            None => return None,
        };
        let cond = self.expr(Scalar::Bool, 1);
        Some(Stmt::If { cond, then: vec![Stmt::Jump(text)], otherwise: Vec::new() })
    }

    /// A top-level loop.
    fn parallel(&mut self) -> Stmt {
        let grids: Vec<Array> = self.arrays.iter().filter(|array| array.rank == 2).cloned().collect();
        let slices: Vec<Array> = self.arrays.iter().filter(|array| array.rank == 1).cloned().collect();
        let grid = if self.chance(if slices.is_empty() { 100 } else { 35 }) { self.pick(&grids) } else { None };
        self.made += 1;
        let (i, j) = (format!("i{}", self.made), format!("j{}", self.made));
        let (rank, var, domain, index) = match (grid, self.pick(&slices)) {
            (Some(grid), _) => {
                let index = vec![Expr::name(Scalar::Usize, &i), Expr::name(Scalar::Usize, &j)];
                let domain = if self.chance(50) {
                    format!("{}.indices()", grid.name)
                } else {
                    format!("ndrange([{0}_0, {0}_1])", grid.name)
                };
                (2, format!("({i}, {j})"), Domain::Text(domain), index)
            }
            (None, slice) => {
                let ty = self.pick(&[Scalar::Usize, Scalar::Usize, Scalar::U32, Scalar::U16]).unwrap_or(Scalar::Usize);
                let len = match slice {
                    Some(slice) => Expr::name(Scalar::Usize, format!("{}.len()", slice.name)),
                    None => Expr::literal(Scalar::Usize, "9usize"),
                };
                let cast = |ty: Scalar, expr: Expr| Expr { ty, kind: Kind::Cast(Box::new(expr)) };
                let hi = if ty == Scalar::Usize { len } else { cast(ty, len) };
                let lo = Expr::literal(ty, if self.chance(80) { "0" } else { "1" });
                let var = Expr::name(ty, &i);
                let index = vec![if ty == Scalar::Usize { var } else { cast(Scalar::Usize, var) }];
                self.bind(&i, ty, false);
                (1, i.clone(), Domain::Range(lo, hi), index)
            }
        };
        let before = self.names.len() - usize::from(rank == 1);
        if rank == 2 {
            self.bind(&i, Scalar::Usize, false);
            self.bind(&j, Scalar::Usize, false);
        }
        self.atomics.clear();
        for k in 0..self.arrays.len() {
            let Array { element, rank: dims, mutable, .. } = self.arrays[k];
            let roll = self.rng.u32(..100);
            self.arrays[k].access = match () {
                () if mutable && dims == rank && roll < 75 => Access::Own,
                () if mutable && element.is_int() && element.size() <= 8 && roll < 90 => Access::Atomic,
                () => Access::Read,
            };
            let kinds: Vec<&'static str> =
                AtomicOp::ALL.iter().map(|op| op.name()).filter(|name| *name != "exchange").collect();
            let kind = kinds[self.rng.usize(..kinds.len())];
            self.atomics.push(kind);
        }
        self.choose_folds(before);
        let outer = std::mem::replace(&mut self.floor, self.names.len());
        let loops = std::mem::take(&mut self.loops);
        let label = self.chance(20).then(|| format!("'p{}", self.made));
        self.loops.push(Loop { label: label.clone(), breaks: false });
        self.level = Level::Iteration;

        let mut body: Vec<Stmt> = (0..1 + self.rng.usize(..3)).flat_map(|_| self.stmt(3)).collect();
        for k in 0..self.arrays.len() {
            let Array { name, element, access, .. } = self.arrays[k].clone();
            if access == Access::Own && self.chance(70) {
                body.extend(self.store(&name, element, index.clone()));
            }
        }
        for (name, ty, op) in self.folds.clone() {
            let value = self.expr(ty, 2);
            body.push(Stmt::Fold { name, op, value });
        }
        // Accesses at the iteration's own index, wherever one was wanted.
        own_index(&mut body, &index);

        self.level = Level::Top;
        self.loops = loops;
        self.floor = outer;
        self.names.truncate(before);
        self.names.iter_mut().for_each(|name| name.hidden = false);
        self.folds.clear();
        self.arrays.iter_mut().for_each(|array| array.access = Access::Free);
        Stmt::For { label, var, domain, body }
    }

    /// Which of the names before `limit` the loop reduces.
    fn choose_folds(&mut self, limit: usize) {
        for k in self.floor..limit {
            let Name { text, ty, mutable, .. } = self.names[k].clone();
            let last = self.names.iter().rposition(|name| name.text == text) == Some(k);
            if !(mutable && last && !ty.is_float() && self.chance(35)) {
                continue;
            }
            let ops: Vec<Op> =
                ReduceOp::ALL.iter().map(|op| op.op()).filter(|op| op.row().receiver.accepts(ty)).collect();
            if let Some(op) = self.pick(&ops) {
                self.names[k].hidden = true;
                self.folds.push((text, ty, op));
            }
        }
    }

    /// A few statements in a scope of their own.
    fn stmts(&mut self, depth: usize) -> Vec<Stmt> {
        let before = self.names.len();
        let stmts = (0..1 + self.rng.usize(..3)).flat_map(|_| self.stmt(depth)).collect();
        self.names.truncate(before);
        stmts
    }

    /// A statement that isn't a task of its own.
    fn stmt(&mut self, depth: usize) -> Vec<Stmt> {
        let nested = depth > 0 && self.level != Level::Top;
        match self.rng.u32(..100) {
            0..=29 => {
                let ty = self.scalar();
                let init = self.expr(ty, 3);
                let mutable = self.chance(40);
                vec![self.declare(init, mutable)]
            }
            30..=36 => {
                let init: Vec<Expr> = (0..2 + self.rng.usize(..2))
                    .map(|_| {
                        let ty = self.scalar();
                        self.expr(ty, 2)
                    })
                    .collect();
                self.made += 1;
                let names: Vec<String> = (0..init.len()).map(|k| format!("t{}_{k}", self.made)).collect();
                names.iter().zip(&init).for_each(|(name, init)| self.bind(name, init.ty, false));
                vec![Stmt::LetTuple { names, init }]
            }
            37..=54 => self.assign().into_iter().collect(),
            55..=66 => self.element().into_iter().collect(),
            67..=74 if nested => {
                let cond = self.expr(Scalar::Bool, 2);
                let then = self.stmts(depth - 1);
                let otherwise = if self.chance(50) { self.stmts(depth - 1) } else { Vec::new() };
                vec![Stmt::If { cond, then, otherwise }]
            }
            // In serial code it would be a task of its own.
            75..=84 if nested && self.level == Level::Iteration => vec![self.nested_for(depth - 1)],
            85..=91 if nested => vec![self.counted(depth - 1, Self::stmts)],
            92..=95 if self.level != Level::Top => self.jump().into_iter().collect(),
            _ => {
                let folds = self.folds.clone();
                match self.pick(&folds) {
                    Some((name, ty, op)) => vec![Stmt::Fold { name, op, value: self.expr(ty, 2) }],
                    None => self.assign().into_iter().collect(),
                }
            }
        }
    }

    fn declare(&mut self, init: Expr, mutable: bool) -> Stmt {
        let name = self.fresh();
        self.bind(&name, init.ty, mutable);
        Stmt::Let { name, mutable, annotated: self.chance(30), init }
    }

    /// An assignment to a variable.
    fn assign(&mut self) -> Option<Stmt> {
        let assignable: Vec<Name> = self.names[self.floor..]
            .iter()
            .enumerate()
            .filter(|(k, name)| {
                let last = self.names.iter().rposition(|other| other.text == name.text);
                name.mutable && !name.hidden && last == Some(self.floor + k)
            })
            .map(|(_, name)| name.clone())
            .collect();
        let Name { text, ty, .. } = self.pick(&assignable)?;
        let op = self.compound(ty);
        let value = self.operand(op, ty, 2);
        Some(Stmt::Assign { place: Place::Name(text), op, value })
    }

    /// The operator of a compound assignment, or none.
    fn compound(&mut self, ty: Scalar) -> Option<Op> {
        let ops = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor, Op::Shl, Op::Shr, Op::Div, Op::Rem];
        let ops: Vec<Op> = ops.into_iter().filter(|op| op.row().receiver.accepts(ty)).collect();
        if self.chance(60) { self.pick(&ops) } else { None }
    }

    /// The right side of `place op= value`.
    fn operand(&mut self, op: Option<Op>, ty: Scalar, depth: usize) -> Expr {
        match op {
            Some(Op::Shl | Op::Shr) => {
                let amount = self.integer();
                self.expr(amount, depth)
            }
            Some(Op::Div | Op::Rem) if ty.is_int() => self.divisor(ty, depth),
            _ => self.expr(ty, depth),
        }
    }

    /// An integer that is seldom zero.
    fn divisor(&mut self, ty: Scalar, depth: usize) -> Expr {
        let value = self.expr(ty, depth);
        if self.chance(5) {
            return value;
        }
        Expr { ty, kind: Kind::Op(Op::Or, vec![value, Expr::literal(ty, "1")]) }
    }

    /// A store or an atomic update.
    fn element(&mut self) -> Option<Stmt> {
        let k = self.rng.usize(..self.arrays.len());
        let Array { name, element, rank, mutable, access } = self.arrays[k].clone();
        match access {
            Access::Own => self.store(&name, element, Vec::new()),
            Access::Free if mutable => {
                let index = self.place(&name, rank);
                self.store(&name, element, index)
            }
            Access::Atomic => {
                let index = self.place(&name, rank);
                let value = self.expr(element, 2);
                Some(Stmt::Atomic { op: self.atomics[k], array: name, index, value })
            }
            Access::Free | Access::Read => None,
        }
    }

    fn store(&mut self, array: &str, element: Scalar, index: Vec<Expr>) -> Option<Stmt> {
        let op = self.compound(element);
        let value = self.operand(op, element, 3);
        Some(Stmt::Assign { place: Place::Element { array: array.to_owned(), index }, op, value })
    }

    /// The index of an element that is written.
    fn place(&mut self, array: &str, rank: usize) -> Vec<Expr> {
        self.borrowed = Some(array.to_owned());
        let index = self.index(array, rank, 1);
        self.borrowed = None;
        index
    }

    /// An index that is nearly always in bounds.
    fn index(&mut self, array: &str, rank: usize, depth: usize) -> Vec<Expr> {
        (0..rank)
            .map(|dim| {
                let len = if rank == 1 { format!("{array}.len()") } else { format!("{array}_{dim}") };
                let len = if self.chance(2) { format!("({len} + 1)") } else { len };
                let value = self.expr(Scalar::Usize, depth);
                Expr { ty: Scalar::Usize, kind: Kind::Op(Op::Rem, vec![value, Expr::name(Scalar::Usize, len)]) }
            })
            .collect()
    }

    fn nested_for(&mut self, depth: usize) -> Stmt {
        let ty = self.integer();
        self.made += 1;
        let var = format!("n{}", self.made);
        let label = self.chance(40).then(|| format!("'n{}", self.made));
        let lo = Expr::literal(ty, format!("{}{ty}", self.rng.u32(..3)));
        let hi = if self.chance(50) {
            Expr::literal(ty, self.rng.u32(1..6).to_string())
        } else {
            let value = self.expr(ty, 1);
            Expr { ty, kind: Kind::Op(Op::Rem, vec![value, Expr::literal(ty, "6")]) }
        };
        let before = self.names.len();
        self.bind(&var, ty, false);
        self.loops.push(Loop { label: label.clone(), breaks: true });
        let body = self.stmts(depth);
        self.loops.pop();
        self.names.truncate(before);
        let domain = match self.rng.u32(..10) {
            // Ranges of 128 bits have no other forms.
            _ if ty.size() > 8 => Domain::Range(lo, hi),
            0 => Domain::Shaped(lo, "..=", hi, String::new()),
            1 => Domain::Shaped(lo, "..", hi, ".rev()".to_owned()),
            2 => Domain::Shaped(lo, "..", hi, format!(".step_by({})", self.rng.u32(1..4))),
            3 => Domain::Shaped(lo, "..=", hi, format!(".rev().step_by({})", self.rng.u32(1..4))),
            _ => Domain::Range(lo, hi),
        };
        Stmt::For { label, var, domain, body }
    }

    /// An expression of that type.
    fn expr(&mut self, ty: Scalar, depth: usize) -> Expr {
        if depth == 0 || self.chance(15) {
            return self.leaf(ty);
        }
        match self.rng.u32(..100) {
            0..=59 => self.operation(ty, depth - 1),
            60..=69 => self.cast(ty, depth - 1),
            70..=77 => {
                let cond = self.expr(Scalar::Bool, depth - 1);
                let (then, otherwise) = (self.block(ty, depth - 1), self.block(ty, depth - 1));
                Expr { ty, kind: Kind::If(Box::new(cond), then, otherwise) }
            }
            78..=79 => self.matching(ty, depth - 1),
            80..=82 => Expr { ty, kind: Kind::Block(self.block(ty, depth - 1)) },
            83..=86 => {
                let other = self.scalar();
                let mut parts = vec![self.expr(other, depth - 1), self.expr(ty, depth - 1)];
                let which = self.rng.usize(..2);
                if which == 0 {
                    parts.swap(0, 1);
                }
                Expr { ty, kind: Kind::Part(parts, which) }
            }
            87..=93 if ty == Scalar::Bool => {
                let (a, b) = (self.expr(ty, depth - 1), self.expr(ty, depth - 1));
                Expr { ty, kind: Kind::Lazy { and: self.chance(50), a: Box::new(a), b: Box::new(b) } }
            }
            _ => self.load(ty, depth - 1).unwrap_or_else(|| self.leaf(ty)),
        }
    }

    /// A `match` on an integer.
    fn matching(&mut self, ty: Scalar, depth: usize) -> Expr {
        let of = self.integer();
        let value = Box::new(self.expr(of, depth));
        let mut arms = Vec::new();
        for _ in 0..1 + self.rng.usize(..3) {
            let (low, span) = (self.rng.u32(..10), self.rng.u32(1..20));
            let before = self.names.len();
            let pattern = match self.rng.u32(..5) {
                0 => low.to_string(),
                1 => format!("{low} | {}", low + span),
                2 => format!("{low}..={}", low + span),
                3 => format!("{low}.."),
                _ => {
                    self.made += 1;
                    let name = format!("m{}", self.made);
                    self.bind(&name, of, false);
                    format!("{name} @ {low}..{}", low + span)
                }
            };
            let guard = self.chance(30).then(|| self.expr(Scalar::Bool, depth.min(1)));
            arms.push(Arm { pattern, guard, block: self.block(ty, depth) });
            self.names.truncate(before);
        }
        Expr { ty, kind: Kind::Match(value, arms, self.block(ty, depth)) }
    }

    fn block(&mut self, ty: Scalar, depth: usize) -> Block {
        let before = self.names.len();
        let mut stmts = Vec::new();
        if depth > 0 && self.chance(30) {
            let inner = self.scalar();
            let init = self.expr(inner, depth - 1);
            stmts.push(self.declare(init, false));
        }
        let tail = Box::new(self.expr(ty, depth));
        self.names.truncate(before);
        Block { stmts, tail }
    }

    fn operation(&mut self, ty: Scalar, depth: usize) -> Expr {
        let fitting: Vec<Operation> =
            self.operations.iter().filter(|operation| operation.output == ty).copied().collect();
        let Some(Operation { op, receiver, .. }) = self.pick(&fitting) else { return self.leaf(ty) };
        let division = matches!(op, Op::Div | Op::Rem);
        if op.faults(receiver) && !division && !self.chance(5) {
            return self.leaf(ty);
        }
        let mut args = vec![self.expr(receiver, depth)];
        for k in 1..op.arity() {
            let arg = match op.operand(receiver, k) {
                Some(ty) if division && ty.is_int() => self.divisor(ty, depth),
                Some(ty) => self.expr(ty, depth),
                None => {
                    let amount = self.integer();
                    self.expr(amount, depth)
                }
            };
            args.push(self.bare(arg));
        }
        Expr { ty, kind: Kind::Op(op, args) }
    }

    /// Now and then a literal without its suffix, where its surroundings give the type.
    fn bare(&mut self, arg: Expr) -> Expr {
        match &arg.kind {
            Kind::Literal(text) if text.ends_with(arg.ty.name()) && self.chance(50) => {
                Expr::literal(arg.ty, text.trim_end_matches(arg.ty.name()))
            }
            _ => arg,
        }
    }

    fn cast(&mut self, ty: Scalar, depth: usize) -> Expr {
        if ty == Scalar::Bool {
            return self.operation(ty, depth);
        }
        let from = self.scalar();
        let from = if from == Scalar::Bool && ty.is_float() { Scalar::I32 } else { from };
        Expr { ty, kind: Kind::Cast(Box::new(self.expr(from, depth))) }
    }

    fn leaf(&mut self, ty: Scalar) -> Expr {
        let visible: Vec<String> = self
            .names
            .iter()
            .enumerate()
            .filter(|(k, name)| {
                let last = self.names.iter().rposition(|other| other.text == name.text);
                name.ty == ty && !name.hidden && last == Some(*k)
            })
            .map(|(_, name)| name.text.clone())
            .collect();
        match self.rng.u32(..100) {
            0..=64 if !visible.is_empty() => {
                let name = visible[self.rng.usize(..visible.len())].clone();
                Expr::name(ty, name)
            }
            65..=79 => self.load(ty, 0).unwrap_or_else(|| self.literal(ty)),
            80..=84 if ty == Scalar::Usize => {
                // Of an array that an atomic borrows, the length can't be read.
                let slices: Vec<String> = self
                    .arrays
                    .iter()
                    .filter(|array| array.rank == 1 && array.access != Access::Atomic)
                    .map(|array| array.name.clone())
                    .collect();
                match self.pick(&slices) {
                    Some(name) => Expr::name(ty, format!("{name}.len()")),
                    None => self.literal(ty),
                }
            }
            _ => self.literal(ty),
        }
    }

    fn load(&mut self, ty: Scalar, depth: usize) -> Option<Expr> {
        let fitting: Vec<Array> = self
            .arrays
            .iter()
            .filter(|array| array.element == ty && array.access != Access::Atomic)
            .filter(|array| self.borrowed.as_ref() != Some(&array.name))
            .cloned()
            .collect();
        let Array { name, rank, access, .. } = self.pick(&fitting)?;
        // The index of an array of the iteration's own is put in at the end.
        let index = if access == Access::Own { Vec::new() } else { self.index(&name, rank, depth) };
        Some(Expr { ty, kind: Kind::Load { array: name, index } })
    }

    fn literal(&mut self, ty: Scalar) -> Expr {
        let text = match ty.class() {
            ScalarClass::Bool => self.chance(50).to_string(),
            ScalarClass::Signed | ScalarClass::Unsigned => match self.rng.u32(..10) {
                0 => format!("{ty}::MAX"),
                1 => format!("{ty}::MIN"),
                2 if ty.is_signed() => format!("(-{}{ty})", self.rng.u32(1..100)),
                _ => format!("{}{ty}", self.rng.u32(..20)),
            },
            ScalarClass::Float => match self.rng.u32(..12) {
                0 => format!("{ty}::NAN"),
                1 => format!("{ty}::INFINITY"),
                2 => format!("(-0.0{ty})"),
                3 => format!("1e-40{ty}"),
                4 => format!("(-{}.25{ty})", self.rng.u32(..50)),
                _ => format!("{}.{}{ty}", self.rng.u32(..50), self.rng.u32(..1000)),
            },
        };
        Expr::literal(ty, text)
    }
}

/// Puts the iteration's index where an access has none yet.
fn own_index(stmts: &mut [Stmt], index: &[Expr]) {
    super::shrink::expressions(stmts, &mut |expr| {
        if let Kind::Load { index: at, .. } = &mut expr.kind
            && at.is_empty()
        {
            *at = index.to_vec();
        }
    });
    super::shrink::statements(stmts, &mut |stmt| {
        if let Stmt::Assign { place: Place::Element { index: at, .. }, .. } = stmt
            && at.is_empty()
        {
            *at = index.to_vec();
        }
    });
}
