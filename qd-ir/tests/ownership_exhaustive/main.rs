//! The race rule against every iteration: programs over 8-bit integers, where wrapping shows, are run by an interpreter
//! that knows nothing of the rule. What is accepted, with its launch predicate true, must never collide.
#[path = "../common/mod.rs"]
mod common;
mod program;
mod random;

use qd_ir::op::Op;
use qd_ir::types::Scalar;

use program::Tree::{Int, Name};
use program::*;
use random::Random;

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

#[test]
fn random_programs_that_are_accepted_never_collide() {
    let mut random = Random(7, Scalar::U8);
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
        op(Op::And, Name("i"), Name("m")),
        op(Op::Or, Name("i"), Int(1)),
        op(Op::Or, mul(Name("i"), Int(2)), Int(1)),
        op(Op::Or, op(Op::Shl, Name("i"), Int(2)), Name("n")),
        op(Op::Xor, Name("i"), Int(1)),
        op(Op::Xor, Name("i"), Int(6)),
        op(Op::Xor, Name("i"), Int(128)),
        op(Op::Xor, Name("i"), Name("m")),
        op(Op::RemEuclid, Name("i"), Name("m")),
        op(Op::DivEuclid, Name("i"), Int(2)),
        choose(Op::Lt, Name("i"), Name("m"), Name("i"), sub(Name("i"), Name("m"))),
        choose(Op::Eq, op(Op::And, Name("i"), Int(1)), Int(0), Name("i"), add(Name("i"), Int(2))),
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
                    let large = |tree: &Tree| matches!(tree, Int(128..));
                    let big = |tree: &Tree| matches!(tree, Tree::Op(_, a, b) if large(a) || large(b));
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

/// Both of a pair that differ in some bits, which one of them alone accesses: for all masks, over all values.
#[test]
fn pairs_that_differ_in_bits_never_collide() {
    let (i, m) = (|| Name("i"), || Name("m"));
    let partner = || op(Op::Xor, i(), m());
    let whole = |ty| match ty {
        Scalar::I8 => Loop { inclusive: true, ..over("i", sub(sub(Int(0), Int(127)), Int(1)), Int(127)) },
        _ => Loop { inclusive: true, ..over("i", Int(0), Int(255)) },
    };
    let conditions = [
        (Op::Lt, i(), partner()),
        (Op::Gt, i(), partner()),
        (Op::Le, i(), partner()),
        (Op::Eq, op(Op::And, i(), m()), Int(0)),
        (Op::Ne, op(Op::And, i(), m()), Int(0)),
        (Op::Eq, op(Op::And, i(), m()), m()),
    ];
    for ty in [Scalar::U8, Scalar::I8] {
        let (mut taken, mut free) = (0, 0);
        for (compare, left, right) in &conditions {
            let when = |access: Access| access.when(*compare, left.clone(), right.clone());
            let accesses = [store([i()]), store([partner()]), load([i()]), load([partner()])].map(when);
            let program = program(ty, vec![whole(ty)], None, accesses.to_vec());
            let Some(kernel) = program.kernel() else { panic!("{compare} {left:?} {right:?}: refused") };
            let masks = if ty == Scalar::I8 { -128..=127 } else { 0..=255 };
            for mask in masks {
                let setting = Env::from([("n", 0), ("m", mask)]);
                let (collision, _) = program.collision(&setting);
                let holds = program.holds(&kernel, &setting);
                assert!(collision.is_none() || !holds, "{collision:?} with {setting:?}\n{program:#?}");
                (taken, free) = (taken + usize::from(holds), free + usize::from(collision.is_none()));
            }
        }
        println!("{ty}: {taken} of {free}");
        // Masks of one run of bits, and no guard, are what is followed.
        assert!(taken > 100, "{ty}: {taken} of {free}");
    }
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
        ("x[i ^ m]", program(usizes, to_n(), None, vec![store([op(Op::Xor, i(), m())])]), 100),
        (
            "x[i] and x[i ^ m], the lower of the two",
            {
                let partner = || op(Op::Xor, i(), m());
                let accesses = [store([i()]), store([partner()]), load([i()]), load([partner()])];
                let accesses = accesses.map(|access| access.when(Op::Lt, i(), partner()));
                program(usizes, to_n(), None, accesses.to_vec())
            },
            100,
        ),
        (
            "x[2 * i | 1] beside x[2 * i]",
            program(
                usizes,
                to_n(),
                None,
                vec![store([op(Op::Or, mul(i(), Int(2)), Int(1))]), load([mul(i(), Int(2))])],
            ),
            100,
        ),
        (
            "x[i << 2 | j % 4]",
            {
                let at = op(Op::Or, op(Op::Shl, i(), Int(2)), op(Op::Rem, k(), Int(4)));
                program(usizes, to_n(), block(Int(0), m()), vec![store([at])])
            },
            100,
        ),
        (
            "x[(i + n).rem_euclid(m)], its own residue",
            {
                let at = op(Op::RemEuclid, sub(i(), Int(2)), Int(7));
                program(Scalar::I8, vec![over("i", Int(0), Int(7))], None, vec![store([at])])
            },
            100,
        ),
        (
            "blocks and places in them by the Euclidean division",
            {
                let at = add(mul(op(Op::DivEuclid, i(), m()), m()), op(Op::RemEuclid, i(), m()));
                program(usizes, to_n(), None, vec![store([at])])
            },
            100,
        ),
        (
            "the halves changed by an if",
            {
                let at = choose(Op::Lt, i(), m(), add(i(), m()), sub(i(), m()));
                program(usizes, vec![over("i", Int(0), mul(m(), Int(2)))], None, vec![store([at])])
            },
            100,
        ),
        (
            "the last place of a row, or the row's own",
            {
                let at = choose(Op::Eq, i(), Int(0), n(), sub(i(), Int(1)));
                program(usizes, to_n(), None, vec![store([at])])
            },
            100,
        ),
        (
            "x[i] beside x[m], i != m",
            {
                let accesses = [store([i()]), load([m()])].map(|access| access.when(Op::Ne, i(), m()));
                program(usizes, to_n(), None, accesses.to_vec())
            },
            100,
        ),
        (
            "x[3 * i + 1] beside x[3 * m + 1], after an if that goes on",
            {
                let at = |of| add(mul(of, Int(3)), Int(1));
                let mut first = store([at(i())]).when(Op::Eq, i(), m());
                first.guard.iter_mut().for_each(|guard| guard.shape = Shape::Continue);
                program(usizes, to_n(), None, vec![first, load([at(m())])])
            },
            100,
        ),
        (
            "paths through n and m, beside row n and column m",
            {
                let accesses = [store([i(), j()]), load([i(), m()]), load([n(), j()])];
                let accesses = accesses.map(|access| access.when(Op::Ne, i(), n()).and(Op::Ne, j(), m()));
                program(usizes, grid(), None, accesses.to_vec())
            },
            100,
        ),
        (
            "all rows but m, beside it",
            {
                let at = |row| add(mul(row, Int(8)), k());
                let accesses = [store([at(i())]), load([at(m())])].map(|access| access.when(Op::Ne, i(), m()));
                program(usizes, to_n(), block(Int(0), Int(8)), accesses.to_vec())
            },
            100,
        ),
        (
            "all of a residue but the middle one",
            {
                let accesses = [store([i()]), load([add(mul(m(), Int(3)), Int(1))])];
                let accesses = accesses.map(|access| access.when(Op::Ne, op(Op::Rem, i(), Int(3)), Int(1)));
                program(usizes, to_n(), None, accesses.to_vec())
            },
            100,
        ),
        (
            "neighbours, the last of which may be missing",
            {
                let left = || add(mul(i(), Int(2)), op(Op::Rem, m(), Int(2)));
                let accesses = [store([left()]), store([add(left(), Int(1))])];
                let accesses = accesses.map(|access| access.when(Op::Lt, add(left(), Int(1)), n()));
                program(usizes, vec![over("i", Int(0), op(Op::Div, n(), Int(2)))], None, accesses.to_vec())
            },
            100,
        ),
        (
            "neighbours by steps that saturate",
            {
                let start = op(Op::Rem, m(), Int(2));
                let outer =
                    Loop { adapters: vec![Some(Int(2))], ..over("i", start, op(Op::SaturatingSub, n(), Int(1))) };
                program(usizes, vec![outer], None, vec![store([i()]), store([add(i(), Int(1))])])
            },
            100,
        ),
        (
            "a diagonal, whose ends are bounded",
            {
                // The diagonal 9 of a table of n by m.
                let start = op(Op::Max, Int(1), op(Op::SaturatingSub, Int(9), m()));
                let outer = Loop { inclusive: true, ..over("i", start, op(Op::Min, n(), Int(8))) };
                let column = || sub(Int(9), i());
                let accesses = vec![
                    store([i(), column()]),
                    load([sub(i(), Int(1)), sub(column(), Int(1))]),
                    load([sub(i(), Int(1)), column()]),
                    load([i(), sub(column(), Int(1))]),
                ];
                program(usizes, vec![outer], None, accesses)
            },
            100,
        ),
        (
            "blocks of m, as many as it takes",
            {
                let lo = || mul(i(), m());
                let outer = vec![over("i", Int(0), op(Op::DivCeil, n(), m()))];
                program(usizes, outer, block(lo(), op(Op::Min, add(lo(), m()), n())), vec![store([k()])])
            },
            100,
        ),
        (
            "rows as far apart as the next multiple of eight",
            {
                let at = add(mul(i(), op(Op::NextMultipleOf, m(), Int(8))), k());
                program(usizes, to_n(), block(Int(0), m()), vec![store([at])])
            },
            100,
        ),
        (
            "across the diagonal, by a loop to it",
            {
                let accesses = vec![store([i(), k()]), store([k(), i()])];
                program(usizes, to_n(), block(Int(0), i()), accesses)
            },
            100,
        ),
        (
            "across the diagonal, by a loop that stops before it",
            {
                let accesses = vec![store([i(), k()]), store([k(), i()])];
                program(usizes, to_n(), block(Int(0), op(Op::SaturatingSub, i(), m())), accesses)
            },
            100,
        ),
        (
            "across the diagonal, by a loop from it, in rows of n",
            {
                let accesses = vec![store([add(mul(i(), n()), k())]), load([add(mul(k(), n()), i())])];
                program(usizes, to_n(), block(i(), n()), accesses)
            },
            100,
        ),
        (
            "across the diagonal, by a condition",
            {
                let accesses = [store([i(), j()]), store([j(), i()])].map(|access| access.when(Op::Lt, j(), i()));
                program(usizes, vec![over("i", Int(0), n()), over("j", Int(0), n())], None, accesses.to_vec())
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
