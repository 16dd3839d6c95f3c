//! Operators that may be those of a user's type: only rustc knows, so their operands are shown to a tap.
//!
//! A tap for each operator would make rustc slow, and most operands surely are numbers or `bool`: literals, loop
//! variables, casts, elements of arrays of numbers, what is computed of these. Such an operator has none. To take one for
//! a number that is none is no danger: its type shows it when the kernel is linked, and then it is an error.
use qd_ir::arena::Id;
use qd_ir::op::{Form, Op};
use qd_ir::sketch::{Expr, ExprKind, Pattern, Place, TypeName};
use qd_ir::types::Scalar;

use super::{Lower, Own, reference};
use crate::reach::Reach;

impl Lower<'_> {
    /// An operation, with its operands in the copy. There are none to show to a tap where one may be a reference, as the
    /// names in chains of iterators are: only numbers have operators there.
    pub(super) fn operation(
        &mut self,
        op: Op,
        args: Vec<Id<Expr>>,
        operands: Option<&mut [&mut syn::Expr]>,
        own: Own,
        at: Reach,
    ) -> Id<Expr> {
        let plain = args.iter().all(|arg| self.plain[arg.index()]);
        let known: Option<Vec<_>> = args.iter().map(|arg| self.operand_of(*arg)).collect();
        let id = self.push(ExprKind::Op { op, args }, own, at);
        if !plain && let (Some(operands), Some(name)) = (operands, name(op)) {
            let callee = self.operator_of(name, known, |this| this.taps.operator(name, operands, at));
            self.operators.push((id, callee));
            self.note_plain(id, false);
        }
        id
    }

    /// True if an operand, before it is lowered, may be a reference.
    pub(super) fn may_refer(&mut self, operand: &mut syn::Expr) -> bool {
        self.in_chain > 0 && !is_value(operand) || self.layers_of(operand) > 0
    }

    /// True for what surely is a number or `bool`.
    pub(super) fn is_plain(&self, kind: &ExprKind) -> bool {
        let of = |expr: &Id<Expr>| self.plain[expr.index()];
        match kind {
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::LazyAnd(..)
            | ExprKind::LazyOr(..)
            | ExprKind::Len(_)
            | ExprKind::Extent(..)
            | ExprKind::Atomic { .. }
            | ExprKind::CompareExchange { .. } => true,
            ExprKind::Local(local) => self.plain_locals.contains(local),
            ExprKind::Load { array, index: _ } => self.plain_arrays.contains(array),
            ExprKind::Tapped { tap: _, value } => of(value),
            ExprKind::Op { op: _, args } => args.iter().all(of),
            ExprKind::Cast { value: _, to } => matches!(to, TypeName::Scalar(_)),
            ExprKind::Function { ty, .. } => matches!(ty, TypeName::Scalar(_)),
            ExprKind::Block(block) => block.tail.as_ref().is_some_and(of),
            ExprKind::If { cond: _, then, otherwise } => {
                // Both have one type.
                then.tail.as_ref().is_some_and(of) || otherwise.as_ref().is_some_and(of)
            }
            ExprKind::Const(_)
            | ExprKind::Start { .. }
            | ExprKind::Count(_)
            | ExprKind::Tuple(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Struct { .. }
            | ExprKind::Fixed { .. }
            | ExprKind::Repeat { .. }
            | ExprKind::Linear { .. }
            | ExprKind::Scatter { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::For { .. }
            | ExprKind::Break { .. }
            | ExprKind::Continue(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Contribute { .. }
            | ExprKind::Call { .. }
            | ExprKind::Return(_)
            | ExprKind::Say { .. } => false,
        }
    }

    pub(super) fn is_plain_place(&mut self, place: &Place) -> bool {
        if self.kind_of_place(place).is_some_and(|kind| self.kinds.is_plain(kind)) {
            return true;
        }
        match place {
            Place::Local(local) => self.plain_locals.contains(local),
            Place::Element { array, index: _, path } => path.is_empty() && self.plain_arrays.contains(array),
            Place::Wild | Place::Part(..) | Place::Tuple(_) => false,
        }
    }

    /// The names of a pattern surely are numbers or `bool`.
    pub(super) fn make_plain(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Wild => {}
            Pattern::Bind(local) => {
                self.plain_locals.insert(*local);
            }
            Pattern::Tuple(parts) | Pattern::Fixed(parts) => parts.iter().for_each(|part| self.make_plain(part)),
            Pattern::Struct(fields) => fields.iter().for_each(|(_, part)| self.make_plain(part)),
        }
    }

    /// Notes the type parameters whose bounds make them numbers.
    pub(super) fn plain_parameters(&mut self, sig: &syn::Signature) {
        const NUMBERS: [&str; 4] = ["Float", "Int", "Number", "Scalar"];
        let numbers = |bound: &syn::TypeParamBound| match bound {
            syn::TypeParamBound::Trait(bound) => {
                bound.path.segments.last().is_some_and(|last| NUMBERS.iter().any(|name| last.ident == name))
            }
            _ => false,
        };
        for param in sig.generics.type_params().filter(|param| param.bounds.iter().any(numbers)) {
            self.plain_types.insert(param.ident.to_string());
        }
        for predicate in sig.generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            if let syn::WherePredicate::Type(bound) = predicate
                && bound.bounds.iter().any(numbers)
                && let syn::Type::Path(path) = &bound.bounded_ty
                && let Some(name) = path.path.get_ident()
            {
                self.plain_types.insert(name.to_string());
            }
        }
    }

    /// True for the name of a number, `bool`, or of a type parameter that is one.
    pub(super) fn is_plain_type(&self, ty: &syn::Type) -> bool {
        name_of(ty).is_some_and(|name| Scalar::from_name(&name).is_some() || self.plain_types.contains(&name))
    }

    /// True for `&[f32]`, `&mut NdArray<T, 2>` and the like, and for a reference to a number.
    pub(super) fn has_plain_elements(&self, ty: &syn::Type) -> bool {
        element_type(ty).is_some_and(|element| self.is_plain_type(element))
    }

    /// The scalar that an expression is by the type of a parameter as it is written, or by what it is made of.
    pub(super) fn scalar_of(&self, expr: Id<Expr>) -> Option<Scalar> {
        let written = match &self.exprs[expr].kind {
            ExprKind::Local(local) => self.written_locals.get(local),
            ExprKind::Load { array, index: _ } => self.written_elements.get(array),
            _ => None,
        };
        written.copied().or_else(|| self.kinds.scalar_of(self.kind(expr)?))
    }
}

