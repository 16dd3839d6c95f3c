//! Items: what goes from one stage of a chain to the next, and how patterns take it apart.
//!
//! An element stands for its place, so that a name for it is all that `x[i]` can be: `*v = 1.0`, `v.pos.x`, `v.step()`.
//! Any other item is a value that has been computed. References to values are values: `&v`, `*v` and the patterns `&v`
//! change nothing, and that they are where rustc wants them rustc checks in the copy.
use qd_ir::arena::Id;
use qd_ir::sketch::{Expr, ExprKind, Local, Member, ParamId, Pattern, Place, Projection, Stmt};

use super::super::place::member;
use super::super::scope::Binding;
use super::super::stmt::{has_rest, numbered};
use super::super::{Lower, Own, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;

/// What a chain's items are elements of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Base {
    /// An array parameter, of one dimension.
    Array(ParamId),
    /// A fixed array. All indices in it are variables of the macro's own, and have been checked.
    Place(Place),
}

/// An element of an array, by its number, or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Element {
    pub(super) base: Base,
    pub(super) index: Id<Local>,
    pub(super) path: Vec<Projection>,
    pub mode: Mode,
}

/// How an iterator gives its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Mode {
    /// By `&`.
    Shared,
    /// By `&mut`.
    Exclusive,
    /// Those of a copy.
    Value,
}

/// An item.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Element(Element),
    Value(Id<Local>),
    /// Of `enumerate` and `zip`.
    Pair(Box<Item>, Box<Item>),
}

impl Item {
    pub fn pair(first: Item, second: Item) -> Item {
        Item::Pair(Box::new(first), Box::new(second))
    }

    /// True if it can be written to through.
    pub fn is_exclusive(&self) -> bool {
        match self {
            Item::Element(element) => element.mode == Mode::Exclusive,
            Item::Value(_) => false,
            Item::Pair(first, second) => first.is_exclusive() || second.is_exclusive(),
        }
    }
}

