//! Syntax made without parsing it.
//!
//! `parse_quote!` writes what is inside as tokens and parses it again, all of it at each level of nesting. Here what is
//! inside stays as it is.
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::token::Paren;

/// A variable.
pub fn variable(name: &Ident) -> syn::Expr {
    syn::Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: name.clone().into() })
}

/// `function(argument)`
pub fn call(function: impl ToTokens, argument: syn::Expr) -> syn::Expr {
    syn::Expr::Call(called(syn::Expr::Verbatim(function.into_token_stream()), [argument]))
}

/// `function(arguments)`
pub fn called<const N: usize>(function: syn::Expr, arguments: [syn::Expr; N]) -> syn::ExprCall {
    syn::ExprCall {
        attrs: Vec::new(),
        func: Box::new(function),
        paren_token: Paren::default(),
        args: arguments.into_iter().collect(),
    }
}

/// `base.field`
pub fn field(base: syn::Expr, field: Ident) -> syn::Expr {
    syn::Expr::Field(syn::ExprField {
        attrs: Vec::new(),
        base: Box::new(base),
        dot_token: Default::default(),
        member: syn::Member::Named(field),
    })
}

/// `(inner)`, with parentheses of that span.
pub fn parenthesized(inner: syn::Expr, span: Span) -> syn::Expr {
    syn::Expr::Paren(syn::ExprParen { attrs: Vec::new(), paren_token: Paren(span), expr: Box::new(inner) })
}

/// `&name`
pub fn reference(name: &Ident) -> syn::Expr {
    syn::Expr::Reference(syn::ExprReference {
        attrs: Vec::new(),
        and_token: Default::default(),
        mutability: None,
        expr: Box::new(variable(name)),
    })
}

/// `_ => loop {},`
pub fn endless_arm() -> syn::Arm {
    syn::Arm {
        attrs: Vec::new(),
        pat: syn::Pat::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: Default::default() }),
        fat_arrow_token: Default::default(),
        body: Box::new(syn::Expr::Loop(syn::ExprLoop {
            attrs: Vec::new(),
            label: None,
            loop_token: Default::default(),
            body: syn::Block { brace_token: Default::default(), stmts: Vec::new() },
        })),
        comma: Some(Default::default()),
    }
}

/// `{ statements tail }`
pub fn block(statements: impl IntoIterator<Item = syn::Stmt>, tail: syn::Expr) -> syn::Expr {
    let mut stmts: Vec<syn::Stmt> = statements.into_iter().collect();
    stmts.push(syn::Stmt::Expr(tail, None));
    braced(stmts)
}

/// `{ statements }`, whose value is `()`
pub fn unit(statements: impl IntoIterator<Item = syn::Stmt>) -> syn::Expr {
    braced(statements.into_iter().collect())
}

fn braced(stmts: Vec<syn::Stmt>) -> syn::Expr {
    let block = syn::Block { brace_token: Default::default(), stmts };
    syn::Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block })
}

/// `let mut name = value;`
pub fn binding(name: &Ident, value: syn::Expr) -> syn::Stmt {
    let pat = syn::PatIdent {
        attrs: Vec::new(),
        by_ref: None,
        mutability: Some(Default::default()),
        ident: name.clone(),
        subpat: None,
    };
    syn::Stmt::Local(syn::Local {
        attrs: Vec::new(),
        let_token: Default::default(),
        pat: syn::Pat::Ident(pat),
        init: Some(syn::LocalInit { eq_token: Default::default(), expr: Box::new(value), diverge: None }),
        modifiers: Default::default(),
        semi_token: Default::default(),
    })
}

/// A statement that nobody looks into, from what stands before its `;`.
pub fn statement(tokens: TokenStream) -> syn::Stmt {
    syn::Stmt::Expr(syn::Expr::Verbatim(tokens), Some(Default::default()))
}
