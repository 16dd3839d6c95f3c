//! Expressions: values, operators, accesses.
use qd_ir::arena::Id;
use qd_ir::op::Op;
use qd_ir::sketch::{Expr, ExprKind, Local, Member, ParamId, TypeName};
use qd_ir::types::Scalar;
use syn::{BinOp, UnOp};

use super::place::member;
use super::scope::Binding;
use super::{Lower, Own, position, unwrap_parens};
use crate::diagnostic::Code;
use crate::reach::Reach;
use crate::taps::{numbered, replace};

/// What an operator of two operands means.
enum Infix {
    /// Operands and result of one type.
    Arithmetic(Op),
    /// The second operand may be of another type.
    Shift(Op),
    /// Operands of one type, a `bool`.
    Comparison(Op),
    LazyAnd,
    LazyOr,
    /// `op=`
    Assign(Op),
}

impl Infix {
    fn of(op: &BinOp) -> Option<Infix> {
        use Infix::{Arithmetic, Assign, Comparison, LazyAnd, LazyOr, Shift};
        Some(match op {
            BinOp::Add(_) => Arithmetic(Op::Add),
            BinOp::Sub(_) => Arithmetic(Op::Sub),
            BinOp::Mul(_) => Arithmetic(Op::Mul),
            BinOp::Div(_) => Arithmetic(Op::Div),
            BinOp::Rem(_) => Arithmetic(Op::Rem),
            BinOp::BitXor(_) => Arithmetic(Op::Xor),
            BinOp::BitAnd(_) => Arithmetic(Op::And),
            BinOp::BitOr(_) => Arithmetic(Op::Or),
            BinOp::Shl(_) => Shift(Op::Shl),
            BinOp::Shr(_) => Shift(Op::Shr),
            BinOp::Eq(_) => Comparison(Op::Eq),
            BinOp::Ne(_) => Comparison(Op::Ne),
            BinOp::Lt(_) => Comparison(Op::Lt),
            BinOp::Le(_) => Comparison(Op::Le),
            BinOp::Gt(_) => Comparison(Op::Gt),
            BinOp::Ge(_) => Comparison(Op::Ge),
            BinOp::And(_) => LazyAnd,
            BinOp::Or(_) => LazyOr,
            BinOp::AddAssign(_) => Assign(Op::Add),
            BinOp::SubAssign(_) => Assign(Op::Sub),
            BinOp::MulAssign(_) => Assign(Op::Mul),
            BinOp::DivAssign(_) => Assign(Op::Div),
            BinOp::RemAssign(_) => Assign(Op::Rem),
            BinOp::BitXorAssign(_) => Assign(Op::Xor),
            BinOp::BitAndAssign(_) => Assign(Op::And),
            BinOp::BitOrAssign(_) => Assign(Op::Or),
            BinOp::ShlAssign(_) => Assign(Op::Shl),
            BinOp::ShrAssign(_) => Assign(Op::Shr),
            // syn's enum is open: an operator that Rust doesn't have today.
            _ => return None,
        })
    }
}

