//! Programs over small integers: as what an interpreter runs, iteration by iteration, and as kernels that the race rule
//! judges. The interpreter knows nothing of the rule.
use std::collections::HashMap;

use qd_ir::op::Op;
use qd_ir::ownership::check;
use qd_ir::plan::{Kernel, Source};
use qd_ir::sketch::*;
use qd_ir::types::Scalar;

use crate::common::*;

/// An expression over the names of a program, in its type.
#[derive(Debug, Clone)]
pub enum Tree {
    Name(&'static str),
    Int(u8),
    Op(Op, Box<Tree>, Box<Tree>),
    /// To that type and back.
    Cast(Scalar, Box<Tree>),
    /// `if a == b { c } else { d }`, by that comparison.
    If(Op, Box<[Tree; 4]>),
    /// The element of another array at that index: its bits upside down, and who knows it.
    Loaded(Box<Tree>),
}

use Tree::{Int, Name};

pub fn choose(op: Op, a: Tree, b: Tree, then: Tree, otherwise: Tree) -> Tree {
    Tree::If(op, Box::new([a, b, then, otherwise]))
}

/// Whether two numbers compare so.
fn holds(op: Op, a: i128, b: i128) -> bool {
    match op {
        Op::Eq => a == b,
        Op::Ne => a != b,
        Op::Lt => a < b,
        Op::Le => a <= b,
        Op::Gt => a > b,
        Op::Ge => a >= b,
        other => panic!("{other} compares nothing"),
    }
}

pub fn op(op: Op, a: Tree, b: Tree) -> Tree {
    Tree::Op(op, Box::new(a), Box::new(b))
}

pub fn add(a: Tree, b: Tree) -> Tree {
    op(Op::Add, a, b)
}

pub fn sub(a: Tree, b: Tree) -> Tree {
    op(Op::Sub, a, b)
}

pub fn mul(a: Tree, b: Tree) -> Tree {
    op(Op::Mul, a, b)
}

/// A loop's variable and what it runs over.
#[derive(Debug, Clone)]
pub struct Loop {
    pub name: &'static str,
    pub lo: Tree,
    pub hi: Tree,
    pub inclusive: bool,
    /// `None` is `rev`.
    pub adapters: Vec<Option<Tree>>,
}

pub fn over(name: &'static str, lo: Tree, hi: Tree) -> Loop {
    Loop { name, lo, hi, inclusive: false, adapters: Vec::new() }
}

/// How a condition surrounds an access.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    If,
    Else,
    /// `if cond { continue; }` before it and all that follows.
    Continue,
}

#[derive(Debug, Clone)]
pub struct Guard {
    pub shape: Shape,
    pub op: Op,
    pub left: Tree,
    pub right: Tree,
    /// Another comparison: both hold where the access is made.
    pub and: Option<(Op, Tree, Tree)>,
}

#[derive(Debug, Clone)]
pub struct Access {
    pub store: bool,
    pub index: Vec<Tree>,
    pub guard: Option<Guard>,
}

impl Access {
    pub fn when(self, op: Op, left: Tree, right: Tree) -> Access {
        Access { guard: Some(Guard { shape: Shape::If, op, left, right, and: None }), ..self }
    }

    /// After [`when`](Access::when), another condition.
    pub fn and(mut self, op: Op, left: Tree, right: Tree) -> Access {
        self.guard.as_mut().expect("`when` comes before").and = Some((op, left, right));
        self
    }
}

pub fn store(index: impl Into<Vec<Tree>>) -> Access {
    Access { store: true, index: index.into(), guard: None }
}

pub fn load(index: impl Into<Vec<Tree>>) -> Access {
    Access { store: false, ..store(index) }
}

