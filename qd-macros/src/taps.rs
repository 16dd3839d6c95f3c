//! The never-run copy of the body, through which rustc reports types.
//!
//! Lowering turns a clone of the body into the copy as it goes: locals get their number into their name, groups of
//! bindings are shown to a tap at the end of their block, and expressions whose type nothing else gives go through one.
//! Taps are numbered in the order in which they are made, and what they saw gets out through [`crate::tree`].
//!
//! The copy stands behind a `loop {}`: so rustc types it, but makes no code of it and checks no borrows, which it does in
//! the native body. Hence taps may take what can't be moved.
mod assert;
mod search;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};
use qd_ir::sketch::{CalleeId, ConstId, OrderId, TapId};
use qd_ir::types::Scalar;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

use self::search::{MethodName, Receiver};
use crate::lower::{Kind, unwrap_parens};
use crate::reach::Reach;
use crate::syntax;
use crate::tree::{Blocks, Closed, Told};

/// The function of a twin that has the signature of its function.
pub const TAP: &str = "with_qd_func";

/// The most bindings one tap looks at.
const GROUP: usize = 12;

/// What the names of taps begin with.
const PREFIX: &str = "__qd_tap";

/// What copies are written with, of `qd::__private::copy`.
const WORDS: [&str; 26] = [
    "alone",
    "asked",
    "at",
    "called",
    "converted",
    "erased",
    "fixed",
    "fixed_mut",
    "id",
    "known",
    "known_alone",
    "left",
    "look",
    "method",
    "method_of",
    "method_of_shared",
    "method_shared",
    "named_by_path",
    "on",
    "operator",
    "presumed",
    "reported",
    "right",
    "seen",
    "seen_shared",
    "updated",
];

/// Its name in a copy, which has so many of them that it takes rustc long to read paths.
fn word(name: &str, span: Span) -> Ident {
    Ident::new(&format!("__qd_{name}"), span)
}

