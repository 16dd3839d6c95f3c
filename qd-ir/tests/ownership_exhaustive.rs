//! The race rule against every iteration: programs over 8-bit integers, where wrapping shows, are run by an interpreter
//! that knows nothing of the rule. What is accepted, with its launch predicate true, must never collide.
mod common;

use std::collections::HashMap;

use common::*;
use qd_ir::op::Op;
use qd_ir::ownership::check;
use qd_ir::plan::{Kernel, Source};
use qd_ir::sketch::*;
use qd_ir::types::Scalar;

/// An expression over the names of a program, in its type.
#[derive(Debug, Clone)]
enum Tree {
    Name(&'static str),
    Int(u8),
    Op(Op, Box<Tree>, Box<Tree>),
    /// To that type and back.
    Cast(Scalar, Box<Tree>),
    /// The element of another array at that index: its bits upside down, and who knows it.
    Loaded(Box<Tree>),
}

use Tree::{Int, Name};

fn op(op: Op, a: Tree, b: Tree) -> Tree {
    Tree::Op(op, Box::new(a), Box::new(b))
}

fn add(a: Tree, b: Tree) -> Tree {
    op(Op::Add, a, b)
}

fn sub(a: Tree, b: Tree) -> Tree {
    op(Op::Sub, a, b)
}

fn mul(a: Tree, b: Tree) -> Tree {
    op(Op::Mul, a, b)
}

/// A loop's variable and what it runs over.
#[derive(Debug, Clone)]
struct Loop {
    name: &'static str,
    lo: Tree,
    hi: Tree,
    inclusive: bool,
    /// `None` is `rev`.
    adapters: Vec<Option<Tree>>,
}

fn over(name: &'static str, lo: Tree, hi: Tree) -> Loop {
    Loop { name, lo, hi, inclusive: false, adapters: Vec::new() }
}

/// How a condition surrounds an access.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Shape {
    If,
    Else,
    /// `if cond { continue; }` before it and all that follows.
    Continue,
}

#[derive(Debug, Clone)]
struct Guard {
    shape: Shape,
    op: Op,
    left: Tree,
    right: Tree,
}

#[derive(Debug, Clone)]
struct Access {
    store: bool,
    index: Vec<Tree>,
    guard: Option<Guard>,
}

impl Access {
    fn when(self, op: Op, left: Tree, right: Tree) -> Access {
        Access { guard: Some(Guard { shape: Shape::If, op, left, right }), ..self }
    }
}

fn store(index: impl Into<Vec<Tree>>) -> Access {
    Access { store: true, index: index.into(), guard: None }
}

fn load(index: impl Into<Vec<Tree>>) -> Access {
    Access { store: false, ..store(index) }
}