/// `for outer { let name = ..; before; for inner { inside } }`
#[derive(Debug, Clone)]
pub struct Program {
    /// The type that it calculates in.
    pub ty: Scalar,
    /// One, of that type; or two of `ndrange`, which are `usize`.
    pub outer: Vec<Loop>,
    pub lets: Vec<(&'static str, Tree)>,
    pub before: Vec<Access>,
    pub inner: Option<Loop>,
    pub inside: Vec<Access>,
}

pub fn program(ty: Scalar, outer: Vec<Loop>, inner: Option<Loop>, accesses: Vec<Access>) -> Program {
    let (before, inside) = if inner.is_some() { (Vec::new(), accesses) } else { (accesses, Vec::new()) };
    Program { ty, outer, lets: Vec::new(), before, inner, inside }
}

/// The names that are the same in all iterations.
pub const INVARIANTS: [&str; 2] = ["n", "m"];

pub type Env = HashMap<&'static str, i128>;

fn wrap(ty: Scalar, value: i128) -> i128 {
    match ty {
        Scalar::I8 => i128::from(value as i8),
        Scalar::U8 => i128::from(value as u8),
        Scalar::I16 => i128::from(value as i16),
        Scalar::Usize => i128::from(value as u64),
        other => panic!("{other} isn't in the search"),
    }
}

fn saturate(ty: Scalar, value: i128) -> i128 {
    match ty {
        Scalar::I8 => value.clamp(-128, 127),
        Scalar::U8 => value.clamp(0, 255),
        Scalar::Usize => value.clamp(0, i128::from(u64::MAX)),
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
            Tree::If(op, parts) => {
                let [left, right, then, otherwise] = parts.as_ref();
                let holds = holds(*op, self.eval(ty, left, env)?, self.eval(ty, right, env)?);
                self.eval(ty, if holds { then } else { otherwise }, env)?
            }
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
                        Op::Div | Op::Rem | Op::DivEuclid | Op::RemEuclid if fails => return Err(Ends),
                        Op::Div => a / b,
                        Op::Rem => a % b,
                        Op::DivEuclid => a.div_euclid(b),
                        Op::RemEuclid => a.rem_euclid(b),
                        Op::And => a & b,
                        Op::Or => a | b,
                        Op::Xor => a ^ b,
                        Op::Min => a.min(b),
                        Op::Max => a.max(b),
                        Op::DivCeil | Op::NextMultipleOf if b == 0 => return Err(Ends),
                        Op::DivCeil => (a + b - 1) / b,
                        Op::NextMultipleOf => (a + b - 1) / b * b,
                        Op::SaturatingAdd => saturate(ty, a + b),
                        Op::SaturatingSub => saturate(ty, a - b),
                        Op::SaturatingMul => saturate(ty, a * b),
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
    pub fn collision(&self, invariants: &Env) -> (Option<String>, bool) {
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
            if let Some(Guard { shape, op, left, right, and }) = guard {
                let compare = |op: &Op, left: &Tree, right: &Tree| {
                    Ok(holds(*op, self.eval(self.ty, left, env)?, self.eval(self.ty, right, env)?))
                };
                let mut holds = compare(op, left, right)?;
                // As `a && b`, and where it mustn't hold as `a || b`.
                if let Some((op, left, right)) = and
                    && holds == (*shape == Shape::If)
                {
                    holds = compare(op, left, right)?;
                }
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
    pub fn kernel(&self) -> Option<Kernel> {
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
    pub fn holds(&self, kernel: &Kernel, invariants: &Env) -> bool {
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
            Tree::If(op, parts) => {
                let [left, right, then, otherwise] = parts.as_ref();
                let sides = [self.tree_of(ty, left), self.tree_of(ty, right)];
                let cond = self.b.op(*op, &sides);
                let (then, otherwise) = (self.tree_of(ty, then), self.tree_of(ty, otherwise));
                let otherwise = Some(self.b.e(ExprKind::Block(block(vec![], Some(otherwise)))));
                self.b.e(ExprKind::If { cond, then: block(vec![], Some(then)), otherwise })
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
                let first = self.b.op(guard.op, &sides);
                let cond = guard.and.as_ref().map_or(first, |(op, left, right)| {
                    let sides = [self.tree(left), self.tree(right)];
                    let second = self.b.op(*op, &sides);
                    let both = if guard.shape == Shape::If { ExprKind::LazyAnd } else { ExprKind::LazyOr };
                    self.b.e(both(first, second))
                });
                (guard.shape, cond)
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
