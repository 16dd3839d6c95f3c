//! Where a piece of syntax begins and ends: what rustc underlines.
//!
//! To ask each expression for its tokens makes tokens of all that is in it, again at each level of nesting. So where it
//! is common the ends are found in the syntax itself; they are the spans of the same tokens.
use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::{Expr, Pat, Stmt, Type, UnOp};

/// First and last token of a piece of source.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// Of the first token.
    pub start: Span,
    /// Of the last token.
    pub end: Span,
}

impl Reach {
    /// Of a piece of syntax.
    pub fn of(syntax: &impl ToTokens) -> Reach {
        let mut tokens = syntax.to_token_stream().into_iter();
        let start = tokens.next().map_or_else(Span::call_site, |t| first(&t));
        let end = tokens.last().map_or(start, |t| t.span());
        Reach { start, end }
    }

    /// Of an expression.
    pub fn of_expr(syntax: &Expr) -> Reach {
        // One group, whose first token is its last.
        if let (Expr::Paren(_) | Expr::Tuple(_) | Expr::Array(_) | Expr::Block(_), Some(start)) =
            (syntax, start(syntax))
        {
            return Reach { start, end: start };
        }
        match (start(syntax), end(syntax)) {
            (Some(start), Some(end)) => Reach { start, end },
            (None, _) | (_, None) => Reach::of(syntax),
        }
    }

    /// Of a pattern.
    pub fn of_pat(syntax: &Pat) -> Reach {
        match syntax {
            Pat::Ident(name)
                if name.attrs.is_empty()
                    && name.by_ref.is_none()
                    && name.mutability.is_none()
                    && name.subpat.is_none() =>
            {
                Reach { start: name.ident.span(), end: name.ident.span() }
            }
            Pat::Wild(wild) if wild.attrs.is_empty() => {
                let at = wild.underscore_token.span;
                Reach { start: at, end: at }
            }
            Pat::Lit(literal) if literal.attrs.is_empty() => {
                let at = literal.lit.span();
                Reach { start: at, end: at }
            }
            Pat::Tuple(tuple) if tuple.attrs.is_empty() => {
                let at = tuple.paren_token.span.join();
                Reach { start: at, end: at }
            }
            _ => Reach::of(syntax),
        }
    }

    /// Where a statement starts.
    pub fn start_of(syntax: &Stmt) -> Span {
        match syntax {
            Stmt::Expr(expr, _) => Reach::of_expr(expr).start,
            Stmt::Local(local) if local.attrs.is_empty() => local.let_token.span,
            Stmt::Local(_) | Stmt::Item(_) | Stmt::Macro(_) => Reach::of(syntax).start,
        }
    }
}

/// The first token's span, where it is easily found.
fn start(syntax: &Expr) -> Option<Span> {
    match syntax {
        Expr::Lit(lit) if lit.attrs.is_empty() => Some(lit.lit.span()),
        Expr::Path(path) if path.attrs.is_empty() && path.qself.is_none() && path.path.leading_colon.is_none() => {
            path.path.segments.first().map(|segment| segment.ident.span())
        }
        Expr::Paren(paren) if paren.attrs.is_empty() => Some(paren.paren_token.span.open()),
        Expr::Tuple(tuple) if tuple.attrs.is_empty() => Some(tuple.paren_token.span.open()),
        Expr::Array(array) if array.attrs.is_empty() => Some(array.bracket_token.span.open()),
        Expr::Binary(binary) if binary.attrs.is_empty() => start(&binary.left),
        Expr::Assign(assign) if assign.attrs.is_empty() => start(&assign.left),
        Expr::Index(index) if index.attrs.is_empty() => start(&index.expr),
        Expr::Field(field) if field.attrs.is_empty() => start(&field.base),
        Expr::MethodCall(call) if call.attrs.is_empty() => start(&call.receiver),
        Expr::Call(call) if call.attrs.is_empty() => start(&call.func),
        Expr::Cast(cast) if cast.attrs.is_empty() => start(&cast.expr),
        Expr::Unary(unary) if unary.attrs.is_empty() => match unary.op {
            UnOp::Deref(star) => Some(star.span),
            UnOp::Not(not) => Some(not.span),
            UnOp::Neg(minus) => Some(minus.span),
            _ => None,
        },
        Expr::Reference(reference) if reference.attrs.is_empty() => Some(reference.and_token.span),
        Expr::Struct(value)
            if value.attrs.is_empty() && value.qself.is_none() && value.path.leading_colon.is_none() =>
        {
            value.path.segments.first().map(|segment| segment.ident.span())
        }
        Expr::If(branches) if branches.attrs.is_empty() => Some(branches.if_token.span),
        Expr::Match(matched) if matched.attrs.is_empty() => Some(matched.match_token.span),
        Expr::ForLoop(looped) if looped.attrs.is_empty() && looped.label.is_none() => Some(looped.for_token.span),
        Expr::While(looped) if looped.attrs.is_empty() && looped.label.is_none() => Some(looped.while_token.span),
        Expr::Block(block) if block.attrs.is_empty() && block.label.is_none() => {
            Some(block.block.brace_token.span.open())
        }
        _ => None,
    }
}

