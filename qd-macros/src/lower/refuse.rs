//! What of Rust is not in the kernel language, and what to write instead.
use quote::ToTokens;
use syn::visit::Visit;

use super::Lower;
use super::attributes::is_for_loops;
use super::expr::name_reach;
use crate::diagnostic::{Code, Diagnostics};

impl Lower<'_> {
    /// Refuses an expression that has no lowering.
    pub(super) fn refuse(&mut self, syntax: &syn::Expr) {
        let (code, what, help) = match syntax {
            syn::Expr::Closure(_) => (
                Code::Closure,
                "closures are not part of the kernel language: every call is resolved at compile time",
                "write a `#[qd::func]` function and call it, or the computation in place",
            ),
            syn::Expr::Reference(_) | syn::Expr::RawAddr(_) => (
                Code::Reference,
                "references are not part of the kernel language",
                "use the variable or the element `x[i]` itself",
            ),
            syn::Expr::Let(_) => (
                Code::Match,
                "a `let` condition stands after `if` or `while`",
                "write `if let .. { .. }`, or `matches!(value, pattern)`",
            ),
            syn::Expr::Range(_) => (
                Code::Value,
                "a range is no value in a kernel",
                "ranges stand after `in`: `for i in a..b { .. }`, and with both ends in calls: `rng.range(a..b)`",
            ),
            syn::Expr::Return(_) => (
                Code::Exit,
                "`return` can only stand at the top level of a kernel: tasks give no value and run in any order",
                "end an iteration with `continue`, and return after the loop",
            ),
            syn::Expr::Try(_) => (
                Code::Flow,
                "`?` is not part of the kernel language: kernels have no `Option` and no `Result`",
                "compare with `if`; failed checks are reported by the launch",
            ),
            syn::Expr::Await(_) | syn::Expr::Async(_) => {
                (Code::Flow, "kernels don't wait for futures", "await outside, and pass the values")
            }
            syn::Expr::Yield(_) | syn::Expr::TryBlock(_) => {
                (Code::Flow, "this is not part of the kernel language", "write plain control flow")
            }
            syn::Expr::Const(_) => {
                (Code::Item, "`const` blocks are not part of the kernel language yet", "name a `const` item")
            }
            syn::Expr::Infer(_) => return,
            // The rest is lowered elsewhere, or is syntax that Rust doesn't have today.
            _ => (Code::Value, "this is not part of the kernel language", "see the kernel language's documentation"),
        };
        match syntax {
            // The smallest span: the keyword, not all arms.
            syn::Expr::Try(all) => self.diagnostics.on(code, &all.question_token, what, help),
            syn::Expr::Await(all) => self.diagnostics.on(code, &all.await_token, what, help),
            syn::Expr::Async(all) => self.diagnostics.on(code, &all.async_token, what, help),
            syn::Expr::Const(all) => self.diagnostics.on(code, &all.const_token, what, help),
            other => self.diagnostics.on(code, other, what, help),
        }
    }

    /// Refuses a closure where something is called that is no chain's: true if there is one.
    pub(super) fn refuse_closure(&mut self, name: &proc_macro2::Ident, args: &[&syn::Expr]) -> bool {
        let closure = args.iter().any(|arg| matches!(arg, syn::Expr::Closure(_)));
        if closure {
            let text = name.to_string();
            let help = match text.as_str() {
                "from_fn" => "write the array out, `[f(0), f(1)]`, or fill it in a loop",
                "then" => "write `if condition { .. } else { .. }`",
                "sort_by" | "sort_by_key" | "sort_unstable_by" | "sort_unstable_by_key" | "sort_by_cached_key" => {
                    "sort it outside of the kernel, or write loops that compare and swap its elements"
                }
                _ => "write a `#[qd::func]` function that does it all, or a loop in place",
            };
            let what = format!("`{text}` takes a closure, which in kernels only the methods of chains of iterators do");
            self.diagnostics.push(Code::Closure, name_reach(name), what, help);
        }
        closure
    }

    /// Refuses a function of std's: true if a path surely names one. Those that kernels know are lowered elsewhere.
    pub(super) fn refuse_std(&mut self, path: &syn::Path) -> bool {
        let of_std = path.segments.len() > 1
            && path
                .segments
                .first()
                .is_some_and(|first| first.ident == "std" || first.ident == "core" || first.ident == "alloc");
        if of_std {
            let name = path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::");
            let help = match name.split("::").nth(1) {
                Some("iter") => {
                    "chains begin with an array or a range: `x.iter()`, `x.iter().zip(y)`, `(0..n).map(|i| ..)`"
                }
                _ => "write what it does in place, or in a `#[qd::func]` function",
            };
            self.diagnostics.on(Code::Call, path, format!("kernels don't know `{name}`"), help);
        }
        of_std
    }

    /// Refuses a macro call.
    pub(super) fn refuse_macro(&mut self, call: &syn::Macro) {
        let name = call.path.to_token_stream().to_string();
        let help = match name.as_str() {
            "print" | "eprintln" | "eprint" | "dbg" => "write whole lines, by `qd::println!`",
            "unimplemented" | "todo" => "write `panic!(\"..\")`",
            "vec" | "format" => "pass arrays as parameters: kernels don't allocate",
            _ => {
                "write a `#[qd::func]` function in its place, or the expansion: the kernel macro sees macro calls unexpanded"
            }
        };
        self.diagnostics.on(
            Code::Macro,
            &call.path,
            format!("the macro call `{name}!` is not part of the kernel language yet"),
            help,
        );
    }

    /// Refuses a pattern.
    pub(super) fn refuse_pattern(&mut self, pattern: &syn::Pat) {
        let (what, help) = match pattern {
            syn::Pat::Ident(name) if name.by_ref.is_some() => {
                ("`ref` is not part of the kernel language", "bind the name alone")
            }
            syn::Pat::Ident(_) => ("a pattern with `@` can fail", "match it: `match value { n @ 1..=9 => .. }`"),
            syn::Pat::Lit(_) | syn::Pat::Range(_) | syn::Pat::Or(_) | syn::Pat::Path(_) => (
                "this pattern can fail, and nothing says what happens then",
                "write `if let .. { .. }`, `let .. else { .. }` or a `match`",
            ),
            syn::Pat::Reference(_) => ("references are not part of the kernel language", "bind the value itself"),
            _ => (
                "this pattern is not part of the kernel language",
                "use names, `_`, and tuples, structs and arrays of these",
            ),
        };
        self.diagnostics.on(Code::Pattern, pattern, what, help);
    }
}

