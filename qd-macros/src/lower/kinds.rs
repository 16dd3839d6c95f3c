//! Which expressions surely are of one type, whatever it is: elements of one array, one field of what is of one type.
//!
//! What rustc was asked of such a type it isn't asked again: a variable takes the tap of another one, a call of a method the
//! callee of another call. That makes no type of ours: to say too little costs rustc's time, and nothing is said of what
//! may be a reference, in whose place its referent stands in the sketch. Types are compared where it says so, too, with the
//! feature `tap-all`.
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use qd_ir::arena::Id;
use qd_ir::op::{Form, Op, Output};
use qd_ir::sketch::{CalleeId, ConstId, Domain, Expr, ExprKind, Local, Member, ParamId, Pattern, Place, Projection};
use qd_ir::sketch::{TapId, TypeName};
use qd_ir::types::Scalar;

use super::{Lower, Own};

/// A type: equal ones are one type, others may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind(u32);

/// Where a type is from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Scalar(Scalar),
    Const(ConstId),
    /// Of an array's elements.
    Element(ParamId),
    Tuple(Vec<Kind>),
    Field(Kind, Step),
    /// Of the elements of a fixed array, the parts of a vector, the rows of a matrix.
    Index(Kind),
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Index(u32),
    Name(String),
}

/// An operand, as far as it decides what an operator is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Operand {
    Of(Kind),
    /// A literal without a type takes the one that the other operand gives it.
    Integer,
    Float,
}

/// A variable and its name in the copy.
pub(super) type Bound = (Id<Local>, Ident);

/// What is known of the types of a body.
#[derive(Default)]
pub(super) struct Kinds {
    /// How many there are.
    count: u32,
    /// Those that are met again.
    known: BTreeMap<Origin, Kind>,
    /// Beside the expressions; none where it may be a reference.
    exprs: Vec<Option<Kind>>,
    locals: BTreeMap<Id<Local>, Kind>,
    /// Those that are tuples, by their parts.
    tuples: BTreeMap<Kind, Vec<Kind>>,
    scalars: BTreeMap<Kind, Scalar>,
    /// Those that surely are numbers or `bool`, and those that are arrays of such.
    plain: BTreeSet<Kind>,
    plain_inside: BTreeSet<Kind>,
    /// Those that rustc tells.
    taps: BTreeMap<Kind, TapId>,
    /// Operators by name and operands.
    operators: BTreeMap<(&'static str, Vec<Operand>), CalleeId>,
}

impl Kinds {
    fn of(&mut self, from: Origin) -> Kind {
        let count = &mut self.count;
        *self.known.entry(from).or_insert_with(|| {
            *count += 1;
            Kind(*count - 1)
        })
    }

    /// One of its own.
    fn fresh(&mut self) -> Kind {
        self.count += 1;
        Kind(self.count - 1)
    }

    fn field(&mut self, of: Kind, member: &Member) -> Option<Kind> {
        let step = match member {
            Member::Index(index) => {
                if let Some(part) = self.tuples.get(&of).and_then(|parts| parts.get(*index as usize)) {
                    return Some(*part);
                }
                Step::Index(*index)
            }
            Member::Name(name) => Step::Name(name.clone()),
            Member::Back(_) => return None,
        };
        Some(self.of(Origin::Field(of, step)))
    }

    fn index(&mut self, of: Kind) -> Kind {
        let kind = self.of(Origin::Index(of));
        if self.plain_inside.contains(&of) {
            self.plain.insert(kind);
        }
        kind
    }

    fn scalar(&mut self, scalar: Scalar) -> Kind {
        let kind = self.of(Origin::Scalar(scalar));
        self.scalars.insert(kind, scalar);
        kind
    }

    /// True for what surely is a number or `bool`.
    pub fn is_plain(&self, kind: Kind) -> bool {
        self.plain.contains(&kind)
    }

    /// The scalar that it is, where that is known.
    pub fn scalar_of(&self, kind: Kind) -> Option<Scalar> {
        self.scalars.get(&kind).copied()
    }

