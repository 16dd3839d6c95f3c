//! Names to bindings, by the text of the name.
//!
//! Hygiene isn't seen here. In the copy that rustc types, every local has its number in its name and keeps its span,
//! so a name that resolves otherwise for rustc is an error there, never a wrong program.
use proc_macro2::Ident;
use qd_ir::arena::Id;
use qd_ir::sketch::{Local, ParamId};
use syn::ext::IdentExt;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// A variable.
    Local(Id<Local>),
    /// An array parameter.
    Array(ParamId),
    /// An element that an iterator gives; the number is that of its name.
    Element(Id<Local>),
    /// An item of the body, such as a `const`.
    Item,
}

/// The names in scope, innermost last.
#[derive(Debug, Default)]
pub struct Scope {
    names: Vec<(String, Binding)>,
    blocks: Vec<usize>,
}

impl Scope {
    /// Enters a block.
    pub fn enter(&mut self) {
        self.blocks.push(self.names.len());
    }

    /// Leaves the innermost block: its names go.
    pub fn leave(&mut self) {
        let start = self.blocks.pop().unwrap_or(0);
        self.names.truncate(start);
    }

    /// Binds a name from here to the end of the block.
    pub fn bind(&mut self, name: &Ident, binding: Binding) {
        self.names.push((name.unraw().to_string(), binding));
    }

    /// What a name stands for here; `None` for names from outside the body.
    pub fn find(&self, name: &Ident) -> Option<Binding> {
        let name = name.unraw();
        self.names.iter().rev().find(|(known, _)| name == known).map(|(_, binding)| *binding)
    }
}
