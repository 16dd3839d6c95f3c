//! The never-run copy of the body, through which rustc reports types.
//!
//! Lowering turns a clone of the body into the copy as it goes: locals get their number into their name, groups of
//! bindings are shown to a tap at the end of their block, and expressions whose type nothing else gives go through one.
//! Taps are numbered in the order in which they are made; a group takes consecutive numbers, so the types of all taps
//! one after the other are `Types::taps`. One tap a binding would make rustc quadratic, hence the groups.
use std::collections::BTreeMap;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use qd_ir::sketch::{CalleeId, ConstId, TapId};
use qd_ir::types::Scalar;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse_quote;
use syn::spanned::Spanned;

use crate::diagnostic::Reach;

/// The function of a twin that has the signature of its function.
pub const TAP: &str = "with_qd_func";

/// The most bindings one tap looks at.
const GROUP: usize = 12;

/// What the names of taps begin with.
const PREFIX: &str = "__qd_tap";

/// The taps of a kernel, and the constants it names.
pub struct Taps {
    /// Path of `qd::__private`.
    private: TokenStream,
    /// Each with the place where rustc is to report a type that no value has.
    taps: Vec<(Ident, Span)>,
    types: u32,
    constants: Vec<Constant>,
    /// The taps that say a type that the macro knows.
    known: BTreeMap<Scalar, (Ident, TapId)>,
    /// The taps of calls.
    calls: Vec<(Ident, Callable)>,
    /// The methods called.
    methods: Vec<MethodName>,
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

/// How a call is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Callable {
    /// By a path, which names the function item too.
    Path,
    /// As a method.
    Method,
    /// As a method by the name of one of std's.
    Named,
    /// By an operator.
    Operator(Overload),
}

/// An operator that types of the user can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overload {
    /// Its name among those of `__private::operator`.
    pub name: &'static str,
    pub operands: usize,
}

