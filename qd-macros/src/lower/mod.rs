//! A function's syntax to a sketch.
//!
//! One walk does three things at once: it builds the sketch, refuses what isn't in the language, and turns the clone of
//! the body that it walks over into the copy that rustc types (see [`crate::taps`]). A refused piece becomes `()` in the
//! sketch and the walk goes on, so that one build reports everything; a sketch with messages is never embedded. Types
//! aren't known here, and nothing here decides them.
mod apart;
pub(crate) mod attributes;
mod bracket;
mod call;
mod carried;
mod control;
mod conversion;
mod domain;
mod expr;
mod extreme;
mod field;
mod fixed;
mod format;
mod func;
mod item;
mod iter;
mod kinds;
mod macros;
mod matching;
mod operator;
mod place;
mod plan;
mod refuse;
mod refutable;
mod rewrite;
mod scope;
mod segments;
mod stmt;
#[cfg(test)]
mod tests;
mod unchecked;
mod unfit;
mod unknown;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use qd_ir::arena::{Arena, Id};
use qd_ir::sketch::{Block, Bracket, CalleeId, Expr, ExprKind, Label, Local, OrderId, Param, ParamId, Sketch, TapId};
use qd_ir::source_map::Pos;
use qd_ir::types::Scalar;

use crate::diagnostic::Diagnostics;
use crate::reach::Reach;
use crate::taps::{Taps, is_tap, numbered};
use carried::Carried;
pub(crate) use carried::IN_STEPS;
use iter::{Element, Hoisting};
use kinds::Kinds;
use scope::{Binding, Scope};

pub use kinds::Kind;

pub use conversion::is_conversion;
pub use expr::{alias_help, alias_message};
pub use item::{Callable, func, function, is_specialize, reference, signature};
pub use unknown::is_std;

/// What comes out of a function.
pub struct Lowered {
    /// The sketch; worthless if there are messages.
    pub sketch: Sketch,
    /// What a function computes; empty for a kernel.
    pub body: Block,
    /// The taps of the copy.
    pub taps: Taps,
    /// The copy of the body.
    pub copy: syn::Block,
    /// Parameters of the copy, by position.
    pub params: Vec<syn::Pat>,
    /// Accesses that the race rule leaves to the user.
    pub exempt: BTreeSet<Id<Expr>>,
    /// Where each expression stands.
    pub reaches: Vec<Reach>,
    /// Of a kernel, the references in which values may be assigned.
    pub lent: BTreeSet<ParamId>,
}

/// Where an expression's type comes from. Typing has the same rule: a literal takes the type of what stands beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Own {
    /// From itself.
    Closed,
    /// From outside: it is made of literals.
    Open,
    /// It has no value: control goes elsewhere.
    Never,
}

impl Own {
    /// Of an expression whose value comes from one of two.
    fn either(self, other: Own) -> Own {
        match (self, other) {
            (Own::Closed, _) | (_, Own::Closed) => Own::Closed,
            (Own::Open, _) | (_, Own::Open) => Own::Open,
            (Own::Never, Own::Never) => Own::Never,
        }
    }
}

/// A loop that `break` and `continue` can name.
struct Frame {
    name: Option<String>,
    label: Label,
    kind: FrameKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    /// The parallel loop of a construct.
    Parallel,
    /// `for`, `while`.
    Plain,
    /// `loop`: how it has been left so far.
    Loop {
        /// By any `break`.
        left: bool,
        /// By a `break` with a value.
        valued: bool,
    },
    /// A block with a label: how it has been left so far.
    Block {
        /// By any `break`.
        left: bool,
        /// By a `break` with a value.
        valued: bool,
    },
    /// A loop of the plan.
    Plan,
}

/// A parameter that is a reference.
#[derive(Debug, Clone, Copy)]
struct Reference {
    /// By `&`.
    shared: bool,
    /// In a function, and of fields: what it stands for if it isn't an array.
    local: Option<Id<Local>>,
    /// Of a slice, as far as its type is written out.
    slice: bool,
}

