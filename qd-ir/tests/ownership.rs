//! The race rule: what the macro accepts, refuses, and leaves to launches. Whether it is right is for
//! `ownership_exhaustive` to find out.
mod common;

use common::*;
use qd_ir::op::{AtomicOp, Op};
use qd_ir::ownership::{AccessKind, Conflict, ConflictKind, Ownership, check};
use qd_ir::sketch::*;
use qd_ir::types::{Scalar, Type};

/// A kernel with `x: &mut NdArray<f32, 1>`, `m: &mut NdArray<f32, 2>`, `n: usize` and one loop.
struct Case {
    b: Builder,
    x: ParamId,
    m: ParamId,
    n: L,
    i: L,
    j: L,
}

impl Case {
    fn new() -> Self {
        let mut b = Builder::new("case");
        let x = b.array("x", Scalar::F32, 1, true);
        let m = b.array("m", Scalar::F32, 2, true);
        let n = b.value("n", scalar(Scalar::Usize));
        let (i, j) = (b.name("i", Scalar::Usize), b.name("j", Scalar::Usize));
        Case { b, x, m, n, i, j }
    }

    fn i(&mut self) -> E {
        self.b.get(self.i)
    }

    fn j(&mut self) -> E {
        self.b.get(self.j)
    }

    /// `x[index] = 1.0`
    fn store(&mut self, index: E) -> E {
        let one = self.b.float("1.0");
        self.b.store(self.x, &[index], one)
    }

    fn load(&mut self, index: E) -> E {
        self.b.load(self.x, &[index])
    }

    /// `for i in 0..n { body }`
    fn over_i(mut self, stmts: Vec<Stmt>) -> Ownership {
        let (lo, hi) = (self.b.int(0), self.b.get(self.n));
        let kind = ConstructKind::Parallel {
            domain: self.b.range(lo, hi),
            pattern: Pattern::Bind(self.i),
            label: Label(0),
            reductions: vec![],
            body: Block { stmts, tail: None },
        };
        self.b.sketch.constructs.push(Construct {
            pos: Default::default(),
            grain: None,
            block: None,
            apart: Vec::new(),
            kind,
        });
        check(&self.b.sketch, |_| false)
    }

    /// `for (i, j) in ndrange([n, n]) { body }`
    fn over_ij(mut self, body: Vec<E>) -> Ownership {
        let (h, w) = (self.b.get(self.n), self.b.get(self.n));
        let pattern = Pattern::Tuple(vec![Pattern::Bind(self.i), Pattern::Bind(self.j)]);
        self.b.parallel(Domain::Ndrange(vec![(None, h), (None, w)]), pattern, &[], body);
        check(&self.b.sketch, |_| false)
    }
}

fn stmts(exprs: Vec<E>) -> Vec<Stmt> {
    exprs.into_iter().map(Stmt::Expr).collect()
}

#[track_caller]
fn one(found: &Ownership) -> &Conflict {
    assert_eq!(found.conflicts.len(), 1, "{found:#?}");
    assert!(!found.conflicts[0].help.is_empty());
    &found.conflicts[0]
}

/// Nothing is refused, and so many pairs are left to launches.
#[track_caller]
fn launches(found: &Ownership, pairs: usize) {
    assert_eq!((found.conflicts.as_slice(), found.injective.as_slice()), ([].as_slice(), [].as_slice()));
    assert_eq!(found.apart.values().map(Vec::len).sum::<usize>(), pairs, "{found:#?}");
}

#[test]
fn the_variable_alone_or_shifted_is_owned() {
    for shift in [None, Some(Op::Add), Some(Op::Sub), Some(Op::WrappingAdd)] {
        for reversed in [false, true] {
            let mut c = Case::new();
            let mut index = || {
                let i = c.i();
                let Some(op) = shift else { return i };
                let (n, one) = (c.b.get(c.n), c.b.int(1));
                let by = c.b.op(Op::Mul, &[n, one]);
                let args = if reversed { [by, i] } else { [i, by] };
                c.b.op(op, &args)
            };
            let (first, second) = (index(), index());
            let (store, load) = (c.store(first), c.load(second));
            let found = c.over_i(stmts(vec![store, load]));
            assert_eq!(found, Ownership::default(), "{shift:?} {reversed}");
        }
    }
}