/// Refuses attributes in a body: the macro sees `cfg` unevaluated, and knows none that changes a loop. Lint levels and
/// comments pass.
pub(super) fn attributes(body: &syn::Block, diagnostics: &mut Diagnostics) {
    struct Attributes<'d>(&'d mut Diagnostics);
    impl<'ast> Visit<'ast> for Attributes<'_> {
        fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
            attribute_in_body(attribute, self.0);
        }
        fn visit_expr_for_loop(&mut self, looped: &'ast syn::ExprForLoop) {
            let others = looped.attrs.iter().filter(|attribute| !is_for_loops(attribute));
            others.for_each(|attribute| attribute_in_body(attribute, self.0));
            self.visit_pat(&looped.pat);
            self.visit_expr(&looped.expr);
            self.visit_block(&looped.body);
        }
    }
    Attributes(diagnostics).visit_block(body);
}

/// Refuses one attribute of a statement, expression or parameter.
pub(super) fn attribute_in_body(attribute: &syn::Attribute, diagnostics: &mut Diagnostics) {
    let path = attribute.path();
    let Some(last) = path.segments.last().map(|s| s.ident.to_string()) else { return };
    match last.as_str() {
        "allow" | "warn" | "deny" | "forbid" | "expect" | "doc" => {}
        "cfg" | "cfg_attr" => diagnostics.on(
            Code::Cfg,
            attribute,
            "the kernel macro sees `cfg` unevaluated, so the compiled kernel could differ from the function",
            "put it on the function, or on two functions that differ",
        ),
        "specialize" => diagnostics.on(
            Code::Attribute,
            attribute,
            "`specialize` stands on parameters of kernels",
            "put it before a parameter: `fn k(#[specialize] n: usize)`",
        ),
        name if is_for_loops(attribute) => diagnostics.on(
            Code::Attribute,
            attribute,
            format!("`{name}` stands on `for` loops"),
            "remove it: loops that don't count run in order, and the loops in them in parallel",
        ),
        name => diagnostics.on(
            Code::Attribute,
            attribute,
            format!("`{name}` can't stand in a kernel"),
            "put attributes on the function",
        ),
    }
}
