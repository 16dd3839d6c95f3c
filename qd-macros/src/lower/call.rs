//! Calls: methods and functions of the numeric types, atomics, shapes.
use qd_ir::arena::Id;
use qd_ir::linear::Method;
use qd_ir::op::{AtomicOp, Form, Op};
use qd_ir::sketch::{Block, Expr, ExprKind, ParamId, Pattern, Place, Stmt, TypeName};
use qd_ir::types::Scalar;
use quote::quote;
use syn::parse_quote;

use super::conversion::{is_narrowing, widening};
use super::expr::{Named, name_reach};
use super::iter::{Kind, kind};
use super::unknown::{ARRAY_METHODS, array_method_help, is_std};
use super::{Lower, Own, position, unchecked, unwrap_parens};
use crate::diagnostic::{Code, nearest};
use crate::reach::Reach;
use crate::taps::replace;

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
        if name == "map" && matches!(call.args.first(), Some(syn::Expr::Closure(_))) {
            let told = self.diagnostics.len();
            self.expr(&mut call.receiver);
            if self.diagnostics.len() == told {
                self.diagnostics.on(
                    Code::Closure,
                    &call.args,
                    "arrays have no `map` in a kernel: closures stand in chains of iterators",
                    "write the array out, `[f(a[0]), f(a[1])]`, or change its elements, `for v in a.iter_mut() { *v = f(*v); }`",
                );
            }
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
            return self.conversion(syntax, None, at);
        }
        match (Method::from_name(&name, false), Op::from_method(&name)) {
            (None, None) if is_std(&name) => {
                let told = self.diagnostics.len();
                self.expr(&mut call.receiver);
                // What isn't known is what it is called on: `x.get(i).copied()`.
                let follows = matches!(
                    name.as_str(),
                    "copied"
                        | "cloned"
                        | "unwrap"
                        | "expect"
                        | "enumerate"
                        | "step_by"
                        | "iter"
                        | "iter_mut"
                        | "into_iter"
                );
                if !follows || self.diagnostics.len() == told {
                    self.unknown_method(&call.method, false);
                }
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
            ([name @ ("min" | "max")] | [.., "cmp", name @ ("min" | "max")], false)
                if self.is_of_two_values(call, &path) =>
            {
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
        let linear = [true, false].into_iter().find_map(|associated| Method::from_name(&text, associated));
        if (op.is_some() || linear.is_some()) && matches!(named, Named::Path) && !is_own_trait(ty) {
            return self.function_by_path(syntax, op, linear, at);
        }
        if op.is_some() || text == "sin_cos" || widening(&text).is_some() || is_narrowing(&text) {
            self.taps.presumed(&mut call.func, at);
        }
        if text == "sin_cos" && call.args.len() == 1 {
            return match named {
                Named::Scalar(scalar) => self.sin_cos(&mut call.args[0], Some(TypeName::Scalar(scalar)), at),
                Named::Path | Named::Refused => self.sin_cos(&mut call.args[0], None, at),
            };
        }
        if let Some(to) = widening(&text)
            && call.args.len() == 1
        {
            let value = self.converted(&mut call.args[0]);
            return self.push(ExprKind::Cast { value, to: TypeName::Scalar(to) }, Own::Closed, at);
        }
        if text == "from" {
            // Of `Vector::from(..)` the path doesn't tell the whole type.
            let to = match named {
                Named::Scalar(scalar) => Some(scalar),
                Named::Path | Named::Refused => None,
            };
            return match call.args.len() {
                1 => self.conversion(syntax, to, at),
                _ => self.poison(at),
            };
        }
        if op.is_none() && !is_narrowing(&text) {
            let is_number = matches!(named, Named::Scalar(_));
            if is_number && linear.is_none() {
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
                let value = self.close(*value, &mut call.args[0]);
                if !matches!(named, Named::Scalar(_)) {
                    self.taps.builtin(syntax, at);
                }
                let to = match named {
                    Named::Scalar(scalar) => TypeName::Scalar(scalar),
                    Named::Path | Named::Refused => TypeName::Tap(self.taps.typed(syntax, ty)),
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

    /// `T::name(..)` by the name of a function of the language's own: of a type of the user it may be a function of theirs.
    fn function_by_path(
        &mut self,
        syntax: &mut syn::Expr,
        op: Option<Op>,
        linear: Option<Method>,
        at: Reach,
    ) -> Id<Expr> {
        let syn::Expr::Call(call) = syntax else { return self.poison(at) };
        let callee = self.taps.named_by_path(call, op.is_some(), at);
        let mut args: Vec<Id<Expr>> = call.args.iter_mut().map(|arg| self.named_argument(arg, false)).collect();
        let kind = match (linear, op) {
            (Some(method), _) => {
                let tap = method.is_associated().then(|| self.taps.id(syntax));
                ExprKind::Linear { method, args, tap }
            }
            // The type is that of the result.
            (None, Some(op)) if op.row().form == Form::Function => {
                ExprKind::Function { ty: TypeName::Tap(self.taps.id(syntax)), op, args }
            }
            (None, Some(op)) => {
                if let (Some(of), Some(first)) = (args.first_mut(), call.args.first_mut())
                    && self.own(*of) == Own::Open
                {
                    *of = self.close(*of, first);
                }
                ExprKind::Op { op, args }
            }
            (None, None) => return self.poison(at),
        };
        let id = self.push(kind, Own::Closed, at);
        self.renew(id);
        self.note_plain(id, false);
        self.operators.push((id, callee));
        id
    }

    pub(super) fn target(&mut self, named: Named, ty: &syn::Type, syntax: &mut syn::Expr) -> TypeName {
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

/// Whether a path `<T as Trait>::name` names a trait whose functions aren't the language's own.
fn of_a_trait(path: &syn::ExprPath) -> bool {
    const OWN: [&str; 9] = ["Float", "Int", "Number", "Scalar", "Ord", "PartialOrd", "From", "Into", "Default"];
    let position = path.qself.as_ref().map_or(0, |of| of.position);
    let of = position.checked_sub(1).and_then(|last| path.path.segments.get(last));
    of.is_some_and(|of| !OWN.iter().any(|own| of.ident == own))
}

/// Whether a path names a trait whose functions are the language's own.
fn is_own_trait(ty: &syn::Type) -> bool {
    const OWN: [&str; 6] = ["Float", "Int", "Number", "Scalar", "Ord", "PartialOrd"];
    matches!(ty, syn::Type::Path(path) if path.qself.is_none()
        && path.path.segments.last().is_some_and(|last| OWN.iter().any(|own| last.ident == own)))
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
