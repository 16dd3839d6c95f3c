//! A kernel or a function that kernels call: what its signature may be, and its body to a sketch.
use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use qd_ir::arena::{Arena, Id};
use qd_ir::sketch::{self, Block, Expr, Local, Param, ParamId, ParamKind, Pattern, Sketch};
use quote::ToTokens;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;

use super::expr::array_name;
use super::func::MAX_PARAMS;
use super::operator::{element_type, written_scalar};
use super::scope::Binding;
use super::{Lower, Lowered, Reference, position, refuse, unchecked, unfit};
use crate::diagnostic::{Code, Diagnostics};
use crate::reach::Reach;

/// Lowers a kernel, whose body it takes; `private` is the path of `qd::__private`. With messages, what it returns is good
/// for nothing.
pub fn function(
    item: &mut syn::ItemFn,
    private: &TokenStream,
    injective: &BTreeSet<Id<Expr>>,
    diagnostics: &mut Diagnostics,
) -> Lowered {
    check_signature(&item.sig, Role::Kernel, diagnostics);
    refuse::attributes(&item.block, diagnostics);
    let mut lower = Lower::new(private, injective, diagnostics);
    lower.generic = !item.sig.generics.params.is_empty();
    lower.scope.enter();
    lower.plain_parameters(&item.sig);
    let patterns = lower.parameters(&item.sig);
    let mut copy = tidied(taken(&mut item.block));
    let mut tops = Vec::new();
    lower.top_block(&mut copy, returns_value(&item.sig.output), &mut tops);
    lower.finish_deferred();
    let lent = lower.settle_fields();
    let (plan, constructs) = lower.assemble(tops);
    let Lower {
        locals, exprs, operators, orders, brackets, mut vouched, taps, params, exempt, reaches, witnesses, ..
    } = lower;
    let brackets = brackets.into_iter().collect();
    let orders = orders.into_iter().collect();
    vouched.sort_unstable();
    copy.stmts.splice(0..0, taps.claims());
    let name = item.sig.ident.to_string();
    let schema = sketch::SCHEMA;
    let sketch = Sketch {
        schema,
        name,
        params,
        locals,
        exprs,
        operators,
        orders,
        brackets,
        vouched,
        constructs,
        plan,
        witnesses,
    };
    Lowered { sketch, body: Block::default(), taps, copy, params: patterns, exempt, reaches, lent }
}

/// Lowers a function that kernels call. With messages, what it returns is good for nothing.
pub fn func(item: &syn::ItemFn, callable: &Callable, private: &TokenStream, diagnostics: &mut Diagnostics) -> Lowered {
    check_signature(&item.sig, Role::Func, diagnostics);
    refuse::attributes(&item.block, diagnostics);
    let injective = BTreeSet::new();
    let mut lower = Lower::new(private, &injective, diagnostics);
    let (own, name) = match callable {
        Callable::Function => (item.sig.ident.clone(), item.sig.ident.to_string()),
        Callable::Method { of } => {
            (syn::Token![Self](item.sig.ident.span()).into(), format!("{of}::{}", item.sig.ident))
        }
    };
    lower.func = Some(own);
    lower.generic = match callable {
        Callable::Function => !item.sig.generics.params.is_empty(),
        // Those of the block aren't known here.
        Callable::Method { .. } => true,
    };
    lower.scope.enter();
    lower.plain_parameters(&item.sig);
    let patterns = lower.parameters(&item.sig);
    let mut copy = tidied((*item.block).clone());
    let (body, _) = lower.block(&mut copy, |_| ());
    lower.finish_deferred();
    let Lower {
        locals, exprs, operators, orders, brackets, mut vouched, taps, params, exempt, reaches, witnesses, ..
    } = lower;
    let brackets = brackets.into_iter().collect();
    let orders = orders.into_iter().collect();
    vouched.sort_unstable();
    copy.stmts.splice(0..0, taps.claims());
    let (constructs, plan) = (Arena::new(), Vec::new());
    let schema = sketch::SCHEMA;
    let sketch = Sketch {
        schema,
        name,
        params,
        locals,
        exprs,
        operators,
        orders,
        brackets,
        vouched,
        constructs,
        plan,
        witnesses,
    };
    Lowered { sketch, body, taps, copy, params: patterns, exempt, reaches, lent: BTreeSet::new() }
}

/// True for vectors and matrices by name, which are no names of references to arrays.
fn is_linear(path: &syn::TypePath) -> bool {
    path.path.segments.last().is_some_and(|last| last.ident == "Vector" || last.ident == "Matrix")
}

/// A body, out of its function.
fn taken(block: &mut syn::Block) -> syn::Block {
    let empty = syn::Block { brace_token: block.brace_token, stmts: Vec::new() };
    std::mem::replace(block, empty)
}