/// `for outer { let name = ..; before; for inner { inside } }`
#[derive(Debug, Clone)]
struct Program {
    /// The type that it calculates in.
    ty: Scalar,
    /// One, of that type; or two of `ndrange`, which are `usize`.
    outer: Vec<Loop>,
    lets: Vec<(&'static str, Tree)>,
    before: Vec<Access>,
    inner: Option<Loop>,
    inside: Vec<Access>,
}

fn program(ty: Scalar, outer: Vec<Loop>, inner: Option<Loop>, accesses: Vec<Access>) -> Program {
    let (before, inside) = if inner.is_some() { (Vec::new(), accesses) } else { (accesses, Vec::new()) };
    Program { ty, outer, lets: Vec::new(), before, inner, inside }
}

/// The names that are the same in all iterations.
const INVARIANTS: [&str; 2] = ["n", "m"];

type Env = HashMap<&'static str, i128>;

fn wrap(ty: Scalar, value: i128) -> i128 {
    match ty {
        Scalar::I8 => i128::from(value as i8),
        Scalar::U8 => i128::from(value as u8),
        Scalar::I16 => i128::from(value as i16),
        Scalar::Usize => i128::from(value as u64),
        other => panic!("{other} isn't in the search"),
    }
}

/// So many rounds of a loop are run.
const MOST_ROUNDS: i128 = 300;

/// An iteration ends here.
struct Ends;

/// Which iteration touched an element, and whether one wrote it.
#[derive(Default)]
struct Memory {
    touched: HashMap<Vec<i128>, (usize, bool)>,
    collision: Option<String>,
}

impl Program {
    fn eval(&self, ty: Scalar, tree: &Tree, env: &Env) -> Result<i128, Ends> {
        Ok(match tree {
            Name(name) => wrap(ty, env[name]),
            Int(value) => wrap(ty, i128::from(*value)),
            Tree::Cast(to, inner) => wrap(ty, wrap(*to, self.eval(ty, inner, env)?)),
            Tree::Loaded(at) => wrap(ty, i128::from(!(self.eval(ty, at, env)? as u8))),
            Tree::Op(op, a, b) => {
                let (a, b) = (self.eval(ty, a, env)?, self.eval(ty, b, env)?);
                let fails = b == 0 || b == -1 && a == -128;
                let shift = b & i128::from(ty.bits() - 1);
                wrap(
                    ty,
                    match op {
                        Op::Add => a + b,
                        Op::Sub => a - b,
                        Op::Mul => a * b,
                        Op::Div | Op::Rem if fails => return Err(Ends),
                        Op::Div => a / b,
                        Op::Rem => a % b,
                        Op::And => a & b,
                        Op::Xor => a ^ b,
                        Op::Min => a.min(b),
                        Op::Max => a.max(b),
                        Op::Shl => a << shift,
                        Op::Shr => a >> shift,
                        other => panic!("{other} isn't in the search"),
                    },
                )
            }
        })
    }

    fn values(&self, ty: Scalar, of: &Loop, env: &Env) -> Result<Vec<i128>, Ends> {
        let (lo, hi) = (self.eval(ty, &of.lo, env)?, self.eval(ty, &of.hi, env)?);
        // Of loops that nobody would wait for, the beginning.
        let hi = if of.inclusive { hi } else { hi - 1 };
        if hi - lo > MOST_ROUNDS && !of.adapters.is_empty() {
            return Err(Ends);
        }
        let mut values: Vec<i128> = (lo..=hi.min(lo + MOST_ROUNDS)).collect();
        for adapter in &of.adapters {
            match adapter {
                None => values.reverse(),
                Some(step) => {
                    let step = self.eval(Scalar::Usize, step, env)?;
                    let step = usize::try_from(step).ok().filter(|step| *step > 0).ok_or(Ends)?;
                    values = values.into_iter().step_by(step).collect();
                }
            }
        }
        Ok(values)
    }

    fn outer_type(&self) -> Scalar {
        if self.outer.len() == 1 { self.ty } else { Scalar::Usize }
    }

    /// Two iterations that meet, if there are any; and whether anything was touched at all.
    fn collision(&self, invariants: &Env) -> (Option<String>, bool) {
        let ty = self.outer_type();
        let runs = |n: usize| self.values(ty, &self.outer[n], invariants).unwrap_or_default();
        let first = runs(0);
        let second = if self.outer.len() == 2 { runs(1) } else { vec![0] };
        let mut memory = Memory::default();
        let mut number = 0;
        for &i in &first {
            for &j in &second {
                number += 1;
                let mut env = invariants.clone();
                env.insert(self.outer[0].name, i);
                if let Some(outer) = self.outer.get(1) {
                    env.insert(outer.name, j);
                }
                // An iteration that fails has done what it did before.
                let _ = self.iteration(number, &mut env, &mut memory);
                if memory.collision.is_some() {
                    return (memory.collision, true);
                }
            }
        }
        (None, !memory.touched.is_empty())
    }

    fn iteration(&self, number: usize, env: &mut Env, memory: &mut Memory) -> Result<(), Ends> {
        for (name, value) in &self.lets {
            let value = self.eval(self.ty, value, env)?;
            env.insert(name, value);
        }
        if !self.accesses(&self.before, number, env, memory)? {
            return Ok(());
        }
        let Some(inner) = &self.inner else { return Ok(()) };
        for k in self.values(self.ty, inner, env)? {
            env.insert(inner.name, k);
            self.accesses(&self.inside, number, env, memory)?;
        }
        Ok(())
    }

