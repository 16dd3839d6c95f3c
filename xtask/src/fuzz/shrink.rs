//! Smaller programs: what is left of one after a single cut.
//!
//! A cut may break a program (a `let` whose name is used); that is found by building it.
use super::program::{Block, Domain, Expr, Kind, Place, Program, Stmt};

/// Every program that is one cut smaller, the larger cuts first.
pub(super) fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    let mut lengths = Vec::new();
    lists(&mut program.clone().body, &mut |stmts| lengths.push(stmts.len()));
    let cut = |number: usize, edit: &dyn Fn(&mut Vec<Stmt>)| {
        let mut smaller = program.clone();
        let mut at = 0;
        lists(&mut smaller.body, &mut |stmts| {
            if at == number {
                edit(stmts);
            }
            at += 1;
        });
        smaller
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
    if !program.result.is_empty() {
        let mut smaller = program.clone();
        smaller.result.clear();
        smaller.tail.clear();
        statements(&mut smaller.body, &mut |stmt| {
            if let Stmt::Return(values) = stmt {
                values.clear();
            }
        });
        found.push(smaller);
    }
    for k in 0..program.params.len() {
        let mut smaller = program.clone();
        smaller.params.remove(k);
        found.push(smaller);
    }
    let mut count = 0;
    all_expressions(&mut program.clone(), &mut |_| count += 1);
    for number in 0..count {
        for edit in 0.. {
            let mut smaller = program.clone();
            let (mut at, mut edited) = (0, false);
            all_expressions(&mut smaller, &mut |expr| {
                if at == number {
                    edited = simplify(expr, edit);
                }
                at += 1;
            });
            if !edited {
                break;
            }
            found.push(smaller);
        }
    }
    let size = program.kernel().len();
    found.retain(|smaller| smaller.kernel().len() < size);
    found
}

/// Puts what is in statement `k` in its place.
fn unwrap(stmts: &mut Vec<Stmt>, k: usize) {
    let inner = match &mut stmts[k] {
        Stmt::If { then, otherwise, .. } => {
            let mut inner = std::mem::take(then);
            inner.append(otherwise);
            inner
        }
        Stmt::While { body, .. } | Stmt::Loop { body, .. } => std::mem::take(body),
        // What is in a `for` uses its variable.
        Stmt::For { .. }
        | Stmt::Let { .. }
        | Stmt::LetTuple { .. }
        | Stmt::Assign { .. }
        | Stmt::Fold { .. }
        | Stmt::Atomic { .. }
        | Stmt::Jump(_)
        | Stmt::Return(_) => return,
    };
    stmts.splice(k..=k, inner);
}

/// Makes an expression simpler in one of several ways; false if there are no more.
fn simplify(expr: &mut Expr, edit: usize) -> bool {
    if matches!(expr.kind, Kind::Literal(_) | Kind::Name(_)) {
        return false;
    }
    let mut simpler = vec![Expr::simplest(expr.ty)];
    let mut children: Vec<Expr> = match &expr.kind {
        Kind::Literal(_) | Kind::Name(_) => Vec::new(),
        Kind::Op(_, args) | Kind::Part(args, _) | Kind::Load { index: args, .. } => args.clone(),
        Kind::Cast(value) => vec![(**value).clone()],
        Kind::Lazy { a, b, .. } => vec![(**a).clone(), (**b).clone()],
        Kind::If(cond, then, otherwise) => vec![(**cond).clone(), (*then.tail).clone(), (*otherwise.tail).clone()],
        Kind::Match(value, arms, otherwise) => {
            let arms = arms.iter().map(|arm| (*arm.block.tail).clone());
            [(**value).clone(), (*otherwise.tail).clone()].into_iter().chain(arms).collect()
        }
        Kind::Block(block) => vec![(*block.tail).clone()],
    };
    children.retain(|child| child.ty == expr.ty);
    simpler.append(&mut children);
    match simpler.into_iter().nth(edit) {
        Some(simpler) => {
            *expr = simpler;
            true
        }
        None => false,
    }
}