    /// Notes the kind of a variable.
    fn bind(&mut self, pattern: &Pattern, kind: Kind) {
        match pattern {
            Pattern::Wild => {}
            Pattern::Bind(local) => {
                self.locals.insert(*local, kind);
            }
            Pattern::Tuple(parts) => {
                for (index, part) in (0..).zip(parts) {
                    if let Some(kind) = self.field(kind, &Member::Index(index)) {
                        self.bind(part, kind);
                    }
                }
            }
            Pattern::Struct(fields) => {
                for (member, part) in fields {
                    if let Some(kind) = self.field(kind, member) {
                        self.bind(part, kind);
                    }
                }
            }
            Pattern::Fixed(parts) => {
                let kind = self.index(kind);
                parts.iter().for_each(|part| self.bind(part, kind));
            }
        }
    }
}

impl Lower<'_> {
    /// The kind of an expression; none where it may be a reference.
    pub(super) fn kind(&self, expr: Id<Expr>) -> Option<Kind> {
        self.kinds.exprs[expr.index()]
    }

    /// The expression may be of another type than its parts say.
    pub(super) fn renew(&mut self, expr: Id<Expr>) {
        self.kinds.exprs[expr.index()] = Some(self.kinds.fresh());
    }

    /// The expression stands for a reference in the source.
    pub(super) fn refers(&mut self, expr: Id<Expr>) {
        self.kinds.exprs[expr.index()] = None;
    }

    /// Notes the kind of the expression that comes next.
    pub(super) fn note_kind(&mut self, expr: &ExprKind) {
        let kind = self.kind_of(expr);
        self.kinds.exprs.push(kind);
        let own = match expr {
            ExprKind::Struct { tap, .. }
            | ExprKind::Fixed { tap, .. }
            | ExprKind::Tapped { tap, .. }
            | ExprKind::Cast { value: _, to: TypeName::Tap(tap) } => *tap,
            _ => return,
        };
        if let Some(kind) = kind {
            self.kinds.taps.entry(kind).or_insert(own);
        }
    }

    /// Notes whether an expression surely is a number or `bool`.
    pub(super) fn note_plain(&mut self, id: Id<Expr>, plain: bool) {
        self.plain[id.index()] = plain;
        if let (true, Some(kind)) = (plain, self.kind(id)) {
            self.kinds.plain.insert(kind);
        }
    }