    /// False if a `continue` ended them.
    fn accesses(&self, all: &[Access], number: usize, env: &Env, memory: &mut Memory) -> Result<bool, Ends> {
        for Access { store, index, guard } in all {
            if let Some(Guard { shape, op, left, right }) = guard {
                let (a, b) = (self.eval(self.ty, left, env)?, self.eval(self.ty, right, env)?);
                let holds = match op {
                    Op::Eq => a == b,
                    Op::Ne => a != b,
                    Op::Lt => a < b,
                    Op::Le => a <= b,
                    Op::Gt => a > b,
                    Op::Ge => a >= b,
                    other => panic!("{other} compares nothing"),
                };
                match shape {
                    Shape::If if !holds => continue,
                    Shape::Else if holds => continue,
                    Shape::Continue if holds => return Ok(false),
                    Shape::If | Shape::Else | Shape::Continue => {}
                }
            }
            let index = index.iter().map(|t| self.eval(self.ty, t, env)).collect::<Result<Vec<_>, _>>()?;
            // As a `usize` a negative index is out of bounds.
            if index.iter().any(|i| !(0..256).contains(i)) {
                return Err(Ends);
            }
            let known = memory.touched.entry(index.clone()).or_insert((number, *store));
            if known.0 != number && (known.1 || *store) {
                memory.collision = Some(format!("iterations {} and {number} meet in {index:?}", known.0));
            }
            known.1 |= store;
        }
        Ok(true)
    }

    /// The program as a kernel, and whether the macro accepts it; `None` if it doesn't.
    fn kernel(&self) -> Option<Kernel> {
        let rank = self.before.iter().chain(&self.inside).map(|a| a.index.len()).max().unwrap_or(1);
        let mut b = Builder::new("case");
        let x = b.array("x", Scalar::F32, rank as u8, true);
        let other = b.array("t", Scalar::U8, 1, false);
        let mut names: HashMap<&'static str, (L, Scalar)> = HashMap::new();
        for name in INVARIANTS {
            names.insert(name, (b.value(name, scalar(self.ty)), self.ty));
        }
        let outer_type = self.outer_type();
        let mut make = Make { b, x, other, names, ty: self.ty };
        let domain = if let [only] = self.outer.as_slice() {
            make.domain(only)
        } else {
            let dims = self.outer.iter().map(|of| {
                let lo = make.tree_of(outer_type, &of.lo);
                (Some(lo), make.tree_of(outer_type, &of.hi))
            });
            Domain::Ndrange(dims.collect())
        };
        let patterns: Vec<Pattern> = self.outer.iter().map(|of| make.name(of.name, outer_type)).collect();
        let pattern = match patterns.as_slice() {
            [one] => one.clone(),
            _ => Pattern::Tuple(patterns),
        };
        let mut stmts = Vec::new();
        for (name, value) in &self.lets {
            let init = make.tree(value);
            stmts.push(Stmt::Let { pattern: make.name(name, self.ty), init: Some(init) });
        }
        let label = make.b.label();
        let body = make.accesses(&self.before, label);
        stmts.extend(body.into_iter().map(Stmt::Expr));
        if let Some(inner) = &self.inner {
            let domain = Box::new(make.domain(inner));
            let pattern = make.name(inner.name, self.ty);
            let label = make.b.label();
            let body = block(make.accesses(&self.inside, label), None);
            let inner = ExprKind::For { label, pattern, domain, unroll: Default::default(), body };
            stmts.push(Stmt::Expr(make.b.e(inner)));
        }
        let mut b = make.b;
        let body = Block { stmts, tail: None };
        let kind = ConstructKind::Parallel { domain, pattern, label, reductions: vec![], body };
        let construct = Construct { pos: Default::default(), grain: None, block: None, apart: Vec::new(), kind };
        let id = b.sketch.constructs.push(construct);
        b.sketch.plan.push(PlanNode::Construct(id));
        let found = check(&b.sketch, |_| false);
        // As rustc would: a cast that the acceptance rests on must lose nothing.
        let narrow = found.injective.iter().any(|cast| match &b.sketch.exprs[*cast].kind {
            ExprKind::Cast { to: TypeName::Scalar(to), .. } => to.bits() < self.ty.bits().max(outer_type.bits()),
            _ => true,
        });
        if !found.conflicts.is_empty() || narrow {
            return None;
        }
        for (construct, pairs) in found.apart {
            b.sketch.constructs[construct].apart = pairs;
        }
        Some(b.typed())
    }

