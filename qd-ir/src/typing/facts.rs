//! What is known before the walk: types of parameters, locals and constants, and of every expression whose type its
//! own parts give.
mod indices;
mod lists;

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use lists::List;

use super::hint::Hint;
use super::linear;
use super::{LocalId, TypeError};
use crate::arena::Id;
use crate::op::{Form, Op, Operand, Output};
use crate::plan::Param;
use crate::refusal::Refusal;
use crate::sketch::{
    Block, Bracket, Callee, CalleeId, ConstId, Constant, Domain, Expr, ExprKind, Member, ParamId, ParamKind, Pattern,
    Place, Projection, Saying, Sketch, TapId, TypeName, Types,
};
use crate::source_map::{Origin, Pos, Spot};
use crate::types::{ArrayType, Scalar, Type};

/// The sketch with its types.
pub(super) struct Facts<'a> {
    pub sketch: &'a Sketch,
    types: &'a Types,
    pub params: Vec<Param>,
    pub result: Type,
    /// `None` for the kernel itself.
    pub func: Option<FuncFacts<'a>>,
    callees: Vec<Option<Rc<Facts<'a>>>>,
    locals: Vec<Option<Type>>,
    /// For each local: a part of it is named by an index that is known only at run time.
    indexed: Vec<bool>,
    /// For each local the lists of its scalars between which contributions of parallel loops choose.
    lists: Vec<Vec<List>>,
    /// For each local: a parallel loop combines values into it that may overflow.
    overflows: Vec<bool>,
    /// The type of each expression that needs nothing from outside; `None` where a literal leaves it open.
    own: Vec<Own>,
    /// Expressions whose types are compared with rustc's.
    witnesses: HashMap<Id<Expr>, TapId>,
}

/// What a function has beside its sketch.
pub(super) struct FuncFacts<'a> {
    pub body: &'a Block,
    /// What its positions are in.
    pub origin: Arc<Origin>,
    /// What fails in it fails where it is called.
    pub tracked: bool,
}

/// The facts of the functions met so far: one that is called in several places has them once.
type Known<'a> = HashMap<*const Callee, Rc<Facts<'a>>>;

#[derive(Clone)]
enum Own {
    Unvisited,
    Open,
    Type(Type),
}

impl<'a> Facts<'a> {
    /// Collects the facts of a kernel and of all functions that it reaches.
    pub fn new(sketch: &'a Sketch, types: &'a Types) -> Result<Self, TypeError> {
        Facts::collect(sketch, types, None, &mut Known::new())
    }

    fn of_callee(callee: &'a Arc<Callee>, known: &mut Known<'a>) -> Result<Rc<Self>, TypeError> {
        if let Some(facts) = known.get(&Arc::as_ptr(callee)) {
            return Ok(facts.clone());
        }
        let Callee { file, tracked, func, types } = callee.as_ref();
        let origin = Arc::new(Origin { name: func.code.name.clone(), file: file.clone() });
        let func_facts = FuncFacts { body: &func.body, origin, tracked: *tracked };
        let facts = Rc::new(Facts::collect(&func.code, types, Some(func_facts), known)?);
        known.insert(Arc::as_ptr(callee), facts.clone());
        Ok(facts)
    }