/// The statement that brings these names.
pub fn words(private: &TokenStream) -> TokenStream {
    let names = WORDS.map(|name| Ident::new(name, Span::mixed_site()));
    let words = WORDS.map(|name| word(name, Span::mixed_site()));
    quote!(use #private::copy::{#(#names as #words),*}; use #private::function::methods::*;)
}

/// The taps of a kernel, and the constants it names.
pub struct Taps {
    /// Path of `qd::__private`.
    private: TokenStream,
    /// Where what they saw goes.
    blocks: Blocks,
    /// How many variables of the copy are taps, and how many types they tell.
    count: u32,
    types: u32,
    constants: Vec<Constant>,
    /// The taps that say a type that the macro knows.
    known: BTreeMap<Scalar, TapId>,
    /// How many calls there are.
    calls: u32,
    /// The taps of updates whose order of evaluation is asked for.
    updates: Vec<Ident>,
    /// The methods called.
    methods: Vec<MethodName>,
    /// The hidden siblings that are called by path.
    by_path: BTreeSet<String>,
    /// Types named by path, each with its tap.
    named: Vec<(Path, Ident, TapId)>,
    /// Items of the blocks that are open, outermost first.
    items: Vec<Vec<syn::Item>>,
    /// Primitive types named by the source.
    primitives: BTreeMap<Scalar, Ident>,
    /// Statements by which rustc checks what the macro takes fields of references for.
    claims: Vec<TokenStream>,
}

/// A path of the source and where it stands: equal ones name the same.
#[derive(PartialEq, Eq)]
struct Path {
    text: String,
    /// The items of the blocks it stands in, as far as there are any: what it may name.
    items: Vec<Vec<syn::Item>>,
}

/// A tap whose expression isn't wrapped yet.
pub struct Reserved {
    name: Ident,
    /// Its number.
    pub id: TapId,
}

/// A constant named by path, or a `cfg!`.
struct Constant {
    syntax: TokenStream,
    path: Path,
}

impl Taps {
    /// No taps yet; `private` is the path of `qd::__private`.
    pub fn new(private: &TokenStream) -> Self {
        let private = private.clone();
        Taps {
            private,
            blocks: Blocks::default(),
            count: 0,
            types: 0,
            constants: Vec::new(),
            known: BTreeMap::new(),
            calls: 0,
            updates: Vec::new(),
            methods: Vec::new(),
            by_path: BTreeSet::new(),
            named: Vec::new(),
            items: Vec::new(),
            primitives: BTreeMap::new(),
            claims: Vec::new(),
        }
    }

    /// A variable of the copy's for a tap.
    fn variable(&mut self) -> Ident {
        self.count += 1;
        Ident::new(&format!("{PREFIX}{}", self.count - 1), Span::mixed_site())
    }

    /// Numbers for types.
    fn numbers_of(&mut self, types: usize) -> TapId {
        let first = TapId(self.types);
        self.types += types as u32;
        first
    }

    /// A tap of an expression, in the innermost block or for `all` of the copy.
    fn tap(&mut self, span: Span, all: bool) -> (Ident, TapId) {
        let (mut name, id) = (self.variable(), self.numbers_of(1));
        // A type that kernels don't have is reported at the expression. So all of that is of the source: else rustc
        // wouldn't go on from the call to what it is given.
        name.set_span(span);
        let reported = word("reported", span);
        let declaration = syntax::statement(quote!(let #name));
        self.blocks.types(declaration, quote_spanned!(span=> #reported(&#name)), id, 1, all);
        (name, id)
    }

    /// Values that tell the types of the bindings named.
    fn groups(&mut self, names: &[Ident]) -> (Vec<(TokenStream, TapId, u32)>, Vec<TapId>) {
        let mut ids = Vec::with_capacity(names.len());
        let mut groups = Vec::new();
        for group in names.chunks(GROUP) {
            let first = self.numbers_of(group.len());
            ids.extend((0..group.len() as u32).map(|i| TapId(first.0 + i)));
            // With the name's own span: a type that kernels don't have is reported at the binding.
            // All of the call is of the source, too: else rustc wouldn't go on from it to a binding.
            let span = group.first().map_or_else(Span::mixed_site, Ident::span);
            let look = word("look", span);
            groups.push((quote_spanned!(span=> #look((#(#group,)*))), first, group.len() as u32));
        }
        (groups, ids)
    }

    /// Statements that look at the named bindings, and the number of each.
    pub fn bindings(&mut self, names: &[Ident]) -> (Vec<syn::Stmt>, Vec<TapId>) {
        let (groups, ids) = self.groups(names);
        let looks = groups.into_iter().map(|(value, first, count)| {
            let name = self.variable();
            self.blocks.types(syntax::statement(quote!(let #name)), quote!(#name), first, count, false);
            syntax::statement(quote!(#name = #value))
        });
        (looks.collect(), ids)
    }

    /// Enters a block with these items.
    pub fn enter(&mut self, items: Vec<syn::Item>) {
        self.items.push(items);
        self.blocks.enter();
    }

    /// Begins the next statement of the innermost block, or its tail.
    pub fn statement(&mut self) {
        self.blocks.statement();
    }

    /// Leaves the innermost block with these bindings: what goes into it, and the number of each binding.
    pub fn leave(&mut self, names: &[Ident]) -> (Closed, Vec<TapId>) {
        self.items.pop();
        let (groups, ids) = self.groups(names);
        let name = self.variable();
        (self.blocks.leave(groups, &name), ids)
    }

    /// Wraps an expression of any type that values have into a tap.
    pub fn id(&mut self, expr: &mut syn::Expr) -> TapId {
        let (tap, id) = self.tap(Reach::of_expr(expr).start, false);
        Self::wrap(&tap, "id", expr);
        id
    }

    /// Wraps an expression into a tap; of a reference its type is that of what it refers to.
    pub fn referent(&mut self, expr: &mut syn::Expr) -> TapId {
        let (tap, id) = self.tap(Reach::of_expr(expr).start, false);
        Self::wrap(&tap, "erased", expr);
        id
    }

    fn wrap(tap: &Ident, through: &str, expr: &mut syn::Expr) {
        let through = syntax::variable(&word(through, Span::call_site()));
        replace(expr, |inner| syn::Expr::Call(syntax::called(through, [syntax::reference(tap), inner])));
    }

    /// Wraps an expression whose type is `ty`, named by a path, into the tap of that path.
    pub fn typed(&mut self, expr: &mut syn::Expr, ty: &syn::Type) -> TapId {
        let syn::Type::Path(_) = ty else { return self.id(expr) };
        let path = self.path(ty);
        let known = self.named.iter().find(|(known, _, _)| *known == path).map(|(_, tap, id)| (tap.clone(), *id));
        let (tap, id) = known.unwrap_or_else(|| {
            let (tap, id) = self.tap(Reach::of_expr(expr).start, true);
            self.named.push((path, tap.clone(), id));
            (tap, id)
        });
        Self::wrap(&tap, "id", expr);
        id
    }

    /// A tap that says `bool`, for variables that the source doesn't have.
    pub fn boolean(&mut self) -> TapId {
        self.known(Scalar::Bool)
    }

    /// A tap that says a scalar, for variables that the source doesn't have.
    pub fn known(&mut self, scalar: Scalar) -> TapId {
        if let Some(id) = self.known.get(&scalar) {
            return *id;
        }
        let (name, id) = (self.variable(), self.numbers_of(1));
        let (private, primitive) = (&self.private, Ident::new(scalar.name(), Span::mixed_site()));
        let (declaration, reported) =
            (quote!(let #name: #private::Tap<::core::primitive::#primitive>), word("reported", Span::mixed_site()));
        self.blocks.types(syntax::statement(declaration), quote!(#reported(&#name)), id, 1, true);
        self.known.insert(scalar, id);
        id
    }

    /// A tap for an expression that is still to be lowered.
    pub fn reserve(&mut self, expr: &syn::Expr) -> Reserved {
        let (name, id) = self.tap(Reach::of_expr(expr).start, false);
        Reserved { name, id }
    }

    /// Wraps the expression of a reserved tap; of a reference its type is that of what it refers to.
    pub fn erased_by(&self, tap: &Reserved, expr: &mut syn::Expr) {
        Self::wrap(&tap.name, "erased", expr);
    }

    /// Wraps the body of a closure into a tap; of a reference its type is that of what it refers to.
    pub fn erased(&mut self, body: &mut syn::Expr) -> TapId {
        let id = self.referent(body);
        replace(body, |inner| syntax::block([], inner));
        id
    }

    /// Asserts that an expression is a fixed array, which stays a place; or a reference to one, if it is `referred` to.
    pub fn fixed(&mut self, array: &mut syn::Expr, exclusive: bool, referred: bool) -> TapId {
        // What rustc says of it, it says of the array.
        let span = array.span();
        let (tap, id) = self.tap(span, false);
        let star = referred.then(|| quote_spanned!(span=> *));
        replace(array, |inner| match exclusive {
            true => syn::Expr::Verbatim(quote_spanned!(span=> (*__qd_fixed_mut(&#tap, &mut #star #inner)))),
            false => syn::Expr::Verbatim(quote_spanned!(span=> (*__qd_fixed(&#tap, &#star #inner)))),
        });
        id
    }

    /// Asserts that an array parameter, `referred` to or as a place, has one dimension. It becomes a place; its reference
    /// isn't moved.
    pub fn line(&self, array: &mut syn::Expr, exclusive: bool, referred: bool) {
        let span = array.span();
        let path = respanned(&self.private, span);
        let star = referred.then(|| quote_spanned!(span=> *));
        replace(array, |inner| match exclusive {
            true => syn::Expr::Verbatim(quote_spanned!(span=> (*#path::line_mut(&mut #star #inner)))),
            false => syn::Expr::Verbatim(quote_spanned!(span=> (*#path::line(&#star #inner)))),
        });
    }

    /// Asserts that what stands behind a `*` is a reference: of a type of one's own it could be anything.
    pub fn referred(&self, expr: &mut syn::Expr) {
        let path = respanned(&self.private, expr.span().resolved_at(Span::mixed_site()));
        replace(expr, |inner| syntax::call(quote!(#path::referred), inner));
    }

    fn path(&self, syntax: &impl ToTokens) -> Path {
        Path { text: syntax.to_token_stream().to_string(), items: self.open_items() }
    }

    fn open_items(&self) -> Vec<Vec<syn::Item>> {
        self.items.iter().filter(|items| !items.is_empty()).cloned().collect()
    }

    /// Binds an expression of any type to `name`, looks at it, and gives it back.
    pub fn value(&mut self, expr: &mut syn::Expr, name: &Ident) -> TapId {
        let (look, ids) = self.bindings(std::slice::from_ref(name));
        replace(expr, |inner| {
            let mut statements = vec![syntax::binding(name, inner)];
            statements.extend(look);
            syntax::block(statements, syntax::variable(name))
        });
        ids[0]
    }

    /// Shows the function that a path names, which is taken for one of the language's own.
    pub fn presumed(&mut self, function: &mut syn::Expr, at: Reach) {
        let (name, _) = self.called(at);
        // From the function's first to its last token, as for [`only`](Self::only).
        let Reach { start, end } = Reach::of(function);
        let (word, end) = (word("presumed", start), syn::token::Paren(end));
        replace(function, |inner| {
            let function = syntax::variable(&word);
            let called = syntax::called(function, [syntax::reference(&name), inner]);
            syn::Expr::Call(syn::ExprCall { paren_token: end, ..called })
        });
    }

    /// The number of a constant.
    pub fn constant(&mut self, syntax: &syn::ExprPath) -> ConstId {
        self.value_of(syntax)
    }

    /// The number of a `P::default()`, which is a constant.
    pub fn default(&mut self, syntax: &syn::ExprCall) -> ConstId {
        self.value_of(syntax)
    }

    /// The number of a `cfg!(..)`, which is a constant.
    pub fn configuration(&mut self, syntax: &syn::Macro) -> ConstId {
        self.value_of(syntax)
    }

    fn value_of(&mut self, syntax: &impl ToTokens) -> ConstId {
        let path = self.path(syntax);
        let known = self.constants.iter().position(|constant| constant.path == path);
        let index = known.unwrap_or_else(|| {
            self.constants.push(Constant { syntax: syntax.to_token_stream(), path });
            self.constants.len() - 1
        });
        ConstId(index as u32)
    }

    /// A variable for a call that is told.
    fn called(&mut self, at: Reach) -> (Ident, CalleeId) {
        let (name, id) = self.call_variable(at);
        self.blocks.call(syntax::statement(quote!(let #name)), quote!(#name), id);
        (name, id)
    }

    /// A variable for what is called on, which is asked behind the copy.
    fn receiver(&mut self, at: Reach) -> (Ident, CalleeId) {
        let (name, id) = self.call_variable(at);
        self.blocks.receiver(syntax::statement(quote!(let #name)), quote!(#name), id);
        (name, id)
    }

    fn operated(&mut self, name: &'static str, operands: usize, at: Reach) -> (Ident, CalleeId) {
        let (tap, id) = self.call_variable(at);
        // An operator that kernels don't know is reported where it stands.
        let span = at.start;
        let (operators, operator) = (word("operator", span), Ident::new(name, span));
        let value = if operands == 1 {
            let known = word("known_alone", span);
            quote_spanned!(span=> #known::<#operators::#operator, _>(&#tap))
        } else {
            let known = word("known", span);
            quote_spanned!(span=> #known::<#operators::#operator, _, _>(&#tap))
        };
        self.blocks.call(syntax::statement(quote!(let #tap)), value, id);
        (tap, id)
    }

    fn call_variable(&mut self, at: Reach) -> (Ident, CalleeId) {
        let id = CalleeId(self.calls);
        self.calls += 1;
        (Ident::new(&format!("__qd_call{}", id.0), at.start), id)
    }

    /// Sends a call to the twin of the function named, and shows the function itself beside it.
    pub fn call(&mut self, call: &syn::ExprCall, function: &syn::ExprPath, at: Reach) -> (syn::Expr, CalleeId) {
        let span = function.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        let mut twin = function.clone();
        twin.path.segments.push(Ident::new(TAP, span).into());
        self.call_through(call, twin, function, at)
    }

    /// As [`call`](Self::call), of a function whose name may also be std's or qd's: then `function::known` of
    /// `__private` has what stands in for the twin.
    pub fn call_of_known(
        &mut self,
        call: &syn::ExprCall,
        function: &syn::ExprPath,
        known: &str,
        at: Reach,
    ) -> (syn::Expr, CalleeId) {
        let span = function.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        let (renamed, known) = (word("function", span), Ident::new(known, span.resolved_at(Span::mixed_site())));
        let (mut named, mut twin, private) = (function.path.clone(), function.clone(), &self.private);
        let last = named.segments.last_mut().map(|last| std::mem::take(&mut last.arguments));
        let arguments = last.unwrap_or_default();
        let imports = [quote!(use #named as #renamed), quote!(use #private::function::#known::*)];
        twin.path = syn::PathSegment { ident: renamed, arguments }.into();
        twin.path.segments.push(Ident::new(TAP, span).into());
        let (copy, id) = self.call_through(call, twin, function, at);
        (syntax::block(imports.map(syntax::statement), copy), id)
    }

    /// Sends `T::name(..)` to the hidden sibling of the function, and shows the function itself beside it.
    pub fn associated(&mut self, call: &syn::ExprCall, function: &syn::ExprPath, at: Reach) -> (syn::Expr, CalleeId) {
        let mut twin = function.clone();
        if let Some(last) = twin.path.segments.last_mut() {
            last.ident = sibling(&last.ident);
            self.by_path.insert(last.ident.to_string());
        }
        self.call_through(call, twin, function, at)
    }

    /// Shows the function `T::name` of a call, by a name that functions of the language's own have: beside it is asked for
    /// the hidden one that tells what it is. One `of_numbers` is there for all types of the language.
    pub fn named_by_path(&mut self, call: &mut syn::ExprCall, of_numbers: bool, at: Reach) -> CalleeId {
        let (tap, id) = self.called(at);
        let Reach { start, end } = Reach::of(&call.func);
        let syn::Expr::Path(mut hidden) = unwrap_parens(&mut call.func).clone() else { return id };
        let Some(last) = hidden.path.segments.last_mut() else { return id };
        last.ident = by_path(&last.ident);
        let (name, private) = (last.ident.clone(), &self.private);
        let language = of_numbers.then(|| {
            let head = quote!(fn #name() -> #private::Called<#private::presumed::LanguageFunction, #private::AnySignature, ()>);
            let declared = quote! {
                trait OfTheLanguage {
                    #head;
                }
            };
            let implemented = quote! {
                impl<AnyType: #private::named::Builtin> OfTheLanguage for AnyType {
                    #head {
                        ::core::unreachable!()
                    }
                }
            };
            [declared, implemented].map(syntax::statement)
        });
        let hidden = syn::Expr::Verbatim(quote_spanned!(name.span()=> #hidden()));
        // From the function's first to its last token, as for [`only`](Self::only).
        let word = syntax::variable(&word("named_by_path", start));
        replace(&mut call.func, |function| {
            let shown = syntax::called(word, [syntax::reference(&tap), hidden, function]);
            let shown = syn::Expr::Call(syn::ExprCall { paren_token: syn::token::Paren(end), ..shown });
            match language {
                Some(items) => syntax::block(items, shown),
                None => shown,
            }
        });
        id
    }

    /// Sends `receiver.name(..)` to the hidden sibling of the method, which must leave its receiver as it is if that is
    /// `shared`. The receiver is of the type `kind`, if that is known.
    pub fn method(
        &mut self,
        call: &syn::ExprMethodCall,
        shared: bool,
        kind: Option<Kind>,
        at: Reach,
    ) -> (syn::Expr, CalleeId) {
        let place = place(&call.receiver);
        let receiver = match (kind, &place) {
            (Some(kind), _) => Some(Receiver::Kind(kind)),
            (None, Some(place)) => Some(Receiver::Place(place.into_token_stream().to_string())),
            (None, None) => None,
        };
        let seen = receiver.as_ref().is_some_and(|receiver| self.looked_for(call, receiver));
        let (name, id) = self.called(at);
        let mut twin = call.clone();
        twin.method = sibling(&call.method);
        let (tap, span) = (syntax::reference(&name), call.method.span());
        // All of it stands at the method's name, of which rustc says what there is to say.
        let asked = || {
            let (word, method) = (word("asked", span), &call.method);
            let mut name = name.clone();
            name.set_span(span.resolved_at(name.span()));
            let nevers = call.args.iter().map(|_| quote_spanned!(span=> loop {}));
            syn::Expr::Verbatim(quote_spanned!(span=> #word(&#name).#method(#(#nevers),*)))
        };
        let copy = match (seen, &place) {
            (true, _) => {
                let through = if shared { "seen_shared" } else { "seen" };
                result_of(through, span, at, [tap, syn::Expr::MethodCall(twin)])
            }
            (false, Some(place)) => {
                let through = if shared { "method_shared" } else { "method" };
                let place = syn::Expr::Verbatim(quote!(&#place));
                result_of(through, span, at, [tap, place, syn::Expr::MethodCall(twin), asked()])
            }
            (false, None) => {
                Self::wrap(&name, "on", &mut twin.receiver);
                let through = if shared { "method_of_shared" } else { "method_of" };
                result_of(through, span, at, [tap, syn::Expr::MethodCall(twin), asked()])
            }
        };
        if !seen {
            self.note_method(call, id, receiver, false);
        }
        (copy, id)
    }

    /// Shows what a method by the name of one of std's is called on, which is of the type `kind`, if that is known.
    pub fn named(&mut self, call: &syn::ExprMethodCall, kind: Option<Kind>, at: Reach) -> (syn::Expr, CalleeId) {
        if let Some(known) = kind.and_then(|kind| self.known_named(call, kind)) {
            return (syn::Expr::MethodCall(call.clone()), known);
        }
        let (name, id) = self.receiver(at);
        self.note_method(call, id, kind.map(Receiver::Kind), true);
        let copy = match place(&call.receiver) {
            Some(place) => {
                let look = syntax::statement(quote!(__qd_at(&#name, &#place)));
                syntax::block([look], syn::Expr::MethodCall(call.clone()))
            }
            None => {
                let mut shown = call.clone();
                Self::wrap(&name, "id", &mut shown.receiver);
                syn::Expr::MethodCall(shown)
            }
        };
        (copy, id)
    }

    /// Shows the operands of an operator of values.
    pub fn operator(&mut self, name: &'static str, operands: &mut [&mut syn::Expr], at: Reach) -> CalleeId {
        let (tap, id) = self.operated(name, operands.len(), at);
        if let [operand] = operands {
            // What is expected of the result isn't what is expected of the operand.
            replace(operand, |inner| result_of("alone", at.start, at, [syntax::reference(&tap), inner]));
            return id;
        }
        for (operand, side) in operands.iter_mut().zip(["left", "right"]) {
            let side = word(side, at.start);
            replace(operand, |inner| call_of(&side, [syntax::reference(&tap), inner]));
        }
        id
    }

    /// Shows the operand and the result of a conversion, `T::from(value)` or `value.into()`; `operand` gives the one of it.
    pub fn conversion(
        &mut self,
        syntax: &mut syn::Expr,
        operand: impl FnOnce(&mut syn::Expr) -> Option<&mut syn::Expr>,
        at: Reach,
    ) -> CalleeId {
        let (tap, id) = self.call_variable(at);
        let converted = word("converted", at.start);
        self.blocks.call(syntax::statement(quote!(let #tap)), quote_spanned!(at.start=> #converted::<_, _>(&#tap)), id);
        if let Some(operand) = operand(syntax) {
            Self::wrap(&tap, "right", operand);
        }
        Self::wrap(&tap, "left", syntax);
        id
    }

    /// Shows the place and the value of `place op= value`.
    pub fn update(&mut self, name: &'static str, binary: &mut syn::ExprBinary, at: Reach) -> (syn::Expr, CalleeId) {
        let (tap, id) = self.operated(name, 2, at);
        Self::wrap(&tap, "right", &mut binary.right);
        let look = place(&binary.left).map(|place| syntax::statement(quote!(__qd_updated(&#tap, &#place))));
        let update = syn::Stmt::Expr(syn::Expr::Binary(binary.clone()), Some(Default::default()));
        (syntax::unit(look.into_iter().chain([update])), id)
    }

    /// Looks at the place of `place op= value`, of which rustc is to say which comes first: the statement that does, to
    /// stand before it.
    pub fn order(&mut self, left: &syn::Expr, at: Reach) -> Option<(TokenStream, OrderId)> {
        let place = place(left)?;
        let name = Ident::new(&format!("__qd_update{}", self.updates.len()), at.start.resolved_at(Span::mixed_site()));
        let id = OrderId(self.updates.len() as u32);
        self.updates.push(name.clone());
        Some((quote!(#name.at(&#place);), id))
    }

    /// Makes the taps of updates, outside of the copy: they are asked behind it.
    pub fn updates(&self) -> TokenStream {
        let Taps { private, updates, .. } = self;
        quote!(#(let #updates = #private::UpdateTap::new();)*)
    }

    /// Of each update that was asked about whether its place comes first.
    pub fn orders(&self) -> Vec<TokenStream> {
        let private = &self.private;
        let of = |name: &Ident| {
            quote!({
                #[allow(unused_imports)]
                use #private::{PlaceFirst as _, ValueFirst as _};
                (&#name).place_first()
            })
        };
        self.updates.iter().map(of).collect()
    }

    fn call_through(
        &mut self,
        call: &syn::ExprCall,
        twin: syn::ExprPath,
        function: &syn::ExprPath,
        at: Reach,
    ) -> (syn::Expr, CalleeId) {
        let (name, id) = self.called(at);
        let mut twin_call = call.clone();
        *twin_call.func = syn::Expr::Path(twin);
        let arguments = [syntax::reference(&name), syn::Expr::Call(twin_call), syn::Expr::Path(function.clone())];
        let span = function.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        (result_of("called", span, at, arguments), id)
    }

    /// What stands before the copy, the value of all that its taps saw, and what that tells.
    pub fn all(&self) -> (TokenStream, TokenStream, Told) {
        let (declarations, value, told) = self.blocks.all();
        let primitives = self.primitives.iter().map(|(scalar, name)| {
            let span = name.span().resolved_at(Span::mixed_site());
            let (path, primitive) = (respanned(&self.private, span), Ident::new(scalar.name(), span));
            quote_spanned!(span=> #path::primitive::<#name, ::core::primitive::#primitive>();)
        });
        (quote!(#declarations #(#primitives)*), value, told)
    }

    /// The values of the constants, in order.
    pub fn constants(&self) -> Vec<TokenStream> {
        let private = &self.private;
        let value = |constant: &Constant| {
            let syntax = &constant.syntax;
            let innermost = quote!(#private::constant(#syntax));
            constant.path.items.iter().rev().fold(innermost, |value, items| quote!({ #(#items)* #value }))
        };
        self.constants.iter().map(value).collect()
    }

    /// Number of taps that tell types: what rustc has to resolve.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.all().2.groups
    }
}

/// `function(arguments)` of one of the words of copies.
fn call_of<const N: usize>(function: &Ident, arguments: [syn::Expr; N]) -> syn::Expr {
    syn::Expr::Call(syntax::called(syntax::variable(function), arguments))
}

/// The result of such a call, in the place of another one: from its first token to its last, so that rustc says once what
/// it would say of both; of what is `called`, that is said there. What is expected of the result rustc doesn't hand on.
fn result_of<const N: usize>(function: &str, called: Span, at: Reach, arguments: [syn::Expr; N]) -> syn::Expr {
    let call = syn::Expr::Call(syntax::called(syntax::variable(&word(function, called)), arguments));
    syntax::field(syntax::parenthesized(call, at.start), Ident::new("result", at.end))
}

/// The tokens at another place.
pub fn respanned(tokens: &TokenStream, span: Span) -> TokenStream {
    let moved = tokens.clone().into_iter().map(|mut token| {
        token.set_span(span);
        token
    });
    moved.collect()
}

/// The hidden sibling of a method, which has its signature and tells which method it is. rustc shows this name where
/// there is none, so it says what is missing.
pub fn sibling(method: &Ident) -> Ident {
    use syn::ext::IdentExt;
    Ident::new(&format!("{}_needs_the_attribute_qd_funcs", method.unraw()), method.span())
}

/// The hidden method that tells what a method by the name of one of std's is.
pub fn named_sibling(method: &Ident) -> Ident {
    use syn::ext::IdentExt;
    Ident::new(&format!("{}_as_qd_funcs", method.unraw()), method.span())
}

/// The hidden function that tells what a function by the name of one of the language's own is.
pub fn by_path(function: &Ident) -> Ident {
    use syn::ext::IdentExt;
    Ident::new(&format!("{}_as_qd_function", function.unraw()), function.span())
}

/// Replaces an expression by one made from it.
pub fn replace(expr: &mut syn::Expr, make: impl FnOnce(syn::Expr) -> syn::Expr) {
    let inner = std::mem::replace(expr, syn::Expr::Verbatim(TokenStream::new()));
    *expr = make(inner);
}

/// True for an expression in a tap, as [`Taps::id`] and [`Taps::referent`] leave it.
pub fn is_tap(call: &syn::ExprCall) -> bool {
    let syn::Expr::Path(function) = &*call.func else { return false };
    call.args.len() == 2 && function.path.get_ident().is_some_and(|name| name == "__qd_id" || name == "__qd_erased")
}

/// The name of a local in the copy: the number makes it unique, the span keeps messages and hygiene.
pub fn numbered(name: &Ident, number: usize) -> Ident {
    use syn::ext::IdentExt;
    Ident::new(&format!("{}__{number}", name.unraw()), name.span())
}

/// The place that an expression names, to look at: without its indices, which can't be evaluated twice. `None` for a value.
fn place(expr: &syn::Expr) -> Option<syn::Expr> {
    fn strip(expr: &mut syn::Expr) -> bool {
        match expr {
            syn::Expr::Path(_) => true,
            syn::Expr::Paren(inner) => strip(&mut inner.expr),
            syn::Expr::Group(inner) => strip(&mut inner.expr),
            syn::Expr::Field(field) => strip(&mut field.base),
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr, .. }) => strip(expr),
            syn::Expr::Index(index) => {
                let zero = syn::Expr::Verbatim(quote!(0usize));
                *index.index = match &*index.index {
                    syn::Expr::Array(array) => {
                        let zeros = array.elems.iter().map(|_| &zero);
                        syn::Expr::Verbatim(quote!([#(#zeros),*]))
                    }
                    _ => zero,
                };
                strip(&mut index.expr)
            }
            _ => false,
        }
    }
    let mut place = expr.clone();
    strip(&mut place).then_some(place)
}
