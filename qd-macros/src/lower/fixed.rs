//! Fixed arrays as values: `[a, b]`, `[v; N]`.
use qd_ir::arena::Id;
use qd_ir::sketch::{Expr, ExprKind};
use qd_ir::typing::MOST_SCALARS;

use super::{Lower, Own, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;

impl Lower<'_> {
    /// `[a, b]`, `[v; N]`
    pub(super) fn fixed(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        match syntax {
            syn::Expr::Array(array) => {
                let elements = array.elems.iter_mut().map(|element| self.expr(element)).collect();
                let tap = self.taps.id(syntax);
                self.push(ExprKind::Fixed { tap, elements }, Own::Closed, at)
            }
            syn::Expr::Repeat(repeat) => {
                let value = self.expr(&mut repeat.expr);
                self.check_length(&mut repeat.len);
                let tap = self.taps.id(syntax);
                self.push(ExprKind::Repeat { tap, value }, Own::Closed, at)
            }
            _ => self.poison(at),
        }
    }

    /// Refuses the length of an array that no variable has room for, as far as it is seen here.
    fn check_length(&mut self, len: &mut syn::Expr) {
        let (what, help) = (
            format!(
                "an array in a variable lies on the stack of each iteration: it has at most {MOST_SCALARS} numbers"
            ),
            "pass it as an array parameter",
        );
        match unwrap_parens(len) {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. })
                if int.base10_parse::<usize>().is_ok_and(|len| len > MOST_SCALARS) =>
            {
                self.diagnostics.on(Code::Size, int, what, help);
            }
            // What names a parameter of a generic function can't stand in a constant: of that it is seen at the launch.
            syn::Expr::Path(path) if !self.generic => {
                self.taps.check_length(path, MOST_SCALARS, &format!("{what} [{}]\nhelp: {help}", Code::Size));
            }
            _ => {}
        }
    }
}
