//! Names to bindings, by the text of the name.
//!
//! Of several names of one text the last one of the same hygiene is meant: that of a `macro_rules!` and one that was
//! handed to it are two. Hygiene can't be asked for, only printed, so this is a guess that rustc checks: in the copy that
//! it types, every local has its number in its name and keeps its span, so a name that resolves otherwise is an error
//! there, never a wrong program.
use proc_macro2::{Ident, Span};
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
    names: Vec<(String, Span, Binding)>,
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
        self.names.push((name.unraw().to_string(), name.span(), binding));
    }

    /// What a name stands for here; `None` for names from outside the body.
    pub fn find(&self, name: &Ident) -> Option<Binding> {
        let (span, name) = (name.span(), name.unraw().to_string());
        let mut found = self.names.iter().rev().filter(|(known, ..)| name == *known);
        let (_, first, innermost) = found.next()?;
        let mut rest = found.peekable();
        if rest.peek().is_none() {
            return Some(*innermost);
        }
        let wanted = hygiene(span);
        if hygiene(*first) == wanted {
            return Some(*innermost);
        }
        let other = rest.find(|(_, span, _)| hygiene(*span) == wanted);
        Some(other.map_or(*innermost, |(_, _, binding)| *binding))
    }
}

/// What rustc prints of a span before its place: `#4 bytes(7..9)`.
fn hygiene(span: Span) -> String {
    let text = format!("{span:?}");
    text.split_once("bytes").map_or_else(String::new, |(before, _)| before.to_owned())
}