/// The body without empty statements, with a `;` behind a `return` at its end, and with unchecked accesses in the form of
/// the others.
fn tidied(mut block: syn::Block) -> syn::Block {
    struct Tidy;
    impl VisitMut for Tidy {
        fn visit_block_mut(&mut self, block: &mut syn::Block) {
            block
                .stmts
                .retain(|stmt| !matches!(stmt, syn::Stmt::Expr(syn::Expr::Verbatim(none), _) if none.is_empty()));
            syn::visit_mut::visit_block_mut(self, block);
        }

        fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
            syn::visit_mut::visit_expr_mut(self, expr);
            unchecked::indexed(expr);
        }
    }
    Tidy.visit_block_mut(&mut block);
    if let Some(syn::Stmt::Expr(syn::Expr::Return(_), semicolon)) = block.stmts.last_mut() {
        semicolon.get_or_insert_default();
    }
    block
}

impl Lower<'_> {
    /// Brings the parameters into scope; their patterns in the copy.
    fn parameters(&mut self, sig: &syn::Signature) -> Vec<syn::Pat> {
        let mut patterns = Vec::new();
        for (index, input) in sig.inputs.iter().enumerate() {
            if let syn::FnArg::Typed(typed) = input {
                let (param, pattern) = self.param(typed, ParamId(index as u32));
                self.params.push(param);
                patterns.push(pattern);
            }
        }
        patterns
    }

    fn param(&mut self, typed: &syn::PatType, id: ParamId) -> (Param, syn::Pat) {
        let mut pattern = (*typed.pat).clone();
        let name = typed.pat.to_token_stream().to_string();
        let pos = position(Reach::of_pat(&typed.pat));
        let kind = if let Some(shared) = reference(&typed.ty) {
            let local = self.func.is_some().then(|| self.referent(&typed.pat, !shared));
            self.references.insert(id, Reference { shared, local, slice: is_slice(&typed.ty) });
            if self.has_plain_elements(&typed.ty) {
                self.plain_arrays.insert(id);
                self.plain_locals.extend(local);
            }
            if let Some(scalar) = element_type(&typed.ty).and_then(written_scalar) {
                self.written_elements.insert(id, scalar);
                self.written_locals.extend(local.map(|local| (local, scalar)));
            }
            match &mut pattern {
                syn::Pat::Ident(array) if array.by_ref.is_none() && array.subpat.is_none() => {
                    self.scope.bind(&array.ident, Binding::Array(id));
                    array.ident = array_name(&array.ident, id);
                }
                syn::Pat::Wild(_) => {}
                other => self.refuse_pattern(other),
            }
            local.map_or(ParamKind::Array, ParamKind::Reference)
        } else {
            let bound = self.pattern(&mut pattern);
            if self.is_plain_type(&typed.ty) {
                self.make_plain(&bound);
            }
            if let (Pattern::Bind(local), Some(scalar)) = (&bound, written_scalar(&typed.ty)) {
                self.written_locals.insert(*local, scalar);
            }
            self.bind_values(&bound, None);
            if let (Pattern::Bind(local), syn::Type::Path(path)) = (&bound, &*typed.ty)
                && !is_linear(path)
            {
                self.named.insert(*local, Some(Reach::of(&typed.ty)));
            }
            if typed.attrs.iter().any(is_specialize) { ParamKind::Specialized(bound) } else { ParamKind::Value(bound) }
        };
        let name = match &*typed.pat {
            syn::Pat::Ident(ident) => ident.ident.to_string(),
            _ => name,
        };
        (Param { name, pos, kind }, pattern)
    }

    /// What a function's parameter that is a reference stands for, if that is a value.
    fn referent(&mut self, pattern: &syn::Pat, assigned: bool) -> Id<Local> {
        let name = pattern.to_token_stream().to_string();
        // Its type comes with those of the parameters.
        self.locals.push(Local { name, pos: position(Reach::of_pat(pattern)), assigned, tap: None })
    }

    /// The parameters by value that are never assigned.
    pub(super) fn value_params(&self) -> BTreeSet<Id<Local>> {
        fn collect(pattern: &Pattern, into: &mut BTreeSet<Id<Local>>) {
            match pattern {
                Pattern::Wild => {}
                Pattern::Bind(local) => {
                    into.insert(*local);
                }
                Pattern::Tuple(parts) | Pattern::Fixed(parts) => parts.iter().for_each(|part| collect(part, into)),
                Pattern::Struct(fields) => fields.iter().for_each(|(_, part)| collect(part, into)),
            }
        }
        let mut found = BTreeSet::new();
        for param in &self.params {
            match &param.kind {
                ParamKind::Array | ParamKind::Reference(_) => {}
                ParamKind::Value(pattern) | ParamKind::Specialized(pattern) => collect(pattern, &mut found),
                ParamKind::Field { local, .. } => {
                    found.insert(*local);
                }
            }
        }
        found.retain(|local| !self.locals[*local].assigned);
        found
    }
}