    /// The launch predicate for these values.
    fn holds(&self, kernel: &Kernel, invariants: &Env) -> bool {
        let construct = &kernel.constructs.values()[0];
        let Some(predicate) = &construct.apart else { return true };
        let value = |source: &Source, ty: Scalar| match source {
            // Words 0..=rank are x, then two of t.
            Source::Word(word) => {
                let first = kernel.params[2].word;
                let name = INVARIANTS[(*word - first) as usize];
                (invariants[name] as u128) & ty.mask()
            }
            other => panic!("{other:?} isn't in the search"),
        };
        let leaves: Vec<_> = predicate.leaves.iter().map(|leaf| leaf.value(value)).collect();
        predicate.check(&leaves).is_ok()
    }
}

/// Makes a sketch of a program.
struct Make {
    b: Builder,
    x: ParamId,
    other: ParamId,
    names: HashMap<&'static str, (L, Scalar)>,
    ty: Scalar,
}

impl Make {
    fn name(&mut self, name: &'static str, ty: Scalar) -> Pattern {
        let local = self.b.name(name, ty);
        self.names.insert(name, (local, ty));
        Pattern::Bind(local)
    }

    fn tree(&mut self, tree: &Tree) -> E {
        self.tree_of(self.ty, tree)
    }

    fn tree_of(&mut self, ty: Scalar, tree: &Tree) -> E {
        match tree {
            Name(name) => {
                let (local, own) = self.names[name];
                let value = self.b.get(local);
                if own == ty { value } else { self.b.cast(value, ty) }
            }
            Int(value) => self.b.int_of(u128::from(*value), ty),
            Tree::Cast(to, inner) => {
                let inner = self.tree_of(ty, inner);
                let inner = self.b.cast(inner, *to);
                self.b.cast(inner, ty)
            }
            Tree::Loaded(at) => {
                let at = self.tree_of(ty, at);
                let at = self.b.cast(at, Scalar::Usize);
                let value = self.b.load(self.other, &[at]);
                self.b.cast(value, ty)
            }
            Tree::Op(op, a, b) => {
                let args = [self.tree_of(ty, a), self.tree_of(ty, b)];
                self.b.op(*op, &args)
            }
        }
    }

    fn domain(&mut self, of: &Loop) -> Domain {
        let (lo, hi) = (self.tree(&of.lo), self.tree(&of.hi));
        if !of.inclusive && of.adapters.is_empty() {
            return Domain::Range { lo, hi, tap: None };
        }
        let adapters = of.adapters.iter().map(|adapter| match adapter {
            None => Adapter::Rev,
            Some(step) => Adapter::StepBy(self.tree_of(Scalar::Usize, step)),
        });
        Domain::Steps(Steps { lo, hi, inclusive: of.inclusive, adapters: adapters.collect() })
    }

