//! A kernel function: what its signature may be, and its body to a sketch.
use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use qd_ir::arena::Id;
use qd_ir::sketch::{self, Expr, Local, Param, ParamId, ParamKind, Pattern, Sketch};
use quote::ToTokens;
use syn::visit::Visit;

use super::expr::array_name;
use super::scope::Binding;
use super::{Lower, Lowered, position_of, refuse};
use crate::diagnostic::{Code, Diagnostics, Reach};

/// Lowers a kernel; `private` is the path of `qd::__private`. With messages, what it returns is good for nothing.
pub fn function(
    item: &syn::ItemFn,
    private: &TokenStream,
    injective: &BTreeSet<Id<Expr>>,
    diagnostics: &mut Diagnostics,
) -> Lowered {
    signature(&item.sig, diagnostics);
    refuse::attributes(&item.block, diagnostics);
    let mut lower = Lower::new(private, injective, diagnostics);
    lower.scope.enter();
    let mut params = Vec::new();
    let mut patterns = Vec::new();
    for (index, input) in item.sig.inputs.iter().enumerate() {
        if let syn::FnArg::Typed(typed) = input {
            let (param, pattern) = lower.param(typed, ParamId(index as u32));
            params.push(param);
            patterns.push(pattern);
        }
    }
    let mut copy = (*item.block).clone();
    let mut tops = Vec::new();
    lower.top_block(&mut copy, returns_value(&item.sig.output), &mut tops);
    lower.finish_deferred();
    lower.params = params;
    let (plan, constructs) = lower.assemble(tops);
    let Lower { locals, exprs, taps, params, exempt, reaches, .. } = lower;
    let name = item.sig.ident.to_string();
    let sketch = Sketch { schema: sketch::SCHEMA, name, params, locals, exprs, constructs, plan };
    Lowered { sketch, taps, copy, params: patterns, exempt, reaches }
}

impl Lower<'_> {
    fn param(&mut self, typed: &syn::PatType, id: ParamId) -> (Param, syn::Pat) {
        let mut pattern = (*typed.pat).clone();
        let name = typed.pat.to_token_stream().to_string();
        let pos = position_of(&typed.pat);
        let kind = if is_reference(&typed.ty) {
            match &mut pattern {
                syn::Pat::Ident(array) if array.by_ref.is_none() && array.subpat.is_none() => {
                    self.scope.bind(&array.ident, Binding::Array(id));
                    array.ident = array_name(&array.ident, id);
                }
                syn::Pat::Wild(_) => {}
                other => self.refuse_pattern(other),
            }
            ParamKind::Array
        } else {
            let bound = self.pattern(&mut pattern);
            if let (Pattern::Bind(local), syn::Type::Path(_)) = (&bound, &*typed.ty) {
                self.named.insert(*local, Some(Reach::of(&typed.ty)));
            }
            ParamKind::Value(bound)
        };
        let name = match &*typed.pat {
            syn::Pat::Ident(ident) => ident.ident.to_string(),
            _ => name,
        };
        (Param { name, pos, kind }, pattern)
    }

    /// The parameters by value that are never assigned.
    pub(super) fn value_params(&self) -> BTreeSet<Id<Local>> {
        fn collect(pattern: &Pattern, into: &mut BTreeSet<Id<Local>>) {
            match pattern {
                Pattern::Wild => {}
                Pattern::Bind(local) => {
                    into.insert(*local);
                }
                Pattern::Tuple(parts) => parts.iter().for_each(|part| collect(part, into)),
            }
        }
        let mut found = BTreeSet::new();
        for param in &self.params {
            match &param.kind {
                ParamKind::Array => {}
                ParamKind::Value(pattern) => collect(pattern, &mut found),
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
        syn::ReturnType::Type(_, ty) => !matches!(&**ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty()),
    }
}

fn is_reference(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(_) => true,
        syn::Type::Paren(inner) => is_reference(&inner.elem),
        syn::Type::Group(inner) => is_reference(&inner.elem),
        _ => false,
    }
}

/// Refuses what a kernel's signature can't have.
fn signature(sig: &syn::Signature, diagnostics: &mut Diagnostics) {
    let qualifiers: [(&str, Option<&dyn ToTokens>); 4] = [
        ("const", sig.constness.as_ref().map(|t| t as &dyn ToTokens)),
        ("async", sig.asyncness.as_ref().map(|t| t as &dyn ToTokens)),
        ("unsafe", matches!(sig.safety, syn::Safety::Unsafe(_)).then_some(&sig.safety as &dyn ToTokens)),
        ("extern", sig.abi.as_ref().map(|t| t as &dyn ToTokens)),
    ];
    for (name, token) in qualifiers {
        if let Some(token) = token {
            diagnostics.on(
                Code::Qualifier,
                &token.to_token_stream(),
                format!("a kernel can't be `{name}`: it is an ordinary safe function that is launched"),
                format!("remove `{name}`; call the kernel from a function that has it"),
            );
        }
    }
    if let Some(variadic) = &sig.variadic {
        diagnostics.on(Code::Qualifier, variadic, "a kernel can't be variadic", "name every parameter");
    }
    for param in &sig.generics.params {
        match param {
            syn::GenericParam::Lifetime(_) => {}
            syn::GenericParam::Type(_) | syn::GenericParam::Const(_) => diagnostics.on(
                Code::Generic,
                param,
                "generic kernels are not supported yet",
                "write the kernel for one type, from a `macro_rules!` macro if there are several",
            ),
        }
    }
    for input in &sig.inputs {
        match input {
            syn::FnArg::Receiver(receiver) => diagnostics.on(
                Code::Receiver,
                receiver,
                "a kernel can't be a method: `self` is no array and no number",
                "write a free function, and pass what it needs of `self`",
            ),
            syn::FnArg::Typed(typed) => {
                typed.attrs.iter().for_each(|attribute| refuse::attribute_in_body(attribute, diagnostics));
                let mut found = Find::default();
                found.visit_type(&typed.ty);
                if found.implied {
                    diagnostics.on(
                        Code::ParamType,
                        &typed.ty,
                        "`impl Trait` can't be the type of a kernel's parameter: a kernel has one compiled form",
                        "name the type, such as `&NdArray<f32>`",
                    );
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
                "a kernel returns numbers, `bool` or tuples of these: nothing that borrows, is opaque, or never comes",
                "write arrays through a `&mut NdArray<T>` parameter",
            );
        }
    }
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