/// True if the kernel's last expression is its result.
fn returns_value(output: &syn::ReturnType) -> bool {
    match output {
        syn::ReturnType::Default => false,
        syn::ReturnType::Type(_, ty) => !is_unit(ty),
    }
}

fn is_unit(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Tuple(tuple) => tuple.elems.is_empty(),
        syn::Type::Paren(inner) => is_unit(&inner.elem),
        syn::Type::Group(inner) => is_unit(&inner.elem),
        _ => false,
    }
}

/// Whether a type is a reference; `true` in it for a shared one.
pub fn reference(ty: &syn::Type) -> Option<bool> {
    match ty {
        syn::Type::Reference(reference) => Some(reference.mutability.is_none()),
        syn::Type::Paren(inner) => reference(&inner.elem),
        syn::Type::Group(inner) => reference(&inner.elem),
        _ => None,
    }
}

/// `&[T]`
fn is_slice(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(reference) => matches!(&*reference.elem, syn::Type::Slice(_)),
        syn::Type::Paren(inner) => is_slice(&inner.elem),
        syn::Type::Group(inner) => is_slice(&inner.elem),
        _ => false,
    }
}

/// `#[specialize]`, `#[qd::specialize]`
pub fn is_specialize(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|last| last.ident == "specialize")
}

/// What kernels call a function as.
pub enum Callable {
    /// By a path of its own.
    Function,
    /// As a method or an associated function of a type; a receiver is its first parameter, by the name `self`.
    Method {
        /// The type, for messages.
        of: String,
    },
}

/// What a function is to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Kernel,
    /// Called from kernels.
    Func,
}

impl Role {
    /// In messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Role::Kernel => "kernel",
            Role::Func => "function of kernels",
        }
    }
}

/// Refuses what the signature of a function of kernels can't have.
pub fn signature(sig: &syn::Signature, diagnostics: &mut Diagnostics) {
    check_signature(sig, Role::Func, diagnostics);
}

/// Refuses what a signature can't have.
fn check_signature(sig: &syn::Signature, role: Role, diagnostics: &mut Diagnostics) {
    let what = role.name();
    // A function stays what rustc calls, so it may well be `const`.
    let constness = sig.constness.as_ref().filter(|_| role == Role::Kernel);
    let qualifiers: [(&str, Option<&dyn ToTokens>); 4] = [
        ("const", constness.map(|t| t as &dyn ToTokens)),
        ("async", sig.asyncness.as_ref().map(|t| t as &dyn ToTokens)),
        ("unsafe", matches!(sig.safety, syn::Safety::Unsafe(_)).then_some(&sig.safety as &dyn ToTokens)),
        ("extern", sig.abi.as_ref().map(|t| t as &dyn ToTokens)),
    ];
    for (name, token) in qualifiers {
        if let Some(token) = token {
            diagnostics.on(
                Code::Qualifier,
                &token.to_token_stream(),
                match role {
                    Role::Kernel => {
                        format!("a kernel can't be `{name}`: it is an ordinary safe function that is launched")
                    }
                    Role::Func => {
                        format!("a function of kernels can't be `{name}`: kernels call it in every iteration")
                    }
                },
                match role {
                    Role::Kernel => format!("remove `{name}`; call the kernel from a function that has it"),
                    Role::Func => format!("remove `{name}`; call it from a function that has it"),
                },
            );
        }
    }
    if let Some(variadic) = &sig.variadic {
        diagnostics.on(Code::Qualifier, variadic, format!("a {what} can't be variadic"), "name every parameter");
    }
    for param in &sig.generics.params {
        match param {
            syn::GenericParam::Lifetime(_) | syn::GenericParam::Const(_) => {}
            syn::GenericParam::Type(ty) => type_parameter(ty, sig, diagnostics),
        }
    }
    if role == Role::Func
        && let Some(extra) = sig.inputs.iter().nth(MAX_PARAMS)
    {
        diagnostics.on(
            Code::Call,
            extra,
            format!("a function of kernels has at most {MAX_PARAMS} parameters"),
            "pass several values as a tuple",
        );
    }
    for input in &sig.inputs {
        match input {
            syn::FnArg::Receiver(receiver) => diagnostics.on(
                Code::Receiver,
                receiver,
                format!("a {what} can't be a method: `self` is no array and no number"),
                "write a free function, and pass what it needs of `self`",
            ),
            syn::FnArg::Typed(typed) => {
                for attribute in &typed.attrs {
                    match (is_specialize(attribute), role, reference(&typed.ty)) {
                        (false, ..) => refuse::attribute_in_body(attribute, diagnostics),
                        (true, Role::Kernel, None) => {}
                        (true, Role::Kernel, Some(_)) => diagnostics.on(
                            Code::Attribute,
                            attribute,
                            "the contents of an array can't become part of the code",
                            "specialize numbers, `bool` and tuples of these",
                        ),
                        (true, Role::Func, _) => diagnostics.on(
                            Code::Attribute,
                            attribute,
                            "`specialize` stands on parameters of kernels: only a launch has values to bake in",
                            "make it a const parameter, or remove it: the call is inlined, constants and all",
                        ),
                    }
                }
                let mut found = Find::default();
                found.visit_type(&typed.ty);
                if found.implied {
                    diagnostics.on(
                        Code::ParamType,
                        &typed.ty,
                        format!(
                            "`impl Trait` can't be the type of a parameter of a {what}: each has one compiled form"
                        ),
                        "name the type, such as `&NdArray<f32>`, or a type parameter",
                    );
                } else if let Some((what, help)) = unfit::parameter(&typed.ty, role) {
                    diagnostics.on(Code::ParamType, &typed.ty, what, help);
                }
            }
        }
    }
    if let syn::ReturnType::Type(_, ty) = &sig.output {
        let mut found = Find::default();
        found.visit_type(ty);
        if found.borrows || found.implied || found.never {
            diagnostics.on(
                Code::ResultType,
                ty,
                format!(
                    "a {what} returns numbers, `bool` or tuples of these: nothing that borrows, is opaque, or never comes"
                ),
                "write arrays through a `&mut NdArray<T>` parameter",
            );
        } else if let Some((what, help)) = unfit::result(ty) {
            diagnostics.on(Code::ResultType, ty, what, help);
        }
    }
}