/// The walk.
struct Lower<'d> {
    diagnostics: &'d mut Diagnostics,
    /// Casts that the copy asserts to keep different values apart. Numbers of expressions are the same in every walk
    /// over a function, so they come from an earlier one.
    injective: &'d BTreeSet<Id<Expr>>,
    locals: Arena<Local>,
    exprs: Arena<Expr>,
    /// Beside `exprs`.
    own: Vec<Own>,
    /// Beside `exprs`: surely a number or `bool`.
    plain: Vec<bool>,
    /// The locals that surely are numbers or `bool`.
    plain_locals: BTreeSet<Id<Local>>,
    /// What is of one type.
    kinds: Kinds,
    /// The arrays whose elements surely are.
    plain_arrays: BTreeSet<ParamId>,
    /// Numbers among them whose type is written at the parameter.
    written_locals: BTreeMap<Id<Local>, Scalar>,
    written_elements: BTreeMap<ParamId, Scalar>,
    /// The type parameters that surely are.
    plain_types: BTreeSet<String>,
    /// Operations and updates that may be a user's.
    operators: Vec<(Id<Expr>, CalleeId)>,
    /// Where the indices stand that are in brackets.
    brackets: BTreeMap<Id<Expr>, Bracket>,
    /// Indices of unchecked accesses.
    vouched: Vec<Id<Expr>>,
    /// Updates of which rustc says in which order they are evaluated.
    orders: BTreeMap<Id<Expr>, OrderId>,
    /// Beside `exprs`.
    reaches: Vec<Reach>,
    scope: Scope,
    taps: Taps,
    /// The enclosing loops, innermost last.
    frames: Vec<Frame>,
    labels: u32,
    /// For each open block, the bindings its tap looks at.
    groups: Vec<Vec<(Id<Local>, Ident)>>,
    /// Names in patterns that bind only if no constant has them.
    checked_names: Vec<Ident>,
    /// Locals declared without a value, to be tapped where they get one.
    deferred: BTreeMap<Id<Local>, Reach>,
    /// What the parallel loop around does to variables from outside.
    carried: Option<Carried>,
    /// Depth of `unsafe` blocks.
    unsafe_depth: u32,
    /// The parameters, once they are known; behind them the fields of references that the body names.
    params: Vec<Param>,
    /// Parameters whose type is a name, which may stand for a reference, and where it stands; `None` once that was said.
    named: BTreeMap<Id<Local>, Option<Reach>>,
    /// The parameters that are references, and the paths from them.
    references: BTreeMap<ParamId, Reference>,
    /// Those that functions are given by `&mut`.
    lent: BTreeSet<ParamId>,
    /// The function's name, if this is one and no kernel; of a method, `Self`, which no call of a function can be.
    func: Option<Ident>,
    /// The locals that are declared `mut`.
    mutable: BTreeSet<Id<Local>>,
    /// Accesses inside `unsafe` blocks: the caller vouches that they don't race.
    exempt: BTreeSet<Id<Expr>>,
    /// The names that stand for elements.
    elements: BTreeMap<Id<Local>, Element>,
    /// Behind how many references the names of items stand in the copy.
    layers: BTreeMap<Id<Local>, u8>,
    /// Depth of what is part of a chain of iterators, where there are references.
    in_chain: u32,
    /// The pattern being lowered is that of a chain's item, which may be a reference or hold some.
    of_item: bool,
    /// The statement of the top level that is being lowered.
    top: Option<Hoisting>,
    /// The variables that chains of the top level end in: after their loops they stay as they are.
    sums: BTreeSet<Id<Local>>,
    /// Every expression with a value and its tap, with the feature `tap-all`.
    witnesses: Vec<(Id<Expr>, TapId)>,
    /// There may be type parameters, by which rustc types a literal that stands for an amount of bits.
    generic: bool,
    /// The operand of an `as` that gives literals their type, which a tap would hide.
    quiet: bool,
}

