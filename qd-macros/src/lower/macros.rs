//! Macro calls. The kernel macro sees them unexpanded, so it knows some of std's by name: checks, panics and output,
//! with Rust's own words.
use qd_ir::arena::Id;
use qd_ir::message::{Message, Piece, Spec, Style};
use qd_ir::op::Op;
use qd_ir::sketch::{Block, Expr, ExprKind, Pattern, Saying, Stmt};
use syn::parse_quote;
use syn::punctuated::Punctuated;

use super::format::Formatted;
use super::{Lower, Own, matching};
use crate::diagnostic::Code;
use crate::reach::Reach;
use crate::taps::replace;

impl Lower<'_> {
    /// `name!(..)`
    pub(super) fn macro_call(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Macro(syn::ExprMacro { mac, .. }) = syntax else { return self.poison(at) };
        let name = mac.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default();
        let meant = self.taps.macro_meant(&mac.path, &name);
        let debug = name.strip_prefix("debug_").filter(|rest| rest.starts_with("assert"));
        let lowered = match debug.unwrap_or(&name) {
            "matches" => match matching::matches(mac) {
                Ok(expanded) => {
                    *syntax = expanded;
                    let id = self.match_expr(syntax, at);
                    replace(syntax, |inner| parse_quote!({ #meant #inner }));
                    return id;
                }
                Err(error) => Err(error),
            },
            "cfg" => {
                let constant = self.taps.configuration(mac);
                return self.push(ExprKind::Const(constant), Own::Closed, at);
            }
            "panic" => arguments(mac).map(|args| self.panic(args, "", "explicit panic", at)),
            "unreachable" => {
                let words = "internal error: entered unreachable code";
                arguments(mac).map(|args| self.panic(args, &format!("{words}: "), words, at))
            }
            "println" => arguments(mac).map(|args| self.print(args, at)),
            "assert" => {
                let words = asserted(mac).unwrap_or_default();
                arguments(mac).map(|args| self.assert(args, &words, at))
            }
            "assert_eq" => arguments(mac).map(|args| self.assert_equal(args, Op::Eq, at)),
            "assert_ne" => arguments(mac).map(|args| self.assert_equal(args, Op::Ne, at)),
            _ => {
                self.refuse_macro(mac);
                return self.poison(at);
            }
        };
        match lowered {
            Ok((id, copy)) => {
                *syntax = parse_quote!({ #meant #copy });
                if debug.is_some() { self.if_debug(id, at) } else { id }
            }
            Err(error) => {
                self.diagnostics.push(Code::Macro, at, error, "write the call as std documents it");
                self.poison(at)
            }
        }
    }

    /// `panic!(..)`; `before` goes before the message, `bare` stands where there is none.
    fn panic(&mut self, args: Vec<syn::Expr>, before: &str, bare: &str, at: Reach) -> (Id<Expr>, syn::Expr) {
        let silent = args.is_empty();
        let Some(Formatted { mut message, args, copies }) = self.format(args, 0) else {
            return (self.poison(at), parse_quote!(::core::panic!()));
        };
        if silent {
            message = Message::text(bare);
        } else if !before.is_empty() {
            message.0.insert(0, Piece::Text(before.to_owned()));
        }
        let looks = self.shown(&copies);
        let id = self.push(ExprKind::Say { what: Saying::Panic, message, args }, Own::Never, at);
        (id, parse_quote!({ #looks ::core::panic!() }))
    }

    /// `println!(..)`
    fn print(&mut self, args: Vec<syn::Expr>, at: Reach) -> (Id<Expr>, syn::Expr) {
        let Some(Formatted { message, args, copies }) = self.format(args, 0) else {
            return (self.poison(at), parse_quote!(()));
        };
        let looks = self.shown(&copies);
        let id = self.push(ExprKind::Say { what: Saying::Print, message, args }, Own::Closed, at);
        (id, parse_quote!({ #looks }))
    }

    /// `assert!(condition)`, which says `words`, or `assert!(condition, ..)`.
    fn assert(&mut self, args: Vec<syn::Expr>, words: &str, at: Reach) -> (Id<Expr>, syn::Expr) {
        let mut args = args.into_iter();
        let Some(mut condition) = args.next() else { return (self.poison(at), parse_quote!(())) };
        let cond = self.expr(&mut condition);
        let (panic, copy) = self.panic(args.collect(), "", words, at);
        let kept = Block::default();
        let otherwise = Some(panic);
        let id = self.push(ExprKind::If { cond, then: kept, otherwise }, Own::Closed, at);
        (id, parse_quote!({ if !(#condition) { #copy } }))
    }

    /// `assert_eq!(left, right)` and the like.
    fn assert_equal(&mut self, args: Vec<syn::Expr>, op: Op, at: Reach) -> (Id<Expr>, syn::Expr) {
        let mut args = args.into_iter();
        let (Some(mut left), Some(mut right)) = (args.next(), args.next()) else {
            return (self.poison(at), parse_quote!(()));
        };
        let values = [self.expr(&mut left), self.expr(&mut right)];
        // Both are shown where they differ, so both are kept.
        let [(a, a_name), (b, b_name)] = ["__qd_left", "__qd_right"].map(|name| self.hidden(name, at));
        let (looks, taps) = self.taps.bindings(&[a_name.clone(), b_name.clone()]);
        for (local, tap) in [a, b].into_iter().zip(taps) {
            self.locals[local].tap = Some(tap);
        }
        let formatted = self.format(args.collect(), 2);
        let (words, extra, copies) = match formatted {
            Some(Formatted { message, args, copies }) => (message, args, copies),
            None => return (self.poison(at), parse_quote!(())),
        };
        let sign = if op == Op::Eq { "==" } else { "!=" };
        let text = |text: &str| Piece::Text(text.to_owned());
        let value = |value| Piece::Value { value, spec: Spec::plain(Style::Debug) };
        let mut pieces = vec![text(&format!("assertion `left {sign} right` failed"))];
        if !words.0.is_empty() {
            pieces.push(text(": "));
            pieces.extend(words.0);
        }
        pieces.extend([text("\n  left: "), value(0), text("\n right: "), value(1)]);
        let mut read = || [a, b].map(|local| self.push(ExprKind::Local(local), Own::Closed, at)).to_vec();
        let (shown, compared) = (read(), read());
        let args = shown.into_iter().chain(extra).collect();
        let panic = self.push(ExprKind::Say { what: Saying::Panic, message: Message(pieces), args }, Own::Never, at);
        let cond = self.push(ExprKind::Op { op, args: compared }, Own::Closed, at);
        let check = ExprKind::If { cond, then: Block::default(), otherwise: Some(panic) };
        let tail = Some(self.push(check, Own::Closed, at));
        let binds = [a, b].into_iter().zip(values);
        let stmts = binds.map(|(local, init)| Stmt::Let { pattern: Pattern::Bind(local), init: Some(init) });
        let id = self.push(ExprKind::Block(Block { stmts: stmts.collect(), tail }), Own::Closed, at);
        let looked = self.shown(&copies);
        let operands = self.shown(&[parse_quote!(#a_name), parse_quote!(#b_name)]);
        let compare = if op == Op::Eq { quote::quote!(==) } else { quote::quote!(!=) };
        let copy = parse_quote!({
            let mut #a_name = #left;
            let mut #b_name = #right;
            #(#looks)*
            #operands
            if !(#a_name #compare #b_name) {
                #looked
                ::core::panic!()
            }
        });
        (id, copy)
    }

    /// A check that is made only where the crate's debug assertions are on, as rustc decides for the native body.
    fn if_debug(&mut self, check: Id<Expr>, at: Reach) -> Id<Expr> {
        let constant = self.taps.configuration(&parse_quote!(::core::cfg!(debug_assertions)));
        let cond = self.push(ExprKind::Const(constant), Own::Closed, at);
        let then = Block { stmts: vec![Stmt::Expr(check)], tail: None };
        self.push(ExprKind::If { cond, then, otherwise: None }, Own::Closed, at)
    }

    /// Statements by which rustc checks that a message can show the values.
    fn shown(&self, copies: &[syn::Expr]) -> proc_macro2::TokenStream {
        copies.iter().map(|copy| self.taps.shown(copy)).collect()
    }
}

/// What an `assert!` without a message says.
pub(super) fn asserted(call: &syn::Macro) -> Option<String> {
    if !["assert", "debug_assert"].iter().any(|name| call.path.segments.last().is_some_and(|s| s.ident == name)) {
        return None;
    }
    // As written: tokens that were taken apart have lost how they stood beside each other.
    let text = call.tokens.to_string();
    let text = text.trim_end().trim_end_matches(',').split_whitespace().collect::<Vec<_>>().join(" ");
    Some(format!("assertion failed: {text}"))
}

/// The arguments of a call.
fn arguments(call: &syn::Macro) -> syn::Result<Vec<syn::Expr>> {
    let parsed = call.parse_body_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated)?;
    Ok(parsed.into_iter().collect())
}
