//! Patterns that may fail: tests of the parts of a variable, and the names that they bind.
//!
//! A name in capitals is a constant, any other binds. rustc decides that by what is in scope, so the copy says of each
//! name that binds that it isn't a constant (`let name @ _ = ();`), where rustc would report it.
use proc_macro2::Ident;
use qd_ir::arena::Id;
use qd_ir::op::Op;
use qd_ir::sketch::{Expr, ExprKind, Local, Member, Pattern, Stmt};
use syn::ext::IdentExt;

use super::place::member;
use super::stmt::{numbered, rename};
use super::{Lower, Own, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;

/// What a pattern looks at: a variable, or a part of one.
#[derive(Clone)]
pub(super) struct Subject {
    pub local: Id<Local>,
    /// `.0.x`, outermost first.
    pub path: Vec<Member>,
}

impl Subject {
    pub fn of(local: Id<Local>) -> Subject {
        Subject { local, path: Vec::new() }
    }

    fn part(&self, member: Member) -> Subject {
        Subject { local: self.local, path: [self.path.as_slice(), &[member]].concat() }
    }
}

/// A pattern, lowered.
#[derive(Default)]
pub(super) struct Refutable {
    /// Whether it matches; always, if there is none.
    pub test: Option<Id<Expr>>,
    /// What it binds, where it matches.
    pub binds: Vec<Stmt>,
}

impl Lower<'_> {
    /// A pattern that may fail; its names come into scope.
    pub(super) fn refutable(&mut self, pattern: &mut syn::Pat, subject: &Subject) -> Refutable {
        let at = Reach::of_pat(pattern);
        match pattern {
            syn::Pat::Wild(_) => Refutable::default(),
            syn::Pat::Paren(inner) => self.refutable(&mut inner.pat, subject),
            syn::Pat::Ident(name) if name.by_ref.is_none() => {
                if name.subpat.is_none() && is_constant_name(&name.ident) {
                    let ident = &name.ident;
                    let constant = self.taps.constant(&syn::parse_quote!(#ident));
                    let constant = self.push(ExprKind::Const(constant), Own::Closed, at);
                    return self.compared(Op::Eq, subject, constant, at);
                }
                let inner = match &mut name.subpat {
                    Some((_, inner)) => self.refutable(inner, subject),
                    None => Refutable::default(),
                };
                let (id, renamed) = self.local(&name.ident);
                self.checked_names.push(name.ident.clone());
                self.declare(&name.ident, id, renamed.clone());
                rename(name, renamed);
                let init = self.subject(subject, at);
                self.bind_kinds(&Pattern::Bind(id), init);
                let mut binds = vec![Stmt::Let { pattern: Pattern::Bind(id), init: Some(init) }];
                binds.extend(inner.binds);
                Refutable { test: inner.test, binds }
            }
            syn::Pat::Lit(literal) => {
                let value = self.pattern_literal(literal, at);
                self.compared(Op::Eq, subject, value, at)
            }
            syn::Pat::Path(path) => {
                let constant = self.taps.constant(path);
                let constant = self.push(ExprKind::Const(constant), Own::Closed, at);
                self.compared(Op::Eq, subject, constant, at)
            }
            syn::Pat::Range(range) => {
                let upper = if matches!(range.limits, syn::RangeLimits::Closed(_)) { Op::Le } else { Op::Lt };
                let ends = [(Op::Ge, &mut range.start), (upper, &mut range.end)];
                let tests = ends.into_iter().filter_map(|(op, end)| {
                    let end = self.pattern_end(end.as_mut()?)?;
                    self.compared(op, subject, end, at).test
                });
                let tests: Vec<_> = tests.collect();
                Refutable { test: self.joined(Op::And, tests, at), binds: Vec::new() }
            }
            syn::Pat::Or(or) => {
                let cases: Vec<_> =
                    or.cases.iter_mut().map(|case| (Reach::of_pat(case), self.refutable(case, subject))).collect();
                if let Some((at, _)) = cases.iter().find(|(_, case)| !case.binds.is_empty()) {
                    self.diagnostics.push(
                        Code::Pattern,
                        *at,
                        "the cases of a `|` can't bind names in a kernel yet",
                        "bind outside, `n @ (1 | 2)`, or write an arm for each case",
                    );
                }
                let tests: Option<Vec<_>> = cases.iter().map(|(_, case)| case.test).collect();
                // A case that always matches makes the whole match.
                let test = tests.and_then(|tests| self.joined(Op::Or, tests, at));
                Refutable { test, binds: Vec::new() }
            }
            syn::Pat::Tuple(tuple) => self.refutable_parts(numbered(&mut tuple.elems), subject, at),
            syn::Pat::TupleStruct(of)
                if ["Some", "Ok", "Err"].iter().any(|name| of.path.is_ident(name)) && of.elems.len() == 1 =>
            {
                self.diagnostics.push(
                    Code::Pattern,
                    at,
                    "kernels have an `Option` at the end of a chain of iterators only, and no `Result`",
                    "let the function return `(bool, T)`: `let (found, v) = f(..); if found { .. }`",
                );
                Refutable::default()
            }
            syn::Pat::TupleStruct(pattern) => self.refutable_parts(numbered(&mut pattern.elems), subject, at),
            syn::Pat::Slice(slice) => self.refutable_parts(numbered(&mut slice.elems), subject, at),
            syn::Pat::Struct(pattern) => {
                let parts = pattern.fields.iter_mut().map(|field| {
                    // In the copy the variable has another name than the field.
                    field.colon_token.get_or_insert_with(Default::default);
                    (member(&field.member), &mut *field.pat)
                });
                self.refutable_parts(parts.collect(), subject, at)
            }
            other => {
                self.refuse_pattern(other);
                Refutable::default()
            }
        }
    }

    fn refutable_parts(&mut self, parts: Vec<(Member, &mut syn::Pat)>, subject: &Subject, at: Reach) -> Refutable {
        let (mut tests, mut binds) = (Vec::new(), Vec::new());
        for (member, part) in parts {
            let part = self.refutable(part, &subject.part(member));
            tests.extend(part.test);
            binds.extend(part.binds);
        }
        Refutable { test: self.joined(Op::And, tests, at), binds }
    }

    /// The value a pattern looks at.
    fn subject(&mut self, subject: &Subject, at: Reach) -> Id<Expr> {
        let mut id = self.push(ExprKind::Local(subject.local), Own::Closed, at);
        for part in &subject.path {
            id = self.push(ExprKind::Field(id, part.clone()), Own::Closed, at);
        }
        id
    }

    fn compared(&mut self, op: Op, subject: &Subject, value: Id<Expr>, at: Reach) -> Refutable {
        let subject = self.subject(subject, at);
        let test = self.push(ExprKind::Op { op, args: vec![subject, value] }, Own::Closed, at);
        Refutable { test: Some(test), binds: Vec::new() }
    }

    /// Tests without effects, joined without branches.
    fn joined(&mut self, op: Op, tests: Vec<Id<Expr>>, at: Reach) -> Option<Id<Expr>> {
        let join = |a, b| self.push(ExprKind::Op { op, args: vec![a, b] }, Own::Closed, at);
        tests.into_iter().reduce(join)
    }

    /// A literal, which here may have a sign.
    fn pattern_literal(&mut self, literal: &syn::ExprLit, at: Reach) -> Id<Expr> {
        let text = quote::ToTokens::to_token_stream(literal).to_string();
        let Some(text) = text.strip_prefix('-') else { return self.literal(literal, at) };
        let span = at.end;
        let lit = match &literal.lit {
            syn::Lit::Float(_) => syn::Lit::Float(syn::LitFloat::new(text.trim(), span)),
            _ => syn::Lit::Int(syn::LitInt::new(text.trim(), span)),
        };
        let value = self.literal(&syn::ExprLit { attrs: Vec::new(), lit }, at);
        let own = self.own(value);
        self.push(ExprKind::Op { op: Op::Neg, args: vec![value] }, own, at)
    }

    /// An end of a range: a literal or a constant.
    fn pattern_end(&mut self, end: &mut syn::Expr) -> Option<Id<Expr>> {
        let at = Reach::of_expr(end);
        match unwrap_parens(end) {
            syn::Expr::Lit(literal) => Some(self.pattern_literal(literal, at)),
            syn::Expr::Path(path) => {
                let constant = self.taps.constant(path);
                Some(self.push(ExprKind::Const(constant), Own::Closed, at))
            }
            syn::Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Neg(_)) => Some(self.expr(end)),
            other => {
                self.diagnostics.on(
                    Code::Pattern,
                    other,
                    "the ends of a range in a pattern are literals or constants",
                    "name a `const`",
                );
                None
            }
        }
    }
}

/// Whether a name in a pattern is one of a constant or a variant, as Rust's style has it. Should it be neither, rustc says
/// so in the copy, where its value is asked for.
fn is_constant_name(name: &Ident) -> bool {
    name.unraw().to_string().chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase)
}
