//! Vectors and matrices: operators and methods to operations on their scalars.
//!
//! What is done with which scalars in which order is said by [`crate::linear`]; here stands what the types are. Operators
//! work component by component, with a scalar on every component, but for products with a matrix on the left.
use super::hint::Hint;
use super::task::{Builder, Lower, Val};
use crate::arena::Id;
use crate::body::Value;
use crate::linear::{self, Arithmetic, Method, Roots};
use crate::op::{Op, Operand, Output};
use crate::refusal::Refusal;
use crate::sketch::{Expr, Place};
use crate::source_map::Pos;
use crate::types::{Const, Scalar, Type};

/// True for the operations that vectors have component by component, if at all: rustc says whether they do.
pub(super) fn operates(op: Op) -> bool {
    op.row().output == Output::Same && op.row().operands.iter().all(|operand| *operand == Operand::Same)
}

/// The type of an operation's result; of operands that are literals the type isn't known.
pub(super) fn result(op: Op, operands: &[Option<Type>]) -> Option<Type> {
    match (op, operands) {
        (Op::Mul, [Some(Type::Matrix(scalar, rows, _)), Some(Type::Vector(..))]) => Some(Type::Vector(*scalar, *rows)),
        (Op::Mul, [Some(Type::Matrix(scalar, rows, _)), Some(Type::Matrix(_, _, columns))]) => {
            Some(Type::Matrix(*scalar, *rows, *columns))
        }
        _ => operands.iter().flatten().find(|ty| ty.component().is_some()).cloned(),
    }
}

/// The type of a method's result.
pub(super) fn method_result(method: Method, receiver: &Type, other: Option<&Type>) -> Option<Type> {
    match (method, receiver) {
        (Method::Dot | Method::Norm | Method::NormSquared, Type::Vector(scalar, _))
        | (Method::Determinant, Type::Matrix(scalar, ..)) => Some(Type::Scalar(*scalar)),
        (Method::Cross | Method::Normalize, Type::Vector(..)) | (Method::Inverse, Type::Matrix(..)) => {
            Some(receiver.clone())
        }
        (Method::Outer, Type::Vector(scalar, rows)) => match other {
            Some(Type::Vector(_, columns)) => Some(Type::Matrix(*scalar, *rows, *columns)),
            Some(_) | None => None,
        },
        (Method::Transpose, Type::Matrix(scalar, rows, columns)) => Some(Type::Matrix(*scalar, *columns, *rows)),
        (Method::Splat | Method::Zero | Method::Identity, _) => Some(receiver.clone()),
        (
            Method::Dot
            | Method::Cross
            | Method::Norm
            | Method::NormSquared
            | Method::Normalize
            | Method::Outer
            | Method::Transpose
            | Method::Determinant
            | Method::Inverse,
            _,
        ) => None,
    }
}

/// Scalars of one type in the task being built.
struct Scalars<'b, 'a> {
    builder: &'b mut Builder<'a>,
    ty: Scalar,
    pos: Pos,
}

impl Scalars<'_, '_> {
    fn op(&mut self, op: Op, args: Vec<Id<Value>>) -> Id<Value> {
        self.builder.arithmetic(op, args, self.ty, self.pos)
    }
}

impl Arithmetic for Scalars<'_, '_> {
    type Value = Id<Value>;
    fn add(&mut self, a: Id<Value>, b: Id<Value>) -> Id<Value> {
        self.op(Op::Add, vec![a, b])
    }
    fn sub(&mut self, a: Id<Value>, b: Id<Value>) -> Id<Value> {
        self.op(Op::Sub, vec![a, b])
    }
    fn mul(&mut self, a: Id<Value>, b: Id<Value>) -> Id<Value> {
        self.op(Op::Mul, vec![a, b])
    }
}

impl Roots for Scalars<'_, '_> {
    fn one(&mut self) -> Id<Value> {
        self.builder.constant(number(self.ty, true))
    }
    fn div(&mut self, a: Id<Value>, b: Id<Value>) -> Id<Value> {
        self.op(Op::Div, vec![a, b])
    }
    fn neg(&mut self, a: Id<Value>) -> Id<Value> {
        self.op(Op::Neg, vec![a])
    }
    fn root(&mut self, a: Id<Value>) -> Id<Value> {
        self.op(Op::Sqrt, vec![a])
    }
}

