//! What stands in brackets behind an array, `x[i]`, `x[[i, j]]`, and where: rustc's panic about an index tells the place
//! of the bracket or of the whole expression.
use qd_ir::arena::Id;
use qd_ir::sketch::{Bracket, Expr, ExprKind};

use super::{Lower, position, unchecked, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;

impl Lower<'_> {
    /// What stands in brackets: `x[i]`, `x[[i, j]]`.
    pub(super) fn element_index(&mut self, syntax: &mut syn::ExprIndex, at: Reach) -> Option<Vec<Id<Expr>>> {
        let vouched = unchecked::take_mark(syntax);
        let indices = self.indices(&mut syntax.index)?;
        if vouched {
            self.vouched.extend(&indices);
        }
        let bracket = Bracket { base: position(at), open: position(bracket_reach(syntax)) };
        self.brackets.extend(indices.iter().map(|index| (*index, bracket)));
        Some(indices)
    }

    /// Notes that an index expression begins further left.
    pub(super) fn widen(&mut self, expr: Id<Expr>, at: Reach) {
        let indices = if let ExprKind::Load { array: _, index } = &self.exprs[expr].kind {
            index.as_slice()
        } else if let ExprKind::Index(_, index) = &self.exprs[expr].kind {
            std::slice::from_ref(index)
        } else {
            return;
        };
        for index in indices {
            if let Some(bracket) = self.brackets.get_mut(index) {
                bracket.base = position(at);
            }
        }
    }

    fn indices(&mut self, syntax: &mut syn::Expr) -> Option<Vec<Id<Expr>>> {
        Some(match unwrap_parens(syntax) {
            syn::Expr::Array(parts) => parts.elems.iter_mut().map(|part| self.expr(part)).collect(),
            syn::Expr::Range(range) => {
                self.diagnostics.on(
                    Code::IndexBase,
                    range,
                    "parts of arrays can't be taken in a kernel",
                    "index single elements, `x[a + i]`; a part stands where a loop runs over it, `for v in x[a..b].iter()`, and in \
                     chains, `x[a..b].iter().sum()`; to a `#[qd::func]` pass the array and where the part begins and ends",
                );
                return None;
            }
            single => vec![self.expr(single)],
        })
    }
}

/// The bracket of an index: to rustc the index of a type of the library is a call that begins there.
pub(super) fn bracket_reach(syntax: &syn::ExprIndex) -> Reach {
    let span = &syntax.bracket_token.span;
    Reach { start: span.open(), end: span.close() }
}
