//! How what the taps of the copy saw gets out of it.
//!
//! rustc goes over all that it has yet to prove with each call that it types, and a variable whose type it doesn't know
//! yet is several such things. So a tap is declared right before the statement that holds it, and what the taps of a block
//! saw becomes one value at its end: a tuple, which goes into a tap of the block around. Here is what those tuples hold;
//! of expressions and names this knows nothing.
use proc_macro2::{Ident, Literal, TokenStream};
use qd_ir::sketch::{CalleeId, TapId};
use quote::quote;

use crate::syntax;

/// The most parts of a tuple: `qd::__private::Report` is implemented for so many.
const PARTS: usize = 12;

/// What a value of the copy tells.
#[derive(Clone)]
enum Tree {
    /// Types, with the numbers from `first`.
    Types {
        first: TapId,
        count: u32,
    },
    Call(CalleeId),
    /// What a call is on, which is asked behind the copy: by itself it tells nothing.
    Receiver(CalleeId),
    Tuple(Vec<Tree>),
}

/// A variable of the copy that tells something.
struct Member {
    declaration: syn::Stmt,
    /// The value that goes on to the block around.
    value: TokenStream,
    tree: Tree,
}

/// A block that is open.
#[derive(Default)]
struct Open {
    members: Vec<Member>,
    /// For each of its statements, the number of members before it.
    starts: Vec<usize>,
}

/// What goes into a block that is closed.
pub struct Closed {
    /// For each of its statements, the declarations before it.
    declarations: Vec<Vec<syn::Stmt>>,
    /// What hands on.
    end: Vec<syn::Stmt>,
}

/// The blocks around the place where the copy is being made, the parameters' first.
pub struct Blocks(Vec<Open>);

impl Default for Blocks {
    fn default() -> Self {
        Blocks(vec![Open::default()])
    }
}

impl Blocks {
    /// Enters a block.
    pub fn enter(&mut self) {
        self.0.push(Open::default());
    }

    /// Begins the next statement of the innermost block, or its tail.
    pub fn statement(&mut self) {
        if let Some(open) = self.0.last_mut() {
            open.starts.push(open.members.len());
        }
    }

    /// Declares a tap of types in the innermost block, or in that of the parameters if `all` of the copy uses it.
    pub fn types(&mut self, declaration: syn::Stmt, value: TokenStream, first: TapId, count: u32, all: bool) {
        self.declare(Member { declaration, value, tree: Tree::Types { first, count } }, all);
    }

    /// Declares the tap of a call in the innermost block.
    pub fn call(&mut self, declaration: syn::Stmt, value: TokenStream, call: CalleeId) {
        self.declare(Member { declaration, value, tree: Tree::Call(call) }, false);
    }

    /// Declares the tap of what a call is on in the innermost block.
    pub fn receiver(&mut self, declaration: syn::Stmt, value: TokenStream, call: CalleeId) {
        self.declare(Member { declaration, value, tree: Tree::Receiver(call) }, false);
    }

    fn declare(&mut self, member: Member, all: bool) {
        let open = if all { self.0.first_mut() } else { self.0.last_mut() };
        if let Some(open) = open {
            open.members.push(member);
        }
    }