#[test]
fn neighbours_conflict() {
    let mut c = Case::new();
    let (i1, i2, by) = (c.i(), c.i(), c.b.int(1));
    let next = c.b.op(Op::Add, &[i2, by]);
    let load = c.load(next);
    let store = c.b.store(c.x, &[i1], load);
    let found = c.over_i(stmts(vec![store]));
    let conflict = one(&found);
    assert_eq!(conflict.kind, ConflictKind::Differ);
    assert_eq!((conflict.first.expr, conflict.second.expr), (store, load));
    assert_eq!((conflict.first.kind, conflict.second.kind), (AccessKind::Store, AccessKind::Load));
    assert_eq!(conflict.name, "x");
}

#[test]
fn quotients_remainders_and_what_is_not_followed_are_not_owned() {
    for op in [Op::Div, Op::Rem, Op::Shr, Op::And, Op::Or, Op::Min, Op::Max, Op::Pow] {
        let mut c = Case::new();
        let (i, two) = (c.i(), c.b.int(2));
        let index = c.b.op(op, &[i, two]);
        let store = c.store(index);
        let found = c.over_i(stmts(vec![store]));
        assert_eq!(one(&found).kind, ConflictKind::WriteNotOwned, "{op}");
        assert_eq!(one(&found).first, one(&found).second);
    }
}

#[test]
fn casts_are_reported_for_rustc_to_judge() {
    let mut c = Case::new();
    let i1 = c.i();
    let narrow = c.b.cast(i1, Scalar::U8);
    let wide = c.b.cast(narrow, Scalar::Usize);
    let store = c.store(wide);
    let found = c.over_i(stmts(vec![store]));
    assert_eq!(found.conflicts, []);
    assert_eq!(found.injective, [narrow, wide]);
}

#[test]
fn a_cast_of_a_free_position_is_not_reported() {
    let mut c = Case::new();
    let (i1, i2) = (c.i(), c.i());
    let narrow = c.b.cast(i1, Scalar::U8);
    let wide = c.b.cast(narrow, Scalar::Usize);
    let value = c.b.float("0.0");
    let store = c.b.store(c.m, &[wide, i2], value);
    assert_eq!(c.over_i(stmts(vec![store])), Ownership::default());
}

#[test]
fn mutable_and_unnamed_variables_own_nothing() {
    let mut c = Case::new();
    c.b.sketch.locals[c.i].assigned = true;
    let i1 = c.i();
    let store = c.store(i1);
    assert_eq!(one(&c.over_i(stmts(vec![store]))).kind, ConflictKind::WriteNotOwned);

    let mut c = Case::new();
    let (i1, h, w) = (c.i(), c.b.get(c.n), c.b.get(c.n));
    let store = c.store(i1);
    let pattern = Pattern::Tuple(vec![Pattern::Bind(c.i), Pattern::Wild]);
    c.b.parallel(Domain::Ndrange(vec![(None, h), (None, w)]), pattern, &[], vec![store]);
    assert_eq!(one(&check(&c.b.sketch, |_| false)).kind, ConflictKind::WriteNotOwned);
}