    fn collect(
        sketch: &'a Sketch,
        types: &'a Types,
        func: Option<FuncFacts<'a>>,
        known: &mut Known<'a>,
    ) -> Result<Self, TypeError> {
        let callees = types
            .callees
            .iter()
            .map(|callee| callee.as_ref().map(|callee| Facts::of_callee(callee, known)).transpose())
            .collect::<Result<_, _>>()?;
        let mut facts = Facts {
            sketch,
            types,
            params: Vec::new(),
            result: types.result.clone().unwrap_or(Type::UNIT),
            func,
            callees,
            locals: vec![None; sketch.locals.len()],
            indexed: vec![false; sketch.locals.len()],
            lists: vec![Vec::new(); sketch.locals.len()],
            overflows: vec![false; sketch.locals.len()],
            own: vec![Own::Unvisited; sketch.exprs.len()],
            witnesses: sketch.witnesses.iter().copied().collect(),
        };
        if sketch.params.len() != types.params.len() {
            let message = format!("{} parameters, {} types", sketch.params.len(), types.params.len());
            return Err(facts.error(Pos::default(), message));
        }
        for (id, local) in sketch.locals.iter() {
            if let Some(tap) = local.tap {
                facts.locals[id.index()] = Some(facts.tap(tap, local.pos)?.clone());
            }
        }
        let mut word = 0;
        for (source, ty) in sketch.params.iter().zip(&types.params) {
            let param = Param { name: source.name.clone(), ty: ty.clone(), word };
            word += param.words();
            facts.params.push(param);
            match (&source.kind, ty) {
                (ParamKind::Array, Type::Array { .. }) => {}
                (
                    ParamKind::Value(pattern) | ParamKind::Specialized(pattern),
                    Type::Scalar(_)
                    | Type::Tuple(_)
                    | Type::Struct(_)
                    | Type::Enum { .. }
                    | Type::Fixed(..)
                    | Type::Vector(..)
                    | Type::Matrix(..),
                ) => {
                    for (local, ty, _) in facts.bindings(pattern, ty, source.pos)? {
                        if facts.locals[local.index()].as_ref().is_some_and(|tapped| *tapped != ty) {
                            return Err(facts.error(source.pos, "the type of a parameter and that of its tap differ"));
                        }
                        facts.locals[local.index()] = Some(ty);
                    }
                }
                (ParamKind::Reference(_), Type::Array { .. }) => {}
                (
                    ParamKind::Reference(local),
                    Type::Scalar(_)
                    | Type::Tuple(_)
                    | Type::Struct(_)
                    | Type::Enum { .. }
                    | Type::Fixed(..)
                    | Type::Vector(..)
                    | Type::Matrix(..),
                ) => facts.locals[local.index()] = Some(ty.clone()),
                (
                    ParamKind::Array,
                    Type::Scalar(_)
                    | Type::Tuple(_)
                    | Type::Struct(_)
                    | Type::Enum { .. }
                    | Type::Fixed(..)
                    | Type::Vector(..)
                    | Type::Matrix(..)
                    | Type::Never,
                )
                | (ParamKind::Value(_) | ParamKind::Specialized(_), Type::Array { .. } | Type::Never)
                | (ParamKind::Reference(_), Type::Never)
                | (ParamKind::Field { .. }, _) => {
                    return Err(facts.error(source.pos, format!("parameter `{}` has type {ty}", source.name)));
                }
            }
        }
        for (id, _) in sketch.exprs.iter() {
            facts.visit(id);
            facts.note_indices(id);
        }
        Ok(facts)
    }

    /// A disagreement of macro, rustc and typing.
    pub fn error(&self, pos: Pos, message: impl Into<String>) -> TypeError {
        TypeError { kernel: self.sketch.name.clone(), pos, message: message.into(), refusal: None }
    }

    /// Something that only the types show not to be part of the language.
    pub fn unsupported(&self, refusal: Refusal, pos: Pos, message: impl Into<String>) -> TypeError {
        TypeError { refusal: Some(refusal), ..self.error(pos, message) }
    }

    /// The error for two types that should be one.
    pub fn mismatch(&self, pos: Pos, wanted: &impl std::fmt::Display, found: &impl std::fmt::Display) -> TypeError {
        self.error(pos, format!("rustc's type is {wanted}, qd's is {found}"))
    }

    /// Checks that rustc's type is ours.
    pub fn same(&self, pos: Pos, wanted: &Type, found: &Type) -> Result<(), TypeError> {
        if wanted == found { Ok(()) } else { Err(self.mismatch(pos, wanted, found)) }
    }

    /// Where an expression stands.
    pub fn pos(&self, expr: Id<Expr>) -> Pos {
        self.sketch.exprs[expr].pos
    }

    /// Where a panic about an index points. To rustc the index of a slice or a fixed array is part of the language, and
    /// any other a call.
    pub fn index_pos(&self, index: Id<Expr>, call: bool, otherwise: Pos) -> Pos {
        self.bracket(index).map_or(otherwise, |bracket| if call { bracket.open } else { bracket.base })
    }

    /// True if rustc indexes the array itself.
    pub fn is_slice(&self, param: ParamId) -> bool {
        self.types.slices.contains(&param)
    }

    /// True if both indices stand in one bracket.
    pub fn is_one_bracket(&self, first: Id<Expr>, second: Id<Expr>) -> bool {
        self.bracket(first).is_some_and(|bracket| self.bracket(second) == Some(bracket))
    }