impl Lower<'_> {
    /// The value of an item.
    pub(super) fn item_value(&mut self, item: &Item, at: Reach) -> Id<Expr> {
        match item {
            Item::Element(element) => self.element_value(element, at),
            Item::Value(local) => self.read(*local, at),
            Item::Pair(first, second) => {
                let parts = vec![self.item_value(first, at), self.item_value(second, at)];
                self.push(ExprKind::Tuple(parts), Own::Closed, at)
            }
        }
    }

    /// An element, read.
    pub(in super::super) fn element_value(&mut self, element: &Element, at: Reach) -> Id<Expr> {
        match self.element_place(element, at) {
            Place::Element { array, index, path } => {
                let load = self.push_access(ExprKind::Load { array, index }, at);
                self.refers(load);
                self.projection(load, &path, at)
            }
            Place::Part(local, path) => {
                let whole = self.read(local, at);
                if let Some(carried) = &mut self.carried {
                    carried.read(local, whole);
                }
                self.projection(whole, &path, at)
            }
            // No element is any of these.
            Place::Wild | Place::Local(_) | Place::Tuple(_) => self.poison(at),
        }
    }

    fn projection(&mut self, from: Id<Expr>, path: &[Projection], at: Reach) -> Id<Expr> {
        path.iter().fold(from, |value, step| {
            let kind = match step {
                Projection::Field(member) => ExprKind::Field(value, member.clone()),
                Projection::Index(index) => ExprKind::Index(value, *index),
            };
            self.push(kind, Own::Closed, at)
        })
    }

    /// The place of an element.
    pub(in super::super) fn element_place(&mut self, element: &Element, at: Reach) -> Place {
        let index = self.read(element.index, at);
        let inside = std::iter::once(Projection::Index(index)).chain(element.path.iter().cloned());
        match &element.base {
            Base::Array(array) => Place::Element { array: *array, index: vec![index], path: element.path.clone() },
            Base::Place(place) => match place.clone() {
                Place::Local(local) => Place::Part(local, inside.collect()),
                Place::Part(local, mut path) => {
                    path.extend(inside);
                    Place::Part(local, path)
                }
                Place::Element { array, index: of, mut path } => {
                    path.extend(inside);
                    Place::Element { array, index: of, path }
                }
                other @ (Place::Wild | Place::Tuple(_)) => other,
            },
        }
    }

    /// The element that a name stands for, renamed in the copy; `None`, and nothing changed, for anything else.
    pub(in super::super) fn element_of(&mut self, syntax: &mut syn::Expr) -> Option<Element> {
        let syn::Expr::Path(path) = unwrap_parens(syntax) else { return None };
        match self.scope.find(path.path.get_ident()?)? {
            Binding::Element(local) => {
                super::super::expr::rename(path, local.index());
                self.elements.get(&local).cloned()
            }
            Binding::Local(_) | Binding::Array(_) | Binding::Item => None,
        }
    }

    /// Matches a pattern with an item behind so many `layers` of references: its names come into scope.
    pub(super) fn bind_item(&mut self, pattern: &mut syn::Pat, item: &Item, layers: u8, stmts: &mut Vec<Stmt>) {
        match (pattern, item) {
            (syn::Pat::Paren(inner), _) => self.bind_item(&mut inner.pat, item, layers, stmts),
            (syn::Pat::Type(typed), _) => self.bind_item(&mut typed.pat, item, layers, stmts),
            (syn::Pat::Wild(_), _) => {}
            (syn::Pat::Ident(name), Item::Element(element))
                if name.by_ref.is_none()
                    && name.subpat.is_none()
                    && name.mutability.is_none()
                    && element.mode != Mode::Value =>
            {
                let (local, renamed) = self.local(&name.ident);
                self.scope.bind(&name.ident, Binding::Element(local));
                self.elements.insert(local, element.clone());
                self.layers.insert(local, layers + 1);
                // Without a `mut` of ours: that would bind what a reference refers to.
                name.ident = renamed;
            }
            (syn::Pat::Tuple(tuple), Item::Pair(first, second))
                if tuple.elems.len() == 2 && !has_rest(&tuple.elems) =>
            {
                // A name for a part of what is referred to is a reference itself.
                self.bind_item(&mut tuple.elems[0], first, layers.min(1), stmts);
                self.bind_item(&mut tuple.elems[1], second, layers.min(1), stmts);
            }
            (syn::Pat::Reference(reference), _) if layers > 0 && reference.mutability.is_none() => {
                self.bind_item(&mut reference.pat, item, layers - 1, stmts);
            }
            // What the reference refers to, copied.
            (syn::Pat::Reference(reference), Item::Element(_)) => {
                self.bind_value(&mut reference.pat, item, 0, stmts);
            }
            (syn::Pat::Reference(reference), _) if reference.mutability.is_none() => {
                self.bind_item(&mut reference.pat, item, 0, stmts);
            }
            (pattern, Item::Element(element)) if element.mode == Mode::Exclusive => match self.parts_of(pattern) {
                Some(parts) => parts.into_iter().for_each(|(step, part)| {
                    let mut element = element.clone();
                    element.path.push(step);
                    self.bind_item(part, &Item::Element(element), 0, stmts);
                }),
                None => self.refuse_item(pattern),
            },
            (pattern, _) if item.is_exclusive() => self.refuse_item(pattern),
            (pattern, Item::Element(element)) if element.mode != Mode::Value => {
                self.bind_value(pattern, item, layers + 1, stmts);
            }
            (pattern, _) => self.bind_value(pattern, item, layers, stmts),
        }
    }

    /// The parts of an element that a pattern names, each of which is a place itself.
    fn parts_of<'p>(&mut self, pattern: &'p mut syn::Pat) -> Option<Vec<(Projection, &'p mut syn::Pat)>> {
        let at = Reach::of(pattern);
        let fields = |parts: Vec<(Member, &'p mut syn::Pat)>| {
            parts.into_iter().map(|(member, part)| (Projection::Field(member), part)).collect()
        };
        match pattern {
            syn::Pat::Tuple(tuple) => Some(fields(numbered(&mut tuple.elems))),
            syn::Pat::TupleStruct(tuple) => Some(fields(numbered(&mut tuple.elems))),
            syn::Pat::Struct(pattern) => {
                let parts = pattern.fields.iter_mut().map(|field| {
                    // In the copy the variable has another name than the field.
                    field.colon_token.get_or_insert_with(Default::default);
                    (member(&field.member), &mut *field.pat)
                });
                Some(fields(parts.collect()))
            }
            syn::Pat::Slice(slice) if !has_rest(&slice.elems) => {
                let parts = slice.elems.iter_mut().enumerate();
                Some(parts.map(|(index, part)| (Projection::Index(self.number_of(index as u128, at)), part)).collect())
            }
            _ => None,
        }
    }

    fn refuse_item(&mut self, pattern: &syn::Pat) {
        self.diagnostics.on(
            Code::Pattern,
            pattern,
            "the items of `iter_mut` are taken apart where they are bound, by names, `_` and `&mut name`",
            "write `(i, v)` for `enumerate`, `(a, b)` for `zip`",
        );
    }

    fn bind_value(&mut self, pattern: &mut syn::Pat, item: &Item, layers: u8, stmts: &mut Vec<Stmt>) {
        let init = self.item_value(item, Reach::of(pattern));
        let whole = matches!(pattern, syn::Pat::Ident(_));
        let first = self.locals.len();
        self.of_item = true;
        let pattern = self.pattern(pattern);
        self.of_item = false;
        for local in (first..self.locals.len()).map(Id::new) {
            self.layers.insert(local, if whole { layers } else { layers.min(1) });
        }
        if pattern != Pattern::Wild {
            stmts.push(Stmt::Let { pattern, init: Some(init) });
        }
    }

    /// How many references a name stands behind.
    pub(in super::super) fn layers_of(&self, syntax: &mut syn::Expr) -> u8 {
        let syn::Expr::Path(path) = unwrap_parens(syntax) else { return 0 };
        match path.path.get_ident().and_then(|name| self.scope.find(name)) {
            Some(Binding::Element(local) | Binding::Local(local)) => self.layers.get(&local).copied().unwrap_or(0),
            Some(Binding::Array(_) | Binding::Item) | None => 0,
        }
    }
}