impl<'d> Lower<'d> {
    fn new(private: &TokenStream, injective: &'d BTreeSet<Id<Expr>>, diagnostics: &'d mut Diagnostics) -> Self {
        Lower {
            diagnostics,
            injective,
            locals: Arena::new(),
            exprs: Arena::new(),
            own: Vec::new(),
            plain: Vec::new(),
            plain_locals: BTreeSet::new(),
            kinds: Kinds::default(),
            plain_arrays: BTreeSet::new(),
            written_locals: BTreeMap::new(),
            written_elements: BTreeMap::new(),
            plain_types: BTreeSet::new(),
            operators: Vec::new(),
            brackets: BTreeMap::new(),
            vouched: Vec::new(),
            orders: BTreeMap::new(),
            reaches: Vec::new(),
            scope: Scope::default(),
            taps: Taps::new(private),
            frames: Vec::new(),
            labels: 0,
            groups: Vec::new(),
            checked_names: Vec::new(),
            deferred: BTreeMap::new(),
            carried: None,
            unsafe_depth: 0,
            params: Vec::new(),
            named: BTreeMap::new(),
            references: BTreeMap::new(),
            lent: BTreeSet::new(),
            func: None,
            mutable: BTreeSet::new(),
            exempt: BTreeSet::new(),
            elements: BTreeMap::new(),
            layers: BTreeMap::new(),
            in_chain: 0,
            of_item: false,
            top: None,
            sums: BTreeSet::new(),
            witnesses: Vec::new(),
            generic: false,
            quiet: false,
        }
    }

    /// Adds an expression.
    fn push(&mut self, kind: ExprKind, own: Own, at: Reach) -> Id<Expr> {
        self.own.push(own);
        self.note_kind(&kind);
        let plain = self.is_plain(&kind);
        self.plain.push(plain);
        self.reaches.push(at);
        let id = self.exprs.push(Expr { kind, pos: position(at) });
        self.note_plain(id, plain || self.kind(id).is_some_and(|kind| self.kinds.is_plain(kind)));
        id
    }

    /// Adds an array access; inside `unsafe` it is exempt from the race rule.
    fn push_access(&mut self, kind: ExprKind, at: Reach) -> Id<Expr> {
        let id = self.push(kind, Own::Closed, at);
        if self.unsafe_depth > 0 {
            self.exempt.insert(id);
        }
        id
    }

    fn own(&self, expr: Id<Expr>) -> Own {
        self.own[expr.index()]
    }

    /// What stands for a refused expression.
    fn poison(&mut self, at: Reach) -> Id<Expr> {
        self.push(ExprKind::Tuple(Vec::new()), Own::Closed, at)
    }

    /// Gives an expression of literals a type of its own, where it stands alone.
    fn close(&mut self, id: Id<Expr>, syntax: &mut syn::Expr) -> Id<Expr> {
        if self.own(id) != Own::Open {
            return id;
        }
        let tap = self.taps.id(syntax);
        let at = self.reaches[id.index()];
        self.push(ExprKind::Tapped { tap, value: id }, Own::Closed, at)
    }

    /// A new local with its name in the copy. It isn't in scope yet.
    fn local(&mut self, name: &Ident) -> (Id<Local>, Ident) {
        let pos = position(Reach { start: name.span(), end: name.span() });
        let id = self.locals.push(Local { name: name.to_string(), pos, assigned: false, tap: None });
        (id, numbered(name, id.index()))
    }

    /// Brings a local into scope and has the innermost block tap it.
    fn declare(&mut self, name: &Ident, id: Id<Local>, renamed: Ident) {
        self.scope.bind(name, Binding::Local(id));
        if let Some(group) = self.groups.last_mut() {
            group.push((id, renamed));
        }
    }