#[test]
fn each_dimension_needs_a_position() {
    let store_at = |index: fn(&mut Case) -> Vec<E>| {
        let mut c = Case::new();
        let (index, value) = (index(&mut c), c.b.float("0.0"));
        let store = c.b.store(c.m, &index, value);
        c.over_ij(vec![store])
    };
    assert_eq!(store_at(|c| vec![c.i(), c.j()]), Ownership::default());
    assert_eq!(store_at(|c| vec![c.j(), c.i()]), Ownership::default());
    for index in [|c: &mut Case| vec![c.i(), c.b.int(0)], |c: &mut Case| vec![c.i(), c.i()]] {
        assert_eq!(one(&store_at(index)).kind, ConflictKind::WriteNotOwned);
    }
    // A sum of two variables holds neither, but beside one of them it tells the other.
    let sums = |c: &mut Case| {
        let (i, j, k, l) = (c.i(), c.j(), c.j(), c.i());
        vec![c.b.op(Op::Add, &[i, j]), c.b.op(Op::Add, &[k, l])]
    };
    assert_eq!(one(&store_at(sums)).kind, ConflictKind::WriteNotOwned);
    let sum = |c: &mut Case| {
        let (i, j, k) = (c.i(), c.j(), c.j());
        vec![c.b.op(Op::Add, &[i, j]), k]
    };
    launches(&store_at(sum), 1);
}

#[test]
fn a_row_is_owned_and_its_transpose_is_not() {
    // for i in 0..n { for k in 0..n { m[[i, k]] = m[[i, 0]] } }
    let mut c = Case::new();
    let (i1, i2, j1, zero) = (c.i(), c.i(), c.j(), c.b.int(0));
    let read = c.b.load(c.m, &[i1, zero]);
    let store = c.b.store(c.m, &[i2, j1], read);
    let (lo, hi) = (c.b.int(0), c.b.get(c.n));
    let inner = c.b.e(ExprKind::For {
        label: Label(1),
        pattern: Pattern::Bind(c.j),
        domain: Box::new(Domain::Range { lo, hi, tap: None }),
        unroll: Default::default(),
        body: block(vec![store], None),
    });
    assert_eq!(c.over_i(stmts(vec![inner])), Ownership::default());

    let mut c = Case::new();
    let (i1, i2, j1, j2) = (c.i(), c.i(), c.j(), c.j());
    let read = c.b.load(c.m, &[j1, i1]);
    let store = c.b.store(c.m, &[i2, j2], read);
    assert_eq!(one(&c.over_ij(vec![store])).kind, ConflictKind::Differ);
}

#[test]
fn aliases_are_followed() {
    // let k = i + 1; let (p, _) = (k, 0); x[p] = 1.0; x[i + 1];
    let mut c = Case::new();
    let (i1, by) = (c.i(), c.b.int(1));
    let sum = c.b.op(Op::Add, &[i1, by]);
    let k = c.b.name("k", Scalar::Usize);
    let (k1, zero) = (c.b.get(k), c.b.int(0));
    let pair = c.b.e(ExprKind::Tuple(vec![k1, zero]));
    let p = c.b.name("p", Scalar::Usize);
    let apart = Stmt::Let { pattern: Pattern::Tuple(vec![Pattern::Bind(p), Pattern::Wild]), init: Some(pair) };
    let p1 = c.b.get(p);
    let store = c.store(p1);
    let (i2, by) = (c.i(), c.b.int(1));
    let sum2 = c.b.op(Op::Add, &[i2, by]);
    let load = c.load(sum2);
    let body = vec![let_(k, sum), apart, Stmt::Expr(store), Stmt::Expr(load)];
    assert_eq!(c.over_i(body), Ownership::default());

    // A variable isn't followed.
    let mut c = Case::new();
    let t = c.b.var("t", Scalar::Usize);
    let (i1, t1) = (c.i(), c.b.get(t));
    let store = c.store(t1);
    assert_eq!(one(&c.over_i(vec![let_(t, i1), Stmt::Expr(store)])).kind, ConflictKind::WriteNotOwned);
}