/// A method's name with a number of arguments, where the same traits are in scope.
struct MethodName {
    name: Ident,
    arguments: usize,
    items: Vec<Vec<syn::Item>>,
    /// It is one of std's.
    named: bool,
    /// The taps of the calls, and where each stands.
    calls: Vec<(Ident, Span)>,
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
            taps: Vec::new(),
            types: 0,
            constants: Vec::new(),
            known: BTreeMap::new(),
            calls: Vec::new(),
            methods: Vec::new(),
            named: Vec::new(),
            items: Vec::new(),
            primitives: BTreeMap::new(),
            claims: Vec::new(),
        }
    }

    fn tap(&mut self, types: usize, at: Span) -> (Ident, TapId) {
        let name = Ident::new(&format!("{PREFIX}{}", self.taps.len()), Span::mixed_site());
        self.taps.push((name.clone(), at.resolved_at(Span::mixed_site())));
        let first = TapId(self.types);
        self.types += types as u32;
        (name, first)
    }

    /// Statements that look at the named bindings, and the number of each.
    pub fn bindings(&mut self, names: &[Ident]) -> (Vec<syn::Stmt>, Vec<TapId>) {
        let mut ids = Vec::with_capacity(names.len());
        let mut statements = Vec::new();
        for group in names.chunks(GROUP) {
            let at = group.first().map_or_else(Span::mixed_site, Ident::span);
            let (tap, first) = self.tap(group.len(), at);
            ids.extend((0..group.len() as u32).map(|i| TapId(first.0 + i)));
            // With the name's own span: a type that kernels don't have is reported at the binding.
            let looks = group.iter().map(|name| quote_spanned!(name.span()=> &#name));
            statements.push(parse_quote!(#tap.of(&(#(#looks,)*));));
        }
        (statements, ids)
    }

    /// Wraps an expression of any type that values have into a tap.
    pub fn id(&mut self, expr: &mut syn::Expr) -> TapId {
        let (tap, id) = self.tap(1, expr.span());
        replace(expr, |inner| parse_quote!(#tap.id(#inner)));
        id
    }

    /// Wraps an expression whose type is `ty`, named by a path, into the tap of that path.
    pub fn typed(&mut self, expr: &mut syn::Expr, ty: &syn::Type) -> TapId {
        let syn::Type::Path(_) = ty else { return self.id(expr) };
        let path = self.path(ty);
        if let Some((_, tap, id)) = self.named.iter().find(|(known, _, _)| *known == path) {
            replace(expr, |inner| parse_quote!(#tap.id(#inner)));
            return *id;
        }
        let id = self.id(expr);
        if let Some((tap, _)) = self.taps.last() {
            self.named.push((path, tap.clone(), id));
        }
        id
    }

    /// A tap that says `bool`, for variables that the source doesn't have.
    pub fn boolean(&mut self) -> TapId {
        self.known(Scalar::Bool)
    }

    /// A tap that says a scalar, for variables that the source doesn't have.
    pub fn known(&mut self, scalar: Scalar) -> TapId {
        if let Some((_, id)) = self.known.get(&scalar) {
            return *id;
        }
        let (name, id) = self.tap(1, Span::mixed_site());
        self.known.insert(scalar, (name, id));
        id
    }

    /// A tap for an expression that is still to be lowered.
    pub fn reserve(&mut self) -> Reserved {
        let (name, id) = self.tap(1, Span::mixed_site());
        Reserved { name, id }
    }

    /// Wraps the expression of a reserved tap; of a reference its type is that of what it refers to.
    pub fn erased_by(&self, tap: &Reserved, expr: &mut syn::Expr) {
        let tap = &tap.name;
        replace(expr, |inner| parse_quote!(#tap.erased(#inner)));
    }

    /// Wraps the body of a closure into a tap; of a reference its type is that of what it refers to.
    pub fn erased(&mut self, body: &mut syn::Expr) -> TapId {
        let (tap, id) = self.tap(1, body.span());
        replace(body, |inner| parse_quote!({ #tap.erased(#inner) }));
        id
    }

    /// Asserts that an expression is a fixed array, which stays a place; or a reference to one, if it is `referred` to.
    pub fn fixed(&mut self, array: &mut syn::Expr, exclusive: bool, referred: bool) -> TapId {
        // What rustc says of it, it says of the array.
        let span = array.span();
        let (tap, id) = self.tap(1, span);
        let star = referred.then(|| quote_spanned!(span=> *));
        replace(array, |inner| match exclusive {
            true => syn::Expr::Verbatim(quote_spanned!(span=> (*#tap.fixed_mut(&mut #star #inner)))),
            false => syn::Expr::Verbatim(quote_spanned!(span=> (*#tap.fixed(&#star #inner)))),
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
        replace(expr, |inner| parse_quote!(#path::referred(#inner)));
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
        replace(expr, |inner| parse_quote!({ let mut #name = #inner; #(#look)* #name }));
        ids[0]
    }

    /// Asserts that the cast of an operand to `to` keeps different values apart.
    pub fn injective(&self, operand: &mut syn::Expr, to: &syn::Type) {
        let name = Ident::new("__qd_operand", Span::mixed_site());
        // All of the call has the place of the cast's type: that is where rustc is to report it.
        let span = to.span().resolved_at(Span::mixed_site());
        let path = respanned(&self.private, span);
        let check = quote_spanned!(span=> #path::injective::<_, #to>(&__qd_operand));
        replace(operand, |inner| parse_quote!({ let #name = #inner; #check; #name }));
    }

    /// Asserts that the name of a primitive type means that type.
    pub fn primitive(&mut self, scalar: Scalar, name: &Ident) {
        self.primitives.entry(scalar).or_insert_with(|| name.clone());
    }

    /// Asserts that a function named by path is qd's of that name: `ndrange`, `atomic::add`.
    pub fn only(&self, function: &mut syn::Expr, ours: &TokenStream) {
        // From the function's first to its last token: what rustc says of the call it says of the native body in the same
        // words and of the same place, and so once.
        let Reach { start, end } = Reach::of(function);
        let path = respanned(&self.private, start);
        let mut ours: Vec<TokenTree> = respanned(ours, start).into_iter().collect();
        if let Some(last) = ours.last_mut() {
            last.set_span(end);
        }
        let ours: TokenStream = ours.into_iter().collect();
        replace(function, |inner| syn::Expr::Verbatim(quote_spanned!(start=> #path::only(#inner, #path::#ours))));
    }

    /// Asserts that what an atomic updates, `&mut place`, isn't of 128 bits; of a type parameter that is seen when its code
    /// is made.
    pub fn atomic(&self, argument: &mut syn::Expr) {
        let syn::Expr::Reference(reference) = &*argument else { return };
        let Some(element) = place(&reference.expr) else { return };
        let span = element.span().resolved_at(Span::mixed_site());
        let path = respanned(&self.private, span);
        let check = quote_spanned! {span=>
            #[allow(unused_imports)]
            use #path::{AnyWidth as _, TooWide as _};
            #path::narrow((&#path::Element::of(&#element)).width());
        };
        replace(argument, |inner| parse_quote!({ { #check } #inner }));
    }

    /// Turns segments into their numbers, over which the rewritten loop runs.
    pub fn numbers(&self, segments: &mut syn::Expr) {
        let path = respanned(&self.private, segments.span().resolved_at(Span::mixed_site()));
        replace(segments, |inner| parse_quote!(#path::segment_numbers(#inner)));
    }

    /// Asserts that what a method of arrays is called on is an `NdArray`.
    pub fn array(&self, receiver: &mut syn::Expr) {
        let span = receiver.span();
        let path = respanned(&self.private, span);
        replace(receiver, |inner| syn::Expr::Verbatim(quote_spanned!(span=> #path::array(&#inner))));
    }

    /// Lets a shared reference be written: that it can't be, rustc says of the native body.
    pub fn writable(&self, reference: &mut syn::Expr) {
        let span = reference.span();
        let path = respanned(&self.private, span);
        replace(reference, |inner| syn::Expr::Verbatim(quote_spanned!(span=> (*#path::writable(&*#inner)))));
    }

    /// Asserts that fields of a reference, by their names in the copy, are an array.
    pub fn elements(&mut self, fields: &syn::Expr) {
        self.claim("elements", fields);
    }

    fn claim(&mut self, what: &str, fields: &syn::Expr) {
        let span = fields.span().resolved_at(Span::mixed_site());
        let (path, what) = (respanned(&self.private, span), Ident::new(what, span));
        self.claims.push(quote_spanned!(span=> #path::#what(&(#fields));));
    }

    /// Asserts that a constant is at most `most`.
    pub fn check_length(&mut self, constant: &syn::ExprPath, most: usize, message: &str) {
        let span = constant.span().resolved_at(Span::mixed_site());
        let innermost = quote_spanned!(span=> const _: () = ::core::assert!(#constant <= #most, #message););
        let items = self.open_items();
        self.claims.push(items.iter().rev().fold(innermost, |inner, items| quote!({ #(#items)* #inner })));
    }

    /// The assertions about fields: they stand at the start of the copy, where nothing is borrowed.
    pub fn claims(&self) -> Vec<syn::Stmt> {
        self.claims.iter().map(|claim| parse_quote!(#claim)).collect()
    }

    /// Asserts that a loop that numbers its iterations can count in the type of a range.
    pub fn counted(&self, range: &mut syn::Expr) {
        let path = respanned(&self.private, range.span().resolved_at(Span::mixed_site()));
        replace(range, |inner| parse_quote!(#path::counted(#inner)));
    }

    /// A statement by which rustc checks that the name of a macro means std's: a glob import may not hide another one that
    /// is in scope, but may bring the same.
    pub fn macro_meant(&self, path: &syn::Path, name: &str) -> Option<TokenStream> {
        let arguments = match name {
            "matches" => quote!(0, _),
            "assert" | "debug_assert" => quote!(true),
            "assert_eq" | "assert_ne" | "debug_assert_eq" | "debug_assert_ne" => quote!(0, 0),
            "panic" | "unreachable" | "println" => TokenStream::new(),
            _ => return None,
        };
        let private = &self.private;
        if path.leading_colon.is_none() && path.segments.len() == 1 {
            return Some(quote!({ use #private::macros::std::*; let _ = || #path!(#arguments); }));
        }
        let of_core = path.segments.first().is_some_and(|first| first.ident == "core");
        let (krate, name) = (if of_core { quote!(core) } else { quote!(std) }, Ident::new(name, Span::mixed_site()));
        // With the span of the name, so that rustc reports it there.
        let meant = Ident::new("the_macro_meant", path.segments.last()?.ident.span());
        Some(quote!({
            use #path as #meant;
            { use #private::macros::#krate::one::#name::*; let _ = || #meant!(#arguments); }
        }))
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

    /// A statement by which rustc checks that a message can show a value.
    pub fn shown(&self, value: &syn::Expr) -> TokenStream {
        let span = value.span().resolved_at(Span::mixed_site());
        let path: TokenStream = self
            .private
            .clone()
            .into_iter()
            .map(|mut token| {
                token.set_span(span);
                token
            })
            .collect();
        quote_spanned!(span=> #path::shown(&(#value));)
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

    fn called(&mut self, at: Reach, callable: Callable) -> (Ident, CalleeId) {
        let name = Ident::new(&format!("__qd_call{}", self.calls.len()), at.start);
        let id = CalleeId(self.calls.len() as u32);
        self.calls.push((name.clone(), callable));
        (name, id)
    }

    /// Sends a call to the twin of the function named, and shows the function itself beside it.
    pub fn call(&mut self, call: &syn::ExprCall, function: &syn::ExprPath) -> (syn::Expr, CalleeId) {
        let span = function.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        let mut twin = function.clone();
        twin.path.segments.push(Ident::new(TAP, span).into());
        self.call_through(call, twin, function)
    }

    /// Sends `T::name(..)` to the hidden sibling of the function, and shows the function itself beside it.
    pub fn associated(&mut self, call: &syn::ExprCall, function: &syn::ExprPath) -> (syn::Expr, CalleeId) {
        let mut twin = function.clone();
        if let Some(last) = twin.path.segments.last_mut() {
            last.ident = sibling(&last.ident);
        }
        self.call_through(call, twin, function)
    }

    /// Sends `receiver.name(..)` to the hidden sibling of the method, which must leave its receiver as it is if that is
    /// `shared`.
    pub fn method(&mut self, call: &syn::ExprMethodCall, shared: bool) -> (syn::Expr, CalleeId) {
        let at = Reach::of(call);
        let (name, id) = self.called(at, Callable::Method);
        let mut twin = call.clone();
        twin.method = sibling(&call.method);
        let of = Ident::new(if shared { "of_shared" } else { "of" }, call.method.span());
        let result = Ident::new("result", at.end);
        let look = match place(&call.receiver) {
            Some(place) => Some(quote!(#name.at(&#place);)),
            None => {
                replace(&mut twin.receiver, |inner| parse_quote!(#name.on(#inner)));
                None
            }
        };
        self.note_method(call, &name, false);
        (parse_quote!(#name.#of({ #look #twin }).#result), id)
    }

    fn note_method(&mut self, call: &syn::ExprMethodCall, tap: &Ident, named: bool) {
        let (items, arguments, method) = (self.open_items(), call.args.len(), &call.method);
        let known = |known: &&mut MethodName| {
            known.name == *method && known.arguments == arguments && known.items == items && known.named == named
        };
        let call = (tap.clone(), method.span());
        match self.methods.iter_mut().find(known) {
            Some(known) => known.calls.push(call),
            None => {
                self.methods.push(MethodName { name: method.clone(), arguments, items, named, calls: vec![call] });
            }
        }
    }

    /// Shows what a method by the name of one of std's is called on.
    pub fn named(&mut self, call: &syn::ExprMethodCall) -> (syn::Expr, CalleeId) {
        let (name, id) = self.called(Reach::of(call), Callable::Named);
        self.note_method(call, &name, true);
        let copy = match place(&call.receiver) {
            Some(place) => parse_quote!(({ #name.at(&#place); #call })),
            None => {
                let mut shown = call.clone();
                replace(&mut shown.receiver, |inner| parse_quote!(#name.on(#inner)));
                syn::Expr::MethodCall(shown)
            }
        };
        (copy, id)
    }

    /// Asserts that a value is of a type of the language itself, which has no conversions of the user.
    pub fn builtin(&self, value: &mut syn::Expr, at: Reach) {
        // With the place of the source, also where a tap of ours stands round it.
        let span = at.start.resolved_at(Span::mixed_site());
        let path = respanned(&self.private, span);
        let check = match place(value) {
            Some(place) => quote_spanned!(span=> #path::builtin_place(&#place);),
            None => {
                let builtin = quote_spanned!(span=> #path::builtin);
                return replace(value, |inner| parse_quote!(#builtin(#inner)));
            }
        };
        replace(value, |inner| parse_quote!(({ #check #inner })));
    }

    /// Shows the operands of an operator of values.
    pub fn operator(&mut self, name: &'static str, operands: &mut [&mut syn::Expr], at: Reach) -> CalleeId {
        let (tap, id) = self.called(at, Callable::Operator(Overload { name, operands: operands.len() }));
        for (operand, side) in operands.iter_mut().zip(["left", "right"]) {
            let side = Ident::new(side, at.start);
            replace(operand, |inner| parse_quote!(#tap.#side(#inner)));
        }
        id
    }

    /// Shows the place and the value of `place op= value`.
    pub fn update(&mut self, name: &'static str, binary: &mut syn::ExprBinary, at: Reach) -> (syn::Expr, CalleeId) {
        let (tap, id) = self.called(at, Callable::Operator(Overload { name, operands: 2 }));
        replace(&mut binary.right, |inner| parse_quote!(#tap.right(#inner)));
        let look = place(&binary.left).map(|place| quote!(#tap.at(&#place);));
        (parse_quote!({ #look #binary; }), id)
    }

    fn call_through(
        &mut self,
        call: &syn::ExprCall,
        twin: syn::ExprPath,
        function: &syn::ExprPath,
    ) -> (syn::Expr, CalleeId) {
        let at = Reach::of(call);
        let (name, id) = self.called(at, Callable::Path);
        let span = function.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
        let mut twin_call = call.clone();
        *twin_call.func = syn::Expr::Path(twin);
        // All of it stands where the call stands, so that rustc says once what it would say of both.
        let of = Ident::new("of", span);
        let result = Ident::new("result", at.end);
        (parse_quote!(#name.#of(#twin_call, #function).#result), id)
    }

    /// Enters a block with these items.
    pub fn enter(&mut self, items: Vec<syn::Item>) {
        self.items.push(items);
    }

    /// Leaves the innermost block.
    pub fn leave(&mut self) {
        self.items.pop();
    }

    /// Makes the taps.
    pub fn declarations(&self) -> TokenStream {
        let Taps { private, calls, .. } = self;
        let taps = self.taps.iter().map(|(tap, _)| tap);
        let known = self.known.iter().map(|(scalar, (name, _))| {
            let primitive = Ident::new(scalar.name(), Span::mixed_site());
            quote!(let _ = #name.id(<::core::primitive::#primitive as ::core::default::Default>::default());)
        });
        let calls = calls.iter().map(|(call, callable)| match callable {
            Callable::Path => quote!(let #call = #private::CallTap::new();),
            Callable::Method => quote!(let #call = #private::MethodTap::<_, _>::new();),
            Callable::Named => quote!(let #call = #private::NamedTap::<_, _>::new();),
            Callable::Operator(Overload { name, operands }) => {
                // An operator that kernels don't know is reported where it stands.
                let span = call.span().resolved_at(Span::mixed_site());
                let name = Ident::new(name, span);
                let right = if *operands == 1 { quote!(()) } else { quote!(_) };
                quote!(let #call = #private::OperatorTap::<#private::operator::#name, _, #right>::new();)
            }
        });
        let primitives = self.primitives.iter().map(|(scalar, name)| {
            let span = name.span().resolved_at(Span::mixed_site());
            let (path, primitive) = (respanned(private, span), Ident::new(scalar.name(), span));
            quote_spanned!(span=> #path::primitive::<#name, ::core::primitive::#primitive>();)
        });
        quote!(#(let #taps = #private::Tap::new();)* #(#calls)* #(#known)* #(#primitives)*)
    }

    /// Statements that look for methods that would be called in place of those that were found.
    pub fn checks(&self) -> TokenStream {
        let private = &self.private;
        let check = |method: &MethodName| {
            let MethodName { name, arguments, items, named, calls } = method;
            let tap_type = if *named { quote!(NamedTap) } else { quote!(MethodTap) };
            let scope = |innermost: TokenStream| {
                let scoped = items.iter().rev().fold(innermost, |inner, items| quote!(#(#items)* { #inner }));
                quote!(let _ = || { #scoped };)
            };
            let types: Vec<Ident> = (0..*arguments).map(|n| format_ident!("A{n}", span = Span::mixed_site())).collect();
            let level = |receiver: TokenStream, of: &str| {
                let calls = calls.iter().map(|(call, span)| {
                    let mut name = name.clone();
                    name.set_span(*span);
                    let span = span.resolved_at(Span::mixed_site());
                    let (path, of) = (respanned(private, span), Ident::new(of, span));
                    let units = types.iter().map(|_| quote_spanned!(span=> ()));
                    // By path: the method looked for may have the name of the tap's.
                    quote_spanned!(span=> #path::other(#path::#tap_type::#of(&#call).#name(#(#units),*));)
                });
                // rustc shows the trait's name beside the method that it found as well.
                let innermost = quote! {
                    trait CompiledByTheKernel {
                        fn #name<#(#types),*>(#receiver, #(_: #types),*) -> #private::Other;
                    }
                    impl<AnyType> CompiledByTheKernel for AnyType {
                        fn #name<#(#types),*>(#receiver, #(_: #types),*) -> #private::Other {
                            ::core::unreachable!()
                        }
                    }
                    #(#calls)*
                };
                scope(innermost)
            };
            let levels = [level(quote!(self), "by_value"), level(quote!(&self), "by_reference")];
            // Before the levels, since it says what they look at.
            let search = named.then(|| {
                let hidden = named_sibling(name);
                let calls = calls.iter().map(|(call, span)| {
                    let (mut hidden, span) = (hidden.clone(), span.resolved_at(Span::mixed_site()));
                    hidden.set_span(span);
                    let path = respanned(private, span);
                    quote_spanned!(span=> #path::NamedTap::found(&#call, #path::NamedTap::receiver(&#call).#hidden());)
                });
                scope(quote! {
                    trait OfTheLanguage {
                        fn #hidden(&mut self) -> #private::Found<Self, #private::Language<Self>> where Self: Sized;
                    }
                    impl<AnyType> OfTheLanguage for AnyType {
                        fn #hidden(&mut self) -> #private::Found<Self, #private::Language<Self>> {
                            ::core::unreachable!()
                        }
                    }
                    #(#calls)*
                })
            });
            quote!(#search #(#levels)*)
        };
        self.methods.iter().map(check).collect()
    }

    /// Puts the types of all taps, in order, into a variable.
    pub fn collect(&self, into: &Ident) -> TokenStream {
        let collect = self.taps.iter().map(|(tap, at)| {
            let (into, tap) = (Ident::new(&into.to_string(), *at), Ident::new(&tap.to_string(), *at));
            quote_spanned!(*at=> #into.append(&mut #tap.types());)
        });
        collect.collect()
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

    /// What was called, in order.
    pub fn calls(&self) -> Vec<TokenStream> {
        let called = |(call, _): &(Ident, Callable)| {
            let method = Ident::new("call", call.span());
            quote!(#call.#method())
        };
        self.calls.iter().map(called).collect()
    }

    /// Number of taps: what rustc has to resolve.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.taps.len()
    }
}

/// The tokens at another place.
fn respanned(tokens: &TokenStream, span: Span) -> TokenStream {
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
    Ident::new(&format!("{}_with_qd_funcs", method.unraw()), method.span())
}

/// The hidden method that tells what a method by the name of one of std's is.
pub fn named_sibling(method: &Ident) -> Ident {
    use syn::ext::IdentExt;
    Ident::new(&format!("{}_as_qd_funcs", method.unraw()), method.span())
}

/// Replaces an expression by one made from it.
pub fn replace(expr: &mut syn::Expr, make: impl FnOnce(syn::Expr) -> syn::Expr) {
    let inner = std::mem::replace(expr, syn::Expr::Verbatim(TokenStream::new()));
    *expr = make(inner);
}

/// True for an expression in a tap, as [`Taps::id`] leaves it.
pub fn is_tap(call: &syn::ExprMethodCall) -> bool {
    let of_tap = |path: &syn::ExprPath| path.path.get_ident().is_some_and(|name| name.to_string().starts_with(PREFIX));
    call.method == "id" && call.args.len() == 1 && matches!(&*call.receiver, syn::Expr::Path(path) if of_tap(path))
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
                let zero: syn::Expr = parse_quote!(0usize);
                *index.index = match &*index.index {
                    syn::Expr::Array(array) => {
                        let zeros = array.elems.iter().map(|_| &zero);
                        parse_quote!([#(#zeros),*])
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