    /// Leaves the innermost block, by whose end `groups` tell types; `name` is the variable of the block around.
    pub fn leave(&mut self, groups: Vec<(TokenStream, TapId, u32)>, name: &Ident) -> Closed {
        let Open { members, starts } = self.0.pop().unwrap_or_default();
        let mut declarations = vec![Vec::new(); starts.len()];
        let mut parts = Vec::new();
        for (n, Member { declaration, value, tree }) in members.into_iter().enumerate() {
            if let Some(at) = starts.partition_point(|start| *start <= n).checked_sub(1) {
                declarations[at].push(declaration);
            }
            parts.push((value, tree));
        }
        parts.extend(groups.into_iter().map(|(value, first, count)| (value, Tree::Types { first, count })));
        let mut end = Vec::new();
        if !parts.is_empty() {
            let (value, tree) = tuple(parts);
            end.push(syntax::statement(quote!(#name = #value)));
            let declaration = syntax::statement(quote!(let #name));
            self.declare(Member { declaration, value: quote!(#name), tree }, false);
        }
        Closed { declarations, end }
    }

    /// The declarations before the copy, the value of all, and what it tells.
    pub fn all(&self) -> (TokenStream, TokenStream, Told) {
        let members: &[Member] = self.0.first().map(|open| open.members.as_slice()).unwrap_or_default();
        let declarations = members.iter().map(|member| &member.declaration);
        let (value, tree) = tuple(members.iter().map(|member| (member.value.clone(), member.tree.clone())).collect());
        (quote!(#(#declarations)*), value, Told::of(&tree))
    }
}

impl Closed {
    /// Puts it into the block, whose statements are those that were counted; what hands on comes before the `tail`.
    pub fn into_block(self, block: &mut syn::Block, tail: bool) {
        let count = block.stmts.len();
        let mut end = Some(self.end);
        let mut declarations = self.declarations.into_iter();
        for (n, statement) in std::mem::take(&mut block.stmts).into_iter().enumerate() {
            block.stmts.extend(declarations.next().unwrap_or_default());
            if tail && n + 1 == count {
                block.stmts.extend(end.take().unwrap_or_default());
            }
            block.stmts.push(statement);
        }
        block.stmts.extend(end.unwrap_or_default());
    }
}

/// One value of many; of tuples, if they are too many for one.
fn tuple(mut parts: Vec<(TokenStream, Tree)>) -> (TokenStream, Tree) {
    while parts.len() > PARTS {
        let mut rest = parts.into_iter();
        parts = std::iter::from_fn(|| {
            let some: Vec<_> = rest.by_ref().take(PARTS).collect();
            (!some.is_empty()).then(|| tuple(some))
        })
        .collect();
    }
    if parts.len() == 1 {
        return parts.remove(0);
    }
    let (values, trees): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    (quote!((#(#values,)*)), Tree::Tuple(trees))
}

/// In which order the parts of a value tell what they tell.
#[derive(Default)]
pub struct Told {
    types: Vec<TapId>,
    calls: Vec<CalleeId>,
    /// Where in the value the taps of calls are.
    places: Vec<(CalleeId, Vec<usize>)>,
    /// How many groups of types there are.
    #[cfg(test)]
    pub groups: usize,
}

impl Told {
    fn of(tree: &Tree) -> Told {
        let mut told = Told::default();
        told.add(tree, &mut Vec::new());
        told
    }

    fn add(&mut self, tree: &Tree, path: &mut Vec<usize>) {
        match tree {
            Tree::Types { first, count } => {
                self.types.extend((first.0..first.0 + count).map(TapId));
                #[cfg(test)]
                {
                    self.groups += 1;
                }
            }
            Tree::Call(call) => {
                self.calls.push(*call);
                self.places.push((*call, path.clone()));
            }
            Tree::Receiver(call) => self.places.push((*call, path.clone())),
            Tree::Tuple(parts) => {
                for (n, part) in parts.iter().enumerate() {
                    path.push(n);
                    self.add(part, path);
                    path.pop();
                }
            }
        }
    }

    /// Where in the value the tap of each call is.
    pub fn places(&self) -> impl Iterator<Item = (CalleeId, &[usize])> {
        self.places.iter().map(|(call, path)| (*call, path.as_slice()))
    }

    /// Calls that are told behind the others, in this order: their values in one.
    pub fn behind(&mut self, calls: Vec<(CalleeId, TokenStream)>) -> TokenStream {
        let (value, tree) = tuple(calls.into_iter().map(|(call, value)| (value, Tree::Call(call))).collect());
        let mut told = Told::of(&tree);
        self.calls.append(&mut told.calls);
        value
    }

    /// The numbers of the types and of the calls, in the order in which they are told, as `Reports` reads them.
    pub fn order(&self) -> (Literal, Literal) {
        let types = self.types.iter().map(|tap| tap.0);
        (bytes(types), bytes(self.calls.iter().map(|call| call.0)))
    }
}

/// Numbers for the run time; none where each is its own position.
fn bytes(numbers: impl Iterator<Item = u32> + Clone) -> Literal {
    let sorted = numbers.clone().eq(0..numbers.clone().count() as u32);
    let bytes: Vec<u8> = if sorted { Vec::new() } else { numbers.flat_map(u32::to_le_bytes).collect() };
    Literal::byte_string(&bytes)
}
