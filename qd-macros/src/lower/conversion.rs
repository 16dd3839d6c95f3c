//! Conversions: `from`, `into`, `cast`, and those of `f16` and `bf16`.
use qd_ir::arena::Id;
use qd_ir::sketch::{Expr, ExprKind, TypeName};
use qd_ir::types::Scalar;
use syn::parse_quote;

use super::expr::Named;
use super::{Lower, Own};
use crate::reach::Reach;
use crate::taps::replace;

impl Lower<'_> {
    /// `T::from(value)`, `value.into()`; to a scalar, if its name is written. Of a type of the user it may be a function.
    pub(super) fn conversion(&mut self, syntax: &mut syn::Expr, to: Option<Scalar>, at: Reach) -> Id<Expr> {
        fn operand(syntax: &mut syn::Expr) -> Option<&mut syn::Expr> {
            match syntax {
                syn::Expr::MethodCall(call) => Some(&mut call.receiver),
                syn::Expr::Call(call) => call.args.first_mut(),
                _ => None,
            }
        }
        let Some(value) = operand(syntax) else { return self.poison(at) };
        let layers = self.layers_of(value);
        let lowered = self.expr(value);
        // The conversion gives its operand no type.
        let lowered = self.close(lowered, value);
        let plain = self.plain[lowered.index()] && to.is_some();
        if !plain {
            for _ in 0..layers {
                replace(value, |inner| parse_quote!((*#inner)));
            }
        }
        let callee = (!plain).then(|| self.taps.conversion(syntax, operand, at));
        let to = to.map_or_else(|| TypeName::Tap(self.taps.id(syntax)), TypeName::Scalar);
        let id = self.push(ExprKind::Cast { value: lowered, to }, Own::Closed, at);
        self.operators.extend(callee.map(|callee| (id, callee)));
        id
    }

    /// What is converted: of a type of the user's a conversion may do anything.
    pub(super) fn converted(&mut self, syntax: &mut syn::Expr) -> Id<Expr> {
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
    pub(super) fn widened(&mut self, syntax: &mut syn::Expr) -> Id<Expr> {
        let (layers, at) = (self.layers_of(syntax), Reach::of(syntax));
        let value = self.expr(syntax);
        for _ in 0..layers {
            replace(syntax, |inner| parse_quote!((*#inner)));
        }
        self.taps.halves(syntax, at);
        value
    }

    /// `v.cast()`, `v.cast::<T>()`: as `v as T`.
    pub(super) fn cast_method(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
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
}

/// What a method of `f16` and `bf16` of this name converts to.
pub(super) fn widening(name: &str) -> Option<Scalar> {
    match name {
        "to_f32" | "to_f32_const" => Some(Scalar::F32),
        "to_f64" | "to_f64_const" => Some(Scalar::F64),
        _ => None,
    }
}

/// Whether a function of `f16` and `bf16` of this name converts from `f32`. That from `f64` is an operation.
pub(super) fn is_narrowing(name: &str) -> bool {
    matches!(name, "from_f32" | "from_f32_const")
}

/// Whether numbers convert by a method or function of this name.
pub fn is_conversion(name: &str) -> bool {
    matches!(name, "cast" | "from" | "into") || widening(name).is_some() || is_narrowing(name)
}