    fn kind_of(&mut self, expr: &ExprKind) -> Option<Kind> {
        let from = match expr {
            ExprKind::Bool(_) | ExprKind::LazyAnd(..) | ExprKind::LazyOr(..) => {
                return Some(self.kinds.scalar(Scalar::Bool));
            }
            ExprKind::Int { suffix: Some(scalar), .. }
            | ExprKind::Float { suffix: Some(scalar), .. }
            | ExprKind::Cast { value: _, to: TypeName::Scalar(scalar) } => return Some(self.kinds.scalar(*scalar)),
            ExprKind::Len(_) | ExprKind::Extent(..) => return Some(self.kinds.scalar(Scalar::Usize)),
            ExprKind::Local(local) => return self.kinds.locals.get(local).copied(),
            ExprKind::Const(constant) => Origin::Const(*constant),
            ExprKind::Load { array, index: _ } => Origin::Element(*array),
            ExprKind::Tapped { tap: _, value } => return self.kind(*value),
            ExprKind::Field(value, member) => {
                let value = self.kind(*value)?;
                return self.kinds.field(value, member);
            }
            ExprKind::Index(value, _) => {
                let value = self.kind(*value)?;
                return Some(self.kinds.index(value));
            }
            ExprKind::Tuple(parts) => {
                let parts: Vec<Kind> = parts.iter().map(|part| self.kind(*part)).collect::<Option<_>>()?;
                let kind = self.kinds.of(Origin::Tuple(parts.clone()));
                self.kinds.tuples.insert(kind, parts);
                return Some(kind);
            }
            ExprKind::Fixed { elements, .. } => {
                let inside = elements.first().and_then(|first| self.kind(*first))?;
                return Some(self.array_of_kind(inside, elements));
            }
            ExprKind::Repeat { value, .. } => {
                let inside = self.kind(*value)?;
                return Some(self.array_of_kind(inside, &[*value]));
            }
            ExprKind::Block(block) => return self.kind(block.tail?),
            ExprKind::If { cond: _, then, otherwise } => return self.kind_of_branches(then.tail, (*otherwise)?),
            ExprKind::Op { op, args } => match (op.row().form, args.as_slice()) {
                (Form::Operator, _) if is_comparison(*op) => return Some(self.kinds.scalar(Scalar::Bool)),
                // Operators of numbers give what they are given, and so do many methods.
                (Form::Operator, [left, right]) if self.plain[left.index()] && self.plain[right.index()] => {
                    let shift = matches!(op, Op::Shl | Op::Shr);
                    let of = if self.own(*left) == Own::Open && !shift { *right } else { *left };
                    return self.kind(of);
                }
                // Of two operands one may be a vector: a number times it is one.
                (Form::Operator, [value]) | (Form::Method, [value, ..])
                    if op.row().output == Output::Same
                        && self.plain[value.index()]
                        && self.own(*value) == Own::Closed =>
                {
                    return self.kind(*value);
                }
                _ => return Some(self.kinds.fresh()),
            },
            ExprKind::Int { suffix: None, .. }
            | ExprKind::Float { suffix: None, .. }
            | ExprKind::Cast { value: _, to: TypeName::Tap(_) }
            | ExprKind::Function { .. }
            | ExprKind::Atomic { .. }
            | ExprKind::CompareExchange { .. }
            | ExprKind::Struct { .. }
            | ExprKind::Linear { .. }
            | ExprKind::Call { .. } => return Some(self.kinds.fresh()),
            ExprKind::Start { .. }
            | ExprKind::Count(_)
            | ExprKind::Scatter { .. }
            | ExprKind::While { .. }
            | ExprKind::Loop { .. }
            | ExprKind::For { .. }
            | ExprKind::Break { .. }
            | ExprKind::Continue(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Contribute { .. }
            | ExprKind::Return(_)
            | ExprKind::Say { .. } => return None,
        };
        Some(self.kinds.of(from))
    }

    /// Of an array literal. Its elements are of one type.
    fn array_of_kind(&mut self, inside: Kind, elements: &[Id<Expr>]) -> Kind {
        let kind = self.kinds.fresh();
        if self.kinds.is_plain(inside) || elements.iter().any(|element| self.plain[element.index()]) {
            self.kinds.plain_inside.insert(kind);
        }
        kind
    }

    /// Both are of one type; of one that isn't seen it isn't known whether it refers to that.
    fn kind_of_branches(&self, then: Option<Id<Expr>>, otherwise: Id<Expr>) -> Option<Kind> {
        let never = |expr: Id<Expr>| self.own(expr) == Own::Never;
        match then {
            Some(then) if never(otherwise) => self.kind(then),
            Some(then) if !never(then) => self.kind(then).filter(|_| self.kind(otherwise).is_some()),
            Some(_) | None => self.kind(otherwise),
        }
    }

    /// The kinds of the variables that a pattern binds to parts of a value.
    pub(super) fn bind_kinds(&mut self, pattern: &Pattern, value: Id<Expr>) {
        if let Some(kind) = self.kind(value) {
            self.kinds.bind(pattern, kind);
        }
    }

    /// Of a parameter by value, and of the variable of a loop that counts: maybe from a number of its range.
    pub(super) fn bind_values(&mut self, pattern: &Pattern, range: Option<Id<Expr>>) {
        let known = range.and_then(|range| self.kind(range)).filter(|kind| self.kinds.scalars.contains_key(kind));
        match (pattern, known) {
            (Pattern::Wild, _) => {}
            (Pattern::Bind(_), Some(kind)) => self.kinds.bind(pattern, kind),
            (Pattern::Bind(_), None) => {
                let kind = self.kinds.fresh();
                self.kinds.bind(pattern, kind);
            }
            (Pattern::Tuple(parts) | Pattern::Fixed(parts), _) => {
                parts.iter().for_each(|part| self.bind_values(part, None));
            }
            (Pattern::Struct(fields), _) => fields.iter().for_each(|(_, part)| self.bind_values(part, None)),
        }
    }

    /// The number of a range by which the variable of its loop has its type.
    pub(super) fn counts_like(&self, domain: &Domain) -> Option<Id<Expr>> {
        let closed = |ends: [Id<Expr>; 2]| ends.into_iter().find(|end| self.own(*end) == Own::Closed);
        match domain {
            Domain::Range { lo, hi, tap: _ } => closed([*hi, *lo]),
            Domain::Steps(steps) => closed([steps.hi, steps.lo]),
            Domain::Indices(_) | Domain::Segments(_) | Domain::Ndrange(_) => None,
        }
    }

    /// Those of the variables whose types are to be told, and those of which another one of the same type, told by then,
    /// tells it.
    pub(super) fn first_of_kinds(&self, group: Vec<Bound>) -> (Vec<Bound>, Vec<Id<Local>>) {
        let (mut first, mut others, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
        for (local, name) in group {
            let kind = self.kinds.locals.get(&local);
            let told = kind.is_some_and(|kind| {
                self.kinds.scalars.contains_key(kind) || self.kinds.taps.contains_key(kind) || !seen.insert(*kind)
            });
            if told { others.push(local) } else { first.push((local, name)) }
        }
        (first, others)
    }

    /// True for a loop whose variable surely has a type that every loop can count in.
    pub(super) fn counts_narrow(&self, number: Option<Id<Expr>>) -> bool {
        let scalar = number.and_then(|number| self.kind(number)).and_then(|kind| self.kinds.scalars.get(&kind));
        scalar.is_some_and(|scalar| scalar.is_int() && scalar.words() == 1)
    }

    /// The tap that tells a variable's type already.
    pub(super) fn known_tap(&mut self, local: Id<Local>) -> Option<TapId> {
        let kind = *self.kinds.locals.get(&local)?;
        self.tap_of(kind)
    }

    /// The tap that tells the type of an expression already.
    pub(super) fn known_tap_of(&mut self, expr: Id<Expr>) -> Option<TapId> {
        let kind = self.kind(expr)?;
        self.tap_of(kind)
    }

    fn tap_of(&mut self, kind: Kind) -> Option<TapId> {
        match self.kinds.scalars.get(&kind) {
            Some(scalar) => Some(self.taps.known(*scalar)),
            None => self.kinds.taps.get(&kind).copied(),
        }
    }

    /// Notes that a tap tells the type of a variable.
    pub(super) fn note_tap(&mut self, local: Id<Local>, tap: TapId) {
        if let Some(kind) = self.kinds.locals.get(&local) {
            self.kinds.taps.entry(*kind).or_insert(tap);
        }
    }

    /// The operand of an operator; none if nothing is known of it.
    pub(super) fn operand_of(&self, expr: Id<Expr>) -> Option<Operand> {
        match &self.exprs[expr].kind {
            ExprKind::Int { suffix: None, .. } => Some(Operand::Integer),
            ExprKind::Float { suffix: None, .. } => Some(Operand::Float),
            _ => self.kind(expr).map(Operand::Of),
        }
    }

    /// The kind of a place.
    pub(super) fn kind_of_place(&mut self, place: &Place) -> Option<Kind> {
        let (mut kind, path) = match place {
            Place::Local(local) => (*self.kinds.locals.get(local)?, [].as_slice()),
            Place::Part(local, path) => (*self.kinds.locals.get(local)?, path.as_slice()),
            Place::Element { array, index: _, path } => (self.kinds.of(Origin::Element(*array)), path.as_slice()),
            Place::Wild | Place::Tuple(_) => return None,
        };
        for step in path {
            kind = match step {
                Projection::Field(member) => self.kinds.field(kind, member)?,
                Projection::Index(_) => self.kinds.index(kind),
            };
        }
        Some(kind)
    }

    /// The callee of an operator of the same operands, or a new one that `tap` makes.
    pub(super) fn operator_of(
        &mut self,
        name: &'static str,
        operands: Option<Vec<Operand>>,
        tap: impl FnOnce(&mut Self) -> CalleeId,
    ) -> CalleeId {
        let key = operands.map(|operands| (name, operands));
        if let Some(known) = key.as_ref().and_then(|key| self.kinds.operators.get(key)) {
            return *known;
        }
        let callee = tap(self);
        if let Some(key) = key {
            self.kinds.operators.insert(key, callee);
        }
        callee
    }
}

/// True for what gives a `bool`, whatever is compared.
fn is_comparison(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge)
}
