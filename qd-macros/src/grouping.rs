//! What a macro was given as an expression stays one.
//!
//! `macro_rules!` hands `$e:expr` on in a group without delimiters. rustc sees it as long as its own macros are at work;
//! in what an attribute gives back it doesn't, and `$e * 2` of `1 + 2` would become `1 + 2 * 2`. So where it matters such a
//! group gets parentheses before anything is parsed.
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};

use crate::nesting;

/// The same tokens, with parentheses round what holds together only by a group.
pub fn kept(tokens: TokenStream) -> TokenStream {
    if has_group(&tokens) { tokens.into_iter().map(kept_tree).collect() } else { tokens }
}

fn has_group(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::None || has_group(&group.stream()),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn kept_tree(tree: TokenTree) -> TokenStream {
    let TokenTree::Group(group) = tree else { return tree.into() };
    let inner = kept(group.stream());
    if group.delimiter() == Delimiter::None && is_statement(&inner) {
        return inner;
    }
    let first = inner.clone().into_iter().next().map(|first| first.span());
    let (delimiter, span) = match first {
        // As if they were where the expression is, so its panics stay there; by their origin nobody takes them for the user's.
        Some(first) if group.delimiter() == Delimiter::None && comes_apart(&inner) => {
            (Delimiter::Parenthesis, Span::call_site().located_at(first))
        }
        Some(_) | None => (group.delimiter(), group.span()),
    };
    let mut group = Group::new(delimiter, inner);
    group.set_span(span);
    TokenTree::from(group).into()
}

/// What `$s:stmt` stands for, but for expressions: syn looks for a statement behind the group, and nothing beside it could
/// take a part of one.
fn is_statement(tokens: &TokenStream) -> bool {
    let starts_with =
        |name: &str| matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(first)) if first == name);
    starts_with("let") || nesting::too_deep(tokens).is_none() && syn::parse2::<syn::Item>(tokens.clone()).is_ok()
}

/// Whether an operator beside the tokens could take a part of them. Types and patterns may look the same, and may stand in
/// parentheses too.
fn comes_apart(tokens: &TokenStream) -> bool {
    use syn::Expr::{Binary, Cast, Range, Reference, Unary};
    // One token holds together, and what is too deep to be parsed is refused behind this.
    tokens.clone().into_iter().nth(1).is_some()
        && nesting::too_deep(tokens).is_none()
        && matches!(syn::parse2(tokens.clone()), Ok(Binary(_) | Cast(_) | Range(_) | Reference(_) | Unary(_)))
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    fn grouped(tokens: TokenStream) -> TokenTree {
        Group::new(Delimiter::None, tokens).into()
    }

    #[test]
    fn what_operators_could_take_apart_gets_parentheses() {
        let sum = grouped(quote!(1 + 2));
        let nested = grouped(quote!(#sum * 3));
        let kept = |tokens: TokenStream| kept(tokens).to_string();
        assert_eq!(kept(quote!(a + #sum * 2)), quote!(a + (1 + 2) * 2).to_string());
        assert_eq!(kept(quote!(f(#nested))), quote!(f(((1 + 2) * 3))).to_string());
        assert_eq!(kept(quote!(assert!(#sum * 2 == 6))), quote!(assert!((1 + 2) * 2 == 6)).to_string());
        for statement in [
            quote!(let a = 3),
            quote!(
                const A: i32 = 3;
            ),
        ] {
            let group = grouped(statement.clone());
            assert_eq!(super::kept(quote!({ #group; })).into_iter().count(), 1);
            assert_eq!(kept(quote!(#group;)), quote!(#statement;).to_string());
            assert_eq!(super::kept(quote!(#group;)).into_iter().count(), quote!(#statement;).into_iter().count());
        }
        for alone in [quote!(x), quote!(f(1, 2)), quote!(x[3].y), quote!(pub(crate)), quote!(&'a T)] {
            let group = grouped(alone.clone());
            assert_eq!(kept(quote!(#group)), quote!(#alone).to_string());
        }
    }

    #[test]
    fn tokens_without_groups_are_the_same() {
        let tokens = quote!(
            fn f(x: i32) -> i32 {
                x * (1 + 2)
            }
        );
        assert_eq!(kept(tokens.clone()).to_string(), tokens.to_string());
    }
}