    fn bracket(&self, index: Id<Expr>) -> Option<Bracket> {
        let brackets = &self.sketch.brackets;
        brackets.binary_search_by_key(&index, |(index, _)| *index).ok().map(|found| brackets[found].1)
    }

    /// The type rustc reported for a tap.
    pub fn tap(&self, tap: TapId, pos: Pos) -> Result<&Type, TypeError> {
        let missing = || self.error(pos, format!("rustc reported no type for tap {}", tap.0));
        self.types.taps.get(tap.0 as usize).ok_or_else(missing)
    }

    /// Checks the type of an expression that is compared with rustc's.
    pub fn witness(&self, expr: Id<Expr>, found: &Type) -> Result<(), TypeError> {
        match self.witnesses.get(&expr) {
            Some(tap) => self.same(self.pos(expr), self.tap(*tap, self.pos(expr))?, found),
            None => Ok(()),
        }
    }

    /// The type of a local.
    pub fn local(&self, local: LocalId, pos: Pos) -> Result<&Type, TypeError> {
        let missing = || self.error(pos, format!("`{}` has no type", self.sketch.locals[local].name));
        self.locals[local.index()].as_ref().ok_or_else(missing)
    }

    /// A constant named by path.
    pub fn constant(&self, id: ConstId, pos: Pos) -> Result<&Constant, TypeError> {
        let missing = || self.error(pos, format!("constant {} has no value", id.0));
        self.types.consts.get(id.0 as usize).ok_or_else(missing)
    }

    /// The words of the specialised parameters.
    pub fn baked(&self) -> &[u64] {
        &self.types.baked
    }

