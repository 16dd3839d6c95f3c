//! Blocks, `let`, patterns, and the items a body may hold.
use proc_macro2::Ident;
use qd_ir::arena::Id;
use qd_ir::sketch::{Block, Expr, ExprKind, Member, Pattern, Stmt};
use syn::parse_quote;

use super::expr::name_reach;
use super::place::member;
use super::scope::Binding;
use super::{Lower, Own, tail, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;

/// The initialisation of a `let`, lowered.
pub(super) struct Let {
    pub pattern: Pattern,
    pub init: Option<Id<Expr>>,
}

impl Lower<'_> {
    /// A block; `bind` brings names into its scope first. Also how its value is typed.
    pub(super) fn block(&mut self, block: &mut syn::Block, bind: impl FnOnce(&mut Self)) -> (Block, Own) {
        self.enter(block);
        bind(self);
        let value = tail(block).is_some();
        let count = block.stmts.len() - usize::from(value);
        let mut lowered = Block::default();
        let mut own = Own::Closed;
        for statement in &mut block.stmts[..count] {
            self.taps.statement();
            own = self.statement(statement, &mut lowered.stmts);
        }
        if let Some(tail) = tail(block) {
            self.taps.statement();
            let id = self.expr(tail);
            lowered.tail = Some(id);
            own = self.own(id);
        }
        self.leave(block);
        (lowered, own)
    }

    /// A statement; `Own::Never` if control doesn't go on after it.
    fn statement(&mut self, statement: &mut syn::Stmt, into: &mut Vec<Stmt>) -> Own {
        match statement {
            syn::Stmt::Local(local) if has_else(local) => {
                self.let_else(local, into);
                Own::Closed
            }
            syn::Stmt::Local(local) => {
                if let Some(Let { pattern, init }) = self.binding(local) {
                    into.push(Stmt::Let { pattern, init });
                }
                Own::Closed
            }
            syn::Stmt::Expr(expr, _) => {
                let id = self.expr(expr);
                let own = self.own(id);
                let id = self.close(id, expr);
                into.push(Stmt::Expr(id));
                own
            }
            // Gathered, or made an expression, when the block was entered.
            syn::Stmt::Item(_) | syn::Stmt::Macro(_) => Own::Closed,
        }
    }

    /// `let pattern = init;`: the initialisation is lowered before its names come into scope.
    pub(super) fn binding(&mut self, local: &mut syn::Local) -> Option<Let> {
        let Some(init) = &mut local.init else {
            return Some(Let { pattern: self.deferred_pattern(&mut local.pat)?, init: None });
        };
        if let Some(lowered) = self.shape_binding(&mut local.pat, &mut init.expr) {
            return Some(lowered);
        }
        let id = self.expr(&mut init.expr);
        let pattern = self.pattern(&mut local.pat);
        let named = matches!(&local.pat, syn::Pat::Type(typed) if self.is_plain_type(&typed.ty));
        if named || self.plain[id.index()] {
            self.make_plain(&pattern);
        }
        self.bind_kinds(&pattern, id);
        let open = pattern == Pattern::Wild || leaves_out(&pattern);
        let id = if open { self.close(id, &mut init.expr) } else { id };
        Some(Let { pattern, init: Some(id) })
    }

    /// `let [h, w] = x.shape();`
    fn shape_binding(&mut self, pattern: &mut syn::Pat, init: &mut syn::Expr) -> Option<Let> {
        let syn::Pat::Slice(dims) = pattern else { return None };
        let syn::Expr::MethodCall(call) = unwrap_parens(init) else { return None };
        let rest = dims.elems.iter().position(|dim| matches!(dim, syn::Pat::Rest(_)));
        if call.method != "shape" || rest.is_some_and(|rest| rest + 1 < dims.elems.len()) {
            return None;
        }
        let at = Reach::of(call);
        let count = rest.unwrap_or(dims.elems.len());
        let param = self.shaped(call)?;
        let extents: Vec<_> =
            (0..count).map(|dim| self.push(ExprKind::Extent(param, dim as u8), Own::Closed, at)).collect();
        let parts = dims.elems.iter_mut().take(count).map(|dim| self.pattern(dim)).collect();
        let init = self.push(ExprKind::Tuple(extents), Own::Closed, at);
        Some(Let { pattern: Pattern::Tuple(parts), init: Some(init) })
    }

    /// An irrefutable pattern; its names come into scope. An identifier that is a constant's name is refutable for
    /// every type of the language, so rustc reports it.
    pub(super) fn pattern(&mut self, pattern: &mut syn::Pat) -> Pattern {
        match pattern {
            syn::Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                let (id, renamed) = self.local(&name.ident);
                if name.mutability.is_some() {
                    self.mutable.insert(id);
                }
                self.declare(&name.ident, id, renamed.clone());
                if self.of_item {
                    // With `mut` it would bind what a reference refers to.
                    name.ident = renamed;
                } else {
                    rename(name, renamed);
                }
                Pattern::Bind(id)
            }
            syn::Pat::Wild(_) => Pattern::Wild,
            syn::Pat::Paren(inner) => self.pattern(&mut inner.pat),
            syn::Pat::Type(typed) => self.pattern(&mut typed.pat),
            syn::Pat::Reference(reference) if self.of_item && reference.mutability.is_none() => {
                self.pattern(&mut reference.pat)
            }
            syn::Pat::Tuple(tuple) if !has_rest(&tuple.elems) => {
                Pattern::Tuple(tuple.elems.iter_mut().map(|part| self.pattern(part)).collect())
            }
            syn::Pat::Tuple(tuple) => self.numbered_pattern(&mut tuple.elems),
            syn::Pat::Struct(pattern) => {
                let fields = pattern.fields.iter_mut().map(|field| {
                    // In the copy the variable has another name than the field.
                    field.colon_token.get_or_insert_with(Default::default);
                    (member(&field.member), self.pattern(&mut field.pat))
                });
                Pattern::Struct(fields.collect())
            }
            syn::Pat::TupleStruct(pattern) => self.numbered_pattern(&mut pattern.elems),
            syn::Pat::Slice(slice) if !has_rest(&slice.elems) => {
                Pattern::Fixed(slice.elems.iter_mut().map(|part| self.pattern(part)).collect())
            }
            syn::Pat::Slice(slice) => self.numbered_pattern(&mut slice.elems),
            other => {
                self.refuse_pattern(other);
                Pattern::Wild
            }
        }
    }

    /// Parts that are named by their places.
    fn numbered_pattern<P>(&mut self, patterns: &mut syn::punctuated::Punctuated<syn::Pat, P>) -> Pattern {
        let parts = numbered(patterns).into_iter().map(|(member, part)| (member, self.pattern(part)));
        Pattern::Struct(parts.collect())
    }

    /// The pattern of a loop, maybe over a range with a number `counts`. `_` gets a name, since the variable has a type.
    pub(super) fn loop_pattern(&mut self, pattern: &mut syn::Pat, counts: Option<Id<Expr>>) -> Pattern {
        if let syn::Pat::Wild(wild) = pattern {
            let at = Reach::of(wild);
            let (id, renamed) = self.hidden("_", at);
            if let Some(group) = self.groups.last_mut() {
                group.push((id, renamed.clone()));
            }
            *pattern = parse_quote!(#renamed);
            return Pattern::Bind(id);
        }
        let bound = self.pattern(pattern);
        self.make_plain(&bound);
        self.bind_values(&bound, counts);
        bound
    }

    /// The names of `let x;`: the type is that of the first value.
    fn deferred_pattern(&mut self, pattern: &mut syn::Pat) -> Option<Pattern> {
        match pattern {
            syn::Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                let at = name_reach(&name.ident);
                let (id, renamed) = self.local(&name.ident);
                self.scope.bind(&name.ident, Binding::Local(id));
                rename(name, renamed);
                self.deferred.insert(id, at);
                Some(Pattern::Bind(id))
            }
            syn::Pat::Type(typed) => self.deferred_pattern(&mut typed.pat),
            syn::Pat::Paren(inner) => self.deferred_pattern(&mut inner.pat),
            other => {
                self.diagnostics.on(
                    Code::Pattern,
                    other,
                    "only a single variable can be declared without a value",
                    "declare them one by one, or give them values",
                );
                None
            }
        }
    }

    /// Reports the locals that never got a value, whose type nobody knows.
    pub(super) fn finish_deferred(&mut self) {
        for (local, at) in std::mem::take(&mut self.deferred) {
            let message = format!("`{}` never gets a value, so nothing says its type", self.locals[local].name);
            self.diagnostics.push(Code::Uninit, at, message, "remove it, or give it a value");
        }
    }

    /// The items of a block, which its constants may name; their names hide variables from outside.
    pub(super) fn items(&mut self, block: &syn::Block) -> Vec<syn::Item> {
        let mut items = Vec::new();
        for statement in &block.stmts {
            let syn::Stmt::Item(item) = statement else { continue };
            match item {
                syn::Item::Const(constant) => self.scope.bind(&constant.ident, Binding::Item),
                syn::Item::Use(import) => {
                    let mut names = Vec::new();
                    imported(&import.tree, &mut names);
                    names.iter().for_each(|name| self.scope.bind(name, Binding::Item));
                }
                syn::Item::Type(_) => {}
                other => {
                    self.diagnostics.on(
                        Code::Item,
                        other,
                        "this item can't stand in a kernel's body",
                        "move it out of the function; `const`, `use` and `type` may stay",
                    );
                    continue;
                }
            }
            items.push(item.clone());
        }
        items
    }
}