/// The scalar that a type names.
pub(super) fn written_scalar(ty: &syn::Type) -> Option<Scalar> {
    Scalar::from_name(&name_of(ty)?)
}

/// The name that a type is.
fn name_of(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Paren(inner) => name_of(&inner.elem),
        syn::Type::Group(inner) => name_of(&inner.elem),
        syn::Type::Path(path) if path.qself.is_none() => Some(path.path.get_ident()?.to_string()),
        _ => None,
    }
}

/// What the type of a parameter that is a reference refers to: the elements of an array, or a value.
pub(super) fn element_type(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Reference(inner) if reference(ty).is_some() => element_type(&inner.elem),
        syn::Type::Paren(inner) => element_type(&inner.elem),
        syn::Type::Group(inner) => element_type(&inner.elem),
        syn::Type::Slice(slice) => Some(&slice.elem),
        syn::Type::Path(path) => {
            let last = path.path.segments.last()?;
            match &last.arguments {
                syn::PathArguments::AngleBracketed(args) => match args.args.first() {
                    Some(syn::GenericArgument::Type(element)) if last.ident == "NdArray" => Some(element),
                    Some(_) | None => None,
                },
                syn::PathArguments::None | syn::PathArguments::Parenthesized(_) => Some(ty),
            }
        }
        _ => None,
    }
}

/// The name of an operator among those of `__private::operator`; of methods there is none.
fn name(op: Op) -> Option<&'static str> {
    if op.row().form != Form::Operator {
        return None;
    }
    NAMES.iter().find(|(known, ..)| *known == op).map(|(_, name, _)| *name)
}

/// The name of `op=`.
pub(super) fn update_name(op: Op) -> Option<&'static str> {
    NAMES.iter().find(|(known, ..)| *known == op).and_then(|(_, _, update)| *update)
}

const NAMES: [(Op, &str, Option<&str>); 18] = [
    (Op::Add, "Add", Some("AddAssign")),
    (Op::Sub, "Sub", Some("SubAssign")),
    (Op::Mul, "Mul", Some("MulAssign")),
    (Op::Div, "Div", Some("DivAssign")),
    (Op::Rem, "Rem", Some("RemAssign")),
    (Op::And, "BitAnd", Some("BitAndAssign")),
    (Op::Or, "BitOr", Some("BitOrAssign")),
    (Op::Xor, "BitXor", Some("BitXorAssign")),
    (Op::Shl, "Shl", Some("ShlAssign")),
    (Op::Shr, "Shr", Some("ShrAssign")),
    (Op::Neg, "Neg", None),
    (Op::Not, "Not", None),
    (Op::Eq, "Eq", None),
    (Op::Ne, "Ne", None),
    (Op::Lt, "Lt", None),
    (Op::Le, "Le", None),
    (Op::Gt, "Gt", None),
    (Op::Ge, "Ge", None),
];

/// True for what is no reference by its form alone.
fn is_value(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Struct(_) | syn::Expr::Tuple(_) | syn::Expr::Array(_) | syn::Expr::Repeat(_) => true,
        syn::Expr::Lit(_) | syn::Expr::Binary(_) | syn::Expr::Cast(_) => true,
        syn::Expr::Unary(unary) => !matches!(unary.op, syn::UnOp::Deref(_)),
        syn::Expr::Paren(inner) => is_value(&inner.expr),
        syn::Expr::Group(inner) => is_value(&inner.expr),
        syn::Expr::Block(inner) => inner.block.stmts.last().is_some_and(ends_in_value),
        syn::Expr::If(branches) => branches.then_branch.stmts.last().is_some_and(ends_in_value),
        _ => false,
    }
}

fn ends_in_value(last: &syn::Stmt) -> bool {
    matches!(last, syn::Stmt::Expr(value, None) if is_value(value))
}