impl Lower<'_> {
    /// Lowers an expression and leaves its copy in its place.
    pub(super) fn expr(&mut self, syntax: &mut syn::Expr) -> Id<Expr> {
        let watched = cfg!(feature = "tap-all") && !self.quiet && has_value(syntax);
        let watched = watched && !self.is_item(syntax);
        let id = if is_straight(syntax) {
            self.expr_kind(syntax)
        } else {
            // What isn't surely evaluated can't come before its statement.
            let top = self.top.take();
            let id = self.expr_kind(syntax);
            self.top = top;
            id
        };
        if watched && self.own(id) != Own::Never && self.diagnostics.is_empty() {
            // It may be a reference, for which in the sketch what it refers to stands.
            let tap = self.taps.referent(syntax);
            self.witnesses.push((id, tap));
        }
        id
    }

    fn expr_kind(&mut self, syntax: &mut syn::Expr) -> Id<Expr> {
        let at = Reach::of_expr(syntax);
        match syntax {
            syn::Expr::Paren(inner) => {
                let whole = matches!(
                    unwrap_parens(&mut inner.expr),
                    syn::Expr::Binary(_) | syn::Expr::Unary(_) | syn::Expr::Index(_) | syn::Expr::Call(_)
                );
                let expr = self.expr(&mut inner.expr);
                // To rustc they are part of an operator's or a call's expression, so its panics point at them. Those of a
                // method point at its name.
                if whole {
                    self.exprs[expr].pos = position(at);
                    self.widen(expr, at);
                }
                expr
            }
            syn::Expr::Group(inner) => self.expr(&mut inner.expr),
            syn::Expr::Lit(lit) => self.literal(lit, at),
            syn::Expr::Path(_) => self.path(syntax, at),
            syn::Expr::Unary(unary) => self.unary(unary, at),
            syn::Expr::Binary(_) => self.binary(syntax, at),
            syn::Expr::Assign(assign) => match self.taken_apart(assign) {
                None => self.assign(assign, at),
                Some(apart) => {
                    *syntax = apart;
                    self.expr_kind(syntax)
                }
            },
            syn::Expr::Cast(_) => self.cast(syntax, at),
            syn::Expr::Index(_) => self.index(syntax, at),
            syn::Expr::Field(_) => self.field(syntax, at),
            syn::Expr::Tuple(tuple) => {
                let parts: Vec<_> = tuple.elems.iter_mut().map(|part| self.expr(part)).collect();
                let open = parts.iter().any(|p| self.own(*p) == Own::Open);
                self.push(ExprKind::Tuple(parts), if open { Own::Open } else { Own::Closed }, at)
            }
            syn::Expr::Struct(_) => self.structure(syntax, at),
            syn::Expr::Array(_) | syn::Expr::Repeat(_) => self.fixed(syntax, at),
            syn::Expr::If(_) => self.if_else(syntax, at),
            syn::Expr::Match(_) => self.match_expr(syntax, at),
            syn::Expr::Macro(_) => self.macro_call(syntax, at),
            syn::Expr::Block(block) if block.label.is_some() => self.labelled_block(syntax, at),
            syn::Expr::Block(block) => self.block_expr(&mut block.block, at),
            syn::Expr::Unsafe(block) => {
                self.unsafe_depth += 1;
                let id = self.block_expr(&mut block.block, at);
                self.unsafe_depth -= 1;
                id
            }
            syn::Expr::While(_) => self.while_loop(syntax, at),
            syn::Expr::Loop(_) => self.endless_loop(syntax, at),
            syn::Expr::ForLoop(_) => self.nested_for(syntax, at),
            syn::Expr::Break(jump) => self.break_out(jump, at),
            syn::Expr::Continue(jump) => self.continue_with(jump, at),
            syn::Expr::Call(_) => self.call(syntax, at),
            syn::Expr::MethodCall(_) => self.method(syntax, at),
            // A value cannot change while it is referred to.
            syn::Expr::Reference(reference) if self.in_chain > 0 && reference.mutability.is_none() => {
                let id = self.expr(&mut reference.expr);
                let id = self.close(id, &mut reference.expr);
                self.refers(id);
                id
            }
            syn::Expr::Return(result) if self.func.is_some() => {
                let value = result.expr.as_mut().map(|value| self.expr(value));
                self.push(ExprKind::Return(value), Own::Never, at)
            }
            other => {
                self.refuse(other);
                self.poison(at)
            }
        }
    }

    fn block_expr(&mut self, block: &mut syn::Block, at: Reach) -> Id<Expr> {
        let (lowered, own) = self.block(block, |_| ());
        self.push(ExprKind::Block(lowered), own, at)
    }

    pub(super) fn literal(&mut self, literal: &syn::ExprLit, at: Reach) -> Id<Expr> {
        let suffix = |this: &mut Self, suffix: &str| match (suffix, Scalar::from_primitive(suffix)) {
            ("", _) => Some(None),
            (_, Some(scalar)) => Some(Some(scalar)),
            ("f16", None) => {
                this.diagnostics.push(
                    Code::Width,
                    at,
                    "in the kernel language `f16` is the type of crate `half`, and that has no literals",
                    "write `f16::from_f32(1.5)`, or a constant: `const C: f16 = f16::from_f32_const(1.5);`",
                );
                None
            }
            (_, None) => {
                this.wide_type(suffix, at);
                None
            }
        };
        let kind = match &literal.lit {
            syn::Lit::Int(int) => match (int.base10_parse::<u128>(), suffix(self, int.suffix())) {
                (Ok(value), Some(suffix)) => Some(ExprKind::Int { value, suffix }),
                (Err(_), Some(_)) => {
                    let help = "the widest integers are `i128` and `u128`";
                    self.diagnostics.push(Code::Width, at, "this number doesn't fit in 128 bits", help);
                    None
                }
                (_, None) => None,
            },
            syn::Lit::Float(float) => suffix(self, float.suffix())
                .map(|suffix| ExprKind::Float { digits: float.base10_digits().to_owned(), suffix }),
            syn::Lit::Byte(byte) => Some(ExprKind::Int { value: u128::from(byte.value()), suffix: Some(Scalar::U8) }),
            syn::Lit::Bool(value) => return self.push(ExprKind::Bool(value.value), Own::Closed, at),
            syn::Lit::Char(char) => {
                let help = match u8::try_from(char.value()) {
                    Ok(_) if char.value().is_ascii() => format!("write the byte, `b{}`", char.token()),
                    Ok(_) | Err(_) => format!("write its number, `{:#x}`", u32::from(char.value())),
                };
                self.diagnostics.push(Code::Value, at, "a `char` is no value of the kernel language", help);
                None
            }
            // syn's enum is open; all others are text.
            _ => {
                self.diagnostics.push(
                    Code::Value,
                    at,
                    "text is not part of the kernel language",
                    "kernels compute with `bool`, integers and floats",
                );
                None
            }
        };
        match kind {
            Some(kind) => {
                let suffixed =
                    matches!(kind, ExprKind::Int { suffix: Some(_), .. } | ExprKind::Float { suffix: Some(_), .. });
                self.push(kind, if suffixed { Own::Closed } else { Own::Open }, at)
            }
            None => self.poison(at),
        }
    }

    /// A name: a variable, or a constant from anywhere. Names that don't exist are rustc's to report.
    fn path(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Path(path) = syntax else { return self.poison(at) };
        match path.path.get_ident().and_then(|name| self.scope.find(name)) {
            Some(Binding::Local(local)) => {
                rename(path, local.index());
                let id = self.push(ExprKind::Local(local), Own::Closed, at);
                if let Some(carried) = &mut self.carried {
                    carried.read(local, id);
                }
                id
            }
            Some(Binding::Array(param)) => {
                rename_array(path, param);
                self.array_value(at)
            }
            Some(Binding::Element(_)) => match self.element_of(syntax) {
                Some(element) => self.element_value(&element, at),
                None => self.poison(at),
            },
            // Of which type rustc knows, and there is nothing in it.
            None if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData") => {
                self.push(ExprKind::Tuple(Vec::new()), Own::Closed, at)
            }
            Some(Binding::Item) | None => {
                let constant = self.taps.constant(path);
                self.push(ExprKind::Const(constant), Own::Closed, at)
            }
        }
    }

    /// Refuses an array that is neither indexed nor measured.
    pub(super) fn array_value(&mut self, at: Reach) -> Id<Expr> {
        if self.func.is_some() {
            self.diagnostics.push(
                Code::Reference,
                at,
                "a reference is no value: what it refers to is",
                "write `*r` for a number, `x[i]` for an element; to hand it on, give it to a function",
            );
            return self.poison(at);
        }
        self.diagnostics.push(
            Code::ArrayValue,
            at,
            "a reference can't be used as a value in a kernel: only elements, the shape of an array, and fields of a bundle can",
            "write `x[i]`, `x[[i, j]]`, `x.len()`, and of a bundle its fields, `s.x[i]`; to a function give `&x`",
        );
        self.poison(at)
    }

    fn unary(&mut self, unary: &mut syn::ExprUnary, at: Reach) -> Id<Expr> {
        let op = match unary.op {
            UnOp::Neg(_) => Op::Neg,
            UnOp::Not(_) => Op::Not,
            // syn's enum is open; the only other operator of today is `*`.
            _ => {
                if let Some(local) = self.referent_of(&mut unary.expr) {
                    return self.push(ExprKind::Local(local), Own::Closed, at);
                }
                return self.referred(&mut unary.expr);
            }
        };
        let refers = self.may_refer(&mut unary.expr);
        let value = self.expr(&mut unary.expr);
        let own = self.own(value);
        let operands: &mut [&mut syn::Expr] = &mut [&mut unary.expr];
        self.operation(op, vec![value], (!refers).then_some(operands), own, at)
    }

    /// `*reference`: what it refers to is what stands for it.
    fn referred(&mut self, syntax: &mut syn::Expr) -> Id<Expr> {
        let element = match unwrap_parens(syntax) {
            syn::Expr::Path(path) => {
                let found = path.path.get_ident().and_then(|name| self.scope.find(name));
                matches!(found, Some(Binding::Element(_)))
            }
            _ => false,
        };
        let id = self.expr(syntax);
        if !element {
            self.taps.referred(syntax);
        }
        id
    }

    /// `a + b + c`. It nests to the left as deep as it is long, so it is taken apart and lowered from the inside out.
    fn binary(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        if let syn::Expr::Binary(binary) = &*syntax
            && let Some(Infix::Assign(op)) = Infix::of(&binary.op)
        {
            return self.assign_op(syntax, op, at);
        }
        let mut chain = Vec::new();
        let mut inner = taken(syntax);
        let mut first = loop {
            match inner {
                syn::Expr::Binary(mut binary) => match Infix::of(&binary.op) {
                    Some(infix) => {
                        inner = taken(&mut binary.left);
                        chain.push((infix, binary));
                    }
                    None => {
                        self.refuse(&syn::Expr::Binary(binary));
                        return self.poison(at);
                    }
                },
                first => break first,
            }
        };
        let start = Reach::of_expr(&first).start;
        let mut refers = self.may_refer(&mut first);
        let mut left = self.expr(&mut first);
        while let Some((infix, mut binary)) = chain.pop() {
            *binary.left = first;
            let at = Reach { start, end: Reach::of_expr(&binary.right).end };
            refers |= self.may_refer(&mut binary.right);
            left = self.infix(infix, &mut binary, left, refers, at);
            first = syn::Expr::Binary(binary);
            refers = self.may_refer(&mut first);
        }
        *syntax = first;
        left
    }

    /// An operation whose left operand is lowered. `refers`: an operand may be a reference.
    fn infix(
        &mut self,
        infix: Infix,
        binary: &mut syn::ExprBinary,
        left: Id<Expr>,
        refers: bool,
        at: Reach,
    ) -> Id<Expr> {
        let right = match infix {
            Infix::Shift(_) => self.shift_amount(&mut binary.right),
            Infix::Arithmetic(_) | Infix::Comparison(_) | Infix::LazyAnd | Infix::LazyOr | Infix::Assign(_) => {
                self.expr(&mut binary.right)
            }
        };
        let own = self.own(left).either(self.own(right));
        match infix {
            Infix::Arithmetic(op) => {
                let operands: &mut [&mut syn::Expr] = &mut [&mut *binary.left, &mut *binary.right];
                let operands = (!refers).then_some(operands);
                self.operation(op, vec![left, right], operands, own, at)
            }
            Infix::Shift(op) => {
                let own = self.own(left);
                let operands: &mut [&mut syn::Expr] = &mut [&mut *binary.left, &mut *binary.right];
                let operands = (!refers).then_some(operands);
                self.operation(op, vec![left, right], operands, own, at)
            }
            Infix::Comparison(op) => {
                // Two literals type each other, and nothing types them.
                let left = if own == Own::Open { self.close(left, &mut binary.left) } else { left };
                let operands: &mut [&mut syn::Expr] = &mut [&mut *binary.left, &mut *binary.right];
                let operands = (!refers).then_some(operands);
                self.operation(op, vec![left, right], operands, Own::Closed, at)
            }
            Infix::LazyAnd => self.push(ExprKind::LazyAnd(left, right), Own::Closed, at),
            Infix::LazyOr => self.push(ExprKind::LazyOr(left, right), Own::Closed, at),
            // An assignment gives nothing to operate on: rustc reports it.
            Infix::Assign(_) => self.poison(at),
        }
    }

    /// True for the bare name of an item of a loop over elements, which is a reference in the copy.
    fn is_item(&self, syntax: &syn::Expr) -> bool {
        let syn::Expr::Path(path) = syntax else { return false };
        match path.path.get_ident().and_then(|name| self.scope.find(name)) {
            Some(Binding::Element(_)) => true,
            Some(Binding::Local(local)) => self.elements.contains_key(&local) || self.layers.contains_key(&local),
            Some(Binding::Array(_) | Binding::Item) | None => false,
        }
    }

    /// By how many bits is shifted. Alone a literal is an `i32`; but a `T: qd::Int` takes a `u32` only.
    pub(super) fn shift_amount(&mut self, syntax: &mut syn::Expr) -> Id<Expr> {
        let amount = self.expr(syntax);
        if self.generic { self.close(amount, syntax) } else { amount }
    }

    fn cast(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Cast(cast) = syntax else { return self.poison(at) };
        let quiet = std::mem::replace(&mut self.quiet, may_take_cast_type(&mut cast.expr));
        let mut value = self.expr(&mut cast.expr);
        self.quiet = quiet;
        // Only a literal itself takes its type from the target; `(1 + 2) as u64` adds in `i32`.
        if self.own(value) == Own::Open && !self.takes_cast_type(value) {
            value = self.close(value, &mut cast.expr);
        }
        if self.injective.contains(&Id::new(self.exprs.len())) {
            self.taps.injective(&mut cast.expr, &cast.ty);
        }
        match self.type_name(&cast.ty) {
            Named::Scalar(scalar) => self.push(ExprKind::Cast { value, to: TypeName::Scalar(scalar) }, Own::Closed, at),
            Named::Path => {
                let ty = (*cast.ty).clone();
                let to = TypeName::Tap(self.taps.typed(syntax, &ty));
                self.push(ExprKind::Cast { value, to }, Own::Closed, at)
            }
            Named::Refused => self.poison(at),
        }
    }

    /// True for what rustc gives the type of the `as` round it.
    fn takes_cast_type(&self, value: Id<Expr>) -> bool {
        let tail = |block: &qd_ir::sketch::Block| block.tail.is_some_and(|tail| self.takes_cast_type(tail));
        match &self.exprs[value].kind {
            ExprKind::Int { .. } | ExprKind::Float { .. } => true,
            ExprKind::Op { op: Op::Neg | Op::Not, args } => self.takes_cast_type(args[0]),
            ExprKind::Block(block) => tail(block),
            ExprKind::If { then, otherwise, .. } => tail(then) && otherwise.is_some_and(|e| self.takes_cast_type(e)),
            ExprKind::Op { .. }
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Const(_)
            | ExprKind::Tapped { .. }
            | ExprKind::Function { .. }
            | ExprKind::LazyAnd(..)
            | ExprKind::LazyOr(..)
            | ExprKind::Cast { .. }
            | ExprKind::Load { .. }
            | ExprKind::Len(_)
            | ExprKind::Extent(..)
            | ExprKind::Atomic { .. }
            | ExprKind::CompareExchange { .. }
            | ExprKind::Scatter { .. }
            | ExprKind::Tuple(_)
            | ExprKind::Field(..)
            | ExprKind::Index(..)
            | ExprKind::Struct { .. }
            | ExprKind::Fixed { .. }
            | ExprKind::Repeat { .. }
            | ExprKind::Start { .. }
            | ExprKind::Count(_)
            | ExprKind::Linear { .. }
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

    /// A type after `as` or before `::`.
    pub(super) fn type_name(&mut self, ty: &syn::Type) -> Named {
        match ty {
            syn::Type::Paren(inner) => self.type_name(&inner.elem),
            syn::Type::Group(inner) => self.type_name(&inner.elem),
            syn::Type::Path(path) if path.qself.is_none() => match path.path.get_ident().map(|i| (i, i.to_string())) {
                Some((ident, name)) => match Scalar::from_primitive(&name) {
                    Some(scalar) => {
                        self.taps.primitive(scalar, ident);
                        Named::Scalar(scalar)
                    }
                    None if UNSUPPORTED.contains(&name.as_str()) => {
                        self.wide_type(&name, Reach::of(ty));
                        Named::Refused
                    }
                    None => Named::Path,
                },
                None => Named::Path,
            },
            syn::Type::Path(_) | syn::Type::Infer(_) | syn::Type::Array(_) => Named::Path,
            other => {
                self.diagnostics.on(
                    Code::TypeName,
                    other,
                    "only numbers and `bool` can be cast in a kernel",
                    "name a scalar type, such as `f32` or `usize`",
                );
                Named::Refused
            }
        }
    }

    /// Refuses a primitive that kernels don't have.
    pub(super) fn wide_type(&mut self, name: &str, at: Reach) {
        self.diagnostics.push(
            Code::Width,
            at,
            format!("`{name}` is not a type of the kernel language"),
            "use `bool`, an integer type, `f32`, `f64`, `qd::f16` or `qd::bf16`",
        );
    }

    fn index(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Index(index) = syntax else { return self.poison(at) };
        if let syn::Expr::MethodCall(call) = unwrap_parens(&mut index.expr)
            && call.method == "shape"
            && let Some(param) = self.shaped(call)
        {
            return self.extent(param, &index.index, at);
        }
        if let Some(array) = self.array_of(&mut index.expr) {
            return match self.element_index(index, at) {
                Some(index) => {
                    let load = self.push_access(ExprKind::Load { array, index }, at);
                    self.reads_elements(array, load);
                    load
                }
                None => self.poison(at),
            };
        }
        let base = self.expr(&mut index.expr);
        match self.element_index(index, at) {
            // `m[[r, c]]` is element `c` of row `r`.
            Some(steps) => {
                steps.into_iter().fold(base, |base, step| self.push(ExprKind::Index(base, step), Own::Closed, at))
            }
            None => self.poison(at),
        }
    }

    fn extent(&mut self, param: ParamId, dim: &syn::Expr, at: Reach) -> Id<Expr> {
        if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) = dim
            && let Ok(dim) = int.base10_parse::<u8>()
        {
            return self.push(ExprKind::Extent(param, dim), Own::Closed, at);
        }
        self.diagnostics.on(
            Code::ArrayValue,
            dim,
            "the dimension must be a literal: shapes are taken apart at compile time",
            "write `x.shape()[0]`, or `let [h, w] = x.shape();`",
        );
        self.poison(at)
    }

    fn field(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        if let Some((_, local)) = self.field_of(syntax) {
            return self.field_value(local, at);
        }
        let syn::Expr::Field(field) = syntax else { return self.poison(at) };
        let base = self.base(&mut field.base);
        let own = self.own(base);
        self.push(ExprKind::Field(base, member(&field.member)), own, at)
    }

    /// What stands before a `.`: a reference needs no star there.
    pub(super) fn base(&mut self, syntax: &mut syn::Expr) -> Id<Expr> {
        let at = Reach::of_expr(syntax);
        match self.referent_of(behind_star(syntax)) {
            Some(local) => self.push(ExprKind::Local(local), Own::Closed, at),
            None => self.expr(syntax),
        }
    }

    /// `P { a, b: v, ..base }`
    fn structure(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Struct(literal) = syntax else { return self.poison(at) };
        let mut fields = Vec::with_capacity(literal.fields.len());
        for field in &mut literal.fields {
            let value = self.expr(&mut field.expr);
            // In the copy the variable has another name than the field.
            field.colon_token.get_or_insert_with(Default::default);
            fields.push((member(&field.member), value));
        }
        let base = literal.rest.as_mut().map(|base| self.expr(base));
        let tap = self.taps.id(syntax);
        self.push(ExprKind::Struct { tap, fields, base }, Own::Closed, at)
    }

    /// `P(a, b)`
    pub(super) fn constructor(&mut self, syntax: &mut syn::Expr, at: Reach) -> Id<Expr> {
        let syn::Expr::Call(call) = syntax else { return self.poison(at) };
        let numbered = call.args.iter_mut().zip(0..);
        let fields = numbered.map(|(arg, index)| (Member::Index(index), self.expr(arg))).collect();
        // Only a struct can be written by its fields: a function of that name is not taken for one.
        if let syn::Expr::Path(path) = unwrap_parens(&mut call.func) {
            let (path, span) = (path.clone(), Reach::of(path).start);
            let numbers = (0..call.args.len() as u32).map(|index| syn::Index { index, span });
            let args = call.args.iter();
            *syntax = syn::Expr::Verbatim(quote::quote!((#path { #(#numbers: #args),* })));
        }
        let tap = self.taps.id(syntax);
        self.push(ExprKind::Struct { tap, fields, base: None }, Own::Closed, at)
    }

    /// Refuses, once, a parameter that is used as an array and whose type is a name; `false`, and nothing said, for any
    /// other expression.
    pub(super) fn hidden_array(&mut self, syntax: &mut syn::Expr) -> bool {
        let syn::Expr::Path(path) = unwrap_parens(syntax) else { return false };
        let Some(Binding::Local(local)) = path.path.get_ident().and_then(|name| self.scope.find(name)) else {
            return false;
        };
        let Some(place) = self.named.get_mut(&local) else { return false };
        if let Some(at) = place.take() {
            let name = &self.locals[local].name;
            self.diagnostics.push(Code::Alias, at, alias_message(name), alias_help(name));
        }
        true
    }

    /// Writes the `*` that methods need not write before a reference to a value.
    pub(super) fn write_star(&self, syntax: &mut syn::Expr) {
        let syn::Expr::Path(path) = unwrap_parens(syntax) else { return };
        let found = path.path.get_ident().and_then(|name| self.scope.find(name));
        if let Some(Binding::Array(param)) = found
            && self.references.get(&param).is_some_and(|reference| reference.local.is_some())
        {
            let star = quote::quote_spanned!(syn::spanned::Spanned::span(path)=> *);
            replace(syntax, |inner| syn::parse_quote!((#star #inner)));
        }
    }

    /// The value that a reference parameter of a function stands for, renamed in the copy; `None`, and nothing changed,
    /// for any other expression.
    pub(super) fn referent_of(&mut self, syntax: &mut syn::Expr) -> Option<Id<Local>> {
        let syn::Expr::Path(path) = unwrap_parens(syntax) else { return None };
        match self.scope.find(path.path.get_ident()?)? {
            Binding::Array(param) => {
                let local = self.references.get(&param)?.local?;
                rename_array(path, param);
                Some(local)
            }
            Binding::Local(_) | Binding::Element(_) | Binding::Item => None,
        }
    }
}

/// Whether all parts of an expression are evaluated, once, if it is.
fn is_straight(syntax: &syn::Expr) -> bool {
    match syntax {
        syn::Expr::Binary(binary) => !matches!(binary.op, BinOp::And(_) | BinOp::Or(_)),
        syn::Expr::Array(_)
        | syn::Expr::Assign(_)
        | syn::Expr::Call(_)
        | syn::Expr::Cast(_)
        | syn::Expr::Field(_)
        | syn::Expr::Group(_)
        | syn::Expr::Index(_)
        | syn::Expr::Lit(_)
        | syn::Expr::Macro(_)
        | syn::Expr::MethodCall(_)
        | syn::Expr::Paren(_)
        | syn::Expr::Path(_)
        | syn::Expr::Reference(_)
        | syn::Expr::Struct(_)
        | syn::Expr::Tuple(_)
        | syn::Expr::Unary(_) => true,
        // Branches, loops, blocks; and what is refused.
        _ => false,
    }
}

/// Takes an expression out of its place.
fn taken(syntax: &mut syn::Expr) -> syn::Expr {
    std::mem::replace(syntax, syn::Expr::Verbatim(proc_macro2::TokenStream::new()))
}

/// What is wrong with an array parameter that doesn't look like one.
pub fn alias_message(name: &str) -> String {
    format!("the kernel macro doesn't see that `{name}` is an array: its type is a name, without a `&`")
}

/// What to write instead.
pub fn alias_help(name: &str) -> String {
    format!(
        "write the reference in the signature, `{name}: &mut Image`, with `type Image = NdArray<f32, 2>;`; a method of your \
         own needs another name than arrays' methods"
    )
}

/// True for what may have a value and stands where a call may stand. Of control flow the parts are looked at.
fn has_value(syntax: &syn::Expr) -> bool {
    match syntax {
        syn::Expr::Binary(binary) => !matches!(Infix::of(&binary.op), Some(Infix::Assign(_)) | None),
        syn::Expr::Lit(_)
        | syn::Expr::Path(_)
        | syn::Expr::Unary(_)
        | syn::Expr::Cast(_)
        | syn::Expr::Index(_)
        | syn::Expr::Field(_)
        | syn::Expr::Tuple(_)
        | syn::Expr::Struct(_)
        | syn::Expr::Array(_)
        | syn::Expr::Repeat(_)
        | syn::Expr::Call(_)
        | syn::Expr::MethodCall(_) => true,
        // syn's enum is open.
        _ => false,
    }
}

/// True for what can be, or end in, a literal to which an `as` gives the type.
fn may_take_cast_type(syntax: &mut syn::Expr) -> bool {
    matches!(
        unwrap_parens(syntax),
        syn::Expr::Lit(_) | syn::Expr::Unary(_) | syn::Expr::Block(_) | syn::Expr::Unsafe(_) | syn::Expr::If(_)
    )
}

/// The expression behind a `*`, which indices and methods need not write.
pub(super) fn behind_star(syntax: &mut syn::Expr) -> &mut syn::Expr {
    match unwrap_parens(syntax) {
        syn::Expr::Unary(syn::ExprUnary { op: UnOp::Deref(_), expr, .. }) => unwrap_parens(expr),
        other => other,
    }
}

/// A type named in the source.
pub(super) enum Named {
    /// A primitive.
    Scalar(Scalar),
    /// Anything else: rustc says what it is.
    Path,
    /// Refused, and said so.
    Refused,
}

/// Primitives of Rust that aren't scalars of the kernel language.
const UNSUPPORTED: [&str; 3] = ["char", "str", "f128"];

/// Gives a local its name in the copy.
pub(super) fn rename(path: &mut syn::ExprPath, number: usize) {
    if let Some(name) = path.path.get_ident() {
        path.path = numbered(name, number).into();
    }
}

/// Gives an array its name in the copy.
pub(super) fn rename_array(path: &mut syn::ExprPath, param: ParamId) {
    if let Some(name) = path.path.get_ident() {
        path.path = array_name(name, param).into();
    }
}

/// The name of an array in the copy.
pub(super) fn array_name(name: &proc_macro2::Ident, param: ParamId) -> proc_macro2::Ident {
    use syn::ext::IdentExt;
    proc_macro2::Ident::new(&format!("{}__array{}", name.unraw(), param.0), name.span())
}

/// The span of a method's name, for messages.
pub(super) fn name_reach(name: &proc_macro2::Ident) -> Reach {
    Reach { start: name.span(), end: name.span() }
}
