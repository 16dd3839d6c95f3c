//! Closures that combine two values by an operation that can be reduced: `|a, b| a + b`, `|m, v| m.max(*v)`.
use qd_ir::arena::Id;
use qd_ir::op::ReduceOp;
use qd_ir::sketch::{Expr, Stmt};
use syn::parse_quote;
use syn::visit::Visit;

use super::super::Lower;
use super::bare;
use super::item::Item;
use crate::taps::replace;

/// The operation of a closure `|a, b| a op term`, where the term doesn't name `a`.
pub(super) fn combination(closure: &syn::ExprClosure) -> Option<ReduceOp> {
    let first = match closure.inputs.first()? {
        syn::Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => &name.ident,
        _ => return None,
    };
    let (op, is_first, term) = parts(&closure.body, first)?;
    (is_first && !names(term, first)).then_some(op)
}

/// The operation, whether its first operand is `first`, and the other.
fn parts<'a>(body: &'a syn::Expr, first: &proc_macro2::Ident) -> Option<(ReduceOp, bool, &'a syn::Expr)> {
    let is_first = |expr: &syn::Expr| matches!(bare(expr), syn::Expr::Path(path) if path.path.is_ident(first));
    let by_name = |name: &proc_macro2::Ident| match name.to_string().as_str() {
        "min" => Some(ReduceOp::Min),
        "max" => Some(ReduceOp::Max),
        _ => None,
    };
    match bare(body) {
        syn::Expr::Binary(binary) => {
            let op = match binary.op {
                syn::BinOp::Add(_) => ReduceOp::Add,
                syn::BinOp::Mul(_) => ReduceOp::Mul,
                syn::BinOp::BitAnd(_) => ReduceOp::And,
                syn::BinOp::BitOr(_) => ReduceOp::Or,
                syn::BinOp::BitXor(_) => ReduceOp::Xor,
                _ => return None,
            };
            Some((op, is_first(&binary.left), &binary.right))
        }
        syn::Expr::MethodCall(call) if call.args.len() == 1 => {
            Some((by_name(&call.method)?, is_first(&call.receiver), &call.args[0]))
        }
        syn::Expr::Call(call) if call.args.len() == 2 => {
            let syn::Expr::Path(path) = bare(&call.func) else { return None };
            let last = path.path.segments.last().filter(|_| path.path.segments.len() > 1)?;
            Some((by_name(&last.ident)?, is_first(&call.args[0]), &call.args[1]))
        }
        _ => None,
    }
}

/// Whether an expression names a variable.
fn names(syntax: &syn::Expr, name: &proc_macro2::Ident) -> bool {
    struct Find<'a>(&'a proc_macro2::Ident, bool);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_ident(&mut self, ident: &'ast proc_macro2::Ident) {
            self.1 |= ident == self.0;
        }
        fn visit_macro(&mut self, _: &'ast syn::Macro) {
            // Whatever it names.
            self.1 = true;
        }
    }
    let mut find = Find(name, false);
    find.visit_expr(syntax);
    find.1
}

impl Lower<'_> {
    /// The term of such a closure for an item. In the copy the other parameter keeps its name.
    pub(super) fn combined(&mut self, closure: &mut syn::ExprClosure, item: &Item, stmts: &mut Vec<Stmt>) -> Id<Expr> {
        let syn::ExprClosure { inputs, body, .. } = closure;
        let at = crate::diagnostic::Reach::of(body);
        let (id, looks) = self.scoped(|this| {
            if let Some(pattern) = inputs.iter_mut().nth(1) {
                this.bind_item(pattern, item, 0, stmts);
            }
            this.in_chain += 1;
            let id = match term(body) {
                Some(term) => this.expr(term),
                None => this.poison(at),
            };
            this.in_chain -= 1;
            id
        });
        if !looks.is_empty() {
            replace(body, |inner| parse_quote!({ #(#looks)* (#inner) }));
        }
        id
    }
}

/// The term of a combining closure's body.
fn term(body: &mut syn::Expr) -> Option<&mut syn::Expr> {
    match super::super::unwrap_parens(body) {
        syn::Expr::Binary(binary) => Some(&mut *binary.right),
        syn::Expr::MethodCall(call) => call.args.first_mut(),
        syn::Expr::Call(call) => call.args.iter_mut().nth(1),
        _ => None,
    }
}
