//! Calls: methods and functions of the numeric types, casts by `from`, atomics, shapes.
use qd_ir::arena::Id;
use qd_ir::linear::Method;
use qd_ir::op::{AtomicOp, Form, Op};
use qd_ir::sketch::{Block, Expr, ExprKind, ParamId, Pattern, Place, Stmt, TypeName};
use qd_ir::types::Scalar;
use quote::quote;
use syn::parse_quote;

use super::expr::{Named, name_reach};
use super::iter::{Kind, kind};
use super::{Lower, Own, position, unchecked, unwrap_parens};
use crate::diagnostic::{Code, nearest};
use crate::reach::Reach;
use crate::taps::replace;

/// Methods of arrays.
const ARRAY_METHODS: [&str; 4] = ["len", "is_empty", "shape", "indices"];

impl Lower<'_> {
    /// The `NdArray` that `shape` or `indices` is called on; `None` if it is no array, or a slice, which has neither: then
    /// that is said.
    pub(super) fn shaped(&mut self, call: &mut syn::ExprMethodCall) -> Option<ParamId> {
        let param = self.array_of(&mut call.receiver)?;
        if self.is_slice(param) {
            self.diagnostics.push(
                Code::Method,
                name_reach(&call.method),
                format!("a slice has no `{}()`: it has one dimension", call.method),
                "write `x.len()`, and loop over `0..x.len()`; an `NdArray<T, N>` has a shape and indices",
            );
        } else {
            self.taps.array(&mut call.receiver);
        }
        Some(param)
    }

    fn is_slice(&self, param: ParamId) -> bool {
        self.references.get(&param).is_some_and(|reference| reference.slice)
    }

    /// `receiver.name(..)`
    pub(super) fn method(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::MethodCall(call) = syntax else { return self.poison(at) };
        let name = call.method.to_string();
        if let Some(comparisons) = self.containing(call) {
            *syntax = comparisons;
            return self.expr(syntax);
        }
        match kind(syntax) {
            Kind::Value => return self.consume(syntax, at),
            unfinished @ (Kind::Iterator | Kind::Option) => return self.refuse_unfinished(syntax, unfinished, at),
            Kind::Other => {}
        }
        let syn::Expr::MethodCall(call) = syntax else { return self.poison(at) };
        if name == "map"
            && let Some(closure @ syn::Expr::Closure(_)) = call.args.first()
        {
            self.diagnostics.on(
                Code::Closure,
                closure,
                "arrays have no `map` in a kernel: closures stand in chains of iterators",
                "write the array out, `[f(a[0]), f(a[1])]`, or change its elements, `for v in a.iter_mut() { *v = f(*v); }`",
            );
            return self.poison(at);
        }
        // A method's own type is no array.
        let of_self = matches!(unwrap_parens(&mut call.receiver), syn::Expr::Path(path) if path.path.is_ident("self"));
        let array_method = ARRAY_METHODS.contains(&name.as_str()) && !of_self;
        // A reference in a function, or a field of one, is an array only where it is used as one.
        let value = (self.func.is_some() || self.names_field(&call.receiver)) && !array_method;
        if value {
            self.write_star(&mut call.receiver);
        }
        if !value && let Some(param) = self.array_of(&mut call.receiver) {
            match name.as_str() {
                "len" => return self.push(ExprKind::Len(param), Own::Closed, at),
                "is_empty" => {
                    let len = self.push(ExprKind::Len(param), Own::Closed, at);
                    let zero = self.push(ExprKind::Int { value: 0, suffix: Some(Scalar::Usize) }, Own::Closed, at);
                    return self.push(ExprKind::Op { op: Op::Eq, args: vec![len, zero] }, Own::Closed, at);
                }
                "shape" | "indices" if self.is_slice(param) => {
                    self.shaped(call);
                }
                "shape" => self.diagnostics.push(
                    Code::ArrayValue,
                    at,
                    "a shape is no value of a kernel: it is taken apart where it is asked for",
                    "write `x.shape()[0]`, or `let [h, w] = x.shape();`",
                ),
                "indices" => self.diagnostics.push(
                    Code::ArrayValue,
                    at,
                    "`indices()` is what a loop runs over",
                    "write `for i in x.indices() { .. }`",
                ),
                _ => {
                    let (what, help) = array_method_help(&name);
                    self.diagnostics.push(Code::Method, name_reach(&call.method), what, help);
                }
            }
            return self.poison(at);
        }
        if ARRAY_METHODS.contains(&name.as_str()) && self.hidden_array(&mut call.receiver) {
            return self.poison(at);
        }
        if name == "sin_cos" && call.args.is_empty() {
            return self.sin_cos(&mut call.receiver, None, at);
        }
        if name == "cast" && call.args.is_empty() {
            return self.cast_method(syntax, at);
        }
        if let Some(to) = widening(&name)
            && call.args.is_empty()
        {
            let value = self.widened(&mut call.receiver);
            return self.push(ExprKind::Cast { value, to: TypeName::Scalar(to) }, Own::Closed, at);
        }
        if name == "into" && call.args.is_empty() {
            let value = self.converted(&mut call.receiver);
            let value = self.close(value, &mut call.receiver);
            self.taps.builtin(syntax, at);
            let to = TypeName::Tap(self.taps.id(syntax));
            return self.push(ExprKind::Cast { value, to }, Own::Closed, at);
        }
        match (Method::from_name(&name, false), Op::from_method(&name)) {
            (None, None) if is_std(&name) => {
                self.unknown_method(&call.method, false);
                self.poison(at)
            }
            (None, None) => self.method_call(syntax, at),
            (linear, op) => self.named_method(syntax, linear, op, at),
        }
    }

    /// A method by the name of one of std's: of a value that may be a type of the user's it may be a function.
    fn named_method(&mut self, syntax: &mut syn::Expr, linear: Option<Method>, op: Option<Op>, at: Reach) -> Id<Expr> {
        let syn::Expr::MethodCall(call) = syntax else { return self.poison(at) };
        let layers = self.layers_of(&mut call.receiver);
        let receiver = if linear.is_some() { self.base(&mut call.receiver) } else { self.expr(&mut call.receiver) };
        // Of what std's number hasn't, rustc has found a trait's.
        let known = self.scalar_of(receiver);
        let of_a_trait = linear.is_some() || op.zip(known).is_some_and(|(op, of)| !op.row().receiver.accepts(of));
        let plain = self.plain[receiver.index()] && !of_a_trait;
        let mut args = vec![receiver];
        args.extend(call.args.iter_mut().map(|arg| self.named_argument(arg, plain)).collect::<Vec<_>>());
        let arity = linear.map(Method::arity).or(op.map(Op::arity));
        if plain && Some(args.len()) != arity {
            // rustc reports it, on the native body.
            return self.poison(at);
        }
        // Of a literal without a type rustc knows no method; of a tuple of them, or of what an `if` comes to, it does.
        if args.iter().all(|arg| self.own(*arg) == Own::Open) {
            args[0] = self.close(args[0], &mut call.receiver);
        }
        // A panic in a method of numbers points at its name.
        let (kind, reach) = match (linear, op) {
            (Some(method), _) => (ExprKind::Linear { method, args, tap: None }, at),
            (None, Some(op)) => (ExprKind::Op { op, args }, name_reach(&call.method)),
            (None, None) => return self.poison(at),
        };
        let id = self.push(kind, Own::Closed, reach);
        if of_a_trait {
            self.renew(id);
        }
        self.note_plain(id, plain && op.is_some());
        if !plain {
            // Which method is called is asked of the value.
            for _ in 0..layers {
                replace(&mut call.receiver, |inner| parse_quote!((*#inner)));
            }
            let kind = self.kind(receiver);
            let (copy, callee) = self.taps.named(call, kind, at);
            *syntax = copy;
            self.operators.push((id, callee));
        }
        id
    }

    /// What such a method is given; that of a type of the user may take references.
    fn named_argument(&mut self, syntax: &mut syn::Expr, plain: bool) -> Id<Expr> {
        if plain {
            return self.expr(syntax);
        }
        let at = Reach::of_expr(syntax);
        let referred = match unwrap_parens(syntax) {
            syn::Expr::Reference(reference) if reference.mutability.is_none() => unwrap_parens(&mut reference.expr),
            other => other,
        };
        match self.referent_of(referred) {
            Some(local) => self.push(ExprKind::Local(local), Own::Closed, at),
            None => self.expr(referred),
        }
    }

    /// What is converted: of a type of the user's a conversion may do anything.
    fn converted(&mut self, syntax: &mut syn::Expr) -> Id<Expr> {
        let (layers, at) = (self.layers_of(syntax), Reach::of(syntax));
        let value = self.expr(syntax);
        if !self.plain[value.index()] && self.own(value) == Own::Closed {
            for _ in 0..layers {
                replace(syntax, |inner| parse_quote!((*#inner)));
            }
            self.taps.builtin(syntax, at);
        }
        value
    }

    /// What `to_f32` and the like are called on.
    fn widened(&mut self, syntax: &mut syn::Expr) -> Id<Expr> {
        let (layers, at) = (self.layers_of(syntax), Reach::of(syntax));
        let value = self.expr(syntax);
        for _ in 0..layers {
            replace(syntax, |inner| parse_quote!((*#inner)));
        }
        self.taps.halves(syntax, at);
        value
    }

    /// `v.cast()`, `v.cast::<T>()`: as `v as T`.
    fn cast_method(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::MethodCall(call) = syntax else { return self.poison(at) };
        let value = self.converted(&mut call.receiver);
        let named = call.turbofish.as_ref().and_then(|turbofish| match turbofish.args.first() {
            Some(syn::GenericArgument::Type(ty)) => Some(ty.clone()),
            Some(_) | None => None,
        });
        let to = match named {
            None => {
                self.taps.of_number(syntax);
                TypeName::Tap(self.taps.id(syntax))
            }
            Some(ty) => {
                self.taps.of_number(syntax);
                let named = self.type_name(&ty);
                if matches!(named, Named::Refused) {
                    return self.poison(at);
                }
                self.target(named, &ty, syntax)
            }
        };
        self.push(ExprKind::Cast { value, to }, Own::Closed, at)
    }

    /// A method that kernels don't have: of a number by its type, `f32::name`, or of what only rustc knows.
    fn unknown_method(&mut self, name: &proc_macro2::Ident, of_number: bool) {
        let text = name.to_string();
        let numbers = Op::ALL.iter().filter(|op| op.row().form == Form::Method).map(|op| op.row().text);
        let vectors = Method::ALL.into_iter().map(Method::name).filter(|_| !of_number);
        let known: Vec<&str> = numbers.chain(vectors).chain(["sin_cos"]).collect();
        let help = std_method_help(&text, &known).unwrap_or_else(|| match nearest(&text, known.iter().copied()) {
            Some(known) => format!("did you mean `{known}`?"),
            None => {
                "kernels have the std methods of `bool`, the integers and the floats that give such numbers".to_owned()
            }
        });
        let message = format!("`{text}` is not a method of the kernel language");
        self.diagnostics.push(Code::Method, name_reach(name), message, help);
    }

    /// `(v.sin(), v.cos())` with `v` evaluated once.
    fn sin_cos(&mut self, operand: &mut syn::Expr, ty: Option<TypeName>, at: Reach) -> Id<Expr> {
        let value = self.expr(operand);
        let (local, name) = self.hidden("__qd_angle", at);
        self.locals[local].tap = Some(self.taps.value(operand, &name));
        let mut of = |op| {
            let args = vec![self.push(ExprKind::Local(local), Own::Closed, at)];
            match ty {
                Some(ty) => self.push(ExprKind::Function { ty, op, args }, Own::Closed, at),
                None => self.push(ExprKind::Op { op, args }, Own::Closed, at),
            }
        };
        let parts = vec![of(Op::Sin), of(Op::Cos)];
        let tail = self.push(ExprKind::Tuple(parts), Own::Closed, at);
        let stmts = vec![Stmt::Let { pattern: Pattern::Bind(local), init: Some(value) }];
        self.push(ExprKind::Block(Block { stmts, tail: Some(tail) }), Own::Closed, at)
    }

    /// `path(..)`
    pub(super) fn call(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Call(call) = syntax else { return self.poison(at) };
        let syn::Expr::Path(path) = unwrap_parens(&mut call.func) else {
            self.diagnostics.on(
                Code::Call,
                &call.func,
                "only functions can be called, by their name",
                "write the computation in place",
            );
            return self.poison(at);
        };
        let path = path.clone();
        let segments: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
        let names: Vec<&str> = segments.iter().map(String::as_str).collect();
        if let [.., ty, "default"] = names.as_slice()
            && call.args.is_empty()
            && (path.qself.is_some() || is_type(ty))
        {
            return self.default(call, path.qself.is_none() && *ty == "Default", at);
        }
        // By a path through qd it is surely meant; by another one it may be a function of the user, if it isn't given an
        // element.
        let lends = self.lends_an_element(&mut call.args);
        let through_qd = names.iter().rev().skip(1).any(|name| *name == "qd");
        match (names.as_slice(), path.qself.is_some()) {
            ([.., "atomic", name], false) if through_qd || lends => self.atomic(call, name, &path, at),
            ([.., "atomic", name], false) if is_atomic(name) => self.call_of_known(syntax, &path, "atomic", at),
            (["qd", "scatter"], false) => self.scatter(call, at),
            (["scatter"], false) if lends => self.scatter(call, at),
            (["scatter"], false) => self.call_of_known(syntax, &path, "scatter", at),
            ([.., "mem", name @ ("swap" | "replace" | "take")] | [name @ ("swap" | "replace" | "take")], false) => {
                self.call_of_known(syntax, &path, name, at)
            }
            (["ndrange"], false) => self.call_of_known(syntax, &path, "ndrange", at),
            ([name @ ("min" | "max")], false) if self.is_of_two_values(call, &path) => {
                let op = if *name == "min" { Op::Min } else { Op::Max };
                self.extreme_call(syntax, &path, op, at)
            }
            ([.., "cmp", name @ ("min" | "max")], false) => {
                self.taps.presumed(&mut call.func, at);
                let op = if *name == "min" { Op::Min } else { Op::Max };
                let mut args: Vec<_> = call.args.iter_mut().map(|arg| self.expr(arg)).collect();
                if args.len() != op.arity() {
                    return self.poison(at);
                }
                if args.iter().all(|arg| self.own(*arg) == Own::Open) {
                    args[0] = self.close(args[0], &mut call.args[0]);
                }
                self.push(ExprKind::Op { op, args }, Own::Closed, at)
            }
            ([.., ty, name], false) if is_type(ty) && !is_type(name) => {
                let mut ty = path.path.clone();
                let name = ty.segments.pop().map(|last| last.ident);
                ty.segments.pop_punct();
                match name {
                    Some(name) => self.associated(syntax, &parse_quote!(#ty), &name, at),
                    None => self.poison(at),
                }
            }
            (_, true) if of_a_trait(&path) => self.associated_call(syntax, &path, at),
            ([.., name], true) => {
                let name = proc_macro2::Ident::new(name, at.start);
                match path.qself {
                    Some(of) => self.associated(syntax, &of.ty, &name, at),
                    None => self.poison(at),
                }
            }
            _ => {
                if let [name @ ("Some" | "Ok" | "Err")] = names.as_slice()
                    && path.path.get_ident().is_some_and(|name| self.scope.find(name).is_none())
                {
                    let of = if *name == "Some" { "Option" } else { "Result" };
                    self.diagnostics.on(
                        Code::Value,
                        &path,
                        format!("kernels have no `{of}`"),
                        "write `(true, value)` and `(false, value)`, or a struct that says by a field whether there is a value",
                    );
                    return self.poison(at);
                }
                if names.last().is_some_and(|name| is_type(name) && Scalar::from_name(name).is_none()) {
                    return self.constructor(syntax, at);
                }
                if through_qd && names.last() == Some(&"ndrange") {
                    let help = "write `for (i, j) in ndrange([n, m]) { .. }`";
                    self.diagnostics.on(Code::Domain, &path, "`ndrange` is what a loop runs over", help);
                    return self.poison(at);
                }
                self.func_call(syntax, &path, at)
            }
        }
    }

    /// `P::default()`: a value that is the same each time.
    fn default(&mut self, call: &syn::ExprCall, untyped: bool, at: Reach) -> Id<Expr> {
        if untyped {
            self.diagnostics.push(
                Code::Call,
                at,
                "`Default::default()` doesn't say of which type the value is",
                "name the type: `P::default()`",
            );
            return self.poison(at);
        }
        let constant = self.taps.default(call);
        self.push(ExprKind::Const(constant), Own::Closed, at)
    }

    /// `T::name(..)`
    fn associated(&mut self, syntax: &mut syn::Expr, ty: &syn::Type, name: &proc_macro2::Ident, at: Reach) -> Id<Expr> {
        let named = self.type_name(ty);
        let syn::Expr::Call(call) = syntax else { return self.poison(at) };
        if matches!(named, Named::Refused) {
            return self.poison(at);
        }
        let text = name.to_string();
        let mut args = Vec::with_capacity(call.args.len());
        let op = Op::from_method(&text).or_else(|| Op::from_function(&text));
        let linear = if op.is_none() && matches!(named, Named::Path) { Method::from_name(&text, true) } else { None };
        if op.is_some() || linear.is_some() || text == "sin_cos" || widening(&text).is_some() || is_narrowing(&text) {
            self.taps.presumed(&mut call.func, at);
        }
        if text == "sin_cos" && call.args.len() == 1 {
            return match named {
                Named::Scalar(scalar) => self.sin_cos(&mut call.args[0], Some(TypeName::Scalar(scalar)), at),
                Named::Path | Named::Refused => self.sin_cos(&mut call.args[0], None, at),
            };
        }
        if let Some(method) = linear {
            let args = call.args.iter_mut().map(|arg| self.expr(arg)).collect();
            let tap = Some(self.taps.id(syntax));
            return self.push(ExprKind::Linear { method, args, tap }, Own::Closed, at);
        }
        if let Some(to) = widening(&text)
            && call.args.len() == 1
        {
            let value = self.converted(&mut call.args[0]);
            return self.push(ExprKind::Cast { value, to: TypeName::Scalar(to) }, Own::Closed, at);
        }
        if op.is_none() && text != "from" && !is_narrowing(&text) {
            let is_number = matches!(named, Named::Scalar(_));
            if is_number {
                self.unknown_method(name, true);
                return self.poison(at);
            }
            let syn::Expr::Path(path) = unwrap_parens(&mut call.func) else { return self.poison(at) };
            let path = path.clone();
            return self.associated_call(syntax, &path, at);
        }
        for arg in &mut call.args {
            args.push(if op.is_none() { self.converted(arg) } else { self.expr(arg) });
        }
        match op {
            None => {
                let [value] = args.as_slice() else { return self.poison(at) };
                // `from` gives its operand no type.
                let value = self.close(*value, &mut call.args[0]);
                if !matches!(named, Named::Scalar(_)) {
                    self.taps.builtin(syntax, at);
                }
                let to = match named {
                    Named::Scalar(scalar) => TypeName::Scalar(scalar),
                    Named::Path if is_narrowing(&text) => TypeName::Tap(self.taps.typed(syntax, ty)),
                    // Of `Vector::from(..)` the path doesn't tell the whole type, so each has a tap of its own.
                    Named::Path | Named::Refused => TypeName::Tap(self.taps.id(syntax)),
                };
                self.push(ExprKind::Cast { value, to }, Own::Closed, at)
            }
            Some(op) if args.len() != op.arity() => self.poison(at),
            Some(op) => {
                let ty = match (named, op.row().form) {
                    (Named::Scalar(scalar), _) => TypeName::Scalar(scalar),
                    // The type is that of the result.
                    (Named::Path | Named::Refused, Form::Function) => TypeName::Tap(self.taps.typed(syntax, ty)),
                    (Named::Path | Named::Refused, Form::Method | Form::Operator | Form::Debug) => {
                        TypeName::Tap(self.taps.typed(&mut call.args[0], ty))
                    }
                };
                self.push(ExprKind::Function { ty, op, args }, Own::Closed, at)
            }
        }
    }

    fn target(&mut self, named: Named, ty: &syn::Type, syntax: &mut syn::Expr) -> TypeName {
        match named {
            Named::Scalar(scalar) => TypeName::Scalar(scalar),
            Named::Path | Named::Refused => TypeName::Tap(self.taps.typed(syntax, ty)),
        }
    }

    /// `&mut array[index]`, an argument, and where the element stands; `Some(None)` if it was refused, `None` if it is
    /// something else.
    fn lent_element(&mut self, argument: &mut syn::Expr) -> (Option<Option<Place>>, Reach) {
        let reach = Reach::of(argument);
        match unwrap_parens(argument) {
            syn::Expr::Reference(reference) if reference.mutability.is_some() && indexes(&reference.expr) => {
                let at = Reach::of(&reference.expr);
                (Some(self.place(&mut reference.expr)), at)
            }
            _ => (None, reach),
        }
    }

    /// True if the first argument is `&mut array[index]`.
    fn lends_an_element(&self, args: &mut syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>) -> bool {
        args.first_mut().is_some_and(|first| match unwrap_parens(first) {
            syn::Expr::Reference(reference) => reference.mutability.is_some() && indexes(&reference.expr),
            other => unchecked::element(other).is_some(),
        })
    }

    /// `qd::scatter(&mut array[index], value)`
    fn scatter(&mut self, call: &mut syn::ExprCall, at: Reach) -> Id<Expr> {
        self.taps.only(&mut call.func, &quote!(scatter));
        let mut args = call.args.iter_mut();
        // rustc says how many there are.
        let (Some(place), Some(value), None) = (args.next(), args.next(), args.next()) else { return self.poison(at) };
        let (element, at_place) = self.lent_element(place);
        let value = self.expr(value);
        match element {
            Some(Some(Place::Element { array, index, path })) if path.is_empty() => {
                let expr = self.push_access(ExprKind::Scatter { array, index, value }, at);
                // What can fail is the place.
                self.exprs[expr].pos = position(at_place);
                expr
            }
            Some(None) => self.poison(at),
            Some(Some(Place::Element { .. } | Place::Wild | Place::Local(_) | Place::Part(..) | Place::Tuple(_)))
            | None => {
                self.diagnostics.push(
                    Code::Scatter,
                    at_place,
                    "a scatter writes a whole element of an array parameter",
                    "write `qd::scatter(&mut y[j], value)`",
                );
                self.poison(at)
            }
        }
    }

    /// `qd::atomic::op(&mut array[index], value)`, or `compare_exchange(&mut array[index], current, new)`.
    fn atomic(&mut self, call: &mut syn::ExprCall, name: &str, path: &syn::ExprPath, at: Reach) -> Id<Expr> {
        let op = AtomicOp::ALL.into_iter().find(|op| op.name() == name);
        if op.is_none() && name != COMPARE_EXCHANGE {
            let names: Vec<&str> = AtomicOp::ALL.map(AtomicOp::name).into_iter().chain([COMPARE_EXCHANGE]).collect();
            let help = match nearest(name, names.iter().copied()) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!("the atomics are {}", names.join(", ")),
            };
            self.diagnostics.on(Code::Atomic, path, format!("there is no atomic `{name}`"), help);
            return self.poison(at);
        }
        let ours = proc_macro2::Ident::new(name, proc_macro2::Span::mixed_site());
        self.taps.only(&mut call.func, &quote!(atomic::#ours));
        let mut args = call.args.iter_mut();
        let Some(place) = args.next() else { return self.poison(at) };
        let reach = Reach::of(place);
        if let Some(element) = unchecked::element(unwrap_parens(place)) {
            *place = parse_quote!(&mut #element);
        }
        let (element, at_place) = self.lent_element(place);
        let operands: Vec<Id<Expr>> = args.map(|arg| self.expr(arg)).collect();
        let mut args = call.args.iter_mut();
        if let Some(place) = args.next() {
            self.taps.atomic(place);
        }
        let (array, index, path) = match element {
            Some(Some(Place::Element { array, index, path })) => (array, index, path),
            Some(None) => return self.poison(at),
            Some(Some(Place::Wild | Place::Local(_) | Place::Part(..) | Place::Tuple(_))) | None => {
                let operands = if op.is_some() { "value" } else { "current, new" };
                self.diagnostics.push(
                    Code::Atomic,
                    reach,
                    "an atomic works on an element of an array parameter",
                    format!("write `qd::atomic::{name}(&mut x[i], {operands})`"),
                );
                return self.poison(at);
            }
        };
        let kind = match (op, operands.as_slice()) {
            (Some(op), &[value]) => ExprKind::Atomic { op, array, index, path, value },
            (None, &[current, new]) => ExprKind::CompareExchange { array, index, path, current, new },
            // rustc says how many there are.
            (Some(_) | None, _) => return self.poison(at),
        };
        let expr = self.push_access(kind, at);
        // All that can fail is the place.
        self.exprs[expr].pos = position(at_place);
        expr
    }
}

const COMPARE_EXCHANGE: &str = "compare_exchange";

/// True for the name of an atomic.
fn is_atomic(name: &str) -> bool {
    name == COMPARE_EXCHANGE || AtomicOp::ALL.iter().any(|op| op.name() == name)
}

/// Methods that std's types have and kernels don't: no type's own are meant by these names.
pub fn is_std(name: &str) -> bool {
    const PREFIXES: [&str; 4] = ["checked_", "overflowing_", "unchecked_", "strict_"];
    const NAMES: [&str; 28] = [
        "clone",
        "cloned",
        "copied",
        "into",
        "try_into",
        "to_owned",
        "to_string",
        "to_vec",
        "to_be_bytes",
        "to_le_bytes",
        "to_ne_bytes",
        "total_cmp",
        "cmp",
        "partial_cmp",
        "iter",
        "iter_mut",
        "into_iter",
        "enumerate",
        "step_by",
        "unwrap",
        "expect",
        "as_slice",
        "midpoint",
        "ilog",
        "next_up",
        "next_down",
        "minimum",
        "maximum",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

/// What to write instead of a method that std has and kernels don't.
fn std_method_help(name: &str, known: &[&str]) -> Option<String> {
    let help = match name {
        "clone" | "cloned" | "copied" | "to_owned" => "values are copied without a call",
        "try_into" => "test with `if` whether the value fits, and convert with `as`",
        "iter" | "iter_mut" | "into_iter" | "enumerate" | "step_by" => {
            "chains run over arrays and ranges, which stand at their start: `x.iter()`, `(0..n)`"
        }
        "unwrap" | "expect" => "kernels have `Option`s only at the end of chains of iterators: test with `if`",
        "to_string" => "kernels have no text; `qd::println!` shows numbers",
        "to_vec" | "as_slice" => "use the elements, `x[i]`",
        "to_be_bytes" | "to_le_bytes" | "to_ne_bytes" => "shift and cast: `(v >> 8) as u8`",
        "cmp" | "partial_cmp" | "total_cmp" => {
            "kernels have no `Ordering`, but in `min_by` and `max_by` of chains: compare with `<`, `==` and `>`"
        }
        "minimum" | "maximum" => "`min` and `max` are there, which ignore a NaN",
        _ => {
            let checked = ["checked_", "overflowing_"].iter().find_map(|prefix| name.strip_prefix(prefix));
            if let Some(operation) = checked {
                let forms = ["wrapping_", "saturating_"].map(|form| format!("{form}{operation}"));
                let known = forms.iter().filter(|form| known.contains(&form.as_str()));
                let forms: Vec<String> = known.map(|form| format!("`{form}`")).collect();
                return Some(match forms.as_slice() {
                    [] => "test with `if` before the operation".to_owned(),
                    forms => format!("test with `if` before the operation, or use {}", forms.join(" or ")),
                });
            }
            return name.starts_with("unchecked_").then(|| "use the operator".to_owned());
        }
    };
    Some(help.to_owned())
}

/// What is wrong with a method of a parameter that is a reference, and what to write instead.
fn array_method_help(name: &str) -> (String, String) {
    let what = format!("arrays and bundles have no method `{name}` in a kernel");
    let help = match name {
        "swap" => "write `(x[i], x[j]) = (x[j], x[i]);`",
        "fill" => "write a loop: `for v in x.iter_mut() { *v = value; }`",
        "copy_from_slice" | "clone_from_slice" => "write a loop: `for i in 0..x.len() { x[i] = y[i]; }`",
        "get" | "get_mut" => "write `x[i]`: an index out of bounds fails the launch",
        "get_unchecked" | "get_unchecked_mut" => "write the `*` before it: `(*x.get_unchecked(i)).field`",
        "first" | "first_mut" => "write `x[0]`",
        "last" | "last_mut" => "write `x[x.len() - 1]`",
        "as_slice" | "as_mut_slice" | "as_ref" | "as_mut" => "use the array itself: `x[i]`, `x.iter()`",
        "sort" | "sort_unstable" | "sort_by" | "sort_by_key" | "reverse" | "rotate_left" | "rotate_right" => {
            "do it outside of the kernel, or write it as loops over the elements"
        }
        "push" | "pop" | "resize" | "extend" | "insert" | "remove" | "truncate" | "clear" => {
            "kernels don't allocate: pass an array that is large enough, and count what is used of it"
        }
        "clone" | "to_vec" | "to_owned" => {
            "kernels don't allocate: copy the elements into another parameter, in a loop"
        }
        "chunks" | "chunks_exact" | "chunks_mut" | "windows" | "split_at" | "split_at_mut" => {
            "loop over numbers, and index: `for i in 0..x.len() / n { .. x[i * n] .. }`"
        }
        _ => {
            let help = match nearest(name, ARRAY_METHODS.into_iter().chain(["iter", "iter_mut"])) {
                Some(known) => format!("did you mean `{known}`?"),
                None => format!(
                    "of an array use elements, in a loop; what takes a whole array or bundle is a `#[qd::func]` function: \
                     `{name}(&x, ..)`"
                ),
            };
            return (what, help);
        }
    };
    (what, help.to_owned())
}

/// What a method of `f16` and `bf16` of this name converts to.
fn widening(name: &str) -> Option<Scalar> {
    match name {
        "to_f32" | "to_f32_const" => Some(Scalar::F32),
        "to_f64" | "to_f64_const" => Some(Scalar::F64),
        _ => None,
    }
}

/// Whether a function of `f16` and `bf16` of this name converts from `f32`. That from `f64` is an operation.
fn is_narrowing(name: &str) -> bool {
    matches!(name, "from_f32" | "from_f32_const")
}

/// Whether numbers convert by a method or function of this name.
pub fn is_conversion(name: &str) -> bool {
    matches!(name, "cast" | "from" | "into") || widening(name).is_some() || is_narrowing(name)
}

/// Whether a path `<T as Trait>::name` names a trait whose functions aren't the language's own.
fn of_a_trait(path: &syn::ExprPath) -> bool {
    const OWN: [&str; 9] = ["Float", "Int", "Number", "Scalar", "Ord", "PartialOrd", "From", "Into", "Default"];
    let position = path.qself.as_ref().map_or(0, |of| of.position);
    let of = position.checked_sub(1).and_then(|last| path.path.segments.get(last));
    of.is_some_and(|of| !OWN.iter().any(|own| of.ident == own))
}

/// Whether a path segment names a type: a scalar, or an upper-case name.
fn is_type(name: &str) -> bool {
    Scalar::from_name(name).is_some() || name.starts_with(char::is_uppercase)
}

/// Whether an expression names a part of something that is indexed.
fn indexes(syntax: &syn::Expr) -> bool {
    match syntax {
        syn::Expr::Index(_) => true,
        syn::Expr::Field(field) => indexes(&field.base),
        syn::Expr::Paren(inner) => indexes(&inner.expr),
        syn::Expr::Group(inner) => indexes(&inner.expr),
        _ => false,
    }
}