/// Every list of statements, from the outside in.
fn lists(stmts: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(stmts);
    for stmt in stmts {
        match stmt {
            Stmt::If { then, otherwise, .. } => {
                lists(then, visit);
                lists(otherwise, visit);
            }
            Stmt::For { body, .. } | Stmt::While { body, .. } | Stmt::Loop { body, .. } => lists(body, visit),
            Stmt::Let { .. }
            | Stmt::LetTuple { .. }
            | Stmt::Assign { .. }
            | Stmt::Fold { .. }
            | Stmt::Atomic { .. }
            | Stmt::Jump(_)
            | Stmt::Return(_) => {}
        }
    }
}

/// Every statement that isn't inside an expression.
pub(super) fn statements(stmts: &mut [Stmt], visit: &mut dyn FnMut(&mut Stmt)) {
    for stmt in stmts {
        visit(stmt);
        match stmt {
            Stmt::If { then, otherwise, .. } => {
                statements(then, visit);
                statements(otherwise, visit);
            }
            Stmt::For { body, .. } | Stmt::While { body, .. } | Stmt::Loop { body, .. } => statements(body, visit),
            Stmt::Let { .. }
            | Stmt::LetTuple { .. }
            | Stmt::Assign { .. }
            | Stmt::Fold { .. }
            | Stmt::Atomic { .. }
            | Stmt::Jump(_)
            | Stmt::Return(_) => {}
        }
    }
}

fn all_expressions(program: &mut Program, visit: &mut dyn FnMut(&mut Expr)) {
    expressions(&mut program.body, visit);
    program.tail.iter_mut().for_each(|tail| expression(tail, visit));
}

/// Every expression of the statements, from the outside in.
pub(super) fn expressions(stmts: &mut [Stmt], visit: &mut dyn FnMut(&mut Expr)) {
    for stmt in stmts {
        match stmt {
            Stmt::Let { init, .. } => expression(init, visit),
            Stmt::LetTuple { init, .. } => init.iter_mut().for_each(|init| expression(init, visit)),
            Stmt::Assign { place, value, .. } => {
                if let Place::Element { index, .. } = place {
                    index.iter_mut().for_each(|index| expression(index, visit));
                }
                expression(value, visit);
            }
            Stmt::Fold { value, .. } => expression(value, visit),
            Stmt::Atomic { index, value, .. } => {
                index.iter_mut().for_each(|index| expression(index, visit));
                expression(value, visit);
            }
            Stmt::If { cond, then, otherwise } => {
                expression(cond, visit);
                expressions(then, visit);
                expressions(otherwise, visit);
            }
            Stmt::For { domain, body, .. } => {
                match domain {
                    Domain::Range(lo, hi) | Domain::Shaped(lo, _, hi, _) => {
                        expression(lo, visit);
                        expression(hi, visit);
                    }
                    Domain::Text(_) => {}
                }
                expressions(body, visit);
            }
            Stmt::While { cond, body, .. } => {
                expression(cond, visit);
                expressions(body, visit);
            }
            Stmt::Loop { body, .. } => expressions(body, visit),
            Stmt::Jump(_) => {}
            Stmt::Return(values) => values.iter_mut().for_each(|value| expression(value, visit)),
        }
    }
}

fn expression(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit(expr);
    let block = |block: &mut Block, visit: &mut dyn FnMut(&mut Expr)| {
        expressions(&mut block.stmts, visit);
        expression(&mut block.tail, visit);
    };
    match &mut expr.kind {
        Kind::Literal(_) | Kind::Name(_) => {}
        Kind::Op(_, args) | Kind::Part(args, _) | Kind::Load { index: args, .. } => {
            args.iter_mut().for_each(|arg| expression(arg, visit));
        }
        Kind::Cast(value) => expression(value, visit),
        Kind::Lazy { a, b, .. } => {
            expression(a, visit);
            expression(b, visit);
        }
        Kind::If(cond, then, otherwise) => {
            expression(cond, visit);
            block(then, visit);
            block(otherwise, visit);
        }
        Kind::Match(value, arms, otherwise) => {
            expression(value, visit);
            for arm in arms {
                arm.guard.iter_mut().for_each(|guard| expression(guard, visit));
                block(&mut arm.block, visit);
            }
            block(otherwise, visit);
        }
        Kind::Block(inner) => block(inner, visit),
    }
}