/// The parts of a list of patterns, each with its place: behind a `..` that is counted from the end. That there is but one
/// `..` rustc sees to.
pub(super) fn numbered<P>(patterns: &mut syn::punctuated::Punctuated<syn::Pat, P>) -> Vec<(Member, &mut syn::Pat)> {
    let (len, rest) = (patterns.len(), patterns.iter().position(|pattern| matches!(pattern, syn::Pat::Rest(_))));
    let member = |index: usize| match rest {
        Some(rest) if index > rest => Member::Back((len - 1 - index) as u32),
        Some(_) | None => Member::Index(index as u32),
    };
    let parts = patterns.iter_mut().enumerate().filter(|(_, pattern)| !matches!(pattern, syn::Pat::Rest(_)));
    parts.map(|(index, part)| (member(index), part)).collect()
}

/// True for a pattern that leaves parts of its value out: then literals in that have no type but rustc's.
fn leaves_out(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Wild | Pattern::Bind(_) => false,
        Pattern::Tuple(parts) | Pattern::Fixed(parts) => parts.iter().any(leaves_out),
        Pattern::Struct(_) => true,
    }
}

/// Whether a list of patterns has a `..`: then its length isn't seen here.
pub(super) fn has_rest<P>(patterns: &syn::punctuated::Punctuated<syn::Pat, P>) -> bool {
    patterns.iter().any(|pattern| matches!(pattern, syn::Pat::Rest(_)))
}

/// Puts the copy's name into a pattern. All of the copy is `mut`, so that rustc reports a second assignment once.
pub(super) fn rename(pattern: &mut syn::PatIdent, renamed: Ident) {
    pattern.mutability = Some(syn::token::Mut(renamed.span()));
    pattern.ident = renamed;
}

/// True for `let .. else`.
pub(super) fn has_else(local: &syn::Local) -> bool {
    local.init.as_ref().is_some_and(|init| init.diverge.is_some())
}

/// The names that a `use` brings.
fn imported(tree: &syn::UseTree, names: &mut Vec<Ident>) {
    match tree {
        syn::UseTree::Path(path) => imported(&path.tree, names),
        syn::UseTree::Name(name) => names.push(name.ident.clone()),
        syn::UseTree::Rename(rename) => names.push(rename.rename.clone()),
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| imported(tree, names)),
        syn::UseTree::Glob(_) => {}
    }
}