    /// A local of the macro's own, that the innermost block taps.
    fn hidden(&mut self, name: &str, at: Reach) -> (Id<Local>, Ident) {
        self.local(&Ident::new(name, at.start.resolved_at(proc_macro2::Span::mixed_site())))
    }

    fn next_label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }

    /// Opens a block: its names, items and taps.
    fn enter(&mut self, block: &mut syn::Block) {
        // Macro calls are expressions like others.
        for statement in &mut block.stmts {
            if let syn::Stmt::Macro(syn::StmtMacro { attrs, mac, semi_token }) = statement {
                let call = syn::ExprMacro { attrs: attrs.clone(), mac: mac.clone() };
                *statement = syn::Stmt::Expr(syn::Expr::Macro(call), *semi_token);
            }
        }
        self.scope.enter();
        self.groups.push(Vec::new());
        let items = self.items(block);
        self.taps.enter(items);
    }

    /// Ends a group of bindings: statements that look at them.
    fn look(&mut self) -> Vec<syn::Stmt> {
        self.tapped(|taps, names| taps.bindings(names))
    }

    /// Has the bindings of the innermost group looked at, each type once.
    fn tapped<T>(&mut self, look: impl FnOnce(&mut Taps, &[Ident]) -> (T, Vec<TapId>)) -> T {
        let group = self.groups.pop().unwrap_or_default();
        let (first, others) = self.first_of_kinds(group);
        let names: Vec<Ident> = first.iter().map(|(_, name)| name.clone()).collect();
        let (looks, taps) = look(&mut self.taps, &names);
        for ((local, _), tap) in first.iter().zip(taps) {
            self.note_tap(*local, tap);
            self.locals[*local].tap = Some(tap);
        }
        for local in others {
            self.locals[local].tap = self.known_tap(local);
        }
        looks
    }

    /// Closes a block: its bindings are tapped before its tail.
    fn leave(&mut self, block: &mut syn::Block) {
        self.scope.leave();
        let closed = self.tapped(|taps, names| taps.leave(names));
        let tail = tail(block).is_some();
        closed.into_block(block, tail);
    }
}

/// The expression that gives a block its value.
fn tail(block: &mut syn::Block) -> Option<&mut syn::Expr> {
    match block.stmts.last_mut() {
        Some(syn::Stmt::Expr(expr, None)) => Some(expr),
        Some(syn::Stmt::Expr(_, Some(_)) | syn::Stmt::Local(_) | syn::Stmt::Item(_) | syn::Stmt::Macro(_)) | None => {
            None
        }
    }
}

/// Where a message of the run time points.
fn position(at: Reach) -> Pos {
    position_at(at.start)
}

/// Where a span starts.
fn position_at(span: proc_macro2::Span) -> Pos {
    let start = span.start();
    // rustc counts columns from 1, proc_macro2 from 0.
    Pos { line: start.line as u32, column: start.column as u32 + 1 }
}

/// The position of an expression.
fn position_of(syntax: &syn::Expr) -> Pos {
    position(Reach::of_expr(syntax))
}

/// As [`unwrap_parens`], and inside of the taps that the feature `tap-all` puts round everything.
fn untapped(expr: &mut syn::Expr) -> &mut syn::Expr {
    let tapped = |expr: &syn::Expr| matches!(expr, syn::Expr::Call(call) if is_tap(call));
    match unwrap_parens(expr) {
        expr if !tapped(expr) => expr,
        syn::Expr::Call(call) => untapped(&mut call.args[1]),
        expr => expr,
    }
}

/// The expression inside parentheses and the invisible groups that macros leave.
pub fn unwrap_parens(mut expr: &mut syn::Expr) -> &mut syn::Expr {
    loop {
        match expr {
            syn::Expr::Paren(inner) => expr = &mut inner.expr,
            syn::Expr::Group(inner) => expr = &mut inner.expr,
            other => return other,
        }
    }
}
