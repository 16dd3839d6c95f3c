//! Smaller programs: what is left of one after a single cut.
//!
//! A cut may break a program (a `let` whose name is used); that is found by building it.
use super::form::Form;
use super::program::{Expr, Piece, Program, Stmt, expressions, pieces};
use super::ty::{Defs, Ty};

/// Every program that is one cut smaller, the larger cuts first.
pub(super) fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for k in 0..program.items.len() {
        found.push(edited(program, |smaller| drop(smaller.items.remove(k))));
    }
    for k in 0..program.params.len() {
        found.push(edited(program, |smaller| drop(smaller.params.remove(k))));
    }
    if program.instances.len() > 1 {
        for k in 0..program.instances.len() {
            found.push(edited(program, |smaller| drop(smaller.instances.remove(k))));
        }
    }
    if program.result != Ty::UNIT {
        found.push(edited(program, without_result));
    }
    statements(program, &mut found);
    values(program, &mut found);
    let size = program.source().len();
    found.retain(|smaller| smaller.source().len() < size);
    found
}

fn edited(program: &Program, edit: impl FnOnce(&mut Program)) -> Program {
    let mut smaller = program.clone();
    edit(&mut smaller);
    smaller
}

fn without_result(program: &mut Program) {
    program.result = Ty::UNIT;
    program.tail = None;
    program.lists(&mut |stmts| {
        for stmt in stmts.iter_mut().filter(|stmt| stmt.form == Form::PlanReturn) {
            stmt.pieces = pieces!["return;"];
        }
    });
}

/// With parts of a list of statements cut away, or a statement replaced by what is in it.
fn statements(program: &Program, found: &mut Vec<Program>) {
    let mut lengths = Vec::new();
    program.clone().lists(&mut |stmts| lengths.push(stmts.len()));
    let cut = |number: usize, edit: &dyn Fn(&mut Vec<Stmt>)| {
        let mut at = 0;
        edited(program, |smaller| {
            smaller.lists(&mut |stmts| {
                if at == number {
                    edit(stmts);
                }
                at += 1;
            });
        })
    };
    for (number, &len) in lengths.iter().enumerate() {
        if len > 3 {
            found.push(cut(number, &|stmts| drop(stmts.drain(..len / 2))));
            found.push(cut(number, &|stmts| stmts.truncate(len / 2)));
        }
        for k in 0..len {
            found.push(cut(number, &|stmts| drop(stmts.remove(k))));
            found.push(cut(number, &|stmts| unwrap(stmts, k)));
        }
    }
}

/// Puts what is in statement `k` in its place.
fn unwrap(stmts: &mut Vec<Stmt>, k: usize) {
    let mut inner = Vec::new();
    for piece in &mut stmts[k].pieces {
        if let Piece::Stmts(stmts) = piece {
            inner.append(stmts);
        }
    }
    stmts.splice(k..=k, inner);
}

/// With an expression made simpler.
fn values(program: &Program, found: &mut Vec<Program>) {
    let mut count = 0;
    program.clone().expressions(&mut |_| count += 1);
    for number in 0..count {
        for edit in 0.. {
            let (mut at, mut edited) = (0, false);
            let mut smaller = program.clone();
            let defs = program.defs.clone();
            smaller.expressions(&mut |expr| {
                if at == number {
                    edited = simplify(expr, edit, &defs);
                }
                at += 1;
            });
            if !edited {
                break;
            }
            found.push(smaller);
        }
    }
}

/// Makes an expression simpler in one of several ways; false if there are no more.
fn simplify(expr: &mut Expr, edit: usize, defs: &Defs) -> bool {
    if matches!(expr.form, Form::Literal | Form::Name) {
        return false;
    }
    let mut simpler = vec![Expr::literal(expr.ty.clone(), defs.simplest(&expr.ty))];
    expressions(&mut expr.pieces, &mut |inner| {
        if inner.ty == expr.ty && simpler.len() < 8 {
            simpler.push(inner.clone());
        }
    });
    match simpler.into_iter().nth(edit) {
        Some(simpler) => {
            *expr = simpler;
            true
        }
        None => false,
    }
}