#[test]
fn a_name_in_place_of_a_literal_is_another_value() {
    // `(a + 100) as usize` with `a: u8` wraps, `(200 + 100) as usize` doesn't.
    let mut c = Case::new();
    let a = c.b.name("a", Scalar::U8);
    let init = c.b.int(200);
    let index = |left: fn(&mut Case, L) -> E, c: &mut Case| {
        let (i, left, right) = (c.i(), left(c, a), c.b.int(100));
        let sum = c.b.op(Op::Add, &[left, right]);
        let by = c.b.cast(sum, Scalar::Usize);
        c.b.op(Op::Add, &[i, by])
    };
    let first = index(|c, a| c.b.get(a), &mut c);
    let second = index(|c, _| c.b.int(200), &mut c);
    let (store, load) = (c.store(first), c.load(second));
    let body = vec![let_(a, init), Stmt::Expr(store), Stmt::Expr(load)];
    // Not the same expression: a launch has to tell.
    launches(&c.over_i(body), 1);
}

#[test]
fn what_changes_in_the_loop_is_no_offset() {
    // x[i + x[i] as usize], x[i + j] with an inner j, x[i + r] with a reduction r
    let mut c = Case::new();
    let (i1, i2) = (c.i(), c.i());
    let read = c.load(i1);
    let by = c.b.cast(read, Scalar::Usize);
    let index = c.b.op(Op::Add, &[i2, by]);
    let store = c.store(index);
    assert_eq!(one(&c.over_i(stmts(vec![store]))).kind, ConflictKind::WriteNotOwned);

    let mut c = Case::new();
    let r = c.b.var("r", Scalar::Usize);
    let (i1, r1) = (c.i(), c.b.get(r));
    let index = c.b.op(Op::Add, &[i1, r1]);
    let store = c.store(index);
    let (lo, hi) = (c.b.int(0), c.b.get(c.n));
    let domain = c.b.range(lo, hi);
    c.b.parallel(domain, Pattern::Bind(c.i), &[r], vec![store]);
    assert_eq!(one(&check(&c.b.sketch, |_| false)).kind, ConflictKind::WriteNotOwned);
}

#[test]
fn atomics_stand_alone_or_are_owned() {
    let atomic = |c: &mut Case, index: E| {
        let value = c.b.int(1);
        c.b.e(ExprKind::Atomic { op: AtomicOp::Add, array: c.x, index: vec![index], path: vec![], value })
    };
    let mut c = Case::new();
    let (zero, one_) = (c.b.int(0), c.b.int(1));
    let (first, second) = (atomic(&mut c, zero), atomic(&mut c, one_));
    assert_eq!(c.over_i(stmts(vec![first, second])), Ownership::default());

    let mut c = Case::new();
    let (zero, i1) = (c.b.int(0), c.i());
    let (update, load) = (atomic(&mut c, zero), c.load(i1));
    let found = c.over_i(stmts(vec![load, update]));
    assert_eq!(one(&found).kind, ConflictKind::AtomicBesidePlain);
    assert_eq!((one(&found).first.expr, one(&found).second.expr), (update, load));

    let mut c = Case::new();
    let (i1, i2) = (c.i(), c.i());
    let (update, load) = (atomic(&mut c, i1), c.load(i2));
    assert_eq!(c.over_i(stmts(vec![load, update])), Ownership::default());

    // A compare-and-exchange is one of them.
    let exchange = |c: &mut Case, index: E| {
        let (current, new) = (c.b.int(1), c.b.int(2));
        c.b.e(ExprKind::CompareExchange { array: c.x, index: vec![index], path: vec![], current, new })
    };
    let mut c = Case::new();
    let (zero, one_) = (c.b.int(0), c.b.int(1));
    let (first, second) = (exchange(&mut c, zero), atomic(&mut c, one_));
    assert_eq!(c.over_i(stmts(vec![first, second])), Ownership::default());

    let mut c = Case::new();
    let (zero, i1) = (c.b.int(0), c.i());
    let (update, load) = (exchange(&mut c, zero), c.load(i1));
    let found = c.over_i(stmts(vec![load, update]));
    assert_eq!(one(&found).kind, ConflictKind::AtomicBesidePlain);
    assert_eq!((one(&found).first.expr, one(&found).second.expr), (update, load));
}