    fn accesses(&mut self, all: &[Access], label: Label) -> Vec<E> {
        let mut body = Vec::new();
        for Access { store, index, guard } in all {
            let cond = guard.as_ref().map(|guard| {
                let sides = [self.tree(&guard.left), self.tree(&guard.right)];
                (guard.shape, self.b.op(guard.op, &sides))
            });
            let index: Vec<E> = index
                .iter()
                .map(|tree| {
                    let value = self.tree(tree);
                    if self.ty == Scalar::Usize { value } else { self.b.cast(value, Scalar::Usize) }
                })
                .collect();
            let access = if *store {
                let one = self.b.float("1.0");
                self.b.store(self.x, &index, one)
            } else {
                self.b.load(self.x, &index)
            };
            let mut when = |cond, then: Vec<E>, otherwise: Option<Vec<E>>| {
                let otherwise = otherwise.map(|body| self.b.e(ExprKind::Block(block(body, None))));
                self.b.e(ExprKind::If { cond, then: block(then, None), otherwise })
            };
            match cond {
                None => body.push(access),
                Some((Shape::If, cond)) => body.push(when(cond, vec![access], None)),
                Some((Shape::Else, cond)) => body.push(when(cond, vec![], Some(vec![access]))),
                Some((Shape::Continue, cond)) => {
                    let leave = self.b.e(ExprKind::Continue(label));
                    body.push(self.b.e(ExprKind::If { cond, then: block(vec![leave], None), otherwise: None }));
                    body.push(access);
                }
            }
        }
        body
    }
}

/// Values of the invariants, those included at which 8-bit indices wrap.
fn settings(ty: Scalar) -> Vec<Env> {
    let some: &[i128] = match ty {
        Scalar::I8 => &[-128, -3, 0, 1, 7, 127],
        Scalar::U8 => &[0, 1, 2, 8, 100, 255],
        _ => &[0, 1, 2, 4, 7, 16],
    };
    some.iter().flat_map(|n| some.iter().map(move |m| Env::from([("n", *n), ("m", *m)]))).collect()
}

/// Checks a program against its iterations; of the settings in which it does anything, how many its predicate takes, and
/// how many are free of collisions. `None` if the macro refuses it.
#[track_caller]
fn tried(program: &Program) -> Option<(usize, usize)> {
    let kernel = program.kernel()?;
    let (mut taken, mut free) = (0, 0);
    for setting in settings(program.ty) {
        let (collision, touched) = program.collision(&setting);
        let holds = program.holds(&kernel, &setting);
        assert!(collision.is_none() || !holds, "{collision:?} with {setting:?}\n{program:#?}");
        free += usize::from(collision.is_none() && touched);
        taken += usize::from(holds && touched);
    }
    Some((taken, free))
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    fn pick<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn tree(&mut self, names: &[&'static str], depth: usize) -> Tree {
        if depth == 0 || self.below(5) == 0 {
            return if self.below(3) == 0 { Int(self.pick(&[0, 1, 2, 3, 4, 7, 16])) } else { Name(self.pick(names)) };
        }
        match self.below(20) {
            0 => Tree::Cast(self.pick(&[Scalar::I8, Scalar::U8, Scalar::I16]), Box::new(self.tree(names, depth - 1))),
            1 => Tree::Loaded(Box::new(self.tree(names, depth - 1))),
            2..=7 => add(self.tree(names, depth - 1), self.tree(names, depth - 1)),
            8..=9 => sub(self.tree(names, depth - 1), self.tree(names, depth - 1)),
            10..=13 => mul(self.tree(names, depth - 1), self.tree(names, 0)),
            14 => op(Op::Div, self.tree(names, depth - 1), self.tree(names, 0)),
            15 => op(Op::Rem, self.tree(names, depth - 1), self.tree(names, 0)),
            16 => op(Op::Shl, self.tree(names, depth - 1), Int(self.pick(&[1, 2, 3]))),
            17 => op(self.pick(&[Op::Shr, Op::And]), self.tree(names, depth - 1), Int(self.pick(&[1, 3, 7]))),
            _ => op(self.pick(&[Op::Min, Op::Max, Op::Xor]), self.tree(names, depth - 1), self.tree(names, depth - 1)),
        }
    }

    fn range(&mut self, name: &'static str, names: &[&'static str]) -> Loop {
        let lo = if self.below(2) == 0 { Int(0) } else { self.tree(names, 2) };
        let hi = match self.below(3) {
            0 => add(lo.clone(), self.tree(names, 1)),
            1 => op(Op::Min, add(lo.clone(), Int(self.pick(&[2, 4]))), Name("n")),
            _ => self.tree(names, 1),
        };
        let adapters = match self.below(6) {
            0 => vec![None],
            1 => vec![Some(Int(2))],
            2 => vec![None, Some(Int(self.pick(&[2, 3])))],
            3 => vec![Some(Name("m"))],
            _ => vec![],
        };
        Loop { name, lo, hi, inclusive: self.below(6) == 0, adapters }
    }

    fn access(&mut self, store: bool, names: &[&'static str], rank: usize, like: Option<&Access>) -> Access {
        let index = match like {
            // Neighbours, and things written alike.
            Some(like) if self.below(2) == 0 => {
                let shift = self.pick(&[0, 1, 2]);
                like.index.iter().map(|tree| add(tree.clone(), Int(shift))).collect()
            }
            Some(_) | None => (0..rank).map(|_| self.tree(names, 3)).collect(),
        };
        let guard = match (like.and_then(|like| like.guard.clone()), self.below(3)) {
            (Some(guard), 0 | 1) => Some(guard),
            (_, 0) => Some(Guard {
                shape: self.pick(&[Shape::If, Shape::Else, Shape::Continue]),
                op: self.pick(&[Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge]),
                left: if self.below(2) == 0 { op(Op::Rem, self.tree(names, 1), Int(2)) } else { self.tree(names, 2) },
                right: self.tree(&INVARIANTS, 0),
            }),
            _ => None,
        };
        Access { store, index, guard }
    }

    fn program(&mut self) -> Program {
        let two = self.below(4) == 0;
        let ty = self.pick(if two { &[Scalar::U8, Scalar::Usize] } else { &[Scalar::U8, Scalar::U8, Scalar::I8] });
        let small = |name| over(name, Int(0), Int(7));
        let outer = if two {
            vec![small("i"), over("j", Int(1), Int(6))]
        } else if ty != Scalar::U8 || self.below(3) > 0 {
            vec![self.range("i", &INVARIANTS)]
        } else {
            vec![Loop { inclusive: true, ..over("i", Int(0), Int(255)) }]
        };
        let mut names = vec!["n", "m", "i", "i", "i"];
        names.extend(two.then_some("j"));
        let mut lets = Vec::new();
        if self.below(2) == 0 {
            lets.push(("a", self.tree(&names, 2)));
            names.push("a");
        }
        let rank = if two && self.below(2) == 0 { 2 } else { 1 };
        let inner = (self.below(2) == 0).then(|| self.range("k", &names));
        let first = self.access(true, &names, rank, None);
        let mut before = vec![first];
        if self.below(2) == 0 {
            let stores = self.below(2) == 0;
            let like = before[0].clone();
            before.push(self.access(stores, &names, rank, Some(&like)));
        }
        let mut inside = Vec::new();
        if inner.is_some() {
            names.extend(["k", "k"]);
            inside.push(self.access(true, &names, rank, None));
            if self.below(2) == 0 {
                before.clear();
            }
            let like = inside[0].clone();
            inside.push(self.access(false, &names, rank, Some(&like)));
        }
        Program { ty, outer, lets, before, inner, inside }
    }
}

#[test]
fn random_programs_that_are_accepted_never_collide() {
    let mut random = Random(7);
    let (mut refused, mut taken, mut free) = (0, 0, 0);
    for _ in 0..1_500 {
        match tried(&random.program()) {
            None => refused += 1,
            Some((more, all)) => (taken, free) = (taken + more, free + all),
        }
    }
    println!("{refused} programs refused; of the others {taken} settings accepted, {free} free of collisions");
    assert!(taken > 3_000 && refused > 500, "{refused} refused, {taken} of {free}: the search has lost its point");
}

/// Every pair of short indices over the whole 8-bit domain.
#[test]
fn pairs_of_short_indices_never_collide() {
    let short = [
        Name("i"),
        add(Name("i"), Int(1)),
        sub(Name("i"), Int(1)),
        sub(Int(255), Name("i")),
        add(Name("i"), Name("n")),
        mul(Name("i"), Int(2)),
        add(mul(Name("i"), Int(2)), Int(1)),
        mul(Name("i"), Int(3)),
        mul(Name("i"), Name("m")),
        add(mul(Name("i"), Name("m")), Name("n")),
        op(Op::Shl, Name("i"), Int(1)),
        op(Op::Shr, Name("i"), Int(1)),
        op(Op::Div, Name("i"), Int(2)),
        op(Op::Rem, Name("i"), Name("m")),
        op(Op::And, Name("i"), Int(127)),
        op(Op::Min, Name("i"), Int(7)),
        add(mul(op(Op::Div, Name("i"), Name("m")), Name("m")), op(Op::Rem, Name("i"), Name("m"))),
        Tree::Cast(Scalar::I8, Box::new(Name("i"))),
        Int(3),
        Name("n"),
    ];
    let whole = |ty| match ty {
        Scalar::I8 => Loop { inclusive: true, ..over("i", sub(sub(Int(0), Int(127)), Int(1)), Int(127)) },
        _ => Loop { inclusive: true, ..over("i", Int(0), Int(255)) },
    };
    let mut taken = 0;
    for ty in [Scalar::U8, Scalar::I8] {
        for outer in [whole(ty), over("i", Int(0), Name("m"))] {
            for a in &short {
                for b in &short {
                    // `255` is no `i8`.
                    let big = |tree: &Tree| matches!(tree, Tree::Op(_, a, _) if matches!(**a, Int(255)));
                    if ty == Scalar::I8 && (big(a) || big(b)) {
                        continue;
                    }
                    let accesses = vec![store([a.clone()]), load([b.clone()])];
                    taken += tried(&program(ty, vec![outer.clone()], None, accesses)).map_or(0, |(taken, _)| taken);
                }
            }
        }
    }
    assert!(taken > 1000, "{taken}");
}

/// The patterns that the rule is for: accepted by the macro, and at launch for at least so many of the settings that are
/// free of collisions, in parts of a hundred.
#[test]
fn intended_patterns_are_accepted() {
    let (i, j, k, n, m) = (|| Name("i"), || Name("j"), || Name("k"), || Name("n"), || Name("m"));
    let usizes = Scalar::Usize;
    let to_n = || vec![over("i", Int(0), n())];
    let grid = || vec![over("i", Int(1), Int(6)), over("j", Int(1), Int(7))];
    let block = |lo: Tree, hi: Tree| Some(over("k", lo, hi));
    let parity = |a: Tree| op(Op::Rem, a, Int(2));
    let red_black = |at: fn(Tree, Tree) -> Vec<Tree>| {
        let when = |access: Access| access.when(Op::Eq, op(Op::Rem, add(Name("i"), Name("j")), Int(2)), Int(1));
        let (i, j) = (|| Name("i"), || Name("j"));
        vec![
            when(store(at(i(), j()))),
            when(load(at(sub(i(), Int(1)), j()))),
            when(load(at(add(i(), Int(1)), j()))),
            when(load(at(i(), sub(j(), Int(1))))),
            when(load(at(i(), add(j(), Int(1))))),
        ]
    };
    let rows: Vec<(&str, Program, usize)> = vec![
        (
            "x[i * m + k], k < m",
            program(usizes, to_n(), block(Int(0), m()), vec![store([add(mul(i(), m()), k())])]),
            100,
        ),
        ("x[k * n + i]", program(usizes, to_n(), block(Int(0), m()), vec![store([add(mul(k(), n()), i())])]), 100),
        (
            "a block of m",
            program(usizes, to_n(), block(mul(i(), m()), add(mul(i(), m()), m())), vec![store([k()])]),
            100,
        ),
        (
            "a block of m, cut off",
            program(
                usizes,
                to_n(),
                block(mul(i(), m()), op(Op::Min, add(mul(i(), m()), m()), n())),
                vec![store([k()]), load([k()])],
            ),
            100,
        ),
        (
            "steps of m and a block from there",
            program(
                usizes,
                vec![Loop { adapters: vec![Some(m())], ..over("i", Int(0), n()) }],
                block(i(), op(Op::Min, add(i(), m()), n())),
                vec![store([k()]), load([i()])],
            ),
            100,
        ),
        (
            "x[(i / m) * m + i % m]",
            program(usizes, to_n(), None, vec![store([add(mul(op(Op::Div, i(), m()), m()), op(Op::Rem, i(), m()))])]),
            100,
        ),
        (
            "x[(i % m) * n + i / m]",
            program(usizes, to_n(), None, vec![store([add(mul(op(Op::Rem, i(), m()), n()), op(Op::Div, i(), m()))])]),
            100,
        ),
        (
            "x[2 * i] and x[2 * i + 1]",
            program(usizes, to_n(), None, vec![store([mul(i(), Int(2))]), load([add(mul(i(), Int(2)), Int(1))])]),
            100,
        ),
        (
            "x[2 * i + m], neighbours",
            program(
                usizes,
                to_n(),
                None,
                vec![
                    store([add(mul(i(), Int(2)), m())]),
                    load([add(add(mul(i(), Int(2)), m()), Int(1))]),
                    load([sub(add(mul(i(), Int(2)), m()), Int(1))]),
                ],
            ),
            100,
        ),
        ("x[i] and x[i + n]", program(usizes, to_n(), None, vec![store([i()]), load([add(i(), n())])]), 100),
        (
            "butterflies",
            {
                let low = add(mul(op(Op::Div, i(), m()), mul(m(), Int(2))), op(Op::Rem, i(), m()));
                let high = add(low.clone(), m());
                program(usizes, to_n(), None, vec![store([low]), store([high])])
            },
            100,
        ),
        (
            "butterflies by shifts and masks",
            {
                let low = add(op(Op::Shl, op(Op::Shr, i(), Int(2)), Int(3)), op(Op::And, i(), Int(3)));
                let high = add(low.clone(), Int(4));
                program(usizes, to_n(), None, vec![store([low]), store([high])])
            },
            100,
        ),
        ("red and black, two dimensions", program(usizes, grid(), None, red_black(|i, j| vec![i, j])), 100),
        (
            "red and black, rows of eight",
            program(usizes, grid(), None, red_black(|i, j| vec![add(mul(i, Int(8)), j)])),
            100,
        ),
        (
            "red and black by steps",
            {
                // for k in (1 + (i + m) % 2..7).step_by(2)
                let start = add(Int(1), parity(add(i(), m())));
                let inner = Loop { adapters: vec![Some(Int(2))], ..over("k", start, Int(7)) };
                let accesses = vec![
                    store([i(), k()]),
                    load([sub(i(), Int(1)), k()]),
                    load([add(i(), Int(1)), k()]),
                    load([i(), sub(k(), Int(1))]),
                    load([i(), add(k(), Int(1))]),
                ];
                program(usizes, vec![over("i", Int(1), n())], Some(inner), accesses)
            },
            100,
        ),
        (
            "columns guarded",
            {
                // Tiles of four that may stick out of rows of m.
                let column = || add(mul(j(), Int(4)), k());
                let accesses = vec![store([add(mul(i(), m()), column())]).when(Op::Lt, column(), m())];
                program(usizes, grid(), block(Int(0), Int(4)), accesses)
            },
            0,
        ),
        (
            "in bytes, as long as they don't wrap",
            program(Scalar::U8, to_n(), block(Int(0), m()), vec![store([add(mul(i(), m()), k())])]),
            50,
        ),
    ];
    for (name, program, percent) in rows {
        let Some((taken, free)) = tried(&program) else { panic!("{name}: refused") };
        println!("{name}: {taken} of {free}");
        assert!(taken * 100 >= free * percent, "{name}: {taken} of {free}");
    }
}
