//! Loops over elements: `for v in x.iter_mut()`, with `enumerate` and `zip`.
//!
//! Such a loop is rewritten to one over indices, in which an element's name stands for `x[i]`, before it is lowered: so
//! every place and value that `x[i]` can be, the element can be. rustc checks the loop as it was written, in the native
//! body: there the array is borrowed, so nothing else in the body can touch it.
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use syn::parse_quote;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use super::scope::Binding;
use super::{Lower, unwrap_parens};
use crate::diagnostic::{Code, Reach};

/// What a loop runs over.
enum Items {
    /// `x.iter()`, `x.iter_mut()`, `&x`, `&mut x`, and `x` that is a reference already
    Elements(Box<syn::Expr>),
    /// `.enumerate()`
    Enumerate(Box<Items>),
    /// `.zip(..)`
    Zip(Box<Items>, Box<Items>),
}

impl Items {
    /// The number of them.
    fn len(&self) -> syn::Expr {
        match self {
            Items::Elements(array) => parse_quote!(#array.len()),
            Items::Enumerate(inner) => inner.len(),
            Items::Zip(a, b) => {
                let (a, b) = (a.len(), b.len());
                parse_quote!(#a.min(#b))
            }
        }
    }
}

/// What the names of the loop's pattern are.
#[derive(Default)]
struct Names {
    /// Names of elements, each with its array.
    elements: Vec<(Ident, syn::Expr)>,
    /// What comes before the body.
    before: Vec<syn::Stmt>,
}

impl Lower<'_> {
    /// Rewrites a loop over elements of array parameters; others are left as they are. False if it was refused.
    pub(super) fn iterate(&mut self, looped: &mut syn::ExprForLoop) -> bool {
        let Some(items) = self.items_of(&mut looped.expr) else { return true };
        // Of its own: in a loop inside, the elements of this one still have this index.
        let index = Ident::new(&format!("__qd_index{}", self.exprs.len()), Span::mixed_site());
        let mut names = Names::default();
        if !self.item_names(&looped.pat, &items, &index, &mut names) {
            return false;
        }
        for (name, array) in &names.elements {
            if let Some(at) = hidden_use(&looped.body, name) {
                self.diagnostics.push(
                    Code::Domain,
                    at,
                    format!("`{name}` is an element here: it can't be shadowed, or named in a macro call"),
                    format!("use another name, or bind the value first: `let value = *{name};`"),
                );
                return false;
            }
            Substitute { name, element: parse_quote!(#array[#index]) }.visit_block_mut(&mut looped.body);
        }
        looped.body.stmts.splice(0..0, names.before);
        let len = items.len();
        *looped.expr = parse_quote!(0..#len);
        *looped.pat = parse_quote!(#index);
        true
    }

    fn items_of(&self, syntax: &mut syn::Expr) -> Option<Items> {
        match unwrap_parens(syntax) {
            path @ syn::Expr::Path(_) => self.elements_of(path),
            syn::Expr::Reference(reference) => self.elements_of(&reference.expr),
            syn::Expr::MethodCall(call) => match (call.method.to_string().as_str(), call.args.len()) {
                ("iter" | "iter_mut", 0) => self.elements_of(&call.receiver),
                ("enumerate", 0) => Some(Items::Enumerate(Box::new(self.items_of(&mut call.receiver)?))),
                ("zip", 1) => {
                    let first = Box::new(self.items_of(&mut call.receiver)?);
                    Some(Items::Zip(first, Box::new(self.items_of(&mut call.args[0])?)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn elements_of(&self, array: &syn::Expr) -> Option<Items> {
        let syn::Expr::Path(path) = array else { return None };
        match self.scope.find(path.path.get_ident()?)? {
            Binding::Array(_) => Some(Items::Elements(Box::new(array.clone()))),
            Binding::Local(_) | Binding::Item => None,
        }
    }

    /// Matches the pattern with the items; false if it was refused.
    fn item_names(&mut self, pattern: &syn::Pat, items: &Items, index: &Ident, names: &mut Names) -> bool {
        match (pattern, items) {
            (syn::Pat::Paren(inner), _) => self.item_names(&inner.pat, items, index, names),
            (syn::Pat::Wild(_), _) => true,
            (syn::Pat::Ident(name), Items::Elements(array))
                if name.by_ref.is_none() && name.subpat.is_none() && name.mutability.is_none() =>
            {
                names.elements.push((name.ident.clone(), (**array).clone()));
                true
            }
            (syn::Pat::Reference(reference), Items::Elements(array)) if reference.mutability.is_none() => {
                let inner = &reference.pat;
                names.before.push(parse_quote!(let #inner = #array[#index];));
                true
            }
            (syn::Pat::Tuple(tuple), Items::Enumerate(inner)) if tuple.elems.len() == 2 => {
                let number = &tuple.elems[0];
                names.before.push(parse_quote!(let #number = #index;));
                self.item_names(&tuple.elems[1], inner, index, names)
            }
            (syn::Pat::Tuple(tuple), Items::Zip(a, b)) if tuple.elems.len() == 2 => {
                self.item_names(&tuple.elems[0], a, index, names) && self.item_names(&tuple.elems[1], b, index, names)
            }
            (other, Items::Elements(_) | Items::Enumerate(_) | Items::Zip(..)) => {
                self.diagnostics.on(
                    Code::Pattern,
                    other,
                    "the items of this loop are taken apart in its pattern, by names, `_` and `&name`",
                    "write `(i, v)` for `enumerate`, `(a, b)` for `zip`",
                );
                false
            }
        }
    }
}

/// Puts an element in the place of its name; the `*` in front of it goes.
struct Substitute<'a> {
    name: &'a Ident,
    element: syn::Expr,
}

impl VisitMut for Substitute<'_> {
    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        let is_name = |expr: &syn::Expr| matches!(expr, syn::Expr::Path(path) if path.path.is_ident(self.name));
        let found = match &mut *expr {
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr: inner, .. }) => {
                is_name(unwrap_parens(inner))
            }
            other => is_name(other),
        };
        if found {
            *expr = self.element.clone();
        } else {
            syn::visit_mut::visit_expr_mut(self, expr);
        }
    }
}

/// Where a body binds the name again, or names it where the substitution doesn't reach.
fn hidden_use(body: &syn::Block, name: &Ident) -> Option<Reach> {
    struct Find<'a> {
        name: &'a Ident,
        found: Option<Reach>,
    }
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
            if pattern.ident == *self.name {
                self.found.get_or_insert(Reach::of(&pattern.ident));
            }
            syn::visit::visit_pat_ident(self, pattern);
        }
        fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
            self.visit_pat(&field.pat);
        }
        fn visit_macro(&mut self, call: &'ast syn::Macro) {
            if mentions(&call.tokens, self.name) {
                self.found.get_or_insert(Reach::of(call));
            }
        }
    }
    let mut find = Find { name, found: None };
    find.visit_block(body);
    find.found
}

/// True if tokens hold the name, also inside the braces of a format string.
fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    let captured = format!("{{{name}");
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Literal(literal) => literal.to_string().contains(&captured),
        TokenTree::Punct(_) => false,
    })
}