/// 1 or 0 of a type.
fn number(ty: Scalar, one: bool) -> Const {
    let bits = match (one, ty) {
        (true, Scalar::F32) => u128::from(1f32.to_bits()),
        (true, Scalar::F64) => u128::from(1f64.to_bits()),
        (true, Scalar::F16) => u128::from(half::f16::ONE.to_bits()),
        (true, Scalar::Bf16) => u128::from(half::bf16::ONE.to_bits()),
        (one, _) => u128::from(one),
    };
    Const { ty, bits }
}

impl Builder<'_> {
    /// An operator or method that works on the components.
    pub fn linear_operation(&mut self, op: Op, args: &[Id<Expr>], pos: Pos) -> Lower<Val> {
        let component = args.iter().find_map(|arg| self.facts.own(*arg).and_then(Type::component));
        let component = component.ok_or_else(|| self.facts.error(pos, "no operand is a vector"))?;
        let mut operands = Vec::with_capacity(args.len());
        for arg in args {
            operands.push(self.linear_operand(*arg, component)?);
        }
        self.combine(op, &operands.iter().collect::<Vec<_>>(), component, pos)
    }

    /// `place op= value` of a vector or matrix. The operators of types that aren't primitive take the place first.
    pub fn linear_update(&mut self, op: Op, place: &Place, component: Scalar, value: Id<Expr>, pos: Pos) -> Lower<Val> {
        let stored = self.target(place, pos)?;
        let stored = self.checked(stored)?;
        let value = self.linear_operand(value, component)?;
        self.update(&stored, |s, old| Ok(s.combine(op, &[old, &value], component, pos)?.parts))?;
        Ok(Val::UNIT)
    }

    /// An operand; a literal is a scalar.
    pub fn linear_operand(&mut self, arg: Id<Expr>, component: Scalar) -> Lower<Val> {
        let ty = self.facts.own(arg).cloned().unwrap_or(Type::Scalar(component));
        self.expr(arg, &Hint::Type(ty))
    }

    fn combine(&mut self, op: Op, operands: &[&Val], component: Scalar, pos: Pos) -> Lower<Val> {
        let types: Vec<_> = operands.iter().map(|operand| Some(operand.ty.clone())).collect();
        let fits = operates(op) && op.arity() == operands.len() && op.row().receiver.accepts(component);
        let Some(ty) = result(op, &types).filter(|_| fits) else {
            return Err(self.facts.error(pos, format!("`{op}` of {component} components")).into());
        };
        if let (Op::Mul, [Val { ty: Type::Matrix(_, rows, inner), parts: a }, Val { ty: right, parts: b }]) =
            (op, operands)
            && let Some(columns) = match right {
                Type::Vector(..) => Some(1),
                Type::Matrix(_, _, columns) => Some(*columns),
                Type::Scalar(_)
                | Type::Tuple(_)
                | Type::Struct(_)
                | Type::Enum { .. }
                | Type::Fixed(..)
                | Type::Array { .. }
                | Type::Never => None,
            }
        {
            let shape = [*rows, *inner, columns].map(|extent| extent as usize);
            if shape.contains(&0) || b.len() != shape[1] * shape[2] {
                return Err(self.facts.error(pos, format!("a product of {} and {right}", operands[0].ty)).into());
            }
            let mut parts = Vec::with_capacity(shape[0] * shape[2]);
            let mut scalars = Scalars { builder: self, ty: component, pos };
            linear::product(&mut scalars, a, b, shape, |_, value| parts.push(value));
            return Ok(Val { ty, parts });
        }
        let width = self.facts.width(&ty, pos)?;
        let mut parts = Vec::with_capacity(width);
        for part in 0..width {
            let scalar = |operand: &&Val| match operand.ty {
                Type::Scalar(_) => operand.parts.first().copied(),
                _ => operand.parts.get(part).copied(),
            };
            let args: Option<Vec<_>> = operands.iter().map(scalar).collect();
            let args = args.ok_or_else(|| self.facts.error(pos, format!("`{op}` of vectors of unlike length")))?;
            parts.push(self.arithmetic(op, args, component, pos));
        }
        Ok(Val { ty, parts })
    }

    /// `v.dot(w)`, `Matrix::identity()`
    pub fn linear_method(&mut self, method: Method, args: &[Id<Expr>], result: Option<&Type>, pos: Pos) -> Lower<Val> {
        let facts = self.facts;
        if args.len() != method.arity() {
            return Err(facts.error(pos, format!("`{}` of {} operands", method.name(), args.len())).into());
        }
        if let Some(ty) = result {
            return self.linear_value(method, ty, args, pos);
        }
        let mut operands = Vec::with_capacity(args.len());
        for arg in args {
            let ty = operands.first().map(|receiver: &Val| receiver.ty.clone());
            let hint = facts.own(*arg).cloned().or(ty).map_or(Hint::Free, Hint::Type);
            operands.push(self.expr(*arg, &hint)?);
        }
        let [Val { ty: receiver, parts: a }, rest @ ..] = operands.as_slice() else {
            return Err(facts.error(pos, "a method without a receiver").into());
        };
        let other = rest.first();
        let found = receiver.component().zip(method_result(method, receiver, other.map(|other| &other.ty)));
        let Some((component, ty)) = found.filter(|_| !a.is_empty()) else {
            let message =
                format!("`{}` of a value of type `{receiver}`: only vectors and matrices have it", method.name());
            return Err(facts.unsupported(Refusal::Linear, pos, message).into());
        };
        let square = match receiver {
            Type::Matrix(_, rows, columns) if rows == columns && *rows as usize <= linear::LARGEST => *rows as usize,
            _ => 0,
        };
        let b = other.map(|other| other.parts.as_slice()).unwrap_or_default();
        let mut on = Scalars { builder: self, ty: component, pos };
        let parts = match method {
            Method::Dot if b.len() == a.len() => vec![linear::dot(&mut on, a.iter().copied().zip(b.iter().copied()))],
            Method::NormSquared => vec![linear::dot(&mut on, a.iter().map(|x| (*x, *x)))],
            Method::Norm if component.is_float() => vec![linear::norm(&mut on, a)],
            Method::Normalize if component.is_float() => {
                let mut parts = a.clone();
                linear::normalize(&mut on, &mut parts);
                parts
            }
            Method::Cross => match (a.as_slice(), b) {
                (&[a0, a1, a2], &[b0, b1, b2]) => linear::cross(&mut on, [a0, a1, a2], [b0, b1, b2]).to_vec(),
                _ => return Err(facts.error(pos, format!("`cross` of {receiver}")).into()),
            },
            Method::Outer => {
                let mut parts = Vec::with_capacity(a.len() * b.len());
                linear::product(&mut on, a, b, [a.len(), 1, b.len()], |_, value| parts.push(value));
                parts
            }
            Method::Transpose => {
                let columns = match receiver {
                    Type::Matrix(_, _, columns) => *columns as usize,
                    _ => 1,
                };
                (0..columns).flat_map(|c| a.iter().skip(c).step_by(columns).copied()).collect()
            }
            Method::Determinant if square > 0 => vec![linear::determinant(&mut on, a, square)],
            Method::Inverse if square > 0 && component.is_float() => {
                let mut parts = Vec::with_capacity(a.len());
                linear::inverse(&mut on, a, square, |_, value| parts.push(value));
                parts
            }
            Method::Dot
            | Method::Norm
            | Method::Normalize
            | Method::Determinant
            | Method::Inverse
            | Method::Splat
            | Method::Zero
            | Method::Identity => return Err(facts.error(pos, format!("`{}` of {receiver}", method.name())).into()),
        };
        Ok(Val { ty, parts })
    }

    /// `Vector::splat(x)`, `Matrix::zero()`, `Matrix::identity()`
    fn linear_value(&mut self, method: Method, ty: &Type, args: &[Id<Expr>], pos: Pos) -> Lower<Val> {
        let facts = self.facts;
        let Some(component) = ty.component() else {
            let message = format!("`{ty}::{}`: only vectors and matrices have it", method.name());
            return Err(facts.unsupported(Refusal::Linear, pos, message).into());
        };
        let width = facts.width(ty, pos)?;
        let parts = match (method, ty, args) {
            (Method::Splat, _, [value]) => vec![self.scalar(*value, component)?; width],
            (Method::Zero, ..) => vec![self.constant(number(component, false)); width],
            (Method::Identity, Type::Matrix(_, _, columns), _) => {
                let ends = [false, true].map(|one| self.constant(number(component, one)));
                let columns = *columns as usize;
                (0..width).map(|at| ends[usize::from(at / columns == at % columns)]).collect()
            }
            _ => return Err(facts.error(pos, format!("`{}` of {ty}", method.name())).into()),
        };
        Ok(Val { ty: ty.clone(), parts })
    }
}
