//! Macro calls. The kernel macro sees them unexpanded, so it knows some of std's by name.
use qd_ir::arena::Id;
use qd_ir::sketch::Expr;

use super::{Lower, matching};
use crate::diagnostic::{Code, Reach};

impl Lower<'_> {
    /// `name!(..)`
    pub(super) fn macro_call(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Macro(syn::ExprMacro { mac, .. }) = syntax else { return self.poison(at) };
        let name = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        match name.as_str() {
            "matches" => match matching::matches(mac) {
                Ok(expanded) => {
                    *syntax = expanded;
                    self.match_expr(syntax, at)
                }
                Err(error) => self.malformed(&error, at),
            },
            _ => {
                self.refuse_macro(mac);
                self.poison(at)
            }
        }
    }

    /// Reports a call whose arguments can't be read; rustc says so of the native body, too.
    fn malformed(&mut self, error: &syn::Error, at: Reach) -> Id<Expr> {
        self.diagnostics.push(Code::Macro, at, error, "write the call as std documents it");
        self.poison(at)
    }
}
