//! What `for` loops run over.
use qd_ir::arena::Id;
use qd_ir::sketch::{Adapter, Domain, Expr, ExprKind, Steps};
use quote::quote;

use super::{Lower, Own, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;

/// What loops run over.
const DOMAINS: &str = "loop over `a..b`, `x.iter()`, `ndrange([n, m])`, or of an `NdArray` `x.indices()`";

/// The most dimensions of a domain.
const MAX_RANK: usize = 4;

impl Lower<'_> {
    /// Lowers what stands after `in`; `None` if it was refused.
    pub(super) fn domain(&mut self, syntax: &mut syn::Expr) -> Option<Domain> {
        let at = Reach::of_expr(syntax);
        if is_range(syntax) {
            let Steps { lo, hi, inclusive, adapters } = self.steps(syntax, &mut Vec::new())?;
            return Some(if !inclusive && adapters.is_empty() {
                Domain::Range { lo, hi, tap: None }
            } else {
                Domain::Steps(Steps { lo, hi, inclusive, adapters })
            });
        }
        match unwrap_parens(syntax) {
            syn::Expr::MethodCall(call) => {
                let method = call.method.to_string();
                if method == "indices"
                    && let Some(param) = self.shaped(call)
                {
                    return Some(Domain::Indices(param));
                }
                if method == "indices" && self.hidden_array(&mut call.receiver) {
                    return None;
                }
                let help = match method.as_str() {
                    "rev" | "step_by" => "`rev` and `step_by` work on ranges: write `(0..x.len()).rev()`",
                    _ => DOMAINS,
                };
                let what = format!("`.{method}()` is not part of the kernel language yet in what a loop runs over");
                self.refuse_domain(at, what, help);
                None
            }
            syn::Expr::Call(call) => {
                if super::segments::is_segments(call) && call.args.len() == 1 {
                    self.taps.only(&mut call.func, &quote!(segments));
                    let offsets = match unwrap_parens(&mut call.args[0]) {
                        syn::Expr::Reference(reference) => self.array_of(&mut reference.expr),
                        other => self.array_of(other),
                    };
                    self.taps.numbers(syntax);
                    return offsets.map(Domain::Segments);
                }
                let is_ndrange = match unwrap_parens(&mut call.func) {
                    syn::Expr::Path(path) => path.path.segments.last().is_some_and(|s| s.ident == "ndrange"),
                    _ => false,
                };
                match (is_ndrange, call.args.len()) {
                    (true, 1) => {
                        self.taps.only(&mut call.func, &quote!(ndrange));
                        self.ndrange(&mut call.args[0])
                    }
                    (true, _) | (false, _) => self.other_domain(at),
                }
            }
            _ => self.other_domain(at),
        }
    }

    fn other_domain(&mut self, at: Reach) -> Option<Domain> {
        self.refuse_domain(
            at,
            "a loop of a kernel runs over numbers, the elements or the indices of an array, or a chain of these",
            DOMAINS,
        );
        None
    }

    fn refuse_domain(&mut self, at: Reach, what: impl std::fmt::Display, help: &str) {
        self.diagnostics.push(Code::Domain, at, what, help);
    }

    /// A range with adapters; `bounds` gets its expressions, in the order of [`Steps::exprs`].
    pub(super) fn steps<'s>(
        &mut self,
        syntax: &'s mut syn::Expr,
        bounds: &mut Vec<&'s mut syn::Expr>,
    ) -> Option<Steps> {
        let at = Reach::of_expr(syntax);
        match unwrap_parens(syntax) {
            syn::Expr::Range(range) => {
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                let Some(lo) = &mut range.start else {
                    self.refuse_domain(at, "a range without a start has no first iteration", "write `0..n`");
                    return None;
                };
                let lo_id = self.expr(lo);
                let hi = self.end(&mut range.end, at)?;
                let hi_id = self.expr(hi);
                bounds.push(lo);
                bounds.push(hi);
                Some(Steps { lo: lo_id, hi: hi_id, inclusive, adapters: Vec::new() })
            }
            syn::Expr::MethodCall(call) => {
                let (method, count) = (call.method.to_string(), call.args.len());
                let mut steps = self.steps(&mut call.receiver, bounds)?;
                match (method.as_str(), count) {
                    ("rev", 0) => steps.adapters.push(Adapter::Rev),
                    ("step_by", 1) => {
                        let step = &mut call.args[0];
                        steps.adapters.push(Adapter::StepBy(self.expr(step)));
                        bounds.push(step);
                    }
                    // rustc counts the arguments.
                    _ => return None,
                }
                Some(steps)
            }
            _ => self.other_domain(at).and(None),
        }
    }

    fn end<'s>(&mut self, end: &'s mut Option<Box<syn::Expr>>, at: Reach) -> Option<&'s mut syn::Expr> {
        if end.is_none() {
            self.refuse_domain(at, "a range without an end never ends", "write `a..b`");
        }
        end.as_deref_mut()
    }

    /// Start and end of `a..b`, `..b`.
    fn range(&mut self, range: &mut syn::ExprRange, at: Reach) -> Option<(Option<Id<Expr>>, Id<Expr>)> {
        if let syn::RangeLimits::Closed(_) = range.limits {
            let what = "`ndrange` takes ranges without their ends";
            self.refuse_domain(Reach::of(&range.limits), what, "write `a..b + 1`");
            return None;
        }
        let lo = range.start.as_mut().map(|lo| self.expr(lo));
        let hi = self.end(&mut range.end, at)?;
        Some((lo, self.expr(hi)))
    }

    /// The dimensions of `ndrange([n, m])`, `ndrange([a..b, c..d])`, `ndrange(x.shape())`.
    fn ndrange(&mut self, syntax: &mut syn::Expr) -> Option<Domain> {
        let at = Reach::of_expr(syntax);
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
            syn::Expr::MethodCall(call) if call.method == "shape" => match self.shaped(call) {
                Some(param) => Some(Domain::Indices(param)),
                None => self.other_domain(at),
            },
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

/// True for a range, maybe with `rev` and `step_by`.
pub(super) fn is_range(syntax: &mut syn::Expr) -> bool {
    match unwrap_parens(syntax) {
        syn::Expr::Range(_) => true,
        syn::Expr::MethodCall(call) => {
            (call.method == "rev" || call.method == "step_by") && is_range(&mut call.receiver)
        }
        _ => false,
    }
}