/// The last token's span, where it is easily found. That of a group is the span of all of it.
fn end(syntax: &Expr) -> Option<Span> {
    match syntax {
        Expr::Lit(lit) => Some(lit.lit.span()),
        Expr::Path(path) => last_of(&path.path),
        Expr::Paren(paren) => Some(paren.paren_token.span.join()),
        Expr::Tuple(tuple) => Some(tuple.paren_token.span.join()),
        Expr::Array(array) => Some(array.bracket_token.span.join()),
        Expr::Binary(binary) => end(&binary.right),
        Expr::Assign(assign) => end(&assign.right),
        Expr::Index(index) => Some(index.bracket_token.span.join()),
        Expr::Field(field) => match &field.member {
            syn::Member::Named(name) => Some(name.span()),
            syn::Member::Unnamed(index) => Some(index.span),
        },
        Expr::MethodCall(call) => Some(call.paren_token.span.join()),
        Expr::Call(call) => Some(call.paren_token.span.join()),
        Expr::Unary(unary) => end(&unary.expr),
        Expr::Reference(reference) => end(&reference.expr),
        Expr::Struct(value) => Some(value.brace_token.span.join()),
        Expr::Cast(cast) => match &*cast.ty {
            Type::Path(ty) => last_of(&ty.path),
            _ => None,
        },
        Expr::If(branches) => match &branches.else_branch {
            Some((_, otherwise)) => end(otherwise),
            None => Some(branches.then_branch.brace_token.span.join()),
        },
        Expr::Match(matched) => Some(matched.brace_token.span.join()),
        Expr::ForLoop(looped) => Some(looped.body.brace_token.span.join()),
        Expr::While(looped) => Some(looped.body.brace_token.span.join()),
        Expr::Block(block) => Some(block.block.brace_token.span.join()),
        _ => None,
    }
}

/// The last token's span of a path, unless it ends with arguments.
fn last_of(path: &syn::Path) -> Option<Span> {
    path.segments.last().filter(|last| last.arguments.is_none()).map(|last| last.ident.span())
}

/// Groups without delimiters, which macros leave, have the span of the macro's variable: look inside.
fn first(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::None => {
            group.stream().into_iter().next().map_or_else(|| group.span(), |t| first(&t))
        }
        TokenTree::Group(group) => group.span_open(),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token.span(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_found_are_those_of_the_tokens() {
        let texts = [
            "a + b * c",
            "-a",
            "x[i + 1]",
            "x[[i, j]].0.y",
            "a.b(c, d)",
            "f(x)",
            "m::f::<u8>(x)",
            "(a)",
            "(a, b)",
            "[a, b]",
            "[0; 3]",
            "x as u32",
            "a = b",
            "a += b.c",
            "1.5e3",
            "b'x'",
            "true",
            "::std::f(x)",
            "<T>::f",
            "if a { b } else if c { d } else { e }",
            "if a { b }",
            "match a { b => c, _ => d }",
            "for i in 0..3 { a(); }",
            "'l: for i in 0..3 { }",
            "while a < b { }",
            "{ a }",
            "P { a: 1 }",
            "&mut x[i]",
            "&x",
            "!a && b",
            "*a + 1",
            "a as m::T",
            "a as T<u8>",
            "-x.y as f32",
            "m::P { a: 1, ..b }",
            "a.b.sqrt().max(1.0) > c[2].d",
        ];
        for text in texts {
            let syntax: Expr = syn::parse_str(text).unwrap();
            assert_eq!(ends(Reach::of_expr(&syntax)), ends(Reach::of(&syntax)), "{text}");
        }
        let patterns = ["a", "mut a", "ref a", "a @ 1", "_", "1", "-1", "0 | 7", "| 0 | 7", "P { a, .. }", "1..=2"];
        for text in patterns {
            let syntax = syn::parse::Parser::parse_str(Pat::parse_multi_with_leading_vert, text).unwrap();
            assert_eq!(ends(Reach::of_pat(&syntax)), ends(Reach::of(&syntax)), "{text}");
        }
    }

    /// Lines and columns.
    fn ends(reach: Reach) -> [(usize, usize); 4] {
        [reach.start.start(), reach.start.end(), reach.end.start(), reach.end.end()].map(|at| (at.line, at.column))
    }
}