#[test]
fn functions_read_what_they_are_handed_and_write_what_they_are_lent() {
    let call = |c: &mut Case, arg: Arg| c.b.e(ExprKind::Call { callee: CalleeId(0), args: vec![arg] });
    let handed = |c: &Case, shared: bool| Arg::Reference { param: c.x, shared };
    let element = |c: &Case, index: E| Arg::Place(Place::Element { array: c.x, index: vec![index], path: vec![] });

    let mut c = Case::new();
    let arg = handed(&c, true);
    let reads = vec![call(&mut c, arg.clone()), call(&mut c, arg)];
    assert_eq!(c.over_i(stmts(reads)), Ownership::default());

    let mut c = Case::new();
    let (arg, i) = (handed(&c, true), c.i());
    let (read, store) = (call(&mut c, arg), c.store(i));
    let found = c.over_i(stmts(vec![read, store]));
    assert_eq!(one(&found).kind, ConflictKind::Handed);
    assert_eq!((one(&found).first.expr, one(&found).second.expr), (store, read));

    let mut c = Case::new();
    let arg = handed(&c, false);
    let written = call(&mut c, arg);
    assert_eq!(one(&c.over_i(stmts(vec![written]))).kind, ConflictKind::Lent);

    let mut c = Case::new();
    let (i1, i2) = (c.i(), c.i());
    let arg = element(&c, i1);
    let (lent, load) = (call(&mut c, arg), c.load(i2));
    assert_eq!(c.over_i(stmts(vec![lent, load])), Ownership::default());

    let mut c = Case::new();
    let zero = c.b.int(0);
    let arg = element(&c, zero);
    let lent = call(&mut c, arg);
    assert_eq!(one(&c.over_i(stmts(vec![lent]))).kind, ConflictKind::WriteNotOwned);

    // What a value argument reads is read by the caller.
    let mut c = Case::new();
    let (zero, i) = (c.b.int(0), c.i());
    let (load, store) = (c.load(zero), c.store(i));
    let value = call(&mut c, Arg::Value(load));
    assert_eq!(one(&c.over_i(stmts(vec![value, store]))).kind, ConflictKind::ReadNotOwned);
}

#[test]
fn reads_lengths_and_exempt_accesses_are_free() {
    let mut c = Case::new();
    let (zero, i1) = (c.b.int(0), c.i());
    let read = c.load(zero);
    let len = c.b.len(c.x);
    let other = c.b.load(c.m, &[i1, i1]);
    assert_eq!(c.over_i(stmts(vec![read, len, other])), Ownership::default());

    let mut c = Case::new();
    let zero = c.b.int(0);
    let store = c.store(zero);
    let hi = c.b.get(c.n);
    let i = c.i;
    c.b.loop_to(i, hi, vec![store]);
    assert_eq!(one(&check(&c.b.sketch, |_| false)).kind, ConflictKind::WriteNotOwned);
    assert_eq!(check(&c.b.sketch, |e| e == store), Ownership::default());
}

#[test]
fn a_point_bound_to_one_name_is_owned_by_its_parts() {
    let run = |parts: [u32; 2]| {
        let mut c = Case::new();
        let pair = Type::Tuple(vec![scalar(Scalar::Usize), scalar(Scalar::Usize)]);
        let p = c.b.local_of("p", pair, false);
        let index = parts.map(|part| {
            let p = c.b.get(p);
            c.b.e(ExprKind::Field(p, Member::Index(part)))
        });
        let value = c.b.float("0.0");
        let store = c.b.store(c.m, &index, value);
        c.b.parallel(Domain::Indices(c.m), Pattern::Bind(p), &[], vec![store]);
        check(&c.b.sketch, |_| false)
    };
    assert_eq!(run([0, 1]), Ownership::default());
    assert_eq!(run([1, 0]), Ownership::default());
    assert_eq!(one(&run([0, 0])).kind, ConflictKind::WriteNotOwned);
}