    /// A function that is called.
    pub fn callee(&self, id: CalleeId, pos: Pos) -> Result<&Facts<'a>, TypeError> {
        let missing = || self.error(pos, format!("rustc reported no function for call {}", id.0));
        self.callees.get(id.0 as usize).and_then(Option::as_deref).ok_or_else(missing)
    }

    /// The function of an operation or update, if it is one of a type of the user.
    pub fn operator(&self, expr: Id<Expr>) -> Option<CalleeId> {
        let operators = &self.sketch.operators;
        let at = operators.binary_search_by_key(&expr, |(expr, _)| *expr).ok()?;
        let callee = operators[at].1;
        self.callees.get(callee.0 as usize)?.as_ref().map(|_| callee)
    }

    /// True if rustc makes a call of an update, so that the place comes before the value.
    pub fn place_first(&self, expr: Id<Expr>) -> bool {
        let orders = &self.sketch.orders;
        let found = orders.binary_search_by_key(&expr, |(expr, _)| *expr).ok();
        found.and_then(|at| self.types.place_first.get(orders[at].1.0 as usize)).is_some_and(|first| *first)
    }

    /// True for an integer literal; with a sign in front it is still one.
    pub fn is_int_literal(&self, expr: Id<Expr>) -> bool {
        match &self.sketch.exprs[expr].kind {
            ExprKind::Int { .. } => true,
            ExprKind::Tapped { tap: _, value } => self.is_int_literal(*value),
            _ => false,
        }
    }

    /// Where a position of this code is.
    pub fn spot(&self, pos: Pos) -> Spot {
        Spot { pos, func: self.func.as_ref().map(|func| func.origin.clone()) }
    }

    /// The type of an array parameter.
    pub fn array(&self, param: ParamId, pos: Pos) -> Result<&ArrayType, TypeError> {
        let missing = || self.error(pos, format!("parameter {} is no array", param.0));
        self.params.get(param.0 as usize).and_then(Param::array).ok_or_else(missing)
    }

    /// The local for which a parameter that is a reference to a value stands.
    pub fn reference(&self, param: ParamId, pos: Pos) -> Result<LocalId, TypeError> {
        match self.sketch.params.get(param.0 as usize).map(|param| &param.kind) {
            Some(ParamKind::Reference(local)) => Ok(*local),
            Some(ParamKind::Array | ParamKind::Value(_) | ParamKind::Specialized(_) | ParamKind::Field { .. })
            | None => Err(self.error(pos, format!("parameter {} is no reference to a value", param.0))),
        }
    }

    /// True if the local stands for what a reference refers to.
    pub fn is_reference(&self, local: LocalId) -> bool {
        self.sketch.params.iter().any(|param| param.kind == ParamKind::Reference(local))
    }

    /// The type of an array parameter's elements.
    pub fn element(&self, param: ParamId, pos: Pos) -> Result<&Type, TypeError> {
        let missing = || self.error(pos, format!("parameter {} is no array", param.0));
        let array = self.params.get(param.0 as usize).and_then(|param| param.ty.as_array());
        array.map(|(_, element)| element).ok_or_else(missing)
    }

    /// The type of what an index leads to: of an array, or in a function of the fixed array that a reference stands for.
    pub fn indexed_type(&self, param: ParamId, index: &[Id<Expr>], pos: Pos) -> Result<Type, TypeError> {
        if self.array(param, pos).is_ok() {
            return self.element(param, pos).cloned();
        }
        let ty = self.local(self.reference(param, pos)?, pos)?.clone();
        index.iter().try_fold(ty, |ty, _| self.elements(&ty, pos).map(|(ty, _)| ty))
    }

    /// True if the local must be a list in memory: a part of it is named by an index known only at run time.
    pub fn is_indexed(&self, local: LocalId) -> bool {
        self.indexed[local.index()]
    }

    /// The list that a scalar of the local is reduced in, if an index at run time chooses it.
    pub fn list(&self, local: LocalId, scalar: usize) -> Option<&List> {
        self.lists[local.index()].iter().find(|list| list.holds(scalar))
    }

    /// The scalars of a key, of which a parallel loop finds the extreme.
    pub fn key(&self, ty: &Type, pos: Pos) -> Result<Vec<Scalar>, TypeError> {
        let scalars = ty.flatten().filter(|_| !ty.holds_struct() && !ty.holds_enum() && ty.component().is_none());
        match scalars {
            Some(scalars) if scalars.len() == 1 || !scalars.is_empty() && !scalars.iter().any(|ty| ty.is_float()) => {
                Ok(scalars)
            }
            Some(_) | None => Err(self.unsupported(
                Refusal::Extreme,
                pos,
                format!(
                    "the extreme of keys of type `{ty}` over a parallel loop: a key is a number, or a tuple of integers \
                     and `bool`; compare one number, and assign the rest beside it"
                ),
            )),
        }
    }

    /// A scalar type named in the source.
    pub fn type_name(&self, name: TypeName, pos: Pos) -> Result<Scalar, TypeError> {
        match name {
            TypeName::Scalar(s) => Ok(s),
            TypeName::Tap(tap) => {
                let ty = self.tap(tap, pos)?;
                ty.as_scalar().ok_or_else(|| self.error(pos, format!("{ty} is no scalar type")))
            }
        }
    }

    /// The type a value is converted to.
    pub fn target(&self, name: TypeName, pos: Pos) -> Result<Type, TypeError> {
        match name {
            TypeName::Scalar(s) => Ok(Type::Scalar(s)),
            TypeName::Tap(tap) => self.tap(tap, pos).cloned(),
        }
    }

    /// Number of scalars of a type.
    pub fn width(&self, ty: &Type, pos: Pos) -> Result<usize, TypeError> {
        ty.flatten().map(|s| s.len()).ok_or_else(|| self.error(pos, format!("a value of type {ty}")))
    }

    /// The named part of a tuple, struct or fixed array, with the range of its scalars.
    pub fn field(&self, ty: &Type, member: &Member, pos: Pos) -> Result<(Type, Range<usize>), TypeError> {
        if let Member::Back(back) = member {
            let missing = || self.error(pos, format!("{ty} has no {} parts", u64::from(*back) + 1));
            return self.field(ty, &from_the_end(ty, *back).ok_or_else(missing)?, pos);
        }
        let found = match (ty, member) {
            (Type::Tuple(parts), Member::Index(index)) => parts.get(*index as usize).map(|part| {
                let before = &parts[..*index as usize];
                (part, before.iter().map(|part| self.width(part, pos)).sum::<Result<usize, _>>())
            }),
            (Type::Struct(of), _) => {
                let name = member.to_string();
                of.fields.iter().position(|(field, _)| *field == name).map(|at| {
                    let before = &of.fields[..at];
                    (&of.fields[at].1, before.iter().map(|(_, part)| self.width(part, pos)).sum())
                })
            }
            (Type::Vector(scalar, len), Member::Name(name)) => {
                let at = ["x", "y", "z", "w"].iter().position(|known| known == name).filter(|at| *at < *len as usize);
                let Some(at) = at else { return Err(self.error(pos, format!("{ty} has no component `{name}`"))) };
                return Ok((Type::Scalar(*scalar), at..at + 1));
            }
            (Type::Fixed(element, len), Member::Index(index)) if index < len => {
                let width = self.width(element, pos)?;
                let start = *index as usize * width;
                return Ok((Type::clone(element), start..start + width));
            }
            (
                Type::Tuple(_)
                | Type::Scalar(_)
                | Type::Enum { .. }
                | Type::Fixed(..)
                | Type::Vector(..)
                | Type::Matrix(..)
                | Type::Array { .. }
                | Type::Never,
                _,
            ) => None,
        };
        let Some((part, start)) = found else {
            return Err(self.error(pos, format!("{ty} has no part `{member}`")));
        };
        let start = start?;
        Ok((part.clone(), start..start + self.width(part, pos)?))
    }

    /// The type of the elements of a fixed array, vector or matrix, and their number.
    pub fn elements(&self, ty: &Type, pos: Pos) -> Result<(Type, u32), TypeError> {
        let message = || format!("an index into a value of type `{ty}`, which is no array: name a field");
        ty.elements().ok_or_else(|| self.unsupported(Refusal::NoArray, pos, message()))
    }

    /// The type of what a path leads to.
    pub fn projected(&self, ty: &Type, path: &[Projection], pos: Pos) -> Result<Type, TypeError> {
        path.iter().try_fold(ty.clone(), |ty, step| match step {
            Projection::Field(member) => self.field(&ty, member, pos).map(|(ty, _)| ty),
            Projection::Index(_) => self.elements(&ty, pos).map(|(ty, _)| ty),
        })
    }

    /// The names a pattern binds in a value of type `ty`, each with its type and the range of its scalars.
    pub fn bindings(
        &self,
        pattern: &Pattern,
        ty: &Type,
        pos: Pos,
    ) -> Result<Vec<(LocalId, Type, Range<usize>)>, TypeError> {
        match (pattern, ty) {
            (Pattern::Wild, _) => Ok(Vec::new()),
            (Pattern::Bind(local), _) => Ok(vec![(*local, ty.clone(), 0..self.width(ty, pos)?)]),
            (Pattern::Tuple(patterns), Type::Tuple(parts)) if patterns.len() == parts.len() => {
                let mut bound = Vec::new();
                let mut start = 0;
                for (pattern, part) in patterns.iter().zip(parts) {
                    let inner = self.bindings(pattern, part, pos)?;
                    bound.extend(inner.into_iter().map(|(l, t, r)| (l, t, r.start + start..r.end + start)));
                    start += self.width(part, pos)?;
                }
                Ok(bound)
            }
            (Pattern::Struct(fields), _) => {
                let mut bound = Vec::new();
                for (member, pattern) in fields {
                    let (part, range) = self.field(ty, member, pos)?;
                    let inner = self.bindings(pattern, &part, pos)?;
                    bound.extend(inner.into_iter().map(|(l, t, r)| (l, t, r.start + range.start..r.end + range.start)));
                }
                Ok(bound)
            }
            (Pattern::Fixed(patterns), Type::Fixed(element, len)) if patterns.len() == *len as usize => {
                let width = self.width(element, pos)?;
                let mut bound = Vec::new();
                for (at, pattern) in patterns.iter().enumerate() {
                    let inner = self.bindings(pattern, element, pos)?;
                    bound.extend(inner.into_iter().map(|(l, t, r)| (l, t, r.start + at * width..r.end + at * width)));
                }
                Ok(bound)
            }
            (Pattern::Tuple(_) | Pattern::Fixed(_), _) => {
                Err(self.error(pos, format!("a pattern of another shape than {ty}")))
            }
        }
    }

    /// What the taps of a pattern's bindings say about its value.
    pub fn pattern_hint(&self, pattern: &Pattern) -> Result<Hint, TypeError> {
        match pattern {
            Pattern::Wild => Ok(Hint::Free),
            Pattern::Bind(local) => Ok(Hint::Type(self.local(*local, self.sketch.locals[*local].pos)?.clone())),
            Pattern::Tuple(parts) => {
                Ok(Hint::Tuple(parts.iter().map(|p| self.pattern_hint(p)).collect::<Result<_, _>>()?))
            }
            // Values of such types have one of their own.
            Pattern::Struct(_) | Pattern::Fixed(_) => Ok(Hint::Free),
        }
    }

    /// What a place says about the value assigned to it.
    pub fn place_hint(&self, place: &Place, pos: Pos) -> Result<Hint, TypeError> {
        match place {
            Place::Wild => Ok(Hint::Free),
            Place::Local(local) => Ok(Hint::Type(self.local(*local, pos)?.clone())),
            Place::Part(local, path) => Ok(Hint::Type(self.projected(self.local(*local, pos)?, path, pos)?)),
            Place::Element { array, index, path } => {
                Ok(Hint::Type(self.projected(&self.indexed_type(*array, index, pos)?, path, pos)?))
            }
            Place::Tuple(parts) => {
                Ok(Hint::Tuple(parts.iter().map(|p| self.place_hint(p, pos)).collect::<Result<_, _>>()?))
            }
        }
    }

    /// The type of the loop variable of a range.
    pub fn range_type(&self, domain: &Domain, pattern: &Pattern, pos: Pos) -> Result<Scalar, TypeError> {
        let ty = match (domain, pattern) {
            (Domain::Range { tap: Some(tap), .. }, _) => self.tap(*tap, pos)?,
            (_, Pattern::Bind(local)) => self.local(*local, pos)?,
            (
                Domain::Range { .. } | Domain::Steps(_) | Domain::Indices(_) | Domain::Segments(_) | Domain::Ndrange(_),
                Pattern::Wild | Pattern::Tuple(_) | Pattern::Struct(_) | Pattern::Fixed(_),
            ) => {
                return Err(self.error(pos, "a range whose variable has no type"));
            }
        };
        self.range_of(ty, pos)
    }

    /// The type of a loop variable of the plan.
    pub fn integer(&self, local: LocalId, pos: Pos) -> Result<Scalar, TypeError> {
        self.range_of(self.local(local, pos)?, pos)
    }

    fn range_of(&self, ty: &Type, pos: Pos) -> Result<Scalar, TypeError> {
        match ty.as_scalar() {
            Some(s) if s.is_int() => Ok(s),
            Some(_) | None => Err(self.error(pos, format!("a range of {ty}"))),
        }
    }

    /// The type an expression has by itself; `None` if that depends on where it stands.
    pub fn own(&self, expr: Id<Expr>) -> Option<&Type> {
        match &self.own[expr.index()] {
            Own::Type(ty) => Some(ty),
            Own::Open | Own::Unvisited => None,
        }
    }

    fn visit(&mut self, expr: Id<Expr>) -> Option<Type> {
        match &self.own[expr.index()] {
            Own::Type(ty) => return Some(ty.clone()),
            Own::Open => return None,
            Own::Unvisited => {}
        }
        // Marked before its parts: a malformed, circular sketch ends here.
        self.own[expr.index()] = Own::Open;
        let found = self.derive(expr)?;
        self.own[expr.index()] = Own::Type(found.clone());
        Some(found)
    }

    fn visit_block(&mut self, block: &Block) -> Option<Type> {
        block.tail.and_then(|tail| self.visit(tail))
    }

    fn derive(&mut self, expr: Id<Expr>) -> Option<Type> {
        let sketch = self.sketch;
        let pos = self.pos(expr);
        if let Some(callee) = self.operator(expr) {
            return self.callee(callee, pos).ok().map(|callee| callee.result.clone());
        }
        match &sketch.exprs[expr].kind {
            ExprKind::Int { value: _, suffix } => suffix.map(Type::Scalar),
            ExprKind::Float { digits: _, suffix } => suffix.map(Type::Scalar),
            ExprKind::Bool(_) | ExprKind::LazyAnd(..) | ExprKind::LazyOr(..) => Some(Type::Scalar(Scalar::Bool)),
            ExprKind::Local(local) => self.locals[local.index()].clone(),
            ExprKind::Const(id) => self.constant(*id, pos).ok().map(|c| c.ty.clone()),
            ExprKind::Tapped { tap, value: _ } => self.tap(*tap, pos).ok().cloned(),
            ExprKind::Op { op, args } if linear::operates(*op) && self.visit_linear(args) => {
                linear::result(*op, &args.iter().map(|arg| self.visit(*arg)).collect::<Vec<_>>())
            }
            ExprKind::Op { op, args } => match op.row().output {
                Output::Bool => Some(Type::Scalar(Scalar::Bool)),
                Output::U32 => Some(Type::Scalar(Scalar::U32)),
                Output::Same | Output::Unsigned | Output::Float | Output::Half | Output::Given => {
                    match self.visit_receiver(*op, args)? {
                        Type::Scalar(receiver) => op.output(receiver).map(Type::Scalar),
                        // `min`, `max` and `clamp`.
                        list @ (Type::Tuple(_) | Type::Fixed(..)) => Some(list),
                        Type::Vector(..)
                        | Type::Matrix(..)
                        | Type::Struct(_)
                        | Type::Enum { .. }
                        | Type::Array { .. }
                        | Type::Never => None,
                    }
                }
            },
            ExprKind::Function { ty, op, args: _ } => {
                let ty = self.type_name(*ty, pos).ok()?;
                function_output(*op, ty).map(Type::Scalar)
            }
            ExprKind::Cast { value: _, to } => self.target(*to, pos).ok(),
            ExprKind::Linear { method, args, tap } => match tap {
                Some(tap) => self.tap(*tap, pos).ok().cloned(),
                None => {
                    let receiver = self.visit(*args.first()?)?;
                    let other = args.get(1).and_then(|arg| self.visit(*arg));
                    linear::method_result(*method, &receiver, other.as_ref())
                }
            },
            ExprKind::Load { array, index } => self.indexed_type(*array, index, pos).ok(),
            ExprKind::Atomic { array, index, path, .. } | ExprKind::CompareExchange { array, index, path, .. } => {
                self.projected(&self.indexed_type(*array, index, pos).ok()?, path, pos).ok()
            }
            ExprKind::Len(_) | ExprKind::Extent(..) | ExprKind::Count(_) => Some(Type::Scalar(Scalar::Usize)),
            ExprKind::Tuple(parts) => parts.iter().map(|p| self.visit(*p)).collect::<Option<Vec<_>>>().map(Type::Tuple),
            ExprKind::Field(value, member) => {
                let ty = self.visit(*value)?;
                self.field(&ty, member, pos).ok().map(|(ty, _)| ty)
            }
            ExprKind::Index(value, _) => {
                let ty = self.visit(*value)?;
                self.elements(&ty, pos).ok().map(|(ty, _)| ty)
            }
            ExprKind::Struct { tap, .. }
            | ExprKind::Fixed { tap, .. }
            | ExprKind::Repeat { tap, .. }
            | ExprKind::Start { tap, .. } => self.tap(*tap, pos).ok().cloned(),
            ExprKind::Block(block) => self.visit_block(block),
            ExprKind::If { cond: _, then, otherwise } => {
                let otherwise = (*otherwise)?;
                self.visit_block(then).or_else(|| self.visit(otherwise))
            }
            ExprKind::Loop { label: _, body: _, tap } => tap.and_then(|tap| self.tap(tap, pos).ok().cloned()),
            ExprKind::While { .. }
            | ExprKind::For { .. }
            | ExprKind::Scatter { .. }
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Contribute { .. }
            | ExprKind::Say { what: Saying::Print, .. } => Some(Type::UNIT),
            ExprKind::Call { callee, .. } => self.callee(*callee, pos).ok().map(|callee| callee.result.clone()),
            ExprKind::Break { .. }
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Say { what: Saying::Panic, .. } => None,
        }
    }

    /// True if one of the operands is a vector or matrix.
    fn visit_linear(&mut self, args: &[Id<Expr>]) -> bool {
        args.iter().any(|arg| self.visit(*arg).is_some_and(|ty| ty.component().is_some()))
    }

    /// True if one of the operands of an operation is a vector or matrix.
    pub fn is_linear(&self, args: &[Id<Expr>]) -> bool {
        args.iter().any(|arg| self.own(*arg).is_some_and(|ty| ty.component().is_some()))
    }

    /// The receiver's type from the operands that share it.
    fn visit_receiver(&mut self, op: Op, args: &[Id<Expr>]) -> Option<Type> {
        sharing(op, args).find_map(|arg| self.visit(arg))
    }

    /// The type of the operands of an operation on tuples or fixed arrays.
    pub fn tuple_operands(&self, op: Op, args: &[Id<Expr>]) -> Option<&Type> {
        sharing(op, args).find_map(|arg| self.own(arg)).filter(|ty| {
            matches!(ty, Type::Tuple(_) | Type::Enum { .. } | Type::Fixed(..) | Type::Vector(..) | Type::Matrix(..))
        })
    }

    /// The receiver's type of an operation that stands where `hint` says.
    pub fn receiver(&self, op: Op, args: &[Id<Expr>], hint: &Hint, pos: Pos) -> Result<Scalar, TypeError> {
        if args.len() != op.arity() {
            return Err(self.error(pos, format!("`{op}` with {} operands", args.len())));
        }
        let open = |ty: &Type| {
            self.unsupported(
                Refusal::Scalars,
                pos,
                format!("`{op}` of values of type `{ty}`: apply it to their scalars, one by one"),
            )
        };
        if let Some(ty) = sharing(op, args).find_map(|arg| self.own(arg)) {
            return ty.as_scalar().ok_or_else(|| open(ty));
        }
        // rustc refuses a method on a literal of no known type, so only operators get here.
        if op.row().form != Form::Operator {
            return Err(self.error(pos, format!("`{op}` of a receiver without a type")));
        }
        let float = self.has_float_literal(args[0]);
        let hint = match op.row().output {
            Output::Same if matches!(op, Op::Neg | Op::Not) => hint.clone(),
            Output::Same => hint.without_cast(),
            // The operands of a comparison are constrained by each other only.
            Output::Bool | Output::U32 | Output::Unsigned | Output::Float | Output::Half | Output::Given => Hint::Free,
        };
        // `bool` operands always have a type of their own, except where they diverge.
        hint.literal(float).ok_or_else(|| self.mismatch(pos, &hint, &"a number"))
    }

    /// True if the open expression is a float.
    fn has_float_literal(&self, expr: Id<Expr>) -> bool {
        let in_block = |block: &Block| block.tail.is_some_and(|tail| self.has_float_literal(tail));
        match &self.sketch.exprs[expr].kind {
            ExprKind::Float { .. } => true,
            ExprKind::Op { op: _, args } => args.first().is_some_and(|a| self.has_float_literal(*a)),
            ExprKind::Block(block) => in_block(block),
            ExprKind::If { cond: _, then, otherwise } => {
                in_block(then) || otherwise.is_some_and(|e| self.has_float_literal(e))
            }
            ExprKind::Int { .. }
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
}

/// The part that is so many from the end.
fn from_the_end(ty: &Type, back: u32) -> Option<Member> {
    let index = |len: usize| len.checked_sub(back as usize + 1);
    match ty {
        Type::Tuple(parts) => index(parts.len()).map(|at| Member::Index(at as u32)),
        Type::Fixed(_, len) => index(*len as usize).map(|at| Member::Index(at as u32)),
        Type::Struct(of) => index(of.fields.len()).map(|at| Member::Name(of.fields[at].0.clone())),
        Type::Scalar(_)
        | Type::Enum { .. }
        | Type::Vector(..)
        | Type::Matrix(..)
        | Type::Array { .. }
        | Type::Never => None,
    }
}

/// The operands that have the receiver's type, the receiver first.
fn sharing(op: Op, args: &[Id<Expr>]) -> impl Iterator<Item = Id<Expr>> {
    let same = move |i: usize| i == 0 || op.row().operands.get(i - 1) == Some(&Operand::Same);
    args.iter().enumerate().filter(move |(i, _)| same(*i)).map(|(_, arg)| *arg)
}

/// The receiver of `ty::op(..)`: for `f32::from_bits` and `f16::from_f64` the type named is the result's.
pub(super) fn function_receiver(op: Op, ty: Scalar) -> Scalar {
    match op.row().output {
        Output::Float => ty.unsigned(),
        Output::Half => Scalar::F64,
        Output::Same | Output::Bool | Output::U32 | Output::Unsigned | Output::Given => ty,
    }
}

/// The result of `ty::op(..)`.
pub(super) fn function_output(op: Op, ty: Scalar) -> Option<Scalar> {
    match op.row().output {
        Output::Float | Output::Half => Some(ty),
        Output::Same | Output::Bool | Output::U32 | Output::Unsigned | Output::Given => op.output(ty),
    }
}
