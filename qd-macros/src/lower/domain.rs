//! What `for` loops run over.
use qd_ir::arena::Id;
use qd_ir::sketch::{Domain, Expr, ExprKind, ParamId};

use super::{Lower, Own, unwrap_parens};
use crate::diagnostic::{Code, Reach};

/// The most dimensions of a domain.
const MAX_RANK: usize = 4;

impl Lower<'_> {
    /// Lowers what stands after `in`; `None` if it was refused.
    pub(super) fn domain(&mut self, syntax: &mut syn::Expr) -> Option<Domain> {
        let at = Reach::of(syntax);
        match unwrap_parens(syntax) {
            syn::Expr::Range(range) => {
                let (lo, hi) = self.range(range, at)?;
                match lo {
                    Some(lo) => Some(Domain::Range { lo, hi, tap: None }),
                    None => {
                        self.refuse_domain(at, "a range without a start has no first iteration", "write `0..n`");
                        None
                    }
                }
            }
            syn::Expr::MethodCall(call) => {
                let method = call.method.to_string();
                if method == "indices"
                    && let Some(param) = self.array_of(&mut call.receiver)
                {
                    return Some(Domain::Indices(param));
                }
                if method == "indices" && self.hidden_array(&mut call.receiver) {
                    return None;
                }
                let help = match method.as_str() {
                    "rev" => "count upwards, and compute `n - 1 - i` in the loop",
                    "step_by" => "count the steps, and compute `a + i * step` in the loop",
                    "iter" | "iter_mut" | "into_iter" | "enumerate" | "zip" | "chunks" | "windows" => {
                        "loop over the indices: `for i in x.indices() { .. x[i] .. }`"
                    }
                    _ => "loop over `a..b`, `x.indices()` or `ndrange([n, m])`",
                };
                let what = format!("`.{method}()` is not part of the kernel language yet in what a loop runs over");
                self.refuse_domain(at, what, help);
                None
            }
            syn::Expr::Call(call) => {
                let is_ndrange = match unwrap_parens(&mut call.func) {
                    syn::Expr::Path(path) => path.path.segments.last().is_some_and(|s| s.ident == "ndrange"),
                    _ => false,
                };
                match (is_ndrange, call.args.len()) {
                    (true, 1) => self.ndrange(&mut call.args[0]),
                    (true, _) | (false, _) => self.other_domain(at),
                }
            }
            _ => self.other_domain(at),
        }
    }

    fn other_domain(&mut self, at: Reach) -> Option<Domain> {
        self.refuse_domain(
            at,
            "a loop of a kernel runs over a range, the indices of an array, or `ndrange`",
            "loop over `a..b`, `x.indices()` or `ndrange([n, m])`",
        );
        None
    }

    fn refuse_domain(&mut self, at: Reach, what: impl std::fmt::Display, help: &str) {
        self.diagnostics.push(Code::Domain, at, what, help);
    }

    /// Start and end of `a..b`, `..b`.
    fn range(&mut self, range: &mut syn::ExprRange, at: Reach) -> Option<(Option<Id<Expr>>, Id<Expr>)> {
        if let syn::RangeLimits::Closed(_) = range.limits {
            let what = "`..=` is not part of the kernel language yet";
            self.refuse_domain(Reach::of(&range.limits), what, "write `a..b + 1`");
            return None;
        }
        let lo = range.start.as_mut().map(|lo| self.expr(lo));
        match &mut range.end {
            Some(hi) => Some((lo, self.expr(hi))),
            None => {
                self.refuse_domain(at, "a range without an end never ends", "write `a..b`");
                None
            }
        }
    }

    /// The dimensions of `ndrange([n, m])`, `ndrange([a..b, c..d])`, `ndrange(x.shape())`.
    fn ndrange(&mut self, syntax: &mut syn::Expr) -> Option<Domain> {
        let at = Reach::of(syntax);
        match unwrap_parens(syntax) {
            syn::Expr::Array(dims) if (1..=MAX_RANK).contains(&dims.elems.len()) => {
                let mut bounds = Vec::with_capacity(dims.elems.len());
                for dim in &mut dims.elems {
                    let at = Reach::of(dim);
                    bounds.push(match unwrap_parens(dim) {
                        syn::Expr::Range(range) => {
                            let (lo, hi) = self.range(range, at)?;
                            let lo = match lo {
                                Some(lo) => lo,
                                None => self.push(ExprKind::Int { value: 0, suffix: None }, Own::Open, at),
                            };
                            (Some(lo), hi)
                        }
                        extent => (None, self.expr(extent)),
                    });
                }
                Some(Domain::Ndrange(bounds))
            }
            syn::Expr::MethodCall(call) if call.method == "shape" => {
                let param: Option<ParamId> = self.array_of(&mut call.receiver);
                match param {
                    Some(param) => Some(Domain::Indices(param)),
                    None => self.other_domain(at),
                }
            }
            _ => {
                self.refuse_domain(
                    at,
                    "`ndrange` takes one to four extents or ranges, written out",
                    "write `ndrange([n, m])` or `ndrange([a..b, c..d])`",
                );
                None
            }
        }
    }
}
