//! Attributes of `for` loops: `#[qd::steps]`, `#[qd::serial]`, `#[qd::unroll]`, `#[qd::grain]`, `#[qd::block]`.
//!
//! They are markers for the kernel macro alone: neither the native body nor the copy that rustc types has them.
use qd_ir::body::Unroll;

use super::Lower;
use crate::diagnostic::{Code, Diagnostics};
use crate::reach::Reach;

/// The names.
const NAMES: [&str; 5] = ["steps", "serial", "unroll", "grain", "block"];

/// What a loop is marked with; each with its place.
#[derive(Default)]
pub(super) struct LoopAttributes {
    /// A loop of the plan.
    pub steps: Option<Reach>,
    /// One task on one thread.
    pub serial: Option<Reach>,
    /// Copies of the body.
    pub unroll: Option<(Unroll, Reach)>,
    /// The fewest iterations of a chunk.
    pub grain: Option<(u64, Reach)>,
    /// The size of a block of threads, on devices that have such.
    pub block: Option<(u32, Reach)>,
}

/// How the iterations of a parallel loop are shared out, where the kernel says so.
#[derive(Clone, Copy, Default)]
pub(super) struct Sizes {
    /// The fewest iterations that are worth a thread of their own.
    pub grain: Option<u64>,
    /// The lanes of a block on a GPU.
    pub block: Option<u32>,
}

impl LoopAttributes {
    /// What they say about sizes.
    pub(super) fn sizes(&self) -> Sizes {
        Sizes { grain: self.grain.map(|(n, _)| n), block: self.block.map(|(n, _)| n) }
    }
}

/// True for the attributes of this file.
pub(crate) fn is_for_loops(attribute: &syn::Attribute) -> bool {
    name(attribute).is_some()
}

fn name(attribute: &syn::Attribute) -> Option<&'static str> {
    let last = attribute.path().segments.last()?;
    NAMES.into_iter().find(|name| last.ident == name)
}

/// True if a loop runs in one task, with all loops in it.
pub(super) fn is_serial(looped: &syn::ExprForLoop) -> bool {
    looped.attrs.iter().any(|attribute| name(attribute) == Some("serial"))
}

impl Lower<'_> {
    /// Takes the attributes off a loop.
    pub(super) fn loop_attributes(&mut self, looped: &mut syn::ExprForLoop) -> LoopAttributes {
        let mut found = LoopAttributes::default();
        let mut names = Vec::new();
        for attribute in &looped.attrs {
            let at = Reach::of(attribute);
            let name = name(attribute);
            if name.is_some_and(|name| names.contains(&name)) {
                let what = "this attribute stands on the loop twice";
                self.diagnostics.push(Code::Attribute, at, what, "keep one of them");
                continue;
            }
            names.extend(name);
            match name {
                Some("steps") => found.steps = self.bare(attribute).then_some(at),
                Some("serial") => found.serial = self.bare(attribute).then_some(at),
                Some("unroll") => {
                    let unroll = match attribute.meta {
                        syn::Meta::Path(_) => Some(Unroll::Full),
                        syn::Meta::List(_) | syn::Meta::NameValue(_) => {
                            number(attribute, self.diagnostics).map(|n| Unroll::By(n.try_into().unwrap_or(u32::MAX)))
                        }
                    };
                    found.unroll = unroll.map(|unroll| (unroll, at));
                }
                Some("grain") => found.grain = number(attribute, self.diagnostics).map(|n| (n, at)),
                Some("block") => {
                    let lanes = number(attribute, self.diagnostics).map(|n| n.try_into().unwrap_or(u32::MAX));
                    found.block = lanes.map(|n| (n, at));
                }
                Some(_) | None => {}
            }
        }
        looped.attrs.retain(|attribute| !is_for_loops(attribute));
        if let (Some(at), Some(_)) = (found.serial, found.steps) {
            let what = "a loop can't be `steps` and `serial`";
            let help = "`steps` runs the loops inside in parallel, `serial` runs all of it on one thread: keep one";
            self.diagnostics.push(Code::Attribute, at, what, help);
        }
        found
    }

    fn bare(&mut self, attribute: &syn::Attribute) -> bool {
        let bare = matches!(attribute.meta, syn::Meta::Path(_));
        if !bare {
            self.diagnostics.on(Code::Attribute, attribute, "this attribute takes no argument", "remove the argument");
        }
        bare
    }

    /// Refuses attributes that say nothing about a loop that runs in order.
    pub(super) fn refuse_parallel_attributes(&mut self, found: &LoopAttributes) {
        for (name, at) in [("grain", found.grain.map(|(_, at)| at)), ("block", found.block.map(|(_, at)| at))] {
            if let Some(at) = at {
                self.diagnostics.push(
                    Code::Attribute,
                    at,
                    format!("`{name}` is about loops whose iterations run in parallel, and those of this one don't"),
                    "put it on the parallel loop",
                );
            }
        }
    }

    /// Refuses an attribute that is about nested loops.
    pub(super) fn refuse_unroll(&mut self, found: &LoopAttributes) {
        if let Some((_, at)) = found.unroll {
            self.diagnostics.push(
                Code::Attribute,
                at,
                "`unroll` is about loops inside a task: the iterations of this one are shared out to threads or tasks",
                "put it on a loop inside",
            );
        }
    }
}

/// The number in `#[qd::grain(n)]`.
fn number(attribute: &syn::Attribute, diagnostics: &mut Diagnostics) -> Option<u64> {
    let found = attribute.parse_args::<syn::LitInt>().ok().and_then(|n| n.base10_parse::<u64>().ok());
    let found = found.filter(|n| *n > 0);
    if found.is_none() {
        let name = name(attribute).unwrap_or_default();
        diagnostics.on(
            Code::Attribute,
            attribute,
            format!("`{name}` takes a number from 1 on, written out"),
            format!("write `#[qd::{name}(64)]`"),
        );
    }
    found
}