/// Refuses a type parameter without a bound: nothing could be done with its values.
fn type_parameter(param: &syn::TypeParam, sig: &syn::Signature, diagnostics: &mut Diagnostics) {
    let bound_below = sig.generics.where_clause.iter().flat_map(|clause| &clause.predicates).any(|predicate| {
        matches!(predicate, syn::WherePredicate::Type(bound)
            if matches!(&bound.bounded_ty, syn::Type::Path(path) if path.path.is_ident(&param.ident)))
    });
    let is_of_std = |bound: &syn::TypeParamBound| match bound {
        syn::TypeParamBound::Trait(of) => OF_STD.iter().any(|name| of.path.is_ident(name)) || has_output(&of.path),
        _ => true,
    };
    if !bound_below && !param.bounds.is_empty() && param.bounds.iter().all(is_of_std) {
        diagnostics.on(
            Code::Generic,
            param,
            format!("std's traits don't say that `{}` is a value of kernels", param.ident),
            format!(
                "add a bound that does: `{0}: qd::Number`, `{0}: qd::Float`, `{0}: qd::Int` or `{0}: qd::Data`",
                param.ident
            ),
        );
    }
    if param.bounds.is_empty() && !bound_below {
        diagnostics.on(
            Code::Generic,
            param,
            format!("nothing says what `{}` can do: a type parameter of kernels needs a bound", param.ident),
            format!("write `{0}: qd::Float`, `{0}: qd::Int` or `{0}: qd::Scalar`", param.ident),
        );
    }
}

/// Traits of std that say nothing of what a type is to kernels.
const OF_STD: [&str; 12] =
    ["Copy", "Clone", "Send", "Sync", "Sized", "Default", "PartialEq", "Eq", "PartialOrd", "Ord", "Debug", "Display"];

/// `Add<Output = T>` and the like.
fn has_output(path: &syn::Path) -> bool {
    let Some(last) = path.segments.last() else { return false };
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else { return false };
    args.args.iter().any(|arg| matches!(arg, syn::GenericArgument::AssocType(of) if of.ident == "Output"))
}

/// What a type holds.
#[derive(Default)]
struct Find {
    implied: bool,
    borrows: bool,
    never: bool,
}

impl<'ast> Visit<'ast> for Find {
    fn visit_type_impl_trait(&mut self, _: &'ast syn::TypeImplTrait) {
        self.implied = true;
    }
    fn visit_lifetime(&mut self, _: &'ast syn::Lifetime) {
        self.borrows = true;
    }
    fn visit_type_reference(&mut self, _: &'ast syn::TypeReference) {
        self.borrows = true;
    }
    fn visit_type_never(&mut self, _: &'ast syn::TypeNever) {
        self.never = true;
    }
}
